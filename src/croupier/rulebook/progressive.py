"""Progressive jackpots: a meter that grows with every wager, and a reserve that nobody sees.

A part of each wager goes to the meter and, where the licensee has filed it so,
another part to a reserve. When the whole meter is won it starts again from the
reset amount with the reserve on top. Parts of a cent stay in the meter: a
payment from it is rounded down.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import ceil, floor

from croupier.rulebook.citation import Citation, law

LONGEST_ODDS = 100_000_000  # to 1, against the top award
NO_LONGER = law("13:69D-1.52(e)4")


@dataclass(frozen=True)
class Meter:
    """What the display shows, in cents, and what is held back for the next jackpot."""

    amount: Fraction
    reserve: Fraction = field(default=Fraction(0), repr=False, metadata={"hidden": True})

    @property
    def shown(self) -> int:
        """The whole cents of it."""
        return floor(self.amount)

    def advanced(self, stake: int, rate: Fraction, reserve_rate: Fraction) -> "Meter":
        """After a wager of so many cents."""
        return Meter(self.amount + stake * rate, self.reserve + stake * reserve_rate)

    def paid(self, cents: int) -> "Meter":
        """After a prize of less than all of it."""
        return replace(self, amount=self.amount - cents)

    def reset(self, cents: int, paid: int) -> "Meter":
        """After all of it has been won; what could not be paid out of it stays in it."""
        return Meter(cents + self.reserve + self.amount - paid)

    def __str__(self) -> str:
        return f"{self.shown}"


@dataclass(frozen=True)
class Prize:
    """Of one seat, in the order of settlement: a share of the meter, or a fixed amount."""

    seat: str
    share: Fraction = Fraction(0)
    fixed: int = 0  # cents


def pay_prizes(
    meter: Meter, prizes: Iterable[Prize], reset: int, *, split: bool
) -> tuple[dict[str, int], Meter]:
    """What each seat gets, and the meter after it.

    Several winners of the whole meter `split` what it shows when the first of them is paid or,
    if they do not, the next one gets what it has been reset to.
    """
    won: dict[str, int] = {}
    waiting = list(prizes)
    whole = [prize for prize in waiting if prize.share == 1]
    shared: int | None = None
    for prize in waiting:
        if prize.share == 1 and split:
            if shared is None:
                shared = meter.shown // len(whole)
                meter = meter.reset(reset, shared * len(whole))
            won[prize.seat] = shared
        elif prize.share == 1:
            won[prize.seat], meter = meter.shown, meter.reset(reset, meter.shown)
        else:
            won[prize.seat] = prize.fixed or floor(meter.shown * prize.share)
            meter = meter if prize.fixed else meter.paid(won[prize.seat])
    return won, meter


def too_long(chance: Fraction) -> tuple[str, Citation] | None:
    """Why the chance of a top award is not allowed, if it is not."""
    against = (1 - chance) / chance if chance else None
    if against is not None and against <= LONGEST_ODDS:
        return None
    longer = "nobody could win it" if against is None else f"it is {ceil(against):,} to 1"
    return (
        f"the odds against the top award may not exceed {LONGEST_ODDS:,} to 1: {longer}",
        NO_LONGER,
    )
