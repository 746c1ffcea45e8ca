"""Names: nobody comes in under one that passes for another's, or for the house's."""

import unicodedata

import pytest
from argon2 import PasswordHasher
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import insert

from croupier.floor.clock import SystemClock
from croupier.floor.events import HOUSE, digest
from croupier.floor.house_log import HouseLog
from croupier.floor.lookalikes import (
    LIKE,
    is_mixed,
    is_reserved,
    look_alike,
    looks,
    refusal,
    skeleton,
)
from croupier.floor.people import People
from croupier.floor.roles import Denial, NotAllowed, Role
from croupier.floor.schema import accounts
from croupier.floor.storage import Storage

PASSWORD = "correct horse"

ALIKE = {
    "Ann": ["\u0391nn", "A\u043f\u043f", "\u0410nn", "\u00c1nn", "A\u0301nn", "Ann.", "A-n-n"],
    "Paul": ["PauI", "Pau1", "PAU1", "P\u0430ul", "\u03a1aul", "P a u l"],
    "Otto": ["0tto", "OttO", "\u041ett\u043e", "0TT0"],
    "Mike": ["M1KE", "M\u0456ke", "Mi\u043ae"],
    "Norma": ["Norrna", "N\u043erma"],
    "Warren": ["vvarren", "Warr\u00e9n"],
    "Lucia": ["Luc\u00eda", "LUC1A"],
    "J. R. Smith": ["JR Smith", "J.R.Smith", "J-R Sm\u0456th"],
    "S\u00f8ren": ["Soren"],
    "\u0410\u043d\u043d\u0430": ["\u0410\u043d\u043da"],  # Anna in Russian
}
DIFFERENT = [
    "Ann", "Anna", "Anne", "Ian", "Lan", "Lia", "Ila", "Bob", "Bo", "Cat", "Dee", "Flo", "Sue",
    "Sam", "Arnold", "Amos", "\u738b\u5c0f\u660e", "\u738b\u5927\u660e", "\U0001f3b2", "\U0001f0cf",
    "Ann 2", "Ann 3", "\\", "'", "\u03a3\u03c9\u03ba\u03c1\u03ac\u03c4\u03b7\u03c2",
]  # fmt: skip


def test_names_that_look_alike() -> None:
    for name, others in ALIKE.items():
        for other in others:
            assert look_alike(other, ["Zed", name]), (other, skeleton(other), skeleton(name))


def test_names_that_do_not() -> None:
    for at, name in enumerate(DIFFERENT):
        assert not look_alike(name, DIFFERENT[:at]), name


@given(st.text(max_size=40))
def test_every_text_has_a_look_and_looks_like_itself(name: str) -> None:
    assert looks(name)
    assert look_alike(name, [name])
    assert look_alike(unicodedata.normalize("NFD", name), [name])
    assert refusal(name) is None or refusal(name)


@given(st.text("abcdefghkmopqrstuvwxyz", min_size=1, max_size=12), st.data())
def test_any_letter_may_be_exchanged_for_one_that_passes_for_it(
    name: str, data: st.DataObject
) -> None:
    at = data.draw(st.integers(0, len(name) - 1))
    signs = LIKE.get(name[at], "")
    if signs:
        other = name[:at] + data.draw(st.sampled_from(signs)) + name[at + 1 :]
        assert skeleton(other) == skeleton(name)


@pytest.mark.parametrize(
    ("name", "mixed"),
    [
        ("\u0391nn", True), ("\u0410nn", True), ("Ann \u0410\u043d\u043d\u0430", True),
        ("\u13aann", True), ("Ann", False), ("\u0410\u043d\u043d\u0430 2", False),
        ("\u738b\u5c0f\u660e Wang", False), ("\u30bf\u30ca\u30ab \u3055\u3093 Tanaka", False),
        ("\uae40 \u91d1 Kim", False), ("\uff21nn", False), ("\U0001f3b2 Ann!", False),
        ("\u0641\u0627\u0637\u0645\u0647\u200c\u0632\u0647\u0631\u0627", False),
    ],
)  # fmt: skip
def test_a_name_is_written_in_one_alphabet(name: str, mixed: bool) -> None:
    assert is_mixed(name) is mixed


@pytest.mark.parametrize(
    "name",
    [
        "house", "The House", "HOUSE 2", "h0use", "dealer", "the Dea1er", "Dealer Dan",
        "Supervis0r", "floorperson", "Surveillance", "croupier", "Admin", "adm1n",
        "Administrator 7", "clock",
        "the clock", "SYSTEM", "nobody", "guest", "Guest 17", "Ann (guest 1)", "Ann (GUEST 2)",
        "\u0430dm\u0456n", "pit boss", "Pit-Boss",
    ],
)  # fmt: skip
def test_a_name_of_the_house(name: str) -> None:
    assert is_reserved(name)


@pytest.mark.parametrize(
    "name", ["Ann", "Gregory House", "Clockwork", "Sysiphus", "Ann Dealey", "Bankman", "The The"]
)
def test_and_a_name_like_any_other(name: str) -> None:
    assert not is_reserved(name)


class TestAtTheDoor:
    @pytest.fixture
    def people(self, storage: Storage) -> People:
        hasher = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
        return People(storage, SystemClock(), HouseLog(storage), hasher=hasher)

    def denied(self, people: People, name: str, **how: str) -> Denial:
        with pytest.raises(NotAllowed) as refused:
            people.create(name, PASSWORD, **how)  # type: ignore[arg-type]
        assert name not in refused.value.message
        return refused.value.code

    def test_nobody_opens_an_account_under_a_name_that_passes_for_anothers(
        self, people: People
    ) -> None:
        people.create("Paul", PASSWORD)
        assert self.denied(people, "PauI") is Denial.NAME_TAKEN
        assert self.denied(people, "P\u00e1ul") is Denial.NAME_TAKEN
        assert self.denied(people, "PauI", by=HOUSE) is Denial.NAME_TAKEN
        assert self.denied(people, "P\u0430ul") is Denial.BAD_NAME
        assert self.denied(people, "The Dea1er") is Denial.BAD_NAME
        people.create("dealer", PASSWORD, Role.DEALER, by=HOUSE)

    def test_nor_comes_as_a_guest_under_the_houses(self, people: People) -> None:
        for name in ("Supervisor", "P\u0430ul", "Ann (guest 1)"):
            with pytest.raises(NotAllowed) as refused:
                people.guest("table 1", name)
            assert refused.value.code is Denial.BAD_NAME

    def test_whoever_has_such_a_name_keeps_it(self, storage: Storage, people: People) -> None:
        account = people.create("Paul", PASSWORD)
        hashed = people._hash(PASSWORD)
        other = {"name": "P\u0430uI", "key": "p\u0430ui", "role": "patron"}
        with people.house.writing() as conn:  # as an older version let them
            row = {**other, "id": "older", "password": hashed, "created_at": ""}
            conn.execute(insert(accounts).values(row))
            people.house.note(
                conn, "account_created", HOUSE, account="older", password=digest(hashed), **other
            )
        assert people.log_in("P\u0430uI", PASSWORD).person.account == "older"
        assert people.log_in("Paul", PASSWORD).person.account == account
