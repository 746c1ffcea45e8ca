"""Tests of raw output, bit by bit, before it is scaled to anything."""

from math import sqrt

import numpy as np
from numpy.typing import NDArray
from scipy import special

from croupier.randomness.verdict import (
    Bytes,
    Verdict,
    chi_square,
    normal,
    over,
    rare,
    sum_of_squares,
)

BLOCK = 16  # bytes in a block of the block frequency test
WORD = 8  # bytes in a word of the generators
BYTE_VARIANCE = (256**2 - 1) / 12


def mono_bit(sample: Bytes) -> Verdict:
    """There are as many ones as zeros. Catches a biased bit."""
    ones = int(np.unpackbits(sample).sum(dtype=np.int64))
    size = 8 * sample.size
    return normal("mono-bit", (2 * ones - size) / sqrt(size))


def runs(sample: Bytes) -> Verdict:
    """Ones and zeros alternate neither too often nor too seldom. Catches bits that stick to
    the one before, or shy from it."""
    bits = np.unpackbits(sample)
    share = float(bits.mean())
    seen = 1 + int((bits[1:] != bits[:-1]).sum())
    spread = share * (1 - share)
    return normal("runs", over(seen - 2 * bits.size * spread, 2 * sqrt(bits.size) * spread))


def byte_frequency(sample: Bytes) -> Verdict:
    """Each of the 256 bytes comes equally often. Catches patterns within eight bits, and a
    counter, which is too even."""
    return chi_square("byte chi-square", np.bincount(sample, minlength=256), sample.size / 256)


def serial_correlation(sample: Bytes) -> Verdict:
    """A byte says nothing about the next. Catches drift and waves."""
    return _correlation("serial correlation", sample, 1)


def word_correlation(sample: Bytes) -> Verdict:
    """A byte says nothing about the byte at its place in the next word. Catches a weak step
    from one word of the generator to the next."""
    return _correlation("serial correlation of words", sample, WORD)


def _correlation(name: str, sample: Bytes, lag: int) -> Verdict:
    centered = sample.astype(float) - 127.5
    together = float(np.dot(centered[:-lag], centered[lag:])) / BYTE_VARIANCE
    return normal(name, together / sqrt(sample.size - lag))


def block_frequency(sample: Bytes) -> Verdict:
    """Ones and zeros are balanced in every block of 128 bits, as well as chance balances them
    and no better. Catches a bias that comes and goes."""
    blocks = sample[: sample.size // BLOCK * BLOCK].reshape(-1, BLOCK)
    ones = np.unpackbits(blocks, axis=1).sum(axis=1, dtype=np.int64)
    deviations = (2 * ones - 8 * BLOCK) ** 2 / (8 * BLOCK)
    return sum_of_squares("block frequency", float(deviations.sum()), len(blocks))


def bit_places(sample: Bytes) -> Verdict:
    """Each of the 64 bits of a word is a one half of the time. Catches a generator whose low
    bits are worse than its high ones, too even ones too."""
    words = sample[: sample.size // WORD * WORD].reshape(-1, WORD)
    ones = np.unpackbits(words, axis=1).sum(axis=0, dtype=np.int64)
    deviations = (2 * ones - len(words)) ** 2 / len(words)
    return sum_of_squares("bit places", float(deviations.sum()), 8 * WORD, 8 / len(words))


def cumulative_sums(sample: Bytes) -> Verdict:
    """The ones never run too far ahead of the zeros, nor the zeros of the ones, on the whole way
    through the sample. Catches a bias in a part of it."""
    walk = _walk(sample)
    return _furthest("cumulative sums", max(int(walk.max()), -int(walk.min())), walk.size)


def cumulative_sums_backward(sample: Bytes) -> Verdict:
    """The same from the end of the sample to its beginning."""
    walk = _walk(sample)
    end, before = int(walk[-1]), walk[:-1]
    furthest = max(end - min(0, int(before.min())), max(0, int(before.max())) - end)
    return _furthest("cumulative sums backward", furthest, walk.size)


def _walk(sample: Bytes) -> NDArray[np.int32]:
    """A step up for every one, and down for every zero."""
    steps = np.unpackbits(sample).view(np.int8)
    np.multiply(steps, 2, out=steps)
    np.subtract(steps, 1, out=steps)
    return np.cumsum(steps, dtype=np.int32)


def _furthest(name: str, furthest: int, size: int) -> Verdict:
    """How far a walk of so many steps goes from its start, by the formula of reflections."""
    scaled = furthest / sqrt(size)
    most = int(size / furthest / 4) + 1
    k = np.arange(-most, most + 1)
    inside = _between((4 * k - 1) * scaled, (4 * k + 1) * scaled)
    reflected = _between((4 * k + 1) * scaled, (4 * k + 3) * scaled)
    upper = min(1.0, max(0.0, 1 - inside + reflected))
    return Verdict(name, scaled, None, 1 - upper, upper)


def _between(low: NDArray[np.floating], high: NDArray[np.floating]) -> float:
    return float((special.ndtr(high) - special.ndtr(low)).sum())


def duplicates(sample: Bytes) -> Verdict:
    """Words of 32 bits come again as often as birthdays do. Catches a short cycle, in which they
    come again and again, and a counter, in which they never do."""
    words = np.sort(sample[: sample.size // 4 * 4].view(np.uint32))
    days = 2.0**32
    again = (words[1:] == words[:-1]).sum()
    expected = words.size + days * np.expm1(words.size * np.log1p(-1 / days))
    return rare("duplicates", int(again), float(expected))


TESTS = (
    mono_bit, runs, byte_frequency, serial_correlation, word_correlation, block_frequency,
    bit_places, cumulative_sums, cumulative_sums_backward, duplicates,
)  # fmt: skip
