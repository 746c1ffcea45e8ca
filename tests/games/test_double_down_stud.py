"""Double down stud, N.J.A.C. 19:47-17: one card and four shared ones, paid by a table.

Odds are written out here once more, from the rule sheet, so that a slip in the game's own tables
is seen.
"""

from collections import Counter
from collections.abc import Mapping
from itertools import product
from typing import Any

import pytest

from croupier.games import find_game
from croupier.rulebook import Ask, Fault, Inspect, Play, Refusal, Table
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

STUD = find_game("double-down-stud")

RANKS = "23456789TJQKA"
BY_HAND = {"automated_shuffler": False}
TERMS, PAYS = "17.9 (published)", "17.10 (published)"

# Own card first, then three community cards face up, and the one face down.
KINGS = "Kh Kc 2d 3s 5h"
TENS = "Th Tc 2d 3s 5h"
FIVES = "5h 5c 2d 3s 9h"
NOTHING = "Ah Kc 2d 3s 9h"
ROYAL = "As Ks Qs Js Ts"

LADDER = {  # hands, and what schedule 1 pays to 1
    ROYAL: ("royal_flush", 2000),
    "Th Kh Ah Qh Jh": ("royal_flush", 2000),
    "9s 8s 7s 6s 5s": ("straight_flush", 200),
    "Ad 2d 3d 4d 5d": ("straight_flush", 200),
    "Kh 9c 9d 9s 9h": ("four_of_a_kind", 50),
    "2h Ac Ad 2s Ah": ("full_house", 11),
    "2h 4h 6h 8h Kh": ("flush", 8),
    "Ah Kc Qd Js Th": ("straight", 5),
    "Ah 2c 3d 4s 5h": ("straight", 5),
    "7h 2c 7d 4s 7c": ("three_of_a_kind", 3),
    "2h 3c 2d 3s 9h": ("two_pairs", 2),
    "Kh Kc 3d 3s 9h": ("two_pairs", 2),
    "Jh 2c 3d 4s Jc": ("pair_of_jacks_or_better", 1),
    "2h Ac 3d 4s Ad": ("pair_of_jacks_or_better", 1),
}


def dealt(cards: str, *moves: Any, stake: int = 1000, **others: Any) -> Told:
    """Ten dollars of seat 1 on these cards: `dealt("Kh Kc 2d 3s 5h", "double")`."""
    return deal("double-down-stud", cards.split(), {"original": stake}, moves=moves, **others)


def cannot(cards: str, *moves: Any, stake: int = 1000, **others: Any) -> Refusal:
    return refused("double-down-stud", cards.split(), {"original": stake}, moves=moves, **others)


def before(draw: int, kind: str, **about: str) -> dict[str, Any]:
    return {"irregularities": [{"before_draw": draw, "kind": kind, **about}]}


def table_of(options: Mapping[str, Any] | None = None, seats: str = "1") -> Table:
    """A table that has been opened, with ten dollars at these seats."""
    table = Table(STUD, options)
    table.state = STUD.in_play(table.state)
    for seat in seats:
        table.bet(seat, "original", 1000)
    return table


def answered(table: Table, *answers: Any) -> Play:
    play = Play(table)
    for answer in answers:
        play.answer(answer)
    return play


def with_four_cards(cards: str = KINGS, options: Mapping[str, Any] | None = None) -> Play:
    """Seat 1 is to decide."""
    return answered(table_of(options), *cards.split(), None)


def doubled(cards: str = KINGS, options: Mapping[str, Any] | None = None) -> Play:
    """Seat 1 has doubled, and nothing has been settled."""
    play = with_four_cards(cards, options)
    play.answer("double")
    return play


def report(play: Play, kind: str, **about: str) -> Table:
    play.answer({"irregularity": kind, **about})
    return play.table


def steps(told: Told, round: int = -1) -> list[tuple[str, str]]:
    return [(step["text"], cited(step)) for step in told.events("step", round)]


