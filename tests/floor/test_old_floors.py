"""Floors that older versions made still open, go on, are proved, and settle their disputes.

The floors, and how they were made, are in `tests/floor/floors`. Nothing here
asks which version is at work: what an older version acknowledged must hold.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest
from argon2 import PasswordHasher
from sqlalchemy import text

from croupier.cli.app import run
from croupier.floor import clock as times
from croupier.floor import dispute, people, walk
from croupier.floor.roles import Denial, NotAllowed, Person
from croupier.floor.storage import Storage
from croupier.games import find_game, registry
from croupier.rulebook import script
from croupier.server.config import Config
from croupier.server.house import House
from croupier.simulation.streams import SeededStream
from tests.floor.floors import kept
from tests.floor.floors.evening import Known, tick
from tests.floor.support import FakeClock, balanced, go_on

Captured = pytest.CaptureFixture[str]
FLOORS = kept.floors()
CHEAP = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
LONG = 3601  # seconds, after which the clock has spoken at every table
SHUFFLED = {"roulette", "craps", "sic-bo", "keno", "baccarat-punto-banco", "minibaccarat"}
OF_WAGERS = ("wager", "reduce", "take_down")


@dataclass
class Floor:
    """A floor that was unpacked: its database, its checkpoints, and what stood on it."""

    url: str
    folder: Path
    books: dict[str, Any]

    @property
    def tables(self) -> dict[str, dict[str, Any]]:
        tables: dict[str, dict[str, Any]] = self.books["tables"]
        return tables


@pytest.fixture(params=FLOORS, ids=lambda floor: floor.name)
def floor(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Floor]:
    folder = tmp_path / "floor"
    url = request.param.unpack(folder, lambda: request.getfixturevalue("postgres"))
    yield Floor(url, folder, request.param.books)
    if request.param.dialect == "postgresql":
        name = url.partition("@/")[2].partition("?")[0]
        request.getfixturevalue("postgres").execute(f"DROP DATABASE {name} WITH (FORCE)")


# How today's software opens a floor: what changes with it is changed here.


@contextmanager
def opened(floor: Floor) -> Iterator[House]:
    """The house, a minute after the floor ended, with clock and chance in our hands."""
    clock = FakeClock()
    clock.time = times.read(floor.books["ended"]) + timedelta(minutes=1)
    config = Config(db=floor.url, checkpoints=floor.folder, idle_minutes=1440)
    house = House(config, clock=clock, chance=SeededStream(7))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(people, "PasswordHasher", lambda: CHEAP)
        house.open()
    try:
        yield house
    finally:
        house.close()


@contextmanager
def migrated(floor: Floor) -> Iterator[Storage]:
    """The database, as today's software has it, before any house was opened on it."""
    storage = Storage(floor.url)
    try:
        storage.migrate()
        yield storage
    finally:
        storage.close()


def verified(floor: Floor, capsys: Captured) -> dict[str, Any]:
    """What `croupier verify` says of the floor."""
    capsys.readouterr()
    run(["verify", "--db", floor.url, "--checkpoints", str(floor.folder), "--json"])
    said: dict[str, Any] = json.loads(capsys.readouterr().out)
    return said


# What is kept.


def test_every_version_is_kept_on_both_databases_and_after_both_endings() -> None:
    versions = {floor.folder.parent.name for floor in FLOORS}
    assert versions >= {"0.6.0", "0.7.0"}
    for version in versions:
        of_it = [floor for floor in FLOORS if floor.folder.parent.name == version]
        assert {floor.books["version"] for floor in of_it} == {version}
        assert {floor.dialect for floor in of_it} == {"sqlite", "postgresql"}
        assert {floor.ending for floor in of_it} == {"stopped", "killed"}


@pytest.mark.parametrize("floor", FLOORS, ids=lambda floor: floor.name)
class TestWhatIsKept:
    def test_every_game_was_played_twice(self, floor: kept.Kept) -> None:
        rounds = dict.fromkeys(registry(), 0)
        for table in floor.books["tables"].values():
            rounds[table["game"]] = max(rounds[table["game"]], len(table["rounds"]))
        assert min(rounds.values()) >= 2, rounds

    def test_what_a_floor_can_be_left_with_is_there(self, floor: kept.Kept) -> None:
        tables = [*floor.books["tables"].values()]
        seats = [seat for table in tables for seat in table["seats"].values()]
        assert {"betting", "deciding", "dealing", "frozen", "closed"} <= {
            t["phase"] for t in tables
        }
        assert {"open", "closing", "frozen", "closed"} == {t["status"] for t in tables}
        assert sum(table["in_progress"] for table in tables) >= 8
        assert any(seat["leaving"] for seat in seats)
        assert any(seat["waiting"] for seat in seats)
        assert any(table["vigorish_owed"] for table in tables)
        assert any(table["notice"] for table in tables)
        assert any(table["private"] for table in tables)
        assert any(told["void"] for table in tables for told in table["rounds"].values())
        names = [[seat["name"] for seat in table["seats"].values()] for table in tables]
        assert any(len(set(each)) < len(each) for each in names), "two seats of one person"


