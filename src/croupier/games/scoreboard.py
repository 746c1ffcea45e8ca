"""Scoreboards: how the people at a card table keep the results of a shoe.

Baccarat has five, called roads. The bead plate and the big road record the
coups; the big eye boy, the small road and the cockroach pig are derived from the
big road and say how regular it is. All are records, and none of them says
anything of the next coup. The regulation does not know them: they are customary.

Every board is a pure function of the results, the oldest first, so the board
of a shoe that goes on is the same board with more on it. Columns, rows,
streaks and depths are counted from 1, from the left and from the top, as the
rules of the roads count them.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby, islice
from typing import TypeVar

T = TypeVar("T")

ROWS = 6  # of every board, as it is printed
BLANK = "."  # a place of a drawn board with nothing on it


class Hand(StrEnum):
    """What wins a coup: the player's hand, the banker's hand, or neither."""

    PLAYER = "player"
    BANKER = "banker"
    TIE = "tie"


class Color(StrEnum):
    """What a derived road says of a coup. It has nothing to do with who won."""

    RED = "red"  # regular: the big road repeats itself
    BLUE = "blue"  # choppy: it does not


@dataclass(frozen=True, slots=True)
class Mark:
    """One coup, with what people write down of it."""

    winner: Hand
    natural: bool = False  # decided by an eight or a nine in two cards
    player_points: int = 0
    banker_points: int = 0
    cards: int = 0  # of both hands together; 0 where points and cards were not noted


@dataclass(frozen=True, slots=True)
class Bead:
    """A coup on the bead plate."""

    column: int
    row: int
    mark: Mark

    @property
    def letter(self) -> str:
        """B, P or T."""
        return _initial(self.mark)


@dataclass(frozen=True, slots=True)
class RoadCell:
    """A coup that was not a tie, on the big road.

    `column` and `row` say where it is drawn; `streak` and `depth` say where it
    would be if the columns had no end, which is all the derived roads look at.
    """

    column: int
    row: int
    streak: int  # which column of the road it belongs to
    depth: int  # how far down that column
    mark: Mark
    ties: int = 0  # that are marked on this cell

    @property
    def winner(self) -> Hand:
        return self.mark.winner

    @property
    def letter(self) -> str:
        """B or P, and a small letter where ties are marked on it."""
        return _initial(self.mark).lower() if self.ties else _initial(self.mark)


@dataclass(frozen=True, slots=True)
class DerivedCell:
    """A red or blue mark on one of the derived roads, placed as on the big road."""

    column: int
    row: int
    streak: int
    depth: int
    color: Color

    @property
    def letter(self) -> str:
        """A full circle for red and an empty one for blue."""
        return "●" if self.color is Color.RED else "○"


@dataclass(frozen=True, slots=True)
class Totals:
    """How often each hand has won, and how many coups there were."""

    banker: int
    player: int
    tie: int
    naturals: int
    coups: int


# The coups themselves.


def totals(results: Iterable[Mark]) -> Totals:
    """The count at the side of the board."""
    marks = list(results)
    won = Counter(mark.winner for mark in marks)
    return Totals(
        banker=won[Hand.BANKER],
        player=won[Hand.PLAYER],
        tie=won[Hand.TIE],
        naturals=sum(mark.natural for mark in marks),
        coups=len(marks),
    )


def recent(results: Sequence[T], count: int) -> list[T]:
    """The last so many results, the newest first, of any game that shows no more than that."""
    return list(islice(reversed(results), count))


def bead_plate(results: Iterable[Mark], rows: int = ROWS) -> list[Bead]:
    """Every coup in order, ties included: down each column, then on to the next."""
    _check_rows(rows)
    return [Bead(place // rows + 1, place % rows + 1, mark) for place, mark in enumerate(results)]


def big_road(results: Iterable[Mark], rows: int = ROWS) -> list[RoadCell]:
    """A column for every streak: a new one begins when the other hand wins.

    A tie takes no cell and ends no streak. It is marked on the last cell before
    it. Ties before the first winner wait for it and are marked on the first
    cell, so while a shoe has had nothing but ties its big road is empty.
    """
    decided: list[Mark] = []
    ties: Counter[int] = Counter()
    for mark in results:
        if mark.winner is Hand.TIE:
            ties[max(len(decided), 1)] += 1
        else:
            decided.append(mark)
    places = _lay(_streaks(mark.winner for mark in decided), rows)
    return [
        RoadCell(*place, mark, ties[number])
        for number, (place, mark) in enumerate(zip(places, decided, strict=True), 1)
    ]


# The derived roads.


def derived(results: Iterable[Mark], offset: int) -> list[Color]:
    """What a derived road marks, in order: a color for a coup that is not a tie.

    The offset is how many columns back the road looks: one for the big eye boy,
    two for the small road, three for the cockroach pig. It looks at the streaks
    of the big road, however they are drawn; who won them does not matter.

    A coup that continues a streak is held against the column that many to the
    left. It is blue if that column ended just above: the streak has become longer
    than it, and the two are not alike. It is red if that column has a cell beside
    it, and also red if that column ended further up, for then nothing has changed.

    A coup that begins a streak closes the column before it, and that one is held
    against the column as many to the left of it: red if they are of one length,
    blue if not. This is always the other color than the streak would have got if
    it had gone on.

    So the first mark is that of the second cell of column offset + 1 or, if that
    column has only one, of the first cell of column offset + 2.
    """
    if offset < 1:
        raise ValueError(f"a derived road looks at least one column back, not {offset}")
    lengths = _streaks(mark.winner for mark in results if mark.winner is not Hand.TIE)
    colors = []
    for column, length in enumerate(lengths):
        if column > offset:
            colors.append(_color(lengths[column - 1] == lengths[column - 1 - offset]))
        if column >= offset:
            beside = lengths[column - offset]
            colors += [_color(beside != depth - 1) for depth in range(2, length + 1)]
    return colors


def derived_road(results: Iterable[Mark], offset: int, rows: int = ROWS) -> list[DerivedCell]:
    """The colors laid out as the big road is: a new column when the color changes."""
    colors = derived(results, offset)
    places = _lay(_streaks(colors), rows)
    return [DerivedCell(*place, color) for place, color in zip(places, colors, strict=True)]


def big_eye_boy(results: Iterable[Mark], rows: int = ROWS) -> list[DerivedCell]:
    """The derived road that looks one column back."""
    return derived_road(results, 1, rows)


def small_road(results: Iterable[Mark], rows: int = ROWS) -> list[DerivedCell]:
    """The derived road that looks two columns back."""
    return derived_road(results, 2, rows)


def cockroach_pig(results: Iterable[Mark], rows: int = ROWS) -> list[DerivedCell]:
    """The derived road that looks three columns back."""
    return derived_road(results, 3, rows)


# Drawing.


def draw(cells: Sequence[Bead | RoadCell | DerivedCell], rows: int = ROWS) -> list[str]:
    """A board in letters, one string for each row, all as long as the board is wide."""
    _check_rows(rows)
    width = max((cell.column for cell in cells), default=0)
    grid = [[BLANK] * width for _ in range(rows)]
    for cell in cells:
        grid[cell.row - 1][cell.column - 1] = cell.letter
    return ["".join(row) for row in grid]


def _lay(lengths: Iterable[int], rows: int) -> list[tuple[int, int, int, int]]:
    """Where the cells of these streaks are drawn: column, row, streak and depth of each.

    A streak begins in the top row, beside the beginning of the one before it, or
    in the next free column if a tail lies there. It goes down until the column or
    the free part of it ends; then it turns right, the dragon tail, and stays in
    that row to its end.
    """
    _check_rows(rows)
    taken: set[tuple[int, int]] = set()
    places = []
    head = 0
    for streak, length in enumerate(lengths, 1):
        head += 1
        while (head, 1) in taken:
            head += 1
        column, row = head, 1
        for depth in range(1, length + 1):
            taken.add((column, row))
            places.append((column, row, streak, depth))
            if column == head and row < rows and (column, row + 1) not in taken:
                row += 1
            else:
                column += 1
    return places


def _streaks(values: Iterable[object]) -> list[int]:
    """How many times each value came in a row."""
    return [len(list(run)) for _, run in groupby(values)]


def _color(regular: bool) -> Color:
    return Color.RED if regular else Color.BLUE


def _initial(mark: Mark) -> str:
    return mark.winner.value[0].upper()


def _check_rows(rows: int) -> None:
    if rows < 1:
        raise ValueError(f"a board has at least one row, not {rows}")
