"""A second copy of the log, on a disk of its own [13:69O-1.8(a)].

A thread reads every event that was committed and adds it to a file, with all
its columns, within about a second. How far it has come stands in the file
itself: after a crash it goes on there, and no event is missing or there twice.
The copy never changes what it has. Where the database says something else by
now, the copy is the witness, and `compare` names the event.
"""

import json
import logging
import os
import re
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import groupby, islice
from pathlib import Path
from typing import Any, BinaryIO

from filelock import FileLock
from sqlalchemy import Connection, text
from sqlalchemy import exc as sql

from croupier.floor import log
from croupier.floor.events import BEGINNING, LogEvent
from croupier.floor.keys import create, reason
from croupier.floor.log import LogBroken
from croupier.floor.storage import Storage, StorageError

LARGEST = 16 << 20  # bytes of a file, after which another one follows
PAGE = 1000  # events that are read at a time
BREATH = 0.01  # seconds after each full page, so that others go first
PAUSE = 0.5  # seconds between two looks at the database,
SHARE = 10  # and so many times as long as a look took
COMPLAIN = 60.0  # seconds between two complaints
LOCK = "mirror.lock"
NAMED = re.compile(r"events-(\d{6,})\.jsonl")
HEADER = "after"  # what the first line of a file says: the last event of every stream before it

# How long every stream is, found by its index alone however long they are.
HEADS = text(
    "WITH RECURSIVE named(stream) AS ("
    " SELECT min(stream) FROM events UNION ALL"
    " SELECT (SELECT min(e.stream) FROM events e WHERE e.stream > named.stream) FROM named"
    " WHERE named.stream IS NOT NULL) "
    "SELECT stream, (SELECT max(e.number) FROM events e WHERE e.stream = named.stream) AS number "
    "FROM named WHERE stream IS NOT NULL"
)

Heads = dict[str, tuple[int, str]]  # the number and the hash of the last event, by stream

logger = logging.getLogger("croupier.mirror")


class MirrorFailed(Exception):
    """The copy cannot be made or read, in one sentence."""


