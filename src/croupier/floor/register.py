"""The register: what the house's own log adds up to.

Who has an account, in which role and since when; who is logged in; which
devices are known; what each patron has at the cage, and the limits that
patrons have set themselves. All of it follows from the events of the house,
whose chain is sealed and signed, and from nothing else: a row of the database
that these events do not confirm grants nothing.

Nothing here reads a clock: an event says when it was.
"""

import json
import math
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from datetime import timedelta
from typing import Any

from croupier.floor.clock import read, written
from croupier.floor.events import BEGINNING, LogEvent
from croupier.floor.lookalikes import looks
from croupier.floor.names import key_of
from croupier.floor.roles import Person, Role

MOST_DEVICES = 10  # that are known of one account: the last ones
SWEPT = 1000  # events after which sessions that have run out are forgotten
A_DAY = timedelta(hours=24)
CASH = "cash"  # what people bring to the cage and take from it


def at_the_cage(account: str) -> str:
    """The name in the books of what a patron has at the cage."""
    return f"patron:{account}"


def on_table(stream: str) -> str:
    """The name in the books of what patrons have brought to a table."""
    return f"table:{stream}"


@dataclass
class Account:
    """Somebody who may come in."""

    id: str
    name: str
    key: str
    role: Role = Role.PATRON
    password: str | None = None  # the digest of the hash that the table of accounts keeps
    guest_of: str | None = None
    closed: bool = False
    failures: int = 0
    locked_until: str | None = None
    unlocked_by: str | None = None  # the first of the two people that it takes
    last_login_at: str | None = None
    devices: list[str] = field(default_factory=list)  # digests
    daily_buy_in: int | None = None  # the patron's own limit
    looser: tuple[str, int | None] | None = None  # a higher one, and from when it counts
    excluded_until: str | None = None
    bought: list[tuple[str, int]] = field(default_factory=list)  # in the last day


@dataclass(frozen=True)
class Session:
    """Somebody who is logged in."""

    id: str
    account: str
    token: str  # its digest
    begun_at: str
    expires_at: str


