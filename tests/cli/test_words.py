"""Bets in words: what people say, and which wager the table hears."""

import contextlib
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.cli.words import (
    Unfinished,
    by_odds,
    examples,
    families,
    family_title,
    later,
    menu,
    question,
    read_bet,
    read_bets,
    read_lying,
    read_move,
    read_wager,
    standing,
    told,
)
from croupier.equipment import dollars
from croupier.games import find_game, registry
from croupier.rulebook import (
    Ask,
    Event,
    Fault,
    Move,
    Opening,
    Refusal,
    Table,
    by_chance,
    law,
    play_round,
)

GAMES = list(registry())


class Fixed:
    """Chance that always gives the same outcome."""

    def __init__(self, value: int) -> None:
        self.value = value

    def below(self, n: int) -> int:
        return self.value % n


def a_table(game: str, *bets: str, options: dict[str, Any] | None = None) -> Table:
    """A table with $10 on each of these wagers."""
    table = Table(find_game(game), options)
    for label in bets:
        table.bet("1", label, 1000)
    return table


def craps_with_point(six: int = 4) -> Table:
    """Craps after a pass wager and a throw of 1-5, with a come wager that 1-3 sent to the 4."""
    table = a_table("craps", "pass")
    play_round(table, by_chance(Fixed(six)))
    table.open_betting()
    table.bet("1", "come", 1000)
    play_round(table, by_chance(Fixed(2)))
    table.open_betting()
    return table


