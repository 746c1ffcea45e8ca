"""Roulette, N.J.A.C. 19:47-5.1 to 5.4.

The wheels, the layout and the color sections are written out here once more, from the
rule sheet, so that a slip in the game's own tables is seen.
"""

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import Any

import pytest

from croupier.analysis import WagerReport, analyze
from croupier.games import find_game
from croupier.rulebook import HOUSE, LAYOUT, Fault, Play, Refusal, Table
from tests.support import (
    Told,
    cited,
    deal,
    edge_through_rounds,
    everything,
    refused,
    says,
    turned_away,
    unlawful,
)

ROULETTE = find_game("roulette")

DOUBLE, SINGLE, AS_SINGLE = "double_zero", "single_zero", "double_zero_as_single"
WHEELS = (DOUBLE, SINGLE, AS_SINGLE)
ONE_ZERO = (SINGLE, AS_SINGLE)
EVEN_MONEY = ("red", "black", "odd", "even", "low_1_18", "high_19_36")
SIX, SEVEN, EIGHT = "six_numbers_color", "seven_numbers_color", "eight_numbers_color"
OPTIONAL = {"five_adjacent_offered": True, "seven_numbers_offered": True}
LIMITS = "8.2 (customary)"

RED = set("1 3 5 7 9 12 14 16 18 19 21 23 25 27 30 32 34 36".split())
NUMBERS = {str(number) for number in range(1, 37)}

DOUBLE_RIM = (
    "0 28 9 26 30 11 7 20 32 17 5 22 34 15 3 24 36 13 1 00 27 10 25 29 12 8 19 31 18 6 21 33 "
    "16 4 23 35 14 2"
).split()
SINGLE_RIM = (
    "0 32 15 19 4 21 2 25 17 34 6 27 13 36 11 30 8 23 10 5 24 16 33 1 20 14 31 9 22 18 29 7 28 "
    "12 35 3 26"
).split()
RIM = {
    DOUBLE: DOUBLE_RIM,
    SINGLE: SINGLE_RIM,
    AS_SINGLE: [stop for stop in DOUBLE_RIM if stop != "00"],
}

DOUBLE_SECTIONS = {
    "black": "28 9 26 30 11 7",
    "blue": "20 32 17 5 22 34",
    "gold": "15 3 24 36 13 1",
    "red": "27 10 25 29 12 8",
    "purple": "19 31 18 6 21 33",
    "green": "16 4 23 35 14 2",
}
SINGLE_SECTIONS = {
    "black": "32 15 19 4 21 2",
    "blue": "25 17 34 6 27 13",
    "gold": "36 11 30 8 23 10",
    "red": "5 24 16 33 1 20",
    "purple": "14 31 9 22 18 29",
    "green": "7 28 12 35 3 26",
}

# Every set of options under which other wagers are offered or other rules hold, with the
# house edge of each wager it offers, worked out by hand: n numbers at 36/n - 1 to 1 return
# 36 of 38 or of 37 units.
PLAIN_EDGES: dict[str, Fraction] = {
    **dict.fromkeys("straight split three_numbers four_numbers".split(), Fraction(1, 19)),
    "first_five_numbers": Fraction(3, 38),
    **dict.fromkeys("six_numbers column dozen".split(), Fraction(1, 19)),
    **dict.fromkeys(EVEN_MONEY, Fraction(1, 38)),
}
DOUBLE_EDGES = PLAIN_EDGES | {
    "seven_numbers": Fraction(3, 38),
    "five_adjacent_numbers": Fraction(1, 19),
}
SINGLE_EDGES = {
    wager: Fraction(2 if wager == "seven_numbers" else 1, 37)
    for wager in DOUBLE_EDGES
    if wager != "first_five_numbers"
}
BESIDE_COLORS = [wager for wager in PLAIN_EDGES if wager not in ("dozen", "red", "black")]
SINGLE_COLOR_EDGES = {
    wager: SINGLE_EDGES[wager] for wager in BESIDE_COLORS if wager in SINGLE_EDGES
}
SINGLE_COLOR_EDGES |= {SIX: Fraction(1, 37), SEVEN: Fraction(2, 37)}
TABLES: dict[str, tuple[dict[str, Any], dict[str, Fraction]]] = {
    "double zero": ({}, PLAIN_EDGES),
    "double zero, half loss": ({**OPTIONAL, "zero_rule_double": "half_loss"}, DOUBLE_EDGES),
    "double zero, full loss": (
        {**OPTIONAL, "zero_rule_double": "full_loss"},
        DOUBLE_EDGES | dict.fromkeys(EVEN_MONEY, Fraction(1, 19)),
    ),
    "double zero, color wagers": (
        {"color_wagers": [SIX, EIGHT]},
        {wager: PLAIN_EDGES[wager] for wager in BESIDE_COLORS}
        | {SIX: Fraction(1, 19), EIGHT: Fraction(3, 19)},
    ),
    "double zero, better odds": (
        {"higher_odds": {"straight": "36 to 1", "column": "21 to 10", "red": "11 to 10"}},
        PLAIN_EDGES
        | {"straight": Fraction(1, 38), "column": Fraction(2, 95), "red": Fraction(-2, 95)},
    ),
    "single zero": ({**OPTIONAL, "wheel": SINGLE}, SINGLE_EDGES),
    "single zero, full loss": (
        {**OPTIONAL, "wheel": SINGLE, "zero_rule_double": "full_loss"},
        SINGLE_EDGES,
    ),
    "single zero, color wagers": (
        {"wheel": SINGLE, "color_wagers": [SIX, SEVEN]},
        SINGLE_COLOR_EDGES,
    ),
    "double zero as single": ({**OPTIONAL, "wheel": AS_SINGLE}, SINGLE_EDGES),
    "double zero as single, color wagers": (
        {"wheel": AS_SINGLE, "color_wagers": [SIX, SEVEN]},
        SINGLE_COLOR_EDGES,
    ),
}
any_table = pytest.mark.parametrize("table", TABLES)

PAYS = {
    "straight": Fraction(35),
    "split": Fraction(17),
    "three_numbers": Fraction(11),
    "four_numbers": Fraction(8),
    "first_five_numbers": Fraction(6),
    "six_numbers": Fraction(5),
    SIX: Fraction(5),
    SEVEN: Fraction(4),
    EIGHT: Fraction(3),
    "seven_numbers": Fraction(4),
    "column": Fraction(2),
    "dozen": Fraction(2),
    **dict.fromkeys(EVEN_MONEY, Fraction(1)),
    "five_adjacent_numbers": Fraction(31, 5),
}


def spots(wager: str, wheel: str = DOUBLE, **options: Any) -> dict[str, frozenset[str]]:
    """The spots of a wager, with the numbers that each covers."""
    table = ROULETTE.options({"wheel": wheel, **options})
    return dict(ROULETTE.by_id[wager].spots(table))


def sets(*rows: str) -> set[frozenset[str]]:
    return {frozenset(row.split()) for row in rows}


def square(number: int) -> tuple[int, int]:
    """The row and the column of the layout in which a number stands."""
    return divmod(number - 1, 3)


def block(rows: range, columns: range) -> frozenset[str]:
    """The numbers in these rows and columns of the layout."""
    there = [n for n in range(1, 37) if square(n)[0] in rows and square(n)[1] in columns]
    return frozenset(map(str, there))


def with_every_wager(options: Mapping[str, Any], stake: int) -> Table:
    """A table on which seat 1 has made every wager that it offers, on every spot."""
    table = Table(ROULETTE, options)
    for opening in list(table.openings("1")):
        table.bet("1", opening.wager.label(opening.spot), stake)
    return table


def play_out(table: Table, stop: str) -> None:
    """A round in which the ball rests here, and nothing is irregular."""
    play = Play(table)
    play.answer(stop)
    play.answer(None)
    assert play.request is None


@cache
def reports(table: str) -> tuple[WagerReport, ...]:
    """The analysis of one of the tables above."""
    return tuple(analyze(ROULETTE, ROULETTE.options(TABLES[table][0])))


def numbers_of(label: str, wheel: str) -> set[str]:
    """The numbers on which a wager wins, by the rule sheet."""
    wager, _, spot = label.partition(":")
    first = int(spot) if spot.isdigit() else 0
    color = set((SINGLE_SECTIONS if wheel == SINGLE else DOUBLE_SECTIONS).get(spot, "").split())
    rim, at = RIM[wheel], RIM[wheel].index(spot) if spot in RIM[wheel] else 0
    named = {
        "first_five_numbers": {"0", "00", "1", "2", "3"},
        SIX: color,
        SEVEN: color | {"0"},
        EIGHT: color | {"0", "00"},
        "seven_numbers": {"10", "11", "12", "13", "14", "15", "33"},
        "column": {n for n in NUMBERS if int(n) % 3 == first % 3},
        "dozen": {n for n in NUMBERS if 12 * first - 12 < int(n) <= 12 * first},
        "red": RED,
        "black": NUMBERS - RED,
        "odd": {n for n in NUMBERS if int(n) % 2 == 1},
        "even": {n for n in NUMBERS if int(n) % 2 == 0},
        "low_1_18": {n for n in NUMBERS if int(n) <= 18},
        "high_19_36": {n for n in NUMBERS if int(n) >= 19},
        "five_adjacent_numbers": {rim[(at + step) % len(rim)] for step in range(-2, 3)},
    }
    return named.get(wager, set(spot.split("-")))


