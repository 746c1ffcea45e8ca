"""The pit clerk: writes down what was decided.

All rows of a batch go into one transaction, with the seals, and the database checks that the money
of each table still adds up.
"""

import json
from collections.abc import Iterable

from sqlalchemy import Connection, text, update

from croupier.floor import heads, schema
from croupier.floor.batch import Batch
from croupier.floor.cage import Cage
from croupier.floor.events import canonical
from croupier.floor.house_log import HouseLog
from croupier.floor.live import LiveTable, may_overdraw
from croupier.floor.rows import TEXTS, Rows, put_all
from croupier.floor.snapshots import Snapshots

UNBALANCED = {
    dialect: text(
        f"SELECT stream FROM balances WHERE stream IN (SELECT value FROM {each.format('streams')}) "
        "GROUP BY stream HAVING sum(cents) <> 0"
    )
    for dialect, each in TEXTS.items()
}
NOTIFY = text(f"SELECT pg_notify('croupier', value) FROM {TEXTS['postgresql'].format('streams')}")
HELD = "(stream, account) DO UPDATE SET cents = excluded.cents"


class PitClerk:
    """Writes batches, and knows which rulesets the database has."""

    def __init__(
        self, house: HouseLog, cage: Cage, snapshots: Snapshots, dialect: str, large_cents: int
    ) -> None:
        self._house, self._cage, self._snapshots = house, cage, snapshots
        self._dialect, self._large = dialect, large_cents
        self._rulesets: set[str] = set()  # those that are in the database

    def new_batch(self) -> Batch:
        """A batch with nothing in it."""
        return Batch(self._large, self._rulesets)

    def write(self, conn: Connection, batch: Batch) -> None:
        """Write a whole batch. It counts when the transaction is committed."""
        rulesets = [
            {"hash": each, **of, "options": canonical(of["options"])}
            for each, of in batch.rulesets.items()
        ]
        balances = [
            {"stream": stream, "account": account, "cents": cents,
             "overdraft": may_overdraw(account)}
            for (stream, account), cents in batch.balances.items()
        ]  # fmt: skip
        for live in batch.touched.values():
            if live.status == "closed":
                live.remember()
        last = {event.stream: event for event in batch.rows}
        grown = [(stream, event.number, event.hash) for stream, event in last.items()]
        put_all(conn, [
            Rows(schema.tables, batch.opened),
            Rows(schema.rulesets, rulesets, "DO NOTHING"),
            Rows(schema.events, batch.rows),
            heads.sealed(self._house.seal, grown),
            Rows(schema.requests, [*batch.requests.values()]),
            Rows(schema.balances, balances, HELD),
            self._snapshots.rows(self._snapshots.due(batch.touched.values())),
        ])  # fmt: skip
        if balances:
            self._check_sums(conn, {stream for stream, _ in batch.balances})
        for stream, live in batch.touched.items():
            self._write_status(conn, stream, live)
        for stream, event, account, cents in batch.transfers:
            self._cage.transfer(conn, stream, event, account, cents)
        for kind, actor, data in batch.notes:
            self._house.note(conn, kind, actor, **data)
        self._house.keep(conn)
        if batch.touched and self._dialect == "postgresql":
            conn.execute(NOTIFY, {"streams": json.dumps([*batch.touched])})

    def committed(self, batch: Batch) -> None:
        """Note what the database has, now that a batch is on disk."""
        for live in self._snapshots.due(batch.touched.values()):
            self._snapshots.written(live)
        self._rulesets.update(batch.rulesets)
        for live in batch.touched.values():
            live.filed = live.listed

    def forget(self, stream: str) -> None:
        """Drop a table that is closed."""
        self._snapshots.forget(stream)

    def _check_sums(self, conn: Connection, streams: Iterable[str]) -> None:
        """Double entry: all that the accounts of a table hold adds up to nothing."""
        given = {"streams": json.dumps(sorted(streams))}
        wrong = conn.execute(UNBALANCED[self._dialect], given).first()
        if wrong:
            raise AssertionError(f"the money at table {wrong.stream} does not add up")

    def _write_status(self, conn: Connection, stream: str, live: LiveTable) -> None:
        if live.filed != live.listed:
            listed = update(schema.tables).where(schema.tables.c.id == stream)
            conn.execute(listed.values(status=live.listed))
