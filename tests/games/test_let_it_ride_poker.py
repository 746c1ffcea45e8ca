"""Let it ride poker, N.J.A.C. 19:47-18: three equal wagers, of which two may be taken back.

Odds are written out here once more, from the rule sheet, so that a slip in the game's own tables
is seen.
"""

from collections import Counter
from collections.abc import Mapping
from itertools import combinations, permutations, product
from typing import Any

import pytest

from croupier.equipment import deck
from croupier.games import find_game
from croupier.ranking import THREE, rank
from croupier.rulebook import (
    LAYOUT,
    Ask,
    Case,
    Fault,
    Inspect,
    Play,
    Refusal,
    Showdown,
    Table,
    custom,
)
from tests.support import (
    Told,
    cited,
    deal,
    not_answered,
    refused,
    run,
    says,
    section,
    turned_away,
    unlawful,
)

RIDE = find_game("let-it-ride-poker")

RANKS = "23456789TJQKA"
BASE = ("base_1", "base_2", "base_3")
BURNT = "2c"  # the last card of the dealer's packet, from the automated shoe
BY_HAND = {"automated_shuffler": False}
STAYS = ("let_ride_1", "let_ride_2")
LEAVES = ("withdraw_1", "withdraw_2")
TERMS, WAGERS, PAYS = "18.10 (published)", "18.6 (published)", "18.11 (published)"
FACE_UP = "18.12 (after 19:47-20.12(a))"
EXPOSED = "18.12 (after 19:47-20.12(d))"

# The player's three cards, then the two community cards.
TENS = "Th Td 4c 5s 8h"
NINES = "9h 9d 4c 5s 8h"
NOTHING = "Ah Kd 4c 5s 8h"
ROYAL = "As Ks Qs Js Ts"

LADDER = {  # hands, and what schedule 1 pays to 1
    ROYAL: ("royal_flush", 1000),
    "Th Ah Jh Kh Qh": ("royal_flush", 1000),
    "9s 8s 7s 6s 5s": ("straight_flush", 200),
    "Ad 2d 3d 4d 5d": ("straight_flush", 200),
    "9h 9c 9d Ks 9s": ("four_of_a_kind", 50),
    "3h 3c Ad Ac Ah": ("full_house", 11),
    "3h 4h 6h 8h Kh": ("flush", 8),
    "Ah Kc Qd Js Th": ("straight", 5),
    "Ah 3c 4d 5s 2h": ("straight", 5),
    "7h 3c 7d 4s 7c": ("three_of_a_kind", 3),
    "3h 4c 3d 4s 9h": ("two_pairs", 2),
    "Th 3c 5d 4s Tc": ("pair_of_tens_or_better", 1),
    "3h 5c 6d As Ah": ("pair_of_tens_or_better", 1),
}

BONUS = {  # dollars for the dollar wagered
    "B1": (20_000, 2000, 400, 200, 50, 25, 5, 0, 0),
    "B2": (25_000, 2500, 400, 200, 50, 25, 5, 0, 0),
    "B3": (5000, 2000, 100, 75, 50, 25, 8, 4, 0),
    "B4": (10_000, 2000, 200, 75, 50, 20, 0, 0, 0),
    "B5": (20_000, 2000, 100, 75, 50, 25, 9, 6, 0),
}
HANDS = list(dict.fromkeys(hand for hand, _ in LADDER.values()))

THREE_CARDS = {  # the player's own cards, and what C1 to C4 pay to 1
    "As Ks Qs": ("mini_royal", (50, 50, 40, 40)),
    "Ks Qs Js": ("straight_flush", (40, 40, 40, 40)),
    "As 2s 3s": ("straight_flush", (40, 40, 40, 40)),
    "7h 7c 7d": ("three_of_a_kind", (30, 30, 30, 30)),
    "Ah Kc Qd": ("straight", (6, 6, 5, 6)),
    "Ah 2d 3c": ("straight", (6, 6, 5, 6)),
    "3h 8h Kh": ("flush", (3, 4, 4, 3)),
    "3h 3d 9c": ("pair", (1, 1, 1, 1)),
}


def wagers(stake: int = 1000, **side: int) -> dict[str, int]:
    return {**dict.fromkeys(BASE, stake), **side}


def packets(cards: str) -> list[str]:
    """As the automated shoe gives them, with the card that is burnt."""
    return [*cards.split(), BURNT]


def dealt(cards: str, *moves: Any, stake: int = 1000, **others: Any) -> Told:
    """Three times ten dollars of seat 1 on these cards; both wagers ride unless told otherwise."""
    side = others.pop("side", {})
    return deal("let-it-ride-poker", packets(cards), wagers(stake, **side), moves=moves or STAYS,
                **others)  # fmt: skip


def cannot(cards: str, *moves: Any, **others: Any) -> Refusal:
    return refused("let-it-ride-poker", packets(cards), wagers(), moves=moves or STAYS, **others)


def cut_short(cards: str, mishap: Mapping[str, Any], **others: Any) -> Told:
    """A round that an irregularity ends before anybody has decided."""
    return deal("let-it-ride-poker", cards.split(), wagers(bonus=100, three_card_bonus=500),
                **mishap, **others)  # fmt: skip


def before(draw: int, kind: str, **about: str) -> dict[str, Any]:
    return {"irregularities": [{"before_draw": draw, "kind": kind, **about}]}


def table_of(
    options: Mapping[str, Any] | None = None,
    seats: str = "1",
    side: Mapping[str, int] | None = None,
) -> Table:
    """A table that has been opened, with three equal wagers at these seats."""
    table = Table(RIDE, options)
    table.state = RIDE.in_play(table.state)
    for seat in seats:
        for label, amount in wagers(**(side or {})).items():
            table.bet(seat, label, amount)
    return table


def answered(table: Table, *answers: Any) -> Play:
    play = Play(table)
    for answer in answers:
        play.answer(answer)
    return play


def with_three_cards(side: Mapping[str, int] | None = None) -> Play:
    """Seat 1 is to decide for the first time."""
    return answered(table_of(side=side), *packets(TENS), None)


def with_four_cards(move: str = "let_ride_1", side: Mapping[str, int] | None = None) -> Play:
    """Seat 1 is to decide for the second time."""
    play = with_three_cards(side)
    play.answer(move)
    play.answer(None)
    return play


