"""How fast poker hands are ranked: all there are, as many as were dealt, and one at a time."""

import random
from math import comb
from timeit import repeat

import numpy as np
from rich.table import Table as Grid

from croupier.equipment import deck
from croupier.ranking import strength
from croupier.ranking.bulk import census, places

DEALT = 20_000_000
OURS, THEIRS = 100_000, 1_000  # hands that are ranked one at a time


def ranking(grid: Grid) -> None:
    census(7)  # compiled, if it was not yet
    took = min(repeat(lambda: census(7), number=1, repeat=5))
    rate = f"{comb(52, 7) / took / 1e6:,.0f} million /s"
    grid.add_row("all seven-card hands, one core", rate, "asked for: 400 million")

    shuffled = np.tile(np.arange(52, dtype=np.uint8), (DEALT // 7 + 1, 1))
    np.random.default_rng(1).permuted(shuffled, axis=1, out=shuffled)
    hands = shuffled[:, :49].reshape(-1, 7)[:DEALT]  # seven hands from each deck
    places(hands[:1])
    took = min(repeat(lambda: places(hands), number=1, repeat=5))
    rate = f"{DEALT / took / 1e6:,.0f} million /s"
    grid.add_row("20 million dealt hands of seven, one core", rate, "asked for: 100 million")

    one_at_a_time(grid)


def one_at_a_time(grid: Grid) -> None:
    """The same seven cards, ready to be ranked, as a user of each library would rank them."""
    from pokerkit import Card, StandardHighHand

    rng = random.Random(1)
    hands = [tuple(rng.sample(deck(), 7)) for _ in range(OURS)]
    same = [tuple(Card.parse("".join(map(str, hand)))) for hand in hands[:THEIRS]]

    def ours() -> None:
        for hand in hands:
            strength(hand)

    def theirs() -> None:
        for hand in same:
            StandardHighHand.from_game(hand)

    our_rate = OURS / min(repeat(ours, number=1, repeat=5))
    their_rate = THEIRS / min(repeat(theirs, number=1, repeat=5))
    grid.add_row("seven cards, one at a time", f"{our_rate:,.0f} /s", "")
    grid.add_row("seven cards, PokerKit", f"{their_rate:,.0f} /s", "")
    ratio = f"{our_rate / their_rate:,.0f} times"
    grid.add_row("one at a time against PokerKit", ratio, "asked for: 50, same cards, same run")
