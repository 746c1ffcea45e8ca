"""A PAR sheet of every game: all sections, every total closes, every figure the analysis'."""

import json
from dataclasses import replace
from fractions import Fraction
from math import sqrt

import pytest

from croupier.analysis import analyze
from croupier.games import find_game, registry
from croupier.par.document import Column, Plot, Section, Table, Text
from croupier.par.identity import config_hash, rules_hash, tables_hash
from croupier.par.sheet import close, sheet
from tests.par.made import NOON, about, made, row, table

SECTIONS = (
    "identity", "summary", "rules", "method", "outcomes", "strategy", "composite", "volatility",
    "progressive", "sensitivity", "protection", "operations", "verification", "compliance",
    "definitions", "appendix",
)  # fmt: skip

QUICKLY_COUNTED = [
    id for id, game in registry().items() if game.family != "poker" or id == "three-card-poker"
]


@pytest.mark.parametrize("game", registry())
def test_every_game_has_every_section_and_every_total_closes(game: str) -> None:
    found = made(game)
    assert tuple(section.id for section in found.sections) == SECTIONS
    assert all(section.blocks for section in found.sections)
    close(found.sections)
    tables = {b.id for s in found.sections for b in s.blocks if isinstance(b, Table)}
    assert {"identity", "options", "sign_off", "summary", "counted", "moments"} <= tables
    for section in found.sections:
        here = {block.id: block for block in section.blocks if isinstance(block, Table)}
        for block in section.blocks:
            if isinstance(block, Plot):
                columns = {column.id for column in here[block.table].columns}
                bands = {each for band in block.bands for each in band}
                assert {block.x, *block.y, *bands} <= columns
                assert block.by in ("", *columns)
    json.dumps(found.as_json())


@pytest.mark.parametrize("game", QUICKLY_COUNTED)
def test_the_summary_is_what_the_analysis_says(game: str) -> None:
    summary = table(made(game), "summary")
    reports = analyze(find_game(game), find_game(game).options())
    assert summary.column("label") == [report.label for report in reports]
    for report in reports:
        shown = next(each for each in summary.rows if each[1] == report.label)
        assert shown[3:9] == (
            report.hit_frequency, report.push_frequency, report.house_edge, report.house_edge,
            report.element_of_risk, 1 - report.element_of_risk,
        )  # fmt: skip
        assert shown[10] == report.standard_deviation


@pytest.mark.parametrize("game", registry())
def test_outcomes_add_up_to_the_edge(game: str) -> None:
    found = made(game)
    for block in found.section("outcomes").blocks:
        if isinstance(block, Table) and block.id.startswith("outcomes_"):
            assert set(block.closes) >= {"probability", "return", "variance"}
            assert sum(map(Fraction, map(str, block.column("probability")))) == 1


def test_a_total_that_does_not_close_is_an_error() -> None:
    good = Table(
        "t", "", (Column("n", "", "count", total=True),), ((1,), (2,)), closes={"n": 3}
    )  # fmt: skip
    close([Section("s", "", (good,))])
    with pytest.raises(AssertionError, match="comes to 3, not to 4"):
        close([Section("s", "", (replace(good, closes={"n": 4}),))])
    with pytest.raises(AssertionError, match="two tables"):
        close([Section("s", "", (good, good))])


# Three games by hand.


def test_roulette_a_straight_wager() -> None:
    """One number of 38 at 35 to 1."""
    shown = row(table(made("roulette"), "outcomes_straight"), "win")
    assert (shown["net"], shown["combinations"]) == (35, 1)
    assert shown["probability"] == Fraction(1, 38)
    assert shown["return"] == Fraction(35, 38)
    summed_up = row(table(made("roulette"), "summary"), "Straight")
    assert summed_up["exact"] == Fraction(2, 38)
    variance = Fraction(35**2 + 37, 38) - Fraction(2, 38) ** 2
    assert summed_up["deviation"] == pytest.approx(sqrt(variance))
    assert summed_up["n0"] == pytest.approx(float(variance) / (2 / 38) ** 2)
    assert summed_up["index_90"] == pytest.approx(1.6448536 * sqrt(variance))
    assert row(table(made("roulette"), "moments"), "straight")["variance"] == variance
    skewness = (Fraction(1, 38) * Fraction(35 * 38 + 2, 38) ** 3
                + Fraction(37, 38) * Fraction(-38 + 2, 38) ** 3) / variance  # fmt: skip
    moments = row(table(made("roulette"), "moments"), "straight")
    assert moments["skewness"] == pytest.approx(float(skewness) / sqrt(variance))


