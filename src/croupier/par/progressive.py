"""A progressive jackpot: what it costs, when it falls, and where its wager breaks even."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Any

from croupier.analysis import Outcome, WagerReport, analyze
from croupier.par.document import Block, Column, Plot, Section, Table, Text, Value
from croupier.par.subject import Subject, money, others, said
from croupier.rulebook import Game, Play
from croupier.rulebook import Table as LiveTable
from croupier.rulebook.progressive import LONGEST_ODDS, too_long

ROUND = 100_000  # cents: a meter of such an amount is divided without a rest
POINTS = (Fraction(1, 2), Fraction(2))  # of the break-even meter


@dataclass(frozen=True)
class Jackpot:
    """What is known of a progressive wager; amounts in cents."""

    label: str
    stake: int
    first: Fraction  # what the meter begins at
    rate: Fraction  # the part of a wager that it grows by
    reserve: Fraction  # the part that is held back
    shares: Mapping[str, Fraction]  # of the meter, by the line that wins it
    chances: Mapping[str, Fraction]  # of those lines
    fixed: Fraction  # what all other prizes return of a unit
    edge_at_first: Fraction
    slope: Fraction  # what one cent more takes off the edge
    break_even: Fraction  # the meter without an edge, were every part of a cent paid

    @property
    def whole(self) -> Fraction:
        """The chance that all of the meter is won."""
        return sum((self.chances[line] for line, part in self.shares.items() if part == 1),
                   Fraction(0))  # fmt: skip

    @property
    def long_run(self) -> Fraction:
        """The edge when the meter pays all that went into it, and begins at the house's cost."""
        own = self.first * self.whole / self.stake
        return 1 - self.fixed - self.rate - self.reserve - own


def jackpot(subject: Subject) -> Jackpot | None:
    """The progressive jackpot of the table, if it has one."""
    game, options = subject.game, subject.options
    meter = game.meter(game.State(), options)
    if meter is None:
        return None
    beside = [report.label for report in others(subject)]
    low, high = (
        {label: _report(subject, label, amount) for label in beside}
        for amount in (10 * ROUND, 20 * ROUND)
    )
    label = next(each for each in low if low[each].house_edge != high[each].house_edge)
    wager = low[label].wager
    stake = wager.limits(options, ())[0]
    shares, chances = {}, {}
    for one, other in _changed(low[label], high[label]):
        shares[one.result] = stake * (other.net - one.net) / (10 * ROUND)
        chances[one.result] = one.probability
    same = (each for each in low[label].outcomes if each in high[label].outcomes)
    fixed = sum((each.probability * (each.net + 1) for each in same), Fraction(0))
    rate, reserve = contributions(game, options, label, stake)
    slope = (low[label].house_edge - high[label].house_edge) / (10 * ROUND)
    at_first = subject.by_label[label].house_edge
    fair = 10 * ROUND + low[label].house_edge / slope
    return Jackpot(
        label, stake, meter.amount, rate, reserve, shares, chances, fixed, at_first, slope, fair
    )  # fmt: skip


def _changed(low: WagerReport, high: WagerReport) -> list[tuple[Outcome, Outcome]]:
    """The outcomes that another meter pays differently, side by side."""
    lower = [each for each in low.outcomes if each not in high.outcomes]
    higher = [each for each in high.outcomes if each not in low.outcomes]
    for each in (lower, higher):
        each.sort(key=lambda outcome: (outcome.result, outcome.probability))
    return list(zip(lower, higher, strict=True))


def contributions(game: Game, options: Any, label: str, stake: int) -> tuple[Fraction, Fraction]:
    """What a wager adds to the meter and to its reserve: as a live table takes it."""
    table = LiveTable(game, options.as_json())
    for name in dict.fromkeys((*game.by_id[label].rests_on, label)):
        opening = next(each for each in table.openings("1") if each.wager.id == name)
        table.bet("1", name, opening.low)
        game.accompany(table, "1")
    before = game.meter(game.State(), options)
    play = Play(table)
    after = game.meter(table.state, options)
    assert before is not None
    assert after is not None
    assert play.request is not None, "the round is over before a card was dealt"
    return (after.amount - before.amount) / stake, (after.reserve - before.reserve) / stake


def least_break_even(subject: Subject, found: Jackpot) -> int | None:
    """The least whole cents that the meter must show for the wager to have no edge.

    None if it has none whatever the meter shows.
    """
    cents = ceil(found.break_even)
    if cents < 1:
        return None
    while _edge(subject, found.label, cents) > 0:  # parts of a cent are not paid
        cents += 1
    return cents


