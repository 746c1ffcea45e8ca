"""What the tests of the service share: a real server in a process of its own, and its people."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from argon2 import PasswordHasher
from sqlalchemy import Connection

from croupier.client import Floor, Refused, Session, Table
from croupier.floor.checkpoint import KEY, Notary
from croupier.floor.clock import SystemClock
from croupier.floor.events import digest
from croupier.floor.house_log import HouseLog
from croupier.floor.people import People
from croupier.floor.roles import Role
from croupier.floor.storage import Storage

PASSWORD = "ace of spades"
PEOPLE = {
    "Ann": Role.PATRON, "Bob": Role.PATRON, "Cat": Role.PATRON,
    "Dee": Role.DEALER, "Flo": Role.FLOORPERSON, "Sue": Role.SUPERVISOR, "Sam": Role.SURVEILLANCE,
}  # fmt: skip
TABLES = ["roulette", "three-card-poker", "craps"]
LIMITS = {
    "rate_per_session": 100_000, "rate_per_address": 1_000_000, "most_streams": 1000,
    "most_private": 1000, "most_seats": 100, "sign_ins_per_minute": 1_000_000,
    "sign_ins_at_once": 100_000,
}  # fmt: skip
PROGRAM = """
import json, resource, sys
if files := int(sys.argv[2]):
    resource.setrlimit(resource.RLIMIT_NOFILE, (files // 2, files))
from croupier.server.config import Config
from croupier.server.run import serve
sys.exit(serve(Config(**json.loads(sys.argv[1]))))
"""
SOON = 15.0  # seconds in which what must happen has happened, on a busy machine


class Server:
    """A server, from outside: its address, its people, and the power switch."""

    def __init__(self, folder: Path, db: str = "", files: int = 0, **settings: Any) -> None:
        """`files` is how many it may open, if not as many as we."""
        self.files = files
        self.db = db or f"sqlite:///{folder / 'floor.db'}"
        self.settings = {
            "port": 0, "db": self.db, "tables": [{"game": game} for game in TABLES],
            "checkpoints": str(folder / "checkpoints"), **LIMITS, **settings,
        }  # fmt: skip
        self.errors = folder / f"stderr-{time.monotonic_ns()}"
        self.url = ""
        self.process: subprocess.Popen[str] | None = None
        self._floors: dict[str, Floor] = {}
        self._http: httpx.Client | None = None

    # The power switch.

    def start(self) -> "Server":
        with self.errors.open("ab") as errors:
            self.process = subprocess.Popen(
                [sys.executable, "-c", PROGRAM, json.dumps(self.settings), str(self.files)],
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors, text=True,
            )  # fmt: skip
        assert self.process.stdout is not None
        said = self.process.stdout.readline()
        assert "http://" in said, f"the server did not start: {self.log()[-3000:]}"
        self.url = said.split()[-1]
        self.settings["port"] = int(self.url.rpartition(":")[2])  # the same when it starts again
        return self

    def kill(self) -> None:
        """As if the machine lost its power."""
        self._signal(signal.SIGKILL)

    def stop(self, patience: float = 20) -> int:
        """In order; the exit code."""
        return self._signal(signal.SIGTERM, patience)

    def _signal(self, how: signal.Signals, patience: float = 20) -> int:
        process = self.process
        assert process is not None
        process.send_signal(how)
        code = process.wait(patience)
        assert process.stdout is not None
        process.stdout.close()
        self.process = None
        return code

    def close(self) -> None:
        for floor in self._floors.values():
            floor.close()
        if self._http is not None:
            self._http.close()
        if self.process is not None:
            self.kill()

    def log(self) -> str:
        """What it wrote to stderr."""
        return self.errors.read_text("utf-8")

    def memory(self) -> int:
        """Bytes that it holds."""
        assert self.process is not None
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")

    # The people.

    @property
    def key(self) -> str:
        """The file of the house's key: servers of one house share it."""
        return str(self.settings.get("key_file") or Path(self.settings["checkpoints"], KEY))

    @contextmanager
    def _people(self) -> Iterator[People]:
        """The accounts, as the house sees them on its own machine; its passwords cost little."""
        storage = Storage(self.db)
        hasher = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
        notary = Notary(Path(self.settings["checkpoints"]), Path(self.key))
        house = HouseLog(storage, SystemClock(), notary)
        yield People(storage, SystemClock(), house, hasher=hasher)
        storage.close()

    def appoint(self) -> "Server":
        """Open everybody's account, in a new database."""
        storage = Storage(self.db)
        storage.migrate()
        storage.close()
        with self._people() as people:
            for name, role in PEOPLE.items():
                people.create(name, PASSWORD, role, by="house")
        return self

    def floor(self, name: str) -> Floor:
        """Somebody who is logged in, in the same session each time."""
        if name not in self._floors:
            self._floors[name] = self.another(name)
        return self._floors[name]

    def another(self, name: str) -> Floor:
        """The same person at another device."""
        with self._people() as people:
            came = people.log_in(name, PASSWORD)
        floor = Floor(self.url)
        floor._token = came.token.text
        floor.session = Session(came.person.account, came.person.name, came.person.role)
        return floor

    def token(self, name: str) -> str:
        return self.floor(name)._token

    # The tables.

    def open(self, game: str, **how: Any) -> str:
        """A new table, opened by the floorperson."""
        return self.floor("Flo").open(game, **how).id

    def seated(self, name: str, table: str, seat: str, buy_in: int = 1_000_000) -> Table:
        at = self.floor(name).table(table)
        at.sit(seat, buy_in=buy_in)
        return at

    # As a program speaks that is no client of ours.

    @property
    def http(self) -> httpx.Client:
        if self._http is None:
            self._http = httpx.Client(timeout=30, trust_env=False)
        return self._http

    def get(self, path: str, who: str = "", **more: Any) -> httpx.Response:
        return self.send("GET", path, who, **more)

    def send(
        self, method: str, path: str, who: str = "", body: Any = None, *,
        key: str = "", headers: Mapping[str, str] | None = None, **more: Any,
    ) -> httpx.Response:  # fmt: skip
        sent = {"Authorization": f"Bearer {self.token(who)}"} if who else {}
        sent |= {"Idempotency-Key": key} if key else {}
        if isinstance(body, bytes):
            more["content"], sent["Content-Type"] = body, "application/json"
        elif body is not None:
            more["json"] = body
        sent |= headers or {}
        self.http.cookies.clear()  # a program shows its token, and nothing else
        return self.http.request(method, f"{self.url}/api{path}", headers=sent, **more)

    def command(self, table: str, who: str, body: Any, *, key: str = "") -> httpx.Response:
        """A command as it goes over the wire, with a key of its own unless one is given."""
        key = key or f"key-{time.monotonic_ns()}"
        return self.send("POST", f"/tables/{table}/commands", who, body, key=key)

    @contextmanager
    def database(self) -> Iterator[Connection]:
        """Somebody with access to the database, beside the server."""
        storage = Storage(self.db)
        with storage.write() as conn:
            yield conn
        storage.close()


def expire(server: Server, floor: Floor) -> None:
    """As if its time had gone by: this one's token is of long ago."""
    token, past = digest(floor._token), "2020-01-01T00:00:00.000Z"
    with server._people() as people, people.house.writing() as conn:
        session = people.register.holder(token)
        assert session is not None
        people.house.note(
            conn, "session_renewed", session.account, session=session.id, token=token,
            expires_at=past,
        )  # fmt: skip


@contextmanager
def refused(fault: str, status: int | None = None) -> Iterator[list[Refused]]:
    """What must be turned away, for this reason."""
    caught: list[Refused] = []
    with pytest.raises(Refused) as info:
        yield caught
    caught.append(info.value)
    assert info.value.fault == fault, info.value
    assert status in (None, info.value.status)


def soon(true: Callable[[], Any], within: float = SOON) -> Any:
    """Wait until something is true."""
    end = time.monotonic() + within
    while not (found := true()):
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.02)
    return found


class Line:
    """A line to a server that can be cut, in the middle of a word, or lose what is said on it."""

    def __init__(self, url: str) -> None:
        self._to = ("127.0.0.1", int(url.rpartition(":")[2]))
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listening.getsockname()[1]}"
        self.calls = 0
        self.lose_answers = 0  # so many answers do not come through; the questions did
        self.instead: list[bytes] = []  # what somebody on the way answers, before the house does
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self) -> "Line":
        return self

    def __exit__(self, *_: object) -> None:
        self._listening.close()
        self.cut()

    def called(self, times: int) -> bool:
        """Whether it was taken up so often, or more."""
        return self.calls >= times

    def cut(self) -> None:
        """Everybody who is on the line hears nothing more."""
        with self._lock:
            for end in self._open:
                with suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)
            self._open.clear()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listening.accept()
                if self.instead:
                    near.recv(65536)
                    near.sendall(self.instead.pop(0))
                    near.close()
                    continue
                far = socket.create_connection(self._to)
                self.calls += 1
                with self._lock:
                    self._open |= {near, far}
                for ends in ((near, far, False), (far, near, True)):
                    threading.Thread(target=self._carry, args=ends, daemon=True).start()

    def _carry(self, source: socket.socket, to: socket.socket, answers: bool) -> None:
        with suppress(OSError), source:
            while heard := source.recv(4096):
                if answers and self.lose_answers:
                    self.lose_answers -= 1
                    break
                to.sendall(heard)
        with suppress(OSError):
            to.shutdown(socket.SHUT_RDWR)


