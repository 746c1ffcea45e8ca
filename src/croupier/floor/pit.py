"""The pit: all the tables of one server, and the only thread that touches them.

Decide, commit, tell. Commands wait in a queue; the pit takes all that are
there, decides each by pure code, writes their events and money in one
transaction, and only when that is on disk answers them and tells everyone. The
more commands are waiting, the more share one commit, and none is acknowledged
before it is durable.

If the transaction fails nothing has happened: the tables are read from the log
again. When the connection is lost, whole commands are decided anew; one that
had been committed after all is found by its request id and gets its answer.

The pit boss decides the commands, the pit clerk writes them down, and the alarms
say when the clock must act.
"""

import json
import logging
import secrets
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from croupier.equipment import Chance, SystemChance
from croupier.floor import log
from croupier.floor.alarms import Alarms, IdleSeats
from croupier.floor.batch import Batch
from croupier.floor.cage import Cage
from croupier.floor.checkpoint import Notary
from croupier.floor.checkpoint_schedule import CheckpointSchedule
from croupier.floor.clock import Clock, SystemClock
from croupier.floor.clock_watch import ClockWatch
from croupier.floor.commands import (
    CLOCK,
    NOT_KNOWN,
    Command,
    Outcome,
    Unavailable,
    new_id,
    opening,
)
from croupier.floor.events import LogEvent
from croupier.floor.house_log import HouseLog
from croupier.floor.live import Input, LiveTable, Terms
from croupier.floor.owned_tables import OwnedTables, Publish
from croupier.floor.pit_boss import PitBoss
from croupier.floor.pit_clerk import PitClerk
from croupier.floor.policies import Policies
from croupier.floor.roles import Person
from croupier.floor.rows import put_all
from croupier.floor.snapshots import Snapshots
from croupier.floor.storage import Storage, StorageBroken, StorageError, StorageFull, StorageLost
from croupier.floor.table_copies import TableCopies
from croupier.rulebook import Refusal

T = TypeVar("T")

logger = logging.getLogger("croupier.pit")

MOST_AT_ONCE = 256  # commands in one transaction
PATIENCE = 15.0  # seconds for which a lost database is waited for


@dataclass(frozen=True)
class Reading:
    """Something to be looked up in the pit's thread, when all that was decided is on disk."""

    look: Callable[["Pit"], Any]


Work = Command | Reading
Done = Callable[[Any], None]


def hand_out(results: Sequence[tuple[Done, Any]]) -> None:
    for done, outcome in results:
        done(outcome)


