"""What the wagers of the shoe are worth: counted another way, published elsewhere, dealt live.

Published figures were read at

- casinoexploit.com/baccarat.html: the orderings of four, six and eight decks;
- excelpunks.com, "Concepts 13": the banker's wins by point count, eight decks;
- wizardofodds.com/games/baccarat/appendix/5: Dragon Bonus (the optional bonus, paytable A) and
  4-5-6 (the total card wagers); its mirror mycraftingplace.com: the points of each hand;
- oddsshark.com, "red dog odds", and webcasinoguide.com/reddog.asp;
- wizardofmacau.com/en/games/war.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import permutations
from math import perm, sqrt
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.analysis import WagerReport, analyze
from croupier.analysis.dealt import Dealt
from croupier.equipment import Card, Shoe, deck
from croupier.games import find_game
from croupier.games.baccarat import value
from croupier.rulebook import Ask, Draw, Fault, Play, Refusal, ShoeGame, Table, by_chance
from croupier.rulebook.play import play_round
from croupier.simulation.streams import SeededStream
from tests.analysis.test_shoe import (
    MINIBACCARAT,
    RED_DOG,
    SUITED,
    WAR,
    Chances,
    Hands,
    by_pairs,
    decks,
    hands,
    in_every_order,
    shared,
)
from tests.support import says

Rule = Callable[[int, int, int, int], Fraction | int]  # what one unit wins, by the hands

ORDERS = 4_998_398_275_503_360  # of six cards out of eight decks
ALL_WAGERS = {"offer_total_cards": "yes", "offer_bonus": "yes"}


@cache
def joint(number: int = 8) -> Chances[Hands]:
    """How often each pair of hands is dealt from so many decks."""
    return shared(by_pairs(decks(number)))


def mean(rule: Rule, chances: Mapping[Any, Fraction], power: int = 1) -> Fraction:
    """What one unit wins on average; a round that cannot be finished wins nothing."""
    won = (p * Fraction(rule(*hands)) ** power for hands, p in chances.items() if hands)
    return sum(won, Fraction(0))


def edge(rule: Rule, chances: Mapping[Any, Fraction]) -> Fraction:
    return -mean(rule, chances)


@cache
def report(label: str, game: str = "minibaccarat", **options: Any) -> WagerReport:
    found = find_game(game)
    (told,) = analyze(found, found.options(ALL_WAGERS | options), [label])
    assert told.label == label
    return told


@cache
def report_of(game: ShoeGame, label: str, **options: Any) -> WagerReport:
    (told,) = analyze(game, game.options(options), [label])
    return told


def chance_of(label: str, result: str, **options: Any) -> Fraction:
    outcomes = report(label, **options).outcomes
    return sum((each.probability for each in outcomes if each.result == result), Fraction(0))


def refused(*labels: str, shoe: Sequence[Card] | None = None, **given: Any) -> Refusal:
    terms = {name: given.pop(name) for name in ("stake", "replacement") if name in given}
    options = MINIBACCARAT.options(ALL_WAGERS | given)
    with pytest.raises(Refusal) as caught:
        analyze(MINIBACCARAT, options, labels, shoe=shoe, **terms)
    return caught.value


# The rules of the wagers, as 3.2, 3.3, 7.2 and 7.3 put them.


def banker(
    pays: Fraction | int = 1, *, tie: Fraction | int = 0, six: Fraction | None = None
) -> Rule:
    def rule(player: int, banker: int, _p: int, _b: int) -> Fraction | int:
        if player == banker:
            return tie
        if player > banker:
            return -1
        return six if six is not None and banker == 6 else pays

    return rule


def on_player(player: int, banker: int, _p: int, _b: int) -> int:
    return (player > banker) - (player < banker)


def on_tie(pays: int = 8) -> Rule:
    return lambda player, banker, _p, _b: pays if player == banker else -1


TOTAL_CARDS_PAY = {4: Fraction(3, 2), 5: Fraction(2), 6: Fraction(2)}


def total_cards(number: int) -> Rule:
    return lambda _x, _y, p, b: TOTAL_CARDS_PAY[number] if p + b == number else -1


PAYTABLES = {
    "A": {9: 30, 8: 10, 7: 6, 6: 4, 5: 2, 4: 1},
    "B": {9: 20, 8: 8, 7: 7, 6: 4, 5: 3, 4: 1},
    "C": {9: 30, 8: 10, 7: 4, 6: 4, 5: 2, 4: 2},
}


def bonus(on_the_player: bool, paytable: str) -> Rule:
    def rule(player: int, banker: int, p: int, b: int) -> int:
        mine, other = ((player, p), (banker, b))[:: 1 if on_the_player else -1]
        natural, against = (cards == 2 and points >= 8 for points, cards in (mine, other))
        ahead = mine[0] - other[0]
        if natural and against:
            return (ahead > 0) - (ahead < 0)
        return 1 if natural else PAYTABLES[paytable].get(ahead, -1)

    return rule


def both(first: Rule, second: Rule) -> Rule:
    """Two wagers of one unit each, side by side."""
    return lambda *hands: Fraction(first(*hands)) + second(*hands)


FIVE_PERCENT, FOUR_PERCENT = Fraction(95, 100), Fraction(96, 100)


# Eight decks, ordering by ordering.


@pytest.mark.cites("7.9", "3.9")
@pytest.mark.parametrize("game", ["minibaccarat", "baccarat-punto-banco"])
def test_eight_decks_come_out_as_everyone_counts_them(game: str) -> None:
    found = {each.result: each.probability * ORDERS for each in report("player", game).outcomes}

    assert perm(416, 6) == ORDERS
    assert found == {
        "win": 2_230_518_282_592_256,
        "lose": 2_292_252_566_437_888,
        "tie": 475_627_426_473_216,
    }


@pytest.mark.cites("7.1(a)", "3.1")
def test_six_decks_come_out_as_everyone_counts_them() -> None:
    found = {each.result: each.probability for each in report("player", decks=6).outcomes}

    assert {result: chance * perm(312, 6) for result, chance in found.items()} == {
        "win": 392_220_492_728_832,
        "lose": 403_095_751_234_560,
        "tie": 83_552_962_932_288,
    }


def test_four_decks_given_as_a_shoe_come_out_as_everyone_counts_them() -> None:
    (told,) = analyze(MINIBACCARAT, MINIBACCARAT.options(), ["player"], shoe=deck() * 4)

    found = {each.result: each.probability * perm(208, 6) for each in told.outcomes}
    assert found["win"] == 33_608_344_225_792
    assert found["lose"] == 34_543_624_867_840


BANKER_WINS_WITH = {
    1: 24_291_119_898_624, 2: 44_681_581_871_104, 3: 72_927_778_568_192,
    4: 163_359_790_133_248, 5: 216_715_928_915_968, 6: 269_232_304_455_680,
    7: 384_279_324_919_808, 8: 529_914_458_673_152, 9: 586_850_279_002_112,
}  # fmt: skip
PLAYER_HAS = {
    9: 668_220_074_600_448, 8: 665_982_456_134_400, 7: 668_117_541_187_584,
    6: 665_920_136_276_736, 5: 372_435_601_541_376, 4: 371_426_030_979_072,
    3: 372_517_215_488_256, 2: 371_465_655_324_672, 1: 372_517_055_559_936,
    0: 469_796_508_410_880,
}  # fmt: skip
BANKER_HAS = {
    9: 641_996_333_062_144, 8: 639_959_843_756_800, 7: 641_950_993_608_704,
    6: 605_184_530_090_752, 5: 503_359_177_443_584, 4: 466_997_733_545_984,
    3: 363_761_246_869_760,
}  # fmt: skip


@pytest.mark.cites("7.9", "3.9")
def test_the_points_of_both_hands_come_out_as_published() -> None:
    player: Counter[int] = Counter()
    banker: Counter[int] = Counter()
    wins: Counter[int] = Counter()
    for cards, chance in hands(Dealt(MINIBACCARAT, MINIBACCARAT.options()).deals).items():
        assert cards is not None
        ways = int(chance * ORDERS)
        player[cards[0]] += ways
        banker[cards[1]] += ways
        wins[cards[1]] += ways if cards[1] > cards[0] else 0

    assert player == PLAYER_HAS
    assert +wins == BANKER_WINS_WITH
    assert {points: banker[points] for points in BANKER_HAS} == BANKER_HAS


DRAGON_BONUS = {
    "bonus_player": {
        "win_by_9": 18_409_431_764_992, "win_by_8": 34_097_645_543_424,
        "win_by_7": 89_590_261_473_280, "win_by_6": 141_238_897_317_888,
        "win_by_5": 166_169_165_987_840, "win_by_4": 186_780_352_174_080,
        "natural_winner": 812_685_054_124_032, "natural_tie": 89_325_908_267_520,
    },
    "bonus_banker": {
        "win_by_9": 15_390_342_909_952, "win_by_8": 28_305_092_784_128,
        "win_by_7": 79_517_099_278_336, "win_by_6": 119_200_072_366_080,
        "win_by_5": 157_275_882_332_160, "win_by_4": 201_147_167_287_296,
        "natural_winner": 812_685_054_124_032, "natural_tie": 89_325_908_267_520,
    },
}  # fmt: skip


@pytest.mark.cites("7.2(a)5", "3.2(a)5", "7.3(h)", "3.3(g)")
@pytest.mark.parametrize("label", DRAGON_BONUS)
def test_the_lines_of_the_bonus_come_out_as_published(label: str) -> None:
    found = {each.result: each.probability * ORDERS for each in report(label).outcomes}

    lost = found.pop("lose")
    assert found == DRAGON_BONUS[label]
    assert lost == ORDERS - sum(found.values())


# House edges, by another count and to the digits that are published.


CASES: list[tuple[str, dict[str, Any], Rule]] = [
    ("banker", {}, banker(FIVE_PERCENT)),
    ("banker", {"banker_scheme": "win_vig_4"}, banker(FOUR_PERCENT)),
    ("banker", {"banker_scheme": "tie_vig_25"}, banker(tie=Fraction(-1, 4))),
    ("banker", {"banker_scheme": "no_vig_six_half"}, banker(six=Fraction(1, 2))),
    ("banker", {"banker_scheme": "no_vig_with_total_cards"}, banker(FIVE_PERCENT)),
    ("banker", {"banker_scheme": "no_vig_with_total_cards", "vig_without_total_cards": "4"},
     banker(FOUR_PERCENT)),
    ("player", {}, on_player),
    ("tie", {}, on_tie(8)),
    ("tie", {"tie_odds": "9 to 1"}, on_tie(9)),
    *((f"total_cards_{number}", {}, total_cards(number)) for number in TOTAL_CARDS_PAY),
    *((f"bonus_{hand}", {"bonus_paytable": paytable}, bonus(hand == "player", paytable))
      for hand in ("player", "banker") for paytable in PAYTABLES),
]  # fmt: skip


@pytest.mark.cites("7.3", "3.3")
@pytest.mark.parametrize("number", [6, 8])
@pytest.mark.parametrize(("label", "options", "rule"), CASES)
def test_the_edge_and_the_deviation_are_those_of_the_other_count(
    label: str, options: dict[str, Any], rule: Rule, number: int
) -> None:
    told = report(label, decks=number, **options)

    assert told.house_edge == edge(rule, joint(number))
    assert told.element_of_risk == told.house_edge
    variance = mean(rule, joint(number), 2) - mean(rule, joint(number)) ** 2
    assert told.standard_deviation == pytest.approx(sqrt(variance), rel=1e-12)
    assert told.hit_frequency == sum(p for at, p in joint(number).items() if rule(*at) > 0)


@pytest.mark.cites("3.3")
@pytest.mark.parametrize(
    ("options", "rule"),
    [
        ({}, banker(FIVE_PERCENT)),
        ({"vig_percent": "4"}, banker(FOUR_PERCENT)),
        ({"no_vig_scheme": "six_half"}, banker(six=Fraction(1, 2))),
        ({"no_vig_scheme": "total_cards"}, banker(FIVE_PERCENT)),
    ],
)
def test_punto_banco_names_its_schemes_otherwise_and_keeps_the_same(
    options: dict[str, Any], rule: Rule
) -> None:
    assert report("banker", "baccarat-punto-banco", **options).house_edge == edge(rule, joint())


def test_the_exact_edges_of_eight_decks_follow_from_three_numbers() -> None:
    player, bank, tie = 2_230_518_282_592_256, 2_292_252_566_437_888, 475_627_426_473_216
    six = 269_232_304_455_680

    def lost(orders: int | Fraction) -> Fraction:
        return Fraction(orders) / ORDERS

    assert report("player").house_edge == lost(bank - player)
    assert report("banker").house_edge == lost(player - bank * FIVE_PERCENT)
    assert report("tie").house_edge == lost(bank + player - 8 * tie)
    for scheme, edge in {
        "win_vig_4": lost(player - bank * FOUR_PERCENT),
        "tie_vig_25": lost(player - bank + Fraction(tie, 4)),
        "no_vig_six_half": lost(player - bank + Fraction(six, 2)),
    }.items():
        assert report("banker", banker_scheme=scheme).house_edge == edge


@pytest.mark.cites("7.3", "3.3")
@pytest.mark.parametrize(
    ("label", "options", "percent"),
    [
        ("banker", {}, "1.0579"),
        ("player", {}, "1.2351"),
        ("tie", {}, "14.3596"),
        ("tie", {"decks": 6}, "14.44"),
        ("banker", {"banker_scheme": "no_vig_six_half"}, "1.4581"),
        ("bonus_player", {}, "2.6517"),
        ("bonus_banker", {}, "9.3731"),
        ("bonus_player", {"decks": 6}, "2.67"),
        ("bonus_banker", {"decks": 6}, "9.39"),
    ],
)
def test_the_edge_is_the_published_one(label: str, options: dict[str, Any], percent: str) -> None:
    digits = len(percent.partition(".")[2])

    assert f"{float(100 * report(label, **options).house_edge):.{digits}f}" == percent


@pytest.mark.cites("7.2(a)4", "3.2(a)4")
@pytest.mark.parametrize(
    ("number", "chances"),
    [
        (6, {4: "0.378925", 5: "0.303540", 6: "0.317535"}),
        (8, {4: "0.378868", 5: "0.303444", 6: "0.317687"}),
    ],
)
def test_as_many_cards_are_dealt_as_published(number: int, chances: dict[int, str]) -> None:
    for cards, chance in chances.items():
        hit = report(f"total_cards_{cards}", decks=number).hit_frequency
        assert f"{float(hit):.6f}" == chance


# Wagers side by side.


@pytest.mark.cites("7.3(f)2", "3.3(e)2")
@pytest.mark.parametrize("number", TOTAL_CARDS_PAY)
def test_banker_and_total_cards_together_are_one_proposition_without_vigorish(number: int) -> None:
    label = f"banker+total_cards_{number}"
    together = report(label, banker_scheme="no_vig_with_total_cards")
    rule = both(banker(), total_cards(number))

    assert together.house_edge == edge(rule, joint())
    assert together.wagered == 2
    assert together.element_of_risk == edge(rule, joint()) / 2
    variance = mean(rule, joint(), 2) - mean(rule, joint()) ** 2
    assert together.standard_deviation == pytest.approx(sqrt(variance), rel=1e-12)
    assert sum(each.probability for each in together.outcomes) == 1


@pytest.mark.cites("7.3(f)2")
@pytest.mark.parametrize("number", TOTAL_CARDS_PAY)
def test_the_edges_of_two_wagers_add_up_and_their_variances_do_not(number: int) -> None:
    """The banker wins more often with some totals of cards than with others."""
    free = banker()
    together = report(f"banker+total_cards_{number}", banker_scheme="no_vig_with_total_cards")

    apart = edge(free, joint()), edge(total_cards(number), joint())
    assert together.house_edge == sum(apart)
    product = mean(lambda *at: free(*at) * total_cards(number)(*at), joint())
    covariance = product - apart[0] * apart[1]
    variances = sum(
        mean(rule, joint(), 2) - mean(rule, joint()) ** 2 for rule in (free, total_cards(number))
    )
    assert covariance != 0
    assert together.standard_deviation**2 == pytest.approx(float(variances + 2 * covariance))


@pytest.mark.cites("7.3(f)2")
def test_vigorish_is_due_beside_any_wager_but_on_total_cards() -> None:
    for label, other in (("banker+tie", on_tie()), ("banker+player", on_player)):
        told = report(label, banker_scheme="no_vig_with_total_cards")
        assert told.house_edge == edge(both(banker(FIVE_PERCENT), other), joint())


@pytest.mark.cites("7.3(c)", "7.3(f)2")
def test_vigorish_is_due_beside_total_cards_where_the_table_does_not_waive_it() -> None:
    rule = both(banker(FIVE_PERCENT), total_cards(5))

    assert report("banker+total_cards_5").house_edge == edge(rule, joint())


def test_the_proposition_is_analyzed_unasked_where_the_table_offers_it() -> None:
    def labels(**options: str) -> list[str]:
        table = MINIBACCARAT.options({"offer_total_cards": "yes"} | options)
        return [told.label for told in analyze(MINIBACCARAT, table)]

    alone = ["banker", "player", "tie", "total_cards_4", "total_cards_5", "total_cards_6"]
    beside = [f"banker+total_cards_{number}" for number in (4, 5, 6)]
    assert labels() == alone
    assert labels(banker_scheme="no_vig_with_total_cards") == alone + beside


def test_opposite_wagers_lose_whatever_the_vigorish_costs() -> None:
    """Player and banker at once: only the vigorish of the banker's wins is lost."""
    told = report("player+banker")

    wins = Fraction(2_292_252_566_437_888, ORDERS)
    assert {(each.net, each.probability) for each in told.outcomes} == {
        (Fraction(-1, 20), wins),
        (Fraction(0), 1 - wins - chance_of("player", "tie")),
        (Fraction(0), chance_of("player", "tie")),
    }


