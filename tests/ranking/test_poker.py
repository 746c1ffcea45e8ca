"""What a poker hand is worth, by the definitions of 14.3 and the order of each game's section."""

from collections import Counter
from itertools import combinations, combinations_with_replacement, pairwise
from math import comb, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.equipment import Card, deck, read_cards
from croupier.ranking.poker import FIVE, FOUR, THREE, Ladder, PokerHand, rank, strength

DECK = deck()


def hand(text: str, ladder: Ladder = FIVE) -> PokerHand:
    return rank(read_cards(text), ladder)


# The categories, and how many hands of each there are.


def count_all(size: int, ladder: Ladder) -> Counter[str]:
    hands = combinations(DECK, size)
    return Counter(ladder.categories[strength(cards, ladder) >> 4 * ladder.size] for cards in hands)


@pytest.mark.cites("14.3(c)")
def test_three_cards_make_so_many_hands_of_each_kind() -> None:
    assert count_all(3, THREE) == {
        "straight_flush": 48,
        "three_of_a_kind": 52,
        "straight": 720,
        "flush": 1_096,
        "pair": 3_744,
        "high_card": 16_440,
    }


def test_four_cards_make_so_many_hands_of_each_kind() -> None:
    assert count_all(4, FOUR) == {
        "four_of_a_kind": 13,
        "straight_flush": 44,
        "three_of_a_kind": 2_496,
        "flush": 2_816,
        "straight": 2_772,
        "two_pairs": 2_808,
        "pair": 82_368,
        "high_card": 177_408,
    }


@pytest.mark.cites("14.3(b)")
def test_five_cards_make_so_many_hands_of_each_kind_and_7462_that_differ() -> None:
    """Every set of ranks once, with how many suits it can have."""
    counted: Counter[str] = Counter()
    different = set()
    for ranks in combinations_with_replacement(range(2, 15), 5):
        numbers = Counter(ranks)
        if max(numbers.values()) > 4:
            continue
        suits = prod(comb(4, number) for number in numbers.values())
        mixed = [Card(r, "cdhs"[ranks[:at].count(r)]) for at, r in enumerate(ranks)]
        if len(numbers) == 5:  # it can be of one suit
            suited = rank([Card(r, "h") for r in ranks])
            counted[suited.category] += 4
            different.add(suited.strength)
            suits -= 4
            mixed[0] = Card(ranks[0], "d")
        offsuit = rank(mixed)
        counted[offsuit.category] += suits
        different.add(offsuit.strength)
    assert counted == {
        "royal_flush": 4,
        "straight_flush": 36,
        "four_of_a_kind": 624,
        "full_house": 3_744,
        "flush": 5_108,
        "straight": 10_200,
        "three_of_a_kind": 54_912,
        "two_pairs": 123_552,
        "pair": 1_098_240,
        "high_card": 1_302_540,
    }
    assert len(different) == 7_462


@pytest.mark.cites("14.3(a)", "14.3(b)")
@pytest.mark.parametrize(
    ("cards", "category"),
    [
        ("Ah Kh Qh Jh Th", "royal_flush"),
        ("Kh Qh Jh Th 9h", "straight_flush"),
        ("5c 4c 3c 2c Ac", "straight_flush"),  # the ace is low here, and the hand the lowest
        ("7c 7d 7h 7s 2c", "four_of_a_kind"),
        ("7c 7d 7h 2s 2c", "full_house"),
        ("Ah 9h 7h 4h 2h", "flush"),
        ("Ah Kc Qh Jh Th", "straight"),
        ("5c 4d 3c 2c Ac", "straight"),
        ("Qh Kc Ah 2h 3h", "high_card"),  # no straight goes round the corner
        ("7c 7d 7h 3s 2c", "three_of_a_kind"),
        ("7c 7d 3h 3s 2c", "two_pairs"),
        ("7c 7d 4h 3s 2c", "pair"),
        ("Ac 7d 4h 3s 2c", "high_card"),
    ],
)
def test_a_hand_of_five_is_called_by_its_name(cards: str, category: str) -> None:
    assert hand(cards).category == category


