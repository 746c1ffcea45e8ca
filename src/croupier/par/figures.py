"""The figures of a PAR sheet, drawn from its tables by matplotlib.

One style for all: narrow enough to be read on a phone, told apart by dashes,
hatches and lightness as well as by color, so that a copy in gray loses nothing.
"""

import math
import textwrap
from collections.abc import Callable, Sequence
from fractions import Fraction
from io import StringIO
from typing import Any
from xml.etree import ElementTree

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullLocator

from croupier.par.document import Column, Kind, Plot, Table, Value
from croupier.par.printing import MINUS, SUPERSCRIPT, Number, column_of, described, said, worded

WIDTH = 6.0  # inches, of 72 units each
TALLEST = 5.6  # so that it fits on a page, with the words around it
TEXT = 11.5  # units
INK = "#010203"  # which becomes the color of the page's text
DARK = "#333333"  # which stays as it is, on something light
COLORS = ("#2f74c0", "#c8741a", "#5b9a6f", "#8a6fb0", "#777777")
DASHES = ("-", "--", "-.", ":", (0, (6, 2, 1, 2, 1, 2)))
HATCHES = ("", "////", "....", "xx", "\\\\\\\\")
THIN = 0.16  # of a band
MARKERS = "os^Dv"
LIGHT_TO_DARK = ("#f3f7fb", "#d6e4f2", "#a9c9e5", "#6fa3d1", "#3c78b4", "#1c4f87")
CATEGORIES = ("#dbe9f6", "#3c78b4", "#f4c98b", "#7d7d7d", "#a5d3b4", "#5c3f86")
MOST_IN_WORDS = 24  # bars that have a number at their end
MOST_NAMED = 26  # bars or lines of cells that have a name; of more, some
MOST_MARKED = 25  # points of a line that each have a mark
MOST_ACROSS = 9  # cells across that have room for a number
MOST_FOLDED = 16  # names of bars that may have several lines
LONGEST_NAME = 26  # characters on a line
STYLE: dict[Any, Any] = {
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "axes.linewidth": 0.7,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.axisbelow": True,
    "font.family": "DejaVu Sans",
    "font.size": TEXT,
    "grid.alpha": 0.22,
    "grid.color": INK,
    "grid.linewidth": 0.6,
    "hatch.color": DARK,
    "hatch.linewidth": 0.5,
    "legend.frameon": False,
    "svg.fonttype": "none",
    "svg.hashsalt": "croupier",
    "text.color": INK,
    "text.parse_math": False,
    "xtick.color": INK,
    "ytick.color": INK,
}

SVG = "http://www.w3.org/2000/svg"
LINK = "{http://www.w3.org/1999/xlink}href"


# What comes out.


def svg(plot: Plot, table: Table, name: str) -> str:
    """For a page: text is text, in the page's own font and color, and no name occurs twice."""
    page = StringIO()
    with matplotlib.rc_context(STYLE):
        drawing(plot, table).savefig(page, format="svg", transparent=True, metadata={"Date": None})
    ElementTree.register_namespace("", SVG)
    root = ElementTree.fromstring(page.getvalue())
    for kind in (f"{{{SVG}}}metadata", f"{{{SVG}}}defs"):
        if (first := root.find(kind)) is not None:  # who made it, and a style for all paths
            root.remove(first)
    for each in root.iter():
        _plainly(each, f"{name}-")
    width, height = (f"{float(side):.0f}" for side in root.attrib["viewBox"].split()[2:])
    root.attrib.update(width=width, height=height, role="img")
    root.attrib.update({"aria-label": described(plot, table), "stroke-linejoin": "round"})
    root.attrib.pop("version", None)
    return ElementTree.tostring(root, encoding="unicode", short_empty_elements=True)


def _plainly(each: ElementTree.Element, before: str) -> None:
    """Attributes in place of styles, which a careful server does not let pass."""
    for rule in each.attrib.pop("style", "").split(";"):
        name, _, value = (part.strip() for part in rule.partition(":"))
        if name and name != "font-family":
            each.set(name, value.removesuffix("px"))
    if LINK in each.attrib:
        each.set("href", each.attrib.pop(LINK))
    for name, value in each.attrib.items():
        if name == "id":
            each.set(name, f"{before}{value}")
        elif value.startswith("#") and name == "href":
            each.set(name, f"#{before}{value[1:]}")
        elif value.startswith("url(#"):
            each.set(name, f"url(#{before}{value[5:]}")
        elif value == INK:
            each.set(name, "currentColor")
        elif name == "d":
            each.set(name, " ".join(value.split()))
    if each.tag == f"{{{SVG}}}text" and "fill" not in each.attrib:
        each.set("fill", "currentColor")
    each.tail = None
    if each.text and not each.text.strip():
        each.text = None


