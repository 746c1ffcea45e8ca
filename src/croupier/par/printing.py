"""How a PAR sheet is printed: its forms, the wording of its values, and the files it goes into.

A form is made whole in memory and then written: `printed` and `write`. What all
forms share is here too, so that a number reads the same in each of them.
"""

import json
import math
import os
import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

from croupier.par.document import Block, Column, Kind, Plot, Section, Sheet, Table, Value

Number = int | float | Fraction

LONGEST_FRACTION = 24  # characters; longer ones are in the spreadsheet and in the JSON document
MOST_PLACES = 10  # after the point, before a number is printed with a power of ten
LARGEST = 1e15
MINUS, TIMES = "\N{MINUS SIGN}", "\N{MULTIPLICATION SIGN}"
SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
MOST_ALIKE: dict[Kind, int] = {  # places that a whole column is given
    "text": 0, "count": 0, "exact": 8, "percent": 4, "probability": 8, "number": 5, "cents": 4,
}  # fmt: skip
USUAL: dict[Kind, int] = {"percent": 4, "probability": 6, "exact": 6, "cents": 2}  # places


# The wording of values.


def said(value: Value, kind: Kind) -> str:
    """A value as people read it."""
    return worded([value], kind)[0]


def worded(values: Sequence[Value], kind: Kind) -> list[str]:
    """The values of a column, with as many places as the one that needs most, within reason."""
    shown = [_shown(value, kind) for value in values if isinstance(value, Number)]
    places = min(max((_places(value, kind) for value in shown), default=0), MOST_ALIKE[kind])
    return [_worded(value, kind, places) for value in values]


def _worded(value: Value, kind: Kind, places: int) -> str:
    if value is None:
        return ""
    if isinstance(value, str) or kind == "text":
        return str(value)
    if isinstance(value, Fraction) and kind == "exact" and len(str(value)) <= LONGEST_FRACTION:
        return str(value).replace("-", MINUS)
    sign = MINUS if value < 0 else ""
    about = "≈ " if kind == "exact" and not isinstance(value, int) else ""
    dollar, percent = "$" * (kind == "cents"), "%" * (kind == "percent")
    digits = _digits(_shown(value if value > 0 else -value, kind), kind, places)
    return f"{about}{sign}{dollar}{digits}{percent}"


def _shown(value: Number, kind: Kind) -> Number:
    """The number that is printed: a share in hundredths, cents in dollars."""
    if kind == "cents":
        return value / 100 if isinstance(value, float) else Fraction(value, 100)
    return 100 * value if kind == "percent" else value


def _digits(value: Number, kind: Kind, alike: int) -> str:
    if isinstance(value, float) and not math.isfinite(value):
        return "?" if math.isnan(value) else "∞"
    if _is_whole(value):
        return f"{int(value):,}"
    own = _places(value, kind)
    if value >= LARGEST or (value < 1 and own == 0):
        digits, _, power = f"{float(value):.4e}".partition("e")
        return f"{digits} {TIMES} 10{str(int(power)).translate(SUPERSCRIPT)}"
    places = max(own, alike)
    if kind == "number" and isinstance(value, Fraction) and 10**places % value.denominator == 0:
        return f"{float(value):,.{places}f}".rstrip("0")
    return f"{float(value):,.{places}f}"


def _places(value: Number, kind: Kind) -> int:
    """After the point: the usual number, or more where the first digits that count come later."""
    if (isinstance(value, float) and not math.isfinite(value)) or _is_whole(value):
        return 0
    if kind == "cents" and _is_whole(100 * value):
        return 2
    size = math.floor(math.log10(abs(float(value))))
    places = max(USUAL.get(kind, min(4, max(0, 6 - size))), 3 - size)
    return places if places <= MOST_PLACES else 0


def _is_whole(value: Number) -> bool:
    return isinstance(value, int) or (value == int(value) and abs(float(value)) < LARGEST)


# Totals.


class Total(NamedTuple):
    """What a column adds up to, and what it must add up to if anything."""

    value: Number
    due: Number | None

    @property
    def closes(self) -> bool:
        if self.due is None:
            return True
        if isinstance(self.value, float):
            return math.isclose(self.value, self.due, rel_tol=1e-9, abs_tol=1e-12)
        return self.value == self.due


def totals(table: Table) -> dict[str, Total]:
    """By column, of those that are added up."""
    if not table.rows:
        return {}
    return {
        column.id: Total(
            sum(value for value in table.column(column.id) if isinstance(value, Number)),
            table.closes.get(column.id),
        )
        for column in table.columns
        if column.total
    }


