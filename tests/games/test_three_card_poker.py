"""Three card poker, N.J.A.C. 19:47-20: three cards against the dealer's three, or a pay table.

Ledgers, odds and citations are written out here once more, from the rule sheet, so that a slip
in the game's own tables is seen. Unless a test says otherwise the cards come from an automated
shoe: the packet of seat 1 first, the dealer's last.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import pytest

from croupier.equipment import deck
from croupier.games import find_game
from croupier.ranking import THREE, rank
from croupier.rulebook import (
    HOUSE,
    LAYOUT,
    Ask,
    Case,
    Draw,
    Fault,
    Inspect,
    Play,
    Refusal,
    Showdown,
    Table,
)
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

ID = "three-card-poker"
GAME = find_game(ID)

# To 1, from the sheet.
HANDS = ("pair", "flush", "straight", "three_of_a_kind", "straight_flush")
LEDGERS = {
    "A": (1, 4, 6, 30, 40), "B": (1, 4, 6, 33, 35), "C": (1, 3, 6, 30, 40), "D": (1, 3, 6, 33, 35),
}  # fmt: skip
ANTE_BONUS = {"standard": (1, 4, 5), "alternative": (1, 5, 6)}
ALTERNATIVE = {
    "ante_bonus_table": "alternative", "version_20_6_f": True, "pair_plus_ledger": "B",
}  # fmt: skip
SIX_HANDS = (
    "royal_flush", "straight_flush", "four_of_a_kind", "full_house", "flush", "straight",
    "three_of_a_kind",
)  # fmt: skip
SCHEDULES = {
    "S1": (1000, 200, 50, 25, 20, 10, 5),
    "S2": (1000, 200, 100, 20, 15, 10, 7),
    "S3": (1000, 200, 50, 25, 15, 10, 5),
}

EXAMPLE = {
    "straight_flush": "5h 6h 7h", "three_of_a_kind": "8c 8d 8h", "straight": "9c Th Jd",
    "flush": "3h 6h 9h", "pair": "4c 4d Kh", "high_card": "Kc 9h 3d",
}  # fmt: skip
QUEEN, JACK = "Qs 7s 2d", "Js 7s 2d"  # the dealer plays, and does not
NOTHING = "Tc 6d 4h"  # of the player's

SIX = {"offer_six_card_bonus": True}
BY_HAND = {"automated_shuffler": False, "deal_method": "manual_shoe"}
CUSTOM, PUBLISHED = "20.1 (customary)", "(published)"
RANKINGS = "20.3 (after 19:47-14.3(c))"
CLOSED = "20.6 (after 13:69F-27.6(d))"


def staked(ante: int = 1000, pair_plus: int = 0, six: int = 0) -> dict[str, int]:
    wagers = {"ante": ante, "pair_plus": pair_plus, "six_card_bonus": six}
    return {name: stake for name, stake in wagers.items() if stake}


def dealt(player: str, dealer: str, *moves: Any, **others: Any) -> Told:
    """Seat 1 against the dealer: `dealt("5h 6h 7h", QUEEN, "play", pair_plus=500)`."""
    wagers = {name: others.pop(name) for name in ("ante", "pair_plus", "six") if name in others}
    return deal(ID, f"{player} {dealer}".split(), staked(**wagers), moves=moves, **others)


def cannot(player: str, dealer: str, *moves: Any, **others: Any) -> Refusal:
    wagers = {name: others.pop(name) for name in ("ante", "pair_plus", "six") if name in others}
    return refused(ID, f"{player} {dealer}".split(), staked(**wagers), moves=moves, **others)


def seat(*moves: Any, player: str = "", **wagers: int) -> dict[str, Any]:
    said = {"wagers": staked(**wagers), "moves": list(moves)}
    return {**said, "player": player} if player else said


def before(draw: int, kind: str, **about: str) -> dict[str, Any]:
    return {"before_draw": draw, "kind": kind, **about}


def with_wagers(seats: str = "1", options: Mapping[str, Any] | None = None, **wagers: int) -> Table:
    """A table in play, with the same wagers at each of these seats."""
    table = Table(GAME, options)
    table.state = GAME.in_play(table.state)
    for each in seats:
        for label, stake in staked(**wagers).items():
            table.bet(each, label, stake)
    return table


def go_on(play: Play, *answers: Any) -> Play:
    """Each answer in turn; a string of several cards is as many.

    Unless it says so, nothing is irregular: a card or a move waits until one is asked for.
    """
    for answer in answers:
        for each in answer.split() if isinstance(answer, str) else [answer]:
            reports = each is None or (isinstance(each, dict) and "irregularity" in each)
            while isinstance(play.request, Inspect) and not reports:
                play.answer(None)
            play.answer(each)
    return play


def answered(table: Table, *answers: Any) -> Play:
    return go_on(Play(table), *answers)


def to_the_end(play: Play) -> Table:
    while play.request is not None:
        assert isinstance(play.request, Inspect)
        play.answer(None)
    return play.table


def places(told: Told) -> str:
    """Where the cards went, one after another."""
    return " ".join(card["to"] for card in told.events("draw"))


def steps(told: Told, round: int = -1) -> list[tuple[str, str]]:
    return [(event["text"], cited(event)) for event in told.events("step", round)]


def money(told: Told, kind: str) -> list[tuple[str, str, int]]:
    return [(event["seat"], event["wager"], event["amount"]) for event in told.events(kind)]


def seen(table: Table, who: str | None) -> set[str]:
    """Every card that a seat, or a bystander, may see."""
    events = table.view(who)["events"]
    turned = {card for event in events for card in event.get("cards", ())}
    return turned | {event["outcome"] for event in events if "outcome" in event}


# The terms, and the cards.


@pytest.mark.cites("20.1", "20.11(a)1")
@pytest.mark.parametrize("dealer", ["Qs 3c 2h", "Ks 3c 2h", "As 4c 2h", "2s 2c 3h", "As 2c 3h"])
def test_queen_high_or_better_is_a_queen_a_king_an_ace_or_any_made_hand(dealer: str) -> None:
    told = dealt("Jc 9h 8h", dealer, "play")

    assert (told.result("ante"), told.result("play")) == (("lose", -1000), ("lose", -1000))


@pytest.mark.cites("20.1", "20.11(a)1")
@pytest.mark.parametrize("dealer", ["Js Tc 8h", "Js Tc 2h", "5s 3c 2h"])
def test_less_than_queen_high_does_not_play(dealer: str) -> None:
    told = dealt("4c 4d 4h", dealer, "play")

    assert (told.result("ante"), told.result("play")) == (("win", 1000), ("push", 0))
    assert any("does not qualify" in said for said in told.said())


@pytest.mark.cites("20.1", "20.11(a)1")
def test_of_all_the_hands_of_a_dealer_this_many_play() -> None:
    """16,440 high cards, of which those to a jack are C(10,3) - 8 straights, in 60 suitings."""
    hands = (rank(cards, THREE) for cards in combinations(deck(), 3))
    plays = sum(GAME.qualifies(hand, GAME.options()) for hand in hands)  # type: ignore[attr-defined]

    assert 22_100 - plays == (120 - 8) * 60


@pytest.mark.cites("20.2")
def test_the_pack_has_52_cards_and_no_joker() -> None:
    pack = Table(GAME).equipment
    cards = [rank + suit for rank, suit in product("23456789TJQKA", "cdhs")]

    assert Counter(map(str, pack.composition)) == Counter(cards)
    refusal = refused(ID, ["Jk", *"2c Td 9h 3s 4d".split()], staked(), moves=["play"])
    assert refusal.fault is Fault.IMPOSSIBLE_OUTCOME


@pytest.mark.cites("20.2")
def test_two_packs_take_turns_round_by_round() -> None:
    table, used = with_wagers(options={"packs": 2}), []
    for _ in range(4):
        table.open_betting()
        table.bet("1", "ante", 1000)
        used.append(table.state.pack)
        to_the_end(answered(table, f"{NOTHING} {QUEEN}", None, "fold"))

    assert used == [1, 2, 1, 2]


@pytest.mark.cites("20.2")
def test_one_pack_is_always_the_same() -> None:
    table = with_wagers()
    to_the_end(answered(table, f"{NOTHING} {QUEEN}", None, "fold"))

    assert table.state.pack == 1


@pytest.mark.cites("20.2")
def test_a_second_pack_needs_a_shuffling_device() -> None:
    two = {"packs": 2, "automated_shuffler": False}

    assert unlawful(ID, two) == [("packs", "20.2 (after 13:69F-40.2(b))")]
    assert unlawful(ID, {"packs": 3}) == [("packs", "20.2 (after 13:69F-40.2(b))")]
    assert Table(GAME, {"packs": 2}).options.packs == 2


@pytest.mark.cites("20.1", "20.6")
def test_a_table_has_seven_positions() -> None:
    table = Table(GAME)

    assert table.positions == list("1234567")
    says(turned_away(table, "ante", seat="8"), Fault.UNKNOWN_SEAT, "no seat '8'", CUSTOM)


# The ranking of hands.


def compare(player: str, dealer: str) -> str:
    return dealt(player, dealer, "play").result("play")[0]


@pytest.mark.cites("20.3", "20.11(a)1")
@pytest.mark.parametrize(
    ("higher", "lower"),
    [
        ("Ah 2h 3h", "As Ac Ad"),  # the lowest straight flush, and the highest three of a kind
        ("2h 2c 2d", "As Kc Qd"),
        ("Ah 2c 3d", "As Ks Js"),
        ("2h 3h 5h", "As Ac Kd"),
        ("2h 2c 3d", "As Kc Jd"),
        ("3h Ah Jc", "As Td 9c"),
    ],
)
def test_a_hand_of_a_higher_rank_wins_from_either_side(higher: str, lower: str) -> None:
    assert compare(higher, lower) == "win"
    assert compare(lower, higher) == "lose"


@pytest.mark.cites("20.3")
@pytest.mark.parametrize(
    ("higher", "lower"),
    [
        ("Ah Kh Qh", "Ks Qs Js"),  # no class of its own, only the highest straight flush
        ("4h 3h 2h", "As 2s 3s"),
        ("Ah Kc Qd", "Ks Qc Jd"),
        ("2h 3c 4d", "As 2s 3d"),
        ("Ac Ad Ah", "Kc Kd Kh"),
        ("Ah 5h 3h", "As 5s 2s"),
        ("3h 3c 2d", "2s 2h Ad"),
        ("3h 3c Ad", "3s 3d Kd"),
        ("Ah Kc 3d", "As Kd 2d"),
        ("Kh Jc 3d", "Ks Td 9d"),
        ("Ah 4c 2d", "Ks Qd 9h"),
    ],
)
def test_in_a_rank_the_highest_card_that_is_not_shared_decides(higher: str, lower: str) -> None:
    assert compare(higher, lower) == "win"
    assert compare(lower, higher) == "lose"


@pytest.mark.cites("20.3")
def test_an_ace_is_not_in_the_middle_of_a_straight() -> None:
    around = dealt("Kh Ac 2c", QUEEN, "play", pair_plus=500)

    assert around.result("pair_plus") == ("lose", -500)
    assert around.said()[-1].startswith("Seat 1 has high card, ace")


@pytest.mark.cites("20.3", "20.11(a)1")
@pytest.mark.parametrize(
    ("player", "dealer"),
    [
        ("Ah Kh Qh", "As Ks Qs"), ("9h Tc Jd", "9s Td Jh"), ("3h 6h 9h", "3s 6s 9s"),
        ("4h 4d Ks", "4s 4c Kd"), ("Qh 7c 2s", "Qd 7h 2d"),
    ],
)  # fmt: skip
def test_suits_never_count_and_equal_hands_push_by_custom(player: str, dealer: str) -> None:
    told = dealt(player, dealer, "play")

    for wager in ("ante", "play"):
        assert told.result(wager) == ("push", 0)
        assert cited(told.settled(wager)) == "20.11(a)1 (customary)"


@pytest.mark.cites("20.3", "20.10(b)")
def test_hands_are_called_by_their_names() -> None:
    told = dealt("4c 4d Kh", "Qs 7s 2s", "play")

    assert told.said() == [
        "No more bets", "Dealer has flush, queen high", "Seat 1 has pair, fours, king kicker",
    ]  # fmt: skip
    assert {cited(event) for event in told.events("announce")[1:]} == {RANKINGS}


# Opening, shuffle and cut.


@pytest.mark.cites("20.4", "20.5")
@pytest.mark.parametrize(
    ("options", "shuffle"),
    [
        ({}, [("A device shuffles the cards", "20.5 (after 13:69F-40.4(a))")]),
        (
            BY_HAND,
            [
                ("The dealer shuffles the cards", "20.5 (after 13:69F-40.4(a))"),
                (
                    "The dealer cuts the cards, at least 10 from the top",
                    "20.5 (after 13:69F-40.4(c))",
                ),
            ],
        ),
    ],
)
def test_cards_are_inspected_washed_and_shuffled_before_play(
    options: Mapping[str, Any], shuffle: list[tuple[str, str]]
) -> None:
    opening = ("The cards are inspected, spread face up and washed", "20.4 (after 13:69F-40.3)")
    draws = "Tc Qs 6d 7s 4h 2d" if options else f"{NOTHING} {QUEEN}"
    told = run(
        {"game": ID, "options": options, "draws": draws.split(), "shuffle": True,
         "seats": {"1": seat("fold")}}
    )  # fmt: skip

    assert steps(told)[: len(shuffle) + 1] == [opening, *shuffle]
    assert steps(told)[-len(shuffle) :] == shuffle


@pytest.mark.cites("20.4")
def test_a_table_that_has_just_been_set_up_is_opened_first() -> None:
    table = Table(GAME)
    table.bet("1", "ante", 1000)
    Play(table)

    texts = [event.data["text"] for event in table.events if event.kind == "step"]
    assert texts[0] == "The cards are inspected, spread face up and washed"


@pytest.mark.cites("20.5")
def test_the_whole_pack_is_shuffled_after_every_round() -> None:
    same = {"draws": f"{EXAMPLE['pair']} {QUEEN}".split(), "seats": {"1": seat("play")}}
    told = run({"game": ID, "rounds": [same, same, same]})

    assert told.net() == 3 * 2000
    for number in range(3):
        assert steps(told, number)[-1][0] == "A device shuffles the cards"
        assert not [text for text, _ in steps(told, number) if "inspected" in text]


@pytest.mark.cites("20.5")
def test_a_round_is_dealt_from_52_cards_and_no_card_comes_twice() -> None:
    table = with_wagers()
    play = answered(table, "Qh")

    assert table.equipment.cards_left == 51
    assert not_answered(play, "Qh").fault is Fault.IMPOSSIBLE_OUTCOME
    assert not_answered(play, "1h").fault is Fault.IMPOSSIBLE_OUTCOME
    answered_all = to_the_end(answered(with_wagers(), f"{NOTHING} {QUEEN}", None, "fold"))
    assert answered_all.equipment.cards_left == 52


# The wagers.


@pytest.mark.cites("20.6")
def test_only_the_wagers_of_the_rule_are_permitted() -> None:
    ids = [wager.id for wager in GAME.wagers]

    assert ids == ["ante", "play", "ante_bonus", "pair_plus", "six_card_bonus"]
    says(turned_away(Table(GAME), "blind"), Fault.UNKNOWN_WAGER, "has no wager 'blind'", CUSTOM)


@pytest.mark.cites("20.6", "20.8(c)")
@pytest.mark.parametrize(
    ("wagers", "moves"),
    [({}, ["play"]), ({"ante": 0, "pair_plus": 500}, []), ({"pair_plus": 700}, ["play"])],
)
def test_a_player_may_play_against_the_dealer_or_the_table_or_both(
    wagers: dict[str, int], moves: list[str]
) -> None:
    told = dealt(EXAMPLE["pair"], QUEEN, *moves, **wagers)

    assert told.net() == (2000 if moves else 0) + wagers.get("pair_plus", 0)


@pytest.mark.cites("20.10(b)", "20.11(a)3")
@pytest.mark.parametrize(
    ("label", "words", "cite"),
    [
        ("play", "in the course of the round", "20.10(b)"),
        ("ante_bonus", "nothing is staked on it", "20.11(a)3"),
    ],
)
def test_play_and_the_bonus_are_not_wagered_before_the_cards(
    label: str, words: str, cite: str
) -> None:
    table = with_wagers()

    says(turned_away(table, label), Fault.NOT_NOW, words, cite)
    assert {opening.wager.id for opening in table.openings("1")} == {"ante", "pair_plus"}


@pytest.mark.cites("20.6")
def test_no_wager_is_made_or_changed_after_no_more_bets() -> None:
    table = with_wagers()
    answered(table, "Qh")

    for label, amount in (("ante", 2000), ("ante", 0), ("pair_plus", 500)):
        says(turned_away(table, label, amount), Fault.NO_MORE_BETS, "No more bets", CLOSED)


@pytest.mark.cites("20.6")
def test_posted_limits_hold() -> None:
    table = Table(GAME, {"table_min": 1000, "table_max": 5000})

    for label in ("ante", "pair_plus"):
        assert turned_away(table, label, 999).fault is Fault.BELOW_MINIMUM
        assert turned_away(table, label, 5001).fault is Fault.ABOVE_MAXIMUM


@pytest.mark.cites("20.6")
def test_the_play_wager_may_exceed_the_table_maximum_with_nothing_but_the_ante() -> None:
    told = dealt(EXAMPLE["pair"], QUEEN, "play", ante=5000, options={"table_max": 5000})

    assert told.settled("play")["stake"] == 5000


@pytest.mark.cites("20.6(f)")
def test_in_the_version_of_20_6_f_ante_and_pair_plus_go_together() -> None:
    together = {"version_20_6_f": True}
    words = "seat 1 must wager on ante and pair plus together"

    for alone in ({"ante": 1000}, {"ante": 0, "pair_plus": 1000}):
        refusal = cannot(EXAMPLE["pair"], QUEEN, "play", options=together, **alone)
        says(refusal, Fault.NO_SUPPORT, words, "20.6(f) (customary)")
    told = dealt(EXAMPLE["pair"], QUEEN, "play", pair_plus=500, options=together)
    assert told.net() == 2500


@pytest.mark.cites("20.6(f)")
def test_a_wager_that_is_refused_so_leaves_the_table_as_it_was() -> None:
    table = with_wagers(options={"version_20_6_f": True})

    with pytest.raises(Refusal):
        Play(table)
    assert table.betting_is_open
    table.bet("1", "pair_plus", 500)
    assert isinstance(Play(table).request, Draw)


@pytest.mark.cites("20.6")
def test_a_player_who_has_received_cards_stays_until_the_round_ends() -> None:
    table = with_wagers()
    play = answered(table, f"{NOTHING} {QUEEN}", None)

    with pytest.raises(Refusal, match="ante is still on the layout"):
        table.leave("1")
    to_the_end(go_on(play, "play"))
    table.leave("1")


@pytest.mark.cites("20.6")
def test_a_player_has_one_position_or_where_permitted_two_side_by_side() -> None:
    seats = {str(number): seat("play", player="Ann") for number in (3, 4)}
    draws = f"{EXAMPLE['pair']} {EXAMPLE['flush']} {QUEEN}".split()
    cite = "20.6 (after 13:69F-27.6(e))"

    says(refused(ID, draws, seats=seats), Fault.NOT_NOW, "one position here, and has 3", cite)
    two = {"two_adjacent_positions": True}
    assert deal(ID, draws, seats=seats, options=two).net("4") == 2000
    apart = {"3": seats["3"], "5": seats["4"]}
    says(refused(ID, draws, seats=apart, options=two), Fault.NOT_NOW, "3 and 5 are not", cite)
    third = {**seats, "5": seat("play", player="Ann")}
    says(refused(ID, draws, seats=third, options=two), Fault.NOT_NOW, "has 3, 4 already", cite)


# Dealing.


@pytest.mark.cites("20.7", "20.8(c)", "20.9(c)")
@pytest.mark.parametrize(
    ("method", "order"),
    [
        ("manual_shoe", "2 5 dealer 2 5 dealer 2 5 dealer"),
        ("hand", "2 5 dealer 2 5 dealer 2 5 dealer"),
        ("automated_shoe", "2 2 2 5 5 5 dealer dealer dealer"),
    ],
)
def test_cards_go_clockwise_from_the_dealers_left_and_last_to_the_dealer(
    method: str, order: str
) -> None:
    draws = "Tc 6d 4h Kc 9h 3d Qs 7s 2d".split()
    seats = {"5": seat(ante=0, pair_plus=500), "2": seat("fold")}
    told = deal(ID, draws, seats=seats, options={"deal_method": method})

    assert places(told) == order
    assert all(card["face_down"] for card in told.events("draw"))
    (turned,) = [event for event in told.events("reveal") if event["hand"] == "dealer"]
    hands = [card for card, to in zip(draws, order.split(), strict=True) if to == "dealer"]
    assert turned["cards"] == hands


@pytest.mark.cites("20.7", "20.8(b)3", "20.8(c)", "20.9(b)2", "20.9(c)")
@pytest.mark.parametrize(
    ("method", "closed", "dealing"),
    [
        ("manual_shoe", "20.7 (customary)", "20.7 (customary)"),
        ("hand", "20.8(b)3", "20.8(c)"),
        ("automated_shoe", "20.9(b)2", "20.9(c)"),
    ],
)
def test_no_more_bets_is_announced_before_any_card_is_dealt(
    method: str, closed: str, dealing: str
) -> None:
    told = dealt("9c Th 6d", "Qs 2d 4c", "fold", options={"deal_method": method})

    kinds = [event["kind"] for event in told.rounds[0]["events"]]
    assert kinds[:4] == ["wager", "announce", "step", "draw"]
    (said, *_), (how, *_) = told.events("announce"), told.events("step")
    assert (said["text"], cited(said)) == ("No more bets", closed)
    assert cited(how) == dealing


@pytest.mark.cites("20.8(b)1")
def test_cards_are_dealt_from_the_hand_only_if_a_device_shuffles() -> None:
    by_hand = {"deal_method": "hand", "automated_shuffler": False}

    assert unlawful(ID, by_hand) == [("deal_method", "20.8(b)1")]
    for method in ("manual_shoe", "automated_shoe"):
        assert GAME.check({"deal_method": method, "automated_shuffler": False}) == []


@pytest.mark.cites("20.7", "20.8(d)", "20.9(d)")
@pytest.mark.parametrize(
    ("method", "cite"),
    [
        ("manual_shoe", "20.7 (after 13:69F-40.7(e))"),
        ("hand", "20.8(d)"),
        ("automated_shoe", "20.9(d)"),
    ],
)
def test_the_stub_goes_unseen_to_the_discard_rack(method: str, cite: str) -> None:
    told = dealt("9c Th 6d", "Qs 2d 4c", "fold", options={"deal_method": method})

    assert steps(told)[1] == ("The stub goes to the discard rack, unseen", cite)
    assert len(told.events("draw")) == 6


@pytest.mark.cites("20.7(e)", "20.9(e)")
@pytest.mark.parametrize(
    ("method", "cite"), [("manual_shoe", "20.7(e) (customary)"), ("automated_shoe", "20.9(e)")]
)
def test_the_stub_is_counted_every_fifth_round_after_a_manual_shuffle(
    method: str, cite: str
) -> None:
    each = {"draws": "9c Th 6d Qs 2d 4c".split(), "seats": {"1": seat("fold")}}
    options = {"automated_shuffler": False, "deal_method": method}
    told = run({"game": ID, "options": options, "rounds": [each] * 11})

    count = ("The dealer counts the stub face down", cite)
    assert [number for number in range(1, 12) if count in steps(told, number - 1)] == [5, 10]


@pytest.mark.cites("20.7(f)")
def test_the_stub_is_not_counted_where_the_shuffling_device_counts() -> None:
    each = {"draws": f"{NOTHING} {QUEEN}".split(), "seats": {"1": seat("fold")}}
    told = run({"game": ID, "rounds": [each] * 11})

    for number in range(11):
        assert not [text for text, _ in steps(told, number) if "counts" in text]


@pytest.mark.cites("20.10(a)")
def test_nobody_sees_the_cards_of_another_before_they_are_turned() -> None:
    table = with_wagers("12")
    mine, others, dealers = EXAMPLE["pair"], EXAMPLE["flush"], QUEEN
    play = answered(table, f"{mine} {others} {dealers}", None)

    assert seen(table, "1") == set(mine.split())
    assert seen(table, "2") == set(others.split())
    assert seen(table, "3") == seen(table, None) == set()
    to_the_end(go_on(play, "play", "fold"))
    assert seen(table, None) == {*mine.split(), *dealers.split()}  # not the hand that was folded
    assert seen(table, "2") == {*mine.split(), *others.split(), *dealers.split()}


# Play or fold.


@pytest.mark.cites("20.10(b)")
def test_each_player_with_an_ante_decides_clockwise_from_the_dealers_left() -> None:
    draws = f"{NOTHING} {EXAMPLE['pair']} {EXAMPLE['high_card']} {QUEEN}".split()
    seats = {"7": seat("play"), "4": seat(ante=0, pair_plus=500), "2": seat("fold")}
    told = deal(ID, draws, seats=seats)

    decided = [(event["seat"], event["move"], cited(event)) for event in told.events("decision")]
    assert decided == [("2", "fold", "20.10(b)"), ("7", "play", "20.10(b)")]


@pytest.mark.cites("20.10(b)", "20.11(a)2")
def test_who_has_pair_plus_only_has_nothing_to_decide() -> None:
    told = dealt(EXAMPLE["pair"], QUEEN, ante=0, pair_plus=500)

    assert told.events("decision") == []
    assert told.result("pair_plus") == ("win", 500)
    words = "seat 1 was never asked for its move 'play'"
    says(cannot(NOTHING, QUEEN, "play", ante=0, pair_plus=500), Fault.BAD_SCRIPT, words, CUSTOM)


@pytest.mark.cites("20.10(b)")
@pytest.mark.parametrize("ante", [500, 1000, 1234])
@pytest.mark.parametrize("named", [False, True])
def test_the_play_wager_equals_the_ante(ante: int, named: bool) -> None:
    move = {"play": ante} if named else "play"
    told = dealt(EXAMPLE["pair"], QUEEN, move, ante=ante)

    assert told.settled("play")["stake"] == ante
    assert told.net() == 2 * ante


@pytest.mark.cites("20.10(b)")
@pytest.mark.parametrize(
    "move",
    [
        {"play": 999}, {"play": 1001}, {"play": 2000}, {"play": 0}, {"play": "1000"},
        {"play": 1000.0}, {"fold": 1000}, "check", "raise", {"raise": 1000}, None, "",
    ],
)  # fmt: skip
def test_there_is_no_third_choice_and_no_other_amount(move: Any) -> None:
    play = answered(with_wagers(), f"{NOTHING} {QUEEN}", None)

    says(not_answered(play, move), Fault.ILLEGAL_MOVE, "seat 1 may", "20.10(b)")


@pytest.mark.cites("20.10(b)")
def test_who_makes_no_play_wager_folds() -> None:
    play = answered(with_wagers(), f"{NOTHING} {QUEEN}", None)

    assert isinstance(play.request, Ask)
    assert (play.request.default, play.request.offer) == ("fold", False)
    words = "seat 1 must fold or play (1000 cents) (play or fold?)"
    says(cannot(NOTHING, QUEEN), Fault.BAD_SCRIPT, words, "20.10(b)")


@pytest.mark.cites("20.10(b)")
@pytest.mark.parametrize("hand", EXAMPLE.values())
@pytest.mark.parametrize("dealer", [QUEEN, JACK])
def test_a_fold_forfeits_the_ante_and_the_pair_plus_wager_with_it(hand: str, dealer: str) -> None:
    told = dealt(hand, dealer, "fold", pair_plus=500)

    assert told.result("ante") == ("lose", -1000)
    assert told.result("pair_plus") == ("lose", -500)
    assert {cited(told.settled(wager)) for wager in ("ante", "pair_plus")} == {"20.10(b)"}
    assert len(told.rounds[0]["settlements"]) == 2  # and no ante bonus
    assert told.events("reveal") == []


@pytest.mark.cites("20.10(b)")
def test_what_was_forfeited_is_collected_when_all_have_decided_before_the_reveal() -> None:
    draws = f"{NOTHING} {EXAMPLE['high_card']} {EXAMPLE['pair']} {QUEEN}".split()
    seats = {"1": seat("fold"), "2": seat("fold"), "3": seat("play")}
    events = deal(ID, draws, seats=seats).rounds[0]["events"]

    after = events[[event["kind"] for event in events].index("decision") :]
    told = [(event["kind"], event.get("seat", event.get("hand", ""))) for event in after]
    assert told[:9] == [
        ("decision", "1"), ("decision", "2"), ("decision", "3"), ("wager", "3"),
        ("collect", "1"), ("step", ""), ("collect", "2"), ("step", ""), ("reveal", "dealer"),
    ]  # fmt: skip


# Settlement.


@pytest.mark.cites("20.11(a)1")
@pytest.mark.parametrize(
    ("player", "dealer", "ante", "play", "cites"),
    [
        (EXAMPLE["high_card"], QUEEN, ("win", 1000), ("win", 1000), ["20.11(a)1", "20.11(a)1"]),
        (NOTHING, QUEEN, ("lose", -1000), ("lose", -1000), ["20.10(b)", "20.10(b)"]),
        (EXAMPLE["high_card"], JACK, ("win", 1000), ("push", 0), ["20.11(a)1", "20.11(a)1"]),
        (NOTHING, JACK, ("win", 1000), ("push", 0), ["20.11(a)1", "20.11(a)1"]),
        ("Jc 7h 2c", JACK, ("win", 1000), ("push", 0), ["20.11(a)1", "20.11(a)1"]),
    ],
)
def test_ante_and_play_are_settled_against_the_dealers_hand(
    player: str, dealer: str, ante: Any, play: Any, cites: list[str]
) -> None:
    told = dealt(player, dealer, "play")

    assert (told.result("ante"), told.result("play")) == (ante, play)
    assert [cited(told.settled(wager)) for wager in ("ante", "play")] == cites


@pytest.mark.cites("20.11(a)2")
@pytest.mark.parametrize("ledger", LEDGERS)
@pytest.mark.parametrize("hand", [*HANDS, "high_card"])
@pytest.mark.parametrize("dealer", [QUEEN, JACK, "As Ks Qs"])
def test_pair_plus_is_paid_by_its_ledger_whatever_the_dealer_holds(
    ledger: str, hand: str, dealer: str
) -> None:
    told = dealt(EXAMPLE[hand], dealer, ante=0, pair_plus=700, options={"pair_plus_ledger": ledger})
    odds = dict(zip(HANDS, LEDGERS[ledger], strict=True))

    if hand in odds:
        assert told.result("pair_plus") == ("win", 700 * odds[hand])
        settled = told.settled("pair_plus")
        assert (settled["line"], settled["pays"]) == (hand, f"{odds[hand]} to 1")
        assert cited(settled) == "20.11(a)2"
    else:
        assert told.result("pair_plus") == ("lose", -700)


@pytest.mark.cites("20.11(a)2")
@pytest.mark.parametrize(("ledger", "lost"), [("A", 512), ("B", 596), ("C", 1608), ("D", 1692)])
def test_over_all_hands_pair_plus_loses_what_its_ledger_says(ledger: str, lost: int) -> None:
    """Of 22,100 hands: 3,744 pairs, 1,096 flushes, 720 straights, 52 and 48 of the best."""
    options = GAME.options({"pair_plus_ledger": ledger})
    wager = GAME.by_id["pair_plus"]
    won = Fraction(0)
    for cards in combinations(deck(), 3):
        case = Case(Showdown(rank(cards, THREE)), GAME.State(), options)
        won += wager.net(wager.decide(case), options)
    counts = (3744, 1096, 720, 52, 48)
    by_hand = sum(n * odds for n, odds in zip(counts, LEDGERS[ledger], strict=True)) - 16_440

    assert won == by_hand == -lost


@pytest.mark.cites("20.11(a)3", "20.11(a)3i")
@pytest.mark.parametrize("table", ANTE_BONUS)
@pytest.mark.parametrize("hand", EXAMPLE)
@pytest.mark.parametrize("dealer", [QUEEN, JACK, "As Ks Qs"])
def test_a_straight_or_better_earns_the_ante_bonus_whatever_the_dealer_holds(
    table: str, hand: str, dealer: str
) -> None:
    options = ALTERNATIVE if table == "alternative" else {}
    told = dealt(EXAMPLE[hand], dealer, "play", ante=700, pair_plus=500, options=options)
    odds = dict(zip(HANDS[2:], ANTE_BONUS[table], strict=True))

    earned = [each for each in told.rounds[0]["settlements"] if each["wager"] == "ante_bonus"]
    if hand in odds:
        (bonus,) = earned
        assert (bonus["result"], bonus["stake"], bonus["net"]) == ("win", 0, 700 * odds[hand])
        assert cited(bonus) == "20.11(a)3"
    else:
        assert earned == []


@pytest.mark.cites("20.11(a)3")
def test_a_hand_that_loses_to_the_dealer_keeps_its_bonus() -> None:
    told = dealt("9c Th Jd", "As Ks Qs", "play", pair_plus=500)

    assert told.net() == -1000 - 1000 + 1000 + 6 * 500


@pytest.mark.cites("20.11(a)3")
def test_without_an_ante_there_is_no_bonus() -> None:
    told = dealt(EXAMPLE["straight_flush"], QUEEN, ante=0, pair_plus=500)

    assert [each["wager"] for each in told.rounds[0]["settlements"]] == ["pair_plus"]


@pytest.mark.cites("20.11(a)3i")
@pytest.mark.parametrize(
    "missing",
    [
        {"pair_plus_ledger": "A"}, {"pair_plus_ledger": "C"}, {"pair_plus_ledger": "D"},
        {"version_20_6_f": False},
    ],
)  # fmt: skip
def test_the_alternative_bonus_needs_the_version_of_20_6_f_and_ledger_b(
    missing: Mapping[str, Any],
) -> None:
    assert GAME.check(ALTERNATIVE) == []
    assert unlawful(ID, {**ALTERNATIVE, **missing}) == [("ante_bonus_table", "20.11(a)3i")]


@pytest.mark.cites("20.11(a)3i")
def test_the_version_of_20_6_f_with_ledger_b_may_pay_the_standard_bonus_too() -> None:
    told = dealt(
        EXAMPLE["three_of_a_kind"], QUEEN, "play", pair_plus=500,
        options={**ALTERNATIVE, "ante_bonus_table": "standard"},
    )  # fmt: skip

    assert told.result("ante_bonus") == ("win", 4000)


@pytest.mark.cites("20.11(a)2", "20.11(a)3")
def test_the_ledgers_and_the_bonus_are_paid_as_they_stand_and_the_dealers_odds_no_worse() -> None:
    for key, cite in (("pair_plus.pair", "20.11(a)2"), ("ante_bonus.straight", "20.11(a)3")):
        for odds in ("2 to 1", "1 to 2"):
            assert unlawful(ID, {"higher_odds": {key: odds}}) == [("higher_odds", cite)]
    assert unlawful(ID, {"higher_odds": {"ante": "1 to 2"}}) == [("higher_odds", "20.11(a)1")]


SEATS = {
    "1": seat("play", pair_plus=500),  # loses, and wins pair plus
    "3": seat("play", pair_plus=500),  # wins all
    "6": seat("play", pair_plus=500),  # wins, and loses pair plus
}
THREE_HANDS = f"4c 4d Kh {EXAMPLE['flush']} Ac 9d 3d"


def settlement(order: str) -> list[tuple[str, str]]:
    """What is done after the dealer's cards lie open, to whom."""
    told = deal(
        ID, f"{THREE_HANDS} 5s 5c 2d".split(), seats=SEATS, options={"settlement_order": order}
    )
    events = told.rounds[0]["events"]
    at = next(number for number, event in enumerate(events) if event.get("hand") == "dealer")
    kinds = ("reveal", "collect", "pay", "step")
    after = [event for event in events[at + 1 :] if event["kind"] in kinds]
    assert {cited(event) for event in after if event["kind"] != "step"} == {"20.10(c)"}
    return [(each["kind"], each.get("seat") or each.get("hand") or each["text"]) for each in after]


