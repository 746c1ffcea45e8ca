"""The figures beside others: a simulation of the same table, and what has been published."""

from collections.abc import Iterator, Mapping
from typing import Any

from croupier.par.document import Block, Column, Section, Table, Text, Value
from croupier.par.subject import Subject, shown

CLOSE = 4.0  # standard errors

Estimate = tuple[int, float, float]  # decided wagers, house edge, and its standard error


def verification(
    subject: Subject,
    simulated: Mapping[str, Estimate] | None,
    rounds: int,
    seed: int,
    generator: str,
) -> Section:
    blocks: list[Block] = []
    if simulated:
        blocks += _simulated(subject, simulated, rounds, seed, generator)
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
