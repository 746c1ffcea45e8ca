"""What a round asks of whoever drives it, and what counts as an answer.

A round yields one request at a time. Answers are plain JSON values, so a log
of them plays the same round again. `check` refuses a bad answer before the
round has seen it, so a refusal changes nothing.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from croupier.equipment import Device, ImpossibleOutcome
from croupier.rulebook.citation import Citation
from croupier.rulebook.irregularity import Resolution, Then
from croupier.rulebook.refusal import Fault, Refusal


@dataclass(frozen=True, slots=True)
class Report:
    """Somebody reports an irregularity instead of, or before, an outcome."""

    kind: str
    resolution: Resolution
    seat: str = ""
    wager: str = ""


Lying = Mapping[tuple[str, str, str], Any]  # what is on the layout, by seat, wager and spot


def _report(
    answer: Any,
    known: Mapping[str, Resolution],
    lying: Lying,
    barred: Mapping[str, str],
    seats: Mapping[str, Collection[str]],
) -> Report | None:
    """`{"irregularity": kind}`, with a seat and a wager where one wager is meant."""
    if not isinstance(answer, Mapping) or "irregularity" not in answer:
        return None
    kind = answer["irregularity"]
    if not isinstance(kind, str) or kind not in known:
        raise Refusal(
            Fault.UNKNOWN_IRREGULARITY,
            f"{kind!r} is not an irregularity of this game; it knows {', '.join(known)}",
        )
    if kind in barred:
        raise Refusal(
            Fault.NOT_NOW, f"{kind} cannot be reported now: {barred[kind]}", known[kind].cite
        )
    report = Report(kind, known[kind], str(answer.get("seat", "")), str(answer.get("wager", "")))
    name, _, spot = report.wager.partition(":")
    one_wager = report.resolution.then is Then.RETURN_WAGER
    if one_wager and (report.seat, name, spot) not in lying:
        raise Refusal(
            Fault.BAD_SCRIPT,
            f"{kind} must name a seat and a wager that it has on the layout",
            report.resolution.cite,
        )
    if kind in seats and not report.seat:
        report = replace(report, seat=next(iter(seats[kind])))
    if kind in seats and report.seat not in seats[kind]:
        raise Refusal(
            Fault.BAD_SCRIPT,
            f"{kind} must name a seat to which it can have happened: {' or '.join(seats[kind])}",
            report.resolution.cite,
        )
    return report


@dataclass(frozen=True, slots=True)
class Draw:
    """The equipment is to give an outcome: a spin, a throw, a card, a number."""

    device: Device[Any]
    irregularities: Mapping[str, Resolution]
    lying: Lying
    barred: Mapping[str, str] = field(default_factory=dict)  # what cannot have happened, and why
    seats: Mapping[str, Collection[str]] = field(default_factory=dict)  # to whom something can have

    def check(self, answer: Any) -> Any:
        report = _report(answer, self.irregularities, self.lying, self.barred, self.seats)
        if report is not None:
            return report
        try:
            return self.device.read(answer)
        except ImpossibleOutcome as error:
            raise Refusal(Fault.IMPOSSIBLE_OUTCOME, f"{error}") from None


@dataclass(frozen=True, slots=True)
class Inspect:
    """The outcome is known and nothing has been paid: was anything irregular? `None` if not."""

    irregularities: Mapping[str, Resolution]
    lying: Lying
    barred: Mapping[str, str] = field(default_factory=dict)
    seats: Mapping[str, Collection[str]] = field(default_factory=dict)

    def check(self, answer: Any) -> Report | None:
        if answer is None:
            return None
        report = _report(answer, self.irregularities, self.lying, self.barred, self.seats)
        if report is None:
            raise Refusal(Fault.BAD_SCRIPT, f"{answer!r} is not a report of an irregularity")
        if report.resolution.then is Then.DRAW_AGAIN:
            raise Refusal(
                Fault.BAD_SCRIPT,
                f"{report.kind} can only be reported before the outcome is known",
                report.resolution.cite,
            )
        return report


@dataclass(frozen=True, slots=True)
class Move:
    """Something a player may do; with an amount where `high` is above zero."""

    name: str
    low: int = 0
    high: int = 0
    step: int = 1
    unit: str = "cents"
    cite: Citation | None = None  # the paragraph that limits the amount, if not the question's
    costs: int = 0  # what it stakes, where there is no choice of amount

    @property
    def takes_amount(self) -> bool:
        return self.high > 0

    def __str__(self) -> str:
        if not self.takes_amount:
            return f"{self.name} ({self.costs} {self.unit})" if self.costs else self.name
        return f"{self.name} ({self.low} to {self.high} {self.unit})"


@dataclass(frozen=True, slots=True)
class Ask:
    """A seat is to decide. The default is what the rules do when nobody answers.

    An `offer` need not be answered at all (to take the dice, to call a wager
    on); any other question must be. That a `private` one was asked is for nobody
    else to know: it would tell what the seat holds.
    """

    seat: str
    question: str
    moves: tuple[Move, ...]
    default: str
    cite: Citation
    offer: bool = False
    private: bool = False

    def check(self, answer: Any) -> Any:
        """The move, as `name` or as `(name, amount)`."""
        name, amount = answer, None
        if isinstance(answer, Mapping) and len(answer) == 1:
            ((name, amount),) = answer.items()
        for move in self.moves:
            if move.name == name:
                return self._amount(move, amount)
        raise Refusal(
            Fault.ILLEGAL_MOVE,
            f"seat {self.seat} may {', '.join(map(str, self.moves))} here, not {answer!r}",
            self.cite,
        )

    def _amount(self, move: Move, amount: Any) -> Any:
        if not move.takes_amount:
            if amount is None or (type(amount) is int and amount == move.costs > 0):
                return move.name
        elif type(amount) is int and amount in range(move.low, move.high + 1, move.step):
            return move.name, amount
        steps = f": in steps of {move.step}" if 1 < move.step <= move.high - move.low else ""
        message = f"seat {self.seat} may {move}, not {amount!r}{steps}"
        raise Refusal(Fault.ILLEGAL_MOVE, message, move.cite or self.cite)


Request = Draw | Inspect | Ask
