"""Tests of shuffled cards: lines of places, each of which says what lies there."""

from collections.abc import Sequence
from math import comb, factorial, perm, sqrt

import numpy as np
from numpy.typing import NDArray

from croupier.randomness.scaled import order_numbers
from croupier.randomness.verdict import Verdict, chi_square, normal, sum_of_squares

Lines = NDArray[np.integer]


def every_order(lines: Lines) -> Verdict:
    """Each order of a small deck is equally likely: all 120 of five cards. Catches a shuffle that
    swaps every card with any other, and every bias that a small deck can have."""
    orders = factorial(lines.shape[1])
    seen = np.bincount(order_numbers(lines), minlength=orders)
    return chi_square("every order", seen, len(lines) / orders)


def places(lines: Lines, copies: Sequence[int]) -> Verdict:
    """Each card comes to each place equally often. Catches a card that stays near where it was.

    Lines hold kinds of cards, of which there are so many `copies`; they may be the first cards
    of a deck whose rest is not dealt. Rows and columns of the count are bound to each other (a
    card lies in one place only), so the sum of squares is weighted by their covariance: with n
    cards, of which k are dealt, the deviations of two places hang together as -1/n, and those
    of two kinds by their copies.
    """
    dealt, cards, kinds = lines.shape[1], sum(copies), len(copies)
    cells = lines.astype(np.int64) + np.arange(dealt) * kinds
    seen = np.bincount(cells.ravel(), minlength=dealt * kinds).reshape(dealt, kinds)
    many = np.asarray(copies, dtype=float)
    off = seen - len(lines) * many / cards
    squares = (off**2).sum(axis=0)
    free = dealt
    if dealt < cards:
        squares += off.sum(axis=0) ** 2 / (cards - dealt)
    else:
        free = cards - 1
    statistic = (cards - 1) / len(lines) * float((squares / many).sum())
    return sum_of_squares("places", statistic, (kinds - 1) * free)


def neighbors(lines: Lines, kinds: int, copies: int = 1) -> Verdict:
    """A card is followed by the one that followed it in a new deck as often as chance says: not
    quite once in a pack. Catches a deck that was merely cut, or not shuffled long enough.

    Lines hold kinds of cards in the order of a new deck, so many of each.
    """
    dealt = lines.shape[1]
    followed = int((np.diff(lines.astype(np.int64), axis=1) == 1).sum())
    expected, variance = _neighbors_of_a_line(dealt, kinds, copies)
    return normal("neighbors", (followed - len(lines) * expected) / sqrt(len(lines) * variance))


def _neighbors_of_a_line(dealt: int, kinds: int, copies: int) -> tuple[float, float]:
    """How many cards of a line are followed by the next kind: the mean, and the variance.

    Its square counts pairs of such places: the same one twice, two that share a card (three
    kinds in a row), and two apart, whose kinds may be the same or neighbors themselves.
    """
    cards = kinds * copies
    once = (kinds - 1) * copies**2 / perm(cards, 2)
    in_a_row = (kinds - 2) * copies**3 / perm(cards, 3)
    alike, beside = kinds - 1, 2 * (kinds - 2)
    apart = (
        alike * (copies * (copies - 1)) ** 2
        + beside * copies**3 * (copies - 1)
        + ((kinds - 1) ** 2 - alike - beside) * copies**4
    ) / perm(cards, 4)
    places = dealt - 1
    mean = places * once
    square = mean + 2 * (places - 1) * in_a_row + 2 * (comb(places, 2) - (places - 1)) * apart
    return mean, square - mean**2
