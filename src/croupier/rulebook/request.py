"""What a round asks of whoever drives it, and what counts as an answer.

A round yields one request at a time; one of them asks several people at once.
Answers are plain JSON values, so a log of them plays the same round again.
`check` refuses a bad answer before the round has seen it, so a refusal changes
nothing.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from croupier.equipment import Device, ImpossibleOutcome
from croupier.rulebook.citation import Citation
from croupier.rulebook.irregularity import Resolution, Then
from croupier.rulebook.moves import Move, illegal
from croupier.rulebook.refusal import Fault, Refusal, brief


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
class Ask:
    """A seat is to decide about one of its hands. The default is what the rules do if it does not.

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
    hand: str = ""  # the name of the hand, where it is not the first of its seat
    holding: tuple[Any, ...] = ()  # what lies in it, where a move names cards or tiles

    @property
    def about(self) -> str:
        """The name of the hand that is asked about."""
        return self.hand or self.seat

    @property
    def who(self) -> str:
        return f"seat {self.seat}" + (f" with hand {self.hand}" if self.hand else "")

    def check(self, answer: Any) -> Any:
        """The move, as `name` or as `(name, amount)`, `(name, cards)`, `(name, parts)`."""
        name, content = named(answer)
        for move in self.moves:
            if move.name == name:
                try:
                    return move.read(content, self.holding)
                except ValueError as why:
                    raise illegal(self.who, str(why), move.cite or self.cite) from None
        may = f"may {', '.join(map(str, self.moves))} here, not {brief(answer)}"
        raise illegal(self.who, may, self.cite)


@dataclass(frozen=True, slots=True)
class AskAll:
    """Several hands are asked at once, and the round goes on when all have answered.

    An answer names its hand: `{"2": "house_way"}`. Answers come in any order, and the round
    sees none of them before it has them all.
    """

    asks: tuple[Ask, ...]
    given: Mapping[str, Any] = field(default_factory=dict)  # the checked answers, by hand

    @property
    def waiting(self) -> tuple[Ask, ...]:
        """The questions that have not been answered."""
        return tuple(ask for ask in self.asks if ask.about not in self.given)

    def check(self, answer: Any) -> tuple[str, Any]:
        """The hand and its move."""
        if not isinstance(answer, Mapping) or len(answer) != 1:
            raise Refusal(
                Fault.ILLEGAL_MOVE, f"{brief(answer)} does not say which hand it is the answer of"
            )
        ((hand, move),) = answer.items()
        for ask in self.asks:
            if ask.about == hand and hand in self.given:
                raise illegal(ask.who, "has answered already", ask.cite)
            if ask.about == hand:
                return hand, ask.check(move)
        raise Refusal(Fault.ILLEGAL_MOVE, f"hand {brief(hand)} is not asked for anything now")

    def with_answer(self, hand: str, move: Any) -> "AskAll":
        return replace(self, given={**self.given, hand: move})

    def answers(self) -> dict[str, Any]:
        """Every answer, in the order of the questions."""
        return {ask.about: self.given[ask.about] for ask in self.asks}


def named(answer: Any) -> tuple[Any, Any]:
    """The name of a move, and what stands beside it."""
    if isinstance(answer, Mapping) and len(answer) == 1:
        ((name, content),) = answer.items()
        return name, content
    return answer, None


Request = Draw | Inspect | Ask | AskAll


def asked(request: Request | None) -> tuple[Ask, ...]:
    """The questions that a request puts to people and that have not been answered."""
    if isinstance(request, Ask):
        return (request,)
    return request.waiting if isinstance(request, AskAll) else ()


def reply(request: Request, ask: Ask, move: Any) -> Any:
    """A move as the answer to a request that asks this, alone or among others."""
    return {ask.about: move} if isinstance(request, AskAll) else move