def texts(told: Told, cite: str) -> list[str]:
    """What the dealer said and did under this paragraph, in order."""
    events = told.rounds[-1]["events"]
    return [e["text"] for e in events if cited(e) == cite and "text" in e]


# 5.1: the wagers and the numbers they cover.


@pytest.mark.cites("5.1(e)1")
@pytest.mark.parametrize("wheel", WHEELS)
def test_a_straight_wager_is_on_any_one_number_of_the_wheel(wheel: str) -> None:
    """A straight wager names one number, zeros included (5.1(e)1)."""
    assert set(spots("straight", wheel)) == set(RIM[wheel])
    assert all(covers == {spot} for spot, covers in spots("straight", wheel).items())


@pytest.mark.cites("5.1(e)2")
@pytest.mark.parametrize(
    ("wheel", "zeros"),
    [
        (DOUBLE, sets("0 00", "0 1", "0 2", "00 2", "00 3")),
        (SINGLE, sets("0 1", "0 2", "0 3")),
        (AS_SINGLE, sets("0 1", "0 2", "0 3")),
    ],
)
def test_a_split_is_on_two_numbers_that_touch(wheel: str, zeros: set[frozenset[str]]) -> None:
    """A split joins two neighbors on the layout, a zero and its neighbors too (5.1(e)2)."""
    touching = {
        frozenset({str(a), str(b)})
        for a, b in combinations(range(1, 37), 2)
        if sum(abs(x - y) for x, y in zip(square(a), square(b), strict=True)) == 1
    }
    assert set(spots("split", wheel).values()) == touching | zeros


@pytest.mark.cites("5.1(e)3")
@pytest.mark.parametrize(
    ("wheel", "zeros"),
    [
        (DOUBLE, sets("0 1 2", "0 00 2", "00 2 3")),
        (SINGLE, sets("0 1 2", "0 2 3")),
        (AS_SINGLE, sets("0 1 2", "0 2 3")),
    ],
)
def test_three_numbers_are_a_row_or_three_with_a_zero(
    wheel: str, zeros: set[frozenset[str]]
) -> None:
    """Three numbers are a row of the layout, or a zero with two that touch it (5.1(e)3)."""
    rows = {block(range(row, row + 1), range(3)) for row in range(12)}
    assert set(spots("three_numbers", wheel).values()) == rows | zeros


@pytest.mark.cites("5.1(e)4")
@pytest.mark.parametrize(
    ("wheel", "zeros"),
    [(DOUBLE, set()), (SINGLE, sets("0 1 2 3")), (AS_SINGLE, sets("0 1 2 3"))],
)
def test_four_numbers_are_a_corner(wheel: str, zeros: set[frozenset[str]]) -> None:
    """Four numbers meet in a corner; 0-1-2-3 only where there is one zero (5.1(e)4)."""
    corners = {
        block(range(row, row + 2), range(column, column + 2))
        for row in range(11)
        for column in range(2)
    }
    assert set(spots("four_numbers", wheel).values()) == corners | zeros


@pytest.mark.cites("5.1(e)5")
def test_the_first_five_numbers_are_0_00_1_2_and_3() -> None:
    """The first five numbers have one spot, which needs no name (5.1(e)5)."""
    assert spots("first_five_numbers") == {"": frozenset({"0", "00", "1", "2", "3"})}


@pytest.mark.cites("5.1(e)6")
@pytest.mark.parametrize("wheel", WHEELS)
def test_six_numbers_are_two_rows_that_touch(wheel: str) -> None:
    """Six numbers are two neighboring rows of three (5.1(e)6)."""
    assert set(spots("six_numbers", wheel).values()) == {
        block(range(row, row + 2), range(3)) for row in range(11)
    }


@pytest.mark.cites("5.1(e)9")
def test_a_column_is_twelve_numbers_down_the_layout() -> None:
    """A column holds the 12 numbers of a single column of the layout (5.1(e)9)."""
    assert spots("column") == {
        str(column + 1): block(range(12), range(column, column + 1)) for column in range(3)
    }


@pytest.mark.cites("5.1(e)10")
def test_a_dozen_is_1_to_12_or_13_to_24_or_25_to_36() -> None:
    """A dozen is 12 consecutive numbers (5.1(e)10)."""
    assert spots("dozen") == {
        "1": block(range(4), range(3)),
        "2": block(range(4, 8), range(3)),
        "3": block(range(8, 12), range(3)),
    }


@pytest.mark.parametrize(
    ("wager", "two_zeros", "one_zero"),
    [
        ("straight", 38, 37),
        ("split", 62, 60),
        ("three_numbers", 15, 14),
        ("four_numbers", 22, 23),
        ("six_numbers", 11, 11),
        (SIX, 6, 6),
        ("column", 3, 3),
        ("dozen", 3, 3),
        ("red", 1, 1),
        ("five_adjacent_numbers", 38, 37),
    ],
)
def test_how_many_spots_a_wager_has(wager: str, two_zeros: int, one_zero: int) -> None:
    """A layout has this many places for a wager, by its number of zeros."""
    assert len(spots(wager, DOUBLE)) == two_zeros
    assert [len(spots(wager, wheel)) for wheel in ONE_ZERO] == [one_zero, one_zero]


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("split:20-17", "split:17-20"),
        ("split:00-0", "split:0-00"),
        ("three_numbers:3-1-2", "three_numbers:1-2-3"),
        ("three_numbers:2-00-0", "three_numbers:0-00-2"),
        ("four_numbers:5-1-4-2", "four_numbers:1-2-4-5"),
        ("six_numbers:36-31-35-32-34-33", "six_numbers:31-32-33-34-35-36"),
    ],
)
def test_the_order_of_the_numbers_in_a_spot_does_not_matter(said: str, meant: str) -> None:
    """A wager is judged by where it lies, however its numbers are told."""
    assert deal("roulette", ["9"], {said: 1000}).result(meant) == ("lose", -1000)


@any_table
@pytest.mark.cites("5.1(e)", "5.1(f)", "5.2(a)", "5.2(b)", "5.2(c)", "5.2(d)3")
def test_every_wager_wins_on_its_own_numbers_and_on_no_other(table: str) -> None:
    """Given every wager that a table offers, each stop of the wheel pays whom it should."""
    options, _ = TABLES[table]
    wheel = options.get("wheel", DOUBLE)
    half = wheel == DOUBLE and options.get("zero_rule_double") != "full_loss"
    better = {
        wager: Fraction(odds.replace(" to ", "/"))
        for wager, odds in options.get("higher_odds", {}).items()
    }
    live = with_every_wager(options, 1000)
    wagers = dict(live.bets)
    covers = {bet.label: numbers_of(bet.label, wheel) for bet in wagers.values()}
    for stop in RIM[wheel]:
        live.open_betting()
        live.bets = dict(wagers)
        play_out(live, stop)
        assert len(live.settlements) == len(wagers)
        for settled in live.settlements:
            wager, label = settled.bet.wager.id, settled.bet.label
            lost = 500 if half and stop in ("0", "00") and wager in EVEN_MONEY else 1000
            won = 1000 * better.get(wager, PAYS[wager])
            assert settled.net == (won if stop in covers[label] else -lost), f"{label} on {stop}"


@pytest.mark.cites("5.1(e)11", "5.1(e)12")
def test_red_and_black_share_the_36_numbers() -> None:
    """Red has 18 numbers and black has the other 18 (5.1(e)11 and 12)."""
    (red,), (black,) = spots("red").values(), spots("black").values()
    assert red == RED
    assert black == NUMBERS - RED
    assert len(red) == len(black) == 18


@pytest.mark.cites("5.1(e)13", "5.1(e)14", "5.2(b)")
@pytest.mark.parametrize("zero", ["0", "00"])
def test_a_zero_is_neither_odd_nor_even(zero: str) -> None:
    """When the ball rests in a zero, odd and even both lose (5.1(e)13 and 14)."""
    told = deal("roulette", [zero], {"odd": 1000, "even": 1000})
    assert [told.result("odd")[0], told.result("even")[0]] == ["lose", "lose"]


# 5.1(e)6 to 8 and (g): color wagers.


