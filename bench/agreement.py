"""Every game, every wager: does the simulation agree with the exact analysis?

    python bench/agreement.py                         # 100 million rounds of each game
    python bench/agreement.py --rounds 1e9 craps keno

Prints the wager of each game that lies farthest off, and all that lie four
standard errors off or more; ends with 1 if there is any.
"""

import sys
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table as Grid

from croupier.analysis import analyze
from croupier.cli.simulate import read_rounds
from croupier.games import find_game, registry
from croupier.simulation.simulate import planned, run

MOST_ERRORS = 4


def main(
    games: Annotated[list[str] | None, typer.Argument()] = None,
    rounds: str = "100M",
    seed: int = 47,
) -> None:
    console = Console()
    grid = Grid("game", "rounds", "million/s", "wagers", "farthest off", "z", title="Agreement")
    off = 0
    for name in games or registry():
        game = find_game(name)
        options = game.options()
        plan = planned(game, options, rounds=read_rounds(rounds), seed=seed, path="fast")
        done = run(plan)
        exact = {report.label: report for report in analyze(game, options)}
        found = {each.label: done.z(each, exact[each.label]) for each in done.reports()}
        missing = set(exact) - set(found)
        ranked = sorted(found, key=lambda label: -abs(found[label]))
        wrong = [label for label in ranked if abs(found[label]) >= MOST_ERRORS]
        off += len(wrong) + len(missing)
        speed = done.rounds / done.seconds / 1e6
        for label in [*ranked[:1], *wrong[1:]]:
            grid.add_row(game.id, f"{done.rounds:,}", f"{speed:,.1f}", str(len(found)), label,
                         f"{found[label]:+.2f}")  # fmt: skip
        for label in missing:
            grid.add_row(game.id, f"{done.rounds:,}", "", "", f"{label}: never made", "")
        console.print(f"{game.id}: {ranked[0]} {found[ranked[0]]:+.2f}", style="dim")
    console.print(grid)
    sys.exit(1 if off else 0)


if __name__ == "__main__":
    typer.run(main)
