"""`croupier sessions`: what happens to players who sit down with a bankroll."""

from pathlib import Path
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
    find,
    print_json,
    read_cents,
    read_options,
)
from croupier.cli.simulate import read_rounds, read_seed

if TYPE_CHECKING:
    from croupier.analysis import Watch
    from croupier.rulebook import Game
    from croupier.simulation.sessions import Sessions

FORMATS = (".svg", ".png", ".pdf")
MOST_CORES = 1024


def sessions(
    game: GameName,
    bankroll: Annotated[
        str, typer.Option("--bankroll", metavar="DOLLARS", help="What a player sits down with.")
    ],
    stake: Annotated[
        str, typer.Option("--stake", metavar="DOLLARS", help="One unit of the wagers.")
    ],
    rounds: Annotated[
        str, typer.Option("--rounds", metavar="N", help="How many a session has at most.")
    ] = "1000",
    sessions: Annotated[
        str, typer.Option("--sessions", metavar="N", help="How many sessions are played.")
    ] = "10000",
    set_: Set = [],  # noqa: B006
    wager: Annotated[
        list[str],
        typer.Option(
            "--wager",
            metavar="ID[=UNITS]",
            help="What is wagered in each round, such as pass or pass_odds=2. May be several.",
        ),
    ] = [],  # noqa: B006
    strategy: StrategyName = "optimal",
    progression: Annotated[
        str,
        typer.Option(
            "--progression",
            metavar="NAME",
            help="How stakes follow one another: flat, martingale, … or file.py:function.",
        ),
    ] = "flat",
    stop_win: Annotated[
        str | None,
        typer.Option("--stop-win", metavar="DOLLARS", help="Get up when so much is won."),
    ] = None,
    stop_loss: Annotated[
        str | None,
        typer.Option("--stop-loss", metavar="DOLLARS", help="Get up when so much is lost."),
    ] = None,
    an_hour: Annotated[
        str, typer.Option("--an-hour", metavar="N", help="Rounds an hour, for the player club.")
    ] = "60",
    seed: SeedText = None,
    cores: Cores = None,
    plot: Annotated[
        Path | None,
        typer.Option("--plot", metavar="FILE", help="Draw it: a file that ends in .svg or .png."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Play many sessions, and see what players go home with.

    A player sits down with a bankroll, stakes what a progression says, and gets up when the rounds
    are over, when he has won or lost what he said he would, or when he cannot make another wager.

      croupier sessions roulette --wager red --bankroll 500 --stake 10 --progression martingale

      croupier sessions craps --wager pass --wager pass_odds=2 --bankroll 300 --stake 5
    """
    import os

    found = find(game)
    if cores is not None and not 1 <= cores <= MOST_CORES:
        raise InputError(f"--cores must be from 1 to {MOST_CORES}, not {cores}")
    if plot is not None and plot.suffix.lower() not in FORMATS:
        raise InputError(f"--plot must be a file that ends in {' or '.join(FORMATS)}, not {plot}")
    amounts = {
        "bankroll": read_cents(bankroll, "--bankroll"),
        "stake": read_cents(stake, "--stake"),
        "rounds": read_rounds(rounds),
        "sessions": read_rounds(sessions, "--sessions"),
        "seed": read_seed(seed),
        "an_hour": read_rounds(an_hour, "--an-hour"),
        "cores": cores or os.cpu_count() or 1,
    }
    stops = {
        "win": None if stop_win is None else read_cents(stop_win, "--stop-win"),
        "loss": None if stop_loss is None else read_cents(stop_loss, "--stop-loss"),
    }
    from croupier.cli.progress import bar

    with bar("Playing sessions") as watch:
        played, told = _play(
            found, read_options(set_), wager, strategy, progression, stops, amounts, watch
        )
    if plot is not None:
        _draw(played, f"{found.title}: {told['wager']}", plot)
    if as_json:
        print_json({"game": found.id, **told, **played.as_json()})
    else:
        show(found, played, told)


def _play(
    game: "Game",
    given: dict[str, Any],
    words: list[str],
    strategy: str,
    progression: str,
    stops: dict[str, int | None],
    amounts: dict[str, int],
    watch: "Watch",
) -> "tuple[Sessions, dict[str, Any]]":
    from croupier.analysis import analyze
    from croupier.equipment import dollars
    from croupier.rulebook import PokerGame
    from croupier.simulation.engine import engine
    from croupier.simulation.live import check_beside
    from croupier.simulation.progressions import named_progression
    from croupier.simulation.sessions import Stops, sessions, table_limits
    from croupier.simulation.strategies import OPTIMAL, Strategy, Wagers, named

    options = game.options(given)
    if not words:
        offered = game.main[0] if isinstance(game, PokerGame) else game.offered(options)[0].id
        words = [offered]
    wagers = Wagers.read(words)
    follows = named_progression(progression)
    decides: Strategy | None = None
    if strategy != OPTIMAL:
        decides = named(game, options, strategy)
    check_beside(game, options, [*wagers])
    dealer = engine(game, options, [*wagers], strategy=decides, watch=watch)
    if len(dealer.labels) != len(wagers):
        known = ", ".join(dealer.labels)
        raise InputError(f"{wagers} are not as many different wagers; there are {known}")
    wagers = Wagers(dict(zip(dealer.labels, wagers.values(), strict=True)))
    low, most = table_limits(game, options, wagers)
    if not low <= amounts["stake"] <= most:
        raise InputError(
            f"--stake {dollars(amounts['stake'])} is not a unit of {wagers} at this table, "
            f"which takes {dollars(low)} to {dollars(most)}"
        )
    edges = None
    if decides is None:
        reports = analyze(game, options, dealer.labels, watch=watch)
        edges = {report.label: report.house_edge for report in reports}
    played = sessions(
        dealer,
        wagers,
        progression=follows,
        stops=Stops(**stops),
        most=most,
        edges=edges,
        watch=watch,
        **amounts,
    )
    who = decides.title if decides else ""
    told = {"options": options.as_json(), "wager": str(wagers), "strategy": strategy}
    return played, told | ({"strategy_title": who, "source": decides.source} if decides else {})


def show(game: "Game", played: "Sessions", told: dict[str, Any]) -> None:
    """For people: what they went home with, how it ended, and what theory says."""
    from rich.console import Console
    from rich.table import Table

    plan = played.plan
    console = Console(highlight=False)
    many = f"{plan.sessions:,} sessions of {plan.rounds:,} rounds"
    console.print(f"[bold]{game.title}[/], {told['wager']}: {many}, seed {plan.seed}")
    begins = f"Bankroll {_money(plan.bankroll)}, a unit of {_money(plan.stake)}"
    console.print(f"{begins}, {plan.progression.name}: {plan.progression.title.lower()}")
    if "strategy_title" in told:
        console.print(f"Decisions: {told['strategy_title']} ({told['source']})")
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column()
    table.add_column(justify="right")
    for name, value in _lines(played):
        table.add_row(name, value)
    console.print()
    console.print(table)
    console.print()
    _bars(console, played)


def _lines(played: "Sessions") -> list[tuple[str, str]]:
    """Each figure with its name."""
    from croupier.simulation.sessions import ENDS

    quantiles, ruined = played.quantiles(), played.time_to_ruin
    ends = {"rounds": "The rounds were over", "ruin": "Ruined",
            "win_goal": "Stopped with a win", "loss_limit": "Stopped with a loss"}  # fmt: skip
    lines = [
        ("Average result", f"{_money(played.mean)} ± {_money(played.error)}"),
        ("Expected by the edge", _money(played.expected)),
        ("Middle half of all results", f"{_money(quantiles[0.25])} to {_money(quantiles[0.75])}"),
        ("Nine in ten", f"{_money(quantiles[0.05])} to {_money(quantiles[0.95])}"),
        ("Went home ahead", _share(played.ahead)),
        *((ends[end], _share(played.share(end))) for end in ENDS if played.share(end)[0]),
    ]
    if len(ruined):
        lines.append(("Rounds to ruin, on average", f"{ruined.mean():,.0f}"))
    longest = played.longest
    return [
        *lines,
        ("Longest losing run, average and most", f"{longest.mean():.1f} and {longest.max()}"),
        ("Largest stake", _money(float(played.greatest.max()))),
        ("Average bet", _money(played.average_bet)),
        ("Action in a session", _money(float(played.action.mean()))),
        ("House edge, " + ("as dealt" if played.edges is None else "exact"),
         f"{played.house_edge:.4%}"),
        ("Theoretical win of the house, a session", _money(played.theoretical)),
        (f"An hour of {played.an_hour:,} rounds", _money(played.theoretical_an_hour)),
    ]  # fmt: skip


def _bars(console: Any, played: "Sessions") -> None:
    """The histogram, in as many lines as fit a screen."""
    import numpy as np

    edges, bars = played.histogram()
    step = -(-len(bars) // 20)
    joined = np.add.reduceat(bars, np.arange(0, len(bars), step))
    most = max(int(joined.max()), 1)
    for at, number in enumerate(joined):
        low = float(edges[at * step])
        bar = "█" * round(40 * int(number) / most)
        console.print(f"{_money(low):>12}  {bar} {int(number):,}", soft_wrap=True)


def _money(cents: float) -> str:
    """Rounded to the cent, for people."""
    sign = "-" if round(cents) < 0 else ""
    return f"{sign}${abs(round(cents)) / 100:,.2f}"


def _share(share: tuple[float, float]) -> str:
    return f"{share[0]:.2%} ± {share[1]:.2%}"


def _draw(played: "Sessions", title: str, path: Path) -> None:
    """Bankrolls on the way, and what was left of them."""
    import matplotlib
    from matplotlib.figure import Figure

    plan, fan = played.plan, played.fan / 100
    with matplotlib.rc_context({"svg.hashsalt": "croupier"}):  # the same file every time
        figure = Figure(figsize=(10, 4.5), layout="constrained")
        way, end = figure.subplots(1, 2, width_ratios=(3, 2))
        for outer, shade in ((0, 0.15), (1, 0.25), (2, 0.4)):
            way.fill_between(
                played.points, fan[outer], fan[-1 - outer], color="tab:green", alpha=shade, lw=0
            )
        way.plot(played.points, fan[3], color="darkgreen")
        way.axhline(plan.bankroll / 100, color="gray", lw=0.8, ls="--")
        way.set(xlabel="rounds", ylabel="bankroll, dollars", title="50, 90 and 98 in 100 sessions")
        edges, bars = played.histogram()
        end.stairs(bars / plan.sessions, edges / 100, fill=True, color="tab:green", alpha=0.6)
        end.axvline(played.mean / 100, color="darkgreen")
        end.set(xlabel="result, dollars", ylabel="share of sessions", title="What is taken home")
        figure.suptitle(f"{title}, {plan.progression.name}, {plan.sessions:,} sessions")
        try:
            figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)
        except OSError as error:
            raise InputError(f"--plot {path} cannot be written: {error.strerror}") from None
