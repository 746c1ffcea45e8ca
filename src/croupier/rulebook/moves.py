"""Moves: what a player may do when asked, as data.

A move is a word, a word with an amount, a choice of cards, or an arrangement
of a hand into parts. It describes itself, so that a page or a bot that has
never heard of the game can offer it, and it checks what a player says before
the round sees it. Cards or tiles are named as they are written: "7c", "3-6".
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from croupier.rulebook.citation import Citation
from croupier.rulebook.hands import written
from croupier.rulebook.refusal import Fault, Refusal, brief

Parts = dict[str, list[Any]]  # the cards or tiles of each part of a hand, by its name


@dataclass(frozen=True, slots=True)
class Move:
    """Something a player may do; with an amount where `high` is above zero."""

    name: str
    low: int = 0
    high: int = 0
    step: int = 1
    unit: str = "cents"
    cite: Citation | None = None  # the paragraph that limits the amount, if not the question's
    costs: int = 0  # what it stakes, where there is no choice of amount

    @property
    def takes_amount(self) -> bool:
        return self.high > 0

    @property
    def takes_cards(self) -> bool:
        """Whether cards or tiles of the hand are named beside it."""
        return False

    @property
    def takes_content(self) -> bool:
        """Whether it is a word with something beside it: an amount, cards, or parts."""
        return self.takes_amount or self.takes_cards

    def read(self, said: Any, holding: Sequence[Any]) -> Any:
        """What goes to the round: the name, or the name with the amount.

        A ValueError says what is wrong with it.
        """
        if not self.takes_amount:
            if said is None or (type(said) is int and said == self.costs > 0):
                return self.name
        elif type(said) is int and said in range(self.low, self.high + 1, self.step):
            return self.name, said
        steps = f": in steps of {self.step}" if 1 < self.step <= self.high - self.low else ""
        raise ValueError(f"may {self}, not {brief(said)}{steps}")

    def told(self, content: Any) -> dict[str, Any]:
        """What an event for everyone says beside the name."""
        if not content:
            return {}
        return {"amount" if self.unit == "cents" else self.unit: content}

    def kept(self, content: Any) -> dict[str, Any]:
        """What only the player is told."""
        return {}

    def as_json(self) -> dict[str, Any]:
        """The move for a page or a bot."""
        return {
            "move": self.name, "low": self.low, "high": self.high, "step": self.step,
            "unit": self.unit, "costs": self.costs,
        }  # fmt: skip

    def __str__(self) -> str:
        if not self.takes_amount:
            return f"{self.name} ({self.costs} {self.unit})" if self.costs else self.name
        return f"{self.name} ({self.low} to {self.high} {self.unit})"


@dataclass(frozen=True, slots=True)
class Choose(Move):
    """A choice of cards from one's hand, such as a discard: `{"discard": ["7c", "2d"]}`."""

    least: int = 0
    most: int = 0

    @property
    def takes_cards(self) -> bool:
        return True

    def read(self, said: Any, holding: Sequence[Any]) -> Any:
        pieces = _pieces(said, holding, self.name)
        if not self.least <= len(pieces) <= self.most:
            raise ValueError(f"may {self}, not {len(pieces)}")
        return self.name, pieces

    def told(self, content: Any) -> dict[str, Any]:
        return {"count": len(content)}

    def kept(self, content: Any) -> dict[str, Any]:
        return {"cards": [str(piece) for piece in content]}

    def as_json(self) -> dict[str, Any]:
        return {**Move.as_json(self), "choose": {"least": self.least, "most": self.most}}

    def __str__(self) -> str:
        return f"{self.name} {self.least} to {self.most} cards"


Check = Callable[[Parts], str]  # why the parts may not be so; "" if they may


def _any(_: Parts) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class Arrange(Move):
    """A hand set in parts: `{"set": {"high": ["Ah", …], "low": ["9c", "9d"]}}`."""

    parts: tuple[tuple[str, int], ...] = ()  # the name of each part, and how many it takes
    check: Check = _any

    @property
    def takes_cards(self) -> bool:
        return True

    def read(self, said: Any, holding: Sequence[Any]) -> Any:
        sizes = dict(self.parts)
        if not isinstance(said, Mapping) or set(said) != set(sizes):
            raise ValueError(f"may {self}, not {brief(said)}")
        parts: Parts = {}
        left = list(holding)
        for name, size in self.parts:
            parts[name] = pieces = _pieces(said[name], left, f"the {name} hand", holding)
            if len(pieces) != size:
                raise ValueError(f"may {self}: the {name} hand has {len(pieces)}, and takes {size}")
            for piece in pieces:
                left.remove(piece)
        if why := self.check(parts):
            raise ValueError(f"may not set the hand so: {why}")
        return self.name, parts

    def told(self, content: Any) -> dict[str, Any]:
        return {}

    def kept(self, content: Any) -> dict[str, Any]:
        return {"parts": written(content)}

    def as_json(self) -> dict[str, Any]:
        return {**Move.as_json(self), "parts": dict(self.parts)}

    def __str__(self) -> str:
        sizes = ", ".join(f"{size} in the {name} hand" for name, size in self.parts)
        return f"{self.name} ({sizes})"


def _pieces(
    said: Any, holding: Sequence[Any], what: str, held: Sequence[Any] | None = None
) -> list[Any]:
    """The cards or tiles that were named, each of them held and none twice."""
    if not isinstance(said, list) or not all(isinstance(name, str) for name in said):
        raise ValueError(f"must name the cards of {what} in a list, not {brief(said)}")
    left = list(holding)
    found = []
    owned = Counter(str(piece) for piece in (holding if held is None else held))
    for name in said:
        piece = next((each for each in left if str(each) == name), None)
        if piece is None and not owned[name]:
            raise ValueError(f"does not hold {brief(name)}")
        if piece is None:
            raise ValueError(f"names {name} once more than it is held")
        left.remove(piece)
        found.append(piece)
    return found


def illegal(who: str, why: str, cite: Citation) -> Refusal:
    """The refusal of a move, in a sentence that begins with who tried it."""
    return Refusal(Fault.ILLEGAL_MOVE, f"{who} {why}", cite)
