"""The states that a wager goes through at a wheel, at dice or at a drum."""

from collections import Counter
from typing import Any, NamedTuple

import numpy as np

from croupier.analysis import WagerReport
from croupier.analysis.chain import Node
from croupier.rulebook import Case, Game, May, Result, Wager


class Chain(NamedTuple):
    """How many states there are, and how many outcomes it takes until the wager is decided."""

    states: int
    duration: float


def chain(game: Game, options: Any, report: WagerReport) -> Chain:
    """Over the situations in which the wager is made, and the spots that chance picks for it."""
    wager = report.wager
    spots = report.choices if wager.dealt else report.choices[:1]
    found: list[tuple[int, Chain]] = []
    for spot in spots:
        starts: Counter[Node] = Counter()
        for often, state in _made_in(game, wager, options, spot):
            starts[Node(state, spot)] += often * (wager.dealt[spot] if wager.dealt else 1)
        if starts:
            covers = wager.spot(spot, options)[1]
            found.append((starts.total(), _explored(game, wager, options, covers, starts)))
    total = sum(often for often, _ in found)
    duration = sum(often * each.duration for often, each in found) / total
    return Chain(max(each.states for _, each in found), duration)


def _explored(game: Game, wager: Wager, options: Any, covers: Any, starts: Counter[Node]) -> Chain:
    """By asking the game where every outcome leads, as the solver does."""
    cases = list(game.cases(covers, options))
    total = sum(ways for ways, _ in cases)
    number = {node: at for at, node in enumerate(starts)}
    waiting, steps = list(starts), list[tuple[int, int, int]]()
    while waiting:
        node = waiting.pop()
        for to, ways in _onward(game, wager, options, covers, cases, node).items():
            if to not in number:
                number[to] = len(number)
                waiting.append(to)
            steps.append((number[node], number[to], ways))
    stays = np.eye(len(number))
    for before, after, ways in steps:
        stays[before, after] -= ways / total
    each = np.linalg.solve(stays, np.ones(len(number)))
    spent = sum(float(each[number[node]]) * often for node, often in starts.items())
    return Chain(len(number), spent / starts.total())


def _made_in(game: Game, wager: Wager, options: Any, spot: str) -> list[tuple[int, Any]]:
    if wager.is_always_open:
        return [(1, game.State())]
    return [
        (often, state)
        for often, state in game.situations(wager, spot, options)
        if wager.window(state, spot, options).may is May.ANYTHING
    ]


def _onward(
    game: Game, wager: Wager, options: Any, covers: Any, cases: list[tuple[int, Any]], node: Node
) -> Counter[Node]:
    """Where the outcomes take a wager that they do not decide."""
    found: Counter[Node] = Counter()
    for ways, outcome in cases:
        decision = wager.decide(Case(outcome, node.state, options, node.spot, covers))
        if decision.result is Result.STANDING or decision.share != 1:
            state = game.after(node.state, outcome, options)
            spot = node.spot if decision.moves_to is None else decision.moves_to
            found[Node(state, spot)] += ways
    return found
