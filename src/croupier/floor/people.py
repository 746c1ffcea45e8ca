"""People: who they are, what they may do, and how they prove it.

A person logs in with a name and a password and is given a token. The token is
short-lived, renewed within a session that ends after some hours, and known to
its holder alone: the database has its hash.

What is given away, and what is not:

- A wrong password, an unknown name, a closed account and a guest's name get
  the same answer after the same work.
- A locked account answers "locked" whatever the password is. If the right
  password were told apart, guessing could go on behind the lock. The price is
  that three wrong tries show that a name exists. Names are no secret here:
  they stand at the tables, and registering one says whether it is taken.
- A lock bars logging in and leaves running sessions alone. Otherwise anyone
  who can read a name could have its bearer thrown out in the middle of a hand.
- An unknown token, an expired one and one that was logged out are all the same.
"""

import re
import secrets
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum
from threading import BoundedSemaphore
from typing import Any

from argon2 import PasswordHasher
from argon2.exceptions import VerifyMismatchError
from sqlalchemy import Connection, Row, Select, delete, func, insert, or_, select, update
from sqlalchemy.dialects import postgresql, sqlite

from croupier.floor.clock import Clock, read, written
from croupier.floor.events import HOUSE, digest
from croupier.floor.schema import accounts, sessions
from croupier.floor.storage import Storage

SELF = "self"  # who opens an account without a supervisor: the person whose it is
LONGEST_NAME = 40
PASSWORD_LENGTHS = range(8, 201)
REMEMBERED = 1.0  # seconds for which a token that was checked is not looked up again
ENDS_SESSIONS = {"log_out", "account_closed", "role_changed", "password_set"}  # notes that do
HASHES_AT_ONCE = 2  # each takes 64 MiB: a crowd at the door must not take all memory


class Role(StrEnum):
    PATRON = "patron"
    DEALER = "dealer"
    FLOORPERSON = "floorperson"
    SUPERVISOR = "supervisor"
    SURVEILLANCE = "surveillance"


_PATRON = frozenset({Role.PATRON})
_DEALER = frozenset({Role.DEALER})
_SUPERVISOR = frozenset({Role.SUPERVISOR})
_PIT = frozenset({Role.FLOORPERSON, Role.SUPERVISOR})

MAY: Mapping[str, frozenset[Role]] = {
    "open_table": _PIT,
    "open_private_table": _PATRON | _PIT,
    "close_table": _PIT,
    "post_notice": _PIT,
    "freeze": _PIT,
    "thaw": _SUPERVISOR,
    "correct": _SUPERVISOR,
    "sit": _PATRON,
    "buy_in": _PATRON,
    "bet": _PATRON,
    "ready": _PATRON,
    "move": _PATRON,
    "leave": _PATRON,
    "take_control": _PATRON,
    "take_dealer": _DEALER,
    "leave_dealer": _DEALER | _PIT,
    "no_more_bets": _DEALER,
    "deal": _DEALER,
    "report": _DEALER | _PIT,
    "dispute": _PATRON | _PIT,
    "reports": _PIT | {Role.SURVEILLANCE},
    "read_all": _SUPERVISOR | {Role.SURVEILLANCE},
    "accounts": _SUPERVISOR,
}
NOT_FOR_GUESTS = frozenset({"open_private_table"})  # a guest visits one table


class Denial(StrEnum):
    """Every reason for which somebody is turned away. The list is closed."""

    BAD_CREDENTIALS = "bad_credentials"
    LOCKED = "locked"
    NAME_TAKEN = "name_taken"
    BAD_NAME = "bad_name"
    WEAK_PASSWORD = "weak_password"
    BAD_TOKEN = "bad_token"
    UNKNOWN_ACCOUNT = "unknown_account"
    FORBIDDEN = "forbidden"


_SENTENCES = {
    Denial.BAD_CREDENTIALS: "the name or the password is wrong",
    Denial.LOCKED: "too many failed log-ins: the account is locked for a while, "
    "or until a supervisor unlocks it",
    Denial.NAME_TAKEN: "that name is taken",
    Denial.BAD_TOKEN: "the session is over: log in again",
    Denial.UNKNOWN_ACCOUNT: "there is no such account, or it cannot be changed so",
}


