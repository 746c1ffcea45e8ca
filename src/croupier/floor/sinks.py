"""Copies of the checkpoints outside: on other disks, in another database, with another program.

Whoever can write the checkpoints can cut them. A copy that they cannot write
shows it. Each copy has a thread of its own that follows the files of the
checkpoints: no table waits for it, and what it missed while it failed is
still there to be read.
"""

import logging
import os
import shlex
import subprocess
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import zip_longest
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from filelock import FileLock
from sqlalchemy import BigInteger, Column, MetaData, Table, Text, func, inspect, select
from sqlalchemy import exc as sql

from croupier.floor.checkpoint import LOCK, Notary
from croupier.floor.files import sync_folder
from croupier.floor.keys import KEY, CheckpointFailed, public_file, publish, reason
from croupier.floor.lines import Line, file_name, files, hash_of, number_of, parse
from croupier.floor.marks import hashes
from croupier.floor.rows import put
from croupier.floor.storage import Storage, StorageError
from croupier.floor.walk import raw_lines

REST = 5.0  # seconds after which a copy looks for lines of other processes
COMPLAIN = 60.0  # seconds between two complaints of one copy
LONGEST_PAUSE = 60.0  # seconds between two tries
TAIL = 1 << 16  # bytes at the end of a copy that must be those of the original
PIECE = 1 << 20  # bytes that are copied at a time
IN_A_PIPE = 1 << 20  # bytes that a program may have been given and never read
PATIENCE = 2.0  # seconds that a program has to read its last lines

anchors = Table(
    "anchors", MetaData(),
    Column("chain", Text, primary_key=True),
    Column("line", BigInteger, primary_key=True, autoincrement=False),
    Column("text", Text, nullable=False),
)  # fmt: skip

logger = logging.getLogger("croupier.checkpoint")

Place = tuple[int, int]  # the number of a file and how many of its bytes were read


class Differs(Exception):
    """The checkpoints are not those that the copy has: nothing may be added to it."""


