"""Pokette, N.J.A.C. 19:47-12: a wheel of cards and Jacers, and poker hands of three spins."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise, product
from typing import Any

import pytest

from croupier.analysis import WagerReport, analyze
from croupier.games import find_game
from croupier.games.pokette import PoketteState
from croupier.rulebook import WIN, Case, Draw, Fault, Play, Refusal, Table
from tests.support import (
    Told,
    deal,
    edge_through_rounds,
    everything,
    not_answered,
    refused,
    run,
    section,
    throw_by_throw,
    turned_away,
)

POKETTE = find_game("pokette")
RANKS = "AKQJT98765432"
SUITS = "shcd"
CARDS = [rank + suit for rank in RANKS for suit in SUITS]
JACERS = ["jacer1", "jacer2", "jacer3", "jacer4"]
GROUPS = {"rank_akq": "AKQ", "rank_jt9": "JT9", "rank_876": "876", "rank_543": "543"}

# The sheet's wagers: a spot of each, its winning stops and its odds.
LAYOUT = {
    "single_card:Qh": (1, 50),
    "split:Qh-Qc": (2, 24),
    "split:Qh-Jh": (2, 24),
    "corner:As-Ah-Ks-Kh": (4, 12),
    "single_rank:7": (4, 12),
    "double_rank:8-7": (8, 5),
    "rank_akq": (12, 3),
    "rank_jt9": (12, 3),
    "rank_876": (12, 3),
    "rank_543": (12, 3),
    "red": (26, 1),
    "black": (26, 1),
    "suit:c": (13, 3),
    "jacer": (4, 12),
}

# Its poker hand wagers: spins that open each, its winning stops and its odds.
HANDS = {
    "pair_in_two": (["7s"], 4, 11),
    "pair_in_three": (["7s", "Kd"], 8, 5),
    "three_of_a_kind": (["7s", "7d"], 4, 11),
    "flush": (["7s", "Ks"], 13, 3),
    "straight_open": (["7s", "8d"], 8, 5),
    "straight_inside": (["7s", "9d"], 4, 11),
    "straight_flush_open": (["7s", "8s"], 2, 24),
    "straight_flush_inside": (["7s", "9s"], 1, 49),
}


def spin(stop: str, wager: str, options: dict[str, Any] | None = None) -> int:
    """What ten dollars on a layout wager win, in dollars."""
    _, net = deal("pokette", [stop], {wager: 1000}, options=options).result(wager)
    return net // 100


def hand(*spins: str, wager: str, options: dict[str, Any] | None = None) -> int:
    """What ten dollars on a poker hand wager win on the last of these spins, in dollars."""
    *shown, last = spins
    rounds: list[tuple[str, dict[str, int]]] = [(stop, {}) for stop in shown]
    told = throw_by_throw("pokette", *rounds, (last, {wager: 1000}), options=options)
    return told.result(wager)[1] // 100


def after(*spins: str, options: dict[str, Any] | None = None) -> Table:
    """A table open for betting after these spins."""
    table = Table(POKETTE, options)
    for stop in spins:
        play = Play(table)
        play.answer(stop)
        play.answer(None)
        table.open_betting()
    return table


def open_hands(table: Table) -> set[str]:
    return {wager for wager in HANDS if table.refusal("1", wager, 1000) is None}


@cache
def report(label: str) -> WagerReport:
    (found,) = analyze(POKETTE, POKETTE.options(), [label])
    return found


# The wheel and the layout.


@pytest.mark.cites("12.2")
@pytest.mark.parametrize(
    ("options", "jacers", "blanks"),
    [
        ({}, 4, 0),
        ({"jacer_stops": 1}, 1, 0),
        ({"jacer_stops": 8}, 8, 0),
        ({"wheel_stops": 60}, 4, 4),
        ({"jacer_stops": 2, "wheel_stops": 54}, 2, 0),
        ({"jacer_stops": 1, "wheel_stops": 100}, 1, 47),
    ],
)
def test_the_wheel_has_every_card_once_its_jacers_and_stops_that_win_nothing(
    options: dict[str, int], jacers: int, blanks: int
) -> None:
    stops = POKETTE.device(POKETTE.options(options)).outcomes()

    expected = CARDS + [f"jacer{n + 1}" for n in range(jacers)]
    assert sorted(stops) == sorted(expected + [f"blank{n + 1}" for n in range(blanks)])


@pytest.mark.cites("12.2")
@pytest.mark.parametrize(
    ("options", "option", "says"),
    [
        ({"jacer_stops": 0}, "jacer_stops", "must be at least 1 and at most 8, not 0"),
        ({"jacer_stops": 9}, "jacer_stops", "must be at least 1 and at most 8, not 9"),
        ({"wheel_stops": 52}, "wheel_stops", "must be at least 53"),
        ({"wheel_stops": 55}, "wheel_stops", "52 cards and 4 Jacers need more than 55 stops"),
        (
            {"jacer_stops": 8, "wheel_stops": 59},
            "wheel_stops",
            "52 cards and 8 Jacers need more than 59 stops",
        ),
    ],
)
def test_a_wheel_without_room_for_its_cards_and_jacers_is_unlawful(
    options: dict[str, Any], option: str, says: str
) -> None:
    (violation,) = POKETTE.check(options)

    assert violation.option == option
    assert says in violation.message
    assert violation.cite.section == "19:47-12.2"


@pytest.mark.cites("12.5", "12.6(b)")
def test_only_the_wagers_of_the_rule_are_permitted() -> None:
    layout = dict.fromkeys(label.partition(":")[0] for label in LAYOUT)

    assert [wager.id for wager in POKETTE.wagers] == [*layout, *HANDS]


def spots(wager: str, options: dict[str, Any] | None = None) -> dict[str, frozenset[str]]:
    return dict(POKETTE.by_id[wager].spots(POKETTE.options(options)))


def place(card: str) -> tuple[int, int]:
    """The row and the column of a card on the layout."""
    return RANKS.index(card[0]), SUITS.index(card[1])


@pytest.mark.cites("12.5")
def test_a_split_is_any_two_cards_side_by_side_or_one_above_the_other() -> None:
    def adjacent(one: str, other: str) -> bool:
        (row, column), (row2, column2) = place(one), place(other)
        return abs(row - row2) + abs(column - column2) == 1

    beside = {frozenset(two) for two in combinations(CARDS, 2) if adjacent(*two)}

    assert set(spots("split").values()) == beside
    assert len(spots("split")) == 13 * 3 + 12 * 4


@pytest.mark.cites("12.5")
def test_a_corner_is_any_four_cards_that_meet_in_one_point() -> None:
    blocks = {
        frozenset(RANKS[row + down] + SUITS[column + right] for down in (0, 1) for right in (0, 1))
        for row, column in product(range(12), range(3))
    }

    assert set(spots("corner").values()) == blocks
    assert len(spots("corner")) == 36


@pytest.mark.cites("12.5")
def test_a_double_rank_is_any_two_ranks_next_to_each_other_and_the_ends_do_not_meet() -> None:
    assert list(spots("double_rank")) == [f"{high}-{low}" for high, low in pairwise(RANKS)]
    assert "2-A" not in spots("double_rank")


@pytest.mark.cites("12.5")
def test_a_suit_is_a_column_of_thirteen_cards() -> None:
    assert spots("suit") == {
        suit: frozenset(card for card in CARDS if card[1] == suit) for suit in SUITS
    }


@pytest.mark.cites("12.5")
@pytest.mark.parametrize(
    ("label", "says"),
    [
        ("split:As-Ac", "split has no spot 'As-Ac' at this table"),
        ("split:As-Ad", "split has no spot 'As-Ad' at this table"),
        ("split:As-2s", "split has no spot 'As-2s' at this table"),
        ("split:As-Kh", "split has no spot 'As-Kh' at this table"),
        ("split:As", "split has no spot 'As' at this table"),
        ("corner:As-Ah-Qs-Qh", "corner has no spot"),
        ("double_rank:A-2", "double_rank has no spot 'A-2' at this table"),
        ("double_rank:A-Q", "double_rank has no spot 'A-Q' at this table"),
        ("single_rank:1", "single_rank has no spot '1' at this table"),
        ("single_card:Jk", "single_card has no spot 'Jk' at this table"),
        ("single_card", "single_card needs a spot, such as single_card:As"),
        ("suit:x", "suit has no spot 'x' at this table; its spots are s, h, c, d"),
        ("red:As", "red takes no choice of spot"),
        ("jacer:jacer1", "jacer takes no choice of spot"),
        ("split:jacer1-As", "split has no spot 'jacer1-As' at this table"),
    ],
)
def test_a_spot_that_the_layout_does_not_have_is_refused(label: str, says: str) -> None:
    refusal = turned_away(Table(POKETTE), label)

    assert refusal.fault is Fault.UNKNOWN_SPOT
    assert says in refusal.message
    assert section(refusal) == "19:47-12.6"


@pytest.mark.cites("12.1")
@pytest.mark.parametrize("label", ["banana", "rank_222", "full_house"])
def test_a_wager_that_pokette_does_not_have_is_refused(label: str) -> None:
    refusal = turned_away(Table(POKETTE), label)

    assert refusal.fault is Fault.UNKNOWN_WAGER
    assert refusal.message == f"pokette has no wager {label!r}"
    assert section(refusal) == "19:47-12.1"


@pytest.mark.cites("12.5")
@pytest.mark.parametrize(
    ("named", "spot"),
    [
        ("split:Ks-As", "split:As-Ks"),
        ("corner:kh-ks-ah-as", "corner:As-Ah-Ks-Kh"),
        ("double_rank:k-a", "double_rank:A-K"),
    ],
)
def test_the_cards_of_a_spot_may_be_named_in_any_order(named: str, spot: str) -> None:
    table = Table(POKETTE)

    table.bet("1", named, 1000)

    assert [bet.label for bet in table.bets.values()] == [spot]


# What the layout wagers win on and what they pay.


def covers(label: str, stop: str) -> bool:
    """Whether a stop wins a layout wager, read from the label."""
    name, _, spot = label.partition(":")
    if stop not in CARDS:
        return name == "jacer"
    rank, suit = stop[0], stop[1]
    return {
        "single_card": stop == spot,
        "split": stop in spot.split("-"),
        "corner": stop in spot.split("-"),
        "single_rank": rank == spot,
        "double_rank": rank in spot.split("-"),
        "red": suit in "hd",
        "black": suit in "sc",
        "suit": suit == spot,
        "jacer": False,
    }.get(name, rank in GROUPS.get(name, ""))


@pytest.mark.cites("12.5", "12.6(b)")
@pytest.mark.parametrize("stop", CARDS + JACERS)
def test_every_spot_of_the_layout_wins_on_its_own_stops_and_loses_on_all_others(stop: str) -> None:
    odds = {label.partition(":")[0]: pays for label, (_, pays) in LAYOUT.items()}
    labels = [f"{wager}:{spot}" if spot else wager for wager in odds for spot in spots(wager)]

    told = deal("pokette", [stop], dict.fromkeys(labels, 1000))

    assert {settled["wager"]: settled["net"] for settled in told.rounds[0]["settlements"]} == {
        label: 1000 * odds[label.partition(":")[0]] if covers(label, stop) else -1000
        for label in labels
    }


@pytest.mark.cites("12.6(b)")
@pytest.mark.parametrize(
    ("wager", "stop", "wins"),
    [
        ("single_card:Qh", "Qh", 500),
        ("single_card:Qh", "Qd", -10),
        ("split:Qh-Qc", "Qc", 240),
        ("corner:As-Ah-Ks-Kh", "Kh", 120),
        ("single_rank:7", "7d", 120),
        ("double_rank:8-7", "8c", 50),
        ("rank_akq", "As", 30),
        ("rank_jt9", "9h", 30),
        ("rank_876", "6c", 30),
        ("rank_543", "3d", 30),
        ("red", "2d", 10),
        ("black", "2c", 10),
        ("suit:c", "2c", 30),
        ("jacer", "jacer3", 120),
        ("jacer", "As", -10),
        ("red", "jacer", -10),
        ("black", "jacer", -10),
    ],
)
def test_a_layout_wager_pays_at_the_odds_of_the_rule(wager: str, stop: str, wins: int) -> None:
    assert spin(stop, wager) == wins


@pytest.mark.cites("12.6(b)")
@pytest.mark.parametrize("suit", SUITS)
def test_the_twos_belong_to_no_group_of_three_ranks(suit: str) -> None:
    told = deal("pokette", [f"2{suit}"], dict.fromkeys(GROUPS, 1000))

    assert [told.result(group) for group in GROUPS] == [("lose", -1000)] * 4


@pytest.mark.cites("12.6(b)", "12.8")
@pytest.mark.parametrize(
    ("spins", "wager", "wins"),
    [
        (("7s", "7d"), "pair_in_two", 110),
        (("7s", "7s"), "pair_in_two", 110),
        (("7s", "8s"), "pair_in_two", -10),
        (("7s", "Kd", "7c"), "pair_in_three", 50),
        (("7s", "Kd", "Kd"), "pair_in_three", 50),
        (("7s", "Kd", "8c"), "pair_in_three", -10),
        (("7s", "7d", "7h"), "three_of_a_kind", 110),
        (("7s", "7d", "8h"), "three_of_a_kind", -10),
        (("7s", "Ks", "2s"), "flush", 30),
        (("7s", "Ks", "2h"), "flush", -10),
        (("7s", "8d", "6c"), "straight_open", 50),
        (("8s", "7d", "9c"), "straight_open", 50),
        (("7s", "8d", "Tc"), "straight_open", -10),
        (("7s", "9d", "8c"), "straight_inside", 110),
        (("7s", "9d", "Tc"), "straight_inside", -10),
        (("7s", "8s", "9s"), "straight_flush_open", 240),
        (("7s", "8s", "9d"), "straight_flush_open", -10),
        (("7s", "9s", "8s"), "straight_flush_inside", 490),
        (("7s", "9s", "8h"), "straight_flush_inside", -10),
    ],
)
def test_a_poker_hand_wager_wins_if_the_next_spin_completes_the_hand(
    spins: tuple[str, ...], wager: str, wins: int
) -> None:
    assert hand(*spins, wager=wager) == wins


@pytest.mark.cites("12.8")
@pytest.mark.parametrize("wager", HANDS)
def test_a_jacer_never_helps_a_hand(wager: str) -> None:
    spins, _, _ = HANDS[wager]

    assert hand(*spins, "jacer2", wager=wager) == -10


# When poker hand wagers are open.


@pytest.mark.cites("12.8")
@pytest.mark.parametrize(
    ("wager", "when"),
    [
        ("pair_in_two", "Pair in two may be bet only after the first spin of a hand"),
        ("pair_in_three", "Pair in three may be bet only after two spins of two ranks"),
        ("three_of_a_kind", "Three of a kind may be bet only after two spins of one rank"),
        ("flush", "Flush may be bet only after two spins of one suit"),
        ("straight_open", "Straight, open may be bet only after two spins that either"),
        ("straight_inside", "Straight, inside may be bet only after two spins that one rank"),
        ("straight_flush_open", "after two spins of one suit that either of two cards"),
        ("straight_flush_inside", "after two spins of one suit that one card alone"),
    ],
)
def test_before_the_first_spin_no_poker_hand_wager_is_open(wager: str, when: str) -> None:
    refusal = turned_away(Table(POKETTE), wager)

    assert refusal.fault is Fault.NOT_NOW
    assert when in refusal.message
    assert str(refusal.cite) == "19:47-12.8 (customary)"


@pytest.mark.cites("12.8")
@pytest.mark.parametrize(
    ("spins", "opened"),
    [
        (["7s"], {"pair_in_two"}),
        (["7s", "7d"], {"three_of_a_kind"}),
        (["7s", "7s"], {"three_of_a_kind", "flush"}),
        (["7s", "Kd"], {"pair_in_three"}),
        (["7s", "Ks"], {"pair_in_three", "flush"}),
        (["7s", "8d"], {"pair_in_three", "straight_open"}),
        (["9s", "7d"], {"pair_in_three", "straight_inside"}),
        (["7s", "8s"], {"pair_in_three", "flush", "straight_open", "straight_flush_open"}),
        (["As", "Ks"], {"pair_in_three", "flush", "straight_inside", "straight_flush_inside"}),
        (["As", "Kd"], {"pair_in_three", "straight_inside"}),
        (["As", "2d"], {"pair_in_three", "straight_inside"}),
        (["As", "3d"], {"pair_in_three", "straight_inside"}),
        (["As", "Qd"], {"pair_in_three", "straight_inside"}),
        (["Ks", "Qd"], {"pair_in_three", "straight_open"}),
        (["2s", "3d"], {"pair_in_three", "straight_open"}),
        (["As", "4d"], {"pair_in_three"}),
        (["As", "Jd"], {"pair_in_three"}),
        (["2s", "Kd"], {"pair_in_three"}),
    ],
)
def test_a_poker_hand_wager_is_open_only_when_the_spins_before_make_it_possible(
    spins: list[str], opened: set[str]
) -> None:
    table = after(*spins)

    assert open_hands(table) == opened
    for wager in HANDS.keys() - opened:
        refusal = turned_away(table, wager)
        assert refusal.fault is Fault.NOT_NOW
        assert section(refusal) == "19:47-12.8"


@pytest.mark.cites("12.1", "12.8")
@pytest.mark.parametrize(
    ("spins", "opened"),
    [
        (["2s", "3d"], {"pair_in_three", "straight_inside"}),
        (["2s", "3s"], {"pair_in_three", "flush", "straight_inside", "straight_flush_inside"}),
        (["As", "2d"], {"pair_in_three"}),
        (["As", "3d"], {"pair_in_three"}),
        (["As", "Kd"], {"pair_in_three", "straight_inside"}),
        (["Ks", "Qd"], {"pair_in_three", "straight_open"}),
    ],
)
def test_where_the_ace_is_not_low_it_starts_no_straight(spins: list[str], opened: set[str]) -> None:
    assert open_hands(after(*spins, options={"ace_low_straight": "no"})) == opened


@pytest.mark.cites("12.1", "12.8")
@pytest.mark.parametrize(
    ("spins", "wager", "wins"),
    [
        (("2s", "3d", "Ac"), "straight_open", 50),
        (("2s", "3d", "4c"), "straight_open", 50),
        (("As", "2d", "3c"), "straight_inside", 110),
        (("As", "2d", "Kc"), "straight_inside", -10),
        (("As", "3d", "2c"), "straight_inside", 110),
        (("Ks", "Qd", "Ac"), "straight_open", 50),
        (("Ks", "Qd", "Jc"), "straight_open", 50),
        (("As", "Kd", "Qc"), "straight_inside", 110),
        (("As", "Kd", "2c"), "straight_inside", -10),
        (("As", "Qd", "Kc"), "straight_inside", 110),
        (("As", "2s", "3s"), "straight_flush_inside", 490),
        (("2s", "3s", "As"), "straight_flush_open", 240),
    ],
)
def test_the_ace_is_high_and_low_in_a_straight(
    spins: tuple[str, ...], wager: str, wins: int
) -> None:
    assert hand(*spins, wager=wager) == wins


def completing(first: str, second: str, ace_low: bool) -> dict[str, set[str]]:
    """The third cards that make each hand with two, found by trying all 52."""

    def rank(card: str) -> int:
        return 14 - RANKS.index(card[0])

    def in_a_row(cards: Sequence[str]) -> bool:
        ranks = {rank(card) for card in cards}
        return len(ranks) == 3 and (
            max(ranks) - min(ranks) == 2 or (ace_low and ranks == {14, 2, 3})
        )

    def of_one_suit(cards: Sequence[str]) -> bool:
        return len({card[1] for card in cards}) == 1

    paired = {card for card in CARDS if card[0] in (first[0], second[0])}
    straights = {card for card in CARDS if in_a_row((first, second, card))}
    flushes = {card for card in CARDS if of_one_suit((first, second, card))}
    is_open = len({card[0] for card in straights}) == 2
    return {
        "pair_in_two": set(),
        "pair_in_three": paired if first[0] != second[0] else set(),
        "three_of_a_kind": paired if first[0] == second[0] else set(),
        "flush": flushes,
        "straight_open": straights if is_open else set(),
        "straight_inside": set() if is_open else straights,
        "straight_flush_open": straights & flushes if is_open else set(),
        "straight_flush_inside": set() if is_open else straights & flushes,
    }


@pytest.mark.cites("12.8")
@pytest.mark.parametrize("ace_low", [True, False])
@pytest.mark.parametrize("rank", RANKS)
def test_after_any_two_spins_the_open_hands_win_on_the_cards_that_complete_them(
    rank: str, ace_low: bool
) -> None:
    table = Table(POKETTE, {"ace_low_straight": ace_low})

    for second in CARDS:
        table.state = PoketteState((rank + "s", second))
        wanted = completing(rank + "s", second, ace_low)
        assert open_hands(table) == {wager for wager, cards in wanted.items() if cards}, second
        for wager in open_hands(table):
            wins = {
                stop
                for stop in CARDS + JACERS
                if POKETTE.by_id[wager].decide(Case(stop, table.state, table.options)) is WIN
            }
            assert wins == wanted[wager], (second, wager)


# The cycle of three spins.


@pytest.mark.cites("12.2", "12.8")
def test_a_hand_is_three_spins_and_then_the_displayed_cards_are_cleared() -> None:
    table = Table(POKETTE)

    shown = []
    for stop in ("7s", "Kd", "2c", "9h"):
        play = Play(table)
        play.answer(stop)
        play.answer(None)
        table.open_betting()
        shown.append((table.state.spins, open_hands(table)))

    assert shown == [
        (("7s",), {"pair_in_two"}),
        (("7s", "Kd"), {"pair_in_three"}),
        ((), set()),
        (("9h",), {"pair_in_two"}),
    ]


@pytest.mark.cites("12.7", "12.8")
@pytest.mark.parametrize("spins", [[], ["7s"], ["7s", "8s"]])
def test_a_jacer_ends_the_hand_and_a_new_one_begins(spins: list[str]) -> None:
    table = after(*spins, "jacer1")

    assert table.state.spins == ()
    assert open_hands(table) == set()


@pytest.mark.cites("12.8")
@pytest.mark.parametrize(
    ("spins", "opened"), [(["7s"], {"pair_in_two"}), (["7s", "Kd"], {"pair_in_three"}), ([], set())]
)
def test_where_a_jacer_is_ignored_the_hand_stays_as_it_was(
    spins: list[str], opened: set[str]
) -> None:
    table = after(*spins, "jacer1", "jacer4", options={"cycle_on_jacer": "ignore_spin"})

    assert table.state.spins == tuple(spins)
    assert open_hands(table) == opened


@pytest.mark.cites("12.8")
@pytest.mark.parametrize("cycle", ["end", "ignore_spin"])
def test_poker_hand_wagers_on_a_spin_that_shows_a_jacer_lose_either_way(cycle: str) -> None:
    wins = hand("7s", "8s", "jacer1", wager="flush", options={"cycle_on_jacer": cycle})

    assert wins == -10


@pytest.mark.cites("12.8")
@pytest.mark.parametrize(("cycle", "left"), [("end", ()), ("ignore_spin", ("7s",))])
def test_a_stop_that_is_neither_card_nor_jacer_counts_for_the_hand_as_a_jacer(
    cycle: str, left: tuple[str, ...]
) -> None:
    options = {"wheel_stops": 57, "cycle_on_jacer": cycle}

    assert after("7s", "blank", options=options).state.spins == left
    assert spin("blank", "jacer", options) == -10
    assert spin("blank", "red", options) == -10


# What the licensee may choose.


@pytest.mark.cites("12.5")
@pytest.mark.parametrize(
    ("wins_on", "winning", "losing"),
    [
        ("jacer", ["jacer1", "jacer4"], ["As", "2d"]),
        ("jacer, As, Ah", ["jacer1", "As", "Ah"], ["Ac", "Ad"]),
        (["2s", "2h", "2c", "2d"], ["2s", "2d"], ["jacer1", "3s"]),
    ],
)
def test_a_jacer_wager_wins_on_the_stops_that_the_licensee_names(
    wins_on: Any, winning: list[str], losing: list[str]
) -> None:
    options = {"jacer_wins_on": wins_on}

    assert [spin(stop, "jacer", options) for stop in winning] == [120] * len(winning)
    assert [spin(stop, "jacer", options) for stop in losing] == [-10] * len(losing)


@pytest.mark.cites("12.5")
def test_a_jacer_wager_that_could_not_win_is_unlawful() -> None:
    (violation,) = POKETTE.check({"jacer_wins_on": "none"})

    assert violation.message == "a Jacer wager must be able to win on some stop"
    assert violation.cite.section == "19:47-12.5"


@pytest.mark.cites("12.5")
def test_splits_and_corners_with_the_jacer_row_are_offered_if_the_licensee_says_so() -> None:
    options = {"split_corner_with_jacer": "yes"}

    assert len(spots("split", options)) == 87 + 3 + 4
    assert len(spots("corner", options)) == 36 + 3
    assert spin("jacer1", "split:jacer1-As", options) == 240
    assert spin("As", "split:jacer1-As", options) == 240
    assert spin("jacer2", "split:jacer1-As", options) == -10
    assert spin("jacer4", "split:jacer3-jacer4", options) == 240
    assert spin("jacer2", "corner:jacer1-jacer2-As-Ah", options) == 120
    assert spin("Ac", "corner:jacer1-jacer2-As-Ah", options) == -10


@pytest.mark.cites("12.5")
@pytest.mark.parametrize("jacers", [1, 3, 5, 8])
def test_splits_with_the_jacer_row_need_a_jacer_for_each_suit(jacers: int) -> None:
    (violation,) = POKETTE.check({"split_corner_with_jacer": "yes", "jacer_stops": jacers})

    assert violation.option == "split_corner_with_jacer"
    assert "need one Jacer stop for each suit" in violation.message


@pytest.mark.cites("12.6(b)")
@pytest.mark.parametrize(
    ("key", "odds", "wager", "wins"),
    [
        ("single_card", "50 to 1", "single_card:Qh", 500),
        ("single_card", "52 to 1", "single_card:Qh", 520),
        ("single_card", "52 to 1", "red", 10),
        ("red", "6 to 5", "red", 12),
        ("red", "6 to 5", "single_card:Qh", 500),
    ],
)
def test_odds_may_be_the_minimum_or_more(key: str, odds: str, wager: str, wins: int) -> None:
    assert spin("Qh", wager, {"odds": {key: odds}}) == wins


@pytest.mark.cites("12.6(b)")
@pytest.mark.parametrize("label", [label for label in (*LAYOUT, *HANDS) if label != "split:Qh-Jh"])
def test_odds_below_the_minimum_are_unlawful(label: str) -> None:
    wager = label.partition(":")[0]
    least = LAYOUT[label][1] if label in LAYOUT else HANDS[label][2]
    offered = f"{2 * least - 1} to 2"

    (violation,) = POKETTE.check({"odds": {wager: offered}})

    assert violation.option == "odds"
    assert violation.message == (
        f"{wager} would pay {offered}, and it may pay no less than {least} to 1"
    )
    assert violation.cite.place == "19:47-12.6(b)"


@pytest.mark.cites("12.6(a)")
def test_odds_are_printed_with_to_and_never_with_for() -> None:
    (violation,) = POKETTE.check({"odds": {"red": "2 for 1"}})

    assert "'2 for 1' are not odds: write them with \"to\"" in violation.message
    assert deal("pokette", ["Qh"], {"red": 1000}).settled("red")["pays"] == "1 to 1"


@pytest.mark.cites("12.6(b)")
def test_a_stake_that_the_posted_odds_cannot_pay_to_the_cent_is_refused() -> None:
    refusal = turned_away(Table(POKETTE, {"odds": {"red": "6 to 5"}}), "red", 1001)

    assert refusal.fault is Fault.NOT_PAYABLE
    assert "it must be a multiple of 5 cents" in refusal.message
    assert section(refusal) == "19:47-12.6"


@pytest.mark.cites("12.5", "12.8", "12.9")
@pytest.mark.parametrize(
    ("options", "cited", "says"),
    [
        ({"cycle_on_jacer": "begin"}, "12.8", "must be end or ignore_spin, not 'begin'"),
        ({"ace_low_straight": "maybe"}, "12.1", "must be yes or no, not 'maybe'"),
        ({"split_corner_with_jacer": 2}, "12.5", "must be yes or no, not 2"),
        ({"jacer_wins_on": "joker"}, "12.5", "not joker"),
        ({"pointer_between_stops": "next_stop"}, "12.9", "must be void or previous_stop"),
        ({"higher_odds": {"red": "2 to 1"}}, "8.3", "this game has no option higher_odds"),
    ],
)
def test_a_choice_that_the_licensee_does_not_have_is_unlawful(
    options: dict[str, Any], cited: str, says: str
) -> None:
    (violation,) = POKETTE.check(options)

    assert says in violation.message
    assert violation.cite.section == f"19:47-{cited}"


# When wagers are made, and how much.


@pytest.mark.cites("12.4")
@pytest.mark.parametrize(
    ("amount", "fault", "says"),
    [
        (999, Fault.BELOW_MINIMUM, "$9.99 on red is below the least it may be, $10"),
        (500_001, Fault.ABOVE_MAXIMUM, "above the most it may be, $5,000"),
        (-1000, Fault.BAD_AMOUNT, "-1000 is not a stake"),
        (10.5, Fault.BAD_AMOUNT, "10.5 is not a stake"),
        (0, Fault.NOT_NOW, "there is no red wager to take down"),
    ],
)
def test_a_stake_outside_the_posted_limits_is_refused(amount: Any, fault: Fault, says: str) -> None:
    refusal = turned_away(Table(POKETTE), "red", amount)

    assert refusal.fault is fault
    assert says in refusal.message
    assert section(refusal) == "19:47-8.2"


@pytest.mark.cites("12.4", "12.7")
def test_after_no_more_bets_no_wager_is_made_changed_or_taken_down() -> None:
    table = after("7s")
    table.bet("1", "red", 1000)
    Play(table)

    for label, amount in [("black", 1000), ("red", 2000), ("red", 0), ("pair_in_two", 1000)]:
        refusal = turned_away(table, label, amount)
        assert refusal.fault is Fault.NO_MORE_BETS
        assert section(refusal) == "19:47-12.4"


@pytest.mark.cites("12.4")
def test_a_wager_may_be_changed_and_taken_down_until_the_betting_closes() -> None:
    table = after("7s")

    for amount in (2000, 1000, 0):
        table.bet("1", "pair_in_two", amount)

    assert [event.kind for event in table.events] == ["wager", "reduce", "take_down"]
    assert table.money["1"] == 0


@pytest.mark.cites("12.4")
@pytest.mark.parametrize("seat", ["0", "9", ""])
def test_a_seat_that_the_table_does_not_have_is_refused(seat: str) -> None:
    refusal = turned_away(Table(POKETTE), "red", 1000, seat)

    assert refusal.fault is Fault.UNKNOWN_SEAT
    assert refusal.message == f"there is no seat {seat!r} here; the seats are 1 to 8"


# The procedure.


def happened(told: Told) -> list[tuple[str, str | None]]:
    events = told.rounds[-1]["events"]
    return [(event["kind"], event.get("text") or event.get("wager")) for event in events
            if event["kind"] != "wager"]  # fmt: skip


@pytest.mark.cites("12.2", "12.7", "12.8")
def test_the_wheel_is_spun_called_losers_collected_winners_paid_and_the_card_displayed() -> None:
    told = deal("pokette", ["7s"], {"red": 1000, "black": 1000})

    assert happened(told) == [
        ("announce", "No more bets"),
        ("step", "The dealer spins the wheel at least three revolutions"),
        ("spin", None),
        ("announce", "seven of spades"),
        ("collect", "red"),
        ("pay", "black"),
        ("step", "The cards displayed are 7s"),
        ("announce", "Open poker hand wagers: Pair in two"),
    ]


@pytest.mark.cites("12.8")
@pytest.mark.parametrize(
    ("second", "opened"),
    [
        ("Ks", "Pair in three; Flush"),
        ("8s", "Pair in three; Flush; Straight, open; Straight flush, open"),
        ("7d", "Three of a kind"),
    ],
)
def test_before_the_third_spin_the_dealer_announces_the_open_poker_hand_wagers(
    second: str, opened: str
) -> None:
    told = throw_by_throw("pokette", ("7s", {}), (second, {}))

    assert told.said()[-1] == f"Open poker hand wagers: {opened}"


@pytest.mark.cites("12.7")
@pytest.mark.parametrize("stop", ["jacer", "jacer3"])
def test_a_jacer_is_called_as_such_and_nothing_is_displayed(stop: str) -> None:
    told = deal("pokette", [stop], {"jacer": 1000})

    assert told.said() == ["No more bets", "Jacer"]
    assert happened(told)[-1] == ("pay", "jacer")


@pytest.mark.cites("12.2", "12.7")
@pytest.mark.parametrize(
    "stop", ["jacer5", "jacer0", "Jk", "1s", "as", "10s", "blank", "", 7, None, ["As"], {}]
)
def test_a_stop_that_the_wheel_does_not_have_is_refused(stop: Any) -> None:
    table = Table(POKETTE)
    table.bet("1", "red", 1000)
    play = Play(table)
    refusal = not_answered(play, stop)
    assert refusal.fault is Fault.IMPOSSIBLE_OUTCOME
    assert refusal.message == f"the pokette wheel has no stop {stop!r}"
    assert isinstance(play.request, Draw)


def test_a_script_without_a_spin_says_how_many_are_missing() -> None:
    refusal = refused("pokette", [], {"red": 1000})

    assert refusal.fault is Fault.BAD_SCRIPT
    assert refusal.message == "the script gives 0 draws and needs at least 1 more"


# Irregularities.


@pytest.mark.cites("12.9")
@pytest.mark.parametrize(
    ("kind", "what"),
    [
        ("too_few_revolutions", "the wheel completes fewer than three revolutions"),
        ("wheel_touched", "the wheel is touched or obstructed while it spins"),
        ("pointer_between_stops", "the pointer rests between two stops"),
    ],
)
def test_given_an_invalid_spin_then_no_spin_and_wagers_stay(kind: str, what: str) -> None:
    table = after("7s")
    table.bet("1", "red", 1000)
    table.bet("1", "pair_in_two", 1000)
    play = Play(table)

    play.answer({"irregularity": kind})

    event = table.events[-1]
    assert (event.data["what"], event.data["resolution"]) == (
        what,
        "No spin; the wheel is spun again",
    )
    assert event.cite is not None
    assert event.cite.section == "19:47-12.9"
    assert isinstance(play.request, Draw)
    assert table.money["layout"] == 2000
    play.answer("7h")
    play.answer(None)
    assert table.money["1"] == 1000 + 11_000


@pytest.mark.cites("12.9")
def test_where_the_licensee_says_so_the_stop_just_passed_wins() -> None:
    told = deal(
        "pokette",
        ["7h"],
        {"red": 1000},
        options={"pointer_between_stops": "previous_stop"},
        irregularities=[{"before_draw": 1, "kind": "pointer_between_stops"}],
    )

    (event,) = told.events("irregularity")
    assert event["resolution"] == "The stop just passed wins"
    assert told.result("red") == ("win", 1000)


@pytest.mark.cites("12.9")
@pytest.mark.parametrize("kind", ["too_few_revolutions", "wheel_touched", "pointer_between_stops"])
def test_no_spin_cannot_be_called_once_the_stop_has_been_called(kind: str) -> None:
    late: list[dict[str, Any]] = [{"before_draw": 2, "kind": kind}]

    refusal = refused("pokette", ["7h"], {"red": 1000}, irregularities=late)

    assert refusal.fault is Fault.BAD_SCRIPT
    assert refusal.message == f"{kind} can only be reported before the outcome is known"
    assert section(refusal) == "19:47-12.9"


@pytest.mark.cites("12.9")
@pytest.mark.parametrize("before_draw", [1, 2])
def test_given_a_wrong_card_displayed_then_poker_hand_wagers_are_returned_and_others_are_not(
    before_draw: int,
) -> None:
    wagers = {"flush": 1000, "pair_in_three": 1000, "red": 1000}
    rounds = [
        {"draws": ["7s"], "seats": {}},
        {"draws": ["Ks"], "seats": {}},
        {
            "draws": ["2s"],
            "seats": {"1": {"wagers": wagers}, "2": {"wagers": {"flush": 2000}}},
            "irregularities": [{"before_draw": before_draw, "kind": "wrong_card_displayed"}],
        },
    ]

    told = run({"game": "pokette", "rounds": rounds})

    assert told.result("flush") == ("void", 0)
    assert told.result("pair_in_three") == ("void", 0)
    assert told.result("flush", seat="2") == ("void", 0)
    assert told.result("red") == ("lose", -1000)
    assert told.settled("flush")["citation"] == "19:47-12.9 (customary)"


@pytest.mark.cites("12.9")
def test_given_a_wrong_card_displayed_then_the_hand_is_what_the_wheel_showed() -> None:
    table = after("7s")
    play = Play(table)

    for answer in ({"irregularity": "wrong_card_displayed"}, "Ks", None):
        play.answer(answer)

    assert table.state.spins == ("7s", "Ks")


@pytest.mark.cites("12.9")
@pytest.mark.parametrize(
    ("kind", "wager"),
    [
        ("late_wager", "single_card:7h"),
        ("late_wager", "pair_in_two"),
        ("hand_wager_not_open", "pair_in_two"),
    ],
)
@pytest.mark.parametrize("before_draw", [1, 2])
def test_given_a_wager_placed_late_or_when_not_open_then_it_alone_is_returned(
    kind: str, wager: str, before_draw: int
) -> None:
    wagers = {"single_card:7h": 1000, "pair_in_two": 1000, "red": 1000}
    report = {"before_draw": before_draw, "kind": kind, "seat": "1", "wager": wager}
    seats = {"1": {"wagers": wagers}, "2": {"wagers": wagers}}
    rounds = [
        {"draws": ["7s"], "seats": {}},
        {"draws": ["7h"], "seats": seats, "irregularities": [report]},
    ]

    told = run({"game": "pokette", "rounds": rounds})

    assert told.result(wager) == ("void", 0)
    results = {settled["result"] for settled in told.rounds[-1]["settlements"]
               if (settled["seat"], settled["wager"]) != ("1", wager)}  # fmt: skip
    assert results == {"win"}
    assert told.net("2") == 50_000 + 11_000 + 1000
    (event,) = told.events("irregularity")
    assert (event["seat"], event["wager"]) == ("1", wager)


@pytest.mark.cites("12.9")
@pytest.mark.parametrize("kind", ["late_wager", "hand_wager_not_open"])
@pytest.mark.parametrize(
    "about", [{}, {"seat": "1"}, {"wager": "red"}, {"seat": "2", "wager": "red"}]
)
def test_the_wager_to_be_returned_must_be_named_and_lie_on_the_layout(
    kind: str, about: dict[str, str]
) -> None:
    table = Table(POKETTE)
    table.bet("1", "red", 1000)
    play = Play(table)
    before = everything(table)

    with pytest.raises(Refusal) as caught:
        play.answer({"irregularity": kind, **about})

    assert caught.value.fault is Fault.BAD_SCRIPT
    assert caught.value.message == (
        f"{kind} must name a seat and a wager that it has on the layout"
    )
    assert section(caught.value) == "19:47-12.9"
    assert everything(table) == before


# What the wagers are worth.


def edge(stops: int, odds: int, wheel: int = 56) -> Fraction:
    """1 - k(n+1)/N, the figure of the sheet."""
    return 1 - Fraction(stops * (odds + 1), wheel)


@pytest.mark.cites("12.6(b)")
@pytest.mark.parametrize("label", LAYOUT)
def test_the_exact_edge_of_a_layout_wager_is_that_of_all_stops_dealt_as_rounds(
    label: str,
) -> None:
    exact = report(label).house_edge

    assert exact == edge(*LAYOUT[label]) == edge_through_rounds("pokette", label)


@pytest.mark.cites("12.6(b)", "12.8")
@pytest.mark.parametrize("wager", HANDS)
def test_the_exact_edge_of_a_poker_hand_wager_is_that_of_all_stops_dealt_as_rounds(
    wager: str,
) -> None:
    spins, stops, odds = HANDS[wager]

    exact = report(wager).house_edge

    assert exact == edge(stops, odds) == edge_through_rounds("pokette", wager, before=spins)


@pytest.mark.cites("12.6(b)", "12.8")
@pytest.mark.parametrize(
    ("wager", "spins"),
    [
        ("pair_in_two", ["Ad"]),
        ("straight_open", ["2s", "3d"]),
        ("straight_open", ["Qs", "Kd"]),
        ("straight_inside", ["As", "2d"]),
        ("straight_inside", ["As", "Kd"]),
        ("straight_inside", ["Ah", "3h"]),
        ("straight_flush_open", ["3c", "2c"]),
        ("straight_flush_inside", ["Ah", "Qh"]),
        ("flush", ["9d", "9d"]),
    ],
)
def test_a_poker_hand_wager_is_worth_the_same_whatever_spins_opened_it(
    wager: str, spins: list[str]
) -> None:
    assert edge_through_rounds("pokette", wager, before=spins) == report(wager).house_edge


@pytest.mark.cites("12.6(b)")
@pytest.mark.parametrize(
    ("label", "options", "expected"),
    [
        ("red", {"jacer_stops": 1}, edge(26, 1, 53)),
        ("jacer", {"jacer_stops": 1}, edge(1, 12, 53)),
        ("jacer", {"jacer_stops": 8}, edge(8, 12, 60)),
        ("single_card:2d", {"jacer_stops": 8}, edge(1, 50, 60)),
        ("suit:h", {"wheel_stops": 70}, edge(13, 3, 70)),
        ("jacer", {"wheel_stops": 60}, edge(4, 12, 60)),
        ("jacer", {"jacer_wins_on": "jacer,2s,2h"}, edge(6, 12)),
        ("jacer", {"jacer_wins_on": ["Ad"]}, edge(1, 12)),
        ("split:jacer1-As", {"split_corner_with_jacer": "yes"}, edge(2, 24)),
        ("corner:jacer3-jacer4-Ac-Ad", {"split_corner_with_jacer": "yes"}, edge(4, 12)),
        ("single_card:2d", {"odds": {"single_card": "53 to 1"}}, edge(1, 53)),
    ],
)
def test_the_edge_follows_the_wheel_and_the_odds_of_the_table(
    label: str, options: dict[str, Any], expected: Fraction
) -> None:
    (found,) = [
        each
        for each in analyze(POKETTE, POKETTE.options(options), [label])
        if label.partition(":")[2] in each.choices
    ]

    assert found.house_edge == expected == edge_through_rounds("pokette", label, options)


@pytest.mark.cites("12.6(b)", "12.8")
@pytest.mark.parametrize(
    ("wager", "options", "spins", "expected"),
    [
        ("flush", {"jacer_stops": 8}, ["7s", "Ks"], edge(13, 3, 60)),
        ("pair_in_two", {"wheel_stops": 70}, ["7s"], edge(4, 11, 70)),
        ("straight_inside", {"ace_low_straight": "no"}, ["2s", "3d"], edge(4, 11)),
        ("straight_open", {"odds": {"straight_open": "6 to 1"}}, ["7s", "8d"], edge(8, 6)),
        ("three_of_a_kind", {"cycle_on_jacer": "ignore_spin"}, ["7s", "7d"], edge(4, 11)),
    ],
)
def test_the_edge_of_a_poker_hand_follows_the_wheel_and_the_odds_of_the_table(
    wager: str, options: dict[str, Any], spins: list[str], expected: Fraction
) -> None:
    (found,) = analyze(POKETTE, POKETTE.options(options), [wager])

    assert found.house_edge == expected == edge_through_rounds("pokette", wager, options, spins)


@pytest.mark.cites("12.6(b)")
def test_every_spot_of_a_wager_is_worth_the_same_and_no_wager_is_left_out() -> None:
    reports = analyze(POKETTE, POKETTE.options())

    odds = {label.partition(":")[0]: LAYOUT[label] for label in LAYOUT}
    odds |= {wager: (stops, pays) for wager, (_, stops, pays) in HANDS.items()}
    assert {each.label: each.house_edge for each in reports} == {
        wager: edge(*each) for wager, each in odds.items()
    }
    assert {each.label: len(each.choices) for each in reports if len(each.choices) > 1} == {
        "single_card": 52, "split": 87, "corner": 36, "single_rank": 13, "double_rank": 12,
        "suit": 4,
    }  # fmt: skip


@pytest.mark.cites("12.6(b)")
@pytest.mark.parametrize("label", [*LAYOUT, *HANDS])
def test_the_outcomes_of_a_wager_close_to_one_and_none_is_a_push(label: str) -> None:
    outcomes = Counter[str]()
    for outcome in report(label).outcomes:
        outcomes[outcome.result] += 1

    assert outcomes == {"win": 1, "lose": 1}
    assert sum(outcome.probability for outcome in report(label).outcomes) == 1
