"""`croupier simulate`: the contract's document, a table for people, and plain refusals."""

import errno
import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from croupier.cli.app import run
from croupier.cli.simulate import read_rounds
from croupier.simulation import kept
from croupier.simulation.pools import ClusterFailed
from croupier.simulation.simulate import CHUNKS, Simulation, Told
from tests.cli.support import Captured, complaint, document

ROULETTE = ("simulate", "roulette", "--wager", "red", "--wager", "straight:17")


def test_it_prints_the_shape_of_the_exact_analysis(capsys: Captured) -> None:
    exact = document(capsys, "analyze", "roulette", "--wager", "red")["wagers"]["red"]
    told = document(capsys, *ROULETTE, "--rounds", "100k", "--seed", "7")
    assert (told["method"], told["rounds"], told["seed"]) == ("simulation", 100_000, 7)
    red = told["wagers"]["red"]
    assert {"house_edge", "return", "hit_frequency", "standard_deviation", "element_of_risk",
            "outcomes", "strategy", "standard_error"} <= set(red)  # fmt: skip
    assert abs(red["house_edge"]["decimal"] - exact["house_edge"]["decimal"]) < (
        4 * red["standard_error"]
    )
    assert red["exact"]["house_edge"] == exact["house_edge"]["exact"]
    assert abs(red["z"]) < 4


def test_the_same_seed_prints_the_same_document(capsys: Captured) -> None:
    first, again = (
        document(capsys, *ROULETTE, "--rounds", "6000", "--seed", "7", "--cores", cores)
        for cores in ("1", "2")
    )
    assert first == again


def test_few_rounds_are_dealt_by_the_live_table(capsys: Captured) -> None:
    told = document(capsys, *ROULETTE, "--rounds", "200", "--seed", "1")
    assert (told["path"], told["wagers"]["red"]["decided"]) == ("faithful", 200)


def test_people_get_a_table_with_the_exact_figure_beside(capsys: Captured) -> None:
    assert run([*ROULETTE, "--rounds", "1M", "--seed", "1"]) == 0
    out, _ = capsys.readouterr()
    assert "1,000,000 rounds, fast path, seed 1" in out
    assert "5.263%" in out
    assert "standard error" in out


def test_a_seed_by_chance_is_told(capsys: Captured) -> None:
    assert run([*ROULETTE, "--rounds", "6000"]) == 0
    assert "seed " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("said", "meant"),
    [("5000", 5000), ("1,000,000", 10**6), ("1_000", 1000), ("1e8", 10**8), ("100M", 10**8),
     ("2k", 2000), ("3B", 3 * 10**9)],
)  # fmt: skip
def test_rounds_are_read_as_people_write_them(said: str, meant: int) -> None:
    assert read_rounds(said) == meant


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        (("--rounds", "0"), "above zero"),
        (("--rounds", "-5"), "whole number above zero"),
        (("--rounds", "1.5"), "whole number above zero"),
        (("--rounds", "1e99"), "from 1 to"),
        (("--rounds", "many"), "whole number"),
        (("--rounds", "10", "--seed", "-1"), "--seed must be a whole number"),
        (("--rounds", "10", "--seed", "99999999999999999999"), "a seed is from 0"),
        (("--rounds", "10", "--strategy", "clairvoyant"), "clairvoyant"),
        (("--rounds", "10", "--path", "scenic"), "--path must be"),
        (("--rounds", "10", "--cores", "0"), "cores must be from 1"),
        (("--rounds", "10", "--on", "here"), "dask://HOST:PORT"),
        (("--rounds", "10", "--on", "dask://127.0.0.1:1"), "no Dask scheduler answers"),
        (("--rounds", "10", "--wager", "redd"), "redd"),
        (("--rounds", "10", "--set", "wheel=triple_zero"), "wheel"),
        (("--rounds", "10", "--resume"), "--seed"),
        (("--rounds", "10", "--stake", "0"), "above zero"),
        (("--rounds", "10", "--stake", "5"), "roulette rounds nothing by stake"),
    ],
)
def test_bad_input_is_refused_in_a_sentence(
    capsys: Captured, wrong: tuple[str, ...], why: str
) -> None:
    assert why in complaint(capsys, "simulate", "roulette", *wrong)


class Stops(Told):
    def dealt(self, simulation: Simulation) -> None:
        raise KeyboardInterrupt


LONG = (*ROULETTE, "--rounds", str(3 * CHUNKS["wheel"]), "--seed", "3", "--cores", "1")


def test_an_interrupted_run_tells_what_it_has_and_goes_on(
    capsys: Captured, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CROUPIER_CACHE", str(tmp_path))
    with monkeypatch.context() as patch:
        patch.setattr("croupier.cli.simulate.watcher", lambda progress: Stops())
        assert run(LONG) == 1
        out = capsys.readouterr().out
    assert f"Interrupted after {CHUNKS['wheel']:,} of {3 * CHUNKS['wheel']:,} rounds" in out
    assert "--seed 3 --resume" in out
    resumed = document(capsys, *LONG, "--resume")
    assert resumed == document(capsys, *LONG)


def test_a_full_disk_costs_the_going_on_and_not_the_result(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(simulation: Simulation) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(kept, "keep", full)
    monkeypatch.setattr("croupier.cli.simulate.watcher", lambda progress: Stops())
    assert run(LONG) == 1
    out = capsys.readouterr().out
    assert "could not be kept to go on with: No space left on device" in out
    assert "straight:17" in out


def test_a_cluster_that_fails_is_told_and_what_was_dealt_is_kept(
    capsys: Captured, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Fails(Told):
        def dealt(self, simulation: Simulation) -> None:
            raise ClusterFailed("the cluster could not deal chunk 1: KilledWorker")

    monkeypatch.setenv("CROUPIER_CACHE", str(tmp_path))
    monkeypatch.setattr("croupier.cli.simulate.watcher", lambda progress: Fails())
    assert run(LONG) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err == (
        "croupier: the cluster could not deal chunk 1: KilledWorker; "
        "go on with the same command and --seed 3 --resume.\n"
    )
    assert list((tmp_path / "simulations").iterdir())


def test_ctrl_c_in_a_real_process(tmp_path: Path) -> None:
    """At a terminal, whose bar shows that rounds are being dealt."""
    command = [sys.executable, "-m", "croupier", *ROULETTE, "--rounds", "1e12", "--seed", "1"]
    environment = {**os.environ, "CROUPIER_CACHE": str(tmp_path), "TERM": "xterm"}
    ours, theirs = os.openpty()
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=theirs, text=True, env=environment,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as process:  # fmt: skip
        try:
            shown = b""
            while "±".encode() not in shown:
                assert select.select([ours], [], [], 60)[0], "no bar is shown"
                shown += os.read(ours, 4096)
            process.send_signal(signal.SIGINT)
            out, _ = process.communicate(timeout=60)
        finally:
            process.kill()
            os.close(theirs)
            os.close(ours)
    assert process.returncode == 1
    assert "Interrupted after" in out
    assert list((tmp_path / "simulations").iterdir())
