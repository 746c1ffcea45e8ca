# mypy: disable-error-code="no-untyped-def,no-any-return,untyped-decorator,misc"
"""The best move of any poker hand, as the solvers found it: looked up by the thousand.

How a decision is looked up depends on what is known when it is made:

- own cards alone, with a board to come: by the number of the holding;
- a board that is not whole yet: by the board, its suits renamed so that few are
  left, and the holding under the same names;
- a whole board: by the place of the hand. The solver has kept for each board
  where the places begin that make a move, and where those end that do not.
  Between the two it depends on the very cards, and the dealer's hands are counted;
- no dealer: by the set of all cards in view;
- a hand against the dealer's own: by its place, and where that does not tell,
  by its ranks and suits.

A row of cards holds the player's own, then the board, then the dealer's, of
which those that lie face up come first. What is not known yet is not looked at.
"""

from functools import cache
from itertools import permutations
from math import comb
from typing import Protocol

import numpy as np
from numba import njit
from numpy.typing import NDArray

from croupier.analysis.community import HIGHEST, LOWEST, moved_holdings, unfolded
from croupier.analysis.sets import CARDS, CELLS, CHOOSE, canonical_sets, next_set, pack
from croupier.analysis.showdown import Poker
from croupier.analysis.stud import place_of
from croupier.analysis.tree import NOTHING
from croupier.ranking.bulk import BINOMIALS, tables

MIXED = 255  # hands of the same place do not all play alike

Cards = NDArray[np.uint8]
Rounds = NDArray[np.int64]
Nodes = NDArray[np.int64]
Places = NDArray[np.uint16]
Moves = NDArray[np.uint8]


class Decider(Protocol):
    """Says what is best at a stage, for those rounds of a block that come to it."""

    def __call__(self, cards: Cards, live: Rounds, nodes: Nodes, places: Places) -> Moves: ...


def deciders(poker: Poker) -> list[Decider]:
    """One for each stage of the game."""
    game, solved = poker.game, poker.solved
    stages = game.stages(poker.options)
    if not game.board_cards:
        return [ByHand(poker)]
    found: list[Decider] = []
    for number, stage in enumerate(stages):
        if number + 1 == len(stages):
            if not game.dealer_cards:
                found.append(ByCardsInView(poker))
            elif stage.board == game.board_cards:
                found.append(ByPlace(poker))
            else:
                found.append(ByHolding(poker, number, unfolded(solved["last"])))
        elif number == 0:
            found.append(ByOwnCards(poker))
        else:
            found.append(ByHolding(poker, number, unfolded(solved["middle"])))
    return found


class ByOwnCards:
    """Before any board is seen."""

    def __init__(self, poker: Poker) -> None:
        self.own = poker.game.own_cards
        self.best = poker.solved["values"].argmax(axis=0).astype(np.uint8)

    def __call__(self, cards: Cards, live: Rounds, nodes: Nodes, places: Places) -> Moves:
        return _by_own_cards(cards, live, self.own, CHOOSE, self.best)


class ByHolding:
    """With a part of the board in view."""

    def __init__(self, poker: Poker, stage: int, planes: NDArray[np.uint8]) -> None:
        game = poker.game
        self.own, self.board = game.own_cards, game.stages(poker.options)[stage].board
        self.first = poker.tree.nodes(stage)[0]
        self.names, self.perms = named(self.board)
        self.moved = moved_holdings(renamings(), self.own)
        self.planes = planes

    def __call__(self, cards: Cards, live: Rounds, nodes: Nodes, places: Places) -> Moves:
        return _by_holding(
            cards, live, nodes, self.first, self.own, self.board, CHOOSE, self.names, self.perms,
            self.moved, self.planes,
        )  # fmt: skip


class ByCardsInView:
    """Against a table of payments nothing counts but the cards that are known together."""

    def __init__(self, poker: Poker) -> None:
        game, tree = poker.game, poker.tree
        last = tree.stages - 1
        seen = game.stages(poker.options)[last].board
        self.known, self.first = game.own_cards + seen, tree.nodes(last)[0]
        self.names, _ = named(self.known)
        sets, _ = canonical_sets(pack(tuple(range(13)), 4), 4, self.known)
        size = game.own_cards + game.board_cards
        self.best = _go_through(
            sets, size, *tables(game.ladder, size), poker.kinds[0], poker.pays[0],
            tree.children[self.first :],
        )  # fmt: skip

    def __call__(self, cards: Cards, live: Rounds, nodes: Nodes, places: Places) -> Moves:
        return _by_set(cards, live, nodes, self.first, self.known, CHOOSE, self.names, self.best)


