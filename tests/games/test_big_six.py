"""Big six wheel, N.J.A.C. 19:47-5.5 and 5.6."""

import re
from collections import Counter
from fractions import Fraction
from typing import Any

import pytest

from croupier.analysis import analyze
from croupier.games import find_game
from croupier.rulebook import HOUSE, LAYOUT, Draw, Fault, Play, Refusal, Table
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

BIG_SIX = find_game("big-six")

# symbol, stops of the 54, pays so many to 1, house edge
SYMBOLS = [
    ("one", 23, 1, Fraction(4, 27)),
    ("two", 15, 2, Fraction(1, 6)),
    ("five", 8, 5, Fraction(1, 9)),
    ("ten", 4, 10, Fraction(5, 27)),
    ("twenty", 2, 20, Fraction(2, 9)),
    ("joker", 1, 45, Fraction(4, 27)),
    ("flag", 1, 45, Fraction(4, 27)),
]
NAMES = [symbol for symbol, *_ in SYMBOLS]
ONE_OF_EACH = dict.fromkeys(NAMES, 1000)
LIMITS = "8.2 (customary)"

RESPIN, PREVIOUS = {"clapper_between": "void_respin"}, {"clapper_between": "previous_number"}
BETTER = {"higher_odds": {"joker": "52 to 1", "two": "5 to 2"}}
TABLES: list[tuple[dict[str, Any], dict[str, Fraction]]] = [
    ({}, {}),
    (RESPIN, {}),
    (PREVIOUS, {}),
    (BETTER, {"joker": Fraction(1, 54), "two": Fraction(1, 36)}),
]
any_table = pytest.mark.parametrize(("options", "better"), TABLES)


def clapper(before_draw: int = 1) -> list[dict[str, Any]]:
    return [{"before_draw": before_draw, "kind": "clapper_between_numbers"}]


def procedure(told: Told) -> list[tuple[str, str]]:
    """What the dealer did after the wagers were made, with the paragraphs."""
    events = told.rounds[-1]["events"]
    return [(e["kind"], cited(e)) for e in events if e["kind"] != "wager"]


# The wheel.


def test_the_wheel_has_54_stops() -> None:
    """23 ones, 15 twos, 8 fives, 4 tens, 2 twenties, a joker and a flag."""
    stops = BIG_SIX.device(BIG_SIX.options()).outcomes()
    assert len(stops) == 54
    assert Counter(stops) == {symbol: count for symbol, count, *_ in SYMBOLS}


# 5.5: wagers and payout odds.


@pytest.mark.cites("5.5(a)")
@pytest.mark.parametrize(("symbol", "odds"), [(symbol, odds) for symbol, _, odds, _ in SYMBOLS])
def test_a_wager_on_the_winning_symbol_is_paid_at_its_odds(symbol: str, odds: int) -> None:
    """Given a wager on a symbol, when the wheel stops there, it pays so many to 1 (5.5(a))."""
    told = deal("big-six", [symbol], {symbol: 1000})
    assert told.result(symbol) == ("win", odds * 1000)
    assert cited(told.settled(symbol)) == "5.5(a)"


@pytest.mark.cites("5.5(a)")
@pytest.mark.parametrize(("symbol", "odds"), [(symbol, odds) for symbol, _, odds, _ in SYMBOLS])
def test_a_wager_on_any_other_symbol_loses(symbol: str, odds: int) -> None:
    """Given a wager on every symbol, when the wheel stops, then one wins and six lose (5.5(a))."""
    told = deal("big-six", [symbol], ONE_OF_EACH)
    assert {name: told.result(name) for name in NAMES} == {
        name: ("win", odds * 1000) if name == symbol else ("lose", -1000) for name in NAMES
    }


@pytest.mark.cites("5.5(a)")
def test_the_joker_does_not_win_for_the_flag() -> None:
    """Joker and flag pay alike, and each wins on its own stop alone (5.5(a))."""
    assert deal("big-six", ["joker"], {"flag": 1000}).net() == -1000
    assert deal("big-six", ["flag"], {"joker": 1000}).net() == -1000


