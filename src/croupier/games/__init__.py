"""The third floor: one module per game, named as the regulation names it.

A new game is a new module here. Everything else finds it by itself.
"""

import re
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from croupier.rulebook import Fault, Game, Refusal


@cache
def registry() -> dict[str, Game]:
    """Every game by its id, in the order of the regulation's subchapters."""
    found: list[Game] = []
    for module in iter_modules(__path__, f"{__name__}."):
        members = vars(import_module(module.name)).values()
        found += [
            member()
            for member in members
            if isinstance(member, type)
            and issubclass(member, Game)
            and member.__module__ == module.name
            and hasattr(member, "id")  # not a base that games share
        ]
    return {game.id: game for game in sorted(found, key=_place)}


def _place(game: Game) -> tuple[list[int], int, str]:
    """Where the game stands in the chapter; a variant after the game it varies."""
    numbers = re.findall(r"\d+", game.cite.section.partition("-")[2])
    return [int(number) for number in numbers], len(type(game).__mro__), game.id


def find_game(name: str) -> Game:
    """The game of this id."""
    games = registry()
    if name not in games:
        raise Refusal(
            Fault.UNKNOWN_GAME, f"there is no game {name!r} here; there is {', '.join(games)}"
        )
    return games[name]
