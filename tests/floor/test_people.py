"""People: who gets in, who does not, and what nobody learns by trying."""

import itertools
import logging
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

import pytest
from argon2 import PasswordHasher
from sqlalchemy import Connection, func, select, update

from croupier.floor.clock import written
from croupier.floor.events import HOUSE
from croupier.floor.people import (
    MAY,
    Denial,
    NotAllowed,
    People,
    Person,
    Role,
    Token,
    allow,
)
from croupier.floor.schema import accounts, metadata, sessions
from croupier.floor.storage import Storage

CHEAP = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
PASSWORD = "correct horse"
WRONG = "battery staple"


class Hands:
    """A clock that is moved by hand. Who reads it slowly gives others time to interfere."""

    def __init__(self) -> None:
        self.moment = datetime(2026, 1, 31, 9, tzinfo=UTC)
        self.slowness = 0.0

    def now(self) -> str:
        if self.slowness:
            time.sleep(self.slowness)
        return written(self.moment)

    def monotonic(self) -> float:
        return self.moment.timestamp()

    def move(self, **span: float) -> None:
        self.moment += timedelta(**span)


class House:
    """A storage, a clock, and what was noted."""

    def __init__(self, storage: Storage) -> None:
        self.storage = storage
        self.clock = Hands()
        self.noted: list[tuple[str, str, dict[str, Any]]] = []
        self.lock = threading.Lock()
        self.people = self.server()

    @contextmanager
    def two_servers(self) -> Iterator[list[People]]:
        """Eight doors to two servers with storages of their own, both slow."""
        with closing(Storage(self.storage.url)) as storage:
            other = House(storage)
            with storage.write():
                pass  # it is connected, and not late
            self.clock.slowness = other.clock.slowness = 0.01
            yield [self.people, other.people] * 4
        self.clock.slowness = 0

    def server(self, hasher: PasswordHasher = CHEAP, **times: Any) -> People:
        """A server on the storage: there may be several."""
        return People(
            self.storage, self.clock, note=self.note, write=self.write, hasher=hasher, **times
        )

    @contextmanager
    def write(self) -> Iterator[Connection]:
        with self.lock, self.storage.write() as conn:
            yield conn

    def note(self, conn: Connection, kind: str, actor: str, **data: Any) -> None:
        assert conn.in_transaction()
        assert self.clock.now()
        self.noted.append((kind, actor, data))

    def kinds(self) -> list[str]:
        return [kind for kind, _, _ in self.noted]

    def count(self, kind: str) -> int:
        return self.kinds().count(kind)

    def patron(self, name: str = "Ann") -> tuple[Person, Token]:
        self.people.create(name, PASSWORD)
        return self.people.log_in(name, PASSWORD)[:2]

    def staff(self, role: Role) -> Person:
        self.people.create(role.value, PASSWORD, role, by=HOUSE)
        return self.people.log_in(role.value, PASSWORD)[0]

    def rows(self) -> str:
        """Everything that the database holds."""
        with self.storage.read() as conn:
            return "\n".join(
                repr(tuple(row))
                for table in metadata.sorted_tables
                for row in conn.execute(select(table))
            )


@pytest.fixture
def house(storage: Storage) -> House:
    return House(storage)


def denied(act: Callable[..., object], *given: Any, **named: Any) -> Denial:
    """Why somebody was turned away."""
    with pytest.raises(NotAllowed) as refused:
        act(*given, **named)
    assert str(refused.value) == refused.value.message
    assert refused.value.message
    return refused.value.code


T = TypeVar("T")
Answer = TypeVar("Answer")


def at_once(act: Callable[[T], Answer], given: Sequence[T]) -> list[Answer]:
    """The same in as many threads, begun together."""
    together = threading.Barrier(len(given))

    def begin(one: T) -> Answer:
        together.wait()
        return act(one)

    with ThreadPoolExecutor(len(given)) as threads:
        return list(threads.map(begin, given))


# Logging in.


