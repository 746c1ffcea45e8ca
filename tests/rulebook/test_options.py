"""What a licensee may choose: every kind of option, and tables that are not lawful."""

import json
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.equipment import Odds
from croupier.games import find_game
from croupier.rulebook import (
    MaybeFraction,
    MaybeMoney,
    MoneyRange,
    OddsAtLeast,
    Option,
    Refusal,
    Schedule,
    TableOptions,
    Unlawful,
    Violation,
    choice,
    custom,
    flag,
    law,
    money,
    subset,
    whole,
)

CITE = law("8.3")
FELTS = {"A": "blue", "B": "green"}
CARD = {1: {1: Fraction(3)}, 2: {1: Fraction(1, 2), 2: Fraction(12)}}


class Everything(TableOptions):
    """A table with an option of every kind."""

    wheel = choice("double_zero", "single_zero", "3-4-5x", cite=law("5.2(b)"))
    ledger = choice("A", "B", default="B", cite=CITE)
    offered = flag(False, cite=law("5.1(f)"))
    ace_low = flag(True, yes_no=True, cite=CITE)
    colors = subset("red", "black", "eight_numbers", cite=CITE)
    sides = subset("left", "right", default=frozenset({"left"}), cite=CITE)
    stops = whole(53, 100, default=56, cite=law("12.2"))
    seats = whole(2, default=6, follows=lambda options: options.stops - 50, cite=CITE)
    felt = choice("green", "blue", cite=CITE, follows=lambda options: FELTS[options.ledger])
    fee = money(250, cite=CITE, low=100)
    side_limits = MoneyRange((100, 500), CITE, "")
    cap = MaybeMoney(5000, CITE, "")
    advantage = MaybeFraction(None, CITE, "")
    bonus = OddsAtLeast(Odds(3, 2), CITE, "")
    pay_schedule = Schedule("the_card", CARD, 15, CITE, "")

    def combinations(self) -> Iterator[Violation]:
        yield from super().combinations()
        if self.offered and self.wheel == "single_zero":
            yield Violation("offered", "it needs a double zero", law("5.1(f)"))


def option(name: str) -> Option[Any]:
    return Everything.all()[name]


def refused(name: str, said: Any) -> str:
    """The sentence with which a value is refused."""
    with pytest.raises(ValueError) as caught:
        option(name).parse(said)
    return str(caught.value)


# What each kind of option reads.


@pytest.mark.parametrize(
    ("name", "said", "value"),
    [
        ("wheel", "single_zero", "single_zero"),
        ("wheel", "Single Zero", "single_zero"),
        ("wheel", "SINGLE-ZERO ", "single_zero"),
        ("wheel", "3_4_5X", "3-4-5x"),
        ("ledger", "a", "A"),
        ("offered", True, True),
        ("offered", "true", True),
        ("offered", "Yes", True),
        ("offered", "no", False),
        ("offered", False, False),
        ("ace_low", "FALSE", False),
        ("ace_low", True, True),
        ("colors", "none", frozenset()),
        ("colors", "", frozenset()),
        ("colors", [], frozenset()),
        ("colors", "red", frozenset({"red"})),
        ("colors", "red, Eight Numbers", frozenset({"red", "eight_numbers"})),
        ("colors", "red+black", frozenset({"red", "black"})),
        ("colors", ["black", "red", "red"], frozenset({"red", "black"})),
        ("stops", 53, 53),
        ("stops", "100", 100),
        ("seats", 10**9, 10**9),
        ("fee", 100, 100),
        ("fee", "100000", 100_000),
        ("side_limits", "200-200", (200, 200)),
        ("side_limits", "1-5000", (1, 5000)),
        ("side_limits", [100, 300], (100, 300)),
        ("cap", "none", None),
        ("cap", None, None),
        ("cap", "None", None),
        ("cap", 1, 1),
        ("cap", "10000", 10_000),
        ("advantage", "none", None),
        ("advantage", None, None),
        ("advantage", "1/4", Fraction(1, 4)),
        ("advantage", "0.25", Fraction(1, 4)),
        ("advantage", 0.3, Fraction(3, 10)),
        ("advantage", 0, Fraction(0)),
        ("advantage", 1, Fraction(1)),
        ("bonus", "3 to 2", Odds(3, 2)),
        ("bonus", "2_to_1", Odds(2)),
        ("bonus", "1,000 to 1", Odds(1000)),
        ("higher_odds", "none", {}),
        ("higher_odds", None, {}),
        ("higher_odds", {}, {}),
        ("higher_odds", "red: 2 to 1", {"red": Odds(2)}),
        (
            "higher_odds",
            "any_seven: 5 to 1, field.two:3_to_1",
            {"any_seven": Odds(5), "field.two": Odds(3)},
        ),
        ("higher_odds", {"red": "2 to 1"}, {"red": Odds(2)}),
        ("higher_odds", {"fire_bet.six": "2,000 to 1"}, {"fire_bet.six": Odds(2000)}),
        ("pay_schedule", "the_card", CARD),
        ("pay_schedule", "The Card", CARD),
        ("pay_schedule", {"1": {"1": 3}}, {1: {1: Fraction(3)}}),
        ("pay_schedule", '{"2": {"2": "25/2", "0": 0.5}}', {2: {2: Fraction(25, 2), 0: 0.5}}),
    ],
)
def test_a_value_is_read(name: str, said: Any, value: Any) -> None:
    assert option(name).parse(said) == value


