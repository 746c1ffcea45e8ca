"""The cache of solved games: found again, never wrong, and no reason to fail."""

import multiprocessing
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from croupier.analysis import solved
from croupier.analysis.report import Watch, analyze
from croupier.analysis.showdown import Pack, Poker
from croupier.analysis.solved import Arrays, digest, directory, keep, kept, solve_once
from croupier.equipment import RANKS
from croupier.games import find_game
from croupier.rulebook import PokerGame

SMALL = Pack(tuple(RANKS.index(each) for each in "23QA"), 3)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of its own, which is not even there yet."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("CROUPIER_CACHE", str(folder))
    return folder


class Told(Watch):
    """Somebody who remembers what he was told."""

    def __init__(self) -> None:
        self.heard: list[str] = []
        self.shares: list[float] = []

    def compiles(self) -> None:
        self.heard.append("compiles")

    def counts(self, deals: int) -> None:
        self.heard.append(f"counts {deals}")

    def done(self, share: float) -> None:
        self.shares.append(share)


def poker(watch: Watch | None = None, **given: Any) -> Poker:
    game = find_game("three-card-poker")
    assert isinstance(game, PokerGame)
    options, _ = game.what_if(given)
    return Poker(game, options, pack=SMALL, watch=watch)


def files(cache: Path) -> list[Path]:
    return sorted(cache.glob("*.npz"))


def test_a_game_is_solved_once_and_then_found(cache: Path) -> None:
    first, second = Told(), Told()
    report = poker(first).main_report()
    assert poker(second).main_report() == report
    assert first.heard == ["compiles", "counts 18480"]
    assert first.shares
    assert first.shares[-1] == pytest.approx(1)
    assert second.heard == []
    assert len(files(cache)) == 1


def test_a_compilation_is_told_the_first_time_only(cache: Path) -> None:
    poker().main_report()
    told = Told()
    poker(told, higher_odds={"ante_bonus.straight": "2 to 1"}).main_report()
    assert told.heard == ["counts 18480"]


def test_nothing_is_left_lying_beside_what_is_kept(cache: Path) -> None:
    poker().main_report()
    names = {path.name for path in cache.iterdir()}
    (kept_one,) = (path.name for path in files(cache))
    (compiled,) = names - {kept_one}
    assert compiled.startswith("OwnHands-")


# What it is filed under.


def test_a_changed_pay_table_gets_another_name(cache: Path) -> None:
    one = poker().main_report()
    other = poker(higher_odds={"ante_bonus.straight": "2 to 1"}).main_report()
    assert len(files(cache)) == 2
    assert other.house_edge < one.house_edge


def test_an_option_that_changes_nothing_shares_the_answer(cache: Path) -> None:
    poker().main_report()
    told = Told()
    poker(told, settlement_order="by_step", pair_plus_ledger="B", packs=2).main_report()
    assert told.heard == []
    assert len(files(cache)) == 1


def test_another_pack_gets_another_name(cache: Path) -> None:
    poker().main_report()
    game = find_game("three-card-poker")
    assert isinstance(game, PokerGame)
    Poker(game, game.options({}), pack=Pack(SMALL.ranks, 2)).main_report()
    assert len(files(cache)) == 2


def test_a_name_says_everything_that_was_given() -> None:
    one = np.arange(6)
    names = [
        digest([]), digest([1]), digest([1, 2]), digest([one]), digest([one + 1]),
        digest([one.reshape(2, 3)]), digest([one.astype(np.int32)]), digest(["1"]),
    ]  # fmt: skip
    assert len(set(names)) == len(names)
    assert digest([one, 1]) == digest([np.arange(6), 1])
    every_other = np.arange(12)[::2]
    assert digest([every_other]) == digest([every_other.copy()])


