"""Baccarat-Punto Banco, N.J.A.C. 19:47-3: two hands, a shoe, and a participant who deals.

The tables of third cards, odds and bonus payments are written out here once more, from the
rule sheet, so that a slip in the game's own tables is seen.
"""

import json
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.equipment import Card
from croupier.games import find_game
from croupier.rulebook import (
    HOUSE,
    LAYOUT,
    Ask,
    Draw,
    Fault,
    Inspect,
    Play,
    Refusal,
    Request,
    Result,
    Table,
    by_chance,
    play_round,
)
from croupier.simulation.streams import SeededStream
from tests.support import (
    Told,
    cited,
    deal,
    not_answered,
    refused,
    run,
    says,
    section,
    turned_away,
    unlawful,
)

GAME = "baccarat-punto-banco"
PUNTO_BANCO = find_game(GAME)
FACE_UP = {"deal_style": "face_up"}
TOTALS = {"offer_total_cards": "yes"}
BONUS = {"offer_bonus": "yes"}
OF_VALUE = "K A 2 3 4 5 6 7 8 9".split()  # a rank that counts 0, 1, 2, …
VALUES = dict(zip("A23456789TJQK", [*range(1, 10), 0, 0, 0, 0], strict=True))
CUSTOM = "3.12 (customary)"

# Table 1 and Table 2 of 3.9, by the rule sheet.
PLAYER_DRAWS = range(6)
#      none   0 1 2 3 4 5 6 7 8 9   the value of the player's third card
TABLE_2 = {
    0: "D     D D D D D D D D D D",
    1: "D     D D D D D D D D D D",
    2: "D     D D D D D D D D D D",
    3: "D     D D D D D D D D S D",
    4: "D     S S D D D D D D S S",
    5: "D     S S S S D D D D S S",
    6: "S     S S S S S S D D S S",
    7: "S     S S S S S S S S S S",
}
COLUMNS: list[int | None] = [None, *range(10)]

#            by 9  8  7  6  5  4  natural
PAYTABLES = {
    "A": (30, 10, 6, 4, 2, 1, 1),
    "B": (20, 8, 7, 4, 3, 1, 1),
    "C": (30, 10, 4, 4, 2, 2, 1),
}


def cards(ranks: str) -> list[str]:
    """These ranks, of hearts: a shoe has at least six of each."""
    return [f"{rank}h" for rank in ranks.split()]


def hands(player: str, banker: str) -> list[str]:
    """The draws that make these hands: the player's first and third, the banker's between."""
    mine, theirs = cards(player), cards(banker)
    return [mine[0], theirs[0], mine[1], theirs[1], *mine[2:], *theirs[2:]]


PLAYER_WINS = hands("K 7", "K 6")
BANKER_WINS = hands("K 6", "K 7")
TIE = hands("K 7", "Q 7")
BANKERS_SIX = hands("K 5 Q", "K 6")
FOUR, FIVE, SIX = hands("K 7", "K 6"), hands("K 2 5", "K 6"), hands("K 2 4", "K 3 J")


def two(count: int) -> str:
    """Two cards of this count."""
    return f"Q {OF_VALUE[count]}"


def punto(draws: Sequence[str], wagers: Mapping[str, int], **options: Any) -> Told:
    """One round with these wagers of seat 1."""
    return deal(GAME, draws, wagers, options=options)


def seated(
    wagers: Mapping[str, Mapping[str, int]], moves: Mapping[str, Sequence[Any]] | None = None
) -> dict[str, Any]:
    """The seats of a script, with their wagers and moves."""
    return {
        seat: {"wagers": dict(on), "moves": list((moves or {}).get(seat, ()))}
        for seat, on in wagers.items()
    }


def one(wager: str, stake: int = 1000, **more: Any) -> dict[str, Any]:
    """Seat 1 alone, with one wager."""
    return {"1": {"wagers": {wager: stake}, **more}}


def rounds(*told: Mapping[str, Any], **options: Any) -> Told:
    """Several rounds at one table."""
    return run({"game": GAME, "options": options, "rounds": list(told)})


def happened(kind: str, before_draw: int, seat: str = "") -> list[dict[str, Any]]:
    """An irregularity, as scripts report it."""
    return [{"kind": kind, "before_draw": before_draw, **({"seat": seat} if seat else {})}]


def drawn(told: Told, to: str, round: int = -1) -> list[str]:
    """What was drawn face up to a hand, a pile or the burn cards."""
    return [e["outcome"] for e in told.events("draw", round) if e["to"] == to and "outcome" in e]


def unseen(told: Told, to: str, round: int = -1) -> int:
    """How many cards were drawn there face down."""
    return sum(e["to"] == to and "face_down" in e for e in told.events("draw", round))


def did(told: Told, cite: str, round: int = -1) -> list[str]:
    """What was said and done under a paragraph, in order."""
    return [e["text"] for e in told.rounds[round]["events"] if cited(e) == cite and "text" in e]


def called(told: Told, round: int = -1) -> str:
    """How the dealer announced the result."""
    (text,) = did(told, "3.10(a)", round)
    return text


class Sitting:
    """A table in play at which the same wagers are made before every round."""

    def __init__(self, wagers: Mapping[str, Mapping[str, int]], **options: Any) -> None:
        self.table = Table(PUNTO_BANCO, options)
        self.table.state = PUNTO_BANCO.in_play(self.table.state)
        self.wagers = wagers

    def begin(self, *, shuffle: bool = False) -> Play:
        """The wagers are made, and a round begins."""
        table = self.table
        table.open_betting()
        for seat, on in self.wagers.items():
            for wager, stake in on.items():
                table.bet(seat, wager, stake)
        if shuffle:
            table.state = PUNTO_BANCO.due_for_shuffle(table.state)
        return Play(table)

    def round(
        self,
        draws: Sequence[str],
        moves: Mapping[str, Sequence[Any]] | None = None,
        *,
        shuffle: bool = False,
    ) -> list[Ask]:
        """A whole round, and everything that was asked in it."""
        play = self.begin(shuffle=shuffle)
        asked = go_on(play, draws, moves)
        assert play.request is None
        return asked


def never(_: Request) -> bool:
    return False


def at_draw(request: Request) -> bool:
    return isinstance(request, Draw)


def at_the_end(request: Request) -> bool:
    return isinstance(request, Inspect)


def asks(words: str) -> Callable[[Request], bool]:
    """The round comes to a question with these words."""
    return lambda request: isinstance(request, Ask) and words in request.question


def go_on(
    play: Play,
    draws: Sequence[str] = (),
    moves: Mapping[str, Sequence[Any]] | None = None,
    until: Callable[[Request], bool] = never,
) -> list[Ask]:
    """Answer the round until it is over, or comes to something; and what it has asked so far."""
    left, asked = deque(draws), []
    said = {seat: deque(each) for seat, each in (moves or {}).items()}
    while play.request is not None and not until(play.request):
        request = play.request
        if isinstance(request, Draw):
            play.answer(left.popleft())
        elif isinstance(request, Ask):
            asked.append(request)
            mine = said.get(request.seat)
            play.answer(mine.popleft() if mine and _fits(mine[0], request) else request.default)
        else:
            play.answer(None)
    return asked


def _fits(move: Any, ask: Ask) -> bool:
    name = next(iter(move)) if isinstance(move, dict) else move
    return name in [each.name for each in ask.moves]


def offered(asked: Sequence[Ask], words: str) -> list[str]:
    """The seats that were asked this, in order."""
    return [ask.seat for ask in asked if words in ask.question]


# 3.1: cards and counts.


@pytest.mark.cites("3.1")
@pytest.mark.parametrize(("rank", "value"), VALUES.items())
def test_an_ace_counts_one_tens_and_faces_nothing_and_the_others_as_printed(
    rank: str, value: int
) -> None:
    told = punto(hands(f"K {rank}", "K 9"), {"player": 1000}, **FACE_UP)

    assert f"Player's Hand {value}" in told.said()


@pytest.mark.cites("3.1")
@pytest.mark.parametrize(("hand", "count"), [("A 2 4", 7), ("A 2 9", 2)])
def test_the_count_of_a_hand_is_the_units_of_its_total(hand: str, count: int) -> None:
    told = punto(hands(hand, "K 7"), {"player": 1000})

    assert called(told).startswith(f"Player's Hand {count}, Banker's Hand 7.")


@pytest.mark.cites("3.1", "3.4(a)", "3.6(a)")
@pytest.mark.parametrize("decks", [6, 8, 10])
def test_the_shoe_holds_six_or_more_whole_decks_without_jokers(decks: int) -> None:
    shoe = Table(PUNTO_BANCO, {"decks": decks}).equipment

    suits, ranks = "cdhs", range(2, 15)
    each = Counter({Card(rank, suit): decks for rank, suit in product(ranks, suits)})
    assert Counter(shoe.composition) == each


# 3.9: who draws a third card.


@pytest.mark.cites("3.9(b)")
@pytest.mark.parametrize("count", range(8))
def test_the_players_hand_draws_to_5_and_stays_on_6_and_7(count: int) -> None:
    for banker in range(8):
        told = punto([*hands(two(count), two(banker)), *cards("A A")], {"tie": 1000}, **FACE_UP)

        assert len(drawn(told, "player")) == (3 if count in PLAYER_DRAWS else 2)


@pytest.mark.cites("3.8(b)", "3.9(c)", "3.9(d)", "3.9(e)", "3.9(f)", "3.9(g)")
@pytest.mark.parametrize("third", COLUMNS)
@pytest.mark.parametrize("banker", TABLE_2)
def test_the_bankers_hand_draws_by_its_count_and_the_players_third_card(
    banker: int, third: int | None
) -> None:
    """By the third card itself, whatever count it makes (3.9(e)): every two cards under it."""
    must_draw = TABLE_2[banker].split()[COLUMNS.index(third)] == "D"
    for player in (6, 7) if third is None else PLAYER_DRAWS:
        mine = two(player) if third is None else f"{two(player)} {OF_VALUE[third]}"
        told = punto([*hands(mine, two(banker)), "9h"], {"tie": 1000}, **FACE_UP)

        assert len(drawn(told, "banker")) == (3 if must_draw else 2)
        assert told.rounds[-1].get("unused_draws", []) == ([] if must_draw else ["9h"])


@pytest.mark.cites("3.9(g)")
def test_the_regulations_own_example_a_bankers_5_draws_to_a_4() -> None:
    told = punto(hands("K 2 4", "K 5 3"), {"banker": 1000}, **FACE_UP)

    assert drawn(told, "banker") == ["Kh", "5h", "3h"]
    assert called(told) == "Player's Hand 6, Banker's Hand 8. Banker's Hand wins"


@pytest.mark.cites("3.9(c)")
@pytest.mark.parametrize("ten", "TJQK")
def test_any_ten_or_face_card_is_a_third_card_of_0(ten: str) -> None:
    for banker, cards_of_it in ((3, 3), (4, 2)):
        told = punto([*hands(f"K 2 {ten}", two(banker)), "Ah"], {"tie": 1000}, **FACE_UP)

        assert len(drawn(told, "banker")) == cards_of_it


NATURALS = [pair for pair in product(range(10), repeat=2) if max(pair) >= 8]


@pytest.mark.cites("3.9(a)")
@pytest.mark.parametrize(("player", "banker"), NATURALS)
def test_a_natural_of_either_hand_stops_everything(player: int, banker: int) -> None:
    told = punto([*hands(two(player), two(banker)), *cards("9 9")], {"tie": 1000}, **FACE_UP)

    assert (len(drawn(told, "player")), len(drawn(told, "banker"))) == (2, 2)
    assert told.rounds[-1]["unused_draws"] == cards("9 9")


