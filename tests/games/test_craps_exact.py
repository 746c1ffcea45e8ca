"""Craps: what every wager is worth, by two paths that know nothing of each other.

The closed forms here are counted from the ways of throwing two dice. Wagers of
one roll are also played through every throw, and the others by chance.
"""

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import pytest

from croupier.analysis import WagerReport, analyze
from croupier.games import find_game
from tests.support import edge_through_rounds

THROWS = [first + second for first, second in product(range(1, 7), repeat=2)]
WAYS = {total: THROWS.count(total) for total in range(2, 13)}
POINTS = (4, 5, 6, 8, 9, 10)
SEVEN = WAYS[7]
FIRE = {"fire_bet_offered": True}


def report(
    label: str, options: Mapping[str, Any] | None = None, game: str = "craps"
) -> WagerReport:
    rules = find_game(game)
    (found,) = analyze(rules, rules.options(options), [label])
    return found


def chance(*totals: int) -> Fraction:
    return Fraction(sum(WAYS[total] for total in totals), 36)


def before_seven(number: int) -> Fraction:
    """The chance that a number comes before a 7."""
    return Fraction(WAYS[number], WAYS[number] + SEVEN)


# Line and come wagers: 1.2(a)1 to 4.

RIGHT_WINS = chance(7, 11) + sum(chance(p) * before_seven(p) for p in POINTS)
WRONG_WINS = chance(2, 3) + sum(chance(p) * (1 - before_seven(p)) for p in POINTS)


@pytest.mark.cites("1.2(a)1", "1.2(a)3")
@pytest.mark.parametrize("wager", ["pass", "come"])
def test_pass_and_come_lose_7_in_495(wager: str) -> None:
    found = report(wager)
    assert found.hit_frequency == RIGHT_WINS == Fraction(244, 495)
    assert found.push_frequency == 0
    assert found.house_edge == (1 - RIGHT_WINS) - RIGHT_WINS == Fraction(7, 495)


@pytest.mark.cites("1.2(a)2", "1.2(a)4")
@pytest.mark.parametrize("wager", ["dont_pass", "dont_come"])
def test_dont_pass_and_dont_come_lose_3_in_220_with_the_12_void(wager: str) -> None:
    void = chance(12)
    found = report(wager)
    assert found.hit_frequency == WRONG_WINS
    assert found.push_frequency == void
    assert found.house_edge == (1 - void - WRONG_WINS) - WRONG_WINS == Fraction(3, 220)


# Numbers against the 7: 1.2(a)5 and 6, 1.5.

TO_WIN = {4: Fraction(9, 5), 5: Fraction(7, 5), 6: Fraction(7, 6)}
TO_LOSE = {4: Fraction(5, 11), 5: Fraction(5, 8), 6: Fraction(4, 5)}
TRUE = {4: Fraction(2), 5: Fraction(3, 2), 6: Fraction(6, 5)}


def mirrored(number: int) -> int:
    """10 comes as often as 4, 9 as 5, 8 as 6."""
    return min(number, 14 - number)


@pytest.mark.cites("1.2(a)5", "1.4")
@pytest.mark.parametrize(
    ("number", "edge"),
    [
        (4, Fraction(1, 15)),
        (5, Fraction(1, 25)),
        (6, Fraction(1, 66)),
        (8, Fraction(1, 66)),
        (9, Fraction(1, 25)),
        (10, Fraction(1, 15)),
    ],
)
def test_the_edge_of_place_bets_to_win(number: int, edge: Fraction) -> None:
    wins = before_seven(number)
    found = report(f"place_win_{number}")
    assert found.hit_frequency == wins
    assert found.house_edge == (1 - wins) - wins * TO_WIN[mirrored(number)] == edge