class Pit:
    """Every table that this server runs."""

    def __init__(
        self,
        storage: Storage,
        *,
        house: HouseLog | None = None,
        clock: Clock | None = None,
        chance: Chance | None = None,
        notary: Notary | None = None,
        policies: Policies | None = None,
        address: str | None = None,
        publish: Publish = lambda stream, rows: None,
        deliver: Callable[[Sequence[tuple[Done, Any]]], None] = hand_out,
    ) -> None:
        self.storage = storage
        self.clock = clock or SystemClock()
        self.notary = notary
        self.house = house or HouseLog(storage, self.clock, notary)
        self.cage = Cage(self.house)
        self.policies = policies or Policies()
        self.publish, self.deliver = publish, deliver
        self.failed: Exception | None = None  # why no command is taken any more
        self.full = False  # the disk is, and only reading goes on
        self.counts = {"commands": 0, "refusals": 0, "transactions": 0, "events": 0}
        self._alarms = Alarms(self.clock)
        self._idle = IdleSeats(self.clock, self.policies.idle_seconds)
        self._snapshots = Snapshots(self.house.seal, self.policies.snapshot_events)
        self.owned = OwnedTables(
            storage, self.house, self._alarms, self._snapshots, publish, address
        )
        self.tables, self.broken = self.owned.tables, self.owned.broken
        self._copies = TableCopies(storage, self.house.seal)
        self._boss = PitBoss(
            self.house, self.cage, self.owned, self._idle, self.clock,
            chance or SystemChance(), self.policies,
        )  # fmt: skip
        self._clerk = PitClerk(
            self.house, self.cage, self._snapshots, storage.dialect, self.policies.large_cents
        )
        self._checkpoints = CheckpointSchedule(notary, storage, self.clock, self.policies)
        self._clock_watch = ClockWatch(self.clock, storage, self.house)
        self._queue: SimpleQueue[tuple[Work, Done] | None] = SimpleQueue()
        self._ticked_at = self._took_over_at = float("-inf")
        self._thread: threading.Thread | None = None
        self._stopping = False
        self._door = threading.Lock()

    @property
    def chance(self) -> Chance:
        """Where the outcomes of the equipment come from."""
        return self._boss.chance

    @chance.setter
    def chance(self, chance: Chance) -> None:
        self._boss.chance = chance

    # Outside the pit's thread.

    def start(self) -> None:
        """Take over the tables that nobody runs, and take commands."""
        self.take_over()
        self._thread = threading.Thread(target=self._run, name="pit", daemon=True)
        self._thread.start()

    @property
    def is_running(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    def submit(self, work: Work, done: Done) -> None:
        """Ask for something; `done` gets the reply, or the exception that says why not."""
        with self._door:
            if not self._stopping:
                self._queue.put((work, done))
                return
        done(Unavailable("the house is closing its doors; try again in a moment"))

    def ask(self, work: Work) -> Any:
        """The same, and wait for it. Without a thread of its own the pit works here and now."""
        answers: list[Any] = []
        if self._thread is None and not self._stopping:
            self._perform([(work, answers.append)])
        else:
            there: Future[Any] = Future()
            self.submit(work, there.set_result)
            answers.append(there.result())
        if isinstance(answers[0], Exception):
            raise answers[0]
        return json.loads(answers[0]) if isinstance(work, Command) else answers[0]

    def do(self, stream: str, by: Person, body: Input, request: str | None = None) -> Any:
        """A command, in one line."""
        return self.ask(Command(stream, by, request or secrets.token_urlsafe(12), body))

    def open(
        self, game: str, name: str, by: Person, options: Mapping[str, Any] | None = None,
        terms: Terms | None = None, *, link: str | None = None, private: bool = False,
        request: str | None = None, table: str | None = None,
    ) -> Any:  # fmt: skip
        """Open a table. An unlawful one is refused with every reason."""
        body = opening(game, name, options, terms, private=private, link=link)
        return self.do(table or new_id(), by, body, request)

    def stop(self) -> None:
        """Finish what has been asked, write snapshots and checkpoints, and let the tables go."""
        with self._door:  # what came before is still done
            self._stopping = True
            self._queue.put(None)
        if self._thread is not None:
            self._thread.join()
            self._thread = None
        if self.failed is None:
            try:
                with self.storage.write() as conn:
                    for live in self.tables.values():
                        live.remember()
                    put_all(conn, [self._snapshots.rows(self.tables.values())])
                    self.house.note(conn, "stopped", "house")
                self._checkpoints.sign_all(self.tables)
            except (StorageFull, StorageLost, StorageBroken) as error:
                logger.error("the house could not be closed in order: %s", error)
        self.owned.let_all_go()

    # The thread.

    def _run(self) -> None:
        while True:
            work: list[tuple[Work, Done]] = []
            ending = False
            try:
                each = self._queue.get(timeout=self._alarms.until_next())
                while True:
                    if each is None:
                        ending = True
                        break
                    work.append(each)
                    if len(work) == MOST_AT_ONCE:
                        break
                    each = self._queue.get_nowait()
            except Empty:
                pass
            try:
                if work:
                    self._perform(work)
                self.tick()
            except StorageBroken as error:
                self.failed = error
                logger.critical("the house stops: %s", error)
            except Exception:
                logger.exception("the pit stumbled")
                self.owned.forget(self.tables)  # with their alarms; they are taken over again
            if ending:
                return

    def tick(self) -> None:
        """What time brings: alarms, notices, idle seats, checkpoints, tables without an owner."""
        now = self.clock.monotonic()
        if alarms := self._alarms.rung(now, self.tables):
            self._ring(alarms)
        if now - self._ticked_at < 1:
            return
        self._ticked_at = now
        self._hear_of_the_house()
        self._clock_watch.look()
        if leavings := self._idle.leavings(now, self.tables):
            self._ring(leavings)
        self._checkpoints.sign_on_time(now, self.tables)
        if now - self._took_over_at >= self.policies.takeover_seconds:
            self.take_over()

    def _ring(self, commands: list[Command]) -> None:
        """Do what the clock wants. A change that cannot be made any more is withdrawn."""
        withdrawn = []
        for command, outcome in zip(commands, self._until_committed(commands), strict=True):
            if command.body["do"] == "change" and isinstance(outcome, Refusal):
                body = {"do": "withdraw_notice", "why": outcome.message}
                request = f"{command.request}/withdrawn"
                withdrawn.append(Command(command.stream, CLOCK, request, body))
            elif isinstance(outcome, Exception) and not isinstance(outcome, Refusal):
                logger.error("the clock could not act: %s", outcome)
        if withdrawn:
            self._until_committed(withdrawn)

    def _hear_of_the_house(self) -> None:
        """What another process has written into the house's log counts here within a second."""
        try:
            self.house.refresh()
        except (StorageError, log.LogBroken) as error:
            logger.error("the house's log could not be read: %s", error)

    # Decide, commit, tell.

    def _perform(self, work: Sequence[tuple[Work, Done]]) -> None:
        commands = [each for each, _ in work if isinstance(each, Command)]
        outcomes: dict[int, Any] = {}
        if commands:
            decided = self._until_committed(commands)
            outcomes = {id(each): outcome for each, outcome in zip(commands, decided, strict=True)}
        results = []
        for each, done in work:
            if isinstance(each, Command):
                results.append((done, outcomes[id(each)]))
            else:
                results.append((done, self._look(each)))
        self.deliver(results)

    def _look(self, reading: Reading) -> Any:
        try:
            return reading.look(self)
        except Exception as error:
            return error

    def _until_committed(self, commands: list[Command]) -> list[Outcome]:
        """Try until it is on disk or cannot be. A lost connection is waited for."""
        if self.failed is not None:
            return [Unavailable(str(self.failed))] * len(commands)
        began = time.monotonic()
        while True:
            try:
                return self._commit(commands)
            except StorageLost as error:
                self.owned.forget(self.tables)
                if time.monotonic() - began > PATIENCE or self._stopping:
                    logger.error("the database is gone: %s", error)
                    lost = f"the database cannot be reached; {NOT_KNOWN}"
                    return [Unavailable(lost)] * len(commands)
                time.sleep(0.05)
            except StorageFull as error:
                self.full = True
                logger.error("no wager is taken: %s", error)
                return [Unavailable(f"{error}; no wager is taken until there is")] * len(commands)
            except StorageBroken as error:
                self.failed = error  # what a failed write left behind, nobody can know
                logger.critical("the house stops: %s", error)
                return [Unavailable(f"{error}; {NOT_KNOWN}")] * len(commands)
            except Exception as error:
                logger.exception("a command could not be done")
                if len(commands) > 1:  # find the one, and do not let the others suffer
                    return [self._until_committed([each])[0] for each in commands]
                return [error]

    def _commit(self, commands: list[Command]) -> list[Outcome]:
        """Decide these commands and write them in one transaction. Returns their outcomes."""
        batch = self._clerk.new_batch()
        try:
            with self.storage.write() as conn:
                self.owned.heed_reconnection()
                self.house.begin(conn)
                known = self._boss.answered(conn, commands)
                outcomes = [self._boss.decide(conn, batch, each, known) for each in commands]
                self.counts["transactions"] += 1
                self._clerk.write(conn, batch)
        except BaseException:
            self.owned.forget(batch.touched)
            raise
        self.full = False
        self.counts["commands"] += len(commands)
        self.counts["refusals"] += sum(isinstance(each, Exception) for each in outcomes)
        try:
            self._committed(batch)
        except Exception:  # it is done all the same
            logger.exception("what follows from a commit could not be done")
        return outcomes

    def _committed(self, batch: Batch) -> None:
        """It is on disk: tell everyone."""
        self._clerk.committed(batch)
        self._boss.hear(batch.rows)
        self.counts["events"] += len(batch.rows)
        told: dict[str, list[LogEvent]] = {}
        for event in batch.rows:
            told.setdefault(event.stream, []).append(event)
        for stream, rows in told.items():
            try:
                self.publish(stream, rows)
            except Exception:
                logger.exception("what was done could not be told")
        self._checkpoints.sign_grown(batch.touched)
        for live in batch.touched.values():
            self._alarms.set(live)
            if live.status == "closed":
                self._let_go(live)

    def _let_go(self, live: LiveTable) -> None:
        """Keep nothing of a table that is closed."""
        self._alarms.forget(live.stream)
        self._clerk.forget(live.stream)
        self._checkpoints.forget(live.stream)
        self._idle.forget(live)
        self.owned.let_go(live.stream)

    # The tables.

    def take_over(self) -> None:
        """Run every open table that no server runs."""
        self._took_over_at = self.clock.monotonic()
        self.owned.take_over()

    def copy(self, stream: str, look: Callable[[LiveTable], T]) -> T:
        """Look at a table that another server runs, or nobody, as it is now; in any thread."""
        return self._copies.look(stream, look)

    def seen(self, stream: str) -> LiveTable:
        """A table to look at, in the pit's thread: this server's own, or a copy."""
        return self.tables.get(stream) or self.copy(stream, lambda copy: copy)

    def seconds_left(self, stream: str) -> float | None:
        """Seconds until the clock acts at this table; None if no time limit runs there."""
        return self._alarms.seconds_left(stream)