@pytest.mark.cites("3.8(c)", "3.8(d)")
def test_the_player_draws_first_and_neither_hand_more_than_one_card() -> None:
    told = punto([*hands("K Q J", "K Q T"), "9h"], {"tie": 1000}, **FACE_UP)

    to = [event["to"] for event in told.events("draw")]
    assert to == ["player", "banker", "player", "banker", "player", "banker"]
    assert told.rounds[-1]["unused_draws"] == ["9h"]


# 3.2: the wagers.


@pytest.mark.cites("3.2(a)", "3.2(b)")
def test_only_the_wagers_of_the_rule_are_permitted() -> None:
    totals = ["total_cards_4", "total_cards_5", "total_cards_6"]
    bonus = ["bonus_player", "bonus_banker"]

    assert [wager.id for wager in PUNTO_BANCO.wagers] == [
        "banker", "player", "tie", *totals, *bonus,
    ]  # fmt: skip


@pytest.mark.cites("3.2(a)1", "3.2(a)2", "3.2(a)3", "3.3(a)", "3.3(b)", "3.3(c)")
@pytest.mark.parametrize(
    ("draws", "banker", "player", "tie"),
    [
        (BANKER_WINS, ("win", 950), ("lose", -1000), ("lose", -1000)),
        (PLAYER_WINS, ("lose", -1000), ("win", 1000), ("lose", -1000)),
        (TIE, ("void", 0), ("void", 0), ("win", 8000)),
    ],
)
def test_the_higher_count_wins_and_equal_counts_void_both_hands_and_pay_the_tie(
    draws: list[str], banker: tuple[str, int], player: tuple[str, int], tie: tuple[str, int]
) -> None:
    told = punto(draws, {"banker": 1000, "player": 1000, "tie": 1000})

    assert told.result("banker") == banker
    assert told.result("player") == player
    assert told.result("tie") == tie


@pytest.mark.cites("3.2(a)1", "3.2(a)2", "3.2(a)3", "3.2(a)4", "3.2(a)5", "3.3")
def test_every_settlement_names_the_paragraph_that_pays_or_defines_the_wager() -> None:
    wagers = {"banker": 1000, "player": 1000, "tie": 1000, "total_cards_4": 1000,
              "total_cards_5": 1000, "bonus_banker": 1000, "bonus_player": 1000}  # fmt: skip
    natural = punto(hands("K 2", "K 9"), wagers, **TOTALS, **BONUS)
    tie = punto(hands("K 9", "Q 9"), wagers, **TOTALS, **BONUS)

    where = {wager: cited(natural.settled(wager)) for wager in wagers}
    assert where == {
        "banker": "3.3(c)", "player": "3.2(a)2", "tie": "3.2(a)3", "total_cards_4": "3.3(f)",
        "total_cards_5": "3.2(a)4", "bonus_banker": "3.3(g)", "bonus_player": "3.2(a)5",
    }  # fmt: skip
    assert cited(tie.settled("tie")) == "3.3(b)"
    assert cited(tie.settled("banker")) == "3.2(a)1"


@pytest.mark.cites("3.3(b)")
@pytest.mark.parametrize(("odds", "wins"), [("8 to 1", 8000), ("9 to 1", 9000), ("17 to 2", 8500)])
def test_a_tie_is_paid_8_to_1_or_better(odds: str, wins: int) -> None:
    assert punto(TIE, {"tie": 1000}, tie_odds=odds).result("tie") == ("win", wins)


@pytest.mark.cites("3.2(a)4", "3.3(f)", "3.10(a)")
@pytest.mark.parametrize(
    ("draws", "number", "wins"), [(FOUR, 4, 1500), (FIVE, 5, 2000), (SIX, 6, 2000)]
)
def test_total_cards_pay_3_to_2_for_four_and_2_to_1_for_five_and_six(
    draws: list[str], number: int, wins: int
) -> None:
    wagers = {f"total_cards_{each}": 1000 for each in (4, 5, 6)}
    told = punto(draws, wagers, **TOTALS)

    for each in (4, 5, 6):
        expected = ("win", wins) if each == number else ("lose", -1000)
        assert told.result(f"total_cards_{each}") == expected
    assert called(told).endswith(f". {number} cards")


@pytest.mark.cites("3.2(a)4")
def test_total_cards_lose_or_win_on_a_tie_too() -> None:
    told = punto(TIE, {"total_cards_4": 1000, "total_cards_6": 1000}, **TOTALS)

    assert told.result("total_cards_4") == ("win", 1500)
    assert told.result("total_cards_6") == ("lose", -1000)


@pytest.mark.cites("3.10(a)")
def test_the_number_of_cards_is_announced_only_where_it_can_be_wagered_on() -> None:
    assert "cards" not in called(punto(FIVE, {"tie": 1000}))


# 3.2(a)5 and 3.3(g): the optional bonus.


def bonus(hand: str, player: str, banker: str, **options: Any) -> tuple[str, int, str]:
    """What becomes of ten dollars on the bonus of a hand, and by which line."""
    wagers = {"tie": 1000, "banker": 1000, f"bonus_{hand}": 1000}
    settled = punto(hands(player, banker), wagers, **BONUS, **options).settled(f"bonus_{hand}")
    assert "vigorish" not in settled
    return settled["result"], settled["net"], settled["line"]


def by(hand: str, margin: int) -> tuple[str, str]:
    """Two three-card hands, of which this one has 9 and is ahead by so much."""
    other = OF_VALUE[9 - margin]
    return ("2 3 4", f"K Q {other}") if hand == "player" else (f"K Q {other}", "K Q 9")


@pytest.mark.cites("3.2(a)5i", "3.3(g)")
@pytest.mark.parametrize("margin", range(4, 10))
@pytest.mark.parametrize("table", PAYTABLES)
@pytest.mark.parametrize("hand", ["player", "banker"])
def test_the_bonus_pays_by_the_margin_of_a_hand_that_wins_by_four_or_more(
    hand: str, table: str, margin: int
) -> None:
    pays = PAYTABLES[table][9 - margin]

    result = bonus(hand, *by(hand, margin), bonus_paytable=table)

    assert result == ("win", 1000 * pays, f"win_by_{margin}")


@pytest.mark.cites("3.2(a)5ii")
@pytest.mark.parametrize("margin", range(4))
@pytest.mark.parametrize("hand", ["player", "banker"])
def test_the_bonus_loses_when_the_hand_is_ahead_by_three_or_less(hand: str, margin: int) -> None:
    assert bonus(hand, *by(hand, margin))[:2] == ("lose", -1000)


@pytest.mark.cites("3.2(a)5ii")
@pytest.mark.parametrize("margin", range(1, 10))
@pytest.mark.parametrize(("hand", "other"), [("player", "banker"), ("banker", "player")])
def test_the_bonus_loses_with_the_hand(hand: str, other: str, margin: int) -> None:
    assert bonus(hand, *by(other, margin))[:2] == ("lose", -1000)


@pytest.mark.cites("3.2(a)5i", "3.3(g)")
@pytest.mark.parametrize("table", PAYTABLES)
@pytest.mark.parametrize(("mine", "other"), [*product((8, 9), range(8)), (9, 8)])
def test_a_natural_that_wins_is_paid_its_own_line_however_far_ahead(
    mine: int, other: int, table: str
) -> None:
    wins = ("win", 1000 * PAYTABLES[table][-1], "natural_winner")

    assert bonus("player", two(mine), two(other), bonus_paytable=table) == wins
    assert bonus("banker", two(other), two(mine), bonus_paytable=table) == wins


@pytest.mark.cites("3.2(a)5iii")
@pytest.mark.parametrize("natural", [8, 9])
def test_the_bonus_is_void_when_two_naturals_are_equal(natural: int) -> None:
    for hand in ("player", "banker"):
        assert bonus(hand, two(natural), two(natural))[:2] == ("void", 0)


@pytest.mark.cites("3.2(a)5ii")
@pytest.mark.parametrize(("mine", "other"), [(8, 9), *product(range(8), (8, 9))])
def test_the_bonus_loses_to_a_better_natural_and_any_other_hand_to_any_natural(
    mine: int, other: int
) -> None:
    assert bonus("player", two(mine), two(other))[:2] == ("lose", -1000)
    assert bonus("banker", two(other), two(mine))[:2] == ("lose", -1000)


@pytest.mark.cites("3.2(a)5i", "3.9(a)")
def test_two_cards_of_7_and_three_cards_of_9_are_no_naturals() -> None:
    assert bonus("player", "K 7", "K 2 A") == ("win", 1000, "win_by_4")
    assert bonus("player", "2 3 4", "K Q K") == ("win", 30_000, "win_by_9")


@pytest.mark.cites("3.2(a)5")
def test_a_player_may_make_both_bonus_wagers() -> None:
    wagers = {"player": 1000, "bonus_player": 1000, "bonus_banker": 1000}
    told = punto(hands("K 9", "K 3"), wagers, **BONUS)

    assert told.result("bonus_player") == ("win", 1000)
    assert told.result("bonus_banker") == ("lose", -1000)


@pytest.mark.cites("3.3(g)")
def test_a_bonus_may_be_paid_better_than_its_schedule_and_never_worse() -> None:
    better, worse = {"bonus_player.win_by_9": "35 to 1"}, {"bonus_player.win_by_9": "29 to 1"}

    assert bonus("player", *by("player", 9), higher_odds=better)[1] == 35_000
    assert bonus("player", *by("player", 8), higher_odds=better)[1] == 10_000
    assert unlawful(GAME, {**BONUS, "higher_odds": worse}) == [("higher_odds", "3.3(g)")]


@pytest.mark.cites("3.2(b)")
@pytest.mark.parametrize("hand", ["player", "banker"])
def test_a_bonus_may_need_a_wager_on_either_hand(hand: str) -> None:
    table = Table(PUNTO_BANCO, BONUS)
    table.bet("1", "tie", 1000)
    table.bet("2", "banker", 1000)

    refusal = turned_away(table, f"bonus_{hand}")

    says(refusal, Fault.NO_SUPPORT, "made together with the player or banker wager", "3.2(b)")
    table.bet("1", "player", 1000)
    assert table.refusal("1", f"bonus_{hand}", 1000) is None


@pytest.mark.cites("3.2(b)")
def test_the_wager_on_which_a_bonus_rests_is_not_taken_down_before_it() -> None:
    table = Table(PUNTO_BANCO, BONUS)
    table.bet("1", "player", 2000)
    table.bet("1", "bonus_banker", 1000)

    says(turned_away(table, "player", 0), Fault.NOT_NOW, "bonus_banker rests on it", "3.2(b)")
    table.bet("1", "player", 1000)
    table.bet("1", "banker", 1000)
    table.bet("1", "player", 0)
    says(turned_away(table, "banker", 0), Fault.NOT_NOW, "bonus_banker rests on it", "3.2(b)")
    table.bet("1", "bonus_banker", 0)
    table.bet("1", "banker", 0)
    assert not table.bets


@pytest.mark.cites("3.2(b)")
def test_a_bonus_may_stand_alone_where_the_licensee_lets_it() -> None:
    told = punto(hands("K 9", "K 3"), {"bonus_player": 1000}, **BONUS, bonus_requires_main_bet="no")

    assert told.result("bonus_player") == ("win", 1000)


# What is offered, and when.


@pytest.mark.cites("3.2(a)4", "3.2(a)5")
@pytest.mark.parametrize(
    ("wager", "cite"),
    [(f"total_cards_{n}", "3.2(a)4") for n in (4, 5, 6)]
    + [("bonus_player", "3.2(a)5"), ("bonus_banker", "3.2(a)5")],
)
def test_an_optional_wager_that_the_licensee_does_not_offer_is_refused(
    wager: str, cite: str
) -> None:
    table = Table(PUNTO_BANCO)
    table.bet("1", "player", 1000)

    says(turned_away(table, wager), Fault.NOT_OFFERED, "not offered at this table", cite)


