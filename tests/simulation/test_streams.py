"""Seeded streams: the same seed and chunk give the same numbers, without bias."""

from collections import Counter
from math import log, sqrt

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from croupier.simulation.streams import SeededStream

seeds = st.integers(0, 2**64 - 1)
chunks = st.integers(0, 2**32)


def numbers(stream: SeededStream, count: int, n: int = 2**64) -> list[int]:
    return [stream.below(n) for _ in range(count)]


@given(seeds, chunks)
def test_a_stream_repeats_by_seed_and_chunk(seed: int, chunk: int) -> None:
    assert numbers(SeededStream(seed, chunk), 20) == numbers(SeededStream(seed, chunk), 20)


@given(seeds, chunks, chunks)
def test_different_chunks_of_a_seed_differ(seed: int, chunk: int, other: int) -> None:
    assume(chunk != other)
    drawn = numbers(SeededStream(seed, chunk), 4)
    assert not set(drawn) & set(numbers(SeededStream(seed, other), 4))


@given(seeds, seeds)
def test_different_seeds_differ(seed: int, other: int) -> None:
    assume(seed != other)
    assert numbers(SeededStream(seed), 4) != numbers(SeededStream(other), 4)


def test_a_chunk_does_not_continue_another() -> None:
    first = set(numbers(SeededStream(47, 0), 10_000))
    assert not first & set(numbers(SeededStream(47, 1), 10_000))


def test_two_streams_do_not_disturb_each_other() -> None:
    alone = numbers(SeededStream(47), 10)
    one, other = SeededStream(47), SeededStream(48)
    together = []
    for _ in range(10):
        together.append(one.below(2**64))
        other.below(6)
    assert together == alone


def test_the_numbers_of_a_seed_are_the_same_on_any_machine() -> None:
    assert numbers(SeededStream(47), 12, 6) == [2, 3, 3, 4, 3, 5, 2, 5, 0, 3, 2, 1]


@given(seeds, st.integers(1, 2**64))
def test_a_number_is_below_the_bound(seed: int, n: int) -> None:
    assert all(0 <= number < n for number in numbers(SeededStream(seed), 5, n))


def test_a_stream_goes_on_past_its_block() -> None:
    drawn = numbers(SeededStream(47, block=8), 100)
    assert len(set(drawn)) == 100


@pytest.mark.parametrize("n", [2, 6, 38, 52])
def test_every_number_is_equally_likely(n: int) -> None:
    draws = 1000 * n
    seen = Counter(numbers(SeededStream(47), draws, n))
    found = sum((seen[each] - 1000) ** 2 / 1000 for each in range(n))
    tail = log(1e10)
    assert found < n - 1 + 2 * sqrt((n - 1) * tail) + 2 * tail


def test_scaling_leaves_no_bias_where_a_remainder_would() -> None:
    third = 2**62
    low = sum(number < third for number in numbers(SeededStream(47), 9000, 3 * third))
    assert abs(low - 3000) < 7 * sqrt(9000 * 2 / 9)


@pytest.mark.parametrize("n", [0, -1, (1 << 64) + 1])
def test_a_stream_says_what_it_cannot_give(n: int) -> None:
    with pytest.raises(ValueError, match="a stream gives"):
        SeededStream(1).below(n)