class NotAllowed(Exception):
    """Somebody is turned away. The sentence holds nothing of what he typed."""

    def __init__(self, code: Denial, message: str = "") -> None:
        self.code = code
        self.message = message or _SENTENCES[code]
        super().__init__(self.message)


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody whose token was checked."""

    account: str
    name: str
    role: Role
    session: str
    guest_of: str | None = None

    @property
    def sees_all(self) -> bool:
        return self.role is Role.SURVEILLANCE

    def may_visit(self, table: str) -> bool:
        return self.guest_of in (None, table)


@dataclass(frozen=True, slots=True)
class Token:
    """What its holder shows with each command. Printed, it does not show itself."""

    text: str = field(repr=False)
    expires_at: str


By = Person | str  # a supervisor, or the house: whoever runs the server's own commands
Note = Callable[..., None]
Write = Callable[[], AbstractContextManager[Connection]]


def allow(person: Person, command: str) -> None:
    """Refuse what is not listed for a person's role."""
    if person.role not in MAY.get(command, ()):
        raise NotAllowed(Denial.FORBIDDEN, f"a {person.role} may not do this")
    if person.guest_of is not None and command in NOT_FOR_GUESTS:
        raise NotAllowed(Denial.FORBIDDEN, "a guest may not do this")


# Controls, halves of a character, line ends, and what turns the direction of the text around it.
_BARRED = re.compile(
    "[\x00-\x1f\x7f-\x9f\ud800-\udfff\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"
)
# Marks without a shape, besides those of category Cf.
_SHAPELESS = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]"
)


def _key(name: str) -> str:
    """What two names that look the same have in common."""
    seen = _SHAPELESS.sub("", unicodedata.normalize("NFKC", name))
    seen = "".join(sign for sign in seen if unicodedata.category(sign) != "Cf")
    return " ".join(unicodedata.normalize("NFKC", seen.casefold()).split())


def _named(name: str) -> tuple[str, str]:
    """A name as it is shown, and its key. Any text will do that can be seen on one line."""
    shown = name.strip()
    if not 1 <= len(shown) <= LONGEST_NAME:
        raise NotAllowed(Denial.BAD_NAME, f"a name has 1 to {LONGEST_NAME} characters")
    if _BARRED.search(shown) or not _key(shown):
        raise NotAllowed(Denial.BAD_NAME, "a name has only characters that can be seen")
    return shown, _key(shown)


def _key_tried(name: str) -> str:
    """The key of a name at the door. One that nobody can have is nobody's."""
    try:
        return _named(name)[1]
    except NotAllowed:
        return ""


def _strong(password: str) -> str:
    if len(password) not in PASSWORD_LENGTHS:
        low, high = PASSWORD_LENGTHS[0], PASSWORD_LENGTHS[-1]
        raise NotAllowed(Denial.WEAK_PASSWORD, f"a password has {low} to {high} characters")
    return password


def _octets(password: str) -> bytes:
    """A password as it is hashed: the same from every keyboard. One too long is nobody's."""
    kept = password if len(password) <= PASSWORD_LENGTHS[-1] else ""
    return unicodedata.normalize("NFKC", kept).encode("utf-8", "surrogatepass")


_IDENTITY = re.compile("[0-9a-f]{16}")


def _identity() -> str:
    return secrets.token_hex(8)


def _later(moment: str, **time: float) -> str:
    return written(read(moment) + timedelta(**time))


@dataclass(frozen=True, slots=True)
class _Checked:
    """A token that was looked up, and until when that is believed."""

    person: Person
    expires_at: str
    until: float


