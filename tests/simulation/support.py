"""What the tests of every engine say: the same as the exact analysis, within its error."""

from collections.abc import Mapping, Sequence
from math import sqrt
from typing import Any

from croupier.analysis import analyze
from croupier.games import find_game
from croupier.simulation.engine import engine

MOST_ERRORS = 4  # standard errors that a mean may lie off


def agrees(
    name: str,
    *,
    rounds: int,
    seed: int = 47,
    options: Mapping[str, Any] | None = None,
    labels: Sequence[str] = (),
) -> None:
    """Every ending is a known one, and the edge of every wager lies within four errors."""
    game = find_game(name)
    chosen = game.options(dict(options or {}))
    table = engine(game, chosen, labels)
    counts = table.count(seed, 0, rounds)
    exact = {report.label: report for report in analyze(game, chosen, labels)}
    assert set(table.labels) == set(exact)
    for label, report in exact.items():
        known = {(outcome.result, outcome.net) for outcome in report.outcomes}
        came = [
            (ending, int(times))
            for ending, times in zip(table.endings[label], counts[label], strict=True)
            if times
        ]
        total = sum(times for _, times in came)
        assert total, f"{label} was never made"
        assert {(ending.line, ending.net) for ending, _ in came} <= known, label
        mean = float(sum(ending.net * times for ending, times in came) / total)
        error = report.standard_deviation / sqrt(total)
        assert abs(mean + float(report.house_edge)) <= MOST_ERRORS * error, label
