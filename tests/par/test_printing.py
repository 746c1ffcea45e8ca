"""A PAR sheet in print: the same numbers on a page, on paper, in a workbook and in JSON."""

# ruff: noqa: RUF001 (minus, times and sigma are meant)

import base64
import dataclasses
import errno
import json
import os
import re
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from hashlib import sha256
from html.parser import HTMLParser
from io import BytesIO
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from playwright.sync_api import Browser, Page, Route
from pypdf import PdfReader

from croupier.analysis import analyze
from croupier.games import find_game
from croupier.par.document import Column, Kind, Plot, Section, Sheet, Table, Text, Value
from croupier.par.figures import svg
from croupier.par.html import page, policy
from croupier.par.pdf import pdf
from croupier.par.printing import closing, described, printed, said, worded, write
from croupier.par.spreadsheet import workbook
from tests.server.browser import PHONE, WIDE, chromium

HOSTILE = "<script>alert(\"1\")</script> & 'more' =1+1 \\ }"
SIGNS = "≥ σ √ − × ÷ Σ ≈ 10⁻⁴ é"
HASH = "0123456789abcdef" * 4


def pair_plus() -> tuple[Table, Table]:
    """The outcomes of a real wager, and its return after so many rounds."""
    game = find_game("three-card-poker")
    (report,) = analyze(game, game.options(), ["pair_plus"])
    outcomes = Table(
        "outcomes",
        "Pair plus, every outcome",
        (
            Column("event", "Event"),
            Column("pays", "Pays", "number"),
            Column("combinations", "Combinations", "count", total=True),
            Column("probability", "Probability", "probability", total=True),
            Column("return", "Contribution to return", "percent", total=True),
            Column("exact", "Exact probability", "exact"),
        ),
        tuple(
            (each.result, each.net, int(each.probability * 22_100), each.probability,
             each.probability * each.net, each.probability)
            for each in report.outcomes
        ),
        closes={"combinations": 22_100, "probability": Fraction(1)},
    )  # fmt: skip
    mean, deviation = float(1 - report.house_edge), report.standard_deviation
    bands = Table(
        "bands",
        "Return after so many rounds",
        (
            Column("rounds", "Rounds", "count"),
            Column("low", "95% low", "percent"),
            Column("mean", "Return", "percent"),
            Column("high", "95% high", "percent"),
        ),
        tuple(
            (10**power, mean - 1.96 * deviation / 10 ** (power / 2), mean,
             mean + 1.96 * deviation / 10 ** (power / 2))
            for power in range(2, 8)
        ),
    )  # fmt: skip
    return outcomes, bands


def long_table(rows: int, id: str = "long") -> Table:
    columns = (Column("row", "Row of many"), Column("square", "Its square", "count", total=True))
    return Table(id, "A long table", columns, tuple((f"row {n}", n * n) for n in range(rows)))


def wide_table(columns: int) -> Table:
    return Table(
        "wide",
        "A wide table",
        tuple(Column(f"c{n}", f"Column {n}", "number") for n in range(columns)),
        ((*(1_234_567.25 + n for n in range(columns)),),),
    )


MAP = Table(
    "map",
    "By decks and rule",
    (Column("decks", "Decks"), Column("rule", "Rule"), Column("edge", "Edge", "percent"),
     Column("best", "Best")),
    tuple((decks, rule, Fraction(ways, 1000), "stand" if ways % 2 else "hit")
          for ways, (decks, rule) in enumerate((d, r) for d in ("1", "6", "8") for r in "ab")),
)  # fmt: skip


@cache
def a_sheet() -> Sheet:
    outcomes, bands = pair_plus()
    return Sheet(
        "three-card-poker",
        f"PAR sheet: Three card poker {HOSTILE}",
        {"config_hash": HASH, "author": "Ada"},
        (
            Section("words", "Words & signs", (
                Text((HOSTILE, SIGNS)), Text(("one", HOSTILE), as_list=True),
            )),
            Section("outcomes", "Outcomes", (
                outcomes,
                Plot("ways", "How often", "outcomes", "bars", "event", ("probability",),
                     log_y=True),
                bands,
                Plot("funnel", "Return", "bands", "lines", "rounds", ("mean",),
                     bands=(("low", "high"),), log_x=True, mark=1.0, note="Dashed: even."),
            )),
            Section("map", "A: map/of [options]*?", (
                MAP,
                Plot("heat", "Edges", "map", "heat", "rule", ("edge",), by="decks"),
                Plot("moves", "Moves", "map", "heat", "rule", ("best",), by="decks"),
            )),
            Section("long", "Long", (long_table(150),)),
            Section("wide", "Wide", (wide_table(14),)),
            Section("end", "End", (Text(("Nothing applies.",)),)),
        ),
    )  # fmt: skip


