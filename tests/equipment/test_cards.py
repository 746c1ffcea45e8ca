"""Cards: rank then suit, fifty-two of them, and jokers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.equipment import RANKS, SUITS, Card, deck
from croupier.equipment.cards import JOKER

WRITTEN = {rank + suit for rank in RANKS for suit in SUITS} | {"Jk"}
cards = st.sampled_from(deck(jokers=1))


@given(cards)
def test_a_printed_card_is_read_back(card: Card) -> None:
    assert Card.parse(str(card)) == card


@pytest.mark.parametrize(
    ("text", "rank", "suit", "title"),
    [
        ("Ah", 14, "h", "ace of hearts"),
        ("Td", 10, "d", "ten of diamonds"),
        ("2c", 2, "c", "two of clubs"),
        ("Qs", 12, "s", "queen of spades"),
    ],
)
def test_a_card_is_written_rank_then_suit(text: str, rank: int, suit: str, title: str) -> None:
    card = Card.parse(text)
    assert (card.rank, card.suit, card.title, str(card)) == (rank, suit, title, text)


@pytest.mark.parametrize(
    "text", ["", "A", "hA", "ah", "AH", "10d", "1c", "Ax", "Ahh", "jk", "JK", " Ah", "J", "Jk "]
)
def test_anything_else_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(ValueError, match="is not a card: write a rank of"):
        Card.parse(text)


@given(st.text(max_size=3) | st.text(RANKS + SUITS, min_size=2, max_size=2))
def test_any_text_is_a_card_or_is_refused(text: str) -> None:
    if text in WRITTEN:
        assert str(Card.parse(text)) == text
    else:
        with pytest.raises(ValueError, match="is not a card"):
            Card.parse(text)


def test_a_deck_has_fifty_two_different_cards() -> None:
    cards = deck()
    assert len(cards) == 52
    assert {str(card) for card in cards} == WRITTEN - {"Jk"}


def test_jokers_join_the_deck_when_asked_for() -> None:
    assert deck(jokers=2) == (*deck(), JOKER, JOKER)


def test_a_joker_has_no_rank_and_no_suit_and_no_color() -> None:
    assert Card.parse("Jk") == JOKER
    assert (JOKER.is_joker, JOKER.rank, JOKER.suit, JOKER.title) == (True, 0, "", "joker")
    assert not JOKER.is_red
    assert not JOKER.is_black


def test_only_a_joker_is_a_joker() -> None:
    assert not any(card.is_joker for card in deck())


def test_half_the_deck_is_red_and_the_other_half_black() -> None:
    assert {card.suit for card in deck() if card.is_red} == {"d", "h"}
    assert all(card.is_red != card.is_black for card in deck())


def test_the_ace_is_high() -> None:
    assert max(deck()).rank == Card.parse("As").rank
    assert sorted([Card.parse("Kc"), Card.parse("Ac"), Card.parse("2s")])[0] == Card.parse("2s")
