"""Hands: what lies on the layout, whose it is, and who may see it.

A hand has a name. The first hand of a seat has the seat's name, "1"; those
that a split adds are "1.2" and "1.3". The dealer's hand, the board, the burn
and a dead hand are nobody's.
"""

from collections.abc import Iterable, Mapping
from typing import Any

SET_ASIDE = "set_aside"  # a card that waits for the next hand


def seat_of(hand: str) -> str:
    """The seat whose hand it is, or "" if it is nobody's."""
    seat = hand.partition(".")[0]
    return seat if seat.isdecimal() else ""


def told_as(hand: str) -> dict[str, str]:
    """A hand as events tell it: its seat, and its name where it is not the seat's first."""
    seat = seat_of(hand)
    if not seat:
        return {"to": hand}
    return {"seat": seat} if hand == seat else {"seat": seat, "hand": hand}


def written(parts: Mapping[str, Iterable[Any]]) -> dict[str, list[str]]:
    """The parts of a hand as they are written in events and views."""
    return {name: [str(piece) for piece in pile] for name, pile in parts.items()}


class Hand(list[Any]):
    """The cards or tiles of a hand, in the order in which they came."""

    def __init__(self, name: str, pieces: Iterable[Any] = ()) -> None:
        super().__init__(pieces)
        self.name = name
        self.face_down: list[Any] = []  # those that only its owner, and who looked, may see
        self.lookers: set[str] = set()  # seats that have looked at a hand which is nobody's
        self.parts: dict[str, list[Any]] = {}  # once it has been set: high and low

    @property
    def seat(self) -> str:
        """Whose it is, or "" if it is nobody's."""
        return seat_of(self.name)

    def add(self, piece: Any, *, face_down: bool = False) -> None:
        self.append(piece)
        if face_down:
            self.face_down.append(piece)

    def take(self, piece: Any) -> None:
        """The card or tile leaves the hand."""
        self.remove(piece)
        if piece in self.face_down:
            self.face_down.remove(piece)

    def turn(self, pieces: Iterable[Any]) -> None:
        """From now on everyone may see these."""
        for piece in pieces:
            if piece in self.face_down:
                self.face_down.remove(piece)

    def is_seen_by(self, seat: str) -> bool:
        """Whether a seat may see what lies face down in it."""
        return seat == self.seat or seat in self.lookers

    def seen_by(self, seat: str | None, *, sees_all: bool = False) -> list[str | None]:
        """What a seat, or a bystander, sees of it: None for a piece that lies face down."""
        hidden = [] if sees_all or (seat and self.is_seen_by(seat)) else list(self.face_down)
        shown: list[str | None] = []
        for piece in self:
            if piece in hidden:
                hidden.remove(piece)
                shown.append(None)
            else:
                shown.append(str(piece))
        return shown

    def as_json(self, seat: str | None, *, sees_all: bool = False) -> dict[str, Any]:
        """The hand as a seat, or a bystander, may see it."""
        cards = self.seen_by(seat, sees_all=sees_all)
        told: dict[str, Any] = {"seat": self.seat or None, "cards": cards}
        if self.parts and None not in cards:
            told["parts"] = written(self.parts)
        return told


class Hands(dict[str, Hand]):
    """Every hand on the layout, by name; one that is asked for and is not there is empty."""

    def __missing__(self, name: str) -> Hand:
        hand = self[name] = Hand(name)
        return hand

    def of(self, seat: str) -> list[Hand]:
        """The hands of a seat, the first one first."""
        own = [hand for name, hand in self.items() if seat_of(name) == seat]
        return sorted(own, key=lambda hand: _number(hand.name))

    def next_name(self, seat: str) -> str:
        """What the next hand of a seat will be called."""
        return f"{seat}.{max(_number(hand.name) for hand in self.of(seat)) + 1}"

    def put(self, piles: Mapping[str, Iterable[Any]]) -> None:
        """Lay these cards or tiles, by the name of their hand."""
        for name, pieces in piles.items():
            self[name] = Hand(name, pieces)


def _number(name: str) -> int:
    """Which hand of its seat it is."""
    return int(name.partition(".")[2] or 1)