@pytest.mark.cites("5.5(a)")
def test_better_odds_are_lawful_and_are_paid() -> None:
    """The list is a minimum: a table may pay the joker 46 to 1 (5.5(a))."""
    options = {"higher_odds": {"joker": "46 to 1"}}
    told = deal("big-six", ["joker"], {"joker": 1000, "flag": 1000}, options=options)
    assert told.result("joker") == ("win", 46_000)
    assert deal("big-six", ["flag"], {"flag": 1000}, options=options).net() == 45_000


@pytest.mark.cites("5.5(a)")
@pytest.mark.parametrize(("symbol", "odds"), [(symbol, odds) for symbol, _, odds, _ in SYMBOLS])
def test_odds_below_the_list_are_unlawful(symbol: str, odds: int) -> None:
    """No licensee shall pay off winning wagers at less than the odds listed (5.5(a))."""
    found = unlawful("big-six", {"higher_odds": {symbol: f"{2 * odds - 1} to 2"}})
    assert found == [("higher_odds", "5.5(a)")]


@pytest.mark.cites("5.5(b)")
def test_odds_are_stated_with_to_and_never_with_for() -> None:
    """Every payment states its odds through the word "to" (5.5(b))."""
    for symbol, _, odds, _ in SYMBOLS:
        told = deal("big-six", [symbol], ONE_OF_EACH)
        (paid,) = told.events("pay")
        assert paid["odds"] == told.settled(symbol)["pays"] == f"{odds} to 1"
    shown = [
        str(odds)
        for wager in BIG_SIX.wagers
        for odds in wager.pay_table(BIG_SIX.options()).values()
    ]
    assert all(re.fullmatch(r"\d+ to \d+", odds) for odds in shown)


@pytest.mark.cites("5.5(b)")
def test_a_table_cannot_post_odds_with_the_word_for() -> None:
    """No odds shall be stated through the use of the word "for" (5.5(b))."""
    refusal = refused("big-six", ["joker"], options={"higher_odds": {"joker": "46 for 1"}})
    says(refusal, Fault.UNLAWFUL_TABLE, 'write them with "to"')


# 5.6: the round.


@pytest.mark.cites("5.6(a)", "5.6(b)", "5.6(e)")
def test_a_round_goes_no_more_bets_spin_collect_pay() -> None:
    """The dealer does everything in the order of 5.6, paragraph by paragraph."""
    assert procedure(deal("big-six", ["five"], {"five": 500, "one": 500})) == [
        ("announce", "5.6(a)"),
        ("step", "5.6(b)"),
        ("spin", ""),
        ("announce", "5.6(e) (customary)"),
        ("collect", "5.6(e)"),
        ("pay", "5.6(e)"),
    ]


@pytest.mark.cites("5.6(a)")
def test_no_more_bets_is_called_before_the_wheel_is_spun() -> None:
    """Prior to the spin of the wheel, the dealer shall call "No More Bets" (5.6(a))."""
    events = deal("big-six", ["flag"]).rounds[0]["events"]
    assert events[0]["text"] == "No more bets"
    assert "spins the wheel" in events[1]["text"]


@pytest.mark.cites("5.6(a)")
@pytest.mark.parametrize(("label", "stake"), [("joker", 100), ("one", 200), ("one", 0)])
def test_after_no_more_bets_no_wager_is_made_changed_or_taken_down(label: str, stake: int) -> None:
    """Given the dealer has called "No more bets", a wager is refused (5.6(a))."""
    table = Table(BIG_SIX)
    table.bet("1", "one", 100)
    play = Play(table)
    says(turned_away(table, label, stake), Fault.NO_MORE_BETS, 'after "No more bets"', "5.6(a)")
    play.answer("one")
    play.answer(None)
    assert [(s.bet.label, s.net) for s in table.settlements] == [("one", 100)]


@pytest.mark.cites("5.6(b)")
def test_a_valid_spin_has_at_least_three_revolutions() -> None:
    """The wheel shall complete at least three revolutions (5.6(b))."""
    (spun,) = deal("big-six", ["flag"]).events("step")
    assert "at least three revolutions" in spun["text"]
    assert cited(spun) == "5.6(b)"


