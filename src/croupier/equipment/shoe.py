"""A dealing shoe, a deck in the hand, or a set of tiles: pieces that leave it one by one.

The order of the pieces is not fixed at the shuffle: each one is drawn by
chance from those that are left. The distribution is that of a perfect
shuffle, and there is no hidden order anywhere that could leak.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Generic, TypeVar

from croupier.equipment.cards import JOKER, RANKS, Card, deck
from croupier.equipment.device import Device, ImpossibleOutcome
from croupier.equipment.tiles import Tile

Piece = Card | Tile
P = TypeVar("P", bound=Piece)

_PILES = ("left", "burnt", "discard_rack", "on_layout")
_RANK = dict(enumerate(RANKS, start=2)) | {JOKER.rank: str(JOKER)}
_CARD = {str(card): card for card in deck(jokers=1)}


def write_pile(pieces: Iterable[Piece]) -> str:
    """A pile in its order: cards as one word, "AhKd5c", and tiles as several, "3-6 6-6"."""
    pile = [*pieces]
    if pile and isinstance(pile[0], Tile):
        return " ".join(map(str, pile))
    return "".join([_RANK[card.rank] + card.suit for card in pile])  # type: ignore[union-attr]


def read_pile(text: Any) -> list[Any]:
    """The cards or tiles of a text that `write_pile` wrote."""
    if isinstance(text, str) and "-" in text:
        return [Tile.parse(word) for word in text.split(" ")]
    if isinstance(text, str) and len(text) % 2 == 0:
        with suppress(KeyError):
            return [_CARD[card] for card in _apart(text)]
    raise ValueError("a pile of cards is one word, such as AhKd5c")


def _apart(text: str) -> list[str]:
    """The text of each card."""
    return [rank + suit for rank, suit in zip(text[::2], text[1::2], strict=True)]


class Shoe(Device[P], Generic[P]):
    """Cards or tiles to deal from, with a cut card, a discard rack and burnt cards.

    Every piece is in exactly one place: still in the shoe (the stub), burnt, in
    the discard rack, or out on the layout.
    """

    verb = "draw"

    def __init__(self, pieces: Iterable[P], cut_card: int = 0, name: str = "shoe") -> None:
        """`cut_card` is the number of cards behind the cut card."""
        self.name = name
        self.composition = tuple(pieces)
        if not 0 <= cut_card < len(self.composition):
            raise ValueError(
                f"the cut card cannot stand {cut_card} cards from the end "
                f"of {len(self.composition)} cards"
            )
        self.cut_card = cut_card
        self._kind = type(self.composition[0])
        self.shuffle()

    def shuffle(self) -> None:
        """Gather every card again: the next one can be any of them."""
        self._left = list(self.composition)
        self.burnt: list[P] = []
        self.discard_rack: list[P] = []
        self.on_layout: list[P] = []

    @property
    def stub(self) -> Sequence[P]:
        """The cards that have not been dealt. Their order says nothing."""
        return tuple(self._left)

    @property
    def cards_left(self) -> int:
        return len(self._left)

    @property
    def cut_card_reached(self) -> bool:
        return self.cards_left <= self.cut_card

    @property
    def everywhere(self) -> list[P]:
        """Every card, wherever it is: always the composition."""
        return [*self._left, *self.burnt, *self.discard_rack, *self.on_layout]

    def outcomes(self) -> Sequence[P]:
        return self._left

    def read(self, said: Any) -> P:
        try:
            piece: Any = self._kind.parse(said if isinstance(said, str) else repr(said))
        except ValueError as error:
            of_a_kind = [e for e in self._left if isinstance(e, Tile) and e.kind == said]
            if not of_a_kind:
                raise ImpossibleOutcome(str(error)) from None
            piece = of_a_kind[0]
        if piece not in self._left:
            raise ImpossibleOutcome(f"no {piece.title} ({piece}) is left in the {self.name}")
        read: P = piece
        return read

    def say(self, outcome: P) -> str:
        return str(outcome)

    def take(self, outcome: P) -> None:
        self._left.remove(outcome)
        self.on_layout.append(outcome)

    def burn(self, card: P) -> None:
        """Put a card that was just taken aside, out of play."""
        self.on_layout.remove(card)
        self.burnt.append(card)

    def discard(self, cards: Iterable[P]) -> None:
        """Cards from the layout go to the discard rack, in the order given."""
        for card in tuple(cards):
            self.on_layout.remove(card)
            self.discard_rack.append(card)

    def shuffle_discards(self) -> None:
        """What has been played and burnt goes back into the shoe; what lies on the layout stays."""
        self._left += self.discard_rack + self.burnt
        self.discard_rack, self.burnt = [], []

    def contents(self) -> dict[str, str]:
        """Every pile in its order: chance picks a card by where it stands."""
        piles = (self._left, self.burnt, self.discard_rack, self.on_layout)
        return dict(zip(_PILES, map(write_pile, piles), strict=True))

    def refill(self, contents: Any) -> None:
        if not isinstance(contents, Mapping) or set(contents) != set(_PILES):
            raise ValueError(f"the cards of the {self.name} are {', '.join(_PILES)}")
        piles = [read_pile(contents[name]) for name in _PILES]
        held = [piece for pile in piles for piece in pile]
        if len(held) != len(self.composition) or Counter(held) != Counter(self.composition):
            raise ValueError(f"these are not the cards of the {self.name}")
        self._left, self.burnt, self.discard_rack, self.on_layout = piles
