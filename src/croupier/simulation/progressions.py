"""How much is staked next: progressions, for many sessions at once.

A progression counts in units of the stake a player begins with. It keeps a
state for every session, says how many units are staked next, and is told how
each round came out: won, lost, or neither. The table's maximum and the money
that is left may allow less than it asks for; it is told what was staked.

No progression changes what a wager is worth. It changes how losses and wins
are spread over sessions.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.rulebook import Fault, Refusal
from croupier.rulebook.refusal import brief

Units = NDArray[np.int64]
Results = NDArray[np.int8]  # 1 won, -1 lost, 0 neither

LARGEST = 1 << 40  # units; no table takes as much
FIBONACCI = [1, 1]
while FIBONACCI[-1] < LARGEST:
    FIBONACCI.append(FIBONACCI[-2] + FIBONACCI[-1])
LINE = (1, 2, 3, 4)  # the numbers with which a labouchere customarily begins
IN_A_ROW = 3  # wins after which a paroli begins again


class Progression:
    """The same stake, always."""

    name = "flat"
    title = "The same stake in every round"

    def begin(self, sessions: int) -> Any:
        """The state of so many sessions before their first round."""
        return np.ones(sessions, np.int64)

    def units(self, state: Any) -> Units:
        """What each stakes next."""
        found: Units = state
        return found

    def after(self, state: Any, units: Units, results: Results, net: NDArray[np.float64]) -> None:
        """How a round came out: what was staked, and what it won in units."""


class Martingale(Progression):
    name = "martingale"
    title = "Twice as much after a loss, one unit after a win"

    def after(self, state: Any, units: Units, results: Results, net: NDArray[np.float64]) -> None:
        state[results < 0] = np.minimum(2 * state[results < 0], LARGEST)
        state[results > 0] = 1


class Paroli(Progression):
    """The reverse martingale."""

    name = "paroli"
    title = f"Twice as much after a win, one unit after a loss or {IN_A_ROW} wins in a row"

    def after(self, state: Any, units: Units, results: Results, net: NDArray[np.float64]) -> None:
        state[results > 0] *= 2
        state[(results < 0) | (state >= 2**IN_A_ROW)] = 1


class DAlembert(Progression):
    name = "dalembert"
    title = "One unit more after a loss, one less after a win"

    def after(self, state: Any, units: Units, results: Results, net: NDArray[np.float64]) -> None:
        state -= results
        np.maximum(state, 1, out=state)


class Fibonacci(Progression):
    """The state is a place in the sequence."""

    name = "fibonacci"
    title = "The next number of Fibonacci after a loss, two back after a win"
    sequence = np.array(FIBONACCI, np.int64)

    def begin(self, sessions: int) -> Any:
        return np.zeros(sessions, np.int64)

    def units(self, state: Any) -> Units:
        found: Units = self.sequence[state]
        return found

    def after(self, state: Any, units: Units, results: Results, net: NDArray[np.float64]) -> None:
        state += np.where(results < 0, 1, np.where(results > 0, -2, 0))
        np.clip(state, 0, len(self.sequence) - 1, out=state)


class OscarsGrind(Progression):
    """Each series is played until it has won one unit."""

    name = "oscars_grind"
    title = "One unit more after a win, and never more than wins the series its unit"

    def begin(self, sessions: int) -> Any:
        return {"units": np.ones(sessions, np.int64), "won": np.zeros(sessions)}

    def units(self, state: Any) -> Units:
        found: Units = state["units"]
        return found

    def after(self, state: Any, units: Units, results: Results, net: NDArray[np.float64]) -> None:
        staked, won = state["units"], state["won"]
        won += net
        over = won >= 1
        won[over] = 0
        staked[over] = 1
        going = ~over & (results > 0)
        needed = np.ceil(1 - won[going]).astype(np.int64)
        staked[going] = np.clip(staked[going] + 1, 1, np.maximum(needed, 1))


class Labouchere(Progression):
    """A line of numbers: both ends are staked, crossed off by a win and added to by a loss."""

    name = "labouchere"
    title = f"The two ends of a line that begins as {'-'.join(map(str, LINE))}"

    def begin(self, sessions: int) -> Any:
        lines = np.zeros((sessions, 64), np.int64)
        lines[:, : len(LINE)] = LINE
        ends = np.tile(np.array([0, len(LINE)], np.int64), (sessions, 1))
        return {"lines": lines, "ends": ends}

    def units(self, state: Any) -> Units:
        lines, (first, after) = state["lines"], state["ends"].T
        each = np.arange(len(lines))
        left, right = lines[each, first], lines[each, after - 1]
        found: Units = np.where(after - first == 1, left, left + right)
        return found

    def after(self, state: Any, units: Units, results: Results, net: NDArray[np.float64]) -> None:
        lines, ends = state["lines"], state["ends"]
        lost, won = np.flatnonzero(results < 0), np.flatnonzero(results > 0)
        if ends[:, 1].max() == lines.shape[1]:
            lines = state["lines"] = np.pad(lines, ((0, 0), (0, lines.shape[1])))
        lines[lost, ends[lost, 1]] = units[lost]
        ends[lost, 1] += 1
        ends[won] += (1, -1)
        done = won[ends[won, 1] <= ends[won, 0]]  # the line is crossed off, and begins anew
        lines[done, : len(LINE)] = LINE
        ends[done] = (0, len(LINE))


class Last(NamedTuple):
    """What a player's own progression is told of one session."""

    units: int  # staked in the last round
    result: str  # win, lose or push
    in_a_row: int  # so many wins, or with a minus losses, one after the other
    profit: float  # of the session so far, in units


