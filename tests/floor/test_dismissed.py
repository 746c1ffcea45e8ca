"""Whoever was dismissed or logged out at one server does nothing more at another."""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from argon2 import PasswordHasher

from croupier.floor.cage import Cage
from croupier.floor.house_log import HouseLog
from croupier.floor.people import People, Welcome
from croupier.floor.roles import Denial, NotAllowed, Role
from croupier.floor.storage import Storage
from tests.floor.support import FakeClock

PASSWORD = "ace of spades"
CHEAP = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)


@dataclass
class Office:
    """What one server has of the house."""

    people: People
    cage: Cage
    storage: Storage

    @classmethod
    def at(cls, url: str) -> "Office":
        storage, clock = Storage(url), FakeClock()
        house = HouseLog(storage, clock)
        return cls(People(storage, clock, house, hasher=CHEAP), Cage(house), storage)


@pytest.fixture
def offices(storage_url: str) -> Iterator[tuple[Office, Office]]:
    both = Office.at(storage_url), Office.at(storage_url)
    yield both
    for each in both:
        each.storage.close()


def come_in(office: Office, name: str, role: Role) -> Welcome:
    office.people.create(name, PASSWORD, role, by="house")
    return office.people.log_in(name, PASSWORD)


def denied(do: object, *given: object, **named: object) -> Denial:
    with pytest.raises(NotAllowed) as caught:
        do(*given, **named)  # type: ignore[operator]
    return caught.value.code


def test_a_dismissed_supervisor_changes_no_account_at_another_server(
    offices: tuple[Office, Office],
) -> None:
    first, second = offices
    sue, ann = come_in(first, "Sue", Role.SUPERVISOR), come_in(first, "Ann", Role.PATRON)
    known = second.people.check(sue.token.text)
    first.people.set_role(sue.person.account, Role.PATRON, by="house")
    for change in (
        lambda: second.people.set_role(ann.person.account, Role.SUPERVISOR, by=known),
        lambda: second.people.set_password(ann.person.account, "another word", by=known),
        lambda: second.people.close_account(ann.person.account, by=known),
        lambda: second.people.unlock(ann.person.account, by=known),
        lambda: second.people.create("Eve", PASSWORD, Role.DEALER, by=known),
    ):
        assert denied(change) is Denial.FORBIDDEN
    assert second.people.check(ann.token.text).role is Role.PATRON


def test_a_dismissed_cashier_pays_nothing_at_another_server(
    offices: tuple[Office, Office],
) -> None:
    first, second = offices
    flo, ann = come_in(first, "Flo", Role.FLOORPERSON), come_in(first, "Ann", Role.PATRON)
    known = second.people.check(flo.token.text)
    account = ann.person.account
    paid = {"by": known, "why": "cash"}
    assert second.cage.fund(account, 700, **paid, request="first") == 700  # type: ignore[arg-type]
    first.people.set_role(flo.person.account, Role.PATRON, by="house")
    assert denied(second.cage.fund, account, 700, **paid, request="second") is Denial.FORBIDDEN
    first.people.set_role(flo.person.account, Role.FLOORPERSON, by="house")
    first.people.set_password(flo.person.account, "another word", by="house")
    assert denied(second.cage.fund, account, 700, **paid, request="third") is Denial.BAD_TOKEN
    assert second.cage.statement(account)["cents"] == 700


def test_whoever_logged_out_sets_no_limit_at_another_server(
    offices: tuple[Office, Office],
) -> None:
    first, second = offices
    ann = come_in(first, "Ann", Role.PATRON)
    known = second.people.check(ann.token.text)
    first.people.log_out(ann.token.text)
    assert denied(second.cage.limit, known, 100) is Denial.BAD_TOKEN
    assert denied(second.cage.exclude, known, None) is Denial.BAD_TOKEN
