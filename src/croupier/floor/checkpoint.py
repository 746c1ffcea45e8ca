"""Checkpoints: how long each log was and what its last hash was, signed, outside the database.

The chain of hashes shows a changed event, but not a log whose tail was cut
off, one that was hashed anew from end to end, or a database put back from an
old backup. A signed line elsewhere shows all three. Whoever holds the public
key can check the lines; only the server, which holds the private key, can
write them.
"""

import base64
import binascii
import hashlib
import json
import os
import stat
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
    load_pem_public_key,
)

from croupier.floor.events import canonical
from croupier.floor.files import sync_folder
from croupier.rulebook.refusal import brief

FILE = "checkpoints.jsonl"
KEY = "checkpoint.key"  # unless the house keeps its key elsewhere
TEXTS = {"stream", "head", "at", "key", "signature"}
OF_A_RESTORE = {"kind", "by", "why"}
RESTORED = "restored"


class CheckpointFailed(Exception):
    """A checkpoint could not be written or read, in one sentence."""


@dataclass(frozen=True, slots=True)
class Mark:
    """One signed line: this stream had so many events, and this was the hash of the last."""

    stream: str
    count: int
    head: str
    at: str
    key: str  # the fingerprint of the key that signed
    signature: str
    line: int = 0
    kind: str = ""  # "restored" where somebody answered for a log that went back
    by: str = ""
    why: str = ""

    def signed(self) -> bytes:
        """What the signature covers: all that the line says."""
        return canonical(self._says()).encode("utf-8", "surrogatepass")

    def written(self) -> bytes:
        """The line, in plain ASCII whatever the names in it."""
        said = self._says() | {"signature": self.signature}
        return json.dumps(said, separators=(",", ":")).encode("ascii") + b"\n"

    def _says(self) -> dict[str, Any]:
        said: dict[str, Any] = {
            "stream": self.stream, "count": self.count, "head": self.head,
            "at": self.at, "key": self.key,
        }  # fmt: skip
        return said | ({"kind": self.kind, "by": self.by, "why": self.why} if self.kind else {})


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that proves nothing, and why."""

    number: int
    sentence: str
    stream: str = ""  # as far as it can be told
    torn: bool = False  # it breaks off, as a crash or a full disk leaves it


@dataclass(slots=True)
class Marks:
    """What a file of checkpoints says."""

    newest: dict[str, Mark] = field(default_factory=dict)  # what each stream is held to
    bad: list[BadLine] = field(default_factory=list)
    lines: int = 0
    against: dict[str, BadLine] = field(default_factory=dict)  # what speaks against a stream


class Notary:
    """Signs checkpoints. The key is made at its first use, for its owner's eyes only."""

    def __init__(self, folder: Path, key_file: Path | None = None) -> None:
        self.folder = folder
        self.key_file = key_file or folder / KEY
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._key = _find_key(self.key_file)
            self.public_key = self._key.public_key()
            _publish(self.public_key, public_file(self.key_file))
        except OSError as error:
            raise CheckpointFailed(
                f"checkpoints cannot be kept in {folder} with the key {self.key_file}: "
                f"{_reason(error)}"
            ) from error
        self.fingerprint = fingerprint(self.public_key)

    def sign(self, stream: str, count: int, head: str, at: str) -> Mark:
        """Write down how far a stream has come. It is on disk when this returns."""
        (mark,) = self.sign_all([(stream, count, head)], at)
        return mark

    def sign_all(self, heads: Iterable[tuple[str, int, str]], at: str) -> list[Mark]:
        """The same for several streams: a disk takes as long for one line as for a hundred."""
        return self._append(*(Mark(*each, at, self.fingerprint, "") for each in heads))

    def acknowledge_restore(
        self, stream: str, count: int, head: str, at: str, by: str, why: str
    ) -> Mark:
        """Write down who answers for a log that is not what it was; older lines no longer count."""
        (mark,) = self._append(
            Mark(stream, count, head, at, self.fingerprint, "", kind=RESTORED, by=by, why=why)
        )
        return mark

    def read(self, *, thorough: bool = True) -> Marks:
        return read(self.folder, self.public_key, thorough=thorough)

    def _append(self, *marks: Mark) -> list[Mark]:
        signed = [replace(mark, signature=self._signature(mark)) for mark in marks]
        path = self.folder / FILE
        try:
            _append(path, b"".join(mark.written() for mark in signed))
        except OSError as error:
            which = " and ".join(f"{mark.stream} at event {mark.count}" for mark in marks)
            raise CheckpointFailed(
                f"the checkpoint of {which} could not be written to {path}: {_reason(error)}"
            ) from error
        return signed

    def _signature(self, mark: Mark) -> str:
        return base64.b64encode(self._key.sign(mark.signed())).decode("ascii")


