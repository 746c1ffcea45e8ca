"""Every section of the regulation has a row: who implements it, and which test proves it.

`sections.csv` lists the sections, `physical.csv` those that are a matter of
hands, cloth and people, with the reason, and `proofs.csv` which tests cite
which paragraph (written by `python -m croupier.regulation tests`, and kept
true by a test). Citations in code are read from the source itself.
"""

import ast
import csv
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
PACKAGE = HERE.parent
# Of these the documents list no sections, or only some: one is cited as a whole, the other by
# the numbers that its sister subchapters give the same sections.
UNLISTED = {"19:47-22", *(f"19:47-27.{number}" for number in range(1, 10))}
CITING = {"law", "custom", "published", "elsewhere"}


@dataclass(frozen=True)
class Row:
    """One section of the source documents."""

    section: str
    subchapter: int
    title: str
    code: tuple[str, ...]
    tests: tuple[str, ...]
    physical: str  # the reason, if it is physical

    @property
    def status(self) -> str:
        if self.physical:
            return "physical"
        return "implemented" if self.code and self.tests else "missing"

    @property
    def note(self) -> str:
        if self.physical or self.status == "implemented":
            return self.physical
        return "no test proves it" if self.code else ""

    def as_json(self) -> dict[str, Any]:
        return {
            "section": self.section,
            "title": self.title,
            "status": self.status,
            "code": list(self.code),
            "tests": list(self.tests),
            "note": self.note,
        }


def coverage() -> list[Row]:
    """A row for each section of `sections.csv`, in its order."""
    code, tests = _by_section(cited_in_code()), _by_section(_rows("proofs.csv"))
    physical = {row["section"]: row["reason"] for row in _table("physical.csv")}
    return [
        Row(
            row["section"],
            int(row["subchapter"]),
            row["title"],
            code[row["section"]],
            tests[row["section"]],
            physical.get(row["section"], ""),
        )
        for row in _table("sections.csv")
    ]


def cited_in_code() -> Iterator[tuple[str, str]]:
    """Every citation in the package, with the file and line where it stands."""
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and _name(node.func) in CITING and node.args:
                for place in _places(node.args[0]):
                    yield place, f"{path.relative_to(PACKAGE).as_posix()}:{node.lineno}"


def cited_in_tests(tests: Path) -> Iterator[tuple[str, str]]:
    """Every `@pytest.mark.cites("5.2(a)")`, with the test that carries it."""
    for path in sorted(tests.rglob("test_*.py")):
        name = f"{tests.name}/{path.relative_to(tests).as_posix()}"
        tree = ast.parse(path.read_text("utf-8"))
        everywhere = [place for place, _ in _marks(tree.body, name, module=True)]
        for place, test in _marks(tree.body, name):
            yield place, test
        for place in everywhere:
            yield place, name


def _marks(body: list[ast.stmt], name: str, module: bool = False) -> Iterator[tuple[str, str]]:
    for node in body:
        if isinstance(node, ast.ClassDef) and not module:
            yield from _marks(node.body, f"{name}::{node.name}")
        marks: list[ast.expr] = []
        if isinstance(node, ast.FunctionDef) and not module:
            marks = node.decorator_list
        elif isinstance(node, ast.Assign) and module:
            named = [target.id for target in node.targets if isinstance(target, ast.Name)]
            marks = [node.value] if named == ["pytestmark"] else []
        for mark in marks:
            if isinstance(mark, ast.Call) and _name(mark.func) == "cites":
                test = f"{name}::{node.name}" if isinstance(node, ast.FunctionDef) else name
                yield from ((place, test) for arg in mark.args for place in _places(arg))


def _places(node: ast.expr) -> Iterator[str]:
    """A citation written out, or the part of an f-string that names the section."""
    if isinstance(node, ast.JoinedStr):
        node = node.values[0]
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value if ":" in node.value else f"19:47-{node.value}"


def _name(function: ast.expr) -> str:
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def _by_section(cited: Iterator[tuple[str, str]]) -> defaultdict[str, tuple[str, ...]]:
    found: defaultdict[str, list[str]] = defaultdict(list)
    for place, where in cited:
        section = re.sub(r"\(.*", "", place)
        if where not in found[section]:
            found[section].append(where)
    return defaultdict(tuple, {section: tuple(where) for section, where in found.items()})


def _rows(name: str) -> Iterator[tuple[str, str]]:
    return ((row["place"], row["test"]) for row in _table(name))


def _table(name: str) -> list[dict[str, str]]:
    with (HERE / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def write_proofs(tests: Path, to: Path = HERE / "proofs.csv") -> None:
    """Write down which tests cite which paragraph."""
    with to.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(("place", "test"))
        table.writerows(sorted(set(cited_in_tests(tests))))
