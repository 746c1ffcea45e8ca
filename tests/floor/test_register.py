"""The register: what the house's log adds up to."""

import json
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.floor import clock as times
from croupier.floor import register
from croupier.floor.events import BEGINNING, HOUSE, LogEvent, canonical, chained
from croupier.floor.register import MOST_DEVICES, Account, Past, Register, at_the_cage
from croupier.floor.roles import Person, Role

BEGAN = times.read("2026-01-31T09:00:00.000Z")


class Told:
    """The house's log, as somebody tells it; every minute brings an event."""

    def __init__(self, *registers: Register) -> None:
        self.registers = registers or (Register(),)
        self.number, self.head = 0, BEGINNING

    @property
    def register(self) -> Register:
        return self.registers[0]

    @property
    def now(self) -> str:
        return self.at(0)

    def at(self, minutes: float) -> str:
        """So many minutes after the last event."""
        return times.written(BEGAN + timedelta(minutes=self.number + minutes))

    def tell(
        self, kind: str, actor: str = HOUSE, money: dict[str, int] | None = None, /, **said: Any
    ) -> LogEvent:
        self.number += 1
        event = chained(self.head, (
            HOUSE, self.number, 0, kind, self.now, actor, "", "", "", None, canonical(said), None,
            canonical(money) if money else None,
        ))  # fmt: skip
        self.head = event.hash
        for each in self.registers:
            each.hear(event)
        return event

    def open(self, name: str = "Ann", role: Role = Role.PATRON) -> Account:
        self.tell("account_created", account=name, name=name, role=role.value, password="first")
        return self.register.accounts[name]

    def log_in(self, name: str = "Ann", session: str = "1", **more: Any) -> Person | None:
        more = {"session": session, "token": f"token of {session}", **more}
        self.tell("log_in", name, **{"expires_at": self.at(16), **more})
        return self.register.person(session, self.now)


# What follows from each event.


def test_an_account_and_a_session_follow_from_the_log() -> None:
    told = Told()
    account = told.open("Ann", Role.DEALER)
    assert told.register.named("ann") is account
    person = told.log_in()
    assert person == Person("Ann", "Ann", Role.DEALER, "1")
    assert account.last_login_at == told.now
    session = told.register.holder("token of 1")
    assert session is not None
    assert session.begun_at == told.now
    assert told.register.person("1", told.at(14)) == person
    assert told.register.person("1", told.at(15)) is None
    assert told.register.person("2", told.now) is None


def test_a_renewed_token_is_the_only_one() -> None:
    told = Told()
    told.open()
    told.log_in()
    told.tell("session_renewed", "Ann", session="1", token="new", expires_at=told.at(60))
    assert told.register.holder("token of 1") is None
    session = told.register.holder("new")
    assert session is not None
    assert session.begun_at == told.at(-1)
    assert told.register.person("1", told.at(58)) is not None


@pytest.mark.parametrize("end", ["log_out", "password_set", "account_closed"])
def test_what_ends_a_session(end: str) -> None:
    told = Told()
    account = told.open()
    told.log_in(device="phone")
    told.log_in(session="2")
    told.tell(end, "Ann", account="Ann", session="1", password="second")
    assert told.register.person("1", told.now) is None
    assert told.register.holder("token of 1") is None
    assert (told.register.person("2", told.now) is None) == (end != "log_out")
    assert told.register.knows_device("phone") == (end == "log_out")
    assert account.closed == (end == "account_closed")
    assert account.password == ("second" if end == "password_set" else "first")


def test_a_role_is_the_last_one_given() -> None:
    told = Told()
    told.open()
    person = told.log_in()
    told.tell("role_changed", account="Ann", before="patron", after="surveillance")
    assert person is not None
    changed = told.register.person("1", told.now)
    assert changed is not None
    assert changed.role is Role.SURVEILLANCE


def test_a_guest_has_an_account_and_a_session_at_once() -> None:
    told = Told()
    told.tell(
        "guest_admitted", "g", account="g", name="Gus (guest 1)", table="t", session="1",
        token="token", expires_at=told.at(15),
    )  # fmt: skip
    assert told.register.person("1", told.now) == Person(
        "g", "Gus (guest 1)", Role.PATRON, "1", "t"
    )


def test_failures_locks_and_who_unlocks() -> None:
    told = Told()
    account = told.open()
    for failures in (1, 2, 3):
        told.tell("log_in_failed", account="Ann", why="bad_credentials")
        assert account.failures == failures
    told.tell("account_locked", account="Ann", until=told.at(16))
    assert told.register.is_locked(account, told.at(14))
    assert not told.register.is_locked(account, told.at(15))
    told.tell("log_in_failed", account=None, why="locked", times=20)
    told.tell("unlock_proposed", "Sue", account="Ann")
    assert (account.failures, account.unlocked_by) == (3, "Sue")
    assert told.register.is_locked(account, told.now)
    told.tell("account_unlocked", "Sid", account="Ann")
    assert (account.failures, account.unlocked_by, account.locked_until) == (0, None, None)
    told.tell("account_locked", account="Ann", until=told.at(1))
    told.tell("log_in_failed", account="Ann", why="bad_credentials")
    assert account.failures == 1, "a lock that has run out begins anew"
    told.log_in()
    assert account.failures == 0


