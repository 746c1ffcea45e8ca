"""What the checkpoints say: what each log is held to, and whether the lines are all there."""

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from croupier.floor.keys import KEY, public_file, read_public_key
from croupier.floor.lines import (
    RESTORED,
    Line,
    Mark,
    files,
    hash_of,
    is_torn,
    number_of,
    parse,
    unsigned,
)
from croupier.floor.walk import BadLine, Flaw, Walk, raw_lines, walked

NAMING = ("sealed", "started", RESTORED)  # events of the house that name the last line
ANCHOR = "anchor"  # where in their data


@dataclass(slots=True)
class Marks:
    """What a folder of checkpoints says."""

    newest: dict[str, Mark] = field(default_factory=dict)  # what each stream is held to
    bad: list[BadLine] = field(default_factory=list)  # lines of 0.6.0 that prove nothing
    lines: int = 0
    against: dict[str, BadLine] = field(default_factory=dict)  # what speaks against a stream
    flaws: list[Flaw] = field(default_factory=list)  # what is wrong with the lines as a whole
    folder: Path | None = None
    key: str = ""  # the fingerprint of the key that they were checked with
    chain: str = ""
    line: int = 0  # the number of the last line,
    hash: str = ""  # and its hash
    torn: bool = False  # the last line breaks off
    missing: bool = False  # there is no file, or nothing in it
    restored: dict[str, str] = field(default_factory=dict)  # when somebody answered for a stream
    others: list["Marks"] = field(default_factory=list)  # of other servers of the same house

    @property
    def all(self) -> "list[Marks]":
        return [self, *self.others]


def read(
    folder: Path,
    public_key: Ed25519PublicKey | Path | str | None = None,
    *,
    thorough: bool = True,
) -> Marks:
    """Check the lines of a folder: what each stream is held to, and every bad line.

    The public key is a key, a PEM file or its text; without one, the file in
    the folder is believed. Not thorough, only the newest file is read and only
    the signatures that decide are checked, so that a server with years of
    lines starts at once.
    """
    key = read_public_key(public_file(folder / KEY) if public_key is None else public_key)
    return said_by(walked(folder, key, thorough=thorough), folder)


def said_by(walk: Walk, folder: Path) -> Marks:
    newest = {
        stream: said.mark(stream) if isinstance(said, Line) else said
        for stream, (_, said) in walk.held.items()
    }
    return Marks(
        newest, walk.bad, walk.lines, walk.against, walk.all_flaws(), folder, walk.named,
        walk.chain, walk.line, walk.hash, bool(walk.torn), not walk.lines, walk.restored,
    )  # fmt: skip


def check(
    marks: Marks, stream: str, count: int, hash_of: Callable[[int], str | None]
) -> str | None:
    """What is wrong with a log of `count` events, by the checkpoints; None if nothing is.

    `hash_of` gives the hash of the event of a number. The chain itself is
    checked elsewhere: a changed event changes every hash that follows.
    """
    if stream in marks.against:
        bad = marks.against[stream]
        return f"{bad.place} {bad.sentence}"
    mark = marks.newest.get(stream)
    if mark is None or mark.count == 0:
        return None
    if count < mark.count:
        return (
            f"the log of {stream} was truncated: it has {count} events, and the checkpoint of "
            f"{mark.at} counted {mark.count}"
        )
    if hash_of(mark.count) != mark.head:
        return (
            f"the log of {stream} was hashed anew: event {mark.count} is not the one that the "
            f"checkpoint of {mark.at} signed"
        )
    return None


def signed_heads(folder: Path, key: Ed25519PublicKey, stream: str) -> dict[int, str]:
    """Every count of a log that was signed, with the hash of its last event then."""
    heads: dict[int, str] = {}
    for path in files(folder).values():
        for raw in raw_lines(path):
            said = parse(raw.removesuffix(b"\n"))
            if said is None or unsigned(said, key):
                continue
            if isinstance(said, Line) and stream in said.heads:
                said = said.mark(stream)
            if isinstance(said, Mark) and said.stream == stream:
                if said.kind == RESTORED:  # somebody answered for what was before
                    heads.clear()
                heads[said.count] = said.head
    return heads