def cards_of(told: Told) -> list[tuple[str, bool]]:
    """Where the cards went, one after another, and whether face down."""
    return [(card["to"], card.get("face_down", False)) for card in told.events("draw")]


# The cards and the table.


@pytest.mark.cites("17.2")
def test_the_game_is_played_with_one_pack_of_52_cards() -> None:
    pack = Table(STUD).equipment

    assert Counter(map(str, pack.composition)) == Counter(map("".join, product(RANKS, "cdhs")))


@pytest.mark.cites("17.2")
def test_two_packs_are_dealt_from_in_turn() -> None:
    table = table_of({"packs": 2})
    used = []
    for _ in range(3):
        used.append(table.state.pack)
        answered(table, *KINGS.split(), None, "stand", None)
        table.open_betting()
        table.bet("1", "original", 1000)

    assert used == [1, 2, 1]


@pytest.mark.cites("17.2", "17.8")
def test_dealing_from_the_hand_and_a_second_pack_need_a_shuffling_device() -> None:
    assert not STUD.check({"deal_method": "hand"})
    assert not STUD.check({"packs": 2})
    assert unlawful("double-down-stud", {**BY_HAND, "deal_method": "hand", "packs": 2}) == [
        ("deal_method", "17.8 (after 19:47-20.8(b)1)"),
        ("packs", "17.2 (after 13:69F-40.2(b))"),
    ]


def opened(options: Mapping[str, Any]) -> Told:
    """The first round of a table."""
    seat = {"wagers": {"original": 1000}, "moves": ["stand"]}
    return run(
        {"game": "double-down-stud", "options": dict(options), "shuffle": True,
         "draws": KINGS.split(), "seats": {"1": seat}}
    )  # fmt: skip


@pytest.mark.cites("17.3", "17.4")
def test_when_the_table_opens_then_the_cards_are_inspected_and_shuffled() -> None:
    told = opened({})

    assert steps(told)[:2] == [
        ("The cards are inspected, spread face up and washed", "17.3 (after 13:69F-40.3)"),
        ("A device shuffles the cards", "17.4 (after 13:69F-40.4(a))"),
    ]


@pytest.mark.cites("17.4")
def test_cards_that_the_dealer_shuffles_are_cut() -> None:
    told = opened(BY_HAND)

    shuffled = [
        ("The dealer shuffles the cards", "17.4 (after 13:69F-40.4(a))"),
        ("The dealer cuts the cards, at least 10 from the top", "17.4 (after 13:69F-40.4(c))"),
    ]
    assert steps(told)[1:3] == shuffled
    assert steps(told)[-2:] == shuffled


@pytest.mark.cites("17.4")
def test_every_round_is_dealt_from_the_whole_pack() -> None:
    again = {"draws": KINGS.split(), "seats": {"1": {"wagers": {"original": 1000},
                                                     "moves": ["stand"]}}}  # fmt: skip

    assert run({"game": "double-down-stud", "rounds": [again, again]}).net() == 2000


@pytest.mark.cites("17.1", "17.6")
def test_only_the_wagers_of_the_rule_are_permitted() -> None:
    assert [wager.id for wager in STUD.wagers] == ["original", "double"]
    refusal = turned_away(Table(STUD), "ante")
    says(refusal, Fault.UNKNOWN_WAGER, "double down stud has no wager 'ante'", "17.1 (customary)")


@pytest.mark.cites("17.1")
def test_a_table_has_seven_positions() -> None:
    refusal = turned_away(Table(STUD), "original", seat="8")
    says(refusal, Fault.UNKNOWN_SEAT, "the seats are 1 to 7", "17.1 (customary)")


# The wagers.


@pytest.mark.cites("17.6")
def test_the_double_is_not_made_before_the_cards() -> None:
    table = table_of()

    says(turned_away(table, "double"), Fault.NOT_NOW, "made in the course of the round", TERMS)


