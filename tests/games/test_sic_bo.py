"""Sic bo, N.J.A.C. 19:47-9: three dice in a shaker, and every wager decided by one shake."""

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from typing import Any

import pytest

from croupier.analysis import WagerReport, analyze
from croupier.games import find_game
from croupier.rulebook import Draw, Fault, Play, Refusal, Table
from tests.support import (
    Told,
    deal,
    edge_through_rounds,
    not_answered,
    refused,
    section,
    turned_away,
)

SIC_BO = find_game("sic-bo")
FACES = range(1, 7)
THROWS = list(product(FACES, repeat=3))
LABELS = [wager.id for wager in SIC_BO.wagers]
TOTAL_ODDS = {
    4: 60, 5: 30, 6: 17, 7: 12, 8: 8, 9: 6, 10: 6,
    11: 6, 12: 6, 13: 8, 14: 12, 15: 17, 16: 30, 17: 60,
}  # fmt: skip


def shake(throw: Sequence[int], wager: str, options: dict[str, Any] | None = None) -> int:
    """What ten dollars on a wager win, in dollars."""
    _, net = deal("sic-bo", [list(throw)], {wager: 1000}, options=options).result(wager)
    dollars, cents = divmod(net, 100)
    assert cents == 0
    return dollars


@cache
def report(label: str) -> WagerReport:
    (found,) = analyze(SIC_BO, SIC_BO.options(), [label])
    return found


# The dice and the wagers.


@pytest.mark.cites("9.1")
def test_three_dice_give_216_equally_likely_results() -> None:
    outcomes = SIC_BO.device(SIC_BO.options()).outcomes()

    assert sorted(map(tuple, outcomes)) == THROWS
    ways = Counter(sum(outcome) for outcome in outcomes)
    expected = [1, 3, 6, 10, 15, 21, 25, 27, 27, 25, 21, 15, 10, 6, 3, 1]
    assert [ways[total] for total in range(3, 19)] == expected


@pytest.mark.cites("9.2")
def test_the_layout_has_every_wager_of_the_rule_and_no_other() -> None:
    rule = {"small", "big", "any_three_of_a_kind"}
    rule |= {f"three_of_a_kind_{face}" for face in FACES}
    rule |= {f"two_of_a_kind_{face}" for face in FACES}
    rule |= {f"one_of_a_kind_{face}" for face in FACES}
    rule |= {f"two_dice_combination_{x}{y}" for x, y in combinations(FACES, 2)}
    rule |= {f"total_{total}" for total in range(4, 18)}

    assert set(LABELS) == rule
    assert len(LABELS) == 6 + 6 + 6 + 15 + 14 + 3


@pytest.mark.cites("9.2")
@pytest.mark.parametrize(("total", "throw"), [(3, [1, 1, 1]), (18, [6, 6, 6])])
def test_totals_3_and_18_are_not_offered(total: int, throw: list[int]) -> None:
    refusal = turned_away(Table(SIC_BO), f"total_{total}", 1000)

    assert refusal.fault is Fault.UNKNOWN_WAGER
    assert refusal.message == f"sic bo has no wager 'total_{total}'"
    assert refused("sic-bo", [throw], {f"total_{total}": 1000}).fault is Fault.UNKNOWN_WAGER


# What each wager wins on and what it pays.


@pytest.mark.cites("9.2", "9.4")
@pytest.mark.parametrize(
    ("wager", "throw", "wins"),
    [
        ("three_of_a_kind_4", [4, 4, 4], 1800),
        ("three_of_a_kind_4", [4, 4, 5], -10),
        ("three_of_a_kind_4", [5, 5, 5], -10),
        ("any_three_of_a_kind", [1, 1, 1], 300),
        ("any_three_of_a_kind", [6, 6, 6], 300),
        ("any_three_of_a_kind", [6, 6, 5], -10),
        ("two_of_a_kind_3", [3, 1, 3], 100),
        ("two_of_a_kind_3", [3, 3, 6], 100),
        ("two_of_a_kind_3", [3, 4, 5], -10),
        ("two_of_a_kind_3", [4, 4, 3], -10),
        ("two_dice_combination_25", [2, 5, 6], 50),
        ("two_dice_combination_25", [5, 1, 2], 50),
        ("two_dice_combination_25", [2, 2, 6], -10),
        ("two_dice_combination_25", [5, 5, 5], -10),
        ("small", [1, 1, 2], 10),
        ("small", [2, 3, 5], 10),
        ("small", [2, 4, 5], -10),
        ("big", [2, 4, 5], 10),
        ("big", [6, 6, 5], 10),
        ("big", [2, 3, 5], -10),
    ],
)
def test_a_wager_wins_at_its_odds_on_its_throws_and_loses_on_others(
    wager: str, throw: list[int], wins: int
) -> None:
    assert shake(throw, wager) == wins


