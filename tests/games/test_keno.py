"""Keno, N.J.A.C. 19:47-15: tickets on eighty numbers, twenty drawn, paid by the licensee's card."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import comb, floor
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.analysis import WagerReport, analyze
from croupier.games import find_game, keno
from croupier.rulebook import Draw, Fault, Play, Refusal, Table, Unlawful
from tests.support import deal, refused, run, section, turned_away

KENO = find_game("keno")
EVERY_DRAW = comb(80, 20)

# The card of the sheet: what is paid FOR one, by spots and catches.
CARD: dict[int, dict[int, int]] = {
    1: {1: 3},
    2: {2: 12},
    3: {2: 1, 3: 42},
    4: {2: 1, 3: 4, 4: 112},
    5: {3: 1, 4: 9, 5: 810},
    6: {3: 1, 4: 4, 5: 88, 6: 1480},
    7: {4: 2, 5: 24, 6: 360, 7: 5000},
    8: {5: 9, 6: 92, 7: 1480, 8: 18000},
    9: {5: 4, 6: 44, 7: 300, 8: 4000, 9: 20000},
    10: {5: 2, 6: 20, 7: 132, 8: 960, 9: 3800, 10: 25000},
    11: {5: 1, 6: 8, 7: 72, 8: 360, 9: 1800, 10: 12000, 11: 28000},
    12: {6: 5, 7: 32, 8: 240, 9: 600, 10: 1480, 11: 8000, 12: 36000},
    13: {6: 1, 7: 16, 8: 80, 9: 720, 10: 4000, 11: 8000, 12: 20000, 13: 40000},
    14: {6: 1, 7: 10, 8: 40, 9: 320, 10: 1000, 11: 3200, 12: 16000, 13: 24000, 14: 50000},
    15: {7: 8, 8: 28, 9: 132, 10: 300, 11: 2600, 12: 8000, 13: 20000, 14: 32000, 15: 50000},
}


def drawing(*caught: int) -> list[int]:
    """Twenty numbers: those caught, and others above 60 that no ticket here marks."""
    return [*caught, *range(61, 81 - len(caught))]


def first(count: int) -> str:
    """The numbers from 1, as a ticket writes them."""
    return "-".join(map(str, range(1, count + 1)))


def straight(spots: int) -> str:
    return f"straight_{spots}:{first(spots)}"


def play(table: Table, drawn: Iterable[int], *reports: str) -> None:
    """One game, with these irregularities reported once all numbers are drawn."""
    game = Play(table)
    for number in drawn:
        game.answer(number)
    for kind in reports:
        game.answer({"irregularity": kind})
    game.answer(None)
    assert game.request is None


def lying(table: Table) -> dict[str, int]:
    return {bet.label: bet.stake for bet in table.bets.values()}


@cache
def report(label: str) -> WagerReport:
    (found,) = analyze(KENO, KENO.options(), [label])
    return found


def chance(spots: int, catch: int) -> Fraction:
    """C(k,c) C(80-k,20-c) / C(80,20), the closed form of the sheet."""
    return Fraction(comb(spots, catch) * comb(80 - spots, 20 - catch), EVERY_DRAW)


def advantage(spots: int, row: Mapping[int, int]) -> Fraction:
    """One less what the row pays, weighed by the chance of each catch."""
    return 1 - sum((chance(spots, catch) * pays for catch, pays in row.items()), Fraction(0))


# Straight tickets.


@pytest.mark.cites("15.2", "15.3", "15.6")
@pytest.mark.parametrize(
    ("spots", "catch"), [(spots, catch) for spots in CARD for catch in range(spots + 1)]
)
def test_a_straight_ticket_is_paid_by_how_many_of_its_spots_are_drawn(
    spots: int, catch: int
) -> None:
    told = deal("keno", drawing(*range(1, catch + 1)), {straight(spots): 100})

    net = 100 * CARD[spots].get(catch, 0) - 100
    result = "win" if net > 0 else "lose" if net < 0 else "push"
    settled = told.settled(straight(spots))
    assert (settled["result"], settled["net"]) == (result, net)
    assert settled["line"] == f"{catch}_of_{spots}"


@pytest.mark.cites("15.6")
def test_pays_are_for_the_stake_which_is_included() -> None:
    """Given one spot at 3 for 1, a winner of ten dollars has thirty in hand, not forty."""
    table = Table(KENO)
    table.bet("1", "straight_1:7", 1000)

    play(table, drawing(7))

    assert table.money == Counter({"1": 2000, "house": -2000})


@pytest.mark.cites("15.6")
@pytest.mark.parametrize(
    ("drawn", "paid"), [((1, 2), 258), ((1,), 50), ((), 0)], ids=["both", "one", "none"]
)
def test_a_part_of_a_cent_is_not_paid(drawn: tuple[int, ...], paid: int) -> None:
    """101 cents at 2.555 for 1 are 258.055, and at 0.5 for 1 they are 50.5."""
    card = {"2": {"1": "0.5", "2": "2.555"}}

    told = deal(
        "keno",
        drawing(*drawn),
        {"straight_2:1-2": 101},
        options={"pay_schedule": card, "max_spots": 2},
    )

    assert told.net() == paid - 101


# Way, combination and king tickets.


@pytest.mark.cites("15.1", "15.2")
@pytest.mark.parametrize(
    ("label", "ways"),
    [
        ("way:1-2-3/4-5-6/7-8-9@6", 3),
        ("way:1-2-3/4-5-6/7-8-9@3", 3),
        ("way:1-2-3/4-5-6/7-8-9@9", 1),
        ("way:1-2/3-4/5-6/7-8@4", 6),
        ("way:1-2/3-4-5/6-7-8@5", 2),
        ("way:1/2/3/4/5/6/7/8/9/10@5", 252),
        ("combination:1-2-3/4-5-6@3+6", 3),
        ("combination:1-2-3/4-5-6/7-8-9@3+6+9", 7),
        ("king:17/1-2-3/4-5@3+4", 3),
        ("king:17/1-2-3/4-5-6@4+6", 3),
        ("king:17/18/1-2@2", 2),
        ("multi_race:5*way:1-2-3/4-5-6/7-8-9@6", 15),
    ],
)
def test_a_ticket_costs_the_least_rate_for_each_of_its_ways(label: str, ways: int) -> None:
    table = Table(KENO)

    too_little = turned_away(table, label, 99 * ways)

    assert too_little.fault is Fault.BELOW_MINIMUM
    if ways > 1:
        uneven = turned_away(table, label, 100 * ways + 1)
        assert uneven.fault is Fault.NOT_PAYABLE
        assert f"it must be a multiple of {ways} cents" in uneven.message
        assert section(uneven) == "19:47-15.3"
    table.bet("1", label, 100 * ways)
    assert lying(table) == {label: 100 * ways}


@pytest.mark.cites("15.2", "15.6")
@pytest.mark.parametrize(
    ("label", "stake", "drawn", "paid"),
    [
        # every two of three groups: 1-6 pays 1480, and two ways of three catches pay 1
        ("way:1-2-3/4-5-6/7-8-9@6", 300, range(1, 7), 1480 + 1 + 1),
        ("way:1-2-3/4-5-6/7-8-9@6", 300, (1, 4, 7), 0),
        ("way:1-2-3/4-5-6/7-8-9@6", 300, range(1, 10), 3 * 1480),
        # the groups of three: 42 and nothing; the way of six: 1
        ("combination:1-2-3/4-5-6@3+6", 300, (1, 2, 3), 42 + 0 + 1),
        ("combination:1-2-3/4-5-6@3+6", 300, (1, 2, 4, 5), 1 + 1 + 4),
        ("combination:1-2-3/4-5-6@3+6", 300, (), 0),
        # ways of three 1-2-3 and 17-4-5, way of four 17-1-2-3
        ("king:17/1-2-3/4-5@3+4", 300, (17,), 0),
        ("king:17/1-2-3/4-5@3+4", 300, (17, 4, 5), 0 + 42 + 0),
        ("king:17/1-2-3/4-5@3+4", 300, (17, 1, 2, 3), 42 + 0 + 112),
    ],
)
def test_each_way_of_a_ticket_is_paid_by_the_card_as_a_straight_ticket_of_its_size(
    label: str, stake: int, drawn: Sequence[int], paid: int
) -> None:
    """Given a dollar on each way, the ticket is paid the sum of its ways."""
    told = deal("keno", drawing(*drawn), {label: stake})

    assert told.net() == 100 * paid - stake


@pytest.mark.cites("15.2")
def test_a_stake_is_shared_equally_by_all_ways() -> None:
    label = "combination:1-2-3/4-5-6@3+6"

    told = deal("keno", drawing(1, 2, 3), {label: 900})

    assert told.net() == 300 * (42 + 0 + 1) - 900


@pytest.mark.cites("15.1", "15.2")
def test_a_condition_may_have_a_rate_of_its_own_in_cents() -> None:
    """Given two ways of two at 100 and a way of four at 50, catching 1-2 pays 1200 and 50."""
    label = "combination:1-2/3-4@2x100+4x50"

    told = deal("keno", drawing(1, 2), {label: 250}, options={"min_rate_per_way": 50})

    assert told.net() == 12 * 100 + 1 * 50 - 250


@pytest.mark.cites("15.3")
@pytest.mark.parametrize(
    ("amount", "fault"),
    [(200, Fault.NOT_PAYABLE), (500, Fault.ABOVE_MAXIMUM), (249, Fault.NOT_PAYABLE)],
)
def test_a_ticket_with_written_rates_takes_the_sum_of_them_and_no_other_stake(
    amount: int, fault: Fault
) -> None:
    table = Table(KENO, {"min_rate_per_way": 50})

    assert turned_away(table, "combination:1-2/3-4@2x100+4x50", amount).fault is fault


@pytest.mark.cites("15.2")
def test_a_king_never_plays_alone() -> None:
    refusal = turned_away(Table(KENO), "king:17/1-2-3@1", 100)

    assert refusal.fault is Fault.UNKNOWN_SPOT
    assert "no groups of it add up to 1 spots" in refusal.message
    alone = deal("keno", drawing(17), {"combination:17/1-2-3@1+4": 200})
    joined = deal("keno", drawing(17), {"king:17/1-2-3@3+4": 200})
    assert (alone.net(), joined.net()) == (100, -200)


@pytest.mark.cites("15.2")
@pytest.mark.parametrize(
    ("label", "why"),
    [
        ("straight_4:1-2-3", "3 numbers are marked and 4 are played"),
        ("straight_2:1-2-3", "3 numbers are marked and 2 are played"),
        ("straight_2:0-1", "'0-1' is not a list of numbers from 1 to 80"),
        ("straight_2:80-81", "'80-81' is not a list of numbers from 1 to 80"),
        ("straight_2:5-5", "a number may be marked only once"),
        ("straight_2:a-b", "'a-b' is not a list of numbers from 1 to 80"),
        ("straight_2:1--2", "'1--2' is not a list of numbers from 1 to 80"),
        ("straight_1", "'' is not a list of numbers from 1 to 80"),
        ("way:1-2/3-4", "it must say how many spots a way has"),
        ("way", "it must say how many spots a way has"),
        ("way:1-2/3-4@", "'' is not a condition such as 6 or 6x100"),
        ("way:1-2/3-4@two", "'two' is not a condition such as 6 or 6x100"),
        ("way:1-2/3-4@2x", "'2x' is not a condition such as 6 or 6x100"),
        ("way:1-2/3-4@2x1.5", "'2x1.5' is not a condition such as 6 or 6x100"),
        ("way:1-2/2-3@2", "a number may stand in one group only"),
        ("way:1-1/2-3@2", "a number may be marked only once"),
        ("way:1-2//3-4@2", "'' is not a list of numbers from 1 to 80"),
        ("way:1-2/3-4@3", "no groups of it add up to 3 spots"),
        ("way:1-2/3-4@2+4", "a way ticket has one condition; this is a combination ticket"),
        ("way:1-2/3-4@16", "the card does not pay ways of 16 spots at this table"),
        ("combination:1-2/3-4@0+2", "the card does not pay ways of 0 spots at this table"),
        ("combination:1-2/3-4@2x100+4", "either every condition has a rate or none has"),
        ("combination:1-2/3-4@2x99", "the least on each way is 100 cents"),
        ("king:1-2/3-4@4", "a king is a group of one number, and this ticket has none"),
        (f"way:{'/'.join(map(str, range(1, 22)))}@2", "a ticket has at most 12 groups"),
        ("multi_race:straight_1:7", "it must begin with the number of games, 1 to 20"),
        ("multi_race:0*straight_1:7", "it must begin with the number of games, 1 to 20"),
        ("multi_race:21*straight_1:7", "it must begin with the number of games, 1 to 20"),
        ("multi_race:two*straight_1:7", "it must begin with the number of games, 1 to 20"),
        ("multi_race:2*straight_16:1", "'straight_16' is not a ticket that this table writes"),
        ("multi_race:2*2*straight_1:7", "is not a ticket that this table writes"),
        ("multi_race:2*multi_race:2*straight_1:7", "'multi_race' is not a ticket"),
        ("multi_race:2*4:1-2-3-4", "'4' is not a ticket that this table writes"),
    ],
)
def test_a_ticket_that_is_not_well_written_is_refused_with_the_reason(label: str, why: str) -> None:
    refusal = turned_away(Table(KENO), label, 10_000)

    assert refusal.fault is Fault.UNKNOWN_SPOT
    assert why in refusal.message
    assert section(refusal) == "19:47-15.2"


@pytest.mark.cites("15.1")
@pytest.mark.parametrize("label", ["banana", "straight_0:1", "straight_21:1", "straight:1-2"])
def test_a_ticket_that_keno_does_not_have_is_refused(label: str) -> None:
    refusal = turned_away(Table(KENO), label, 100)

    assert refusal.fault is Fault.UNKNOWN_WAGER
    assert refusal.message == f"keno has no wager {label.partition(':')[0]!r}"
    assert section(refusal) == "19:47-15.1"


# Tickets for several games.


@pytest.mark.cites("15.2")
def test_each_game_of_a_multi_race_ticket_decides_its_share_and_the_rest_travels() -> None:
    table = Table(KENO)
    table.bet("1", "multi_race:3*straight_1:7", 600)

    standing = []
    for drawn in (drawing(7), drawing(), drawing(7)):
        play(table, drawn)
        (settled,) = table.settlements
        standing.append((settled.stake, settled.net, lying(table)))
        table.open_betting()

    assert standing == [
        (200, 400, {"multi_race:2*straight_1:7": 400}),
        (200, -200, {"multi_race:1*straight_1:7": 200}),
        (200, 400, {}),
    ]
    assert table.money == Counter({"1": 600, "house": -600})


@pytest.mark.cites("15.2")
def test_a_multi_race_ticket_may_be_of_any_kind_of_ticket() -> None:
    label = "multi_race:2*combination:1-2-3/4-5-6@3+6"

    told = deal("keno", drawing(1, 2, 3) + drawing(), {label: 600})

    assert told.net() == (100 * (42 + 1) - 300) - 300


@pytest.mark.cites("15.2")
def test_the_traveling_of_a_ticket_is_written_down() -> None:
    told = deal("keno", drawing() + drawing(), {"multi_race:2*straight_1:7": 200})

    (traveled,) = told.events("travel")
    assert traveled["wager"] == "multi_race:2*straight_1:7"
    assert traveled["to"] == "multi_race:1*straight_1:7"


@pytest.mark.cites("15.2")
def test_the_games_still_to_come_may_be_given_up_before_their_numbers_are_drawn() -> None:
    table = Table(KENO)
    table.bet("1", "multi_race:3*straight_1:7", 300)
    play(table, drawing())
    table.open_betting()

    table.bet("1", "multi_race:2*straight_1:7", 0)

    assert table.money == Counter({"1": -100, "house": 100})


@pytest.mark.cites("15.2")
@pytest.mark.parametrize(("races", "lawful"), [(5, True), (6, False)])
def test_a_ticket_is_for_no_more_games_than_the_licensee_allows(races: int, lawful: bool) -> None:
    refusal = Table(KENO, {"max_races": 5}).refusal(
        "1", f"multi_race:{races}*straight_1:7", 100 * races
    )

    assert (refusal is None) is lawful
    if refusal is not None:
        assert "the number of games, 1 to 5" in refusal.message


@pytest.mark.cites("15.3")
def test_a_ticket_that_has_traveled_takes_only_stakes_that_its_games_can_share() -> None:
    """Given two games of three still to come, an even stake can be shared and an odd one not."""
    table = Table(KENO)
    label = "multi_race:2*straight_1:7"
    table.bet("1", "multi_race:3*straight_1:7", 300)
    play(table, drawing())
    table.open_betting()

    assert table.refusal("1", label, 400) is None
    uneven = table.refusal("1", label, 405)
    assert uneven is not None
    assert uneven.fault is Fault.NOT_PAYABLE


@pytest.mark.cites("15.3")
def test_a_ticket_that_has_traveled_keeps_the_rates_written_on_it() -> None:
    """Given one game of two still to come at 300 cents, no more than 300 cents may lie on it."""
    table = Table(KENO)
    ticket = "combination:1-2/3-4@2x100+4x100"
    table.bet("1", f"multi_race:2*{ticket}", 600)
    play(table, drawing())
    table.open_betting()
    assert lying(table) == {f"multi_race:1*{ticket}": 300}

    assert table.refusal("1", f"multi_race:1*{ticket}", 600) is not None


# What the licensee may choose.


@pytest.mark.cites("15.3")
@pytest.mark.parametrize("least", [1, 250])
def test_the_least_on_each_way_is_the_licensees(least: int) -> None:
    table = Table(KENO, {"min_rate_per_way": least})

    if least > 1:
        refusal = turned_away(table, "straight_1:7", least - 1)
        assert refusal.fault is Fault.BELOW_MINIMUM
        assert "below the least it may be, $2.50" in refusal.message
    table.bet("1", "straight_1:7", least)
    table.bet("1", "way:1-2/3-4@2", 2 * least)


@pytest.mark.cites("15.3")
@pytest.mark.parametrize("amount", [-100, 100.0, "100", True, None])
def test_a_stake_that_is_no_amount_of_cents_is_refused(amount: Any) -> None:
    refusal = turned_away(Table(KENO), "straight_1:7", amount)

    assert refusal.fault is Fault.BAD_AMOUNT
    assert refusal.message == f"{amount!r} is not a stake: stakes are whole cents above zero"


@pytest.mark.cites("15.3")
@pytest.mark.parametrize("as_text", [True, False])
def test_the_licensee_publishes_a_card_of_its_own(as_text: bool) -> None:
    card: Any = {"1": {"1": 3.5}, "2": {"1": "1/2", "2": 11}}
    if as_text:
        card = '{"1": {"1": 3.5}, "2": {"1": "1/2", "2": 11}}'
    options = {"pay_schedule": card, "max_spots": 2}

    told = deal("keno", drawing(1), {"straight_1:1": 100, "straight_2:1-2": 100}, options=options)

    assert told.result("straight_1:1") == ("win", 250)
    assert told.result("straight_2:1-2") == ("lose", -50)
    shown = told.document["options"]["pay_schedule"]
    assert shown == {"1": {"1": "7/2"}, "2": {"1": "1/2", "2": "11"}}


@pytest.mark.cites("15.3")
def test_the_card_of_the_sheet_is_played_unless_another_is_published() -> None:
    options = KENO.options()

    assert options.pay_schedule == CARD
    assert options.as_json()["pay_schedule"] == "illustrative_card"


@pytest.mark.cites("15.3")
@pytest.mark.parametrize(
    ("card", "says"),
    [
        ({"2": {"3": 5}}, "pays for an impossible catch, or less than nothing, on 2"),
        ({"2": {"-1": 5}}, "pays for an impossible catch, or less than nothing, on 2"),
        ({"2": {"2": -5}}, "pays for an impossible catch, or less than nothing, on 2"),
        ({"2": 12}, "must be illustrative_card or a card such as"),
        ({"two": {"2": 12}}, "must be illustrative_card or a card such as"),
        ({"2": {"2": "much"}}, "must be illustrative_card or a card such as"),
        ({"2": {"2": "1/0"}}, "must be illustrative_card or a card such as"),
        ([1, 2], "must be illustrative_card or a card such as"),
        ("nevada card", "must be illustrative_card or a card such as"),
        (None, "must be illustrative_card or a card such as"),
    ],
)
def test_a_card_that_pays_for_the_impossible_is_refused(card: Any, says: str) -> None:
    (violation,) = KENO.check({"pay_schedule": card, "max_spots": 1})

    assert violation.option == "pay_schedule"
    assert says in violation.message
    assert violation.cite.section == "19:47-15.3"


@pytest.mark.cites("15.3")
@pytest.mark.parametrize("row", [{"25": {"22": 1}}, {"90": {"5": 1}}], ids=["22 of 20", "90 of 80"])
def test_a_card_that_pays_more_catches_than_are_drawn_is_refused(
    row: dict[str, dict[str, int]],
) -> None:
    """Twenty numbers of eighty are drawn, so nobody catches 22 or marks 90."""
    card = {"1": {"1": 3}, **row}

    wrong = KENO.check({"pay_schedule": card, "max_spots": 1, "house_advantage_cap": "1/4"})

    assert [violation.option for violation in wrong] == ["pay_schedule"]


@pytest.mark.cites("15.2")
@pytest.mark.parametrize(("spots", "offered"), [(5, True), (6, False)])
def test_no_way_has_more_spots_than_the_licensee_allows(spots: int, offered: bool) -> None:
    table = Table(KENO, {"max_spots": 5})

    wagers = [straight(spots), f"way:{first(spots)}/31-32@{spots}"]
    assert [table.refusal("1", wager, 1000) is None for wager in wagers] == [offered, offered]


@pytest.mark.cites("15.2")
def test_a_multi_race_ticket_has_no_more_spots_than_the_licensee_allows() -> None:
    table = Table(KENO, {"max_spots": 5})

    assert table.refusal("1", f"multi_race:2*{straight(5)}", 1000) is None
    assert table.refusal("1", f"multi_race:2*{straight(6)}", 1000) is not None


@pytest.mark.cites("15.2")
def test_a_straight_ticket_of_more_spots_is_not_offered() -> None:
    refusal = turned_away(Table(KENO), straight(16), 100)

    assert refusal.fault is Fault.NOT_OFFERED
    assert refusal.message == "Straight, 16 spots (straight_16) is not offered at this table"
    assert section(refusal) == "19:47-15.2"


@pytest.mark.cites("15.2", "15.3")
def test_with_a_card_of_twenty_rows_twenty_spots_may_be_played() -> None:
    card = {str(spots): {str(spots): 2} for spots in range(1, 21)}

    told = deal(
        "keno",
        list(range(1, 21)),
        {straight(20): 100},
        options={"pay_schedule": card, "max_spots": 20},
    )

    assert told.result(straight(20)) == ("win", 100)


@pytest.mark.cites("15.2", "15.3")
@pytest.mark.parametrize(
    ("options", "option", "says"),
    [
        ({"max_spots": 16}, "max_spots", "the pay schedule ends at 15 spots"),
        ({"max_spots": 21}, "max_spots", "must be at least 1 and at most 20, not 21"),
        ({"max_spots": 0}, "max_spots", "must be at least 1 and at most 20, not 0"),
        ({"max_races": 0}, "max_races", "must be at least 1"),
        ({"min_rate_per_way": 0}, "min_rate_per_way", "must be at least 1 cent"),
        ({"aggregate_limit_per_game": 0}, "aggregate_limit_per_game", "or none"),
        ({"house_advantage_cap": 2}, "house_advantage_cap", "a fraction from 0 to 1, not 2"),
        ({"table_min": 100}, "table_min", "this game has no option table_min"),
    ],
)
def test_an_option_outside_its_bounds_is_unlawful(
    options: dict[str, Any], option: str, says: str
) -> None:
    (violation,) = KENO.check(options)

    assert violation.option == option
    assert says in violation.message


@pytest.mark.cites("15.1", "15.3")
@pytest.mark.parametrize("cap", ["0.25", "0.28", "0.3"])
def test_every_row_that_keeps_more_than_the_cap_is_listed(cap: str) -> None:
    above = {
        spots: advantage(spots, row)
        for spots, row in CARD.items()
        if advantage(spots, row) > Fraction(cap)
    }
    assert above

    wrong = KENO.check({"house_advantage_cap": cap})

    assert [violation.message for violation in wrong] == [
        f"the {spots}-spot row keeps {float(edge):.2%}, above the cap of {float(cap):.2%}"
        for spots, edge in above.items()
    ]
    with pytest.raises(Unlawful) as caught:
        Table(KENO, {"house_advantage_cap": cap})
    assert len(caught.value.violations) == len(above)


@pytest.mark.cites("15.1", "15.3")
@pytest.mark.parametrize(("cap", "rows"), [("1/4", 0), ("0.2499", 1), ("none", 0)])
def test_a_row_may_keep_as_much_as_the_cap_and_no_more(cap: str, rows: int) -> None:
    """One spot at 3 for 1 keeps exactly a quarter."""
    card = {"pay_schedule": {"1": {"1": 3}}, "max_spots": 1}

    assert len(KENO.check({**card, "house_advantage_cap": cap})) == rows


# The aggregate limit.


def paid_to(stakes: Sequence[int], limit: Any) -> tuple[list[int], Counter[str]]:
    """What each seat with the winning number 7 is paid, its stake included, and all accounts."""
    table = Table(KENO, {"aggregate_limit_per_game": limit, "min_rate_per_way": 1})
    for seat, stake in enumerate(stakes, 1):
        table.bet(str(seat), "straight_1:7", stake)
    table.bet("99", "straight_1:8", 1000)
    play(table, drawing(7))
    paid = [table.money[str(seat)] + stake for seat, stake in enumerate(stakes, 1)]
    return paid, table.money


@pytest.mark.cites("15.6")
def test_when_winners_exceed_the_aggregate_limit_they_are_paid_in_proportion() -> None:
    """Given 900, 600 and 300 dollars to pay and a limit of 1,000, each has five ninths of it."""
    paid, money = paid_to([30_000, 20_000, 10_000], 100_000)

    assert paid == [50_000, 33_333, 16_666]
    assert money["99"] == -1000
    assert sum(money.values()) == 0
    assert money["layout"] == 0


@pytest.mark.cites("15.6")
@pytest.mark.parametrize("limit", [180_000, "none"])
def test_winners_within_the_aggregate_limit_are_paid_in_full(limit: Any) -> None:
    paid, _ = paid_to([30_000, 20_000, 10_000], limit)

    assert paid == [90_000, 60_000, 30_000]


@pytest.mark.cites("15.6")
def test_the_limit_of_a_game_is_100_000_dollars_unless_the_licensee_sets_another() -> None:
    table = Table(KENO)
    table.bet("1", straight(15), 300)

    play(table, drawing(*range(1, 16)))

    assert table.money["1"] == 10_000_000 - 300
    assert table.settlements[0].cite.section == "19:47-15.6"


@pytest.mark.cites("15.6")
@given(stakes=st.lists(st.integers(1, 10**6), min_size=1, max_size=6), limit=st.integers(1, 10**6))
def test_prorated_payments_never_exceed_the_limit_and_lose_less_than_a_cent_each(
    stakes: list[int], limit: int
) -> None:
    paid, money = paid_to(stakes, limit)

    due = [3 * stake for stake in stakes]
    if sum(due) > limit:
        assert paid == [floor(Fraction(each * limit, sum(due))) for each in due]
        assert limit - len(stakes) < sum(paid) <= limit
    else:
        assert paid == due
    assert sum(money.values()) == 0
    assert money["layout"] == 0


# The game: tickets, the close, the draw and payment.


@pytest.mark.cites("15.4", "15.5", "15.6")
def test_tickets_are_issued_the_game_closes_numbers_are_drawn_and_winners_are_paid() -> None:
    told = deal("keno", drawing(7), {"straight_1:7": 100, "straight_1:8": 100})

    (played,) = told.rounds
    happened = [(event["kind"], event.get("text") or event.get("wager")) for event in
                played["events"] if event["kind"] not in ("wager", "draw")]  # fmt: skip
    shown = " ".join(map(str, [7, *range(61, 80)]))
    assert happened == [
        ("step", "Ticket issued to seat 1 for game 1: straight_1:7"),
        ("step", "Ticket issued to seat 1 for game 1: straight_1:8"),
        ("announce", "No more bets"),
        ("announce", f"Game 1: {shown}"),
        ("collect", "straight_1:8"),
        ("pay", "straight_1:7"),
    ]
    assert [event["outcome"] for event in told.events("draw")] == drawing(7)


@pytest.mark.cites("15.4")
def test_a_ticket_may_be_voided_before_the_game_closes() -> None:
    table = Table(KENO)
    table.bet("1", "straight_1:7", 500)

    table.bet("1", "straight_1:7", 0)

    assert lying(table) == {}
    assert table.money["1"] == 0


@pytest.mark.cites("15.4")
@pytest.mark.parametrize("drawn", [0, 1, 20])
def test_once_the_game_is_closed_no_ticket_is_sold_changed_or_voided(drawn: int) -> None:
    table = Table(KENO)
    table.bet("1", "straight_1:7", 100)
    game = Play(table)
    for number in drawing()[:drawn]:
        game.answer(number)

    for seat, label, amount in [
        ("2", "straight_1:61", 100),
        ("1", "straight_1:7", 200),
        ("1", "straight_1:7", 0),
    ]:
        refusal = turned_away(table, label, amount, seat)
        assert refusal.fault is Fault.NO_MORE_BETS
        assert section(refusal) == "19:47-15.5"


@pytest.mark.cites("15.4")
def test_after_a_game_tickets_are_sold_again_only_when_the_next_one_opens() -> None:
    table = Table(KENO)
    play(table, drawing())

    assert turned_away(table, "straight_1:7", 100).fault is Fault.NO_MORE_BETS

    table.open_betting()
    table.bet("1", "straight_1:7", 100)


@pytest.mark.cites("15.5")
def test_games_are_numbered_one_after_the_other() -> None:
    rounds = [{"draws": drawing(), "seats": {"1": {"wagers": {"straight_1:7": 100}}}}] * 3

    told = run({"game": "keno", "rounds": rounds})

    numbered = [told.said(n)[-1].partition(":")[0] for n in range(3)]
    assert numbered == ["Game 1", "Game 2", "Game 3"]


@pytest.mark.cites("15.5")
def test_a_game_number_is_not_used_again_after_a_game_that_was_void() -> None:
    """Each game of the gaming day has a number of its own, 13:69E-1.28U(d)."""
    table = Table(KENO)
    table.bet("1", "straight_1:7", 100)
    Play(table).answer({"irregularity": "malfunction"})
    table.open_betting()

    play(table, drawing())

    said = [event.data["text"] for event in table.events if event.kind == "announce"]
    assert said[-1].startswith("Game 2:")


@pytest.mark.cites("15.5")
@pytest.mark.parametrize(
    ("number", "says"),
    [
        (61, "61 has already been drawn"),
        (0, "0 is not a number from 1 to 80"),
        (81, "81 is not a number from 1 to 80"),
        (-7, "-7 is not a number from 1 to 80"),
        ("7", "'7' is not a number from 1 to 80"),
        (7.0, "7.0 is not a number from 1 to 80"),
        (True, "True is not a number from 1 to 80"),
        ([7], "[7] is not a number from 1 to 80"),
    ],
)
def test_a_number_is_drawn_only_once_and_is_one_of_the_eighty(number: Any, says: str) -> None:
    table = Table(KENO)
    table.bet("1", "straight_1:7", 100)
    game = Play(table)
    game.answer(61)
    before = len(table.events)

    with pytest.raises(Refusal) as caught:
        game.answer(number)

    assert caught.value.fault is Fault.IMPOSSIBLE_OUTCOME
    assert caught.value.message == says
    assert len(table.events) == before
    assert isinstance(game.request, Draw)
    game.answer(62)


@pytest.mark.cites("15.5")
@pytest.mark.parametrize("given", [0, 5, 19])
def test_a_script_with_too_few_numbers_says_how_many_more_are_needed(given: int) -> None:
    refusal = refused("keno", drawing()[:given], {"straight_1:7": 100})

    assert refusal.fault is Fault.BAD_SCRIPT
    more = 20 - given
    assert refusal.message == f"the script gives {given} draws and needs at least {more} more"


# Irregularities.


@pytest.mark.cites("15.7")
@pytest.mark.parametrize("before_draw", [1, 11, 21])
def test_given_a_malfunction_then_all_wagers_of_the_game_are_returned(before_draw: int) -> None:
    seats = {
        "1": {"wagers": {"straight_1:7": 100, "way:1-2/3-4@2": 200}},
        "2": {"wagers": {"king:17/1-2-3@3+4": 200}},
    }

    told = deal(
        "keno",
        drawing(7),
        seats=seats,
        irregularities=[{"before_draw": before_draw, "kind": "malfunction"}],
    )

    assert told.rounds[0]["void"]
    assert {settled["result"] for settled in told.rounds[0]["settlements"]} == {"void"}
    assert (told.net("1"), told.net("2")) == (0, 0)
    assert told.events("irregularity")[0]["citation"] == "13:69E-1.28U(h)"


@pytest.mark.cites("15.2", "15.7")
def test_given_a_malfunction_then_a_multi_race_ticket_gets_back_that_game_only() -> None:
    table = Table(KENO)
    table.bet("1", "multi_race:3*straight_1:7", 300)

    Play(table).answer({"irregularity": "malfunction"})

    assert lying(table) == {"multi_race:2*straight_1:7": 200}
    assert table.money == Counter({"1": -200, "layout": 200})
    table.open_betting()
    play(table, drawing(7))
    assert table.money == Counter({"1": 100, "layout": 100, "house": -200})


@pytest.mark.cites("15.2", "15.7")
def test_given_a_malfunction_then_no_ticket_loses_the_games_it_still_has_to_another() -> None:
    """Tickets for three and for two games on one number: each gets a dollar back."""
    table = Table(KENO)
    table.bet("1", "multi_race:3*straight_1:7", 300)
    table.bet("1", "multi_race:2*straight_1:7", 200)

    Play(table).answer({"irregularity": "malfunction"})

    assert table.money == Counter({"1": -300, "layout": 300})
    assert lying(table) == {"multi_race:2*straight_1:7": 200, "multi_race:1*straight_1:7": 100}


@pytest.mark.cites("15.6", "15.7")
@pytest.mark.parametrize(
    ("kind", "does", "cited"),
    [
        ("void_request_after_outcome", "Refused: a ticket may be voided only", "13:69E-1.28U(f)"),
        ("ticket_differs_from_record", "The system's record governs", "19:47-15.7"),
        ("ticket_not_payable", "It is not paid", "19:47-15.6"),
    ],
)
def test_given_a_dispute_after_the_draw_then_tickets_on_record_are_settled_once_as_recorded(
    kind: str, does: str, cited: str
) -> None:
    table = Table(KENO)
    table.bet("1", "straight_1:7", 100)
    table.bet("1", "straight_1:8", 100)

    play(table, drawing(7), kind)

    (event,) = [event for event in table.events if event.kind == "irregularity"]
    assert does in event.data["resolution"]
    assert str(event.cite).startswith(cited)
    assert [settled.net for settled in table.settlements] == [200, -100]
    assert table.money == Counter({"1": 100, "house": -100})


@pytest.mark.cites("15.7")
def test_an_irregularity_that_keno_does_not_know_is_refused() -> None:
    with pytest.raises(Refusal) as caught:
        Play(Table(KENO)).answer({"irregularity": "power_cut"})

    assert caught.value.fault is Fault.UNKNOWN_IRREGULARITY
    assert "'power_cut' is not an irregularity of this game" in caught.value.message


# What the tickets are worth.


@pytest.mark.cites("15.1")
def test_one_spot_at_3_for_1_keeps_a_quarter() -> None:
    assert report("straight_1").house_edge == Fraction(1, 4)


@pytest.mark.cites("15.1")
def test_ten_of_ten_come_once_in_8_911_711_games() -> None:
    (all_ten,) = [each for each in report("straight_10").outcomes if each.result == "10_of_10"]

    assert round(float(1 / all_ten.probability), 1) == 8_911_711.2


@pytest.mark.cites("15.1", "15.3")
@pytest.mark.parametrize("spots", CARD)
def test_the_exact_table_of_a_straight_ticket_is_the_hypergeometric_one(spots: int) -> None:
    outcomes = report(f"straight_{spots}").outcomes

    assert {each.result: (each.net, each.probability) for each in outcomes} == {
        f"{catch}_of_{spots}": (Fraction(CARD[spots].get(catch, 0) - 1), chance(spots, catch))
        for catch in range(spots + 1)
    }
    assert report(f"straight_{spots}").house_edge == advantage(spots, CARD[spots])
    assert keno.house_advantage(spots, KENO.options().pay_schedule[spots]) == advantage(
        spots, CARD[spots]
    )


@pytest.mark.cites("15.1", "15.2")
@pytest.mark.parametrize(
    ("label", "sizes"),
    [
        ("way:1-2-3/4-5-6/7-8-9@6", [6]),
        ("way:1-2/3-4/5-6/7-8@4", [4]),
        ("combination:1-2-3/4-5-6@3+6", [3, 3, 6]),
        ("combination:1-2/3-4@2x300+4x100", [2] * 6 + [4]),
        ("king:17/1-2-3/4-5@3+4", [3, 3, 4]),
        ("multi_race:3*straight_4:1-2-3-4", [4]),
        ("multi_race:2*combination:1-2/3-4@2+4", [2, 2, 4]),
    ],
)
def test_a_ticket_of_several_ways_or_games_keeps_what_its_straight_wagers_keep(
    label: str, sizes: list[int]
) -> None:
    """Expectation adds up: the edge is that of the ways, weighed by what lies on each."""
    edges = [advantage(spots, CARD[spots]) for spots in sizes]

    assert report(label).house_edge == sum(edges) / len(edges)
    assert sum(each.probability for each in report(label).outcomes) == 1


@pytest.mark.cites("15.5")
@pytest.mark.parametrize(
    "label",
    [
        *(straight(spots) for spots in CARD),
        "way:1-2-3/4-5-6/7-8-9@6",
        "way:1/2/3/4/5/6/7/8@4",
        "combination:1-2-3/4-5-6@3+6",
        "king:17/1-2-3/4-5@3+4",
    ],
)
def test_the_cases_that_are_counted_are_all_the_draws_of_20_of_80(label: str) -> None:
    _, _, ticket = KENO.find(label, KENO.options())

    cases = list(KENO.cases(ticket, KENO.options()))

    assert sum(ways for ways, _ in cases) == EVERY_DRAW
    assert {len(drawn) for _, drawn in cases} == {20}


@pytest.mark.cites("15.2")
@pytest.mark.parametrize("options", [{"max_races": 2}, {"max_spots": 5}], ids=["races", "spots"])
def test_a_table_with_few_games_or_few_spots_can_be_analyzed_whole(options: dict[str, int]) -> None:
    reports = analyze(KENO, KENO.options(options))

    assert report("straight_5").house_edge in [each.house_edge for each in reports]


# A drum so small that every draw can be dealt: four numbers of nine.

TINY_CARD = {1: {1: 2}, 2: {1: 1, 2: 3}, 3: {0: 1, 2: 2, 3: 12}, 4: {3: 3, 4: 40}}
TINY_OPTIONS = {
    "pay_schedule": {str(k): {str(c): p for c, p in row.items()} for k, row in TINY_CARD.items()},
    "max_spots": 4,
}
TINY_DRAWS = list(combinations(range(1, 10), 4))
TINY_TICKETS: dict[str, list[str]] = {
    "straight_1:5": ["5"],
    "straight_3:2-4-9": ["249"],
    "straight_4:1-2-3-4": ["1234"],
    "way:1-2/3-4/5-6@4": ["1234", "1256", "3456"],
    "way:1/2/3/4@2": ["12", "13", "14", "23", "24", "34"],
    "combination:1-2/3-4@2+4": ["12", "34", "1234"],
    "combination:1/2-3/4@1x200+3x100": ["1", "1", "4", "4", "123", "234"],
    "combination:1-2/3@1x300+2x100": ["3", "3", "3", "12"],
    "king:9/1-2/3-4@2+3": ["12", "34", "912", "934"],
    "king:9/8/1-2@2+3": ["98", "12", "912", "812"],
}


@pytest.fixture
def tiny_drum(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(keno, "NUMBERS", 9)
    monkeypatch.setattr(keno, "DRAWN", 4)
    return KENO.options(TINY_OPTIONS)


def tiny_net(ways: Sequence[str], drawn: Iterable[int]) -> Fraction:
    """What one unit wins on a ticket of these ways, each with the same share of it."""
    caught = [sum(int(number) in set(drawn) for number in way) for way in ways]
    paid = sum(TINY_CARD[len(way)].get(n, 0) for way, n in zip(ways, caught, strict=True))
    return Fraction(paid, len(ways)) - 1


def spread(nets: Iterable[Fraction]) -> dict[Fraction, Fraction]:
    counted = Counter(nets)
    return {net: Fraction(count, counted.total()) for net, count in counted.items()}


def analyzed(label: str, options: Any) -> dict[Fraction, Fraction]:
    (found,) = analyze(KENO, options, [label])
    together: dict[Fraction, Fraction] = {}
    for outcome in found.outcomes:
        together[outcome.net] = together.get(outcome.net, Fraction(0)) + outcome.probability
    return together


@pytest.mark.cites("15.2", "15.6")
@pytest.mark.parametrize("label", TINY_TICKETS)
def test_counting_a_ticket_gives_what_dealing_every_draw_of_a_tiny_drum_gives(
    label: str, tiny_drum: Any
) -> None:
    ways = TINY_TICKETS[label]
    stake = 100 * len(ways)

    nets = []
    for drawn in TINY_DRAWS:
        table = Table(KENO, TINY_OPTIONS)
        table.bet("1", label, stake)
        play(table, drawn)
        nets.append(Fraction(table.money["1"], stake))
        assert nets[-1] == tiny_net(ways, drawn), drawn

    assert analyzed(label, tiny_drum) == spread(nets)


@pytest.mark.cites("15.2")
@pytest.mark.parametrize("label", ["straight_3:2-4-9", "king:9/1-2/3-4@2+3"])
def test_counting_a_ticket_for_two_games_gives_what_every_pair_of_draws_gives(
    label: str, tiny_drum: Any
) -> None:
    nets = [tiny_net(TINY_TICKETS[label], drawn) for drawn in TINY_DRAWS]

    both = spread((one + other) / 2 for one, other in product(nets, nets))

    assert analyzed(f"multi_race:2*{label}", tiny_drum) == both


@pytest.mark.parametrize(
    "ticket", [f"multi_race:20*{straight(4)}", "way:1/2/3/4/5/6/7/8/9/10/11/12@6"]
)
def test_a_ticket_too_large_to_count_is_sold_but_not_analyzed(ticket: str) -> None:
    table = Table(KENO)
    assert table.refusal("1", ticket, 92_400) is None
    with pytest.raises(Refusal) as caught:
        analyze(KENO, KENO.options(), [ticket])
    assert "too large to be counted" in caught.value.message
    assert section(caught.value) == "19:47-15.2"
