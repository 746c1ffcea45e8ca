"""A table in the terminal: scripted visits, nonsense of every kind, and money to the cent."""

import io
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from croupier.cli.company import Punters
from croupier.cli.play import LONGEST, Session
from croupier.games import find_game, registry
from croupier.rulebook import LAYOUT, Ask, Draw, Move, Play, Table, Unlawful, law
from croupier.simulation.streams import SeededStream
from tests.cli.support import SEVEN_HUNDRED, Visit, cards, typed

GAMES = list(registry())


def whole(table: Table) -> bool:
    """Every cent is somewhere: the accounts balance, and the layout holds what was staked."""
    staked = sum(bet.stake for bet in table.bets.values())
    return sum(table.money.values()) == 0 and table.money[LAYOUT] == staked


# One visit to each game.


def test_roulette_is_paid_and_explained() -> None:
    visit = Visit("roulette", "5 on 17, $10 on red and 25 on 17-20", "", "why", draws=["17"])
    visit.says(
        "Roulette, N.J.A.C. 19:47-5.1",
        "Wagers of $5 to $5,000. You are in seat 1 with $700.",
        "$5 on Straight 17. $10 on Red. $25 on Split 17-20.",
        '"No more bets" Spin: 17 "17 black"',
        "The dealer takes $10: Red. The dealer pays $175: Straight 17, 35 to 1.",
        "Straight 17 $5 wins +$175",
        "Red $10 loses -$10",
        "Stack $1,290",
        "Straight 17: $5 at 35 to 1 wins $175, and the $5 comes back. [19:47-5.2(a)]",
        "Split 17-20: $25 at 17 to 1 wins $425, and the $25 comes back. [19:47-5.2(a)]",
        "Red: $10 is lost. [19:47-5.1(e)11]",
        "You leave with $1,290: up $590.",
    )


@pytest.mark.cites("5.2(b)")
def test_half_of_an_even_money_wager_comes_back_on_a_zero() -> None:
    visit = Visit("roulette", "5.01 on red", "", "why red", draws=["0"])
    visit.says(
        "The dealer takes $2.50 and returns $2.51: Red.",
        "Red: half loss: $2.50 of $5.01 is lost, and $2.51 comes back. [19:47-5.2(b)]",
    )
    assert visit.stack == SEVEN_HUNDRED - 250


def test_craps_from_the_come_out_to_the_seven() -> None:
    visit = Visit(
        "craps",
        *("5 on pass", "", "always", "always"),  # the dice are taken and kept
        *("10 on pass odds, 6 place 8", "10 on come", "roll"),
        *("5 on come odds 4", "throw", "why"),
        draws=[[1, 5], [1, 3], [2, 5]],
    )
    visit.says(
        "The dice are offered [accept] / decline / always",
        'Throw: 1-5 "6" "The point is 6"',
        "Keep the dice or pass them on? [keep] / pass dice / always",
        "on the layout: Pass $5 · point: 6 · shooter: you",
        "Come moves to Come 4.",
        "$5 on Odds on come 4.",
        '"Seven out; the dice pass to the next shooter"',
        "Odds on come 4: $5 is lost. [19:47-1.6]",
        "Stack $664 · point: none",
        "You leave with $664: down $36.",
    )
    assert visit.page.count("Keep the dice") == 1


def test_craps_odds_are_explained_by_their_arithmetic() -> None:
    lines = ("5 on pass", "", "", "", "10 on odds", "", "", "why pass odds")
    visit = Visit("craps", *lines, draws=[[1, 4], [2, 3]])
    visit.says(
        "Odds on pass: five or nine: $10 at 3 to 2 wins $15 ($10 / 2 × 3), "  # noqa: RUF001
        "and the $10 comes back. [19:47-1.4 (customary)]"
    )
    assert visit.stack == SEVEN_HUNDRED + 2000


def test_a_line_typed_at_an_offer_is_taken_as_the_next_command() -> None:
    visit = Visit("mini-craps", "5 on pass", "roll", "5 on field", "quit", draws=[[1, 5]])
    assert visit.bets == {"pass": 500, "field": 500}
    visit.says("$5 on Field.", "You leave with $690 and $10 still on the layout: even.")


def test_a_place_wager_can_be_called_on() -> None:
    lines = ("5 on pass, 6 place 8", "go", "accept", "on")
    visit = Visit("mini-craps", *lines, draws=[[4, 4]])
    visit.says("Is Place to win 8 on for the come out roll? [off] / on / always")
    assert visit.stack == SEVEN_HUNDRED - 500 + 700


def test_an_offer_is_made_again_when_the_player_says_so() -> None:
    lines = ("5 on pass", "roll", "always", "always", "roll", "ask", "roll", "keep")
    visit = Visit("craps", *lines, draws=[[1, 5], [1, 3], [1, 3]])
    assert visit.page.count("Keep the dice") == 2
    visit.says("You will be asked again.")


def test_the_dice_can_be_declined() -> None:
    visit = Visit("craps", "5 on pass", "roll", "decline", draws=[[1, 5]])
    visit.says("point: 6 · shooter: none")


def test_the_dice_can_be_passed() -> None:
    visit = Visit("craps", "5 on pass", "roll", "accept", "Pass Dice", draws=[[1, 5]])
    assert visit.session.table.state.new_shooter


def test_big_six() -> None:
    visit = Visit("big-six", "20 on joker, 5 on $20", "spin", "why joker", draws=["joker"])
    visit.says('"The wheel stops on Joker"', "$20 at 45 to 1 wins $900")
    assert visit.stack == SEVEN_HUNDRED + 90_000 - 500


def test_sic_bo() -> None:
    lines = ("5 on one of a kind 3, 5 on 1 and 2, 5 on small", "", "why")
    visit = Visit("sic-bo", *lines, draws=[[3, 3, 1]])
    visit.says(
        '"3-3-1, total 7, a pair"',
        "One of a kind 3: two dice: $5 at 2 to 1 wins $10",
        "1 and 2: $5 is lost.",
    )
    assert visit.stack == SEVEN_HUNDRED + 1000


