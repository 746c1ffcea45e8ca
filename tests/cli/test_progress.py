"""Long work shows itself to whoever looks, and to nobody else."""

import io
import time

import pytest
from rich.console import Console

from croupier.cli.progress import bar
from croupier.games import registry
from tests.cli.support import Captured

DEALS = 27_813_810_024_000


def a_terminal() -> tuple[Console, io.StringIO]:
    page = io.StringIO()
    return Console(file=page, force_terminal=True, width=80, highlight=False), page


def drawn(page: io.StringIO) -> str:
    """What has been drawn, when there has been time to draw it."""
    time.sleep(0.2)
    return page.getvalue()


def test_a_bar_is_drawn_where_somebody_looks() -> None:
    console, page = a_terminal()
    with bar("Ultimate Texas hold 'em", console) as watch:
        assert "Ultimate Texas hold 'em" in drawn(page)
        watch.compiles()
        watch.counts(DEALS)
        assert "Compiling the solver, this once" in drawn(page)
        assert "Counting 27.8 trillion deals" in page.getvalue()
        assert "50%" not in page.getvalue()
        watch.done(0.5)
        assert "50%" in drawn(page)
        watch.done(1.0)
    assert page.getvalue().endswith("\x1b[2K")  # and is gone when it is done


def test_which_game_is_analyzed_is_said() -> None:
    console, page = a_terminal()
    games = list(registry().values())
    with bar(table=console) as watch:
        for game in watch.each(games):
            if game.id in ("craps", "premium-hold-em"):
                assert game.title in drawn(page)
        watch.counts(52_000_000)
        assert "Counting 52.0 million deals" in drawn(page)


def test_nothing_is_said_where_nobody_looks(capsys: Captured) -> None:
    """Standard error of a command in a pipe stays empty, for a complaint may be written to it."""
    with bar("Premium hold 'em") as watch:
        watch.compiles()
        watch.counts(DEALS)
        watch.done(0.5)
        watch.done(1.0)
        assert len(list(watch.each(registry().values()))) == len(registry())
    assert capsys.readouterr() == ("", "")


def test_a_player_is_told_in_words_where_no_bar_can_be_drawn() -> None:
    page = io.StringIO()
    with bar("Premium hold 'em", Console(file=page, width=80)) as watch:
        watch.compiles()
        watch.counts(DEALS)
        watch.done(0.5)
    assert page.getvalue() == (
        "Compiling the solver, this once: about half a minute.\n"
        "Counting 27.8 trillion deals, this once: it may take a minute or two.\n"
    )


@pytest.mark.parametrize(
    ("deals", "words"),
    [
        (DEALS, "27.8 trillion"),
        (1_000_000_000, "1.0 billion"),
        (51_979_200, "52.0 million"),
        (407_170, "407,170"),
    ],
)
def test_large_numbers_are_told_in_words(deals: int, words: str) -> None:
    page = io.StringIO()
    with bar(table=Console(file=page, width=80)) as watch:
        watch.counts(deals)
    assert page.getvalue().startswith(f"Counting {words} deals")
