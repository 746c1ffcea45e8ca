"""People: who they are, and how they prove it.

A person logs in with a name and a password and is given a token. The token is
short-lived, renewed within a session that ends after some hours, and known to
its holder alone: the house's log has its digest. Who a token belongs to, and
what they may do, is read from the register, which follows from that log; the
table of accounts keeps the hash of each password, and a hash that the log does
not confirm opens nothing.

What is given away, and what is not:

- A wrong password, an unknown name, a closed account and a guest's name get
  the same answer. An unknown name costs the house no hashing, so a crowd that
  guesses names keeps nobody waiting; the server answers every failed log-in
  after the same time.
- A locked account answers "locked" whatever the password is, and hashes
  nothing. If the right password were told apart, guessing could go on behind
  the lock. The price is that three wrong tries show that a name exists. Names
  are no secret here: they stand at the tables, and registering one says
  whether it is taken.
- A lock bars logging in from devices that the account has not been used from,
  and leaves running sessions alone. Otherwise anyone who can read a name could
  keep its bearer out.
- An unknown token, an expired one and one that was logged out are all the same.
"""

import logging
import re
import secrets
import threading
import unicodedata
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from sqlalchemy import Connection, select, update
from sqlalchemy.dialects import postgresql, sqlite

from croupier.floor import lookalikes
from croupier.floor.clock import Clock, read, written
from croupier.floor.events import HOUSE, digest
from croupier.floor.house_log import HouseLog
from croupier.floor.names import shown_and_key
from croupier.floor.register import Account, Register, Session
from croupier.floor.roles import Denial, NotAllowed, Person, Role, allow
from croupier.floor.schema import accounts
from croupier.floor.storage import Storage

logger = logging.getLogger("croupier.people")

SELF = "self"  # who opens an account without a supervisor: the person whose it is
LOOKS_LIKE_ANOTHER = "that name looks like another's: choose one that does not"
PASSWORD_LENGTHS = range(8, 201)
HASHES_AT_ONCE = 2  # each takes 64 MiB: a crowd at the door must not take all memory
BETWEEN_NOTES = 60.0  # seconds between two notes of log-ins that concern no open account


@dataclass(frozen=True, slots=True)
class Token:
    """What its holder shows with each command. Printed, it does not show itself."""

    text: str = field(repr=False)
    expires_at: str


@dataclass(frozen=True, slots=True)
class Welcome:
    """Somebody who has just come in."""

    person: Person
    token: Token
    before: str | None = None  # when they had last logged in
    device: str | None = field(default=None, repr=False)  # by which the house knows it again


By = Person | str  # a supervisor, or the house: whoever runs the server's own commands


def _key_tried(name: str) -> str:
    """The key of a name at the door. A name that nobody can have has the key of nobody."""
    try:
        return shown_and_key(name)[1]
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


def _later(moment: str, **span: float) -> str:
    return written(read(moment) + timedelta(**span))


