"""Craps: what each wager is, what decides it, and what it pays."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.games import find_game
from croupier.rulebook import Fault, Table, Unlawful
from tests.support import Told, deal, refused, throw_by_throw

POINTS = (4, 5, 6, 8, 9, 10)
TOTALS = range(2, 13)
EASY = {2: [1, 1], 3: [1, 2], 4: [1, 3], 5: [2, 3], 6: [2, 4], 7: [3, 4], 8: [2, 6], 9: [4, 5],
        10: [4, 6], 11: [5, 6], 12: [6, 6]}  # fmt: skip
NET = {"win": 1000, "lose": -1000, "void": 0, "standing": 0}

Totals = tuple[int, ...]
Round = tuple[list[int], dict[str, int]]
throws = st.lists(st.lists(st.integers(1, 6), min_size=2, max_size=2), min_size=1, max_size=12)


def thrown(*totals: int) -> list[list[int]]:
    return [EASY[total] for total in totals]


def with_the_point_on(wager: str, stake: int, throw: Sequence[int], point: int) -> tuple[str, int]:
    """How a wager made with this point on comes out of the next throw."""
    return throw_by_throw("craps", (EASY[point], {}), (throw, {wager: stake})).result(wager)


def another(number: int) -> int:
    """A point that is not this number."""
    return 8 if number == 6 else 6


# 1.1 Definitions.


@pytest.mark.cites("1.1")
@pytest.mark.parametrize("total", TOTALS)
def test_only_4_5_6_8_9_and_10_thrown_on_the_come_out_roll_become_the_come_out_point(
    total: int,
) -> None:
    said = deal("craps", [EASY[total]], {"pass": 1000}).said()
    assert (f"The point is {total}" in said) == (total in POINTS)


@pytest.mark.cites("1.1")
@pytest.mark.parametrize(
    "before",
    [(), (7,), (11,), (2,), (3,), (12,), (6, 6), (6, 8, 6), (6, 7), (5, 5, 9, 9)],
)
def test_the_come_out_roll_is_the_first_of_the_game_and_the_first_after_a_decision(
    before: Totals,
) -> None:
    """Given these totals, when a pass wager is made then, a 7 wins as on any come out roll."""
    told = throw_by_throw(
        "craps", *((EASY[total], {}) for total in before), (EASY[7], {"pass": 1000})
    )
    assert told.result("pass") == ("win", 1000)


@pytest.mark.cites("1.1")
def test_the_total_thrown_next_after_a_come_wager_becomes_its_come_point() -> None:
    told = throw_by_throw("craps", (EASY[4], {}), (EASY[9], {"come": 1000}))
    (event,) = told.events("travel")
    assert (event["wager"], event["to"]) == ("come", "come:9")


# 1.2(a)1 to 4: line and come wagers.

RIGHT: list[tuple[Totals, str]] = [
    *(((total,), "win") for total in (7, 11)),
    *(((total,), "lose") for total in (2, 3, 12)),
    *(((point,), "standing") for point in POINTS),
    *(((point, point), "win") for point in POINTS),
    *(((point, 7), "lose") for point in POINTS),
    ((6, 2, 3, 12, 11, 4, 5, 8, 9, 10, 6), "win"),
    ((10, 2, 3, 12, 11, 4, 5, 6, 8, 9, 7), "lose"),
]
WRONG: list[tuple[Totals, str]] = [
    *(((total,), "win") for total in (2, 3)),
    *(((total,), "lose") for total in (7, 11)),
    ((12,), "void"),
    *(((point,), "standing") for point in POINTS),
    *(((point, 7), "win") for point in POINTS),
    *(((point, point), "lose") for point in POINTS),
    ((6, 2, 3, 12, 11, 4, 5, 8, 9, 10, 7), "win"),
    ((10, 2, 3, 12, 11, 4, 5, 6, 8, 9, 10), "lose"),
]


@pytest.mark.cites("1.2(a)1", "1.4", "1.10")
@pytest.mark.parametrize(("totals", "result"), RIGHT)
def test_pass_wins_1_to_1_on_7_or_11_or_a_point_repeated_before_a_7(
    totals: Totals, result: str
) -> None:
    told = deal("craps", thrown(*totals), {"pass": 1000})
    assert told.result("pass") == (result, NET[result])


@pytest.mark.cites("1.2(a)2", "1.4", "1.10")
@pytest.mark.parametrize(("totals", "result"), WRONG)
def test_dont_pass_wins_1_to_1_on_2_or_3_or_a_7_before_the_point_and_is_void_on_12(
    totals: Totals, result: str
) -> None:
    told = deal("craps", thrown(*totals), {"dont_pass": 1000})
    assert told.result("dont_pass") == (result, NET[result])


@pytest.mark.cites("1.2(a)2")
def test_a_void_dont_pass_wager_is_returned() -> None:
    """Given a don't pass wager, when the come out roll is 12, then it goes back to the player."""
    told = deal("craps", thrown(12), {"dont_pass": 1000})
    (event,) = told.events("return")
    assert (event["wager"], told.net()) == ("dont_pass", 0)


