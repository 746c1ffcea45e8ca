"""Settlements and events: what happened to each wager, and everything that happened."""

from dataclasses import dataclass
from typing import Any

from croupier.rulebook.citation import Citation
from croupier.rulebook.wager import Bet, Decision, Result


@dataclass(frozen=True, slots=True)
class Settlement:
    """What an outcome did to one wager, in cents."""

    bet: Bet
    decision: Decision
    stake: int  # the part of the wager that was decided, or all of it if it stands
    result: Result
    net: int  # the change of the seat's bankroll on this wager
    cite: Citation
    pays: str = ""  # the odds applied, as printed
    vigorish: int = 0  # what the house took or marked of it; the net is without it

    @property
    def gross(self) -> int:
        """What the wager won or lost before vigorish."""
        return self.net + self.vigorish

    def as_json(self) -> dict[str, Any]:
        shown: dict[str, Any] = {
            "seat": self.bet.seat,
            "wager": self.bet.label,
            "stake": self.stake,
            "result": self.result.value,
            "line": self.decision.line,
            "pays": self.pays,
            "net": self.net,
            "citation": str(self.cite),
        }
        if self.bet.hand:
            shown["hand"] = self.bet.hand
        return shown | ({"vigorish": self.vigorish} if self.vigorish else {})


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened at the table. `seen_by` is the only seat that may see it, if any."""

    kind: str
    data: dict[str, Any]
    cite: Citation | None = None
    seen_by: str | None = None

    def as_json(self) -> dict[str, Any]:
        shown: dict[str, Any] = {"kind": self.kind, **self.data}
        if self.cite:
            shown["citation"] = str(self.cite)
        return shown
