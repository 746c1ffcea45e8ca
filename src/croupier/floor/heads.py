"""Heads: how far each log has come, sealed in every transaction that adds to it.

The chain of hashes makes the last event speak for all before it, so one sealed
row for each stream is enough to tell the house's events from those that
somebody else wrote into the database: whatever lies beyond the sealed head is
not the house's.
"""

from collections.abc import Iterable
from typing import Any

from sqlalchemy import Connection, bindparam, func, select

from croupier.floor import schema
from croupier.floor.rows import Rows
from croupier.floor.seal import Seal

Head = tuple[str, int, str]  # a stream, the number of its last event, and its hash
RENEWED = "(stream) DO UPDATE SET number = excluded.number, hash = excluded.hash, "
RENEWED += "seal = excluded.seal"

OF_A_STREAM = select(schema.heads).where(schema.heads.c.stream == bindparam("stream"))


class BadSeal(Exception):
    """A head that the house has not written."""


def sealed(seal: Seal, heads: Iterable[Head]) -> Rows:
    """The rows that say so."""
    rows = [(*head, seal.of("head", *head)) for head in heads]
    return Rows(schema.heads, rows, RENEWED)


def find(conn: Connection, stream: str) -> Any:
    """The row of a stream, whatever is in it."""
    return conn.execute(OF_A_STREAM, {"stream": stream}).first()


def sealed_head(conn: Connection, seal: Seal, stream: str) -> tuple[int, str] | None:
    """How far a stream has come; None if nobody ever sealed it."""
    row = find(conn, stream)
    if row is None:
        return None
    if not fits(seal, row):
        raise BadSeal("the seal of its head is not the house's")
    return row.number, row.hash


def fits(seal: Seal, row: Any) -> bool:
    return type(row.number) is int and seal.fits(row.seal, "head", row.stream, row.number, row.hash)


def all_heads(conn: Connection) -> list[Head]:
    """The last event of every stream, as the events have it."""
    events = schema.events.c
    last = select(events.stream, func.max(events.number).label("number")).group_by(events.stream)
    newest = last.subquery()
    query = select(events.stream, events.number, events.hash).join(
        newest, (events.stream == newest.c.stream) & (events.number == newest.c.number)
    )
    return [(row.stream, row.number, row.hash) for row in conn.execute(query)]
