"""Wheels: stops in the order they stand around the rim, equal or, on a virtual one, weighted."""

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from typing import Any

from croupier.equipment.chance import Chance
from croupier.equipment.device import Device, ImpossibleOutcome


class Wheel(Device[str]):
    """A wheel of equally likely stops.

    Stops are named by what is printed on them, so a name may stand at several
    stops (the 23 ones of a big six wheel). `also` gives other names under
    which a script may call a stop.
    """

    verb = "spin"

    def __init__(
        self, name: str, stops: Iterable[str], also: Mapping[str, str] | None = None
    ) -> None:
        self.name = name
        self.stops = tuple(stops)
        self.also = dict(also or {})

    def outcomes(self) -> Sequence[str]:
        return self.stops

    def read(self, said: Any) -> str:
        stop = str(said) if type(said) in (str, int) else None
        stop = self.also.get(stop, stop) if stop is not None else None
        if stop is None or stop not in self.stops:
            raise ImpossibleOutcome(f"the {self.name} has no stop {said!r}")
        return stop

    def neighbors(self, stop: str, each_side: int) -> tuple[str, ...]:
        """The stop with its neighbors on the rim, in the order of the wheel."""
        at = self.stops.index(stop)
        return tuple(
            self.stops[(at + step) % len(self.stops)] for step in range(-each_side, each_side + 1)
        )


class WeightedWheel(Wheel):
    """A virtual wheel that stops at some positions more often than at others.

    Each position stands for as many equally likely numbers as its weight says. There may be
    billions of them, so they are counted and never listed: `outcomes` names every position once.
    """

    def __init__(self, name: str, weights: Mapping[str, int]) -> None:
        super().__init__(name, weights)
        if not weights or min(weights.values()) < 1:
            raise ValueError(f"every stop of the {name} needs a weight above zero")
        self.weights = dict(weights)
        self._up_to = list(accumulate(weights.values()))  # each position has the numbers below

    def ways(self) -> Iterable[tuple[int, str]]:
        return ((weight, stop) for stop, weight in self.weights.items())

    def draw(self, chance: Chance) -> str:
        return self.stops[bisect_right(self._up_to, chance.below(self._up_to[-1]))]
