"""Mini-dice, N.J.A.C. 19:47-13: two dice in a shaker, place numbers and wagers on one shake."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import pytest

from croupier.analysis import WagerReport, analyze
from croupier.games import find_game
from croupier.rulebook import Ask, Draw, Fault, Play, Refusal, Table
from tests.support import (
    Told,
    deal,
    edge_through_rounds,
    not_answered,
    refused,
    run,
    section,
    throw_by_throw,
    turned_away,
)

MINI_DICE = find_game("mini-dice")
THROWS = {first + second: [first, second] for first, second in product(range(1, 7), repeat=2)}
WAYS = Counter(first + second for first, second in product(range(1, 7), repeat=2))
PLACE = {4: (9, 5), 5: (7, 5), 6: (7, 6), 8: (7, 6), 9: (7, 5), 10: (9, 5)}
ONE_SHAKE = ("field", "any_7", "over_7", "under_7")
SEVEN, EIGHT = [3, 4], [3, 5]


def shake(total: int, wager: str, options: dict[str, Any] | None = None) -> tuple[str, int]:
    """What a shake of this total does to thirty dollars on a wager, in cents."""
    return deal("mini-dice", [THROWS[total]], {wager: 3000}, options=options).result(wager)


@cache
def report(label: str) -> WagerReport:
    (found,) = analyze(MINI_DICE, MINI_DICE.options(), [label])
    return found


# The dice and the wagers.


@pytest.mark.cites("13.3")
def test_two_dice_give_36_equally_likely_results() -> None:
    outcomes = MINI_DICE.device(MINI_DICE.options()).outcomes()

    assert sorted(map(tuple, outcomes)) == list(product(range(1, 7), repeat=2))


@pytest.mark.cites("13.2(a)")
def test_only_the_wagers_of_the_rule_are_permitted() -> None:
    place = [f"place_{number}" for number in PLACE]

    assert [wager.id for wager in MINI_DICE.wagers] == [*place, *ONE_SHAKE]


@pytest.mark.cites("13.1", "13.2(a)")
@pytest.mark.parametrize(
    ("label", "fault", "says"),
    [
        ("pass", Fault.UNKNOWN_WAGER, "mini-dice has no wager 'pass'"),
        ("place_7", Fault.UNKNOWN_WAGER, "mini-dice has no wager 'place_7'"),
        ("place:6", Fault.UNKNOWN_WAGER, "mini-dice has no wager 'place'"),
        ("field:2", Fault.UNKNOWN_SPOT, "field takes no choice of spot"),
    ],
)
def test_any_other_wager_is_refused(label: str, fault: Fault, says: str) -> None:
    refusal = turned_away(Table(MINI_DICE), label, 600)

    assert refusal.fault is fault
    assert says in refusal.message
    assert section(refusal) in ("19:47-13.1", "19:47-13.2")


# Place wagers.


@pytest.mark.cites("13.2(a)1", "13.6(b)")
@pytest.mark.parametrize(
    ("number", "wins"), [(4, 5400), (5, 4200), (6, 3500), (8, 3500), (9, 4200), (10, 5400)]
)
def test_a_place_wager_wins_at_its_odds_when_the_number_comes_before_a_7(
    number: int, wins: int
) -> None:
    assert shake(number, f"place_{number}") == ("win", wins)
    assert shake(7, f"place_{number}") == ("lose", -3000)


@pytest.mark.cites("13.2(a)1")
@pytest.mark.parametrize("number", PLACE)
def test_a_place_wager_stands_on_every_shake_that_is_neither_its_number_nor_a_7(
    number: int,
) -> None:
    others = [total for total in THROWS if total not in (number, 7)]
    wager = f"place_{number}"

    told = throw_by_throw(
        "mini-dice",
        *((THROWS[total], {wager: 3000} if n == 0 else {}) for n, total in enumerate(others)),
        (THROWS[number], {}),
    )

    results = [told.result(wager, round=n)[0] for n in range(len(others))]
    assert results == ["standing"] * len(others)
    assert told.result(wager)[0] == "win"


@pytest.mark.cites("13.2(a)1")
def test_a_place_wager_is_active_on_the_first_shake_and_on_the_shake_after_a_7() -> None:
    told = throw_by_throw(
        "mini-dice",
        (THROWS[6], {"place_6": 600}),
        (SEVEN, {"place_8": 600}),
        (EIGHT, {"place_8": 600}),
    )

    assert told.result("place_6", round=0) == ("win", 700)
    assert told.result("place_8", round=1) == ("lose", -600)
    assert told.result("place_8", round=2) == ("win", 700)


@pytest.mark.cites("13.4")
def test_a_place_wager_may_be_reduced_raised_and_taken_down_between_shakes() -> None:
    told = throw_by_throw(
        "mini-dice",
        (THROWS[4], {"place_6": 1200, "place_8": 600}),
        (THROWS[4], {"place_6": 600, "place_8": 1200}),
        (SEVEN, {"place_6": 0}),
    )

    reduced, raised = told.events("reduce", 1), told.events("wager", 1)
    assert [(event["wager"], event["stake"]) for event in reduced] == [("place_6", 600)]
    assert [(event["wager"], event["stake"]) for event in raised] == [("place_8", 1200)]
    assert told.events("take_down")[0]["wager"] == "place_6"
    assert told.net() == -1200


@pytest.mark.cites("13.4")
def test_a_place_wager_that_is_not_there_cannot_be_taken_down() -> None:
    refusal = turned_away(Table(MINI_DICE), "place_6", 0)

    assert refusal.fault is Fault.NOT_NOW
    assert refusal.message == "there is no place_6 wager to take down"


# Wagers on one shake.


FIELD_PAYS = {2: 2, 3: 1, 4: 1, 9: 1, 10: 1, 11: 1, 12: 2}


def rule_of(wager: str) -> Callable[[int], int]:
    """What one unit on a wager for one shake wins on a total, written out from the sheet."""
    return {
        "field": lambda total: FIELD_PAYS.get(total, -1),
        "any_7": lambda total: 4 if total == 7 else -1,
        "over_7": lambda total: 1 if total > 7 else -1,
        "under_7": lambda total: 1 if total < 7 else -1,
    }[wager]


@pytest.mark.cites("13.2(a)", "13.6(b)")
@pytest.mark.parametrize("total", THROWS)
@pytest.mark.parametrize("wager", ONE_SHAKE)
def test_field_any_7_over_7_and_under_7_are_decided_by_one_shake(wager: str, total: int) -> None:
    wins = rule_of(wager)(total)

    assert shake(total, wager) == ("win" if wins > 0 else "lose", 3000 * wins)


@pytest.mark.cites("13.2(a)")
def test_over_7_and_under_7_both_lose_on_a_7() -> None:
    told = deal("mini-dice", [SEVEN], {"over_7": 500, "under_7": 500})

    assert told.net() == -1000


# Payment: exact, at the stated odds or better, and no fee.


@pytest.mark.cites("13.6(b)1")
@pytest.mark.parametrize("number", PLACE)
def test_no_fee_or_vigorish_is_taken_on_a_winning_place_wager(number: int) -> None:
    table = Table(MINI_DICE)
    table.bet("1", f"place_{number}", 3000)
    play = Play(table)
    for answer in (THROWS[number], None, "keep"):
        play.answer(answer)

    wins, per = PLACE[number]
    assert table.money == Counter({"1": 3000 * wins // per, "house": -3000 * wins // per})


@pytest.mark.cites("13.6(b)2")
@pytest.mark.parametrize(("number", "unit"), [(4, 5), (5, 5), (6, 6), (8, 6), (9, 5), (10, 5)])
def test_an_amount_that_cannot_be_paid_at_the_stated_odds_is_refused(
    number: int, unit: int
) -> None:
    for stake in range(3001, 3000 + unit):
        refusal = turned_away(Table(MINI_DICE), f"place_{number}", stake)
        assert refusal.fault is Fault.NOT_PAYABLE
        assert f"it must be a multiple of {unit} cents" in refusal.message
        assert section(refusal) == "19:47-13.6"
    Table(MINI_DICE).bet("1", f"place_{number}", 3000 + unit)


@pytest.mark.cites("13.6(b)2")
def test_with_five_dollar_chips_place_4_goes_by_25_and_place_6_by_30_dollars() -> None:
    openings = {
        opening.wager.id: (opening.low, opening.step)
        for opening in Table(MINI_DICE, {"increment": 500}).openings("1")
    }

    assert openings["place_4"] == openings["place_5"] == (2500, 2500)
    assert openings["place_6"] == openings["place_8"] == (3000, 3000)
    assert openings["field"] == (500, 500)


@pytest.mark.cites("13.6(b)")
@pytest.mark.parametrize(
    ("odds", "wager", "total", "net"),
    [
        ("place_4: 2 to 1", "place_4", 4, 6000),
        ("place_4: 2 to 1", "place_10", 10, 5400),
        ("any_7: 5 to 1", "any_7", 7, 15000),
        ("field.twelve: 3 to 1", "field", 12, 9000),
        ("field.twelve: 3 to 1", "field", 2, 6000),
        ("over_7: 1 to 1", "over_7", 8, 3000),
    ],
)
def test_odds_above_the_minimum_may_be_posted(odds: str, wager: str, total: int, net: int) -> None:
    assert shake(total, wager, {"higher_odds": odds}) == ("win", net)


@pytest.mark.cites("13.6(b)")
@pytest.mark.parametrize(
    ("key", "odds", "least"),
    [
        ("place_4", "3 to 2", "9 to 5"),
        ("place_9", "1 to 1", "7 to 5"),
        ("place_6", "8 to 7", "7 to 6"),
        ("any_7", "7 to 2", "4 to 1"),
        ("field.two", "1 to 1", "2 to 1"),
        ("under_7", "9 to 10", "1 to 1"),
    ],
)
def test_odds_below_the_minimum_are_unlawful(key: str, odds: str, least: str) -> None:
    (violation,) = MINI_DICE.check({"higher_odds": {key: odds}})

    assert violation.message == f"{key} would pay {odds}, and it may pay no less than {least}"
    assert violation.cite.place == "19:47-13.6(b)"


@pytest.mark.cites("13.6(a)")
def test_odds_are_printed_with_to_and_never_with_for() -> None:
    (violation,) = MINI_DICE.check({"higher_odds": {"any_7": "6 for 1"}})

    assert "'6 for 1' are not odds: write them with \"to\"" in violation.message
    shown = {deal("mini-dice", [THROWS[n]], {f"place_{n}": 3000}).settled(f"place_{n}")["pays"]
             for n in PLACE}  # fmt: skip
    assert shown == {"9 to 5", "7 to 5", "7 to 6"}


# When wagers are made, and how much.


@pytest.mark.cites("13.2(b)")
def test_any_wager_may_be_made_before_each_shake_and_none_after_no_more_bets() -> None:
    table = Table(MINI_DICE)
    for wager in MINI_DICE.wagers:
        table.bet("1", wager.id, 3000)
    play = Play(table)

    for label, amount in [("field", 3500), ("place_6", 0), ("any_7", 500)]:
        refusal = turned_away(table, label, amount)
        assert refusal.fault is Fault.NO_MORE_BETS
        assert str(refusal.cite) == "19:47-13.2(b)"

    play.answer([1, 1])
    assert len(table.bets) == 10


@pytest.mark.cites("13.4")
@pytest.mark.parametrize(
    ("amount", "fault", "says"),
    [
        (499, Fault.BELOW_MINIMUM, "$4.99 on field is below the least it may be, $5"),
        (50_001, Fault.ABOVE_MAXIMUM, "$500.01 on field is above the most it may be, $500"),
        (-1, Fault.BAD_AMOUNT, "-1 is not a stake"),
        (5.0, Fault.BAD_AMOUNT, "5.0 is not a stake"),
        (None, Fault.BAD_AMOUNT, "None is not a stake"),
    ],
)
def test_a_stake_outside_the_posted_limits_is_refused(amount: Any, fault: Fault, says: str) -> None:
    refusal = turned_away(Table(MINI_DICE), "field", amount)

    assert refusal.fault is fault
    assert says in refusal.message
    assert section(refusal) == "19:47-8.2"


@pytest.mark.cites("13.1")
def test_seven_players_sit_at_the_table() -> None:
    table = Table(MINI_DICE)
    for seat in "1234567":
        table.bet(seat, "field", 500)

    refusal = turned_away(table, "field", 500, "8")

    assert refusal.fault is Fault.UNKNOWN_SEAT
    assert refusal.message == "there is no seat '8' here; the seats are 1 to 7"


# The procedure.


@pytest.mark.cites("13.5")
def test_a_player_shakes_the_dealer_calls_collects_and_pays_and_place_wagers_stay() -> None:
    wagers = {"place_6": 600, "field": 500, "over_7": 500}

    told = deal("mini-dice", [EIGHT], wagers)

    (played,) = told.rounds
    happened = [(event["kind"], event.get("text") or event.get("wager")) for event in
                played["events"] if event["kind"] != "wager"]  # fmt: skip
    assert happened == [
        ("step", "The shaker goes to seat 1"),
        ("announce", "No more bets"),
        ("step", "Seat 1 has two dice in the covered shaker"),
        ("step", "Seat 1 shakes it at least three times"),
        ("throw", None),
        ("announce", "3-5, total 8"),
        ("collect", "field"),
        ("pay", "over_7"),
    ]
    assert told.result("place_6") == ("standing", 0)


@pytest.mark.cites("13.5")
def test_without_a_wager_on_the_layout_a_player_shakes_and_no_seat_is_named() -> None:
    told = deal("mini-dice", [SEVEN], {})

    steps = [event["text"] for event in told.events("step")]
    assert steps == [
        "A player has two dice in the covered shaker",
        "A player shakes it at least three times",
    ]


@pytest.mark.cites("13.3", "13.5")
@pytest.mark.parametrize("throw", [[3], [3, 4, 1], [0, 3], [3, 7], [3, "4"], [3.0, 4], 7, None])
def test_two_dice_cannot_show_anything_but_two_faces(throw: Any) -> None:
    table = Table(MINI_DICE)
    table.bet("1", "field", 500)
    play = Play(table)
    refusal = not_answered(play, throw)
    assert refusal.fault is Fault.IMPOSSIBLE_OUTCOME
    assert refusal.message == (
        f"{throw!r} is not a throw of 2 dice: write 2 faces from 1 to 6, such as [3, 4]"
    )


def test_a_script_without_a_throw_says_how_many_are_missing() -> None:
    refusal = refused("mini-dice", [], {"field": 500})

    assert refusal.fault is Fault.BAD_SCRIPT
    assert refusal.message == "the script gives 0 draws and needs at least 1 more"


# The shaker.

Shake = tuple[list[int], Mapping[str, Any]]


def with_three_seats(*shakes: Shake) -> Told:
    """Seats 1, 3 and 6 keep a place wager that these shakes leave standing or renew."""
    rounds = []
    for throw, said in shakes:
        seats = {seat: {"wagers": {"place_6": 600}, "moves": said.get(seat, [])} for seat in "136"}
        irregular = said.get("irregularities", [])
        rounds.append({"draws": [throw], "seats": seats, "irregularities": irregular})
    return run({"game": "mini-dice", "rounds": rounds})


def shakers(told: Told) -> list[str]:
    """The seat that shook in each round."""
    steps = [[event["text"] for event in told.events("step", n)] for n in range(len(told.rounds))]
    shook = [[text for text in texts if "shakes" in text] for texts in steps]
    assert all(len(texts) == 1 for texts in shook)
    return [texts[0].removeprefix("Seat ")[0] for texts in shook]


@pytest.mark.cites("13.7")
def test_a_player_keeps_the_shaker_until_a_7() -> None:
    told = with_three_seats((EIGHT, {}), ([1, 1], {}), ([6, 6], {}), (EIGHT, {}))

    assert shakers(told) == ["1", "1", "1", "1"]


@pytest.mark.cites("13.7")
def test_on_a_7_the_shaker_passes_clockwise_to_the_next_player_with_a_wager() -> None:
    told = with_three_seats((SEVEN, {}), (SEVEN, {}), (EIGHT, {}), (SEVEN, {}), (EIGHT, {}))

    assert shakers(told) == ["1", "3", "6", "6", "1"]


@pytest.mark.cites("13.7")
def test_a_player_may_give_up_the_shaker_voluntarily() -> None:
    told = with_three_seats(
        (EIGHT, {"1": ["pass_shaker"]}), (EIGHT, {"3": ["keep"]}), (EIGHT, {"3": ["pass_shaker"]}),
        (EIGHT, {}),
    )  # fmt: skip

    assert shakers(told) == ["1", "3", "3", "6"]
    (decided,) = told.events("decision", 0)
    assert (decided["seat"], decided["move"]) == ("1", "pass_shaker")
    assert decided["citation"] == "19:47-13.7"


@pytest.mark.cites("13.7")
def test_only_the_player_who_has_the_shaker_may_give_it_up() -> None:
    with pytest.raises(Refusal) as caught:
        with_three_seats((EIGHT, {"3": ["pass_shaker"]}))

    assert caught.value.fault is Fault.BAD_SCRIPT
    assert caught.value.message == "seat 3 was never asked for its move 'pass_shaker'"


@pytest.mark.cites("13.7")
def test_after_a_7_the_shaker_is_passed_and_nobody_is_asked() -> None:
    with pytest.raises(Refusal) as caught:
        with_three_seats((SEVEN, {"1": ["pass_shaker"]}))

    assert caught.value.message == "seat 1 was never asked for its move 'pass_shaker'"


@pytest.mark.cites("13.7")
def test_a_player_with_the_shaker_may_do_nothing_but_keep_it_or_pass_it_on() -> None:
    table = Table(MINI_DICE)
    table.bet("1", "place_6", 600)
    play = Play(table)
    play.answer(EIGHT)
    play.answer(None)
    assert isinstance(play.request, Ask)

    with pytest.raises(Refusal) as caught:
        play.answer("throw it")

    assert caught.value.fault is Fault.ILLEGAL_MOVE
    assert caught.value.message == "seat 1 may keep, pass_shaker here, not 'throw it'"
    assert section(caught.value) == "19:47-13.7"
    play.answer("keep")
    assert play.request is None


@pytest.mark.cites("13.7")
def test_a_player_who_leaves_the_layout_loses_the_shaker() -> None:
    rounds = [
        {"draws": [EIGHT], "seats": {"2": {"wagers": {"field": 500}}, "5": {}}},
        {"draws": [EIGHT], "seats": {"5": {"wagers": {"field": 500}}}},
    ]

    assert shakers(run({"game": "mini-dice", "rounds": rounds})) == ["2", "5"]


@pytest.mark.cites("13.7", "13.8")
def test_given_a_player_who_misuses_the_shaker_then_it_goes_to_the_next_player() -> None:
    taken = [{"before_draw": 1, "kind": "shaker_taken"}]

    told = with_three_seats(
        (EIGHT, {"irregularities": taken}), (EIGHT, {}), (SEVEN, {}), (EIGHT, {})
    )

    (event,) = told.events("irregularity", 0)
    assert event["resolution"] == "The dealer gives the shaker to the next player"
    assert event["citation"] == "19:47-13.7 (customary)"
    assert "The shaker goes to seat 3" in [step["text"] for step in told.events("step", 0)]
    assert shakers(told)[1:] == ["3", "3", "6"]


@pytest.mark.cites("13.7")
def test_given_a_shaker_taken_before_the_shake_then_its_new_holder_may_give_it_up() -> None:
    """Seat 3 has the shaker when the dice are uncovered, so it is seat 3 that may pass it on."""
    taken = [{"before_draw": 1, "kind": "shaker_taken"}]

    told = with_three_seats((EIGHT, {"irregularities": taken, "3": ["pass_shaker"]}), (EIGHT, {}))

    (decided,) = told.events("decision", 0)
    assert decided["seat"] == "3"
    assert shakers(told)[1] == "6"


@pytest.mark.cites("13.7")
def test_given_a_shaker_taken_after_a_7_was_uncovered_then_it_has_moved_on_only_once() -> None:
    """Seat 3 is next after the seat that shook the 7, whether the dealer took the shaker or not."""
    taken = [{"before_draw": 2, "kind": "shaker_taken"}]

    told = with_three_seats((SEVEN, {"irregularities": taken}), (EIGHT, {}))

    assert shakers(told) == ["1", "3"]


# Irregularities.


@pytest.mark.cites("13.8")
@pytest.mark.parametrize(
    ("kind", "what"),
    [
        ("die_not_flat", "a die does not lie flat, or is out of the shaker"),
        ("not_shaken_in_view", "the shaker is not shaken three times"),
    ],
)
def test_given_an_invalid_shake_then_no_roll_and_bets_stand(kind: str, what: str) -> None:
    table = Table(MINI_DICE)
    table.bet("1", "field", 1000)
    play = Play(table)

    play.answer({"irregularity": kind})

    event = table.events[-1]
    assert what in event.data["what"]
    assert event.data["resolution"] == "No roll; the dice are shaken again"
    assert event.cite is not None
    assert event.cite.section == "19:47-13.8"
    assert isinstance(play.request, Draw)
    assert table.money == Counter({"1": -1000, "layout": 1000})
    play.answer([1, 1])
    play.answer(None)
    assert table.money["1"] == 2000


@pytest.mark.cites("13.8")
@pytest.mark.parametrize("kind", ["die_not_flat", "not_shaken_in_view"])
def test_no_roll_cannot_be_called_once_the_total_has_been_called(kind: str) -> None:
    late: Sequence[dict[str, Any]] = [{"before_draw": 2, "kind": kind}]

    refusal = refused("mini-dice", [SEVEN], {"field": 500}, irregularities=late)

    assert refusal.fault is Fault.BAD_SCRIPT
    assert "can only be reported before the outcome is known" in refusal.message
    assert section(refusal) == "19:47-13.8"


# What the wagers are worth.


@pytest.mark.cites("13.6(b)")
@pytest.mark.parametrize(
    ("wager", "edge"),
    [
        ("place_6", Fraction(1, 66)),
        ("place_8", Fraction(1, 66)),
        ("over_7", Fraction(1, 6)),
        ("under_7", Fraction(1, 6)),
    ],
)
def test_the_edge_is_the_published_one(wager: str, edge: Fraction) -> None:
    assert report(wager).house_edge == edge


@pytest.mark.cites("13.6(b)")
@pytest.mark.parametrize("label", ONE_SHAKE)
def test_the_exact_edge_of_a_one_shake_wager_is_that_of_all_36_throws_dealt_as_rounds(
    label: str,
) -> None:
    counted = -Fraction(sum(ways * rule_of(label)(total) for total, ways in WAYS.items()), 36)

    assert report(label).house_edge == edge_through_rounds("mini-dice", label) == counted


@pytest.mark.cites("13.6(b)")
@pytest.mark.parametrize("number", PLACE)
def test_the_exact_edge_of_a_place_wager_is_that_of_its_number_against_the_7(number: int) -> None:
    wins = Fraction(WAYS[number], WAYS[number] + WAYS[7])
    counted = (1 - wins) - wins * Fraction(*PLACE[number])

    assert report(f"place_{number}").house_edge == counted
    assert report(f"place_{number}").hit_frequency == wins


@pytest.mark.cites("13.6(b)")
@pytest.mark.parametrize(
    ("label", "odds"), [("any_7", "5 to 1"), ("field.twelve", "3 to 1"), ("over_7", "11 to 10")]
)
def test_better_odds_lower_the_exact_edge_as_they_do_at_the_table(label: str, odds: str) -> None:
    options, name = {"higher_odds": {label: odds}}, label.partition(".")[0]

    (better,) = analyze(MINI_DICE, MINI_DICE.options(options), [name])

    assert better.house_edge < report(name).house_edge
    assert better.house_edge == edge_through_rounds("mini-dice", name, options)


@pytest.mark.cites("13.6(b)")
@pytest.mark.parametrize("label", [wager.id for wager in MINI_DICE.wagers])
def test_the_outcomes_of_a_wager_close_to_one_and_none_is_a_push(label: str) -> None:
    assert sum(outcome.probability for outcome in report(label).outcomes) == 1
    assert report(label).push_frequency == 0
