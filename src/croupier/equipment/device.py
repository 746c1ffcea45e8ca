"""The one small interface behind which all equipment stands.

A device lists its equally likely outcomes. That is enough to play live (ask
chance for one), to analyze (go through all of them), to replay a script (find
the one the script names) and to simulate.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Generic, TypeVar

from croupier.equipment.chance import Chance

Outcome = TypeVar("Outcome")


class ImpossibleOutcome(ValueError):
    """A script or a log names an outcome that this device cannot give."""


class Device(Generic[Outcome]):
    """Something that gives an outcome by chance."""

    name: str
    verb: str  # what people do with it, and the kind of the event it leaves: spin, throw, draw

    def outcomes(self) -> Sequence[Outcome]:
        """Every outcome it can give now, each equally likely, in a fixed order."""
        raise NotImplementedError

    def ways(self) -> Iterable[tuple[int, Outcome]]:
        """Every outcome that can be told apart, with its number of equally likely ways."""
        return ((ways, outcome) for outcome, ways in Counter(self.outcomes()).items())

    def read(self, said: Any) -> Outcome:
        """The outcome that a script names, in the words of `say`."""
        raise NotImplementedError

    def say(self, outcome: Outcome) -> Any:
        """The outcome as scripts, logs and people write it."""
        return outcome

    def take(self, outcome: Outcome) -> None:
        """The outcome has been given. A card or a ball leaves its container here."""

    def contents(self) -> Any:
        """What tells it from a new one, as plain JSON values; None where nothing leaves it."""
        return None

    def refill(self, contents: Any) -> None:
        """Make it hold again what `contents` said; a ValueError if it never can have."""
        if contents is not None:
            raise ValueError(f"the {self.name} holds nothing that could be missing from it")

    def draw(self, chance: Chance) -> Outcome:
        """An outcome by chance. It has not been taken yet."""
        outcomes = self.outcomes()
        if not outcomes:
            raise ImpossibleOutcome(f"the {self.name} is empty")
        return outcomes[chance.below(len(outcomes))]