def steps(told: Told, round: int = -1) -> list[tuple[str, str]]:
    return [(step["text"], cited(step)) for step in told.events("step", round)]


def two_seats(cards: str, **others: Any) -> Told:
    seats = {seat: {"wagers": wagers(), "moves": list(STAYS)} for seat in ("6", "2")}
    return deal("let-it-ride-poker", cards.split(), seats=seats, **others)


# The cards and the table.


@pytest.mark.cites("18.2")
def test_the_game_is_played_with_one_pack_of_52_cards() -> None:
    pack = Table(RIDE).equipment

    assert Counter(map(str, pack.composition)) == Counter(map("".join, product(RANKS, "cdhs")))


@pytest.mark.cites("18.2")
def test_two_packs_are_dealt_from_in_turn() -> None:
    table = table_of({"packs": 2})
    used = []
    for _ in range(3):
        used.append(table.state.pack)
        answered(table, *packets(TENS), None, STAYS[0], None, STAYS[1], None)
        table.open_betting()
        for label in BASE:
            table.bet("1", label, 1000)

    assert used == [1, 2, 1]


@pytest.mark.cites("18.2", "18.8")
def test_dealing_from_the_hand_and_a_second_pack_need_a_shuffling_device() -> None:
    assert not RIDE.check({"deal_method": "hand"})
    assert not RIDE.check({"packs": 2})
    assert unlawful("let-it-ride-poker", {**BY_HAND, "deal_method": "hand", "packs": 2}) == [
        ("deal_method", "18.8 (after 19:47-20.8(b)1)"),
        ("packs", "18.2 (after 13:69F-40.2(b))"),
    ]


def opened(options: Mapping[str, Any]) -> Told:
    """The first round of a table."""
    seat = {"wagers": wagers(), "moves": list(STAYS)}
    return run(
        {"game": "let-it-ride-poker", "options": dict(options), "shuffle": True,
         "draws": packets(TENS), "seats": {"1": seat}}
    )  # fmt: skip


@pytest.mark.cites("18.4", "18.5")
def test_when_the_table_opens_then_the_cards_are_inspected_and_shuffled() -> None:
    assert steps(opened({}))[:2] == [
        ("The cards are inspected, spread face up and washed", "18.4 (after 13:69F-40.3)"),
        ("A device shuffles the cards", "18.5 (after 13:69F-40.4(a))"),
    ]


@pytest.mark.cites("18.5")
def test_cards_that_the_dealer_shuffles_are_cut() -> None:
    told = opened(BY_HAND)

    shuffled = [
        ("The dealer shuffles the cards", "18.5 (after 13:69F-40.4(a))"),
        ("The dealer cuts the cards, at least 10 from the top", "18.5 (after 13:69F-40.4(c))"),
    ]
    assert steps(told)[1:3] == shuffled
    assert steps(told)[-2:] == shuffled


@pytest.mark.cites("18.5")
def test_every_round_is_dealt_from_the_whole_pack() -> None:
    again = {"draws": packets(TENS), "seats": {"1": {"wagers": wagers(), "moves": list(STAYS)}}}

    assert run({"game": "let-it-ride-poker", "rounds": [again, again]}).net() == 6000


@pytest.mark.cites("18.1", "18.6")
def test_only_the_wagers_of_the_rule_are_permitted() -> None:
    assert [wager.id for wager in RIDE.wagers] == [*BASE, "bonus", "three_card_bonus"]
    refusal = turned_away(Table(RIDE), "ante")
    says(refusal, Fault.UNKNOWN_WAGER, "let it ride poker has no wager 'ante'", "18.1 (customary)")


@pytest.mark.cites("18.1")
def test_a_table_has_seven_positions() -> None:
    refusal = turned_away(Table(RIDE), "base_1", seat="8")
    says(refusal, Fault.UNKNOWN_SEAT, "the seats are 1 to 7", "18.1 (customary)")


@pytest.mark.cites("18.6")
def test_a_player_has_one_position() -> None:
    table = Table(RIDE)
    table.sit("1", "Ann")

    with pytest.raises(Refusal, match="one position") as caught:
        table.sit("2", "Ann")
    assert section(caught.value) == "19:47-18.6"


# The base wagers.


@pytest.mark.cites("18.6")
@pytest.mark.parametrize("label", ["base_2", "base_3"])
def test_the_second_and_third_wager_need_the_first_and_equal_it(label: str) -> None:
    table = Table(RIDE)
    alone = turned_away(table, label)
    says(alone, Fault.NO_SUPPORT, f"{label} is made together with the base 1 wager", WAGERS)

    table.bet("1", "base_1", 1000)
    less, more = turned_away(table, label, 999), turned_away(table, label, 1001)
    says(less, Fault.BELOW_MINIMUM, "it must equal the base_1 wager", WAGERS)
    says(more, Fault.ABOVE_MAXIMUM, "it must equal the base_1 wager", WAGERS)
    table.bet("1", label, 1000)


@pytest.mark.cites("18.6")
@pytest.mark.parametrize("label", ["base_2", "base_3"])
def test_the_first_wager_stays_while_another_must_equal_it(label: str) -> None:
    table = Table(RIDE)
    table.bet("1", "base_1", 1000)
    table.bet("1", label, 1000)

    words = f"base_1 may not be taken down: {label} must equal it"
    says(turned_away(table, "base_1", 0), Fault.NOT_NOW, words, WAGERS)
    table.bet("1", label, 0)
    table.bet("1", "base_1", 0)
    assert table.bets == {}


@pytest.mark.cites("18.6")
@pytest.mark.parametrize("named", list(permutations(BASE)))
def test_a_script_may_name_the_base_wagers_in_any_order(named: tuple[str, ...]) -> None:
    stakes = {"bonus": 100, **dict.fromkeys(named, 1000)}
    told = deal("let-it-ride-poker", packets(TENS), stakes, moves=STAYS)

    assert [told.result(wager) for wager in BASE] == [("win", 1000)] * 3