@pytest.mark.parametrize(
    ("symbol", "announced"),
    [
        *(("one", "$1"), ("two", "$2"), ("five", "$5"), ("ten", "$10"), ("twenty", "$20")),
        *(("joker", "Joker"), ("flag", "Flag")),
    ],
)
def test_the_dealer_announces_the_symbol(symbol: str, announced: str) -> None:
    """By custom the dealer says where the wheel stopped."""
    said = deal("big-six", [symbol]).said()
    assert said == ["No more bets", f"The wheel stops on {announced}"]


@pytest.mark.cites("5.6(e)")
def test_all_losing_wagers_are_collected_before_any_winning_one_is_paid() -> None:
    """The dealer shall first collect all losing wagers and then pay all winning ones (5.6(e))."""
    seats = {
        "1": {"wagers": {"two": 100, "ten": 100}},
        "2": {"wagers": {"ten": 100, "flag": 100}},
        "12": {"wagers": {"one": 100}},
    }
    events = deal("big-six", ["ten"], seats=seats).rounds[0]["events"]
    moved = [(e["kind"], e["seat"], e["wager"]) for e in events if e["kind"] in ("collect", "pay")]
    assert moved == [
        ("collect", "1", "two"),
        ("collect", "2", "flag"),
        ("collect", "12", "one"),
        ("pay", "1", "ten"),
        ("pay", "2", "ten"),
    ]


@pytest.mark.cites("5.6(e)")
@pytest.mark.parametrize("stop", NAMES)
def test_after_a_round_the_layout_is_empty_and_the_money_adds_up(stop: str) -> None:
    """What the house loses the player has won, and nothing is left lying (5.6(e))."""
    table = Table(BIG_SIX)
    for symbol, stake in ONE_OF_EACH.items():
        table.bet("1", symbol, stake)
    play = Play(table)
    play.answer(stop)
    play.answer(None)
    won = sum(settled.net for settled in table.settlements)
    assert (table.money["1"], table.money[HOUSE], table.money[LAYOUT]) == (won, -won, 0)
    assert table.bets == {}


# 5.6(b) to (d): irregularities.


@pytest.mark.cites("5.6(b)")
def test_a_spin_of_fewer_than_three_revolutions_is_not_valid() -> None:
    """Given too few revolutions, the wheel is spun again and the wagers stay (5.6(b))."""
    reports = [{"before_draw": 1, "kind": "too_few_revolutions"}]
    told = deal("big-six", ["two"], ONE_OF_EACH, irregularities=reports)
    (irregular,) = told.events("irregularity")
    assert "fewer than three revolutions" in irregular["what"]
    assert "not valid; the wheel is spun again" in irregular["resolution"]
    assert cited(irregular) == "5.6(b)"
    assert (
        told.rounds[0]["settlements"]
        == deal("big-six", ["two"], ONE_OF_EACH).rounds[0]["settlements"]
    )


@pytest.mark.cites("5.6(c)1")
def test_the_number_previously_passed_wins_where_the_table_says_so() -> None:
    """Given a clapper between two numbers, the one just passed is the winner (5.6(c)1)."""
    told = deal("big-six", ["ten"], ONE_OF_EACH, options=PREVIOUS, irregularities=clapper())
    (irregular,) = told.events("irregularity")
    assert irregular["resolution"] == "The number previously passed wins"
    assert cited(irregular) == "5.6(c)1"
    assert told.result("ten") == ("win", 10_000)
    assert told.net() == 10_000 - 6 * 1000


@pytest.mark.cites("5.6(c)1")
def test_the_clapper_may_be_reported_with_the_number_already_called() -> None:
    """Given the stop called is the one just passed, it wins as it is (5.6(c)1)."""
    late = clapper(before_draw=2)
    told = deal("big-six", ["ten"], {"ten": 1000}, options=PREVIOUS, irregularities=late)
    assert [kind for kind, _ in procedure(told)][2:4] == ["spin", "irregularity"]
    assert told.net() == 10_000


