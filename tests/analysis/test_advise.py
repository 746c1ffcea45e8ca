"""What a move is worth with the cards in view, against the solver and against the literature."""

from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
import pytest

from croupier.analysis.advise import Advised, advise
from croupier.analysis.report import analyze
from croupier.analysis.sets import holdings, number_of
from croupier.analysis.showdown import Pack, Poker
from croupier.analysis.strategy import holding
from croupier.equipment import RANKS, Card, deck
from croupier.ranking import FIVE, rank
from croupier.ranking.bulk import number
from croupier.rulebook import Fault, Refusal, Unlawful
from tests.poker import (
    BONUS,
    CARIBBEAN,
    DOUBLE_DOWN,
    FOUR_CARD,
    LET_IT_RIDE,
    PREMIUM,
    THREE_CARD,
    ULTIMATE,
    game_of,
)

Given = Mapping[str, Any]


def cards(text: str) -> tuple[Card, ...]:
    return tuple(map(Card.parse, text.split()))


def advice(name: str, own: str, board: str = "", up: str = "", **options: Any) -> Advised:
    game = game_of(name)
    return advise(game, game.options(options), cards(own), cards(board), cards(up))


def close(value: Fraction, published: float, within: float = 0.0005) -> bool:
    return abs(float(value) - published) < within


# The best move and what it is worth.


def test_the_example_of_the_contract() -> None:
    advised = advice(ULTIMATE, "Ah 7c", "7d 2s Kc")
    assert advised.best == "bet 2x"
    assert list(advised.values) == ["check", "bet 2x"]
    assert advised.values["bet 2x"] > advised.values["check"]
    assert advised.stage.title == "after the flop"
    assert [str(choice) for choice in advised.before] == ["check"]
    assert "seven" in advised.hand.lower()


def test_three_card_poker_turns_at_queen_six_four() -> None:
    below, from_there = (advice(THREE_CARD, own) for own in ("Qh 6c 3d", "Qh 6c 4d"))
    assert below.values["play 1x"] < -1 < from_there.values["play 1x"]
    assert (below.best, from_there.best) == ("fold", "play 1x")
    assert close(from_there.values["play 1x"], -0.993378)
    assert close(below.values["play 1x"], -1.00255)


def test_caribbean_stud_goes_by_the_up_card() -> None:
    assert advice(CARIBBEAN, "2c 2d 3h 4s 6c", up="As").best == "bet 2x"
    assert advice(CARIBBEAN, "Ac Qd Jh 9s 8c", up="2s").best == "fold"
    # Ace and king with an up card that he also holds: play; high and not held: do not.
    assert advice(CARIBBEAN, "Ac Kd 8h 6s 3c", up="8s").best == "bet 2x"
    assert advice(CARIBBEAN, "Ac Kd 8h 6s 3c", up="Qs").best == "fold"


def test_four_card_poker_plays_three_times_or_once() -> None:
    assert advice(FOUR_CARD, "Ac Ad 7h 6s 3c", up="2s").best == "play 3x"
    values = advice(FOUR_CARD, "5c 5d 8h 9s 3c", up="Ks").values
    once, twice, thrice = (values[f"play {n}x"] for n in (1, 2, 3))
    assert twice - once == thrice - twice < 0  # every ante more is worth the same
    assert advice(FOUR_CARD, "2c 3d 8h 9s Kc", up="Qs").best == "fold"


@pytest.mark.parametrize(
    ("own", "board", "best"),
    [
        ("6c", "6d 9h Ks", "double 1x"),  # a pair of sixes or better
        ("Ac", "Ad 9h Ks", "double 1x"),
        ("9c", "9d 9h Ks", "double 1x"),
        ("4c", "4d 3h 3s", "double 1x"),
        ("2c", "7c 9c Kc", "double 1x"),  # four to a flush
        ("3c", "4d 5h 6s", "double 1x"),  # and to a straight, open at both ends
        ("8c", "9d Th Js", "double 1x"),
        ("5c", "5d 9h Ks", "stand"),
        ("2c", "2d 9h Ks", "stand"),
        ("3c", "4d 5h 7s", "stand"),  # open in the middle
        ("2c", "7d 9h Ks", "stand"),
    ],
)
def test_double_down_stud_by_the_literature(own: str, board: str, best: str) -> None:
    values = advice(DOUBLE_DOWN, own, board).values
    assert max(values, key=lambda move: values[move]) == best
    assert values["stand"] != values["double 1x"]


@pytest.mark.parametrize(("own", "board"), [("2c", "3d 4h 5s"), ("Jc", "Qd Kh As")])
def test_double_down_stud_where_either_is_as_good(own: str, board: str) -> None:
    values = advice(DOUBLE_DOWN, own, board).values
    assert values["stand"] == values["double 1x"] == 0