def made_after_a_point(wager: str, totals: Totals, point: int = 4) -> Told:
    first, *rest = totals
    return throw_by_throw(
        "craps",
        (EASY[point], {}),
        (EASY[first], {wager: 1000}),
        *((EASY[total], {}) for total in rest),
    )


def come_label(wager: str, totals: Totals) -> str:
    """A come wager that is not decided at once is told by its come point."""
    return wager if len(totals) == 1 else f"{wager}:{totals[0]}"


@pytest.mark.cites("1.2(a)3", "1.4")
@pytest.mark.parametrize("point", [4, 6])
@pytest.mark.parametrize(("totals", "result"), RIGHT)
def test_come_runs_the_cycle_of_pass_from_the_roll_after_it_is_made(
    totals: Totals, result: str, point: int
) -> None:
    told = made_after_a_point("come", totals, point)
    assert told.result(come_label("come", totals)) == (result, NET[result])


@pytest.mark.cites("1.2(a)4", "1.4")
@pytest.mark.parametrize("point", [4, 6])
@pytest.mark.parametrize(("totals", "result"), WRONG)
def test_dont_come_runs_the_cycle_of_dont_pass_from_the_roll_after_it_is_made(
    totals: Totals, result: str, point: int
) -> None:
    told = made_after_a_point("dont_come", totals, point)
    assert told.result(come_label("dont_come", totals)) == (result, NET[result])


@pytest.mark.cites("1.2(a)1", "1.2(a)2")
@given(throws)
def test_dont_pass_is_the_reverse_of_pass_but_for_a_12_on_the_come_out_roll(
    draws: list[list[int]],
) -> None:
    both = {"pass": 1000, "dont_pass": 1000}
    assert deal("craps", draws, both).net() == (-1000 if sum(draws[0]) == 12 else 0)


@pytest.mark.cites("1.2(a)3", "1.2(a)4")
@pytest.mark.parametrize(("coming", "on_the_line"), [("come", "pass"), ("dont_come", "dont_pass")])
@given(draws=throws)
def test_a_come_wager_wins_and_loses_as_a_line_wager_would_on_the_same_rolls(
    draws: list[list[int]], coming: str, on_the_line: str
) -> None:
    first, *rest = draws
    come = throw_by_throw(
        "craps", (EASY[4], {}), (first, {coming: 1000}), *((throw, {}) for throw in rest)
    )
    assert come.net() == deal("craps", draws, {on_the_line: 1000}).net()


@pytest.mark.cites("1.2(a)3")
def test_a_come_wager_stays_on_its_come_point_through_a_new_come_out_roll_and_is_active() -> None:
    """Given point 4 and come on 9, when 4 is made, then a come out 9 wins the come wager."""
    told = throw_by_throw(
        "craps",
        (EASY[4], {"pass": 1000}),
        (EASY[9], {"come": 1000}),
        (EASY[4], {}),
        (EASY[9], {"pass": 1000}),
    )
    assert told.result("come:9", round=2) == ("standing", 0)
    assert told.result("come:9") == ("win", 1000)
    assert told.result("pass") == ("standing", 0)


@pytest.mark.cites("1.2(a)3", "1.2(a)4")
def test_a_come_out_7_loses_come_wagers_on_their_points_and_wins_dont_come_wagers() -> None:
    told = throw_by_throw(
        "craps",
        (EASY[4], {}),
        (EASY[9], {"come": 1000, "dont_come": 1000}),
        (EASY[4], {}),
        (EASY[7], {"pass": 1000}),
    )
    assert told.result("come:9") == ("lose", -1000)
    assert told.result("dont_come:9") == ("win", 1000)
    assert told.result("pass") == ("win", 1000)


@pytest.mark.cites("1.2(a)3")
def test_two_come_wagers_stand_on_two_come_points_at_once() -> None:
    """Given come wagers on 5 and 9, when 9 comes and then a 7, then one wins and one loses."""
    told = throw_by_throw(
        "craps",
        (EASY[4], {}),
        (EASY[5], {"come": 1000}),
        (EASY[9], {"come": 2000}),
        (EASY[9], {}),
        (EASY[7], {}),
    )
    assert told.result("come:9", round=3) == ("win", 2000)
    assert told.result("come:5", round=3) == ("standing", 0)
    assert told.result("come:5") == ("lose", -1000)


@pytest.mark.cites("1.2(a)3")
def test_a_new_come_wager_travels_to_the_number_that_the_old_one_has_just_won() -> None:
    told = throw_by_throw(
        "craps",
        (EASY[4], {}),
        (EASY[5], {"come": 1000}),
        (EASY[5], {"come": 2000}),
        (EASY[5], {}),
    )
    assert told.result("come:5", round=2) == ("win", 1000)
    assert told.result("come", round=2) == ("standing", 0)
    assert told.result("come:5") == ("win", 2000)


