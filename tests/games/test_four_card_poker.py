"""Four card poker, N.J.A.C. 19:47-27: four of five cards against four of six, or a pay table."""

from collections import Counter
from collections.abc import Mapping
from itertools import pairwise, product
from typing import Any

import pytest

from croupier.analysis import analyze
from croupier.games import find_game
from croupier.games.four_card_poker import ACES_UP, ANTE_BONUS
from croupier.rulebook import Ask, Fault, Inspect, Play, Refusal, Table, by_chance, play_round
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

GAME = find_game("four-card-poker")

HANDS = {  # five cards of the player's, from the highest rank to the lowest
    "four_of_a_kind": "7s 7h 7d 7c 2s",
    "straight_flush": "9s 8s 7s 6s 2d",
    "three_of_a_kind": "7s 7h 7d 4c 2s",
    "flush": "Js 9s 7s 4s 2d",
    "straight": "9s 8h 7d 6c 2s",
    "two_pairs": "7s 7h 4d 4c 2s",
    "pair": "7s 7h 9d 4c 2s",
    "high_card": "As Kh 9d 4c 2s",
}
BEST = {  # of its kind, for the dealer, of six cards
    "four_of_a_kind": "Ad Ac Ah As Kd Qc", "straight_flush": "Ad Kd Qd Jd 4h 3c",
    "three_of_a_kind": "Ad Ac Ah Kd Jc 9h", "flush": "Ad Kd Qd Td 8c 5h",
    "straight": "Ad Kc Qh Jd 5c 5h",
    "two_pairs": "Ad Ac Kh Kd Jc 9h", "pair": "Ad Ac Kh Jd 9c 6h",
    "high_card": "Ad Kc Jh 9c 8d 5h",
}  # fmt: skip
PAIR, ACES, KINGS = HANDS["pair"], "As Ah 9d 4c 2s", "Ks Kh 9d 4c 2s"
NOTHING = HANDS["high_card"]
LOW, HIGH = "Td 8c 6h 5c 3d 2h", "Qs Qh Qd Qc Jd Td"  # the dealer's: ten high, and four queens
TIE, SAME = "As Kh 9d 8c 2s", "Ad Kc 9h 8s 5d 3h"  # both have ace, king, nine and eight

TERMS, PAYS = "27.6(a)1", "27.11 (published)"
ERRORS = "27.12 (after 19:47-20.12({}))"
BY_HAND = {"automated_shuffler": False, "deal_method": "manual_shoe"}
ANY_AMOUNT = {"play_increments": "any_amount"}
PLAY = {"play": 1000}


def dealt(player: str, dealer: str, *moves: Any, aces_up: int = 0, **others: Any) -> Told:
    """Ten dollars of seat 1, its five cards and the dealer's six: `dealt(PAIR, LOW, PLAY)`.

    From the automated shoe each hand comes as a packet; the dealer's sixth card is the last.
    """
    wagers = {"ante": 1000, **({"aces_up": aces_up} if aces_up else {})}
    return deal(GAME.id, f"{player} {dealer}".split(), wagers, moves=moves, **others)


def cannot(player: str, dealer: str, *moves: Any, **others: Any) -> Refusal:
    return refused(GAME.id, f"{player} {dealer}".split(), {"ante": 1000}, moves=moves, **others)


def before(draw: int, kind: str, **about: str) -> dict[str, Any]:
    return {"irregularities": [{"before_draw": draw, "kind": kind, **about}]}


def with_antes(options: Mapping[str, Any] | None = None, seats: str = "1") -> Table:
    """A table that is open already, with antes at these seats."""
    table = Table(GAME, options)
    table.state = GAME.in_play(table.state)
    for seat in seats:
        table.bet(seat, "ante", 1000)
    return table


def answered(table: Table, cards: str, *answers: Any) -> Play:
    """The round with these cards, then these answers: None where nothing irregular is reported."""
    play = Play(table)
    for answer in (*cards.split(), *answers):
        play.answer(answer)
    return play


def steps(told: Told | Table) -> list[tuple[str, str]]:
    """What was done with the hands, and by which rules."""
    if isinstance(told, Table):
        found = [event.as_json() for event in told.events if event.kind == "step"]
    else:
        found = told.events("step")
    return [(each["text"], cited(each)) for each in found]


def texts(told: Told | Table) -> list[str]:
    return [text for text, _ in steps(told)]


def money(told: Told, *kinds: str) -> list[tuple[str, str, int]]:
    events = [event for event in told.rounds[-1]["events"] if event["kind"] in kinds]
    return [(event["seat"], event["wager"], event["amount"]) for event in events]


def places(told: Told) -> list[str]:
    return [card["to"] for card in told.events("draw")]


# The table and the pack.


def test_a_table_has_up_to_seven_positions() -> None:
    table = Table(GAME)

    assert table.positions == list("1234567")
    assert turned_away(table, "ante", seat="8").fault is Fault.UNKNOWN_SEAT


@pytest.mark.cites("27.2")
def test_the_pack_has_52_cards_and_no_joker() -> None:
    pack = [rank + suit for rank, suit in product("23456789TJQKA", "cdhs")]

    assert Counter(map(str, Table(GAME).equipment.composition)) == Counter(pack)


