"""A PAR sheet as a PDF: a title, a table of contents, and every page with its number.

Paper is US Letter, as New Jersey files it. Figures are drawn as lines and text,
not as dots: matplotlib lays them out, and `OnPaper` is its pen.
"""

import math
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, partial
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple
from xml.sax.saxutils import escape

import matplotlib
import numpy as np
from matplotlib.backend_bases import GraphicsContextBase, RendererBase
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.path import Path as Outline
from matplotlib.transforms import Affine2D, Transform
from reportlab.lib import colors
from reportlab.lib.enums import TA_RIGHT
from reportlab.lib.pagesizes import LETTER, landscape
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.platypus import (
    BaseDocTemplate,
    CondPageBreak,
    Flowable,
    Frame,
    KeepTogether,
    ListFlowable,
    LongTable,
    NextPageTemplate,
    PageBreak,
    PageTemplate,
    Paragraph,
    Spacer,
)
from reportlab.platypus.tableofcontents import TableOfContents

from croupier import __version__
from croupier.par import figures
from croupier.par.document import Plot, Section, Sheet, Table, Text
from croupier.par.printing import (
    Labeled,
    about,
    closing,
    configuration,
    foot_in_words,
    in_words,
    labeled,
    table_of,
)

BODY, BOLD, SLANTED = "DejaVuSans", "DejaVuSans-Bold", "DejaVuSans-Oblique"
UPRIGHT: tuple[float, float] = LETTER
TURNED: tuple[float, float] = landscape(LETTER)
MARGIN, HEAD, FOOT = 48, 60, 48
SIZES = (7.5, 7.0, 6.4)  # of the text in tables, down to the smallest that is easy to read
SMALLEST = 5.2
PADDING = 4.0  # on either side of a cell
LONGEST_WORD = 90.0  # for which a column of words is made wide, and no wider
LONGEST_LINE = 330.0
FOLDED = 3.0  # lines that a row has on average, before something smaller or wider is tried
BRIEF = 14  # characters that stay on a line
BY_HAND = 120.0  # of a column that is left empty, to be filled in
LEAST = 130.0  # of a page, that a section begins on it
STEP = 6.0
SHORT = 14  # rows of a table that stays on one page
FIGURE = 0.82  # of its size
INK, FINE, LINE = colors.black, colors.Color(0.33, 0.33, 0.33), colors.Color(0.78, 0.78, 0.78)


def _style(name: str, size: float, font: str = BODY, **more: Any) -> Any:
    return ParagraphStyle(
        name, fontName=font, fontSize=size, leading=1.38 * size, textColor=INK, **more
    )


TITLE = _style("title", 20, BOLD, spaceAfter=2)
ABOUT = _style("about", 8, spaceAfter=10)
HEADING = _style("heading", 13, BOLD, spaceBefore=16, spaceAfter=7, keepWithNext=1)
PARAGRAPH = _style("paragraph", 8.5, spaceAfter=5)
CAPTION = _style("caption", 8.2, BOLD)
NOTE = _style("note", 7.2, spaceBefore=2)
CONTENTS = _style("contents", 9, spaceBefore=2)


def pdf(sheet: Sheet) -> bytes:
    """The whole document."""
    _register_fonts()
    file = BytesIO()
    _Document(file, sheet).multiBuild(_story(sheet))
    return file.getvalue()


def _register_fonts() -> None:
    """Those that matplotlib brings: they have every sign that a sheet is written in."""
    folder = Path(matplotlib.get_data_path()) / "fonts/ttf"
    for name in (BODY, BOLD, SLANTED):
        if name not in pdfmetrics.getRegisteredFontNames():
            pdfmetrics.registerFont(TTFont(name, str(folder / f"{name}.ttf")))
    pdfmetrics.registerFontFamily(BODY, normal=BODY, bold=BOLD, italic=SLANTED, boldItalic=BOLD)


