"""Progressive jackpots: a meter grows, a reserve is held back, and no cent is made or lost."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import comb, floor
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.games import find_game
from croupier.rulebook import Meter, Prize, Table, pay_prizes, too_long

WHOLE, TENTH = Fraction(1), Fraction(1, 10)
RESET = 1_000_000


def meter(cents: Fraction | int | str, reserve: Fraction | int | str = 0) -> Meter:
    return Meter(Fraction(cents), Fraction(reserve))


def held(found: Meter) -> Fraction:
    """All that a meter has, seen and unseen."""
    return found.amount + found.reserve


# The meter grows.


def test_a_part_of_each_wager_goes_to_the_meter_and_another_to_the_reserve() -> None:
    grown = meter(RESET).advanced(100, Fraction(7, 10), Fraction(1, 20))

    assert grown == meter(RESET + 70, 5)


def test_parts_of_a_cent_add_up_and_only_whole_cents_are_shown() -> None:
    grown = meter(RESET)
    for shown in (RESET, RESET, RESET, RESET + 1):
        assert grown.shown == shown
        grown = grown.advanced(1, Fraction(4, 10), Fraction(0))

    assert grown.amount == RESET + Fraction(8, 5)
    assert str(grown) == str(RESET + 1)


@given(
    st.lists(st.integers(1, 10_000), max_size=20),
    st.fractions(0, 1, max_denominator=100),
    st.fractions(0, 1, max_denominator=100),
)
def test_a_meter_gets_its_rate_of_all_wagers_to_the_last_part_of_a_cent(
    stakes: list[int], rate: Fraction, reserve_rate: Fraction
) -> None:
    grown = meter(RESET)
    for stake in stakes:
        grown = grown.advanced(stake, rate, reserve_rate)

    assert grown.amount == RESET + sum(stakes) * rate
    assert grown.reserve == sum(stakes) * reserve_rate


# Nobody sees the reserve.


@dataclass(frozen=True)
class WithMeters:
    """The state of a table that has several."""

    jackpot: Meter
    others: tuple[Meter, ...] = ()
    named: dict[str, Meter] = field(default_factory=dict)


@pytest.mark.parametrize("who", ["1", None])
def test_a_view_shows_the_meter_and_never_the_reserve(who: str | None) -> None:
    table = Table(find_game("big-six"))
    secret = meter("1234567/2", "98765")
    table.state = WithMeters(secret, (secret, secret), {"grand": secret})
    state = table.view(who)["state"]

    assert state["jackpot"] == "617283"
    assert state["others"] == ["617283", "617283"]
    assert "98765" not in json.dumps(table.view(who))


def test_a_meter_in_words_does_not_tell_the_reserve_either() -> None:
    for told in (str, repr, "{}".format):
        assert "98765" not in told(meter(RESET, 98765))


# Prizes.


def test_a_share_of_the_meter_is_rounded_down_and_the_rest_stays_in_it() -> None:
    won, after = pay_prizes(meter("10009/10"), [Prize("1", TENTH)], RESET, split=False)

    assert won == {"1": 100}  # a tenth of the 1000 cents shown
    assert after.amount == Fraction(10_009, 10) - 100


def test_a_share_is_of_what_is_shown_and_not_of_a_part_of_a_cent() -> None:
    won, after = pay_prizes(meter("19/10"), [Prize("1", Fraction(2, 3))], RESET, split=False)

    assert won == {"1": 0}
    assert after == meter("19/10")


def test_each_share_is_of_what_the_meter_shows_by_then() -> None:
    prizes = [Prize("5", TENTH), Prize("2", TENTH)]
    won, after = pay_prizes(meter(1000), prizes, RESET, split=True)

    assert won == {"5": 100, "2": 90}
    assert after.amount == 810


def test_a_fixed_prize_leaves_the_meter_as_it_is() -> None:
    won, after = pay_prizes(meter(RESET, 7), [Prize("1", fixed=50_000)], RESET, split=False)

    assert won == {"1": 50_000}
    assert after == meter(RESET, 7)


def test_whoever_wins_the_whole_meter_gets_what_it_shows_and_it_starts_again() -> None:
    won, after = pay_prizes(meter("2000001/2", 300), [Prize("1", WHOLE)], RESET, split=False)

    assert won == {"1": 1_000_000}
    # the reset amount, the reserve on top, and the half cent that could not be paid
    assert after.amount == RESET + 300 + Fraction(1, 2)
    assert after.reserve == 0


def test_of_two_who_hit_it_in_one_round_the_second_gets_what_it_was_reset_to() -> None:
    prizes = [Prize("6", WHOLE), Prize("2", WHOLE)]
    won, after = pay_prizes(meter(5_000_000, 300), prizes, RESET, split=False)

    assert won == {"6": 5_000_000, "2": RESET + 300}
    assert after == meter(RESET)


@pytest.mark.parametrize(
    ("winners", "each", "rest"), [("62", 2_500_000, 1), ("642", 1_666_667, 0), ("6421", 1250000, 1)]
)
def test_where_they_split_all_get_the_same_and_what_cannot_be_divided_stays(
    winners: str, each: int, rest: int
) -> None:
    prizes = [Prize(seat, WHOLE) for seat in winners]
    won, after = pay_prizes(meter(5_000_001, 300), prizes, RESET, split=True)

    assert won == dict.fromkeys(winners, each)
    assert after.amount == RESET + 300 + rest


def test_a_share_paid_before_the_jackpot_comes_out_of_it_and_one_after_it_out_of_the_next() -> None:
    first = [Prize("7", TENTH), Prize("3", WHOLE)]
    last = [Prize("7", WHOLE), Prize("3", TENTH)]

    assert pay_prizes(meter(1000), first, 500, split=False)[0] == {"7": 100, "3": 900}
    assert pay_prizes(meter(1000), last, 500, split=False)[0] == {"7": 1000, "3": 50}


def test_those_who_split_share_what_is_shown_when_the_first_of_them_is_paid() -> None:
    prizes = [Prize("7", TENTH), Prize("5", WHOLE), Prize("3", TENTH), Prize("1", WHOLE)]
    won, after = pay_prizes(meter(1000), prizes, 500, split=True)

    assert won == {"7": 100, "5": 450, "3": 50, "1": 450}
    assert after.amount == 450


def test_where_nobody_wins_nothing_changes() -> None:
    assert pay_prizes(meter(1000, 7), [], RESET, split=True) == ({}, meter(1000, 7))


def prizes() -> st.SearchStrategy[list[Prize]]:
    """Of some of seven seats, in the order of settlement."""
    share = st.sampled_from([WHOLE, TENTH, Fraction(1, 3), Fraction(1, 2)])
    one: st.SearchStrategy[dict[str, Any]] = st.one_of(
        share.map(lambda found: {"share": found}),
        st.integers(1, 500_000).map(lambda cents: {"fixed": cents}),
    )
    return st.lists(st.tuples(st.sampled_from("7654321"), one), unique_by=lambda each: each[0]).map(
        lambda found: [Prize(seat, **what) for seat, what in found]
    )


amounts = st.fractions(0, 10_000_000, max_denominator=1000)


@given(amounts, amounts, prizes(), st.integers(0, RESET), st.booleans())
def test_no_cent_is_made_or_lost(
    amount: Fraction, reserve: Fraction, won: Sequence[Prize], reset: int, split: bool
) -> None:
    """What the meter had and what it was reset with is what was paid from it and what it has."""
    start = Meter(amount, reserve)
    paid, after = pay_prizes(start, won, reset, split=split)
    jackpots = sum(prize.share == WHOLE for prize in won)
    resets = min(jackpots, 1) if split else jackpots
    from_meter = sum(paid[prize.seat] for prize in won if not prize.fixed)

    assert held(start) + resets * reset == from_meter + held(after)


@given(amounts, amounts, prizes(), st.integers(0, RESET), st.booleans())
def test_every_prize_is_whole_cents_and_no_more_than_the_meter_shows(
    amount: Fraction, reserve: Fraction, won: Sequence[Prize], reset: int, split: bool
) -> None:
    start = Meter(amount, reserve)
    paid, after = pay_prizes(start, won, reset, split=split)

    assert list(paid) == [prize.seat for prize in won]
    most = floor(max(start.amount, reset + held(start)))
    for prize in won:
        assert type(paid[prize.seat]) is int
        assert paid[prize.seat] == prize.fixed or 0 <= paid[prize.seat] <= most
    assert after.amount >= 0
    assert after.reserve >= 0


@given(amounts, prizes(), st.integers(0, RESET))
def test_those_who_split_never_get_together_more_than_one_would_alone(
    amount: Fraction, won: Sequence[Prize], reset: int
) -> None:
    jackpots = [prize for prize in won if prize.share == WHOLE]
    paid, _ = pay_prizes(Meter(amount), jackpots, reset, split=True)

    assert 0 <= floor(amount) * bool(jackpots) - sum(paid.values()) < max(1, len(jackpots))


# How long the odds may be.


@pytest.mark.cites("13:69D-1.52(e)4")
@pytest.mark.parametrize(
    "chance",
    [
        Fraction(4, comb(52, 5)),  # a royal flush: 649,739 to 1
        Fraction(1, 100_000_001),  # 100,000,000 to 1, and no longer
        Fraction(1),
    ],
)
def test_a_top_award_that_can_be_won_in_100_000_000_to_1_is_lawful(chance: Fraction) -> None:
    assert too_long(chance) is None


@pytest.mark.cites("13:69D-1.52(e)4")
@pytest.mark.parametrize(
    ("chance", "words"),
    [
        (Fraction(1, 100_000_002), "it is 100,000,001 to 1"),
        (Fraction(1, 3_000_000_001), "it is 3,000,000,000 to 1"),
        (Fraction(0), "nobody could win it"),
    ],
)
def test_longer_odds_are_not_and_the_reason_cites_the_rule(chance: Fraction, words: str) -> None:
    found = too_long(chance)

    assert found is not None
    message, cite = found
    assert "may not exceed 100,000,000 to 1" in message
    assert message.endswith(words)
    assert str(cite) == "13:69D-1.52(e)4"
    assert cite.is_law
