"""The table that a sheet is about: the game, its options and what its wagers are worth."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from time import monotonic
from typing import TYPE_CHECKING, Any

from croupier.analysis import WagerReport, Watch
from croupier.equipment import dollars
from croupier.par.chains import Chain, chain
from croupier.rulebook import Game, PokerGame, ShoeGame, Wager

if TYPE_CHECKING:
    from croupier.analysis.showdown import Poker
    from croupier.par.finer import Finer


class OutOfTime(Exception):
    """A count was not begun: the time that was set for such counts is over."""


class Patience(Watch):
    """Lets a long count begin as long as there is time, and tells whoever else may watch."""

    def __init__(self, watch: Watch | None, seconds: float) -> None:
        self.watch = watch or Watch()
        self.seconds, self.until = seconds, monotonic() + seconds

    @property
    def is_over(self) -> bool:
        return monotonic() >= self.until

    def compiles(self) -> None:
        self.watch.compiles()

    def counts(self, deals: int) -> None:
        if self.is_over:
            raise OutOfTime
        self.watch.counts(deals)

    def done(self, share: float) -> None:
        self.watch.done(share)


@dataclass(frozen=True)
class Subject:
    """What every section reads from."""

    game: Game
    options: Any
    reports: tuple[WagerReport, ...]
    patience: Patience = field(default_factory=lambda: Patience(None, 0))
    at_meter: dict[tuple[str, int], WagerReport] = field(default_factory=dict)  # by label and cents

    @cached_property
    def by_label(self) -> Mapping[str, WagerReport]:
        return {report.label: report for report in self.reports}

    @cached_property
    def featured(self) -> tuple[WagerReport, ...]:
        """The first wager, and those of the least and the greatest edge and of the widest swing.

        A game may have fifty wagers: all are in the tables, these are drawn and followed further.
        """
        first = self.main
        by_edge = sorted(self.reports, key=lambda report: report.house_edge)
        widest = max(self.reports, key=lambda report: report.standard_deviation)
        chosen: list[WagerReport] = []
        for report in (first, by_edge[0], by_edge[-1], widest):
            if all(report.outcomes != other.outcomes for other in chosen):
                chosen.append(report)
        return tuple(chosen)

    @cached_property
    def main(self) -> WagerReport:
        """The wager that the game is about: of a hand of poker the one that is decided on."""
        if isinstance(self.game, PokerGame):
            return self.by_label.get(self.game.main[0], self.reports[0])
        return self.reports[0]

    @cached_property
    def chains(self) -> Mapping[str, Chain]:
        """The states that each wager goes through, where no cards are dealt."""
        if isinstance(self.game, ShoeGame | PokerGame):
            return {}
        return {each.label: chain(self.game, self.options, each) for each in self.reports}

    @cached_property
    def poker(self) -> "Poker | None":
        """The game as it is solved, if it is poker."""
        if not isinstance(self.game, PokerGame):
            return None
        from croupier.analysis.showdown import Poker

        return Poker(self.game, self.options, watch=self.patience.watch)

    @cached_property
    def finer(self) -> "Finer | None":
        """The same with more of it told apart; None if there was no time to count it."""
        if not isinstance(self.game, PokerGame):
            return None
        from croupier.par.finer import Finer

        finer = Finer(self.game, self.options, watch=self.patience)
        try:
            return finer if finer.solved else None
        except OutOfTime:
            return None

    @cached_property
    def given(self) -> dict[str, Any]:
        """What a licensee says to have this table; everything else is the default."""
        known = self.options.all()
        return {name: known[name].show(value) for name, value in self.options.given.items()}


def said(name: str) -> str:
    """`three_of_a_kind` is said three of a kind."""
    return name.replace("_", " ")


def named(label: str) -> str:
    """A label as a part of a table's id."""
    return re.sub(r"\W+", "_", label).strip("_").lower()


def titled(report: WagerReport) -> str:
    """`Split (split:17-20)` where there are classes, `Pass (pass)` where there is one."""
    return f"{report.wager.title} ({report.label})"


def pays(wager: Wager, options: Any) -> str:
    """The odds of a wager, from the lowest to the highest."""
    odds = [str(each) for each in sorted(set(wager.pay_table(options).values()))]
    if not odds:
        return "by its card"
    return odds[0] if len(odds) == 1 else f"{odds[0]} … {odds[-1]}"


def listed(words: Iterable[str], last: str = "and") -> str:
    """2, 3 and 12."""
    *others, end = words
    return f"{', '.join(others)} {last} {end}" if others else end


def shown(value: Any) -> str:
    """An option's value as people read it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return "; ".join(f"{key}: {shown(each)}" for key, each in value.items())
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def money(cents: int | Fraction) -> str:
    """Cents as dollars, to the nearest cent."""
    return dollars(round(cents))


def by_net(report: WagerReport) -> dict[Fraction, Fraction]:
    """The chance of every net result, from the lowest to the highest."""
    found: dict[Fraction, Fraction] = {}
    for outcome in sorted(report.outcomes, key=lambda outcome: outcome.net):
        found[outcome.net] = found.get(outcome.net, Fraction(0)) + outcome.probability
    return found


def moment(report: WagerReport, power: int) -> Fraction:
    """The mean of a power of the distance from the mean."""
    mean = -report.house_edge
    return sum((p * (net - mean) ** power for net, p in by_net(report).items()), Fraction(0))


def others(subject: Subject) -> Iterator[WagerReport]:
    """All wagers but the main one."""
    return (report for report in subject.reports if report is not subject.main)


def greatest(subject: Subject, report: WagerReport) -> int:
    """The most that may be wagered on it, in cents."""
    wager = report.wager
    _, covers = wager.spot(report.choices[0], subject.options)
    return wager.limits(subject.options, covers)[1]