class ByPlace:
    """With the whole board in view."""

    def __init__(self, poker: Poker) -> None:
        game, tree = poker.game, poker.tree
        self.own, self.board = game.own_cards, game.board_cards
        self.first = tree.nodes(tree.stages - 1)[0]
        self.names, _ = named(self.board)
        self.bounds = poker.solved["bounds"]
        self.counting = (
            game.ladder.size, *tables(game.ladder, self.own + self.board), poker.kinds[0],
            poker.qualifies_from, poker.pays[0], tree.children,
        )  # fmt: skip

    def __call__(self, cards: Cards, live: Rounds, nodes: Nodes, places: Places) -> Moves:
        return _by_place(
            cards, live, nodes, places, self.first, self.own, self.board, CHOOSE, self.names,
            self.bounds, *self.counting,
        )  # fmt: skip


class ByHand:
    """With a hand of one's own, and perhaps a card of the dealer's in view."""

    def __init__(self, poker: Poker) -> None:
        game, solved = poker.game, poker.solved
        self.own, self.up = game.own_cards, game.up_cards
        chosen = solved["chosen"]  # by up card, place and end
        move_of = np.argsort(poker.tree.children[0])  # that leads to each end
        self.by_place = move_of[chosen.argmax(axis=2)].astype(np.uint8)
        self.by_place[np.count_nonzero(chosen, axis=2) > 1] = MIXED
        lists = comb(13 + self.own - 1, self.own)
        self.rows = np.full((len(chosen), lists), -1, np.int32)
        self.rows[tuple(solved["unsure"].T)] = np.arange(len(solved["unsure"]))
        self.by_suits = solved["by_suits"]

    def __call__(self, cards: Cards, live: Rounds, nodes: Nodes, places: Places) -> Moves:
        return _by_hand(
            cards, live, places, self.own, self.up, BINOMIALS, self.by_place, self.rows,
            self.by_suits,
        )  # fmt: skip


def renamings() -> NDArray[np.int64]:
    """Every way to rename the four suits."""
    return np.array([*permutations(range(4))], np.int64)


@cache
def named(size: int) -> tuple[NDArray[np.int32], NDArray[np.uint8]]:
    """For every set of so many cards: which it is counted as, and how its suits are renamed."""
    sets, _ = canonical_sets(pack(tuple(range(13)), 4), 4, size)
    perms = renamings()
    back = np.array([np.flatnonzero((perms == np.argsort(perm)).all(axis=1))[0] for perm in perms])
    names = np.zeros(comb(CARDS, size), np.int32)
    renaming = np.zeros(comb(CARDS, size), np.uint8)
    _name(sets, perms, back, CHOOSE, names, renaming)
    return names, renaming


# Compiled from here on.


@njit(cache=True, nogil=True)
def _number(cards, row, first, last, choose):
    """The number of the set that lies in these places of a row, in whatever order."""
    number = np.int64(0)
    for at in range(first, last):
        card, lower = cards[row, at], 0
        for other in range(first, last):
            lower += cards[row, other] < card
        number += choose[card, lower + 1]
    return number


@njit(cache=True, nogil=True)
def _name(sets, perms, back, choose, names, renaming):
    """Rename the suits of each set in every way: what comes of it goes by the set's number."""
    size = sets.shape[1]
    cards = np.zeros((1, size), np.int64)
    for each in range(len(sets)):
        for perm in range(len(perms)):
            for at in range(size):
                card = sets[each, at]
                cards[0, at] = (card & ~3) | perms[perm, card & 3]
            number = _number(cards, 0, 0, size, choose)
            names[number], renaming[number] = each, back[perm]


@njit(cache=True, nogil=True)
def _by_own_cards(cards, live, own, choose, best):
    chosen = np.empty(len(live), np.uint8)
    for each in range(len(live)):
        chosen[each] = best[_number(cards, live[each], 0, own, choose)]
    return chosen


@njit(cache=True, nogil=True)
def _by_holding(cards, live, nodes, first, own, board, choose, names, perms, moved, planes):
    chosen = np.empty(len(live), np.uint8)
    for each in range(len(live)):
        number = _number(cards, live[each], own, own + board, choose)
        holding = moved[perms[number], _number(cards, live[each], 0, own, choose)]
        bits = planes[nodes[live[each]] - first, names[number]]
        move = 0
        for digit in range(len(bits)):
            move |= (bits[digit, holding >> 3] >> (holding & 7) & 1) << digit
        chosen[each] = move
    return chosen


