"""A shoe: every card is in exactly one place, and comes back at a shuffle."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from croupier.equipment import Card, ImpossibleOutcome, Shoe, SystemChance, deck

A_FEW = [Card.parse(text) for text in "Ah Ah Kd 7c 2s Jk".split()]


def dealt_from(shoe: Shoe[Card], text: str) -> Card:
    card = shoe.read(text)
    shoe.take(card)
    return card


class AShoeInUse(RuleBasedStateMachine):
    """Any sequence of draws, burns, discards and shuffles."""

    def __init__(self) -> None:
        super().__init__()
        self.shoe = Shoe(A_FEW * 2, cut_card=4)

    @precondition(lambda self: self.shoe.stub)
    @rule(data=st.data())
    def draw(self, data: st.DataObject) -> None:
        card = data.draw(st.sampled_from(sorted(self.shoe.stub)))
        self.shoe.take(card)
        assert card in self.shoe.on_layout

    @precondition(lambda self: self.shoe.on_layout)
    @rule(data=st.data())
    def burn(self, data: st.DataObject) -> None:
        card = data.draw(st.sampled_from(self.shoe.on_layout))
        self.shoe.burn(card)
        assert self.shoe.burnt[-1] == card

    @precondition(lambda self: self.shoe.on_layout)
    @rule(data=st.data())
    def discard(self, data: st.DataObject) -> None:
        count = data.draw(st.integers(1, len(self.shoe.on_layout)))
        cards = self.shoe.on_layout[:count]
        self.shoe.discard(cards)
        assert self.shoe.discard_rack[-count:] == cards

    @rule()
    def shuffle(self) -> None:
        self.shoe.shuffle()
        assert Counter(self.shoe.stub) == Counter(self.shoe.composition)

    @invariant()
    def every_card_is_in_exactly_one_place(self) -> None:
        shoe = self.shoe
        places = [*shoe.stub, *shoe.burnt, *shoe.discard_rack, *shoe.on_layout]
        assert Counter(places) == Counter(shoe.composition)

    @invariant()
    def the_cut_card_is_reached_when_no_more_than_those_behind_it_are_left(self) -> None:
        assert self.shoe.cut_card_reached == (len(self.shoe.stub) <= 4)

    @invariant()
    def what_can_be_drawn_is_what_is_left(self) -> None:
        assert Counter(self.shoe.outcomes()) == Counter(self.shoe.stub)
        assert {card: ways for ways, card in self.shoe.ways()} == Counter(self.shoe.stub)


TestAShoeInUse = AShoeInUse.TestCase


def test_a_card_that_is_drawn_lies_on_the_layout() -> None:
    shoe = Shoe(deck())
    card = dealt_from(shoe, "Qh")
    assert shoe.on_layout == [card]
    assert card not in shoe.stub
    assert len(shoe.stub) == 51


def test_drawing_by_chance_takes_nothing_yet() -> None:
    shoe = Shoe(deck())
    card = shoe.draw(SystemChance())
    assert card in shoe.stub
    assert len(shoe.stub) == 52


def test_a_card_that_is_not_left_is_refused() -> None:
    shoe = Shoe(deck(), name="deck")
    dealt_from(shoe, "Qh")
    with pytest.raises(ImpossibleOutcome, match=r"no queen of hearts \(Qh\) is left in the deck"):
        shoe.read("Qh")


def test_two_decks_hold_every_card_twice() -> None:
    shoe = Shoe(deck() * 2)
    dealt_from(shoe, "Qh")
    dealt_from(shoe, "Qh")
    with pytest.raises(ImpossibleOutcome, match="is left in the shoe"):
        shoe.read("Qh")


@pytest.mark.parametrize("said", ["", "Zz", "qh", 7, None, True, ["Qh"], {"card": "Qh"}, 1.5])
def test_what_is_not_a_card_is_refused_with_a_sentence(said: object) -> None:
    with pytest.raises(ImpossibleOutcome, match="is not a card: write a rank of"):
        Shoe(deck()).read(said)


@given(st.sampled_from(deck(jokers=1)))
def test_a_card_is_read_as_it_is_said(card: Card) -> None:
    shoe = Shoe(deck(jokers=1))
    assert shoe.read(shoe.say(card)) == card


def test_a_card_that_is_not_on_the_layout_cannot_be_burnt_or_discarded() -> None:
    shoe = Shoe(deck())
    with pytest.raises(ValueError):
        shoe.burn(Card.parse("Qh"))
    with pytest.raises(ValueError):
        shoe.discard([Card.parse("Qh")])
    assert not shoe.burnt
    assert not shoe.discard_rack


def test_a_layout_may_be_discarded_as_it_lies() -> None:
    shoe = Shoe(deck())
    dealt = [dealt_from(shoe, text) for text in ("Qh", "2c", "Td")]
    shoe.discard(shoe.on_layout)
    assert shoe.discard_rack == dealt
    assert not shoe.on_layout


@pytest.mark.parametrize("cut_card", [-1, 52, 60])
def test_the_cut_card_stands_within_the_shoe(cut_card: int) -> None:
    with pytest.raises(ValueError, match=f"the cut card cannot stand {cut_card} cards from the"):
        Shoe(deck(), cut_card=cut_card)


def test_a_shoe_without_cards_is_refused() -> None:
    with pytest.raises(ValueError, match="of 0 cards"):
        Shoe([])


def test_the_cut_card_is_not_reached_in_a_full_shoe() -> None:
    assert not Shoe(deck(), cut_card=51).cut_card_reached
