"""Copies of the checkpoints outside: they get every line, stop no table, and show a cut."""

import json
import logging
import shlex
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import select

from croupier.floor import sinks
from croupier.floor.checkpoint import FILE, Notary, read
from croupier.floor.lines import files
from croupier.floor.sinks import (
    CommandSink,
    DatabaseSink,
    FolderSink,
    Sinks,
    anchors,
    differing,
    differing_from,
)
from croupier.floor.storage import Storage

AT = "2026-01-31T09:05:00.250Z"


def sign(notary: Notary, *counts: int) -> None:
    for count in counts:
        notary.sign("t1", count, f"{count:064x}", AT)


def lines(folder: Path) -> list[bytes]:
    return [
        line for path in files(folder).values() for line in path.read_bytes().splitlines()
    ]  # fmt: skip


def soon(is_so: Callable[[], bool], seconds: float = 10) -> None:
    until = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < until, "it did not happen"
        time.sleep(0.01)


@pytest.fixture
def notary(tmp_path: Path) -> Notary:
    notary = Notary(tmp_path / "marks", largest=3000)
    sign(notary, 1, 2, 3)
    return notary


class TestAFolder:
    @pytest.fixture
    def copy(self, notary: Notary, tmp_path: Path) -> FolderSink:
        return FolderSink(notary.folder, tmp_path / "disk" / "copy", notary.public_key)

    def test_it_has_every_byte_and_can_be_checked_by_itself(
        self, notary: Notary, copy: FolderSink
    ) -> None:
        for counts in ([], range(4, 30), [30]):
            sign(notary, *counts)
            copy.catch_up()
            assert lines(copy.to) == lines(notary.folder)
        assert len(files(copy.to)) > 2
        marks = read(copy.to)
        assert (marks.flaws, marks.newest["t1"].count) == ([], 30)

    def test_a_copy_that_broke_off_anywhere_is_completed(
        self, notary: Notary, copy: FolderSink
    ) -> None:
        copy.catch_up()
        whole = (copy.to / FILE).read_bytes()
        for cut in range(0, len(whole), 50):
            (copy.to / FILE).write_bytes(whole[:cut])
            FolderSink(notary.folder, copy.to, notary.public_key).catch_up()
            assert (copy.to / FILE).read_bytes() == whole

    @pytest.mark.parametrize("again", [False, True], ids=["while it runs", "after a restart"])
    def test_lines_that_were_cut_stay_in_it(
        self, notary: Notary, copy: FolderSink, again: bool
    ) -> None:
        copy.catch_up()
        kept = lines(copy.to)
        path = notary.folder / FILE
        path.write_bytes(b"\n".join(kept[:2]) + b"\n")
        assert str(differing(notary.folder, copy.to)).endswith(
            f"has line 3 of {FILE}, which {notary.folder} lacks: it was cut"
        )
        if again:
            notary = Notary(notary.folder, largest=3000)
            copy = FolderSink(notary.folder, copy.to, notary.public_key)
        for count in range(10, 20):
            with pytest.raises(sinks.Differs):
                copy.catch_up()
            sign(notary, count)
        assert lines(copy.to) == kept
        assert differing(notary.folder, copy.to) is not None

    def test_a_file_that_was_taken_away_stays_in_it(self, notary: Notary, copy: FolderSink) -> None:
        sign(notary, *range(4, 30))
        copy.catch_up()
        *_, newest = files(notary.folder).values()
        newest.unlink()
        assert f"has the file {newest.name}" in str(differing(notary.folder, copy.to))
        with pytest.raises(sinks.Differs):
            copy.catch_up()

    def test_a_line_that_was_changed_shows(self, notary: Notary, copy: FolderSink) -> None:
        copy.catch_up()
        path = notary.folder / FILE
        path.write_bytes(path.read_bytes().replace(b"05:00.250Z", b"05:00.251Z", 1))
        assert differing(notary.folder, copy.to) == (
            f"line 2 of {FILE} in {notary.folder} is not the one that the copy in {copy.to} has"
        )

    def test_one_that_is_behind_is_fine(self, notary: Notary, copy: FolderSink) -> None:
        copy.catch_up()
        sign(notary, *range(4, 30))
        assert differing(notary.folder, copy.to) is None
        (copy.to / FILE).write_bytes((copy.to / FILE).read_bytes()[:-40])
        assert differing(notary.folder, copy.to) is None

    def test_a_disk_that_fails_is_told_once_and_gets_what_it_missed(
        self, notary: Notary, tmp_path: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        disk = tmp_path / "disk"
        disk.write_text("not mounted", encoding="ascii")
        copies = Sinks(notary, [disk / "copy"])
        copies.start()
        with caplog.at_level(logging.ERROR):
            soon(lambda: bool(copies.failed))
            sign(notary, 4, 5)
            time.sleep(0.3)
        assert len(caplog.records) == 1
        assert "checkpoints are not copied to" in copies.failed[0]
        disk.unlink()
        soon(lambda: not copies.failed)
        copies.stop()
        assert lines(disk / "copy") == lines(notary.folder)


# Writes down every line it gets; the first time, it dies after five.
PROGRAM = """
import os, sys
with open(sys.argv[1], "ab", buffering=0) as file:
    for number, line in enumerate(sys.stdin.buffer, 1):
        file.write(line)
        if number == 5 and sys.argv[2] and not os.path.exists(sys.argv[2]):
            open(sys.argv[2], "w").close()
            sys.exit(3)
"""


class TestAProgram:
    def command(self, to: Path, dies: str = "") -> str:
        return shlex.join([sys.executable, "-c", PROGRAM, str(to), dies])

    def test_it_is_started_once_and_gets_every_line(self, notary: Notary, tmp_path: Path) -> None:
        copies = Sinks(notary, command=self.command(tmp_path / "got"))
        copies.start()
        soon(lambda: (tmp_path / "got").exists())
        for count in range(4, 30):
            sign(notary, count)
        copies.stop()
        assert (tmp_path / "got").read_bytes().splitlines() == lines(notary.folder)

    def test_one_that_ends_is_started_again_and_no_line_is_left_out(
        self, notary: Notary, tmp_path: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        got = tmp_path / "got"
        copies = Sinks(notary, command=self.command(got, str(tmp_path / "died")))
        copies.start()
        soon(got.exists)
        sign(notary, *range(4, 12))
        soon(lambda: bool(copies.failed))
        assert "it ended with code 3" in caplog.text
        sign(notary, *range(12, 16))
        soon(lambda: lines(notary.folder)[-1] in got.read_bytes())
        copies.stop()
        received = got.read_bytes().splitlines()
        assert received[5:] == lines(notary.folder)
        assert received[:5] == lines(notary.folder)[:5], "some come twice"

    def test_one_that_never_reads_keeps_nobody_waiting(
        self, notary: Notary, tmp_path: Path
    ) -> None:
        program = "import time; time.sleep(100)"
        copies = Sinks(notary, command=shlex.join([sys.executable, "-c", program]))
        copies.start()
        begun = time.monotonic()
        for count in range(4, 300):
            sign(notary, count)
        assert time.monotonic() - begun < 10
        begun = time.monotonic()
        copies.stop()
        assert time.monotonic() - begun < 6
        sink = copies.all[0]
        assert isinstance(sink, CommandSink)
        assert sink._running is None or sink._running.poll() is not None

    def test_one_that_cannot_be_started_is_a_sentence(self, notary: Notary) -> None:
        copies = Sinks(notary, command="/no/such/program --at all")
        copies.start()
        soon(lambda: bool(copies.failed))
        copies.stop()
        assert copies.failed == [
            "checkpoints are not copied to /no/such/program: no such file or directory"
        ]


class TestADatabase:
    @pytest.fixture
    def copy(self, notary: Notary, empty_url: str) -> Iterator[DatabaseSink]:
        sink = DatabaseSink(notary.folder, empty_url)
        yield sink
        sink.close()

    def texts(self, copy: DatabaseSink) -> list[bytes]:
        with copy.storage.read() as conn:
            query = select(anchors.c.line, anchors.c.text).order_by(anchors.c.line)
            rows = conn.execute(query).all()
        assert [row.line for row in rows] == list(range(1, len(rows) + 1))
        return [row.text.encode() for row in rows]

    def test_it_has_every_line(self, notary: Notary, copy: DatabaseSink, empty_url: str) -> None:
        for counts in ([], range(4, 30), [30]):
            sign(notary, *counts)
            copy.catch_up()
            assert self.texts(copy) == lines(notary.folder)
        sign(notary, *range(31, 50))
        again = DatabaseSink(notary.folder, empty_url)
        again.catch_up()
        again.close()
        assert self.texts(copy) == lines(notary.folder)
        assert differing_from(notary.folder, copy.storage) is None

    def test_lines_that_were_cut_or_changed_stay_in_it(
        self, notary: Notary, copy: DatabaseSink, empty_url: str
    ) -> None:
        copy.catch_up()
        kept = self.texts(copy)
        path = notary.folder / FILE
        path.write_bytes(b"\n".join(kept[:3]) + b"\n")
        assert "has line 4 of the checkpoints" in str(differing_from(notary.folder, copy.storage))
        again = DatabaseSink(notary.folder, empty_url)
        with pytest.raises(sinks.Differs, match="which the checkpoints lack"):
            again.catch_up()
        anew = Notary(notary.folder)
        sign(anew, 7, 8, 9)
        with pytest.raises(sinks.Differs, match="the checkpoints changed"):
            again.catch_up()
        again.close()
        assert self.texts(copy) == kept
        assert "is not the one that" in str(differing_from(notary.folder, copy.storage))

    def test_one_that_is_not_there_yet_gets_what_it_missed(
        self, notary: Notary, tmp_path: Path
    ) -> None:
        copies = Sinks(notary, db=f"sqlite:///{tmp_path}/disk/anchors.db")
        copies.start()
        soon(lambda: bool(copies.failed))
        sign(notary, 4)
        (tmp_path / "disk").mkdir()
        soon(lambda: not copies.failed)
        copies.stop()
        other = Storage(f"sqlite:///{tmp_path}/disk/anchors.db")
        with other.read() as conn:
            last = conn.scalar(select(anchors.c.text).order_by(anchors.c.line.desc()))
        other.close()
        assert json.loads(str(last))["heads"]["t1"][0] == 4
