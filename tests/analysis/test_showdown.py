"""The poker solver: against live rounds of small packs, against the literature, and by chance."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb
from random import Random
from typing import Any

import numpy as np
import pytest

from croupier.analysis.advise import advise
from croupier.analysis.report import WagerReport, analyze
from croupier.analysis.sets import holdings, number_of
from croupier.analysis.showdown import CELLS, Pack, Poker
from croupier.analysis.strategy import compact
from croupier.analysis.strategy import holding as named
from croupier.equipment import RANKS, Card, deck
from croupier.ranking import FIVE, FOUR, THREE, rank
from croupier.ranking.bulk import number, places
from croupier.rulebook import Fault, PokerGame, Refusal
from tests.analysis.brute import ANTE, Brute, Deal, Live
from tests.poker import (
    BONUS,
    CARIBBEAN,
    DOUBLE_DOWN,
    EVERY_GAME,
    FOUR_CARD,
    LET_IT_RIDE,
    PREMIUM,
    THREE_CARD,
    ULTIMATE,
    game_of,
)

Given = Mapping[str, Any]


@cache
def poker(name: str, *options: tuple[str, Any]) -> Poker:
    """The whole game; what takes long is solved once."""
    game = game_of(name)
    return Poker(game, game.options(dict(options)))


@cache
def main(name: str, *options: tuple[str, Any]) -> WagerReport:
    return poker(name, *options).main_report()


PUSHES = ("ante_when_unqualified_dealer_wins", "push")
FROM_STRAIGHT = ("ante_pays_from", "straight")


# Small packs, of which every deal was played at a live table.
#
# Where ranks are next to each other there are straights and straight flushes; where they are
# not, plain flushes; three suits make threes of a kind, and ace and king a dealer who qualifies.

SMALL: list[tuple[str, Given, str, int]] = [
    (THREE_CARD, {}, "23QA", 3),
    (THREE_CARD, {"ante_bonus_table": "alternative", "version_20_6_f": True,
                  "pair_plus_ledger": "B"}, "2JQKA", 2),
    (CARIBBEAN, {}, "TJQKA", 2),
    (CARIBBEAN, {}, "23KA", 3),
    (CARIBBEAN, {}, "234QKA", 2),
    (FOUR_CARD, {}, "234A", 3),
    (FOUR_CARD, {"tie_rule": "push", "ante_bonus_table": 2}, "23KA", 3),
    (DOUBLE_DOWN, {"pay_schedule": 1}, "TJQKA", 2),
    (DOUBLE_DOWN, {"pay_schedule": 2}, "TJQKA", 2),
    (DOUBLE_DOWN, {}, "34567J", 2),
    (LET_IT_RIDE, {}, "TJQKA", 2),
    (LET_IT_RIDE, {}, "23456T", 2),
    (LET_IT_RIDE, {}, "9TA", 4),
    (BONUS, {"flop_multiple": 1}, "23QKA", 2),
    (BONUS, {"flop_multiple": 1, "ante_pays_from": "straight"}, "2345A", 2),
    (ULTIMATE, {"preflop_multiples": "4"}, "2345A", 2),
    (ULTIMATE, {"preflop_multiples": "4", "blind_table": "B"}, "23QKA", 2),
    (PREMIUM, {}, "238JKA", 2),
    (PREMIUM, {"ante_when_unqualified_dealer_wins": "push"}, "2347TA", 2),
    (PREMIUM, {}, "2345A", 2),
]  # fmt: skip


@pytest.mark.parametrize(("name", "given", "ranks", "suits"), SMALL)
def test_every_deal_of_a_small_pack_at_a_live_table(
    name: str, given: Given, ranks: str, suits: int
) -> None:
    dealt = Brute(name, given, ranks, suits)
    small = Pack(tuple(RANKS.index(each) for each in ranks), suits)
    solved = Poker(dealt.game, dealt.options, pack=small)
    report = solved.main_report()

    assert report.house_edge == dealt.house_edge
    assert report.wagered == dealt.wagered
    assert report.element_of_risk == dealt.house_edge / dealt.wagered
    assert report.frequencies == dealt.frequencies
    assert by_net(report) == dealt.outcomes
    assert solved.deals == dealt.counted.total()

    # Deals left to chance win at the table what was taken for them.
    for taken, won in dealt.replayed(20):
        assert taken == won


def by_net(report: WagerReport) -> dict[Fraction, Fraction]:
    found: defaultdict[Fraction, Fraction] = defaultdict(Fraction)
    for outcome in report.outcomes:
        found[outcome.net] += outcome.probability
    return dict(found)


# The whole pack, card by card: what the solver takes for a deal is what the table pays.


@pytest.mark.parametrize("name", EVERY_GAME)
def test_the_solver_takes_for_every_end_what_the_live_table_pays(name: str) -> None:
    live, solver, chance = Live(name, {}), poker(name), Random(20)
    pays, scale = solver.pays
    for _ in range(60):
        deal = any_deal(live.game, chance)
        kind, cell = as_the_solver_sees(solver, deal)
        end = chance.randrange(len(solver.tree.paths))
        path = solver.tree.paths[end]
        net, wagered = live.play(deal, path)
        assert Fraction(net, ANTE) == Fraction(int(pays[end, kind, cell]), scale), (deal, path)
        assert wagered == ANTE * sum(solver.staked(path).values())


def any_deal(game: PokerGame, chance: Random) -> Deal:
    own, dealer, board = game.own_cards, game.dealer_cards, game.board_cards
    cards = chance.sample(deck(), own + dealer + board)
    return Deal(tuple(cards[:own]), tuple(cards[own : own + dealer]), tuple(cards[own + dealer :]))


def as_the_solver_sees(solver: Poker, deal: Deal) -> tuple[int, int]:
    """The class of the player's hand, and how it compares."""
    ladder = solver.game.ladder

    def place(cards: Sequence[Card]) -> int:
        return int(places(np.array([[number(card) for card in cards]], np.uint8), ladder)[0])

    mine = place((*deal.own, *deal.board))
    kind = int(solver.kinds[0][mine])
    if not deal.dealer:
        return kind, 0
    his = place((*deal.dealer, *deal.board))
    margin = (mine > his) - (mine < his)
    return kind, CELLS.index((margin, his >= solver.qualifies_from))


