"""How far results may stray from the expectation, and what a session and a bankroll may meet."""

from collections.abc import Iterator
from math import sqrt

from croupier.analysis import WagerReport
from croupier.par.document import Block, Column, Plot, Section, Table, Text, Value
from croupier.par.normal import BANDS, ONE_SIDED_99, Z
from croupier.par.results import Results, after, ruin
from croupier.par.subject import Subject, by_net, greatest, moment, named, titled

ROUNDS = tuple(10**power for power in range(2, 8))
SESSIONS = (100, 1000)
FAN = (10, 20, 50, 100, 200, 500, 1000)
QUANTILES = (0.01, 0.05, 0.25, 0.50, 0.75, 0.95, 0.99)
BANKROLLS = (20, 50, 100, 200, 500, 1000)
BARS = 40  # of a histogram


def volatility(subject: Subject) -> Section:
    blocks: list[Block] = [
        _moments(subject),
        Text(
            (
                "Bands are normal, with the z that is printed; sessions and bankrolls are exact "
                "to the rounding of floating point: the distribution of one round is raised to "
                "its power on the lattice of nets, and its total and mean are checked.",
                "They are drawn for the first wager and for those of the least edge, the "
                "greatest edge and the widest swing.",
            )
        ),
    ]
    for report in subject.featured:
        blocks += _followed(report)
    blocks.append(_house_risk(subject))
    return Section("volatility", "Volatility and risk", tuple(blocks))


def _moments(subject: Subject) -> Table:
    columns = (
        Column("wager", "Wager"), Column("variance", "Variance", "exact"),
        Column("deviation", "Standard deviation", "number"),
        Column("skewness", "Skewness", "number"), Column("kurtosis", "Kurtosis", "number"),
        *(Column(f"index_{level:.0%}".rstrip("%"), f"Volatility index, {level:.0%}", "number")
          for level in BANDS),
    )  # fmt: skip
    rows = tuple(_shape(report) for report in subject.reports)
    return Table("moments", "Moments of the result of one unit", columns, rows)


def _shape(report: WagerReport) -> tuple[Value, ...]:
    variance, deviation = moment(report, 2), report.standard_deviation
    skewness = float(moment(report, 3)) / deviation**3 if deviation else None
    kurtosis = float(moment(report, 4) / variance**2) if variance else None
    indices = (Z[level] * deviation for level in BANDS)
    return (report.label, variance, deviation, skewness, kurtosis, *indices)


def _followed(report: WagerReport) -> Iterator[Block]:
    yield from _funnel(report)
    chances = by_net(report)
    found = {rounds: after(rounds, chances) for rounds in FAN}
    known = {rounds: results for rounds, results in found.items() if results is not None}
    if missing := [rounds for rounds in SESSIONS if rounds not in known]:
        yield Text(
            (
                f"{titled(report)}: after {' and '.join(map(str, missing))} rounds its results "
                "lie on a lattice too fine to be gone through; the bands above are what is told.",
            )
        )
    if known:
        yield from _sessions(report, known)
    yield from _bankrolls(report)


def _funnel(report: WagerReport) -> Iterator[Block]:
    label, mean = named(report.label), float(1 - report.house_edge)
    bands = [(f"low_{level:.0%}"[:-1], f"high_{level:.0%}"[:-1]) for level in BANDS]
    columns = [Column("rounds", "Rounds", "count"), Column("return", "Return", "percent")]
    for level, (low, high) in zip(BANDS, bands, strict=True):
        columns.append(Column(low, f"{level:.0%} from", "percent"))
        columns.append(Column(high, f"{level:.0%} to (z = {Z[level]:.4f})", "percent"))
    rows: list[tuple[Value, ...]] = []
    for rounds in ROUNDS:
        spread = report.standard_deviation / sqrt(rounds)
        edges = (mean + sign * Z[level] * spread for level in BANDS for sign in (-1, 1))
        rows.append((rounds, mean, *edges))
    title = f"{titled(report)}: return of the initial wager after many rounds"
    yield Table(f"bands_{label}", title, tuple(columns), tuple(rows))
    yield Plot(
        f"funnel_{label}", title, f"bands_{label}", "lines", x="rounds", y=("return",),
        bands=tuple(reversed(bands)), log_x=True, mark=1.0,
        note="The mark is a return of all that was wagered.",
    )  # fmt: skip


def _sessions(report: WagerReport, known: dict[int, Results]) -> Iterator[Block]:
    label = named(report.label)
    quantiles = [(share, f"q{round(100 * share):02d}") for share in QUANTILES]
    columns = (
        Column("rounds", "Rounds", "count"), Column("mean", "Expected", "number"),
        *(Column(name, f"{share:.0%} quantile", "number") for share, name in quantiles),
        Column("ahead", "Ahead", "probability"), Column("even", "Even", "probability"),
        Column("behind", "Behind", "probability"), Column("total", "Total", "probability"),
        Column("large", "With a prize off the lattice", "probability"),
    )  # fmt: skip
    rows = tuple(_session(report, results) for results in known.values())
    title = f"{titled(report)}: result of a session, in units"
    yield Table(
        f"sessions_{label}", title, columns, rows,
        note="The result that is not exceeded with the probability named: a loss is negative.",
    )  # fmt: skip
    yield Plot(
        f"fan_{label}", title, f"sessions_{label}", "lines", x="rounds", y=("q50", "mean"),
        bands=(("q01", "q99"), ("q05", "q95"), ("q25", "q75")), log_x=True, mark=0.0,
    )  # fmt: skip
    for rounds in SESSIONS:
        if rounds in known:
            yield from _histogram(report, known[rounds])