@pytest.mark.cites("9.2", "9.4")
@pytest.mark.parametrize(("total", "pays"), TOTAL_ODDS.items())
def test_a_total_pays_by_how_rare_it_is_and_loses_on_the_totals_beside_it(
    total: int, pays: int
) -> None:
    throws = {sum(throw): throw for throw in THROWS}

    assert shake(throws[total], f"total_{total}") == 10 * pays
    assert shake(throws[total - 1], f"total_{total}") == -10
    assert shake(throws[total + 1], f"total_{total}") == -10


@pytest.mark.cites("9.2")
@pytest.mark.parametrize(("face", "total"), [(2, 6), (3, 9), (4, 12), (5, 15)])
def test_a_triple_counts_for_the_total_it_makes(face: int, total: int) -> None:
    assert shake([face] * 3, f"total_{total}") == 10 * TOTAL_ODDS[total]


@pytest.mark.cites("9.2")
@pytest.mark.parametrize("face", FACES)
def test_a_triple_counts_for_two_of_a_kind_and_is_paid_once(face: int) -> None:
    assert shake([face] * 3, f"two_of_a_kind_{face}") == 100


@pytest.mark.cites("9.2")
@pytest.mark.parametrize("face", FACES)
def test_small_and_big_lose_on_every_triple(face: int) -> None:
    assert shake([face] * 3, "small") == -10
    assert shake([face] * 3, "big") == -10


@pytest.mark.cites("9.2")
@pytest.mark.parametrize("throw", [[2, 5, 5], [2, 2, 5], [5, 2, 1]])
def test_a_combination_is_paid_once_even_when_one_of_its_numbers_shows_twice(
    throw: list[int],
) -> None:
    assert shake(throw, "two_dice_combination_25") == 50


@pytest.mark.cites("9.2", "9.4")
@pytest.mark.parametrize(
    ("throw", "wins"),
    [([5, 1, 2], 10), ([2, 5, 5], 20), ([5, 5, 5], 30), ([1, 2, 3], -10)],
)
def test_one_of_a_kind_pays_1_2_or_3_to_1_by_the_dice_that_show_it(
    throw: list[int], wins: int
) -> None:
    assert shake(throw, "one_of_a_kind_5") == wins


def rule_of(label: str) -> Callable[[tuple[int, ...]], int]:
    """What one unit on a wager wins on a throw, written out from the sheet."""
    kind, _, named = label.rpartition("_")
    if kind == "three_of_a_kind":
        return lambda throw: 180 if set(throw) == {int(named)} else -1
    if kind == "two_of_a_kind":
        return lambda throw: 10 if sorted(throw)[1] == int(named) and len(set(throw)) < 3 else -1
    if kind == "one_of_a_kind":
        return lambda throw: list(throw).count(int(named)) or -1
    if kind == "two_dice_combination":
        return lambda throw: 5 if set(map(int, named)) <= set(throw) else -1
    if kind == "total":
        return lambda throw: TOTAL_ODDS[int(named)] if sum(throw) == int(named) else -1
    if label == "any_three_of_a_kind":
        return lambda throw: 30 if len(set(throw)) == 1 else -1
    totals = {"small": range(4, 11), "big": range(11, 18)}[label]
    return lambda throw: 1 if sum(throw) in totals and len(set(throw)) > 1 else -1


@pytest.mark.cites("9.2", "9.4")
def test_every_wager_comes_out_as_the_rule_says_on_each_of_the_216_throws() -> None:
    rules = {label: rule_of(label) for label in LABELS}

    for throw in THROWS:
        told = deal("sic-bo", [list(throw)], dict.fromkeys(LABELS, 1000))
        (played,) = told.rounds
        nets = {settled["wager"]: settled["net"] for settled in played["settlements"]}
        assert nets == {label: 1000 * rule(throw) for label, rule in rules.items()}, throw