def read(
    folder: Path,
    public_key: Ed25519PublicKey | Path | str | None = None,
    *,
    thorough: bool = True,
) -> Marks:
    """Check the lines of a folder: what each stream is held to, and every bad line.

    The public key is a key, a PEM file or its text; without one, the file in
    the folder is believed. Not thorough, only the signatures that decide are
    checked, so that a server with years of lines starts at once.
    """
    key = _read_public_key(public_file(folder / KEY) if public_key is None else public_key)
    marks = Marks()
    for number, line in _lines(folder / FILE):
        marks.lines += 1
        said = _parse(number, line)
        if isinstance(said, Mark) and (thorough or said.kind == RESTORED):
            said = _checked(said, key)
        _count(marks, said)
    if not thorough:
        for mark in list(marks.newest.values()):
            checked = _checked(mark, key)
            if isinstance(checked, BadLine):
                del marks.newest[mark.stream]
                _count(marks, checked)
    return marks


def check(
    marks: Marks, stream: str, count: int, hash_of: Callable[[int], str | None]
) -> str | None:
    """What is wrong with a log of `count` events, by the checkpoints; None if nothing is.

    `hash_of` gives the hash of the event of a number. The chain itself is
    checked elsewhere: a changed event changes every hash that follows.
    """
    if stream in marks.against:
        bad = marks.against[stream]
        return f"line {bad.number} of the checkpoints {bad.sentence}"
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


def public_file(key_file: Path) -> Path:
    """Where the public key lies: beside the private one."""
    return key_file.with_name(key_file.name + ".pub")


def fingerprint(key: Ed25519PublicKey) -> str:
    """A short name for a key."""
    raw = key.public_bytes(Encoding.Raw, PublicFormat.Raw)
    return hashlib.sha256(raw).hexdigest()[:32]


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """The lines that say anything. No file is no line: a new house has none."""
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                if line.strip():
                    yield number, line
    except FileNotFoundError:
        return
    except OSError as error:
        raise CheckpointFailed(
            f"the checkpoints in {path} cannot be read: {_reason(error)}"
        ) from error


def _parse(number: int, line: bytes) -> Mark | BadLine:
    whole = line.rstrip(b"\n")
    try:
        said = json.loads(whole)
    except (ValueError, RecursionError):
        torn = not whole.endswith(b"}")
        return BadLine(number, "breaks off" if torn else "is not a checkpoint", torn=torn)
    if not _is_mark(said):
        stream = said.get("stream") if isinstance(said, dict) else None
        named = stream if isinstance(stream, str) else ""
        return BadLine(number, "is not a checkpoint", named)
    return Mark(**said, line=number)


def _is_mark(said: Any) -> bool:
    if not isinstance(said, dict):
        return False
    texts = TEXTS | OF_A_RESTORE if "kind" in said else TEXTS
    return (
        set(said) == {*texts, "count"}
        and type(said["count"]) is int
        and said["count"] >= 0
        and all(isinstance(said[name], str) for name in texts)
        and said.get("kind", RESTORED) == RESTORED
    )