def _session(report: WagerReport, results: Results) -> tuple[Value, ...]:
    behind = 1 - results.ahead - results.even
    return (
        results.rounds, -results.rounds * float(report.house_edge),
        *(results.quantile(share) for share in QUANTILES),
        results.ahead, results.even, behind, float(results.chances.sum()) + results.beyond,
        results.beyond,
    )  # fmt: skip


def _histogram(report: WagerReport, results: Results) -> Iterator[Block]:
    """All but the last half percent on either side in bars of the same width."""
    label = f"{named(report.label)}_{results.rounds}"
    low, high = results.quantile(0.005), results.quantile(0.995)
    first = round((float(low or 0) - float(results.lowest)) / float(results.step))
    last = len(results.chances) - 1
    if high is not None:
        last = round((high - float(results.lowest)) / float(results.step))
    width = max(1, -(-(last - first + 1) // BARS))
    rows: list[tuple[Value, ...]] = []
    if first:
        below = float(results.chances[:first].sum())
        rows.append((f"below {results.at(first):g}", None, results.at(first - 1), below))
    for start in range(first, last + 1, width):
        stop = min(start + width, len(results.chances))
        chance = float(results.chances[start:stop].sum())
        rows.append((f"{results.at(start):g}", results.at(start), results.at(stop - 1), chance))
    above = 1 - sum(float(row[3] or 0) for row in rows)
    if above > 0:
        rows.append(("above", None, None, above))
    columns = (
        Column("from", "Result"), Column("low", "From", "number"), Column("high", "To", "number"),
        Column("probability", "Probability", "probability", total=True),
    )  # fmt: skip
    title = f"{titled(report)}: result of {results.rounds:,} rounds, in units"
    yield Table(f"histogram_{label}", title, columns, tuple(rows))
    yield Plot(
        f"session_{label}", title, f"histogram_{label}", "bars", x="from", y=("probability",)
    )


def _bankrolls(report: WagerReport) -> Iterator[Block]:
    chances = by_net(report)
    found = {rounds: ruin(rounds, chances, BANKROLLS) for rounds in SESSIONS}
    known = {rounds: risks for rounds, risks in found.items() if risks is not None}
    if not known:
        yield Text((f"{titled(report)}: risk of ruin is not counted; its lattice is too fine.",))
        return
    columns = (
        Column("bankroll", "Bankroll, units", "count"),
        *(Column(f"ruin_{rounds}", f"Ruined within {rounds:,} rounds", "probability")
          for rounds in known),
    )  # fmt: skip
    rows = tuple(
        (bankroll, *(risks[at] for risks in known.values()))
        for at, bankroll in enumerate(BANKROLLS)
    )
    forever = "certain" if report.house_edge >= 0 else "not certain"
    yield Table(
        f"ruin_{named(report.label)}", f"{titled(report)}: risk of ruin, one unit a round",
        columns, rows,
        note="Exact on the lattice of nets. Ruined: less than one unit is left; what a raise "
        f"needs is found. With no end to the rounds ruin is {forever}.",
    )  # fmt: skip


def _house_risk(subject: Subject) -> Table:
    columns = (
        Column("wager", "Wager"), Column("stake", "Greatest wager", "cents"),
        Column("most", "Most lost in one round", "cents"),
        Column("expected", "Expected win of a round", "cents"),
        Column("deviation", "Standard deviation of a round", "cents"),
        Column("worst", "Worst of 1,000 rounds, 99 %", "cents"),
        Column("safe", "Rounds until ahead with 99 %", "number"),
    )  # fmt: skip
    rows = tuple(_exposed(subject, report) for report in subject.reports)
    return Table(
        "house_risk", "The house's risk at the table maximum", columns, rows,
        note=f"One player at the greatest wager, before any payout limit. The last two columns "
        f"are normal, z = {ONE_SIDED_99:.4f}.",
    )  # fmt: skip


def _exposed(subject: Subject, report: WagerReport) -> tuple[Value, ...]:
    stake = greatest(subject, report)
    edge, deviation = float(report.house_edge), report.standard_deviation
    most = max(outcome.net for outcome in report.outcomes)
    worst = 1000 * edge - ONE_SIDED_99 * deviation * sqrt(1000)
    safe = (ONE_SIDED_99 * deviation / edge) ** 2 if edge > 0 else None
    return (
        report.label, stake, round(stake * most), round(stake * edge), round(stake * deviation),
        round(stake * worst), safe,
    )  # fmt: skip