class Register:
    """The house, as its log left it."""

    def __init__(self) -> None:
        self.number, self.head = 0, BEGINNING  # of the last event heard
        self.accounts: dict[str, Account] = {}
        self.sessions: dict[str, Session] = {}
        self.money: Counter[str] = Counter()
        self.lends = True  # whoever buys in has credit at the cage
        self.sealed: dict[str, int] | None = None  # how many events each stream had before
        self.paid_out: dict[str, dict[str, Any]] = {}  # tables that could not be opened
        self.damaged: list[int] = []  # events that could not be read
        self._names: dict[str, str] = {}
        self._tokens: dict[str, str] = {}
        self._devices: dict[str, str] = {}
        self._looks: set[str] = set()  # of the names that are taken

    # What follows from an event.

    def hear(self, event: LogEvent) -> None:
        """The next event. A ValueError if it does not say what such an event says."""
        self.number, self.head = event.number, event.hash
        heard = HEARD.get(event.kind)
        try:
            if heard is not None:
                heard(self, json.loads(event.data), event)
            if event.money is not None:
                self.money.update(json.loads(event.money))
        except (KeyError, TypeError, AttributeError, ValueError, RecursionError) as error:
            raise ValueError("it does not say what such an event says") from error
        if self.number % SWEPT == 0:
            self._forget_expired(event.at)

    def skip(self, number: int, head: str) -> None:
        """An event that cannot be read may have taken rights away, so none are left to take.

        Everyone is logged out, and nobody is staff until they are appointed again.
        """
        self.number, self.head = number, head
        self.damaged.append(number)
        for session in [*self.sessions]:
            self._end(session)
        for account in self.accounts.values():
            self._appoint(account, Role.PATRON)

    def _created(self, said: dict[str, Any], event: LogEvent) -> None:
        name = said["name"]
        account = Account(
            said["account"], name, said.get("key") or key_of(name),
            password=said.get("password"), guest_of=said.get("table"),
        )  # fmt: skip
        if account.id in self.accounts:
            raise ValueError("there is such an account already")
        self.accounts[account.id] = account
        self._names[account.key] = account.id
        self._see(account)
        self._appoint(account, Role(said.get("role", Role.PATRON)))
        if event.kind == "guest_admitted":
            self._begin(said, event, account)

    def _begin(self, said: dict[str, Any], event: LogEvent, account: Account) -> None:
        session = Session(
            said["session"], account.id, said.get("token", ""), event.at,
            said.get("expires_at", ""),
        )  # fmt: skip
        self._hold(session)

    def _hold(self, session: Session) -> None:
        self.sessions[session.id] = session
        self._tokens[session.token] = session.id

    def _appoint(self, account: Account, role: Role) -> None:
        account.role = role

    def _logged_in(self, said: dict[str, Any], event: LogEvent) -> None:
        account = self.accounts[event.actor]
        account.failures, account.locked_until, account.unlocked_by = 0, None, None
        account.last_login_at = event.at
        account.password = said.get("password", account.password)
        if device := said.get("device"):
            account.devices.append(device)
            self._devices[device] = account.id
            self._forget_devices(account, *account.devices[:-MOST_DEVICES])
        self._begin(said, event, account)

    def _renewed(self, said: dict[str, Any], event: LogEvent) -> None:
        session = self.sessions[said["session"]]
        self._tokens.pop(session.token, None)
        self._hold(replace(session, token=said["token"], expires_at=said["expires_at"]))

    def _logged_out(self, said: dict[str, Any], event: LogEvent) -> None:
        self._end(said["session"])

    def _end(self, session: str) -> None:
        ended = self.sessions.pop(session, None)
        if ended is not None:
            self._tokens.pop(ended.token, None)

    def _end_all(self, account: str) -> None:
        for session in [each.id for each in self.sessions.values() if each.account == account]:
            self._end(session)

    def _role_changed(self, said: dict[str, Any], event: LogEvent) -> None:
        self._appoint(self.accounts[said["account"]], Role(said["after"]))

    def _password_set(self, said: dict[str, Any], event: LogEvent) -> None:
        account = self.accounts[said["account"]]
        account.password = said.get("password")
        self._forget_devices(account, *account.devices)
        self._end_all(account.id)

    def _closed(self, said: dict[str, Any], event: LogEvent) -> None:
        account = self.accounts[said["account"]]
        account.closed = True
        self._forget_devices(account, *account.devices)
        self._end_all(account.id)

    def _failed(self, said: dict[str, Any], event: LogEvent) -> None:
        account = self.accounts.get(said["account"] or "")
        if account is None or said["why"] == "locked":
            return
        if "device" in said:
            self._forget_devices(account, said["device"])
        else:
            account.failures = (0 if account.locked_until else account.failures) + 1
            account.locked_until = None

    def _forget_devices(self, account: Account, *devices: str) -> None:
        for device in devices:
            account.devices.remove(device)
            del self._devices[device]

    def _locked(self, said: dict[str, Any], event: LogEvent) -> None:
        self.accounts[said["account"]].locked_until = said["until"]

    def _unlock_proposed(self, said: dict[str, Any], event: LogEvent) -> None:
        self.accounts[said["account"]].unlocked_by = event.actor

    def _unlocked(self, said: dict[str, Any], event: LogEvent) -> None:
        account = self.accounts[said["account"]]
        account.failures, account.locked_until, account.unlocked_by = 0, None, None

    def _limited(self, said: dict[str, Any], event: LogEvent) -> None:
        account = self.accounts[said["account"]]
        account.daily_buy_in = self.daily_buy_in(account, event.at)
        account.looser = None
        if said["from"] > event.at:
            account.looser = said["from"], said["cents"]
        else:
            account.daily_buy_in = said["cents"]

    def _excluded(self, said: dict[str, Any], event: LogEvent) -> None:
        self.accounts[said["account"]].excluded_until = said["until"]

    def _bought_in(self, said: dict[str, Any], event: LogEvent) -> None:
        account = self.accounts.get(said["account"])
        if account is not None:
            since = written(read(event.at) - A_DAY)
            recent = [each for each in account.bought if each[0] > since]
            account.bought = [*recent, (event.at, said["cents"])]

    def _cage(self, said: dict[str, Any], event: LogEvent) -> None:
        self.lends = said["lends"]

    def _sealed(self, said: dict[str, Any], event: LogEvent) -> None:
        self.sealed = said["counts"]
        for account, password in said["passwords"].items():
            self.accounts[account].password = password

    def _paid_out(self, said: dict[str, Any], event: LogEvent) -> None:
        self.paid_out[said["table"]] = {**said, "number": event.number, "at": event.at}

    def _forget_expired(self, now: str) -> None:
        for session in [each.id for each in self.sessions.values() if each.expires_at < now]:
            self._end(session)

    # Who may come in.

    def named(self, key: str) -> Account | None:
        """The account of a name, as it may not be taken twice."""
        return self.accounts.get(self._names.get(key, ""))

    def looks_taken(self, name: str) -> bool:
        """Whether a name passes for that of somebody else."""
        return not self._looks.isdisjoint(looks(name))

    def _see(self, account: Account) -> None:
        if account.guest_of is None:
            self._looks |= looks(account.name)

    def holder(self, token: str) -> Session | None:
        """The session of the token with this digest."""
        return self.sessions.get(self._tokens.get(token, ""))

    def knows_device(self, device: str) -> bool:
        """Whether somebody has logged in at the device with this digest."""
        return device in self._devices

    def person(self, session: str, at: str) -> Person | None:
        """Who acts in this session, if it has not ended by then."""
        found = self.sessions.get(session)
        if found is None or not at < found.expires_at:
            return None
        return person_of(self.accounts[found.account], session)

    def is_locked(self, account: Account, at: str) -> bool:
        return account.locked_until is not None and account.locked_until > at

    # Money, and the limits that patrons set themselves.

    def at_cage(self, account: str) -> int:
        return self.money[at_the_cage(account)]

    def is_excluded(self, account: Account, at: str) -> bool:
        return account.excluded_until is not None and account.excluded_until > at

    def daily_buy_in(self, account: Account, at: str) -> int | None:
        """The patron's limit that counts at this time."""
        if account.looser is not None and account.looser[0] <= at:
            return account.looser[1]
        return account.daily_buy_in

    def bought_today(self, account: Account, at: str) -> int:
        since = written(read(at) - A_DAY)
        return sum(cents for moment, cents in account.bought if moment > since)

    # What was written before there were seals.

    def older(self, stream: str) -> float:
        """How many events of a stream have neither seals nor sessions to prove them."""
        return self.sealed.get(stream, 0) if self.sealed is not None else math.inf

    # Kept, to be fast.

    def saved(self) -> dict[str, Any]:
        """All of it as plain values."""
        return {
            "number": self.number, "head": self.head, "lends": self.lends, "sealed": self.sealed,
            "paid_out": self.paid_out, "damaged": self.damaged,
            "money": {account: cents for account, cents in self.money.items() if cents},
            "accounts": [asdict(each) for each in self.accounts.values()],
            "sessions": [asdict(each) for each in self.sessions.values()],
        }  # fmt: skip

    @classmethod
    def restored(cls, saved: dict[str, Any]) -> "Register":
        """The same register again."""
        register = cls()
        for name in ("number", "head", "lends", "sealed", "paid_out", "damaged"):
            setattr(register, name, saved[name])
        register.money = Counter(saved["money"])
        for each in saved["accounts"]:
            looser = tuple(each["looser"]) if each["looser"] else None
            bought = [(at, cents) for at, cents in each["bought"]]
            known = {**each, "role": Role(each["role"]), "looser": looser, "bought": bought}
            account = register.accounts[each["id"]] = Account(**known)
            register._names[account.key] = account.id
            register._see(account)
            register._devices.update(dict.fromkeys(account.devices, account.id))
        for each in saved["sessions"]:
            register._hold(Session(**each))
        return register


