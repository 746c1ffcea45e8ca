"""Wheels: stops in the order of the rim, equal or weighted."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.equipment import ImpossibleOutcome, SystemChance, WeightedWheel, Wheel

SMALL = Wheel("small wheel", ["1", "2", "1", "5", "1", "joker"], also={"J": "joker"})
rims = st.lists(st.text(min_size=1, max_size=3), min_size=1, max_size=30)
different = st.lists(st.text(min_size=1, max_size=3), min_size=1, max_size=30, unique=True)


def test_a_name_may_stand_at_several_stops() -> None:
    assert len(SMALL.outcomes()) == 6
    assert {stop: ways for ways, stop in SMALL.ways()} == {"1": 3, "2": 1, "5": 1, "joker": 1}


@given(rims)
def test_ways_add_up_to_the_stops(rim: list[str]) -> None:
    wheel = Wheel("wheel", rim)
    assert {stop: ways for ways, stop in wheel.ways()} == Counter(rim)
    assert sum(ways for ways, _ in wheel.ways()) == len(wheel.outcomes())


@given(rims, st.data())
def test_a_stop_is_read_as_it_is_said(rim: list[str], data: st.DataObject) -> None:
    wheel = Wheel("wheel", rim)
    stop = data.draw(st.sampled_from(wheel.outcomes()))
    assert wheel.read(wheel.say(stop)) == stop


def test_a_number_may_be_said_as_a_number() -> None:
    assert SMALL.read(5) == SMALL.read("5") == "5"


def test_a_stop_may_have_another_name() -> None:
    assert SMALL.read("J") == "joker"


def test_a_double_zero_is_not_a_zero() -> None:
    wheel = Wheel("wheel", ["0", "00"])
    assert wheel.read("00") == "00"
    assert wheel.read(0) == "0"


@pytest.mark.parametrize("said", ["3", "", "01", 3, -1, True, None, 5.0, ["5"], {"5": 5}])
def test_a_stop_that_is_not_there_is_refused_with_a_sentence(said: object) -> None:
    with pytest.raises(ImpossibleOutcome, match="the small wheel has no stop"):
        SMALL.read(said)


def test_neighbors_stand_on_both_sides_of_a_stop() -> None:
    wheel = Wheel("wheel", "a b c d e f g".split())
    assert wheel.neighbors("d", 2) == ("b", "c", "d", "e", "f")
    assert wheel.neighbors("d", 0) == ("d",)


def test_neighbors_wrap_around_the_rim() -> None:
    wheel = Wheel("wheel", "a b c d e f g".split())
    assert wheel.neighbors("a", 2) == ("f", "g", "a", "b", "c")
    assert wheel.neighbors("g", 1) == ("f", "g", "a")


@given(different, st.data())
def test_being_neighbors_is_mutual(rim: list[str], data: st.DataObject) -> None:
    wheel = Wheel("wheel", rim)
    each_side = data.draw(st.integers(0, (len(rim) - 1) // 2))
    stop = data.draw(st.sampled_from(rim))
    beside = wheel.neighbors(stop, each_side)
    assert len(set(beside)) == 2 * each_side + 1
    assert beside[each_side] == stop
    assert all(stop in wheel.neighbors(other, each_side) for other in beside)


def test_a_wheel_may_give_the_same_stop_again() -> None:
    wheel = Wheel("wheel", ["only"])
    for _ in range(3):
        wheel.take(wheel.draw(SystemChance()))
    assert list(wheel.outcomes()) == ["only"]


# A virtual wheel, with weights.


class Counting:
    """Chance that gives every number in turn, and remembers below what it was asked."""

    def __init__(self, start: int = 0) -> None:
        self.next, self.asked = start, 0

    def below(self, n: int) -> int:
        self.asked = n
        self.next += 1
        return self.next - 1


weights = st.dictionaries(st.text(min_size=1, max_size=3), st.integers(1, 9), min_size=1)


@given(weights)
def test_a_position_comes_as_often_as_its_weight_says(weighted: dict[str, int]) -> None:
    wheel, chance = WeightedWheel("virtual wheel", weighted), Counting()

    assert {stop: ways for ways, stop in wheel.ways()} == weighted
    drawn = Counter(wheel.draw(chance) for _ in range(sum(weighted.values())))
    assert drawn == weighted
    assert chance.asked == sum(weighted.values())


def test_positions_are_listed_once_each_however_great_their_weights() -> None:
    wheel = WeightedWheel("virtual wheel", {"1": 1, "2": 10**15, "3": 10**30})

    assert list(wheel.outcomes()) == ["1", "2", "3"]
    assert [ways for ways, _ in wheel.ways()] == [1, 10**15, 10**30]


@pytest.mark.parametrize(
    ("number", "stop"),
    [(0, "1"), (1, "2"), (10**15, "2"), (10**15 + 1, "3"), (10**30 + 10**15, "3")],
)
def test_the_numbers_of_a_position_are_counted_and_not_listed(number: int, stop: str) -> None:
    wheel = WeightedWheel("virtual wheel", {"1": 1, "2": 10**15, "3": 10**30})

    assert wheel.draw(Counting(number)) == stop


@given(weights, st.data())
def test_a_position_is_read_as_it_is_said(weighted: dict[str, int], data: st.DataObject) -> None:
    wheel = WeightedWheel("virtual wheel", weighted)
    stop = data.draw(st.sampled_from(wheel.outcomes()))

    assert wheel.read(wheel.say(stop)) == stop


@pytest.mark.parametrize("said", ["13", 0, None, "one"])
def test_a_position_that_is_not_there_is_refused_with_a_sentence(said: object) -> None:
    wheel = WeightedWheel("virtual wheel", {str(at): at for at in range(1, 13)})

    assert wheel.read(12) == wheel.read("12") == "12"
    with pytest.raises(ImpossibleOutcome, match="the virtual wheel has no stop"):
        wheel.read(said)


@pytest.mark.parametrize("weighted", [{}, {"1": 0}, {"1": 5, "2": -1}])
def test_every_position_needs_a_weight(weighted: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="needs a weight above zero"):
        WeightedWheel("virtual wheel", weighted)
