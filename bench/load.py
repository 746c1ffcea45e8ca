"""A crowd of patrons, in a process of its own. What it measures is printed as JSON.

    python bench/load.py visit '{"port": 8047, "seats": 64, "seconds": 10}'
    python bench/load.py dwell '{"db": "sqlite:///floor.db", "seconds": 10}'

Those who visit have a connection each that stays open, and speak HTTP by hand,
so that they cost little beside the server they load. With a rate, commands come
as from strangers, whether or not the one before was answered, and the time of
each counts from when it was due; without one, everybody plays as fast as he is
answered. Those who dwell in the house play in its own process, without a network.
"""

import asyncio
import gc
import json
import os
import random
import sys
import time
from collections.abc import Awaitable, Callable
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

SEATS = {"roulette": 8, "three-card-poker": 7}
WAGERS: dict[str, list[dict[str, int]]] = {  # what everyone puts down, and then changes it to
    "roulette": [{"red": 500, "straight:17": 500}, {"straight:17": 1000, "dozen:1": 500}],
    "three-card-poker": [{"ante": 500}, {"ante": 1000, "pair_plus": 500}],
}
CHIPS = 10_000_000
FEW_CHIPS = 100_000
LINK = "a secret that lets guests in"
ARRIVING = 8  # tables whose guests come at once
PATIENCE = 30.0  # seconds in which every stream must have caught up
TICKS = os.sysconf("SC_CLK_TCK")
KEYS = count()

Body = dict[str, Any]
Send = Callable[[str, Body], Awaitable[Body]]  # a command of a seat, and the reply


class Party:
    """Those who sit at one table and play round after round, however they reach the house."""

    def __init__(self, game: str, seats: list[str], send: Send, bets: int = 2) -> None:
        self.seats, self.send = seats, send
        self.wagers = WAGERS[game][:bets]
        self.rounds = 0

    async def sit(self) -> None:
        for seat in self.seats:
            await self.send(seat, {"do": "sit", "seat": seat, "buy_in": CHIPS})

    async def play(self) -> None:
        while True:
            replies = await asyncio.gather(*map(self._wager, self.seats))
            reply = max(replies, key=lambda each: int(each["number"]))
            while asked := question(reply):
                move = {"do": "move", "seat": asked["seat"], "move": asked["moves"][0]["move"]}
                reply = await self.send(asked["seat"], move)
            self.rounds += 1

    async def _wager(self, seat: str) -> Body:
        for wagers in self.wagers:
            reply = await self.send(seat, {"do": "bet", "seat": seat, "wagers": wagers})
        if reply["stacks"][seat] < FEW_CHIPS:
            await self.send(seat, {"do": "buy_in", "seat": seat, "amount": CHIPS})
        return await self.send(seat, {"do": "ready", "seat": seat})


def question(reply: Body) -> Body | None:
    """What the table waits for after a command, unless the round is over."""
    told = (event for event in reversed(reply["events"]))
    last = next((event for event in told if event["kind"] in ("asked", "round_over")), None)
    return last if last and last["kind"] == "asked" else None


def seated(seats: int, at_most: int = 99) -> list[tuple[str, list[str]]]:
    """So many seats, or so many at each table at most, at tables of every game in turn."""
    found: list[tuple[str, list[str]]] = []
    while seats:
        game = [*SEATS][len(found) % len(SEATS)]
        taken = min(seats, at_most, SEATS[game])
        found.append((game, [str(seat) for seat in range(1, taken + 1)]))
        seats -= taken
    return found


# Over the network.


class Line:
    """One connection, kept open."""

    def __init__(self, port: int) -> None:
        self.port, self.token = port, ""
        self.reader: asyncio.StreamReader
        self.writer: asyncio.StreamWriter

    async def say(self, method: str, path: str, body: Body | None, key: str) -> bytes:
        """Send a request, and give the head of the answer."""
        if not hasattr(self, "reader"):
            self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        content = json.dumps(body).encode() if body is not None else b""
        head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n"
        if self.token:
            head += f"Authorization: Bearer {self.token}\r\n"
        if body is not None:
            head += f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n"
        if key:
            head += f"Idempotency-Key: {key}\r\n"
        self.writer.write(f"{head}\r\n".encode() + content)
        return await self.reader.readuntil(b"\r\n\r\n")

    async def ask(self, method: str, path: str, body: Body | None = None, key: str = "") -> Any:
        head = (await self.say(method, path, body, key)).lower()
        length = head.index(b"content-length:") + 15
        answer = await self.reader.readexactly(int(head[length : head.index(b"\r", length)]))
        if head[9:10] != b"2":
            raise RuntimeError(f"{method} {path} {body}: {answer.decode()}")
        return json.loads(answer)