# At a stake.


@pytest.mark.cites("3.3(c)1", "7.3(c)1")
@pytest.mark.parametrize(
    ("game", "options", "cents"),
    [
        ("baccarat-punto-banco", {}, {1000: 50, 1010: 75, 1235: 75}),
        ("baccarat-punto-banco", {"vig_percent": "4"}, {1000: 40, 1010: 60, 1235: 60}),
        ("minibaccarat", {}, {1000: 50, 1010: 55, 1235: 65}),
        ("minibaccarat", {"banker_scheme": "win_vig_4"}, {1000: 40, 1010: 45, 1235: 50}),
        ("minibaccarat", {"vig_rounding": "exact"}, {1000: 50, 1020: 51, 1240: 62}),
        ("minibaccarat", {"banker_scheme": "tie_vig_25"}, {1000: 0, 1012: 0}),
    ],
)
def test_vigorish_is_rounded_up_as_the_table_rounds_it(
    game: str, options: dict[str, Any], cents: dict[int, int]
) -> None:
    found = find_game(game)
    for stake, vigorish in cents.items():
        (told,) = analyze(found, found.options(options), ["banker"], stake=stake)

        tie = Fraction(-1, 4) if "tie_vig_25" in options.values() else 0
        rule = banker(Fraction(stake - vigorish, stake), tie=tie)
        assert told.house_edge == edge(rule, joint())


