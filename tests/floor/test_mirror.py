"""The second copy of the log: every event is in it once, and it shows what the database hides."""

import json
import os
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest
from sqlalchemy import text

from croupier.floor import log, mirror
from croupier.floor.events import HOUSE, LogEvent, chained
from croupier.floor.mirror import Comparison, Mirror, compare, file_name, files
from croupier.floor.pit import Pit
from croupier.floor.rows import put
from croupier.floor.schema import events as table
from croupier.floor.storage import Storage
from tests.floor.support import PATRONS, finish, opened, seat_all


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "another disk"


@pytest.fixture
def copy(storage: Storage, folder: Path) -> Iterator[Mirror]:
    made = Mirror(storage, folder, largest=8_000)
    yield made
    made.close()


def write(storage: Storage, stream: str, count: int) -> None:
    """So many more events of a stream."""
    with storage.write() as conn:
        number, head = log.head(conn, stream) or (0, "0" * 64)
        rows = []
        for at in range(number + 1, number + count + 1):
            columns = (stream, at, 0, "kind", "2026-01-31T09:00:00.000Z", "Zo\u00eb", "", "", "r",
                       None, '{"text":"\\"a\\n\\u20ac"}', None, None)  # fmt: skip
            rows.append(chained(head, columns))
            head = rows[-1].hash
        put(conn, table, rows)


def kept(storage: Storage) -> list[LogEvent]:
    with storage.read() as conn:
        query = text("SELECT DISTINCT stream FROM events ORDER BY stream")
        streams = [*conn.scalars(query)]
        return [event for stream in streams for event in log.read(conn, stream)]


def copied(folder: Path) -> list[LogEvent]:
    said = [
        json.loads(line)
        for path in files(folder).values()
        for line in path.read_bytes().splitlines()
        if line.endswith(b"]")
    ]
    return sorted(map(LogEvent._make, said))


def wrong(compared: Comparison) -> list[tuple[str, int | None, str]]:
    return [(bad.stream, bad.number, bad.why) for bad in compared.wrong]


class TestTheCopy:
    def test_has_every_event_of_every_stream_with_all_columns(
        self, pit: Pit, storage: Storage, folder: Path, copy: Mirror
    ) -> None:
        for game in ("three-card-poker", "roulette"):
            at = opened(pit, game)
            seat_all(at)
            finish(at, PATRONS, Random(3))
            assert copy.copy() > 0
        with storage.write() as conn:
            pit.house.note(conn, "noted", HOUSE)
        assert copy.copy() == 1
        assert copy.copy() == 0
        assert copied(folder) == kept(storage)
        assert {event.stream for event in copied(folder)} > {HOUSE}
        assert len(files(folder)) > 1
        found = compare(storage, folder)
        assert (found.events, found.wrong, found.remarks) == (len(kept(storage)), [], [])

    def test_goes_on_after_a_restart(self, storage: Storage, folder: Path) -> None:
        for _ in range(4):
            write(storage, "t1", 30)
            write(storage, HOUSE, 3)
            copy = Mirror(storage, folder, largest=8_000)
            assert copy.copy() == 33
            copy.close()
        assert copied(folder) == kept(storage)
        assert len(files(folder)) > 2

    def test_is_repaired_wherever_it_broke_off(self, storage: Storage, folder: Path) -> None:
        write(storage, "t1", 2)
        write(storage, "t2", 2)
        first = Mirror(storage, folder)
        first.copy()
        first.close()
        path = folder / file_name(1)
        whole = path.read_bytes()
        begun = whole.index(b"\n") + 1
        for cut in range(begun, len(whole) + 1, 7):
            path.write_bytes(whole[:cut])
            again = Mirror(storage, folder)
            again.copy()
            again.close()
            assert path.read_bytes().startswith(whole[:cut]), "nothing is deleted"
            assert copied(folder) == kept(storage)
            assert wrong(compare(storage, folder)) == []

    def test_is_made_within_about_a_second(
        self, storage: Storage, folder: Path, copy: Mirror
    ) -> None:
        copy.start()
        write(storage, "t1", 5)
        until = time.monotonic() + 3
        while time.monotonic() < until and not (files(folder) and len(copied(folder)) == 5):
            time.sleep(0.02)
        assert len(copied(folder)) == 5
        write(storage, "t1", 1)
        copy.stop()
        assert copied(folder) == kept(storage), "what was there when it ended is in it"
        assert copy.failed is None

    @pytest.mark.skipif(os.name != "posix", reason="modes of POSIX")
    def test_is_for_its_owner_alone(self, storage: Storage, folder: Path, copy: Mirror) -> None:
        """It holds cards that nobody has seen yet."""
        write(storage, "t1", 1)
        copy.copy()
        assert stat.S_IMODE((folder / file_name(1)).stat().st_mode) == 0o600
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700

    def test_a_second_server_is_refused(self, storage: Storage, folder: Path, copy: Mirror) -> None:
        copy.copy()
        second = Mirror(storage, folder)
        with pytest.raises(mirror.MirrorFailed, match="another server copies its log there"):
            second.copy()

    def test_a_disk_that_fails_is_a_sentence_and_gets_what_it_missed(
        self, storage: Storage, folder: Path, copy: Mirror
    ) -> None:
        folder.write_text("not mounted", encoding="ascii")
        copy.start()
        write(storage, "t1", 5)
        until = time.monotonic() + 5
        while copy.failed is None and time.monotonic() < until:
            time.sleep(0.02)
        assert str(copy.failed).startswith(f"the log is not copied to {folder}: ")
        folder.unlink()
        while copy.failed is not None and time.monotonic() < until:
            time.sleep(0.02)
        copy.stop()
        assert copied(folder) == kept(storage)