class Heard(NamedTuple):
    at: float  # the time of day
    number: int
    message: bytes


class Ear:
    """One open event stream, and all that came through it."""

    def __init__(self, port: int, token: str, table: str) -> None:
        self.line, self.table = Line(port), table
        self.line.token = token
        self.heard: list[Heard] = []

    async def listen(self) -> None:
        head = await self.line.say("GET", f"/api/tables/{self.table}/stream", None, "")
        if b" 200 " not in head:
            raise RuntimeError(head.decode())
        rest = b""
        while size := int(await self.line.reader.readuntil(b"\r\n"), 16):
            chunk = await self.line.reader.readexactly(size + 2)
            now = time.time()
            *messages, rest = (rest + chunk[:-2]).split(b"\n\n")
            self.heard += [
                Heard(now, int(each[4 : each.index(b"\n")]), each)
                for each in messages
                if each.startswith(b"id: ")
            ]

    async def is_complete(self) -> bool:
        """Whether it told all that its listener may know, once and in order."""
        line, numbers = Line(self.line.port), [0]
        line.token = self.line.token
        path = f"/api/tables/{self.table}/events?limit=1000&after="
        while page := await line.ask("GET", f"{path}{numbers[-1]}"):
            numbers += [each["number"] for each in page]
        line.writer.close()
        patience = time.monotonic() + PATIENCE
        while (not self.heard or self.heard[-1].number < numbers[-1]) and (
            time.monotonic() < patience
        ):
            await asyncio.sleep(0.05)
        return [heard.number for heard in self.heard] == numbers[1:]

    def delays(self, since: float) -> list[float]:
        """Seconds from when each event was decided until it was heard."""
        found = []
        for heard in self.heard:
            said = json.loads(heard.message.partition(b"\ndata: ")[2])
            decided = datetime.fromisoformat(said["at"]).timestamp()
            if decided >= since:
                found.append(heard.at - decided)
        return found


class Watch:
    """When the next command is due, and how long each took."""

    def __init__(self, rate: float | None) -> None:
        self.rate = rate
        self.chance = random.Random(47)
        self.next = time.perf_counter()
        self.counting = False
        self.took: list[float] = []

    async def turn(self) -> float:
        now = time.perf_counter()
        if self.rate is None:
            return now
        due = self.next
        self.next += self.chance.expovariate(self.rate)
        if due > now:
            await asyncio.sleep(due - now)
        return due

    def done(self, due: float) -> None:
        if self.counting:
            self.took.append(time.perf_counter() - due)


