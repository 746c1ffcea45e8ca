# mypy: disable-error-code="no-untyped-def"
"""Counting a game in which player and dealer have hands of their own, and a card may be seen.

To every hand of the player's belong millions of the dealer's. They are not
dealt one by one: all the dealer's hands are put in order once, and counted
from the lowest to the highest by every set of cards that they hold. How many
lower hands share no card with the player's is then a sum over the sets of the
player's own cards: those that hold one are taken off, those that hold two put
back, and so on.

There is no rule in here. What a showdown is worth comes in a table, by the
class of the player's hand and by how it compares with the dealer's.
"""

from dataclasses import dataclass
from itertools import permutations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from croupier.analysis.sets import (
    CELLS,
    CHOOSE,
    THREADS,
    Progress,
    canonical_sets,
    in_threads,
    next_set,
    pack,
)
from croupier.analysis.tree import NOTHING, Tree
from croupier.ranking.bulk import BINOMIALS, RankTables


@dataclass(frozen=True)
class OwnHands:
    """The cards of a game."""

    own: int
    dealer: int
    up: int  # of the dealer's, seen before the decision: none or one
    ranks: tuple[int, ...] = tuple(range(13))  # those in the pack, a two being 0
    suits: int = 4


@dataclass(frozen=True)
class Counted:
    """What is left of a game when everything has been counted."""

    tally: NDArray[np.int64]  # how often each end is reached, by class of hand and by cell
    chosen: NDArray[np.int64]  # how often each move is best, by the player's place and up card
    unsure: NDArray[np.int64]  # where a place does not tell: up card and index of the ranks held
    by_suits: NDArray[np.uint8]  # the best move for each of these, by the suits in ascending order


def count(
    cards: OwnHands,
    player: RankTables,
    dealer: RankTables,
    tree: Tree,
    classes: NDArray[np.uint8],
    qualifies_from: int,
    pays: NDArray[np.int64],
    progress: Progress = lambda share: None,
    threads: int = THREADS,
) -> Counted:
    """Solve a game: `pays[end, class, cell]` is what the player wins, in whole units."""
    if tree.stages != 1:
        raise ValueError("one decision is counted here")
    dealt_from = pack(cards.ranks, cards.suits)
    ups = [np.array([4 * rank], np.int64) for rank in cards.ranks] if cards.up else [dealt_from[:0]]
    tallies = [np.zeros(pays.shape, np.int64) for _ in ups]
    chosen = np.zeros((len(ups), len(classes), pays.shape[0]), np.int64)
    unsure: dict[int, tuple[NDArray[np.int64], NDArray[np.uint8]]] = {}
    done = [0.0]

    def one(at: int) -> None:
        up = ups[at]
        rest = dealt_from[~np.isin(dealt_from, up)]
        # An up card of the first suit stands for those of the others.
        hands, ways = canonical_sets(rest, cards.suits, cards.own, named=len(up))
        ways = ways * (cards.suits if len(up) else 1)
        worth, best = _count_up_card(
            rest, up, hands, ways, cards.dealer - cards.up, *player, *dealer, CHOOSE, classes,
            qualifies_from, pays, tree.children[0], tallies[at], chosen[at],
        )  # fmt: skip
        is_unsure = (np.count_nonzero(chosen[at], axis=1) > 1)[worth]
        unsure[at] = _tell_apart(hands[is_unsure], best[is_unsure], cards.suits, len(up))
        done[0] += 1 / len(ups)
        progress(min(done[0], 1.0))

    in_threads(one, len(ups), threads)
    where = [(at, number) for at in range(len(ups)) for number in unsure[at][0].tolist()]
    by_suits = np.concatenate([unsure[at][1] for at in range(len(ups))])
    tally = sum(tallies[1:], tallies[0])
    return Counted(tally, chosen, np.array(where, np.int64).reshape(-1, 2), by_suits)