@pytest.mark.cites("3.2(b)")
@pytest.mark.parametrize("wager", ["player_pair", "total_cards_7", "dragon", "bank"])
def test_any_other_wager_is_refused(wager: str) -> None:
    refusal = turned_away(Table(PUNTO_BANCO, TOTALS | BONUS), wager)

    says(refusal, Fault.UNKNOWN_WAGER, f"has no wager '{wager}'", "3.1")


@pytest.mark.parametrize(
    ("wager", "stake", "fault"),
    [
        ("player", 2499, Fault.BELOW_MINIMUM),
        ("tie", 10_001, Fault.ABOVE_MAXIMUM),
        ("banker", 0, Fault.NOT_NOW),
        ("banker", -2500, Fault.BAD_AMOUNT),
    ],
)
def test_stakes_keep_to_the_limits_of_the_table(wager: str, stake: int, fault: Fault) -> None:
    table = Table(PUNTO_BANCO, {"table_min": 2500, "table_max": 10_000})

    refusal = turned_away(table, wager, stake)

    assert refusal.fault is fault
    assert section(refusal) == "19:47-8.2"


def test_what_is_offered_is_what_the_limits_and_the_options_allow() -> None:
    table = Table(PUNTO_BANCO, {**TOTALS, **BONUS, "table_min": 2500, "table_max": 10_000})
    before = {opening.wager.id for opening in table.openings("1")}
    table.bet("1", "banker", 2500)
    after = {o.wager.id: (o.low, o.high, o.removable) for o in table.openings("1")}

    assert before == {"banker", "player", "tie", "total_cards_4", "total_cards_5", "total_cards_6"}
    assert set(after) == before | {"bonus_player", "bonus_banker"}
    assert after["banker"] == (2500, 10_000, True)
    assert after["bonus_player"] == (2500, 10_000, False)


def test_the_table_has_fourteen_seats() -> None:
    table = Table(PUNTO_BANCO)
    table.bet("14", "player", 1000)

    refusal = turned_away(table, "player", seat="15")

    says(refusal, Fault.UNKNOWN_SEAT, "the seats are 1 to 14", "3.1")


@pytest.mark.cites("3.3(f)")
def test_a_stake_that_3_to_2_cannot_pay_in_whole_cents_is_refused() -> None:
    refusal = turned_away(Table(PUNTO_BANCO, TOTALS), "total_cards_4", 1001)

    says(refusal, Fault.NOT_PAYABLE, "must be a multiple of 2 cents", "3.3(f)")


@pytest.mark.cites("3.2(d)", "3.7(b)")
@pytest.mark.parametrize(("wager", "amount"), [("tie", 1000), ("player", 2000), ("player", 0)])
def test_no_wager_is_made_increased_or_withdrawn_after_no_more_bets(
    wager: str, amount: int
) -> None:
    sitting = Sitting({"1": {"player": 1000}})
    play = sitting.begin()
    go_on(play, until=at_draw)

    refusal = turned_away(sitting.table, wager, amount)

    says(refusal, Fault.NO_MORE_BETS, 'after "No more bets"', "3.2(d)")
    assert not list(sitting.table.openings("1"))


@pytest.mark.cites("3.2(d)", "3.7(b)")
def test_the_dealer_calls_no_more_bets_and_then_cards() -> None:
    told = punto(BANKER_WINS, {"banker": 1000})

    assert told.said()[:2] == ["No more bets", "Cards"]
    assert cited(told.events("announce")[1]) == "3.7(b)"


# 3.3(c) and (d): vigorish.


@pytest.mark.cites("3.3(c)", "3.3(c)1", "3.3(d)")
@pytest.mark.parametrize(
    ("percent", "rounding", "stake", "vigorish"),
    [
        ("5", "up", 1, 25),
        ("5", "up", 499, 25),
        ("5", "up", 500, 25),
        ("5", "up", 501, 50),
        ("5", "up", 1000, 50),
        ("5", "up", 1100, 75),
        ("4", "up", 1, 20),
        ("4", "up", 500, 20),
        ("4", "up", 501, 40),
        ("4", "up", 1000, 40),
        ("4", "up", 1025, 60),
        ("5", "exact", 20, 1),
        ("5", "exact", 1020, 51),
        ("5", "exact", 1100, 55),
        ("4", "exact", 25, 1),
        ("4", "exact", 1025, 41),
    ],
)
@pytest.mark.parametrize("timing", ["deferred", "at_payout"])
def test_vigorish_is_4_or_5_percent_of_what_was_won_and_never_rounded_down(
    percent: str, rounding: str, stake: int, vigorish: int, timing: str
) -> None:
    told = punto(BANKER_WINS, {"banker": stake}, vig_percent=percent, vig_rounding=rounding,
                 vig_timing=timing, table_min=1)  # fmt: skip

    settled = told.settled("banker")
    assert (settled["net"], settled["vigorish"]) == (stake - vigorish, vigorish)
    (charged,) = told.events("vigorish")
    assert charged["amount"] == vigorish
    assert charged["how"] == ("marked" if timing == "deferred" else "taken")


@pytest.mark.cites("3.3(c)")
@pytest.mark.parametrize(("percent", "stake", "step"), [("5", 1010, 20), ("4", 1010, 25)])
def test_exact_vigorish_needs_a_stake_whose_percentage_is_whole_cents(
    percent: str, stake: int, step: int
) -> None:
    table = Table(PUNTO_BANCO, {"vig_percent": percent, "vig_rounding": "exact"})

    refusal = turned_away(table, "banker", stake)

    says(refusal, Fault.NOT_PAYABLE, f"a multiple of {step} cents", "3.3(c)")
    assert table.refusal("1", "player", stake) is None


@pytest.mark.cites("3.3(c)")
@pytest.mark.parametrize("draws", [PLAYER_WINS, TIE])
def test_no_vigorish_is_due_when_the_bankers_hand_does_not_win(draws: list[str]) -> None:
    told = punto(draws, {"banker": 1000, "player": 1000, "tie": 1000})

    assert not told.events("vigorish")
    assert "vigorish_owed" not in told.document


@pytest.mark.cites("3.3(c)2")
def test_vigorish_may_be_collected_with_the_payout() -> None:
    sitting = Sitting({"1": {"banker": 1000}}, vig_timing="at_payout")
    sitting.round(BANKER_WINS)

    table = sitting.table
    assert (table.money["1"], table.money[HOUSE], table.owed("1")) == (950, -950, 0)


@pytest.mark.cites("3.3(c)2")
def test_deferred_vigorish_is_marked_for_each_seat_and_adds_up() -> None:
    sitting = Sitting({"3": {"banker": 1000}, "8": {"banker": 2500}, "9": {"player": 1000}})
    sitting.round(BANKER_WINS)
    sitting.round(BANKER_WINS)
    sitting.round(PLAYER_WINS)

    table = sitting.table
    assert table.view()["vigorish_owed"] == {"3": 2 * 50, "8": 2 * 125}
    assert (table.money["3"], table.owed("3"), table.worth("3")) == (1000, 100, 900)
    assert table.money["9"] == -1000
    assert sum(table.money.values()) == 0


@pytest.mark.cites("3.3(c)2", "3.3(c)4")
def test_all_deferred_vigorish_is_collected_before_the_cards_are_reshuffled() -> None:
    told = rounds(
        {"draws": BANKER_WINS, "seats": seated({"3": {"banker": 1000}, "8": {"banker": 2500}})},
        {"shuffle": True, "draws": [*cards("A 2"), *PLAYER_WINS], "seats": one("player")},
    )

    first = [
        (e["kind"], e.get("seat"), e.get("amount"), e.get("how"), cited(e))
        for e in told.rounds[1]["events"]
        if e["kind"] in ("vigorish", "step")
    ][:3]
    assert first == [
        ("vigorish", "3", 50, "collected", "3.3(c)4"),
        ("vigorish", "8", 125, "collected", "3.3(c)4"),
        ("step", None, None, None, "3.5(a)1"),
    ]
    assert "vigorish_owed" not in told.document


@pytest.mark.cites("3.3(c)2")
def test_a_marker_stays_while_the_shoe_lasts() -> None:
    told = rounds(
        {"draws": BANKER_WINS, "seats": seated({"3": {"banker": 1000}, "8": {"banker": 1000}})},
        {"draws": PLAYER_WINS, "seats": seated({"8": {"banker": 1000}})},
    )

    assert told.document["vigorish_owed"] == {"3": 50, "8": 50}
    assert not told.events("vigorish")


@pytest.mark.cites("3.3(c)4")
def test_a_patron_who_leaves_pays_what_he_owes() -> None:
    told = rounds(
        {
            "draws": BANKER_WINS,
            "seats": {
                "3": {"wagers": {"banker": 1000}, "leaves": True},
                "8": {"wagers": {"banker": 1000}},
            },
        }
    )

    (collected,) = [e for e in told.events("vigorish") if e["how"] == "collected"]
    assert (collected["seat"], collected["amount"], cited(collected)) == ("3", 50, "3.3(c)4")
    assert told.document["vigorish_owed"] == {"8": 50}


@pytest.mark.cites("3.3(c)3", "3.3(c)3ii", "3.3(c)4")
def test_vigorish_that_is_not_paid_is_documented_on_forms_in_sequence() -> None:
    walks_off = {"wagers": {"banker": 1000}, "leaves": "without_paying"}
    told = rounds(
        {"draws": BANKER_WINS, "seats": {"3": walks_off, "8": walks_off}},
        {"draws": BANKER_WINS, "seats": {"5": walks_off}},
    )

    forms = [
        (e["form"], e["seat"], e["amount"], cited(e))
        for number in (0, 1)
        for e in told.events("complimentary_vigorish", number)
    ]
    assert forms == [(1, "3", 50, "3.3(c)3"), (2, "8", 50, "3.3(c)3"), (3, "5", 50, "3.3(c)3")]
    assert "vigorish_owed" not in told.document


@pytest.mark.cites("3.3(c)3i")
def test_the_form_names_the_patron_and_all_who_sign_it() -> None:
    ann = one("banker", player="Ann", leaves="without_paying")
    told = rounds({"draws": BANKER_WINS, "seats": ann})

    (form,) = told.events("complimentary_vigorish")
    assert form["patron"] == "Ann"
    signers = " ".join(form["to_sign"])
    assert all(who in signers for who in ("dealer", "pit boss", "pit clerk", "patron"))


@pytest.mark.cites("3.3(c)3")
def test_the_money_balances_and_the_house_bears_what_was_not_paid() -> None:
    sitting = Sitting({"3": {"banker": 1000}, "8": {"banker": 1000}})
    sitting.round(BANKER_WINS)
    table = sitting.table
    table.leave("3", pays=False)
    table.leave("8")

    assert (table.money["3"], table.money["8"]) == (1000, 950)
    assert (table.owed("3"), table.owed("8")) == (0, 0)
    assert table.money[HOUSE] == -1950
    assert sum(table.money.values()) == 0


def test_nobody_leaves_while_a_wager_lies_on_the_layout() -> None:
    table = Table(PUNTO_BANCO)
    table.bet("3", "banker", 1000)

    with pytest.raises(Refusal, match="banker is still on the layout"):
        table.leave("3")


# 3.3(e): no vigorish.


@pytest.mark.cites("3.3(e)1")
@pytest.mark.parametrize(
    ("draws", "wins"),
    [(BANKERS_SIX, 500), (hands("K 5 5", "K 2 4"), 500), (BANKER_WINS, 1000)],
)
def test_without_vigorish_a_bankers_six_may_be_paid_half(draws: list[str], wins: int) -> None:
    told = punto(draws, {"banker": 1000}, no_vig_scheme="six_half")

    assert told.result("banker") == ("win", wins)
    assert not told.events("vigorish")