@pytest.mark.cites("7.3(c)1")
def test_rounding_costs_nothing_where_the_vigorish_is_a_whole_coin() -> None:
    for stake in (100, 1000, 5000):
        (told,) = analyze(MINIBACCARAT, MINIBACCARAT.options(), ["banker"], stake=stake)
        assert told.house_edge == report("banker").house_edge


@pytest.mark.cites("7.3(f)2", "7.3(g)")
def test_wagers_side_by_side_lie_at_the_stake_each() -> None:
    scheme = {"offer_total_cards": "yes", "banker_scheme": "no_vig_with_total_cards"}
    label = "banker+total_cards_4"

    (told,) = analyze(MINIBACCARAT, MINIBACCARAT.options(scheme), [label], stake=1010)

    assert told.house_edge == edge(both(banker(), total_cards(4)), joint())


@pytest.mark.cites("7.3(c)1", "7.3(g)", "7.3(f)1")
@pytest.mark.parametrize(
    ("label", "options", "unit", "cite"),
    [
        ("banker", {"vig_rounding": "exact"}, 20, "7.3(c)"),
        ("banker", {"banker_scheme": "win_vig_4", "vig_rounding": "exact"}, 25, "7.3(c)"),
        ("banker", {"banker_scheme": "tie_vig_25"}, 4, "7.3(d)"),
        ("banker", {"banker_scheme": "no_vig_six_half"}, 2, "7.3(f)1"),
        ("total_cards_4", {}, 2, "7.3(g)"),
    ],
)
def test_a_stake_that_cannot_be_paid_exactly_is_refused_as_the_table_refuses_it(
    label: str, options: dict[str, Any], unit: int, cite: str
) -> None:
    table = Table(MINIBACCARAT, ALL_WAGERS | options)
    told = refused(label, stake=1001, **options)

    says(told, Fault.NOT_PAYABLE, f"it must be a multiple of {unit} cents", cite)
    assert str(told) == str(table.refusal("1", label, 1001))


