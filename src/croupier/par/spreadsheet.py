"""A PAR sheet as a workbook: a tab for each section, with numbers that can be counted on.

Totals are formulas, and a cell below each says whether it closes. Beside a
number that is a fraction stands the fraction itself, as text. Figures are charts
of the cells.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from io import BytesIO
from typing import Any

from xlsxwriter import Workbook
from xlsxwriter.utility import xl_rowcol_to_cell

from croupier import __version__
from croupier.par.document import Column, Plot, Section, Sheet, Table, Text, Value
from croupier.par.printing import (
    Labeled,
    Number,
    Total,
    configuration,
    described,
    labeled,
    said,
    totals,
    worded,
)

PLAIN = {
    "in_memory": True, "strings_to_formulas": False, "strings_to_urls": False,
    "strings_to_numbers": False,
}  # fmt: skip
FORMATS = {
    "count": "#,##0", "percent": "0.0000%", "probability": "0.00000000", "exact": "0.0000000000",
    "number": "#,##0.0000", "cents": "$#,##0.00", "text": "General",
}  # fmt: skip
WHOLE, SMALL = "#,##0", "0.0000E+00"
SMALLEST = 1e-6  # of a column that is written without powers of ten
EXACT_UP_TO = 2**53  # whole numbers that a cell can hold
NARROWEST, WIDEST, BY_HAND = 8, 48, 24  # columns, in characters
TEXT_ACROSS, TEXT_WIDTH = 8, 95  # columns and characters that a paragraph has
LONGEST_NAME = 31  # of a tab
LANDSCAPE_FROM = 95  # characters across
CLOSES, OPEN = "closes", "does not close"


def workbook(sheet: Sheet) -> bytes:
    """The whole file."""
    file = BytesIO()
    with Workbook(file, PLAIN) as book:
        book.set_properties({
            "title": sheet.title, "subject": configuration(sheet),
            "author": str(sheet.identity.get("author") or "Croupier"),
            "comments": f"Made by Croupier {__version__}",
        })  # fmt: skip
        for number, section in enumerate(sheet.sections, 1):
            _Tab(book, sheet, number, section).fill()
    return file.getvalue()


class _Tab:
    """One section, from the top of its tab to the foot."""

    def __init__(self, book: Any, sheet: Sheet, number: int, section: Section) -> None:
        self.book, self.sheet, self.section, self.number = book, sheet, section, number
        self.page = book.add_worksheet(_tab_name(number, section.title))
        self.row = 0
        self.widths: dict[int, int] = {}
        self.cells: dict[tuple[str, str], tuple[int, int, int]] = {}  # where a column of a table is
        self.beside: dict[str, tuple[int, int]] = {}  # a table: where its figures go
        self._formats: dict[str, Any] = {}

    def format(self, **how: Any) -> Any:
        key = repr(sorted(how.items()))
        if key not in self._formats:
            self._formats[key] = self.book.add_format(
                {"font_name": "Calibri", "font_size": 10, "valign": "top", **how}
            )
        return self._formats[key]

    def fill(self) -> None:
        blocks = list(labeled(self.number, self.section))
        tables = [each for each in blocks if isinstance(each.block, Table)]
        title = f"{self.number}  {self.section.title}"
        self.page.write_string(0, 0, title, self.format(bold=True, font_size=14))
        self.row = 1
        if len(tables) == 1:  # its head stays in view, and what is said about it comes after
            blocks.sort(key=lambda each: not isinstance(each.block, Table))
            self.page.freeze_panes(3, int(_table(tables[0]).columns[0].kind == "text"))
            self.page.repeat_rows(1, 2)
        else:
            self.page.freeze_panes(1, 0)
        for each in blocks:
            if isinstance(each.block, Text):
                self._text(each.block)
            elif isinstance(each.block, Table):
                self._table(each.block, each.label)
            else:
                self._figure(each.block, each.label)
        self._set_up()

    def _text(self, text: Text) -> None:
        for line in text.lines:
            words = f"• {line}" if text.as_list else line
            wrapped = self.format(text_wrap=True)
            self.page.merge_range(self.row, 0, self.row, TEXT_ACROSS - 1, "", wrapped)
            self.page.write_string(self.row, 0, words, wrapped)
            self.page.set_row(self.row, 14 * math.ceil(len(words) / TEXT_WIDTH))
            self.row += 1
        self.row += 1

    # Tables.

    def _table(self, table: Table, label: str) -> None:
        self.page.write_string(self.row, 0, f"{label}  {table.title}", self.format(bold=True))
        head, first = self.row + 1, self.row + 2
        last = first + len(table.rows) - 1
        found = totals(table)
        at = 0
        for column in table.columns:
            values = table.column(column.id)
            self._head(head, at, column.title, column.kind)
            self._column(first, at, column, values)
            self.cells[table.id, column.id] = first, last, at
            if column.id in found:
                self._total(first, last, at, column, found[column.id])
            self._widen(at, column.title, worded(values, column.kind), column.kind == "text")
            at += 1
            if any(map(_needs_words, values)):
                self._exact(head, at, column, values, found.get(column.id))
                at += 1
        if found and not table.columns[0].total:
            self.page.write_string(last + 1, 0, "Total", self._foot())
        self.beside[table.id] = head, at + 1
        self.row = last + 2 + bool(found)
        if any(total.due is not None for total in found.values()):
            if not table.columns[0].total:
                self.page.write_string(last + 2, 0, "Check", self.format(italic=True))
            self.row += 1
        if table.note:
            self.page.write_string(self.row - 1, 0, table.note, self.format(italic=True))
            self.row += 1
        self.row += 1

    def _head(self, row: int, at: int, title: str, kind: str) -> None:
        align = "left" if kind == "text" else "right"
        bold = self.format(bold=True, text_wrap=True, align=align, valign="bottom", bottom=1)
        self.page.write_string(row, at, title, bold)

    def _column(self, first: int, at: int, column: Column, values: Sequence[Value]) -> None:
        words = self.format(text_wrap=True)
        numbers = self.format(num_format=_number_format(column, values))
        right = self.format(align="right")
        for row, value in enumerate(values, first):
            if isinstance(value, Number) and column.kind != "text" and math.isfinite(value):
                self.page.write_number(row, at, _in_cell(value, column), numbers)
            elif value is not None:
                text = said(value, column.kind)
                self.page.write_string(row, at, text, words if column.kind == "text" else right)

    def _exact(
        self, head: int, at: int, column: Column, values: Sequence[Value], total: Total | None
    ) -> None:
        title = f"{column.title}, exact" if column.kind != "exact" else f"{column.title}, fraction"
        self._head(head, at, title, "text")
        written = [str(value) if isinstance(value, int | Fraction) else "" for value in values]
        for row, text in enumerate(written, head + 1):
            self.page.write_string(row, at, text, self.format(font_color="#555555"))
        if total is not None and isinstance(total.value, int | Fraction):
            self.page.write_string(head + 1 + len(values), at, str(total.value), self._foot())
        self._widen(at, title, written)

    def _total(self, first: int, last: int, at: int, column: Column, total: Total) -> None:
        cell = xl_rowcol_to_cell(last + 1, at)
        summed = f"=SUM({xl_rowcol_to_cell(first, at)}:{xl_rowcol_to_cell(last, at)})"
        shape = _number_format(column, [total.value])
        self.page.write_formula(
            last + 1, at, summed, self._foot(shape), _in_cell(total.value, column)
        )
        if total.due is not None:
            due = _in_cell(total.due, column)
            check = f'=IF(ABS({cell}-{due!r})<=1E-9*MAX(1,ABS({due!r})),"{CLOSES}","{OPEN}")'
            told = CLOSES if total.closes else OPEN
            italic = self.format(italic=True, align="right")
            self.page.write_formula(last + 2, at, check, italic, told)
            self.page.conditional_format(
                last + 2, at, last + 2, at,
                {"type": "cell", "criteria": "==", "value": f'"{OPEN}"',
                 "format": self.format(bold=True, font_color="#B3261E")},
            )  # fmt: skip

    def _foot(self, shape: str = "General") -> Any:
        return self.format(bold=True, top=1, num_format=shape)

    # Figures.

    def _figure(self, plot: Plot, label: str) -> None:
        """Beside its table. Cells of a map are colored in the table itself."""
        if plot.kind == "heat":
            first, last, at = self.cells[plot.table, plot.y[0]]
            shades = {"type": "2_color_scale", "min_color": "#F3F7FB", "max_color": "#6FA3D1"}
            self.page.conditional_format(first, at, last, at, shades)
            return
        row, column = self.beside[plot.table]
        chart = self._bars(plot) if plot.kind == "bars" else self._lines(plot)
        chart.set_title({"name": f"{label}  {plot.title}", "name_font": {"size": 11}})
        chart.set_legend({"position": "bottom"} if len(plot.y) + len(plot.bands) > 1
                         else {"none": True})  # fmt: skip
        chart.set_size({"width": 560, "height": 340})
        table = next(block for block in self.section.blocks
                     if isinstance(block, Table) and block.id == plot.table)  # fmt: skip
        self.page.insert_chart(row, column, chart, {"description": described(plot, table)})
        self.beside[plot.table] = row, column + 9

    def _bars(self, plot: Plot) -> Any:
        chart = self.book.add_chart({"type": "bar"})
        for id in plot.y:
            chart.add_series(self._series(plot, id) | {"gap": 60})
        chart.set_y_axis({"reverse": True})
        chart.set_x_axis({"log_base": 10} if plot.log_y else {})
        return chart

    def _lines(self, plot: Plot) -> Any:
        chart = self.book.add_chart({"type": "scatter", "subtype": "straight"})
        for low, high in plot.bands:
            for id in (low, high):
                thin = {"line": {"dash_type": "dash", "width": 1, "color": "#8FB4DC"}}
                chart.add_series(self._series(plot, id) | thin)
        for id in plot.y:
            chart.add_series(self._series(plot, id))
        chart.set_x_axis({"log_base": 10} if plot.log_x else {})
        chart.set_y_axis({"log_base": 10} if plot.log_y else {})
        return chart

    def _series(self, plot: Plot, id: str) -> dict[str, Any]:
        first, last, at = self.cells[plot.table, id]
        _, _, across = self.cells[plot.table, plot.x]
        name = self.page.get_name()
        return {
            "name": [name, first - 1, at],
            "categories": [name, first, across, last, across],
            "values": [name, first, at, last, at],
        }

    # Paper.

    def _widen(self, at: int, title: str, cells: Sequence[str], by_hand: bool = False) -> None:
        longest = max([*map(len, cells), *map(len, title.split())], default=0)
        width = min(max(longest + 2, NARROWEST), WIDEST)
        if by_hand and not any(cells):
            width = BY_HAND
        self.widths[at] = max(self.widths.get(at, 0), width)

    def _set_up(self) -> None:
        for at, width in self.widths.items():
            self.page.set_column(at, at, width)
        if sum(self.widths.values()) > LANDSCAPE_FROM:
            self.page.set_landscape()
        self.page.fit_to_pages(1, 0)
        self.page.set_margins(left=0.5, right=0.5, top=0.8, bottom=0.7)
        left, right = (text.replace("&", "&&")[:100]
                       for text in (self.sheet.title, configuration(self.sheet)))  # fmt: skip
        self.page.set_header(f"&L&8{left}&R&8{right}")
        self.page.set_footer(f"&L&8Croupier {__version__}&R&8Page &P of &N")


def _table(named: Labeled) -> Table:
    assert isinstance(named.block, Table)
    return named.block


def _tab_name(number: int, title: str) -> str:
    kept = "".join(" " if sign in "[]:*?/\\'" else sign for sign in title)
    return f"{number} {' '.join(kept.split())}"[:LONGEST_NAME].strip()


def _in_cell(value: Number, column: Column) -> float:
    return float(value) / 100 if column.kind == "cents" else float(value)


def _needs_words(value: Value) -> bool:
    """A cell holds fifteen digits, and no fraction."""
    if isinstance(value, Fraction):
        return value.denominator > 1 or abs(value) > EXACT_UP_TO
    return isinstance(value, int) and abs(value) > EXACT_UP_TO


def _number_format(column: Column, values: Sequence[Value]) -> str:
    numbers = [abs(float(value)) for value in values if isinstance(value, Number) and value]
    finite = list(filter(math.isfinite, numbers))
    if column.kind == "number" and all(map(float.is_integer, finite)):
        return WHOLE
    if column.kind in ("probability", "exact", "number") and min(finite, default=1.0) < SMALLEST:
        return SMALL
    return FORMATS[column.kind]