def test_pokette_opens_poker_hands_as_the_wheel_shows_cards() -> None:
    lines = ("spin", "10 on pair in two, 10 on Ks", "", "layout", "10 on straight, open")
    visit = Visit("pokette", *lines, draws=["Ks", "Ks"])
    visit.says(
        '"Open poker hand wagers: Pair in two"',
        "Single card Ks $10 wins +$500",
        "spins: Ks Ks",
        "Three of a kind 11 to 1",
        "Straight, open may be bet only after two spins that either of two ranks",
    )
    assert visit.stack == SEVEN_HUNDRED + 50_000 + 11_000


def test_mini_dice() -> None:
    visit = Visit("mini-dice", "6 on place 6, 5 on any 7", "", "why", "stack", draws=[[3, 3]])
    visit.says("Place 6: $6 at 7 to 6 wins $7 ($6 / 6 × 7)", "shaker: you")  # noqa: RUF001
    assert visit.stack == SEVEN_HUNDRED + 700 - 500


def test_keno_tells_the_numbers_of_a_game_on_one_line() -> None:
    lines = ("2 on 1-2-3-4", "3 on multi_race:3*straight_4:1-2-3-4", "draw", "why", "stack")
    visit = Visit("keno", *lines, draws=range(2, 22))
    visit.says(
        "Draw: 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 ",
        "Straight, 4 spots 1-2-3-4: 3 of 4: $2 at 3 to 1 wins $6",
        "the rest stands as Multi-race 2*straight_4:1-2-3-4. [19:47-15.6 (customary)]",
        "game number: 2",
    )
    assert visit.bets == {"multi_race:2*straight_4:1-2-3-4": 200}
    assert visit.stack == SEVEN_HUNDRED - 300 + 600 + 400


def test_a_ticket_with_many_ways_does_not_hold_up_the_table() -> None:
    groups = "/".join(f"{n}-{n + 1}-{n + 2}-{n + 3}" for n in range(1, 49, 4))
    visit = Visit("keno", f"66 on way {groups}@8", "layout", "", "why", draws=range(1, 21))
    assert visit.session.last_round[0].net > 0


def test_a_payment_that_a_limit_has_cut_is_explained() -> None:
    given_ = {"aggregate_limit_per_game": 5000}
    lines = ("2 on 1-2-3-4", "", "why")
    visit = Visit("keno", *lines, draws=range(1, 21), given=given_)
    visit.says("$2 at 111 to 1 would win $222; $50 is paid in all. [19:47-15.6 (published)]")
    assert visit.stack == SEVEN_HUNDRED + 4800


# The games of the shoe. The first card of a shuffled shoe is burnt, at baccarat with as many
# more as it counts: a two costs three cards.

BURNT = "2c 8h Td "


def test_minibaccarat_is_dealt_counted_and_paid() -> None:
    draws = cards(BURNT, "5h Ks 4d 6c")
    visit = Visit("minibaccarat", "10 on player, 20 on banker", "", "", "why", draws=draws)
    visit.says(
        "Bet in words, such as 10 on banker, 10 on player; then press Enter to deal.",
        "New cards are inspected. The dealer shuffles the cards.",
        "Will you cut the cards? [decline] / cut 10 to 406 / always:",
        "The dealer cuts the cards. 3 cards are burnt, the first of them 2♣.",
        "Player: 5♥ 4♦ (9) Banker: K♠ 6♣ (6)",
        '"Player\'s Hand 9" "Banker\'s Hand 6"',
        "\"Player's Hand 9, Banker's Hand 6. Player's Hand wins\"",
        "The dealer takes $20: Banker. The dealer pays $10: Player, 1 to 1.",
        "Player: $10 at 1 to 1 wins $10, and the $10 comes back. [19:47-7.3(a)]",
    )
    assert visit.stack == SEVEN_HUNDRED + 1000 - 2000


@pytest.mark.cites("7.9")
def test_a_third_card_is_shown_with_its_hand() -> None:
    """Five draws; the banker's four stands against a nine."""
    draws = cards(BURNT, "2c 4s 3d Kh 9s")
    visit = Visit("minibaccarat", "10 on tie, 10 on banker", "", "", draws=draws)
    visit.says(
        "Player: 2♣ 3♦ (5) Banker: 4♠ K♥ (4)",
        "Player: 2♣ 3♦ 9♠ (4)",
        "The dealer pays $80: Tie, 8 to 1.",
        "Banker $10 comes back",
    )
    assert visit.stack == SEVEN_HUNDRED + 8000


@pytest.mark.cites("7.3(c)1", "7.3(c)2")
def test_vigorish_is_taken_when_the_banker_is_paid() -> None:
    """Five percent of $10.10 is 50.5 cents, rounded up to the next five."""
    lines = ("10.10 on banker", "", "", "why")
    visit = Visit("minibaccarat", *lines, draws=cards(BURNT, "5h Ks Kd 9c"))
    visit.says(
        "Banker 1 to 1, less 5% vigorish",
        "The dealer pays $10.10: Banker, 1 to 1. The dealer takes vigorish of $0.55: Banker.",
        "Banker $10.10 wins +$9.55",
        "Banker: $10.10 at 1 to 1 wins $10.10, less vigorish of $0.55, and the $10.10 comes back.",
    )
    assert "owed" not in visit.page
    assert visit.stack == SEVEN_HUNDRED + 955


@pytest.mark.cites("7.3(d)")
def test_vigorish_on_a_tie_is_explained() -> None:
    given_ = {"banker_scheme": "tie_vig_25"}
    draws = cards(BURNT, "9h 9s Kd Kc")
    visit = Visit("minibaccarat", "10 on banker", "", "", "why", draws=draws, given=given_)
    visit.says(
        "Banker 1 to 1; 25% vigorish on a tie",
        "Banker: tie: $10 comes back, less vigorish of $2.50. [19:47-7.2(a)1]",
    )
    assert visit.stack == SEVEN_HUNDRED - 250


BANKER_WINS = cards(BURNT, "5h Ks Kd 9c")