@pytest.mark.parametrize("stake", [0, -500])
def test_a_stake_is_above_zero(stake: int) -> None:
    assert refused("banker", stake=stake).fault is Fault.BAD_AMOUNT


# Any shoe.


EVERY_WAGER: dict[str, Rule] = {
    "banker": banker(FIVE_PERCENT), "player": on_player, "tie": on_tie(),
    **{f"total_cards_{number}": total_cards(number) for number in TOTAL_CARDS_PAY},
    "bonus_player": bonus(True, "A"), "bonus_banker": bonus(False, "A"),
}  # fmt: skip


def every_wager(shoe: Sequence[int], **terms: Any) -> dict[str, WagerReport]:
    cards = [SUITED[value] for value in shoe]
    options = MINIBACCARAT.options(ALL_WAGERS)
    return {told.label: told for told in analyze(MINIBACCARAT, options, shoe=cards, **terms)}


@settings(max_examples=6)
@given(number=st.lists(st.integers(0, 9), min_size=10, max_size=10))
def test_every_wager_is_analyzed_from_the_cards_that_are_left(number: list[int]) -> None:
    values = [value for value, cards in enumerate(number) for _ in range(cards)]
    if len(values) < 6:
        values += [4] * 6
    chances = shared(by_pairs(Counter(values)))

    for label, told in every_wager(values).items():
        assert told.house_edge == edge(EVERY_WAGER[label], chances)


