"""The other side of a wager: the account that takes what it loses and pays what it wins.

That is the house, unless a player banks. A bank is made of wagers of its own,
which those who bank put up on the layout. It pays no more than it holds: what
it cannot cover is returned to whoever wagered it. Vigorish goes to the house,
whoever pays.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor

from croupier.rulebook.citation import Citation
from croupier.rulebook.ledger import HOUSE


@dataclass(frozen=True, kw_only=True)
class Side:
    """An account against which wagers are settled."""

    account: str


@dataclass(frozen=True, kw_only=True)
class Bank(Side):
    """The players who bank: each by a wager, and together in one account.

    With an `order`, hands are settled one after another: what the bank has won from one counts
    for the next, and once it has nothing left all later wagers are returned. Without one it
    takes all it has won, then pays as far as that goes. `house` is the part of the bank that
    the house covers, where it banks together with a player.
    """

    account: str = "bank"
    wager: str  # the wager that is put up by those who bank
    cite: Citation  # the rule by which what is not covered is returned
    order: Sequence[str] = ()  # the names of hands
    house: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        if not 0 <= self.house < 1:
            raise ValueError(f"the house's part of a bank is less than all of it, not {self.house}")

    def from_house(self, put_up: int) -> int:
        """What the house adds to what the players have put up."""
        return floor(put_up * self.house / (1 - self.house))


THE_HOUSE = Side(account=HOUSE)


def share_out(cents: int, shares: Sequence[Fraction]) -> list[int]:
    """The amount in these shares of it; cents that are left go one by one to the first of those
    whose share is not a whole number of cents."""
    exact = [cents * share for share in shares]
    parts = [floor(share) for share in exact]
    broken = [at for at, share in enumerate(exact) if share.denominator > 1]
    for at in broken[: cents - sum(parts)]:
        parts[at] += 1
    return parts
