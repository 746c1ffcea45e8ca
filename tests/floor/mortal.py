"""A server that dies when it is told to, and a session of commands for it.

Run as a program, it reads what to do from its standard input, a JSON object per line, and for
each gives birth to a process that opens the database, goes on with the session and is killed
at the boundary named. What that process sends and what it hears is told line by line, so that
whoever reads it knows what was acknowledged.
"""

import json
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

from sqlalchemy import event, func, select

from croupier.floor import live, schema
from croupier.floor.commands import CLOCK, THE_HOUSE, opening
from croupier.floor.live import LiveTable
from croupier.floor.policies import Policies
from croupier.floor.roles import Person
from croupier.floor.storage import Storage
from croupier.simulation.streams import SeededStream
from tests.floor.support import ANN, BOB, FakeClock, a_pit, any_move, any_wager

TABLE = "the-table"
OFTEN = Policies(snapshot_events=8)
Said = tuple[Person, dict[str, Any]]
PEOPLE = {person.account: person for person in (ANN, BOB, CLOCK, THE_HOUSE)}


class Server:
    """A server that can be told at which boundary to die.

    A boundary is a statement, the commit, and the moment after it: the reply is lost.
    """

    def __init__(self, url: str, die: Callable[[], None]) -> None:
        self.storage = Storage(url)
        self.die = die
        self.die_at: int | None = None  # so many boundaries from now
        self._write = self.storage.write
        self.storage.write = self._watched  # type: ignore[method-assign]
        for name in ("before_cursor_execute", "commit"):
            event.listen(self.storage._database.writer, name, self._boundary)
        self.pit = a_pit(self.storage, clock=FakeClock(), policies=OFTEN, chance=SeededStream(7))

    @contextmanager
    def _watched(self) -> Iterator[Any]:
        with self._write() as connection:
            yield connection
        self._boundary()

    def _boundary(self, *_: Any) -> None:
        if self.die_at is not None:
            if self.die_at == 0:
                self.die()
            self.die_at -= 1

    @property
    def live(self) -> LiveTable | None:
        return self.pit.tables.get(TABLE)

    def answered(self, by: Person, request: str) -> bool:
        """Whether the database holds an answer to this request."""
        requests = schema.requests.c
        return self._there(requests.actor == by.account, requests.request == request)

    def take_over(self) -> None:
        """PostgreSQL needs a moment to see that the last server is gone."""
        waited = time.monotonic() + 20
        self.pit.take_over()
        while self.live is None and self._there(schema.tables.c.status != "closed"):
            assert time.monotonic() < waited, "the table is still another server's"
            time.sleep(0.002)
            self.pit.take_over()

    def _there(self, *where: Any) -> bool:
        with self._write() as conn:
            return bool(conn.scalar(select(func.count()).where(*where)))


class Session:
    """Commands that follow from the state of the table, whatever chance gave.

    A round in which people answer, and one in which the clock does; then everyone goes.
    """

    def __init__(self, game: str) -> None:
        self.game = game
        both = {"1": ANN, "2": BOB}
        self.people = both if game == "baccarat-chemin-de-fer" else {"1": ANN}

    def next(self, table: LiveTable | None) -> Said | None:
        """What is said next; None when the table is closed."""
        if table is None:
            return THE_HOUSE, opening(self.game, "Table 1")
        if question := table.question("", sees_all=True):
            if table.round > 1:
                return CLOCK, {"do": "time_up"}
            seat, move = question["seat"], any_move(question, Random(table.number))
            return self.people[seat], {"do": "move", "seat": seat, "move": move}
        if table.round == 1:
            return self._come_and_bet(table)
        if table.round == 2 and (wagers := self._wagers(table, "1")) and not table.counting:
            return ANN, {"do": "bet", "seat": "1", "wagers": wagers}
        if table.waits():
            return CLOCK, {"do": "time_up"}
        return self._go(table)

    def _wagers(self, table: LiveTable, seat: str) -> dict[str, int] | None:
        if self.game == "craps":  # where others may lie for many rounds
            return {"field": 1000}
        return any_wager(table, seat, Random(table.number))

    def _come_and_bet(self, table: LiveTable) -> Said:
        for seat, who in self.people.items():
            if seat not in table.chairs:
                return who, {"do": "sit", "seat": seat}
            if not table.table.money[seat] and not table.table.bets_of(seat):
                return who, {"do": "buy_in", "seat": seat, "amount": 100_000}
        for seat, who in self.people.items():
            wagers = self._wagers(table, seat)
            if not table.table.bets_of(seat) and wagers:
                return who, {"do": "bet", "seat": seat, "wagers": wagers}
        seat = next(seat for seat, chair in sorted(table.chairs.items()) if not chair.ready)
        return self.people[seat], {"do": "ready", "seat": seat}

    def _go(self, table: LiveTable) -> Said | None:
        if "1" in table.chairs:
            return ANN, {"do": "leave", "seat": "1"}
        close = (THE_HOUSE, {"do": "close_table", "why": "it is late"})
        return close if table.status == "open" else None


def _tell(**said: Any) -> None:
    os.write(1, json.dumps(said).encode() + b"\n")


def _kill() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _live(url: str, game: str, boundary: int) -> None:
    """Go on with the session until the boundary."""
    live.live_table.MANY = 4
    server, session = Server(url, _kill), Session(game)
    server.storage.lock()
    server.take_over()
    server.die_at = boundary
    table = server.live
    if table is None and server._there(schema.tables.c.status == "closed"):
        table = server.pit.seen(TABLE)
    while said := session.next(table):
        by, body = said
        request = f"after-{table.number if table else 0}"
        _tell(sending=request, by=by.account, body=body)
        _tell(heard=server.pit.do(TABLE, by, body, request))
        table = server.pit.seen(TABLE)
    _tell(done=True)


def main() -> None:
    for line in sys.stdin:
        if child := os.fork():
            _, status = os.waitpid(child, 0)
            _tell(died=os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0)
        else:
            _live(**json.loads(line))
            os._exit(0)


if __name__ == "__main__":
    main()
