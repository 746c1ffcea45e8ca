"""The disk of the glass: one SQLite file for several servers, and all that happens to disks.

A server of the glass behaves as one on PostgreSQL: a table belongs to the
connection that has locked it, and whoever loses the connection has lost the
locks. The file itself is real, and so are its transactions.
"""

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any, ClassVar

from sqlalchemy import Connection, Engine

from croupier.floor.storage import Storage, _File

SECTOR = 512
MEMORY = Path("/dev/shm")


def failure(name: str) -> sqlite3.OperationalError:
    """An error as SQLite gives it."""
    error = sqlite3.OperationalError(f"a fault of the glass: {name}")
    error.sqlite_errorname = name
    return error


class _Cursor(sqlite3.Cursor):
    def execute(self, statement: str, given: Any = (), /) -> "_Cursor":
        wire = self.connection
        assert isinstance(wire, Wire)
        wire.reaches("statement")
        super().execute(statement, given)
        return self


class Wire(sqlite3.Connection):
    """A connection that can be cut, and that somebody watches at every boundary."""

    is_cut = False
    watch: Callable[["Wire", str], None] | None = None

    def cursor(self, factory: Any = _Cursor) -> Any:
        return super().cursor(factory)

    def reaches(self, boundary: str) -> None:
        """A statement, the commit, or the moment after it."""
        if self.is_cut:
            raise failure("SQLITE_INTERRUPT")
        if self.watch is not None:
            self.watch(self, boundary)

    def commit(self) -> None:
        self.reaches("commit")
        super().commit()
        self.reaches("committed")

    def commits(self) -> None:
        """Commit, with nobody watching."""
        super().commit()

    def rollback(self) -> None:
        if not self.is_cut:
            super().rollback()

    def cut(self) -> None:
        """The line is dead: the database has undone what was not committed."""
        super().rollback()
        self.is_cut = True


class Locks:
    """Who runs which table, as the database knows it."""

    def __init__(self) -> None:
        self.held: dict[str, SharedFile] = {}

    def take(self, stream: str, by: "SharedFile") -> bool:
        return self.held.setdefault(stream, by) is by

    def give(self, stream: str, by: "SharedFile") -> None:
        if self.held.get(stream) is by:
            del self.held[stream]

    def give_all(self, by: "SharedFile") -> None:
        self.held = {stream: owner for stream, owner in self.held.items() if owner is not by}


class _Compiled:
    """What SQLAlchemy has compiled once is not compiled again for every server that starts."""

    first: Engine | None = None

    @classmethod
    def share(cls, engine: Engine) -> None:
        if cls.first is None:
            cls.first = engine
            return
        engine.dialect = engine.pool._dialect = cls.first.dialect
        engine._compiled_cache = cls.first._compiled_cache


class SharedFile(_File):
    """SQLite in a file that several servers share, each table run by one of them."""

    connection: ClassVar = Wire
    writing: ClassVar[Any] = (*_File.writing, "wal_autocheckpoint=40")  # of which the last counts

    def __init__(self, path: Path, locks: Locks, watch: Callable[[Wire, str], None]) -> None:
        super().__init__(path)
        self.locks, self.watch = locks, watch
        self.wire: Wire | None = None  # that of the writer
        self.outage = 0  # so many times more, nobody answers
        _Compiled.share(self.writer)
        _Compiled.share(self.readers)

    def _open(self, *pragmas: str) -> sqlite3.Connection:
        if self.outage:
            self.outage -= 1
            raise failure("SQLITE_BUSY")
        return super()._open(*pragmas)

    def _open_to_write(self) -> sqlite3.Connection:
        wire = super()._open_to_write()
        assert isinstance(wire, Wire)
        self.wire, wire.watch = wire, self.watch
        return wire

    def alive(self, connection: Connection) -> bool:
        is_cut = self.wire is None or self.wire.is_cut
        return not is_cut and super().alive(connection)

    def cut(self) -> None:
        """The connection of the writer is lost, and its locks with it."""
        if self.wire is not None and not self.wire.is_cut:
            self.wire.cut()
        self.locks.give_all(self)

    def own(self, connection: Connection, stream: str) -> bool:
        return self.locks.take(stream, self)

    def own_free(self, connection: Connection, streams: Sequence[str]) -> list[str]:
        return [stream for stream in streams if self.locks.take(stream, self)]

    def disown(self, connection: Connection, stream: str) -> None:
        self.locks.give(stream, self)


