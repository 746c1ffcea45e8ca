"""What several commands read alike: the game, its options, amounts; and how they answer."""

import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from croupier.rulebook import Game, Violation

GameName = Annotated[
    str, typer.Argument(metavar="GAME", help="A game's id, such as craps: see `croupier games`.")
]
Set = Annotated[
    list[str],
    typer.Option(
        "--set", metavar="OPTION=VALUE", help="Choose a table option. May be given several times."
    ),
]
Unlawful = Annotated[
    bool,
    typer.Option("--unlawful", help="A designer's question: options and odds no table may have."),
]
SeedText = Annotated[
    str | None,
    typer.Option("--seed", metavar="S", help="The same seed gives the same answer, anywhere."),
]
StrategyName = Annotated[
    str,
    typer.Option(
        "--strategy",
        metavar="NAME",
        help="How decisions are made: optimal, a published strategy, or file.py:function.",
    ),
]
Cores = Annotated[
    int | None, typer.Option("--cores", metavar="N", help="How many to use, if not all.")
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]


MOST = 10**14  # cents


class InputError(Exception):
    """Bad input on the command line, in one sentence."""


def find(name: str) -> "Game":
    from croupier.games import find_game

    return find_game(name)


def table_of(game: "Game", given: Sequence[str], unlawful: bool) -> "tuple[Any, list[Violation]]":
    """The options of a lawful table or, if somebody wants to know, of any."""
    if unlawful:
        return game.what_if(read_options(given))
    return game.options(read_options(given)), []


def read_cents(text: str, option: str) -> int:
    from croupier.equipment import cents

    try:
        amount = cents(text)
    except ValueError as error:
        raise InputError(f"{option}: {error}") from None
    if not amount:
        raise InputError(f"{option} must be above zero")
    if amount > MOST:
        raise InputError(f"{option}: {text} is more than any casino has")
    return amount


def read_options(given: Sequence[str]) -> dict[str, Any]:
    """`--set` words as a mapping; the game says whether they are lawful."""
    options: dict[str, Any] = {}
    for each in given:
        name, equals, value = each.partition("=")
        if not equals or not name.strip():
            raise InputError(f"--set {each!r} must read OPTION=VALUE, such as wheel=single_zero")
        if name.strip() in options:
            raise InputError(f"--set {name.strip()} is given twice")
        options[name.strip()] = value.strip()
    return options


def print_json(document: Any) -> None:
    print(json.dumps(document, indent=2, ensure_ascii=False))


def complain(what: object, code: int) -> int:
    text = str(what).rstrip(".")
    print(f"croupier: {text}.", file=sys.stderr)
    return code
