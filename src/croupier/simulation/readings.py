# mypy: disable-error-code="no-untyped-def,no-any-return,untyped-decorator,misc"
"""How the wagers of a poker round came out, read off its cards by the thousand.

What a wager does is asked of the game once for everything that it can depend
on: an end of the decisions with a class of hand and a comparison, the place of
a hand, two cards, a stop of a wheel. The answers stand in a table, and a round
is read by looking it up.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import combinations
from typing import Any, Protocol

import numpy as np
from numba import njit
from numpy.typing import NDArray

from croupier.analysis.showdown import CELLS, LOST, Poker
from croupier.equipment import Card
from croupier.games.premium_hold_em import PremiumHoldEm
from croupier.games.texas_hold_em_bonus_poker import HoleCards, TexasHoldEmBonusPoker
from croupier.ranking import THREE, Ladder, PokerHand
from croupier.ranking.bulk import card, places, strengths
from croupier.rulebook import Case, Fault, Look, Refusal, Showdown, Wager
from croupier.simulation.decisions import Cards, Places
from croupier.simulation.engine import Ending

PACK = tuple(card(number) for number in range(52))
ACES = PACK.index(Card(14, "c"))  # and all that come after it

Ends = NDArray[np.int64]
Read = NDArray[np.int32]
Draw = Callable[[NDArray[np.int64], int], NDArray[np.int64]]  # by these weights, so often


class Block:
    """Rounds that have been dealt, and what is found out about them on the way."""

    def __init__(self, cards: Cards, draw: Draw | None = None) -> None:
        self.cards, self.draw = cards, draw
        self.ends: Ends = np.zeros(0, np.int64)  # of each round, once they are decided
        self._places: dict[tuple[int, int, int], Places] = {}

    def places(self, first: int, last: int, ladder: Ladder) -> Places:
        """What the cards from one place of the row to before another are worth."""
        key = first, last, ladder.size
        if key not in self._places:
            whole = last - first == self.cards.shape[1]
            cards = self.cards if whole else _columns(self.cards, first, last)
            self._places[key] = places(cards, ladder)
        return self._places[key]


class Reading(Protocol):
    """How a wager is read off the cards."""

    endings: tuple[Ending, ...]
    needs_decisions: bool

    def __call__(self, block: Block) -> Read:
        """The number of the ending of each round."""
        ...


def reading(poker: Poker, wager: Wager) -> Reading:
    """How this wager is read."""
    if wager.id == poker.main:
        return MainHand(poker)
    if wager in poker.judged:
        return BesideTheMain(poker, wager)
    look = poker.game.looks.get(wager.id)
    if look is not None:
        return OneHand(poker, wager, look)
    if isinstance(poker.game, TexasHoldEmBonusPoker):
        return TwoCards(poker, wager)
    if isinstance(poker.game, PremiumHoldEm):
        return Wheel(poker, poker.game, wager)
    message = f"{wager.id} is not dealt in bulk: it is decided by something else than a hand"
    raise Refusal(Fault.NOT_NOW, message, wager.cite)


def _numbered(found: Mapping[Any, Ending]) -> tuple[tuple[Ending, ...], dict[Any, int]]:
    """Every ending once, the best first; and which of them each case comes to."""
    endings = tuple(sorted(set(found.values()), key=lambda each: (-each.net, each.line)))
    number = {ending: at for at, ending in enumerate(endings)}
    return endings, {case: number[ending] for case, ending in found.items()}


def _beside(poker: Poker, wager: Wager, shown: Showdown) -> Ending:
    """What a side wager does when this is shown."""
    decision = wager.decide(Case(shown, poker.state, poker.options))
    return Ending(decision.line, wager.net(decision, poker.options))


def hand_places(poker: Poker, block: Block) -> Places:
    """What the player's hand is worth, of all the cards that he may use."""
    game = poker.game
    return block.places(0, game.own_cards + game.board_cards, game.ladder)


class ByShowdown:
    """By where the decisions end, the class of the hand, and how it compares with the dealer's."""

    needs_decisions = True

    def __init__(self, poker: Poker, ending: Callable[[int, Any], Ending]) -> None:
        self.poker = poker
        self.classes, decided = poker.kinds
        cases = {
            (end, kind, cell): ending(end, judged)
            for end in range(len(poker.tree.paths))
            for kind, row in enumerate(decided)
            for cell, judged in enumerate(row)
        }
        self.endings, numbers = _numbered(cases)
        self.table = np.zeros((len(poker.tree.paths), len(decided), len(CELLS)), np.int32)
        for case, number in numbers.items():
            self.table[case] = number

    def __call__(self, block: Block) -> Read:
        poker, game = self.poker, self.poker.game
        mine = hand_places(poker, block)
        his = mine
        if game.dealer_cards:
            his = block.places(game.own_cards, block.cards.shape[1], game.ladder)
        return _read_showdowns(
            block.ends, mine, his, bool(game.dealer_cards), self.classes, poker.qualifies_from,
            self.table,
        )  # fmt: skip