@pytest.mark.cites("5.1(e)6", "5.1(e)7", "5.1(e)8")
@pytest.mark.parametrize(
    ("wager", "wheel", "sections", "zeros"),
    [
        (SIX, DOUBLE, DOUBLE_SECTIONS, set()),
        (SIX, SINGLE, SINGLE_SECTIONS, set()),
        (SIX, AS_SINGLE, DOUBLE_SECTIONS, set()),
        (SEVEN, SINGLE, SINGLE_SECTIONS, {"0"}),
        (SEVEN, AS_SINGLE, DOUBLE_SECTIONS, {"0"}),
        (EIGHT, DOUBLE, DOUBLE_SECTIONS, {"0", "00"}),
    ],
)
def test_a_color_wager_covers_a_section_of_the_wheel(
    wager: str, wheel: str, sections: dict[str, str], zeros: set[str]
) -> None:
    """Six numbers of a color; with the zero they are seven, with both zeros eight (5.1(e)6-8)."""
    assert spots(wager, wheel, color_wagers=[wager]) == {
        color: zeros | set(numbers.split()) for color, numbers in sections.items()
    }


@pytest.mark.parametrize("wheel", WHEELS)
def test_the_color_sections_share_the_36_numbers(wheel: str) -> None:
    """Every number belongs to one of the six sections, and no zero to any."""
    sections = spots(SIX, wheel).values()
    assert sorted(n for section in sections for n in section) == sorted(NUMBERS)


@pytest.mark.cites("5.1(e)7")
def test_seven_numbers_color_wins_on_the_single_zero() -> None:
    """Given a single zero wheel, when the ball rests in 0, then every color wins (5.1(e)7)."""
    options = {"wheel": SINGLE, "color_wagers": SEVEN}
    told = deal("roulette", ["0"], {f"{SEVEN}:{c}": 1000 for c in SINGLE_SECTIONS}, options=options)
    assert told.net() == 6 * 4000


@pytest.mark.cites("5.1(e)8")
@pytest.mark.parametrize("zero", ["0", "00"])
def test_eight_numbers_color_wins_on_both_zeros(zero: str) -> None:
    """Given a double zero wheel, when the ball rests in a zero, then every color wins."""
    options = {"color_wagers": EIGHT}
    told = deal(
        "roulette", [zero], {f"{EIGHT}:{c}": 1000 for c in DOUBLE_SECTIONS}, options=options
    )
    assert told.net() == 6 * 3000


@pytest.mark.cites("5.1(e)6", "5.2(a)")
@pytest.mark.parametrize("wheel", WHEELS)
def test_six_numbers_color_loses_on_a_zero(wheel: str) -> None:
    """A zero belongs to no section: six numbers color is lost whole, with no half back."""
    options = {"wheel": wheel, "color_wagers": SIX}
    told = deal("roulette", ["0"], {f"{SIX}:gold": 1000}, options=options)
    assert told.result(f"{SIX}:gold") == ("lose", -1000)


@pytest.mark.cites("5.1(g)")
@pytest.mark.parametrize("label", ["dozen:1", "red", "black"])
@pytest.mark.parametrize(
    ("wheel", "colors"),
    [(DOUBLE, SIX), (DOUBLE, EIGHT), (SINGLE, SIX), (SINGLE, SEVEN), (AS_SINGLE, SEVEN)],
)
def test_beside_a_color_wager_there_is_no_dozen_no_red_and_no_black(
    label: str, wheel: str, colors: str
) -> None:
    """A table that offers any color wager shall not offer dozen, red or black (5.1(g))."""
    options = {"wheel": wheel, "color_wagers": colors}
    refusal = refused("roulette", ["17"], {label: 500}, options=options)
    says(refusal, Fault.NOT_OFFERED, "is not offered at this table", "5.1(g)")


@pytest.mark.cites("5.1(g)")
@pytest.mark.parametrize("label", ["column:2", "odd", "even", "low_1_18", "high_19_36"])
def test_beside_a_color_wager_the_other_outside_wagers_stay(label: str) -> None:
    """5.1(g) takes away only dozen, red and black."""
    told = deal("roulette", ["17"], {label: 500}, options={"color_wagers": [SIX, EIGHT]})
    assert told.settled(label)["stake"] == 500


@pytest.mark.cites("5.1(e)7", "5.1(e)8")
@pytest.mark.parametrize(
    ("wheel", "colors", "paragraph"),
    [
        (DOUBLE, SEVEN, "5.1(e)7"),
        (SINGLE, EIGHT, "5.1(e)8"),
        (AS_SINGLE, EIGHT, "5.1(e)8"),
    ],
)
def test_seven_numbers_color_needs_one_zero_and_eight_needs_two(
    wheel: str, colors: str, paragraph: str
) -> None:
    """Seven numbers color is for a single zero wheel, eight for a double zero (5.1(e)7, 8)."""
    found = unlawful("roulette", {"wheel": wheel, "color_wagers": [SIX, colors]})
    assert found == [("color_wagers", paragraph)]


@pytest.mark.cites("5.1(e)7", "5.1(e)8")
def test_no_wheel_takes_both_seven_and_eight_numbers_color() -> None:
    """Both together are unlawful on every wheel."""
    both = {"color_wagers": f"{SEVEN},{EIGHT}"}
    assert unlawful("roulette", both) == [("color_wagers", "5.1(e)7")]
    assert unlawful("roulette", {**both, "wheel": SINGLE}) == [("color_wagers", "5.1(e)8")]


# 5.1(f): seven numbers.


@pytest.mark.cites("5.1(f)", "5.2(a)")
@pytest.mark.parametrize("wheel", WHEELS)
@pytest.mark.parametrize("number", [10, 11, 12, 13, 14, 15, 33])
def test_seven_numbers_wins_on_10_to_15_and_33(wheel: str, number: int) -> None:
    """Given seven numbers is offered, when one of its numbers comes, it pays 4 to 1 (5.1(f))."""
    options = {"wheel": wheel, "seven_numbers_offered": True}
    told = deal("roulette", [number], {"seven_numbers": 1000}, options=options)
    assert told.result("seven_numbers") == ("win", 4000)


@pytest.mark.cites("5.1(f)")
@pytest.mark.parametrize("number", [9, 16, 32, 34, "0", "00"])
def test_seven_numbers_loses_on_any_other_number(number: int | str) -> None:
    """33 stands alone, and no zero belongs to seven numbers (5.1(f))."""
    options = {"seven_numbers_offered": True}
    told = deal("roulette", [number], {"seven_numbers": 1000}, options=options)
    assert told.result("seven_numbers") == ("lose", -1000)


# What is not offered.


@pytest.mark.cites("5.1(e)5", "5.1(e)7", "5.1(e)8", "5.1(f)", "5.3(d)")
@pytest.mark.parametrize(
    ("label", "wheel", "cite"),
    [
        ("seven_numbers", DOUBLE, "5.1(f)"),
        ("five_adjacent_numbers:17", DOUBLE, "5.3(d)"),
        (f"{SIX}:red", DOUBLE, "5.1(e)6ii"),
        (f"{SEVEN}:red", SINGLE, "5.1(e)7"),
        (f"{EIGHT}:red", DOUBLE, "5.1(e)8"),
        ("first_five_numbers", SINGLE, "5.1(e)5 (customary)"),
        ("first_five_numbers", AS_SINGLE, "5.1(e)5 (customary)"),
    ],
)
def test_a_wager_that_the_table_does_not_offer_is_refused(
    label: str, wheel: str, cite: str
) -> None:
    """An optional wager is made only where the licensee offers it."""
    refusal = refused("roulette", ["17"], {label: 500}, options={"wheel": wheel})
    says(refusal, Fault.NOT_OFFERED, "is not offered at this table", cite)


# 5.2(a): the payout odds.


@pytest.mark.cites("5.2(a)")
@pytest.mark.parametrize(
    ("label", "number", "odds"),
    [
        ("straight:17", "17", 35),
        ("straight:0", "0", 35),
        ("straight:00", "00", 35),
        ("split:17-20", "20", 17),
        ("split:0-00", "00", 17),
        ("three_numbers:1-2-3", "3", 11),
        ("three_numbers:00-2-3", "00", 11),
        ("four_numbers:1-2-4-5", "5", 8),
        ("first_five_numbers", "00", 6),
        ("first_five_numbers", "3", 6),
        ("six_numbers:31-32-33-34-35-36", "31", 5),
        ("seven_numbers", "33", 4),
        ("column:1", "34", 2),
        ("column:2", "17", 2),
        ("column:3", "3", 2),
        ("dozen:1", "12", 2),
        ("dozen:2", "13", 2),
        ("dozen:3", "36", 2),
        ("red", "36", 1),
        ("black", "35", 1),
        ("odd", "17", 1),
        ("even", "2", 1),
        ("low_1_18", "18", 1),
        ("high_19_36", "19", 1),
    ],
)
def test_a_winning_wager_is_paid_at_the_odds_of_the_list(
    label: str, number: str, odds: int
) -> None:
    """Given this wager, when the ball rests in its number, then it pays so many to 1 (5.2(a))."""
    told = deal("roulette", [number], {label: 1000}, options={"seven_numbers_offered": True})
    assert told.result(label) == ("win", odds * 1000)
    assert told.settled(label)["pays"] == f"{odds} to 1"
    assert cited(told.settled(label)) == "5.2(a)"


