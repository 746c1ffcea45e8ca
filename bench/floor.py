"""The floor under load: a real server in one process, a crowd of patrons in another.

    python bench/floor.py [sqlite|postgresql] [--quick]

No reply comes before it is on disk, so the figures are those of a disk and a
processor. Beside them stand what the bare disk does, what one commit for each
command would give, the processor time of a command, and how much of the
machine others took in the same seconds. Processor time and memory are read from
/proc, which is on Linux only.

In full, 100,000 rounds are played into a log that is kept in build/ and used
again while the software is the same; all of it takes some ten minutes. The
quick form plays less of everything.
"""

import argparse
import json
import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from load import cpu_of, memory_of
from rich.console import Console
from rich.table import Table as Grid

ROOT = Path(__file__).resolve().parent.parent
KEPT = ROOT / "build" / "floor"
MEGABYTE = 1 << 20
ASKED = {"sqlite": 200, "postgresql": 1000}  # commands a second
SLOWEST = 0.1  # seconds, at half of that, for 99 of 100
SOONEST = 5.0  # seconds until a server is back

SERVE = """
import sys
from croupier.server.config import load
from croupier.server.run import serve
sys.exit(serve(load()))
"""
OPEN_TO_A_CROWD = {
    "RATE_PER_SESSION": "100000", "RATE_PER_ADDRESS": "1000000", "MOST_STREAMS": "100000",
    "SIGN_INS_PER_MINUTE": "1000000", "SIGN_INS_AT_ONCE": "100000", "MOST_CONNECTIONS": "100000",
    "TOKEN_MINUTES": "1440", "TABLES": "[]",
}  # fmt: skip


@dataclass(frozen=True)
class Size:
    """How much of everything is measured."""

    seconds: float
    warm_up: float
    seats: int  # that listen
    rounds: int
    events: int


FULL = Size(seconds=20, warm_up=3, seats=500, rounds=100_000, events=1_000_000)
QUICK = Size(seconds=3, warm_up=1, seats=80, rounds=800, events=0)


@dataclass
class Place:
    """Where a log is kept: a database, and the folder of the disk it lies on."""

    db: str
    folder: Path
    database: int | None = None  # the process of a database that has its own


class Serving:
    """A server that runs, from its start to the first wager that it would take."""

    def __init__(self, place: Place, checkpoints: Path | None = None) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="croupier-bench-"))
        self.asked = ASKED[_dialect(place)]
        self.port = _free_port()
        settings = OPEN_TO_A_CROWD | {
            "DB": place.db, "PORT": str(self.port), "LOG_FILE": str(self.folder / "log"),
            "CHECKPOINTS": str(checkpoints or self.folder / "checkpoints"),
        }  # fmt: skip
        began = time.perf_counter()
        self.process = subprocess.Popen(
            [sys.executable, "-c", SERVE], cwd=self.folder, stdout=subprocess.DEVNULL,
            env=os.environ
            | {"CROUPIER_MOST_PRIVATE": "10000"}
            | {f"CROUPIER_{name}": value for name, value in settings.items()},
        )  # fmt: skip
        self.pids = [self.process.pid, *([place.database] if place.database else [])]
        while not self._is_ready():
            if self.process.poll() is not None:
                raise RuntimeError(f"the server did not start: {self.log()}")
            time.sleep(0.01)
        self.took = time.perf_counter() - began
        self.cpu, self.memory = cpu_of(self.process.pid), memory_of(self.process.pid)["VmHWM"]

    def _is_ready(self) -> bool:
        with suppress(OSError, urllib.error.URLError):
            urllib.request.urlopen(f"http://127.0.0.1:{self.port}/health/ready", timeout=60)
            return True
        return False

    def log(self) -> str:
        path = self.folder / "log"
        return path.read_text("utf-8")[-2000:] if path.exists() else ""

    def __enter__(self) -> "Serving":
        return self

    def __exit__(self, *_: object) -> None:
        self.process.send_signal(signal.SIGKILL)  # what was acknowledged is safe
        self.process.wait()
        shutil.rmtree(self.folder)

    def visit(self, **how: Any) -> dict[str, Any]:
        return crowd("visit", port=self.port, pids=self.pids, **how)


def crowd(what: str, **how: Any) -> dict[str, Any]:
    """What a crowd in its own process measures."""
    program = [sys.executable, str(ROOT / "bench" / "load.py"), what, json.dumps(how)]
    done = subprocess.run(program, stdout=subprocess.PIPE, check=True)
    measured: dict[str, Any] = json.loads(done.stdout)
    return measured


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


# What is measured.


def bare_disk(place: Place, seconds: float = 1.0) -> float:
    """How often a second four kilobytes can be put on this disk."""
    with tempfile.NamedTemporaryFile(dir=place.folder) as file:
        done, began = 0, time.perf_counter()
        while time.perf_counter() - began < seconds:
            file.write(bytes(4096))
            file.flush()
            os.fsync(file.fileno())
            done += 1
    return done / seconds