SAID = [
    # roulette: names, other names, spots in any order, bare spots
    ("roulette", "10 on 17", "straight:17", 1000),
    ("roulette", "$5 on red", "red", 500),
    ("roulette", "25 on 17-20", "split:17-20", 2500),
    ("roulette", "25 on 20-17", "split:17-20", 2500),
    ("roulette", "10 on straight 17", "straight:17", 1000),
    ("roulette", "10 on straight up 17", "straight:17", 1000),
    ("roulette", "10 straight 17", "straight:17", 1000),
    ("roulette", "10 on straight:17", "straight:17", 1000),
    ("roulette", "10 on STRAIGHT:17", "straight:17", 1000),
    ("roulette", "10 on 0", "straight:0", 1000),
    ("roulette", "10 on 00", "straight:00", 1000),
    ("roulette", "10 on split 17 20", "split:17-20", 1000),
    ("roulette", "10 on split 17, 20", "split:17-20", 1000),
    ("roulette", "10 on street 1-2-3", "three_numbers:1-2-3", 1000),
    ("roulette", "10 on 1-2-3", "three_numbers:1-2-3", 1000),
    ("roulette", "10 on corner 1-2-4-5", "four_numbers:1-2-4-5", 1000),
    ("roulette", "10 on first dozen", "dozen:1", 1000),
    ("roulette", "10 on 3rd column", "column:3", 1000),
    ("roulette", "10 on dozen 2", "dozen:2", 1000),
    ("roulette", "10 on first five numbers", "first_five_numbers", 1000),
    ("roulette", "10 on basket", "first_five_numbers", 1000),
    ("roulette", "10 on 1 to 18", "low_1_18", 1000),
    ("roulette", "10 on 1-18", "low_1_18", 1000),
    ("roulette", "10 on low", "low_1_18", 1000),
    ("roulette", "10 on 19-36", "high_19_36", 1000),
    ("roulette", "12.50 on odd", "odd", 1250),
    ("roulette", "1,000 on even", "even", 100_000),
    ("roulette", "bet 5 on red", "red", 500),
    ("roulette", "put 5 dollars on red", "red", 500),
    ("roulette", "5 dollars on red", "red", 500),
    ("roulette", "5 red", "red", 500),
    ("roulette", "5   ON   Red", "red", 500),
    ("roulette", "5 on [red]", "red", 500),
    # craps
    ("craps", "5 on pass", "pass", 500),
    ("craps", "5 on the pass line", "pass", 500),
    ("craps", "5 on don't pass", "dont_pass", 500),
    ("craps", "5 on dont", "dont_pass", 500),
    ("craps", "6 place 6", "place_win_6", 600),
    ("craps", "12 on place 6", "place_win_6", 1200),
    ("craps", "12 on place to win 6", "place_win_6", 1200),
    ("craps", "12 on place_win_6", "place_win_6", 1200),
    ("craps", "12 on win 6", "place_win_6", 1200),
    ("craps", "5 on hard 8", "hard_8", 500),
    ("craps", "5 on hardway 8", "hard_8", 500),
    ("craps", "5 on yo", "eleven", 500),
    ("craps", "5 on c and e", "craps_eleven", 500),
    ("craps", "5 on c&e", "craps_eleven", 500),
    ("craps", "5 on craps-eleven (C and E)", "craps_eleven", 500),
    ("craps", "5 on horn", "horn", 500),
    ("craps", "5 on horn high 12", "horn_high_12", 500),
    ("craps", "5 on horn high twelve", "horn_high_12", 500),
    ("craps", "5 on come odds 6", "come_odds:6", 500),
    ("craps", "5 on odds on come 6", "come_odds:6", 500),
    ("craps", "5 odds on pass", "pass_odds", 500),
    ("mini-craps", "5 on big red", "any_seven", 500),
    # big six: an amount on an amount
    ("big-six", "20 on joker", "joker", 2000),
    ("big-six", "5 on $20", "twenty", 500),
    ("big-six", "5 on 20", "twenty", 500),
    ("big-six", "5 on twenty", "twenty", 500),
    # sic bo: wagers with "and" in their names
    ("sic-bo", "5 on one of a kind 3", "one_of_a_kind_3", 500),
    ("sic-bo", "5 on 1 and 2", "two_dice_combination_12", 500),
    ("sic-bo", "5 on 1-2", "two_dice_combination_12", 500),
    ("sic-bo", "5 on combination 1 2", "two_dice_combination_12", 500),
    ("sic-bo", "5 on triple 4", "three_of_a_kind_4", 500),
    ("sic-bo", "5 on three 4s", "three_of_a_kind_4", 500),
    ("sic-bo", "5 on three of a kind 4", "three_of_a_kind_4", 500),
    ("sic-bo", "5 on any triple", "any_three_of_a_kind", 500),
    ("sic-bo", "5 on total 11", "total_11", 500),
    # pokette: wagers with commas in their names, cards in either case
    ("pokette", "10 on single card Ks", "single_card:Ks", 1000),
    ("pokette", "10 on Ks", "single_card:Ks", 1000),
    ("pokette", "10 on ks", "single_card:Ks", 1000),
    ("pokette", "10 on Ks-Kh", "split:Ks-Kh", 1000),
    ("pokette", "10 on K", "single_rank:K", 1000),
    ("pokette", "10 on K-Q", "double_rank:K-Q", 1000),
    ("pokette", "10 on suit s", "suit:s", 1000),
    ("pokette", "10 on Ace, king or queen", "rank_akq", 1000),
    ("pokette", "10 on akq", "rank_akq", 1000),
    # mini-dice
    ("mini-dice", "6 on place 6", "place_6", 600),
    ("mini-dice", "6 on 6", "place_6", 600),
    ("mini-dice", "5 on over", "over_7", 500),
    ("mini-dice", "5 on any seven", "any_7", 500),
    # keno: spots that are written out
    ("keno", "5 on straight_4:1-2-3-4", "straight_4:1-2-3-4", 500),
    ("keno", "5 on straight 4 1-2-3-4", "straight_4:1-2-3-4", 500),
    ("keno", "5 on Straight, 4 spots 1-2-3-4", "straight_4:1-2-3-4", 500),
    ("keno", "5 on straight 7-21-30-66", "straight_4:7-21-30-66", 500),
    ("keno", "5 on 7-21-30-66", "straight_4:7-21-30-66", 500),
    ("keno", "5 on 7 21 30 66", "straight_4:7-21-30-66", 500),
    ("keno", "5 on 7", "straight_1:7", 500),
    ("keno", "3 on way 1-2-3/4-5-6/7-8-9@6", "way:1-2-3/4-5-6/7-8-9@6", 300),
    ("keno", "3 on 3*straight_4:1-2-3-4", "multi_race:3*straight_4:1-2-3-4", 300),
    # the games of the shoe
    ("baccarat-punto-banco", "10 on banker", "banker", 1000),
    ("baccarat-punto-banco", "10 on banco", "banker", 1000),
    ("baccarat-punto-banco", "10 on the player's hand", "player", 1000),
    ("minibaccarat", "10 on punto", "player", 1000),
    ("minibaccarat", "10 on tie", "tie", 1000),
    ("baccarat-chemin-de-fer", "10 on bank", "bank", 1000),
    ("casino-war", "10 on ante", "initial", 1000),
    ("casino-war", "10 on tie bet", "tie", 1000),
    ("red-dog", "10 on red dog", "original", 1000),
    ("red-dog", "bet 10 on ante", "original", 1000),
    # poker
    ("three-card-poker", "10 on ante", "ante", 1000),
    ("three-card-poker", "5 on pair plus", "pair_plus", 500),
    ("let-it-ride-poker", "5 on base 1", "base_1", 500),
    ("ultimate-texas-hold-em", "bet 10 on ante", "ante", 1000),
    ("ultimate-texas-hold-em", "5 on trips", "trips", 500),
    ("premium-hold-em", "5 on player bonus", "player_bonus", 500),
]


