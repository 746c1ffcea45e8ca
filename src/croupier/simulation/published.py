"""Strategies for poker games that people have published, each a few lines about the cards.

A rule is given many hands at once and says which of them make which move; a
hand that no line is about does what the rules do when nobody answers.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.equipment import read_cards
from croupier.ranking import FIVE, FOUR, THREE, Ladder
from croupier.ranking.bulk import number, places, strengths
from croupier.simulation.strategies import Words

Cards = NDArray[np.uint8]
Mask = NDArray[np.bool_]
Chosen = Mapping[str, Mask]  # the hands that make each move; of several, the first counts

TWO, SIX, EIGHT, TEN, JACK, QUEEN, KING, ACE = 0, 4, 6, 8, 9, 10, 11, 12  # ranks, from the twos
OUTS = 21  # of the dealer: with as many or more the hand is folded


@dataclass
class Hands:
    """Many hands at the same decision: a line for each."""

    stage: int
    moves: tuple[str, ...]
    own: Cards
    board: Cards
    up: Cards

    @cached_property
    def cards(self) -> Cards:
        """All that a player may use and sees."""
        return np.concatenate((self.own, self.board), axis=1)

    @cached_property
    def ranks(self) -> NDArray[np.int64]:
        """Of the own cards, the highest first."""
        return _down(self.own >> 2)

    @cached_property
    def suited(self) -> Mask:
        """The own cards are all of one suit."""
        return _same(self.own & 3)

    def place(self, ladder: Ladder = FIVE) -> NDArray[np.uint16]:
        """What the cards in view are worth."""
        return places(np.ascontiguousarray(self.cards), ladder)

    @cached_property
    def all(self) -> Mask:
        return np.ones(len(self.own), np.bool_)

    @cached_property
    def counted(self) -> NDArray[np.int64]:
        """How many cards in view there are of each rank."""
        return _count(self.cards >> 2, 13)

    @cached_property
    def hidden_pair(self) -> NDArray[np.int64]:
        """The highest rank of a pair that holds an own card, or -1."""
        mine = _count(self.own >> 2, 13) > 0
        pairs = mine & (self.counted >= 2)
        return np.where(pairs.any(axis=1), 12 - pairs[:, ::-1].argmax(axis=1), -1)


def _down(ranks: NDArray[np.generic]) -> NDArray[np.int64]:
    return -np.sort(-ranks.astype(np.int64), axis=1)


def _which(hands: Any) -> Mask:
    return np.asarray(hands, np.bool_)


def _same(of_each: NDArray[np.generic]) -> Mask:
    return _which((of_each == of_each[:, :1]).all(axis=1))


def _count(of_each: NDArray[np.generic], many: int) -> NDArray[np.int64]:
    """How often each number below `many` stands in each line."""
    counted = np.zeros((len(of_each), many), np.int64)
    for column in of_each.T:
        np.add.at(counted, (np.arange(len(of_each)), column.astype(np.int64)), 1)
    return counted


@cache
def place_of(text: str, ladder: Ladder = FIVE) -> int:
    """The place of a hand that is written out: `Qs 6h 4d`."""
    cards = np.array([[number(card) for card in read_cards(text)]], np.uint8)
    return int(places(cards, ladder)[0])


@cache
def lowest_places(ladder: Ladder) -> NDArray[np.int64]:
    """The lowest place of each category, from the lowest category up."""
    categories = np.array([strength >> 4 * ladder.size for strength in strengths(ladder)[1:]])
    return 1 + np.searchsorted(categories, np.arange(len(ladder.categories)))


def category(place: NDArray[np.uint16], ladder: Ladder = FIVE) -> NDArray[np.int64]:
    """Which category of its ladder a hand is in."""
    return np.searchsorted(lowest_places(ladder), place, side="right") - 1


STRAIGHT, FLUSH, TWO_PAIRS = (
    FIVE.categories.index(name) for name in ("straight", "flush", "two_pairs")
)

Rule = Callable[[Hands], Chosen]


def from_hand(move: str, lowest: str, ladder: Ladder = FIVE) -> Rule:
    """This move with the lowest hand that is written out, and with any better one."""
    return lambda hands: {move: hands.place(ladder) >= place_of(lowest, ladder)}


def always(move: str) -> Rule:
    return lambda hands: {move: hands.all}


# Caribbean stud poker.

PAIR = "2s 2h 5d 4c 3s"


def ace_king(hands: Hands) -> Mask:
    """No pair, with ace and king."""
    low, high = place_of("As Kh 4d 3c 2s"), place_of(PAIR)
    return (hands.place() >= low) & (hands.place() < high)


def matching_rank(hands: Hands) -> Chosen:
    """A pair or better; ace and king if an own card has the rank of the dealer's."""
    matches = (hands.ranks == (hands.up >> 2)).any(axis=1)
    return {"bet 2x": (hands.place() >= place_of(PAIR)) | (ace_king(hands) & matches)}


