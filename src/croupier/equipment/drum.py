"""A drum of numbered balls (or the generator of a keno system): draws without replacement."""

from collections.abc import Sequence
from typing import Any

from croupier.equipment.device import Device, ImpossibleOutcome


class Drum(Device[int]):
    """Balls numbered 1 to `size`. A ball that has been taken does not come again."""

    verb = "draw"

    def __init__(self, size: int) -> None:
        self.size = size
        self.name = f"drum of {size} numbers"
        self._left = list(range(1, size + 1))

    def outcomes(self) -> Sequence[int]:
        return self._left

    def read(self, said: Any) -> int:
        if type(said) is not int or not 1 <= said <= self.size:
            raise ImpossibleOutcome(f"{said!r} is not a number from 1 to {self.size}")
        if said not in self._left:
            raise ImpossibleOutcome(f"{said} has already been drawn")
        return said

    def take(self, outcome: int) -> None:
        self._left.remove(outcome)

    def contents(self) -> list[int]:
        """The numbers that have been taken; those left are always in order."""
        return sorted({*range(1, self.size + 1)}.difference(self._left))

    def refill(self, contents: Any) -> None:
        numbers = range(1, self.size + 1)
        if (
            not isinstance(contents, list)
            or any(type(taken) is not int or taken not in numbers for taken in contents)
            or len(set(contents)) < len(contents)
        ):
            raise ValueError(f"{contents!r} cannot have been taken from the {self.name}")
        self._left = [number for number in numbers if number not in contents]
