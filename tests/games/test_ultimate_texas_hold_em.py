"""Ultimate Texas hold 'em, N.J.A.C. 19:47-32: one raise, the earlier the larger.

Pay tables and citations are written out here once more, from the rule sheet, so that a slip in
the game's own tables is seen. Unless a test says otherwise the cards come from an automated
shoe: the packet of seat 1 first, the dealer's last, and a burn before flop and river.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

import pytest

from croupier.games import find_game
from croupier.rulebook import HOUSE, LAYOUT, Ask, Draw, Fault, Inspect, Play, Refusal, Table
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

ID = "ultimate-texas-hold-em"
GAME = find_game(ID)

PACK = [rank + suit for rank, suit in product("23456789TJQKA", "cdhs")]

# To 1, from the sheet; a blind that wins with less is returned.
HANDS = (
    "royal_flush", "straight_flush", "four_of_a_kind", "full_house", "flush", "straight",
    "three_of_a_kind",
)  # fmt: skip
BLIND = {"A": (500, 50, 10, 3, 1.5, 1), "B": (500, 50, 10, 3, 1.5)}
TRIPS = {
    "A": (50, 40, 30, 9, 7, 4, 3), "B": (50, 40, 30, 8, 6, 5, 3), "C": (50, 40, 30, 8, 7, 4, 3),
    "D": (50, 40, 20, 7, 6, 5, 3),
}  # fmt: skip

Cards = tuple[str, str, str]  # the player's, the dealer's, and the board

# The player wins with each of these, and the dealer opens with all but the last.
EXAMPLE: dict[str, Cards] = {
    "royal_flush": ("Ah Kh", "9s 3d", "Qh Jh Th 2c 2d"),
    "straight_flush": ("9h 8h", "Ks 3d", "7h 6h 5h 2c 2d"),
    "four_of_a_kind": ("9h 9c", "5s Kd", "9d 9s 5h 2c 3d"),
    "full_house": ("9h 9c", "Ks Qd", "9d 5h 5c 2c 3d"),
    "flush": ("Ah 9h", "Qs Jd", "7h 4h 2h 2c Kd"),
    "straight": ("9h 8c", "Ks Qd", "7d 6s 5h 2c 2d"),
    "three_of_a_kind": ("9h 9c", "Ks 3d", "9d 7s 4h 2c Kd"),
    "two_pairs": ("9h 7c", "Ks 3d", "9d 7s 4h 2c Kd"),
    "pair": ("Ah 7c", "Ks 3d", "Ad 9s 4h 2c Kd"),
    "high_card": ("Ah Jc", "Qs 3d", "Kd 9s 4h 2c 7d"),
}
HIGHER = EXAMPLE["pair"]
LOWER: Cards = ("Qh 7c", "Ks 3d", "Ad 9s 4h 2c Kd")

BET_NOW, BET_LATER = [{"bet": 4000}], ["check", "check", "bet"]
TERMS = "32.6 (published)"
WHEN = "32.10 (published)"
PAYS = "32.11 (after 58 Pa. Code 653a.12)"
CUSTOM, ONE_POSITION = "32.1 (customary)", "32.12 (customary)"
CLOSED = "32.6 (after 13:69F-40.6(b))"
BY_HAND = {"automated_shuffler": False, "deal_method": "manual_shoe"}


def packets(cards: Cards) -> list[str]:
    """As an automated shoe gives them to one player, with cards for the burns that nobody needs."""
    own, dealer, board = (each.split() for each in cards)
    burns = [card for card in PACK if card not in {*own, *dealer, *board}]
    return [*own, *dealer, burns[0], *board[:3], burns[1], *board[3:]]


def staked(ante: int = 1000, trips: int = 0) -> dict[str, int]:
    return {"ante": ante, "blind": ante, **({"trips": trips} if trips else {})}


def dealt(cards: Cards, *moves: Any, ante: int = 1000, trips: int = 0, **others: Any) -> Told:
    """Seat 1 against the dealer: `dealt(HIGHER, {"bet": 4000}, trips=500)`."""
    return deal(ID, packets(cards), staked(ante, trips), moves=moves, **others)


def cannot(cards: Cards, *moves: Any, **others: Any) -> Refusal:
    return refused(ID, packets(cards), staked(), moves=moves, **others)


def before(draw: int, kind: str, **about: str) -> dict[str, Any]:
    return {"before_draw": draw, "kind": kind, **about}


def seat(*moves: Any, player: str = "", **wagers: int) -> dict[str, Any]:
    said = {"wagers": staked(**wagers), "moves": list(moves)}
    return {**said, "player": player} if player else said


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


def seen(table: Table, who: str | None) -> set[str]:
    """Every card that a seat, or a bystander, may see."""
    events = table.view(who)["events"]
    turned = {card for event in events for card in event.get("cards", ())}
    return turned | {event["outcome"] for event in events if "outcome" in event}


def results(told: Told) -> dict[str, tuple[str, int]]:
    return {each["wager"]: (each["result"], each["net"]) for each in told.rounds[-1]["settlements"]}


# The terms, the pack and the positions.


@pytest.mark.cites("32.1", "32.10")
def test_a_card_is_burnt_unseen_before_the_flop_of_three_and_before_the_last_two() -> None:
    told = dealt(HIGHER, "check", "check", "bet")

    assert places(told) == "1 1 dealer dealer burn board board board burn board board"
    shown = [card["outcome"] for card in told.events("draw") if "outcome" in card]
    assert shown == HIGHER[2].split()
    burnt = [event for event in told.events("step") if event["text"] == "One card is burnt"]
    assert [cited(event) for event in burnt] == [WHEN, WHEN]


@pytest.mark.cites("32.2")
def test_the_pack_has_52_cards_and_no_joker() -> None:
    pack = Table(GAME).equipment

    assert Counter(map(str, pack.composition)) == Counter(PACK)
    refusal = refused(ID, ["Jk"], staked(), moves=["check"])
    assert refusal.fault is Fault.IMPOSSIBLE_OUTCOME


@pytest.mark.cites("32.2")
@pytest.mark.parametrize(
    ("options", "packs"), [({}, [1, 2, 1]), ({"second_deck": False}, [1, 1, 1]), (BY_HAND, [1] * 3)]
)
def test_with_a_shuffling_device_two_packs_take_turns(
    options: Mapping[str, Any], packs: list[int]
) -> None:
    table, used = with_wagers(options=options), []
    for _ in range(3):
        table.open_betting()
        for label in ("ante", "blind"):
            table.bet("1", label, 1000)
        used.append(table.state.pack)
        cards = packets(HIGHER)
        moves = (None, "check", *cards[4:8], None, "check", *cards[8:], None, "fold")
        to_the_end(answered(table, *cards[:4], *moves))

    assert used == packs


@pytest.mark.cites("32.2")
def test_a_second_pack_needs_a_shuffling_device() -> None:
    by_hand = {"automated_shuffler": False}

    assert unlawful(ID, {**by_hand, "second_deck": True}) == [
        ("second_deck", "32.2 (after 13:69F-40.2(b))")
    ]
    assert Table(GAME, by_hand).options.second_deck is False
    assert Table(GAME).options.second_deck is True


@pytest.mark.cites("32.12")
def test_a_table_has_seven_positions_and_a_player_one_of_them() -> None:
    table = Table(GAME)
    assert table.positions == list("1234567")
    says(turned_away(table, "ante", seat="8"), Fault.UNKNOWN_SEAT, "no seat '8'", CUSTOM)

    table.sit("3", "Ann")
    for other in ("4", "7"):
        with pytest.raises(Refusal) as caught:
            table.sit(other, "Ann")
        words = "may wager on one position here, and has 3 already"
        says(caught.value, Fault.NOT_NOW, words, ONE_POSITION)
    table.sit("4", "Bob")
    assert unlawful(ID, {"positions_per_player": 2}) == [("positions_per_player", ONE_POSITION)]


# Opening, shuffle and cut.


@pytest.mark.cites("32.3", "32.4")
@pytest.mark.parametrize(
    ("options", "shuffle"),
    [
        ({}, [("A device shuffles the cards", "32.4 (after 13:69F-40.4(a))")]),
        (
            {"automated_shuffler": False},
            [
                ("The dealer shuffles the cards", "32.4 (after 13:69F-40.4(a))"),
                (
                    "The dealer cuts the cards, at least 10 from the top",
                    "32.4 (after 13:69F-40.4(c))",
                ),
            ],
        ),
    ],
)
def test_cards_are_inspected_washed_and_shuffled_before_play_and_shuffled_after_it(
    options: Mapping[str, Any], shuffle: list[tuple[str, str]]
) -> None:
    opening = ("The cards are inspected, spread face up and washed", "32.3 (after 13:69F-40.3)")
    told = run(
        {"game": ID, "options": options, "draws": packets(HIGHER), "shuffle": True,
         "seats": {"1": seat("check", "check", "fold")}}
    )  # fmt: skip

    assert steps(told)[: len(shuffle) + 1] == [opening, *shuffle]
    assert steps(told)[-len(shuffle) :] == shuffle


@pytest.mark.cites("32.4")
def test_every_round_is_dealt_from_the_whole_pack() -> None:
    same = {"draws": packets(HIGHER), "seats": {"1": seat({"bet": 4000})}}
    told = run({"game": ID, "rounds": [same, same, same]})

    assert told.net() == 3 * 5000
    table = with_wagers()
    play = answered(table, "Qh")
    assert table.equipment.cards_left == 51
    assert not_answered(play, "Qh").fault is Fault.IMPOSSIBLE_OUTCOME


# The ranking of hands.


@pytest.mark.cites("32.5")
@pytest.mark.parametrize("hand", EXAMPLE)
def test_the_best_five_of_seven_make_the_hand(hand: str) -> None:
    told = dealt(EXAMPLE[hand], *BET_NOW)

    (said,) = [text for text in told.said() if text.startswith("Seat 1 has")]
    assert said.startswith(f"Seat 1 has {hand.replace('_', ' ')}")
    assert told.result("play") == ("win", 4000)
    told_by = [event for event in told.events("announce") if event["text"] == said]
    assert [cited(event) for event in told_by] == ["32.5 (after 13:69F-40.5)"]


@pytest.mark.cites("32.5")
@pytest.mark.parametrize(
    ("better", "worse"),
    [
        # with two, one or none of a player's own cards
        (("Ah Kh", "Qs Jd", "Qh Jh Th 2c 2d"), "royal flush over two pairs"),
        (("Ac 3d", "Kd 4c", "Kh Qh Jh Th 2s"), "ace-high straight over a pair of kings"),
        (("Ah 2d", "6s 6c", "As 5s 4h 3c 9d"), "the five-high straight over a pair"),
        (("6h 2d", "Ac 9s", "5s 4h 3c 9d Kd"), "the six-high straight over a pair"),
        (("Qh 2d", "Jc 3s", "Qs 4h 5c 9d Kd"), "a pair over king high"),
        (("Ah 8d", "Ac 7s", "As 4h 5c 9d 3d"), "a kicker"),
        (("Ah 9d", "Ac 8s", "As Kh Kc 4c 3d"), "the second pair does not matter, the kicker does"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_the_higher_hand_wins_from_either_side(better: Cards, worse: str) -> None:
    own, dealer, board = better

    assert dealt((own, dealer, board), *BET_NOW).result("play") == ("win", 4000)
    assert dealt((dealer, own, board), *BET_NOW).result("play") == ("lose", -4000)


@pytest.mark.cites("32.5", "32.10")
@pytest.mark.parametrize(
    "cards",
    [
        ("2c 3d", "2h 3s", "Ah Kd Qc Js Th"),  # the board plays
        ("Ah 2c", "As 3d", "Kd Qc 9s 8h 7c"),  # the sixth card does not count
        ("Ah Kc", "As Kd", "Ac Qc 9s 8h 7c"),
        ("Ah 4h", "As 4s", "Kh Qs 9h 8s 7c"),
    ],
)
def test_suits_and_cards_beyond_five_never_count_and_equal_hands_push(cards: Cards) -> None:
    told = dealt(cards, *BET_NOW, trips=500)

    for wager in ("ante", "blind", "play"):
        assert told.result(wager) == ("push", 0)


# The wagers.


@pytest.mark.cites("32.6")
def test_only_the_wagers_of_the_rule_are_permitted() -> None:
    assert [wager.id for wager in GAME.wagers] == ["ante", "play", "blind", "trips"]
    says(turned_away(Table(GAME), "pair_plus"), Fault.UNKNOWN_WAGER, "no wager", CUSTOM)


@pytest.mark.cites("32.6")
@pytest.mark.parametrize("blind", [500, 999, 1001, 2000])
def test_the_blind_equals_the_ante(blind: int) -> None:
    table = Table(GAME)
    table.bet("1", "ante", 1000)

    refusal = turned_away(table, "blind", blind)
    assert refusal.fault in (Fault.BELOW_MINIMUM, Fault.ABOVE_MAXIMUM)
    assert "it must equal the ante wager" in refusal.message
    assert str(refusal.cite) == f"19:47-{TERMS}"
    table.bet("1", "blind", 1000)


@pytest.mark.cites("32.6")
@pytest.mark.parametrize("label", ["blind", "trips"])
def test_blind_and_trips_are_made_with_an_ante(label: str) -> None:
    refusal = turned_away(Table(GAME), label, 500)

    says(refusal, Fault.NO_SUPPORT, f"{label} is made together with the ante wager", TERMS)


@pytest.mark.cites("32.6")
def test_no_cards_are_dealt_to_an_ante_without_a_blind_or_with_another() -> None:
    words = "seat 1 has $10 on ante and $0 on blind, which must be equal"
    says(refused(ID, packets(HIGHER), {"ante": 1000}), Fault.NOT_NOW, words, TERMS)

    table = with_wagers()
    table.bet("1", "ante", 2000)
    with pytest.raises(Refusal, match=r"\$20 on ante and \$10 on blind"):
        Play(table)
    assert table.betting_is_open
    table.bet("1", "blind", 2000)
    assert isinstance(Play(table).request, Draw)


@pytest.mark.cites("32.6")
def test_the_ante_stays_while_others_lie_with_it() -> None:
    table = with_wagers(trips=500)

    refusal = turned_away(table, "ante", 0)
    says(refusal, Fault.NOT_NOW, "ante may not be taken down", TERMS)
    for label in ("blind", "trips", "ante"):
        table.bet("1", label, 0)
    assert table.bets == {}


@pytest.mark.cites("32.6")
def test_a_script_may_name_the_wagers_in_any_order() -> None:
    wagers = {"trips": 500, "blind": 1000, "ante": 1000}
    told = deal(ID, packets(HIGHER), wagers, moves=BET_NOW)

    assert told.net() == 5000 - 500


@pytest.mark.cites("32.6")
def test_trips_may_be_any_amount_within_the_limits_and_only_where_it_is_offered() -> None:
    table = with_wagers(options={"table_min": 1000, "table_max": 5000})

    for stake in (1000, 1001, 5000):
        table.bet("1", "trips", stake)
    assert turned_away(table, "trips", 999).fault is Fault.BELOW_MINIMUM
    assert turned_away(table, "trips", 5001).fault is Fault.ABOVE_MAXIMUM
    none = turned_away(with_wagers(options={"trips_table": "none"}), "trips", 500)
    says(none, Fault.NOT_OFFERED, "Trips (trips) is not offered at this table", TERMS)


@pytest.mark.cites("32.6", "32.10")
def test_the_play_wager_is_not_made_before_the_cards() -> None:
    refusal = turned_away(with_wagers(), "play", 4000)

    says(refusal, Fault.NOT_NOW, "made in the course of the round", WHEN)


@pytest.mark.cites("32.6")
def test_no_wager_is_made_or_changed_after_no_more_bets() -> None:
    table = with_wagers()
    answered(table, "Qh")

    for label, amount in (("ante", 2000), ("blind", 0), ("trips", 500), ("play", 4000)):
        says(turned_away(table, label, amount), Fault.NO_MORE_BETS, "No more bets", CLOSED)


@pytest.mark.cites("32.6")
def test_a_player_who_has_received_cards_stays_until_the_round_ends() -> None:
    table = with_wagers()
    answered(table, "Qh")

    with pytest.raises(Refusal, match="is still on the layout"):
        table.leave("1")


# Dealing.


@pytest.mark.cites("32.7", "32.8", "32.9")
@pytest.mark.parametrize(
    ("method", "order", "closed", "dealing", "stub"),
    [
        (
            "manual_shoe", "2 5 dealer 2 5 dealer", "32.7 (after 13:69F-40.7(b))",
            "32.7 (after 13:69F-40.7(d))", "32.7 (after 13:69F-40.7(e))",
        ),
        (
            "hand", "2 5 dealer 2 5 dealer", "32.8 (after 13:69F-40.8(b)3)",
            "32.8 (after 13:69F-40.8(c))", "32.8 (after 13:69F-40.8(d))",
        ),
        (
            "automated_shoe", "2 2 5 5 dealer dealer", "32.9 (after 13:69F-40.9(b)2)",
            "32.9 (after 13:69F-40.9(c))", "32.9 (after 19:47-20.9(d))",
        ),
    ],
)  # fmt: skip
def test_cards_go_clockwise_from_the_dealers_left_after_no_more_bets(
    method: str, order: str, closed: str, dealing: str, stub: str
) -> None:
    draws = "Tc 6d 4h Kc 9h 3d 2s 7s 8d 2d 3s 5c 5d".split()
    seats = {"5": seat({"bet": 4000}), "2": seat({"bet": 3000})}
    told = deal(ID, draws, seats=seats, options={"deal_method": method})

    assert places(told) == f"{order} burn board board board burn board board"
    assert all(card["face_down"] for card in told.events("draw")[:6])
    said = told.events("announce")[0]
    assert (said["text"], cited(said)) == ("No more bets", closed)
    assert steps(told)[0][1] == dealing
    (away,) = [cite for text, cite in steps(told) if text.startswith("The stub")]
    assert away == stub


@pytest.mark.cites("32.8")
def test_cards_are_dealt_from_the_hand_only_if_a_device_shuffles() -> None:
    by_hand = {"deal_method": "hand", "automated_shuffler": False}

    assert unlawful(ID, by_hand) == [("deal_method", "32.8 (after 13:69F-40.8(b)1)")]
    for method in ("manual_shoe", "automated_shoe"):
        assert GAME.check({"deal_method": method, "automated_shuffler": False}) == []


@pytest.mark.cites("32.7(f)", "32.9")
@pytest.mark.parametrize(
    ("options", "counted", "cite"),
    [
        ({}, [], ""),
        (BY_HAND, [5, 10], "32.7(f) (after 13:69F-40.7(f))"),
        ({"automated_shuffler": False}, [5, 10], "32.9 (after 13:69F-40.9(e))"),
    ],
)
def test_the_stub_is_counted_every_fifth_round_unless_a_device_does(
    options: Mapping[str, Any], counted: list[int], cite: str
) -> None:
    draws = "Ah Ks 7c 3d 2d Ad 9s 4h 3s 2c Kd".split()
    each = {"draws": draws, "seats": {"1": seat("check", "check", "fold")}}
    told = run({"game": ID, "options": options, "rounds": [each] * 11})

    count = ("The dealer counts the stub face down", cite)
    assert [number for number in range(1, 12) if count in steps(told, number - 1)] == counted


@pytest.mark.cites("32.7", "32.10")
def test_the_stub_is_put_away_when_all_community_cards_lie() -> None:
    events = dealt(HIGHER, "check", "check", "bet").rounds[0]["events"]

    at = next(n for n, each in enumerate(events) if str(each.get("text")).startswith("The stub"))
    assert events[at - 1]["to"] == "board"
    assert events[at + 1]["kind"] == "decision"


@pytest.mark.cites("32.7", "32.10")
def test_nobody_sees_the_cards_of_another_before_they_are_turned() -> None:
    table = with_wagers("12")
    play = answered(table, "Ah 7c Qc Jd Ks 3d", None)

    assert seen(table, "1") == {"Ah", "7c"}
    assert seen(table, "2") == {"Qc", "Jd"}
    assert seen(table, "3") == seen(table, None) == set()
    go_on(play, "check", "check", "2h Ad 9s 4h", "check", "check", "3h 2c Kd")
    board = {"Ad", "9s", "4h", "2c", "Kd"}
    assert seen(table, None) == board
    to_the_end(go_on(play, "bet", "fold"))
    assert seen(table, None) == board | {"Ah", "7c", "Ks", "3d"}  # not burns, nor what was folded


# The decisions.


@pytest.mark.cites("32.10")
@pytest.mark.parametrize(
    ("moves", "stake"),
    [
        ([{"bet": 3000}], 3000),
        ([{"bet": 4000}], 4000),
        (["check", "bet"], 2000),
        (["check", {"bet": 2000}], 2000),
        (["check", "check", "bet"], 1000),
        (["check", "check", {"bet": 1000}], 1000),
    ],
)
def test_one_play_wager_is_made_and_the_earlier_the_larger(
    moves: Sequence[Any], stake: int
) -> None:
    told = dealt(HIGHER, *moves)

    (play,) = [wager for wager in told.events("wager") if wager["wager"] == "play"]
    assert (play["stake"], cited(play)) == (stake, WHEN)
    assert len(told.events("decision")) == len(moves)
    assert told.result("play") == ("win", stake)


@pytest.mark.cites("32.10")
@pytest.mark.parametrize(
    ("checks", "move"),
    [
        *product([0], ["bet", {"bet": 1000}, {"bet": 2000}, {"bet": 2999}, {"bet": 3500},
                       {"bet": 5000}, {"bet": "4000"}, "fold", {"check": 1000}, None]),
        *product([1], [{"bet": 1000}, {"bet": 1999}, {"bet": 3000}, {"bet": 4000}, {"bet": 0},
                       "fold", None]),
        *product([2], [{"bet": 999}, {"bet": 2000}, {"bet": 4000}, "check", {"fold": 0}, None]),
    ],
)  # fmt: skip
def test_no_other_multiple_and_no_other_move_is_allowed(checks: int, move: Any) -> None:
    cards = packets(HIGHER)
    play = answered(with_wagers(), *cards[:4], None)
    for checked in range(checks):
        play.answer("check")
        for card in (cards[4:8], cards[8:])[checked]:
            play.answer(card)
        play.answer(None)

    assert isinstance(play.request, Ask)
    says(not_answered(play, move), Fault.ILLEGAL_MOVE, "seat 1 may", WHEN)


@pytest.mark.cites("32.10")
def test_there_is_no_second_play_wager() -> None:
    for moves in (
        [{"bet": 4000}, "bet"],
        ["check", "bet", "bet"],
        ["check", "check", "bet", "bet"],
    ):
        refusal = cannot(HIGHER, *moves)
        says(refusal, Fault.BAD_SCRIPT, "seat 1 was never asked for its move 'bet'", CUSTOM)


@pytest.mark.cites("32.10")
def test_a_table_may_allow_four_antes_only_before_the_flop() -> None:
    four = {"preflop_multiples": "4"}

    for move in ("bet", {"bet": 4000}):
        assert dealt(HIGHER, move, options=four).settled("play")["stake"] == 4000
    refusal = cannot(HIGHER, {"bet": 3000}, options=four)
    says(refusal, Fault.ILLEGAL_MOVE, "seat 1 may bet (4000 cents), not 3000", WHEN)
    assert dealt(HIGHER, "check", "bet", options=four).settled("play")["stake"] == 2000
    assert unlawful(ID, {"preflop_multiples": "3"}) == [("preflop_multiples", WHEN)]


@pytest.mark.cites("32.10")
def test_those_who_have_not_bet_are_asked_clockwise_at_each_stage() -> None:
    draws = "Ah 7c Qc Jd 8d 8s Ks 3d 2h Ad 9s 4h 3h 2c Kd".split()
    seats = {
        "6": seat("check", "check", "fold"), "3": seat("check", "bet"), "1": seat({"bet": 3000}),
    }  # fmt: skip
    told = deal(ID, draws, seats=seats)

    decided = [(event["seat"], event["move"]) for event in told.events("decision")]
    assert decided == [
        ("1", "bet"), ("3", "check"), ("6", "check"), ("3", "bet"), ("6", "check"), ("6", "fold"),
    ]  # fmt: skip


@pytest.mark.cites("32.10")
def test_who_does_not_answer_checks_and_in_the_end_folds() -> None:
    cards = packets(HIGHER)
    play = answered(with_wagers(), *cards[:4], None)

    defaults = []
    for some in (cards[4:8], cards[8:], []):
        assert isinstance(play.request, Ask)
        defaults.append(play.request.default)
        play.answer(play.request.default)
        for answer in (*some, None):
            play.answer(answer)
    assert defaults == ["check", "check", "fold"]
    says(cannot(HIGHER), Fault.BAD_SCRIPT, "seat 1 must check or bet (3000 to 4000 cents)", WHEN)


@pytest.mark.cites("32.10")
def test_a_fold_loses_ante_and_blind_and_the_cards_are_collected() -> None:
    told = dealt(HIGHER, "check", "check", "fold")

    assert results(told) == {"ante": ("lose", -1000), "blind": ("lose", -1000)}
    assert {cited(each) for each in told.rounds[0]["settlements"]} == {WHEN}
    assert told.events("reveal") == []
    events = told.rounds[0]["events"]
    after = events[next(n for n, each in enumerate(events) if each.get("move") == "fold") + 1 :]
    assert [each["kind"] for each in after[:3]] == ["collect", "collect", "step"]
    assert after[2]["text"] == "The cards are picked up"


@pytest.mark.cites("32.10")
def test_trips_stays_live_after_a_fold_and_so_do_the_cards() -> None:
    told = dealt(EXAMPLE["flush"], "check", "check", "fold", trips=500)

    assert results(told) == {
        "ante": ("lose", -1000), "blind": ("lose", -1000), "trips": ("win", 3500),
    }  # fmt: skip
    assert [event["hand"] for event in told.events("reveal")] == ["dealer", "1"]
    loses = dealt(HIGHER, "check", "check", "fold", trips=500)
    assert loses.result("trips") == ("lose", -500)


@pytest.mark.cites("32.10")
def test_where_the_table_says_so_a_fold_loses_trips_too() -> None:
    lost = {"trips_after_fold": "lost"}
    told = dealt(EXAMPLE["flush"], "check", "check", "fold", trips=500, options=lost)

    assert told.net() == -2500
    assert told.events("reveal") == []
    kept = dealt(EXAMPLE["flush"], *BET_LATER, trips=500, options=lost)
    assert kept.result("trips") == ("win", 3500)


# Settlement.


WIN, LOSE, PUSH = 1, -1, 0


@pytest.mark.cites("32.10", "32.11")
@pytest.mark.parametrize("moves", [[{"bet": 4000}], [{"bet": 3000}], ["check", "bet"], BET_LATER])
@pytest.mark.parametrize(
    ("cards", "ante", "blind", "play"),
    [
        (HIGHER, WIN, PUSH, WIN),  # the dealer has a pair
        (EXAMPLE["straight"], WIN, WIN, WIN),
        (("Ah 7c", "Qs 3d", "Ad 9s 4h 2c Kd"), PUSH, PUSH, WIN),  # and here he has not
        (EXAMPLE["high_card"], PUSH, PUSH, WIN),
        (("9h 8c", "Ks Qd", "7d 6s 5h 2c 3d"), PUSH, WIN, WIN),
        (("Ah 2c", "As 3d", "Kd Qc 9s 8h 7c"), PUSH, PUSH, PUSH),
        (("Ah Kc", "As Kd", "Ac Qc 9s 8h 7c"), PUSH, PUSH, PUSH),
        (LOWER, LOSE, LOSE, LOSE),
        (("Qh 7c", "Js 3d", "Jd 9s 4h 2c Kd"), LOSE, LOSE, LOSE),
        (("Jh 7c", "Qs 3d", "Ad 9s 4h 2c Kd"), PUSH, LOSE, LOSE),  # lower, and he has no pair
    ],
)
def test_the_settlement_matrix(
    moves: Sequence[Any], cards: Cards, ante: int, blind: int, play: int
) -> None:
    told = dealt(cards, *moves)
    stake = told.settled("play")["stake"]
    word = {WIN: "win", LOSE: "lose", PUSH: "push"}

    assert results(told) == {
        "ante": (word[ante], ante * 1000),
        "blind": (word[blind], blind * 1000),
        "play": (word[play], play * stake),
    }
    for wager, result in (("ante", ante), ("play", play), ("blind", blind)):
        assert cited(told.settled(wager)) == (PAYS if result == WIN else TERMS)


@pytest.mark.cites("32.10")
@pytest.mark.parametrize(
    ("dealer", "board", "opens"),
    [
        ("2s 3d", "2c 9s 4h Jc Kd", True),  # the lowest pair
        ("Ks Qd", "Ac Js 9h 4c 3d", False),  # the highest hand without one
        ("Ks Qd", "4c 4s 9h 8c 3d", True),  # a pair that lies on the board
        ("Ks Qd", "Ac Js Th 4c 3d", True),  # a straight
    ],
)
def test_the_dealer_opens_with_a_pair_or_better(dealer: str, board: str, opens: bool) -> None:
    told = dealt(("5h 6c", dealer, board), *BET_NOW)
    lost = told.result("ante") == ("lose", -1000)

    assert lost == opens
    assert told.result("play") == ("lose", -4000)
    assert any("does not qualify" in said for said in told.said()) != opens


@pytest.mark.cites("32.11")
@pytest.mark.parametrize("table", BLIND)
@pytest.mark.parametrize("hand", EXAMPLE)
def test_the_blind_is_paid_by_its_table_on_a_hand_that_beats_the_dealer(
    table: str, hand: str
) -> None:
    told = dealt(EXAMPLE[hand], *BET_NOW, options={"blind_table": table})
    odds = dict(zip(HANDS, BLIND[table], strict=False))

    if hand in odds:
        assert told.result("blind") == ("win", int(1000 * odds[hand]))
        assert told.settled("blind")["line"] == hand
        assert cited(told.settled("blind")) == PAYS
    else:
        assert told.result("blind") == ("push", 0)


@pytest.mark.cites("32.11")
def test_a_straight_that_table_b_returns_is_not_called_less_than_a_straight() -> None:
    told = dealt(EXAMPLE["straight"], *BET_NOW, options={"blind_table": "B"})

    assert "below_a_straight" not in told.settled("blind")["line"]


@pytest.mark.cites("32.11")
def test_a_blind_that_does_not_beat_the_dealer_is_never_paid() -> None:
    beaten = dealt(("9h 8c", "Th 9c", "7d 6s 5h 8h 2d"), *BET_NOW)
    equal = dealt(("9h 2c", "9c 2h", "8d 7s 6h 5h Kd"), *BET_NOW)

    assert beaten.result("blind") == ("lose", -1000)
    assert equal.result("blind") == ("push", 0)


@pytest.mark.cites("32.11")
@pytest.mark.parametrize(("ante", "won"), [(1000, 1500), (501, 751), (999, 1498)])
def test_3_to_2_is_paid_exactly_or_rounded_down_to_the_cent(ante: int, won: int) -> None:
    told = dealt(EXAMPLE["flush"], {"bet": 4 * ante}, ante=ante)

    assert told.result("blind") == ("win", won)
    assert told.settled("blind")["pays"] == "3 to 2"


@pytest.mark.cites("32.11")
@pytest.mark.parametrize("table", TRIPS)
@pytest.mark.parametrize("hand", EXAMPLE)
def test_trips_is_paid_by_its_table(table: str, hand: str) -> None:
    told = dealt(EXAMPLE[hand], *BET_NOW, trips=700, options={"trips_table": table})
    odds = dict(zip(HANDS, TRIPS[table], strict=True))

    if hand in odds:
        assert told.result("trips") == ("win", 700 * odds[hand])
        assert cited(told.settled("trips")) == PAYS
    else:
        assert told.result("trips") == ("lose", -700)


@pytest.mark.cites("32.11")
def test_trips_is_paid_whatever_the_dealer_holds() -> None:
    told = dealt(("9h 8c", "Th 9c", "7d 6s 5h 8h 2d"), *BET_NOW, trips=500)

    assert results(told) == {
        "ante": ("lose", -1000), "blind": ("lose", -1000), "play": ("lose", -4000),
        "trips": ("win", 2000),
    }  # fmt: skip


@pytest.mark.cites("32.11")
def test_a_table_may_pay_better_but_not_worse() -> None:
    better = {"higher_odds": {"trips.flush": "8 to 1"}}

    assert dealt(EXAMPLE["flush"], *BET_NOW, trips=500, options=better).result("trips")[1] == 4000
    for key in ("ante", "play", "blind.straight", "trips.flush"):
        assert unlawful(ID, {"higher_odds": {key: "1 to 2"}}) == [("higher_odds", PAYS)]


SEATS = {
    "1": seat({"bet": 4000}, trips=500),  # loses
    "3": seat({"bet": 4000}, trips=500),  # wins, but for trips
    "6": seat("check", "check", "fold", trips=500),  # folds, and loses trips
}
SHARED = "Qh 7c Ah 7d 8d 8s Ks 3d 2h Ad 9s 4h 3h 2c Kd".split()


def settlement(order: str) -> list[tuple[str, str]]:
    """What is done after the dealer's cards lie open, to whom."""
    told = deal(ID, SHARED, seats=SEATS, options={"settlement_order": order})
    events = told.rounds[0]["events"]
    at = next(number for number, event in enumerate(events) if event.get("hand") == "dealer")
    kinds = ("reveal", "collect", "pay", "return")
    after = [event for event in events[at + 1 :] if event["kind"] in kinds]
    return [(each["kind"], each.get("hand") or each["seat"] + " " + each["wager"])
            for each in after]  # fmt: skip


