"""Playing a round: a generator, and whoever answers it.

    play = Play(table)                  # no more bets
    while play.request is not None:
        play.answer(...)                # a spin, a throw, a decision, a report

`play.answers` is the whole truth about the round: fed to a table in the same
state, they give the same events.
"""

from collections.abc import Callable
from typing import Any

from croupier.equipment import Chance
from croupier.rulebook.refusal import Fault, Refusal
from croupier.rulebook.request import Ask, Draw, Request
from croupier.rulebook.table import RoundIsVoid, Table


class Play:
    """One round in progress."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.answers: list[Any] = []
        self.request: Request | None = None
        self._round = table.game.round(table)
        self._go_on(None)

    def answer(self, answer: Any) -> None:
        """Answer what the round is waiting for. A bad answer is refused and changes nothing."""
        if self.request is None:
            raise Refusal(Fault.NOT_NOW, "the round is over", None)
        checked = self.request.check(answer)
        self.answers.append(answer)
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
        if isinstance(request, Ask):
            return decide(request) if decide else request.default
        return None

    return answer


def play_round(table: Table, answer: Answer) -> Play:
    """Play a whole round with these answers."""
    play = Play(table)
    while play.request is not None:
        play.answer(answer(play.request))
    return play
