"""The lines of the checkpoints: how each is written, read and signed.

A line of today speaks of all logs that have grown. It has a number and the
hash of the line before it, and its signature covers every byte of the line.
A line of version 0.6.0 speaks of one log, and nothing ties it to the others;
such lines are still read, as long as no line of today stands before them.
"""

import base64
import binascii
import hashlib
import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from croupier.floor.events import canonical
from croupier.floor.keys import CheckpointFailed, fingerprint, reason
from croupier.rulebook.refusal import brief

FILE = "checkpoints.jsonl"  # the first; those that follow have numbers
FOLLOWING = re.compile(r"checkpoints-(\d{6,})\.jsonl")

BEGUN = "begun"  # the first line of a chain
FULL = "full"  # the first line of a further file: every log that was ever signed for
RESTORED = "restored"  # somebody answers for logs that went back
TORN = "torn"  # says only that the line before it broke off

TEXTS = {"stream", "head", "at", "key", "signature"}
OF_A_RESTORE = {"kind", "by", "why"}
ALWAYS = {"line", "at", "heads", "previous", "key", "signature"}
MORE = {
    "": set(),
    BEGUN: {"kind", "chain", "old"},
    FULL: {"kind", "chain"},
    RESTORED: {"kind", "by", "why", "pardons"},
    TORN: {"kind"},
}
MOST = 2**62  # no count and no number is higher
START = b'{"line":'
NUMBERED = re.compile(rb'\{"line":(\d{1,19}),')
SIGNED = b',"signature":"'


@dataclass(frozen=True, slots=True)
class Mark:
    """What a signed line says of one log: it had so many events, and this was the last hash."""

    stream: str
    count: int
    head: str
    at: str
    key: str  # the fingerprint of the key that signed
    signature: str
    line: int = 0  # its number in the chain; of an old line, its place in the file
    kind: str = ""  # "restored" where somebody answered for a log that went back
    by: str = ""
    why: str = ""
    text: str = ""  # the whole line, which the signature covers

    def signed(self) -> bytes:
        """What the signature of an old line covers."""
        said: dict[str, Any] = {
            "stream": self.stream, "count": self.count, "head": self.head,
            "at": self.at, "key": self.key,
        }  # fmt: skip
        said |= {"kind": self.kind, "by": self.by, "why": self.why} if self.kind else {}
        return canonical(said).encode("utf-8", "surrogatepass")


@dataclass(frozen=True, slots=True)
class Line:
    """A line of today."""

    number: int
    at: str
    heads: dict[str, list[Any]]  # by log: the count of its events and the hash of the last
    previous: str
    key: str
    signature: str
    raw: bytes
    kind: str = ""
    by: str = ""
    why: str = ""
    chain: str = ""
    old: list[Any] = field(default_factory=list)  # lines of 0.6.0 before it, and their hash
    torn: list[str] = field(default_factory=list)  # the hashes of lines before it that broke off
    pardons: list[str] = field(default_factory=list)  # the flaws that a restore answers for

    def mark(self, stream: str) -> Mark:
        """What it says of one log."""
        count, head = self.heads[stream]
        return Mark(
            stream, count, head, self.at, self.key, self.signature, self.number, self.kind,
            self.by, self.why, self.raw.decode("ascii"),
        )  # fmt: skip


def compose(said: dict[str, Any], key: Ed25519PrivateKey) -> bytes:
    """A signed line, in plain ASCII whatever the names in it, without the newline."""
    body = json.dumps(said, separators=(",", ":")).encode("ascii")
    signature = base64.b64encode(key.sign(body))
    return body[:-1] + SIGNED + signature + b'"}'


def parse(raw: bytes) -> Line | Mark | None:
    """What a line says, in today's form or in the old one; None if it is no checkpoint."""
    try:
        said = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    if not isinstance(said, dict):
        return None
    if "line" in said:
        return _of_today(said, raw)
    return Mark(**said, text=raw.decode("utf-8", "replace")) if _is_old(said) else None


