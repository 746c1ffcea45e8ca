"""What every wager is worth in one row, and how it comes out, line by line."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from math import comb, lcm
from typing import NamedTuple

from croupier.analysis import WagerReport
from croupier.par.document import Block, Column, Plot, Section, Table, Text, Value
from croupier.par.normal import Z
from croupier.par.subject import Subject, by_net, moment, named, pays, said, titled
from croupier.rulebook import PokerGame, ShoeGame

MANY = 30  # lines, above which those that win the same are told as one
NAMED = 2  # of them are named
LONG = 32  # letters of a name that is drawn
LARGEST = 10**30  # combinations that anybody reads


class Line(NamedTuple):
    """One line of an outcome table."""

    event: str
    net: Fraction
    probability: Fraction


def summary(subject: Subject) -> Section:
    columns = (
        Column("wager", "Wager"), Column("label", "Label"), Column("pays", "Pays"),
        Column("hit", "Hit frequency", "percent"), Column("push", "Push frequency", "percent"),
        Column("edge", "House edge", "percent"), Column("exact", "House edge, exactly", "exact"),
        Column("risk", "Element of risk", "percent"),
        Column("return", "Return of all money", "percent"),
        Column("return_initial", "Return of the initial wager", "percent"),
        Column("deviation", "Standard deviation", "number"),
        Column("index_90", f"Volatility index, 90 % (z = {Z[0.90]:.3f})", "number"),
        Column("index_95", f"Volatility index, 95 % (z = {Z[0.95]:.3f})", "number"),
        Column("most", "Most won by one unit", "exact"), Column("n0", "N₀, rounds", "number"),
    )  # fmt: skip
    table = Table(
        "summary", "Every wager of the table", columns,
        tuple(_summed_up(subject, report) for report in subject.reports),
        note="Per unit of the wager that is named. Exact figures are fractions of whole numbers.",
    )  # fmt: skip
    return Section("summary", "Summary", (table, *_spoken_for(subject)))


def _summed_up(subject: Subject, report: WagerReport) -> tuple[Value, ...]:
    edge, deviation = report.house_edge, report.standard_deviation
    return (
        report.wager.title, report.label, pays(report.wager, subject.options),
        report.hit_frequency, report.push_frequency, edge, edge, report.element_of_risk,
        1 - report.element_of_risk, 1 - edge, deviation, Z[0.90] * deviation, Z[0.95] * deviation,
        max(outcome.net for outcome in report.outcomes),
        (deviation / float(edge)) ** 2 if edge else None,
    )  # fmt: skip


def _spoken_for(subject: Subject) -> Iterator[Text]:
    """What a row speaks for besides the wager by which it is named."""
    lines = []
    for report in subject.reports:
        joined = [w.id for w in subject.game.offered(subject.options) if w.joins == report.label]
        if joined:
            lines.append(
                f"{report.label} stands for the whole hand with {', '.join(joined)}; on average "
                f"{float(report.wagered):.6g} units are finally wagered."
            )
        if len(report.choices) > 1:
            lines.append(f"{report.label} speaks for {len(report.choices)} spots worth the same.")
    if lines:
        yield Text(tuple(lines), as_list=True)


def outcomes(subject: Subject) -> Section:
    blocks: list[Block] = [
        Text(
            (
                "Every way in which a wager can come out. Contributions to return add up to the "
                "house edge, negative; probabilities to one.",
            )
        )
    ]
    for report in subject.reports:
        lines = in_fewer_lines(report)
        table = outcome_table(subject, report, lines)
        blocks.append(table)
        if report in subject.featured:
            blocks += _drawn(report)
    return Section("outcomes", "Outcomes", tuple(blocks))


def in_fewer_lines(report: WagerReport) -> list[Line]:
    """The outcomes themselves or, of very many, those that win the same together."""
    every = [Line(said(o.result), o.net, o.probability) for o in report.outcomes]
    if len(every) <= MANY:
        return every
    alike: defaultdict[Fraction, list[Line]] = defaultdict(list)
    for line in every:
        alike[line.net].append(line)
    return [
        Line(_together(same), net, sum((line.probability for line in same), Fraction(0)))
        for net, same in alike.items()
    ]


def _together(lines: Sequence[Line]) -> str:
    likely = sorted(lines, key=lambda line: -line.probability)
    more = f"; and {len(lines) - NAMED} more" if len(lines) > NAMED else ""
    return "; ".join(line.event for line in likely[:NAMED]) + more


def full_tables(subject: Subject) -> Iterator[Table]:
    """Line by line, where the section of outcomes has them in fewer."""
    for report in subject.reports:
        if len(report.outcomes) > MANY:
            lines = [Line(said(o.result), o.net, o.probability) for o in report.outcomes]
            yield outcome_table(subject, report, lines, "full")


def outcome_table(
    subject: Subject, report: WagerReport, lines: Iterable[Line], kind: str = "outcomes"
) -> Table:
    every, mean = list(lines), -report.house_edge
    total = combinations(subject, report)
    rows = tuple(
        (
            line.event, line.net, int(line.probability * total) if total else None,
            line.probability, float(1 / line.probability), line.probability * line.net,
            line.probability * (line.net - mean) ** 2,
        )
        for line in every
    )  # fmt: skip
    columns = (
        Column("event", "Event"), Column("net", "Net", "exact"),
        Column("combinations", "Combinations", "count", total=bool(total)),
        Column("probability", "Probability", "probability", total=True),
        Column("one_in", "1 in", "number"),
        Column("return", "To return", "percent", total=True),
        Column("variance", "To variance", "number", total=True),
    )  # fmt: skip
    counted = f"Out of {total:,} combinations. " if total else "Its common denominator is too long."
    closes: dict[str, Fraction | int] = {
        "probability": Fraction(1), "return": mean, "variance": moment(report, 2),
    }  # fmt: skip
    return Table(
        f"{kind}_{named(report.label)}", titled(report), columns, rows,
        note=f"{counted}{report.strategy}",
        closes={**closes, "combinations": total} if total else closes,
    )  # fmt: skip


def combinations(subject: Subject, report: WagerReport) -> int | None:
    """The equally likely ways that are counted, or else the least common denominator."""
    common = lcm(*(outcome.probability.denominator for outcome in report.outcomes))
    for total in _equally_likely(subject, report):
        if total % common == 0:
            return total
    return common if common <= LARGEST else None


def _equally_likely(subject: Subject, report: WagerReport) -> Iterator[int]:
    game, options, wager = subject.game, subject.options, report.wager
    if isinstance(game, PokerGame) and subject.poker is not None:
        if wager.id in game.looks:
            yield comb(52, game.looks[wager.id].cards)
        yield subject.poker.deals
    elif not isinstance(game, ShoeGame) and wager.is_always_open and not wager.dealt:
        _, covers = wager.spot(report.choices[0], options)
        yield sum(ways for ways, _ in game.cases(covers, options))


def _drawn(report: WagerReport) -> Iterator[Block]:
    """How likely results are and what they contribute; by net where their names are long."""
    label, mean, variance = named(report.label), -report.house_edge, moment(report, 2)
    lines = [Line(said(o.result), o.net, o.probability) for o in report.outcomes]
    if max(len(line.event) for line in lines) > LONG:
        lines = [Line(f"net {_signed(net)}", net, p) for net, p in by_net(report).items()]
    rows = [
        (line.event, line.probability, line.probability * line.net,
         line.probability * (line.net - mean) ** 2 / variance if variance else Fraction(0))
        for line in lines
    ]  # fmt: skip
    rows.sort(key=lambda row: -abs(row[2]))
    drawn = f"contributions_{label}"
    yield Table(
        drawn, f"{titled(report)}: what makes its return and its variance",
        (Column("event", "Result"),
         Column("probability", "Probability", "probability", total=True),
         Column("return", "To return", "percent", total=True),
         Column("share", "Share of variance", "percent", total=True)),
        tuple(rows),
        closes={"probability": Fraction(1), "return": mean, "share": Fraction(bool(variance))},
    )  # fmt: skip
    yield Plot(
        f"payouts_{label}", f"{titled(report)}: how likely each result is", drawn, "bars",
        x="event", y=("probability",), log_y=True,
    )  # fmt: skip
    yield Plot(
        f"contributed_{label}", f"{titled(report)}: contributions to return and variance", drawn,
        "bars", x="event", y=("return", "share"),
    )  # fmt: skip


def _signed(net: Fraction) -> str:
    return f"{'+' if net > 0 else ''}{net}"
