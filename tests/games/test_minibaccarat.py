"""Minibaccarat, N.J.A.C. 19:47-7.

The third cards, the wagers and the pay tables are stated here once more, from the
text of the subchapter and, for its Table 2, from the sentences in which every
analysis of the game gives it. Cards are written in the order in which they leave
the shoe: player, banker, player, banker, and then the third cards.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.analysis import analyze
from croupier.equipment import Card, deck
from croupier.games import find_game
from croupier.games.baccarat import BANKER, PLAYER, Coup, burn_value, count, value
from croupier.games.scoreboard import Hand, bead_plate, big_road, draw, totals
from croupier.rulebook import (
    HOUSE,
    LAYOUT,
    SET_ASIDE,
    Ask,
    Draw,
    Fault,
    Inspect,
    Play,
    Refusal,
    ShoeGame,
    Table,
    by_chance,
    play_round,
)
from croupier.simulation.streams import SeededStream
from tests.support import (
    Told,
    cited,
    not_answered,
    refused,
    run,
    says,
    section,
    turned_away,
    unlawful,
)

GAME = "minibaccarat"
MINIBACCARAT = find_game(GAME)
assert isinstance(MINIBACCARAT, ShoeGame)
REST = MINIBACCARAT.rest

OFFER_ALL = {"offer_total_cards": "yes", "offer_bonus": "yes"}
TOTALS = ("total_cards_4", "total_cards_5", "total_cards_6")
WAGERS = ("banker", "player", "tie", *TOTALS, "bonus_player", "bonus_banker")
RANKS = "A23456789TJQK"
VALUES = {"A": 1, **{str(number): number for number in range(2, 10)}, **dict.fromkeys("TJQK", 0)}

# Rounds to reach for. The player has its first card first.
BANKER_WINS = "6 7 K K"  # seven to six, and nobody draws
PLAYER_WINS = "7 6 K K"
TIES = "7 7 K K"
BANKER_DRAWS = "6 5 K K 3"  # the player stands on six; the banker's five draws, and has eight
SIX_CARDS = "K 5 K K 4 2"  # the regulation's own example: a five draws to a four
BANKER_SIX = "K 6 K K K"  # the player has nothing; the banker stands on six and wins

MORE = "2d 3d 4d 5d 6d 7d 8d 9d Td Jd".split()  # cards that only leave the shoe


def cards(text: str) -> list[str]:
    """`9 K Qd`: where no suit is named, a club will do."""
    return [card if len(card) == 2 else f"{card}c" for card in text.split()]


def coup(
    text: str, wagers: Mapping[str, int] | None = None, *errors: tuple[int, str], **options: Any
) -> Told:
    """One round of these cards; `(5, "card_face_up")` is reported before draw 5."""
    return shoe(hand(text, wagers, *errors), **options)


def hand(
    text: str, wagers: Mapping[str, int] | None = None, *errors: tuple[int, str], **more: Any
) -> dict[str, Any]:
    """A round of a script, in which seat 1 has these wagers."""
    return {
        "draws": cards(text),
        "seats": {"1": {"wagers": dict(wagers or {})}},
        "irregularities": [{"before_draw": at, "kind": kind} for at, kind in errors],
        **more,
    }


def shoe(*rounds: Mapping[str, Any], **options: Any) -> Told:
    """Several rounds from one shoe."""
    return run({"game": GAME, "options": options, "rounds": [*rounds]})


def steps(told: Told, round: int = -1) -> list[tuple[str, str]]:
    """What was done with the hands, and by which paragraph."""
    return [(event["text"], cited(event)) for event in told.events("step", round)]


def drawn(told: Told, to: str, round: int = -1) -> list[str]:
    """The cards that went somewhere, as everybody saw them; `?` is one face down."""
    return [event.get("outcome", "?") for event in told.events("draw", round) if event["to"] == to]


def handed(told: Told, round: int = -1) -> list[str]:
    """Who was handed which cards."""
    texts = [text for text, _ in steps(told, round) if text.startswith("The dealer hands")]
    return [text.removeprefix("The dealer hands ") for text in texts]


def asked(play: Play) -> Ask:
    assert isinstance(play.request, Ask), play.request
    return play.request


def seated(
    options: Mapping[str, Any] | None = None,
    seats: Mapping[str, Mapping[str, int]] | None = None,
    *,
    in_play: bool = True,
) -> Table:
    """A table, with the shoe in play unless told otherwise, and these wagers on it."""
    table = Table(MINIBACCARAT, options)
    if in_play:
        table.state = MINIBACCARAT.in_play(table.state)
    make(table, seats or {"1": {"player": 1000}})
    return table


def make(table: Table, seats: Mapping[str, Mapping[str, int]]) -> None:
    """A new round, and its wagers."""
    table.open_betting()
    for seat, wagers in seats.items():
        for label, amount in wagers.items():
            table.bet(seat, label, amount)


def give(play: Play, text: str) -> Play:
    """The next cards of the shoe, where nothing else is asked."""
    for card in cards(text):
        assert isinstance(play.request, Draw), play.request
        play.answer(card)
    return play


def finish(play: Play) -> None:
    """Nobody takes up an offer, nothing is irregular, and all the cards are dealt."""
    while play.request is not None:
        assert not isinstance(play.request, Draw)
        play.answer(play.request.default if isinstance(play.request, Ask) else None)


def dealt_out(table: Table, text: str) -> Table:
    """A whole round of these cards at a table whose shoe is in play."""
    finish(give(Play(table), text))
    return table


def by_luck(table: Table, seed: int = 47) -> Play:
    return play_round(table, by_chance(SeededStream(seed)))


def leave_in_shoe(table: Table, text: str) -> None:
    """Deal everything else away: only these cards are left."""
    left = Counter(map(Card.parse, cards(text)))
    for card in table.equipment.stub:
        if left[card]:
            left[card] -= 1
            continue
        table.equipment.take(card)
        table.equipment.discard([card])
    assert not +left


def seen(table: Table, seat: str | None = None) -> list[str]:
    """The cards that a seat, or a bystander, has been shown."""
    found = []
    for event in table.view(seat)["events"]:
        if event["kind"] in ("draw", "look", "set_aside"):
            found += [event["outcome"]] if "outcome" in event else []
        elif event["kind"] == "reveal":
            found += event["cards"]
    return found


def seen_by_all(table: Table) -> list[str]:
    """The cards shown, which are the same for every seat and for a bystander."""
    views = [seen(table, seat) for seat in (None, *table.positions)]
    assert all(view == views[0] for view in views)
    return views[0]


# The cards, 7.1 and 7.6.


@pytest.mark.cites("7.1(a)", "7.6")
@pytest.mark.parametrize(("given", "decks"), [({}, 8), ({"decks": 6}, 6), ({"decks": 14}, 14)])
def test_the_shoe_holds_six_decks_or_more_without_jokers(given: dict[str, Any], decks: int) -> None:
    table = Table(MINIBACCARAT, given)

    assert Counter(table.equipment.composition) == Counter(deck() * decks)


@pytest.mark.cites("7.1(b)")
@pytest.mark.parametrize("rank", RANKS)
def test_two_to_nine_have_their_face_value_tens_and_face_cards_none_and_aces_one(
    rank: str,
) -> None:
    assert {value(Card.parse(rank + suit)) for suit in "cdhs"} == {VALUES[rank]}
    told = coup(f"{rank} 9 K K", {"player": 1000}) if rank != "9" else coup("9 9 K K")
    assert f"Player's Hand {VALUES[rank]}" in told.said()


@pytest.mark.cites("7.1(c)1", "7.1(c)2")
@pytest.mark.parametrize(("third", "points"), [("4", 7), ("9", 2)])
def test_an_ace_a_two_and_a_four_count_seven_and_with_a_nine_they_count_two(
    third: str, points: int
) -> None:
    assert count([Card.parse(card) for card in cards(f"A 2 {third}")]) == points
    told = coup(f"A 7 2 K {third}", {"player": 1000})
    assert told.said()[-1].startswith(f"Player's Hand {points}, Banker's Hand 7")


# The third cards, 7.8 and 7.9.


def banker_draws(banker: int, third: int | None) -> bool:
    """Table 2 in sentences. The banker has none, one or two: draws. Three: unless the third card
    is an eight. Four: to two through seven. Five: to four through seven. Six: to a six or a
    seven. Seven: stays. If the player stood, the banker does as the player would."""
    if third is None:
        return banker <= 5
    return [
        True,
        True,
        True,
        third != 8,
        2 <= third <= 7,
        4 <= third <= 7,
        third in (6, 7),
        False,
    ][banker]


@dataclass(frozen=True)
class Dealt:
    """A round that the rules allow: the values dealt in order, and what the hands come to."""

    values: tuple[int, ...]
    player: int
    banker: int
    player_cards: int
    banker_cards: int

    @property
    def cards(self) -> str:
        return " ".join("K" if each == 0 else "A" if each == 1 else f"{each}" for each in
                        self.values)  # fmt: skip

    @property
    def winner(self) -> str:
        names = ("banker", "tie", "player")
        return names[(self.player > self.banker) - (self.player < self.banker) + 1]

    @property
    def player_natural(self) -> bool:
        return self.player_cards == 2 and self.player in (8, 9)

    @property
    def banker_natural(self) -> bool:
        return self.banker_cards == 2 and self.banker in (8, 9)

    def __str__(self) -> str:
        return self.cards.replace(" ", "-")


def by_the_rules(player: int, banker: int, third: int, last: int) -> Dealt:
    """Two counts, and the third cards that follow if any are due."""
    values, counts = [player, banker, 0, 0], [player, banker]
    taken: list[int | None] = [None, None]
    if player not in (8, 9) and banker not in (8, 9):
        if player <= 5:
            taken[0] = third
        if banker_draws(banker, taken[0]):
            taken[1] = last
    for at, card in enumerate(taken):
        if card is not None:
            values.append(card)
            counts[at] = (counts[at] + card) % 10
    return Dealt(tuple(values), *counts, *(2 if card is None else 3 for card in taken))


def every_kind_of_round() -> list[Dealt]:
    """One round for each pair of counts with each number of cards that can lead to it."""
    found: dict[tuple[int, ...], Dealt] = {}
    for four in product(range(10), repeat=4):
        each = by_the_rules(*four)
        key = (each.player, each.banker, each.player_cards, each.banker_cards)
        found.setdefault(key, each)
    return list(found.values())


ROUNDS = every_kind_of_round()


@pytest.mark.cites("7.9(a)", "7.9(b)")
@pytest.mark.parametrize("banker", range(10))
@pytest.mark.parametrize("player", range(10))
def test_after_four_cards_a_natural_ends_the_deal_and_the_player_draws_to_five_or_less(
    player: int, banker: int
) -> None:
    turn = Coup(player, banker, 2, 2).turn()

    if player in (8, 9) or banker in (8, 9):
        assert turn is None
    else:
        assert (turn == PLAYER) == (player <= 5)


@pytest.mark.cites("7.9(c)", "7.9(d)", "7.9(e)", "7.9(f)")
@pytest.mark.parametrize("third", [None, *range(10)])
@pytest.mark.parametrize("banker", range(8))
def test_the_banker_draws_or_stays_by_table_2(banker: int, third: int | None) -> None:
    for player in (6, 7) if third is None else range(6):
        before = Coup(player, banker, 2, 2)
        after = before if third is None else before.with_card(third)

        assert (after.turn() == BANKER) == banker_draws(banker, third)
        assert after.turn() != PLAYER


@pytest.mark.cites("7.9(g)")
def test_a_bankers_five_draws_to_a_four_as_the_regulations_own_example_has_it() -> None:
    told = coup(SIX_CARDS, {"banker": 1000})

    assert drawn(told, "player") == ["Kc", "Kc", "4c"]
    assert drawn(told, "banker") == ["5c", "Kc", "2c"]
    assert "Player's Hand 4, Banker's Hand 7. Banker's Hand wins" in told.said()


@pytest.mark.cites("7.7(a)", "7.7(c)", "7.8(b)", "7.8(c)", "7.8(d)", "7.9(b)", "7.9(c)")
@pytest.mark.parametrize("banker", range(10))
def test_the_live_table_deals_every_round_by_the_two_tables(banker: int) -> None:
    for player, third in product(range(10), range(10)):
        expected = by_the_rules(player, banker, third, 2)
        told = coup(expected.cards, {"player": 1000})

        assert "unused_draws" not in told.rounds[0]
        assert len(drawn(told, "player")) == expected.player_cards
        assert len(drawn(told, "banker")) == expected.banker_cards
        assert told.said()[-1].startswith(
            f"Player's Hand {expected.player}, Banker's Hand {expected.banker}."
        )


@pytest.mark.cites("7.8(d)")
def test_no_hand_ever_has_more_than_three_cards() -> None:
    for each in ROUNDS:
        over = Coup(each.player, each.banker, each.player_cards, each.banker_cards,
                    each.values[4] if each.player_cards == 3 else None)  # fmt: skip
        if each.banker_cards == 3:
            assert over.turn() is None
    refusal = refused(GAME, cards(SIX_CARDS)[:5], {"player": 1000})
    assert refusal.message == "the script gives 5 draws and needs at least 1 more"


# The wagers, 7.2 and 7.3.

PAYTABLES = {  # 7.3(h): the margins from nine down to four, and a natural
    "A": {9: 30, 8: 10, 7: 6, 6: 4, 5: 2, 4: 1, "natural": 1},
    "B": {9: 20, 8: 8, 7: 7, 6: 4, 5: 3, 4: 1, "natural": 1},
    "C": {9: 30, 8: 10, 7: 4, 6: 4, 5: 2, 4: 2, "natural": 1},
}
STAKE = 2000
Outcome = tuple[str, int]


def won(odds: Fraction | int) -> Outcome:
    return "win", int(STAKE * odds)


LOST, RETURNED = ("lose", -STAKE), ("void", 0)


def on_a_hand(which: str) -> Callable[[Dealt], Outcome]:
    """7.2(a)1 and 2, without vigorish."""
    return lambda each: (
        RETURNED if each.winner == "tie" else won(1) if each.winner == which else LOST
    )


def on_total(number: int) -> Callable[[Dealt], Outcome]:
    """7.2(a)4, 7.3(g)."""
    odds = {4: Fraction(3, 2), 5: Fraction(2), 6: Fraction(2)}[number]
    return lambda each: won(odds) if len(each.values) == number else LOST


def bonus(paytable: str, *, on_player: bool) -> Callable[[Dealt], Outcome]:
    """7.2(a)5i to iii."""
    pays: Mapping[Any, int] = PAYTABLES[paytable]

    def outcome(each: Dealt) -> Outcome:
        mine, other = (each.player, each.player_natural), (each.banker, each.banker_natural)
        if not on_player:
            mine, other = other, mine
        (points, natural), (against, other_natural) = mine, other
        if natural and (not other_natural or (points, against) == (9, 8)):
            return won(pays["natural"])
        if natural and other_natural and points == against:
            return RETURNED
        if not natural and points - against >= 4:
            return won(pays[points - against])
        return LOST

    return outcome


OUTCOMES: dict[str, Callable[[Dealt], Outcome]] = {
    "player": on_a_hand("player"),
    "tie": lambda each: won(8) if each.winner == "tie" else LOST,
    **{f"total_cards_{number}": on_total(number) for number in (4, 5, 6)},
    "bonus_player": bonus("A", on_player=True),
    "bonus_banker": bonus("A", on_player=False),
}


@cache
def with_everything(each: Dealt) -> Told:
    """The round as dealt to a player who has made every wager."""
    return coup(each.cards, dict.fromkeys(WAGERS, STAKE), **OFFER_ALL)


@pytest.mark.cites("7.2(a)", "7.2(b)")
def test_the_wagers_of_the_rule_are_permitted_and_no_other() -> None:
    assert [wager.id for wager in MINIBACCARAT.wagers] == list(WAGERS)
    for label in ("pair", "dragon_7", "field"):
        says(turned_away(Table(MINIBACCARAT), label), Fault.UNKNOWN_WAGER,
             f"minibaccarat has no wager '{label}'", "7.1")  # fmt: skip


@pytest.mark.cites("7.2(a)2", "7.2(a)3", "7.2(a)4", "7.3(a)", "7.3(b)", "7.3(g)", "7.3(h)")
@pytest.mark.parametrize("wager", OUTCOMES)
def test_every_wager_but_the_banker_comes_out_as_the_rule_says_in_every_round(wager: str) -> None:
    for each in ROUNDS:
        assert with_everything(each).result(wager) == OUTCOMES[wager](each), each


@pytest.mark.cites("7.2(a)5", "7.3(h)")
@pytest.mark.parametrize("paytable", ["B", "C"])
def test_the_other_paytables_of_the_bonus_pay_as_printed(paytable: str) -> None:
    rules = {
        f"bonus_{hand}": bonus(paytable, on_player=hand == "player") for hand in (PLAYER, BANKER)
    }
    for each in ROUNDS:
        told = coup(each.cards, {"player": STAKE, **dict.fromkeys(rules, STAKE)},
                    bonus_paytable=paytable, **OFFER_ALL)  # fmt: skip
        for wager, rule in rules.items():
            assert told.result(wager) == rule(each), each


@pytest.mark.cites("7.2(a)5i", "7.2(a)5ii", "7.2(a)5iii")
@pytest.mark.parametrize(
    ("text", "on_player", "on_banker"),
    [
        ("8 7 K K", ("win", 2000), ("lose", -2000)),  # a natural by a single point
        ("9 8 K K", ("win", 2000), ("lose", -2000)),  # natural nine against natural eight
        ("9 K K K", ("win", 2000), ("lose", -2000)),  # by nine points, but as a natural
        ("8 8 K K", ("void", 0), ("void", 0)),
        ("7 7 K K", ("lose", -2000), ("lose", -2000)),  # equal, and no naturals
        ("6 7 K K", ("lose", -2000), ("lose", -2000)),  # ahead, but not by four points
        ("K 7 K K 3", ("lose", -2000), ("win", 2000)),  # by four
        ("K K K K 9 K", ("win", 60_000), ("lose", -2000)),  # by nine, with three cards
    ],
)
def test_a_bonus_wins_by_a_natural_or_by_four_points(
    text: str, on_player: tuple[str, int], on_banker: tuple[str, int]
) -> None:
    wagers = {"player": 1000, "bonus_player": 2000, "bonus_banker": 2000}

    told = coup(text, wagers, offer_bonus="yes")

    assert told.result("bonus_player") == on_player
    assert told.result("bonus_banker") == on_banker


@pytest.mark.cites("7.3(h)")
def test_no_vigorish_is_charged_on_a_winning_bonus() -> None:
    told = coup("K 9 K K", {"banker": 1000, "bonus_banker": 1000}, offer_bonus="yes")

    assert told.settled("banker")["vigorish"] == 50
    assert "vigorish" not in told.settled("bonus_banker")


@pytest.mark.cites("7.2(a)", "7.3")
@pytest.mark.parametrize(
    ("wager", "text", "cite"),
    [
        ("banker", BANKER_WINS, "7.3(c)"),
        ("player", PLAYER_WINS, "7.3(a)"),
        ("tie", TIES, "7.3(b)"),
        ("total_cards_4", TIES, "7.3(g)"),
        ("bonus_player", "9 K K K", "7.3(h)"),
        ("banker", PLAYER_WINS, "7.2(a)1"),
        ("player", BANKER_WINS, "7.2(a)2"),
        ("tie", PLAYER_WINS, "7.2(a)3"),
        ("total_cards_5", TIES, "7.2(a)4"),
        ("bonus_player", PLAYER_WINS, "7.2(a)5"),
        ("banker", TIES, "7.2(a)1"),
        ("player", TIES, "7.2(a)2"),
    ],
)
def test_a_settlement_names_the_paragraph_that_pays_it_or_takes_it(
    wager: str, text: str, cite: str
) -> None:
    told = coup(text, {"player": 1000} | {wager: 1000}, **OFFER_ALL)

    assert cited(told.settled(wager)) == cite


@pytest.mark.cites("7.2(a)4", "7.2(a)5")
@pytest.mark.parametrize("wager", [*TOTALS, "bonus_player", "bonus_banker"])
def test_total_card_and_bonus_wagers_need_a_licensee_who_offers_them(wager: str) -> None:
    refusal = turned_away(seated(), wager)

    says(refusal, Fault.NOT_OFFERED, "is not offered at this table",
         "7.2(a)4" if wager in TOTALS else "7.2(a)5")  # fmt: skip


@pytest.mark.cites("7.2(b)")
@pytest.mark.parametrize("wager", ["bonus_player", "bonus_banker"])
@pytest.mark.parametrize("others", [{}, {"tie": 1000}, {"total_cards_4": 1000}])
def test_a_bonus_without_a_wager_on_either_hand_is_refused(
    wager: str, others: dict[str, int]
) -> None:
    table = Table(MINIBACCARAT, OFFER_ALL)
    make(table, {"1": others, "2": {"player": 1000}})

    refusal = turned_away(table, wager)

    says(refusal, Fault.NO_SUPPORT, "made together with the player or banker wager", "7.2(b)")


@pytest.mark.cites("7.2(b)")
@pytest.mark.parametrize("main", [PLAYER, BANKER])
@pytest.mark.parametrize("wager", ["bonus_player", "bonus_banker"])
def test_a_wager_on_either_hand_is_enough_for_a_bonus_on_either(main: str, wager: str) -> None:
    table = seated({"offer_bonus": "yes"}, {"1": {main: 1000, wager: 3000}})

    says(turned_away(table, main, 0), Fault.NOT_NOW, f"{wager} rests on it", "7.2(b)")
    table.bet("1", PLAYER if main == BANKER else BANKER, 1000)
    table.bet("1", main, 0)
    table.bet("1", wager, 0)


@pytest.mark.cites("7.2(b)")
def test_the_licensee_may_take_a_bonus_by_itself() -> None:
    told = coup("9 K K K", {"bonus_player": 1000}, offer_bonus="yes", bonus_requires_main_bet="no")

    assert told.result("bonus_player") == ("win", 1000)


@pytest.mark.cites("7.2(c)", "7.2(d)", "7.2(e)", "7.7(b)")
def test_no_wager_is_made_changed_or_withdrawn_from_no_more_bets_until_it_is_decided() -> None:
    table = seated(None, {"1": {"player": 1000}})
    play = Play(table)
    assert [event.data["text"] for event in table.events if event.kind == "announce"] == [
        "No more bets"
    ]
    for card in (*cards(BANKER_DRAWS), None):
        for label, amount in (("player", 2000), ("player", 0), ("tie", 1000)):
            refusal = turned_away(table, label, amount)
            says(refusal, Fault.NO_MORE_BETS, "no wager may be made or changed", "7.2(d)")
        play.answer(card)

    assert play.request is None
    assert not table.bets


@pytest.mark.cites("7.1")
def test_seven_players_sit_at_the_table() -> None:
    table = seated(None, {str(seat): {"player": 1000} for seat in range(1, 8)})

    refusal = turned_away(table, "player", 1000, "8")

    assert refusal.fault is Fault.UNKNOWN_SEAT
    assert refusal.message == "there is no seat '8' here; the seats are 1 to 7"


@pytest.mark.cites("7.3(b)")
@pytest.mark.parametrize(("odds", "net"), [("8 to 1", 8000), ("17 to 2", 8500), ("9 to 1", 9000)])
def test_a_tie_pays_eight_to_one_or_what_the_table_posts_above_it(odds: str, net: int) -> None:
    assert coup(TIES, {"tie": 1000}, tie_odds=odds).result("tie") == ("win", net)


@pytest.mark.cites("7.3(h)")
def test_a_bonus_may_pay_more_than_its_paytable_and_never_less() -> None:
    better = {"offer_bonus": "yes", "higher_odds": "bonus_player.win_by_4: 2 to 1"}
    wagers = {"player": 1000, "bonus_player": 1000, "bonus_banker": 1000}

    assert coup("4 K K K 4 4", wagers, **better).result("bonus_player") == ("win", 2000)
    assert unlawful(GAME, {"higher_odds": "bonus_player.win_by_9: 29 to 1"}) == [
        ("higher_odds", "7.3(h)")
    ]


# What the house takes of the banker, 7.3(c) to (f).


def banker_net(scheme: str, each: Dealt) -> Outcome:
    """What two thousand cents on the banker come to, without other wagers beside it."""
    if each.winner == "player":
        return LOST
    if each.winner == "tie":
        return ("void", -500) if scheme == "tie_vig_25" else RETURNED
    if scheme == "no_vig_six_half" and each.banker == 6:
        return "win", 1000
    taken = {"win_vig_5": 100, "win_vig_4": 80, "no_vig_with_total_cards": 100}
    return "win", 2000 - taken.get(scheme, 0)


SCHEMES = ("win_vig_5", "win_vig_4", "tie_vig_25", "no_vig_six_half", "no_vig_with_total_cards")


@pytest.mark.cites("7.2(a)1", "7.3(c)", "7.3(d)", "7.3(f)1", "7.3(f)2")
@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_banker_comes_out_as_the_scheme_of_the_table_says_in_every_round(scheme: str) -> None:
    for each in ROUNDS:
        told = coup(each.cards, {"banker": STAKE}, banker_scheme=scheme, offer_total_cards="yes")

        assert told.result("banker") == banker_net(scheme, each), each


@pytest.mark.cites("7.3(c)1")
@pytest.mark.parametrize(
    ("percent", "stake", "vigorish"),
    [
        (5, 1000, 50), (5, 1001, 55), (5, 1020, 55), (5, 1099, 55), (5, 1100, 55), (5, 1101, 60),
        (4, 1000, 40), (4, 1001, 45), (4, 1010, 45), (4, 1125, 45), (4, 1126, 50), (4, 9999, 400),
    ],
)  # fmt: skip
def test_vigorish_is_rounded_to_five_cents_or_the_next_higher_multiple(
    percent: int, stake: int, vigorish: int
) -> None:
    told = coup(BANKER_WINS, {"banker": stake}, banker_scheme=f"win_vig_{percent}")

    assert told.settled("banker")["vigorish"] == vigorish
    assert told.result("banker") == ("win", stake - vigorish)


@pytest.mark.cites("7.3(c)1")
@given(percent=st.sampled_from([4, 5]), stake=st.integers(1000, 500_000))
def test_rounding_takes_the_least_multiple_of_five_cents_that_is_enough(
    percent: int, stake: int
) -> None:
    told = coup(BANKER_WINS, {"banker": stake}, banker_scheme=f"win_vig_{percent}")

    taken = told.settled("banker")["vigorish"]
    assert taken % 5 == 0
    assert taken - 5 < Fraction(stake * percent, 100) <= taken


@pytest.mark.cites("7.3(c)", "7.3(c)1")
@pytest.mark.parametrize(
    ("scheme", "unit", "vigorish"), [("win_vig_5", 20, 51), ("win_vig_4", 25, 41)]
)
def test_a_licensee_need_not_round_and_then_takes_only_what_is_exact_to_the_cent(
    scheme: str, unit: int, vigorish: int
) -> None:
    exact = {"banker_scheme": scheme, "vig_rounding": "exact"}

    told = coup(BANKER_WINS, {"banker": 1000 + unit}, **exact)

    assert told.settled("banker")["vigorish"] == vigorish
    refusal = turned_away(Table(MINIBACCARAT, exact), "banker", 1001)
    says(refusal, Fault.NOT_PAYABLE, f"it must be a multiple of {unit} cents", "7.3(c)")


@pytest.mark.cites("7.3(e)")
@pytest.mark.parametrize("scheme", ["win_vig_5", "win_vig_4", "tie_vig_25"])
def test_vigorish_is_of_one_type_and_one_percentage_for_all_players(scheme: str) -> None:
    text = TIES if scheme == "tie_vig_25" else BANKER_WINS
    seats = {seat: {"wagers": {"banker": 4000}} for seat in "1357"}

    told = shoe(hand(text, seats=seats), banker_scheme=scheme)

    taken = {told.settled("banker", seat)["vigorish"] for seat in seats}
    assert taken == {{"win_vig_5": 200, "win_vig_4": 160, "tie_vig_25": 1000}[scheme]}


@pytest.mark.cites("7.2(a)1iii", "7.3(d)")
def test_with_tie_vigorish_a_tie_costs_a_quarter_of_the_wager_and_a_win_nothing() -> None:
    wagers = {"banker": 1004, "player": 1000}

    tied = coup(TIES, wagers, banker_scheme="tie_vig_25")
    won = coup(BANKER_WINS, wagers, banker_scheme="tie_vig_25")

    assert tied.result("banker") == ("void", -251)
    assert tied.result("player") == ("void", 0)
    assert won.result("banker") == ("win", 1004)
    assert "vigorish" not in won.settled("banker")
    assert not won.events("vigorish")


@pytest.mark.cites("7.3(d)")
def test_tie_vigorish_is_collected_at_the_end_of_that_round() -> None:
    table = seated({"banker_scheme": "tie_vig_25"}, {"1": {"banker": 1000}})

    dealt_out(table, TIES)

    (taken,) = [event for event in table.events if event.kind == "vigorish"]
    assert (taken.data["how"], taken.data["amount"]) == ("taken", 250)
    assert str(taken.cite) == "19:47-7.3(d)"
    assert table.owed("1") == 0
    assert table.money == Counter({"1": -250, HOUSE: 250, LAYOUT: 0})


@pytest.mark.cites("7.3(d)")
def test_tie_vigorish_is_not_rounded_so_a_wager_must_have_a_quarter_in_cents() -> None:
    table = Table(MINIBACCARAT, {"banker_scheme": "tie_vig_25"})

    for stake in (1001, 1002, 1003):
        refusal = turned_away(table, "banker", stake)
        says(refusal, Fault.NOT_PAYABLE, "it must be a multiple of 4 cents", "7.3(d)")
    table.bet("1", "banker", 1004)
    table.bet("1", "player", 1001)


@pytest.mark.cites("7.3(f)1")
def test_without_vigorish_a_bankers_six_is_paid_one_to_two() -> None:
    told = coup(BANKER_SIX, {"banker": 1002}, banker_scheme="no_vig_six_half")

    assert told.settled("banker")["pays"] == "1 to 2"
    assert told.result("banker") == ("win", 501)
    assert not told.events("vigorish")
    table = Table(MINIBACCARAT, {"banker_scheme": "no_vig_six_half"})
    assert turned_away(table, "banker", 1001).fault is Fault.NOT_PAYABLE


@pytest.mark.cites("7.3(f)1")
def test_the_half_payment_of_a_bankers_six_names_the_paragraph_that_allows_it() -> None:
    told = coup(BANKER_SIX, {"banker": 1000}, banker_scheme="no_vig_six_half")

    assert cited(told.settled("banker")) == "7.3(f)1"


BESIDE_TOTALS = {"banker_scheme": "no_vig_with_total_cards", "offer_total_cards": "yes"}


@pytest.mark.cites("7.3(f)2")
@pytest.mark.parametrize(
    ("beside", "banker", "vigorish"),
    [
        ({"total_cards_4": 2000}, 2000, 0),
        ({"total_cards_6": 2000}, 2000, 0),  # it loses, and counts all the same
        ({"total_cards_6": 2001}, 2000, 0),
        ({"total_cards_6": 1999}, 2000, 100),  # a cent short
        ({"total_cards_5": 2000}, 2001, 105),
        ({"total_cards_5": 1000, "total_cards_6": 1000}, 2000, 0),
        ({"total_cards_4": 1000, "total_cards_5": 1001, "total_cards_6": 1002}, 3003, 0),
        ({"total_cards_4": 1000, "total_cards_5": 1001, "total_cards_6": 1002}, 3004, 155),
        ({"tie": 5000, "player": 5000}, 2000, 100),
        ({}, 2000, 100),
    ],
)
def test_vigorish_is_waived_for_total_card_wagers_of_at_least_the_wager_on_the_banker(
    beside: dict[str, int], banker: int, vigorish: int
) -> None:
    told = coup(BANKER_WINS, {**beside, "banker": banker}, **BESIDE_TOTALS)

    assert told.settled("banker").get("vigorish", 0) == vigorish
    assert told.result("banker") == ("win", banker - vigorish)


@pytest.mark.cites("7.3(f)2")
@pytest.mark.parametrize(("percent", "vigorish"), [("5", 100), ("4", 80)])
def test_the_waiver_is_for_each_player_and_the_others_pay_the_tables_percentage(
    percent: str, vigorish: int
) -> None:
    seats = {
        "1": {"wagers": {"banker": 2000, "total_cards_5": 2000}},
        "2": {"wagers": {"banker": 2000}},
        "3": {"wagers": {"total_cards_5": 5000}},
    }

    told = shoe(hand(BANKER_WINS, seats=seats), **BESIDE_TOTALS, vig_without_total_cards=percent)

    assert told.result("banker", "1") == ("win", 2000)
    assert told.result("banker", "2") == ("win", 2000 - vigorish)


@pytest.mark.cites("7.3(c)2")
def test_vigorish_may_be_taken_when_the_winning_wager_is_paid() -> None:
    table = dealt_out(seated({}, {"1": {"banker": 1000}}), BANKER_WINS)

    (taken,) = [event for event in table.events if event.kind == "vigorish"]
    assert (taken.data["how"], taken.data["amount"]) == ("taken", 50)
    assert str(taken.cite) == "19:47-7.3(c)"
    assert table.money == Counter({"1": 950, HOUSE: -950, LAYOUT: 0})


@pytest.mark.cites("7.3(c)2")
def test_deferred_vigorish_is_marked_in_front_of_the_dealer_and_adds_up() -> None:
    table = seated({"vig_timing": "deferred"}, {"1": {"banker": 1000}, "3": {"banker": 2000}})

    dealt_out(table, BANKER_WINS)
    assert table.view()["vigorish_owed"] == {"1": 50, "3": 100}
    make(table, {"3": {"banker": 1100}})
    dealt_out(table, BANKER_WINS)

    assert table.view("3")["vigorish_owed"] == {"1": 50, "3": 155}
    assert (table.money["3"], table.worth("3")) == (3100, 2945)
    assert {event.data["how"] for event in table.events if event.kind == "vigorish"} == {"marked"}
    assert sum(table.money.values()) == 0


@pytest.mark.cites("7.3(c)2", "7.3(c)4")
def test_outstanding_vigorish_is_collected_before_the_cards_are_reshuffled() -> None:
    told = shoe(
        hand(BANKER_WINS, {"banker": 1000}),
        hand(BANKER_WINS, {"banker": 1000}),
        hand(f"A 2 {BANKER_WINS}", {"banker": 1000}, shuffle=True),
        vig_timing="deferred",
    )

    events = told.rounds[-1]["events"]
    kinds = [(event["kind"], event.get("how") or event.get("text")) for event in events]
    at = kinds.index(("vigorish", "collected"))
    assert at < kinds.index(("step", "The dealer shuffles the cards"))
    assert (events[at]["seat"], events[at]["amount"], cited(events[at])) == ("1", 100, "7.3(c)4")
    assert told.document["vigorish_owed"] == {"1": 50}
    assert told.net() == 2850


@pytest.mark.cites("7.3(c)2", "7.3(c)4")
def test_the_marker_outlasts_the_rounds_of_a_shoe_and_not_its_end() -> None:
    table = seated({"vig_timing": "deferred"}, {"1": {"banker": 1000}})
    leave_in_shoe(table, f"{BANKER_WINS} {TIES} {PLAYER_WINS} 2 3")
    dealt_out(table, BANKER_WINS)
    make(table, {"1": {"tie": 1000}})
    dealt_out(table, TIES)
    assert table.owed("1") == 50
    make(table, {"2": {"player": 1000}})

    by_luck(table)

    assert table.owed("1") == 0
    assert (table.money["1"], table.worth("1")) == (8950, 8950)


@pytest.mark.cites("7.3(c)4")
def test_a_player_who_leaves_pays_what_he_owes() -> None:
    seats = {
        "1": {"wagers": {"banker": 1000}, "leaves": True},
        "2": {"wagers": {"banker": 1000}},
    }

    told = shoe(hand(BANKER_WINS, seats=seats), vig_timing="deferred")

    assert [(each["how"], each["seat"]) for each in told.events("vigorish")] == [
        ("marked", "2"), ("marked", "1"), ("collected", "1"),
    ]  # fmt: skip
    assert told.document["vigorish_owed"] == {"2": 50}


@pytest.mark.cites("7.3(c)3")
def test_vigorish_that_is_not_collected_goes_on_a_numbered_complimentary_form() -> None:
    table = seated({"vig_timing": "deferred"}, {"1": {"banker": 1000}, "2": {"banker": 3000}})
    dealt_out(table, BANKER_WINS)

    table.leave("2", pays=False)
    table.leave("1", pays=False)

    forms = [event for event in table.events if event.kind == "complimentary_vigorish"]
    assert [(form.data["form"], form.data["seat"], form.data["amount"]) for form in forms] == [
        (1, "2", 150), (2, "1", 50),
    ]  # fmt: skip
    assert {str(form.cite) for form in forms} == {"19:47-7.3(c)3"}
    assert table.view()["vigorish_owed"] == {}
    assert (table.money["2"], table.money[HOUSE]) == (3000, -4000)


@pytest.mark.cites("7.3(c)3", "7.3(c)4")
def test_nobody_leaves_with_a_wager_on_the_layout_and_nobody_pays_twice() -> None:
    table = seated({"vig_timing": "deferred"}, {"1": {"banker": 1000}})
    dealt_out(table, BANKER_WINS)
    make(table, {"1": {"banker": 1000}})

    with pytest.raises(Refusal) as caught:
        table.leave("1")
    assert caught.value.fault is Fault.NOT_NOW
    table.bet("1", "banker", 0)
    table.leave("1")
    table.leave("1", pays=False)

    assert table.money["1"] == 950
    assert table.forms == 0


# Tables that may not be opened.


@pytest.mark.cites("7.1", "7.3", "7.5", "7.7", "7.10", "7.11", "7.12")
@pytest.mark.parametrize(
    ("options", "option", "cite"),
    [
        ({"decks": 5}, "decks", "7.1(a)"),
        ({"decks": 10, "batch_shuffler": "yes"}, "decks", "7.1(d)"),
        ({"decks": 11, "batch_shuffler": "yes"}, "decks", "7.1(d)"),
        ({"decks": 13, "batch_shuffler": "yes"}, "decks", "7.1(d)"),
        ({"batch_shuffler": "yes", "continuous_shuffler": "yes"}, "continuous_shuffler", "7.12"),
        ({"banker_scheme": "win_vig_3"}, "banker_scheme", "7.3(c)"),
        ({"banker_scheme": "tie_vig_20"}, "banker_scheme", "7.3(c)"),
        ({"banker_scheme": "tie_vig_25, win_vig_5"}, "banker_scheme", "7.3(c)"),
        ({"banker_scheme": ["no_vig_six_half", "no_vig_with_total_cards"]}, "banker_scheme",
         "7.3(c)"),
        ({"banker_scheme": "no_vig_with_total_cards"}, "banker_scheme", "7.3(f)2"),
        ({"banker_scheme": "no_vig_with_total_cards", "offer_total_cards": "no"}, "banker_scheme",
         "7.3(f)2"),
        ({"banker_scheme": "tie_vig_25", "vig_timing": "deferred"}, "vig_timing", "7.3(d)"),
        ({"vig_without_total_cards": "3"}, "vig_without_total_cards", "7.3(c)"),
        ({"vig_rounding": "down"}, "vig_rounding", "7.3(c)1"),
        ({"vig_timing": "never"}, "vig_timing", "7.3(c)2"),
        ({"tie_odds": "7 to 1"}, "tie_odds", "7.3(b)"),
        ({"higher_odds": "player: 2 to 1"}, "higher_odds", "7.3(a)"),
        ({"higher_odds": "banker: 2 to 1"}, "higher_odds", "7.3(c)"),
        ({"higher_odds": "total_cards_5: 3 to 1"}, "higher_odds", "7.3(g)"),
        ({"bonus_paytable": "D"}, "bonus_paytable", "7.3(h)"),
        ({"deal_option": "4"}, "deal_option", "7.7(c)"),
        ({"shuffle_finish": "riffle"}, "shuffle_finish", "7.5(b)"),
        ({"recut_by": "supervisor"}, "recut_by", "7.5(g)"),
        ({"cut_card_from_back": 13}, "cut_card_from_back", "7.5(f)"),
        ({"settlement_sequence": "5"}, "settlement_sequence", "7.10(b)"),
        ({"error_disclosed_procedure": "4"}, "error_disclosed_procedure", "7.11(c)"),
        ({"error_ten_value_extra": "2"}, "error_ten_value_extra", "7.11(c)1"),
    ],
)  # fmt: skip
def test_a_table_that_the_rules_forbid_cannot_be_opened(
    options: dict[str, Any], option: str, cite: str
) -> None:
    assert unlawful(GAME, options) == [(option, cite)]


def test_everything_that_is_wrong_with_a_table_is_said_at_once() -> None:
    wrong = {"decks": 5, "tie_odds": "7 to 1", "deal_option": "4", "cut_card_from_back": 13}

    assert {option for option, _ in unlawful(GAME, wrong)} == set(wrong)


# The opening, the shuffle, the cut and the burn, 7.4 and 7.5.

LACED = [
    ("The dealer shuffles the cards", "7.5(a)"),
    ("About one deck is laced evenly through the rest", "7.5(b)2"),
]
DEALER_CUTS = ("The dealer cuts the cards", "7.5(d)")
PLACED = ("A cutting card goes 14 cards from the back, one to the end", "7.5(f)")


def told_steps(table: Table) -> list[tuple[str, str]]:
    """The steps of the ceremony that a table has gone through."""
    return [(event.data["text"], str(event.cite).removeprefix("19:47-"))
            for event in table.events if event.kind == "step"]  # fmt: skip


def to_first_card(table: Table) -> Play:
    """The round has begun, nobody has taken the cut, and a card is to be drawn."""
    play = Play(table)
    while isinstance(play.request, Ask):
        play.answer(play.request.default)
    return play


@pytest.mark.cites("7.4(a)", "7.4(b)", "7.4(c)", "7.5(a)", "7.5(b)2")
def test_before_the_first_round_the_cards_are_shown_washed_shuffled_and_cut() -> None:
    table = seated(in_play=False)
    to_first_card(table)

    assert told_steps(table) == [
        ("The dealer inspects the decks and the floorperson verifies them", "7.4(b)"),
        ("The cards are spread face up in horizontal rows, by deck, suit and sequence", "7.4(b)"),
        ("They are turned face down, washed and stacked", "7.4(c)"),
        *LACED,
        DEALER_CUTS,
        PLACED,
        ("The cards go into the shoe", "7.6"),
    ]


@pytest.mark.cites("7.5(a)")
def test_after_a_shoe_the_cards_are_shuffled_and_not_inspected_again() -> None:
    told = shoe(hand(f"A 2 {TIES}", {"tie": 1000}, shuffle=True))

    assert steps(told)[:4] == [*LACED, DEALER_CUTS, PLACED]


@pytest.mark.cites("7.5(b)1", "7.5(b)2", "7.5(b)2i")
@pytest.mark.parametrize(
    ("finish", "expected"),
    [
        ("feather", [LACED[0], ("The stack is left feathered for the floorperson to verify",
                                "7.5(b)1")]),
        ("lace", LACED),
        ("lace_reshuffle", [*LACED, ("Some or all of the cards are shuffled again", "7.5(b)2i")]),
    ],
)  # fmt: skip
def test_a_shuffle_ends_as_the_licensee_has_chosen(
    finish: str, expected: list[tuple[str, str]]
) -> None:
    told = shoe(hand(f"A 2 {TIES}", {"tie": 1000}, shuffle=True), shuffle_finish=finish)

    assert steps(told)[: len(expected) + 1] == [*expected, DEALER_CUTS]


@pytest.mark.cites("7.5(d)")
def test_the_cut_is_offered_from_the_highest_seat_clockwise_until_somebody_takes_it() -> None:
    table = seated(None, {seat: {"player": 1000} for seat in "1462"}, in_play=False)
    play, offered = Play(table), []
    while isinstance(play.request, Ask):
        offered.append(play.request.seat)
        play.answer({"cut": 100} if play.request.seat == "2" else "decline")

    assert offered == ["6", "4", "2"]
    assert table.state.cutter == "2"
    assert DEALER_CUTS not in told_steps(table)


@pytest.mark.cites("7.5(d)")
def test_if_nobody_accepts_the_cut_the_dealer_cuts() -> None:
    table = seated(None, {seat: {"player": 1000} for seat in "14"}, in_play=False)
    to_first_card(table)

    assert DEALER_CUTS in told_steps(table)
    assert table.state.cutter is None


@pytest.mark.cites("7.5(e)")
@pytest.mark.parametrize(("decks", "deepest"), [(6, 302), (8, 406)])
def test_the_cutting_card_goes_ten_cards_or_more_from_either_end(decks: int, deepest: int) -> None:
    for depth in (10, deepest):
        play = Play(seated({"decks": decks}, in_play=False))
        for wrong in (9, deepest + 1, 0, -10):
            refusal = not_answered(play, {"cut": wrong})
            assert refusal.fault is Fault.ILLEGAL_MOVE
            assert section(refusal) == "19:47-7.5"
        play.answer({"cut": depth})
        assert isinstance(play.request, Draw)


@pytest.mark.cites("7.5(f)")
@pytest.mark.parametrize("rank", RANKS)
def test_the_first_card_and_as_many_as_it_counts_are_shown_and_go_to_the_discard_rack(
    rank: str,
) -> None:
    more = {"A": 1, "T": 10, "J": 10, "Q": 10, "K": 10}.get(rank) or int(rank)
    assert burn_value(Card.parse(f"{rank}d")) == more
    burnt = cards(f"{rank}d " + " ".join("23456789TJ"[:more]))
    table = seated(in_play=False)

    play = give(to_first_card(table), " ".join(burnt))

    assert [str(card) for card in table.equipment.discard_rack] == burnt
    assert seen_by_all(table) == burnt
    finish(give(play, TIES))


@pytest.mark.cites("7.5(g)")
@pytest.mark.parametrize(
    ("recut_by", "offered"),
    [("last_cutter", ["6", "4", "4"]), ("next_person", ["6", "4", "2"])],
)
def test_an_improper_cut_is_made_again_by_the_cutter_or_by_the_next_person(
    recut_by: str, offered: list[str]
) -> None:
    table = seated({"recut_by": recut_by}, {seat: {"tie": 1000} for seat in "246"}, in_play=False)
    play, there = Play(table), []
    for answer in ("decline", {"cut": 40}, {"irregularity": "improper_cut"}, {"cut": 50}):
        if isinstance(play.request, Ask):
            there.append(play.request.seat)
        play.answer(answer)

    assert there == offered
    assert table.state.cutter == offered[-1]
    assert isinstance(play.request, Draw)
    (event,) = [event for event in table.events if event.kind == "irregularity"]
    assert str(event.cite) == "19:47-7.5(g)"
    assert len(table.equipment.stub) == 416


@pytest.mark.cites("7.5(g)")
def test_if_the_next_person_declines_the_recut_the_others_and_then_the_dealer_are_next() -> None:
    seats: dict[str, Any] = {seat: {"wagers": {"tie": 1000}} for seat in "246"}
    seats["4"]["moves"] = [{"cut": 40}]
    errors = [{"before_draw": 1, "kind": "improper_cut"}]

    told = shoe(
        hand(f"A 2 {TIES}", seats=seats, shuffle=True, irregularities=errors),
        recut_by="next_person",
    )

    assert DEALER_CUTS in steps(told)
    assert [each["seat"] for each in told.events("decision")] == ["4"]


@pytest.mark.cites("7.5(g)")
@pytest.mark.parametrize("at", [2, 3, 5, 7])
def test_once_a_card_has_been_dealt_it_is_too_late_for_a_recut(at: int) -> None:
    refusal = refused_round(hand(f"A 2 {TIES}", {"tie": 1000}, (at, "improper_cut"), shuffle=True))

    says(refusal, Fault.NOT_NOW, "cards have been dealt since the cut", "7.5(g)")


def refused_round(*rounds: Mapping[str, Any], **options: Any) -> Refusal:
    with pytest.raises(Refusal) as caught:
        shoe(*rounds, **options)
    return caught.value


@pytest.mark.cites("7.5(h)", "7.5(h)1")
def test_when_nobody_has_played_the_cards_are_shown_to_the_next_player_and_washed() -> None:
    table = dealt_out(seated(), TIES)
    make(table, {})

    REST(table)
    make(table, {"3": {"tie": 1000}})
    to_first_card(table)

    assert told_steps(table) == [
        ("The cards are spread face up for the first player to see", "7.5(h)"),
        ("They are turned face down, washed and stacked", "7.5(h)1"),
        *LACED,
        DEALER_CUTS,
        PLACED,
        ("The cards go into the shoe", "7.6"),
    ]
    assert len(table.equipment.stub) == 416
    assert not table.state.resting


@pytest.mark.cites("7.5(h)")
def test_a_table_that_has_rested_and_plays_again_goes_on_as_before() -> None:
    table = dealt_out(seated(), TIES)
    REST(table)
    for _ in range(2):
        make(table, {"3": {"tie": 1000}})
        by_luck(table)

    assert not [text for text, _ in told_steps(table) if "spread" in text]
    assert not table.state.shuffle_due


# Shuffling devices, 7.1(d) and 7.12.


@pytest.mark.cites("7.1(d)1", "7.1(d)2", "7.4(d)")
@pytest.mark.parametrize(("decks", "in_shoe"), [(None, 8), (12, 6), (14, 7)])
def test_two_batches_of_equal_size_are_shown_apart_and_one_of_them_is_in_the_shoe(
    decks: int | None, in_shoe: int
) -> None:
    given: dict[str, Any] = {"batch_shuffler": "yes"} | ({"decks": decks} if decks else {})
    table = seated(given, in_play=False)
    to_first_card(table)

    assert Counter(table.equipment.composition) == Counter(deck() * in_shoe)
    assert told_steps(table)[:5] == [
        ("The dealer inspects the decks and the floorperson verifies them", "7.4(b)"),
        ("The cards are spread face up in horizontal rows, by deck, suit and sequence", "7.4(b)"),
        ("Each batch, apart, is turned face down and stacked", "7.4(d)"),
        ("The first batch comes out of the shuffling device", "7.1(d)5"),
        ("The other batch goes in, to be shuffled meanwhile", "7.1(d)4"),
    ]


@pytest.mark.cites("7.1(d)3", "7.1(d)4", "7.1(d)5", "7.1(d)6")
def test_the_batches_alternate_shoe_by_shoe_and_only_one_is_on_the_table() -> None:
    options = {"batch_shuffler": "yes", "decks": 12, "cut_card_from_back": 200}
    table = seated(options, in_play=False)
    batches: list[int] = []
    shoes = 0
    while shoes < 4:
        make(table, {"1": {"player": 1000}})
        begins = table.state.shuffle_due
        by_luck(table, seed=len(batches))
        batches.append(table.state.batch)
        if begins:
            shoes += 1
            which = "first" if shoes % 2 else "second"
            assert (f"The {which} batch comes out of the shuffling device", "7.1(d)5") in (
                told_steps(table)
            )
        assert table.state.batch == (1 if shoes % 2 else 2)
        assert Counter(table.equipment.everywhere) == Counter(deck() * 6)

    assert len(batches) > 20  # several rounds from each shoe


@pytest.mark.cites("7.5(h)2", "7.1(d)5")
def test_with_a_batch_shuffler_a_table_that_rested_exchanges_its_cards_for_the_other_batch() -> (
    None
):
    table = dealt_out(seated({"batch_shuffler": "yes"}), TIES)
    REST(table)
    make(table, {"3": {"tie": 1000}})
    to_first_card(table)

    assert told_steps(table)[:4] == [
        ("The cards are spread face up for the first player to see", "7.5(h)"),
        ("They are stacked, and go into the shuffling device", "7.5(h)2"),
        ("The second batch comes out of the shuffling device", "7.1(d)5"),
        ("The other batch goes in, to be shuffled meanwhile", "7.1(d)4"),
    ]
    assert table.state.batch == 2


@pytest.mark.cites("7.12")
def test_with_a_continuous_shuffler_every_round_is_dealt_from_all_the_cards() -> None:
    table = seated({"continuous_shuffler": "yes", "decks": 6}, in_play=False)
    for seed in range(5):
        make(table, {"1": {"player": 1000}})
        play = Play(table)

        assert isinstance(play.request, Draw)  # no cut is offered
        assert Counter(table.equipment.stub) == Counter(deck() * 6)
        answer = by_chance(SeededStream(seed))
        while play.request is not None:
            play.answer(answer(play.request))
        assert len(table.equipment.stub) in (306, 307, 308)  # nothing is burnt
        assert "Last hand" not in [event.data.get("text") for event in table.events]


@pytest.mark.cites("7.12")
def test_a_continuous_shuffler_is_loaded_once_after_the_inspection() -> None:
    table = seated({"continuous_shuffler": "yes"}, in_play=False)
    by_luck(table)
    first = told_steps(table)
    make(table, {"1": {"player": 1000}})
    by_luck(table)

    assert first[2:4] == [
        ("They are turned face down, washed and stacked", "7.4(c)"),
        ("The cards go into the continuous shuffling device", "7.12"),
    ]
    assert told_steps(table) == [("The cards are picked up", "7.10(d)")]


@pytest.mark.cites("7.12", "7.5(g)")
def test_with_a_continuous_shuffler_nothing_is_cut_so_no_cut_can_be_improper() -> None:
    refusal = refused_round(
        hand(TIES, {"tie": 1000}, (1, "improper_cut")), continuous_shuffler="yes"
    )

    assert refusal.fault is Fault.NOT_NOW
    assert section(refusal) == "19:47-7.5"


@pytest.mark.cites("7.12", "7.11(b)")
def test_with_a_continuous_shuffler_a_card_drawn_in_error_still_waits_for_the_next_hand() -> None:
    table = seated({"continuous_shuffler": "yes"}, {"1": {"tie": 1000}})
    play = Play(table)
    play.answer({"irregularity": "card_drawn_in_error"})
    finish(give(play, f"Qd {TIES}"))
    make(table, {"1": {"tie": 1000}})
    play = Play(table)

    assert Counter(map(str, table.equipment.composition)) - Counter(
        map(str, table.equipment.stub)
    ) == Counter(["Qd"])
    finish(give(play, "9 9 K"))
    assert table.settlements[0].net == 8000


# How the hands are dealt and turned, 7.7 and 7.8(a).


@pytest.mark.cites("7.7(c)1")
def test_dealt_face_up_every_card_is_seen_by_everyone_as_it_leaves_the_shoe() -> None:
    table = seated({"deal_option": "1"})
    play = Play(table)
    for number, card in enumerate(cards(SIX_CARDS)):
        assert seen_by_all(table) == cards(SIX_CARDS)[:number]
        play.answer(card)

    assert seen_by_all(table) == cards(SIX_CARDS)
    finish(play)


@pytest.mark.cites("7.7(c)2", "7.8(a)", "7.8(c)")
def test_dealt_face_down_nobody_sees_a_card_until_the_dealer_turns_the_players_hand_first() -> None:
    table = seated({"deal_option": "2"}, {"1": {"player": 1000}, "2": {"banker": 1000}})
    play = Play(table)
    for card in cards("6d 5d Kh"):
        play.answer(card)
        assert seen_by_all(table) == []
    play.answer("Ks")

    assert seen_by_all(table) == ["6d", "Kh", "5d", "Ks"]
    order = [(event.kind, event.data.get("hand") or event.data["text"])
             for event in table.events if event.kind in ("reveal", "announce")]  # fmt: skip
    assert order == [
        ("announce", "No more bets"),
        ("reveal", "player"), ("announce", "Player's Hand 6"),
        ("reveal", "banker"), ("announce", "Banker's Hand 5"),
        ("announce", "Banker's Hand draws"),
    ]  # fmt: skip
    play.answer("3c")  # third cards are dealt face up
    assert seen_by_all(table)[-1] == "3c"
    finish(play)


@pytest.mark.cites("7.7(c)3", "7.7(c)3i", "7.7(c)3ii", "7.7(c)3iii", "7.7(c)3iv")
def test_handed_out_each_hand_and_its_third_card_are_turned_by_the_highest_wager_on_it() -> None:
    seats = {"2": {"player": 2000}, "3": {"player": 1999, "banker": 3001}, "5": {"banker": 3000}}
    table = seated({"deal_option": "3"}, seats)
    play = give(Play(table), "Kd 5d Kh Qs")
    shown: list[str] = []
    for seat, looks, then in [
        ("2", "Kd Kh", ""), ("3", "5d Qs", "4d"), ("2", "4d", "2h"), ("3", "2h", ""),
    ]:  # fmt: skip
        assert asked(play).seat == seat
        for anyone in (None, *table.positions):
            assert set(seen(table, anyone)) == set(shown)  # not even who is to turn them
        before = len(seen(table, seat))
        play.answer("turn")
        assert seen(table, seat)[before:] == looks.split() * 2  # a look, and then for everyone
        shown += looks.split()
        assert seen(table) == shown
        give(play, then)

    assert isinstance(play.request, Inspect)
    finish(play)


@pytest.mark.cites("7.7(c)3", "7.8(a)")
def test_handed_out_the_bankers_hand_waits_under_the_shoe_until_the_players_hand_is_called() -> (
    None
):
    seats = {"2": {"wagers": {"player": 1000}}, "4": {"wagers": {"banker": 1000}}}

    told = shoe(hand(BANKER_WINS, seats=seats), deal_option="3")

    order = [event.get("text") or event["hand"] for event in told.rounds[0]["events"]
             if event["kind"] in ("step", "announce", "reveal")]  # fmt: skip
    assert order[:8] == [
        "No more bets",
        "The Banker's Hand waits under the corner of the shoe",
        "The dealer hands the cards of the Player's Hand to seat 2",
        "player",
        "Player's Hand 6",
        "The dealer hands the cards of the Banker's Hand to seat 4",
        "banker",
        "Banker's Hand 7",
    ]


@pytest.mark.cites("7.7(c)3v")
@pytest.mark.parametrize("hand_of", [PLAYER, BANKER])
def test_of_equally_high_wagers_the_one_closest_to_the_dealer_counterclockwise_turns(
    hand_of: str,
) -> None:
    amounts = {"7": 2000, "5": 2000, "3": 2000, "1": 1999}
    seats = {seat: {"wagers": {hand_of: amount}} for seat, amount in amounts.items()}

    told = shoe(hand(TIES, seats=seats), deal_option="3")

    name = "Player's Hand" if hand_of == PLAYER else "Banker's Hand"
    assert handed(told) == [f"the cards of the {name} to seat 3"]


@pytest.mark.cites("7.7(c)3")
def test_a_hand_on_which_nobody_has_wagered_is_turned_by_the_dealer() -> None:
    told = shoe(hand(BANKER_DRAWS, {"tie": 1000}), deal_option="3")

    assert handed(told) == []
    assert [event["hand"] for event in told.events("reveal")] == ["player", "banker", "banker"]


@pytest.mark.cites("7.10(e)")
@pytest.mark.parametrize("option", ["1", "2"])
def test_no_participant_touches_a_card_unless_the_hands_are_handed_out(option: str) -> None:
    play = Play(seated({"deal_option": option}, {"1": {"player": 1000, "banker": 1000}}))
    while play.request is not None:
        assert not isinstance(play.request, Ask)
        play.answer(cards(SIX_CARDS)[len(play.answers)] if isinstance(play.request, Draw) else None)


@pytest.mark.cites("7.8(a)")
@pytest.mark.parametrize("option", ["2", "3"])
def test_on_request_the_bankers_hand_is_turned_first_when_both_were_dealt_face_down(
    option: str,
) -> None:
    seats = {
        "1": {"wagers": {"player": 1000}, "moves": ["player_first"]},
        "4": {"wagers": {"banker": 1000}, "moves": ["banker_first"]},
    }

    told = shoe(hand(BANKER_WINS, seats=seats), deal_option=option, banker_first_on_request="yes")

    assert [event["hand"] for event in told.events("reveal")] == ["banker", "player"]
    assert told.said()[1:3] == ["Banker's Hand 7", "Player's Hand 6"]
    (decided,) = told.events("decision")
    assert (decided["seat"], cited(decided)) == ("4", "7.8(a)")


@pytest.mark.cites("7.8(a)")
@pytest.mark.parametrize("option", ["2", "3"])
def test_without_a_request_the_players_hand_is_turned_first(option: str) -> None:
    told = coup(BANKER_WINS, {"tie": 1000}, deal_option=option, banker_first_on_request="yes")

    assert [event["hand"] for event in told.events("reveal")] == ["player", "banker"]


@pytest.mark.cites("7.8(a)")
@pytest.mark.parametrize(("option", "allowed"), [("1", "yes"), ("2", "no"), ("3", "no")])
def test_no_request_is_heard_when_the_cards_lie_face_up_or_the_licensee_does_not_allow_it(
    option: str, allowed: str
) -> None:
    seats = {"4": {"wagers": {"banker": 1000}, "moves": ["banker_first"]}}

    refusal = refused_round(
        hand(BANKER_WINS, seats=seats), deal_option=option, banker_first_on_request=allowed
    )

    assert refusal.fault is Fault.BAD_SCRIPT
    assert "was never asked for its move 'banker_first'" in refusal.message


# The result, the settlement and the end of a shoe, 7.8(e) and 7.10.


@pytest.mark.cites("7.10(a)")
@pytest.mark.parametrize(
    ("text", "call"),
    [
        (BANKER_WINS, "Player's Hand 6, Banker's Hand 7. Banker's Hand wins"),
        (PLAYER_WINS, "Player's Hand 7, Banker's Hand 6. Player's Hand wins"),
        (TIES, "Player's Hand 7, Banker's Hand 7. Tie Hand"),
    ],
)
def test_the_dealer_announces_both_counts_and_the_winner_or_a_tie_hand(
    text: str, call: str
) -> None:
    assert coup(text, {"tie": 1000}).said()[-1] == call


@pytest.mark.cites("7.10(a)")
@pytest.mark.parametrize(("text", "number"), [(TIES, 4), (BANKER_DRAWS, 5), (SIX_CARDS, 6)])
def test_where_total_card_wagers_are_offered_the_number_of_cards_is_announced_too(
    text: str, number: int
) -> None:
    with_totals = coup(text, {"tie": 1000}, offer_total_cards="yes")

    assert with_totals.said()[-1].endswith(f". {number} cards")
    assert "cards" not in coup(text, {"tie": 1000}).said()[-1]


@pytest.mark.cites("7.10(b)", "7.10(b)1", "7.10(b)2", "7.10(b)3", "7.10(b)4")
@pytest.mark.parametrize("timing", ["at_payout", "deferred"])
@pytest.mark.parametrize(
    ("sequence", "order"),
    [
        ("1", "pay 7, pay 5, pay 2, vigorish 7, vigorish 2"),
        ("2", "vigorish 7, vigorish 2, pay 7, pay 5, pay 2"),
        ("3", "pay 7, vigorish 7, pay 5, pay 2, vigorish 2"),
        ("4", "vigorish 7, pay 7, pay 5, vigorish 2, pay 2"),
    ],
)
def test_losing_wagers_are_collected_first_and_winners_are_paid_in_the_tables_sequence(
    sequence: str, order: str, timing: str
) -> None:
    seats = {
        "2": {"wagers": {"banker": 1000}},
        "4": {"wagers": {"player": 1000}},
        "5": {"wagers": {"total_cards_4": 1000}},
        "6": {"wagers": {"tie": 1000}},
        "7": {"wagers": {"banker": 1000}},
    }

    told = shoe(hand(BANKER_WINS, seats=seats), settlement_sequence=sequence,
                offer_total_cards="yes", vig_timing=timing)  # fmt: skip

    done = [f"{event['kind']} {event['seat']}" for event in told.rounds[0]["events"]
            if event["kind"] in ("collect", "pay", "vigorish")]  # fmt: skip
    assert ", ".join(done) == f"collect 6, collect 4, {order}"


@pytest.mark.cites("7.10(d)")
def test_the_cards_go_to_the_discard_rack_hand_by_hand_and_in_order() -> None:
    table = dealt_out(seated(), "Kh 5d Ks Kd 4d 2h")

    rack = [str(card) for card in table.equipment.discard_rack]
    assert rack == ["Kh", "Ks", "4d", "5d", "Kd", "2h"]
    assert table.equipment.on_layout == []


@pytest.mark.cites("7.8(e)")
@pytest.mark.parametrize("behind", [14, 30])
def test_when_the_cutting_card_appears_one_more_hand_is_dealt_and_then_the_reshuffle(
    behind: int,
) -> None:
    table = seated({"cut_card_from_back": behind}, {"1": {"tie": 1000}})
    leave_in_shoe(table, f"{TIES} {TIES} {TIES} " + " ".join(MORE * 3)[: 3 * behind - 16])
    announced = []
    for _ in range(3):
        make(table, {"1": {"tie": 1000}})
        shuffled = table.state.shuffle_due
        dealt_out(table, TIES)
        announced.append((shuffled, "Last hand" in [e.data.get("text") for e in table.events]))

    assert announced == [(False, False), (False, True), (False, False)]
    assert len(table.equipment.stub) == behind - 5
    make(table, {"1": {"tie": 1000}})
    to_first_card(table)
    assert told_steps(table)[0] == LACED[0]
    assert len(table.equipment.stub) == 416


@pytest.mark.cites("7.8(e)")
def test_the_hand_in_which_the_cutting_card_appears_is_completed() -> None:
    table = seated(None, {"1": {"banker": 1000}})
    leave_in_shoe(table, f"{SIX_CARDS} 2 2 3 3 4 4 5 5 6 6 7")
    dealt_out(table, SIX_CARDS)

    assert table.settlements[0].net == 950
    (last,) = [event for event in table.events if event.data.get("text") == "Last hand"]
    assert str(last.cite) == "19:47-7.8(e)"
    assert table.events[-1] is last


# Irregularities, 7.11. The same round five times over: the player stands on six, and the
# banker draws a three to five. An error can come at any of its draws or before it is settled.

MOMENTS = (1, 3, 5, 6)
WON_BY_BANKER = ("win", 950)
any_moment = pytest.mark.parametrize("at", MOMENTS)


def with_cards(at: int, *extra: str) -> str:
    """The round, with other cards drawn from the shoe at this moment."""
    there = cards(BANKER_DRAWS)
    return " ".join([*there[: at - 1], *extra, *there[at - 1 :]])


def is_as_if_nothing_had_happened(told: Told, round: int = 0) -> None:
    assert told.result("banker", round=round) == WON_BY_BANKER
    assert drawn(told, "player", round) == ["6c", "Kc"]
    assert drawn(told, "banker", round) == ["5c", "Kc", "3c"]


def irregularity(told: Told, round: int = 0) -> dict[str, Any]:
    (event,) = told.events("irregularity", round)
    return event


@pytest.mark.cites("7.11(b)")
@any_moment
def test_a_card_drawn_in_error_is_the_first_card_of_the_next_hand(at: int) -> None:
    told = shoe(
        hand(with_cards(at, "Qd"), {"banker": 1000}, (at, "card_drawn_in_error")),
        hand("9 8 K", {"banker": 1000}),
    )

    is_as_if_nothing_had_happened(told)
    assert cited(irregularity(told)) == "7.11(b)"
    (used,) = told.events("set_aside", 1)
    assert (used["to"], used["outcome"], cited(used)) == ("player", "Qd", "7.11(b)")
    assert told.said()[-1] == "Player's Hand 8, Banker's Hand 9. Banker's Hand wins"
    assert "unused_draws" not in told.rounds[1]


@pytest.mark.cites("7.11(b)")
@any_moment
def test_nobody_sees_a_card_drawn_in_error_while_it_waits(at: int) -> None:
    table = seated(None, {"1": {"banker": 1000}})
    play = give(Play(table), " ".join(cards(BANKER_DRAWS)[: at - 1]))
    play.answer({"irregularity": "card_drawn_in_error"})
    play.answer("Qd")
    finish(give(play, " ".join(cards(BANKER_DRAWS)[at - 1 :])))

    assert "Qd" not in seen_by_all(table)
    assert "Qd" in map(str, table.equipment.on_layout)  # it waits; it is not discarded
    assert "Qd" not in map(str, table.equipment.discard_rack)


@pytest.mark.cites("7.11(b)")
@pytest.mark.parametrize("option", ["2", "3"])
def test_a_card_that_waited_is_dealt_as_the_others_are(option: str) -> None:
    table = seated({"deal_option": option}, {"1": {"tie": 1000}})
    play = Play(table)
    play.answer({"irregularity": "card_drawn_in_error"})
    finish(give(play, f"Qd {TIES}"))
    make(table, {"1": {"tie": 1000}})
    play = give(Play(table), "9h 9d")
    assert seen_by_all(table) == []

    finish(give(play, "Ks"))

    assert seen_by_all(table) == ["Qd", "9d", "9h", "Ks"]


@pytest.mark.cites("7.11(b)")
def test_two_cards_drawn_in_error_wait_in_their_order() -> None:
    told = shoe(
        hand("Qd 7 7 K 8d K", {"tie": 1000},
             (1, "card_drawn_in_error"), (5, "card_drawn_in_error")),
        hand("9 K", {"banker": 1000, "player": 1000}),
        hand(TIES, {"tie": 1000}),
    )  # fmt: skip

    assert told.result("tie", round=0) == ("win", 8000)
    used = [(event["to"], event["outcome"]) for event in told.events("set_aside", 1)]
    assert used == [("player", "Qd"), ("banker", "8d")]
    assert told.said(1)[-1] == "Player's Hand 9, Banker's Hand 8. Player's Hand wins"
    assert told.events("set_aside", 2) == []


@pytest.mark.cites("7.11(b)")
def test_a_card_drawn_in_error_while_an_earlier_one_is_used_waits_for_the_hand_after() -> None:
    told = shoe(
        hand("Qd 7 7 K K", {"tie": 1000}, (1, "card_drawn_in_error")),
        hand("8d 9 9 K", {"tie": 1000}, (1, "card_drawn_in_error")),
        hand("7 K K", {"player": 1000}),
    )

    assert [event["outcome"] for event in told.events("set_aside", 1)] == ["Qd"]
    assert [event["outcome"] for event in told.events("set_aside", 2)] == ["8d"]
    assert told.result("player") == ("win", 1000)


@pytest.mark.cites("7.11(b)")
def test_a_card_drawn_in_error_at_the_burn_is_the_first_of_the_hand_that_follows() -> None:
    told = shoe(hand("Qd A 2 9 9 K", {"tie": 1000}, (1, "card_drawn_in_error"), shuffle=True))

    assert drawn(told, "burn") == ["Ac", "2c"]
    assert told.result("tie") == ("win", 8000)


@pytest.mark.cites("7.11(b)")
def test_a_reshuffle_gathers_a_card_that_was_waiting() -> None:
    told = shoe(
        hand(with_cards(1, "Qd"), {"banker": 1000}, (1, "card_drawn_in_error")),
        hand(f"A 2 {TIES}", {"tie": 1000}, shuffle=True),
    )

    assert told.events("set_aside") == []
    assert told.result("tie") == ("win", 8000)


@pytest.mark.cites("7.11(a)")
@pytest.mark.parametrize("kind", ["third_card_in_error", "third_card_in_error_disclosed"])
@pytest.mark.parametrize("player", [6, 7])
@pytest.mark.parametrize("banker", range(6))
def test_a_third_card_dealt_to_a_player_who_stands_is_the_bankers_if_the_banker_must_draw(
    player: int, banker: int, kind: str
) -> None:
    expected = by_the_rules(player, banker, 0, 4)
    text = expected.cards.rpartition(" ")[0] + " 4d"

    told = coup(text, {"tie": 1000}, (5, kind))

    assert drawn(told, "banker")[-1] == "4d"
    assert len(drawn(told, "player")) == 2
    assert f"Banker's Hand {(banker + 4) % 10}" in told.said()[-1]
    assert cited(irregularity(told)) in ("7.11(a)", "7.11(c)2")


STAYS = {
    "both stand": PLAYER_WINS,
    "the player has a natural": "9 3 K K",
    "the banker has a natural": "6 8 K K",
    "the banker has drawn": BANKER_DRAWS,
}


@pytest.mark.cites("7.11(a)")
@pytest.mark.parametrize("text", STAYS.values(), ids=list(STAYS))
def test_a_third_card_dealt_in_error_waits_for_the_next_hand_if_the_banker_must_stay(
    text: str,
) -> None:
    number = len(text.split())
    wagers = {"player": 1000, "banker": 1000}

    told = shoe(
        hand(f"{text} Qd", wagers, (number + 1, "third_card_in_error")),
        hand("9 9 K", {"tie": 1000}),
    )

    assert cited(irregularity(told)) == "7.11(a)"
    clean = coup(text, wagers)
    for wager in wagers:
        assert told.result(wager, round=0) == clean.result(wager)
    assert told.events("set_aside")[0]["outcome"] == "Qd"
    assert told.result("tie") == ("win", 8000)


@pytest.mark.cites("7.11(a)")
@pytest.mark.parametrize("kind", ["third_card_in_error", "third_card_in_error_disclosed"])
@pytest.mark.parametrize(
    ("text", "at", "why"),
    [
        (BANKER_DRAWS, 1, "the first four cards do not lie yet"),
        (BANKER_DRAWS, 3, "the first four cards do not lie yet"),
        (SIX_CARDS, 5, "the Player's Hand is due a third card"),
        (SIX_CARDS, 6, "the Player's Hand has its third card"),
        (SIX_CARDS, 7, "the Player's Hand has its third card"),
    ],
)
def test_a_third_card_in_error_needs_four_cards_and_a_player_who_is_due_no_card(
    text: str, at: int, why: str, kind: str
) -> None:
    refusal = refused_round(hand(f"{text} Qd", {"tie": 1000}, (at, kind)))

    cite = "7.11(a)" if kind == "third_card_in_error" else "7.11(c)2"
    says(refusal, Fault.NOT_NOW, why, cite)


# 7.11(c): the card was disclosed.


def extra_for(rank: str, ten_extra: int) -> int:
    """Procedure 1: as many more as its value, and one or ten for a ten or a face card."""
    return VALUES[rank] or ten_extra


@pytest.mark.cites("7.11(c)1")
@pytest.mark.parametrize("ten_extra", [1, 10])
@pytest.mark.parametrize("rank", RANKS)
def test_procedure_1_discards_the_disclosed_card_and_as_many_more_as_its_value(
    rank: str, ten_extra: int
) -> None:
    gone = [f"{rank}h", *MORE[: extra_for(rank, ten_extra)]]
    for at in MOMENTS:
        told = shoe(
            hand(with_cards(at, *gone), {"banker": 1000}, (at, "card_drawn_in_error_disclosed")),
            hand(TIES, {"tie": 1000}),
            error_disclosed_procedure="1",
            error_ten_value_extra=ten_extra,
        )

        is_as_if_nothing_had_happened(told)
        assert cited(irregularity(told)) == "7.11(c)1"
        assert drawn(told, "discards", 0) == gone
        assert told.result("tie") == ("win", 8000)  # nothing waited for the next hand


@pytest.mark.cites("7.11(c)2")
@pytest.mark.parametrize("rank", RANKS)
def test_procedure_2_discards_the_disclosed_card_and_one_more_unseen(rank: str) -> None:
    for at in MOMENTS:
        told = shoe(
            hand(with_cards(at, f"{rank}h", "9d"), {"banker": 1000},
                 (at, "card_drawn_in_error_disclosed")),
            hand(TIES, {"tie": 1000}),
            error_disclosed_procedure="2",
        )  # fmt: skip

        is_as_if_nothing_had_happened(told)
        assert cited(irregularity(told)) == "7.11(c)2"
        assert drawn(told, "discards", 0) == [f"{rank}h", "?"]
        assert told.result("tie") == ("win", 8000)


@pytest.mark.cites("7.11(c)2")
@any_moment
def test_by_procedure_2_nobody_ever_sees_the_second_card(at: int) -> None:
    table = seated({"error_disclosed_procedure": "2"}, {"1": {"banker": 1000}})
    play = give(Play(table), " ".join(cards(BANKER_DRAWS)[: at - 1]))
    play.answer({"irregularity": "card_drawn_in_error_disclosed"})
    for card in ("Qh", "9d", *cards(BANKER_DRAWS)[at - 1 :]):
        play.answer(card)
    finish(play)

    assert "Qh" in seen_by_all(table)
    assert "9d" not in seen_by_all(table)
    assert {"Qh", "9d"} <= set(map(str, table.equipment.discard_rack))


SIMULATIONS = {  # the disclosed card, and what the rules make of it with the cards that follow
    "9h": "7d Kd Kd",
    "Kh": "5d Kd Kd 4d 2d",
    "6h": "5d Kd Kd 3d",
    "3h": "7d Kd Kd 9d",
}


@pytest.mark.cites("7.11(c)3")
@pytest.mark.parametrize("first", SIMULATIONS)
@any_moment
def test_procedure_3_deals_a_simulated_round_by_the_rules_and_it_settles_nothing(
    at: int, first: str
) -> None:
    table = seated({"error_disclosed_procedure": "3"}, {"1": {"banker": 1000}})
    play = give(Play(table), " ".join(cards(BANKER_DRAWS)[: at - 1]))
    play.answer({"irregularity": "card_drawn_in_error_disclosed"})
    give(play, first)
    give(play, " ".join(cards(BANKER_DRAWS)[at - 1 :]))
    assert isinstance(play.request, Inspect)
    play.answer(None)
    assert turned_away(table, "tie").fault is Fault.NO_MORE_BETS

    give(play, SIMULATIONS[first])

    assert play.request is None
    (settled,) = table.settlements
    assert settled.net == 950
    assert table.money["1"] == 950
    assert [mark.banker_points for mark in table.state.results] == [8]
    rack = sorted(map(str, table.equipment.discard_rack))
    assert rack == sorted([*cards(BANKER_DRAWS), first, *SIMULATIONS[first].split()])
    assert table.equipment.on_layout == []
    (said,) = [event for event in table.events if "simulated" in event.data.get("text", "")]
    assert str(said.cite) == "19:47-7.11(c)3"


@pytest.mark.cites("7.11(c)3")
def test_the_round_after_a_simulated_one_is_dealt_as_any_other() -> None:
    told = shoe(
        hand(f"9h {TIES} 7 K K", {"tie": 1000}, (1, "card_drawn_in_error_disclosed")),
        hand(TIES, {"tie": 1000}),
        error_disclosed_procedure="3",
    )

    assert told.events("set_aside") == []
    assert told.result("tie") == ("win", 8000)


@pytest.mark.cites("7.11(c)3")
def test_two_disclosed_cards_make_two_simulated_rounds() -> None:
    told = coup(
        f"9h {TIES} 8h 7d Kd Kd 6d Kd Kd", {"tie": 1000},
        (1, "card_drawn_in_error_disclosed"), (6, "card_drawn_in_error_disclosed"),
        error_disclosed_procedure="3",
    )  # fmt: skip

    assert [text for text, _ in steps(told) if "simulated" in text] == [
        "A simulated round is dealt, without wagers"
    ] * 2
    assert told.result("tie") == ("win", 8000)
    assert "unused_draws" not in told.rounds[0]


@pytest.mark.cites("7.11(c)3")
def test_a_round_that_was_settled_stays_settled_whatever_happens_in_the_simulated_one() -> None:
    table = seated({"error_disclosed_procedure": "3"}, {"1": {"banker": 1000}})
    play = Play(table)
    play.answer({"irregularity": "card_drawn_in_error_disclosed"})
    give(play, f"9h {BANKER_WINS}")
    play.answer(None)

    with suppress(Refusal):  # it may be refused, or end the simulated round
        play.answer({"irregularity": "too_few_cards"})

    assert not table.is_void
    assert table.money["1"] == 950


@pytest.mark.cites("7.11(c)3", "7.11(e)")
def test_a_simulated_round_that_runs_out_of_cards_just_ends() -> None:
    table = seated({"error_disclosed_procedure": "3"}, {"1": {"banker": 1000}})
    leave_in_shoe(table, f"9h {BANKER_WINS} 7 K")
    play = Play(table)
    play.answer({"irregularity": "card_drawn_in_error_disclosed"})
    give(play, f"9h {BANKER_WINS}")
    play.answer(None)
    give(play, "7 K")

    assert play.request is None
    assert not table.is_void
    assert table.money["1"] == 950


@pytest.mark.cites("7.11(a)", "7.11(c)1", "7.11(c)2", "7.11(c)3")
@pytest.mark.parametrize("text", STAYS.values(), ids=list(STAYS))
@pytest.mark.parametrize(
    ("procedure", "gone"),
    [("1", ["4h", "2d", "3d", "4d", "5d"]), ("2", ["4h", "?"]), ("3", [])],
)
def test_a_disclosed_third_card_in_error_is_dealt_with_likewise_if_the_banker_must_stay(
    procedure: str, gone: list[str], text: str
) -> None:
    wagers = {"player": 1000, "banker": 1000}
    extra = {"1": "4h 2d 3d 4d 5d", "2": "4h 9d", "3": "4h 9d Kd Kd"}[procedure]

    told = shoe(
        hand(f"{text} {extra}", wagers, (len(text.split()) + 1, "third_card_in_error_disclosed")),
        hand(TIES, {"tie": 1000}),
        error_disclosed_procedure=procedure,
    )

    assert cited(irregularity(told)) == f"7.11(c){procedure}"
    assert drawn(told, "discards", 0) == gone
    clean = coup(text, wagers)
    for wager in wagers:
        assert told.result(wager, round=0) == clean.result(wager)
    assert told.result("tie") == ("win", 8000)


# 7.11(d) and (e).


@pytest.mark.cites("7.11(d)")
@pytest.mark.parametrize("rank", RANKS)
def test_a_card_found_face_up_is_discarded_with_as_many_more_as_its_value_and_tens_have_none(
    rank: str,
) -> None:
    gone = [f"{rank}h", *MORE[: VALUES[rank]]]
    for at in MOMENTS:
        told = shoe(
            hand(with_cards(at, *gone), {"banker": 1000}, (at, "card_face_up")),
            hand(TIES, {"tie": 1000}),
        )

        is_as_if_nothing_had_happened(told)
        assert cited(irregularity(told)) == "7.11(d)"
        assert drawn(told, "discards", 0) == gone
        assert told.result("tie") == ("win", 8000)


@pytest.mark.cites("7.11(d)")
def test_cards_found_face_up_do_not_count_as_cards_dealt_in_the_round() -> None:
    told = coup(f"2h 3d 4d {TIES}", {"total_cards_4": 1000}, (1, "card_face_up"), **OFFER_ALL)

    assert told.result("total_cards_4") == ("win", 1500)


@pytest.mark.cites("7.11(d)")
def test_a_card_found_face_up_among_the_burnt_ones_is_no_burn_card() -> None:
    told = shoe(hand(f"Kh 2 3 4 {TIES}", {"tie": 1000}, (1, "card_face_up"), shuffle=True))

    assert drawn(told, "discards") == ["Kh"]
    assert drawn(told, "burn") == ["2c", "3c", "4c"]
    assert told.result("tie") == ("win", 8000)


@pytest.mark.cites("7.11(d)")
def test_the_cards_of_an_irregularity_end_in_the_discard_rack() -> None:
    table = seated(None, {"1": {"banker": 1000}})
    play = Play(table)
    play.answer({"irregularity": "card_face_up"})
    finish(give(play, f"2h 3d 4d {BANKER_WINS}"))

    assert {"2h", "3d", "4d"} <= set(map(str, table.equipment.discard_rack))
    assert table.equipment.on_layout == []


@pytest.mark.cites("7.11(e)")
@pytest.mark.parametrize("at", [1, 3, 5])
def test_a_round_that_cannot_be_completed_is_void_and_all_the_cards_are_reshuffled(at: int) -> None:
    wagers = {"banker": 1000, "tie": 1000, "total_cards_5": 1000}
    told = shoe(
        hand(" ".join(cards(BANKER_DRAWS)[: at - 1]), wagers, (at, "too_few_cards")),
        hand(f"A 2 {TIES}", {"tie": 1000}),
        **OFFER_ALL,
    )

    assert told.rounds[0]["void"]
    assert {told.result(wager, round=0) for wager in wagers} == {("void", 0)}
    assert {cited(each) for each in told.rounds[0]["settlements"]} == {"7.11(e)"}
    assert steps(told)[:2] == LACED
    assert told.net() == 8000


@pytest.mark.cites("7.11(e)")
@pytest.mark.parametrize("left", range(6))
def test_an_empty_shoe_is_such_a_round_without_anyone_reporting_it(left: int) -> None:
    table = seated(None, {"1": {"banker": 1000}})
    leave_in_shoe(table, " ".join(SIX_CARDS.split()[:left]))

    play = give(Play(table), " ".join(SIX_CARDS.split()[:left]))

    assert play.request is None
    assert table.is_void
    assert table.money["1"] == 0
    assert table.state.results == ()
    make(table, {"1": {"banker": 1000}})
    to_first_card(table)
    assert Counter(table.equipment.stub) == Counter(deck() * 8)


@pytest.mark.cites("7.11(e)")
def test_a_shoe_with_just_enough_cards_completes_its_round() -> None:
    table = seated(None, {"1": {"banker": 1000}})
    leave_in_shoe(table, SIX_CARDS)

    dealt_out(table, SIX_CARDS)

    assert not table.is_void
    assert table.money["1"] == 950


@pytest.mark.cites("7.11(e)")
@pytest.mark.parametrize("text", [BANKER_WINS, BANKER_DRAWS, SIX_CARDS])
def test_once_every_hand_has_its_cards_there_cannot_be_too_few_to_complete_the_round(
    text: str,
) -> None:
    at = len(text.split()) + 1

    refusal = refused_round(hand(text, {"tie": 1000}, (at, "too_few_cards")))

    assert refusal.fault is Fault.NOT_NOW
    assert section(refusal) == "19:47-7.11"


@pytest.mark.cites("7.11(e)")
def test_a_complete_round_is_not_void_because_the_shoe_lacks_cards_to_discard() -> None:
    table = seated(None, {"1": {"banker": 1000}})
    leave_in_shoe(table, f"{BANKER_WINS} 9h 2d")
    play = give(Play(table), BANKER_WINS)
    play.answer({"irregularity": "card_face_up"})
    for card in ("9h", "2d"):  # seven more are due, and there are none
        play.answer(card)
    finish(play)

    assert not table.is_void
    assert table.money["1"] == 950


# 7.11(f): the right to turn cards.


def turning(*rounds: Mapping[str, Any], **options: Any) -> Told:
    return shoe(*rounds, deal_option="3", **options)


def bettors(moves: Mapping[str, list[str]] | None = None) -> dict[str, Any]:
    """Seat 3 has the most on the player and seat 5 on the banker; 1 and 6 wager less."""
    wagers = {
        "1": {"player": 1000},
        "3": {"player": 3000},
        "5": {"banker": 3000},
        "6": {"banker": 1000},
    }
    return {
        seat: {"wagers": made, "moves": (moves or {}).get(seat, [])}
        for seat, made in wagers.items()
    }


PLAYERS, BANKERS = "the cards of the Player's Hand", "the cards of the Banker's Hand"


def taken(at: int, seat: str = "") -> dict[str, Any]:
    named = {"seat": seat} if seat else {}
    return {"irregularities": [{"before_draw": at, "kind": "turn_right_taken", **named}]}


@pytest.mark.cites("7.11(f)")
@pytest.mark.parametrize("at", [1, 3])
def test_who_delays_the_game_loses_the_right_and_it_is_offered_to_the_right(at: int) -> None:
    told = turning(hand(BANKER_DRAWS, seats=bettors({"5": ["accept"]}), **taken(at)))

    assert cited(irregularity(told)) == "7.11(f)"
    assert handed(told) == [
        f"{PLAYERS} to seat 5",
        f"{BANKERS} to seat 5",
        "the third card of the Banker's Hand to seat 5",
    ]


@pytest.mark.cites("7.11(f)")
def test_the_right_goes_on_counterclockwise_until_somebody_accepts_it() -> None:
    table = seated({"deal_option": "3"}, {seat: said["wagers"] for seat, said in bettors().items()})
    play = give(Play(table), "6 7 K")
    play.answer({"irregularity": "turn_right_taken"})
    offered = []
    while asked(play).moves[0].name == "accept":
        offered.append(asked(play).seat)
        play.answer("accept" if asked(play).seat == "1" else "decline")
        if isinstance(play.request, Draw):
            break

    assert offered == ["5", "6", "1"]  # to the right of seat 3, all around the table
    give(play, "K")
    assert asked(play).seat == "1"


@pytest.mark.cites("7.11(f)")
def test_if_nobody_accepts_the_dealer_turns_the_cards() -> None:
    moves = {seat: ["decline"] for seat in "156"}

    told = turning(hand(BANKER_WINS, seats=bettors(moves), **taken(1)))

    assert handed(told) == [f"{BANKERS} to seat 5"]
    assert [event["hand"] for event in told.events("reveal")] == ["player", "banker"]
    assert [each["seat"] for each in told.events("decision")] == ["5", "6", "1"]


@pytest.mark.cites("7.11(f)")
def test_the_one_who_turns_the_bankers_hand_may_be_the_one_to_lose_the_right() -> None:
    told = turning(hand(BANKER_DRAWS, seats=bettors({"6": ["accept"]}), **taken(5, seat="5")))

    assert handed(told) == [
        f"{PLAYERS} to seat 3",
        f"{BANKERS} to seat 5",
        "the third card of the Banker's Hand to seat 6",
    ]


@pytest.mark.cites("7.11(f)")
def test_a_player_may_give_the_right_up_and_cannot_be_offered_it_again_in_that_round() -> None:
    moves = {
        "3": ["relinquish"],
        "5": ["accept", "relinquish"],
        "6": ["decline", "accept", "accept"],
        "1": ["accept"],
    }
    table = seated({"deal_option": "3"}, {seat: said["wagers"] for seat, said in bettors().items()})
    play, offered = give(Play(table), BANKER_WINS), []
    while isinstance(play.request, Ask):
        offered.append((play.request.seat, play.request.moves[0].name))
        left = moves[play.request.seat]
        named = [move.name for move in play.request.moves]
        play.answer(left.pop(0) if left and left[0] in named else play.request.default)

    assert offered == [
        ("3", "turn"), ("5", "accept"), ("5", "turn"),
        # seat 5 gives up both hands; each goes round without 3 and 5
        ("6", "accept"), ("1", "accept"), ("6", "accept"),
        ("1", "turn"), ("6", "turn"),
    ]  # fmt: skip


@pytest.mark.cites("7.11(f)")
def test_the_right_is_lost_for_that_round_only() -> None:
    told = turning(
        hand(BANKER_WINS, seats=bettors({"5": ["accept"]}), **taken(1)),
        hand(BANKER_WINS, seats=bettors()),
    )

    assert handed(told, 0)[0] == f"{PLAYERS} to seat 5"
    assert handed(told, 1) == [f"{PLAYERS} to seat 3", f"{BANKERS} to seat 5"]


@pytest.mark.cites("7.11(e)", "7.11(f)")
def test_the_right_lost_in_a_round_that_became_void_may_be_offered_again_in_the_next() -> None:
    errors: dict[str, Any] = {"irregularities": [*taken(1)["irregularities"],
                                 {"before_draw": 3, "kind": "too_few_cards"}]}  # fmt: skip
    both = ["decline", "decline"]  # the cut, and then the right
    seats = bettors({"5": ["relinquish"], "6": both, "1": both, "3": ["accept"]})
    seats["3"]["wagers"] = {"player": 1000}

    told = turning(
        hand("6 7", seats=bettors({"5": ["accept"]}), **errors),
        hand(f"A 2 {BANKER_WINS}", seats=seats),
    )

    assert told.rounds[0]["void"]
    assert handed(told)[-1] == f"{BANKERS} to seat 3"


@pytest.mark.cites("7.11(f)")
@pytest.mark.parametrize("option", ["1", "2", "3"])
def test_nobody_can_lose_a_right_that_nobody_has(option: str) -> None:
    wagers = {"tie": 1000} if option == "3" else {"player": 1000, "banker": 1000}

    refusal = refused_round(hand(BANKER_WINS, wagers, (1, "turn_right_taken")), deal_option=option)

    says(refusal, Fault.NOT_NOW, "no player has the right to turn cards", "7.11(f)")


@pytest.mark.cites("7.11(f)")
def test_the_right_is_not_taken_from_one_player_for_what_another_did() -> None:
    refusal = refused_round(
        hand(BANKER_WINS, seats=bettors(), **taken(1, seat="6")), deal_option="3"
    )

    assert section(refusal) == "19:47-7.11"


@pytest.mark.cites("7.11(f)")
@pytest.mark.parametrize("text", [BANKER_WINS, BANKER_DRAWS, SIX_CARDS])
def test_when_every_card_has_been_turned_there_is_no_right_left_to_lose(text: str) -> None:
    at = len(text.split()) + 1

    refusal = refused_round(hand(text, seats=bettors(), **taken(at)), deal_option="3")

    assert refusal.fault is Fault.NOT_NOW
    assert section(refusal) == "19:47-7.11"


# Irregularities are data.


@pytest.mark.cites("7.11")
def test_the_irregularities_are_those_of_the_rule_each_with_its_paragraph() -> None:
    def cites(procedure: str) -> dict[str, str]:
        options = MINIBACCARAT.options({"error_disclosed_procedure": procedure})
        rules = MINIBACCARAT.resolutions(options).items()
        return {kind: str(rule.cite).removeprefix("19:47-") for kind, rule in rules}

    for procedure in "123":
        assert cites(procedure) == {
            "third_card_in_error": "7.11(a)",
            "third_card_in_error_disclosed": f"7.11(c){procedure}",
            "card_drawn_in_error": "7.11(b)",
            "card_drawn_in_error_disclosed": f"7.11(c){procedure}",
            "card_face_up": "7.11(d)",
            "too_few_cards": "7.11(e)",
            "improper_cut": "7.5(g)",
            "turn_right_taken": "7.11(f)",
        }


def test_what_is_no_irregularity_of_this_game_is_refused() -> None:
    refusal = refused_round(hand(TIES, {"tie": 1000}, (1, "no_spin")))

    assert refusal.fault is Fault.UNKNOWN_IRREGULARITY


# The results of a shoe.


@pytest.mark.cites("7.10(a)")
def test_the_results_of_a_shoe_feed_its_scoreboard_and_end_with_it() -> None:
    table = seated(None, {"1": {"tie": 1000}})
    for text in (BANKER_WINS, "Kd 6 Kd Kd Kd", TIES, "9 3 Kh Kh", "Kh 5 Kh Kh 4 2"):
        make(table, {"1": {"tie": 1000}})
        dealt_out(table, text)

    results = table.state.results
    assert [(mark.winner, mark.player_points, mark.banker_points, mark.cards, mark.natural)
            for mark in results] == [
        (Hand.BANKER, 6, 7, 4, False),
        (Hand.BANKER, 0, 6, 5, False),
        (Hand.TIE, 7, 7, 4, False),
        (Hand.PLAYER, 9, 3, 4, True),
        (Hand.BANKER, 4, 7, 6, False),
    ]  # fmt: skip
    assert draw(bead_plate(results)) == ["B", "B", "T", "P", "B", "."]
    assert draw(big_road(results)) == ["BPB", "b..", "...", "...", "...", "..."]
    assert (totals(results).banker, totals(results).tie, totals(results).naturals) == (3, 1, 1)

    table.state = MINIBACCARAT.due_for_shuffle(table.state)
    make(table, {"1": {"tie": 1000}})
    finish(give(to_first_card(table), f"A 2 {TIES}"))

    assert [mark.winner for mark in table.state.results] == [Hand.TIE]


# What always holds, whatever the options, the cards and the errors.


def yes_no() -> st.SearchStrategy[str]:
    return st.sampled_from(["yes", "no"])


LAWFUL_OPTIONS = st.fixed_dictionaries(
    {
        "banker_scheme": st.sampled_from(SCHEMES),
        "vig_without_total_cards": st.sampled_from(["4", "5"]),
        "vig_rounding": st.sampled_from(["up", "exact"]),
        "vig_timing": st.sampled_from(["at_payout", "deferred"]),
        "tie_odds": st.sampled_from(["8 to 1", "9 to 1", "17 to 2"]),
        "offer_total_cards": yes_no(),
        "offer_bonus": yes_no(),
        "bonus_paytable": st.sampled_from("ABC"),
        "bonus_requires_main_bet": yes_no(),
        "deal_option": st.sampled_from("123"),
        "banker_first_on_request": yes_no(),
        "batch_shuffler": yes_no(),
        "continuous_shuffler": yes_no(),
        "decks": st.sampled_from([6, 8, 12, 14]),
        "shuffle_finish": st.sampled_from(["lace", "lace_reshuffle", "feather"]),
        "recut_by": st.sampled_from(["last_cutter", "next_person"]),
        "cut_card_from_back": st.integers(14, 200),
        "error_disclosed_procedure": st.sampled_from("123"),
        "error_ten_value_extra": st.sampled_from(["1", "10"]),
        "settlement_sequence": st.sampled_from("1234"),
    }
).filter(lambda options: not MINIBACCARAT.check(options))


class Evening:
    """A table with random options, players who bet anything, and errors now and then."""

    def __init__(self, options: Mapping[str, Any], seed: int) -> None:
        self.luck = SeededStream(seed)
        self.table = Table(MINIBACCARAT, options)

    def pick(self, found: Any) -> Any:
        return found[self.luck.below(len(found))]

    def bet(self) -> None:
        table = self.table
        table.open_betting()
        for seat in "136":
            for _ in range(self.luck.below(4)):
                opening = self.pick(list(table.openings(seat)))
                amount = opening.low + opening.step * self.luck.below(40)
                table.bet(seat, opening.wager.label(opening.spot), amount)

    def rounds(self, number: int) -> Iterator[Play]:
        for _ in range(number):
            self.bet()
            play = Play(self.table)
            while play.request is not None:
                play.answer(self.answer(play.request))
                self.holds()
            if self.luck.below(6) == 0:
                self.table.leave(self.pick("136"), pays=bool(self.luck.below(2)))
            yield play

    def answer(self, request: Any) -> Any:
        if isinstance(request, Ask):
            move = self.pick(request.moves)
            return {move.name: self.pick(range(move.low, move.high))} if move.high else move.name
        if self.luck.below(20) == 0:
            kinds = [kind for kind in request.irregularities if kind not in request.barred]
            return {"irregularity": self.pick(kinds)}
        if isinstance(request, Draw):
            return request.device.say(request.device.draw(self.luck))
        return None

    def holds(self) -> None:
        table = self.table
        assert sum(table.money.values()) == 0
        assert table.money[LAYOUT] == sum(bet.stake for bet in table.bets.values())
        assert all(table.owed(seat) >= 0 for seat in table.positions)
        assert len(table.equipment.everywhere) == len(table.equipment.composition)


@pytest.mark.cites("7.3(c)", "7.3(d)", "7.3(f)")
@settings(max_examples=25)
@given(options=LAWFUL_OPTIONS, seed=st.integers(0, 10**9))
def test_money_is_conserved_with_the_vigorish_that_is_owed(
    options: dict[str, Any], seed: int
) -> None:
    evening = Evening(options, seed)
    table = evening.table
    worth = Counter[str]()
    for _ in evening.rounds(24):
        for settled in table.settlements:
            worth[settled.bet.seat] += settled.net
            assert settled.bet.wager.id == "banker" or not settled.vigorish
        for event in table.events:
            if event.kind == "complimentary_vigorish":  # the house bears it
                worth[event.data["seat"]] += event.data["amount"]
        assert not table.bets
        assert all(table.worth(seat) == worth[seat] for seat in table.positions)
        assert sum(worth.values()) == -table.money[HOUSE]


@pytest.mark.cites("7.1(a)", "7.10(d)", "7.11")
@settings(max_examples=25)
@given(options=LAWFUL_OPTIONS, seed=st.integers(0, 10**9))
def test_the_shoe_is_always_the_composition_and_only_waiting_cards_stay_out_of_the_rack(
    options: dict[str, Any], seed: int
) -> None:
    evening = Evening(options, seed)
    table = evening.table
    whole = Counter(table.equipment.composition)
    for _ in evening.rounds(24):
        assert Counter(table.equipment.everywhere) == whole
        assert Counter(table.equipment.on_layout) == Counter(table.hands[SET_ASIDE])


def dealt_to(table: Table, hand: str) -> list[str]:
    """The cards of a hand, as they were turned before everybody's eyes."""
    found: list[str] = []
    for event in table.events:
        told = event.data
        if event.kind == "reveal" and told["hand"] == hand:
            found += told["cards"]
        elif event.kind in ("draw", "set_aside") and told["to"] == hand:
            found += [told["outcome"]] if "outcome" in told else []
    return found


