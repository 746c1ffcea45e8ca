# mypy: disable-error-code="no-untyped-def"
"""Keno by the million: real draws of twenty numbers out of eighty, and the tickets on them.

A ticket sees of a draw only how many numbers it catches in each of its groups.
So each ticket has its own few outcomes, found by asking the game, and a number
that is drawn adds what it is worth to the number of the outcome.
"""

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from croupier.analysis.report import analyze
from croupier.equipment import Drum
from croupier.rulebook import Game
from croupier.simulation.engine import Ending
from croupier.simulation.spins import LONGEST, Track, Walks
from croupier.simulation.words import plan, shuffle, stream


class Drums:
    """The engine of keno."""

    def __init__(self, game: Game, options: Any, labels: Sequence[str] = ()) -> None:
        drum = game.device(options)
        assert isinstance(drum, Drum)
        worth, walks = [], []
        self.endings: dict[str, tuple[Ending, ...]] = {}
        for report in analyze(game, options, labels):
            track = Track(game, options, report)
            groups = track.covers.groups
            drawn = dict[int, Any]()  # a draw for each number of catches in each group
            adds = np.zeros(drum.size, np.int32)
            for at, group in enumerate(groups):
                adds[[number - 1 for number in group]] = prod(len(g) + 1 for g in groups[:at])
            for _, outcome in game.cases(track.covers, options):
                drawn[int(sum(adds[number - 1] for number in outcome))] = outcome
                self._drawn = len(outcome)
            any_one = next(iter(drawn.values()))  # in place of what cannot be drawn
            size = prod(len(group) + 1 for group in groups)
            walk = track.walk([drawn.get(at, any_one) for at in range(size)])
            worth.append(adds)
            walks.append(walk)
            self.endings[track.label] = track.found.all()
        self.labels = tuple(self.endings)
        self._worth, self._numbers = np.array(worth), drum.size
        steps = {
            label: (at, walk.ends.ravel())
            for at, (label, walk) in enumerate(zip(self.labels, walks, strict=True))
        }
        self._walks = Walks(walks, steps, self.endings)

    def count(self, seed: int, chunk: int, rounds: int) -> dict[str, NDArray[np.int64]]:
        tally = np.zeros(len(self._walks.following), np.int64)
        self._deal(seed, chunk, rounds, tally, np.zeros((0, 0), np.int32))
        return self._walks.counted(tally)

    def play(self, seed: int, chunk: int, rounds: int) -> dict[str, NDArray[np.int32]]:
        """With some games more at the end, until no ticket stands."""
        steps = self._walks.room(rounds)
        more = self._deal(seed, chunk, rounds, np.zeros(0, np.int64), steps)
        return self._walks.read(steps[:, : rounds + more])

    def _deal(self, seed: int, chunk: int, rounds: int, tally: Any, steps: Any) -> int:
        walks = self._walks
        more: int = _deal(
            np.uint64(seed), np.uint64(chunk), rounds, self._numbers, self._drawn, self._worth,
            walks.following, walks.stays, walks.first_nodes(), tally, steps,
        )  # fmt: skip
        return more


@njit(cache=True, nogil=True)
def _deal(seed, chunk, rounds, numbers, many, worth, following, stays, at, tally, steps):
    """Draw, and move every ticket on; those that stand at the end are played out."""
    row, planned = stream(seed, chunk), plan(numbers, many)
    drum = np.arange(numbers).astype(np.uint8)
    standing = np.ones(len(at), np.bool_)
    game = 0
    while game < rounds or (standing.any() and game < rounds + LONGEST):
        shuffle(row, drum, planned)
        for ticket in range(len(at)):
            if game >= rounds and not standing[ticket]:
                continue
            step = at[ticket]
            for i in range(many):
                step += np.uint64(worth[ticket, drum[i]])
            if len(tally):
                tally[step] += 1
            else:
                steps[ticket, game] = step
            at[ticket] = np.uint64(following[step])
            standing[ticket] = stays[step]
        game += 1
    return game - rounds