UP, SHUFFLED = ("step", "The cards are picked up"), ("step", "A device shuffles the cards")


@pytest.mark.cites("20.10(c)1", "20.10(d)")
def test_by_step_all_hands_are_turned_then_all_losers_taken_then_all_winners_paid() -> None:
    assert settlement("by_step") == [
        ("reveal", "6"), ("reveal", "3"), ("reveal", "1"),
        ("collect", "6"), ("collect", "6"), ("collect", "6"), ("collect", "1"), ("collect", "1"),
        ("pay", "3"), ("pay", "3"), ("pay", "3"), ("pay", "1"),
        UP, UP, SHUFFLED,
    ]  # fmt: skip


@pytest.mark.cites("20.10(c)2", "20.10(d)")
def test_by_player_each_hand_is_turned_settled_and_collected_before_the_next() -> None:
    assert settlement("by_player") == [
        ("reveal", "6"), ("collect", "6"), ("collect", "6"), ("collect", "6"), UP,
        ("reveal", "3"), ("pay", "3"), ("pay", "3"), ("pay", "3"), UP,
        ("reveal", "1"), ("collect", "1"), ("collect", "1"), ("pay", "1"), UP,
        UP, SHUFFLED,
    ]  # fmt: skip


@pytest.mark.cites("20.10(c)")
def test_the_order_never_changes_what_is_paid() -> None:
    draws = f"{THREE_HANDS} 5s 5c 2d".split()
    nets = [
        deal(ID, draws, seats=SEATS, options={"settlement_order": order}).document["net"]
        for order in ("by_player", "by_step")
    ]

    assert nets[0] == nets[1] == {"1": -2000 + 500, "3": 2000 + 2000, "6": -2000 - 500}