@pytest.mark.cites("17.6", "17.8")
def test_after_no_more_bets_no_wager_is_made_or_taken_back() -> None:
    play = answered(table_of(), "Kh")

    for amount in (0, 500, 2000):
        refusal = turned_away(play.table, "original", amount)
        says(refusal, Fault.NO_MORE_BETS, "No more bets", "17.6 (after 13:69F-27.6(d))")


@pytest.mark.cites("17.6")
@pytest.mark.parametrize(
    ("amount", "fault"), [(999, Fault.BELOW_MINIMUM), (5001, Fault.ABOVE_MAXIMUM)]
)
def test_posted_limits_hold(amount: int, fault: Fault) -> None:
    table = Table(STUD, {"table_min": 1000, "table_max": 5000})

    assert turned_away(table, "original", amount).fault is fault


@pytest.mark.cites("17.6")
def test_a_doubled_wager_may_be_above_the_posted_limit_of_one() -> None:
    told = dealt(KINGS, "double", stake=5000, options={"table_max": 5000})

    assert told.net() == 10_000


@pytest.mark.cites("17.6")
def test_a_player_has_one_position_unless_the_licensee_allows_two_side_by_side() -> None:
    one, two = Table(STUD), Table(STUD, {"two_positions": True})
    one.sit("1", "Ann")
    two.sit("3", "Ann")
    two.sit("4", "Ann")

    for table, seat, words in (
        (one, "2", "one position"),
        (two, "2", "two positions"),
        (two, "5", "two positions"),
    ):
        with pytest.raises(Refusal, match=words) as caught:
            table.sit(seat, "Ann")
        assert section(caught.value) == "19:47-17.6"


@pytest.mark.cites("17.6")
def test_two_positions_of_a_player_must_be_adjacent() -> None:
    table = Table(STUD, {"two_positions": True})
    table.sit("3", "Ann")

    with pytest.raises(Refusal, match="must be adjacent"):
        table.sit("5", "Ann")


@pytest.mark.cites("17.6")
def test_nobody_plays_and_nothing_is_dealt() -> None:
    play = Play(table_of(seats=""))

    assert play.request is None
    assert play.table.settlements == []


# The deal.


@pytest.mark.cites("17.8")
@pytest.mark.parametrize("method", ["manual_shoe", "hand"])
def test_each_player_gets_a_card_face_up_then_the_community_cards_the_last_face_down(
    method: str,
) -> None:
    seats = {seat: {"wagers": {"original": 1000}, "moves": ["stand"]} for seat in ("5", "2", "7")}
    told = deal("double-down-stud", "Kh 9c 8d 2d 3s 5h 6h".split(), seats=seats,
                options={"deal_method": method})  # fmt: skip

    up, down = False, True
    assert cards_of(told) == [
        ("2", up), ("5", up), ("7", up), ("board", up), ("board", up), ("board", up),
        ("board", down),
    ]  # fmt: skip
    texts = [text for text, _ in steps(told)]
    assert texts[0].startswith("The cards are dealt from the " + method.removeprefix("manual_"))
    assert texts[1] == "The stub goes to the discard rack, unseen"


@pytest.mark.cites("17.8")
def test_there_is_no_automated_dealing_shoe() -> None:
    assert unlawful("double-down-stud", {"deal_method": "automated_shoe"}) == [
        ("deal_method", "17.8 (customary)")
    ]


@pytest.mark.cites("17.8")
def test_betting_closes_before_the_first_card() -> None:
    told = dealt(KINGS, "stand")
    kinds = [event["kind"] for event in told.rounds[0]["events"]]

    (closed, *_) = told.events("announce")
    assert (closed["text"], cited(closed)) == ("No more bets", "17.8 (after 13:69F-40.7(b))")
    assert kinds.index("announce") < kinds.index("draw")


