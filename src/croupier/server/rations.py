"""Rations: how often somebody may do something, who counts as one, and what the log tells of it."""

import ipaddress
import logging
import time
from collections import Counter, OrderedDict
from collections.abc import Callable
from functools import lru_cache
from typing import Any

REMEMBERED = 20_000  # sessions, devices and addresses whose rate is watched
ONCE_A_MINUTE = 1 / 60

Clock = Callable[[], float]


class Buckets:
    """Token buckets: so many a second each, so many at once, and the last used remembered."""

    def __init__(
        self, rate: float, clock: Clock, most: int = REMEMBERED, *, at_once: float | None = None
    ) -> None:
        """Twice the rate at once, unless it is said how many."""
        self._rate = rate
        self._full = max(1, 2 * rate if at_once is None else at_once)
        self._clock = clock
        self._most = most
        self._held: OrderedDict[Any, tuple[float, float]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._held)

    def take(self, key: Any) -> float:
        """Take one token: 0, or the seconds until there is one."""
        now = self._clock()
        left, at = self._held.pop(key, (self._full, now))
        left = min(self._full, left + (now - at) * self._rate)
        self._held[key] = (left - 1 if left >= 1 else left, now)
        if len(self._held) > self._most:
            self._held.popitem(last=False)
        return 0.0 if left >= 1 else (1 - left) / self._rate


@lru_cache(maxsize=4096)
def one_client(address: str) -> str:
    """What counts as one client: an IPv4 address, or the network that an IPv6 user is given."""
    bare = address.strip()
    if bare.startswith("["):
        bare = bare[1:].partition("]")[0]
    elif bare.count(":") == 1:
        bare = bare.partition(":")[0]
    try:
        found = ipaddress.ip_address(bare.partition("%")[0])
    except ValueError:
        return ""
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    if found.ipv4_mapped:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((found, 64), strict=False))


class Warnings:
    """Tells the log of an address at most once a minute, and how often it happened since."""

    def __init__(self, logger: logging.Logger, clock: Clock = time.monotonic) -> None:
        self._logger = logger
        self._once = Buckets(ONCE_A_MINUTE, clock)
        self._times: Counter[str] = Counter()

    def about(self, address: str, sentence: str) -> None:
        """`sentence` has a place for the address and, if it likes, one for the count."""
        self._times[address] += 1
        if not self._once.take(address):
            told = sentence.format(address=address, times=f"{self._times.pop(address):,}")
            self._logger.warning("%s", told)
        elif len(self._times) > REMEMBERED:
            self._times.clear()
