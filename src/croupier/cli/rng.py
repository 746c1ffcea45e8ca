"""The commands of a test laboratory: test the generators, and collect what they give."""

import errno
import hashlib
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO, cast

import typer

from croupier.cli.common import InputError, Json, Set, complain, find, print_json, read_options
from croupier.cli.simulate import read_rounds

if TYPE_CHECKING:
    from croupier.randomness.battery import Effort, Result, Sample

commands = typer.Typer(
    rich_markup_mode=None,
    no_args_is_help=True,
    help="Test the generators of chance, and collect what they give.",
)

SOURCES = ("live", "simulation", "both")
WORDS = 1 << 64
BLOCK = 1 << 20  # bytes that are written at a time
MOST_STARTS = 100_000
OUT = "-"  # standard output

Seed = Annotated[int, typer.Option("--seed", metavar="S", help="Of the simulation's streams.")]


@commands.command("test")
def run_tests(
    source: Annotated[
        str, typer.Option("--source", metavar="SOURCE", help="live, simulation or both.")
    ] = "both",
    seed: Seed = 1,
    quick: Annotated[bool, typer.Option("--quick", help="Smaller samples: some seconds.")] = False,
    starts: Annotated[
        int | None,
        typer.Option(
            "--starts", metavar="N", help="Start so many processes to compare their first numbers."
        ),
    ] = None,
    report: Annotated[
        Path | None,
        typer.Option("--report", metavar="FILE", help="Also write a report: .html, .md or .json."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Put the generators through the battery of statistical tests.

    Raw bits, scaled numbers, final outcomes of every game's equipment, shuffles and streams beside
    each other, at a level of 0.01 for all tests together; and what can be shown exactly. If
    anything fails, the exit code is 1. A sound generator fails once in a hundred runs: run it
    again, for a fault comes again and chance does not.

      croupier rng test --report randomness.html

      croupier rng test --source live --starts 1000
    """
    from croupier.randomness import battery
    from croupier.randomness.report import as_json as document

    _check_source(source, SOURCES)
    _check_seed(seed)
    _check_report(report)
    effort = _effort(battery.QUICK if quick else battery.FULL, starts)
    result = _run(source, seed, effort)
    if as_json:
        print_json(document(result))
    else:
        _show(result)
    if report is not None:
        from croupier.randomness.report import write

        with _writing(report):
            write(result, report)
    raise typer.Exit(0 if result.passed else 1)


def _run(source: str, seed: int, effort: "Effort") -> "Result":
    from croupier.cli.progress import bar
    from croupier.randomness import battery

    with _answering(), bar("Testing the generators") as watch:

        def told(title: str, share: float) -> None:
            watch.progress.update(watch.counting, description=title)
            watch.done(share)

        return battery.run(source, seed, effort, told=told)


def _effort(effort: "Effort", starts: int | None) -> "Effort":
    from dataclasses import replace

    if starts is None:
        return effort
    if not 1 <= starts <= MOST_STARTS:
        raise InputError(f"--starts is a number from 1 to {MOST_STARTS:,}, not {starts}")
    return replace(effort, starts=starts)


def _show(result: "Result") -> None:
    """One line for each sample, and every test that failed."""
    from rich.console import Console

    from croupier.randomness.report import ROW, in_a_sentence, row

    console = Console(highlight=False)
    numbers = ("Tests", "Least p", "Corrected")
    for source in result.sources:
        console.print(f"[bold]{source}[/]")
        grid = _grid("Sample", *numbers, "At the test", "Verdict", right=numbers)
        for sample in result.samples:
            if sample.source == source:
                grid.add_row(*_line(result, sample))
        console.print(grid)
    for fact in result.facts:
        if not fact.holds:
            console.print(f"[red]Does not hold: {fact.source} {fact.title}. {fact.detail}[/]")
    if result.failures:
        failed = _grid(*ROW, right=ROW[3:9])
        for finding in result.failures:
            failed.add_row(*row(finding), style="red")
        console.print(failed)
    console.print(f"[{'green' if result.passed else 'red'}]{in_a_sentence(result)}[/]")
    console.print("[dim]This shows no fault of the kinds looked for; it proves no randomness.[/]")


def _line(result: "Result", sample: "Sample") -> tuple[str, ...]:
    from croupier.randomness.report import number

    here = [finding for finding in result.findings if finding.sample == sample]
    least = min(here, key=lambda finding: finding.verdict.p_value)
    verdict = "passed" if all(finding.passed for finding in here) else "[red]FAILED[/]"
    return (
        sample.title, str(len(here)), number(least.verdict.p_value), number(least.corrected),
        least.verdict.name, verdict,
    )  # fmt: skip


def _grid(*columns: str, right: Iterable[str] = ()) -> Any:
    from rich import box
    from rich.table import Table as Grid

    grid = Grid(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, header_style="bold")
    for name in columns:
        justify: Any = "right" if name in right else "left"
        grid.add_column(name, justify=justify, no_wrap=name in right, overflow="fold")
    return grid


@commands.command()
def dump(
    out: Annotated[
        str, typer.Option("--out", metavar="FILE", help="Where to; - is standard output.")
    ],
    raw: Annotated[bool, typer.Option("--raw", help="Raw output, before scaling.")] = False,
    size: Annotated[
        str | None, typer.Option("--bytes", metavar="N", help="How much raw output, such as 10M.")
    ] = None,
    game: Annotated[
        str | None, typer.Option("--game", metavar="GAME", help="Final outcomes of this game.")
    ] = None,
    rounds: Annotated[
        str | None, typer.Option("--rounds", metavar="N", help="How many rounds of it.")
    ] = None,
    set_: Set = [],  # noqa: B006
    source: Annotated[
        str, typer.Option("--source", metavar="SOURCE", help="live or simulation.")
    ] = "live",
    seed: Seed = 1,
) -> None:
    """Collect raw output, or final outcomes, for a test laboratory.

    Raw output is what the generator gives before anything is scaled. Rounds are dealt as a table
    deals them, and written one in a line as JSON: the outcomes in the order in which they left the
    equipment. The SHA-256 of what was written is printed.

      croupier rng dump --raw --bytes 10M --out live.bin

      croupier rng dump --game three-card-poker --rounds 100000 --out hands.jsonl
    """
    _check_source(source, SOURCES[:2])
    _check_seed(seed)
    if raw == (game is not None):
        raise InputError("say either --raw --bytes N or --game GAME --rounds N")
    if raw:
        many = _many(size, "--bytes", rounds, "--rounds")
        if set_:
            raise InputError("--set is for the table of a game, and --raw has none")
        _write(out, _raw(source, seed, many), many)
    else:
        many = _many(rounds, "--rounds", size, "--bytes")
        _write(out, _rounds(cast("str", game), set_, source, seed, many), None)


def _many(text: str | None, option: str, other: str | None, wrong: str) -> int:
    if other is not None:
        raise InputError(f"{wrong} does not go with what is asked for: say {option}")
    if text is None:
        raise InputError(f"say how many, with {option} N")
    return read_rounds(text, option)


def _raw(source: str, seed: int, size: int) -> Iterator[bytes]:
    """The system's bytes, or the words of the first chunk of a seed as they come."""
    if source == "live":
        for done in range(0, size, BLOCK):
            yield os.urandom(min(BLOCK, size - done))
        return
    import numpy as np

    generator = np.random.Philox(key=np.array([seed, 0], dtype=np.uint64))
    for done in range(0, size, BLOCK):
        words = generator.random_raw(BLOCK // 8)
        yield words.astype("<u8").tobytes()[: min(BLOCK, size - done)]


def _rounds(name: str, given: list[str], source: str, seed: int, many: int) -> Iterator[bytes]:
    import json

    from croupier.equipment import Chance, SystemChance
    from croupier.randomness.rounds import deal_rounds

    game, options = find(name), read_options(given)
    chance: Chance = SystemChance()
    if source == "simulation":
        from croupier.simulation.streams import SeededStream

        chance = SeededStream(seed)
    game.options(options)  # refused before anything is written
    dealt = deal_rounds(game, options, chance, many)
    return (
        json.dumps({"round": at, "draws": draws}).encode() + b"\n"
        for at, draws in enumerate(dealt, 1)
    )


def _write(out: str, parts: Iterator[bytes], size: int | None) -> None:
    """Write it, and say how much it was and its hash; where nothing else stands."""
    digest, written = hashlib.sha256(), 0
    if out != OUT and size is not None:
        _check_room(Path(out), size)
    with _opened(out) as file:
        for part in _asked(parts):
            file.write(part)
            digest.update(part)
            written += len(part)
    where = "standard output" if out == OUT else out
    print(
        f"{written:,} bytes in {where}, SHA-256 {digest.hexdigest()}",
        file=sys.stderr if out == OUT else sys.stdout,
    )


def _asked(parts: Iterator[bytes]) -> Iterator[bytes]:
    """What the generator gives; that it gives nothing is no fault of the file."""
    while True:
        with _answering():
            part = next(parts, None)
        if part is None:
            return
        yield part


@contextmanager
def _answering() -> Iterator[None]:
    """Without random numbers there is nothing to test and nothing to collect."""
    try:
        yield
    except OSError as error:
        _fail(f"no random numbers can be had: {(error.strerror or str(error)).lower()}")


@contextmanager
def _opened(out: str) -> Iterator[BinaryIO]:
    """A file to write to; what was written of it goes away again if it cannot be finished."""
    if out == OUT:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    path = Path(out)
    with _writing(path):
        file = path.open("wb")
        try:
            with file:
                yield file
        except BaseException:
            if path.is_file():
                path.unlink()
            raise


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    """What stands in the way is said in a sentence: bad input, or a disk that is full."""
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            _fail(f"{path} cannot be written: the disk is full")
        reason = (error.strerror or str(error)).lower()
        raise InputError(f"{path} cannot be written: {reason}") from None


def _check_room(path: Path, size: int) -> None:
    """Fill no disk with what cannot be finished."""
    import shutil

    if path.parent.is_dir() and (path.is_file() or not path.exists()):
        free = shutil.disk_usage(path.parent).free
        if size > free:
            _fail(f"{path} cannot be written: the disk has room for {free:,} bytes")


def _fail(sentence: str) -> None:
    raise typer.Exit(complain(sentence, 1))


def _check_source(source: str, known: tuple[str, ...]) -> None:
    if source not in known:
        raise InputError(f"there is no source {source!r}: it is {' or '.join(known)}")


def _check_seed(seed: int) -> None:
    if not 0 <= seed < WORDS:
        raise InputError(f"--seed is a whole number from 0 to {WORDS - 1}, not {seed}")


def _check_report(path: Path | None) -> None:
    """A minute's work is not begun for a file that cannot be written."""
    from croupier.randomness.report import WRITERS

    if path is None:
        return
    if path.suffix not in WRITERS:
        raise InputError(f"--report {path} must end in {', '.join(WRITERS)}")
    if path.is_dir() or not path.parent.is_dir():
        raise InputError(f"{path} cannot be written: there is no such folder, or it is one")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise InputError(f"{path} cannot be written: permission denied")
