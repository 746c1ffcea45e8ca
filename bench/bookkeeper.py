"""A crowd that keeps its own books while the server is killed again and again.

    python bench/bookkeeper.py '{"port": 8047, "seed": 1}'

It plays over HTTP in a process of its own. A command that was not answered is
sent again with the same key until it is. On every line that it reads it comes
to rest, compares its books with what the server tells, and prints a line of
JSON: what was acknowledged so far, and what is wrong.
"""

import asyncio
import hashlib
import json
import random
import sys
import time
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from load import LINK, Line, Party

SEATS = {"roulette": ["1", "2", "3", "4"], "three-card-poker": ["1", "2", "3"]}
TERMS = {"bet_seconds": 3600, "move_seconds": 3600}
AGAIN = 0.03  # seconds until what was not answered is sent again
PATIENCE = 60.0  # seconds after which a server that does not answer is a finding
SENT_AGAIN = 15  # acknowledged commands that are sent again at every rest
PAGE = 1000

Body = dict[str, Any]


@dataclass
class Books:
    """What a table owes its players, by what was acknowledged to them."""

    table: str
    game: str
    bought: dict[str, int] = field(default_factory=dict)  # by seat, in cents
    answers: dict[str, tuple[str, Body, str]] = field(default_factory=dict)  # by key
    claimed: dict[int, str] = field(default_factory=dict)  # events, and the key that made each
    told: dict[int, str] = field(default_factory=dict)  # their digests, as they were told
    read: int = 0  # events that were compared
    in_the_log: dict[str, int] = field(default_factory=dict)  # bought in, by seat

    def acknowledge(self, seat: str, key: str, body: Body, text: bytes) -> Body:
        """An answer that came: from now on it is owed."""
        reply: Body = json.loads(text)
        self.answers[key] = seat, body, digest(text)
        if body["do"] in ("sit", "buy_in"):
            cents = body.get("buy_in") or body.get("amount") or 0
            self.bought[seat] = self.bought.get(seat, 0) + cents
        for event in reply["events"]:
            self.claimed[event["number"]] = key
            self.told[event["number"]] = digest(json.dumps(event, sort_keys=True).encode())
        return reply


def digest(text: bytes) -> str:
    return hashlib.sha256(text).hexdigest()[:24]


class Caller:
    """One connection of one player, which is made again when it breaks."""

    def __init__(self, port: int) -> None:
        self.port, self.token = port, ""
        self.line: Line | None = None
        self.again = 0  # times that something was sent again

    async def ask(self, method: str, path: str, body: Body | None = None, key: str = "") -> bytes:
        """The answer, however often it takes; a refusal is one too, and raises."""
        until = time.monotonic() + PATIENCE
        while True:
            try:
                status, text = await asyncio.wait_for(self._try(method, path, body, key), 10)
            except (OSError, EOFError, ValueError):
                self._hang_up()
                status, text = 503, b"no answer"
            if 200 <= status < 300:
                return text
            if status not in (429, 502, 503, 504) or time.monotonic() > until:
                raise RuntimeError(f"{method} {path} {body}: {status} {text.decode()}")
            self.again += 1
            await asyncio.sleep(AGAIN)

    async def _try(self, method: str, path: str, body: Body | None, key: str) -> tuple[int, bytes]:
        if self.line is None:
            self.line = Line(self.port)
            self.line.token = self.token
        head = (await self.line.say(method, path, body, key)).lower()
        at = head.index(b"content-length:") + 15
        text = await self.line.reader.readexactly(int(head[at : head.index(b"\r", at)]))
        return int(head[9:12]), text

    def _hang_up(self) -> None:
        if self.line is not None and hasattr(self.line, "writer"):
            self.line.writer.close()
        self.line = None