@pytest.mark.cites("27.2")
def test_a_second_pack_is_used_only_where_a_device_shuffles_and_then_in_turn() -> None:
    wrong = {"packs": 2, "automated_shuffler": False}
    assert unlawful(GAME.id, wrong) == [("packs", "27.2 (after 13:69F-40.2(b))")]

    table = Table(GAME, {"packs": 2})
    used = []
    for _ in range(4):
        table.open_betting()
        table.bet("1", "ante", 500)
        play_round(table, by_chance(SeededStream(27)))
        used.append(table.state.pack)
    assert used in ([1, 2, 1, 2], [2, 1, 2, 1])


@pytest.mark.cites("27.4", "27.5")
def test_a_table_is_opened_with_an_inspection_and_a_shuffle_but_no_cut_by_a_device() -> None:
    table = Table(GAME)
    table.bet("1", "ante", 1000)
    Play(table)

    assert steps(table)[:2] == [
        ("The cards are inspected, spread face up and washed", "27.4 (after 13:69F-40.3)"),
        ("A device shuffles the cards", "27.5 (after 13:69F-40.4(a))"),
    ]
    assert not any("cuts" in text for text in texts(table))


@pytest.mark.cites("27.5")
def test_cards_that_the_dealer_shuffles_are_cut_and_ten_cards_at_least() -> None:
    told = dealt(PAIR, LOW, "fold", options={"automated_shuffler": False})

    assert steps(told)[-2:] == [
        ("The dealer shuffles the cards", "27.5 (after 13:69F-40.4(a))"),
        ("The dealer cuts the cards, at least 10 from the top", "27.5 (after 13:69F-40.4(c))"),
    ]


@pytest.mark.cites("27.5")
def test_every_round_is_dealt_from_a_full_pack() -> None:
    seat = {"wagers": {"ante": 1000}, "moves": [PLAY]}
    rounds = [{"draws": f"{PAIR} {LOW}".split(), "seats": {"1": seat}}] * 3

    assert run({"game": GAME.id, "rounds": rounds}).net() == 6000


@pytest.mark.cites("27.5")
def test_a_supervisor_may_have_the_cards_cut_again_before_any_is_dealt() -> None:
    by_hand, recut = {"automated_shuffler": False}, "27.5 (after 13:69F-40.4(d))"
    told = dealt(PAIR, LOW, "fold", options=by_hand, **before(1, "improper_cut"))

    assert cited(told.events("irregularity")[0]) == recut
    late = cannot(PAIR, LOW, options=by_hand, **before(2, "improper_cut"))
    says(late, Fault.NOT_NOW, "cards have been dealt", recut)
    device = cannot(PAIR, LOW, **before(1, "improper_cut"))
    says(device, Fault.NOT_NOW, "a device shuffles the cards", recut)


# What a hand is worth.


@pytest.mark.cites("27.3")
@pytest.mark.parametrize(("higher", "lower"), list(pairwise(HANDS)))
def test_a_hand_beats_the_best_of_the_next_lower_rank(higher: str, lower: str) -> None:
    assert dealt(HANDS[higher], BEST[lower], PLAY).result("ante") == ("win", 1000)


@pytest.mark.cites("27.3")
@pytest.mark.parametrize("kind", list(BEST))
def test_a_hand_loses_to_a_better_one_of_its_rank(kind: str) -> None:
    assert dealt(HANDS[kind], BEST[kind], PLAY).result("ante") == ("lose", -1000)


@pytest.mark.cites("27.3")
@pytest.mark.parametrize(
    ("player", "dealer", "result"),
    [
        ("As 2h 3d 4c 9s", "Kd Kc Qh Jd 8c 7h", "win"),  # the ace is low in a straight
        ("As 2h 3d 4c 9s", "2d 3c 4h 5d 9c Th", "lose"),  # and that is the lowest of them
        ("Qs Kh Ad 2c 9s", "3d 3c 8h 7d Jc Th", "lose"),  # it does not go round
        ("8s 8h 8d 2c 3s", "8c 9c 9h 9d 4h 2d", "lose"),
        ("As Ks 9s 8s 2d", "Ad Kd 9d 7d 5c 3h", "win"),  # flushes, card by card
        ("Ts Th 4d 4c As", "9d 9c 8h 8d Kc Qh", "win"),  # the higher pair of two
        ("Ts Th 4d 4c As", "Td Tc 5h 5d Kc 2h", "lose"),  # then the lower
        ("Ts Th 8d 4c 2s", "Td Tc 8h 3d 2c 5h", "lose"),  # two kickers, and the fifth is not one
    ],
)
def test_hands_of_a_kind_compare_by_rank(player: str, dealer: str, result: str) -> None:
    assert dealt(player, dealer, PLAY).result("ante")[0] == result


@pytest.mark.cites("27.3", "27.10")
def test_the_best_four_cards_are_found_wherever_they_lie() -> None:
    told = dealt("2s 7h 4d 7s 7d", "3d Tc 5c 5h Td 2h", PLAY)

    assert told.said()[1:] == [
        "Dealer has two pairs, tens and fives",
        "Seat 1 has three of a kind, sevens, four kicker",
    ]


# Wagers.


