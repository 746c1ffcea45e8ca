"""Where samples come from: live chance, the seeded streams, and the streams as compiled.

Each is asked as production asks it, and for raw output before anything is
scaled. A seeded source takes a new chunk for every sample, so samples are
independent, and the same seed gives the same samples.
"""

import os
from collections.abc import Iterator
from itertools import count
from typing import Any, Protocol

import numpy as np

from croupier.equipment import Chance, SystemChance
from croupier.randomness.equipment import dealt, small_deck
from croupier.randomness.orders import Lines
from croupier.randomness.verdict import Bytes, Numbers, Words
from croupier.simulation.streams import WORDS, SeededStream

WORD = 8  # bytes
CHUNKS = 8  # over which a raw sample is spread
COMPILED_FROM = 1 << 32  # the first chunk of the compiled source: no words are looked at twice
SMALL = 5  # cards in the small deck


class Source(Protocol):
    """A generator, and the ways to ask it."""

    name: str
    title: str

    def raw(self, size: int) -> Bytes:
        """So many bytes before scaling."""
        ...

    def numbers(self, n: int, size: int) -> Numbers:
        """So many numbers below n."""
        ...

    def in_turn(self, n: int, size: int) -> tuple[Numbers, Numbers]:
        """Numbers of two tables that draw in turn."""
        ...

    def beside(self, streams: int, size: int) -> dict[str, Words]:
        """Streams that lie beside each other, one in each line, by how they are neighbors."""
        ...

    def small_orders(self, count: int) -> Lines:
        """Orders of five cards."""
        ...

    def chance(self) -> Chance | None:
        """What moves the equipment of a table, where this source can."""
        ...


def _drawn(chance: Chance, n: int, size: int) -> Numbers:
    below = chance.below
    return np.fromiter((below(n) for _ in range(size)), dtype=np.int64, count=size)


def _turns(one: Chance, other: Chance, n: int, size: int) -> tuple[Numbers, Numbers]:
    drawn = [(one.below(n), other.below(n)) for _ in range(size)]
    both = np.array(drawn, dtype=np.int64)
    return both[:, 0], both[:, 1]


class Live:
    """The operating system's generator: raw bytes, and numbers by the call of live tables."""

    name = "live"
    title = "live chance, the operating system's generator"

    def raw(self, size: int) -> Bytes:
        return np.frombuffer(os.urandom(size), dtype=np.uint8)

    def numbers(self, n: int, size: int) -> Numbers:
        return _drawn(SystemChance(), n, size)

    def in_turn(self, n: int, size: int) -> tuple[Numbers, Numbers]:
        return _turns(SystemChance(), SystemChance(), n, size)

    def beside(self, streams: int, size: int) -> dict[str, Words]:
        reads = [os.urandom(WORD * size) for _ in range(streams)]
        return {"reads one after the other": np.array([np.frombuffer(r, "<u8") for r in reads])}

    def small_orders(self, count: int) -> Lines:
        return dealt(small_deck, SystemChance(), count)

    def chance(self) -> Chance:
        return SystemChance()


class Streams:
    """The simulation's seeded streams, as live rounds of a simulation ask them."""

    name = "streams"
    title = "the simulation's seeded streams"

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self._chunks: Iterator[int] = count()

    def _next(self) -> SeededStream:
        return SeededStream(self.seed, next(self._chunks))

    def raw(self, size: int) -> Bytes:
        words = -(-size // WORD // CHUNKS)
        parts = [_words(self._next(), words) for _ in range(CHUNKS)]
        return _as_bytes(np.concatenate(parts), size)

    def numbers(self, n: int, size: int) -> Numbers:
        return _drawn(self._next(), n, size)

    def in_turn(self, n: int, size: int) -> tuple[Numbers, Numbers]:
        return _turns(self._next(), self._next(), n, size)

    def beside(self, streams: int, size: int) -> dict[str, Words]:
        chunk = next(self._chunks)
        seeds = ((self.seed + step) % WORDS for step in range(streams))
        return {
            "neighboring chunks": np.array([_words(self._next(), size) for _ in range(streams)]),
            "neighboring seeds": np.array([_words(SeededStream(s, chunk), size) for s in seeds]),
        }

    def small_orders(self, count: int) -> Lines:
        return dealt(small_deck, self._next(), count)

    def chance(self) -> Chance:
        return self._next()


class Compiled:
    """The same streams as the compiled engines draw from them, several draws from a word."""

    name = "compiled"
    title = "the simulation's streams as compiled"

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self._chunks: Iterator[int] = count(COMPILED_FROM)

    def _fill(self, seed: int, chunk: int, size: int) -> Words:
        from croupier.simulation import words

        out = np.empty(size, dtype=np.uint64)
        words.fill(np.uint64(seed), np.uint64(chunk), out)
        return out

    def raw(self, size: int) -> Bytes:
        many = -(-size // WORD // CHUNKS)
        parts = [self._fill(self.seed, next(self._chunks), many) for _ in range(CHUNKS)]
        return _as_bytes(np.concatenate(parts), size)

    def numbers(self, n: int, size: int) -> Numbers:
        from croupier.simulation import words

        out = np.empty(size, dtype=np.int64)
        words.numbers(np.uint64(self.seed), np.uint64(next(self._chunks)), n, out)
        return out

    def in_turn(self, n: int, size: int) -> tuple[Numbers, Numbers]:
        return self.numbers(n, size), self.numbers(n, size)

    def beside(self, streams: int, size: int) -> dict[str, Words]:
        chunks = [next(self._chunks) for _ in range(streams)]
        seeds = [(self.seed + step) % WORDS for step in range(streams)]
        return {
            "neighboring chunks": np.array([self._fill(self.seed, c, size) for c in chunks]),
            "neighboring seeds": np.array([self._fill(s, chunks[0], size) for s in seeds]),
        }

    def small_orders(self, count: int) -> Lines:
        return self.orders(SMALL, count)

    def orders(self, cards: int, count: int) -> Lines:
        """Shuffled orders of so many cards."""
        from croupier.simulation import words

        out = np.empty((count, cards), dtype=np.uint8 if cards <= 256 else np.uint16)
        words.shuffles(np.uint64(self.seed), np.uint64(next(self._chunks)), cards, out)
        return out

    def chance(self) -> None:
        return None  # it deals whole orders, and moves no equipment of a table


def _words(stream: SeededStream, size: int) -> Words:
    below = stream.below
    return np.fromiter((below(WORDS) for _ in range(size)), dtype=np.uint64, count=size)


def _as_bytes(words: Words, size: int) -> Bytes:
    raw: Any = words.astype("<u8").view(np.uint8)
    sample: Bytes = raw[:size]
    return sample


def compiled_words_are_numpys(seed: int) -> bool:
    """Whether the compiled generator gives NumPy's own words for the same key."""
    compiled = Compiled(seed)
    for chunk in (0, 1, COMPILED_FROM, WORDS - 1):
        key = np.array([seed, chunk], dtype=np.uint64)
        theirs = np.random.Philox(key=key).random_raw(1000)
        if not np.array_equal(compiled._fill(seed, chunk, 1000), theirs):
            return False
    return True


def streams_that_begin_alike(seed: int, many: int) -> int:
    """How many of so many chunks, and of so many seeds, begin with a word that another does."""
    compiled = Compiled(seed)
    first = [int(compiled._fill(seed, chunk, 1)[0]) for chunk in range(many)]
    first += [int(compiled._fill((seed + step) % WORDS, 0, 1)[0]) for step in range(1, many)]
    return len(first) - len(set(first))
