"""Poker hands by the million are worth what they are worth one at a time."""

import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from itertools import chain, combinations, combinations_with_replacement, pairwise, product
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from croupier.equipment import Card, deck, read_cards
from croupier.ranking.bulk import card, census, number, places, strengths, tables
from croupier.ranking.poker import (
    FIVE,
    FOUR,
    RANK_KEYS,
    THREE,
    Ladder,
    PokerHand,
    by_ranks,
    strength,
)

LADDERS = {"three": THREE, "four": FOUR, "five": FIVE}
every_ladder = pytest.mark.parametrize("ladder", LADDERS.values(), ids=LADDERS.keys())
SIZES = [(3, THREE), (7, THREE), (4, FOUR), (5, FOUR), (6, FOUR), (5, FIVE), (6, FIVE), (7, FIVE)]
every_size = pytest.mark.parametrize(
    ("size", "ladder"), SIZES, ids=[f"{ladder.size} of {size}" for size, ladder in SIZES]
)


def numbers(hands: Iterable[Iterable[Card]]) -> NDArray[np.uint8]:
    return np.array([[number(each) for each in hand] for hand in hands], np.uint8)


def all_hands(size: int) -> NDArray[np.uint8]:
    cards = chain.from_iterable(combinations(range(52), size))
    return np.fromiter(cards, np.uint8, size * comb(52, size)).reshape(-1, size)


def place(text: str, ladder: Ladder = FIVE) -> int:
    return int(places(numbers([read_cards(text)]), ladder)[0])


# The numbers of cards.


def test_cards_are_numbered_rank_by_rank() -> None:
    upward = sorted(deck(), key=lambda each: (each.rank, each.suit))
    assert [number(each) for each in upward] == list(range(52))
    assert [card(at) for at in range(52)] == upward


def test_a_joker_has_no_number_and_52_is_no_card() -> None:
    with pytest.raises(ValueError, match="a joker has no number"):
        number(Card.parse("Jk"))
    with pytest.raises(ValueError, match="52 is none"):
        card(52)


# Places.


@pytest.mark.parametrize(
    ("ladder", "different"),
    [
        (THREE, {"high_card": 274, "pair": 156, "flush": 274, "straight": 12,
                 "three_of_a_kind": 13, "straight_flush": 12}),
        (FOUR, {"high_card": 704, "pair": 858, "two_pairs": 78, "straight": 11, "flush": 704,
                "three_of_a_kind": 156, "straight_flush": 11, "four_of_a_kind": 13}),
        (FIVE, {"high_card": 1_277, "pair": 2_860, "two_pairs": 858, "three_of_a_kind": 858,
                "straight": 10, "flush": 1_277, "full_house": 156, "four_of_a_kind": 156,
                "straight_flush": 9, "royal_flush": 1}),
    ],
    ids=LADDERS,
)  # fmt: skip
def test_a_ladder_has_so_many_places_of_each_category(
    ladder: Ladder, different: dict[str, int]
) -> None:
    ranked = strengths(ladder)[1:]
    assert Counter(PokerHand(ladder, worth, ()).category for worth in ranked) == different


@every_ladder
def test_a_better_place_is_a_better_hand_and_0_is_none(ladder: Ladder) -> None:
    assert strengths(ladder)[0] == 0
    assert all(low < high for low, high in pairwise(strengths(ladder)))


def test_the_lowest_hand_of_five_is_1_and_a_royal_flush_is_7462() -> None:
    assert place("2c 3d 4h 5s 7c") == 1
    assert place("Ah Kh Qh Jh Th 2c 2d") == 7_462


def test_a_place_says_what_the_hand_is() -> None:
    best = strengths(FIVE)[place("9c Ts Td 9s 8s 8h 3h")]
    assert PokerHand(FIVE, best, ()).describe() == "two pairs, tens and nines, eight kicker"


# Many hands are worth what each is worth.


@every_size
def test_hands_picked_at_random(size: int, ladder: Ladder) -> None:
    shuffled = np.random.default_rng(47).permuted(np.tile(np.arange(52), (1_000, 1)), axis=1)
    hands = shuffled[:, :size].astype(np.uint8)
    worth = [strength([card(int(each)) for each in hand], ladder) for hand in hands]
    assert [strengths(ladder)[at] for at in places(hands, ladder)] == worth


SHORT_DECKS = {
    "three ranks": [Card(*each) for each in product((2, 8, 14), "cdhs")],
    "two suits": [Card(*each) for each in product((2, 3, 4, 5, 8, 13, 14), "hs")],
    "one suit": [Card(rank, "d") for rank in range(2, 15)],
}


