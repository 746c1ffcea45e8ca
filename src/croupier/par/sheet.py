"""The PAR sheet of a table, whole: every section in its order.

Every figure is computed from the exact analysis or read from the game's own
data; every total that a table promises is checked when the sheet is made.
"""

from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from fractions import Fraction
from typing import Any

from croupier.analysis import Watch, analyze
from croupier.par.compliance import compliance
from croupier.par.composite import composite
from croupier.par.decisions import decisions
from croupier.par.definitions import definitions
from croupier.par.document import Section, Sheet, Table, Value
from croupier.par.identity import appendix, facts, identity, long_tables, rules, tables_hash
from croupier.par.method import method
from croupier.par.operations import operations
from croupier.par.outcomes import outcomes, summary
from croupier.par.progressive import progressive
from croupier.par.protection import protection
from croupier.par.sensitivity import sensitivity
from croupier.par.subject import Patience, Subject
from croupier.par.verification import Estimate, Way, verification
from croupier.par.volatility import volatility
from croupier.rulebook import Game

PATIENCE = 120.0  # seconds for counts that only compare


def utc_now() -> datetime:
    return datetime.now(UTC)


def sheet(
    game: Game,
    options: Any,
    *,
    simulated: Mapping[str, Estimate] | None = None,
    rounds: int = 0,
    seed: int = 1,
    generator: str = "",
    watch: Watch | None = None,
    author: str = "",
    now: Callable[[], datetime] = utc_now,
    sensitivity_budget: float = PATIENCE,
    rounds_per_hour: float | None = None,
    average_bet: int | None = None,
) -> Sheet:
    """All that is known of a table.

    `simulated` are estimates of house edges, by label, from so many `rounds` and this `seed`;
    without them as many rounds are dealt here, if any are asked for. Counts that only compare
    (other options, plain ways to play poker, wagers side by side) are begun as long as the
    `sensitivity_budget` lasts, in seconds; what is left out is said. The pace of the game and
    what is wagered on average, in cents, are customary figures unless they are given.
    """
    reports = tuple(analyze(game, options, watch=watch))
    ways: dict[str, Way] = {}
    if simulated is None and rounds:
        simulated, ways, generator = _simulated(game, options, rounds, seed, watch)
    subject = Subject(game, options, reports, Patience(watch, sensitivity_budget))
    played, tried = decisions(subject), sensitivity(subject)  # first of what needs time
    told = [
        summary(subject), rules(subject), method(subject), outcomes(subject), played,
        composite(subject), volatility(subject), progressive(subject), tried,
        protection(subject), operations(subject, rounds_per_hour, average_bet),
        verification(subject, simulated, rounds, seed, generator, ways), compliance(subject),
        definitions(),
    ]  # fmt: skip
    long = long_tables(subject)
    identified = facts(subject, tables_hash([*told, long]), author, now())
    sections = (identity(subject, identified), *told, appendix(subject, long, identified))
    close(sections)
    return Sheet(game.id, f"PAR sheet: {game.title}", identified, sections)


def _simulated(
    game: Game, options: Any, rounds: int, seed: int, watch: Watch | None
) -> tuple[dict[str, Estimate], dict[str, Way], str]:
    """The same table, dealt; and the first wager on its way."""
    from croupier.simulation.simulate import GENERATOR, Simulation, Told, on_the_way, simulate

    told = watch or Watch()

    class Dealing(Told):
        """Whoever watches counts is told of the rounds as well."""

        def compiles(self) -> None:
            told.compiles()

        def counts(self, deals: int) -> None:
            told.counts(deals)

        def done(self, share: float) -> None:
            told.done(share)

        def dealt(self, simulation: Simulation) -> None:
            if simulation.rounds <= simulation.chunk:
                told.counts(simulation.asked)
            told.done(simulation.rounds / simulation.asked)

    dealt = simulate(game, options, rounds=rounds, seed=seed, watch=Dealing())
    if dealt.interrupted:
        raise KeyboardInterrupt
    found = {
        report.label: (
            dealt.decided(report.label), float(report.house_edge), dealt.standard_error(report),
        )
        for report in dealt.reports()
    }  # fmt: skip
    first = next(iter(found))
    return found, {first: on_the_way(dealt, first)}, GENERATOR


def close(sections: Iterable[Section]) -> None:
    """Check every total that a table promises, exactly; and that no table has another's name."""
    seen: set[str] = set()
    for section in sections:
        for block in section.blocks:
            if isinstance(block, Table):
                if block.id in seen:
                    raise AssertionError(f"two tables are named {block.id}")
                seen.add(block.id)
                for column, total in block.closes.items():
                    found = sum(map(_number, block.column(column)), Fraction(0))
                    if found != total:
                        message = f"{block.id}: {column} comes to {found}, not to {total}"
                        raise AssertionError(message)


def _number(value: Value) -> Fraction:
    assert isinstance(value, int | Fraction), "only whole numbers and fractions add up exactly"
    return Fraction(value)
