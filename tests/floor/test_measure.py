"""How much of a table one person may have; and that no log is read by it."""

from typing import Any

import pytest

from croupier.floor.commands import Command
from croupier.floor.pit import Pit
from croupier.floor.policies import Policies
from croupier.floor.roles import Person
from croupier.floor.storage import Storage
from croupier.rulebook import Fault, Refusal
from tests.floor.support import (
    ANN,
    BOB,
    BYSTANDER,
    FLOORPERSON,
    SUPERVISOR,
    At,
    a_pit,
    opened,
    proved,
)


@pytest.fixture
def at(pit: Pit) -> At:
    """A table at which nobody sits."""
    return opened(pit, "roulette")


def burst(at: At, by: Person, bodies: list[dict[str, Any]]) -> list[Any]:
    """These commands at once, in one transaction: the replies and refusals."""
    answers: list[Any] = []
    at.pit._perform([
        (Command(at.stream, by, f"burst/{number}", body), answers.append)
        for number, body in enumerate(bodies)
    ])  # fmt: skip
    return answers


def refusals(answers: list[Any]) -> list[Refusal]:
    return [each for each in answers if isinstance(each, Refusal)]


def play(at: At, by: Person, seat: str = "1") -> None:
    at.do(by, "bet", seat=seat, wagers={"red": 500})
    at.do(by, "ready", seat=seat)


def test_one_account_takes_two_seats_and_no_more_even_in_a_burst(at: At) -> None:
    answers = burst(at, ANN, [{"do": "sit", "seat": str(seat)} for seat in range(1, 6)])
    told = refusals(answers)
    assert len(told) == 3
    assert {each.fault for each in told} == {Fault.NOT_NOW}
    assert told[0].message == "a player may have 2 seats at a table, and you have seats 1, 2"
    assert at.live.seats_of(ANN.account) == ["1", "2"]
    at.do(BOB, "sit", seat="3")
    at.do(ANN, "leave", seat="1")
    at.do(ANN, "sit", seat="4")
    proved(at.pit.storage, at.pit.house.seal)


def test_the_operator_says_how_many(storage: Storage) -> None:
    at = opened(a_pit(storage, policies=Policies(most_seats=1)), "roulette")
    at.do(ANN, "sit", seat="1")
    refused = at.refused(ANN, "sit", seat="2")
    assert refused.message == "a player may have one seat at a table, and you have seat 1"


def test_a_log_of_a_house_that_allowed_more_is_read_as_it_is(storage: Storage) -> None:
    generous = opened(a_pit(storage, policies=Policies(most_seats=7, most_disputes=9)), "roulette")
    for seat in range(1, 6):
        generous.do(ANN, "sit", seat=str(seat), buy_in=100_000)
    play(generous, ANN)
    for _ in range(6):
        generous.do(ANN, "dispute", about=1, why="it was red")
    strict = a_pit(storage)
    strict.take_over()
    assert len(At(strict, generous.stream).live.seats_of(ANN.account)) == 5
    proved(storage)


class TestDisputes:
    def test_a_spectator_disputes_nothing(self, at: At) -> None:
        at.do(ANN, "sit", seat="1", buy_in=100_000)
        play(at, ANN)
        refused = at.refused(BYSTANDER, "dispute", about=1, why="I saw it")
        assert refused.fault is Fault.FORBIDDEN
        assert refused.message.startswith("only players of round 1, and those who sit here now")
        answers = burst(at, BYSTANDER, [{"do": "dispute", "about": 1, "why": "x"}] * 9)
        assert len(refusals(answers)) == 9

    def test_a_player_may_who_has_left_since(self, at: At) -> None:
        at.do(ANN, "sit", seat="1", buy_in=100_000)
        play(at, ANN)
        at.do(ANN, "leave", seat="1")
        at.do(ANN, "dispute", about=1, why="it was red")
        at.do(BOB, "sit", seat="2", buy_in=100_000)
        play(at, BOB, "2")
        at.do(BOB, "dispute", about=2, why="so was this")
        refused = at.refused(ANN, "dispute", about=2, why="that too")
        assert refused.fault is Fault.FORBIDDEN

    def test_a_few_at_a_time_until_the_house_has_looked_into_them(self, at: At) -> None:
        at.do(ANN, "sit", seat="1", buy_in=100_000)
        at.do(BOB, "sit", seat="2", buy_in=100_000)
        body = {"do": "dispute", "about": 0, "why": "the ball was touched"}
        told = refusals(burst(at, ANN, [body] * 10))
        assert len(told) == 7
        assert told[0].fault is Fault.NOT_NOW
        assert told[0].message.startswith("you have 3 disputes open at this table: wait until")
        at.do(BOB, "dispute", about=0, why="mine is another")
        at.do(FLOORPERSON, "freeze", why="looking into it", about=0)
        at.do(SUPERVISOR, "thaw", why="nobody touched it")
        at.do(ANN, "dispute", about=0, why="but I saw it")

    def test_the_houses_people_are_not_counted(self, at: At) -> None:
        for _ in range(9):
            at.do(FLOORPERSON, "dispute", about=0, why="a patron told me")
