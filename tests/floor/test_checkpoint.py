"""A log that was cut, hashed anew or put back from a backup shows against its checkpoints."""

import base64
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from croupier.floor.checkpoint import (
    FILE,
    KEY,
    CheckpointFailed,
    Expected,
    Marks,
    Notary,
    check,
    check_anchor,
    merged,
    public_file,
    read,
)
from croupier.floor.events import canonical
from croupier.floor.lines import files, hash_of
from croupier.floor.seal import Seal

AT = "2026-01-31T09:05:00.250Z"
posix = pytest.mark.skipif(os.name != "posix", reason="modes and limits of POSIX")


def head(number: int, version: str = "") -> str:
    return version + f"{number:064x}"[len(version) :]


def log(count: int, version: str = "") -> tuple[int, Callable[[int], str | None]]:
    """A log of so many events, as `check` asks for it."""
    return count, lambda number: head(number, version) if number <= count else None


def lines(notary: Notary, file: str = FILE) -> list[bytes]:
    return (notary.folder / file).read_bytes().splitlines(keepends=True)


def put(notary: Notary, kept: list[bytes], file: str = FILE) -> None:
    (notary.folder / file).write_bytes(b"".join(kept))


def flaws(notary: Notary, *, thorough: bool = True) -> list[str]:
    return [flaw.sentence for flaw in notary.read(thorough=thorough).flaws]


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

    def test_its_secret_seals_and_no_other_does(self, notary: Notary, tmp_path: Path) -> None:
        seal = notary.seal.of("t1", 7)
        assert Notary(notary.folder).seal.fits(seal, "t1", 7)
        assert not Notary(tmp_path / "other").seal.fits(seal, "t1", 7)
        public = public_file(notary.key_file).read_bytes()
        assert not Seal(public).fits(seal, "t1", 7)


class TestALine:
    def test_it_says_who_counted_what_and_when(self, notary: Notary) -> None:
        notary.sign_all([("t1", 1000, head(1000)), ("house", 7, head(7))], AT)
        before, line = lines(notary)
        said = json.loads(line)
        assert list(said) == ["line", "at", "heads", "previous", "key", "signature"]
        assert said["line"] == 2
        assert said["heads"] == {"t1": [1000, head(1000)], "house": [7, head(7)]}
        assert said["previous"] == hash_of(before.rstrip())
        assert said["key"] == notary.fingerprint

    def test_the_first_begins_the_chain_before_anything_is_signed(self, notary: Notary) -> None:
        (line,) = lines(notary)
        said = json.loads(line)
        assert (said["line"], said["kind"], said["heads"]) == (1, "begun", {})
        state = notary.state()
        assert state == {
            "key": notary.fingerprint, "chain": said["chain"], "line": 1,
            "hash": hash_of(line.rstrip()),
        }  # fmt: skip
        assert Notary(notary.folder).state() == state, "a second start adds nothing"

    def test_nothing_that_grew_is_no_line(self, notary: Notary) -> None:
        assert notary.sign_all([], AT) == []
        assert len(lines(notary)) == 1

    def test_what_it_says_of_a_log_can_be_handed_over(self, notary: Notary) -> None:
        notary.sign_all([("t1", 1, head(1)), ("t2", 3, head(3))], AT)
        mark = notary.read().newest["t2"]
        assert mark.text.encode() == lines(notary)[-1].rstrip()
        assert (mark.line, mark.count) == (2, 3)

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
        assert (marks.flaws, marks.lines) == ([], 3)

    def test_of_many_the_longest_log_counts(self, notary: Notary) -> None:
        for count in (10, 30, 20):
            notary.sign("t1", count, head(count), AT)
        notary.sign("house", 5, head(5), AT)
        marks = notary.read()
        assert {stream: mark.count for stream, mark in marks.newest.items()} == {
            "t1": 30,
            "house": 5,
        }
        assert marks.flaws == []
        assert marks.lines == 5

    def test_any_name_can_be_signed(self, notary: Notary) -> None:
        name = 't\u00e9\U0001f0a1 "}\n' + "\udc80"
        notary.acknowledge_restore(name, 1, head(1), AT, by=name, why=name)
        marks = notary.read()
        assert marks.flaws == []
        assert marks.newest[name].why == name

    def test_no_file_is_a_new_house_or_a_lost_one(self, notary: Notary) -> None:
        (notary.folder / FILE).unlink()
        marks = notary.read()
        assert (marks.newest, marks.missing, marks.line) == ({}, True, 0)
        assert check(marks, "t1", *log(0)) is None


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
        path.write_bytes(path.read_bytes().replace(b'"t1":[50', b'"t1":[40'))
        wrong = "line 2 of the checkpoints does not bear the signature of what it says"
        assert check(notary.read(thorough=thorough), "t1", *log(40)) == wrong
        assert flaws(notary, thorough=thorough) == [wrong]

    def test_a_foreign_key_shows(self, notary: Notary, tmp_path: Path, thorough: bool) -> None:
        notary.sign("t1", 50, head(50), AT)
        forger = Notary(notary.folder, tmp_path / "forged.key")
        forger.sign("t1", 90, head(90, "f"), AT)
        sentence = check(notary.read(thorough=thorough), "t1", *log(90, "f"))
        assert sentence is not None
        assert sentence.startswith("line 3 of the checkpoints is signed with another key")

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
        said = json.loads(lines(notary)[0])
        line = {"line": 2, "at": AT, "heads": {"t1": [9, head(9)]}, "previous": head(0),
                "key": said["key"]}  # fmt: skip
        put(notary, [*lines(notary), json.dumps(line, separators=(",", ":")).encode() + b"\n"])
        assert flaws(notary, thorough=thorough) == ["line 2 of the checkpoints is not a checkpoint"]
        assert notary.read(thorough=thorough).newest == {}

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
        assert "another key" in flaws(anew, thorough=thorough)[0]
        anew.acknowledge_restore("t1", 50, head(50), AT, by="supervisor", why="the key was lost")
        assert check(anew.read(thorough=thorough), "t1", *log(50)) is None
        assert flaws(anew, thorough=thorough) == []

    def test_quick_and_thorough_hold_streams_to_the_same(self, notary: Notary) -> None:
        for count in range(1, 200):
            notary.sign(f"t{count % 7}", count, head(count), AT)
        assert notary.read().newest == notary.read(thorough=False).newest


