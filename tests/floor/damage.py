"""A floor whose database is damaged, byte by byte, and what must be said of it.

    python -m tests.floor.damage --flips 1000 --seed 1
    python -m tests.floor.damage --forge 100 --seed 1

flips bytes in the pages of the SQLite file of a small floor, or has rows
forged in it, and has each copy checked. A row that changed must be named, no
damage may end in a traceback, and every table without damage must open.
"""

import argparse
import shutil
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from argon2 import PasswordHasher

from croupier.floor import schema
from croupier.floor.checkpoint import KEY, Notary
from croupier.floor.commands import Unavailable
from croupier.floor.events import HOUSE
from croupier.floor.keys import seal_of
from croupier.floor.log import LogBroken
from croupier.floor.people import People
from croupier.floor.pit import Pit
from croupier.floor.policies import Policies
from croupier.floor.roles import Role
from croupier.floor.seal import Seal
from croupier.floor.storage import Storage, StorageError, StorageRefused
from croupier.floor.verify import Verdict, verify
from croupier.simulation.streams import SeededStream
from tests.floor.support import ANN, At, FakeClock, a_pit, any_wager, finish, opened, seat_all

GAMES = ("roulette", "three-card-poker", "craps")
PARTS: dict[str, Any] = {"policies": Policies(snapshot_events=10)}

# What nothing confirms yet: only that it is of the right type can be seen.
UNPROVEN = {
    "tables": {"opened_at", "owner"},
    "accounts": {"created_at"},
}

Row = tuple[Any, ...]
Dump = dict[str, dict[int, Row]]  # the rows of each table, by rowid


@dataclass
class Floor:
    """The file of a house that was played in, and its tables by game."""

    file: Path
    tables: dict[str, str]

    @property
    def url(self) -> str:
        return f"sqlite:///{self.file}"

    def copy(self, to: Path) -> "Floor":
        for rest in ("-wal", "-shm"):
            to.with_name(to.name + rest).unlink(missing_ok=True)
        copy = Floor(Path(shutil.copy(self.file, to)), self.tables)
        if copy.checkpoints != self.checkpoints:
            shutil.rmtree(copy.checkpoints, ignore_errors=True)
            shutil.copytree(self.checkpoints, copy.checkpoints)
        return copy

    @property
    def checkpoints(self) -> Path:
        """Where a server on this file looks for its key and its checkpoints."""
        return self.file.with_name(f"{self.file.name}.checkpoints")

    @property
    def seal(self) -> Seal | None:
        return seal_of(self.checkpoints / KEY)

    @contextmanager
    def storage(self) -> Iterator[Storage]:
        storage = Storage(self.url)
        try:
            yield storage
        finally:
            storage.close()

    def verdict(self) -> Verdict:
        with self.storage() as storage:
            return verify(storage, seal=self.seal)

    def do(self, *statements: str) -> None:
        """Change the file behind the house's back."""
        with closing(sqlite3.connect(self.file, isolation_level=None)) as raw:
            for statement in statements:
                raw.execute(statement)


def a_floor(file: Path) -> Floor:
    """Three tables in the middle of an evening, some accounts, and no WAL."""
    storage, clock, choose = Storage(f"sqlite:///{file}"), FakeClock(), Random(3)
    storage.migrate()
    notary = Notary(file.with_name(f"{file.name}.checkpoints"))
    pit = a_pit(storage, clock=clock, chance=SeededStream(4), notary=notary, **PARTS)
    people = People(storage, clock, pit.house, hasher=PasswordHasher(1, 8, 1))
    people.set_role(people.create("Joe", "a long password"), Role.DEALER, by=HOUSE)
    people.close_account(people.create("Ida", "a long password"), by=HOUSE)
    people.log_in("Joe", "a long password")
    tables = {game: opened(pit, game) for game in GAMES}
    people.guest(tables["craps"].stream, "Gus")
    for table in tables.values():
        seat_all(table, (ANN,))
        for _ in range(2):
            finish(table, (ANN,), choose)
    pit.stop()
    storage.close()
    return Floor(file, {game: table.stream for game, table in tables.items()})


# What is in a file, and what has changed.


def dump(file: Path) -> Dump:
    """Every row that can be read, along the tables themselves, from either end."""
    found: Dump = {}
    with closing(sqlite3.connect(file)) as raw:
        raw.text_factory = bytes
        for table in schema.metadata.sorted_tables:
            names = ", ".join(f'"{column.name}"' for column in table.columns)
            rows = found[table.name] = {}
            for way in ("ASC", "DESC"):
                query = f"SELECT rowid, {names} FROM {table.name} NOT INDEXED ORDER BY rowid {way}"
                rows.update((row[0], row[1:]) for row in _until_damage(raw, query))
    return found