@pytest.mark.cites("3.3(e)1")
def test_only_a_six_that_wins_is_paid_half() -> None:
    six = {"no_vig_scheme": "six_half"}

    assert punto(PLAYER_WINS, {"banker": 1000}, **six).result("banker") == ("lose", -1000)
    tie = punto(hands("K 6", "Q 6"), {"banker": 1000}, **six)
    assert tie.result("banker") == ("void", 0)
    assert punto(BANKERS_SIX, {"banker": 1000}).result("banker") == ("win", 950)
    three_cards = punto(hands("K 7", "K Q 6"), {"player": 1000, "banker": 1000}, **six)
    assert three_cards.result("banker") == ("lose", -1000)


@pytest.mark.cites("3.3(e)1")
def test_half_of_an_odd_cent_cannot_be_paid() -> None:
    table = Table(PUNTO_BANCO, {"no_vig_scheme": "six_half"})

    says(turned_away(table, "banker", 1001), Fault.NOT_PAYABLE, "a multiple of 2 cents", "3.3(e)1")


BESIDE = {"no_vig_scheme": "total_cards", **TOTALS, "table_min": 1, "vig_timing": "at_payout"}


@pytest.mark.cites("3.3(e)2")
@pytest.mark.parametrize(
    ("four", "five", "six", "net"),
    [
        (1000, 0, 0, 1000),
        (0, 0, 1000, 1000),
        (300, 300, 400, 1000),
        (400, 300, 299, 950),
        (0, 999, 0, 950),
        (0, 0, 0, 950),
        (2000, 0, 0, 1000),
    ],
)
def test_no_vigorish_beside_total_card_wagers_that_sum_to_the_wager_on_the_banker(
    four: int, five: int, six: int, net: int
) -> None:
    stakes = {"total_cards_4": four, "total_cards_5": five, "total_cards_6": six}
    wagers = {"banker": 1000, **{wager: stake for wager, stake in stakes.items() if stake}}

    assert punto(BANKER_WINS, wagers, **BESIDE).result("banker") == ("win", net)


@pytest.mark.cites("3.3(e)2")
def test_the_waiver_is_each_players_own_and_for_that_round_only() -> None:
    both = {"banker": 1000, "total_cards_4": 1000}
    seats = seated({"3": both, "8": {"banker": 1000}})
    told = rounds(
        {"draws": BANKER_WINS, "seats": seats},
        {"draws": BANKER_WINS, "seats": seated({"3": {"banker": 1000}})},
        **BESIDE,
    )

    assert told.result("banker", "3", 0) == ("win", 1000)
    assert told.result("banker", "8", 0) == ("win", 950)
    assert told.result("banker", "3", 1) == ("win", 950)


@pytest.mark.cites("3.3(e)2")
def test_total_card_wagers_waive_nothing_where_the_licensee_charges_vigorish() -> None:
    told = punto(BANKER_WINS, {"banker": 1000, "total_cards_4": 1000}, **TOTALS)

    assert told.result("banker") == ("win", 950)


# What no licensee may choose.


@pytest.mark.cites("3.1", "3.3", "3.4(a)", "3.5(a)", "3.5(e)", "3.7(d)", "3.10(b)", "3.12")
@pytest.mark.parametrize(
    ("options", "option", "cite"),
    [
        ({"decks": 5}, "decks", "3.4(a)"),
        ({"vig_percent": 3}, "vig_percent", "3.3(c)"),
        ({"vig_percent": 6}, "vig_percent", "3.3(c)"),
        ({"vig_rounding": "down"}, "vig_rounding", "3.3(c)1"),
        ({"vig_timing": "never"}, "vig_timing", "3.3(c)2"),
        ({"no_vig_scheme": "six_half,total_cards"}, "no_vig_scheme", "3.3(e)"),
        ({"no_vig_scheme": ["six_half", "total_cards"]}, "no_vig_scheme", "3.3(e)"),
        ({"no_vig_scheme": "total_cards"}, "no_vig_scheme", "3.3(e)2"),
        ({"tie_odds": "7 to 1"}, "tie_odds", "3.3(b)"),
        ({"higher_odds": {"player": "2 to 1"}}, "higher_odds", "3.3(a)"),
        ({"higher_odds": {"banker": "2 to 1"}}, "higher_odds", "3.3(c)"),
        ({"higher_odds": {"total_cards_4": "2 to 1"}, **TOTALS}, "higher_odds", "3.3(f)"),
        ({"bonus_paytable": "D"}, "bonus_paytable", "3.3(g)"),
        ({"offer_total_cards": "maybe"}, "offer_total_cards", "3.2(a)4"),
        ({"offer_bonus": "maybe"}, "offer_bonus", "3.2(a)5"),
        ({"bonus_requires_main_bet": "maybe"}, "bonus_requires_main_bet", "3.2(b)"),
        ({"shuffle_style": "machine"}, "shuffle_style", "3.5(a)"),
        ({"recut_by": "dealer"}, "recut_by", "3.5(f)"),
        ({"cut_card_from_back": 13}, "cut_card_from_back", "3.5(e)"),
        ({"deal_style": "blind"}, "deal_style", "3.7(d)"),
        ({"turn_without_wager": "maybe"}, "turn_without_wager", "3.7(d)6"),
        ({"banker_first_on_request": "always"}, "banker_first_on_request", "3.8(a)"),
        ({"settlement_sequence": 5}, "settlement_sequence", "3.10(b)"),
        ({"error_disclosed_procedure": 4}, "error_disclosed_procedure", CUSTOM),
        ({"error_ten_value_extra": 5}, "error_ten_value_extra", CUSTOM),
    ],
)
def test_an_unlawful_table_is_not_opened(options: dict[str, Any], option: str, cite: str) -> None:
    assert unlawful(GAME, options) == [(option, cite)]


@pytest.mark.cites("3.3", "3.5", "3.7", "3.10")
def test_the_defaults_are_those_of_the_rule_sheet() -> None:
    shown = Table(PUNTO_BANCO).options.as_json()

    expected = {
        "decks": 8, "vig_percent": 5, "vig_rounding": "up", "vig_timing": "deferred",
        "no_vig_scheme": "none", "tie_odds": "8 to 1", "offer_total_cards": "no",
        "offer_bonus": "no", "bonus_paytable": "A", "bonus_requires_main_bet": "yes",
        "deal_style": "face_down", "shuffle_style": "lace", "settlement_sequence": 3,
        "cut_card_from_back": 14,
    }  # fmt: skip
    assert {name: shown[name] for name in expected} == expected


# 3.4 and 3.5: opening, shuffle, cut and burn.


LACED = [("3.5(a)1", "shuffled"), ("3.5(a)1", "laced")]


@pytest.mark.cites("3.4(b)", "3.4(c)", "3.5(a)1", "3.5(a)1i", "3.5(a)2")
@pytest.mark.parametrize(
    ("style", "steps"),
    [
        ("lace", LACED),
        ("lace_reshuffle", [*LACED, ("3.5(a)1i", "shuffles again")]),
        ("three_dealer", [("3.5(a)2", "washed"), ("3.5(a)2", "three dealers shuffles")]),
    ],
)
def test_the_table_is_opened_and_the_cards_are_shuffled_as_the_licensee_chose(
    style: str, steps: list[tuple[str, str]]
) -> None:
    table = Table(PUNTO_BANCO, {"shuffle_style": style})
    table.bet("1", "player", 1000)
    Play(table)

    opening = [("3.4(b)", "inspects"), ("3.4(b)", "spread face up in columns"),
               ("3.4(c)", "washed and stacked")]  # fmt: skip
    found = [event.as_json() for event in table.events if event.kind == "step"]
    assert [cited(event) for event in found] == [cite for cite, _ in [*opening, *steps]]
    for event, (_, words) in zip(found, [*opening, *steps], strict=True):
        assert words in event["text"]


@pytest.mark.cites("3.4(b)")
def test_the_cards_are_inspected_only_when_the_table_is_opened() -> None:
    sitting = Sitting({"1": {"player": 1000}})
    sitting.round([*cards("A A"), *PLAYER_WINS], shuffle=True)

    assert not [e for e in sitting.table.events if e.cite and "3.4" in str(e.cite)]
    assert [e for e in sitting.table.events if e.cite and "3.5(a)1" in str(e.cite)]


THREE = {"2": {"player": 1000}, "5": {"player": 1000}, "9": {"player": 1000}}
BURNT = cards("A A")


@pytest.mark.cites("3.5(c)")
def test_the_cut_is_offered_to_the_highest_seat_and_clockwise_and_then_the_dealer_cuts() -> None:
    sitting = Sitting(THREE)
    asked = sitting.round([*BURNT, *PLAYER_WINS], shuffle=True)

    assert offered(asked, "cut the cards") == ["9", "5", "2"]
    texts = [event.data.get("text") for event in sitting.table.events]
    assert "The dealer cuts the cards" in texts
    assert sitting.table.state.cutter is None


@pytest.mark.cites("3.5(c)")
def test_the_first_to_accept_the_cut_cuts() -> None:
    sitting = Sitting(THREE)
    asked = sitting.round([*BURNT, *PLAYER_WINS], {"5": [{"cut": 100}]}, shuffle=True)

    assert offered(asked, "cut the cards") == ["9", "5"]
    assert sitting.table.state.cutter == "5"
    (cut,) = [e for e in sitting.table.events if e.kind == "decision"]
    assert (cut.data["seat"], cut.data["cards"], str(cut.cite)) == ("5", 100, "19:47-3.5(c)")


@pytest.mark.cites("3.5(c)")
def test_at_a_reshuffle_the_cut_is_offered_first_to_the_last_curator() -> None:
    sitting = Sitting(THREE)
    sitting.round(BANKER_WINS, {"2": ["decline"]})
    assert sitting.table.state.curator == "5"

    asked = sitting.round([*BURNT, *BANKER_WINS], shuffle=True)

    assert offered(asked, "cut the cards") == ["5", "2", "9"]


@pytest.mark.cites("3.5(d)")
@pytest.mark.parametrize(
    ("decks", "deep", "lawful"),
    [(8, 9, False), (8, 10, True), (8, 406, True), (8, 407, False), (6, 302, True),
     (6, 303, False), (6, 0, False)],
)  # fmt: skip
def test_the_cut_is_at_least_ten_cards_from_either_end(decks: int, deep: int, lawful: bool) -> None:
    play = Sitting({"2": {"player": 1000}}, decks=decks).begin(shuffle=True)

    if lawful:
        play.answer({"cut": deep})
        assert at_draw(play.request) if play.request else False
    else:
        refusal = not_answered(play, {"cut": deep})
        assert refusal.fault is Fault.ILLEGAL_MOVE
        assert f"10 to {52 * decks - 10} cards" in refusal.message
        assert section(refusal) == "19:47-3.5"


@pytest.mark.cites("3.5(e)")
@pytest.mark.parametrize("cards_behind", [14, 30])
def test_one_cutting_card_goes_in_front_of_the_last_fourteen_or_more(cards_behind: int) -> None:
    draws = [*BURNT, *PLAYER_WINS]
    told = rounds({"shuffle": True, "draws": draws, "seats": one("player")},
                  cut_card_from_back=cards_behind)  # fmt: skip

    assert f"{cards_behind} cards from the back, one to the end" in did(told, "3.5(e)")[0]


@pytest.mark.cites("3.5(e)")
@pytest.mark.parametrize(
    ("first", "more"), [("A", 1), *((str(n), n) for n in range(2, 10)), *((c, 10) for c in "TJQK")]
)
def test_the_first_card_is_burnt_with_as_many_as_it_shows_all_face_up(
    first: str, more: int
) -> None:
    burnt = cards(" ".join([first, *OF_VALUE[:more]]))
    sitting = Sitting({"2": {"player": 1000}}, **FACE_UP)
    play = sitting.begin(shuffle=True)
    go_on(play, burnt, until=lambda _: not sitting.table.betting_is_open)

    shown = [e.data["outcome"] for e in sitting.table.events if e.data.get("to") == "burn"]
    shoe = sitting.table.equipment
    assert shown == burnt
    assert [str(card) for card in shoe.discard_rack] == burnt
    assert len(shoe.stub) == 8 * 52 - 1 - more


