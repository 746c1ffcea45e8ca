"""Telling: everyone who watches a table hears of each event once, in order.

A reader first catches up from the log, then hears what is published. Each sees
only the events that are his to see. One who does not keep up is let go, and
catches up when he comes back with the number of the last event he has.
"""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Callable
from time import monotonic

from croupier.floor import log
from croupier.floor.events import LogEvent, visible
from croupier.floor.people import NotAllowed, Person
from croupier.floor.storage import Storage, StorageError

BEHIND = 1000  # events that may wait for a reader
PAGE = 500
HEARTBEAT = 15.0


class Listener:
    """One open stream."""

    def __init__(self) -> None:
        self.waiting: asyncio.Queue[LogEvent | None] = asyncio.Queue(BEHIND)
        self.let_go = False


class Broadcast:
    """Who listens to which table."""

    def __init__(self, storage: Storage) -> None:
        self.storage = storage
        self.listeners: defaultdict[str, set[Listener]] = defaultdict(set)
        self.closing = False

    @property
    def count(self) -> int:
        return sum(map(len, self.listeners.values()))

    def publish(self, stream: str, events: list[LogEvent]) -> None:
        """Hand these to everyone who listens."""
        for listener in self.listeners.get(stream, ()):
            for event in events:
                self._hand(listener, event)

    def wake(self, stream: str) -> None:
        """Another server has written something: look into the log."""
        for listener in self.listeners.get(stream, ()):
            self._hand(listener, None)

    def wake_all(self) -> None:
        for stream in self.listeners:
            self.wake(stream)

    def close(self) -> None:
        """The doors close: every stream ends, and can be taken up again later."""
        self.closing = True
        self.wake_all()

    def _hand(self, listener: Listener, event: LogEvent | None) -> None:
        try:
            listener.waiting.put_nowait(event)
        except asyncio.QueueFull:
            listener.let_go = True

    async def listen(
        self, stream: str, after: int, person: Person, still: Callable[[], Person]
    ) -> AsyncIterator[bytes]:
        """The events after a number, as server-sent events, for as long as he may listen."""
        listener = Listener()
        self.listeners[stream].add(listener)
        checked = monotonic()
        try:
            yield b"retry: 1000\n\n"
            last = after
            while not self.closing:
                while page := await asyncio.to_thread(self._page, stream, last):
                    for event in page:
                        last = event.number
                        if _may_see(event, person):
                            yield message(event)
                behind = False
                while not (behind or self.closing or listener.let_go):
                    if monotonic() - checked >= HEARTBEAT:
                        person, checked = await asyncio.to_thread(still), monotonic()
                    try:
                        async with asyncio.timeout(HEARTBEAT):
                            heard = await listener.waiting.get()
                    except TimeoutError:
                        yield b": still here\n\n"
                        break
                    if heard is None or heard.number > last + 1:
                        behind = True
                    elif heard.number == last + 1:
                        last = heard.number
                        if _may_see(heard, person):
                            yield message(heard)
                if listener.let_go:
                    return
        except (NotAllowed, StorageError):
            return
        finally:
            self.listeners[stream].discard(listener)
            if not self.listeners[stream]:
                self.listeners.pop(stream, None)

    def _page(self, stream: str, after: int) -> list[LogEvent]:
        with self.storage.read() as conn:
            return list(log.read(conn, stream, after=after, limit=PAGE))


def _may_see(event: LogEvent, person: Person) -> bool:
    return visible(event.seen_by, person.account, sees_all=person.sees_all)


def message(event: LogEvent) -> bytes:
    """One server-sent event."""
    return f"id: {event.number}\nevent: {event.kind}\ndata: {event.told()}\n\n".encode()
