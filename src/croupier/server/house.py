"""The house: everything that one server is made of, opened in order and closed in order."""

import asyncio
import logging
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from sqlalchemy import Connection, func, select, text

from croupier import __version__
from croupier.floor import chains, log, schema
from croupier.floor.checkpoint import Expected, Notary, check_anchor
from croupier.floor.clock import Clock, SystemClock
from croupier.floor.commands import THE_HOUSE, new_id, opening
from croupier.floor.events import HOUSE, LogEvent
from croupier.floor.house_log import HouseLog
from croupier.floor.live import LiveTable, Terms
from croupier.floor.mirror import Mirror
from croupier.floor.people import HASHES_AT_ONCE, People
from croupier.floor.pit import Done, Pit, Reading, Work, hand_out
from croupier.floor.policies import Policies
from croupier.floor.sinks import Sinks
from croupier.floor.software import software
from croupier.floor.storage import Storage, StorageError, StorageRefused
from croupier.games import registry
from croupier.server.config import Config
from croupier.server.stream import Broadcast

T = TypeVar("T")

logger = logging.getLogger("croupier.house")

WAY_OUT = (
    "run croupier verify, and if an older backup was meant to be restored, say so with "
    "croupier restored"
)
AUDIT_HOURS = 24  # between two looks at the whole log, 13:69O-1.5(c)