@pytest.mark.cites("5.2(a)")
@pytest.mark.parametrize(
    ("label", "number"),
    [("split:0-3", "3"), ("three_numbers:0-2-3", "0"), ("four_numbers:0-1-2-3", "0")],
)
@pytest.mark.parametrize("wheel", ONE_ZERO)
def test_the_wagers_around_a_single_zero_are_paid_at_the_same_odds(
    label: str, number: str, wheel: str
) -> None:
    """On the single zero layout the wagers that touch the zero pay like the others (5.2(a))."""
    told = deal("roulette", [number], {label: 1000}, options={"wheel": wheel})
    assert told.result(label) == ("win", int(PAYS[label.partition(":")[0]] * 1000))


@pytest.mark.cites("5.2(a)")
@pytest.mark.parametrize(
    ("wager", "wheel", "odds", "cite"),
    [
        (SIX, DOUBLE, 5, "5.2(a) (customary)"),
        (SIX, SINGLE, 5, "5.2(a) (customary)"),
        (SEVEN, SINGLE, 4, "5.2(a)"),
        (EIGHT, DOUBLE, 3, "5.2(a)"),
    ],
)
def test_color_wagers_are_paid_by_how_many_numbers_they_have(
    wager: str, wheel: str, odds: int, cite: str
) -> None:
    """Six numbers pay 5, seven 4 and eight 3 to 1 (5.2(a)); six by custom."""
    number = (SINGLE_SECTIONS if wheel == SINGLE else DOUBLE_SECTIONS)["purple"].split()[0]
    options = {"wheel": wheel, "color_wagers": wager}
    told = deal("roulette", [number], {f"{wager}:purple": 1000}, options=options)
    assert told.result(f"{wager}:purple") == ("win", odds * 1000)
    assert cited(told.settled(f"{wager}:purple")) == cite


@pytest.mark.cites("5.2(a)")
def test_better_odds_than_the_list_are_lawful_and_are_paid() -> None:
    """The list is a minimum: a table may pay a straight wager 36 to 1 (5.2(a))."""
    options = {"higher_odds": {"straight": "36 to 1"}}
    told = deal("roulette", ["17"], {"straight:17": 1000, "odd": 1000}, options=options)
    assert told.result("straight:17") == ("win", 36_000)
    assert told.result("odd") == ("win", 1000)


@pytest.mark.cites("5.2(a)")
def test_odds_that_need_it_ask_for_a_stake_they_can_pay_exactly() -> None:
    """Given red pays 3 to 2, an odd number of cents cannot be paid and is refused."""
    options = {"higher_odds": "red: 3 to 2"}
    assert deal("roulette", ["3"], {"red": 502}, options=options).result("red") == ("win", 753)
    refusal = refused("roulette", ["3"], {"red": 501}, options=options)
    says(refusal, Fault.NOT_PAYABLE, "must be a multiple of 2 cents", "5.2(a)")


@pytest.mark.cites("5.2(a)")
@pytest.mark.parametrize(
    ("wager", "odds"),
    [
        *((wager, f"{pays * 2 - 1} to 2") for wager, pays in PAYS.items() if pays.denominator == 1),
        ("red", "0 to 1"),
    ],
)
def test_odds_below_the_list_are_unlawful(wager: str, odds: str) -> None:
    """No licensee shall pay winning wagers at less than the odds listed (5.2(a))."""
    ((option, cite),) = unlawful("roulette", {"higher_odds": {wager: odds}})
    assert option == "higher_odds"
    assert cite.startswith("5.2(a)")


@pytest.mark.cites("5.2(a)")
def test_one_wager_paid_too_little_makes_the_table_unlawful() -> None:
    """Given better odds on one wager and worse on another, the worse is named alone."""
    refusal = refused(
        "roulette", [1], {}, options={"higher_odds": "straight:36 to 1,split:16 to 1"}
    )
    assert refusal.message == (
        "split would pay 16 to 1, and it may pay no less than 17 to 1 [19:47-5.2(a)]"
    )


@pytest.mark.parametrize("odds", ["36 for 1", "36", "36:1", "-36 to 1", "36 to 0", "many", True])
def test_what_are_not_odds_is_refused(odds: Any) -> None:
    """Odds are written with "to", and nothing else is read as odds."""
    assert unlawful("roulette", {"higher_odds": {"straight": odds}}) == [("higher_odds", "5.2(a)")]


def test_odds_for_a_wager_that_roulette_does_not_have_are_refused() -> None:
    """A misspelled wager is not passed over."""
    assert unlawful("roulette", {"higher_odds": {"strait": "36 to 1"}}) == [("higher_odds", "5.1")]


# 5.2(b) to (d): the even-money wagers on a zero.


@pytest.mark.cites("5.2(b)")
@pytest.mark.parametrize("zero", ["0", "00"])
@pytest.mark.parametrize("wager", EVEN_MONEY)
def test_half_loss_takes_half_of_an_even_money_wager_on_a_zero(wager: str, zero: str) -> None:
    """Given $10 on red, when the ball rests in 00, then half of red is lost (5.2(b))."""
    told = deal("roulette", [zero], {wager: 1000}, options={"zero_rule_double": "half_loss"})
    assert told.result(wager) == ("lose", -500)
    assert cited(told.settled(wager)) == "5.2(b)"


@pytest.mark.cites("5.2(b)")
def test_the_dealer_returns_the_remaining_half() -> None:
    """The remaining half of each such wager shall be returned to the player (5.2(b))."""
    (collected,) = deal("roulette", ["00"], {"red": 1000}).events("collect")
    assert (collected["amount"], collected["returned"]) == (500, 500)


@pytest.mark.cites("5.2(b)")
def test_an_odd_cent_of_a_half_is_the_players() -> None:
    """Given 1001 cents on red, when a zero comes, then 500 are lost and 501 returned (5.2(b))."""
    told = deal("roulette", ["0"], {"red": 1001})
    (collected,) = told.events("collect")
    assert told.result("red") == ("lose", -500)
    assert (collected["amount"], collected["returned"]) == (500, 501)


@pytest.mark.cites("5.2(b)")
@pytest.mark.parametrize("zero", ["0", "00"])
@pytest.mark.parametrize("wager", EVEN_MONEY)
def test_full_loss_takes_an_even_money_wager_whole_on_a_zero(wager: str, zero: str) -> None:
    """Given full loss at a double zero table, when a zero comes, then all is lost (5.2(b))."""
    told = deal("roulette", [zero], {wager: 1000}, options={"zero_rule_double": "full_loss"})
    assert told.result(wager) == ("lose", -1000)
    assert "returned" not in told.events("collect")[0]


@pytest.mark.cites("5.2(b)")
@pytest.mark.parametrize(
    "label",
    [
        *("column:1", "dozen:2", "straight:17", "split:17-20", "three_numbers:1-2-3"),
        *("four_numbers:1-2-4-5", "six_numbers:1-2-3-4-5-6", "seven_numbers"),
    ],
)
def test_half_loss_is_for_the_six_even_money_wagers_alone(label: str) -> None:
    """Column, dozen and inside wagers get no half back on a zero (5.2(b))."""
    told = deal("roulette", ["0"], {label: 1000}, options={"seven_numbers_offered": True})
    assert told.result(label) == ("lose", -1000)


@pytest.mark.cites("5.2(b)")
@pytest.mark.parametrize("number", ["2", "36"])
def test_half_loss_changes_nothing_when_no_zero_comes(number: str) -> None:
    """Given half loss, when a number comes that red does not cover, then red loses whole."""
    told = deal("roulette", [number], {"red": 1000})
    assert told.result("red") == (("win", 1000) if number in RED else ("lose", -1000))


@pytest.mark.cites("5.2(c)")
@pytest.mark.parametrize("wager", EVEN_MONEY)
def test_on_a_single_zero_wheel_even_money_wagers_are_lost_on_zero(wager: str) -> None:
    """Given a single zero wheel, when the ball rests in 0, then red is lost (5.2(c))."""
    told = deal("roulette", ["0"], {wager: 1000}, options={"wheel": SINGLE})
    assert told.result(wager) == ("lose", -1000)


@pytest.mark.cites("5.2(d)3")
@pytest.mark.parametrize("wager", EVEN_MONEY)
def test_on_a_wheel_used_as_single_zero_they_are_lost_on_zero(wager: str) -> None:
    """Given a double zero wheel used as single zero, when 0 comes, then red is lost (5.2(d)3)."""
    told = deal("roulette", ["0"], {wager: 1000}, options={"wheel": AS_SINGLE})
    assert told.result(wager) == ("lose", -1000)