@pytest.mark.cites("7.11(e)")
@given(values=st.lists(st.integers(0, 9), min_size=1, max_size=5))
def test_a_shoe_that_may_run_out_returns_what_it_cannot_decide(values: list[int]) -> None:
    chances = in_every_order(values)

    for label, told in every_wager(values).items():
        assert told.house_edge == edge(EVERY_WAGER[label], chances)
        void = [each for each in told.outcomes if each.result == "void"]
        assert sum(each.probability for each in void) == chances.get(None, 0)
        assert all(each.net == 0 for each in void)


def test_with_replacement_the_shoe_stays_as_it_is() -> None:
    values = [0, 0, 1, 5, 7, 8]

    for replacement in (False, True, False):
        chances = in_every_order(values, replacement)
        for label, told in every_wager(values, replacement=replacement).items():
            assert told.house_edge == edge(EVERY_WAGER[label], chances)


def test_many_decks_come_near_to_replacement() -> None:
    (endless,) = analyze(MINIBACCARAT, MINIBACCARAT.options(), ["tie"], replacement=True)
    far, near = (report("tie", decks=number).house_edge for number in (8, 100))

    assert abs(near - endless.house_edge) < Fraction(1, 5000) < abs(far - endless.house_edge)


# What is refused.


def test_an_empty_shoe_is_refused() -> None:
    says(refused("banker", shoe=[]), Fault.IMPOSSIBLE_OUTCOME, "the shoe is empty")


@pytest.mark.parametrize(
    ("label", "sentence"),
    [
        ("pass", "minibaccarat has no wager 'pass'"),
        ("banker+pass", "minibaccarat has no wager 'pass'"),
        ("banker+", "minibaccarat has no wager ''"),
        ("banker+banker", "banker+banker names a wager twice"),
        ("tie+banker+tie", "tie+banker+tie names a wager twice"),
    ],
)
def test_a_wager_that_does_not_exist_or_is_named_twice_is_refused(
    label: str, sentence: str
) -> None:
    says(refused(label), Fault.UNKNOWN_WAGER, sentence, "7.1")


@pytest.mark.cites("7.2(a)4")
def test_a_wager_that_the_table_does_not_offer_is_refused() -> None:
    told = refused("banker+total_cards_4", offer_total_cards="no")

    says(told, Fault.NOT_OFFERED, "is not offered at this table", "7.2(a)4")


@pytest.mark.parametrize(
    "terms", [{"shoe": deck()}, {"shoe": []}, {"replacement": True}, {"stake": 1000}]
)
def test_a_game_without_a_shoe_is_not_analyzed_from_one(terms: dict[str, Any]) -> None:
    roulette = find_game("roulette")
    with pytest.raises(Refusal) as caught:
        analyze(roulette, roulette.options(), ["red"], **terms)

    assert caught.value.fault is Fault.NOT_NOW
    assert caught.value.message.startswith("roulette ")


# Red dog.