@pytest.mark.parametrize(
    ("name", "said", "sentence"),
    [
        ("wheel", "triple_zero", "must be double_zero, single_zero or 3-4-5x, not 'triple_zero'"),
        ("wheel", "", "must be double_zero, single_zero or 3-4-5x, not ''"),
        ("wheel", True, "must be double_zero, single_zero or 3-4-5x, not True"),
        ("wheel", ["single_zero"], "must be double_zero, single_zero or 3-4-5x, not ['single_ze"),
        ("ledger", "C", "must be A or B, not 'C'"),
        ("offered", "maybe", "must be true or false, not 'maybe'"),
        ("offered", 1, "must be true or false, not 1"),
        ("offered", None, "must be true or false, not None"),
        ("ace_low", "perhaps", "must be yes or no, not 'perhaps'"),
        ("colors", "red, green", "must be none or any of red, black, eight_numbers, not green"),
        ("colors", {"red": 1}, "must be none or any of red, black, eight_numbers, not"),
        ("stops", 52, "must be at least 53 and at most 100, not 52"),
        ("stops", 101, "must be at least 53 and at most 100, not 101"),
        ("stops", "many", "must be a whole number, not 'many'"),
        ("stops", 60.0, "must be a whole number, not 60.0"),
        ("stops", True, "must be a whole number, not True"),
        ("stops", None, "must be a whole number, not None"),
        ("stops", [60], "must be a whole number, not [60]"),
        ("seats", 1, "must be at least 2, not 1"),
        ("seats", 10**20, "must be a whole number, not 100000000000000000000"),
        ("fee", 99, "must be at least 100 cents ($1), not 99 cents ($0.99)"),
        ("fee", -500, "must be at least 100 cents ($1), not -500 cents (-$5)"),
        ("side_limits", "100", "must be two amounts, such as 100-500"),
        ("side_limits", "100-200-300", "must be two amounts, such as 100-500"),
        ("side_limits", [100], "must be two amounts, such as 100-500"),
        ("side_limits", "500-100", "must rise from the least to the most, not '500-100'"),
        ("side_limits", "0-100", "must be at least 1 cent ($0.01), not 0 cents ($0)"),
        ("side_limits", [True, 200], "must be a whole number, not True"),
        ("cap", 0, "must be at least 1 cent ($0.01), not 0 cents ($0), or none"),
        ("cap", "lots", "must be a whole number, not 'lots', or none"),
        ("advantage", "5/4", "must be none or a fraction from 0 to 1, not '5/4'"),
        ("advantage", "-1/4", "must be none or a fraction from 0 to 1, not '-1/4'"),
        ("advantage", "1/0", "must be none or a fraction from 0 to 1, not '1/0'"),
        ("advantage", [1], "must be none or a fraction from 0 to 1, not [1]"),
        ("advantage", True, "must be none or a fraction from 0 to 1, not True"),
        ("bonus", "6 to 5", "must pay at least 3 to 2, not 6 to 5"),
        ("bonus", "3 for 2", "'3 for 2' are not odds: write them with \"to\""),
        ("bonus", 2, "'2' are not odds: write them with \"to\""),
        ("higher_odds", "red", 'are not odds: write them with "to"'),
        ("higher_odds", {"red": 2}, 'are not odds: write them with "to"'),
        ("higher_odds", ["red"], "must read wager: odds, such as any_seven: 5 to 1, not ['red']"),
        ("higher_odds", 5, "must read wager: odds, such as any_seven: 5 to 1, not 5"),
        ("pay_schedule", "other", 'must be the_card or a card such as {"1": {"1": 3}}, not \'oth'),
        ("pay_schedule", {"1": 3}, 'must be the_card or a card such as {"1": {"1": 3}}, not'),
        ("pay_schedule", {"one": {"1": 3}}, "must be the_card or a card such as"),
        ("pay_schedule", [1], "must be the_card or a card such as"),
        ("pay_schedule", None, "must be the_card or a card such as"),
        ("pay_schedule", {"1": {"1": "1/0"}}, "must be the_card or a card such as"),
        ("pay_schedule", {"16": {"2": 3}}, "has a row of 16 spots, and tickets have 1 to 15"),
        ("pay_schedule", {"0": {"0": 3}}, "has a row of 0 spots, and tickets have 1 to 15"),
        ("pay_schedule", {"1": {"2": 3}}, "pays for an impossible catch, or less than nothing, on"),
        ("pay_schedule", {"1": {"1": -3}}, "pays for an impossible catch, or less than nothing"),
    ],
)
def test_an_unlawful_value_is_refused_with_what_is_lawful(
    name: str, said: Any, sentence: str
) -> None:
    assert sentence in refused(name, said)


