"""Dice: every ordered result is equally likely."""

from collections import Counter
from math import comb, factorial, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.equipment import Dice, ImpossibleOutcome, SystemChance, Throw

COUNTS = [1, 2, 3]


@pytest.mark.parametrize("count", COUNTS)
def test_every_ordered_result_is_listed_once(count: int) -> None:
    outcomes = Dice(count).outcomes()
    assert len(outcomes) == len(set(outcomes)) == 6**count
    assert all(1 <= face <= 6 for throw in outcomes for face in throw)


@pytest.mark.parametrize("count", COUNTS)
def test_ways_add_up_to_the_outcomes(count: int) -> None:
    dice = Dice(count)
    assert sum(ways for ways, _ in dice.ways()) == len(dice.outcomes())


@pytest.mark.parametrize("count", COUNTS)
def test_dice_are_alike_so_the_order_is_not_told_apart(count: int) -> None:
    told_apart = {throw: ways for ways, throw in Dice(count).ways()}
    assert len(told_apart) == comb(count + 5, 5)
    for throw, ways in told_apart.items():
        assert ways == factorial(count) // prod(map(factorial, Counter(throw).values()))


def test_a_seven_comes_in_six_ways() -> None:
    totals: Counter[int] = Counter()
    for ways, throw in Dice(2).ways():
        totals[throw.total] += ways
    assert totals == {total: 6 - abs(total - 7) for total in range(2, 13)}


@given(st.sampled_from(COUNTS), st.data())
def test_a_throw_is_read_as_it_is_said(count: int, data: st.DataObject) -> None:
    dice = Dice(count)
    throw = data.draw(st.sampled_from(dice.outcomes()))
    assert dice.read(dice.say(throw)) == throw
    assert dice.read(tuple(throw)) == throw
    assert type(dice.say(throw)) is list


@pytest.mark.parametrize(
    "said",
    [
        [3],
        [3, 4, 1],
        [0, 4],
        [3, 7],
        [-1, 4],
        [3.0, 4],
        ["3", 4],
        [True, 4],
        [None, 4],
        [[3], 4],
        "34",
        7,
        None,
        {"1": 3, "2": 4},
        [],
    ],
)
def test_an_impossible_throw_is_refused_with_a_sentence(said: object) -> None:
    with pytest.raises(
        ImpossibleOutcome, match=r"is not a throw of 2 dice: write 2 faces from 1 to 6, such as \["
    ):
        Dice(2).read(said)


def test_a_refusal_shows_as_many_faces_as_there_are_dice() -> None:
    for count in COUNTS:
        with pytest.raises(ImpossibleOutcome) as refused:
            Dice(count).read(None)
        assert str(refused.value).endswith(f"such as {[3, 4, 1][:count]}")


def test_a_throw_knows_its_total_and_prints_its_faces() -> None:
    throw = Dice(2).read([6, 5])
    assert (throw.total, str(throw)) == (11, "6-5")


@pytest.mark.parametrize(("faces", "hard"), [((2, 2), True), ((1, 3), False), ((6, 6, 6), True)])
def test_a_throw_is_hard_when_all_dice_show_the_same_face(
    faces: tuple[int, ...], hard: bool
) -> None:
    assert Throw(faces).is_hard is hard


def test_dice_may_give_the_same_throw_again() -> None:
    dice = Dice(1)
    before = list(dice.outcomes())
    dice.take(dice.draw(SystemChance()))
    assert list(dice.outcomes()) == before
