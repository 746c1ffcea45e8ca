"""What the commands print: tables for people, documents for programs."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from typing import TYPE_CHECKING, Any

from rich import box
from rich.console import Console, Group
from rich.markup import escape
from rich.measure import Measurement
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from croupier.analysis import WagerReport, analyze
from croupier.analysis.report import ranks
from croupier.cli.felts import Ink, cards
from croupier.equipment import RANKS, Card, dollars
from croupier.regulation import Row
from croupier.rulebook import Game, PokerGame, Posting, Violation, Wager
from croupier.voice import happened, turned, whose

if TYPE_CHECKING:
    from croupier.analysis.advise import Advised
    from croupier.analysis.report import Advice
    from croupier.simulation.simulate import Simulation

console = Console(highlight=False)

FOLDING = ("Wager", "Title", "Note", "Rule", "Best wager", "Worst wager", "Result", "What", "")
INDENT = (0, 0, 0, 2)
EDGE_STYLES = ((0.0, "bold green"), (0.02, "green"), (0.06, "yellow"), (0.12, "dark_orange"))


def _grid(*columns: str, right: Sequence[str] = ()) -> Grid:
    """A table whose text columns may fold and whose other columns never do."""
    grid = Grid(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, header_style="bold")
    for name in columns:
        folds = name in FOLDING
        justify: Any = "right" if name in right else "left"
        grid.add_column(name, justify=justify, no_wrap=not folds, overflow="fold")
    return grid


def _heading(game: Game) -> None:
    console.print(f"[bold]{escape(game.title)}[/]  [dim]N.J.A.C. {game.cite}[/]")


# games


def game_json(game: Game) -> dict[str, Any]:
    defaults = game.options()
    return {
        "id": game.id,
        "title": game.title,
        "citation": str(game.cite),
        "wagers": [
            {"id": wager.id, "title": wager.title, "citation": str(wager.cite)}
            for wager in game.wagers
        ],
        "options": [
            {
                "id": option.id,
                "values": option.values,
                "lawful": option.lawful,
                "default": option.show(getattr(defaults, option.id)),
                "citation": str(option.cite),
                "title": option.title,
            }
            for option in game.Options.all().values()
        ],
        "irregularities": [
            {"id": kind, "title": rule.trigger, "citation": str(rule.cite)}
            for kind, rule in game.resolutions(defaults).items()
        ],
    }


def games(found: Collection[Game], edges: bool) -> None:
    counts = () if edges else ("Wagers", "Options", "Seats")
    extra = ("Best wager", "Worst wager") if edges else ()
    title = () if edges else ("Title",)
    grid = _grid("Game", *title, "Regulation", *counts, *extra, right=counts)
    rows: Iterable[list[Any]] = _best_and_worst(found) if edges else map(_counts, found)
    for game, cells in zip(found, rows, strict=True):
        grid.add_row(f"[bold]{game.id}[/]", *[game.title] * (not edges), game.cite.place, *cells)
    console.print(grid)
    console.print("[dim]croupier analyze GAME  what each wager is worth[/]")
    console.print("[dim]croupier play GAME     sit down and play it[/]")


def _counts(game: Game) -> list[str]:
    return [str(n) for n in (len(game.wagers), len(game.Options.all()), game.positions)]


def _best_and_worst(found: Collection[Game]) -> Iterator[list[Text]]:
    """Of every game. Those that have never been solved are solved now, and take their time."""
    from croupier.cli.progress import bar

    with bar() as watch:
        for game in watch.each(found):
            reports = analyze(game, game.options(), watch=watch)
            ranked = sorted(reports, key=lambda report: report.house_edge)
            worst = _edge_of(ranked[-1]) if len(ranked) > 1 else Text("")
            yield [_edge_of(ranked[0]), worst]


def _edge_of(report: WagerReport) -> Text:
    return _edge(float(report.house_edge)).append(f" {report.wager.title}", style="default")


# check


def check_json(violations: Sequence[Violation]) -> dict[str, Any]:
    return {
        "lawful": not violations,
        "violations": [violation.as_json() for violation in violations],
    }


def check(game: Game, violations: Sequence[Violation]) -> None:
    _heading(game)
    if not violations:
        console.print("[green]This table is lawful.[/]")
        return
    console.print("[red]This table may not be opened:[/]")
    console.print(_list_of(violations))


def _list_of(violations: Sequence[Violation], style: str = "") -> Grid:
    grid = Grid.grid(padding=(0, 1))
    for violation in violations:
        grid.add_row("•", f"{escape(violation.message)} [dim]{violation.cite}[/]", style=style)
    return grid


# analyze


def _terms(
    game: Game,
    options: Any,
    shoe: Sequence[Card] | None = None,
    stake: int | None = None,
    meter: int | None = None,
) -> None:
    """The heading of an analysis, with all that differs from the default table and a full shoe."""
    _heading(game)
    changed = [f"{name}={_chosen(options.as_json()[name])}" for name in options.given]
    if stake is not None:
        changed.append(f"a stake of {dollars(stake)}")
    if meter is not None:
        changed.append(f"a jackpot of {dollars(meter)}")
    if changed:
        console.print(f"[dim]with {escape(', '.join(changed))}[/]")
    if shoe is not None:
        left = "  ".join(f"{rank} {number}" for rank, number in ranks(shoe).items())
        console.print(f"[dim]from a shoe of {len(shoe)} cards: {left}[/]")


def _chosen(value: Any) -> str:
    """An option as it was set: `pair_plus.flush: 5 to 2`."""
    if isinstance(value, dict):
        return "; ".join(f"{key}: {each}" for key, each in value.items())
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


def wall(
    game: Game,
    options: Any,
    rows: Sequence[tuple[Posting, WagerReport]],
    shoe: Sequence[Card] | None = None,
    stake: int | None = None,
) -> None:
    """The table that a casino manager pins on the wall: a row for each way to offer a wager."""
    _terms(game, options, shoe, stake)
    wide = console.width >= 100
    numbers = ("Hits", *["Pushes"] * wide, "House edge", "Of all", "SD")
    grid = _grid("", "Wager", "Pays", *numbers, *["Rule"] * wide, right=numbers)
    for posting, report in rows:
        edge, risk = float(report.house_edge), float(report.element_of_risk)
        grid.add_row(
            "●" if posting.is_here else "",
            Text(posting.title, style="" if posting.is_here else "dim"),
            _pays(report.wager, posting.options),
            f"{float(report.hit_frequency):.2%}",
            *[f"{float(report.push_frequency):.2%}"] * wide,
            _edge(edge),
            _edge(risk) if risk != edge else "",
            f"{report.standard_deviation:.2f}",
            *[str(posting.cite)] * wide,
        )
    console.print(grid)
    console.print(
        "[dim]● what this table offers. House edge: the expected loss per unit of the wager;\n"
        "of all: per unit of all money, where wagers go together. SD: of one unit.\n"
        "Vigorish is exact; --stake rounds it. --outcomes shows every result, --shoe\n"
        "and --without take another shoe.[/]"
    )


def analysis(
    game: Game,
    options: Any,
    reports: Iterable[WagerReport],
    with_outcomes: bool,
    shoe: Sequence[Card] | None = None,
    wrong: Sequence[Violation] = (),
    stake: int | None = None,
    meter: int | None = None,
) -> None:
    _terms(game, options, shoe, stake, meter)
    _unlawful(wrong)
    # Wagers of one hand may all be asked for, and are one report.
    once = {report.label: report for report in reports}.values()
    ranked = sorted(once, key=lambda report: report.house_edge)
    table = _edges(ranked, options)
    if Measurement.get(console, console.options.update(width=1000), table).maximum > console.width:
        table = _edges(ranked, options, to=" …\n")
    console.print(table)
    console.print(
        "[dim]House edge: the expected loss per unit of the wager. Hits: how often it wins.\n"
        "SD: standard deviation of the result of one unit. --outcomes shows every result.[/]"
    )
    if any(report.wagered != 1 for report in ranked):
        console.print("[dim]Of all: the expected loss per unit of all money finally wagered.[/]")
    if any(not _short(report.house_edge) for report in ranked):
        console.print("[dim]--json has every figure exactly, however long.[/]")
    for report in ranked:
        if joined := _joined(game, options, report):
            console.print(f"[dim]{joined}[/]")
    for strategy in dict.fromkeys(r.strategy for r in ranked if not r.strategy.startswith("Made")):
        console.print(f"\n{escape(strategy)}")
    for report in ranked:
        if report.frequencies:
            console.print(_frequencies(report))
        if report.advice:
            for drawn in [_chart(report)] if _is_chart(report) else _advice(report):
                console.print(drawn)
    if with_outcomes:
        for report in ranked:
            title = f"[bold]{escape(report.wager.title)}[/]  [dim]{escape(report.label)}[/]"
            how = "" if report.frequencies else f"\n[dim]{escape(report.strategy)}[/]"
            console.print(f"\n{title}{how}")
            console.print(outcomes(report))


def _edges(ranked: Sequence[WagerReport], options: Any, to: str = " … ") -> Grid:
    """What every wager is worth, the best first. A column in which nothing stands is left out."""
    risky = any(report.wagered != 1 for report in ranked)
    exact = any(_short(report.house_edge) for report in ranked)
    numbers = ("Hits", "House edge", *["Exact"] * exact, *["Of all"] * risky, "SD")
    wide = console.width >= 90
    grid = _grid("Wager", "Pays", *numbers, *[""] * wide, right=numbers)
    rows = _families(ranked)
    grid.columns[0].no_wrap = not any(" " in label for label, _ in rows)
    widest = max((abs(float(report.house_edge)) for report in ranked), default=0)
    for label, report in rows:
        edge, risk = float(report.house_edge), float(report.element_of_risk)
        bar = Text("━" * round(12 * abs(edge) / widest) if widest else "", style=_style(edge))
        grid.add_row(
            escape(label),
            _pays(report.wager, options, to),
            f"{float(report.hit_frequency):.2%}",
            _edge(edge),
            *[_short(report.house_edge)] * exact,
            *[_edge(risk) if report.wagered != 1 else ""] * risky,
            f"{report.standard_deviation:,.2f}",
            *[bar] * wide,
        )
    return grid


def _joined(game: Game, options: Any, report: WagerReport) -> str:
    """Which wagers a report speaks for besides the one that it is named by."""
    beside = [wager.id for wager in game.offered(options) if wager.joins == report.label]
    if not beside:
        return ""
    others = f"{', '.join(beside[:-1])} and {beside[-1]}" if beside[1:] else beside[0]
    return f"{report.label} stands for the whole hand with {others}: all is per unit of it."


def _unlawful(wrong: Sequence[Violation]) -> None:
    """What no table may offer is never shown as if one could."""
    if wrong:
        console.print("[bold red]Unlawful: no table may be opened so.[/]")
        console.print(_list_of(wrong, "red"))


def _said(name: str) -> str:
    """`let_ride_1` is said let ride 1."""
    return name.replace("_", " ")


def _often(share: Fraction, digits: int = 3) -> str:
    return "never" if not share else "always" if share == 1 else f"{float(share):.{digits}%}"


def _frequencies(report: WagerReport) -> Grid:
    """How often a hand goes each way when it is played at its best."""
    grid = _grid("Played so", "How often", right=("How often",))
    for way, often in report.frequencies.items():
        grid.add_row(_said(way), _often(often))
    return grid


HUES = ("white on grey30", "black on green", "black on yellow", "black on cyan")
MARKS = (" ", "*", "+", "-")  # for those who do not see the colors


SQUARE = 5 * len(RANKS)  # columns


def _is_chart(report: WagerReport) -> bool:
    """Two cards in the hand: a square of starting hands is what players know."""
    return len(report.advice) == len(RANKS) ** 2


def _chart(report: WagerReport) -> Group:
    """Every starting hand with its best move; suited hands stand above the diagonal.

    The move that is best most often is the plain one.
    """
    best = {advice.situation: advice.move for advice in report.advice}
    moves = sorted(dict.fromkeys(best.values()), key=[*best.values()].count, reverse=True)
    hue, mark = dict(zip(moves, HUES, strict=False)), dict(zip(moves, MARKS, strict=False))
    grid, shorter = Grid.grid(padding=(0, 0)), console.width < SQUARE
    for row in reversed(RANKS):
        cells = []
        for column in reversed(RANKS):
            high, low = sorted((row, column), key=RANKS.index, reverse=True)
            suits = "" if row == column else "s" if row == high else "o"
            name = f"{high}{low}{suits}"
            move = best[name]
            shown = f" {name[:2]}{mark[move]}" if shorter else f" {name + mark[move]:4}"
            cells.append(Text(shown, style=hue[move]))
        grid.add_row(*cells)
    legend = Text("  ").join(
        Text(f" {mark[move].strip() or 'unmarked:'} {_said(move)} ", style=hue[move])
        for move in reversed(moves)
    )
    heading = Text.assemble(
        ("Starting hands", "bold"), ("  above the diagonal suited, below not", "dim")
    )
    return Group(heading, grid, legend)


def _advice(report: WagerReport) -> Iterator[Grid | Text]:
    """What each move is worth in each situation, and what the wrong one costs; by decision."""
    if THREE_CARDS.fullmatch(report.advice[0].situation):
        yield _summary(report)
        return
    for _, same in groupby(report.advice, lambda advice: tuple(advice.values)):
        here = list(same)
        title = here[0].situation.rpartition(": ")[0]
        moves = list(here[0].values)
        numbers = ("How often", *map(_said, moves), "Mistake")
        grid = _grid(title.capitalize() or "What", *numbers, right=numbers)
        grid.columns[0].no_wrap = False
        for move, alike in groupby(here, lambda advice: advice.move):
            grid.add_section()
            grid.add_row(Text(f"{_said(move)} with", style="bold"))
            for advice in alike:
                values = (f"{float(advice.values[move]):+.4f}" for move in moves)
                chance, cost = f"{float(advice.chance):.2%}", f"{float(advice.cost):.4f}"
                what = Padding(advice.situation.removeprefix(f"{title}: "), INDENT)
                grid.add_row(what, chance, *values, cost)
        yield grid
    yield Text("In units of the first wager. Mistake: what the next best move costs.", "dim")


THREE_CARDS = re.compile(r"\w{3} \w{3}")


def _summary(report: WagerReport) -> Grid:
    """Three own cards make 1,755 different holdings: by what they hold, and how many go each way.

    Neighbors that go the same way share a row.
    """
    moves = list(report.advice[0].values)
    said = [_said(move) for move in moves]
    grid = _grid("What", "How often", *said, right=("How often", *said))
    kinds: dict[tuple[int, int], list[Advice]] = {}
    for advice in report.advice:
        kinds.setdefault(_kind(advice.situation), []).append(advice)
    rows: list[tuple[int, list[int], Fraction, list[Fraction]]] = []
    for group, high in sorted(kinds, key=lambda kind: (kind[0], -kind[1])):
        same = kinds[group, high]
        total = sum((advice.chance for advice in same), Fraction(0))
        share = [sum((a.chance for a in same if a.move == m), Fraction(0)) / total for m in moves]
        if rows and rows[-1][0] == group and rows[-1][3] == share and 1 in share:
            rows[-1] = (group, [*rows[-1][1], high], rows[-1][2] + total, share)
        else:
            rows.append((group, [high], total, share))
    for group, highs, total, share in rows:
        name = GROUPS[group].format(" to ".join(RANKS[high] for high in _ends(highs)))
        grid.add_row(name, f"{float(total):.2%}", *(_often(each, 1) for each in share))
    return grid


GROUPS = (
    "three of a kind", "pair of {}", "{} high, all suited", "{} high, two suited",
    "{} high, no two suited",
)  # fmt: skip


def _kind(holding: str) -> tuple[int, int]:
    """The group of a holding such as `KQ7 xxy`, its ranks and which share a suit; and its rank."""
    held, _, shape = holding.partition(" ")
    most = max(held, key=held.count)
    if held.count(most) > 1:
        return (0, 0) if held.count(most) == 3 else (1, RANKS.index(most))
    return 1 + len(set(shape)), RANKS.index(held[0])


def _ends(highs: Sequence[int]) -> list[int]:
    return [highs[0], highs[-1]] if len(highs) > 1 else [highs[0]]


def _families(reports: Iterable[WagerReport]) -> list[tuple[str, WagerReport]]:
    """Wagers that differ only in a number and are worth the same share a row."""
    rows: dict[Any, list[WagerReport]] = {}
    for report in reports:
        stem, _, number = report.label.rpartition("_")
        family = stem if number.isdecimal() and stem else report.label
        outcomes = tuple((o.net, o.probability) for o in report.outcomes)
        rows.setdefault((family, outcomes), []).append(report)
    return [(_together([report.label for report in same]), same[0]) for same in rows.values()]


def _together(labels: list[str]) -> str:
    """`place_win_4, 10`; a long run is shortened in the middle."""
    numbers = [label.rpartition("_")[2] for label in labels[1:]]
    shown = numbers if len(numbers) < 4 else [numbers[0], "…", numbers[-1]]
    return ", ".join([labels[0], *shown])


def _pays(wager: Wager, options: Any, to: str = " … ") -> str:
    odds = [str(each) for each in sorted(set(wager.pay_table(options).values()))]
    if not odds:
        return "its card"
    return odds[0] if len(odds) == 1 else f"{odds[0]}{to}{odds[-1]}"


def outcomes(report: WagerReport) -> Grid:
    """Every result of a wager with its chance; the chances close to one."""
    if report.frequencies:
        return _outcomes_of_a_hand(report)
    exact = any(_short(each.probability) for each in report.outcomes)
    numbers = ("Net", "Probability", "One in", "Return", *["Exact"] * exact)
    grid = _grid("Result", *numbers, right=numbers)
    for each in report.outcomes:
        back = float((each.net + 1) * each.probability)
        fraction = [_short(each.probability)] * exact
        chance = _chance(each.probability)
        grid.add_row(_said(each.result), _net(each.net), *chance, f"{back:.4%}", *fraction)
    grid.add_section()
    total = sum(each.probability for each in report.outcomes)
    back = float(1 - report.house_edge)
    grid.add_row("total", "", f"{float(total):.4%}", "", f"{back:.4%}", *[str(total)] * exact)
    return grid


def _outcomes_of_a_hand(report: WagerReport) -> Grid:
    """A section for each way to play it; what comes of it there, by wager."""
    numbers = ("Net", "Probability", "One in")
    grid = _grid("Result", *numbers, right=numbers)
    for way, often in report.frequencies.items():
        if not often:
            continue
        here = [each for each in report.outcomes if each.result.partition(": ")[0] == way]
        if len(here) > 1:
            grid.add_row(Text(_said(way), style="bold"), "", *_chance(often))
        for each in here:
            what = _by_line(each.result.partition(": ")[2])
            shown = Padding(what, INDENT) if len(here) > 1 else _said(way)
            grid.add_row(shown, _net(each.net), *_chance(each.probability))
        grid.add_section()
    total = sum(each.probability for each in report.outcomes)
    grid.add_row("average, total", f"{-float(report.house_edge):+.4f}", f"{float(total):.4%}", "")
    return grid


def _by_line(told: str) -> str:
    """`ante win, play win, blind flush` is said ante, play win; blind flush."""
    lines: dict[str, list[str]] = {}
    for part in told.split(", "):
        wager, _, line = part.partition(" ")
        lines.setdefault(line, []).append(_said(wager))
    return "; ".join(f"{', '.join(wagers)} {_said(line)}" for line, wagers in lines.items())


def _chance(chance: Fraction) -> tuple[str, str]:
    return f"{float(chance):.4%}", f"{1 / float(chance):,.1f}"


def _net(net: Fraction) -> str:
    """`+19,999`, `-1`, `+0.95`."""
    return f"{int(net):+,}" if net.denominator == 1 else f"{float(net):+,.4f}".rstrip("0")


def _short(fraction: Fraction) -> str:
    """A fraction that fits into a column, or nothing."""
    return str(fraction) if len(str(fraction)) <= 12 else ""


def _style(edge: float) -> str:
    return next((style for most, style in EDGE_STYLES if edge <= most), "red")


def _edge(edge: float) -> Text:
    return Text(f"{edge:.3%}", style=_style(edge))


# simulate


OFF = " z: how many of them it lies from the exact figure."


def simulated(
    game: Game, options: Any, simulation: "Simulation", exact: Mapping[str, WagerReport], told: str
) -> None:
    """What came of every wager, beside what should have."""
    _terms(game, options, stake=simulation.table.stake)
    if simulation.interrupted:
        dealt = f"after {simulation.rounds:,} of {simulation.asked:,} rounds"
        console.print(f"[bold yellow]Interrupted[/] {dealt}")
    if simulation.rounds:
        console.print(_simulated(simulation, exact))
        speed = simulation.rounds / max(simulation.seconds, 1e-9)
        console.print(
            f"[dim]{simulation.rounds:,} rounds, {simulation.table.path} path, "
            f"seed {simulation.seed}, {simulation.seconds:,.1f} s ({speed:,.0f} a second).\n"
            f"±: one standard error.{OFF if exact else ''}\n"
            f"{escape(simulation.how())}[/]"
        )
    if told:
        console.print(told)


def _simulated(simulation: "Simulation", exact: Mapping[str, WagerReport]) -> Grid:
    beside = ("Exact", "z") if exact else ()
    numbers = ("Decided", "Hits", "House edge", "±", *beside, "SD")
    grid = _grid("Wager", *numbers, right=numbers)
    for report in sorted(simulation.reports(), key=lambda report: report.house_edge):
        known = exact.get(report.label)
        z = simulation.z(report, known) if known else 0.0
        compared = [_edge(float(known.house_edge)), f"{z:+.2f}"] if known else ["", ""]
        grid.add_row(
            escape(report.label),
            f"{simulation.decided(report.label):,}",
            f"{float(report.hit_frequency):.2%}",
            _edge(float(report.house_edge)),
            f"{simulation.standard_error(report):.3%}",
            *(compared if exact else []),
            f"{report.standard_deviation:,.2f}",
        )
    return grid


# advise


def advice_json(
    game: PokerGame,
    options: Any,
    advised: "Advised",
    wrong: Sequence[Violation] = (),
) -> dict[str, Any]:
    return {
        "game": game.id,
        "options": options.as_json(),
        **(check_json(wrong) if wrong else {}),
        "cards": [str(card) for card in advised.cards],
        "board": [str(card) for card in advised.board],
        "up": [str(card) for card in advised.up],
        "hand": advised.hand,
        "stage": advised.stage.title,
        "after": [str(choice) for choice in advised.before],
        "citation": str(advised.stage.cite),
        "moves": {
            move: {"exact": str(value), "decimal": float(value)}
            for move, value in advised.values.items()
        },
        "best": advised.best,
    }


def advised(
    game: PokerGame,
    options: Any,
    told: "Advised",
    wrong: Sequence[Violation] = (),
) -> None:
    _terms(game, options)
    _unlawful(wrong)
    ink = Ink.of(console)
    in_view = (("You hold ", told.cards), ("the board is ", told.board),
               ("the dealer shows ", told.up))  # fmt: skip
    seen = Text("; ").join(
        Text(words).append_text(cards(map(str, shown), ink)) for words, shown in in_view if shown
    )
    console.print(seen.append(f". That is {told.hand}." if told.hand else "."))
    after = f", after {_said(', '.join(map(str, told.before)))}" if told.before else ""
    console.print(f"[dim]{told.stage.title.capitalize()}{after}. {told.stage.cite}[/]")
    exact = any(_fits(value) for value in told.values.values())
    numbers = ("Worth", "Loses", *["Exact"] * exact)
    grid = _grid("Move", *numbers, right=numbers)
    most = max(told.values.values())
    for move, value in sorted(told.values.items(), key=lambda item: -item[1]):
        style = "bold green" if value == most else ""
        cost = "" if value == most else f"{float(most - value):.6f}"
        fraction = [str(value) if _fits(value) else ""] * exact
        grid.add_row(Text(_said(move), style=style), f"{float(value):+.6f}", cost, *fraction)
    console.print(grid)
    unit = game.by_id[game.main[0]].title.lower()
    console.print(
        f"[dim]Worth: what the whole hand wins on average, in units of the {unit} wager, with\n"
        "every later decision at its best. Loses: how much less that is than the best.[/]"
    )


def _fits(value: Fraction) -> bool:
    return len(str(value)) <= 30


# deal


def deal(game: Game, told: dict[str, Any]) -> None:
    _heading(game)
    for number, each in enumerate(told["rounds"], 1):
        console.print(f"\n[bold]Round {number}[/]" + (" [red]void[/]" if each["void"] else ""))
        for event in each["events"]:
            citation = f"  [dim]{escape(event['citation'])}[/]" if "citation" in event else ""
            console.print(f"  {escape(describe(event))}{citation}", soft_wrap=True)
        if each["settlements"]:
            console.print(_settlements(each["settlements"]))
        if unused := each.get("unused_draws"):
            console.print(f"[yellow]Draws that were not needed: {len(unused)}[/]")
        for seat, moves in each.get("unused_moves", {}).items():
            console.print(f"[yellow]Seat {seat} was not asked for {escape(str(moves[0]))}[/]")
    for seat, net in told["net"].items():
        style = "green" if net > 0 else "red" if net < 0 else "white"
        console.print(f"Seat {escape(seat)} net [{style}]{_signed(net)}[/]")


def _settlements(settlements: list[dict[str, Any]]) -> Grid:
    grid = _grid("Seat", "Wager", "Stake", "Result", "Net", "Rule", right=("Stake", "Net"))
    styles = {"win": "green", "lose": "red"}
    for each in settlements:
        result = Text(each["result"], style=styles.get(each["result"], ""))
        if each["pays"]:
            result.append(f" at {each['pays']}", style="dim")
        stake = dollars(each["stake"]) if each["stake"] else ""  # a bonus has none
        net = _signed(each["net"])
        hand = each.get("hand") or each["seat"]
        grid.add_row(hand, escape(each["wager"]), stake, result, net, each["citation"])
    return grid


def describe(event: dict[str, Any]) -> str:
    """An event as a dealer would tell it."""
    kind = event["kind"]
    who = whose(event.get("hand") or event["seat"]) if "seat" in event else ""
    wager = event.get("wager", "")
    if kind == "announce":
        return f'"{event["text"]}"'
    if kind == "step":
        return str(event["text"])
    if kind in ("spin", "throw", "draw", "set_aside"):
        outcome = event.get("outcome", "face down")
        shown = "-".join(map(str, outcome)) if isinstance(outcome, list) else outcome
        of = f" ({_hand(event['to'])})" if "to" in event else ""
        verb = "The card set aside" if kind == "set_aside" else kind.capitalize()
        return f"{verb}{of}: {shown}"
    if kind == "look":
        verb = f"{who} looks" if who else "Look" if event["to"].isdecimal() else "Unseen"
        return f"{verb} ({_hand(event['to'])}): {event['outcome']}"
    if kind == "reveal":
        return f"Turned ({_hand(event['hand'])}): {turned(event)}"
    if kind == "decision":
        amount = f" {dollars(event['amount'])}" if "amount" in event else ""
        amount += f" at card {event['cards']}" if "cards" in event else ""
        amount += f" {event['count']} cards" if "count" in event else ""
        return f"{who}, {event['question']} {event['move']}{amount}"
    if kind == "irregularity":
        return f"Irregularity: {event['what']}. {event['resolution']}"
    if kind == "travel":
        return f"{who}: {wager} moves to {event['to']}"
    if kind == "score":
        return f"{who}: {wager} has {event['to']}"
    if kind in ("wager", "reduce"):
        return f"{who}: {wager} is set to {dollars(event['stake'])}"
    if kind == "take_down":
        return f"{who}: {wager} is taken down"
    if said := happened(event):
        return said.rstrip(".")
    amount = dollars(event["amount"])
    if kind == "vigorish":
        return f"{who}: vigorish of {amount} is {event['how']}"
    if kind == "complimentary_vigorish":
        form = f"complimentary vigorish form {event['form']}"
        return f"{who}: vigorish of {amount} is not collected, and documented on {form}"
    if kind == "refund":
        return f"{who}: {amount} of {wager} is returned"
    if kind == "collect":
        back = f", {dollars(event['returned'])} returned" if "returned" in event else ""
        return f"{who}: {wager} loses {amount}{back}"
    if kind == "pay":
        odds = f" at {event['odds']}" if "odds" in event else ""
        return f"{who}: {wager} is paid {amount}{odds}"
    return f"{who}: {wager} is returned"


def _hand(to: str) -> str:
    return whose(to).lower()


def _signed(cents: int) -> str:
    return f"+{dollars(cents)}" if cents > 0 else dollars(cents)


# coverage

STATUS_STYLES = {"implemented": "green", "physical": "cyan", "missing": "red"}


def coverage(rows: Sequence[Row]) -> None:
    grid = _grid("Section", "Title", "Status", "Code", "Tests", "Note", right=("Code", "Tests"))
    for row in rows:
        status = Text(row.status, style=STATUS_STYLES[row.status])
        counts = (str(len(row.code)), str(len(row.tests)))
        grid.add_row(row.section, escape(row.title), status, *counts, escape(row.note))
    console.print(grid)
    for name, style in STATUS_STYLES.items():
        count = sum(row.status == name for row in rows)
        console.print(f"[{style}]{count:4} {name}[/]")
