"""What the licensee's options do to the mathematics, found by trying them.

Every option with a short list of lawful values is set to each of them, all else
as at this table. What leaves every edge as it was has no effect. A value that
is lawful only beside another option's, and an option that matters only where
another offers its wager, are tried beside it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from typing import Any, NamedTuple

from croupier.analysis import analyze
from croupier.equipment import Odds
from croupier.par.document import Block, Column, Plot, Section, Table, Text, Value
from croupier.par.subject import OutOfTime, Subject, listed, named, shown
from croupier.rulebook import PokerGame, Refusal, ShoeGame
from croupier.rulebook.options import OddsAtLeast, Option, Whole

SHORT = 12  # values of an option that is tried
DECKS = (1, 2, 4, 6, 7, 8)  # where there is no end to them
GRIDS = 2  # pairs of options that are tried together
MOST_CELLS = 64  # of a grid

Edges = Mapping[str, Fraction]  # by label
Given = Mapping[str, Any]


class Trial(NamedTuple):
    """One value of an option, and what the wagers are worth with it."""

    value: Any
    beside: Given  # what had to be set for it to be lawful, or to have an effect
    edges: Edges
    without: Edges  # what they are worth with that alone


@dataclass
class Tried:
    """What came of one option."""

    option: Option[Any]
    tried: int = 0  # values
    trials: list[Trial] = field(default_factory=list)
    unlawful: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)

    @property
    def changed(self) -> list[str]:
        """The wagers that some value makes worth something else, or that come or go with it."""
        found: dict[str, None] = {}
        for trial in self.trials:
            for label in (*trial.without, *trial.edges):
                if trial.edges.get(label) != trial.without.get(label):
                    found[label] = None
        return list(found)


class Trying:
    """All the tables that are asked about, each counted once."""

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self.base: Edges = {report.label: report.house_edge for report in subject.reports}
        self.known: dict[str, Edges] = {repr(sorted(subject.given.items())): self.base}

    @property
    def may_try(self) -> bool:
        """A solved game of poker is soon weighed anew; whether a new count may begin, it is asked.

        Who has no time at all tries nothing.
        """
        patience = self.subject.patience
        if isinstance(self.subject.game, PokerGame):
            return patience.seconds > 0
        return not patience.is_over

    def edges(self, given: Given) -> Edges:
        key = repr(sorted(given.items()))
        if key not in self.known:
            if not self.may_try:
                raise OutOfTime
            self.known[key] = self._counted(self.subject.game.options(given))
        return self.known[key]

    def _counted(self, options: Any) -> Edges:
        game, patience = self.subject.game, self.subject.patience
        if not isinstance(game, PokerGame):
            return {each.label: each.house_edge for each in analyze(game, options)}
        from croupier.analysis.showdown import Poker

        poker = Poker(game, options, watch=patience)
        found = {}
        for wager in game.offered(options):
            if wager.id == poker.main:
                table, _ = poker.main_table()
            elif not wager.joins:
                table = poker.side_table(wager)
            else:
                continue
            found[wager.id] = -sum((e.net * p for e, p in table.items()), Fraction(0))
        return found

    def is_lawful(self, given: Given) -> bool:
        return not self.subject.game.check(given)

    def option(self, option: Option[Any]) -> Tried:
        """Every lawful value of it."""
        found, given = Tried(option), self.subject.given
        now = option.show(getattr(self.subject.options, option.id))
        for value in _ends_first(option):
            if value == now or [value] == now:
                continue
            if len(found.trials) > 1 and isinstance(option, Whole) and not found.changed:
                break  # neither the least nor the most has an effect, nor has what is between
            beside: Given | None = {}
            if not self.is_lawful({**given, option.id: value}):
                beside = self._companion(option, value)
            if beside is None:
                found.unlawful.append(shown(value))
                continue
            try:
                edges = self.edges({**given, **beside, option.id: value})
                alone = self.is_lawful({**given, **beside})
                without = self.edges({**given, **beside}) if alone else self.base
            except OutOfTime:
                found.left_out.append(shown(value))
            else:
                found.trials.append(Trial(value, beside, edges, without))
        found.tried = len(found.trials)
        every = values_of(option)
        found.trials.sort(key=lambda trial: every.index(trial.value))
        return found

    def _companion(self, option: Option[Any], value: Any) -> Given | None:
        """One other option that makes the value lawful, if one does."""
        given = self.subject.given
        for other in self.subject.options.all().values():
            for its in values_of(other) if other is not option else ():
                if self.is_lawful({**given, option.id: value, other.id: its}):
                    return {other.id: its}
        return None

    def beside(self, idle: Tried, offers: Sequence[tuple[str, Trial]]) -> None:
        """An option without effect, tried where another brings a wager that is not offered here."""
        given = self.subject.given
        for name, offer in offers:
            for value in values_of(idle.option):
                table = {**given, **offer.beside, name: offer.value, idle.option.id: value}
                now = value == idle.option.show(getattr(self.subject.options, idle.option.id))
                if now or name == idle.option.id or not self.is_lawful(table):
                    continue
                try:
                    edges = self.edges(table)
                except OutOfTime:
                    idle.left_out.append(shown(value))
                    continue
                if edges != offer.edges:
                    with_it = {**offer.beside, name: offer.value}
                    idle.trials.append(Trial(value, with_it, edges, offer.edges))


def values_of(option: Option[Any]) -> list[Any]:
    """The values to try: a short list, some numbers of decks, odds and somewhat better ones."""
    if isinstance(option, OddsAtLeast):
        least = option.default
        return [option.show(least), str(Odds(least.win + least.per, least.per))]
    if option.id == "decks" and len(option.values) < 2:
        return [decks for decks in DECKS if _reads(option, decks)]
    return option.values if 1 < len(option.values) <= SHORT else []


def _ends_first(option: Option[Any]) -> list[Any]:
    first, *rest = values_of(option)
    return [first, *rest[-1:], *rest[:-1]]


def _reads(option: Option[Any], value: Any) -> bool:
    try:
        option.parse(value)
    except ValueError:
        return False
    return True


def sensitivity(subject: Subject) -> Section:
    trying = Trying(subject)
    tried = [
        trying.option(option)
        for option in subject.options.all().values()
        if len(values_of(option)) > 1
    ]
    offers = [
        (each.option.id, trial)
        for each in tried
        for trial in each.trials
        if set(trial.edges) - set(trying.base)
    ]
    for each in tried:
        if not each.changed:
            each.trials.clear()
            trying.beside(each, offers)
    matters = [each for each in tried if each.changed]
    blocks: list[Block] = [Text(tuple(_in_words(subject, tried)), as_list=True)]
    for each in matters:
        blocks += _told(subject, each, trying)
    for one, other in _pairs(matters, trying.base):
        blocks += _grid(subject, trying, one, other)
    blocks += _by_stake(trying)
    return Section("sensitivity", "Sensitivity to options", tuple(blocks))


def _in_words(subject: Subject, tried: Sequence[Tried]) -> Iterator[str]:
    idle = [
        each.option.id for each in tried if each.tried and not each.changed and not each.left_out
    ]
    if idle:
        yield f"No effect on any wager: {listed(idle)}."
    for each in tried:
        if each.unlawful:
            yield (
                f"{each.option.id} = {listed(each.unlawful, 'or')}: not lawful beside the other "
                "options of this table."
            )
        if each.left_out:
            yield (
                f"{each.option.id} = {listed(dict.fromkeys(each.left_out), 'or')}: left out, for "
                "it needs a count for which there was no time."
            )
    known = {each.option.id for each in tried}
    rest = [
        option.id for option in subject.options.all().values()
        if option.id not in known and len(option.values) < 2
    ]  # fmt: skip
    if rest:
        yield f"Not tried, having no short list of values: {listed(rest)}."


def _told(subject: Subject, tried: Tried, trying: Trying) -> Iterator[Block]:
    option, labels = tried.option, tried.changed
    now = option.show(getattr(subject.options, option.id))
    here = Trial(now, {}, trying.base, trying.base)
    rows: list[tuple[Value, ...]] = []
    for trial in (here, *tried.trials):
        beside = "".join(f", {name} = {shown(its)}" for name, its in trial.beside.items())
        value = f"{shown(trial.value)}{' (this table)' if trial is here else beside}"
        for label in labels:
            edge, before = trial.edges.get(label), trial.without.get(label)
            if edge is not None:
                change = None if before is None or trial is here else edge - before
                rows.append((value, label, edge, edge, change))
    columns = (
        Column("value", option.id), Column("wager", "Wager"),
        Column("edge", "House edge", "percent"), Column("exact", "Exactly", "exact"),
        Column("change", "Change", "percent"),
    )  # fmt: skip
    table = f"option_{named(option.id)}"
    title = f"{option.id}: {option.title}" if option.title else option.id
    yield Table(
        table, title, columns, tuple(rows),
        note=f"{option.cite}. Wagers that no value changes are left out.",
    )  # fmt: skip
    if len(rows) > 2:
        yield Plot(
            f"edges_{table}", f"House edge by {option.id}", table, "heat", x="value", by="wager",
            y=("edge",),
        )  # fmt: skip


def _pairs(matters: Sequence[Tried], base: Edges) -> list[tuple[Tried, Tried]]:
    """Options that change the same wager by themselves, those that change it most first."""

    def span(pair: tuple[Tried, Tried]) -> float:
        return max(
            (_span(pair[0], label, base) * _span(pair[1], label, base) for label in base),
            default=0.0,
        )

    pairs = [pair for pair in combinations(matters, 2) if span(pair) > 0]
    return sorted(pairs, key=span, reverse=True)[:GRIDS]


def _span(tried: Tried, label: str, base: Edges) -> float:
    edges = [each.edges[label] for each in tried.trials if label in each.edges and not each.beside]
    return float(max([*edges, base[label]]) - min([*edges, base[label]]))


def _grid(subject: Subject, trying: Trying, one: Tried, other: Tried) -> Iterator[Block]:
    base = trying.base
    label = max(base, key=lambda each: _span(one, each, base) * _span(other, each, base))
    rows: list[tuple[Value, ...]] = []
    left_out = 0
    every = [
        [
            option.show(getattr(subject.options, option.id)),
            *(trial.value for trial in tried.trials if not trial.beside),
        ]
        for tried in (one, other)
        for option in (tried.option,)
    ]
    if len(every[0]) * len(every[1]) > MOST_CELLS:
        return
    for first in every[0]:
        for second in every[1]:
            given = {**subject.given, one.option.id: first, other.option.id: second}
            if not trying.is_lawful(given):
                continue
            try:
                edges = trying.edges(given)
            except OutOfTime:
                left_out += 1
                continue
            if label in edges:
                rows.append((shown(first), shown(second), edges[label], edges[label]))
    columns = (
        Column("first", one.option.id), Column("second", other.option.id),
        Column("edge", "House edge", "percent"), Column("exact", "Exactly", "exact"),
    )  # fmt: skip
    table = f"grid_{named(one.option.id)}_{named(other.option.id)}"
    title = f"{label}: house edge by {one.option.id} and {other.option.id}"
    missing = f" {left_out} were left out for want of time." if left_out else ""
    yield Table(table, title, columns, tuple(rows), note=f"Lawful tables only.{missing}")
    yield Plot(f"map_{table}", title, table, "heat", x="first", by="second", y=("edge",))


# What a stake does, where payments are rounded or limited.


def _by_stake(trying: Trying) -> Iterator[Block]:
    subject = trying.subject
    game, options, main = subject.game, subject.options, subject.main
    if not isinstance(game, PokerGame | ShoeGame):
        return
    rows: list[tuple[Value, ...]] = [("exact, without limit", None, main.house_edge, None)]
    for what, stake in (("table minimum", options.table_min), ("table maximum", options.table_max)):
        try:
            if not trying.may_try:
                raise OutOfTime
            report, *_ = analyze(
                game, options, [main.label], stake=stake, watch=subject.patience
            )  # fmt: skip
        except OutOfTime:
            rows.append((f"{what}: left out for want of time", stake, None, None))
        except Refusal as refusal:
            rows.append((f"{what}: {refusal.message}", stake, None, None))
        else:
            change = report.house_edge - main.house_edge
            rows.append((what, stake, report.house_edge, change))
    columns = (
        Column("what", "Stake"), Column("stake", "Cents", "cents"),
        Column("edge", "House edge", "percent"), Column("change", "Change", "percent"),
    )  # fmt: skip
    yield Table(
        "by_stake", f"{main.label}: payments rounded and limited as at a stake", columns,
        tuple(rows), note="Vigorish and payout limits make the edge depend on what is staked.",
    )  # fmt: skip