def test_a_patron_opens_an_account_and_logs_in(house: House) -> None:
    account = house.people.create("Ann", PASSWORD)
    person, token, _ = house.people.log_in("Ann", PASSWORD)
    assert person == Person(account, "Ann", Role.PATRON, person.session)
    assert house.people.check(token.text) == person
    assert house.noted == [
        ("account_created", account, {"account": account, "name": "Ann", "role": "patron"}),
        ("log_in", account, {"session": person.session}),
    ]


def test_each_log_in_tells_when_the_one_before_was(house: House) -> None:
    house.people.create("Ann", PASSWORD)
    first = house.clock.now()
    assert house.people.log_in("Ann", PASSWORD)[2] is None
    house.clock.move(days=1)
    denied(house.people.log_in, "Ann", WRONG)
    second = house.clock.now()
    assert house.people.log_in("Ann", PASSWORD)[2] == first
    house.clock.move(days=1)
    assert house.people.log_in("Ann", PASSWORD)[2] == second


def test_a_wrong_password_and_an_unknown_name_cannot_be_told_apart(house: House) -> None:
    house.patron("Ann")
    house.people.close_account(house.people.create("Ben", PASSWORD), by=HOUSE)
    guest, _ = house.people.guest("table 1", "Cat")
    tried: list[str] = []
    for name, password in [
        ("Ann", WRONG), ("Nobody", PASSWORD), ("Ben", PASSWORD), (guest.name, ""), ("Ann", ""),
        ("", PASSWORD), ("\0", PASSWORD), ("\ud800", PASSWORD), ("n" * 10**6, PASSWORD),
    ]:  # fmt: skip
        with pytest.raises(NotAllowed) as refused:
            house.people.log_in(name, password)
        assert refused.value.code is Denial.BAD_CREDENTIALS
        tried.append(repr(refused.value))
    assert len(set(tried)) == 1
    assert house.count("log_in_failed") == len(tried)


def test_an_unknown_name_costs_as_much_work_as_a_wrong_password(house: House) -> None:
    checked: list[str | bytes] = []

    class Counting(PasswordHasher):
        def verify(self, hash: str | bytes, password: str | bytes) -> Any:
            checked.append(hash)
            return super().verify(hash, password)

    people = house.server(Counting(time_cost=1, memory_cost=8, parallelism=1))
    people.create("Ann", PASSWORD)
    for name in ("Ann", "Nobody"):
        denied(people.log_in, name, WRONG)
    known, unknown = map(str, checked)
    assert known != unknown
    assert known.rsplit("$", 2)[0] == unknown.rsplit("$", 2)[0]  # the same parameters
    assert house.count("log_in_failed") == 2  # and both wait for the disk


def test_a_password_is_hashed_anew_when_the_parameters_have_changed(house: House) -> None:
    def stored() -> str:
        with house.storage.read() as conn:
            return str(conn.scalar(select(accounts.c.password)))

    house.patron("Ann")
    before = stored()
    house.people.log_in("Ann", PASSWORD)
    assert stored() == before
    dearer = PasswordHasher(time_cost=2, memory_cost=16, parallelism=1)
    house.server(dearer).log_in("Ann", PASSWORD)
    assert not dearer.check_needs_rehash(stored())
    assert house.people.log_in("Ann", PASSWORD)


def test_passwords_are_hashed_outside_of_transactions(house: House) -> None:
    class Jealous(PasswordHasher):
        def hash(self, password: str | bytes, *, salt: bytes | None = None) -> str:
            assert not house.lock.locked()
            return super().hash(password, salt=salt)

        def verify(self, hash: str | bytes, password: str | bytes) -> Any:
            assert not house.lock.locked()
            return super().verify(hash, password)

    account = house.people.create("Ann", PASSWORD)
    people = house.server(Jealous(time_cost=2, memory_cost=16, parallelism=1))
    people.create("Ben", PASSWORD)
    people.log_in("Ann", PASSWORD)
    people.set_password(account, PASSWORD, by=HOUSE)
    denied(people.log_in, "Ann", WRONG)
    denied(people.log_in, "Nobody", WRONG)