def _checked(mark: Mark, key: Ed25519PublicKey) -> Mark | BadLine:
    if mark.key != fingerprint(key):
        return BadLine(
            mark.line,
            f"is signed with another key, {brief(mark.key)}, than the one given, "
            f"{fingerprint(key)!r}",
            mark.stream,
        )
    try:
        key.verify(base64.b64decode(mark.signature, validate=True), mark.signed())
    except (InvalidSignature, binascii.Error):
        return BadLine(mark.line, "does not bear the signature of what it says", mark.stream)
    return mark


def _count(marks: Marks, said: Mark | BadLine) -> None:
    """Hold the stream to the longest log that was signed since somebody answered for it."""
    if isinstance(said, BadLine):
        marks.bad.append(said)
        if said.stream:
            marks.against.setdefault(said.stream, said)
        return
    if said.kind == RESTORED:
        marks.newest.pop(said.stream, None)
        marks.against.pop(said.stream, None)
    held_to = marks.newest.get(said.stream)
    if held_to is None or said.count >= held_to.count:
        marks.newest[said.stream] = said


def _append(path: Path, lines: bytes) -> None:
    """Add whole lines in one write, as no other process can come in between, and sync them."""
    is_new = not path.exists()
    file = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o644)
    try:
        # What breaks off before these lines must not spoil them; an empty line means nothing.
        lines = lines if _ends_a_line(file) else b"\n" + lines
        if os.write(file, lines) != len(lines):
            raise OSError(None, "No space left for a whole line")
        os.fsync(file)
    finally:
        os.close(file)
    if is_new:
        sync_folder(path.parent)


def _ends_a_line(file: int) -> bool:
    if os.fstat(file).st_size == 0:
        return True
    os.lseek(file, -1, os.SEEK_END)
    return os.read(file, 1) == b"\n"


def _find_key(path: Path) -> Ed25519PrivateKey:
    """The private key; one is made if there is none."""
    if not path.exists():
        _create(path, Ed25519PrivateKey.generate().private_bytes(
            Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()
        ))  # fmt: skip
    if os.name == "posix" and stat.S_IMODE(path.stat().st_mode) & 0o077:
        raise CheckpointFailed(f"others than its owner may read the key {path}: chmod 600 it")
    try:
        key = load_pem_private_key(path.read_bytes(), password=None)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        raise CheckpointFailed(f"{path} is not a private key in PEM without a password") from None
    if not isinstance(key, Ed25519PrivateKey):
        raise CheckpointFailed(f"{path} is not an Ed25519 key")
    return key


def _publish(key: Ed25519PublicKey, path: Path) -> None:
    """Put the public key beside the private one; one that does not fit is somebody's doing."""
    if not path.exists():
        _create(path, key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo), 0o644)
    elif fingerprint(_read_public_key(path)) != fingerprint(key):
        raise CheckpointFailed(f"{path} is not the public key of the private key beside it")


def _create(path: Path, content: bytes, mode: int = 0o600) -> None:
    """Make a file whole or not at all. Of two processes that do so at once, the first wins."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(mode)
        with suppress(FileExistsError):
            os.link(name, path)
    finally:
        Path(name).unlink()
    sync_folder(path.parent)


def _read_public_key(given: Ed25519PublicKey | Path | str) -> Ed25519PublicKey:
    if isinstance(given, Ed25519PublicKey):
        return given
    try:
        pem = given.read_bytes() if isinstance(given, Path) else given.encode("utf-8", "replace")
    except OSError as error:
        raise CheckpointFailed(
            f"the public key {given} cannot be read: {_reason(error)}"
        ) from error
    try:
        key = load_pem_public_key(pem)
    except (ValueError, UnsupportedAlgorithm):
        key = None
    if not isinstance(key, Ed25519PublicKey):
        where = given if isinstance(given, Path) else "what was given"
        raise CheckpointFailed(f"{where} is not an Ed25519 public key in PEM")
    return key


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
