"""The pit: all the tables of one server, and the only thread that touches them.

Decide, commit, tell. Commands wait in a queue; the pit takes all that are
there, decides each by pure code, writes their events and money in one
transaction, and only when that is on disk answers them and tells everyone. The
more commands are waiting, the more share one commit, and none is acknowledged
before it is durable.

If the transaction fails nothing has happened: the tables are read from the log
again. When the connection is lost, whole commands are decided anew; one that
had been committed after all is found by its request id and gets its answer.
"""

import heapq
import json
import logging
import secrets
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import asdict, dataclass, field
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from sqlalchemy import Connection, func, select, text, update

from croupier.equipment import Chance, SystemChance
from croupier.floor import clock as times
from croupier.floor import heads, log, schema, significant
from croupier.floor.cage import Cage
from croupier.floor.checkpoint import CheckpointFailed, Notary
from croupier.floor.clock import Clock, SystemClock
from croupier.floor.events import (
    HOUSE,
    LogEvent,
    canonical,
    digest,
    visible,
)
from croupier.floor.house_log import HouseLog
from croupier.floor.live import Input, LiveTable, Terms, may_overdraw
from croupier.floor.measure import Disputes, check_seats
from croupier.floor.roles import Denial, NotAllowed, Person, Role, allow, allow_by_itself
from croupier.floor.rows import TEXTS, Rows, found, put_all
from croupier.floor.salvage import apart
from croupier.floor.software import software
from croupier.floor.storage import Storage, StorageBroken, StorageError, StorageFull, StorageLost
from croupier.games import find_game
from croupier.rulebook import Fault, Refusal, custom

T = TypeVar("T")

logger = logging.getLogger("croupier.pit")

CLOCK = Person("clock", "the clock", Role.SUPERVISOR, "")
THE_HOUSE = Person("house", "the house", Role.SUPERVISOR, "")
MOST_AT_ONCE = 256  # commands in one transaction
AFTER_CLOSING = {"dispute", "correct", "approve"}
NOTICE = "notice"  # how the alarm of one is called
BUYS = {"sit": "buy_in", "buy_in": "amount"}  # where these commands say for how much
MOST_SNAPSHOTS = 8  # in one transaction
MOST_COPIES = 100  # of tables that are only looked at
NOT_KNOWN = (
    "whether this command was kept is not known until it can be read again: then send it once "
    "more with the same key"
)
PATIENCE = 15.0  # seconds for which a lost database is waited for

UNBALANCED = {
    dialect: text(
        f"SELECT stream FROM balances WHERE stream IN (SELECT value FROM {each.format('streams')}) "
        "GROUP BY stream HAVING sum(cents) <> 0"
    )
    for dialect, each in TEXTS.items()
}
NOTIFY = text(f"SELECT pg_notify('croupier', value) FROM {TEXTS['postgresql'].format('streams')}")
HELD = "(stream, account) DO UPDATE SET cents = excluded.cents"
RENEWED = ", ".join(f"{column.name} = excluded.{column.name}" for column in schema.snapshots.c)


class Unavailable(Exception):
    """The house cannot take commands now; what was acknowledged is safe. The message says so where
    it is not known whether the command was kept."""


class ElsewhereOwned(Exception):
    """Another server runs this table."""

    def __init__(self, stream: str, address: str | None) -> None:
        super().__init__(f"table {stream} is run by another server")
        self.stream, self.address = stream, address


@dataclass(frozen=True)
class Command:
    """Somebody wants something of a table. The request id makes it safe to send twice."""

    stream: str
    by: Person
    request: str
    body: Input

    @property
    def digest(self) -> str:
        return digest(canonical([self.stream, self.body]))


@dataclass(frozen=True)
class Reading:
    """Something to be looked up in the pit's thread, when all that was decided is on disk."""

    look: Callable[["Pit"], Any]


Work = Command | Reading
Outcome = str | Exception  # the reply, in JSON, exactly as it is remembered
Done = Callable[[Any], None]