@pytest.mark.cites("32.10")
def test_by_player_settlement_goes_from_the_dealers_right_ante_play_blind_trips() -> None:
    assert settlement("by_player") == [
        ("reveal", "6"), ("collect", "6 trips"),
        ("reveal", "3"), ("pay", "3 ante"), ("pay", "3 play"), ("return", "3 blind"),
        ("collect", "3 trips"),
        ("reveal", "1"), ("collect", "1 ante"), ("collect", "1 play"), ("collect", "1 blind"),
        ("collect", "1 trips"),
    ]  # fmt: skip


@pytest.mark.cites("32.10")
def test_by_step_all_losers_are_taken_before_winners_are_paid() -> None:
    assert settlement("by_step") == [
        ("reveal", "6"), ("reveal", "3"), ("reveal", "1"),
        ("collect", "6 trips"), ("collect", "3 trips"), ("collect", "1 ante"),
        ("collect", "1 play"), ("collect", "1 blind"), ("collect", "1 trips"),
        ("pay", "3 ante"), ("pay", "3 play"), ("return", "3 blind"),
    ]  # fmt: skip


@pytest.mark.cites("32.10")
def test_the_order_never_changes_what_is_paid() -> None:
    for order in ("by_player", "by_step"):
        told = deal(ID, SHARED, seats=SEATS, options={"settlement_order": order})
        assert told.document["net"] == {"1": -6500, "3": 4500, "6": -2500}


