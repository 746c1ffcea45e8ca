"""The battery's report: for people as a web page or a text, for programs as JSON."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from html import escape
from inspect import getdoc
from pathlib import Path
from typing import Any

from croupier.randomness import bits, equipment, interplay, orders, scaled
from croupier.randomness.battery import Finding, Result
from croupier.randomness.evidence import CANNOT, RANGE_OF_STATE, REQUIREMENTS, reaches

TITLE = "The generators of Croupier: statistical evidence"
TESTS: tuple[tuple[str, dict[str, Callable[..., Any]]], ...] = (
    ("raw bits", {
        "mono-bit": bits.mono_bit,
        "runs": bits.runs,
        "byte chi-square": bits.byte_frequency,
        "serial correlation": bits.serial_correlation,
        "serial correlation of words": bits.word_correlation,
        "block frequency": bits.block_frequency,
        "bit places": bits.bit_places,
        "cumulative sums": bits.cumulative_sums,
        "cumulative sums backward": bits.cumulative_sums_backward,
        "duplicates": bits.duplicates,
    }),
    ("scaled numbers", {
        "chi-square": scaled.frequency,
        "runs up": scaled.runs_up,
        "runs down": scaled.runs_down,
        "gap": scaled.gap,
        "poker": scaled.poker,
        "coupon collector": scaled.coupon_collector,
        "permutation": scaled.permutation,
        "serial pairs": scaled.serial_pairs,
        "overlapping m-tuples": scaled.overlapping_tuples,
        "birthday spacings": scaled.birthday_spacings,
    }),
    ("streams beside each other", {
        "interplay correlation": interplay.correlation,
        "interplay of bits": interplay.agreement,
        "two tables in turn": interplay.in_turn,
        "echo": interplay.echo,
    }),
    ("shuffles", {
        "every order": orders.every_order,
        "places": orders.places,
        "neighbors": orders.neighbors,
    }),
    ("wheels and dice", {"true odds": equipment.true_odds}),
)  # fmt: skip
P_VALUES = (
    "The sample is cut into pieces, each piece is tested, and the p-values of the pieces lie "
    "evenly between 0 and 1 (Kolmogorov and Smirnov). Catches a sample whose parts are all "
    "a little bad, or all too good."
)


@dataclass(frozen=True)
class Grid:
    """A table of the report."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


Block = str | Grid
Section = tuple[str, list[Block]]


def explained() -> list[tuple[str, str, str]]:
    """What is tested, by which test, and what it would catch."""
    told = [(of, name, _purpose(test)) for of, tests in TESTS for name, test in tests.items()]
    return [*told, ("pieces of a sample", "p-values of a test", P_VALUES)]


def _purpose(test: Callable[..., Any]) -> str:
    """The first paragraph of what a test says of itself."""
    return " ".join((getdoc(test) or "").partition("\n\n")[0].split())


def in_a_sentence(result: Result) -> str:
    """The verdict."""
    untrue = [fact for fact in result.facts if not fact.holds]
    tests, exact = f"{len(result.findings)} tests", f"{len(result.facts)} exact checks"
    if result.passed:
        return f"Passed: {tests} at a level of {result.alpha:g} for all together, and {exact}."
    failed = [f"{len(result.failures)} of {tests}"] * bool(result.failures)
    failed += [f"{len(untrue)} of {exact}"] * bool(untrue)
    return f"Failed: {' and '.join(failed)}."


def number(value: float) -> str:
    """Enough digits to compare."""
    if float(value).is_integer() and abs(value) < 1e15:
        return f"{int(value):,}"
    return f"{value:,.4f}" if abs(value) >= 1e-4 else f"{value:.3g}"


def row(finding: Finding) -> tuple[str, ...]:
    """A finding in words."""
    verdict = finding.verdict
    return (
        finding.sample.source,
        finding.sample.title,
        verdict.name,
        number(verdict.statistic),
        "" if verdict.degrees is None else f"{verdict.degrees:,}",
        number(verdict.lower),
        number(verdict.upper),
        number(verdict.p_value),
        number(finding.corrected),
        "passed" if finding.passed else "FAILED",
    )


