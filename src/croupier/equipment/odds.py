"""Odds as the regulation prints them: "3 to 2", the stake kept, never "for"."""

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import total_ordering
from math import gcd


class InexactPayment(ValueError):
    """A stake that these odds cannot pay in whole cents."""


@total_ordering
@dataclass(frozen=True, slots=True)
class Odds:
    """`Odds(3, 2)` wins 3 for every 2 staked, and the stake comes back."""

    win: int
    per: int = 1

    def __post_init__(self) -> None:
        if self.win < 0 or self.per < 1:
            raise ValueError(f"odds of {self.win} to {self.per} make no sense")
        common = gcd(self.win, self.per)
        object.__setattr__(self, "win", self.win // common)
        object.__setattr__(self, "per", self.per // common)

    @classmethod
    def parse(cls, text: str) -> "Odds":
        """`Odds.parse("3 to 2")`; `3_to_2` is read too."""
        plain = text.strip().lower().replace(",", "")
        match = re.fullmatch(r"(\d{1,9})[ _]to[ _](\d{1,9})", plain)
        if match is None or int(match[2]) == 0:
            raise ValueError(f'{text!r} are not odds: write them with "to", such as 3 to 2')
        return cls(int(match[1]), int(match[2]))

    @property
    def net(self) -> Fraction:
        """What one unit of stake wins."""
        return Fraction(self.win, self.per)

    def pay(self, stake: int) -> int:
        """The winnings on a stake, exact to the cent."""
        winnings, rest = divmod(stake * self.win, self.per)
        if rest:
            raise InexactPayment(f"{stake} cents cannot be paid exactly at {self}")
        return winnings

    def __lt__(self, other: "Odds") -> bool:
        return self.net < other.net

    def __str__(self) -> str:
        return f"{self.win:,} to {self.per:,}"