def person_of(account: Account, session: str) -> Person:
    return Person(account.id, account.name, account.role, session, account.guest_of)


class Past(Register):
    """A register that also remembers how it was, to prove what somebody might do then."""

    def __init__(self) -> None:
        super().__init__()
        self._was: dict[str, list[tuple[int, Session | None]]] = {}
        self._roles: dict[str, list[tuple[int, Role]]] = {}
        self.moved: Counter[tuple[str, int]] = Counter()  # to tables, by table and event
        self.unread_from = math.inf  # the first event of the house that could not be read

    def hear(self, event: LogEvent) -> None:
        super().hear(event)
        if event.money is not None and "table" in (said := json.loads(event.data)):
            moved = json.loads(event.money).get(on_table(said["table"]), 0)
            self.moved[said["table"], said["event"]] += moved

    def _hold(self, session: Session) -> None:
        super()._hold(session)
        self._was.setdefault(session.id, []).append((self.number, session))

    def _end(self, session: str) -> None:
        super()._end(session)
        self._was.setdefault(session, []).append((self.number, None))

    def _appoint(self, account: Account, role: Role) -> None:
        super()._appoint(account, role)
        self._roles.setdefault(account.id, []).append((self.number, role))

    def _forget_expired(self, now: str) -> None:
        """Nothing is forgotten here."""

    def person_then(self, session: str, number: int, at: str) -> Person | None:
        """Who acted in this session, when the house's log had so many events."""
        was = _last(self._was.get(session, []), number)
        if was is None or not at < was.expires_at:
            return None
        account = self.accounts[was.account]
        role = _last(self._roles[account.id], number)
        return replace(person_of(account, session), role=role or Role.PATRON)

    def ever(self, account: str) -> set[Role]:
        """Every role that somebody has had: all that an older log lets one prove."""
        return {role for _, role in self._roles.get(account, [])}


def _last(was: list[tuple[int, Any]], number: int) -> Any:
    """How it stood after the event of this number."""
    found = None
    for since, stood in was:
        if since > number:
            break
        found = stood
    return found


Heard = Callable[[Register, dict[str, Any], LogEvent], None]

HEARD: dict[str, Heard] = {
    "account_created": Register._created,
    "guest_admitted": Register._created,
    "log_in": Register._logged_in,
    "session_renewed": Register._renewed,
    "log_out": Register._logged_out,
    "role_changed": Register._role_changed,
    "password_set": Register._password_set,
    "account_closed": Register._closed,
    "log_in_failed": Register._failed,
    "account_locked": Register._locked,
    "unlock_proposed": Register._unlock_proposed,
    "account_unlocked": Register._unlocked,
    "limit_set": Register._limited,
    "excluded": Register._excluded,
    "bought_in": Register._bought_in,
    "cage": Register._cage,
    "sealed": Register._sealed,
    "paid_out": Register._paid_out,
}