@pytest.mark.cites("7.7", "7.8", "7.9", "7.10(a)")
@settings(max_examples=25)
@given(options=LAWFUL_OPTIONS, seed=st.integers(0, 10**9))
def test_the_results_in_the_state_are_what_was_dealt_and_it_was_dealt_by_the_rules(
    options: dict[str, Any], seed: int
) -> None:
    evening = Evening(options, seed)
    table = evening.table
    for _ in evening.rounds(24):
        if table.is_void:
            continue
        player, banker = (
            [VALUES[card[0]] for card in dealt_to(table, hand)] for hand in (PLAYER, BANKER)
        )
        expected = by_the_rules(
            sum(player[:2]) % 10, sum(banker[:2]) % 10, sum(player[2:]), sum(banker[2:])
        )
        assert (len(player), len(banker)) == (expected.player_cards, expected.banker_cards)
        mark = table.state.results[-1]
        assert (mark.player_points, mark.banker_points) == (expected.player, expected.banker)
        assert mark.winner.value == expected.winner
        assert mark.cards == len(player) + len(banker)
        assert mark.natural == (expected.player_natural or expected.banker_natural)


@settings(max_examples=25)
@given(options=LAWFUL_OPTIONS, seed=st.integers(0, 10**9))
def test_a_view_never_shows_a_card_that_lies_face_down(options: dict[str, Any], seed: int) -> None:
    evening = Evening(options, seed)
    table = evening.table
    for _ in evening.rounds(3):
        public = [event for event in table.view()["events"] if event["kind"] != "reveal"]
        assert not [event for event in public if event.get("face_down") and "outcome" in event]
        for seat in table.positions:
            looks = [e for e in table.view(seat)["events"] if e["kind"] == "look"]
            assert all(look["seat"] == seat for look in looks)


# What the wagers are worth.


@pytest.mark.cites("7.3")
@pytest.mark.parametrize(
    ("label", "published"),
    [("banker", "1.0579"), ("player", "1.2351"), ("tie", "14.3596"), ("bonus_player", "2.6517")],
)
def test_the_house_edges_are_the_published_ones(label: str, published: str) -> None:
    (found,) = analyze(MINIBACCARAT, MINIBACCARAT.options(OFFER_ALL), [label])

    assert f"{float(found.house_edge):.4%}" == f"{published}%"
