"""The house's key, which is made at its first use, and its public half beside it."""

import hashlib
import os
import stat
import tempfile
from contextlib import suppress
from pathlib import Path

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
    load_pem_public_key,
)

from croupier.floor.files import sync_folder
from croupier.floor.seal import Seal

KEY = "checkpoint.key"  # unless the house keeps its key elsewhere


class CheckpointFailed(Exception):
    """A checkpoint could not be written or read, in one sentence."""


def find_key(path: Path) -> Ed25519PrivateKey:
    """The private key; one is made if there is none."""
    if not path.exists():
        create(path, Ed25519PrivateKey.generate().private_bytes(
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


def secret(key: Ed25519PrivateKey) -> bytes:
    """The raw bytes of a private key."""
    return key.private_bytes(Encoding.Raw, PrivateFormat.Raw, NoEncryption())


def seal_of(key_file: Path) -> Seal | None:
    """What the key seals with; None where the key is not at hand."""
    return Seal(secret(find_key(key_file))) if key_file.exists() else None


def publish(key: Ed25519PublicKey, path: Path) -> None:
    """Put the public key into a file; a file that holds another key is somebody's doing."""
    if not path.exists():
        create(path, key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo), 0o644)
    elif fingerprint(read_public_key(path)) != fingerprint(key):
        raise CheckpointFailed(f"{path} is not the public key of the private key beside it")


def create(path: Path, content: bytes, mode: int = 0o600) -> None:
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


def read_public_key(given: Ed25519PublicKey | Path | str) -> Ed25519PublicKey:
    """A public key, from a PEM file or its text."""
    if isinstance(given, Ed25519PublicKey):
        return given
    try:
        pem = given.read_bytes() if isinstance(given, Path) else given.encode("utf-8", "replace")
    except OSError as error:
        raise CheckpointFailed(f"the public key {given} cannot be read: {reason(error)}") from error
    try:
        key = load_pem_public_key(pem)
    except (ValueError, UnsupportedAlgorithm):
        key = None
    if not isinstance(key, Ed25519PublicKey):
        where = given if isinstance(given, Path) else "what was given"
        raise CheckpointFailed(f"{where} is not an Ed25519 public key in PEM")
    return key


def public_file(key_file: Path) -> Path:
    """Where the public key lies: beside the private one."""
    return key_file.with_name(key_file.name + ".pub")


def fingerprint(key: Ed25519PublicKey) -> str:
    """A short name for a key."""
    raw = key.public_bytes(Encoding.Raw, PublicFormat.Raw)
    return hashlib.sha256(raw).hexdigest()[:32]


def reason(error: OSError) -> str:
    """Why the system refused, for the end of a sentence."""
    return (error.strerror or str(error)).lower()
