"""Writing and finding many rows with one statement.

Sent one by one, each row costs a pause in which other threads take the
processor, and a group of commands would wait for each of them. All rows of a
table go to the database as one JSON text, and the database takes them apart;
in PostgreSQL those of several tables go together.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import BigInteger, Boolean, Connection, Integer, Row, Table, TextClause, text

TYPES = {BigInteger: "bigint", Integer: "integer", Boolean: "boolean"}
MEMBERS = {  # of an array in JSON that is given under a name
    "postgresql": "jsonb_array_elements(CAST(:{} AS jsonb))",
    "sqlite": "json_each(:{})",
}
TEXTS = MEMBERS | {"postgresql": "jsonb_array_elements_text(CAST(:{} AS jsonb))"}


class Rows(NamedTuple):
    """What is to be put into a table: by the names of its columns, or in their order."""

    table: Table
    rows: Sequence[Mapping[str, Any] | tuple[Any, ...]]
    on_conflict: str = ""  # what to do about one that is there already


def put(
    conn: Connection,
    table: Table,
    rows: Sequence[Mapping[str, Any] | tuple[Any, ...]],
    on_conflict: str = "",
) -> None:
    """Insert these rows."""
    put_all(conn, [Rows(table, rows, on_conflict)])


def put_all(conn: Connection, given: Iterable[Rows]) -> None:
    """Insert rows into several tables. In one statement, none of them sees another's."""
    groups = [[each] for each in given if each.rows]
    if groups and conn.dialect.name == "postgresql":
        groups = [[each for (each,) in groups]]
    for group in groups:
        into = tuple((each.table, each.on_conflict) for each in group)
        rows = {f"rows_{at}": _in_json(each) for at, each in enumerate(group)}
        conn.execute(_insertion(conn.dialect.name, into), rows)


def found(conn: Connection, table: Table, keys: Sequence[Sequence[str]]) -> list[Row[Any]]:
    """The rows of these primary keys, which are text."""
    return [*conn.execute(_search(conn.dialect.name, table), {"keys": json.dumps(keys)})]


@cache
def _search(dialect: str, table: Table) -> TextClause:
    names = [f'"{column.name}"' for column in table.primary_key]
    parts = ", ".join(_part(dialect, at) for at in range(len(names)))
    wanted = f"SELECT {parts} FROM {MEMBERS[dialect].format('keys')}"
    return text(f"SELECT * FROM {table.name} WHERE ({', '.join(names)}) IN ({wanted})")


@cache
def columns_of(table: Table) -> list[str]:
    return [column.name for column in table.columns]


def _in_json(given: Rows) -> str:
    names = columns_of(given.table)
    return json.dumps([
        row if isinstance(row, tuple) else [row[name] for name in names] for row in given.rows
    ])  # fmt: skip


@cache
def _insertion(dialect: str, into: tuple[tuple[Table, str], ...]) -> TextClause:
    *first, last = (_one(dialect, f"rows_{at}", *each) for at, each in enumerate(into))
    before = ", ".join(f"into_{at} AS ({each})" for at, each in enumerate(first))
    return text(f"WITH {before} {last}" if first else last)


def _one(dialect: str, rows: str, table: Table, on_conflict: str) -> str:
    names = ", ".join(f'"{name}"' for name in columns_of(table))
    taken = ", ".join(
        f"CAST({_part(dialect, at)} AS {TYPES.get(type(column.type), 'text')})"
        if dialect == "postgresql" else _part(dialect, at)
        for at, column in enumerate(table.columns)
    )  # fmt: skip
    then = f" WHERE true ON CONFLICT {on_conflict}" if on_conflict else ""
    each = MEMBERS[dialect].format(rows)
    return f"INSERT INTO {table.name} ({names}) SELECT {taken} FROM {each}{then}"


def _part(dialect: str, at: int) -> str:
    return f"value->>{at}" if dialect == "postgresql" else f"json_extract(value, '$[{at}]')"
