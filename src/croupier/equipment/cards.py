"""Playing cards, written rank then suit: `Ah`, `Td`, `2c`; `Jk` is a joker."""

from dataclasses import dataclass

RANKS = "23456789TJQKA"  # the ace is high unless a game says otherwise
SUITS = "cdhs"

_NAMES = dict(
    zip(
        RANKS,
        "two three four five six seven eight nine ten jack queen king ace".split(),
        strict=True,
    )
)
_SUIT_NAMES = dict(zip(SUITS, ("clubs", "diamonds", "hearts", "spades"), strict=True))


@dataclass(frozen=True, slots=True, order=True)
class Card:
    """One card. `rank` is 2 to 14 (ace); a joker has rank 0 and no suit."""

    rank: int
    suit: str

    @classmethod
    def parse(cls, text: str) -> "Card":
        """`Card.parse("Qh")` is the queen of hearts."""
        if text == "Jk":
            return JOKER
        if len(text) == 2 and text[0] in RANKS and text[1] in SUITS:
            return cls(RANKS.index(text[0]) + 2, text[1])
        raise ValueError(
            f"{text!r} is not a card: write a rank of {RANKS} and a suit of {SUITS}, such as Qh"
        )

    @property
    def is_joker(self) -> bool:
        return self.rank == 0

    @property
    def is_red(self) -> bool:
        return self.suit in ("d", "h")

    @property
    def is_black(self) -> bool:
        return self.suit in ("c", "s")

    @property
    def title(self) -> str:
        """The card in words: "queen of hearts"."""
        if self.is_joker:
            return "joker"
        return f"{_NAMES[RANKS[self.rank - 2]]} of {_SUIT_NAMES[self.suit]}"

    def __str__(self) -> str:
        return "Jk" if self.is_joker else RANKS[self.rank - 2] + self.suit


JOKER = Card(0, "")

_MOST = 100_000  # cards; more decks than anyone could shuffle


def read_cards(text: str) -> tuple[Card, ...]:
    """Cards that a person wrote: `Ah Kd 5c`, or how many there are of each rank: `A=32, T=30`."""
    cards: list[Card] = []
    for word in text.replace(",", " ").split():
        rank, equals, number = word.partition("=")
        if not equals:
            cards.append(Card.parse(word))
        elif rank not in RANKS or len(rank) != 1 or not number.isdecimal():
            raise ValueError(f"{word!r} must be a rank of {RANKS} and a number, such as T=32")
        elif len(number) > 6 or int(number) > _MOST:
            raise ValueError(f"{word!r} is more cards than any shoe holds")
        else:
            at = RANKS.index(rank) + 2
            cards += [Card(at, SUITS[each % len(SUITS)]) for each in range(int(number))]
    if not cards:
        raise ValueError("there are no cards in it: write Ah Kd 5c, or A=32, T=30")
    return tuple(cards)


def deck(jokers: int = 0) -> tuple[Card, ...]:
    """A standard deck of 52 cards, suit by suit, with jokers at the end if asked for."""
    cards = tuple(Card(rank, suit) for suit in SUITS for rank in range(2, 15))
    return cards + (JOKER,) * jokers
