"""A drum: numbers are drawn without replacement."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.equipment import Drum, ImpossibleOutcome, SystemChance


@given(st.integers(1, 80))
def test_a_full_drum_holds_every_number_once(size: int) -> None:
    drum = Drum(size)
    assert sorted(drum.outcomes()) == list(range(1, size + 1))
    assert sorted(drum.ways(), key=lambda way: way[1]) == [(1, n) for n in range(1, size + 1)]


@given(st.permutations(range(1, 13)))
def test_a_number_that_was_drawn_does_not_come_again(order: list[int]) -> None:
    drum = Drum(12)
    for at, number in enumerate(order):
        drum.take(drum.read(drum.say(number)))
        assert sorted(drum.outcomes()) == sorted(order[at + 1 :])
        assert sum(ways for ways, _ in drum.ways()) == 12 - at - 1
        with pytest.raises(ImpossibleOutcome, match=f"^{number} has already been drawn$"):
            drum.read(number)


def test_draws_by_chance_empty_the_drum() -> None:
    drum, drawn = Drum(80), set()
    for _ in range(80):
        ball = drum.draw(SystemChance())
        drum.take(ball)
        drawn.add(ball)
    assert drawn == set(range(1, 81))


def test_looking_at_a_ball_does_not_take_it() -> None:
    drum = Drum(80)
    drum.draw(SystemChance())
    assert len(drum.outcomes()) == 80


@pytest.mark.parametrize("said", [0, 81, -1, "7", 7.0, True, None, [7], {}])
def test_a_number_that_is_not_in_the_drum_is_refused_with_a_sentence(said: object) -> None:
    with pytest.raises(ImpossibleOutcome, match="is not a number from 1 to 80"):
        Drum(80).read(said)


def test_nothing_is_drawn_from_an_empty_drum() -> None:
    drum = Drum(1)
    drum.take(1)
    with pytest.raises(ImpossibleOutcome, match="is empty"):
        drum.draw(SystemChance())
