"""The commands of a test laboratory."""

import hashlib
import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from croupier.cli.app import run
from croupier.games import find_game
from croupier.randomness import battery
from croupier.randomness.evidence import REQUIREMENTS
from croupier.randomness.report import WRITERS, write
from croupier.rulebook import Table
from tests.cli.support import Captured, complaint, document
from tests.randomness.support import SMALL, Biased


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(battery, "QUICK", SMALL)


# test


def test_the_battery_is_run_and_told_as_json(capsys: Captured) -> None:
    told = document(capsys, "rng", "test", "--source", "simulation", "--seed", "7", "--quick")
    assert told["passed"] is True
    assert told["seed"] == 7
    assert told["sources"] == ["streams", "compiled"]
    assert {"source", "sample", "test", "statistic", "p_value", "corrected", "passed"} <= set(
        told["tests"][0]
    )
    assert len(told["samples"][0]["sha256"]) == 64
    assert [each["id"] for each in told["evidence"]] == [each.id for each in REQUIREMENTS]


def test_a_failure_is_told_and_the_exit_code_is_one(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(battery, "sources", lambda which, seed: [Biased(seed)])
    report = tmp_path / "report.md"
    args = ["rng", "test", "--source", "simulation", "--quick", "--report", str(report)]
    assert run(args) == 1
    out, err = capsys.readouterr()
    assert err == ""
    assert "FAILED" in out
    assert "Failed: " in out
    assert "it proves no randomness" in out
    assert "FAILED" in report.read_text("utf-8")


def test_a_report_says_what_was_looked_at_and_what_it_cannot_show(
    tmp_path: Path, sound: battery.Result
) -> None:
    result = sound
    for suffix in WRITERS:
        path = tmp_path / f"report{suffix}"
        write(result, path)
        text = path.read_text("utf-8")
        assert result.samples[0].sha256 in text
        assert result.software["croupier"] in text
        assert "No test of a sample proves that a generator is random" in text
        assert "Kolmogorov" in text
        assert "RNG-16" in text
        assert "225.58" in text
        assert all(each.verdict.name in text for each in result.findings)
    assert json.loads((tmp_path / "report.json").read_text("utf-8"))["passed"] is True
    assert (tmp_path / "report.html").read_text("utf-8").startswith("<!doctype html>")


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--source", "dice"], "there is no source 'dice'"),
        (["--seed", "-1"], "--seed is a whole number"),
        (["--seed", str(2**64)], "--seed is a whole number"),
        (["--starts", "0"], "--starts is a number from 1"),
        (["--report", "report.pdf"], "must end in .html, .json, .md"),
        (["--report", "no/such/folder/report.md"], "cannot be written"),
    ],
)
def test_what_cannot_be_tested_is_refused(capsys: Captured, args: list[str], said: str) -> None:
    assert said in complaint(capsys, "rng", "test", *args)


# dump


def test_raw_output_is_dumped_with_its_checksum(capsys: Captured, tmp_path: Path) -> None:
    path = tmp_path / "live.bin"
    assert run(["rng", "dump", "--raw", "--bytes", "1500000", "--out", str(path)]) == 0
    out = capsys.readouterr().out
    assert path.stat().st_size == 1_500_000
    assert out == (
        f"1,500,000 bytes in {path}, SHA-256 {hashlib.sha256(path.read_bytes()).hexdigest()}\n"
    )


def test_raw_output_of_the_simulation_is_that_of_its_seed(tmp_path: Path) -> None:
    import numpy as np

    one, again, other = (tmp_path / name for name in ("one", "again", "other"))
    for path, seed in ((one, "47"), (again, "47"), (other, "48")):
        args = ["rng", "dump", "--raw", "--bytes", "1003", "--out", str(path)]
        assert run([*args, "--source", "simulation", "--seed", seed]) == 0
    key = np.array([47, 0], dtype=np.uint64)
    words = np.random.Philox(key=key).random_raw(126).astype("<u8").tobytes()
    assert one.read_bytes() == again.read_bytes() == words[:1003]
    assert one.read_bytes() != other.read_bytes()


