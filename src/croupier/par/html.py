"""A PAR sheet as a web page: one file that asks for nothing, for screens, phones and paper."""

import base64
import re
from collections.abc import Iterator, Mapping
from hashlib import sha256
from html import escape

from croupier.par.document import Block, Column, Plot, Section, Sheet, Table, Text
from croupier.par.printing import (
    Labeled,
    about,
    closing,
    configuration,
    foot_in_words,
    in_words,
    labeled,
    table_of,
    worded,
)

SHORT = 12  # rows of a table that is not torn apart on paper
TIGHT, BRIEF = 14, 26  # characters that stay on a line: everywhere, and on a screen
WIDE = 9  # columns from which a table is printed on paper that is turned

NO_ICON = '<link rel="icon" href="data:,">'  # or a browser would ask for one

STYLE = """
:root {
  color-scheme: light dark;
  --page: #fff; --panel: #f5f6f8; --ink: #1b1e23; --fine: #596070; --line: #d5d9e0;
  --accent: #1f5fa8; --bad: #b3261e; --good: #1d6b3a;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #14161a; --panel: #1d2026; --ink: #e6e8ec; --fine: #a2a9b6; --line: #363b45;
    --accent: #82b4f0; --bad: #f2a19b; --good: #8ccfa3;
  }
}
* { box-sizing: border-box; }
html { scroll-behavior: smooth; scroll-padding-top: 1rem; }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
body {
  margin: 0 auto; padding: 1.5rem clamp(1rem, 3vw, 2.5rem) 4rem; max-width: 92rem;
  background: var(--page); color: var(--ink);
  font: 1rem/1.55 system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif;
}
a { color: var(--accent); }
h1 { font-size: clamp(1.5rem, 4vw, 2.1rem); line-height: 1.2; margin: 0; text-wrap: balance; }
h2 { font-size: 1.35rem; line-height: 1.3; margin: 0 0 .8rem; padding-top: .4rem; }
h2 .number, nav .number { color: var(--fine); margin-right: .6em; }
header.title { border-bottom: 2px solid var(--ink); padding-bottom: 1rem; margin-bottom: 1.5rem; }
header.title .about { margin: .4rem 0 0; color: var(--fine); }
header.title .downloads { margin: .8rem 0 0; display: flex; flex-wrap: wrap; gap: .4rem 1.2rem; }
.sheet { display: grid; grid-template-columns: minmax(0, 1fr); gap: 2rem; }
nav h2 { font-size: 1rem; margin: 0 0 .4rem; }
nav ol { list-style: none; margin: 0; padding: 0; columns: 15rem; column-gap: 2rem; }
nav li { break-inside: avoid; }
nav a { display: inline-block; padding: .2rem 0; text-decoration: none; }
nav a:hover { text-decoration: underline; }
section { margin-bottom: 2.8rem; }
section + section { border-top: 1px solid var(--line); padding-top: .8rem; }
p, li { max-width: 75ch; overflow-wrap: anywhere; }
p { margin: 0 0 .8rem; }
.box { overflow-x: auto; margin: 0 0 .4rem; }
.box:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.block { margin: 1.2rem 0 1.8rem; }
table {
  border-collapse: collapse; font-size: .9rem; line-height: 1.4; min-width: min(100%, 24rem);
}
caption, figcaption { text-align: left; font-weight: 600; padding: 0 0 .4rem; }
caption .name {
  position: sticky; left: 0; display: inline-block; max-width: calc(100vw - 2.2rem);
}
caption .label, figcaption .label { color: var(--fine); font-weight: 400; margin-right: .6em; }
th, td { padding: .3rem .7rem; text-align: left; vertical-align: top; font-weight: 400; }
th:first-child, td:first-child { padding-left: .3rem; }
thead th { font-weight: 600; vertical-align: bottom; border-bottom: 1.5px solid var(--ink); }
tbody tr { border-bottom: 1px solid var(--line); }
tbody tr:nth-child(even) { background: var(--panel); }
tfoot th, tfoot td { font-weight: 600; border-top: 1.5px solid var(--ink); }
.figure { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
thead .figure { white-space: normal; }
.tight, .brief { white-space: nowrap; }
.blank { min-width: 9rem; height: 2.4rem; }
.words { min-width: 15rem; overflow-wrap: anywhere; }
.note { color: var(--fine); font-size: .88rem; margin: .2rem 0; }
.closes { color: var(--good); font-size: .88rem; margin: .2rem 0; }
.open { color: var(--bad); font-weight: 600; margin: .2rem 0; }
figure { margin: 1.2rem 0 1.8rem; max-width: 33rem; }
figure svg { display: block; width: 100%; height: auto; }
footer { color: var(--fine); font-size: .85rem; border-top: 1px solid var(--line); }
@media screen and (min-width: 66rem) {
  .sheet { grid-template-columns: 15rem minmax(0, 1fr); gap: 3rem; }
  nav { position: sticky; top: 1rem; align-self: start; max-height: 96vh; overflow-y: auto; }
  nav ol { columns: auto; }
  nav a { line-height: 1.3; }
}
@media screen and (max-width: 30rem) {
  body { padding-top: 1rem; }
  table { font-size: .82rem; }
  th, td { padding: .3rem .5rem; }
  tbody th { position: sticky; left: 0; background: var(--page); }
  tbody tr:nth-child(even) th { background: var(--panel); }
}
@media print {
  :root {
    --page: #fff; --panel: #f5f6f8; --ink: #000; --fine: #444; --line: #bbb;
    --accent: #000; --bad: #000; --good: #000;
  }
  html { font-size: 9.5pt; }
  body { max-width: none; padding: 0; line-height: 1.4; }
  .sheet { display: block; }
  .downloads { display: none; }
  nav { margin: 0 0 1.5rem; }
  nav ol { columns: 2; }
  a { text-decoration: none; }
  h2, caption, figcaption { break-after: avoid; }
  section { margin-bottom: 1.2rem; }
  section + section { padding-top: .4rem; }
  p { orphans: 3; widows: 3; }
  .box { overflow: visible; }
  caption .name { max-width: none; }
  table { font-size: 7.5pt; min-width: 0; }
  th, td { padding: .18rem .4rem; }
  .brief { white-space: normal; }
  .words { min-width: 0; }
  thead { display: table-header-group; }
  tfoot { display: table-row-group; }
  tr { break-inside: avoid; }
  .short, figure, .sign { break-inside: avoid; }
  .turned { page: turned; }
  figure { max-width: 12.5cm; margin: .8rem 0 1rem; }
  tbody tr:nth-child(even) { background: none; }
}
@page { margin: 20mm 15mm 18mm; }
@page turned { size: landscape; }
"""


