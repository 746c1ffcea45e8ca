"""The watch on the clock: a time of day that jumps is written into the house's log."""

import logging

from croupier.floor import clock as times
from croupier.floor.clock import Clock
from croupier.floor.house_log import HouseLog
from croupier.floor.storage import Storage, StorageFull, StorageLost

logger = logging.getLogger("croupier.pit")

MOST_JUMP = 2  # seconds that are not worth a note


class ClockWatch:
    """Compares the time of day with the time that has passed."""

    def __init__(self, clock: Clock, storage: Storage, house: HouseLog) -> None:
        self._clock, self._storage, self._house = clock, storage, house
        self._drift = self._wall_minus_monotonic()

    def look(self) -> None:
        """Write down a jump since the last look. Order and time limits do not depend on it."""
        drift = self._wall_minus_monotonic()
        jump = drift - self._drift
        if abs(jump) > MOST_JUMP:
            try:
                with self._storage.write() as conn:
                    self._house.note(conn, "clock_changed", "house", seconds=round(jump))
            except (StorageFull, StorageLost) as error:
                logger.error("a jump of the clock could not be written down yet: %s", error)
                return
        self._drift = drift

    def _wall_minus_monotonic(self) -> float:
        return times.read(self._clock.now()).timestamp() - self._clock.monotonic()
