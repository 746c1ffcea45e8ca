"""Time and secrets in the glass: both follow from the seed, and nobody ever waits."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

from argon2 import PasswordHasher

from croupier.floor import house_log, live, people, pit

BEGINNING = datetime(2026, 1, 31, 9, tzinfo=UTC)


def written(moment: datetime) -> str:
    """A moment as events carry it."""
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Time:
    """The true time, which every server reads from a clock of its own."""

    def __init__(self) -> None:
        self.seconds = 1000.0

    def passes(self, seconds: float) -> None:
        self.seconds += seconds


class Clock:
    """The clock of one server: its time of day may be wrong, and may jump."""

    def __init__(self, time: Time, ahead: float = 0.0) -> None:
        self.time = time
        self.ahead = ahead  # seconds by which its time of day is wrong

    def now(self) -> str:
        return written(BEGINNING + timedelta(seconds=self.time.seconds + self.ahead))

    def monotonic(self) -> float:
        return self.time.seconds

    def jumps(self, seconds: float) -> None:
        """Somebody sets the time of day, and no time passes."""
        self.ahead += seconds


class Waiting:
    """What the pit has for a module of time: to sleep is to let others act."""

    def __init__(self, meanwhile: Callable[[], None]) -> None:
        self.seconds = 0.0
        self.meanwhile = meanwhile

    def monotonic(self) -> float:
        return self.seconds

    def sleep(self, seconds: float) -> None:
        self.seconds += seconds
        self.meanwhile()


class Secrets:
    """What people have for a module of secrets: in the glass they can be guessed."""

    def __init__(self, choose: Random) -> None:
        self._choose = choose

    def token_hex(self, octets: int) -> str:
        return self._choose.randbytes(octets).hex()

    def token_urlsafe(self, octets: int) -> str:
        return self.token_hex(octets)


class Hasher(PasswordHasher):
    """Passwords that cost little, with salts that follow from the seed."""

    def __init__(self, choose: Random) -> None:
        super().__init__(time_cost=1, memory_cost=8, parallelism=1)
        self._choose = choose

    def hash(self, password: str | bytes, *, salt: bytes | None = None) -> str:
        return super().hash(password, salt=salt or self._choose.randbytes(16))


@contextmanager
def sealed_off(choose: Random, meanwhile: Callable[[], None]) -> Iterator[None]:
    """Everything that the floor would ask the machine for is given by the glass.

    What happens once in thousands of commands happens often here: snapshots of tables and of
    the house, and a database that stays away for longer than anyone waits.
    """
    instead: list[tuple[Any, str, Any]] = [
        (pit, "time", Waiting(meanwhile)),
        (pit, "PATIENCE", 1.0),
        (people, "secrets", Secrets(choose)),
        (live.live_table, "MANY", 6),
        (house_log, "SNAPSHOT_EVENTS", 60),
    ]
    before = [(module, name, getattr(module, name)) for module, name, _ in instead]
    for module, name, value in instead:
        setattr(module, name, value)
    try:
        yield
    finally:
        for module, name, value in before:
            setattr(module, name, value)