class Mirror:
    """Keeps the copy up to date while a server runs."""

    def __init__(self, storage: Storage, folder: Path, *, largest: int = LARGEST) -> None:
        self.storage, self.folder, self.largest = storage, folder, largest
        self.trouble: str | None = None  # what keeps it from copying just now
        self.differing: dict[str, str] = {}  # streams that are no longer what was copied
        self._lock = FileLock(folder / LOCK, thread_local=False)
        self._file: BinaryIO | None = None
        self._number = 0  # of the file
        self._heads: Heads = {}
        self._closing = threading.Event()
        self._complained = -COMPLAIN
        self._thread = threading.Thread(target=self._run, name="mirror", daemon=True)

    @property
    def failed(self) -> str | None:
        """Why the copy is not up to date, in a sentence; None if it is."""
        return self.trouble or next(iter(self.differing.values()), None)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Copy what is there, and end."""
        self._closing.set()
        if self._thread.is_alive():
            self._thread.join(10)

    def copy(self) -> int:
        """Copy every event that is not copied yet; how many there were."""
        if self._file is None:
            self._open()
        copied = 0
        with self.storage.read() as conn:
            grown = _heads(conn)
        for stream, number in grown.items():
            if stream not in self.differing and number > self._last(stream)[0]:
                copied += self._copy(stream, number)
        for stream in self._heads.keys() - self.differing.keys():
            if self._last(stream)[0] > grown.get(stream, 0):
                self._differs(stream)
        if copied and self._file is not None:
            os.fsync(self._file.fileno())
        return copied

    def close(self) -> None:
        """Let go of the folder."""
        if self._file is not None:
            self._file.close()
            self._file = None
        self._lock.release()

    def _run(self) -> None:
        try:
            while True:
                ending = self._closing.is_set()
                begun = time.monotonic()
                self._try()
                if ending:
                    return
                self._closing.wait(max(PAUSE, SHARE * (time.monotonic() - begun)))
        finally:
            self.close()

    def _try(self) -> None:
        try:
            self.copy()
        except Exception as error:  # whatever it is, the tables go on, and so does the copy later
            known = isinstance(error, (MirrorFailed, StorageError, sql.SQLAlchemyError))
            why = reason(error) if isinstance(error, OSError) else str(error)
            self.trouble = f"the log is not copied to {self.folder}: {why}"
            if time.monotonic() - self._complained >= COMPLAIN:
                self._complained = time.monotonic()
                logger.error("%s", self.trouble, exc_info=not known)
            with suppress(OSError):
                self.close()  # what was written of it, the file itself tells
        else:
            self.trouble = None

    # The files.

    def _open(self) -> None:
        """Find the place in the newest file, after which events are added."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            self._lock.acquire(timeout=0)
        except TimeoutError:
            raise MirrorFailed("another server copies its log there: name another folder") from None
        found = files(self.folder)
        self._number, self._heads = max(found, default=0), {}
        if found:
            for event in _entries(found[self._number]):
                if isinstance(event, LogEvent):
                    self._heads[event.stream] = event.number, event.hash
                elif event is not None:
                    self._heads = event
            self._append_to(found[self._number])
        else:
            self._turn_over()
        with self.storage.read() as conn:
            for stream, (number, head) in self._heads.items():
                if log.hash_of(conn, stream, number) != head:
                    self._differs(stream)

    def _append_to(self, path: Path) -> None:
        file = path.open("r+b")
        end = file.seek(0, os.SEEK_END)
        file.seek(max(0, end - 1))
        if file.read(1) not in (b"", b"\n"):
            file.write(b"\n")  # what broke off is no event, and comes once more as a whole
            file.flush()
        self._file = file

    def _turn_over(self) -> None:
        """Begin another file, with where each stream stands; it is there whole or not at all."""
        if self._file is not None:
            os.fsync(self._file.fileno())
            self._file.close()
            self._file = None
        path = self.folder / file_name(self._number + 1)
        create(path, json.dumps({HEADER: self._heads}).encode("ascii") + b"\n")
        self._number += 1
        self._append_to(path)

    def _copy(self, stream: str, number: int) -> int:
        """The events of a stream up to this number."""
        copied = 0
        while self._last(stream)[0] < number:
            with self.storage.read() as conn:
                after = self._last(stream)[0]
                page = [*log.read(conn, stream, after=after, upto=number, limit=PAGE)]
            if not page or page[0][1] != after + 1 or page[0].previous != self._last(stream)[1]:
                self._differs(stream)
                break
            assert self._file is not None
            self._file.write(b"".join(map(_written, page)))
            self._file.flush()
            self._heads[stream] = page[-1].number, page[-1].hash
            copied += len(page)
            if self._file.tell() >= self.largest:
                self._turn_over()
            if len(page) == PAGE:
                time.sleep(BREATH)
        return copied

    def _last(self, stream: str) -> tuple[int, str]:
        return self._heads.get(stream, (0, BEGINNING))

    def _differs(self, stream: str) -> None:
        """Nothing is added to the copy of a stream that is not the one that was copied."""
        self.differing[stream] = (
            f"the log of {stream} was cut or changed: its copy in {self.folder} has event "
            f"{self._last(stream)[0]:,}, which the database does not have so; run croupier verify "
            f"--mirror {self.folder}, keep that folder, and name another for the copy"
        )
        logger.critical("%s", self.differing[stream])


def file_name(number: int) -> str:
    return f"events-{number:06}.jsonl"


def files(folder: Path) -> dict[int, Path]:
    """The files of a copy by their number, in order."""
    try:
        found = {
            int(named[1]): path
            for path in folder.iterdir()
            if (named := NAMED.fullmatch(path.name))
        }  # fmt: skip
    except FileNotFoundError:
        return {}
    return dict(sorted(found.items()))


def _written(event: LogEvent) -> bytes:
    return json.dumps(event, separators=(",", ":")).encode("ascii") + b"\n"


def _entries(path: Path) -> Iterator[LogEvent | Heads | None]:
    """What every line of a file says; None of one that says nothing."""
    with path.open("rb") as file:
        yield from map(_read, file)


