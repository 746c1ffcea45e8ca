"""Whole floors in one process, each out of one seed; and that a bug in the floor would show.

`make torture SEED=… STEPS=… SEEDS=…` runs longer ones.
"""

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.glass.__main__ import template, told
from tests.glass.mutants import PLANTED, Plant
from tests.glass.servers import Violation
from tests.glass.world import World

pytestmark = pytest.mark.filterwarnings("ignore:transaction already deassociated")

PARTS, SEEDS, STEPS = 20, 8, 20
MOST = 30  # seeds within which a planted bug is found


@pytest.fixture(scope="session")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return template(tmp_path_factory.mktemp("glass"))


@pytest.mark.parametrize("part", range(PARTS))
def test_what_must_hold_holds_whatever_breaks(empty: Path, part: int) -> None:
    for seed in range(part * SEEDS, (part + 1) * SEEDS):
        world = World(seed, empty)
        try:
            world.run(STEPS)
        except Violation as why:
            pytest.fail(told(world, why, STEPS), pytrace=False)


@pytest.mark.parametrize("plant", PLANTED, ids=lambda plant: plant.__name__)
def test_a_bug_that_is_planted_is_found(
    empty: Path, plant: Plant, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    for seed in range(1, MOST):
        try:
            World(seed, empty, **PLANTED[plant]).run(STEPS)
        except Violation:
            return
    pytest.fail(f"{plant.__name__}: nothing was violated in {MOST} worlds")


TRACE = """
import sys
from pathlib import Path
from tests.glass.world import World
world = World(47, Path(sys.argv[1]), fault_rate=0.25, servers=2)
world.act = lambda what: print(world.steps, what)
world.run(30)
print(world.commands, world.model.events, sorted(world.faults.items()))
"""


def test_a_seed_is_the_same_world_every_time(empty: Path) -> None:
    """Whatever the order in which Python keeps its sets."""
    assert len({*traces(empty)}) == 1


def traces(empty: Path) -> Iterator[str]:
    for hash_seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-W", "ignore", "-c", TRACE, str(empty)],
            env=os.environ | {"PYTHONHASHSEED": hash_seed}, check=True, capture_output=True,
        )  # fmt: skip
        assert len(done.stdout.splitlines()) > 50
        yield hashlib.sha256(done.stdout).hexdigest()


def test_what_is_violated_is_told_with_the_command_that_shows_it_again(
    empty: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant = next(iter(PLANTED))
    plant(monkeypatch)
    world = World(1, empty)
    with pytest.raises(Violation) as caught:
        world.run(STEPS)
    said = told(world, caught.value, STEPS)
    assert "make torture SEED=1 STEPS=20 SEEDS=1" in said
    assert world.actions[-1] in said
