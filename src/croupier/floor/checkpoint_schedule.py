"""The schedule of checkpoints: when the notary signs how far the logs of a pit have grown."""

import logging
from collections.abc import Iterable, Mapping

from croupier.floor import log
from croupier.floor.checkpoint import CheckpointFailed, Notary
from croupier.floor.clock import Clock
from croupier.floor.events import HOUSE
from croupier.floor.live import LiveTable
from croupier.floor.policies import Policies
from croupier.floor.storage import Storage, StorageError

logger = logging.getLogger("croupier.pit")


class CheckpointSchedule:
    """Signs checkpoints after so many events of a table, and of everything after so many seconds.

    A checkpoint that cannot be signed is logged, and tried again when the next one is due.
    """

    def __init__(
        self, notary: Notary | None, storage: Storage, clock: Clock, policies: Policies
    ) -> None:
        self._notary, self._storage, self._clock = notary, storage, clock
        self._policies = policies
        self._signed: dict[str, int] = {}  # the event of each stream's last checkpoint
        self._signed_all_at = clock.monotonic()

    def sign_grown(self, tables: Mapping[str, LiveTable]) -> None:
        """Sign those of these tables that have grown enough, or are closed."""
        self._sign([
            (stream, live.number, live.head) for stream, live in tables.items()
            if live.number - self._signed.get(stream, 0) >= self._policies.checkpoint_events
            or live.status == "closed"
        ])  # fmt: skip

    def sign_on_time(self, now: float, tables: Mapping[str, LiveTable]) -> None:
        """Sign everything, if that was done long enough ago."""
        if now - self._signed_all_at >= self._policies.checkpoint_seconds:
            self._signed_all_at = now
            self.sign_all(tables)

    def sign_all(self, tables: Mapping[str, LiveTable]) -> None:
        """Sign these tables and the house's own log."""
        heads = [(live.stream, live.number, live.head) for live in tables.values()]
        try:
            with self._storage.read() as conn:
                if house := log.head(conn, HOUSE):
                    heads.append((HOUSE, *house))
        except StorageError as error:
            logger.error("no checkpoint of the house: %s", error)
        self._sign(heads)

    def forget(self, stream: str) -> None:
        """Drop a table that is closed."""
        self._signed.pop(stream, None)

    def _sign(self, heads: Iterable[tuple[str, int, str]]) -> None:
        """Sign those that have grown at all since their last checkpoint."""
        grown = [each for each in heads if each[1] > self._signed.get(each[0], 0)]
        if self._notary is None or not grown:
            return
        try:
            self._notary.sign_all(grown, self._clock.now())
        except CheckpointFailed as error:
            logger.error("no checkpoint: %s", error)
            return
        self._signed.update((stream, number) for stream, number, _ in grown)