def lookups(file: Path) -> Dump:
    """The rows that the indexes lead to: the key of each, and its rowid."""
    found: Dump = {}
    with closing(sqlite3.connect(file)) as raw:
        raw.text_factory = bytes
        for name, table in _until_damage(
            raw, "SELECT name, tbl_name FROM sqlite_master WHERE type = 'index'"
        ):
            index, of = name.decode("utf-8", "replace"), table.decode("utf-8", "replace")
            if of not in schema.metadata.tables:
                continue
            keys = [row[2].decode() for row in raw.execute(f'PRAGMA index_info("{index}")')]
            entries = found[f"{of}/{index}/{','.join(keys)}"] = {}
            for way in ("ASC", "DESC"):
                listed = ", ".join(f'"{key}"' for key in keys)
                order = ", ".join(f'"{key}" {way}' for key in keys)
                query = f'SELECT rowid, {listed} FROM {of} INDEXED BY "{index}" ORDER BY {order}'
                entries.update((row[0], row[1:]) for row in _until_damage(raw, query))
    return found


def _until_damage(raw: sqlite3.Connection, query: str) -> Iterator[Row]:
    try:
        yield from raw.execute(query)
    except sqlite3.DatabaseError:
        return


@dataclass
class Change:
    """A row that is not what it was."""

    table: str
    was: Row | None
    now: Row | None

    @property
    def columns(self) -> set[str]:
        """The columns that changed; all of them in a row that is gone or new."""
        names = schema.metadata.tables[self.table].columns.keys()
        if self.was is None or self.now is None or len(self.was) != len(self.now):
            return {*names}
        each = zip(names, self.was, self.now, strict=False)
        return {name for name, was, now in each if (type(was), was) != (type(now), now)}

    @property
    def is_unproven(self) -> bool:
        """Whether nothing in the database says what this should be."""
        return self.columns <= UNPROVEN.get(self.table, set())

    def owners(self) -> set[str]:
        """What a finding about this row may be named after."""
        names = schema.metadata.tables[self.table].columns.keys()
        at = names.index("stream") if "stream" in names else 0
        named = {f"the {self.table}"}
        if self.table == "accounts":
            named.add(HOUSE)
        elif self.table in ("events", "tables", "balances", "snapshots", "requests", "heads"):
            rows = [row for row in (self.was, self.now) if row is not None]
            named |= {row[at].decode("utf-8", "replace") for row in rows if _is_bytes(row[at])}
        return named


def _is_bytes(value: Any) -> bool:
    return isinstance(value, bytes)


def changes(before: Dump, after: Dump) -> list[Change]:
    found = []
    for name, rows in before.items():
        now = after.get(name, {})
        found += [
            Change(name, rows.get(rowid), now.get(rowid)) for rowid in rows.keys() | now.keys()
            if (rows.get(rowid), True) != (now.get(rowid), _types_as(rows, now, rowid))
        ]  # fmt: skip
    return found


def _types_as(rows: dict[int, Row], now: dict[int, Row], rowid: int) -> bool:
    return [*map(type, rows.get(rowid, ()))] == [*map(type, now.get(rowid, ()))]


# What must hold of a damaged file.


@dataclass
class Tally:
    """What came of the damage."""

    seen: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)

    def fault(self, what: str) -> None:
        self.seen["FAULTS"] += 1
        self.faults.append(what)


untouched = cache(dump)  # of the floor before any damage


def judge(before: Floor, floor: Floor, what: str, tally: Tally, *, starts: bool = True) -> set[str]:
    """Check a damaged copy: changes are named, and tables without any open. What was named."""
    with floor.storage() as storage:
        named, hurt = _named(before, floor, storage, what, tally)
        if starts:
            sound = [each for each in floor.tables.values() if each not in hurt]
            _open(floor, storage, sound, what, tally)
    return named


def _named(
    before: Floor, floor: Floor, storage: Storage, what: str, tally: Tally
) -> tuple[set[str], set[str]]:
    """What verify names, and what was damaged."""
    everything = {*floor.tables.values()}
    try:
        verdict = verify(storage, seal=floor.seal)
    except StorageRefused:
        tally.seen["refused with one sentence"] += 1
        return set(), everything
    except Exception as error:
        tally.fault(f"{what}: verify ends with {type(error).__name__}: {error}")
        return set(), everything
    after = dump(floor.file)
    changed = changes(untouched(before.file), after)
    named = {bad.stream for bad in verdict.bad}
    if not changed:
        tally.seen["no row changed, " + ("named" if named else "nothing to name")] += 1
    for change in changed:
        _check_named(change, named, what, tally, "changed rows")
    missed = _missed(floor, after)
    for change in missed:
        _check_named(change, named, what, tally, "rows that an index misses")
    hurt = {name for each in changed + missed for name in each.owners()}
    return named, hurt


