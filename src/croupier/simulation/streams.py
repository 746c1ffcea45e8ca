"""Fast seeded streams of chance, for simulation only.

They are predictable by design: the same seed and chunk give the same numbers
on any machine. Live tables must never use them, and cannot: the floor where
live tables run may not import from here.
"""

import numpy as np

WORDS = 1 << 64  # how many different words the generator gives


class SeededStream:
    """A stream of its own for each chunk of a simulation, from a counter-based generator."""

    def __init__(self, seed: int, chunk: int = 0, block: int = 4096) -> None:
        self._generator = np.random.Philox(key=np.array([seed, chunk], dtype=np.uint64))
        self._block = block
        self._words: list[int] = []

    def below(self, n: int) -> int:
        """A number from 0 to n - 1, without bias: words past the last whole multiple are left."""
        if not 1 <= n <= WORDS:
            raise ValueError(f"a stream gives numbers below 1 to {WORDS}, not {n}")
        limit = WORDS // n * n
        while True:
            if not self._words:
                self._words = self._generator.random_raw(self._block).tolist()
            word = self._words.pop()
            if word < limit:
                return word % n
