"""`croupier par`: the PAR sheet of a table, as a page, a PDF, a spreadsheet and a document."""

import errno
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from croupier.cli.common import (
    GameName,
    InputError,
    Json,
    Set,
    complain,
    find,
    print_json,
    read_cents,
    read_options,
)

commands = typer.Typer(rich_markup_mode=None)

MOST_ROUNDS = 10_000  # an hour
FORMS = ("html", "pdf", "xlsx", "json")
WHAT_TO_DO = {
    errno.ENOSPC: "the disk is full: free some space, or choose another folder with --out",
    errno.EDQUOT: "your share of the disk is used up: free some, or choose another folder",
    errno.EACCES: "it may not be written: choose another folder with --out",
    errno.EPERM: "it may not be written: choose another folder with --out",
    errno.EROFS: "the disk can only be read: choose another folder with --out",
    errno.ENAMETOOLONG: "the name is too long: choose a shorter one with --out",
}


@commands.command()
def par(
    game: GameName,
    set_: Set = [],  # noqa: B006
    out: Annotated[
        str,
        typer.Option("--out", metavar="PATH", help="A folder, or a file such as sheet.pdf."),
    ] = "",
    form: Annotated[
        list[str],
        typer.Option(
            "--format", metavar="FORM",
            help="html, pdf, xlsx, json or all. May be given several times.",
        ),
    ] = [],  # noqa: B006
    author: Annotated[
        str, typer.Option("--author", metavar="NAME", help="Who answers for the sheet.")
    ] = "",
    rounds: Annotated[
        str,
        typer.Option(
            "--rounds", metavar="N", help="Rounds that are simulated to verify it; 0 for none."
        ),
    ] = "1,000,000",
    seed: Annotated[
        str, typer.Option("--seed", metavar="S", help="Of the simulation.")
    ] = "1",
    budget: Annotated[
        int,
        typer.Option(
            "--budget", metavar="SECONDS", min=0,
            help="In which counts that only compare are begun: other options, other ways to play.",
        ),
    ] = 120,
    pace: Annotated[
        float | None,
        typer.Option("--rounds-per-hour", metavar="N", help="If not the customary number."),
    ] = None,
    average: Annotated[
        str | None,
        typer.Option("--average-bet", metavar="DOLLARS", help="If not four times the least."),
    ] = None,
    as_json: Json = False,
) -> None:  # fmt: skip
    """Write the PAR sheet of a table: its mathematics as a lab and a regulator read it.

    Every wager's outcomes, edge and volatility, the best strategy, risk, what each option changes,
    and whether the table is lawful. It is written as a web page, a PDF, a spreadsheet with live
    totals and a JSON document.

      croupier par three-card-poker

      croupier par roulette --set wheel=single_zero --out sheets --format pdf
    """
    from croupier.cli.simulate import read_rounds, read_seed

    found = find(game)
    options = found.options(read_options(set_))
    if as_json and (out or form):
        raise InputError("--json prints the document and writes no file: leave --out and --format")
    number = 0 if rounds.strip() == "0" else read_rounds(rounds)
    seeded = read_seed(seed)
    bet = None if average is None else read_cents(average, "--average-bet")
    if pace is not None and not 0 < pace <= MOST_ROUNDS:
        raise InputError(f"--rounds-per-hour must be above zero and below {MOST_ROUNDS:,}")
    paths = {} if as_json else _paths(f"{found.id}-par", out, form)

    from croupier.cli.progress import bar
    from croupier.par.printing import printed
    from croupier.par.sheet import sheet

    with bar(found.title) as watch:
        told = sheet(
            found, options, rounds=number, seed=seeded, author=author, watch=watch,
            sensitivity_budget=budget, rounds_per_hour=pace, average_bet=bet,
        )  # fmt: skip
        made = {path: printed(told, each) for each, path in paths.items()}
    if as_json:
        print_json(told.as_json())
    for path, content in made.items():
        _write(path, content)
        print(f"Wrote {path}")


def _paths(name: str, out: str, forms: Sequence[str]) -> dict[str, Path]:
    """Where each form goes. What cannot be written there is said before anything is counted."""
    for each in forms:
        if each not in (*FORMS, "all"):
            raise InputError(f"--format must be {', '.join(FORMS)} or all, not {each!r}")
    wanted = [form for form in FORMS if not forms or form in forms or "all" in forms]
    to = Path(out or ".")
    suffix = to.suffix.lower().removeprefix(".")
    if suffix in FORMS and not to.is_dir():
        if forms and wanted != [suffix]:
            raise InputError(f"--out {out} is one file of the form {suffix}: name a folder instead")
        folder, paths = to.parent, {suffix: to}
    else:
        folder, paths = to, {form: to / f"{name}.{form}" for form in wanted}
    if not folder.is_dir():
        told = "is no folder" if folder.exists() else "is not there: make it first"
        raise InputError(f"the folder {folder} {told}")
    if not os.access(folder, os.W_OK):
        raise InputError(f"the folder {folder} may not be written to: choose another with --out")
    for path in paths.values():
        if path.exists() and not path.is_file():
            raise InputError(f"{path} is there already and no file: choose another name with --out")
    return paths


def _write(path: Path, content: bytes) -> None:
    from croupier.par.printing import write

    try:
        write(path, content)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        told = WHAT_TO_DO.get(error.errno or 0, f"{reason}: choose another folder with --out")
        raise typer.Exit(complain(f"{path} was not written: {told}", 1)) from None
