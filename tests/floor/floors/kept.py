"""The floors that are kept: which there are, how one is packed, and how it is unpacked."""

import json
import lzma
import shutil
import subprocess
import tarfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from pathlib import Path
from typing import Any

from tests.floor.postgres import Postgres, binaries

HERE = Path(__file__).parent
BOOKS = "books.json"
PACKED = "floor.tar.xz"
CHECKPOINTS = ("checkpoints.jsonl", "checkpoint.key", "checkpoint.key.pub")
FILE, DUMP = "floor.db", "floor.sql"
_numbers = count(1)


@dataclass(frozen=True)
class Kept:
    """A floor of an older version, as it lies in its folder."""

    folder: Path

    @property
    def name(self) -> str:
        return f"{self.folder.parent.name}-{self.folder.name}"

    @property
    def dialect(self) -> str:
        return self.folder.name.partition("-")[0]

    @property
    def ending(self) -> str:
        return self.folder.name.partition("-")[2]

    @cached_property
    def books(self) -> dict[str, Any]:
        """What stood on the floor when it ended."""
        read: dict[str, Any] = json.loads((self.folder / BOOKS).read_text("utf-8"))
        return read

    def unpack(self, to: Path, server: Callable[[], Postgres]) -> str:
        """Put the floor into a folder, or a new database of the server; its URL.

        The checkpoints and their key lie in the folder either way.
        """
        to.mkdir(parents=True, exist_ok=True)
        with tarfile.open(self.folder / PACKED) as packed:
            packed.extractall(to, filter="data")
        for file in to.iterdir():
            file.chmod(0o600)  # as the server leaves them: nobody else may read the key
        if self.dialect == "sqlite":
            return f"sqlite:///{to / FILE}"
        name = f"kept_{next(_numbers)}"
        server().execute(f"CREATE DATABASE {name}")
        url = server().url(name)
        restore(to / DUMP, url)
        return url


def floors() -> list[Kept]:
    """Every floor of every version, in the order of their names."""
    return [Kept(books.parent) for books in sorted(HERE.glob(f"*/*/{BOOKS}"))]


def pack(files: Iterable[Path], to: Path) -> None:
    """Compress these files into one: what a WAL repeats of its database costs nothing then."""
    preset = 9 | lzma.PRESET_EXTREME
    with (
        lzma.open(to / PACKED, "wb", preset=preset) as packed,
        tarfile.open(fileobj=packed, mode="w") as archive,
    ):
        for file in files:
            archive.add(file, file.name, filter=_nobodys)


def _nobodys(member: tarfile.TarInfo) -> tarfile.TarInfo:
    """A file without an owner or a date."""
    member.uid = member.gid = 0
    member.uname = member.gname = ""
    member.mtime = 0
    return member


def copy_file(db: Path, to: Path) -> None:
    """Copy a file of SQLite with its WAL. While the house is open, this is what a kill leaves."""
    for file in (db, db.with_name(f"{db.name}-wal")):
        if file.exists() and file.stat().st_size:
            shutil.copy(file, to / file.name)


def dump(url: str, to: Path) -> None:
    """Write the dump of a PostgreSQL database, with its rows as COPY has them."""
    program = (binaries() / "initdb").resolve().parent / "pg_dump"
    subprocess.run(
        [program, "--no-owner", "--no-privileges", "--file", to, url],
        check=True, capture_output=True, text=True,
    )  # fmt: skip


def restore(dumped: Path, url: str) -> None:
    """Run a dump in an empty database, whichever version of PostgreSQL it is of."""
    import psycopg

    lines = iter(dumped.read_text("utf-8").splitlines())
    with psycopg.connect(url) as connection, connection.cursor() as cursor:
        for statement in _statements(lines):
            if not statement.startswith("COPY "):
                cursor.execute(statement.encode())
                continue
            with cursor.copy(statement.encode()) as copy:
                for line in lines:
                    if line == "\\.":
                        break
                    copy.write(f"{line}\n")


def _statements(lines: Iterator[str]) -> Iterator[str]:
    """The statements of a dump. Settings of a connection and orders to psql are left out."""
    together: list[str] = []
    for line in lines:
        if not together and (not line or line.startswith(("--", "\\", "SET ", "SELECT pg_"))):
            continue
        together.append(line)
        if line.endswith(";"):
            yield "\n".join(together)
            together = []