def test_a_password_is_the_same_from_every_keyboard(house: House) -> None:
    house.people.create("Zoë", "caf\u00e9 cre\u0300me")
    assert house.people.log_in("Zoe\u0308", "cafe\u0301 cr\u00e8me")
    house.people.create("Ann", "half \ud83d of it")
    assert house.people.log_in("Ann", "half \ud83d of it")


# Locks.


def test_three_failed_log_ins_lock_the_account_whatever_the_password(house: House) -> None:
    person, token = house.patron("Ann")
    for _ in range(3):
        assert denied(house.people.log_in, "Ann", WRONG) is Denial.BAD_CREDENTIALS
    until = written(house.clock.moment + timedelta(minutes=15))
    assert house.noted[-1] == ("account_locked", HOUSE, {"account": person.account, "until": until})
    for password in (PASSWORD, WRONG):
        assert denied(house.people.log_in, "Ann", password) is Denial.LOCKED
    assert house.count("account_locked") == 1
    assert house.count("log_in_failed") == 5
    assert house.people.check(token.text) == person  # who is inside stays


def test_a_lock_runs_out_and_leaves_three_tries_again(house: House) -> None:
    house.patron("Ann")
    for _ in range(2):
        for _ in range(3):
            assert denied(house.people.log_in, "Ann", WRONG) is Denial.BAD_CREDENTIALS
        house.clock.move(minutes=14, seconds=59)
        assert denied(house.people.log_in, "Ann", PASSWORD) is Denial.LOCKED
        house.clock.move(seconds=1)
    assert house.people.log_in("Ann", PASSWORD)


def test_failures_are_forgotten_only_when_the_password_was_right(house: House) -> None:
    house.patron("Ann")
    for _ in range(3):
        for _ in range(2):
            denied(house.people.log_in, "Ann", WRONG)
        house.people.log_in("Ann", PASSWORD)
    for _ in range(3):
        house.clock.move(days=1)
        assert denied(house.people.log_in, "Ann", WRONG) is Denial.BAD_CREDENTIALS
    assert denied(house.people.log_in, "Ann", PASSWORD) is Denial.LOCKED


def test_a_supervisor_unlocks(house: House) -> None:
    supervisor = house.staff(Role.SUPERVISOR)
    account = house.people.create("Ann", PASSWORD)
    for _ in range(4):
        denied(house.people.log_in, "Ann", WRONG)
    house.people.unlock(account, by=supervisor)
    assert house.noted[-1] == ("account_unlocked", supervisor.account, {"account": account})
    assert house.people.log_in("Ann", PASSWORD)


def test_log_ins_at_once_on_two_servers_do_not_exceed_the_tries(house: House) -> None:
    house.patron("Ann")
    with house.two_servers() as doors:
        answers = at_once(lambda people: denied(people.log_in, "Ann", WRONG), doors)
    assert sorted(answers) == [Denial.BAD_CREDENTIALS] * 3 + [Denial.LOCKED] * 5


def test_the_right_password_among_many_at_once_learns_no_more(house: House) -> None:
    """Twelve guesses at once, of which one is right: at most three were answered truthfully."""
    house.patron("Ann")

    def guess(password: str) -> Denial | None:
        try:
            house.people.log_in("Ann", password)
        except NotAllowed as refused:
            return refused.code
        return None

    answers = at_once(guess, [WRONG] * 11 + [PASSWORD])
    inside = answers.count(None)  # and then the count begins anew
    assert answers.count(Denial.BAD_CREDENTIALS) in range(3, 3 + 2 * inside + 1)
    assert answers[-1] in (None, Denial.LOCKED)


# Tokens and sessions.


def test_a_token_that_was_renewed_is_refused(house: House) -> None:
    person, old = house.patron()
    house.clock.move(minutes=10)
    house.people.check(old.text)
    new = house.people.renew(old.text)
    assert house.people.check(new.text) == person  # the session stays
    assert new.text != old.text
    for act in (house.people.check, house.people.renew, house.people.log_out):
        assert denied(act, old.text) is Denial.BAD_TOKEN
    assert house.people.check(new.text) == person