# The whole pack, against published figures and exact ones.

EDGES: list[tuple[str, tuple[tuple[str, Any], ...], str, float]] = [
    # game, options, the exact edge, and what is published of it in per cent
    (THREE_CARD, (), "686689/20358520", 3.37298),
    (CARIBBEAN, (), "142031221/2718662100", 5.224),
    (FOUR_CARD, (), "8840827253/317119576410", 2.7879),
    (DOUBLE_DOWN, (), "2889/108290", 2.6678),
    (LET_IT_RIDE, (), "37963/1082900", 3.5057),
    (BONUS, (), "19447087313/347672625300", 5.5935),
    (ULTIMATE, (), "50643648973/2317817502000", 2.185),
    (PREMIUM, (), "92941848271/4152756357750", 2.238),
]


@pytest.mark.parametrize(("name", "options", "exact", "published"), EDGES)
def test_the_edge_of_the_whole_game(
    name: str, options: tuple[tuple[str, Any], ...], exact: str, published: float
) -> None:
    edge = main(name, *options).house_edge
    assert edge == Fraction(exact)
    assert 100 * float(edge) == pytest.approx(published, abs=0.0006)


def test_texas_hold_em_bonus_where_a_straight_wins_the_ante() -> None:
    edge = main(BONUS, FROM_STRAIGHT).house_edge
    assert 100 * float(edge) == pytest.approx(2.037, abs=0.0006)