def merged(first: Marks, *others: Marks) -> Marks:
    """The checkpoints of several servers of one house: each log is held to the longest."""
    for other in others:
        for stream, mark in other.newest.items():
            held = first.newest.get(stream)
            answered = max(each.restored.get(stream, "") for each in (first, other))
            old = [each for each in (held, mark) if each is not None and each.at >= answered]
            if old:
                first.newest[stream] = max(old, key=lambda each: each.count)
        for stream, at in other.restored.items():
            first.restored[stream] = max(at, first.restored.get(stream, ""))
        first.against = other.against | first.against
        first.bad += other.bad
        first.flaws += other.flaws
        first.lines += other.lines
        first.others.append(other)
    return first


# What the house's own log knows of the lines.


class Expected:
    """The lines that the house's log names, and so must be there."""

    def __init__(self) -> None:
        self.states: dict[str, dict[int, Mapping[str, Any]]] = {}  # by chain and number
        self.chains: set[str] = set()  # all that were ever named
        self.malformed = False

    def hear(self, kind: str, data: Mapping[str, Any]) -> None:
        """What an event of the house says of them, if it does."""
        state = data.get(ANCHOR) if kind in NAMING else None
        if state is None:
            return
        if not _is_state(state):
            self.malformed = True
            return
        if kind == RESTORED:  # somebody answers for what was before
            self.states.clear()
        self.chains.add(state["chain"])
        self.states.setdefault(state["chain"], {})[state["line"]] = state


def _is_state(state: Any) -> bool:
    texts = ("key", "chain", "hash")
    return (
        isinstance(state, dict)
        and type(state.get("line")) is int
        and all(isinstance(state.get(name), str) for name in texts)
    )


def check_anchor(marks: Marks, expected: Expected) -> list[str]:
    """What is wrong with the checkpoints by what the house's log knows of them."""
    if expected.malformed:
        return ["the house's log names a line of the checkpoints that cannot be"]
    wrong = [_check_chain(marks, states) for states in expected.states.values()]
    if expected.chains:
        wrong += [
            f"the house's log does not know the checkpoints in {each.folder}: they were begun "
            "anew, or belong to another house"
            for each in marks.all
            if each.chain and each.chain not in expected.chains
        ]
    return [sentence for sentence in wrong if sentence]


def _check_chain(marks: Marks, states: Mapping[int, Mapping[str, Any]]) -> str:
    last = states[max(states)]
    knows = f"the house's log knows line {last['line']:,}"
    there = next((each for each in marks.all if each.chain == last["chain"]), None)
    if there is None or there.folder is None:
        if all(each.missing for each in marks.all):
            where = marks.folder or "the folder that was given"
            return f"the checkpoints are missing: nothing is in {where}, and {knows} of them"
        return f"the checkpoints that the house's log names are not here, and {knows} of them"
    if there.key != last["key"]:
        return (
            f"the checkpoints were checked with the key {there.key!r}, and the house's log names "
            f"the key {last['key']!r}"
        )
    found = hashes(there.folder, states)
    for number, state in sorted(states.items()):
        if number not in found:
            return (
                f"the checkpoints in {there.folder} were cut: they end at line {there.line:,}, and "
                f"{knows}"
            )
        if found[number] != state["hash"]:
            return (
                f"line {number:,} of the checkpoints in {there.folder} is not the one that the "
                "house's log knows: they were written anew"
            )
    return ""


def hashes(folder: Path, wanted: Collection[int]) -> dict[int, str]:
    """The hashes of lines by their number, as they stand now. Only their files are read."""
    found: dict[int, str] = {}
    for path, numbers in _by_file(folder, wanted):
        for raw in raw_lines(path):
            # What breaks off says the number of the line that is written after it.
            if number_of(raw) in numbers and not is_torn(raw):
                found.setdefault(number_of(raw), hash_of(raw.removesuffix(b"\n")))
    return found


def _by_file(folder: Path, wanted: Iterable[int]) -> Iterator[tuple[Path, set[int]]]:
    paths = [*files(folder).values()]
    firsts: dict[Path, int] = {}

    def first(path: Path) -> int:
        if path not in firsts:
            firsts[path] = number_of(next(raw_lines(path), b""))
        return firsts[path]

    groups: dict[Path, set[int]] = {}
    for number in wanted if paths else ():
        at = max(bisect_right(paths, number, key=first) - 1, 0)
        groups.setdefault(paths[at], set()).add(number)
    yield from groups.items()