class People:
    """Accounts and sessions. Any thread may call; passwords are hashed outside of transactions.

    `note(connection, kind, actor, **data)` writes a significant event in the
    same transaction as what it tells of. `write` opens a transaction on the
    storage's one writer; who shares that writer passes one with a lock.
    """

    def __init__(
        self,
        storage: Storage,
        clock: Clock,
        *,
        note: Note,
        write: Write | None = None,
        hasher: PasswordHasher | None = None,
        token_minutes: float = 15,
        session_hours: float = 12,
        tries: int = 3,
        lock_minutes: float = 15,
        believed: float = REMEMBERED,
    ) -> None:
        self._storage = storage
        self._clock = clock
        self._note = note
        self._write = write or storage.write
        self._hasher = hasher or PasswordHasher()
        self._hashing = BoundedSemaphore(HASHES_AT_ONCE)
        self._nobody = self._hash(secrets.token_urlsafe())
        self._token_minutes = token_minutes
        self._session_hours = session_hours
        self._tries = tries
        self._lock_minutes = lock_minutes
        self._believed = believed  # seconds that a token is, before the database is asked again
        self._checked: dict[str, _Checked] = {}

    # Accounts

    def create(self, name: str, password: str, role: Role = Role.PATRON, *, by: By = SELF) -> str:
        """Open an account. Patrons may do it themselves, staff is appointed."""
        if by != SELF:
            self._supervised(by)
        elif role is not Role.PATRON:
            raise NotAllowed(Denial.FORBIDDEN, "only a supervisor appoints staff")
        shown, key = _named(name)
        hashed = self._hash(_strong(password))
        with self._write() as conn:
            row = self._open(conn, name=shown, key=key, role=role.value, password=hashed)
            if row is None:
                raise NotAllowed(Denial.NAME_TAKEN)
            actor = row.id if by == SELF else _actor(by)
            self._note(conn, "account_created", actor, account=row.id, name=shown, role=row.role)
        return str(row.id)

    def guest(self, table_id: str, name: str) -> tuple[Person, Token]:
        """Admit a guest to one table, under a name that tells him from everyone else.

        That he holds the table's link, and that there is such a table, is for
        the caller to know.
        """
        shown, key = _named(name)
        number = self._guests_called(key) + 1
        with self._write() as conn:
            while (row := self._open(
                conn, name=f"{shown} (guest {number})", key=f"{key} (guest {number})",
                role=Role.PATRON.value, guest_of=table_id,
            )) is None:  # fmt: skip
                number += 1
            person, token = self._begin(conn, row)
            self._note(
                conn, "guest_admitted", row.id,
                account=row.id, name=row.name, table=table_id, session=person.session,
            )  # fmt: skip
        return person, token

    def _guests_called(self, key: str) -> int:
        guests = accounts.c.key.startswith(f"{key} (guest ", autoescape=True)
        with self._storage.read() as conn:
            return conn.scalar(select(func.count()).select_from(accounts).where(guests)) or 0

    def _open(self, conn: Connection, **values: Any) -> Row[Any] | None:
        """Write a new account, unless its name is taken, be it on another server just now."""
        dialect: Any = sqlite if conn.dialect.name == "sqlite" else postgresql
        new = {"id": _identity(), "created_at": self._clock.now(), **values}
        unless_taken = (
            dialect.insert(accounts).values(new).on_conflict_do_nothing(index_elements=["key"])
        )
        return conn.execute(unless_taken.returning(accounts)).one_or_none()

    def set_role(self, account: str, role: Role, *, by: By) -> None:
        actor = self._supervised(by)
        with self._changing(account) as (conn, was):
            self._set(conn, account, role=role.value)
            self._note(
                conn, "role_changed", actor, account=account, before=was.role, after=role.value
            )

    def set_password(self, account: str, password: str, *, by: By) -> None:
        """Set a new password. Whoever was logged in with the old one is not any more."""
        actor = self._supervised(by)
        hashed = self._hash(_strong(password))
        with self._changing(account) as (conn, _):
            self._set(conn, account, password=hashed)
            self._end_sessions(conn, account)
            self._note(conn, "password_set", actor, account=account)

    def unlock(self, account: str, *, by: By) -> None:
        actor = self._supervised(by)
        with self._changing(account) as (conn, _):
            self._set(conn, account, failures=0, locked_until=None)
            self._note(conn, "account_unlocked", actor, account=account)

    def close_account(self, account: str, *, by: By) -> None:
        """Close an account for good, a guest's too. Its name is never given to another."""
        actor = self._supervised(by)
        with self._changing(account, guests=True) as (conn, _):
            self._set(conn, account, closed=True)
            self._end_sessions(conn, account)
            self._note(conn, "account_closed", actor, account=account)

    @contextmanager
    def _changing(
        self, account: str, *, guests: bool = False
    ) -> Iterator[tuple[Connection, Row[Any]]]:
        """An account to change, in a transaction; afterwards tokens are looked up anew."""
        if not _IDENTITY.fullmatch(account):
            raise NotAllowed(Denial.UNKNOWN_ACCOUNT)
        with self._write() as conn:
            found = select(accounts).where(accounts.c.id == account, accounts.c.closed.is_(False))
            if not guests:
                found = found.where(accounts.c.guest_of.is_(None))
            row = conn.execute(found.with_for_update()).one_or_none()
            if row is None:
                raise NotAllowed(Denial.UNKNOWN_ACCOUNT)
            yield conn, row
        self.forget()

    def _set(self, conn: Connection, account: str, **values: Any) -> None:
        conn.execute(update(accounts).where(accounts.c.id == account).values(values))

    def _end_sessions(self, conn: Connection, account: str) -> None:
        conn.execute(
            update(sessions)
            .where(sessions.c.account == account, sessions.c.ended_at.is_(None))
            .values(ended_at=self._clock.now())
        )

    # Permissions

    def require(self, person: Person, command: str) -> None:
        """Refuse what a person may not do, and note that it was tried."""
        try:
            allow(person, command)
        except NotAllowed:
            with self._write() as conn:
                self._note(conn, "forbidden", person.account, command=command)
            raise

    def _supervised(self, by: By) -> str:
        if isinstance(by, Person):
            self.require(by, "accounts")
        elif by != HOUSE:
            raise NotAllowed(Denial.FORBIDDEN, "only a supervisor may do this")
        return _actor(by)

    # Logging in

    def log_in(self, name: str, password: str) -> tuple[Person, Token, str | None]:
        """Begin a session. Returns also when the person had last logged in."""
        account_named = _who(_key_tried(name))
        with self._storage.read() as conn:
            known = conn.execute(account_named).one_or_none()
        stored = known.password if known else self._nobody
        right = self._matches(stored, password)
        changed = right and self._hasher.check_needs_rehash(stored)
        hashed = self._hash(password) if changed else stored
        # The account is judged as it is now: others may have tried while this was hashed.
        with self._write() as conn:
            account = conn.execute(account_named.with_for_update()).one_or_none()
            locked = account is not None and self._locked(account)
            if account and right and account.password == stored and not locked:
                return (*self._admit(conn, account, hashed), account.last_login_at)
            denial = self._turn_away(conn, account, locked=locked)
        raise NotAllowed(denial)

    def _admit(self, conn: Connection, account: Row[Any], hashed: str) -> tuple[Person, Token]:
        person, token = self._begin(conn, account)
        self._set(
            conn, account.id,
            password=hashed, failures=0, locked_until=None, last_login_at=self._clock.now(),
        )  # fmt: skip
        self._note(conn, "log_in", account.id, session=person.session)
        return person, token

    def _turn_away(self, conn: Connection, account: Row[Any] | None, *, locked: bool) -> Denial:
        """Note a failed log-in and count it. What was typed as the name may be a password."""
        denial = Denial.LOCKED if locked else Denial.BAD_CREDENTIALS
        self._note(
            conn, "log_in_failed", HOUSE,
            account=account.id if account else None, why=denial.value,
        )  # fmt: skip
        if account and not locked:
            self._count(conn, account)
        return denial

    def _count(self, conn: Connection, account: Row[Any]) -> None:
        """One more failure. A lock that has run out has cleared those before it."""
        failures = (0 if account.locked_until else account.failures) + 1
        until = None
        if failures >= self._tries:
            until = _later(self._clock.now(), minutes=self._lock_minutes)
            self._note(conn, "account_locked", HOUSE, account=account.id, until=until)
        self._set(conn, account.id, failures=failures, locked_until=until)

    def _locked(self, account: Row[Any]) -> bool:
        return account.locked_until is not None and account.locked_until > self._clock.now()

    def _hash(self, password: str) -> str:
        with self._hashing:
            return self._hasher.hash(_octets(password))

    def _matches(self, stored: str, password: str) -> bool:
        with self._hashing:
            try:
                return self._hasher.verify(stored, _octets(password))
            except VerifyMismatchError:
                return False

    # Sessions

    def check(self, token: str) -> Person:
        """Whose token this is. What another server has ended is known here within a second."""
        moment, now, hashed = self._clock.monotonic(), self._clock.now(), digest(token)
        checked = self._checked  # if a session ends meanwhile, what is read now is not remembered
        held = checked.get(hashed)
        if held is None or held.until <= moment:
            held = checked[hashed] = self._look_up(hashed, now, moment)
        if held.expires_at <= now:
            raise NotAllowed(Denial.BAD_TOKEN)
        return held.person

    def remembered(self, token: str) -> Person | None:
        """The same without asking the database: None if it must be asked."""
        held = self._checked.get(digest(token))
        if held is None or held.until <= self._clock.monotonic():
            return None
        return held.person if held.expires_at > self._clock.now() else None

    def _look_up(self, hashed: str, now: str, moment: float) -> _Checked:
        with self._storage.read() as conn:
            row = conn.execute(_holder(hashed, now)).one_or_none()
        if row is None:
            raise NotAllowed(Denial.BAD_TOKEN)
        return _Checked(_person(row, row.session), row.expires_at, moment + self._believed)

    def renew(self, token: str) -> Token:
        """Another token for the same session, up to its end. The old one stops working."""
        with self._holding(token) as (conn, row):
            new = self._token(row.begun_at)
            self._set_session(conn, row.session, token=digest(new.text), expires_at=new.expires_at)
        return new

    def log_out(self, token: str) -> None:
        with self._holding(token) as (conn, row):
            self._set_session(conn, row.session, ended_at=self._clock.now())
            self._note(conn, "log_out", row.id, session=row.session)

    def sweep(self) -> int:
        """Remove the sessions that are over, and say how many. The log still tells of them."""
        over = or_(sessions.c.ended_at.is_not(None), sessions.c.expires_at <= self._clock.now())
        free = select(sessions.c.id).where(over).with_for_update(skip_locked=True)
        with self._write() as conn:
            swept = conn.execute(delete(sessions).where(sessions.c.id.in_(free))).rowcount
        self.forget()
        return swept

    def _begin(self, conn: Connection, account: Row[Any]) -> tuple[Person, Token]:
        now, session = self._clock.now(), _identity()
        token = self._token(now)
        conn.execute(insert(sessions).values(
            id=session, account=account.id, token=digest(token.text),
            begun_at=now, expires_at=token.expires_at,
        ))  # fmt: skip
        return _person(account, session), token

    def _token(self, begun_at: str) -> Token:
        end = _later(begun_at, hours=self._session_hours)
        expires_at = min(end, _later(self._clock.now(), minutes=self._token_minutes))
        return Token(secrets.token_urlsafe(32), expires_at)

    @contextmanager
    def _holding(self, token: str) -> Iterator[tuple[Connection, Row[Any]]]:
        """The session of a token, in a transaction; afterwards tokens are looked up anew."""
        with self._write() as conn:
            holder = _holder(digest(token), self._clock.now()).with_for_update(of=sessions)
            row = conn.execute(holder).one_or_none()
            if row is None:
                raise NotAllowed(Denial.BAD_TOKEN)
            yield conn, row
        self.forget()

    def _set_session(self, conn: Connection, session: str, **values: Any) -> None:
        conn.execute(update(sessions).where(sessions.c.id == session).values(values))

    def forget(self) -> None:
        """Look all tokens up anew. Who is reading just now writes into what is thrown away."""
        self._checked = {}


def _actor(by: By) -> str:
    return by.account if isinstance(by, Person) else by


def _who(key: str) -> Select[Any]:
    """The account of a name that can log in."""
    return select(accounts).where(
        accounts.c.key == key, accounts.c.closed.is_(False), accounts.c.password.is_not(None)
    )


def _holder(hashed: str, now: str) -> Select[Any]:
    """The session of a token that is good, and whose it is."""
    return select(
        accounts, sessions.c.id.label("session"), sessions.c.begun_at, sessions.c.expires_at
    ).where(
        sessions.c.token == hashed,
        sessions.c.account == accounts.c.id,
        sessions.c.ended_at.is_(None),
        sessions.c.expires_at > now,
        accounts.c.closed.is_(False),
    )


def _person(account: Row[Any], session: str) -> Person:
    return Person(account.id, account.name, Role(account.role), session, account.guest_of)
