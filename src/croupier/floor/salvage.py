"""Reading what can be read of a damaged database.

A page that is damaged keeps the rows on it, and those behind it, from a
reading that goes through all of them. SQLite can come from the other end, and
along an index, and so finds all the rows but those of the damaged page.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from sqlalchemy import Connection, Table
from sqlalchemy import exc as sql

from croupier.floor.storage import StorageDamaged, StorageError, meaning

WAYS = ("rowid", "rowid DESC")  # and along its primary key


def is_of_the_rows(error: Exception) -> bool:
    """Whether an error comes of what the rows hold, and not of the connection or the disk."""
    if isinstance(error, sql.DBAPIError):
        return meaning(error) in (None, StorageDamaged)
    return isinstance(error, StorageDamaged) or not isinstance(error, StorageError)


def in_words(error: Exception) -> str:
    """Why something cannot be read."""
    cause = error.__cause__ if isinstance(error, StorageError) else error
    if isinstance(cause, sql.DBAPIError):
        return f"the database says {str(cause.orig).strip()!r}"
    return f"{type(error).__name__}: {error}"


@contextmanager
def apart(conn: Connection) -> Iterator[None]:
    """What fails in here leaves the transaction as it was before.

    Some failures of a disk undo the whole transaction at once: then the failure is told, and
    not that there is nothing left to undo.
    """
    part = conn.begin_nested()
    try:
        yield
    except BaseException:
        with suppress(sql.DBAPIError):
            part.rollback()
        raise
    part.commit()


def column(conn: Connection, table: Table, name: str, where: str = "true") -> tuple[list[Any], str]:
    """What a column holds, each once, as far as it can be read; and why not further."""
    try:
        with apart(conn):
            query = f'SELECT DISTINCT "{name}" FROM "{table.name}" WHERE {where}'
            return [row[0] for row in conn.exec_driver_sql(query)], ""
    except sql.DBAPIError as error:
        if not is_of_the_rows(error):
            raise
        if conn.dialect.name != "sqlite":
            return [], in_words(error)
        return _from_all_sides(conn, table, name, where), in_words(error)


def _from_all_sides(conn: Connection, table: Table, name: str, where: str) -> list[Any]:
    found: dict[Any, None] = {}
    keys = ", ".join(f'"{key.name}"' for key in table.primary_key)
    for way in (*WAYS, keys):
        query = f'SELECT "{name}" FROM "{table.name}" WHERE {where} ORDER BY {way}'
        found.update(dict.fromkeys(row[0] for row in until_damage(conn, query)))
    return [*found]


def until_damage(
    conn: Connection, query: str, met: Callable[[Exception], None] = lambda error: None
) -> Iterator[Sequence[Any]]:
    """The rows of a query, up to one that cannot be read."""
    try:
        rows = conn.exec_driver_sql(query)
        while (row := rows.fetchone()) is not None:
            yield tuple(row)
    except sql.DBAPIError as error:
        if not is_of_the_rows(error):
            raise
        met(error)