@pytest.mark.cites("27.6(a)")
def test_the_wagers_are_those_of_the_rule() -> None:
    assert [wager.id for wager in GAME.wagers] == ["ante", "play", "ante_bonus", "aces_up"]
    refusal = turned_away(Table(GAME), "blind")
    says(refusal, Fault.UNKNOWN_WAGER, "four card poker has no wager 'blind'", "27.6")


@pytest.mark.cites("27.6(a)1", "27.6(a)2")
@pytest.mark.parametrize("label", ["ante", "aces_up"])
def test_a_wager_is_within_the_posted_limits(label: str) -> None:
    table = Table(GAME, {"table_min": 1000, "table_max": 5000})

    assert turned_away(table, label, 999).fault is Fault.BELOW_MINIMUM
    assert turned_away(table, label, 5001).fault is Fault.ABOVE_MAXIMUM
    table.bet("1", label, 5000)


@pytest.mark.cites("27.6(a)1", "27.6(a)2", "27.6(a)3")
@pytest.mark.parametrize(
    ("wagers", "moves", "net"),
    [
        ({"ante": 1000}, [PLAY], 2000),
        ({"aces_up": 500}, [], 500),
        ({"ante": 1000, "aces_up": 500}, [PLAY], 2500),
    ],
)
def test_a_player_competes_against_the_dealer_the_table_or_both(
    wagers: dict[str, int], moves: list[Any], net: int
) -> None:
    assert deal(GAME.id, f"{ACES} {LOW}".split(), wagers, moves=moves).net() == net


@pytest.mark.cites("27.6(c)")
def test_a_player_who_has_cards_stays_until_the_round_is_over() -> None:
    play = answered(with_antes(), f"{PAIR} {LOW}", None)

    with pytest.raises(Refusal) as caught:
        play.table.leave("1")
    says(caught.value, Fault.NOT_NOW, "ante is still on the layout", "27.6")
    for answer in (PLAY, None, None):
        play.answer(answer)
    play.table.leave("1")


@pytest.mark.cites("27.6(d)")
def test_no_wager_is_made_increased_or_withdrawn_after_no_more_bets() -> None:
    table = with_antes()
    Play(table)

    for label, amount in (("ante", 2000), ("ante", 0), ("aces_up", 1000)):
        refusal = turned_away(table, label, amount)
        says(refusal, Fault.NO_MORE_BETS, "No more bets", "27.6(d)")


@pytest.mark.cites("27.6(d)")
def test_a_play_wager_is_not_made_before_the_cards() -> None:
    words = "made in the course of the round"

    says(turned_away(with_antes(), "play"), Fault.NOT_NOW, words, "27.6(d)")


@pytest.mark.cites("27.11")
def test_nothing_is_staked_on_the_ante_bonus() -> None:
    refusal = turned_away(with_antes(), "ante_bonus")

    says(refusal, Fault.NOT_NOW, "nothing is staked on it", PAYS)


@pytest.mark.cites("27.6(e)")
def test_a_player_may_have_two_adjacent_positions_where_the_licensee_permits_it() -> None:
    one, two = Table(GAME), Table(GAME, {"two_adjacent_positions": True})
    for table in (one, two):
        table.sit("3", "Ann")

    for table, seat, words in (
        (one, "4", "a player may wager on one position here"),
        (two, "5", "two positions must be adjacent, and 3 and 5 are not"),
    ):
        with pytest.raises(Refusal) as caught:
            table.sit(seat, "Ann")
        says(caught.value, Fault.NOT_NOW, words, "27.6(e)")
    two.sit("4", "Ann")
    with pytest.raises(Refusal) as caught:
        two.sit("5", "Ann")
    says(caught.value, Fault.NOT_NOW, "a player may wager on two positions here", "27.6(e)")


@pytest.mark.parametrize(
    ("option", "cite"),
    [
        ("ante_bonus_table", PAYS), ("aces_up_table", PAYS), ("play_increments", TERMS),
        ("two_adjacent_positions", "27.6(e)"), ("tie_rule", PAYS), ("deal_method", "27.6(d)"),
        ("settlement_order", "27.10 (after 19:47-20.10(c))"),
    ],
)  # fmt: skip
def test_an_option_takes_only_its_own_values(option: str, cite: str) -> None:
    assert unlawful(GAME.id, {option: "otherwise"}) == [(option, cite)]


# The deal.


@pytest.mark.cites("27.7", "27.8")
@pytest.mark.parametrize(
    ("method", "shuffler", "section"),
    [("manual_shoe", False, "27.7"), ("manual_shoe", True, "27.7"), ("hand", True, "27.8")],
)
def test_from_a_shoe_or_the_hand_cards_are_dealt_one_by_one(
    method: str, shuffler: bool, section: str
) -> None:
    hands = [PAIR.split(), "As Kh Qs 5h 3s".split(), LOW.split()]
    cards = [*(hand[at] for at in range(5) for hand in hands), LOW.split()[5]]
    seats = {seat: {"wagers": {"ante": 1000}, "moves": ["fold"]} for seat in ("2", "5")}

    told = deal(GAME.id, cards, seats=seats,
                options={"deal_method": method, "automated_shuffler": shuffler})  # fmt: skip

    assert places(told) == [*["2", "5", "dealer"] * 5, "dealer"]
    assert (f"The cards are dealt from the {method.rpartition('_')[2]}, one at a time",
            f"{section} (after 19:47-20.8(c))") in steps(told)  # fmt: skip


