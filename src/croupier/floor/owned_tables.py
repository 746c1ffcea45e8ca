"""Owned tables: those that this server runs, and how it takes them over and lets them go.

A table is run by one server at a time. A server owns it by a lock in the database, which is lost
with the connection.
"""

import logging
from collections.abc import Callable, Iterable

from sqlalchemy import Connection, select, update

from croupier.floor import log, schema
from croupier.floor.alarms import Alarms
from croupier.floor.commands import ElsewhereOwned, Unavailable
from croupier.floor.events import HOUSE, LogEvent
from croupier.floor.house_log import HouseLog
from croupier.floor.live import LiveTable
from croupier.floor.roles import Person
from croupier.floor.salvage import apart
from croupier.floor.snapshots import Snapshots
from croupier.floor.storage import Storage, StorageFull, StorageLost
from croupier.rulebook import Fault, Refusal, custom

logger = logging.getLogger("croupier.pit")

AFTER_CLOSING = {"dispute", "correct", "approve"}

Publish = Callable[[str, list[LogEvent]], None]


class OwnedTables:
    """The tables that this server runs, and those that stay closed because their log is bad."""

    def __init__(
        self, storage: Storage, house: HouseLog, alarms: Alarms, snapshots: Snapshots,
        publish: Publish, address: str | None,
    ) -> None:  # fmt: skip
        self.tables: dict[str, LiveTable] = {}
        self.broken: dict[str, str] = {}  # tables whose log is bad, and why
        self.address = address
        self._storage, self._house, self._publish = storage, house, publish
        self._alarms, self._snapshots = alarms, snapshots
        self._generation = storage.generation

    def take_over(self) -> None:
        """Run every open table that no server runs."""
        try:
            with self._storage.write() as conn:
                self.heed_reconnection()
                self._house.begin(conn)
                listed, damaged = log.directory(conn)
                for stream in damaged.keys() - self.broken.keys():
                    self._stays_closed(conn, log.LogBroken(stream, None, damaged[stream]))
                wanted = [each for each in listed if each not in self.tables | self.broken]
                for stream in self._storage.own_free(wanted):
                    self._adopt(conn, stream)
        except (StorageLost, StorageFull) as error:
            logger.warning("tables could not be taken over: %s", error)

    def heed_reconnection(self) -> None:
        """With a lost connection its locks were lost: the tables may be another server's."""
        if self._storage.generation != self._generation:
            self.forget(self.tables)
            self._generation = self._storage.generation

    def find(self, conn: Connection, stream: str, by: Person, do: str) -> LiveTable:
        """A table that this server runs, or takes over now, for a command of this person."""
        if not by.may_visit(stream):
            raise Refusal(Fault.UNKNOWN_TABLE, f"there is no table {stream!r}")
        if stream in self.tables:
            return self.tables[stream]
        row = conn.execute(select(schema.tables).where(schema.tables.c.id == stream)).first()
        if row is None:
            raise Refusal(Fault.UNKNOWN_TABLE, f"there is no table {stream!r}")
        if row.status == "closed" and do not in AFTER_CLOSING:
            raise Refusal(Fault.TABLE_CLOSED, "the table is closed", custom("8.2"))
        live = self._adopt(conn, stream) if stream not in self.broken else None
        if stream in self.broken:
            raise Unavailable(f"this table stays closed, its log is bad: {self.broken[stream]}")
        if live is None:
            raise ElsewhereOwned(stream, row.owner)
        return live

    def open(self, conn: Connection, stream: str) -> LiveTable:
        """A new table, which nothing has happened at yet."""
        if not self._storage.own(stream):
            raise ElsewhereOwned(stream, None)
        if log.head(conn, stream) is not None:
            raise Refusal(Fault.CONFLICT, f"there is a table {stream} already")
        live = self.tables[stream] = LiveTable(stream)
        return live

    def rebuild(self, live: LiveTable) -> LiveTable:
        """Put the table as it was before a step that failed into its place."""
        fresh = self.tables[live.stream] = live.rebuilt()
        return fresh

    def forget(self, streams: Iterable[str]) -> None:
        """Drop what memory holds of these tables: it may not be on disk, so they are read again."""
        for stream in [*streams]:
            self.tables.pop(stream, None)
            self._alarms.stop(stream)

    def let_go(self, stream: str) -> None:
        """Run a table no longer."""
        self.forget([stream])
        self._storage.disown(stream)

    def let_all_go(self) -> None:
        """Run no table any longer: other servers may take them over."""
        for stream in self.tables:
            self._storage.disown(stream)
        self.tables.clear()

    def _adopt(self, conn: Connection, stream: str) -> LiveTable | None:
        """A table of the log becomes this server's, if no other has it."""
        if not self._storage.own(stream):
            return None
        try:
            with apart(conn):
                log.listing(conn, stream)
                live = log.load(conn, stream, self._house.seal)
        except log.LogBroken as broken:
            self._stays_closed(conn, broken)
            self._storage.disown(stream)
            return None
        owned = update(schema.tables).where(schema.tables.c.id == stream)
        conn.execute(owned.values(owner=self.address))
        self.tables[stream] = live
        self._publish(stream, [])  # who listens may have missed what another server wrote last
        self._snapshots.written(live)
        self._alarms.set(live)
        return live

    def _stays_closed(self, conn: Connection, broken: log.LogBroken) -> None:
        """A table that cannot be opened is named, and noted; the others are opened."""
        self.broken[broken.stream] = str(broken)
        logger.critical("table %s stays closed: %s", broken.stream, broken)
        try:
            with log.reading(HOUSE), apart(conn):
                self._house.note(conn, "log_broken", "house", table=broken.stream,
                                 event=broken.number, why=broken.why)  # fmt: skip
        except log.LogBroken as worse:
            logger.critical("and that cannot be written down: %s", worse)
