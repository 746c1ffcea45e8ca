"""Tests of scaled numbers: each from 0 to n - 1, as a wheel, a die or a pack asks for them."""

from functools import cache
from math import comb, factorial, isqrt, log, log2, perm

import numpy as np
from numpy.typing import NDArray

from croupier.randomness.verdict import (
    FEWEST,
    Numbers,
    Verdict,
    chi_square,
    count,
    lump,
    rare,
    sum_of_squares,
)

HAND = 5  # numbers in a hand of the poker test
YEAR_BITS = 36  # a year of the birthday test has at most so many bits of days
TWINS = 4  # expected equal spacings in a year
YEARS = 25  # that are looked at at most
COLLECTIONS = 20  # classes of lengths in the coupon test, with at least
FEW_COLLECTIONS = 10  # expected in each
FILLED = 5  # expected in each cell where all cells are equally likely


def frequency(numbers: Numbers, n: int) -> Verdict:
    """Each number comes equally often. Catches a favored number and the bias of a remainder."""
    return chi_square("chi-square", np.bincount(numbers, minlength=n), numbers.size / n)


def runs_up(numbers: Numbers, n: int) -> Verdict:
    """Numbers rise for as long as chance lets them. The number after each rise is left out, so
    that one rise says nothing of the next. Catches trends and saw teeth."""
    return _rises("runs up", numbers, n)


def runs_down(numbers: Numbers, n: int) -> Verdict:
    """Numbers fall for as long as chance lets them."""
    return _rises("runs down", n - 1 - numbers, n)


def _rises(name: str, numbers: Numbers, n: int) -> Verdict:
    """Lengths of rises: r numbers in a row rise in one of the ways to choose r from n."""
    lengths = _lengths_of_rises(numbers)
    longest = min(n, 40)
    at_least = [comb(n, length) / n**length for length in range(1, longest + 1)]
    exactly = [here - more for here, more in zip(at_least, [*at_least[1:], 0.0], strict=True)]
    seen = np.bincount(np.minimum(lengths, longest), minlength=longest + 1)[1:]
    return chi_square(name, *lump(seen, np.array(exactly) * lengths.size))


def _lengths_of_rises(numbers: Numbers) -> Numbers:
    """How long each rise is, if the number that ends one is in none.

    A rise ends at every fall, unless the number before the fall itself ended a rise: of falls
    in a row every other one counts.
    """
    falls = np.flatnonzero(numbers[1:] <= numbers[:-1])
    starts_row = np.r_[True, np.diff(falls) > 1]
    first_of_row = np.maximum.accumulate(np.where(starts_row, np.arange(falls.size), 0))
    ends = falls[(np.arange(falls.size) - first_of_row) % 2 == 0]
    begins = np.r_[0, ends[:-1] + 2]
    lengths: Numbers = ends - begins + 1
    return lengths


