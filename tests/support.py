"""What the tests of every game say: deal this, expect that, and the second path to every edge."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

import pytest

from croupier.games import find_game
from croupier.rulebook import (
    Draw,
    Fault,
    Play,
    Refusal,
    Result,
    Table,
    Unlawful,
    script,
)


@dataclass(frozen=True)
class Told:
    """What a round script printed."""

    document: dict[str, Any]

    @property
    def rounds(self) -> list[dict[str, Any]]:
        rounds: list[dict[str, Any]] = self.document["rounds"]
        return rounds

    def net(self, seat: str = "1") -> int:
        """The change of a seat's bankroll over the whole script."""
        net: int = self.document["net"][seat]
        return net

    def settled(self, wager: str, seat: str = "1", round: int = -1) -> dict[str, Any]:
        """What became of a wager in a round (the last, unless told otherwise)."""
        found = [
            settlement
            for settlement in self.rounds[round]["settlements"]
            if (settlement["seat"], settlement["wager"]) == (seat, wager)
        ]
        assert len(found) == 1, f"{wager} of seat {seat}: {self.rounds[round]['settlements']}"
        settled: dict[str, Any] = found[0]
        return settled

    def result(self, wager: str, seat: str = "1", round: int = -1) -> tuple[str, int]:
        """`("win", 3500)`: how a wager came out, and its net in cents."""
        settled = self.settled(wager, seat, round)
        return settled["result"], settled["net"]

    def events(self, kind: str, round: int = -1) -> list[dict[str, Any]]:
        return [event for event in self.rounds[round]["events"] if event["kind"] == kind]

    def said(self, round: int = -1) -> list[str]:
        """What the dealer announced."""
        return [event["text"] for event in self.events("announce", round)]


def deal(
    game: str,
    draws: Sequence[Any],
    wagers: Mapping[str, int] | None = None,
    *,
    options: Mapping[str, Any] | None = None,
    moves: Sequence[Any] = (),
    seats: Mapping[str, Any] | None = None,
    irregularities: Sequence[Mapping[str, Any]] = (),
) -> Told:
    """One round: seat 1 with these wagers, or the seats given."""
    one = {"1": {"wagers": dict(wagers or {}), "moves": list(moves)}}
    return run(
        {
            "game": game,
            "options": dict(options or {}),
            "draws": list(draws),
            "seats": seats or one,
            "irregularities": list(irregularities),
        }
    )


def throw_by_throw(
    game: str,
    *rounds: tuple[Any, Mapping[str, int]] | tuple[Any, Mapping[str, int], Sequence[Any]],
    options: Mapping[str, Any] | None = None,
) -> Told:
    """Several rounds of one draw each at one table: `([3, 1], {"pass": 1000}), ([2, 2], {})`."""
    told = []
    for draw, wagers, *moves in rounds:
        seat = {"wagers": dict(wagers), "moves": list(moves[0]) if moves else []}
        told.append({"draws": [draw], "seats": {"1": seat}})
    return run({"game": game, "options": dict(options or {}), "rounds": told})


def run(document: Mapping[str, Any]) -> Told:
    return Told(script.run(document, find_game))


def refused(*args: Any, **kwargs: Any) -> Refusal:
    """Deal it, expect a refusal, and hand that over."""
    with pytest.raises(Refusal) as caught:
        deal(*args, **kwargs)
    return caught.value


def everything(table: Table) -> Any:
    """All that a refusal must leave as it was."""
    lying, money = dict(table.bets), dict(table.money)
    return table.view(), lying, money, table.state, list(table.events), list(table.settlements)


def turned_away(table: Table, label: str, amount: Any = 1000, seat: str = "1") -> Refusal:
    """Try a wager that the table must refuse, see that nothing has changed, and hand that over."""
    before = everything(table)
    with pytest.raises(Refusal) as caught:
        table.bet(seat, label, amount)
    assert everything(table) == before
    asked = table.refusal(seat, label, amount)
    assert asked is not None
    assert str(asked) == str(caught.value)
    return caught.value


def not_answered(play: Play, answer: Any) -> Refusal:
    """Give an answer that the round must refuse: nothing changes, and it waits for the same."""
    before, waiting = everything(play.table), play.request
    with pytest.raises(Refusal) as caught:
        play.answer(answer)
    assert everything(play.table) == before
    assert play.request is waiting
    return caught.value


def section(refusal: Refusal) -> str:
    """The section that a refusal cites."""
    return refusal.cite.section if refusal.cite else ""


def says(refusal: Refusal, fault: Fault, words: str, cite: str = "") -> None:
    """The refusal names this fault, in these words, by this rule."""
    assert refusal.fault is fault
    assert words in refusal.message
    assert str(refusal.cite or "") == (f"19:47-{cite}" if cite else "")


def cited(told: Mapping[str, Any]) -> str:
    """The paragraph that a settlement or an event names, without the chapter."""
    return str(told.get("citation", "")).removeprefix("19:47-")


def unlawful(game: str, options: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The options at fault and the paragraphs that forbid them; no such table can be opened."""
    with pytest.raises(Unlawful) as caught:
        Table(find_game(game), options)
    violations = caught.value.violations
    assert all(len(found.message.split()) > 3 for found in violations)
    return [(found.option, str(found.cite).removeprefix("19:47-")) for found in violations]


def payable(game: str, label: str, options: Mapping[str, Any] | None = None) -> int:
    """A stake that the table accepts and that can be paid exactly at every line."""
    table = Table(find_game(game), options)
    wager, _, covers = table.game.find(label, table.options)
    odds = wager.pay_table(table.options).values()
    parts = wager.parts(covers) if callable(wager.parts) else wager.parts
    unit = lcm(2, parts, *(each.per for each in odds))
    low, high = wager.limits(table.options, covers)
    stake = -(-low // unit) * unit
    assert stake <= high
    return stake


def edge_through_rounds(
    game: str,
    label: str,
    options: Mapping[str, Any] | None = None,
    before: Sequence[Any] = (),
) -> Fraction:
    """The house edge of a wager that one outcome decides: every outcome, dealt as a round.

    `before` are draws that bring the table into the state in which the wager is made.
    """
    stake = payable(game, label, options)
    outcomes = find_game(game).device(Table(find_game(game), options).options).outcomes()
    lost, decided = 0, 0
    for outcome in outcomes:
        table = Table(find_game(game), options)
        for draw in before:
            _play(table, draw)
        table.open_betting()
        table.bet("1", label, stake)
        if not _play(table, outcome):
            continue  # the outcome is no outcome (a no spin): it is drawn again
        (settled,) = table.settlements
        assert settled.result is not Result.STANDING
        lost, decided = lost - settled.net, decided + 1
    return Fraction(lost, stake * decided)


def _play(table: Table, outcome: Any) -> bool:
    """Play one round with this outcome; False if the round would not take it."""
    play, used = Play(table), False
    while play.request is not None:
        if isinstance(play.request, Draw):
            if used:
                return False
            used = True
            play.answer(play.request.device.say(outcome))
        else:
            play.answer(getattr(play.request, "default", None))
    return True