def tables(sheet: Sheet) -> list[Table]:
    return [block for section in sheet.sections for block in section.blocks
            if isinstance(block, Table)]  # fmt: skip


# The wording of values.


@pytest.mark.parametrize(
    ("value", "kind", "words"),
    [
        (Fraction(1, 38), "percent", "2.6316%"),
        (Fraction(-1, 38), "percent", "−2.6316%"),
        (0, "percent", "0%"),
        (Fraction(1, 20), "percent", "5%"),
        (Fraction(1, 10**8), "percent", "0.000001000%"),
        (Fraction(1, 649_740), "probability", "0.000001539"),
        (Fraction(1, 10**9), "probability", "1.0000 × 10⁻⁹"),
        (Fraction(1), "probability", "1"),
        (Fraction(128, 5525), "exact", "128/5525"),
        (Fraction(-128, 5525), "exact", "−128/5525"),
        (Fraction(10**30, 3**50), "exact", "≈ 1,392,955.569099"),
        (Fraction(3, 2), "number", "1.5"),
        (Fraction(7), "number", "7"),
        (Fraction(1, 3), "number", "0.3333"),
        (12_345.6789, "number", "12,345.68"),
        (2.5e16, "number", "2.5000 × 10¹⁶"),
        (float("inf"), "number", "∞"),
        (float("-inf"), "number", "−∞"),
        (10**20, "count", "100,000,000,000,000,000,000"),
        (500, "cents", "$5"),
        (550, "cents", "$5.50"),
        (-1_234_567, "cents", "−$12,345.67"),
        (Fraction(-5, 3), "cents", "−$0.01667"),
        ("none", "percent", "none"),
        (None, "count", ""),
    ],
)
def test_a_value_reads_as_people_write_it(value: Value, kind: Kind, words: str) -> None:
    assert said(value, kind) == words


def test_a_column_has_as_many_places_as_the_value_that_needs_most_within_reason() -> None:
    values = [Fraction(1, 3), Fraction(1, 6_497), 0, 1, None]
    assert worded(values, "probability") == ["0.3333333", "0.0001539", "0", "1", ""]
    values = [Fraction(1, 3), Fraction(1, 64_974_000), 0, 1, None]
    assert worded(values, "probability") == ["0.333333", "1.5391 × 10⁻⁸", "0", "1", ""]
    values = [Fraction(1, 3), Fraction(1, 1_000_003)]
    assert worded(values, "percent") == ["33.3333%", "0.00010000%"]


def test_totals_close_exactly_or_say_so() -> None:
    outcomes, _ = pair_plus()
    assert closing(outcomes) == (True, "Closes: combinations = 22,100, probability = 1.")
    off = dataclasses.replace(outcomes, closes={"probability": 1 - Fraction(1, 10**30)})
    closes, words = closing(off) or (True, "")
    assert not closes
    assert words.startswith("Does not close: probability should come to ")
    assert closing(long_table(3)) is None


@pytest.mark.parametrize("form", ["html", "pdf", "xlsx"])
def test_a_table_that_does_not_close_says_so_in_every_form(form: str) -> None:
    outcomes, _ = pair_plus()
    off = dataclasses.replace(outcomes, closes={"combinations": 22_101})
    sheet = Sheet("g", "Game", {}, (Section("one", "One", (off,)),))
    content = printed(sheet, form)
    if form == "xlsx":
        cells = openpyxl.load_workbook(BytesIO(content), data_only=True).worksheets[0]
        assert "does not close" in [cell.value for row in cells for cell in row]
    elif form == "pdf":
        assert "Does not close: combinations should come to 22,101" in text_of(content)
    else:
        assert "Does not close: combinations should come to 22,101" in content.decode()


def test_json_is_the_sheet_itself() -> None:
    assert json.loads(printed(a_sheet(), "json")) == a_sheet().as_json()


# The page.


