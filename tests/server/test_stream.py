"""Streams: every event that a reader may see, once, in order, whatever happens to the line."""

import asyncio
import threading
import time
from collections.abc import Callable
from contextlib import closing
from functools import partial
from typing import Any

import pytest
from argon2 import PasswordHasher

from croupier.client import Event, Floor, Question, Table
from croupier.floor import log
from croupier.floor.clock import SystemClock
from croupier.floor.events import HOUSE, LogEvent
from croupier.floor.house_log import HouseLog
from croupier.floor.people import People
from croupier.floor.roles import Person, Role
from croupier.floor.storage import Storage
from croupier.server.stream import Broadcast
from tests.server.support import PASSWORD, Ear, Line, Server, expire, soon

pytestmark = pytest.mark.timeout(180)

EVERY_NUMBER = {f"straight:{number}": 500 for number in range(1, 37)}


def play(question: Question) -> str:
    return "play"


def log_of(server: Server, table: str, who: str) -> list[dict[str, Any]]:
    """What the log holds for somebody."""
    found: list[dict[str, Any]] = []
    while page := server.get(
        f"/tables/{table}/events", who,
        params={"after": found[-1]["number"] if found else 0, "limit": 1000},
    ).json():  # fmt: skip
        found += page
    return found


def shown(event: Event) -> dict[str, Any]:
    """An event as it came over the line."""
    told = {"number": event.number, "round": event.round, "kind": event.kind, "at": event.at}
    return {**told, **event.data} | ({"citation": event.citation} if event.citation else {})


def the_end(table: Table) -> bytes:
    """What the last event so far looks like in a stream."""
    return f"\nid: {table.view().number}\n".encode()


def test_nothing_is_lost_or_doubled_on_a_line_that_breaks_twenty_times(server: Server) -> None:
    table = server.open("three-card-poker")
    ann = server.seated("Ann", table, "1")
    heard: list[Event] = []
    with Line(server.url) as line, Floor(line.url) as far:
        far._token = server.token("Ann")

        def listen() -> None:
            with closing(far.table(table).events()) as events:
                for event in events:
                    heard.append(event)
                    if event.kind == "left":
                        return

        ear = threading.Thread(target=listen, daemon=True)
        ear.start()
        for cuts in range(1, 21):
            ann.play_round({"ante": 1000}, play)
            soon(partial(line.called, cuts))
            line.cut()
        ann.leave()
        ear.join(30)
        assert line.calls > 20
    assert [shown(event) for event in heard] == log_of(server, table, "Ann")


def test_a_reader_goes_on_after_the_last_event_it_has(server: Server) -> None:
    table = server.open("roulette")
    ann = server.seated("Ann", table, "1")
    ann.play_round({"red": 500})
    log = log_of(server, table, "Ann")
    for last in (0, 1, 7, len(log) - 1):
        with Ear(server, table, "Ann", last) as ear:
            assert ear.listen(the_end(ann)).listen(b"\n\n").events[: len(log)] == log[last:]
    with Ear(server, table, "Ann", len(log)) as ear:
        ear.listen(b"retry: 1000\n\n")
        ann.play_round({"red": 500})
        assert ear.listen(the_end(ann)).events[0]["number"] == len(log) + 1
    with Ear(server, table, "Ann", query="?after=3") as ear:
        assert ear.listen(the_end(ann)).events[0]["number"] == 4
        assert b"content-type: text/event-stream" in ear.heard


@pytest.mark.parametrize("last", ["-1", "1e3", "\u0664", "NaN", "' OR 1=1; --"])
def test_a_last_event_that_is_no_number_is_none(server: Server, last: str) -> None:
    table = server.open("roulette")
    with Ear(server, table, "Ann", last) as ear:
        assert ear.listen(b"event: opened\n").heard.startswith(b"HTTP/1.1 200 ")


@pytest.mark.parametrize("last", [2**63 - 1, 2**63, 10**20 - 1])
def test_a_last_event_beyond_every_event_breaks_nothing(server: Server, last: int) -> None:
    table = server.open("roulette")
    with Ear(server, table, "Ann", last) as ear:
        ear.listen(b"retry: 1000\n\n")
        server.seated("Ann", table, "1")
        time.sleep(0.2)
        assert ear.events == []
    assert "Traceback" not in server.log()


def test_each_reader_hears_only_what_is_for_him(server: Server) -> None:
    table = server.open("three-card-poker")
    readers = ["Ann", "Bob", "Cat", "Dee", "Flo", "Sue", "Sam"]
    ears = {who: Ear(server, table, who) for who in readers}
    ann, bob = server.seated("Ann", table, "1"), server.seated("Bob", table, "2")
    for player in (ann, bob):
        player.bet(ante=1000)
        player.ready()
    for who, ear in ears.items():
        heard = ear.listen(the_end(ann)).listen(b"\n\n").events
        assert heard == log_of(server, table, who)
        looks = {each["to"] for each in heard if each["kind"] == "look"}
        own = {"Ann": {"1"}, "Bob": {"2"}, "Sam": {"1", "2", "dealer"}}
        assert looks == own.get(who, set())
    ann.move("play")
    bob.move("fold")
    for ear in ears.values():
        with ear:
            ear.listen(b"event: round_over\n")