# Drawing.


def drawing(plot: Plot, table: Table) -> Figure:
    figure = Figure(figsize=(WIDTH, HEIGHT[plot.kind](plot, table)), layout="constrained")
    figure.get_layout_engine().set(w_pad=0.06, h_pad=0.06)  # type: ignore[union-attr,call-arg]
    axes = figure.subplots()
    DRAW[plot.kind](figure, axes, plot, table)
    return figure


def _of_bars(plot: Plot, table: Table) -> float:
    rows, lines = len(table.rows), 1 + max(name.count("\n") for name in _bar_names(plot, table))
    each = max(0.3 if rows <= 12 else 0.21, 0.17 * lines + 0.06, 0.2 * len(plot.y))
    return min(max(1.7, 0.9 + rows * each), TALLEST)


def _bar_names(plot: Plot, table: Table) -> list[str]:
    """On several lines if they are long and there are few of them."""
    names = worded(table.column(plot.x), column_of(table, plot.x).kind) or [""]
    if len(names) > MOST_FOLDED:
        return [textwrap.shorten(name, LONGEST_NAME + 6, placeholder=" …") for name in names]
    return [_folded(name) for name in names]


def _of_map(plot: Plot, table: Table) -> float:
    return min(max(1.7, 1.3 + 0.34 * len(_distinct(table.column(plot.by)))), TALLEST)


HEIGHT: dict[str, Callable[[Plot, Table], float]] = {
    "bars": _of_bars,
    "lines": lambda plot, table: 3.7,
    "heat": _of_map,
}


def _bars(figure: Figure, axes: Axes, plot: Plot, table: Table) -> None:
    """Lying, so that there is room for their names."""
    is_log = plot.log_y and _any_positive(plot.y, table)
    names = _bar_names(plot, table)
    places = np.arange(len(names))
    thick = 0.8 / len(plot.y)
    drawn = []
    for at, id in enumerate(plot.y):
        column = column_of(table, id)
        values = _floats(table.column(id), positive=is_log)
        bars = axes.barh(
            places + (at - (len(plot.y) - 1) / 2) * thick, values, 0.92 * thick,
            color=_tinted(COLORS[at % len(COLORS)], at), hatch=HATCHES[at % len(HATCHES)],
            edgecolor=DARK if at else "none", linewidth=0.4 if at else 0, label=column.title,
        )  # fmt: skip
        drawn.append(bars)
        if len(names) * len(plot.y) <= MOST_IN_WORDS:
            words = [word if math.isfinite(number) else "" for word, number in
                     zip(worded(table.column(id), column.kind), values, strict=True)]  # fmt: skip
            axes.bar_label(bars, words, padding=3, fontsize=0.88 * TEXT)
    every = math.ceil(len(names) / MOST_NAMED)
    axes.set_yticks(places[::every], names[::every])
    axes.set_ylim(len(names) - 0.45, -0.55)
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    axes.grid(axis="x")
    first = column_of(table, plot.y[0])
    if is_log:
        _room_on_log(axes, [value for id in plot.y for value in _floats(table.column(id), True)])
    else:
        axes.axvline(0, color=INK, linewidth=0.7)
        below = any(value < 0 for id in plot.y for value in _floats(table.column(id)))
        axes.margins(x=0.32 if below else 0.22)
    _scale(axes.xaxis, first.kind, is_log=is_log)
    if plot.mark is not None:
        axes.axvline(plot.mark, color=INK, linewidth=1, linestyle=(0, (5, 3)))
    axes.set_xlabel(first.title if len(plot.y) == 1 else "")
    if len(plot.y) > 1:
        _key(figure, drawn)


