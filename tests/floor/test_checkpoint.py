"""A log that was cut, hashed anew or put back from a backup shows against its checkpoints."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from croupier.floor.checkpoint import (
    FILE,
    KEY,
    CheckpointFailed,
    Notary,
    check,
    public_file,
    read,
)

AT = "2026-01-31T09:05:00.250Z"
posix = pytest.mark.skipif(os.name != "posix", reason="modes and limits of POSIX")


def head(number: int, version: str = "") -> str:
    return version + f"{number:064x}"[len(version) :]


def log(count: int, version: str = "") -> tuple[int, Callable[[int], str | None]]:
    """A log of so many events, as `check` asks for it."""
    return count, lambda number: head(number, version) if number <= count else None


@pytest.fixture
def notary(tmp_path: Path) -> Notary:
    return Notary(tmp_path / "a folder with spaces")


class TestTheKey:
    @posix
    def test_it_is_made_at_first_use_for_its_owner_alone(self, notary: Notary) -> None:
        assert notary.key_file.stat().st_mode & 0o777 == 0o600

    def test_its_public_half_lies_beside_it_as_text(self, notary: Notary) -> None:
        text = public_file(notary.key_file).read_text("ascii")
        assert text.startswith("-----BEGIN PUBLIC KEY-----")
        notary.sign("t1", 1, head(1), AT)
        assert read(notary.folder, text).newest["t1"].count == 1

    def test_it_is_used_again(self, notary: Notary) -> None:
        assert Notary(notary.folder).fingerprint == notary.fingerprint

    def test_it_may_lie_elsewhere(self, tmp_path: Path) -> None:
        notary = Notary(tmp_path / "marks", tmp_path / "keys" / "house.key")
        notary.sign("t1", 1, head(1), AT)
        assert not (tmp_path / "marks" / KEY).exists()
        assert notary.read().newest["t1"].head == head(1)
        with pytest.raises(CheckpointFailed, match=r"the public key .* cannot be read"):
            read(tmp_path / "marks")

    @posix
    def test_one_that_others_may_read_is_refused(self, notary: Notary) -> None:
        notary.key_file.chmod(0o640)
        with pytest.raises(CheckpointFailed, match="chmod 600"):
            Notary(notary.folder)

    def test_what_is_no_key_is_refused(self, notary: Notary) -> None:
        notary.key_file.write_bytes(b"not a key")
        with pytest.raises(CheckpointFailed, match="is not a private key"):
            Notary(notary.folder)

    def test_a_public_key_that_was_swapped_is_refused(self, notary: Notary, tmp_path: Path) -> None:
        other = Notary(tmp_path / "other")
        public_file(notary.key_file).write_bytes(public_file(other.key_file).read_bytes())
        with pytest.raises(CheckpointFailed, match="is not the public key"):
            Notary(notary.folder)

    def test_a_public_key_that_is_none_is_refused(self, notary: Notary) -> None:
        with pytest.raises(CheckpointFailed, match="what was given is not an Ed25519 public key"):
            read(notary.folder, "rubbish")


class TestALine:
    def test_it_says_who_counted_what_and_when(self, notary: Notary) -> None:
        notary.sign("t1", 1000, head(1000), AT)
        said = json.loads((notary.folder / FILE).read_text("ascii"))
        assert list(said) == ["stream", "count", "head", "at", "key", "signature"]
        assert said["stream"] == "t1"
        assert said["count"] == 1000
        assert said["key"] == notary.fingerprint

    def test_several_are_on_disk_with_one_sync(
        self, notary: Notary, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        notary.sign("t1", 1, head(1), AT)
        synced: list[int] = []
        monkeypatch.setattr(os, "fsync", synced.append)
        notary.sign_all([("t1", 2, head(2)), ("t2", 3, head(3))], AT)
        assert len(synced) == 1
        marks = notary.read()
        assert {stream: mark.count for stream, mark in marks.newest.items()} == {"t1": 2, "t2": 3}
        assert (marks.bad, marks.lines) == ([], 3)

    def test_of_many_the_longest_log_counts(self, notary: Notary) -> None:
        for count in (10, 30, 20):
            notary.sign("t1", count, head(count), AT)
        notary.sign("house", 5, head(5), AT)
        marks = notary.read()
        assert {stream: mark.count for stream, mark in marks.newest.items()} == {
            "t1": 30,
            "house": 5,
        }
        assert marks.bad == []
        assert marks.lines == 4

    def test_any_name_can_be_signed(self, notary: Notary) -> None:
        name = 't\u00e9\U0001f0a1 "}\n' + "\udc80"
        notary.acknowledge_restore(name, 1, head(1), AT, by=name, why=name)
        marks = notary.read()
        assert marks.bad == []
        assert marks.newest[name].why == name

    def test_no_file_is_a_new_house(self, notary: Notary) -> None:
        assert notary.read().newest == {}
        assert check(notary.read(), "t1", *log(0)) is None


class TestWhatItProves:
    @pytest.fixture(params=[True, False], ids=["thorough", "quick"])
    def thorough(self, request: pytest.FixtureRequest) -> bool:
        return bool(request.param)

    def test_a_log_that_went_on_is_sound(self, notary: Notary, thorough: bool) -> None:
        notary.sign("t1", 50, head(50), AT)
        marks = notary.read(thorough=thorough)
        assert check(marks, "t1", *log(50)) is None
        assert check(marks, "t1", *log(80)) is None
        assert check(marks, "t2", *log(3)) is None, "a new table has no checkpoint yet"

    def test_a_truncated_log_shows(self, notary: Notary, thorough: bool) -> None:
        notary.sign("t1", 50, head(50), AT)
        assert check(notary.read(thorough=thorough), "t1", *log(49)) == (
            "the log of t1 was truncated: it has 49 events, and the checkpoint of "
            "2026-01-31T09:05:00.250Z counted 50"
        )

    def test_a_log_hashed_anew_shows(self, notary: Notary, thorough: bool) -> None:
        notary.sign("t1", 50, head(50), AT)
        sentence = check(notary.read(thorough=thorough), "t1", *log(60, version="f"))
        assert sentence is not None
        assert sentence.startswith("the log of t1 was hashed anew: event 50 is not the one")

    def test_a_flipped_byte_shows(self, notary: Notary, thorough: bool) -> None:
        notary.sign("t1", 50, head(50), AT)
        path = notary.folder / FILE
        path.write_bytes(path.read_bytes().replace(b'"count":50', b'"count":40'))
        assert check(notary.read(thorough=thorough), "t1", *log(40)) == (
            "line 1 of the checkpoints does not bear the signature of what it says"
        )

    def test_a_foreign_key_shows(self, notary: Notary, tmp_path: Path, thorough: bool) -> None:
        notary.sign("t1", 50, head(50), AT)
        forger = Notary(notary.folder, tmp_path / "forged.key")
        forger.sign("t1", 90, head(90, "f"), AT)
        sentence = check(notary.read(thorough=thorough), "t1", *log(90, "f"))
        assert sentence is not None
        assert sentence.startswith("line 2 of the checkpoints is signed with another key")

    def test_a_foreign_restore_pardons_nothing(
        self, notary: Notary, tmp_path: Path, thorough: bool
    ) -> None:
        notary.sign("t1", 50, head(50), AT)
        forger = Notary(notary.folder, tmp_path / "forged.key")
        forger.acknowledge_restore("t1", 10, head(10), AT, by="forger", why="to hide it")
        sentence = check(notary.read(thorough=thorough), "t1", *log(10))
        assert sentence is not None
        assert "signed with another key" in sentence

    def test_a_line_without_a_signature_shows(self, notary: Notary, thorough: bool) -> None:
        line = {"stream": "t1", "count": 9, "head": head(9), "at": AT, "key": notary.fingerprint}
        (notary.folder / FILE).write_text(json.dumps(line) + "\n", encoding="ascii")
        assert check(notary.read(thorough=thorough), "t1", *log(9)) == (
            "line 1 of the checkpoints is not a checkpoint"
        )

    def test_a_restore_that_somebody_answers_for_counts(
        self, notary: Notary, thorough: bool
    ) -> None:
        notary.sign("t1", 50, head(50), AT)
        notary.acknowledge_restore("t1", 30, head(30), AT, by="supervisor", why="disk broke")
        marks = notary.read(thorough=thorough)
        assert check(marks, "t1", *log(30)) is None
        assert check(marks, "t1", *log(29)) is not None, "it is held to what was restored"
        notary.sign("t1", 40, head(40), AT)
        marks = notary.read(thorough=thorough)
        assert check(marks, "t1", *log(40)) is None
        assert check(marks, "t1", *log(39)) is not None

    def test_a_restore_pardons_only_its_own_stream(self, notary: Notary, thorough: bool) -> None:
        notary.sign("t1", 50, head(50), AT)
        notary.sign("t2", 50, head(50), AT)
        notary.acknowledge_restore("t1", 30, head(30), AT, by="supervisor", why="disk broke")
        assert check(notary.read(thorough=thorough), "t2", *log(30)) is not None

    def test_a_lost_key_is_overcome_by_a_restore(
        self, notary: Notary, tmp_path: Path, thorough: bool
    ) -> None:
        notary.sign("t1", 50, head(50), AT)
        anew = Notary(notary.folder, tmp_path / "new.key")
        assert "another key" in str(check(anew.read(thorough=thorough), "t1", *log(50)))
        anew.acknowledge_restore("t1", 50, head(50), AT, by="supervisor", why="the key was lost")
        assert check(anew.read(thorough=thorough), "t1", *log(50)) is None

    def test_quick_and_thorough_hold_streams_to_the_same(self, notary: Notary) -> None:
        for count in range(1, 200):
            notary.sign(f"t{count % 7}", count, head(count), AT)
        assert notary.read().newest == notary.read(thorough=False).newest


class TestDamage:
    @given(where=st.integers(min_value=0), to=st.integers(min_value=0, max_value=255))
    @settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
    def test_no_flipped_byte_is_believed(self, notary: Notary, where: int, to: int) -> None:
        path = notary.folder / FILE
        path.unlink(missing_ok=True)
        notary.sign("t1", 50, head(50), AT)
        notary.sign("t1", 60, head(60), AT)
        whole = path.read_bytes()
        where %= len(whole)
        path.write_bytes(whole[:where] + bytes([to]) + whole[where + 1 :])
        believed = notary.read().newest
        assert set(believed) <= {"t1"}
        for mark in believed.values():
            assert (mark.count, mark.head, mark.at) in [(50, head(50), AT), (60, head(60), AT)]

    @given(st.lists(st.binary(max_size=80), max_size=6))
    @settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
    def test_rubbish_is_reported_line_by_line(self, notary: Notary, rubbish: list[bytes]) -> None:
        (notary.folder / FILE).write_bytes(b"\n".join(rubbish))
        marks = notary.read()
        assert marks.newest == {}
        assert len(marks.bad) == marks.lines

    def test_deep_rubbish_is_reported(self, notary: Notary) -> None:
        (notary.folder / FILE).write_bytes(b"[" * 1_000_000 + b"\n" + b"9" * 10_000 + b"\n")
        assert [bad.number for bad in notary.read().bad] == [1, 2]

    def test_a_torn_last_line_is_reported_and_spoils_nothing(self, notary: Notary) -> None:
        notary.sign("t1", 50, head(50), AT)
        notary.sign("t1", 60, head(60), AT)
        path = notary.folder / FILE
        whole = path.read_bytes()
        for cut in range(1, 120):
            path.write_bytes(whole[:-cut])
            marks = notary.read()
            if cut > 1:
                assert [(bad.number, bad.torn) for bad in marks.bad] == [(2, True)]
                assert check(marks, "t1", *log(50)) is None
            notary.sign("t1", 70, head(70), AT)
            marks = notary.read()
            assert marks.newest["t1"].count == 70
            assert all(bad.torn for bad in marks.bad)

    def test_a_line_taken_out_leaves_the_others_standing(self, notary: Notary) -> None:
        for count in (10, 20, 30):
            notary.sign("t1", count, head(count), AT)
        path = notary.folder / FILE
        lines = path.read_bytes().splitlines(keepends=True)
        path.write_bytes(lines[0] + lines[2])
        assert notary.read().newest["t1"].count == 30


APPEND = """
import sys
from pathlib import Path
from croupier.floor.checkpoint import Notary