def test_wagers_were_made_in_another_order_than_the_log_names_them(floor: Floor) -> None:
    """Version 0.6.0 did them in the client's order, and stored them by their names.

    Since then their order follows from what they are, and the log is proved by that.
    """
    flawed, shuffled = floor.books["flawed"].keys(), set(floor.books["shuffled"])
    assert {floor.tables[stream]["game"] for stream in shuffled} >= SHUFFLED
    if floor.books["version"] != "0.6.0":
        assert not flawed
        return
    assert {floor.tables[stream]["game"] for stream in flawed} >= SHUFFLED
    assert flawed <= shuffled
    with migrated(floor) as storage:
        assert {stream for stream in floor.tables if out_of_order(storage, stream)} == flawed


def out_of_order(storage: Storage, stream: str) -> list[list[str]]:
    """The commands whose events name the wagers in another order than their input does."""
    query = text("SELECT kind, data, input FROM events WHERE stream = :stream ORDER BY number")
    with storage.read() as conn:
        rows = conn.execute(query, {"stream": stream}).all()
    commands: list[tuple[list[str], list[str]]] = []
    for kind, data, given in rows:
        if given is not None:
            commands.append(([*json.loads(given).get("wagers", ())], []))
        if kind in OF_WAGERS:
            commands[-1][1].append(json.loads(data)["wager"])
    return [
        done for named, done in commands
        if done != [label for label in named if label in done] and {*done} <= {*named}
    ]  # fmt: skip


# It opens.


def holds(today: Any, then: Any) -> bool:
    """Whether all that stood then stands today; more may be said of it."""
    if isinstance(then, Mapping):
        return isinstance(today, Mapping) and all(
            key in today and holds(today[key], value) for key, value in then.items()
        )
    if isinstance(then, list):
        return len(today) == len(then) and all(map(holds, today, then))
    return bool(today == then)


STANDS = (
    "name", "game", "status", "phase", "round", "seats", "bets", "vigorish_owed", "meter",
    "asked", "notice", "dealer", "state",
)  # fmt: skip


def test_every_table_stands_as_it_was_left(floor: Floor) -> None:
    """The stacks, the wagers, the phases and the questions with their moves."""
    with opened(floor) as house:
        assert house.pit.broken == {}
        for stream, then in floor.tables.items():
            live = Known(house, stream, {}).live
            today = json.loads(json.dumps(live.view("", sees_all=True)))
            held = {account: cents for account, cents in live.accounts().items() if cents}
            assert held == then["balances"]
            for part in STANDS:
                assert holds(today[part], then[part]), f"{part} of {then['name']}"
            assert (stream in house.pit.tables) == (then["status"] != "closed")


def test_a_command_that_is_sent_again_gets_its_old_reply(floor: Floor) -> None:
    with opened(floor) as house:
        zoe = logged_in(house, floor, "Zoë")
        for each in floor.books["answered"]:
            at = Known(house, each["table"], zoe)
            number = at.live.number
            said = dict(each["body"])
            reply = at.do(each["by"], said.pop("do"), each["request"], **said)
            assert reply == each["reply"]
            assert at.live.number == number


# It goes on.


def logged_in(house: House, floor: Floor, *names: str) -> dict[str, Person]:
    """These people, with the passwords that they had."""
    passwords = {name: about["password"] for name, about in floor.books["people"].items()}
    return {name: house.people.log_in(name, passwords[name]).person for name in names}


def resume(at: Known) -> None:
    """The people come back: each takes control of the seats, and the dealer of the chair."""
    live = at.live
    if live.status == "frozen":
        at.do("Sue", "thaw", why="looked into")
    for seat, chair in live.chairs.items():
        if chair.name in at.people:
            at.do(chair.name, "take_control", seat=seat)
    if live.dealer is not None and live.dealer.name != "Dee":
        at.do("Flo", "leave_dealer")
    if live.terms.dealer == "person":
        at.do("Dee", "take_dealer")


def play_on(house: House, at: Known, people: Sequence[Person], choose: Random) -> None:
    """Go on until the round is over. For who is not there, the clock decides."""
    number, left = at.live.round, 400
    here = {person.account for person in people}
    while at.live.round == number and at.live.status != "closed":
        question = at.live.question("", sees_all=True)
        if question is not None and at.live.chairs[question["seat"]].account not in here:
            clock = house.clock
            assert isinstance(clock, FakeClock)
            clock.passes(LONG)
            tick(house)
        else:
            go_on(at, people, choose)
        left -= 1
        assert left, f"the round at {at.live.name} does not end"


