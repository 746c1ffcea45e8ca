# mypy: disable-error-code="no-untyped-def"
"""Counting a game of community cards: every hand, every board, every decision at its best.

A board of community cards is fixed, every hand that may be held beside it is
ranked, and the hands are put in order once. Going through them from the lowest
to the highest, with a count of how many lower hands hold each card, tells for
each hand how many of the dealer's it beats, ties and loses to: nothing is ever
compared. Boards that differ only in the names of their suits are counted once.

Decisions are taken from the last to the first. At each, what every move is
worth is added up over all that may still come, and the best one is kept.

There is no rule in here. What a showdown is worth comes in a table, by the
class of the player's hand and by how it compares with the dealer's.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations, permutations
from math import comb
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from croupier.analysis.sets import (
    CARDS,
    CELLS,
    CHOOSE,
    THREADS,
    Progress,
    canonical,
    canonical_sets,
    holdings,
    in_threads,
    number_of,
    numbers_of,
    pack,
)
from croupier.analysis.tree import NOTHING, Tree
from croupier.ranking.bulk import RankTables

CHUNKS = 64  # parts into which the boards are split
LOWEST, HIGHEST = 0, 1  # of the places: the first that goes as far as a move, the last that not


@dataclass(frozen=True)
class CommunityCards:
    """The cards of a game, and when its decisions fall."""

    own: int
    board: int
    has_dealer: bool  # who is dealt as many cards as the player
    seen: tuple[int, ...]  # how many community cards are known at each decision
    ranks: tuple[int, ...] = tuple(range(13))  # those in the pack, a two being 0
    suits: int = 4


@dataclass(frozen=True)
class Counted:
    """What is left of a game when everything has been counted."""

    values: NDArray[np.int64]  # what each first move adds up to, by own cards
    tally: NDArray[np.int64]  # how often each end is reached, by class of hand and by cell
    middle: NDArray[np.uint8]  # the best move of a decision in between, by board and own cards
    last: NDArray[np.uint8]  # and of the last against a dealer, if a card is still to come;
    bounds: NDArray[np.uint16]  # if none is: which places make each move, and which do not


def count(
    cards: CommunityCards,
    tables: RankTables,
    tree: Tree,
    classes: NDArray[np.uint8],
    qualifies_from: int,
    pays: NDArray[np.int64],
    progress: Progress = lambda share: None,
    threads: int = THREADS,
) -> Counted:
    """Solve a game: `pays[end, class, cell]` is what the player wins, in whole units."""
    return _Solver(cards, tables, tree, classes, qualifies_from, pays, progress, threads).solve()


class _Solver:
    def __init__(
        self,
        cards: CommunityCards,
        tables: RankTables,
        tree: Tree,
        classes: NDArray[np.uint8],
        qualifies_from: int,
        pays: NDArray[np.int64],
        progress: Progress,
        threads: int,
    ) -> None:
        self.cards, self.tables, self.tree, self.pays = cards, tables, tree, pays
        self.classes, self.qualifies_from = classes, qualifies_from
        self.progress, self.threads = progress, threads
        self.pack = pack(cards.ranks, cards.suits)
        self.last = cards.seen[-1]  # community cards at the last decision
        self.has_first = cards.seen[0] == 0 and len(cards.seen) > 1
        between = cards.seen[1:-1] if self.has_first else cards.seen[:-1]
        ways_there = [len(tree.nodes(stage)) for stage in range(1, tree.stages - 1)]
        if between and (ways_there != [1] or not self.has_first):
            raise ValueError(f"decisions at {cards.seen} community cards are not counted here")
        self.middle = between[0] if between else 0
        self.boards, self.ways = canonical_sets(self.pack, cards.suits, self.last)
        self.holdings = comb(CARDS, cards.own)
        self.perms = np.array([*permutations(range(cards.suits))], np.int64)
        self.moved = moved_holdings(self.perms, cards.own if self.middle else 1)
        self.subsets = np.array(
            [*combinations(range(self.last), self.middle)], np.int64
        ).reshape(comb(self.last, self.middle), self.middle)  # fmt: skip
        self.middles, self.middle_ways = canonical_sets(self.pack, cards.suits, self.middle)
        self.middle_id = np.zeros(comb(CARDS, self.middle), np.int32)
        for number, board in enumerate(self.middles):
            self.middle_id[number_of(board)] = number
        dealers = comb(len(self.pack) - cards.board - cards.own, cards.own)
        self._given = (
            self.boards, self.ways, self.pack, cards.own, cards.board, cards.has_dealer,
            dealers if cards.has_dealer else 1, *tables, CHOOSE, classes, qualifies_from, pays,
        )  # fmt: skip
        self.room = [
            (
                _desk(len(self.pack), cards.own, len(classes), len(pays)),
                np.zeros((len(pays), self.holdings), np.int64),
            )
            for _ in range(threads)
        ]
        self.done = 0.0

    def solve(self) -> Counted:
        values = self._values()
        tally, last, bounds = self._tally(values.argmax(axis=0).astype(np.uint8))
        middle = np.zeros((1, 0, 0, 0), np.uint8)
        if self.middle:
            middle = _as_bits(self.best, self.tree.moves[self.tree.nodes(self.tree.stages - 2)[0]])
        return Counted(values, tally, folded(middle), folded(last), bounds)

    def _values(self) -> NDArray[np.int64]:
        """What each first move is worth, by own cards, if it is made before any board is seen."""
        tree, wide = self.tree, len(self.middles)
        moves = tree.moves[tree.nodes(tree.stages - 2)[0]] if self.middle else 1
        self.best = np.zeros((1, 1), np.uint8)
        if tree.stages == 1:
            return np.zeros((1, self.holdings), np.int64)
        kept = [
            (
                np.zeros((wide, moves - 1, self.holdings), np.int64),
                np.zeros((tree.moves[0], self.holdings), np.int64),
            )
            for _ in range(self.threads)
        ]
        column = tree.column - (tree.stage_of == tree.stages - 2)[:, None] * bool(self.middle)

        def work(at: int, part: NDArray[np.int64]) -> None:
            _add_up(
                part, *self._given, tree.children, tree.stage_of, column, tree.stages,
                self.middle, self.subsets, self.middle_id, self.perms, self.moved,
                *self.room[at], *kept[at],
            )  # fmt: skip

        self._run(work)
        ahead = sum((each for each, _ in kept[1:]), kept[0][0])
        opening = sum((each for _, each in kept[1:]), kept[0][1])
        if self.middle:
            # The same under any renaming of suits that leaves the board as it is.
            for number, board in enumerate(self.middles):
                same = [at for at, perm in enumerate(self.perms) if _renamed(board, perm)]
                ahead[number] = sum(ahead[number][:, self.moved[at]] for at in same)
            best = ahead.max(axis=1)
            self.best = np.where(best > 0, ahead.argmax(axis=1) + 1, 0).astype(np.uint8)
            gained = (np.maximum(best, 0) * self.middle_ways[:, None]).sum(axis=0)
            _, move = tree.parent(tree.nodes(tree.stages - 2)[0])
            opening[move] += gained // len(self.perms)  # each board was counted as often
        return _alike(opening, self.cards)

    def _tally(
        self, first: NDArray[np.uint8]
    ) -> tuple[NDArray[np.int64], NDArray[np.uint8], NDArray[np.uint16]]:
        tree, cards = self.tree, self.cards
        kept = [np.zeros(self.pays.shape, np.int64) for _ in range(self.threads)]
        nodes = tree.nodes(tree.stages - 1)
        moves = tree.moves[nodes[0]]
        # What is best against a table of payments is quickly found when it is needed.
        shown = cards.has_dealer and self.last == cards.board
        hidden = cards.has_dealer and not shown
        wide = -(-self.holdings // 8)
        last = np.zeros(
            (len(nodes), len(self.boards) * hidden, (moves - 1).bit_length(), wide), np.uint8
        )
        bounds = np.zeros((len(nodes), len(self.boards) * shown, moves - 1, 2), np.uint16)
        bounds[..., LOWEST] = np.iinfo(np.uint16).max

        def work(at: int, part: NDArray[np.int64]) -> None:
            _count_ends(
                part, *self._given, tree.children, tree.stage_of, tree.stages, self.has_first,
                self.middle, self.subsets, self.middle_id, self.perms, self.moved,
                *self.room[at], first, self.best, kept[at], nodes[0], last, bounds,
            )  # fmt: skip

        self._run(work)
        return sum(kept[1:], kept[0]), last, bounds

    def _chunks(self) -> list[NDArray[np.int64]]:
        return [part for part in np.array_split(np.arange(len(self.boards)), CHUNKS) if len(part)]

    def _run(self, work: Callable[[int, NDArray[np.int64]], None]) -> None:
        """Each thread takes the next part that is waiting, and tells when it is done."""
        waiting = self._chunks()
        share = 1 / len(waiting) / min(self.tree.stages, 2)

        def worker(at: int) -> None:
            while True:
                try:
                    part = waiting.pop()
                except IndexError:
                    return
                work(at, part)
                self.done += share
                self.progress(min(self.done, 1.0))

        in_threads(worker, self.threads, self.threads)


def _as_bits(best: NDArray[np.uint8], moves: int) -> NDArray[np.uint8]:
    """Moves by board and holding, as bits: one node, its boards, digits of the move, holdings."""
    digits = np.arange((moves - 1).bit_length(), dtype=np.uint8)
    planes = best[None, :, None, :] >> digits[:, None] & 1
    return np.packbits(planes, axis=-1, bitorder="little")


def folded(planes: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """As it is filed: boards last, and nodes as what sets them off, which takes little room."""
    found = np.moveaxis(planes, 1, -1).copy()
    found[1:] ^= found[0]
    return found


def unfolded(filed: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """As it is looked up: by node, board, binary digit of the move, and byte of the holdings."""
    found = np.ascontiguousarray(np.moveaxis(filed, -1, 1))
    found[1:] ^= found[0]
    return found


def _renamed(board: NDArray[np.int64], perm: NDArray[np.int64]) -> bool:
    """Whether the board is the same after its suits are renamed."""
    return {4 * (card // 4) + perm[card % 4] for card in board.tolist()} == set(board.tolist())


def moved_holdings(perms: NDArray[np.int64], own: int) -> NDArray[np.uint16]:
    """Where each holding goes when suits are renamed."""
    holdings = np.array([*combinations(range(CARDS), own)], np.int64)
    at = numbers_of(holdings)
    moved = np.zeros((len(perms), len(holdings)), np.uint16)
    for number, perm in enumerate(perms):
        full = np.concatenate([perm, np.arange(len(perm), 4)])
        renamed = np.sort(4 * (holdings // 4) + full[holdings % 4], axis=1)
        moved[number, at] = numbers_of(renamed)
    return moved


def _alike(opening: NDArray[np.int64], cards: CommunityCards) -> NDArray[np.int64]:
    """Holdings that differ only in the names of suits are worth the same: their mean."""
    held, at = holdings(cards.own, cards.ranks, cards.suits)
    names = np.array([canonical(row, cards.suits) for row in held])
    found = np.zeros_like(opening)
    order, inverse = np.unique(names, return_inverse=True)
    total = np.zeros((len(opening), len(order)), np.int64)
    for row, values in zip(total, opening[:, at], strict=True):
        np.add.at(row, inverse, values)
    found[:, at] = (total // np.bincount(inverse))[:, inverse]
    return found


# Compiled from here on.


class Desk(NamedTuple):
    """Room to work in while the holdings beside one board are ranked and compared."""

    live: NDArray[np.uint8]  # the cards that are left
    first: NDArray[np.uint8]  # the cards of each holding, ascending
    second: NDArray[np.uint8]
    third: NDArray[np.uint8]
    number: NDArray[np.uint16]  # the holding's number among all
    place: NDArray[np.uint16]  # what it is worth
    order: NDArray[np.uint32]  # the holdings from the lowest to the highest
    starts: NDArray[np.int32]  # where each worth begins and, later, ends in that order
    one: NDArray[np.int32]  # holdings counted so far that hold a card
    two: NDArray[np.int32]  # and two cards
    lower: NDArray[np.int32]  # for each holding: how many of the dealer's are lower,
    equal: NDArray[np.int32]  # equal,
    below: NDArray[np.int32]  # and do not qualify
    by_ranks: NDArray[np.bool_]  # there is no room for a flush, and so suits do not matter
    ranked: NDArray[np.uint16]  # what the ranks of a holding make
    left: NDArray[np.int32]  # how many cards of each rank are left
    worth: NDArray[np.int64]  # what each end is worth


def _desk(cards: int, own: int, places: int, ends: int) -> Desk:
    most = comb(cards, own)
    return Desk(
        live=np.zeros(CARDS, np.uint8),
        first=np.zeros(most, np.uint8),
        second=np.zeros(most, np.uint8),
        third=np.zeros(most, np.uint8),
        number=np.zeros(most, np.uint16),
        place=np.zeros(most, np.uint16),
        order=np.zeros(most, np.uint32),
        starts=np.zeros(places + 1, np.int32),
        one=np.zeros(CARDS, np.int32),
        two=np.zeros((CARDS, CARDS), np.int32),
        lower=np.zeros(most, np.int32),
        equal=np.zeros(most, np.int32),
        below=np.zeros(most, np.int32),
        by_ranks=np.zeros(1, np.bool_),
        ranked=np.zeros((13, 13, 13), np.uint16),
        left=np.zeros(13, np.int32),
        worth=np.zeros(ends, np.int64),
    )


@njit(cache=True, nogil=True)
def _rank_beside(board, pack, own, by_ranks, by_suit, binomials, choose, desk):
    """Rank every holding that may lie beside a board; their number is returned.

    What the ranks make is looked up once for each set of ranks, and suits are looked at only
    where the board leaves room for a flush.
    """
    counts = np.zeros(13, np.int64)
    masks = np.zeros(4, np.int64)
    taken = np.zeros(52, np.uint8)
    for card in board:
        counts[card >> 2] += 1
        masks[card & 3] |= 1 << (card >> 2)
        taken[card] = 1
    left = 0
    desk.left[:] = 0
    for card in pack:
        if not taken[card]:
            desk.live[left] = card
            desk.left[card >> 2] += 1
            left += 1
    room = np.zeros(4, np.uint8)
    any_room = False
    for suit in range(4):
        most, short = masks[suit], own
        for rank in range(12, -1, -1):
            if short and not most >> rank & 1:
                most |= 1 << rank
                short -= 1
        if by_suit[most]:
            room[suit], any_room = 1, True
    desk.by_ranks[0] = own == 2 and not any_room
    ranked = desk.ranked
    for r0 in range(13):
        for r1 in range(r0, 13 if own > 1 else r0 + 1):
            for r2 in range(r1, 13 if own > 2 else r1 + 1):
                counts[r0] += 1
                counts[r1] += own > 1
                counts[r2] += own > 2
                index, seen = 0, 0
                for rank in range(13):
                    for _ in range(counts[rank]):
                        index += binomials[rank + seen, seen + 1]
                        seen += 1
                ranked[r0, r1, r2] = by_ranks[index]
                counts[r0] -= 1
                counts[r1] -= own > 1
                counts[r2] -= own > 2
    on_board = np.uint16(0)  # a flush that lies there is everybody's
    for suit in range(4):
        on_board = max(on_board, by_suit[masks[suit]])
    many = 0
    for i in range(left):
        a = desk.live[i]
        ra, sa = a >> 2, a & 3
        bit_a = 1 << np.int64(ra)
        for j in range(i + 1 if own > 1 else i, left if own > 1 else i + 1):
            b = desk.live[j]
            rb, sb = b >> 2, b & 3
            bit_b = 1 << np.int64(rb)
            for k in range(j + 1 if own > 2 else j, left if own > 2 else j + 1):
                c = desk.live[k]
                rc, sc = c >> 2, c & 3
                best = ranked[ra, rb, rc]
                if any_room:
                    best = max(best, on_board)
                    bit_c = 1 << np.int64(rc)
                    if room[sa]:
                        mask = masks[sa] | bit_a
                        if sb == sa:
                            mask |= bit_b
                        if sc == sa:
                            mask |= bit_c
                        best = max(best, by_suit[np.uint16(mask)])
                    if sb != sa and room[sb]:
                        mask = masks[sb] | bit_b
                        if sc == sb:
                            mask |= bit_c
                        best = max(best, by_suit[np.uint16(mask)])
                    if sc != sa and sc != sb and room[sc]:
                        best = max(best, by_suit[np.uint16(masks[sc] | bit_c)])
                number = np.int64(a)
                if own > 1:
                    number += choose[b, 2]
                if own > 2:
                    number += choose[c, 3]
                desk.first[many], desk.second[many], desk.third[many] = a, b, c
                desk.number[many] = number
                desk.place[many] = best
                many += 1
    return many


@njit(cache=True, nogil=True)
def _compare(own, many, qualifies_from, desk):
    """For each holding: how many of the dealer's are lower, equal, and do not qualify.

    The holdings that hold one of its cards are taken off the count, and what was taken off
    twice is put back. Whether a holding itself is in the count is seen to in the end.
    """
    if desk.by_ranks[0]:
        _compare_ranks(many, qualifies_from, desk)
        return
    place, order, starts, one, two = desk.place, desk.order, desk.starts, desk.one, desk.two
    first, second, third = desk.first, desk.second, desk.third
    lower, equal, below = desk.lower, desk.equal, desk.below
    starts[:] = 0
    for each in range(many):
        starts[place[each]] += 1
    total = np.int32(0)
    for worth in range(len(starts)):
        number = starts[worth]
        starts[worth] = total
        total += number
    for each in range(many):
        order[starts[place[each]]] = each
        starts[place[each]] += 1
    one[:] = 0
    if own > 2:
        two[:] = 0
    itself = np.int32(1 if own == 2 else -1)  # what a holding does to the count of those beside it
    total, start = np.int32(0), 0
    waiting = qualifies_from > 0
    while start < many or waiting:
        above = start == many or place[order[start]] >= qualifies_from
        if waiting and above:
            for each in range(many):
                a, b = first[each], second[each]
                count = total - one[a] - one[b]
                if own > 2:
                    c = third[each]
                    count += two[a, b] + two[a, c] + two[b, c] - one[c]
                below[each] = count
            for each in range(start):
                below[order[each]] += itself
            waiting = False
            continue
        end = starts[place[order[start]]]
        for each in range(start, end):
            p = order[each]
            a, b = first[p], second[p]
            count = total - one[a] - one[b]
            if own > 2:
                c = third[p]
                count += two[a, b] + two[a, c] + two[b, c] - one[c]
            lower[p] = count
        for each in range(start, end):
            p = order[each]
            a, b = first[p], second[p]
            one[a] += 1
            one[b] += 1
            if own > 2:
                c = third[p]
                one[c] += 1
                two[a, b] += 1
                two[a, c] += 1
                two[b, c] += 1
        total += end - start
        for each in range(start, end):
            p = order[each]
            a, b = first[p], second[p]
            count = total - one[a] - one[b]
            if own > 2:
                c = third[p]
                count += two[a, b] + two[a, c] + two[b, c] - one[c]
            equal[p] = count + itself - lower[p]
        start = end


@njit(cache=True, nogil=True)
def _compare_ranks(many, qualifies_from, desk):
    """The same for two cards where suits do not matter: 91 pairs of ranks stand for all.

    Cards of a rank are alike, so `one` counts the lower holdings that hold a certain one of them.
    """
    one, left = desk.one, desk.left
    order = np.zeros(91, np.uint32)  # the place of each pair of ranks, and its two ranks
    pairs = 0
    for a in range(13):
        for b in range(a, 13):
            if left[a] and left[b] > (a == b):
                order[pairs] = np.uint32(desk.ranked[a, b, b]) << 8 | a << 4 | b
                pairs += 1
    order = order[:pairs]
    order.sort()
    found = np.zeros((3, 13, 13), np.int32)  # lower, equal and below
    one[:13] = 0
    total, start = np.int32(0), 0
    waiting = qualifies_from > 0
    while start < pairs or waiting:
        if waiting and (start == pairs or order[start] >> 8 >= qualifies_from):
            for at in range(pairs):
                a, b = order[at] >> 4 & 15, order[at] & 15
                found[2, a, b] = total - one[a] - one[b] + (at < start)
            waiting = False
            continue
        end = start
        while end < pairs and order[end] >> 8 == order[start] >> 8:
            a, b = order[end] >> 4 & 15, order[end] & 15
            found[0, a, b] = total - one[a] - one[b]
            end += 1
        for at in range(start, end):
            a, b = order[at] >> 4 & 15, order[at] & 15
            total += left[a] * left[b] if a != b else left[a] * (left[a] - 1) // 2
            one[a] += left[b] - (a == b)
            if a != b:
                one[b] += left[a]
        for at in range(start, end):
            a, b = order[at] >> 4 & 15, order[at] & 15
            found[1, a, b] = total - one[a] - one[b] + 1 - found[0, a, b]
        start = end
    for p in range(many):
        a, b = desk.first[p] >> 2, desk.second[p] >> 2
        desk.lower[p], desk.equal[p], desk.below[p] = found[0, a, b], found[1, a, b], found[2, a, b]


@njit(cache=True, nogil=True)
def _cells(has_dealer, dealers, qualifies_from, p, desk, cells):
    """Won, tied and lost showdowns of a holding, with the dealer qualifying and not."""
    for cell in range(CELLS):
        cells[cell] = 0
    if not has_dealer:
        cells[0] = 1
        return
    lower, equal, below = desk.lower[p], desk.equal[p], desk.below[p]
    if desk.place[p] >= qualifies_from:
        cells[0], cells[1], cells[2] = lower - below, below, equal
        cells[4] = dealers - lower - equal
    else:
        cells[1], cells[3], cells[4] = lower, equal, dealers - below
        cells[5] = below - lower - equal


@njit(cache=True, nogil=True)
def _add_ends(many, has_dealer, dealers, qualifies_from, classes, pays, desk, sums):
    """Add up what every end is worth beside this board; once for all holdings of the same ranks."""
    ends = pays.shape[0]
    before = np.uint16(0)
    for p in range(many):
        h = desk.number[p]
        if desk.by_ranks[0]:
            ranks = np.uint16(desk.first[p] >> 2) << 4 | desk.second[p] >> 2
            if p and ranks == before:  # the holdings come in order
                for end in range(ends):
                    sums[end, h] += desk.worth[end]
                continue
            before = ranks
        kind = classes[desk.place[p]]
        lower, equal, below = desk.lower[p], desk.equal[p], desk.below[p]
        qualifies = desk.place[p] >= qualifies_from
        for end in range(ends):
            pay = pays[end, kind]
            if not has_dealer:
                value = pay[0]
            elif qualifies:
                value = (lower - below) * pay[0] + below * pay[1] + equal * pay[2]
                value += (dealers - lower - equal) * pay[4]
            else:
                value = lower * pay[1] + equal * pay[3] + (dealers - below) * pay[4]
                value += (below - lower - equal) * pay[5]
            desk.worth[end] = value
            sums[end, h] += value


@njit(cache=True, nogil=True)
def _decide_last(many, here, children, stage_of, stages, sums, worth, choice):
    """The best move of each node of the last decision; the first of those worth the same."""
    for node in range(children.shape[0]):
        if stage_of[node] != stages - 1:
            continue
        best = sums[children[node, 0]]
        for p in range(many):
            worth[node, p] = best[here[p]]
            choice[node, p] = 0
        for k in range(1, children.shape[1]):
            if children[node, k] != NOTHING:
                other = sums[children[node, k]]
                for p in range(many):
                    value = other[here[p]]
                    if value > worth[node, p]:
                        worth[node, p] = value
                        choice[node, p] = k


@njit(cache=True, nogil=True)
def _add_up(
    part, boards, ways, pack, own, full, has_dealer, dealers, by_ranks, by_suit, binomials, choose,
    classes, qualifies_from, pays, children, stage_of, column, stages, middle, subsets,
    middle_id, perms, moved, desk, sums, middle_sums, opening,
):  # fmt: skip
    """Over a part of the boards: what each earlier move is worth, with the best of later ones.

    Of a decision in between, each move but the first is added up as its advantage over the
    first: that is one column less to carry, and the first is added up with the opening.
    """
    last, nodes, holdings = boards.shape[1], children.shape[0], opening.shape[1]
    board = np.zeros(full, np.int64)
    here = np.zeros(holdings, np.uint16)
    worth = np.zeros((nodes, holdings), np.int64)
    choice = np.zeros((nodes, holdings), np.uint8)
    ahead = np.zeros((middle_sums.shape[1], holdings), np.int64)
    subset_at = np.zeros(len(subsets), np.int64)
    subset_perm = np.zeros(len(subsets), np.int64)
    for each in part:
        many = _holdings_beside(boards[each], pack, own, choose, here)
        board[:last] = boards[each]
        sums[:] = 0
        for extra in range(len(pack) if full > last else 1):
            if full > last:
                if pack[extra] in board[:last]:
                    continue
                board[last] = pack[extra]
            found = _rank_beside(board, pack, own, by_ranks, by_suit, binomials, choose, desk)
            if has_dealer:
                _compare(own, found, qualifies_from, desk)
            _add_ends(found, has_dealer, dealers, qualifies_from, classes, pays, desk, sums)
        _decide_last(many, here, children, stage_of, stages, sums, worth, choice)
        times = ways[each] * len(subsets)
        for node in range(nodes):
            if middle and stage_of[node] == stages - 2:
                for k in range(children.shape[1]):
                    to = children[node, k]
                    if to == NOTHING:
                        continue
                    for p in range(many):
                        value = sums[to, here[p]] if to >= 0 else worth[-to - 1, p]
                        if k == 0:
                            worth[node, p] = value
                        else:
                            ahead[column[node, k], p] = ways[each] * (value - worth[node, p])
        for k in range(children.shape[1]):
            to = children[0, k]
            if to != NOTHING:
                into = opening[column[0, k]]
                for p in range(many):
                    value = sums[to, here[p]] if to >= 0 else worth[-to - 1, p]
                    into[here[p]] += times * value
        if middle:
            _find_subsets(boards[each], subsets, choose, middle_id, perms, subset_at, subset_perm)
            for c in range(ahead.shape[0]):
                for subset in range(len(subsets)):
                    into = middle_sums[subset_at[subset], c]
                    to_holding = moved[subset_perm[subset]]
                    for p in range(many):
                        into[to_holding[here[p]]] += ahead[c, p]


@njit(cache=True, nogil=True)
def _holdings_beside(board, pack, own, choose, into):
    """The numbers of all holdings that share no card with a board."""
    taken = np.zeros(52, np.uint8)
    for card in board:
        taken[card] = 1
    many = 0
    for i in range(len(pack)):
        a = pack[i]
        if taken[a]:
            continue
        for j in range(i + 1 if own > 1 else i, len(pack) if own > 1 else i + 1):
            b = pack[j]
            if own > 1 and taken[b]:
                continue
            for k in range(j + 1 if own > 2 else j, len(pack) if own > 2 else j + 1):
                c = pack[k]
                if own > 2 and taken[c]:
                    continue
                number = a
                if own > 1:
                    number += choose[b, 2]
                if own > 2:
                    number += choose[c, 3]
                into[many] = number
                many += 1
    return many


@njit(cache=True, nogil=True)
def _find_subsets(board, subsets, choose, middle_id, perms, at, perm):
    """Each smaller board that this one may have grown from, under the name it is counted by."""
    size = subsets.shape[1]
    suits = perms.shape[1]
    cards = np.zeros(size, np.int64)
    name = np.zeros(4, np.int64)
    masks = np.zeros(4, np.int64)
    for subset in range(len(subsets)):
        masks[:] = 0
        for each in range(size):
            card = board[subsets[subset, each]]
            masks[card & 3] |= 1 << (card >> 2)
        # The suit with the highest set of ranks gets the first name, and so on.
        for suit in range(suits):
            before = 0
            for other in range(suits):
                if masks[other] > masks[suit] or (masks[other] == masks[suit] and other < suit):
                    before += 1
            name[suit] = before
        for number in range(len(perms)):
            fits = True
            for suit in range(suits):
                if perms[number, suit] != name[suit]:
                    fits = False
                    break
            if fits:
                perm[subset] = number
                break
        for each in range(size):
            card = board[subsets[subset, each]]
            cards[each] = (card & ~3) | name[card & 3]
        cards.sort()
        index = 0
        for each in range(size):
            index += choose[cards[each], each + 1]
        at[subset] = middle_id[index]


@njit(cache=True, nogil=True)
def _bound(many, place, choice, bounds):
    """For each move but the first: the lowest place that goes so far, the highest that does not."""
    for p in range(many):
        for k in range(len(bounds)):
            if choice[p] > k:
                bounds[k, LOWEST] = min(bounds[k, LOWEST], place[p])
            else:
                bounds[k, HIGHEST] = max(bounds[k, HIGHEST], place[p])


@njit(cache=True, nogil=True)
def _pack_moves(many, here, choice, planes):
    """The moves of all holdings beside a board as bits."""
    for p in range(many):
        for digit in range(len(planes)):
            if choice[p] >> digit & 1:
                planes[digit, here[p] >> 3] |= np.uint8(1 << (here[p] & 7))


@njit(cache=True, nogil=True)
def _count_ends(
    part, boards, ways, pack, own, full, has_dealer, dealers, by_ranks, by_suit, binomials, choose,
    classes, qualifies_from, pays, children, stage_of, stages, has_first, middle, subsets,
    middle_id, perms, moved, desk, sums, first, best_middle, tally, last_node, last_moves, bounds,
):  # fmt: skip
    """How often each end is reached when every decision is the best one, and the last of these."""
    last, nodes, ends, holdings = boards.shape[1], children.shape[0], pays.shape[0], sums.shape[1]
    rivers = len(pack) if full > last else 1
    # What was counted beside each last card, by holding: the class of hand, and the cells.
    kinds = np.zeros((rivers, holdings), np.uint8)
    cells = np.zeros((rivers, holdings, CELLS), np.int32)
    board = np.zeros(full, np.int64)
    here = np.zeros(holdings, np.uint16)
    worth = np.zeros((nodes, holdings), np.int64)
    choice = np.zeros((nodes, holdings), np.uint8)
    chosen = np.zeros((children.shape[1], holdings), np.uint8)  # how often, at a node in between
    often = np.zeros(ends, np.int64)
    subset_at = np.zeros(len(subsets), np.int64)
    subset_perm = np.zeros(len(subsets), np.int64)
    for each in part:
        many = _holdings_beside(boards[each], pack, own, choose, here)
        board[:last] = boards[each]
        sums[:] = 0
        if full > last:
            cells[:] = 0  # a holding with the last card in it counts for nothing
        for extra in range(rivers):
            if full > last:
                if pack[extra] in board[:last]:
                    continue
                board[last] = pack[extra]
            found = _rank_beside(board, pack, own, by_ranks, by_suit, binomials, choose, desk)
            if has_dealer:
                _compare(own, found, qualifies_from, desk)
            _add_ends(found, has_dealer, dealers, qualifies_from, classes, pays, desk, sums)
            for p in range(found):
                h = desk.number[p]
                kinds[extra, h] = classes[desk.place[p]]
                _cells(has_dealer, dealers, qualifies_from, p, desk, cells[extra, h])
        _decide_last(many, here, children, stage_of, stages, sums, worth, choice)
        for at in range(len(bounds)):
            if bounds.shape[1]:  # the board is whole: what was ranked beside it lies on the desk
                _bound(many, desk.place, choice[last_node + at], bounds[at, each])
            if last_moves.shape[1]:
                _pack_moves(many, here, choice[last_node + at], last_moves[at, each])
        if middle:
            _find_subsets(boards[each], subsets, choose, middle_id, perms, subset_at, subset_perm)
            chosen[:, :many] = 0
            for subset in range(len(subsets)):
                best = best_middle[subset_at[subset]]
                to_holding = moved[subset_perm[subset]]
                for p in range(many):
                    chosen[best[to_holding[here[p]]], p] += 1
        for p in range(many):
            h = here[p]
            often[:] = 0
            node, to = 0, -1
            if has_first:
                to = children[0, first[h]]
                node = -to - 1
            if to >= 0:
                often[to] = len(subsets)
            elif middle:
                for k in range(children.shape[1]):
                    to = children[node, k]
                    if to == NOTHING:
                        continue
                    if to < 0:
                        to = children[-to - 1, choice[-to - 1, p]]
                    often[to] += chosen[k, p]
            else:
                often[children[node, choice[node, p]]] = 1
            for end in range(ends):
                if often[end]:
                    times = often[end] * ways[each]
                    for extra in range(rivers):
                        into, counted = tally[end, kinds[extra, h]], cells[extra, h]
                        for cell in range(CELLS):
                            into[cell] += times * counted[cell]
