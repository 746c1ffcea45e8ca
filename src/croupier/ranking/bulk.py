"""Poker hands by the million: the same worth as in `poker`, looked up instead of worked out.

Two things decide what a hand is worth: which ranks it holds, and whether one suit has enough
cards for a flush. There are few of either. Seven cards hold one of 49,205 sets of ranks, and the
cards of one suit are one of 8,192 sets. So what each is worth is kept in two tables, and a hand is
worth the better of the two. The rules stay in `poker`, which is asked once about every set that
makes a hand; more cards are worth the best of what remains when one of them is left out.

A strength is a large number with gaps. The tables hold a hand's *place* instead: 1 is the lowest
hand of its ladder, the next better one is 2, and so on up to 7,462 for a royal flush of five
cards; 0 is no hand at all. Places compare like strengths, fit in two bytes and can be counted.

A card is a number from 0 (the two of clubs) to 51 (the ace of spades), rank by rank.

    dealt = np.array([[number(card) for card in cards] for cards in hands], np.uint8)
    worth = places(dealt)                            # the place of each hand's best five
    PokerHand(FIVE, strengths(FIVE)[worth[0]], ())   # says that hand's category and ranks
    census(7)                                        # how many seven-card hands have each place
"""

from functools import cache
from itertools import combinations_with_replacement
from math import comb
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from croupier.equipment import SUITS, Card
from croupier.ranking.poker import FIVE, Ladder, by_ranks, by_suit

MOST = 7  # cards in a hand


def number(card: Card) -> int:
    """The number of a card: clubs, diamonds, hearts and spades of each rank, from the twos up."""
    if card.is_joker:
        raise ValueError("a joker has no number")
    return 4 * (card.rank - 2) + SUITS.index(card.suit)