def test_craps_a_pass_wager() -> None:
    """244 of 495, after 557/165 throws."""
    found = made("craps")
    shown = row(table(found, "outcomes_pass"), "win")
    assert (shown["combinations"], shown["probability"]) == (244, Fraction(244, 495))
    assert table(found, "outcomes_pass").closes["combinations"] == 495
    assert row(table(found, "summary"), "Pass")["exact"] == Fraction(7, 495)
    earned = row(table(found, "theoretical"), "pass")
    assert earned["outcomes"] == pytest.approx(557 / 165)
    # 100 throws an hour at $5: 100 / (557/165) decisions, of which each loses 7/495 of it.
    assert earned["win_least"] == round(500 * 100 / (557 / 165) * 7 / 495)
    field = table(found, "outcomes_field")
    won = [each[2] for each in field.rows if float(str(each[1])) > 0]
    assert sum(int(str(ways)) for ways in won) == 16  # 2, 3, 4, 9, 10, 11 and 12


def test_three_card_poker_pair_plus() -> None:
    """22,100 hands: 48 straight flushes, 52 threes, 720 straights, 1,096 flushes, 3,744 pairs."""
    found = table(made("three-card-poker"), "outcomes_pair_plus")
    counts = dict(zip(found.column("event"), found.column("combinations"), strict=True))
    assert counts == {
        "straight flush": 48, "three of a kind": 52, "straight": 720, "flush": 1096, "pair": 3744,
        "lose": 16440,
    }  # fmt: skip
    won = 48 * 40 + 52 * 30 + 720 * 6 + 1096 * 4 + 3744
    assert found.closes["return"] == Fraction(won - 16440, 22100)
    assert row(table(made("three-card-poker"), "summary"), "Pair plus")["exact"] == Fraction(
        16440 - won, 22100
    )


# Who, what and when.


def test_hashes_change_with_what_they_are_of() -> None:
    american = about("roulette")
    french = about("roulette", {"wheel": "single_zero"})
    assert config_hash(american) != config_hash(french)
    assert config_hash(american) == config_hash(about("roulette"))
    assert rules_hash(american) == rules_hash(french) != rules_hash(about("big-six"))
    found = made("roulette")
    assert found.identity["config_hash"] == config_hash(american)
    hashed = [*found.sections[1:-1], replace(found.sections[-1], blocks=())]
    assert found.identity["tables_hash"] == tables_hash(hashed)
    outcomes = found.section("outcomes")
    assert tables_hash([outcomes]) != tables_hash([replace(outcomes, blocks=outcomes.blocks[:2])])


def test_identity_says_who_made_it_and_when() -> None:
    told = made("big-six").identity
    assert told["author"] == "A. N. Author"
    assert told["generated_at"] == NOON.isoformat()
    assert told["citation"] == "19:47-5.5"
    assert told["options"]["table_min"] == 100


def test_options_that_are_not_the_default_are_marked_and_repeated() -> None:
    game = find_game("roulette")
    given = {"wheel": "single_zero", "color_wagers": ["seven_numbers_color"]}
    found = sheet(game, game.options(given), sensitivity_budget=0)
    assert row(table(found, "options"), "wheel")["is_default"] == "no: double_zero"
    assert row(table(found, "options"), "five_adjacent_offered")["is_default"] == "yes"
    (how,) = (block for block in found.section("appendix").blocks if isinstance(block, Text))
    again = "croupier par roulette --set wheel=single_zero --set color_wagers=seven_numbers_color"
    assert any(line.endswith(again) for line in how.lines)
    assert row(table(found, "summary"), "Straight")["exact"] == Fraction(1, 37)