def test_raw_output_goes_to_another_program(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert run(["rng", "dump", "--raw", "--bytes", "99", "--out", "-"]) == 0
    out, err = capfdbinary.readouterr()
    assert len(out) == 99
    assert hashlib.sha256(out).hexdigest().encode() in err


def test_rounds_are_dumped_with_their_checksum(capsys: Captured, tmp_path: Path) -> None:
    path = tmp_path / "rounds.jsonl"
    args = ["rng", "dump", "--game", "roulette", "--rounds", "200", "--out", str(path)]
    assert run([*args, "--set", "wheel=single_zero"]) == 0
    assert hashlib.sha256(path.read_bytes()).hexdigest() in capsys.readouterr().out
    rounds = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    stops = Table(find_game("roulette"), {"wheel": "single_zero"}).equipment.stops
    assert [each["round"] for each in rounds] == list(range(1, 201))
    assert all(len(each["draws"]) == 1 and each["draws"][0] in stops for each in rounds)
    assert len({each["draws"][0] for each in rounds}) > 20


def test_rounds_of_a_seed_are_the_same_again(tmp_path: Path) -> None:
    paths = [tmp_path / "one", tmp_path / "again"]
    for path in paths:
        args = ["rng", "dump", "--game", "three-card-poker", "--rounds", "20", "--out", str(path)]
        assert run([*args, "--source", "simulation", "--seed", "4"]) == 0
    assert paths[0].read_bytes() == paths[1].read_bytes()


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--raw", "--bytes", "0"], "--bytes must be above zero"),
        (["--raw", "--bytes", "-8"], "--bytes must be a whole number above zero"),
        (["--raw"], "say how many, with --bytes N"),
        (["--raw", "--rounds", "5"], "say --bytes"),
        (["--raw", "--bytes", "5", "--set", "wheel=single_zero"], "--raw has none"),
        (["--game", "roulette", "--rounds", "0"], "--rounds must be above zero"),
        (["--game", "roulette", "--bytes", "5"], "say --rounds"),
        (["--game", "whist", "--rounds", "5"], "there is no game 'whist'"),
        (["--game", "roulette", "--rounds", "5", "--set", "wheel=oval"], "wheel"),
        (["--game", "roulette", "--raw"], "say either --raw"),
        ([], "say either --raw"),
        (["--raw", "--bytes", "5", "--source", "both"], "there is no source 'both'"),
        (["--raw", "--bytes", "5", "--seed", "-1"], "--seed is a whole number"),
        (["--raw", "--bytes", "five"], "--bytes"),
    ],
)
def test_what_cannot_be_dumped_is_refused_and_nothing_is_written(
    capsys: Captured, tmp_path: Path, args: list[str], said: str
) -> None:
    path = tmp_path / "dump"
    assert said in complaint(capsys, "rng", "dump", *args, "--out", str(path))
    assert not path.exists()


def test_a_place_that_cannot_be_written_is_named(capsys: Captured, tmp_path: Path) -> None:
    for out in (tmp_path, tmp_path / "no" / "folder"):
        args = ("rng", "dump", "--raw", "--bytes", "5", "--out", str(out))
        assert f"{out} cannot be written" in complaint(capsys, *args)


def test_a_full_disk_is_a_failure(capsys: Captured) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("this system has no device that is always full")
    assert run(["rng", "dump", "--raw", "--bytes", "5", "--out", "/dev/full"]) == 1
    out, err = capsys.readouterr()
    assert (out, err) == ("", "croupier: /dev/full cannot be written: the disk is full.\n")


def test_a_disk_is_not_filled_with_what_it_cannot_hold(capsys: Captured, tmp_path: Path) -> None:
    path = tmp_path / "dump"
    assert run(["rng", "dump", "--raw", "--bytes", str(10**18), "--out", str(path)]) == 1
    assert "the disk has room for" in capsys.readouterr().err
    assert not path.exists()


@pytest.mark.parametrize(
    "args",
    [
        ["dump", "--raw", "--bytes", "5"],
        ["dump", "--game", "roulette", "--rounds", "5"],
        ["test", "--source", "live", "--quick"],
    ],
)
def test_without_random_numbers_there_is_nothing_to_collect_and_nothing_is_left_behind(
    capsys: Captured, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, args: list[str]
) -> None:
    def broken(size: int) -> bytes:
        raise OSError(5, "Input/output error")

    path = tmp_path / "dump"
    monkeypatch.setattr("os.urandom", broken)
    monkeypatch.setattr("random._urandom", broken)
    out = ["--out", str(path)] if args[0] == "dump" else []
    assert run(["rng", *args, *out]) == 1
    said = capsys.readouterr()
    assert said.err == "croupier: no random numbers can be had: input/output error.\n"
    assert not said.out
    assert not path.exists()


def test_a_disk_that_fills_on_the_way_keeps_no_half_of_it(
    capsys: Captured, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Filling(io.BytesIO):
        def write(self, part: Any) -> int:
            if self.tell() > 1_000_000:
                raise OSError(28, "No space left on device")
            return super().write(part)

    def opened(path: Path, mode: str) -> Filling:
        path.touch()
        return Filling()

    monkeypatch.setattr("pathlib.Path.open", opened)
    path = tmp_path / "dump"
    assert run(["rng", "dump", "--raw", "--bytes", "3M", "--out", str(path)]) == 1
    assert "the disk is full" in capsys.readouterr().err
    assert not path.exists()


def test_more_processes_are_started_on_request(
    monkeypatch: pytest.MonkeyPatch, sound: battery.Result
) -> None:
    asked: list[battery.Effort] = []

    def remember(source: str, seed: int, effort: battery.Effort, told: object) -> battery.Result:
        asked.append(effort)
        return sound

    monkeypatch.setattr(battery, "run", remember)
    assert run(["rng", "test", "--starts", "1000"]) == 0
    assert asked == [replace(battery.FULL, starts=1_000)]