@pytest.mark.cites("18.6", "18.11")
@pytest.mark.parametrize("better", BASE)
def test_given_better_odds_on_one_then_what_could_not_be_paid_exactly_is_refused(
    better: str,
) -> None:
    """All three are equal, so at 3 to 2 on any of them an odd cent is refused at once."""
    posted = {"higher_odds": {f"{better}.pair_of_tens_or_better": "3 to 2"}}

    refusal = turned_away(Table(RIDE, posted), "base_1", 1001)

    says(refusal, Fault.NOT_PAYABLE, "it must be a multiple of 2 cents", PAYS)
    assert dealt(TENS, options=posted).net() == 1500 + 1000 + 1000


@pytest.mark.cites("18.6")
@pytest.mark.parametrize("missing", ["base_2", "base_3"])
def test_no_round_begins_with_a_base_wager_missing(missing: str) -> None:
    short = {label: stake for label, stake in wagers().items() if label != missing}
    refusal = refused("let-it-ride-poker", packets(TENS), short, moves=STAYS)

    says(refusal, Fault.NOT_NOW, f"$10 on base_1 and $0 on {missing}, which must be equal", WAGERS)


@pytest.mark.cites("18.6")
def test_no_round_begins_with_a_first_wager_that_was_changed_alone() -> None:
    table = table_of()
    table.bet("1", "base_1", 2000)

    with pytest.raises(Refusal, match="which must be equal"):
        Play(table)


@pytest.mark.cites("18.6")
@pytest.mark.parametrize(
    ("amount", "fault"), [(999, Fault.BELOW_MINIMUM), (5001, Fault.ABOVE_MAXIMUM)]
)
def test_posted_limits_hold(amount: int, fault: Fault) -> None:
    table = Table(RIDE, {"table_min": 1000, "table_max": 5000})

    assert turned_away(table, "base_1", amount).fault is fault


@pytest.mark.cites("18.6")
def test_after_no_more_bets_no_wager_is_made_or_taken_back() -> None:
    table = table_of()
    answered(table, "Th")

    for label, amount in (("base_1", 0), ("base_3", 2000), ("bonus", 100)):
        refusal = turned_away(table, label, amount)
        says(refusal, Fault.NO_MORE_BETS, "No more bets", "18.6 (after 13:69F-27.6(d))")


@pytest.mark.cites("18.6")
def test_nobody_plays_and_nothing_is_dealt() -> None:
    play = Play(table_of(seats=""))

    assert play.request is None
    assert play.table.settlements == []


# The side wagers.


@pytest.mark.cites("18.6A")
@pytest.mark.parametrize(
    ("amount", "fault"),
    [(1, Fault.BELOW_MINIMUM), (99, Fault.BELOW_MINIMUM), (101, Fault.ABOVE_MAXIMUM),
     (500, Fault.ABOVE_MAXIMUM)],
)  # fmt: skip
def test_the_bonus_wager_is_exactly_one_dollar(amount: int, fault: Fault) -> None:
    table = table_of()

    says(turned_away(table, "bonus", amount), fault, "$1", "18.6A (published)")
    table.bet("1", "bonus", 100)


@pytest.mark.cites("18.6A")
def test_a_dollar_is_a_dollar_whatever_the_base_wagers_must_be_a_multiple_of() -> None:
    table = table_of({"increment": 500}, side={"bonus": 100})

    assert table.stakes("1") == wagers(bonus=100)
    assert turned_away(table, "base_1", 1100).fault is Fault.NOT_PAYABLE
    assert turned_away(table, "three_card_bonus", 600).fault is Fault.NOT_PAYABLE


@pytest.mark.cites("18.6", "18.6A")
@pytest.mark.parametrize(("label", "amount"), [("bonus", 100), ("three_card_bonus", 1000)])
def test_a_side_wager_is_made_only_with_base_wagers(label: str, amount: int) -> None:
    table = Table(RIDE)
    table.bet("2", "base_1", 1000)
    rule = "18.6A (published)" if label == "bonus" else WAGERS
    refusal = turned_away(table, label, amount)
    says(refusal, Fault.NO_SUPPORT, f"{label} is made together with the base 1 wager", rule)

    table.bet("1", "base_1", 1000)
    table.bet("1", label, amount)
    words = f"base_1 may not be taken down: {label} rests on it"
    says(turned_away(table, "base_1", 0), Fault.NOT_NOW, words, rule)
    table.bet("1", label, 0)
    table.bet("1", "base_1", 0)
    assert table.stakes("1") == {}


@pytest.mark.cites("18.6", "18.6A")
@pytest.mark.parametrize("label", ["bonus", "three_card_bonus"])
def test_a_side_wager_may_not_be_offered(label: str) -> None:
    table = table_of({f"offer_{label}": False})

    refusal = turned_away(table, label, 100)
    assert refusal.fault is Fault.NOT_OFFERED
    assert section(refusal) == ("19:47-18.6A" if label == "bonus" else "19:47-18.6")


@pytest.mark.cites("18.6")
def test_the_three_card_bonus_keeps_the_posted_limits() -> None:
    table = table_of({"table_min": 1000, "table_max": 5000})

    assert turned_away(table, "three_card_bonus", 999).fault is Fault.BELOW_MINIMUM
    assert turned_away(table, "three_card_bonus", 5001).fault is Fault.ABOVE_MAXIMUM
    table.bet("1", "three_card_bonus", 5000)


@pytest.mark.cites("18.6A")
def test_bonus_wagers_are_taken_in_and_marked_before_the_deal() -> None:
    marked = ("The bonus wagers are taken in, and each is marked", "18.6A (published)")

    assert steps(dealt(TENS, side={"bonus": 100}))[0] == marked
    assert marked not in steps(dealt(TENS))


# The deal.


@pytest.mark.cites("18.7", "18.8")
@pytest.mark.parametrize(("method", "cite"), [("manual_shoe", "18.7"), ("hand", "18.8")])
def test_one_card_at_a_time_a_community_card_ends_the_first_two_laps(
    method: str, cite: str
) -> None:
    told = two_seats("Th 3h 5s Td 3c 8h 4c 6d", options={"deal_method": method})

    cards = told.events("draw")
    assert [card["to"] for card in cards] == ["2", "6", "board", "2", "6", "board", "2", "6"]
    assert all(card["face_down"] for card in cards)
    assert (told.net("2"), told.net("6")) == (3000, -3000)
    assert steps(told)[0][1] == f"{cite} (customary)"


