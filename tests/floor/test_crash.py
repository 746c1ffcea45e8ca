"""The server crashes at every write boundary of every phase of a round, and nothing is lost.

Each command of a session is tried with a crash at its first boundary, then at its second, and
so on; after each crash another server opens the database, and the client sends the same request
again.
"""

from typing import Any, NoReturn

import pytest

from croupier.floor import live
from croupier.floor.commands import THE_HOUSE, Command, opening
from tests.floor.mortal import TABLE, Said, Server, Session
from tests.floor.support import ANN, BOB, FAMILIES, balanced, proved, standing

SECOND = ("casino-war", "ultimate-texas-hold-em")  # another of their kind goes first


class Crash(BaseException):
    """The process is gone."""


def crash() -> NoReturn:
    raise Crash


def crash_everywhere(
    url: str, said: Said, request: str, before: dict[str, Any] | None
) -> tuple[int, Any, Server]:
    """Say it with a crash at every boundary: how many there were, and the answer in the end."""
    by, body = said
    boundary = 0
    while True:
        server = Server(url, crash)
        server.take_over()
        there = server.answered(by, request)
        if server.live is not None:
            balanced(server.live)
        if not there:
            now = standing(server.live) if server.live else None
            assert now == before, "part of a command is there"
            server.die_at = boundary
        try:
            reply = server.pit.do(TABLE, by, body, request)
            assert server.answered(by, request)
            return boundary, reply, server
        except Crash:
            server.storage.close()
        boundary += 1


@pytest.mark.parametrize(
    ("dialect", "family"),
    [("sqlite", family) for family in FAMILIES]
    + [("postgresql", family) for family in FAMILIES if family not in SECOND],
)
def test_a_crash_at_any_boundary_loses_nothing_and_does_nothing_twice(
    storage_url: str, family: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live.live_table, "MANY", 4)
    session = Session(family)
    heard: list[Any] = []
    before, boundaries, table = None, 0, None
    while said := session.next(table):
        request = f"request-{len(heard)}"
        more, reply, server = crash_everywhere(storage_url, said, request, before)
        boundaries += more
        heard.append((*said, request, reply))
        table = server.pit.seen(TABLE)
        before = standing(table)
        assert table.number == reply["number"]
        server.storage.close()
    assert boundaries > 6 * len(heard)
    server = Server(storage_url, crash)
    end = proved(server.storage)[TABLE]
    assert (end.status, end.chairs) == ("closed", {})
    for by, body, request, reply in heard:
        assert server.pit.do(TABLE, by, body, request) == reply
    assert proved(server.storage)[TABLE].number == end.number
    server.storage.close()


def test_a_crash_while_the_server_stops_or_starts_loses_nothing(storage_url: str) -> None:
    server = Server(storage_url, crash)
    for by, body in [
        (THE_HOUSE, opening("three-card-poker", "Table 1")),
        (ANN, {"do": "sit", "seat": "1", "buy_in": 100_000}),
        (ANN, {"do": "bet", "seat": "1", "wagers": {"ante": 1000}}),
        (ANN, {"do": "ready", "seat": "1"}),
    ]:
        server.pit.do(TABLE, by, body)
    assert server.live is not None
    before = standing(server.live)
    server.storage.close()
    for what in ("take_over", "stop"):
        boundary = 0
        while not survives(storage_url, what, boundary):
            boundary += 1
        assert boundary > 2
        server = Server(storage_url, crash)
        server.take_over()
        assert server.live is not None
        assert standing(server.live) == before
        proved(server.storage)
        server.storage.close()


def survives(url: str, what: str, boundary: int) -> bool:
    server = Server(url, crash)
    if what == "stop":
        server.take_over()
    server.die_at = boundary
    try:
        getattr(server.pit, what)()
        return True
    except Crash:
        return False
    finally:
        server.storage.close()


def test_commands_that_share_a_transaction_share_its_fate(storage_url: str) -> None:
    server = Server(storage_url, crash)
    server.pit.do(TABLE, THE_HOUSE, opening("roulette", "Table 1"))
    server.storage.close()
    crowd = [
        Command(TABLE, who, "sit", {"do": "sit", "seat": seat, "buy_in": 1000})
        for who, seat in ((ANN, "1"), (BOB, "2"))
    ]
    boundary, all_there = 0, False
    while not all_there:
        server = Server(storage_url, crash)
        server.take_over()
        there = [server.answered(each.by, each.request) for each in crowd]
        all_there = all(there)
        assert all_there == any(there)
        assert server.live is not None
        assert sorted(server.live.chairs) == (["1", "2"] if all_there else [])
        if not all_there:
            server.die_at = boundary
            with pytest.raises(Crash):
                server.pit._perform([(each, lambda outcome: None) for each in crowd])
            boundary += 1
        server.storage.close()
    assert boundary > 5
