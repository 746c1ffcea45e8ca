"""What happens to people: many sessions of one player, with a bankroll, a stake and an end.

A session takes its rounds from an engine, one after another, and what each did
to the wagers. The player stakes what his progression says, as far as the table
and his money allow, and stops when a rule of his says so, when the rounds are
over, or when he cannot make another wager. Money is counted in whole parts of a
cent, so nothing is lost by rounding.

Sessions come in chunks, each from a stream of its own, so the same seed gives
the same answer on any number of cores. A wager that stands for several rounds
counts in the session, and in the round, in which it is decided.
"""

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, lcm, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from croupier.analysis.report import Watch
from croupier.equipment import dollars
from croupier.rulebook import Fault, Game, Refusal
from croupier.simulation.engine import Engine
from croupier.simulation.progressions import FLAT, Progression
from croupier.simulation.strategies import Wagers

CHUNK = 1 << 21  # rounds in a chunk of sessions, or those of one session if it has more
MOST_ROUNDS = 1_000_000  # of a session
MOST_SESSIONS = 1_000_000
MOST = 5 * 10**9  # rounds in all
MOST_MONEY = 10**14  # cents
LARGEST = 1 << 62  # parts of a cent that can be counted
POINTS = 60  # at which bankrolls are looked at on the way
BARS = 40  # of the histogram
QUANTILES = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
AN_HOUR = 60  # rounds, if nobody says how many

ROUNDS, RUIN, GOAL, LIMIT = range(4)  # why a session ended
ENDS = ("rounds", "ruin", "win_goal", "loss_limit")


@dataclass(frozen=True)
class Stops:
    """When a player gets up before the rounds are over, in cents won or lost."""

    win: int | None = None
    loss: int | None = None