@pytest.mark.cites("17.8")
@pytest.mark.parametrize(("shuffler", "counted"), [(False, [5, 10]), (True, [])])
def test_the_stub_is_counted_every_fifth_round_unless_a_device_counts_the_cards(
    shuffler: bool, counted: list[int]
) -> None:
    each = {"draws": KINGS.split(), "seats": {"1": {"wagers": {"original": 1000},
                                                    "moves": ["stand"]}}}  # fmt: skip
    told = run({"game": "double-down-stud", "options": {"automated_shuffler": shuffler},
                "rounds": [each] * 10})  # fmt: skip

    count = ("The dealer counts the stub face down", "17.8 (after 19:47-20.8(e))")
    assert [round + 1 for round in range(10) if count in steps(told, round)] == counted


@pytest.mark.cites("17.8")
def test_nobody_sees_the_fourth_community_card_before_it_is_turned() -> None:
    play = with_four_cards("Kh 2c 3d 5s Kc")

    for seat in ("1", "2", None):
        assert "Kc" not in str(play.table.view(seat)["events"])
        assert "Kh" in str(play.table.view(seat)["events"])
    play.answer("stand")
    turned = play.table.view()["events"][-1]
    assert (turned["kind"], turned["hand"], turned["cards"]) == ("reveal", "board", ["Kc"])
    assert cited(turned) == TERMS


# The decision.


@pytest.mark.cites("17.9")
def test_with_four_cards_in_sight_a_player_stands_or_doubles() -> None:
    play = with_four_cards()

    assert isinstance(play.request, Ask)
    assert [str(move) for move in play.request.moves] == ["stand", "double (1000 cents)"]
    assert play.request.default == "stand"


@pytest.mark.cites("17.6", "17.9")
@pytest.mark.parametrize("stake", [500, 1000, 1234, 500_000])
def test_the_double_equals_the_original_wager(stake: int) -> None:
    for move in ("double", {"double": stake}):
        told = dealt(KINGS, move, stake=stake)

        staked = [(wager["wager"], wager["stake"]) for wager in told.events("wager")]
        assert staked == [("original", stake), ("double", stake)]


@pytest.mark.cites("17.6", "17.9")
@pytest.mark.parametrize("amount", [0, 500, 999, 1001, 2000, -1000, "1000"])
def test_there_is_no_double_for_less_or_more(amount: Any) -> None:
    refusal = not_answered(with_four_cards(), {"double": amount})

    says(refusal, Fault.ILLEGAL_MOVE, "seat 1 may double (1000 cents), not", TERMS)


@pytest.mark.cites("17.9")
@pytest.mark.parametrize("move", ["fold", "surrender", "raise", {"stand": 1000}, None])
def test_nothing_else_may_be_decided(move: Any) -> None:
    refusal = not_answered(with_four_cards(), move)

    assert refusal.fault is Fault.ILLEGAL_MOVE
    assert section(refusal) == "19:47-17.9"


@pytest.mark.cites("17.9")
def test_players_decide_once_each_clockwise_from_the_dealers_left() -> None:
    seats = {
        "6": {"wagers": {"original": 1000}, "moves": ["double"]},
        "1": {"wagers": {"original": 2000}, "moves": ["stand"]},
        "3": {"wagers": {"original": 3000}, "moves": ["double"]},
    }
    told = deal("double-down-stud", "Kh Qc 2h Kd Qd 3s 5h".split(), seats=seats)

    assert [(asked["seat"], asked["move"]) for asked in told.events("decision")] == [
        ("1", "stand"), ("3", "double"), ("6", "double"),
    ]  # fmt: skip
    assert [told.net(seat) for seat in "136"] == [2000, 6000, -2000]


@pytest.mark.cites("17.9")
def test_a_script_must_say_what_a_player_decides_and_nothing_more() -> None:
    says(cannot(KINGS), Fault.BAD_SCRIPT, "seat 1 must stand or double", TERMS)
    again = cannot(KINGS, "stand", "double")
    says(again, Fault.BAD_SCRIPT, "seat 1 was never asked for its move", "17.1 (customary)")


# What the hand pays.


