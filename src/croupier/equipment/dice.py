"""Dice: fair cubes thrown or shaken together."""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import product
from typing import Any

from croupier.equipment.device import Device, ImpossibleOutcome

FACES = range(1, 7)


class Throw(tuple[int, ...]):
    """The top faces of the dice, in the order the dice are told apart."""

    @property
    def total(self) -> int:
        return sum(self)

    @property
    def is_hard(self) -> bool:
        """All dice show the same face: a hard four is 2-2."""
        return len(set(self)) == 1

    def __str__(self) -> str:
        return "-".join(map(str, self))


@cache
def _throws(count: int) -> tuple[Throw, ...]:
    return tuple(Throw(faces) for faces in product(FACES, repeat=count))


@cache
def _ways(count: int) -> tuple[tuple[int, Throw], ...]:
    alike = Counter(Throw(sorted(throw)) for throw in _throws(count))
    return tuple((ways, throw) for throw, ways in alike.items())


class Dice(Device[Throw]):
    """A set of dice in play. Every ordered result is equally likely."""

    verb = "throw"

    def __init__(self, count: int) -> None:
        self.count = count
        self.name = f"{count} dice"

    def outcomes(self) -> Sequence[Throw]:
        return _throws(self.count)

    def ways(self) -> Iterable[tuple[int, Throw]]:
        """The dice are alike: 1-2 and 2-1 are one result that comes in two ways."""
        return _ways(self.count)

    def read(self, said: Any) -> Throw:
        if (
            not isinstance(said, list | tuple)
            or len(said) != self.count
            or any(type(face) is not int or face not in FACES for face in said)
        ):
            raise ImpossibleOutcome(
                f"{said!r} is not a throw of {self.count} dice: "
                f"write {self.count} faces from 1 to 6, such as {[3, 4, 1][: self.count]}"
            )
        return Throw(said)

    def say(self, outcome: Throw) -> list[int]:
        return list(outcome)