def _tell_apart(
    hands: NDArray[np.int64], best: NDArray[np.uint8], suits: int, named: int
) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
    """The best move by the index of a hand's ranks, and by its suits: two bits for each card."""
    at = np.arange(hands.shape[1])
    indexes = BINOMIALS[hands // 4 + at, at + 1].sum(axis=1)
    numbers, rows = np.unique(indexes, return_inverse=True)
    found = np.zeros((len(numbers), 4 ** hands.shape[1]), np.uint8)
    for names in permutations(range(named, suits)):
        perm = np.array([*range(named), *names])
        renamed = np.sort(hands // 4 * 4 + perm[hands % 4], axis=1)
        found[rows, (renamed % 4 << 2 * at).sum(axis=1)] = best
    return numbers, found


@njit(cache=True, nogil=True)
def place_of(cards, many, by_ranks, by_suit, binomials):
    """What a hand is worth: the better of what its ranks and its suits make."""
    held = 0  # four bits for each rank
    masks = np.zeros(4, np.int64)
    for at in range(many):
        held += 1 << 4 * (cards[at] >> 2)
        masks[cards[at] & 3] |= 1 << (cards[at] >> 2)
    index, seen = 0, 0
    for rank in range(13):
        for _ in range(held >> 4 * rank & 15):
            index += binomials[rank + seen, seen + 1]
            seen += 1
    place = by_ranks[index]
    for suit in range(4):
        place = max(place, by_suit[masks[suit]])
    return place


@njit(cache=True, nogil=True)
def _sets_of(hand, bits_of, top, many, choose, start, within, into):
    """The number of every set of a hand's cards: that of the set without its highest, and more."""
    within[0] = 0
    for at in range(len(bits_of)):
        bits = bits_of[at]
        if bits:
            high = top[bits]
            within[bits] = within[bits ^ (1 << high)] + choose[hand[high], many[bits]]
        into[at] = start[many[bits]] + within[bits]


@njit(cache=True, nogil=True)
def _sets(size, most):
    """Sets of up to so many of a hand's cards as bits, with their highest card and their size."""
    bits_of = np.zeros(1 << size, np.uint32)
    top = np.zeros(1 << size, np.uint32)
    many = np.zeros(1 << size, np.uint32)
    number = 0
    for bits in range(1 << size):
        for at in range(size):
            if bits >> at & 1:
                top[bits] = at
                many[bits] += 1
        if many[bits] <= most:
            bits_of[number] = bits
            number += 1
    return bits_of[:number].copy(), top, many


@njit(cache=True, nogil=True)
def _count_up_card(
    rest, up, hands, ways, hidden, p_ranks, p_suit, p_binomials, d_ranks, d_suit, d_binomials,
    choose, classes, qualifies_from, pays, children, tally, chosen,
):  # fmt: skip
    """All hands beside one up card: sweep from the lowest hand of all to the highest.

    The place and the best move of each hand are returned.
    """
    own, places, number = hands.shape[1], len(classes), len(hands)
    most = min(own, hidden)
    start = np.zeros(most + 2, np.int64)  # where the sets of each size begin
    for size in range(most + 1):
        start[size + 1] = start[size] + choose[52, size]
    counts = np.zeros(start[most + 1], np.int32)

    # The player's hands in order.
    worth = np.zeros(number, np.uint16)
    for each in range(number):
        worth[each] = place_of(hands[each], own, p_ranks, p_suit, p_binomials)
    hands_by, hands_at = _in_order(worth, places)

    # The dealer's.
    total = 1
    for at in range(hidden):
        total = total * (len(rest) - at) // (at + 1)
    dealt = np.zeros((total, hidden), np.uint8)
    dealer_worth = np.zeros(total, np.uint16)
    cards = np.zeros(hidden + len(up), np.int64)
    for at in range(len(up)):
        cards[hidden + at] = up[at]
    places_in_rest = np.arange(hidden)
    for each in range(total):
        for at in range(hidden):
            cards[at] = rest[places_in_rest[at]]
            dealt[each, at] = cards[at]
        dealer_worth[each] = place_of(cards, hidden + len(up), d_ranks, d_suit, d_binomials)
        next_set(places_in_rest, len(rest))
    dealt_by, dealt_at = _in_order(dealer_worth, places)

    lower = np.zeros(number, np.int32)
    equal = np.zeros(number, np.int32)
    below = np.zeros(number, np.int32)
    mine_of, mine_top, mine_many = _sets(own, most)
    his_of, his_top, his_many = _sets(hidden, most)
    my_sets = np.zeros(len(mine_of), np.uint32)
    his_sets = np.zeros(len(his_of), np.uint32)
    within = np.zeros(1 << max(own, hidden), np.uint32)
    even = np.zeros(len(mine_of), np.bool_)
    for at in range(len(mine_of)):
        even[at] = mine_many[mine_of[at]] % 2 == 0
    waiting = qualifies_from > 0
    for place in range(places):
        if waiting and place >= qualifies_from:
            for each in range(number):
                _sets_of(hands[each], mine_of, mine_top, mine_many, choose, start, within, my_sets)
                below[each] = _apart(my_sets, even, counts)
            waiting = False
        mine = hands_at[place] < hands_at[place + 1]
        his = dealt_at[place] < dealt_at[place + 1]
        if mine:
            for at in range(hands_at[place], hands_at[place + 1]):
                each = hands_by[at]
                _sets_of(hands[each], mine_of, mine_top, mine_many, choose, start, within, my_sets)
                lower[each] = _apart(my_sets, even, counts)
        if his:
            for at in range(dealt_at[place], dealt_at[place + 1]):
                hand = dealt[dealt_by[at]]
                _sets_of(hand, his_of, his_top, his_many, choose, start, within, his_sets)
                for number_of in his_sets:
                    counts[number_of] += 1
        if mine and his:
            for at in range(hands_at[place], hands_at[place + 1]):
                each = hands_by[at]
                _sets_of(hands[each], mine_of, mine_top, mine_many, choose, start, within, my_sets)
                equal[each] = _apart(my_sets, even, counts) - lower[each]

    dealers = 1
    for at in range(hidden):
        dealers = dealers * (len(rest) - own - at) // (at + 1)
    cells = np.zeros(CELLS, np.int64)
    moves = np.zeros(number, np.uint8)
    for each in range(number):
        cells[:] = 0
        if worth[each] >= qualifies_from:
            cells[0], cells[1] = lower[each] - below[each], below[each]
            cells[2] = equal[each]
            cells[4] = dealers - lower[each] - equal[each]
        else:
            cells[1], cells[3] = lower[each], equal[each]
            cells[4] = dealers - below[each]
            cells[5] = below[each] - lower[each] - equal[each]
        kind = classes[worth[each]]
        best, best_value = 0, np.int64(0)
        for k in range(len(children)):
            if children[k] == NOTHING:
                continue
            value = np.int64(0)
            for cell in range(CELLS):
                value += cells[cell] * pays[children[k], kind, cell]
            if k == 0 or value > best_value:
                best, best_value = children[k], value
                moves[each] = k
        for cell in range(CELLS):
            tally[best, kind, cell] += ways[each] * cells[cell]
        chosen[worth[each], best] += ways[each]
    return worth, moves


@njit(cache=True, nogil=True)
def _apart(sets, even, counts):
    """How many of the hands counted so far share no card with one that has these sets of cards."""
    apart = np.int64(0)
    for at in range(len(sets)):
        number = counts[sets[at]]
        apart += number if even[at] else -number
    return apart


@njit(cache=True, nogil=True)
def _in_order(worth, places):
    """Which come at each place, and where each place begins among them."""
    at = np.zeros(places + 1, np.int64)
    for each in worth:
        at[each + 1] += 1
    for place in range(places):
        at[place + 1] += at[place]
    following = at.copy()
    order = np.zeros(len(worth), np.int64)
    for each in range(len(worth)):
        order[following[worth[each]]] = each
        following[worth[each]] += 1
    return order, at