@pytest.mark.cites("27.9")
def test_the_automated_shoe_gives_each_hand_a_packet_and_the_dealer_one_card_more() -> None:
    seats = {seat: {"wagers": {"ante": 1000}, "moves": ["fold"]} for seat in ("2", "5")}
    told = deal(GAME.id, f"{PAIR} As Kh Qs 5h 3s {LOW}".split(), seats=seats)

    assert places(told) == [*"22222", *"55555", *["dealer"] * 6]
    words = "The automated shoe gives each hand a packet"
    assert (words, "27.9 (after 19:47-20.9(c))") in steps(told)


@pytest.mark.cites("27.7", "27.8", "27.9")
@pytest.mark.parametrize(
    ("method", "cite"),
    [
        ("manual_shoe", "27.7 (customary)"),
        ("hand", "27.8 (after 19:47-20.8(b)3)"),
        ("automated_shoe", "27.9 (after 19:47-20.9(b)2)"),
    ],
)
def test_betting_is_closed_and_only_the_dealers_sixth_card_lies_face_up(
    method: str, cite: str
) -> None:
    table = with_antes({"deal_method": method})
    play_round(table, by_chance(SeededStream(5)))

    draws = [event.data for event in table.events if event.kind == "draw"]
    up = [number for number, card in enumerate(draws, 1) if "outcome" in card]
    assert (len(draws), up, draws[10]["to"]) == (11, [11], "dealer")
    (said,) = [event for event in table.events if event.data.get("text") == "No more bets"]
    assert str(said.cite) == f"19:47-{cite}"


@pytest.mark.cites("27.8")
def test_cards_are_dealt_from_the_hand_only_if_a_device_shuffles_them() -> None:
    wrong = {"deal_method": "hand", "automated_shuffler": False}

    assert unlawful(GAME.id, wrong) == [("deal_method", "27.8 (after 19:47-20.8(b)1)")]


@pytest.mark.cites("27.8")
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
        stub = ("The stub goes to the discard rack, unseen", "27.7 (after 13:69F-40.7(e))")
        assert stub in steps(table)
        if ("The dealer counts the stub face down", "27.7 (after 13:69F-40.7(f))") in steps(table):
            counted.append(number)

    assert counted == counts


def test_only_seats_with_a_wager_get_cards_and_nobody_plays_without_one() -> None:
    table = with_antes(seats="3")
    table.bet("6", "aces_up", 500)
    play_round(table, by_chance(SeededStream(5)))
    got = {event.data["to"] for event in table.events if event.kind == "draw"}
    assert got == {"3", "6", "dealer"}

    told = deal(GAME.id, [], seats={"1": {"wagers": {}}})
    assert texts(told) == ["Nobody plays, and no cards are dealt"]


def test_a_player_sees_his_own_cards_and_of_the_dealers_only_the_sixth() -> None:
    second, up_card = "3s 5h 6d 8h Ts", "2h"
    play = answered(with_antes(seats="12"), f"{PAIR} {second} {LOW}", None)

    def seen(seat: str | None) -> set[str]:
        events = play.table.view(seat)["events"]
        return {event["outcome"] for event in events if "outcome" in event}

    assert seen("1") == {*PAIR.split(), up_card}
    assert seen("2") == {*second.split(), up_card}
    assert seen(None) == {up_card}


# Play or fold.


@pytest.mark.cites("27.10")
def test_players_with_an_ante_are_asked_once_clockwise_when_all_cards_are_dealt() -> None:
    table = with_antes(seats="146")
    table.bet("3", "aces_up", 1000)
    play, stream = Play(table), by_chance(SeededStream(7))
    asked = []
    while play.request is not None:
        if isinstance(play.request, Ask):
            assert table.equipment.cards_left == 52 - 4 * 5 - 6
            asked.append((play.request.seat, [str(move) for move in play.request.moves]))
        play.answer(stream(play.request))

    moves = ["fold", "play (1000 to 3000 cents)"]
    assert asked == [(seat, moves) for seat in ("1", "4", "6")]


@pytest.mark.cites("27.6(a)1", "27.10")
@pytest.mark.parametrize("amount", [1000, 2000, 3000])
@pytest.mark.parametrize("options", [{}, ANY_AMOUNT])
def test_a_play_wager_is_one_two_or_three_times_the_ante(
    amount: int, options: dict[str, str]
) -> None:
    told = dealt(PAIR, LOW, {"play": amount}, options=options)

    assert told.result("play") == ("win", amount)
    assert told.result("ante") == ("win", 1000)


