"""Red dog, N.J.A.C. 19:47-6: two cards for the whole table, and will the third fall between?

Ranks, spreads and odds are written out here once more, from the rule sheet, so that a slip in
the game's own tables is seen.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.analysis import WagerReport, analyze
from croupier.games import find_game
from croupier.rulebook import Ask, Draw, Fault, Inspect, Play, Refusal, Table, by_chance, play_round
from croupier.simulation.streams import SeededStream
from tests.support import (
    Told,
    cited,
    deal,
    not_answered,
    refused,
    run,
    says,
    turned_away,
    unlawful,
)

RED_DOG = find_game("red-dog")

RANKS = "23456789TJQKA"
ODDS = {1: 5, 2: 4, 3: 2, **dict.fromkeys(range(4, 12), 1)}  # by spread, to 1
THREE_ALIKE = 11
FIRST_CARD, SECOND_CARD, THIRD_CARD, SETTLEMENT = 1, 2, 3, 4  # where a mishap is reported
SHOE_ERRORS = "6.7 (after S.D. 20:18:15:28)"
TERMS, CUSTOM = "6.5 (published)", "6.7 (customary)"
every_spread = pytest.mark.parametrize("spread", ODDS)


def dealt(cards: str, *moves: Any, **others: Any) -> Told:
    """Ten dollars of seat 1 against these cards: `dealt("3h 9d 5c", "call")`."""
    return deal("red-dog", cards.split(), {"original": 1000}, moves=moves, **others)


def cannot(cards: str, *moves: Any, **others: Any) -> Refusal:
    return refused("red-dog", cards.split(), {"original": 1000}, moves=moves, **others)


def before(draw: int, kind: str) -> dict[str, Any]:
    return {"irregularities": [{"before_draw": draw, "kind": kind}]}


def in_play(options: Mapping[str, Any] | None = None, stake: int = 1000) -> Table:
    """A table in the middle of its shoe, with ten dollars of seat 1 on it."""
    table = Table(RED_DOG, options)
    table.state = RED_DOG.in_play(table.state)
    table.bet("1", "original", stake)
    return table


def answered(table: Table, *answers: Any) -> Play:
    play = Play(table)
    for answer in answers:
        play.answer(answer)
    return play


def said_of(first: str, second: str) -> str:
    """What the dealer says when these two cards lie face up."""
    table = in_play()
    answered(table, first, second)
    text: str = table.events[-1].data["text"]
    return text


def with_spread(spread: int) -> str:
    """Two cards with so many ranks between them."""
    return f"2h {RANKS[spread + 1]}d"


def rule(first: str, second: str, third: str) -> tuple[str, int]:
    """What the sheet says of these ranks: the result, and what it wins for 1."""
    low, high = sorted(map(RANKS.index, (first, second)))
    between = RANKS[low + 1 : high]
    if low == high:
        return ("win", THREE_ALIKE) if third == first else ("push", 0)
    if not between:
        return "push", 0
    return ("win", ODDS[len(between)]) if third in between else ("lose", -1)


def steps(told: Told, round: int = -1) -> list[tuple[str, str]]:
    return [(step["text"], cited(step)) for step in told.events("step", round)]


# The cards: the ace is high, and suits do not matter.


@pytest.mark.cites("6.1", "6.5")
@pytest.mark.parametrize(
    ("cards", "said"),
    [
        ("Kh Ad", "Consecutive cards: a tie"),
        ("Ah 2d", "The spread is 11"),
        ("2h 3d", "Consecutive cards: a tie"),
        ("Th Jd", "Consecutive cards: a tie"),
        ("9h Jd", "The spread is 1"),
        ("Qh Ad", "The spread is 1"),
        ("7h 7d", "A pair: no raise"),
        ("Ah Ad", "A pair: no raise"),
        ("3h Kd", "The spread is 9"),
    ],
)
def test_the_dealer_calls_the_first_two_cards(cards: str, said: str) -> None:
    first, second = cards.split()

    assert said_of(first, second) == said_of(second, first) == said


@pytest.mark.cites("6.1", "6.5")
@pytest.mark.parametrize("first", RANKS)
def test_the_spread_is_the_number_of_ranks_between_with_the_ace_high(first: str) -> None:
    for second in RANKS:
        low, high = sorted(map(RANKS.index, (first, second)))
        between = len(RANKS[low + 1 : high])
        said = f"The spread is {between}"
        if between == 0:
            said = "A pair: no raise" if first == second else "Consecutive cards: a tie"

        assert said_of(f"{first}h", f"{second}d") == said


@pytest.mark.cites("6.1(a)")
def test_suits_do_not_matter() -> None:
    hands = ["3h 9h 5h", "3h 9d 5c", "3c 9s 5d", "3s 9s 5s"]

    nets = {dealt(cards, {"raise": 1000}).net() for cards in hands}

    assert nets == {2000}


@pytest.mark.cites("6.1(a)")
@pytest.mark.parametrize("decks", [1, 2, 6, 8, 20])
def test_the_shoe_holds_at_least_one_deck_of_52_cards(decks: int) -> None:
    shoe = Table(RED_DOG, {"decks": decks}).equipment
    deck = [rank + suit for rank, suit in product(RANKS, "cdhs")]

    assert Counter(map(str, shoe.composition)) == Counter(deck * decks)


@pytest.mark.cites("6.1(a)")
def test_without_a_deck_there_is_no_table() -> None:
    assert unlawful("red-dog", {"decks": 0}) == [("decks", "6.1(a)")]


@pytest.mark.cites("6.1(a)")
def test_of_one_deck_no_card_comes_twice() -> None:
    refusal = cannot("7h 7d 7h", options={"decks": 1})

    says(refusal, Fault.IMPOSSIBLE_OUTCOME, "no seven of hearts (7h) is left in the shoe")
    assert dealt("7h 7h 7h", options={"decks": 3}).net() == 11_000


# The wagers and what they pay.


@pytest.mark.cites("6.5")
def test_only_the_original_wager_and_a_raise_are_permitted() -> None:
    assert [wager.id for wager in RED_DOG.wagers] == ["original", "raise"]
    says(turned_away(Table(RED_DOG), "pair"), Fault.UNKNOWN_WAGER, "has no wager 'pair'", "6.1")


@pytest.mark.cites("6.5")
@every_spread
def test_a_third_card_between_the_two_wins_at_the_odds_of_the_spread(spread: int) -> None:
    for between in RANKS[1 : spread + 1]:
        told = dealt(f"{with_spread(spread)} {between}c", {"raise": 400})

        assert told.result("original") == ("win", 1000 * ODDS[spread])
        assert told.result("raise") == ("win", 400 * ODDS[spread])
        assert told.settled("original")["pays"] == f"{ODDS[spread]} to 1"
        assert told.said()[-1] == "Between: players win"


@pytest.mark.cites("6.5")
@every_spread
def test_a_third_card_outside_or_like_one_of_the_two_loses_both_wagers(spread: int) -> None:
    for outside in "2" + RANKS[spread + 1 :]:
        told = dealt(f"{with_spread(spread)} {outside}c", {"raise": 400})

        assert told.result("original") == ("lose", -1000)
        assert told.result("raise") == ("lose", -400)
        assert told.said()[-1] == "Not between: players lose"


@pytest.mark.cites("6.5")
def test_consecutive_cards_are_a_tie_without_a_raise_or_a_third_card() -> None:
    told = dealt("Kh Ad")

    assert told.result("original") == ("push", 0)
    assert told.settled("original")["line"] == "consecutive"
    assert told.said() == ["No more bets", "Consecutive cards: a tie"]
    assert told.events("decision") == []


@pytest.mark.cites("6.5")
def test_a_pair_gets_a_third_card_and_three_of_a_kind_pay_11_to_1() -> None:
    told = dealt("7h 7d 7c")

    assert told.result("original") == ("win", 11_000)
    assert told.said()[1:] == ["A pair: no raise", "Three of a kind"]
    assert told.events("decision") == []


@pytest.mark.cites("6.5")
@pytest.mark.parametrize("third", [rank for rank in RANKS if rank != "7"])
def test_a_pair_and_another_card_return_the_wager(third: str) -> None:
    told = dealt(f"7h 7d {third}c")

    assert told.result("original") == ("push", 0)
    assert told.settled("original")["line"] == "pair"
    assert told.said()[-1] == "Not three of a kind: wagers are returned"


@pytest.mark.cites("6.5")
def test_three_of_a_kind_is_paid_on_the_original_wager_only() -> None:
    options = RED_DOG.options()
    spreads = {"spread_1", "spread_2", "spread_3", "spread_4_to_11"}

    assert set(RED_DOG.by_id["original"].minimum(options)) == spreads | {"three_of_a_kind"}
    assert set(RED_DOG.by_id["raise"].minimum(options)) == spreads


@pytest.mark.cites("6.5")
@pytest.mark.parametrize("first", RANKS)
def test_every_three_ranks_come_out_as_the_rule_says(first: str) -> None:
    """Dealt as rounds, with a raise of four dollars wherever it may be made."""
    for second, third in product(RANKS, repeat=2):
        table = in_play()
        play = answered(table, f"{first}h", f"{second}d")
        raised = isinstance(play.request, Ask)
        if raised:
            play.answer({"raise": 400})
        if isinstance(play.request, Draw):
            play.answer(f"{third}c")
        play.answer(None)

        result, for_one = rule(first, second, third)
        assert {settled.result.value for settled in table.settlements} == {result}
        assert table.money["1"] == for_one * (1400 if raised else 1000)
        assert raised == (abs(RANKS.index(first) - RANKS.index(second)) > 1)


@pytest.mark.cites("6.5")
@pytest.mark.parametrize(
    ("better", "cards", "moves", "wins"),
    [
        ({"original.three_of_a_kind": "12 to 1"}, "7h 7d 7c", [], 12_000),
        ({"original.spread_1": "6 to 1"}, "7h 9d 8c", ["call"], 6000),
        ({"raise.spread_3": "5 to 2"}, "5h 9d 8c", [{"raise": 1000}], 2000 + 2500),
    ],
)
def test_a_table_may_pay_more(
    better: dict[str, str], cards: str, moves: Sequence[Any], wins: int
) -> None:
    assert dealt(cards, *moves, options={"higher_odds": better}).net() == wins


@pytest.mark.cites("6.5")
@pytest.mark.parametrize(
    "worse",
    [
        {"original.three_of_a_kind": "10 to 1"},
        {"original.spread_1": "4 to 1"},
        {"raise.spread_2": "3 to 1"},
        {"raise.spread_4_to_11": "9 to 10"},
        {"original": "5 to 1"},  # three of a kind would pay too little
    ],
)
def test_a_table_may_not_pay_less(worse: dict[str, str]) -> None:
    assert unlawful("red-dog", {"higher_odds": worse}) == [("higher_odds", TERMS)]


@pytest.mark.cites("6.5")
def test_a_raise_that_could_not_be_paid_exactly_is_refused() -> None:
    """At 3 to 2 an odd cent would win a half: the table asks for even cents or none."""
    posted = {"higher_odds": {"raise.spread_4_to_11": "3 to 2"}}

    refusal = cannot("3h 9d 5c", {"raise": 501}, options=posted)

    assert refusal.fault in (Fault.ILLEGAL_MOVE, Fault.NOT_PAYABLE)
    assert dealt("3h 9d 5c", {"raise": 500}, options=posted).result("raise") == ("win", 750)


@pytest.mark.cites("6.5")
def test_posted_limits_hold_for_the_original_wager() -> None:
    table = Table(RED_DOG, {"table_min": 1000, "table_max": 5000})

    assert turned_away(table, "original", 999).fault is Fault.BELOW_MINIMUM
    assert turned_away(table, "original", 5001).fault is Fault.ABOVE_MAXIMUM
    assert turned_away(table, "original", 0).fault is Fault.NOT_NOW


@pytest.mark.cites("6.5")
def test_no_wager_is_made_after_no_more_bets() -> None:
    table = in_play()
    play = answered(table, "3h")

    says(turned_away(table, "original", 2000), Fault.NO_MORE_BETS, "No more bets", TERMS)
    says(turned_away(table, "original", 1000, seat="2"), Fault.NO_MORE_BETS, "", TERMS)
    assert isinstance(play.request, Draw)


# The raise.


@pytest.mark.cites("6.5")
@pytest.mark.parametrize("raised", [1, 999, 1000])
def test_a_raise_is_any_amount_up_to_the_original_even_below_the_minimum(raised: int) -> None:
    told = dealt("3h 9d 5c", {"raise": raised}, options={"table_min": 1000})

    assert told.result("raise") == ("win", raised)
    assert told.net() == 1000 + raised


@pytest.mark.cites("6.5")
def test_a_call_adds_no_money() -> None:
    told = dealt("3h 9d Kc", "call")

    assert told.net() == -1000
    assert [wager["wager"] for wager in told.events("wager")] == ["original"]


@pytest.mark.cites("6.5")
@pytest.mark.parametrize(
    ("move", "words"),
    [
        ({"raise": 1001}, "seat 1 may raise (1 to 1000 cents), not 1001"),
        ({"raise": 0}, "seat 1 may raise (1 to 1000 cents), not 0"),
        ({"raise": -500}, "not -500"),
        ({"raise": True}, "not True"),
        ({"raise": 500.0}, "not 500.0"),
        ("raise", "not None"),
        ({"call": 500}, "seat 1 may call, not 500"),
        ("fold", "seat 1 may call, raise (1 to 1000 cents) here, not 'fold'"),
    ],
)
def test_any_other_raise_is_refused(move: Any, words: str) -> None:
    play = answered(in_play(), "3h", "9d")

    says(not_answered(play, move), Fault.ILLEGAL_MOVE, words, TERMS)


@pytest.mark.cites("6.5")
@pytest.mark.parametrize("other", [1, 500, 999, 1001])
def test_where_a_raise_equals_the_original_no_other_amount_is_taken(other: int) -> None:
    exactly = {"raise_amount": "exactly_original"}

    refusal = cannot("3h 9d 5c", {"raise": other}, options=exactly)

    says(refusal, Fault.ILLEGAL_MOVE, "raise (1000 to 1000 cents)", TERMS)
    assert dealt("3h 9d 5c", {"raise": 1000}, options=exactly).net() == 2000
    assert dealt("3h 9d 5c", "call", options=exactly).net() == 1000


@pytest.mark.cites("6.5")
def test_a_raise_is_a_multiple_of_the_increment() -> None:
    posted = {"increment": 250}

    refusal = cannot("3h 9d 5c", {"raise": 300}, options=posted)

    says(refusal, Fault.ILLEGAL_MOVE, "not 300", TERMS)
    assert dealt("3h 9d 5c", {"raise": 250}, options=posted).result("raise") == ("win", 250)


@pytest.mark.cites("6.5")
@pytest.mark.parametrize("cards", ["7h 7d 2c", "7h 8d", "Kh Ad"])
def test_nobody_raises_on_a_pair_or_on_consecutive_cards(cards: str) -> None:
    refusal = cannot(cards, {"raise": 1000})

    says(refusal, Fault.BAD_SCRIPT, "seat 1 was never asked for its move {'raise': 1000}", "6.1")


@pytest.mark.cites("6.5")
def test_a_raise_is_not_a_wager_to_be_made_before_the_cards() -> None:
    table = Table(RED_DOG)
    table.bet("1", "original", 1000)

    says(turned_away(table, "raise"), Fault.NOT_NOW, "after the spread is announced", TERMS)
    assert "raise" not in [opening.wager.id for opening in table.openings("1")]


@pytest.mark.cites("6.5")
def test_a_player_must_call_or_raise() -> None:
    words = "seat 1 must call or raise (1 to 1000 cents)"

    says(cannot("3h 9d 5c"), Fault.BAD_SCRIPT, words, TERMS)


@pytest.mark.cites("6.5")
def test_an_unknown_way_to_raise_is_unlawful() -> None:
    assert unlawful("red-dog", {"raise_amount": "any"}) == [("raise_amount", TERMS)]


# Several players, one hand of cards.


def three_players(cards: str, **others: Any) -> Told:
    seats = {
        "5": {"wagers": {"original": 2000}, "moves": [{"raise": 500}]},
        "2": {"wagers": {"original": 1000}, "moves": ["call"]},
        "7": {"wagers": {"original": 3000}, "moves": [{"raise": 3000}]},
    }
    return deal("red-dog", cards.split(), seats=seats, **others)


def money(told: Told, kind: str) -> list[tuple[str, str, int]]:
    return [(event["seat"], event["wager"], event["amount"]) for event in told.events(kind)]


@pytest.mark.cites("6.5")
def test_all_players_share_the_three_cards() -> None:
    told = three_players("5h 9d 8c")

    assert len(told.events("draw")) == 3
    assert [told.net(seat) for seat in "257"] == [2000, 5000, 12_000]


@pytest.mark.cites("6.5")
def test_players_raise_in_turn_from_the_dealers_left() -> None:
    told = three_players("5h 9d 8c")

    assert [(asked["seat"], asked["move"]) for asked in told.events("decision")] == [
        ("2", "call"), ("5", "raise"), ("7", "raise"),
    ]  # fmt: skip


@pytest.mark.cites("6.5")
def test_winners_are_paid_from_the_dealers_right() -> None:
    assert money(three_players("5h 9d 8c"), "pay") == [
        ("7", "original", 6000), ("7", "raise", 6000),
        ("5", "original", 4000), ("5", "raise", 1000),
        ("2", "original", 2000),
    ]  # fmt: skip


@pytest.mark.cites("6.5")
def test_losers_are_collected_from_the_dealers_right() -> None:
    assert money(three_players("5h 9d 9c"), "collect") == [
        ("7", "original", 3000), ("7", "raise", 3000),
        ("5", "original", 2000), ("5", "raise", 500),
        ("2", "original", 1000),
    ]  # fmt: skip


@pytest.mark.cites("6.5")
def test_the_cards_go_to_the_discard_rack_after_the_round() -> None:
    table = in_play()

    answered(table, "3h", "9d", "call", "5c", None)

    assert list(map(str, table.equipment.discard_rack)) == ["3h", "9d", "5c"]
    assert table.equipment.on_layout == []
    assert len(table.equipment.stub) == 309


# Betting areas.


def at_areas(*areas: str, **options: Any) -> Told:
    """Ann bets at each of these areas, and a pair and a stranger return her wagers."""
    seats = {area: {"player": "Ann", "wagers": {"original": 1000}} for area in areas}
    return deal("red-dog", ["7h", "7d", "2c"], seats=seats, options=options)


@pytest.mark.cites("6.8")
def test_a_player_has_one_area_unless_the_licensee_allows_more() -> None:
    with pytest.raises(Refusal) as caught:
        at_areas("1", "4")

    words = "a player may have 1 betting area at this table, and has 1 already"
    says(caught.value, Fault.NOT_NOW, words, "6.8 (customary)")


@pytest.mark.cites("6.8")
def test_where_it_is_allowed_a_player_wagers_on_several_areas() -> None:
    told = at_areas("1", "4", "6", areas_per_player=3)

    assert [told.result("original", seat) for seat in "146"] == [("push", 0)] * 3
    with pytest.raises(Refusal) as caught:
        at_areas("1", "4", "6", "7", areas_per_player=3)
    says(caught.value, Fault.NOT_NOW, "3 betting areas at this table", "6.8 (customary)")


@pytest.mark.cites("6.8")
def test_a_player_keeps_his_area_from_round_to_round_and_may_change_it_when_he_has_left() -> None:
    ann = {"player": "Ann", "wagers": {"original": 1000}}
    pair = {"draws": ["7h", "7d", "2c"]}
    rounds = [
        {**pair, "seats": {"1": ann}},
        {**pair, "seats": {"1": {**ann, "leaves": True}}},
        {**pair, "seats": {"5": ann}},
    ]

    told = run({"game": "red-dog", "rounds": rounds})

    assert [told.result("original", "1", 1), told.result("original", "5", 2)] == [("push", 0)] * 2


@pytest.mark.cites("6.8")
def test_an_area_has_one_player() -> None:
    table = Table(RED_DOG)
    table.sit("3", "Ann")

    with pytest.raises(Refusal) as caught:
        table.sit("3", "Bob")
    says(caught.value, Fault.NOT_NOW, "seat 3 is Ann's", "6.1")


@pytest.mark.cites("6.8")
@pytest.mark.parametrize("areas", [0, 8])
def test_a_player_has_from_one_area_to_all_seven(areas: int) -> None:
    wrong = unlawful("red-dog", {"areas_per_player": areas})

    assert wrong == [("areas_per_player", "6.8 (customary)")]


@pytest.mark.cites("6.8")
def test_a_player_may_not_be_allowed_more_areas_than_there_are() -> None:
    wrong = unlawful("red-dog", {"positions": 3, "areas_per_player": 4})

    assert wrong == [("areas_per_player", "6.8 (customary)")]


@pytest.mark.cites("6.5")
def test_the_table_has_as_many_areas_as_the_licensee_has_chosen() -> None:
    assert Table(RED_DOG).positions == list("1234567")
    small = Table(RED_DOG, {"positions": 3})

    assert small.positions == list("123")
    words = "there is no seat '4' here; the seats are 1 to 3"
    says(turned_away(small, "original", seat="4"), Fault.UNKNOWN_SEAT, words, "6.1")


@pytest.mark.cites("6.5")
@pytest.mark.parametrize("positions", [0, 8])
def test_a_table_has_one_to_seven_areas(positions: int) -> None:
    assert unlawful("red-dog", {"positions": positions}) == [("positions", "6.5 (customary)")]


# The shuffle.


OPENING = ("The cards are inspected, spread face up and washed", "6.2 (customary)")
SHUFFLE = ("The dealer shuffles the cards", "6.3 (customary)")
DEALER_CUTS = ("The dealer cuts the cards", "6.3 (customary)")
CUT_CARD = ("The cut card goes about a quarter from the back", "6.3 (customary)")
BURN = ("One card is burnt", "6.4 (customary)")
PICK_UP = ("The cards are picked up", TERMS)


def opened(options: Mapping[str, Any] | None = None) -> Table:
    """A table that is just being opened, with wagers at seats 2 and 5."""
    table = Table(RED_DOG, options)
    for seat in ("5", "2"):
        table.bet(seat, "original", 1000)
    return table


def done(table: Table) -> list[tuple[str, str]]:
    """The steps of this round so far, with their rules."""
    found = [event for event in table.events if event.kind == "step"]
    return [(each.data["text"], str(each.cite).removeprefix("19:47-")) for each in found]


@pytest.mark.cites("6.2", "6.3", "6.4")
def test_a_table_is_opened_with_inspection_shuffle_cut_and_burn() -> None:
    table = opened()

    answered(table, "decline", "decline", "Qs", "7h")

    assert done(table) == [OPENING, SHUFFLE, DEALER_CUTS, CUT_CARD, BURN]
    assert list(map(str, table.equipment.burnt)) == ["Qs"]


@pytest.mark.cites("6.3")
def test_the_cut_is_offered_from_the_dealers_left_ten_cards_or_more_from_either_end() -> None:
    table = opened()
    play = Play(table)

    assert isinstance(play.request, Ask)
    assert play.request.seat == "2"
    for cards in (9, 303):
        refusal = not_answered(play, {"cut": cards})
        says(refusal, Fault.ILLEGAL_MOVE, "cut (10 to 302 cards)", "6.3 (customary)")
    play.answer("decline")
    assert isinstance(play.request, Ask)
    assert play.request.seat == "5"
    play.answer({"cut": 302})
    assert isinstance(play.request, Draw)
    assert table.state.cutter == "5"
    assert done(table) == [OPENING, SHUFFLE, CUT_CARD]


@pytest.mark.cites("6.4")
def test_the_burnt_card_is_unseen() -> None:
    table = opened()
    answered(table, {"cut": 100}, "Qs", "7h")

    for seat in ("2", "5", None):
        shown = [event for event in table.view(seat)["events"] if event["kind"] in "draw look"]
        assert shown == [
            {"kind": "draw", "to": "burn", "face_down": True},
            {"kind": "draw", "to": "first", "outcome": "7h"},
        ]


@pytest.mark.cites("6.3")
def test_a_shoe_ends_with_the_round_in_which_the_cut_card_comes_out() -> None:
    """Of one deck 13 cards lie behind it: a round that begins with 14 is finished, the last."""
    table = Table(RED_DOG, {"decks": 1})
    shoe = table.equipment
    stream = SeededStream(6)
    left = []
    for _ in range(60):
        table.open_betting()
        table.bet("1", "original", 1000)
        was_shuffled = table.state.shuffle_due
        play_round(table, by_chance(stream))
        assert (SHUFFLE in done(table)) == was_shuffled
        left.append(len(shoe.stub))
        if len(shoe.stub) != 13:
            assert table.state.shuffle_due == (len(shoe.stub) < 13)

    assert min(left) >= 11
    assert sum(number <= 13 for number in left) > 2


@pytest.mark.cites("6.2", "6.3", "6.4")
def test_where_the_shoe_ends_the_next_round_begins_with_a_shuffle_but_no_inspection() -> None:
    table = in_play({"decks": 1})
    for card in table.equipment.stub[:40]:
        table.equipment.take(card)
        table.equipment.discard([card])
    play_round(table, by_chance(SeededStream(1)))
    assert len(table.equipment.everywhere) == 52

    table.open_betting()
    table.bet("1", "original", 1000)
    play = answered(table, "decline", "Qs", "7h")

    assert done(table)[:4] == [SHUFFLE, DEALER_CUTS, CUT_CARD, BURN]
    assert len(table.equipment.stub) == 50
    assert isinstance(play.request, Draw)


@pytest.mark.cites("6.3", "6.4")
def test_where_every_round_is_shuffled_each_begins_with_a_full_shoe() -> None:
    pair = {"seats": {"1": {"wagers": {"original": 1000}}}}
    rounds = [
        {**pair, "draws": ["7h", "7d", "2c"]},
        {**pair, "draws": ["7h", "7d", "7c", "7s"]},
    ]
    table = {"decks": 1, "shuffle": "after_every_round"}

    told = run({"game": "red-dog", "options": table, "rounds": rounds})

    assert steps(told, 0) == [PICK_UP]
    assert steps(told, 1) == [SHUFFLE, DEALER_CUTS, CUT_CARD, BURN, PICK_UP]
    assert told.net() == 11_000


@pytest.mark.cites("6.9")
def test_a_continuous_device_takes_the_cards_back_before_every_round() -> None:
    """No cut and no burn: the same three cards of one deck may come again at once."""
    table = Table(RED_DOG, {"decks": 1, "shuffle": "continuous_device"})
    for first in (True, False):
        table.open_betting()
        table.bet("1", "original", 1000)

        answered(table, "7h", "7d", "7c", None)

        device = ("The cards go into the continuous shuffling device", "6.9")
        assert done(table) == ([OPENING, device] if first else []) + [PICK_UP]
    assert table.money["1"] == 22_000


@pytest.mark.cites("6.9")
def test_another_way_to_shuffle_is_unlawful() -> None:
    assert unlawful("red-dog", {"shuffle": "never"}) == [("shuffle", "6.9")]


# Irregularities.


def mishap(told: Told) -> tuple[str, str]:
    """What the one irregularity was answered with, and by which rule."""
    (event,) = told.events("irregularity")
    return event["resolution"], cited(event)


@pytest.mark.cites("6.7")
@pytest.mark.parametrize("draw", [FIRST_CARD, SECOND_CARD, THIRD_CARD, SETTLEMENT])
def test_given_a_card_face_up_in_the_shoe_then_it_is_not_used(draw: int) -> None:
    cards = "3h 9d 5c".split()
    cards.insert(draw - 1, "As")

    told = dealt(" ".join(cards), "call", **before(draw, "card_face_up"))

    assert told.result("original") == ("win", 1000)
    assert mishap(told) == ("It is not used, and is discarded", SHOE_ERRORS)
    assert {"kind": "draw", "outcome": "As", "to": "discards"} in told.events("draw")


@pytest.mark.cites("6.7")
def test_given_a_card_face_up_then_it_lies_in_the_discard_rack_at_once() -> None:
    """So that it is shuffled with the other discards if the shoe runs out in this round."""
    table = in_play()

    play = answered(table, "3h", {"irregularity": "card_face_up"}, "As")

    assert isinstance(play.request, Draw)
    assert list(map(str, table.equipment.discard_rack)) == ["As"]


@pytest.mark.cites("6.7")
@pytest.mark.parametrize("draw", [FIRST_CARD, SECOND_CARD, THIRD_CARD])
def test_given_an_unexposed_card_drawn_in_error_then_it_is_the_next_card(draw: int) -> None:
    told = dealt("3h 9d 5c", "call", **before(draw, "card_drawn_in_error"))

    assert mishap(told) == ("It is used as the next card", SHOE_ERRORS)
    assert [card["outcome"] for card in told.events("draw")] == ["3h", "9d", "5c"]
    assert told.net() == 1000


@pytest.mark.cites("6.7")
@pytest.mark.parametrize("draw", [FIRST_CARD, SECOND_CARD])
def test_given_an_exposed_card_when_the_first_or_second_was_due_then_it_is_that_card(
    draw: int,
) -> None:
    told = dealt("3h 9d 5c", "call", **before(draw, "card_drawn_in_error_exposed"))

    assert mishap(told) == ("It is used as that card", CUSTOM)
    assert told.net() == 1000


@pytest.mark.cites("6.7")
def test_given_a_third_card_exposed_before_all_have_raised_then_it_is_burnt() -> None:
    """The five would have won; it is burnt, and the queen loses."""
    table = in_play()

    early = {"irregularity": "third_card_exposed_early"}
    answered(table, "3h", "9d", {"raise": 1000}, early, "5c", "Qs", None)

    (event,) = [event for event in table.events if event.kind == "irregularity"]
    assert str(event.cite) == "19:47-6.7 (customary)"
    assert list(map(str, table.equipment.burnt)) == ["5c"]
    assert list(map(str, table.equipment.discard_rack)) == ["3h", "9d", "Qs"]
    assert table.money["1"] == -2000


@pytest.mark.cites("6.7")
def test_given_a_third_card_after_a_consecutive_hand_then_it_is_burnt() -> None:
    told = dealt("8h 9d Kc", **before(THIRD_CARD, "third_card_after_consecutive"))

    assert mishap(told) == ("It is burnt", CUSTOM)
    assert told.result("original") == ("push", 0)
    assert told.events("draw")[-1] == {"kind": "draw", "outcome": "Kc", "to": "burn"}


@pytest.mark.cites("6.7")
def test_given_a_spread_marked_wrongly_then_raises_may_be_withdrawn_or_changed() -> None:
    wrong = before(THIRD_CARD, "spread_marked_wrong")
    seats = {
        "1": {"wagers": {"original": 1000}, "moves": [{"raise": 1000}, "call"]},
        "2": {"wagers": {"original": 1000}, "moves": ["call", {"raise": 300}]},
        "3": {"wagers": {"original": 1000}, "moves": [{"raise": 600}, {"raise": 600}]},
    }

    told = deal("red-dog", ["3h", "9d", "5c"], seats=seats, **wrong)

    assert money(told, "refund") == [("1", "raise", 1000), ("3", "raise", 600)]
    assert [told.net(seat) for seat in "123"] == [1000, 1300, 1600]
    assert [asked["seat"] for asked in told.events("decision")] == ["1", "2", "3"] * 2


@pytest.mark.cites("6.7")
def test_given_a_spread_found_wrong_after_the_third_card_then_the_cards_speak() -> None:
    told = dealt("3h 9d 5c", {"raise": 1000}, **before(SETTLEMENT, "spread_marked_wrong"))

    assert mishap(told)[1] == CUSTOM
    assert told.net() == 2000
    assert told.events("refund") == []


@pytest.mark.cites("6.7")
@pytest.mark.parametrize("draw", [FIRST_CARD, SECOND_CARD, THIRD_CARD, SETTLEMENT])
def test_given_a_missing_or_extra_card_then_the_round_is_void_and_the_cards_are_replaced(
    draw: int,
) -> None:
    table = in_play()
    answers = ["3h", "9d", {"raise": 700}, "5c"][: draw + (draw > 2) - 1]

    play = answered(table, *answers, {"irregularity": "wrong_number_of_cards"})

    assert play.request is None
    assert table.is_void
    assert table.money == Counter({"1": 0, "layout": 0})
    assert {str(settled.cite) for settled in table.settlements} == {"19:47-6.7 (customary)"}
    table.open_betting()
    table.bet("1", "original", 1000)
    answered(table, "decline", "Qs")
    assert SHUFFLE in done(table)
    assert len(table.equipment.stub) == 311


@pytest.mark.cites("6.7")
def test_given_too_few_cards_then_the_discards_are_shuffled_and_the_layout_stays() -> None:
    """Of one deck, 3h and 9d are the last cards; the third card comes from the other fifty."""
    table = in_play({"decks": 1})
    shoe = table.equipment
    for card in shoe.stub:
        if str(card) not in ("3h", "9d"):
            shoe.take(card)
            shoe.discard([card])

    play = answered(table, "3h", "9d", "call")

    (event,) = [event for event in table.events if event.kind == "irregularity"]
    assert event.data["irregularity"] == "too_few_cards"
    assert str(event.cite) == f"19:47-{SHOE_ERRORS}"
    assert len(shoe.stub) == 50
    assert not_answered(play, "3h").fault is Fault.IMPOSSIBLE_OUTCOME
    assert sorted(shoe.everywhere) == sorted(shoe.composition)
    play.answer("5c")
    play.answer(None)
    assert table.money["1"] == 1000


@pytest.mark.cites("6.9")
def test_given_a_shuffler_that_fails_then_the_cards_are_shuffled_otherwise() -> None:
    device = {"shuffle": "continuous_device"}

    told = dealt("3h 9d 5c", "call", options=device, **before(THIRD_CARD, "shuffler_fails"))

    resolution = "The cards are shuffled by the approved procedure"
    assert mishap(told) == (resolution, "6.9 (customary)")
    assert told.net() == 1000


@pytest.mark.cites("6.9")
@pytest.mark.parametrize("shuffle", ["per_shoe", "after_every_round"])
def test_where_the_dealer_shuffles_no_shuffler_can_fail(shuffle: str) -> None:
    by_hand = {"shuffle": shuffle}

    refusal = cannot("3h 9d 5c", "call", options=by_hand, **before(SECOND_CARD, "shuffler_fails"))

    says(refusal, Fault.NOT_NOW, "shuffler_fails cannot be reported now", "6.9 (customary)")


CANNOT_BE: list[tuple[str, str, list[Any], int, str, str]] = [
    ("card_drawn_in_error", "3h 9d 5c", ["call"], SETTLEMENT, "no card is due", SHOE_ERRORS),
    ("card_drawn_in_error", "8h 9d", [], THIRD_CARD, "no card is due", SHOE_ERRORS),
    ("card_drawn_in_error_exposed", "3h 9d 5c", ["call"], THIRD_CARD, "two cards lie", CUSTOM),
    ("card_drawn_in_error_exposed", "3h 9d 5c", ["call"], SETTLEMENT, "two cards lie", CUSTOM),
    ("third_card_exposed_early", "3h 9d 5c", ["call"], FIRST_CARD, "not about to be", CUSTOM),
    ("third_card_exposed_early", "3h 9d 5c", ["call"], SECOND_CARD, "not about to be", CUSTOM),
    ("third_card_exposed_early", "3h 9d 5c", ["call"], SETTLEMENT, "not about to be", CUSTOM),
    ("third_card_exposed_early", "7h 7d 5c", [], THIRD_CARD, "after a spread", CUSTOM),
    ("third_card_exposed_early", "8h 9d", [], THIRD_CARD, "after a spread", CUSTOM),
    ("third_card_after_consecutive", "8h 9d", [], SECOND_CARD, "not consecutive", CUSTOM),
    ("third_card_after_consecutive", "3h 9d 5c", ["call"], THIRD_CARD, "not consecutive", CUSTOM),
    ("third_card_after_consecutive", "3h 9d 5c", ["call"], SETTLEMENT, "not consecutive", CUSTOM),
    ("third_card_after_consecutive", "7h 7d 5c", [], SETTLEMENT, "not consecutive", CUSTOM),
    ("spread_marked_wrong", "3h 9d 5c", ["call"], FIRST_CARD, "there is no spread", CUSTOM),
    ("spread_marked_wrong", "3h 9d 5c", ["call"], SECOND_CARD, "there is no spread", CUSTOM),
    ("spread_marked_wrong", "7h 7d 5c", [], THIRD_CARD, "there is no spread", CUSTOM),
    ("spread_marked_wrong", "8h 9d", [], THIRD_CARD, "there is no spread", CUSTOM),
]  # fmt: skip


@pytest.mark.cites("6.7")
@pytest.mark.parametrize(("kind", "cards", "moves", "draw", "why", "cite"), CANNOT_BE)
def test_what_cannot_have_happened_now_is_refused(
    kind: str, cards: str, moves: Sequence[Any], draw: int, why: str, cite: str
) -> None:
    refusal = cannot(cards, *moves, **before(draw, kind))

    says(refusal, Fault.NOT_NOW, f"{kind} cannot be reported now: ", cite)
    assert why in refusal.message


@pytest.mark.cites("6.4", "6.7")
def test_an_exposed_burn_card_is_not_the_first_card() -> None:
    """When the cards have just been cut, the card to be burnt is due, and not the first."""
    play = answered(opened(), "decline", "decline")

    refusal = not_answered(play, {"irregularity": "card_drawn_in_error_exposed"})

    assert refusal.fault is Fault.NOT_NOW


@pytest.mark.cites("6.7")
def test_a_misdeal_is_no_irregularity_of_this_game() -> None:
    refusal = cannot("3h 9d 5c", "call", **before(SECOND_CARD, "misdeal"))

    words = "it knows card_face_up, card_drawn_in_error"
    says(refusal, Fault.UNKNOWN_IRREGULARITY, words)


# What always holds.


TABLES = st.fixed_dictionaries(
    {
        "decks": st.integers(1, 8),
        "shuffle": st.sampled_from(["per_shoe", "after_every_round", "continuous_device"]),
        "raise_amount": st.sampled_from(["up_to_original", "exactly_original"]),
    }
)
SEATS = ("1", "4", "7")


def any_answer(play: Play, data: st.DataObject, mishap: bool) -> Any:
    """Whatever chance, people and mishaps can do next."""
    request = play.request
    if isinstance(request, Ask):
        move = data.draw(st.sampled_from(request.moves))
        return {move.name: data.draw(st.integers(move.low, move.high))} if move.high else move.name
    assert isinstance(request, Draw | Inspect)
    if mishap:
        kinds = [kind for kind in request.irregularities if kind not in request.barred]
        return {"irregularity": data.draw(st.sampled_from(kinds))}
    if isinstance(request, Draw):
        return str(data.draw(st.sampled_from(request.device.outcomes())))
    return None


@pytest.mark.cites("6.5", "6.7")
@given(options=TABLES, data=st.data())
def test_no_money_and_no_card_is_ever_lost(options: dict[str, Any], data: st.DataObject) -> None:
    table = Table(RED_DOG, options)
    shoe = table.equipment
    for _ in range(3):
        table.open_betting()
        for seat in SEATS:
            table.bet(seat, "original", data.draw(st.integers(1000, 5000)))
        play, mishaps = Play(table), data.draw(st.lists(st.integers(0, 6), max_size=3))
        while play.request is not None:
            play.answer(any_answer(play, data, len(play.answers) in mishaps))
            assert sum(table.money.values()) == 0
            assert sorted(shoe.everywhere) == sorted(shoe.composition)
            dealt_out = [card for hand in table.hands.values() for card in hand]
            assert Counter(dealt_out) == Counter(shoe.on_layout)
            for stakes in map(table.stakes, SEATS):
                assert stakes.get("raise", 0) <= stakes.get("original", 0)
        assert table.bets == {}
        assert table.money["layout"] == 0
        assert shoe.on_layout == []


@pytest.mark.cites("6.5")
@settings(max_examples=200)
@given(
    cards=st.lists(st.sampled_from(RANKS), min_size=3, max_size=3),
    stakes=st.lists(st.integers(1000, 5000), min_size=3, max_size=3),
    data=st.data(),
)
def test_every_player_wins_or_loses_the_same_for_each_cent(
    cards: list[str], stakes: list[int], data: st.DataObject
) -> None:
    table = Table(RED_DOG)
    table.state = RED_DOG.in_play(table.state)
    staked = dict(zip(SEATS, stakes, strict=True))
    for seat, stake in staked.items():
        table.bet(seat, "original", stake)
    coming = [rank + suit for rank, suit in zip(cards, "hdc", strict=True)]
    play = Play(table)
    while play.request is not None:
        if isinstance(play.request, Draw):
            play.answer(coming.pop(0))
        elif isinstance(play.request, Ask):
            more = data.draw(st.integers(0, staked[play.request.seat]))
            staked[play.request.seat] += more
            play.answer({"raise": more} if more else "call")
        else:
            play.answer(None)

    _, for_one = rule(*cards)
    assert {seat: table.money[seat] for seat in SEATS} == {
        seat: for_one * stake for seat, stake in staked.items()
    }


# What the wager is worth. Counted once more, from the ranks alone.


@cache
def report(decks: int, replacement: bool = False) -> WagerReport:
    options = RED_DOG.options({"decks": decks})
    (found,) = analyze(RED_DOG, options, ["original"], replacement=replacement)
    return found


def chance_of_spread(spread: int, decks: int) -> Fraction:
    """12 - spread pairs of ranks have it, in either order."""
    each, cards = 4 * decks, 52 * decks
    return Fraction(2 * (12 - spread) * each**2, cards * (cards - 1))


def on_a_call(spread: int, decks: int) -> Fraction:
    """What one unit is worth when so many ranks lie between."""
    between = Fraction(4 * decks * spread, 52 * decks - 2)
    return between * ODDS[spread] - (1 - between)


def counted_edge(decks: int, raised: Sequence[int]) -> Fraction:
    """What a player loses who raises on these spreads."""
    each, cards = 4 * decks, 52 * decks
    three_alike = Fraction((each - 1) * (each - 2), (cards - 1) * (cards - 2))
    worth = three_alike * THREE_ALIKE
    for spread in ODDS:
        units = 2 if spread in raised else 1
        worth += chance_of_spread(spread, decks) * units * on_a_call(spread, decks)
    return -worth


every_shoe = pytest.mark.parametrize("decks", range(1, 9))
BEST = range(7, 12)


@pytest.mark.cites("6.5")
@pytest.mark.parametrize(("decks", "percent"), [(1, "3.155"), (6, "2.798")])
def test_the_edge_is_the_published_one(decks: int, percent: str) -> None:
    assert f"{float(100 * report(decks).house_edge):.3f}" == percent


@pytest.mark.cites("6.5")
@every_shoe
def test_the_exact_edge_is_that_of_all_ranks_counted_by_hand(decks: int) -> None:
    assert report(decks).house_edge == counted_edge(decks, BEST)


@pytest.mark.cites("6.5")
@every_shoe
def test_the_best_player_raises_if_and_only_if_the_spread_is_seven_or_more(decks: int) -> None:
    moves = {advice.situation: advice.move for advice in report(decks).advice}

    assert moves == {f"spread {n}": "raise" if n >= 7 else "call" for n in ODDS}


@pytest.mark.cites("6.5")
@pytest.mark.parametrize("decks", [1, 6])
def test_no_other_set_of_spreads_to_raise_on_is_better(decks: int) -> None:
    some = [raised for size in range(12) for raised in combinations(ODDS, size)]

    assert min(some, key=lambda raised: counted_edge(decks, raised)) == tuple(BEST)


@pytest.mark.cites("6.5")
@every_shoe
def test_calling_on_seven_and_raising_on_six_cost_what_the_count_says(decks: int) -> None:
    """A unit more on 7 wins with 28 of every 50 cards of one deck; on 6 with 24 of them."""
    cost = {advice.situation: advice.cost for advice in report(decks).advice}

    assert cost["spread 7"] == Fraction(56 * decks, 52 * decks - 2) - 1
    assert cost["spread 6"] == 1 - Fraction(48 * decks, 52 * decks - 2)
    for spread in ODDS:
        assert cost[f"spread {spread}"] == abs(on_a_call(spread, decks))


@pytest.mark.cites("6.5")
@pytest.mark.parametrize("decks", [1, 6])
def test_each_spread_comes_as_often_as_its_ranks_do(decks: int) -> None:
    chances = {advice.situation: advice.chance for advice in report(decks).advice}

    assert chances == {f"spread {n}": chance_of_spread(n, decks) for n in ODDS}


@pytest.mark.cites("6.5")
@every_shoe
def test_the_element_of_risk_counts_the_raises(decks: int) -> None:
    raises = sum(chance_of_spread(spread, decks) for spread in BEST)

    assert report(decks).wagered == 1 + raises
    assert report(decks).element_of_risk == counted_edge(decks, BEST) / (1 + raises)


@pytest.mark.cites("6.5")
def test_every_three_ranks_of_one_deck_weighed_by_their_ways_lose_the_exact_edge() -> None:
    """As the rule of the sheet settles them, and so, as was proved above, the table."""
    worth = 0
    for first, second, third in product(RANKS, repeat=3):
        ways = 4 * (4 - (second == first)) * (4 - (third == first) - (third == second))
        spread = abs(RANKS.index(first) - RANKS.index(second)) - 1
        worth += ways * rule(first, second, third)[1] * (2 if spread >= 7 else 1)

    assert report(1).house_edge == Fraction(-worth, 52 * 51 * 50)


@pytest.mark.cites("6.5")
def test_pairs_and_consecutive_cards_return_the_wager_as_often_as_they_come() -> None:
    """Of 51 cards 8 follow the first (4 an ace or a two); 3 pair it, and 48 of 50 end that."""
    consecutive = Fraction(2 * 12 * 4 * 4, 52 * 51)
    pair = Fraction(3, 51) * Fraction(48, 50)

    assert report(1).push_frequency == consecutive + pair
    (best, *_) = report(1).outcomes
    assert best.result == "three_of_a_kind"
    assert best.net == 11
    assert best.probability == Fraction(3 * 2, 51 * 50)


@pytest.mark.cites("6.5")
def test_better_odds_lower_the_edge_by_what_they_pay() -> None:
    """One unit more on three of a kind, which comes 6 times in 2550 with one deck."""
    better = {"decks": 1, "higher_odds": {"original.three_of_a_kind": "12 to 1"}}

    (found,) = analyze(RED_DOG, RED_DOG.options(better), ["original"])

    assert found.house_edge == report(1).house_edge - Fraction(6, 2550)


@pytest.mark.cites("6.5")
def test_endless_decks_cost_less_than_eight() -> None:
    """With replacement each rank is one of thirteen at every draw."""
    worth = Fraction(THREE_ALIKE, 13 * 13)
    for spread, odds in ODDS.items():
        between = Fraction(spread, 13)
        units = 2 if spread >= 7 else 1
        worth += Fraction(2 * (12 - spread), 169) * units * (between * (odds + 1) - 1)

    assert report(1, replacement=True).house_edge == -worth < report(8).house_edge


@pytest.mark.cites("6.5")
def test_the_raise_is_part_of_the_original_wager_when_it_is_analyzed() -> None:
    (found,) = analyze(RED_DOG, RED_DOG.options({"decks": 1}), ["raise"])

    assert found == report(1)
