"""The commands of whoever runs a house: open its doors, check its books, settle its disputes."""

import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from croupier.cli.common import InputError, complain, print_json

if TYPE_CHECKING:
    from rich.table import Table as Grid

    from croupier.floor.checkpoint import Marks
    from croupier.floor.people import People
    from croupier.floor.storage import Storage
    from croupier.server.config import Config

commands = typer.Typer(rich_markup_mode=None)
accounts = typer.Typer(rich_markup_mode=None, no_args_is_help=True)
commands.add_typer(accounts, name="account", help="Open, unlock, close and appoint accounts.")

Db = Annotated[
    str | None,
    typer.Option(
        "--db", metavar="URL",
        help="Where the log is: sqlite:///PATH or postgresql://…; else as the server has it.",
    ),
]  # fmt: skip
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]
Checkpoints = Annotated[
    list[Path] | None,
    typer.Option(
        "--checkpoints", metavar="FOLDER",
        help="Where signed checkpoints, or a copy of them, are; else as the server has it. May be "
        "given several times: all must agree.",
    ),
]  # fmt: skip
Name = Annotated[str, typer.Argument(metavar="NAME", help="The name with which he logs in.")]
RoleName = Annotated[
    str,
    typer.Option(
        "--role", metavar="ROLE", help="patron, dealer, floorperson, supervisor or surveillance."
    ),
]


# The doors.


@commands.command()
def serve(
    port: Annotated[
        int | None, typer.Option("--port", help="The port; 0 takes a free one.")
    ] = None,
    host: Annotated[
        str | None, typer.Option("--host", help="The address to listen on, if not this machine's.")
    ] = None,
    db: Db = None,
    config: Annotated[
        Path | None,
        typer.Option("--config", metavar="FILE", help="Settings in TOML; else ./croupier.toml."),
    ] = None,
    browser: Annotated[
        bool, typer.Option("--open", help="Open the floor in the browser of this machine.")
    ] = False,
) -> None:
    """Open the casino floor: live tables in a browser.

    The log is kept in a file of SQLite, or in a PostgreSQL database by its URL; several servers
    may share one PostgreSQL. Every setting may also stand in croupier.toml, or in the
    environment as CROUPIER_PORT and so on.

      croupier serve --open

      croupier serve --port 8080 --db postgresql://casino@db.example.com/floor

    Before that, appoint somebody: croupier account add NAME --role supervisor
    """
    settings = _settings(config, db=db, port=port, host=host)
    from croupier.server.run import serve as open_the_doors

    with _speaking():
        settings.make_folders()
        raise typer.Exit(open_the_doors(settings, open_browser=browser))


# The books.


