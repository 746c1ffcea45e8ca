"""What the tests of the command line say: run this, type that, and read what is printed."""

import io
import json
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from croupier.cli.app import run
from croupier.cli.play import Session
from croupier.equipment import Chance, Shoe
from croupier.games import find_game

Captured = pytest.CaptureFixture[str]


def document(capsys: Captured, *args: str, code: int = 0) -> Any:
    """Run a command with `--json`: one document on standard output and nothing else."""
    assert run([*args, "--json"]) == code
    out, err = capsys.readouterr()
    assert err == ""
    return json.loads(out)


def complaint(capsys: Captured, *args: str) -> str:
    """Run a command that is bad input: one sentence on standard error, exit code 2."""
    assert run(args) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("croupier: ")
    assert err.endswith(".\n")
    assert err.count("\n") == 1
    return err


def script(tmp_path: Path, content: Mapping[str, Any] | str) -> str:
    path = tmp_path / "script.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")
    return str(path)


# A visit to a table.

SEVEN_HUNDRED = 70_000


class Chosen:
    """Chance that gives these outcomes of the equipment, one after the other."""

    def __init__(self, game: str, given: dict[str, Any], outcomes: Sequence[Any]) -> None:
        self.device = find_game(game).device(find_game(game).options(given))
        self.outcomes = iter(outcomes)

    def below(self, n: int) -> int:
        if isinstance(self.device, Shoe) and n == len(self.device.composition):
            self.device.shuffle()
        outcome = self.device.read(next(self.outcomes))
        if len(self.device.outcomes()) != n:
            raise AssertionError("a different device is in use")
        place = list(self.device.outcomes()).index(outcome)
        self.device.take(outcome)
        return place


def typed(lines: Sequence[str]) -> Callable[[str], str]:
    """A reader of these lines, after which there is no more."""
    left = iter(lines)

    def read(prompt: str) -> str:
        for line in left:
            return line
        raise EOFError

    return read


class Visit:
    """A visit to a table: what was typed, what chance gave, and what was printed."""

    def __init__(
        self,
        game: str,
        *lines: str,
        draws: Sequence[Any] = (),
        given: dict[str, Any] | None = None,
        stack: int = SEVEN_HUNDRED,
        width: int = 100,
        read: Callable[[str], str] | None = None,
        chance: Chance | None = None,
    ) -> None:
        self._page = io.StringIO()
        self._read = read or typed(lines)
        self.prompts: list[tuple[str, str]] = []  # and what was on the page before each
        console = Console(file=self._page, width=width, highlight=False)
        chance = chance or Chosen(game, given or {}, draws)
        self.session = Session(find_game(game), given or {}, stack, console, chance, self._echo)
        self.session.run()

    def _echo(self, prompt: str) -> str:
        """A terminal shows the prompt, and what is typed after it."""
        self.prompts.append((prompt.strip(), self.text))
        self._page.write(prompt)
        line = self._read(prompt)
        self._page.write(f"{line[:20]!a}\n")
        return line

    @property
    def page(self) -> str:
        return self._page.getvalue()

    @property
    def text(self) -> str:
        return re.sub(r"\s+", " ", self.page)

    @property
    def stack(self) -> int:
        return self.session.stack

    @property
    def bets(self) -> dict[str, int]:
        return {bet.label: bet.stake for bet in self.session.lying}

    def says(self, *sentences: str) -> None:
        for sentence in sentences:
            assert sentence in self.text, self.page


def cards(*said: str) -> list[str]:
    return " ".join(said).split()