def _read(raw: bytes) -> LogEvent | Heads | None:
    try:
        said = json.loads(raw)
        if isinstance(said, dict):
            return {stream: (int(n), str(h)) for stream, (n, h) in said[HEADER].items()}
        event = LogEvent._make(said)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None
    return event if isinstance(event.stream, str) and type(event.number) is int else None


# Whether the database and the copy agree.


@dataclass
class Comparison:
    """What was compared, and the first event of every stream on which the two do not agree."""

    events: int = 0
    wrong: list[LogBroken] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)


def compare(storage: Storage, folder: Path) -> Comparison:
    """Hold the database to its copy. A copy that is behind is remarked on and no error."""
    comparison = Comparison()
    comparing = _Comparing(storage, comparison)
    found = files(folder)
    if not found:
        comparing.wrong("the copy", 0, f"there is no copy of the log in {folder}")
        return comparison
    for number in range(1, max(found) + 1):
        if number in found:
            comparing.file(found[number])
        else:
            comparing.wrong("the copy", 0, f"the file {file_name(number)} in {folder} is missing")
    comparing.finish()
    return comparison


class _Comparing:
    """One comparison, file by file."""

    def __init__(self, storage: Storage, found: Comparison) -> None:
        self.storage, self.found = storage, found
        self.heads: Heads = {}
        self.bad: set[str] = set()

    def wrong(self, stream: str, number: int, why: str) -> None:
        """Only the first is told of every stream."""
        if stream not in self.bad:
            self.bad.add(stream)
            self.found.wrong.append(LogBroken(stream, number, why))

    def file(self, path: Path) -> None:
        entries = _entries(path)
        first = next(entries, None)
        if not isinstance(first, dict):
            self.wrong("the copy", 0, f"{path.name} does not begin as a file of a copy does")
        elif self._good(first) != self._good(self.heads):
            why = f"{path.name} does not follow what is copied before it: events were taken out"
            self.wrong("the copy", 0, why)
            self.heads |= self._good(first)
        events = (entry for entry in entries if isinstance(entry, LogEvent))
        for stream, run in groupby(events, key=lambda event: event.stream):
            while page := [*islice(run, PAGE)]:
                if stream not in self.bad:
                    self._page(stream, page)

    def _good(self, heads: Heads) -> Heads:
        """Of the streams of which nothing is told yet."""
        return {stream: head for stream, head in heads.items() if stream not in self.bad}

    def _page(self, stream: str, copied: list[LogEvent]) -> None:
        numbers = [event.number for event in copied]
        with self.storage.read() as conn:
            rows = log.read(conn, stream, after=min(numbers) - 1, upto=max(numbers))
            kept = {event.number: event for event in rows}
        for event in copied:
            due = self.heads.get(stream, (0, ""))[0] + 1
            if event.number > due:
                self.wrong(stream, due, "its copy lacks it: it was taken out there")
            elif why := _difference(event, kept.get(event.number)):
                self.wrong(stream, event.number, why)
            if stream in self.bad:
                return
            self.found.events += 1
            self.heads[stream] = max(due - 1, event.number), event.hash

    def finish(self) -> None:
        with self.storage.read() as conn:
            kept = _heads(conn)
        behind = sum(
            number - self.heads.get(stream, (0, ""))[0]
            for stream, number in kept.items()
            if stream not in self.bad
        )
        if behind > 0:
            events = f"{behind:,} event{'' if behind == 1 else 's'}"
            self.found.remarks.append(
                f"the copy is {events} behind: a server that runs, or runs again, adds them"
            )


def _heads(conn: Connection) -> dict[str, int]:
    return {stream: number for stream, number in conn.execute(HEADS) if type(number) is int}


def _difference(copied: LogEvent, kept: LogEvent | None) -> str:
    if kept is None:
        return "the log was cut: the copy has this event, and the database does not"
    pairs: Any = zip(LogEvent._fields, copied, kept, strict=True)
    other = [name for name, there, here in pairs if there != here]
    return f"it was changed: its copy has another {' and '.join(other)}" if other else ""
