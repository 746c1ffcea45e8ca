"""Exact counts of what a shoe can deal.

A game of the shoe says how its cards follow one another. Here every order of
the cards that matter is counted, as whole numbers, from any composition of
the shoe: cards that lead to the same deal are counted together. Where a
player must choose, the better choice is found by what it is worth.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from croupier.equipment import Card
from croupier.rulebook import ShoeGame

Composition = tuple[tuple[int, int], ...]  # how many cards there are of each value that counts
Worth = Callable[[Any], Fraction]  # what a finished deal is worth to the player


@dataclass(frozen=True)
class Choice:
    """What a player does best when a deal leaves him a choice."""

    deal: Any
    move: str
    values: Mapping[str, Fraction]  # what each move is worth, in units of the first wager
    chance: Fraction  # how often the choice arises


@dataclass(frozen=True)
class Deals:
    """Every finished deal with its probability; None is a round that the shoe could not finish."""

    chances: Mapping[Any, Fraction]
    choices: tuple[Choice, ...] = ()


def composition(game: ShoeGame, cards: Iterable[Card]) -> Composition:
    """The cards of a shoe by what counts of them in this game."""
    return tuple(sorted(Counter(game.value(card) for card in cards).items()))


SHIFT = 8  # bits in which the cards of one value that have left the shoe are counted
MASK = (1 << SHIFT) - 1


class _Counting:
    """One composition, gone through card by card."""

    def __init__(self, game: ShoeGame, options: Any, shoe: Composition, replacement: bool) -> None:
        self.game, self.options, self.replacement = game, options, replacement
        self.values = [value for value, _ in shoe]
        self.left = [number for _, number in shoe]
        self.total = sum(self.left)
        self.next: dict[Any, Any] = {}  # whose turn it is, by deal
        self.then: dict[tuple[Any, int], tuple[Any, Any]] = {}  # what a card makes of a deal

    def whose(self, deal: Any) -> Any:
        if deal not in self.next:
            self.next[deal] = self.game.whose(deal, self.options)
        return self.next[deal]

    def after(self, deal: Any, at: int) -> tuple[Any, Any]:
        """The deal after a card of this value, and whose turn it is then."""
        found = self.then.get((deal, at))
        if found is None:
            now = self.game.dealt(deal, self.values[at])
            to = self.whose(now)
            found = self.then[deal, at] = (self.game.closed(now) if to is None else now), to
        return found

    def run(self, deal: Any, gone: int, cards: int) -> tuple[Counter[Any], dict[Any, int], int]:
        """Deal on until nobody is due a card.

        Gives the ways to each deal that is over and to each that awaits a choice (with the
        cards that are gone), all out of the same number of orders.
        """
        over: Counter[Any] = Counter()
        choosing: defaultdict[tuple[Any, int], int] = defaultdict(int)
        waiting: dict[tuple[Any, int], int] = {(deal, gone): 1}
        orders, drawn = 1, cards
        while waiting:
            dealt: defaultdict[tuple[Any, int], int] = defaultdict(int)
            remaining = self.total if self.replacement else self.total - drawn
            step = max(remaining, 1)
            for ways in (over, choosing):
                for key in ways:
                    ways[key] *= step
            orders *= step
            for (before, out), ways_there in waiting.items():
                if not remaining:
                    over[None] += ways_there
                    continue
                for at, number in enumerate(self.left):
                    left = number - (out >> SHIFT * at & MASK)
                    if not left:
                        continue
                    now, to = self.after(before, at)
                    if to is None:
                        over[now] += ways_there * left
                    else:
                        more = 0 if self.replacement else 1 << SHIFT * at
                        due = choosing if isinstance(to, tuple) else dealt
                        due[now, out + more] += ways_there * left
            waiting, drawn = dealt, drawn + 1
        return over, choosing, orders


def count(
    game: ShoeGame,
    options: Any,
    shoe: Composition,
    worth: Worth | None = None,
    *,
    replacement: bool = False,
) -> Deals:
    """Every way in which a round can be dealt from this shoe, with the best choices.

    With replacement every card comes from the whole composition, as from endless decks.
    """
    counting = _Counting(game, options, shoe, replacement)
    over, choosing, orders = counting.run(game.begin(), 0, 0)
    chances: defaultdict[Any, Fraction] = defaultdict(Fraction)
    for deal, ways in over.items():
        chances[deal] += Fraction(ways, orders)
    choices = []
    for (deal, gone), ways in choosing.items():
        assert worth is not None, "a game with choices needs to know what a deal is worth"
        dealt = sum(gone >> SHIFT * at & MASK for at in range(len(shoe)))
        chance = Fraction(ways, orders)
        found = {}
        for move in counting.whose(deal):
            found[move] = _after(counting, game.moved(deal, move), gone, dealt)
        values = {
            move: sum((p * worth(end) for end, p in ends.items()), Fraction(0))
            for move, ends in found.items()
        }
        best = max(values, key=lambda move: values[move])  # of equals the first, as the rules do
        choices.append(Choice(deal, best, values, chance))
        for end, p in found[best].items():
            chances[end] += chance * p
    return Deals(dict(chances), tuple(choices))


def _after(counting: _Counting, deal: Any, gone: int, dealt: int) -> dict[Any, Fraction]:
    """How a deal ends after a choice. No game of the shoe has a second one."""
    if counting.whose(deal) is None:
        return {deal: Fraction(1)}
    over, choosing, orders = counting.run(deal, gone, dealt)
    assert not choosing, "a second choice in one round"
    return {end: Fraction(ways, orders) for end, ways in over.items()}
