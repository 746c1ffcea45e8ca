"""Tests of raw bits: sound bits pass, and each test notices the flaw that it looks for."""

from collections.abc import Callable

import numpy as np
import pytest

from croupier.randomness import bits
from croupier.randomness.verdict import Bytes, Verdict
from tests.randomness.support import FLAWED, SIZE, SOUND, good, packed, some, sound_bytes

Test = Callable[[Bytes], Verdict]


def biased() -> Bytes:
    """A one comes in 50.5 percent."""
    return packed(some(8 * SIZE, 0.505))


def sticky() -> Bytes:
    """A bit is the one before in 51 percent."""
    return packed(np.cumsum(some(8 * SIZE, 0.49)) % 2 == 1)


def shy() -> Bytes:
    """A bit is another than the one before in 51 percent."""
    return packed(np.cumsum(some(8 * SIZE, 0.51)) % 2 == 1)


def no_zero() -> Bytes:
    """The byte 0 never comes."""
    return good().integers(1, 256, SIZE).astype(np.uint8)


def counter() -> Bytes:
    """Bytes are counted."""
    return np.arange(SIZE).astype(np.uint8)


def echoes(lag: int) -> Bytes:
    """Now and then a byte is the one so many before it."""
    sample = sound_bytes().copy()
    repeated = np.flatnonzero(some(SIZE, 0.03))
    repeated = repeated[repeated >= lag]
    sample[repeated] = sample[repeated - lag]
    return sample


def moody() -> Bytes:
    """Ones and zeros are favored in turn, for a block each: on the whole they are balanced."""
    favored = np.repeat(np.arange(8 * SIZE // 128) % 2, 128)
    return packed(good().random(favored.size) < 0.47 + 0.06 * favored)


def balanced() -> Bytes:
    """Every block has exactly as many ones as zeros."""
    block = np.repeat([0, 1], 64).astype(bool)
    return packed(good().permuted(np.tile(block, (8 * SIZE // 128, 1)), axis=1).ravel())


def stuck() -> Bytes:
    """The lowest bit of every word of 64 is a one."""
    sample = sound_bytes().copy()
    sample[7::8] |= 1
    return sample


def drifting() -> Bytes:
    """Ones are favored in the first half and zeros in the second."""
    half = np.arange(8 * SIZE) < 4 * SIZE
    return packed(good().random(8 * SIZE) < np.where(half, 0.505, 0.495))


def short_cycle() -> Bytes:
    """After 40,000 bytes the same come again."""
    return np.resize(sound_bytes(40_000), SIZE)


def counted_words() -> Bytes:
    """Words are counted, so none ever comes again."""
    return np.arange(600_000, dtype=np.uint32).view(np.uint8)


FLAWS: dict[Test, list[Bytes]] = {
    bits.mono_bit: [biased()],
    bits.runs: [sticky(), shy()],
    bits.byte_frequency: [no_zero(), counter()],
    bits.serial_correlation: [echoes(1), counter()],
    bits.word_correlation: [echoes(8)],
    bits.block_frequency: [moody(), balanced()],
    bits.bit_places: [stuck()],
    bits.cumulative_sums: [drifting()],
    bits.cumulative_sums_backward: [drifting()],
    bits.duplicates: [short_cycle(), counted_words()],
}

every_test = pytest.mark.parametrize("test", bits.TESTS, ids=lambda test: test.__name__)


@every_test
def test_sound_bits_pass(test: Test) -> None:
    assert test(sound_bytes()).p_value > SOUND


@every_test
def test_a_flaw_is_noticed_by_the_test_that_looks_for_it(test: Test) -> None:
    for flawed in FLAWS[test]:
        assert test(flawed).p_value < FLAWED


def test_what_is_too_even_is_noticed_as_well() -> None:
    assert bits.byte_frequency(counter()).lower < FLAWED
    assert bits.block_frequency(balanced()).lower < FLAWED
    assert bits.duplicates(counted_words()).lower < FLAWED


def test_a_bias_that_evens_out_is_not_noticed_by_a_count_alone() -> None:
    """Which is why there are others."""
    assert bits.mono_bit(moody()).p_value > SOUND
    assert bits.mono_bit(drifting()).p_value > SOUND


@every_test
def test_bits_that_never_change_are_noticed_and_nothing_breaks(test: Test) -> None:
    assert test(np.zeros(SIZE, dtype=np.uint8)).p_value < FLAWED
    assert test(np.full(SIZE, 255, dtype=np.uint8)).p_value < FLAWED
