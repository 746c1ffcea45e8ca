"""What happened, in a sentence: hands, pots and questions to several people."""

from typing import Any

import pytest

from croupier.voice import TOLD, happened, turned, whose

SENTENCES: list[tuple[dict[str, Any], str]] = [
    ({"kind": "answered", "seat": "2"}, "Seat 2: the answer is given."),
    ({"kind": "answered", "seat": "1"}, "You: the answer is given."),
    (
        {"kind": "award", "seat": "2", "amount": 3000, "of": 6000, "tied": 2},
        "Seat 2: $30 of the pot of $60, shared by 2.",
    ),
    (
        {"kind": "award", "to": "dealer", "amount": 6000, "of": 6000, "tied": 1},
        "Dealer: $60 of the pot of $60.",
    ),
    ({"kind": "chosen", "seat": "1", "move": "discard", "cards": ["7c"]}, "You: discard 7c."),
    ({"kind": "chosen", "seat": "1", "move": "discard", "cards": []}, "You: discard nothing."),
    (
        {"kind": "chosen", "seat": "3", "move": "set", "parts": {"high": ["Ah"], "low": ["9c"]}},
        "Seat 3: high Ah, low 9c.",
    ),
    (
        {"kind": "pot", "seat": "2", "wager": "ante", "amount": 500, "pot": 1500},
        "Seat 2: $5 goes into the pot, which is $15.",
    ),
    ({"kind": "rake", "amount": 100, "pot": 900}, "The house takes $1 of the pot."),
    ({"kind": "set", "to": "2"}, "Seat 2: the hand is set."),
    (
        {"kind": "split", "seat": "2", "to": "2.2"},
        "Seat 2: the hand is split; the new one is Seat 2, hand 2.",
    ),
]


@pytest.mark.parametrize(("event", "sentence"), SENTENCES)
def test_an_event_is_told_to_seat_one(event: dict[str, Any], sentence: str) -> None:
    assert happened(event, you="1") == sentence


def test_every_kind_is_told_and_no_other() -> None:
    assert {event["kind"] for event, _ in SENTENCES} == {*TOLD}
    assert happened({"kind": "spin", "outcome": "17"}) == ""


def test_a_hand_that_was_set_is_turned_in_its_parts() -> None:
    parts = {"high": ["3-6", "6-6"], "low": ["4-4", "1-1"]}
    assert turned({"cards": ["3-6"], "parts": parts}) == "high 3-6 6-6, low 4-4 1-1"
    assert turned({"cards": ["Ah", "Kd"]}) == "Ah Kd"


def test_whose_hand_it_is() -> None:
    assert [whose(hand, "1") for hand in ("1", "1.2", "3.3", "dealer", "set_aside")] == [
        "You", "You, hand 2", "Seat 3, hand 3", "Dealer", "Set aside",
    ]  # fmt: skip
