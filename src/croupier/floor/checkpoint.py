"""Checkpoints: how long each log was and what its last hash was, signed, outside the database.

The chain of hashes shows a changed event, but not a log whose tail was cut
off, one that was hashed anew from end to end, or a database put back from an
old backup. A signed line elsewhere shows all three. Whoever holds the public
key can check the lines; only the server, which holds the private key, can
write them. The lines are chained to each other, and the house's own log names
the last one that it knew, so that lines cannot be taken away unseen either.
"""

import logging
import os
import secrets
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from filelock import FileLock

from croupier.floor.clock import SystemClock
from croupier.floor.files import sync_folder
from croupier.floor.keys import (
    KEY,
    CheckpointFailed,
    create,
    find_key,
    fingerprint,
    public_file,
    publish,
    reason,
    secret,
)
from croupier.floor.lines import (
    BEGUN,
    FILE,
    FULL,
    RESTORED,
    TORN,
    Line,
    Mark,
    compose,
    file_name,
    parse,
)
from croupier.floor.marks import Expected, Marks, check, check_anchor, merged, read, signed_heads
from croupier.floor.seal import Seal
from croupier.floor.walk import BadLine, Flaw, raw_lines, walked

__all__ = [
    "FILE", "KEY", "BadLine", "CheckpointFailed", "Expected", "Flaw", "Mark", "Marks", "Notary",
    "check", "check_anchor", "fingerprint", "merged", "public_file", "read",
]  # fmt: skip

LOCK = "checkpoints.lock"
BINARY = getattr(os, "O_BINARY", 0)
PATIENCE = 5  # seconds that a process waits for another that signs
LARGEST = 4 << 20  # bytes of a file, after which another one follows

logger = logging.getLogger("croupier.checkpoint")