def card(number: int) -> Card:
    """The card of a number."""
    if not 0 <= number < 52:
        raise ValueError(f"cards are numbered from 0 to 51, so {number} is none")
    return Card(number // 4 + 2, SUITS[number % 4])


@cache
def strengths(ladder: Ladder) -> tuple[int, ...]:
    """The strength of each place, which says its category and ranks. Place 0 is no hand."""
    lists = _lists_of_ranks(ladder.size)
    ranked = {by_ranks(key, ladder) for key in _keys(lists[_possible(lists)])}
    suited = {by_suit(ranks, ladder) for ranks in range(1 << 13)}
    return tuple(sorted(ranked | suited))  # too few cards of a suit are the 0


class RankTables(NamedTuple):
    """What every hand of one size is worth on one ladder.

    A hand's place is the highest of `by_ranks` at its ranks and `by_suit` at each suit's ranks.
    Here ranks are 0 (a two) to 12 (an ace).
    """

    by_ranks: NDArray[np.uint16]
    """The best hand that needs no suit, at the index of the hand's ranks.

    The index of ranks in ascending order is the sum of `binomials[first, 1]`,
    `binomials[second + 1, 2]`, `binomials[third + 2, 3]` and so on. It numbers all such lists
    without a gap, and each card adds its share whatever the others are. Five cards of a rank
    are no hand: 0.
    """
    by_suit: NDArray[np.uint16]
    """The best flush or straight flush of one suit, at its ranks as thirteen bits; 0 if none."""
    binomials: NDArray[np.int64]
    """`binomials[n, k]`: how many ways there are to pick k of n."""


BINOMIALS = np.array([[comb(n, k) for k in range(8)] for n in range(20)], np.int64)


@cache
def tables(ladder: Ladder, size: int) -> RankTables:
    """The tables of hands of this many cards, for `places` and for other compiled code."""
    if not ladder.size <= size <= MOST:
        raise ValueError(
            f"a hand of {ladder.size} is the best of {ladder.size} to {MOST} cards, not of {size}"
        )
    lists = _lists_of_ranks(size)
    possible = _possible(lists)
    ranked = np.zeros(len(lists), np.uint16)
    if size == ladder.size:
        place = {strength: place for place, strength in enumerate(strengths(ladder))}
        ranked[possible] = [place[by_ranks(key, ladder)] for key in _keys(lists[possible])]
        suited = np.array([place[by_suit(ranks, ladder)] for ranks in range(1 << 13)], np.uint16)
    else:  # the best of what remains when a card is left out
        fewer = tables(ladder, size - 1)
        for at in range(size):
            remaining = _shares(np.delete(lists, at, axis=1)).sum(axis=1)
            ranked = np.maximum(ranked, fewer.by_ranks[remaining])
        ranked[~possible] = 0
        suited = fewer.by_suit
    found = RankTables(ranked, suited, BINOMIALS)
    for table in found:
        table.flags.writeable = False  # everybody shares them
    return found


def _lists_of_ranks(size: int) -> NDArray[np.int64]:
    """Every ascending list of so many ranks, in the order of the index of `by_ranks`."""
    descending = combinations_with_replacement(range(12, -1, -1), size)
    return np.array([*descending], np.int64)[::-1, ::-1]


def _possible(lists: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Whether each list has no five of a rank."""
    possible: NDArray[np.bool_] = (lists[:, 4:] != lists[:, :-4]).all(axis=1)
    return possible


def _keys(lists: NDArray[np.int64]) -> list[int]:
    """What `poker.by_ranks` calls these ranks."""
    keys: list[int] = (5**lists).sum(axis=1).tolist()
    return keys


def _shares(lists: NDArray[np.int64]) -> NDArray[np.int64]:
    """What each rank of a list adds to the index of `by_ranks`."""
    at = np.arange(lists.shape[1])
    shares: NDArray[np.int64] = BINOMIALS[lists + at, at + 1]
    return shares


# Hands that have been dealt.
#
# To put the cards of each hand in order would cost more than all the rest. It is not needed, for
# the index of `by_ranks` is a sum: the low ranks of a hand, up to a seven, add their share, and
# so do the high ranks, whatever the low ones are. Each share stands in a small table, at a key
# that adds up in any order, as in `poker`: a digit to base five for each rank. One whole number
# holds both keys, above them a counter for each suit, and at the top one of cards that do not
# exist, so seven additions and one comparison tell all there is to know about most hands.

LOW_RANKS = 6
LOW_KEYS = 1 << 15  # more than seven cards can add up to, even if all are the same
HIGH_KEYS = 1 << 17
HIGH_AT, SUITS_AT, NONE_AT = 15, 32, 60  # the bits where they begin; each suit has seven
ONE_OF_EACH_SUIT = sum(1 << SUITS_AT + 7 * suit for suit in range(4))


def places(hands: NDArray[np.uint8], ladder: Ladder = FIVE) -> NDArray[np.uint16]:
    """The place of each hand. A row holds the numbers of its cards, in any order.

    That no card is twice in a hand is not checked. The place of such a hand means nothing.
    """
    if not isinstance(hands, np.ndarray) or hands.dtype != np.uint8 or hands.ndim != 2:
        raise ValueError("hands are an array of card numbers, of type uint8, with a row for each")
    count, size = hands.shape
    ranked, suited, _ = tables(ladder, size)
    low, high = _shares_by_key(size)
    cards = np.ascontiguousarray(hands).reshape(-1)
    found = np.empty(count, np.uint16)
    bad = _look_up(cards, (0,) * size, ladder.size, _card_keys(), low, high, ranked, suited, found)
    if bad >= 0:
        raise ValueError(f"cards are numbered 0 to 51, but hand {bad} holds {hands[bad].tolist()}")
    return found


@cache
def _card_keys() -> NDArray[np.uint64]:
    """What each card adds to the key of its hand."""
    keys = np.full(256, 1 << NONE_AT, np.uint64)
    for rank in range(13):
        unit = 5**rank if rank < LOW_RANKS else 5 ** (rank - LOW_RANKS) << HIGH_AT
        for suit in range(4):
            keys[4 * rank + suit] = unit + (1 << SUITS_AT + 7 * suit)
    return keys


@cache
def _shares_by_key(size: int) -> tuple[NDArray[np.uint16], NDArray[np.uint16]]:
    """What the low ranks and the high ranks of a hand add to its index."""
    lists = _lists_of_ranks(size)
    lists = lists[_possible(lists)]
    shares = _shares(lists)
    is_low = lists < LOW_RANKS
    units = 5 ** np.where(is_low, lists, lists - LOW_RANKS)
    low, high = np.zeros(LOW_KEYS, np.uint16), np.zeros(HIGH_KEYS, np.uint16)
    low[(units * is_low).sum(axis=1)] = (shares * is_low).sum(axis=1)
    high[(units * ~is_low).sum(axis=1)] = (shares * ~is_low).sum(axis=1)
    return low, high


@njit(cache=True, nogil=True)
def _look_up(
    cards: NDArray[np.uint8],
    each: tuple[int, ...],  # as long as a hand: the compiler writes out a loop of known length
    flush: int,
    keys: NDArray[np.uint64],
    low: NDArray[np.uint16],
    high: NDArray[np.uint16],
    by_ranks: NDArray[np.uint16],
    by_suit: NDArray[np.uint16],
    found: NDArray[np.uint16],
) -> int:
    """Fill in the place of each hand, or tell the first that holds a card that does not exist."""
    size = len(each)
    enough = np.uint64(ONE_OF_EACH_SUIT * (64 - flush))  # sets a suit's top bit if it has a flush
    unusual = np.uint64(ONE_OF_EACH_SUIT * 64 | 7 << NONE_AT)
    for hand in range(len(found)):
        key = np.uint64(0)
        for at in range(size):
            key += keys[cards[hand * size + at]]
        low_key = key & np.uint64(LOW_KEYS - 1)
        high_key = key >> np.uint64(HIGH_AT) & np.uint64(HIGH_KEYS - 1)
        place = by_ranks[low[low_key] + high[high_key]]
        if key + enough & unusual:
            if key >> np.uint64(NONE_AT):
                return hand
            held = 0
            for at in range(size):
                card = cards[hand * size + at]
                held |= 1 << 13 * int(card & 3) + int(card >> 2)
            for suit in range(4):
                place = max(place, by_suit[held >> 13 * suit & 8191])
        found[hand] = place
    return -1


# Every hand there is.


def census(size: int, ladder: Ladder = FIVE) -> NDArray[np.int64]:
    """How many of all hands of this many cards have each place."""
    found = np.zeros(len(strengths(ladder)), np.int64)
    _count(size, ladder.size, *tables(ladder, size), found)
    return found


@njit(cache=True, nogil=True)
def _count(
    size: int,
    flush: int,
    by_ranks: NDArray[np.uint16],
    by_suit: NDArray[np.uint16],
    binomials: NDArray[np.int64],
    found: NDArray[np.int64],
) -> None:
    """Deal every hand once, its cards in ascending order, so that the index grows card by card.

    All cards but two are counted up like the wheels of an odometer, and two loops deal the last
    two. Where the last card cannot make a flush its suit does not matter, so the hands that
    differ in nothing else are looked up once and counted together.
    """
    fixed = size - 2
    last_but_one, last = binomials[fixed:, size - 1].copy(), binomials[size - 1 :, size].copy()
    each_suit = 1 | 1 << 8 | 1 << 16 | 1 << 24
    one_short = each_suit * (128 - (flush - 1))
    cards = np.arange(fixed)
    while True:
        index, held, suits, first = 0, 0, 0, 0
        for at in range(fixed):
            rank, suit = cards[at] >> 2, cards[at] & 3
            index += binomials[rank + at, at + 1]
            held |= 1 << 13 * suit + rank
            suits += 1 << 8 * suit
            first = cards[at] + 1
        for card in range(first, 51):
            rank, suit = card >> 2, card & 3
            base = index + last_but_one[rank]
            if suits + (1 << 8 * suit) + one_short & each_suit * 128:
                nearly = held | 1 << 13 * suit + rank
                already = 0
                for each in range(4):
                    already = max(already, by_suit[nearly >> 13 * each & 8191])
                for card_too in range(card + 1, 52):
                    rank, suit = card_too >> 2, card_too & 3
                    suited = by_suit[nearly >> 13 * suit & 8191 | 1 << rank]
                    found[max(already, suited, by_ranks[base + last[rank]])] += 1
            else:
                found[by_ranks[base + last[rank]]] += 3 - suit
                for higher in range(rank + 1, 13):
                    found[by_ranks[base + last[higher]]] += 4
        at = fixed - 1
        while at >= 0 and cards[at] == 52 - size + at:
            at -= 1
        if at < 0:
            return
        cards[at] += 1
        for wheel in range(at + 1, fixed):
            cards[wheel] = cards[wheel - 1] + 1
