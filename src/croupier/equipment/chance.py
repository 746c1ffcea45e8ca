"""Where outcomes come from.

Everything that is drawn is drawn with one question: "which of these n equally
likely outcomes?". Live play asks the operating system. Simulation has fast
seeded streams of its own, upstairs in `simulation`, where live code cannot
import them.
"""

import secrets
from typing import Protocol


class Chance(Protocol):
    """A source of equally likely whole numbers."""

    def below(self, n: int) -> int:
        """A number from 0 to n - 1, each equally likely."""
        ...


class SystemChance:
    """The operating system's generator, scaled by rejection and so without bias."""

    def below(self, n: int) -> int:
        return secrets.randbelow(n)