# What the licensee chooses.


@pytest.mark.cites("32.2", "32.7", "32.8", "32.9", "32.10", "32.11", "32.12")
@pytest.mark.parametrize(
    ("option", "values", "default", "cite"),
    [
        ("blind_table", ["A", "B"], "A", PAYS),
        ("trips_table", ["none", "A", "B", "C", "D"], "C", PAYS),
        ("preflop_multiples", ["3,4", "4"], "3,4", WHEN),
        ("trips_after_fold", ["live", "lost"], "live", "32.10 (after 13:69F-40.10(d)2i)"),
        (
            "deal_method", ["manual_shoe", "hand", "automated_shoe"], "automated_shoe",
            "32.7 (customary)",
        ),
        ("automated_shuffler", [True, False], True, "32.8 (customary)"),
        ("second_deck", [True, False], True, "32.2 (after 13:69F-40.2(b))"),
        ("positions_per_player", [1], 1, ONE_POSITION),
        ("settlement_order", ["by_player", "by_step"], "by_player", "32.10 (customary)"),
    ],
)  # fmt: skip
def test_an_option_has_the_values_and_the_default_of_the_rule(
    option: str, values: list[Any], default: Any, cite: str
) -> None:
    found = GAME.Options.all()[option]

    assert (found.values, found.default) == (values, default)
    assert unlawful(ID, {option: "otherwise"}) == [(option, cite)]