@pytest.mark.cites("5.2(b)", "5.2(c)", "5.2(d)3")
@pytest.mark.parametrize(
    ("options", "paragraph"),
    [
        ({}, "5.2(b)"),
        ({"zero_rule_double": "full_loss"}, "5.2(b)"),
        ({"wheel": SINGLE}, "5.2(c)"),
        ({"wheel": AS_SINGLE}, "5.2(d)3"),
    ],
)
def test_an_even_money_wager_lost_on_zero_cites_the_rule_that_takes_it(
    options: dict[str, Any], paragraph: str
) -> None:
    """A player who asks why red is lost on 0 is shown the paragraph on zeros (5.2(b) to (d))."""
    told = deal("roulette", ["0"], {"red": 1000}, options=options)
    assert cited(told.settled("red")) == paragraph


@pytest.mark.cites("5.2(b)", "5.2(c)", "5.2(d)3")
@pytest.mark.parametrize(("wheel", "paragraph"), [(SINGLE, "5.2(c)"), (AS_SINGLE, "5.2(d)3")])
def test_half_loss_is_unlawful_where_there_is_one_zero(wheel: str, paragraph: str) -> None:
    """With one zero the wager shall be lost: there is no option to take half (5.2(c), (d)3)."""
    found = unlawful("roulette", {"wheel": wheel, "zero_rule_double": "half_loss"})
    assert found == [("zero_rule_double", paragraph)]


@pytest.mark.cites("5.2(b)", "5.2(d)1")
def test_the_table_gives_notice_of_its_wheel_and_its_zero_rule() -> None:
    """The options in effect are told with every round: half loss is the one unless chosen."""
    told = deal("roulette", ["1"])
    assert told.document["options"]["zero_rule_double"] == "half_loss"
    assert told.document["options"]["wheel"] == DOUBLE
    told = deal("roulette", ["1"], options={"zero_rule_double": "full_loss"})
    assert told.document["options"]["zero_rule_double"] == "full_loss"
    told = deal("roulette", ["1"], options={"wheel": AS_SINGLE})
    assert told.document["options"]["wheel"] == AS_SINGLE


@any_table
@pytest.mark.cites("5.2(b)", "5.2(c)")
def test_the_options_a_table_tells_open_the_same_table_again(table: str) -> None:
    """What a lawful table says of itself is lawful, and never half loss with one zero."""
    told = deal("roulette", ["1"], {"odd": 500}, options=TABLES[table][0])
    again = deal("roulette", ["1"], {"odd": 500}, options=told.document["options"])
    assert again == told


# 5.2(d): a double zero wheel used as single zero.


@pytest.mark.cites("5.2(d)2")
def test_double_zero_on_a_wheel_used_as_single_zero_is_no_spin() -> None:
    """When the ball rests in 00, the dealer announces "No spin" and spins again (5.2(d)2)."""
    wagers = {"red": 1000, "straight:17": 500, "column:2": 500}
    told = deal("roulette", ["00", "17"], wagers, options={"wheel": AS_SINGLE})
    assert told.said() == ["No more bets", "No spin", "17 black"]
    assert texts(told, "5.2(d)2") == ["No spin"]
    assert [spin["outcome"] for spin in told.events("spin")] == ["00", "17"]
    assert told.result("red") == ("lose", -1000)
    assert told.result("straight:17") == ("win", 17_500)
    assert told.result("column:2") == ("win", 1000)


@pytest.mark.cites("5.2(d)2")
def test_double_zero_may_come_again_and_again() -> None:
    """Each 00 is a void spin of its own, and nothing is collected for it (5.2(d)2)."""
    told = deal(
        "roulette", ["00", "00", "00", "0"], {"low_1_18": 1000}, options={"wheel": AS_SINGLE}
    )
    assert told.said() == ["No more bets", "No spin", "No spin", "No spin", "0"]
    assert [collected["amount"] for collected in told.events("collect")] == [1000]


@pytest.mark.cites("5.2(d)2")
def test_a_void_spin_needs_another_draw() -> None:
    """Given only a 00, the round is not decided, and the script says what it lacks."""
    refusal = refused("roulette", ["00"], {"red": 500}, options={"wheel": AS_SINGLE})
    says(refusal, Fault.BAD_SCRIPT, "needs at least 1 more")


@pytest.mark.cites("5.2(d)2")
def test_double_zero_counts_on_a_double_zero_wheel() -> None:
    """On a double zero wheel 00 is a number: it is announced, and straight:00 wins."""
    told = deal("roulette", ["00"], {"straight:00": 500})
    assert told.said() == ["No more bets", "00"]
    assert told.net() == 17_500


@pytest.mark.cites("5.2(d)2")
@pytest.mark.parametrize("wheel", ONE_ZERO)
@pytest.mark.parametrize(
    "label",
    [
        *("straight:00", "split:0-00", "split:00-2", "three_numbers:0-00-2"),
        *("three_numbers:00-2-3", "five_adjacent_numbers:00"),
    ],
)
def test_nothing_can_be_wagered_on_a_double_zero_that_does_not_count(
    label: str, wheel: str
) -> None:
    """Where there is one zero no wager can be on 00."""
    options = {"wheel": wheel, "five_adjacent_offered": True}
    refusal = refused("roulette", ["17"], {label: 500}, options=options)
    assert refusal.fault is Fault.UNKNOWN_SPOT
    assert "at this table" in refusal.message


# 5.3: the round.


@pytest.mark.cites("5.3(a)", "5.3(b)", "5.3(c)", "5.3(d)", "5.3(e)")
def test_a_round_goes_spin_no_more_bets_number_crown_fifth_collect_pay() -> None:
    """The dealer does everything in the order of 5.3, paragraph by paragraph."""
    wagers = {"straight:17": 500, "red": 500, "five_adjacent_numbers:5": 500, "even": 500}
    told = deal("roulette", ["17"], wagers, options=OPTIONAL)
    shown = [
        (event["kind"], cited(event))
        for event in told.rounds[0]["events"]
        if event["kind"] != "wager"
    ]
    assert shown == [
        ("step", "5.3(a)"),
        ("announce", "5.3(b)"),
        ("spin", ""),
        ("announce", "5.3(c)"),
        ("step", "5.3(c)"),
        ("step", "5.3(d)"),
        ("collect", "5.3(e)"),
        ("collect", "5.3(e)"),
        ("pay", "5.3(e)"),
        ("pay", "5.3(e)"),
    ]


@pytest.mark.cites("5.3(a)")
def test_the_ball_is_spun_against_the_wheel() -> None:
    """The ball shall be spun opposite to the rotation of the wheel (5.3(a))."""
    (spun,) = texts(deal("roulette", ["17"]), "5.3(a)")
    assert "opposite to the wheel's rotation" in spun


@pytest.mark.cites("5.3(b)")
def test_the_dealer_calls_no_more_bets_while_the_ball_is_in_the_track() -> None:
    """The call comes after the ball is spun and before it rests (5.3(b))."""
    kinds = [(e["kind"], e.get("text")) for e in deal("roulette", ["17"]).rounds[0]["events"]]
    assert [kind for kind, _ in kinds[:3]] == ["step", "announce", "spin"]
    assert kinds[1][1] == "No more bets"


@pytest.mark.cites("5.3(c)")
@pytest.mark.parametrize(
    ("number", "announced"),
    [("17", "17 black"), ("3", "3 red"), ("0", "0"), ("00", "00"), (36, "36 red")],
)
def test_the_dealer_announces_the_number_and_crowns_it(number: Any, announced: str) -> None:
    """The dealer announces the number and places the crown on it (5.3(c))."""
    told = deal("roulette", [number])
    assert texts(told, "5.3(c)") == [announced, f"The crown is placed on {number}"]


@pytest.mark.cites("5.3(e)")
def test_all_losing_wagers_are_collected_before_any_winning_one_is_paid() -> None:
    """The dealer shall first collect all losing wagers and then pay all winning ones (5.3(e))."""
    seats = {
        "1": {"wagers": {"black": 500, "dozen:1": 500}},
        "2": {"wagers": {"straight:17": 500, "red": 500}},
        "3": {"wagers": {"even": 500, "odd": 500}},
    }
    events = deal("roulette", ["17"], seats=seats).rounds[0]["events"]
    moved = [(e["kind"], e["seat"], e["wager"]) for e in events if e["kind"] in ("collect", "pay")]
    assert moved == [
        ("collect", "1", "dozen:1"),
        ("collect", "2", "red"),
        ("collect", "3", "even"),
        ("pay", "1", "black"),
        ("pay", "2", "straight:17"),
        ("pay", "3", "odd"),
    ]


