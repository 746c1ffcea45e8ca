"""Following a stream from its first event to its last, whatever is wrong with its rows."""

from collections.abc import Callable, Iterator

from sqlalchemy import Connection, select

from croupier.floor import checkpoint, integrity, log, schema
from croupier.floor.checkpoint import Marks
from croupier.floor.events import BEGINNING, HOUSE, LogEvent
from croupier.floor.log import LogBroken
from croupier.floor.salvage import apart, column
from croupier.floor.shapes import is_text
from croupier.floor.storage import Storage

PAGE = 1000  # events that are read at a time
LEAST = -(2**63)  # a number that no event is below: one that was put before the first shows too
STREAMS = (
    schema.events.c.stream, schema.tables.c.id, schema.balances.c.stream,
    schema.snapshots.c.stream, schema.heads.c.stream,
)  # fmt: skip


def streams_of(conn: Connection, marks: Marks) -> tuple[list[str], list[LogBroken]]:
    """All that have events, or should have them: the house, then the tables.

    Names that are no names, and the parts where some cannot be read, are findings.
    """
    found: set[str] = {stream for stream, mark in marks.newest.items() if mark.count}
    found |= marks.against.keys()
    bad = []
    for each in STREAMS:
        place = integrity.place(each.table)
        names, wrong = column(conn, each.table, each.name)
        found.update(name for name in names if is_text(name))
        bad += [
            LogBroken(place, None, f"rows are of {name!a}, which is not text")
            for name in names if not is_text(name)
        ]  # fmt: skip
        if wrong:
            bad.append(LogBroken(place, None, f"a part cannot be read: {wrong}"))
    return sorted(found, key=_house_first), bad


def streams(storage: Storage) -> tuple[list[str], list[LogBroken]]:
    """All the streams there are, and what is wrong with the rows that name them."""
    with storage.read() as conn:
        return streams_of(conn, Marks())


def _house_first(stream: str) -> tuple[bool, str]:
    return stream != HOUSE, stream


class Chain:
    """One stream, from its first event to its last."""

    def __init__(self, storage: Storage, stream: str, marks: Marks) -> None:
        self.storage, self.stream, self.marks = storage, stream, marks
        self.tick: Callable[[int], bool | None] = lambda number: None
        self.number, self.head = 0, BEGINNING  # of the last event that was read
        self.rounds = 0
        self.found: list[LogBroken] = []
        self.broken_at: int | None = None  # the first bad event, from which on nothing was checked
        self.page: list[LogEvent] = []

    def findings(self) -> list[LogBroken]:
        """All that is wrong with this stream and what is kept beside it.

        The log is followed up to its first bad event. Whatever goes wrong is a finding.
        """
        try:
            with log.reading(self.stream):
                self.check()
        except LogBroken as broken:
            self.found.insert(0, broken)
            self.broken_at = broken.number or 0
        return self.found

    def check(self) -> None:
        """Raise `LogBroken` at the first bad event; what else is wrong is added to `found`."""
        raise NotImplementedError

    def look(self, conn: Connection, *, at_the_end: bool) -> None:
        """Read what is kept beside the log, in the same moment as a page of it."""

    def events(self) -> Iterator[LogEvent]:
        """The chain, a page at a time; then what the checkpoints say of it."""
        mark = self.marks.newest.get(self.stream)
        signed: str | None = None
        at_the_end = False
        while not at_the_end:
            after = self.page[-1].number if self.page else LEAST
            with self.storage.read() as conn:
                self.page, unread = self._read(conn, after)
                at_the_end = len(self.page) < PAGE
                self.look(conn, at_the_end=at_the_end)
            for event in self.page:
                self._link(event)
                if mark is not None and event.number == mark.count:
                    signed = event.hash
                yield event
            if unread is not None:
                raise unread
            if self.tick(self.number):
                return
        wrong = checkpoint.check(self.marks, self.stream, self.number, lambda _: signed)
        if wrong:
            number = min(mark.count, self.number + 1) if mark else self.number
            raise self.broken(wrong, number)

    def _read(self, conn: Connection, after: int) -> tuple[list[LogEvent], LogBroken | None]:
        """A page of events, up to one that cannot be read."""
        page: list[LogEvent] = []
        limit = PAGE
        while True:
            last = page[-1].number if page else after
            try:
                with log.reading(self.stream), apart(conn):
                    got = 0
                    for event in log.read(conn, self.stream, after=last, limit=limit):
                        page.append(event)
                        got += 1
            except LogBroken as broken:
                if broken.number is None and limit > 1:
                    limit = 1  # one by one, up to the very event
                    continue
                due = (page[-1].number if page else max(after, 0)) + 1
                number = due if broken.number is None else broken.number
                return page, LogBroken(self.stream, number, broken.why)
            if got < limit or len(page) >= PAGE:
                return page, self._unnumbered(conn) if len(page) < PAGE else None

    def _unnumbered(self, conn: Connection) -> LogBroken | None:
        """An event without a number stands nowhere in the order."""
        events = schema.events.c
        query = select(events.stream).where(events.stream == self.stream, events.number.is_(None))
        lost = conn.execute(query.limit(1)).first()
        return LogBroken(self.stream, None, "an event of it has no number") if lost else None

    def _link(self, event: LogEvent) -> None:
        """The event is the next one, and has the hash of its content."""
        due = self.number + 1
        if event.number != due:
            is_gone = type(event.number) is int and event.number > due
            why = "it is missing" if is_gone else "it has no place in the log"
            raise self.broken(why, due if is_gone else event.number)
        self.number = due
        if event.hash != _hash(event):
            raise self.broken("its hash is not that of its content")
        if event.previous != self.head:
            raise self.broken("it does not follow the event before it")
        self.head = event.hash

    def broken(self, why: str, number: int | None = None) -> LogBroken:
        """The event that was read last, or another one, is bad."""
        return LogBroken(self.stream, self.number if number is None else number, why)

    def find(self, why: str, number: int | None = None) -> None:
        """The same, and the rest is checked all the same."""
        self.found.append(self.broken(why, number))


class Links(Chain):
    """A stream whose hashes alone are checked."""

    def check(self) -> None:
        for _ in self.events():
            pass


def first_break(
    storage: Storage, stream: str, tick: Callable[[int], bool | None] = lambda number: None
) -> LogBroken | None:
    """The first event of a stream that does not follow from the one before it.

    No round is played again. `tick` hears how far it is, and says whether to stop.
    """
    links = Links(storage, stream, Marks())
    links.tick = tick
    return next(iter(links.findings()), None)


def _hash(event: LogEvent) -> str:
    """What the hash must be; of a row that holds no text, nothing can be."""
    try:
        return event.computed()
    except (TypeError, ValueError):
        return ""
