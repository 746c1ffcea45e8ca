"""Copies of tables that another server runs, or nobody, for those who only look."""

import threading
from collections.abc import Callable
from typing import TypeVar

from croupier.floor import log
from croupier.floor.events import HOUSE
from croupier.floor.live import LiveTable
from croupier.floor.seal import Seal
from croupier.floor.storage import Storage
from croupier.rulebook import Fault, Refusal

T = TypeVar("T")

MOST_COPIES = 100


class TableCopies:
    """Tables that were looked at lately. Every look first reads on in the log; any thread may."""

    def __init__(self, storage: Storage, seal: Seal) -> None:
        self._storage, self._seal = storage, seal
        self._copies: dict[str, LiveTable] = {}  # the one looked at last comes last
        self._copying = threading.Lock()

    def look(self, stream: str, look: Callable[[LiveTable], T]) -> T:
        """What `look` returns of the table as it is now."""
        with self._copying, self._storage.read() as conn:
            copy = self._copies.pop(stream, None)
            if copy is None:
                if stream == HOUSE or log.head(conn, stream) is None:
                    raise Refusal(Fault.UNKNOWN_TABLE, f"there is no table {stream!r}")
                copy = log.load(conn, stream, self._seal)
            else:
                log.replay(copy, log.read(conn, stream, after=copy.number))
            self._copies[stream] = copy
            while len(self._copies) > MOST_COPIES:
                del self._copies[next(iter(self._copies))]
            return look(copy)