@pytest.mark.cites("5.6(c)2")
@pytest.mark.parametrize("options", [{}, RESPIN])
def test_the_spin_is_void_and_the_wheel_spun_again_where_the_table_says_so(
    options: dict[str, Any],
) -> None:
    """Given a clapper between two numbers, only the next spin decides (5.6(c)2, the default)."""
    told = deal("big-six", ["ten"], ONE_OF_EACH, options=options, irregularities=clapper())
    (irregular,) = told.events("irregularity")
    assert irregular["resolution"] == "The spin is void; the wheel is spun again"
    assert cited(irregular) == "5.6(c)2"
    assert (
        told.rounds[0]["settlements"]
        == deal("big-six", ["ten"], ONE_OF_EACH).rounds[0]["settlements"]
    )


@pytest.mark.cites("5.6(c)2")
def test_a_void_spin_names_no_number() -> None:
    """Once a number is called the spin is not void: the clapper is told before it (5.6(c)2)."""
    late = clapper(before_draw=2)
    refusal = refused("big-six", ["ten"], {"ten": 1000}, options=RESPIN, irregularities=late)
    says(refusal, Fault.BAD_SCRIPT, "before the outcome is known", "5.6(c)2")


@pytest.mark.cites("5.6(b)")
def test_once_the_wheel_has_stopped_its_revolutions_are_not_counted() -> None:
    """Too few revolutions are told before the number is called."""
    late = [{"before_draw": 2, "kind": "too_few_revolutions"}]
    refusal = refused("big-six", ["ten"], {"ten": 1000}, irregularities=late)
    says(refusal, Fault.BAD_SCRIPT, "before the outcome is known", "5.6(b)")


@pytest.mark.cites("5.6(b)", "5.6(c)2")
@pytest.mark.parametrize("kind", ["too_few_revolutions", "clapper_between_numbers"])
def test_a_spin_that_does_not_count_moves_no_money_and_leaves_betting_closed(kind: str) -> None:
    """The wagers stay as they lie, and the table waits for another spin (5.6(b), (c)2)."""
    table = Table(BIG_SIX)
    table.bet("1", "one", 100)
    play = Play(table)
    money, bets = dict(table.money), dict(table.bets)
    play.answer({"irregularity": kind})
    assert (dict(table.money), table.bets, table.settlements) == (money, bets, [])
    assert table.refusal("1", "two", 100) is not None
    assert isinstance(play.request, Draw)


@pytest.mark.cites("5.6(b)", "5.6(c)2")
def test_one_spin_may_go_wrong_after_another() -> None:
    """A short spin, then a clapper between two numbers, then a spin that counts."""
    reports = [{"before_draw": 1, "kind": "too_few_revolutions"}, *clapper()]
    told = deal("big-six", ["flag"], {"flag": 1000}, irregularities=reports)
    assert [event["irregularity"] for event in told.events("irregularity")] == [
        "too_few_revolutions",
        "clapper_between_numbers",
    ]
    assert told.net() == 45_000


@pytest.mark.parametrize(
    ("report", "fault", "words"),
    [
        ({"before_draw": 1, "kind": "foreign_object"}, Fault.UNKNOWN_IRREGULARITY, "too_few"),
        ({"before_draw": 3, "kind": "too_few_revolutions"}, Fault.BAD_SCRIPT, "never came about"),
    ],
)
def test_a_report_that_makes_no_sense_is_refused(
    report: dict[str, Any], fault: Fault, words: str
) -> None:
    """An irregularity is one that the game knows, at a spin that happens."""
    says(refused("big-six", ["one"], {"one": 500}, irregularities=[report]), fault, words)


# The licensee's options and limits.


@pytest.mark.cites("5.6(d)")
def test_the_table_posts_what_it_does_about_the_clapper() -> None:
    """It shall post which option is in effect; a void spin is the one unless chosen (5.6(d))."""
    for options, posted in (({}, RESPIN), (RESPIN, RESPIN), (PREVIOUS, PREVIOUS)):
        told = deal("big-six", ["one"], options=options)
        shown = told.document["options"]
        assert shown["clapper_between"] == posted["clapper_between"]


