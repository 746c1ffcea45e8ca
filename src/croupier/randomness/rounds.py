"""Whole rounds, dealt as a table deals them: the outcomes, in the order they left the equipment."""

from collections.abc import Iterator
from typing import Any

from croupier.equipment import Chance
from croupier.rulebook import Draw, Game, Play, Refusal, Request, Table, onward

PLAYERS = 2  # for a lone one may have nobody to play against


def deal_rounds(game: Game, given: dict[str, Any], chance: Chance, count: int) -> Iterator[Any]:
    """So many rounds on one table. Players wager the least they may, and play on."""
    table = Table(game, given)
    for _ in range(count):
        table.open_betting()
        for seat in 2 * table.positions[:PLAYERS]:  # one may have to wait for another's bank
            _wager(table, seat)
        yield _draws(table, chance)


def _wager(table: Table, seat: str) -> None:
    """The least that can be played, of the first wagers that the table offers."""
    if table.bets_of(seat) and _may_be_played(table, seat):
        return  # it stands from an earlier round
    for opening in [*table.openings(seat)]:
        table.bet(seat, opening.wager.label(opening.spot), opening.low)
        table.game.accompany(table, seat)
        if _may_be_played(table, seat):
            return


def _may_be_played(table: Table, seat: str) -> bool:
    try:
        table.game.check_wagers(table, seat)
    except Refusal:
        return False
    return True


def _draws(table: Table, chance: Chance) -> list[Any]:
    draws: list[Any] = []
    play = Play(table)
    while play.request is not None:
        answer = _answer(play.request, chance)
        if isinstance(play.request, Draw):
            draws.append(answer)
        play.answer(answer)
    return draws


def _answer(request: Request, chance: Chance) -> Any:
    """Equipment moved by chance, as live tables move it; whoever is asked plays on."""
    if isinstance(request, Draw):
        return request.device.say(request.device.draw(chance))
    return onward(request)