def at_home(grid: Grid, place: Place, size: Size) -> None:
    """The baseline: the disk alone, and a pit that commits each command by itself."""
    disk = bare_disk(place)
    grid.add_row("the bare disk, 4 kB at a time", f"{disk:,.0f} fsync/s", "")
    how = {"seconds": size.seconds / 2, "tables": 64}
    alone = crowd("dwell", db=_another(place, "alone"), at_once=1, **how)
    one = alone["commands"] / alone["seconds"]
    grid.add_row(
        "the pit, one commit a command", f"{one:,.0f} /s",
        f"no network; {one / disk:.2f} for each fsync of the bare disk",
    )  # fmt: skip
    many = crowd("dwell", db=_another(place, "many"), **how)
    grouped = many["commands"] / many["seconds"]
    per = many["commands"] / many["transactions"]
    grid.add_row(
        "the pit, commands in groups", f"{grouped:,.0f} /s",
        f"{grouped / one:.1f} times that; {per:.0f} a commit",
    )  # fmt: skip


def at_full_load(grid: Grid, server: Serving, size: Size) -> None:
    played = server.visit(seats=96, seconds=size.seconds, warm_up=size.warm_up)
    commands, seconds = played["commands"], played["seconds"]
    grid.add_row(
        "durable commands over HTTP, 96 seats", f"{commands / seconds:,.0f} /s",
        f"asked for: {server.asked:,} /s; {commands / played['transactions']:.0f} a commit; "
        f"{played['events'] / seconds:,.0f} events/s; {played['rounds'] / seconds:.0f} rounds/s",
    )  # fmt: skip
    database = played.get("cpu_1", 0.0)
    grid.add_row(
        "processor time of a command", f"{1000 * played['cpu_0'] / commands:.2f} ms",
        (f"and {1000 * database / commands:.2f} ms of the database; " if database else "")
        + f"{1000 * played['cpu_own'] / commands:.2f} ms of its patron; "
        + f"one free processor would do {commands / played['cpu_0']:,.0f} /s, "
        + f"and the server had {played['cpu_0'] / seconds:.2f}",
    )  # fmt: skip
    others = played["cpu_all"] - played["cpu_own"] - played["cpu_0"] - database
    grid.add_row("processors that others took meanwhile", f"{others / seconds:.2f}",
                 f"of {os.cpu_count()}")  # fmt: skip


def at_half_load(grid: Grid, server: Serving, size: Size) -> None:
    rate = server.asked / 2
    played = server.visit(seats=96, rate=rate, seconds=size.seconds, warm_up=size.warm_up)
    grid.add_row(
        f"to a reply at {rate:,.0f} commands/s", _times(played),
        f"asked for: 99 of 100 in {1000 * SLOWEST:.0f} ms; {played['commands']:,} commands",
    )  # fmt: skip


def many_seats(grid: Grid, server: Serving, size: Size) -> None:
    """Everybody listens and plays slowly, and must hear every event that is his to hear."""
    rate = size.seats / 5
    played = server.visit(
        seats=size.seats, rate=rate, seconds=size.seconds, warm_up=size.warm_up, listening=True
    )
    memory = memory_of(server.process.pid)["VmHWM"]
    grid.add_row(
        f"to a reply, {size.seats} seats that listen, {rate:.0f} commands/s", _times(played),
        f"asked for: 99 of 100 in {1000 * SLOWEST:.0f} ms",
    )  # fmt: skip
    grid.add_row(
        "to an event heard, from when it was decided",
        _times({"p50": played["told_p50"], "p99": played["told_p99"]}),
        f"{played['complete']} of {played['streams']} streams told all, once, in order: "
        f"{played['told']:,} events; {memory / MEGABYTE:.0f} MB at most",
    )  # fmt: skip


def long_play(grid: Grid, size: Size) -> Place:
    """So many rounds into one file: memory stays as it is. The file is kept for the restart."""
    from croupier.floor.software import software

    folder = KEPT / f"{size.rounds}-{software()[:12]}"
    place, told = Place(f"sqlite:///{folder / 'floor.db'}", folder), folder / "played.json"
    again = told.exists()
    if not again:
        for old in KEPT.glob(f"{size.rounds}-*"):
            shutil.rmtree(old)
        folder.mkdir(parents=True)
        played = crowd(
            "dwell", db=place.db, rounds=size.rounds, events=size.events,
            sample=size.rounds // 10, checkpoints=str(folder / "checkpoints"),
        )  # fmt: skip
        told.write_text(json.dumps(played), "utf-8")
    played = json.loads(told.read_text("utf-8"))
    samples = [memory for _, memory in played["samples"]]
    growth = samples[-1] - samples[0]
    per = growth / (played["samples"][-1][0] - played["samples"][0][0])
    grid.add_row(
        f"memory over {played['rounds']:,} rounds",
        f"{samples[0] / MEGABYTE:.1f} to {samples[-1] / MEGABYTE:.1f} MB",
        f"{per:+.0f} bytes a round; {played['events']:,} events in {played['seconds']:.0f} s"
        + (", in an earlier run" if again else ""),
    )  # fmt: skip
    return place


