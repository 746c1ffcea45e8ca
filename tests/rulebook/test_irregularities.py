"""Irregularities: what went wrong, and what the rule does about it."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import pytest

from croupier.equipment import Odds, Wheel
from croupier.rulebook import (
    Draw,
    Fault,
    Game,
    Inspect,
    Play,
    Refusal,
    Result,
    Round,
    Table,
    TableOptions,
    Then,
    Wager,
    by_option,
    carry_on,
    choice,
    draw_again,
    law,
    return_wager,
    void_round,
)


@dataclass(frozen=True)
class Clock:
    """How often the clock has been reset."""

    resets: int = 0


class ClockOptions(TableOptions):
    ball_lost = choice("again", "carry_on", cite=law("99.4"))


def reset(table: Table) -> None:
    table.state = replace(table.state, resets=table.state.resets + 1)


class ClockWheel(Game):
    """One spin, with every kind of resolution."""

    id = "clock-wheel"
    title = "Clock wheel"
    cite = law("99.1")
    positions = 3
    Options = ClockOptions
    State = Clock
    wagers = (
        Wager(
            id="hour",
            title="Hour",
            cite=law("99.2"),
            paid_by=law("99.3"),
            pays=Odds(2),
            covers=lambda options: {"1": {"1"}, "2": {"2"}, "3": {"3"}},
        ),
    )
    irregularities = {
        "object": draw_again("an object enters the wheel", "No spin", law("99.5")),
        "late_call": carry_on("the call was late", "The spin stands", law("99.6")),
        "late_wager": return_wager("a wager was late", "It is returned", law("99.7")),
        "power_cut": void_round("the lights go out", "All wagers are returned", law("99.8")),
        "clock_stops": draw_again("the clock stops", "It is reset", law("99.9"), reset),
        "clock_slow": carry_on("the clock is slow", "It is reset", law("99.9"), reset),
        "ball_lost": by_option(
            "ball_lost",
            again=draw_again("the ball is lost", "Spun again", law("99.10")),
            carry_on=carry_on("the ball is lost", "The stop counts", law("99.11")),
        ),
    }

    def device(self, options: ClockOptions) -> Wheel:
        return Wheel("clock", ["1", "2", "3"])

    def round(self, table: Table) -> Round:
        table.no_more_bets(law("99.1"))
        stop = yield from table.draw(self.device(table.options))
        yield from table.inspect()
        table.settle(stop, law("99.3"))


def begun(**options: Any) -> Play:
    table = Table(ClockWheel(), options)
    table.bet("1", "hour:1", 1000)
    table.bet("1", "hour:2", 2000)
    table.bet("2", "hour:1", 3000)
    return Play(table)


def spun(stop: str = "1", **options: Any) -> Play:
    play = begun(**options)
    play.answer(stop)
    return play


def snapshot(play: Play) -> Any:
    table = play.table
    return (
        play.request,
        list(play.answers),
        dict(table.bets),
        dict(table.money),
        list(table.events),
        list(table.settlements),
        table.state,
    )


def refusal_of(play: Play, answer: Any) -> Refusal:
    """Report something that must be refused, and see that nothing changes."""
    before = snapshot(play)
    with pytest.raises(Refusal) as caught:
        play.answer(answer)
    assert snapshot(play) == before
    return caught.value


def irregularities(play: Play) -> list[dict[str, Any]]:
    return [event.as_json() for event in play.table.events if event.kind == "irregularity"]


def stakes(play: Play) -> dict[tuple[str, str], int]:
    return {(bet.seat, bet.label): bet.stake for bet in play.table.bets.values()}


Begin = Callable[[], Play]

ALL = {("1", "hour:1"): 1000, ("1", "hour:2"): 2000, ("2", "hour:1"): 3000}


def test_draw_again_keeps_the_wagers_and_asks_for_another_outcome() -> None:
    play = begun()
    play.answer({"irregularity": "object"})
    assert isinstance(play.request, Draw)
    assert stakes(play) == ALL
    play.answer("2")
    play.answer(None)
    assert play.table.money["1"] == 4000 - 1000


def test_an_irregularity_is_recorded_with_what_is_done_about_it() -> None:
    play = begun()
    play.answer({"irregularity": "object"})
    assert irregularities(play) == [
        {
            "kind": "irregularity",
            "irregularity": "object",
            "what": "an object enters the wheel",
            "resolution": "No spin",
            "citation": "19:47-99.5",
        }
    ]


def test_the_same_irregularity_may_happen_again_and_again() -> None:
    play = begun()
    for _ in range(3):
        play.answer({"irregularity": "object"})
    assert len(irregularities(play)) == 3
    assert isinstance(play.request, Draw)


def test_draw_again_cannot_be_reported_once_the_outcome_is_known() -> None:
    refused = refusal_of(spun(), {"irregularity": "object"})
    assert refused.message == "object can only be reported before the outcome is known"
    assert str(refused.cite) == "19:47-99.5"


def test_carry_on_before_the_outcome_leaves_the_outcome_to_come() -> None:
    play = begun()
    play.answer({"irregularity": "late_call"})
    assert isinstance(play.request, Draw)
    assert stakes(play) == ALL


def test_carry_on_after_the_outcome_lets_it_count() -> None:
    play = spun("2")
    play.answer({"irregularity": "late_call"})
    assert isinstance(play.request, Inspect)
    play.answer(None)
    assert {s.bet.label: s.result for s in play.table.settlements if s.bet.seat == "1"} == {
        "hour:1": Result.LOSE,
        "hour:2": Result.WIN,
    }


@pytest.mark.parametrize("begin", [begun, spun])
def test_return_wager_returns_the_wager_that_is_named_and_no_other(begin: Begin) -> None:
    play = begin()
    play.answer({"irregularity": "late_wager", "seat": "1", "wager": "hour:1"})
    assert stakes(play) == {("1", "hour:2"): 2000, ("2", "hour:1"): 3000}
    assert play.table.money["1"] == -2000
    (settled,) = play.table.settlements
    assert (settled.result, settled.stake, settled.net) == (Result.VOID, 1000, 0)
    assert str(settled.cite) == "19:47-99.7"
    assert irregularities(play)[0]["wager"] == "hour:1"


def test_a_returned_wager_is_not_decided_by_the_outcome() -> None:
    play = begun()
    play.answer({"irregularity": "late_wager", "seat": "2", "wager": "hour:1"})
    play.answer("1")
    play.answer(None)
    assert play.table.money["2"] == 0
    assert [(s.bet.seat, s.bet.label, s.net) for s in play.table.settlements] == [
        ("2", "hour:1", 0),
        ("1", "hour:1", 2000),
        ("1", "hour:2", -2000),
    ]


def test_a_wager_is_returned_only_once() -> None:
    play = begun()
    report = {"irregularity": "late_wager", "seat": "1", "wager": "hour:1"}
    play.answer(report)
    refusal_of(play, report)


@pytest.mark.parametrize(
    "about",
    [
        {},
        {"seat": "1"},
        {"wager": "hour:1"},
        {"seat": "1", "wager": "hour:3"},
        {"seat": "1", "wager": "hour"},
        {"seat": "3", "wager": "hour:1"},
        {"seat": "9", "wager": "nonsense"},
        {"seat": None, "wager": ["hour:1"]},
    ],
)
@pytest.mark.parametrize("begin", [begun, spun])
def test_a_wager_that_is_not_there_cannot_be_returned(begin: Begin, about: Any) -> None:
    refused = refusal_of(begin(), {"irregularity": "late_wager", **about})
    assert refused.message == "late_wager must name a seat and a wager that it has on the layout"
    assert str(refused.cite) == "19:47-99.7"


@pytest.mark.parametrize("begin", [begun, spun])
def test_void_round_returns_every_wager(begin: Begin) -> None:
    play = begin()
    play.answer({"irregularity": "power_cut"})
    assert play.request is None
    assert play.table.is_void
    assert not play.table.bets
    assert not any(play.table.money.values())
    assert {(s.bet.seat, s.bet.label): s.stake for s in play.table.settlements} == ALL
    assert {s.result for s in play.table.settlements} == {Result.VOID}
    assert {str(s.cite) for s in play.table.settlements} == {"19:47-99.8"}


def test_nothing_follows_a_void_round() -> None:
    play = begun()
    play.answer({"irregularity": "power_cut"})
    assert refusal_of(play, "1").fault is Fault.NOT_NOW


@pytest.mark.parametrize("kind", ["clock_stops", "clock_slow"])
def test_a_resolution_may_change_something_else_at_the_table(kind: str) -> None:
    play = begun()
    play.answer({"irregularity": kind})
    assert play.table.state == Clock(resets=1)
    play.answer("1")
    assert play.table.state == Clock(resets=1)


def test_the_licensee_may_choose_the_resolution_beforehand() -> None:
    for option, then, cite in [
        ("again", Then.DRAW_AGAIN, "19:47-99.10"),
        ("carry_on", Then.CARRY_ON, "19:47-99.11"),
    ]:
        game = ClockWheel()
        rule = game.resolutions(game.options({"ball_lost": option}))["ball_lost"]
        assert rule.then is then
        assert str(rule.cite) == cite


def test_the_chosen_resolution_is_the_one_used() -> None:
    refusal_of(spun(ball_lost="again"), {"irregularity": "ball_lost"})
    play = spun(ball_lost="carry_on")
    play.answer({"irregularity": "ball_lost"})
    assert irregularities(play)[0]["resolution"] == "The stop counts"


@pytest.mark.parametrize("kind", ["earthquake", "", None, 7, ["object"], {"kind": "object"}])
@pytest.mark.parametrize("begin", [begun, spun])
def test_an_unknown_irregularity_is_answered_with_the_known_ones(begin: Begin, kind: Any) -> None:
    refused = refusal_of(begin(), {"irregularity": kind})
    assert refused.fault is Fault.UNKNOWN_IRREGULARITY
    assert refused.message == (
        f"{kind!r} is not an irregularity of this game; it knows object, late_call, late_wager, "
        "power_cut, clock_stops, clock_slow, ball_lost"
    )
