"""Wagers that lie side by side: what they cost together, and how their results go together."""

from collections.abc import Iterator
from fractions import Fraction
from math import sqrt

from croupier.analysis import WagerReport, analyze
from croupier.par.document import Block, Column, Section, Table, Text, Value
from croupier.par.subject import Subject, moment, others, titled
from croupier.rulebook import Case, PokerGame, Refusal, Result, ShoeGame

COLUMNS = (
    Column("wagers", "One unit on each"), Column("edge", "Loss per unit first wagered", "percent"),
    Column("exact", "Exactly", "exact"), Column("wagered", "Units finally wagered", "number"),
    Column("risk", "Element of risk", "percent"), Column("covariance", "Covariance", "exact"),
    Column("correlation", "Correlation", "number"),
    Column("deviation", "Standard deviation together", "number"),
)  # fmt: skip


def composite(subject: Subject) -> Section:
    beside = [report for report in others(subject) if "+" not in report.label]
    title = "Composite play"
    if not beside:
        return Section(
            "composite", title,
            (Text(("The table offers one wager, so there is nothing to lie beside it.",)),),
        )  # fmt: skip
    rows = tuple(_together(subject, report) for report in beside)
    blocks: list[Block] = [
        Text(
            (
                f"{titled(subject.main)} beside each other wager, one unit on each. Expectations "
                "add up whatever the results have to do with one another; the standard deviation "
                "together needs their covariance.",
            )
        ),
        Table("composite", "The main wager beside another", COLUMNS, rows, note=_note(subject)),
    ]
    if len(beside) > 1:
        blocks.append(_all_of_them(subject, [subject.main, *beside]))
    return Section("composite", title, tuple(blocks))


def _note(subject: Subject) -> str:
    game = subject.game
    if isinstance(game, PokerGame):
        return (
            "Covariance is exact where a wager is decided by the whole hand; where it is left "
            "empty the two look at different cards, or there was no time to count them together. "
            "The main hand is played for its own best."
        )
    if isinstance(game, ShoeGame):
        return "Covariance is exact, from the same finished deals."
    return "Covariance is exact where one outcome decides both; elsewhere it is left empty."


def _together(subject: Subject, other: WagerReport) -> tuple[Value, ...]:
    main = subject.main
    loss, wagered = main.house_edge + other.house_edge, main.wagered + other.wagered
    covariance = _covariance(subject, other)
    correlation = deviation = None
    if covariance is not None:
        variances = moment(main, 2), moment(other, 2)
        product = main.standard_deviation * other.standard_deviation
        correlation = float(covariance) / product if product else None
        deviation = sqrt(sum(variances, 2 * covariance))
    return (
        f"{main.label} and {other.label}", loss / 2, loss / 2, float(wagered), loss / wagered,
        covariance, correlation, deviation,
    )  # fmt: skip


def _covariance(subject: Subject, other: WagerReport) -> Fraction | None:
    """Of the two results, where the same deal or outcome decides both."""
    game = subject.game
    if isinstance(game, ShoeGame):
        return _of_a_shoe(subject, other)
    if isinstance(game, PokerGame):
        pairs = _of_a_hand(subject, other)
    else:
        pairs = _of_an_outcome(subject, other)
    product, known = Fraction(0), False
    for mine, its, chance in pairs:
        product, known = product + mine * its * chance, True
    return product - subject.main.house_edge * other.house_edge if known else None


def _of_a_shoe(subject: Subject, other: WagerReport) -> Fraction | None:
    main = subject.main
    try:
        both, *_ = analyze(subject.game, subject.options, [f"{main.label}+{other.label}"])
    except Refusal:
        return None
    together = both.house_edge - main.house_edge - other.house_edge
    if together:  # a scheme changes what one pays when the other lies beside it
        return None
    return (moment(both, 2) - moment(main, 2) - moment(other, 2)) / 2


Joint = Iterator[tuple[Fraction, Fraction, Fraction]]


def _of_a_hand(subject: Subject, other: WagerReport) -> Joint:
    """Poker: where the wager beside the main hand is decided by the same cards."""
    game = subject.game
    assert isinstance(game, PokerGame)
    assert subject.poker is not None
    same = game.looks.get(other.wager.id) == subject.poker.whole_hand
    if (same or other.wager in subject.poker.judged) and subject.finer is not None:
        yield from subject.finer.joint(other.wager)


def _of_an_outcome(subject: Subject, other: WagerReport) -> Joint:
    """A wheel or dice: both wagers are put every outcome, where any one decides them."""
    game, options, state = subject.game, subject.options, subject.game.State()
    sides = []
    for report in (subject.main, other):
        wager = report.wager
        if not wager.is_always_open or wager.dealt or wager.reads:
            return
        spot, covers = wager.spot(report.choices[0], options)
        sides.append((wager, spot, covers))
    found = []
    cases = [*game.cases(sides[0][2], options)]
    total = sum(ways for ways, _ in cases)
    for ways, outcome in cases:
        nets = []
        for wager, spot, covers in sides:
            decision = wager.decide(Case(outcome, state, options, spot, covers))
            if decision.result is Result.STANDING or decision.share != 1:
                return
            nets.append(wager.net(decision, options))
        found.append((nets[0], nets[1], Fraction(ways, total)))
    yield from found


def _all_of_them(subject: Subject, reports: list[WagerReport]) -> Table:
    loss = sum((report.house_edge for report in reports), Fraction(0))
    wagered = sum((report.wagered for report in reports), Fraction(0))
    columns = (
        Column("wagers", "Wagers", "count"), Column("edge", "Loss per unit first wagered", "exact"),
        Column("wagered", "Units finally wagered", "number"),
        Column("risk", "Element of risk", "percent"),
    )  # fmt: skip
    row = (len(reports), loss / len(reports), float(wagered), loss / wagered)
    return Table("all_together", "One unit on every wager of the table", columns, (row,))