# What the licensee may choose.


@pytest.mark.cites("9.4")
@pytest.mark.parametrize(("odds", "wins"), [("5 to 1", 50), ("6 to 1", 60)])
def test_the_licensee_pays_a_combination_5_or_6_to_1(odds: str, wins: int) -> None:
    assert shake([2, 5, 6], "two_dice_combination_25", {"combination_odds": odds}) == wins


@pytest.mark.cites("9.4")
@pytest.mark.parametrize(("odds", "wins"), [("3 to 1", 30), ("12 to 1", 120)])
def test_one_of_a_kind_on_three_dice_may_pay_more_than_3_to_1(odds: str, wins: int) -> None:
    options = {"one_of_a_kind_triple_odds": odds}

    assert shake([5, 5, 5], "one_of_a_kind_5", options) == wins
    assert shake([5, 5, 1], "one_of_a_kind_5", options) == 20


@pytest.mark.cites("9.4")
@pytest.mark.parametrize(
    ("key", "odds", "wager", "throw", "wins"),
    [
        ("three_of_a_kind_1", "190 to 1", "three_of_a_kind_1", [1, 1, 1], 1900),
        ("three_of_a_kind_1", "190 to 1", "three_of_a_kind_2", [2, 2, 2], 1800),
        ("one_of_a_kind_1.two_dice", "3 to 1", "one_of_a_kind_1", [1, 1, 2], 30),
        ("one_of_a_kind_1.two_dice", "3 to 1", "one_of_a_kind_1", [1, 3, 2], 10),
        ("small", "1 to 1", "small", [1, 1, 2], 10),
    ],
)
def test_odds_above_the_minimum_may_be_posted(
    key: str, odds: str, wager: str, throw: list[int], wins: int
) -> None:
    assert shake(throw, wager, {"higher_odds": {key: odds}}) == wins


@pytest.mark.cites("9.4")
@pytest.mark.parametrize(
    ("options", "option", "says"),
    [
        ({"combination_odds": "7 to 1"}, "combination_odds", "must be 5_to_1 or 6_to_1"),
        ({"combination_odds": "4 to 1"}, "combination_odds", "must be 5_to_1 or 6_to_1"),
        (
            {"one_of_a_kind_triple_odds": "5 to 2"},
            "one_of_a_kind_triple_odds",
            "must pay at least 3 to 1, not 5 to 2",
        ),
        (
            {"higher_odds": {"three_of_a_kind_1": "179 to 1"}},
            "higher_odds",
            "three_of_a_kind_1 would pay 179 to 1, and it may pay no less than 180 to 1",
        ),
        ({"higher_odds": {"big": "19 to 20"}}, "higher_odds", "no less than 1 to 1"),
        (
            {"combination_odds": "6 to 1", "higher_odds": {"two_dice_combination_12": "5 to 1"}},
            "higher_odds",
            "no less than 6 to 1",
        ),
        ({"higher_odds": {"small": "2 for 1"}}, "higher_odds", 'write them with "to"'),
    ],
)
def test_odds_below_the_minimum_are_unlawful(
    options: dict[str, Any], option: str, says: str
) -> None:
    (violation,) = SIC_BO.check(options)

    assert violation.option == option
    assert says in violation.message
    assert violation.cite.section == "19:47-9.4"


@pytest.mark.cites("9.4")
def test_every_line_of_a_wager_must_pay_its_own_minimum() -> None:
    wrong = SIC_BO.check({"higher_odds": {"one_of_a_kind_1": "1 to 1"}})

    assert [violation.message for violation in wrong] == [
        "one_of_a_kind_1 would pay 1 to 1, and it may pay no less than 2 to 1",
        "one_of_a_kind_1 would pay 1 to 1, and it may pay no less than 3 to 1",
    ]


@pytest.mark.cites("9.4")
@pytest.mark.parametrize("key", ["total_3", "small.triple"])
def test_odds_for_a_wager_that_is_not_offered_are_unlawful(key: str) -> None:
    (violation,) = SIC_BO.check({"higher_odds": {key: "200 to 1"}})

    assert violation.message == f"{key} is not a wager, or a line of one"