@pytest.mark.cites("3.3(c)2", "3.3(c)4")
def test_vigorish_that_is_marked_is_owed_and_collected_when_the_player_leaves() -> None:
    lines = ("10 on banker", "", "", "", "", "", "710 on banker", "709.50 on player", "clear")
    visit = Visit("baccarat-punto-banco", *lines, draws=BANKER_WINS)
    visit.says(
        "The dealer marks vigorish of $0.50: Banker.",
        "Stack $710 · vigorish owed: $0.50 · curator: you",
        "$710 is more than the $709.50 in your stack, less the vigorish that you owe.",
        "$709.50 on Player.",
        "The dealer collects the vigorish that you owe: $0.50. You leave with $709.50: up $9.50.",
    )
    assert visit.session.table.owed("1") == 0


@pytest.mark.cites("3.3(c)4")
def test_who_leaves_a_wager_on_the_layout_pays_what_he_owes_too() -> None:
    lines = ("10 on banker", "", "", "", "", "", "10 on tie", "quit")
    visit = Visit("baccarat-punto-banco", *lines, draws=BANKER_WINS)
    visit.says(
        "The dealer collects the vigorish that you owe: $0.50.",
        "You leave with $699.50 and $10 still on the layout: up $9.50.",
    )


@pytest.mark.cites("3.3(c)4")
def test_vigorish_is_collected_before_the_cards_are_shuffled_again() -> None:
    draws = cards(*BANKER_WINS, BURNT, "5h Ks Kd 9c")
    lines = ("10 on banker", "", "always", "always", "always", "always", "quit")
    visit = Visit("baccarat-punto-banco", *lines, draws=draws)
    session = visit.session
    session.table.bet("1", "banker", 1000)
    session.table.state = session.table.game.due_for_shuffle(session.table.state)
    session.left = False
    session.deal()
    assert visit.page.count("New cards are inspected.") == 1
    assert visit.page.count("The cards are shuffled.") == 2
    assert session.table.owed("1") == 50


@pytest.mark.cites("3.7(d)", "3.8(a)")
def test_cards_lie_face_down_until_they_are_turned() -> None:
    """The player wagered on the banker: the dealer turns one hand, the player the other."""
    lines = ("10 on banker", "", "cut 50", "accept", "turn", "turn", "pass shoe")
    draws = cards(BURNT, "7h Ks Kd 5c 9s")
    visit = Visit("baccarat-punto-banco", *lines, draws=draws)
    visit.says(
        "You are the curator.",
        "Player: ▒▒ ▒▒ Banker: ▒▒ ▒▒",
        "Player: 7♥ K♦ (7)",
        "The dealer hands the cards of the Banker's Hand to you.",
        "Turn the cards of the Banker's Hand? [turn] / relinquish / always:",
        "Banker: K♠ 5♣ (5)",
        "Turn the third card of the Banker's Hand? [turn] / relinquish / always:",
        "Banker: K♠ 5♣ 9♠ (4)",
    )
    before = {prompt: text for prompt, text in visit.prompts if prompt.startswith("Turn")}
    first, third = before.values()
    assert "K♠" not in first
    assert "9♠" not in third
    assert third.endswith("Banker: K♠ 5♣ ▒▒ The dealer hands the third card of the Banker's Hand "
                          "to you. ")  # fmt: skip


def test_one_answer_serves_for_every_offer_of_its_kind() -> None:
    lines = ("10 on banker", "", "always", "always decline", "always", "rebet", "", "rebet", "")
    draws = cards(BURNT, "7h Ks Kd 5c 9s", "7h Ks Kd 5c 9s", "7h Ks Kd 5c 9s")
    visit = Visit("baccarat-punto-banco", *lines, draws=draws)
    offers = [prompt for prompt, _ in visit.prompts if "always" in prompt]
    assert len(offers) == 3  # the cut, the shoe, and to turn cards
    visit.says("Nobody accepts the shoe: the dealer is the curator.")


def test_the_shuffle_is_told_in_two_lines_and_in_full_when_asked() -> None:
    lines = ("shuffle", "10 on tie", "", "cut", "cut 5", "cut x", "cut 50", "shuffle")
    visit = Visit("minibaccarat", *lines, draws=cards(BURNT, "5h Ks 4d 6c"))
    visit.says(
        "No cards have been shuffled yet.",
        "Cut how much? Say cut 10 to 406.",
        "Cut 5 is not possible: say cut 10 to 406 [19:47-7.5(e)].",
        "'x' is not a number of cards: say cut 10 to 406.",
    )
    told, full = visit.page.split("'shuffle'")[1:]
    assert "washed" not in told
    assert "8♥" not in told
    for step in (
        "They are turned face down, washed and stacked. [19:47-7.4(c)]",
        "You, will you cut the cards? Cut at card 50. [19:47-7.5(d)]",
        "Burnt: 2♣ 8♥ 10♦.",
        "3 cards are burnt. [19:47-7.5(f)]",
    ):
        assert step in full
    assert "dealer cuts" not in visit.page


def test_the_last_hand_is_announced_and_then_the_cards_are_shuffled() -> None:
    lines = ("10 on player", "", "always") + ("rebet", "") * 40
    given_ = {"decks": 6, "cut_card_from_back": 200}
    visit = Visit("minibaccarat", *lines, given=given_, chance=SeededStream(7))
    last, shuffled = '"Last hand"', "The dealer shuffles the cards."
    assert visit.text.count(shuffled) >= 2
    assert visit.text.count(last) == visit.text.count("last hand of this shoe")
    before, _, after = visit.text.partition(last)
    assert before.count(shuffled) == 1
    final, _, _ = after.partition(shuffled)
    assert "the cards are shuffled next" in final
    assert final.count("No more bets") == 1
    assert visit.page.count("New cards") == 1


def test_a_shoe_that_shuffles_continuously_is_filled_once() -> None:
    given_ = {"continuous_shuffler": "yes"}
    lines = ("10 on tie", "", "deal")
    visit = Visit("minibaccarat", *lines, given=given_, chance=SeededStream(7))
    assert visit.page.count("No more bets") == 2
    assert visit.page.count("go into the continuous shuffling device") == 1


