"""Rounds by the million, in chunks: the same seed gives the same answer wherever they are dealt.

A simulation is split into chunks of a fixed size. Each has a stream of its own,
from the seed and the number of the chunk, and comes back as whole numbers: how
often each ending came. Whole numbers add up to the same in any order, so it
does not matter how many cores, processes or machines have dealt them.

There are two paths. The fast one is compiled and eats the solvers' tables; the
faithful one drives the live round itself, event by event. Few rounds are dealt
faithfully, many fast, unless somebody says which.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import sqrt
from time import monotonic
from typing import Any, Literal

import numpy as np

from croupier.analysis.report import Outcome, WagerReport, Watch
from croupier.games import find_game
from croupier.rulebook import Fault, Game, PokerGame, Refusal, ShoeGame
from croupier.simulation.engine import Ending
from croupier.simulation.strategies import OPTIMAL

Path = Literal["fast", "faithful"]
Tally = dict[str, Counter[Ending]]

FEW = 1_000  # rounds up to which they are dealt faithfully
MOST = 10**13  # rounds
LARGEST_SEED = (1 << 64) - 1
GENERATOR = "Philox4x64-10, keyed by seed and chunk"

# Rounds in a chunk. Another size would be another answer to the same seed.
CHUNKS = {"wheel": 1 << 22, "dice": 1 << 22, "drum": 1 << 18, "shoe": 1 << 20, "poker": 1 << 20}
LIVE_CHUNK = 1 << 9


@dataclass(frozen=True)
class Table:
    """What is simulated, as plain values: any process can set up the same table."""

    game: str
    options: Mapping[str, Any]
    labels: tuple[str, ...] = ()
    strategy: str = OPTIMAL  # a name, or a player's own function with its source
    stake: int | None = None  # cents
    path: Path = "fast"
    lawful: bool = True

    def set_up(self) -> tuple[Game, Any]:
        game = find_game(self.game)
        given = dict(self.options)
        return game, game.options(given) if self.lawful else game.what_if(given)[0]

    def engine(self, watch: Watch | None = None) -> Any:
        """The engine that deals it; the same one for every chunk that this process deals."""
        key = repr(self)
        if key not in _engines:
            game, options = self.set_up()
            strategy = None
            if self.strategy != OPTIMAL:
                from croupier.simulation.strategies import named

                strategy = named(game, options, self.strategy)
            if self.path == "faithful":
                from croupier.simulation.live import LiveRounds

                made: Any = LiveRounds(
                    game, options, self.labels, strategy=strategy, stake=self.stake
                )
            else:
                from croupier.simulation.engine import engine

                made = engine(
                    game, options, self.labels, strategy=strategy, stake=self.stake, watch=watch
                )
            if len(_engines) >= KEPT:
                _engines.pop(next(iter(_engines)))
            _engines[key] = made
        return _engines[key]


KEPT = 4
_engines: dict[str, Any] = {}


@dataclass(frozen=True)
class Chunk:
    """So many rounds, dealt from a stream of their own."""

    number: int
    rounds: int


def deal(table: Table, seed: int, chunk: Chunk) -> Tally:
    """Deal a chunk, here and now. This is what another process is asked to do."""
    dealer = table.engine()
    if table.path == "faithful":
        told: Tally = dealer.tally(seed, chunk.number, chunk.rounds)
        return told
    counts = dealer.count(seed, chunk.number, chunk.rounds)
    return {
        label: Counter(
            {
                ending: int(times)
                for ending, times in zip(dealer.endings[label], counts[label], strict=True)
                if times
            }
        )
        for label in dealer.labels
    }


@dataclass
class Simulation:
    """What has been dealt so far, and what it comes to."""

    table: Table
    seed: int
    asked: int  # rounds
    chunk: int  # rounds in a chunk
    done: set[int] = field(default_factory=set)  # the numbers of the whole chunks that are dealt
    whole: Tally = field(default_factory=dict)  # what came of them
    rest: Tally = field(default_factory=dict)  # and of the last chunk, if it is a shorter one
    rounds: int = 0  # dealt so far
    interrupted: bool = False
    seconds: float = 0.0

    def chunks(self) -> Iterator[Chunk]:
        """Those that are still to be dealt."""
        for number in range(-(-self.asked // self.chunk)):
            if number not in self.done:
                yield self.numbered(number)

    def numbered(self, number: int) -> Chunk:
        return Chunk(number, min(self.chunk, self.asked - number * self.chunk))

    def add(self, chunk: Chunk, dealt: Tally) -> None:
        self.rounds += chunk.rounds
        if chunk.rounds < self.chunk:
            self.rest = dealt
            return
        self.done.add(chunk.number)
        for label, counts in dealt.items():
            self.whole.setdefault(label, Counter()).update(counts)

    def go_on_from(self, before: "Simulation") -> None:
        """Take over the whole chunks that were dealt before at the same table."""
        if (before.table, before.seed, before.chunk) != (self.table, self.seed, self.chunk):
            raise ValueError("this was another simulation")
        most = max(before.done, default=-1) + 1
        if most * self.chunk > self.asked:
            message = f"{most * self.chunk:,} rounds have been dealt already: ask for as many"
            raise Refusal(Fault.BAD_AMOUNT, message)
        self.done, self.whole = set(before.done), before.whole
        self.rounds = len(self.done) * self.chunk

    @property
    def tally(self) -> Tally:
        """How often each ending came, by label."""
        return {
            label: self.whole.get(label, Counter()) + self.rest.get(label, Counter())
            for label in {**self.whole, **self.rest}
        }

    def reports(self, labels: Collection[str] | None = None) -> list[WagerReport]:
        """In the shape of the exact analysis, with shares for probabilities."""
        game, options = self.table.set_up()
        return [
            self._report(game, options, label, counts)
            for label, counts in self.tally.items()
            if counts and (labels is None or label in labels)
        ]

    def _report(
        self, game: Game, options: Any, label: str, counts: Mapping[Ending, int]
    ) -> WagerReport:
        total = sum(counts.values())
        shares: Counter[tuple[str, Fraction]] = Counter()
        for ending, times in counts.items():
            shares[ending.line, ending.net] += times
        ranked = sorted(shares.items(), key=lambda item: (-item[0][1], item[0][0]))
        outcomes = tuple(
            Outcome(line, net, Fraction(times, total)) for (line, net), times in ranked
        )
        wagered = sum((ending.wagered * times for ending, times in counts.items()), Fraction(0))
        name, _, spot = label.partition("+")[0].partition(":")
        return WagerReport(
            label, game.wager(name, options), (spot,), outcomes, self.how(), wagered / total
        )

    def how(self) -> str:
        """How decisions are made, in a sentence."""
        if self.table.strategy == OPTIMAL:
            return "Simulated; decisions, where there are any, are the best."
        return f"Simulated; decisions follow {self.table.strategy.partition(chr(10))[0]}."

    def decided(self, label: str) -> int:
        """How many wagers came to an end."""
        tallies = (self.whole, self.rest)
        return sum(sum(tally[label].values()) for tally in tallies if label in tally)

    def first(self) -> tuple[str, float, float] | None:
        """The first wager with its house edge so far, and the standard error of that."""
        label = next((label for label, counts in self.tally.items() if counts), "")
        for report in self.reports([label]):
            return report.label, float(report.house_edge), self.standard_error(report)
        return None

    def standard_error(self, report: WagerReport) -> float:
        return report.standard_deviation / sqrt(self.decided(report.label))

    def as_json(self, exact: Mapping[str, WagerReport] | None = None) -> dict[str, Any]:
        """The document that other tools read; with the exact figure and z where it is known."""
        known = exact or {}
        _, options = self.table.set_up()
        reports = self.reports()
        return {
            "game": self.table.game,
            "options": options.as_json(),
            "method": "simulation",
            "path": self.table.path,
            "strategy": self.table.strategy.partition("\n")[0],
            "rounds": self.rounds,
            "seed": self.seed,
            "generator": GENERATOR,
            "chunk": self.chunk,
            **({"interrupted": True, "rounds_asked": self.asked} if self.interrupted else {}),
            "standard_error": {each.label: self.standard_error(each) for each in reports},
            "wagers": {each.label: self._json(each, known.get(each.label)) for each in reports},
        }

    def z(self, report: WagerReport, exact: WagerReport) -> float:
        """By how many standard errors of the exact figure the simulated one lies beside it."""
        error = exact.standard_deviation / sqrt(self.decided(report.label))
        return float(report.house_edge - exact.house_edge) / error if error else 0.0

    def _json(self, report: WagerReport, exact: WagerReport | None) -> dict[str, Any]:
        against = {} if exact is None else {
            "exact": {"house_edge": str(exact.house_edge), "decimal": float(exact.house_edge)},
            "z": self.z(report, exact),
        }  # fmt: skip
        total = self.decided(report.label)
        return {
            "title": report.wager.title,
            "citation": str(report.wager.cite),
            "decided": total,
            "house_edge": {"decimal": float(report.house_edge)},
            "standard_error": self.standard_error(report),
            "return": float(1 - report.house_edge),
            "hit_frequency": float(report.hit_frequency),
            "push_frequency": float(report.push_frequency),
            "standard_deviation": report.standard_deviation,
            "element_of_risk": {"decimal": float(report.element_of_risk)},
            "outcomes": [
                {
                    "result": outcome.result,
                    "net": float(outcome.net) if outcome.net.denominator > 1 else int(outcome.net),
                    "probability": str(outcome.probability),
                    "count": int(outcome.probability * total),
                }
                for outcome in report.outcomes
            ],
            "strategy": report.strategy,
            **against,
        }


class Told(Watch):
    """Somebody who is told how far a simulation is. This one does not listen."""

    def dealt(self, simulation: Simulation) -> None:
        """More rounds have been dealt."""


def planned(
    game: Game,
    options: Any,
    labels: Sequence[str] = (),
    *,
    rounds: int,
    seed: int,
    path: Path | None = None,
    strategy: str = OPTIMAL,
    stake: int | None = None,
    lawful: bool = True,
) -> Simulation:
    """A simulation before its first round."""
    if not 1 <= rounds <= MOST:
        raise Refusal(Fault.BAD_AMOUNT, f"rounds must be from 1 to {MOST:,}, not {rounds:,}")
    if not 0 <= seed <= LARGEST_SEED:
        raise Refusal(Fault.BAD_AMOUNT, f"a seed is from 0 to {LARGEST_SEED:,}, not {seed:,}")
    if stake is not None and not isinstance(game, ShoeGame | PokerGame):
        raise Refusal(Fault.NOT_NOW, f"{game.title.lower()} rounds nothing by stake", game.cite)
    if path is None:
        path = "faithful" if rounds <= FEW else "fast"
    table = Table(game.id, options.as_json(), tuple(labels), strategy, stake, path, lawful)
    size = LIVE_CHUNK if path == "faithful" else CHUNKS[game.family]
    return Simulation(table, seed, rounds, size)


def run(
    simulation: Simulation,
    *,
    cores: int | None = None,
    on: str | None = None,
    watch: Told | None = None,
) -> Simulation:
    """Deal all that is still to be dealt, on this machine's cores or `on` a cluster.

    An interrupt ends it early: what has been dealt until then is the result.
    """
    from croupier.simulation.pools import pool

    watch, began = watch or Told(), monotonic()
    try:
        if on is None:
            simulation.table.engine(watch)  # what must be solved is solved before all else
        began = monotonic()
        with pool(simulation.table, cores, on) as dealing:
            for chunk, dealt in dealing(simulation.seed, simulation.chunks()):
                simulation.add(chunk, dealt)
                simulation.seconds = monotonic() - began
                watch.dealt(simulation)
    except KeyboardInterrupt:
        simulation.interrupted = True
    simulation.seconds = monotonic() - began
    return simulation


def on_the_way(simulation: Simulation, label: str) -> list[tuple[int, float]]:
    """The house edge on the last three decades of the first chunk, which is dealt once more."""
    dealer, first = simulation.table.engine(), simulation.numbered(0)
    ends = dealer.play(simulation.seed, first.number, first.rounds)[label]
    decided = ends[ends >= 0]
    nets = np.array([float(ending.net) for ending in dealer.endings[label]])
    lost = -np.cumsum(nets[decided])
    rounded = (each * 10**power for power in range(12) for each in (1, 2, 5))
    places = [each for each in rounded if len(lost) <= 1000 * each and each < len(lost)]
    return [(place, float(lost[place - 1]) / place) for place in (*places, len(lost))]


def simulate(
    game: Game,
    options: Any,
    labels: Sequence[str] = (),
    *,
    rounds: int,
    seed: int,
    path: Path | None = None,
    strategy: str = OPTIMAL,
    cores: int | None = None,
    on: str | None = None,
    watch: Told | None = None,
) -> Simulation:
    """Deal so many rounds, and count how every wager came out."""
    plan = planned(game, options, labels, rounds=rounds, seed=seed, path=path, strategy=strategy)
    return run(plan, cores=cores, on=on, watch=watch)
