"""The vocabulary is enough for a game of cards, hands and decisions: a small one, written in it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.equipment import Card, Odds, Shoe, deck
from croupier.rulebook import (
    LAYOUT,
    LOSE,
    PUSH,
    WIN,
    Case,
    Decision,
    Draw,
    Fault,
    Game,
    NoState,
    Play,
    Refusal,
    Round,
    Table,
    TableOptions,
    Wager,
    Window,
    law,
    shut,
    void_round,
)


@dataclass(frozen=True)
class Showdown:
    """The cards on the table when the dealer's is turned."""

    dealer: Card
    hands: Mapping[str, Card]


def against_dealer(case: Case[Showdown, NoState, TableOptions]) -> Decision:
    mine, theirs = case.outcome.hands[case.seat].rank, case.outcome.dealer.rank
    return WIN if mine > theirs else PUSH if mine == theirs else LOSE


def after_the_deal(state: NoState, spot: str, options: TableOptions) -> Window:
    return shut("a play wager is made after the deal", law("99.4"))


class HighCard(Game):
    """One card each, face down; play for as much again as the ante, or fold it."""

    id = "high-card"
    title = "High card"
    cite = law("99.1")
    positions = 3
    wagers = (
        Wager(id="ante", title="Ante", cite=law("99.2"), paid_by=law("99.7"), pays=Odds(1),
              decide=against_dealer),
        Wager(id="play", title="Play", cite=law("99.4"), paid_by=law("99.7"), pays=Odds(1),
              decide=against_dealer, window=after_the_deal),
    )  # fmt: skip
    irregularities = {
        "dealer_card_exposed": void_round("the dealer's card is exposed", "Void", law("99.8"))
    }

    def device(self, options: TableOptions) -> Shoe[Card]:
        return Shoe(deck(), name="deck")

    def round(self, table: Table) -> Round:
        table.no_more_bets(law("99.3"))
        shoe, hands = table.equipment, {}
        shoe.shuffle()
        for seat in table.clockwise():
            hands[seat] = yield from table.draw(shoe, to=seat, face_down=True)
        dealer = yield from table.draw(shoe, to="dealer", face_down=True)
        for seat in table.clockwise():
            (ante,) = table.bets_of(seat)
            question = "play for as much again, or fold?"
            if (yield from table.ask(seat, question, "fold", "play", cite=law("99.4"))) == "fold":
                table.forfeit(ante, law("99.5"))
            else:
                table.stake(seat, "play", ante.stake, law("99.4"))
        yield from table.inspect()
        table.record("reveal", cite=law("99.6"), card=str(dealer))
        table.settle(Showdown(dealer, hands), law("99.7"))
        table.pick_up(law("99.7"))


def dealt(*cards: str, ante: int = 1000) -> Play:
    """Seats 1 and 2 have made an ante, and their cards and the dealer's lie face down."""
    table = Table(HighCard())
    table.bet("1", "ante", ante)
    table.bet("2", "ante", ante)
    play = Play(table)
    for card in cards:
        play.answer(card)
    return play


def settled(table: Table) -> list[tuple[str, str, str, int]]:
    return [(s.bet.seat, s.bet.label, s.result.value, s.net) for s in table.settlements]


def test_who_plays_stakes_as_much_again_and_both_wagers_are_decided() -> None:
    play = dealt("Ah", "9c", "Kd")
    for answer in ("play", "play", None):
        play.answer(answer)
    assert settled(play.table) == [
        ("1", "ante", "win", 1000),
        ("1", "play", "win", 1000),
        ("2", "ante", "lose", -1000),
        ("2", "play", "lose", -1000),
    ]
    assert play.table.money["1"] == 2000
    assert not play.table.bets


def test_who_folds_forfeits_the_ante_at_once_by_the_paragraph_for_it() -> None:
    play = dealt("2h", "9c", "9d")
    play.answer("fold")
    (forfeited,) = play.table.settlements
    assert (forfeited.net, str(forfeited.cite)) == (-1000, "19:47-99.5")
    assert play.table.money[LAYOUT] == 1000
    for answer in ("play", None):
        play.answer(answer)
    assert settled(play.table)[1:] == [("2", "ante", "push", 0), ("2", "play", "push", 0)]


def test_a_wager_of_the_round_is_not_made_before_it() -> None:
    table = Table(HighCard())
    refusal = table.refusal("1", "play", 1000)
    assert refusal is not None
    assert (refusal.fault, str(refusal.cite)) == (Fault.NOT_NOW, "19:47-99.4")
    assert [opening.wager.id for opening in table.openings("1")] == ["ante"]


def test_a_void_round_gives_back_what_was_staked_in_the_course_of_it() -> None:
    play = dealt("Ah", "9c", "Kd")
    for answer in ("play", "play", {"irregularity": "dealer_card_exposed"}):
        play.answer(answer)
    assert play.table.is_void
    assert not any(play.table.money.values())


def test_a_card_that_has_left_the_deck_is_not_dealt_again() -> None:
    table = Table(HighCard())
    table.bet("1", "ante", 1000)
    play = Play(table)
    play.answer("Ah")
    with pytest.raises(Refusal) as caught:
        play.answer("Ah")
    assert caught.value.fault is Fault.IMPOSSIBLE_OUTCOME
    assert isinstance(play.request, Draw)


def shown(table: Table, seat: str | None) -> list[Any]:
    events = table.view(seat)["events"]
    return [event["outcome"] for event in events if "outcome" in event]


def test_everyone_sees_that_a_card_was_dealt_and_to_whom() -> None:
    events = dealt("Ah", "9c", "Kd").table.view(None)["events"]
    assert [event["to"] for event in events if event["kind"] == "draw"] == ["1", "2", "dealer"]
    assert all(event["face_down"] for event in events if event["kind"] == "draw")


@given(order=st.permutations([str(card) for card in deck()]))
def test_a_seat_sees_its_own_card_and_no_other_until_the_dealer_turns_one(order: list[str]) -> None:
    play = dealt(*order[:3])
    table = play.table
    assert [shown(table, seat) for seat in ("1", "2", "3", None)] == [
        [order[0]], [order[1]], [], [],
    ]  # fmt: skip
    for answer in ("play", "play", None):
        play.answer(answer)
    revealed = [e["card"] for e in table.view(None)["events"] if e["kind"] == "reveal"]
    assert revealed == [order[2]]
    assert shown(table, "2") == [order[1]]


def test_the_same_answers_deal_the_same_cards() -> None:
    first = dealt("Ah", "9c", "Kd")
    for answer in ("play", "fold", None):
        first.answer(answer)
    again = dealt()
    for answer in first.answers:
        again.answer(answer)
    assert again.table.events == first.table.events
    assert again.table.settlements == first.table.settlements