# Irregularities.


STAGES = packets(HIGHER)
DEALT, FLOP, RIVER = STAGES[:4], STAGES[4:8], STAGES[8:]


def at_stage(table: Table, stage: int) -> Play:
    """Everybody checks up to this stage; the round waits to hear whether anything was irregular."""
    play = answered(table, *DEALT)
    for cards in (FLOP, RIVER)[:stage]:
        for answer in (None, "check", *cards):
            play.answer(answer)
    return play


@pytest.mark.cites("32.13")
@pytest.mark.parametrize("draw", range(1, 12))
def test_a_card_found_face_up_is_not_used_and_the_deal_goes_on(draw: int) -> None:
    cards = packets(HIGHER)
    cards.insert(draw - 1, "8h")
    report = before(draw, "card_face_up")
    told = deal(ID, cards, staked(), moves=BET_NOW, irregularities=[report])

    assert told.net() == 5000
    assert cited(told.events("irregularity")[0]) == "32.13 (after 13:69F-40.12(b))"


@pytest.mark.cites("32.13")
def test_a_second_card_found_face_up_voids_the_round_even_if_it_comes_with_the_board() -> None:
    cards = ["8h", *packets(HIGHER)[:5], "8d"]
    reports = [before(1, "card_face_up"), before(7, "card_face_up")]
    told = deal(ID, cards, staked(trips=500), moves=BET_NOW, irregularities=reports)

    assert told.rounds[0]["void"]
    assert set(results(told).values()) == {("void", 0)}
    assert set(results(told)) == {"ante", "blind", "play", "trips"}


