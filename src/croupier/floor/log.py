"""Reading and writing the log: the rows of the database as events, and tables out of them."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from itertools import zip_longest
from typing import Any

from sqlalchemy import Connection, Row, or_, select

from croupier.floor import heads, older, schema
from croupier.floor.checkpoint import Marks, check
from croupier.floor.events import HOUSE, LogEvent
from croupier.floor.live import Input, LiveTable, from_memory
from croupier.floor.marks import ANCHOR, NAMING
from croupier.floor.salvage import apart, column, in_words, is_of_the_rows
from croupier.floor.seal import Seal
from croupier.floor.shapes import is_text, key_of, misfit, rows_of, shapes

COLUMNS = [getattr(schema.events.c, name) for name in LogEvent._fields]
SHAPES = shapes(schema.events)
MOST = 2**63 - 1  # no number is above it: what is no number is
STATUSES = {"open", "frozen", "closed"}


class LogBroken(Exception):
    """The log does not agree with itself, or with the rules: the first bad event is named.

    Without a number, it is something beside the log that is bad.
    """

    def __init__(self, stream: str, number: int | None, why: str) -> None:
        stream, why = _printable(stream), _printable(why)
        what = stream if number is None else f"event {number} of {stream}"
        super().__init__(f"{what}: {why}")
        self.stream, self.number, self.why = stream, number, why


def _printable(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode()


def event_of(row: Sequence[Any]) -> LogEvent:
    """A row as an event; `LogBroken` if it cannot be one."""
    if tuple(map(type, row)) not in SHAPES:
        raise _misshapen(row)
    return LogEvent._make(row)


def _misshapen(row: Sequence[Any]) -> LogBroken:
    stream, number = row[0], row[1]
    return LogBroken(
        stream if is_text(stream) else "the events",
        number if type(number) is int else None,
        misfit(schema.events, row),
    )


@contextmanager
def reading(stream: str) -> Iterator[None]:
    """Whatever is wrong with the rows of a stream is a `LogBroken` of that stream.

    What is wrong with the connection or with the whole disk stays what it is.
    """
    try:
        yield
    except LogBroken:
        raise
    except Exception as error:
        if not is_of_the_rows(error):
            raise
        raise LogBroken(stream, None, f"it cannot be read: {in_words(error)}") from error


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
    query = select(events.number, events.hash).where(
        events.stream == stream, events.number <= MOST
    )  # fmt: skip
    row = conn.execute(query.order_by(events.number.desc()).limit(1)).first()
    if row is None:
        return None
    number, last = row
    if type(number) is not int or type(last) is not str:
        raise LogBroken(stream, None, "its last event is damaged")
    return number, last


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
        try:
            with reading(stream), apart(conn):
                number, hashes = last_number(conn, stream), partial(hash_of, conn, stream)
                wrong = check(marks, stream, number, hashes)
        except LogBroken as broken:
            wrong = str(broken)
        if wrong:
            found[stream] = wrong
    return found


def last_anchor(conn: Connection, chain: str | None = None) -> tuple[str, dict[str, Any]]:
    """The last event of the house that names a line of the checkpoints: its kind and its data.

    With a chain, the last one that names a line of it: several servers have a chain each.
    """
    events = schema.events.c
    query = select(events.kind, events.data).where(events.stream == HOUSE, events.kind.in_(NAMING))
    for row in conn.execute(query.order_by(events.number.desc())):
        data = _data(row.data)
        named = data.get(ANCHOR)
        of = named.get("chain") if isinstance(named, dict) else None
        if named is not None and chain in (None, of):
            return row.kind, data
    return "", {}


def _data(text: str) -> dict[str, Any]:
    """What an event says; nothing if it cannot be read."""
    try:
        said = json.loads(text)
    except (ValueError, TypeError, RecursionError):
        return {}
    return said if isinstance(said, dict) else {}


def directory(conn: Connection) -> tuple[list[str], dict[str, str]]:
    """The tables that are not closed; and what is damaged of their directory, in sentences."""
    ids, wrong = column(conn, schema.tables, "id", "status <> 'closed' OR status IS NULL")
    damaged = {} if not wrong else {"the directory of tables": f"a part cannot be read: {wrong}"}
    damaged |= {ascii(each): "its id is not text" for each in ids if not is_text(each)}
    return [each for each in ids if is_text(each)], damaged


def open_tables(conn: Connection) -> list[Row[Any]]:
    """The tables that are not closed, as the directory has them; damaged rows are left out."""
    here = schema.tables.c
    try:
        with reading("the directory of tables"), apart(conn):
            query = select(schema.tables).where(here.status != "closed").order_by(here.opened_at)
            rows = [*conn.execute(query)]
    except LogBroken:
        rows = []
        for stream in directory(conn)[0]:
            with suppress(LogBroken), reading(stream), apart(conn):
                rows += conn.execute(select(schema.tables).where(here.id == stream))
    return [row for row in rows if not misfit(schema.tables, row)]


def listing(conn: Connection, stream: str) -> Mapping[str, Any]:
    """A table as the directory has it; `LogBroken` if that row is damaged."""
    with reading(stream):
        rows = rows_of(conn, schema.tables, "WHERE id = :id", id=stream)
        if len(rows) != 1:
            times = "twice" if rows else "not"
            raise LogBroken(stream, None, f"it is {times} in the directory of tables")
        row = dict(zip(schema.tables.columns.keys(), rows[0], strict=True))
        wrong = misfit(schema.tables, rows[0])
        if not wrong and row["status"] not in STATUSES:
            wrong = f"its status is {row['status']!r}, which no table has"
        if wrong:
            raise LogBroken(stream, None, f"the directory of tables is damaged: {wrong}")
        return row


def load(conn: Connection, stream: str, seal: Seal) -> LiveTable:
    """A table as its log left it: from the last snapshot, and the events since.

    A snapshot that the house has not sealed is not believed, nor are events beyond the
    sealed head. Whatever is wrong with its rows is a `LogBroken` of this table.
    """
    with reading(stream):
        live = _from_snapshot(conn, stream, seal)
        if live is None:
            live = LiveTable(stream)
        elif hash_of(conn, stream, live.number) != live.head:
            raise LogBroken(stream, live.number, "it is not the one that the snapshot holds")
        replay(live, read(conn, stream, after=live.number))
        _check_head(conn, seal, live)
        accounts = {account: cents for account, cents in live.accounts().items() if cents}
        if _balances(conn, stream) != accounts:
            raise LogBroken(stream, live.number, "the balances are not what it adds up to")
        return live


def _check_head(conn: Connection, seal: Seal, live: LiveTable) -> None:
    try:
        head = heads.sealed_head(conn, seal, live.stream)
    except heads.BadSeal as bad:
        raise LogBroken(live.stream, live.number, str(bad)) from None
    if head == (live.number, live.head):
        return
    if head is None or head[0] < live.number:
        first = head[0] + 1 if head else 1
        raise LogBroken(live.stream, first, "nobody of the house sealed it")
    raise LogBroken(live.stream, live.number + 1, "it is missing: the house sealed it")


def _from_snapshot(conn: Connection, stream: str, seal: Seal) -> LiveTable | None:
    """None if it cannot be read, as one of other software: the log has everything."""
    for row in rows_of(conn, schema.snapshots, "WHERE stream = :stream", stream=stream):
        state = dict(zip(schema.snapshots.columns.keys(), row, strict=True))["state"]
        if misfit(schema.snapshots, row) or not seal.fits(row[-1], "snapshot", *row[:-1]):
            return None
        try:
            return from_memory(json.loads(state))
        except Exception:
            return None
    return None


def _balances(conn: Connection, stream: str) -> dict[str, int]:
    """What each account of a table holds, but those that hold nothing."""
    held: dict[str, int] = {}
    for row in rows_of(conn, schema.balances, "WHERE stream = :stream", stream=stream):
        account, cents = row[1], row[2]
        wrong = misfit(schema.balances, row) or ("it is there twice" if account in held else "")
        if wrong:
            key = key_of(schema.balances, row)
            raise LogBroken(stream, None, f"the balance {key} is damaged: {wrong}")
        held[account] = cents
    return {account: cents for account, cents in held.items() if cents}


Heard = Callable[[LiveTable, list[LogEvent]], None]


def replay(
    live: LiveTable, events: Iterable[LogEvent], before: Heard | None = None,
    after: Heard | None = None,
) -> None:  # fmt: skip
    """Do again what the log says was done; every event must come out as it was written.

    `before` is told of the events of a command before it is done again, and `after` when all
    of them have come out.
    """
    for written in _commands(events):
        first = written[0]
        if first.input is None:
            raise LogBroken(first.stream, first.number, "nothing caused it")
        if before is not None:
            before(live, written)
        for expected, found in zip_longest(_done_again(live, written), written):
            if found is None:
                raise LogBroken(expected.stream, expected.number, "it is missing")
            if expected is None:
                raise LogBroken(found.stream, found.number, "nothing caused it")
            if expected != found:
                raise LogBroken(found.stream, found.number, difference(expected, found))
        if after is not None:
            after(live, written)


def _commands(events: Iterable[LogEvent]) -> Iterator[list[LogEvent]]:
    """The events of one command after the other: the first of each holds the input."""
    written: list[LogEvent] = []
    for event in events:
        if written and event.input is not None:
            yield written
            written = []
        written.append(event)
    if written:
        yield written


def _done_again(live: LiveTable, written: list[LogEvent]) -> list[LogEvent]:
    """The events that a command has by the rules."""
    said = input_of(written[0])
    if not older.lost_its_order(said):
        return _step(live, written[0], said)
    for order in older.orders(said, written):
        tried = live.rebuilt()
        with suppress(LogBroken):
            if _step(tried, written[0], order) == written:
                said = order
                break
    return _step(live, written[0], said)


def input_of(event: LogEvent) -> Input:
    """What a command said; `LogBroken` if that is no command."""
    try:
        said: Input = json.loads(event.input or "")
        assert isinstance(said["do"], str)
    except (ValueError, TypeError, KeyError, AssertionError, RecursionError):
        why = "it cannot be done again: its input is no command"
        raise LogBroken(event.stream, event.number, why) from None
    return said


def _step(live: LiveTable, event: LogEvent, said: Input) -> list[LogEvent]:
    try:
        rows = live.step(said, event.actor, event.at, event.request)
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