@pytest.mark.cites("20.10(d)")
def test_cards_go_to_the_discard_rack_in_an_order_from_which_hands_can_be_made_again() -> None:
    table = with_wagers("12", {"settlement_order": "by_step"})
    racked: list[str] = []
    discard = table.equipment.discard

    def watch(cards: Any) -> None:
        racked.extend(map(str, cards))
        discard(cards)

    table.equipment.discard = watch
    play = answered(table, f"{EXAMPLE['pair']} {EXAMPLE['flush']} {QUEEN}", None, "play", "play")
    to_the_end(play)

    assert " ".join(racked) == f"{EXAMPLE['flush']} {EXAMPLE['pair']} {QUEEN}"


# The six card bonus, a later rule: off unless the table offers it.


@pytest.mark.cites("20.6", "20.11")
def test_the_six_card_bonus_is_not_offered_unless_the_table_says_so() -> None:
    assert Table(GAME).options.offer_six_card_bonus is False
    refusal = turned_away(with_wagers(), "six_card_bonus", 500)
    says(refusal, Fault.NOT_OFFERED, "not offered at this table", f"20.6 {PUBLISHED}")


SIX_CARDS = {  # the player's three and the dealer's
    "royal_flush": ("Ah Kh Qh", "Jh Th 2c"),
    "straight_flush": ("9h 8h 7h", "6h 5h Ac"),
    "four_of_a_kind": ("9h 9c Kd", "9d 9s 2c"),
    "full_house": ("9h 9c Kd", "9d Ks 2c"),
    "flush": ("Ah 8h 7h", "3h 2h Kc"),
    "straight": ("9h 8c 7d", "6s 5h Kc"),
    "three_of_a_kind": ("9h 9c 4d", "9s Kh 2c"),
    "two_pairs": ("9h 9c 4d", "4s Kh 2c"),
    "pair": ("9h 9c 4d", "Js Kh 2c"),
    "high_card": ("9h 8c 4d", "Js Kh 2c"),
}


