"""The compiled generator gives NumPy's words, and draws from them without bias."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.simulation import words
from croupier.simulation.streams import SeededStream

SEEDS = st.integers(0, (1 << 64) - 1)


@settings(max_examples=20, deadline=None)
@given(seed=SEEDS, chunk=SEEDS)
def test_its_words_are_those_of_numpys_philox(seed: int, chunk: int) -> None:
    found = np.zeros(1000, np.uint64)
    words.fill(np.uint64(seed), np.uint64(chunk), found)
    philox = np.random.Philox(key=np.array([seed, chunk], np.uint64))
    assert (found == philox.random_raw(1000)).all()


def test_another_chunk_or_another_seed_is_another_stream() -> None:
    streams = np.zeros((3, 1000), np.uint64)
    for row, key in zip(streams, [(1, 0), (1, 1), (2, 0)], strict=True):
        words.fill(np.uint64(key[0]), np.uint64(key[1]), row)
    assert len(np.unique(streams)) == streams.size


@pytest.mark.parametrize("n", [2, 6, 37, 38, 52, 80, 416, 70_000])
def test_numbers_are_below_n_and_equally_likely(n: int) -> None:
    found = np.zeros(200_000, np.int64)
    words.numbers(np.uint64(7), np.uint64(n), n, found)
    assert found.min() >= 0
    assert found.max() < n
    counted = np.bincount(found % 37 if n > 1000 else found, minlength=min(n, 37))
    expected = np.bincount(np.arange(n) % 37 if n > 1000 else np.arange(n)) * len(found) / n
    squares = ((counted - expected) ** 2 / expected).sum()
    assert squares < len(counted) + 5 * (2 * len(counted)) ** 0.5


def test_a_word_that_would_be_biased_is_thrown_away() -> None:
    """Below three quarters of all words every third number comes as often, and half are lost."""
    n = 3 << 62
    row = words.stream(np.uint64(1), np.uint64(2))
    found = np.array([words.below(row, np.uint64(n)) for _ in range(3000)]).astype(np.uint64)
    thirds = np.bincount((found >> np.uint64(62)).astype(np.int64), minlength=3)
    assert abs(thirds - 1000).max() < 4 * (3000 * 2 / 9) ** 0.5


def test_every_order_of_a_small_pack_comes_as_often() -> None:
    orders = np.zeros((240_000, 4), np.uint8)
    words.shuffles(np.uint64(3), np.uint64(0), 4, orders)
    number = {order: at for at, order in enumerate(permutations(range(4)))}
    counted = np.zeros(24)
    for order, times in zip(*np.unique(orders, axis=0, return_counts=True), strict=True):
        counted[number[tuple(order.tolist())]] = times
    assert ((counted - 10_000) ** 2 / 10_000).sum() < 23 + 5 * 46**0.5


def test_some_places_of_a_large_shoe_are_shuffled_out_of_all_its_cards() -> None:
    cards, seen = np.arange(416).astype(np.uint16), np.zeros((416, 3))
    row, plan = words.stream(np.uint64(1), np.uint64(1)), words.plan(416, 3)
    for _ in range(41_600):
        words.shuffle(row, cards, plan)
        seen[cards[:3], range(3)] += 1
    assert sorted(cards.tolist()) == list(range(416))
    assert ((seen - 100) ** 2 / 100).sum() < 3 * 415 + 5 * (6 * 415) ** 0.5


def test_the_stream_of_live_rounds_is_of_the_same_generator() -> None:
    found = np.zeros(8, np.uint64)
    words.fill(np.uint64(5), np.uint64(6), found)
    live = SeededStream(5, 6, block=8)
    assert sorted(live.below(1 << 64) for _ in range(8)) == sorted(found.tolist())
