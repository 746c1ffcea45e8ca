"""What happened, in a sentence: for hands, pots and questions to several people.

The terminal, disputes and the documentation say it in these words. The seat
that is spoken to is "you".
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from croupier.equipment import dollars
from croupier.rulebook import seat_of

Said = Mapping[str, Any]


def whose(hand: str, you: str = "") -> str:
    """Whose hand it is: "You", "Seat 3", "Seat 3, hand 2", "Dealer"."""
    seat, number = seat_of(hand), hand.partition(".")[2]
    if not seat:
        return hand.replace("_", " ").capitalize()
    who = "You" if seat == you else f"Seat {seat}"
    return f"{who}, hand {number}" if number else who


def happened(event: Said, you: str = "") -> str:
    """An event of these kinds as a sentence; "" for any other kind."""
    tell = TOLD.get(event["kind"])
    return tell(event, _who(event, you)) if tell else ""


def turned(event: Said) -> str:
    """What is seen when a hand is turned: its cards, in its parts if it was set."""
    return _in_parts(event["parts"]) if "parts" in event else " ".join(event["cards"])


def _in_parts(parts: Mapping[str, Sequence[str]]) -> str:
    return ", ".join(f"{name} {' '.join(cards)}" for name, cards in parts.items())


def _who(event: Said, you: str) -> str:
    return whose(str(event.get("hand") or event.get("seat") or event.get("to") or ""), you)


def _pot(event: Said, who: str) -> str:
    put, pot = dollars(event["amount"]), dollars(event["pot"])
    return f"{who}: {put} goes into the pot, which is {pot}."


def _award(event: Said, who: str) -> str:
    shared = f", shared by {event['tied']}" if event["tied"] > 1 else ""
    return f"{who}: {dollars(event['amount'])} of the pot of {dollars(event['of'])}{shared}."


def _chosen(event: Said, who: str) -> str:
    if "parts" in event:
        return f"{who}: {_in_parts(event['parts'])}."
    return f"{who}: {event['move'].replace('_', ' ')} {' '.join(event['cards']) or 'nothing'}."


TOLD: Mapping[str, Callable[[Said, str], str]] = {
    "answered": lambda event, who: f"{who}: the answer is given.",
    "award": _award,
    "chosen": _chosen,
    "pot": _pot,
    "rake": lambda event, who: f"The house takes {dollars(event['amount'])} of the pot.",
    "set": lambda event, who: f"{who}: the hand is set.",
    "split": lambda event, who: f"{who}: the hand is split; the new one is {whose(event['to'])}.",
}