@dataclass(frozen=True)
class Known:
    """What never changes about a table."""

    id: str
    name: str
    game: str
    private: bool
    link: str | None
    opened_by: str

    @classmethod
    def of(cls, live: LiveTable) -> "Known":
        game = live.table.game.id
        return cls(live.stream, live.name, game, live.private, live.link, live.opened_by)


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
        self._known: dict[str, Known] = {}
        self.found_bad: dict[str, str] = {}  # the logs that the last audit found bad, and why
        self.log: HouseLog
        self.pit: Pit
        self.people: People
        self._audit: threading.Thread | None = None
        self._listening: threading.Thread | None = None
        self.sinks: Sinks | None = None  # copies of the checkpoints
        self.mirror: Mirror | None = None  # the copy of the log
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
        if exposed := config.exposed_key():
            logger.warning("%s", exposed)
        behind = self._check_checkpoints(notary)
        policies = Policies(
            idle_seconds=60 * config.idle_minutes,
            notice_minutes=config.notice_minutes,
            checkpoint_seconds=config.checkpoint_seconds,
            most_private=config.most_private,
            alone_cents=config.alone_cents,
            large_cents=config.large_cents,
            most_seats=config.most_seats,
            most_disputes=config.most_disputes,
        )
        self.log = HouseLog(self.storage, self.clock, notary, heard=self._heard_of_people)
        self.pit = Pit(
            self.storage, house=self.log, clock=self.clock, notary=notary, policies=policies,
            address=self.address, publish=self._publish, deliver=self._deliver, **self.parts,
        )  # fmt: skip
        for stream, why in behind.items():
            logger.critical("table %s stays closed: %s", stream, why)
            self.pit.broken[stream] = why
        self.people = People(
            self.storage, self.clock, self.log,
            token_minutes=config.token_minutes, session_hours=config.session_hours,
            tries=config.tries, lock_minutes=config.lock_minutes,
        )  # fmt: skip
        try:
            self._note_start(notary)
        except log.LogBroken as broken:
            raise StorageRefused(f"the house's own log is bad: {broken}; {WAY_OUT}") from None
        self.pit.start()
        self._open_first_tables()
        if self.storage.dialect == "postgresql":
            self._listening = threading.Thread(target=self._listen, name="listen", daemon=True)
            self._listening.start()
        self._audit = threading.Thread(target=self._audits, name="audit", daemon=True)
        self._audit.start()
        self._open_copies(notary)

    def _open_copies(self, notary: Notary) -> None:
        """What is signed and what is played is copied elsewhere; no table waits for it."""
        config = self.config
        self.sinks = Sinks(
            notary, config.checkpoint_copies, config.checkpoint_command, config.checkpoint_db
        )
        self.sinks.start()
        if config.mirror is not None:
            self.mirror = Mirror(self.storage, config.mirror)
            self.mirror.start()

    def close(self) -> None:
        """Finish what was begun; nothing is lost if this is never reached."""
        self._closing.set()
        self.broadcast.close()
        with suppress(StorageError):
            self.people.note_the_crowd()
        self.pit.stop()
        for copies in (self.sinks, self.mirror):
            if copies is not None:
                copies.stop()
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

    async def known(self, table: str) -> "Known":
        """What never changes about a table, by its own log."""
        if table not in self._known:
            self._known[table] = await self.look(table, Known.of)
        return self._known[table]

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

    def _check_checkpoints(self, notary: Notary) -> dict[str, str]:
        """The tables whose log is not what was once signed, which stay closed, and why.

        If the house's own log or the checkpoints themselves are not what they were, as after
        an older backup was restored, no doors open.
        """
        marks, expected = notary.read(thorough=False), Expected()
        with self.storage.read() as conn:
            mine = marks.chain if self.storage.dialect == "postgresql" else None
            expected.hear(*log.last_anchor(conn, mine))
            behind = log.behind(conn, marks)
        wrong = [flaw.sentence for flaw in marks.flaws] + check_anchor(marks, expected)
        if HOUSE in behind:
            wrong.append(behind[HOUSE])
        if wrong:
            raise StorageRefused(f"{wrong[0]}; {WAY_OUT}")
        return {stream: f"{why}; {WAY_OUT}" for stream, why in behind.items()}

    def _note_start(self, notary: Notary) -> None:
        with self.log.writing() as conn:
            events = schema.events.c
            last = conn.scalar(
                select(events.rules)
                .where(events.stream == HOUSE, events.kind == "started")
                .order_by(events.number.desc()).limit(1)
            )  # fmt: skip
            changed = last != software()
            self.log.note(conn, "started", "house", version=__version__, software=software(),
                          changed=changed, anchor=notary.state())  # fmt: skip
            if self.log.register.lends != (lends := self.config.cage == "lends"):
                self.log.note(conn, "cage", "house", lends=lends)

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
        self.log.refresh()
        if self.loop is not None and not self.loop.is_closed():
            self.loop.call_soon_threadsafe(self.broadcast.wake_all)

    def _heard(self, stream: str) -> None:
        if stream == HOUSE:
            self.log.refresh()
        mine = stream in self.pit.tables
        if not mine and self.loop is not None and not self.loop.is_closed():
            self.loop.call_soon_threadsafe(self.broadcast.wake, stream)

    def _heard_of_people(self) -> None:
        """Rights may have changed: whoever listens without one does so no longer."""
        if self.loop is not None and not self.loop.is_closed():
            self.loop.call_soon_threadsafe(self.broadcast.recheck)

    def _audits(self) -> None:
        """The whole log is looked through at the start and every day; a bad table is frozen."""
        while not self._closing.is_set():
            try:
                self.audit()
            except Exception:
                logger.exception("the log could not be looked through")
            self._closing.wait(3600 * AUDIT_HOURS)

    def audit(self) -> dict[str, str]:
        """Every chain from its beginning; what is wrong, by table, which is frozen for it.

        Whatever is wrong with one, the others are looked at.
        """
        streams, nameless = chains.streams(self.storage)
        found = {bad.stream: str(bad) for bad in nameless}
        for stream in streams:
            if broken := chains.first_break(self.storage, stream, self._others_first):
                found[stream] = str(broken)
                self._freeze(stream, str(broken))
        for wrong in found.values():
            logger.critical("the log is bad: %s", wrong)
        self.found_bad = found
        return found

    def _others_first(self, number: int) -> bool:
        """Wait a moment between two pages of a log; whether to stop, for the house closes."""
        return self._closing.wait(0.02)

    def _freeze(self, stream: str, wrong: str) -> None:
        if stream in self.pit.tables:
            try:
                self.pit.do(stream, THE_HOUSE, {"do": "freeze", "why": f"its log is bad: {wrong}"})
            except Exception:
                logger.exception("table %s could not be frozen", stream)

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
