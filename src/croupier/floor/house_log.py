"""The house's own log: writing it, and knowing what it says.

Everything that belongs to no table is an event here: accounts and roles,
sessions, money at the cage, software, the clock. Any process that holds the
house's key may write it (a server, or `croupier account`), one at a time; each
folds what the others have written into its own `Register`.
"""

import json
import logging
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, bindparam, func, select, text

from croupier.floor import heads, schema
from croupier.floor.checkpoint import Notary
from croupier.floor.clock import Clock, SystemClock
from croupier.floor.events import BEGINNING, HOUSE, LogEvent, canonical, digest
from croupier.floor.log import COLUMNS, LogBroken, hash_of
from croupier.floor.register import Register, at_the_cage
from croupier.floor.roles import Denial, NotAllowed, Person, allow
from croupier.floor.rows import Rows, found, put_all
from croupier.floor.seal import Seal
from croupier.floor.software import software
from croupier.floor.storage import Storage

logger = logging.getLogger("croupier.house")

SNAPSHOT_EVENTS = 2000  # of the house, after which it is worth to keep what they add up to
HELD = "(stream, account) DO UPDATE SET cents = excluded.cents, overdraft = excluded.overdraft"
CHANGES_RIGHTS = {"log_out", "account_closed", "role_changed", "password_set"}
KEPT = "(stream) DO UPDATE SET number = excluded.number, head = excluded.head, "
KEPT += "software = excluded.software, state = excluded.state, seal = excluded.seal"
ONE_AT_A_TIME = text("SELECT pg_advisory_xact_lock(4747, 0)")
TELL = text("SELECT pg_notify('croupier', :stream)")
SINCE = (
    select(*COLUMNS)
    .where(schema.events.c.stream == HOUSE, schema.events.c.number > bindparam("after"))
    .order_by(schema.events.c.number)
)  # made once: every commit asks this


