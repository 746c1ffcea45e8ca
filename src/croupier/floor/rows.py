"""Writing and finding many rows with one statement.

Sent one by one, each row costs a pause in which other threads take the
processor, and a group of commands would wait for each of them. All rows of a
table go to the database as one JSON text, and the database takes them apart.
"""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from sqlalchemy import BigInteger, Boolean, Connection, Integer, Row, Table, TextClause, text

TYPES = {BigInteger: "bigint", Integer: "integer", Boolean: "boolean"}


def put(
    conn: Connection, table: Table, rows: Sequence[Mapping[str, Any]], on_conflict: str = ""
) -> None:
    """Insert these rows; `on_conflict` says what to do about one that is there already."""
    columns = columns_of(table)
    given = json.dumps([[row[name] for name in columns] for row in rows])
    conn.execute(_statement(conn.dialect.name, table, on_conflict), {"rows": given})


def found(conn: Connection, table: Table, keys: Sequence[Sequence[str]]) -> list[Row[Any]]:
    """The rows of these primary keys, which are text."""
    return [*conn.execute(_search(conn.dialect.name, table), {"keys": json.dumps(keys)})]


@cache
def _search(dialect: str, table: Table) -> TextClause:
    each = {"postgresql": "jsonb_array_elements(CAST(:keys AS jsonb))"}.get(dialect)
    part = "value->>{}" if each else "json_extract(value, '$[{}]')"
    names = [f'"{column.name}"' for column in table.primary_key]
    parts = ", ".join(part.format(at) for at in range(len(names)))
    wanted = f"SELECT {parts} FROM {each or 'json_each(:keys)'}"
    return text(f"SELECT * FROM {table.name} WHERE ({', '.join(names)}) IN ({wanted})")


def columns_of(table: Table) -> list[str]:
    return [column.name for column in table.columns]


@cache
def _statement(dialect: str, table: Table, on_conflict: str) -> TextClause:
    names = [f'"{name}"' for name in columns_of(table)]
    if dialect == "postgresql":
        each = "jsonb_array_elements(CAST(:rows AS jsonb))"
        taken = [
            f"CAST(value->>{at} AS {TYPES.get(type(column.type), 'text')})"
            for at, column in enumerate(table.columns)
        ]
    else:
        each = "json_each(:rows)"
        taken = [f"json_extract(value, '$[{at}]')" for at in range(len(names))]
    then = f" WHERE true ON CONFLICT {on_conflict}" if on_conflict else ""
    return text(
        f"INSERT INTO {table.name} ({', '.join(names)}) SELECT {', '.join(taken)} FROM {each}{then}"
    )
