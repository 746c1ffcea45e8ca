"""Citations: by which paragraph, and how sure we are of it."""

import pytest

from croupier.rulebook import Citation, custom, elsewhere, law, published


def test_a_bare_number_is_of_chapter_47() -> None:
    assert law("5.2(a)").place == "19:47-5.2(a)"


def test_a_place_in_another_chapter_is_left_as_it_is() -> None:
    assert law("13:69E-1.28U(h)").place == "13:69E-1.28U(h)"


@pytest.mark.parametrize(
    ("cite", "text"),
    [
        (law("5.2(a)"), "19:47-5.2(a)"),
        (custom("8.2"), "19:47-8.2 (customary)"),
        (published("1.12"), "19:47-1.12 (published)"),
        (elsewhere("1.7", "S.D. 20:18:33:05"), "19:47-1.7 (after S.D. 20:18:33:05)"),
        (custom("13:69E-1.11(a)"), "13:69E-1.11(a) (customary)"),
    ],
)
def test_a_citation_says_where_its_terms_come_from(cite: Citation, text: str) -> None:
    assert str(cite) == text


def test_only_the_text_of_the_regulation_is_law() -> None:
    assert law("5.2").is_law
    assert not custom("5.2").is_law
    assert not published("5.2").is_law
    assert not elsewhere("5.2", "58 Pa. Code 593.4(b)").is_law


@pytest.mark.parametrize(
    ("place", "section"),
    [
        ("5.2", "19:47-5.2"),
        ("5.2(a)", "19:47-5.2"),
        ("1.2(a)19", "19:47-1.2"),
        ("5.1(e)6ii", "19:47-5.1"),
        ("13:69E-1.28U(h)", "13:69E-1.28U"),
    ],
)
def test_a_section_has_no_paragraphs(place: str, section: str) -> None:
    assert law(place).section == section
    assert custom(place).section == section


def test_the_source_is_part_of_what_is_cited() -> None:
    assert law("5.2") == law("5.2")
    assert law("5.2") != custom("5.2")