@pytest.mark.cites("18.9")
def test_the_automated_shoe_gives_packets_and_the_last_card_of_the_dealers_is_burnt() -> None:
    told = two_seats("Th Td 4c 3h 3c 6d 5s 8h 2c")

    cards = told.events("draw")
    assert [card["to"] for card in cards] == ["2"] * 3 + ["6"] * 3 + ["board"] * 2 + ["burn"]
    assert all(card["face_down"] for card in cards)
    assert (told.net("2"), told.net("6")) == (3000, -3000)
    assert steps(told)[0] == ("The automated shoe gives each hand a packet", "18.9 (published)")


@pytest.mark.cites("18.9")
def test_the_automated_shoe_is_the_usual_one() -> None:
    assert RIDE.options().deal_method == "automated_shoe"
    assert unlawful("let-it-ride-poker", {"deal_method": "tray"}) == [
        ("deal_method", "18.9 (customary)")
    ]


@pytest.mark.cites("18.7", "18.8", "18.9")
@pytest.mark.parametrize(
    ("method", "cite"),
    [
        ("manual_shoe", "18.7 (after 13:69F-40.7(b))"),
        ("hand", "18.8 (after 19:47-20.8(b)3)"),
        ("automated_shoe", "18.9 (after 19:47-20.9(b)2)"),
    ],
)
def test_betting_closes_before_the_first_card(method: str, cite: str) -> None:
    play = answered(table_of({"deal_method": method}))

    closed = play.table.events[-2]
    assert (closed.data["text"], str(closed.cite)) == ("No more bets", f"19:47-{cite}")
    assert not play.table.betting_is_open


@pytest.mark.cites("18.9")
@pytest.mark.parametrize(("shuffler", "counted"), [(False, [5, 10]), (True, [])])
def test_the_stub_goes_away_unseen_and_is_counted_every_fifth_round(
    shuffler: bool, counted: list[int]
) -> None:
    each = {"draws": packets(TENS), "seats": {"1": {"wagers": wagers(), "moves": list(STAYS)}}}
    told = run({"game": "let-it-ride-poker", "options": {"automated_shuffler": shuffler},
                "rounds": [each] * 10})  # fmt: skip

    count = ("The dealer counts the stub face down", "18.9 (after 19:47-20.9(e))")
    assert [round + 1 for round in range(10) if count in steps(told, round)] == counted
    stub = ("The stub goes to the discard rack, unseen", "18.9 (after 19:47-20.9(d))")
    assert all(stub in steps(told, round) for round in range(10))


@pytest.mark.cites("18.7", "18.10")
def test_a_player_sees_only_his_own_cards_until_they_are_turned() -> None:
    table = table_of(seats="12")
    cards = "Th Td 4c 9h 9d 3c 5s 8h 2c".split()
    play = answered(table, *cards, None)

    def seen(seat: str | None) -> set[str]:
        shown = str(table.view(seat)["events"])
        return {card for card in cards if f"'{card}'" in shown}

    assert seen("1") == {"Th", "Td", "4c"}
    assert seen("2") == {"9h", "9d", "3c"}
    assert seen(None) == set()
    play.answer("let_ride_1")
    assert seen("2") == {"9h", "9d", "3c"}
    play.answer(None)
    play.answer("let_ride_1")
    assert seen(None) == {"5s"}
    play.answer(None)
    play.answer("let_ride_2")
    assert seen("1") == {"Th", "Td", "4c", "5s"}
    play.answer(None)
    play.answer("let_ride_2")
    assert seen(None) == {"5s", "8h"}
    play.answer(None)
    assert seen(None) == set(cards) - {BURNT}


# The decisions.


@pytest.mark.cites("18.10")
def test_with_three_cards_the_first_wager_is_taken_back_or_rides() -> None:
    play = with_three_cards()

    assert isinstance(play.request, Ask)
    assert [str(move) for move in play.request.moves] == ["withdraw_1", "let_ride_1"]
    assert str(play.request.cite) == f"19:47-{TERMS}"


@pytest.mark.cites("18.10")
@pytest.mark.parametrize("first", ["withdraw_1", "let_ride_1"])
def test_with_four_cards_the_second_wager_is_whatever_became_of_the_first(first: str) -> None:
    play = with_four_cards(first)

    assert isinstance(play.request, Ask)
    assert [str(move) for move in play.request.moves] == ["withdraw_2", "let_ride_2"]


@pytest.mark.cites("18.10")
@pytest.mark.parametrize(
    "move", ["withdraw_2", "withdraw_3", "fold", "raise", {"withdraw_1": 500}, {"let_ride_1": 1000},
             None]
)  # fmt: skip
def test_nothing_else_may_be_decided_with_three_cards(move: Any) -> None:
    refusal = not_answered(with_three_cards(), move)

    assert refusal.fault is Fault.ILLEGAL_MOVE
    assert section(refusal) == "19:47-18.10"


@pytest.mark.cites("18.10")
@pytest.mark.parametrize("move", ["withdraw_1", "let_ride_1", "withdraw_3", {"withdraw_2": 1000}])
def test_a_decision_cannot_be_taken_back_and_the_third_wager_stays(move: Any) -> None:
    says(not_answered(with_four_cards(), move), Fault.ILLEGAL_MOVE, "seat 1 may", TERMS)


@pytest.mark.cites("18.10")
def test_what_is_withdrawn_is_returned_at_once() -> None:
    play = with_three_cards()
    play.answer("withdraw_1")
    table = play.table

    assert table.stakes("1") == {"base_2": 1000, "base_3": 1000}
    assert (table.money["1"], table.money[LAYOUT]) == (-2000, 2000)
    returned = [event for event in table.events if event.kind == "return"]
    assert [(e.data["wager"], e.data["amount"], str(e.cite)) for e in returned] == [
        ("base_1", 1000, f"19:47-{TERMS}")
    ]


