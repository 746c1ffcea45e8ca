"""Snapshots: how tables stand, kept in the database so that they start without their whole log."""

from collections.abc import Iterable

from croupier.floor import schema
from croupier.floor.events import canonical
from croupier.floor.live import LiveTable
from croupier.floor.rows import Rows
from croupier.floor.seal import Seal
from croupier.floor.software import software

MOST_SNAPSHOTS = 8  # in one transaction
RENEWED = ", ".join(f"{column.name} = excluded.{column.name}" for column in schema.snapshots.c)


class Snapshots:
    """Which event the last snapshot of each table was taken after, and which tables need one."""

    def __init__(self, seal: Seal, every: int) -> None:
        self._seal = seal
        self._every = every  # so many events
        self._numbers: dict[str, int] = {}  # the event of the last snapshot

    def rows(self, tables: Iterable[LiveTable]) -> Rows:
        """How these tables stand, as they remember it."""
        rows = [
            (*kept, self._seal.of("snapshot", *kept))
            for live in tables if (memory := live.memory) is not None
            for kept in [
                (live.stream, memory["number"], memory["head"], software(), canonical(memory))
            ]
        ]  # fmt: skip
        return Rows(schema.snapshots, rows, f"(stream) DO UPDATE SET {RENEWED}")

    def due(self, tables: Iterable[LiveTable]) -> list[LiveTable]:
        """Those furthest behind, and not all at once: a commit waits for them."""
        due = [
            live for live in tables
            if self._behind(live) >= self._every or live.status == "closed"
        ]  # fmt: skip
        return sorted(due, key=self._behind, reverse=True)[:MOST_SNAPSHOTS]

    def written(self, live: LiveTable) -> None:
        """Note that the database has this table as it is remembered now."""
        self._numbers[live.stream] = live.memory["number"] if live.memory else 0

    def forget(self, stream: str) -> None:
        """Drop a table that is closed."""
        self._numbers.pop(stream, None)

    def _behind(self, live: LiveTable) -> int:
        """How many events the last snapshot is behind what is remembered."""
        return (live.memory["number"] if live.memory else 0) - self._numbers.get(live.stream, 0)