@pytest.mark.cites("9.4")
def test_a_stake_that_the_posted_odds_cannot_pay_to_the_cent_is_refused() -> None:
    table = Table(SIC_BO, {"higher_odds": {"total_10": "13 to 2"}})

    refusal = turned_away(table, "total_10", 501)

    assert refusal.fault is Fault.NOT_PAYABLE
    assert "must be a multiple of 2 cents" in refusal.message
    assert section(refusal) == "19:47-9.4"


@pytest.mark.cites("9.1")
def test_the_shaker_is_manual_or_automated_and_nothing_else() -> None:
    (violation,) = SIC_BO.check({"shaker": "teacup"})

    assert violation.message == "shaker must be manual or automated, not 'teacup'"
    assert violation.cite.place == "13:69E-1.16A"


@pytest.mark.cites("9.1", "9.5")
@pytest.mark.parametrize(
    ("shaker", "step", "cited"),
    [
        ("manual", "The dealer shakes the covered shaker at least three times", "19:47-9.5"),
        ("automated", "The automated shaker shakes the dice", "13:69E-1.16A"),
    ],
)
def test_the_dealer_shakes_a_manual_shaker_three_times_and_an_automated_one_shakes_itself(
    shaker: str, step: str, cited: str
) -> None:
    told = deal("sic-bo", [[1, 2, 3]], {"small": 500}, options={"shaker": shaker})

    shaken = told.events("step")[0]
    assert shaken["text"] == step
    assert shaken["citation"].startswith(cited)


# When wagers are made, and how much.


@pytest.mark.cites("9.3")
@pytest.mark.parametrize(
    ("amount", "fault", "says"),
    [
        (499, Fault.BELOW_MINIMUM, "$4.99 on small is below the least it may be, $5"),
        (100_001, Fault.ABOVE_MAXIMUM, "$1,000.01 on small is above the most it may be, $1,000"),
        (-500, Fault.BAD_AMOUNT, "stakes are whole cents above zero"),
        (500.0, Fault.BAD_AMOUNT, "500.0 is not a stake"),
        ("500", Fault.BAD_AMOUNT, "'500' is not a stake"),
        (True, Fault.BAD_AMOUNT, "True is not a stake"),
        (0, Fault.NOT_NOW, "there is no small wager to take down"),
    ],
)
def test_a_stake_outside_the_posted_limits_is_refused(amount: Any, fault: Fault, says: str) -> None:
    refusal = turned_away(Table(SIC_BO), "small", amount)

    assert refusal.fault is fault
    assert says in refusal.message
    assert section(refusal) == "19:47-8.2"


@pytest.mark.cites("9.3")
@pytest.mark.parametrize("amount", [500, 100_000])
def test_a_stake_at_the_limits_is_accepted(amount: int) -> None:
    table = Table(SIC_BO)

    table.bet("1", "small", amount)

    assert table.money == Counter({"1": -amount, "layout": amount})


@pytest.mark.cites("9.3")
def test_a_wager_may_be_changed_and_taken_down_until_the_betting_closes() -> None:
    table = Table(SIC_BO)

    for amount in (1000, 700, 0):
        table.bet("1", "small", amount)

    assert [event.kind for event in table.events] == ["wager", "reduce", "take_down"]
    assert not table.bets
    assert table.money["1"] == 0


@pytest.mark.cites("9.3", "9.5")
def test_after_no_more_bets_no_wager_is_made_changed_or_taken_down() -> None:
    table = Table(SIC_BO)
    table.bet("1", "small", 1000)
    play = Play(table)

    for label, amount in [("big", 1000), ("small", 2000), ("small", 0)]:
        refusal = turned_away(table, label, amount)
        assert refusal.fault is Fault.NO_MORE_BETS
        assert section(refusal) == "19:47-9.3"

    play.answer([1, 1, 2])
    play.answer(None)
    assert table.money["1"] == 1000


@pytest.mark.cites("9.3")
@pytest.mark.parametrize(
    ("label", "fault", "says"),
    [
        ("banana", Fault.UNKNOWN_WAGER, "sic bo has no wager 'banana'"),
        ("three_of_a_kind_7", Fault.UNKNOWN_WAGER, "no wager 'three_of_a_kind_7'"),
        ("two_dice_combination_33", Fault.UNKNOWN_WAGER, "no wager 'two_dice_combination_33'"),
        ("two_dice_combination_52", Fault.UNKNOWN_WAGER, "no wager 'two_dice_combination_52'"),
        ("total:4", Fault.UNKNOWN_WAGER, "sic bo has no wager 'total'"),
        ("small:4", Fault.UNKNOWN_SPOT, "small takes no choice of spot"),
    ],
)
def test_a_wager_that_the_layout_does_not_have_is_refused(
    label: str, fault: Fault, says: str
) -> None:
    refusal = turned_away(Table(SIC_BO), label, 1000)

    assert refusal.fault is fault
    assert says in refusal.message
    assert section(refusal).startswith("19:47-9.")