def test_a_pair_of_sixes_cannot_lose_when_it_is_doubled() -> None:
    """It is returned if it stays what it is; three sixes pay 3 to 1, two pairs 2 to 1."""
    values = advice(DOUBLE_DOWN, "6c", "6d 9h Ks").values
    once = Fraction(2 * 3 + 6 * 2, 48)  # two sixes; three nines and three kings
    assert values == {"stand": once, "double 1x": 2 * once}


STRAIGHTS_OF_FOUR = [
    "2c 3d 4h 5s", "3c 4d 5h 6s", "4c 5d 6h 7s", "5c 6d 7h 8s", "6c 7d 8h 9s",
    "Jc Qd Kh As", "Tc Jd Qh As", "Tc Jd Kh As", "Tc Qd Kh As",
]  # fmt: skip


@pytest.mark.parametrize("four", STRAIGHTS_OF_FOUR)
def test_let_it_ride_where_either_is_as_good(four: str) -> None:
    own, board = four[:8], four[9:]
    values = advice(LET_IT_RIDE, own, board).values
    assert values["withdraw_2"] == values["let_ride_2"]


@pytest.mark.parametrize(
    ("own", "board", "best"),
    [
        ("Tc Td 3h", "", "let_ride_1"), ("9c 9d 3h", "", "withdraw_1"),
        ("Tc Qc Ac", "", "let_ride_1"), ("3c 4c 5c", "", "let_ride_1"),
        ("2c 3c 4c", "", "withdraw_1"), ("Ac 2c 3c", "", "withdraw_1"),
        ("8c 9c Jc", "", "let_ride_1"), ("5c 6c 8c", "", "withdraw_1"),
        ("2c 7c 9c", "Kc", "let_ride_2"), ("7c 8d 9h", "Ts", "let_ride_2"),
        ("Tc Jd 4h", "Ts", "let_ride_2"), ("9c 9d 4h", "Ts", "withdraw_2"),
    ],
)  # fmt: skip
def test_let_it_ride_by_the_literature(own: str, board: str, best: str) -> None:
    assert advice(LET_IT_RIDE, own, board).best == best


def test_what_the_cards_make_is_told_where_there_are_enough() -> None:
    assert advice(ULTIMATE, "Ah 7c").hand == ""
    assert advice(DOUBLE_DOWN, "6c", "6d 9h Ks").hand == ""
    three = rank(cards("6c 6d 9h"), game_of(THREE_CARD).ladder)
    assert advice(THREE_CARD, "6c 6d 9h").hand == three.describe()


# The same as the solver.


def solved(name: str, own: str) -> dict[str, Fraction]:
    """What the solver found each first move to be worth."""
    game = game_of(name)
    solver = Poker(game, game.options({}))
    at = number_of(np.array([number(card) for card in cards(own)], np.int64))
    each = solver.deals // comb(52, game.own_cards) * solver.pays[1]
    worth = solver.solved["values"][:, at].tolist()
    moves = map(str, solver.tree.choices[0])
    return {move: Fraction(value, each) for move, value in zip(moves, worth, strict=True)}


@pytest.mark.parametrize("name", [BONUS, ULTIMATE])
@pytest.mark.parametrize("own", ["Ah 7c", "7h 2c", "8s 7s"])
def test_the_first_of_many_decisions_is_looked_up(name: str, own: str) -> None:
    assert advice(name, own).values == solved(name, own)


@pytest.mark.parametrize("own", ["Th 7c 2d", "Th Jh Qh", "9c 9d 2h"])
def test_a_first_decision_that_is_gone_through_is_what_the_solver_says(own: str) -> None:
    assert advice(LET_IT_RIDE, own).values == solved(LET_IT_RIDE, own)


@pytest.mark.parametrize("name", [ULTIMATE, PREMIUM, LET_IT_RIDE, BONUS])
def test_starting_hands_weighted_by_chance_add_up_to_the_return(name: str) -> None:
    game = game_of(name)
    solver = Poker(game, game.options({}))
    _, numbers = holdings(game.own_cards, solver.pack.ranks, solver.pack.suits)
    best = solver.solved["values"][:, numbers].max(axis=0)
    total = sum(best.tolist())
    assert Fraction(total, solver.deals * solver.pays[1]) == -solver.main_report().house_edge


def test_three_card_poker_hand_by_hand_comes_to_the_edge_of_the_solver() -> None:
    """Every hand that a player can be dealt, up to the names of suits, advised one by one."""
    game = game_of(THREE_CARD)
    options = game.options({})
    alike = dict[str, tuple[tuple[Card, ...], int]]()
    for own in combinations(sorted(deck()), 3):
        name = holding([number(card) for card in own])
        first, times = alike.get(name, (own, 0))
        alike[name] = first, times + 1
    total = Fraction(0)
    for held, times in alike.values():
        total += times * max(advise(game, options, held).values.values())
    assert total / comb(52, 3) == -Poker(game, options).main_report().house_edge