def dogs(number: int) -> tuple[Fraction, Fraction]:
    """What the best raising loses, and what is wagered on average, with so many decks."""
    cards, of_a_rank = 52 * number, 4 * number
    three = Fraction(of_a_rank - 2, cards - 2)
    won = Fraction(13 * perm(of_a_rank, 2), perm(cards, 2)) * 11 * three
    wagered = Fraction(1)
    for spread, pays in {1: 5, 2: 4, 3: 2, **dict.fromkeys(range(4, 12), 1)}.items():
        arises = Fraction(2 * (12 - spread) * of_a_rank**2, perm(cards, 2))
        unit = pays * Fraction(spread * of_a_rank, cards - 2)
        unit -= 1 - Fraction(spread * of_a_rank, cards - 2)
        won += arises * max(unit, 2 * unit)
        wagered += arises * (unit > 0)
    return -won, wagered


@pytest.mark.cites("6.5")
@pytest.mark.parametrize(
    ("number", "percent"), [(1, "3.155"), (2, "3.08"), (4, "2.88"), (6, "2.80"), (8, "2.75")]
)
def test_red_dog_costs_what_is_published_for_every_number_of_decks(
    number: int, percent: str
) -> None:
    told = report_of(RED_DOG, "original", decks=number)

    lost, wagered = dogs(number)
    assert told.house_edge == lost
    assert told.wagered == wagered
    assert told.element_of_risk == lost / wagered
    assert f"{float(100 * lost):.{len(percent) - 2}f}" == percent


RAISING = {  # what a unit wins on average by spread, six decks
    1: "-0.535484", 2: "-0.225806", 3: "-0.303226", 4: "-0.380645", 5: "-0.225806",
    6: "-0.070968", 7: "0.083871", 8: "0.238710", 9: "0.393548", 10: "0.548387", 11: "0.703226",
}  # fmt: skip


@pytest.mark.cites("6.5")
def test_a_player_raises_on_a_spread_of_seven_or_more() -> None:
    told = report_of(RED_DOG, "original")

    assert [each.situation for each in told.advice] == [f"spread {n}" for n in RAISING]
    for spread, advice in zip(RAISING, told.advice, strict=True):
        call, double = advice.values["call"], advice.values["raise"]
        assert f"{float(call):.6f}" == RAISING[spread]
        assert double == 2 * call
        assert advice.move == ("raise" if spread >= 7 else "call")
        assert advice.cost == abs(call)
        assert advice.chance == Fraction(2 * (12 - spread) * 24**2, perm(312, 2))
    assert told.strategy == "Optimal: call on spread 1 to 6; raise on spread 7 to 11."


@pytest.mark.cites("6.5")
@pytest.mark.parametrize("label", ["raise", "original+raise", "raise+original"])
def test_a_raise_is_reported_with_the_wager_that_it_raises(label: str) -> None:
    told = report_of(RED_DOG, label)

    assert told.label == told.wager.id == "original"
    assert told.outcomes == report_of(RED_DOG, "original").outcomes
    assert [told.label for told in analyze(RED_DOG, RED_DOG.options())] == ["original"]


@pytest.mark.cites("6.5")
def test_where_equal_spreads_differ_each_move_is_told_with_its_own_worth() -> None:
    """Both 2 and 10 and 6 and 14 are a spread of seven; here only 2 and 10 have cards between."""
    cards = [Card(rank, "h") for rank in (2, 3, 4, 5, 6, 10, 14)]
    (told,) = analyze(RED_DOG, RED_DOG.options(), shoe=cards)

    seven = {each.move: each for each in told.advice if each.situation == "spread 7"}
    assert seven["raise"].values == {"call": Fraction(3, 5), "raise": Fraction(6, 5)}
    assert seven["call"].values == {"call": Fraction(-3, 5), "raise": Fraction(-6, 5)}
    assert {each.chance for each in seven.values()} == {Fraction(2, 42)}


@settings(max_examples=25)
@given(ranks=st.lists(st.integers(2, 14), min_size=3, max_size=7))
def test_advice_is_always_the_best_move_and_speaks_of_every_choice_once(ranks: list[int]) -> None:
    cards = [Card(rank, "h") for rank in ranks]
    (told,) = analyze(RED_DOG, RED_DOG.options(), shoe=cards)

    asked = [(a, b) for a, b in permutations(ranks, 2) if abs(a - b) > 1]
    assert sum(each.chance for each in told.advice) == Fraction(len(asked), perm(len(ranks), 2))
    for each in told.advice:
        assert each.values[each.move] == max(each.values.values())


# Casino war.


def wars(number: int, second_tie_wins: int) -> tuple[Fraction, Fraction]:
    """How often a first and then a second tie comes, and what always going to war loses."""
    cards, of_a_rank = 52 * number, 4 * number
    tie = Fraction(of_a_rank - 1, cards - 1)
    again = Fraction(12 * perm(of_a_rank, 2) + perm(of_a_rank - 2, 2), perm(cards - 2, 2))
    return tie, tie * ((1 - again) / 2 - second_tie_wins * again)


@pytest.mark.parametrize(
    ("options", "second_tie_wins", "percent"),
    [
        ({}, 2, "2.33"),
        ({"war_tie_bonus": "none"}, 1, "2.88"),
        ({"decks": "8"}, 2, None),
        ({"decks": "7", "war_tie_bonus": "none"}, 1, None),
    ],
)
def test_who_always_goes_to_war_loses_what_is_published(
    options: dict[str, str], second_tie_wins: int, percent: str | None
) -> None:
    told = report_of(WAR, "initial", **options)

    tie, lost = wars(int(options.get("decks", 6)), second_tie_wins)
    assert told.house_edge == lost
    assert told.wagered == 1 + tie
    assert told.strategy == "Optimal: always go_to_war."
    assert percent is None or f"{float(100 * lost):.2f}" == percent


