"""The figures beside others: a simulation of the same table, and what has been published."""

from collections.abc import Iterator, Mapping, Sequence
from math import sqrt
from typing import Any

from croupier.analysis import WagerReport
from croupier.par.document import Block, Column, Plot, Section, Table, Text, Value
from croupier.par.normal import Z
from croupier.par.subject import Subject, named, shown, titled

CLOSE = 4.0  # standard errors

LEVELS = (0.95, 0.99)

Estimate = tuple[int, float, float]  # decided wagers, house edge, and its standard error
Way = Sequence[tuple[int, float]]  # decided wagers, and the house edge until then


def verification(
    subject: Subject,
    simulated: Mapping[str, Estimate] | None,
    rounds: int,
    seed: int,
    generator: str,
    ways: Mapping[str, Way] | None = None,
) -> Section:
    blocks: list[Block] = []
    if simulated:
        blocks += _simulated(subject, simulated, rounds, seed, generator)
        for label, way in (ways or {}).items():
            blocks += _converging(subject.by_label[label], way)
    else:
        blocks.append(Text(("No simulation was made beside this analysis.",)))
    blocks += _published(subject)
    return Section("verification", "Verification", tuple(blocks))


def _simulated(
    subject: Subject, simulated: Mapping[str, Estimate], rounds: int, seed: int, generator: str
) -> Iterator[Block]:
    dealt = f"{rounds:,} rounds were dealt" if rounds else "Rounds were dealt"
    how = f" by {generator}" if generator else ""
    yield Text((f"{dealt} from seed {seed}{how}; every figure is beside the exact one.",))
    rows: list[tuple[Value, ...]] = []
    for label, (decided, estimate, error) in simulated.items():
        report = subject.by_label.get(label)
        if report is None:
            continue
        exact = float(report.house_edge)
        z = (estimate - exact) / error if error else (0.0 if estimate == exact else None)
        verdict = "agrees" if z is not None and abs(z) < CLOSE else "differs"
        rows.append((label, decided, exact, estimate, error, z, verdict))
    columns = (
        Column("wager", "Wager"), Column("decided", "Decided", "count"),
        Column("exact", "House edge, exactly", "percent"),
        Column("estimate", "Simulated", "percent"),
        Column("error", "Standard error", "percent"), Column("z", "z", "number"),
        Column("verdict", f"|z| < {CLOSE:g}"),
    )  # fmt: skip
    yield Table("simulated", "Simulation against the exact figures", columns, tuple(rows))


def _converging(report: WagerReport, way: Way) -> Iterator[Block]:
    """The estimate on its way, inside the funnel that chance allows the exact figure."""
    label, edge = named(report.label), float(report.house_edge)
    bands = [(f"low_{level:.0%}"[:-1], f"high_{level:.0%}"[:-1]) for level in LEVELS]
    columns = [
        Column("decided", "Decided", "count"), Column("estimate", "Simulated", "percent"),
        Column("exact", "House edge, exactly", "percent"),
    ]  # fmt: skip
    for level, (low, high) in zip(LEVELS, bands, strict=True):
        columns.append(Column(low, f"{level:.0%} from", "percent"))
        columns.append(Column(high, f"{level:.0%} to (z = {Z[level]:.4f})", "percent"))
    rows: list[tuple[Value, ...]] = []
    for decided, estimate in way:
        spread = report.standard_deviation / sqrt(decided)
        edges = (edge + sign * Z[level] * spread for level in LEVELS for sign in (-1, 1))
        rows.append((decided, estimate, edge, *edges))
    title = f"{titled(report)}: the simulated house edge on its way"
    yield Table(f"way_{label}", title, tuple(columns), tuple(rows))
    yield Plot(
        f"converging_{label}", title, f"way_{label}", "lines", x="decided",
        y=("estimate", "exact"), bands=tuple(reversed(bands)), log_x=True,
    )  # fmt: skip


def _published(subject: Subject) -> Iterator[Block]:
    """Figures printed elsewhere about this very table, or about another that is soon counted."""
    from croupier.analysis.published import published

    rows: list[tuple[Value, ...]] = []
    for each in published(subject.game.id):
        if each.needs_solving and dict(each.options) != subject.given:
            continue
        verdict = "agrees" if each.agrees else "differs"
        what, terms = each.what.replace("_", " "), _terms(each.options)
        rows.append(
            (each.wager, what, terms, each.printed, each.told, verdict, each.source, each.note)
        )
    if not rows:
        yield Text(("No figure that was published about this table is at hand.",))
        return
    columns = (
        Column("wager", "Wager"), Column("what", "Figure"), Column("options", "Options"),
        Column("printed", "As printed"), Column("ours", "Here, in the same terms"),
        Column("verdict", "To the digits printed"), Column("source", "Source"),
        Column("note", "Note"),
    )  # fmt: skip
    yield Table("published", "Published figures", columns, tuple(rows))


def _terms(options: Mapping[str, Any]) -> str:
    return "; ".join(f"{name} = {shown(value)}" for name, value in options.items()) or "default"