def _of_today(said: dict[str, Any], raw: bytes) -> Line | None:
    if not raw.isascii() or not raw.startswith(START) or not _is_line(said):
        return None
    said["number"] = said.pop("line")
    return Line(**said, raw=raw)


def _is_line(said: dict[str, Any]) -> bool:
    kind = said.get("kind", "")
    if not isinstance(kind, str) or kind not in MORE:
        return False
    if said.keys() - {"torn"} != ALWAYS | MORE[kind]:
        return False
    texts = ("at", "previous", "key", "signature", "by", "why", "chain")
    lists = ("torn", "pardons")
    heads, old = said["heads"], said.get("old", [0, ""])
    return (
        _is_count(said["line"])
        and said["line"] > 0
        and all(isinstance(said.get(name, ""), str) for name in texts)
        and all(_are_texts(said.get(name, [])) for name in lists)
        and isinstance(heads, dict)
        and all(map(_is_head, heads.values()))
        and _is_head(old)
    )


def _is_count(value: Any) -> bool:
    return type(value) is int and 0 <= value < MOST


def _is_head(value: Any) -> bool:
    return (
        isinstance(value, list) and len(value) == 2
        and _is_count(value[0]) and isinstance(value[1], str)
    )  # fmt: skip


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


def _is_old(said: dict[str, Any]) -> bool:
    texts = TEXTS | OF_A_RESTORE if "kind" in said else TEXTS
    return (
        set(said) == {*texts, "count"}
        and _is_count(said["count"])
        and all(isinstance(said[name], str) for name in texts)
        and said.get("kind", RESTORED) == RESTORED
    )


def foreign(said: Line | Mark, named: str) -> str:
    """What is wrong if a line names another key than the one of this fingerprint."""
    if said.key == named:
        return ""
    return f"is signed with another key, {brief(said.key)}, than the one given, {named!r}"


def unsigned(said: Line | Mark, key: Ed25519PublicKey) -> str:
    """What is wrong with the signature of a line, if anything is."""
    if wrong := foreign(said, fingerprint(key)):
        return wrong
    if isinstance(said, Mark):
        covered = said.signed()
    else:
        body, _, tail = said.raw.rpartition(SIGNED)
        covered = body + b"}" if tail == said.signature.encode() + b'"}' else b""
    try:
        key.verify(base64.b64decode(said.signature, validate=True), covered)
    except (InvalidSignature, binascii.Error, ValueError):
        return "does not bear the signature of what it says"
    return ""


def is_torn(raw: bytes) -> bool:
    """Whether a power loss can have left this of a line of today: its beginning, or nothing."""
    left = raw.rstrip(b"\0")
    return (left.startswith(START) or START.startswith(left)) and not _is_json(raw)


def _is_json(raw: bytes) -> bool:
    try:
        json.loads(raw)
    except (ValueError, RecursionError):
        return False
    return True


def was_torn(raw: bytes) -> bool:
    """The same of a line of version 0.6.0."""
    return not raw.endswith(b"}")


def hash_of(raw: bytes) -> str:
    return hashlib.sha256(raw).hexdigest()


def file_name(number: int) -> str:
    return FILE if number == 1 else f"checkpoints-{number:06}.jsonl"


def files(folder: Path) -> dict[int, Path]:
    """The files of checkpoints in a folder by their number, in order."""
    found: dict[int, Path] = {}
    try:
        for path in folder.iterdir():
            if path.name == FILE:
                found[1] = path
            elif named := FOLLOWING.fullmatch(path.name):
                found[int(named[1])] = path
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise unreadable(folder, error) from error
    return dict(sorted(found.items()))


def number_of(raw: bytes) -> int:
    """The number of a line of today; 0 for anything else."""
    found = NUMBERED.match(raw)
    return int(found[1]) if found else 0


def unreadable(path: Path, error: OSError) -> CheckpointFailed:
    return CheckpointFailed(f"the checkpoints in {path} cannot be read: {reason(error)}")