def test_a_mended_solver_does_not_find_old_answers(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    before = digest([1])
    changed = tmp_path / "sets.py"
    changed.write_text("# mended")
    sources = tuple(str(changed) if each == "sets.py" else each for each in solved.SOURCES)
    monkeypatch.setattr(solved, "SOURCES", sources)
    assert digest([1]) != before


def test_every_source_is_there() -> None:
    here = Path(solved.__file__).parent
    assert all((here / source).is_file() for source in solved.SOURCES)


# Where it is kept.


def test_the_environment_may_name_a_place(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert directory() == cache
    monkeypatch.delenv("CROUPIER_CACHE")
    assert directory().parts[-2:] == ("croupier", "solved")
    monkeypatch.setenv("CROUPIER_CACHE", "")
    assert directory().parts[-2:] == ("croupier", "solved")


# What may be wrong with it.


@pytest.mark.parametrize(
    "damage",
    [
        lambda whole: b"",
        lambda whole: b"not an archive",
        lambda whole: whole[: len(whole) // 2],
        lambda whole: whole[:-10],
        lambda whole: whole[:60] + bytes(40) + whole[100:],
        lambda whole: b"PK\x03\x04" + bytes(200),
        lambda whole: b"\x93NUMPY" + bytes(100),
    ],
    ids=["empty", "text", "half", "cut", "overwritten", "archive", "array"],
)
def test_a_damaged_file_is_as_good_as_none(cache: Path, damage: Callable[[bytes], bytes]) -> None:
    report = poker().main_report()
    (path,) = files(cache)
    path.write_bytes(damage(path.read_bytes()))
    told = Told()
    assert poker(told).main_report() == report
    assert told.heard == ["counts 18480"]
    again = Told()
    assert poker(again).main_report() == report  # and it was kept whole
    assert again.heard == []


def test_a_file_in_place_of_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing can be kept, and everything is solved all the same."""
    there = tmp_path / "file"
    there.write_text("in the way")
    monkeypatch.setenv("CROUPIER_CACHE", str(there))
    told = Told()
    report = poker(told).main_report()
    assert report == poker().main_report()
    assert told.heard == ["compiles", "counts 18480"]
    assert there.read_text() == "in the way"


def test_what_cannot_be_kept_leaves_nothing_behind(cache: Path) -> None:
    cache.mkdir()
    (cache / "name.npz").mkdir()  # in the way of the file
    keep("name", {"a": np.zeros(3)})
    assert kept("name") is None
    assert [path.name for path in cache.iterdir()] == ["name.npz"]


def test_what_is_kept_comes_back_as_it_was(cache: Path) -> None:
    arrays: dict[str, NDArray[Any]] = {
        "a": np.arange(5, dtype=np.int64),
        "b": np.eye(2, dtype=np.uint8),
    }
    keep("name", arrays)
    found = kept("name")
    assert found is not None
    assert set(found) == {"a", "b"}
    for key, array in arrays.items():
        assert found[key].dtype == array.dtype
        assert np.array_equal(found[key], array)
    assert kept("another") is None


def test_a_failure_of_the_solver_is_not_kept(cache: Path) -> None:
    def fails() -> Arrays:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        solve_once("name", "Solver", fails, lambda: None)
    assert files(cache) == []
    found = solve_once("name", "Solver", lambda: {"a": np.ones(1)}, lambda: None)
    assert found["a"] == 1


# Several who ask at the same time.


def _ask(into: Any, cache: str) -> None:
    """Another process, which asks for the same."""
    import os

    os.environ["CROUPIER_CACHE"] = cache

    def solve() -> Mapping[str, Any]:
        into.put("solved")
        time.sleep(0.5)
        return {"a": np.arange(3)}

    found = solve_once("name", "Solver", solve, lambda: None)
    into.put(int(found["a"].sum()))


def test_of_two_processes_that_ask_at_once_one_solves(cache: Path) -> None:
    pytest.importorskip("fcntl")
    context = multiprocessing.get_context("spawn")
    told = context.Queue()
    asking = [context.Process(target=_ask, args=(told, str(cache))) for _ in range(2)]
    for each in asking:
        each.start()
    heard = [told.get(timeout=60) for _ in range(3)]
    for each in asking:
        each.join(timeout=60)
    assert sorted(map(str, heard)) == ["3", "3", "solved"]
    assert told.empty()
    assert not list(cache.glob(".*"))


def test_a_watch_is_told_through_analyze(cache: Path) -> None:
    """The smallest whole game is solved in a second."""
    game, told = find_game("double-down-stud"), Told()
    analyze(game, game.options({}), ["original"], watch=told)
    assert told.heard == ["compiles", f"counts {52 * 20_825 * 48}"]
    assert told.shares == sorted(told.shares)