class Tags(HTMLParser):
    """The tags of a page with their attributes, and the words of each cell, caption and title."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[tuple[str, str]] = []
        self.inside: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self.inside.append(tag)

    def handle_endtag(self, tag: str) -> None:
        while self.inside and self.inside.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if self.inside and data.strip():
            self.words.append((self.inside[-1], data))

    def of(self, *tags: str) -> list[str]:
        return [words for tag, words in self.words if tag in tags]


@pytest.fixture(scope="module")
def the_page() -> str:
    return page(a_sheet())


@pytest.fixture(scope="module")
def tags(the_page: str) -> Tags:
    return Tags(the_page)


def test_the_page_asks_for_nothing_and_runs_nothing(the_page: str, tags: Tags) -> None:
    assert not {tag for tag, _ in tags.tags} & {
        "script",
        "img",
        "iframe",
        "object",
        "image",
    }
    for _, attributes in tags.tags:
        assert "style" not in attributes
        assert not [name for name in attributes if name.startswith("on")]
        for name in ("href", "src", "xlink:href"):
            assert (attributes.get(name) or "#").startswith(("#", "data:,"))
    assert "@import" not in the_page
    assert "url(" not in the_page.partition("</style>")[0]


def test_what_is_said_is_never_taken_for_markup(the_page: str, tags: Tags) -> None:
    assert "<script" not in the_page
    assert HOSTILE in tags.of("p")
    assert HOSTILE in tags.of("li")
    assert f"PAR sheet: Three card poker {HOSTILE}" in tags.of("title")


def test_every_anchor_is_there_once_and_every_link_leads_to_one(tags: Tags) -> None:
    ids = Counter(attributes["id"] for _, attributes in tags.tags if attributes.get("id"))
    assert max(ids.values()) == 1
    links = [str(attributes["href"]) for tag, attributes in tags.tags
             if tag != "link" and attributes.get("href")]  # fmt: skip
    assert links
    assert {link.removeprefix("#") for link in links} <= set(ids)


def test_every_section_is_numbered_and_in_the_contents(tags: Tags) -> None:
    titles = [section.title for section in a_sheet().sections]
    assert tags.of("h2") == ["Contents", *titles]
    numbers = [str(number) for number in range(1, len(titles) + 1)]
    assert [words for words in tags.of("span") if words.isdecimal()] == [*numbers, *numbers]


def test_every_number_of_every_table_is_on_the_page(tags: Tags) -> None:
    cells = Counter(tags.of("td", "th"))
    for table in tables(a_sheet()):
        for column in table.columns:
            expected = worded(table.column(column.id), column.kind)
            assert not Counter(filter(None, expected)) - cells
            assert cells[column.title]


def test_tables_have_heads_that_a_screen_reader_can_use(tags: Tags) -> None:
    assert [attributes for tag, attributes in tags.tags if tag == "html"] == [{"lang": "en"}]
    scopes = Counter(attributes.get("scope") for tag, attributes in tags.tags if tag == "th")
    assert scopes["col"] == sum(len(table.columns) for table in tables(a_sheet()))
    assert scopes.keys() == {"col", "row"}
    assert [tag for tag, _ in tags.tags].count("caption") == len(tables(a_sheet()))


def test_a_figure_says_in_words_what_it_shows(tags: Tags) -> None:
    drawn = [attributes for tag, attributes in tags.tags if tag == "svg"]
    assert len(drawn) == 4
    assert all(each["role"] == "img" for each in drawn)
    assert drawn[0]["aria-label"] == (
        "Bars: How often. Probability by event: from 0.002172 (straight_flush) to 0.743891 (lose). "
        "All the numbers are in the table Pair plus, every outcome."
    )


def test_a_number_in_a_figure_is_the_number_in_the_table() -> None:
    outcomes, bands = pair_plus()
    bars = Plot("ways", "How often", "outcomes", "bars", "event", ("probability",), log_y=True)
    words = Tags(svg(bars, outcomes, "one")).of("text")
    assert set(worded(outcomes.column("probability"), "probability")) <= set(words)
    changed = dataclasses.replace(outcomes, rows=(*outcomes.rows[:-1], ("lose", -1, 1, 0.5, 0, 0)))
    assert "0.500000" in Tags(svg(bars, changed, "one")).of("text")
    heat = Plot("heat", "Edges", "map", "heat", "rule", ("edge",), by="decks")
    assert set(worded(MAP.column("edge"), "percent")) <= set(Tags(svg(heat, MAP, "two")).of("text"))
    lines = Plot(
        "funnel", "Return", "bands", "lines", "rounds", ("mean",), bands=(("low", "high"),)
    )
    assert {"95%", "Return", "Rounds"} <= set(Tags(svg(lines, bands, "three")).of("text"))


def test_figures_cope_with_what_a_table_may_hold() -> None:
    """No value, no number, nothing below zero on a scale of powers, and one row alone."""
    table = Table(
        "odd",
        "Odd",
        (Column("x", "X"), Column("n", "N", "number"), Column("y", "Y", "percent")),
        (("a", 1, None), ("b $x$", 2, -0.25), ("c", 3, "none"), ("d", None, 0)),
    )
    single = dataclasses.replace(table, rows=table.rows[1:2])
    for plot, rows in (
        (Plot("p", "P", "odd", "bars", "x", ("n", "y"), mark=0.1), table),
        (Plot("p", "P", "odd", "bars", "x", ("y",), log_y=True), table),
        (Plot("p", "P", "odd", "lines", "n", ("y", "n"), log_x=True, log_y=True), single),
        (Plot("p", "P", "odd", "lines", "x", ("n",), bands=(("n", "y"),)), table),
        (Plot("p", "P", "odd", "heat", "x", ("y",), by="n"), table),
        (Plot("p", "P", "odd", "heat", "x", ("y",), by="n"), single),
    ):
        assert svg(plot, rows, "p").startswith("<svg")
        assert described(plot, rows)


@pytest.mark.parametrize("form", ["html", "pdf", "xlsx"])
def test_a_table_without_rows_is_printed_and_not_drawn(form: str) -> None:
    outcomes, _ = pair_plus()
    empty = dataclasses.replace(outcomes, rows=())
    figure = Plot("ways", "How often", "outcomes", "bars", "event", ("probability",))
    sheet = Sheet("g", "Game", {}, (Section("one", "One", (empty, figure)),))
    content = printed(sheet, form)
    if form == "xlsx":
        tab = cells(content, 0)
        assert tab["A3"].value == "Event"
        assert not tab._charts
        assert not [cell for row in tab for cell in row if cell.data_type == "f"]
    else:
        text = text_of(content) if form == "pdf" else content.decode()
        assert "Combinations" in text
        assert "How often" not in text


# In a browser.


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


def shown(
    browser: Browser, text: str, size: tuple[int, int], scheme: Any = "light"
) -> tuple[Page, list[str]]:
    """The page as a server would send it, and what the browser complains about."""
    troubles: list[str] = []

    def answer(route: Route) -> None:
        headers = {"content-type": "text/html", "content-security-policy": policy(text)}
        route.fulfill(status=200, headers=headers, body=text)

    tab = browser.new_page(viewport={"width": size[0], "height": size[1]}, color_scheme=scheme)
    tab.on("console", lambda message: troubles.append(message.text))
    tab.route("**/*", answer)
    tab.goto("http://sheet.example/par")
    return tab, troubles


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_the_page_fits_its_window_under_its_own_policy(
    browser: Browser, the_page: str, size: tuple[int, int]
) -> None:
    tab, troubles = shown(browser, the_page, size)
    assert tab.evaluate("document.documentElement.scrollWidth") == size[0]
    wide = tab.locator("#table-5-1 .box")
    scrolls = wide.evaluate(
        "box => [box.scrollWidth > box.clientWidth, getComputedStyle(box).overflowX]"
    )
    assert scrolls == [True, "auto"]  # the table scrolls in its own box
    letters = tab.locator("figure text").evaluate_all(
        "all => all.map(text => text.getBoundingClientRect().height)"
    )
    assert min(letters) > 8
    assert not [each for each in troubles if "favicon" not in each]
    tab.close()


def test_the_page_is_dark_for_those_who_want_it(browser: Browser, the_page: str) -> None:
    seen = {}
    for scheme in ("light", "dark"):
        tab, _ = shown(browser, the_page, PHONE, scheme)
        seen[scheme] = tab.evaluate(
            "[getComputedStyle(document.body).backgroundColor,"
            " getComputedStyle(document.querySelector('figure text')).fill]"
        )
        tab.close()
    assert seen["light"] == ["rgb(255, 255, 255)", "rgb(27, 30, 35)"]
    assert seen["dark"] == ["rgb(20, 22, 26)", "rgb(230, 232, 236)"]


def test_a_policy_lets_the_pages_own_style_pass_and_no_other(
    browser: Browser, the_page: str
) -> None:
    (style,) = re.findall("<style>(.*?)</style>", the_page, re.DOTALL)
    digest = base64.b64encode(sha256(style.encode()).digest()).decode()
    assert f"style-src 'sha256-{digest}'" in policy(the_page)
    tab, troubles = shown(browser, the_page.replace("--page: #fff", "--page: #f00", 1), WIDE)
    assert troubles == []  # with a policy of its own
    tab.close()
    tab, troubles = shown(browser, the_page, WIDE)
    tab.evaluate("document.body.insertAdjacentHTML('beforeend', '<p style=\"color: red\">no</p>')")
    assert any("Content Security Policy" in each for each in troubles)
    tab.close()


def test_printed_from_a_browser_heads_are_repeated_and_pages_numbered(
    browser: Browser, the_page: str
) -> None:
    tab, _ = shown(browser, the_page, WIDE)
    pages = [each.extract_text() for each in PdfReader(BytesIO(tab.pdf(format="A4"))).pages]
    tab.close()
    long = [text for text in pages if "row 149" in text or "row 0\n" in text or "row 75" in text]
    assert len(long) >= 2
    assert all("Row of many" in text for text in long)
    for number, text in enumerate(pages, 1):
        assert f"{number} of {len(pages)}" in text
        assert HASH[:16] in text


# Paper.


def text_of(content: bytes) -> str:
    return " ".join(
        " ".join(page.extract_text() for page in PdfReader(BytesIO(content)).pages).split()
    )


@pytest.fixture(scope="module")
def paper() -> PdfReader:
    return PdfReader(BytesIO(pdf(a_sheet())))


def test_every_page_says_what_it_is_and_which_of_how_many(paper: PdfReader) -> None:
    for number, each in enumerate(paper.pages, 1):
        text = each.extract_text()
        assert f"Page {number} of {len(paper.pages)}" in text
        assert HASH[:16] in text
        assert "PAR sheet: Three card poker" in text


def test_the_contents_lead_to_the_pages(paper: PdfReader) -> None:
    pages = [each.extract_text() for each in paper.pages]
    for number, (section, mark) in enumerate(
        zip(a_sheet().sections, paper.outline, strict=True), 1
    ):
        place = (paper.get_destination_page_number(mark) or 0) + 1  # type: ignore[arg-type]
        entry = re.search(rf"(\d+)\n{number}\s+{re.escape(section.title)}$", pages[0], re.M)
        assert entry is not None
        assert int(entry[1]) == place
        assert section.title in pages[place - 1]


def test_paper_prints_every_sign_and_no_markup(paper: PdfReader) -> None:
    first = paper.pages[0].extract_text()
    assert SIGNS in first
    assert HOSTILE in " ".join(first.split())


def test_every_number_of_every_table_is_on_paper(paper: PdfReader) -> None:
    text = " ".join(page.extract_text() for page in paper.pages)
    for table in tables(a_sheet()):
        for column in table.columns:
            for words in worded(table.column(column.id), column.kind):
                assert words in text


def test_a_long_table_has_its_head_on_every_page(paper: PdfReader) -> None:
    over = [text for page in paper.pages if re.search(r"row \d", text := page.extract_text())]
    assert len(over) >= 3
    assert all("Row of many" in text for text in over)


def test_a_wide_table_is_printed_on_paper_that_is_turned(paper: PdfReader) -> None:
    (turned,) = [page for page in paper.pages if page.mediabox.width > page.mediabox.height]
    assert "A wide table" in turned.extract_text()


def test_figures_on_paper_are_lines_and_text(paper: PdfReader) -> None:
    assert not [image for page in paper.pages for image in page.images]
    drawn = " ".join(page.extract_text() for page in paper.pages)
    assert "straight_flush" in drawn.partition("Figure 2.1")[0]


def test_paper_names_its_author_and_brings_its_fonts(paper: PdfReader) -> None:
    about = paper.metadata
    assert about is not None
    assert about.author == "Ada"
    assert about.title == f"PAR sheet: Three card poker {HOSTILE}"
    fonts: Any = paper.pages[0]["/Resources"]["/Font"]  # type: ignore[index]
    embedded = [font.get_object()["/BaseFont"] for font in fonts.values()
                if "/FontDescriptor" in font.get_object()]  # fmt: skip
    assert any("DejaVuSans" in name for name in embedded)


@pytest.mark.parametrize("columns", [25, 60])
def test_a_table_too_wide_for_any_paper_is_folded_and_whole(columns: int) -> None:
    sheet = Sheet("g", "Game", {}, (Section("one", "One", (wide_table(columns),)),))
    text = "".join(text_of(pdf(sheet)).split())
    assert all(f"Column{number}" in text for number in range(columns))


# The workbook.


@pytest.fixture(scope="module")
def made() -> bytes:
    return workbook(a_sheet())


def cells(content: bytes, tab: int, *, values: bool = False) -> Any:
    return openpyxl.load_workbook(BytesIO(content), data_only=values).worksheets[tab]


def test_there_is_a_tab_for_each_section(made: bytes) -> None:
    names = openpyxl.load_workbook(BytesIO(made)).sheetnames
    assert names == [
        "1 Words & signs",
        "2 Outcomes",
        "3 A map of options",
        "4 Long",
        "5 Wide",
        "6 End",
    ]


def test_numbers_are_numbers_and_fractions_stand_beside_them(made: bytes) -> None:
    outcomes, _ = pair_plus()
    tab = cells(made, 1)
    heads = {cell.value: cell.column for cell in tab[3]}
    for row, (event, _, combinations, probability, *_) in enumerate(outcomes.rows, 4):
        assert tab.cell(row, 1).value == event
        assert tab.cell(row, heads["Combinations"]).value == combinations
        number = tab.cell(row, heads["Probability"])
        assert number.value == pytest.approx(float(probability))  # type: ignore[arg-type]
        assert number.data_type == "n"
        exact = tab.cell(row, heads["Probability, exact"])
        assert (exact.value, exact.data_type) == (str(probability), "s")
    assert tab.cell(4, heads["Contribution to return"]).number_format == "0.0000%"


def test_totals_are_formulas_and_a_cell_says_whether_they_close(made: bytes) -> None:
    formulas, values = cells(made, 1), cells(made, 1, values=True)
    heads = {cell.value: cell.column for cell in formulas[3]}
    foot = 4 + len(pair_plus()[0].rows)
    assert formulas.cell(foot, heads["Combinations"]).value == f"=SUM(C4:C{foot - 1})"
    assert values.cell(foot, heads["Combinations"]).value == 22_100
    assert values.cell(foot, heads["Probability"]).value == 1
    assert values.cell(foot, heads["Contribution to return, exact"]).value == "-128/5525"
    check = formulas.cell(foot + 1, heads["Combinations"]).value
    assert check.startswith(f"=IF(ABS(C{foot}-22100.0)<=")
    assert values.cell(foot + 1, heads["Combinations"]).value == "closes"


def test_words_are_never_taken_for_a_formula() -> None:
    said = Table("t", "=1+1", (Column("a", "=A1"),), (("=cmd|' /C calc'!A0",), ("http://x",)), "=2")
    tab = cells(workbook(Sheet("g", "=1", {}, (Section("s", "=3", (said,)),))), 0)
    assert {cell.data_type for row in tab for cell in row if cell.value} == {"s"}
    assert not tab._hyperlinks


def test_the_head_of_a_tabs_table_stays_in_view_and_paper_is_set_up(made: bytes) -> None:
    tab = cells(made, 3)
    assert tab.freeze_panes == "B4"
    assert tab.print_title_rows == "$2:$3"
    assert (tab.page_setup.fitToHeight, tab.sheet_properties.pageSetUpPr.fitToPage) == (0, True)
    assert HASH[:16] in tab.oddHeader.right.text
    assert cells(made, 4).page_setup.orientation == "landscape"


def test_a_whole_number_that_no_cell_can_hold_is_written_out() -> None:
    large = 2**80 + 1
    table = Table(
        "t", "T", (Column("n", "N", "count", total=True),), ((large,),), closes={"n": large}
    )
    tab = cells(workbook(Sheet("g", "G", {}, (Section("s", "S", (table,)),))), 0, values=True)
    assert tab["B4"].value == str(large)
    assert tab["A6"].value == "closes"


def test_figures_are_charts_of_the_cells(made: bytes) -> None:
    charts = cells(made, 1)._charts
    assert [type(chart).__name__ for chart in charts] == ["BarChart", "ScatterChart"]
    assert charts[0].series[0].val.numRef.f == "'2 Outcomes'!$D$4:$D$9"


# Files.


def test_a_file_is_written_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "sheet.pdf"
    write(file, b"first")

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        write(file, b"second")
    assert file.read_bytes() == b"first"
    assert list(tmp_path.iterdir()) == [file]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").write_bytes(b"old")
    (tmp_path / "link").symlink_to("real")
    write(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_bytes() == b"new"
