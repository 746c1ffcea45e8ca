"""The same seed gives the same answer, wherever the chunks are dealt."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from croupier.games import find_game
from croupier.rulebook import Refusal
from croupier.simulation import kept
from croupier.simulation.simulate import (
    CHUNKS,
    Simulation,
    Told,
    on_the_way,
    planned,
    run,
    simulate,
)

CRAPS, ROULETTE = find_game("craps"), find_game("roulette")
LINE = ("pass", "pass_odds")
CHUNK = CHUNKS["dice"]


def craps(rounds: int, seed: int = 47, **how: Any) -> Simulation:
    return simulate(CRAPS, CRAPS.options(), LINE, rounds=rounds, seed=seed, **how)


def test_one_core_and_two_give_the_same_counts() -> None:
    one, two = (craps(3 * CHUNK + 1000, cores=cores) for cores in (1, 2))
    assert one.tally == two.tally
    assert one.rounds == two.rounds == 3 * CHUNK + 1000
    assert one.as_json() == two.as_json()


def test_processes_of_the_faithful_path_give_the_same_counts() -> None:
    one, two = (
        simulate(ROULETTE, ROULETTE.options(), ["red", "straight:17"], rounds=1100, seed=5,
                 path="faithful", cores=cores)
        for cores in (1, 2)
    )  # fmt: skip
    assert one.tally == two.tally
    assert one.decided("red") == 1100


def test_another_seed_gives_another_answer() -> None:
    assert craps(10_000, seed=1).tally != craps(10_000, seed=2).tally


def test_more_rounds_begin_with_the_same_chunks() -> None:
    fewer, more = craps(CHUNK), craps(2 * CHUNK)
    assert all(more.whole["pass"][ending] > times for ending, times in fewer.whole["pass"].items())


def test_few_rounds_are_dealt_faithfully_and_many_fast() -> None:
    few, many = (
        planned(CRAPS, CRAPS.options(), rounds=rounds, seed=1) for rounds in (1000, 1_000_000)
    )
    assert (few.table.path, many.table.path) == ("faithful", "fast")


def test_the_document_has_the_shape_of_the_exact_analysis_and_its_own_errors() -> None:
    document = craps(100_000).as_json()
    assert document["method"] == "simulation"
    assert (document["rounds"], document["seed"]) == (100_000, 47)
    line = document["wagers"]["pass"]
    assert line["standard_error"] == document["standard_error"]["pass"] > 0
    assert abs(line["house_edge"]["decimal"] - 7 / 495) < 4 * line["standard_error"]
    assert sum(outcome["count"] for outcome in line["outcomes"]) == line["decided"]
    assert json.loads(json.dumps(document)) == document


def test_the_way_to_an_estimate_ends_at_it() -> None:
    done = craps(100_000)
    *_, (decided, edge) = way = on_the_way(done, "pass")
    (report,) = done.reports(["pass"])
    assert decided == done.decided("pass")
    assert edge == pytest.approx(float(report.house_edge))
    assert [each for each, _ in way[:4]] == [50, 100, 200, 500]


class Stops(Told):
    """Somebody who interrupts after some chunks."""

    def __init__(self, chunks: int) -> None:
        self.chunks = chunks

    def dealt(self, simulation: Simulation) -> None:
        self.chunks -= 1
        if not self.chunks:
            raise KeyboardInterrupt


@pytest.mark.parametrize("cores", [1, 2])
def test_an_interrupted_simulation_is_labelled_and_goes_on(
    cores: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CROUPIER_CACHE", str(tmp_path))
    rounds = 5 * CHUNK + 77
    stopped = craps(rounds, cores=cores, watch=Stops(2))
    assert stopped.interrupted
    assert stopped.as_json()["interrupted"] is True
    assert 0 < stopped.as_json()["rounds"] < stopped.as_json()["rounds_asked"] == rounds
    kept.keep(stopped)
    plan = planned(CRAPS, CRAPS.options(), LINE, rounds=rounds, seed=47)
    before = kept.kept(plan)
    assert before is not None
    plan.go_on_from(before)
    assert run(plan).tally == craps(rounds).tally


def test_what_was_kept_goes_on_to_more_rounds_but_not_to_fewer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CROUPIER_CACHE", str(tmp_path))
    kept.keep(craps(2 * CHUNK))
    more = planned(CRAPS, CRAPS.options(), LINE, rounds=3 * CHUNK, seed=47)
    more.go_on_from(kept.kept(more))  # type: ignore[arg-type]
    assert run(more).tally == craps(3 * CHUNK).tally
    fewer = planned(CRAPS, CRAPS.options(), LINE, rounds=CHUNK, seed=47)
    with pytest.raises(Refusal, match="have been dealt already"):
        fewer.go_on_from(kept.kept(fewer))  # type: ignore[arg-type]


def test_a_damaged_file_is_told_and_another_seed_has_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CROUPIER_CACHE", str(tmp_path))
    done = craps(CHUNK)
    kept.keep(done).write_text("{")
    with pytest.raises(Refusal, match="damaged"):
        kept.kept(done)
    assert kept.kept(planned(CRAPS, CRAPS.options(), LINE, rounds=CHUNK, seed=48)) is None


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"rounds": 0}, "rounds must be from 1"),
        ({"rounds": -1}, "rounds must be from 1"),
        ({"rounds": 10**14}, "rounds must be from 1"),
        ({"rounds": 1, "seed": -1}, "a seed is from 0"),
        ({"rounds": 1, "seed": 1 << 64}, "a seed is from 0"),
        ({"rounds": 1, "cores": 0}, "cores must be from 1"),
        ({"rounds": 1, "cores": 10**6}, "cores must be from 1"),
        ({"rounds": 1, "strategy": "clairvoyant"}, "clairvoyant"),
        ({"rounds": 1, "on": "localhost:8786"}, "dask://HOST:PORT"),
        ({"rounds": 1, "on": "dask://127.0.0.1:1"}, "no Dask scheduler answers"),
    ],
)
def test_bad_input_is_refused_in_a_sentence(wrong: dict[str, Any], why: str) -> None:
    with pytest.raises(Refusal, match=why):
        craps(**wrong)


# A cluster of separate processes.


def dask(*words: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "dask", *words]
    quiet = subprocess.DEVNULL
    return subprocess.Popen(command, stdout=quiet, stderr=quiet, start_new_session=True)


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """A scheduler and two workers."""
    file = tmp_path / "scheduler.json"
    named = ("--scheduler-file", str(file))
    processes = [dask("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", *named)]
    workers = [dask("worker", *named, "--nthreads", "1", "--no-nanny", "--no-dashboard",
                    "--local-directory", str(tmp_path)) for _ in range(2)]  # fmt: skip
    processes += workers
    try:
        until = time.monotonic() + 60
        while not file.exists():
            assert time.monotonic() < until, "the scheduler did not start"
            time.sleep(0.1)
        address = json.loads(file.read_text())["address"].removeprefix("tcp://")
        yield f"dask://{address}", workers
    finally:
        for process in processes:
            process.kill()
            process.wait()


class Kills(Told):
    """Somebody who kills a worker in the middle of it."""

    def __init__(self, worker: subprocess.Popen[bytes]) -> None:
        self.worker = worker
        self.heard = 0

    def dealt(self, simulation: Simulation) -> None:
        self.heard += 1
        if self.heard == 3:
            os.kill(self.worker.pid, signal.SIGKILL)
            self.worker.wait()


def test_a_worker_that_dies_costs_its_chunk_and_nothing_else(
    cluster: tuple[str, list[subprocess.Popen[bytes]]],
) -> None:
    address, workers = cluster
    wait_for_both(address)
    kills = Kills(workers[0])
    rounds = 24 * CHUNK + 5
    on_cluster = craps(rounds, on=address, watch=kills)
    assert workers[0].returncode == -signal.SIGKILL
    assert kills.heard == 25
    assert on_cluster.tally == craps(rounds).tally


def wait_for_both(address: str) -> None:
    from distributed import Client

    with Client(address.replace("dask://", "tcp://"), set_as_default=False) as client:  # type: ignore[no-untyped-call]
        client.wait_for_workers(2, timeout=60)
