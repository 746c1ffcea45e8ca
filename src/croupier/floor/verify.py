"""Checking a whole log: a small program of its own, which believes nothing that it reads.

Every stream is read from its first event to its last. Numbers must have no
gap, every event must have the hash of its content and follow the one before,
and every round is played again: what the rules make of the same commands and
the same outcomes must be the very rows that were written. What is kept beside
the log must be what the log adds up to, and signed checkpoints from outside
the database show what a chain of hashes cannot: a tail that was cut off, a
chain hashed anew from end to end, an old backup in the place of the log.

A server may go on while this reads: a page at a time, so that neither memory
nor the server feels how long the log is.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from sqlalchemy import Connection, Row, func, select

from croupier.equipment import dollars
from croupier.floor import checkpoint, log, schema
from croupier.floor.checkpoint import Marks
from croupier.floor.events import BEGINNING, HOUSE, LogEvent, canonical, digest
from croupier.floor.live import LiveTable, may_overdraw
from croupier.floor.log import LogBroken
from croupier.floor.people import Role
from croupier.floor.software import software
from croupier.floor.storage import Storage

PAGE = 1000  # events that are read at a time
LEAST = -(2**63)  # a number that no event is below: one that was put before the first shows too

# What the events of the house say of an account, and where in their data.
OF_ACCOUNTS: dict[str, dict[str, str]] = {
    "account_created": {"name": "name", "role": "role"},
    "guest_admitted": {"name": "name", "guest_of": "table"},
    "role_changed": {"role": "after"},
    "account_closed": {},
}
NEW_ACCOUNT = {"role": Role.PATRON.value, "guest_of": None, "closed": False}

# How a sentence of `log` begins that says what the rules would have made of a command.
BY_THE_RULES = ("by the rules", "it cannot be done again", "it follows from nothing")

Progress = Callable[[int, int], None]  # events that have been checked, and how many there are


@dataclass
class Verdict:
    """What was checked, and the first bad event of every stream that has one."""

    streams: int = 0
    events: int = 0
    rounds: int = 0
    checkpoints: int | None = None  # signed lines; None if no checkpoints were given
    bad: list[LogBroken] = field(default_factory=list)

    @property
    def is_sound(self) -> bool:
        return not self.bad

    def as_json(self) -> dict[str, Any]:
        return {
            "sound": self.is_sound,
            "streams": self.streams,
            "events": self.events,
            "rounds": self.rounds,
            "checkpoints": self.checkpoints,
            "bad": [
                {"stream": each.stream, "event": each.number, "why": each.why} for each in self.bad
            ],
        }


def verify(
    storage: Storage, marks: Marks | None = None, progress: Progress | None = None
) -> Verdict:
    """Check everything there is. Without checkpoints, what only they can show does not show."""
    verdict = Verdict(checkpoints=None if marks is None else marks.lines)
    marks = marks or Marks()
    with storage.read() as conn:
        total = _total(conn)
        streams = _streams(conn, marks)
    rules = _Rules(storage)
    for stream in streams:
        is_house = stream == HOUSE
        checked = _House(storage, marks) if is_house else _Table(storage, stream, marks, rules)
        if progress is not None:
            checked.tick = partial(_tell, progress, verdict.events, total)
        try:
            checked.check()
        except LogBroken as broken:
            verdict.bad.append(broken)
        verdict.streams += 1
        verdict.events += checked.number
        verdict.rounds += checked.rounds
    verdict.bad += _bad_lines(marks)
    return verdict


def _tell(progress: Progress, before: int, total: int, number: int) -> None:
    progress(before + number, max(total, before + number))


def _total(conn: Connection) -> int:
    numbers = select(func.max(schema.events.c.number)).group_by(schema.events.c.stream)
    return sum(number for number in conn.scalars(numbers) if isinstance(number, int))


def _streams(conn: Connection, marks: Marks) -> list[str]:
    """All that have events, or should have them: the house, then the tables."""
    named = [
        schema.events.c.stream, schema.tables.c.id, schema.balances.c.stream,
        schema.snapshots.c.stream,
    ]  # fmt: skip
    found = {name for column in named for name in conn.scalars(select(column).distinct())}
    signed = {stream for stream, mark in marks.newest.items() if mark.count}
    return sorted(found | signed | marks.against.keys(), key=_house_first)


def _house_first(stream: str) -> tuple[bool, str]:
    return stream != HOUSE, stream


def _bad_lines(marks: Marks) -> Iterator[LogBroken]:
    """Lines that speak of no stream at all. One that a crash left half written is no harm."""
    for line in marks.bad:
        if not line.stream and not line.torn:
            yield LogBroken("the checkpoints", line.number, f"line {line.number} {line.sentence}")


class _Rules:
    """The rules that events name: each must be kept, and be what its hash says."""

    def __init__(self, storage: Storage) -> None:
        self.storage = storage
        self.known: dict[str, str] = {}  # what is wrong with each, if anything

    def wrong(self, named: str) -> str:
        if named not in self.known:
            with self.storage.read() as conn:
                query = select(schema.rulesets).where(schema.rulesets.c.hash == named)
                self.known[named] = _misfit(conn.execute(query).first(), named)
        return self.known[named]


def _misfit(row: Row[Any] | None, named: str) -> str:
    if row is None:
        return "the rules that it names are not kept"
    try:
        kept = {"game": row.game, "options": json.loads(row.options), "software": row.software}
    except (ValueError, TypeError, RecursionError):
        kept = {}
    return "" if digest(canonical(kept)) == named else "the rules that it names were changed"


class _Chain:
    """One stream, from its first event to its last."""

    def __init__(self, storage: Storage, stream: str, marks: Marks) -> None:
        self.storage, self.stream, self.marks = storage, stream, marks
        self.tick: Callable[[int], None] = lambda number: None
        self.number, self.head = 0, BEGINNING  # of the last event that was read
        self.rounds = 0

    def check(self) -> None:
        """Raise `LogBroken` at the first event that is not as it must be."""
        raise NotImplementedError

    def look(self, conn: Connection, *, at_the_end: bool) -> None:
        """Read what is kept beside the log, in the same moment as a page of it."""
        raise NotImplementedError

    def events(self) -> Iterator[LogEvent]:
        """The chain, a page at a time; then what the checkpoints say of it."""
        mark = self.marks.newest.get(self.stream)
        signed: str | None = None
        page: list[LogEvent] = []
        at_the_end = False
        while not at_the_end:
            after = page[-1].number if page else LEAST
            with self.storage.read() as conn:
                page = list(log.read(conn, self.stream, after=after, limit=PAGE))
                at_the_end = len(page) < PAGE
                self.look(conn, at_the_end=at_the_end)
            for event in page:
                self._link(event)
                if mark is not None and event.number == mark.count:
                    signed = event.hash
                yield event
            self.tick(self.number)
        wrong = checkpoint.check(self.marks, self.stream, self.number, lambda _: signed)
        if wrong:
            number = min(mark.count, self.number + 1) if mark else self.number
            raise self.broken(wrong, number)

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


class _House(_Chain):
    """The house's own log: who has an account, and in which role."""

    def __init__(self, storage: Storage, marks: Marks) -> None:
        super().__init__(storage, HOUSE, marks)
        self.kept: dict[str, Row[Any]] = {}
        self.told: dict[str, dict[str, Any]] = {}
        self.told_by: dict[str, int] = {}  # the last event about each account

    def look(self, conn: Connection, *, at_the_end: bool) -> None:
        if at_the_end:
            self.kept = {row.id: row for row in conn.execute(select(schema.accounts))}

    def check(self) -> None:
        for event in self.events():
            if event.kind in OF_ACCOUNTS:
                self._hear(event)
        for account in sorted({*self.kept, *self.told}):
            self._check_account(account)

    def _hear(self, event: LogEvent) -> None:
        try:
            said = json.loads(event.data)
            account = said["account"]
            changed = {name: said[of] for name, of in OF_ACCOUNTS[event.kind].items()}
        except (ValueError, TypeError, KeyError, RecursionError):
            raise self.broken("it does not say what such an event says") from None
        known = self.told.setdefault(account, dict(NEW_ACCOUNT))
        known |= changed | ({"closed": True} if event.kind == "account_closed" else {})
        self.told_by[account] = event.number

    def _check_account(self, account: str) -> None:
        """Nobody has an account, or a role, that this log did not give him."""
        told, row = self.told.get(account), self.kept.get(account)
        number = self.told_by.get(account, self.number)
        if told is None or row is None:
            where = "this log" if told is None else "the table of accounts"
            raise self.broken(f"account {account} is not in {where}", number)
        for name, value in told.items():
            if getattr(row, name) != value:
                raise self.broken(
                    f"by it the {name} of account {account} is {value!r}, and the table of "
                    f"accounts says {getattr(row, name)!r}", number,
                )  # fmt: skip


