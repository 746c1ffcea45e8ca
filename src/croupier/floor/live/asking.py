"""The question that a round waits for: who is asked, what they may answer, and for how long.

Nothing else at a live table knows what a question looks like. The round asks
(`ask`), takes the answers from here (`decision`, `defaults`) and goes on.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from croupier.equipment import dollars
from croupier.floor.live.state import LiveState
from croupier.floor.live.terms import LIMITS, Input, Wait
from croupier.rulebook import Ask, Fault, Move, Refusal

ASKED = "asked"  # the kind of the event that asks


def asked(live: LiveState) -> Ask | None:
    """The question that the round waits for, if it waits for a player."""
    request = live.request
    return request if isinstance(request, Ask) else None


def is_public(live: LiveState) -> bool:
    """Whether everybody may know that the round waits for a player."""
    question = asked(live)
    return question is not None and not question.private


# Asking.


def ask(live: LiveState, question: Ask) -> None:
    """Tell whoever may know of the question what is asked, and how long they have."""
    described = _described(live, question)
    del described["citation"]  # the event has its own
    live.tell(
        ASKED, question.cite, seen_by=_only_for(live, question), **described,
        seconds=_seconds(live, question),
    )  # fmt: skip


def numbered(live: LiveState) -> None:
    """Note that the last event of the log is the one that asks."""
    live.asked_number = live.number


def shown(live: LiveState, account: str, *, sees_all: bool) -> dict[str, Any] | None:
    """The question as somebody may see it; None if there is none, or none that they may see."""
    question = asked(live)
    if question is None:
        return None
    own = question.seat in live.seats_of(account)
    if question.private and not (own or sees_all):
        return None
    return {"number": live.asked_number, **_described(live, question)}


def _described(live: LiveState, question: Ask) -> dict[str, Any]:
    """A question, with the moves that the seat can pay for."""
    moves = [_affordable(live, question.seat, move) for move in question.moves]
    return {
        "seat": question.seat,
        "question": question.question,
        "moves": [
            {
                "move": move.name, "low": move.low, "high": move.high, "step": move.step,
                "unit": move.unit, "costs": move.costs,
            }
            for move in moves if move
        ],
        "default": question.default,
        "offer": question.offer,
        "citation": str(question.cite),
    }  # fmt: skip


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
    """Refuse a command that answers a question which is over."""
    if command.get("asked") not in (None, live.asked_number):
        raise Refusal(Fault.STALE, "that question is over")


def check_answered(live: LiveState) -> None:
    """Refuse that the dealer goes on while a player is to decide."""
    if question := asked(live):
        raise Refusal(Fault.NOT_NOW, f"seat {question.seat} is to decide first", question.cite)


def decision(live: LiveState, said: Input) -> list[Any]:
    """The answers to the round that a player's move gives, if they may make it and can pay."""
    question = asked(live)
    if question is None or question.seat != said["seat"]:
        raise Refusal(Fault.NOT_NOW, "you are not asked for anything now", live.cite)
    move = said["move"]
    question.check(move)
    name = next(iter(move)) if isinstance(move, dict) else move
    amount = move[name] if isinstance(move, dict) else 0
    for each in question.moves:
        cost = (amount or each.costs) if each.name == name and each.unit == "cents" else 0
        if cost > live.free(question.seat):
            have = dollars(live.free(question.seat))
            message = f"{name} costs {dollars(cost)}, and seat {question.seat} has {have}"
            raise Refusal(Fault.NO_FUNDS, message, LIMITS)
    return [move]


def defaults(live: LiveState) -> list[Any]:
    """The answers that the rules give when time is up, which is told; none if nobody is asked."""
    question = asked(live)
    if question is None:
        return []
    live.tell(
        "time_up", question.cite, seen_by=_only_for(live, question), seat=question.seat,
        move=question.default,
    )  # fmt: skip
    return [question.default]


# The clock.


def waits(live: LiveState) -> list[Wait]:
    """What the clock will do if nobody does anything."""
    if live.status not in ("open", "closing"):
        return []
    if question := asked(live):
        return [Wait(_waits_for(live), _seconds(live, question))]
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