def closing(table: Table) -> tuple[bool, str] | None:
    """Whether the totals come to what they must, in words; None where nothing is due."""
    found = totals(table)
    checked = [
        (column.title.lower(), said(total.due, column.kind), total.closes)
        for column in table.columns
        if (total := found.get(column.id)) and total.due is not None
    ]
    if not checked:
        return None
    wrong = [f"{title} should come to {due}" for title, due, closes in checked if not closes]
    if wrong:
        return False, f"Does not close: {'; '.join(wrong)}."
    return True, f"Closes: {', '.join(f'{title} = {due}' for title, due, _ in checked)}."


# The order of things.


def about(sheet: Sheet) -> str:
    """Below the title: the rule, who says so and when."""
    told = (sheet.identity.get(name) for name in ("citation", "author", "engine", "generated_at"))
    return " · ".join(str(each) for each in told if each)


def configuration(sheet: Sheet) -> str:
    """Which table it is, in letters enough to tell it from any other."""
    hashed = str(sheet.identity.get("config_hash", ""))[:16]
    return f"configuration {hashed}" if hashed else ""


def in_words(table: Table) -> list[list[str]]:
    """The rows as they are printed."""
    columns = [worded(table.column(column.id), column.kind) for column in table.columns]
    return [list(cells) for cells in zip(*columns, strict=True)]


def foot_in_words(table: Table) -> list[str]:
    """The totals as they are printed, in their columns; nothing where nothing is added up."""
    found = totals(table)
    if not found:
        return []
    cells = [
        said(found[column.id].value, column.kind) if column.id in found else ""
        for column in table.columns
    ]
    return [cells[0] or "Total", *cells[1:]]


@dataclass(frozen=True)
class Labeled:
    """A block of a section. A table or a figure has a label, such as "Table 5.2", and an anchor."""

    block: Block
    label: str
    anchor: str


def labeled(number: int, section: Section) -> Iterator[Labeled]:
    """The blocks of a section, tables and figures counted by themselves.

    There is no figure of a table that has no rows.
    """
    counts = {"Table": 0, "Figure": 0}
    for block in section.blocks:
        if isinstance(block, Plot) and not table_of(block, section).rows:
            continue
        if isinstance(block, Table | Plot):
            word = "Table" if isinstance(block, Table) else "Figure"
            counts[word] += 1
            label = f"{word} {number}.{counts[word]}"
            yield Labeled(block, label, label.lower().replace(" ", "-").replace(".", "-"))
        else:
            yield Labeled(block, "", "")


def table_of(plot: Plot, section: Section) -> Table:
    """The table that a figure is drawn from."""
    return next(
        block for block in section.blocks if isinstance(block, Table) and block.id == plot.table
    )


def column_of(table: Table, id: str) -> Column:
    return next(column for column in table.columns if column.id == id)


def described(plot: Plot, table: Table) -> str:
    """For those who do not see the figure."""
    shapes = {"bars": "Bars", "lines": "Lines", "heat": "A map of cells"}
    across = column_of(table, plot.x).title.lower()
    if plot.by:
        across = f"{across} and {column_of(table, plot.by).title.lower()}"
    told = [f"{shapes[plot.kind]}: {plot.title}."]
    for id in plot.y:
        column = column_of(table, id)
        named = [
            (value, said(name, column_of(table, plot.x).kind))
            for value, name in zip(table.column(id), table.column(plot.x), strict=True)
            if isinstance(value, Number) and math.isfinite(value)
        ]
        if named:
            (least, at), (most, there) = min(named), max(named)
            told.append(
                f"{column.title} by {across}: from {said(least, column.kind)} ({at}) "
                f"to {said(most, column.kind)} ({there})."
            )
    return " ".join([*told, f"All the numbers are in the table {table.title}."])


# The forms.


def _html(sheet: Sheet) -> bytes:
    from croupier.par.html import page

    return page(sheet).encode()


def _pdf(sheet: Sheet) -> bytes:
    from croupier.par.pdf import pdf

    return pdf(sheet)


def _xlsx(sheet: Sheet) -> bytes:
    from croupier.par.spreadsheet import workbook

    return workbook(sheet)


def _json(sheet: Sheet) -> bytes:
    return json.dumps(sheet.as_json(), indent=1, ensure_ascii=False).encode() + b"\n"


FORMS: dict[str, Callable[[Sheet], bytes]] = {
    "html": _html,
    "pdf": _pdf,
    "xlsx": _xlsx,
    "json": _json,
}


def printed(sheet: Sheet, form: str) -> bytes:
    """The whole file."""
    return FORMS[form](sheet)


def write(path: Path, content: bytes) -> None:
    """Put it there whole, or leave what was there before and nothing else."""
    path = Path(os.path.realpath(path))  # a link stays a link
    beside = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        with beside.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except BaseException:
        with suppress(OSError):
            beside.unlink()
        raise
