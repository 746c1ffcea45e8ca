"""Premium hold 'em, N.J.A.C. 13:69F-40: three cards, four for all, and a wheel.

Where the text contradicts itself, a test says how it is read.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, product
from math import comb
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.equipment import deck
from croupier.games import find_game
from croupier.ranking import rank
from croupier.rulebook import LAYOUT, Ask, Case, Draw, Fault, Inspect, Play, Refusal, Table
from tests.support import Told, deal, not_answered, refused, run, turned_away, unlawful

ID = "premium-hold-em"
GAME: Any = find_game(ID)
PACK = [str(card) for card in deck()]
METHODS = ("manual_shoe", "hand", "automated_shoe")
BY_HAND = {"automated_shuffler": False, "deal_method": "manual_shoe"}
LAW = "13:69F-40."

DULL = "2c 7d 9h Js"  # community cards that help nobody much
EVEN = ",".join(["1"] * 12)
POSITIONS = [str(position) for position in range(1, 13)]


def text(cards: Iterable[Any]) -> str:
    return " ".join(map(str, cards))


def spare(used: Sequence[str], number: int = 2) -> list[str]:
    """Cards that nobody holds, to burn."""
    return [card for card in PACK if card not in used][:number]


def packets(board: str, others: Sequence[str]) -> list[str]:
    """The community cards as an automated shoe gives them: two packets, each with a burn card."""
    first, second = spare([*board.split(), *others])
    cards = board.split()
    return [*cards[:2], first, *cards[2:], second]


def cards(player: str, dealer: str, board: str = DULL) -> list[str]:
    """As they leave an automated shoe for seat 1 alone."""
    hands = [*player.split(), *dealer.split()]
    return [*hands, *packets(board, hands)]


def staked(**others: int) -> dict[str, int]:
    return {"ante": 1000, "xtra_bonus": 1000, **others}


def dealt(
    player: str, dealer: str, board: str = DULL, moves: Sequence[Any] = ("bet",),
    wagers: Mapping[str, int] | None = None, **others: Any,
) -> Told:  # fmt: skip
    """Ten dollars of seat 1, and ten on the X-tra bonus, against these cards."""
    return deal(ID, cards(player, dealer, board), wagers or staked(), moves=moves, **others)


def cannot(draws: Sequence[Any], moves: Sequence[Any] = ("bet",), **others: Any) -> Refusal:
    return refused(ID, draws, staked(), moves=moves, **others)


def opened(options: Mapping[str, Any] | None = None, seats: str = "1", **others: int) -> Table:
    """A table in play, with wagers at these seats."""
    table = Table(GAME, options)
    table.state = GAME.in_play(table.state)
    for seat in seats:
        for label, amount in staked(**others).items():
            table.bet(seat, label, amount)
    return table


def answered(table: Table, *answers: Any) -> Play:
    """Cards, moves and reports as they come; whenever it may be asked, nothing is irregular."""
    play = Play(table)
    for answer in answers:
        reports = isinstance(answer, dict) and "irregularity" in answer
        while isinstance(play.request, Inspect) and not reports:
            play.answer(None)
        play.answer(answer)
    return play


def to_the_end(play: Play) -> Table:
    while play.request is not None:
        play.answer(None)
    return play.table


def before(draw: int, kind: str, **about: str) -> dict[str, Any]:
    return {"irregularities": [{"before_draw": draw, "kind": kind, **about}]}


def says(refusal: Refusal, fault: Fault, words: str, cite: str) -> None:
    assert refusal.fault is fault
    assert words in refusal.message
    assert str(refusal.cite or "") == cite


def cited(told: Mapping[str, Any]) -> str:
    """The paragraph, without the subchapter."""
    return str(told.get("citation", "")).removeprefix(LAW)


def places(told: Told) -> list[str]:
    return [card["to"] for card in told.events("draw") if "to" in card]


def done(told: Told, round: int = -1) -> list[tuple[str, str]]:
    """The steps of a round, with their rules."""
    return [(step["text"], cited(step)) for step in told.events("step", round)]


def mishap(told: Told) -> tuple[str, str]:
    (event,) = told.events("irregularity")
    return event["resolution"], cited(event)


def wrong(options: Mapping[str, Any]) -> list[tuple[str, str]]:
    return [(option, cite.removeprefix(LAW)) for option, cite in unlawful(ID, options)]


# The table and the cards.


@pytest.mark.cites("13:69E-1.13Y(a)")
def test_there_is_room_for_six_players_at_most() -> None:
    assert Table(GAME).positions == list("123456")
    assert Table(GAME, {"max_players": 3}).positions == list("123")
    for players in (0, 7):
        assert unlawful(ID, {"max_players": players}) == [("max_players", "13:69E-1.13Y(a)")]
    assert (
        turned_away(Table(GAME, {"max_players": 3}), "ante", seat="4").fault is Fault.UNKNOWN_SEAT
    )


@pytest.mark.cites("13:69F-40.2(a)")
def test_one_pack_of_52_cards_without_jokers_is_used() -> None:
    assert Counter(map(str, Table(GAME).equipment.composition)) == Counter(PACK)
    refusal = cannot(["Jk", *cards("Ah Kd 4c", "Qs Qc 5d")[1:]])
    assert refusal.fault is Fault.IMPOSSIBLE_OUTCOME


@pytest.mark.cites("13:69F-40.2(b)")
@pytest.mark.parametrize(
    ("options", "packs"), [({}, [2, 1, 2]), ({"second_deck": False}, [1, 1, 1])]
)
def test_where_a_device_shuffles_two_packs_are_used_in_turn(
    options: dict[str, Any], packs: list[int]
) -> None:
    table, next_ones = opened(options, seats=""), []
    for _ in range(3):
        table.open_betting()
        for label, amount in staked().items():
            table.bet("1", label, amount)
        to_the_end(answered(table, *cards("Ah Kd 4c", "Qs Qc 5d"), "bet"))
        next_ones.append(table.state.pack)

    assert next_ones == packs


@pytest.mark.cites("13:69F-40.2(b)")
def test_without_such_a_device_there_is_no_second_pack() -> None:
    assert Table(GAME, BY_HAND).options.second_deck is False
    assert wrong({**BY_HAND, "second_deck": True}) == [("second_deck", "2(b)")]


# The opening, the shuffle and the cut.

BY_DEVICE = ("A device shuffles the cards", "4(a)")
SHUFFLED = ("The dealer shuffles the cards", "4(a)")
CUT = ("The dealer cuts the cards, at least 10 from the top", "4(c)")


@pytest.mark.cites("13:69F-40.3", "13:69F-40.4(a)", "13:69F-40.4(b)", "13:69F-40.4(c)")
@pytest.mark.parametrize(("options", "shuffle"), [({}, [BY_DEVICE]), (BY_HAND, [SHUFFLED, CUT])])
def test_the_cards_are_inspected_at_the_opening_and_shuffled_then_and_after_every_round(
    options: dict[str, Any], shuffle: list[tuple[str, str]]
) -> None:
    """Only a manual shuffle is followed by a cut."""
    table = Table(GAME, options)
    opening = [("The cards are inspected, spread face up and washed", "3")]
    for first in ([*opening, *shuffle], []):
        table.open_betting()
        for label, amount in staked().items():
            table.bet("1", label, amount)
        draws = cards("Ah Kd 4c", "Qs Qc 5d")[: 12 if not options else 10]
        to_the_end(answered(table, *draws, "bet"))

        found = [event for event in table.events if event.kind == "step"]
        steps = [(each.data["text"], str(each.cite).removeprefix(LAW)) for each in found]
        assert steps[: len(first)] == first
        assert steps[-len(shuffle) :] == shuffle
        assert len(table.equipment.stub) == 52


@pytest.mark.cites("13:69F-40.7(e)", "13:69F-40.7(f)", "13:69F-40.7(g)", "13:69F-40.8(e)")
@pytest.mark.parametrize(
    ("options", "rounds"),
    [(BY_HAND, [4, 9]), ({"deal_method": "manual_shoe"}, []), ({"deal_method": "hand"}, [])],
)
def test_the_stub_goes_to_the_rack_unseen_and_is_counted_every_fifth_round(
    options: dict[str, Any], rounds: list[int]
) -> None:
    """Unless a device shuffles the cards, and so counts them."""
    draws = "Ah Qs Kd Qc 4c 5d".split() + DULL.split()
    one = {"draws": draws, "seats": {"1": {"wagers": staked(), "moves": ["bet"]}}}

    told = run({"game": ID, "options": options, "rounds": [one] * 10})

    by_hand = options["deal_method"] == "hand"
    counted = ("The dealer counts the stub face down", "7(f)")
    put_away = ("The stub goes to the discard rack, unseen", "8(d)" if by_hand else "7(e)")
    assert [at for at in range(10) if counted in done(told, at)] == rounds
    assert all(put_away in done(told, at) for at in range(10))


@pytest.mark.cites("13:69F-40.4(d)")
def test_given_an_improper_cut_then_a_supervisor_has_the_cards_cut_again() -> None:
    draws = "Ah Qs Kd Qc 4c 5d".split() + DULL.split()

    told = deal(ID, draws, staked(), moves=["bet"], options=BY_HAND, **before(1, "improper_cut"))

    assert mishap(told) == ("A supervisor has the cards cut again", "4(d)")
    late = cannot(draws, options=BY_HAND, **before(2, "improper_cut"))
    says(late, Fault.NOT_NOW, "cards have been dealt", f"{LAW}4(d)")


# The ranking of hands.


@pytest.mark.cites("13:69F-40.5(a)", "13:69F-40.5(b)", "13:69F-40.5(c)")
@pytest.mark.parametrize(
    ("higher", "lower", "board"),
    [
        ("Ah Kh 2c", "9h 8h 2d", "Qh Jh Th 3s"),  # a royal flush is above a straight flush
        ("9h 8h 2d", "Kd Kc Ks", "Qh Jh Th Kh"),  # and that above four of a kind
        ("Ah 2d 8c", "Kh Kd 7c", "3c 4s 5h Jd"),  # an ace may begin a straight
        ("Kh Kd 4c", "Qh 3s 5c", "Ac 2s 7h 8d"),  # and is not in the middle of one
        ("4h 4d Kc", "3h 3d As", "9c 8s 2h Jd"),  # fours are above threes, whatever lies beside
        ("3h 3d Ac", "3c 3s Kd", "9c 8s 2h Jd"),  # equal pairs go by the next card
        ("Th 9d 8d", "9c 8h 2d", "7c 6s 2h Kd"),  # a straight by its highest card
    ],
)
def test_hands_rank_by_what_they_make_and_then_by_their_kickers(
    higher: str, lower: str, board: str
) -> None:
    assert dealt(higher, lower, board).result("play") == ("win", 3000)
    assert dealt(lower, higher, board).result("play") == ("lose", -3000)


@pytest.mark.cites("13:69F-40.1", "13:69F-40.10(f)")
def test_the_best_five_of_seven_cards_play_and_one_own_card_always_does() -> None:
    """There are only four community cards, so the rule of one hole card asks for nothing."""
    told = dealt("Kh 3d 2d", "4s 5c 6d", "As Qh Jd Tc")

    assert [said for said in told.said() if said.startswith("Seat 1")] == [
        "Seat 1 has straight, ace high"
    ]


# The wagers.


@pytest.mark.cites("13:69F-40.1", "13:69F-40.10(a)")
def test_only_the_wagers_of_the_rule_are_permitted() -> None:
    ids = ["dealer_bonus", "player_bonus", "ante", "play", "xtra_bonus", "bonus_spin"]
    assert [wager.id for wager in GAME.wagers] == ids
    says(turned_away(Table(GAME), "trips"), Fault.UNKNOWN_WAGER, "has no wager", f"{LAW}1")


@pytest.mark.cites("13:69F-40.1", "13:69F-40.10(a)")
@pytest.mark.parametrize("amount", [500, 999, 1001, 2000])
def test_the_xtra_bonus_wager_equals_the_ante(amount: int) -> None:
    table = Table(GAME)
    table.bet("1", "ante", 1000)

    refusal = turned_away(table, "xtra_bonus", amount)

    assert "it must equal the ante wager" in refusal.message
    assert str(refusal.cite) == f"{LAW}10(a)"
    table.bet("1", "xtra_bonus", 1000)


@pytest.mark.cites("13:69F-40.6(c)")
def test_no_ante_is_dealt_to_without_an_xtra_bonus_wager() -> None:
    table = Table(GAME)
    table.bet("1", "ante", 1000)

    with pytest.raises(Refusal) as caught:
        Play(table)

    says(caught.value, Fault.NOT_NOW, "which must be equal", f"{LAW}10(a)")
    assert turned_away(Table(GAME), "xtra_bonus").fault is Fault.NO_SUPPORT


@pytest.mark.cites("13:69F-40.6(c)")
def test_a_dollar_is_the_least_of_both() -> None:
    assert wrong({"table_min": 99}) == [("table_min", "6(c)")]
    table = Table(GAME, {"table_min": 100})
    table.bet("1", "ante", 100)
    table.bet("1", "xtra_bonus", 100)


@pytest.mark.cites("13:69F-40.1", "13:69F-40.10(a)1")
@pytest.mark.parametrize(("label", "cite"), [("dealer_bonus", "1i"), ("player_bonus", "1ii")])
def test_jacks_up_wagers_go_with_an_ante_in_any_amount(label: str, cite: str) -> None:
    refusal = turned_away(Table(GAME), label)
    says(refusal, Fault.NO_SUPPORT, "is made together with the ante", f"{LAW}10(a){cite}")

    table = opened()
    for amount in (500, 777, 500_000):
        table.bet("1", label, amount)


@pytest.mark.cites("13:69F-40.10(b)")
def test_a_play_wager_is_not_made_before_the_cards() -> None:
    refusal = turned_away(opened(), "play")
    says(refusal, Fault.NOT_NOW, "in the course of the round", f"{LAW}10(b)")


@pytest.mark.cites("13:69F-40.6(b)")
def test_no_wager_is_made_after_no_more_bets() -> None:
    table = opened()
    answered(table, "Ah")

    for label in ("ante", "player_bonus", "dealer_bonus"):
        says(turned_away(table, label, 2000), Fault.NO_MORE_BETS, "No more bets", f"{LAW}6(b)")


@pytest.mark.cites("13:69F-40.13(a)")
def test_a_player_has_one_position() -> None:
    seats = {seat: {"player": "Ann", "wagers": staked(), "moves": ["bet"]} for seat in ("2", "3")}

    refusal = refused(ID, PACK[:15], seats=seats)

    says(refusal, Fault.NOT_NOW, "a player may wager on one position here", f"{LAW}13(a)")
    assert wrong({"positions_per_player": 2}) == [("positions_per_player", "13(a)")]


# The deal.

LAPS = ["2", "5", "dealer"] * 3
STACKS = ["2"] * 3 + ["5"] * 3 + ["dealer"] * 3
BOARD = ["board"] * 4


def two_seats(
    method: str, moves: Sequence[Any] = ("bet",), more: Mapping[str, int] | None = None,
    burn: int = 0, **others: Any,
) -> Told:  # fmt: skip
    """Seat 2 has Ah Ad 4h, seat 5 has Kh Kd 5h and the dealer Qs Qc 6h, however dealt."""
    hands = "Ah Ad 4h Kh Kd 5h Qs Qc 6h".split()
    laps = [hands[at] for at in (0, 3, 6, 1, 4, 7, 2, 5, 8)]
    options = {"deal_method": method, **others.pop("options", {})}
    wagers = staked(**(more or {}))
    seats = {seat: {"wagers": wagers, "moves": list(moves)} for seat in ("5", "2")}
    if method == "automated_shoe":
        draws = [*hands, *packets(DULL, hands)]
    else:
        draws = [*laps, *spare([*hands, *DULL.split()], burn), *DULL.split()]
    return deal(ID, draws, seats=seats, options=options, **others)


@pytest.mark.cites("13:69F-40.7(b)", "13:69F-40.7(d)", "13:69F-40.8(b)3", "13:69F-40.8(c)",
                   "13:69F-40.9(b)2", "13:69F-40.9(c)", "13:69F-40.9(d)")  # fmt: skip
@pytest.mark.parametrize(
    ("method", "order", "announced", "rule"),
    [
        ("manual_shoe", [*LAPS, *BOARD], "7(b)", "7(d)"),
        ("hand", [*LAPS, *BOARD], "8(b)3", "8(c)"),
        ("automated_shoe", [*STACKS, *["board", "board", "burn"] * 2], "9(b)2", "9(c)"),
    ],
)
def test_three_cards_go_to_each_player_from_the_dealers_left_and_four_to_the_middle(
    method: str, order: list[str], announced: str, rule: str
) -> None:
    told = two_seats(method)

    assert places(told) == order
    assert all(card["face_down"] for card in told.events("draw"))
    (closed,) = [each for each in told.events("announce") if each["text"] == "No more bets"]
    assert cited(closed) == announced
    assert rule in [rule for _, rule in done(told)]
    (shown,) = [each for each in told.events("reveal") if each["hand"] == "board"]
    assert shown["cards"] == DULL.split()
    assert told.net("2") == told.net("5") == 1000 + 3000  # against a pair of queens


@pytest.mark.cites("13:69F-40.7(e)", "13:69F-40.8(d)")
@pytest.mark.parametrize("method", ["manual_shoe", "hand"])
def test_from_a_shoe_or_the_hand_a_card_is_burnt_before_the_four_only_if_so_chosen(
    method: str,
) -> None:
    told = two_seats(method, burn=1, options={"burn_before_board_shoe_hand": 1})

    assert places(told) == [*LAPS, "burn", *BOARD]
    assert told.net("2") == 4000
    assert wrong({"burn_before_board_shoe_hand": 2}) == [
        ("burn_before_board_shoe_hand", "7(e) (customary)")
    ]


@pytest.mark.cites("13:69F-40.9(d)")
def test_the_bottom_card_of_each_packet_is_burnt() -> None:
    table = opened()
    answered(table, *cards("Ah Ad 4h", "Qs Qc 6h"))

    assert list(map(str, table.equipment.burnt)) == spare(
        ["Ah", "Ad", "4h", "Qs", "Qc", "6h", *DULL.split()]
    )
    assert list(map(str, table.hands["board"])) == DULL.split()


@pytest.mark.cites("13:69F-40.8(b)1")
def test_cards_are_dealt_from_the_hand_only_if_a_device_shuffles_them() -> None:
    assert wrong({"deal_method": "hand", "automated_shuffler": False}) == [("deal_method", "8(b)1")]


@pytest.mark.cites("13:69F-40.10(b)", "13:69F-40.10(c)")
def test_before_the_first_decision_a_player_sees_his_own_three_cards_only() -> None:
    table = opened(seats="12")
    hands = "Ah Ad 4h Kh Kd 5h Qs Qc 6h".split()
    play = answered(table, *hands, *packets(DULL, hands), "check")

    for seat, own in (("1", hands[:3]), ("2", hands[3:6]), (None, [])):
        events = table.view(seat)["events"]
        assert [event["outcome"] for event in events if "outcome" in event] == own
        assert not [event for event in events if event["kind"] == "reveal"]
    while not isinstance(play.request, Ask):
        play.answer(None)
    play.answer("check")
    (shown,) = [event for event in table.view()["events"] if event["kind"] == "reveal"]
    assert (shown["hand"], shown["cards"]) == ("board", DULL.split())
    assert shown["citation"] == f"{LAW}10(c)"


@pytest.mark.cites("13:69F-40.7(d)")
@pytest.mark.parametrize(
    ("draws", "fault", "words"),
    [
        (["Ah", "Ah"], Fault.IMPOSSIBLE_OUTCOME, "no ace of hearts (Ah) is left in the pack"),
        (["Ah", "1h"], Fault.IMPOSSIBLE_OUTCOME, "'1h' is not a card"),
        (["Ah", "Ad", "Qs"], Fault.BAD_SCRIPT, "gives 3 draws and needs at least 9 more"),
    ],
)
def test_a_script_that_could_not_be_dealt_is_refused(
    draws: list[str], fault: Fault, words: str
) -> None:
    refusal = cannot(draws)

    assert refusal.fault is fault
    assert words in refusal.message


# The decisions.


def at_decision(number: int) -> Play:
    play = answered(opened(), *cards("Ah Ad 4h", "Qs Qc 6h"), *["check"][: number - 1])
    while not isinstance(play.request, Ask):
        play.answer(None)
    return play


@pytest.mark.cites("13:69F-40.1", "13:69F-40.10(b)", "13:69F-40.10(d)")
@pytest.mark.parametrize(
    ("number", "moves", "cite"),
    [(1, ["check", "bet"], "10(b)"), (2, ["fold", "bet"], "10(d)")],
)
def test_a_player_checks_or_bets_before_the_four_cards_and_folds_or_bets_after(
    number: int, moves: list[str], cite: str
) -> None:
    """So 40.10; the definition of a fold in 40.1 would allow it before the four cards as well."""
    request = at_decision(number).request

    assert isinstance(request, Ask)
    assert [move.name for move in request.moves] == moves
    assert (request.default, request.offer) == (moves[0], False)
    assert str(request.cite) == f"{LAW}{cite}"


@pytest.mark.cites("13:69F-40.10(b)", "13:69F-40.10(d)")
@pytest.mark.parametrize(
    ("number", "move"),
    [
        (1, "fold"), (1, {"bet": 1000}), (1, {"bet": 2000}), (1, {"bet": 4000}), (1, {"bet": 0}),
        (1, "raise"), (1, None),
        (2, "check"), (2, "bet"), (2, {"bet": 3000}), (2, {"bet": 1500}), (2, {"bet": 999}),
        (2, {"bet": 0}), (2, {"fold": 1000}),
    ],
)  # fmt: skip
def test_any_other_move_or_amount_is_refused(number: int, move: Any) -> None:
    cite = LAW + ("10(b)" if number == 1 else "10(d)")
    says(not_answered(at_decision(number), move), Fault.ILLEGAL_MOVE, "seat 1 may", cite)


@pytest.mark.cites("13:69F-40.1", "13:69F-40.10(b)", "13:69F-40.10(d)")
@pytest.mark.parametrize(
    ("moves", "stake"),
    [
        (["bet"], 3000), ([{"bet": 3000}], 3000), (["check", {"bet": 1000}], 1000),
        (["check", {"bet": 2000}], 2000),
    ],
)  # fmt: skip
def test_the_early_play_wager_is_three_antes_and_the_late_one_or_two(
    moves: list[Any], stake: int
) -> None:
    told = dealt("Ah Ad 4h", "Qs Qc 6h", moves=moves)

    assert told.settled("play")["stake"] == stake
    assert told.net() == 1000 + stake


@pytest.mark.cites("13:69F-40.10(d)")
def test_who_has_made_a_play_wager_is_not_asked_again() -> None:
    refusal = cannot(cards("Ah Ad 4h", "Qs Qc 6h"), moves=["bet", {"bet": 1000}])

    assert "was never asked for its move" in refusal.message
    told = two_seats("automated_shoe", moves=["check", {"bet": 1000}])
    assert [asked["seat"] for asked in told.events("decision")] == ["2", "5", "2", "5"]


# Folding.


@pytest.mark.cites("13:69F-40.10(d)2")
def test_who_folds_loses_the_ante_and_the_xtra_bonus_wager() -> None:
    """The text collects the ante only; to return the other would favor the player by a third."""
    told = dealt("3h 4d 5h", "Qs Qc 6h", moves=["check", "fold"])

    assert told.result("ante") == told.result("xtra_bonus") == ("lose", -1000)
    assert cited(told.settled("ante")) == "10(d)"
    assert cited(told.settled("xtra_bonus")) == "10(d)2 (customary)"
    assert told.net() == -2000
    assert wrong({"xtra_on_fold": "returned"}) == [("xtra_on_fold", "10(d)2 (customary)")]


@pytest.mark.cites("13:69F-40.10(d)2ii", "13:69F-40.10(e)")
def test_a_folded_hand_without_jacks_up_is_picked_up_and_nobody_shows_for_nothing() -> None:
    table = opened()

    play = answered(table, *cards("3h 4d 5h", "Qs Qc 6h"), "check", "fold")

    assert list(map(str, table.equipment.discard_rack)) == ["3h", "4d", "5h"]
    to_the_end(play)
    assert [e.data["hand"] for e in table.events if e.kind == "reveal"] == ["board"]


@pytest.mark.cites("13:69F-40.10(d)2i")
def test_jacks_up_wagers_stay_live_after_a_fold() -> None:
    wagers = staked(player_bonus=500, dealer_bonus=500)

    told = dealt("3h 3d 3s", "Qs Qc 7h", moves=["check", "fold"], wagers=wagers)

    assert told.result("player_bonus") == ("win", 2 * 500)  # three of a kind
    assert told.result("dealer_bonus") == ("win", 500)  # queens and sevens
    assert [event["hand"] for event in told.events("reveal")] == ["board", "dealer", "1"]
    assert told.net() == -2000 + 1500


# The settlement of ante, play and X-tra bonus.


@pytest.mark.cites("13:69F-40.10(g)3", "13:69F-40.10(g)4", "13:69F-40.11(b)", "13:69F-40.11(d)")
@pytest.mark.parametrize(
    ("player", "dealer", "board", "ante", "play", "xtra"),
    [
        ("Kd Kc 5h", "3s 4d Ah", "3c 7d 9h Js", 1, 1, 0),
        ("Kd Kc 5h", "2s 4d Ah", "2c 7d 9h Js", 0, 1, 0),
        ("Kd Kc 5h", "3s 4d Ah", "2c 7d 9h Js", 0, 1, 0),
        ("8d Tc 5h", "3s 4d Ah", "2c 7d 9h Js", 0, 1, 1),
        ("8d Tc 5h", "2s 4d Ah", "2c 7d 9h Js", 0, 1, 1),
        ("8d Tc 5h", "Qs Qd Ah", "2c 7d 9h Js", 1, 1, 1),
        ("Ad Kc 5h", "As Kd 5c", "2c 7d 9h Js", 0, 0, 0),
        ("8d Tc 5h", "8s Td 5c", "2c 7d 9h Js", 0, 0, 0),
        ("Kd Qc 5h", "3s 4d Ah", "2c 7d 9h Js", -1, -1, -1),
        ("3d Qc 5h", "2s 4d Ah", "2c 7d 9h Js", -1, -1, -1),
        ("8d Tc 5h", "3s 4c Ac", "2c 7c 9c Js", -1, -1, -1),
    ],
    ids=[
        "pair of threes", "pair of twos", "ace high", "straight against ace high",
        "straight against twos", "straight against queens", "tie, unqualified", "tie of straights",
        "beaten by ace high", "beaten by twos", "straight beaten by a flush",
    ],
)  # fmt: skip
def test_the_settlement_matrix(
    player: str, dealer: str, board: str, ante: int, play: int, xtra: int
) -> None:
    told = dealt(player, dealer, board)

    results = {1: "win", 0: "push", -1: "lose"}
    assert told.result("ante") == (results[ante], 1000 * ante)
    assert told.result("play") == (results[play], 3000 * play)
    assert told.result("xtra_bonus") == (results[xtra], 1000 * xtra)


@pytest.mark.cites("13:69F-40.10(g)3", "13:69F-40.10(g)4")
@pytest.mark.parametrize(
    ("player", "dealer", "ante", "play", "xtra"),
    [
        ("Kd Qc 5h", "3s 4d Ah", "10(g)3i", "10(g)4i", "11(d) (customary)"),
        ("Ad Kc 5h", "As Kd 5c", "10(g)3ii", "10(g)4ii", "11(d) (customary)"),
        ("Kd Kc 5h", "3s 4d Ah", "10(g)3iii", "11(b)", "11(d)"),
        ("Kd Kc 5h", "Qs Qd Ah", "11(b)", "11(b)", "11(d)"),
    ],
)
def test_each_result_names_its_paragraph(
    player: str, dealer: str, ante: str, play: str, xtra: str
) -> None:
    """That an X-tra bonus wager is lost to a higher hand and returned on a tie is not said."""
    told = dealt(player, dealer)

    assert cited(told.settled("ante")) == ante
    assert cited(told.settled("play")) == play
    assert cited(told.settled("xtra_bonus")) == xtra


@pytest.mark.cites("13:69F-40.10(g)3i")
def test_an_ante_beaten_by_less_than_threes_is_lost_or_as_published_returned() -> None:
    for option, result in (("lose", ("lose", -1000)), ("push", ("push", 0))):
        told = dealt("Kd Qc 5h", "3s 4d Ah", options={"ante_when_unqualified_dealer_wins": option})
        assert told.result("ante") == result
        assert told.result("play") == ("lose", -3000)
        assert told.result("xtra_bonus") == ("lose", -1000)
    qualified = dealt("Kd Qc 5h", "3s 3d Ah", options={"ante_when_unqualified_dealer_wins": "push"})
    assert qualified.result("ante") == ("lose", -1000)


@pytest.mark.cites("13:69F-40.10(g)3iii")
def test_it_is_announced_when_the_dealer_does_not_qualify() -> None:
    for dealer, qualifies in (("3s 4d Ah", False), ("2s 4d Ah", False), ("3s 3d Ah", True)):
        (said,) = [said for said in dealt("Kd Kc 5h", dealer).said() if "Dealer" in said]
        assert ("does not qualify" not in said) == qualifies


HANDS = {  # each of them against 4s 6c 8s, which makes nothing
    "royal_flush": ("Ah Kh Qh", "Jh Th 2c 3d"),
    "straight_flush": ("9h 8h 7h", "Jh Th 2c 3d"),
    "four_of_a_kind": ("9h 9d 9c", "9s Th 2c 3d"),
    "full_house": ("9h 9d 9c", "Ts Th 2c 3d"),
    "flush": ("9h 8h 4h", "Jh 2h Tc 3d"),
    "straight": ("9h 8d 7c", "Jh Ts 2c 3d"),
    "three_of_a_kind": ("9h 9d 9c", "Jh Ts 2c 3d"),
    "two_pairs_jacks_up": ("9h 9d Jc", "Jh Ts 2c 3d"),
    "two_pairs": ("9h 9d Tc", "Jh Ts 2c 3d"),
    "pair": ("Kh Kd 5c", "Jh Ts 2c 3d"),
    "high_card": ("Ah Kd 5c", "Jh Ts 2c 3d"),
}
NOTHING = "4s 6c 8s"


@pytest.mark.cites("13:69F-40.11(d)")
@pytest.mark.parametrize(
    ("hand", "net"),
    list(zip(HANDS, [500_000, 100_000, 10_000, 3000, 1500, 1000, 0, 0, 0, 0, 0], strict=True)),
)
def test_the_xtra_bonus_pays_by_the_hand_and_is_returned_below_a_straight(
    hand: str, net: int
) -> None:
    player, board = HANDS[hand]

    settled = dealt(player, NOTHING, board).settled("xtra_bonus")

    assert (settled["result"], settled["net"]) == ("win" if net else "push", net)
    assert settled["line"] == (hand if net else "below_a_straight")
    assert cited(settled) == "11(d)"


@pytest.mark.cites("13:69F-40.11(d)")
@pytest.mark.parametrize(("stake", "net"), [(500, 750), (501, 751), (1001, 1501)])
def test_three_to_two_is_paid_exactly_and_half_a_cent_is_not(stake: int, net: int) -> None:
    player, board = HANDS["flush"]

    told = dealt(player, NOTHING, board, wagers={"ante": stake, "xtra_bonus": stake})

    assert told.result("xtra_bonus") == ("win", net)


JACKS_UP = dict(zip(HANDS, [50, 30, 10, 6, 4, 3, 2, 1, None, None, None], strict=True))


@pytest.mark.cites("13:69F-40.10(g)2", "13:69F-40.11(c)")
@pytest.mark.parametrize("hand", HANDS)
def test_jacks_up_pays_on_the_players_hand_and_on_the_dealers(hand: str) -> None:
    own, board = HANDS[hand]
    result = ("lose", -500) if JACKS_UP[hand] is None else ("win", 500 * (JACKS_UP[hand] or 0))
    wagers = staked(player_bonus=500, dealer_bonus=500)

    for player, dealer, label in ((own, NOTHING, "player_bonus"), (NOTHING, own, "dealer_bonus")):
        told = dealt(player, dealer, board, moves=["check", "fold"], wagers=wagers)
        other = "dealer_bonus" if label == "player_bonus" else "player_bonus"
        assert told.result(label) == result
        assert told.result(other) == ("lose", -500)
        if result[0] == "win":
            assert told.settled(label)["line"] == hand


@pytest.mark.cites("13:69F-40.11(c)")
@pytest.mark.parametrize(
    ("player", "result"),
    [("Th Td 9c", "lose"), ("Jh Td Tc", "win"), ("Ah Ad 2h", "win"), ("Qh Qd 9c", "win")],
)
def test_of_two_pairs_the_higher_must_be_jacks_or_better(player: str, result: str) -> None:
    """Paying every two pairs would favor the player by 16 percent."""
    told = dealt(player, NOTHING, "9h 2c Js 5d", wagers=staked(player_bonus=500))

    assert told.result("player_bonus")[0] == result


@pytest.mark.cites("13:69F-40.11(b)", "13:69F-40.11(c)", "13:69F-40.11(d)")
def test_the_odds_are_exact_neither_worse_nor_better() -> None:
    for odds, cite in (
        ({"ante": "11 to 10"}, "11(b)"), ({"play": "9 to 10"}, "11(b)"),
        ({"player_bonus.flush": "5 to 1"}, "11(c)"), ({"dealer_bonus.flush": "3 to 1"}, "11(c)"),
        ({"xtra_bonus.straight": "2 to 1"}, "11(d)"),
    ):  # fmt: skip
        assert wrong({"higher_odds": odds}) == [("higher_odds", cite)]


@pytest.mark.cites("13:69F-40.10(g)")
def test_players_are_settled_from_the_dealers_far_left_each_in_the_order_of_the_rule() -> None:
    told = two_seats("automated_shoe", more={"player_bonus": 500, "dealer_bonus": 500})

    order = ["dealer_bonus", "player_bonus", "ante", "play", "xtra_bonus"]
    settled = [(each["seat"], each["wager"]) for each in told.rounds[0]["settlements"]]
    assert settled == [*product("2", order), *product("5", order)]
    events = [
        (event["kind"], event.get("hand") or event.get("seat"))
        for event in told.rounds[0]["events"]
        if event["kind"] in ("reveal", "pay", "collect", "return")
    ]
    assert events[:4] == [
        ("reveal", "board"),
        ("reveal", "dealer"),
        ("reveal", "2"),
        ("collect", "2"),
    ]
    assert events[-6][0:2] == ("reveal", "5")


ten_cards = st.permutations(deck()).map(lambda shuffled: shuffled[:10])


@pytest.mark.cites("13:69F-40.5", "13:69F-40.10(g)")
@given(drawn=ten_cards, move=st.sampled_from([3, 2, 1]), text_rule=st.booleans())
def test_whatever_the_cards_a_player_gets_what_the_matrix_says(
    drawn: list[Any], move: int, text_rule: bool
) -> None:
    player, dealer, board = drawn[:3], drawn[3:6], drawn[6:]
    mine, theirs = rank([*player, *board]), rank([*dealer, *board])
    sign = (mine > theirs) - (mine < theirs)
    qualifies = theirs.category not in ("high_card", "pair") or (
        theirs.category == "pair" and theirs.ranks[0] >= 3
    )
    ante = sign if qualifies or (sign < 0 and text_rule) else 0
    pays: dict[str, float] = {
        "royal_flush": 500, "straight_flush": 100, "four_of_a_kind": 10, "full_house": 3,
        "flush": 1.5, "straight": 1,
    }  # fmt: skip
    xtra = pays.get(mine.category, 0) if sign > 0 else sign

    option = {"ante_when_unqualified_dealer_wins": "lose" if text_rule else "push"}
    moves = ["bet"] if move == 3 else ["check", {"bet": 1000 * move}]
    told = dealt(text(player), text(dealer), text(board), moves, options=option)

    assert told.net() == 1000 * (ante + move * sign + xtra)


# The bonus spin: whether it is offered, and to whom it pays.

PRIZES = {  # dollars to the player and to every other, from position 2 on
    "S1": ([40, 100, 5000, 50, 250, 2500, 60, 40, 1000, 100, 500], {3: 50, 6: 100, 9: 15}),
    "S2": ([50, 100, 10000, 60, 250, 5000, 65, 40, 1000, 100, 500], {3: 50, 6: 100, 9: 15}),
    "S3": ([5, 100, 1000, 10, 25, 500, 40, 75, 15, 50, 60], {3: 25, 6: 3, 9: 15}),
    "S4": ([5, 100, 1000, 10, 20, 500, 15, 50, 200, 75, 25], {3: 25, 6: 3, 9: 10}),
}
STAKES = {"S1": 500, "S2": 500, "S3": 100, "S4": 100}
FIXED = 2_000_000  # cents


def spins(table: str = "S1", **others: Any) -> dict[str, Any]:
    prize = {"bonus_spin_fixed_prize": FIXED} if table in ("S2", "S4") else {}
    return {"bonus_spin_table": table, "bonus_spin_weights": EVEN, **prize, **others}


SUITED, PLAIN = "Ah 4h 9h", "Kh Kd 5c"


def spun(
    *stops: Any, hands: Sequence[str] = (SUITED, PLAIN), table: str = "S1",
    moves: Sequence[Sequence[Any]] = (("bet",), ("bet",), ("bet",)), **others: Any,
) -> Told:  # fmt: skip
    """Seats 1, 2 and so on with these hands and a bonus spin each; the wheel stops there."""
    held = [card for hand in [*hands, "Qs Qc 6d"] for card in hand.split()]
    draws = [*held, *packets("2c 7d Th Js", held), *stops]
    wagers = staked(bonus_spin=STAKES[table])
    seats = {
        str(at): {"wagers": wagers, "moves": list(move)}
        for at, (_, move) in enumerate(zip(hands, moves, strict=False), 1)
    }
    options = {**spins(table), **others.pop("options", {})}
    return deal(ID, draws, seats=seats, options=options, **others)


@pytest.mark.cites("13:69F-40.10(a)2", "13:69F-40.11(e)")
def test_the_bonus_spin_is_offered_only_where_a_table_of_prizes_is_chosen() -> None:
    says(
        turned_away(opened(), "bonus_spin", 500), Fault.NOT_OFFERED,
        "Bonus spin (bonus_spin) is not offered", f"{LAW}10(a)2",
    )  # fmt: skip
    assert wrong({"bonus_spin_table": "S5"}) == [("bonus_spin_table", "11(e)")]


@pytest.mark.cites("13:69F-40.11(e)")
def test_it_is_not_offered_without_the_weights_of_the_positions() -> None:
    """The text does not give them, and the positions cannot be equally likely."""
    for table in STAKES:
        prize = {"bonus_spin_fixed_prize": FIXED}
        assert wrong({"bonus_spin_table": table, **prize}) == [
            ("bonus_spin_weights", "11(e) (customary)")
        ]


@pytest.mark.cites("13:69F-40.11(e)")
@pytest.mark.parametrize(
    "weights",
    ["1,2,3", EVEN + ",1", EVEN.replace("1", "0", 1), "-1" + EVEN[1:], "1.5" + EVEN[1:],
     "x" + EVEN[1:], "", EVEN.replace("1", "9" * 16, 1), [1] * 11, [True] * 12, 12],
)  # fmt: skip
def test_the_weights_are_twelve_whole_numbers_above_zero(weights: Any) -> None:
    assert wrong(spins(bonus_spin_weights=weights)) == [("bonus_spin_weights", "11(e) (customary)")]


@pytest.mark.cites("13:69F-40.11(e)")
def test_weights_may_be_a_list_and_are_told_as_they_are_written() -> None:
    listed = list(range(1, 13))
    for given_as in (listed, " 1, 2,3,4,5,6,7,8,9,10,11,12"):
        options = GAME.options(spins("S2", bonus_spin_weights=given_as))
        assert options.bonus_spin_weights == tuple(listed)
        assert options.as_json()["bonus_spin_weights"] == ",".join(map(str, listed))
        assert {stop: ways for ways, stop in GAME.wheel(options).ways()} == {
            str(at): at for at in listed
        }


@pytest.mark.cites("13:69F-40.1")
def test_a_fixed_prize_must_be_told_and_is_the_top_prize() -> None:
    for table, most in (("S2", 1_000_000), ("S4", 100_000)):
        for prize in ("none", most - 1):
            assert wrong(spins(table, bonus_spin_fixed_prize=prize)) == [
                ("bonus_spin_fixed_prize", "1")
            ]
        GAME.options(spins(table, bonus_spin_fixed_prize=most))


@pytest.mark.cites("13:69F-40.11(e)")
@pytest.mark.parametrize(("others", "most"), [(True, 5_176_470), (False, 4_959_276)])
def test_a_jackpot_may_not_be_longer_than_a_hundred_million_to_one(others: bool, most: int) -> None:
    """1,144 of 22,100 hands spin, or 1,096 without straight flushes; then the wheel must stop."""
    longest = Fraction(22_100, 1144 if others else 1096) * most - 1
    assert longest <= 100_000_000 < longest + Fraction(22_100, 1096)
    for table in ("S1", "S3"):
        for total, faults in ((most, []), (most + 1, ["bonus_spin_weights"])):
            weights = [1] * 11 + [total - 11]
            given_options = spins(
                table, bonus_spin_weights=weights, bonus_spin_trigger_on_straight_flush=others
            )
            found = GAME.check(given_options)
            assert [violation.option for violation in found] == faults
            assert all(str(violation.cite) == "13:69D-1.52(e)4" for violation in found)


def test_a_fixed_prize_may_be_as_unlikely_as_the_licensee_likes() -> None:
    assert GAME.check(spins("S2", bonus_spin_weights=[1] * 11 + [10**12])) == []


@pytest.mark.cites("13:69F-40.10(a)2", "13:69F-40.11(e)")
@pytest.mark.parametrize("table", STAKES)
def test_a_bonus_spin_costs_five_dollars_or_one_as_its_table_says(table: str) -> None:
    at_table = opened(spins(table))
    stake = STAKES[table]

    for amount in (stake - 1, stake + 1, 2 * stake):
        assert str(turned_away(at_table, "bonus_spin", amount).cite) == f"{LAW}11(e)"
    at_table.bet("1", "bonus_spin", stake)
    assert turned_away(Table(GAME, spins(table)), "bonus_spin", stake).fault is Fault.NO_SUPPORT


@pytest.mark.cites("13:69F-40.11(e)")
@pytest.mark.parametrize("table", PRIZES)
@pytest.mark.parametrize("position", range(2, 13))
def test_a_spin_pays_the_player_and_at_some_positions_every_other_one(
    table: str, position: int
) -> None:
    to_player, to_others = PRIZES[table]

    told = spun(str(position), table=table)

    stake = STAKES[table]
    assert told.result("bonus_spin", "1") == ("win", 100 * to_player[position - 2] - stake)
    community = 100 * to_others.get(position, 0)
    assert told.result("bonus_spin", "2") == (
        ("win", community - stake) if community else ("lose", -stake)
    )
    assert cited(told.settled("bonus_spin", "1")) == "11(e)"


@pytest.mark.cites("13:69F-40.1", "13:69F-40.11(e)")
@pytest.mark.parametrize("table", ["S2", "S4"])
def test_position_1_of_a_fixed_table_pays_the_fixed_prize(table: str) -> None:
    told = spun("1", table=table)

    assert told.result("bonus_spin", "1") == ("win", FIXED - STAKES[table])
    assert told.result("bonus_spin", "2") == ("lose", -STAKES[table])


@pytest.mark.cites("13:69F-40.10(g)1", "13:69F-40.10(h)")
def test_nobody_spins_without_three_suited_cards_and_all_bonus_spins_are_lost() -> None:
    told = spun(hands=[PLAIN, "3h 3d 4c"])

    assert told.result("bonus_spin", "1") == told.result("bonus_spin", "2") == ("lose", -500)
    assert told.events("spin") == []


@pytest.mark.cites("13:69F-40.10(a)2", "13:69F-40.10(g)1")
def test_who_has_made_no_bonus_spin_wager_neither_spins_nor_shares() -> None:
    held = [*SUITED.split(), "Kc", "5c", "8c", "Qs", "Qc", "6d"]
    seats = {
        "1": {"wagers": staked(), "moves": ["bet"]},
        "2": {"wagers": staked(bonus_spin=500), "moves": ["bet"]},
    }

    told = deal(ID, [*held, *packets("2c 7d Th Js", held), "3"], seats=seats, options=spins())

    assert [spin["to"] for spin in told.events("spin")] == ["2"]
    assert "bonus_spin" not in [
        s["wager"] for s in told.rounds[0]["settlements"] if s["seat"] == "1"
    ]
    assert told.result("bonus_spin", "2") == ("win", 9500)


@pytest.mark.cites("13:69F-40.10(h)", "13:69F-40.11(e)")
def test_each_marked_player_spins_once_in_seat_order_and_shares_in_the_spins_of_others() -> None:
    hands = [SUITED, "3c 6c 8c", PLAIN]

    told = spun("3", "6", hands=hands)

    assert [(spin["to"], spin["outcome"]) for spin in told.events("spin")] == [
        ("1", "3"),
        ("2", "6"),
    ]
    assert told.result("bonus_spin", "1") == ("win", 10_000 + 10_000 - 500)
    assert told.result("bonus_spin", "2") == ("win", 5000 + 25_000 - 500)
    assert told.result("bonus_spin", "3") == ("win", 5000 + 10_000 - 500)


@pytest.mark.cites("13:69F-40.1", "13:69F-40.11(e)")
@pytest.mark.parametrize("hand", ["Qh Kh Ah", "Ah 2h 3h", "5d 6d 7c", "5d 6d 7d"])
def test_three_suited_cards_in_sequence_spin_unless_the_table_excludes_them(hand: str) -> None:
    suited = len({card[1] for card in hand.split()}) == 1
    for counts in (True, False):
        options = spins(bonus_spin_trigger_on_straight_flush=counts)
        held = [*hand.split(), "Qs", "Qc", "6s"]
        draws = [*held, *packets("2c 7s Th Js", held), *(["2"] if suited and counts else [])]

        told = deal(ID, draws, staked(bonus_spin=500), moves=["bet"], options=options)

        assert len(told.events("spin")) == (suited and counts)


@pytest.mark.cites("13:69F-40.10(d)2")
def test_a_player_who_has_folded_keeps_his_spin_and_his_share() -> None:
    """The dealer need not show his cards for that."""
    moves = [("check", "fold"), ("check", "fold")]

    told = spun("3", moves=moves)

    assert told.result("bonus_spin", "1") == ("win", 9500)
    assert told.result("bonus_spin", "2") == ("win", 4500)
    assert [event["hand"] for event in told.events("reveal")] == ["board", "1", "2"]
    assert told.said() == [
        "No more bets",
        "Position 3: $100 for seat 1, and $50 for every other bonus spin",
    ]


@pytest.mark.cites("13:69F-40.10(g)1", "13:69F-40.10(h)")
def test_the_wheel_is_spun_when_all_hands_have_been_settled() -> None:
    told = spun("3")

    kinds = [
        (event["kind"], event.get("wager", event.get("text", "")))
        for event in told.rounds[0]["events"]
        if event["kind"] in ("pay", "collect", "return", "spin")
        or "marked" in event.get("text", "")
    ]
    assert kinds[0] == ("step", "Seat 1 is marked to spin the wheel")
    at = kinds.index(("spin", ""))
    assert "bonus_spin" not in [wager for _, wager in kinds[:at]]
    assert [wager for _, wager in kinds[at + 1 :]] == ["bonus_spin", "bonus_spin"]
    (marked,) = [step for step in told.events("step") if "marked" in step["text"]]
    assert cited(marked) == "10(g)1i"


@pytest.mark.cites("13:69F-40.11(e)")
@pytest.mark.parametrize("stop", ["0", "13", "jackpot", "Ah", None])
def test_the_wheel_has_twelve_positions(stop: Any) -> None:
    with pytest.raises(Refusal) as caught:
        spun(stop)

    assert caught.value.fault is Fault.IMPOSSIBLE_OUTCOME
    assert "the bonus spin wheel has no stop" in caught.value.message


@pytest.mark.cites("13:69F-40.11(e)")
def test_a_spin_that_the_script_does_not_give_is_missed() -> None:
    with pytest.raises(Refusal, match="gives 15 draws and needs at least 1 more"):
        spun()


# The meter.


def sitting(options: Mapping[str, Any]) -> Table:
    table = Table(GAME, options)
    table.state = GAME.in_play(table.state)
    return table


def one_round(table: Table, hands: Sequence[str], *stops: str) -> None:
    """Every seat bets on its hand and on the spin."""
    stake = STAKES[table.options.bonus_spin_table]
    held = [card for hand in [*hands, "Qs Qc 6d"] for card in hand.split()]
    table.open_betting()
    for at in range(1, len(hands) + 1):
        for label, amount in staked(bonus_spin=stake).items():
            table.bet(str(at), label, amount)
    draws = [*held, *packets("2c 7d Th Js", held)]
    to_the_end(answered(table, *draws, *["bet"] * len(hands), *stops))


@pytest.mark.cites("13:69F-40.11(e)")
@pytest.mark.parametrize(("table", "seed"), [("S1", 1_000_000), ("S3", 500_000)])
def test_seven_percent_of_every_wager_goes_to_the_meter_above_the_seed(
    table: str, seed: int
) -> None:
    at_table = sitting(spins(table))
    share = STAKES[table] * 7 // 100

    one_round(at_table, [PLAIN, "3h 3d 4c"])
    assert at_table.state.meter.shown == seed + 2 * share
    one_round(at_table, [PLAIN])
    assert at_table.view()["state"]["meter"] == str(seed + 3 * share)


@pytest.mark.cites("13:69F-40.11(e)")
@pytest.mark.parametrize(("table", "seed"), [("S1", 1_000_000), ("S3", 500_000)])
def test_position_1_of_a_progressive_table_pays_the_meter_which_returns_to_its_seed(
    table: str, seed: int
) -> None:
    at_table, stake = sitting(spins(table)), STAKES[table]
    share = stake * 7 // 100
    one_round(at_table, [PLAIN])

    one_round(at_table, [SUITED, PLAIN], "1")

    (won,) = [s for s in at_table.settlements if s.bet.key[:2] == ("1", "bonus_spin")]
    assert won.net == seed + 3 * share - stake
    assert at_table.state.meter.shown == seed


@pytest.mark.cites("13:69F-40.11(e)")
def test_of_two_jackpots_in_one_round_the_second_gets_the_meter_as_it_was_reset() -> None:
    table = sitting(spins())

    one_round(table, [SUITED, "3c 5c 8c"], "1", "1")

    nets = {s.bet.seat: s.net for s in table.settlements if s.bet.wager.id == "bonus_spin"}
    assert nets == {"1": 1_000_000 + 70 - 500, "2": 1_000_000 - 500}
    assert table.state.meter.shown == 1_000_000


@pytest.mark.cites("13:69F-40.1")
def test_a_table_with_a_fixed_prize_has_no_meter() -> None:
    table = sitting(spins("S2"))
    one_round(table, [SUITED], "1")

    assert table.state.meter is None


@pytest.mark.cites("13:69F-40.10(a)3")
def test_bonus_spin_wagers_are_collected_before_the_first_card() -> None:
    table = opened(spins(), bonus_spin=500)
    play = Play(table)

    assert isinstance(play.request, Draw)
    assert table.state.meter.shown == 1_000_035
    (step,) = [e for e in table.events if e.kind == "step" and "well" in e.data["text"]]
    assert step.data["text"].endswith("the meter shows $10,000.35")
    assert str(step.cite) == f"{LAW}10(a)3"


@pytest.mark.cites("13:69F-40.12(f)")
def test_given_a_void_round_then_bonus_spins_are_returned_and_the_meter_goes_back() -> None:
    table = sitting(spins())
    one_round(table, [PLAIN])
    before_it = table.state.meter

    table.open_betting()
    for label, amount in staked(bonus_spin=500).items():
        table.bet("1", label, amount)
    answered(table, "Ah", {"irregularity": "dealing_shoe_jams"})

    assert table.is_void
    assert {each.result.value for each in table.settlements} == {"void"}
    assert table.money[LAYOUT] == 0
    assert table.state.meter == before_it
    one_round(table, [SUITED], "1")
    assert table.state.meter.shown == 1_000_000


@pytest.mark.cites("13:69F-40.12(d)")
def test_given_one_void_hand_then_its_bonus_spin_is_returned_and_leaves_the_meter() -> None:
    report = before(16, "wrong_number_of_cards", seat="1")

    told = spun(moves=[(), ("bet",)], **report)

    assert told.result("bonus_spin", "1") == ("void", 0)
    assert told.result("bonus_spin", "2") == ("lose", -500)
    table = opened(spins(), seats="12", bonus_spin=500)
    answered(table, "Ah", "9c", "4h", {"irregularity": "wrong_number_of_cards", "seat": "1"}, "2d")
    assert table.state.meter.shown == 1_000_035


@pytest.mark.cites("13:69F-40.10(h)")
def test_nothing_of_the_cards_can_be_irregular_once_the_wheel_is_spun() -> None:
    table = opened(spins(), bonus_spin=500)
    held = [*SUITED.split(), "Qs", "Qc", "6d"]
    play = answered(table, *held, *packets("2c 7d Th Js", held), "bet")
    while not isinstance(play.request, Draw):
        play.answer(None)

    for kind in GAME.irregularities:
        refusal = not_answered(play, {"irregularity": kind})
        assert refusal.fault is Fault.NOT_NOW
        assert "all hands have been settled" in refusal.message
    play.answer("2")
    assert play.request is None
    assert not table.state.spinning


# What the bonus spin is worth.

WEIGHTS = [3, 500, 60, 7, 500, 40, 9, 500, 300, 20, 100, 50]


def by_hand(table: str, straight_flushes: bool = True) -> Fraction:
    """What a lone player gets back of his stake on average, from a meter that was just reset."""
    hands = 1144 if straight_flushes else 1096
    top = {"S1": 1_000_035, "S3": 500_007}.get(table, FIXED)
    prizes = [top, *(100 * prize for prize in PRIZES[table][0])]
    average = Fraction(sum(w * p for w, p in zip(WEIGHTS, prizes, strict=True)), sum(WEIGHTS))
    return average * Fraction(hands, 22_100) / STAKES[table]


@pytest.mark.cites("13:69F-40.11(e)")
@pytest.mark.parametrize("table", PRIZES)
@pytest.mark.parametrize("straight_flushes", [True, False])
def test_the_cases_of_the_bonus_spin_are_worth_what_a_count_says(
    table: str, straight_flushes: bool
) -> None:
    given_options = spins(table, bonus_spin_weights=WEIGHTS)
    given_options["bonus_spin_trigger_on_straight_flush"] = straight_flushes
    options = GAME.options(given_options)
    wager, worth, total = GAME.by_id["bonus_spin"], Fraction(0), 0
    for ways, outcome in GAME.side_cases("bonus_spin", options, GAME.State(), None):
        decision = wager.decide(Case(outcome, None, options))
        worth += ways * (1 + wager.net(decision, options))
        total += ways

    assert total == comb(52, 3) * sum(WEIGHTS)
    assert worth / total == by_hand(table, straight_flushes)


@pytest.mark.cites("13:69F-40.11(e)")
@pytest.mark.parametrize("table", PRIZES)
def test_the_table_pays_a_lone_player_what_the_cases_say(table: str) -> None:
    options = GAME.options(spins(table))
    paid = Counter({0: (22_100 - 1144) * 12})
    for position in POSITIONS:
        told = spun(position, hands=[SUITED], table=table)
        paid[told.settled("bonus_spin")["net"] + STAKES[table]] += 1144

    cases: Counter[int] = Counter()
    for ways, outcome in GAME.spin_cases(options):
        cases[outcome.prize] += ways
    assert paid == cases


def test_a_meter_that_has_grown_is_worth_more() -> None:
    table = sitting(spins())
    for _ in range(3):
        one_round(table, [PLAIN])

    jackpot = max(outcome.prize for _, outcome in GAME.spin_cases(table.options, table.state.meter))
    assert jackpot == 1_000_000 + 4 * 35


@pytest.mark.cites("13:69F-40.1", "13:69F-40.11(e)")
def test_of_all_hands_of_three_cards_1144_are_suited_and_48_of_these_in_sequence() -> None:
    options = GAME.options(spins())
    without = GAME.options(spins(bonus_spin_trigger_on_straight_flush=False))
    numbers: Counter[str] = Counter()
    for cards in combinations(range(52), 3):
        suits, ranks = {card % 4 for card in cards}, sorted(card // 4 for card in cards)
        if len(suits) == 1:
            run = ranks[2] - ranks[0] == 2 or ranks == [0, 1, 12]
            numbers["run" if run else "other"] += 1

    assert options.spinning_hands == sum(numbers.values())
    assert without.spinning_hands == numbers["other"]


# Irregularities. Of seat 1's cards the first three, of the dealer's the next; 7, 8, 10 and 11 are
# the community cards, 9 and 12 are burnt.

END = 13
WON = 1000 + 3000  # aces against queens: ante and play


def void_at(draw: int, kind: str, moves: Sequence[Any] = ()) -> Told:
    told = deal(
        ID, cards("Ah Ad 4h", "Qs Qc 6h"), staked(player_bonus=500), moves=moves,
        **before(draw, kind),
    )  # fmt: skip
    assert told.rounds[0]["void"]
    assert {settled["result"] for settled in told.rounds[0]["settlements"]} == {"void"}
    assert told.net() == 0
    return told


@pytest.mark.cites("13:69F-40.12(b)")
@pytest.mark.parametrize("draw", range(1, END))
def test_given_a_card_face_up_in_the_pack_then_it_is_not_used(draw: int) -> None:
    draws = cards("Ah Ad 4h", "Qs Qc 6h")
    draws.insert(draw - 1, "Ks")

    told = deal(ID, draws, staked(), moves=["bet"], **before(draw, "card_face_up"))

    resolution = "It is not used, and goes to the discard rack; a second one voids the round"
    assert mishap(told) == (resolution, "12(b)")
    assert {"kind": "draw", "outcome": "Ks", "to": "discards"} in told.events("draw")
    assert told.net() == WON


@pytest.mark.cites("13:69F-40.12(b)")
def test_given_a_second_card_face_up_then_the_round_is_void() -> None:
    reports = [{"before_draw": at, "kind": "card_face_up"} for at in (2, 4)]

    told = deal(ID, ["Ah", "Ks", "Ad", "Kd"], staked(), irregularities=reports)

    assert told.rounds[0]["void"]
    assert told.net() == 0


@pytest.mark.cites("13:69F-40.12(b)")
@pytest.mark.parametrize("draw", range(1, END))
def test_given_two_cards_face_up_at_once_then_the_round_is_void(draw: int) -> None:
    assert mishap(void_at(draw, "cards_face_up"))[1] == "12(b)"


@pytest.mark.cites("13:69F-40.12(c)")
@pytest.mark.parametrize("draw", [1, 4, 9, 12])
def test_given_an_unseen_card_drawn_in_error_then_it_is_the_next_card(draw: int) -> None:
    told = dealt("Ah Ad 4h", "Qs Qc 6h", **before(draw, "card_drawn_in_error"))

    assert mishap(told) == ("It is used as the next card", "12(c)")
    assert told.net() == WON


@pytest.mark.cites("13:69F-40.12(d)")
@pytest.mark.parametrize("draw", [4, 10, 16])
def test_given_a_player_with_a_wrong_number_of_cards_then_only_his_hand_is_void(
    draw: int,
) -> None:
    """The text would have the cards reshuffled; they are, after the round as after any."""
    hands = "Ah Ad 4h Kh Kd 5h Qs Qc 6h".split()
    seats: dict[str, Any] = {seat: {"wagers": staked(player_bonus=500)} for seat in "12"}
    seats["2"]["moves"] = ["bet"]

    told = deal(
        ID, [*hands, *packets(DULL, hands)], seats=seats,
        **before(draw, "wrong_number_of_cards", seat="1"),
    )  # fmt: skip

    assert mishap(told) == ("His hand is void; the others go on", "12(d)")
    assert {s["result"] for s in told.rounds[0]["settlements"] if s["seat"] == "1"} == {"void"}
    assert told.net("1") == 0
    assert told.net("2") == WON - 500


@pytest.mark.cites("13:69F-40.12(d)")
def test_given_a_dealer_with_too_few_cards_then_he_completes_his_hand_in_sequence() -> None:
    told = dealt("Ah Ad 4h", "Qs Qc 6h", **before(6, "dealer_wrong_number_of_cards"))

    assert mishap(told) == ("He completes his hand with the next cards in sequence", "12(d)")
    assert told.net() == WON


@pytest.mark.cites("13:69F-40.7(f)2", "13:69F-40.12(a)", "13:69F-40.12(d)", "13:69F-40.12(f)")
@pytest.mark.parametrize(
    ("kind", "draw", "cite"),
    [
        ("dealer_wrong_number_exposed", 5, "12(d)"),
        ("dealer_wrong_number_exposed", END, "12(d)"),
        ("dealer_card_exposed", 5, "12(a)"),
        ("dealer_card_exposed", 12, "12(a)"),
        ("dealer_card_exposed", END, "12(a)"),
        ("dealing_shoe_jams", 2, "12(f)"),
        ("dealing_shoe_jams", END, "12(f)"),
        ("stub_count_misdeal", END, "7(f)2"),
        ("stub_count_wrong", END, "7(f)2"),
        ("community_card_exposed", 8, "12 (customary)"),
        ("community_card_exposed", END, "12 (customary)"),
    ],
)
def test_some_things_void_the_round(kind: str, draw: int, cite: str) -> None:
    assert mishap(void_at(draw, kind))[1] == cite


@pytest.mark.cites("13:69F-40.12(a)")
def test_a_dealer_card_may_be_exposed_until_the_last_player_has_folded_or_bet() -> None:
    """With one of two still to decide the round is void, and what a fold had lost comes back."""
    hands = "3h 4d 5h Kh Kd 5c Qs Qc 6h".split()
    moves = ["check", "check", "fold"]
    table = opened(seats="12")
    report = {"irregularity": "dealer_card_exposed"}

    answered(table, *hands, *packets(DULL, hands), *moves, report)

    assert table.is_void
    assert table.money["1"] == table.money["2"] == 0
    for last in ("fold", {"bet": 1000}):
        play = answered(opened(seats="12"), *hands, *packets(DULL, hands), *moves, last)
        if play.request is not None:
            assert not_answered(play, report).fault is Fault.NOT_NOW


@pytest.mark.cites("13:69F-40.12(a)")
def test_where_all_have_bet_before_the_four_cards_no_dealer_card_voids_the_round() -> None:
    play = answered(opened(), *cards("Ah Ad 4h", "Qs Qc 6h"), "bet")

    refusal = not_answered(play, {"irregularity": "dealer_card_exposed"})

    assert refusal.fault is Fault.NOT_NOW


@pytest.mark.cites("13:69F-40.12(a)")
@pytest.mark.parametrize(
    ("kind", "draw", "words"),
    [
        ("community_card_exposed", 7, "no community card has been dealt"),
        ("dealer_card_exposed", 4, "the dealer has no cards yet"),
        ("dealer_wrong_number_of_cards", 3, "the dealer has no cards yet"),
        ("dealer_wrong_number_exposed", 2, "the dealer has no cards yet"),
        ("wrong_number_of_cards", 1, "there is no such seat"),
        ("player_exposes_cards", 1, "there is no such seat"),
        ("stub_count_misdeal", 12, "the stub is counted when the cards are dealt"),
        ("shuffler_jams", 2, "cards have been dealt"),
        ("shuffler_count_wrong", 5, "cards have been dealt"),
        ("improper_cut", 1, "a device shuffles the cards"),
        ("card_face_up", END, "no card is due"),
        ("card_drawn_in_error", END, "no card is due"),
    ],
)
def test_what_cannot_have_happened_is_refused(kind: str, draw: int, words: str) -> None:
    refusal = cannot(cards("Ah Ad 4h", "Qs Qc 6h"), **before(draw, kind))

    assert refusal.fault is Fault.NOT_NOW
    assert words in refusal.message


def test_once_they_have_been_revealed_no_community_card_is_shown_too_early() -> None:
    play = answered(opened(), *cards("Ah Ad 4h", "Qs Qc 6h"), "check")

    refusal = not_answered(play, {"irregularity": "community_card_exposed"})

    assert "the community cards have been revealed" in refusal.message


@pytest.mark.cites("13:69F-40.12(e)", "13:69F-40.12(g)", "13:69F-40.7(g)")
@pytest.mark.parametrize(
    ("kind", "draw", "cite"),
    [
        ("shuffler_jams", 1, "12(e)"),
        ("shuffler_count_wrong", 1, "7(g)"),
        ("change_of_device", 1, "12(g)"),
        ("player_exposes_cards", 3, "12 (after 19:47-33.12(h))"),
        ("player_exposes_cards", END, "12 (after 19:47-33.12(h))"),
    ],
)
def test_some_things_are_set_right_and_the_round_goes_on(kind: str, draw: int, cite: str) -> None:
    told = dealt("Ah Ad 4h", "Qs Qc 6h", **before(draw, kind))

    assert mishap(told)[1] == cite
    assert told.net() == WON


@pytest.mark.cites("13:69F-40.12(f)")
def test_only_an_automated_shoe_jams() -> None:
    draws = "Ah Qs Ad Qc 4h 6h".split() + DULL.split()

    refusal = cannot(draws, options={"deal_method": "hand"}, **before(3, "dealing_shoe_jams"))

    assert "no automated shoe is used" in refusal.message


@pytest.mark.cites("13:69F-40.10")
@pytest.mark.parametrize(
    ("option", "cite"),
    [
        ("ante_when_unqualified_dealer_wins", "10(g)3i"), ("deal_method", "7"),
        ("automated_shuffler", "8(b)1"), ("second_deck", "2(b)"),
        ("bonus_spin_trigger_on_straight_flush", "1 (customary)"), ("bonus_spin_fixed_prize", "1"),
    ],
)  # fmt: skip
def test_an_option_takes_only_its_own_values(option: str, cite: str) -> None:
    assert wrong({option: "otherwise"}) == [(option, cite)]


# Sessions with the wheel, and everything that can go wrong.

SEATS = ("1", "2", "6")


@pytest.mark.parametrize("prizes", ["S1", "S4"])
@settings(max_examples=40)
@given(data=st.data())
def test_money_cards_and_the_meter_are_kept_in_every_session(
    prizes: str, data: st.DataObject
) -> None:
    table = sitting(spins(prizes))
    stake = STAKES[prizes]
    expected = Fraction({"S1": 1_000_000}.get(prizes, 0))
    for _ in range(3):
        table.open_betting()
        for seat in data.draw(st.sets(st.sampled_from(SEATS))):
            for label, amount in staked(player_bonus=500, bonus_spin=stake).items():
                table.bet(seat, label, amount)
        play = Play(table)
        mishaps = data.draw(st.lists(st.integers(0, 30), max_size=2))
        while play.request is not None:
            play.answer(_any_answer(play, data, len(play.answers) in mishaps))
            assert sum(table.money.values()) == 0
            assert table.money[LAYOUT] == sum(bet.stake for bet in table.bets.values())
            shoe = table.equipment
            assert sorted(shoe.everywhere) == sorted(shoe.composition)
        assert table.bets == {}
        made = [s for s in table.settlements if s.bet.wager.id == "bonus_spin"]
        if prizes == "S1":
            kept = sum(s.stake for s in made if s.result.value != "void")
            expected += Fraction(7 * kept, 100)
            if any(e.kind == "spin" and e.data["outcome"] == "1" for e in table.events):
                expected = Fraction(1_000_000)
            assert (table.state.meter.amount if table.state.meter else 1_000_000) == expected
        assert not table.state.spinning


def _any_answer(play: Play, data: st.DataObject, mishap: bool) -> Any:
    request = play.request
    if isinstance(request, Ask):
        move = data.draw(st.sampled_from(request.moves))
        return {move.name: move.low} if move.takes_amount else move.name
    assert isinstance(request, Draw | Inspect)
    kinds = [kind for kind in request.irregularities if kind not in request.barred]
    if mishap and kinds:
        kind = data.draw(st.sampled_from(kinds))
        seats = list(request.seats.get(kind, []))
        return {"irregularity": kind, **({"seat": seats[-1]} if seats else {})}
    if isinstance(request, Draw):
        outcomes = list(request.device.outcomes())
        hearts = [card for card in outcomes if str(card).endswith("h")]
        return request.device.say(data.draw(st.sampled_from(hearts or outcomes)))
    return None