@pytest.mark.cites("9.3")
@pytest.mark.parametrize("seat", ["0", "13", "dealer"])
def test_a_seat_that_the_table_does_not_have_is_refused(seat: str) -> None:
    refusal = turned_away(Table(SIC_BO), "small", 1000, seat)

    assert refusal.fault is Fault.UNKNOWN_SEAT
    assert refusal.message == f"there is no seat {seat!r} here; the seats are 1 to 12"


@pytest.mark.cites("9.3")
def test_a_table_whose_greatest_wager_is_below_its_least_is_unlawful() -> None:
    (violation,) = SIC_BO.check({"table_min": 5000, "table_max": 2500})

    assert violation.message == "table_max ($25) is below table_min ($50)"


# The procedure.


@pytest.mark.cites("9.5")
def test_bets_are_closed_the_dice_shaken_called_losers_collected_and_winners_paid() -> None:
    told = deal("sic-bo", [[2, 2, 5]], {"small": 500, "big": 500, "two_of_a_kind_2": 500})

    (played,) = told.rounds
    happened = [(event["kind"], event.get("text") or event.get("wager")) for event in
                played["events"] if event["kind"] != "wager"]  # fmt: skip
    assert happened == [
        ("announce", "No more bets"),
        ("step", "The dealer shakes the covered shaker at least three times"),
        ("throw", None),
        ("announce", "2-2-5, total 9, a pair"),
        ("collect", "big"),
        ("pay", "small"),
        ("pay", "two_of_a_kind_2"),
        ("step", "The dealer covers the shaker"),
    ]


@pytest.mark.cites("9.5")
@pytest.mark.parametrize(
    ("throw", "called"),
    [
        ([1, 2, 4], "1-2-4, total 7"),
        ([6, 1, 6], "6-1-6, total 13, a pair"),
        ([3, 3, 3], "3-3-3, total 9, three of a kind"),
    ],
)
def test_the_dealer_calls_the_three_numbers_and_the_total(throw: list[int], called: str) -> None:
    assert deal("sic-bo", [throw], {"small": 500}).said() == ["No more bets", called]


@pytest.mark.cites("9.5")
@pytest.mark.parametrize(
    "throw",
    [[1, 2], [1, 2, 3, 4], [0, 1, 2], [1, 2, 7], [1, 2, 3.0], [1, 2, True], "123", 6, None, {}],
)
def test_three_dice_cannot_show_anything_but_three_faces(throw: Any) -> None:
    table = Table(SIC_BO)
    table.bet("1", "small", 1000)
    play = Play(table)
    refusal = not_answered(play, throw)
    assert refusal.fault is Fault.IMPOSSIBLE_OUTCOME
    assert refusal.message == (
        f"{throw!r} is not a throw of 3 dice: write 3 faces from 1 to 6, such as [3, 4, 1]"
    )
    assert isinstance(play.request, Draw)


def test_a_script_without_a_throw_says_how_many_are_missing() -> None:
    refusal = refused("sic-bo", [], {"small": 1000})

    assert refusal.fault is Fault.BAD_SCRIPT
    assert refusal.message == "the script gives 0 draws and needs at least 1 more"


# Irregularities.


@pytest.mark.cites("9.6")
@pytest.mark.parametrize(
    ("kind", "what"),
    [
        ("die_not_flat", "a die does not lie flat in the shaker"),
        ("die_leaves_shaker", "a die leaves the shaker"),
    ],
)
def test_given_a_die_that_is_not_flat_or_not_there_then_no_roll_and_bets_stand(
    kind: str, what: str
) -> None:
    table = Table(SIC_BO)
    table.bet("1", "small", 1000)
    play = Play(table)

    play.answer({"irregularity": kind})

    event = table.events[-1]
    assert event.data["what"] == what
    assert event.data["resolution"] == "No roll; the dice are shaken again"
    assert event.cite is not None
    assert event.cite.section == "19:47-9.6"
    assert isinstance(play.request, Draw)
    assert table.money == Counter({"1": -1000, "layout": 1000})
    play.answer([1, 1, 2])
    play.answer(None)
    assert table.money["1"] == 1000


