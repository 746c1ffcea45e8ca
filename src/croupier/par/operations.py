"""What a table earns: decisions an hour, theoretical win, and why hold is another figure."""

from croupier.analysis import WagerReport
from croupier.par.document import Column, Section, Table, Text, Value
from croupier.par.subject import Subject, greatest
from croupier.rulebook import Family

# Outcomes an hour at a table with a few players: customary figures, not regulated ones.
CUSTOMARY: dict[Family, int] = {"wheel": 38, "dice": 100, "drum": 8, "shoe": 70, "poker": 40}
AVERAGE = 4  # times the least wager, unless somebody says what is wagered on average


def operations(
    subject: Subject, rounds_per_hour: float | None = None, average_bet: int | None = None
) -> Section:
    pace = rounds_per_hour or CUSTOMARY[subject.game.family]
    source = "as given" if rounds_per_hour else "a customary figure for such games"
    average = "as given" if average_bet else f"taken as {AVERAGE} times the least wager"
    text = Text(
        (
            f"Pace: {pace:g} rounds an hour, {source}. Average wager: {average}. Theoretical win "
            "is the average wager times decisions times the house edge, for one player.",
            "A wager that may stand for several outcomes is decided less often than the "
            "equipment is used; the table says after how many outcomes.",
            "Hold is not the edge. It is the win divided by the drop, the money changed into "
            "chips; players wager the same chips again and again, so a table with an edge of "
            "one percent may hold twenty of its drop. It grows with the time that they stay.",
        )
    )
    columns = (
        Column("wager", "Wager"), Column("outcomes", "Outcomes to a decision", "number"),
        Column("decisions", "Decisions an hour", "number"), Column("least", "Least wager", "cents"),
        Column("win_least", "Win an hour at the least", "cents"),
        Column("average", "Average wager", "cents"),
        Column("win_average", "Win an hour at the average", "cents"),
        Column("theo", "Win an hour, of the average wager", "percent"),
        Column("win_most", "Win an hour at the most", "cents"),
        Column("deviation", "Standard deviation of an hour at the average", "cents"),
    )  # fmt: skip
    rows = tuple(_earned(subject, report, pace, average_bet) for report in subject.reports)
    table = Table(
        "theoretical", "Theoretical win an hour, from one player", columns, rows,
        note="Pace and average wager are assumptions; the edge is exact.",
    )  # fmt: skip
    return Section("operations", "Operations", (text, table))


def _earned(
    subject: Subject, report: WagerReport, pace: float, average_bet: int | None
) -> tuple[Value, ...]:
    chain = subject.chains.get(report.label)
    outcomes = chain.duration if chain else 1.0
    decisions, edge = pace / outcomes, float(report.house_edge)
    _, covers = report.wager.spot(report.choices[0], subject.options)
    least = report.wager.limits(subject.options, covers)[0]
    most = greatest(subject, report)
    average = min(max(average_bet or AVERAGE * least, least), most)
    return (
        report.label, outcomes, decisions, least, round(least * decisions * edge), average,
        round(average * decisions * edge), decisions * edge, round(most * decisions * edge),
        round(average * report.standard_deviation * decisions**0.5),
    )  # fmt: skip
