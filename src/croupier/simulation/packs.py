# mypy: disable-error-code="no-untyped-def,no-any-return,untyped-decorator,misc"
"""Poker dealt in bulk: a fresh shuffle for every round, and decisions at their best or as told.

Rounds are dealt some thousand at a time. The cards of each are drawn, its
decisions taken stage by stage, and how every wager came out is then read from
tables that the game's own rules have filled. There is no rule in here.

A row of cards holds the player's own, then the board, then the dealer's, of
which those that lie face up come first: so the cards of every hand lie side by
side. Cards that are burnt are not drawn. Nobody ever sees them, and which of
the unseen cards come is a matter of chance either way.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from math import comb
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from croupier.analysis.report import Watch
from croupier.analysis.showdown import Poker
from croupier.equipment import Card
from croupier.rulebook import Choice, Fault, PokerGame, Refusal, Wager
from croupier.rulebook.refusal import brief
from croupier.simulation.decisions import Cards, Decider, deciders
from croupier.simulation.engine import Ending
from croupier.simulation.readings import PACK, Block, Ends, Read, hand_places, reading
from croupier.simulation.strategies import Seen, Strategy, in_words
from croupier.simulation.streams import SeededStream
from croupier.simulation.words import below, is_biased, next_word, plan, split, stream

BLOCK = 1 << 15  # rounds that are dealt at once
OWN = 1 << 63  # set in the number of a chunk: a stream beside that of the cards
FEW_VIEWS = 300_000  # so many different views are worth remembering


class Own:
    """A player's own chance, that knows whether he has asked it."""

    def __init__(self, seed: int, chunk: int) -> None:
        self._stream = SeededStream(seed, chunk | OWN)
        self.was_asked = False

    def below(self, n: int) -> int:
        self.was_asked = True
        return self._stream.below(n)