class _Table(_Chain):
    """The log of a table: every round is played again."""

    def __init__(self, storage: Storage, stream: str, marks: Marks, rules: _Rules) -> None:
        super().__init__(storage, stream, marks)
        self.rules = rules
        self.live = LiveTable(stream)
        self.opened: LogEvent | None = None
        self.posted: Counter[str] = Counter()
        self.posted_by: dict[str, int] = {}  # the last event that moved each account
        self.row: Row[Any] | None = None  # of the directory of tables
        self.balances: list[Row[Any]] = []
        self.snapshot: Row[Any] | None = None
        self.compared: Row[Any] | None = None

    def look(self, conn: Connection, *, at_the_end: bool) -> None:
        tables, balances, snapshots = schema.tables, schema.balances, schema.snapshots
        of_this = select(snapshots).where(snapshots.c.stream == self.stream)
        self.snapshot = conn.execute(of_this).first()
        if at_the_end:
            self.row = conn.execute(select(tables).where(tables.c.id == self.stream)).first()
            held = select(balances).where(balances.c.stream == self.stream)
            self.balances = [*conn.execute(held.order_by(balances.c.account))]

    def check(self) -> None:
        try:
            log.replay(self.live, self._by_the_rules())
        except LogBroken as broken:
            raise self._by_other_software(broken) from None
        if self.opened is None:
            raise self.broken("it is missing, and so is all of this table's log", 1)
        self._check_directory(self.opened)
        self._check_balances()
        if self.snapshot is not None and self.snapshot != self.compared:
            self._check_late_snapshot(self.snapshot)

    def _by_other_software(self, broken: LogBroken) -> LogBroken:
        """If the rules were written otherwise then, that may be the reason."""
        then = self.live.software
        if then in ("", software()) or not broken.why.startswith(BY_THE_RULES):
            return broken
        why = f"{broken.why}; it was played by other software ({then[:12]}) than this"
        return LogBroken(broken.stream, broken.number, why)

    def _by_the_rules(self) -> Iterator[LogEvent]:
        """The events, to be played again, and in between what belongs to each."""
        for event in self.events():
            if wrong := self.rules.wrong(event.rules):
                raise self.broken(wrong)
            self.opened = self.opened or event
            self.rounds += event.kind == "round_over"
            if event.money is not None:
                self._post(event.money)
            yield event
            if self.snapshot is not None and self.snapshot.number == event.number:
                self._compare(self.snapshot, self.live)

    def _post(self, money: str) -> None:
        """Double entry: what goes to an account comes from another."""
        try:
            moved: dict[str, int] = json.loads(money)
            self.posted.update(moved)
            total = sum(moved.values())
        except (ValueError, TypeError, AttributeError, RecursionError):
            raise self.broken("what it posts is not money") from None
        if total:
            raise self.broken("what it posts does not add up to nothing")
        self.posted_by.update(dict.fromkeys(moved, self.number))

    # What is kept beside the log.

    def _check_directory(self, opened: LogEvent) -> None:
        if self.row is None:
            raise self.broken("the directory of tables does not have this table", 1)
        said = json.loads(opened.input or "")
        status = "open" if self.live.status == "closing" else self.live.status
        by_the_log = {
            "game": said["game"], "name": said["name"], "private": said["private"],
            "link": said["link"], "opened_by": opened.actor, "status": status,
        }  # fmt: skip
        for name, value in by_the_log.items():
            listed = getattr(self.row, name)
            if listed != value:
                number = self.number if name == "status" else 1
                raise self.broken(
                    f"by the log the table's {name.replace('_', ' ')} is {value!r}, and the "
                    f"directory of tables says {listed!r}", number,
                )  # fmt: skip

    def _check_balances(self) -> None:
        held = {row.account: row.cents for row in self.balances}
        for account in sorted({*held, *self.posted}):
            posted, kept = self.posted[account], held.get(account, 0)
            if kept != posted:
                raise self.broken(
                    f"after it {account!r} has {_amount(posted)} by all that was posted, and the "
                    f"balances say {_amount(kept)}", self.posted_by.get(account, self.number),
                )  # fmt: skip
        for row in self.balances:
            if row.overdraft != may_overdraw(row.account):
                number = self.posted_by.get(row.account, self.number)
                raise self.broken(
                    f"the balances are wrong on whether {row.account!r} may be below zero", number
                )

    def _compare(self, snapshot: Row[Any], live: LiveTable) -> None:
        """The table, as it stands when it is played again, is the one that was kept."""
        live.remember()
        if (snapshot.head, snapshot.state) != (live.head, canonical(live.memory)):
            raise self.broken("the snapshot after it is not how the table stood", snapshot.number)
        self.compared = snapshot

    def _check_late_snapshot(self, snapshot: Row[Any]) -> None:
        """One of a later event than there is, or one written when its event had been read."""
        if not 0 < snapshot.number <= self.number:
            raise self.broken("it is missing: a snapshot holds it", self.number + 1)
        live = LiveTable(self.stream)
        with self.storage.read() as conn:
            log.replay(live, log.read(conn, self.stream, upto=snapshot.number))
        self._compare(snapshot, live)


def _hash(event: LogEvent) -> str:
    """What the hash must be; of a row that holds no text, nothing can be."""
    try:
        return event.computed()
    except (TypeError, ValueError):
        return ""


def _amount(cents: Any) -> str:
    return dollars(cents) if type(cents) is int else repr(cents)
