"""`croupier simulate`: rounds by the million, with what is known of them so far."""

import re
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Any

import typer

from croupier.cli.common import (
    Cores,
    GameName,
    InputError,
    Json,
    SeedText,
    Set,
    StrategyName,
    Unlawful,
    complain,
    find,
    print_json,
    read_cents,
    table_of,
)

if TYPE_CHECKING:
    from rich.progress import Progress

    from croupier.analysis import WagerReport
    from croupier.rulebook import Game
    from croupier.simulation.simulate import Simulation, Told

commands = typer.Typer()

OFTEN = 0.1  # seconds between two looks at the bar

SUFFIXES = {"": 0, "k": 3, "m": 6, "g": 9, "b": 9}  # how many zeros each stands for


@commands.command()
def simulate(
    game: GameName,
    rounds: Annotated[
        str, typer.Option("--rounds", metavar="N", help="How many: 5000, 1,000,000, 1e8 or 100M.")
    ],
    seed: SeedText = None,
    set_: Set = [],  # noqa: B006
    wager: Annotated[
        list[str],
        typer.Option("--wager", metavar="ID", help="Only this wager, such as pass or straight:17."),
    ] = [],  # noqa: B006
    strategy: StrategyName = "optimal",
    path: Annotated[
        str,
        typer.Option(
            "--path", help="fast (compiled), faithful (the live round itself), or auto by size."
        ),
    ] = "auto",
    stake: Annotated[
        str | None,
        typer.Option(
            "--stake", metavar="DOLLARS", help="Round and limit payments as at this stake."
        ),
    ] = None,
    cores: Cores = None,
    on: Annotated[
        str | None,
        typer.Option("--on", metavar="dask://HOST:PORT", help="Deal on a Dask cluster."),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with what was interrupted, or dealt before.")
    ] = False,
    unlawful: Unlawful = False,
    as_json: Json = False,
) -> None:
    """Deal many rounds, and see what comes of every wager.

    Few rounds are dealt by the live table itself, many by compiled code from the same rules; both
    shuffle real cards and deal real shoes. Stop it with Ctrl-C: what has been dealt is the result,
    with its own error, and --resume goes on.

      croupier simulate craps --rounds 100M --seed 47 --wager pass --wager pass_odds

      croupier simulate three-card-poker --rounds 1e7 --strategy mine.py:decide
    """
    from croupier.simulation import kept
    from croupier.simulation.pools import ClusterFailed
    from croupier.simulation.simulate import planned, run
    from croupier.simulation.strategies import carried

    found = find(game)
    options, wrong = table_of(found, set_, unlawful)
    if path not in PATHS:
        raise InputError(f"--path must be fast, faithful or auto, not {path!r}")
    if resume and seed is None:
        raise InputError("--resume needs the --seed of the simulation that is to go on")
    simulation = planned(
        found, options, wager, rounds=read_rounds(rounds), seed=read_seed(seed),
        strategy=carried(strategy), path=PATHS[path], lawful=not wrong,
        stake=None if stake is None else read_cents(stake, "--stake"),
    )  # fmt: skip
    before = kept.kept(simulation) if resume else None
    if before is not None:
        simulation.go_on_from(before)
    try:
        with _watched() as watch:
            run(simulation, cores=cores, on=on, watch=watch)
    except ClusterFailed as error:
        raise typer.Exit(complain(f"{error}; {_keep(simulation)}", 1)) from None
    told = _keep(simulation) if simulation.interrupted or resume else ""
    exact = _exact(found, options, simulation)
    if as_json:
        document = simulation.as_json(exact)
        unlawful_json = {"lawful": False, "violations": [each.as_json() for each in wrong]}
        print_json({**(unlawful_json if wrong else {}), **document})
    else:
        from croupier.cli.show import simulated

        said = f"{told[0].upper()}{told[1:]}." if simulation.interrupted else ""
        simulated(found, options, simulation, exact, said)
    if simulation.interrupted:
        raise typer.Exit(1)


def _keep(simulation: "Simulation") -> str:
    """Keep what was dealt, and say how to go on with it; or why that cannot be."""
    from croupier.simulation import kept

    try:
        kept.keep(simulation)
    except OSError as error:
        return f"it could not be kept to go on with: {error.strerror}"
    return f"go on with the same command and --seed {simulation.seed} --resume"


PATHS: dict[str, Any] = {"auto": None, "fast": "fast", "faithful": "faithful"}


def read_rounds(text: str, option: str = "--rounds") -> int:
    """5000, 1,000,000, 1_000_000, 1e8 or 100M."""
    match = re.fullmatch(r"(\d[\d,_]*)(?:[eE]\+?(\d{1,2}))?([kKmMgGbB]?)", text.strip())
    if match is None or len(text) > 40:
        raise InputError(f"{option} must be a whole number above zero, such as 100M, not {text!r}")
    digits, power, suffix = match.groups()
    zeros = int(power or 0) + SUFFIXES[suffix.lower()]
    number = int(re.sub("[,_]", "", digits) + "0" * zeros)
    if not number:
        raise InputError(f"{option} must be above zero")
    return number


def read_seed(text: str | None) -> int:
    """A seed that was named, or one by chance, which is told."""
    if text is None:
        return secrets.randbelow(10**9)
    if not re.fullmatch(r"\d{1,20}", text):
        raise InputError(f"--seed must be a whole number, not {text!r}")
    return int(text)


def _exact(game: "Game", options: Any, simulation: "Simulation") -> "Mapping[str, WagerReport]":
    """What it should come to, where that is known: decisions are the best, or there are none."""
    from croupier.analysis import analyze
    from croupier.simulation.strategies import OPTIMAL

    if simulation.table.strategy != OPTIMAL or not simulation.rounds:
        return {}
    labels, stake = simulation.table.labels, simulation.table.stake
    return {report.label: report for report in analyze(game, options, labels, stake=stake)}


@contextmanager
def _watched() -> "Iterator[Told]":
    """A bar with the first wager's edge so far, and its error."""
    from rich.console import Console

    from croupier.cli.progress import drawn_on

    with drawn_on(Console(stderr=True, highlight=False)) as progress:
        yield watcher(progress)


def watcher(progress: "Progress") -> "Told":
    """Somebody who moves the bar."""
    from croupier.simulation.simulate import Simulation, Told

    task = progress.add_task("Setting up the table", total=None)

    class Bar(Told):
        told = 0.0  # when the bar was moved

        def compiles(self) -> None:
            progress.update(task, description="Compiling the solver, this once")

        def counts(self, deals: int) -> None:
            progress.update(task, description="Counting what to do best, this once", total=1.0)

        def done(self, share: float) -> None:
            progress.update(task, completed=share)

        def dealt(self, simulation: Simulation) -> None:
            if progress.disable or monotonic() - self.told < OFTEN:
                return
            self.told = monotonic()
            label, edge, error = simulation.first() or ("", 0.0, 0.0)
            progress.update(
                task, total=simulation.asked, completed=simulation.rounds,
                description=f"{label} {edge:.3%} ± {error:.3%}",
            )  # fmt: skip

    return Bar()
