"""How fast rounds are simulated: per core, on two cores, and against a peer in the same run.

python bench/simulating.py
"""

import time
from typing import Any

from rich.console import Console
from rich.table import Table as Grid

from croupier.games import find_game
from croupier.simulation.engine import engine
from croupier.simulation.simulate import simulate

# What is dealt, with which wagers, how many rounds at a time, and millions a second asked for.
ASKED: tuple[tuple[str, str, tuple[str, ...], dict[str, Any], int, int], ...] = (
    ("roulette spins, every wager", "roulette", (), {}, 400_000_000, 200),
    ("craps rolls, pass with double odds", "craps", ("pass", "pass_odds"),
     {"odds_multiple": "2x"}, 150_000_000, 80),
    ("minibaccarat coups, every wager", "minibaccarat", (), {}, 40_000_000, 20),
    ("three card poker rounds, every wager", "three-card-poker", (), {}, 40_000_000, 20),
    ("ultimate Texas hold 'em rounds, optimal", "ultimate-texas-hold-em", (), {}, 6_000_000, 3),
)  # fmt: skip
TRIES = 3
PEER_ROLLS = 20_000


def per_core(grid: Grid) -> dict[str, float]:
    """Rounds a second on one core: the best of several tries."""
    found = {}
    for title, name, labels, options, rounds, asked in ASKED:
        game = find_game(name)
        table = engine(game, game.options(options), labels)
        table.count(0, 0, 10_000)  # compiled before
        took = []
        for chunk in range(TRIES):
            began = time.perf_counter()
            table.count(1, chunk, rounds)
            took.append(time.perf_counter() - began)
        found[name] = rounds / min(took)
        grid.add_row(title, f"{found[name] / 1e6:,.1f} million/s", f"asked for: {asked} million")
    return found


def two_cores(grid: Grid) -> None:
    for title, name, labels, options, rounds, _ in ASKED:
        game = find_game(name)
        table = game.options(options)
        ratio = 0.0
        for _ in range(TRIES):
            took = [
                simulate(game, table, labels, rounds=4 * rounds, seed=1, cores=cores).seconds
                for cores in (1, 2)
            ]
            ratio = max(ratio, took[0] / took[1])
        grid.add_row(f"two cores against one: {title}", f"{ratio:.2f} times", "asked for: 1.8")


def against_crapssim(grid: Grid, ours: float) -> None:
    """The same wagers in crapssim: pass line with double odds."""
    import crapssim
    from crapssim.strategy import BetPassLine, PassLineOddsMultiplier

    took = []
    for seed in range(TRIES):
        table = crapssim.Table(seed=seed)
        table.add_player(bankroll=10**9, strategy=BetPassLine(10) + PassLineOddsMultiplier(2))
        began = time.perf_counter()
        table.run(max_rolls=PEER_ROLLS, max_shooter=10**9, verbose=False)
        took.append(time.perf_counter() - began)
    theirs = PEER_ROLLS / min(took)
    grid.add_row("craps rolls, crapssim", f"{theirs:,.0f} /s", "the same wagers")
    grid.add_row("against crapssim", f"{ours / theirs:,.0f} times", "asked for: 1,000")


def simulating(grid: Grid) -> None:
    speeds = per_core(grid)
    against_crapssim(grid, speeds["craps"])
    two_cores(grid)


if __name__ == "__main__":
    table = Grid("what", "measured", "beside", title="Simulation")
    simulating(table)
    Console().print(table)