@pytest.mark.cites("9.6")
@pytest.mark.parametrize("kind", ["die_not_flat", "die_leaves_shaker"])
def test_no_roll_cannot_be_called_once_the_throw_has_been_called(kind: str) -> None:
    refusal = refused(
        "sic-bo",
        [[1, 1, 2]],
        {"small": 1000},
        irregularities=[{"before_draw": 2, "kind": kind}],
    )

    assert refusal.fault is Fault.BAD_SCRIPT
    assert refusal.message == f"{kind} can only be reported before the outcome is known"
    assert section(refusal) == "19:47-9.6"


@pytest.mark.cites("9.6")
def test_given_a_result_entered_wrongly_then_wagers_are_settled_from_the_dice() -> None:
    told: Told = deal(
        "sic-bo",
        [[1, 1, 2]],
        {"small": 1000, "big": 1000},
        irregularities=[{"before_draw": 2, "kind": "result_entered_wrongly"}],
    )

    (event,) = told.events("irregularity")
    assert "settled by hand from the dice" in event["resolution"]
    assert told.result("small") == ("win", 1000)
    assert told.result("big") == ("lose", -1000)


@pytest.mark.cites("9.6")
def test_an_irregularity_that_sic_bo_does_not_know_is_refused() -> None:
    play = Play(Table(SIC_BO))

    with pytest.raises(Refusal) as caught:
        play.answer({"irregularity": "earthquake"})

    assert caught.value.fault is Fault.UNKNOWN_IRREGULARITY
    assert caught.value.message == (
        "'earthquake' is not an irregularity of this game; "
        "it knows die_not_flat, die_leaves_shaker, result_entered_wrongly"
    )


# What the wagers are worth.


@pytest.mark.cites("9.4")
@pytest.mark.parametrize(
    ("wager", "edge"),
    [
        ("small", Fraction(1, 36)),
        ("big", Fraction(1, 36)),
        *((f"three_of_a_kind_{face}", Fraction(35, 216)) for face in FACES),
    ],
)
def test_the_edge_is_the_published_one(wager: str, edge: Fraction) -> None:
    assert report(wager).house_edge == edge


@pytest.mark.cites("9.4")
@pytest.mark.parametrize("label", LABELS)
def test_the_exact_edge_is_that_of_all_216_throws_dealt_as_rounds(label: str) -> None:
    counted = -Fraction(sum(map(rule_of(label), THROWS)), 216)

    assert report(label).house_edge == edge_through_rounds("sic-bo", label) == counted


@pytest.mark.cites("9.4")
@pytest.mark.parametrize(
    ("label", "options"),
    [
        ("two_dice_combination_36", {"combination_odds": "6 to 1"}),
        ("one_of_a_kind_2", {"one_of_a_kind_triple_odds": "12 to 1"}),
        ("total_10", {"higher_odds": {"total_10": "13 to 2"}}),
        ("any_three_of_a_kind", {"higher_odds": "any_three_of_a_kind: 31 to 1"}),
    ],
)
def test_better_odds_lower_the_exact_edge_as_they_do_at_the_table(
    label: str, options: dict[str, Any]
) -> None:
    (better,) = analyze(SIC_BO, SIC_BO.options(options), [label])

    assert better.house_edge < report(label).house_edge
    assert better.house_edge == edge_through_rounds("sic-bo", label, options)


@pytest.mark.cites("9.4")
@pytest.mark.parametrize("label", LABELS)
def test_the_outcomes_of_a_wager_close_to_one(label: str) -> None:
    outcomes = report(label).outcomes

    assert sum(outcome.probability for outcome in outcomes) == 1
    assert all(outcome.probability > 0 for outcome in outcomes)


@pytest.mark.cites("9.4")
def test_one_of_a_kind_shows_on_one_two_or_three_dice_in_75_15_and_1_ways() -> None:
    outcomes = report("one_of_a_kind_6").outcomes

    ways = {outcome.result: outcome.probability * 216 for outcome in outcomes}
    assert ways == {"one_die": 75, "two_dice": 15, "three_dice": 1, "lose": 125}