@every_size
@pytest.mark.parametrize("cards", SHORT_DECKS.values(), ids=SHORT_DECKS.keys())
def test_every_hand_of_a_short_deck(cards: list[Card], size: int, ladder: Ladder) -> None:
    hands = list(combinations(cards, size))
    worth = [strength(hand, ladder) for hand in hands]
    assert [strengths(ladder)[at] for at in places(numbers(hands), ladder)] == worth


@given(data=st.data(), size=st.integers(5, 7))
def test_the_order_of_the_cards_does_not_matter(data: st.DataObject, size: int) -> None:
    hand = data.draw(st.lists(st.integers(0, 51), min_size=size, max_size=size, unique=True))
    other = data.draw(st.permutations(hand))
    one, two = places(np.array([hand, other], np.uint8))
    assert one == two


def test_the_rows_may_be_part_of_a_larger_array() -> None:
    dealt = numbers([read_cards("Ah Kh Qh Jh Th 9h 2c"), read_cards("2c 3d 4h 5s 7c Ad As")])
    assert list(places(dealt[:, :5])) == [7_462, 1]
    assert list(places(np.asfortranarray(dealt)[:, :5])) == [7_462, 1]
    assert places(dealt[:0]).shape == (0,)


# All hands of each size.

KNOWN = {
    (3, THREE): {
        "straight_flush": 48, "three_of_a_kind": 52, "straight": 720, "flush": 1_096,
        "pair": 3_744, "high_card": 16_440,
    },
    (4, FOUR): {
        "four_of_a_kind": 13, "straight_flush": 44, "three_of_a_kind": 2_496, "flush": 2_816,
        "straight": 2_772, "two_pairs": 2_808, "pair": 82_368, "high_card": 177_408,
    },
    (5, FOUR): {
        "four_of_a_kind": 624, "straight_flush": 2_072, "three_of_a_kind": 58_656,
        "flush": 114_616, "straight": 101_808, "two_pairs": 123_552, "pair": 1_047_552,
        "high_card": 1_150_080,
    },
    (5, FIVE): {
        "royal_flush": 4, "straight_flush": 36, "four_of_a_kind": 624, "full_house": 3_744,
        "flush": 5_108, "straight": 10_200, "three_of_a_kind": 54_912, "two_pairs": 123_552,
        "pair": 1_098_240, "high_card": 1_302_540,
    },
    (6, FIVE): {
        "royal_flush": 188, "straight_flush": 1_656, "four_of_a_kind": 14_664,
        "full_house": 165_984, "flush": 205_792, "straight": 361_620,
        "three_of_a_kind": 732_160, "two_pairs": 2_532_816, "pair": 9_730_740,
        "high_card": 6_612_900,
    },
    (7, FIVE): {
        "royal_flush": 4_324, "straight_flush": 37_260, "four_of_a_kind": 224_848,
        "full_house": 3_473_184, "flush": 4_047_644, "straight": 6_180_020,
        "three_of_a_kind": 6_461_620, "two_pairs": 31_433_400, "pair": 58_627_800,
        "high_card": 23_294_460,
    },
}  # fmt: skip


def categories(size: int, ladder: Ladder) -> Counter[str]:
    found: Counter[str] = Counter()
    for worth, hands in zip(strengths(ladder)[1:], census(size, ladder)[1:], strict=True):
        found[PokerHand(ladder, worth, ()).category] += int(hands)
    return found


@pytest.mark.parametrize(
    ("size", "ladder"), KNOWN, ids=[f"{ladder.size} of {size}" for size, ladder in KNOWN]
)
def test_so_many_hands_are_of_each_category(size: int, ladder: Ladder) -> None:
    assert categories(size, ladder) == KNOWN[size, ladder]