ROW = ("Source", "Sample", "Test", "Statistic", "Degrees", "Lower tail", "Upper tail", "p-value",
       "Corrected", "Verdict")  # fmt: skip


def sections(result: Result) -> Iterator[Section]:
    """The report, part by part."""
    yield "Verdict", [in_a_sentence(result), *_identity(result)]
    yield "What such tests can show, and what they cannot", [*CANNOT]
    yield (
        "Exact checks",
        [
            Grid(
                ("Source", "Check", "Verdict", "Detail"),
                tuple(
                    (
                        fact.source,
                        fact.title,
                        "holds" if fact.holds else "DOES NOT HOLD",
                        fact.detail,
                    )
                    for fact in result.facts
                ),
            ),
        ],
    )
    yield "Tests", [_correction(result), Grid(ROW, tuple(map(row, result.findings)))]
    yield "What each test would catch", [Grid(("Of", "Test", "What it says"), tuple(explained()))]
    yield (
        "Samples",
        [
            "The hash is the SHA-256 of the sample as it came: raw bytes, or whole numbers with "
            "the lowest byte first.",
            Grid(
                ("Source", "Sample", "Size", "SHA-256"),
                tuple((each.source, each.title, each.size, each.sha256) for each in result.samples),
            ),
        ],
    )
    yield "Scaling by exact arithmetic", [_scaling(result)]
    yield "How many outcomes a round can have", _reach()
    yield (
        "What is asked of a generator, and where it is proven",
        [
            Grid(
                ("Line", "Asks", "Source", "How it is met", "Proof"),
                tuple(
                    (each.id, each.asks, each.source, each.met, ", ".join(each.proofs))
                    for each in REQUIREMENTS
                ),
            )
        ],
    )


def _identity(result: Result) -> list[Block]:
    versions = ", ".join(f"{name} {version}" for name, version in result.software.items())
    seeded = f" Seed of the simulation: {result.seed}." if "streams" in result.sources else ""
    sizes = ", ".join(
        f"{name.replace('_', ' ')} {size:,}" for name, size in asdict(result.effort).items()
    )
    return [
        f"Begun {result.begun}, of {', '.join(result.sources)}.{seeded}",
        f"Software: {versions}.",
        f"Sizes: {sizes}.",
    ]


def _correction(result: Result) -> str:
    return (
        f"{len(result.findings)} tests were done. The corrected p-value is that of Holm and "
        f"Bonferroni: below {result.alpha:g}, the test has failed. The lower tail is how often "
        "chance gives such a statistic or a lower one, the upper tail such a one or a higher one. "
        "Of a chi-square the lower tail is too good, and the upper one too bad."
    )


def _scaling(result: Result) -> Grid:
    return Grid(
        ("Way", "Below", "Draws of a word", "Words", "Thrown away", "Bias", "Bias without that"),
        tuple(
            (
                each.way,
                str(each.n),
                str(each.draws),
                f"2^{each.words.bit_length() - 1}",
                f"{float(each.thrown_away / each.words):.3g}",
                str(each.bias),
                f"{float(each.without):.3g}",
            )
            for each in result.scalings
        ),
    )


def _reach() -> list[Block]:
    found = reaches()
    return [
        RANGE_OF_STATE.format(most=max(each.largest_draw for each in found)),
        Grid(
            ("Game", "Equipment", "Outcomes", "Bits", "Largest draw"),
            tuple(
                (each.game, each.equipment, each.outcomes, f"{each.bits:,.2f}",
                 str(each.largest_draw))
                for each in found
            ),
        ),
    ]  # fmt: skip


# The three ways to print it.