@pytest.mark.cites("18.6", "18.10")
@pytest.mark.parametrize(
    ("first", "second"), list(product(("withdraw_1", "let_ride_1"), ("withdraw_2", "let_ride_2")))
)
@pytest.mark.parametrize(("cards", "each"), [(TENS, ("win", 1000)), (NINES, ("lose", -1000))])
def test_every_wager_still_down_is_decided_and_the_others_are_void(
    cards: str, each: tuple[str, int], first: str, second: str
) -> None:
    told = dealt(cards, first, second)

    void = ("void", 0)
    assert told.result("base_1") == (each if first == "let_ride_1" else void)
    assert told.result("base_2") == (each if second == "let_ride_2" else void)
    assert told.result("base_3") == each


@pytest.mark.cites("18.10")
def test_each_community_card_is_turned_after_its_decision() -> None:
    told = dealt(TENS)
    order = [
        event.get("move") or "".join(event["cards"])
        for event in told.rounds[0]["events"]
        if event["kind"] in ("decision", "reveal")
    ]

    assert order == ["let_ride_1", "5s", "let_ride_2", "8h", "ThTd4c"]
    assert {cited(event) for event in told.events("decision")} == {TERMS}


@pytest.mark.cites("18.10")
def test_players_decide_clockwise_from_the_dealers_left_whatever_others_did() -> None:
    seats = {
        "6": {"wagers": wagers(), "moves": ["let_ride_1", "withdraw_2"]},
        "2": {"wagers": wagers(2000), "moves": ["withdraw_1", "let_ride_2"]},
    }
    told = deal("let-it-ride-poker", "Th Td 4c 3h 3c 6d 5s 8h 2c".split(), seats=seats)

    assert [(asked["seat"], asked["move"]) for asked in told.events("decision")] == [
        ("2", "withdraw_1"), ("6", "let_ride_1"), ("2", "let_ride_2"), ("6", "withdraw_2"),
    ]  # fmt: skip
    assert (told.net("2"), told.net("6")) == (4000, -2000)


@pytest.mark.cites("18.10")
def test_a_script_must_say_what_a_player_decides_and_nothing_more() -> None:
    short = cannot(TENS, "withdraw_1")
    says(short, Fault.BAD_SCRIPT, "seat 1 must withdraw_2 or let_ride_2", TERMS)
    more = cannot(TENS, *STAYS, "withdraw_3")
    says(more, Fault.BAD_SCRIPT, "seat 1 was never asked for its move", "18.1 (customary)")


# What the hand pays.


@pytest.mark.cites("18.3", "18.11")
@pytest.mark.parametrize(("cards", "hand", "odds"), [(c, *found) for c, found in LADDER.items()])
def test_every_base_wager_is_paid_by_the_schedule(cards: str, hand: str, odds: int) -> None:
    told = dealt(cards)

    for wager in BASE:
        settled = told.settled(wager)
        assert (settled["result"], settled["net"]) == ("win", 1000 * odds)
        assert (settled["line"], cited(settled)) == (hand, PAYS)


@pytest.mark.cites("18.6", "18.11")
@pytest.mark.parametrize("rank", RANKS)
def test_a_pair_of_tens_wins_and_a_pair_of_nines_loses(rank: str) -> None:
    """All pairs, with the pair in hand, half in hand, and among the community cards."""
    first, second = f"{rank}h", f"{rank}d"
    a, b, c = [f"{other}s" for other in "3468" if other != rank][:3]
    expected = ("win", 1000) if rank in "TJQKA" else ("lose", -1000)

    for cards in (
        f"{first} {second} {a} {b} {c}",
        f"{first} {a} {b} {second} {c}",
        f"{a} {b} {c} {first} {second}",
    ):
        told = dealt(cards)
        assert [told.result(wager) for wager in BASE] == [expected] * 3


@pytest.mark.cites("18.3", "18.6")
@pytest.mark.parametrize(
    "cards",
    [
        NOTHING,
        "Qh Kc Ad 2s 3h",  # no straight runs round the corner
        "Kh Ac 2d 3s 4h",
        "3h 4h 6h 8h Kc",  # four of a suit are no flush
    ],
)
def test_anything_lower_loses(cards: str) -> None:
    assert dealt(cards).net() == -3000


@pytest.mark.cites("18.11")
def test_the_other_base_schedule_is_not_authorized() -> None:
    assert unlawful("let-it-ride-poker", {"base_schedule": 2}) == [("base_schedule", PAYS)]
    assert unlawful("let-it-ride-poker", {"base_schedule": 3}) == [("base_schedule", PAYS)]

    elsewhere = RIDE.options().but(base_schedule=2)
    pays = [odds.net for odds in RIDE.by_id["base_3"].pay_table(elsewhere).values()]
    assert pays == [500, 100, 25, 15, 10, 5, 3, 2, 1]


@pytest.mark.cites("18.11")
def test_a_table_may_pay_better_but_not_worse() -> None:
    better = {"higher_odds": {"base_1.flush": "9 to 1"}}

    assert dealt("3h 4h 6h 8h Kh", options=better).net() == 9000 + 8000 + 8000
    for odds in ({"base_2.flush": "7 to 1"}, {"three_card_bonus.pair": "1 to 2"}):
        assert unlawful("let-it-ride-poker", {"higher_odds": odds}) == [("higher_odds", PAYS)]


# The bonus wager.


@pytest.mark.cites("18.6A", "18.11")
@pytest.mark.parametrize("schedule", BONUS)
@pytest.mark.parametrize(("cards", "hand"), [(c, hand) for c, (hand, _) in LADDER.items()])
def test_the_bonus_pays_by_its_schedule_and_the_dollar_is_not_returned(
    cards: str, hand: str, schedule: str
) -> None:
    told = dealt(cards, side={"bonus": 100}, options={"bonus_schedule": schedule})
    amount = BONUS[schedule][HANDS.index(hand)]

    won = ("win", 100 * (amount - 1)) if amount else ("lose", -100)
    assert told.result("bonus") == won
    assert cited(told.settled("bonus")) == (PAYS if amount else "18.6A (published)")


@pytest.mark.cites("18.6A", "18.11")
def test_the_bonus_pays_b1_unless_the_licensee_chooses_another() -> None:
    assert dealt(ROYAL, side={"bonus": 100}).result("bonus") == ("win", 1_999_900)
    assert dealt(TENS, side={"bonus": 100}).result("bonus") == ("lose", -100)
    assert unlawful("let-it-ride-poker", {"bonus_schedule": "B6"}) == [("bonus_schedule", PAYS)]


