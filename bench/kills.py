"""A thousand deaths: a real server is killed at random moments, under load, again and again.

    python bench/kills.py --kills 1000 --seed 1 --db sqlite
    python bench/kills.py --kills 1000 --seed 1 --db postgresql

A crowd in a process of its own plays over HTTP and keeps its own books
(`bookkeeper.py`). The server gets a SIGKILL, starts again, and the crowd sends
what was not answered again with the same keys. After every kill the books are
compared; every so often the whole log is verified. Nothing may be lost, and
nothing done twice.
"""

import argparse
import ctypes
import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

ROOT = Path(__file__).resolve().parent.parent
LIMITS = {
    "rate_per_session": 100_000, "rate_per_address": 1_000_000, "most_private": 1000,
    "token_minutes": 1440, "tables": [], "idle_minutes": 1440,
}  # fmt: skip
SOONEST = 30.0  # seconds until a server must be back
LONGEST = 0.8  # seconds that a server lives, at most, after it is back

Body = dict[str, Any]


class Nursery:
    """A process that has the server's code in memory and gives birth to servers: a start takes a
    tenth of a second, and each server is a process of its own that dies as any other does."""

    def __init__(self, settings: Body, errors: Path) -> None:
        self.settings = settings
        with errors.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, __file__, "nursery"],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True, cwd=ROOT,
                env=os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])},
            )  # fmt: skip

    def start(self) -> tuple[int, float]:
        """A new server: its process, and the seconds until its doors were open."""
        assert self.process.stdin
        assert self.process.stdout
        began = time.monotonic()
        print(json.dumps(self.settings), file=self.process.stdin, flush=True)
        pid = 0
        while line := self.process.stdout.readline():
            if line.startswith("born "):
                pid = int(line.split()[1])
            elif "http://" in line:
                return pid, time.monotonic() - began
            elif line.startswith("died"):
                raise RuntimeError("the server did not start: see its log")
        raise RuntimeError("the nursery has died")

    def kill(self, pid: int) -> None:
        """At whatever it is doing."""
        assert self.process.stdout
        os.kill(pid, signal.SIGKILL)
        while not self.process.stdout.readline().startswith("died"):
            pass

    def close(self) -> None:
        """The last server goes with it."""
        self.process.kill()
        self.process.wait(30)


def die_with_the_parent() -> None:
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


def give_birth() -> None:
    """The nursery itself: for each line of settings a server, until its input ends."""
    die_with_the_parent()
    from croupier.server.config import Config
    from croupier.server.run import serve

    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            die_with_the_parent()
            os._exit(serve(Config(**json.loads(line))))
        print(f"born {child}", flush=True)
        os.waitpid(child, 0)
        print("died", flush=True)