def test_casino_war_goes_to_war() -> None:
    """The tie pays 10 to 1; in the war only the second wager is paid."""
    lines = ("10 on ante", "layout", "10 on tie", "", "", "layout", "go to war", "why", "recent")
    draws = cards("2c", "8h 8d", "2c 2d 2h Ks 3c 3d 3h 4s")
    visit = Visit("casino-war", *lines, draws=draws)
    visit.says(
        "Tie 10 to 1 needs Initial wager",
        "The dealer cuts the cards. One card is burnt.",
        "You: 8♥ Dealer: 8♦",
        "Tie $10 wins +$100",
        "A tie: surrender half, or go to war? [surrender] / go to war $10:",
        "$10 on War.",
        "Three cards are burnt. You: 8♥ K♠ Three cards are burnt. Dealer: 8♦ 4♠",
        "Initial wager $10 comes back",
        "War $10 wins +$10",
        "Initial wager: returned: $10 comes back, neither won nor lost.",
        "You: 8♥ K♠ Dealer: 8♦ 4♠ +$110",
    )
    assert "stands" not in visit.page
    assert visit.stack == SEVEN_HUNDRED + 11_000


def test_a_war_is_surrendered() -> None:
    visit = Visit("casino-war", "10 on ante", "", "", "", "why", draws=cards("2c", "8h 8d"))
    visit.says("Initial wager: $5 of $10 is lost, and $5 comes back.")
    assert visit.stack == SEVEN_HUNDRED - 500


def test_nobody_goes_to_war_with_more_than_the_stack() -> None:
    lines = ("400 on ante", "", "", "go to war", "surrender")
    visit = Visit("casino-war", *lines, draws=cards("2c", "8h 8d"))
    visit.says("$400 is more than the $300 in your stack.")
    assert visit.stack == SEVEN_HUNDRED - 20_000


def test_red_dog_is_raised() -> None:
    """Between an eight and a ten lies one value: 5 to 1, on the raise too."""
    lines = ("10 on ante", "", "", "raise", "raise 20", "stack", "raise 5", "recent")
    visit = Visit("red-dog", *lines, draws=cards("2c", "8h Td 9s"))
    visit.says(
        "Bet in words, such as 10 on ante;",
        "5 to 1 on spread 1; 4 to 1 on spread 2; 2 to 1 on spread 3;",
        "First: 8♥ Second: 10♦",
        "Call or raise? [call] / raise $0.01 to $10:",
        "Raise how much? Say raise $0.01 to $10.",
        "Raise $20 is not possible: say raise $0.01 to $10 [19:47-6.5 (published)].",
        "Stack $690 · on the layout: Original wager $10",
        "$5 on Raise. Third: 9♠",
        "First: 8♥ Second: 10♦ Third: 9♠ +$75",
    )
    assert visit.stack == SEVEN_HUNDRED + 7500


def test_nobody_raises_by_more_than_the_stack() -> None:
    lines = ("400 on ante", "", "", "400", "call")
    visit = Visit("red-dog", *lines, draws=cards("2c", "8h Td 2s"))
    visit.says("$400 is more than the $300 in your stack.")
    assert visit.stack == SEVEN_HUNDRED - 40_000


def test_a_raise_that_can_only_be_one_amount_needs_none() -> None:
    given_ = {"raise_amount": "exactly_original"}
    lines = ("10 on ante", "", "", "raise")
    visit = Visit("red-dog", *lines, draws=cards("2c", "8h Td 9s"), given=given_)
    visit.says("Call or raise? [call] / raise $10:", "$10 on Raise.")
    assert visit.stack == SEVEN_HUNDRED + 10_000


def test_quit_at_a_decision_lets_the_round_finish() -> None:
    lines = ("10 on ante", "", "", "quit", "raise 5")
    visit = Visit("red-dog", *lines, draws=cards("2c", "8h Td 9s"))
    visit.says("Original wager $10 wins +$50", "You leave with $750: up $50.")


def test_what_needs_another_wager_is_cleared_first() -> None:
    assert Visit("casino-war", "10 on ante, 10 on tie", "clear").bets == {}


# Chemin de fer, with company.

PLAYER_WINS = cards(BURNT, "4h Ks 4d 6c")  # a natural eight against six
BANK_WINS = cards(BURNT, "2h 9s Kd Tc")  # a natural nine against two


def test_the_others_cover_the_players_bank() -> None:
    """A third of $50 each, in whole dollars; five percent of what the bank wins is vigorish."""
    visit = Visit("baccarat-chemin-de-fer", "50 on bank", "", "", "", "layout", draws=BANK_WINS)
    visit.says(
        "Seats 2, 3 and 4 play too, against whoever has the bank.",
        "The shoe is yours: put up a bank, as in 50 on bank, or press Enter to leave it to seat 2.",
        "Punts: seat 2 $17, seat 3 $17, seat 4 $16.",
        "Player: 2♥ K♦ (2) Banker: 9♠ 10♣ (9)",
        "The dealer takes vigorish of $2.50: Bank. Bank $50 wins +$47.50",
        "Keep the shoe or pass it? [keep] / pass shoe / always:",
        "You have the bank, $97.50: press Enter to deal.",
        "BANK $97.50",
    )
    assert "Punt of seat" not in visit.page
    assert visit.stack == SEVEN_HUNDRED + 4750


def test_a_bank_goes_on_as_it_has_grown() -> None:
    lines = ("50 on bank", "", "always", "always", "")
    draws = cards(*BANK_WINS, "4h Ks 4d 6c")
    visit = Visit("baccarat-chemin-de-fer", *lines, draws=draws)
    visit.says(
        "Punts: seat 2 $33, seat 3 $33, seat 4 $31.50.",
        "$97.50 on Bank.",
        "Bank $97.50 loses -$97.50",
        "Seat 2 has the bank, $50: say banco for all of it, 10 on punt for a part, "
        "or press Enter to watch.",
    )
    assert visit.stack == SEVEN_HUNDRED - 5000