@any_table
@pytest.mark.cites("5.3(e)")
def test_after_a_round_the_layout_is_empty_and_the_money_adds_up(table: str) -> None:
    """What the house loses the player has won, and nothing is left lying (5.3(e))."""
    for stop in ("0", "17"):
        live = with_every_wager(TABLES[table][0], 1010)
        play_out(live, stop)
        net = sum(settled.net for settled in live.settlements)
        assert (live.money["1"], live.money[HOUSE], live.money[LAYOUT]) == (net, -net, 0)
        assert live.bets == {}


@pytest.mark.cites("5.3(b)")
@pytest.mark.parametrize(("label", "stake"), [("straight:17", 500), ("red", 1000), ("red", 0)])
def test_after_no_more_bets_no_wager_is_made_changed_or_taken_down(label: str, stake: int) -> None:
    """Given the dealer has called "No more bets", a wager is refused (5.3(b))."""
    table = Table(ROULETTE)
    table.bet("1", "red", 500)
    play = Play(table)
    says(turned_away(table, label, stake), Fault.NO_MORE_BETS, 'after "No more bets"', "5.3(b)")
    play.answer("3")
    play.answer(None)
    assert [(s.bet.label, s.net) for s in table.settlements] == [("red", 500)]


@pytest.mark.cites("5.3(b)")
def test_before_no_more_bets_a_wager_may_be_raised_lowered_and_taken_down() -> None:
    """Until the call the player is free to change a wager (5.3(b))."""
    table = Table(ROULETTE)
    for stake in (500, 900, 700):
        table.bet("1", "red", stake)
        assert table.money["1"] == -stake
    table.bet("1", "red", 0)
    assert (table.bets, table.money["1"], table.money[LAYOUT]) == ({}, 0, 0)


# 5.3(d): five adjacent numbers.


@pytest.mark.cites("5.3(d)")
@pytest.mark.parametrize(
    ("wheel", "number", "neighbors"),
    [
        (DOUBLE, "17", "20 32 17 5 22"),
        (DOUBLE, "0", "14 2 0 28 9"),
        (DOUBLE, "00", "13 1 00 27 10"),
        (DOUBLE, "2", "35 14 2 0 28"),
        (SINGLE, "17", "2 25 17 34 6"),
        (SINGLE, "0", "3 26 0 32 15"),
        (AS_SINGLE, "1", "36 13 1 27 10"),
    ],
)
def test_five_adjacent_numbers_are_neighbors_on_the_wheel(
    wheel: str, number: str, neighbors: str
) -> None:
    """A number and its two neighbors on each side; a 00 that does not count is passed over."""
    assert spots("five_adjacent_numbers", wheel)[number] == set(neighbors.split())


@pytest.mark.cites("5.3(d)")
@pytest.mark.parametrize("number", "20 32 17 5 22".split())
def test_one_fifth_of_a_winning_five_adjacent_wager_moves_to_the_number(number: str) -> None:
    """The dealer moves one-fifth from the replica of the wheel to the winning number (5.3(d))."""
    label = "five_adjacent_numbers:17"
    told = deal("roulette", [number], {label: 500}, options={"five_adjacent_offered": True})
    assert texts(told, "5.3(d)") == [f"One-fifth of seat 1's {label} moves to the {number}"]


@pytest.mark.cites("5.3(d)")
@pytest.mark.parametrize("number", "20 32 17 5 22".split())
def test_the_fifth_is_paid_as_a_straight_and_four_fifths_are_lost(number: str) -> None:
    """Given $5 on five numbers, $1 wins $35 and $4 are lost: 31 to 5 on the whole (5.3(d))."""
    label = "five_adjacent_numbers:17"
    told = deal("roulette", [number], {label: 500}, options={"five_adjacent_offered": True})
    assert told.result(label) == ("win", 35 * 100 - 4 * 100)
    assert told.settled(label)["pays"] == "31 to 5"


@pytest.mark.cites("5.3(d)")
def test_five_adjacent_numbers_are_worth_five_straight_wagers() -> None:
    """On every stop $5 on five adjacent numbers comes out as $1 on each of them (5.3(d))."""
    options = {"five_adjacent_offered": True, "table_min": 100}
    each = {f"straight:{number}": 100 for number in "20 32 17 5 22".split()}
    for stop in DOUBLE_RIM:
        one = deal("roulette", [stop], {"five_adjacent_numbers:17": 500}, options=options)
        assert one.net() == deal("roulette", [stop], each, options=options).net()


@pytest.mark.cites("5.2(a)", "5.3(d)")
def test_where_a_straight_wager_pays_more_so_does_the_fifth_that_becomes_one() -> None:
    """Given straights pay 36 to 1, the fifth lies on the number and is paid so (5.3(d))."""
    options = {"five_adjacent_offered": True, "higher_odds": {"straight": "36 to 1"}}
    told = deal("roulette", ["5"], {"five_adjacent_numbers:17": 500}, options=options)
    assert told.result("five_adjacent_numbers:17") == ("win", 36 * 100 - 4 * 100)


@pytest.mark.cites("5.3(d)")
@pytest.mark.parametrize("number", ["34", "7", "16", "0"])
def test_a_losing_five_adjacent_wager_is_lost_whole_and_nothing_moves(number: str) -> None:
    """Only winning wagers are moved to the layout (5.3(d))."""
    label = "five_adjacent_numbers:17"
    told = deal("roulette", [number], {label: 500}, options={"five_adjacent_offered": True})
    assert told.result(label) == ("lose", -500)
    assert texts(told, "5.3(d)") == []


@pytest.mark.cites("5.3(d)")
@pytest.mark.parametrize("stake", [501, 504, 999])
@pytest.mark.parametrize("odds", ["none", "straight: 39 to 1"])
def test_a_five_adjacent_stake_divides_by_five(stake: int, odds: str) -> None:
    """A stake without a fifth in whole cents is refused, whatever a straight pays (5.3(d))."""
    options = {"five_adjacent_offered": True, "higher_odds": odds}
    refusal = refused("roulette", ["17"], {"five_adjacent_numbers:17": stake}, options=options)
    says(refusal, Fault.NOT_PAYABLE, "must be a multiple of 5 cents", "5.3(d) (customary)")


# 5.4: irregularities.

NO_SPINS = [
    ("ball_spun_with_wheel", "the direction of the wheel", "5.4(a)"),
    ("too_few_revolutions", "four revolutions", "5.4(b)"),
    ("foreign_object", "a foreign object enters the wheel", "5.4(c)"),
    ("ball_leaves_wheel", "the ball leaves the wheel", "5.4 (customary)"),
]


@pytest.mark.cites("5.3(a)", "5.4(a)", "5.4(b)", "5.4(c)")
@pytest.mark.parametrize(("kind", "trigger", "cite"), NO_SPINS)
def test_an_irregular_spin_is_no_spin_and_the_ball_is_spun_again(
    kind: str, trigger: str, cite: str
) -> None:
    """The dealer announces "No Spin"; the wagers stay and the next spin decides (5.4)."""
    wagers = {"red": 1000, "straight:3": 500, "first_five_numbers": 500}
    told = deal("roulette", ["3"], wagers, irregularities=[{"before_draw": 1, "kind": kind}])
    (irregular,) = told.events("irregularity")
    assert trigger in irregular["what"]
    assert irregular["resolution"].startswith("No spin")
    assert "spun again" in irregular["resolution"]
    assert cited(irregular) == cite
    assert len(told.events("spin")) == 1
    assert told.rounds[0]["settlements"] == deal("roulette", ["3"], wagers).rounds[0]["settlements"]


@pytest.mark.cites("5.4(a)", "5.4(b)", "5.4(c)")
@pytest.mark.parametrize(("kind", "cite"), [(kind, cite) for kind, _, cite in NO_SPINS[:3]])
def test_on_no_spin_the_ball_is_removed_before_it_rests(kind: str, cite: str) -> None:
    """The dealer attempts to remove the ball prior to its coming to rest (5.4(a) to (c))."""
    told = deal("roulette", ["3"], irregularities=[{"before_draw": 1, "kind": kind}])
    (irregular,) = told.events("irregularity")
    assert "the ball is removed before it comes to rest" in irregular["resolution"]
    assert cited(irregular) == cite


@pytest.mark.cites("5.4")
@pytest.mark.parametrize("kind", [kind for kind, *_ in NO_SPINS])
def test_no_spin_moves_no_money_and_leaves_betting_closed(kind: str) -> None:
    """A no spin leaves all wagers undecided: only what happened is written down (5.4)."""
    table = Table(ROULETTE)
    table.bet("1", "red", 500)
    play = Play(table)
    money, bets = dict(table.money), dict(table.bets)
    play.answer({"irregularity": kind})
    assert (dict(table.money), table.bets, table.settlements) == (money, bets, [])
    assert [event.kind for event in table.events][-1] == "irregularity"
    assert table.refusal("1", "odd", 500) is not None
    assert play.request is not None