@pytest.mark.parametrize(
    ("name", "options", "published", "within"),
    [
        (THREE_CARD, (), 2.01467, 0.00001),
        (CARIBBEAN, (), 2.555, 0.0006),
        (PREMIUM, (PUSHES,), 0.595, 0.002),
    ],
)
def test_the_element_of_risk(
    name: str, options: tuple[tuple[str, Any], ...], published: float, within: float
) -> None:
    risk = main(name, *options).element_of_risk
    assert 100 * float(risk) == pytest.approx(published, abs=within)


DEALS = {
    THREE_CARD: comb(52, 3) * comb(49, 3),
    CARIBBEAN: comb(52, 5) * 47 * comb(46, 4),
    FOUR_CARD: comb(52, 5) * 47 * comb(46, 5),
    DOUBLE_DOWN: 52 * comb(51, 3) * 48,
    LET_IT_RIDE: comb(52, 3) * 49 * 48,
    BONUS: comb(52, 2) * comb(50, 3) * 47 * 46 * comb(45, 2),
    ULTIMATE: 27_813_810_024_000,
    PREMIUM: comb(52, 3) * comb(49, 4) * comb(45, 3),
}


@pytest.mark.parametrize("name", EVERY_GAME)
def test_every_deal_is_counted_once(name: str) -> None:
    solver, report = poker(name), main(name)
    assert solver.deals == DEALS[name]
    assert int(solver.solved["tally"].sum()) == DEALS[name]
    assert sum(outcome.probability for outcome in report.outcomes) == 1
    assert sum(report.frequencies.values()) == 1
    staked = {
        ", ".join(map(str, path)): sum(solver.staked(path).values())
        for path in solver.tree.paths
    }  # fmt: skip
    often = report.frequencies
    assert report.wagered == sum(often[way] * units for way, units in staked.items())


# Wagers beside the main hand: how often hands come is known from the literature.

THREE_CARDS = {
    "straight_flush": 48, "three_of_a_kind": 52, "straight": 720, "flush": 1096, "pair": 3744,
    "high_card": 16_440,
}  # fmt: skip
FIVE_CARDS = {
    "royal_flush": 4, "straight_flush": 36, "four_of_a_kind": 624, "full_house": 3744,
    "flush": 5108, "straight": 10_200, "three_of_a_kind": 54_912, "two_pairs": 123_552,
    "pair": 1_098_240, "high_card": 1_302_540,
}  # fmt: skip
SIX_CARDS = {
    "royal_flush": 188, "straight_flush": 1656, "four_of_a_kind": 14_664, "full_house": 165_984,
    "flush": 205_792, "straight": 361_620, "three_of_a_kind": 732_160, "two_pairs": 2_532_816,
    "pair": 9_730_740, "high_card": 6_612_900,
}  # fmt: skip
SEVEN_CARDS = {
    "royal_flush": 4324, "straight_flush": 37_260, "four_of_a_kind": 224_848,
    "full_house": 3_473_184, "flush": 4_047_644, "straight": 6_180_020,
    "three_of_a_kind": 6_461_620, "two_pairs": 31_433_400, "pair": 58_627_800,
    "high_card": 23_294_460,
}  # fmt: skip
BEST_FIRST = tuple(FIVE_CARDS)


def edge_of(hands: Mapping[str, int], nets: Mapping[str, int]) -> Fraction:
    """Of a wager that wins so much on these hands, and loses on all others."""
    total = sum(hands.values())
    paid = sum(hands[hand] * (net + 1) for hand, net in nets.items())
    return 1 - Fraction(paid, total)


def side(name: str, label: str, options: Given | None = None) -> WagerReport:
    game = game_of(name)
    (report,) = analyze(game, game.options(options or {}), [label])
    return report


def test_the_literature_counts_all_hands() -> None:
    assert sum(THREE_CARDS.values()) == comb(52, 3)
    assert sum(FIVE_CARDS.values()) == comb(52, 5)
    assert sum(SIX_CARDS.values()) == comb(52, 6)
    assert sum(SEVEN_CARDS.values()) == comb(52, 7)