KILLED = """
import sys
from pathlib import Path
from croupier.floor.mirror import Mirror
from croupier.floor.storage import Storage

mirror = Mirror(Storage(sys.argv[1]), Path(sys.argv[2]), largest=8_000)
print("ready", flush=True)
while True:
    mirror.copy()
"""


def test_a_copy_whose_server_is_killed_has_every_event_once(storage: Storage, folder: Path) -> None:
    for _ in range(4):
        program = [sys.executable, "-c", KILLED, storage.url, str(folder)]
        with subprocess.Popen(program, stdout=subprocess.PIPE) as running:
            assert running.stdout is not None
            running.stdout.readline()
            for _ in range(10):
                write(storage, "t1", 40)
                write(storage, "t2", 3)
            running.kill()
    last = Mirror(storage, folder)
    last.copy()
    last.close()
    assert copied(folder) == kept(storage)
    assert wrong(compare(storage, folder)) == []


class TestAgainstTheDatabase:
    @pytest.fixture(autouse=True)
    def made(self, storage: Storage, copy: Mirror) -> None:
        write(storage, "t1", 60)
        write(storage, "t2", 60)
        write(storage, HOUSE, 5)
        copy.copy()

    def do(self, storage: Storage, statement: str) -> None:
        with storage.write() as conn:
            conn.execute(text(statement))

    def test_a_log_that_was_cut_shows(self, storage: Storage, folder: Path, copy: Mirror) -> None:
        self.do(storage, "DELETE FROM events WHERE stream = 't1' AND number > 50")
        why = "the log was cut: the copy has this event, and the database does not"
        assert wrong(compare(storage, folder)) == [("t1", 51, why)]
        assert copy.copy() == 0
        assert "the log of t1 was cut or changed" in str(copy.failed)

    def test_a_log_that_was_cut_and_played_on_shows(
        self, storage: Storage, folder: Path, copy: Mirror
    ) -> None:
        """The rest is copied, and the copy of what was cut is not touched."""
        before = copied(folder)
        self.do(storage, "DELETE FROM events WHERE stream = 't1' AND number > 50")
        self.do(storage, "UPDATE events SET hash = 'f' WHERE stream = 't1' AND number = 50")
        write(storage, "t1", 30)
        write(storage, "t2", 1)
        assert copy.copy() == 1
        assert [event for event in copied(folder) if event.stream == "t1"] == [
            event for event in before if event.stream == "t1"
        ]
        assert wrong(compare(storage, folder))[0] == (
            "t1", 50, "it was changed: its copy has another hash",
        )  # fmt: skip

    def test_a_restart_does_not_make_it_forget(
        self, storage: Storage, folder: Path, copy: Mirror
    ) -> None:
        copy.close()
        self.do(storage, "DELETE FROM events WHERE stream = 't1' AND number > 50")
        write(storage, "t1", 10)
        self.do(storage, "UPDATE events SET hash = 'f' WHERE stream = 't1' AND number = 60")
        again = Mirror(storage, folder)
        assert again.copy() == 0
        assert "the log of t1 was cut or changed" in str(again.failed)
        again.close()

    def test_a_whole_log_that_is_gone_shows(self, storage: Storage, folder: Path) -> None:
        self.do(storage, "DELETE FROM events WHERE stream = 't2'")
        assert [bad[:2] for bad in wrong(compare(storage, folder))] == [("t2", 1)]

    @pytest.mark.parametrize("column", [name for name in LogEvent._fields if name not in (
        "stream", "number",
    )])  # fmt: skip
    def test_a_changed_column_shows(self, storage: Storage, folder: Path, column: str) -> None:
        self.do(storage, f"UPDATE events SET {column} = '7' WHERE stream = 't2' AND number = 33")
        assert wrong(compare(storage, folder)) == [
            ("t2", 33, f"it was changed: its copy has another {column}")
        ]

    def test_a_copy_that_is_behind_is_remarked_on(self, storage: Storage, folder: Path) -> None:
        write(storage, "t1", 7)
        write(storage, "t3", 1)
        found = compare(storage, folder)
        assert found.wrong == []
        assert found.remarks == [
            "the copy is 8 events behind: a server that runs, or runs again, adds them"
        ]

    def test_no_copy_is_none(self, storage: Storage, tmp_path: Path) -> None:
        assert "there is no copy of the log in" in wrong(compare(storage, tmp_path))[0][2]

    @pytest.mark.parametrize("spoil", [
        lambda paths: paths[1].unlink(),
        lambda paths: paths[0].unlink(),
        lambda paths: paths[1].write_bytes(b"".join(paths[1].read_bytes().splitlines(True)[:-3])),
        lambda paths: paths[0].write_bytes(b"".join(paths[0].read_bytes().splitlines(True)[1:])),
        lambda paths: paths[0].write_bytes(
            paths[0].read_bytes().replace(b'["t1",7,', b'["t1",7;')
        ),
        lambda paths: paths[0].write_bytes(b"\xff\n"),
        lambda paths: paths[0].write_bytes(b""),
    ])  # fmt: skip
    def test_a_copy_that_was_spoiled_proves_nothing(
        self, storage: Storage, folder: Path, spoil: Callable[[list[Path]], object]
    ) -> None:
        paths = [*files(folder).values()]
        assert len(paths) > 2
        spoil(paths)
        assert compare(storage, folder).wrong != []
