"""Options tried, cards removed, jackpots that grow, and figures beside others."""

from fractions import Fraction
from typing import Any

import pytest

from croupier.analysis import analyze
from croupier.equipment import Card, deck
from croupier.games import find_game
from croupier.par.compliance import compliance
from croupier.par.composite import composite
from croupier.par.document import Section, Table, Text
from croupier.par.progressive import jackpot, least_break_even, progressive
from croupier.par.protection import protection
from croupier.par.sensitivity import sensitivity
from croupier.par.sheet import sheet
from croupier.par.verification import verification
from tests.par.made import about, made, row, table

SPINS = {"bonus_spin_table": "S1", "bonus_spin_weights": "1,500,1,1,1,1,1,1,500,1,1,1"}


def tables(section: Section) -> dict[str, Table]:
    return {block.id: block for block in section.blocks if isinstance(block, Table)}


def texts(section: Section) -> str:
    return " ".join(
        line for block in section.blocks if isinstance(block, Text) for line in block.lines
    )


def rows(table: Table) -> list[dict[str, Any]]:
    names = [column.id for column in table.columns]
    return [dict(zip(names, each, strict=True)) for each in table.rows]


# Progressive jackpots.


def test_a_bonus_spin_breaks_even_where_the_analysis_says_it_does() -> None:
    subject = about("premium-hold-em", SPINS, ("player_bonus", "bonus_spin"))
    found = jackpot(subject)
    assert found is not None
    assert (found.label, found.stake, int(found.first)) == ("bonus_spin", 500, 1_000_000)
    assert (found.rate, found.reserve) == (Fraction(7, 100), Fraction(0))
    assert found.whole == Fraction(1144, 22_100) * Fraction(1, 1010)
    paid = {
        2: 40,
        3: 100,
        4: 5000,
        5: 50,
        6: 250,
        7: 2500,
        8: 60,
        9: 40,
        10: 1000,
        11: 100,
        12: 500,
    }
    spun = sum((500 if at in (2, 9) else 1) * pays for at, pays in paid.items())
    prizes = Fraction(1144, 22_100) * Fraction(spun, 1010) / 5
    own = 10_000 * found.whole / 5
    assert found.long_run == 1 - prizes - Fraction(7, 100) - own
    assert found.edge_at_first == subject.by_label["bonus_spin"].house_edge > 0
    fair = least_break_even(subject, found)
    assert fair is not None
    edges = [
        analyze(subject.game, subject.options, ["bonus_spin"], meter=cents)[0].house_edge
        for cents in (fair - 1, fair)
    ]
    assert edges[0] > 0 >= edges[1]
    assert fair - 1 < found.break_even <= fair
    shown = rows(tables(progressive(subject))["edge_by_meter"])
    assert {"meter": fair, "edge": edges[1]}.items() <= next(
        each for each in shown if each["meter"] == fair
    ).items()


def test_caribbean_stud_breaks_even_at_its_meter() -> None:
    """The least meter of the sheet at which there is no edge, and a cent less."""
    sheet_of_it, game = made("caribbean-stud-poker"), find_game("caribbean-stud-poker")
    shown = rows(table(sheet_of_it, "edge_by_meter"))
    fair = min(each["meter"] for each in shown if each["edge"] <= 0)
    (before,) = analyze(game, game.options(), ["progressive"], meter=fair - 1)
    assert before.house_edge > 0
    prizes = {each["line"]: each["share"] for each in rows(table(sheet_of_it, "meter_prizes"))}
    assert prizes == {"royal flush": 1, "straight flush": Fraction(1, 10)}
    facts = table(sheet_of_it, "jackpot")
    assert row(facts, "a wager adds to the meter")["exact"] == Fraction(7, 10)
    assert row(facts, "chance of the whole meter")["exact"] == Fraction(4, 2_598_960)
    assert fair == 100 * row(facts, "least whole cents at which the edge is gone")["exact"]


def test_a_table_without_a_jackpot_says_so() -> None:
    assert texts(progressive(about("roulette"))) == (
        "This table of Roulette offers no progressive wager."
    )


# Options.


def test_options_of_roulette_by_trying_them() -> None:
    subject = about("roulette")
    section = sensitivity(subject)
    found = tables(section)
    wheels = {
        (each["value"], each["wager"]): each["edge"] for each in rows(found["option_wheel"])
    }  # fmt: skip
    assert wheels["double_zero (this table)", "straight"] == Fraction(1, 19)
    assert wheels["single_zero", "straight"] == Fraction(1, 37)
    zero = {(e["value"], e["wager"]): e["change"] for e in rows(found["option_zero_rule_double"])}
    assert zero["full_loss", "red"] == Fraction(1, 38)
    seven = rows(found["option_seven_numbers_offered"])
    assert [each["wager"] for each in seven] == ["seven_numbers"]
    grid = {
        (e["first"], e["second"]): e["edge"] for e in rows(found["grid_wheel_zero_rule_double"])
    }
    assert grid["double_zero", "full_loss"] == Fraction(1, 19)
    assert grid["double_zero", "half_loss"] == Fraction(1, 38)
    assert "table_min" in texts(section)


def test_options_of_three_card_poker_beside_the_option_that_offers_the_wager() -> None:
    section = sensitivity(about("three-card-poker"))
    found = tables(section)
    ledgers = {each["value"]: each["edge"] for each in rows(found["option_pair_plus_ledger"])}
    assert ledgers["C"] == Fraction(402, 5525)
    six = {each["value"]: each["edge"] for each in rows(found["option_six_card_schedule"])}
    offered = find_game("three-card-poker").options(
        {"offer_six_card_bonus": True, "six_card_schedule": "S2"}
    )
    (other,) = analyze(find_game("three-card-poker"), offered, ["six_card_bonus"])
    assert six["S2, offer_six_card_bonus = yes"] == other.house_edge
    assert "deal_method" in texts(section)
    assert "ante_bonus_table = alternative: not lawful" in texts(section)