def restart(grid: Grid, place: Place, empty: Place, checkpoints: Path, size: Size) -> None:
    """A server that was killed opens its log again, with checkpoints of its own to add to."""
    with Serving(empty) as usual:
        pass
    copy = Path(shutil.copytree(checkpoints, empty.folder / "checkpoints"))
    with Serving(place, copy) as server:
        rate = server.asked / 2
        played = server.visit(seats=64, rate=rate, seconds=size.seconds / 2, warm_up=0)
    grid.add_row(
        f"back after a kill, on {_events(place):,} events", f"{server.took:.1f} s",
        f"asked for: {SOONEST:.0f} s; {server.cpu:.1f} s of a processor, "
        f"{server.memory / MEGABYTE:.0f} MB at most",
    )  # fmt: skip
    grid.add_row(
        "the same on an empty log", f"{usual.took:.1f} s",
        f"{usual.cpu:.1f} s of a processor, {usual.memory / MEGABYTE:.0f} MB at most",
    )  # fmt: skip
    grid.add_row(
        f"to a reply just after, at {rate:.0f} commands/s", _times(played),
        "while the whole log is looked through",
    )  # fmt: skip


def _times(played: dict[str, float]) -> str:
    return f"{1000 * played['p50']:.0f} ms, 99 of 100 in {1000 * played['p99']:.0f} ms"


# Where it is kept.


def _dialect(place: Place) -> str:
    return place.db.partition(":")[0]


def _events(place: Place) -> int:
    from sqlalchemy import func, select

    from croupier.floor import schema
    from croupier.floor.storage import Storage

    storage = Storage(place.db)
    with storage.read() as conn:
        events = conn.scalar(select(func.count()).select_from(schema.events))
    storage.close()
    return int(events or 0)


def _another(place: Place, name: str) -> str:
    """One more database on the same disk."""
    if _dialect(place) == "sqlite":
        return f"sqlite:///{place.folder / name}.db"
    return _create(place, name)


def _create(place: Place, name: str) -> str:
    import psycopg

    with psycopg.connect(place.db, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
    return place.db.replace("/bench?", f"/{name}?")


def copied(log: Place, to: Place) -> Place:
    """The same log in PostgreSQL, row by row."""
    import psycopg
    from sqlalchemy import Boolean

    from croupier.floor import schema
    from croupier.floor.storage import Storage

    place = Place(_create(to, "restart"), to.folder, to.database)
    storage = Storage(place.db)
    storage.migrate()
    storage.close()
    path = log.db.removeprefix("sqlite:///")
    with sqlite3.connect(path) as source, psycopg.connect(place.db) as target:
        for table in schema.metadata.sorted_tables:
            names = ", ".join(f'"{column.name}"' for column in table.columns)
            flags = [isinstance(column.type, Boolean) for column in table.columns]
            copy = f"COPY {table.name} ({names}) FROM STDIN".encode()
            with target.cursor() as cursor, cursor.copy(copy) as rows:
                for row in source.execute(f"SELECT {names} FROM {table.name}"):
                    values = zip(row, flags, strict=True)
                    rows.write_row([bool(value) if flag else value for value, flag in values])
    return place


@contextmanager
def places(dialect: str) -> Iterator[list[Place]]:
    """Databases with nothing in them yet, on the disk of this project."""
    names = ("bench", "empty")
    KEPT.mkdir(parents=True, exist_ok=True)
    if dialect == "sqlite":
        with tempfile.TemporaryDirectory(dir=KEPT) as name:
            folder = Path(name)
            yield [Place(f"sqlite:///{folder / name}.db", folder) for name in names]
    else:
        sys.path.insert(0, str(ROOT))
        from tests.floor.postgres import Postgres

        server = Postgres(durable=True)
        try:
            pid = int((server.folder / "data" / "postmaster.pid").read_text().split()[0])
            for name in names:
                server.execute(f"CREATE DATABASE {name}")
            yield [Place(server.url(name), server.folder, pid) for name in names]
        finally:
            server.remove()


def floor(grid: Grid, dialects: Sequence[str] = tuple(ASKED), size: Size = QUICK) -> None:
    for dialect in dialects:
        grid.add_section()
        grid.add_row(f"[bold]the floor on {dialect}", "", "")
        with places(dialect) as (place, empty):
            at_home(grid, place, size)
            with Serving(place) as server:
                at_full_load(grid, server, size)
                at_half_load(grid, server, size)
                many_seats(grid, server, size)
            log = long_play(grid, size)
            again = log if dialect == "sqlite" else copied(log, place)
            restart(grid, again, empty, log.folder / "checkpoints", size)


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("dialect", nargs="?", choices=[*ASKED])
    reader.add_argument("--quick", action="store_true")
    given = reader.parse_args()
    console = Console()
    for dialect in [given.dialect] if given.dialect else [*ASKED]:
        grid = Grid("what", "measured", "beside", title="The floor under load")
        with console.status(f"playing on {dialect} …"):
            floor(grid, [dialect], QUICK if given.quick else FULL)
        console.print(grid)


if __name__ == "__main__":
    main()