@dataclass
class Policies:
    """What the operator of the floor decides."""

    idle_seconds: float = 1800
    notice_minutes: float = 30
    checkpoint_events: int = 1000
    checkpoint_seconds: float = 60
    snapshot_events: int = 100
    takeover_seconds: float = 2
    most_private: int = 5  # tables that a patron may have open
    alone_cents: int = 100_000  # that one person may correct without a second
    large_cents: int = 1_000_000  # wagers, wins and transfers from which on are noted
    most_seats: int = 2  # that one account may hold at a table
    most_disputes: int = 3  # of one account at a table, until the house looks into them


@dataclass
class Batch:
    """What one transaction will write."""

    rows: list[LogEvent] = field(default_factory=list)
    requests: dict[tuple[str, str], tuple[Any, ...]] = field(default_factory=dict)
    balances: dict[tuple[str, str], int] = field(default_factory=dict)
    rulesets: dict[str, dict[str, Any]] = field(default_factory=dict)
    touched: dict[str, LiveTable] = field(default_factory=dict)
    opened: list[dict[str, Any]] = field(default_factory=list)
    notes: list[tuple[str, str, dict[str, Any]]] = field(default_factory=list)
    transfers: list[tuple[str, int, str, int]] = field(default_factory=list)
    moved: defaultdict[str, list[int]] = field(  # at the cage, by account
        default_factory=lambda: defaultdict(list)
    )


