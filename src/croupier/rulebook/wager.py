"""Wagers: what may be bet, when, on what spot, and how the outcome decides it.

A wager's rule is one small pure function from a `Case` to a `Decision`. The
live table settles by it, the solvers fill their tables with it, and nothing
else in the house knows the rule.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction
from functools import cache
from math import ceil, floor, lcm
from typing import Any, Generic, TypeVar

from croupier.equipment import InexactPayment, Odds
from croupier.rulebook.citation import Citation, custom
from croupier.rulebook.refusal import Fault, Refusal

O = TypeVar("O")  # noqa: E741  the outcome of the game
S = TypeVar("S")  # its standing state
P = TypeVar("P")  # its options


@dataclass(frozen=True, slots=True)
class Case(Generic[O, S, P]):
    """All that the decision of a wager may depend on."""

    outcome: O
    state: S  # as it stood before the outcome
    options: P
    spot: str = ""
    covers: Any = None  # what the spot covers, as the wager's definition says
    called_on: bool = False
    seat: str = ""  # whose wager it is, where seats have hands of their own
    stakes: Mapping[str, int] | None = None  # all that lies on the hand, by wager
    hand: str = ""  # the hand that the wager lies on: the first of a seat has the seat's name


class Result(Enum):
    """How a wager came out, in the words of settlements."""

    WIN = "win"
    LOSE = "lose"
    PUSH = "push"
    VOID = "void"
    SURRENDER = "surrender"
    STANDING = "standing"


class Rounding(Enum):
    """Who gets a part of a cent. Nobody, unless a rule says so: payments are exact."""

    NONE = "exact"
    PLAYER = "in the player's favor"
    HOUSE = "down to the cent"


@dataclass(frozen=True, slots=True)
class Vigorish:
    """The house's commission on a wager: on what it won or, if it won nothing, on its stake."""

    rate: Fraction
    cite: Citation
    up_to: int = 0  # rounded up to a multiple of so many cents; 0 is exact
    deferred: bool = False  # marked, and collected later

    def on(self, cents: int) -> int:
        """What is owed on so many cents."""
        exact = self.rate * cents
        if self.up_to:
            return ceil(exact / self.up_to) * self.up_to
        if exact.denominator != 1:
            raise InexactPayment(f"{self.rate} of {cents} cents is not a whole number of cents")
        return int(exact)


@dataclass(frozen=True, slots=True)
class Decision:
    """What an outcome does to a wager.

    A win names a line of the wager's pay table; a decision that no pay table
    holds says its net itself. `share` is the part of the stake that is decided
    now; the rest stands, at `moves_to` if the wager travels. A decision that is
    `charged` costs the wager's vigorish.
    """

    result: Result
    line: str
    net: Fraction | None = None
    cite: Citation | None = None
    share: Fraction = Fraction(1)
    moves_to: str | None = None
    rounding: Rounding = Rounding.NONE
    charged: bool = False


@cache
def win(line: str = "win") -> Decision:
    """Won, at the odds of this line of the pay table."""
    return Decision(Result.WIN, line)


WIN = win()
LOSE = Decision(Result.LOSE, "lose", Fraction(-1))
PUSH = Decision(Result.PUSH, "push", Fraction(0))
VOID = Decision(Result.VOID, "void", Fraction(0))
STAND = Decision(Result.STANDING, "standing", Fraction(0), share=Fraction(0))


@cache
def travel(spot: str) -> Decision:
    """Undecided, and the wager moves to another spot."""
    return Decision(Result.STANDING, "standing", Fraction(0), share=Fraction(0), moves_to=spot)


def lost(cite: Citation) -> Decision:
    """Lost by this paragraph, where that is not the one that defines the wager."""
    return Decision(Result.LOSE, "lose", Fraction(-1), cite)


def half_lost(cite: Citation) -> Decision:
    """Half the wager is lost and half returned; an odd cent is the player's."""
    return Decision(Result.LOSE, "half_loss", Fraction(-1, 2), cite, rounding=Rounding.PLAYER)


def surrendered(cite: Citation) -> Decision:
    """Given up for half the wager; an odd cent is the player's."""
    half = Fraction(-1, 2)
    return Decision(Result.SURRENDER, "surrender", half, cite, rounding=Rounding.PLAYER)