def gap(numbers: Numbers, n: int) -> Verdict:
    """After a number of the lowest tenth the next such comes after as many others as chance
    says. Catches numbers that come in bunches, or too regularly."""
    low = -(-n // 10)
    share = low / n
    gaps = np.diff(np.flatnonzero(numbers < low)) - 1
    if gaps.size < 3 * FEWEST:  # so few that their number alone can be judged
        return count("gap", gaps.size, numbers.size * share, numbers.size * share * (1 - share))
    longest = max(1, int(log(FEWEST / max(gaps.size, FEWEST + 1)) / log(1 - share)))
    seen = np.bincount(np.minimum(gaps, longest), minlength=longest + 1)
    often = share * (1 - share) ** np.arange(longest + 1)
    often[-1] /= share
    return chi_square("gap", *lump(seen, often * gaps.size))


def poker(numbers: Numbers, n: int) -> Verdict:
    """Hands of five numbers hold as many different ones as chance says: all alike, a pair, none
    alike. Catches numbers that draw each other, or avoid each other."""
    hands = np.sort(numbers[: numbers.size // HAND * HAND].reshape(-1, HAND), axis=1)
    different = 1 + (hands[:, 1:] != hands[:, :-1]).sum(axis=1)
    most = min(n, HAND)
    seen = np.bincount(different, minlength=most + 1)[1:]
    ways = [_partitions(HAND, kinds) * perm(n, kinds) / n**HAND for kinds in range(1, most + 1)]
    return chi_square("poker", *lump(seen, np.array(ways) * len(hands)))


def _partitions(things: int, parts: int) -> int:
    """In how many ways things fall into so many parts (Stirling's numbers of the second kind)."""
    once_each: int = sum(
        (1 if (parts - k) % 2 == 0 else -1) * comb(parts, k) * k**things for k in range(parts + 1)
    )
    return once_each // factorial(parts)


def coupon_collector(numbers: Numbers, n: int) -> Verdict:
    """It takes as many draws as chance says until every number has come. Catches a number that
    stays away, and one that is always on time."""
    lengths = _collections(numbers, n)
    shares = _collection_lengths(n)
    if lengths.size < 3 * FEW_COLLECTIONS:  # so few that their number alone can be judged
        draws = np.arange(shares.size)
        mean = float(shares @ draws)
        variance = float(shares @ draws**2) - mean**2
        many = numbers.size / mean
        return count("coupon collector", lengths.size, many, many * variance / mean**2)
    seen = np.bincount(np.minimum(lengths, shares.size - 1), minlength=shares.size)
    least = max(FEW_COLLECTIONS, lengths.size / COLLECTIONS)
    return chi_square("coupon collector", *lump(seen, shares * lengths.size, least))


def _collections(numbers: Numbers, n: int) -> Numbers:
    """How many draws each full set took."""
    lengths, begun, missing = [], 0, n
    last = [-1] * n  # the draw at which each number came last
    for at, number in enumerate(numbers.tolist()):
        if last[number] < begun:
            missing -= 1
            if not missing:
                lengths.append(at + 1 - begun)
                begun, missing = at + 1, n
        last[number] = at
    return np.array(lengths, dtype=np.int64)


@cache
def _collection_lengths(n: int) -> NDArray[np.float64]:
    """How likely each length of a collection is; the last stands for all that are longer."""
    held = np.zeros(n + 1)  # how likely it is to hold so many different numbers
    held[0] = 1.0
    old = np.arange(n + 1) / n
    shares, left = [0.0], 1.0
    while left > 1e-9:
        finished = held[n - 1] / n
        held[1:n] = held[1:n] * old[1:n] + held[: n - 1] * (1 - old[: n - 1])
        held[0] = 0.0
        shares.append(float(finished))
        left -= finished
    shares[-1] += left
    return np.array(shares)


def permutation(numbers: Numbers, n: int) -> Verdict:
    """Groups of different numbers stand in each order equally often. Catches a memory that
    reaches over some draws."""
    size = max(2, min(5, isqrt(n)))
    groups = numbers[: numbers.size // size * size].reshape(-1, size)
    ordered = np.sort(groups, axis=1)
    different = (ordered[:, 1:] != ordered[:, :-1]).all(axis=1)
    orders, share = factorial(size), perm(n, size) / n**size
    if different.sum() < FILLED * orders:  # so few that their number alone can be judged
        many = len(groups) * share
        return count("permutation", int(different.sum()), many, many * (1 - share))
    groups = groups[different]
    seen = np.bincount(order_numbers(groups), minlength=orders)
    return chi_square("permutation", seen, len(groups) / orders)


def order_numbers(groups: NDArray[np.integer]) -> Numbers:
    """The number of each line's order, of all orders that so many different things have."""
    size = groups.shape[1]
    number = np.zeros(len(groups), dtype=np.int64)
    for at in range(size - 1):
        lower_after = (groups[:, at + 1 :] < groups[:, at : at + 1]).sum(axis=1)
        number += lower_after * factorial(size - 1 - at)
    return number


def serial_pairs(numbers: Numbers, n: int) -> Verdict:
    """Each pair of numbers, one drawn after the other, is equally likely. Catches a number that
    calls for another."""
    pairs = numbers[: numbers.size // 2 * 2].reshape(-1, 2)
    kinds, sizes = _fold(pairs, n, isqrt(len(pairs) // FILLED))
    seen = np.bincount(kinds[:, 0] * sizes.size + kinds[:, 1], minlength=sizes.size**2)
    shares = np.outer(sizes, sizes).ravel() / n**2
    return chi_square("serial pairs", seen, shares * len(pairs))


def _fold(numbers: Numbers, n: int, most: int) -> tuple[Numbers, NDArray[np.float64]]:
    """Neighboring numbers as one kind, so that there are no more kinds than a sample can fill.

    With how many numbers each kind stands for.
    """
    wide = -(-n // max(2, min(n, most)))
    sizes = np.bincount(np.arange(n) // wide).astype(float)
    return numbers // wide, sizes


def overlapping_tuples(numbers: Numbers, n: int) -> Verdict:
    """Every row of several numbers, begun at every draw, is as likely as chance says. Rows that
    overlap are not independent, which the rows that are one shorter make up for (Good). Catches
    what a number owes to several before it."""
    kinds, sizes = _fold(numbers, n, isqrt(numbers.size // FILLED))
    length = max(2, int(log(numbers.size / FILLED) / log(sizes.size)))
    longer, shorter = (_of_rows(kinds, sizes, many) for many in (length, length - 1))
    degrees = sizes.size**length - sizes.size ** (length - 1)
    return sum_of_squares("overlapping m-tuples", longer - shorter, degrees)


def _of_rows(kinds: Numbers, sizes: NDArray[np.float64], many: int) -> float:
    """The chi-square of all rows of so many kinds, around the end to the beginning."""
    at, shares = np.zeros_like(kinds), np.ones(1)
    for back in range(many):
        at = at * sizes.size + np.roll(kinds, -back)
        shares = np.outer(shares, sizes / sizes.sum()).ravel()
    expected = shares * kinds.size
    seen = np.bincount(at, minlength=expected.size)
    return float(((seen - expected) ** 2 / expected).sum())


def birthday_spacings(numbers: Numbers, n: int) -> Verdict:
    """If several numbers together are a birthday in a long year, the days between birthdays are
    equal as seldom as chance says. Catches the lattices of linear generators."""
    digits = max(1, int(YEAR_BITS / log2(n)))
    days = n**digits
    people = round((4 * days * TWINS) ** (1 / 3))
    years = min(YEARS, numbers.size // (digits * people))
    if not years:
        digits, people, years = _shorter_years(numbers.size, n)
        days = n**digits
    drawn = numbers[: years * people * digits].reshape(years, people, digits)
    births = np.sort(drawn @ np.array([n**place for place in range(digits)]), axis=1)
    spacings = np.sort(np.diff(births, axis=1), axis=1)
    equal = int((spacings[:, 1:] == spacings[:, :-1]).sum())
    return rare("birthday spacings", equal, years * people**3 / (4 * days))


def _shorter_years(size: int, n: int) -> tuple[int, int, int]:
    """Digits, people and years for a sample that is too small for a long year."""
    for digits in range(int(YEAR_BITS / log2(n)), 0, -1):
        people = round((4 * n**digits * TWINS) ** (1 / 3))
        if years := min(YEARS, size // (digits * people)):
            return digits, people, years
    return 1, size, 1


TESTS = (
    frequency, runs_up, runs_down, gap, poker, coupon_collector, permutation, serial_pairs,
    overlapping_tuples, birthday_spacings,
)  # fmt: skip
