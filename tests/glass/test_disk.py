"""The disk of the glass behaves as disks do, and the floor's storage as it says."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from sqlalchemy import text

from croupier.floor.salvage import apart
from croupier.floor.storage import StorageBroken, StorageFull, StorageLost
from tests.glass.disk import Disk, SharedStorage, Wire, failure, torn

pytestmark = pytest.mark.filterwarnings("ignore:transaction already deassociated")


class Watch:
    """Somebody who lets things fail, once, at a boundary."""

    def __init__(self) -> None:
        self.fails: dict[str, str] = {}

    def __call__(self, wire: Wire, boundary: str) -> None:
        if error := self.fails.pop(boundary, ""):
            if error.startswith("SQLITE_IOERR"):
                wire.rollback()  # as SQLite does
            raise failure(error)


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    with sqlite3.connect(tmp_path / "template.db") as made:
        made.execute("CREATE TABLE written (what TEXT)")
    made.close()
    disk = Disk(Random(1), tmp_path / "template.db")
    yield disk
    disk.close()


@pytest.fixture
def watch() -> Watch:
    return Watch()


@pytest.fixture
def storage(disk: Disk, watch: Watch) -> Iterator[SharedStorage]:
    storage = SharedStorage(disk.path, disk.locks, watch)
    yield storage
    storage.close()


def write(storage: SharedStorage, what: str) -> None:
    with storage.write() as conn:
        conn.execute(text("INSERT INTO written VALUES (:what)"), {"what": what})


def written(disk: Disk) -> list[str]:
    return [what for (what,) in disk.reader.execute("SELECT what FROM written")]


def test_a_commit_that_fails_and_leaves_its_transaction_open_stops_no_other(
    disk: Disk, storage: SharedStorage, watch: Watch
) -> None:
    write(storage, "first")
    watch.fails["commit"] = "SQLITE_BUSY"
    with pytest.raises(StorageLost):
        write(storage, "lost")
    write(storage, "second")
    assert written(disk) == ["first", "second"]


def test_a_disk_that_fails_in_a_part_of_a_transaction_is_told_as_that(
    storage: SharedStorage, watch: Watch
) -> None:
    with pytest.raises(StorageBroken), storage.write() as conn, apart(conn):
        watch.fails["statement"] = "SQLITE_IOERR_READ"
        conn.execute(text("SELECT * FROM written"))


def test_what_fails_in_a_part_leaves_the_rest(disk: Disk, storage: SharedStorage) -> None:
    with storage.write() as conn:
        conn.execute(text("INSERT INTO written VALUES ('kept')"))
        with pytest.raises(ZeroDivisionError), apart(conn):
            conn.execute(text("INSERT INTO written VALUES ('undone')"))
            raise ZeroDivisionError
    assert written(disk) == ["kept"]


def test_a_full_disk_may_have_room_again(disk: Disk, storage: SharedStorage, watch: Watch) -> None:
    write(storage, "first")
    watch.fails["statement"] = "SQLITE_FULL"
    with pytest.raises(StorageFull):
        write(storage, "lost")
    write(storage, "second")
    assert written(disk) == ["first", "second"]


def test_a_connection_that_is_cut_has_lost_its_tables(disk: Disk, watch: Watch) -> None:
    first, second = (SharedStorage(disk.path, disk.locks, watch) for _ in range(2))
    assert first.own("table")
    assert not second.own("table")
    first.file.cut()
    assert second.own("table")
    with pytest.raises(StorageLost):
        write(first, "lost")
    assert not first.own("table")
    for storage in (first, second):
        storage.close()


def test_when_the_power_is_lost_what_was_committed_before_is_there(
    disk: Disk, storage: SharedStorage
) -> None:
    """And the commit in which it was lost is there whole, or not at all."""
    found = set()
    for number in range(60):
        write(storage, f"{number} before")
        before = written(disk)
        with storage.write() as conn:
            conn.execute(text("INSERT INTO written VALUES ('in the middle')"))
            wire = storage.file.wire
            assert wire is not None
            left = disk.copy(disk.power_lost_in(wire))
        copy = sqlite3.connect(left)
        there = [what for (what,) in copy.execute("SELECT what FROM written")]
        copy.close()
        assert there in (before, [*before, "in the middle"])
        found.add(len(there) - len(before))
    assert found == {0, 1}


def test_only_what_was_being_written_is_torn() -> None:
    before = bytes(1000) + b"old" + bytes(3000)
    after = bytes(1000) + b"new" + bytes(2000) + b"more" + bytes(1500)
    for seed in range(50):
        left = torn(before, after, Random(seed))
        assert left[:1000] == bytes(1000)
        assert left[1003:3003] == bytes(2000)