class _Document(BaseDocTemplate):  # type: ignore[misc]
    """Pages that stand or lie, with the sections in the table of contents."""

    def __init__(self, file: BytesIO, sheet: Sheet) -> None:
        self.sheet, self.last, self.total = sheet, 0, 0
        super().__init__(
            file, pagesize=UPRIGHT, title=sheet.title, lang="en",
            author=str(sheet.identity.get("author") or "Croupier"),
            subject=configuration(sheet), creator=f"Croupier {__version__}",
        )  # fmt: skip
        self.addPageTemplates([
            PageTemplate(name, [Frame(MARGIN, FOOT, size[0] - 2 * MARGIN, size[1] - FOOT - HEAD,
                                      leftPadding=0, rightPadding=0)],
                         onPage=self._head_and_foot, pagesize=size)
            for name, size in (("upright", UPRIGHT), ("turned", TURNED))
        ])  # fmt: skip

    def afterFlowable(self, flowable: Any) -> None:  # noqa: N802
        if getattr(flowable, "anchor", ""):
            text = flowable.getPlainText()
            self.canv.bookmarkPage(flowable.anchor)
            self.canv.addOutlineEntry(text, flowable.anchor, 0)
            self.notify("TOCEntry", (0, escape(text), self.page, flowable.anchor))

    def beforeDocument(self) -> None:  # noqa: N802
        self.total = self.last  # of the pass before; the contents need more than one

    def afterPage(self) -> None:  # noqa: N802
        self.last = self.page

    def _head_and_foot(self, canvas: Any, _: Any) -> None:
        width, height = canvas._pagesize
        right, top = width - MARGIN, height - 40
        canvas.saveState()
        canvas.setFillColor(FINE)
        canvas.setStrokeColor(LINE)
        canvas.setFont(BODY, 7)
        which = configuration(self.sheet)
        room = right - MARGIN - pdfmetrics.stringWidth(which, BODY, 7) - 20
        canvas.drawString(MARGIN, top, _cut(self.sheet.title, room))
        canvas.drawRightString(right, top, which)
        canvas.line(MARGIN, top - 5, right, top - 5)
        canvas.drawString(MARGIN, 30, f"Croupier {__version__}")
        canvas.drawRightString(right, 30, f"Page {self.page} of {self.total}")
        canvas.restoreState()


def _cut(text: str, room: float) -> str:
    if pdfmetrics.stringWidth(text, BODY, 7) <= room:
        return text
    while text and pdfmetrics.stringWidth(f"{text}…", BODY, 7) > room:
        text = text[:-1]
    return f"{text}…"


# The story.


def _story(sheet: Sheet) -> list[Any]:
    contents = TableOfContents(dotsMinLevel=0, levelStyles=[CONTENTS])
    contents.tableStyle = [(f"{side}PADDING", (0, 0), (-1, -1), 0)
                           for side in ("LEFT", "RIGHT", "TOP", "BOTTOM")]  # fmt: skip
    story: list[Any] = [
        Paragraph(escape(sheet.title), TITLE),
        Paragraph(escape(about(sheet)), ABOUT),
        contents,
    ]
    paper = UPRIGHT
    for number, section in enumerate(sheet.sections, 1):
        title = Paragraph(f"{number}&nbsp;&nbsp;{escape(section.title)}", HEADING)
        title.anchor = f"section-{number}"
        before: list[Any] = [title]
        for each in _laid_out(number, section):
            wanted = each.paper or paper
            if wanted != paper:
                story += [
                    NextPageTemplate("turned" if wanted == TURNED else "upright"),
                    PageBreak(),
                ]
                paper = wanted
            elif before:
                story.append(CondPageBreak(LEAST))
            whole = [*before, *each.printed(paper[0] - 2 * MARGIN)]
            story += [KeepTogether(whole)] if each.together else whole
            before = []
        story += before
    return story


class _Block(NamedTuple):
    """What is printed on a width, whether it stays together, and which paper it needs if any."""

    printed: Callable[[float], list[Any]]
    together: bool = False
    paper: tuple[float, float] | None = None


def _laid_out(number: int, section: Section) -> Iterator[_Block]:
    """Words are on the paper of the table that they lead to, a figure on that before it."""
    blocks = list(labeled(number, section))
    labels = {each.block.id: each.label for each in blocks if isinstance(each.block, Table)}
    tables = deque(_Laid(each.block) for each in blocks if isinstance(each.block, Table))
    for each in blocks:
        if isinstance(each.block, Text):
            yield _Block(partial(_text, each.block), paper=tables[0].paper if tables else UPRIGHT)
        elif isinstance(each.block, Table):
            laid = tables.popleft()
            yield _Block(partial(laid.printed, each), len(laid.rows) <= SHORT, laid.paper)
        else:
            source = labels[each.block.table]
            yield _Block(partial(_figure, each.block, each, section, source), together=True)


def _text(text: Text, room: float) -> list[Any]:
    lines = [Paragraph(escape(line), PARAGRAPH) for line in text.lines]
    if not text.as_list:
        return lines
    return [ListFlowable(lines, bulletType="bullet", start="•", leftIndent=12,
                         bulletFontName=BODY, bulletFontSize=8)]  # fmt: skip


