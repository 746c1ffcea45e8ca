"""Our figures beside those that others have published: they agree, or somebody said why not.

What needs a poker game to be solved is counted when the page is written, and
`test_docs.py` writes it again; everything else is counted here.
"""

from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest
from docs import generate

from croupier.analysis.figures import shipped
from croupier.analysis.published import FIGURES, FIGURES_OF, Published, published, remark
from croupier.games import find_game, registry
from croupier.rulebook import Refusal

ROWS = [row for name in registry() for row in published(name)]
COUNTED = [row for row in ROWS if not row.needs_solving]
PAGE = (Path(__file__).parent.parent / "docs" / "published.md").read_text("utf-8")


def named(row: Published) -> str:
    return f"{row.game}-{row.wager}-{row.what}-{row.printed}"


@pytest.mark.parametrize("row", COUNTED, ids=named)
def test_a_figure_agrees_or_its_difference_is_explained(row: Published) -> None:
    assert row.agrees != bool(row.note), f"ours is {row.told}"


def test_every_game_has_published_figures_or_a_word_why_not() -> None:
    assert [name for name in registry() if not published(name) and not remark(name)] == []
    assert [name for name in registry() if not published(name)] == ["pokette"]


def test_every_figure_has_a_name_a_source_and_a_place_of_its_own() -> None:
    for row in ROWS:
        assert row.what in FIGURES or row.what.startswith(tuple(FIGURES_OF)), row
        assert len(row.source) > 10, row
        assert row.note == "" or row.note.endswith("."), row
    places = Counter(
        (row.game, str(row.options), row.wager, row.what, row.printed, row.source) for row in ROWS
    )
    assert max(places.values()) == 1


def test_a_game_that_nobody_deals_has_no_figures() -> None:
    with pytest.raises(Refusal):
        published("faro")


@pytest.mark.parametrize(
    ("printed", "agrees"),
    [
        # A don't pass wager loses 3/220, or 0.013636…
        ("1.36%", True),
        ("1.37%", False),
        ("1.4%", True),
        ("1.40%", False),
        ("0.0136", True),
        ("0.01363", False),  # cut off, not rounded
        ("0.01364", True),
        ("3/220", True),
        ("3,000 of 220,000", True),
        ("3 of 221", False),
        ("1 in 73", True),
        ("1 in 73.4", False),
        ("72 to 1", True),
        ("73 to 1", False),
    ],
)
def test_a_figure_agrees_if_it_rounds_to_what_is_printed(printed: str, agrees: bool) -> None:
    row = Published("craps", {}, "dont_pass", "house_edge", printed, "a test")

    assert row.ours == Fraction(3, 220)
    assert row.agrees is agrees


@pytest.mark.parametrize("printed", ["12%", "13%"])
def test_what_lies_halfway_may_be_rounded_either_way(printed: str) -> None:
    assert Published("craps", {}, "horn", "house_edge", printed, "a test").agrees


@pytest.mark.parametrize(
    ("wager", "what", "printed", "told"),
    [
        ("dont_pass", "house_edge", "1.36%", "1.3636% = 3/220"),
        ("dont_pass", "standard_deviation", "1", "0.99"),
        ("any_seven", "hit_frequency", "1/6", "0.1666666667 = 1/6"),
        ("any_seven", "hit_frequency", "1 in 6.0", "1 in 6.000 = 1/6"),
        ("any_seven", "hit_frequency", "5 to 1", "5.00 to 1 = 1/6"),
        ("buy_4", "house_edge", "4.76%", "0.0000%"),
    ],
)
def test_ours_is_told_in_the_terms_of_what_is_printed(
    wager: str, what: str, printed: str, told: str
) -> None:
    assert Published("craps", {}, wager, what, printed, "a test").told == told


def test_the_main_hand_of_a_default_poker_table_is_not_solved_again() -> None:
    row = Published("ultimate-texas-hold-em", {}, "ante", "house_edge", "2.185%", "a test")
    kept = shipped(find_game("ultimate-texas-hold-em"))["ante"]["house_edge"]["exact"]

    assert (row.is_shipped, row.needs_solving) == (True, False)
    assert row.ours == Fraction(kept)


def test_a_table_that_new_jersey_forbids_may_be_asked_about() -> None:
    (row, *_) = (row for row in published("big-six") if row.options)

    assert not row.is_lawful
    assert row.ours == Fraction(13, 54)


def test_whoever_surrenders_every_tie_loses_half_of_each() -> None:
    """The one figure that speaks of a player who does not play his best."""
    what = "house_edge of always surrender"
    row = Published("casino-war", {"war_tie_bonus": "none"}, "initial", what, "3.70%", "a test")

    assert row.ours == Fraction(23, 311) / 2


@pytest.mark.parametrize("name", registry())
def test_the_page_tells_what_is_counted(name: str) -> None:
    """Sections of games that are not solved are whole; of the others every verdict is there."""
    assert generate.PAGES["docs/published.md"] is generate.published_page
    section = PAGE.split(f"## {find_game(name).title}\n")[1].partition("\n## ")[0]
    rows = published(name)
    if not any(row.needs_solving for row in rows):
        assert section.strip() == "\n".join(generate.published_rows(name, rows)).strip()
    told = [line.split(" | ") for line in section.splitlines() if line.startswith("| `")]
    assert [(line[4], line[5], line[6].startswith("differs")) for line in told] == [
        (row.printed, row.source, bool(row.note)) for row in rows
    ]