# The three card bonus.


@pytest.mark.cites("18.3", "18.6", "18.11")
@pytest.mark.parametrize("at", range(4))
@pytest.mark.parametrize(
    ("own", "line", "odds"), [(own, *found) for own, found in THREE_CARDS.items()]
)
def test_the_three_card_bonus_pays_by_its_schedule(
    own: str, line: str, odds: tuple[int, ...], at: int
) -> None:
    told = dealt(f"{own} 5d Tc", side={"three_card_bonus": 1000},
                 options={"three_card_schedule": f"C{at + 1}"})  # fmt: skip

    settled = told.settled("three_card_bonus")
    assert (settled["result"], settled["net"]) == ("win", 1000 * odds[at])
    among = line == "mini_royal" and at > 1
    assert settled["line"] == ("straight_flush" if among else line)


@pytest.mark.cites("18.6", "18.11")
@pytest.mark.parametrize("cards", ["Ah Kd 4c 4s 4h", "Kh Ad 2h 3s 4s", "9h 8h 6d 7h Th"])
def test_the_three_card_bonus_looks_at_the_players_own_cards_alone(cards: str) -> None:
    told = dealt(cards, side={"three_card_bonus": 1000})

    assert told.result("three_card_bonus") == ("lose", -1000)
    assert cited(told.settled("three_card_bonus")) == WAGERS


@pytest.mark.cites("18.3", "18.6")
def test_of_22100_three_card_hands_as_many_win_as_the_rankings_say() -> None:
    decide, options = RIDE.by_id["three_card_bonus"].decide, RIDE.options()
    lines: Counter[str] = Counter()
    for cards in combinations(deck(), 3):
        outcome = Showdown(own=rank(cards, THREE))
        lines[decide(Case(outcome, None, options)).line] += 1

    assert lines == {
        "mini_royal": 4, "straight_flush": 44, "three_of_a_kind": 52, "straight": 720,
        "flush": 1096, "pair": 3744, "lose": 16_440,
    }  # fmt: skip


@pytest.mark.cites("18.6", "18.6A", "18.10")
def test_side_wagers_are_unaffected_when_base_wagers_are_withdrawn() -> None:
    cards, side = "7h 7c 7d 3s 9h", {"bonus": 100, "three_card_bonus": 500}
    stayed, left = dealt(cards, side=side), dealt(cards, *LEAVES, side=side)

    for label in side:
        assert stayed.result(label) == left.result(label)
    assert left.result("bonus") == ("win", 400)
    assert left.result("three_card_bonus") == ("win", 15_000)


# Settlement.


@pytest.mark.cites("18.10")
@pytest.mark.parametrize(
    ("order", "seats"),
    [("by_player", ["6", "6", "6", "2", "2", "2"]), ("by_step", ["2", "2", "2", "6", "6", "6"])],
)
def test_hands_are_settled_one_by_one_from_the_dealers_right_or_losers_first(
    order: str, seats: list[str]
) -> None:
    told = two_seats("3h 3c 6d Th Td 4c 5s 8h 2c", options={"settlement_order": order})

    money = [e for e in told.rounds[0]["events"] if e["kind"] in ("collect", "pay")]
    assert [event["seat"] for event in money] == seats
    assert {cited(event) for event in money} == {"18.10 (after 19:47-20.10(c))"}
    assert [event["hand"] for event in told.events("reveal")][2:] == ["6", "2"]


@pytest.mark.cites("18.10")
def test_base_wagers_are_settled_first_then_the_bonus_then_the_three_card_bonus() -> None:
    told = dealt(TENS, side={"three_card_bonus": 500, "bonus": 100})

    settled = [each["wager"] for each in told.rounds[0]["settlements"]]
    assert settled == [*BASE, "bonus", "three_card_bonus"]
    assert ("The cards are picked up", "18.10 (after 19:47-20.10(d))") in steps(told)


@pytest.mark.cites("18.3", "18.10")
def test_the_dealer_calls_each_hand() -> None:
    told = dealt(TENS)

    (called,) = [event for event in told.events("announce") if "Seat" in event["text"]]
    assert called["text"] == "Seat 1 has pair, tens, eight, five and four kickers"
    assert cited(called) == "18.3 (after 19:47-14.3(b))"


# The payout limit.


@pytest.mark.cites("18.11")
@pytest.mark.parametrize(
    ("stake", "moves", "won"),
    [
        (1600, STAYS, [1_600_000, 1_600_000, 1_600_000]),
        (2000, STAYS, [1_666_667, 1_666_667, 1_666_666]),  # odd cents go to the first
        (2000, ("withdraw_1", "let_ride_2"), [0, 2_000_000, 2_000_000]),
        (3000, ("withdraw_1", "let_ride_2"), [0, 2_500_000, 2_500_000]),
        (3000, ("let_ride_1", "withdraw_2"), [2_500_000, 0, 2_500_000]),
        (6000, ("withdraw_1", "withdraw_2"), [0, 0, 5_000_000]),
    ],
)
def test_the_base_wagers_of_a_hand_win_no_more_than_50000_dollars_together(
    stake: int, moves: tuple[str, ...], won: list[int]
) -> None:
    told = dealt(ROYAL, *moves, stake=stake)

    assert [told.result(wager)[1] for wager in BASE] == won


@pytest.mark.cites("18.11")
def test_the_limit_is_shared_in_proportion_to_what_each_wager_would_win() -> None:
    posted = {"higher_odds": {"base_3.royal_flush": "2000 to 1"}}
    told = dealt(ROYAL, stake=5000, options=posted)

    assert [told.result(wager)[1] for wager in BASE] == [1_250_000, 1_250_000, 2_500_000]
    assert told.settled("base_3")["pays"] == "2,000 to 1, limited"


@pytest.mark.cites("18.6A", "18.11")
def test_the_limit_does_not_reach_the_side_wagers_nor_another_hand() -> None:
    side = {"bonus": 100, "three_card_bonus": 200_000}
    seats = {
        "1": {"wagers": wagers(500_000, **side), "moves": list(STAYS)},
        "2": {"wagers": wagers(500_000), "moves": list(STAYS)},
    }
    told = deal("let-it-ride-poker", "As Ks Qs Jh Jd 4c Js Ts 2c".split(), seats=seats)

    assert [told.result(wager)[1] for wager in BASE] == [1_666_667, 1_666_667, 1_666_666]
    assert told.result("bonus") == ("win", 1_999_900)
    assert told.result("three_card_bonus") == ("win", 10_000_000)
    assert sum(told.result(wager, "2")[1] for wager in BASE) == 4_500_000