@any_table
def test_the_options_a_table_tells_open_the_same_table_again(
    options: dict[str, Any], better: dict[str, Fraction]
) -> None:
    """What a lawful table says of itself is lawful."""
    told = deal("big-six", ["two"], ONE_OF_EACH, options=options)
    again = deal("big-six", ["two"], ONE_OF_EACH, options=told.document["options"])
    assert again == told


@pytest.mark.cites("5.6(c)")
@pytest.mark.parametrize(
    ("option", "value", "cite"),
    [
        ("clapper_between", "next_number", "5.6(c)"),
        ("clapper_between", True, "5.6(c)"),
        ("table_min", 0, LIMITS),
        ("table_max", 10.5, LIMITS),
        ("higher_odds", {"jester": "50 to 1"}, "5.5"),
        ("higher_odds", {"joker": "many"}, "5.5(a)"),
    ],
)
def test_a_value_that_an_option_does_not_have_is_unlawful(
    option: str, value: Any, cite: str
) -> None:
    """The licensee has one of two options about the clapper, and no third (5.6(c))."""
    assert unlawful("big-six", {option: value}) == [(option, cite)]


@pytest.mark.cites("8.2")
def test_limits_that_stand_upside_down_are_unlawful() -> None:
    """The most that may be wagered cannot be below the least."""
    found = unlawful("big-six", {"table_min": 1000, "table_max": 900})
    assert found == [("table_max", LIMITS)]


@pytest.mark.cites("8.2")
@pytest.mark.parametrize("symbol", NAMES)
def test_a_wager_lies_between_the_limits_of_the_table(symbol: str) -> None:
    """At least $1 and at most $1,000, unless the table posts other limits."""
    table = Table(BIG_SIX)
    refusals = [table.refusal("1", symbol, stake) for stake in (99, 100, 100_000, 100_001)]
    assert [refusal and refusal.fault for refusal in refusals] == [
        Fault.BELOW_MINIMUM,
        None,
        None,
        Fault.ABOVE_MAXIMUM,
    ]


# Bad input: a clear refusal, and nothing has changed.


@pytest.mark.parametrize(
    ("label", "stake", "fault", "words", "cite"),
    [
        ("fifty", 500, Fault.UNKNOWN_WAGER, "no wager 'fifty'", "5.5"),
        ("", 500, Fault.UNKNOWN_WAGER, "no wager ''", "5.5"),
        ("joker:1", 500, Fault.UNKNOWN_SPOT, "takes no choice of spot", "5.5(a)"),
        ("one", -500, Fault.BAD_AMOUNT, "-500 is not a stake", LIMITS),
        ("one", 100.5, Fault.BAD_AMOUNT, "100.5 is not a stake", LIMITS),
        ("one", "100", Fault.BAD_AMOUNT, "'100' is not a stake", LIMITS),
        ("one", None, Fault.BAD_AMOUNT, "None is not a stake", LIMITS),
        ("one", True, Fault.BAD_AMOUNT, "True is not a stake", LIMITS),
        ("one", 0, Fault.NOT_NOW, "there is no one wager to take down", LIMITS),
        ("one", 99, Fault.BELOW_MINIMUM, "$0.99 on one is below", LIMITS),
        ("one", 100_001, Fault.ABOVE_MAXIMUM, "$1,000.01 on one", LIMITS),
        ("one", 10**12, Fault.ABOVE_MAXIMUM, "it may be, $1,000", LIMITS),
    ],
)
def test_a_bad_wager_is_refused_and_changes_nothing(
    label: str, stake: Any, fault: Fault, words: str, cite: str
) -> None:
    """Given a table with a wager on the flag, a bad one beside it is refused and it stays."""
    table = Table(BIG_SIX)
    table.bet("1", "flag", 100)
    before = everything(table)
    with pytest.raises(Refusal) as caught:
        table.bet("1", label, stake)
    says(caught.value, fault, words, cite)
    assert everything(table) == before
    says(refused("big-six", ["one"], {label: stake}), fault, words, cite)