ORDERED = {
    FIVE: [
        "7c 5d 4h 3s 2c", "Ac 7d 4h 3s 2c", "Ac Kd 4h 3s 2c", "2c 2d 5h 4s 3c", "2c 2d Ah 4s 3c",
        "3c 3d 5h 4s 2c", "Ac Ad Kh Qs Jc", "3c 3d 2h 2s 4c", "3c 3d 2h 2s Ac", "4c 4d 2h 2s 3c",
        "4c 4d 3h 3s 2c", "2c 2d 2h 4s 3c", "2c 2d 2h As Kc", "3c 3d 3h 4s 2c", "Ac 2d 3h 4s 5c",
        "2c 3d 4h 5s 6c", "Tc Jd Qh Ks Ac", "2c 3c 4c 5c 7c", "3c 4c 5c 6c 8c", "Ac Kc Qc Jc 9c",
        "2c 2d 2h 3s 3c", "2c 2d 2h As Ac", "3c 3d 3h 2s 2c", "2c 2d 2h 2s 3c", "2c 2d 2h 2s Ac",
        "3c 3d 3h 3s 2c", "Ac 2c 3c 4c 5c", "2c 3c 4c 5c 6c", "9c Tc Jc Qc Kc", "Tc Jc Qc Kc Ac",
    ],
    FOUR: [
        "2c 3d 4h 6s", "Ac Kd Qh Ts", "2c 2d 4h 3s", "Ac Ad Kh Qs", "3c 3d 2h 2s", "Ac Ad Kh Ks",
        "Ac 2d 3h 4s", "2c 3d 4h 5s", "Jc Qd Kh As", "2c 3c 4c 6c", "Ac Kc Qc Tc", "2c 2d 2h 3s",
        "Ac Ad Ah Ks", "Ac 2c 3c 4c", "Jc Qc Kc Ac", "2c 2d 2h 2s", "Ac Ad Ah As",
    ],
    THREE: [
        "2c 3d 5h", "Qc 3d 2h", "Ac Kd Jh", "2c 2d 3h", "Ac Ad Kh", "2c 3c 5c", "Ac Kc Jc",
        "Ac 2d 3h", "2c 3d 4h", "Qc Kd Ah", "2c 2d 2h", "Ac Ad Ah", "Ac 2c 3c", "Qc Kc Ac",
    ],
}  # fmt: skip


@pytest.mark.cites("14.3(d)")
@pytest.mark.parametrize("ladder", ORDERED, ids=["five", "four", "three"])
def test_each_of_these_hands_beats_the_one_before_it(ladder: Ladder) -> None:
    hands = [hand(text, ladder) for text in ORDERED[ladder]]
    assert hands == sorted(hands)
    assert all(low < high for low, high in pairwise(hands))


def test_suits_never_break_a_tie() -> None:
    assert hand("Ah Kh Qd Jc 9c") == hand("As Kd Qc Jd 9h")
    assert not hand("Ah Kh Qd Jc 9c") < hand("As Kd Qc Jd 9h")
    assert hash(hand("Ah Kh Qd Jc 9c")) == hash(hand("As Kd Qc Jd 9h"))


def test_hands_of_different_sizes_do_not_compare() -> None:
    with pytest.raises(ValueError, match="do not compare"):
        assert hand("Ah Kh Qh", THREE) < hand("Ah Kh Qh Jh Th")
    assert hand("2c 3d 5h", THREE) != hand("2c 3d 4h 6s", FOUR)


def test_too_few_cards_make_no_hand() -> None:
    with pytest.raises(ValueError, match="a hand of 5 cards needs as many, not 4"):
        rank(read_cards("Ah Kh Qh Jh"))


# The best of more cards.