@pytest.mark.cites("5.4")
def test_one_spin_may_go_wrong_after_another() -> None:
    """Every irregular spin is a no spin, one after the other, and then one counts (5.4)."""
    kinds = ["foreign_object", "ball_leaves_wheel", "foreign_object"]
    reports = [{"before_draw": 1, "kind": kind} for kind in kinds]
    told = deal("roulette", ["17"], {"odd": 500}, irregularities=reports)
    assert [event["irregularity"] for event in told.events("irregularity")] == kinds
    assert told.net() == 500


@pytest.mark.cites("5.2(d)2", "5.4(c)")
def test_the_spin_after_a_void_00_may_go_wrong_too() -> None:
    """Given a 00 that does not count, the respin is under the same rules (5.2(d)2, 5.4(c))."""
    told = deal(
        "roulette",
        ["00", "17"],
        {"odd": 500},
        options={"wheel": AS_SINGLE},
        irregularities=[{"before_draw": 2, "kind": "foreign_object"}],
    )
    kinds = [e["kind"] for e in told.rounds[0]["events"] if e["kind"] in ("spin", "irregularity")]
    assert kinds == ["spin", "irregularity", "spin"]
    assert told.net() == 500


@pytest.mark.cites("5.4(a)", "5.4(b)", "5.4(c)")
@pytest.mark.parametrize(("kind", "cite"), [(kind, cite) for kind, _, cite in NO_SPINS])
def test_once_the_number_is_known_it_is_too_late_for_no_spin(kind: str, cite: str) -> None:
    """The rules of 5.4 speak of a ball that has not come to rest."""
    late = [{"before_draw": 2, "kind": kind}]
    refusal = refused("roulette", ["17"], {"red": 500}, irregularities=late)
    says(refusal, Fault.BAD_SCRIPT, "before the outcome is known", cite)


@pytest.mark.parametrize(
    ("report", "fault", "words"),
    [
        ({"before_draw": 1, "kind": "earthquake"}, Fault.UNKNOWN_IRREGULARITY, "earthquake"),
        ({"before_draw": 5, "kind": "foreign_object"}, Fault.BAD_SCRIPT, "never came about"),
        ({"before_draw": 0, "kind": "foreign_object"}, Fault.BAD_SCRIPT, "never came about"),
        ({"kind": "foreign_object"}, Fault.BAD_SCRIPT, '"before_draw"'),
        ({"before_draw": 1}, Fault.BAD_SCRIPT, '"kind"'),
    ],
)
def test_a_report_that_makes_no_sense_is_refused(
    report: dict[str, Any], fault: Fault, words: str
) -> None:
    """An irregularity is one that the game knows, at a spin that happens."""
    says(refused("roulette", ["17"], {"red": 500}, irregularities=[report]), fault, words)


# The licensee's options and limits.


@pytest.mark.cites("5.1(g)", "5.2(b)", "5.3(d)", "5.1(f)")
@pytest.mark.parametrize(
    ("option", "value", "cite"),
    [
        ("wheel", "triple_zero", "5.2(b)"),
        ("wheel", 1, "5.2(b)"),
        ("zero_rule_double", "en_prison", "5.2(b)"),
        ("five_adjacent_offered", "maybe", "5.3(d)"),
        ("seven_numbers_offered", 7, "5.1(f)"),
        ("color_wagers", "nine_numbers_color", "5.1(g)"),
        ("color_wagers", [SIX, "red"], "5.1(g)"),
        ("table_min", 0, LIMITS),
        ("table_min", -500, LIMITS),
        ("table_min", 5.5, LIMITS),
        ("table_max", "much", LIMITS),
        ("table_max_outside", True, LIMITS),
        ("higher_odds", ["straight"], "5.2(a)"),
    ],
)
def test_a_value_that_an_option_does_not_have_is_unlawful(
    option: str, value: Any, cite: str
) -> None:
    """The refusal names the option and the paragraph behind it."""
    assert unlawful("roulette", {option: value}) == [(option, cite)]


def test_an_option_that_roulette_does_not_have_is_refused() -> None:
    """A misspelled option is not passed over."""
    ((option, _),) = unlawful("roulette", {"en_prison": True})
    assert option == "en_prison"


def test_every_fault_of_a_table_is_told_at_once() -> None:
    """A licensee hears all that is wrong with its table, not the first thing only."""
    options = {"wheel": SINGLE, "zero_rule_double": "half_loss", "color_wagers": EIGHT}
    assert {option for option, _ in unlawful("roulette", options)} == {
        "zero_rule_double",
        "color_wagers",
    }


@pytest.mark.cites("8.2")
@pytest.mark.parametrize(
    ("limits", "options"),
    [
        ({"table_min": 1000, "table_max": 900}, ["table_max"]),
        ({"table_min": 1000, "table_max_outside": 900}, ["table_max_outside"]),
        ({"table_min": 600_000}, ["table_max", "table_max_outside"]),
    ],
)
def test_limits_that_stand_upside_down_are_unlawful(
    limits: dict[str, int], options: list[str]
) -> None:
    """The most that may be wagered cannot be below the least."""
    assert unlawful("roulette", limits) == [(option, LIMITS) for option in options]


INSIDE = [
    *("straight:17", "split:17-20", "three_numbers:1-2-3", "four_numbers:1-2-4-5"),
    *("first_five_numbers", "six_numbers:1-2-3-4-5-6", "seven_numbers"),
    "five_adjacent_numbers:17",
]
OUTSIDE = ["column:1", "dozen:1", *EVEN_MONEY]


@pytest.mark.cites("8.2")
@pytest.mark.parametrize(
    ("label", "most"),
    [*((label, 100_000) for label in INSIDE), *((label, 500_000) for label in OUTSIDE)],
)
def test_a_wager_lies_between_the_limits_of_the_table(label: str, most: int) -> None:
    """At least $5; at most $1,000 inside and $5,000 outside, unless the table posts others."""
    for stake in (500, most):
        assert deal("roulette", ["36"], {label: stake}, options=OPTIONAL).settled(label)
    refusal = refused("roulette", ["36"], {label: 495}, options=OPTIONAL)
    says(refusal, Fault.BELOW_MINIMUM, "below the least it may be, $5", LIMITS)
    refusal = refused("roulette", ["36"], {label: most + 5}, options=OPTIONAL)
    says(refusal, Fault.ABOVE_MAXIMUM, "above the most it may be", LIMITS)


@pytest.mark.cites("8.2")
def test_posted_limits_take_the_place_of_the_usual_ones() -> None:
    """Given limits of $10, $20 inside and $30 outside, they hold to the cent."""
    limits = {"table_min": 1000, "table_max": 2000, "table_max_outside": 3000}
    table = Table(ROULETTE, limits)
    for label, most in (("straight:17", 2000), ("red", 3000)):
        faults = [table.refusal("1", label, stake) for stake in (999, 1000, most, most + 1)]
        assert [refusal and refusal.fault for refusal in faults] == [
            Fault.BELOW_MINIMUM,
            None,
            None,
            Fault.ABOVE_MAXIMUM,
        ]


# Bad input: a clear refusal, and nothing has changed.


