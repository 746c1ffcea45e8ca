"""The exact distribution of the result of many rounds, and of a bankroll's end.

Results lie on a lattice: nets differ from one another by whole multiples of some step.
The distribution after n rounds is the n-th power of the distribution of one in
the frequency domain. A prize so large that one of them puts a session ahead
whatever else happens is not put on the lattice; a session that meets one is
counted as beyond it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, floor, gcd, lcm

import numpy as np
from numpy.typing import NDArray

LONGEST = 1 << 22  # points of a lattice
ROOMY = 1 << 20  # points, above which large prizes are not put on it
WIDEST = 1 << 18  # points of a lattice of bankrolls
CLOSE = 1e-9
FINE = 1e-11  # of all that the results span

Chances = Mapping[Fraction, Fraction]  # of each net


@dataclass(frozen=True)
class Results:
    """The results of so many rounds: `lowest`, `lowest + step` and so on, and what is beyond."""

    rounds: int
    lowest: Fraction
    step: Fraction
    chances: NDArray[np.float64]
    beyond: float  # the chance of a prize that is not on the lattice

    def at(self, place: int) -> float:
        return float(self.lowest + place * self.step)

    def quantile(self, share: float) -> float | None:
        """The least result that is not exceeded with this probability; None if it is beyond."""
        sums = np.cumsum(self.chances)
        place = int(np.searchsorted(sums, share - CLOSE))
        return self.at(place) if place < len(sums) else None

    @property
    def even(self) -> float:
        """The chance to be neither ahead nor behind."""
        place = -self.lowest / self.step
        is_on = place.denominator == 1 and 0 <= place < len(self.chances)
        return float(self.chances[int(place)]) if is_on else 0.0

    @property
    def ahead(self) -> float:
        above = max(floor(-self.lowest / self.step) + 1, 0)
        return float(self.chances[above:].sum()) + self.beyond

    def mean(self) -> float:
        """Of what is on the lattice, times its chance."""
        return float((self.chances * self._places()).sum())

    def _places(self) -> NDArray[np.float64]:
        places = np.arange(len(self.chances)) * float(self.step) + float(self.lowest)
        return np.asarray(places, np.float64)


def after(rounds: int, chances: Chances) -> Results | None:
    """The results of so many rounds, or None where the lattice would be too long."""
    lowest = min(chances)
    on, large = _on_the_lattice(chances, rounds)
    step, length = _step(on), _length(on, rounds)
    if length > LONGEST:
        return None
    places = {int((net - lowest) / step): chance for net, chance in on.items()}
    size = 1 << (length - 1).bit_length()
    one = np.zeros(size)
    for place, chance in places.items():
        one[place] = float(chance)
    powered = np.fft.irfft(np.fft.rfft(one) ** rounds, size)[:length]
    beyond = 1 - float(1 - large) ** rounds
    found = Results(rounds, rounds * lowest, step, powered, beyond)
    _check(found, on, large)
    return replace(found, chances=np.clip(powered, 0.0, None))  # without what rounding left


def _on_the_lattice(chances: Chances, rounds: int) -> tuple[Chances, Fraction]:
    """The nets that are put on it, and the chance of those that are not.

    All that leave a session in doubt are; of larger ones as many as there is room for.
    """
    enough = -rounds * min(chances)  # to be ahead after the worst of everything else
    on: dict[Fraction, Fraction] = {}
    for net in sorted(chances):
        more = {**on, net: chances[net]}
        if net > enough and _length(more, rounds) > ROOMY:
            break
        on = more
    return on, 1 - sum(on.values(), Fraction(0))


def _step(nets: Iterable[Fraction]) -> Fraction:
    """By the largest step of which all their differences are multiples."""
    every = list(nets)
    parts = lcm(*(net.denominator for net in every))
    return Fraction(gcd(*(int((net - every[0]) * parts) for net in every)) or 1, parts)


def _length(nets: Iterable[Fraction], rounds: int) -> int:
    """Points of the lattice of so many rounds."""
    every = list(nets)
    return int(rounds * (max(every) - min(every)) / _step(every)) + 1


def _check(found: Results, on: Chances, large: Fraction) -> None:
    """The chances come to one, and the mean to so many times that of a round."""
    total = float(found.chances.sum()) + found.beyond
    without = float(1 - large)
    mean = float(sum((net * chance for net, chance in on.items()), Fraction(0)))
    expected = found.rounds * mean * without ** (found.rounds - 1)
    near = FINE * max(1.0, float(found.step) * len(found.chances))
    if abs(total - 1) > CLOSE or abs(found.mean() - expected) > near:
        raise AssertionError("the results of many rounds do not add up")


def ruin(rounds: int, chances: Chances, bankrolls: tuple[int, ...]) -> list[float] | None:
    """How likely a bankroll of so many units falls below one unit within so many rounds.

    Gone through backward, for every bankroll at once: who has more than all remaining rounds
    can cost is safe. None where the lattice would be too long.
    """
    lowest = min(chances)
    most = max(ceil(rounds * -lowest), 1) + 1
    small = {net: chance for net, chance in chances.items() if net < most}
    step = Fraction(1, lcm(*(net.denominator for net in small)))
    width, unit = int(most / step) + 1, int(1 / step)
    if width > WIDEST:
        return None
    moves = [(int(net / step), float(chance)) for net, chance in small.items()]
    broke = np.zeros(width)
    broke[:unit] = 1.0
    for _ in range(rounds):
        before = np.zeros(width)
        for places, chance in moves:
            if places > 0:
                before[: width - places] += chance * broke[places:]
            elif places == 0:
                before += chance * broke
            else:
                before[-places:] += chance * broke[:places]
                before[:-places] += chance
        before[:unit] = 1.0
        broke = before
    return [float(broke[int(each / step)]) if each / step < width else 0.0 for each in bankrolls]
