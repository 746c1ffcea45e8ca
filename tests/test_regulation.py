"""Every section has a row, and what a row says is true."""

import csv
from pathlib import Path

import pytest

from croupier.regulation import HERE, UNLISTED, cited_in_code, coverage, write_proofs

ROOT = Path(__file__).parent.parent

# The subchapters of the games that are here.
COMPLETE = (1, 3, 4, 5, 6, 7, 9, 12, 13, 15, 16, 17, 18, 20, 27, 28, 32, 40)


def test_the_record_of_proofs_is_fresh(tmp_path: Path) -> None:
    write_proofs(ROOT / "tests", tmp_path / "proofs.csv")
    fresh = (tmp_path / "proofs.csv").read_text("utf-8")
    assert (HERE / "proofs.csv").read_text("utf-8") == fresh, "run `make proofs`"


@pytest.mark.parametrize("subchapter", COMPLETE)
def test_no_section_of_a_finished_subchapter_is_missing(subchapter: int) -> None:
    rows = [row for row in coverage() if row.subchapter == subchapter]
    assert rows
    assert [row.section for row in rows if row.status == "missing"] == []


def test_a_physical_section_gives_a_reason_and_exists() -> None:
    sections = {row.section for row in coverage()}
    with (HERE / "physical.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            assert row["section"] in sections
            assert len(row["reason"]) > 20
            assert row["reason"].endswith(".")


# Chapters on tables, meters and servers, of which there is no list of sections.
OTHER_CHAPTERS = ("13:69E-1.", "13:69D-1.", "13:69O-1.")


def test_code_cites_only_sections_that_exist() -> None:
    known = {row.section for row in coverage()}
    for place, where in cited_in_code():
        section = place.partition("(")[0]
        assert section in known | UNLISTED or section.startswith(OTHER_CHAPTERS), (where, place)


def test_every_section_is_listed_once() -> None:
    sections = [row.section for row in coverage()]
    assert len(sections) == len(set(sections)) == 326
