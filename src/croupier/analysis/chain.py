"""The exact distribution of a wager's result, by solving its chain of outcomes.

A wager that one outcome decides is a chain of one step. A wager that stands
(a pass wager on its point, a fire bet) moves through the states of the table
until it is decided. The chain is found by asking the game, and solved in
exact fractions.
"""

from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from croupier.rulebook import Case, Decision, Game, Result, Wager


class Node(NamedTuple):
    """A wager on its way: where the table stands, and where the wager."""

    state: Any
    spot: str
    left: Fraction | int = 1  # the part of the stake that is not decided yet
    won: Fraction | int = 0  # what the decided parts have won


class Ending(NamedTuple):
    """How a wager came out, with what one unit of stake won."""

    line: str
    net: Fraction


Row = dict[Node | Ending, Fraction]
START = Node(None, "")  # before it is known in which state the wager is made


def distribution(
    game: Game, wager: Wager, options: Any, starts: Mapping[tuple[Any, str], int], covers: Any
) -> dict[Ending, Fraction]:
    """The probability of every ending of a wager that is made in these states and spots.

    `starts` weighs them by how often they arise.
    """
    cases = list(game.cases(covers, options))
    total = sum(starts.values())
    first: Row = {Node(*start): Fraction(weight, total) for start, weight in starts.items()}
    rows: dict[Node, Row] = {START: first}
    waiting = [node for node in first if isinstance(node, Node)]
    while waiting:
        node = waiting.pop()
        if node not in rows:
            rows[node] = _row(game, wager, options, covers, cases, node)
            waiting += [to for to in rows[node] if isinstance(to, Node)]
    return _solve(rows)


def _row(
    game: Game, wager: Wager, options: Any, covers: Any, cases: list[tuple[int, Any]], node: Node
) -> Row:
    """Where one more outcome takes the wager, and how likely."""
    # Most decisions are the same few objects, so they are counted before they are looked into.
    decided: dict[int, tuple[Decision, int]] = {}
    ways: defaultdict[Node | Ending, int] = defaultdict(int)
    for count, outcome in cases:
        decision = wager.decide(Case(outcome, node.state, options, node.spot, covers))
        stands = decision.result is Result.STANDING
        if not stands and decision.share == 1:
            _, before = decided.get(id(decision), (decision, 0))
            decided[id(decision)] = decision, before + count
        else:
            state = game.after(node.state, outcome, options)
            spot = node.spot if decision.moves_to is None else decision.moves_to
            left, won = node.left, node.won
            if not stands:
                won += left * decision.share * wager.net(decision, options)
                left *= 1 - decision.share
            ways[Node(state, spot, left, won)] += count
    for decision, count in decided.values():
        won = node.won + node.left * wager.net(decision, options)
        line = decision.line if node.left == 1 else f"net_{won}"
        ways[Ending(line, Fraction(won))] += count
    total = sum(ways.values())
    return {to: Fraction(count, total) for to, count in ways.items()}


def _solve(rows: dict[Node, Row]) -> dict[Ending, Fraction]:
    """Remove one state after another, handing its ways on to the states that led there."""
    into: defaultdict[Node, set[Node]] = defaultdict(set)
    for node, row in rows.items():
        for to in row:
            if isinstance(to, Node):
                into[to].add(node)
    for node in reversed(rows):
        if node is START:
            continue
        row = rows[node]
        if stays := row.pop(node, None):
            row.update({to: chance / (1 - stays) for to, chance in row.items()})
        onward = [to for to in row if isinstance(to, Node)]
        for to in onward:
            into[to].discard(node)
        for source in into.pop(node) - {node}:
            chance = rows[source].pop(node)
            for to, then in row.items():
                rows[source][to] = rows[source].get(to, 0) + chance * then
            for to in onward:
                into[to].add(source)
    return {to: chance for to, chance in rows[START].items() if isinstance(to, Ending)}