@pytest.mark.cites("18.11")
@pytest.mark.parametrize(
    ("options", "limit"),
    [
        ({"payout_limit": 100}, 1_500_000),
        ({"payout_limit": 9_000_000, "table_min": 3000}, 9_000_000),
        ({"table_min": 2000}, 6_000_000),
        ({"payout_limit": 100, "higher_odds": {"base_3.royal_flush": "2000 to 1"}}, 2_000_000),
    ],
)
def test_three_of_the_least_wagers_are_always_paid_in_full(
    options: dict[str, Any], limit: int
) -> None:
    least = options.get("table_min", 500)

    assert dealt(ROYAL, stake=least, options=options).net() == limit
    assert dealt(ROYAL, stake=2 * least, options=options).net() == limit


# Irregularities.


@pytest.mark.cites("18.12")
@pytest.mark.parametrize("draw", [1, 4, 6])
def test_a_card_found_face_up_is_not_used(draw: int) -> None:
    cards = packets(TENS)
    cards.insert(draw - 1, "Kc")
    told = deal("let-it-ride-poker", cards, wagers(), moves=STAYS, **before(draw, "card_face_up"))

    assert told.net() == 3000
    (found,) = told.events("irregularity")
    assert cited(found) == FACE_UP


@pytest.mark.cites("18.12")
def test_a_second_card_found_face_up_voids_the_round() -> None:
    mishaps = [{"before_draw": at, "kind": "card_face_up"} for at in (2, 4)]
    told = cut_short("Th Kc Td Qc", {"irregularities": mishaps})

    assert told.rounds[0]["void"]
    assert told.net() == 0


@pytest.mark.cites("18.12")
@pytest.mark.parametrize(
    ("kind", "cite"),
    [
        ("cards_face_up", FACE_UP),
        ("wrong_number_of_cards", "18.12 (after 19:47-20.12(c))"),
        ("dealing_shoe_jams", "18.12 (after 13:69F-40.12(f))"),
    ],
)
def test_what_voids_the_round_returns_every_wager(kind: str, cite: str) -> None:
    told = cut_short("Th Td", before(3, kind))

    assert told.rounds[0]["void"]
    for wager in (*BASE, "bonus", "three_card_bonus"):
        assert told.result(wager) == ("void", 0)
        assert cited(told.settled(wager)) == cite


@pytest.mark.cites("18.12")
def test_a_card_drawn_in_error_is_the_next_card() -> None:
    assert dealt(TENS, **before(3, "card_drawn_in_error")).net() == 3000


@pytest.mark.cites("18.12")
def test_what_happens_while_cards_are_dealt_does_not_happen_afterwards() -> None:
    play = answered(table_of(), *packets(TENS))

    assert isinstance(play.request, Inspect)
    for kind in ("card_face_up", "cards_face_up", "card_drawn_in_error"):
        refusal = not_answered(play, {"irregularity": kind})
        assert refusal.fault is Fault.NOT_NOW
        assert "no card is due" in refusal.message


@pytest.mark.cites("18.12")
@pytest.mark.parametrize("method", ["manual_shoe", "hand"])
def test_only_an_automated_shoe_jams(method: str) -> None:
    play = answered(table_of({"deal_method": method}), "Th")

    refusal = not_answered(play, {"irregularity": "dealing_shoe_jams"})
    assert "no automated shoe is used" in refusal.message


@pytest.mark.cites("18.12")
@pytest.mark.parametrize("first", ["withdraw_1", "let_ride_1"])
def test_a_wrong_number_of_cards_found_late_returns_what_is_still_down(first: str) -> None:
    play = with_four_cards(first, {"bonus": 100})
    play.answer("let_ride_2")
    play.answer({"irregularity": "wrong_number_of_cards"})

    assert play.table.is_void
    assert {s.bet.wager.id: s.net for s in play.table.settlements} == dict.fromkeys(
        (*BASE, "bonus"), 0
    )
    assert play.table.money["1"] == 0


@pytest.mark.cites("18.12")
def test_a_community_card_exposed_before_the_first_decision_voids_the_round() -> None:
    told = cut_short(f"{TENS} {BURNT}", before(7, "community_card_exposed"))

    assert told.rounds[0]["void"]
    assert cited(told.settled("base_1")) == EXPOSED


@pytest.mark.cites("18.12")
@pytest.mark.parametrize("first", ["withdraw_1", "let_ride_1"])
def test_so_does_the_second_one_exposed_before_the_second_decision(first: str) -> None:
    play = with_three_cards()
    play.answer(first)
    play.answer({"irregularity": "community_card_exposed"})

    assert play.table.is_void
    assert play.table.money["1"] == 0


@pytest.mark.cites("18.12")
@pytest.mark.parametrize("moves", [("withdraw_1",), ("withdraw_1", "let_ride_1", "withdraw_2")])
def test_and_either_one_exposed_between_two_players_decisions(moves: tuple[str, ...]) -> None:
    play = answered(table_of(seats="12"), *"Th Td 4c 9h 9d 3c 5s 8h 2c".split())
    for move in moves:
        play.answer(None)
        play.answer(move)
    play.answer({"irregularity": "community_card_exposed"})

    assert play.table.is_void
    assert (play.table.money["1"], play.table.money["2"]) == (0, 0)


@pytest.mark.cites("18.12")
def test_once_every_player_has_decided_twice_they_are_turned_anyway() -> None:
    play = with_four_cards("withdraw_1")
    play.answer("withdraw_2")

    refusal = not_answered(play, {"irregularity": "community_card_exposed"})
    says(refusal, Fault.NOT_NOW, "every player has decided", EXPOSED)