def test_a_token_that_was_logged_out_is_refused(house: House) -> None:
    person, token = house.patron()
    house.people.check(token.text)
    house.people.log_out(token.text)
    assert house.noted[-1] == ("log_out", person.account, {"session": person.session})
    for act in (house.people.check, house.people.renew, house.people.log_out):
        assert denied(act, token.text) is Denial.BAD_TOKEN


def test_logging_out_of_one_session_leaves_the_other(house: House) -> None:
    _, phone = house.patron()
    person, laptop, _ = house.people.log_in("Ann", PASSWORD)
    house.people.log_out(phone.text)
    assert house.people.check(laptop.text) == person


def test_a_token_lives_for_fifteen_minutes_even_if_it_was_just_checked(house: House) -> None:
    person, token = house.patron()
    house.clock.move(minutes=14, seconds=59.9)
    assert house.people.check(token.text) == person
    house.clock.move(seconds=0.1)
    assert house.clock.now() == token.expires_at
    for act in (house.people.check, house.people.renew, house.people.log_out):
        assert denied(act, token.text) is Denial.BAD_TOKEN


def test_a_session_ends_after_twelve_hours_however_often_it_is_renewed(house: House) -> None:
    _, token = house.patron()
    end = written(house.clock.moment + timedelta(hours=12))
    while token.expires_at < end:
        house.clock.move(minutes=14)
        token = house.people.renew(token.text)
    assert token.expires_at == end
    house.clock.move(minutes=15)
    assert denied(house.people.check, token.text) is Denial.BAD_TOKEN


def test_tokens_that_are_unknown_expired_or_ended_get_one_answer(house: House) -> None:
    _, expired = house.patron()
    house.clock.move(hours=1)
    _, ended, _ = house.people.log_in("Ann", PASSWORD)
    house.people.log_out(ended.text)
    answers = set()
    for text in (expired.text, ended.text, "", "unknown", "\0", "\ud800", "x" * 10**6, "' or 1=1"):
        with pytest.raises(NotAllowed) as refused:
            house.people.check(text)
        answers.add((refused.value.code, str(refused.value)))
    assert len(answers) == 1


def test_a_log_out_on_another_server_counts_within_a_second(house: House) -> None:
    here, there = house.people, house.server()
    person, token = house.patron()
    assert there.check(token.text) == person
    here.log_out(token.text)
    house.clock.move(seconds=0.999)
    assert there.check(token.text) == person
    house.clock.move(seconds=0.001)
    assert denied(there.check, token.text) is Denial.BAD_TOKEN


