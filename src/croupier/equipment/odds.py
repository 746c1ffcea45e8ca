"""Odds as the regulation prints them: "3 to 2", the stake kept, never "for"."""

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import total_ordering
from math import gcd

_NUMBER = r"([0-9]{1,3}(?:,[0-9]{3}){1,2}|[0-9]{1,9})"
_ODDS = re.compile(rf"{_NUMBER}[ _]to[ _]{_NUMBER}")


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
        match = _ODDS.fullmatch(text.strip().lower())
        win, per = (int(part.replace(",", "")) for part in match.groups()) if match else (0, 0)
        if per == 0:
            raise ValueError(f'{text[:40]!r} are not odds: write them with "to", such as 3 to 2')
        return cls(win, per)

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
