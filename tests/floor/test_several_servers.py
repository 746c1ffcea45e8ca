"""Several servers share one PostgreSQL: a table is run by one of them, and never by two."""

import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

import psycopg
import pytest
from sqlalchemy import event, select

from croupier.floor import schema
from croupier.floor.commands import ElsewhereOwned
from croupier.floor.events import HOUSE
from croupier.floor.live import Terms
from croupier.floor.roles import NotAllowed
from croupier.floor.storage import Storage
from croupier.rulebook import Fault, Refusal
from croupier.simulation.streams import SeededStream
from tests.floor.postgres import Postgres
from tests.floor.support import (
    ANN,
    BOB,
    FLOORPERSON,
    PATRONS,
    At,
    FakeClock,
    a_pit,
    finish,
    go_on,
    notes,
    opened,
    proved,
    seat_all,
    standing,
)

pytestmark = pytest.mark.parametrize("dialect", ["postgresql"])


class Server:
    def __init__(self, url: str, name: str) -> None:
        self.storage = Storage(url, application=name)
        self.clock = FakeClock()
        self.pit = a_pit(
            self.storage, clock=self.clock, chance=SeededStream(1), address=f"http://{name}"
        )
        self.pit.take_over()

    def at(self, table: At) -> At:
        return At(self.pit, table.stream)

    def pid(self) -> int:
        """The process of PostgreSQL that serves the writer of this server."""
        with self.storage.write() as conn:
            return int(conn.exec_driver_sql("SELECT pg_backend_pid()").scalar_one())


@pytest.fixture
def first(storage_url: str) -> Iterator[Server]:
    server = Server(storage_url, "first")
    yield server
    server.storage.close()


@pytest.fixture
def second(storage_url: str) -> Iterator[Server]:
    server = Server(storage_url, "second")
    yield server
    server.storage.close()


def at_war(server: Server) -> At:
    at = opened(server.pit, "casino-war")
    at.do(ANN, "sit", seat="1", buy_in=100_000)
    return at


def soon(done: Callable[[], Any]) -> None:
    until = time.monotonic() + 20
    while not done():
        assert time.monotonic() < until, "it does not happen"
        time.sleep(0.01)


def takes_over(server: Server, table: At) -> bool:
    server.pit.take_over()
    return table.stream in server.pit.tables


def owner(server: Server, table: At) -> str | None:
    with server.storage.read() as conn:
        where = schema.tables.c.id == table.stream
        return conn.scalar(select(schema.tables.c.owner).where(where))


def test_a_table_is_run_by_the_server_that_opened_it_and_the_other_says_where(
    first: Server, second: Server
) -> None:
    table = at_war(first)
    assert not takes_over(second, table)
    with pytest.raises(ElsewhereOwned) as caught:
        second.at(table).do(ANN, "buy_in", seat="1", amount=100)
    assert caught.value.address == "http://first"
    assert owner(first, table) == "http://first"
    table.do(ANN, "buy_in", seat="1", amount=100)
    proved(first.storage)


def test_spectators_are_served_anywhere_with_what_is_true_now(
    first: Server, second: Server
) -> None:
    choose = Random(1)
    table = opened(first.pit, "three-card-poker")
    seat_all(table)
    for _ in range(25):
        go_on(table, PATRONS, choose)
        assert standing(second.at(table).live) == standing(table.live)
    assert table.stream not in second.pit.tables
    with pytest.raises(Refusal) as caught:
        second.pit.seen("no-such-table")
    assert caught.value.fault is Fault.UNKNOWN_TABLE


def test_only_the_owner_hears_the_clock(first: Server, second: Server) -> None:
    table = opened(first.pit, "casino-war", terms=Terms(bet_seconds=20))
    table.do(ANN, "sit", seat="1", buy_in=100_000)
    table.do(ANN, "bet", seat="1", wagers={"initial": 1000})
    second.at(table).live  # noqa: B018
    for _ in range(5):
        second.clock.passes(10)
        second.pit.tick()
    assert table.live.phase == "betting"
    first.clock.passes(21)
    first.pit.tick()
    assert table.live.phase != "betting"