@pytest.mark.cites("17.5", "17.10")
@pytest.mark.parametrize("schedule", [1, 2])
@pytest.mark.parametrize(("cards", "hand", "odds"), [(c, *found) for c, found in LADDER.items()])
def test_both_wagers_are_paid_by_the_schedule(
    cards: str, hand: str, odds: int, schedule: int
) -> None:
    told = dealt(cards, "double", options={"pay_schedule": schedule})
    if (hand, schedule) == ("royal_flush", 2):
        odds = 1000

    for wager in ("original", "double"):
        settled = told.settled(wager)
        assert (settled["result"], settled["net"]) == ("win", 1000 * odds)
        assert (settled["line"], cited(settled)) == (hand, PAYS)


@pytest.mark.cites("17.10")
def test_the_first_schedule_is_the_usual_one() -> None:
    assert dealt(ROYAL, "stand").net() == 2_000_000
    assert unlawful("double-down-stud", {"pay_schedule": 3}) == [
        ("pay_schedule", "17.10 (customary)")
    ]


@pytest.mark.cites("17.6", "17.10")
@pytest.mark.parametrize("rank", RANKS)
def test_a_pair_of_jacks_wins_a_pair_of_sixes_is_returned_and_a_lower_one_loses(rank: str) -> None:
    """All pairs, with the pair half in hand, and among the community cards."""
    first, second = f"{rank}h", f"{rank}d"
    a, b, c = [f"{other}s" for other in "3468" if other != rank][:3]
    at = RANKS.index(rank)
    expected = ("lose", -1000) if at < 4 else ("push", 0) if at < 9 else ("win", 1000)

    for cards in (f"{first} {a} {b} {c} {second}", f"{a} {first} {second} {b} {c}"):
        told = dealt(cards, "double")
        assert told.result("original") == told.result("double") == expected


@pytest.mark.cites("17.6", "17.10")
def test_a_returned_hand_says_why() -> None:
    told = dealt(TENS, "double")

    assert told.net() == 0
    assert {told.settled(wager)["line"] for wager in ("original", "double")} == {
        "pair_of_sixes_to_tens"
    }
    assert [event["amount"] for event in told.events("return")] == [1000, 1000]


@pytest.mark.cites("17.5", "17.6")
@pytest.mark.parametrize(
    "cards",
    [
        NOTHING,
        "Qh Kc Ad 2s 3h",  # no straight runs round the corner
        "Kh Ac 2d 3s 4h",
        "2h 4h 6h 8h Kc",  # four of a suit are no flush
    ],
)
def test_anything_lower_loses(cards: str) -> None:
    told = dealt(cards, "double")

    assert told.result("original") == told.result("double") == ("lose", -1000)


@pytest.mark.cites("17.9")
def test_who_stands_has_only_the_original_wager_at_stake() -> None:
    assert [dealt(cards, "stand").net() for cards in (KINGS, TENS, FIVES)] == [1000, 0, -1000]
    assert [dealt(cards, "double").net() for cards in (KINGS, TENS, FIVES)] == [2000, 0, -2000]


@pytest.mark.cites("17.5", "17.9")
def test_the_dealer_calls_each_hand_from_his_right_and_settles_it() -> None:
    seats = {
        "1": {"wagers": {"original": 1000}, "moves": ["double"]},
        "2": {"wagers": {"original": 1000}, "moves": ["stand"]},
    }
    told = deal("double-down-stud", "Kh 2h Kc 7d 3s 5h".split(), seats=seats)

    assert told.said()[1:] == [
        "Seat 2 has high card, king-seven high",
        "Seat 1 has pair, kings, seven, five and three kickers",
    ]
    money = [e for e in told.rounds[0]["events"] if e["kind"] in ("collect", "pay")]
    assert [(e["kind"], e["seat"], e["wager"]) for e in money] == [
        ("collect", "2", "original"), ("pay", "1", "original"), ("pay", "1", "double"),
    ]  # fmt: skip
    assert cited(money[0]) == "17.9 (after 19:47-20.10(c))"
    assert [event["hand"] for event in told.events("reveal")] == ["board"]
    assert ("The cards are picked up", "17.9 (after 19:47-20.10(d))") in steps(told)