def test_posted_odds_are_read_as_they_are_printed() -> None:
    text = f"fire_bet.six_points: {Odds(2000)}, red: 2 to 1"
    expected = {"fire_bet.six_points": Odds(2000), "red": Odds(2)}
    assert option("higher_odds").parse(text) == expected


values: Mapping[str, st.SearchStrategy[Any]] = {
    "wheel": st.sampled_from(["double_zero", "single_zero", "3-4-5x"]),
    "offered": st.booleans(),
    "ace_low": st.booleans(),
    "colors": st.frozensets(st.sampled_from(["red", "black", "eight_numbers"])),
    "stops": st.integers(53, 100),
    "seats": st.integers(2, 10**14),
    "fee": st.integers(100, 10**14),
    "side_limits": st.tuples(st.integers(1, 10**6), st.integers(10**6, 10**9)),
    "cap": st.none() | st.integers(1, 10**14),
    "advantage": st.none() | st.fractions(0, 1),
    "bonus": st.builds(Odds, st.integers(6, 10**6), st.integers(1, 4)),
    "higher_odds": st.dictionaries(
        st.sampled_from(["red", "black", "field.two"]),
        st.builds(Odds, st.integers(0, 10**6), st.integers(1, 10**3)),
    ),
    "pay_schedule": st.dictionaries(
        st.integers(3, 15),
        st.dictionaries(st.integers(0, 3), st.fractions(0, 10**6)),
    ),
}


@pytest.mark.parametrize("name", values)
def test_a_shown_value_is_read_back_through_json(name: str) -> None:
    @given(values[name])
    def round_trip(value: Any) -> None:
        shown = json.loads(json.dumps(option(name).show(value)))
        assert option(name).parse(shown) == value

    round_trip()


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=5,
)


@pytest.mark.parametrize("name", Everything.all())
def test_any_json_value_is_read_or_refused_and_what_is_read_can_be_shown(name: str) -> None:
    @given(anything)
    def read(said: Any) -> None:
        try:
            value = option(name).parse(said)
        except ValueError:
            return
        json.dumps(option(name).show(value))

    read()


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("pay_schedule", {"1": {"1": "1e5000"}}),
        ("advantage", "1e-5000"),
        ("stops", "6" * 5000),
        ("fee", "6" * 5000),
    ],
)
def test_a_number_too_long_to_print_is_never_read(name: str, said: Any) -> None:
    try:
        value = option(name).parse(said)
    except ValueError:
        return
    json.dumps(option(name).show(value))


def test_a_card_nested_too_deeply_is_refused() -> None:
    assert "must be the_card or a card" in refused("pay_schedule", "[" * 100_000)