@pytest.mark.parametrize(("game", "text", "label", "amount"), SAID)
def test_a_bet_is_understood_as_it_is_said(game: str, text: str, label: str, amount: int) -> None:
    assert read_bet(a_table(game), text) == (label, amount)


def test_odds_without_a_number_mean_those_of_the_only_come_wager() -> None:
    table = craps_with_point()
    assert read_wager(table, "come odds") == "come_odds:4"
    assert read_wager(table, "odds on come") == "come_odds:4"
    assert read_wager(table, "come_odds") == "come_odds:4"


def test_a_word_that_only_one_open_wager_has_means_that_one() -> None:
    """With a point on, the odds on pass are the only ones that can be made on a pass wager."""
    table = a_table("craps", "pass")
    play_round(table, by_chance(Fixed(4)))
    table.open_betting()
    assert read_wager(table, "odds") == "pass_odds"


SEVERAL = [
    ("roulette", "10 on 17, 5 on red", ["straight:17", "red"]),
    ("roulette", "10 on 17 and 5 on red", ["straight:17", "red"]),
    ("roulette", "10 on 17,5 on red", ["straight:17", "red"]),
    ("roulette", "1,000 on 17, 1,000 on red", ["straight:17", "red"]),
    ("roulette", "10 17, 5 red AND 5 odd", ["straight:17", "red", "odd"]),
    ("roulette", "10 on split 17, 20, 5 on red", ["split:17-20", "red"]),
    ("craps", "6 place 6, 6 place 8", ["place_win_6", "place_win_8"]),
    ("craps", "5 on c and e and 5 on yo", ["craps_eleven", "eleven"]),
    ("sic-bo", "5 on 1 and 2 and 5 on big", ["two_dice_combination_12", "big"]),
    ("sic-bo", "5 on 1 and 2, 5 on 2 and 3 and 5 on total 4",
     ["two_dice_combination_12", "two_dice_combination_23", "total_4"]),
    ("pokette", "10 on ace, king or queen, 10 on red", ["rank_akq", "red"]),
    ("keno", "5 on straight, 2 spots 1-2, 5 on 3-4", ["straight_2:1-2", "straight_2:3-4"]),
]  # fmt: skip


@pytest.mark.parametrize(("game", "text", "labels"), SEVERAL)
def test_several_bets_in_one_line(game: str, text: str, labels: list[str]) -> None:
    assert [label for label, _ in read_bets(a_table(game), text)] == labels