@pytest.mark.cites("17.10")
def test_a_table_may_pay_better_but_not_worse_and_no_other_hand() -> None:
    better = {"higher_odds": {"original.flush": "9 to 1"}}

    assert dealt("2h 4h 6h 8h Kh", "double", options=better).net() == 9000 + 8000
    for odds in ({"double.flush": "7 to 1"}, {"original": "1 to 2"}):
        assert ("higher_odds", PAYS) in unlawful("double-down-stud", {"higher_odds": odds})
    more = {"higher_odds": {"original.pair_of_sixes_to_tens": "1 to 1"}}
    assert unlawful("double-down-stud", more) == [("higher_odds", "17.1 (customary)")]


@pytest.mark.cites("17.6", "17.10")
def test_given_better_odds_on_a_double_then_what_could_not_be_paid_exactly_is_refused() -> None:
    """The double equals the original wager, so at 3 to 2 an odd cent is refused at once."""
    posted = {"higher_odds": {"double.pair_of_jacks_or_better": "3 to 2"}}

    refusal = turned_away(Table(STUD, posted), "original", 1001)

    says(refusal, Fault.NOT_PAYABLE, "it must be a multiple of 2 cents", PAYS)
    assert dealt(KINGS, "double", options=posted).net() == 1000 + 1500


# The payout limitation.


@pytest.mark.cites("17.10")
@pytest.mark.parametrize(
    ("stake", "each"),
    [
        (1249, 2_498_000),
        (1250, 2_500_000),  # $50,000 together
        (1251, 2_500_000),
        (2501, 2_500_000),
        (500_000, 2_500_000),
    ],
)
def test_a_hand_wins_no_more_than_50000_dollars_on_both_wagers(stake: int, each: int) -> None:
    told = dealt(ROYAL, "double", stake=stake)

    assert told.result("original") == told.result("double") == ("win", each)
    limited = {told.settled(wager)["pays"] for wager in ("original", "double")}
    assert limited == {"2,000 to 1" if stake <= 1250 else "2,000 to 1, limited"}


@pytest.mark.cites("17.10")
@pytest.mark.parametrize(
    ("options", "original", "double"),
    [
        ({"higher_odds": {"double.royal_flush": "3000 to 1"}}, 2_000_000, 3_000_000),
        ({"payout_limit": 5_000_001}, 2_500_001, 2_500_000),  # the odd cent goes to the first
    ],
)
def test_the_limit_is_shared_in_proportion_to_what_each_wager_would_win(
    options: dict[str, Any], original: int, double: int
) -> None:
    told = dealt(ROYAL, "double", stake=2000, options=options)

    assert told.result("original") == ("win", original)
    assert told.result("double") == ("win", double)


@pytest.mark.cites("17.10")
def test_the_limit_is_what_the_licensee_has_filed_and_holds_for_each_hand() -> None:
    seats = {seat: {"wagers": {"original": 200_000}, "moves": ["stand"]} for seat in "12"}
    told = deal("double-down-stud", "5h 6c Kc Kd Ks Kh".split(), seats=seats,
                options={"payout_limit": 8_000_000})  # fmt: skip

    assert told.net("1") == told.net("2") == 8_000_000


@pytest.mark.cites("17.10")
@pytest.mark.parametrize(
    ("options", "limit"),
    [
        ({"payout_limit": 100}, 2_000_000),
        ({"payout_limit": 100, "pay_schedule": 2}, 1_000_000),
        ({"table_min": 2500}, 10_000_000),
        ({"payout_limit": 100, "higher_odds": {"double.royal_flush": "3000 to 1"}}, 2_500_000),
    ],
)
def test_the_least_wager_is_always_paid_in_full(options: dict[str, Any], limit: int) -> None:
    least = options.get("table_min", 500)
    told = dealt(ROYAL, "double", stake=least, options=options)

    assert told.net() == limit
    assert dealt(ROYAL, "double", stake=2 * least, options=options).net() == limit


