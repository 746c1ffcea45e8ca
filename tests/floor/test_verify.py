"""Whoever changes a log is found out, and the first event that he changed is named.

Each test takes a floor that was played on, does to its database what a thief
would, and has it checked; on both kinds of database.
"""

import json
import shutil
import threading
import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from argon2 import PasswordHasher
from sqlalchemy import delete, insert, select, text, update

from croupier.equipment import dollars
from croupier.floor import answers, chains, checkpoint, heads, integrity, log, schema, verify
from croupier.floor.checkpoint import FILE, Notary
from croupier.floor.commands import THE_HOUSE, opening
from croupier.floor.events import BEGINNING, HOUSE, LogEvent, canonical
from croupier.floor.house_log import HouseLog
from croupier.floor.live import LiveTable
from croupier.floor.log import LogBroken
from croupier.floor.people import People
from croupier.floor.policies import Policies
from croupier.floor.roles import Role
from croupier.floor.rows import put_all
from croupier.floor.storage import Storage
from croupier.floor.table_chain import TableChain
from croupier.floor.verify import Verdict
from croupier.simulation.streams import SeededStream
from tests.floor.postgres import Postgres
from tests.floor.support import (
    ANN,
    FLOORPERSON,
    PATRONS,
    FakeClock,
    a_pit,
    admit,
    answers_to,
    finish,
    opened,
    seat_all,
)

GAMES = ("three-card-poker", "craps", "roulette")
Change = Callable[[LogEvent], LogEvent]
replace = LogEvent._replace


@dataclass
class Evening:
    """A floor that was played on: its database, an older backup of it, and its checkpoints."""

    url: str
    backup: str
    checkpoints: Path
    tables: dict[str, str]  # by game


def played(url: str, checkpoints: Path, backup: Callable[[], str]) -> Evening:
    storage, clock, choose = Storage(url), FakeClock(), Random(47)
    parts: dict[str, Any] = {
        "clock": clock, "chance": SeededStream(47), "notary": (notary := Notary(checkpoints)),
        "policies": Policies(snapshot_events=30),
    }  # fmt: skip
    pit = a_pit(storage, **parts)
    people = People(storage, clock, pit.house, hasher=PasswordHasher(1, 8, 1))
    ida = people.create("Ida", "a long password")
    people.set_role(people.create("Joe", "a long password"), Role.DEALER, by=HOUSE)
    people.close_account(ida, by=HOUSE)
    at = {game: opened(pit, game) for game in GAMES}
    people.guest(at["craps"].stream, "Gus")
    for table in at.values():
        seat_all(table)
        clock.passes(5)
        for _ in range(3):
            finish(table, PATRONS, choose)
    pit.stop()
    storage.close()
    kept = backup()
    storage = Storage(url)
    pit = a_pit(storage, **parts)
    for table in at.values():
        table.pit = pit
        for _ in range(3):
            finish(table, PATRONS, choose)
    at["roulette"].do(FLOORPERSON, "close_table", why="the night is over")
    while at["roulette"].live.status != "closed":
        finish(at["roulette"], PATRONS, choose)
    pit.stop()
    with storage.read() as conn:
        number, head = log.head(conn, HOUSE) or (0, BEGINNING)
    notary.sign(HOUSE, number, head, clock.now())
    storage.close()
    return Evening(url, kept, checkpoints, {game: table.stream for game, table in at.items()})


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def evening(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Evening]:
    folder = tmp_path_factory.mktemp("evening")
    if request.param == "sqlite":
        file, older = folder / "croupier.db", folder / "older.db"
        shutil.copy(request.getfixturevalue("migrated_file"), file)
        yield played(
            f"sqlite:///{file}", folder / "marks",
            lambda: f"sqlite:///{shutil.copy(file, older)}",
        )  # fmt: skip
    else:
        server: Postgres = request.getfixturevalue("postgres")
        template = request.getfixturevalue("migrated_database")
        server.execute(f"CREATE DATABASE evening TEMPLATE {template}")

        def backup() -> str:
            server.execute("CREATE DATABASE older TEMPLATE evening")
            return server.url("older")

        yield played(server.url("evening"), folder / "marks", backup)
        for name in ("evening", "older"):
            server.execute(f"DROP DATABASE {name} WITH (FORCE)")