@pytest.mark.cites("1.2(a)6", "1.4")
@pytest.mark.parametrize(
    ("number", "edge"),
    [
        (4, Fraction(1, 33)),
        (5, Fraction(1, 40)),
        (6, Fraction(1, 55)),
        (8, Fraction(1, 55)),
        (9, Fraction(1, 40)),
        (10, Fraction(1, 33)),
    ],
)
def test_the_edge_of_place_bets_to_lose(number: int, edge: Fraction) -> None:
    wins = 1 - before_seven(number)
    found = report(f"place_lose_{number}")
    assert found.hit_frequency == wins
    assert found.house_edge == (1 - wins) - wins * TO_LOSE[mirrored(number)] == edge


@pytest.mark.cites("1.5")
@pytest.mark.parametrize("number", POINTS)
def test_buy_and_lay_bets_are_fair_because_there_is_no_vigorish(number: int) -> None:
    wins, odds = before_seven(number), TRUE[mirrored(number)]
    assert (1 - wins) - wins * odds == 0
    assert wins - (1 - wins) / odds == 0
    bought, laid = report(f"buy_{number}"), report(f"lay_{number}")
    assert bought.house_edge == laid.house_edge == 0
    assert bought.hit_frequency == wins
    assert laid.hit_frequency == 1 - wins


@pytest.mark.cites("1.6")
@pytest.mark.parametrize("odds", ["pass_odds", "dont_pass_odds", "come_odds", "dont_come_odds"])
@pytest.mark.parametrize("multiple", ["1x", "2x", "3-4-5x", "5x", "10x", "20x", "100x"])
def test_odds_are_fair_whatever_their_limit(odds: str, multiple: str) -> None:
    assert report(odds, {"odds_multiple": multiple}).house_edge == 0


@pytest.mark.cites("1.6")
def test_odds_behind_the_line_win_as_often_as_their_points_come_before_a_7() -> None:
    points = chance(*POINTS)
    taken = sum(chance(p) * before_seven(p) for p in POINTS) / points
    assert report("pass_odds").hit_frequency == taken
    assert report("dont_pass_odds").hit_frequency == 1 - taken
    assert report("dont_come_odds").hit_frequency == 1 - taken


@pytest.mark.cites("1.6")
@pytest.mark.parametrize("number", POINTS)
def test_odds_behind_a_come_wager_on_one_number_are_fair(number: int) -> None:
    """Returned odds on come out rolls make them neither better nor worse."""
    taken, laid = report(f"come_odds:{number}"), report(f"dont_come_odds:{number}")
    assert taken.house_edge == laid.house_edge == 0
    assert taken.push_frequency > 0
    assert laid.push_frequency == 0
    decided = 1 - taken.push_frequency
    assert taken.hit_frequency / decided == before_seven(number)


# The hard ways: 1.2(a)7 to 10.


@pytest.mark.cites("1.2(a)7", "1.2(a)8", "1.2(a)9", "1.2(a)10", "1.4")
@pytest.mark.parametrize(
    ("number", "odds", "edge"),
    [
        (4, 7, Fraction(1, 9)),
        (6, 9, Fraction(1, 11)),
        (8, 9, Fraction(1, 11)),
        (10, 7, Fraction(1, 9)),
    ],
)
def test_the_edge_of_the_hardways(number: int, odds: int, edge: Fraction) -> None:
    """One way wins; the other ways of the number and the six of a 7 lose."""
    wins = Fraction(1, WAYS[number] + SEVEN)
    found = report(f"hard_{number}")
    assert found.hit_frequency == wins
    assert found.house_edge == (1 - wins) - wins * odds == edge


# One roll: 1.2(a)11 to 19.