@pytest.mark.cites("32.13")
@pytest.mark.parametrize("draw", [1, 4, 5, 11])
def test_two_or_more_cards_found_face_up_at_once_void_the_round(draw: int) -> None:
    report = before(draw, "cards_face_up")
    moves = BET_NOW if draw > 4 else []
    cards = packets(HIGHER)[: draw - 1]
    told = deal(ID, cards, staked(), moves=moves, irregularities=[report])

    assert told.rounds[0]["void"]
    assert told.net() == 0
    assert cited(told.settled("ante")) == "32.13 (after 13:69F-40.12(b))"


@pytest.mark.cites("32.13")
def test_a_card_drawn_in_error_unseen_is_the_next_card() -> None:
    for draw in (1, 5, 11):
        told = dealt(HIGHER, *BET_NOW, irregularities=[before(draw, "card_drawn_in_error")])

        assert told.net() == 5000
        assert cited(told.events("irregularity")[0]) == "32.13 (after 13:69F-40.12(c))"


@pytest.mark.cites("32.13")
@pytest.mark.parametrize("stage", [0, 1, 2])
def test_a_dealers_card_exposed_while_somebody_has_yet_to_decide_voids_the_round(
    stage: int,
) -> None:
    table = with_wagers(trips=500)
    at_stage(table, stage).answer({"irregularity": "dealer_card_exposed"})

    assert table.is_void
    assert {str(each.cite) for each in table.settlements} == {"19:47-32.13 (after 13:69F-40.12(a))"}
    assert table.money["1"] == table.money[HOUSE] == table.money[LAYOUT] == 0