UNCLEAR = [
    ("roulette", "", "how much, and on what"),
    ("roulette", "on", "how much, and on what"),
    ("roulette", "on red", "how much on red"),
    ("roulette", "red", "how much on red"),
    ("roulette", "5", "$5 on what"),
    ("roulette", "bet", "how much, and on what"),
    ("roulette", "bet 20", "$20 on what"),
    ("roulette", "wager $20", "$20 on what"),
    ("craps", "place 6", "how much on place 6"),
    ("roulette", "5 on", "$5 on what"),
    ("roulette", "0 on red", "more than nothing"),
    ("roulette", "-5 on red", "not an amount of money"),
    ("roulette", "1e9 on red", "not an amount of money"),
    ("roulette", "5.005 on red", "not an amount of money"),
    ("roulette", "0x10 on red", "not an amount of money"),
    ("roulette", "NaN on red", "neither a bet nor a command"),
    ("roulette", "hello there", "neither a bet nor a command"),
    ("roulette", "9" * 30 + " on red", "that many digits"),
    ("roulette", "10 on rde", "is it red"),
    ("roulette", "10 on blakc", "is it black"),
    ("roulette", "10 on 37", "there is no wager '37'"),
    ("roulette", "10 on 😀", "there is no wager '😀'"),
    ("roulette", "10 on ---", "there is no wager '---'"),
    ("craps", "10 on pss", "is it pass"),
    ("craps", "10 on red", "is it big red"),
    ("craps", "10 on craps", "Any craps, Craps two, Craps three, Craps twelve or Craps-eleven"),
    ("craps", "10 on 6", "Place to win 6, Place to lose 6, Buy 6, Lay 6 or Hard 6: say which"),
    ("sic-bo", "10 on 3", "or others: say which"),
]


@pytest.mark.parametrize(("game", "text", "says"), UNCLEAR)
def test_what_is_unclear_gets_one_helpful_sentence(game: str, text: str, says: str) -> None:
    with pytest.raises(ValueError) as unclear:
        read_bet(a_table(game), text)
    assert says in str(unclear.value)
    assert "\n" not in str(unclear.value)


REFUSED = [
    ("roulette", "10 on straight", Fault.UNKNOWN_SPOT, "straight needs a spot, such as straight:0"),
    ("roulette", "10 on straight 37", Fault.UNKNOWN_SPOT, "has no spot '37'"),
    ("roulette", "10 on straight:37", Fault.UNKNOWN_SPOT, "has no spot '37'"),
    ("roulette", "10 on 17 red", Fault.UNKNOWN_SPOT, "takes no choice of spot"),
    ("roulette", "10 on seven numbers", Fault.NOT_OFFERED, "not offered"),
    ("craps", "5 on fire", Fault.NOT_OFFERED, "not offered"),
    ("craps", "5 on come odds", Fault.NO_SUPPORT, "needs a come wager that has a point"),
    ("keno", "5 on straight_4:1-2", Fault.UNKNOWN_SPOT, "2 numbers are marked and 4 are played"),
    ("keno", "5 on straight 4", Fault.UNKNOWN_SPOT, "is not a list of numbers"),
    ("keno", "5 on way 1-2-3", Fault.UNKNOWN_SPOT, "how many spots a way has"),
]


@pytest.mark.parametrize(("game", "text", "fault", "says"), REFUSED)
def test_a_wager_the_table_does_not_have_is_refused_by_its_rule(
    game: str, text: str, fault: Fault, says: str
) -> None:
    with pytest.raises(Refusal) as caught:
        read_bet(a_table(game), text)
    assert caught.value.fault is fault
    assert says in caught.value.message
    assert caught.value.cite


def test_an_offered_color_does_not_take_the_place_of_red() -> None:
    """5.1(g): a table with color wagers has no red; saying red does not bet on a section."""
    table = a_table("roulette", options={"color_wagers": "six_numbers_color"})
    with pytest.raises(Refusal, match="not offered"):
        read_bet(table, "5 on red")
    assert read_bet(table, "5 on six numbers color red") == ("six_numbers_color:red", 500)
    assert read_bet(table, "5 on blue") == ("six_numbers_color:blue", 500)


def everything_open(game: str) -> list[tuple[Table, Opening]]:
    """What can be bet at the start and, where something lasts, after a round or two."""
    tables = [a_table(game)]
    if game in ("craps", "mini-craps"):
        tables.append(craps_with_point())
        fire = a_table(game, options={"fire_bet_offered": True})
        tables.append(fire)
    if game == "roulette":
        tables.append(
            a_table(game, options={"wheel": "single_zero", "seven_numbers_offered": True})
        )
        tables.append(
            a_table(game, options={"color_wagers": "six_numbers_color,eight_numbers_color"})
        )
        tables.append(a_table(game, options={"five_adjacent_offered": True}))
    if game == "pokette":
        for first, second in ((1, 2), (1, 1), (1, 3), (1, 16)):
            table = a_table(game)
            for value in (first, second):
                play_round(table, by_chance(Fixed(value)))
                table.open_betting()
            tables.append(table)
    return [(table, opening) for table in tables for opening in table.openings("1")]