Paid = dict[int, Fraction | int]
ONE_ROLL: dict[str, Paid] = {
    "field": {2: 2, 3: 1, 4: 1, 9: 1, 10: 1, 11: 1, 12: 2},
    "any_seven": {7: 4},
    "any_craps": {2: 7, 3: 7, 12: 7},
    "craps_two": {2: 30},
    "craps_three": {3: 15},
    "craps_twelve": {12: 30},
    "eleven": {11: 15},
    "craps_eleven": {2: 3, 3: 3, 12: 3, 11: 7},
}
PUBLISHED = {
    "field": Fraction(1, 18),
    "any_seven": Fraction(1, 6),
    "any_craps": Fraction(1, 9),
    "craps_two": Fraction(5, 36),
    "craps_three": Fraction(1, 9),
    "craps_twelve": Fraction(5, 36),
    "eleven": Fraction(1, 9),
    "craps_eleven": Fraction(1, 9),
    "horn": Fraction(1, 8),
    "horn_high_2": Fraction(23, 180),
    "horn_high_3": Fraction(11, 90),
    "horn_high_11": Fraction(11, 90),
    "horn_high_12": Fraction(23, 180),
}


def horn(high: int | None = None) -> Paid:
    """One part on each number and one more on the high one; the parts that do not win are lost."""
    parts = {number: 2 if number == high else 1 for number in (2, 3, 11, 12)}
    whole = sum(parts.values())
    single = {2: 30, 3: 15, 11: 15, 12: 30}
    return {
        number: Fraction(part * single[number] - (whole - part), whole)
        for number, part in parts.items()
    }


ONE_ROLL |= {"horn": horn(), **{f"horn_high_{n}": horn(n) for n in (2, 3, 11, 12)}}


def one_roll_edge(paid: Mapping[int, Fraction | int]) -> Fraction:
    return -sum((chance(total) * paid.get(total, -1) for total in WAYS), Fraction(0))


@pytest.mark.cites("1.2(a)11", "1.2(a)12", "1.2(a)13", "1.2(a)14", "1.2(a)15", "1.2(a)16",
                   "1.2(a)17", "1.2(a)18", "1.2(a)19", "1.4", "1.4(d)")  # fmt: skip
@pytest.mark.parametrize("wager", ONE_ROLL)
def test_the_edge_of_a_one_roll_wager_is_counted_from_its_ways(wager: str) -> None:
    found = report(wager)
    assert found.house_edge == one_roll_edge(ONE_ROLL[wager]) == PUBLISHED[wager]
    assert found.hit_frequency == chance(*ONE_ROLL[wager])


@pytest.mark.parametrize("wager", ONE_ROLL)
@pytest.mark.parametrize("before", [(), ([1, 3],)])
def test_the_edge_of_a_one_roll_wager_is_that_of_every_throw_played_as_a_round(
    wager: str, before: tuple[list[int], ...]
) -> None:
    """On a come out roll, and with a point on."""
    assert edge_through_rounds("craps", wager, before=before) == report(wager).house_edge


@pytest.mark.cites("1.4")
@pytest.mark.parametrize(
    ("option", "two", "twelve", "edge"),
    [
        ("2_to_1", 2, 2, Fraction(1, 18)),
        ("3_to_1_on_2", 3, 2, Fraction(1, 36)),
        ("3_to_1_on_12", 2, 3, Fraction(1, 36)),
        ("3_to_1", 3, 3, Fraction(0)),
    ],
)
def test_the_edge_of_the_field_by_what_the_licensee_pays_on_2_and_12(
    option: str, two: int, twelve: int, edge: Fraction
) -> None:
    options = {"field_2_12": option}
    paid = ONE_ROLL["field"] | {2: two, 12: twelve}
    assert report("field", options).house_edge == one_roll_edge(paid) == edge
    assert edge_through_rounds("craps", "field", options) == edge


@cache
def plain_edges() -> dict[str, Fraction]:
    rules = find_game("craps")
    return {each.label: each.house_edge for each in analyze(rules, rules.options())}


