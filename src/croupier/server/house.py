"""The house: everything that one server is made of, opened in order and closed in order."""

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

from sqlalchemy import Connection, Row, delete, func, select, text

from croupier import __version__
from croupier.floor import log, schema
from croupier.floor.checkpoint import Notary
from croupier.floor.clock import Clock, SystemClock, read, written
from croupier.floor.events import HOUSE, LogEvent
from croupier.floor.live import LiveTable, Terms
from croupier.floor.people import HASHES_AT_ONCE, People
from croupier.floor.pit import (
    THE_HOUSE,
    Done,
    Pit,
    Policies,
    Reading,
    Work,
    hand_out,
    new_id,
    opening,
)
from croupier.floor.software import software
from croupier.floor.storage import Storage, StorageError, StorageRefused
from croupier.games import registry
from croupier.server.config import Config
from croupier.server.stream import Broadcast

T = TypeVar("T")

logger = logging.getLogger("croupier.house")

REMEMBER_DAYS = 30  # for which a command sent again gets its old answer
BELIEVED = 10.0  # seconds in which a token is not looked up again; a log-out is told at once
AUDIT_HOURS = 24  # between two looks at the whole log, 13:69O-1.5(c)


class House:
    """Storage, pit, accounts and those who watch."""

    def __init__(self, config: Config, *, clock: Clock | None = None, **parts: Any) -> None:
        """`parts` go to the pit: tests bring their own chance."""
        self.config = config
        self.clock = clock or SystemClock()
        self.storage = Storage(config.db)
        self.broadcast = Broadcast(self.storage)
        self.loop: asyncio.AbstractEventLoop | None = None
        self.parts = parts
        self.address: str | None = None  # at which other servers reach this one
        self.known_tables: dict[str, Row[Any]] = {}
        self.pit: Pit
        self.people: People
        self._audit: threading.Thread | None = None
        self._listening: threading.Thread | None = None
        self._closing = threading.Event()
        self._hashing = ThreadPoolExecutor(HASHES_AT_ONCE, "hashing")

    def terms(self, **said: Any) -> Terms:
        """How a table is run, unless somebody says otherwise."""
        config = self.config
        usual = {
            "bet_seconds": config.bet_seconds,
            "move_seconds": config.move_seconds,
            "offer_seconds": config.offer_seconds,
            "most_buy_in": config.most_buy_in,
        }
        return Terms(**usual | {key: value for key, value in said.items() if value is not None})

    def open(self) -> None:
        """Everything that must be in order before the first patron comes in."""
        try:
            self._open()
        except BaseException:
            self.storage.close()
            raise

    def _open(self) -> None:
        config = self.config
        self.storage.lock()
        self.storage.migrate()
        notary = Notary(config.checkpoints, config.key_file)
        self._check_checkpoints(notary)
        policies = Policies(
            idle_seconds=60 * config.idle_minutes,
            notice_minutes=config.notice_minutes,
            checkpoint_events=config.checkpoint_events,
            checkpoint_seconds=config.checkpoint_seconds,
            most_private=config.most_private,
        )
        self.pit = Pit(
            self.storage, clock=self.clock, notary=notary, policies=policies,
            address=self.address, publish=self._publish, deliver=self._deliver, **self.parts,
        )  # fmt: skip
        self.people = People(
            self.storage, self.clock, note=self.pit.note,
            token_minutes=config.token_minutes, session_hours=config.session_hours,
            tries=config.tries, lock_minutes=config.lock_minutes, believed=BELIEVED,
        )  # fmt: skip
        self._note_start()
        self.pit.start()
        self._open_first_tables()
        if self.storage.dialect == "postgresql":
            self._listening = threading.Thread(target=self._listen, name="listen", daemon=True)
            self._listening.start()
        self._audit = threading.Thread(target=self._audits, name="audit", daemon=True)
        self._audit.start()

    def close(self) -> None:
        """Finish what was begun; nothing is lost if this is never reached."""
        self._closing.set()
        self.broadcast.close()
        self.pit.stop()
        for thread in (self._audit, self._listening):
            if thread is not None:
                thread.join(timeout=5)
        self._hashing.shutdown()
        self.storage.close()

    async def do(self, work: Work) -> Any:
        """Ask the pit, without keeping anyone else waiting."""
        there: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self.pit.submit(work, lambda outcome: None if there.done() else there.set_result(outcome))
        outcome = await there
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    async def look(self, stream: str, at: Callable[[LiveTable], T]) -> T:
        """Look at a table: in the pit if this server runs it, else at a copy."""
        if stream in self.pit.tables:
            found: T = await self.do(Reading(lambda pit: at(pit.seen(stream))))
            return found
        return await asyncio.to_thread(self.pit.copy, stream, at)

    async def read(self, look: Callable[[Connection], T]) -> T:
        """Look something up in the database, without keeping anyone else waiting."""

        def looked() -> T:
            with self.storage.read() as conn:
                return look(conn)

        return await asyncio.to_thread(looked)

    async def hashing(self, work: Callable[..., T], *given: Any, **more: Any) -> T:
        """Work that hashes a password, which may keep nobody else waiting."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._hashing, partial(work, *given, **more))

    def _deliver(self, results: Sequence[tuple[Done, Any]]) -> None:
        if self.loop is None:
            hand_out(results)
        elif not self.loop.is_closed():
            self.loop.call_soon_threadsafe(hand_out, results)

    def _publish(self, stream: str, events: list[LogEvent]) -> None:
        if self.loop is not None and not self.loop.is_closed():
            if events:
                if stream in self.broadcast.listeners:
                    self.loop.call_soon_threadsafe(self.broadcast.publish, stream, events)
            else:
                self.loop.call_soon_threadsafe(self.broadcast.wake, stream)

    def _check_checkpoints(self, notary: Notary) -> None:
        """A log that is shorter than it was once signed to be, or another, opens no doors."""
        with self.storage.read() as conn:
            for wrong in log.behind(conn, notary.read(thorough=False)).values():
                raise StorageRefused(
                    f"{wrong}; run croupier verify, and if an older backup was meant to be "
                    "restored, say so with croupier restored"
                )

    def _note_start(self) -> None:
        with self.storage.write() as conn:
            events = schema.events.c
            last = conn.scalar(
                select(events.rules)
                .where(events.stream == HOUSE, events.kind == "started")
                .order_by(events.number.desc()).limit(1)
            )  # fmt: skip
            changed = last != software()
            self.pit.note(conn, "started", "house", version=__version__, software=software(),
                          changed=changed)  # fmt: skip

    def _open_first_tables(self) -> None:
        """A new floor has a table of every game, or those that the operator wants."""
        with self.storage.read() as conn:
            if conn.scalar(select(func.count()).select_from(schema.tables)):
                return
        for at, each in enumerate(self.config.to_open(), 1):
            name = each.name or registry()[each.game].title
            body = opening(each.game, name, each.options, self.terms(dealer=each.dealer))
            self.pit.do(new_id(), THE_HOUSE, body, f"first/{at}")

    def _listen(self) -> None:
        """PostgreSQL tells what other servers have written."""
        import psycopg

        url = self.storage.url.replace("postgresql+psycopg://", "postgresql://", 1)
        while not self._closing.is_set():
            try:
                with psycopg.connect(url, autocommit=True) as connection:
                    connection.execute("LISTEN croupier")
                    self._catch_up()
                    while not self._closing.is_set():
                        for notify in connection.notifies(timeout=1, stop_after=1):
                            self._heard(notify.payload)
            except psycopg.OperationalError as error:
                logger.warning("nothing is heard of other servers: %s", error)
                self._closing.wait(1)

    def _catch_up(self) -> None:
        """What was told while nobody listened is in the database."""
        self.people.forget()
        if self.loop is not None and not self.loop.is_closed():
            self.loop.call_soon_threadsafe(self.broadcast.wake_all)

    def _heard(self, stream: str) -> None:
        if stream == HOUSE:  # a session has ended somewhere
            self.people.forget()
        mine = stream in self.pit.tables
        if not mine and self.loop is not None and not self.loop.is_closed():
            self.loop.call_soon_threadsafe(self.broadcast.wake, stream)

    def _audits(self) -> None:
        """The whole log is looked through at the start and every day; a bad table is frozen."""
        while not self._closing.is_set():
            try:
                self.sweep()
                self.audit()
            except Exception:
                logger.exception("the log could not be looked through")
            self._closing.wait(3600 * AUDIT_HOURS)

    def audit(self) -> dict[str, str]:
        """Every chain from its beginning; what is wrong, by table, which is frozen for it."""
        found: dict[str, str] = {}
        with self.storage.read() as conn:
            streams = conn.scalars(select(schema.events.c.stream).distinct()).all()
        for stream in streams:
            wrong = self._first_break(stream)
            if wrong:
                found[stream] = wrong
                logger.critical("the log is bad: %s", wrong)
                if stream in self.pit.tables:
                    body = {"do": "freeze", "why": f"its log is bad: {wrong}"}
                    self.pit.do(stream, THE_HOUSE, body)
        return found

    def _first_break(self, stream: str) -> str | None:
        """The first event that does not follow from the one before it. Others go first."""
        last, number = "", 0
        while not self._closing.is_set():
            with self.storage.read() as conn:
                page = list(log.read(conn, stream, after=number, limit=500))
            for event in page:
                if event.number != number + 1 or (last and event.previous != last):
                    return f"event {event.number} of {stream} does not follow the one before it"
                if event.hash != event.computed():
                    return f"event {event.number} of {stream} is not what was written"
                last, number = event.hash, event.number
            if len(page) < 500:
                return None
            time.sleep(0.02)
        return None

    def sweep(self) -> None:
        """Forget sessions that are over, and answers that nobody will ask for again."""
        self.people.sweep()
        now = read(self.clock.now())
        old = written(now.fromtimestamp(now.timestamp() - 86400 * REMEMBER_DAYS, now.tzinfo))
        with self.storage.write() as conn:
            conn.execute(delete(schema.requests).where(schema.requests.c.at < old))

    def healthy(self) -> str | None:
        """Why no wager can be taken, or None."""
        if self.pit.failed is not None:
            return str(self.pit.failed)
        if self.pit.full:
            return "the disk is full"
        if not self.pit.is_running:
            return "the pit is closed"
        try:
            with self.storage.read() as conn:
                conn.execute(text("SELECT 1"))
        except StorageError as error:
            return str(error)
        return None