def three_rules(hands: Hands) -> Chosen:
    """A pair or better; with ace and king, by the dealer's card and the own third and fourth."""
    up, ranks = (hands.up[:, 0] >> 2).astype(np.int64), hands.ranks
    third, fourth = ranks[:, 2], ranks[:, 3]
    matches = (ranks == up[:, None]).any(axis=1)
    raises = (
        (matches & (up <= QUEEN))
        | ((up >= KING) & (third >= JACK))
        | (~matches & (third == QUEEN) & (up < fourth))
    )
    return {"bet 2x": (hands.place() >= place_of(PAIR)) | (ace_king(hands) & raises)}


# Let it ride poker.


def _pays(hands: Hands) -> Mask:
    """A pair of tens or better, or two pairs or more."""
    counted = hands.counted
    pairs = (counted == 2).sum(axis=1)
    high = (counted[:, TEN:] == 2).any(axis=1)
    return _which(high | (pairs >= 2) | (counted >= 3).any(axis=1))


def ride(hands: Hands) -> Chosen:
    """What pays already, and the better draws to a straight flush, a flush and a straight."""
    return {hands.moves[1]: _pays(hands) | (_three(hands) if hands.stage == 0 else _four(hands))}


def _three(hands: Hands) -> Mask:
    """Three suited cards: in a row from the threes, with a gap and a high card, two gaps and two.

    An ace is high: below the twos it makes no draw that is good enough.
    """
    ranks, distinct = hands.ranks, (hands.counted <= 1).all(axis=1)
    high, span = (ranks >= TEN).sum(axis=1), ranks[:, 0] - ranks[:, 2]
    draws = (
        (high == 3)
        | ((span == 2) & (ranks[:, 2] > TWO))
        | ((span == 3) & (high >= 1))
        | ((span == 4) & (high >= 2))
    )
    return _which(hands.suited & distinct & draws)


def _four(hands: Hands) -> Mask:
    """Four to a flush, an open straight with a high card, an inside one of four high cards."""
    ranks = _down(hands.cards >> 2)
    flush = _same(hands.cards & 3)
    distinct = (hands.counted <= 1).all(axis=1)
    high = (ranks >= TEN).sum(axis=1)
    is_open = (ranks[:, 0] - ranks[:, 3] == 3) & (ranks[:, 0] < ACE) & (high >= 1)
    return _which(flush | (distinct & (is_open | (high == 4))))


# Double down stud.


def sixes_or_better(hands: Hands) -> Chosen:
    """Where the wager cannot be lost any more."""
    counted = hands.counted
    pairs = (counted == 2).sum(axis=1)
    high = (counted[:, SIX:] == 2).any(axis=1)
    return {"double 1x": high | (pairs >= 2) | (counted >= 3).any(axis=1)}


# Four card poker.


def by_the_pamphlet(hands: Hands) -> Chosen:
    """Three times with a pair of tens or better, once with threes to nines, else fold."""
    place = hands.place(FOUR)
    return {
        "play 3x": place >= place_of("Ts Th 3d 2c", FOUR),
        "play 1x": place >= place_of("3s 3h 4d 2c", FOUR),
    }


# Ultimate Texas hold 'em.


def ultimate(hands: Hands) -> Chosen:
    """Early with a good start, after the flop with a hidden pair, at the end by the outs."""
    bet = hands.moves[-1]
    if hands.stage == 0:
        return {bet: _good_start(hands)}
    return {bet: _good_flop(hands) if hands.stage == 1 else _good_river(hands)}


def _good_start(hands: Hands) -> Mask:
    """Any ace, a pair from the threes, and the better kings, queens and jacks."""
    high, low = hands.ranks[:, 0], hands.ranks[:, 1]
    least = {KING: (TWO, 3), QUEEN: (4, 6), JACK: (6, TEN)}  # of the other card: suited, and not
    found = (high == ACE) | ((high == low) & (high > TWO))
    for rank, (suited, not_suited) in least.items():
        found |= (high == rank) & (low >= np.where(hands.suited, suited, not_suited))
    return _which(found)


def _good_flop(hands: Hands) -> Mask:
    """Two pairs, a hidden pair but no pocket twos, four to a flush with a hidden ten of it."""
    pocket_twos = (hands.ranks == TWO).all(axis=1) & (hands.hidden_pair == TWO)
    pair = (hands.hidden_pair >= TWO) & ~pocket_twos
    suits = hands.cards & 3
    drawing = np.zeros(len(hands.own), np.bool_)
    for suit in range(4):
        of_suit = (hands.own & 3) == suit
        has_ten = (of_suit & ((hands.own >> 2) >= TEN)).any(axis=1)
        drawing |= ((suits == suit).sum(axis=1) >= 4) & has_ten
    return _which((category(hands.place()) >= TWO_PAIRS) | pair | drawing)