def test_the_best_four_of_six_cards_by_counting_them_on_paper() -> None:
    found = categories(6, FOUR)

    quads = 13 * comb(48, 2)
    assert found["four_of_a_kind"] == quads

    runs = [{14 if low == 1 else low, *range(low + 1, low + 4)} for low in range(1, 12)]
    in_a_suit = {
        held: sum(
            any(run <= {*ranks} for run in runs) for ranks in combinations(range(2, 15), held)
        )
        for held in (4, 5, 6)
    }
    straight_flushes = 4 * sum(ways * comb(39, 6 - held) for held, ways in in_a_suit.items())
    assert found["straight_flush"] == straight_flushes

    alone, with_a_pair, twice = 52 * comb(12, 3) * 4**3, 52 * 12 * 6 * 44, comb(13, 2) * 4 * 4
    in_a_run = 4 * len(runs) * 4 * comb(3, 2)  # four of a suit, and two more of one of their ranks
    trips = alone + with_a_pair + twice - in_a_run
    assert found["three_of_a_kind"] == trips

    of_a_suit = 4 * sum(comb(13, held) * comb(39, 6 - held) for held in (4, 5, 6))
    with_trips = 4 * comb(13, 4) * 4 * comb(3, 2) - in_a_run
    assert found["flush"] == of_a_suit - straight_flushes - with_trips

    assert found.total() == comb(52, 6)


@pytest.mark.parametrize(("size", "ladder"), [(4, THREE), (4, FOUR), (5, FIVE)])
def test_the_census_is_what_all_hands_add_up_to(size: int, ladder: Ladder) -> None:
    counted = np.bincount(places(all_hands(size), ladder), minlength=len(strengths(ladder)))
    assert (census(size, ladder) == counted).all()


@every_size
def test_the_census_misses_no_hand(size: int, ladder: Ladder) -> None:
    found = census(size, ladder)
    assert found.sum() == comb(52, size)
    assert found[0] == 0


@pytest.mark.parametrize(("size", "different"), [(5, 7_462), (6, 6_075), (7, 4_824)])
def test_with_more_cards_the_lowest_hands_cannot_happen(size: int, different: int) -> None:
    assert np.count_nonzero(census(size)) == different


# The tables that other compiled code reads.


@every_size
def test_the_index_of_ranks_is_the_sum_of_their_shares(size: int, ladder: Ladder) -> None:
    ranked, _, binomials = tables(ladder, size)
    lists = np.array([*combinations_with_replacement(range(13), size)])
    at = np.arange(size)
    index = binomials[lists + at, at + 1].sum(axis=1)
    assert sorted(index) == list(range(len(ranked)))
    for ranks, each in zip(lists.tolist(), index, strict=True):
        if max(map(ranks.count, ranks)) > 4:
            assert ranked[each] == 0
        else:
            key = sum(RANK_KEYS[rank + 2] for rank in ranks)
            assert strengths(ladder)[ranked[each]] == by_ranks(key, ladder)


@every_ladder
def test_the_ranks_of_a_suit_are_thirteen_bits(ladder: Ladder) -> None:
    suited = tables(ladder, ladder.size).by_suit
    for mask in range(1 << 13):
        hand = [Card(rank + 2, "s") for rank in range(13) if mask >> rank & 1]
        worth = strength(hand, ladder) if len(hand) >= ladder.size else 0
        assert strengths(ladder)[suited[mask]] == worth


def test_nobody_can_spoil_the_tables() -> None:
    for table in tables(FIVE, 7):
        with pytest.raises(ValueError, match="read-only"):
            table[0] = 1


# What is refused.

SEVEN = np.arange(7, dtype=np.uint8)


@pytest.mark.parametrize(
    ("hands", "complaint"),
    [
        (np.array([SEVEN, SEVEN + 46]), "cards are numbered 0 to 51, but hand 1 holds"),
        (np.array([SEVEN + 249]), "but hand 0 holds"),
        (np.array([SEVEN]).astype(np.int64), "of type uint8"),
        (SEVEN, "with a row for each"),
        ([[0, 1, 2, 3, 4]], "hands are an array"),
        (np.array([SEVEN[:4]]), "a hand of 5 is the best of 5 to 7 cards, not of 4"),
        (np.zeros((1, 8), np.uint8), "not of 8"),
    ],
)
def test_what_is_not_a_table_of_hands_is_refused(hands: NDArray[np.uint8], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        places(hands)


@given(hand=st.lists(st.integers(0, 255), min_size=7, max_size=7))
def test_no_row_of_bytes_does_harm(hand: list[int]) -> None:
    """A card twice is not looked for, but the answer is still a place."""
    try:
        (found,) = places(np.array([hand], np.uint8))
    except ValueError:
        assert max(hand) > 51
    else:
        assert max(hand) <= 51
        assert found <= 7_462


def test_a_census_of_too_few_cards_is_refused() -> None:
    with pytest.raises(ValueError, match="not of 4"):
        census(4, FIVE)


def test_to_rank_a_hand_loads_no_compiler() -> None:
    check = "import sys, croupier.ranking; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", check]).returncode == 0