def _edge(subject: Subject, label: str, cents: int) -> Fraction:
    return _report(subject, label, cents).house_edge


def _report(subject: Subject, label: str, cents: int) -> WagerReport:
    meter = subject.game.meter(subject.game.State(), subject.options)
    if meter is not None and meter.amount == cents:
        return subject.by_label[label]
    if (label, cents) not in subject.at_meter:
        (report,) = analyze(subject.game, subject.options, [label], meter=cents)
        subject.at_meter[label, cents] = report
    return subject.at_meter[label, cents]


def progressive(subject: Subject) -> Section:
    found = jackpot(subject)
    title = "Progressive jackpot"
    if found is None:
        why = f"This table of {subject.game.title} offers no progressive wager."
        return Section("progressive", title, (Text((why,)),))
    return Section("progressive", title, tuple(_told(subject, found)))


def _told(subject: Subject, found: Jackpot) -> Iterator[Block]:
    fair = least_break_even(subject, found)
    yield Table(
        "jackpot", f"The jackpot of {found.label}",
        (Column("what", "What"), Column("value", "Amount"), Column("exact", "Exactly", "exact")),
        tuple(_facts(found, fair)),
    )  # fmt: skip
    rows: list[tuple[Value, ...]] = [
        (said(line), part, found.chances[line], float(1 / found.chances[line]))
        for line, part in found.shares.items()
    ]
    yield Table(
        "meter_prizes", "What is won from the meter",
        (Column("line", "Result"), Column("share", "Part of the meter", "exact"),
         Column("probability", "Probability", "probability"), Column("one_in", "1 in", "number")),
        tuple(rows),
    )  # fmt: skip
    yield from _over_the_meter(subject, found, fair)


def _facts(found: Jackpot, fair: int | None) -> Iterator[tuple[Value, ...]]:
    whole, stake = found.whole, found.stake
    yield "a wager costs", money(stake), Fraction(stake, 100)
    yield "the meter begins at", money(found.first), found.first / 100
    yield "a wager adds to the meter", f"{float(found.rate):.4%} of it", found.rate
    yield "a wager adds to the reserve", f"{float(found.reserve):.4%} of it", found.reserve
    if whole:
        yield "chance of the whole meter", f"1 in {float(1 / whole):,.1f}", whole
        yield "wagers until it is won, on average", f"{float(1 / whole):,.1f}", 1 / whole
        grown = found.first + (found.rate * stake) / whole
        yield "the meter when it is won, on average, no other prize paid", money(grown), grown / 100
        allowed = "within" if too_long(whole) is None else "beyond"
        yield "longest odds allowed", f"{LONGEST_ODDS:,} to 1: {allowed}", None
    yield "edge at the first amount", f"{float(found.edge_at_first):.4%}", found.edge_at_first
    off = found.slope * 100_000
    yield "taken off the edge by $1,000 more", f"{float(off):.4%}", off
    if fair is None:
        yield "break-even meter", "none: the wager favors the player whatever it shows", None
    else:
        yield "break-even meter", money(found.break_even), found.break_even / 100
        yield "least whole cents at which the edge is gone", money(fair), Fraction(fair, 100)
    lasting = found.long_run
    yield "edge in the long run, all that the meter pays counted", f"{float(lasting):.4%}", lasting
    owed = found.first * whole / stake if whole else Fraction(0)
    yield "the house's own part of the jackpots, per unit wagered", f"{float(owed):.4%}", owed
    yield "liability: what the meter shows is owed to players", money(found.first), None


def _over_the_meter(subject: Subject, found: Jackpot, fair: int | None) -> Iterator[Block]:
    first = round(found.first)
    amounts = {first, *(round(part * (fair or first)) for part in POINTS), fair or first}
    rows = []
    for cents in sorted(amounts):
        report = _report(subject, found.label, cents)
        rows.append((cents, cents / 100, report.house_edge, report.house_edge))
    columns = (
        Column("meter", "Meter", "cents"), Column("dollars", "Meter, dollars", "number"),
        Column("edge", "House edge", "percent"), Column("exact", "Exactly", "exact"),
    )  # fmt: skip
    title = "House edge by what the meter shows"
    yield Table("edge_by_meter", title, columns, tuple(rows))
    yield Plot(
        "edge_over_meter", title, "edge_by_meter", "lines", x="dollars", y=("edge",), mark=0.0,
        note=f"The mark is no edge; it is met at {money(fair)}." if fair else "",
    )  # fmt: skip
