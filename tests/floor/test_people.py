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
from sqlalchemy import Connection, delete, insert, select, update

from croupier.floor import log
from croupier.floor.clock import written
from croupier.floor.events import HOUSE, digest
from croupier.floor.house_log import HouseLog
from croupier.floor.people import People, Token
from croupier.floor.register import MOST_DEVICES, SWEPT
from croupier.floor.roles import MAY, Denial, NotAllowed, Person, Role, allow
from croupier.floor.schema import accounts, events, metadata
from croupier.floor.storage import Storage
from tests.floor.support import notes

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
    """A storage, a clock, and the house's log on it."""

    def __init__(self, storage: Storage) -> None:
        self.storage = storage
        self.clock = Hands()
        self.log = HouseLog(storage, self.clock)
        self.people = self.server()

    @contextmanager
    def another(self) -> Iterator["House"]:
        """A second server with a storage of its own, on the same database."""
        with closing(Storage(self.storage.url)) as storage:
            other = House(storage)
            other.clock = self.clock
            other.log.clock = self.clock
            other.people = other.server()
            yield other

    @contextmanager
    def two_servers(self) -> Iterator[list[People]]:
        """Eight doors to two servers with storages of their own, both slow."""
        with self.another() as other:
            with other.storage.write():
                pass  # it is connected, and not late
            self.clock.slowness = 0.01
            yield [self.people, other.people] * 4
        self.clock.slowness = 0

    def server(self, hasher: PasswordHasher = CHEAP, **times: Any) -> People:
        """A door of this server: there may be several."""
        return People(self.storage, self.clock, self.log, hasher=hasher, **times)

    @property
    def noted(self) -> list[tuple[str, str, dict[str, Any]]]:
        return notes(self.storage)

    def kinds(self) -> list[str]:
        return [kind for kind, _, _ in self.noted]

    def count(self, kind: str) -> int:
        return self.kinds().count(kind)

    def patron(self, name: str = "Ann") -> tuple[Person, Token]:
        self.people.create(name, PASSWORD)
        return self.log_in(name)

    def log_in(self, name: str = "Ann", device: str = "") -> tuple[Person, Token]:
        came = self.people.log_in(name, PASSWORD, device)
        return came.person, came.token

    def staff(self, role: Role) -> Person:
        self.people.create(role.value, PASSWORD, role, by=HOUSE)
        return self.people.log_in(role.value, PASSWORD).person

    def lock_out(self, name: str = "Ann", tries: int = 3) -> None:
        """Somebody guesses a password until the account is locked."""
        for _ in range(tries):
            denied(self.people.log_in, name, WRONG)

    def stored(self) -> str:
        """The hash of the only password there is."""
        with self.storage.read() as conn:
            return str(conn.scalar(select(accounts.c.password)))

    def register(self) -> dict[str, Any]:
        """Who has an account, and how it stands."""
        saved = self.log.register.saved()
        return {name: saved[name] for name in ("accounts", "sessions", "money", "damaged")}

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
    came = house.people.log_in("Ann", PASSWORD)
    person, token = came.person, came.token
    assert person == Person(account, "Ann", Role.PATRON, person.session)
    assert house.people.check(token.text) == person
    assert not house.log.register.damaged
    (created, by, opened), (logged_in, who, said) = house.noted
    assert (created, by, logged_in, who) == ("account_created", account, "log_in", account)
    assert opened == {
        "account": account, "name": "Ann", "key": "ann", "role": "patron",
        "password": digest(house.stored()),
    }  # fmt: skip
    assert said == {
        "session": person.session, "token": digest(token.text), "expires_at": token.expires_at,
        "device": digest(came.device or ""),
    }  # fmt: skip


def test_each_log_in_tells_when_the_one_before_was(house: House) -> None:
    house.people.create("Ann", PASSWORD)
    first = house.clock.now()
    assert house.people.log_in("Ann", PASSWORD).before is None
    house.clock.move(days=1)
    denied(house.people.log_in, "Ann", WRONG)
    second = house.clock.now()
    assert house.people.log_in("Ann", PASSWORD).before == first
    house.clock.move(days=1)
    assert house.people.log_in("Ann", PASSWORD).before == second


