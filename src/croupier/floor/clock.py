"""Time, injected: tests move it, servers ask the system.

Order is by event number and time limits are monotonic, so a clock that jumps
changes neither.
"""

import time
from datetime import UTC, datetime
from functools import lru_cache
from typing import Protocol


class Clock(Protocol):
    def now(self) -> str:
        """The time of day in UTC, as events carry it: 2026-01-31T09:05:00.250Z."""
        ...

    def monotonic(self) -> float:
        """Seconds that only go forward."""
        ...


def written(moment: datetime) -> str:
    """A moment as events carry it. Such texts sort as the moments do."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def read(text: str) -> datetime:
    return datetime.fromisoformat(text)


def moment(timestamp: float) -> datetime:
    return datetime.fromtimestamp(timestamp, UTC)


def stamp(timestamp: float) -> str:
    """A moment of the system's clock, written. A second is worked out once."""
    second, part = divmod(timestamp, 1)
    return f"{_second(second)}.{int(part * 1000):03}Z"


@lru_cache(maxsize=2)
def _second(timestamp: float) -> str:
    return written(moment(timestamp)).partition(".")[0]


class SystemClock:
    def now(self) -> str:
        return stamp(time.time())

    def monotonic(self) -> float:
        return time.monotonic()