class Sink:
    """One copy, which follows the checkpoints of a folder."""

    def __init__(self, folder: Path, name: str) -> None:
        self.folder, self.name = folder, name
        self.failed: str | None = None  # why it is behind
        self._woken = threading.Event()
        self._closing = threading.Event()
        self._complained = -COMPLAIN
        self._thread = threading.Thread(target=self._run, name=f"copy to {name}", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def wake(self) -> None:
        self._woken.set()

    def stop(self) -> None:
        """Copy what is there, and end; a copy that does not get on is left behind."""
        self._closing.set()
        self._woken.set()
        self._thread.join(PATIENCE)

    def catch_up(self) -> None:
        """Copy everything that was signed and is not copied yet."""
        raise NotImplementedError

    def close(self) -> None:
        """Let go of what the copy holds open."""

    def _run(self) -> None:
        pause = 1.0
        try:
            while True:
                ending = self._closing.is_set()
                self._woken.clear()
                if self._try():
                    pause = 1.0
                elif not ending:
                    self._closing.wait(pause)
                    pause = min(2 * pause, LONGEST_PAUSE)
                    continue
                if ending:
                    return
                self._woken.wait(REST)
        finally:
            with suppress(Exception):
                self.close()

    def _try(self) -> bool:
        try:
            self.catch_up()
        except (OSError, ValueError, CheckpointFailed, StorageError, sql.SQLAlchemyError) as error:
            self._fail(reason(error) if isinstance(error, OSError) else str(error))
            return False
        except Differs as error:
            self._fail(str(error), logging.CRITICAL)
            return False
        self.failed = None
        return True

    def _fail(self, why: str, level: int = logging.ERROR) -> None:
        self.failed = f"checkpoints are not copied to {self.name}: {why}"
        if time.monotonic() - self._complained >= COMPLAIN:
            self._complained = time.monotonic()
            logger.log(level, "%s", self.failed)


class FolderSink(Sink):
    """A copy in another folder, byte for byte."""

    def __init__(self, folder: Path, to: Path, public_key: Ed25519PublicKey) -> None:
        super().__init__(folder, str(to))
        self.to, self.public_key = to, public_key
        self._done = 1  # the file that was copied last

    def catch_up(self) -> None:
        self.to.mkdir(parents=True, exist_ok=True)
        with FileLock(self.to / LOCK, timeout=PATIENCE):
            if not (public := public_file(self.to / KEY)).exists():
                publish(self.public_key, public)
            self._copy_all()

    def _copy_all(self) -> None:
        there, here = files(self.to), files(self.folder)
        if extra := there.keys() - here.keys():
            name = file_name(min(extra))
            raise Differs(f"it has the file {name}, which the checkpoints no longer have")
        for number, path in here.items():
            if number >= self._done:
                self._copy(path, self.to / path.name)
        self._done = max(here, default=1)

    def _copy(self, path: Path, to: Path) -> None:
        """Add to a file what it lacks. What it has must be what the original has there."""
        with path.open("rb") as source, to.open("a+b") as target:
            copied, whole = (os.fstat(file.fileno()).st_size for file in (target, source))
            if copied > whole:
                raise Differs(f"{to.name} there is longer: the checkpoints were cut")
            for file in (source, target):
                file.seek(max(0, copied - TAIL))
            if source.read(min(copied, TAIL)) != target.read():
                raise Differs(f"{to.name} there has other lines: the checkpoints were changed")
            while piece := source.read(PIECE):
                target.write(piece)
            target.flush()
            os.fsync(target.fileno())
        if not copied:
            sync_folder(self.to)


class CommandSink(Sink):
    """A program that runs on and gets every line on its standard input.

    After it was started again it gets the lines once more that it may not have read: lines may
    come twice, and their numbers tell, but none is left out.
    """

    def __init__(self, folder: Path, command: str | Sequence[str]) -> None:
        self.command = shlex.split(command) if isinstance(command, str) else [*command]
        super().__init__(folder, self.command[0])
        self._place: Place = max(files(folder), default=1), 0
        self._running: subprocess.Popen[bytes] | None = None

    def catch_up(self) -> None:
        program = self._started()
        assert program.stdin is not None
        for piece, place in _pieces(self.folder, self._place):
            program.stdin.write(piece)
            self._place = place
        if program.poll() is not None:
            raise OSError(None, f"it ended with code {program.returncode}")

    def _started(self) -> "subprocess.Popen[bytes]":
        if self._running is not None and self._running.poll() is None:
            return self._running
        ended, self._running = self._running, None
        number, offset = self._place
        is_near = offset < IN_A_PIPE and file_name(number - 1) in _names(self.folder)
        self._place = (number - 1 if is_near else number), 0
        if ended is not None:
            raise OSError(None, f"it ended with code {ended.returncode}")
        self._running = subprocess.Popen(
            self.command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, bufsize=0,
            start_new_session=True,
        )  # fmt: skip
        return self._running

    def stop(self) -> None:
        super().stop()
        if self._running is not None and self._running.poll() is None:
            self._running.kill()
            self._thread.join(PATIENCE)

    def close(self) -> None:
        """The program sees the end of its input and has a moment to finish."""
        if self._running is not None and self._running.stdin is not None:
            self._running.stdin.close()
            with suppress(subprocess.TimeoutExpired):
                self._running.wait(PATIENCE)


class DatabaseSink(Sink):
    """A table `anchors` in another database, a row for every line."""

    def __init__(self, folder: Path, url: str) -> None:
        self.storage = Storage(url, application="croupier checkpoints")
        super().__init__(folder, repr(self.storage))
        self._place: Place | None = None

    def catch_up(self) -> None:
        if self._place is None:
            self._place = self._find_place()
        for piece, place in _pieces(self.folder, self._place):
            rows = [_row(raw) for raw in piece.splitlines() if number_of(raw)]
            with self.storage.write() as conn:
                put(conn, anchors, [(self._chain, *row) for row in rows], on_conflict="DO NOTHING")
            self._place = place

    def _find_place(self) -> Place:
        """The file with the last line that the table has; it must have the very same there."""
        self._chain = _chain(self.folder)
        with self.storage.write() as conn:
            if not inspect(conn).has_table(anchors.name):
                anchors.create(conn)
            of = anchors.c
            number = conn.scalar(select(func.max(of.line)).where(of.chain == self._chain))
            found = select(of.text).where(of.chain == self._chain, of.line == number)
            text = conn.scalar(found)
        if text is None:
            return min(files(self.folder)), 0
        for file, path in reversed(files(self.folder).items()):
            for raw in raw_lines(path):
                if number_of(raw) == number:
                    if raw.removesuffix(b"\n").decode() != text:
                        raise Differs(f"line {number} there is another: the checkpoints changed")
                    return file, 0
        raise Differs(f"it has line {number}, which the checkpoints lack: they were cut")

    def close(self) -> None:
        self.storage.close()


def _row(raw: bytes) -> tuple[int, str]:
    return number_of(raw), raw.decode("ascii", "replace")


def _names(folder: Path) -> set[str]:
    return {path.name for path in files(folder).values()}


def _chain(folder: Path) -> str:
    """The name of the chain in a folder."""
    for path in files(folder).values():
        for raw in raw_lines(path):
            said = parse(raw.removesuffix(b"\n"))
            if isinstance(said, Line) and said.chain:
                return said.chain
    raise ValueError(f"there is no line in {folder} yet")


def _pieces(folder: Path, place: Place) -> Iterator[tuple[bytes, Place]]:
    """Whole lines after a place, and the place after each piece of them."""
    number, offset = place
    for file, path in files(folder).items():
        if file < number:
            continue
        at = offset if file == number else 0
        with path.open("rb") as source:
            if os.fstat(source.fileno()).st_size < at:
                raise Differs(f"{path.name} is shorter than it was: the checkpoints were cut")
            source.seek(at)
            while lines := source.readlines(PIECE):
                if not lines[-1].endswith(b"\n"):
                    lines.pop()
                if not lines:
                    break
                piece = b"".join(lines)
                at += len(piece)
                yield piece, (file, at)


# Whether a copy and the checkpoints agree.


def differing(folder: Path, copy: Path) -> str | None:
    """What is wrong where a copy is not what the checkpoints are; one that is behind is fine."""
    there = files(copy)
    for number, path in there.items():
        has = path.read_bytes().splitlines(keepends=True)  # before the original, which grows
        if number not in files(folder):
            name = file_name(number)
            return f"the copy in {copy} has the file {name}, which {folder} lacks: it was cut"
        original = raw_lines(folder / path.name)
        for place, (line, copied) in enumerate(zip_longest(original, has), 1):
            if copied is None or line == copied:
                continue
            where = f"line {place:,} of {path.name}"
            if line is None or (copied.startswith(line) and not line.endswith(b"\n")):
                return f"the copy in {copy} has {where}, which {folder} lacks: it was cut"
            if place < len(has) or not line.startswith(copied):
                return f"{where} in {folder} is not the one that the copy in {copy} has"
    return None


def differing_from(folder: Path, storage: Storage) -> str | None:
    """The same of the table of anchors in another database."""
    chain, after = _chain(folder), 0
    of = anchors.c
    query = select(of.line, of.text).where(of.chain == chain).order_by(of.line).limit(1000)
    while True:
        with storage.read() as conn:
            if not inspect(conn).has_table(anchors.name):
                return None
            rows = conn.execute(query.where(of.line > after)).all()
        if not rows:
            return None
        here = hashes(folder, [row.line for row in rows])
        for row in rows:
            where = f"line {row.line:,} of the checkpoints"
            if row.line not in here:
                return f"{storage!r} has {where}, which {folder} lacks: it was cut"
            if here[row.line] != hash_of(row.text.encode("ascii", "replace")):
                return f"{where} in {folder} is not the one that {storage!r} has"
        after = rows[-1].line


class Sinks:
    """All copies of the checkpoints of one server."""

    def __init__(
        self,
        notary: Notary,
        folders: Sequence[Path] = (),
        command: str | None = None,
        db: str | None = None,
    ) -> None:
        self.all: list[Sink] = [
            FolderSink(notary.folder, to, notary.public_key) for to in folders
        ]  # fmt: skip
        if command:
            self.all.append(CommandSink(notary.folder, command))
        if db:
            self.all.append(DatabaseSink(notary.folder, db))
        notary.told += [sink.wake for sink in self.all]

    @property
    def failed(self) -> list[str]:
        """A sentence for every copy that is behind."""
        return [sink.failed for sink in self.all if sink.failed is not None]

    def start(self) -> None:
        for sink in self.all:
            sink.start()

    def stop(self) -> None:
        for sink in self.all:
            sink.stop()
