"""The questions that a round waits for: who is asked, what they may answer, and for how long.

Nothing else at a live table knows what a question looks like. The round asks
(`ask`), takes the answers from here (`decision`, `defaults`) and goes on. It
asks one seat or several at once; then it goes on when all have answered or
their time is up, and nobody is told another's answer before that.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from croupier.equipment import dollars
from croupier.floor.live.state import LiveState
from croupier.floor.live.terms import LIMITS, Input, Wait
from croupier.rulebook import Ask, AskAll, Fault, Move, Refusal, named, reply, seat_of
from croupier.rulebook import asked as waiting

ASKED = "asked"  # the kind of the event that asks


def asked(live: LiveState) -> tuple[Ask, ...]:
    """The questions that the round waits for, if it waits for players."""
    return waiting(live.request)


def is_public(live: LiveState) -> bool:
    """Whether everybody may know that the round waits for a player."""
    return any(not question.private for question in asked(live))


# Asking.


def ask(live: LiveState) -> None:
    """Tell whoever may know of a question what is asked, unless it was asked before."""
    if isinstance(live.request, AskAll) and live.request.given:
        return
    live.asked_numbers = {}
    for question in asked(live):
        described = _described(live, question)
        del described["citation"]  # the event has its own
        live.tell(
            ASKED, question.cite, seen_by=_only_for(live, question), **described,
            seconds=_seconds(live, question),
        )  # fmt: skip


def numbered(live: LiveState, told: Mapping[str, Any]) -> None:
    """Note that the last event of the log is the one that asks this."""
    live.asked_number = live.number
    live.asked_numbers[told.get("hand") or told["seat"]] = live.number


def shown(live: LiveState, account: str, *, sees_all: bool) -> list[dict[str, Any]]:
    """The questions that wait for an answer, as somebody may see them: their own come first."""
    seats = live.seats_of(account)
    questions = sorted(asked(live), key=lambda question: question.seat not in seats)
    return [
        {
            "number": live.asked_numbers.get(question.about, live.asked_number),
            **_described(live, question),
            **_held(question, shows=sees_all or question.seat in seats),
        }
        for question in questions
        if sees_all or question.seat in seats or not question.private
    ]


def _held(question: Ask, *, shows: bool) -> dict[str, Any]:
    """What lies in the hand, for whoever is to choose from it."""
    held = [str(piece) for piece in question.holding]
    return {"holding": held} if held and shows else {}


def _described(live: LiveState, question: Ask) -> dict[str, Any]:
    """A question, with the moves that the seat can pay for."""
    moves = [_affordable(live, question.seat, move) for move in question.moves]
    return {
        "seat": question.seat,
        **_of_hand(question),
        "question": question.question,
        "moves": [move.as_json() for move in moves if move],
        "default": question.default,
        "offer": question.offer,
        "citation": str(question.cite),
    }


def _of_hand(question: Ask) -> dict[str, str]:
    """The hand that is asked about, where it is not the first of its seat."""
    return {"hand": question.hand} if question.hand else {}


def _affordable(live: LiveState, seat: str, move: Move) -> Move | None:
    """The move, with no greater amount than the seat has; None if it cannot pay for it."""
    if move.unit != "cents" or max(move.high, move.costs) <= (free := live.free(seat)):
        return move
    high = move.low + (free - move.low) // move.step * move.step
    return replace(move, high=high) if move.takes_amount and high >= move.low else None


def _only_for(live: LiveState, question: Ask) -> str | None:
    """The only account that may know of a question; None is everyone."""
    return live.holder(question.seat) if question.private else None


# Answering.


def check_current(live: LiveState, command: Mapping[str, Any]) -> None:
    """Refuse a command that answers a question which is over, or was put to another seat.

    Both get one answer, so that nobody can try out whether another seat is asked in private.
    """
    number = command.get("asked")
    if number is None:
        return
    numbers = live.asked_numbers.items()
    if all(its != number or seat_of(hand) != command.get("seat") for hand, its in numbers):
        raise Refusal(Fault.STALE, "that question is over")


def check_answered(live: LiveState) -> None:
    """Refuse that the dealer goes on while a player is to decide."""
    for question in asked(live):
        raise Refusal(Fault.NOT_NOW, f"seat {question.seat} is to decide first", question.cite)


def decision(live: LiveState, said: Input) -> list[Any]:
    """The answer to the round that a player's move gives, if they may make it and can pay."""
    question, move, request = _meant(live, said), said["move"], live.request
    assert request is not None
    question.check(move)
    name, content = named(move)
    for each in question.moves:
        amount = content if type(content) is int else 0
        cost = (amount or each.costs) if each.name == name and each.unit == "cents" else 0
        if cost > live.free(question.seat):
            have = dollars(live.free(question.seat))
            message = f"{name} costs {dollars(cost)}, and seat {question.seat} has {have}"
            raise Refusal(Fault.NO_FUNDS, message, LIMITS)
    if isinstance(request, AskAll):  # that somebody has answered may be known, but not what
        said["hand"] = question.about  # for a replay, to which events have no numbers yet
        live.tell(
            "answered", question.cite, seen_by=_only_for(live, question), seat=question.seat,
            **_of_hand(question),
        )  # fmt: skip
    return [reply(request, question, move)]