@pytest.mark.cites("32.13")
@pytest.mark.parametrize("kind", ["dealer_card_exposed", "community_card_exposed"])
def test_once_every_player_has_bet_or_folded_an_exposed_card_changes_nothing(kind: str) -> None:
    now = answered(with_wagers(), *DEALT, None, {"bet": 4000})
    later = at_stage(with_wagers(), 2)
    for answer in (None, "fold"):
        later.answer(answer)

    for play in (now, later):
        refusal = not_answered(play, {"irregularity": kind})
        assert refusal.fault is Fault.NOT_NOW
        assert "every player has decided" in refusal.message


@pytest.mark.cites("32.13")
@pytest.mark.parametrize("stage", [0, 1, 2])
def test_a_community_card_shown_before_its_decision_voids_the_round(stage: int) -> None:
    table = with_wagers()
    at_stage(table, stage).answer({"irregularity": "community_card_exposed"})

    assert table.is_void
    assert {str(each.cite) for each in table.settlements} == {"19:47-32.13 (customary)"}


@pytest.mark.cites("32.13")
def test_a_player_with_a_wrong_number_of_cards_is_out_and_the_others_go_on() -> None:
    seats = {"1": seat({"bet": 4000}), "3": seat(trips=500), "6": seat("check", "check", "fold")}
    report = before(9, "wrong_number_of_cards", seat="3")
    seats["3"]["moves"] = ["check"]
    told = deal(ID, SHARED, seats=seats, irregularities=[report])

    assert not told.rounds[0]["void"]
    assert told.document["net"] == {"1": -6000, "3": 0, "6": -2000}
    for wager in ("ante", "blind", "trips"):
        assert told.result(wager, "3") == ("void", 0)
        assert cited(told.settled(wager, "3")) == "32.13 (after 13:69F-40.12(d))"
    assert "3" not in [event["hand"] for event in told.events("reveal")]