def as_json(result: Result) -> dict[str, Any]:
    """The whole report as one document."""
    return {
        "passed": result.passed,
        "verdict": in_a_sentence(result),
        "begun": result.begun,
        "sources": list(result.sources),
        "seed": result.seed,
        "software": result.software,
        "effort": asdict(result.effort),
        "alpha": result.alpha,
        "tests": [
            {
                "source": each.sample.source,
                "sample": each.sample.title,
                "test": each.verdict.name,
                "statistic": each.verdict.statistic,
                "degrees": each.verdict.degrees,
                "lower": each.verdict.lower,
                "upper": each.verdict.upper,
                "p_value": each.verdict.p_value,
                "corrected": each.corrected,
                "passed": each.passed,
            }
            for each in result.findings
        ],
        "facts": [asdict(fact) for fact in result.facts],
        "samples": [asdict(sample) for sample in result.samples],
        "scaling": [
            {**asdict(each), "words": str(each.words), "thrown_away": str(each.thrown_away),
             "bias": str(each.bias), "without": float(each.without)}
            for each in result.scalings
        ],
        "explanations": [
            {"of": of, "test": test, "says": says} for of, test, says in explained()
        ],
        "cannot": list(CANNOT),
        "reach": [asdict(each) for each in reaches()],
        "evidence": [asdict(each) for each in REQUIREMENTS],
    }  # fmt: skip


def as_markdown(result: Result) -> str:
    parts = [f"# {TITLE}"]
    for title, blocks in sections(result):
        parts.append(f"## {title}")
        parts += [_markdown(block) if isinstance(block, Grid) else block for block in blocks]
    return "\n\n".join(parts) + "\n"


def _markdown(grid: Grid) -> str:
    def line(cells: Sequence[str]) -> str:
        return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"

    return "\n".join([line(grid.columns), line(["---"] * len(grid.columns)), *map(line, grid.rows)])


STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 76rem; padding: 0 1rem;
  color: #1c1c1c; background: #fff; }
table { border-collapse: collapse; font-size: 13px; margin: 1rem 0; width: 100%; }
th, td { border-bottom: 1px solid #ccc; padding: 0.25rem 0.6rem; text-align: left;
  vertical-align: top; overflow-wrap: break-word; }
th { position: sticky; top: 0; background: #f2f2f2; }
td.bad { color: #a00000; font-weight: bold; }
.scroll { overflow-x: auto; }
"""


def as_html(result: Result) -> str:
    body = [f"<h1>{escape(TITLE)}</h1>"]
    for title, blocks in sections(result):
        body.append(f"<h2>{escape(title)}</h2>")
        body += [_html(each) if isinstance(each, Grid) else f"<p>{escape(each)}</p>"
                 for each in blocks]  # fmt: skip
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>{escape(TITLE)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        + "\n".join(body)
        + "\n</body>\n</html>\n"
    )


def _html(grid: Grid) -> str:
    head = "".join(f'<th scope="col">{escape(column)}</th>' for column in grid.columns)
    rows = "\n".join("<tr>" + "".join(map(_cell, line)) + "</tr>" for line in grid.rows)
    return (
        f'<div class="scroll"><table>\n<thead><tr>{head}</tr></thead>\n'
        f"<tbody>\n{rows}\n</tbody>\n</table></div>"
    )


def _cell(text: str) -> str:
    bad = ' class="bad"' if text in ("FAILED", "DOES NOT HOLD") else ""
    return f"<td{bad}>{escape(text)}</td>"


def _json_text(result: Result) -> str:
    return json.dumps(as_json(result), indent=2, ensure_ascii=False) + "\n"


WRITERS: dict[str, Callable[[Result], str]] = {
    ".html": as_html, ".json": _json_text, ".md": as_markdown,
}  # fmt: skip


def write(result: Result, path: Path) -> None:
    """Write the report in the form that the name of the file asks for."""
    path.write_text(WRITERS[path.suffix](result), "utf-8")
