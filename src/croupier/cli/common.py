"""What several commands read alike: the game, its options, amounts; and how they answer."""

import errno
import json
import sys
from collections.abc import Sequence
from pathlib import Path
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
LARGEST = 1 << 24  # characters of a text that is read whole
OF_THE_NAME = {  # what is wrong with a file that somebody named, and not with the machine
    errno.ENAMETOOLONG, errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.EACCES, errno.EPERM,
    errno.EEXIST, errno.ELOOP, errno.EINVAL, errno.EROFS, errno.ENXIO, errno.ENODEV,
}  # fmt: skip


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


def read_text(path: str) -> str:
    """A text in a file, or in what is piped in if it is called `-`."""
    try:
        if path == "-":
            text = sys.stdin.read(LARGEST + 1)
        else:
            with Path(path).open(encoding="utf-8") as file:
                text = file.read(LARGEST + 1)
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InputError(f"{path} is not a text file in UTF-8") from None
    if len(text) > LARGEST:
        raise InputError(f"{path} is too large: a text has at most {LARGEST:,} characters")
    return text


def of_a_file(error: OSError) -> tuple[str, int]:
    """What the system says of a file, in a sentence; and the exit code."""
    reason = (error.strerror or str(error)).lower()
    named = f"{str(error.filename)[:100]} cannot be used: " if error.filename else ""
    return f"{named}{reason}", 2 if error.filename and error.errno in OF_THE_NAME else 1


def print_json(document: Any) -> None:
    print(json.dumps(document, indent=2, ensure_ascii=False))


def complain(what: object, code: int) -> int:
    text = "".join(
        sign if sign.isprintable() else sign.encode("unicode_escape").decode("ascii")
        for sign in str(what).rstrip(".")
    )
    print(f"croupier: {text}.", file=sys.stderr)
    return code
