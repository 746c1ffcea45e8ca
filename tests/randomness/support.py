"""Sound samples from a fixed seed, and generators with a flaw each."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from croupier.randomness import battery
from croupier.randomness.sources import Streams
from croupier.randomness.verdict import Bytes, Numbers

Marks = NDArray[np.bool_]

SOUND = 1e-4  # a p-value above this is no cause for alarm
FLAWED = 1e-8  # one below this is

SIZE = 250_000  # bytes of a sample
MANY = 100_000  # numbers of one


def good(seed: int = 47) -> np.random.Generator:
    return np.random.default_rng(seed)


def sound_bytes(size: int = SIZE) -> Bytes:
    return np.frombuffer(good().bytes(size), dtype=np.uint8)


def sound_numbers(n: int, size: int = MANY) -> Numbers:
    return good(n).integers(0, n, size)


def packed(ones: Marks) -> Bytes:
    """Bits as bytes."""
    return np.packbits(ones)


def some(size: int, share: float, seed: int = 3) -> Marks:
    """Marks at random: this share of them is set."""
    return good(seed).random(size) < share


# A battery.

SMALL = replace(
    battery.QUICK, bytes=60_000, pieces=10, spins=5_000, packs=300, cards=6_000, draws=500,
    orders=3_000, compiled_orders=3_000, streams=6, words=300, starts=2, forks=1,
)  # fmt: skip


class Biased(Streams):
    """Streams whose scaling favors low numbers."""

    def numbers(self, n: int, size: int) -> Numbers:
        return super().numbers(3 * n + 1, size) % n
