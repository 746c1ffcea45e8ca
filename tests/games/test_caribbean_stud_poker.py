"""Caribbean stud poker, N.J.A.C. 19:47-16: ante, bet or fold, and a meter for the best hands."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

import pytest

from croupier.analysis import analyze
from croupier.equipment import Card
from croupier.games import find_game
from croupier.games.caribbean_stud_poker import BET, PROGRESSIVE, CaribbeanState
from croupier.ranking import rank
from croupier.rulebook import (
    Ask,
    Case,
    Fault,
    Inspect,
    Meter,
    Play,
    Refusal,
    Showdown,
    Table,
    by_chance,
    play_round,
)
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

GAME = find_game("caribbean-stud-poker")

ROYAL, OTHER_ROYAL = "As Ks Qs Js Ts", "Ah Kh Qh Jh Th"
STRAIGHT_FLUSH, OTHER_STRAIGHT_FLUSH = "9s 8s 7s 6s 5s", "9h 8h 7h 6h 5h"
FLUSH, PAIR = "Js 9s 7s 4s 2s", "7s 7h 8d 4c 2s"
NOTHING = "Js 9h 7d 4c 2s"
HANDS = {  # from the highest to the lowest, as 16.5 lists them
    "royal_flush": ROYAL,
    "straight_flush": STRAIGHT_FLUSH,
    "four_of_a_kind": "7s 7h 7d 7c 2s",
    "full_house": "7s 7h 7d 2c 2s",
    "flush": FLUSH,
    "straight": "9s 8h 7d 6c 5s",
    "three_of_a_kind": "7s 7h 7d 5c 2s",
    "two_pairs": "7s 7h 5d 5c 2s",
    "pair": PAIR,
    "high_card": "As Kh 8d 5c 2s",
}
BEST = {  # of its kind, for the dealer
    "straight_flush": "Kd Qd Jd Td 9d", "four_of_a_kind": "As Ah Ad Ac Kd",
    "full_house": "As Ah Ad Kc Kd", "flush": "Ad Kd Qd Jd 9d", "straight": "Ad Kc Qh Jd Tc",
    "three_of_a_kind": "Ad Ac Ah Kd Qc", "two_pairs": "Ad Ac Kh Kd Qc", "pair": "Ad Ac Kh Qd Jc",
    "high_card": "Ad Kc Qh Jd 9c",
}  # fmt: skip
COMBINATIONS = {
    "royal_flush": 4, "straight_flush": 36, "four_of_a_kind": 624, "full_house": 3744,
    "flush": 5108, "straight": 10_200, "three_of_a_kind": 54_912, "two_pairs": 123_552,
    "pair": 1_098_240, "high_card": 1_302_540,
}  # fmt: skip

LEAST_TO_PLAY = "Ad Kc 4h 3c 2d"  # the weakest hand that qualifies
BEST_TO_MISS = "Ad Qc Jd Tc 9d"  # the strongest that does not
TERMS, PAYS, METER = "16.10 (published)", "16.12 (published)", "16.11 (published)"
WAGERS, ERRORS = "16.6 (published)", "16.13 (after 19:47-20.12({}))"
BY_HAND = {"automated_shuffler": False, "deal_method": "manual_shoe"}


def dealt(
    player: str, dealer: str, *moves: Any, ante: int = 1000, dollar: bool = False, **others: Any
) -> Told:
    """Ten dollars of seat 1, its five cards and the dealer's: `dealt(PAIR, BEST_TO_MISS, "bet")`.

    From the automated shoe each hand comes as a packet, the dealer's last card face up.
    """
    wagers = {"ante": ante, **({"progressive": 100} if dollar else {})}
    cards = f"{player} {dealer}".split()
    return deal("caribbean-stud-poker", cards, wagers, moves=moves, **others)


def cannot(player: str, dealer: str, *moves: Any, **others: Any) -> Refusal:
    cards = f"{player} {dealer}".split()
    return refused("caribbean-stud-poker", cards, {"ante": 1000}, moves=moves, **others)


def both(
    first: str, second: str, dealer: str, *moves: str, dollar: bool = True, **others: Any
) -> Told:
    """Seats 1 and 2 with these hands."""
    wagers = {"ante": 1000, **({"progressive": 100} if dollar else {})}
    one, two = moves or ("bet", "bet")
    return deal(
        "caribbean-stud-poker", f"{first} {second} {dealer}".split(),
        seats={"1": {"wagers": wagers, "moves": [one]}, "2": {"wagers": wagers, "moves": [two]}},
        **others,
    )  # fmt: skip


def before(draw: int, kind: str, **about: str) -> dict[str, Any]:
    return {"irregularities": [{"before_draw": draw, "kind": kind, **about}]}


def with_antes(
    options: Mapping[str, Any] | None = None, seats: str = "1", *, dollar: bool = False
) -> Table:
    """A table that is open already, with antes at these seats."""
    table = Table(GAME, options)
    table.state = GAME.in_play(table.state)
    for seat in seats:
        table.bet(seat, "ante", 1000)
        if dollar:
            table.bet(seat, "progressive", 100)
    return table


def answered(table: Table, cards: str, *answers: Any) -> Play:
    """The round with these cards, then these answers: None where nothing irregular is reported."""
    play = Play(table)
    for answer in (*cards.split(), *answers):
        play.answer(answer)
    return play


def played(table: Table, player: str, dealer: str, move: str) -> None:
    """A whole round of seat 1."""
    table.open_betting()
    table.bet("1", "ante", 1000)
    table.bet("1", "progressive", 100)
    assert answered(table, f"{player} {dealer}", None, move, None).request is None


def steps(told: Told | Table) -> list[tuple[str, str]]:
    """What was done with the hands, and by which rules."""
    if isinstance(told, Table):
        found = [event.as_json() for event in told.events if event.kind == "step"]
    else:
        found = told.events("step")
    return [(each["text"], cited(each)) for each in found]


def texts(told: Told | Table) -> list[str]:
    return [text for text, _ in steps(told)]


def meter(told: Told | Table) -> list[str]:
    """What the meter showed, each time that it moved."""
    return [text.rpartition(" ")[2] for text in texts(told) if "shows" in text]


def money(told: Told, *kinds: str) -> list[tuple[str, str, int]]:
    events = [event for event in told.rounds[-1]["events"] if event["kind"] in kinds]
    return [(event["seat"], event["wager"], event["amount"]) for event in events]


def places(told: Told) -> list[str]:
    return [card["to"] for card in told.events("draw")]


# The table and the pack.


@pytest.mark.cites("16.1")
def test_the_wagers_are_ante_bet_and_progressive_and_no_others() -> None:
    assert [wager.id for wager in GAME.wagers] == ["ante", "bet", "progressive"]
    refusal = turned_away(Table(GAME), "pair_plus")
    says(refusal, Fault.UNKNOWN_WAGER, "has no wager 'pair_plus'", "16.1 (customary)")


@pytest.mark.cites("16.1")
def test_a_round_of_play_ends_when_all_wagers_are_settled_and_nobody_leaves_before() -> None:
    play = answered(with_antes(), f"{PAIR} {BEST_TO_MISS}", None)

    with pytest.raises(Refusal) as caught:
        play.table.leave("1")
    says(caught.value, Fault.NOT_NOW, "ante is still on the layout", "16.1 (customary)")
    play.answer("bet")
    play.answer(None)
    play.table.leave("1")


@pytest.mark.cites("13:69E-1.13G(a)")
@pytest.mark.parametrize("seats", [6, 7])
def test_a_table_has_six_or_seven_positions(seats: int) -> None:
    table = Table(GAME, {"seats": seats})

    assert len(table.positions) == seats
    assert turned_away(table, "ante", seat=str(seats + 1)).fault is Fault.UNKNOWN_SEAT
    assert unlawful(GAME.id, {"seats": 8}) == [("seats", "13:69E-1.13G(a)")]


@pytest.mark.cites("16.2")
def test_the_pack_has_52_cards_and_no_joker() -> None:
    pack = [rank + suit for rank, suit in product("23456789TJQKA", "cdhs")]

    assert Counter(map(str, Table(GAME).equipment.composition)) == Counter(pack)


@pytest.mark.cites("16.2")
def test_a_second_pack_is_used_only_where_a_device_shuffles() -> None:
    wrong = {"packs": 2, "automated_shuffler": False}

    assert unlawful(GAME.id, wrong) == [("packs", "16.2 (after 13:69F-40.2(b))")]
    assert unlawful(GAME.id, {"packs": 3}) == [("packs", "16.2 (after 13:69F-40.2(b))")]


@pytest.mark.cites("16.2")
def test_two_packs_are_used_in_turn() -> None:
    table = Table(GAME, {"packs": 2})
    used = []
    for _ in range(4):
        table.open_betting()
        table.bet("1", "ante", 500)
        play_round(table, by_chance(SeededStream(16)))
        used.append(table.state.pack)

    assert used in ([1, 2, 1, 2], [2, 1, 2, 1])


@pytest.mark.cites("16.3", "16.4")
def test_a_table_is_opened_with_an_inspection_and_a_shuffle_but_no_cut_by_a_device() -> None:
    table = Table(GAME)
    table.bet("1", "ante", 1000)
    Play(table)

    assert steps(table)[:2] == [
        ("The cards are inspected, spread face up and washed", "16.3 (after 13:69F-40.3)"),
        ("A device shuffles the cards", "16.4 (after 13:69F-40.4(a))"),
    ]
    assert not any("cuts" in text for text in texts(table))


@pytest.mark.cites("16.4")
def test_cards_that_the_dealer_shuffles_are_cut_and_ten_cards_at_least() -> None:
    told = dealt(PAIR, BEST_TO_MISS, "fold", options={**BY_HAND, "deal_method": "automated_shoe"})

    assert steps(told)[-2:] == [
        ("The dealer shuffles the cards", "16.4 (after 13:69F-40.4(a))"),
        ("The dealer cuts the cards, at least 10 from the top", "16.4 (after 13:69F-40.4(c))"),
    ]


@pytest.mark.cites("16.4")
def test_every_round_is_dealt_from_a_full_pack() -> None:
    rounds = [
        {"draws": f"{PAIR} {BEST_TO_MISS}".split(),
         "seats": {"1": {"wagers": {"ante": 1000}, "moves": ["bet"]}}}
    ] * 3  # fmt: skip

    assert run({"game": GAME.id, "rounds": rounds}).net() == 3000


@pytest.mark.cites("16.4")
def test_a_supervisor_may_have_the_cards_cut_again_before_any_is_dealt() -> None:
    told = deal(GAME.id, NOTHING.split() + LEAST_TO_PLAY.split(), {"ante": 1000}, moves=["fold"],
                options={**BY_HAND, "deal_method": "automated_shoe"},
                **before(1, "improper_cut"))  # fmt: skip

    (event,) = told.events("irregularity")
    assert cited(event) == "16.4 (after 13:69F-40.4(d))"
    late = cannot(PAIR, BEST_TO_MISS, options=BY_HAND, **before(2, "improper_cut"))
    says(late, Fault.NOT_NOW, "cards have been dealt", "16.4 (after 13:69F-40.4(d))")
    device = cannot(PAIR, BEST_TO_MISS, **before(1, "improper_cut"))
    assert "a device shuffles the cards" in device.message


# What a hand is worth.


@pytest.mark.cites("16.5")
@pytest.mark.parametrize(("higher", "lower"), list(pairwise(HANDS)))
def test_a_hand_beats_the_best_of_the_next_lower_rank(higher: str, lower: str) -> None:
    assert dealt(HANDS[higher], BEST[lower], "bet").result("ante") == ("win", 1000)


@pytest.mark.cites("16.5")
@pytest.mark.parametrize(
    ("player", "dealer", "result"),
    [
        ("As Kh 9d 5c 3s", "Ad Kc 9h 5d 2c", "win"),  # the last card decides
        ("As Kh 9d 5c 2s", "Ad Kc 9h 5d 3c", "lose"),
        ("8s 8h Ad 4c 2s", "9d 9c 5h 4d 2c", "lose"),  # the pair before its kickers
        ("9s 9h Ad 4c 2s", "9d 9c Kh Qd Jc", "win"),
        ("As 2h 3d 4c 5s", "2d 3c 4h 5d 6c", "lose"),  # the ace is low here
        ("As Kh Qd Jc Ts", "Kd Qc Jh Td 9c", "win"),
        ("2s 2h 2d Kc Ks", "3d 3c 3h 4s 4d", "lose"),  # three of a kind before the pair
    ],
)
def test_hands_of_a_kind_compare_by_rank(player: str, dealer: str, result: str) -> None:
    assert dealt(player, dealer, "bet").result("ante")[0] == result


@pytest.mark.cites("16.5")
def test_suits_break_no_tie() -> None:
    told = dealt("As Ks 9s 5s 2s", "Ad Kd 9d 5d 2d", "bet")

    assert told.result("ante") == ("push", 0)
    assert told.result("bet") == ("push", 0)


@pytest.mark.cites("16.5")
def test_a_straight_does_not_go_round_the_ace() -> None:
    told = dealt("Qs Kh Ad 2c 3s", LEAST_TO_PLAY.replace("Ad", "Ah"), "bet")

    assert "Seat 1 has high card, ace-king high" in told.said()


# Wagers.


@pytest.mark.cites("16.6")
def test_an_ante_is_within_the_posted_limits() -> None:
    table = Table(GAME, {"table_min": 1000, "table_max": 5000})

    assert turned_away(table, "ante", 999).fault is Fault.BELOW_MINIMUM
    assert turned_away(table, "ante", 5001).fault is Fault.ABOVE_MAXIMUM


@pytest.mark.cites("16.6")
@pytest.mark.parametrize(
    ("amount", "fault", "words"),
    [
        (99, Fault.BELOW_MINIMUM, "below the least it may be, $1"),
        (101, Fault.ABOVE_MAXIMUM, "above the most it may be, $1"),
        (500, Fault.ABOVE_MAXIMUM, "above the most it may be, $1"),
    ],
)
def test_a_progressive_wager_is_exactly_one_dollar(amount: int, fault: Fault, words: str) -> None:
    table = with_antes()

    says(turned_away(table, "progressive", amount), fault, words, WAGERS)
    table.bet("1", "progressive", 100)
    assert table.stakes("1") == {"ante": 1000, "progressive": 100}


@pytest.mark.cites("16.6")
def test_a_dollar_is_a_dollar_whatever_the_antes_must_be_a_multiple_of() -> None:
    table = with_antes({"increment": 500})

    assert turned_away(table, "ante", 1100).fault is Fault.NOT_PAYABLE
    table.bet("1", "progressive", 100)
    assert table.stakes("1") == {"ante": 1000, "progressive": 100}


@pytest.mark.cites("16.6")
def test_a_progressive_wager_is_made_together_with_an_ante() -> None:
    table = with_antes(seats="2")

    words = "progressive is made together with the ante wager"
    says(turned_away(table, "progressive", 100), Fault.NO_SUPPORT, words, WAGERS)


@pytest.mark.cites("16.6")
def test_the_ante_stays_while_a_progressive_wager_rests_on_it() -> None:
    table = with_antes(dollar=True)

    words = "ante may not be taken down: progressive rests on it"
    says(turned_away(table, "ante", 0), Fault.NOT_NOW, words, WAGERS)
    table.bet("1", "ante", 500)
    table.bet("1", "progressive", 0)
    table.bet("1", "ante", 0)
    assert table.bets == {}


@pytest.mark.cites("16.6", "16.10")
def test_a_bet_is_not_made_before_the_cards() -> None:
    words = "made in the course of the round"

    says(turned_away(with_antes(), "bet", 2000), Fault.NOT_NOW, words, TERMS)


@pytest.mark.cites("16.6")
def test_no_wager_is_made_or_changed_after_no_more_bets() -> None:
    table = with_antes()
    Play(table)

    for label, amount in (("ante", 2000), ("ante", 0), ("progressive", 100)):
        refusal = turned_away(table, label, amount)
        says(refusal, Fault.NO_MORE_BETS, "No more bets", "16.6 (after 13:69F-27.6(d))")


@pytest.mark.cites("16.6")
def test_a_player_has_one_position_or_two_adjacent_ones_where_the_table_allows_it() -> None:
    table, two = Table(GAME), Table(GAME, {"one_position_per_player": False})
    for each in (table, two):
        each.sit("3", "Ann")

    with pytest.raises(Refusal) as caught:
        table.sit("4", "Ann")
    says(caught.value, Fault.NOT_NOW, "a player may wager on one position", "16.6 (customary)")
    with pytest.raises(Refusal) as caught:
        two.sit("5", "Ann")
    says(caught.value, Fault.NOT_NOW, "must be adjacent", "16.6 (customary)")
    two.sit("4", "Ann")


# The deal.


@pytest.mark.cites("16.7", "16.8")
@pytest.mark.parametrize(
    ("method", "shuffler", "section"),
    [("manual_shoe", False, "16.7"), ("manual_shoe", True, "16.7"), ("hand", True, "16.8")],
)
def test_from_a_shoe_or_the_hand_cards_are_dealt_one_by_one(
    method: str, shuffler: bool, section: str
) -> None:
    hands = [PAIR.split(), "As Kh Qs 5c 3s".split(), BEST_TO_MISS.split()]
    cards = [hand[at] for at in range(5) for hand in hands]
    seats = {seat: {"wagers": {"ante": 1000}, "moves": ["fold"]} for seat in ("2", "5")}

    told = deal(GAME.id, cards, seats=seats,
                options={"deal_method": method, "automated_shuffler": shuffler})  # fmt: skip

    assert places(told) == ["2", "5", "dealer"] * 5
    assert (f"The cards are dealt from the {method.rpartition('_')[2]}, one at a time",
            f"{section} (after 19:47-20.8(c))") in steps(told)  # fmt: skip


@pytest.mark.cites("16.9")
def test_the_automated_shoe_gives_each_hand_a_packet() -> None:
    told = both(PAIR, "As Kh Qs 5c 3s", BEST_TO_MISS)

    assert places(told) == [*"11111", *"22222", *["dealer"] * 5]
    words = "The automated shoe gives each hand a packet"
    assert (words, "16.9 (after 19:47-20.9(c))") in steps(told)


@pytest.mark.cites("16.7", "16.8", "16.9")
@pytest.mark.parametrize("method", ["manual_shoe", "hand", "automated_shoe"])
def test_betting_is_closed_and_only_the_dealers_fifth_card_lies_face_up(method: str) -> None:
    table = with_antes({"deal_method": method})
    play_round(table, by_chance(SeededStream(5)))

    draws = [event.data for event in table.events if event.kind == "draw"]
    up = [number for number, card in enumerate(draws, 1) if "outcome" in card]
    assert up == [10]
    assert draws[9]["to"] == "dealer"
    (said,) = [e for e in table.events if e.data.get("text") == "No more bets"]
    assert str(said.cite).startswith(
        {"manual_shoe": "19:47-16.7", "hand": "19:47-16.8", "automated_shoe": "19:47-16.9"}[method]
    )


@pytest.mark.cites("16.8")
def test_cards_are_dealt_from_the_hand_only_if_a_device_shuffles_them() -> None:
    wrong = {"deal_method": "hand", "automated_shuffler": False}

    assert unlawful(GAME.id, wrong) == [("deal_method", "16.8 (after 19:47-20.8(b)1)")]
    assert unlawful(GAME.id, {"deal_method": "boot"}) == [("deal_method", "16.7 (customary)")]


@pytest.mark.cites("16.8")
@pytest.mark.parametrize(("shuffler", "counts"), [(False, [5, 10]), (True, [])])
def test_the_stub_is_put_away_unseen_and_counted_every_fifth_round(
    shuffler: bool, counts: list[int]
) -> None:
    table = Table(GAME, {"deal_method": "manual_shoe", "automated_shuffler": shuffler})
    counted = []
    for number in range(1, 11):
        table.open_betting()
        table.bet("1", "ante", 500)
        play_round(table, by_chance(SeededStream(number)))
        stub = ("The stub goes to the discard rack, unseen", "16.7 (after 13:69F-40.7(e))")
        assert stub in steps(table)
        if ("The dealer counts the stub face down", "16.7 (after 13:69F-40.7(f))") in steps(table):
            counted.append(number)

    assert counted == counts


def test_a_seat_without_an_ante_gets_no_cards_and_nobody_plays_without_one() -> None:
    table = with_antes(seats="36")
    play_round(table, by_chance(SeededStream(5)))
    got = {event.data["to"] for event in table.events if event.kind == "draw"}
    assert got == {"3", "6", "dealer"}

    told = deal(GAME.id, [], seats={"1": {"wagers": {}}})
    assert texts(told) == ["Nobody plays, and no cards are dealt"]


def test_a_player_sees_his_own_cards_and_of_the_dealers_only_the_fifth() -> None:
    second, dealer, up_card = "3s 5h 6d 8c Ts", BEST_TO_MISS, "9d"
    play = answered(with_antes(seats="12"), f"{PAIR} {second} {dealer}", None)

    def seen(seat: str | None) -> set[str]:
        events = play.table.view(seat)["events"]
        return {event["outcome"] for event in events if "outcome" in event}

    assert seen("1") == {*PAIR.split(), up_card}
    assert seen("2") == {*second.split(), up_card}
    assert seen(None) == {up_card}


# Bet or fold.


@pytest.mark.cites("16.10")
def test_each_player_is_asked_once_clockwise_when_all_cards_are_dealt() -> None:
    play = Play(with_antes(seats="146"))
    asked = []
    stream = by_chance(SeededStream(7))
    while play.request is not None:
        if isinstance(play.request, Ask):
            assert play.table.equipment.cards_left == 52 - 4 * 5
            asked.append((play.request.seat, [str(move) for move in play.request.moves]))
        play.answer(stream(play.request))

    assert asked == [(seat, ["fold", "bet (2000 cents)"]) for seat in ("1", "4", "6")]


@pytest.mark.cites("16.10")
@pytest.mark.parametrize(
    ("move", "words"),
    [
        ({"bet": 1000}, "seat 1 may bet (2000 cents), not 1000"),
        ({"bet": 2001}, "seat 1 may bet (2000 cents), not 2001"),
        ({"bet": 3000}, "seat 1 may bet (2000 cents), not 3000"),
        ({"fold": 1000}, "seat 1 may fold, not 1000"),
        ("check", "seat 1 may fold, bet (2000 cents) here, not 'check'"),
        ("raise", "seat 1 may fold, bet (2000 cents) here, not 'raise'"),
        (None, "seat 1 may fold, bet (2000 cents) here, not None"),
    ],
)
def test_a_bet_is_exactly_twice_the_ante_and_there_is_no_third_choice(
    move: Any, words: str
) -> None:
    play = answered(with_antes(), f"{PAIR} {BEST_TO_MISS}", None)

    says(not_answered(play, move), Fault.ILLEGAL_MOVE, words, TERMS)


@pytest.mark.cites("16.10")
@pytest.mark.parametrize("ante", [500, 1001, 77_777])
@pytest.mark.parametrize("amount", [False, True])
def test_who_bets_stakes_twice_the_ante(ante: int, amount: bool) -> None:
    move = {"bet": 2 * ante} if amount else "bet"
    told = dealt(PAIR, LEAST_TO_PLAY, move, ante=ante)

    staked = [(wager["wager"], wager["stake"]) for wager in told.events("wager")]
    assert staked == [("ante", ante), ("bet", 2 * ante)]


@pytest.mark.cites("16.10")
def test_who_folds_loses_the_ante_and_the_progressive_wager_and_his_cards_are_taken() -> None:
    told = dealt(ROYAL, BEST_TO_MISS, "fold", dollar=True)

    assert told.result("ante") == ("lose", -1000)
    assert told.result("progressive") == ("lose", -100)
    assert cited(told.settled("ante")) == TERMS
    assert ("The cards are picked up", TERMS) in steps(told)
    assert told.events("reveal") == []


@pytest.mark.cites("16.10")
def test_a_fold_is_what_the_rules_do_when_a_player_will_not_bet() -> None:
    play = answered(with_antes(), f"{PAIR} {BEST_TO_MISS}", None)

    assert isinstance(play.request, Ask)
    assert (play.request.default, play.request.offer) == ("fold", False)
    says(cannot(PAIR, BEST_TO_MISS), Fault.BAD_SCRIPT, "seat 1 must fold or bet", TERMS)


@pytest.mark.cites("16.10")
def test_given_one_who_folds_then_the_other_plays_on() -> None:
    told = both(PAIR, "8s 8c 5h 4d 3s", LEAST_TO_PLAY.replace("3c", "6c"), "fold", "bet")

    assert (told.net("1"), told.net("2")) == (-1100, 3000 - 100)
    turned = [event["hand"] for event in told.events("reveal")]
    assert turned == ["dealer", "2"]


# Against the dealer.


@pytest.mark.cites("16.10")
@pytest.mark.parametrize("player", [NOTHING, PAIR, ROYAL])
def test_given_a_dealer_below_ace_king_then_antes_win_and_bets_are_returned(player: str) -> None:
    told = dealt(player, BEST_TO_MISS, "bet")

    assert told.result("ante") == ("win", 1000)
    assert told.result("bet") == ("push", 0)
    assert told.said()[1] == "Dealer has high card, ace-queen high: the dealer does not qualify"


@pytest.mark.cites("16.10")
def test_even_a_hand_below_the_dealers_wins_the_ante_if_he_does_not_qualify() -> None:
    assert dealt("2s 4h 5d 7c 8s", BEST_TO_MISS, "bet").net() == 1000


@pytest.mark.cites("16.10")
@pytest.mark.parametrize(
    ("dealer", "qualifies"),
    [
        (LEAST_TO_PLAY, True),
        (BEST_TO_MISS, False),
        ("Kd Qc Jd Tc 8d", False),  # king high
        ("Ad Qc Jd Tc 8d", False),
        ("2d 2c 3h 4c 5d", True),  # the lowest pair
    ],
)
def test_the_dealer_qualifies_with_ace_king_or_better(dealer: str, qualifies: bool) -> None:
    told = dealt("Qs Qh 9d 6c 2s", dealer.replace("9d", "9c"), "bet")

    assert told.result("bet") == (("win", 2000) if qualifies else ("push", 0))


@pytest.mark.cites("16.10")
def test_given_a_dealer_who_qualifies_then_the_higher_hand_wins_both_wagers() -> None:
    won, lost = dealt(PAIR, LEAST_TO_PLAY, "bet"), dealt(NOTHING, LEAST_TO_PLAY, "bet")

    assert (won.result("ante"), won.result("bet")) == (("win", 1000), ("win", 2000))
    assert (lost.result("ante"), lost.result("bet")) == (("lose", -1000), ("lose", -2000))


@pytest.mark.cites("16.10")
@pytest.mark.parametrize(
    ("order", "paid"),
    [
        ("by_player", [("3", "ante", 1000), ("3", "bet", 2000), ("2", "ante", 1000),
                       ("2", "bet", 2000), ("1", "ante", 1000), ("1", "bet", 2000)]),
        ("by_step", [("2", "ante", 1000), ("2", "bet", 2000), ("3", "ante", 1000),
                     ("3", "bet", 2000), ("1", "ante", 1000), ("1", "bet", 2000)]),
    ],
)  # fmt: skip
def test_players_are_settled_from_the_dealers_right(
    order: str, paid: list[tuple[str, str, int]]
) -> None:
    """Player by player or, step by step, first all that is lost; seat 2 has lost."""
    cards = f"8s 8h 5d 4s 3s {NOTHING} 9s 9c 5h 6h 3d {LEAST_TO_PLAY}".split()
    seats = {seat: {"wagers": {"ante": 1000}, "moves": ["bet"]} for seat in ("1", "2", "3")}

    told = deal(GAME.id, cards, seats=seats, options={"settlement_order": order})

    assert money(told, "pay", "collect", "return") == paid
    assert {cited(event) for event in told.events("pay")} == {"16.10 (after 19:47-20.10(c))"}


@pytest.mark.cites("16.10")
def test_the_cards_are_collected_when_all_is_settled() -> None:
    told = dealt(PAIR, LEAST_TO_PLAY, "bet")

    assert ("The cards are picked up", "16.10 (after 19:47-20.10(d))") in steps(told)


# What a bet pays.


@pytest.mark.cites("16.12")
@pytest.mark.parametrize(
    ("hand", "odds"),
    [
        ("royal_flush", 100), ("straight_flush", 50), ("four_of_a_kind", 20), ("full_house", 7),
        ("flush", 5), ("straight", 4), ("three_of_a_kind", 3), ("two_pairs", 2), ("pair", 1),
        ("high_card", 1),
    ],
)  # fmt: skip
def test_a_bet_is_paid_by_the_players_hand_and_the_ante_even_money(hand: str, odds: int) -> None:
    told = dealt(HANDS[hand], LEAST_TO_PLAY, "bet")

    assert told.result("ante") == ("win", 1000)
    assert told.result("bet") == ("win", 2000 * odds)
    assert cited(told.settled("bet")) == PAYS
    assert told.settled("bet")["pays"] == f"{odds} to 1"


@pytest.mark.cites("16.12")
@pytest.mark.parametrize("line", list(BET))
def test_a_table_may_pay_a_bet_better_but_not_worse(line: str) -> None:
    hand = "pair" if line == "pair_or_less" else line
    odds = BET[line].win
    better = {"better_odds": {f"bet.{line}": f"{odds + 1} to 1"}, "payout_limit": 10**9}

    told = dealt(HANDS[hand], LEAST_TO_PLAY, "bet", options=better)

    assert told.result("bet") == ("win", 2000 * (odds + 1))
    worse = {"better_odds": {f"bet.{line}": f"{odds * 2 - 1} to 2"}}
    assert unlawful(GAME.id, worse) == [("better_odds", PAYS)]


@pytest.mark.cites("16.12")
def test_no_wager_is_paid_below_the_table_and_none_that_is_not_there() -> None:
    assert unlawful(GAME.id, {"better_odds": {"ante": "1 to 2"}}) == [("better_odds", PAYS)]
    for unknown in ("blind", "bet.pair", "progressive.royal_flush"):
        wrong = {"better_odds": {unknown: "2 to 1"}}
        assert unlawful(GAME.id, wrong) == [("better_odds", "16.1 (customary)")]


def test_given_better_odds_that_leave_a_part_of_a_cent_then_it_is_rounded_down() -> None:
    better = {"better_odds": {"bet.pair_or_less": "4 to 3"}}

    assert dealt(PAIR, LEAST_TO_PLAY, "bet", options=better).result("bet") == ("win", 2666)


@pytest.mark.cites("16.12", "13:69E-1.13G(c)")
@pytest.mark.parametrize(
    ("options", "ante", "wins"),
    [
        ({}, 2500, 500_000),  # exactly the limit
        ({}, 2501, 500_000),
        ({}, 500_000, 500_000),
        ({"payout_limit": 600_000}, 10_000, 600_000),
        ({"payout_limit": 1}, 1000, 100_000),  # what an ante of $5 could win
        ({"table_min": 5000}, 5000, 1_000_000),  # as at a table with a minimum of $50
        ({"table_min": 5000}, 6000, 1_000_000),
    ],
)
def test_what_a_bet_wins_is_limited_but_never_below_what_the_least_ante_could_win(
    options: dict[str, int], ante: int, wins: int
) -> None:
    told = dealt(ROYAL, LEAST_TO_PLAY, "bet", ante=ante, options=options)

    assert told.result("bet") == ("win", wins)


@pytest.mark.cites("16.12")
def test_the_limit_touches_neither_the_ante_nor_the_progressive_wager() -> None:
    told = dealt(ROYAL, LEAST_TO_PLAY, "bet", ante=500_000, dollar=True)

    assert told.result("ante") == ("win", 500_000)
    assert told.result("bet") == ("win", 500_000)
    assert told.settled("bet")["pays"] == "100 to 1, limited"
    assert told.result("progressive") == ("win", 1_000_070 - 100)


@pytest.mark.cites("16.12")
def test_the_limit_is_for_each_hand() -> None:
    told = both(ROYAL, OTHER_ROYAL, LEAST_TO_PLAY, dollar=False, options={"payout_limit": 150_000})

    assert told.result("bet", "1") == told.result("bet", "2") == ("win", 150_000)


# The progressive wager.


@pytest.mark.cites("16.11", "16.12")
@pytest.mark.parametrize(
    ("table", "hand", "amount"),
    [
        (table, hand, amount)
        for table, amounts in {
            "T1": (100, 75, 50), "T2": (150, 100, 50), "T3": (500, 100, 50),
            "T4": (500, 150, 50), "T5": (500, 150, 75), "T6": (500, 250, 100),
        }.items()
        for hand, amount in zip(("four_of_a_kind", "full_house", "flush"), amounts, strict=True)
    ],
)  # fmt: skip
def test_a_progressive_wager_is_paid_its_amount_and_the_dollar_is_not_returned(
    table: str, hand: str, amount: int
) -> None:
    told = dealt(HANDS[hand], LEAST_TO_PLAY, "bet", dollar=True,
                 options={"progressive_table": table})  # fmt: skip

    assert told.result("progressive") == ("win", 100 * amount - 100)
    assert cited(told.settled("progressive")) == PAYS


@pytest.mark.cites("16.11")
@pytest.mark.parametrize("hand", ["straight", "three_of_a_kind", "two_pairs", "pair", "high_card"])
def test_anything_below_a_flush_loses_the_progressive_wager(hand: str) -> None:
    told = dealt(HANDS[hand], LEAST_TO_PLAY, "bet", dollar=True)

    assert told.result("progressive") == ("lose", -100)


@pytest.mark.cites("16.11")
@pytest.mark.parametrize(
    ("dealer", "ante"),
    [
        (BEST_TO_MISS, ("win", 1000)),
        (LEAST_TO_PLAY, ("win", 1000)),
        ("8d 8c 8h 3d 3c", ("lose", -1000)),
        ("Jd 9d 7d 4d 2d", ("push", 0)),
    ],
)
def test_the_dealers_hand_does_not_matter_to_it(dealer: str, ante: tuple[str, int]) -> None:
    told = dealt(FLUSH, dealer, "bet", dollar=True)

    assert told.result("ante") == ante
    assert told.result("progressive") == ("win", 4900)


@pytest.mark.cites("16.11")
def test_without_a_progressive_wager_nothing_is_paid_from_the_meter() -> None:
    told = dealt(ROYAL, BEST_TO_MISS, "bet")

    assert told.net() == 1000
    assert meter(told) == []


@pytest.mark.cites("16.12")
def test_progressive_tables_may_be_bettered_but_not_undercut() -> None:
    better = {"better_odds": {"progressive.flush": "74 to 1"}}

    told = dealt(FLUSH, LEAST_TO_PLAY, "bet", dollar=True, options=better)
    assert told.result("progressive") == ("win", 7400)
    worse = {"better_odds": {"progressive.flush": "48 to 1"}}
    assert unlawful(GAME.id, worse) == [("better_odds", PAYS)]
    assert unlawful(GAME.id, {"progressive_table": "T7"}) == [("progressive_table", PAYS)]


@pytest.mark.cites("16.10", "16.11")
def test_a_prize_is_paid_after_the_main_wagers_of_its_player() -> None:
    told = both(FLUSH, "Jh 9h 7h 5h 2h", LEAST_TO_PLAY)

    assert money(told, "pay") == [
        ("2", "ante", 1000), ("2", "bet", 10_000), ("2", "progressive", 4900),
        ("1", "ante", 1000), ("1", "bet", 10_000), ("1", "progressive", 4900),
    ]  # fmt: skip


# The meter.


@pytest.mark.cites("16.12", "13:69D-1.52(e)1", "13:69D-1.52(e)3")
def test_the_meter_begins_at_its_first_amount_and_grows_by_the_filed_rate() -> None:
    table = Table(GAME)
    assert table.view()["state"]["meter"] is None

    shown = []
    for _ in range(3):
        played(table, NOTHING, BEST_TO_MISS, "fold")
        shown += meter(table)

    assert shown == ["$10,000.70", "$10,001.40", "$10,002.10"]
    assert table.view()["state"]["meter"] == "1000210"


@pytest.mark.cites("16.12", "13:69E-1.13G(e)")
def test_the_meter_grows_when_the_acceptors_are_locked_and_before_any_card() -> None:
    table = with_antes({"progressive_rate": "0.6", "progressive_seed_reset": 500_000}, "125",
                       dollar=True)  # fmt: skip
    Play(table)

    assert [event.kind for event in table.events][-3:] == ["step"] * 3
    assert steps(table)[-3:-1] == [
        ("The progressive wagers are locked in", "13:69E-1.13G(e)"),
        ("The progressive meter shows $5,001.80", PAYS),
    ]


@pytest.mark.cites("16.12")
def test_parts_of_a_cent_stay_in_the_meter() -> None:
    table = Table(GAME, {"progressive_rate": "2/3"})
    shown = []
    for _ in range(3):
        played(table, NOTHING, BEST_TO_MISS, "fold")
        shown += meter(table)

    assert shown == ["$10,000.66", "$10,001.33", "$10,002"]


@pytest.mark.cites("16.11", "16.12")
def test_a_royal_flush_takes_the_whole_meter_which_begins_again() -> None:
    told = dealt(ROYAL, BEST_TO_MISS, "bet", dollar=True)

    assert told.result("progressive") == ("win", 1_000_070 - 100)
    assert cited(told.settled("progressive")) == METER
    assert meter(told) == ["$10,000.70", "$10,000"]
    assert ("The progressive meter shows $10,000", METER) in steps(told)


@pytest.mark.cites("16.11", "16.12")
def test_a_straight_flush_takes_a_tenth_rounded_down_and_the_meter_drops_by_it() -> None:
    told = dealt(STRAIGHT_FLUSH, BEST_TO_MISS, "bet", dollar=True,
                 options={"progressive_seed_reset": 1_000_009})  # fmt: skip

    assert told.result("progressive") == ("win", 100_007 - 100)
    assert meter(told) == ["$10,000.79", "$9,000.72"]


@pytest.mark.cites("16.11")
def test_two_royal_flushes_share_the_meter_equally() -> None:
    told = both(ROYAL, OTHER_ROYAL, BEST_TO_MISS)

    half = 1_000_140 // 2
    assert told.result("progressive", "1") == ("win", half - 100)
    assert told.result("progressive", "2") == ("win", half - 100)
    assert meter(told) == ["$10,001.40", "$10,000"]


@pytest.mark.cites("16.11")
def test_two_straight_flushes_each_take_a_tenth_in_the_order_of_settlement() -> None:
    told = both(STRAIGHT_FLUSH, OTHER_STRAIGHT_FLUSH, BEST_TO_MISS)

    assert told.result("progressive", "2") == ("win", 100_014 - 100)
    assert told.result("progressive", "1") == ("win", 90_012 - 100)
    assert meter(told) == ["$10,001.40", "$8,101.14"]


@pytest.mark.cites("16.11")
@pytest.mark.parametrize(
    ("first", "second", "one", "two"),
    [
        (STRAIGHT_FLUSH, OTHER_ROYAL, 100_000, 1_000_140),  # a tenth of the meter set again
        (ROYAL, OTHER_STRAIGHT_FLUSH, 900_126, 100_014),  # what the tenth has left
    ],
)
def test_a_royal_and_a_straight_flush_are_paid_in_the_order_of_settlement(
    first: str, second: str, one: int, two: int
) -> None:
    told = both(first, second, BEST_TO_MISS)

    assert told.result("progressive", "2") == ("win", two - 100)
    assert told.result("progressive", "1") == ("win", one - 100)


@pytest.mark.cites("16.11")
def test_a_royal_flush_that_is_folded_or_not_wagered_on_shares_nothing() -> None:
    folded = both(ROYAL, OTHER_ROYAL, BEST_TO_MISS, "fold", "bet")
    assert folded.result("progressive", "1") == ("lose", -100)
    assert folded.result("progressive", "2") == ("win", 1_000_140 - 100)

    seats = {
        "1": {"wagers": {"ante": 1000, "progressive": 100}, "moves": ["bet"]},
        "2": {"wagers": {"ante": 1000}, "moves": ["bet"]},
    }
    told = deal(GAME.id, f"{ROYAL} {OTHER_ROYAL} {BEST_TO_MISS}".split(), seats=seats)
    assert told.result("progressive", "1") == ("win", 1_000_070 - 100)
    assert told.net("2") == 1000


@pytest.mark.cites("16.12", "13:69D-1.52(e)1")
def test_what_was_held_back_is_on_top_when_the_meter_begins_again() -> None:
    table = Table(GAME, {"progressive_reserve_rate": "0.2"})
    for _ in range(4):
        played(table, NOTHING, BEST_TO_MISS, "fold")
    played(table, ROYAL, BEST_TO_MISS, "bet")

    assert meter(table) == ["$10,003.50", "$10,001"]


def test_nobody_sees_what_is_held_back() -> None:
    table = Table(GAME, {"progressive_reserve_rate": "0.2"})
    for _ in range(4):
        played(table, NOTHING, BEST_TO_MISS, "fold")

    assert table.state.meter.reserve == 80
    for seat in ("1", None):
        shown = table.view(seat)
        assert shown["state"]["meter"] == "1000280"
        assert "reserve" not in str(shown["state"]) + str(shown["events"])


@pytest.mark.cites("13:69D-1.52(d)")
def test_linked_tables_have_a_common_display() -> None:
    told = dealt(NOTHING, BEST_TO_MISS, "fold", dollar=True, options={"linked_tables": "linked"})

    assert "The common display of the linked tables shows $10,000.70" in texts(told)
    assert unlawful(GAME.id, {"linked_tables": "all"}) == [("linked_tables", "13:69D-1.52(d)")]


@pytest.mark.cites("13:69D-1.52(e)3", "13:69D-1.52(a)1")
@pytest.mark.parametrize(
    ("options", "option", "cite"),
    [
        ({"progressive_rate": 0}, "progressive_rate", "13:69D-1.52(a)1"),
        ({"progressive_rate": "1.01"}, "progressive_rate", "13:69D-1.52(e)3"),
        ({"progressive_rate": "-0.1"}, "progressive_rate", "13:69D-1.52(e)3"),
        ({"progressive_rate": "none"}, "progressive_rate", "13:69D-1.52(e)3"),
        ({"progressive_rate": "most"}, "progressive_rate", "13:69D-1.52(e)3"),
        ({"progressive_reserve_rate": "0.31"}, "progressive_reserve_rate", "13:69D-1.52(e)3"),
        ({"progressive_reserve_rate": 2}, "progressive_reserve_rate",
         "16.12 (after 13:69E-1.39A(a)5)"),
        ({"progressive_seed_reset": 0}, "progressive_seed_reset", "13:69D-1.52(e)1"),
    ],
)  # fmt: skip
def test_the_rate_of_progression_is_a_part_of_each_wager(
    options: dict[str, Any], option: str, cite: str
) -> None:
    assert unlawful(GAME.id, options) == [(option, cite)]


@pytest.mark.cites("13:69D-1.52(e)3")
@pytest.mark.parametrize(
    ("rate", "shown"), [(1, "$10,001"), ("1/2", "$10,000.50"), (0.65, "$10,000.65")]
)
def test_any_rate_above_nothing_and_up_to_all_of_it_is_lawful(rate: Any, shown: str) -> None:
    told = dealt(NOTHING, BEST_TO_MISS, "fold", dollar=True, options={"progressive_rate": rate})

    assert meter(told) == [shown]


@pytest.mark.cites("13:69D-1.52(e)4")
def test_a_royal_flush_is_no_rarer_than_a_top_award_may_be() -> None:
    chance = Fraction(COMBINATIONS["royal_flush"], sum(COMBINATIONS.values()))

    assert (1 - chance) / chance == 649_739
    assert GAME.check({}) == []


@pytest.mark.cites("16.11")
@pytest.mark.parametrize(
    ("amount", "result"), [(1000, ("win", 7)), (930, ("push", 0)), (430, ("lose", -50))]
)
def test_given_a_meter_that_is_nearly_empty_then_a_tenth_of_it_may_be_less_than_the_dollar(
    amount: int, result: tuple[str, int]
) -> None:
    """The dollar is not returned. It takes many straight flushes to empty a meter so."""
    table = Table(GAME)
    table.state = replace(table.state, meter=Meter(Fraction(amount)))
    played(table, STRAIGHT_FLUSH, BEST_TO_MISS, "bet")

    (settled,) = [s for s in table.settlements if s.bet.wager.id == "progressive"]
    assert (settled.result.value, settled.net) == result


def _return(table: str, cents: int) -> Fraction:
    """The return of a progressive wager at this meter, for a player who never folds a flush."""
    options = GAME.options({"progressive_table": table})
    state = CaribbeanState(meter=Meter(Fraction(cents)))
    wager = GAME.by_id["progressive"]
    total = Fraction(0)
    for hand, ways in COMBINATIONS.items():
        cards = [Card.parse(card) for card in HANDS[hand].split()]
        decision = wager.decide(Case(Showdown(rank(cards)), state, options))
        total += ways * (wager.net(decision, options) + 1)
    return total / sum(COMBINATIONS.values())


@pytest.mark.cites("16.12")
def test_the_return_of_the_progressive_wager_is_the_published_one() -> None:
    assert float(_return("T1", 10_000_00) - _return("T1", 0)) == pytest.approx(0.02924, abs=5e-6)
    assert float(_return("T1", 0)) == pytest.approx(0.2303, abs=5e-5)
    assert _return("T1", 263_205_00) < 1 < _return("T1", 263_206_00)


@pytest.mark.cites("16.12")
def test_every_progressive_table_is_at_least_as_good_as_the_one_before() -> None:
    returns = [_return(table, 10_000_00) for table in PROGRESSIVE]

    assert returns == sorted(returns)


@pytest.mark.cites("16.10", "16.12")
def test_the_main_game_played_best_loses_what_was_published() -> None:
    report, progressive = analyze(GAME, GAME.options())

    assert round(float(report.house_edge), 5) == 0.05224
    assert round(float(report.element_of_risk), 5) == 0.02555
    assert progressive.house_edge == 1 - _return("T3", 10_000_00)


# Irregularities.


@pytest.mark.cites("16.13")
@pytest.mark.parametrize("draw", [1, 4, 10])
def test_a_card_found_face_up_is_not_used_and_the_deal_goes_on(draw: int) -> None:
    cards = f"{PAIR} {LEAST_TO_PLAY}".split()
    cards.insert(draw - 1, "Kd")

    told = deal(GAME.id, cards, {"ante": 1000}, moves=["bet"], **before(draw, "card_face_up"))

    assert told.net() == 3000
    assert places(told)[draw - 1] == "discards"
    (event,) = told.events("irregularity")
    assert cited(event) == ERRORS.format("a")


@pytest.mark.cites("16.13")
def test_a_second_card_found_face_up_voids_the_round() -> None:
    both_found = [{"before_draw": at, "kind": "card_face_up"} for at in (2, 5)]
    told = deal(GAME.id, "7s Kd 7h 9d Qd".split(), {"ante": 1000}, irregularities=both_found)

    assert told.rounds[0]["void"]
    assert told.result("ante") == ("void", 0)


@pytest.mark.cites("16.13")
@pytest.mark.parametrize(
    ("kind", "cite"),
    [
        ("cards_face_up", ERRORS.format("a")),
        ("wrong_number_of_cards", ERRORS.format("c")),
        ("dealing_shoe_jams", "16.13 (after 13:69F-40.12(f))"),
    ],
)
@pytest.mark.parametrize("draw", [1, 6, 10])
def test_what_spoils_the_deal_voids_the_round(kind: str, cite: str, draw: int) -> None:
    cards = f"{PAIR} {LEAST_TO_PLAY}".split()[: draw - 1]

    told = deal(GAME.id, cards, {"ante": 1000, "progressive": 100}, **before(draw, kind))

    assert told.rounds[0]["void"]
    for wager in ("ante", "progressive"):
        assert told.result(wager) == ("void", 0)
        assert cited(told.settled(wager)) == cite


@pytest.mark.cites("16.13")
def test_a_card_drawn_in_error_and_not_seen_is_the_next_card() -> None:
    told = dealt(PAIR, LEAST_TO_PLAY, "bet", **before(3, "card_drawn_in_error"))

    assert told.net() == 3000
    assert cited(told.events("irregularity")[0]) == ERRORS.format("b")


@pytest.mark.cites("16.13")
@pytest.mark.parametrize("draw", [7, 10, 11])
def test_a_hole_card_of_the_dealers_that_is_exposed_voids_the_round(draw: int) -> None:
    cards = f"{PAIR} {LEAST_TO_PLAY}".split()[: draw - 1]

    told = deal(GAME.id, cards, {"ante": 1000}, **before(draw, "dealer_card_exposed"))

    assert told.rounds[0]["void"]
    assert cited(told.settled("ante")) == ERRORS.format("d")


@pytest.mark.cites("16.13")
@pytest.mark.parametrize("first", ["fold", "bet"])
def test_a_hole_card_exposed_between_two_players_decisions_voids_the_round(first: str) -> None:
    table = with_antes(seats="12", dollar=True)
    cards = f"{PAIR} 8s 8c 5h 4d 3s {LEAST_TO_PLAY.replace('3c', '6c')}"
    play = answered(table, cards, None, first)

    play.answer({"irregularity": "dealer_card_exposed"})

    assert play.request is None
    assert table.is_void
    assert (table.money["1"], table.money["2"]) == (0, 0)
    (told,) = [event for event in table.events if event.kind == "irregularity"]
    assert str(told.cite) == f"19:47-{ERRORS.format('d')}"


@pytest.mark.cites("16.13")
def test_a_hole_card_cannot_be_exposed_before_it_is_dealt_nor_harm_when_all_have_decided() -> None:
    early = cannot(PAIR, LEAST_TO_PLAY, **before(5, "dealer_card_exposed"))
    says(early, Fault.NOT_NOW, "the dealer has no cards yet", ERRORS.format("d"))

    play = answered(with_antes(), f"{PAIR} {LEAST_TO_PLAY}", None, "bet")
    late = not_answered(play, {"irregularity": "dealer_card_exposed"})
    says(late, Fault.NOT_NOW, "the dealer has revealed his hand", ERRORS.format("d"))


@pytest.mark.cites("16.13")
def test_given_a_void_round_then_even_a_folded_hand_gets_its_wagers_back() -> None:
    table = with_antes(seats="12", dollar=True)
    cards = f"{PAIR} 8s 8c 5h 4d 3s {LEAST_TO_PLAY.replace('3c', '6c')}"
    play = answered(table, cards, None, "fold", None, "bet")
    assert table.money["1"] == -1100

    play.answer({"irregularity": "wrong_number_of_cards"})

    assert table.is_void
    assert (table.money["1"], table.money["2"]) == (0, 0)
    assert all(settled.net == 0 for settled in table.settlements)
    assert table.equipment.cards_left == 52


@pytest.mark.cites("16.13", "13:69D-1.52(f)")
def test_given_a_void_round_then_the_meter_is_set_back() -> None:
    table = Table(GAME, {"progressive_rate": "2/3", "progressive_reserve_rate": "1/10"})
    played(table, NOTHING, BEST_TO_MISS, "fold")
    stood = table.state.meter
    table.open_betting()
    for seat in ("1", "2", "3"):
        table.bet(seat, "ante", 1000)
        if seat != "3":
            table.bet(seat, "progressive", 100)
    cards = f"{PAIR} 8s 8c 5h 4d 3s Ts Tc 6h 6d 3h {LEAST_TO_PLAY}"
    play = answered(table, cards, None, "fold", None, "bet", None, "bet")
    assert meter(table) == ["$10,002"]

    play.answer({"irregularity": "stub_count_misdeal"})

    assert table.state.meter == stood
    assert steps(table)[-1] == ("The progressive meter shows $10,000.66", "16.13 (customary)")


@pytest.mark.cites("16.13")
def test_a_void_round_without_progressive_wagers_leaves_the_meter_alone() -> None:
    told = deal(GAME.id, PAIR.split(), {"ante": 1000}, **before(6, "cards_face_up"))

    assert meter(told) == []


@pytest.mark.cites("16.7")
@pytest.mark.parametrize(
    ("kind", "replaced"), [("stub_count_misdeal", False), ("stub_count_wrong", True)]
)
def test_a_stub_of_a_wrong_number_of_cards_voids_the_round(kind: str, replaced: bool) -> None:
    cards = f"{PAIR} {LEAST_TO_PLAY}".split()

    told = deal(GAME.id, cards, {"ante": 1000}, **before(11, kind))

    assert told.rounds[0]["void"]
    assert cited(told.settled("ante")) == "16.7 (after 13:69F-40.7(f)2)"
    assert ("The pack is taken from the table and replaced" in texts(told)) == replaced
    early = cannot(PAIR, LEAST_TO_PLAY, **before(10, kind))
    assert "the stub is counted when the cards are dealt" in early.message


@pytest.mark.cites("16.7", "16.13")
@pytest.mark.parametrize(
    ("kind", "cite", "replaced"),
    [
        ("shuffler_count_wrong", "16.7 (after 19:47-20.7(f))", True),
        ("shuffler_jams", "16.13 (after 13:69F-40.12(e))", False),
    ],
)
def test_what_the_shuffler_does_wrong_is_put_right_before_the_deal(
    kind: str, cite: str, replaced: bool
) -> None:
    told = dealt(PAIR, LEAST_TO_PLAY, "bet", **before(1, kind))

    assert told.net() == 3000
    assert cited(told.events("irregularity")[0]) == cite
    assert ("The pack is taken from the table and replaced" in texts(told)) == replaced
    says(cannot(PAIR, LEAST_TO_PLAY, **before(2, kind)), Fault.NOT_NOW, "have been dealt", cite)
    no_device = cannot(PAIR, LEAST_TO_PLAY, options=BY_HAND, **before(1, kind))
    says(no_device, Fault.NOT_NOW, "the dealer shuffles the cards", cite)


@pytest.mark.cites("16.13")
def test_only_an_automated_shoe_can_jam() -> None:
    options = {"deal_method": "hand"}
    refusal = cannot(PAIR, LEAST_TO_PLAY, options=options, **before(2, "dealing_shoe_jams"))

    says(refusal, Fault.NOT_NOW, "no automated shoe is used", "16.13 (after 13:69F-40.12(f))")


@pytest.mark.cites("16.13")
def test_a_device_is_first_taken_from_the_table_when_another_method_is_to_be_used() -> None:
    told = dealt(PAIR, LEAST_TO_PLAY, "bet", **before(1, "change_of_device"))

    assert told.net() == 3000
    assert cited(told.events("irregularity")[0]) == "16.13 (after 13:69F-40.12(g))"


@pytest.mark.cites("16.13")
def test_the_hand_of_a_player_who_shows_his_cards_stays_live() -> None:
    told = dealt(PAIR, LEAST_TO_PLAY, "bet", **before(8, "player_exposes_cards", seat="1"))

    assert told.net() == 3000
    early = cannot(PAIR, LEAST_TO_PLAY, **before(1, "player_exposes_cards", seat="1"))
    says(early, Fault.NOT_NOW, "there is no such seat", "16.13 (after 19:47-33.12(h))")
    other = cannot(PAIR, LEAST_TO_PLAY, **before(8, "player_exposes_cards", seat="2"))
    assert other.fault is Fault.BAD_SCRIPT


def test_cards_are_not_found_face_up_when_none_is_due() -> None:
    play = answered(with_antes(), f"{PAIR} {LEAST_TO_PLAY}")

    assert isinstance(play.request, Inspect)
    for kind in ("card_face_up", "cards_face_up", "card_drawn_in_error"):
        assert "no card is due" in not_answered(play, {"irregularity": kind}).message


# Scripts that cannot be played.


@pytest.mark.parametrize(
    ("cards", "words"),
    [
        (f"{PAIR} Ad Kc 4h 3c 7s", "no seven of spades (7s) is left in the pack"),
        (f"{PAIR} Ad Kc 4h 3c Jk", "joker"),
        (f"{PAIR} Ad Kc 4h 3c 1d", "'1d' is not a card"),
        (f"{PAIR} Ad Kc 4h", "gives 8 draws and needs at least 2 more"),
    ],
)
def test_a_script_of_impossible_cards_is_refused(cards: str, words: str) -> None:
    refusal = refused(GAME.id, cards.split(), {"ante": 1000}, moves=["bet"])

    assert words in refusal.message


def test_a_move_that_nobody_asked_for_is_refused() -> None:
    refusal = cannot(PAIR, LEAST_TO_PLAY, "bet", "bet")

    assert refusal.fault is Fault.BAD_SCRIPT
    assert "seat 1 was never asked for its move 'bet'" in refusal.message