class TestDamage:
    @given(where=st.integers(min_value=0), to=st.integers(min_value=0, max_value=255))
    @settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
    def test_no_flipped_byte_is_believed(self, notary: Notary, where: int, to: int) -> None:
        if notary.state()["line"] == 1:
            notary.sign("t1", 50, head(50), AT)
            notary.sign("t1", 60, head(60), AT)
            (notary.folder / "whole").write_bytes((notary.folder / FILE).read_bytes())
        whole = (notary.folder / "whole").read_bytes()
        where %= len(whole)
        spoiled = whole[:where] + bytes([to]) + whole[where + 1 :]
        (notary.folder / FILE).write_bytes(spoiled)
        marks = notary.read()
        assert set(marks.newest) <= {"t1"}
        for mark in marks.newest.values():
            assert (mark.count, mark.head, mark.at) in [(50, head(50), AT), (60, head(60), AT)]
        is_whole = spoiled == whole or (where == len(whole) - 1 and bytes([to]).isspace())
        assert (not marks.flaws) == is_whole

    @given(st.lists(st.binary(max_size=80), max_size=6))
    @settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
    def test_rubbish_is_reported_line_by_line(self, notary: Notary, rubbish: list[bytes]) -> None:
        (notary.folder / FILE).write_bytes(b"\n".join(rubbish))
        marks = notary.read()
        assert marks.newest == {}
        assert len(marks.bad) == marks.lines

    def test_deep_rubbish_is_reported(self, notary: Notary) -> None:
        with (notary.folder / FILE).open("ab") as file:
            file.write(b"[" * 1_000_000 + b"\n" + b"9" * 10_000 + b"\n")
        assert [flaw.line for flaw in notary.read().flaws] == [2, 3]

    def test_an_emptied_file_shows(self, notary: Notary) -> None:
        notary.sign("t1", 50, head(50), AT)
        (notary.folder / FILE).write_bytes(b"")
        for thorough in (True, False):
            marks = notary.read(thorough=thorough)
            assert marks.missing
            assert [flaw.sentence for flaw in marks.flaws] == [
                "the file checkpoints.jsonl of the checkpoints is empty: what it held was taken out"
            ]

    def test_a_file_that_is_cut_under_a_running_server_shows_for_all_time(
        self, notary: Notary, caplog: pytest.LogCaptureFixture
    ) -> None:
        for count in range(1, 6):
            notary.sign("t1", count, head(count), AT)
        put(notary, lines(notary)[:3])
        notary.sign("t1", 6, head(6), AT)
        assert "was cut from" in caplog.text
        assert flaws(notary) == [
            "line 4 of the checkpoints has the number 7, and 4 and more are missing before it"
        ]


