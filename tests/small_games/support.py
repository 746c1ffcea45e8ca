"""What the tests of the small games share: tables that watch their money, and people who play."""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

import pytest

from croupier.rulebook import (
    LAYOUT,
    POT,
    Arrange,
    Ask,
    Choose,
    Draw,
    Move,
    Play,
    Refusal,
    Table,
    asked,
    reply,
    script,
)
from tests.small_games.games import GAMES, find
from tests.support import Told, everything

BANK = "bank"
every_small_game = pytest.mark.parametrize("game", GAMES)


class Watched(Table):
    """A table at which no movement may lose a cent, nor overdraw a bank or a pot."""

    def transfer(self, source: str, to: str, amount: int) -> None:
        super().transfer(source, to, amount)
        assert self.money.total() == 0
        assert self.money[BANK] >= 0, f"the bank is {self.money[BANK]}"
        assert self.money[POT] >= 0, f"the pot is {self.money[POT]}"


def told(game: str, draws: str, seats: Mapping[str, Any], **more: Any) -> Told:
    """What a round script of a small game prints."""
    document = {"game": game, "draws": draws.split(), "seats": dict(seats), **more}
    return Told(script.run(document, find))


def set_down(game: str, wagers: Mapping[str, Mapping[str, int]], **options: Any) -> Watched:
    """A table with these wagers of each seat."""
    table = Watched(find(game), options)
    for seat, each in wagers.items():
        for label, amount in each.items():
            table.bet(seat, label, amount)
    return table


def dealt(table: Table, draws: str) -> Play:
    """The round, with these cards or tiles drawn."""
    play = Play(table)
    for each in draws.split():
        play.answer(each)
    return play


def answered(play: Play, *answers: Any) -> Play:
    for answer in answers:
        play.answer(answer)
    return play


def finished(play: Play, answer: Callable[[Any], Any]) -> Play:
    """The round to its end, each request answered so; money is right at every step."""
    while play.request is not None:
        in_order(play.table)
        play.answer(answer(play.request))
    in_order(play.table)
    return play


def in_order(table: Table) -> None:
    """The accounts add up, and the layout holds what lies there."""
    assert table.money.total() == 0
    assert table.money[LAYOUT] == sum(bet.stake for bet in table.bets.values())
    assert table.money[POT] == table.pots.total


def settled_up(table: Table) -> None:
    """A round is over: nothing is left on the layout, in a pot or in a bank."""
    in_order(table)
    assert (table.money[LAYOUT], table.money[POT], table.money[BANK]) == (0, 0, 0)
    seats = {s.bet.seat: 0 for s in table.settlements}
    for settled in table.settlements:
        seats[settled.bet.seat] += settled.net
    assert {seat: table.money[seat] for seat in seats} == seats


def net(table: Table) -> dict[str, int]:
    """What every seat has won or lost."""
    return {seat: table.money[seat] for seat in table.positions if table.money[seat]}


def refused(play: Play, answer: Any) -> str:
    """The sentence with which an answer is refused; nothing has changed."""
    before, waiting, answers = everything(play.table), play.request, list(play.answers)
    hands, money = repr(play.table.hands), dict(play.table.money)
    with pytest.raises(Refusal) as caught:
        play.answer(answer)
    assert everything(play.table) == before
    assert (repr(play.table.hands), dict(play.table.money)) == (hands, money)
    assert play.request is waiting
    assert play.answers == answers
    assert len(caught.value.message) < 300
    return caught.value.message


# People who do anything that they may.


def some_move(ask: Ask, choose: Random) -> Any:
    """A move that is allowed, whichever."""
    move = choose.choice(ask.moves)
    said = _said(move, ask, choose)
    try:
        ask.check(said)
    except Refusal:  # a foul hand
        return ask.default
    return said


def _said(move: Move, ask: Ask, choose: Random) -> Any:
    held = [str(piece) for piece in ask.holding]
    choose.shuffle(held)
    if isinstance(move, Choose):
        return {move.name: held[: choose.randint(move.least, move.most)]}
    if isinstance(move, Arrange):
        parts = {name: [held.pop() for _ in range(size)] for name, size in move.parts}
        return {move.name: parts}
    if move.takes_amount:
        return {move.name: choose.randrange(move.low, move.high + 1, move.step)}
    return move.name


def anybody(choose: Random) -> Callable[[Any], Any]:
    """Chance deals, and people decide by chance and in any order."""

    def answer(request: Any) -> Any:
        if isinstance(request, Draw):
            return request.device.say(choose.choice(request.device.outcomes()))
        waiting = asked(request)
        if not waiting:
            return None
        ask = choose.choice(waiting)
        return reply(request, ask, some_move(ask, choose))

    return answer


def some_wagers(game: str, choose: Random) -> Watched:
    """A table at which somebody has wagered something."""
    options: dict[str, Any] = {}
    if game == "little-pai-gow":
        options = {"in_turn": choose.random() < 0.5, "with_house": choose.choice(["no", "half"])}
    table = Watched(find(game), options)
    seats = choose.sample(table.positions, choose.randint(1, len(table.positions)))
    bankers = choose.randint(0, 2)
    for at, seat in enumerate(seats):
        wager = table.game.wagers[0].id
        if game == "little-pai-gow" and at < bankers:
            wager = "bank_action"
        table.bet(seat, wager, 100 if game == "little-hold-em" else choose.randint(1, 3000))
    return table


def said_in_turn(names: Sequence[str], moves: Sequence[Any]) -> list[dict[str, Any]]:
    """The answers of several hands that are asked at once."""
    return [{name: move} for name, move in zip(names, moves, strict=True)]