def _room_on_log(axes: Axes, values: Sequence[float]) -> None:
    """From the power of ten below the least to the right of the numbers beside the bars."""
    axes.set_xscale("log")
    finite = [value for value in values if math.isfinite(value)]
    if finite:
        low = 10.0 ** (math.ceil(math.log10(min(finite))) - 1)
        high = max(finite)
        axes.set_xlim(low, high * (max(high / low, 10.0)) ** 0.3)


def _lines(figure: Figure, axes: Axes, plot: Plot, table: Table) -> None:
    log_x = plot.log_x and _any_positive((plot.x,), table)
    log_y = plot.log_y and _any_positive(plot.y, table)
    across = column_of(table, plot.x)
    said_across = table.column(plot.x)
    is_scale = across.kind != "text"
    x: Any = _floats(said_across) if is_scale else np.arange(len(said_across))
    keys: list[Any] = []
    shade = 0.0
    for lower, upper in plot.bands:
        axes.fill_between(x, _floats(table.column(lower)), _floats(table.column(upper)),
                          color=COLORS[0], alpha=THIN, linewidth=0)  # fmt: skip
        shade += THIN * (1 - shade)  # they lie one upon the other
        name = _band(column_of(table, lower), column_of(table, upper))
        keys.append(Patch(color=COLORS[0], alpha=shade, linewidth=0, label=name))
    for at, id in enumerate(plot.y):
        keys += axes.plot(
            x, _floats(table.column(id), positive=log_y), color=COLORS[at % len(COLORS)],
            linestyle=DASHES[at % len(DASHES)], linewidth=1.8, markersize=4.5,
            marker=MARKERS[at % len(MARKERS)] if len(x) <= MOST_MARKED else "",
            label=column_of(table, id).title,
        )  # fmt: skip
    if plot.mark is not None:
        axes.axhline(plot.mark, color=INK, linewidth=1, linestyle=(0, (5, 3)))
    axes.grid()
    first = column_of(table, plot.y[0])
    if log_y:
        axes.set_yscale("log")
    if is_scale:
        if log_x:
            axes.set_xscale("log")
        _scale(axes.xaxis, across.kind, is_log=log_x)
    else:
        axes.set_xticks(x, [_folded(said(name, across.kind), 12) for name in said_across])
    _scale(axes.yaxis, first.kind, is_log=log_y)
    axes.set_xlabel(across.title)
    if len(keys) > 1:
        _key(figure, keys)
    else:
        axes.set_ylabel(first.title)


def _band(low: Column, high: Column) -> str:
    """Between "95% low" and "95% high" lie 95%; between quantiles, what is named by both."""
    below, above = low.title.split(), high.title.split()
    shared = [word for word in below if word in above]
    if any(map(str.isdigit, "".join(shared))):
        return " ".join(shared)
    ends = [" ".join(word for word in words if word not in shared) for words in (below, above)]
    return " ".join([" to ".join(ends), *shared])