class TestTheChain:
    """Lines cannot be taken out, put in, moved or written anew, whoever has the file."""

    @pytest.fixture
    def signed(self, notary: Notary) -> list[bytes]:
        for count in (10, 20, 30, 40):
            notary.sign("t1", count, head(count), AT)
        return lines(notary)

    @pytest.fixture(params=[True, False], ids=["thorough", "quick"])
    def thorough(self, request: pytest.FixtureRequest) -> bool:
        return bool(request.param)

    def test_a_line_taken_out_shows(
        self, notary: Notary, signed: list[bytes], thorough: bool
    ) -> None:
        put(notary, signed[:2] + signed[3:])
        assert flaws(notary, thorough=thorough) == [
            "line 3 of the checkpoints has the number 4, and line 3 is missing before it"
        ]

    def test_the_first_line_taken_out_shows(
        self, notary: Notary, signed: list[bytes], thorough: bool
    ) -> None:
        put(notary, signed[1:])
        assert flaws(notary, thorough=thorough) == [
            "line 1 of the checkpoints cannot be the first: lines before it were taken out"
        ]

    def test_a_line_doubled_shows(
        self, notary: Notary, signed: list[bytes], thorough: bool
    ) -> None:
        put(notary, [*signed[:3], signed[2], *signed[3:]])
        assert "has the number 3, which stood before it" in flaws(notary, thorough=thorough)[0]

    def test_two_lines_that_changed_places_show(
        self, notary: Notary, signed: list[bytes], thorough: bool
    ) -> None:
        put(notary, [*signed[:2], signed[3], signed[2], *signed[4:]])
        assert len(flaws(notary, thorough=thorough)) == 3

    def test_lines_of_another_folder_of_the_same_key_show(
        self, notary: Notary, signed: list[bytes], tmp_path: Path, thorough: bool
    ) -> None:
        other = Notary(tmp_path / "other", notary.key_file)
        for count in (10, 20, 30, 45):
            other.sign("t1", count, head(count, "f"), AT)
        put(notary, [*signed[:4], lines(other)[4]])
        assert flaws(notary, thorough=thorough) == [
            "line 5 of the checkpoints does not follow the line before it"
        ]

    def test_a_flaw_is_overcome_by_whoever_answers_for_it_and_no_later_one(
        self, notary: Notary, signed: list[bytes], thorough: bool
    ) -> None:
        put(notary, signed[:2] + signed[3:])
        anew = Notary(notary.folder)
        anew.acknowledge_restore("t1", 40, head(40), AT, by="Sue", why="a bad sector")
        anew.sign("t1", 50, head(50), AT)
        assert flaws(notary, thorough=thorough) == []
        kept = lines(notary)
        put(notary, kept[:1] + kept[2:])
        assert flaws(notary, thorough=thorough) != []

    def test_every_line_cut_off_at_the_end_is_known_to_the_house(
        self, notary: Notary, signed: list[bytes]
    ) -> None:
        """A tail that is gone shows in nothing but what others know of it."""
        put(notary, signed[:3])
        assert flaws(notary) == []
        assert notary.read().line == 3 < notary.state()["line"]