@pytest.mark.cites("3.8(e)")
@pytest.mark.parametrize("behind", [14, 200])
def test_after_the_cutting_card_comes_the_last_hand_and_then_the_reshuffle(behind: int) -> None:
    table = Table(PUNTO_BANCO, {"decks": 6, "cut_card_from_back": behind})
    table.state = PUNTO_BANCO.in_play(table.state)
    chance = by_chance(SeededStream(47))

    def next_hand() -> tuple[int, int, list[str]]:
        """The cards left before and after it, and what was announced."""
        before = len(table.equipment.stub)
        table.open_betting()
        table.bet("1", "tie", 1000)
        play_round(table, chance)
        texts = [str(e.data["text"]) for e in table.events if e.kind in ("announce", "step")]
        return before, len(table.equipment.stub), texts

    before, after, texts = next_hand()
    while "Last hand" not in texts:
        assert after > behind
        before, after, texts = next_hand()
    assert before > behind >= after
    assert texts[-1] == "Last hand"

    before, after, texts = next_hand()
    assert (before - after) in (4, 5, 6)
    assert "Last hand" not in texts
    assert not any("shuffled" in text for text in texts)

    before, after, texts = next_hand()
    assert texts[0] == "The cards are shuffled"
    assert after > 312 - 1 - 10 - 7


@pytest.mark.cites("3.8(e)")
@pytest.mark.parametrize(("in_front", "last"), [(0, True), (1, False)])
def test_the_cutting_card_has_appeared_when_every_card_in_front_of_it_is_dealt(
    in_front: int, last: bool
) -> None:
    sitting = Sitting({"1": {"tie": 1000}}, decks=6, cut_card_from_back=200)
    play = sitting.begin()
    go_on(play, until=at_draw)
    others = Counter(map(str, sitting.table.equipment.stub)) - Counter(TIE)
    for card in list(others.elements())[: 312 - 200 - 4 - in_front]:
        play.answer({"irregularity": "card_drawn_in_error"})
        play.answer(card)
    go_on(play, TIE)

    said = [event.data["text"] for event in sitting.table.events if event.kind == "announce"]
    assert len(sitting.table.equipment.stub) == 200 + in_front
    assert ("Last hand" in said) == last


# 3.6 and 3.11: the curator.


TRIO = {"2": {"banker": 1000}, "5": {"banker": 1000}, "9": {"player": 1000}}


@pytest.mark.cites("3.6(b)", "3.6(c)")
def test_the_shoe_is_offered_from_seat_1_counterclockwise_until_it_is_accepted() -> None:
    everyone = Sitting({"1": {"banker": 1000}, **TRIO})
    asked = everyone.round(TIE)
    assert (offered(asked, "will you take the shoe?"), everyone.table.state.curator) == (["1"], "1")

    sitting = Sitting(TRIO)
    asked = sitting.round(TIE, {"2": ["decline"], "5": ["decline"]})
    assert (offered(asked, "will you take the shoe?"), sitting.table.state.curator) == (
        ["2", "5", "9"],
        "9",
    )


@pytest.mark.cites("3.6(d)2")
def test_the_dealer_is_the_curator_if_nobody_accepts() -> None:
    decline = {seat: ["decline"] for seat in TRIO}
    told = rounds({"draws": TIE, "seats": seated(TRIO, decline)})

    assert did(told, "3.6(d)2") == ["Nobody accepts the shoe: the dealer is the curator"]


@pytest.mark.cites("3.6(d)1")
def test_the_dealer_is_the_curator_if_the_one_who_gets_the_shoe_says_so() -> None:
    sitting = Sitting(TRIO)
    moves = {"2": ["decline"], "5": ["designate_dealer"]}

    asked = sitting.round(TIE, moves)

    assert offered(asked, "will you take the shoe?") == ["2", "5"]
    assert sitting.table.state.curator is None
    assert not offered(asked, "keep the shoe")
    assert not offered(sitting.round(PLAYER_WINS), "will you take the shoe?")


@pytest.mark.cites("3.6(d)1", "3.11(a)1")
def test_one_to_whom_the_shoe_is_passed_may_designate_the_dealer_too() -> None:
    sitting = Sitting(TRIO)
    sitting.round(PLAYER_WINS)
    sitting.round(TIE, {"5": ["designate_dealer"]})

    assert sitting.table.state.curator is None


@pytest.mark.cites("3.11(a)")
@pytest.mark.parametrize("draws", [BANKER_WINS, TIE])
def test_the_curator_may_keep_the_shoe_unless_the_bankers_hand_loses(draws: list[str]) -> None:
    sitting = Sitting(TRIO)

    assert offered(sitting.round(draws), "keep the shoe") == ["2"]
    asked = sitting.round(draws)

    assert not offered(asked, "will you take the shoe?")
    assert sitting.table.state.curator == "2"


@pytest.mark.cites("3.11(a)")
def test_the_curator_may_pass_the_shoe_after_any_round_to_the_right() -> None:
    sitting = Sitting(TRIO)
    sitting.round(BANKER_WINS, {"2": ["pass_shoe"]})

    asked = sitting.round(BANKER_WINS, {"5": ["decline"]})

    assert offered(asked, "will you take the shoe?") == ["5", "9"]
    assert sitting.table.state.curator == "9"


@pytest.mark.cites("3.11(a)1")
def test_the_curator_must_pass_the_shoe_when_the_bankers_hand_loses() -> None:
    sitting = Sitting(TRIO)
    asked = sitting.round(PLAYER_WINS)
    assert not offered(asked, "keep the shoe")
    (passes,) = [e for e in sitting.table.events if str(e.cite) == "19:47-3.11(a)1"]
    assert passes.kind == "announce"

    asked = sitting.round(BANKER_WINS)

    assert offered(asked, "will you take the shoe?") == ["5"]
    assert sitting.table.state.curator == "5"


@pytest.mark.cites("3.11(a)")
def test_from_the_highest_seat_the_shoe_goes_round_to_the_lowest() -> None:
    sitting = Sitting(TRIO)
    sitting.round(PLAYER_WINS, {"2": ["decline"], "5": ["decline"]})

    asked = sitting.round(BANKER_WINS)

    assert offered(asked, "will you take the shoe?") == ["2"]


@pytest.mark.cites("3.6(b)")
def test_when_the_curator_is_gone_the_shoe_is_offered_to_the_right_of_his_seat() -> None:
    sitting = Sitting(TRIO)
    sitting.round(BANKER_WINS, {"2": ["decline"]})
    sitting.wagers = {"2": {"banker": 1000}, "9": {"player": 1000}}

    assert offered(sitting.round(BANKER_WINS), "will you take the shoe?") == ["9"]


# 3.7 and 3.8: the deal.


@pytest.mark.cites("3.7(a)", "3.7(c)")
def test_the_first_and_third_cards_are_the_players_the_others_the_bankers() -> None:
    told = punto(cards("2 3 4 5"), {"tie": 1000}, **FACE_UP)

    assert (drawn(told, "player"), drawn(told, "banker")) == (cards("2 4"), cards("3 5"))


@pytest.mark.cites("3.7(c)", "3.8(a)", "3.10(a)")
def test_face_up_nobody_is_handed_a_card_and_both_counts_are_announced() -> None:
    told = punto(hands("K 2 6", "K 6 J"), {"banker": 1000, "player": 1000}, **FACE_UP)

    assert not told.events("reveal")
    assert not told.events("look")
    assert did(told, "3.8(a)") == ["Player's Hand 2", "Banker's Hand 6"]
    assert called(told) == "Player's Hand 8, Banker's Hand 6. Player's Hand wins"


@pytest.mark.cites("3.10(a)")
def test_equal_counts_are_announced_as_a_tie_hand() -> None:
    assert called(punto(TIE, {"tie": 1000})).endswith("Tie Hand")


@pytest.mark.cites("3.7(d)1", "3.7(d)2", "3.7(d)3", "3.7(d)4", "3.8(a)")
def test_face_down_the_highest_bettors_turn_the_hands_and_their_third_cards() -> None:
    wagers = {"2": {"player": 1000}, "5": {"player": 3000, "banker": 1000}, "9": {"banker": 2000}}
    told = deal(GAME, SIX, options={}, seats=seated(wagers))

    handed = [text for text in did(told, "3.7(d)") if "hands" in text]
    assert handed == [
        "The dealer hands the cards of the Player's Hand to seat 5",
        "The dealer hands the cards of the Banker's Hand to seat 9",
        "The dealer hands the third card of the Player's Hand to seat 5",
        "The dealer hands the third card of the Banker's Hand to seat 9",
    ]
    turned = [(event["hand"], event["cards"]) for event in told.events("reveal")]
    assert turned == [
        ("player", cards("K 2")),
        ("banker", cards("K 3")),
        ("player", cards("4")),
        ("banker", cards("J")),
    ]


@pytest.mark.cites("3.7(d)")
def test_the_bankers_hand_waits_under_the_shoe_until_the_players_is_called() -> None:
    told = punto(BANKER_WINS, {"banker": 1000})

    (tucked,) = [e for e in told.events("step") if "under the corner of the shoe" in e["text"]]
    events = told.rounds[-1]["events"]
    called = next(e for e in events if e.get("text") == "Player's Hand 6")
    turned = next(e for e in events if e["kind"] == "reveal" and e["hand"] == "banker")
    assert events.index(tucked) < events.index(called) < events.index(turned)
    assert cited(tucked) == "3.7(d)"


def handed_to(wagers: Mapping[str, Mapping[str, int]], hand: str, **options: Any) -> list[str]:
    """The seats that were handed a hand."""
    told = deal(GAME, TIE, options=options, seats=seated(wagers))
    words = f"The dealer hands the cards of the {hand.title()}'s Hand to seat "
    return [e["text"].removeprefix(words) for e in told.events("step") if words in e["text"]]


@pytest.mark.cites("3.7(d)5")
@pytest.mark.parametrize("hand", ["player", "banker"])
def test_of_equal_wagers_the_first_counterclockwise_is_handed_the_cards(hand: str) -> None:
    equal = {"11": {hand: 2000}, "4": {hand: 2000}, "2": {hand: 1000}, "7": {hand: 2000}}
    assert handed_to(equal, hand) == ["4"]

    higher = equal | {"7": {hand: 2001}}
    assert handed_to(higher, hand) == ["7"]


@pytest.mark.cites("3.7(d)1", "3.7(d)2")
def test_only_the_wager_on_the_hand_itself_counts() -> None:
    wagers = {"2": {"tie": 9000, "banker": 1000, "bonus_player": 9000}, "5": {"player": 1000}}

    assert handed_to(wagers, "player", **BONUS) == ["5"]


@pytest.mark.cites("3.7(d)6")
@pytest.mark.parametrize(("hand", "other"), [("player", "banker"), ("banker", "player")])
def test_a_hand_on_which_nobody_wagered_is_turned_by_the_dealer_or_by_a_bettor_on_the_other(
    hand: str, other: str
) -> None:
    wagers = {"2": {"tie": 1000}, "5": {other: 1000}, "9": {other: 5000}}

    assert handed_to(wagers, hand) == []
    assert handed_to(wagers, hand, turn_without_wager="yes") in (["5"], ["9"])
    assert handed_to({"2": {"tie": 1000}}, hand, turn_without_wager="yes") == []


def sees(table: Table, seat: str | None) -> str:
    """All that a seat, or a bystander, can see, as text."""
    return json.dumps(table.view(seat))


