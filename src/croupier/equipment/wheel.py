"""Wheels: equal stops in the order they stand around the rim."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

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