@pytest.mark.parametrize("game", GAMES)
def test_every_wager_can_be_bet_by_its_label_and_by_its_title(game: str) -> None:
    for table, opening in everything_open(game):
        label = opening.wager.label(opening.spot)
        lies = any(bet.label == label for bet in table.bets_of("1"))
        if lies and opening.spot and not opening.wager.dealt and game != "keno":
            continue  # it has traveled there: nobody bets on a come point
        amount = dollars(opening.low)
        wanted = (label, opening.low)
        assert read_bet(table, f"{amount} on {label}") == wanted
        assert read_bet(table, f"{amount} on {opening.wager.titled(opening.spot)}") == wanted
        assert read_bets(table, f"{amount} {opening.wager.titled(opening.spot)}") == [wanted]


@pytest.mark.parametrize("game", GAMES)
def test_the_examples_of_a_table_can_be_bet(game: str) -> None:
    table = a_table(game)
    for example in examples(table):
        label, amount = read_bet(table, example)
        assert table.refusal("1", label, amount) is None, example


@pytest.mark.parametrize("game", GAMES)
def test_the_menu_names_every_wager_that_is_open(game: str) -> None:
    table = a_table(game)
    groups = families(opening.wager for opening in table.openings("1"))
    rows = list(menu(table))
    assert [names.startswith(family_title(g)) for g, (names, *_) in zip(groups, rows, strict=True)]
    for _, odds, amounts in [*rows, *by_odds(table)]:
        assert " to " in odds
        assert " to $" in amounts


def test_the_menu_of_craps_has_one_row_for_a_family() -> None:
    rows = {names: odds for names, odds, _ in menu(a_table("craps"))}
    place = rows["Place to win 4, 5, 6, 8, 9, 10"]
    assert place == "9 to 5 on 4, 10; 7 to 5 on 5, 9; 7 to 6 on 6, 8"
    assert rows["Field "] == "1 to 1 on field; 2 to 1 on two, twelve"
    odds = {names: odds for names, odds, _ in menu(craps_with_point())}
    assert odds["Odds on pass "] == "6 to 5"
    assert odds["Odds on come 4"] == "2 to 1"


def test_a_bet_on_the_layout_is_found_by_any_of_its_names() -> None:
    table = a_table("roulette", "straight:17", "straight:7", "split:17-20")
    bets = table.bets_of("1")

    def found(text: str) -> list[str]:
        return [bet.label for bet in read_lying(bets, text)]

    assert found("17") == ["straight:17"]
    assert found("straight:17") == ["straight:17"]
    assert found("Straight 17") == ["straight:17"]
    assert found("17-20") == ["split:17-20"]
    assert found("split") == ["split:17-20"]
    assert found("straight") == ["straight:17", "straight:7"]
    assert found("red") == []


def test_a_move_is_read_with_its_amount() -> None:
    ask = Ask("1", "raise?", (Move("fold"), Move("raise_it", 500, 2000, 500)), "fold", law("1.1"))
    assert read_move(ask, "Fold") == "fold"
    assert read_move(ask, "raise it 15") == {"raise_it": 1500}
    assert read_move(ask, "raise_it $15") == {"raise_it": 1500}
    assert read_move(ask, "15") == {"raise_it": 1500}
    with pytest.raises(ValueError, match=r"say fold or raise it \$5 to \$20 in steps of \$5"):
        read_move(ask, "hit")
    with pytest.raises(ValueError, match="fold takes no amount"):
        read_move(ask, "fold 5")
    plain = Ask("1", "keep?", (Move("keep"), Move("pass_dice")), "keep", law("1.1"))
    assert read_move(plain, "pass dice") == "pass_dice"
    with pytest.raises(ValueError, match="say keep or pass dice"):
        read_move(plain, "15")


def test_a_move_is_measured_in_cards_where_it_is() -> None:
    moves = (Move("decline"), Move("cut", 10, 406, unit="cards"))
    ask = Ask("1", "will you cut the cards?", moves, "decline", law("7.5(d)"), offer=True)
    wanted = "Will you cut the cards?", "[decline] / cut 10 to 406 / always"
    assert question(ask) == wanted
    for said in ("cut 50", "CUT 50 cards", "cut 50cards", "50", "50 cards"):
        assert read_move(ask, said) == {"cut": 50}, said