@pytest.mark.cites("3.7(d)", "3.7(d)1", "3.7(d)2")
def test_nobody_sees_a_card_before_it_is_turned() -> None:
    sitting = Sitting({"2": {"player": 1000}, "9": {"banker": 1000}})
    table, play = sitting.table, sitting.begin()
    people = (None, "2", "9")

    go_on(play, ["2c", "3c", "4d", "4s"], until=asks("of the Player's Hand?"))
    assert isinstance(play.request, Ask)
    assert play.request.seat == "2"
    for seat in people:
        assert not any(card in sees(table, seat) for card in ("2c", "4d", "3c", "4s"))

    play.answer("turn")
    assert isinstance(play.request, Ask)
    assert play.request.seat == "9"
    for seat in people:
        assert all(card in sees(table, seat) for card in ("2c", "4d"))
        assert not any(card in sees(table, seat) for card in ("3c", "4s"))

    play.answer("turn")
    for seat in people:
        assert all(card in sees(table, seat) for card in ("2c", "4d", "3c", "4s"))


@pytest.mark.cites("3.7(d)1", "3.7(d)3")
def test_the_one_who_turns_a_hand_looks_at_it_and_nobody_else_does() -> None:
    sitting = Sitting({"2": {"player": 1000}, "9": {"banker": 1000}})
    sitting.round(["2c", "3c", "4d", "4s"])

    def looked(seat: str | None) -> list[str]:
        events = sitting.table.view(seat)["events"]
        return [e["outcome"] for e in events if e["kind"] == "look"]

    assert looked("2") == ["2c", "4d"]
    assert looked("9") == ["3c", "4s"]
    assert looked(None) == []


@pytest.mark.cites("3.7(d)3", "3.7(d)4")
def test_a_third_card_lies_face_down_until_it_is_turned() -> None:
    sitting = Sitting({"2": {"player": 1000}, "9": {"banker": 1000}})
    table, play = sitting.table, sitting.begin()
    go_on(play, ["2c", "3c", "2d", "Ks", "6s"], until=asks("the third card of the Player's"))

    for seat in (None, "2", "9"):
        assert "6s" not in sees(table, seat)
    play.answer("turn")
    for seat in (None, "2", "9"):
        assert "6s" in sees(table, seat)


PAIRED = {"2": {"player": 1000}, "5": {"banker": 1000}, "9": {"player": 500}}
LOW = {"table_min": 500}


@pytest.mark.cites("3.12", "3.7(d)3")
def test_who_relinquishes_the_right_to_turn_passes_it_to_the_right() -> None:
    sitting = Sitting(PAIRED, **LOW)
    asked = sitting.round(SIX, {"2": ["relinquish"], "5": ["decline"]})

    assert offered(asked, "take the right to turn the Player's Hand") == ["5", "9"]
    assert offered(asked, "turn the cards of the Player's Hand") == ["2", "9"]
    assert offered(asked, "turn the third card of the Player's Hand") == ["9"]
    assert offered(asked, "turn the third card of the Banker's Hand") == ["5"]


@pytest.mark.cites("3.12")
def test_the_dealer_turns_the_cards_if_nobody_takes_that_right() -> None:
    sitting = Sitting(PAIRED, **LOW)
    moves = {"2": ["relinquish"], "5": ["decline"], "9": ["decline"]}
    asked = sitting.round(SIX, moves)

    assert offered(asked, "of the Player's Hand?") == ["2"]
    turned = [event.data["hand"] for event in sitting.table.events if event.kind == "reveal"]
    assert turned == ["player", "banker", "player", "banker"]


@pytest.mark.cites("3.12")
def test_the_right_to_turn_is_lost_for_that_round_only() -> None:
    sitting = Sitting(PAIRED, **LOW)
    sitting.round(SIX, {"2": ["relinquish"], "5": ["decline"], "9": ["relinquish", "decline"]})

    asked = sitting.round(SIX)

    assert offered(asked, "turn the cards of the Player's Hand") == ["2"]


@pytest.mark.cites("3.12")
def test_after_a_void_round_everyone_may_be_offered_the_right_to_turn_again() -> None:
    sitting = Sitting(PAIRED, **LOW)
    play = sitting.begin()
    go_on(play, hands("K 2", "K 3"), {"2": ["relinquish"]}, until=asks("take the right"))
    go_on(play, until=at_draw)
    play.answer({"irregularity": "too_few_cards"})
    assert sitting.table.is_void

    asked = sitting.round([*BURNT, *SIX], {"5": ["relinquish"], "9": ["decline", "decline"]})

    assert offered(asked, "take the right to turn the Banker's Hand") == ["9", "2"]


@pytest.mark.cites("3.8(a)")
def test_the_bankers_hand_is_turned_first_on_request_when_the_dealer_is_the_curator() -> None:
    sitting = Sitting(PAIRED, **LOW, banker_first_on_request="yes")
    moves = {"2": ["designate_dealer"], "5": ["banker_first"]}

    asked = sitting.round(BANKER_WINS, moves)

    assert offered(asked, "which hand is turned first") == ["2", "5"]
    turned = [event.data["hand"] for event in sitting.table.events if event.kind == "reveal"]
    assert turned == ["banker", "player"]
    texts = [e.data["text"] for e in sitting.table.events if e.kind == "announce"]
    assert texts.index("Banker's Hand 7") < texts.index("Player's Hand 6")


@pytest.mark.cites("3.8(a)")
def test_the_players_hand_is_turned_first_unless_someone_asks() -> None:
    sitting = Sitting(PAIRED, **LOW, banker_first_on_request="yes")
    asked = sitting.round(BANKER_WINS, {"2": ["designate_dealer"]})

    assert offered(asked, "which hand is turned first") == ["2", "5", "9"]
    turned = [event.data["hand"] for event in sitting.table.events if event.kind == "reveal"]
    assert turned == ["player", "banker"]


@pytest.mark.cites("3.8(a)")
@pytest.mark.parametrize(("option", "first"), [("yes", "accept"), ("no", "designate_dealer")])
def test_nobody_may_ask_for_it_with_another_curator_or_without_the_licensees_leave(
    option: str, first: str
) -> None:
    sitting = Sitting(PAIRED, **LOW, banker_first_on_request=option)

    assert not offered(sitting.round(BANKER_WINS, {"2": [first]}), "which hand")


# 3.10: settlement.


@pytest.mark.cites("3.10(b)1", "3.10(b)2", "3.10(b)3", "3.10(b)4", "3.10(c)")
@pytest.mark.parametrize(
    ("sequence", "order"),
    [
        ("1", ["pay 12", "pay 8", "pay 3", "vigorish 12", "vigorish 8", "vigorish 3"]),
        ("2", ["vigorish 12", "vigorish 8", "vigorish 3", "pay 12", "pay 8", "pay 3"]),
        ("3", ["pay 12", "vigorish 12", "pay 8", "vigorish 8", "pay 3", "vigorish 3"]),
        ("4", ["vigorish 12", "pay 12", "vigorish 8", "pay 8", "vigorish 3", "pay 3"]),
    ],
)
@pytest.mark.parametrize("timing", ["deferred", "at_payout"])
def test_losers_are_collected_and_then_winners_from_the_highest_seat_downward(
    sequence: str, order: list[str], timing: str
) -> None:
    banker = {"banker": 1000}
    wagers = {"3": banker, "8": banker, "5": {"player": 1000}, "12": banker, "14": {"tie": 1000}}
    told = deal(GAME, BANKER_WINS, seats=seated(wagers),
                options={"settlement_sequence": sequence, "vig_timing": timing})  # fmt: skip

    kinds = ("collect", "pay", "vigorish")
    found = [f"{e['kind']} {e['seat']}" for e in told.rounds[-1]["events"] if e["kind"] in kinds]
    assert found[2:] == order
    assert set(found[:2]) == {"collect 14", "collect 5"}


@pytest.mark.cites("3.10(b)1")
def test_a_seat_without_vigorish_is_paid_in_its_place() -> None:
    wagers = {"3": {"banker": 1000}, "8": {"total_cards_4": 1000}}
    told = deal(GAME, BANKER_WINS, seats=seated(wagers),
                options={**TOTALS, "settlement_sequence": "1"})  # fmt: skip

    kinds = ("collect", "pay", "vigorish")
    found = [f"{e['kind']} {e['seat']}" for e in told.rounds[-1]["events"] if e["kind"] in kinds]
    assert found == ["pay 8", "pay 3", "vigorish 3"]


# 3.12, after 7.11: irregularities.


@pytest.mark.cites("3.12")
@pytest.mark.parametrize("banker", range(6))
@pytest.mark.parametrize("kind", ["third_card_in_error", "third_card_in_error_disclosed"])
def test_a_third_card_the_player_is_not_due_is_the_bankers_if_the_banker_must_draw(
    kind: str, banker: int
) -> None:
    draws = [*hands("K 6", two(banker)), "2h"]
    told = deal(GAME, draws, {"player": 1000}, options=FACE_UP,
                irregularities=happened(kind, 5))  # fmt: skip

    assert drawn(told, "banker")[2:] == ["2h"]
    assert drawn(told, "player") == cards("K 6")
    assert called(told).startswith(f"Player's Hand 6, Banker's Hand {banker + 2}.")


@pytest.mark.cites("3.12")
@pytest.mark.parametrize(
    ("player", "banker"), [("K 6", "K 6"), ("K 7", "K 7"), ("K 9", "K 2"), ("K 2", "K 8")]
)
@pytest.mark.parametrize("style", ["face_up", "face_down"])
def test_or_else_it_is_the_first_card_of_the_next_hand(
    player: str, banker: str, style: str
) -> None:
    told = rounds(
        {"draws": [*hands(player, banker), "9h"], "seats": one("tie"),
         "irregularities": happened("third_card_in_error", 5)},
        {"draws": cards("2 K 3"), "seats": one("player")},
        deal_style=style,
    )  # fmt: skip

    assert unseen(told, "set_aside", 0) == 1
    assert len(told.events("draw", 0)) == 5
    (used,) = told.events("set_aside")
    assert (used["to"], cited(used)) == ("player", CUSTOM)
    assert called(told) == "Player's Hand 9, Banker's Hand 5. Player's Hand wins"


@pytest.mark.cites("3.12")
@pytest.mark.parametrize("before", [1, 2, 3, 4, 5])
def test_any_card_drawn_in_error_is_the_first_card_of_the_next_hand(before: int) -> None:
    draws = hands("K 6", "K 7")
    told = rounds(
        {"draws": [*draws[: before - 1], "9h", *draws[before - 1 :]], "seats": one("banker"),
         "irregularities": happened("card_drawn_in_error", before)},
        {"draws": cards("2 K 3"), "seats": one("player")},
    )  # fmt: skip

    assert told.result("banker", round=0) == ("win", 950)
    assert called(told) == "Player's Hand 9, Banker's Hand 5. Player's Hand wins"


@pytest.mark.cites("3.12")
def test_nobody_knows_a_card_drawn_in_error_before_it_is_dealt() -> None:
    sitting = Sitting({"1": {"banker": 1000}})
    play = sitting.begin()
    go_on(play, until=at_draw)
    play.answer({"irregularity": "card_drawn_in_error"})
    play.answer("9s")

    assert not any("9s" in sees(sitting.table, seat) for seat in (None, "1", "2"))


@pytest.mark.cites("3.12")
def test_a_shuffle_gathers_the_card_that_was_set_aside() -> None:
    told = rounds(
        {"draws": [*BANKER_WINS, "9h"], "seats": one("banker"),
         "irregularities": happened("card_drawn_in_error", 5)},
        {"shuffle": True, "draws": [*BURNT, *BANKER_WINS], "seats": one("banker")},
    )  # fmt: skip

    assert not told.events("set_aside")
    assert told.result("banker") == ("win", 950)