def test_a_last_decision_against_every_hand_of_the_dealer() -> None:
    """A river wager adds what the hand wins more often than it loses: every river, every hand."""
    own, board = cards("Ah 7c"), cards("7d 2s Kc 3c")
    rest = [card for card in deck() if card not in (*own, *board)]
    ahead = deals = 0
    for river in rest:
        mine = rank([*own, *board, river], FIVE)
        for dealer in combinations([card for card in rest if card != river], 2):
            his = rank([*dealer, *board, river], FIVE)
            ahead, deals = ahead + (mine > his) - (mine < his), deals + 1
    values = advice(BONUS, "Ah 7c", "7d 2s Kc 3c").values
    assert values["bet 1x"] - values["check"] == Fraction(ahead, deals)


# Cards that cannot lie so.


@pytest.mark.parametrize(
    ("name", "own", "board", "up", "words"),
    [
        (ULTIMATE, "Ah Ah", "", "", "named twice"),
        (ULTIMATE, "Ah 7c", "7c 2s Kc", "", "named twice"),
        (CARIBBEAN, "Ac Kd 8h 6s 3c", "", "3c", "named twice"),
        (ULTIMATE, "Ah", "", "", "a player has 2 cards"),
        (ULTIMATE, "Ah 7c 2d", "", "", "a player has 2 cards"),
        (THREE_CARD, "", "", "", "a player has 3 cards"),
        (DOUBLE_DOWN, "Ah 2c", "3d 4c 5h", "", "a player has 1 card at"),
        (ULTIMATE, "Ah 7c", "7d", "", "0 or 3 or 5 community cards"),
        (ULTIMATE, "Ah 7c", "7d 2s Kc 3c", "", "0 or 3 or 5 community cards"),
        (DOUBLE_DOWN, "Ah", "", "", "3 community cards"),
        (PREMIUM, "Ah 7c 2c", "7d 2s Kc", "", "0 or 4 community cards"),
        (THREE_CARD, "Ah 7c 2c", "7d", "", "0 community cards"),
        (CARIBBEAN, "Ac Kd 8h 6s 3c", "", "", "the dealer shows 1 card"),
        (CARIBBEAN, "Ac Kd 8h 6s 3c", "", "2c 4c", "the dealer shows 1 card"),
        (FOUR_CARD, "Ac Kd 8h 6s 3c", "", "", "the dealer shows 1 card"),
        (THREE_CARD, "Ah 7c 2c", "", "Kc", "none of his cards"),
        (ULTIMATE, "Ah 7c", "", "Kc", "none of his cards"),
    ],
)  # fmt: skip
def test_cards_that_cannot_lie_so(name: str, own: str, board: str, up: str, words: str) -> None:
    with pytest.raises(Refusal, match=words) as caught:
        advice(name, own, board, up)
    assert caught.value.fault is Fault.IMPOSSIBLE_OUTCOME
    assert caught.value.cite == game_of(name).cite


def test_there_is_no_joker() -> None:
    game = game_of(ULTIMATE)
    with pytest.raises(Refusal, match="without jokers"):
        advise(game, game.options({}), cards("Ah Jk"))


# What if: odds that no table may offer, stakes that cannot be paid exactly, a meter.


def edge(name: str, label: str, given: Given, **asked: Any) -> Fraction:
    game = game_of(name)
    options, _ = game.what_if(given)
    (report,) = analyze(game, options, [label], **asked)
    return report.house_edge


FLUSHES = 4_047_644  # of seven cards
ALL_OF_SEVEN = comb(52, 7)


def test_lower_odds_cost_the_player_what_they_should() -> None:
    game = game_of(ULTIMATE)
    given = {"higher_odds": {"trips.flush": "6 to 1"}}
    _, wrong = game.what_if(given)
    assert [each.option for each in wrong] == ["higher_odds"]
    more = edge(ULTIMATE, "trips", given) - edge(ULTIMATE, "trips", {})
    assert more == Fraction(FLUSHES, ALL_OF_SEVEN)
    with pytest.raises(Unlawful):
        game.options(given)


def test_an_extra_line_pays_where_there_was_a_loss() -> None:
    given = {"higher_odds": {"trips.two_pairs": "1 to 1"}}
    less = edge(ULTIMATE, "trips", {}) - edge(ULTIMATE, "trips", given)
    assert less == Fraction(2 * 31_433_400, ALL_OF_SEVEN)