def test_the_last_devices_are_known_and_one_that_failed_is_not() -> None:
    told = Told()
    account = told.open()
    for number in range(MOST_DEVICES + 1):
        told.log_in(session=str(number), device=f"device {number}")
    assert not told.register.knows_device("device 0")
    assert told.register.knows_device("device 1")
    told.tell("log_in_failed", account="Ann", why="bad_credentials", device="device 1")
    assert not told.register.knows_device("device 1")
    assert account.failures == 0
    assert len(account.devices) == MOST_DEVICES - 1


def test_a_log_in_may_bring_a_password_that_was_hashed_anew() -> None:
    told = Told()
    account = told.open()
    told.log_in(password="second")
    assert account.password == "second"


def test_an_older_log_is_sealed_with_the_passwords_there_were() -> None:
    told = Told()
    told.tell("account_created", account="Ann", name="Ann", role="patron")
    assert told.register.older("a table") == float("inf")
    told.tell("sealed", counts={"a table": 47}, passwords={"Ann": "then"}, anchor={})
    assert told.register.accounts["Ann"].password == "then"
    assert told.register.older("a table") == 47
    assert told.register.older("another") == 0


def test_money_is_what_was_moved() -> None:
    told = Told()
    told.open()
    mine = at_the_cage("Ann")
    told.tell("cage", lends=False)
    told.tell("paid_in", "Flo", {mine: 500, "cash": -500}, account="Ann")
    told.tell("bought_in", "Ann", {mine: -300, "table:t": 300}, account="Ann", cents=300)
    told.tell("cashed_out", "Ann", {mine: 700, "table:t": -700}, account="Ann", cents=700)
    assert not told.register.lends
    assert told.register.at_cage("Ann") == 900
    assert sum(told.register.money.values()) == 0


def test_what_was_bought_counts_for_a_day() -> None:
    told = Told()
    account = told.open()
    for _ in range(3):
        told.tell("bought_in", "Ann", account="Ann", cents=100)
    assert told.register.bought_today(account, told.now) == 300
    assert told.register.bought_today(account, told.at(24 * 60 - 2)) == 200
    assert told.register.bought_today(account, told.at(24 * 60)) == 0


def test_a_limit_counts_from_when_it_says() -> None:
    told = Told()
    account = told.open()
    told.tell("limit_set", "Ann", account="Ann", cents=500, **{"from": told.at(1)})
    assert told.register.daily_buy_in(account, told.now) == 500
    told.tell("limit_set", "Ann", account="Ann", cents=900, **{"from": told.at(60)})
    assert told.register.daily_buy_in(account, told.at(58)) == 500
    assert told.register.daily_buy_in(account, told.at(59)) == 900
    told.tell("limit_set", "Ann", account="Ann", cents=100, **{"from": told.at(1)})
    assert told.register.daily_buy_in(account, told.at(100)) == 100
    told.tell("excluded", "Ann", account="Ann", until=told.at(60))
    assert told.register.is_excluded(account, told.at(58))
    assert not told.register.is_excluded(account, told.at(60))


def test_what_is_no_concern_of_the_register_is_counted_and_passed_over() -> None:
    told = Told()
    before = told.register.saved()
    told.tell("started", version="9", software="x")
    told.tell("of another time", what="ever")
    after = told.register.saved()
    assert (after.pop("number"), after.pop("head")) == (2, told.head)
    assert {key: before[key] for key in after} == after


BAD = {
    "an account twice": ("account_created", HOUSE, {"account": "Ann", "name": "Ann"}),
    "an account without a name": ("account_created", HOUSE, {"account": "Eve"}),
    "a role that there is not": ("role_changed", HOUSE, {"account": "Ann", "after": "king"}),
    "somebody who is not there": ("role_changed", HOUSE, {"account": "Eve", "after": "dealer"}),
    "a log-in of nobody": ("log_in", "Eve", {"session": "9"}),
    "a session that is over": ("session_renewed", "Ann", {"session": "9", "token": "x"}),
    "a list": ("log_out", "Ann", ["1"]),
}