@pytest.mark.cites("18.6", "18.12")
@pytest.mark.parametrize("changed", BASE)
def test_wagers_found_unequal_after_the_deal_are_brought_down_to_the_lowest(changed: str) -> None:
    play = answered(table_of(seats="12"), *"Th Td 4c 9h 9d 3c 5s 8h 2c".split())
    table = play.table
    table.stake("2", changed, 500, custom("18.6"))  # slipped on after the betting was closed
    play.answer({"irregularity": "unequal_wagers", "seat": "2"})

    assert table.stakes("2") == dict.fromkeys(BASE, 1000)
    back = [event for event in table.events if event.kind == "refund"]
    assert [(event.data["wager"], event.data["amount"]) for event in back] == [(changed, 500)]
    assert [str(event.cite) for event in back] == ["19:47-18.12 (customary)"]
    for move in ("let_ride_1", "let_ride_1", "let_ride_2", "let_ride_2"):
        play.answer(None)
        play.answer(move)
    play.answer(None)
    assert (table.money["1"], table.money["2"]) == (3000, -3000)


@pytest.mark.cites("18.12")
def test_two_wagers_above_the_lowest_are_both_brought_down() -> None:
    play = answered(table_of(), *packets(TENS))
    for label, more in (("base_1", 1000), ("base_3", 300)):
        play.table.stake("1", label, more, custom("18.6"))
    play.answer({"irregularity": "unequal_wagers", "seat": "1"})

    assert play.table.stakes("1") == dict.fromkeys(BASE, 1000)
    assert (play.table.money["1"], play.table.money[LAYOUT]) == (-3000, 3000)


@pytest.mark.cites("18.12")
def test_equal_wagers_stay_and_side_wagers_are_not_touched() -> None:
    play = answered(table_of(side={"bonus": 100, "three_card_bonus": 500}), *packets(TENS))
    play.answer({"irregularity": "unequal_wagers", "seat": "1"})

    assert play.table.stakes("1") == wagers(bonus=100, three_card_bonus=500)


@pytest.mark.cites("18.12")
def test_wagers_are_not_found_unequal_during_the_deal_or_after_the_first_decision() -> None:
    dealing, decided = answered(table_of(), "Th"), with_three_cards()
    decided.answer("let_ride_1")

    for play in (dealing, decided):
        refusal = not_answered(play, {"irregularity": "unequal_wagers", "seat": "1"})
        words = "it is found after the deal, before the first decision"
        says(refusal, Fault.NOT_NOW, words, "18.12 (customary)")


@pytest.mark.cites("18.12")
def test_unequal_wagers_are_those_of_a_player() -> None:
    play = answered(table_of(), *packets(TENS))

    refusal = not_answered(play, {"irregularity": "unequal_wagers", "seat": "2"})
    assert "must name a seat to which it can have happened: 1" in refusal.message


@pytest.mark.cites("18.7", "18.12")
@pytest.mark.parametrize("kind", ["stub_count_misdeal", "stub_count_wrong"])
def test_a_wrong_count_of_the_stub_voids_the_round(kind: str) -> None:
    told = cut_short(f"{TENS} {BURNT}", before(7, kind))

    assert told.rounds[0]["void"]
    assert cited(told.settled("base_1")) == "18.7 (after 13:69F-40.7(f)2)"
    replaced = ("The pack is taken from the table and replaced", "13:69E-1.18")
    assert (replaced in steps(told)) == (kind == "stub_count_wrong")
    early = not_answered(answered(table_of(), "Th"), {"irregularity": kind})
    assert "the stub is counted when the cards are dealt" in early.message


@pytest.mark.cites("18.7", "18.12")
@pytest.mark.parametrize("kind", ["shuffler_count_wrong", "shuffler_jams"])
def test_a_fault_of_the_shuffling_device_is_found_before_the_first_card(kind: str) -> None:
    assert dealt(TENS, **before(1, kind)).net() == 3000
    late = cannot(TENS, **before(2, kind))
    assert (late.fault, "cards have been dealt" in late.message) == (Fault.NOT_NOW, True)
    none = cannot(TENS, options=BY_HAND, **before(1, kind))
    assert "the dealer shuffles the cards" in none.message


@pytest.mark.cites("18.5", "18.12")
def test_cards_cut_improperly_are_cut_again_before_the_first_is_dealt() -> None:
    told = dealt(TENS, options=BY_HAND, **before(1, "improper_cut"))

    (recut,) = told.events("irregularity")
    assert cited(recut) == "18.5 (after 13:69F-40.4(d))"
    late = cannot(TENS, options=BY_HAND, **before(2, "improper_cut"))
    assert "cards have been dealt" in late.message
    assert "they are not cut" in cannot(TENS, **before(1, "improper_cut")).message


@pytest.mark.cites("18.12")
def test_before_another_device_is_used_the_old_one_leaves_the_table() -> None:
    told = dealt(TENS, **before(1, "change_of_device"))

    (change,) = told.events("irregularity")
    assert change["resolution"] == "The device is first taken from the table"
    assert cited(change) == "18.12 (after 13:69F-40.12(g))"


@pytest.mark.cites("18.12")
def test_a_player_who_exposes_his_cards_stays_in() -> None:
    assert dealt(TENS, **before(4, "player_exposes_cards", seat="1")).net() == 3000
    early = cannot(TENS, **before(1, "player_exposes_cards", seat="1"))
    assert "there is no such seat" in early.message


@pytest.mark.cites("18.5", "18.12")
def test_after_a_void_round_the_whole_pack_is_shuffled() -> None:
    play = with_four_cards()
    play.answer("let_ride_2")
    play.answer({"irregularity": "stub_count_misdeal"})

    assert len(play.table.equipment.stub) == 52
    assert play.table.hands == {}


# Scripts that cannot be.


@pytest.mark.cites("18.2")
@pytest.mark.parametrize("card", ["Th", "Jk", "1h"])
def test_no_card_comes_twice_and_none_that_is_not_in_the_pack(card: str) -> None:
    refusal = cannot(f"Th Td 4c 5s {card}")

    assert refusal.fault is Fault.IMPOSSIBLE_OUTCOME
    assert card in refusal.message


@pytest.mark.cites("18.9")
def test_a_script_must_give_the_card_that_is_burnt_too() -> None:
    refusal = refused("let-it-ride-poker", TENS.split(), wagers(), moves=STAYS)

    says(refusal, Fault.BAD_SCRIPT, "gives 5 draws and needs at least 1 more")
