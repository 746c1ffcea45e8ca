"""Tests of scaled numbers: sound ones pass, and each test notices the flaw that it looks for."""

from collections.abc import Callable
from itertools import product
from math import factorial

import numpy as np
import pytest

from croupier.randomness import scaled
from croupier.randomness.battery import RANGES
from croupier.randomness.verdict import Numbers, Verdict
from tests.randomness.support import FLAWED, MANY, SOUND, good, some, sound_bytes, sound_numbers

Test = Callable[[Numbers, int], Verdict]
N = 52


def remainder() -> Numbers:
    """A byte modulo 52: 256 is no multiple of it."""
    return sound_bytes(MANY).astype(np.int64) % N


def counted() -> Numbers:
    """Every number in turn."""
    return np.arange(MANY) % N


def following(step: int) -> Numbers:
    """Now and then a number is the one before it and a step more."""
    numbers = sound_numbers(N).copy()
    for at in np.flatnonzero(some(MANY, 0.04))[1:]:
        numbers[at] = (numbers[at - 1] + step) % N
    return numbers


def dealt_from_a_bag() -> Numbers:
    """All 52 numbers come before any comes again."""
    return good().permuted(np.tile(np.arange(N), (MANY // N, 1)), axis=1).ravel()


def late() -> Numbers:
    """One number comes a fifth as often as it should."""
    numbers = sound_numbers(N).copy()
    numbers[(numbers == 17) & some(MANY, 0.8)] = 18
    return numbers


def in_order() -> Numbers:
    """Five numbers in a row come in rising order, now and then."""
    groups = sound_numbers(N).reshape(-1, 5)
    return np.where(some(len(groups), 0.05)[:, None], np.sort(groups, axis=1), groups).ravel()


def sums_of_two() -> Numbers:
    """Each number is the sum of two before it: no pair shows it."""
    numbers = sound_numbers(6)[:MANY].tolist()
    for at in range(2, MANY, 7):
        numbers[at] = (numbers[at - 1] + numbers[at - 2]) % 6
    return np.array(numbers)


def linear() -> Numbers:
    """The digits of a counter with a large step: a lattice."""
    digits = 6
    counter = (np.arange(MANY // digits) * 12_345_678_901) % N**digits
    return np.stack([counter // N**place % N for place in range(digits)], axis=1).ravel()


FLAWS: dict[Test, list[tuple[Numbers, int]]] = {
    scaled.frequency: [(remainder(), N), (counted(), N)],
    scaled.runs_up: [(following(1), N), (counted(), N)],
    scaled.runs_down: [(following(-1), N)],
    scaled.gap: [(following(0), N), (dealt_from_a_bag(), N)],
    scaled.poker: [(following(0), N), (dealt_from_a_bag(), N)],
    scaled.coupon_collector: [(late(), N), (dealt_from_a_bag(), N)],
    scaled.permutation: [(in_order(), N)],
    scaled.serial_pairs: [(following(7), N), (counted(), N)],
    scaled.overlapping_tuples: [(sums_of_two(), 6), (following(7), N)],
    scaled.birthday_spacings: [(linear(), N)],
}

every_test = pytest.mark.parametrize("test", scaled.TESTS, ids=lambda test: test.__name__)


@every_test
@pytest.mark.parametrize("n", RANGES)
def test_sound_numbers_pass(test: Test, n: int) -> None:
    assert test(sound_numbers(n), n).p_value > SOUND


@every_test
def test_a_flaw_is_noticed_by_the_test_that_looks_for_it(test: Test) -> None:
    for flawed, n in FLAWS[test]:
        assert test(flawed, n).p_value < FLAWED


def test_numbers_in_turn_are_too_even() -> None:
    """As many of each as of any other, to the last one."""
    verdict = scaled.frequency(counted(), N)
    assert verdict.lower < FLAWED
    assert verdict.upper > 1 - FLAWED


def test_a_sum_of_two_is_not_noticed_in_pairs() -> None:
    assert scaled.frequency(sums_of_two(), 6).p_value > SOUND
    assert scaled.serial_pairs(sums_of_two(), 6).p_value > SOUND


def test_rises_are_as_long_as_if_they_were_read_one_by_one() -> None:
    numbers = sound_numbers(9, 5_000)
    lengths, rise = [], [int(numbers[0])]
    coming = iter(numbers[1:].tolist())
    for number in coming:
        if number > rise[-1]:
            rise.append(number)
        else:
            lengths.append(len(rise))
            rise = [next(coming, -1)]
    assert scaled._lengths_of_rises(numbers).tolist() == lengths


def test_how_long_a_collection_takes_is_counted_right() -> None:
    """Three numbers in four draws: 18 of 81 rows are complete with the fourth and not before."""
    rows = [row for row in product(range(3), repeat=4) if len(set(row)) == 3 > len(set(row[:3]))]
    shares = scaled._collection_lengths(3)
    assert shares[4] == pytest.approx(len(rows) / 81)
    assert shares[:3].tolist() == [0, 0, 0]
    assert shares.sum() == pytest.approx(1)


def test_collections_are_as_long_as_if_they_were_read_one_by_one() -> None:
    numbers = sound_numbers(5, 1_000)
    lengths, held, drawn = [], set(), 0
    for number in numbers.tolist():
        held.add(number)
        drawn += 1
        if len(held) == 5:
            lengths.append(drawn)
            held, drawn = set(), 0
    assert scaled._collections(numbers, 5).tolist() == lengths


def test_every_order_has_a_number_of_its_own() -> None:
    rows = np.array([row for row in product(range(4), repeat=4) if len(set(row)) == 4])
    assert sorted(scaled.order_numbers(rows).tolist()) == list(range(factorial(4)))


@every_test
def test_a_generator_that_is_stuck_is_noticed_and_nothing_breaks(test: Test) -> None:
    assert test(np.full(MANY, 51), N).p_value < FLAWED


@every_test
@pytest.mark.parametrize("n", [2, N, 416])
def test_a_small_sample_is_judged_as_far_as_it_goes(test: Test, n: int) -> None:
    assert test(sound_numbers(n, 8_000), n).p_value > SOUND