def test_a_tie_wager_at_casino_war_loses_what_is_published() -> None:
    told = report_of(WAR, "tie")

    assert told.house_edge == 1 - 11 * Fraction(23, 311)
    assert f"{float(100 * told.house_edge):.2f}" == "18.65"


def test_a_tie_wager_on_the_war_is_worth_what_it_is_when_it_is_made() -> None:
    told = report_of(WAR, "tie_war", tie_on_war="on")

    again = Fraction(12 * 24 * 23 + 22 * 21, 310 * 309)
    assert told.house_edge == 1 - 11 * again
    assert told.wagered == 1


def test_half_of_an_odd_stake_is_surrendered_in_the_players_favor() -> None:
    """Half of $10.05 is $5.02 and half a cent, which comes back."""
    nines = [Card(9, suit) for suit in "cd"]
    others = [Card(2, "c"), Card(3, "c")]

    def value_of_surrender(stake: int | None) -> Fraction:
        (told,) = analyze(WAR, WAR.options(), ["initial"], shoe=nines + others, stake=stake)
        (advice,) = told.advice
        return advice.values["surrender"]

    assert value_of_surrender(None) == Fraction(-1, 2)
    assert value_of_surrender(1000) == Fraction(-500, 1000)
    assert value_of_surrender(1005) == Fraction(-502, 1005)


# Chemin de fer: without any choice it is punto banco.


@pytest.mark.cites("4.9", "4.10")
@pytest.mark.parametrize("by_cards", [False, True])
def test_chemin_de_fer_without_choices_is_dealt_as_punto_banco(by_cards: bool) -> None:
    chemin = find_game("baccarat-chemin-de-fer")
    forced = {"banker_tableau": "tableau_forced", "player_option_on_5": "no"}

    bank, punt = analyze(chemin, chemin.options(forced), ["bank", "punt"], by_cards=by_cards)

    assert bank.house_edge == edge(banker(FIVE_PERCENT), joint(6))
    assert punt.house_edge == edge(on_player, joint(6))


@pytest.mark.cites("4.9")
def test_who_goes_by_the_very_cards_plays_otherwise_than_who_goes_by_counts() -> None:
    chemin = find_game("baccarat-chemin-de-fer")
    free = chemin.options({"banker_tableau": "free"})

    (counts,), (cards,) = (analyze(chemin, free, ["punt"], by_cards=by) for by in (False, True))

    assert counts.house_edge != cards.house_edge
    assert counts.strategy != cards.strategy


# The live round.


ROUNDS = 2000


def orders(cards: Sequence[Card], number: int) -> Iterator[tuple[tuple[Card, ...], int]]:
    """Every order in which so many of these cards can come, with its ways."""
    yield from Counter(permutations(cards, min(number, len(cards)))).items()


Decide = Callable[[Ask, Table], Any]


def dealt_live(
    game: ShoeGame, cards: Sequence[Card], order: Sequence[Card], wagers: Sequence[str],
    options: Mapping[str, Any], decide: Decide,
) -> Table:  # fmt: skip
    """One live round from a shoe of these cards, which come in this order."""
    table = Table(game, options)
    table.state = game.in_play(table.state)
    table.equipment = Shoe(cards, 0)
    for label in wagers:
        table.bet("1", label, 1000)
    play, coming = Play(table), iter(order)
    while play.request is not None:
        if isinstance(play.request, Draw):
            play.answer(str(next(coming)))
        else:
            play.answer(decide(play.request, table) if isinstance(play.request, Ask) else None)
    return table


def live_outcomes(
    game: ShoeGame, cards: Sequence[Card], wagers: Sequence[str], needed: int,
    options: Mapping[str, Any], decide: Decide,
) -> dict[str, Chances[Fraction]]:  # fmt: skip
    """What each wager nets, over every order of the shoe, dealt live."""
    nets: dict[str, Counter[Fraction]] = {label: Counter() for label in wagers}
    for order, ways in orders(cards, needed):
        table = dealt_live(game, cards, order, wagers, options, decide)
        won: Counter[str] = Counter()
        for settled in table.settlements:
            won[game.by_id[settled.bet.label].joins or settled.bet.label] += settled.net
        for label in wagers:
            nets[label][Fraction(won[label], 1000)] += ways
    return {label: shared(ways) for label, ways in nets.items()}


def computed(told: WagerReport) -> Chances[Fraction]:
    found: dict[Fraction, Fraction] = {}
    for each in told.outcomes:
        found[each.net] = found.get(each.net, Fraction(0)) + each.probability
    return found


def default(ask: Ask, table: Table) -> Any:
    return ask.default