folder, name = Path(sys.argv[1]), sys.argv[2]
notary = Notary(folder)
for count in range(1, 201):
    notary.sign(name, count, f"{count:064x}", "2026-01-31T09:05:00.250Z")
"""

FILL = """
import resource, signal, sys
from pathlib import Path
from croupier.floor.checkpoint import CheckpointFailed, Notary

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
notary = Notary(Path(sys.argv[1]))
notary.sign("t1", 1, "0" * 64, "2026-01-31T09:05:00.250Z")
resource.setrlimit(resource.RLIMIT_FSIZE, (400, resource.RLIM_INFINITY))
try:
    notary.sign("t1", 2, "0" * 64, "2026-01-31T09:05:00.250Z")
except CheckpointFailed as failed:
    print(failed)
"""


class TestOtherProcesses:
    def test_several_that_append_at_once_lose_no_line(self, tmp_path: Path) -> None:
        names = ["t1", "t2", "t3"]
        running = [
            subprocess.Popen([sys.executable, "-c", APPEND, str(tmp_path / "marks"), name])
            for name in names
        ]
        assert [process.wait() for process in running] == [0, 0, 0]
        marks = read(tmp_path / "marks")
        assert marks.bad == []
        assert marks.lines == 600
        assert {name: marks.newest[name].count for name in names} == dict.fromkeys(names, 200)


class TestDisks:
    @pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full disk here")
    def test_a_full_disk_is_a_sentence(self, notary: Notary) -> None:
        (notary.folder / FILE).symlink_to("/dev/full")
        with pytest.raises(CheckpointFailed) as failed:
            notary.sign("t1", 7, head(7), AT)
        assert str(failed.value) == (
            f"the checkpoint of t1 at event 7 could not be written to {notary.folder / FILE}: "
            "no space left on device"
        )

    @posix
    def test_a_disk_that_takes_half_a_line_is_overcome(self, tmp_path: Path) -> None:
        ran = subprocess.run(
            [sys.executable, "-c", FILL, str(tmp_path)], capture_output=True, text=True, check=True
        )
        assert "could not be written" in ran.stdout
        assert "Traceback" not in ran.stderr
        notary = Notary(tmp_path)
        assert (tmp_path / FILE).stat().st_size == 400
        assert check(notary.read(), "t1", 1, lambda number: "0" * 64) is None
        notary.sign("t1", 3, head(3), AT)
        marks = notary.read()
        assert [(bad.number, bad.torn) for bad in marks.bad] == [(2, True)]
        assert marks.newest["t1"].count == 3

    def test_a_folder_that_cannot_be_made_is_a_sentence(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("", encoding="ascii")
        with pytest.raises(CheckpointFailed, match="checkpoints cannot be kept in"):
            Notary(tmp_path / "file" / "marks")

    def test_checkpoints_that_cannot_be_read_are_a_sentence(self, notary: Notary) -> None:
        (notary.folder / FILE).mkdir()
        with pytest.raises(CheckpointFailed, match="cannot be read: is a directory"):
            notary.read()