@pytest.mark.parametrize("what", BAD)
def test_an_event_that_does_not_say_what_it_should_is_an_error(what: str) -> None:
    told = Told()
    told.open()
    kind, actor, said = BAD[what]
    event = chained(told.head, (
        HOUSE, told.number + 1, 0, kind, told.now, actor, "", "", "", None, canonical(said), None,
        None,
    ))  # fmt: skip
    with pytest.raises(ValueError, match="it does not say what such an event says"):
        told.register.hear(event)
    told.register.skip(event.number, event.hash)
    assert told.register.damaged == [event.number]


# Any order of events.

NAMES = [f"person {number}" for number in range(4)]
KINDS = [
    "account_created", "guest_admitted", "log_in", "log_in", "log_in", "session_renewed", "log_out",
    "role_changed", "password_set", "account_closed", "log_in_failed", "account_locked",
    "unlock_proposed", "account_unlocked", "limit_set", "excluded", "paid_in", "bought_in", "cage",
    "skip",
]  # fmt: skip
Step = tuple[str, int, int]
STEPS = st.lists(
    st.tuples(st.sampled_from(KINDS), st.integers(0, 3), st.integers(0, 40)), max_size=60
)


def happens(told: Told, kind: str, which: int, amount: int) -> None:
    """Something that can happen now, or nothing."""
    here, name, new = told.register, NAMES[which], f"session {told.number}"
    begun = {"session": new, "token": new, "expires_at": told.at(1 + amount)}
    account = {"account": name}
    if kind == "skip" and amount < 5:
        told.number += 1
        told.head = f"{told.number:064}"
        for each in told.registers:
            each.skip(told.number, told.head)
    elif kind == "guest_admitted":
        told.tell(kind, account=f"guest {told.number}", name=f"G{told.number}", table="t", **begun)
    elif (kind == "account_created") != (name not in here.accounts):
        return
    elif kind == "account_created":
        told.tell(kind, **account, name=name, role=[*Role][amount % 5].value, password="first")
    elif kind == "log_in":
        new_device = {"device": new} if amount % 2 else {}
        told.tell(kind, name, **begun, **new_device)
    elif kind in ("session_renewed", "log_out"):
        for session in [*here.sessions.values()][which : which + 1]:
            told.tell(kind, session.account, **begun | {"session": session.id})
    elif kind == "role_changed":
        told.tell(kind, **account, before="", after=[*Role][amount % 5].value)
    elif kind == "log_in_failed":
        known = here.accounts[name].devices
        told.tell(kind, **account, why="bad_credentials", **({"device": known[0]} if known else {}))
    elif kind in ("paid_in", "bought_in"):
        cents = amount if kind == "paid_in" else -amount
        money = {at_the_cage(name): cents, "cash": -cents}
        told.tell(kind, name, money, **account, cents=amount)
    else:
        told.tell(
            kind, NAMES[amount % 4], **account, until=told.at(amount), cents=amount,
            lends=bool(amount % 2), password=f"{amount}", **{"from": told.at(amount)},
        )  # fmt: skip


def kept(of: Register) -> Register:
    return Register.restored(json.loads(canonical(of.saved())))


def answers(of: Register, at: str) -> Any:
    """What the house asks of a register."""
    sessions = [f"session {number}" for number in range(60)]
    return canonical([
        of.saved(),
        [repr(of.person(each, at)) for each in sessions],
        [repr(of.holder(each)) for each in sessions],
        [of.knows_device(each) for each in sessions],
        [[repr(of.named(each)), of.looks_taken(each)] for each in [*NAMES, "g1", "g2"]],
        [of.daily_buy_in(each, at) for each in of.accounts.values()],
        [of.bought_today(each, at) for each in of.accounts.values()],
    ])  # fmt: skip


@pytest.fixture(scope="module", autouse=True)
def _swept_often() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(register, "SWEPT", 7)
        yield


@given(STEPS, st.integers(0, 60))
def test_what_is_kept_is_the_register_and_goes_on_as_it_would(steps: list[Step], cut: int) -> None:
    told = Told()
    for step in steps[:cut]:
        happens(told, *step)
    again = kept(told.register)
    assert answers(again, told.now) == answers(told.register, told.now)
    told.registers = (told.register, again)
    for step in steps[cut:]:
        happens(told, *step)
    assert answers(again, told.now) == answers(told.register, told.now)


@given(STEPS)
def test_the_past_says_of_each_moment_what_was_said_then(steps: list[Step]) -> None:
    past = Past()
    told = Told(Register(), past)
    then: list[tuple[int, str, dict[str, Person | None]]] = []
    for step in steps:
        happens(told, *step)
        sessions = [f"session {number}" for number in range(told.number)]
        said = {each: told.register.person(each, told.now) for each in sessions}
        then.append((told.number, told.now, said))
    for number, at, said in then:
        assert {each: past.person_then(each, number, at) for each in said} == said
    roles = {person.role for *_, said in then for person in said.values() if person}
    assert roles <= {role for name in past.accounts for role in past.ever(name)}
