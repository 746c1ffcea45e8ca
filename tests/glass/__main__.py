"""Run worlds, one seed after the other: `make torture SEED=1 STEPS=1000 SEEDS=10`."""

import argparse
import sys
import tempfile
import time
import warnings
from collections import Counter
from pathlib import Path

from sqlalchemy.exc import SAWarning

from croupier.floor.storage import Storage
from tests.glass.servers import Violation
from tests.glass.world import World

WIDTH = 30


def template(folder: Path) -> Path:
    """A database without a row."""
    path = folder / "template.db"
    storage = Storage(f"sqlite:///{path}")
    storage.migrate()
    storage.close()
    return path


def told(world: World, why: BaseException, steps: int) -> str:
    """What was violated, what happened before it, and how to see it again."""
    return "\n".join([
        "",
        f"Seed {world.seed}, step {world.steps}: {why}",
        "",
        f"The last {len(world.actions)} actions, with the step of each:",
        *(f"  {action}" for action in world.actions),
        "",
        "The same again:",
        f"  make torture SEED={world.seed} STEPS={steps} SEEDS=1",
    ])  # fmt: skip


class Figures:
    """What all worlds together have done."""

    def __init__(self) -> None:
        self.began, self.cpu = time.monotonic(), time.process_time()
        self.counted: Counter[str] = Counter()
        self.faults: Counter[str] = Counter()

    def add(self, world: World) -> None:
        self.counted.update(
            worlds=1, steps=world.steps, commands=world.commands, batches=world.batches,
            acknowledged=world.model.acknowledged, events=world.model.events,
            recoveries=world.recoveries, rounds=sum(t.rounds for t in world.model.tables.values()),
        )  # fmt: skip
        self.faults += world.faults
        self.faults.update(
            {f"a letter is {mishap}": n for mishap, n in world.post.network.mishaps.items()}
        )

    def __str__(self) -> str:
        cpu, wall = time.process_time() - self.cpu, time.monotonic() - self.began
        lines = [f"{name:>14}: {number:,}" for name, number in self.counted.items()]
        lines += [
            f"{'seconds':>14}: {wall:,.0f}, of the processor {cpu:,.0f}",
            f"{'a second':>14}: {self.counted['steps'] / cpu:,.0f} steps, "
            f"{self.counted['commands'] / cpu:,.0f} commands, of processor time",
            "        faults:",
            *(f"{number:>14,} {fault}" for fault, number in self.faults.most_common()),
        ]
        return "\n".join(lines)


def bar(done: int, seeds: int, figures: Figures) -> None:
    """How far it is, on a line of its own, where somebody sees it."""
    if sys.stderr.isatty():
        filled = "█" * (WIDTH * done // seeds)
        counted = figures.counted
        sys.stderr.write(
            f"\r{filled:░<{WIDTH}} {done}/{seeds} worlds, {counted['steps']:,} steps, "
            f"{counted['commands']:,} commands, {sum(figures.faults.values()):,} faults "
        )
        sys.stderr.flush()


def main() -> int:
    parser = argparse.ArgumentParser(prog="make torture", description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="the first seed")
    parser.add_argument("--steps", type=int, default=300, help="steps in each world")
    parser.add_argument("--seeds", type=int, default=20, help="how many worlds")
    given = parser.parse_args()
    warnings.simplefilter("ignore", SAWarning)  # of transactions that faults have undone
    figures = Figures()
    with tempfile.TemporaryDirectory() as folder:
        empty = template(Path(folder))
        for done in range(given.seeds):
            bar(done, given.seeds, figures)
            world = World(given.seed + done, empty)
            try:
                world.run(given.steps)
            except Violation as why:
                print(told(world, why, given.steps))
                return 1
            finally:
                figures.add(world)
    bar(given.seeds, given.seeds, figures)
    print(f"\nNothing was violated.\n{figures}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
