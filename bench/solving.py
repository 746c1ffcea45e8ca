"""How fast poker games are solved, beside comparing their hands one by one."""

import os
import time
from tempfile import TemporaryDirectory

from rich.table import Table as Grid

from croupier.analysis.advise import advise
from croupier.analysis.showdown import Pack, Poker
from croupier.equipment import read_cards
from croupier.games import registry
from croupier.rulebook import PokerGame

ASKED = {
    "ultimate-texas-hold-em": 30, "premium-hold-em": 90, "texas-hold-em-bonus-poker": 60,
    "four-card-poker": 30, "caribbean-stud-poker": 30,
}  # fmt: skip
SMALL = Pack(ranks=(8, 9, 10, 11, 12), suits=4)  # on which a solver is compiled


def solving(grid: Grid) -> None:
    games = [game for game in registry().values() if isinstance(game, PokerGame)]
    with TemporaryDirectory() as nothing_is_solved:
        os.environ["CROUPIER_CACHE"] = nothing_is_solved
        for game in games:
            Poker(game, game.options(), pack=SMALL).main_report()
        rates = {}
        for game in games:
            poker = Poker(game, game.options())
            start = time.perf_counter()
            poker.main_report()
            took = time.perf_counter() - start
            rates[game.id] = poker.deals / took
            asked = f"asked for: {ASKED.get(game.id, 3)} s"
            grid.add_row(f"{game.id}, solved", f"{took:.1f} s", f"two cores; {asked}")
            start = time.perf_counter()
            Poker(game, game.options()).main_report()
            again = time.perf_counter() - start
            grid.add_row(f"{game.id}, asked again", f"{again:.2f} s", "")
    ultimate = next(game for game in games if game.id == "ultimate-texas-hold-em")
    own, board = read_cards("Ah 7c"), read_cards("7d 2s Kc")
    start = time.perf_counter()
    advise(ultimate, ultimate.options(), own, board)
    one_by_one = 1_081 * 990 / (time.perf_counter() - start)
    ratio = f"{rates[ultimate.id] / one_by_one:,.0f} times"
    grid.add_row("ultimate: counting against comparing, deals a second", ratio, "same run")