@pytest.mark.parametrize("seat", ["0", "13", "dealer"])
def test_a_seat_that_the_table_does_not_have_is_refused(seat: str) -> None:
    """A big six wheel has the seats 1 to 12."""
    refusal = refused("big-six", ["one"], seats={seat: {"wagers": {"one": 500}}})
    says(refusal, Fault.UNKNOWN_SEAT, "the seats are 1 to 12", "5.5")


@pytest.mark.parametrize("stop", ["fifty", "", 1, 5.0, True, None, ["one"], "one two"])
def test_a_stop_that_the_wheel_does_not_have_is_refused_and_changes_nothing(stop: Any) -> None:
    """Given an impossible stop, the round waits for a possible one."""
    table = Table(BIG_SIX)
    table.bet("1", "one", 100)
    play = Play(table)
    before = everything(table)
    with pytest.raises(Refusal) as caught:
        play.answer(stop)
    says(caught.value, Fault.IMPOSSIBLE_OUTCOME, f"the big six wheel has no stop {stop!r}")
    assert everything(table) == before
    assert play.answers == []
    play.answer("one")
    play.answer(None)
    assert [settled.net for settled in table.settlements] == [100]


def test_a_round_without_a_spin_is_refused() -> None:
    """Running out of draws says how many more were needed."""
    refusal = refused("big-six", [], {"one": 500}, irregularities=clapper())
    says(refusal, Fault.BAD_SCRIPT, "gives 0 draws and needs at least 1 more")


# What the wagers are worth: three paths to every figure.


@any_table
def test_every_house_edge_is_the_one_worked_out_by_hand(
    options: dict[str, Any], better: dict[str, Fraction]
) -> None:
    """A symbol of n stops that pays p to 1 returns n(p + 1) of 54 units."""
    reports = analyze(BIG_SIX, BIG_SIX.options(options))
    edges = {symbol: edge for symbol, *_, edge in SYMBOLS} | better
    assert {report.label: report.house_edge for report in reports} == edges


@pytest.mark.parametrize(("symbol", "stops", "odds", "edge"), SYMBOLS)
def test_the_edges_follow_from_stops_and_odds(
    symbol: str, stops: int, odds: int, edge: Fraction
) -> None:
    """The figures of the sheet agree with the count of the stops."""
    assert edge == 1 - Fraction(stops * (odds + 1), 54), symbol


@any_table
def test_every_house_edge_is_the_one_of_all_rounds_played_live(
    options: dict[str, Any], better: dict[str, Fraction]
) -> None:
    """Dealing every stop of the wheel as a round gives the same edge."""
    for report in analyze(BIG_SIX, BIG_SIX.options(options)):
        assert edge_through_rounds("big-six", report.label, options) == report.house_edge


@any_table
def test_every_outcome_table_closes_to_one(
    options: dict[str, Any], better: dict[str, Fraction]
) -> None:
    """A wager wins on its stops and loses on the rest of the 54; nothing pushes."""
    stops = {symbol: count for symbol, count, *_ in SYMBOLS}
    for report in analyze(BIG_SIX, BIG_SIX.options(options)):
        assert sum(outcome.probability for outcome in report.outcomes) == 1
        win, lose = report.outcomes
        assert win.probability == Fraction(stops[report.label], 54)
        assert (lose.net, lose.probability) == (Fraction(-1), 1 - win.probability)


def test_the_five_is_the_best_wager_of_the_wheel() -> None:
    """On the Atlantic City wheel $5 has the lowest edge, 11.111%."""
    best = min(analyze(BIG_SIX, BIG_SIX.options()), key=lambda report: report.house_edge)
    assert (best.label, round(float(best.house_edge) * 100, 3)) == ("five", 11.111)


@pytest.mark.parametrize("symbol", ["one", "joker", "flag"])
def test_the_published_house_edge_of_joker_and_flag(symbol: str) -> None:
    """14.815% for joker and flag, as published, and for the 23 ones of this wheel."""
    (report,) = analyze(BIG_SIX, BIG_SIX.options(), [symbol])
    assert round(float(report.house_edge) * 100, 3) == 14.815