def test_yes_and_no_are_shown_where_the_rule_sheet_says_so() -> None:
    assert [option("ace_low").show(value) for value in (True, False)] == ["yes", "no"]
    assert [option("offered").show(value) for value in (True, False)] == [True, False]


def test_a_subset_is_shown_in_the_order_of_its_names() -> None:
    assert option("colors").show(frozenset({"black", "red"})) == ["red", "black"]
    assert option("colors").show(frozenset()) == "none"


@pytest.mark.parametrize(
    ("name", "lawful"),
    [
        ("wheel", ["double_zero", "single_zero", "3-4-5x"]),
        ("offered", [True, False]),
        ("ace_low", ["yes", "no"]),
        ("colors", ["none", "red", "black", "eight_numbers"]),
        ("stops", list(range(53, 101))),
        ("seats", [6]),
        ("fee", [250]),
        ("side_limits", ["100-500"]),
        ("cap", ["none", 5000]),
        ("bonus", ["3 to 2"]),
    ],
)
def test_an_option_lists_its_lawful_values(name: str, lawful: list[Any]) -> None:
    assert option(name).values == lawful
    for value in lawful:
        option(name).parse(value)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("wheel", ""),
        ("seats", "at least 2"),
        ("stops", "at least 53 and at most 100"),
        ("fee", "at least 100 cents ($1)"),
        ("cap", "none, or any amount in cents"),
        ("bonus", "these odds or better"),
    ],
)
def test_an_option_says_what_is_lawful_where_the_values_have_no_end(name: str, words: str) -> None:
    assert option(name).lawful == words


# The options of a table.


def test_an_option_that_is_not_given_has_its_default() -> None:
    options, wrong = Everything.read({})
    assert not wrong
    assert (options.wheel, options.ledger, options.offered) == ("double_zero", "B", False)
    assert (options.colors, options.sides) == (frozenset(), frozenset({"left"}))
    assert (options.stops, options.fee, options.cap, options.advantage) == (56, 250, 5000, None)
    assert (options.side_limits, options.bonus) == ((100, 500), Odds(3, 2))
    assert options.pay_schedule == CARD


def test_a_default_may_follow_from_another_option() -> None:
    assert Everything.read({})[0].seats == 6
    assert Everything.read({"stops": 60})[0].seats == 10
    assert Everything.read({"stops": 60, "seats": 3})[0].seats == 3
    assert Everything.read({})[0].felt == "green"
    assert Everything.read({"ledger": "A"})[0].felt == "blue"
    assert Everything.read({"ledger": "A", "felt": "green"})[0].felt == "green"


def test_a_game_lists_its_own_options_before_those_of_every_table() -> None:
    names = list(Everything.all())
    assert names[0] == "wheel"
    assert names[-4:] == ["table_min", "table_max", "increment", "higher_odds"]


def test_a_game_may_do_without_the_options_of_every_table() -> None:
    class Fewer(TableOptions):
        without = ("increment", "higher_odds")

    assert list(Fewer.all()) == ["table_min", "table_max"]
    assert [each.option for each in Fewer.read({"increment": 5})[1]] == ["increment"]


def test_a_game_may_have_other_limits() -> None:
    class Cheaper(TableOptions):
        table_min = money(100, cite=custom("8.2"))

    assert Cheaper.read({})[0].table_min == 100
    assert TableOptions.read({})[0].table_min == 1000


def test_everything_that_is_wrong_is_reported_at_once() -> None:
    chosen = {"wheel": "square", "stops": 10, "nonsense": 1, "table_min": 600_000, "fee": 100}
    options, wrong = Everything.read(chosen)
    assert [each.option for each in wrong] == ["wheel", "stops", "nonsense", "table_max"]
    assert [str(each.cite) for each in wrong] == [
        "19:47-5.2(b)",
        "19:47-12.2",
        "19:47-8.3 (customary)",
        "19:47-8.2 (customary)",
    ]
    assert options.fee == 100


def test_a_violation_names_its_option_and_its_paragraph() -> None:
    (wrong,) = Everything.read({"ledger": "C"})[1]
    assert str(wrong) == "ledger must be A or B, not 'C' [19:47-8.3]"


def test_an_unknown_option_is_answered_with_the_known_ones() -> None:
    (wrong,) = TableOptions.read({"wheels": 1})[1]
    assert wrong.message == (
        "this game has no option wheels; "
        "its options are table_min, table_max, increment, higher_odds"
    )