@pytest.mark.cites("27.6(a)1")
@pytest.mark.parametrize(
    ("options", "amounts"),
    [
        ({}, (0, 1, 500, 999, 1001, 1500, 2500, 3001, 4000, True, "1000", None)),
        (ANY_AMOUNT, (0, 1, 999, 3001, 4000, 1000.5, True, "1000", None)),
        ({**ANY_AMOUNT, "increment": 500}, (999, 1001, 1100, 3500)),
    ],
)
def test_no_other_amount_is_taken(options: dict[str, Any], amounts: tuple[Any, ...]) -> None:
    play = answered(with_antes(options), f"{PAIR} {LOW}", None)

    for amount in amounts:
        refusal = not_answered(play, {"play": amount})
        says(refusal, Fault.ILLEGAL_MOVE, "seat 1 may play (1000 to 3000 cents), not", TERMS)


@pytest.mark.cites("27.6(a)1")
@pytest.mark.parametrize(
    ("options", "amount"),
    [(ANY_AMOUNT, 1001), (ANY_AMOUNT, 2999), ({**ANY_AMOUNT, "increment": 500}, 1500)],
)
def test_where_the_table_says_so_any_amount_from_one_to_three_antes_is_taken(
    options: dict[str, Any], amount: int
) -> None:
    assert dealt(PAIR, LOW, {"play": amount}, options=options).result("play") == ("win", amount)


@pytest.mark.cites("27.10")
@pytest.mark.parametrize("move", ["play", "check", "raise", {"fold": 1000}, None])
def test_there_is_no_third_choice_and_a_play_wager_names_its_amount(move: Any) -> None:
    play = answered(with_antes(), f"{PAIR} {LOW}", None)

    says(not_answered(play, move), Fault.ILLEGAL_MOVE, "seat 1 may", TERMS)


@pytest.mark.cites("27.10")
def test_who_folds_loses_the_ante_with_aces_up_and_earns_no_bonus() -> None:
    told = dealt(HANDS["four_of_a_kind"], LOW, "fold", aces_up=500)

    assert told.result("ante") == ("lose", -1000)
    assert told.result("aces_up") == ("lose", -500)
    assert told.net() == -1500
    assert cited(told.settled("aces_up")) == "27.10 (after 19:47-20.10(b))"
    assert ("The cards are picked up", "27.10 (after 19:47-20.10(b))") in steps(told)
    assert told.events("reveal") == []


@pytest.mark.cites("27.10")
def test_a_fold_is_what_the_rules_do_when_a_player_will_not_play() -> None:
    play = answered(with_antes(), f"{PAIR} {LOW}", None)

    assert isinstance(play.request, Ask)
    assert (play.request.default, play.request.offer) == ("fold", False)
    says(cannot(PAIR, LOW), Fault.BAD_SCRIPT, "seat 1 must fold or play", TERMS)


@pytest.mark.cites("27.10")
def test_given_one_who_folds_then_the_other_plays_on() -> None:
    seats = {
        "1": {"wagers": {"ante": 1000}, "moves": ["fold"]},
        "2": {"wagers": {"ante": 2000}, "moves": [{"play": 6000}]},
    }
    told = deal(GAME.id, f"{PAIR} As Ah 5h 4s 3s {LOW}".split(), seats=seats)

    assert (told.net("1"), told.net("2")) == (-1000, 8000)
    assert [event["hand"] for event in told.events("reveal")] == ["dealer", "2"]


@pytest.mark.cites("27.6(a)2", "27.10")
def test_a_player_with_aces_up_alone_has_nothing_to_decide() -> None:
    refusal = refused(GAME.id, f"{ACES} {LOW}".split(), {"aces_up": 500}, moves=[PLAY])

    assert "seat 1 was never asked" in refusal.message


# Against the dealer.


@pytest.mark.cites("27.10")
def test_there_is_no_qualifying_hand_and_the_higher_hand_wins_both_wagers() -> None:
    won, lost = dealt(PAIR, LOW, {"play": 3000}), dealt(PAIR, BEST["pair"], {"play": 3000})

    assert (won.result("ante"), won.result("play")) == (("win", 1000), ("win", 3000))
    assert (lost.result("ante"), lost.result("play")) == (("lose", -1000), ("lose", -3000))
    assert won.settled("play")["pays"] == "1 to 1"
    assert cited(won.settled("play")) == PAYS


@pytest.mark.cites("27.10", "27.11")
@pytest.mark.parametrize(
    ("options", "ante", "play"),
    [
        ({}, ("win", 1000), ("win", 2000)),
        ({"tie_rule": "player_wins"}, ("win", 1000), ("win", 2000)),
        ({"tie_rule": "push"}, ("push", 0), ("push", 0)),
    ],
)
def test_equal_hands_are_the_players_unless_the_table_returns_wagers(
    options: dict[str, str], ante: tuple[str, int], play: tuple[str, int]
) -> None:
    told = dealt(TIE, SAME, {"play": 2000}, options=options)

    assert (told.result("ante"), told.result("play")) == (ante, play)


