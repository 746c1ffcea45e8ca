"""What a PAR sheet is made of: sections of text, tables and plots.

The sheet is written once, as these plain values, and printed many ways: a web
page, a PDF, a spreadsheet, JSON. A plot names the table it is drawn from, so a
number in a figure is the number in the table.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal

Kind = Literal[
    "text",  # words
    "count",  # a whole number
    "exact",  # a fraction, printed as one where it is short
    "percent",  # a share, printed with a percent sign
    "probability",  # a share, printed with as many digits as it needs
    "number",  # any other number
    "cents",  # money
]

Value = str | int | float | Fraction | None


@dataclass(frozen=True)
class Column:
    """A column of a table. One with a total is added up at its foot, live in a spreadsheet."""

    id: str
    title: str
    kind: Kind = "text"
    total: bool = False


@dataclass(frozen=True)
class Table:
    """Rows of values. `closes` says what the totals must come to, by column."""

    id: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Value, ...], ...]
    note: str = ""
    closes: dict[str, Fraction | int] = field(default_factory=dict)

    def column(self, id: str) -> list[Value]:
        at = [column.id for column in self.columns].index(id)
        return [row[at] for row in self.rows]


@dataclass(frozen=True)
class Text:
    """A paragraph, or lines of a list where there are several."""

    lines: tuple[str, ...]
    as_list: bool = False


@dataclass(frozen=True)
class Plot:
    """A figure, drawn from columns of a table of the same section.

    bars: one bar for each row of `y`, named by `x`. lines: `y` over `x`, one line for each of
    `y`; `lower` and `upper` fill bands behind them. heat: a cell for each pair of `x` and `by`,
    colored by the one column `y`.
    """

    id: str
    title: str
    table: str
    kind: Literal["bars", "lines", "heat"]
    x: str
    y: tuple[str, ...]
    by: str = ""
    bands: tuple[tuple[str, str], ...] = ()  # pairs of columns, the widest first
    log_x: bool = False
    log_y: bool = False
    mark: float | None = None  # a level worth seeing, such as break-even
    note: str = ""


Block = Text | Table | Plot


@dataclass(frozen=True)
class Section:
    """One numbered part of the sheet."""

    id: str
    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Sheet:
    """The whole report of one table."""

    game: str
    title: str
    identity: dict[str, Any]  # who, what, when and the hashes, as in the first section
    sections: tuple[Section, ...]

    def section(self, id: str) -> Section:
        return next(section for section in self.sections if section.id == id)

    def as_json(self) -> dict[str, Any]:
        return {
            "game": self.game,
            "title": self.title,
            "identity": self.identity,
            "sections": [
                {
                    "id": section.id,
                    "title": section.title,
                    "blocks": [_block(block) for block in section.blocks],
                }
                for section in self.sections
            ],
        }


def _block(block: Block) -> dict[str, Any]:
    if isinstance(block, Text):
        return {"text": list(block.lines)}
    if isinstance(block, Plot):
        return {"plot": block.id, "title": block.title, "table": block.table, "note": block.note}
    rows = [
        {column.id: _plain(value) for column, value in zip(block.columns, row, strict=True)}
        for row in block.rows
    ]
    return {
        "table": block.id,
        "title": block.title,
        "columns": {column.id: column.title for column in block.columns},
        "rows": rows,
        "note": block.note,
    }


def _plain(value: Value) -> Any:
    """A fraction as its exact text beside the decimal; everything else as it is."""
    if isinstance(value, Fraction):
        return {"exact": str(value), "decimal": float(value)}
    return value