@pytest.mark.parametrize("word", ["", "pass", "Pass Shoe"])
def test_a_player_who_passes_the_shoe_plays_against_another(word: str) -> None:
    lines = (word, "50 on bank", "banco", "", "", "")
    visit = Visit("baccarat-chemin-de-fer", *lines, draws=PLAYER_WINS)
    visit.says(
        "Seat 2 has the bank, $50",
        "Seat 2 has the bank [19:47-4.5 (customary)].",
        "$50 on Banco.",
        "Banco $50 wins +$50",
        "the shoe? [accept] / decline / always:",
        "The shoe is yours",
    )
    assert "Punts" not in visit.page
    assert visit.stack == SEVEN_HUNDRED + 5000


def test_the_players_five_is_his_to_decide_and_the_bankers_cards_are_hidden() -> None:
    lines = ("", "20 on punt", "", "", "stand")
    draws = cards(BURNT, "2h 9s 3d 7c")  # five against six, which stands when the player stood
    visit = Visit("baccarat-chemin-de-fer", *lines, draws=draws)
    visit.says("Player: 2♥ 3♦ (5) Banker: ▒▒ ▒▒", "Draw or stand? [draw] / stand:")
    (before,) = (text for prompt, text in visit.prompts if prompt.startswith("Draw or"))
    assert "9♠" not in before
    visit.says("Banker: 9♠ 7♣ (6)", "Punt $20 loses -$20")


def test_the_banker_has_his_choice() -> None:
    """Three against a nine: the tableau lets him stand."""
    lines = ("50 on bank", "", "", "stand")
    draws = cards(BURNT, "2h Ks 2d 3c 9h")
    visit = Visit("baccarat-chemin-de-fer", *lines, draws=draws)
    visit.says(
        "Player: ▒▒ ▒▒ Banker: K♠ 3♣ (3)",
        "Player: ▒▒ ▒▒ 9♥ Draw or stand? [draw] / stand:",
        "Player: 2♥ 2♦ 9♥ (3)",
        "Tie: all wagers are void",
    )


def test_a_coup_among_others_is_told_without_their_money() -> None:
    lines = ("", "", "recent")
    draws = cards(BURNT, "2h 9s 3d 7c Th")
    visit = Visit("baccarat-chemin-de-fer", *lines, draws=draws)
    visit.says(
        "Punts: seat 3 $25, seat 4 $25.",
        "Player: ▒▒ ▒▒ Banker: ▒▒ ▒▒",
        "Player: ▒▒ ▒▒ 10♥ Banker: 9♠ 7♣ (6)",
        "Player: 2♥ 3♦ 10♥ (5)",
    )
    assert "The dealer takes" not in visit.page
    assert "wins +" not in visit.page
    assert visit.stack == SEVEN_HUNDRED


def test_a_bank_is_offered_at_the_same_height_only_to_who_can_put_it_up() -> None:
    """Seat 2 passes after three wins: $370.75 is more than the player has."""
    given_ = {"bank_at_same_height": "yes"}
    lines = ("", "10 on punt", "", "always", *("10 on punt", "") * 2, "take bank", "decline", "")
    draws = cards(BURNT, "2h 9s Kd Tc " * 3)
    visit = Visit("baccarat-chemin-de-fer", *lines, draws=draws, given=given_, stack=3500)
    visit.says("Seat 2, keep the shoe or pass it? Pass shoe.", "in your stack.")
    assert visit.stack == 500


def test_as_many_sit_down_as_a_coup_needs() -> None:
    given_ = {"min_seated": 5}
    draws = cards(*PLAYER_WINS, "4h Ks 4d 6c")
    visit = Visit("baccarat-chemin-de-fer", "", "", "", draws=draws, given=given_)
    visit.says(
        "Seats 2, 3, 4, 5 and 6 play too",
        "Punts: seat 3 $13, seat 4 $13, seat 5 $13, seat 6 $11.",
    )
    assert "A coup needs" not in visit.page


def asked(draws: str, given: dict[str, Any] | None = None) -> tuple[Punters, Ask]:
    """Two of the others play a coup; the first choice that one of them has."""
    table = Table(find_game("baccarat-chemin-de-fer"), given)
    table.state = table.game.in_play(table.state)
    company = Punters(table)
    company.put_up(passed=True)
    company.cover()
    play, left = Play(table), iter(draws.split())
    while not isinstance(play.request, Ask):
        play.answer(next(left) if isinstance(play.request, Draw) else None)
    return company, play.request


TABLEAU = [  # as the sheet has it, where the banker is free: his count, the player's card, his move
    ("2h Ks 2d 3c 8h", "stand"),
    ("2h Ks 2d 3c 9h", "draw"),
    ("2h Ks 2d 4c Ah", "stand"),
    ("2h Ks 2d 4c 2h", "draw"),
    ("2h Ks 2d 5c 3h", "stand"),
    ("2h Ks 2d 5c 4h", "draw"),
    ("6h Ks Kd 5c", "draw"),
    ("6h Ks Kd 6c", "stand"),
    ("2h Ks 2d 6c 5h", "stand"),
    ("2h Ks 2d 6c 6h", "draw"),
    ("2h Ks 2d 7c 6h", "stand"),
]


@pytest.mark.parametrize(("draws", "move"), TABLEAU)
def test_another_banker_goes_by_the_tableau(draws: str, move: str) -> None:
    company, ask = asked(draws, {"banker_tableau": "free"})
    assert ask.seat == "2"
    assert company.answer(ask) == move


@pytest.mark.parametrize("banker", ["Ks 7c", "2s 3c", "Ks Kc"])
def test_another_player_draws_to_five_whatever_the_banker_has(banker: str) -> None:
    first, second = banker.split()
    company, ask = asked(f"2h {first} 3d {second}")
    assert ask.seat == "3"
    assert company.answer(ask) == "draw"


# What came before.


def test_roads_are_shown_at_baccarat() -> None:
    visit = Visit("minibaccarat", "roads", "10 on tie", "", "", "roads", draws=PLAYER_WINS)
    visit.says(
        "No coup has been dealt from this shoe yet.",
        "Bead plate Big road P . . . . . P . . . .",
        "Banker 0 · Player 1 · Tie 0 · naturals 1 · 1 coup",
    )
    Visit("roulette", "roads").says("Roads are kept at baccarat. Say recent for the last results")