@commands.command()
def verify(
    db: Db = None,
    checkpoints: Checkpoints = None,
    key: Annotated[
        Path | None,
        typer.Option(
            "--key", metavar="FILE", help="Their public key, if it does not lie beside them."
        ),
    ] = None,
    mirror: Annotated[
        Path | None,
        typer.Option("--mirror", metavar="FOLDER", help="The second copy of the log, if any."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Check the whole log, and play every round again.

    Numbers, hashes, rounds, balances, snapshots, rules, accounts and signed checkpoints: all of
    it must agree, and so must every copy of the checkpoints and of the log. If anything does not,
    the first bad event is named and the exit code is 1. A server may go on meanwhile.

      croupier verify --db sqlite:///casino.db --checkpoints /mnt/elsewhere/checkpoints
    """
    from croupier.cli.progress import bar
    from croupier.floor.keys import seal_of
    from croupier.floor.mirror import compare
    from croupier.floor.verify import verify as check

    settings = _settings(db=db)
    with _storage(settings) as storage, bar("Checking the log") as watch:
        marks = _marks(settings, checkpoints, key)
        watch.progress.update(watch.counting, description="Checking the log")
        seal = seal_of(settings.key_file)
        verdict = check(storage, marks, lambda done, all_: watch.done(done / max(all_, 1)), seal)
        if folder := mirror or settings.mirror:
            compared = compare(storage, folder)
            verdict.bad += compared.wrong
            verdict.remarks += compared.remarks
    if checkpoints and not settings.checkpoints.exists():
        verdict.remarks.append(f"there are no checkpoints in {settings.checkpoints} themselves")
    if as_json:
        print_json(verdict.as_json())
    elif verdict.bad:
        more = len(verdict.bad) - 1
        others = f"; {more} more, which --json lists" if more else ""
        _fail(f"{verdict.bad[0]}{others}")
    else:
        print(_sound(verdict))
        for damage in verdict.paid_out:
            print(f"Paid out, and damaged as it was then: {damage}.")
        for remark in verdict.remarks:
            print(f"Remark: {remark}.")
    raise typer.Exit(0 if verdict.is_sound else 1)


def _sound(verdict: Any) -> str:
    counted = (
        f"{_number(verdict.events, 'event')} of {_number(verdict.streams, 'log')} and "
        f"{_number(verdict.rounds, 'round')}, each played again"
    )
    if verdict.checkpoints is None:
        return f"Sound: {counted}. Without checkpoints, a log cut off or hashed anew does not show."
    lines = _number(verdict.checkpoints, "signed checkpoint")
    if not verdict.seals:
        return f"Sound: {counted}, and {lines}. Without the house's key, seals were not checked."
    return f"Sound: {counted}, {lines}, and every seal."


def _number(count: int, of: str) -> str:
    return f"{count:,} {of}{'' if count == 1 else 's'}"


@commands.command()
def restored(
    why: Annotated[
        str, typer.Option("--why", metavar="TEXT", help="Why the log is not what was signed for.")
    ],
    by: Annotated[
        str, typer.Option("--by", metavar="NAME", help="Who answers for it.")
    ] = "the house",
    db: Db = None,
) -> None:
    """Answer for a log that is not what was signed or sealed.

    An older backup was put back, the key was lost, or events are there that are not the
    house's: no server opens such a floor until somebody has said, for all time, that they
    answer for it. Events that are not the house's are taken out, and kept in what is written
    down about it.

      croupier restored --by "Sue Flay" --why "the disk burned; backup of last night"
    """
    from croupier.floor.checkpoint import Notary
    from croupier.floor.clock import SystemClock
    from croupier.floor.log import LogBroken
    from croupier.floor.restore import answer_for

    settings = _settings(db=db)
    with _storage(settings) as storage:
        storage.lock()
        notary = Notary(settings.checkpoints, settings.key_file)
        try:
            streams = answer_for(storage, notary, SystemClock(), by, why)
        except LogBroken as bad:
            raise InputError(f"the log is bad by itself, whatever was signed: {bad}") from None
    if streams:
        print(f"{by} answers for {_number(len(streams), 'log')}: {', '.join(streams)}.")
    else:
        print("The log is what its checkpoints say: there is nothing to answer for.")


@commands.command()
def backup(
    to: Annotated[Path, typer.Argument(metavar="FILE", help="A new file for the copy.")],
    db: Db = None,
) -> None:
    """Copy the log of this moment, while the tables go on.

    Of SQLite only: PostgreSQL has pg_dump. Keep the checkpoints too, and elsewhere: they show
    whether an older copy was put in the place of the log.
    """
    settings = _settings(db=db)
    with _storage(settings) as storage:
        storage.backup(to)
    print(f"Copied to {to}. The checkpoints in {settings.checkpoints} are not in it.")


@commands.command("pay-out")
def pay_out(
    table: Annotated[str, typer.Argument(metavar="TABLE", help="The table that does not open.")],
    why: Annotated[str, typer.Option("--why", metavar="TEXT", help="Why it is paid out.")],
    by: Annotated[str, typer.Option("--by", metavar="NAME", help="The supervisor who pays.")],
    amounts: Annotated[
        list[str] | None,
        typer.Option("--amount", metavar="SEAT=DOLLARS", help="What a seat is paid, if unclear."),
    ] = None,
    db: Db = None,
) -> None:
    """Pay out a table whose log is damaged, and close it.

    What every seat has, with its wagers, goes to its account at the cage. The damaged log stays
    as it is, and the house's own log says what was paid, by whom and why.

      croupier pay-out 3f9a1c0de2b4 --by Sue --why "a bad disk block"
    """
    from croupier.floor import payout
    from croupier.floor.roles import Person, Role
    from croupier.rulebook import Refusal

    settings = _settings(db=db)
    with _people(settings) as people:
        people.house.storage.lock()
        account = people.register.accounts[people.find(by)]
        person = Person(account.id, account.name, Role(account.role), "")
        try:
            paid = payout.pay_out(people.house, table, person, why, _by_seat(amounts))
        except Refusal as refusal:
            raise InputError(str(refusal)) from None
    total, seats = sum(paid["paid"].values()), _number(len(paid["paid"]), "seat")
    print(f"{seats} paid, {_dollars(total)} in all. Table {table} is closed.")


def _by_seat(said: list[str] | None) -> dict[str, int] | None:
    from croupier.cli.common import read_cents

    found = {}
    for each in said or ():
        seat, sign, amount = each.partition("=")
        if not sign:
            raise InputError(f"{each!r} must read SEAT=DOLLARS, such as 3=125")
        found[seat] = read_cents(amount, "--amount")
    return found or None


# Disputes.


@commands.command()
def dispute(
    round_: Annotated[
        str, typer.Argument(metavar="ROUND", help="TABLE/ROUND, or the round with --table.")
    ],
    table: Annotated[str | None, typer.Option("--table", metavar="ID", help="The table.")] = None,
    db: Db = None,
    to: Annotated[
        Path, typer.Option("--to", metavar="FOLDER", help="Where to put what is handed over.")
    ] = Path("disputes"),
    why: Annotated[
        str, typer.Option("--why", metavar="TEXT", help="What the dispute is about.")
    ] = "a dispute",
    server: Annotated[
        str | None,
        typer.Option(
            "--server", metavar="URL", help="The server that runs the table, if one does."
        ),
    ] = None,
) -> None:
    """Freeze a table, and hand over one of its rounds.

    The folder and the zip file hold the rows of the log, the cards, every payment with the rule
    behind it, a script that plays the round again, and a page to read.

      croupier dispute 3f9a1c0de2b4/118 --why "he says it was 17"

    While a server runs the table, ask it, with a supervisor's token in CROUPIER_TOKEN:

      croupier dispute 3f9a1c0de2b4/118 --server http://127.0.0.1:8047
    """
    stream, number = _which(round_, table)
    if server:
        folder = _from_server(server, stream, number, why, to)
    else:
        folder = _from_database(_settings(db=db), stream, number, why, to)
    print(f"Round {number} of table {stream} is in {folder} and {folder}.zip.")


def _which(said: str, table: str | None) -> tuple[str, int]:
    stream, slash, number = said.rpartition("/")
    if slash and table is not None and stream != table:
        raise InputError(f"{said} is of another table than --table {table}")
    stream = stream or table or ""
    if not stream or not re.fullmatch(r"0*[1-9][0-9]{0,15}", number):
        raise InputError(f"{said!r} must read TABLE/ROUND, such as 3f9a1c0de2b4/118")
    return stream, int(number)


def _from_database(settings: "Config", stream: str, number: int, why: str, to: Path) -> Path:
    from croupier.floor import dispute as disputes
    from croupier.floor import recall
    from croupier.floor.checkpoint import Notary
    from croupier.floor.commands import ElsewhereOwned, Unavailable
    from croupier.floor.log import LogBroken
    from croupier.floor.pit import Pit
    from croupier.floor.storage import StorageInUse

    with _storage(settings) as storage:
        with storage.read() as conn:
            recall.of_round(conn, stream, number)  # refused before anything is frozen
        ask = "a server runs this table: ask it, with --server URL and CROUPIER_TOKEN"
        try:
            storage.lock()
            pit = Pit(storage, notary=Notary(settings.checkpoints, settings.key_file))
            try:
                disputes.freeze(pit, stream, number, why)
            finally:
                pit.stop()
        except (StorageInUse, ElsewhereOwned):
            raise InputError(ask) from None
        except (LogBroken, Unavailable) as bad:  # which is just what is to be handed over
            _fail(f"the table cannot be frozen, for its log is bad: {bad}")
        with storage.read() as conn, _writing(to):
            return disputes.bundle(conn, stream, number, to, settings.checkpoints)


def _from_server(server: str, stream: str, number: int, why: str, to: Path) -> Path:
    import io
    import os
    import secrets
    import zipfile

    import httpx

    token = os.environ.get("CROUPIER_TOKEN", "")
    if not token:
        raise InputError("a server wants to know who asks: put a supervisor's token in "
                         "CROUPIER_TOKEN")  # fmt: skip
    headers = {"Authorization": f"Bearer {token}"}
    try:
        with httpx.Client(base_url=server, headers=headers, timeout=60) as client:
            status = _answered(client.get(f"/api/tables/{stream}")).json()["status"]
            if status in ("open", "closing"):
                freeze = {"do": "freeze", "why": why, "about": number}
                key = {"Idempotency-Key": secrets.token_urlsafe()}
                _answered(client.post(f"/api/tables/{stream}/commands", json=freeze, headers=key))
            packed = _answered(client.get(f"/api/house/disputes/{stream}/{number}")).content
    except (httpx.HTTPError, httpx.InvalidURL, ValueError, KeyError) as error:
        raise InputError(f"{server} does not answer as a floor does: {error}") from None
    folder = to / f"{stream}-{number}"
    with _writing(to), zipfile.ZipFile(io.BytesIO(packed)) as file:
        folder.mkdir(parents=True, exist_ok=True)
        for name in file.namelist():
            (folder / Path(name).name).write_bytes(file.read(name))
        folder.with_name(f"{folder.name}.zip").write_bytes(packed)
    return folder


def _answered(answer: Any) -> Any:
    """What a server says, or why not in its own words."""
    if answer.is_success:
        return answer
    try:
        said = answer.json()["message"]
    except (ValueError, KeyError, TypeError):
        said = f"it answers {answer.status_code}"
    raise InputError(f"the server refuses: {said}")


# Reports.


@commands.command()
def report(
    what: Annotated[
        str, typer.Argument(metavar="WHAT", help="win, funds, vigorish, meters or balances.")
    ] = "win",
    db: Db = None,
    theory: Annotated[
        bool, typer.Option("--theory", help="Also solve poker games, which takes a minute each.")
    ] = False,
    as_json: Json = False,
) -> None:
    """What the house has won, and where the money is.

    \b
      win       every wager of every table against exact theory
      funds     what lies on the layouts of rounds that are not over
      vigorish  what is marked and not collected
      meters    the progressive meters: display, reserve, growth and payments
      balances  every account of every table
    """
    from croupier.server import reports

    if what not in SHOWN:
        raise InputError(f"there is no report {what!r}: it is {', '.join(SHOWN)}")
    with _storage(_settings(db=db)) as storage, storage.read() as conn:
        document = reports.report(conn, what, theory=theory)
    if as_json:
        print_json(document)
    else:
        SHOWN[what](document)


def _grid(*columns: str, right: Sequence[str] = ()) -> "Grid":
    from rich import box
    from rich.table import Table as Grid

    grid = Grid(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, header_style="bold")
    for name in columns:
        justify: Any = "right" if name in right else "left"
        grid.add_column(name, justify=justify, no_wrap=name in right, overflow="fold")
    return grid


def _show(*what: Any) -> None:
    from rich.console import Console

    Console(highlight=False).print(*what)


def _dollars(cents: float) -> str:
    from croupier.equipment import dollars

    return dollars(round(cents))


WIN = ("Wagers", "Staked", "Win", "Hold", "Edge", "Expected", "z")


def _win(document: Mapping[str, Any]) -> None:
    from rich.markup import escape

    played = [table for table in document["tables"] if table["rounds"]]
    for table in played:
        voids = f", {_number(table['void_rounds'], 'void')}" if table["void_rounds"] else ""
        _show(
            f"[bold]{escape(table['name'])}[/]  [dim]{table['game']}, table {table['table']}, "
            f"rules {table['rules'][:12]}, {_number(table['rounds'], 'round')}{voids}[/]"
        )
        grid = _grid("Wager", *WIN, right=WIN)
        for row in table["by_wager"]:
            grid.add_row(*_wager(row))
        hold = _share(table["hold"])
        total = (f"{table['wagers']:,}", _dollars(table["staked"]), _dollars(table["win"]), hold)
        grid.add_section()
        grid.add_row("All", *total, "", "", "", style="bold")
        _show(grid)
    if not played:
        _show("No table has been played at.")
    for sentence in document["assumes"]:
        _show(f"[dim]{sentence}[/]")


def _wager(row: Mapping[str, Any]) -> list[str]:
    from rich.markup import escape

    theory = row.get("theory")
    beside = f" [dim]with {row['joins']}[/]" if "joins" in row else ""
    shown = [
        f"{escape(row['title'])}{beside}", f"{row['wagers']:,}", _dollars(row["staked"]),
        _dollars(row["win"]), _share(row["hold"]),
    ]  # fmt: skip
    if not theory:
        return [*shown, "", "", ""]
    z = "" if theory["z"] is None else f"{theory['z']:+.2f}"
    mark = f"[bold red]{z} !" if theory["outside"] else z
    return [*shown, _share(theory["edge"]), _dollars(theory["expected"]), mark]


def _share(part: float | None) -> str:
    return "" if part is None else f"{part:.2%}"


def _amounts(document: Mapping[str, Any]) -> None:
    """Of each table, or of each seat that owes something."""
    from rich.markup import escape

    by_seat = document["report"] == "vigorish"
    grid = _grid("Table", "Game", *["Seat"] * by_seat, "Amount", right=("Amount",))
    for row in document["tables"]:
        seat = [row["seat"]] * by_seat
        grid.add_row(escape(row["name"]), row["game"], *seat, _dollars(row["cents"]))
    grid.add_section()
    grid.add_row("All", *[""] * (1 + by_seat), _dollars(document["cents"]), style="bold")
    _show(grid)


METERS = ("Display", "Reserve", "Began", "Increments", "Payments")


def _meters(document: Mapping[str, Any]) -> None:
    from rich.markup import escape

    grid = _grid("Table", "Game", *METERS, right=METERS)
    for row in document["tables"]:
        amounts = [_dollars(row[name]) for name in ("display", "reserve", "began", "increments")]
        grid.add_row(escape(row["name"]), row["game"], *amounts, f"{row['hits']:,}")
    _show(grid)
    for row in document["tables"]:
        for paid in row["payments"]:
            won = ", ".join(f"seat {each['seat']} on {each['line']}" for each in paid["won"])
            _show(
                f"[dim]{paid['at']}[/] {escape(row['name'])}, round {paid['round']}: the meter "
                f"fell by {_dollars(paid['fell'])} for {won}"
            )


def _balances(document: Mapping[str, Any]) -> None:
    from rich.markup import escape

    grid = _grid("Table", "Account", "Amount", right=("Amount",))
    for row in document["tables"]:
        for account, cents in row["accounts"].items():
            grid.add_row(escape(row["name"]), account, _dollars(cents))
        grid.add_section()
    grid.add_row("All", "", _dollars(document["cents"]), style="bold")
    _show(grid)


SHOWN: dict[str, Callable[[Mapping[str, Any]], None]] = {
    "win": _win,
    "funds": _amounts,
    "vigorish": _amounts,
    "meters": _meters,
    "balances": _balances,
}


# Accounts.


@accounts.command("add")
def add(name: Name, role: RoleName = "patron", db: Db = None) -> None:
    """Open an account. The password is asked for twice, or read from a pipe.

    croupier account add Sue --role supervisor
    """
    settings, wanted = _settings(db=db), _role(role)
    password = _password()
    with _people(settings) as people:
        people.create(name, password, wanted, by=_house())
    print(f"{name.strip()} has an account as {wanted}.")


@accounts.command("unlock")
def unlock(name: Name, db: Db = None) -> None:
    """Let somebody in again whose password was tried too often."""
    with _people(_settings(db=db)) as people:
        people.unlock(people.find(name), by=_house())
    print(f"{name} may log in again.")


@accounts.command("close")
def close(name: Name, db: Db = None) -> None:
    """Close an account for good. Its name is never given to another."""
    with _people(_settings(db=db)) as people:
        people.close_account(people.find(name), by=_house())
    print(f"The account of {name} is closed.")


@accounts.command("role")
def role(name: Name, role: RoleName, db: Db = None) -> None:
    """Appoint somebody to another role."""
    wanted = _role(role)
    with _people(_settings(db=db)) as people:
        people.set_role(people.find(name), wanted, by=_house())
    print(f"{name} is {wanted} now.")


@accounts.command("password")
def password(name: Name, db: Db = None) -> None:
    """Give somebody a new password. Whoever was logged in with the old one is not any more."""
    settings, new = _settings(db=db), _password()
    with _people(settings) as people:
        people.set_password(people.find(name), new, by=_house())
    print(f"{name} has a new password.")


@accounts.command("fund", context_settings={"ignore_unknown_options": True})
def fund(
    name: Name,
    amount: Annotated[
        str, typer.Argument(metavar="DOLLARS", help="What is paid in; below zero, paid out.")
    ],
    why: Annotated[str, typer.Option("--why", metavar="TEXT", help="Why.")] = "cash",
    although: Annotated[
        bool, typer.Option("--although", help="Pay out although the house's log is damaged.")
    ] = False,
    db: Db = None,
) -> None:
    """Pay money into somebody's account at the cage, or out of it.

    croupier account fund Ann 200 --why "cash at window 2"
    """
    import secrets

    from croupier.cli.common import read_cents
    from croupier.floor.cage import Cage
    from croupier.rulebook import Refusal

    settings = _settings(db=db)
    cents = read_cents(amount.removeprefix("-"), "DOLLARS") * (-1 if amount[:1] == "-" else 1)
    with _people(settings) as people:
        cage = Cage(people.house)
        try:
            held = cage.fund(
                people.find(name), cents, by=_house(), why=why,
                request=secrets.token_urlsafe(12), although=although,
            )  # fmt: skip
        except Refusal as refusal:
            raise InputError(str(refusal)) from None
    print(f"{name} has {_dollars(held)} at the cage.")


def _house() -> str:
    from croupier.floor.events import HOUSE

    return HOUSE


def _role(said: str) -> Any:
    from croupier.floor.roles import Role

    try:
        return Role(said)
    except ValueError:
        raise InputError(f"there is no role {said!r}: it is {', '.join(Role)}") from None


def _password() -> str:
    """Typed twice where somebody types, and the first line of what is piped."""
    if sys.stdin.isatty():
        typed: str = typer.prompt("Password", hide_input=True, confirmation_prompt=True)
        return typed
    return sys.stdin.readline().rstrip("\r\n")


@contextmanager
def _people(settings: "Config") -> "Iterator[People]":
    """The accounts of a house, whether or not a server runs."""
    from croupier.floor.checkpoint import Notary
    from croupier.floor.clock import SystemClock
    from croupier.floor.house_log import HouseLog
    from croupier.floor.people import People
    from croupier.floor.storage import Storage

    with _speaking():
        settings.make_folders()
        storage = Storage(settings.db)
        try:
            storage.migrate()
            notary = Notary(settings.checkpoints, settings.key_file)
            yield People(storage, SystemClock(), HouseLog(storage, SystemClock(), notary))
        finally:
            storage.close()


# What they have in common.


def _settings(config: Path | None = None, **overrides: Any) -> "Config":
    from croupier.server.config import ConfigRefused, load

    try:
        return load(config, overrides)
    except ConfigRefused as refused:
        raise InputError("; ".join(refused.sentences)) from None


@contextmanager
def _speaking() -> Iterator[None]:
    """What stands in the way is said in a sentence: bad input, or a failure of the machine."""
    from croupier.floor.checkpoint import CheckpointFailed
    from croupier.floor.roles import NotAllowed
    from croupier.floor.storage import StorageError, StorageRefused
    from croupier.server.config import ConfigRefused

    try:
        yield
    except ConfigRefused as refused:
        raise InputError("; ".join(refused.sentences)) from None
    except (StorageRefused, CheckpointFailed, NotAllowed) as refused:
        raise InputError(str(refused)) from None
    except StorageError as error:
        _fail(str(error))
        raise typer.Exit(1) from None


@contextmanager
def _storage(settings: "Config") -> "Iterator[Storage]":
    """The database of a house that there is."""
    from sqlalchemy import inspect

    from croupier.floor import migrations, schema
    from croupier.floor.storage import Storage

    with _speaking():
        storage = Storage(settings.db)
        try:
            with storage.read() as conn:
                if reason := migrations.refusal(conn):
                    raise InputError(f"the database {reason}")
                if not {*schema.metadata.tables} <= {*inspect(conn).get_table_names()}:
                    raise InputError("this database holds no log: start a server on it once")
            yield storage
        finally:
            storage.close()


def _marks(settings: "Config", given: list[Path] | None, key: Path | None) -> "Marks":
    """The checkpoints: those that somebody names must be there, and all that are must agree."""
    from croupier.floor.checkpoint import KEY, Marks, merged, public_file, read
    from croupier.floor.lines import files
    from croupier.floor.sinks import differing

    for folder in given or ():
        if not files(folder):
            raise InputError(f"there are no checkpoints in {folder}")
    folders = [folder for folder in (settings.checkpoints, *(given or ())) if files(folder)]
    chains: dict[str, Marks] = {}
    for folder in dict.fromkeys(each.absolute() for each in folders):
        beside = public_file(folder / KEY)
        public = key or (beside if beside.exists() else public_file(settings.key_file))
        marks = read(folder, public, thorough=False)
        if first := chains.get(marks.chain):
            _note_difference(first, differing(_folder(first), folder))
        else:
            chains[marks.chain] = read(folder, public)
    if not chains:
        return Marks(missing=True, folder=settings.checkpoints)
    first, *others = chains.values()
    _check_copies(settings, first)
    return merged(first, *others)


def _check_copies(settings: "Config", marks: "Marks") -> None:
    """Hold the checkpoints of this server to the copies that it is set to make."""
    from croupier.floor.lines import files
    from croupier.floor.sinks import differing, differing_from
    from croupier.floor.storage import Storage

    folder = _folder(marks)
    if folder != settings.checkpoints:
        return
    for copy in settings.checkpoint_copies:
        if files(copy):
            _note_difference(marks, differing(folder, copy))
    if settings.checkpoint_db is not None:
        storage = Storage(settings.checkpoint_db)
        try:
            _note_difference(marks, differing_from(folder, storage))
        finally:
            storage.close()


def _folder(marks: "Marks") -> Path:
    assert marks.folder is not None
    return marks.folder


def _note_difference(marks: "Marks", wrong: str | None) -> None:
    from croupier.floor.checkpoint import Flaw

    if wrong:
        marks.flaws.append(Flaw("copy", 0, wrong))


@contextmanager
def _writing(to: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError(f"{to} cannot be written: {reason}") from None


def _fail(sentence: str) -> None:
    complain(sentence, 1)