class Own(Progression):
    """A player's own function, asked for one session after another: from `Last` to units."""

    def __init__(self, function: Callable[[Last], int], name: str = "") -> None:
        self.function = function
        self.name = name or getattr(function, "__name__", "own")
        self.title = (function.__doc__ or self.name).strip().partition("\n")[0]

    def begin(self, sessions: int) -> Any:
        ones, zeros = np.ones(sessions, np.int64), np.zeros(sessions, np.int64)
        return {"units": ones, "in_a_row": zeros, "profit": np.zeros(sessions)}

    def units(self, state: Any) -> Units:
        found: Units = state["units"]
        return found

    def after(self, state: Any, units: Units, results: Results, net: NDArray[np.float64]) -> None:
        runs = state["in_a_row"]
        state["profit"] += net
        same = np.sign(runs) == results
        runs[:] = np.where(results == 0, runs, np.where(same, runs + results, results))
        words = ("push", "win", "lose")
        for at in np.flatnonzero(units):
            last = Last(int(units[at]), words[results[at]], int(runs[at]),
                        float(state["profit"][at]))  # fmt: skip
            state["units"][at] = self._asked(last)

    def _asked(self, last: Last) -> int:
        try:
            units = self.function(last)
        except Exception as error:
            what = f"{type(error).__name__}: {error}"
            raise Refusal(Fault.BAD_SCRIPT, f"{self.name} failed after {last}: {what}") from error
        if not isinstance(units, int) or not 1 <= units <= LARGEST:
            message = f"{self.name} answered {brief(units)} after {last}: units are whole, from 1"
            raise Refusal(Fault.BAD_AMOUNT, message)
        return units


FLAT = Progression()
PROGRESSIONS: Mapping[str, Progression] = {
    each.name: each
    for each in (
        FLAT, Martingale(), Paroli(), Fibonacci(), DAlembert(), Labouchere(), OscarsGrind(),
    )
}  # fmt: skip


def named_progression(name: str) -> Progression:
    """The progression of this name, or a player's own function: `file.py:function`."""
    if ".py:" in name:
        from croupier.simulation.strategies import function_of

        return Own(function_of(name), name.rpartition(":")[2])
    if name not in PROGRESSIONS:
        known = ", ".join(PROGRESSIONS)
        message = (
            f"there is no progression {brief(name)}: write one of {known}, or file.py:function"
        )
        raise Refusal(Fault.BAD_AMOUNT, message)
    return PROGRESSIONS[name]