class Crowd:
    """So many seats at private tables of one patron, taken by guests: nobody needs a password."""

    def __init__(self, port: int, seats: int, rate: float | None, *, listening: bool) -> None:
        self.port, self.rate, self.listening = port, rate, listening
        self.wanted = seated(seats)
        self.watch = Watch(None)
        self.parties: list[Party] = []
        self.ears: list[Ear] = []
        self.playing: list[asyncio.Task[None]] = []
        self.hearing: list[asyncio.Task[None]] = []

    async def arrive(self) -> None:
        host = Line(self.port)
        who = {"name": f"Host {time.time_ns()}", "password": "a long password"}
        await host.ask("POST", "/api/accounts", who)
        host.token = (await host.ask("POST", "/api/session", who))["token"]
        door = asyncio.Semaphore(ARRIVING)
        tables = []
        for game, seats in self.wanted:
            wanted = {
                "game": game, "name": game, "link": LINK,
                "terms": {"bet_seconds": 3600, "move_seconds": 3600},
            }  # fmt: skip
            opened = await host.ask("POST", "/api/tables", wanted, key=f"open-{next(KEYS)}")
            tables.append(self._take_seats(door, game, opened["table"], seats))
        await asyncio.gather(*tables)
        self.hearing = [asyncio.create_task(ear.listen()) for ear in self.ears]

    async def _take_seats(
        self, door: asyncio.Semaphore, game: str, table: str, seats: list[str]
    ) -> None:
        lines = {seat: Line(self.port) for seat in seats}

        async def send(seat: str, body: Body) -> Body:
            due = await self.watch.turn()
            path, key = f"/api/tables/{table}/commands", str(next(KEYS))
            reply: Body = await lines[seat].ask("POST", path, body, key)
            self.watch.done(due)
            return reply

        async with door:
            for seat, line in lines.items():
                guest = {"link": LINK, "name": f"Seat {seat} of {table}"}
                admitted = await line.ask("POST", f"/api/tables/{table}/guests", guest)
                line.token = admitted["token"]
            party = Party(game, seats, send)
            await party.sit()
        self.parties.append(party)
        if self.listening:
            self.ears += [Ear(self.port, line.token, table) for line in lines.values()]

    async def play(self, warm_up: float, seconds: float, pids: list[int]) -> Body:
        """Play for so many seconds, and say how it went."""
        self.watch = Watch(self.rate)
        self.playing = [asyncio.create_task(party.play()) for party in self.parties]
        await self._go_on(warm_up)
        before = await self._measured(pids)
        self.watch.counting = True
        await self._go_on(seconds)
        self.watch.counting = False
        after = await self._measured(pids)
        took = sorted(self.watch.took)
        played = {name: after[name] - before[name] for name in after}
        played |= {"commands": len(took), "p50": nth(took, 50), "p99": nth(took, 99)}
        if self.listening:
            played |= await self._all_heard(before["at"])
        return played

    async def _go_on(self, seconds: float) -> None:
        """Let them play, and stop if anything goes wrong."""
        tasks = [*self.playing, *self.hearing]
        ended, _ = await asyncio.wait(tasks, timeout=seconds, return_when="FIRST_COMPLETED")
        for task in ended:
            task.result()
            raise RuntimeError("the server ended a stream")

    async def _measured(self, pids: list[int]) -> dict[str, float]:
        """What adds up: the time, what the server counts itself, and processor time."""
        line = Line(self.port)
        head = await line.say("GET", "/metrics", None, "")
        length = head.lower().index(b"content-length:") + 15
        size = int(head[length : head.index(b"\r", length)])
        text = (await line.reader.readexactly(size)).decode()
        line.writer.close()
        names = ("refusals", "transactions", "events")
        counted = {name: text.partition(f"\ncroupier_{name}_total ")[2] for name in names}
        return {
            **{name: float(rest.partition("\n")[0]) for name, rest in counted.items()},
            **{f"cpu_{at}": cpu_of(pid) for at, pid in enumerate(pids)},
            "cpu_own": time.process_time(),
            "cpu_all": cpu_of_all(),
            "rounds": sum(party.rounds for party in self.parties),
            "seconds": time.perf_counter(),
            "at": time.time(),
        }

    async def _all_heard(self, since: float) -> Body:
        for task in self.playing:
            task.cancel()
        await asyncio.sleep(1)
        complete = [await ear.is_complete() for ear in self.ears]
        delays = sorted(delay for ear in self.ears for delay in ear.delays(since))
        return {
            "streams": len(complete),
            "complete": sum(complete),
            "told": sum(len(ear.heard) for ear in self.ears),
            "told_p50": nth(delays, 50),
            "told_p99": nth(delays, 99),
        }


async def visit(
    port: int, seats: int, seconds: float, warm_up: float = 1, rate: float | None = None,
    pids: list[int] | None = None, listening: bool = False,
) -> Body:  # fmt: skip
    """Load the server at this port."""
    crowd = Crowd(port, seats, rate, listening=listening)
    await crowd.arrive()
    gc.collect()
    gc.disable()
    return await crowd.play(warm_up, seconds, pids or [])


# In the house.