def covered(case: Case[Any, Any, Any]) -> Decision:
    """The plainest rule: the wager wins if it covers the outcome, and loses if not."""
    return WIN if case.outcome in case.covers else LOSE


def part_paid(odds: Odds, part: int, whole: int) -> Odds:
    """A stake in equal parts: so many of them win at these odds, and the others are lost."""
    net = Fraction(part * odds.net - (whole - part), whole)
    return Odds(net.numerator, net.denominator)


def on_totals(lines: Mapping[int, str]) -> Callable[[Case[Any, Any, Any]], Decision]:
    """For dice: wins on these totals, each at its line of the pay table, and loses on any other."""

    def decide(case: Case[Any, Any, Any]) -> Decision:
        line = lines.get(case.outcome.total)
        return win(line) if line else LOSE

    return decide


class May(Enum):
    """What may be done with a wager at this moment."""

    ANYTHING = 0  # make it, change it, take it down
    REDUCE = 1  # only reduce it or take it down
    NOTHING = 2  # neither make it nor touch it


@dataclass(frozen=True, slots=True)
class Window:
    """When a wager may be made and changed, and why not when it may not."""

    may: May
    reason: str = ""
    cite: Citation | None = None


OPEN = Window(May.ANYTHING)


def reduce_only(reason: str, cite: Citation) -> Window:
    return Window(May.REDUCE, reason, cite)


def shut(reason: str, cite: Citation) -> Window:
    return Window(May.NOTHING, reason, cite)


PayTable = Mapping[str, Odds]
Covers = Callable[[Any], Mapping[str, Any]]


TABLE_LIMITS = custom("8.2")


def _none(_: Any) -> tuple[str, ...]:
    return ()


def _no_vigorish(_: Any) -> None:
    return None


def always(_: Any) -> bool:
    """At every table, whatever its options."""
    return True


def _open(_state: Any, _spot: str, _options: Any) -> Window:
    return OPEN


def _table_limits(options: Any, _covers: Any) -> tuple[int, int]:
    return options.table_min, options.table_max