@pytest.mark.cites("27.10")
@pytest.mark.parametrize(
    ("order", "moved"),
    [
        ("by_player", [("3", "ante", 1000), ("3", "play", 1000), ("2", "ante", 1000),
                       ("2", "play", 1000), ("1", "ante", 1000), ("1", "play", 1000),
                       ("1", "ante_bonus", 2000), ("1", "aces_up", 4000)]),
        ("by_step", [("2", "ante", 1000), ("2", "play", 1000), ("3", "ante", 1000),
                     ("3", "play", 1000), ("1", "ante", 1000), ("1", "play", 1000),
                     ("1", "ante_bonus", 2000), ("1", "aces_up", 4000)]),
    ],
)  # fmt: skip
def test_players_are_settled_from_the_dealers_right(
    order: str, moved: list[tuple[str, str, int]]
) -> None:
    """Player by player or, step by step, first all that is lost; seat 2 has lost."""
    cards = f"7s 7h 7d 4c 2s 9s 8h 5d 4s 2d As Ah Jc 5h 3s {LOW}".split()
    seats = {
        "1": {"wagers": {"ante": 1000, "aces_up": 500}, "moves": [PLAY]},
        "2": {"wagers": {"ante": 1000}, "moves": [PLAY]},
        "3": {"wagers": {"ante": 1000}, "moves": [PLAY]},
    }

    told = deal(GAME.id, cards, seats=seats, options={"settlement_order": order})

    assert money(told, "pay", "collect", "return") == moved
    assert {cited(event) for event in told.events("pay")} == {"27.10 (after 19:47-20.10(c))"}


@pytest.mark.cites("27.10")
def test_the_dealer_turns_all_six_cards_and_they_are_collected_at_the_end() -> None:
    told = dealt(PAIR, LOW, PLAY)

    assert told.events("reveal")[0]["cards"] == LOW.split()
    assert ("The cards are picked up", "27.10 (after 19:47-20.10(d))") in steps(told)


# Payments.


@pytest.mark.cites("27.11")
@pytest.mark.parametrize(
    ("table", "hand", "odds"),
    [
        (1, "four_of_a_kind", 25), (1, "straight_flush", 20), (1, "three_of_a_kind", 2),
        (2, "four_of_a_kind", 30), (2, "straight_flush", 15), (2, "three_of_a_kind", 2),
    ],
)  # fmt: skip
@pytest.mark.parametrize("dealer", [LOW, HIGH])
def test_the_ante_bonus_is_paid_on_the_ante_whatever_the_dealer_holds(
    table: int, hand: str, odds: int, dealer: str
) -> None:
    told = dealt(HANDS[hand], dealer, {"play": 3000}, options={"ante_bonus_table": table})

    assert told.result("ante_bonus") == ("win", 1000 * odds)
    assert told.result("ante")[0] == ("win" if dealer == LOW else "lose")
    assert cited(told.settled("ante_bonus")) == PAYS


@pytest.mark.cites("27.11")
@pytest.mark.parametrize("hand", ["flush", "straight", "two_pairs", "pair", "high_card"])
def test_below_three_of_a_kind_there_is_no_bonus(hand: str) -> None:
    told = dealt(HANDS[hand], LOW, PLAY)

    assert [settled["wager"] for settled in told.rounds[0]["settlements"]] == ["ante", "play"]


@pytest.mark.cites("27.11")
def test_without_an_ante_there_is_no_bonus() -> None:
    cards = f"{HANDS['four_of_a_kind']} {LOW}".split()

    assert deal(GAME.id, cards, {"aces_up": 500}).net() == 50 * 500


LINES = (*list(HANDS)[:6], "pair_of_aces")


@pytest.mark.cites("27.11")
@pytest.mark.parametrize(
    ("table", "line", "odds"),
    [
        (table, line, odds)
        for table, pays in {
            "U1": (50, 40, 8, 5, 4, 3, 1), "U2": (50, 40, 9, 6, 4, 2, 1),
            "U3": (50, 40, 7, 5, 4, 3, 1), "U4": (50, 40, 8, 6, 4, 2, 1),
        }.items()
        for line, odds in zip(LINES, pays, strict=True)
    ],
)  # fmt: skip
@pytest.mark.parametrize("dealer", [LOW, HIGH])
def test_aces_up_is_paid_by_its_table_whatever_the_dealer_holds(
    table: str, line: str, odds: int, dealer: str
) -> None:
    hand = ACES if line == "pair_of_aces" else HANDS[line]

    told = dealt(hand, dealer, PLAY, aces_up=500, options={"aces_up_table": table})

    assert told.result("aces_up") == ("win", 500 * odds)
    assert (told.settled("aces_up")["line"], cited(told.settled("aces_up"))) == (line, PAYS)


@pytest.mark.cites("27.11")
@pytest.mark.parametrize("hand", [KINGS, PAIR, NOTHING])
def test_anything_below_a_pair_of_aces_loses_aces_up(hand: str) -> None:
    assert dealt(hand, LOW, PLAY, aces_up=500).result("aces_up") == ("lose", -500)


@pytest.mark.cites("27.11")
@pytest.mark.parametrize(
    ("wager", "line", "hand"),
    [
        ("ante", "win", "pair"), ("play", "win", "pair"),
        *(("ante_bonus", line, line) for line in ANTE_BONUS[1]),
        *(("aces_up", line, line) for line in ACES_UP["U1"]),
    ],
)  # fmt: skip
def test_a_table_may_pay_better_but_not_worse(wager: str, line: str, hand: str) -> None:
    least = GAME.by_id[wager].minimum(GAME.options())[line].win
    cards = ACES if hand == "pair_of_aces" else HANDS[hand]
    better = {"higher_odds": {f"{wager}.{line}": f"{least + 1} to 1"}}

    told = dealt(cards, LOW, PLAY, aces_up=1000, options=better)

    assert told.result(wager) == ("win", 1000 * (least + 1))
    worse = {"higher_odds": {f"{wager}.{line}": f"{least * 2 - 1} to 2"}}
    assert unlawful(GAME.id, worse) == [("higher_odds", PAYS)]