def _heat(figure: Figure, axes: Axes, plot: Plot, table: Table) -> None:
    (id,) = plot.y
    column = column_of(table, id)
    across, down = _distinct(table.column(plot.x)), _distinct(table.column(plot.by))
    cells: dict[tuple[int, int], Value] = {
        (down.index(row), across.index(place)): value
        for row, place, value in zip(
            table.column(plot.by), table.column(plot.x), table.column(id), strict=True
        )
        if value is not None
    }
    colors, key = (_by_word if column.kind == "text" else _by_size)(cells, column.kind)
    for (row, place), color in colors.items():
        axes.fill([place, place + 1, place + 1, place], [row, row, row + 1, row + 1],
                  facecolor=color, edgecolor="#ffffff", linewidth=0.8)  # fmt: skip
        if len(across) <= MOST_ACROSS or column.kind == "text":
            words = said(cells[row, place], column.kind)
            size = min(0.9 * TEXT, 330 / len(across) / max(len(words), 3) * 1.45)
            if size >= 0.55 * TEXT:
                axes.text(place + 0.5, row + 0.5, words, ha="center", va="center",
                          fontsize=size, color=_readable(color))  # fmt: skip
    x_kind, by_kind = column_of(table, plot.x).kind, column_of(table, plot.by).kind
    axes.set_xlim(0, len(across))
    axes.set_ylim(len(down), 0)
    wide = max(5, 56 // max(len(across), 1))
    axes.set_xticks(np.arange(len(across)) + 0.5,
                    [_folded(said(each, x_kind), wide) for each in across],
                    fontsize=0.85 * TEXT)  # fmt: skip
    every = math.ceil(len(down) / MOST_NAMED)
    axes.set_yticks((np.arange(len(down)) + 0.5)[::every],
                    [_folded(said(each, by_kind)) for each in down[::every]])  # fmt: skip
    axes.tick_params(length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)
    axes.set_xlabel(column_of(table, plot.x).title)
    axes.set_ylabel(column_of(table, plot.by).title)
    _key(figure, key)


Cells = dict[tuple[int, int], Value]
Colored = tuple[dict[tuple[int, int], str], list[Patch]]


def _by_word(cells: Cells, kind: Kind) -> Colored:
    words = _distinct(list(cells.values()))
    colors = {word: CATEGORIES[at % len(CATEGORIES)] for at, word in enumerate(words)}
    key = [Patch(facecolor=color, edgecolor=INK, linewidth=0.5, label=str(word))
           for word, color in colors.items()]  # fmt: skip
    return {place: colors[value] for place, value in cells.items()}, key


def _by_size(cells: Cells, kind: Kind) -> Colored:
    """Light is little and dark is much."""
    numbers = {place: float(value) for place, value in cells.items() if isinstance(value, Number)}
    low, high = min(numbers.values(), default=0.0), max(numbers.values(), default=0.0)
    steps = len(LIGHT_TO_DARK)

    def shade(number: float) -> str:
        share = (number - low) / (high - low) if high > low else 0.5
        return LIGHT_TO_DARK[min(int(share * steps), steps - 1)]

    ends = [low, (low + high) / 2, high] if high > low else [low]
    key = [Patch(facecolor=shade(end), edgecolor=INK, linewidth=0.5, label=said(end, kind))
           for end in ends]  # fmt: skip
    return {place: shade(number) for place, number in numbers.items()}, key


DRAW: dict[str, Callable[[Figure, Axes, Plot, Table], None]] = {
    "bars": _bars,
    "lines": _lines,
    "heat": _heat,
}


# Small things.


def _distinct(values: Sequence[Value]) -> list[Value]:
    return list(dict.fromkeys(values))


def _floats(values: Sequence[Value], positive: bool = False) -> list[float]:
    """What is no number, or none on a scale of powers, is left out."""
    return [
        float(value)
        if isinstance(value, int | float | Fraction) and (value > 0 or not positive)
        else math.nan
        for value in values
    ]


def _any_positive(ids: Sequence[str], table: Table) -> bool:
    """Without, there is nothing that a scale of powers could show."""
    return any(value > 0 for id in ids for value in _floats(table.column(id)))


def _folded(words: str, width: int = LONGEST_NAME) -> str:
    return "\n".join(textwrap.wrap(words, width)) or words


def _tinted(color: str, at: int) -> str:
    """The hatched ones are lighter, so that the hatch is seen."""
    if not at:
        return color
    red, green, blue = (1 - 0.55 * (1 - part) for part in to_rgb(color))
    return f"#{round(red * 255):02x}{round(green * 255):02x}{round(blue * 255):02x}"


def _readable(color: str) -> str:
    red, green, blue = to_rgb(color)
    return "#111111" if 0.3 * red + 0.59 * green + 0.11 * blue > 0.5 else "#fafafa"


def _scale(axis: Axis, kind: Kind, *, is_log: bool) -> None:
    if is_log:
        axis.set_major_locator(LogLocator(numticks=7))
        axis.set_minor_locator(NullLocator())
    else:
        axis.set_major_locator(MaxNLocator(5))
    axis.set_major_formatter(FuncFormatter(lambda value, _: _tick(value, kind, is_log)))


def _tick(value: float, kind: Kind, is_log: bool) -> str:
    if kind == "cents":
        return said(round(value), kind)
    sign = "%" if kind == "percent" else ""
    value *= 100 if kind == "percent" else 1
    power = round(math.log10(value)) if is_log and value > 0 else 0
    if -4 < power < 4:
        return f"{value:,.6g}{sign}".replace("-", MINUS)
    return f"10{str(power).translate(SUPERSCRIPT)}{sign}"


def _key(figure: Figure, keys: Sequence[Any]) -> None:
    columns = 3 if len(keys) in (3, 5, 6) else 2
    figure.legend(handles=keys, loc="outside lower center", ncols=columns)