class People:
    """Accounts and sessions. Any thread may call; passwords are hashed outside of transactions."""

    def __init__(
        self,
        storage: Storage,
        clock: Clock,
        house: HouseLog,
        *,
        hasher: PasswordHasher | None = None,
        token_minutes: float = 15,
        session_hours: float = 12,
        tries: int = 3,
        lock_minutes: float = 15,
    ) -> None:
        self._storage = storage
        self._clock = clock
        self.house = house
        self._hasher = hasher or PasswordHasher()
        self._hashing = threading.BoundedSemaphore(HASHES_AT_ONCE)
        self._token_minutes = token_minutes
        self._session_hours = session_hours
        self._tries = tries
        self._lock_minutes = lock_minutes
        self._uncounted: Counter[Denial] = Counter()  # turned away, and not noted so far
        self._noted = float("-inf")
        self._counting = threading.Lock()

    @property
    def register(self) -> Register:
        return self.house.register

    # Accounts

    def create(self, name: str, password: str, role: Role = Role.PATRON, *, by: By = SELF) -> str:
        """Open an account. Patrons may do it themselves, staff is appointed."""
        if by != SELF:
            self._supervised(by)
        elif role is not Role.PATRON:
            raise NotAllowed(Denial.FORBIDDEN, "only a supervisor appoints staff")
        shown, key = shown_and_key(name)
        if why := lookalikes.refusal(shown, of_the_house=by != SELF):
            raise NotAllowed(Denial.BAD_NAME, why)
        hashed = self._hash(_strong(password))
        with self._acting(by) as conn:
            if self.register.named(key) is None and self.register.looks_taken(shown):
                raise NotAllowed(Denial.NAME_TAKEN, LOOKS_LIKE_ANOTHER)
            if self.register.named(key):
                raise NotAllowed(Denial.NAME_TAKEN)
            account = self._open(conn, name=shown, key=key, role=role.value, password=hashed)
            self.house.note(
                conn, "account_created", account if by == SELF else _actor(by),
                account=account, name=shown, key=key, role=role.value, password=digest(hashed),
            )  # fmt: skip
        return account

    def guest(self, table_id: str, name: str) -> Welcome:
        """Admit a guest to one table, under a name that tells them from everyone else.

        That they hold the table's link, and that there is such a table, is for
        the caller to know.
        """
        shown, key = shown_and_key(name)
        if why := lookalikes.refusal(shown):
            raise NotAllowed(Denial.BAD_NAME, why)
        with self.house.writing() as conn:
            number = 1
            while self.register.named(f"{key} (guest {number})"):
                number += 1
            named = {"name": f"{shown} (guest {number})", "key": f"{key} (guest {number})"}
            account = self._open(conn, **named, role=Role.PATRON.value, guest_of=table_id)
            session, token = _identity(), self._token(self._clock.now())
            self.house.note(
                conn, "guest_admitted", account, **named,
                account=account, table=table_id, **_opens(session, token),
            )  # fmt: skip
        return Welcome(self._in(session), token)

    def _open(self, conn: Connection, **values: Any) -> str:
        """Write a new account, unless a row has its name that the log does not know of."""
        dialect: Any = sqlite if conn.dialect.name == "sqlite" else postgresql
        new = {"id": _identity(), "created_at": self._clock.now(), **values}
        unless_taken = (
            dialect.insert(accounts).values(new).on_conflict_do_nothing(index_elements=["key"])
        )
        if conn.execute(unless_taken.returning(accounts.c.id)).one_or_none() is None:
            raise NotAllowed(Denial.NAME_TAKEN)
        return str(new["id"])

    def set_role(self, account: str, role: Role, *, by: By) -> None:
        actor = self._supervised(by)
        with self._changing(account, by) as (conn, was):
            self._set(conn, account, role=role.value)
            self.house.note(
                conn, "role_changed", actor, account=account, before=was.role.value,
                after=role.value,
            )  # fmt: skip

    def set_password(self, account: str, password: str, *, by: By) -> None:
        """Set a new password. Whoever was logged in with the old one is not any more."""
        actor = self._supervised(by)
        hashed = self._hash(_strong(password))
        with self._changing(account, by) as (conn, _):
            self._set(conn, account, password=hashed)
            self.house.note(conn, "password_set", actor, account=account, password=digest(hashed))

    def unlock(self, account: str, *, by: By) -> bool:
        """Let somebody in again. It takes two people of the house, or its own machine.

        Whether it is done: the first of the two is only written down.
        """
        actor = self._supervised(by, "unlock")
        with self._changing(account, by, "unlock") as (conn, found):
            done = actor == HOUSE or found.unlocked_by not in (None, actor)
            kind = "account_unlocked" if done else "unlock_proposed"
            self.house.note(conn, kind, actor, account=account)
        return done

    def close_account(self, account: str, *, by: By) -> None:
        """Close an account for good, a guest's too. Its name is never given to another."""
        actor = self._supervised(by)
        with self._changing(account, by, guests=True) as (conn, _):
            self._set(conn, account, closed=True)
            self.house.note(conn, "account_closed", actor, account=account)

    @contextmanager
    def _changing(
        self, account: str, by: By, command: str = "accounts", *, guests: bool = False
    ) -> Iterator[tuple[Connection, Account]]:
        """An open account, to change it in a transaction."""
        with self._acting(by, command) as conn:
            found = self.register.accounts.get(account)
            if found is None or found.closed or (found.guest_of is not None and not guests):
                raise NotAllowed(Denial.UNKNOWN_ACCOUNT)
            yield conn, found

    @contextmanager
    def _acting(self, by: By, command: str = "accounts") -> Iterator[Connection]:
        """A transaction of somebody who still may do this, or of the house itself."""
        with self.house.writing() as conn:
            if isinstance(by, Person):
                self.house.still(by, command)
            yield conn

    def _set(self, conn: Connection, account: str, **values: Any) -> None:
        conn.execute(update(accounts).where(accounts.c.id == account).values(values))

    def find(self, name: str) -> str:
        """The account of somebody who is called so."""
        self.house.refresh()
        found = self.register.named(_key_tried(name))
        if found is None:
            raise NotAllowed(Denial.UNKNOWN_ACCOUNT, f"nobody here is called {name}")
        return found.id

    # Permissions

    def require(self, person: Person, command: str) -> None:
        """Refuse what a person may not do, and note that it was tried."""
        try:
            allow(person, command)
        except NotAllowed:
            with self.house.writing() as conn:
                self.house.note(conn, "forbidden", person.account, command=command)
            raise

    def _supervised(self, by: By, command: str = "accounts") -> str:
        if isinstance(by, Person):
            self.require(by, command)
        elif by != HOUSE:
            raise NotAllowed(Denial.FORBIDDEN, "only a supervisor may do this")
        return _actor(by)

    # Logging in

    def log_in(self, name: str, password: str, device: str = "") -> Welcome:
        """Begin a session. A device that is known is let in though the account is locked."""
        self.house.refresh()
        account, known = self.register.named(_key_tried(name)), digest(device)
        if account is None or account.closed or account.password is None:
            raise self._turned_away(Denial.BAD_CREDENTIALS)
        if self._is_locked(account) and known not in account.devices:
            raise self._turned_away(Denial.LOCKED)
        stored = self._stored(account)
        right = self._matches(stored, password)
        changed = right and self._hasher.check_needs_rehash(stored)
        hashed = self._hash(password) if changed else stored
        # The account is judged as it is now: others may have tried while this was hashed.
        with self.house.writing() as conn:
            account = self.register.accounts[account.id]
            is_known, before = known in account.devices, account.last_login_at
            locked = self._is_locked(account)
            right = right and account.password == digest(stored) and not account.closed
            admitted = right and (is_known or not locked)
            if admitted:
                session, token = _identity(), self._token(self._clock.now())
                device = device if is_known else secrets.token_urlsafe(32)
                new = {} if is_known else {"device": digest(device)}
                if changed:
                    self._set(conn, account.id, password=hashed)
                    new["password"] = digest(hashed)
                self.house.note(conn, "log_in", account.id, **_opens(session, token), **new)
            elif not locked or is_known:
                self._count(conn, account, known if locked else None)
        if not admitted:
            raise NotAllowed(Denial.LOCKED if locked else Denial.BAD_CREDENTIALS)
        return Welcome(self._in(session), token, before, device)

    def _is_locked(self, account: Account) -> bool:
        return self.register.is_locked(account, self._clock.now())

    def _in(self, session: str) -> Person:
        person = self.register.person(session, self._clock.now())
        if person is None:  # another has ended it already
            raise NotAllowed(Denial.BAD_TOKEN)
        return person

    def _turned_away(self, denial: Denial) -> NotAllowed:
        """A log-in that concerns no open account. Such a crowd must not fill the log.

        So they are counted, and noted together. What was typed as the name may be a password.
        """
        with self._counting:
            self._uncounted[denial] += 1
            due = self._clock.monotonic() - self._noted >= BETWEEN_NOTES
        if due:
            self.note_the_crowd()
        return NotAllowed(denial)

    def note_the_crowd(self) -> None:
        """Write down how many were turned away since the last time."""
        with self._counting:
            crowd, self._uncounted = self._uncounted, Counter()
            self._noted = self._clock.monotonic()
        if crowd:
            with self.house.writing() as conn:
                for denial, times in crowd.items():
                    self.house.note(
                        conn, "log_in_failed", HOUSE, account=None, why=denial.value, times=times
                    )

    def _count(self, conn: Connection, account: Account, device: str | None) -> None:
        """One more failure; a device that was known while the account is locked is so no more."""
        self.house.note(
            conn, "log_in_failed", HOUSE, account=account.id, why=Denial.BAD_CREDENTIALS.value,
            **({"device": device} if device else {}),
        )  # fmt: skip
        # A lock that has run out has cleared the failures before it.
        failures = (0 if account.locked_until else account.failures) + 1
        if device is None and failures >= self._tries:
            until = _later(self._clock.now(), minutes=self._lock_minutes)
            self.house.note(conn, "account_locked", HOUSE, account=account.id, until=until)

    def _stored(self, account: Account) -> str:
        """The hash of a password, if it is the one that the log knows of."""
        query = select(accounts.c.password).where(accounts.c.id == account.id)
        with self._storage.read() as conn:
            stored = conn.scalar(query)
        if not isinstance(stored, str) or digest(stored) != account.password:
            logger.critical("the password of account %s was changed in the database", account.id)
            raise NotAllowed(Denial.BAD_CREDENTIALS)
        return stored

    def _hash(self, password: str) -> str:
        with self._hashing:
            return self._hasher.hash(_octets(password))

    def _matches(self, stored: str, password: str) -> bool:
        with self._hashing:
            try:
                return self._hasher.verify(stored, _octets(password))
            except (VerificationError, InvalidHashError):
                return False

    # Sessions

    def check(self, token: str) -> Person:
        """Whose token this is; the log is read on before a token is called unknown."""
        person = self.known(token)
        if person is None:
            self.house.refresh()  # or another thread has just read on
            person = self.known(token)
        return _good(person)

    def known(self, token: str) -> Person | None:
        """The same by what is known here already, without asking the database."""
        session = self.register.holder(digest(token))
        return self.register.person(session.id, self._clock.now()) if session else None

    def still(self, session: str) -> Person:
        """Who acts in a session, as long as it has not ended."""
        return _good(self.register.person(session, self._clock.now()))

    def knows_device(self, device: str) -> bool:
        """Whether somebody has logged in there before."""
        return self.register.knows_device(digest(device))

    def renew(self, token: str) -> Token:
        """Another token for the same session, up to its end. The old one stops working."""
        with self._holding(token) as (conn, session):
            new = self._token(session.begun_at)
            self.house.note(conn, "session_renewed", session.account, **_opens(session.id, new))
        return new

    def log_out(self, token: str) -> None:
        with self._holding(token) as (conn, session):
            self.house.note(conn, "log_out", session.account, session=session.id)

    def _token(self, begun_at: str) -> Token:
        end = _later(begun_at, hours=self._session_hours)
        expires_at = min(end, _later(self._clock.now(), minutes=self._token_minutes))
        return Token(secrets.token_urlsafe(32), expires_at)

    @contextmanager
    def _holding(self, token: str) -> Iterator[tuple[Connection, Session]]:
        """The session of a token, in a transaction."""
        with self.house.writing() as conn:
            session = self.register.holder(digest(token))
            if session is None or not self._clock.now() < session.expires_at:
                raise NotAllowed(Denial.BAD_TOKEN)
            yield conn, session


def _good(person: Person | None) -> Person:
    if person is None:
        raise NotAllowed(Denial.BAD_TOKEN)
    return person


def _actor(by: By) -> str:
    return by.account if isinstance(by, Person) else by


def _opens(session: str, token: Token) -> dict[str, str]:
    """What the log says of a session and its token."""
    return {"session": session, "token": digest(token.text), "expires_at": token.expires_at}
