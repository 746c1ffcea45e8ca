"""How a wager is best played, and what it costs to play it otherwise.

A way to play that asks for no more than a rule of thumb is weighed exactly
wherever the count tells enough: always the same move, the same moves all the
way, a line below which hands are folded.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import groupby
from typing import TYPE_CHECKING

from croupier.analysis import WagerReport
from croupier.analysis.report import Advice
from croupier.equipment import RANKS
from croupier.par.document import Block, Column, Plot, Section, Table, Text, Value
from croupier.par.subject import Subject, listed, named, said, titled
from croupier.rulebook import PokerGame, ShoeGame

if TYPE_CHECKING:
    from croupier.par.finer import Finer

MOST_ROWS = 200  # of a chart that is read; a longer one is in the appendix
SQUARE = len(RANKS) ** 2  # starting hands of two cards
THUMB = ("T", "J", "Q", "K", "A")  # the highest card from which people play


def decisions(subject: Subject) -> Section:
    blocks: list[Block] = []
    told = dict.fromkeys(report.strategy for report in subject.reports)
    blocks.append(
        Text(tuple(f"{_who(subject, each)}: {said(each)}" for each in told), as_list=True)
    )
    for report in subject.reports:
        if report.frequencies:
            blocks += _frequencies(report)
        if report.advice:
            blocks += _charts(report)
    blocks += _by_glance(subject)
    ways = list(deviations(subject))
    if ways:
        blocks.append(_costs(subject, ways))
    blocks += _not_told(subject, bool(ways))
    return Section("strategy", "Strategy", tuple(blocks))


def _who(subject: Subject, strategy: str) -> str:
    labels = [report.label for report in subject.reports if report.strategy == strategy]
    return listed(labels) if len(labels) <= 4 else f"{len(labels)} wagers, such as {labels[0]}"


def _frequencies(report: WagerReport) -> Iterator[Block]:
    label = named(report.label)
    rows = tuple((said(way), often) for way, often in report.frequencies.items())
    columns = (Column("way", "Played so"), Column("chance", "How often", "percent", total=True))
    title = f"{titled(report)}: how often a hand goes each way"
    closes: dict[str, Fraction | int] = {"chance": Fraction(1)}
    yield Table(f"frequencies_{label}", title, columns, rows, closes=closes)


# What is best, situation by situation.


def by_decision(report: WagerReport) -> list[list[Advice]]:
    """The advice of each decision: those among the same moves."""
    return [list(same) for _, same in groupby(report.advice, lambda advice: tuple(advice.values))]


def chart(report: WagerReport, number: int, advice: Sequence[Advice]) -> Table:
    moves = list(advice[0].values)
    title, _, _ = advice[0].situation.rpartition(": ")
    columns = (
        Column("situation", "Situation"), Column("move", "Best"),
        *(Column(f"value_{at}", said(move), "number") for at, move in enumerate(moves)),
        Column("chance", "How often", "percent", total=True),
        Column("cost", "Cost of the next best", "number"),
        *((Column("row", "Row"), Column("column", "Column")) if len(advice) == SQUARE else ()),
    )  # fmt: skip
    rows: list[tuple[Value, ...]] = []
    for each in advice:
        square = _square(each.situation) if len(advice) == SQUARE else ()
        what = each.situation.removeprefix(f"{title}: ")
        values = (float(value) for value in each.values.values())
        rows.append((what, said(each.move), *values, each.chance, float(each.cost), *square))
    where = f", {title}" if title else ""
    return Table(
        f"advice_{named(report.label)}_{number}", f"{titled(report)}{where}: what is best",
        columns, tuple(rows), note="Values in units of the first wager, with the best to follow.",
    )  # fmt: skip


def _square(holding: str) -> tuple[str, str]:
    """Where a starting hand stands: suited ones above the diagonal."""
    high, low, suits = holding[0], holding[1], holding[2:]
    return (low, high) if suits == "o" else (high, low)


def _charts(report: WagerReport) -> Iterator[Block]:
    for number, advice in enumerate(by_decision(report), 1):
        table = chart(report, number, advice)
        if len(advice) > MOST_ROWS:
            yield from _in_short(report, number, advice)
            continue
        yield table
        plot, title = f"cost_{table.id}", f"{titled(report)}: what the next best move costs"
        if len(advice) == SQUARE:
            yield Plot(
                plot, title, table.id, "heat", x="column", by="row", y=("cost",),
                note="Suited hands stand above the diagonal.",
            )  # fmt: skip
        else:
            yield Plot(plot, title, table.id, "bars", x="situation", y=("cost",))


def _in_short(report: WagerReport, number: int, advice: Sequence[Advice]) -> Iterator[Block]:
    """How much there is of each best move, where the situations are too many to read."""
    rows: list[tuple[Value, ...]] = []
    for move in dict.fromkeys(each.move for each in advice):
        same = [each for each in advice if each.move == move]
        chance = sum((each.chance for each in same), Fraction(0))
        costs = sum((each.chance * each.cost for each in same), Fraction(0))
        rows.append((said(move), len(same), chance, float(costs / chance)))
    columns = (
        Column("move", "Best"), Column("situations", "Situations", "count", total=True),
        Column("chance", "How often", "percent", total=True),
        Column("cost", "Mean cost of the next best", "number"),
    )  # fmt: skip
    label = f"{named(report.label)}_{number}"
    yield Table(
        f"moves_{label}", f"{titled(report)}: what is best", columns, tuple(rows),
        note="Every situation is in the appendix.",
    )  # fmt: skip
    yield Plot(
        f"cost_moves_{label}", f"{titled(report)}: mean cost of the next best move",
        f"moves_{label}", "bars", x="move", y=("cost",),
    )  # fmt: skip


def long_charts(subject: Subject) -> Iterator[Table]:
    """The charts that are too long to be read, for the appendix."""
    for report in subject.reports:
        for number, advice in enumerate(by_decision(report), 1):
            if len(advice) > MOST_ROWS:
                yield chart(report, number, advice)


# What it costs to play by a rule of thumb.

Way = tuple[str, Fraction]  # how it is played, and what it costs per unit


def deviations(subject: Subject) -> Iterator[Way]:
    """Plain ways to play the main wager, with their exact cost."""
    if isinstance(subject.game, ShoeGame):
        yield from _always(subject)
    elif isinstance(subject.game, PokerGame):
        yield from _first_moves(subject)
        yield from _fixed(subject)
        yield from _by_a_line(subject)


def _always(subject: Subject) -> Iterator[Way]:
    """A game of the shoe: the same choice wherever there is one."""
    from croupier.analysis.dealt import Dealt

    assert isinstance(subject.game, ShoeGame)
    if subject.game.duel(subject.options) is not None:
        return
    choices = Dealt(subject.game, subject.options).deals.choices
    for move in dict.fromkeys(move for choice in choices for move in choice.values):
        cost = sum(
            (c.chance * (c.values[c.move] - c.values[move]) for c in choices if move in c.values),
            Fraction(0),
        )
        yield f"always {said(move)}", cost


def _first_moves(subject: Subject) -> Iterator[Way]:
    """The same move at one decision, and the best at every other."""
    assert isinstance(subject.game, PokerGame)
    stages = subject.game.stages(subject.options)
    decided = by_decision(subject.main)
    if len(stages) == 1:  # what is always done there is told with the fixed ways
        return
    for stage, advice in zip(stages, decided, strict=False):
        if sum((each.chance for each in advice), Fraction(0)) != 1:
            continue
        for move in advice[0].values:
            cost = sum(
                (each.chance * (max(each.values.values()) - each.values[move]) for each in advice),
                Fraction(0),
            )
            yield f"{stage.title} always {said(move)}, and the best at any other decision", cost


def _fixed(subject: Subject) -> Iterator[Way]:
    """The same moves all the way, whatever the cards are."""
    from croupier.par.finer import fixed_ways

    assert subject.poker is not None
    best = -subject.main.house_edge
    for way, value in fixed_ways(subject.poker).items():
        yield f"always {said(way)}", best - value


def _by_a_line(subject: Subject) -> Iterator[Way]:
    """Hands below a line are folded, all others played; and the best that can be seen at once."""
    finer = _glanced(subject)
    if finer is None:
        return
    best, tree = -subject.main.house_edge, finer.tree
    folds = [end for end, path in enumerate(tree.paths) if path[-1].folds]
    plays = [end for end, path in enumerate(tree.paths) if not path[-1].folds]
    every = list(finer.glances)
    if not folds:
        return
    for what, first in _lines(finer):
        above = [kind for kind in every if finer.glances[kind][0] >= first]
        below = [kind for kind in every if kind not in above]
        for end in plays:
            value = finer.value(folds[0], below) + finer.value(end, above)
            yield f"{said(str(tree.paths[end][-1]))} with {what} or better, else fold", best - value
    value = sum(
        (max(finer.value(end, [kind]) for end in folds + plays) for kind in every), Fraction(0)
    )
    yield "the best by the two highest cards or the made hand alone", best - value


def _lines(finer: "Finer") -> Iterator[tuple[str, int]]:
    """Lines that people play by: a high card, a pair, what the dealer needs to play."""
    firsts: dict[tuple[str, int], int] = {}
    categories: dict[str, int] = {}
    for places in finer.glances.values():
        seen = finer.glance(places[0])
        key = seen.category, seen.high
        firsts[key] = min(firsts.get(key, places[0]), places[0])
        categories[seen.category] = min(categories.get(seen.category, places[0]), places[0])
    for rank in THUMB:
        if ("high_card", RANKS.index(rank) + 2) in firsts:
            yield f"{rank} high", firsts["high_card", RANKS.index(rank) + 2]
    if "pair" in categories:
        yield "a pair", categories["pair"]
    needs = finer.qualifies_from
    if needs and needs not in firsts.values():
        parted = any(places[0] < needs <= places[-1] for places in finer.glances.values())
        if not parted:
            yield "what the dealer needs to play", needs


def _glanced(subject: Subject) -> "Finer | None":
    """The game by what hands look like, where one decision goes by a whole hand."""
    finer = subject.finer if isinstance(subject.game, PokerGame) and _is_stud(subject) else None
    return finer if finer is not None and finer.has_glances else None


def _is_stud(subject: Subject) -> bool:
    """One decision, with a hand of one's own against the dealer's."""
    game = subject.game
    if not isinstance(game, PokerGame) or game.board_cards or not game.dealer_cards:
        return False
    return len(game.stages(subject.options)) == 1


def _by_glance(subject: Subject) -> Iterator[Block]:
    """Of a game without a chart: hands in order, what each move is worth, and the best."""
    finer = _glanced(subject)
    if finer is None:
        return
    ends = range(len(finer.tree.paths))
    moves = [said(str(path[-1])) for path in finer.tree.paths]
    runs: list[tuple[str, str, list[int]]] = []
    for kind, places in sorted(finer.glances.items(), key=lambda item: item[1][0]):
        if not finer.chance([kind]):
            continue
        seen = finer.glance(places[0])
        move = moves[max(ends, key=lambda end: finer.value(end, [kind]))]
        high = RANKS[seen.high - 2] if seen.high else ""
        of = f"{high} high" if seen.category == "high_card" else said(f"{seen.category} {high}")
        if runs and runs[-1][0].startswith(of.strip()) and runs[-1][1] == move:
            runs[-1][2].append(kind)
        else:
            again = runs and runs[-1][0] == of.strip()
            of = f"{of} from {high}-{RANKS[seen.second - 2]}" if again else of.strip()
            runs.append((of, move, [kind]))
    rows: list[tuple[Value, ...]] = []
    for of, move, kinds in runs:
        chance = finer.chance(kinds)
        values = [float(finer.value(end, kinds) / chance) for end in ends]
        best, second, *_ = sorted(values, reverse=True)
        rows.append((of, move, *values, chance, best - second))
    columns = (
        Column("hand", "Hand"), Column("move", "Best"),
        *(Column(f"value_{end}", moves[end], "number") for end in ends),
        Column("chance", "How often", "percent", total=True),
        Column("cost", "Cost of the next best", "number"),
    )  # fmt: skip
    title = f"{titled(subject.main)}: hands from the lowest to the highest"
    closes: dict[str, Fraction | int] = {"chance": Fraction(1)}
    yield Table(
        "hands", title, columns, tuple(rows), closes=closes,
        note="In units of the first wager, over all that the dealer may show. Hands that are "
        "alike but for lower cards stand together while the same move is best for them.",
    )  # fmt: skip
    yield Plot(
        "cost_hands", f"{titled(subject.main)}: what the next best move costs", "hands", "bars",
        x="hand", y=("cost",),
    )  # fmt: skip


def _costs(subject: Subject, ways: Sequence[Way]) -> Table:
    report = subject.main
    rows = tuple(
        (way, cost, float(cost), report.house_edge + cost, float(cost / report.house_edge))
        if report.house_edge
        else (way, cost, float(cost), report.house_edge + cost, None)
        for way, cost in sorted(ways, key=lambda way: way[1])
    )
    columns = (
        Column("way", "Played so"), Column("exact", "Cost, exactly", "exact"),
        Column("cost", "Cost per unit", "number"),
        Column("edge", "House edge then", "percent"), Column("times", "Cost / edge", "number"),
    )  # fmt: skip
    return Table(
        "deviations", f"{titled(report)}: what plain ways to play it cost", columns, rows,
        note="Exactly counted, per unit of the first wager, against the best play.",
    )  # fmt: skip


def _not_told(subject: Subject, any_told: bool) -> Iterator[Text]:
    game = subject.game
    if isinstance(game, ShoeGame) and game.duel(subject.options) is not None:
        yield Text(
            (
                "Two players choose against each other: both play the equilibrium, from which "
                "neither gains by departing. What a departure costs depends on the other.",
            )
        )
    elif not any_told:
        yield Text(("No wager leaves a player anything to decide after it is made.",))
    elif isinstance(game, PokerGame) and len(game.stages(subject.options)) > 1:
        yield Text(
            (
                "Ways to play that differ by the cards at a later decision are not weighed here; "
                "a simulation with a strategy of one's own does that.",
            )
        )
    elif _is_stud(subject) and subject.finer is None:
        yield Text(
            (
                "Lines below which hands are folded were not weighed: that needs a count of its "
                "own, and there was no time for it.",
            )
        )