def test_without_time_nothing_is_tried_and_that_is_said() -> None:
    section = sensitivity(about("roulette", seconds=0))
    assert not tables(section)
    assert "zero_rule_double = full_loss: left out" in texts(section)


# Cards.


def test_effect_of_removal_is_what_a_shoe_without_the_card_is_worth() -> None:
    found, game = tables(made("red-dog").section("protection")), find_game("red-dog")
    (full,) = analyze(game, game.options())
    removal = rows(found["removal"])
    assert len(removal) == 13
    shoe = [*deck()] * 6
    shoe.remove(Card.parse("Ah"))
    (without,) = analyze(game, game.options(), shoe=shoe)
    ace = next(each for each in removal if each["rank"] == "A")
    assert ace["effect_0"] == without.house_edge - full.house_edge
    # A middle card that is gone helps less between; the effects of all cards nearly cancel.
    assert abs(sum(float(each["effect_0"]) for each in removal)) < 1e-4
    depth = rows(found["depth"])
    assert [each["left"] for each in depth] == [52, 104, 208, 312]
    assert depth[-1]["edge_0"] == full.house_edge


def test_wagers_of_one_shoe_together() -> None:
    """Banker and player never win together: what is left of the two is the vigorish."""
    subject = about("baccarat-punto-banco")
    both = row(tables(composite(subject))["composite"], "banker and player")
    chances = {o.result: o.probability for o in subject.by_label["player"].outcomes}
    mean = -subject.main.house_edge * -subject.by_label["player"].house_edge
    product = -Fraction(19, 20) * chances["lose"] - chances["win"]
    assert both["covariance"] == product - mean


def test_a_pack_that_is_shuffled_every_round_cannot_be_counted() -> None:
    section = protection(about("three-card-poker", labels=("pair_plus",)))
    assert "nothing to count" in texts(section)
    assert "18 more of 49 unseen" in texts(section)


def test_the_bias_that_makes_a_wager_fair_does() -> None:
    bias = row(tables(protection(about("roulette")))["bias"], "Straight (straight)")
    assert bias["needed"] == Fraction(1, 36)


# Law, and other figures.


def test_better_odds_pass_and_are_shown_beside_the_minimum() -> None:
    section = compliance(about("craps", {"higher_odds": "any_seven: 5 to 1"}))
    shown = next(e for e in rows(tables(section)["odds"]) if e["wager"] == "Any seven")
    assert (shown["least"], shown["pays"], shown["verdict"]) == (
        "at least 4 to 1",
        "5 to 1",
        "pass",
    )


def test_odds_below_the_minimum_fail() -> None:
    game = find_game("craps")
    options, _ = game.what_if({"higher_odds": "any_seven: 3 to 1"})
    subject = about("craps")
    low = type(subject)(game, options, subject.reports)
    section = compliance(low)
    shown = next(e for e in rows(tables(section)["odds"]) if e["wager"] == "Any seven")
    assert shown["verdict"] == "fail"
    assert texts(section).startswith("This table may not be opened:")


def test_a_cap_on_the_advantage_is_checked() -> None:
    section = compliance(about("keno", {"house_advantage_cap": "1/3"}))
    caps = rows(tables(section)["caps"])
    assert {each["verdict"] for each in caps} == {"pass"}
    assert {each["cap"] for each in caps} == {Fraction(1, 3)}


def test_a_simulation_is_judged_by_its_standard_error() -> None:
    subject = about("roulette", labels=("straight", "red"))
    simulated = {"straight": (10**6, 0.0530, 0.0058), "red": (10**6, 0.0400, 0.0010)}
    section = verification(subject, simulated, 10**6, 7, "a generator")
    shown = {each["wager"]: each for each in rows(tables(section)["simulated"])}
    assert shown["straight"]["verdict"] == "agrees"
    assert shown["straight"]["z"] == pytest.approx((0.0530 - 2 / 38) / 0.0058)
    assert shown["red"]["verdict"] == "differs"
    assert "from seed 7 by a generator" in texts(section)


def test_rounds_that_are_asked_for_are_dealt() -> None:
    game = find_game("big-six")
    found = sheet(game, game.options(), rounds=2_000, seed=5, sensitivity_budget=0)
    shown = rows(tables(found.section("verification"))["simulated"])
    assert {each["wager"] for each in shown} == {wager.id for wager in game.wagers}
    assert {each["verdict"] for each in shown} == {"agrees"}
    assert all(each["decided"] == 2_000 for each in shown)


def test_published_figures_are_compared() -> None:
    shown = rows(tables(verification(about("roulette"), None, 0, 1, ""))["published"])
    assert shown
    assert all(each["source"] and each["printed"] for each in shown)
    assert all(each["verdict"] == "agrees" or each["note"] for each in shown)


def test_a_simulation_is_shown_on_its_way_to_the_figure_that_is_compared() -> None:
    game = find_game("big-six")
    told = sheet(game, game.options(), rounds=20_000, seed=47, sensitivity_budget=0)
    compared, way = table(told, "simulated"), table(told, "way_one")
    assert way.column("estimate")[-1] == pytest.approx(row(compared, "one")["estimate"])
    assert way.column("decided")[-1] == row(compared, "one")["decided"] == 20_000
    assert {*compared.column("verdict")} == {"agrees"}