def _figure(plot: Plot, named: Labeled, section: Section, source: str, room: float) -> list[Any]:
    return [
        _Drawn(plot, table_of(plot, section)),
        Paragraph(_caption(named.label, plot.title), CAPTION),
        Paragraph(escape(f"{plot.note} Drawn from {source}.".strip()), NOTE),
        Spacer(0, 10),
    ]


def _caption(label: str, title: str) -> str:
    return f'<font name="{BODY}">{label}</font>&nbsp;&nbsp;{escape(title)}'


# Tables.


class _Laid:
    """A table in the words in which it is printed, for which room is to be found."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.rows, self.foot = in_words(table), foot_in_words(table)
        self.is_form = any(
            column.kind == "text" and not any(cells)
            for column, *cells in zip(table.columns, *self.rows, strict=True)
            if cells
        )

    @cached_property
    def paper(self) -> tuple[float, float]:
        room = UPRIGHT[0] - 2 * MARGIN
        return UPRIGHT if any(self.widths(size, room) for size in SIZES) else TURNED

    def printed(self, named: Labeled, room: float) -> list[Any]:
        size, widths = next(
            (
                (size, widths)
                for folded in (FOLDED, math.inf)
                for size in SIZES
                if (widths := self.widths(size, room, folded))
            ),
            (SMALLEST, self.squeezed(room)),
        )
        notes = []
        if (closed := closing(self.table)) is not None:
            text = escape(closed[1]) if closed[0] else f"<b>{escape(closed[1])}</b>"
            notes.append(Paragraph(text, NOTE))
        if self.table.note:
            notes.append(Paragraph(escape(self.table.note), NOTE))
        return [self.grid(named, size, self.beneath(named, widths, room)), *notes, Spacer(0, 10)]

    def grid(self, named: Labeled, size: float, widths: Sequence[float]) -> Any:
        """Caption and head are on every page that the table goes on to."""
        columns = self.table.columns
        heads = 1 + any(column.title for column in columns)  # rows of the caption and the head
        is_text = [column.kind == "text" for column in columns]
        left, right = _style("words", size), _style("figure", size, alignment=TA_RIGHT)
        bold = _style("head", size, BOLD), _style("figure head", size, BOLD, alignment=TA_RIGHT)
        head = [Paragraph(escape(column.title), bold[not text])
                for column, text in zip(columns, is_text, strict=True)]  # fmt: skip
        body = [
            [
                Paragraph(escape(cell), left if text else right)
                if cell and _wide(cell, BODY, size) > width - 2 * PADDING
                else cell
                for cell, text, width in zip(row, is_text, widths, strict=True)
            ]
            for row in self.rows
        ]
        caption = Paragraph(_caption(named.label, self.table.title), CAPTION)
        style: list[tuple[Any, ...]] = [
            ("SPAN", (0, 0), (-1, 0)),
            ("FONT", (0, heads), (-1, -1), BODY, size, 1.38 * size),
            ("LEFTPADDING", (0, 0), (-1, -1), PADDING),
            ("LEFTPADDING", (0, 0), (0, -1), 1),
            ("RIGHTPADDING", (0, 0), (-1, -1), PADDING),
            ("TOPPADDING", (0, 1), (-1, -1), 1.6),
            ("BOTTOMPADDING", (0, 1), (-1, -1), 2.4),
            ("VALIGN", (0, heads), (-1, -1), "TOP"),
            ("VALIGN", (0, 1), (-1, heads - 1), "BOTTOM"),
            *[("TOPPADDING", (0, heads), (-1, -1), 14)] * self.is_form,
            ("LINEBELOW", (0, 1), (-1, -1), 0.35, LINE),
            ("LINEBELOW", (0, heads - 1), (-1, heads - 1), 0.9, INK),
            *[
                ("ALIGN", (at, heads), (at, -1), "RIGHT")
                for at, text in enumerate(is_text)
                if not text
            ],
        ]
        rows: list[list[Any]] = [
            [caption, *[""] * (len(columns) - 1)],
            *[head] * (heads - 1),
            *body,
        ]
        if self.foot:
            rows.append(self.foot)
            style.append(("FONT", (0, -1), (-1, -1), BOLD, size))
            style.append(("LINEABOVE", (0, -1), (-1, -1), 0.9, INK))
        return LongTable(rows, colWidths=list(widths), repeatRows=heads, style=style, hAlign="LEFT",
                         spaceBefore=6)  # fmt: skip

    def widths(self, size: float, room: float, folded: float = FOLDED) -> list[float] | None:
        """Of its columns, if there is room for it in letters of this size, and on so many lines."""
        needs, wishes = [], []
        foot = self.foot or [""] * len(self.table.columns)
        for column, total, *cells in zip(self.table.columns, foot, *self.rows, strict=True):
            need = max(_wide(word, BOLD, size) for word in [*column.title.split(), total])
            if column.kind == "text":
                words = (word for cell in cells
                         for word in ([cell] if len(cell) <= BRIEF else cell.split()))  # fmt: skip
                longest = max((_wide(word, BODY, size) for word in words), default=0.0)
                need = max(need, min(longest, LONGEST_WORD))
                line = max(_wide(column.title, BOLD, size),
                           *(_wide(cell, BODY, size) for cell in cells), 0.0)  # fmt: skip
                wish = min(line, LONGEST_LINE) if any(cells) else BY_HAND
            else:
                need = max(need, *(_wide(cell, BODY, size) for cell in cells), 0.0)
                wish = min(_wide(column.title, BOLD, size), 1.6 * need)
            needs.append(need + 2 * PADDING + 0.5)
            wishes.append(max(wish - need, 0.0))
        spare = room - sum(needs)
        if spare < 0:
            return None
        if sum(wishes) <= spare:
            return [need + wish for need, wish in zip(needs, wishes, strict=True)]
        return self._shared(needs, wishes, spare, size, folded)

    def _shared(
        self, needs: list[float], wishes: list[float], spare: float, size: float, folded: float
    ) -> list[float] | None:
        """Step by step to the column that makes the table shorter by it, or wishes for most."""
        some = self.rows[:: 1 + len(self.rows) // 100]
        wide = [[_wide(cell, BODY, size) for cell in row] for row in some]
        widths, left = list(needs), list(wishes)

        def lines(widths: list[float]) -> int:
            return sum(
                max(math.ceil(cell / (width - 2 * PADDING)) for cell, width in
                    zip(row, widths, strict=True))
                for row in wide
            )  # fmt: skip

        while spare >= STEP and any(left):
            tried = []
            for at, wish in enumerate(left):
                if wish > 0:
                    wider = [width + STEP * (at == each) for each, width in enumerate(widths)]
                    tried.append((lines(wider), -wish, at, wider))
            *_, at, widths = min(tried)
            left[at] = max(0.0, left[at] - STEP)
            spare -= STEP
        return widths if lines(widths) <= folded * len(some) else None

    def squeezed(self, room: float) -> list[float]:
        """There is room for it nowhere: every column gets its part, and folds."""
        widths = self.widths(SMALLEST, math.inf) or [1.0]
        return [width * min(1.0, room / sum(widths)) for width in widths]

    def beneath(self, named: Labeled, widths: Sequence[float], room: float) -> list[float]:
        """A narrow table is made as wide as its caption."""
        caption = _wide(f"{named.label}    {self.table.title}", BOLD, CAPTION.fontSize) + 8
        spare = max(0.0, min(caption, room) - sum(widths))
        return [width + spare / len(widths) for width in widths]


def _wide(text: str, font: str, size: float) -> float:
    return float(pdfmetrics.stringWidth(text, font, size))


# Figures.


class _Drawn(Flowable):  # type: ignore[misc]
    def __init__(self, plot: Plot, table: Table) -> None:
        super().__init__()
        with matplotlib.rc_context(figures.STYLE):
            self.figure = figures.drawing(plot, table)
        FigureCanvasAgg(self.figure)
        self.figure.set_dpi(72)
        across, down = self.figure.get_size_inches()
        self.width, self.height = FIGURE * 72 * across, FIGURE * 72 * down

    def draw(self) -> None:
        if not self.canv._doctemplate.total:
            return  # nobody keeps the first pass
        self.canv.scale(FIGURE, FIGURE)
        with matplotlib.rc_context(figures.STYLE):
            self.figure.draw(OnPaper(self.canv, self.figure.bbox.width, self.figure.bbox.height))
        self.figure.set_layout_engine("none")  # it has its place, however often it is drawn


class OnPaper(RendererBase):
    """The pen with which matplotlib draws on a page: paths and text, in points."""

    def __init__(self, canvas: Any, width: float, height: float) -> None:
        super().__init__()
        self.canvas, self.width, self.height = canvas, width, height

    def flipy(self) -> bool:
        return False

    def get_canvas_width_height(self) -> tuple[float, float]:
        return self.width, self.height

    def draw_path(
        self, gc: GraphicsContextBase, path: Outline, transform: Transform,
        rgbFace: Any = None,  # noqa: N803
    ) -> None:  # fmt: skip
        canvas = self.canvas
        canvas.saveState()
        self._clip(gc)
        stroke = self._take_pen(gc)
        face = self._take_color(gc, rgbFace)
        outline = _traced(canvas, path, transform)
        canvas.drawPath(outline, stroke=int(stroke), fill=int(face))
        if gc.get_hatch():
            self._hatch(gc, path, transform)
        canvas.restoreState()

    def draw_text(
        self, gc: GraphicsContextBase, x: float, y: float, s: str, prop: Any, angle: float,
        ismath: Any = False, mtext: Any = None,
    ) -> None:  # fmt: skip
        canvas = self.canvas
        canvas.saveState()
        self._take_color(gc, gc.get_rgb())
        canvas.setFont(BODY, prop.get_size_in_points())
        canvas.translate(x, y)
        canvas.rotate(angle)
        canvas.drawString(0, 0, s)
        canvas.restoreState()

    def _clip(self, gc: GraphicsContextBase) -> None:
        if (box := gc.get_clip_rectangle()) is not None:
            clip = self.canvas.beginPath()
            clip.rect(*box.bounds)
            self.canvas.clipPath(clip, stroke=0, fill=0)

    def _take_pen(self, gc: GraphicsContextBase) -> bool:
        """Whether there is a line to be drawn at all."""
        *color, alpha = gc.get_rgb()
        if not (width := gc.get_linewidth()) or not alpha:
            return False
        self.canvas.setLineWidth(width)
        self.canvas.setStrokeColorRGB(*color)
        self.canvas.setStrokeAlpha(alpha if gc.get_forced_alpha() is False else gc.get_alpha())
        offset, dashes = gc.get_dashes()
        if dashes is not None:
            self.canvas.setDash(np.asarray(dashes, float).tolist(), float(offset or 0))
        return True

    def _take_color(self, gc: GraphicsContextBase, color: Any) -> bool:
        if color is None or (len(color) > 3 and not color[3]):
            return False
        alpha = gc.get_alpha() if gc.get_forced_alpha() or len(color) < 4 else color[3]
        self.canvas.setFillColorRGB(*color[:3])
        self.canvas.setFillAlpha(alpha)
        return True

    def _hatch(self, gc: GraphicsContextBase, path: Outline, transform: Transform) -> None:
        """The pattern on a tile of an inch, as often as it takes to cover the shape."""
        hatch = gc.get_hatch_path()
        assert hatch is not None
        canvas = self.canvas
        canvas.clipPath(_traced(canvas, path, transform), stroke=0, fill=0)
        canvas.setStrokeColorRGB(*gc.get_hatch_color()[:3])
        canvas.setFillColorRGB(*gc.get_hatch_color()[:3])
        canvas.setLineWidth(gc.get_hatch_linewidth())
        box = path.get_extents(transform)
        for column in range(math.floor(box.x0 / 72), math.ceil(box.x1 / 72)):
            for row in range(math.floor(box.y0 / 72), math.ceil(box.y1 / 72)):
                tile = Affine2D().scale(72).translate(72 * column, 72 * row)
                canvas.drawPath(_traced(canvas, hatch, tile), stroke=1, fill=1)


def _traced(canvas: Any, path: Outline, transform: Transform) -> Any:
    """The same path, in the words of the page."""
    traced = canvas.beginPath()
    at = (0.0, 0.0)
    for points, code in path.iter_segments(transform, simplify=False):
        if code == Outline.MOVETO:
            traced.moveTo(*points)
        elif code == Outline.LINETO:
            traced.lineTo(*points)
        elif code == Outline.CURVE3:
            x, y, *end = points
            first = [(a + 2 * b) / 3 for a, b in zip(at, (x, y), strict=True)]
            second = [(a + 2 * b) / 3 for a, b in zip(end, (x, y), strict=True)]
            traced.curveTo(*first, *second, *end)
        elif code == Outline.CURVE4:
            traced.curveTo(*points)
        elif code == Outline.CLOSEPOLY:
            traced.close()
        if code != Outline.CLOSEPOLY:
            at = (points[-2], points[-1])
    return traced