async def dwell(
    db: str, tables: int = 100, at_once: int = 256, seconds: float = 0, rounds: int = 0,
    events: int = 0, sample: int = 10_000, checkpoints: str | None = None,
) -> Body:  # fmt: skip
    """Play at a pit of this process until so much is done."""
    from croupier.floor import pit as pits
    from croupier.floor.checkpoint import Notary
    from croupier.floor.commands import THE_HOUSE, new_id, opening
    from croupier.floor.people import People
    from croupier.floor.storage import Storage

    pits.MOST_AT_ONCE = at_once
    sys.setswitchinterval(0.0005)  # as the server does
    loop = asyncio.get_running_loop()
    storage = Storage(db)
    storage.migrate()

    def deliver(results: Any) -> None:
        loop.call_soon_threadsafe(lambda: [done(outcome) for done, outcome in results])

    pit = pits.Pit(
        storage, notary=Notary(Path(checkpoints)) if checkpoints else None, deliver=deliver
    )
    people = People(storage, pit.clock, pit.house, token_minutes=1440, session_hours=24)
    pit.start()

    async def join(game: str, seats: list[str]) -> Party:
        opened = await _asked(pit, new_id(), THE_HOUSE, opening(game, game))
        table = opened["table"]
        patrons = {seat: people.guest(table, "Patron").person for seat in seats}
        party = Party(
            game, seats, lambda seat, body: _asked(pit, table, patrons[seat], body), bets=1
        )
        await party.sit()
        return party

    parties = await asyncio.gather(*(join(*each) for each in seated(tables, at_most=1)))
    playing = [asyncio.create_task(party.play()) for party in parties]
    before, began, cpu = dict(pit.counts), time.perf_counter(), time.process_time()
    samples: list[tuple[int, int]] = []
    lasted = played = 0.0
    while lasted < seconds or played < rounds or pit.counts["events"] < events:
        await asyncio.sleep(0.05)
        for task in playing:
            if task.done():
                task.result()
        lasted = time.perf_counter() - began
        played = sum(party.rounds for party in parties)
        if played // sample > len(samples):
            gc.collect()
            samples.append((int(played), memory_of("self")["VmRSS"]))
    made = {name: pit.counts[name] - before[name] for name in before}
    return {
        "seconds": lasted, "rounds": played, **made, "cpu": time.process_time() - cpu,
        "samples": samples,
    }  # fmt: skip


async def _asked(pit: Any, table: str, by: Any, body: Body) -> Body:
    from croupier.floor.commands import Command

    there: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
    pit.submit(Command(table, by, str(next(KEYS)), body), there.set_result)
    outcome = await there
    if isinstance(outcome, Exception):
        raise outcome
    reply: Body = json.loads(outcome)
    return reply


# What the system says.


def nth(ordered: list[float], percent: int) -> float:
    """The value that so many percent of them do not exceed."""
    return ordered[min(len(ordered) - 1, len(ordered) * percent // 100)] if ordered else 0.0


def cpu_of(pid: int) -> float:
    """Seconds of processor time that a process and its children have used."""
    total = 0
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    for each, kinds in [(str(pid), 4), *((child, 2) for child in children)]:
        try:
            fields = Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split()
        except OSError:  # a child that has just ended is counted with its parent
            continue
        total += sum(map(int, fields[11 : 11 + kinds]))
    return total / TICKS


def cpu_of_all() -> float:
    """Seconds of processor time that everything on this machine has used."""
    user, nice, system, _, _, irq, softirq, stolen, *_ = map(
        int, Path("/proc/stat").read_text().partition("\n")[0].split()[1:]
    )
    return (user + nice + system + irq + softirq + stolen) / TICKS


def memory_of(pid: int | str) -> dict[str, int]:
    """Bytes of memory: VmRSS now, VmHWM at most."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return {
        name: int(value.split()[0]) << 10
        for name, _, value in (line.partition(":") for line in lines)
        if name in ("VmRSS", "VmHWM")
    }


WAYS: dict[str, Callable[..., Awaitable[Body]]] = {"visit": visit, "dwell": dwell}


async def tell(way: str, how: str) -> None:
    print(json.dumps(await WAYS[way](**json.loads(how))), flush=True)
    os._exit(0)  # as a crash would


def main() -> None:
    import uvloop

    uvloop.run(tell(*sys.argv[1:]))


if __name__ == "__main__":
    main()