@pytest.mark.cites("20.11")
@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize("hand", SIX_CARDS)
def test_the_six_card_bonus_is_paid_on_the_best_five_of_both_hands(
    schedule: str, hand: str
) -> None:
    options = {**SIX, "six_card_schedule": schedule}
    told = dealt(*SIX_CARDS[hand], "play", six=500, options=options)
    odds = dict(zip(SIX_HANDS, SCHEDULES[schedule], strict=True))

    if hand in odds:
        assert told.result("six_card_bonus") == ("win", 500 * odds[hand])
        assert cited(told.settled("six_card_bonus")) == f"20.11 {PUBLISHED}"
    else:
        assert told.result("six_card_bonus") == ("lose", -500)


@pytest.mark.cites("20.6")
def test_the_six_card_bonus_goes_with_an_ante_or_a_pair_plus_wager() -> None:
    table = Table(GAME, SIX)
    words, cite = "made together with the ante or pair plus wager", f"20.6 {PUBLISHED}"

    says(turned_away(table, "six_card_bonus", 500), Fault.NO_SUPPORT, words, cite)
    for first in ("ante", "pair_plus"):
        table = Table(GAME, SIX)
        table.bet("1", first, 500)
        table.bet("1", "six_card_bonus", 500)
        refusal = turned_away(table, first, 0)
        says(refusal, Fault.NOT_NOW, "may not be taken down: six_card_bonus rests on it", cite)
        other = {"ante": "pair_plus", "pair_plus": "ante"}[first]
        table.bet("1", other, 500)
        table.bet("1", first, 0)
        table.bet("1", "six_card_bonus", 0)
        table.bet("1", other, 0)
        assert table.bets == {}