def test_a_wrong_password_and_an_unknown_name_cannot_be_told_apart(house: House) -> None:
    house.patron("Ann")
    house.people.close_account(house.people.create("Ben", PASSWORD), by=HOUSE)
    guest = house.people.guest("table 1", "Cat").person
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
    house.people.note_the_crowd()
    failed = [said for kind, _, said in house.noted if kind == "log_in_failed"]
    assert sum(said.get("times", 1) for said in failed) == len(tried)
    assert {said["why"] for said in failed} == {Denial.BAD_CREDENTIALS}


class Counting(PasswordHasher):
    """Counts what it is asked."""

    def __init__(self) -> None:
        super().__init__(time_cost=1, memory_cost=8, parallelism=1)
        self.asked = 0

    def verify(self, hash: str | bytes, password: str | bytes) -> Any:
        self.asked += 1
        return super().verify(hash, password)


def test_a_crowd_that_guesses_names_or_knocks_at_a_locked_account_costs_no_hash_and_one_note(
    house: House,
) -> None:
    counting = Counting()
    people = house.server(counting)
    house.patron("Ann")
    house.lock_out()
    house.people.note_the_crowd()
    before = len(house.noted)
    for _ in range(50):
        assert denied(people.log_in, "Nobody", WRONG) is Denial.BAD_CREDENTIALS
        assert denied(people.log_in, "Ann", PASSWORD) is Denial.LOCKED
    assert counting.asked == 0
    first = {"account": None, "why": "bad_credentials", "times": 1}
    assert house.noted[before:] == [("log_in_failed", HOUSE, first)]
    house.clock.move(seconds=59.9)
    denied(people.log_in, "Nobody", WRONG)
    assert len(house.noted) == before + 1
    house.clock.move(seconds=0.1)
    denied(people.log_in, "Nobody", WRONG)
    counted = [said for _, _, said in house.noted[before + 1 :]]
    assert counted == [
        {"account": None, "why": "locked", "times": 50},
        {"account": None, "why": "bad_credentials", "times": 51},
    ]


def test_whoever_was_turned_away_last_is_written_down_when_the_house_closes(house: House) -> None:
    for _ in range(3):
        denied(house.people.log_in, "Nobody", WRONG)
    house.people.note_the_crowd()
    house.people.note_the_crowd()
    assert [said["times"] for _, _, said in house.noted] == [1, 2]


def test_a_password_is_hashed_anew_when_the_parameters_have_changed(house: House) -> None:
    house.patron("Ann")
    before = house.stored()
    house.people.log_in("Ann", PASSWORD)
    assert house.stored() == before
    dearer = PasswordHasher(time_cost=2, memory_cost=16, parallelism=1)
    house.server(dearer).log_in("Ann", PASSWORD)
    assert not dearer.check_needs_rehash(house.stored())
    assert house.people.log_in("Ann", PASSWORD)


def test_a_password_that_was_put_into_the_database_by_hand_opens_nothing(house: House) -> None:
    house.patron("Ann")
    with house.storage.write() as conn:
        conn.execute(update(accounts).values(password=CHEAP.hash(WRONG)))
    for password in (WRONG, PASSWORD):
        assert denied(house.people.log_in, "Ann", password) is Denial.BAD_CREDENTIALS
    account = house.people.find("Ann")
    house.people.set_password(account, PASSWORD, by=HOUSE)
    assert house.people.log_in("Ann", PASSWORD)