LEDGERS = {  # straight flush, three of a kind, straight, flush, pair
    "A": (40, 30, 6, 4, 1), "B": (35, 33, 6, 4, 1), "C": (40, 30, 6, 3, 1), "D": (35, 33, 6, 3, 1),
}  # fmt: skip


@pytest.mark.parametrize("ledger", LEDGERS)
def test_pair_plus_beside_no_ante(ledger: str) -> None:
    report = side(THREE_CARD, "pair_plus", {"pair_plus_ledger": ledger})
    nets = dict(zip(THREE_CARDS, LEDGERS[ledger], strict=False))
    assert report.house_edge == edge_of(THREE_CARDS, nets)
    if ledger == "A":
        assert report.house_edge == Fraction(128, 5525)


@pytest.mark.parametrize(
    ("schedule", "pays"),
    [
        ("S1", (1000, 200, 50, 25, 20, 10, 5)),
        ("S2", (1000, 200, 100, 20, 15, 10, 7)),
        ("S3", (1000, 200, 50, 25, 15, 10, 5)),
    ],
)
def test_six_card_bonus(schedule: str, pays: Sequence[int]) -> None:
    given = {"offer_six_card_bonus": True, "six_card_schedule": schedule}
    report = side(THREE_CARD, "six_card_bonus", given)
    assert report.house_edge == edge_of(SIX_CARDS, dict(zip(BEST_FIRST, pays, strict=False)))


@pytest.mark.parametrize(
    ("table", "pays"),
    [
        ("A", (50, 40, 30, 9, 7, 4, 3)),
        ("B", (50, 40, 30, 8, 6, 5, 3)),
        ("C", (50, 40, 30, 8, 7, 4, 3)),
        ("D", (50, 40, 20, 7, 6, 5, 3)),
    ],
)
def test_trips(table: str, pays: Sequence[int]) -> None:
    report = side(ULTIMATE, "trips", {"trips_table": table})
    assert report.house_edge == edge_of(SEVEN_CARDS, dict(zip(BEST_FIRST, pays, strict=False)))
    if table == "C":
        assert 100 * float(report.house_edge) == pytest.approx(3.50, abs=0.005)


def test_let_it_ride_bonus() -> None:
    # So many dollars for the one that is wagered, which is not returned.
    dollars = (20_000, 2000, 400, 200, 50, 25, 5)
    nets = {hand: each - 1 for hand, each in zip(BEST_FIRST, dollars, strict=False)}
    report = side(LET_IT_RIDE, "bonus")
    assert report.house_edge == edge_of(FIVE_CARDS, nets) == Fraction(395, 1547)


def test_aces_up() -> None:
    assert 100 * float(side(FOUR_CARD, "aces_up").house_edge) == pytest.approx(3.89, abs=0.005)


def test_jacks_up() -> None:
    """Two pairs of seven cards, the higher of jacks or better, counted by hand."""
    straights = [{12, 0, 1, 2, 3}, *({low, low + 1, low + 2, low + 3, low + 4} for low in range(9))]
    jack, jacks_up, others = 9, 0, 0
    for five in combinations(range(13), 5):
        if set(five) in straights:
            continue
        for pairs in combinations(five, 2):
            # Two pairs and three single cards; less those with five cards of a suit.
            ways = 6 * 6 * 4**3 - 4 * 3 * 3
            jacks_up += ways * (max(pairs) >= jack)
            others += ways * (max(pairs) < jack)
    for pairs3 in combinations(range(13), 3):
        ways = 6**3 * 10 * 4
        jacks_up += ways * (max(pairs3) >= jack)
        others += ways * (max(pairs3) < jack)
    assert jacks_up + others == SEVEN_CARDS["two_pairs"]
    hands = SEVEN_CARDS | {"two_pairs": others, "two_pairs_jacks_up": jacks_up}
    pays = (50, 30, 10, 6, 4, 3, 2, 1)
    nets = dict(zip([*BEST_FIRST[:7], "two_pairs_jacks_up"], pays, strict=True))
    edge = edge_of(hands, nets)
    assert side(PREMIUM, "player_bonus").house_edge == edge
    assert side(PREMIUM, "dealer_bonus").house_edge == edge


