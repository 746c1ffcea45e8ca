"""A poker game counted more finely than its payments need.

The solver tells hands apart only where they are paid differently. Here they are
told apart by what a player sees at a glance, so that plain ways to play can be
weighed exactly; and the wagers beside the main hand are judged with it, so that
their joint distribution is known.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.analysis.showdown import CELLS, Judged, Poker
from croupier.ranking import PokerHand
from croupier.ranking.bulk import strengths
from croupier.rulebook import Wager

MOST_KINDS = 256  # that the solver can tell apart
HIGH_CARD = "high_card"


class Glance(NamedTuple):
    """Hands that look alike: what they make, and their highest ranks."""

    category: str
    high: int
    second: int = 0

    @classmethod
    def of(cls, hand: PokerHand) -> "Glance":
        ranks: list[int] = [*hand.ranks, 0, 0]
        return cls(hand.category, ranks[0], ranks[1] if hand.category == HIGH_CARD else 0)


class Finer(Poker):
    """The same game at the same table, with more of it told apart."""

    @property
    def has_glances(self) -> bool:
        """One decision, by a hand that is complete: what it looks like is all there is to it."""
        game = self.game
        return self.tree.stages == 1 and not game.board_cards and bool(game.dealer_cards)

    @cached_property
    def judged(self) -> list[Wager]:
        known = Poker(self.game, self.options).judged
        beside = [
            wager for wager in self.game.offered(self.options)
            if wager not in known and self.game.looks.get(wager.id) == self.whole_hand
        ]  # fmt: skip
        return [*known, *beside]

    @cached_property
    def kinds(self) -> tuple[NDArray[np.uint8], list[list[Judged]]]:
        classes, decided = super().kinds
        if not self.has_glances:
            return classes, decided
        found: dict[tuple[int, Glance], int] = {}
        finer = np.zeros(len(classes), np.uint8)
        for place in range(1, len(classes)):
            key = int(classes[place]), self.glance(place)
            number = found.setdefault(key, len(found))
            if number >= MOST_KINDS:
                return classes, decided
            finer[place] = number
        return finer, [decided[kind] for kind, _ in found]

    def glance(self, place: int) -> Glance:
        return Glance.of(PokerHand(self.game.ladder, strengths(self.game.ladder)[place], ()))

    @cached_property
    def glances(self) -> dict[int, list[int]]:
        """The places of each kind, from the lowest."""
        found: dict[int, list[int]] = {}
        for place in range(1, len(self.kinds[0])):
            found.setdefault(int(self.kinds[0][place]), []).append(place)
        return found

    @cached_property
    def dealt(self) -> NDArray[np.int64]:
        """How often each kind meets each cell, however it is played."""
        total: NDArray[np.int64] = self.solved["tally"].sum(axis=0)
        return total

    def value(self, end: int, kinds: list[int]) -> Fraction:
        """What always coming to this end is worth with hands of these kinds, per unit and deal."""
        pays, scale = self.pays
        units = sum(
            int(self.dealt[kind, cell]) * int(pays[end, kind, cell])
            for kind in kinds
            for cell in range(len(CELLS))
        )
        return Fraction(units, self.deals * scale)

    def chance(self, kinds: list[int]) -> Fraction:
        return Fraction(sum(int(self.dealt[kind].sum()) for kind in kinds), self.deals)

    def joint(self, side: Wager) -> Iterator[tuple[Fraction, Fraction, Fraction]]:
        """What the main hand and a wager beside it win together, and how often."""
        tally, (_, decided) = self.solved["tally"], self.kinds
        is_lost = self.is_lost_by_fold(side)
        for end, path in enumerate(self.tree.paths):
            for kind, cell in zip(*np.nonzero(tally[end]), strict=True):
                judged = decided[kind][cell]
                lost = is_lost and path[-1].folds
                other = Fraction(-1) if lost else side.net(judged[side.id], self.options)
                chance = Fraction(int(tally[end, kind, cell]), self.deals)
                yield self.worth(path, judged), other, chance


def fixed_ways(poker: Poker) -> dict[str, Fraction]:
    """What every way through the decisions is worth if it is always taken, whatever is seen."""
    dealt = poker.solved["tally"].sum(axis=0)
    pays, scale = poker.pays
    found: dict[str, Fraction] = {}
    for end, path in enumerate(poker.tree.paths):
        units = sum(
            int(dealt[kind, cell]) * int(pays[end, kind, cell])
            for kind, cell in zip(*np.nonzero(dealt), strict=True)
        )
        found[", ".join(map(str, path))] = Fraction(units, poker.deals * scale)
    return found
