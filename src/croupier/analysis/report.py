"""What a wager is worth, as a mathematician, a lab and a manager ask for it."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import sqrt
from typing import Any

from croupier.analysis.chain import Ending, distribution
from croupier.equipment import RANKS, Card
from croupier.rulebook import (
    Fault,
    Game,
    May,
    Meter,
    PokerGame,
    Refusal,
    ShoeGame,
    Violation,
    Wager,
)


class Watch:
    """Somebody who is told how long work goes on. This one does not listen."""

    def compiles(self) -> None:
        """A solver is used for the first time, and compiled first."""

    def counts(self, deals: int) -> None:
        """So many deals are about to be counted; who has no time for it raises."""

    def done(self, share: float) -> None:
        """This part of the count is done."""


Endings = Mapping[Ending, Fraction]


@dataclass(frozen=True)
class Outcome:
    """One line of the outcome table."""

    result: str
    net: Fraction  # units won by one unit of stake
    probability: Fraction


@dataclass(frozen=True)
class Advice:
    """What to do in a situation, and what each move is worth in units of the first wager."""

    situation: str
    move: str
    values: Mapping[str, Fraction]
    chance: Fraction

    @property
    def cost(self) -> Fraction:
        """What the next best move would cost."""
        best, *rest = sorted(self.values.values(), reverse=True)
        return best - rest[0] if rest else Fraction(0)


@dataclass(frozen=True)
class WagerReport:
    """One wager, or all its choices of spot that are worth the same."""

    label: str
    wager: Wager
    choices: tuple[str, ...]  # the spots that this report speaks for
    outcomes: tuple[Outcome, ...]
    strategy: str
    wagered: Fraction = Fraction(1)  # on average, in units of the wager that is named
    advice: tuple[Advice, ...] = ()  # what each choice is worth
    frequencies: Mapping[str, Fraction] = field(default_factory=dict)  # of the ways to play it

    def _mean(self, power: int) -> Fraction:
        return sum((o.probability * o.net**power for o in self.outcomes), Fraction(0))

    @property
    def house_edge(self) -> Fraction:
        """The expected loss per unit of the wager."""
        return -self._mean(1)

    @property
    def element_of_risk(self) -> Fraction:
        """The expected loss per unit of all money wagered, with raises and what lies beside it."""
        return self.house_edge / self.wagered

    @property
    def hit_frequency(self) -> Fraction:
        return sum((o.probability for o in self.outcomes if o.net > 0), Fraction(0))

    @property
    def push_frequency(self) -> Fraction:
        return sum((o.probability for o in self.outcomes if o.net == 0), Fraction(0))

    @property
    def standard_deviation(self) -> float:
        return sqrt(self._mean(2) - self._mean(1) ** 2)


def analyze(
    game: Game,
    options: Any,
    labels: Sequence[str] = (),
    *,
    shoe: Iterable[Card] | None = None,
    replacement: bool = False,
    stake: int | None = None,
    by_cards: bool = False,
    meter: int | None = None,
    watch: Watch | None = None,
) -> list[WagerReport]:
    """Every wager that the table offers, or those named, exactly.

    Of a game of the shoe: from the cards given or, if none are, from a full shoe. With a
    `stake` in cents, vigorish is rounded as the table rounds it; without, it is exact. Where
    players choose against each other they go by the counts of their hands or, `by_cards`, by
    the very cards. A progressive jackpot shows its first amount or what the `meter` says, in
    cents. Long work tells whoever may `watch`.
    """
    if meter is not None and game.meter(game.State(), options) is None:
        message = f"this table of {game.title} has no progressive meter"
        raise Refusal(Fault.NOT_NOW, message, game.cite)
    if isinstance(game, ShoeGame):
        from croupier.analysis.dealt import Dealt

        return Dealt(game, options, shoe, replacement, stake, by_cards).reports(labels)
    if isinstance(game, PokerGame) and not (shoe is not None or replacement or by_cards):
        from croupier.analysis.showdown import Poker

        state = game.in_play(game.State())
        if meter is not None:
            state = replace(state, meter=Meter(Fraction(meter)))
        return Poker(game, options, stake, state, watch=watch).reports(labels)
    if shoe is not None or replacement or by_cards:
        raise Refusal(Fault.NOT_NOW, f"{game.title.lower()} has no shoe of cards", game.cite)
    if stake is not None:
        raise Refusal(Fault.NOT_NOW, f"{game.title.lower()} rounds nothing by stake", game.cite)
    if not labels:
        return [each for wager in game.offered(options) for each in _classes(game, wager, options)]
    reports = []
    for label in labels:
        name, _, text = label.partition(":")
        wager = game.wager(name, options)
        if text:
            spot, covers = wager.spot(text, options)
            table = _table(game, wager, options, {spot: covers})
            reports.append(_report(wager, wager.label(spot), (spot,), table))
        else:
            reports += _classes(game, wager, options)
    return reports


def _classes(game: Game, wager: Wager, options: Any) -> list[WagerReport]:
    """One report if every choice of spot is worth the same, one for each class if not."""
    spots = wager.shown(options)
    if wager.dealt:
        table = _table(game, wager, options, spots)
        return [_report(wager, wager.id, tuple(spots), table)]
    classes: defaultdict[frozenset[tuple[Ending, Fraction]], list[str]] = defaultdict(list)
    for spot, covers in spots.items():
        table = _table(game, wager, options, {spot: covers})
        classes[frozenset(table.items())].append(spot)
    # A ticket of several ways stands only for itself; a straight one for all of its size.
    one_of_many = wager.samples is not None and callable(wager.parts)
    all_alike = len(classes) == 1 and not one_of_many
    return [
        _report(wager, wager.id if all_alike else wager.label(same[0]), tuple(same), dict(table))
        for table, same in classes.items()
    ]


def _table(
    game: Game, wager: Wager, options: Any, spots: Mapping[str, Any]
) -> dict[Ending, Fraction]:
    """The outcome table over the situations in which the wager is made, and its dealt spots."""
    alike: list[tuple[Any, Counter[tuple[Any, str]]]] = []  # spots that cover the same, together
    for spot, covers in spots.items():
        starts = next((starts for same, starts in alike if same == covers), None)
        if starts is None:
            alike.append((covers, starts := Counter()))
        for often, state in _situations(game, wager, options, spot):
            starts[state, spot] += often * (wager.dealt[spot] if wager.dealt else 1)
    total = sum(starts.total() for _, starts in alike)
    mixed: defaultdict[Ending, Fraction] = defaultdict(Fraction)
    for covers, starts in alike:
        share = Fraction(starts.total(), total)
        for ending, chance in distribution(game, wager, options, starts, covers).items():
            mixed[ending] += share * chance
    return dict(mixed)


def _situations(game: Game, wager: Wager, options: Any, spot: str) -> Iterable[tuple[int, Any]]:
    if wager.is_always_open:
        return [(1, game.State())]
    return [
        (often, state)
        for often, state in game.situations(wager, spot, options)
        if wager.window(state, spot, options).may is May.ANYTHING
    ]


def _report(wager: Wager, label: str, spots: tuple[str, ...], table: Endings) -> WagerReport:
    ranked = sorted(table.items(), key=lambda item: (-item[0].net, item[0].line))
    outcomes = tuple(Outcome(ending.line, ending.net, chance) for ending, chance in ranked)
    return WagerReport(label, wager, spots, outcomes, _strategy(wager))


def _strategy(wager: Wager) -> str:
    if wager.supports:
        return "Made behind its flat wager and left until that is decided; no decision follows."
    if wager.dealt or not wager.is_always_open:
        return "Made whenever it is open and left until it is decided; no decision follows."
    return "Made and left until it is decided; no decision follows."


def as_json(
    game: Game,
    options: Any,
    reports: Iterable[WagerReport],
    shoe: Iterable[Card] | None = None,
    violations: Sequence[Violation] = (),
) -> dict[str, Any]:
    """The document that other tools read. What no table may offer is said to be unlawful."""
    unlawful = {"lawful": False, "violations": [each.as_json() for each in violations]}
    return {
        "game": game.id,
        "options": options.as_json(),
        **(unlawful if violations else {}),
        "method": "exact",
        **({} if shoe is None else {"shoe": ranks(shoe)}),
        "wagers": {report.label: _wager_json(report) for report in reports},
    }


def _wager_json(report: WagerReport) -> dict[str, Any]:
    found = {
        "title": report.wager.title,
        "citation": str(report.wager.cite),
        "choices": [spot for spot in report.choices if spot],
        "house_edge": _exact(report.house_edge),
        "return": float(1 - report.house_edge),
        "hit_frequency": float(report.hit_frequency),
        "push_frequency": float(report.push_frequency),
        "standard_deviation": report.standard_deviation,
        "element_of_risk": _exact(report.element_of_risk),
        "outcomes": [
            {
                "result": outcome.result,
                "net": _number(outcome.net),
                "probability": str(outcome.probability),
            }
            for outcome in report.outcomes
        ],
        "strategy": report.strategy,
    }
    if report.frequencies:
        found["frequencies"] = {way: str(often) for way, often in report.frequencies.items()}
    if report.advice:
        found["advice"] = [
            {
                "situation": advice.situation,
                "move": advice.move,
                "values": {move: float(value) for move, value in advice.values.items()},
                "probability": str(advice.chance),
            }
            for advice in report.advice
        ]
    return found


def ranks(cards: Iterable[Card]) -> dict[str, int]:
    """How many cards there are of each rank, as people write them."""
    counted = Counter(card.rank for card in cards)
    return {RANKS[rank - 2]: number for rank, number in sorted(counted.items(), reverse=True)}


def _exact(value: Fraction) -> dict[str, Any]:
    return {"exact": str(value), "decimal": float(value)}


def _number(value: Fraction) -> int | float:
    return int(value) if value.denominator == 1 else float(value)
