"""Tests of several streams beside each other: what one gives must say nothing of another."""

from math import sqrt

import numpy as np

from croupier.randomness.verdict import Numbers, Verdict, Words, chi_square, normal, sum_of_squares

VARIANCE = 1 / 12  # of a number that lies evenly between 0 and 1


def correlation(streams: Words) -> Verdict:
    """High words of one stream do not come with high (or low) words of the next. Each line is a
    stream, and each is compared with its neighbor. Catches seeds and chunks that are too near
    each other."""
    shares = streams / 2.0**64 - 0.5
    together = (shares[1:] * shares[:-1]).sum(axis=1) / VARIANCE
    statistic = float((together**2).sum()) / streams.shape[1]
    return sum_of_squares("interplay correlation", statistic, len(streams) - 1)


def agreement(streams: Words) -> Verdict:
    """The bits of one stream agree with those of the next half of the time. Catches streams that
    differ in a few bits only."""
    differ = np.unpackbits((streams[1:] ^ streams[:-1]).view(np.uint8), axis=1)
    ones = differ.sum(axis=1, dtype=np.int64)
    bits = differ.shape[1]
    statistic = float(((2 * ones - bits) ** 2).sum()) / bits
    return sum_of_squares("interplay of bits", statistic, len(streams) - 1)


def in_turn(one: Numbers, other: Numbers, n: int) -> Verdict:
    """Two tables draw in turn, and what one draws says nothing of what the other then draws.
    Catches a generator that splits its luck between those who share it."""
    seen = np.bincount(one * n + other, minlength=n * n)
    return chi_square("two tables in turn", seen, one.size / n**2)


def echo(one: Numbers, other: Numbers, n: int) -> Verdict:
    """Two tables draw the same number at the same time as often as chance says. Catches streams
    that repeat each other."""
    same, share = int((one == other).sum()), 1 / n
    deviation = (same - one.size * share) / sqrt(one.size * share * (1 - share))
    return normal("echo", deviation)


OF_WORDS = (correlation, agreement)
OF_NUMBERS = (in_turn, echo)