@pytest.mark.cites("1.2(a)4")
def test_a_new_dont_come_wager_travels_to_the_number_that_the_old_one_has_just_lost() -> None:
    told = throw_by_throw(
        "craps",
        (EASY[4], {}),
        (EASY[5], {"dont_come": 1000}),
        (EASY[5], {"dont_come": 2000}),
        (EASY[7], {}),
    )
    assert told.result("dont_come:5", round=2) == ("lose", -1000)
    assert told.result("dont_come:5") == ("win", 2000)


# 1.2(a)5 and 6, 1.5: a number against the 7.

PLACE_TO_WIN = {4: (500, 900), 5: (500, 700), 6: (600, 700), 8: (600, 700), 9: (500, 700),
                10: (500, 900)}  # fmt: skip
PLACE_TO_LOSE = {4: (1100, 500), 5: (800, 500), 6: (500, 400), 8: (500, 400), 9: (800, 500),
                 10: (1100, 500)}  # fmt: skip
BUY = {4: (500, 1000), 5: (600, 900), 6: (500, 600), 8: (500, 600), 9: (600, 900),
       10: (500, 1000)}  # fmt: skip
LAY = {4: (1000, 500), 5: (900, 600), 6: (600, 500), 8: (600, 500), 9: (900, 600),
       10: (1000, 500)}  # fmt: skip


def decided(wager: str, number: int, total: int, terms: tuple[int, int], wins_on: int) -> None:
    """One throw with a point on: the number and the 7 decide the wager, all else leaves it."""
    stake, winnings = terms
    result = with_the_point_on(wager, stake, EASY[total], another(number))
    if total == wins_on:
        assert result == ("win", winnings)
    elif total in (number, 7):
        assert result == ("lose", -stake)
    else:
        assert result == ("standing", 0)


@pytest.mark.cites("1.2(a)5", "1.4")
@pytest.mark.parametrize("total", TOTALS)
@pytest.mark.parametrize("number", POINTS)
def test_a_place_bet_to_win_wins_if_its_number_comes_before_a_7(number: int, total: int) -> None:
    """4 and 10 pay 9 to 5, 5 and 9 pay 7 to 5, 6 and 8 pay 7 to 6."""
    decided(f"place_win_{number}", number, total, PLACE_TO_WIN[number], wins_on=number)


@pytest.mark.cites("1.2(a)6", "1.4")
@pytest.mark.parametrize("total", TOTALS)
@pytest.mark.parametrize("number", POINTS)
def test_a_place_bet_to_lose_wins_if_a_7_comes_before_its_number(number: int, total: int) -> None:
    """4 and 10 pay 5 to 11, 5 and 9 pay 5 to 8, 6 and 8 pay 4 to 5."""
    decided(f"place_lose_{number}", number, total, PLACE_TO_LOSE[number], wins_on=7)


@pytest.mark.cites("1.5")
@pytest.mark.parametrize("total", TOTALS)
@pytest.mark.parametrize("number", POINTS)
def test_a_buy_bet_wins_true_odds_without_vigorish_before_a_7(number: int, total: int) -> None:
    """4 and 10 pay 2 to 1, 5 and 9 pay 3 to 2, 6 and 8 pay 6 to 5."""
    decided(f"buy_{number}", number, total, BUY[number], wins_on=number)


@pytest.mark.cites("1.5")
@pytest.mark.parametrize("total", TOTALS)
@pytest.mark.parametrize("number", POINTS)
def test_a_lay_bet_wins_true_odds_without_vigorish_if_a_7_is_first(number: int, total: int) -> None:
    """4 and 10 pay 1 to 2, 5 and 9 pay 2 to 3, 6 and 8 pay 5 to 6."""
    decided(f"lay_{number}", number, total, LAY[number], wins_on=7)


@pytest.mark.cites("1.5")
@pytest.mark.parametrize("number", POINTS)
@pytest.mark.parametrize("name", ["buy", "lay"])
def test_the_licensee_may_leave_true_odds_on_place_bets_out(name: str, number: int) -> None:
    table = Table(find_game("craps"), {"true_odds_place_bets": "not_offered"})
    refusal = table.refusal("1", f"{name}_{number}", 3000)
    assert refusal is not None
    assert refusal.fault is Fault.NOT_OFFERED
    assert str(refusal.cite) == "19:47-1.5"


# 1.2(a)7 to 10: the hard ways.

HARD = {4: 7, 6: 9, 8: 9, 10: 7}


