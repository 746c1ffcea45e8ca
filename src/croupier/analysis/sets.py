# mypy: disable-error-code="no-untyped-def"
"""Sets of cards: their numbers, and those that differ in nothing but the names of their suits.

No suit is worth more than another, so a set of cards stands for all that come
of it by renaming suits. The one that is kept of them has descending suits: the
ranks held in the first, read as a number, are not below those in the second,
and so on.
"""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations
from math import comb, factorial

import numpy as np
from numba import njit
from numpy.typing import NDArray

CARDS = 52
THREADS = min(os.cpu_count() or 1, 8)
CELLS = 6  # a showdown is won, tied or lost, each with the dealer qualifying and not
CHOOSE = np.array([[comb(n, k) for k in range(7)] for n in range(CARDS + 1)], np.int64)

Progress = Callable[[float], None]  # is told which part of the work is done
Cards = NDArray[np.int64]


def in_threads(work: Callable[[int], None], number: int, threads: int) -> None:
    """Do it for each number; what fails in a thread fails here."""
    with ThreadPoolExecutor(threads) as pool:
        for done in [pool.submit(work, at) for at in range(number)]:
            done.result()


def pack(ranks: tuple[int, ...], suits: int) -> Cards:
    """The cards of these ranks, a two being 0, in the first so many suits."""
    return np.array([4 * rank + suit for rank in ranks for suit in range(suits)], np.int64)


def number_of(cards: Cards) -> int:
    """The number of a set of cards among all sets of its size."""
    return sum(comb(card, at) for at, card in enumerate(sorted(cards.tolist()), 1))


def numbers_of(sets: Cards) -> Cards:
    """The same for many sets, whose cards ascend along each row."""
    found: Cards = CHOOSE[sets, np.arange(1, sets.shape[1] + 1)].sum(axis=1)
    return found


def holdings(own: int, ranks: tuple[int, ...], suits: int) -> tuple[Cards, Cards]:
    """Every set of own cards from a pack, and its number."""
    held = np.array([*combinations(pack(ranks, suits).tolist(), own)], np.int64)
    return held, numbers_of(held)


def canonical(cards: Cards, suits: int) -> int:
    """A number that sets of cards share if and only if they differ in the names of suits alone."""
    held = [0] * suits
    for card in cards.tolist():
        held[card % 4] |= 1 << card // 4
    number = 0
    for ranks in sorted(held, reverse=True):
        number = number << 13 | ranks
    return number


def canonical_sets(cards: Cards, suits: int, size: int, named: int = 0) -> tuple[Cards, Cards]:
    """Every set of so many of these cards, up to the names of suits, and how many it stands for.

    The first `named` suits keep their names, because a card of them is already known.
    """
    if size == 0:
        return np.zeros((1, 0), np.int64), np.ones(1, np.int64)
    renamings = factorial(suits - named)
    found: tuple[Cards, Cards] = _canonical_sets(cards, suits, size, named, renamings)
    return found


@njit(cache=True, nogil=True)
def next_set(at, number):
    """Turn the places of a set among so many cards to those of the next, if there is one."""
    wheel = len(at) - 1
    while wheel >= 0 and at[wheel] == number - len(at) + wheel:
        wheel -= 1
    if wheel < 0:
        return False
    at[wheel] += 1
    for later in range(wheel + 1, len(at)):
        at[later] = at[later - 1] + 1
    return True


@njit(cache=True, nogil=True)
def _canonical_sets(cards, suits, size, named, renamings):
    sets = np.empty((len(cards), size), np.int64)
    ways = np.empty(len(cards), np.int64)
    found = 0
    at = np.arange(size)
    held = np.zeros(4, np.int64)
    while True:
        held[:] = 0
        for each in range(size):
            card = cards[at[each]]
            held[card & 3] |= 1 << (card >> 2)
        descending, same, alike = True, 1, 1  # how many renamings leave the set as it is
        for suit in range(named + 1, suits):
            if held[suit] > held[suit - 1]:
                descending = False
                break
            same = same + 1 if held[suit] == held[suit - 1] else 1
            alike *= same
        if descending:
            if found == len(ways):  # make room for as many again
                sets = np.concatenate((sets, np.empty_like(sets)))
                ways = np.concatenate((ways, np.empty_like(ways)))
            for each in range(size):
                sets[found, each] = cards[at[each]]
            ways[found] = renamings // alike
            found += 1
        if not next_set(at, len(cards)):
            return sets[:found].copy(), ways[:found].copy()
