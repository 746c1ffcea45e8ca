"""The words that the modules of a live table share: its terms, its chairs, what it tells."""

from dataclasses import dataclass
from typing import Any

from croupier.rulebook import Citation, custom, law

LIMITS = custom("8.2")
DISPUTE = law("13:69E-1.31(b)")

Input = dict[str, Any]  # a command, with the outcomes that chance gave


@dataclass(frozen=True)
class Terms:
    """How a table is run, beside the options of its game."""

    dealer: str = "house"  # or "person": somebody in the dealer's role deals, spins and reports
    equipment: str = "simulated"  # or "real": the dealer says what came
    bet_seconds: int = 20
    move_seconds: int = 30
    offer_seconds: int = 10
    most_buy_in: int = 10_000_000


@dataclass
class Chair:
    """A seat that somebody has taken, and the one session that acts for them."""

    account: str
    name: str
    session: str
    ready: bool = False  # the player has made all their wagers for this round
    leaving: bool = False  # the player leaves as soon as no wager of theirs is on the layout
    playing: bool = True  # False while a player who sat down during a round waits for the next one


@dataclass(frozen=True)
class Told:
    """An event before it is numbered."""

    kind: str
    data: dict[str, Any]
    cite: Citation | None
    seen_by: str | None
    round: int


@dataclass(frozen=True)
class Wait:
    """What a table waits for, and after how many seconds the clock acts instead."""

    key: str
    seconds: float


def in_order(chairs: dict[str, Chair]) -> dict[str, Chair]:
    """The chairs by seat, however they came: what is done for all is done in one order."""
    return {seat: chairs[seat] for seat in sorted(chairs, key=int)}