def test_the_bonus_wager_that_a_fold_loses_goes_by_the_folds_of_the_main_hand() -> None:
    live = side(BONUS, "bonus", {"bonus_after_fold": "live"})
    lost = side(BONUS, "bonus", {"bonus_after_fold": "lost"})
    # No hand that is folded is on the table of the bonus wager.
    assert lost.house_edge == live.house_edge
    folded = sum(each.probability for each in lost.outcomes if each.result == "folded")
    assert folded == main(BONUS).frequencies["fold"]


def test_a_fold_loses_the_progressive_wager_only_if_nothing_is_won_by_it() -> None:
    """Nobody folds a flush: the fold changes how the progressive loses, not how often."""
    report = side(CARIBBEAN, "progressive")
    folded = sum(each.probability for each in report.outcomes if each.result == "folded")
    assert folded == main(CARIBBEAN).frequencies["fold"]
    won = sum(each.probability for each in report.outcomes if each.net > 0)
    flush_or_better = sum(FIVE_CARDS[hand] for hand in BEST_FIRST[:5])
    assert won == Fraction(flush_or_better, comb(52, 5))


# Published strategies.


def held_for(move: str, name: str, *options: tuple[str, Any]) -> set[str]:
    """The starting hands with which a move is best."""
    solver = poker(name, *options)
    held, numbers = holdings(solver.game.own_cards, solver.pack.ranks, solver.pack.suits)
    best = solver.solved["values"][:, numbers].argmax(axis=0)
    choices = solver.tree.choices[0]
    return {
        named(own) for own, k in zip(held.tolist(), best.tolist(), strict=True)
        if str(choices[k]) == move
    }  # fmt: skip


def test_ultimate_texas_hold_em_is_raised_before_the_flop_with() -> None:
    raised = "33+, A2s+, A2o+, K2s+, K5o+, Q6s+, Q8o+, J8s+, JTo"
    assert compact(held_for("bet 4x", ULTIMATE)) == raised
    assert not held_for("bet 3x", ULTIMATE)
    assert raised in main(ULTIMATE).strategy


def test_texas_hold_em_bonus_folds_the_worst_offsuit_hands_only() -> None:
    twos = {"32o", "42o", "52o", "62o", "72o"}
    assert held_for("fold", BONUS) == {*twos, "43o"}
    assert held_for("fold", BONUS, FROM_STRAIGHT) == twos


def test_three_card_poker_is_played_from_queen_six_four() -> None:
    assert main(THREE_CARD).strategy == "Optimal: fold below Q-6-4; play 1x with Q-6-4 or better."


def test_caribbean_stud_raises_every_pair_and_folds_below_ace_king() -> None:
    fold, by_cards, bet = main(CARIBBEAN).strategy.split("; ")
    assert fold == "Optimal: fold below A-K-4-3-2"
    assert by_cards.startswith("fold or bet 2x with A-K-4-3-2 or better")
    assert bet == "bet 2x with A-K-Q-J-2 or better."


def test_twice_the_ante_is_never_better_than_both_others_at_four_card_poker() -> None:
    assert main(FOUR_CARD).frequencies["play 2x"] == 0


# Sense and nonsense.


def test_holdings_as_players_write_them() -> None:
    def written(*cards: str) -> str:
        return named([number(Card.parse(card)) for card in cards])

    assert written("Ah") == "A"
    assert written("7c", "Ah") == "A7o"
    assert written("7h", "Ah") == "A7s"
    assert written("7h", "7c") == "77"
    assert written("2c", "Kc", "Ah") == "AK2 xyy"
    assert written("2c", "Kc", "Ac") == "AK2 xxx"


