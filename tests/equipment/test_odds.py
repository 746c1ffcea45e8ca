"""Odds as the regulation prints them, and exact payments."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.equipment import InexactPayment, Odds

numbers = st.integers(1, 10**6)
some_odds = st.builds(Odds, st.integers(0, 10**6), numbers)


@given(numbers, numbers, numbers)
def test_odds_are_reduced(win: int, per: int, times: int) -> None:
    assert Odds(win * times, per * times) == Odds(win, per)
    assert hash(Odds(win * times, per * times)) == hash(Odds(win, per))


def test_odds_are_per_one_unless_told_otherwise() -> None:
    assert Odds(35) == Odds(35, 1)


def test_reduced_odds_print_in_lowest_terms() -> None:
    assert str(Odds(6, 4)) == "3 to 2"
    assert str(Odds(0, 5)) == "0 to 1"


@pytest.mark.parametrize(("win", "per"), [(-1, 1), (1, 0), (1, -2), (0, 0)])
def test_odds_that_make_no_sense_are_refused(win: int, per: int) -> None:
    with pytest.raises(ValueError, match=f"odds of {win} to {per} make no sense"):
        Odds(win, per)


@given(some_odds, some_odds)
def test_odds_are_ordered_by_what_one_unit_wins(one: Odds, other: Odds) -> None:
    assert (one < other) == (one.net < other.net)
    assert (one >= other) == (one.net >= other.net)
    assert (one == other) == (one.net == other.net)


def test_the_best_odds_are_the_greatest() -> None:
    assert max(Odds(6, 5), Odds(3, 2), Odds(1)) == Odds(3, 2)
    assert sorted([Odds(2), Odds(7, 5), Odds(9, 5)]) == [Odds(7, 5), Odds(9, 5), Odds(2)]


@given(some_odds)
def test_what_one_unit_wins_is_an_exact_fraction(odds: Odds) -> None:
    assert odds.net == Fraction(odds.win, odds.per)


@pytest.mark.parametrize(
    ("odds", "text"),
    [
        (Odds(3, 2), "3 to 2"),
        (Odds(35), "35 to 1"),
        (Odds(2000), "2,000 to 1"),
        (Odds(1, 1_000_000), "1 to 1,000,000"),
    ],
)
def test_odds_print_as_the_regulation_prints_them(odds: Odds, text: str) -> None:
    assert str(odds) == text


@given(some_odds)
def test_printed_odds_are_read_back(odds: Odds) -> None:
    assert Odds.parse(str(odds)) == odds


@pytest.mark.parametrize("text", ["3 to 2", "3_to_2", " 3 TO 2 ", "6 to 4"])
def test_odds_are_read_with_spaces_underscores_and_capitals(text: str) -> None:
    assert Odds.parse(text) == Odds(3, 2)


def test_odds_are_read_with_thousands() -> None:
    assert Odds.parse("1,000 to 1") == Odds.parse("1000_to_1") == Odds(1000)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "3",
        "3 for 2",
        "3/2",
        "3:2",
        "3to2",
        "-3 to 2",
        "3 to -2",
        "3 to 0",
        "3.5 to 1",
        "three to two",
        "3 to 2 to 1",
        "1234567890 to 1",
    ],
)
def test_anything_else_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(ValueError, match='are not odds: write them with "to", such as 3 to 2'):
        Odds.parse(text)


@given(some_odds, st.integers(0, 10**9))
def test_a_stake_is_paid_exactly_or_not_at_all(odds: Odds, stake: int) -> None:
    exact = stake * odds.net
    if exact.denominator == 1:
        assert odds.pay(stake) == exact
    else:
        with pytest.raises(InexactPayment, match=f"{stake} cents cannot be paid exactly at {odds}"):
            odds.pay(stake)


@given(some_odds, st.integers(0, 10**6))
def test_a_multiple_of_the_odds_base_is_always_payable(odds: Odds, times: int) -> None:
    assert odds.pay(odds.per * times) == odds.win * times


@pytest.mark.parametrize("text", ["1,,0 to 1", "10,00 to 1", ",1 to 1", "٣ to 1", "3 to ٢"])
def test_odds_that_nobody_prints_are_not_read(text: str) -> None:
    with pytest.raises(ValueError, match="are not odds"):
        Odds.parse(text)
