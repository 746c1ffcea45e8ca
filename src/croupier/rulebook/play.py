"""Playing a round: a generator, and whoever answers it.

    play = Play(table)                  # no more bets
    while play.request is not None:
        play.answer(...)                # a spin, a throw, a decision, a report

Where several people are asked at once, each answer is one of them, and the round goes on
when it has them all.

`play.answers` is the whole truth about the round: fed to a table in the same
state, they give the same events.
"""

from collections.abc import Callable
from typing import Any

from croupier.equipment import Chance
from croupier.rulebook.procedure import RoundIsVoid
from croupier.rulebook.refusal import Fault, Refusal
from croupier.rulebook.request import Ask, AskAll, Draw, Request, asked, reply
from croupier.rulebook.table import Table


class Play:
    """One round in progress."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.answers: list[Any] = []
        self.request: Request | None = None
        for seat in table.clockwise():
            table.game.check_wagers(table, seat)
        self._round = table.game.round(table)
        self._go_on(None)

    def answer(self, answer: Any) -> None:
        """Answer what the round is waiting for. A bad answer is refused and changes nothing."""
        if self.request is None:
            raise Refusal(Fault.NOT_NOW, "the round is over", None)
        checked: Any = self.request.check(answer)
        self.answers.append(answer)
        if isinstance(self.request, AskAll):
            self.request = self.request.with_answer(*checked)
            if self.request.waiting:
                return
            checked = self.request.answers()
        self._go_on(checked)

    def _go_on(self, answer: Any) -> None:
        try:
            self.request = self._round.send(answer)
        except StopIteration:
            self.request = None
        except RoundIsVoid as void:
            self.request = None
            self.table.void_round(void.cite)


Answer = Callable[[Request], Any]


def by_chance(chance: Chance, decide: Callable[[Ask], Any] | None = None) -> Answer:
    """Equipment moved by chance, people who do what they do, and nothing irregular."""

    def answer(request: Request) -> Any:
        if isinstance(request, Draw):
            return request.device.say(request.device.draw(chance))
        for ask in asked(request):
            return reply(request, ask, decide(ask) if decide else ask.default)
        return None

    return answer


def onward(request: Request) -> Any:
    """What somebody says who plays on wherever they may; offers they leave alone."""
    for ask in asked(request):
        return reply(request, ask, _onward(ask))
    return None


def _onward(ask: Ask) -> Any:
    if ask.offer:
        return ask.default
    plain = [move for move in ask.moves if not move.takes_cards]
    moves = [move for move in plain if move.name != ask.default] or plain
    return {moves[0].name: moves[0].low} if moves[0].takes_amount else moves[0].name


def play_round(table: Table, answer: Answer) -> Play:
    """Play a whole round with these answers."""
    play = Play(table)
    while play.request is not None:
        play.answer(answer(play.request))
    return play