@njit(cache=True, nogil=True)
def _by_set(cards, live, nodes, first, known, choose, names, best):
    chosen = np.empty(len(live), np.uint8)
    for each in range(len(live)):
        number = _number(cards, live[each], 0, known, choose)
        chosen[each] = best[nodes[live[each]] - first, names[number]]
    return chosen


@njit(cache=True, nogil=True)
def _go_through(sets, size, by_ranks, by_suit, binomials, classes, pays, children):
    """The best move with each set of cards in view: all that may still come is gone through."""
    known = sets.shape[1]
    best = np.zeros((len(children), len(sets)), np.uint8)
    cards, rest = np.zeros(size, np.int64), np.zeros(CARDS - known, np.int64)
    worth = np.zeros(len(pays), np.int64)
    for each in range(len(sets)):
        left = 0
        for card in range(CARDS):
            if card not in sets[each]:
                rest[left] = card
                left += 1
        cards[:known] = sets[each]
        worth[:] = 0
        come = np.arange(size - known)
        while True:
            for at in range(len(come)):
                cards[known + at] = rest[come[at]]
            kind = classes[place_of(cards, size, by_ranks, by_suit, binomials)]
            for end in range(len(pays)):
                worth[end] += pays[end, kind, 0]
            if not next_set(come, left):
                break
        for node in range(len(children)):
            best[node, each] = _highest(worth, children[node])
    return best


@njit(cache=True, nogil=True)
def _highest(worth, children):
    """The move that is worth most; the first of those worth the same."""
    best = 0
    for k in range(1, len(children)):
        if children[k] != NOTHING and worth[children[k]] > worth[children[best]]:
            best = k
    return best


@njit(cache=True, nogil=True)
def _by_hand(cards, live, places, own, up, binomials, by_place, rows, by_suits):
    chosen = np.empty(len(live), np.uint8)
    held = np.empty(own, np.int64)
    for each in range(len(live)):
        card = np.int64(cards[live[each], own] if up else 0)
        shown, suit = card >> 2, card & 3
        move = by_place[shown, places[live[each]]]
        if move == MIXED:
            row = cards[live[each]]
            for at in range(own):
                # The suit of the up card and the first change names.
                card = np.int64(row[at])
                its = card & 3
                held[at] = (card & ~3) | (0 if its == suit else suit if its == 0 else its)
            held.sort()
            index, suits = 0, 0
            for at in range(own):
                index += binomials[(held[at] >> 2) + at, at + 1]
                suits |= (held[at] & 3) << 2 * at
            move = by_suits[rows[shown, index], suits]
        chosen[each] = move
    return chosen


@njit(cache=True, nogil=True)
def _by_place(
    cards, live, nodes, places, first, own, board, choose, names, bounds, flush, by_ranks, by_suit,
    binomials, classes, qualifies_from, pays, children,
):  # fmt: skip
    chosen = np.empty(len(live), np.uint8)
    seen = np.empty(board, np.int64)
    cells = np.zeros(CELLS, np.int64)
    worth = np.zeros(len(pays), np.int64)
    room = np.zeros((4, board + 1), np.int64)
    ranked = np.zeros((13, 13, 13), np.uint16)
    for each in range(len(live)):
        place, node = places[live[each]], nodes[live[each]]
        name = names[_number(cards, live[each], own, own + board, choose)]
        move, sure = 0, True
        for k in range(bounds.shape[2]):
            if place > bounds[node - first, name, k, HIGHEST]:
                move = k + 1
            elif place >= bounds[node - first, name, k, LOWEST]:
                sure = False
                break
        if not sure:
            row = cards[live[each]]
            for at in range(board):
                seen[at] = row[own + at]
            seen.sort()
            _against(
                row, seen, place, own, flush, by_ranks, by_suit, binomials, qualifies_from, room,
                ranked, cells,
            )  # fmt: skip
            for k in range(children.shape[1]):
                end = children[node, k]
                if end != NOTHING:
                    worth[end] = 0
                    for cell in range(CELLS):
                        worth[end] += cells[cell] * pays[end, classes[place], cell]
            move = _highest(worth, children[node])
        chosen[each] = move
    return chosen


@njit(cache=True, nogil=True)
def _cell(place, his, qualifies_from):
    cell = 0 if place > his else 2 if place == his else 4
    return cell + (his < qualifies_from)


