"""Refusals: one sentence, the citation, and a code that a program can act on."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from croupier.rulebook.citation import Citation


class Fault(StrEnum):
    """Everything that can be wrong with what somebody asked for. The list is closed."""

    UNKNOWN_GAME = "unknown_game"
    UNLAWFUL_TABLE = "unlawful_table"
    UNKNOWN_SEAT = "unknown_seat"
    UNKNOWN_WAGER = "unknown_wager"
    UNKNOWN_SPOT = "unknown_spot"
    NOT_OFFERED = "not_offered"
    BAD_AMOUNT = "bad_amount"
    BELOW_MINIMUM = "below_minimum"
    ABOVE_MAXIMUM = "above_maximum"
    NOT_PAYABLE = "not_payable"
    NO_SUPPORT = "no_support"
    NOT_NOW = "not_now"
    NO_MORE_BETS = "no_more_bets"
    ILLEGAL_MOVE = "illegal_move"
    IMPOSSIBLE_OUTCOME = "impossible_outcome"
    UNKNOWN_IRREGULARITY = "unknown_irregularity"
    BAD_SCRIPT = "bad_script"

    # At a live table.
    FORBIDDEN = "forbidden"
    UNKNOWN_TABLE = "unknown_table"
    UNKNOWN_COMMAND = "unknown_command"
    SEAT_TAKEN = "seat_taken"
    NOT_CONTROLLING = "not_controlling"
    NO_FUNDS = "no_funds"
    STALE = "stale"
    CONFLICT = "conflict"
    TABLE_CLOSED = "table_closed"
    TABLE_FROZEN = "table_frozen"
    NOTICE_NEEDED = "notice_needed"


def brief(value: object) -> str:
    """What somebody gave, short enough to stand in a sentence."""
    try:
        return repr(value)[:40]
    except (ValueError, RecursionError):  # thousands of digits, or of brackets
        return "that"


class Refusal(Exception):
    """What was asked for cannot be done. Nothing has changed."""

    def __init__(self, fault: Fault, message: str, cite: Citation | None = None) -> None:
        super().__init__(message)
        self.fault = fault
        self.message = message
        self.cite = cite

    def __str__(self) -> str:
        return f"{self.message} [{self.cite}]" if self.cite else self.message


@dataclass(frozen=True, slots=True)
class Violation:
    """One thing about a table's configuration that the regulation does not allow."""

    option: str
    message: str
    cite: Citation

    def __str__(self) -> str:
        return f"{self.message} [{self.cite}]"

    def as_json(self) -> dict[str, str]:
        return {"option": self.option, "message": self.message, "citation": str(self.cite)}


class Unlawful(Refusal):
    """A table that may not be opened, with every reason why."""

    def __init__(self, violations: Sequence[Violation]) -> None:
        super().__init__(Fault.UNLAWFUL_TABLE, "; ".join(map(str, violations)))
        self.violations = tuple(violations)