def test_one_who_comes_back_in_the_middle_has_his_cards_and_what_is_left_of_his_time(
    server: Server,
) -> None:
    table = server.open("three-card-poker", terms={"move_seconds": 60})
    ann = server.seated("Ann", table, "1")
    began = ann.bet(ante=1000).number
    ann.ready()
    left = ann.view().seconds_left
    assert left is not None
    hands = []
    for _ in range(2):
        with Ear(server, table, "Ann", began) as ear:
            ear.listen(b"event: asked\n")
            hands.append([each["outcome"] for each in ear.events if each["kind"] == "look"])
        time.sleep(0.3)
    assert hands[0] == hands[1]
    assert len(hands[0]) == 3
    later = ann.view().seconds_left
    assert later is not None
    assert 0 < later < left - 0.3
    ann.move("fold")


def test_a_reader_who_does_not_keep_up_is_let_go_and_catches_up_later(server: Server) -> None:
    table = server.open("roulette")
    ann = server.seated("Ann", table, "1", buy_in=10_000_000)
    with Ear(server, table, "Bob", narrow=True) as slow, Ear(server, table, "Cat") as quick:
        slow.listen(b"retry: 1000\n\n")
        hearing = threading.Thread(target=quick.listen, args=[b"event: left\n"], daemon=True)
        hearing.start()
        for _ in range(60):
            ann.bet(EVERY_NUMBER)
            ann.ready()
        ann.leave()
        hearing.join(30)
        log = log_of(server, table, "Cat")
        assert quick.events == log[: len(quick.events)]
        heard = slow.listen_to_the_end().events
    assert len(heard) < len(log), "it should have been let go"
    assert heard == log[: len(heard)]
    with Ear(server, table, "Bob", heard[-1]["number"]) as again:
        heard += again.listen(the_end(server.floor("Bob").table(table))).listen(b"\n\n").events
    assert heard[-1]["kind"] in ("left", "round_over", "cash_out")
    assert heard == log[: len(heard)]


def end_by_logging_out(server: Server, floor: Floor) -> None:
    floor.log_out()


def end_by_closing_the_account(server: Server, floor: Floor) -> None:
    assert floor.session is not None
    answer = server.send("POST", f"/accounts/{floor.session.account}", "Sue", {"do": "close"})
    assert answer.status_code == 200


def test_the_stream_of_a_session_that_is_over_ends(server: Server) -> None:
    table = server.open("roulette")
    endings: list[Callable[[Server, Floor], None]] = [
        end_by_logging_out, expire, end_by_closing_the_account
    ]  # fmt: skip
    floors = [server.another(name) for name in ("Cat", "Cat", "Bob")]
    ears = [Ear(server, table, "", token=floor._token) for floor in floors]
    for end, floor, ear in zip(endings, floors, ears, strict=True):
        ear.listen(b"retry: 1000\n\n")
        end(server, floor)
    ann = server.seated("Ann", table, "1")
    stopping = threading.Event()

    def keep_busy() -> None:  # a table where something always happens
        while not stopping.wait(0.5):
            ann.play_round({"red": 500})

    busy = threading.Thread(target=keep_busy, daemon=True)
    busy.start()
    began = time.monotonic()
    for ear in ears:
        with ear:
            ear.listen_to_the_end()
    stopping.set()
    busy.join(10)
    assert time.monotonic() - began < 20


class TestLettingGo:
    """A stream ends before it tells another event, in the server's own process."""

    @staticmethod
    async def heard(
        storage: Storage,
        change: Callable[[People, Person, str], object],
        told: list[LogEvent],
        *,
        recheck: bool,
    ) -> list[bytes]:
        """What a supervisor hears of the house's log when, in the middle of it, this happens."""
        hasher = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
        people = People(storage, SystemClock(), HouseLog(storage), hasher=hasher)
        people.create("Sue", PASSWORD, Role.SUPERVISOR, by=HOUSE)
        came = people.log_in("Sue", PASSWORD)
        person, token = came.person, came.token
        broadcast = Broadcast(storage)
        with storage.read() as conn:
            last = (log.head(conn, HOUSE) or (0, ""))[0]
        stream = broadcast.listen(HOUSE, last, person, lambda: people.still(person.session))
        found = [await anext(stream)]
        reading = asyncio.ensure_future(anext(stream, b""))
        await asyncio.sleep(0.1)  # it has caught up, and waits
        change(people, person, token.text)
        if recheck:
            broadcast.recheck()
        broadcast.publish(HOUSE, [event._replace(number=last + 1) for event in told])
        async with asyncio.timeout(5):
            found.append(await reading)
        await stream.aclose()
        return found

    @pytest.mark.parametrize(
        "change",
        [
            lambda people, person, token: people.log_out(token),
            lambda people, person, token: people.close_account(person.account, by=HOUSE),
            lambda people, person, token: people.set_role(person.account, Role.PATRON, by=HOUSE),
        ],
        ids=["logged out", "closed", "demoted"],
    )
    @pytest.mark.parametrize("recheck", [True, False])
    def test_at_once_when_its_person_may_not_listen_any_more(
        self, storage: Storage, change: Any, recheck: bool
    ) -> None:
        told = [] if recheck else [AN_EVENT]
        found = asyncio.run(self.heard(storage, change, told, recheck=recheck))
        assert found == [b"retry: 1000\n\n", b""]

    def test_and_goes_on_for_everybody_else(self, storage: Storage) -> None:
        def another(people: People, person: Person, token: str) -> None:
            people.log_out(people.log_in("Sue", PASSWORD).token.text)

        found = asyncio.run(self.heard(storage, another, [AN_EVENT], recheck=True))
        assert found[1].startswith(b"id: ")


AN_EVENT = LogEvent(HOUSE, 1, 0, "tried", "2026-01-01T00:00:00.000Z", "x", "", "", "", None,
                    "{}", None, None, "")  # fmt: skip