def test_limits_that_stand_upside_down_are_unlawful() -> None:
    (wrong,) = TableOptions.read({"table_min": 2000, "table_max": 1500})[1]
    assert wrong.message == "table_max ($15) is below table_min ($20)"
    assert not TableOptions.read({"table_min": 1500, "table_max": 1500})[1]


def test_lawful_values_may_make_an_unlawful_combination() -> None:
    assert not Everything.read({"offered": True})[1]
    (wrong,) = Everything.read({"offered": True, "wheel": "single_zero"})[1]
    assert wrong == Violation("offered", "it needs a double zero", law("5.1(f)"))


def test_an_option_that_is_wrong_by_itself_is_reported_once() -> None:
    (wrong,) = TableOptions.read({"table_max": "none", "table_min": 600_000})[1]
    assert wrong.message == "table_max must be a whole number, not 'none'"


def test_a_table_shows_every_option_as_scripts_write_it() -> None:
    shown = Everything.read({"colors": "red", "cap": "none"})[0].as_json()
    assert list(shown) == list(Everything.all())
    assert shown["colors"] == ["red"]
    assert shown["cap"] == "none"
    assert shown["ace_low"] == "yes"
    assert shown["side_limits"] == "100-500"
    assert shown["pay_schedule"] == "the_card"
    assert shown["bonus"] == "3 to 2"
    again, wrong = Everything.read(json.loads(json.dumps(shown)))
    assert not wrong
    assert again.as_json() == shown


# The options of a game, which knows its own minimums.


def test_an_unlawful_table_is_refused_with_every_violation() -> None:
    chosen = {"wheel": "square", "higher_odds": {"red": "0 to 1", "zero": "5 to 1"}, "other": 0}
    with pytest.raises(Unlawful) as caught:
        find_game("roulette").options(chosen)
    violations = caught.value.violations
    assert [each.option for each in violations] == ["wheel", "other", "higher_odds", "higher_odds"]
    assert isinstance(caught.value, Refusal)
    assert str(caught.value) == "; ".join(map(str, violations))
    assert find_game("roulette").check(chosen) == list(violations)


def test_a_lawful_table_has_no_violations() -> None:
    assert find_game("roulette").check({"wheel": "single_zero"}) == []
    assert find_game("roulette").options({"wheel": "single_zero"}).wheel == "single_zero"
    assert find_game("roulette").options().wheel == "double_zero"


def test_a_table_may_pay_more_than_the_minimum_and_never_less() -> None:
    game = find_game("roulette")
    assert game.check({"higher_odds": {"straight": "36 to 1"}}) == []
    assert game.check({"higher_odds": {"straight": "35 to 1"}}) == []
    (wrong,) = game.check({"higher_odds": {"straight": "34 to 1"}})
    assert wrong.message == "straight would pay 34 to 1, and it may pay no less than 35 to 1"
    assert str(wrong.cite) == "19:47-5.2(a)"


def test_each_line_of_a_pay_table_has_its_own_minimum() -> None:
    game = find_game("craps")
    assert game.check({"higher_odds": "field.two: 3 to 1"}) == []
    assert len(game.check({"higher_odds": "field: 1 to 1"})) == 2
    (wrong,) = game.check({"higher_odds": "field.two: 1 to 1"})
    assert wrong.message == "field.two would pay 1 to 1, and it may pay no less than 2 to 1"


@pytest.mark.parametrize("key", ["nonsense", "field.three", "field.", ".two", ""])
def test_higher_odds_must_name_a_wager_or_a_line_of_one(key: str) -> None:
    wrong = find_game("craps").check({"higher_odds": {key: "9 to 1"}})
    assert [each.message for each in wrong] == [f"{key} is not a wager, or a line of one"]


def test_a_table_pays_the_odds_that_it_posts() -> None:
    game = find_game("craps")
    options = game.options({"higher_odds": "field.two: 3 to 1, any_seven: 9 to 2"})
    assert game.by_id["field"].pay_table(options)["two"] == Odds(3)
    assert game.by_id["field"].pay_table(options)["twelve"] == Odds(2)
    assert game.by_id["any_seven"].pay_table(options) == {"win": Odds(9, 2)}
    assert game.by_id["any_seven"].minimum(options) == {"win": Odds(4)}
