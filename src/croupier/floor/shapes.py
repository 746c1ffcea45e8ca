"""Whether a row holds what its columns are for. A damaged database may hold anything.

SQLite keeps whatever it is given in any column, and a flipped bit makes a
number of a text. Rows are looked at as the driver gives them, before anything
is made of them: a yes or no is 0 or 1 in SQLite.
"""

from collections.abc import Sequence
from functools import cache
from itertools import product
from typing import Any

from sqlalchemy import Column, Connection, Table, TextClause, text

SAYS = {str: "is not text", int: "is not a whole number", bool: "is neither yes nor no"}


def is_text(value: Any) -> bool:
    """Whether this is text that any database and any reader takes."""
    if type(value) is not str:
        return False
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def misfit(table: Table, row: Sequence[Any]) -> str:
    """What is wrong with a row of this table, in words; nothing if nothing is."""
    wrong = (_wrong(column, value) for column, value in zip(table.columns, row, strict=True))
    return next(filter(None, wrong), "")


def _wrong(column: Column[Any], value: Any) -> str:
    kind = column.type.python_type
    if value is None:
        fits, says = column.nullable, "is empty"
    elif kind is str:
        fits, says = is_text(value), SAYS[str]
    else:
        fits = type(value) in (kind, int) and (kind is int or value in (0, 1))
        says = SAYS[kind]
    return "" if fits else f"its {column.name.replace('_', ' ')} {says}"


@cache
def shapes(table: Table) -> frozenset[tuple[type, ...]]:
    """The types that the columns of a row may have, together: a quick look at many rows."""
    kinds = (
        (column.type.python_type, type(None)) if column.nullable else (column.type.python_type,)
        for column in table.columns
    )
    return frozenset(product(*kinds))


@cache
def everything(table: Table, more: str = "") -> TextClause:
    """All columns of a table, as the driver gives them."""
    names = ", ".join(f'"{column.name}"' for column in table.columns)
    return text(f'SELECT {names} FROM "{table.name}" {more}')


def key_of(table: Table, row: Sequence[Any]) -> str:
    """The primary key of a row, to be told: damaged ones too."""
    parts = [
        value for column, value in zip(table.columns, row, strict=True) if column.primary_key
    ]  # fmt: skip
    return "/".join(part if is_text(part) else ascii(part) for part in parts)


def rows_of(conn: Connection, table: Table, more: str = "", **given: Any) -> list[Sequence[Any]]:
    """Rows as the driver gives them."""
    return [tuple(row) for row in conn.execute(everything(table, more), given)]
