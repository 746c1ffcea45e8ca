"""`make bench`: how fast it is, as ratios against a peer or a baseline in the same run.

Machines are shared and noisy, so every figure is the best of several tries and
is set beside something measured in the same minute.
"""

import subprocess
import sys
import time
from collections.abc import Callable

from rich.console import Console
from rich.table import Table as Grid
from simulating import simulating
from solving import solving

from croupier.analysis import analyze, dealt
from croupier.games import find_game, registry
from croupier.rulebook import PokerGame, Table, by_chance, play_round
from croupier.simulation.streams import SeededStream
from floor import floor
from ranking import ranking

console = Console()


def best(task: Callable[[], object], tries: int = 5) -> float:
    """Seconds of the fastest try."""
    times = []
    for _ in range(tries):
        start = time.perf_counter()
        task()
        times.append(time.perf_counter() - start)
    return min(times)


def command(*args: str) -> Callable[[], object]:
    return lambda: subprocess.run([sys.executable, *args], capture_output=True, check=True)


def start_up(grid: Grid) -> None:
    python = best(command("-c", "pass"))
    rows = {
        "croupier --help": ("--help",),
        "croupier analyze craps": ("analyze", "craps"),
        "croupier analyze roulette": ("analyze", "roulette"),
        "croupier analyze minibaccarat": ("analyze", "minibaccarat"),
    }
    for name, args in rows.items():
        took = best(command("-m", "croupier", *args))
        grid.add_row(name, f"{took:.3f} s", f"{took / python:.1f} times an empty python")


def exact(grid: Grid) -> None:
    for game in registry().values():
        if isinstance(game, PokerGame):
            continue  # solved below
        options = game.options()
        took = best(lambda game=game, options=options: analyze(game, options), 3)  # type: ignore[misc]
        grid.add_row(f"every wager of {game.id}, exact", f"{took:.3f} s", "")


def shoes(grid: Grid) -> None:
    """Eight-deck baccarat: every wager and scheme, and a shoe that has not been counted yet."""
    game = find_game("minibaccarat")
    options = game.options({"offer_total_cards": "yes", "offer_bonus": "yes"})

    def every_scheme() -> None:
        dealt._known.clear()
        for posting in game.posted(options):
            analyze(game, posting.options, [posting.label])

    def another_shoe() -> None:
        dealt._known.clear()
        analyze(game, options, shoe=game.device(options).composition[:200])

    took = best(every_scheme, 3)
    grid.add_row("eight-deck baccarat, every wager and scheme", f"{took:.3f} s", "asked for: 2 s")
    took = best(another_shoe, 3)
    grid.add_row("any other shoe, every wager", f"{took:.3f} s", "asked for: 1 s")
    chemin = find_game("baccarat-chemin-de-fer")
    free = chemin.options({"banker_tableau": "free"})
    took = best(lambda: analyze(chemin, free, ["bank"], by_cards=True), 3)
    grid.add_row("chemin de fer, free, by cards", f"{took:.3f} s", "")


THROWS = 5_000


def our_craps() -> None:
    """Pass line with double odds, through the live round with every event recorded."""
    table = Table(find_game("craps"), {"odds_multiple": "2x"})
    answer = by_chance(SeededStream(1))
    for _ in range(THROWS):
        table.open_betting()
        if table.state.point is None:
            table.bet("1", "pass", 1000)
        elif ("1", "pass_odds", "") not in table.bets:
            table.bet("1", "pass_odds", 2000)
        play_round(table, answer)


def their_craps() -> None:
    """The same in crapssim."""
    import crapssim
    from crapssim.strategy import BetPassLine, PassLineOddsMultiplier

    table = crapssim.Table(seed=1)
    table.add_player(bankroll=10**9, strategy=BetPassLine(10) + PassLineOddsMultiplier(2))
    table.run(max_rolls=THROWS, max_shooter=10**9, verbose=False)


def live(grid: Grid) -> None:
    ours, theirs = best(our_craps, 3), best(their_craps, 3)
    grid.add_row("craps throws, live round", f"{THROWS / ours:,.0f} /s", "every event recorded")
    grid.add_row("craps throws, crapssim", f"{THROWS / theirs:,.0f} /s", "")
    ratio = f"{theirs / ours:.2f} times"
    grid.add_row("live round against crapssim", ratio, "same wagers, same run")


def main() -> None:
    grid = Grid("what", "measured", "beside", title="Croupier benchmarks")
    for part in (start_up, exact, shoes, live, simulating, ranking, solving, floor):
        part(grid)
    console.print(grid)


if __name__ == "__main__":
    main()
