"""Streams beside each other: independent ones pass, and related ones are noticed."""

from collections.abc import Callable

import numpy as np
import pytest

from croupier.randomness import interplay
from croupier.randomness.sources import (
    Compiled,
    Live,
    Source,
    Streams,
    compiled_words_are_numpys,
    streams_that_begin_alike,
)
from croupier.randomness.verdict import Verdict, Words
from tests.randomness.support import FLAWED, MANY, SOUND, good, some, sound_numbers

N = 38
SEEDED = [Streams(5), Compiled(5)]


def streams() -> Words:
    return good().integers(0, 2**64, (20, 2_000), dtype=np.uint64)


def nearly_alike() -> Words:
    """Each stream is the one before it with a few bits changed."""
    rows = np.repeat(streams()[:1], 20, axis=0)
    changed = np.uint64(0xFFFF) * np.arange(20, dtype=np.uint64)[:, None]
    return rows ^ changed


def leaning() -> Words:
    """Now and then a stream repeats a word of the stream before it."""
    rows = streams()
    for at in range(1, len(rows)):
        repeated = some(rows.shape[1], 0.15, seed=at)
        rows[at, repeated] = rows[at - 1, repeated]
    return rows


@pytest.mark.parametrize("source", SEEDED, ids=lambda source: source.name)
def test_independent_streams_pass(source: Source) -> None:
    for beside in source.beside(16, 2_000).values():
        for test in interplay.OF_WORDS:
            assert test(beside).p_value > SOUND
    one, other = source.in_turn(N, 20_000)
    for of_numbers in interplay.OF_NUMBERS:
        assert of_numbers(one, other, N).p_value > SOUND


def test_live_tables_that_draw_in_turn_are_independent() -> None:
    one, other = Live().in_turn(N, 20_000)
    for test in interplay.OF_NUMBERS:
        assert test(one, other, N).p_value > FLAWED


@pytest.mark.parametrize("test", interplay.OF_WORDS)
@pytest.mark.parametrize("related", [nearly_alike, leaning])
def test_related_streams_are_noticed(
    test: Callable[[Words], Verdict], related: Callable[[], Words]
) -> None:
    assert test(related()).p_value < FLAWED


def test_a_table_that_answers_another_is_noticed() -> None:
    one, other = sound_numbers(N), good(9).integers(0, N, MANY)
    answering = np.where(some(MANY, 0.03), (one + 11) % N, other)
    assert interplay.in_turn(one, other, N).p_value > SOUND
    assert interplay.in_turn(one, answering, N).p_value < FLAWED


def test_an_echo_is_noticed() -> None:
    one, other = sound_numbers(N), good(9).integers(0, N, MANY)
    repeating = np.where(some(MANY, 0.01), one, other)
    assert interplay.echo(one, other, N).p_value > SOUND
    assert interplay.echo(one, repeating, N).p_value < FLAWED


@pytest.mark.parametrize("seed", [0, 1, 2**64 - 1])
def test_compiled_words_are_numpys_and_no_stream_begins_as_another(seed: int) -> None:
    assert compiled_words_are_numpys(seed)
    assert not streams_that_begin_alike(seed, 200)


@pytest.mark.parametrize("kind", [Streams, Compiled])
def test_a_seed_gives_the_same_samples_again_and_each_sample_is_new(
    kind: Callable[[int], Source],
) -> None:
    one, again = kind(8), kind(8)
    samples = [[source.numbers(N, 100).tolist() for _ in range(2)] for source in (one, again)]
    assert samples[0] == samples[1]
    assert samples[0][0] != samples[0][1]
