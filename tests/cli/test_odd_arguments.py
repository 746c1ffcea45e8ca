"""Whatever stands on the command line: one sentence and a code, and never a traceback."""

import io
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from argon2 import PasswordHasher
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from croupier.cli.app import app, run
from croupier.floor.checkpoint import Notary
from croupier.floor.clock import SystemClock
from croupier.floor.house_log import HouseLog
from croupier.floor.people import People
from croupier.floor.roles import Role
from croupier.floor.storage import Storage

pytestmark = pytest.mark.timeout(240)

LONG = "n" * 300  # bytes: no file may be called so
ODD = [
    "", "-", LONG, f"{LONG}/x", "a\0b", "\udcff", "\r\n\x1b[31m", "-1", "1e400", "9" * 400,
    "[" * 5000, "a=b=c", "sqlite:///%00", f"sqlite:///{LONG}", "sqlite:////", "postgresql://[::1/x",
    f"T/{'9' * 400}", f"{LONG}.py:f",
]  # fmt: skip
BASES: dict[tuple[str, ...], list[str]] = {  # what is quick, or refused at its end
    ("sessions",): ["roulette", "--bankroll", "100", "--stake", "10", "--rounds", "2",
                    "--sessions", "2", "--cores", "1"],
    ("games",): [],
    ("check",): ["craps"],
    ("analyze",): ["roulette", "--wager", "red"],
    ("advise",): ["roulette", "--cards", "Kd,Qs,9c"],
    ("deal",): ["nowhere.txt"],
    ("coverage",): ["--subchapter", "3"],
    ("play",): ["roulette"],
    ("simulate",): ["roulette", "--rounds", "2", "--cores", "1", "--wager", "red"],
    ("par",): ["roulette", "--format", "nowhere"],
    ("rng", "test"): ["--quick", "--source", "nowhere"],
    ("rng", "dump"): ["--out", "dumped", "--game", "roulette", "--rounds", "2"],
    ("serve",): ["--port", "0"],
    ("verify",): [],
    ("restored",): ["--why", "it was meant"],
    ("backup",): ["copy.db"],
    ("dispute",): ["T/1"],
    ("report",): ["funds"],
    ("account", "add"): ["Bob"],
    ("account", "unlock"): ["Ann"],
    ("account", "close"): ["Nobody"],
    ("account", "role"): ["Ann", "--role", "dealer"],
    ("account", "password"): ["Ann"],
    ("account", "fund"): ["Ann", "5"],
    ("pay-out",): ["T", "--why", "it does not open", "--by", "Ann"],
}  # fmt: skip


def leaves(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    if hasattr(command, "commands"):
        for name, each in command.commands.items():
            yield from leaves(each, (*path, name))
    else:
        yield path, command


COMMANDS = dict(leaves(typer.main.get_command(app)))
PLACES = [
    (path, each.opts[-1] if each.opts[-1].startswith("-") else "")
    for path, command in COMMANDS.items()
    for each in command.params
    if not getattr(each, "is_flag", False) and each.name != "help"
]


def filled(path: tuple[str, ...], option: str, odd: str) -> list[str]:
    """The words of a command, with something odd in one place."""
    words = [*BASES[path]]
    if option:
        if option in words:
            words[words.index(option) + 1] = odd
        else:
            words += [option, odd]
    else:
        words = ["--", odd] if not words else [*words[1:], "--", odd]
    return [*path, *words]


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The database of a house with one account and no table."""
    file = tmp_path_factory.mktemp("floor") / "floor.db"
    url = f"sqlite:///{file}"
    storage = Storage(url)
    storage.migrate()
    hasher = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    notary = Notary(file.with_name(f"{file.name}.checkpoints"))
    People(storage, SystemClock(), HouseLog(storage, notary=notary), hasher=hasher).create(
        "Ann", "correct horse", Role.PATRON, by="house"
    )
    storage.close()
    return url


Try = Callable[[list[str]], tuple[int, str]]


@pytest.fixture
def attempt(
    floor: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Try:
    """Run a command in an empty folder, with nobody at the keyboard: its code and its complaint."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CROUPIER_DB", floor)
    monkeypatch.setattr("croupier.server.run.serve", lambda *given, **more: 0)

    def tried(words: list[str]) -> tuple[int, str]:
        monkeypatch.setattr("sys.stdin", io.StringIO(""))
        code = run(words)
        return code, capfd.readouterr().err

    return tried


def said_well(words: list[str], code: int, complaint: str) -> None:
    assert code in (0, 1, 2), words
    assert "Traceback" not in complaint
    if code and not (complaint == "" and words[0] == "check"):
        last = complaint.strip().splitlines()[-1]
        assert last.startswith("croupier: "), (words, complaint)
        assert last.endswith("."), (words, complaint)


def test_every_command_is_tried() -> None:
    assert set(BASES) == set(COMMANDS)


@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_no_odd_word_gives_a_traceback(path: tuple[str, ...], attempt: Try) -> None:
    """Each place is tried with some of them, and each of them in some place."""
    step = 6 if path[0] == "account" else 3  # a house is opened for each of these
    for at, (place, option) in enumerate(PLACES):
        for odd in ODD[at % step :: step] if place == path else ():
            words = filled(path, option, odd)
            said_well(words, *attempt(words))


@settings(
    max_examples=50, deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)  # fmt: skip
@given(
    place=st.sampled_from([place for place in PLACES if place[0][0] != "account"]),
    odd=st.text(st.characters(exclude_categories=["Cs", "Nd"]), max_size=300),
)
def test_nor_does_any_other(place: tuple[tuple[str, ...], str], odd: str, attempt: Try) -> None:
    words = filled(*place, odd)
    said_well(words, *attempt(words))


DEEP = [
    "tables = " + "[" * 5000,
    "tables = " + "[" * 5000 + "]" * 5000,
    "x = " + "{a = " * 5000,
    "[" + ".".join("a" * 5000) + "]",
    "hosts = " + "[" * 90 + "]" * 90,
]


@pytest.mark.parametrize("settings_", DEEP)
def test_a_file_of_settings_as_deep_as_the_sea(
    settings_: str, attempt: Try, tmp_path: Path
) -> None:
    (tmp_path / "deep.toml").write_text(settings_, "utf-8")
    code, complaint = attempt(["serve", "--config", "deep.toml"])
    assert code == 2
    said_well(["serve"], code, complaint)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["dispute", f"T/{'9' * 400}"], "must read TABLE/ROUND"),
        (["verify", "--db", "sqlite:///%00"], "no name has a null character"),
        (["verify", "--db", f"sqlite:///{LONG}"], "longer than 243 bytes"),
        (["verify", "--checkpoints", LONG], "file name too long"),
        (["backup", LONG], "file name too long"),
        (["backup", f"{LONG}/x"], "file name too long"),
        (["deal", LONG], "File name too long"),
        (["deal", "/dev/zero"], "is too large"),
        (["serve", "--config", LONG], "file name too long"),
        (["serve", "--config", "/dev/zero"], "is too large"),
        (["account", "unlock", "\udcff"], r"nobody here is called \udcff"),
        (["account", "unlock", "a\nb"], r"a\nb"),
    ],
)
def test_what_is_wrong_is_said(words: list[str], reason: str, attempt: Try) -> None:
    code, complaint = attempt(words)
    assert code == 2
    assert reason in complaint
    said_well(words, code, complaint)
    assert len(complaint.splitlines()) == 1
