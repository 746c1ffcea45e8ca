"""The commands and their arguments. What they print is in `show`."""

import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from croupier.cli.common import (
    GameName,
    InputError,
    Json,
    Set,
    Unlawful,
    complain,
    find,
    of_a_file,
    print_json,
    read_cents,
    read_options,
    read_text,
    table_of,
)
from croupier.cli.house import commands as house
from croupier.cli.par import commands as par
from croupier.cli.rng import commands as rng
from croupier.cli.sessions import sessions
from croupier.cli.simulate import commands as simulate

if TYPE_CHECKING:
    from croupier.analysis import Watch
    from croupier.equipment import Card
    from croupier.rulebook import Game

app = typer.Typer(
    name="croupier",
    help="A casino rulebook that runs: New Jersey's table games, dealt, settled and proved.",
    epilog="Start with: croupier play roulette",
    rich_markup_mode=None,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

app.add_typer(simulate)
app.command()(sessions)
app.add_typer(par)
app.add_typer(rng, name="rng")
app.add_typer(house)

# The parent of every complaint about the command line, which typer does not name itself.
ClickError = cast("type[Exception]", typer.BadParameter.__mro__[2])


@app.callback(invoke_without_command=True)
def _main(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    if version:
        from croupier import __version__

        print(f"croupier {__version__}")
    elif context.invoked_subcommand is None:
        print(context.get_help())


@app.command()
def games(
    as_json: Json = False,
    edges: Annotated[
        bool, typer.Option("--edges", help="Also show the best and the worst wager of each game.")
    ] = False,
) -> None:
    """List the games."""
    from croupier.cli import show
    from croupier.games import registry

    if as_json:
        print_json([show.game_json(game) for game in registry().values()])
    else:
        show.games(registry().values(), edges)


@app.command()
def check(game: GameName, set_: Set = [], as_json: Json = False) -> None:  # noqa: B006
    """Is a table with these options lawful?

    Lists everything that is not, with the paragraph that forbids it.
    """
    from croupier.cli import show

    found = find(game)
    violations = found.check(read_options(set_))
    if as_json:
        print_json(show.check_json(violations))
    else:
        show.check(found, violations)
    if violations:
        raise typer.Exit(2)


@app.command()
def analyze(
    game: GameName,
    set_: Set = [],  # noqa: B006
    wager: Annotated[
        list[str],
        typer.Option("--wager", metavar="ID", help="Only this wager, such as pass or straight:17."),
    ] = [],  # noqa: B006
    outcomes: Annotated[
        bool, typer.Option("--outcomes", help="Also print the outcome table of each wager.")
    ] = False,
    shoe: Annotated[
        str | None,
        typer.Option(
            "--shoe", metavar="CARDS", help="The cards left in the shoe: A=30, 2=32, … or Ah Kd 5c."
        ),
    ] = None,
    without: Annotated[
        str | None,
        typer.Option("--without", metavar="CARDS", help="Cards that have left a full shoe."),
    ] = None,
    stake: Annotated[
        str | None,
        typer.Option(
            "--stake", metavar="DOLLARS", help="Round and limit payments as at this stake."
        ),
    ] = None,
    replacement: Annotated[
        bool, typer.Option("--with-replacement", help="Every card comes from the whole shoe.")
    ] = False,
    by_cards: Annotated[
        bool,
        typer.Option("--by-cards", help="Chemin de fer: choices go by the cards, not the count."),
    ] = False,
    meter: Annotated[
        str | None,
        typer.Option(
            "--meter",
            metavar="DOLLARS",
            help="What a progressive jackpot shows, if not its first amount.",
        ),
    ] = None,
    unlawful: Unlawful = False,
    as_json: Json = False,
) -> None:
    """What every wager is worth, exactly.

    House edge, hit frequency, standard deviation and outcomes, from the rules themselves.
    Games of the shoe are analyzed from a full shoe, or from the cards that are left in it.
    Decisions are the best there are; `croupier advise` tells what each is worth.

    What if a table paid otherwise? Options that a table may have:

      croupier analyze three-card-poker --set pair_plus_ledger=C

    And, for a designer, any odds on any line, lawful or not:

      croupier analyze three-card-poker --unlawful --set "higher_odds=pair_plus.flush: 5 to 2"
    """
    from croupier.analysis import analyze as analyze_game
    from croupier.analysis import as_json as report_json
    from croupier.cli import show

    found = find(game)
    options, wrong = table_of(found, set_, unlawful)
    cards = _shoe(found, options, shoe, without)
    at: dict[str, int] = {
        name: read_cents(said, f"--{name}")
        for name, said in (("stake", stake), ("meter", meter))
        if said is not None
    }
    terms: dict[str, Any] = {**at, "shoe": cards, "replacement": replacement, "by_cards": by_cards}
    posted = [] if as_json or wager or outcomes or wrong else list(found.posted(options))
    with _watched(found) as watch:
        if posted:
            rows = [
                (each, analyze_game(found, each.options, [each.label], **terms)[0])
                for each in posted
            ]
        else:
            reports = analyze_game(found, options, wager, **terms, watch=watch)
    if as_json:
        document = report_json(found, options, reports, cards, wrong)
        wagers = document.pop("wagers")  # the longest part comes last
        print_json({**document, **at, "wagers": wagers})
    elif posted:
        show.wall(found, options, rows, cards, **at)
    else:
        show.analysis(found, options, reports, outcomes, cards, wrong, **at)


@app.command()
def advise(
    game: GameName,
    cards: Annotated[
        str, typer.Option("--cards", metavar="CARDS", help="The player's own cards: Ah 7c.")
    ],
    board: Annotated[
        str, typer.Option("--board", metavar="CARDS", help="The community cards in view.")
    ] = "",
    up: Annotated[
        str, typer.Option("--up", metavar="CARD", help="The dealer's card that lies face up.")
    ] = "",
    after: Annotated[
        str,
        typer.Option("--after", metavar="MOVES", help="What you decided before: bet, check."),
    ] = "",
    set_: Set = [],  # noqa: B006
    unlawful: Unlawful = False,
    as_json: Json = False,
) -> None:
    """What each move is worth with these cards, exactly.

    croupier advise ultimate-texas-hold-em --cards "Ah 7c" --board "7d 2s Kc"

    croupier advise caribbean-stud-poker --cards "Ah Kd 9c 5s 2h" --up 9d
    """
    from croupier.cli import show
    from croupier.rulebook import PokerGame

    found = find(game)
    if not isinstance(found, PokerGame):
        raise InputError(f"{found.title.lower()} is no poker game: there is nothing to advise on")
    options, wrong = table_of(found, set_, unlawful)
    own, shared, seen = _cards(cards, "cards"), _cards(board, "board"), _cards(up, "up")
    if found.up_cards and not seen:
        raise InputError(f"{found.title} shows a card of the dealer's: name it with --up")
    before = [move.strip().replace(" ", "_") for move in after.split(",") if move.strip()]
    with _watched(found) as watch:
        from croupier.analysis.advise import advise as advise_player  # which takes its time

        advised = advise_player(found, options, own, shared, seen, before=before, watch=watch)
    if as_json:
        print_json(show.advice_json(found, options, advised, wrong))
    else:
        show.advised(found, options, advised, wrong)


@app.command()
def deal(
    script: Annotated[
        str, typer.Argument(metavar="SCRIPT.json", help="A round script, or - to read it.")
    ],
    as_json: Json = False,
) -> None:
    """Play a round script exactly as written.

    A script fixes what the equipment gives and what the people do; the settlement of every
    wager is printed with its rule.
    """
    from croupier.cli import show
    from croupier.games import find_game
    from croupier.rulebook import script as scripts

    told = scripts.run(scripts.read(read_text(script)), find_game)
    if as_json:
        print_json(told)
    else:
        show.deal(find_game(told["game"]), told)


@app.command()
def coverage(
    as_json: Json = False,
    subchapter: Annotated[
        int | None, typer.Option("--subchapter", help="Only this subchapter.")
    ] = None,
) -> None:
    """Every section of the regulation, and who proves it.

    A section is implemented (cited by code and proven by a test), physical, or missing.
    """
    from croupier.cli import show
    from croupier.regulation import coverage as covered

    rows = [row for row in covered() if subchapter in (None, row.subchapter)]
    if as_json:
        print_json([row.as_json() for row in rows])
    else:
        show.coverage(rows)


@app.command()
def play(
    game: GameName = "roulette",
    set_: Set = [],  # noqa: B006
    bankroll: Annotated[
        str, typer.Option("--bankroll", metavar="DOLLARS", help="What you sit down with.")
    ] = "500",
) -> None:
    """Sit down at a table in the terminal.

    Bets are made in words: 5 on pass, 10 on 17.
    """
    from croupier.cli.play import sit_down

    sit_down(find(game), read_options(set_), read_cents(bankroll, "--bankroll"))


def _watched(game: "Game") -> "AbstractContextManager[Watch | None]":
    """Whoever waits for a long count is shown how far it is."""
    from croupier.rulebook import PokerGame

    if not isinstance(game, PokerGame):
        return nullcontext()
    from croupier.cli.progress import bar

    return bar(game.title)


def _cards(text: str, option: str) -> "tuple[Card, ...]":
    from croupier.equipment import Card

    try:
        return tuple(Card.parse(word) for word in text.replace(",", " ").split())
    except ValueError as error:
        raise InputError(f"--{option}: {error}") from None


def _shoe(game: "Game", options: Any, shoe: str | None, without: str | None) -> "list[Card] | None":
    """The cards that are left, where somebody says so."""
    from croupier.equipment import Shoe, read_cards

    if shoe is None and without is None:
        return None
    if shoe is not None and without is not None:
        raise InputError("--shoe says which cards are left and --without which are gone: not both")
    full = game.device(options)
    if not isinstance(full, Shoe):
        raise InputError(f"{game.title.lower()} has no shoe of cards")
    try:
        cards = read_cards(shoe or without or "")
    except ValueError as error:
        raise InputError(f"--{'without' if shoe is None else 'shoe'}: {error}") from None
    if shoe is not None:
        return list(cards)
    left = list(full.composition)
    for card in cards:
        if card not in left:
            raise InputError(f"--without: no {card.title} ({card}) is left in the shoe")
        left.remove(card)
    return left


def run(args: Sequence[str] | None = None) -> int:
    """Run the command line and answer with its exit code."""
    words = sys.argv[1:] if args is None else args
    if any("\0" in word for word in words):
        return complain("a word of the command has a null character, which no name has", 2)
    try:
        code = typer.main.get_command(app).main(args, prog_name="croupier", standalone_mode=False)
    except (typer.Abort, KeyboardInterrupt):
        return complain("stopped", 1)
    except BrokenPipeError:
        sys.stderr.close()
        return 1
    except ClickError as usage:
        return complain(usage.format_message() if hasattr(usage, "format_message") else usage, 2)
    except OSError as error:
        return complain(*of_a_file(error))
    except UnicodeEncodeError:
        return complain("a word of the command is not text in UTF-8", 2)
    except Exception as error:
        from croupier.rulebook.refusal import Refusal  # only when something went wrong

        if isinstance(error, Refusal | InputError):
            return complain(error, 2)
        raise
    return int(code or 0)