def _meant(live: LiveState, said: Input) -> Ask:
    """The question that a move answers: the one it names by hand or number, or the seat's first."""
    hand = said.get("hand") or _numbered_so(live, said)
    for question in asked(live):
        if question.seat == said["seat"] and hand in (None, question.about):
            return question
    request = live.request
    asks = request.asks if isinstance(request, AskAll) else ()
    if any(ask.seat == said["seat"] and hand in (None, ask.about) for ask in asks):
        raise Refusal(Fault.NOT_NOW, "you have answered already", live.cite)
    if hand is not None and any(ask.seat == said["seat"] for ask in asked(live)):
        raise Refusal(Fault.NOT_NOW, f"hand {hand} is not asked for anything now", live.cite)
    raise Refusal(Fault.NOT_NOW, "you are not asked for anything now", live.cite)


def _numbered_so(live: LiveState, said: Input) -> str | None:
    """The seat's hand that was asked about by the event of the number a move gives, if any."""
    number, seat = said.get("asked"), said["seat"]
    numbers = live.asked_numbers.items()
    return next((hand for hand, its in numbers if its == number and seat_of(hand) == seat), None)


def defaults(live: LiveState) -> list[Any]:
    """The answers that the rules give when time is up, which is told; none if nobody is asked."""
    answers = []
    for question in asked(live):
        live.tell(
            "time_up", question.cite, seen_by=_only_for(live, question), seat=question.seat,
            **_of_hand(question), move=question.default,
        )  # fmt: skip
        assert live.request is not None
        answers.append(reply(live.request, question, question.default))
    return answers


# The clock.


def waits(live: LiveState) -> list[Wait]:
    """What the clock will do if nobody does anything."""
    if live.status not in ("open", "closing"):
        return []
    if questions := asked(live):
        return [Wait(_waits_for(live), max(_seconds(live, each) for each in questions))]
    if live.counting:
        return [Wait(_waits_for(live), live.terms.bet_seconds)]
    return []


def check_time(live: LiveState, said: Input) -> None:
    """Refuse that time is up for something that the table no longer waits for."""
    now = _waits_for(live)
    if said.get("waits", now) != now:
        raise Refusal(Fault.STALE, "the time for something else was up")


def _waits_for(live: LiveState) -> str:
    """The question of this number, or the wagers of this round."""
    return f"question {live.asked_number}" if live.play else f"wagers {live.round}"


def _seconds(live: LiveState, question: Ask) -> int:
    return live.terms.offer_seconds if question.offer else live.terms.move_seconds