def test_passwords_are_hashed_outside_of_transactions(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = threading.Event()
    real = house.storage.write

    @contextmanager
    def write() -> Iterator[Connection]:
        with real() as conn:
            begun.set()
            yield conn
        begun.clear()

    monkeypatch.setattr(house.storage, "write", write)

    class Jealous(PasswordHasher):
        def hash(self, password: str | bytes, *, salt: bytes | None = None) -> str:
            assert not begun.is_set()
            return super().hash(password, salt=salt)

        def verify(self, hash: str | bytes, password: str | bytes) -> Any:
            assert not begun.is_set()
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
    of_ann = [said for kind, _, said in house.noted if said.get("account") == person.account]
    assert len(of_ann) == 5  # opened, three failures, locked
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


def test_two_people_unlock(house: House) -> None:
    supervisor = house.staff(Role.SUPERVISOR)
    other = house.staff(Role.FLOORPERSON)
    account = house.people.create("Ann", PASSWORD)
    house.lock_out(tries=4)
    for _ in range(2):  # the same person twice is one person
        assert not house.people.unlock(account, by=supervisor)
        assert house.noted[-1] == ("unlock_proposed", supervisor.account, {"account": account})
        assert denied(house.people.log_in, "Ann", PASSWORD) is Denial.LOCKED
    assert house.people.unlock(account, by=other)
    assert house.noted[-1] == ("account_unlocked", other.account, {"account": account})
    assert house.people.log_in("Ann", PASSWORD)


def test_one_person_may_unlock_at_the_houses_own_machine(house: House) -> None:
    account = house.people.create("Ann", PASSWORD)
    house.lock_out()
    assert house.people.unlock(account, by=HOUSE)
    assert house.noted[-1] == ("account_unlocked", HOUSE, {"account": account})
    assert house.people.log_in("Ann", PASSWORD)


def test_who_proposed_to_unlock_before_an_earlier_log_in_does_not_count(house: House) -> None:
    supervisor = house.staff(Role.SUPERVISOR)
    house.people.create("Sid", PASSWORD, Role.SUPERVISOR, by=HOUSE)
    account = house.people.create("Ann", PASSWORD)
    house.lock_out()
    house.people.unlock(account, by=supervisor)
    house.clock.move(minutes=15)
    house.people.log_in("Ann", PASSWORD)
    house.lock_out()
    assert not house.people.unlock(account, by=house.people.log_in("Sid", PASSWORD).person)


# Devices that are known.


def test_who_has_been_here_with_this_device_gets_in_though_the_account_is_locked(
    house: House,
) -> None:
    house.people.create("Ann", PASSWORD)
    device = house.people.log_in("Ann", PASSWORD).device
    assert device
    assert house.people.knows_device(device)
    house.lock_out()
    for stranger in ("", "no such device"):
        assert denied(house.people.log_in, "Ann", PASSWORD, stranger) is Denial.LOCKED
    assert house.people.log_in("Ann", PASSWORD, device).device == device
    assert house.people.log_in("Ann", PASSWORD), "who got in has opened the door for all"


def test_a_known_device_has_one_try_while_the_account_is_locked(house: House) -> None:
    house.people.create("Ann", PASSWORD)
    lost = house.people.log_in("Ann", PASSWORD).device or ""
    kept = house.people.log_in("Ann", PASSWORD).device or ""
    house.lock_out()
    assert denied(house.people.log_in, "Ann", WRONG, lost) is Denial.LOCKED
    assert not house.people.knows_device(lost)
    assert denied(house.people.log_in, "Ann", PASSWORD, lost) is Denial.LOCKED
    assert house.people.log_in("Ann", PASSWORD, kept)


def test_a_device_of_somebody_else_opens_nothing(house: House) -> None:
    house.people.create("Ann", PASSWORD)
    house.people.create("Ben", PASSWORD)
    device = house.people.log_in("Ben", PASSWORD).device or ""
    house.lock_out("Ann")
    assert denied(house.people.log_in, "Ann", PASSWORD, device) is Denial.LOCKED


def test_a_few_devices_are_known_and_a_new_password_forgets_them(house: House) -> None:
    account = house.people.create("Ann", PASSWORD)
    devices = [house.people.log_in("Ann", PASSWORD).device or "" for _ in range(MOST_DEVICES + 2)]
    known = [house.people.knows_device(device) for device in devices]
    assert known == [False] * 2 + [True] * MOST_DEVICES
    assert house.people.log_in("Ann", PASSWORD, devices[0]).device not in devices
    house.people.set_password(account, PASSWORD, by=HOUSE)
    assert not any(map(house.people.knows_device, devices))


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
    person, laptop = house.log_in()
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
    _, ended = house.log_in()
    house.people.log_out(ended.text)
    answers = set()
    for text in (expired.text, ended.text, "", "unknown", "\0", "\ud800", "x" * 10**6, "' or 1=1"):
        with pytest.raises(NotAllowed) as refused:
            house.people.check(text)
        answers.add((refused.value.code, str(refused.value)))
    assert len(answers) == 1


def test_what_one_server_does_the_other_knows_when_it_has_caught_up(house: House) -> None:
    with house.another() as there:
        person, token = house.patron()
        assert there.people.check(token.text) == person, "a token it has not heard of is looked up"
        house.people.set_role(person.account, Role.DEALER, by=HOUSE)
        assert there.people.check(token.text).role is Role.PATRON
        there.log.refresh()
        assert there.people.check(token.text).role is Role.DEALER

        new = there.people.renew(token.text)
        house.log.refresh()
        assert denied(house.people.check, token.text) is Denial.BAD_TOKEN
        house.people.log_out(new.text)
        there.log.refresh()
        assert denied(there.people.check, new.text) is Denial.BAD_TOKEN

        _, token = house.log_in()
        there.people.check(token.text)
        house.people.close_account(person.account, by=HOUSE)
        there.log.refresh()
        assert denied(there.people.check, token.text) is Denial.BAD_TOKEN
        assert denied(there.people.log_in, "Ann", PASSWORD) is Denial.BAD_CREDENTIALS


def test_many_who_come_at_once_with_a_token_of_another_server_are_all_let_in(house: House) -> None:
    with house.another() as there:
        people = there.server()
        for _ in range(20):
            person, token = house.log_in("Ann") if house.noted else house.patron()
            assert at_once(people.check, [token.text] * 8) == [person] * 8


def test_what_is_written_is_written_by_all_that_another_server_has_done(house: House) -> None:
    """Without being told: who writes has read the log to its end."""
    with house.another() as there:
        person, token = house.patron()
        there.people.check(token.text)
        house.people.log_out(token.text)
        assert denied(there.people.renew, token.text) is Denial.BAD_TOKEN
        house.people.close_account(person.account, by=HOUSE)
        assert denied(there.people.set_role, person.account, Role.DEALER, by=HOUSE) is (
            Denial.UNKNOWN_ACCOUNT
        )


def test_several_who_note_at_once_keep_one_order(house: House) -> None:
    person, _ = house.patron()
    with house.two_servers() as doors:

        def note(people: People) -> None:
            for _ in range(5):
                denied(people.require, person, "freeze")

        at_once(note, doors)
        assert house.count("forbidden") == 40
        registers = []
        for people in doors[:2]:
            people.house.refresh()
            registers.append(people.register.saved())
        assert registers[0] == registers[1]
        with house.storage.read() as conn:
            written = [*log.read(conn, HOUSE)]
    assert [event.number for event in written] == [*range(1, len(written) + 1)]
    assert all(here.hash == after.previous for here, after in itertools.pairwise(written))


def test_a_token_that_is_known_is_not_looked_up(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, token = house.patron()
    monkeypatch.setattr(house.storage, "read", None)
    for _ in range(100):
        house.people.check(token.text)


def test_what_is_known_of_a_token_is_no_more_than_a_check_would_say(house: House) -> None:
    person, token = house.patron()
    assert house.people.known(token.text) == person
    house.clock.move(minutes=14, seconds=59.9)
    assert house.people.known(token.text) == person
    house.clock.move(seconds=0.1)
    assert house.people.known(token.text) is None
    _, token = house.log_in()
    house.people.log_out(token.text)
    assert house.people.known(token.text) is None


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


def test_sessions_that_have_run_out_are_forgotten(house: House) -> None:
    house.patron("Ann")
    house.clock.move(minutes=16)
    person, live = house.patron("Cat")
    assert len(house.people.register.sessions) == 2
    with house.log.writing() as conn:
        for _ in range(SWEPT - house.people.register.number):
            house.log.note(conn, "started", HOUSE)
    assert [*house.people.register.sessions] == [person.session]
    assert house.people.check(live.text) == person
    assert len(house.people.register.accounts) == 2


def test_a_session_that_was_put_into_the_log_by_hand_lets_nobody_in(house: House) -> None:
    """An event that is not sealed is nobody's, and nothing goes on until it is taken out."""
    person, token = house.patron()
    with house.storage.write() as conn:
        (last, *_) = reversed([*log.read(conn, HOUSE)])
        said = last.data.replace(digest(token.text), digest("mine"))
        forged = last._replace(number=last.number + 1, previous=last.hash, data=said)
        forged = forged._replace(hash=forged.computed())
        conn.execute(insert(events).values(forged._asdict()))
    for _ in range(2):
        with pytest.raises(log.LogBroken):
            house.people.check("mine")
    assert house.people.known(token.text) == person, "who was inside stays"
    with house.storage.write() as conn:
        conn.execute(delete(events).where(events.c.number == forged.number))
    assert denied(house.people.check, "mine") is Denial.BAD_TOKEN


# Guests.


def test_a_guest_visits_one_table(house: House) -> None:
    came = house.people.guest("table 1", "Ann")
    guest, token = came.person, came.token
    assert guest == Person(guest.account, "Ann (guest 1)", Role.PATRON, guest.session, "table 1")
    assert house.people.check(token.text) == guest
    assert guest.may_visit("table 1")
    assert not guest.may_visit("table 2")
    assert house.patron("Ben")[0].may_visit("table 2")
    allow(guest, "bet")
    assert denied(allow, guest, "open_private_table") is Denial.FORBIDDEN
    told = {
        "account": guest.account, "name": guest.name, "key": "ann (guest 1)", "table": "table 1",
        "session": guest.session, "token": digest(token.text), "expires_at": token.expires_at,
    }  # fmt: skip
    assert house.noted[0] == ("guest_admitted", guest.account, told)


def test_guests_of_one_name_are_told_apart(house: House) -> None:
    house.patron("Ann")
    house.people.create("ann (GUEST 2)", PASSWORD, by=HOUSE)
    asked = ["Ann", "ANN", "Ann", "A%", "Annabel"]
    shown = [house.people.guest("table 1", name).person.name for name in asked]
    assert shown == [
        "Ann (guest 1)", "ANN (guest 3)", "Ann (guest 4)", "A% (guest 1)", "Annabel (guest 1)",
    ]  # fmt: skip


def test_guests_who_come_at_once_on_two_servers_are_told_apart(house: House) -> None:
    with house.two_servers() as doors:
        shown = at_once(lambda people: people.guest("table 1", "Ann").person.name, doors)
    assert sorted(shown) == [f"Ann (guest {number})" for number in range(1, 9)]


def test_a_guest_is_gone_when_the_session_is(house: House) -> None:
    came = house.people.guest("table 1", "Ann")
    guest, token = came.person, came.token
    house.clock.move(minutes=15)
    assert denied(house.people.check, token.text) is Denial.BAD_TOKEN
    assert denied(house.people.log_in, guest.name, "") is Denial.BAD_CREDENTIALS
    token = house.people.guest("table 1", "Ann").token
    for _ in range(51):
        house.clock.move(minutes=14)
        token = house.people.renew(token.text)
    house.clock.move(minutes=6)
    assert denied(house.people.renew, token.text) is Denial.BAD_TOKEN


def test_a_guest_becomes_nothing_else_and_can_be_shown_out(house: House) -> None:
    came = house.people.guest("table 1", "Ann")
    guest, token = came.person, came.token
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
        person, _ = house.log_in(name)
        assert (person.account, person.name) == (account, name)
        guest = house.people.guest(name, name).person
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
            assert house.people.log_in(alike, PASSWORD).person.account == account
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
    _, other = house.log_in()
    house.people.check(token.text)
    house.people.close_account(person.account, by=supervisor)
    assert house.noted[-1] == ("account_closed", supervisor.account, {"account": person.account})
    for text in (token.text, other.text):
        for act in (house.people.check, house.people.renew, house.people.log_out):
            assert denied(act, text) is Denial.BAD_TOKEN
    assert denied(house.people.log_in, "Ann", PASSWORD) is Denial.BAD_CREDENTIALS
    assert denied(house.people.create, "Ann", PASSWORD) is Denial.NAME_TAKEN


def test_what_is_changed_in_the_table_of_accounts_by_hand_changes_nothing(house: House) -> None:
    """The log says who has which role, and whose account is closed."""
    person, token = house.patron("Ann")
    closed = house.people.create("Ben", PASSWORD)
    house.people.close_account(closed, by=HOUSE)
    with house.storage.write() as conn:
        conn.execute(update(accounts).values(role="supervisor", closed=False))
    assert house.people.check(token.text) == person
    assert house.log_in()[0].role is Role.PATRON
    assert denied(house.people.log_in, "Ben", PASSWORD) is Denial.BAD_CREDENTIALS
    with house.another() as fresh:
        assert fresh.people.check(token.text) == person


def test_an_account_that_was_put_in_by_hand_is_nobodys(house: House) -> None:
    house.patron("Ann")
    row = {"name": "Eve", "key": "eve", "role": "supervisor", "password": CHEAP.hash(PASSWORD)}
    with house.storage.write() as conn:
        conn.execute(insert(accounts).values(id="e" * 16, created_at="", **row))
    assert denied(house.people.log_in, "Eve", PASSWORD) is Denial.BAD_CREDENTIALS
    assert denied(house.people.find, "Eve") is Denial.UNKNOWN_ACCOUNT
    assert denied(house.people.create, "Eve", PASSWORD) is Denial.NAME_TAKEN


def test_a_new_password_ends_the_sessions_of_the_old_one(house: House) -> None:
    supervisor = house.staff(Role.SUPERVISOR)
    person, token = house.patron("Ann")
    house.people.set_password(person.account, WRONG, by=supervisor)
    told = {
        "account": person.account,
        "password": house.log.register.accounts[person.account].password,
    }
    assert house.noted[-1] == ("password_set", supervisor.account, told)
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


def test_who_is_no_supervisor_any_more_when_it_is_done_changes_nothing(house: House) -> None:
    supervisor = house.staff(Role.SUPERVISOR)
    account = house.people.create("Ann", PASSWORD)

    class Slow(PasswordHasher):
        def hash(self, password: str | bytes, *, salt: bytes | None = None) -> str:
            house.people.set_role(supervisor.account, Role.PATRON, by=HOUSE)
            return super().hash(password, salt=salt)

    slow = house.server(Slow(time_cost=1, memory_cost=8, parallelism=1))
    assert denied(slow.set_password, account, WRONG, by=supervisor) is Denial.FORBIDDEN
    assert denied(slow.create, "Eve", WRONG, Role.DEALER, by=supervisor) is Denial.FORBIDDEN
    assert house.people.log_in("Ann", PASSWORD)
    assert denied(house.people.find, "Eve") is Denial.UNKNOWN_ACCOUNT


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
        before, noted = house.register(), len(house.noted)
        changes = supervised(house.people, account, person)
        if person.role is Role.FLOORPERSON:  # who may be one of the two that it takes
            del changes["unlock"]
        for change in changes.values():
            assert denied(change) is Denial.FORBIDDEN
        rights = ["unlock" if what == "unlock" else "accounts" for what in changes]
        tried = [("forbidden", person.account, {"command": right}) for right in rights]
        assert house.noted[noted:] == tried
        assert house.register() == before


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
approve               .       .          x           x            .
pay_out               .       .          .           x            .
cage                  .       .          x           x            .
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
unlock                .       .          x           x            .
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
    came = tell(people.log_in, "Ann", PASSWORD)
    guest = tell(people.guest, "table 1", "Cat").token
    token = came.token
    tell(people.log_in, "Ann", PASSWORD, came.device)
    secrets.append(came.device)
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
        [
            house.rows(),
            repr(house.noted),
            caplog.text,
            *told,
            repr(vars(people)),
            repr(house.register()),
        ]
    )
    assert "Ann" in everything
    for secret in secrets:
        assert secret not in everything
        assert secret[:8] not in everything