class Packs:
    """A poker game that is dealt in bulk."""

    def __init__(
        self,
        game: PokerGame,
        options: Any,
        labels: Sequence[str] = (),
        *,
        strategy: Strategy | None = None,
        stake: int | None = None,
        watch: Watch | None = None,
    ) -> None:
        self.game, self.options, self.strategy = game, options, strategy
        self.poker = Poker(game, options, stake, watch=watch)
        self.tree, self.stages = self.poker.tree, game.stages(options)
        self.given = options.as_json()
        self.width = game.own_cards + game.board_cards + game.dealer_cards
        self.readings = {w.id: reading(self.poker, w) for w in self._wagers(labels)}
        self.labels = tuple(self.readings)
        self.endings: Mapping[str, tuple[Ending, ...]] = {
            label: each.endings for label, each in self.readings.items()
        }
        self._remembered: dict[tuple[int, tuple[bytes, ...]], int] = {}
        self._decides = any(each.needs_decisions for each in self.readings.values())
        if self._decides and strategy is None:
            _ = self.deciders  # solved now, before anything is dealt

    def _wagers(self, labels: Sequence[str]) -> list[Wager]:
        """Those named, or all that are offered; one that joins the main hand stands for it."""
        game, main = self.game, self.game.by_id[self.poker.main]
        if labels:
            wagers = [game.wager(label, self.options) for label in labels]
            hand = self.poker.hand_wagers
            return [*dict.fromkeys(main if wager in hand else wager for wager in wagers)]
        wagers = [wager for wager in game.offered(self.options) if not wager.joins]
        return wagers if main in wagers else [main, *wagers]

    # What every engine does.

    def count(self, seed: int, chunk: int, rounds: int) -> Mapping[str, NDArray[np.int64]]:
        """How often each ending came."""
        found = {label: np.zeros(len(self.endings[label]), np.int64) for label in self.labels}
        for read in self._blocks(seed, chunk, rounds):
            for label, numbers in read.items():
                _count(numbers, found[label])
        return found

    def play(self, seed: int, chunk: int, rounds: int) -> Mapping[str, NDArray[np.int32]]:
        """The ending of each round, by its number."""
        found = {label: np.empty(rounds, np.int32) for label in self.labels}
        at = 0
        for read in self._blocks(seed, chunk, rounds):
            for label, numbers in read.items():
                found[label][at : at + len(numbers)] = numbers
            at += len(numbers)
        return found

    def _blocks(self, seed: int, chunk: int, rounds: int) -> Iterator[Mapping[str, Read]]:
        words = stream(np.uint64(seed), np.uint64(chunk))
        pack, planned = np.arange(52), plan(52, self.width)

        chance = Own(seed, chunk)

        def draw(weights: NDArray[np.int64], many: int) -> NDArray[np.int64]:
            return _draw(words, np.cumsum(weights), many)

        for start in range(0, rounds, BLOCK):
            cards = np.empty((min(BLOCK, rounds - start), self.width), np.uint8)
            _deal(words, pack, planned, cards)
            yield self.read(Block(cards, draw), chance)

    def read(self, block: Block, chance: Own | None = None) -> Mapping[str, Read]:
        """How every wager comes out with these cards, round by round."""
        if self._decides:
            block.ends = self.ends(block, chance)
        return {label: each(block) for label, each in self.readings.items()}

    # The decisions.

    @cached_property
    def deciders(self) -> list[Decider]:
        return deciders(self.poker)

    def ends(self, block: Block, chance: Own | None = None) -> Ends:
        """Which end of the tree each round comes to."""
        rounds = len(block.cards)
        nodes, ends = np.zeros(rounds, np.int64), np.zeros(rounds, np.int64)
        live = np.arange(rounds)
        for stage in range(len(self.stages)):
            if self.strategy is None:
                worth = hand_places(self.poker, block)
                chosen = self.deciders[stage](block.cards, live, nodes, worth)
            else:
                chosen = self._asked(self.strategy, stage, block.cards, live, nodes, chance)
            live = _follow(live, chosen, self.tree.children, nodes, ends)
        return ends

    def best(
        self,
        node: int,
        own: Sequence[Card],
        board: Sequence[Card] = (),
        up: Sequence[Card] = (),
    ) -> Choice:
        """What is best at a node of the tree, with these cards in view."""
        game = self.game
        row = np.zeros((1, self.width), np.uint8)
        shown = game.own_cards + game.board_cards
        for first, cards in ((0, own), (game.own_cards, board), (shown, up)):
            row[0, first : first + len(cards)] = [PACK.index(each) for each in cards]
        decide = self.deciders[self.tree.stage_of[node]]
        worth = hand_places(self.poker, Block(row))
        (move,) = decide(row, np.zeros(1, np.int64), np.array([node], np.int64), worth)
        return self.tree.choices[node][move]

    def _asked(
        self,
        strategy: Strategy,
        stage: int,
        cards: Cards,
        live: Ends,
        nodes: Ends,
        chance: Own | None,
    ) -> NDArray[np.uint8]:
        """What a strategy does in the rounds that come to a stage."""
        chosen = np.zeros(len(live), np.uint8)
        game, board = self.game, self.stages[stage].board
        shown = game.own_cards + game.board_cards
        decide_many = getattr(strategy, "decide_many", None)
        for node in self.tree.nodes(stage):
            here = np.flatnonzero(nodes[live] == node)
            rows = cards[live[here]]
            view = (
                rows[:, : game.own_cards],
                rows[:, game.own_cards : game.own_cards + board],
                rows[:, shown : shown + game.up_cards],
            )
            if decide_many is not None:
                before = tuple(map(str, self.tree.before[node]))
                chosen[here] = self._legal(strategy, node, decide_many(stage, before, *view))
            else:
                chosen[here] = [
                    self._decided(strategy, node, hand, chance)
                    for hand in zip(*map(_highest_first, view), strict=True)
                ]
        return chosen

    def _legal(self, strategy: Strategy, node: int, moves: Any) -> NDArray[np.int64]:
        found: NDArray[np.int64] = np.asarray(moves, np.int64)
        choices = self.tree.choices[node]
        if ((found < 0) | (found >= len(choices))).any():
            message = (
                f"{strategy.name} answered with the number of a move that there is not, "
                f"asked to {' or '.join(map(str, choices))}"
            )
            raise Refusal(Fault.ILLEGAL_MOVE, message, self.game.cite)
        return found

    def _decided(
        self, strategy: Strategy, node: int, hand: tuple[bytes, ...], chance: Own | None
    ) -> int:
        """What a strategy does with one hand; asked once if there are few different views."""
        if (node, hand) in self._remembered:
            return self._remembered[node, hand]
        stage, choices = int(self.tree.stage_of[node]), self.tree.choices[node]
        cards, board, up = (tuple(PACK[each] for each in some) for some in hand)
        seen = Seen(
            self.game.id, self.stages[stage].question, tuple(map(str, choices)), cards, board, up,
            in_words(self.game, cards, board), stage, tuple(map(str, self.tree.before[node])),
            self.given, chance=chance,
        )  # fmt: skip
        if chance is not None:
            chance.was_asked = False
        said = strategy.decide(seen)
        if said not in seen.moves:
            message = f"{strategy.name} answered {brief(said)} {seen}"
            raise Refusal(Fault.ILLEGAL_MOVE, message, self.stages[stage].cite)
        move = seen.moves.index(said)
        by_chance = chance is not None and chance.was_asked
        if comb(52, sum(map(len, hand))) <= FEW_VIEWS and not by_chance:
            self._remembered[node, hand] = move
        return move