@pytest.mark.cites("20.10(b)")
def test_the_six_card_bonus_outlives_a_fold() -> None:
    told = dealt(*SIX_CARDS["straight"], "fold", pair_plus=500, six=500, options=SIX)

    assert told.result("ante") == ("lose", -1000)
    assert told.result("pair_plus") == ("lose", -500)
    assert told.result("six_card_bonus") == ("win", 5000)
    assert [event["hand"] for event in told.events("reveal")] == ["dealer", "1"]


# What the licensee chooses.


@pytest.mark.cites("20.2", "20.6", "20.7", "20.8(b)1", "20.10(c)", "20.11(a)2", "20.11(a)3")
@pytest.mark.parametrize(
    ("option", "values", "default", "cite"),
    [
        ("pair_plus_ledger", ["A", "B", "C", "D"], "A", "20.11(a)2"),
        ("ante_bonus_table", ["standard", "alternative"], "standard", "20.11(a)3"),
        ("version_20_6_f", [True, False], False, "20.6(f) (customary)"),
        ("deal_method", ["manual_shoe", "hand", "automated_shoe"], "automated_shoe", None),
        ("automated_shuffler", [True, False], True, "20.8(b)1"),
        ("settlement_order", ["by_player", "by_step"], "by_player", "20.10(c)"),
        ("packs", [1, 2], 1, "20.2 (after 13:69F-40.2(b))"),
        ("two_adjacent_positions", [True, False], False, "20.6 (after 13:69F-27.6(e))"),
        ("offer_six_card_bonus", [True, False], False, "20.6 (published)"),
        ("six_card_schedule", ["S1", "S2", "S3"], "S1", "20.11 (published)"),
    ],
)
def test_an_option_has_the_values_and_the_default_of_the_rule(
    option: str, values: list[Any], default: Any, cite: str | None
) -> None:
    found = GAME.Options.all()[option]

    assert (found.values, found.default) == (values, default)
    ((name, by),) = unlawful(ID, {option: "otherwise"})
    assert name == option
    assert cite in (None, by)


