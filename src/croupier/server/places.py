"""Places: how many connections a server holds, and which it lets go when they run short.

A system lets a process open so many files, and every connection is one. The
database and the count room need some; the rest are places for connections. When
all are taken, a new connection gets the place of one that has waited longest for
a first request to be completed, then of one that idles and belongs to nobody who
is logged in, then of one whose answer has taken longest. People who are in keep
their places; if they have all of them, the new connection is turned away. One
address has so many places at most, and makes room among its own.
"""

import logging
import sys
import time
from collections.abc import Callable
from enum import IntEnum

from croupier.server.rations import Clock, Warnings

MOST_FILES = 65_536  # where a system sets no limit
MOST_PLACES = 20_000
KEPT_FREE = 64  # files of the database, the logs, the count room, and other servers
MOST_BACKLOG = 2048  # connections that the system holds until they are taken in

logger = logging.getLogger("croupier.door")


class Rank(IntEnum):
    """Who goes first when places run short."""

    NEW = 0  # no request has been completed
    IDLE = 1  # answered, and nobody who is logged in
    BUSY = 2  # waits for an answer
    INSIDE = 3  # somebody who is logged in, or an open stream


class Place:
    """One connection: whose it is, and how it is ended."""

    __slots__ = ("_places", "address", "let_go", "rank")

    def __init__(self, places: "Places", address: str, let_go: Callable[[], None]) -> None:
        self._places = places
        self.address = address
        self.let_go = let_go
        self.rank = Rank.NEW

    def asks(self) -> None:
        """A request has come whole."""
        if self.rank < Rank.BUSY:
            self._places.move(self, Rank.BUSY)

    def answered(self) -> None:
        if self.rank is Rank.BUSY:
            self._places.move(self, Rank.IDLE)

    def is_inside(self, inside: bool) -> None:
        """Whether the last request was that of somebody who is logged in."""
        if inside is not (self.rank is Rank.INSIDE):
            self._places.move(self, Rank.INSIDE if inside else Rank.BUSY)


class Places:
    """Every open connection of a server."""

    def __init__(
        self, most: int = MOST_PLACES, per_address: int | None = None, clock: Clock = time.monotonic
    ) -> None:
        """`per_address` is how many one address may have; None is as many as there are."""
        self.most = most
        self.let_go = 0  # since the start
        self._per_address = most if per_address is None else min(most, per_address)
        self._ranked: dict[Rank, dict[Place, None]] = {rank: {} for rank in Rank}
        self._addresses: dict[str, dict[Place, None]] = {}
        self._warnings = Warnings(logger, clock)

    def __len__(self) -> int:
        return sum(map(len, self._ranked.values()))

    def come(self, place: Place) -> None:
        """A place for a new connection, for which another may have to go, or this one itself."""
        mine = self._addresses.setdefault(place.address, {})
        spared: Place | None = None
        crowded = len(mine) >= self._per_address
        if crowded or len(self) >= self.most:
            spared = (self._of(mine) if crowded else self._of_all()) or place
        mine[place] = None
        self._ranked[place.rank][place] = None
        if spared is not None:
            self._let_go(spared, crowded)

    def move(self, place: Place, rank: Rank) -> None:
        if self._ranked[place.rank].pop(place, place) is None:  # one that was let go has no place
            self._ranked[rank][place] = None
        place.rank = rank

    def go(self, place: Place) -> None:
        self._ranked[place.rank].pop(place, None)
        mine = self._addresses.get(place.address, {})
        mine.pop(place, None)
        if not mine:
            self._addresses.pop(place.address, None)

    def _of(self, mine: dict[Place, None]) -> Place | None:
        for rank in (Rank.NEW, Rank.IDLE, Rank.BUSY):
            for place in mine:
                if place.rank is rank:
                    return place
        return None

    def _of_all(self) -> Place | None:
        for rank in (Rank.NEW, Rank.IDLE, Rank.BUSY):
            for place in self._ranked[rank]:
                return place
        return None

    def _let_go(self, place: Place, crowded: bool) -> None:
        self.let_go += 1
        why = f"an address has {self._per_address:,}" if crowded else f"there are {self.most:,}"
        self._warnings.about(
            place.address,
            f"places are short: {{times}} of the connections of {{address}} were let go; {why}",
        )
        self.go(place)
        place.let_go()


def raise_limit() -> int:
    """Let this process open as many files as the system allows it, and say how many."""
    if sys.platform == "win32":
        return MOST_FILES
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_FILES if hard == resource.RLIM_INFINITY else hard
    if soft != resource.RLIM_INFINITY and soft < wanted:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        except (OSError, ValueError):
            logger.warning("the limit of %d open files could not be raised", soft)
            return soft
    return wanted


def shared_out(files: int) -> tuple[int, int]:
    """Of so many files, the places for connections, and how many may wait outside for one.

    All who wait may be taken in at once, before any is let go: so they have files of their own.
    """
    backlog = max(1, min(MOST_BACKLOG, files // 4))
    return max(1, min(MOST_PLACES, files - KEPT_FREE - backlog)), backlog
