"""Views: nobody is shown a card that is not for his eyes."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from croupier.equipment import Card, deck
from croupier.games import find_game
from croupier.rulebook import Ask, Draw, Play, Table
from tests.rulebook.test_rounds import Peek

SEATS = ["1", "2", "4"]


@dataclass
class Deal:
    """A round in progress, with what the tests know about its secrets."""

    play: Play
    hole: Card
    own: dict[str, Card]

    @property
    def table(self) -> Table:
        return self.play.table


@st.composite
def deals(draw: st.DrawFn) -> Deal:
    """A round after all cards have been dealt, at some question."""
    hole, *cards = draw(st.lists(st.sampled_from(deck()), min_size=4, max_size=4, unique=True))
    table = Table(Peek())
    for seat in SEATS:
        table.bet(seat, draw(st.sampled_from(["color:red", "color:black"])), 1000)
    play = Play(table)
    for card in (hole, *cards):
        assert isinstance(play.request, Draw)
        play.answer(str(card))
    for _ in range(draw(st.integers(0, 6))):
        assert isinstance(play.request, Ask)
        play.answer(play.request.default)
    return Deal(play, hole, dict(zip(SEATS, cards, strict=True)))


def words(shown: Any) -> Iterator[str]:
    """Every string in a view, keys and values."""
    if isinstance(shown, dict):
        for key, value in shown.items():
            yield from (*words(key), *words(value))
    elif isinstance(shown, list):
        for value in shown:
            yield from words(value)
    else:
        yield str(shown)


def shows(view: dict[str, Any], card: Card) -> bool:
    """The view tells the card, however it is written."""
    told = " ".join(words(view))
    spelled = (card.title, repr(card), f"rank {card.rank} suit {card.suit}")
    return str(card) in told.split() or any(spelling in told for spelling in spelled)


@given(deals())
def test_a_seat_sees_its_own_card_and_no_other(deal: Deal) -> None:
    for seat in SEATS:
        view = deal.table.view(seat)
        assert [other for other in SEATS if shows(view, deal.own[other])] == [seat]


@given(deals())
def test_nobody_sees_the_hole_card_before_it_is_turned(deal: Deal) -> None:
    for seat in (*SEATS, "3", None):
        view = deal.table.view(seat)
        assert not shows(view, deal.hole)
        assert "hole" not in view["state"]
    assert deal.table.state.hole == deal.hole


@given(deals())
def test_a_bystander_sees_no_card_at_all(deal: Deal) -> None:
    for view in (deal.table.view(), deal.table.view("3")):
        assert not any(shows(view, card) for card in deck())
        assert not any(event["kind"] == "peek" for event in view["events"])


@given(deals())
def test_everyone_sees_the_hole_card_once_it_is_turned(deal: Deal) -> None:
    play = deal.play
    while play.request is not None:
        play.answer(getattr(play.request, "default", None))
    for seat in (*SEATS, None):
        view = deal.table.view(seat)
        assert shows(view, deal.hole)
        assert view["state"] == {"games": 1, "turned": [str(deal.hole)]}


@given(deals())
def test_seats_share_what_is_not_hidden(deal: Deal) -> None:
    bystander = deal.table.view()
    for seat in SEATS:
        view = deal.table.view(seat)
        assert [event for event in view["events"] if event["kind"] != "peek"] == bystander["events"]
        assert {k: v for k, v in view.items() if k != "events"} == {
            k: v for k, v in bystander.items() if k != "events"
        }


@given(deals())
def test_a_view_is_a_json_document(deal: Deal) -> None:
    for seat in (*SEATS, None):
        view = deal.table.view(seat)
        assert json.loads(json.dumps(view)) == view


def test_a_view_shows_the_table_and_its_wagers() -> None:
    table = Table(find_game("craps"), {"table_min": 1000})
    table.bet("2", "pass", 1500)
    table.bet("1", "field", 1000)
    view = table.view("1")
    assert view["game"] == "craps"
    assert view["options"]["table_min"] == 1000
    assert view["betting_is_open"] is True
    assert view["state"]["point"] is None
    assert view["bets"] == [
        {"seat": "1", "wager": "field", "stake": 1000},
        {"seat": "2", "wager": "pass", "stake": 1500},
    ]
    assert [event["kind"] for event in view["events"]] == ["wager", "wager"]


def state_shown(state: Any) -> Any:
    table = Table(Peek())
    table.state = state
    return json.loads(json.dumps(table.view()["state"]))


def test_a_fraction_in_the_state_is_shown_as_text() -> None:
    @dataclass(frozen=True)
    class Meter:
        share: Fraction = Fraction(1, 3)

    assert state_shown(Meter()) == {"share": "1/3"}


def test_a_set_in_the_state_is_shown_in_order() -> None:
    @dataclass(frozen=True)
    class Lamps:
        lit: frozenset[str] = frozenset("abcdefghijkl")

    assert state_shown(Lamps()) == {"lit": list("abcdefghijkl")}


def test_what_is_hidden_inside_a_field_of_the_state_stays_hidden() -> None:
    @dataclass(frozen=True)
    class Hand:
        up: Card
        down: Card = field(metadata={"hidden": True})

    @dataclass(frozen=True)
    class Dealt:
        dealer: Hand

    queen, two = Card.parse("Qh"), Card.parse("2c")
    shown = state_shown(Dealt(Hand(queen, two)))
    assert shows(shown, queen)
    assert not shows(shown, two)
    assert "down" not in words(shown)