# Irregularities.


@pytest.mark.cites("20.12(a)")
@pytest.mark.parametrize("draw", range(1, 7))
def test_a_card_found_face_up_is_not_used_and_the_deal_goes_on(draw: int) -> None:
    cards = f"{EXAMPLE['pair']} {QUEEN}".split()
    cards.insert(draw - 1, "As")
    told = deal(ID, cards, staked(), moves=["play"], irregularities=[before(draw, "card_face_up")])

    assert told.net() == 2000
    (found,) = told.events("irregularity")
    assert cited(found) == "20.12(a)"
    (put_aside,) = [card for card in told.events("draw") if card["to"] == "discards"]
    assert put_aside["outcome"] == "As"


@pytest.mark.cites("20.12(a)")
@pytest.mark.parametrize("second", [1, 2, 4, 6])
def test_a_second_card_found_face_up_voids_the_round(second: int) -> None:
    cards = f"{EXAMPLE['pair']} {QUEEN}".split()
    cards.insert(0, "As")
    cards.insert(second, "Ac")
    told = deal(
        ID, cards[: second + 1], staked(pair_plus=500),
        irregularities=[before(1, "card_face_up"), before(second + 1, "card_face_up")],
    )  # fmt: skip

    assert told.rounds[0]["void"]
    assert told.result("ante") == told.result("pair_plus") == ("void", 0)
    assert cited(told.settled("ante")) == "20.12(a)"


