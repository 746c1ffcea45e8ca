"""Pai gow tiles, written by their pips: `6-6`, `1-3`.

A set has 32 tiles of 16 kinds (N.J.A.C. 13:69E-1.19A). Eleven kinds are two
equal tiles; the tiles of the other five, which are called mixed, differ.
"""

from dataclasses import dataclass

# From the highest kind to the lowest: its id, its tiles, and the names people use.
_KINDS = (
    ("T12", ("6-6",), "Teen"),
    ("D2", ("1-1",), "Day"),
    ("H8", ("4-4",), "Yun"),
    ("H4", ("1-3",), "Gor"),
    ("H10", ("5-5",), "Mooy"),
    ("H6", ("3-3",), "Chong"),
    ("L4", ("2-2",), "Bon"),
    ("11", ("5-6",), "Foo"),
    ("L10", ("4-6",), "Ping"),
    ("H7", ("1-6",), "Tit"),
    ("L6", ("1-5",), "Look"),
    ("x9", ("3-6", "4-5"), "Gow"),
    ("x8", ("2-6", "3-5"), "Bot"),
    ("x7", ("2-5", "3-4"), "Chit"),
    ("x5", ("1-4", "2-3"), "Ng"),
    ("GJ", ("2-4", "1-2"), "Gee Joon"),
)
_KIND_OF = {pips: (kind, name) for kind, tiles, name in _KINDS for pips in tiles}


@dataclass(frozen=True, slots=True, order=True)
class Tile:
    """One tile, by the pips of its two ends, the lower first."""

    low: int
    high: int

    @classmethod
    def parse(cls, text: str) -> "Tile":
        """`Tile.parse("3-6")` is a mixed nine."""
        low, dash, high = text.partition("-")
        if low > high:
            text = f"{high}{dash}{low}"
        if text not in _KIND_OF:
            raise ValueError(f"{text!r} is not a tile: write its pips, such as 3-6")
        return cls(int(text[0]), int(text[2]))

    @property
    def kind(self) -> str:
        """The id of its kind: `T12`, `x9`, `GJ`."""
        return _KIND_OF[str(self)][0]

    @property
    def points(self) -> int:
        """All its pips."""
        return self.low + self.high

    @property
    def title(self) -> str:
        """The tile in words: "Teen, 6-6"."""
        return f"{_KIND_OF[str(self)][1]}, {self}"

    def __str__(self) -> str:
        return f"{self.low}-{self.high}"


def tile_set() -> tuple[Tile, ...]:
    """The 32 tiles of a set, from the highest kind to the lowest."""
    return tuple(
        Tile.parse(pips)
        for _, tiles, _ in _KINDS
        for pips in (tiles if len(tiles) == 2 else tiles * 2)
    )
