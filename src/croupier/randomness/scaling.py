"""Scaling by exact arithmetic: how many of a generator's words give each number.

A test by samples cannot see a bias of one in fifty million; arithmetic can.
A generator gives words, each equally likely. Scaling sorts them into numbers,
and throws some away. It is without bias if and only if as many words are left
for one number as for any other, and that can be counted.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

WORDS = 1 << 64
LIMIT = Fraction(1, 50_000_000)  # the largest bias that a regulator lets pass
LOOKED_AT = 200  # outcomes at either end and between, where there are too many to count all


@dataclass(frozen=True)
class Scaling:
    """How words become numbers below n."""

    way: str
    n: int
    draws: int  # that one word decides
    words: int
    thrown_away: int
    bias: Fraction  # the largest, relative to a fair share
    without: Fraction  # what it would be if no word were thrown away

    @property
    def is_fair(self) -> bool:
        return self.bias <= LIMIT


def of_system(n: int) -> Scaling:
    """As many bits as n has are drawn again until they are a number below n."""
    words = 1 << n.bit_length()
    counts = (1 for _ in range(n))
    return _scaling("bits, drawn again", n, 1, words, words - n, counts)


def of_stream(n: int) -> Scaling:
    """The remainder of a word by n; words past the last whole multiple of n are thrown away."""
    limit = WORDS // n * n
    counts = ((limit - number + n - 1) // n for number in range(n))
    return _scaling("remainder, drawn again", n, 1, WORDS, WORDS - limit, counts)


def of_products(n: int, draws: int) -> Scaling:
    """The high half of the product of a word with n to the power of its draws.

    A word whose low half is below 2^64 modulo that power is thrown away. Of the words that
    give one outcome only the first can be such, so there are as many left as the quotient says.
    """
    outcomes = n**draws
    threshold = WORDS % outcomes
    counts = (_words_for(outcome, outcomes, threshold) for outcome in _some(outcomes))
    return _scaling("product, drawn again", n, draws, WORDS, threshold, counts)


def _words_for(outcome: int, outcomes: int, threshold: int) -> int:
    """How many words give this outcome and are not thrown away.

    They follow one another, and their low halves are one power apart: only the first few can be
    below the threshold.
    """
    first = -(-outcome * WORDS // outcomes)
    after = -(-(outcome + 1) * WORDS // outcomes)
    low = first * outcomes - outcome * WORDS
    thrown = max(0, -(-(threshold - low) // outcomes))
    return after - first - min(thrown, after - first)


def _some(outcomes: int) -> Iterable[int]:
    """All outcomes or, of very many, those at the ends and some between."""
    if outcomes <= 3 * LOOKED_AT:
        return range(outcomes)
    between = range(LOOKED_AT, outcomes - LOOKED_AT, (outcomes - 2 * LOOKED_AT) // LOOKED_AT)
    return [*range(LOOKED_AT), *between, *range(outcomes - LOOKED_AT, outcomes)]


def _scaling(
    way: str, n: int, draws: int, words: int, thrown_away: int, counts: Iterable[int]
) -> Scaling:
    fair = Fraction(words - thrown_away, n**draws)
    bias = max(abs(count / fair - 1) for count in set(counts))
    rest = words % n**draws
    without = Fraction(max(rest, n**draws - rest), words) if rest else Fraction(0)
    return Scaling(way, n, draws, words, thrown_away, Fraction(bias), without)