@pytest.mark.cites("20.12(a)")
def test_two_cards_in_two_rounds_are_one_in_each() -> None:
    each = {
        "draws": f"As {EXAMPLE['pair']} {QUEEN}".split(),
        "seats": {"1": seat("play")},
        "irregularities": [before(1, "card_face_up")],
    }

    assert run({"game": ID, "rounds": [each, each]}).net() == 4000


@pytest.mark.cites("20.12(a)")
@pytest.mark.parametrize("draw", [1, 4, 6])
def test_two_or_more_cards_found_face_up_at_once_void_the_round(draw: int) -> None:
    cards = f"{EXAMPLE['pair']} {QUEEN}".split()[: draw - 1]
    told = deal(ID, cards, staked(), irregularities=[before(draw, "cards_face_up")])

    assert told.rounds[0]["void"]
    assert told.result("ante") == ("void", 0)
    assert steps(told)[-1][0] == "A device shuffles the cards"


@pytest.mark.cites("20.12(b)")
@pytest.mark.parametrize("draw", range(1, 7))
def test_a_card_drawn_in_error_unseen_is_the_next_card(draw: int) -> None:
    cards = f"{EXAMPLE['pair']} {QUEEN}".split()
    report = before(draw, "card_drawn_in_error")
    told = deal(ID, cards, staked(), moves=["play"], irregularities=[report])

    assert told.net() == 2000
    assert cited(told.events("irregularity")[0]) == "20.12(b)"
    assert places(told) == "1 1 1 dealer dealer dealer"


@pytest.mark.cites("20.12(c)")
@pytest.mark.parametrize("dealt_so_far", [1, 3, 6])
def test_a_wrong_number_of_cards_anywhere_voids_the_round(dealt_so_far: int) -> None:
    table = with_wagers(pair_plus=500)
    cards = f"{EXAMPLE['pair']} {QUEEN}".split()[:dealt_so_far]
    answered(table, *cards, {"irregularity": "wrong_number_of_cards"})

    assert table.is_void
    assert {str(each.cite) for each in table.settlements} == {"19:47-20.12(c)"}
    assert table.money["1"] == table.money[HOUSE] == 0


@pytest.mark.cites("20.12(d)")
@pytest.mark.parametrize("moves", [[], ["play"], ["fold"]])
def test_a_card_of_the_dealers_that_is_exposed_before_the_reveal_voids_the_round(
    moves: Sequence[str],
) -> None:
    table = with_wagers(pair_plus=500)
    first = [None, *moves] if moves else []
    answered(table, f"{NOTHING} {QUEEN}", *first, {"irregularity": "dealer_card_exposed"})

    assert table.is_void
    assert {str(each.cite) for each in table.settlements} == {"19:47-20.12(d)"}
    assert {each.result.value for each in table.settlements} == {"void"}
    assert table.money["1"] == table.money[HOUSE] == table.money[LAYOUT] == 0
    assert table.equipment.cards_left == 52


@pytest.mark.cites("20.12(d)")
def test_it_may_be_exposed_while_others_have_yet_to_decide() -> None:
    table = with_wagers("12", pair_plus=500)
    cards = f"{NOTHING} {EXAMPLE['pair']} {QUEEN}"
    answered(table, cards, None, "fold", {"irregularity": "dealer_card_exposed"})

    assert table.is_void
    assert table.money["1"] == table.money["2"] == table.money[HOUSE] == table.money[LAYOUT] == 0


@pytest.mark.cites("20.12(d)")
def test_a_script_can_tell_that_it_was_exposed_after_a_fold() -> None:
    told = dealt(
        NOTHING, QUEEN, "fold", pair_plus=500, irregularities=[before(7, "dealer_card_exposed")]
    )

    assert told.rounds[0]["void"]
    assert told.events("decision")[0]["move"] == "fold"
    assert told.result("ante") == told.result("pair_plus") == ("void", 0)


@pytest.mark.cites("20.7(f)")
@pytest.mark.parametrize("kind", ["stub_count_misdeal", "stub_count_wrong"])
def test_a_wrong_count_of_the_stub_voids_the_round(kind: str) -> None:
    told = dealt(NOTHING, QUEEN, irregularities=[before(7, kind)])

    assert told.rounds[0]["void"]
    assert cited(told.settled("ante")) == "20.7(f) (after 13:69F-40.7(f)2)"
    replaced = [text for text, _ in steps(told) if "replaced" in text]
    assert bool(replaced) == (kind == "stub_count_wrong")


@pytest.mark.cites("20.7(f)", "20.12")
@pytest.mark.parametrize(
    ("kind", "cite"),
    [
        ("shuffler_count_wrong", "20.7(f)"),
        ("shuffler_jams", "20.12 (after 13:69F-40.12(e))"),
        ("change_of_device", "20.12 (after 13:69F-40.12(g))"),
    ],
)
def test_what_befalls_the_devices_before_a_card_is_dealt_voids_nothing(
    kind: str, cite: str
) -> None:
    told = dealt(EXAMPLE["pair"], QUEEN, "play", irregularities=[before(1, kind)])

    assert told.net() == 2000
    assert cited(told.events("irregularity")[0]) == cite
    replaced = ("The pack is taken from the table and replaced", "13:69E-1.18")
    assert (replaced in steps(told)) == (kind == "shuffler_count_wrong")