@dataclass(frozen=True, kw_only=True)
class Wager:
    """A permissible wager, as data."""

    id: str
    title: str
    cite: Citation  # the paragraph that defines it
    paid_by: Citation  # the paragraph that sets its odds
    pays: Odds | PayTable | Callable[[Any], PayTable]  # the least it pays; may follow the options
    pays_exactly: bool = False  # those odds, and no better
    paid_under: Callable[[Any], Citation] | None = None  # where the options say by which rule
    decide: Callable[[Any], Decision] = covered
    covers: Collection[Any] | Covers = ()  # the outcomes covered, or those of each spot
    reads: Callable[[str, Any], tuple[str, Any]] | None = None  # for spots too many to list
    samples: Callable[[Any], tuple[str, ...]] | None = None  # some of them, by the options
    dealt: Mapping[str, int] | None = None  # chance, not the player, picks the spot: its weights
    offered: Callable[[Any], bool] = always
    offered_by: Citation | None = None  # why it is not offered when it is not
    window: Callable[[Any, str, Any], Window] = _open  # by state, spot and options
    limits: Callable[[Any, Any], tuple[int, int]] = _table_limits  # by options and what it covers
    limited_by: Citation = TABLE_LIMITS  # the paragraph that sets them
    parts: int | Callable[[Any], int] = 1  # a stake is split into this many equal parts
    line_from: Callable[[Any, str], str] | None = None  # where state and spot fix the line paid
    keeps_score: bool = False  # its spot is how far it has come; a player has one at a time
    supports: str | None = None  # the wager behind which this one is made
    ceiling: Callable[[Any, Any, str, int], int] | None = None  # the most behind a flat wager
    vigorish: Callable[[Any], Vigorish | None] = _no_vigorish  # what a charged decision costs
    rounding: Rounding = Rounding.NONE  # of what a win pays, where any stake may be made
    rests_on: tuple[str, ...] = ()  # it needs at least one of these wagers of the seat beside it
    rests_if: Callable[[Any], bool] = always  # at tables with these options
    rests_by: Citation | None = None  # the paragraph, if not the one that defines it
    against: str | None = None  # the wager of another seat that is on the other side of it
    equals: str | None = None  # the wager of the seat beside which it must lie, in the same amount
    paid_on: str | None = None  # a bonus: nothing is staked on it, and it is paid on this wager
    joins: str | None = None  # the wager of whose hand it is a part, and with which it is analyzed
    also: tuple[str, ...] = ()  # other names people use for it

    def label(self, spot: str = "") -> str:
        """`straight:17`, or the bare id where there is nothing to choose."""
        return f"{self.id}:{spot}" if spot and not self.keeps_score else self.id

    def titled(self, spot: str = "") -> str:
        """For people: "Straight 17"."""
        return f"{self.title} {spot}".rstrip()

    def spots(self, options: Any) -> Mapping[str, Any]:
        """The spots a player may name, with what each covers; one nameless spot if no choice."""
        if not callable(self.covers):
            return {"": self.covers}
        kept: dict[Any, Mapping[str, Any]] = options.spots if options else {}
        if self.covers not in kept:  # asked for at every wager, and always the same
            kept[self.covers] = self.covers(options)
        return kept[self.covers]

    def shown(self, options: Any) -> Mapping[str, Any]:
        """The spots to show people: all of them, or a few where there is no end to them."""
        if self.reads is None:
            return self.spots(options)
        return dict(self.reads(text, options) for text in (self.samples or _none)(options))

    def spot(self, text: str, options: Any) -> tuple[str, Any]:
        """The spot that a person named, and what it covers."""
        if self.reads is not None:
            try:
                return self.reads(text, options)
            except ValueError as error:
                message = f"{self.label(text)}: {error}"
                raise Refusal(Fault.UNKNOWN_SPOT, message, self.cite) from None
        spots = self.spots(options)
        if text not in spots:
            # 20-17 is 17-20, as:ks is Ks-As
            wanted = _parts(text)
            text = next((name for name in spots if _parts(name) == wanted), text)
        if text not in spots:
            raise Refusal(Fault.UNKNOWN_SPOT, self._which(text, list(spots)), self.cite)
        return text, spots[text]

    def _which(self, text: str, spots: list[str]) -> str:
        if spots == [""]:
            return f"{self.id} takes no choice of spot, so {self.label(text)} is not a wager"
        shown = ", ".join(spots[:6]) + (", …" if len(spots) > 6 else "")
        if not text:
            return f"{self.id} needs a spot, such as {self.label(spots[0])}; its spots are {shown}"
        return f"{self.id} has no spot {text!r} at this table; its spots are {shown}"

    def payment_rule(self, options: Any) -> Citation:
        """The paragraph by which a table with these options pays it."""
        return self.paid_under(options) if self.paid_under else self.paid_by

    def pay_table(self, options: Any) -> PayTable:
        """The odds this table pays, by line: the minimum, or better where the table posts it."""
        least = self.minimum(options)
        better = options.odds_above_minimum()
        if not better:
            return least
        table = {
            line: better.get(f"{self.id}.{line}", better.get(self.id, odds))
            for line, odds in least.items()
        }
        own = (key.partition(".") for key in better)
        added = {
            line: better[f"{name}.{line}"] for name, dot, line in own if name == self.id and dot
        }
        return table | added  # a line more is unlawful, and only ever looked at as a question

    def minimum(self, options: Any) -> PayTable:
        """The odds below which the regulation does not let this table pay."""
        table = self.pays(options) if callable(self.pays) else self.pays
        return {"win": table} if isinstance(table, Odds) else table

    def net(self, decision: Decision, options: Any) -> Fraction:
        """What one unit of stake wins by this decision, a loss being negative.

        Vigorish is taken off as it is before any rounding.
        """
        net = self._gross(decision, options)
        vigorish = self.vigorish(options) if decision.charged else None
        return net - vigorish.rate * (net if net > 0 else 1) if vigorish else net

    def cents(self, decision: Decision, options: Any, stake: int) -> tuple[int, int]:
        """What a stake wins by this decision before vigorish, and the vigorish; to the cent."""
        net = stake * self._gross(decision, options)
        rounding = self.rounding if decision.rounding is Rounding.NONE else decision.rounding
        if rounding is Rounding.NONE and net.denominator != 1:
            raise InexactPayment(f"{self.id} of {stake} cents cannot be settled exactly")
        won = ceil(net) if rounding is Rounding.PLAYER else floor(net)
        vigorish = self.vigorish(options) if decision.charged else None
        return won, vigorish.on(won if won > 0 else stake) if vigorish else 0

    def _gross(self, decision: Decision, options: Any) -> Fraction:
        if decision.net is not None:
            return decision.net
        return self.pay_table(options)[decision.line].net

    def unit(self, options: Any, state: Any, spot: str, covers: Any) -> int:
        """Stakes must be multiples of this, or some payment could not be made exactly."""
        table = self.pay_table(options)
        lines = [self.line_from(state, spot)] if self.line_from else table
        parts = self.parts(covers) if callable(self.parts) else self.parts
        exact = [] if self.rounding is not Rounding.NONE else [table[line].net for line in lines]
        vigorish = self.vigorish(options)
        if vigorish and not vigorish.up_to:
            exact += [vigorish.rate, *(vigorish.rate * net for net in exact)]
        return lcm(parts, *(part.denominator for part in exact))

    def needs(self, options: Any) -> tuple[str, ...]:
        """The wagers of which at least one must lie beside it at this table."""
        if self.equals:
            return (self.equals,)
        return self.rests_on if self.rests_on and self.rests_if(options) else ()

    @property
    def after(self) -> tuple[str, ...]:
        """The wagers of which one must lie before it can be made: behind, beside or against it."""
        if one := self.supports or self.equals or self.against:
            return (one,)
        return self.rests_on

    @property
    def is_always_open(self) -> bool:
        """It may be made before any round, whatever stands at the table."""
        return self.window is _open and self.supports is None


