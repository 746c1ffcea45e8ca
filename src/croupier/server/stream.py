"""Telling: everyone who watches a table hears of each event once, in order.

A reader first catches up from the log, then hears what is published. Each sees
only the events that are theirs to see. One who does not keep up is let go, and
catches up when they come back with the number of the last event they have. A stream
ends at once when its session is over or its person has another role: that is asked
before every event.
"""

import asyncio
from collections import defaultdict
from collections.abc import AsyncGenerator, Callable
from enum import Enum

from croupier.floor import log
from croupier.floor.events import LogEvent, visible
from croupier.floor.roles import Denial, NotAllowed, Person
from croupier.floor.storage import Storage, StorageError

BEHIND = 1000  # events that may wait for a reader
PAGE = 500
HEARTBEAT = 15.0


class Sign(Enum):
    """What a listener is told besides events."""

    LOOK = 1  # another server has written something: look into the log
    CHECK = 2  # somebody's session or role has changed: ask whether this one may still listen


class Listener:
    """One open stream, and how its person is looked up."""

    def __init__(self, person: Person, still: Callable[[], Person]) -> None:
        self.waiting: asyncio.Queue[LogEvent | Sign] = asyncio.Queue(BEHIND)
        self.let_go = False
        self._person, self._still = person, still

    def check(self) -> None:
        """NotAllowed, if the session is over or its person is not who they were."""
        now = self._still()
        if (now.account, now.role, now.guest_of) != (
            self._person.account, self._person.role, self._person.guest_of
        ):  # fmt: skip
            raise NotAllowed(Denial.FORBIDDEN, "your role has changed: open the stream again")

    def may_hear(self, event: LogEvent) -> bool:
        """Whether this event is for them; NotAllowed, if none is any more."""
        self.check()
        return visible(event.seen_by, self._person.account, sees_all=self._person.sees_all)


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
            self._hand(listener, Sign.LOOK)

    def wake_all(self) -> None:
        for stream in self.listeners:
            self.wake(stream)

    def recheck(self) -> None:
        """A session has ended, or a role has changed: whoever may not listen any more is let go.

        Like everything here it is called in the event loop's thread.
        """
        for listeners in self.listeners.values():
            for listener in listeners:
                self._hand(listener, Sign.CHECK)

    def close(self) -> None:
        """The doors close: every stream ends, and can be taken up again later."""
        self.closing = True
        self.wake_all()

    def _hand(self, listener: Listener, event: LogEvent | Sign) -> None:
        try:
            listener.waiting.put_nowait(event)
        except asyncio.QueueFull:
            listener.let_go = True

    async def listen(
        self, stream: str, after: int, person: Person, still: Callable[[], Person]
    ) -> AsyncGenerator[bytes, None]:
        """The events after a number, as server-sent events, for as long as they may listen.

        `still` says who the listener is now, or raises NotAllowed. It is asked before every
        event, in the event loop's thread: it looks that up in memory.
        """
        listener = Listener(person, still)
        self.listeners[stream].add(listener)
        try:
            yield b"retry: 1000\n\n"
            last = after
            while not self.closing:
                while page := await asyncio.to_thread(self._page, stream, last):
                    for event in page:
                        last = event.number
                        if listener.may_hear(event):
                            yield message(event)
                behind = False
                while not (behind or self.closing or listener.let_go):
                    try:
                        async with asyncio.timeout(HEARTBEAT):
                            heard = await listener.waiting.get()
                    except TimeoutError:
                        listener.check()
                        yield b": still here\n\n"
                        break
                    if heard is Sign.CHECK:
                        listener.check()
                    elif heard is Sign.LOOK or heard.number > last + 1:
                        behind = True
                    elif heard.number == last + 1:
                        last = heard.number
                        if listener.may_hear(heard):
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


def message(event: LogEvent) -> bytes:
    """One server-sent event."""
    return f"id: {event.number}\nevent: {event.kind}\ndata: {event.told()}\n\n".encode()
