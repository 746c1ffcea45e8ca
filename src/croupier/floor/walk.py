"""Walking through the checkpoints, line by line: what they hold each log to, and their flaws.

Every line of today has the hash of the line before it, so the signature of
the last one proves all of them: whoever is in a hurry checks that one, and
whoever is thorough checks each.
"""

import hashlib
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from croupier.floor.events import BEGINNING
from croupier.floor.keys import fingerprint
from croupier.floor.lines import (
    BEGUN,
    FILE,
    FULL,
    RESTORED,
    Line,
    Mark,
    file_name,
    files,
    foreign,
    hash_of,
    is_torn,
    parse,
    unreadable,
    unsigned,
    was_torn,
)

MOMENT = 0.02  # seconds that a reader gives a server to finish the line that it writes,
MOMENTS = 10  # so many times


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that proves nothing, and why."""

    number: int  # its place in its file
    sentence: str
    stream: str = ""  # as far as it can be told
    torn: bool = False  # it breaks off, as a crash or a full disk leaves it
    file: str = FILE
    hash: str = ""

    @property
    def place(self) -> str:
        return f"line {self.number:,} of {'the checkpoints' if self.file == FILE else self.file}"


@dataclass(frozen=True, slots=True)
class Flaw:
    """What is wrong with the checkpoints as a whole."""

    name: str  # by which somebody can answer for it
    line: int  # the place in its file, or 0
    sentence: str


class Walk:
    """The lines so far."""

    def __init__(self, key: Ed25519PublicKey, *, thorough: bool) -> None:
        self.key, self.named, self.thorough = key, fingerprint(key), thorough
        self.line, self.hash, self.chain = 0, BEGINNING, ""  # of the last line
        self.lines = 0  # that were read
        self.held: dict[str, tuple[int, Line | Mark]] = {}  # each log to its longest count
        self.restored: dict[str, str] = {}  # when somebody last answered for a log
        self.bad: list[BadLine] = []  # old lines that prove nothing
        self.against: dict[str, BadLine] = {}
        self.flaws: list[Flaw] = []
        self.torn: list[BadLine] = []  # lines at the end that break off
        self.file, self.position, self.size = 0, 0, 0  # the file, and what was read of it
        self.first = 0  # bytes of its first line
        self._fresh = False  # the next line is the first of its file
        self._astray = False  # the next line can follow from nothing
        self._unchecked: tuple[Line, BadLine] | None = None
        self._before, self._old = hashlib.sha256(), 0  # the lines of 0.6.0

    def open(self, number: int) -> None:
        """The next line is the first of this file."""
        self.file, self.position, self.size, self._fresh = number, 0, 0, True

    def feed(self, raw: bytes) -> None:
        """A line, with its newline if it has one."""
        self.position += 1
        self.size += len(raw)
        self.first = len(raw) if self.position == 1 else self.first
        line = raw.removesuffix(b"\n")
        if line.strip():
            self.lines += 1
            said = parse(line)
            if isinstance(said, Line):
                self._today(said)
            elif self.line:
                self._misplaced(line, said)
            else:
                self._of_old(line, said)
        if not self.line:
            self._before.update(raw)

    def newline(self) -> None:
        """The last line, which had no newline, has got one."""
        self.size += 1
        if not self.line:
            self._before.update(b"\n")

    def heads(self) -> dict[str, list[Any]]:
        """What each log is held to: a count and a hash."""
        return {
            stream: said.heads[stream] if isinstance(said, Line) else [said.count, said.head]
            for stream, (_, said) in self.held.items()
        }

    def old(self, more: bytes = b"") -> list[Any]:
        """The count of the lines of version 0.6.0, and the hash of all their bytes."""
        before = self._before.copy()
        before.update(more)
        return [self._old, before.hexdigest()]

    def finish(self) -> None:
        """Check what has been believed in a hurry."""
        if self._unchecked is not None:
            line, here = self._unchecked
            if wrong := unsigned(line, self.key):
                self._distrust(line, here, wrong)
        self._unchecked = None
        if not self.thorough:
            for stream, (_, said) in [*self.held.items()]:
                if isinstance(said, Mark) and (wrong := unsigned(said, self.key)):
                    del self.held[stream]
                    self._disbelieve(BadLine(said.line, wrong, stream))

    def all_flaws(self) -> list[Flaw]:
        """Those that were found, and what breaks off at the end."""
        return self.flaws + [
            self._flaw(
                bad, "breaks off, as a power loss leaves it: start the server once, which keeps "
                "it and says so in the next line",
            )
            for bad in self.torn
        ]  # fmt: skip

    def missing(self, number: int) -> None:
        """A file between others is not there."""
        name = file_name(number)
        sentence = f"the file {name} of the checkpoints is missing: it was taken away"
        self.flaws.append(Flaw(f"missing {name}", 0, sentence))
        self._astray = True

    def empty(self, number: int) -> None:
        """A file holds nothing; none is ever made so."""
        name = file_name(number)
        sentence = f"the file {name} of the checkpoints is empty: what it held was taken out"
        self.flaws.append(Flaw(f"empty {name}", 0, sentence))

    # Lines of today.

    def _today(self, line: Line) -> None:
        is_checked = self.thorough or bool(line.kind)
        wrong = unsigned(line, self.key) if is_checked else foreign(line, self.named)
        here = self._here(line.raw)
        self._unchecked = None if is_checked or wrong else (line, here)
        if wrong:
            self._distrust(line, here, wrong)
        elif out := self._out_of_order(line):
            self._add(here, out)
        self._settle_torn(line, trusted=not wrong)
        self.chain = self.chain or line.chain or "unknown"
        self.line, self.hash = line.number, here.hash
        self._astray, self._fresh = bool(wrong), False
        if not wrong:
            self._believe(line)

    def _out_of_order(self, line: Line) -> str:
        """Why a line cannot follow the one before it."""
        due = self.line + 1
        if self._fresh or not self.line:
            first = BEGUN if self.file == 1 else FULL
            if line.kind != first or (self.chain and line.chain != self.chain):
                return "cannot be the first: lines before it were taken out"
        if self._astray or (not self.line and line.kind == FULL):
            return ""
        if not self.line and line.old != self.old():
            return "names other old lines than those before it: they were changed"
        if line.number > due:
            lines = f"line {due:,} is" if line.number == due + 1 else f"{due:,} and more are"
            return f"has the number {line.number:,}, and {lines} missing before it"
        if line.number < due:
            return f"has the number {line.number:,}, which stood before it"
        return "" if line.previous == self.hash else "does not follow the line before it"

    def _settle_torn(self, line: Line, *, trusted: bool) -> None:
        """A line that broke off is accepted if the next one names it, and no other."""
        torn, self.torn = self.torn, []
        if not trusted or line.torn == [bad.hash for bad in torn]:
            return
        for bad in torn:
            self._add(bad, "breaks off, and the line after it does not say so")
        if line.torn:
            self._add(self._here(line.raw), "names a line that broke off, which is not there")

    def _distrust(self, line: Line, here: BadLine, wrong: str) -> None:
        here = replace(here, sentence=wrong)
        if line.key == self.named:
            self._add(here, wrong)
        elif all(flaw.name != f"key {line.key}" for flaw in self.flaws):
            self.flaws.append(replace(self._flaw(here, wrong), name=f"key {line.key}"))
        for stream in line.heads:
            self.against.setdefault(stream, replace(here, stream=stream))

    def _believe(self, line: Line) -> None:
        if line.kind == RESTORED:
            self.flaws = [flaw for flaw in self.flaws if flaw.name not in line.pardons]
            for stream in line.heads:
                self._pardon(stream, line.at)
        for stream, (count, _) in line.heads.items():
            self._hold(stream, count, line)

    def _misplaced(self, raw: bytes, said: Mark | None) -> None:
        """Something else than a line of today, after such lines."""
        here = self._here(raw)
        if said is not None:
            self._add(here, "is of the old form, after lines of the new: it was put in later")
        elif is_torn(raw):
            self.torn.append(here)
            return
        else:
            self._add(here, "is not a checkpoint")
        self._astray = True

    # Lines of version 0.6.0.

    def _of_old(self, raw: bytes, said: Mark | None) -> None:
        self._old += 1
        self.hash = hash_of(raw)
        self.torn = []  # what broke off before this one was no harm then
        if said is None:
            self._no_mark(raw)
            return
        said = replace(said, line=self.position)
        is_checked = self.thorough or said.kind == RESTORED
        if is_checked and (wrong := unsigned(said, self.key)):
            self._disbelieve(BadLine(self.position, wrong, said.stream))
            return
        if said.kind == RESTORED:
            self._pardon(said.stream, said.at)
        self._hold(said.stream, said.count, said)

    def _no_mark(self, raw: bytes) -> None:
        torn = was_torn(raw)
        here = replace(self._here(raw), torn=torn)
        self._disbelieve(replace(here, sentence="breaks off" if torn else "is not a checkpoint"))
        if torn:
            self.torn = [here]

    def _disbelieve(self, bad: BadLine) -> None:
        self.bad.append(bad)
        if bad.stream:
            self.against.setdefault(bad.stream, bad)

    # Both.

    def _hold(self, stream: str, count: int, said: Line | Mark) -> None:
        """Hold the log to the longest that was signed since somebody answered for it."""
        if stream not in self.held or count >= self.held[stream][0]:
            self.held[stream] = count, said

    def _pardon(self, stream: str, at: str) -> None:
        self.held.pop(stream, None)
        self.against.pop(stream, None)
        self.restored[stream] = at

    def _here(self, raw: bytes) -> BadLine:
        return BadLine(self.position, "", file=file_name(self.file), hash=hash_of(raw))

    def _add(self, bad: BadLine, what: str) -> None:
        self.flaws.append(self._flaw(bad, what))

    def _flaw(self, bad: BadLine, what: str) -> Flaw:
        name = f"{bad.file} {bad.number} {bad.hash}"
        return Flaw(name, bad.number, f"{bad.place} {what}")


def walked(
    folder: Path, key: Ed25519PublicKey, *, thorough: bool, patient: bool = True
) -> Walk:  # fmt: skip
    """Walk through a folder: all files if thorough, else the newest.

    A patient reader gives a server time to finish the line that it writes.
    """
    walk = Walk(key, thorough=thorough)
    found = files(folder)
    filled = [number for number, path in found.items() if _size(path)]  # none is made empty
    first = 1 if thorough or not filled else filled[-1]
    for number in range(1, max(found, default=0) + 1):
        if number not in found:
            walk.missing(number)
            continue
        if number >= first:
            walk.open(number)
            for raw in raw_lines(found[number], patient=patient):
                walk.feed(raw)
        if number not in filled:
            walk.empty(number)
    walk.finish()
    return walk


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError as error:
        raise unreadable(path, error) from error


def raw_lines(path: Path, *, patient: bool = False) -> Iterator[bytes]:
    """The lines of a file with their newlines; the last may have none."""
    try:
        with path.open("rb") as file:
            for raw in file:
                line = raw
                for _ in range(MOMENTS if patient else 0):
                    if line.endswith(b"\n") or not is_torn(line):
                        break
                    time.sleep(MOMENT)
                    line += file.readline()
                yield line
    except OSError as error:
        raise unreadable(path, error) from error
