"""Answering for a log that is not what was signed or sealed.

An older backup was put back, the house's key was lost, or somebody wrote events
into the database that are not the house's. No server opens such a floor until a
person on the machine answers for it. What they answer for stays in the house's
log, with their name; events that nobody of the house sealed are taken out of the
logs and kept in that event, word for word.
"""

from typing import Any

from sqlalchemy import Connection, delete, select, update

from croupier.floor import heads, log, schema
from croupier.floor.checkpoint import Expected, Notary, check_anchor
from croupier.floor.clock import Clock
from croupier.floor.events import BEGINNING, HOUSE
from croupier.floor.house_log import HouseLog
from croupier.floor.log import LogBroken
from croupier.floor.rows import put_all
from croupier.floor.seal import Seal
from croupier.floor.shapes import rows_of
from croupier.floor.storage import Storage
from croupier.floor.verify import verify


def answer_for(storage: Storage, notary: Notary, clock: Clock, by: str, why: str) -> list[str]:
    """Write down who answers, and make the floor such that a server opens it.

    The streams that were not what they should be; `LogBroken` if a log is bad by itself.
    """
    marks, expected = notary.read(), Expected()
    with storage.read() as conn:
        behind = [*log.behind(conn, marks)]
        mine = marks.chain if storage.dialect == "postgresql" else None
        expected.hear(*log.last_anchor(conn, mine))
        foreign = _foreign(conn, notary.seal)
        beyond = {
            row.stream: row.number for row in conn.execute(select(schema.heads))
            if heads.fits(notary.seal, row) and log.last_number(conn, row.stream) > row.number
        }  # fmt: skip
    if not (behind or foreign or beyond or marks.flaws or check_anchor(marks, expected)):
        return []
    if bad := _bad_by_itself(storage, beyond):
        raise bad
    with storage.write() as conn:
        struck = _strike(conn, beyond)
        if foreign:
            _seal_anew(conn, notary.seal)
        HouseLog(storage, clock, notary).note(
            conn, "restored", HOUSE, by=by, why=why, logs=behind, struck=struck,
            resealed=foreign, anchor=notary.state(),
        )  # fmt: skip
    with storage.read() as conn:
        for stream in dict.fromkeys([*behind, *beyond, HOUSE]):
            number, head = log.head(conn, stream) or (0, BEGINNING)
            notary.acknowledge_restore(stream, number, head, clock.now(), by, why)
    return sorted({*behind, *foreign, *beyond}) or [HOUSE]


def _bad_by_itself(storage: Storage, beyond: dict[str, int]) -> LogBroken | None:
    """What is wrong with the logs, up to their sealed heads, whatever was signed."""
    for bad in verify(storage).bad:
        if bad.number is None or bad.number <= beyond.get(bad.stream, bad.number):
            return bad
    return None


def _foreign(conn: Connection, seal: Seal) -> list[str]:
    """The streams whose head another key has sealed, or nobody."""
    rows = conn.execute(select(schema.heads))
    return [str(row.stream) for row in rows if not heads.fits(seal, row)]


def _strike(conn: Connection, beyond: dict[str, int]) -> list[list[Any]]:
    """Take out the events beyond each sealed head; all that they said."""
    struck: list[list[Any]] = []
    for stream, number in beyond.items():
        more = "WHERE stream = :stream AND number > :number ORDER BY number"
        rows = rows_of(conn, schema.events, more, stream=stream, number=number)
        struck += [[each if isinstance(each, str | int) else ascii(each) for each in row]
                   for row in rows]  # fmt: skip
        events = schema.events.c
        conn.execute(
            delete(schema.events).where(events.stream == stream, events.number > number)
        )  # fmt: skip
    return struck


def _seal_anew(conn: Connection, seal: Seal) -> None:
    """Seal every head and every answer with the key of today; snapshots are made again."""
    put_all(conn, [heads.sealed(seal, heads.all_heads(conn))])
    conn.execute(delete(schema.snapshots))
    requests = schema.requests
    for row in conn.execute(select(requests).where(requests.c.seal.is_not(None))).all():
        one = (requests.c.actor == row.actor) & (requests.c.request == row.request)
        sealed = seal.of("request", *row[:-1])
        conn.execute(update(requests).where(one).values(seal=sealed))