# Irregularities.


@pytest.mark.cites("17.11")
@pytest.mark.parametrize("draw", [1, 2, 5])
def test_a_card_found_face_up_is_not_used(draw: int) -> None:
    cards = KINGS.split()
    cards.insert(draw - 1, "9d")
    told = dealt(" ".join(cards), "double", **before(draw, "card_face_up"))

    assert told.net() == 2000
    (found,) = told.events("irregularity")
    assert cited(found) == "17.11 (after 19:47-20.12(a))"


@pytest.mark.cites("17.11")
def test_a_second_card_found_face_up_voids_the_round() -> None:
    mishaps = [{"before_draw": at, "kind": "card_face_up"} for at in (2, 4)]
    told = dealt("Kh 9d Kc 8d", irregularities=mishaps)

    assert told.rounds[0]["void"]
    assert told.result("original") == ("void", 0)


@pytest.mark.cites("17.11")
@pytest.mark.parametrize(
    ("kind", "cite"),
    [
        ("cards_face_up", "17.11 (after 19:47-20.12(a))"),
        ("wrong_number_of_cards", "17.11 (after 19:47-20.12(c))"),
    ],
)
def test_several_cards_face_up_or_a_wrong_number_of_cards_void_the_round(
    kind: str, cite: str
) -> None:
    told = dealt("Kh Kc", **before(3, kind))

    assert told.rounds[0]["void"]
    assert told.result("original") == ("void", 0)
    assert cited(told.settled("original")) == cite


@pytest.mark.cites("17.11")
def test_a_card_drawn_in_error_is_the_next_card() -> None:
    told = dealt(KINGS, "stand", **before(3, "card_drawn_in_error"))

    assert told.net() == 1000


@pytest.mark.cites("17.11")
def test_what_happens_while_cards_are_dealt_does_not_happen_afterwards() -> None:
    play = answered(table_of(), *KINGS.split())

    assert isinstance(play.request, Inspect)
    for kind in ("card_face_up", "cards_face_up", "card_drawn_in_error"):
        refusal = not_answered(play, {"irregularity": kind})
        assert refusal.fault is Fault.NOT_NOW
        assert "no card is due" in refusal.message


@pytest.mark.cites("17.11")
def test_a_wrong_number_of_cards_found_after_the_double_returns_both_wagers() -> None:
    table = report(doubled(), "wrong_number_of_cards")

    assert table.is_void
    assert {s.bet.wager.id: s.net for s in table.settlements} == {"original": 0, "double": 0}
    assert table.money["1"] == 0


@pytest.mark.cites("17.11")
def test_the_hidden_card_exposed_before_every_player_has_decided_voids_the_round() -> None:
    told = dealt(KINGS, **before(6, "community_card_exposed"))

    assert told.rounds[0]["void"]
    assert cited(told.settled("original")) == "17.11 (after 19:47-20.12(d))"


@pytest.mark.cites("17.11")
@pytest.mark.parametrize("first", ["stand", "double"])
def test_so_it_does_between_two_players_decisions(first: str) -> None:
    play = answered(table_of(seats="12"), *"Kh Qc Kc 2d 3s 5h".split(), None, first)
    table = report(play, "community_card_exposed")

    assert table.is_void
    assert (table.money["1"], table.money["2"]) == (0, 0)


@pytest.mark.cites("17.11")
def test_once_every_player_has_decided_it_is_turned_anyway() -> None:
    refusal = not_answered(doubled(), {"irregularity": "community_card_exposed"})

    says(refusal, Fault.NOT_NOW, "every player has decided", "17.11 (after 19:47-20.12(d))")


