"""Straights of three ranks: what completes one, as pokette's poker hand wagers ask."""

import pytest

from croupier.ranking import completing_ranks

JACK, QUEEN, KING, ACE = 11, 12, 13, 14
RANKS = range(2, ACE + 1)


def is_straight(ranks: set[int], ace_low: bool) -> bool:
    if len(ranks) != 3:
        return False
    return max(ranks) - min(ranks) == 2 or (ace_low and ranks == {ACE, 2, 3})


@pytest.mark.cites("12.1")
@pytest.mark.parametrize("ace_low", [True, False])
@pytest.mark.parametrize("first", RANKS)
def test_a_rank_completes_a_straight_if_the_three_are_in_a_row(first: int, ace_low: bool) -> None:
    for second in RANKS:
        complete = {rank for rank in RANKS if is_straight({first, second, rank}, ace_low)}
        assert completing_ranks(first, second, ace_low) == complete, second


@pytest.mark.cites("12.1", "12.8")
@pytest.mark.parametrize(
    ("low", "completing"),
    [
        (2, {ACE, 4}),
        *((low, {low - 1, low + 2}) for low in range(3, QUEEN)),
        (QUEEN, {JACK, ACE}),
    ],
)
def test_two_adjacent_ranks_with_both_ends_open_are_completed_by_two(
    low: int, completing: set[int]
) -> None:
    assert completing_ranks(low, low + 1) == completing


@pytest.mark.cites("12.1", "12.8")
@pytest.mark.parametrize(
    ("ranks", "completing"), [((ACE, KING), QUEEN), ((ACE, 2), 3)], ids=["A-K", "A-2"]
)
def test_the_end_of_the_ranks_is_completed_by_one(ranks: tuple[int, int], completing: int) -> None:
    assert completing_ranks(*ranks) == {completing}


@pytest.mark.cites("12.1", "12.8")
@pytest.mark.parametrize(
    ("ranks", "middle"),
    [((low, low + 2), low + 1) for low in range(2, KING)] + [((ACE, 3), 2)],
)
def test_a_gap_is_completed_by_the_rank_in_the_middle(ranks: tuple[int, int], middle: int) -> None:
    assert completing_ranks(*ranks) == {middle}


@pytest.mark.cites("12.8")
@pytest.mark.parametrize("ranks", [(7, 7), (7, 10), (2, 9), (ACE, JACK), (ACE, 4), (KING, 2)])
def test_equal_or_distant_ranks_are_completed_by_none(ranks: tuple[int, int]) -> None:
    assert completing_ranks(*ranks) == frozenset()


@pytest.mark.cites("12.1")
@pytest.mark.parametrize(
    ("ranks", "completing"),
    [((2, 3), {4}), ((ACE, 2), set()), ((ACE, 3), set()), ((QUEEN, KING), {JACK, ACE})],
    ids=["2-3", "A-2", "A-3", "Q-K"],
)
def test_where_the_ace_is_only_high_it_completes_nothing_below(
    ranks: tuple[int, int], completing: set[int]
) -> None:
    assert completing_ranks(*ranks, ace_low=False) == completing


@pytest.mark.cites("12.8")
@pytest.mark.parametrize(("first", "second"), [(7, 8), (ACE, 2), (QUEEN, ACE), (3, 9)])
def test_the_order_in_which_the_ranks_came_does_not_matter(first: int, second: int) -> None:
    assert completing_ranks(first, second) == completing_ranks(second, first)
