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
from itertools import zip_longest

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

    def __hash__(self) -> int:
        return self.size  # enough to tell one from another, and it is asked for every hand


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
    return PokerHand(ladder, worth, _used(cards, hand))


def strength(cards: Collection[Card], ladder: Ladder = FIVE) -> int:
    """What the best hand of these cards is worth: category first, then its ranks in order."""
    key = 0
    for card in cards:
        key += RANK_KEYS[card.rank] + SUIT_KEYS[card.suit]
    if len(cards) < ladder.size:
        raise ValueError(f"a hand of {ladder.size} cards needs as many, not {len(cards)}")
    best = by_ranks(key & RANK_MASK, ladder)
    if key + (128 - ladder.size) * EACH_SUIT & TOP_BITS:  # some suit has enough cards for a flush
        best = max(best, _suited(cards, ladder))
    return best


# A card's key adds up with others: its rank as a digit to base five, for there are at most four
# cards of a rank, and above that a byte for each suit that counts its cards.
RANK_BITS = 32
RANK_MASK = (1 << RANK_BITS) - 1
RANK_KEYS = {rank: 5 ** (rank - 2) for rank in NAMES}
SUIT_KEYS = {suit: 1 << RANK_BITS + 8 * at for at, suit in enumerate(SUITS)}
EACH_SUIT = sum(SUIT_KEYS.values())
TOP_BITS = 128 * EACH_SUIT


@cache
def by_ranks(key: int, ladder: Ladder) -> int:
    """What the best hand that needs no suit is worth, for cards whose `RANK_KEYS` add up to this.

    Seven cards have 49,205 different keys, so most hands are known already.
    """
    groups: list[list[int]] = [[], [], [], [], []]
    for rank, unit in reversed(RANK_KEYS.items()):
        if number := key // unit % 5:
            for group in groups[: number + 1]:
                group.append(rank)
    for category in reversed(ladder.categories):
        if (made := _made(category, groups, ladder.size)) is not None:
            return _worth(category, made, ladder)
    raise AssertionError("every hand has a high card")


@cache
def by_suit(ranks: int, ladder: Ladder) -> int:
    """What the best flush or straight flush of these ranks is worth, if they are of one suit.

    The ranks are bits, the lowest for a two and the thirteenth for an ace. Too few are worth 0.
    """
    downward = [rank for rank in reversed(NAMES) if ranks >> rank - 2 & 1]
    if len(downward) < ladder.size:
        return 0
    top = _top_of_straight(downward, ladder.size)
    if top is None:
        return _worth("flush", downward[: ladder.size], ladder)
    if top == ACE and "royal_flush" in ladder.categories:
        return _worth("royal_flush", (), ladder)
    return _worth("straight_flush", (top,), ladder)


def _suited(cards: Iterable[Card], ladder: Ladder) -> int:
    """The best flush or straight flush of any suit."""
    ranks = dict.fromkeys(SUITS, 0)
    for card in cards:
        ranks[card.suit] |= 1 << card.rank - 2
    return max(by_suit(some, ladder) for some in ranks.values())


def _made(category: str, groups: list[list[int]], size: int) -> tuple[int, ...] | None:
    """The ranks of this category, the made part first, if these ranks can make it.

    `groups[n]` are the ranks of which there are n cards or more, from the highest down.
    """
    if category == "straight":
        top = _top_of_straight(groups[1], size)
        return None if top is None else (top,)
    parts = PARTS.get(category)
    if parts is None:
        return None
    made: list[int] = []
    for number in parts:
        found = [rank for rank in groups[number] if rank not in made]
        if not found:
            return None
        made.append(found[0])
    kickers = [rank for rank in groups[1] if rank not in made]
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


def _top_of_straight(ranks: Iterable[int], size: int) -> int | None:
    """The highest card of the best straight; the ace is also low, and never in the middle."""
    held = 0
    for rank in ranks:
        held |= 1 << rank
    runs = held | held >> ACE << 1  # a bit for each rank where a run of one card begins
    for _ in range(size - 1):
        runs &= runs >> 1  # and of one card more
    return runs.bit_length() + size - 2 if runs else None


def _worth(category: str, ranks: Sequence[int], ladder: Ladder) -> int:
    worth = ladder.categories.index(category)
    for rank in ranks:
        worth = worth << 4 | rank
    return worth << 4 * (ladder.size - len(ranks))


# For people.


def _used(cards: Collection[Card], hand: PokerHand) -> tuple[Card, ...]:
    """The cards that make a hand of this worth."""
    category, ranks = hand.category, hand.ranks
    if "flush" in category:
        cards = _of_the_suit(cards, hand)
    if "straight" in category or category == "royal_flush":
        ranks = _run(ranks[0] if ranks else ACE, hand.ladder.size)
    held: dict[int, list[Card]] = {}
    for card in cards:
        held.setdefault(card.rank, []).append(card)
    used: list[Card] = []
    for rank, number in zip_longest(ranks, PARTS.get(category, ()), fillvalue=1):
        used += held[rank][:number]
    return tuple(used)


def _run(top: int, size: int) -> tuple[int, ...]:
    return tuple(ACE if rank == 1 else rank for rank in range(top, top - size, -1))


def _of_the_suit(cards: Collection[Card], hand: PokerHand) -> list[Card]:
    """The cards of the suit that makes this flush."""
    suits = ([card for card in cards if card.suit == suit] for suit in SUITS)
    return next(some for some in suits if _suited(some, hand.ladder) == hand.strength)


def _in_words(category: str, ranks: tuple[int, ...]) -> str:
    made = [_plural(rank) for rank in ranks[: len(PARTS.get(category, ()))]]
    kickers = [NAMES[rank] for rank in ranks[len(made) :]]
    if category == "high_card":
        return f"{NAMES[ranks[0]]}-{NAMES[ranks[1]]} high"
    if category in ("flush", "straight", "straight_flush"):
        return f"{NAMES[ranks[0]]} high"
    if category == "full_house":
        return " over ".join(made)
    said = _and(made)
    return f"{said}, {_and(kickers)} kicker{'s' * (len(kickers) > 1)}" if kickers else said


def _plural(rank: int) -> str:
    return "sixes" if rank == 6 else f"{NAMES[rank]}s"


def _and(words: list[str]) -> str:
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))