@pytest.mark.cites("1.2(a)7", "1.2(a)8", "1.2(a)9", "1.2(a)10", "1.4")
@pytest.mark.parametrize(("number", "odds"), HARD.items())
def test_a_hardway_wins_when_its_pair_is_thrown(number: int, odds: int) -> None:
    """Hard 4 and hard 10 pay 7 to 1, hard 6 and hard 8 pay 9 to 1."""
    pair = [number // 2, number // 2]
    assert with_the_point_on(f"hard_{number}", 500, pair, 5) == ("win", 500 * odds)


@pytest.mark.cites("1.2(a)7", "1.2(a)8", "1.2(a)9", "1.2(a)10")
@pytest.mark.parametrize(
    ("number", "throw"),
    [
        (4, [1, 3]), (4, [3, 1]), (6, [1, 5]), (6, [2, 4]), (6, [5, 1]), (8, [2, 6]), (8, [5, 3]),
        (10, [4, 6]), (10, [6, 4]), *((number, [3, 4]) for number in HARD),
    ],
)  # fmt: skip
def test_a_hardway_loses_if_its_number_comes_in_any_other_way_or_a_7_comes(
    number: int, throw: list[int]
) -> None:
    assert with_the_point_on(f"hard_{number}", 500, throw, 5) == ("lose", -500)


@pytest.mark.cites("1.2(a)7", "1.2(a)8", "1.2(a)9", "1.2(a)10")
@pytest.mark.parametrize("number", HARD)
def test_a_hardway_stands_on_every_other_total_and_every_other_pair(number: int) -> None:
    others = [throw for total, throw in EASY.items() if total not in (number, 7)]
    others += [[other // 2, other // 2] for other in HARD if other != number]
    results = {with_the_point_on(f"hard_{number}", 500, throw, 5) for throw in others}
    assert results == {("standing", 0)}


# 1.2(a)11 to 19: wagers that one roll decides.

ONE_ROLL: list[tuple[str, int, dict[int, int]]] = [
    ("field", 500, {2: 1000, 3: 500, 4: 500, 9: 500, 10: 500, 11: 500, 12: 1000}),
    ("any_seven", 500, {7: 2000}),
    ("any_craps", 500, {2: 3500, 3: 3500, 12: 3500}),
    ("craps_two", 500, {2: 15000}),
    ("craps_three", 500, {3: 7500}),
    ("craps_twelve", 500, {12: 15000}),
    ("eleven", 500, {11: 7500}),
    ("craps_eleven", 500, {2: 1500, 3: 1500, 12: 1500, 11: 3500}),
    ("horn", 800, {2: 5400, 12: 5400, 3: 2400, 11: 2400}),
    ("horn_high_2", 500, {2: 5700, 12: 2600, 3: 1100, 11: 1100}),
    ("horn_high_12", 500, {12: 5700, 2: 2600, 3: 1100, 11: 1100}),
    ("horn_high_3", 500, {3: 2700, 11: 1100, 2: 2600, 12: 2600}),
    ("horn_high_11", 500, {11: 2700, 3: 1100, 2: 2600, 12: 2600}),
]


@pytest.mark.cites("1.2(a)11", "1.2(a)12", "1.2(a)13", "1.2(a)14", "1.2(a)15", "1.2(a)16",
                   "1.2(a)17", "1.2(a)18", "1.2(a)19", "1.4", "1.4(d)")  # fmt: skip
@pytest.mark.parametrize("point", [None, 5])
@pytest.mark.parametrize("total", TOTALS)
@pytest.mark.parametrize(("wager", "stake", "winnings"), ONE_ROLL)
def test_a_one_roll_wager_is_decided_by_the_next_roll_whether_or_not_a_point_is_on(
    wager: str, stake: int, winnings: dict[int, int], total: int, point: int | None
) -> None:
    if point is None:
        result = deal("craps", [EASY[total]], {wager: stake}).result(wager)
    else:
        result = with_the_point_on(wager, stake, EASY[total], point)
    won = winnings.get(total)
    assert result == (("lose", -stake) if won is None else ("win", won))


PARTS: list[tuple[str, dict[str, int]]] = [
    ("craps_eleven", {"any_craps": 1, "eleven": 1}),
    ("horn", {"craps_two": 1, "craps_three": 1, "eleven": 1, "craps_twelve": 1}),
    ("horn_high_2", {"craps_two": 2, "craps_three": 1, "eleven": 1, "craps_twelve": 1}),
    ("horn_high_3", {"craps_two": 1, "craps_three": 2, "eleven": 1, "craps_twelve": 1}),
    ("horn_high_11", {"craps_two": 1, "craps_three": 1, "eleven": 2, "craps_twelve": 1}),
    ("horn_high_12", {"craps_two": 1, "craps_three": 1, "eleven": 1, "craps_twelve": 2}),
]


@pytest.mark.cites("1.2(a)18", "1.2(a)19", "1.4(d)")
@pytest.mark.parametrize("total", TOTALS)
@pytest.mark.parametrize(("whole", "parts"), PARTS)
def test_a_wager_in_equal_parts_wins_what_its_parts_would_win_apart(
    whole: str, parts: dict[str, int], total: int
) -> None:
    apart = {wager: 500 * part for wager, part in parts.items()}
    together = deal("craps", [EASY[total]], {whole: sum(apart.values())})
    assert together.net() == deal("craps", [EASY[total]], apart).net()


@pytest.mark.cites("1.2(a)19")
def test_horn_high_wagers_are_the_licensees_to_offer() -> None:
    refusal = refused("craps", thrown(2), {"horn_high_2": 500}, options={"horn_high_offered": "no"})
    assert refusal.fault is Fault.NOT_OFFERED
    assert refusal.message == "Horn high 2 (horn_high_2) is not offered at this table"
    kept = deal("craps", thrown(2), {"horn": 800}, options={"horn_high_offered": "no"})
    assert kept.net() == 5400


@pytest.mark.cites("1.2(a)11", "1.4")
@pytest.mark.parametrize(
    ("offered", "on_two", "on_twelve"),
    [("2_to_1", 2, 2), ("3_to_1_on_2", 3, 2), ("3_to_1_on_12", 2, 3), ("3_to_1", 3, 3)],
)
def test_the_licensee_may_pay_the_field_more_on_2_and_on_12(
    offered: str, on_two: int, on_twelve: int
) -> None:
    paid = {
        total: deal("craps", thrown(total), {"field": 500}, options={"field_2_12": offered}).net()
        for total in TOTALS
    }
    even = dict.fromkeys((3, 4, 9, 10, 11), 500)
    lost = dict.fromkeys((5, 6, 7, 8), -500)
    assert paid == {2: 500 * on_two, 12: 500 * on_twelve, **even, **lost}


# 1.6: odds behind line and come wagers.

TAKEN = {4: 2000, 5: 1500, 6: 1200, 8: 1200, 9: 1500, 10: 2000}  # won by $10
LAID = {4: 600, 5: 800, 6: 1000, 8: 1000, 9: 800, 10: 600}  # won by $12


@pytest.mark.cites("1.6", "1.4")
@pytest.mark.parametrize("point", POINTS)
def test_odds_taken_behind_pass_win_true_odds_with_it_and_lose_with_it(point: int) -> None:
    """Taking odds: 2 to 1 on 4 and 10, 3 to 2 on 5 and 9, 6 to 5 on 6 and 8."""
    set_up = (EASY[point], {"pass": 1000})
    won = throw_by_throw("craps", set_up, (EASY[point], {"pass_odds": 1000}))
    assert won.result("pass_odds") == ("win", TAKEN[point])
    assert won.net() == 1000 + TAKEN[point]
    lost = throw_by_throw("craps", set_up, (EASY[7], {"pass_odds": 1000}))
    assert lost.result("pass_odds") == ("lose", -1000)


@pytest.mark.cites("1.6", "1.4")
@pytest.mark.parametrize("point", POINTS)
def test_odds_laid_behind_dont_pass_win_true_odds_with_it_and_lose_with_it(point: int) -> None:
    """Laying odds: 1 to 2 on 4 and 10, 2 to 3 on 5 and 9, 5 to 6 on 6 and 8."""
    set_up = (EASY[point], {"dont_pass": 1000})
    won = throw_by_throw("craps", set_up, (EASY[7], {"dont_pass_odds": 1200}))
    assert won.result("dont_pass_odds") == ("win", LAID[point])
    assert won.net() == 1000 + LAID[point]
    lost = throw_by_throw("craps", set_up, (EASY[point], {"dont_pass_odds": 1200}))
    assert lost.result("dont_pass_odds") == ("lose", -1200)


@pytest.mark.cites("1.6", "1.4")
@pytest.mark.parametrize("number", POINTS)
def test_odds_taken_behind_come_follow_its_come_point_not_the_come_out_point(number: int) -> None:
    point = another(number)
    set_up: list[Round] = [(EASY[point], {}), (EASY[number], {"come": 1000})]
    behind = {"come_odds": 1000}
    won = throw_by_throw("craps", *set_up, (EASY[number], behind))
    assert won.result(f"come_odds:{number}") == ("win", TAKEN[number])
    lost = throw_by_throw("craps", *set_up, (EASY[7], behind))
    assert lost.result(f"come_odds:{number}") == ("lose", -1000)
    stood = throw_by_throw("craps", *set_up, (EASY[point], behind))
    assert stood.result(f"come_odds:{number}") == ("standing", 0)


@pytest.mark.cites("1.6", "1.4")
@pytest.mark.parametrize("number", POINTS)
def test_odds_laid_behind_dont_come_follow_its_come_point(number: int) -> None:
    point = another(number)
    set_up: list[Round] = [(EASY[point], {}), (EASY[number], {"dont_come": 1000})]
    behind = {"dont_come_odds": 1200}
    won = throw_by_throw("craps", *set_up, (EASY[7], behind))
    assert won.result(f"dont_come_odds:{number}") == ("win", LAID[number])
    lost = throw_by_throw("craps", *set_up, (EASY[number], behind))
    assert lost.result(f"dont_come_odds:{number}") == ("lose", -1200)
    stood = throw_by_throw("craps", *set_up, (EASY[point], behind))
    assert stood.result(f"dont_come_odds:{number}") == ("standing", 0)


@pytest.mark.cites("1.6")
def test_odds_behind_two_come_wagers_are_told_apart_by_the_come_point() -> None:
    told = throw_by_throw(
        "craps",
        (EASY[4], {}),
        (EASY[5], {"come": 1000}),
        (EASY[6], {"come": 1000}),
        (EASY[5], {"come_odds:5": 1000, "come_odds:6": 2000}),
        (EASY[7], {}),
    )
    assert told.result("come_odds:5", round=3) == ("win", 1500)
    assert told.result("come_odds:6", round=3) == ("standing", 0)
    assert told.result("come_odds:6") == ("lose", -2000)


@pytest.mark.cites("1.6")
def test_odds_on_a_number_just_won_do_not_pass_to_the_come_wager_that_travels_there() -> None:
    """Given come and odds on 5, when 5 comes, then both are paid and the new come stands alone."""
    told = throw_by_throw(
        "craps",
        (EASY[4], {}),
        (EASY[5], {"come": 1000}),
        (EASY[5], {"come": 1000, "come_odds:5": 1000}),
        (EASY[5], {}),
    )
    assert told.result("come_odds:5", round=2) == ("win", 1500)
    assert [settled["wager"] for settled in told.rounds[-1]["settlements"]] == ["come:5"]
    assert told.net() == 1000 + 1500 + 1000


# 1.12: what the fire bet pays.

FIRE = {"A": {4: 24, 5: 249, 6: 999}, "B": {4: 10, 5: 200, 6: 2000}}


def fire(
    *made: int, table: str = "A", between: Totals = (), end: Totals = (4, 7)
) -> tuple[str, int]:
    """A $1 fire bet on a shooter who makes these points and then sevens out."""
    totals = [total for point in made for total in (*between, point, point)]
    options = {"fire_bet_offered": True, "fire_bet_table": table}
    told = deal("craps", thrown(*totals, *end), {"fire_bet": 100}, options=options)
    (settled,) = told.rounds[-1]["settlements"]
    return settled["result"], settled["net"]


@pytest.mark.cites("1.12")
@pytest.mark.parametrize("made", [(), (4,), (4, 5), (4, 5, 6), (10, 8, 9)])
def test_a_fire_bet_loses_if_the_shooter_makes_fewer_than_four_different_points(
    made: Totals,
) -> None:
    assert fire(*made) == ("lose", -100)


@pytest.mark.cites("1.12")
@pytest.mark.parametrize("made", [(4, 5, 6, 8), (10, 9, 6, 4), (4, 5, 6, 8, 9), (10, 9, 8, 6, 5)])
@pytest.mark.parametrize("table", FIRE)
def test_a_fire_bet_is_paid_at_the_seven_out_by_the_different_points_made(
    made: Totals, table: str
) -> None:
    """Four points pay 24 to 1 by table A and 10 to 1 by B; five 249 to 1 and 200 to 1."""
    assert fire(*made, table=table) == ("win", 100 * FIRE[table][len(made)])


@pytest.mark.cites("1.12")
@pytest.mark.parametrize("table", FIRE)
def test_the_sixth_point_of_a_fire_bet_is_paid_at_once(table: str) -> None:
    """999 to 1 by table A, 2,000 to 1 by table B, with no seven-out to wait for."""
    assert fire(8, 4, 10, 6, 9, 5, table=table, end=()) == ("win", 100 * FIRE[table][6])


@pytest.mark.cites("1.12")
def test_a_point_made_again_adds_nothing_to_a_fire_bet() -> None:
    assert fire(4, 4, 5, 5, 6, 6, 4, 5) == ("lose", -100)
    assert fire(4, 4, 5, 6, 4, 8, 8) == ("win", 2400)


@pytest.mark.cites("1.12")
def test_come_out_rolls_that_set_no_point_neither_add_to_a_fire_bet_nor_end_it() -> None:
    assert fire(4, 5, 6, between=(2, 3, 7, 11, 12)) == ("lose", -100)
    assert fire(4, 5, 6, 8, between=(2, 3, 7, 11, 12)) == ("win", 2400)


@pytest.mark.cites("1.12")
def test_numbers_that_come_while_another_point_is_on_do_not_count_for_a_fire_bet() -> None:
    """Given points 4, 5 and 6 made, when 8 comes twice on the way to 9, then 8 is not made."""
    assert fire(4, 5, 6, end=(9, 8, 8, 7)) == ("lose", -100)


@pytest.mark.cites("1.12")
def test_a_fire_bet_stands_while_the_shooter_goes_on() -> None:
    assert fire(4, 5, 6, 8, end=(9,)) == ("standing", 0)


# What is offered, and what the licensee chooses.

SHEET = {
    "pass", "dont_pass", "come", "dont_come", "pass_odds", "dont_pass_odds", "come_odds",
    "dont_come_odds", "hard_4", "hard_6", "hard_8", "hard_10", "field", "any_seven", "any_craps",
    "craps_two", "craps_three", "craps_twelve", "eleven", "craps_eleven", "horn", "horn_high_2",
    "horn_high_3", "horn_high_11", "horn_high_12", "fire_bet",
    *(f"{name}_{n}" for name in ("place_win", "place_lose", "buy", "lay") for n in POINTS),
}  # fmt: skip


@pytest.mark.cites("1.2(a)")
def test_these_are_the_permissible_wagers() -> None:
    game = find_game("craps")
    assert set(game.by_id) == SHEET
    assert {wager.id for wager in game.offered(game.options())} == SHEET - {"fire_bet"}


@pytest.mark.cites("1.2(a)")
@pytest.mark.parametrize(
    "wager", ["big_6", "big_8", "hop", "world", "whirl", "put", "all", "small", "tall", "horn_high"]
)
def test_a_wager_that_the_regulation_does_not_list_is_not_accepted(wager: str) -> None:
    refusal = refused("craps", thrown(7), {wager: 1000})
    assert refusal.fault is Fault.UNKNOWN_WAGER
    assert refusal.message == f"craps has no wager {wager!r}"
    assert refusal.cite is not None


@pytest.mark.cites("1.12")
def test_the_fire_bet_is_offered_only_where_the_licensee_says_so() -> None:
    refusal = refused("craps", thrown(7), {"fire_bet": 100})
    assert refusal.fault is Fault.NOT_OFFERED
    assert str(refusal.cite) == "19:47-1.12 (published)"


@pytest.mark.cites("1.5", "1.6", "1.8", "1.12")
def test_a_table_opens_with_the_defaults_of_the_sheet() -> None:
    defaults = {
        "odds_multiple": "3-4-5x",
        "true_odds_place_bets": "offered",
        "fire_bet_offered": False,
        "fire_bet_table": "A",
        "fire_bet_limits": "100-500",
        "horn_high_offered": True,
        "field_2_12": "2_to_1",
        "shooter_line_bet_required": True,
        "table_min": 500,
        "table_max": 500_000,
        "higher_odds": "none",
    }
    shown = find_game("craps").options().as_json()
    assert {name: shown[name] for name in defaults} == defaults


@pytest.mark.cites("1.4")
@pytest.mark.parametrize(
    ("wager", "odds", "total", "net"),
    [
        ({"any_seven": 500}, {"any_seven": "5 to 1"}, 7, 2500),
        ({"field": 500}, {"field.twelve": "4 to 1"}, 12, 2000),
        ({"field": 500}, {"field.twelve": "4 to 1"}, 2, 1000),
        ({"horn": 800}, {"horn.eleven": "7 to 2"}, 11, 2800),
        ({"craps_three": 500}, "craps_three: 16 to 1, eleven: 16 to 1", 3, 8000),
    ],
)
def test_a_licensee_may_pay_more_than_the_least_odds(
    wager: dict[str, int], odds: Any, total: int, net: int
) -> None:
    assert deal("craps", thrown(total), wager, options={"higher_odds": odds}).net() == net


UNLAWFUL: list[tuple[dict[str, Any], str, str, str]] = [
    ({"odds_multiple": "4x"}, "odds_multiple", "19:47-1.6", "must be 1x, 2x"),
    ({"odds_multiple": 3}, "odds_multiple", "19:47-1.6", "not 3"),
    ({"true_odds_place_bets": "with_vigorish"}, "true_odds_place_bets", "19:47-1.5", "offered"),
    ({"fire_bet_offered": "perhaps"}, "fire_bet_offered", "19:47-1.12", "true or false"),
    ({"fire_bet_table": "C"}, "fire_bet_table", "19:47-1.12", "must be A or B"),
    ({"fire_bet_limits": "500-100"}, "fire_bet_limits", "19:47-1.12", "rise"),
    ({"fire_bet_limits": "0-500"}, "fire_bet_limits", "19:47-1.12", "at least"),
    ({"fire_bet_limits": 500}, "fire_bet_limits", "19:47-1.12", "two amounts"),
    ({"horn_high_offered": 2}, "horn_high_offered", "19:47-1.2", "true or false"),
    ({"field_2_12": "1_to_1"}, "field_2_12", "19:47-1.4", "must be 2_to_1"),
    ({"shooter_line_bet_required": None}, "shooter_line_bet_required", "19:47-1.8", "None"),
    ({"table_min": 0}, "table_min", "19:47-8.2", "at least"),
    ({"table_min": 5.5}, "table_min", "19:47-8.2", "whole number"),
    ({"table_min": 1000, "table_max": 500}, "table_max", "19:47-8.2", "is below"),
    ({"higher_odds": {"any_seven": "3 to 1"}}, "higher_odds", "19:47-1.4", "no less than 4 to 1"),
    ({"higher_odds": {"any_seven": "5 for 1"}}, "higher_odds", "19:47-1.4", '"to"'),
    ({"higher_odds": {"big_6": "2 to 1"}}, "higher_odds", "19:47-1.1", "is not a wager"),
    ({"vigorish": "5%"}, "vigorish", "19:47-8.3", "no option vigorish"),
]


@pytest.mark.cites("1.4", "1.5", "1.6", "1.8", "1.12")
@pytest.mark.parametrize(("options", "option", "section", "words"), UNLAWFUL)
def test_a_table_with_unlawful_options_is_not_opened(
    options: dict[str, Any], option: str, section: str, words: str
) -> None:
    refusal = refused("craps", thrown(7), {"pass": 1000}, options=options)
    assert refusal.fault is Fault.UNLAWFUL_TABLE
    (violation,) = find_game("craps").check(options)
    assert violation.option == option
    assert words in violation.message
    assert violation.cite.section == section


def test_everything_unlawful_about_a_table_is_told_at_once() -> None:
    options = {"odds_multiple": "7x", "fire_bet_table": "Z", "higher_odds": {"field": "1 to 2"}}
    refusal = refused("craps", thrown(7), {"pass": 1000}, options=options)
    assert isinstance(refusal, Unlawful)
    assert {violation.option for violation in refusal.violations} == set(options)


# 1.4: odds as they are printed, and where they come from.


@pytest.mark.cites("1.4")
@pytest.mark.parametrize(
    ("wagers", "total", "printed"),
    [
        ({"pass": 500}, 7, "1 to 1"),
        ({"field": 500}, 2, "2 to 1"),
        ({"any_craps": 500}, 3, "7 to 1"),
        ({"craps_eleven": 500}, 11, "7 to 1"),
        ({"horn": 800}, 12, "27 to 4"),
        ({"horn_high_2": 500}, 2, "57 to 5"),
        ({"place_lose_4": 1100}, 7, "5 to 11"),
        ({"lay_6": 600}, 7, "5 to 6"),
    ],
)
def test_odds_are_printed_with_to_never_with_for(
    wagers: Mapping[str, int], total: int, printed: str
) -> None:
    (wager,) = wagers
    assert deal("craps", thrown(total), wagers).settled(wager)["pays"] == printed


@pytest.mark.cites("1.4", "1.4(d)", "1.5")
@pytest.mark.parametrize(
    ("wager", "place", "source"),
    [
        ("pass", "19:47-1.4", "customary"),
        ("field", "19:47-1.4", "customary"),
        ("any_seven", "19:47-1.4", "customary"),
        ("place_win_6", "19:47-1.4", "customary"),
        ("pass_odds", "19:47-1.4", "customary"),
        ("hard_4", "19:47-1.4", "published"),
        ("any_craps", "19:47-1.4", "published"),
        ("eleven", "19:47-1.4", "published"),
        ("craps_eleven", "19:47-1.4(d)", "customary"),
        ("horn", "19:47-1.4(d)", "customary"),
        ("fire_bet", "19:47-1.12", "published"),
        ("buy_4", "19:47-1.5", ""),
        ("lay_4", "19:47-1.5", ""),
    ],
)
def test_odds_that_the_regulation_at_hand_does_not_print_say_where_they_come_from(
    wager: str, place: str, source: str
) -> None:
    """The text of 1.4 and 1.4(d) is not at hand; of 1.5 the heading prescribes true odds."""
    paid_by = find_game("craps").by_id[wager].paid_by
    assert (paid_by.place, paid_by.source) == (place, source)


DEFINED = {
    "pass": 1, "dont_pass": 2, "come": 3, "dont_come": 4, "hard_4": 7, "hard_6": 8, "hard_8": 9,
    "hard_10": 10, "field": 11, "any_seven": 12, "any_craps": 13, "craps_two": 14,
    "craps_three": 15, "craps_twelve": 16, "eleven": 17, "craps_eleven": 18, "horn": 19,
    **{f"place_win_{n}": 5 for n in POINTS}, **{f"place_lose_{n}": 6 for n in POINTS},
}  # fmt: skip


@pytest.mark.cites("1.2(a)")
@pytest.mark.parametrize(("wager", "item"), DEFINED.items())
def test_a_wager_names_the_item_that_defines_it(wager: str, item: int) -> None:
    assert str(find_game("craps").by_id[wager].cite) == f"19:47-1.2(a){item}"
