"""Who has a place at the door when places are short, and whom a crowd cannot keep out."""

import re
import socket
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from functools import partial

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.server.places import KEPT_FREE, Place, Places, Rank, shared_out
from tests.server.support import Ear, Server, soon

pytestmark = pytest.mark.timeout(120)

HALF = b"GET /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: "


class Hand:
    """A clock that is set by hand."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def taken(places: Places, address: str = "a", gone: list[Place] | None = None) -> Place:
    """Another connection; it writes itself down when it is let go."""
    place = Place(places, address, lambda: None if gone is None else gone.append(place))
    places.come(place)
    return place


def inside(places: Places, **more: object) -> Place:
    place = taken(places, **more)  # type: ignore[arg-type]
    place.asks()
    place.is_inside(True)
    place.answered()
    return place


class TestPlaces:
    def test_the_oldest_that_has_asked_nothing_goes_first(self) -> None:
        places, gone = Places(4), list[Place]()
        people = inside(places, gone=gone)
        idle, first, second = (taken(places, gone=gone) for _ in range(3))
        idle.asks()
        idle.answered()
        expected = [first, second]
        for _ in range(2):
            taken(places, gone=gone)
        assert gone == expected
        assert people.rank is Rank.INSIDE

    def test_then_one_that_idles_then_one_that_waits_and_never_one_who_is_in(self) -> None:
        places, gone = Places(3), list[Place]()
        people, busy, idle = (
            inside(places, gone=gone),
            taken(places, gone=gone),
            taken(places, gone=gone),
        )
        busy.asks()
        idle.asks()
        idle.answered()
        came = []
        for _ in range(2):
            came.append(taken(places, gone=gone))
            came[-1].asks()
            came[-1].is_inside(True)
        assert gone == [idle, busy]
        late = taken(places, gone=gone)
        assert gone == [idle, busy, late], "all places are those of people who are in"
        assert people not in gone
        assert len(places) == 3

    def test_one_who_logs_out_is_a_stranger_again(self) -> None:
        places, gone = Places(1), list[Place]()
        person = inside(places, gone=gone)
        person.is_inside(False)
        person.answered()
        taken(places, gone=gone)
        assert gone == [person]

    def test_an_address_makes_room_among_its_own(self) -> None:
        places, gone = Places(100, per_address=3), list[Place]()
        other = taken(places, "b", gone)
        mine = [taken(places, "a", gone) for _ in range(5)]
        assert gone == mine[:2]
        assert other not in gone

    @given(st.lists(st.tuples(st.sampled_from("come ask answer enter leave go".split()),
                              st.integers(0, 7), st.sampled_from("ab")), max_size=80))  # fmt: skip
    def test_there_are_never_more_than_there_may_be(
        self, steps: list[tuple[str, int, str]]
    ) -> None:
        places, gone, held = Places(5, per_address=4), list[Place](), list[Place]()
        for step, at, address in steps:
            if step == "come":
                held.append(taken(places, address, gone))
            elif held:
                place = held[at % len(held)]
                {
                    "ask": place.asks, "answer": place.answered,
                    "enter": partial(place.is_inside, True),
                    "leave": partial(place.is_inside, False), "go": partial(places.go, place),
                }[step]()  # type: ignore[operator]  # fmt: skip
            assert len(places) <= 5
            assert all(len(mine) <= 4 for mine in places._addresses.values())
        assert len(gone) == len(set(gone)) == places.let_go, "each is let go once"

    def test_the_log_is_told_once_a_minute_and_how_many(
        self, caplog: pytest.LogCaptureFixture
    ) -> None:
        clock = Hand()
        places = Places(1, clock=clock)
        for _ in range(10):
            taken(places)
        clock.now += 61
        taken(places)
        assert [re.search(r"\d+ of", each)[0] for each in caplog.messages] == ["1 of", "9 of"]  # type: ignore[index]

    @given(st.integers(1, 1 << 20))
    def test_the_files_are_shared_out(self, files: int) -> None:
        most, backlog = shared_out(files)
        assert most >= 1
        assert backlog >= 1
        if files >= 256:
            assert most + backlog + KEPT_FREE <= files


def half_open(server: Server, count: int, whole: ExitStack, address: str = "127.0.0.2") -> None:
    """Connections that begin a request and never end it."""
    to = ("127.0.0.1", int(server.url.rpartition(":")[2]))
    for _ in range(count):
        with suppress(OSError):
            line = socket.create_connection(to, 5, (address, 0))
            whole.callback(line.close)
            line.sendall(HALF)


def metric(server: Server, name: str) -> float:
    told = httpx.get(f"{server.url}/metrics", trust_env=False).text
    found = re.search(rf"^croupier_{name} (\S+)$", told, re.MULTILINE)
    assert found, name
    return float(found[1])


def test_more_half_open_connections_than_files_shut_nobody_out(
    servers: Callable[..., Server],
) -> None:
    server = servers(files=256, tables=[{"game": "roulette"}]).appoint().start()
    table = server.floor("Ann").find("roulette")
    table.sit("1", buy_in=1_000_000)
    with Ear(server, table.id, "Ann").listen(b'"buy_in"') as ear, ExitStack() as whole:
        half_open(server, 400, whole)
        began = time.monotonic()
        answer = httpx.get(f"{server.url}/api/games", trust_env=False, timeout=10)
        assert answer.status_code == 200
        assert time.monotonic() - began < 1
        table.bet(red=500)
        ear.listen(b'"wager"')
        let_go = metric(server, "connections_let_go_total")
        places = metric(server, "places")
        assert let_go >= 400 - places
        assert places <= 256 - KEPT_FREE
    told = [line for line in server.log().splitlines() if "places are short" in line]
    assert len(told) == 1
    assert "127.0.0.2" in told[0]


def test_an_address_has_so_many_connections(servers: Callable[..., Server]) -> None:
    server = servers(most_connections=20, tables=[{"game": "roulette"}]).appoint().start()
    with ExitStack() as whole:
        half_open(server, 50, whole)
        soon(lambda: metric(server, "connections_let_go_total") == 30)
        assert metric(server, "connections") <= 21