def test_the_ante_bonus_of_three_card_poker_at_other_odds() -> None:
    """Every straight is played, so one more to one on it is worth its chance."""
    given = {"higher_odds": {"ante_bonus.straight": "2 to 1"}}
    less = edge(THREE_CARD, "ante", {}) - edge(THREE_CARD, "ante", given)
    assert less == Fraction(720, 22_100)


def test_what_makes_no_sense_is_refused_even_so() -> None:
    for given in (
        {"higher_odds": {"trops.flush": "6 to 1"}},
        {"trips_table": "Z"},
        {"no_such_option": 1},
    ):
        with pytest.raises(Unlawful):
            game_of(ULTIMATE).what_if(given)


def test_a_payout_limit_costs_what_is_above_it() -> None:
    """$50 on the ante, $100 on the bet: only a royal flush at 100 to 1 is above $5,000."""
    game = game_of(CARIBBEAN)
    options = game.options({})
    stake = 5000
    free = Poker(game, options).main_table()[0]
    limited = Poker(game, options, stake).main_table()[0]

    def value(table: Mapping[Any, Fraction]) -> Fraction:
        return sum((ending.net * chance for ending, chance in table.items()), Fraction(0))

    royal = sum(chance for ending, chance in free.items() if "bet royal_flush" in ending.line)
    assert royal
    # 100 to 1 on $100 is $10,000, of which $5,000 are paid: 100 antes less.
    assert value(free) - value(limited) == royal * Fraction(500_000, stake)
    best = {ending.net for ending in limited if "bet royal_flush" in ending.line}
    assert max(best) == 1 + 100
    # Straight flushes at 50 to 1 are exactly at the limit, which is not above it.
    straight = {ending.net for ending in limited if "bet straight_flush" in ending.line}
    assert max(straight) == 1 + 100


def test_an_odd_cent_of_three_to_two_is_the_house_s() -> None:
    """A flush on the blind, from a pack of five ranks that make no straight."""
    game = game_of(ULTIMATE)
    small = Pack(tuple(RANKS.index(each) for each in "23QKA"), 2)

    def flushes(stake: int) -> set[Fraction]:
        table, _ = Poker(game, game.options({}), stake, pack=small).main_table()
        return {
            ending.net for ending in table
            if ending.line.startswith("bet 4x: ante win") and "blind flush" in ending.line
        }  # fmt: skip

    assert flushes(500) == {4 + 1 + Fraction(750, 500)}
    assert flushes(501) == {4 + 1 + Fraction(751, 501)}  # of 751.5 cents


@pytest.mark.parametrize(("dollars", "favors"), [(263_205, "house"), (263_206, "player")])
def test_the_meter_at_which_the_progressive_breaks_even(dollars: int, favors: str) -> None:
    found = edge(CARIBBEAN, "progressive", {"progressive_table": "T1"}, meter=100 * dollars)
    assert (found > 0) == (favors == "house")


def test_a_game_without_a_meter_is_not_asked_for_one() -> None:
    with pytest.raises(Refusal, match="no progressive meter"):
        edge(THREE_CARD, "ante", {}, meter=100)


def test_three_cards_that_differ_in_the_names_of_suits_have_one_name() -> None:
    names = {holding(own) for own in combinations(range(52), 3)}
    assert len(names) == 1755


def test_what_was_decided_before_is_counted() -> None:
    """A pair of nines with four cards: each wager that is left loses 11/24 of itself."""
    game = game_of(LET_IT_RIDE)
    seen = cards("Ah Kd 9c"), cards("9d")
    withdrawn = advise(game, game.options(), *seen, before=["withdraw_1"])
    left = advise(game, game.options(), *seen, before=["let_ride_1"])
    assert advise(game, game.options(), *seen) == withdrawn
    assert withdrawn.values == {"withdraw_2": Fraction(-11, 24), "let_ride_2": Fraction(-11, 12)}
    assert left.values == {"withdraw_2": Fraction(-11, 12), "let_ride_2": Fraction(-11, 8)}
    with pytest.raises(Refusal, match="has decided withdraw_1 or let_ride_1 before"):
        advise(game, game.options(), *seen, before=["fold"])


def test_odds_on_what_is_no_hand_are_not_even_asked_about() -> None:
    game = game_of(THREE_CARD)
    with pytest.raises(Unlawful, match=r"pair_plus\.frob is not a wager, or a line of one"):
        game.what_if({"higher_odds": {"pair_plus.frob": "5 to 2"}})
    _, wrong = game.what_if({"higher_odds": {"pair_plus.high_card": "1 to 1"}})
    assert len(wrong) == 1


def test_a_table_without_a_progressive_jackpot_has_no_meter() -> None:
    game = game_of(PREMIUM)
    with pytest.raises(Refusal, match="no progressive meter"):
        analyze(game, game.options(), ["ante"], meter=2_000_000)