class Crowd:
    """Everybody, and what they wrote down."""

    def __init__(self, port: int, seed: int) -> None:
        self.port = port
        self.chance = random.Random(seed)
        self.keys = count()
        self.callers: list[Caller] = []
        self.books: list[Books] = []
        self.parties: list[Party] = []
        self.players: dict[str, dict[str, Caller]] = {}  # by table and seat
        self.host = self._caller()
        self.going = asyncio.Event()
        self.going.set()
        self.under_way = 0
        self.wrong: list[str] = []

    def _caller(self) -> Caller:
        caller = Caller(self.port)
        self.callers.append(caller)
        return caller

    async def arrive(self) -> None:
        who = {"name": f"Host {self.chance.randrange(10**9)}", "password": "a long password"}
        await self.host.ask("POST", "/api/accounts", who)
        self.host.token = json.loads(await self.host.ask("POST", "/api/session", who))["token"]
        self.host._hang_up()
        for game, seats in SEATS.items():
            wanted = {"game": game, "name": game, "link": LINK, "terms": TERMS}
            opened = await self.host.ask("POST", "/api/tables", wanted, key=f"open-{game}")
            await self._sit_down(Books(json.loads(opened)["table"], game), seats)

    async def _sit_down(self, books: Books, seats: list[str]) -> None:
        callers = {}
        for seat in seats:
            callers[seat] = self._caller()
            guest = {"link": LINK, "name": f"Seat {seat} of {books.game}"}
            path = f"/api/tables/{books.table}/guests"
            admitted = json.loads(await callers[seat].ask("POST", path, guest))
            callers[seat].token = admitted["token"]
            callers[seat]._hang_up()

        async def send(seat: str, body: Body) -> Body:
            await self.going.wait()
            self.under_way += 1
            try:
                key = f"{books.game}-{seat}-{next(self.keys)}"
                path = f"/api/tables/{books.table}/commands"
                text = await callers[seat].ask("POST", path, body, key)
                return books.acknowledge(seat, key, body, text)
            finally:
                self.under_way -= 1

        party = Party(books.game, seats, self._spending(send))
        await party.sit()
        self.books.append(books)
        self.parties.append(party)
        self.players[books.table] = callers

    def _spending(self, send: Any) -> Any:
        """Before some bets they buy a few chips: a command whose effect is known to the cent."""

        async def spend(seat: str, body: Body) -> Body:
            if body["do"] == "bet" and self.chance.random() < 0.5:
                amount = self.chance.randrange(1, 500) * 100
                await send(seat, {"do": "buy_in", "seat": seat, "amount": amount})
            reply: Body = await send(seat, body)
            return reply

        return spend

    # At rest.

    async def compare(self) -> Body:
        """Come to rest, and hold the server to every answer it has given."""
        self.going.clear()
        until = time.monotonic() + PATIENCE
        while self.under_way:
            if time.monotonic() > until:
                self.wrong.append(f"{self.under_way} commands are never answered")
                break
            await asyncio.sleep(0.005)
        for books in self.books:
            await self._compare(books)
        told = {
            "acknowledged": sum(len(books.answers) for books in self.books),
            "events": sum(books.read for books in self.books),
            "rounds": sum(party.rounds for party in self.parties),
            "sent_again": sum(caller.again for caller in self.callers),
            "wrong": self.wrong[:5],
        }
        self.going.set()
        return told

    async def _compare(self, books: Books) -> None:
        """The host sees what everyone may see: each such event was answered to somebody, once."""
        path = f"/api/tables/{books.table}/events?limit={PAGE}&after="
        while page := json.loads(await self.host.ask("GET", f"{path}{books.read}")):
            for event in page:
                self._event(books, event)
            books.read = page[-1]["number"]
        last = json.loads(await self.host.ask("GET", f"/api/tables/{books.table}"))["number"]
        missing = [number for number in books.claimed if number > last]
        if missing:
            self._note(f"{books.game}: acknowledged events {missing[:5]} are gone")
        if books.in_the_log != books.bought:
            self._note(f"{books.game}: bought {books.bought}, and the log has {books.in_the_log}")
        for key in self.chance.sample([*books.answers], min(SENT_AGAIN, len(books.answers))):
            seat, body, was = books.answers[key]
            at = f"/api/tables/{books.table}/commands"
            text = await self.players[books.table][seat].ask("POST", at, body, key)
            if digest(text) != was:
                self._note(f"{books.game}: {key} is answered otherwise now: {text[:200]!r}")

    def _event(self, books: Books, event: Body) -> None:
        number = event["number"]
        if event["kind"] == "buy_in":
            seat = event["seat"]
            books.in_the_log[seat] = books.in_the_log.get(seat, 0) + event["amount"]
        if number not in books.claimed and event["kind"] != "opened":
            self._note(f"{books.game}: nobody was answered for event {number}: {event}")
        told = digest(json.dumps(event, sort_keys=True).encode())
        if books.told.pop(number, told) != told:
            self._note(f"{books.game}: event {number} is another than was told")

    def _note(self, what: str) -> None:
        self.wrong.append(what)


async def play(port: int, seed: int) -> None:
    crowd = Crowd(port, seed)
    await crowd.arrive()
    print(json.dumps({"ready": True}), flush=True)
    playing = [asyncio.create_task(party.play()) for party in crowd.parties]
    loop = asyncio.get_running_loop()
    while await loop.run_in_executor(None, sys.stdin.readline):
        for task in playing:
            if task.done():
                crowd.wrong.append(f"the crowd stumbled: {task.exception()}")
        print(json.dumps(await crowd.compare()), flush=True)


def main() -> None:
    asyncio.run(play(**json.loads(sys.argv[1])))


if __name__ == "__main__":
    main()