class Floor:
    """A copy of the evening, to be tampered with."""

    def __init__(self, storage: Storage, checkpoints: Path, tables: dict[str, str]) -> None:
        self.storage, self.checkpoints, self.tables = storage, checkpoints, tables
        self.poker, self.craps, self.roulette = (tables[game] for game in GAMES)

    def verdict(self, *, signed: bool = True) -> Verdict:
        marks = checkpoint.read(self.checkpoints) if signed else None
        return verify.verify(self.storage, marks)

    def first(self, *, signed: bool = True) -> tuple[str, int, str]:
        """What is found, which is one thing."""
        (bad,) = self.verdict(signed=signed).bad
        return bad.stream, bad.number or 0, bad.why

    def do(self, statement: Any, values: Any = None) -> None:
        with self.storage.write() as conn:
            conn.execute(text(statement) if isinstance(statement, str) else statement, values)

    def set(self, stream: str, number: int, **values: Any) -> None:
        of = schema.events.c
        self.do(
            update(schema.events).where(of.stream == stream, of.number == number).values(values)
        )

    def events(self, stream: str) -> list[LogEvent]:
        with self.storage.read() as conn:
            return [*log.read(conn, stream)]

    def put(self, stream: str, events: list[LogEvent]) -> None:
        """These events in the place of all that the stream has."""
        self.do(delete(schema.events).where(schema.events.c.stream == stream))
        self.do(insert(schema.events), [log.values(event) for event in events])
        head = {"number": events[-1].number, "hash": events[-1].hash}
        self.do(update(schema.heads).where(schema.heads.c.stream == stream).values(head))

    def find(self, stream: str, kind: str) -> LogEvent:
        return next(event for event in self.events(stream) if event.kind == kind)

    def forge(self, stream: str, number: int, change: Change) -> None:
        """Change an event, and hash it and all that follow anew, as a thief with time would."""
        self.put(stream, rehashed(self.events(stream), {number: change}))

    def keep_beside(self, stream: str) -> None:
        """And set right all that is kept beside the log, as a thorough thief would."""
        live = LiveTable(stream)
        log.replay(live, self.events(stream))
        rows = [
            {"stream": stream, "account": account, "cents": cents,
             "overdraft": account in ("house", "cage") or account.startswith("vigorish")}
            for account, cents in live.accounts().items()
        ]  # fmt: skip
        self.do(delete(schema.balances).where(schema.balances.c.stream == stream))
        self.do(insert(schema.balances), rows)
        self.do(delete(schema.snapshots).where(schema.snapshots.c.stream == stream))
        self.do(delete(schema.requests).where(schema.requests.c.stream == stream))
        self.do(insert(schema.requests), answers_to(stream, self.events(stream)))
        status = "open" if live.status == "closing" else live.status
        self.do(update(schema.tables).where(schema.tables.c.id == stream).values(status=status))


def rehashed(events: list[LogEvent], changes: dict[int, Change]) -> list[LogEvent]:
    done: list[LogEvent] = []
    head = BEGINNING
    for event in events:
        changed = changes[event.number](event) if event.number in changes else event
        changed = replace(changed, previous=head)
        head = changed.computed()
        done.append(replace(changed, hash=head))
    return done


@pytest.fixture
def floor(evening: Evening, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Floor]:
    marks = tmp_path / "marks"
    shutil.copytree(evening.checkpoints, marks)
    with copied(evening.url, request, tmp_path) as storage:
        yield Floor(storage, marks, evening.tables)


