"""Scaling: as many words of a generator give one number as give any other."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import pytest

from croupier.equipment import SystemChance
from croupier.randomness import scaling
from croupier.randomness.battery import RANGES
from croupier.randomness.scaling import WORDS
from croupier.simulation import words
from croupier.simulation.streams import SeededStream

SOME = (2, 3, 6, 7, 36, 37, 38, 52, 54, 80, 216, 312, 416)


class Exhausted(Exception):
    """Every word has been given."""


@pytest.mark.parametrize("n", RANGES)
def test_live_scaling_sorts_all_bytes_evenly(n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The live call is given every word that the system can give, once."""
    size = (n.bit_length() + 7) // 8
    coming: Iterator[int] = iter(range(256**size))

    def every_word(many: int) -> bytes:
        assert many == size
        for word in coming:
            return word.to_bytes(many, "big")
        raise Exhausted

    monkeypatch.setattr("random._urandom", every_word)
    seen: Counter[int] = Counter()
    with pytest.raises(Exhausted):
        while True:
            seen[SystemChance().below(n)] += 1
    assert set(seen) == set(range(n))
    assert len(set(seen.values())) == 1


@pytest.mark.parametrize("n", SOME)
def test_no_way_of_scaling_has_a_bias(n: int) -> None:
    draws = int(words.draws_of_a_word(n)[0])
    for way in (scaling.of_system(n), scaling.of_stream(n), scaling.of_products(n, draws)):
        assert way.bias == 0
        assert way.is_fair
        assert (way.without == 0) == (way.words % n**way.draws == 0)


@pytest.mark.parametrize("n", SOME)
def test_a_stream_throws_away_exactly_the_words_past_the_last_whole_multiple(n: int) -> None:
    limit = WORDS // n * n
    stream = SeededStream(1)
    edge = [word for word in (0, 1, n - 1, n, limit - 1, limit, WORDS - 1) if word < WORDS]
    stream._words = edge[::-1]
    kept = [word for word in edge if word < limit]
    assert [stream.below(n) for _ in kept] == [word % n for word in kept]
    assert WORDS - limit == scaling.of_stream(n).thrown_away


@pytest.mark.parametrize("n", SOME)
def test_compiled_draws_throw_away_exactly_what_they_must(n: int) -> None:
    """The words at the edges of an outcome, through the compiled code and by whole numbers."""
    draws = int(words.draws_of_a_word(n)[0])
    outcomes = n**draws
    for outcome in (0, 1, outcomes // 3, outcomes - 1):
        first = -(-outcome * WORDS // outcomes)
        for word in (first, first + 1, min(first + WORDS // outcomes, WORDS - 1)):
            got, left = 0, np.uint64(word)
            for _ in range(draws):
                pick, left = (np.uint64(each) for each in words.split(left, np.uint64(n)))
                got = got * n + int(pick)
            assert got == word * outcomes // WORDS
            assert int(left) == word * outcomes % WORDS
            thrown = bool(words.is_biased(left, np.uint64(outcomes)))
            assert thrown == (int(left) < WORDS % outcomes)


def test_outcomes_of_products_are_counted_right() -> None:
    """With words of eight bits all of them can be sorted."""
    for outcomes in (3, 6, 7, 36, 100, 255):
        threshold = 256 % outcomes
        kept = Counter(
            word * outcomes // 256 for word in range(256) if word * outcomes % 256 >= threshold
        )
        assert set(kept.values()) == {256 // outcomes}


def test_a_bias_above_one_in_fifty_million_is_noticed() -> None:
    remainders = Counter(word % 6 for word in range(256)).values()
    plain = scaling._scaling("remainder of a byte", 6, 1, 256, 0, remainders)
    assert plain.bias == 1 - Fraction(42 * 6, 256) == plain.without
    assert not plain.is_fair
    nearly = scaling._scaling("nearly", 2, 1, 10**8, 0, [5 * 10**7 - 1, 5 * 10**7 + 1])
    assert nearly.is_fair