class TestTornLines:
    """A power loss leaves the beginning of a line. It stays, and the next line says so."""

    @pytest.fixture(autouse=True)
    def quick(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """A thousand restarts need no disk."""
        monkeypatch.setattr(os, "fsync", lambda file: None)

    def test_an_honest_kill_at_any_byte_is_repaired(self, notary: Notary) -> None:
        notary.sign("t1", 50, head(50), AT)
        before = (notary.folder / FILE).read_bytes()
        notary.sign("t1", 60, head(60), AT)
        whole = (notary.folder / FILE).read_bytes()
        for cut in range(len(before), len(whole) + 1):
            (notary.folder / FILE).write_bytes(whole[:cut])
            anew = Notary(notary.folder)
            assert flaws(anew) == []
            assert (notary.folder / FILE).read_bytes().startswith(whole[:cut]), "nothing is deleted"
            anew.sign("t1", 70, head(70), AT)
            marks = anew.read()
            assert (marks.flaws, marks.newest["t1"].count) == ([], 70)
            assert notary.read(thorough=False).flaws == []
            is_torn = len(before) < cut < len(whole) - 1
            assert sum(b'"kind":"torn"' in line for line in lines(notary)) == is_torn

    def test_until_then_it_shows_with_what_to_do(self, notary: Notary) -> None:
        notary.sign("t1", 50, head(50), AT)
        whole = (notary.folder / FILE).read_bytes()
        (notary.folder / FILE).write_bytes(whole[:-30])
        for thorough in (True, False):
            assert notary.read(thorough=thorough).torn
            assert flaws(notary, thorough=thorough) == [
                "line 2 of the checkpoints breaks off, as a power loss leaves it: start the server "
                "once, which keeps it and says so in the next line"
            ]

    def test_a_power_loss_during_the_repair_is_repaired_too(self, notary: Notary) -> None:
        notary.sign("t1", 50, head(50), AT)
        whole = (notary.folder / FILE).read_bytes()
        (notary.folder / FILE).write_bytes(whole[:-30])
        Notary(notary.folder)
        repaired = (notary.folder / FILE).read_bytes()
        for cut in range(len(whole) - 30, len(repaired)):
            (notary.folder / FILE).write_bytes(repaired[:cut])
            assert flaws(Notary(notary.folder)) == []

    def test_zeros_that_a_file_system_leaves_are_repaired(self, notary: Notary) -> None:
        with (notary.folder / FILE).open("ab") as file:
            file.write(bytes(4096))
        assert "breaks off" in flaws(notary)[0]
        assert flaws(Notary(notary.folder)) == []

    def test_exactly_that_one_is_accepted(self, notary: Notary) -> None:
        notary.sign("t1", 50, head(50), AT)
        (notary.folder / FILE).write_bytes((notary.folder / FILE).read_bytes()[:-30])
        anew = Notary(notary.folder)
        anew.sign("t1", 60, head(60), AT)
        begun, torn, naming, last = lines(notary)
        for kept in (
            [begun, naming, last],
            [begun, torn[:-9] + b"\n", naming, last],
            [begun, torn, torn, naming, last],
            [begun, torn, naming, torn, last],
        ):
            put(notary, kept)
            assert len(flaws(notary)) == len(flaws(notary, thorough=False)) > 0

    def test_what_somebody_wrote_there_is_not_taken_for_torn(self, notary: Notary) -> None:
        with (notary.folder / FILE).open("ab") as file:
            file.write(b'{"hello":"world"}\nhello')
        Notary(notary.folder).sign("t1", 1, head(1), AT)
        assert flaws(notary) == [
            "line 2 of the checkpoints is not a checkpoint",
            "line 3 of the checkpoints is not a checkpoint",
        ]

    def test_a_reader_waits_for_the_line_that_is_being_written(self, notary: Notary) -> None:
        notary.sign("t1", 50, head(50), AT)
        whole = (notary.folder / FILE).read_bytes()
        (notary.folder / FILE).write_bytes(whole[:-30])

        def rest() -> None:
            with (notary.folder / FILE).open("ab") as file:
                file.write(whole[-30:])

        later = threading.Timer(0.05, rest)
        later.start()
        assert flaws(notary) == []
        later.join()


class TestFurtherFiles:
    """A long file is followed by another, and a start reads the newest alone."""

    SECOND, THIRD = "checkpoints-000002.jsonl", "checkpoints-000003.jsonl"

    @pytest.fixture
    def long(self, tmp_path: Path) -> Notary:
        notary = Notary(tmp_path / "long", largest=2000)
        notary.sign("t2", 7, head(7), AT)
        for count in range(1, 15):
            notary.sign("t1", count, head(count), AT)
        assert (notary.folder / self.THIRD).exists()
        return notary

    def test_the_first_line_of_each_holds_every_log(self, long: Notary) -> None:
        full = json.loads(lines(long, self.SECOND)[0])
        assert full["kind"] == "full"
        assert full["heads"]["t2"] == [7, head(7)]
        assert full["previous"] == hash_of(lines(long)[-1].rstrip())
        assert full["line"] == json.loads(lines(long)[-1])["line"] + 1

    def test_quick_and_thorough_hold_the_logs_to_the_same(self, long: Notary) -> None:
        quick, thorough = long.read(thorough=False), long.read()
        assert (quick.flaws, thorough.flaws) == ([], [])
        assert {s: m.count for s, m in quick.newest.items()} == {"t1": 14, "t2": 7}
        assert {s: m.count for s, m in thorough.newest.items()} == {"t1": 14, "t2": 7}
        assert (quick.chain, quick.line) == (thorough.chain, thorough.line)
        assert quick.lines < thorough.lines

    def test_it_goes_on_after_a_restart(self, long: Notary) -> None:
        anew = Notary(long.folder, largest=2000)
        assert anew.state() == long.state()
        for count in range(15, 40):
            anew.sign("t1", count, head(count), AT)
        long.sign("t1", 41, head(41), AT)
        assert long.read().flaws == []
        assert long.state()["line"] == long.read().line

    @pytest.mark.parametrize("file", [FILE, SECOND])
    def test_a_missing_file_shows(self, long: Notary, file: str) -> None:
        (long.folder / file).unlink()
        wrong = f"the file {file} of the checkpoints is missing: it was taken away"
        assert wrong in flaws(long)
        assert wrong in flaws(long, thorough=False)

    def test_an_emptied_file_shows(self, long: Notary) -> None:
        *_, newest = files(long.folder).values()
        newest.write_bytes(b"")
        for thorough in (True, False):
            assert (
                f"the file {newest.name} of the checkpoints is empty"
                in flaws(long, thorough=thorough)[0]
            )
        anew = Notary(long.folder, largest=2000)
        anew.acknowledge_restore("t1", 14, head(14), AT, by="Sue", why="a bad sector")
        assert flaws(anew) == flaws(anew, thorough=False) == []

    def test_a_file_that_was_cut_in_the_middle_shows(self, long: Notary) -> None:
        put(long, lines(long, self.SECOND)[:-1], self.SECOND)
        assert any("missing before it" in wrong for wrong in flaws(long))

    def test_a_file_with_flaws_is_not_left_behind(self, tmp_path: Path) -> None:
        notary = Notary(tmp_path / "marks", largest=2000)
        with (notary.folder / FILE).open("ab") as file:
            file.write(b"hello\n")
        for count in range(1, 20):
            notary.sign("t1", count, head(count), AT)
        assert not (notary.folder / self.SECOND).exists()
        assert flaws(notary, thorough=False) != []

    def test_many_logs_do_not_make_every_line_a_file(self, tmp_path: Path) -> None:
        notary = Notary(tmp_path / "marks", largest=2000)
        notary.sign_all([(f"t{each}", 1, head(1)) for each in range(100)], AT)
        for count in range(2, 50):
            notary.sign("t1", count, head(count), AT)
        assert len(list(notary.folder.glob("*.jsonl"))) == 2


RESTORE = {"kind": "restored", "by": "Sue", "why": "disk \u00e9 broke"}
# Written by that version: stream, count, signature, and who answered.
OF_0_6_0: tuple[tuple[str, int, str, dict[str, str]], ...] = (
    (
        "t1",
        10,
        "XqWMo7+s+TX3w8tcoFDkP9Jl8EGxyFMXDehwqg3azU5xDL6RtdDnvx8/mURf4I9acJWUiOe/hgIzOrivP3LuBA==",
        {},
    ),
    (
        "house",
        5,
        "PSqbiiMT7XQ7jcsVg7w/5Ciwh5ejcLx9NTjZwhwm1qqKBBB2YwnBxeXP17pOu/363hebeLps1q7JxyQnSsn+Aw==",
        {},
    ),
    (
        "t1",
        50,
        "Pf0iVRGqywLrk4NIkngnG70BLtqJPiraLSyfe06vQccdJnHdQ07F9mqXs7OxqRYtp0+Ia29Y2Tc6iILY9v3JDw==",
        {},
    ),
    (
        "t1",
        30,
        "kupWzM6/aGcoDifmFEtOZOjGv/fPCAu7vEHovjzrwE567/ngi9oyQlKmGaZbMZyT5CW9PNqZ97uJMDUdvhxiCg==",
        RESTORE,
    ),
)
ITS_KEY = """\
-----BEGIN PUBLIC KEY-----
MCowBQYDK2VwAyEAtpVDv1SCionRFJU2LjBH1ah3ZJSA0vh0aqUeVbs1AYc=
-----END PUBLIC KEY-----
"""


class TestLinesOfVersion060:
    @pytest.fixture
    def old(self, tmp_path: Path) -> Path:
        with (tmp_path / FILE).open("w", encoding="ascii") as file:
            for stream, count, signature, more in OF_0_6_0:
                said = {
                    "stream": stream, "count": count, "head": head(count), "at": AT,
                    "key": "b72bdc8c473a44b4e50f8104520811c8", **more, "signature": signature,
                }  # fmt: skip
                file.write(json.dumps(said, separators=(",", ":")) + "\n")
        return tmp_path

    @pytest.fixture
    def upgraded(self, notary: Notary) -> Notary:
        """A folder of 0.6.0, of a key that we have, on which this version has signed."""
        put(notary, [old_line(notary, "t1", 50), old_line(notary, "t2", 7)])
        anew = Notary(notary.folder)
        anew.sign("t1", 60, head(60), AT)
        return anew

    def test_are_read_and_believed(self, old: Path) -> None:
        for thorough in (True, False):
            marks = read(old, ITS_KEY, thorough=thorough)
            assert (marks.bad, marks.flaws, marks.lines) == ([], [], 4)
            assert {s: m.count for s, m in marks.newest.items()} == {"t1": 30, "house": 5}
            assert marks.newest["t1"].by == "Sue"
            assert check(marks, "t1", 29, lambda _: None) is not None

    def test_the_first_line_of_today_is_chained_to_them(self, upgraded: Notary) -> None:
        first, second, begun, _ = lines(upgraded)
        said = json.loads(begun)
        assert said["previous"] == hash_of(second.rstrip())
        assert said["old"] == [2, hash_of(first + second)]
        marks = upgraded.read()
        assert (marks.flaws, marks.bad) == ([], [])
        assert {s: m.count for s, m in marks.newest.items()} == {"t1": 60, "t2": 7}

    @pytest.mark.parametrize("kept", [slice(1, None), slice(2, None)])
    def test_none_can_be_taken_out_after_that(self, upgraded: Notary, kept: slice) -> None:
        put(upgraded, lines(upgraded)[kept])
        wrong = "line {} of the checkpoints names other old lines than those before it"
        place = 2 if kept.start == 1 else 1
        for thorough in (True, False):
            assert flaws(upgraded, thorough=thorough)[0].startswith(wrong.format(place))

    def test_none_can_be_put_in_after_that(self, upgraded: Notary) -> None:
        put(upgraded, [*lines(upgraded), old_line(upgraded, "t1", 90)])
        wrong = (
            "line 5 of the checkpoints is of the old form, after lines of the new: it was put in "
            "later"
        )
        assert flaws(upgraded) == flaws(upgraded, thorough=False) == [wrong]
        assert upgraded.read().newest["t1"].count == 60

    def test_one_that_broke_off_is_kept_and_named(self, notary: Notary) -> None:
        put(notary, [old_line(notary, "t1", 50), old_line(notary, "t1", 60)[:-40]])
        assert "breaks off" in flaws(notary)[0]
        anew = Notary(notary.folder)
        assert flaws(anew) == flaws(anew, thorough=False) == []
        assert anew.read().newest["t1"].count == 50

    def test_a_changed_one_shows(self, upgraded: Notary) -> None:
        kept = lines(upgraded)
        put(upgraded, [kept[0], kept[1].replace(b'"count":7', b'"count":6'), *kept[2:]])
        for thorough in (True, False):
            assert check(upgraded.read(thorough=thorough), "t2", *log(7)) == (
                "line 2 of the checkpoints does not bear the signature of what it says"
            )

    def test_further_files_hold_them_too(self, notary: Notary) -> None:
        put(notary, [old_line(notary, "t1", 50), old_line(notary, "t2", 7)])
        anew = Notary(notary.folder, largest=2000)
        for count in range(51, 70):
            anew.sign("t1", count, head(count), AT)
        assert anew.read(thorough=False).newest["t2"].count == 7
        assert anew.read().flaws == []


def old_line(notary: Notary, stream: str, count: int) -> bytes:
    """A line as version 0.6.0 wrote it."""
    key = load_pem_private_key(notary.key_file.read_bytes(), password=None)
    assert isinstance(key, Ed25519PrivateKey)
    said = {"stream": stream, "count": count, "head": head(count), "at": AT,
            "key": notary.fingerprint}  # fmt: skip
    said["signature"] = base64.b64encode(key.sign(canonical(said).encode())).decode()
    return json.dumps(said, separators=(",", ":")).encode("ascii") + b"\n"


class TestWhatTheHouseKnows:
    """The house's own log names the last line that it knew."""

    @pytest.fixture
    def known(self, notary: Notary) -> Expected:
        expected = Expected()
        expected.hear("sealed", {"anchor": notary.state()})
        for count in range(1, 6):
            notary.sign("t1", count, head(count), AT)
        expected.hear("started", {"anchor": notary.state()})
        expected.hear("started", {"version": "0.6.0"})  # an older one says nothing
        notary.sign("t1", 6, head(6), AT)
        return expected

    def test_all_is_there(self, notary: Notary, known: Expected) -> None:
        assert check_anchor(notary.read(), known) == []
        assert check_anchor(notary.read(thorough=False), known) == []

    def test_the_line_that_repairs_a_power_loss_is_known(
        self, notary: Notary, known: Expected
    ) -> None:
        """It has the number of the one that broke off before it."""
        whole = (notary.folder / FILE).read_bytes()
        (notary.folder / FILE).write_bytes(whole[:-30])
        anew = Notary(notary.folder)
        known.hear("started", {"anchor": anew.state()})
        assert check_anchor(anew.read(), known) == []
        anew.sign("t1", 7, head(7), AT)
        assert check_anchor(anew.read(), known) == []

    def test_a_house_that_knows_nothing_expects_nothing(self, notary: Notary) -> None:
        (notary.folder / FILE).unlink()
        assert check_anchor(notary.read(), Expected()) == []

    @pytest.mark.parametrize("spoil", [Path.unlink, lambda path: path.write_bytes(b"")])
    def test_a_missing_or_emptied_file_shows(
        self, notary: Notary, known: Expected, spoil: Callable[[Path], object]
    ) -> None:
        spoil(notary.folder / FILE)
        wrong = (
            f"the checkpoints are missing: nothing is in {notary.folder}, and the house's log "
            "knows line 6 of them"
        )
        assert check_anchor(notary.read(), known) == [wrong]
        assert check_anchor(Marks(), known) != []
        anew = Notary(notary.folder)
        assert len(check_anchor(anew.read(), known)) == 2, "begun anew, it is another chain"

    def test_a_file_that_was_cut_shows(self, notary: Notary, known: Expected) -> None:
        put(notary, lines(notary)[:5])
        assert check_anchor(notary.read(), known) == [
            f"the checkpoints in {notary.folder} were cut: they end at line 5, and the house's log "
            "knows line 6"
        ]

    def test_what_was_signed_after_the_house_last_knew_may_be_cut_unseen(
        self, notary: Notary, known: Expected
    ) -> None:
        """So copies are kept elsewhere."""
        put(notary, lines(notary)[:6])
        assert check_anchor(notary.read(), known) == []

    def test_lines_written_anew_show(self, notary: Notary, known: Expected) -> None:
        """Even by whoever has the key."""
        put(notary, lines(notary)[:3])
        anew = Notary(notary.folder)
        for count in range(3, 9):
            anew.sign("t1", count, head(count, "f"), AT)
        assert flaws(anew) == []
        assert check_anchor(anew.read(), known) == [
            f"line 6 of the checkpoints in {notary.folder} is not the one that the house's log "
            "knows: they were written anew"
        ]

    def test_another_key_shows(self, notary: Notary, known: Expected, tmp_path: Path) -> None:
        forger = Notary(tmp_path / "forged")
        marks = read(notary.folder, forger.public_key)
        assert check_anchor(marks, known) == [
            f"the checkpoints were checked with the key {forger.fingerprint!r}, and the house's "
            f"log names the key {notary.fingerprint!r}"
        ]

    def test_whoever_answers_for_a_loss_begins_anew(self, notary: Notary, known: Expected) -> None:
        (notary.folder / FILE).unlink()
        anew = Notary(notary.folder)
        known.hear("restored", {"anchor": anew.state()})
        assert check_anchor(anew.read(), known) == []

    def test_lines_of_older_files_are_found(self, tmp_path: Path) -> None:
        notary, expected = Notary(tmp_path / "marks", largest=2000), Expected()
        for count in range(1, 40):
            notary.sign("t1", count, head(count), AT)
            expected.hear("started", {"anchor": notary.state()})
        assert check_anchor(notary.read(thorough=False), expected) == []
        *_, newest = files(notary.folder).values()
        newest.unlink()
        assert "were cut" in check_anchor(notary.read(thorough=False), expected)[0]

    def test_rubbish_in_the_log_shows(self, notary: Notary) -> None:
        for state in ({}, 7, {**notary.state(), "line": "7"}):
            expected = Expected()
            expected.hear("started", {"anchor": state})
            assert check_anchor(notary.read(), expected) != []

    def test_several_servers_of_one_house_have_a_chain_each(
        self, notary: Notary, known: Expected, tmp_path: Path
    ) -> None:
        second = Notary(tmp_path / "second", notary.key_file)
        second.sign("t1", 9, head(9), AT)
        known.hear("started", {"anchor": second.state()})
        assert "are not here" in check_anchor(notary.read(), known)[0]
        marks = merged(notary.read(), second.read())
        assert check_anchor(marks, known) == []
        assert marks.newest["t1"].count == 9
        second.acknowledge_restore("t1", 5, head(5), "2026-02-01T09:05:00.250Z", "Sue", "fire")
        assert merged(notary.read(), second.read()).newest["t1"].count == 5
        assert merged(second.read(), notary.read()).newest["t1"].count == 5


APPEND = """
import sys
from pathlib import Path
from croupier.floor.checkpoint import Notary

folder, name = Path(sys.argv[1]), sys.argv[2]
notary = Notary(folder, largest=50_000)
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
size = (Path(sys.argv[1]) / "checkpoints.jsonl").stat().st_size
resource.setrlimit(resource.RLIMIT_FSIZE, (size + 100, resource.RLIM_INFINITY))
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
        assert marks.flaws == []
        assert marks.line == marks.lines > 600
        assert len(list((tmp_path / "marks").glob("*.jsonl"))) > 2
        assert {name: marks.newest[name].count for name in names} == dict.fromkeys(names, 200)


class TestDisks:
    @pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full disk here")
    def test_a_full_disk_is_a_sentence(self, notary: Notary) -> None:
        (notary.folder / FILE).unlink()
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
        assert (tmp_path / FILE).read_bytes()[-1:] != b"\n"
        notary = Notary(tmp_path)
        assert check(notary.read(), "t1", 1, lambda number: "0" * 64) is None
        notary.sign("t1", 3, head(3), AT)
        marks = notary.read()
        assert marks.flaws == []
        assert marks.newest["t1"].count == 3

    def test_the_same_server_goes_on_after_half_a_line(self, notary: Notary) -> None:
        with (notary.folder / FILE).open("ab") as file:
            file.write(b'{"line":2,"at":"20')
        notary.sign("t1", 3, head(3), AT)
        assert flaws(notary) == []

    def test_a_folder_that_cannot_be_made_is_a_sentence(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("", encoding="ascii")
        with pytest.raises(CheckpointFailed, match="checkpoints cannot be kept in"):
            Notary(tmp_path / "file" / "marks")

    def test_checkpoints_that_cannot_be_read_are_a_sentence(self, notary: Notary) -> None:
        (notary.folder / FILE).unlink()
        (notary.folder / FILE).mkdir()
        with pytest.raises(CheckpointFailed, match="cannot be read: is a directory"):
            notary.read()