def empty_but_for(play: Play, last: Sequence[str]) -> None:
    """Cards are drawn in error until only these are left in the shoe."""
    rest = Counter(map(str, play.table.equipment.stub)) - Counter(last)
    for card in rest.elements():
        play.answer({"irregularity": "card_drawn_in_error"})
        play.answer(card)


DISCLOSED = ["card_drawn_in_error_disclosed", "third_card_in_error_disclosed"]


@pytest.mark.cites("3.12")
@pytest.mark.parametrize(
    ("card", "extra", "more"),
    [("A", "10", 1), ("3", "10", 3), ("9", "1", 9)]
    + [(ten, extra, int(extra)) for ten in "TJQK" for extra in ("1", "10")],
)
@pytest.mark.parametrize("kind", DISCLOSED)
def test_procedure_1_discards_a_disclosed_card_with_as_many_as_its_value_face_up(
    kind: str, card: str, extra: str, more: int
) -> None:
    gone = cards(" ".join([card, *OF_VALUE[:more]]))
    told = rounds(
        {"draws": [*hands("K 7", "K 6"), *gone], "seats": one("player"),
         "irregularities": happened(kind, 5)},
        {"draws": BANKER_WINS, "seats": one("player")},
        error_disclosed_procedure="1", error_ten_value_extra=extra,
    )  # fmt: skip

    assert drawn(told, "discards", 0) == gone
    assert told.result("player", round=0) == ("win", 1000)
    assert told.result("player", round=1) == ("lose", -1000)


@pytest.mark.cites("3.12")
@pytest.mark.parametrize("kind", DISCLOSED)
def test_procedure_2_discards_it_with_one_more_unseen(kind: str) -> None:
    told = deal(GAME, [*hands("K 7", "K 6"), *cards("9 5")], {"player": 1000},
                irregularities=happened(kind, 5),
                options={"error_disclosed_procedure": "2"})  # fmt: skip

    assert (drawn(told, "discards"), unseen(told, "discards")) == (["9h"], 1)
    assert told.result("player") == ("win", 1000)


@pytest.mark.cites("3.12")
@pytest.mark.parametrize("kind", DISCLOSED)
def test_procedure_3_starts_a_simulated_round_with_it_on_which_nobody_wagers(kind: str) -> None:
    simulated = cards("2 K 3 5 4")
    told = rounds(
        {"draws": [*hands("K 7", "K 6"), "Qh", *simulated], "seats": one("player"),
         "irregularities": happened(kind, 5)},
        {"draws": BANKER_WINS, "seats": one("player")},
        error_disclosed_procedure="3",
    )  # fmt: skip

    # Player Q, K and 5; banker 2, 3, and a 4 that it must draw to a five.
    first = told.rounds[0]
    assert drawn(told, "simulated player", 0) == cards("K 5")
    assert drawn(told, "simulated banker", 0) == cards("2 3 4")
    assert "unused_draws" not in first
    assert [(s["wager"], s["net"]) for s in first["settlements"]] == [("player", 1000)]
    kinds = [event["kind"] for event in first["events"]]
    simulation = [e.get("text", "").startswith("A simulated round") for e in first["events"]]
    assert kinds.index("pay") < simulation.index(True)
    assert told.result("player") == ("lose", -1000)


@pytest.mark.cites("3.12")
def test_all_cards_of_a_simulated_round_are_discarded() -> None:
    sitting = Sitting({"1": {"player": 1000}}, error_disclosed_procedure="3")
    play = sitting.begin()
    go_on(play, hands("K 7", "K 6"), until=at_the_end)
    play.answer({"irregularity": "card_drawn_in_error_disclosed"})
    go_on(play, cards("9 2 K 3"))

    shoe = sitting.table.equipment
    assert Counter(map(str, shoe.discard_rack)) == Counter(cards("K 7 K 6 9 2 K 3"))
    assert not shoe.on_layout


@pytest.mark.cites("3.12")
@pytest.mark.parametrize("really", [True, False])
def test_a_simulated_round_that_cannot_be_finished_leaves_what_was_paid_as_it_is(
    really: bool,
) -> None:
    sitting = Sitting({"1": {"player": 1000}}, error_disclosed_procedure="3", decks=6)
    table, play = sitting.table, sitting.begin()
    go_on(play, until=at_draw)
    needed = cards("K K 7 6 9 2")
    if really:
        empty_but_for(play, needed)
    go_on(play, needed[:4], until=at_the_end)
    play.answer({"irregularity": "card_drawn_in_error_disclosed"})
    play.answer("9h")
    play.answer(None)
    assert table.money["1"] == 1000

    if really:
        go_on(play, ["2h"])
    else:
        with suppress(Refusal):
            play.answer({"irregularity": "too_few_cards"})

    assert not table.is_void
    assert table.money["1"] == 1000


@pytest.mark.cites("3.12")
@pytest.mark.parametrize(("card", "more"), [("A", 1), ("5", 5), ("9", 9), ("T", 0), ("Q", 0)])
def test_a_card_found_face_up_is_discarded_with_as_many_as_its_value(card: str, more: int) -> None:
    gone = cards(" ".join([card, *OF_VALUE[:more]]))
    draws = hands("K 7", "K 6")
    told = deal(GAME, [*draws[:2], *gone, *draws[2:]], {"player": 1000},
                irregularities=happened("card_face_up", 3))  # fmt: skip

    assert drawn(told, "discards") == gone
    assert told.result("player") == ("win", 1000)


@pytest.mark.cites("3.12")
def test_a_round_for_which_the_cards_do_not_suffice_is_void_and_all_are_shuffled() -> None:
    seats = seated({"3": {"banker": 1000, "tie": 1000}, "8": {"player": 1000}})
    told = rounds(
        {"draws": cards("K 9 5"), "seats": seats, "irregularities": happened("too_few_cards", 4)},
        {"draws": [*BURNT, *PLAYER_WINS], "seats": one("player")},
    )

    assert told.rounds[0]["void"]
    assert {s["result"] for s in told.rounds[0]["settlements"]} == {"void"}
    assert (told.net("3"), told.net("8")) == (0, 0)
    assert did(told, "3.5(a)1")[0] == "The cards are shuffled"
    assert drawn(told, "burn") == BURNT


@pytest.mark.cites("3.12")
@pytest.mark.parametrize("left", range(1, 5))
def test_when_the_shoe_really_runs_out_the_round_is_void(left: int) -> None:
    """Cards drawn in error empty a shoe; what is left is less than this round needs."""
    sitting = Sitting({"1": {"banker": 1000}}, decks=6)
    table, play = sitting.table, sitting.begin()
    go_on(play, until=at_draw)
    low = cards("2 2 3 3")[:left]
    empty_but_for(play, low)
    assert len(table.equipment.stub) == left

    go_on(play, low)

    assert table.is_void
    assert (table.money["1"], table.money[LAYOUT]) == (0, 0)
    (event,) = [e for e in table.events if e.data.get("irregularity") == "too_few_cards"]
    assert str(event.cite) == f"19:47-{CUSTOM}"
    sitting.round([*BURNT, *BANKER_WINS])
    assert table.worth("1") == 950


@pytest.mark.cites("3.12")
def test_the_shoe_may_also_run_out_while_cards_are_discarded() -> None:
    sitting = Sitting({"1": {"banker": 1000}}, decks=6)
    table, play = sitting.table, sitting.begin()
    go_on(play, until=at_draw)
    last = cards("9 9")
    empty_but_for(play, last)

    play.answer({"irregularity": "card_face_up"})
    go_on(play, last)

    assert table.is_void
    assert table.money["1"] == 0


@pytest.mark.cites("3.5(f)")
@pytest.mark.parametrize(("recut_by", "again"), [("last_cutter", ["5"]), ("next_person", ["2"])])
def test_an_improper_cut_is_made_again_by_the_last_cutter_or_the_next_person(
    recut_by: str, again: list[str]
) -> None:
    sitting = Sitting(THREE, recut_by=recut_by)
    play = sitting.begin(shuffle=True)
    go_on(play, moves={"5": [{"cut": 100}]}, until=at_draw)
    play.answer({"irregularity": "improper_cut"})

    asked = go_on(play, moves={seat: [{"cut": 50}] for seat in THREE}, until=at_draw)

    assert offered(asked, "cut the cards") == again
    assert [sitting.table.state.cutter] == again


@pytest.mark.cites("3.5(f)")
def test_after_the_last_person_the_dealer_cuts_again() -> None:
    sitting = Sitting(THREE, recut_by="next_person")
    play = sitting.begin(shuffle=True)
    go_on(play, moves={"2": [{"cut": 100}]}, until=at_draw)
    play.answer({"irregularity": "improper_cut"})

    assert at_draw(play.request) if play.request else False
    assert sitting.table.state.cutter is None


@pytest.mark.cites("3.12")
@pytest.mark.parametrize(("seat", "heir"), [("2", "5"), ("5", "9"), ("", "5")])
def test_who_delays_the_game_loses_the_right_to_turn_cards(seat: str, heir: str) -> None:
    """The seat that the report names, or else the one whose turn comes first."""
    sitting = Sitting(PAIRED, **LOW)
    play = sitting.begin()
    go_on(play, until=at_draw)
    play.answer({"irregularity": "turn_right_taken", "seat": seat})
    asked = go_on(play, SIX)

    hand = "Banker's Hand" if seat == "5" else "Player's Hand"
    assert offered(asked, f"take the right to turn the {hand}") == [heir]
    assert offered(asked, f"turn the cards of the {hand}") == [heir]
    assert offered(asked, f"turn the third card of the {hand}") == [heir]


@pytest.mark.cites("3.12")
def test_the_right_to_turn_is_not_taken_from_one_who_did_nothing() -> None:
    sitting = Sitting(PAIRED, **LOW)
    play = sitting.begin()
    go_on(play, until=at_draw)

    refusal = not_answered(play, {"irregularity": "turn_right_taken", "seat": "9"})

    assert section(refusal) == "19:47-3.12"


@pytest.mark.cites("3.11")
def test_a_shoe_that_is_taken_away_is_offered_to_the_right() -> None:
    sitting = Sitting(TRIO)
    play = sitting.begin()
    go_on(play, until=at_draw)
    play.answer({"irregularity": "shoe_taken", "seat": "2"})
    asked = go_on(play, TIE, {"5": ["decline"]})

    assert offered(asked, "will you take the shoe?") == ["5", "9"]
    assert offered(asked, "keep the shoe") == ["9"]
    assert sitting.table.state.curator == "9"


@pytest.mark.cites("3.11")
def test_the_next_participant_deals_on_when_the_shoe_is_taken_away() -> None:
    told = deal(GAME, BANKER_WINS, options={}, seats=seated(TRIO, {"5": ["pass_shoe"]}),
                irregularities=happened("shoe_taken", 3))  # fmt: skip

    assert told.result("banker", "2") == ("win", 950)
    (passed,) = told.events("decision")
    assert (passed["seat"], passed["move"]) == ("5", "pass_shoe")


@pytest.mark.cites("3.11")
def test_a_lone_curators_shoe_goes_to_the_dealer() -> None:
    sitting = Sitting({"1": {"banker": 1000}})
    play = sitting.begin()
    go_on(play, until=at_draw)
    play.answer({"irregularity": "shoe_taken", "seat": "1"})
    asked = go_on(play, TIE)

    assert not offered(asked, "keep the shoe")


# Irregularities that cannot have happened.


def at_this_moment(
    sitting: Sitting,
    draws: Sequence[str],
    moves: Mapping[str, Sequence[Any]] | None = None,
    *,
    shuffle: bool = False,
) -> Play:
    """A round up to the moment after these draws, when it comes to a card or to the end."""
    play = sitting.begin(shuffle=shuffle)
    left = len(sitting.table.equipment.composition) - len(draws)

    def there(request: Request) -> bool:
        waits = isinstance(request, Draw | Inspect)
        return waits and len(sitting.table.equipment.stub) == left

    go_on(play, draws, moves, until=there)
    return play


