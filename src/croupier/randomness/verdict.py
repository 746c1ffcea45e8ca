"""What a test says of a sample: a statistic, and how often chance alone would go so far.

Both tails count. A sample that is further from its expectation than chance
allows is bad, and so is one that is nearer: a generator that deals every number
equally often to the last one is a counter, not chance.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

Bytes = NDArray[np.uint8]
Numbers = NDArray[np.int64]
Words = NDArray[np.uint64]

FEWEST = 25  # expected in a class, lest a chi-square be none


@dataclass(frozen=True)
class Verdict:
    """The outcome of one test of one sample."""

    name: str
    statistic: float
    degrees: int | None  # of freedom, where the statistic is a chi-square
    lower: float  # how often chance gives this statistic or a lower one
    upper: float  # how often it gives this one or a higher one

    @property
    def p_value(self) -> float:
        """How often chance alone goes so far in either direction."""
        return min(1.0, 2 * min(self.lower, self.upper))


def normal(name: str, deviation: float) -> Verdict:
    """The verdict on a sum: so many standard deviations from its expectation."""
    return Verdict(
        name, deviation, None, float(special.ndtr(deviation)), float(special.ndtr(-deviation))
    )


def count(name: str, seen: int, expected: float, variance: float) -> Verdict:
    """The verdict on how often something came, of which there is not enough to tell more."""
    below, above = ((seen + half - expected) / sqrt(variance) for half in (0.5, -0.5))
    return Verdict(name, seen, None, float(special.ndtr(below)), float(special.ndtr(-above)))


def sum_of_squares(name: str, statistic: float, degrees: int, step: float = 0.0) -> Verdict:
    """The verdict on a chi-square: low is too good, high is too bad.

    Counts are whole, so nothing comes nearer to an expectation than some `step`, and a sample
    is not called too good for having come that near.
    """
    return Verdict(
        name,
        statistic,
        degrees,
        float(special.chdtr(degrees, statistic + step)),
        float(special.chdtrc(degrees, statistic)),
    )


def chi_square(name: str, observed: Sequence[Any] | NDArray[Any], expected: Any) -> Verdict:
    """The verdict on counts, against how many of each class were expected."""
    often = np.broadcast_to(np.asarray(expected, dtype=float), np.shape(observed))
    if often.size < 2:
        raise ValueError(f"the sample is too small for the {name} test")
    statistic = float((((np.asarray(observed) - often) ** 2) / often).sum())
    return sum_of_squares(name, statistic, often.size - 1, step=2 / float(often.min()))


def rare(name: str, count: int, expected: float) -> Verdict:
    """The verdict on how often something rare came: a Poisson variable."""
    above = 1.0 if count == 0 else float(special.pdtrc(count - 1, expected))
    return Verdict(name, count, None, float(special.pdtr(count, expected)), above)


def evenly(name: str, shares: Sequence[float]) -> Verdict:
    """The verdict on numbers that should lie evenly between 0 and 1, by Kolmogorov and Smirnov.

    The tail is the asymptotic one with the correction of Stephens for the size of the sample.
    """
    size = len(shares)
    ordered = np.sort(np.asarray(shares, dtype=float))
    above = (np.arange(1, size + 1) / size - ordered).max()
    below = (ordered - np.arange(size) / size).max()
    furthest = float(max(above, below))
    scaled = furthest * (np.sqrt(size) + 0.12 + 0.11 / np.sqrt(size))
    upper = float(special.kolmogorov(scaled))
    return Verdict(name, furthest, None, 1 - upper, upper)


def lump(
    observed: Sequence[float] | NDArray[Any],
    expected: Sequence[float] | NDArray[Any],
    least: float = FEWEST,
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Neighboring classes taken together until enough is expected in each."""
    counts, often = [0.0], [0.0]
    for count, share in zip(observed, expected, strict=True):
        if often[-1] >= least:
            counts.append(0.0)
            often.append(0.0)
        counts[-1] += count
        often[-1] += share
    if often[-1] < least and len(often) > 1:
        rest, share = counts.pop(), often.pop()
        counts[-1] += rest
        often[-1] += share
    return np.array(counts), np.array(often)


def over(part: float, whole: float) -> float:
    """A ratio, which is endless where a sample is so poor that nothing varies in it."""
    if whole:
        return part / whole
    return inf if part > 0 else -inf if part < 0 else 0.0