@dataclass(frozen=True)
class Plan:
    """What is played, checked."""

    wagers: Wagers
    bankroll: int
    stake: int
    rounds: int
    sessions: int
    seed: int
    progression: Progression
    stops: Stops
    most: int | None  # the most that the table takes on the whole, in units
    scale: int  # parts of a cent
    exposure: Fraction  # the most that one unit can lose
    nets: Mapping[str, NDArray[np.int64]]  # of each ending, by units and in parts
    wagered: Mapping[str, NDArray[np.int64]]

    @property
    def in_chunk(self) -> int:
        """How many sessions are in a chunk."""
        return max(1, CHUNK // self.rounds)


@dataclass(frozen=True)
class Sessions:
    """What became of them. Money is in cents, and may have parts of one."""

    plan: Plan
    won: NDArray[np.float64]  # by session
    played: NDArray[np.int64]  # rounds
    ended: NDArray[np.int8]
    action: NDArray[np.float64]  # all that was finally wagered, raises included
    staked: Mapping[str, NDArray[np.float64]]  # on each wager that is named, without raises
    bets: NDArray[np.int64]  # rounds that decided something
    longest: NDArray[np.int64]  # losses in a row
    greatest: NDArray[np.int64]  # the largest stake
    lowest: NDArray[np.float64]  # the lowest point of the bankroll
    points: NDArray[np.int64]  # rounds at which the bankrolls were looked at
    fan: NDArray[np.float64]  # and their quantiles then
    dealt: tuple[float, float]  # units that were decided in all rounds dealt, and what they won
    edges: Mapping[str, Fraction] | None = None  # by label, as the exact analysis has them
    an_hour: int = AN_HOUR  # rounds

    # Results.

    @property
    def mean(self) -> float:
        return float(self.won.mean())

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        return float(self.won.std()) / sqrt(len(self.won))

    def quantiles(self) -> dict[float, float]:
        found = np.quantile(self.won, QUANTILES)
        return {each: float(cents) for each, cents in zip(QUANTILES, found, strict=True)}

    def share(self, end: str) -> tuple[float, float]:
        """How many sessions ended so, and the standard error of that share."""
        return self._share(self.ended == ENDS.index(end))

    @property
    def ruin(self) -> tuple[float, float]:
        """The risk of ruin, and its standard error."""
        return self.share("ruin")

    @property
    def ahead(self) -> tuple[float, float]:
        """How many sessions ended with a profit."""
        return self._share(self.won > 0)

    def _share(self, which: NDArray[np.bool_]) -> tuple[float, float]:
        share = float(which.mean())
        return share, sqrt(share * (1 - share) / len(which))

    @property
    def time_to_ruin(self) -> NDArray[np.int64]:
        """The rounds that ruined sessions lasted."""
        found: NDArray[np.int64] = self.played[self.ended == RUIN]
        return found

    def histogram(self) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Between which results sessions ended, and how many in each step."""
        low, high = float(self.won.min()), float(self.won.max())
        step = max(ceil((high - low) / BARS / self.plan.stake), 1) * self.plan.stake
        first = low // step * step
        steps = int((high - first) // step) + 1
        edges = np.array([first + step * at for at in range(steps + 1)], np.float64)
        return edges, np.histogram(self.won, edges)[0].astype(np.int64)

    # Theory.

    @property
    def expected(self) -> float:
        """What a session should win on average, by what was staked and by the edge."""
        if self.edges is None:
            units, won = self.dealt
            return self._staked * won / units if units else 0.0
        each = ((float(self.edges[label]), staked) for label, staked in self.staked.items())
        return -sum(edge * float(staked.mean()) for edge, staked in each)

    @property
    def _staked(self) -> float:
        """In an average session."""
        return float(sum(staked.mean() for staked in self.staked.values()))

    @property
    def house_edge(self) -> float:
        """Of what is staked: exact, or as the rounds that were dealt have it."""
        return -self.expected / self._staked if self._staked else 0.0

    @property
    def average_bet(self) -> float:
        """In a round that decides something."""
        return self._staked / max(float(self.bets.mean()), 1e-9)

    @property
    def theoretical(self) -> float:
        """What a player club reckons for an average session: average bet by rounds by edge."""
        return self.average_bet * float(self.bets.mean()) * self.house_edge

    @property
    def theoretical_an_hour(self) -> float:
        """And for an hour, at so many rounds an hour."""
        return self.theoretical * self.an_hour / max(float(self.played.mean()), 1e-9)

    def as_json(self) -> dict[str, Any]:
        plan, ruined = self.plan, self.time_to_ruin
        edges, bars = self.histogram()
        return {
            "wagers": {label: str(units) for label, units in plan.wagers.items()},
            "bankroll": plan.bankroll,
            "stake": plan.stake,
            "rounds": plan.rounds,
            "sessions": plan.sessions,
            "seed": plan.seed,
            "progression": plan.progression.name,
            "stops": {"win": plan.stops.win, "loss": plan.stops.loss},
            "table_maximum": None if plan.most is None else plan.most * plan.stake,
            "result": {
                "mean": self.mean,
                "standard_error": self.error,
                "standard_deviation": float(self.won.std()),
                "least": float(self.won.min()),
                "greatest": float(self.won.max()),
                "quantiles": {str(each): cents for each, cents in self.quantiles().items()},
                "histogram": {"edges": edges.tolist(), "sessions": bars.tolist()},
            },
            "ended": {end: _with_error(self.share(end)) for end in ENDS},
            "ahead": _with_error(self.ahead),
            "risk_of_ruin": _with_error(self.ruin),
            "rounds_to_ruin": _spread(ruined) if len(ruined) else None,
            "rounds_played": _spread(self.played),
            "longest_losing_run": _spread(self.longest),
            "greatest_stake": _spread(self.greatest),
            "lowest_bankroll": float(self.lowest.min()),
            "action": {"average": float(self.action.mean()), "total": float(self.action.sum())},
            "bankroll_on_the_way": {
                "rounds": self.points.tolist(),
                "quantiles": {
                    str(each): line.tolist() for each, line in zip(QUANTILES, self.fan, strict=True)
                },
            },
            "theory": {
                "house_edge": self.house_edge,
                "is_exact": self.edges is not None,
                "expected_result": self.expected,
                "average_bet": self.average_bet,
                "theoretical_win": self.theoretical,
                "rounds_an_hour": self.an_hour,
                "theoretical_win_an_hour": self.theoretical_an_hour,
            },
        }


def _with_error(share: tuple[float, float]) -> dict[str, float]:
    return {"share": share[0], "standard_error": share[1]}


def _spread(numbers: NDArray[np.int64]) -> dict[str, float]:
    low, middle, high = np.quantile(numbers, (0.05, 0.5, 0.95))
    return {
        "mean": float(numbers.mean()), "least": int(numbers.min()), "0.05": float(low),
        "0.5": float(middle), "0.95": float(high), "greatest": int(numbers.max()),
    }  # fmt: skip


def sessions(
    engine: Engine,
    wagers: str | Mapping[str, Fraction | int],
    *,
    bankroll: int,
    stake: int,
    rounds: int,
    sessions: int,
    seed: int,
    progression: Progression = FLAT,
    stops: Stops | None = None,
    most: int | None = None,
    edges: Mapping[str, Fraction] | None = None,
    an_hour: int = AN_HOUR,
    cores: int = 1,
    watch: Watch | None = None,
) -> Sessions:
    """Play so many sessions.

    Money is in cents: the bankroll, the stake that is one unit, the stops, and `most`, which the
    table takes on one unit's wager. With several wagers a unit is all of them together. `edges`
    are those of the exact analysis by label, for comparison. Long work tells whoever may `watch`.
    """
    chosen = Wagers({wagers: 1} if isinstance(wagers, str) else wagers)
    plan = _plan(
        engine, chosen, bankroll, stake, rounds, sessions, seed, progression, stops or Stops(), most
    )
    starts = range(0, sessions, plan.in_chunk)
    many = [min(plan.in_chunk, sessions - start) for start in starts]
    points = np.unique(np.linspace(1, rounds, min(rounds, POINTS)).astype(np.int64))

    def play(chunk: int) -> "_Chunk":
        return _Chunk(plan, engine, chunk, many[chunk], points)

    played = []
    with ThreadPoolExecutor(max(cores, 1)) as pool:
        for chunk in pool.map(play, range(len(many))):
            played.append(chunk)
            (watch or Watch()).done(len(played) / len(many))
    known = None if edges is None else {label: edges[label] for label in chosen}
    return _together(plan, played, points, known, an_hour)


def table_limits(game: Game, options: Any, wagers: Mapping[str, Fraction]) -> tuple[int, int]:
    """The least and the most cents that a unit may be, by the limits of each wager's table.

    Odds are limited by the wager in front of them, and not here.
    """
    low, high = 1, MOST_MONEY
    for label, units in wagers.items():
        for name in label.split("+"):
            wager = game.wager(name.partition(":")[0], options)
            if wager.supports:
                continue
            spots = wager.shown(options)
            text = name.partition(":")[2]
            covers = wager.spot(text, options)[1] if text else next(iter(spots.values()))
            least, most = wager.limits(options, covers)
            low, high = max(low, ceil(least / units)), min(high, int(most / units))
    return low, high


def _plan(
    engine: Engine, wagers: Wagers, bankroll: int, stake: int, rounds: int, sessions: int,
    seed: int, progression: Progression, stops: Stops, most: int | None,
) -> Plan:  # fmt: skip
    for label in wagers:
        if label not in engine.labels:
            message = f"{label} is not one of the wagers here: {', '.join(engine.labels)}"
            raise Refusal(Fault.UNKNOWN_WAGER, message)
        if not engine.endings[label]:
            message = f"{label} has not been dealt yet, and nothing is known of its endings"
            raise Refusal(Fault.NOT_NOW, message)
    _check("rounds", rounds, MOST_ROUNDS)
    _check("sessions", sessions, MOST_SESSIONS)
    if rounds * sessions > MOST:
        message = f"{sessions:,} sessions of {rounds:,} rounds are more than {MOST:,} in all"
        raise Refusal(Fault.BAD_AMOUNT, message)
    for name, cents in (("bankroll", bankroll), ("stake", stake)):
        if not 0 < cents <= MOST_MONEY:
            message = f"a {name} of {dollars(cents)} is none: it must be above zero, and money"
            raise Refusal(Fault.BAD_AMOUNT, message)
    for name, stop in (("win goal", stops.win), ("loss limit", stops.loss)):
        if stop is not None and stop <= 0:
            message = f"a {name} of {dollars(stop)} would end every session before it began"
            raise Refusal(Fault.BAD_AMOUNT, message)
    nets = {
        label: [units * ending.net for ending in engine.endings[label]]
        for label, units in wagers.items()
    }
    staked = {
        label: [units * ending.wagered for ending in engine.endings[label]]
        for label, units in wagers.items()
    }
    values = [each for some in (*nets.values(), *staked.values()) for each in some]
    scale = lcm(1, *(each.denominator for each in values))
    exposure = sum((-min(each, default=Fraction(-1)) for each in nets.values()), Fraction(0))
    exposure = max(exposure, Fraction(1, scale))
    units = None if most is None else most // stake
    if units is not None and units < 1:
        message = f"a stake of {dollars(stake)} is above the table's maximum, {dollars(most or 0)}"
        raise Refusal(Fault.ABOVE_MAXIMUM, message)
    if bankroll < stake * exposure:
        message = (
            f"a bankroll of {dollars(bankroll)} does not cover one round: "
            f"{dollars(stake)} on {wagers} can lose {dollars(ceil(stake * exposure))}"
        )
        raise Refusal(Fault.BAD_AMOUNT, message)

    def parts(by_label: Mapping[str, list[Fraction]]) -> dict[str, NDArray[np.int64]]:
        """With a nothing at the end, for rounds that decide nothing."""
        return {
            label: np.array([*(int(each * scale) for each in some), 0], np.int64)
            for label, some in by_label.items()
        }

    return Plan(wagers, bankroll, stake, rounds, sessions, seed, progression, stops, units, scale,
                exposure, parts(nets), parts(staked))  # fmt: skip


def _check(name: str, number: int, most: int) -> None:
    if not 1 <= number <= most:
        message = f"{number:,} {name} cannot be played: it must be from 1 to {most:,}"
        raise Refusal(Fault.BAD_AMOUNT, message)


class _Chunk:
    """Some sessions, side by side: in each round what every one of them does."""

    def __init__(
        self, plan: Plan, engine: Engine, chunk: int, sessions: int, points: NDArray[np.int64]
    ) -> None:
        self.plan = plan
        whole = np.int64(plan.bankroll * plan.scale)
        self.bankroll = np.full(sessions, whole)
        self.lowest = self.bankroll.copy()
        self.ended = np.full(sessions, ROUNDS, np.int8)
        self.playing = np.ones(sessions, np.bool_)
        self.played, self.bets, self.greatest = np.zeros((3, sessions), np.int64)
        self.action, self.longest, run = np.zeros((3, sessions), np.int64)
        self.staked = {label: np.zeros(sessions, np.int64) for label in plan.wagers}  # in units
        self.on_the_way = np.empty((len(points), sessions), np.int64)
        looked = {int(number): at for at, number in enumerate(points)}
        state = plan.progression.begin(sessions)
        unit = plan.stake * plan.scale * plan.exposure  # what must be there for one unit
        needed = ceil(unit)
        nets, wagered, by_label = self._dealt(engine, chunk, sessions)
        decided = np.logical_or.reduce([*by_label.values()])
        most = LARGEST // (1 + max(int(nets.max()), int(wagered.max())))
        units_dealt = sum(float(plan.wagers[label]) * int(there.sum())
                          for label, there in by_label.items())  # fmt: skip
        self.dealt = units_dealt, float(nets.sum()) / plan.scale
        for number in range(plan.rounds):
            if self.playing.any():
                units = np.minimum(plan.progression.units(state), self.bankroll // needed)
                if plan.most is not None:
                    units = np.minimum(units, plan.most)
                units = np.where(self.playing & decided[number], units, 0)
                won = units * nets[number] * plan.stake
                self.bankroll += won
                self.played += self.playing
                self.bets += units > 0
                for label, there in by_label.items():
                    self.staked[label] += units * there[number]
                self.action += units * wagered[number] * plan.stake
                np.maximum(self.greatest, units * plan.stake, out=self.greatest)
                np.minimum(self.lowest, self.bankroll, out=self.lowest)
                results = np.sign(won).astype(np.int8)
                run = np.where(results < 0, run + 1, np.where(results > 0, 0, run))
                np.maximum(self.longest, run, out=self.longest)
                net = units * nets[number] / plan.scale
                plan.progression.after(state, units, results, net)
                if int(self.bankroll.max()) > most:
                    message = "somebody has won more than there is: set a table maximum"
                    raise Refusal(Fault.BAD_AMOUNT, message)
                self._stop(needed)
            if number + 1 in looked:
                self.on_the_way[looked[number + 1]] = self.bankroll

    def _dealt(
        self, engine: Engine, chunk: int, sessions: int
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], dict[str, NDArray[np.bool_]]]:
        """By round and session: what a unit wins, what is wagered, and which wagers are decided."""
        plan = self.plan
        total = sessions * plan.rounds
        played = engine.play(plan.seed, chunk, total)
        nets, wagered = np.zeros((2, total), np.int64)
        decided = {}

        def across(each: NDArray[Any]) -> NDArray[Any]:
            return np.ascontiguousarray(each.reshape(sessions, plan.rounds).T)

        for label in plan.wagers:
            ends = played[label][:total]
            nets += plan.nets[label][ends]
            wagered += plan.wagered[label][ends]
            decided[label] = across(ends >= 0)
        return across(nets), across(wagered), decided

    def _stop(self, needed: int) -> None:
        """Who has reached what he wanted, or lost what he could, gets up."""
        plan = self.plan
        whole, scale, stops = plan.bankroll * plan.scale, plan.scale, plan.stops
        for why, does in (
            (GOAL, stops.win is not None and self.bankroll - whole >= (stops.win or 0) * scale),
            (LIMIT, stops.loss is not None and whole - self.bankroll >= (stops.loss or 0) * scale),
            (RUIN, self.bankroll < needed),
        ):
            now = self.playing & does
            self.ended[now] = why
            self.playing &= ~now


def _together(
    plan: Plan, played: list[_Chunk], points: NDArray[np.int64],
    edges: Mapping[str, Fraction] | None, an_hour: int,
) -> Sessions:  # fmt: skip
    def all_of(name: str) -> Iterator[NDArray[np.int64]]:
        return (getattr(each, name) for each in played)

    def cents(name: str) -> NDArray[np.float64]:
        return np.concatenate([each / plan.scale for each in all_of(name)])

    def whole(name: str) -> NDArray[np.int64]:
        return np.concatenate([*all_of(name)])

    on_the_way = np.concatenate([*all_of("on_the_way")], axis=1) / plan.scale
    staked = {
        label: np.concatenate([each.staked[label] for each in played]) * float(units * plan.stake)
        for label, units in plan.wagers.items()
    }
    units, won = (sum(each.dealt[at] for each in played) for at in (0, 1))
    return Sessions(
        plan, cents("bankroll") - plan.bankroll, whole("played"), whole("ended").astype(np.int8),
        cents("action"), staked, whole("bets"), whole("longest"), whole("greatest"),
        cents("lowest"), points, np.quantile(on_the_way, QUANTILES, axis=1), (units, won), edges,
        an_hour,
    )  # fmt: skip