class MainHand(ByShowdown):
    """All the wagers of the main hand together."""

    def __init__(self, poker: Poker) -> None:
        def ending(end: int, judged: Any) -> Ending:
            path = poker.tree.paths[end]
            wagered = sum(poker.staked(path).values())
            return Ending(poker.line(path, judged), poker.worth(path, judged), Fraction(wagered))

        super().__init__(poker, ending)


class BesideTheMain(ByShowdown):
    """A wager that goes with the main hand when it is folded."""

    def __init__(self, poker: Poker, wager: Wager) -> None:
        def ending(end: int, judged: Any) -> Ending:
            folds = poker.tree.paths[end][-1].folds
            decision = LOST if folds else judged[wager.id]
            return Ending(decision.line, wager.net(decision, poker.options))

        super().__init__(poker, ending)


class OneHand:
    """By what a hand is worth: the player's, the dealer's, or that of their cards together."""

    needs_decisions = False

    def __init__(self, poker: Poker, wager: Wager, look: Look) -> None:
        game = poker.game
        own, hand = game.own_cards, game.own_cards + game.board_cards
        both = hand + game.dealer_cards
        self.first, self.last = {
            "hand": (0, hand), "own": (0, own), "dealer": (own, both), "both": (0, both),
        }[look.at]  # fmt: skip
        if self.last - self.first != look.cards:
            raise ValueError(f"{wager.id} looks at {look.cards} cards that are not there")
        self.ladder = look.ladder
        cases = {}
        for place, strength in enumerate(strengths(look.ladder)[1:], 1):
            seen: dict[str, Any] = {look.at: PokerHand(look.ladder, strength, ())}
            cases[place] = _beside(poker, wager, Showdown(**seen))
        self.endings, numbers = _numbered(cases)
        self.table = np.array([0, *numbers.values()], np.int32)  # there is no place 0

    def __call__(self, block: Block) -> Read:
        return self.table[block.places(self.first, self.last, self.ladder)]


class TwoCards:
    """The bonus wager of Texas hold 'em bonus poker: own cards, and whether the dealer has aces."""

    def __init__(self, poker: Poker, wager: Wager) -> None:
        self.dealer = poker.game.dealer_cards
        self.needs_decisions = poker.is_lost_by_fold(wager)
        cases = {}
        for high, low in combinations(reversed(range(52)), 2):
            for aces in (False, True):
                own = HoleCards.of([PACK[low], PACK[high]], aces)
                for folded in (False, True):
                    shown = Showdown(folded=folded, own=own)
                    cases[high, low, aces, folded] = _beside(poker, wager, shown)
        self.endings, numbers = _numbered(cases)
        self.table = np.zeros((52, 52, 2, 2), np.int32)
        for (high, low, aces, folded), number in numbers.items():
            self.table[high, low, int(aces), int(folded)] = number
            self.table[low, high, int(aces), int(folded)] = number
        self.folds = np.array([path[-1].folds for path in poker.tree.paths])

    def __call__(self, block: Block) -> Read:
        cards = block.cards
        aces = (cards[:, -self.dealer :] >= ACES).all(axis=1).astype(np.intp)
        folded = self.folds[block.ends].astype(np.intp) if self.needs_decisions else 0
        return self.table[cards[:, 0], cards[:, 1], aces, folded]


class Wheel:
    """The bonus spin of premium hold 'em: three suited cards, and then the wheel."""

    needs_decisions = False

    def __init__(self, poker: Poker, game: PremiumHoldEm, wager: Wager) -> None:
        options = poker.options
        self.own = game.own_cards
        self.spins = np.array([
            place > 0 and game.is_to_spin(Showdown(own=PokerHand(THREE, strength, ())), options)
            for place, strength in enumerate(strengths(THREE))
        ])  # fmt: skip
        (_, nothing), *spun = game.side_cases(wager.id, options, poker.state, poker.folds)
        self.weights = np.array([ways for ways, _ in game.wheel(options).ways()], np.int64)
        # No spin is case 0, and the stops of the wheel follow in their order.
        cases = [_beside(poker, wager, shown) for shown in (nothing, *(each for _, each in spun))]
        self.endings, numbers = _numbered(dict(enumerate(cases)))
        self.table = np.array([*numbers.values()], np.int32)

    def __call__(self, block: Block) -> Read:
        cases = self.spins[block.places(0, self.own, THREE)].astype(np.int64)
        spinning = np.flatnonzero(cases)
        assert block.draw is not None
        cases[spinning] += block.draw(self.weights, len(spinning))
        return self.table[cases]


# Compiled from here on.


@njit(cache=True, nogil=True)
def _columns(cards, first, last):
    """A part of each row: quicker than to cut it out and copy it."""
    found = np.empty((len(cards), last - first), np.uint8)
    for each in range(len(cards)):
        for at in range(first, last):
            found[each, at - first] = cards[each, at]
    return found


@njit(cache=True, nogil=True)
def _read_showdowns(ends, mine, his, has_dealer, classes, qualifies_from, table):
    read = np.empty(len(mine), np.int32)
    for each in range(len(mine)):
        cell = 0
        if has_dealer:
            if mine[each] <= his[each]:
                cell = 2 if mine[each] == his[each] else 4
            cell += his[each] < qualifies_from
        read[each] = table[ends[each], classes[mine[each]], cell]
    return read