@pytest.mark.cites("20.12")
@pytest.mark.parametrize("draw", [1, 4, 7])
def test_an_automated_shoe_that_jams_voids_the_round(draw: int) -> None:
    cards = f"{EXAMPLE['pair']} {QUEEN}".split()[: draw - 1]
    told = deal(ID, cards, staked(), irregularities=[before(draw, "dealing_shoe_jams")])

    assert told.rounds[0]["void"]
    assert cited(told.settled("ante")) == "20.12 (after 13:69F-40.12(f))"


@pytest.mark.cites("20.5")
def test_a_cut_that_was_made_improperly_is_made_again_before_any_card_is_dealt() -> None:
    cut = before(1, "improper_cut")
    told = dealt("4c Qs 4d", "7s Kh 2d", "play", irregularities=[cut], options=BY_HAND)

    assert told.net() == 2000
    assert cited(told.events("irregularity")[0]) == "20.5 (after 13:69F-40.4(d))"


@pytest.mark.cites("20.12")
def test_a_player_who_exposes_his_cards_plays_on() -> None:
    shown = before(2, "player_exposes_cards", seat="1")
    told = dealt(EXAMPLE["pair"], QUEEN, "play", irregularities=[shown])

    assert told.net() == 2000
    assert told.events("irregularity")[0]["seat"] == "1"
    assert cited(told.events("irregularity")[0]) == "20.12 (after 19:47-33.12(h))"


NO_DEVICE = {"automated_shuffler": False}


@pytest.mark.cites("20.12")
@pytest.mark.parametrize(
    ("kind", "answers", "options", "why"),
    [
        ("card_face_up", ["4c 4d Kh Qs 7s 2d"], {}, "no card is due"),
        ("cards_face_up", ["4c 4d Kh Qs 7s 2d"], {}, "no card is due"),
        ("card_drawn_in_error", ["4c 4d Kh Qs 7s 2d", None, "play"], {}, "no card is due"),
        ("dealer_card_exposed", ["4c 4d Kh"], {}, "the dealer has no cards yet"),
        ("dealer_card_exposed", ["4c 4d Kh Qs 7s 2d", None, "play", None], {}, "has revealed"),
        ("stub_count_misdeal", ["4c 4d Kh Qs 7s"], {}, "when the cards are dealt"),
        ("stub_count_wrong", [], {}, "when the cards are dealt"),
        ("shuffler_count_wrong", ["4c"], {}, "cards have been dealt"),
        ("shuffler_count_wrong", [], NO_DEVICE, "the dealer shuffles"),
        ("shuffler_jams", ["4c"], {}, "cards have been dealt"),
        ("shuffler_jams", [], NO_DEVICE, "the dealer shuffles"),
        ("dealing_shoe_jams", [], {"deal_method": "hand"}, "no automated shoe"),
        ("dealing_shoe_jams", [], BY_HAND, "no automated shoe"),
        ("improper_cut", [], {}, "they are not cut"),
        ("improper_cut", ["4c"], NO_DEVICE, "cards have been dealt"),
        ("player_exposes_cards", [], {}, "there is no such seat"),
    ],
)
def test_what_cannot_have_happened_is_refused_with_its_rule(
    kind: str, answers: Sequence[Any], options: Mapping[str, Any], why: str
) -> None:
    play = answered(with_wagers(options=options), *answers)
    refusal = not_answered(play, {"irregularity": kind})

    assert refusal.fault is Fault.NOT_NOW
    assert why in refusal.message
    assert refusal.cite == play.table.irregularities[kind].cite


@pytest.mark.cites("20.12")
def test_only_a_player_who_has_cards_can_expose_them() -> None:
    play = answered(with_wagers("13"), "4c 4d Kh")
    refusal = not_answered(play, {"irregularity": "player_exposes_cards", "seat": "3"})

    assert refusal.fault is Fault.BAD_SCRIPT


# Scripts, and the example of the contract.


@pytest.mark.cites("20.11(a)1")
def test_the_example_of_the_contract_without_what_went_wrong() -> None:
    """Nine high does not play: the ante wins, the play wager is returned, pair plus loses."""
    told = dealt("Qh 2c Td", "9h 3s 4d", "play", pair_plus=500, options={"pair_plus_ledger": "A"})

    results = [(each["wager"], each["result"], each["net"], cited(each))
               for each in told.rounds[0]["settlements"]]  # fmt: skip
    assert results == [
        ("ante", "win", 1000, "20.11(a)1"),
        ("play", "push", 0, "20.11(a)1"),
        ("pair_plus", "lose", -500, "20.10(b)"),
    ]
    assert told.net() == 500


@pytest.mark.cites("20.12(a)")
def test_the_card_that_lay_face_up_is_a_draw_unless_the_script_leaves_it_out() -> None:
    """Of six cards none is the one that was found; of seven, the nine of hearts is."""
    report = [before(4, "card_face_up")]
    told = dealt("Qh 2c Td", "9h 3s 4d", "play", pair_plus=500, irregularities=report)
    assert told.said()[1].startswith("Dealer has high card, nine-four high")
    assert told.net() == 500

    refusal = cannot("Qh 2c Td", "9h 3s", "play", pair_plus=500, irregularities=report)
    says(refusal, Fault.BAD_SCRIPT, "gives 5 draws and needs at least 2 more")

    told = dealt("Qh 2c Td", "9h 3s 4d 5s", "play", pair_plus=500, irregularities=report)
    assert told.said()[1] == "Dealer has straight, five high"
    assert told.net() == -2500


@pytest.mark.cites("20.9(c)")
@pytest.mark.parametrize(
    ("cards", "fault", "words"),
    [
        ("Qh 2c Td 9h 3s", Fault.BAD_SCRIPT, "needs at least 1 more"),
        ("Qh", Fault.BAD_SCRIPT, "needs at least 5 more"),
        ("Qh 2c Qh 9h 3s 4d", Fault.IMPOSSIBLE_OUTCOME, "no queen of hearts (Qh) is left"),
        ("Qh 2c 1d 9h 3s 4d", Fault.IMPOSSIBLE_OUTCOME, "1d"),
    ],
)
def test_a_script_must_give_cards_that_can_come(cards: str, fault: Fault, words: str) -> None:
    refusal = refused(ID, cards.split(), staked(), moves=["play"])

    assert refusal.fault is fault
    assert words in refusal.message


@pytest.mark.cites("20.9(c)")
def test_a_round_without_wagers_deals_no_cards() -> None:
    told = run({"game": ID, "draws": [], "seats": {"1": {}}})

    assert told.events("draw") == []
    assert steps(told) == [("Nobody plays, and no cards are dealt", CLOSED)]


@pytest.mark.cites("20.10(b)")
def test_where_all_fold_the_dealer_has_nobody_to_show_his_cards() -> None:
    told = dealt(NOTHING, QUEEN, "fold")

    assert told.events("reveal") == []
    assert told.net() == -1000