def test_recent_results_are_shown_newest_first() -> None:
    lines = ("recent", "10 on red", "", "spin", "recent")
    visit = Visit("roulette", *lines, draws=["1", "17"])
    visit.says("No round has been played yet.")
    assert visit.page.split("'recent'")[-1].split()[:3] == ["17", "1", "+$10"]


def test_help_lists_the_words_that_a_game_has() -> None:
    Visit("minibaccarat", "help").says("roads see the scoreboards", "shuffle see how the cards")
    for game in ("casino-war", "red-dog"):
        visit = Visit(game, "help")
        visit.says("recent see the last results", "shuffle see how the cards")
        assert "roads" not in visit.page
    assert "shuffle see" not in Visit("roulette", "help").text


def test_a_felt_shows_the_hands_and_what_lies_on_the_wagers() -> None:
    lines = ("10 on banker", "layout", "", "", "layout")
    visit = Visit("minibaccarat", *lines, draws=PLAYER_WINS)
    before, after = visit.text.split("'layout'")[1:]
    assert "Player's Hand | Banker's Hand | TIE | BANKER $10 | PLAYER |" in before
    assert "Player's Hand 4♥ 4♦ 8 | Banker's Hand K♠ 6♣ 6 | TIE | BANKER | PLAYER |" in after


# Betting.


def test_betting_again_adds_to_the_wager() -> None:
    visit = Visit("roulette", "5 on 17", "10 on straight 17")
    visit.says("$10 on Straight 17, $15 in all.")
    assert visit.bets == {"straight:17": 1500}


def test_a_refused_bet_is_answered_by_its_paragraph() -> None:
    visit = Visit("roulette", "1 on red", "5000 on 17", "5 on fife adjacent", stack=10**6)
    visit.says("$1 on red is below the least it may be, $5 [19:47-8.2 (customary)].")
    visit.says("$5,000 on straight:17 is above the most it may be, $1,000")
    assert visit.bets == {}


def test_an_amount_that_cannot_be_paid_is_put_right() -> None:
    visit = Visit("craps", "5 place 6", "6 on place to win 6")
    visit.says("could not be paid exactly", "Try 6 on Place to win 6.")
    assert visit.bets == {"place_win_6": 600}


def test_nobody_bets_more_than_the_stack() -> None:
    visit = Visit("roulette", "500 on red, 300 on black, 200 on odd", "1 on even")
    visit.says("$300 is more than the $200 in your stack.", "$1 is more than the $0 in your stack.")
    assert visit.bets == {"red": 50_000, "odd": 20_000}
    assert visit.stack == 0


def test_a_line_is_bet_whole_or_not_at_all() -> None:
    visit = Visit("roulette", "5 on red, 5 on blakc")
    visit.says("There is no wager 'blakc' at this table; is it black?")
    assert visit.bets == {}


def test_wagers_are_taken_down() -> None:
    lines = ("take down 17", "5 on 17, 5 on red, 5 on 5", "take down straight", "remove 17",
             "take down blue", "take down", "take down straight 5")  # fmt: skip
    visit = Visit("roulette", *lines)
    visit.says(
        "You have nothing on the layout.",
        "Which one? On the layout you have Straight 17 and Straight 5.",
        "$5 comes back from Straight 17.",
        "Which one? On the layout you have Red and Straight 5.",
        "$5 comes back from Straight 5.",
    )
    assert visit.bets == {"red": 500}


def test_clear_takes_down_what_may_be_taken_down() -> None:
    lines = ("clear", "10 on pass, 6 place 8", "", "", "", "", "20 on odds", "take down pass",
             "clear")  # fmt: skip
    visit = Visit("craps", *lines, draws=[[1, 5]])
    visit.says("You have nothing on the layout.", "and then stays")
    visit.says("$20 comes back from Odds on pass.", "$6 comes back from Place to win 8.")
    assert visit.bets == {"pass": 1000}


def test_everything_is_the_same_as_clear() -> None:
    assert Visit("roulette", "5 on red, 5 on 17", "take down everything").bets == {}
    assert Visit("roulette", "5 on red, 5 on 17", "remove all").bets == {}


def test_rebet_repeats_the_last_round() -> None:
    lines = ("rebet", "5 on 17, 10 on red", "", "rebet", "rebet", "", "rebet")
    visit = Visit("roulette", *lines, draws=["1", "2"])
    assert visit.page.count("There is nothing to bet again.") == 2
    assert visit.bets == {"straight:17": 500, "red": 1000}


def test_rebet_brings_standing_wagers_back_and_skips_what_traveled() -> None:
    lines = ("5 on pass, 6 place 8", "", "always", "always", "always", "10 on come", "", "",
             "rebet")  # fmt: skip
    visit = Visit("craps", *lines, draws=[[1, 5], [1, 3], [3, 4]])
    assert visit.bets == {"pass": 500, "place_win_8": 600}
    assert "come:4" not in visit.page


# What can be asked.


def test_an_empty_line_without_a_bet_deals_nothing() -> None:
    Visit("craps", "").says("Nothing is on the layout. Bet first, or say throw to watch one.")


def test_why_before_the_first_round_and_about_something_else() -> None:
    visit = Visit("roulette", "why", "5 on red", "", "why 17", draws=["1"])
    visit.says("No wager of yours has been decided yet.", "The last round decided Red.")


def test_rules_are_printed_with_their_paragraphs() -> None:
    visit = Visit("roulette", "rules", given={"wheel": "single_zero"})
    visit.says("wheel = single_zero the wheel [19:47-5.2(b)]", "[19:47-5.4(c)]")
    options = find_game("roulette").options()
    for name in options.all():
        assert f"{name} = " in visit.page
    for kind in visit.session.table.irregularities.values():
        visit.says(str(kind.cite))


@pytest.mark.parametrize("game", GAMES)
def test_every_game_shows_layout_odds_rules_and_help(game: str) -> None:
    visit = Visit(game, "layout", "table", "odds", "rules", "help", "?", "stack", "quit")
    visit.says("house edge", "take down WAGER", "Stack $700", "You leave with $700: even.")
    assert "Traceback" not in visit.page


