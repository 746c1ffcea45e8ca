"""What kind of world a seed makes: its games and people, and how often each fault befalls it.

In one world much happens of one kind, in another nothing of it, so that no fault hides another.
"""

from dataclasses import dataclass
from random import Random
from typing import Any

from croupier.games import registry
from tests.glass.harm import BITS, INTRUSIONS
from tests.glass.network import Weather
from tests.glass.servers import FATES


@dataclass
class Nature:
    """The odds of a world."""

    lends: bool  # whoever buys in has credit at the cage
    servers: int
    patrons: int
    games: list[str]
    bustle: int  # people who want something in one step
    haste: float  # the odds that a server decides at once what has arrived
    mischief: float
    weather: Weather
    fates: dict[str, float]  # each fate, and how likely it is among all
    fault_rate: float
    harm_rate: float  # that a copy of the disk is harmed, after everyone has died
    harms: list[str]
    office_rate: float
    long_waits: float

    @classmethod
    def drawn(cls, choose: Random, **instead: Any) -> "Nature":
        """One of many; what is given is not left to chance."""
        how_bad = choose.choice([0.0, 0.05, 0.2])
        drawn: dict[str, Any] = {
            "lends": choose.random() < 0.5,
            "servers": choose.choice([1, 1, 2, 3]),
            "patrons": choose.randrange(2, 8),
            "games": choose.sample(sorted(registry()), choose.randrange(2, 5)),
            "bustle": choose.choice([2, 5, 10]),
            "haste": choose.choice([1.0, 0.8, 0.4]),
            "mischief": choose.choice([0.02, 0.1, 0.3]),
            "weather": Weather(*(how_bad * choose.random() for _ in range(3))),
            "fates": {kind: choose.random() ** 2 for kind in FATES if choose.random() < 0.6},
            "fault_rate": choose.choice([0.0, 0.02, 0.1, 0.25]),
            "harm_rate": choose.choice([0.0, 0.5, 1.0]),
            "harms": [*[BITS] * 10, *INTRUSIONS],
            "office_rate": choose.choice([0.02, 0.1, 0.3]),
            "long_waits": choose.choice([0.0, 0.02, 0.1]),
        }
        return cls(**drawn | instead)

    def calm_down(self) -> None:
        """Nothing breaks any more."""
        self.weather = Weather()
        self.fates, self.fault_rate, self.haste = {}, 0.0, 1.0