UNFINISHED = [
    ("cut", "cut how much? Say cut 10 to 406"),
    ("cut 9", "cut 9 is not possible: say cut 10 to 406 [19:47-7.5(d)]"),
    ("cut 407", "cut 407 is not possible"),
    ("cut 50.5", "'50.5' is not a number of cards"),
    ("cut ٣٣", "is not a number of cards"),
    ("cut " + "9" * 40, "is not a number of cards"),
    ("raise", "raise how much? Say raise $5 to $20"),
    ("raise 30", "raise $30 is not possible: say raise $5 to $20 [19:47-7.5(d)]"),
    ("raise x", "'x' is not an amount of money"),
]


@pytest.mark.parametrize(("said", "why"), UNFINISHED)
def test_a_move_with_a_bad_amount_is_not_taken_for_something_else(said: str, why: str) -> None:
    moves = (Move("pass"), Move("cut", 10, 406, unit="cards"), Move("raise", 500, 2000))
    with pytest.raises(Unfinished) as caught:
        read_move(Ask("1", "what now?", moves, "pass", law("7.5(d)"), offer=True), said)
    assert why in str(caught.value)


def test_a_move_says_what_it_costs() -> None:
    moves = (Move("check"), Move("bet", costs=2000))
    ask = Ask("1", "check or bet?", moves, "check", law("20.10"))
    assert question(ask) == ("Check or bet?", "[check] / bet $20")
    for said in ("bet", "bet 20", "BET $20"):
        assert read_move(ask, said) == "bet", said
    with pytest.raises(Unfinished, match=r"bet is \$20 here: say bet \[19:47-20.10\]"):
        read_move(ask, "bet 10")
    with pytest.raises(Unfinished, match="'x' is not an amount of money"):
        read_move(ask, "bet x")
    with pytest.raises(ValueError, match=r"say check or bet \$20"):
        read_move(ask, "20")


def test_a_few_amounts_are_named_one_by_one() -> None:
    def said(move: Move) -> str:
        return question(Ask("1", "?", (Move("fold"), move), "fold", law("20.10")))[1]

    assert said(Move("bet", 3000, 4000, 1000)) == "[fold] / bet $30 or $40"
    assert said(Move("play", 1000, 3000, 1000)) == "[fold] / play $10, $20 or $30"
    assert said(Move("bet", 1000, 4000, 1000)) == "[fold] / bet $10 to $40 in steps of $10"
    assert said(Move("bet", 1000, 1000)) == "[fold] / bet $10"
    assert said(Move("bet", 500, 2000)) == "[fold] / bet $5 to $20"


def test_a_number_that_tells_no_moves_apart_may_be_left_out() -> None:
    moves = (Move("withdraw_1"), Move("let_ride_1"))
    ask = Ask("1", "let it ride?", moves, "withdraw_1", law("18.10"))
    about = {"withdraw_1": "$10 of Base 1"}
    assert question(ask, about)[1] == "[withdraw ($10 of Base 1)] / let ride"
    for said in ("withdraw", "withdraw 1", "withdraw_1"):
        assert read_move(ask, said) == "withdraw_1", said
    for said in ("let it ride", "let ride", "Let it ride 1", "let_ride_1"):
        assert read_move(ask, said) == "let_ride_1", said
    with pytest.raises(ValueError, match="withdraw takes no amount: say withdraw"):
        read_move(ask, "withdraw 2")
    both = Ask("1", "which?", (Move("take_1"), Move("take_2")), "take_1", law("18.10"))
    assert question(both)[1] == "[take 1] / take 2"
    assert read_move(both, "take 2") == "take_2"
    with pytest.raises(ValueError, match="say take 1 or take 2"):
        read_move(both, "take")


def test_a_move_of_one_amount_needs_none() -> None:
    ask = Ask("1", "raise?", (Move("call"), Move("raise", 1000, 1000)), "call", law("6.5"))
    assert question(ask) == ("Raise?", "[call] / raise $10")
    assert read_move(ask, "raise") == {"raise": 1000}