def cannot_be(play: Play, kind: str, words: str, cite: str = CUSTOM) -> None:
    """The report is refused, for this reason."""
    says(not_answered(play, {"irregularity": kind}), Fault.NOT_NOW, words, cite)


@pytest.mark.cites("3.12")
@pytest.mark.parametrize("kind", ["third_card_in_error", "third_card_in_error_disclosed"])
@pytest.mark.parametrize(
    ("draws", "words"),
    [
        (cards("K K"), "the first four cards do not lie yet"),
        (hands("K 5", "K 6"), "the Player's Hand is due a third card"),
        (hands("K 5 2", "K 3"), "the Player's Hand has its third card"),
        (hands("K 5 2", "K 3 4"), "the Player's Hand has its third card"),
    ],
)
def test_no_third_card_is_in_error_before_it_could_be_or_when_it_is_due(
    kind: str, draws: list[str], words: str
) -> None:
    cannot_be(at_this_moment(Sitting({"1": {"tie": 1000}}), draws), kind, words)


@pytest.mark.cites("3.5(f)")
def test_a_cut_is_not_found_improper_once_a_card_is_dealt() -> None:
    words = "cards have been dealt since the cut"
    sitting = Sitting({"1": {"tie": 1000}})

    cannot_be(at_this_moment(sitting, ["5h"], shuffle=True), "improper_cut", words, "3.5(f)")


@pytest.mark.cites("3.12")
@pytest.mark.parametrize(
    ("wagers", "options"),
    [
        ({"1": {"player": 1000, "banker": 1000}}, FACE_UP),
        ({"1": {"tie": 1000}}, {}),
    ],
)
def test_a_right_to_turn_that_nobody_has_is_not_taken(
    wagers: dict[str, dict[str, int]], options: dict[str, Any]
) -> None:
    play = at_this_moment(Sitting(wagers, **options), cards("K K"))

    cannot_be(play, "turn_right_taken", "no player has the right to turn cards")


@pytest.mark.cites("3.12")
def test_the_right_to_turn_is_not_taken_when_every_card_is_turned() -> None:
    play = at_this_moment(Sitting({"1": {"player": 1000}, "2": {"tie": 1000}}), BANKER_WINS)

    refusal = not_answered(play, {"irregularity": "turn_right_taken", "seat": "1"})

    assert refusal.fault is Fault.NOT_NOW


@pytest.mark.cites("3.11")
def test_a_shoe_that_the_dealer_has_is_not_taken() -> None:
    sitting = Sitting({"1": {"tie": 1000}})
    play = at_this_moment(sitting, cards("K K"), {"1": ["designate_dealer"]})

    cannot_be(play, "shoe_taken", "no participant has the shoe", "3.11 (customary)")


@pytest.mark.cites("3.12")
def test_cards_are_not_too_few_when_all_that_were_due_are_dealt() -> None:
    play = at_this_moment(Sitting({"1": {"tie": 1000}}), BANKER_WINS)
    assert at_the_end(play.request) if play.request else False

    refusal = not_answered(play, {"irregularity": "too_few_cards"})

    assert refusal.fault is Fault.NOT_NOW


def test_a_script_that_reports_what_cannot_have_happened_is_refused() -> None:
    refusal = refused(GAME, BANKER_WINS, {"tie": 1000}, irregularities=happened("improper_cut", 3))

    says(refusal, Fault.NOT_NOW, "cards have been dealt since the cut", "3.5(f)")


# Whatever the cards, the wagers and the people do.


def by_the_sheet(ranks: Sequence[str]) -> tuple[list[int], list[int]]:
    """The two hands that these cards make, by the tables above."""
    values = deque(VALUES[rank] for rank in ranks)
    player, banker = [values.popleft()], [values.popleft()]
    player.append(values.popleft())
    banker.append(values.popleft())
    if max(sum(player) % 10, sum(banker) % 10) >= 8:
        return player, banker
    column = 0
    row = TABLE_2[sum(banker) % 10].split()
    if sum(player) % 10 in PLAYER_DRAWS:
        player.append(values.popleft())
        column = 1 + player[2]
    if row[column] == "D":
        banker.append(values.popleft())
    return player, banker


def bonus_by_the_sheet(mine: list[int], other: list[int], table: str) -> int:
    """What one unit of the bonus on a hand wins or loses."""
    ahead = sum(mine) % 10 - sum(other) % 10
    natural = len(mine) == 2 and sum(mine) % 10 >= 8
    against = len(other) == 2 and sum(other) % 10 >= 8
    if natural and (not against or ahead > 0):
        return PAYTABLES[table][-1]
    if natural and ahead == 0:
        return 0
    return PAYTABLES[table][9 - ahead] if not natural and ahead >= 4 else -1


@given(
    ranks=st.lists(st.sampled_from(sorted(VALUES)), min_size=6, max_size=6),
    percent=st.sampled_from([4, 5]),
    table=st.sampled_from(sorted(PAYTABLES)),
    dollars=st.integers(10, 60),
)
def test_every_coup_is_dealt_and_settled_as_the_rule_sheet_says(
    ranks: list[str], percent: int, table: str, dollars: int
) -> None:
    stake = 100 * dollars
    wagers = [wager.id for wager in PUNTO_BANCO.wagers]
    told = punto(cards(" ".join(ranks)), dict.fromkeys(wagers, stake), **TOTALS, **BONUS,
                 **FACE_UP, bonus_paytable=table, vig_percent=percent)  # fmt: skip

    player, banker = by_the_sheet(ranks)
    ahead = sum(banker) % 10 - sum(player) % 10
    up_to = {4: 20, 5: 25}[percent]
    vigorish = -(-stake * percent // (100 * up_to)) * up_to
    number = len(player) + len(banker)
    expected = {
        "banker": stake - vigorish if ahead > 0 else stake * (ahead == 0) - stake,
        "player": stake if ahead < 0 else stake * (ahead == 0) - stake,
        "tie": 8 * stake if ahead == 0 else -stake,
        "total_cards_4": 3 * stake // 2 if number == 4 else -stake,
        "total_cards_5": 2 * stake if number == 5 else -stake,
        "total_cards_6": 2 * stake if number == 6 else -stake,
        "bonus_player": stake * bonus_by_the_sheet(player, banker, table),
        "bonus_banker": stake * bonus_by_the_sheet(banker, player, table),
    }
    assert {wager: told.settled(wager)["net"] for wager in wagers} == expected
    dealt = len(drawn(told, "player")), len(drawn(told, "banker"))
    assert dealt == (len(player), len(banker))


TABLES: list[dict[str, Any]] = [
    {},
    {**TOTALS, **BONUS, "bonus_requires_main_bet": "no", "vig_percent": 4},
    {"no_vig_scheme": "six_half", **FACE_UP, "error_disclosed_procedure": "1"},
    {"no_vig_scheme": "total_cards", **TOTALS, "vig_rounding": "exact", "table_min": 100},
    {"vig_timing": "at_payout", "settlement_sequence": "2", "error_disclosed_procedure": "3"},
    {"turn_without_wager": "yes", "banker_first_on_request": "yes", "decks": 6},
]


class Evening:
    """A few rounds at a table, with whatever people, chance and mishaps bring."""

    seats = ("1", "6", "14")

    def __init__(self, data: st.DataObject) -> None:
        self.data = data
        self.table = Table(PUNTO_BANCO, data.draw(st.sampled_from(TABLES)))
        self.dealt: Counter[Card] = Counter()  # since the last shuffle
        self.won: Counter[str] = Counter()  # by seat, with vigorish and without what was given

    def round(self) -> None:
        self.table.open_betting()
        for _ in range(self.data.draw(st.integers(1, 4))):
            self.bet()
        if self.data.draw(st.booleans()):
            self.table.state = PUNTO_BANCO.due_for_shuffle(self.table.state)
        play, mishaps = Play(self.table), self.data.draw(st.integers(0, 2))
        self.watch()
        while play.request is not None:
            answer = self.answer(play.request, mishap=mishaps > 0)
            mishaps -= isinstance(answer, dict) and "irregularity" in answer
            play.answer(answer)
            self.watch()
        for settled in self.table.settlements:
            self.won[settled.bet.seat] += settled.net

    def bet(self) -> None:
        seat = self.data.draw(st.sampled_from(self.seats))
        opening = self.data.draw(st.sampled_from(list(self.table.openings(seat))))
        steps = self.data.draw(st.integers(0, 40))
        amount = min(opening.low + steps * opening.step, opening.high)
        self.table.bet(seat, opening.wager.label(opening.spot), amount)

    def answer(self, request: Request, *, mishap: bool) -> Any:
        if isinstance(request, Ask):
            move = self.data.draw(st.sampled_from(request.moves))
            return {move.name: move.low} if move.takes_amount else move.name
        assert isinstance(request, Draw | Inspect)
        possible = [kind for kind in request.irregularities if kind not in request.barred]
        if mishap and self.data.draw(st.integers(0, 3)) == 0:
            return {"irregularity": self.data.draw(st.sampled_from(possible))}
        if isinstance(request, Inspect):
            return None
        stub = self.table.equipment.stub
        card = stub[self.data.draw(st.integers(0, len(stub) - 1))]
        self.dealt[card] += 1
        return str(card)

    def watch(self) -> None:
        """Nothing is lost or made, at any moment."""
        table, shoe = self.table, self.table.equipment
        assert sum(table.money.values()) == 0
        assert table.money[LAYOUT] == sum(bet.stake for bet in table.bets.values())
        if len(shoe.stub) == len(shoe.composition):
            self.dealt.clear()  # by the shuffle
        assert Counter(shoe.stub) + self.dealt == Counter(shoe.composition)
        assert Counter(shoe.everywhere) == Counter(shoe.composition)

    def leave(self) -> None:
        """Everyone goes home: some pay what they owe, and some do not."""
        for seat in self.seats:
            owed, pays = self.table.owed(seat), self.data.draw(st.booleans())
            self.table.leave(seat, pays=pays)
            self.won[seat] += 0 if pays else owed


@settings(max_examples=40)
@given(data=st.data())
def test_money_is_conserved_with_vigorish_owed_collected_and_forgiven(data: st.DataObject) -> None:
    evening = Evening(data)
    for _ in range(3):
        evening.round()
        table = evening.table
        for seat in evening.seats:
            assert table.worth(seat) == evening.won[seat]
            assert table.owed(seat) >= 0
        owed = sum(map(table.owed, evening.seats))
        assert table.money[HOUSE] == owed - sum(table.money[seat] for seat in evening.seats)

    evening.leave()

    table = evening.table
    assert {seat: table.money[seat] for seat in evening.seats} == {
        seat: evening.won[seat] for seat in evening.seats
    }
    assert table.money[HOUSE] == -evening.won.total()


@settings(max_examples=40)
@given(data=st.data())
def test_shoe_and_dealt_and_burnt_cards_are_always_the_whole_composition(
    data: st.DataObject,
) -> None:
    evening = Evening(data)
    for _ in range(3):
        evening.round()
        shoe = evening.table.equipment
        waiting = [*evening.table.hands["set_aside"]]
        assert Counter(shoe.on_layout) == Counter(waiting)
        gone = len(shoe.composition) - len(shoe.stub)
        assert gone == len(shoe.discard_rack) + len(waiting)


def test_every_result_of_a_round_is_a_win_a_loss_or_a_return() -> None:
    """Nothing outlasts a round of baccarat."""
    sitting = Sitting({"1": {"banker": 1000, "player": 1000, "tie": 1000}})
    for draws in (BANKER_WINS, PLAYER_WINS, TIE):
        sitting.round(draws)

        assert Result.STANDING not in [s.result for s in sitting.table.settlements]
        assert not sitting.table.bets