def _good_river(hands: Hands) -> Mask:
    """A hidden pair or better, or fewer than 21 cards with which the dealer beats the hand."""
    mine, board = hands.place(), places(np.ascontiguousarray(hands.board))
    better = (hands.hidden_pair >= TWO) | (category(mine) > category(board))
    found = better.copy()
    unsure = np.flatnonzero(~better)
    outs = np.zeros(len(unsure), np.int64)
    seen = hands.cards[unsure]
    with_one_more = np.empty((len(unsure), 6), np.uint8)
    with_one_more[:, :5] = hands.board[unsure]
    for card in range(52):
        with_one_more[:, 5] = card
        known = (seen == card).any(axis=1)
        legal = with_one_more[~known]
        outs[~known] += places(np.ascontiguousarray(legal)) > mine[unsure][~known]
    found[unsure] = outs < OUTS
    return _which(found)


# Texas hold 'em bonus poker.


def texas(hands: Hands) -> Chosen:
    """All but the lowest offsuit twos; then pairs and draws, then better pairs and made hands."""
    bet = hands.moves[-1]
    if hands.stage == 0:
        high, low = hands.ranks[:, 0], hands.ranks[:, 1]
        return {bet: hands.suited | (low > TWO) | (high > 5) | (high == TWO)}
    most_suited = _count(hands.cards & 3, 4).max(axis=1)
    pair = hands.hidden_pair
    if hands.stage == 1:
        return {bet: (pair >= TWO) | (most_suited >= 4) | _run(hands.counted > 0, 4)}
    place = category(hands.place())
    made = (pair >= TWO) & (place >= TWO_PAIRS)
    straight_or_flush = (place == STRAIGHT) | (place == FLUSH) | (place > FLUSH + 2)
    return {bet: (pair >= SIX) | made | straight_or_flush | _suited_run(hands)}


def _run(has: Mask, length: int) -> Mask:
    """So many ranks in a row, the ace at either end."""
    around = np.concatenate((has[:, -1:], has), axis=1)
    runs = [around[:, at : at + length].all(axis=1) for at in range(15 - length)]
    return _which(np.logical_or.reduce(runs))


def _suited_run(hands: Hands) -> Mask:
    """Four in a row of one suit, one of them an own card."""
    found = np.zeros(len(hands.own), np.bool_)
    for suit in range(4):
        all_of_it = [_of_suit(cards, suit) for cards in (hands.cards, hands.board)]
        found |= _run(all_of_it[0], 4) & ~_run(all_of_it[1], 4)
    return found


def _of_suit(cards: Cards, suit: int) -> Mask:
    """Which ranks there are of a suit."""
    return _which(_count(np.where((cards & 3) == suit, cards >> 2, 13), 14)[:, :13] > 0)


WIZARD = "Michael Shackleford, Wizard of Odds"

PUBLISHED: Mapping[str, tuple[tuple[Words, Rule], ...]] = {
    "three-card-poker": (
        (Words("q64", "Play with queen, six and four or better", f"{WIZARD}, Three Card Poker"),
         from_hand("play 1x", "Qs 6h 4d", THREE)),
        (Words("mimic_the_dealer", "Play what the dealer would qualify with: queen high or better",
               f"{WIZARD}, Three Card Poker"), from_hand("play 1x", "Qs 3h 2d", THREE)),
        (Words("always_play", "Play every hand", f"{WIZARD}, Three Card Poker"),
         always("play 1x")),
    ),
    "caribbean-stud-poker": (
        (Words("akj83", "Bet with A-K-J-8-3 or better", f"{WIZARD}, Caribbean Stud Poker"),
         from_hand("bet 2x", "As Kh Jd 8c 3s")),
        (Words("three_rules", "Bet with a pair, and with ace and king by three rules",
               f"{WIZARD}, Caribbean Stud Poker"), three_rules),
        (Words("matching_rank", "Bet with a pair, and with ace and king if a card matches",
               f"{WIZARD}, Caribbean Stud Poker"), matching_rank),
        (Words("pair_or_better", "Bet with a pair or better", f"{WIZARD}, Caribbean Stud Poker"),
         from_hand("bet 2x", PAIR)),
        (Words("always_bet", "Bet every hand", f"{WIZARD}, Caribbean Stud Poker"),
         always("bet 2x")),
    ),
    "let-it-ride-poker": (
        (Words("basic", "Let it ride with what pays and with the better draws",
               f"{WIZARD}, Let it Ride"), ride),
    ),
    "double-down-stud": (
        (Words("sixes_or_better", "Double when the wager cannot be lost any more",
               "The GameMaster, Double Down Stud"), sixes_or_better),
        (Words("always_double", "Double every hand",
               "John Robison, Casino City Times, 13 December 2001"), always("double 1x")),
    ),
    "four-card-poker": (
        (Words("pamphlet", "Play three times with tens or better, once with threes to nines",
               "Shuffle Master's pamphlet for players"), by_the_pamphlet),
    ),
    "ultimate-texas-hold-em": (
        (Words("simple", "Good starts, hidden pairs, and fewer than 21 outs of the dealer",
               f"{WIZARD}, Ultimate Texas Hold 'Em"), ultimate),
    ),
    "texas-hold-em-bonus-poker": (
        (Words("simple", "All but offsuit 2-3 to 2-7; pairs and draws; better pairs",
               "table-games-online.com, Texas Hold 'Em Bonus"), texas),
    ),
}  # fmt: skip
