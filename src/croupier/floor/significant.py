"""Significant events: what surveillance wants to hear of at once, large amounts among it."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import Any

from croupier.floor.events import LogEvent

WAGER, OVER, CORRECTION = "wager", "round_over", "correction"
KINDS = {WAGER, OVER, CORRECTION}

Note = tuple[str, str, dict[str, Any]]  # a kind, an actor, and what else is said


def among(
    rows: Sequence[LogEvent], transfers: Iterable[tuple[str, int]], large: int
) -> Iterator[Note]:
    """The notes that the events of a command are worth: wagers, wins, corrections, transfers."""
    for event in rows:
        if event.kind == CORRECTION or (event.kind in KINDS and _longest(large)(event.data)):
            yield from _of(event, large)
    for account, cents in transfers:
        if abs(cents) >= large:
            yield _note("large_transfer", rows[0], account=account, cents=cents)


@cache
def _longest(large: int) -> Callable[[str], object]:
    """Looks for a number of as many digits, so that few events have to be read."""
    return re.compile(f"[0-9]{{{len(str(large))}}}").search


def _of(event: LogEvent, large: int) -> Iterator[Note]:
    said = json.loads(event.data)
    if event.kind == WAGER and said["stake"] >= large:
        yield _note("large_wager", event, seat=said["seat"], wager=said["wager"],
                    cents=said["stake"])  # fmt: skip
    if event.kind == CORRECTION:
        yield _note("adjustment", event, cents=said["amount"])
    if event.kind == OVER:
        for each in said["settlements"]:
            if each["net"] >= large:
                yield _note("large_win", event, seat=each["seat"], wager=each["wager"],
                            cents=each["net"])  # fmt: skip


def _note(kind: str, event: LogEvent, **said: Any) -> Note:
    about = {"table": event.stream, "event": event.number, "round": event.round}
    return kind, event.actor, {**about, **said}