def test_within_a_second_a_token_is_looked_up_once(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[None] = []
    real = house.storage.read

    def read() -> Any:
        looked.append(None)
        return real()

    _, token = house.patron()
    monkeypatch.setattr(house.storage, "read", read)
    for _ in range(100):
        house.people.check(token.text)
    assert len(looked) == 1


def test_what_is_remembered_of_a_token_is_no_more_than_a_check_would_say(house: House) -> None:
    person, token = house.patron()
    remembered = house.people.remembered
    assert remembered(token.text) is None
    house.people.check(token.text)
    assert remembered(token.text) == person
    house.clock.move(seconds=1)
    assert remembered(token.text) is None
    house.clock.move(minutes=14, seconds=58.5)
    house.people.check(token.text)
    house.clock.move(seconds=0.5)
    assert remembered(token.text) is None  # it has expired within its second
    _, token, _ = house.people.log_in("Ann", PASSWORD)
    house.people.check(token.text)
    house.people.log_out(token.text)
    assert remembered(token.text) is None


def test_a_check_that_overlaps_a_log_out_is_not_remembered(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    person, token = house.patron()
    real = house.storage.read

    @contextmanager
    def read() -> Iterator[Connection]:
        with real() as conn:
            yield conn
        monkeypatch.undo()
        house.people.log_out(token.text)

    monkeypatch.setattr(house.storage, "read", read)
    assert house.people.check(token.text) == person  # it was asked before the log-out
    assert denied(house.people.check, token.text) is Denial.BAD_TOKEN


def test_one_of_many_renewals_at_once_succeeds(house: House) -> None:
    _, token = house.patron()

    def renew(people: People) -> str | None:
        try:
            return people.renew(token.text).text
        except NotAllowed:
            return None

    with house.two_servers() as doors:
        (new,) = filter(None, at_once(renew, doors))
    assert house.people.check(new)


def test_sessions_that_are_over_are_swept(house: House) -> None:
    house.patron("Ann")
    house.clock.move(minutes=15)
    _, ended = house.patron("Ben")
    house.people.log_out(ended.text)
    person, live = house.patron("Cat")
    assert house.people.sweep() == 2
    assert house.people.sweep() == 0
    assert house.people.check(live.text) == person
    with house.storage.read() as conn:
        assert conn.scalar(select(func.count()).select_from(sessions)) == 1
        assert conn.scalar(select(func.count()).select_from(accounts)) == 3


# Guests.


def test_a_guest_visits_one_table(house: House) -> None:
    guest, token = house.people.guest("table 1", "Ann")
    assert guest == Person(guest.account, "Ann (guest 1)", Role.PATRON, guest.session, "table 1")
    assert house.people.check(token.text) == guest
    assert guest.may_visit("table 1")
    assert not guest.may_visit("table 2")
    assert house.patron("Ben")[0].may_visit("table 2")
    allow(guest, "bet")
    assert denied(allow, guest, "open_private_table") is Denial.FORBIDDEN
    told = {"name": guest.name, "table": "table 1", "session": guest.session}
    assert house.noted[0] == ("guest_admitted", guest.account, {"account": guest.account, **told})


def test_guests_of_one_name_are_told_apart(house: House) -> None:
    house.patron("Ann")
    house.patron("ann (GUEST 2)")
    asked = ["Ann", "ANN", "Ann", "A%", "Annabel"]
    shown = [house.people.guest("table 1", name)[0].name for name in asked]
    assert shown == [
        "Ann (guest 3)", "ANN (guest 4)", "Ann (guest 5)", "A% (guest 1)", "Annabel (guest 1)",
    ]  # fmt: skip


def test_guests_who_come_at_once_on_two_servers_are_told_apart(house: House) -> None:
    with house.two_servers() as doors:
        shown = at_once(lambda people: people.guest("table 1", "Ann")[0].name, doors)
    assert sorted(shown) == [f"Ann (guest {number})" for number in range(1, 9)]


def test_a_guest_is_gone_when_the_session_is(house: House) -> None:
    guest, token = house.people.guest("table 1", "Ann")
    house.clock.move(minutes=15)
    assert denied(house.people.check, token.text) is Denial.BAD_TOKEN
    assert denied(house.people.log_in, guest.name, "") is Denial.BAD_CREDENTIALS
    _, token = house.people.guest("table 1", "Ann")
    for _ in range(51):
        house.clock.move(minutes=14)
        token = house.people.renew(token.text)
    house.clock.move(minutes=6)
    assert denied(house.people.renew, token.text) is Denial.BAD_TOKEN


def test_a_guest_becomes_nothing_else_and_can_be_shown_out(house: House) -> None:
    guest, token = house.people.guest("table 1", "Ann")
    people, account = house.people, guest.account
    for change in (
        lambda: people.set_role(account, Role.SUPERVISOR, by=HOUSE),
        lambda: people.set_password(account, PASSWORD, by=HOUSE),
    ):
        assert denied(change) is Denial.UNKNOWN_ACCOUNT
    assert people.check(token.text) == guest
    people.close_account(account, by=HOUSE)
    assert denied(people.check, token.text) is Denial.BAD_TOKEN


# Names and passwords.

PLAIN_TEXT = [
    "Robert'); DROP TABLE accounts;--",
    '" OR ""="',
    "<script>alert(1)</script>",
    "{{7*7}} ${7*7} %s %(name)s :name ?",
    "../../etc/passwd",
    "🎲🃏",
    "👨‍👩‍👧‍👦",
    "🏴󠁧󠁢󠁥󠁮󠁧󠁿",
    "❤️",
    "Łukasz Ñandú",
    "王小明",
    "فاطمه‌زهرا",
    "\\",
    "null",
    "x" * 40,
]


def test_a_name_is_text_and_nothing_else(house: House) -> None:
    for name in PLAIN_TEXT:
        account = house.people.create(f"  {name}\t", PASSWORD)
        person, _, _ = house.people.log_in(name, PASSWORD)
        assert (person.account, person.name) == (account, name)
        guest, _ = house.people.guest(name, name)
        assert (guest.guest_of, guest.name) == (name, f"{name} (guest 1)")
    assert denied(house.people.log_in, "' OR 1=1 --", PASSWORD) is Denial.BAD_CREDENTIALS


UNSEEN = [
    "", "   ", "x" * 41, "x" * 10**6, "a\0b", "a\nb", "a\x7fb", "a\x85b", "\ud800", "a\udfffb",
    "a\u2028b", "\u202enna", "\u2066Ann", "\u200d", "\ufe0f", "\u3164", "\u00ad\u200b",
]  # fmt: skip


def test_a_name_is_seen_on_one_line(house: House) -> None:
    for name in UNSEEN:
        assert denied(house.people.create, name, PASSWORD) is Denial.BAD_NAME
        assert denied(house.people.guest, "table 1", name) is Denial.BAD_NAME


ALIKE = {
    "Ann": ["ANN", "  ann ", "\uff21nn", "A\u200bnn", "An\u00adn"],
    "Ann Lee": ["Ann \u00a0Lee", "ann  lee"],
    "Zoë": ["Zoe\u0308", "ZOË"],
    "Straße": ["STRASSE"],
    "office": ["o\ufb03ce"],
    "A\u2160": ["ai"],
    "❤": ["❤\ufe0f"],
}


def test_names_that_look_alike_are_one_name(house: House) -> None:
    for name, others in ALIKE.items():
        account = house.people.create(name, PASSWORD)
        for alike in others:
            assert denied(house.people.create, alike, PASSWORD) is Denial.NAME_TAKEN
            assert house.people.log_in(alike, PASSWORD)[0].account == account
    assert house.count("account_created") == len(ALIKE)


def test_one_of_many_who_want_a_name_at_once_gets_it(house: House) -> None:
    def want(people: People) -> str:
        try:
            return people.create("Ann", PASSWORD)
        except NotAllowed as refused:
            return refused.code

    with house.two_servers() as doors:
        answers = at_once(want, doors)
    assert answers.count(Denial.NAME_TAKEN) == len(doors) - 1


def test_a_password_has_8_to_200_characters(house: House) -> None:
    account = house.people.create("Ann", PASSWORD)
    people = house.people
    for password in ("", "seven77", "x" * 201, "x" * 10**6):
        assert denied(people.create, "Ben", password) is Denial.WEAK_PASSWORD
        assert denied(people.set_password, account, password, by=HOUSE) is Denial.WEAK_PASSWORD
        people.unlock(account, by=HOUSE)
        assert denied(people.log_in, "Ann", password) is Denial.BAD_CREDENTIALS


def test_any_characters_will_do_for_a_password(house: House) -> None:
    passwords = ["eight888", "x" * 200, "🎲" * 8, " " * 8, "nul\0inside"]
    for name, password in zip("ABCDE", passwords, strict=True):
        account = house.people.create(name, password)
        assert house.people.log_in(name, password)
        for other in (password[:-1], password + " ", password.upper() + "!", PASSWORD):
            assert denied(house.people.log_in, name, other) is Denial.BAD_CREDENTIALS
            house.people.unlock(account, by=HOUSE)


# What a supervisor does.


def test_a_role_is_changed_at_once(house: House) -> None:
    supervisor = house.staff(Role.SUPERVISOR)
    person, token = house.patron("Ann")
    house.people.check(token.text)
    house.people.set_role(person.account, Role.DEALER, by=supervisor)
    assert house.people.check(token.text).role is Role.DEALER
    told = {"account": person.account, "before": "patron", "after": "dealer"}
    assert house.noted[-1] == ("role_changed", supervisor.account, told)


def test_a_closed_account_is_out_and_its_name_stays_taken(house: House) -> None:
    supervisor = house.staff(Role.SUPERVISOR)
    person, token = house.patron("Ann")
    _, other, _ = house.people.log_in("Ann", PASSWORD)
    house.people.check(token.text)
    house.people.close_account(person.account, by=supervisor)
    assert house.noted[-1] == ("account_closed", supervisor.account, {"account": person.account})
    for text in (token.text, other.text):
        for act in (house.people.check, house.people.renew, house.people.log_out):
            assert denied(act, text) is Denial.BAD_TOKEN
    assert denied(house.people.log_in, "Ann", PASSWORD) is Denial.BAD_CREDENTIALS
    assert denied(house.people.create, "Ann", PASSWORD) is Denial.NAME_TAKEN


def test_an_account_that_was_closed_by_hand_is_out_too(house: House) -> None:
    _, token = house.patron("Ann")
    with house.write() as conn:
        conn.execute(update(accounts).values(closed=True))
    for act in (house.people.check, house.people.renew, house.people.log_out):
        assert denied(act, token.text) is Denial.BAD_TOKEN


def test_a_new_password_ends_the_sessions_of_the_old_one(house: House) -> None:
    supervisor = house.staff(Role.SUPERVISOR)
    person, token = house.patron("Ann")
    house.people.set_password(person.account, WRONG, by=supervisor)
    assert house.noted[-1] == ("password_set", supervisor.account, {"account": person.account})
    assert denied(house.people.check, token.text) is Denial.BAD_TOKEN
    assert denied(house.people.log_in, "Ann", PASSWORD) is Denial.BAD_CREDENTIALS
    assert house.people.log_in("Ann", WRONG)


def test_a_password_that_is_replaced_while_it_is_checked_does_not_count(house: House) -> None:
    account = house.people.create("Ann", PASSWORD)

    class Slow(PasswordHasher):
        def verify(self, hash: str | bytes, password: str | bytes) -> Any:
            house.people.set_password(account, WRONG, by=HOUSE)
            return super().verify(hash, password)

    slow = house.server(Slow(time_cost=1, memory_cost=8, parallelism=1))
    assert denied(slow.log_in, "Ann", PASSWORD) is Denial.BAD_CREDENTIALS
    assert house.people.log_in("Ann", WRONG)


def supervised(people: People, account: str, by: Person | str) -> dict[str, Callable[[], object]]:
    """All that only a supervisor does to an account."""
    return {
        "appoint": lambda: people.create("Cat", PASSWORD, Role.DEALER, by=by),
        "set_role": lambda: people.set_role(account, Role.SUPERVISOR, by=by),
        "set_password": lambda: people.set_password(account, PASSWORD, by=by),
        "unlock": lambda: people.unlock(account, by=by),
        "close_account": lambda: people.close_account(account, by=by),
    }


def test_nobody_else_changes_accounts_and_who_tries_is_noted(house: House) -> None:
    account = house.people.create("Ann", PASSWORD)
    for person in map(house.staff, [role for role in Role if role is not Role.SUPERVISOR]):
        before = house.rows()
        house.noted.clear()
        for change in supervised(house.people, account, person).values():
            assert denied(change) is Denial.FORBIDDEN
        assert house.noted == [("forbidden", person.account, {"command": "accounts"})] * 5
        assert house.rows() == before


def test_nobody_appoints_himself(house: House) -> None:
    for role in set(Role) - {Role.PATRON}:
        assert denied(house.people.create, "Ann", PASSWORD, role) is Denial.FORBIDDEN
    account = house.people.create("Ann", PASSWORD)
    for by in ("self", account, "", "supervisor"):
        for change in itertools.islice(supervised(house.people, account, by).values(), 1, None):
            assert denied(change) is Denial.FORBIDDEN


def test_an_account_that_is_not_there_is_not_changed(house: House) -> None:
    closed = house.people.create("Ann", PASSWORD)
    house.people.close_account(closed, by=HOUSE)
    before = house.rows()
    for account in (closed, "0123456789abcdef", "", "\0", "\ud800", "' OR 1=1"):
        changes = supervised(house.people, account, HOUSE)
        del changes["appoint"]
        for change in changes.values():
            assert denied(change) is Denial.UNKNOWN_ACCOUNT
    assert house.rows() == before


# Who may do what.

EVERY_COMMAND = """
                    patron  dealer  floorperson  supervisor  surveillance
open_table            .       .          x           x            .
open_private_table    x       .          x           x            .
close_table           .       .          x           x            .
post_notice           .       .          x           x            .
freeze                .       .          x           x            .
thaw                  .       .          .           x            .
correct               .       .          .           x            .
sit                   x       .          .           .            .
buy_in                x       .          .           .            .
bet                   x       .          .           .            .
ready                 x       .          .           .            .
move                  x       .          .           .            .
leave                 x       .          .           .            .
take_control          x       .          .           .            .
take_dealer           .       x          .           .            .
leave_dealer          .       x          x           x            .
no_more_bets          .       x          .           .            .
deal                  .       x          .           .            .
report                .       x          x           x            .
dispute               x       .          x           x            .
reports               .       .          x           x            x
read_all              .       .          .           x            x
accounts              .       .          .           x            .
anything_else         .       .          .           .            .
"""


def matrix() -> Iterator[tuple[str, Role, bool]]:
    roles, *lines = EVERY_COMMAND.strip().splitlines()
    for line in lines:
        command, *marks = line.split()
        for role, mark in zip(roles.split(), marks, strict=True):
            yield command, Role(role), mark == "x"


def test_the_roles_are_separate() -> None:
    for command, role, may in matrix():
        person = Person("account", "Ann", role, "session")
        if may:
            allow(person, command)
        else:
            assert denied(allow, person, command) is Denial.FORBIDDEN, (command, role)


def test_the_table_of_permissions_is_whole() -> None:
    assert {command for command, _, _ in matrix()} - {"anything_else"} == set(MAY)
    assert {role for _, role, _ in matrix()} == set(Role)


def test_only_surveillance_sees_all() -> None:
    seeing = [role for role in Role if Person("account", "Ann", role, "session").sees_all]
    assert seeing == [Role.SURVEILLANCE]


def test_what_a_person_tries_without_permission_is_noted(house: House) -> None:
    person, _ = house.patron()
    house.people.require(person, "bet")
    assert denied(house.people.require, person, "freeze") is Denial.FORBIDDEN
    assert house.noted[-1] == ("forbidden", person.account, {"command": "freeze"})
    assert house.count("forbidden") == 1


# What leaks.


def test_no_token_and_no_password_is_ever_written_down(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    told: list[str] = []

    def tell(act: Callable[..., object], *given: Any) -> Any:
        try:
            done = act(*given)
        except NotAllowed as refused:
            told.extend((str(refused), repr(refused), repr(vars(refused)), repr(refused.__cause__)))
            return None
        told.extend((repr(done), str(done)))
        return done

    people = house.people
    secrets = [PASSWORD, WRONG, "short", "another good one"]
    account = tell(people.create, "Ann", PASSWORD)
    tell(people.create, "Ann", WRONG)
    tell(people.create, "Ben", "short")
    _, token, _ = tell(people.log_in, "Ann", PASSWORD)
    _, guest = tell(people.guest, "table 1", "Cat")
    tell(people.log_in, "Ann", WRONG)
    tell(people.log_in, WRONG, "typed the password as the name")
    tell(people.check, token.text)
    renewed = tell(people.renew, token.text)
    secrets += [token.text, guest.text, renewed.text]
    for text in secrets:
        tell(people.check, text)
        tell(people.renew, text + "x")
    people.set_password(account, "another good one", by=HOUSE)
    tell(people.log_out, guest.text)
    tell(people.log_out, guest.text)

    everything = "\n".join(
        [house.rows(), repr(house.noted), caplog.text, *told, repr(vars(people))]
    )
    assert "Ann" in everything
    for secret in secrets:
        assert secret not in everything
        assert secret[:8] not in everything