def test_odds_are_exact() -> None:
    visit = Visit("craps", "odds", "edge pass", "odds place 6", "odds straight", "odds on")
    visit.says(
        "Pass 1.414% 7/495 49.293%",
        "Place to win 6, 8 1.515% 1/66",
        "Pass: house edge 1.414%, exactly 7/495.",
        "win +1 49.2929% 2.0 98.5859% 244/495",
        "There is no wager 'straight' at this table",
    )
    Visit("roulette", "odds 17").says("Straight 17: house edge 5.263%, exactly 1/19.")
    Visit("keno", "odds straight 4").says("4 of 4 +111 0.3063% 326.4 34.3100% 969/316316")


def test_help_lists_examples_that_work() -> None:
    Visit("craps", "help").says("5 on pass, 6 on place 8", "Enter, deal, throw, go", "why WAGER")


def test_the_felt_has_every_number_and_box() -> None:
    visit = Visit("roulette", width=60)
    lines = visit.page.splitlines()
    top = next(at for at, line in enumerate(lines) if line.endswith("column 3"))
    assert re.findall(r"\d+[rb]", lines[top])[:3] == ["3r", "6b", "9r"]
    numbers = re.findall(r"(\d+)[rb]\b", " ".join(lines[top : top + 3]))
    assert sorted(map(int, numbers)) == list(range(1, 37))
    assert all(len(line) <= 60 for line in lines)
    visit.says("00|", "dozen 1", "1-18", "even", "19-36", "(r is red, b is black)")
    single = Visit("roulette", given={"wheel": "single_zero"})
    assert "00|" not in single.page
    colors = Visit("roulette", given={"color_wagers": "six_numbers_color"})
    assert "dozen 1" not in colors.page


def test_the_felt_is_colored_where_there_are_colors() -> None:
    page = io.StringIO()
    console = Console(file=page, force_terminal=True, color_system="standard", width=100)
    table = find_game("roulette")
    chance = SeededStream(1)
    Session(table, {}, 500, console, chance, typed([])).run()
    assert "\x1b[1;37;41m 18\x1b[0m" in page.getvalue()
    assert "\x1b[1;37;40m 17\x1b[0m" in page.getvalue()


@pytest.mark.parametrize("game", GAMES)
def test_nothing_is_wider_than_a_narrow_terminal(game: str) -> None:
    lines = ("odds", "rules", "help", "5 on nothing like it", "deal", "deal", "layout", "recent",
             "roads", "shuffle")  # fmt: skip
    visit = Visit(game, *lines, width=60, chance=SeededStream(47))
    assert max(map(len, visit.page.splitlines())) <= 60


@pytest.mark.parametrize("game", GAMES)
def test_a_question_is_no_wider_than_a_narrow_terminal(game: str) -> None:
    visit = Visit(game, width=60)
    bets = [opening.wager.id for opening in visit.session.table.openings("1")][:2]
    visit = Visit(game, f"10 on {bets[0]}", *[""] * 9, width=60, chance=SeededStream(47))
    assert max(len(prompt) for prompt, _ in visit.prompts) <= 60


# Leaving.


@pytest.mark.parametrize("word", ["quit", "exit", "q", "QUIT", "  quit  "])
def test_leaving(word: str) -> None:
    visit = Visit("roulette", "5 on red", word, "5 on black")
    visit.says("You leave with $695 and $5 still on the layout: even. On the layout: Red $5.")


def test_the_end_of_the_input_leaves() -> None:
    Visit("roulette").says("You leave with $700: even.")


def test_an_interrupt_leaves_politely() -> None:
    def read(prompt: str) -> str:
        raise KeyboardInterrupt

    Visit("roulette", read=read).says("You leave with $700: even.")


def test_an_interrupt_at_a_question_lets_the_round_finish() -> None:
    lines: Iterator[str] = iter(["5 on pass", "roll"])

    def read(prompt: str) -> str:
        for line in lines:
            return line
        raise KeyboardInterrupt

    visit = Visit("craps", read=read, draws=[[3, 4]])
    visit.says("Pass $5 wins +$5", "You leave with $705: up $5.")


def test_the_game_ends_when_the_stack_is_gone() -> None:
    visit = Visit("roulette", "5 on 17", "", "5 on 17", stack=500, draws=["1"])
    visit.says("Your stack is gone, and nothing lies on the layout.")
    visit.says("You leave with $0: down $5.")
    Visit("roulette", "5 on 17", stack=0).says("Your stack is gone")


def test_an_unlawful_table_is_not_opened() -> None:
    with pytest.raises(Unlawful):
        Visit("roulette", given={"wheel": "triple_zero"})


def test_a_table_on_which_nothing_can_be_bet_still_says_so() -> None:
    Visit("roulette", "5 on red", given={"increment": 10**9}).says("Wagers of no amount.")


# Decisions with an amount.


def answered(ask: Ask, *lines: str) -> tuple[Any, str]:
    visit = Visit("roulette", "quit")
    visit.session.left = False
    visit.session.read = typed(lines)
    return visit.session.ask(ask), visit.page


def test_a_question_is_asked_until_it_is_answered() -> None:
    moves = (Move("fold"), Move("play", 500, 2000, 500))
    ask = Ask("1", "play or fold?", moves, "fold", law("20.10"))
    answer, page = answered(ask, "dance", "play 3", "play", "play 15")
    assert answer == {"play": 1500}
    assert "Say fold or play $5 to $20 in steps of $5." in page
    assert "Play $3 is not possible: say play $5 to $20 in steps of $5 [19:47-20.10]." in page
    assert "Play how much? Say play $5 to $20 in steps of $5." in page
    assert answered(ask, "fold")[0] == "fold"
    assert answered(ask, "20")[0] == {"play": 2000}
    assert answered(ask, "")[0] == "fold"
    assert answered(ask)[0] == "fold"


def test_a_question_with_one_answer_is_not_asked() -> None:
    ask = Ask("1", "call or raise?", (Move("call"),), "call", law("6.5"))
    answer, page = answered(ask, "dance")
    assert answer == "call"
    assert "say call" not in page.lower()


