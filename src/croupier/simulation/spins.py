# mypy: disable-error-code="no-untyped-def"
"""Wheels and dice by the million: spins and throws, and the wagers that walk along with them.

The table is an automaton: each outcome takes its standing state to the next. A
wager that the next outcome decides is looked up by state and outcome. A wager
that stands (a pass wager on its point, a fire bet) is an automaton of its own
beside the table: it is made when it is open, moves with every outcome, and is
made again when it has been decided. Both are found by asking the game, and what
is counted are their steps; what a step means is looked up when all is dealt.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from croupier.analysis.report import WagerReport, analyze
from croupier.rulebook import Case, Game, May, Result, covered
from croupier.simulation.engine import Ending
from croupier.simulation.words import below, draw, stream

BLOCK = 4096  # outcomes drawn at a time
LONGEST = 1 << 14  # outcomes for which wagers that stand at the end are waited for
NOTHING = -1  # no wager was decided


class Lying(NamedTuple):
    """A wager on the layout: where, and what has become of it so far."""

    spot: str
    is_flat: bool = False  # the wager behind which it will be made
    left: Fraction | int = 1  # the part of the stake that is not decided yet
    won: Fraction | int = 0  # what the decided parts have won


class Walk(NamedTuple):
    """An automaton: where each outcome leads from each node, and what that does to the wager."""

    to: NDArray[np.int32]
    ends: NDArray[np.int32]  # the number of the ending that it is, or nothing
    stays: NDArray[np.bool_]  # a wager lay there, and still lies


class Endings:
    """The endings of a label, numbered as they are found."""

    def __init__(self) -> None:
        self._number: dict[Ending, int] = {}

    def number(self, ending: Ending) -> int:
        return self._number.setdefault(ending, len(self._number))

    def all(self) -> tuple[Ending, ...]:
        return tuple(self._number)


class Track:
    """One wager, made again and again."""

    def __init__(self, game: Game, options: Any, report: WagerReport) -> None:
        self.game, self.options, self.label = game, options, report.label
        self.wager = report.wager
        # A spot that chance deals is where the wager behind which it is made has travelled. One of
        # these is made at a time, so that results do not hang together; a player who makes one on
        # every roll finds the table in other states a little more often, at the same edge.
        self.flat = game.by_id[report.wager.supports or ""] if report.wager.dealt else None
        self.first = Lying("", True) if self.flat else Lying(report.choices[0])
        self.covers = self.wager.spot(report.choices[0], options)[1]
        self.found = Endings()

    def made(self, state: Any) -> Lying | None:
        """The wager as it is made in this state, if it is open."""
        wager = self.flat or self.wager
        if wager.is_always_open:
            return self.first
        window = wager.window(state, self.first.spot, self.options)
        return self.first if window.may is May.ANYTHING else None

    def step(self, state: Any, lying: Lying, outcome: Any) -> tuple[Lying | None, Ending | None]:
        """What an outcome does to it: where it lies then, or how it came out."""
        spot, is_flat, left, won = lying
        wager = self.flat if is_flat and self.flat else self.wager
        decision = wager.decide(Case(outcome, state, self.options, spot, self.covers))
        stands = decision.result is Result.STANDING
        to = spot if decision.moves_to is None else decision.moves_to
        if is_flat:
            return (Lying(to, is_flat=not to), None) if stands else (None, None)
        if stands:
            return Lying(to, left=left, won=won), None
        won += left * decision.share * wager.net(decision, self.options)
        if decision.share < 1:
            return Lying(to, left=left * (1 - decision.share), won=won), None
        line = decision.line if left == 1 else f"net_{won}"
        return None, Ending(line, Fraction(won))

    def at_once(self, states: Sequence[Any], outcomes: Sequence[Any]) -> NDArray[np.int32] | None:
        """The number of the ending by state and outcome, if one outcome always decides it."""
        if self.flat is not None:
            return None
        ends, _ = _nothing_lies(len(states), len(outcomes))
        same = self.wager.is_always_open and self.wager.decide is covered
        known: dict[int, tuple[Any, int]] = {}  # most decisions are the same few objects
        for at, state in enumerate(states):
            lying = self.made(state)
            if lying is None:
                continue
            if same and at:
                ends[at] = ends[0]
                continue
            for k, outcome in enumerate(outcomes):
                case = Case(outcome, state, self.options, lying.spot, self.covers)
                decision = self.wager.decide(case)
                if id(decision) not in known:
                    if decision.result is Result.STANDING or decision.share < 1:
                        self.found = Endings()
                        return None
                    net = self.wager.net(decision, self.options)
                    known[id(decision)] = decision, self.found.number(Ending(decision.line, net))
                ends[at, k] = known[id(decision)][1]
        return ends

    def walk(self, outcomes: Sequence[Any]) -> Walk:
        """Every state of the table with every place of the wager that can come up."""
        start = self.game.State()
        nodes: dict[tuple[Any, Lying | None], int] = {(start, self.made(start)): 0}
        to: list[list[int]] = []
        ends: list[list[int]] = []
        stays: list[list[bool]] = []
        for state, lying in (waiting := [*nodes]):
            row, found, kept = [], [], []
            for outcome in outcomes:
                after = self.game.after(state, outcome, self.options)
                still, ending = self.step(state, lying, outcome) if lying else (None, None)
                node = after, still or self.made(after)
                if node not in nodes:
                    nodes[node] = len(nodes)
                    waiting.append(node)
                row.append(nodes[node])
                found.append(NOTHING if ending is None else self.found.number(ending))
                kept.append(still is not None)
            to.append(row)
            ends.append(found)
            stays.append(kept)
        return Walk(np.array(to, np.int32), np.array(ends, np.int32), np.array(stays))


def states(game: Game, options: Any, outcomes: Sequence[Any]) -> tuple[list[Any], list[list[int]]]:
    """Every standing state that comes up, and where each outcome takes it."""
    number = {game.State(): 0}
    to = []
    for state in (waiting := [*number]):
        row = []
        for outcome in outcomes:
            after = game.after(state, outcome, options)
            if after not in number:
                number[after] = len(number)
                waiting.append(after)
            row.append(number[after])
        to.append(row)
    return [*number], to


Steps = dict[str, tuple[int, NDArray[np.int32]]]  # by label: of which walk, and what each one is


class Walks:
    """Automata side by side, one row of steps after the other.

    A node is known by the place of its first step.
    """

    def __init__(
        self, walks: Sequence[Walk], steps: Steps, endings: Mapping[str, tuple[Ending, ...]]
    ) -> None:
        self._steps, self._endings = steps, endings
        self._starts = np.cumsum([0, *(walk.to.size for walk in walks)])
        self.following = np.concatenate(
            [
                walk.to.shape[1] * walk.to.ravel() + at
                for walk, at in zip(walks, self._starts[:-1], strict=True)
            ]
        ).astype(np.uint32)
        self.stays = np.concatenate([walk.stays.ravel() for walk in walks])

    def first_nodes(self) -> NDArray[np.uint64]:
        """Where each walk begins; a new row, for whoever walks on in it."""
        return self._starts[:-1].astype(np.uint64)

    def room(self, rounds: int) -> NDArray[np.int32]:
        """For the steps of so many rounds, and of those until nothing stands."""
        return np.full((len(self._starts) - 1, rounds + LONGEST), NOTHING, np.int32)

    def counted(self, tally: NDArray[np.int64]) -> dict[str, NDArray[np.int64]]:
        """How often each ending came, of how often each step was taken."""
        found = {}
        for label, (walk, ends) in self._steps.items():
            at = self._starts[walk]
            found[label] = np.zeros(len(self._endings[label]), np.int64)
            is_end = ends != NOTHING
            np.add.at(found[label], ends[is_end], tally[at : at + len(ends)][is_end])
        return found

    def read(self, steps: NDArray[np.int32]) -> dict[str, NDArray[np.int32]]:
        """The ending of each round, of the steps that were taken in it."""
        found = {}
        for label, (walk, ends) in self._steps.items():
            is_step = steps[walk] != NOTHING
            here = np.where(is_step, steps[walk] - self._starts[walk], 0)
            found[label] = np.where(is_step, ends[here], NOTHING).astype(np.int32)
        return found


class Spins:
    """The engine of wheels and dice."""

    def __init__(self, game: Game, options: Any, labels: Sequence[str] = ()) -> None:
        outcomes = list(game.device(options).outcomes())
        every, to = states(game, options, outcomes)
        table = Walk(np.array(to, np.int32), *_nothing_lies(len(every), len(outcomes)))
        walks: list[
            Walk
        ] = []  # those of wagers that stand and, if anything follows it, the table's
        self.endings: dict[str, tuple[Ending, ...]] = {}
        steps: Steps = {}
        for report in analyze(game, options, labels):
            track = Track(game, options, report)
            ends, walk = track.at_once(every, outcomes), table
            if ends is None:
                walk = track.walk(outcomes)
                ends = walk.ends
            if not any(walk is each for each in walks):
                walks.append(walk)
            whose = next(at for at, each in enumerate(walks) if each is walk)
            steps[track.label] = whose, ends.ravel()
            self.endings[track.label] = track.found.all()
        self.labels = tuple(steps)
        self._size = len(outcomes)
        self._walks = Walks(walks, steps, self.endings)

    def count(self, seed: int, chunk: int, rounds: int) -> dict[str, NDArray[np.int64]]:
        walks = self._walks
        tally = np.zeros(len(walks.following), np.int64)
        _count(
            np.uint64(seed), np.uint64(chunk), rounds, self._size, walks.following, walks.stays,
            walks.first_nodes(), tally,
        )  # fmt: skip
        return walks.counted(tally)

    def play(self, seed: int, chunk: int, rounds: int) -> dict[str, NDArray[np.int32]]:
        """With some rounds more at the end, until nothing stands."""
        walks = self._walks
        steps = walks.room(rounds)
        more = _record(
            np.uint64(seed), np.uint64(chunk), rounds, self._size, walks.following, walks.stays,
            walks.first_nodes(), steps,
        )  # fmt: skip
        return walks.read(steps[:, : rounds + more])


def _nothing_lies(states: int, outcomes: int) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
    shape = states, outcomes
    return np.full(shape, NOTHING, np.int32), np.zeros(shape, np.bool_)


# Compiled from here on.


@njit(cache=True, nogil=True)
def _count(seed, chunk, rounds, size, following, stays, at, tally):
    """Draw outcomes, and count the steps that they are to each walk."""
    row = stream(seed, chunk)
    drawn, standing = np.zeros(BLOCK, np.uint16), np.zeros(len(at), np.bool_)
    alone = len(following) == size  # nothing stands, and one state is all there is
    for done in range(0, rounds, BLOCK):
        many = min(BLOCK, rounds - done)
        draw(row, size, drawn[:many])
        if alone:
            for i in range(many):
                tally[drawn[i]] += 1
            continue
        for walk in range(len(at)):
            node, step = at[walk], np.uint64(0)
            for i in range(many):
                step = node + np.uint64(drawn[i])
                tally[step] += 1
                node = np.uint64(following[step])
            at[walk], standing[walk] = node, stays[step]
    _finish(row, size, following, stays, at, standing, tally, np.zeros((0, 0), np.int32), 0)


@njit(cache=True, nogil=True)
def _record(seed, chunk, rounds, size, following, stays, at, steps):
    """The same outcomes, and the steps themselves; how many rounds came after the last."""
    row = stream(seed, chunk)
    drawn, standing = np.zeros(BLOCK, np.uint16), np.zeros(len(at), np.bool_)
    for done in range(0, rounds, BLOCK):
        many = min(BLOCK, rounds - done)
        draw(row, size, drawn[:many])
        for walk in range(len(at)):
            node, step = at[walk], np.uint64(0)
            for i in range(many):
                step = node + np.uint64(drawn[i])
                steps[walk, done + i] = step
                node = np.uint64(following[step])
            at[walk], standing[walk] = node, stays[step]
    tally = np.zeros(0, np.int64)
    return _finish(row, size, following, stays, at, standing, tally, steps, rounds)


@njit(cache=True, nogil=True)
def _finish(row, size, following, stays, at, standing, tally, steps, rounds):
    """Go on until the wagers are decided that the last outcome left standing; make no others."""
    more = 0
    while standing.any() and more < LONGEST:
        outcome = np.uint64(below(row, size))
        for walk in range(len(at)):
            if standing[walk]:
                step = at[walk] + outcome
                if len(tally):
                    tally[step] += 1
                else:
                    steps[walk, rounds + more] = step
                at[walk] = np.uint64(following[step])
                standing[walk] = stays[step]
        more += 1
    return more