def _check_named(change: Change, named: set[str], what: str, tally: Tally, kind: str) -> None:
    rules = change.table == "rulesets" and named
    if change.owners() & named or rules:
        tally.seen[f"{kind} that are named"] += 1
    elif change.is_unproven:
        tally.seen["changed rows that nothing confirms yet"] += 1
    else:
        tally.fault(f"{what}: not named: {change}")


def _missed(floor: Floor, rows: Dump) -> list[Change]:
    """Rows that an index does not lead to, although they are there."""
    found = []
    for index, entries in lookups(floor.file).items():
        table, _, keys = index.split("/")
        names = schema.metadata.tables[table].columns.keys()
        at = [names.index(key) for key in keys.split(",")]
        found += [
            Change(table, row, None) for rowid, row in rows[table].items()
            if entries.get(rowid) != tuple(row[each] for each in at)
        ]  # fmt: skip
    return found


def _open(floor: Floor, storage: Storage, sound: list[str], what: str, tally: Tally) -> None:
    """Every table without damage opens and takes a wager."""
    try:
        notary = Notary(floor.checkpoints)
        pit = a_pit(storage, clock=FakeClock(), chance=SeededStream(9), notary=notary, **PARTS)
        pit.take_over()
        for stream in sound:
            _wager(pit, stream, what, tally)
    except LogBroken:
        tally.seen["the house's own log is bad, with one sentence"] += 1
    except StorageError:
        tally.seen["does not open, with one sentence"] += 1
    except Exception as error:
        tally.fault(f"{what}: opening ends with {type(error).__name__}: {error}")


def _wager(pit: Pit, stream: str, what: str, tally: Tally) -> None:
    if stream not in pit.tables:
        tally.fault(f"{what}: {stream} stays closed: {pit.broken.get(stream)}")
        return
    table = At(pit, stream)
    wager = any_wager(table.live, "1", Random(1))
    try:
        table.do(ANN, "bet", seat="1", wagers=wager)
        tally.seen["tables without damage that took a wager"] += 1
    except (Unavailable, StorageError):
        tally.seen["wagers refused, for nothing can be written into the damage"] += 1


# The program.


def flip(floor: Floor, choose: Random) -> str:
    """Change one byte, or one bit of it, anywhere in the file."""
    content = bytearray(floor.file.read_bytes())
    some = [at for at, byte in enumerate(content) if byte]  # most of a small file is empty
    at = choose.choice(some) if choose.random() < 0.7 else choose.randrange(len(content))
    mask = 1 << choose.randrange(8) if choose.random() < 0.5 else choose.randrange(1, 256)
    content[at] ^= mask
    floor.file.write_bytes(content)
    return f"byte {at} of page {at // 4096 + 1} ^ {mask:#04x}"


def flips(count: int, seed: int, folder: Path) -> Tally:
    """Flip so many bytes, each in a fresh copy."""
    choose, tally = Random(seed), Tally()
    before = a_floor(folder / "floor.db")
    assert before.verdict().bad == []
    for _ in range(count):
        floor = before.copy(folder / "copy.db")
        what = flip(floor, choose)
        tally.seen["flips"] += 1
        judge(before, floor, what, tally, starts=_starts(floor, what, tally))
    return tally


def _starts(floor: Floor, what: str, tally: Tally) -> bool:
    """Whether a server goes beyond its first step; if not, it says in a sentence why."""
    try:
        with floor.storage() as storage:
            storage.migrate()
        return True
    except StorageError:
        tally.seen["no server starts on it, with one sentence"] += 1
    except Exception as error:
        tally.fault(f"{what}: the start ends with {type(error).__name__}: {error}")
    return False


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    reader.add_argument("--flips", type=int, default=0)
    reader.add_argument("--forge", type=int, default=0)
    reader.add_argument("--seed", type=int, default=1)
    given = reader.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if given.flips:
            tally = flips(given.flips, given.seed, Path(folder))
            for what, count in sorted(tally.seen.items()):
                print(f"{count:>6}  {what}")
            print(*tally.faults, sep="\n")
        if given.forge:
            from tests.floor.forgery import forgeries

            print(forgeries(given.forge, given.seed, Path(folder)))


if __name__ == "__main__":
    main()