@pytest.mark.cites("32.13")
def test_where_the_only_hand_is_void_the_round_ends_without_another_card() -> None:
    table = with_wagers()
    to_the_end(answered(table, *DEALT, {"irregularity": "wrong_number_of_cards"}))

    assert table.money["1"] == table.money[HOUSE] == table.money[LAYOUT] == 0
    assert len([event for event in table.events if event.kind == "draw"]) == 4
    assert table.equipment.cards_left == 52


@pytest.mark.cites("32.13")
def test_a_hand_that_becomes_void_after_its_fold_gets_everything_back() -> None:
    table = with_wagers(trips=500)
    play = at_stage(table, 2)
    for answer in (None, "fold", {"irregularity": "wrong_number_of_cards", "seat": "1"}):
        play.answer(answer)
    to_the_end(play)

    assert {each.result.value for each in table.settlements} == {"void"}
    assert table.money["1"] == table.money[HOUSE] == table.money[LAYOUT] == 0


@pytest.mark.cites("32.13")
def test_a_dealer_with_a_wrong_number_of_cards_completes_his_hand_or_voids_all() -> None:
    completes = before(5, "dealer_wrong_number_of_cards")
    told = dealt(HIGHER, *BET_NOW, irregularities=[completes])
    assert told.net() == 5000

    table = with_wagers()
    answered(table, *DEALT, {"irregularity": "dealer_wrong_number_exposed"})
    assert table.is_void
    for event in (told.events("irregularity")[0], table.settlements[0].as_json()):
        assert cited(event) == "32.13 (after 13:69F-40.12(d))"


