"""What others have published about a wager, to be set beside what it is worth here.

`published.json` holds figures as they were printed, digit by digit, each with its source and
with the options of the table that it speaks of; where that table would not be lawful, it is
asked about all the same. A figure agrees if ours rounds to the digits that were printed. Where
it does not, a note says why, and a test fails if one is missing or not needed.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from croupier.analysis.figures import KEPT, shipped
from croupier.analysis.report import WagerReport, analyze
from croupier.games import find_game
from croupier.rulebook import PokerGame


@dataclass(frozen=True)
class Published:
    """A figure that somebody has printed."""

    game: str
    options: Mapping[str, Any]  # of the table that it speaks of; none of the default table
    wager: str
    what: str  # a name in `FIGURES`, or the words that begin a name in `FIGURES_OF` and its subject
    printed: str
    source: str
    note: str = ""  # why ours is another

    @property
    def is_lawful(self) -> bool:
        """Whether New Jersey allows the table that it speaks of."""
        return not find_game(self.game).check(self.options)

    @property
    def is_shipped(self) -> bool:
        """Whether ours is kept with the package, so that nothing need be solved."""
        return self._is_of_a_main_hand and not self.options and self.what in KEPT

    @property
    def needs_solving(self) -> bool:
        """Whether a poker game must be solved for ours, which takes a while the first time."""
        return self._is_of_a_main_hand and not self.is_shipped

    @property
    def _is_of_a_main_hand(self) -> bool:
        game = find_game(self.game)
        return isinstance(game, PokerGame) and self.wager in game.main

    @property
    def ours(self) -> Fraction:
        """The same figure as it is counted here; of a root, the nearest number of the machine."""
        if self.is_shipped:
            found = shipped(find_game(self.game))[self.wager][self.what]
            return Fraction(found["exact"] if isinstance(found, dict) else found)
        report = _report(self.game, json.dumps(self.options), self.wager)
        if self.what in FIGURES:
            return Fraction(FIGURES[self.what](report))
        words = next(words for words in FIGURES_OF if self.what.startswith(words))
        return FIGURES_OF[words](report, self.what.removeprefix(words))

    @property
    def agrees(self) -> bool:
        """Whether ours rounds to what is printed; counts and fractions must be the same."""
        form = _read(self.printed)
        within = 0 if form.digits is None else Fraction(1, 2 * 10**form.digits)
        return abs(form.of(self.ours) - form.number) <= within

    @property
    def told(self) -> str:
        """Ours in the terms of what is printed and two digits further; exactly, where short."""
        form, figure = _read(self.printed), self.ours
        digits = 10 if form.digits is None else form.digits + 2
        number = form.of(figure)
        decimal = Decimal(number.numerator) / number.denominator
        told = f"{form.before}{decimal:,.{digits}f}{form.after}"
        is_short = figure.denominator > 1 and len(str(figure)) <= SHORT
        return f"{told} = {figure}" if is_short and self.what not in ROOTS else told


def published(game: str) -> list[Published]:
    """Everything that is recorded about a game, in the order of its wagers on the page."""
    data = _data()
    return [
        Published(
            game=game,
            options=row.get("options", {}),
            wager=row["wager"],
            what=row["what"],
            printed=row["printed"],
            source=data["sources"][row["source"]],
            note=row.get("note", ""),
        )
        for row in data["figures"].get(find_game(game).id, [])
    ]


def remark(game: str) -> str:
    """What is to be said of the literature on a game as a whole; often nothing."""
    found: str = _data()["remarks"].get(game, "")
    return found


class _Form(NamedTuple):
    """How a figure is printed: 1.41%, 1 in 694, 621 to 1, 244/495, 83 of 878."""

    number: Fraction
    digits: int | None  # after the point; none of a fraction, which is exact
    before: str = ""
    after: str = ""

    def of(self, figure: Fraction) -> Fraction:
        """Another figure in the same terms."""
        if self.after == "%":
            return 100 * figure
        if self.before or self.after:
            return 1 / figure - bool(self.after)
        return figure


def _read(printed: str) -> _Form:
    before = "1 in " if printed.startswith("1 in ") else ""
    after = next((after for after in ("%", " to 1") if printed.endswith(after)), "")
    text = printed.replace(",", "").removeprefix(before).removesuffix(after)
    if "/" in text or " of " in text:
        return _Form(Fraction(text.replace(" of ", "/")), None)
    return _Form(Fraction(text), len(text.partition(".")[2]), before, after)


def _probability(report: WagerReport, line: str) -> Fraction:
    """How often the outcome table comes to a line."""
    found = [outcome.probability for outcome in report.outcomes if outcome.result == line]
    assert found, f"{report.label} has no line {line}"
    return sum(found, Fraction(0))


def _frequency(report: WagerReport, move: str) -> Fraction:
    """How often the best play begins with a move."""
    return sum(
        (often for way, often in report.frequencies.items() if way.split(", ")[0] == move),
        Fraction(0),
    )


def _worth(report: WagerReport, subject: str) -> Fraction:
    """What a move wins on average in a situation, in units of the wager."""
    situation, _, move = subject.partition(": ")
    (advice,) = (each for each in report.advice if each.situation == situation)
    return advice.values[move]


def _edge_of_always(report: WagerReport, move: str) -> Fraction:
    """The house edge on a player who makes the same move wherever there is a choice."""
    dearer = (a.chance * (a.values[a.move] - a.values[move]) for a in report.advice)
    return report.house_edge + sum(dearer, Fraction(0))


FIGURES: Mapping[str, Callable[[WagerReport], Fraction | float]] = {
    "house_edge": lambda report: report.house_edge,
    "return": lambda report: 1 - report.house_edge,
    "element_of_risk": lambda report: report.element_of_risk,
    "standard_deviation": lambda report: report.standard_deviation,
    "variance": lambda report: report.standard_deviation**2,
    "hit_frequency": lambda report: report.hit_frequency,
    "push_frequency": lambda report: report.push_frequency,
    "average_wager": lambda report: report.wagered,
}

ROOTS = ("standard_deviation", "variance")  # which no fraction of the machine's is exactly
SHORT = 16  # characters of a fraction that a reader still takes in

FIGURES_OF: Mapping[str, Callable[[WagerReport, str], Fraction]] = {
    "probability of ": _probability,
    "frequency of ": _frequency,
    "worth of ": _worth,
    "house_edge of always ": _edge_of_always,
}


@cache
def _report(name: str, options: str, wager: str) -> WagerReport:
    game = find_game(name)
    table, _ = game.what_if(json.loads(options))
    (report,) = analyze(game, table, [wager])
    return report


@cache
def _data() -> Mapping[str, Any]:
    text = files("croupier.analysis").joinpath("published.json").read_text("utf-8")
    found: Mapping[str, Any] = json.loads(text)
    return found