def _highest_first(cards: Cards) -> list[bytes]:
    """Each hand as a player holds it."""
    number, size = cards.shape
    held = np.sort(cards, axis=1)[:, ::-1].tobytes()
    return [held[at * size : (at + 1) * size] for at in range(number)]


# Compiled from here on.


@njit(cache=True, nogil=True)
def _deal(words, pack, planned, cards):
    """Draw the cards of each round from the whole pack, which need not be put in order before.

    That is `words.shuffle`, written out: to deal each card as it is drawn is twice as fast.
    """
    for each in range(len(cards)):
        start = np.uint64(0)
        for part in range(len(planned)):
            stop, product = planned[part, 0], planned[part, 1]
            while True:
                word = next_word(words)
                left = np.uint64(len(pack)) - start
                for at in range(start, stop):
                    pick, word = split(word, left)
                    left -= np.uint64(1)
                    drawn = pack[at + pick]
                    pack[at + pick] = pack[at]
                    pack[at] = drawn
                    cards[each, at] = drawn
                if not is_biased(word, product):
                    break
            start = stop


@njit(cache=True, nogil=True)
def _draw(words, ahead, many):
    """Draw so often by weights, whose sums are given."""
    drawn = np.empty(many, np.int64)
    for each in range(many):
        drawn[each] = np.searchsorted(ahead, below(words, ahead[-1]), side="right")
    return drawn


@njit(cache=True, nogil=True)
def _follow(live, chosen, children, nodes, ends):
    """Go where the moves lead; the rounds that are not at an end are returned."""
    rest = np.empty_like(live)
    left = 0
    for each in range(len(live)):
        this = live[each]
        to = children[nodes[this], chosen[each]]
        if to >= 0:
            ends[this] = to
        else:
            nodes[this] = -to - 1
            rest[left] = this
            left += 1
    return rest[:left].copy()


@njit(cache=True, nogil=True)
def _count(numbers, found):
    """Into two counts by turns: to add to the same number twice running takes longer."""
    other = np.zeros_like(found)
    for each in range(1, len(numbers), 2):
        found[numbers[each - 1]] += 1
        other[numbers[each]] += 1
    if len(numbers) % 2:
        found[numbers[-1]] += 1
    found += other
