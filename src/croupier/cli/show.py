"""What the commands print: tables for people, documents for programs."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from rich import box
from rich.console import Console, Group
from rich.markup import escape
from rich.table import Table as Grid
from rich.text import Text

from croupier.analysis import WagerReport, analyze
from croupier.analysis.report import ranks
from croupier.equipment import RANKS, Card, dollars
from croupier.regulation import Row
from croupier.rulebook import Game, Posting, Violation, Wager

if TYPE_CHECKING:
    from croupier.analysis.advise import Advised

console = Console(highlight=False)

FOLDING = ("Wager", "Title", "Note", "Rule", "Best wager", "Worst wager", "Result", "What", "")
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


def games(found: Iterable[Game], edges: bool) -> None:
    counts = () if edges else ("Wagers", "Options", "Seats")
    extra = ("Best wager", "Worst wager") if edges else ()
    title = () if edges else ("Title",)
    grid = _grid("Game", *title, "Regulation", *counts, *extra, right=counts)
    for game in found:
        titles = () if edges else (game.title,)
        cells: list[str | Text] = [f"[bold]{game.id}[/]", *titles, game.cite.place]
        if edges:
            ranked = sorted(analyze(game, game.options()), key=lambda each: each.house_edge)
            cells += [_edge_of(ranked[0]), _edge_of(ranked[-1])]
        else:
            cells += map(str, (len(game.wagers), len(game.Options.all()), game.positions))
        grid.add_row(*cells)
    console.print(grid)
    console.print("[dim]croupier analyze GAME  what each wager is worth[/]")
    console.print("[dim]croupier play GAME     sit down and play it[/]")


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
    grid = Grid.grid(padding=(0, 1))
    for violation in violations:
        grid.add_row("•", f"{escape(violation.message)} [dim]{violation.cite}[/]")
    console.print(grid)


# analyze


def _terms(game: Game, options: Any, shoe: Sequence[Card] | None) -> None:
    """The heading of an analysis, with all that differs from the default table and a full shoe."""
    _heading(game)
    changed = [f"{name}={options.as_json()[name]}" for name in options.given]
    if changed:
        console.print(f"[dim]with {escape(', '.join(changed))}[/]")
    if shoe is not None:
        left = "  ".join(f"{rank} {number}" for rank, number in ranks(shoe).items())
        console.print(f"[dim]from a shoe of {len(shoe)} cards: {left}[/]")


def wall(
    game: Game,
    options: Any,
    rows: Sequence[tuple[Posting, WagerReport]],
    shoe: Sequence[Card] | None = None,
) -> None:
    """The table that a casino manager pins on the wall: a row for each way to offer a wager."""
    _terms(game, options, shoe)
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
    reports: Sequence[WagerReport],
    with_outcomes: bool,
    shoe: Sequence[Card] | None = None,
    wrong: Sequence[Violation] = (),
) -> None:
    _terms(game, options, shoe)
    _unlawful(wrong)
    risky = any(report.wagered != 1 for report in reports)
    numbers = ("Hits", "House edge", "Exact", *["Of all"] * risky, "SD")
    wide = console.width >= 90
    grid = _grid("Wager", "Pays", *numbers, *[""] * wide, right=numbers)
    ranked = sorted(reports, key=lambda report: report.house_edge)
    widest = max((abs(float(report.house_edge)) for report in ranked), default=0)
    for label, report in _families(ranked):
        edge = float(report.house_edge)
        bar = Text("━" * round(12 * abs(edge) / widest) if widest else "", style=_style(edge))
        grid.add_row(
            escape(label),
            _pays(report.wager, options),
            f"{float(report.hit_frequency):.2%}",
            _edge(edge),
            _short(str(report.house_edge)),
            *[_edge(float(report.element_of_risk))] * risky,
            f"{report.standard_deviation:.2f}",
            *[bar] * wide,
        )
    console.print(grid)
    console.print(
        "[dim]House edge: the expected loss per unit of the wager. Hits: how often it wins.\n"
        "SD: standard deviation of the result of one unit. --outcomes shows every result.[/]"
    )
    if risky:
        console.print("[dim]Of all: the expected loss per unit of all money finally wagered.[/]")
    for strategy in dict.fromkeys(r.strategy for r in ranked if not r.strategy.startswith("Made")):
        console.print(f"\n{escape(strategy)}")
    for report in ranked:
        if report.frequencies:
            console.print(_frequencies(report))
        if report.advice:
            console.print(_chart(report) if _is_chart(report) else _advice(report))
    if with_outcomes:
        for report in ranked:
            title = f"[bold]{escape(report.wager.title)}[/]  [dim]{escape(report.label)}[/]"
            console.print(f"\n{title}\n[dim]{escape(report.strategy)}[/]")
            console.print(outcomes(report))


def _unlawful(wrong: Sequence[Violation]) -> None:
    """What no table may offer is never shown as if one could."""
    if wrong:
        console.print("[bold red]Unlawful: no table may be opened so.[/]")
    for violation in wrong:
        console.print(f"[red]  {escape(str(violation))}[/]")


def _frequencies(report: WagerReport) -> Grid:
    """How often a hand goes each way when it is played at its best."""
    grid = _grid("What", "How often", right=("How often",))
    for way, often in report.frequencies.items():
        grid.add_row(way, f"{float(often):.3%}")
    return grid


HUES = ("black on green", "black on yellow", "black on cyan", "black on magenta")
MARKS = ("*", " ", "+", "-")  # for those who do not see the colors


def _is_chart(report: WagerReport) -> bool:
    """Two cards in the hand: a square of starting hands is what players know."""
    return len(report.advice) == len(RANKS) ** 2


def _chart(report: WagerReport) -> Group:
    """Every starting hand with its best move; suited hands stand above the diagonal."""
    best = {advice.situation: advice.move for advice in report.advice}
    moves = list(dict.fromkeys(best.values()))
    hue, mark = dict(zip(moves, HUES, strict=False)), dict(zip(moves, MARKS, strict=False))
    grid = Grid.grid(padding=(0, 0))
    for row in reversed(RANKS):
        cells = []
        for column in reversed(RANKS):
            high, low = sorted((row, column), key=RANKS.index, reverse=True)
            suits = "" if row == column else "s" if row == high else "o"
            name = f"{high}{low}{suits}"
            move = best[name]
            cells.append(Text(f" {name + mark[move]:4}", style=hue[move]))
        grid.add_row(*cells)
    shown = (Text(f" {mark[move]} {move} ", style=hue[move]) for move in moves)
    legend = Text("  ").join(shown)
    return Group(Text("Starting hands", style="bold"), grid, legend)


def _advice(report: WagerReport) -> Grid:
    """What each move is worth in each situation, and what the wrong one costs."""
    moves = list(report.advice[0].values)
    if len(report.advice) > MOST_ROWS:
        return _summary(report)
    numbers = ("How often", *moves, "Cost of a mistake")
    grid = _grid("What", "Best", *numbers, right=numbers)
    for advice in report.advice:
        values = (f"{float(advice.values[move]):+.4f}" for move in moves)
        chance, cost = f"{float(advice.chance):.2%}", f"{float(advice.cost):.4f}"
        grid.add_row(advice.situation, advice.move, chance, *values, cost)
    return grid


MOST_ROWS = 40


def _summary(report: WagerReport) -> Grid:
    """Three own cards make 1,755 different holdings: by what they hold, and how many go each way.

    A holding is written `KQ7 xxy`: its ranks, and which of them share a suit.
    """
    moves = list(report.advice[0].values)
    grid = _grid("What", "How often", *moves, right=("How often", *moves))
    kinds: dict[str, list[Any]] = {}
    for advice in report.advice:
        kinds.setdefault(_kind(advice.situation), []).append(advice)
    order = ["three of a kind", *(f"pair of {RANKS[at]}" for at in reversed(range(13)))]
    for kind in sorted(kinds, key=lambda kind: order.index(kind) if kind in order else 99):
        same = kinds[kind]
        total = sum(advice.chance for advice in same)
        shares = [sum(a.chance for a in same if a.move == move) / total for move in moves]
        grid.add_row(kind, f"{float(total):.2%}", *(f"{float(share):.1%}" for share in shares))
    return grid


def _kind(holding: str) -> str:
    ranks, _, shape = holding.partition(" ")
    most = max(ranks, key=ranks.count)
    if ranks.count(most) > 1:
        return "three of a kind" if ranks.count(most) == 3 else f"pair of {most}"
    suited = {1: "all suited", 2: "two suited", 3: "no two suited"}[len(set(shape))]
    return f"{ranks[0]} high, {suited}"


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


def _pays(wager: Wager, options: Any) -> str:
    odds = [str(each) for each in sorted(set(wager.pay_table(options).values()))]
    if not odds:
        return "its card"
    return odds[0] if len(odds) == 1 else f"{odds[0]} … {odds[-1]}"


def outcomes(report: WagerReport) -> Grid:
    """Every result of a wager with its chance; the chances close to one."""
    numbers = ("Net", "Probability", "One in", "Return", "Exact")
    grid = _grid("Result", *numbers, right=numbers)
    for each in report.outcomes:
        chance = float(each.probability)
        grid.add_row(
            each.result,
            f"{float(each.net):+.4g}",
            f"{chance:.4%}",
            f"{1 / chance:,.1f}",
            f"{float((each.net + 1) * each.probability):.4%}",
            _short(str(each.probability)),
        )
    grid.add_section()
    total = sum(each.probability for each in report.outcomes)
    back = float(1 - report.house_edge)
    grid.add_row("total", "", f"{float(total):.4%}", "", f"{back:.4%}", str(total))
    return grid


def _short(fraction: str) -> str:
    return fraction if len(fraction) <= 12 else "see --json"


def _style(edge: float) -> str:
    return next((style for most, style in EDGE_STYLES if edge <= most), "red")


def _edge(edge: float) -> Text:
    return Text(f"{edge:.3%}", style=_style(edge))


# advise


def advice_json(
    game: Game,
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
    game: Game,
    options: Any,
    told: "Advised",
    wrong: Sequence[Violation] = (),
) -> None:
    _terms(game, options, None)
    _unlawful(wrong)
    seen = [f"You hold {' '.join(map(str, told.cards))}"]
    if told.board:
        seen.append(f"the board is {' '.join(map(str, told.board))}")
    if told.up:
        seen.append(f"the dealer shows {' '.join(map(str, told.up))}")
    console.print(f"{'; '.join(seen)}." + (f" That is {told.hand}." if told.hand else ""))
    after = f", after {', '.join(map(str, told.before))}" if told.before else ""
    console.print(f"[dim]{told.stage.title.capitalize()}{after}: {told.stage.cite}[/]")
    numbers = ("Worth", "Exact", "Cost of it")
    grid = _grid("What", *numbers, right=numbers)
    most = max(told.values.values())
    for move, value in sorted(told.values.items(), key=lambda item: -item[1]):
        style = "bold green" if value == most else ""
        cost = "" if value == most else f"{float(most - value):.6f}"
        grid.add_row(Text(move, style=style), f"{float(value):+.6f}", str(value), cost)
    console.print(grid)
    console.print(
        "[dim]Worth: what the whole hand wins on average, in units of the first wager,\n"
        "with every later decision at its best.[/]"
    )


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
        stake, net = dollars(each["stake"]), _signed(each["net"])
        grid.add_row(each["seat"], escape(each["wager"]), stake, result, net, each["citation"])
    return grid


def describe(event: dict[str, Any]) -> str:
    """An event as a dealer would tell it."""
    kind = event["kind"]
    who = f"Seat {event['seat']}" if "seat" in event else ""
    wager = event.get("wager", "")
    if kind == "announce":
        return f'"{event["text"]}"'
    if kind == "step":
        return str(event["text"])
    if kind in ("spin", "throw", "draw", "set_aside"):
        outcome = event.get("outcome", "face down")
        shown = "-".join(map(str, outcome)) if isinstance(outcome, list) else outcome
        whose = f" ({_hand(event['to'])})" if "to" in event else ""
        verb = "The card set aside" if kind == "set_aside" else kind.capitalize()
        return f"{verb}{whose}: {shown}"
    if kind == "look":
        verb = f"{who} looks" if who else "Look" if event["to"].isdecimal() else "Unseen"
        return f"{verb} ({_hand(event['to'])}): {event['outcome']}"
    if kind == "reveal":
        return f"Turned ({event['hand']}): {' '.join(event['cards'])}"
    if kind == "decision":
        amount = f" {dollars(event['amount'])}" if "amount" in event else ""
        amount += f" at card {event['cards']}" if "cards" in event else ""
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
    return f"seat {to}" if to.isdecimal() else to.replace("_", " ")


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
