"""Texas hold 'em bonus poker, N.J.A.C. 19:47-28: a wager before each of the three deals."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, product
from math import comb
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.equipment import deck
from croupier.games import find_game
from croupier.ranking import rank
from croupier.rulebook import Ask, Case, Draw, Fault, Inspect, Play, Refusal, Table
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

ID = "texas-hold-em-bonus-poker"
GAME: Any = find_game(ID)
PACK = [str(card) for card in deck()]
TERMS, PAYS, WAGERS = "28.10 (published)", "28.11 (published)", "28.6 (published)"
METHODS = ("manual_shoe", "hand", "automated_shoe")
BY_HAND = {"automated_shuffler": False, "deal_method": "manual_shoe"}
ALL_IN = ("bet", "bet", "bet")

DULL = "2c 7d 9h 3s Jd"  # community cards that help nobody much


def after(sister: str, section: str = "28.12") -> str:
    """The citation of what follows the text of another subchapter."""
    return f"{section} (after {sister})"


def text(cards: Iterable[Any]) -> str:
    return " ".join(map(str, cards))


def spare(used: Sequence[str], number: int) -> list[str]:
    """Cards that nobody holds, to burn."""
    return [card for card in PACK if card not in used][:number]


def burnt_between(board: Sequence[str], others: Sequence[str]) -> list[str]:
    """The community cards, with a card burnt before the flop, the turn and the river."""
    burns = spare([*board, *others], 3)
    return [burns[0], *board[:3], burns[1], board[3], burns[2], board[4]]


def cards(player: str, dealer: str, board: str = DULL) -> list[str]:
    """As they leave an automated shoe for seat 1 alone."""
    hands = [*player.split(), *dealer.split()]
    return [*hands, *burnt_between(board.split(), hands)]


def dealt(
    player: str, dealer: str, board: str = DULL, moves: Sequence[Any] = ALL_IN, bonus: int = 0,
    **others: Any,
) -> Told:  # fmt: skip
    """Ten dollars of seat 1 against these cards."""
    return deal(ID, cards(player, dealer, board), staked(bonus), moves=moves, **others)


def folded(player: str, dealer: str, bonus: int = 0, **others: Any) -> Told:
    """Seat 1 folds: no community card is dealt."""
    draws = [*player.split(), *dealer.split()]
    return deal(ID, draws, staked(bonus), moves=["fold"], **others)


def staked(bonus: int = 0) -> dict[str, int]:
    return {"ante": 1000, **({"bonus": bonus} if bonus else {})}


def cannot(draws: Sequence[str], moves: Sequence[Any] = ALL_IN, **others: Any) -> Refusal:
    return refused(ID, draws, staked(), moves=moves, **others)


def opened(options: Mapping[str, Any] | None = None, seats: str = "1", bonus: int = 0) -> Table:
    """A table in play, with antes at these seats."""
    table = Table(GAME, options)
    table.state = GAME.in_play(table.state)
    for seat in seats:
        for label, amount in staked(bonus).items():
            table.bet(seat, label, amount)
    return table


def answered(table: Table, *answers: Any) -> Play:
    """Cards, moves and reports as they come; whenever it may be asked, nothing is irregular."""
    play = Play(table)
    for answer in answers:
        while isinstance(play.request, Inspect) and not isinstance(answer, dict):
            play.answer(None)
        play.answer(answer)
    return play


def to_the_end(play: Play) -> None:
    while play.request is not None:
        play.answer(None)


def before(draw: int, kind: str, **about: str) -> dict[str, Any]:
    return {"irregularities": [{"before_draw": draw, "kind": kind, **about}]}


def places(told: Told) -> list[str]:
    return [card["to"] for card in told.events("draw") if "to" in card]


def done(told: Told) -> list[tuple[str, str]]:
    """The steps of a round, with their rules."""
    return [(step["text"], cited(step)) for step in told.events("step")]


def moved(told: Told, kind: str) -> list[tuple[str, str, int]]:
    return [(event["seat"], event["wager"], event["amount"]) for event in told.events(kind)]


def mishap(told: Told) -> tuple[str, str]:
    """What the one irregularity was answered with, and by which rule."""
    (event,) = told.events("irregularity")
    return event["resolution"], cited(event)


# The cards.


@pytest.mark.cites("28.2")
def test_one_pack_of_52_cards_without_jokers_is_used() -> None:
    assert Counter(map(str, Table(GAME).equipment.composition)) == Counter(PACK)
    assert len(PACK) == 52
    refusal = cannot(["Jk", *cards("Ah Kd", "Qs Qc")[1:]])
    assert refusal.fault is Fault.IMPOSSIBLE_OUTCOME


@pytest.mark.cites("28.2")
@pytest.mark.parametrize(
    ("options", "packs"), [({}, [2, 1, 2]), ({"second_deck": False}, [1, 1, 1])]
)
def test_where_a_device_shuffles_two_packs_are_used_in_turn(
    options: dict[str, Any], packs: list[int]
) -> None:
    table, next_ones = opened(options, seats=""), []
    for _ in range(3):
        table.open_betting()
        table.bet("1", "ante", 1000)
        to_the_end(answered(table, "Ah", "Kd", "Qs", "Qc", "fold"))
        next_ones.append(table.state.pack)

    assert next_ones == packs


@pytest.mark.cites("28.2")
def test_without_such_a_device_there_is_no_second_pack() -> None:
    assert Table(GAME, BY_HAND).options.second_deck is False
    assert unlawful(ID, {**BY_HAND, "second_deck": True}) == [
        ("second_deck", after("13:69F-40.2(b)", "28.2"))
    ]


# The opening, the shuffle and the cut.

SHUFFLED = ("The dealer shuffles the cards", after("13:69F-40.4(a)", "28.4"))
BY_DEVICE = ("A device shuffles the cards", after("13:69F-40.4(a)", "28.4"))
CUT = (
    "The dealer cuts the cards, at least 10 from the top",
    after("13:69F-40.4(c)", "28.4"),
)


@pytest.mark.cites("28.3", "28.4")
@pytest.mark.parametrize(("options", "shuffle"), [({}, [BY_DEVICE]), (BY_HAND, [SHUFFLED, CUT])])
def test_the_cards_are_inspected_at_the_opening_and_shuffled_then_and_after_every_round(
    options: dict[str, Any], shuffle: list[tuple[str, str]]
) -> None:
    """Only a manual shuffle is followed by a cut."""
    table = Table(GAME, options)
    opening = [("The cards are inspected, spread face up and washed", after("13:69F-40.3", "28.3"))]
    for first in ([*opening, *shuffle], []):
        table.open_betting()
        table.bet("1", "ante", 1000)
        to_the_end(answered(table, "2h", "Qs", "3d", "Qc", "fold"))

        steps = [(s.data["text"], str(s.cite)[6:]) for s in table.events if s.kind == "step"]
        assert steps[: len(first)] == first
        assert steps[-len(shuffle) :] == shuffle
        assert steps.count(shuffle[0]) == 1 + bool(first)
        assert len(table.equipment.stub) == 52


@pytest.mark.cites("28.7")
def test_the_stub_goes_to_the_rack_unseen_and_is_counted_every_fifth_round() -> None:
    """Unless a device shuffles the cards, and so counts them."""
    seats = {"1": {"wagers": staked(), "moves": ["fold"]}}
    hand = {"draws": ["2h", "Qs", "3d", "Qc"], "seats": seats}
    counted = ("The dealer counts the stub face down", after("13:69F-40.7(f)", "28.7"))
    shoe, packets = after("13:69F-40.7(e)", "28.7"), after("19:47-20.9(d)", "28.9")
    for options, rounds, cite in ((BY_HAND, [4, 9], shoe), ({}, [], packets)):
        put_away = ("The stub goes to the discard rack, unseen", cite)
        told = run({"game": ID, "options": options, "rounds": [hand] * 10})
        steps = [[(e["text"], cited(e)) for e in told.events("step", at)] for at in range(10)]
        assert [at for at in range(10) if counted in steps[at]] == rounds
        assert all(put_away in each for each in steps)


# The wagers.


@pytest.mark.cites("28.1", "28.6")
def test_only_the_wagers_of_the_rule_are_permitted() -> None:
    assert [wager.id for wager in GAME.wagers] == ["bonus", "ante", "flop", "turn", "river"]
    refusal = turned_away(Table(GAME), "blind")
    says(refusal, Fault.UNKNOWN_WAGER, "has no wager 'blind'", "28.1 (customary)")


@pytest.mark.cites("28.6")
def test_the_bonus_is_wagered_together_with_an_ante_in_any_amount() -> None:
    table = Table(GAME)
    words = "bonus is made together with the ante wager"
    says(turned_away(table, "bonus"), Fault.NO_SUPPORT, words, WAGERS)

    table.bet("1", "ante", 1000)
    for amount in (500, 777, 500_000):
        table.bet("1", "bonus", amount)


@pytest.mark.cites("28.6")
def test_given_a_bonus_whose_ante_was_taken_down_then_no_card_is_dealt() -> None:
    with pytest.raises(Refusal) as caught:
        run({"game": ID, "draws": [], "seats": {"1": {"wagers": {"bonus": 1000}}}})

    assert caught.value.fault is Fault.NO_SUPPORT


@pytest.mark.cites("28.6")
def test_a_table_may_do_without_the_bonus() -> None:
    table = Table(GAME, {"bonus_offered": False})
    table.bet("1", "ante", 1000)

    words = "Bonus (bonus) is not offered at this table"
    says(turned_away(table, "bonus"), Fault.NOT_OFFERED, words, "28.6 (customary)")


@pytest.mark.cites("28.6", "28.10")
@pytest.mark.parametrize("label", ["flop", "turn", "river"])
def test_the_other_wagers_are_made_in_the_course_of_the_round(label: str) -> None:
    table = opened()

    says(turned_away(table, label), Fault.NOT_NOW, "in the course of the round", TERMS)


@pytest.mark.cites("28.6")
def test_no_ante_is_made_after_no_more_bets() -> None:
    table = opened()
    answered(table, "Ah")

    refusal = turned_away(table, "ante", 2000)

    says(refusal, Fault.NO_MORE_BETS, "No more bets", after("13:69F-40.6(b)", "28.6"))


@pytest.mark.cites("28.6")
def test_posted_limits_hold() -> None:
    table = Table(GAME, {"table_min": 1000, "table_max": 5000})

    assert turned_away(table, "ante", 999).fault is Fault.BELOW_MINIMUM
    assert turned_away(table, "ante", 5001).fault is Fault.ABOVE_MAXIMUM


@pytest.mark.cites("28.13")
def test_a_player_has_one_position() -> None:
    seats = {seat: {"player": "Ann", "wagers": staked(), "moves": ["fold"]} for seat in ("2", "3")}

    refusal = refused(ID, PACK[:6], seats=seats)

    says(refusal, Fault.NOT_NOW, "a player may wager on one position here", "28.13 (customary)")
    assert unlawful(ID, {"positions_per_player": 2}) == [
        ("positions_per_player", "28.13 (customary)")
    ]


# The deal.


def two_seats(method: str, board: str = DULL, moves: Sequence[Any] = ALL_IN, **others: Any) -> Told:
    """Seat 2 has Ah Ad, seat 5 Kh Kd and the dealer Qs Qc, however they are dealt."""
    by_hand = ["Ah", "Ad", "Kh", "Kd", "Qs", "Qc"]
    laps = [by_hand[at] for at in (0, 2, 4, 1, 3, 5)]
    draws = by_hand if method == "automated_shoe" else laps
    options = {"deal_method": method, **others.pop("options", {})}
    seats = {seat: {"wagers": staked(500), "moves": list(moves)} for seat in ("5", "2")}
    draws = [*draws, *burnt_between(board.split(), by_hand)]
    return deal(ID, draws, seats=seats, options=options, **others)


LAPS = ["2", "5", "dealer"] * 2
PACKETS = ["2", "2", "5", "5", "dealer", "dealer"]


@pytest.mark.cites("28.7", "28.8", "28.9")
@pytest.mark.parametrize(
    ("method", "order", "rule", "announced"),
    [
        ("manual_shoe", LAPS, after("13:69F-40.7(d)", "28.7"), after("13:69F-40.7(b)", "28.7")),
        ("hand", LAPS, after("13:69F-40.8(c)", "28.8"), after("13:69F-40.8(b)3", "28.8")),
        ("automated_shoe", PACKETS, after("13:69F-40.9(c)", "28.9"),
         after("13:69F-40.9(b)2", "28.9")),
    ],
)  # fmt: skip
def test_two_cards_go_to_each_player_from_the_dealers_left_and_to_the_dealer(
    method: str, order: list[str], rule: str, announced: str
) -> None:
    told = two_seats(method)

    assert places(told)[:6] == order
    assert all(card["face_down"] for card in told.events("draw")[:6])
    assert [cited(each) for each in told.events("announce") if each["text"] == "No more bets"] == [
        announced
    ]
    assert rule in [rule for _, rule in done(told)]
    assert told.net("2") == 1000 * 4 + 30 * 500  # aces beat queens; no flush, so the ante is back
    assert told.net("5") == 1000 * 4 + 10 * 500


@pytest.mark.cites("28.10")
def test_a_card_is_burnt_before_flop_turn_and_river() -> None:
    told = dealt("Ah Ad", "Qs Qc")

    assert places(told)[4:] == ["burn", *["board"] * 3, "burn", "board", "burn", "board"]
    assert done(told).count(("One card is burnt", after("58 Pa. Code 647a.1", "28.10"))) == 3
    shown = [card.get("outcome") for card in told.events("draw") if card["to"] == "board"]
    assert shown == DULL.split()


@pytest.mark.cites("28.8")
def test_cards_are_dealt_from_the_hand_only_if_a_device_shuffles_them() -> None:
    assert unlawful(ID, {"deal_method": "hand", "automated_shuffler": False}) == [
        ("deal_method", after("13:69F-40.8(b)1", "28.8"))
    ]


@pytest.mark.cites("28.7")
def test_nobody_sees_the_cards_of_another_nor_what_is_burnt() -> None:
    table = opened(seats="12")
    answered(table, "Ah", "Ad", "Kh", "Kd", "Qs", "Qc", "bet", "bet", "2c", "3c")

    for seat, own in (("1", ["Ah", "Ad"]), ("2", ["Kh", "Kd"]), (None, [])):
        seen = [e["outcome"] for e in table.view(seat)["events"] if "outcome" in e]
        assert seen == [*own, "3c"]


@pytest.mark.cites("28.7")
@pytest.mark.parametrize(
    ("draws", "fault", "words"),
    [
        (["Ah", "Ah"], Fault.IMPOSSIBLE_OUTCOME, "no ace of hearts (Ah) is left in the pack"),
        (["Ah", "1h"], Fault.IMPOSSIBLE_OUTCOME, "'1h' is not a card"),
        (["Ah", "Ad", "Qs"], Fault.BAD_SCRIPT, "gives 3 draws and needs at least 9 more"),
        (
            cards("Ah Ad", "Qs Qc")[:-1],
            Fault.BAD_SCRIPT,
            "gives 11 draws and needs at least 1 more",
        ),
    ],
)
def test_a_script_that_could_not_be_dealt_is_refused(
    draws: list[str], fault: Fault, words: str
) -> None:
    refusal = cannot(draws)

    assert refusal.fault is fault
    assert words in refusal.message


# The decisions.


def at_decision(number: int, options: Mapping[str, Any] | None = None) -> Play:
    """Seat 1 is asked for its first, second or third decision."""
    draws = cards("Ah Ad", "Qs Qc")
    answers = [*draws[:4], "bet", *draws[4:8], "check", *draws[8:10]]
    play = answered(opened(options), *answers[: (4, 9, 12)[number - 1]])
    while isinstance(play.request, Inspect):
        play.answer(None)
    assert isinstance(play.request, Ask)
    return play


@pytest.mark.cites("28.10")
@pytest.mark.parametrize(
    ("number", "moves", "default"),
    [(1, ["fold", "bet"], "fold"), (2, ["check", "bet"], "check"), (3, ["check", "bet"], "check")],
)
def test_a_player_folds_or_bets_before_the_flop_and_then_checks_or_bets(
    number: int, moves: list[str], default: str
) -> None:
    request = at_decision(number).request

    assert isinstance(request, Ask)
    assert [move.name for move in request.moves] == moves
    assert (request.default, request.offer) == (default, False)
    assert str(request.cite) == f"19:47-{TERMS}"


@pytest.mark.cites("28.10")
@pytest.mark.parametrize(
    ("number", "move"),
    [
        (1, "check"), (1, {"bet": 1000}), (1, {"bet": 3000}), (1, {"bet": 0}), (1, "raise"),
        (2, "fold"), (2, {"bet": 2000}), (2, {"bet": 500}), (2, None),
        (3, "fold"), (3, {"bet": 999}), (3, {"bet": 1001}), (3, {"check": 1000}),
    ],
)  # fmt: skip
def test_any_other_move_or_amount_is_refused(number: int, move: Any) -> None:
    refusal = not_answered(at_decision(number), move)

    says(refusal, Fault.ILLEGAL_MOVE, "seat 1 may", TERMS)


@pytest.mark.cites("28.10")
@pytest.mark.parametrize("multiple", [2, 1])
def test_the_flop_wager_is_twice_the_ante_or_once_where_the_stakes_are_limited(
    multiple: int,
) -> None:
    moves = [{"bet": 1000 * multiple}, "check", "check"]

    told = dealt("Ah Ad", "Qs Qc", moves=moves, options={"flop_multiple": multiple})

    assert told.settled("flop")["stake"] == told.net() == 1000 * multiple
    refusal = not_answered(
        at_decision(1, {"flop_multiple": multiple}), {"bet": 3000 - 1000 * multiple}
    )
    says(refusal, Fault.ILLEGAL_MOVE, f"bet ({1000 * multiple} cents)", TERMS)


@pytest.mark.cites("28.6")
def test_no_other_multiple_is_permitted() -> None:
    assert unlawful(ID, {"flop_multiple": 3}) == [("flop_multiple", WAGERS)]


@pytest.mark.cites("28.10")
@pytest.mark.parametrize("turn", ["check", "bet"])
@pytest.mark.parametrize("river", ["check", "bet"])
def test_turn_and_river_wagers_are_one_ante_each_and_independent(turn: str, river: str) -> None:
    told = dealt("Ah Ad", "Qs Qc", moves=["bet", turn, river])

    stakes = {each["wager"]: each["stake"] for each in told.rounds[0]["settlements"]}
    made = {"turn": 1000} if turn == "bet" else {}
    made |= {"river": 1000} if river == "bet" else {}
    assert stakes == {"ante": 1000, "flop": 2000, **made}


@pytest.mark.cites("28.10")
def test_there_is_no_wager_after_the_river() -> None:
    refusal = cannot(cards("Ah Ad", "Qs Qc"), moves=["bet", "bet", "bet", "bet"])

    says(refusal, Fault.BAD_SCRIPT, "was never asked for its move 'bet'", "28.1 (customary)")


@pytest.mark.cites("28.10")
def test_players_decide_from_the_dealers_left() -> None:
    told = two_seats("automated_shoe", moves=["bet", "check", "bet"])

    assert [asked["seat"] for asked in told.events("decision")] == ["2", "5"] * 3


# Folding.


@pytest.mark.cites("28.10")
def test_who_folds_loses_the_ante_and_no_more_cards_are_dealt_for_nobody() -> None:
    told = folded("2h 7c", "Qs Qc")

    assert told.result("ante") == ("lose", -1000)
    assert cited(told.settled("ante")) == TERMS
    assert len(told.events("draw")) == 4
    assert told.events("reveal") == []


@pytest.mark.cites("28.10")
@pytest.mark.parametrize(("option", "result"), [("live", ("win", 1500)), ("lost", ("lose", -500))])
def test_given_a_fold_then_the_bonus_stays_or_is_lost_as_the_licensee_chooses(
    option: str, result: tuple[str, int]
) -> None:
    told = folded("2h 2d", "Qs Qc", bonus=500, options={"bonus_after_fold": option})

    assert told.result("bonus") == result
    assert told.result("ante") == ("lose", -1000)
    revealed = [event["hand"] for event in told.events("reveal")]
    assert revealed == (["dealer", "1"] if option == "live" else [])
    assert told.said() == ["No more bets"]  # two cards make no hand to be called


@pytest.mark.cites("28.10")
def test_given_a_fold_then_a_bonus_that_the_cards_do_not_earn_is_lost_at_the_end() -> None:
    assert folded("2h 7c", "Qs Qc", bonus=500).result("bonus") == ("lose", -500)


@pytest.mark.cites("28.10")
def test_given_a_fold_then_aces_against_aces_are_still_paid() -> None:
    told = folded("Ah Ad", "As Ac", bonus=500)

    assert told.result("bonus") == ("win", 500_000)


@pytest.mark.cites("28.10")
def test_given_a_fold_then_the_others_play_on_and_the_folded_hand_is_not_compared() -> None:
    seats = {
        "1": {"wagers": staked(500), "moves": ["fold"]},
        "2": {"wagers": staked(), "moves": ["bet", "check", "check"]},
    }
    hands = ["3h", "3d", "Ah", "Ad", "Qs", "Qc"]

    told = deal(ID, [*hands, *burnt_between(DULL.split(), hands)], seats=seats)

    assert told.net("1") == -1000 + 3 * 500
    assert told.net("2") == 2000
    called = [said.partition(",")[0] for said in told.said()]
    assert called == ["No more bets", "Dealer has pair", "Seat 2 has pair"]


@pytest.mark.cites("28.10")
def test_a_folded_hand_without_a_bonus_is_picked_up_at_once_unseen() -> None:
    table = opened(seats="12")

    answered(table, *"3h 3d Ah Ad Qs Qc".split(), "fold")

    assert list(map(str, table.equipment.discard_rack)) == ["3h", "3d"]


# The settlement.


@pytest.mark.cites("28.10")
@pytest.mark.parametrize(
    ("player", "dealer", "board", "ante", "others"),
    [
        ("Ah 4h", "Qs Qc", "2h 7h 9h 3s Jd", ("win", 1000), "win"),
        ("Ah Ad", "Qs Qc", DULL, ("push", 0), "win"),
        ("Th 8d", "Qs Qc", DULL, ("push", 0), "win"),
        ("4h 5d", "6s 8c", "Ah Kh Qd Jc Ts", ("push", 0), "push"),
        ("4h 5h", "6s 8c", "Ah Kh Qh Jh Th", ("push", 0), "push"),
        ("Qs Qc", "Ah Ad", DULL, ("lose", -1000), "lose"),
        ("4h 5h", "Ah 2h", "9h Kh 7h 3s Jd", ("lose", -1000), "lose"),
    ],
    ids=["flush", "pair", "straight", "board", "royal board", "lower", "lower flush"],
)
def test_the_higher_hand_wins_and_an_ante_only_with_a_flush_or_better(
    player: str, dealer: str, board: str, ante: tuple[str, int], others: str
) -> None:
    told = dealt(player, dealer, board)

    assert told.result("ante") == ante
    for label, stake in (("flop", 2000), ("turn", 1000), ("river", 1000)):
        net = {"win": stake, "push": 0, "lose": -stake}[others]
        assert told.result(label) == (others, net)


BOARDS = {  # for every hand the cards that make it, against a dealer of 2s 3d
    "high_card": ("Ah Kd", "Qc Js 9h 8d 6c"),
    "pair": ("Ah Ad", "Qc Js 9h 8d 6c"),
    "two_pairs": ("Ah Qd", "Qc As 9h 8d 6c"),
    "three_of_a_kind": ("Qh Qd", "Qc Js 9h 8d 6c"),
    "straight": ("Kh Td", "Qc Js 9h 8d 6c"),
    "flush": ("Kh Th", "Qh Js 9h 8d 6h"),
    "full_house": ("Qh Qd", "Qc Js Jh 8d 6c"),
    "four_of_a_kind": ("Qh Qd", "Qc Qs 9h 8d 6c"),
    "straight_flush": ("Kh Th", "Qh Jh 9h 8d 6c"),
    "royal_flush": ("Ah Kh", "Qh Jh Th 8d 6c"),
}


@pytest.mark.cites("28.5", "28.11")
@pytest.mark.parametrize("least", ["flush", "straight"])
@pytest.mark.parametrize("category", BOARDS)
def test_the_least_hand_with_which_an_ante_wins(category: str, least: str) -> None:
    player, board = BOARDS[category]

    told = dealt(player, "2s 3d", board, options={"ante_pays_from": least})

    settled = told.settled("ante")
    paid = list(BOARDS).index(category) >= list(BOARDS).index(least)
    assert (settled["result"], settled["net"]) == (("win", 1000) if paid else ("push", 0))
    assert settled["line"] == ("win" if paid else f"below_a_{least}")
    assert told.result("flop") == ("win", 2000)
    assert category.replace("_", " ") in told.said()[-1]


@pytest.mark.cites("28.5")
@pytest.mark.parametrize(
    ("higher", "lower", "board"),
    [
        ("Ah 2d", "Kh Qd", "3c 4s 5h Jd 9c"),  # five high is a straight
        ("Kh Kd", "Qh 3s", "Ac 2s 7h 8d Tc"),  # no straight from queen over ace to three
        ("Ah 5d", "Kh 6s", "9c 9s 7h 2d Jc"),  # a kicker
        ("3h 3d", "Ah Ks", "9c 8s 7h 2d Jc"),  # the made part comes before a kicker
        ("Kh 2h", "Qh Jh", "9h 8h 3h 2d Kc"),  # a flush by its highest card
    ],
)
def test_hands_rank_by_what_they_make_and_then_by_their_kickers(
    higher: str, lower: str, board: str
) -> None:
    assert dealt(higher, lower, board).result("flop") == ("win", 2000)
    assert dealt(lower, higher, board).result("flop") == ("lose", -2000)


@pytest.mark.cites("28.10")
def test_the_dealer_needs_no_qualifying_hand() -> None:
    """King, jack and nine on the board: an eight beats a seven, and is paid."""
    told = dealt("8h 2d", "7h 2s", "3c 4s Jh 9d Kc")

    assert told.result("flop") == ("win", 2000)
    assert "does not qualify" not in "".join(told.said())


@pytest.mark.cites("28.10")
def test_hands_are_settled_from_the_dealers_right_and_the_bonus_first() -> None:
    told = two_seats("automated_shoe", board="2h 7h 9h 3h Jd")

    order = [(each["seat"], each["wager"]) for each in told.rounds[0]["settlements"]]
    assert order == [*product("5", WAGER_IDS), *product("2", WAGER_IDS)]
    assert [seat for seat, _, _ in moved(told, "pay")] == ["5"] * 5 + ["2"] * 5
    assert [event["hand"] for event in told.events("reveal")] == ["dealer", "5", "2"]


WAGER_IDS = ["bonus", "ante", "flop", "turn", "river"]


@pytest.mark.cites("28.11")
@pytest.mark.parametrize(
    ("player", "dealer", "line", "pays"),
    [
        ("Ah Ad", "As Ac", "aces_against_aces", 1000),
        ("Ah Ad", "As Qc", "aces", 30),
        ("Ah Kh", "As Ac", "ace_king_suited", 25),
        ("Kd Ad", "Qs Qc", "ace_king_suited", 25),
        ("Ah Qh", "Qs Qc", "ace_queen_or_jack_suited", 20),
        ("Jc Ac", "Qs Qh", "ace_queen_or_jack_suited", 20),
        ("Ah Kd", "Qs Qc", "ace_king", 15),
        ("Kh Kd", "Qs Qc", "kings_to_jacks", 10),
        ("Qh Qd", "Qs Qc", "kings_to_jacks", 10),
        ("Jh Jc", "Qs Qc", "kings_to_jacks", 10),
        ("Ah Qd", "Qs Qc", "ace_queen_or_jack", 5),
        ("Jh Ad", "Qs Qc", "ace_queen_or_jack", 5),
        ("Th Tc", "Qs Qc", "tens_to_twos", 3),
        ("2h 2d", "Qs Qc", "tens_to_twos", 3),
    ],
)
def test_the_bonus_is_paid_once_on_the_highest_line(
    player: str, dealer: str, line: str, pays: int
) -> None:
    told = folded(player, dealer, bonus=500)

    settled = told.settled("bonus")
    assert (settled["line"], settled["net"]) == (line, pays * 500)
    assert cited(settled) == PAYS


@pytest.mark.cites("28.11")
@pytest.mark.parametrize("player", ["Ah Th", "Kh Qh", "Ad 2d", "Kh Jd", "7h 2c"])
def test_other_hole_cards_lose_the_bonus_whatever_the_hand_becomes(player: str) -> None:
    assert folded(player, "Qs Qc", bonus=500).result("bonus") == ("lose", -500)


@pytest.mark.cites("28.11")
def test_the_bonus_does_not_depend_on_the_rest_of_the_round() -> None:
    told = dealt("2h 2d", "Qs Qc", "3c 7d 9h Ts Jd", bonus=500)

    assert told.result("bonus") == ("win", 1500)
    assert told.net() == 1500 - 5000


@pytest.mark.cites("28.11")
def test_a_table_may_pay_better_and_not_worse() -> None:
    better = {"higher_odds": {"bonus.aces": "40 to 1"}}
    assert folded("Ah Ad", "Qs Qc", bonus=500, options=better).result("bonus") == ("win", 20_000)

    for worse in ({"ante": "1 to 2"}, {"flop": "9 to 10"}, {"bonus.aces": "29 to 1"}):
        assert unlawful(ID, {"higher_odds": worse}) == [("higher_odds", PAYS)]


@pytest.mark.cites("28.11")
@pytest.mark.parametrize(
    ("option", "cite"),
    [
        ("ante_pays_from", PAYS), ("bonus_offered", "28.6 (customary)"),
        ("bonus_after_fold", "28.10 (customary)"), ("deal_method", "28.7 (customary)"),
        ("automated_shuffler", "28.8 (customary)"),
    ],
)  # fmt: skip
def test_an_option_takes_only_its_own_values(option: str, cite: str) -> None:
    assert unlawful(ID, {option: "otherwise"}) == [(option, cite)]


ranks_and_suits = st.permutations(deck()).map(lambda shuffled: shuffled[:9])


@pytest.mark.cites("28.5", "28.10")
@given(drawn=ranks_and_suits, turn=st.booleans(), river=st.booleans())
def test_whatever_the_cards_a_player_gets_what_the_matrix_says(
    drawn: list[Any], turn: bool, river: bool
) -> None:
    player, dealer, board = drawn[:2], drawn[2:4], drawn[4:]
    mine, theirs = rank([*player, *board]), rank([*dealer, *board])
    flushes = ("flush", "full_house", "four_of_a_kind", "straight_flush", "royal_flush")
    ante = mine.category in flushes if mine > theirs else -(mine < theirs)
    sign = (mine > theirs) - (mine < theirs)

    moves = ["bet", "bet" if turn else "check", "bet" if river else "check"]
    told = dealt(text(player), text(dealer), text(board), moves)

    assert told.net() == 1000 * ante + sign * 1000 * (2 + turn + river)


# Irregularities. Cards 1 and 2 are the player's, 3 and 4 the dealer's, 5 is burnt, 6 to 8 are
# the flop, 9 is burnt, 10 is the turn, 11 is burnt, and 12 is the river.

FLOP, TURN, RIVER, END = 5, 9, 11, 13
WON = 4000  # aces against queens: flop, turn and river wagers


def asked_by(draw: int) -> Sequence[str]:
    """What seat 1 has decided when this card is due."""
    return ALL_IN[: sum(draw >= first for first in (FLOP, TURN, RIVER))]


def void_at(draw: int, kind: str, bonus: int = 0) -> Told:
    told = deal(
        ID, cards("Ah Ad", "Qs Qc"), staked(bonus), moves=asked_by(draw), **before(draw, kind)
    )
    assert told.rounds[0]["void"]
    assert {settled["result"] for settled in told.rounds[0]["settlements"]} == {"void"}
    assert told.net() == 0
    return told


@pytest.mark.cites("28.12")
@pytest.mark.parametrize("draw", range(1, END))
def test_given_a_card_face_up_in_the_pack_then_it_is_not_used(draw: int) -> None:
    table, draws = opened(), iter(cards("Ah Ad", "Qs Qc"))
    play, due = Play(table), 0
    while play.request is not None:
        if isinstance(play.request, Draw):
            due += 1
            if due == draw:
                play.answer({"irregularity": "card_face_up"})
                play.answer("Ks")
                assert list(map(str, table.equipment.discard_rack)) == ["Ks"]
            play.answer(next(draws))
        else:
            play.answer("bet" if isinstance(play.request, Ask) else None)

    (told,) = [event.as_json() for event in table.events if event.kind == "irregularity"]
    resolution = "It is not used, and goes to the discard rack; a second one voids the round"
    assert (told["resolution"], cited(told)) == (resolution, after("13:69F-40.12(b)"))
    assert table.money["1"] == WON


@pytest.mark.cites("28.12")
def test_given_a_second_card_face_up_then_the_round_is_void() -> None:
    draws = ["Ah", "Ks", "Ad", "Kd", "Qs", "Qc"]
    reports = [{"before_draw": at, "kind": "card_face_up"} for at in (2, 4)]

    told = deal(ID, draws[:4], staked(500), irregularities=reports)

    assert told.rounds[0]["void"]
    assert told.result("ante") == told.result("bonus") == ("void", 0)


@pytest.mark.cites("28.12")
@pytest.mark.parametrize("draw", range(1, END))
def test_given_two_cards_face_up_at_once_then_the_round_is_void(draw: int) -> None:
    assert mishap(void_at(draw, "cards_face_up"))[1] == after("13:69F-40.12(b)")


@pytest.mark.cites("28.12")
@pytest.mark.parametrize("draw", [1, 4, 5, 8, 12])
def test_given_an_unseen_card_drawn_in_error_then_it_is_the_next_card(draw: int) -> None:
    told = dealt("Ah Ad", "Qs Qc", **before(draw, "card_drawn_in_error"))

    assert mishap(told) == ("It is used as the next card", after("13:69F-40.12(c)"))
    assert told.net() == WON


@pytest.mark.cites("28.12")
@pytest.mark.parametrize("kind", ["card_face_up", "cards_face_up", "card_drawn_in_error"])
def test_no_such_thing_happens_when_no_card_is_due(kind: str) -> None:
    refusal = cannot(cards("Ah Ad", "Qs Qc"), **before(END, kind))

    assert refusal.fault is Fault.NOT_NOW
    assert "no card is due" in refusal.message


@pytest.mark.cites("28.12")
@pytest.mark.parametrize(("draw", "moves"), [(3, 0), (7, 1), (8, 1), (11, 2), (13, 3), (15, 3)])
def test_given_a_player_with_a_wrong_number_of_cards_then_only_his_hand_is_void(
    draw: int, moves: int
) -> None:
    """Seat 1 gets its wagers back; seat 2 goes on."""
    hands = ["3h", "3d", "Ah", "Ad", "Qs", "Qc"]
    seats = {
        "1": {"wagers": staked(500), "moves": list(ALL_IN[:moves])},
        "2": {"wagers": staked(500), "moves": list(ALL_IN)},
    }

    told = deal(
        ID, [*hands, *burnt_between(DULL.split(), hands)], seats=seats,
        **before(draw, "wrong_number_of_cards", seat="1"),
    )  # fmt: skip

    assert mishap(told) == ("His hand is void; the others go on", after("13:69F-40.12(d)"))
    assert {s["result"] for s in told.rounds[0]["settlements"] if s["seat"] == "1"} == {"void"}
    assert told.net("1") == 0
    assert told.net("2") == WON + 30 * 500


@pytest.mark.cites("28.12")
def test_given_the_only_hand_is_void_then_no_community_card_is_dealt() -> None:
    told = deal(
        ID, ["Ah", "Ad", "Qs", "Qc"], staked(), **before(4, "wrong_number_of_cards", seat="1")
    )

    assert told.result("ante") == ("void", 0)
    assert not told.rounds[0]["void"]
    assert places(told) == ["1", "1", "dealer", "dealer"]
    assert told.events("reveal") == []


@pytest.mark.cites("28.12")
def test_given_a_dealer_with_too_few_cards_then_he_completes_his_hand_in_sequence() -> None:
    told = dealt("Ah Ad", "Qs Qc", **before(4, "dealer_wrong_number_of_cards"))

    resolution = "He completes his hand with the next cards in sequence"
    assert mishap(told) == (resolution, after("13:69F-40.12(d)"))
    assert told.net() == WON


@pytest.mark.cites("28.12")
@pytest.mark.parametrize(
    ("kind", "draw", "sister", "section"),
    [
        ("dealer_wrong_number_exposed", 4, "13:69F-40.12(d)", "28.12"),
        ("dealer_wrong_number_exposed", END, "13:69F-40.12(d)", "28.12"),
        ("dealer_card_exposed", 4, "13:69F-40.12(a) and 19:47-20.12(d)", "28.12"),
        ("dealer_card_exposed", FLOP, "13:69F-40.12(a) and 19:47-20.12(d)", "28.12"),
        ("dealer_card_exposed", RIVER, "13:69F-40.12(a) and 19:47-20.12(d)", "28.12"),
        ("dealer_card_exposed", END, "13:69F-40.12(a) and 19:47-20.12(d)", "28.12"),
        ("dealing_shoe_jams", 2, "13:69F-40.12(f)", "28.12"),
        ("dealing_shoe_jams", TURN, "13:69F-40.12(f)", "28.12"),
        ("stub_count_misdeal", END, "13:69F-40.7(f)2", "28.7"),
        ("stub_count_wrong", END, "13:69F-40.7(f)2", "28.7"),
    ],
)
def test_some_things_void_the_round(kind: str, draw: int, sister: str, section: str) -> None:
    assert mishap(void_at(draw, kind, bonus=500))[1] == after(sister, section)


@pytest.mark.cites("28.12")
def test_given_a_dealer_card_exposed_between_two_decisions_then_the_round_is_void() -> None:
    table = opened(seats="12")

    answered(table, *"3h 3d Ah Ad Qs Qc".split(), "bet", {"irregularity": "dealer_card_exposed"})

    assert table.is_void
    assert table.bets == {}
    assert table.money["1"] == table.money["2"] == 0


@pytest.mark.cites("28.12")
def test_given_a_void_round_then_what_a_fold_had_lost_is_returned_too() -> None:
    seats = {
        "1": {"wagers": staked(), "moves": ["fold"]}, "2": {"wagers": staked(), "moves": ["bet"]},
    }  # fmt: skip
    draws = "3h 3d Ah Ad Qs Qc 2c".split()

    told = deal(ID, draws, seats=seats, **before(8, "community_card_exposed"))

    assert [told.net(seat) for seat in "12"] == [0, 0]
    assert told.result("ante", "1") == told.result("flop", "2") == ("void", 0)


@pytest.mark.cites("28.12")
@pytest.mark.parametrize("draw", [2, 4, FLOP, 7, TURN, 10])
def test_given_a_community_card_shown_too_early_then_the_round_is_void(draw: int) -> None:
    told = void_at(draw, "community_card_exposed")

    assert mishap(told) == ("All hands are void", "28.12 (customary)")


@pytest.mark.cites("28.12")
@pytest.mark.parametrize(
    ("kind", "draw", "words"),
    [
        ("community_card_exposed", RIVER, "every player has decided"),
        ("dealer_card_exposed", 3, "the dealer has no cards yet"),
        ("dealer_wrong_number_of_cards", 3, "the dealer has no cards yet"),
        ("dealer_wrong_number_exposed", 2, "the dealer has no cards yet"),
        ("wrong_number_of_cards", 1, "there is no such seat"),
        ("player_exposes_cards", 1, "there is no such seat"),
        ("stub_count_misdeal", 12, "the stub is counted when the cards are dealt"),
        ("shuffler_jams", 2, "cards have been dealt"),
        ("shuffler_count_wrong", 5, "cards have been dealt"),
        ("improper_cut", 1, "a device shuffles the cards"),
    ],
)
def test_what_cannot_have_happened_is_refused(kind: str, draw: int, words: str) -> None:
    refusal = cannot(cards("Ah Ad", "Qs Qc"), **before(draw, kind))

    assert refusal.fault is Fault.NOT_NOW
    assert words in refusal.message


@pytest.mark.cites("28.12")
def test_once_the_dealer_has_revealed_his_hand_it_cannot_be_exposed() -> None:
    draws = cards("Ah Ad", "Qs Qc")
    moves = [*draws[:4], "bet", *draws[4:8], "bet", *draws[8:10], "bet", *draws[10:]]
    play = answered(opened(), *moves)
    while not play.table.state.revealed:
        play.answer(None)

    refusal = not_answered(play, {"irregularity": "dealer_card_exposed"})

    assert "the dealer has revealed his hand" in refusal.message


@pytest.mark.cites("28.12")
@pytest.mark.parametrize(
    ("kind", "draw", "sister", "section"),
    [
        ("shuffler_jams", 1, "13:69F-40.12(e)", "28.12"),
        ("shuffler_count_wrong", 1, "13:69F-40.7(g)", "28.7"),
        ("change_of_device", 1, "13:69F-40.12(g)", "28.12"),
        ("player_exposes_cards", 3, "19:47-33.12(h)", "28.12"),
        ("player_exposes_cards", END, "19:47-33.12(h)", "28.12"),
    ],
)
def test_some_things_are_set_right_and_the_round_goes_on(
    kind: str, draw: int, sister: str, section: str
) -> None:
    told = dealt("Ah Ad", "Qs Qc", **before(draw, kind))

    assert mishap(told)[1] == after(sister, section)
    assert told.net() == WON


@pytest.mark.cites("28.4")
def test_given_an_improper_cut_then_a_supervisor_has_the_cards_cut_again() -> None:
    draws = ["Ah", "Qs", "Ad", "Qc", *cards("Ah Ad", "Qs Qc")[4:]]

    told = deal(ID, draws, staked(), moves=ALL_IN, options=BY_HAND, **before(1, "improper_cut"))

    resolution = "A supervisor has the cards cut again"
    assert mishap(told) == (resolution, after("13:69F-40.4(d)", "28.4"))


@pytest.mark.cites("28.12")
def test_only_an_automated_shoe_jams() -> None:
    draws = ["Ah", "Qs", "Ad", "Qc", *cards("Ah Ad", "Qs Qc")[4:]]

    refusal = cannot(draws, options={"deal_method": "hand"}, **before(3, "dealing_shoe_jams"))

    assert "no automated shoe is used" in refusal.message


# What the bonus wager is worth.


def bonus_cases(options: Mapping[str, Any] | None = None, folds: Any = None) -> Any:
    """The cases of the bonus wager, and how each comes out."""
    table = GAME.options(options)
    wager = GAME.by_id["bonus"]
    for ways, outcome in GAME.side_cases("bonus", table, None, folds):
        yield ways, outcome, wager.decide(Case(outcome, None, table))


@pytest.mark.cites("28.11")
def test_the_bonus_is_worth_what_a_count_of_its_lines_says() -> None:
    """Two cards in 1,326 ways; that the dealer has aces too matters only to aces."""
    ways, dealers = Counter[str](), comb(50, 2)
    for often, _, decision in bonus_cases():
        ways[decision.line] += often

    counted = {
        "aces_against_aces": 6, "aces": 6 * (dealers - 1), "ace_king_suited": 4 * dealers,
        "ace_queen_or_jack_suited": 8 * dealers, "ace_king": 12 * dealers,
        "kings_to_jacks": 18 * dealers, "ace_queen_or_jack": 24 * dealers,
        "tens_to_twos": 54 * dealers,
    }  # fmt: skip
    assert ways == {**counted, "lose": 1326 * dealers - sum(counted.values())}
    pays = GAME.by_id["bonus"].pay_table(GAME.options())
    won = sum(often * pays[line].net for line, often in counted.items()) - ways["lose"]
    assert -Fraction(won, 1326 * dealers) == Fraction(13_873, 162_435)  # 8.54%


@pytest.mark.cites("28.11")
def test_the_table_pays_the_bonus_as_the_cases_do() -> None:
    """Every two cards against a dealer without aces, dealt as a round."""
    nets: Counter[int] = Counter()
    for first, second in combinations(PACK, 2):
        table = opened(bonus=500)
        dealer = [card for card in ("2c", "3c", "4c", "5c") if card not in (first, second)][:2]
        to_the_end(answered(table, first, second, *dealer, "fold"))
        nets[table.money["1"] + 1000] += 1

    wager, options = GAME.by_id["bonus"], GAME.options()
    assert nets == Counter(
        int(500 * wager.net(decision, options))
        for _, outcome, decision in bonus_cases()
        if not outcome.own.dealer_aces
    )


@pytest.mark.cites("28.10", "28.11")
def test_where_a_fold_loses_the_bonus_the_cases_say_which_hands_are_folded() -> None:
    """Cards are numbered rank by rank from the two of clubs: here 2-3 to 2-7 are folded."""

    def folds(numbers: Iterable[int]) -> bool:
        low, high = sorted(number // 4 + 2 for number in numbers)
        return low == 2 and 3 <= high <= 7

    lost = {"bonus_after_fold": "lost"}
    for _, outcome, decision in bonus_cases(lost, folds):
        hole = outcome.own
        assert outcome.folded == (hole.low == 2 and 3 <= hole.high <= 7)
        assert (decision.line == "folded") == outcome.folded
    assert not any(outcome.folded for _, outcome, _ in bonus_cases({}, folds))


@pytest.mark.cites("28.7")
def test_seven_players_take_less_than_half_of_the_pack() -> None:
    table, pack = opened(seats="1234567"), iter(PACK)
    play = Play(table)
    while play.request is not None:
        due = isinstance(play.request, Draw)
        play.answer("bet" if isinstance(play.request, Ask) else next(pack) if due else None)

    assert next(pack) == PACK[7 * 2 + 2 + 3 + 5]
    assert len(table.settlements) == 7 * 4