@pytest.mark.parametrize(
    ("cards", "category", "used"),
    [
        ("9c Ts Td 9s 8s 8h 3h", "two_pairs", "Ts Td 9c 9s 8s"),  # the third pair is a kicker
        ("2c 2d 2h 3c 3d 3h 9s", "full_house", "3c 3d 3h 2c 2d"),  # two threes of a kind
        ("Ah 2h 3h 4h 5h 6c 7c", "straight_flush", "5h 4h 3h 2h Ah"),  # not the higher straight
        ("2h 3h 4h 5h 6h 7h 9c", "straight_flush", "7h 6h 5h 4h 3h"),
        ("Ac Ad Ah 2h 5h 9h Kh", "flush", "Ah Kh 9h 5h 2h"),
        ("4c 4d 4h 4s Ac Ad Ah", "four_of_a_kind", "4c 4d 4h 4s Ac"),
        ("Tc Jd Qh Ks Ac Ad Ah", "straight", "Ac Ks Qh Jd Tc"),
    ],
)
def test_the_best_five_of_seven(cards: str, category: str, used: str) -> None:
    best = hand(cards)
    assert best.category == category
    assert " ".join(map(str, best.cards)) == used


@pytest.mark.parametrize(
    ("cards", "category"),
    [
        ("2h 3h 4h 9h 2c 2d", "three_of_a_kind"),  # which beats a flush of four
        ("2h 3h 4h 5h 5c 5d", "straight_flush"),
        ("Kc Kd 9h 9s 2c", "two_pairs"),
        ("2c 3d 4h 5s 5c", "straight"),
    ],
)
def test_the_best_four_of_five_or_six(cards: str, category: str) -> None:
    assert hand(cards, FOUR).category == category


def cards_of(least: int, most: int) -> st.SearchStrategy[list[Card]]:
    return st.lists(st.sampled_from(DECK), min_size=least, max_size=most, unique=True)


@pytest.mark.parametrize("ladder", [FIVE, FOUR, THREE], ids=["five", "four", "three"])
@given(data=st.data())
def test_the_best_hand_is_the_best_of_all_that_can_be_picked(
    ladder: Ladder, data: st.DataObject
) -> None:
    cards = data.draw(cards_of(ladder.size, 7))
    best = rank(cards, ladder)
    picked = [rank(some, ladder) for some in combinations(cards, ladder.size)]
    assert best == max(picked)
    assert set(best.cards) <= set(cards)
    assert len(set(best.cards)) == ladder.size
    assert rank(best.cards, ladder) == best


@given(cards=cards_of(5, 7), suits=st.permutations("cdhs"))
def test_to_rename_the_suits_changes_nothing(cards: list[Card], suits: list[str]) -> None:
    renamed = dict(zip("cdhs", suits, strict=True))
    assert strength([Card(card.rank, renamed[card.suit]) for card in cards]) == strength(cards)


@given(cards=cards_of(6, 7))
def test_one_more_card_never_makes_a_hand_worse(cards: list[Card]) -> None:
    assert strength(cards) >= strength(cards[:-1])


# In words.


@pytest.mark.parametrize(
    ("cards", "words"),
    [
        ("Ah Kh Qh Jh Th", "royal flush"),
        ("5c 4c 3c 2c Ac", "straight flush, five high"),
        ("7c 7d 7h 7s 2c", "four of a kind, sevens, two kicker"),
        ("7c 7d 7h 2s 2c", "full house, sevens over twos"),
        ("Ah 9h 7h 4h 2h", "flush, ace high"),
        ("6c 6d Jh Js Kc", "two pairs, jacks and sixes, king kicker"),
        ("7c 7d Ah Ks 9c", "pair, sevens, ace, king and nine kickers"),
        ("Qc 7d 4h 3s 2c", "high card, queen-seven high"),
    ],
)
def test_a_hand_is_described(cards: str, words: str) -> None:
    assert hand(cards).describe() == words
