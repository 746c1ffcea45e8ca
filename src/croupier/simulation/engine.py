"""A table that is dealt in bulk: what every engine can do, and which one a game has."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from numpy.typing import NDArray

from croupier.analysis.report import Watch
from croupier.rulebook import Game, PokerGame, ShoeGame

if TYPE_CHECKING:
    import numpy as np

    from croupier.simulation.strategies import Strategy


class Ending(NamedTuple):
    """How a wager came out, for one unit of it."""

    line: str  # as the exact analysis names it
    net: Fraction  # units won
    wagered: Fraction = Fraction(1)  # units finally staked, raises included


class Engine(Protocol):
    """Compiled, and fed by the tables that the game's own rules fill.

    A chunk is dealt from a stream of its own, so it comes out the same wherever it is dealt.
    `play` deals the very rounds that `count` counts.
    """

    @property
    def labels(self) -> tuple[str, ...]:
        """The wagers, named as the exact analysis names them."""
        ...

    @property
    def endings(self) -> Mapping[str, tuple[Ending, ...]]:
        """How each may come out."""
        ...

    def count(self, seed: int, chunk: int, rounds: int) -> "Mapping[str, NDArray[np.int64]]":
        """How often each ending came."""
        ...

    def play(self, seed: int, chunk: int, rounds: int) -> "Mapping[str, NDArray[np.int32]]":
        """The ending of each round, by its number; -1 where nothing was decided."""
        ...


def engine(
    game: Game,
    options: Any,
    labels: Sequence[str] = (),
    *,
    strategy: "Strategy | None" = None,
    stake: int | None = None,
    watch: Watch | None = None,
) -> Engine:
    """The engine of a game: every wager that the table offers, or those named.

    Decisions are the best there are, or those of a strategy. With a `stake` in cents, payments
    are rounded and limited as the table does it.
    """
    if isinstance(game, ShoeGame):
        from croupier.simulation.shoes import Shoes

        return Shoes(game, options, labels, strategy=strategy, stake=stake)
    if isinstance(game, PokerGame):
        from croupier.simulation.packs import Packs

        return Packs(game, options, labels, strategy=strategy, stake=stake, watch=watch)
    if game.family == "drum":
        from croupier.simulation.drums import Drums

        return Drums(game, options, labels)
    from croupier.simulation.spins import Spins

    return Spins(game, options, labels)