@pytest.mark.cites("32.7(f)", "32.13")
@pytest.mark.parametrize("kind", ["stub_count_misdeal", "stub_count_wrong"])
def test_a_wrong_count_of_the_stub_voids_the_round(kind: str) -> None:
    table = with_wagers()
    at_stage(table, 2).answer({"irregularity": kind})

    assert table.is_void
    assert {str(each.cite) for each in table.settlements} == {
        "19:47-32.7(f) (after 13:69F-40.7(f)2)"
    }
    replaced = [event for event in table.events if "replaced" in str(event.data.get("text"))]
    assert bool(replaced) == (kind == "stub_count_wrong")


@pytest.mark.cites("32.7", "32.13")
@pytest.mark.parametrize(
    ("kind", "cite"),
    [
        ("shuffler_count_wrong", "32.7 (after 13:69F-40.7(g))"),
        ("shuffler_jams", "32.13 (after 13:69F-40.12(e))"),
        ("change_of_device", "32.13 (after 13:69F-40.12(g))"),
    ],
)
def test_what_befalls_the_devices_before_a_card_is_dealt_voids_nothing(
    kind: str, cite: str
) -> None:
    told = dealt(HIGHER, *BET_NOW, irregularities=[before(1, kind)])

    assert told.net() == 5000
    assert cited(told.events("irregularity")[0]) == cite


@pytest.mark.cites("32.13")
@pytest.mark.parametrize("draw", [1, 4, 5, 11])
def test_an_automated_shoe_that_jams_voids_the_round(draw: int) -> None:
    moves = BET_NOW if draw > 4 else []
    report = before(draw, "dealing_shoe_jams")
    told = deal(ID, STAGES[: draw - 1], staked(), moves=moves, irregularities=[report])

    assert told.rounds[0]["void"]
    assert cited(told.settled("blind")) == "32.13 (after 13:69F-40.12(f))"


@pytest.mark.cites("32.4")
def test_a_cut_that_was_made_improperly_is_made_again_before_any_card_is_dealt() -> None:
    cut = before(1, "improper_cut")
    by_hand = {"automated_shuffler": False}
    told = dealt(HIGHER, *BET_NOW, irregularities=[cut], options=by_hand)

    assert told.net() == 5000
    assert cited(told.events("irregularity")[0]) == "32.4 (after 13:69F-40.4(d))"


@pytest.mark.cites("32.13")
@pytest.mark.parametrize(
    ("report", "cite"),
    [
        (before(2, "player_exposes_cards", seat="1"), "32.13 (after 19:47-33.12(h))"),
        (before(9, "missed_burn"), "32.13 (customary)"),
    ],
)
def test_a_player_who_shows_his_cards_or_a_burn_that_was_missed_changes_nothing(
    report: dict[str, Any], cite: str
) -> None:
    told = dealt(HIGHER, *BET_NOW, irregularities=[report])

    assert told.net() == 5000
    assert cited(told.events("irregularity")[0]) == cite


NO_DEVICE = {"automated_shuffler": False}


@pytest.mark.cites("32.13")
@pytest.mark.parametrize(
    ("kind", "answers", "options", "why"),
    [
        ("card_face_up", DEALT, {}, "no card is due"),
        ("cards_face_up", DEALT, {}, "no card is due"),
        ("card_drawn_in_error", DEALT, {}, "no card is due"),
        ("wrong_number_of_cards", [], {}, "there is no such seat"),
        ("dealer_wrong_number_of_cards", DEALT[:2], {}, "the dealer has no cards yet"),
        ("dealer_wrong_number_exposed", DEALT[:2], {}, "the dealer has no cards yet"),
        ("dealer_card_exposed", DEALT[:2], {}, "the dealer has no cards yet"),
        ("stub_count_misdeal", DEALT, {}, "when the cards are dealt"),
        ("stub_count_wrong", [*DEALT, None, "check", *FLOP], {}, "when the cards are dealt"),
        ("missed_burn", DEALT, {}, "no community card has been dealt"),
        ("shuffler_count_wrong", DEALT[:1], {}, "cards have been dealt"),
        ("shuffler_jams", [], NO_DEVICE, "the dealer shuffles"),
        ("dealing_shoe_jams", [], {"deal_method": "hand"}, "no automated shoe"),
        ("improper_cut", [], {}, "they are not cut"),
        ("improper_cut", DEALT[:1], NO_DEVICE, "cards have been dealt"),
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


# Scripts.


@pytest.mark.cites("32.9")
@pytest.mark.parametrize(
    ("cards", "fault", "words"),
    [
        (STAGES[:10], Fault.BAD_SCRIPT, "needs at least 1 more"),
        (STAGES[:4], Fault.BAD_SCRIPT, "needs at least 7 more"),
        ([*STAGES[:10], STAGES[0]], Fault.IMPOSSIBLE_OUTCOME, "is left in the pack"),
        (["Xx"], Fault.IMPOSSIBLE_OUTCOME, "Xx"),
    ],
)
def test_a_script_must_give_cards_that_can_come(cards: list[str], fault: Fault, words: str) -> None:
    refusal = refused(ID, cards, staked(), moves=BET_NOW)

    assert refusal.fault is fault
    assert words in refusal.message


@pytest.mark.cites("32.6")
def test_a_round_without_wagers_deals_no_cards() -> None:
    told = run({"game": ID, "draws": [], "seats": {"1": {}}})

    assert told.events("draw") == []
    assert steps(told) == [("Nobody plays, and no cards are dealt", CLOSED)]