def test_given_better_odds_that_leave_a_part_of_a_cent_then_it_is_rounded_down() -> None:
    better = {"higher_odds": {"play": "4 to 3", "ante_bonus.three_of_a_kind": "7 to 3"}}

    told = dealt(HANDS["three_of_a_kind"], LOW, PLAY, options=better)

    assert told.result("play") == ("win", 1333)
    assert told.result("ante_bonus") == ("win", 2333)


@pytest.mark.cites("27.10", "27.11")
def test_each_wager_played_best_loses_what_was_published() -> None:
    edges = {report.wager.id: float(report.house_edge) for report in analyze(GAME, GAME.options())}

    assert edges == {"ante": pytest.approx(0.027879, abs=5e-7),
                     "aces_up": pytest.approx(0.0389, abs=5e-5)}  # fmt: skip


# Irregularities.


@pytest.mark.cites("27.12")
@pytest.mark.parametrize("draw", [1, 4, 11])
def test_a_card_found_face_up_is_not_used_and_the_deal_goes_on(draw: int) -> None:
    cards = f"{PAIR} {LOW}".split()
    cards.insert(draw - 1, "Kd")

    told = deal(GAME.id, cards, {"ante": 1000}, moves=[PLAY], **before(draw, "card_face_up"))

    assert told.net() == 2000
    assert places(told)[draw - 1] == "discards"
    assert cited(told.events("irregularity")[0]) == ERRORS.format("a")


@pytest.mark.cites("27.12")
def test_a_second_card_found_face_up_voids_the_round() -> None:
    both_found = [{"before_draw": at, "kind": "card_face_up"} for at in (2, 5)]
    told = deal(GAME.id, "7s Kd 7h 9d Qd".split(), {"ante": 1000}, irregularities=both_found)

    assert told.rounds[0]["void"]
    assert told.result("ante") == ("void", 0)


@pytest.mark.cites("27.12")
@pytest.mark.parametrize(
    ("kind", "cite"),
    [
        ("cards_face_up", ERRORS.format("a")),
        ("wrong_number_of_cards", ERRORS.format("c")),
        ("dealing_shoe_jams", "27.12 (after 13:69F-40.12(f))"),
    ],
)
@pytest.mark.parametrize("draw", [1, 6, 11])
def test_what_spoils_the_deal_voids_the_round(kind: str, cite: str, draw: int) -> None:
    cards = f"{PAIR} {LOW}".split()[: draw - 1]

    told = deal(GAME.id, cards, {"ante": 1000, "aces_up": 500}, **before(draw, kind))

    assert told.rounds[0]["void"]
    for wager in ("ante", "aces_up"):
        assert told.result(wager) == ("void", 0)
        assert cited(told.settled(wager)) == cite


@pytest.mark.cites("27.12")
def test_a_card_drawn_in_error_and_not_seen_is_the_next_card() -> None:
    told = dealt(PAIR, LOW, PLAY, **before(3, "card_drawn_in_error"))

    assert told.net() == 2000
    assert cited(told.events("irregularity")[0]) == ERRORS.format("b")


@pytest.mark.cites("27.12")
@pytest.mark.parametrize("draw", [7, 11, 12])
def test_a_hidden_card_of_the_dealers_that_is_exposed_voids_the_round(draw: int) -> None:
    cards = f"{PAIR} {LOW}".split()[: draw - 1]

    told = deal(GAME.id, cards, {"ante": 1000}, **before(draw, "dealer_card_exposed"))

    assert told.rounds[0]["void"]
    assert cited(told.settled("ante")) == ERRORS.format("d")


@pytest.mark.cites("27.12")
@pytest.mark.parametrize("first", ["fold", PLAY])
def test_a_hidden_card_exposed_between_two_players_decisions_voids_the_round(first: Any) -> None:
    table = with_antes(seats="12")
    play = answered(table, f"{PAIR} As Ah 5h 4s 3s {LOW}", None, first)

    play.answer({"irregularity": "dealer_card_exposed"})

    assert play.request is None
    assert table.is_void
    assert (table.money["1"], table.money["2"]) == (0, 0)
    (told,) = [event for event in table.events if event.kind == "irregularity"]
    assert str(told.cite) == f"19:47-{ERRORS.format('d')}"


@pytest.mark.cites("27.12")
def test_it_does_so_until_the_dealer_reveals_his_hand_but_not_before_he_has_cards() -> None:
    early = cannot(PAIR, LOW, **before(5, "dealer_card_exposed"))
    says(early, Fault.NOT_NOW, "the dealer has no cards yet", ERRORS.format("d"))

    decided = answered(with_antes(), f"{PAIR} {LOW}", None, PLAY)
    decided.answer({"irregularity": "dealer_card_exposed"})
    assert decided.table.is_void
    assert decided.table.money["1"] == 0

    revealed = answered(with_antes(), f"{PAIR} {LOW}", None, PLAY, None)
    late = not_answered(revealed, {"irregularity": "dealer_card_exposed"})
    says(late, Fault.NOT_NOW, "the dealer has revealed his hand", ERRORS.format("d"))


