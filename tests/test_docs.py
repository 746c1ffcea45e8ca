"""The documentation's examples run, and its generated pages are fresh."""

import re
from pathlib import Path

import pytest
from docs import generate

ROOT = Path(__file__).parent.parent
PAGES = [
    "README.md",
    "docs/adding-a-game.md",
    "docs/architecture.md",
    "docs/par-sheets.md",
    "docs/simulation.md",
    "docs/strategies.md",
]


@pytest.mark.parametrize("page", PAGES)
def test_every_python_example_runs(page: str) -> None:
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / page).read_text("utf-8"), re.DOTALL)
    assert blocks, f"{page} shows no code"
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, page, "exec"), names)


@pytest.mark.parametrize("name", sorted(generate.PAGES))
def test_generated_pages_are_fresh(name: str) -> None:
    text = (ROOT / name).read_text("utf-8")
    assert text == generate.PAGES[name](), "run `make docs`"


def test_no_page_links_to_a_file_that_is_not_there() -> None:
    for page in [ROOT / "README.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").glob("*.md")]:
        for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text("utf-8")):
            assert (page.parent / link).exists(), f"{page.name} links to {link}"


def test_every_proof_that_is_named_is_there() -> None:
    proofs = re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", (ROOT / "docs/faults.md").read_text())
    assert len(proofs) > 40
    for path, name in proofs:
        assert f"def {name}" in (ROOT / path).read_text("utf-8"), f"{path} proves no {name}"