@pytest.mark.cites("17.8", "17.11")
@pytest.mark.parametrize("kind", ["stub_count_misdeal", "stub_count_wrong"])
def test_a_wrong_count_of_the_stub_voids_the_round(kind: str) -> None:
    told = dealt(KINGS, **before(6, kind))

    assert told.rounds[0]["void"]
    assert cited(told.settled("original")) == "17.8 (after 13:69F-40.7(f)2)"
    replaced = ("The pack is taken from the table and replaced", "13:69E-1.18")
    assert (replaced in steps(told)) == (kind == "stub_count_wrong")
    early = not_answered(answered(table_of(), "Kh"), {"irregularity": kind})
    assert "the stub is counted when the cards are dealt" in early.message


@pytest.mark.cites("17.8", "17.11")
@pytest.mark.parametrize("kind", ["shuffler_count_wrong", "shuffler_jams"])
def test_a_fault_of_the_shuffling_device_is_found_before_the_first_card(kind: str) -> None:
    assert dealt(KINGS, "stand", **before(1, kind)).net() == 1000
    late = cannot(KINGS, "stand", **before(2, kind))
    assert (late.fault, "cards have been dealt" in late.message) == (Fault.NOT_NOW, True)
    none = cannot(KINGS, "stand", options=BY_HAND, **before(1, kind))
    assert "the dealer shuffles the cards" in none.message


@pytest.mark.cites("17.11")
def test_there_is_no_automated_shoe_that_could_jam() -> None:
    refusal = cannot(KINGS, "stand", **before(2, "dealing_shoe_jams"))

    assert refusal.fault is Fault.UNKNOWN_IRREGULARITY


@pytest.mark.cites("17.4", "17.11")
def test_cards_cut_improperly_are_cut_again_before_the_first_is_dealt() -> None:
    told = dealt(KINGS, "stand", options=BY_HAND, **before(1, "improper_cut"))

    (recut,) = told.events("irregularity")
    assert cited(recut) == "17.4 (after 13:69F-40.4(d))"
    late = cannot(KINGS, "stand", options=BY_HAND, **before(2, "improper_cut"))
    assert "cards have been dealt" in late.message
    never = cannot(KINGS, "stand", **before(1, "improper_cut"))
    assert "they are not cut" in never.message


@pytest.mark.cites("17.11")
def test_before_another_device_is_used_the_old_one_leaves_the_table() -> None:
    told = dealt(KINGS, "stand", **before(1, "change_of_device"))

    (change,) = told.events("irregularity")
    assert change["resolution"] == "The device is first taken from the table"
    assert cited(change) == "17.11 (after 13:69F-40.12(g))"


@pytest.mark.cites("17.11")
def test_a_player_who_exposes_his_card_stays_in() -> None:
    told = dealt(KINGS, "stand", **before(3, "player_exposes_cards", seat="1"))

    assert told.net() == 1000
    refusal = cannot(KINGS, "stand", **before(3, "player_exposes_cards", seat="2"))
    assert "must name a seat to which it can have happened: 1" in refusal.message


@pytest.mark.cites("17.4", "17.11")
def test_after_a_void_round_the_whole_pack_is_shuffled() -> None:
    play = report(doubled(), "stub_count_misdeal")

    assert len(play.equipment.stub) == 52
    assert play.hands == {}


# Scripts that cannot be.


@pytest.mark.cites("17.2")
@pytest.mark.parametrize(
    ("cards", "words"),
    [
        ("Kh Kc 2d 3s Kh", "Kh"),
        ("Kh Kc 2d 3s Jk", "Jk"),
        ("Kh Kc 2d 3s 1h", "1h"),
    ],
)
def test_no_card_comes_twice_and_none_that_is_not_in_the_pack(cards: str, words: str) -> None:
    refusal = cannot(cards, "stand")

    assert refusal.fault is Fault.IMPOSSIBLE_OUTCOME
    assert words in refusal.message


@pytest.mark.cites("17.8")
def test_a_script_with_too_few_cards_says_how_many_more_it_needs() -> None:
    refusal = cannot("Kh Kc 2d", "stand")

    says(refusal, Fault.BAD_SCRIPT, "gives 3 draws and needs at least 2 more")