@pytest.mark.cites("27.12")
def test_given_a_void_round_then_even_a_folded_hand_gets_its_wagers_back() -> None:
    table = with_antes(seats="12")
    table.bet("1", "aces_up", 500)
    play = answered(table, f"{PAIR} As Ah 5h 4s 3s {LOW}", None, "fold", None, {"play": 2000})
    assert table.money["1"] == -1500

    play.answer({"irregularity": "wrong_number_of_cards"})

    assert table.is_void
    assert (table.money["1"], table.money["2"]) == (0, 0)
    assert all(settled.net == 0 for settled in table.settlements)
    assert table.equipment.cards_left == 52


@pytest.mark.cites("27.7")
@pytest.mark.parametrize(
    ("kind", "replaced"), [("stub_count_misdeal", False), ("stub_count_wrong", True)]
)
def test_a_stub_of_a_wrong_number_of_cards_voids_the_round(kind: str, replaced: bool) -> None:
    told = deal(GAME.id, f"{PAIR} {LOW}".split(), {"ante": 1000}, **before(12, kind))

    assert told.rounds[0]["void"]
    assert cited(told.settled("ante")) == "27.7 (after 13:69F-40.7(f)2)"
    assert ("The pack is taken from the table and replaced" in texts(told)) == replaced
    early = cannot(PAIR, LOW, **before(11, kind))
    assert "the stub is counted when the cards are dealt" in early.message


@pytest.mark.cites("27.7", "27.12")
@pytest.mark.parametrize(
    ("kind", "cite", "replaced"),
    [
        ("shuffler_count_wrong", "27.7 (after 19:47-20.7(f))", True),
        ("shuffler_jams", "27.12 (after 13:69F-40.12(e))", False),
    ],
)
def test_what_the_shuffler_does_wrong_is_put_right_before_the_deal(
    kind: str, cite: str, replaced: bool
) -> None:
    told = dealt(PAIR, LOW, PLAY, **before(1, kind))

    assert told.net() == 2000
    assert cited(told.events("irregularity")[0]) == cite
    assert ("The pack is taken from the table and replaced" in texts(told)) == replaced
    says(cannot(PAIR, LOW, **before(2, kind)), Fault.NOT_NOW, "have been dealt", cite)
    no_device = cannot(PAIR, LOW, options=BY_HAND, **before(1, kind))
    says(no_device, Fault.NOT_NOW, "the dealer shuffles the cards", cite)


@pytest.mark.cites("27.12")
def test_only_an_automated_shoe_can_jam() -> None:
    options = {"deal_method": "hand"}
    refusal = cannot(PAIR, LOW, options=options, **before(2, "dealing_shoe_jams"))

    says(refusal, Fault.NOT_NOW, "no automated shoe is used", "27.12 (after 13:69F-40.12(f))")


@pytest.mark.cites("27.12")
def test_a_device_is_first_taken_from_the_table_when_another_method_is_to_be_used() -> None:
    told = dealt(PAIR, LOW, PLAY, **before(1, "change_of_device"))

    assert told.net() == 2000
    assert cited(told.events("irregularity")[0]) == "27.12 (after 13:69F-40.12(g))"


@pytest.mark.cites("27.12")
def test_the_hand_of_a_player_who_shows_his_cards_stays_live() -> None:
    told = dealt(PAIR, LOW, PLAY, **before(8, "player_exposes_cards", seat="1"))

    assert told.net() == 2000
    early = cannot(PAIR, LOW, **before(1, "player_exposes_cards", seat="1"))
    says(early, Fault.NOT_NOW, "there is no such seat", "27.12 (after 19:47-33.12(h))")


def test_cards_are_not_found_face_up_when_none_is_due() -> None:
    play = answered(with_antes(), f"{PAIR} {LOW}")

    assert isinstance(play.request, Inspect)
    for kind in ("card_face_up", "cards_face_up", "card_drawn_in_error"):
        assert "no card is due" in not_answered(play, {"irregularity": kind}).message


# Scripts that cannot be played.


@pytest.mark.parametrize(
    ("cards", "words"),
    [
        (f"{PAIR} Td 8c 6h 5c 3d 7s", "no seven of spades (7s) is left in the pack"),
        (f"{PAIR} Td 8c 6h 5c 3d Jk", "joker"),
        (f"{PAIR} Td 8c 6h 5c 3d 1d", "'1d' is not a card"),
        (f"{PAIR} Td 8c 6h 5c", "gives 9 draws and needs at least 2 more"),
    ],
)
def test_a_script_of_impossible_cards_is_refused(cards: str, words: str) -> None:
    refusal = refused(GAME.id, cards.split(), {"ante": 1000}, moves=[PLAY])

    assert words in refusal.message


def test_a_move_that_nobody_asked_for_is_refused() -> None:
    refusal = cannot(PAIR, LOW, PLAY, PLAY)

    assert refusal.fault is Fault.BAD_SCRIPT
    assert "seat 1 was never asked for its move {'play': 1000}" in refusal.message