class HouseLog:
    """The log of the house, and the register that follows from it."""

    def __init__(
        self, storage: Storage, clock: Clock | None = None, notary: Notary | None = None,
        heard: Callable[[], None] = lambda: None,
    ) -> None:  # fmt: skip
        """`heard` is told when somebody's rights may have changed."""
        self.storage = storage
        self.clock = clock or SystemClock()
        self.notary = notary
        self.seal = notary.seal if notary else Seal(b"")  # without a key, seals prove nothing
        self.register = Register()
        self._heard = heard
        self._kept = 0  # the event of the last snapshot
        self._lock = threading.RLock()

    def note(self, conn: Connection, kind: str, actor: str, **data: Any) -> None:
        """Write a significant event, in the transaction at hand."""
        self.move(conn, kind, actor, {}, **data)

    def move(
        self, conn: Connection, kind: str, actor: str, money: Mapping[str, int], **data: Any
    ) -> None:
        """The same, with the money that it moves from one account to another."""
        self.alone(conn)
        number, previous = self._head(conn)
        self._put(conn, number + 1, previous, kind, actor, data, money)

    def begin(self, conn: Connection) -> None:
        """Know all that the log says; and seal every log as it stands, if nobody ever has."""
        self.catch_up(conn)
        if self.register.sealed is None:
            self.alone(conn)
            self._head(conn)
            self.catch_up(conn)

    def alone(self, conn: Connection) -> None:
        """Until this transaction ends, nobody else writes into the house's log."""
        if self.storage.dialect == "postgresql":
            conn.execute(ONE_AT_A_TIME)

    def catch_up(self, conn: Connection) -> bool:
        """Fold in what has been written since, by whomever; whether there was anything."""
        with self._lock:
            register = self.register
            if register.number == 0:
                register = self.register = self._from_snapshot(conn) or register
            rows = self._since(conn, register.number)
            if rows and rows[0].previous != register.head and self._is_undone(conn):
                register = self.register = self._from_snapshot(conn) or Register()
                rows = self._since(conn, register.number)
            if rows:
                rows, head = self._confirmed(conn, rows)
                for event, is_ours in zip(rows, self._believed(rows, head), strict=True):
                    self._hear(event, is_ours)
                if any(row.kind in CHANGES_RIGHTS for row in rows) or register.damaged:
                    self._heard()
            return bool(rows)

    def _is_undone(self, conn: Connection) -> bool:
        """Whether the last event heard is not in the log: it was heard, and never committed."""
        heard = self.register.number, self.register.head
        return heard[0] > 0 and hash_of(conn, HOUSE, heard[0]) != heard[1]

    def _since(self, conn: Connection, after: int) -> list[LogEvent]:
        """The events of the house after one of this number."""
        return [LogEvent._make(row) for row in conn.execute(SINCE, {"after": after})]

    def _confirmed(
        self, conn: Connection, events: list[LogEvent]
    ) -> tuple[list[LogEvent], str | None]:
        """The same events up to the sealed head, which nobody has forged; and its hash.

        Another server may have written between the two questions: then its events come too.
        """
        head = self._sealed(conn)
        if head is None:
            if self.register.sealed is not None or any(each.kind == "sealed" for each in events):
                raise LogBroken(HOUSE, events[0].number, "the sealed head of this log is gone")
            return events, None  # an older log, which is sealed before anything is added
        if type(events[-1].number) is int and events[-1].number < head[0]:
            later = self._since(conn, events[-1].number)
            events = [*events, *(each for each in later if each.number <= head[0])]
        last = events[-1]
        if type(last.number) is not int or last.number > head[0]:
            raise LogBroken(HOUSE, head[0] + 1, "nobody of the house sealed it")
        if (last.number, last.hash) != head:
            raise LogBroken(HOUSE, last.number, "it is not the one that was sealed")
        return events, last.hash

    def _believed(self, events: list[LogEvent], head: str | None) -> list[bool]:
        """Of each event, whether the house wrote it.

        Events are proved backwards: the sealed head is the hash of the last one, which holds the
        hash of the one before. Where one is not what it should be, it cannot speak for those
        before it; then a signed checkpoint must. Before seals there was only the chain.
        """
        if head is None:
            return [event.hash == _computed(event) for event in events]
        signed: dict[int, str] | None = None
        due: dict[int, str] = {events[-1].number: head}
        believed = []
        for event in reversed(events):
            if event.number not in due:
                if signed is None:
                    signed = self.notary.signed(HOUSE) if self.notary else {}
                due = signed
            is_ours = event.hash == due.get(event.number) == _computed(event)
            due = {event.number - 1: event.previous} if is_ours else {}
            believed.append(is_ours)
        return believed[::-1]

    def refresh(self) -> bool:
        """The same, for whoever has no transaction at hand."""
        with self.storage.read() as conn:
            return self.catch_up(conn)

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction that begins with all that the log says, and is folded in when it ends."""
        with self.storage.write() as conn:
            self.alone(conn)
            self.catch_up(conn)
            yield conn
        self.refresh()

    def still(self, by: Person, command: str | None = None) -> None:
        """Refuse somebody who has been logged out or dismissed since their token was checked.

        Another server may have done so: this is asked in the transaction that would grant it.
        """
        person = self.register.person(by.session, self.clock.now())
        if person is None or person.account != by.account:
            raise NotAllowed(Denial.BAD_TOKEN)
        if command is not None:
            allow(person, command)

    def keep(self, conn: Connection) -> None:
        """Keep what the log adds up to, when it has grown much."""
        with self._lock:
            if self.register.number - self._kept < SNAPSHOT_EVENTS:
                return
            self._kept = self.register.number
            state = canonical(self.register.saved())
            kept = self.register.number, self.register.head, software(), state
            seal = self.seal.of("snapshot", HOUSE, *kept)
            put_all(conn, [Rows(schema.snapshots, [(HOUSE, *kept, seal)], KEPT)])

    def _hear(self, event: LogEvent, is_ours: bool) -> None:
        """What cannot be believed may have taken rights away; it is named, and grants none."""
        register = self.register
        follows = event.previous == register.head or register.number in register.damaged
        try:
            if event.number != register.number + 1 or not follows:
                raise ValueError("it does not follow the event before it")
            if not is_ours:
                raise ValueError("nothing that the house sealed or signed speaks for it")
            register.hear(event)
        except (ValueError, TypeError) as why:
            logger.critical("event %s of the house cannot be believed: %s", event.number, why)
            register.skip(event.number, event.hash)

    def _from_snapshot(self, conn: Connection) -> Register | None:
        """The register as it was kept, if the house has sealed it."""
        snapshots = schema.snapshots
        row = conn.execute(select(snapshots).where(snapshots.c.stream == HOUSE)).first()
        if row is None or not self.seal.fits(row.seal, "snapshot", *row[:-1]):
            return None
        if row.software != software():
            return None  # other software may have kept other things: the log has everything
        register = Register.restored(json.loads(row.state))
        self._kept = register.number
        return register

    def _sealed(self, conn: Connection) -> tuple[int, str] | None:
        try:
            return heads.sealed_head(conn, self.seal, HOUSE)
        except heads.BadSeal as bad:
            raise LogBroken(HOUSE, self.register.number + 1, str(bad)) from None

    def _head(self, conn: Connection) -> tuple[int, str]:
        """The last event of the house; the first time, every log is sealed as it stands."""
        head = self._sealed(conn)
        if head is not None:
            return head
        sealed = select(func.count()).where(
            schema.events.c.stream == HOUSE, schema.events.c.kind == "sealed"
        )
        if conn.scalar(sealed):
            raise LogBroken(HOUSE, 1, "the sealed head of this log is gone")
        there = heads.all_heads(conn)
        put_all(conn, [heads.sealed(self.seal, there)])
        number, previous = next(
            (each[1:] for each in there if each[0] == HOUSE), (0, BEGINNING)
        )  # fmt: skip
        said = {
            "counts": {stream: number for stream, number, _ in there},
            "passwords": self._passwords(conn),
            **({"anchor": self.notary.state()} if self.notary else {}),
        }
        event = self._put(conn, number + 1, previous, "sealed", HOUSE, said, {})
        return event.number, event.hash

    def _passwords(self, conn: Connection) -> dict[str, str]:
        """The digests of those whose accounts are in the log: an older one has none."""
        self.catch_up(conn)
        has_one = schema.accounts.c.password.is_not(None)
        rows = conn.execute(select(schema.accounts).where(has_one))
        known = self.register.accounts
        return {row.id: digest(row.password) for row in rows if row.id in known}

    def _put(
        self, conn: Connection, number: int, previous: str, kind: str, actor: str,
        data: Mapping[str, Any], money: Mapping[str, int],
    ) -> LogEvent:  # fmt: skip
        event = LogEvent(
            HOUSE, number, 0, kind, self.clock.now(), actor, str(data.get("request", "")), "",
            software(), None,
            canonical(data), None, canonical(money) if money else None, previous,
        )  # fmt: skip
        event = event._replace(hash=event.computed())
        put_all(conn, [
            Rows(schema.events, [event]),
            heads.sealed(self.seal, [(HOUSE, number, event.hash)]),
            self._moved(conn, money),
        ])  # fmt: skip
        if self.storage.dialect == "postgresql":
            conn.execute(TELL, {"stream": HOUSE})
        return event

    def _moved(self, conn: Connection, money: Mapping[str, int]) -> Rows:
        """What the accounts hold after this."""
        rows = found(conn, schema.balances, [(HOUSE, each) for each in money]) if money else []
        held = {row.account: row.cents for row in rows}
        moved = [
            (HOUSE, account, held.get(account, 0) + cents, cents > 0 or self.may_overdraw(account))
            for account, cents in money.items()
        ]
        return Rows(schema.balances, moved, HELD)

    def may_overdraw(self, account: str) -> bool:
        """A patron's money at the cage may go below zero only where the house lends.

        Whoever owes from a time when it did may still pay back a part.
        """
        return self.register.lends or not account.startswith(at_the_cage(""))


def _computed(event: LogEvent) -> str | None:
    """The hash of what an event holds; one that holds what none can has none."""
    try:
        return event.computed()
    except (TypeError, ValueError):
        return None