def conserved(at: Known, then: Mapping[str, Any]) -> None:
    """No cent came or went: the cage gave chips to nobody, and cash to those who left only."""
    live = at.live
    balanced(live)
    gone = then["seats"].keys() - live.chairs.keys()
    paid_out = live.accounts()["cage"] - then["balances"]["cage"]
    assert paid_out >= 0 if gone else paid_out == 0, then["name"]


def test_rounds_in_progress_go_on_and_all_of_it_is_proved(floor: Floor, capsys: Captured) -> None:
    """Each round ends, another one is played after it, and no cent is lost between the versions."""
    choose = Random(3)
    with opened(floor) as house:
        came = logged_in(house, floor, "Ann", "Bob", "Zoë", "Dee", "Flo", "Sue")
        tables = [
            (Known(house, stream, came), then)
            for stream, then in floor.tables.items() if then["status"] != "closed"
        ]  # fmt: skip
        for at, then in sorted(tables, key=lambda each: each[1]["private"]):
            resume(at)
            play_on(house, at, [*came.values()], choose)
            conserved(at, then)
            assert at.live.round == then["round"] + 1, then["name"]
            if then["status"] == "closing":
                assert at.live.status == "closed", then["name"]
            elif then["in_progress"] and not then["private"]:  # where a guest is gone
                play_on(house, at, [*came.values()], choose)
                conserved(at, then)
        assert house.pit.broken == {}
    verdict = verified(floor, capsys)
    assert verdict["bad"] == []
    assert verdict["sound"]


# It is proved.


def test_its_log_is_sound_before_any_house_opens_on_it(floor: Floor, capsys: Captured) -> None:
    """Every old round is played again, and the signed checkpoints fit."""
    with migrated(floor) as storage, storage.read() as conn:
        query = text("SELECT stream, max(number) AS number FROM events GROUP BY stream")
        numbers = {row.stream: row.number for row in conn.execute(query)}
        heads = text("SELECT hash FROM events WHERE stream = :stream AND number = :number")
        for stream, then in floor.tables.items():
            assert numbers[stream] == then["number"]
            key = {"stream": stream, "number": then["number"]}
            assert conn.execute(heads, key).scalar_one() == then["head"]
        house = floor.books["house"]
        key = {"stream": "house", "number": house["events"]}
        assert conn.execute(heads, key).scalar_one() == house["head"]
    verdict = verified(floor, capsys)
    torn = [each["why"] for each in verdict["bad"]]
    if not (floor.folder / "checkpoints.jsonl").read_bytes().endswith(b"\n"):
        assert len(torn) == 1
        assert "breaks off, as a power loss leaves it: start the server once" in torn[0]
    else:
        assert torn == []
    assert verdict["sound"] == (not torn)
    assert verdict["checkpoints"] > 0
    assert verdict["rounds"] == sum(len(table["rounds"]) for table in floor.tables.values())


# Its disputes.


def paid(settlements: Sequence[Mapping[str, Any]]) -> list[tuple[Any, ...]]:
    keys = ("seat", "wager", "stake", "result", "line", "pays", "net", "citation")
    return sorted(tuple(each[key] for key in keys) for each in settlements)


def test_an_old_round_in_dispute_is_dealt_again_and_pays_the_same(
    floor: Floor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(walk, "MOMENTS", 0)  # nobody will finish the line that breaks off
    with migrated(floor) as storage, storage.read() as conn:
        for each in floor.books["disputes"]:
            stream, number, what = each["table"], each["round"], each["what"]
            folder = dispute.bundle(conn, stream, number, tmp_path / "handed over", floor.folder)
            told = json.loads((folder / "round.json").read_text("utf-8"))
            then = floor.tables[stream]["rounds"][str(number)]
            assert paid(told["settlements"]) == paid(then["settlements"]), what
            assert (folder / "script.json").exists(), what
            dealt = script.run(json.loads((folder / "script.json").read_text("utf-8")), find_game)
            assert paid(dealt["rounds"][-1]["settlements"]) == paid(then["settlements"]), what


# Its people.


def test_everybody_gets_in_as_they_did(floor: Floor) -> None:
    """With the password of then, in the role of then; who was shut out still is."""
    with opened(floor) as house:
        for name, about in floor.books["people"].items():
            state, password = about["state"], about["password"] or "a password of a guest"
            if state == "open":
                person = house.people.log_in(name, password).person
                assert (person.account, person.role) == (about["account"], about["role"])
                continue
            with pytest.raises(NotAllowed) as denied:
                house.people.log_in(name, password)
            locked = state == "locked"
            assert denied.value.code == (Denial.LOCKED if locked else Denial.BAD_CREDENTIALS)
        with pytest.raises(NotAllowed):
            house.people.log_in("Pam", "the password of Pam")
        clock = house.clock
        assert isinstance(clock, FakeClock)
        clock.passes(15 * 60)
        person = logged_in(house, floor, "Lou")["Lou"]
        assert person.account == floor.books["people"]["Lou"]["account"], "a lock opens with time"