def multiples(low: int, high: int, step: int) -> tuple[int, int]:
    """The least and the greatest multiple of a step between two amounts; crossed if none is."""
    return -(-low // step) * step, high // step * step


def _parts(spot: str) -> list[str]:
    return sorted(spot.lower().split("-"))


@dataclass(frozen=True, slots=True)
class Bet:
    """A wager that lies on the layout."""

    seat: str
    wager: Wager
    spot: str
    covers: Any
    stake: int
    called_on: bool = False
    hand: str = ""  # the name of the hand it lies on, where that is not the first of its seat

    @property
    def on(self) -> str:
        """The name of the hand it lies on."""
        return self.hand or self.seat

    @property
    def key(self) -> tuple[str, str, str]:
        return self.hand or self.seat, self.wager.id, self.spot

    @property
    def place(self) -> dict[str, str]:
        """Where it lies, as events tell it."""
        place = {"seat": self.seat, "wager": self.label}
        return {"seat": self.seat, "hand": self.hand, "wager": self.label} if self.hand else place

    @property
    def label(self) -> str:
        return self.wager.label(self.spot)

    @property
    def title(self) -> str:
        """For people: "Straight 17"."""
        return self.wager.titled(self.spot)


Why = tuple[str, Citation]  # a reason, and the paragraph behind it


@dataclass(frozen=True, slots=True)
class Opening:
    """The amounts to which a wager may be set now: multiples of `step` from low to high."""

    wager: Wager
    spot: str
    covers: Any
    low: int
    high: int
    step: int
    removable: bool  # it lies on the layout and may be taken down
    why_not_less: Why
    why_not_more: Why
    changed_by: Citation  # the paragraph that lets it be reduced or taken down
    why_kept: Why | None = None  # why it may not be taken down, if not because it may not be less

    def by(self, unit: int) -> "Opening":
        """Only multiples of this as well; refused if there are none."""
        step = lcm(self.step, unit)
        low, high = multiples(self.low, self.high, step)
        if low > high:
            message = f"no amount of {self.wager.label(self.spot)} could be paid exactly here"
            raise Refusal(Fault.NOT_PAYABLE, message, self.wager.paid_by)
        return replace(self, step=step, low=low, high=high)