@pytest.mark.cites("7.9", "7.10(b)", "7.11(e)")
@pytest.mark.parametrize("values", [[0, 0, 6, 9, 9, 1], [2, 2, 5, 5, 8, 3], [0, 0, 0, 8, 7]])
@pytest.mark.parametrize("scheme", ["win_vig_5", "no_vig_six_half", "tie_vig_25"])
def test_every_order_of_a_shoe_dealt_live_gives_what_was_computed(
    values: list[int], scheme: str
) -> None:
    cards = [SUITED[value] for value in values]
    options = ALL_WAGERS | {"banker_scheme": scheme}

    live = live_outcomes(MINIBACCARAT, cards, list(EVERY_WAGER), 6, options, default)

    for told in analyze(MINIBACCARAT, MINIBACCARAT.options(options), [*EVERY_WAGER], shoe=cards):
        assert live[told.label] == computed(told)


@pytest.mark.cites("7.3(f)2")
def test_wagers_side_by_side_dealt_live_give_what_was_computed() -> None:
    cards = [SUITED[value] for value in (0, 0, 4, 6, 9, 9, 1)]
    options = ALL_WAGERS | {"banker_scheme": "no_vig_with_total_cards"}
    pair = ["banker", "total_cards_5"]
    nets: Counter[Fraction] = Counter()
    for order, ways in orders(cards, 6):
        table = dealt_live(MINIBACCARAT, cards, order, pair, options, default)
        nets[Fraction(sum(settled.net for settled in table.settlements), 1000)] += ways

    (told,) = analyze(MINIBACCARAT, MINIBACCARAT.options(options), ["+".join(pair)], shoe=cards)

    assert shared(nets) == computed(told)


@pytest.mark.cites("6.5")
@pytest.mark.parametrize("ranks", [[2, 3, 4, 5, 10, 14], [7, 7, 7, 9, 14], [2, 6, 10, 13, 14, 14]])
def test_red_dog_raised_as_advised_gives_what_was_computed(ranks: list[int]) -> None:
    cards = [Card(rank, "h") for rank in ranks]
    dealt = Dealt(RED_DOG, RED_DOG.options(), cards)
    moves = {(c.deal.first, c.deal.second): c.move for c in dealt.deals.choices}

    def as_advised(ask: Ask, table: Table) -> Any:
        first, second = (table.hands[name][0].rank for name in ("first", "second"))
        return {"raise": 1000} if moves[first, second] == "raise" else "call"

    live = live_outcomes(RED_DOG, cards, ["original"], 3, {}, as_advised)

    assert live["original"] == computed(dealt.report("original"))


@pytest.mark.parametrize("bonus", ["none", "equal_to_initial"])
def test_casino_war_dealt_live_gives_what_was_computed(bonus: str) -> None:
    """Two cards, three burnt and two more: seven of a shoe of eight."""
    cards = [Card(rank, "s") for rank in (2, 2, 2, 9, 9, 9, 14, 14)]
    options = {"war_tie_bonus": bonus, "war_burn": "three_once"}
    dealt = Dealt(WAR, WAR.options(options), cards)

    def fights(ask: Ask, table: Table) -> Any:
        return "go_to_war"

    live = live_outcomes(WAR, cards, ["initial", "tie"], 7, options, fights)

    assert dealt.report("initial").strategy == "Optimal: always go_to_war."
    for label in ("initial", "tie"):
        assert live[label] == computed(dealt.report(label))


@settings(max_examples=5)
@given(data=st.data())
def test_a_shoe_in_the_middle_is_analyzed_from_the_cards_that_lie_in_it(
    data: st.DataObject,
) -> None:
    """After some live rounds the stub is one composition, and the next round is dealt from it."""
    table = Table(MINIBACCARAT, ALL_WAGERS)
    table.equipment = Shoe(deck(), 0)
    table.state = MINIBACCARAT.in_play(table.state)
    answer = by_chance(SeededStream(data.draw(st.integers(0, 10**6))))
    for _ in range(data.draw(st.integers(0, 7))):
        table.open_betting()
        table.bet("1", "player", 1000)
        play_round(table, answer)
    left = table.equipment.stub

    (told,) = analyze(MINIBACCARAT, table.options, ["tie"], shoe=left)

    assert told.house_edge == edge(on_tie(), shared(by_pairs(Counter(map(value, left)))))


def test_a_wager_that_is_never_made_from_a_shoe_is_left_out_or_refused_by_name() -> None:
    """Two cards of different ranks: there is no tie, and so no war."""
    game = find_game("casino-war")
    options = game.options({"tie_on_war": "on"})
    shoe = [Card.parse("2c"), Card.parse("3c")]

    assert [report.label for report in analyze(game, options, shoe=shoe)] == ["initial", "tie"]
    with pytest.raises(Refusal) as caught:
        analyze(game, options, ["tie_war"], shoe=shoe)
    assert "tie_war is never made from this shoe" in caught.value.message


def test_an_equilibrium_is_played_at_the_vigorish_that_is_really_taken() -> None:
    """At $10 five percent is 50 cents, as it is; at $10.10 it is rounded up to 75."""
    game = find_game("baccarat-chemin-de-fer")
    free = game.options({"banker_tableau": "free"})

    def plan(**terms: Any) -> str:
        return analyze(game, free, ["punt"], replacement=True, **terms)[0].strategy

    assert plan(stake=1000) == plan()
    assert "draws on five with probability 179/214" in plan()
    assert plan(stake=1010) != plan()
