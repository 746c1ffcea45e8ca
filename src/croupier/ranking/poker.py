"""What a poker hand is worth: of three, four or five cards, or the best of more.

A `Ladder` says how many cards make a hand and in which order the categories
stand, for that differs: with three cards a straight beats a flush. A hand is
worth a whole number, its `strength`, which compares with any other on the same
ladder; equal numbers are a tie.

    rank(cards) > rank(other)             # best five of each, however many cards there are
    rank(cards, THREE).category           # "straight"
    rank(cards).describe()                # "two pairs, jacks and fives, king kicker"
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, total_ordering

from croupier.equipment import SUITS, Card

ACE = 14
NAMES = dict(
    zip(
        range(2, 15),
        "two three four five six seven eight nine ten jack queen king ace".split(),
        strict=True,
    )
)


@dataclass(frozen=True)
class Ladder:
    """How many cards make a hand, and its categories from the lowest to the highest."""

    size: int
    categories: tuple[str, ...]


THREE = Ladder(3, ("high_card", "pair", "flush", "straight", "three_of_a_kind", "straight_flush"))
FOUR = Ladder(
    4,
    (
        "high_card", "pair", "two_pairs", "straight", "flush", "three_of_a_kind",
        "straight_flush", "four_of_a_kind",
    ),
)  # fmt: skip
FIVE = Ladder(
    5,
    (
        "high_card", "pair", "two_pairs", "three_of_a_kind", "straight", "flush", "full_house",
        "four_of_a_kind", "straight_flush", "royal_flush",
    ),
)  # fmt: skip


@total_ordering
@dataclass(frozen=True, eq=False)
class PokerHand:
    """A hand that has been ranked. It compares by what it is worth, never by its suits."""

    ladder: Ladder
    strength: int
    cards: tuple[Card, ...]  # those that make the hand, the made part first

    @property
    def category(self) -> str:
        return self.ladder.categories[self.strength >> 4 * self.ladder.size]

    @property
    def ranks(self) -> tuple[int, ...]:
        """The ranks by which it compares with hands of its category, in their order."""
        nibbles = (self.strength >> 4 * at & 15 for at in reversed(range(self.ladder.size)))
        return tuple(rank for rank in nibbles if rank)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PokerHand) and self._worth() == other._worth()

    def __lt__(self, other: "PokerHand") -> bool:
        if self.ladder != other.ladder:
            raise ValueError("hands of different sizes do not compare")
        return self.strength < other.strength

    def __hash__(self) -> int:
        return hash(self._worth())

    def _worth(self) -> tuple[int, int]:
        return self.ladder.size, self.strength

    def describe(self) -> str:
        """The hand in words: "three of a kind, sevens, ace and nine kickers"."""
        name = self.category.replace("_", " ")
        return f"{name}, {_in_words(self.category, self.ranks)}" if self.ranks else name


def rank(cards: Collection[Card], ladder: Ladder = FIVE) -> PokerHand:
    """The best hand that these cards make, with the cards it is made of."""
    worth = strength(cards, ladder)
    hand = PokerHand(ladder, worth, ())
    return PokerHand(ladder, worth, _used(list(cards), hand))


def strength(cards: Collection[Card], ladder: Ladder = FIVE) -> int:
    """What the best hand of these cards is worth: category first, then its ranks in order."""
    key = 0
    for card in cards:
        key += KEYS[card]
    if len(cards) < ladder.size:
        raise ValueError(f"a hand of {ladder.size} cards needs as many, not {len(cards)}")
    suits = key >> RANK_BITS
    best = _by_ranks(key & RANK_MASK, ladder)
    if any(suits >> 4 * at & 15 >= ladder.size for at in range(len(SUITS))):
        best = max(best, _suited(cards, ladder))
    return best


# A card's key adds up with others: its rank as a digit to base five, for there are at most four
# cards of a rank, and above that a count of its suit.
RANK_BITS = 32
RANK_MASK = (1 << RANK_BITS) - 1
KEYS = {
    Card(rank, suit): 5 ** (rank - 2) + (1 << RANK_BITS + 4 * at)
    for rank in NAMES
    for at, suit in enumerate(SUITS)
}


@cache
def _by_ranks(key: int, ladder: Ladder) -> int:
    """The best hand that needs no suit."""
    counts = {}
    for rank in NAMES:
        key, number = divmod(key, 5)
        if number:
            counts[rank] = number
    for category in reversed(ladder.categories):
        if (made := _made(category, counts, ladder.size)) is not None:
            return _worth(category, made, ladder)
    raise AssertionError("every hand has a high card")


def _suited(cards: Iterable[Card], ladder: Ladder) -> int:
    """The best flush or straight flush."""
    best = 0
    for suit in SUITS:
        ranks = sorted((card.rank for card in cards if card.suit == suit), reverse=True)
        if len(ranks) < ladder.size:
            continue
        top = _top_of_straight(ranks, ladder.size)
        if top is None:
            found = _worth("flush", tuple(ranks[: ladder.size]), ladder)
        elif top == ACE and "royal_flush" in ladder.categories:
            found = _worth("royal_flush", (), ladder)
        else:
            found = _worth("straight_flush", (top,), ladder)
        best = max(best, found)
    return best


def _made(category: str, counts: dict[int, int], size: int) -> tuple[int, ...] | None:
    """The ranks of this category, the made part first, if these ranks can make it."""
    ranks = sorted(counts, reverse=True)
    if category == "straight":
        top = _top_of_straight(ranks, size)
        return None if top is None else (top,)
    parts = PARTS.get(category)
    if parts is None:
        return None
    made: list[int] = []
    for number in parts:
        found = next((r for r in ranks if counts[r] >= number and r not in made), None)
        if found is None:
            return None
        made.append(found)
    kickers = [rank for rank in ranks if rank not in made]
    wanted = size - sum(parts)
    return (*made, *kickers[:wanted]) if len(kickers) >= wanted else None


PARTS = {
    "four_of_a_kind": (4,),
    "full_house": (3, 2),
    "three_of_a_kind": (3,),
    "two_pairs": (2, 2),
    "pair": (2,),
    "high_card": (),
}


def _top_of_straight(ranks: Collection[int], size: int) -> int | None:
    """The highest card of the best straight; the ace is also low, and never in the middle."""
    for top in range(ACE, size - 1, -1):
        run = range(top - size + 1, top + 1)
        if all((ACE if rank == 1 else rank) in ranks for rank in run):
            return top
    return None


def _worth(category: str, ranks: Sequence[int], ladder: Ladder) -> int:
    worth = ladder.categories.index(category)
    for rank in (*ranks, *[0] * (ladder.size - len(ranks))):
        worth = worth << 4 | rank
    return worth


# For people.


def _used(cards: list[Card], hand: PokerHand) -> tuple[Card, ...]:
    """The cards that make a hand of this worth."""
    category, ranks, size = hand.category, hand.ranks, hand.ladder.size
    if category in ("straight", "straight_flush", "royal_flush", "flush"):
        if category != "straight":
            cards = _of_the_suit(cards, hand)
        wanted = ranks if category == "flush" else _run(ranks[0] if ranks else ACE, size)
        return tuple(next(card for card in cards if card.rank == rank) for rank in wanted)
    parts = PARTS[category]
    numbers = (*parts, *[1] * (len(ranks) - len(parts)))
    return tuple(
        card
        for rank, number in zip(ranks, numbers, strict=True)
        for card in [card for card in cards if card.rank == rank][:number]
    )


def _run(top: int, size: int) -> list[int]:
    return [ACE if rank == 1 else rank for rank in range(top, top - size, -1)]


def _of_the_suit(cards: list[Card], hand: PokerHand) -> list[Card]:
    """The cards of the suit that makes this flush."""
    suits = ([card for card in cards if card.suit == suit] for suit in SUITS)
    size = hand.ladder.size
    return next(
        some for some in suits if len(some) >= size and _suited(some, hand.ladder) == hand.strength
    )


def _in_words(category: str, ranks: tuple[int, ...]) -> str:
    made = [_plural(rank) for rank in ranks[: len(PARTS.get(category, ()))]]
    kickers = [NAMES[rank] for rank in ranks[len(made) :]]
    if category in ("high_card", "flush", "straight", "straight_flush"):
        return f"{NAMES[ranks[0]]} high"
    if category == "full_house":
        return " over ".join(made)
    said = _and(made)
    return f"{said}, {_and(kickers)} kicker{'s' * (len(kickers) > 1)}" if kickers else said


def _plural(rank: int) -> str:
    return "sixes" if rank == 6 else f"{NAMES[rank]}s"


def _and(words: list[str]) -> str:
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))
