"""Reading and writing the log: the rows of the database as events, and tables out of them."""

import json
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

from sqlalchemy import Connection, Row, or_, select

from croupier.floor import schema
from croupier.floor.checkpoint import Marks, check
from croupier.floor.events import LogEvent
from croupier.floor.live import LiveTable, from_memory
from croupier.rulebook import Refusal

COLUMNS = [getattr(schema.events.c, name) for name in LogEvent._fields]


class LogBroken(Exception):
    """The log does not agree with itself, or with the rules: the first bad event is named."""

    def __init__(self, stream: str, number: int, why: str) -> None:
        super().__init__(f"event {number} of {stream}: {why}")
        self.stream, self.number, self.why = stream, number, why


def event_of(row: Row[Any]) -> LogEvent:
    return LogEvent._make(row)


def values(event: LogEvent) -> dict[str, Any]:
    """An event as a row."""
    return event._asdict()


def read(
    conn: Connection, stream: str, after: int = 0, upto: int | None = None,
    limit: int | None = None, reader: str | None = None,
) -> Iterator[LogEvent]:  # fmt: skip
    """The events of a stream in order, a few at a time; those that a reader may see, or all."""
    events = schema.events.c
    query = select(*COLUMNS).where(events.stream == stream, events.number > after)
    if upto is not None:
        query = query.where(events.number <= upto)
    if reader is not None:
        query = query.where(or_(events.seen_by.is_(None), events.seen_by == reader))
    query = query.order_by(events.number).limit(limit)
    for row in conn.execute(query.execution_options(yield_per=1000)):
        yield event_of(row)


def head(conn: Connection, stream: str) -> tuple[int, str] | None:
    """The number and the hash of the last event."""
    events = schema.events.c
    query = select(events.number, events.hash).where(events.stream == stream)
    row = conn.execute(query.order_by(events.number.desc()).limit(1)).first()
    return (row.number, row.hash) if row else None


def hash_of(conn: Connection, stream: str, number: int) -> str | None:
    events = schema.events.c
    query = select(events.hash).where(events.stream == stream, events.number == number)
    return conn.scalar(query)


def last_number(conn: Connection, stream: str) -> int:
    return (head(conn, stream) or (0, ""))[0]


def behind(conn: Connection, marks: Marks) -> dict[str, str]:
    """The streams that are not what was once signed, and what is wrong with each."""
    found = {}
    for stream in sorted(marks.newest.keys() | marks.against.keys()):
        number, hashes = last_number(conn, stream), partial(hash_of, conn, stream)
        if wrong := check(marks, stream, number, hashes):
            found[stream] = wrong
    return found


def load(conn: Connection, stream: str) -> LiveTable:
    """A table as its log left it: from the last snapshot, and the events since."""
    snapshots = schema.snapshots.c
    snapshot = conn.execute(
        select(schema.snapshots).where(snapshots.stream == stream)
    ).first()  # fmt: skip
    live = _from_snapshot(snapshot) if snapshot else None
    if live is None:
        live = LiveTable(stream)
    elif hash_of(conn, stream, live.number) != live.head:
        raise LogBroken(stream, live.number, "it is not the one that the snapshot holds")
    replay(live, read(conn, stream, after=live.number))
    held = select(schema.balances.c.account, schema.balances.c.cents)
    rows = conn.execute(held.where(schema.balances.c.stream == stream))
    if {a: c for a, c in rows if c} != {a: c for a, c in live.accounts().items() if c}:
        raise LogBroken(stream, live.number, "the balances are not what it adds up to")
    return live


def _from_snapshot(snapshot: Row[Any]) -> LiveTable | None:
    """None if it cannot be read, as one of other software: the log has everything."""
    try:
        return from_memory(json.loads(snapshot.state))
    except (ValueError, LookupError, TypeError, AttributeError, Refusal):
        return None


def replay(live: LiveTable, events: Iterable[LogEvent]) -> None:
    """Do again what the log says was done; every event must come out as it was written."""
    expected: list[LogEvent] = []
    for event in events:
        if expected:
            same = expected.pop(0)
        elif event.input is None:
            raise LogBroken(event.stream, event.number, "nothing caused it")
        else:
            expected = _again(live, event)
            same = expected.pop(0)
        if same != event:
            raise LogBroken(event.stream, event.number, difference(same, event))
    if expected:
        first = expected[0]
        raise LogBroken(first.stream, first.number, "it is missing")


def _again(live: LiveTable, event: LogEvent) -> list[LogEvent]:
    assert event.input is not None
    try:
        rows = live.step(json.loads(event.input), event.actor, event.at, event.request)
    except Exception as error:
        raise LogBroken(event.stream, event.number, f"it cannot be done again: {error}") from error
    if not rows:
        raise LogBroken(event.stream, event.number, "it follows from nothing")
    return rows


def difference(expected: LogEvent, found: LogEvent) -> str:
    """What is wrong with an event, in words."""
    if found.hash != found.computed():
        return "its hash is not that of its content"
    if found.previous != expected.previous or found.number != expected.number:
        return "it does not follow the event before it"
    wrong = [
        name
        for name in LogEvent._fields
        if name != "hash" and getattr(expected, name) != getattr(found, name)
    ]
    return f"by the rules its {' and '.join(wrong)} would be another" if wrong else "its hash"