@pytest.mark.parametrize(
    ("label", "stake", "fault", "words", "cite"),
    [
        ("voisins", 500, Fault.UNKNOWN_WAGER, "no wager 'voisins'", "5.1"),
        ("", 500, Fault.UNKNOWN_WAGER, "no wager ''", "5.1"),
        ("Red", 500, Fault.UNKNOWN_WAGER, "no wager 'Red'", "5.1"),
        ("straight", 500, Fault.UNKNOWN_SPOT, "needs a spot", "5.1(e)1 (customary)"),
        ("straight:37", 500, Fault.UNKNOWN_SPOT, "no spot '37'", "5.1(e)1 (customary)"),
        ("straight:-1", 500, Fault.UNKNOWN_SPOT, "no spot '-1'", "5.1(e)1 (customary)"),
        ("straight:000", 500, Fault.UNKNOWN_SPOT, "no spot '000'", "5.1(e)1 (customary)"),
        ("split:1-5", 500, Fault.UNKNOWN_SPOT, "no spot '1-5'", "5.1(e)2 (customary)"),
        ("split:3-4", 500, Fault.UNKNOWN_SPOT, "no spot '3-4'", "5.1(e)2 (customary)"),
        ("split:0-3", 500, Fault.UNKNOWN_SPOT, "no spot '0-3'", "5.1(e)2 (customary)"),
        ("three_numbers:2-3-4", 500, Fault.UNKNOWN_SPOT, "no spot", "5.1(e)3 (customary)"),
        ("four_numbers:0-1-2-3", 500, Fault.UNKNOWN_SPOT, "no spot", "5.1(e)4 (customary)"),
        ("column:4", 500, Fault.UNKNOWN_SPOT, "its spots are 1, 2, 3", "5.1(e)9"),
        ("dozen:0", 500, Fault.UNKNOWN_SPOT, "its spots are 1, 2, 3", "5.1(e)10"),
        ("red:1", 500, Fault.UNKNOWN_SPOT, "takes no choice of spot", "5.1(e)11"),
        ("red", -500, Fault.BAD_AMOUNT, "-500 is not a stake", LIMITS),
        ("red", 500.5, Fault.BAD_AMOUNT, "500.5 is not a stake", LIMITS),
        ("red", 500.0, Fault.BAD_AMOUNT, "whole cents", LIMITS),
        ("red", "500", Fault.BAD_AMOUNT, "'500' is not a stake", LIMITS),
        ("red", None, Fault.BAD_AMOUNT, "None is not a stake", LIMITS),
        ("red", [500], Fault.BAD_AMOUNT, "is not a stake", LIMITS),
        ("red", float("nan"), Fault.BAD_AMOUNT, "is not a stake", LIMITS),
        ("red", float("inf"), Fault.BAD_AMOUNT, "is not a stake", LIMITS),
        ("red", True, Fault.BAD_AMOUNT, "True is not a stake", LIMITS),
        ("red", False, Fault.BAD_AMOUNT, "False is not a stake", LIMITS),
        ("red", 0, Fault.NOT_NOW, "there is no red wager to take down", LIMITS),
        ("red", 499, Fault.BELOW_MINIMUM, "$4.99 on red is below", LIMITS),
        ("red", 500_001, Fault.ABOVE_MAXIMUM, "$5,000.01 on red", LIMITS),
    ],
)
def test_a_bad_wager_is_refused_and_changes_nothing(
    label: str, stake: Any, fault: Fault, words: str, cite: str
) -> None:
    """Given a table with a wager on odd, a bad one beside it is refused and odd stays."""
    table = Table(ROULETTE)
    table.bet("1", "odd", 500)
    before = everything(table)
    with pytest.raises(Refusal) as caught:
        table.bet("1", label, stake)
    says(caught.value, fault, words, cite)
    assert everything(table) == before
    says(refused("roulette", ["17"], {label: stake}), fault, words, cite)


@pytest.mark.parametrize(
    "stake",
    [
        pytest.param(10**9, id="ten million dollars"),
        pytest.param(10**13, id="a hundred billion dollars"),
        pytest.param(10**5000, id="five thousand digits"),
    ],
)
def test_a_huge_stake_is_above_the_maximum(stake: int) -> None:
    """A stake in whole cents is too much, however much too much it is."""
    refusal = refused("roulette", ["17"], {"red": stake})
    says(refusal, Fault.ABOVE_MAXIMUM, "the most it may be, $5,000", LIMITS)


@pytest.mark.parametrize(
    "label", ["straight:17-17", "split:17-17-20", "dozen:1-1", "four_numbers:1-1-2-4-5"]
)
def test_a_spot_that_names_a_number_twice_is_no_spot(label: str) -> None:
    """Numbers may come in any order, but each once."""
    assert refused("roulette", ["17"], {label: 500}).fault is Fault.UNKNOWN_SPOT


@pytest.mark.parametrize("seat", ["0", "9", "dealer", ""])
def test_a_seat_that_the_table_does_not_have_is_refused(seat: str) -> None:
    """A roulette table has the seats 1 to 8."""
    refusal = refused("roulette", ["17"], seats={seat: {"wagers": {"red": 500}}})
    says(refusal, Fault.UNKNOWN_SEAT, "the seats are 1 to 8", "5.1")


@pytest.mark.parametrize(
    "stop", [37, "37", "000", -1, "-1", "", " 17", "017", 17.0, True, None, [17], "red", {"n": 17}]
)
def test_a_stop_that_the_wheel_does_not_have_is_refused_and_changes_nothing(stop: Any) -> None:
    """Given an impossible number, the round waits for a possible one."""
    table = Table(ROULETTE)
    table.bet("1", "red", 500)
    play = Play(table)
    before = everything(table)
    with pytest.raises(Refusal) as caught:
        play.answer(stop)
    says(caught.value, Fault.IMPOSSIBLE_OUTCOME, f"38-number roulette wheel has no stop {stop!r}")
    assert everything(table) == before
    assert play.answers == []
    play.answer("3")
    play.answer(None)
    assert [settled.net for settled in table.settlements] == [500]


def test_a_single_zero_wheel_has_no_double_zero() -> None:
    """On a single zero wheel 00 cannot come."""
    refusal = refused("roulette", ["00"], {"red": 500}, options={"wheel": SINGLE})
    says(refusal, Fault.IMPOSSIBLE_OUTCOME, "37-number roulette wheel has no stop '00'")


def test_a_round_without_a_spin_is_refused() -> None:
    """Running out of draws says how many more were needed."""
    refusal = refused("roulette", [], {"red": 500})
    says(refusal, Fault.BAD_SCRIPT, "gives 0 draws and needs at least 1 more")


def test_a_second_spin_is_left_over() -> None:
    """One spin decides everything; another is told as unused."""
    told = deal("roulette", ["3", "4"], {"red": 500})
    assert told.rounds[0]["unused_draws"] == ["4"]
    assert told.net() == 500


# What the wagers are worth: three paths to every figure.


@any_table
def test_every_house_edge_is_the_one_worked_out_by_hand(table: str) -> None:
    """The analysis lists exactly the wagers offered, each at the edge of the arithmetic."""
    assert {report.label: report.house_edge for report in reports(table)} == TABLES[table][1]


@any_table
def test_every_house_edge_is_the_one_of_all_rounds_played_live(table: str) -> None:
    """Dealing every stop of the wheel as a round gives the same edge."""
    for report in reports(table):
        for spot in {report.choices[0], report.choices[-1]}:
            label = report.wager.label(spot)
            assert edge_through_rounds("roulette", label, TABLES[table][0]) == report.house_edge, (
                label
            )


@any_table
def test_every_outcome_table_closes_to_one(table: str) -> None:
    """The probabilities of the outcomes of a wager add up to one."""
    for report in reports(table):
        assert sum(outcome.probability for outcome in report.outcomes) == 1, report.label


@pytest.mark.parametrize(
    ("label", "wheel", "percent"),
    [
        ("straight:17", DOUBLE, 5.263),
        ("first_five_numbers", DOUBLE, 7.895),
        ("red", DOUBLE, 2.632),
        ("straight:17", SINGLE, 2.703),
        ("red", SINGLE, 2.703),
        ("red", AS_SINGLE, 2.703),
    ],
)
def test_the_published_house_edges(label: str, wheel: str, percent: float) -> None:
    """5.263% with two zeros and 2.703% with one, as the literature prints them."""
    (report,) = analyze(ROULETTE, ROULETTE.options({"wheel": wheel}), [label])
    assert round(float(report.house_edge) * 100, 3) == percent


def test_the_outcomes_of_red_under_half_loss() -> None:
    """Of 38 stops 18 win, 18 lose and 2 take half."""
    (report,) = analyze(ROULETTE, ROULETTE.options(), ["red"])
    assert [(o.result, o.net, o.probability) for o in report.outcomes] == [
        ("win", 1, Fraction(18, 38)),
        ("half_loss", Fraction(-1, 2), Fraction(2, 38)),
        ("lose", -1, Fraction(18, 38)),
    ]


@pytest.mark.parametrize(("wheel", "stops"), [(DOUBLE, 38), (SINGLE, 37), (AS_SINGLE, 37)])
def test_the_outcomes_of_a_straight_wager(wheel: str, stops: int) -> None:
    """One number of all that count wins; a 00 that is spun again counts for nothing."""
    (report,) = analyze(ROULETTE, ROULETTE.options({"wheel": wheel}), ["straight"])
    assert len(report.choices) == stops
    assert [(o.net, o.probability) for o in report.outcomes] == [
        (Fraction(35), Fraction(1, stops)),
        (Fraction(-1), Fraction(stops - 1, stops)),
    ]


def test_with_half_loss_the_even_money_wagers_are_the_best() -> None:
    """Every wager has one edge, but even money is better and the first five are worse."""
    ranked = sorted(reports("double zero"), key=lambda report: report.house_edge)
    assert {report.label for report in ranked[:6]} == set(EVEN_MONEY)
    assert len({report.house_edge for report in ranked[6:-1]}) == 1
    assert ranked[-1].label == "first_five_numbers"


def test_eight_numbers_color_is_the_worst_wager_of_the_house() -> None:
    """The eight numbers color wager costs more than any other, 3/19 of the stake."""
    worst = max(reports("double zero, color wagers"), key=lambda report: report.house_edge)
    assert (worst.label, worst.house_edge) == (EIGHT, Fraction(3, 19))