def page(sheet: Sheet, links: Mapping[str, str] | None = None) -> str:
    """The whole page; with links to the same sheet in other forms, where there are any."""
    sections = list(enumerate(sheet.sections, 1))
    title = escape(sheet.title)
    return "\n".join([
        "<!DOCTYPE html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="generator" content="Croupier">',
        NO_ICON,
        f"<title>{title}</title>",
        f"<style>{STYLE}{_running(sheet)}</style>",
        "</head>",
        "<body>",
        '<header class="title">',
        f"<h1>{title}</h1>",
        f'<p class="about">{escape(about(sheet))}</p>',
        *_downloads(links or {}),
        "</header>",
        '<div class="sheet">',
        *_contents(sections),
        "<main>",
        *(line for number, section in sections for line in _section(number, section)),
        "</main>",
        "</div>",
        "</body>",
        "</html>",
        "",
    ])  # fmt: skip


def policy(page: str) -> str:
    """The Content-Security-Policy under which the page may be served: its own style, no more."""
    styles = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    hashes = " ".join(
        f"'sha256-{base64.b64encode(sha256(style.encode()).digest()).decode()}'" for style in styles
    )
    return (
        f"default-src 'none'; style-src {hashes}; img-src data:; base-uri 'none'; "
        "form-action 'none'; frame-ancestors 'none'"
    )


def _running(sheet: Sheet) -> str:
    """The head and the foot of each printed page."""
    return (
        f"@page {{ @top-left {{ content: {_quoted(sheet.title)}; {FINE} }}\n"
        f"  @top-right {{ content: {_quoted(configuration(sheet))}; {FINE} }}\n"
        f'  @bottom-right {{ content: counter(page) " of " counter(pages); {FINE} }} }}\n'
    )


FINE = "font: 8pt system-ui, sans-serif; color: #444"


def _quoted(text: str) -> str:
    """A string of CSS: whatever is no letter, digit or space is written as its number."""
    return '"' + re.sub(r"[^\w .,:]", lambda found: f"\\{ord(found[0]):x} ", text) + '"'


def _downloads(links: Mapping[str, str]) -> Iterator[str]:
    if links:
        shown = "".join(
            f'<a href="{escape(link)}">{escape(name)}</a>' for name, link in links.items()
        )
        yield f'<p class="downloads">{shown}</p>'