class copied:  # noqa: N801
    """A database that may be spoiled."""

    def __init__(self, url: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
        self.server: Postgres | None = None
        if url.startswith("sqlite"):
            copy = shutil.copy(url.removeprefix("sqlite:///"), tmp_path / "copy.db")
            self.storage = Storage(f"sqlite:///{copy}")
        else:
            self.server = request.getfixturevalue("postgres")
            assert self.server is not None
            name = url.rpartition("?")[0].rpartition("/")[2]
            self.server.execute("DROP DATABASE IF EXISTS spoiled WITH (FORCE)")
            self.server.execute(f"CREATE DATABASE spoiled TEMPLATE {name}")
            self.storage = Storage(self.server.url("spoiled"))

    def __enter__(self) -> Storage:
        return self.storage

    def __exit__(self, *_: object) -> None:
        self.storage.close()
        if self.server is not None:
            self.server.execute("DROP DATABASE spoiled WITH (FORCE)")


class TestASoundLog:
    def test_everything_is_checked_and_counted(self, floor: Floor) -> None:
        verdict = floor.verdict()
        assert verdict.bad == []
        assert verdict.is_sound
        with floor.storage.read() as conn:
            assert verdict.events == len(conn.execute(select(schema.events.c.number)).all())
            rounds = select(schema.events.c.number).where(schema.events.c.kind == "round_over")
            assert verdict.rounds == len(conn.execute(rounds).all()) > 15
        assert verdict.streams == 4
        assert verdict.checkpoints == len((floor.checkpoints / FILE).read_bytes().splitlines())

    def test_it_can_be_written_as_json(self, floor: Floor) -> None:
        told = json.loads(json.dumps(floor.verdict(signed=False).as_json()))
        assert told["sound"] is True
        assert told["checkpoints"] is None
        assert told["bad"] == []

    def test_how_far_it_is_is_told(self, floor: Floor, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(chains, "PAGE", 20)
        told: list[tuple[int, int]] = []
        verdict = verify.verify(floor.storage, None, lambda *share: told.append(share))
        assert told == sorted(told)
        assert len(told) > verdict.events // 20
        assert told[-1] == (verdict.events, verdict.events)

    @pytest.mark.parametrize("page", [1, 7, 100_000])
    def test_it_does_not_matter_how_much_is_read_at_a_time(
        self, floor: Floor, monkeypatch: pytest.MonkeyPatch, page: int
    ) -> None:
        monkeypatch.setattr(chains, "PAGE", page)
        assert floor.verdict().bad == []

    def test_an_empty_database_is_sound(self, storage: Storage) -> None:
        assert verify.verify(storage).as_json() == {
            "sound": True, "streams": 0, "events": 0, "rounds": 0, "checkpoints": None, "bad": [],
            "seals": False, "paid_out": [],
            "integrity": integrity.BY_SQLITE if storage.dialect == "sqlite" else
            integrity.BY_COUNTING,
        }  # fmt: skip

    def test_a_server_may_go_on_meanwhile(
        self, floor: Floor, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """What is kept beside the log is compared with the log of the same moment."""
        monkeypatch.setattr(chains, "PAGE", 40)
        notary = Notary(floor.checkpoints)
        policies = Policies(snapshot_events=10, checkpoint_events=20)
        pit = a_pit(floor.storage, notary=notary, policies=policies)
        pit.start()
        table = opened(pit, "three-card-poker")
        seat_all(table)
        over = threading.Event()

        def play() -> None:
            choose = Random(1)
            while not over.is_set():
                finish(table, PATRONS, choose)

        playing = threading.Thread(target=play)
        playing.start()
        try:
            found = [bad for _ in range(6) for bad in floor.verdict(signed=False).bad]
        finally:
            over.set()
            playing.join()
        pit.stop()
        assert found == []
        assert floor.verdict().bad == []

    def test_memory_stays_flat(self, storage: Storage, monkeypatch: pytest.MonkeyPatch) -> None:
        for module, name in ((chains, "PAGE"), (integrity, "PAGE"), (answers, "AT_ONCE")):
            monkeypatch.setattr(module, name, 100)
        peaks = []
        for rounds in (40, 400):
            fill(storage, f"roulette-{rounds}", rounds)
            verify.verify(storage)  # what is loaded once is loaded
            tracemalloc.start()
            assert verify.verify(storage).bad == []
            peaks.append(tracemalloc.get_traced_memory()[1])
            tracemalloc.stop()
        with storage.read() as conn:
            long = select(schema.events).where(schema.events.c.stream == "roulette-400")
            held = sum(len(repr(row)) for row in conn.execute(long))
        # The drivers keep their last statements; that has an end, the log has none.
        assert peaks[1] - peaks[0] < held / 4


def fill(storage: Storage, stream: str, rounds: int, software: str | None = None) -> None:
    """A long evening of one patron at the wheel, written at once."""
    live, chance = LiveTable(stream), SeededStream(1)
    rows: list[LogEvent] = []

    def step(actor: str, **command: Any) -> None:
        request = f"{stream}/{len(rows)}"
        rows.extend(live.step(command, actor, "2026-01-31T09:00:00.000Z", request, chance))

    said = opening("roulette", "Long", None, None)
    step(THE_HOUSE.account, **said | ({"software": software} if software else {}))
    step(ANN.account, do="sit", seat="1", buy_in=10_000_000, name="Ann", session="s")
    for _ in range(rounds):
        step(ANN.account, do="bet", seat="1", wagers={"red": 500})
        step(ANN.account, do="ready", seat="1")
    ruleset = live.ruleset()
    with storage.write() as conn:
        conn.execute(insert(schema.events), [log.values(event) for event in rows])
        conn.execute(insert(schema.requests), answers_to(stream, rows))
        conn.execute(delete(schema.rulesets).where(schema.rulesets.c.hash == live.rules))
        conn.execute(insert(schema.rulesets).values(
            {"hash": live.rules, **ruleset, "options": canonical(ruleset["options"])}
        ))  # fmt: skip
        conn.execute(insert(schema.tables).values(
            id=stream, game="roulette", name="Long", status="open", private=False, link=None,
            opened_by="house", opened_at="2026-01-31T09:00:00.000Z",
        ))  # fmt: skip
        conn.execute(insert(schema.balances), [
            {"stream": stream, "account": account, "cents": cents,
             "overdraft": account in ("house", "cage")}
            for account, cents in live.accounts().items()
        ])  # fmt: skip
    house = HouseLog(storage)
    admit(house, ANN)
    with house.writing() as conn:  # and all of it is of an older version
        there = heads.all_heads(conn)
        put_all(conn, [heads.sealed(house.seal, there)])
        counts = {stream: number for stream, number, _ in there}
        house.note(conn, "sealed", HOUSE, counts=counts, passwords={})


class TestAByteFlipped:
    """Fault 20."""

    TEXTS = "kind at actor request citation rules data previous hash".split()

    @pytest.mark.parametrize("column", TEXTS)
    def test_in_any_column(self, floor: Floor, column: str) -> None:
        event = floor.find(floor.poker, "look")
        was = getattr(event, column)
        changed = chr(ord(was[:1] or "a") ^ 1) + was[1:]
        floor.set(floor.poker, event.number, **{column: changed})
        stream, number, why = floor.first()
        assert (stream, number) == (floor.poker, event.number)
        assert why == "its hash is not that of its content"

    @pytest.mark.parametrize(
        ("column", "value"),
        [("round", 99), ("seen_by", "somebody"), ("seen_by", None), ("input", "{}"),
         ("money", '{"1":1,"house":-1}')],
    )  # fmt: skip
    def test_or_anything_put_there(self, floor: Floor, column: str, value: Any) -> None:
        event = floor.find(floor.poker, "look")
        floor.set(floor.poker, event.number, **{column: value})
        assert floor.first()[1:] == (event.number, "its hash is not that of its content")

    def test_in_the_house_s_own_log(self, floor: Floor) -> None:
        floor.set(HOUSE, 2, actor="somebody else")
        assert floor.first() == (HOUSE, 2, "its hash is not that of its content")

    def test_of_several_bad_events_the_first_of_each_stream_is_named(self, floor: Floor) -> None:
        for stream, number in ((floor.craps, 30), (floor.craps, 20), (HOUSE, 3), (floor.poker, 9)):
            floor.set(stream, number, at="1999")
        found = [(bad.stream, bad.number) for bad in floor.verdict().bad]
        assert found[0] == (HOUSE, 3)
        assert sorted(found[1:]) == sorted([(floor.craps, 20), (floor.poker, 9)])

    def test_what_is_not_even_text(self, floor: Floor) -> None:
        if floor.storage.dialect != "sqlite":
            return  # which does not let anything else in
        floor.set(floor.craps, 20, data=text("x'00ff'"))
        assert floor.first()[1:] == (20, "its data is not text")
        floor.do("UPDATE events SET number = 'twelve' WHERE number = 12 AND stream = :stream",
                 {"stream": floor.craps})  # fmt: skip
        assert floor.first()[1:] == (12, "it is missing")


class TestEventsTakenOutPutInOrMoved:
    """Fault 21."""

    @pytest.mark.parametrize("number", [1, 2, 30])
    def test_taken_out(self, floor: Floor, number: int) -> None:
        of = schema.events.c
        floor.do(delete(schema.events).where(of.stream == floor.craps, of.number == number))
        assert floor.first() == (floor.craps, number, "it is missing")

    def test_taken_out_and_the_rest_moved_up(self, floor: Floor) -> None:
        events = floor.events(floor.craps)
        left = [*events[:20], *(replace(each, number=each.number - 1) for each in events[21:])]
        floor.put(floor.craps, left)
        assert floor.first()[1:] == (21, "its hash is not that of its content")

    def test_taken_out_and_the_rest_hashed_anew(self, floor: Floor) -> None:
        """The rules would have made that event."""
        events = floor.events(floor.craps)
        gone = floor.find(floor.craps, "collect").number
        kept = [event for event in events if event.number != gone]
        floor.put(floor.craps, rehashed(
            [replace(each, number=number) for number, each in enumerate(kept, 1)], {}
        ))  # fmt: skip
        stream, number, why = floor.first(signed=False)
        assert (stream, number) == (floor.craps, gone)
        assert why.startswith("by the rules its ")

    def test_a_whole_command_taken_out_and_the_rest_hashed_anew(self, floor: Floor) -> None:
        """A patron's wager, and all that it led to."""
        events = floor.events(floor.craps)
        bet = next(e for e in events if e.input and json.loads(e.input)["do"] == "bet")
        kept = [event for event in events if event.request != bet.request]
        floor.put(floor.craps, rehashed(
            [replace(each, number=number) for number, each in enumerate(kept, 1)], {}
        ))  # fmt: skip
        found = floor.verdict(signed=False).bad
        assert {bad.stream for bad in found} <= {floor.craps, "the requests"}
        assert (found[0].number or 0) >= bet.number

    def test_put_in(self, floor: Floor) -> None:
        last = floor.events(floor.craps)[-1]
        more = replace(last, number=last.number + 1, input=None, money=None, previous=last.hash)
        floor.do(insert(schema.events), log.values(replace(more, hash=more.computed())))
        assert floor.first() == (floor.craps, last.number + 1, "nothing caused it")

    @pytest.mark.parametrize("number", [0, -7])
    def test_put_before_the_first(self, floor: Floor, number: int) -> None:
        first = replace(floor.events(floor.craps)[0], number=number)
        floor.do(insert(schema.events), log.values(replace(first, hash=first.computed())))
        assert floor.first() == (floor.craps, number, "it has no place in the log")

    def test_moved(self, floor: Floor) -> None:
        events = floor.events(floor.poker)
        events[20], events[21] = (
            replace(events[21], number=21), replace(events[20], number=22),
        )  # fmt: skip
        floor.put(floor.poker, events)
        assert floor.first()[1:] == (21, "its hash is not that of its content")
        floor.put(floor.poker, rehashed(events, {}))
        assert floor.first(signed=False)[1] == 21

    def test_of_another_table(self, floor: Floor) -> None:
        """Each stream has a chain of its own."""
        floor.do("UPDATE events SET stream = 'gone' WHERE stream = :stream",
                 {"stream": floor.craps})  # fmt: skip
        found = {bad.stream: (bad.number, bad.why) for bad in floor.verdict().bad}
        assert found["gone"] == (1, "its hash is not that of its content")
        assert found[floor.craps][1].startswith(f"the log of {floor.craps} was truncated")

    def test_all_of_them(self, floor: Floor) -> None:
        floor.do("DELETE FROM events WHERE stream = :stream", {"stream": floor.craps})
        assert floor.first(signed=False) == (
            floor.craps, 1, "it is missing, and so is all of this table's log"
        )  # fmt: skip


class TestATailCutOff:
    """Fault 22."""

    def cut(self, floor: Floor, stream: str) -> int:
        """Take the last command out, and set right all that is kept beside the log."""
        events = floor.events(stream)
        last = max(event.number for event in events if event.input)
        floor.put(stream, events[: last - 1])
        floor.keep_beside(stream)
        return last

    def test_shows_against_the_checkpoint_alone(self, floor: Floor) -> None:
        number = self.cut(floor, floor.craps)
        assert floor.verdict(signed=False).bad == []
        stream, first, why = floor.first()
        assert (stream, first) == (floor.craps, number)
        assert why.startswith(f"the log of {floor.craps} was truncated: it has {number - 1} events")

    def test_in_the_middle_of_a_command_shows_by_itself(self, floor: Floor) -> None:
        events = floor.events(floor.poker)
        floor.put(floor.poker, events[:-1])
        assert floor.first(signed=False) == (floor.poker, len(events), "it is missing")

    def test_of_the_house_s_own_log(self, floor: Floor) -> None:
        number = len(floor.events(HOUSE))
        floor.put(HOUSE, floor.events(HOUSE)[:-1])
        assert floor.verdict(signed=False).bad == []
        assert floor.first()[:2] == (HOUSE, number)

    def test_what_is_kept_beside_it_also_shows_it(self, floor: Floor) -> None:
        """A thief who forgets the snapshot is found without any checkpoint."""
        events = floor.events(floor.craps)
        last = max(event.number for event in events if event.input)
        floor.put(floor.craps, events[: last - 1])
        found = floor.verdict(signed=False).bad
        assert {bad.stream for bad in found} == {floor.craps, "the requests"}
        assert any("snapshot" in bad.why or "balances" in bad.why for bad in found)


class TestAChainHashedAnew:
    """Fault 23."""

    def test_that_goes_by_the_rules_shows_by_the_signature_alone(self, floor: Floor) -> None:
        """Times are whatever somebody says they were."""
        events = floor.events(floor.craps)
        later = {each.number: lambda event: replace(event, at="2031" + event.at[4:])
                 for each in events}  # fmt: skip
        floor.put(floor.craps, rehashed(events, later))
        floor.keep_beside(floor.craps)
        assert floor.verdict(signed=False).bad == []
        stream, number, why = floor.first()
        assert (stream, number) == (floor.craps, len(events))
        assert why.startswith(f"the log of {floor.craps} was hashed anew")

    def test_another_evening_shows_by_the_signature_alone(self, floor: Floor) -> None:
        """The thief plays the same commands with other numbers, by the rules."""
        live, rows = LiveTable(floor.craps), list[LogEvent]()
        for event in floor.events(floor.craps):
            if event.input and live.round < 3:
                rows += live.step(json.loads(event.input), event.actor, event.at, event.request,
                                  SeededStream(7))  # fmt: skip
        floor.put(floor.craps, rows)
        floor.keep_beside(floor.craps)
        assert floor.verdict(signed=False).bad == []
        assert floor.first()[2].startswith(f"the log of {floor.craps} was ")

    def test_of_the_house(self, floor: Floor) -> None:
        floor.forge(HOUSE, 1, lambda event: replace(event, at="2031"))
        assert floor.verdict(signed=False).bad == []
        stream, _, why = floor.first()
        assert stream == HOUSE
        assert why.startswith("the log of house was hashed anew")


class TestRehashedButNotByTheRules:
    @pytest.mark.parametrize(
        ("game", "kind", "column"),
        [
            ("craps", "throw", "data"),
            ("roulette", "spin", "data"),
            ("three-card-poker", "look", "data"),
            ("three-card-poker", "look", "seen_by"),
            ("three-card-poker", "reveal", "data"),
            ("craps", "round_over", "data"),
            ("roulette", "pay", "data"),
            ("roulette", "collect", "citation"),
            ("craps", "wager", "round"),
            ("craps", "seated", "actor"),
        ],
    )
    def test_the_event_is_named(self, floor: Floor, game: str, kind: str, column: str) -> None:
        stream = floor.tables[game]
        event = floor.find(stream, kind)
        changed: Any = {
            "data": canonical({**json.loads(event.data), "outcome": "Ac", "amount": 1}),
            "seen_by": "somebody", "citation": "19:47-99.9", "round": 99, "actor": "thief",
        }[column]  # fmt: skip
        floor.forge(stream, event.number, lambda each: replace(each, **{column: changed}))
        bad, number, why = floor.first(signed=False)
        assert bad == stream
        if column == "actor":  # it was sent by somebody else, so it is his seat
            assert number >= event.number
        else:
            assert (number, why) == (event.number, f"by the rules its {column} would be another")

    def test_an_outcome_that_chance_did_not_give(self, floor: Floor) -> None:
        """Another number in the command makes other events than those that were written."""
        start = next(
            event for event in floor.events(floor.roulette)
            if event.input and json.loads(event.input).get("answers")
        )  # fmt: skip
        said = json.loads(start.input or "")
        said["answers"] = ["00" if said["answers"][0] != "00" else "0", *said["answers"][1:]]
        floor.forge(
            floor.roulette, start.number, lambda event: replace(event, input=canonical(said))
        )
        stream, number, why = floor.first(signed=False)
        assert stream == floor.roulette
        assert number >= start.number
        assert why.startswith("by the rules its ")

    @pytest.mark.parametrize("said", ["nonsense", "[]", '{"do":"dance"}', '{"do":"move"}', "null"])
    def test_a_command_that_nobody_could_give(self, floor: Floor, said: str) -> None:
        event = floor.find(floor.craps, "wager")
        floor.forge(floor.craps, event.number, lambda each: replace(each, input=said))
        _, number, why = floor.first(signed=False)
        assert number == event.number
        assert why.startswith(("it cannot be done again", "it does not say in which session"))

    @pytest.mark.parametrize(
        ("money", "why"),
        [
            ('{"1":1000,"house":-999}', "what it posts does not add up to nothing"),
            ('{"1":"much","house":-999}', "what it posts is not money"),
            ("[1]", "what it posts is not money"),
            ("{", "what it posts is not money"),
            ('{"1":1000000,"house":-1000000}', "by the rules its money would be another"),
        ],
    )
    def test_money_from_nowhere(self, floor: Floor, money: str, why: str) -> None:
        event = floor.find(floor.craps, "wager")
        floor.forge(floor.craps, event.number, lambda each: replace(each, money=money))
        assert floor.first(signed=False) == (floor.craps, event.number, why)

    def test_what_other_software_played_is_said_to_be_so(self, storage: Storage) -> None:
        """The rules may have been written otherwise then: whoever reads this should know."""
        fill(storage, "old", 3, software="0" * 64)
        assert verify.verify(storage).bad == []
        with storage.read() as conn:
            events = [*log.read(conn, "old")]
        spun = next(event for event in events if event.kind == "spin")
        wrong = canonical({**json.loads(spun.data), "outcome": "00"})
        with storage.write() as conn:
            conn.execute(delete(schema.events).where(schema.events.c.stream == "old"))
            conn.execute(insert(schema.events), [
                log.values(event)
                for event in rehashed(events, {spun.number: lambda e: replace(e, data=wrong)})
            ])  # fmt: skip
        (bad,) = verify.verify(storage).bad
        assert bad.why == (
            "by the rules its data would be another; it was played by other software "
            "(000000000000) than this"
        )


class TestAnOlderBackup:
    """Fault 24."""

    @pytest.fixture
    def restored(
        self, evening: Evening, request: pytest.FixtureRequest, tmp_path: Path
    ) -> Iterator[Floor]:
        marks = tmp_path / "marks"
        shutil.copytree(evening.checkpoints, marks)
        with copied(evening.backup, request, tmp_path) as storage:
            yield Floor(storage, marks, evening.tables)

    def test_is_sound_in_itself_and_behind_its_checkpoints(self, restored: Floor) -> None:
        assert restored.verdict(signed=False).bad == []
        found = restored.verdict().bad
        assert {bad.stream for bad in found} == {HOUSE, *restored.tables.values()}
        for bad in found:
            assert bad.number == len(restored.events(bad.stream)) + 1
            assert bad.why.startswith(f"the log of {bad.stream} was truncated: ")

    def test_until_somebody_answers_for_it(self, restored: Floor) -> None:
        notary = Notary(restored.checkpoints)
        for bad in restored.verdict().bad:
            assert bad.number is not None
            number, head = bad.number - 1, restored.events(bad.stream)[-1].hash
            notary.acknowledge_restore(
                bad.stream, number, head, FakeClock().now(), by="Sue", why="the disk burned"
            )
        assert restored.verdict().bad == []

    def test_a_database_of_another_house(self, floor: Floor, storage: Storage) -> None:
        """Not one of its tables is there."""
        found = verify.verify(storage, checkpoint.read(floor.checkpoints)).bad
        assert {bad.stream for bad in found} == {HOUSE, *floor.tables.values()}
        assert {bad.number for bad in found} == {1}


class TestTheCheckpoints:
    def lines(self, floor: Floor) -> list[bytes]:
        return (floor.checkpoints / FILE).read_bytes().splitlines(keepends=True)

    def test_a_line_that_was_changed(self, floor: Floor) -> None:
        lines = self.lines(floor)
        stream = min(json.loads(lines[-1])["heads"])
        count = json.loads(lines[-1])["heads"][stream][0]
        lines[-1] = lines[-1].replace(b":[%d," % count, b":[%d," % (count - 1))
        (floor.checkpoints / FILE).write_bytes(b"".join(lines))
        why = (
            f"line {len(lines)} of the checkpoints does not bear the signature of what it says"
        )  # fmt: skip
        found = {(bad.stream, bad.why) for bad in floor.verdict().bad}
        assert found >= {(stream, why), ("the checkpoints", why)}

    def test_a_line_that_is_none(self, floor: Floor) -> None:
        with (floor.checkpoints / FILE).open("ab") as file:
            file.write(b'{"hello":"world"}\n')
        number = len(self.lines(floor))
        assert floor.first() == (
            "the checkpoints", 0, f"line {number} of the checkpoints is not a checkpoint"
        )  # fmt: skip

    def test_a_line_that_a_crash_cut_off_shows_until_the_next_start(self, floor: Floor) -> None:
        lines = self.lines(floor)
        with (floor.checkpoints / FILE).open("ab") as file:
            file.write(lines[0][:40])
        assert any(
            "breaks off, as a power loss leaves it" in bad.why for bad in floor.verdict().bad
        )
        Notary(floor.checkpoints)
        assert floor.verdict().bad == []

    def test_lines_that_the_house_knows_and_nobody_has_any_more(self, floor: Floor) -> None:
        notary = Notary(floor.checkpoints)
        pit = a_pit(floor.storage, notary=notary)
        with floor.storage.write() as conn:
            pit.house.note(conn, "started", HOUSE, anchor=notary.state())
        pit.stop()
        assert floor.verdict().bad == []
        (floor.checkpoints / FILE).write_bytes(b"".join(self.lines(floor)[:2]))
        assert "were cut: they end at line 2" in floor.first()[2]
        shutil.rmtree(floor.checkpoints)
        found = verify.verify(floor.storage, checkpoint.Marks(missing=True)).bad
        assert [bad.why.partition(":")[0] for bad in found] == ["the checkpoints are missing"]


class TestWhatIsKeptBesideTheLog:
    """It follows from the events, and is believed when the house is in a hurry."""

    def balance(self, floor: Floor, account: str) -> int:
        with floor.storage.read() as conn:
            of = schema.balances.c
            cents = conn.scalar(
                select(of.cents).where(of.stream == floor.craps, of.account == account)
            )
            assert cents is not None
            return int(cents)

    def test_a_balance_that_was_raised(self, floor: Floor) -> None:
        had = self.balance(floor, "1")
        floor.do("UPDATE balances SET cents = cents + 100 WHERE stream = :stream AND account = '1'",
                 {"stream": floor.craps})  # fmt: skip
        moved = [
            event.number for event in floor.events(floor.craps)
            if event.money and "1" in json.loads(event.money)
        ]  # fmt: skip
        stream, number, why = floor.first()
        assert (stream, number) == (floor.craps, moved[-1])
        assert why == (
            f"after it '1' has {dollars(had)} by all that was posted, and the balances say "
            f"{dollars(had + 100)}"
        )

    def test_a_balance_that_is_gone(self, floor: Floor) -> None:
        floor.do("DELETE FROM balances WHERE stream = :stream AND account = 'cage'",
                 {"stream": floor.craps})  # fmt: skip
        assert "'cage' has -$30,000" in floor.first()[2]

    def test_a_balance_of_nobody(self, floor: Floor) -> None:
        floor.do(insert(schema.balances), {
            "stream": floor.craps, "account": "9", "cents": 5, "overdraft": False,
        })  # fmt: skip
        assert floor.first()[2].startswith("after it '9' has $0 ")

    def test_leave_to_overdraw(self, floor: Floor) -> None:
        floor.do(update(schema.balances).where(schema.balances.c.account == "2").values(
            overdraft=True
        ))  # fmt: skip
        whys = {bad.why for bad in floor.verdict().bad}
        assert whys == {"the balances are wrong on whether '2' may be below zero"}

    @pytest.mark.parametrize("key", ["round", "name", "table"])
    def test_a_snapshot_that_was_changed(self, floor: Floor, key: str) -> None:
        of = schema.snapshots.c
        with floor.storage.read() as conn:
            row = conn.execute(select(schema.snapshots).where(of.stream == floor.craps)).one()
        state = json.loads(row.state)
        state[key] = state[key] | {"forms": 5} if key == "table" else 9
        floor.do(update(schema.snapshots).where(of.stream == floor.craps).values(
            state=canonical(state)
        ))  # fmt: skip
        assert floor.first() == (
            floor.craps, row.number, "the snapshot after it is not how the table stood"
        )  # fmt: skip

    def test_a_snapshot_of_other_software(self, floor: Floor) -> None:
        """It says what this one reads in it; what this one cannot read is not used either."""
        of = schema.snapshots.c
        with floor.storage.read() as conn:
            row = conn.execute(select(schema.snapshots).where(of.stream == floor.craps)).one()
        state = json.loads(row.state)
        table = {key: value for key, value in state["table"].items() if key != "face_down"}
        for said, is_wrong in (
            (state, False), (state | {"table": table}, False), (state | {"round": 9}, True)
        ):  # fmt: skip
            floor.do(update(schema.snapshots).where(of.stream == floor.craps).values(
                state=canonical(said), software="0" * 64
            ))  # fmt: skip
            wrong = "the snapshot after it is not how the table stood"
            assert [bad.why for bad in floor.verdict().bad] == ([wrong] if is_wrong else [])

    def test_a_snapshot_from_the_future(self, floor: Floor) -> None:
        number = len(floor.events(floor.craps))
        floor.do("UPDATE snapshots SET number = :number WHERE stream = :stream",
                 {"stream": floor.craps, "number": number + 5})  # fmt: skip
        assert floor.first()[1:] == (number + 1, "it is missing: a snapshot holds it")

    def test_a_snapshot_in_the_middle_of_a_command(self, floor: Floor) -> None:
        number = floor.find(floor.poker, "look").number
        floor.do("UPDATE snapshots SET number = :number WHERE stream = :stream",
                 {"stream": floor.poker, "number": number})  # fmt: skip
        assert floor.first()[1] in (number, number + 1)

    @pytest.mark.parametrize("state", [None, "{}"])
    def test_a_snapshot_written_when_its_event_had_been_read(
        self, floor: Floor, monkeypatch: pytest.MonkeyPatch, state: str | None
    ) -> None:
        """A server that stops in a round keeps how the table stood before it."""
        of = schema.snapshots.c
        with floor.storage.read() as conn:
            row = conn.execute(select(schema.snapshots).where(of.stream == floor.craps)).one()
        late = SimpleNamespace(
            number=row.number, head=row.head, software=row.software, state=state or row.state
        )
        floor.do(delete(schema.snapshots).where(of.stream == floor.craps))
        look = TableChain.look

        def look_late(table: Any, conn: Any, *, at_the_end: bool) -> None:
            look(table, conn, at_the_end=at_the_end)
            if table.stream == floor.craps and table.number >= late.number:
                table.snapshot = late

        monkeypatch.setattr(chains, "PAGE", 1)
        monkeypatch.setattr(TableChain, "look", look_late)
        found = [(bad.number, bad.why) for bad in floor.verdict().bad]
        wrong = (late.number, "the snapshot after it is not how the table stood")
        assert found == ([wrong] if state else [])

    @pytest.mark.parametrize(
        ("column", "value", "words"),
        [
            ("status", "open", "the table's status is 'closed'"),
            ("name", "My table", "the table's name is 'A table of roulette'"),
            ("game", "craps", "the table's game is 'roulette'"),
            ("private", True, "the table's private is False"),
            ("link", "secret", "the table's link is None"),
            ("opened_by", "thief", "the table's opened by is 'house'"),
        ],
    )
    def test_the_directory_of_tables(
        self, floor: Floor, column: str, value: Any, words: str
    ) -> None:
        table = schema.tables
        floor.do(update(table).where(table.c.id == floor.roulette).values({column: value}))
        stream, number, why = floor.first()
        assert stream == floor.roulette
        assert number == (len(floor.events(floor.roulette)) if column == "status" else 1)
        assert why == f"by the log {words}, and the directory of tables says {value!r}"

    def test_a_table_that_the_directory_does_not_have(self, floor: Floor) -> None:
        floor.do(delete(schema.tables).where(schema.tables.c.id == floor.craps))
        assert floor.first()[2] == "the directory of tables does not have this table"

    def test_a_table_that_only_the_directory_has(self, floor: Floor) -> None:
        floor.do(insert(schema.tables), {
            "id": "ghost", "game": "craps", "name": "Ghost", "status": "open", "private": False,
            "opened_by": "house", "opened_at": "2026",
        })  # fmt: skip
        assert floor.first() == ("ghost", 1, "it is missing, and so is all of this table's log")

    def test_rules_that_are_gone(self, floor: Floor) -> None:
        floor.do(delete(schema.rulesets).where(schema.rulesets.c.game == "craps"))
        assert floor.first() == (floor.craps, 1, "the rules that it names are not kept")

    @pytest.mark.parametrize("options", ["{}", "no JSON"])
    def test_rules_that_were_changed(self, floor: Floor, options: str) -> None:
        of = schema.rulesets
        floor.do(update(of).where(of.c.game == "craps").values(options=options))
        assert floor.first() == (floor.craps, 1, "the rules that it names were changed")

    def test_a_role_that_nobody_gave(self, floor: Floor) -> None:
        floor.do("UPDATE accounts SET role = 'supervisor' WHERE name = 'Joe'")
        changed = floor.find(HOUSE, "role_changed")
        stream, number, why = floor.first()
        assert (stream, number) == (HOUSE, changed.number)
        assert "is 'dealer', and the table of accounts says 'supervisor'" in why

    def test_an_account_that_was_opened_again(self, floor: Floor) -> None:
        floor.do(update(schema.accounts).values(closed=False))
        assert floor.first()[:2] == (HOUSE, floor.find(HOUSE, "account_closed").number)

    def test_a_guest_who_visits_another_table(self, floor: Floor) -> None:
        floor.do(
            update(schema.accounts).where(schema.accounts.c.name.startswith("Gus"))
            .values(guest_of=None)
        )  # fmt: skip
        assert "guest_of" in floor.first()[2]

    def test_an_account_that_nobody_opened(self, floor: Floor) -> None:
        floor.do(insert(schema.accounts), {
            "id": "f" * 16, "name": "Thief", "key": "thief", "role": "supervisor",
            "created_at": "2026",
        })  # fmt: skip
        assert floor.first()[2] == f"account {'f' * 16} is not in this log"

    def test_an_account_that_is_gone(self, floor: Floor) -> None:
        floor.do(delete(schema.accounts).where(schema.accounts.c.name == "Joe"))
        assert floor.first()[2].endswith("is not in the table of accounts")

    def test_a_house_event_that_says_nothing(self, floor: Floor) -> None:
        number = floor.find(HOUSE, "role_changed").number
        floor.forge(HOUSE, number, lambda event: replace(event, data="{}"))
        assert floor.first(signed=False)[1:] == (
            number, "it does not say what such an event says"
        )  # fmt: skip


def test_a_bad_event_is_named_in_a_sentence() -> None:
    assert str(LogBroken("t1", 7, "it is missing")) == "event 7 of t1: it is missing"