class Ear:
    """A reader of a stream that is no client of ours: it reads when it is told to."""

    def __init__(
        self, server: Server, table: str, who: str, last: int | str = "", *, token: str = "",
        query: str = "", narrow: bool = False,
    ) -> None:  # fmt: skip
        """A `narrow` one has hardly room for anything that it has not read, nor on the way."""
        self._socket = socket.socket()
        if narrow:
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, 536)
        self._socket.settimeout(60)
        self._socket.connect(("127.0.0.1", int(server.url.rpartition(":")[2])))
        self._socket.sendall(
            f"GET /api/tables/{table}/stream{query} HTTP/1.0\r\nHost: 127.0.0.1\r\n"
            f"Authorization: Bearer {token or server.token(who)}\r\n"
            f"Last-Event-ID: {last}\r\n\r\n".encode()
        )
        self.heard = b""

    def __enter__(self) -> "Ear":
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()

    def listen(self, to: bytes) -> "Ear":
        """Read until this was heard."""
        while to not in self.heard:
            self.heard += self._read() or pytest.fail("the stream has ended")
        return self

    def listen_to_the_end(self) -> "Ear":
        """Read until the server ends the stream."""
        while more := self._read():
            self.heard += more
        return self

    def _read(self) -> bytes:
        try:
            return self._socket.recv(65536)
        except ConnectionResetError:
            return b""

    @property
    def events(self) -> list[dict[str, Any]]:
        """The whole messages among what was heard."""
        body = self.heard.partition(b"\r\n\r\n")[2]
        blocks = body.split(b"\n\n")[:-1]
        data = [line[6:] for block in blocks for line in block.split(b"\n")
                if line.startswith(b"data: ")]  # fmt: skip
        return [json.loads(each) for each in data]