@pytest.mark.cites("1.4")
@pytest.mark.parametrize(
    ("wager", "odds", "edge"),
    [
        ("any_seven", {"any_seven": "5 to 1"}, Fraction(0)),
        ("craps_twelve", {"craps_twelve": "31 to 1"}, Fraction(1, 9)),
        ("hard_4", {"hard_4": "8 to 1"}, Fraction(0)),
        ("field", {"field.twelve": "4 to 1"}, Fraction(0)),
        ("place_win_4", {"place_win_4": "2 to 1"}, Fraction(0)),
    ],
)
def test_better_odds_change_the_edge_of_their_own_wager_and_of_no_other(
    wager: str, odds: dict[str, str], edge: Fraction
) -> None:
    rules = find_game("craps")
    options = rules.options({"higher_odds": odds})
    better = {each.label: each.house_edge for each in analyze(rules, options)}
    assert better == plain_edges() | {wager: edge}


# The fire bet: 1.12.

FIRE_TABLES = {"A": {4: 24, 5: 249, 6: 999}, "B": {4: 10, 5: 200, 6: 2000}}


@cache
def points_made(made: frozenset[int] = frozenset()) -> Mapping[int, Fraction]:
    """The chance of each number of different points at the end, with these made already.

    A cycle begins with a come out roll that sets a point; those that set none change
    nothing. It ends with the point made or a seven-out. A point made again leaves the
    set as it is, so the chance of such cycles divides the rest.
    """
    if len(made) == len(POINTS):
        return {len(made): Fraction(1)}
    ends: dict[int, Fraction] = {}
    again = Fraction(0)
    for point in POINTS:
        is_set = chance(point) / chance(*POINTS)
        comes = is_set * before_seven(point)
        ends[len(made)] = ends.get(len(made), Fraction(0)) + is_set - comes
        if point in made:
            again += comes
            continue
        for count, then in points_made(made | {point}).items():
            ends[count] = ends.get(count, Fraction(0)) + comes * then
    return {count: share / (1 - again) for count, share in ends.items()}


@pytest.mark.cites("1.12")
@pytest.mark.parametrize("table", FIRE_TABLES)
def test_the_fire_bet_is_worth_what_a_count_of_the_points_made_says(table: str) -> None:
    made, pays = points_made(), FIRE_TABLES[table]
    assert sum(made.values()) == 1
    found = report("fire_bet", FIRE | {"fire_bet_table": table})
    told = {outcome.net: outcome.probability for outcome in found.outcomes}
    assert told == {
        **{Fraction(pays[count]): made[count] for count in (4, 5, 6)},
        Fraction(-1): sum(made[count] for count in range(4)),
    }
    assert found.house_edge == -sum(made[count] * pays.get(count, -1) for count in made)


@pytest.mark.cites("1.12")
def test_the_limits_of_the_fire_bet_do_not_change_what_it_is_worth() -> None:
    limits = FIRE | {"fire_bet_limits": "200-10000"}
    assert report("fire_bet", limits).outcomes == report("fire_bet", FIRE).outcomes


# What holds for every wager.


def test_every_table_of_outcomes_closes_to_one() -> None:
    rules = find_game("craps")
    reports = analyze(rules, rules.options(FIRE))
    reports += [report("field", {"field_2_12": paid}) for paid in ("3_to_1", "3_to_1_on_2")]
    reports.append(report("fire_bet", FIRE | {"fire_bet_table": "B"}))
    for each in reports:
        assert sum(outcome.probability for outcome in each.outcomes) == 1, each.label
        assert all(outcome.probability > 0 for outcome in each.outcomes), each.label


def test_every_wager_offered_is_analyzed_and_no_other() -> None:
    rules = find_game("craps")
    options = rules.options({"true_odds_place_bets": "not_offered", "horn_high_offered": False})
    labels = {each.label for each in analyze(rules, options)}
    assert labels == {wager.id for wager in rules.offered(options)}
    assert not [label for label in labels if label.startswith(("buy", "lay", "horn_high"))]
    assert "fire_bet" not in labels


@pytest.mark.cites("1.2(a)")
def test_mini_craps_has_the_figures_of_craps() -> None:
    craps, mini = find_game("craps"), find_game("mini-craps")
    figures = {each.label: each.outcomes for each in analyze(craps, craps.options(FIRE))}
    assert {each.label: each.outcomes for each in analyze(mini, mini.options(FIRE))} == figures