def test_a_server_that_stops_leaves_its_tables_to_the_others(first: Server, second: Server) -> None:
    table, choose = at_war(first), Random(2)
    reply = table.do(ANN, "bet", "bet", seat="1", wagers={"initial": 1000})
    before = standing(table.live)
    first.pit.stop()
    soon(lambda: takes_over(second, table))
    table = second.at(table)
    assert standing(table.live) == before
    assert owner(second, table) == "http://second"
    assert table.do(ANN, "bet", "bet", seat="1", wagers={"initial": 1000}) == reply
    finish(table, PATRONS, choose)
    proved(second.storage)


RUNNING = """
import sys
from tests.floor.support import ANN, a_pit, opened
from croupier.floor.storage import Storage
from croupier.floor.live import Terms
pit = a_pit(Storage(sys.argv[1], application="killed"), address="http://killed")
pit.start()
at = opened(pit, "casino-war", terms=Terms(bet_seconds=3600))
at.do(ANN, "sit", seat="1", buy_in=100_000)
print(at.stream, flush=True)
for line in sys.stdin:
    print(at.do(ANN, "buy_in", line.strip(), seat="1", amount=100)["number"], flush=True)
"""


@contextmanager
def running(url: str) -> Iterator["subprocess.Popen[str]"]:
    """A server in a process of its own."""
    process = subprocess.Popen(
        [sys.executable, "-c", RUNNING, url],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        with process:
            yield process
            process.kill()
    finally:
        process.kill()


def test_a_server_that_is_killed_is_succeeded_and_nothing_is_lost(
    storage_url: str, second: Server
) -> None:
    with running(storage_url) as process:
        assert process.stdin
        assert process.stdout
        table = At(second.pit, process.stdout.readline().strip())
        for number in range(5):
            print(f"request-{number}", file=process.stdin, flush=True)
            heard = int(process.stdout.readline())
            assert table.live.number == heard, "a copy is up to date"
        assert not takes_over(second, table)
        with pytest.raises(ElsewhereOwned) as caught:
            table.do(ANN, "buy_in", "mine", seat="1", amount=100)
        assert caught.value.address == "http://killed"
        process.kill()
        process.wait()
        soon(lambda: takes_over(second, table))
        assert table.live.number == heard
        assert table.do(ANN, "buy_in", "request-4", seat="1", amount=100)["number"] == heard
        table.do(ANN, "buy_in", "mine", seat="1", amount=100)
        assert table.live.table.money["1"] == 100_600
        proved(second.storage)


def cut(postgres: Postgres, pid: int) -> None:
    postgres.execute("SELECT pg_terminate_backend(%s)", pid)
    soon(lambda: not postgres.execute("SELECT 1 FROM pg_stat_activity WHERE pid = %s", pid))


def test_a_server_that_lost_its_connection_has_lost_its_tables(
    first: Server, second: Server, postgres: Postgres
) -> None:
    table = at_war(first)
    cut(postgres, first.pid())
    soon(lambda: takes_over(second, table))
    second.at(table).do(ANN, "buy_in", "other", seat="1", amount=700)
    assert table.stream in first.pit.tables, "it does not know yet"
    with pytest.raises(ElsewhereOwned):
        table.do(ANN, "buy_in", "mine", seat="1", amount=100)
    assert table.stream not in first.pit.tables
    assert table.live.table.money["1"] == 100_700, "and looks at it as others do"
    second.at(table).do(ANN, "buy_in", "mine", seat="1", amount=100)
    assert table.live.table.money["1"] == 100_800
    proved(first.storage)


def test_a_server_that_lost_its_connection_finds_out_by_itself(
    first: Server, second: Server, postgres: Postgres
) -> None:
    table = at_war(first)
    cut(postgres, first.pid())
    soon(lambda: takes_over(second, table))
    for _ in range(4):
        first.clock.passes(3)
        first.pit.tick()
    assert table.stream not in first.pit.tables


@pytest.mark.parametrize("statement", range(14))
def test_whoever_loses_the_connection_in_the_middle_writes_nothing_any_more(
    first: Server, second: Server, postgres: Postgres, statement: int
) -> None:
    """At every statement of a command: the other takes over, goes on, and the first is too late."""
    table = at_war(first)
    pid, left = first.pid(), statement

    def interrupt(*_: Any) -> None:
        nonlocal left
        left -= 1
        if left == -1:
            cut(postgres, pid)
            soon(lambda: takes_over(second, table))
            second.at(table).do(ANN, "buy_in", "other", seat="1", amount=700)

    writer = first.storage._database.writer
    for name in ("before_cursor_execute", "commit"):
        event.listen(writer, name, interrupt)
    try:
        table.do(ANN, "buy_in", "mine", seat="1", amount=100)
        assert left >= 0, "it took fewer statements than that"
    except ElsewhereOwned:
        assert left < 0
    for name in ("before_cursor_execute", "commit"):
        event.remove(writer, name, interrupt)
    if left >= 0:
        assert table.live.table.money["1"] == 100_100
    else:
        assert table.live.table.money["1"] == 100_700
        second.at(table).do(ANN, "buy_in", "mine", seat="1", amount=100)
        assert second.at(table).live.table.money["1"] == 100_800
    proved(second.storage)


def test_two_servers_that_start_at_once_share_the_tables_and_not_one_of_them(
    storage_url: str,
) -> None:
    before = Server(storage_url, "before")
    tables = [opened(before.pit, "roulette").stream for _ in range(12)]
    before.pit.stop()
    before.storage.close()
    servers = [Server.__new__(Server) for _ in range(3)]
    gate = threading.Barrier(3)

    def start(number: int) -> None:
        gate.wait()
        servers[number].__init__(storage_url, f"server-{number}")  # type: ignore[misc]

    threads = [threading.Thread(target=start, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    def all_run() -> bool:
        for server in servers:
            server.pit.take_over()
        return sum(len(server.pit.tables) for server in servers) == len(tables)

    soon(all_run)
    run = [stream for server in servers for stream in server.pit.tables]
    assert sorted(run) == sorted(tables)
    for server in servers:
        for stream in server.pit.tables:
            At(server.pit, stream).do(ANN, "sit", seat="1", buy_in=100)
    proved(servers[0].storage)
    for server in servers:
        server.storage.close()


def test_the_houses_log_has_one_order_though_many_write_it(first: Server, second: Server) -> None:
    table = at_war(first)

    def forbidden(server: Server) -> None:
        for _ in range(15):
            with pytest.raises(NotAllowed):
                server.at(table).do(BOB, "freeze", why="I am losing")

    threads = [threading.Thread(target=forbidden, args=(each,)) for each in (first, second)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [kind for kind, *_ in notes(first.storage)] == ["forbidden"] * 30
    proved(first.storage)


def test_what_happens_is_announced_to_the_other_servers(first: Server, storage_url: str) -> None:
    table = at_war(first)
    with psycopg.connect(storage_url, autocommit=True) as listener:
        listener.execute("LISTEN croupier")
        table.do(ANN, "buy_in", seat="1", amount=100)
        heard = {each.payload for each in listener.notifies(timeout=10, stop_after=2)}
    assert heard == {table.stream, HOUSE}, "and that the money came from the cage"


def test_a_closed_table_is_nobodys_and_says_so_everywhere(first: Server, second: Server) -> None:
    table = at_war(first)
    table.do(FLOORPERSON, "close_table", why="it is late")
    for server in (first, second):
        assert not takes_over(server, table)
        with pytest.raises(Refusal) as caught:
            server.at(table).do(BOB, "sit", seat="2")
        assert caught.value.fault is Fault.TABLE_CLOSED
    proved(first.storage)