class SharedStorage(Storage):
    """The storage of one server of several."""

    def __init__(self, path: Path, locks: Locks, watch: Callable[[Wire, str], None]) -> None:
        super().__init__(f"sqlite:///{path}")
        self.file = self._database = SharedFile(path, locks, watch)

    def _let_go(self) -> None:
        self.file.locks.give_all(self.file)
        super()._let_go()


class Disk:
    """A folder in memory with the file of the floor, and copies of it."""

    def __init__(self, choose: Random, template: Path) -> None:
        memory = MEMORY if os.access(MEMORY, os.W_OK) else None
        self.folder = Path(tempfile.mkdtemp(prefix="glass-", dir=memory))
        self.choose = choose
        self.locks = Locks()
        self.path = self.folder / "floor-0.db"
        self._copies = 0
        shutil.copy(template, self.path)
        self._reader: sqlite3.Connection | None = None

    @property
    def reader(self) -> sqlite3.Connection:
        """Somebody who reads the file without the floor's code."""
        if self._reader is None:
            self._reader = sqlite3.connect(self.path, isolation_level=None)
        return self._reader

    def content(self) -> tuple[bytes, bytes]:
        """What lies in the file and in its write-ahead log."""
        wal = Path(f"{self.path}-wal")
        return self.path.read_bytes(), wal.read_bytes() if wal.exists() else b""

    def copy(self, content: tuple[bytes, bytes]) -> Path:
        """A file with this content, as it lies there when the power comes back."""
        self._copies += 1
        path = self.folder / f"floor-{self._copies}.db"
        path.write_bytes(content[0])
        Path(f"{path}-wal").write_bytes(content[1])
        return path

    def continue_with(self, content: tuple[bytes, bytes]) -> None:
        """From now on the floor is what lies in a copy; everyone has let go of the old file."""
        old, self.path = self.path, self.copy(content)
        self.close_reader()
        self.remove(old)
        self.locks = Locks()

    def remove(self, path: Path) -> None:
        for rest in ("", "-wal", "-shm"):
            Path(f"{path}{rest}").unlink(missing_ok=True)

    def close_reader(self) -> None:
        if self._reader is not None:
            self._reader.close()
            self._reader = None

    def close(self) -> None:
        self.close_reader()
        shutil.rmtree(self.folder, ignore_errors=True)

    # Power.

    def power_lost_in(self, wire: Wire) -> tuple[bytes, bytes]:
        """What is left of a commit in which the power is lost.

        SQLite writes and syncs its log, and only then moves pages to the database: so either
        is torn, and never both.
        """
        file_before, wal_before = self.content()
        wire.commits()
        file_after, wal_after = self.content()
        if file_after != file_before and self.choose.random() < 0.5:
            return torn(file_before, file_after, self.choose), wal_after
        return file_before, torn(wal_before, wal_after, self.choose)

    def damaged(self, content: tuple[bytes, bytes]) -> tuple[bytes, bytes]:
        """The same with some bits that have changed by themselves."""
        file, wal = (bytearray(each) for each in content)
        for _ in range(self.choose.choice([1, 1, 2, 8, 40])):
            where = wal if len(wal) and self.choose.random() < 0.3 else file
            where[self.choose.randrange(len(where))] ^= 1 << self.choose.randrange(8)
        return bytes(file), bytes(wal)


def torn(before: bytes, after: bytes, choose: Random) -> bytes:
    """Some of what was written, sector by sector: the first ones, or any, or one in garbage."""
    sectors = range(0, max(len(before), len(after)), SECTOR)
    changed = [at for at in sectors if before[at : at + SECTOR] != after[at : at + SECTOR]]
    if not changed:
        return after
    how = choose.choice(["first", "any", "garbage"])
    kept = choose.randrange(len(changed) + 1)
    if how == "any":
        taken = {at for at in changed if choose.random() < 0.5}
    else:
        taken = set(changed[:kept])
    size = max([len(before), *(min(at + SECTOR, len(after)) for at in taken)])
    content = bytearray(before.ljust(size, b"\0"))
    for at in taken:
        content[at : at + SECTOR] = after[at : at + SECTOR]
    if how == "garbage" and kept < len(changed):
        _garble(content, before, after, changed[kept], choose)
    return bytes(content)


def _garble(content: bytearray, before: bytes, after: bytes, at: int, choose: Random) -> None:
    """Garbage where a sector was being written; what lies beside it is safe, as SQLite trusts."""
    end = min(at + SECTOR, len(content))
    changed = [here for here in range(at, end) if before[here : here + 1] != after[here : here + 1]]
    if changed:
        content[changed[0] : changed[-1] + 1] = choose.randbytes(changed[-1] + 1 - changed[0])
