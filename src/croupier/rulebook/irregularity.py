"""Irregularities: what went wrong, and what the rule does about it, as data.

The common resolutions are the verbs below. A game lists its own table:

    irregularities = {
        "foreign_object": draw_again("a foreign object enters the wheel", "No spin", law("5.4(c)")),
    }
"""

from collections.abc import Callable, Collection, Generator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from croupier.rulebook.citation import Citation


class Then(Enum):
    """How the round goes on after an irregularity."""

    DRAW_AGAIN = "draw_again"  # no outcome counts: spin, throw or draw again
    CARRY_ON = "carry_on"  # the outcome that follows, or has been given, counts
    RETURN_WAGER = "return_wager"  # one wager, named in the report, is returned
    VOID_ROUND = "void_round"  # every wager of the round is returned


Effect = Callable[[Any], Generator[Any, Any, None] | None]  # on the table; one that draws yields
Bar = Callable[[Any], str]  # why, at this table, it cannot have happened now; "" if it can


@dataclass(frozen=True, slots=True)
class Resolution:
    """What is done when something irregular happens."""

    trigger: str  # what happened, in words
    says: str  # what the dealer announces or does
    then: Then
    cite: Citation
    effect: Effect | None = None  # what else changes at the table
    bar: Bar | None = None  # where it can only happen at some moment of the round
    costs_cards: bool = False  # its effect draws cards that the round itself would not
    seats: Callable[[Any], Collection[str]] | None = None  # to which it can have happened

    def under(self, options: Any) -> "Resolution":
        return self


@dataclass(frozen=True, slots=True)
class ByOption:
    """A resolution that the licensee has chosen beforehand."""

    option: str
    choices: Mapping[str, Resolution]

    def under(self, options: Any) -> Resolution:
        return self.choices[str(getattr(options, self.option))]


Rule = Resolution | ByOption


def draw_again(trigger: str, says: str, cite: Citation, effect: Effect | None = None) -> Resolution:
    """There was no valid spin, throw or draw; wagers stay and it is done again."""
    return Resolution(trigger, says, Then.DRAW_AGAIN, cite, effect)


def carry_on(
    trigger: str,
    says: str,
    cite: Citation,
    effect: Effect | None = None,
    bar: Bar | None = None,
    *,
    costs_cards: bool = False,
    seats: Callable[[Any], Collection[str]] | None = None,
) -> Resolution:
    """The round goes on with the outcome as it is called."""
    return Resolution(trigger, says, Then.CARRY_ON, cite, effect, bar, costs_cards, seats)


def return_wager(trigger: str, says: str, cite: Citation) -> Resolution:
    """The wager named in the report is returned to its player."""
    return Resolution(trigger, says, Then.RETURN_WAGER, cite)


def void_round(
    trigger: str,
    says: str,
    cite: Citation,
    effect: Effect | None = None,
    bar: Bar | None = None,
) -> Resolution:
    """Every wager of the round is returned."""
    return Resolution(trigger, says, Then.VOID_ROUND, cite, effect, bar)


def by_option(option: str, **choices: Resolution) -> ByOption:
    """The licensee's option says which resolution is used."""
    return ByOption(option, choices)