def test_a_wager_of_one_amount_needs_none() -> None:
    """Banco is for the whole bank; a punt may be for a part of it."""
    table = a_table("baccarat-chemin-de-fer")
    table.bet("2", "bank", 5000)
    assert read_bet(table, "banco") == ("banco", 5000)
    assert read_bets(table, "Banco") == [("banco", 5000)]
    with pytest.raises(ValueError, match="how much on punt"):
        read_bet(table, "punt")
    rows = [("Punt ", "1 to 1", "$10 to $50"), ("Banco ", "1 to 1", "$50")]
    assert list(menu(table)) == rows


# What happens, in words.

TOLD = [  # to the player, who has seat 1
    ("announce", {"text": "No more bets"}, '"No more bets"'),
    ("announce", {"text": "Seat 1 has a flush, ace high"}, '"You have a flush, ace high"'),
    ("announce", {"text": "Position 6: $250 for seat 1"}, '"Position 6: $250 for you"'),
    ("announce", {"text": "Seat 4 has a flush"}, '"Seat 4 has a flush"'),
    ("step", {"text": "Seat 1 is the curator"}, "You are the curator."),
    ("step", {"text": "Seat 1 has two dice"}, "You have two dice."),
    ("step", {"text": "Seat 1 takes two dice"}, "You take two dice."),
    ("step", {"text": "The cards go to seat 1"}, "The cards go to you."),
    ("step", {"text": "The cards go to seat 12"}, "The cards go to seat 12."),
    ("spin", {"outcome": "17"}, "Spin: 17"),
    ("throw", {"outcome": [3, 4]}, "Throw: 3-4"),
    ("draw", {"outcome": "Kh", "to": "player"}, "Player: Kh"),
    ("draw", {"face_down": True, "to": "dealer"}, "Dealer: face down"),
    ("set_aside", {"outcome": "Kh", "to": "player"}, "Player: Kh, which was set aside."),
    ("set_aside", {"face_down": True, "to": "player"}, "Player: face down, which was set aside."),
    ("look", {"outcome": "Kh", "to": "1"}, "You: Kh"),
    ("reveal", {"hand": "banker", "cards": ["Kh", "2c"]}, "Banker: Kh 2c"),
    ("decision", {"seat": "3", "question": "draw or stand?", "move": "draw"},
     "Seat 3, draw or stand? Draw."),
    ("decision", {"seat": "1", "question": "call or raise?", "move": "raise", "amount": 500},
     "You, call or raise? Raise $5."),
    ("decision", {"seat": "2", "question": "will you cut the cards?", "move": "cut",
                  "cards": 50}, "Seat 2, will you cut the cards? Cut at card 50."),
    ("irregularity", {"what": "a card is found face up", "resolution": "It is discarded"},
     "A card is found face up: It is discarded."),
    ("wager", {"seat": "1", "wager": "banker", "stake": 1000}, "$10 on Banker."),
    ("reduce", {"seat": "3", "wager": "banker", "stake": 500}, "$5 on Banker of seat 3."),
    ("take_down", {"seat": "1", "wager": "tie", "stake": 0}, "Tie is taken down."),
    ("collect", {"seat": "1", "wager": "banker", "amount": 1000}, "The dealer takes $10: Banker."),
    ("collect", {"seat": "1", "wager": "banker", "amount": 500, "returned": 500},
     "The dealer takes $5 and returns $5: Banker."),
    ("pay", {"seat": "1", "wager": "tie", "amount": 8000, "odds": "8 to 1"},
     "The dealer pays $80: Tie, 8 to 1."),
    ("pay", {"seat": "4", "wager": "tie", "amount": 8000}, "The dealer pays $80: Tie of seat 4."),
    ("return", {"seat": "1", "wager": "banker", "amount": 0}, "The dealer returns Banker."),
    ("refund", {"seat": "1", "wager": "banker", "amount": 300}, "The dealer returns $3 of Banker."),
    ("vigorish", {"seat": "1", "wager": "banker", "amount": 50, "how": "taken"},
     "The dealer takes vigorish of $0.50: Banker."),
    ("vigorish", {"seat": "1", "wager": "banker", "amount": 50, "how": "marked"},
     "The dealer marks vigorish of $0.50: Banker."),
    ("vigorish", {"seat": "1", "amount": 150, "how": "collected"},
     "The dealer collects the vigorish that you owe: $1.50."),
    ("vigorish", {"seat": "3", "amount": 150, "how": "collected"},
     "The dealer collects the vigorish that seat 3 owes: $1.50."),
    ("complimentary_vigorish", {"seat": "1", "amount": 150, "form": 2},
     "Vigorish of $1.50 is not collected, and documented on complimentary vigorish form 2."),
    ("score", {"seat": "1", "wager": "tie", "to": "4-6"}, "Tie has 4, 6."),
    ("travel", {"seat": "1", "wager": "tie", "to": "banker"}, "Tie moves to Banker."),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "data", "text"), TOLD)
