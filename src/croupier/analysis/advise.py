# mypy: disable-error-code="no-untyped-def"
"""What each move is worth with the cards in view.

All that may still be dealt is gone through, card by card, with later decisions
at their best; only a first decision of a game with many community cards is
looked up in the solved game. Hands are dealt and compared one by one, and not
counted as the solvers do, so this is also a second way to their figures.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Any, NoReturn

import numpy as np
from numba import njit
from numpy.typing import NDArray

from croupier.analysis.report import Watch
from croupier.analysis.sets import CELLS, next_set, number_of
from croupier.analysis.showdown import Poker
from croupier.analysis.stud import place_of
from croupier.equipment import Card, deck
from croupier.ranking import rank
from croupier.ranking.bulk import number, tables
from croupier.rulebook import Choice, Fault, PokerGame, Refusal, Stage

FEW = 200_000  # boards that are gone through rather than looked up
KEPT = 16  # tables that are remembered


@dataclass(frozen=True)
class Advised:
    """What may be done now, and what it is worth in units of the first wager."""

    cards: tuple[Card, ...]
    board: tuple[Card, ...]
    up: tuple[Card, ...]
    stage: Stage
    before: tuple[Choice, ...]  # how the player came here
    values: dict[str, Fraction]  # by move
    hand: str  # what the cards in view make

    @property
    def best(self) -> str:
        return max(self.values, key=lambda move: self.values[move])


def advise(
    game: PokerGame,
    options: Any,
    cards: Sequence[Card],
    board: Sequence[Card] = (),
    up: Sequence[Card] = (),
    *,
    before: Sequence[str] = (),
    watch: Watch | None = None,
) -> Advised:
    """The exact value of each legal move; a refusal if the cards cannot lie so.

    Where there are several ways to a decision, `before` names the moves that led there; if it
    does not, they are the first that are listed.
    """
    return _Advisor(game, options, cards, board, up, before, watch).advised()


class _Advisor:
    def __init__(
        self,
        game: PokerGame,
        options: Any,
        cards: Sequence[Card],
        board: Sequence[Card],
        up: Sequence[Card],
        before: Sequence[str],
        watch: Watch | None,
    ) -> None:
        self.game, self.poker = game, _poker(game, options)
        self.poker.watch = watch or Watch()
        self.stages = game.stages(options)
        self.cards, self.board, self.up = cards, board, up
        self._check()
        self.stage = [stage.board for stage in self.stages].index(len(board))
        self.node = self._node([*before])
        self.pays, self.scale = self.poker.pays
        size = game.own_cards + game.board_cards
        self.mine = tables(game.ladder, size)
        self.his = tables(game.ladder, (game.dealer_cards or game.own_cards) + game.board_cards)

    def _check(self) -> None:
        game, name = self.game, self.game.title
        if len(self.cards) != game.own_cards:
            self._refuse(f"a player has {_cards(game.own_cards)} at {name}, not {len(self.cards)}")
        known = [stage.board for stage in self.stages]
        if len(self.board) not in known:
            seen = " or ".join(map(str, known))
            self._refuse(
                f"a player decides with {seen} community cards in view at {name}, "
                f"not {len(self.board)}"
            )
        if len(self.up) != game.up_cards:
            shown = _cards(game.up_cards) if game.up_cards else "none of his cards"
            self._refuse(f"the dealer shows {shown} at {name}, not {len(self.up)}")
        every = [*self.cards, *self.board, *self.up]
        for card in every:
            if card.is_joker:
                self._refuse(f"{name} is played without jokers")
            if every.count(card) > 1:
                self._refuse(f"the {card.title} ({card}) is named twice")

    def _refuse(self, message: str) -> NoReturn:
        raise Refusal(Fault.IMPOSSIBLE_OUTCOME, message, self.game.cite)

    def _node(self, before: list[str]) -> int:
        """The way that was taken to this decision, or the first."""
        tree = self.poker.tree
        nodes = tree.nodes(self.stage)
        ways = {node: [choice.move for choice in tree.before[node]] for node in nodes}
        fits = [node for node, way in ways.items() if before in ([], way)]
        if not fits:
            known = " or ".join(", ".join(way) or "nothing" for way in ways.values())
            self._refuse(f"{self.stages[self.stage].title} a player has decided {known} before")
        return fits[0]

    def advised(self) -> Advised:
        tree = self.poker.tree
        values = self._solved() if self._is_long() else self._counted()
        choices = tree.choices[self.node]
        worth = {str(choice): value for choice, value in zip(choices, values, strict=True)}
        in_view = [*self.cards, *self.board]
        ladder = self.game.ladder
        hand = rank(in_view, ladder).describe() if len(in_view) >= ladder.size else ""
        seen = tuple(self.cards), tuple(self.board), tuple(self.up)
        return Advised(*seen, self.stages[self.stage], tree.before[self.node], worth, hand)

    def _is_long(self) -> bool:
        left = 52 - len(self.cards) - len(self.board) - len(self.up)
        boards = comb(left, self.game.board_cards - len(self.board))
        return self.stage == 0 and len(self.stages) > 1 and boards > FEW

    def _solved(self) -> list[Fraction]:
        at = number_of(np.array([number(card) for card in self.cards], np.int64))
        each = self.poker.deals // comb(52, self.game.own_cards)
        values = self.poker.solved["values"][:, at]
        return [Fraction(int(value), each * self.scale) for value in values]

    def _counted(self) -> list[Fraction]:
        ends, deeper, ways = self._look(tuple(number(card) for card in self.board), self.stage)
        children = self.poker.tree.children[self.node]
        moves = self.poker.tree.moves[self.node]
        totals = [ends[to] if to >= 0 else deeper[-to - 1] for to in children[:moves].tolist()]
        return [Fraction(total, ways * self.scale) for total in totals]

    def _look(self, board: tuple[int, ...], stage: int) -> tuple[list[int], dict[int, int], int]:
        """What every end, and every later decision, adds up to from here; and of how many deals."""
        following = stage + 1 < len(self.stages)
        size = self.stages[stage + 1].board if following else self.game.board_cards
        ends, deeper, ways = [0] * len(self.pays), dict[int, int](), 0
        for more in combinations(self._left(board), size - len(board)):
            if not following:
                found, number_of_deals = self._showdown((*board, *more))
                later: dict[int, int] = {}
            else:
                found, later, number_of_deals = self._look((*board, *more), stage + 1)
                for node in self.poker.tree.nodes(stage + 1):
                    deeper[node] = deeper.get(node, 0) + self._best(node, found, later)
            ends = [total + value for total, value in zip(ends, found, strict=True)]
            ways += number_of_deals
        return ends, deeper, ways

    def _best(self, node: int, ends: list[int], later: dict[int, int]) -> int:
        tree = self.poker.tree
        children = tree.children[node][: tree.moves[node]].tolist()
        return max(ends[to] if to >= 0 else later[-to - 1] for to in children)

    def _left(self, board: Iterable[int]) -> list[int]:
        known = {*board, *(number(card) for card in (*self.cards, *self.up))}
        return [each for each in sorted(map(number, deck())) if each not in known]

    def _showdown(self, board: tuple[int, ...]) -> tuple[list[int], int]:
        """Against every hand that the dealer may have."""
        own = np.array([number(card) for card in self.cards] + [*board], np.int64)
        place = int(place_of(own, len(own), *self.mine))
        kind, first = self.poker.kinds[0][place], self.poker.qualifies_from
        if not self.game.dealer_cards:
            return self.pays[:, kind, 0].tolist(), 1
        fixed = np.array([*board, *(number(card) for card in self.up)], np.int64)
        rest = np.array(self._left(board), np.int64)
        hidden = self.game.dealer_cards - self.game.up_cards
        cells = _against(place, fixed, rest, hidden, first, *self.his)
        found: NDArray[np.int64] = (self.pays[:, kind, :] * cells).sum(axis=1)
        return found.tolist(), int(cells.sum())


@njit(cache=True, nogil=True)
def _against(place, fixed, rest, hidden, qualifies_from, by_ranks, by_suit, binomials):
    """Deal the dealer every hand, one by one, and compare."""
    cells = np.zeros(CELLS, np.int64)
    cards = np.zeros(len(fixed) + hidden, np.int64)
    cards[hidden:] = fixed
    at = np.arange(hidden)
    while True:
        for each in range(hidden):
            cards[each] = rest[at[each]]
        his = place_of(cards, len(cards), by_ranks, by_suit, binomials)
        cell = 0 if place > his else 2 if place == his else 4
        cells[cell + (his < qualifies_from)] += 1
        if not next_set(at, len(rest)):
            return cells


_asked: dict[str, Poker] = {}  # tables that have been asked about, with what was filled in


def _poker(game: PokerGame, options: Any) -> Poker:
    key = f"{game.id} {options.as_json()}"
    if key not in _asked:
        if len(_asked) >= KEPT:
            _asked.pop(next(iter(_asked)))
        _asked[key] = Poker(game, options)
    return _asked[key]


def _cards(number: int) -> str:
    return f"{number} card{'s' * (number != 1)}"
