"""Sheets for the tests, each made once."""

from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache
from typing import Any

import pytest

from croupier.analysis import Watch, analyze
from croupier.games import find_game
from croupier.par.document import Sheet, Table
from croupier.par.sheet import sheet
from croupier.par.subject import Patience, Subject

NOON = datetime(2026, 11, 16, 12, 0, tzinfo=UTC)
QUICK = 10**9  # deals that are counted within a moment


class OnlyIfSolved(Watch):
    """Skips a test that would have to solve a game of many deals first."""

    def counts(self, deals: int) -> None:
        if deals > QUICK:
            pytest.skip("the game has not been solved on this machine")


@cache
def made(game: str, budget: float = 0.0) -> Sheet:
    """The sheet of a default table."""
    found = find_game(game)
    return sheet(
        found, found.options(), watch=OnlyIfSolved(), author="A. N. Author", now=lambda: NOON,
        sensitivity_budget=budget,
    )  # fmt: skip


def about(
    game: str, given: Mapping[str, Any] | None = None, labels: tuple[str, ...] = (),
    seconds: float = 60.0,
) -> Subject:  # fmt: skip
    """What the sections of a sheet are told of."""
    found = find_game(game)
    options = found.options(given or {})
    reports = tuple(analyze(found, options, labels, watch=OnlyIfSolved()))
    return Subject(found, options, reports, Patience(OnlyIfSolved(), seconds))


def table(sheet: Sheet, id: str) -> Table:
    return next(
        block
        for section in sheet.sections
        for block in section.blocks
        if isinstance(block, Table) and block.id == id
    )


def row(table: Table, first: str) -> dict[str, Any]:
    """The row that begins with this, by column."""
    found = next(row for row in table.rows if row[0] == first)
    return dict(zip([column.id for column in table.columns], found, strict=True))