def test_ranges_as_players_write_them() -> None:
    assert compact(["33", "44", "AA", "KK"]) == "33 to 44, KK+"
    assert compact(["22"]) == "22"
    assert compact(["K5o", "K6o", "K7o"]) == "K5o to K7o"
    assert compact(["JTo", "QJs", "QTs"]) == "QTs+, JTo"
    assert compact([]) == ""


@pytest.mark.parametrize("stake", [0, -500])
def test_a_stake_must_be_above_zero(stake: int) -> None:
    game = game_of(ULTIMATE)
    with pytest.raises(Refusal, match="above zero") as caught:
        Poker(game, game.options({}), stake)
    assert caught.value.fault is Fault.BAD_AMOUNT


# The whole game by chance, at a live table, within the error of the simulation.

Player = Callable[[int, Deal], str]  # what is done at a stage


def first_move(name: str, own: Sequence[Card]) -> str:
    """The best before any board is seen, as the solver found it."""
    at = number_of(np.array([number(card) for card in own], np.int64))
    solver = poker(name)
    return str(solver.tree.choices[0][int(solver.solved["values"][:, at].argmax())])


def best(name: str, deal: Deal, board: int = 0, up: int = 0) -> str:
    game = game_of(name)
    shown = deal.dealer[len(deal.dealer) - up :]
    return advise(game, game.options({}), deal.own, deal.board[:board], shown).best


def three_card(stage: int, deal: Deal) -> str:
    hand = rank(deal.own, THREE)
    good = hand.category != "high_card" or hand.ranks >= (12, 6, 4)
    return "play 1x" if good else "fold"


def caribbean(stage: int, deal: Deal) -> str:
    hand = rank(deal.own, FIVE)
    if hand.category != "high_card":
        return "bet 2x"
    return best(CARIBBEAN, deal, up=1) if hand.ranks[:2] == (14, 13) else "fold"


def four_card(stage: int, deal: Deal) -> str:
    """The simple form; what it gives away, half a per cent of an ante, is far below the error."""
    hand = rank(deal.own, FOUR)
    if hand.category == "pair":
        pair = hand.ranks[0]
        return "play 3x" if pair >= 10 else "play 1x" if pair >= 3 else "fold"
    return "fold" if hand.category == "high_card" else "play 3x"


def double_down(stage: int, deal: Deal) -> str:
    return best(DOUBLE_DOWN, deal, 3)


def let_it_ride(stage: int, deal: Deal) -> str:
    if stage == 0:
        return first_move(LET_IT_RIDE, deal.own)
    return best(LET_IT_RIDE, deal, 1)


def bonus(stage: int, deal: Deal) -> str:
    """After the flop and the turn with a pair or better of one's own: near enough."""
    if stage == 0:
        return first_move(BONUS, deal.own)
    board = deal.board[: 2 + stage]
    ranks = [card.rank for card in board]
    paired = deal.own[0].rank == deal.own[1].rank or any(c.rank in ranks for c in deal.own)
    high = max(card.rank for card in deal.own) >= 13
    return "bet 1x" if paired or high else "check"


def ultimate(stage: int, deal: Deal) -> str:
    """After the flop by the published rule of thumb: two pairs, or a pair with an own card."""
    if stage == 0:
        return first_move(ULTIMATE, deal.own)
    if stage == 2:
        return best(ULTIMATE, deal, 5)
    flop = deal.board[:3]
    hand = rank([*deal.own, *flop], FIVE)
    paired = any(card.rank in [each.rank for each in flop] for card in deal.own)
    return "bet 2x" if paired or hand.category not in ("high_card", "pair") else "check"


def premium(stage: int, deal: Deal) -> str:
    if stage == 0:
        return first_move(PREMIUM, deal.own)
    return best(PREMIUM, deal, 4)


PLAYERS: dict[str, Player] = {
    THREE_CARD: three_card, CARIBBEAN: caribbean, FOUR_CARD: four_card, DOUBLE_DOWN: double_down,
    LET_IT_RIDE: let_it_ride, BONUS: bonus, ULTIMATE: ultimate, PREMIUM: premium,
}  # fmt: skip