class Notary:
    """Signs checkpoints. The key is made at its first use, for its owner's eyes only.

    Several processes may sign in one folder: each waits for the others, and goes on from the
    last line whoever wrote it.
    """

    def __init__(
        self, folder: Path, key_file: Path | None = None, *, largest: int = LARGEST
    ) -> None:
        self.folder, self.largest = folder, largest
        self.key_file = key_file or folder / KEY
        self.told: list[Callable[[], None]] = []  # called after every line
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._key = find_key(self.key_file)
            self.public_key = self._key.public_key()
            publish(self.public_key, public_file(self.key_file))
            self.fingerprint = fingerprint(self.public_key)
            self._guard = threading.RLock()
            self._lock = FileLock(folder / LOCK, timeout=PATIENCE, thread_local=False)
            with self._alone():
                self._begin()
        except OSError as error:
            raise CheckpointFailed(
                f"checkpoints cannot be kept in {folder} with the key {self.key_file}: "
                f"{reason(error)}"
            ) from error

    @property
    def seal(self) -> Seal:
        """What seals the rows of the database: made of the same secret as the signatures."""
        return Seal(secret(self._key))

    def state(self) -> dict[str, Any]:
        """The key and the last line, for the house's log to name."""
        with self._guard:
            chain, line, head = self._walk.chain, self._walk.line, self._walk.hash
        return {"key": self.fingerprint, "chain": chain, "line": line, "hash": head}

    def sign(self, stream: str, count: int, head: str, at: str) -> Mark:
        """Write down how far a stream has come. It is on disk when this returns."""
        (mark,) = self.sign_all([(stream, count, head)], at)
        return mark

    def sign_all(self, heads: Iterable[tuple[str, int, str]], at: str) -> list[Mark]:
        """The same for several streams, in one line."""
        return self._sign({stream: [count, head] for stream, count, head in heads}, at)

    def acknowledge_restore(
        self, stream: str, count: int, head: str, at: str, by: str, why: str
    ) -> Mark:
        """Write down who answers for a log that is not what it was; older lines no longer count.

        They answer for every flaw that the checkpoints themselves have, too.
        """
        pardons = [flaw.name for flaw in self.read().flaws]
        (mark,) = self._sign(
            {stream: [count, head]}, at, RESTORED, by=by, why=why, pardons=pardons
        )  # fmt: skip
        return mark

    def read(self, *, thorough: bool = True) -> Marks:
        return read(self.folder, self.public_key, thorough=thorough)

    def signed(self, stream: str) -> dict[int, str]:
        """Every count of a log that was signed here, with the hash of its last event then."""
        return signed_heads(self.folder, self.public_key, stream)

    # Writing.

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """No other thread and no other process signs here meanwhile."""
        with self._guard, self._lock:
            yield

    def _begin(self) -> None:
        """Find the last line. A new chain gets its first one, and what broke off is named."""
        self._walk = walked(self.folder, self.public_key, thorough=False, patient=False)
        if not self._walk.file:
            self._walk.open(1)
        if not self._walk.line:
            self._write({}, SystemClock().now(), BEGUN, chain=secrets.token_hex(8))
        elif self._walk.torn:
            self._write({}, SystemClock().now(), TORN)
        self._walk.thorough = True  # of what others write, every signature is checked

    def _sign(
        self, heads: dict[str, list[Any]], at: str, kind: str = "", **more: Any
    ) -> list[Mark]:
        if not heads:
            return []
        try:
            with self._alone():
                self._catch_up()
                if self._is_long():
                    self._turn_over(at)
                line = self._write(heads, at, kind, **more)
        except OSError as error:
            which = " and ".join(f"{stream} at event {heads[stream][0]}" for stream in heads)
            raise CheckpointFailed(
                f"the checkpoint of {which} could not be written to {self._path}: {reason(error)}"
            ) from error
        for tell in self.told:
            tell()
        return [line.mark(stream) for stream in heads]

    @property
    def _path(self) -> Path:
        return self.folder / file_name(self._walk.file)

    def _catch_up(self) -> None:
        """Read what others have written here since."""
        walk = self._walk
        size = self._path.stat().st_size if self._path.exists() else 0
        if size < walk.size:
            logger.critical(
                "%s was cut from %d to %d bytes while the server runs: what was in it is lost, "
                "unless there is a copy", self._path, walk.size, size,
            )  # fmt: skip
            walk.size = size
        elif size > walk.size:
            with self._path.open("rb") as file:
                file.seek(walk.size)
                for raw in file:
                    walk.feed(raw)
        while (following := self.folder / file_name(walk.file + 1)).exists():
            walk.open(walk.file + 1)
            for raw in raw_lines(following):
                walk.feed(raw)

    def _is_long(self) -> bool:
        """Whether another file is due. One that has flaws stays, for a start reads the newest."""
        walk = self._walk
        if walk.file > 1 and not walk.size:
            return True
        is_large = walk.size >= max(self.largest, 4 * walk.first)
        return is_large and not walk.flaws and not walk.against

    def _turn_over(self, at: str) -> None:
        """Begin another file, with what every log is held to; it is there whole or not at all."""
        walk = self._walk
        raw = self._composed(walk.heads(), at, FULL, chain=walk.chain)
        create(self.folder / file_name(walk.file + 1), raw + b"\n", 0o644)
        walk.open(walk.file + 1)
        walk.feed(raw + b"\n")

    def _write(self, heads: dict[str, list[Any]], at: str, kind: str = "", **more: Any) -> Line:
        """Add a line to the newest file, in one write, and sync it."""
        file = os.open(self._path, os.O_RDWR | os.O_APPEND | os.O_CREAT | BINARY, 0o644)
        try:
            end = b"" if _ends_a_line(file) else b"\n"  # what breaks off must not spoil this one
            if kind == BEGUN:
                more["old"] = self._walk.old(end)
            raw = self._composed(heads, at, kind, **more)
            added = end + raw + b"\n"
            if os.write(file, added) != len(added):
                raise OSError(None, "No space left for a whole line")
            os.fsync(file)
        finally:
            os.close(file)
        if self._walk.size == 0:
            sync_folder(self.folder)
        if end:
            self._walk.newline()
        self._walk.feed(raw + b"\n")
        line = parse(raw)
        assert isinstance(line, Line)
        return line

    def _composed(self, heads: dict[str, list[Any]], at: str, kind: str, **more: Any) -> bytes:
        walk = self._walk
        said: dict[str, Any] = {"line": walk.line + 1, "at": at}
        said |= ({"kind": kind} if kind else {}) | more
        if walk.torn:
            said["torn"] = [bad.hash for bad in walk.torn]
        said |= {"heads": heads, "previous": walk.hash, "key": self.fingerprint}
        return compose(said, self._key)


def _ends_a_line(file: int) -> bool:
    if os.fstat(file).st_size == 0:
        return True
    os.lseek(file, -1, os.SEEK_END)
    return os.read(file, 1) == b"\n"