class Crowd:
    """The bookkeeper, in a process of its own."""

    def __init__(self, port: int, seed: int) -> None:
        self.process = subprocess.Popen(
            [sys.executable, ROOT / "bench" / "bookkeeper.py",
             json.dumps({"port": port, "seed": seed})],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        self._hear()

    def _hear(self) -> Body:
        assert self.process.stdout
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError("the crowd has died")
        said: Body = json.loads(line)
        return said

    def compare(self) -> Body:
        assert self.process.stdin
        print(file=self.process.stdin, flush=True)
        return self._hear()

    def close(self) -> None:
        self.process.kill()
        self.process.wait(10)


@contextmanager
def database(kind: str, folder: Path) -> Iterator[str]:
    """The URL of a new database that waits for its disk."""
    if kind == "sqlite":
        yield f"sqlite:///{folder / 'floor.db'}"
        return
    sys.path.insert(0, str(ROOT))
    from tests.floor.postgres import Postgres

    server = Postgres(durable=True)
    try:
        server.execute("CREATE DATABASE floor")
        yield server.url("floor")
    finally:
        server.remove()


def verified(url: str, checkpoints: Path) -> list[str]:
    """What `croupier verify` finds."""
    sys.path.insert(0, str(ROOT / "src"))
    from croupier.floor.checkpoint import Notary
    from croupier.floor.storage import Storage
    from croupier.floor.verify import verify

    notary, storage = Notary(checkpoints), Storage(url)
    try:
        return [str(bad) for bad in verify(storage, notary.read(), seal=notary.seal).bad]
    finally:
        storage.close()


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


class Deaths:
    """One server after the other, and what was found after each."""

    def __init__(self, url: str, folder: Path, seed: int) -> None:
        self.url, self.checkpoints = url, folder / "checkpoints"
        self.chance = random.Random(seed)
        port = free_port()
        settings = {"port": port, "db": url, "checkpoints": str(self.checkpoints), **LIMITS}
        self.nursery = Nursery(settings, folder / "stderr")
        self.crowd: Crowd | None = None
        self.port, self.seed, self.pid = port, seed, 0
        self.starts: list[float] = []
        self.verified = 0
        self.books: Body = {}

    def open(self) -> None:
        self.pid, _ = self.nursery.start()
        self.crowd = Crowd(self.port, self.seed)

    def kill(self) -> None:
        """A life, a death, and the books after it."""
        assert self.crowd is not None
        time.sleep(self.chance.uniform(0, LONGEST))
        self.nursery.kill(self.pid)
        self.pid, seconds = self.nursery.start()
        self.starts.append(seconds)
        self.books = self.crowd.compare()
        if self.books["wrong"]:
            raise RuntimeError("; ".join(self.books["wrong"]))

    def verify(self) -> None:
        """Look through the whole log, while the crowd plays on."""
        if bad := verified(self.url, self.checkpoints):
            raise RuntimeError("; ".join(bad[:5]))
        self.verified += 1

    def close(self) -> None:
        if self.crowd is not None:
            self.crowd.close()
        self.nursery.close()


def run(kind: str, kills: int, seed: int, every: int) -> int:
    bar = Progress(
        TextColumn(kind), BarColumn(), MofNCompleteColumn(), TextColumn("kills, {task.fields[so]}"),
        TimeElapsedColumn(),
    )  # fmt: skip
    folder = Path(tempfile.mkdtemp(prefix="kills-"))
    with database(kind, folder) as url, bar:
        task = bar.add_task(kind, total=kills, so="")
        deaths = Deaths(url, folder, seed)
        try:
            deaths.open()
            for number in range(1, kills + 1):
                deaths.kill()
                if number % every == 0 or number == kills:
                    deaths.verify()
                so = f"{deaths.books['acknowledged']:,} commands"
                bar.update(task, advance=1, so=so)
        except RuntimeError as wrong:
            print(f"{kind}, seed {seed}: {wrong}; the files are in {folder}", file=sys.stderr)
            return 1
        finally:
            deaths.close()
    print(told(kind, kills, deaths))
    return 0


def told(kind: str, kills: int, deaths: Deaths) -> str:
    books, starts = deaths.books, sorted(deaths.starts)
    return (
        f"{kind}: {kills:,} kills. {books['acknowledged']:,} commands were acknowledged, "
        f"{books['sent_again']:,} sent again, {books['rounds']:,} rounds played, "
        f"{books['events']:,} events compared: nothing lost, nothing doubled. "
        f"Verified whole {deaths.verified} times, and sound. "
        f"A server was back after {starts[len(starts) // 2]:.2f} seconds (median), "
        f"{starts[-1]:.2f} at most."
    )


def main() -> int:
    if sys.argv[1:] == ["nursery"]:
        give_birth()
        return 0
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--db", choices=["sqlite", "postgresql"], default="sqlite")
    parser.add_argument("--every", type=int, default=20, help="kills between two whole checks")
    given = parser.parse_args()
    return run(given.db, given.kills, given.seed, given.every)


if __name__ == "__main__":
    sys.exit(main())
