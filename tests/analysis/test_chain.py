"""The chain solver, against chains that are solved by hand."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.analysis.chain import Ending, distribution
from croupier.equipment import Odds, Wheel
from croupier.games import find_game
from croupier.rulebook import (
    LOSE,
    PUSH,
    STAND,
    WIN,
    Case,
    Decision,
    Game,
    Play,
    Result,
    Round,
    Table,
    TableOptions,
    Wager,
    law,
    travel,
)

F = Fraction
RULE = law("99.1")


class OneWheel(Game):
    """Rounds of one spin of the rim given."""

    id = "one-wheel"
    title = "One wheel"
    cite = RULE
    positions = 1
    irregularities = {}

    def __init__(self, *rim: str) -> None:
        self.rim = rim

    def device(self, options: TableOptions) -> Wheel:
        return Wheel("wheel", self.rim)

    def round(self, table: Table) -> Round:
        table.no_more_bets(RULE)
        stop = yield from table.draw(self.device(table.options))
        table.settle(stop, RULE)
        table.state = self.after(table.state, stop, table.options)


def solved(game: Game, wager: str, *states: Any) -> dict[Ending, Fraction]:
    """The endings of a wager made in these states, each as often, or as the table begins."""
    options = game.options()
    found, spot, covers = game.find(wager, options)
    starts = {(state, spot): 1 for state in states or (game.State(),)}
    return distribution(game, found, options, starts, covers)


# A wager that stands until one of two faces comes.


def until_decided(case: Case[str, Any, Any]) -> Decision:
    return {"good": WIN, "bad": LOSE, "draw": PUSH}.get(case.outcome, STAND)


class Until(OneWheel):
    wagers = (
        Wager(
            id="until",
            title="Until",
            cite=RULE,
            paid_by=RULE,
            pays=Odds(2),
            decide=until_decided,
        ),
    )


def test_a_wager_that_one_outcome_decides_is_a_chain_of_one_step() -> None:
    assert solved(Until("good", "bad", "bad", "draw"), "until") == {
        Ending("win", F(2)): F(1, 4),
        Ending("lose", F(-1)): F(1, 2),
        Ending("push", F(0)): F(1, 4),
    }


def test_a_wager_that_stands_is_decided_by_the_faces_that_decide_it() -> None:
    assert solved(Until("good", "bad", "bad", *["again"] * 9), "until") == {
        Ending("win", F(2)): F(1, 3),
        Ending("lose", F(-1)): F(2, 3),
    }


@given(st.integers(0, 20), st.integers(0, 20), st.integers(1, 20), st.integers(0, 500))
def test_faces_that_decide_nothing_change_nothing(
    good: int, bad: int, draw: int, again: int
) -> None:
    rim = ["good"] * good + ["bad"] * bad + ["draw"] * draw + ["again"] * again
    decided = good + bad + draw
    expected = {
        Ending("win", F(2)): F(good, decided),
        Ending("lose", F(-1)): F(bad, decided),
        Ending("push", F(0)): F(draw, decided),
    }
    assert solved(Until(*rim), "until") == {end: p for end, p in expected.items() if p}


def stand_in_other_words(case: Case[str, Any, Any]) -> Decision:
    return {"good": WIN, "bad": LOSE}.get(case.outcome, Decision(Result.STANDING, "wait", F(0)))


def test_a_decision_that_stands_is_no_ending_whatever_share_it_names() -> None:
    game = Until("good", "bad", "again")
    wager = replace(game.wagers[0], decide=stand_in_other_words)
    found = distribution(game, wager, game.options(), {(game.State(), ""): 1}, ())
    assert found == solved(game, "until")


# A wager whose parts are decided one after another.


@dataclass(frozen=True)
class Spins:
    count: int = 0


def in_parts(parts: int, travels: bool) -> Any:
    """Each spin decides one of the parts that are left."""

    def decide(case: Case[str, Spins, Any]) -> Decision:
        left = parts - (int(case.spot or 0) if travels else case.state.count)
        moves_to = str(parts - left + 1) if travels and left > 1 else None
        decision = WIN if case.outcome == "good" else LOSE
        return replace(decision, share=F(1, left), moves_to=moves_to)

    return decide


def parted(name: str, parts: int, travels: bool) -> Wager:
    return Wager(
        id=name,
        title=name,
        cite=RULE,
        paid_by=RULE,
        pays=Odds(1),
        parts=parts,
        decide=in_parts(parts, travels),
    )


class Parts(OneWheel):
    State = Spins
    wagers = (
        parted("halves", 2, travels=True),
        parted("halves_by_state", 2, travels=False),
        parted("thirds", 3, travels=True),
        parted("thirds_by_state", 3, travels=False),
    )

    def after(self, state: Spins, outcome: str, options: Any) -> Spins:
        return Spins(state.count + 1)


@pytest.mark.parametrize("wager", ["halves", "halves_by_state"])
def test_two_halves_decided_one_after_the_other_add_up(wager: str) -> None:
    assert solved(Parts("good", "bad"), wager) == {
        Ending("net_1", F(1)): F(1, 4),
        Ending("net_0", F(0)): F(1, 2),
        Ending("net_-1", F(-1)): F(1, 4),
    }


@pytest.mark.parametrize("wager", ["thirds", "thirds_by_state"])
def test_three_thirds_decided_one_after_the_other_add_up(wager: str) -> None:
    assert solved(Parts("good", "bad", "bad"), wager) == {
        Ending("net_1", F(1)): F(1, 27),
        Ending("net_1/3", F(1, 3)): F(6, 27),
        Ending("net_-1/3", F(-1, 3)): F(12, 27),
        Ending("net_-1", F(-1)): F(8, 27),
    }


@pytest.mark.parametrize("wager", [wager.id for wager in Parts.wagers])
def test_the_chain_agrees_with_every_course_of_a_live_table(wager: str) -> None:
    game, stake, nets = Parts("good", "bad", "bad"), 6000, Counter[Fraction]()
    for spins in product(game.rim, repeat=3):
        table, net = Table(game), 0
        table.bet("1", wager, stake)
        for stop in spins:
            if table.bets:
                table.open_betting()
                Play(table).answer(stop)
                net += sum(settled.net for settled in table.settlements)
        assert not table.bets
        assert net == table.money["1"]
        nets[F(net, stake)] += 1
    by_chain = {ending.net: chance for ending, chance in solved(game, wager).items()}
    assert by_chain == {net: F(count, 27) for net, count in nets.items()}


# A walk through the states of the table.


@dataclass(frozen=True)
class Rung:
    at: int = 1


TOP = 5


def climb(case: Case[str, Rung, Any]) -> Decision:
    at = case.state.at + (1 if case.outcome == "up" else -1)
    return WIN if at == TOP else LOSE if at == 0 else STAND


def wander(case: Case[str, Rung, Any]) -> Decision:
    """Goes around between two spots until the walk ends."""
    decision = climb(case)
    return travel("here" if case.spot == "there" else "there") if decision is STAND else decision


class Ladder(OneWheel):
    State = Rung
    wagers = tuple(
        Wager(id=rule.__name__, title="Climb", cite=RULE, paid_by=RULE, pays=Odds(1), decide=rule)
        for rule in (climb, wander)
    )

    def after(self, state: Rung, outcome: str, options: Any) -> Rung:
        return Rung(state.at + (1 if outcome == "up" else -1))


@pytest.mark.parametrize("wager", ["climb", "wander"])
@pytest.mark.parametrize("at", range(1, TOP))
def test_an_even_walk_reaches_the_top_as_often_as_it_is_high(wager: str, at: int) -> None:
    assert solved(Ladder("up", "down"), wager, Rung(at)) == {
        Ending("win", F(1)): F(at, TOP),
        Ending("lose", F(-1)): 1 - F(at, TOP),
    }


@given(st.integers(1, 9), st.integers(1, 9), st.integers(1, TOP - 1))
def test_an_uneven_walk_is_the_ruin_of_a_gambler(up: int, down: int, at: int) -> None:
    found = solved(Ladder(*["up"] * up, *["down"] * down), "climb", Rung(at))
    ratio = F(down, up)
    wins = F(at, TOP) if up == down else (1 - ratio**at) / (1 - ratio**TOP)
    assert found[Ending("win", F(1))] == wins
    assert sum(found.values()) == 1


def test_a_walk_may_begin_on_several_rungs() -> None:
    rungs = [Rung(1), Rung(2), Rung(4)]
    assert solved(Ladder("up", "down"), "climb", *rungs)[Ending("win", F(1))] == F(7, 15)


# The games themselves.


def offered(game: str) -> Iterable[tuple[str, str]]:
    options = find_game(game).options()
    for wager in find_game(game).offered(options):
        if wager.is_always_open:
            yield from ((game, wager.label(spot)) for spot in list(wager.spots(options))[:2])


@pytest.mark.parametrize(("game", "label"), [*offered("roulette"), *offered("craps")])
def test_probabilities_sum_to_one(game: str, label: str) -> None:
    assert sum(solved(find_game(game), label).values()) == 1


def test_a_pass_wager_wins_244_times_in_495() -> None:
    assert solved(find_game("craps"), "pass") == {
        Ending("win", F(1)): F(244, 495),
        Ending("lose", F(-1)): F(251, 495),
    }