# Nonsense.

NONSENSE = [
    "-5 on red",
    "1e9 on red",
    "NaN on pass",
    "inf on red",
    "5 on",
    "on red",
    "5",
    "0 on red",
    "$ on red",
    "5 on [red]blue[/red]",
    "[bold]",
    "[/]",
    "😀",
    "5 on 😀",
    "\x1b[2J\x1b[31m",
    "\x00\x07\x08",
    "x" * 10_000,
    "5 on " + "9" * 10_000,
    "9" * 10_000 + " on red",
    "5 on rde, " * 30,
    "spin 5 on red",
    "quit now",
    "clear everything please",
    "rebet twice",
    "; DROP TABLE bets",
    "%s %d {0}",
    "\ud800",
    "5 on \u202ered\u202d?!",
    "'" * 40,
    ",",
    "and",
    "and and, and",
    "5 on and 5 on",
    ":",
    "5 on :",
    "5 on straight:",
    "5 on straight:[17]",
    "take",
    "remove [x]",
    "remove !!!",
    "5 on İa",
    "5 x," * 99,
    "5 on 1," * 55 + "x",
    "1," * 199,
    "why [x]",
    "odds [x]",
]


@pytest.mark.parametrize("game", GAMES)
def test_nonsense_is_answered_and_changes_nothing(game: str) -> None:
    visit = Visit(game)
    visit.session.left = False
    for text in NONSENSE:
        before = len(visit.page)
        visit.session.take(text)
        assert len(visit.page) > before, text
        assert not visit.session.table.events, text
        assert not visit.session.left, text
    assert visit.bets == {}
    assert visit.stack == SEVEN_HUNDRED
    assert "\x1b" not in visit.page


def test_markup_is_only_text() -> None:
    Visit("roulette", "5 on [bold]x[/bold]").says("There is no wager '[bold]x[/bold]'")


def test_what_cannot_be_read_answers_no_question() -> None:
    lines = ("10 on ante", "", "\x00", "\x07", "", "\x08", "raise 5")
    visit = Visit("red-dog", *lines, draws=cards("2c", "8h Td 9s"))
    assert visit.page.count("That cannot be read.") == 3
    assert visit.stack == SEVEN_HUNDRED + 7500


def test_a_mistyped_command_is_named() -> None:
    Visit("roulette", "lyout").says("There is no command 'lyout'; is it layout?")
    Visit("roulette", "spin 5 on red").says("There is no command 'spin 5 on red'; is it spin?")


def test_a_line_that_is_too_long_is_not_read() -> None:
    Visit("roulette", "x" * (LONGEST + 1)).says("That is longer than any bet.")


WORDS = (
    "5 10 12 $6 600 2.50 0 -1 1e9 on and , the pass dont come odds place hard 6 8 17 17-20 red "
    "dozen first Ks single card joker one of a kind 3 big 1 2 straight 1-2-3-4 way 1-2-3/4-5-6@6 "
    "3*straight_4:1-2-3-4 field any 7 take down remove clear rebet why rules help odds layout "
    "deal roll spin go always keep pass_dice accept decline off [red] 😀 \x1b quit banker player "
    "tie ante bank punt banco cut 50 raise call surrender to war draw stand turn shuffle roads "
    "check bet play fold double withdraw let it ride 4x 2x hint stack base trips bonus"
).split(" ")
LINES = st.one_of(
    st.text(max_size=40),
    st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join),
    st.sampled_from(
        (
            "",
            "deal",
            "rebet",
            "clear",
            "5 on pass",
            "10 on red",
            "5 on field",
            "10 on banker",
            "10 on ante",
            "10 on ante, 10 on tie",
            "raise 10",
            "go to war",
            "50 on bank",
            "banco",
            "10 on base 1",
            "10 on original",
            "hint",
            "bet 4x",
        )
    ),
)


@given(
    game=st.sampled_from(GAMES),
    lines=st.lists(LINES, max_size=25),
    seed=st.integers(0, 2**32),
    stack=st.integers(0, 100_000),
)
def test_whatever_is_typed_no_cent_is_lost(
    game: str, lines: list[str], seed: int, stack: int
) -> None:
    console = Console(file=io.StringIO(), width=60)
    left = iter(lines)
    session = Session(find_game(game), {}, stack, console, SeededStream(seed), lambda _: "")

    def read(prompt: str) -> str:
        assert whole(session.table)
        assert session.stack >= 0
        for line in left:
            return line
        raise EOFError

    session.read = read
    session.run()
    assert whole(session.table)
    assert session.stack >= 0
    assert "Traceback" not in console.file.getvalue()  # type: ignore[attr-defined]


# The command itself, in a pipe.


def piped(*args: str, said: bytes, **environment: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "croupier", "play", *args]
    return subprocess.run(
        command, input=said, capture_output=True, env={**os.environ, **environment}, timeout=60
    )


def test_lines_can_be_piped() -> None:
    done = piped("roulette", "--bankroll", "100", said=b"5 on red\n\nwhy\n", COLUMNS="60")
    text = done.stdout.decode()
    assert (done.returncode, done.stderr) == (0, b"")
    assert "$100 > 5 on red\n$5 on Red.\n" in text
    assert "No more bets" in text
    assert "You leave with" in text
    assert "\x1b" not in text


def test_bytes_that_are_not_text_are_answered_too() -> None:
    done = piped("craps", said=b"5 on \xff\xfe\n\xc3\n5 on pass", PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"$5 on Pass." in done.stdout


def test_cards_are_written_in_letters_where_there_are_no_signs() -> None:
    done = piped("minibaccarat", said=b"10 on tie\n\n\nroads", PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, b"")
    assert re.search(rb"Player: [2-9TJQKA][cdhs] [2-9TJQKA][cdhs] \(\d\)", done.stdout)
    assert b"x regular, o choppy" in done.stdout


def test_no_color_is_respected() -> None:
    done = piped("roulette", said=b"", NO_COLOR="1", FORCE_COLOR="1")
    assert not re.search(rb"\x1b\[[0-9;]*[34][0-7]", done.stdout)
    assert b"17b" in done.stdout