@njit(cache=True, nogil=True)
def _against(
    row, seen, place, own, flush, by_ranks, by_suit, binomials, qualifies_from, sums, ranked, cells
):
    """How a hand compares with every hand that the dealer may hold beside this board.

    The dealer's hands are counted by their ranks alone; then those that are a flush are taken
    from where their ranks put them to where they belong.
    """
    board = len(seen)
    left, masks, on_board = np.full(13, 4, np.int64), np.zeros(4, np.int64), np.zeros(4, np.int64)
    gone = np.zeros(52, np.bool_)
    for at in range(own + board):
        left[row[at] >> 2] -= 1
        gone[row[at]] = True
    for card in seen:
        masks[card & 3] |= 1 << (card >> 2)
        on_board[card & 3] += 1
    # What the board's cards add to the index of a hand: by how many others are below them.
    for below in range(own + 1):
        sums[below, 0] = 0
        for at in range(board):
            share = binomials[(seen[at] >> 2) + at + below, at + below + 1]
            sums[below, at + 1] = sums[below, at] + share
    cells[:] = 0
    at_a = 0
    for a in range(13):
        while at_a < board and seen[at_a] >> 2 < a:
            at_a += 1
        to_a = sums[0, at_a] + binomials[a + at_a, at_a + 1] - sums[1, at_a]
        at_b = at_a
        for b in range(a, 13):
            while at_b < board and seen[at_b] >> 2 < b:
                at_b += 1
            to_b = to_a + sums[1, at_b] + binomials[b + at_b + 1, at_b + 2] - sums[2, at_b]
            ways = left[a] * left[b] if a != b else left[a] * (left[a] - 1) // 2
            if own == 2:
                his = by_ranks[to_b + sums[2, board]]
                ranked[a, b, b] = his
                cells[_cell(place, his, qualifies_from)] += ways
                continue
            at_c = at_b
            for c in range(b, 13):
                while at_c < board and seen[at_c] >> 2 < c:
                    at_c += 1
                share = binomials[c + at_c + 2, at_c + 3] - sums[3, at_c]
                his = by_ranks[to_b + sums[2, at_c] + share + sums[3, board]]
                ranked[a, b, c] = his
                if b != c:
                    all_ways = ways * left[c]
                elif a != b:
                    all_ways = left[a] * left[b] * (left[b] - 1) // 2
                else:
                    all_ways = left[a] * (left[a] - 1) * (left[a] - 2) // 6
                cells[_cell(place, his, qualifies_from)] += all_ways
    for suit in range(4):
        need = flush - on_board[suit]
        if need <= own:
            _flushes(
                suit, need, own, gone, masks[suit], place, by_suit, qualifies_from, ranked, cells
            )


@njit(cache=True, nogil=True)
def _flushes(suit, need, own, gone, mask, place, by_suit, qualifies_from, ranked, cells):
    """Take the dealer's hands with enough cards of a suit to where they belong."""
    live = np.empty(52, np.int64)  # those of the suit first
    number, left = 0, 0
    for is_other in range(2):
        for card in range(52):
            if not gone[card] and (card & 3 != suit) == is_other:
                live[left] = card
                left += 1
        if not is_other:
            number = left
    for i in range(number if need > 0 else left):
        mask_a = mask | (i < number) << (live[i] >> 2)
        for j in range(i + 1, number if need > 1 else left):
            mask_b = mask_a | (j < number) << (live[j] >> 2)
            if own == 2:
                low, high = min(live[i], live[j]) >> 2, max(live[i], live[j]) >> 2
                _move(ranked[low, high, high], by_suit[mask_b], place, qualifies_from, cells)
                continue
            for k in range(j + 1, number if need > 2 else left):
                held = mask_b | (k < number) << (live[k] >> 2)
                a, b, c = live[i] >> 2, live[j] >> 2, live[k] >> 2
                low, high = min(a, b, c), max(a, b, c)
                by_rank = ranked[low, a + b + c - low - high, high]
                _move(by_rank, by_suit[held], place, qualifies_from, cells)


@njit(cache=True, nogil=True)
def _move(by_rank, suited, place, qualifies_from, cells):
    """One hand of the dealer's from the cell of its ranks to that of the better of the two."""
    cells[_cell(place, by_rank, qualifies_from)] -= 1
    cells[_cell(place, max(by_rank, suited), qualifies_from)] += 1