def test_an_event_is_told_as_a_dealer_would_say_it(
    kind: str, data: dict[str, Any], text: str
) -> None:
    assert told(find_game("minibaccarat"), Event(kind, data))[0] == text


@pytest.mark.parametrize("game", GAMES)
def test_whatever_happens_can_be_told(game: str) -> None:
    table = Table(find_game(game))
    for value in range(12):
        table.open_betting()
        for opening in list(table.openings("1"))[:3]:
            label = opening.wager.label(opening.spot)
            if table.refusal("1", label, opening.low) is None:
                table.bet("1", label, opening.low)
        table.game.accompany(table, "1")
        play_round(table, by_chance(Fixed(7 * value)))
        for event in table.events:
            assert told(table.game, event)[0], event


def test_what_stands_at_a_shoe_is_told_without_housekeeping() -> None:
    table = a_table("baccarat-punto-banco")
    assert list(standing(table)) == []
    table.state = replace(table.state, opened=True, shuffle_due=False, curator="1", batch=2)
    assert list(standing(table)) == ["curator: you"]
    table.state = replace(table.state, curator="4", last_hand=True)
    assert list(standing(table)) == ["curator: seat 4", "last hand of this shoe"]
    table.state = replace(table.state, curator=None, last_hand=False, shuffle_due=True)
    assert list(standing(table)) == ["the cards are shuffled next"]


@pytest.mark.cites("7.3(c)", "7.3(d)", "7.3(f)")
def test_the_menu_says_what_the_house_takes() -> None:
    def banker(**options: Any) -> str:
        rows = menu(a_table("minibaccarat", options=options))
        return next(odds for names, odds, _ in rows if names == "Banker ")

    assert banker() == "1 to 1, less 5% vigorish"
    assert banker(banker_scheme="win_vig_4") == "1 to 1, less 4% vigorish"
    assert banker(banker_scheme="tie_vig_25") == "1 to 1; 25% vigorish on a tie"
    assert banker(banker_scheme="no_vig_six_half") == "1 to 1 on win; 1 to 2 on six"
    waived = {"banker_scheme": "no_vig_with_total_cards", "offer_total_cards": "yes"}
    assert banker(**waived) == "1 to 1, less 5% vigorish unless as much lies on total cards"


def test_a_wager_that_needs_another_is_announced_on_the_menu() -> None:
    row = ("Tie", "10 to 1", "needs Initial wager")
    assert list(later(a_table("casino-war"))) == [row]
    assert list(later(a_table("casino-war", "initial"))) == []
    assert list(later(a_table("roulette"))) == []


def test_the_examples_name_wagers_as_people_do() -> None:
    assert examples(a_table("minibaccarat")) == ["10 on banker", "10 on player"]
    assert examples(a_table("casino-war")) == ["10 on ante"]
    assert examples(a_table("red-dog")) == ["10 on ante"]


PIECES = st.sampled_from(
    "5 10 $5 0 -5 1e9 17 17-20 Ks 1-2-3/4-5-6@6 3* on and , : - / @ ' [red] [/] place odds pass "
    "come red straight split one of a kind dozen first take hard 6 8 € 😀 \x1b \t ² ٣".split(" ")
)
ANY_WORDS = st.one_of(st.text(max_size=60), st.lists(PIECES, max_size=9).map(" ".join))


@given(game=st.sampled_from(GAMES), text=ANY_WORDS)
def test_any_text_is_a_lawful_label_or_one_sentence(game: str, text: str) -> None:
    table = a_table(game)
    with contextlib.suppress(ValueError, Refusal):
        for label, amount in read_bets(table, text):
            assert amount > 0
            table.game.find(label, table.options)
    assert not table.bets
    assert not table.events