def _contents(sections: list[tuple[int, Section]]) -> Iterator[str]:
    yield '<nav aria-labelledby="contents"><h2 id="contents">Contents</h2>\n<ol>'
    for number, section in sections:
        title = f'<span class="number">{number}</span>{escape(section.title)}'
        yield f'<li><a href="#{escape(section.id)}">{title}</a></li>'
    yield "</ol></nav>"


def _section(number: int, section: Section) -> Iterator[str]:
    name = escape(section.id)
    first = next((block for block in section.blocks if isinstance(block, Table | Plot)), None)
    turned = ' class="turned"' * _is_wide(first)
    yield f'<section id="{name}" aria-labelledby="{name}-title"{turned}>'
    yield f'<h2 id="{name}-title"><span class="number">{number}</span>{escape(section.title)}</h2>'
    blocks = list(labeled(number, section))
    anchors = {each.block.id: each for each in blocks if isinstance(each.block, Table)}
    for each in blocks:
        if isinstance(each.block, Text):
            yield from _text(each.block)
        elif isinstance(each.block, Table):
            yield from _table(each.block, each)
        else:
            yield from _figure(each.block, each, section, anchors[each.block.table])
    yield "</section>"


def _is_wide(block: Block | None) -> bool:
    return isinstance(block, Table) and len(block.columns) >= WIDE


def _text(text: Text) -> Iterator[str]:
    if text.as_list:
        yield "<ul>"
        yield from (f"<li>{escape(line)}</li>" for line in text.lines)
        yield "</ul>"
    else:
        yield from (f"<p>{escape(line)}</p>" for line in text.lines)


def _figure(plot: Plot, named: Labeled, section: Section, source: Labeled) -> Iterator[str]:
    from croupier.par.figures import svg

    link = f'<a href="#{source.anchor}">{escape(source.label)}</a>'
    yield f'<figure id="{named.anchor}">'
    yield svg(plot, table_of(plot, section), named.anchor)
    yield f"<figcaption>{_caption(named.label, plot.title)}</figcaption>"
    yield f'<p class="note">{escape(plot.note)} Drawn from {link}.</p>'
    yield "</figure>"


def _caption(label: str, title: str) -> str:
    return f'<span class="label">{label}</span>{escape(title)}'


def _table(table: Table, named: Labeled) -> Iterator[str]:
    classes = "block" + " short" * (len(table.rows) <= SHORT) + " turned" * _is_wide(table)
    kinds = [_class(table, column) for column in table.columns]
    yield f'<div class="{classes}" id="{named.anchor}">'
    yield f'<div class="box" role="region" aria-labelledby="{named.anchor}-title" tabindex="0">'
    caption = f'<span class="name">{_caption(named.label, table.title)}</span>'
    yield f'<table>\n<caption id="{named.anchor}-title">{caption}</caption>'
    if any(column.title for column in table.columns):
        yield "<thead><tr>"
        for column, kind in zip(table.columns, kinds, strict=True):
            yield f'<th scope="col" class="{kind}">{escape(column.title)}</th>'
        yield "</tr></thead>"
    yield "<tbody>"
    for cells in in_words(table):
        yield f"<tr>{_cells(cells, table, kinds)}</tr>"
    yield "</tbody>"
    if foot := foot_in_words(table):
        yield f"<tfoot><tr>{_cells(foot, table, kinds)}</tr></tfoot>"
    yield "</table></div>"
    if (closed := closing(table)) is not None:
        yield f'<p class="{"closes" if closed[0] else "open"}">{escape(closed[1])}</p>'
    if table.note:
        yield f'<p class="note">{escape(table.note)}</p>'
    yield "</div>"


def _cells(cells: list[str], table: Table, kinds: list[str]) -> str:
    """The first names the row, if it is words."""
    named = table.columns[0].kind == "text"
    return "".join(
        f'<th scope="row" class="{kind}">{escape(cell)}</th>' if named and at == 0
        else f'<td class="{kind}">{escape(cell)}</td>'
        for at, (cell, kind) in enumerate(zip(cells, kinds, strict=True))
    )  # fmt: skip


def _class(table: Table, column: Column) -> str:
    """Short words stay on a line, long ones have room to be folded."""
    if column.kind != "text":
        return "figure"
    longest = max(map(len, worded(table.column(column.id), column.kind)), default=0)
    if not longest:
        return "blank"  # to be filled in by hand
    return "tight" if longest <= TIGHT else "brief" if longest <= BRIEF else "words"