Publish = Callable[[str, list[LogEvent]], None]


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
        self.chance = chance or SystemChance()
        self.notary = notary
        self.house = house or HouseLog(storage, self.clock, notary)
        self.cage = Cage(self.house)
        self.policies = policies or Policies()
        self.address = address
        self.publish, self.deliver = publish, deliver
        self.tables: dict[str, LiveTable] = {}
        self._copies: dict[str, LiveTable] = {}  # of tables that this server does not run
        self._copying = threading.Lock()
        self.broken: dict[str, str] = {}  # tables whose log is bad, and why
        self.failed: Exception | None = None  # why no command is taken any more
        self.full = False  # the disk is, and only reading goes on
        self.counts = {"commands": 0, "refusals": 0, "transactions": 0, "events": 0}
        self._queue: SimpleQueue[tuple[Work, Done] | None] = SimpleQueue()
        self._generation = storage.generation
        self._deadlines: defaultdict[str, dict[str, float]] = defaultdict(dict)
        self._alarms: list[tuple[float, str, str]] = []
        self._due: dict[str, str] = {}  # tables whose notice has run out, and which
        self._seen: dict[tuple[str, str], float] = {}  # when each seat last did something
        self._statuses: dict[str, str] = {}  # as the directory of tables has them
        self._rulesets: set[str] = set()  # those that are in the database
        self._snapshots: dict[str, int] = {}  # the event of the last snapshot
        self._disputes = Disputes()
        self._marks: dict[str, int] = {}  # the event of the last checkpoint
        self._marked_at = self.clock.monotonic()
        self._ticked_at = self._took_over_at = float("-inf")
        self._drift = self._wall_minus_monotonic()
        self._thread: threading.Thread | None = None
        self._stopping = False
        self._door = threading.Lock()

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
                    put_all(conn, [self._snapshots_of(self.tables.values())])
                    self.house.note(conn, "stopped", "house")
                self._sign_all()
            except (StorageFull, StorageLost, StorageBroken) as error:
                logger.error("the house could not be closed in order: %s", error)
        for stream in self.tables:
            self.storage.disown(stream)
        self.tables.clear()

    # The thread.

    def _run(self) -> None:
        while True:
            work: list[tuple[Work, Done]] = []
            ending = False
            try:
                each = self._queue.get(timeout=self._until_next())
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
                self._forget(self.tables)  # with their alarms; they are taken over again
            if ending:
                return

    def _until_next(self) -> float:
        """Seconds until the clock has something to do."""
        soonest = self._alarms[0][0] if self._alarms else float("inf")
        return max(0.0, min(1.0, soonest - self.clock.monotonic()))

    def tick(self) -> None:
        """What time brings: alarms, notices, idle seats, checkpoints, tables without an owner."""
        now = self.clock.monotonic()
        if alarms := self._rung(now):
            self._ring(alarms)
        if now - self._ticked_at < 1:
            return
        self._ticked_at = now
        self._hear_of_the_house()
        self._watch_the_clock()
        if idle := self._idle(now):
            self._ring(idle)
        if now - self._marked_at >= self.policies.checkpoint_seconds:
            self._marked_at = now
            self._sign_all()
        if now - self._took_over_at >= self.policies.takeover_seconds:
            self.take_over()

    def _rung(self, now: float) -> list[Command]:
        rung = []
        while self._alarms and self._alarms[0][0] <= now:
            at, stream, key = heapq.heappop(self._alarms)
            if stream not in self.tables or self._deadlines[stream].get(key) != at:
                continue
            del self._deadlines[stream][key]
            live = self.tables[stream]
            if key.startswith(NOTICE):
                self._due[stream] = live.notice["effective_at"] if live.notice else ""
            else:
                body = {"do": "time_up", "waits": key}
                rung.append(Command(stream, CLOCK, f"{stream}/{key}/{live.number}", body))
        for stream, effective_at in [*self._due.items()]:
            due = self.tables.get(stream)
            if due is None or not due.notice or due.notice["effective_at"] != effective_at:
                del self._due[stream]
            elif due.may_change:
                del self._due[stream]
                request = f"{stream}/change/{due.number}"
                body = {"do": "change", "effective_at": effective_at}
                rung.append(Command(stream, CLOCK, request, body))
        return rung

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

    def _idle(self, now: float) -> list[Command]:
        """Seats that nobody plays, and private tables that nobody sits at."""
        commands = []
        for stream, live in self.tables.items():
            if live.play is not None or live.status != "open":
                continue
            for seat, chair in live.chairs.items():
                if not chair.leaving and self._unused(stream, seat, now):
                    request = f"{stream}/idle/{seat}/{live.number}"
                    leave = {"do": "leave", "seat": seat}
                    commands.append(Command(stream, CLOCK, request, leave))
            if live.chairs:
                self._seen.pop((stream, ""), None)
            elif live.private and self._unused(stream, "", now):
                close = {"do": "close_table", "why": "nobody sits here"}
                commands.append(Command(stream, CLOCK, f"{stream}/unused/{live.number}", close))
        return commands

    def _unused(self, stream: str, seat: str, now: float) -> bool:
        return now - self._seen.setdefault((stream, seat), now) > self.policies.idle_seconds

    def _wall_minus_monotonic(self) -> float:
        return times.read(self.clock.now()).timestamp() - self.clock.monotonic()

    def _hear_of_the_house(self) -> None:
        """What another process has written into the house's log counts here within a second."""
        try:
            self.house.refresh()
        except (StorageError, log.LogBroken) as error:
            logger.error("the house's log could not be read: %s", error)

    def _watch_the_clock(self) -> None:
        """A time of day that jumps is written down. Order and time limits do not depend on it."""
        drift = self._wall_minus_monotonic()
        jump = drift - self._drift
        if abs(jump) > 2:
            try:
                with self.storage.write() as conn:
                    self.house.note(conn, "clock_changed", "house", seconds=round(jump))
            except (StorageFull, StorageLost) as error:
                logger.error("a jump of the clock could not be written down yet: %s", error)
                return
        self._drift = drift

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
                self._forget(self.tables)
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
        batch = Batch()
        try:
            with self.storage.write() as conn:
                self._heed_reconnection()
                self.house.begin(conn)
                known = self._answered(conn, commands)
                outcomes = [self._decide(conn, batch, each, known) for each in commands]
                self._write(conn, batch)
        except BaseException:
            self._forget(batch.touched)
            raise
        self.full = False
        self.counts["commands"] += len(commands)
        self.counts["refusals"] += sum(isinstance(each, Exception) for each in outcomes)
        try:
            self._committed(batch)
        except Exception:  # it is done all the same
            logger.exception("what follows from a commit could not be done")
        return outcomes

    def _heed_reconnection(self) -> None:
        """With a lost connection its locks were lost: the tables may be another server's."""
        if self.storage.generation != self._generation:
            self._forget(self.tables)
            self._generation = self.storage.generation

    def _answered(
        self, conn: Connection, commands: list[Command]
    ) -> dict[tuple[str, str], tuple[str, str]]:
        """Which of these were answered before, and how."""
        keys = [(each.by.account, each.request) for each in commands]
        rows = found(conn, schema.requests, keys)
        return {
            (row.actor, row.request): (row.digest, row.reply if self._is_ours(row) else "")
            for row in rows
        }

    def _is_ours(self, row: Any) -> bool:
        """Whether the house gave this answer: sealed, or from before there were seals."""
        if row.seal is None:
            before = self.house.register.older(row.stream)
            return type(row.number) is int and row.number <= before
        return self.house.seal.fits(row.seal, "request", *row[:-1])

    def _decide(
        self, conn: Connection, batch: Batch, command: Command,
        known: Mapping[tuple[str, str], tuple[str, str]],
    ) -> Outcome:  # fmt: skip
        key = (command.by.account, command.request)
        if key in batch.requests:
            _, _, digested, _, _, answered, *_ = batch.requests[key]
            known = {key: (digested, answered)}
        if key in known:
            said, reply = known[key]
            if said != command.digest:
                conflict = "this request id was used for another command"
                batch.notes.append(("conflict", command.by.account, {"request": command.request}))
                return Refusal(Fault.CONFLICT, conflict)
            if not reply:
                logger.critical("the answer to %s of %s was changed", *reversed(key))
                return Unavailable(
                    "this command was done before, and its answer was changed in the database: "
                    "look at the table to see what it did"
                )
            return reply
        try:
            return self._step(conn, batch, command)
        except (Refusal, NotAllowed, ElsewhereOwned, Unavailable) as error:
            if isinstance(error, NotAllowed):
                about = {"table": command.stream, "command": command.body.get("do")}
                batch.notes.append(("forbidden", command.by.account, about))
            return error

    def _step(self, conn: Connection, batch: Batch, command: Command) -> str:
        at = self.clock.now()
        by = self._person(command.by, at)
        body, stream = dict(command.body), command.stream
        if body["do"] == "open":
            live = self._opening(conn, batch, command, by)
        else:
            allow_at(by, body["do"])
            live = self._live(conn, stream, by, body["do"])
            body = self._prepared(live, body, by)
        if by.session:  # by which it can be proved that they might
            body |= {"session": by.session, "house": self.house.register.number}
        live.check(body, by)
        self._check_cage(conn, batch, body, by, at)
        self._check_measure(conn, batch, live, body, by)
        batch.touched[stream] = live
        if live.software not in ("", software()) and live.play is None:
            # The rules are read by other software than before: that is written down.
            change = {"do": "software", "software": software()}
            self._record(batch, live, live.step(change, "house", at, command.request))
        try:
            rows = live.step(body, by.account, at, command.request, self.chance)
            if not rows:
                live = self._again(batch, live)
        except Refusal:
            self._again(batch, live)
            raise
        except OSError as error:  # the generator of random numbers
            raise self._out_of_order(batch, self._again(batch, live), error) from None
        except BaseException:
            self._forget([stream])
            raise
        return self._keep(batch, live, command, rows, at)

    def _person(self, by: Person, at: str) -> Person:
        """Who they are now: they may have been logged out or demoted since they asked."""
        if by in (CLOCK, THE_HOUSE):
            return by
        person = self.house.register.person(by.session, at)
        if person is None or person.account != by.account:
            raise NotAllowed(Denial.BAD_TOKEN)
        return person

    def _check_cage(self, conn: Connection, batch: Batch, body: Input, by: Person, at: str) -> None:
        """Refuse a buy-in for more than the patron has at the cage, or has allowed themselves."""
        cents = body.get(BUYS.get(body["do"], ""))
        if not by.session or type(cents) is not int:
            return
        if self.cage.is_bounded(by.account):  # what another server has just moved counts too
            self.house.alone(conn)
            self.house.refresh()
        if why := self.cage.refusal(by.account, cents, at, batch.moved[by.account]):
            raise why

    def _keep(
        self, batch: Batch, live: LiveTable, command: Command, rows: list[LogEvent], at: str
    ) -> str:
        """What was decided is to be written, and answered when it is."""
        by = command.by
        self._record(batch, live, rows)
        own = {seat: live.table.money[seat] for seat in live.seats_of(by.account)}
        told = ",".join(
            event.told() for event in rows
            if visible(event.seen_by, by.account, sees_all=by.sees_all)
        )  # fmt: skip
        reply = (
            f'{{"table":"{live.stream}","number":{live.number},"round":{live.round},'
            f'"events":[{told}],"stacks":{canonical(own)}}}'
        )
        answer = (
            by.account, command.request, command.digest, live.stream, live.number, reply, at
        )  # fmt: skip
        batch.requests[by.account, command.request] = (
            *answer, self.house.seal.of("request", *answer)
        )  # fmt: skip
        if seat := command.body.get("seat"):
            self._seen[live.stream, str(seat)] = self.clock.monotonic()
        return reply

    def _record(self, batch: Batch, live: LiveTable, rows: list[LogEvent]) -> None:
        """The events of a step, what every account holds after it, and the rules it went by."""
        batch.rows += rows
        batch.notes += significant.among(rows, live.transfers, self.policies.large_cents)
        for account, cents in live.transfers:
            batch.transfers.append((live.stream, rows[0].number, account, cents))
            batch.moved[account].append(cents)
        for account in live.posted:
            batch.balances[live.stream, account] = live.books.get(account, 0)
        if live.rules not in self._rulesets:
            batch.rulesets.setdefault(live.rules, live.ruleset())

    def _opening(self, conn: Connection, batch: Batch, command: Command, by: Person) -> LiveTable:
        said = command.body
        allow_at(by, "open_private_table" if said["private"] else "open_table")
        find_game(said["game"]).options(said["options"])
        self._check_number(conn, by)
        if not self.storage.own(command.stream):
            raise ElsewhereOwned(command.stream, None)
        if log.head(conn, command.stream) is not None:
            raise Refusal(Fault.CONFLICT, f"there is a table {command.stream} already")
        batch.opened.append({
            "id": command.stream, "game": said["game"], "name": said["name"], "status": "open",
            "private": said["private"], "link": said["link"], "opened_by": command.by.account,
            "opened_at": self.clock.now(), "owner": self.address,
        })  # fmt: skip
        live = self.tables[command.stream] = LiveTable(command.stream)
        return live

    def _check_number(self, conn: Connection, by: Person) -> None:
        """A patron has a few private tables; those that nobody uses close by themselves."""
        here, most = schema.tables.c, self.policies.most_private
        mine = select(func.count()).where(here.opened_by == by.account, here.status != "closed")
        if by.role is Role.PATRON and (conn.scalar(mine) or 0) >= most:
            message = f"you have {most} tables open, and may have no more"
            raise Refusal(Fault.NOT_NOW, message, custom("8.2"))

    def _check_measure(
        self, conn: Connection, batch: Batch, live: LiveTable, body: Input, by: Person
    ) -> None:
        """Refuse more of a table than one person may have: these are live rules, not the log's."""
        if body["do"] == "sit":
            check_seats(live, by, self.policies.most_seats)
        elif body["do"] == "dispute":
            most = self.policies.most_disputes
            self._disputes.check(conn, live, by, body["about"], most, batch.rows)

    def _prepared(self, live: LiveTable, body: Input, by: Person) -> Input:
        """The command with what has to be known to do it again."""
        if body["do"] in ("sit", "take_control", "take_dealer"):
            return body | {"name": by.name, "session": by.session}
        if body["do"] == "post_notice":
            return body | {"at": self._in_force(live, body)}
        if body["do"] == "correct":
            return body | {"second": abs(body["cents"]) > self.policies.alone_cents}
        return body

    def _in_force(self, live: LiveTable, body: Input) -> str:
        """8.3: when a change that was asked for may come into force."""
        now = times.read(self.clock.now())
        asked = times.read(body["at"]) if body.get("at") else now
        soonest = now.timestamp()
        if live.chairs and not _is_welcome(live, body["options"]):
            soonest += 60 * self.policies.notice_minutes
            if body.get("at") is None:
                asked = times.moment(soonest)
        if asked.timestamp() < soonest - 1:
            minutes = f"{self.policies.notice_minutes:g}"
            why = f"players are at the table, and must be told {minutes} minutes before"
            raise Refusal(Fault.NOTICE_NEEDED, why, custom("8.3"))
        return times.written(max(asked, now))

    def _again(self, batch: Batch, live: LiveTable) -> LiveTable:
        """The table as it was before a step that failed."""
        stream = live.stream
        if live.number == 0:
            self._forget([stream])
            batch.touched.pop(stream, None)
            batch.opened = [each for each in batch.opened if each["id"] != stream]
            return live
        fresh = self.tables[stream] = batch.touched[stream] = live.rebuilt()
        return fresh

    def _out_of_order(self, batch: Batch, live: LiveTable, error: OSError) -> Unavailable:
        """Without random numbers there is no game: the table is frozen, and nothing is lost."""
        logger.critical("no random numbers: %s", error)
        why = "no random numbers can be had"
        request = f"{live.stream}/no chance/{live.number}"
        freeze = {"do": "freeze", "why": why}
        self._record(batch, live, live.step(freeze, "house", self.clock.now(), request))
        return Unavailable(f"{why}: the table is frozen, and nothing is lost")

    def _write(self, conn: Connection, batch: Batch) -> None:
        self.counts["transactions"] += 1
        rulesets = [
            {"hash": each, **of, "options": canonical(of["options"])}
            for each, of in batch.rulesets.items()
        ]
        balances = [
            {"stream": stream, "account": account, "cents": cents,
             "overdraft": may_overdraw(account)}
            for (stream, account), cents in batch.balances.items()
        ]  # fmt: skip
        for live in batch.touched.values():
            if live.status == "closed":
                live.remember()
        last = {event.stream: event for event in batch.rows}
        grown = [(stream, event.number, event.hash) for stream, event in last.items()]
        put_all(conn, [
            Rows(schema.tables, batch.opened),
            Rows(schema.rulesets, rulesets, "DO NOTHING"),
            Rows(schema.events, batch.rows),
            heads.sealed(self.house.seal, grown),
            Rows(schema.requests, [*batch.requests.values()]),
            Rows(schema.balances, balances, HELD),
            self._snapshots_of(self._to_snapshot(batch)),
        ])  # fmt: skip
        if balances:
            self._check_sums(conn, {stream for stream, _ in batch.balances})
        for stream, live in batch.touched.items():
            self._write_status(conn, stream, live)
        for stream, event, account, cents in batch.transfers:
            self.cage.transfer(conn, stream, event, account, cents)
        for kind, actor, data in batch.notes:
            self.house.note(conn, kind, actor, **data)
        self.house.keep(conn)
        if batch.touched and self.storage.dialect == "postgresql":
            conn.execute(NOTIFY, {"streams": json.dumps([*batch.touched])})

    def _check_sums(self, conn: Connection, streams: Iterable[str]) -> None:
        """Double entry: all that the accounts of a table hold adds up to nothing."""
        given = {"streams": json.dumps(sorted(streams))}
        wrong = conn.execute(UNBALANCED[self.storage.dialect], given).first()
        if wrong:
            raise AssertionError(f"the money at table {wrong.stream} does not add up")

    def _write_status(self, conn: Connection, stream: str, live: LiveTable) -> None:
        if self._statuses.get(stream) != live.listed:
            listed = update(schema.tables).where(schema.tables.c.id == stream)
            conn.execute(listed.values(status=live.listed))

    def _grown(self, live: LiveTable) -> int:
        """How many events the last snapshot is behind what is remembered."""
        return (live.memory["number"] if live.memory else 0) - self._snapshots.get(live.stream, 0)

    def _to_snapshot(self, batch: Batch) -> list[LiveTable]:
        """Those furthest behind, and not all at once: a commit waits for them."""
        due = [
            live for live in batch.touched.values()
            if self._grown(live) >= self.policies.snapshot_events or live.status == "closed"
        ]  # fmt: skip
        return sorted(due, key=self._grown, reverse=True)[:MOST_SNAPSHOTS]

    def _snapshots_of(self, tables: Iterable[LiveTable]) -> Rows:
        """How these tables stand, as they remember it."""
        rows = [
            (*kept, self.house.seal.of("snapshot", *kept))
            for live in tables if (memory := live.memory) is not None
            for kept in [
                (live.stream, memory["number"], memory["head"], software(), canonical(memory))
            ]
        ]  # fmt: skip
        return Rows(schema.snapshots, rows, f"(stream) DO UPDATE SET {RENEWED}")

    def _committed(self, batch: Batch) -> None:
        """It is on disk: tell everyone."""
        for live in self._to_snapshot(batch):
            self._snapshots[live.stream] = live.memory["number"] if live.memory else 0
        self._rulesets.update(batch.rulesets)
        self._disputes.hear(batch.rows)
        self.counts["events"] += len(batch.rows)
        told: dict[str, list[LogEvent]] = {}
        for event in batch.rows:
            told.setdefault(event.stream, []).append(event)
        for stream, rows in told.items():
            try:
                self.publish(stream, rows)
            except Exception:
                logger.exception("what was done could not be told")
        self._sign([
            (stream, live.number, live.head) for stream, live in batch.touched.items()
            if live.number - self._marks.get(stream, 0) >= self.policies.checkpoint_events
            or live.status == "closed"
        ])  # fmt: skip
        for stream, live in batch.touched.items():
            self._statuses[stream] = live.listed
            self._set_alarms(live)
            if live.status == "closed":
                self._forget([stream])
                for kept in (self._statuses, self._snapshots, self._marks, self._due):
                    kept.pop(stream, None)
                for seat in ("", *live.table.positions):
                    self._seen.pop((stream, seat), None)
                self.storage.disown(stream)

    def _set_alarms(self, live: LiveTable) -> None:
        """Start the clock on what the table waits for, and leave a clock that runs alone."""
        waits = {wait.key: wait.seconds for wait in live.waits()}
        if live.notice is not None and self._due.get(live.stream) != live.notice["effective_at"]:
            due = times.read(live.notice["effective_at"]).timestamp()
            now = times.read(self.clock.now()).timestamp()
            waits[f"{NOTICE} {live.notice['effective_at']}"] = max(0.0, due - now)
        running = self._deadlines[live.stream]
        for key in [key for key in running if key not in waits]:
            del running[key]
        for key, seconds in waits.items():
            if key not in running:
                running[key] = at = self.clock.monotonic() + seconds
                heapq.heappush(self._alarms, (at, live.stream, key))

    def _sign(self, heads: Iterable[tuple[str, int, str]]) -> None:
        """Signed checkpoints of what has grown, outside the database."""
        grown = [each for each in heads if each[1] > self._marks.get(each[0], 0)]
        if self.notary is None or not grown:
            return
        try:
            self.notary.sign_all(grown, self.clock.now())
        except CheckpointFailed as error:
            logger.error("no checkpoint: %s", error)
            return
        self._marks.update((stream, number) for stream, number, _ in grown)

    def _sign_all(self) -> None:
        heads = [(live.stream, live.number, live.head) for live in self.tables.values()]
        try:
            with self.storage.read() as conn:
                if house := log.head(conn, HOUSE):
                    heads.append((HOUSE, *house))
        except StorageError as error:
            logger.error("no checkpoint of the house: %s", error)
        self._sign(heads)

    # The tables.

    def take_over(self) -> None:
        """Run every open table that no server runs."""
        self._took_over_at = self.clock.monotonic()
        try:
            with self.storage.write() as conn:
                self._heed_reconnection()
                self.house.begin(conn)
                listed, damaged = log.directory(conn)
                for stream in damaged.keys() - self.broken.keys():
                    self._stays_closed(conn, log.LogBroken(stream, None, damaged[stream]))
                wanted = [each for each in listed if each not in self.tables | self.broken]
                for stream in self.storage.own_free(wanted):
                    self._adopt(conn, stream)
        except (StorageLost, StorageFull) as error:
            logger.warning("tables could not be taken over: %s", error)

    def _adopt(self, conn: Connection, stream: str) -> LiveTable | None:
        """A table of the log becomes this server's, if no other has it."""
        if not self.storage.own(stream):
            return None
        try:
            with apart(conn):
                log.listing(conn, stream)
                live = log.load(conn, stream, self.house.seal)
        except log.LogBroken as broken:
            self._stays_closed(conn, broken)
            self.storage.disown(stream)
            return None
        owned = update(schema.tables).where(schema.tables.c.id == stream)
        conn.execute(owned.values(owner=self.address))
        self.tables[stream] = live
        self.publish(stream, [])  # who listens may have missed what another server wrote last
        self._snapshots[stream] = live.memory["number"] if live.memory else 0
        self._set_alarms(live)
        return live

    def _stays_closed(self, conn: Connection, broken: log.LogBroken) -> None:
        """A table that cannot be opened is named, and noted; the others are opened."""
        self.broken[broken.stream] = str(broken)
        logger.critical("table %s stays closed: %s", broken.stream, broken)
        try:
            with log.reading(HOUSE), apart(conn):
                self.house.note(conn, "log_broken", "house", table=broken.stream,
                                event=broken.number, why=broken.why)  # fmt: skip
        except log.LogBroken as worse:
            logger.critical("and that cannot be written down: %s", worse)

    def _live(self, conn: Connection, stream: str, by: Person, do: str) -> LiveTable:
        """A table that this server runs, or takes over now."""
        if not by.may_visit(stream):
            raise Refusal(Fault.UNKNOWN_TABLE, f"there is no table {stream!r}")
        if stream in self.tables:
            return self.tables[stream]
        row = conn.execute(select(schema.tables).where(schema.tables.c.id == stream)).first()
        if row is None:
            raise Refusal(Fault.UNKNOWN_TABLE, f"there is no table {stream!r}")
        if row.status == "closed" and do not in AFTER_CLOSING:
            raise Refusal(Fault.TABLE_CLOSED, "the table is closed", custom("8.2"))
        live = self._adopt(conn, stream) if stream not in self.broken else None
        if stream in self.broken:
            raise Unavailable(f"this table stays closed, its log is bad: {self.broken[stream]}")
        if live is None:
            raise ElsewhereOwned(stream, row.owner)
        return live

    def copy(self, stream: str, look: Callable[[LiveTable], T]) -> T:
        """Look at a table that another server runs, or nobody, as it is now; in any thread."""
        with self._copying, self.storage.read() as conn:
            copy = self._copies.pop(stream, None)
            if copy is None:
                if stream == HOUSE or log.head(conn, stream) is None:
                    raise Refusal(Fault.UNKNOWN_TABLE, f"there is no table {stream!r}")
                copy = log.load(conn, stream, self.house.seal)
            else:
                log.replay(copy, log.read(conn, stream, after=copy.number))
            self._copies[stream] = copy
            while len(self._copies) > MOST_COPIES:
                del self._copies[next(iter(self._copies))]
            return look(copy)

    def seen(self, stream: str) -> LiveTable:
        """A table to look at, in the pit's thread: this server's own, or a copy."""
        return self.tables.get(stream) or self.copy(stream, lambda copy: copy)

    def seconds_left(self, stream: str) -> float | None:
        """Until the clock speaks at this table."""
        now, running = self.clock.monotonic(), self._deadlines.get(stream, {})
        left = [at - now for key, at in running.items() if not key.startswith(NOTICE)]
        return max(0.0, min(left)) if left else None

    def _forget(self, streams: Any) -> None:
        """What these tables hold in memory may not be on disk: they are read again."""
        for stream in [*streams]:
            self.tables.pop(stream, None)
            self._deadlines.pop(stream, None)


def opening(
    game: str, name: str, options: Mapping[str, Any] | None = None, terms: Terms | None = None,
    *, private: bool = False, link: str | None = None,
) -> Input:  # fmt: skip
    """The command that opens a table."""
    return {
        "do": "open", "game": game, "name": name, "options": dict(options or {}),
        "terms": asdict(terms or Terms()), "software": software(),
        "private": private, "link": link,
    }  # fmt: skip


def new_id() -> str:
    """An id of a table, that cannot be guessed."""
    return secrets.token_hex(6)


def allow_at(by: Person, command: str) -> None:
    """Refuse a command that is not for this role, or not for the clock or the house."""
    if by in (CLOCK, THE_HOUSE):
        allow_by_itself(by.account, command)
    else:
        allow(by, command)


def _is_welcome(live: LiveTable, changes: Mapping[str, Any]) -> bool:
    """Lower minimums and higher maximums need no notice: nobody is worse off."""
    options = live.table.options
    better = {
        "table_min": lambda value: value <= options.table_min,
        "table_max": lambda value: value >= options.table_max,
    }
    return all(
        name in better and type(value) is int and better[name](value)
        for name, value in changes.items()
    )
