"""Poker in the terminal: cards that are easy to see, moves with their price, and hints."""

from typing import Any

import pytest

from croupier.cli.play import Session
from croupier.games import find_game
from croupier.rulebook import Fault, Refusal
from croupier.simulation.streams import SeededStream
from tests.cli.support import SEVEN_HUNDRED, Visit, cards

# An automated shoe gives the player's packet, then the dealer's; a card is burnt before each deal
# to the board of a hold 'em game.
ACE_SEVEN = cards("Ah 7c", "Qd 4s", "2h", "7d 2s Kc", "3h", "3d 9s")
SUITED_ACE_KING = cards("Ah Kh", "2c 3d", "4c", "5c 6c 7c", "4d", "8s", "4h", "Ad")


# One visit to each game.


def test_three_card_poker() -> None:
    lines = ("10 on ante, 5 on pair plus", "", "play", "why")
    visit = Visit("three-card-poker", *lines, draws=cards("Ah Kh Qh", "2c 3d 9s"))
    visit.says(
        "At a decision, hint says what each move is worth.",
        "You: A♥ K♥ Q♥ Dealer: ▒▒ ▒▒ ▒▒",
        "You have straight flush, ace high.",
        "Play or fold? [fold] / play $10:",
        "$10 on Play.",
        'Dealer: 2♣ 3♦ 9♠ "Dealer has high card, nine-three high: the dealer does not qualify"',
        '"You have straight flush, ace high"',
        "The dealer pays $50: Ante bonus, 5 to 1.",
        "Ante bonus wins +$50",
        "Play: $10 comes back, neither won nor lost.",
        "Ante bonus: straight flush: 5 to 1 on the ante wager wins $50. [19:47-20.11(a)3]",
    )
    assert "Seat 1" not in visit.page
    assert visit.stack == SEVEN_HUNDRED + 1000 + 5000 + 20_000


def test_caribbean_stud_poker_pays_from_its_meter() -> None:
    lines = ("10 on ante, 1 on progressive", "", "bet", "why progressive", "odds progressive")
    draws = cards("9h Kh Qh Jh Th", "2c 3d 9s As Kd")
    visit = Visit("caribbean-stud-poker", *lines, draws=draws)
    visit.says(
        "The progressive meter shows $10,000.70.",
        "You: 9♥ K♥ Q♥ J♥ 10♥ Dealer: ▒▒ ▒▒ ▒▒ ▒▒ K♦",
        "Bet or fold? [fold] / bet $20:",
        "Bet $20 wins +$1,000",
        "Stack $2,709.07 · jackpot $9,000.63",
        "Progressive: straight flush: $1 wins $999.07, and comes back. [19:47-16.11 (published)]",
        "With the jackpot at $9,000.63: Progressive: house edge 61.130%",
        "royal flush +8,999.63",
    )


def test_double_down_stud_shows_all_but_the_last_card() -> None:
    lines = ("10 on original", "", "hint", "double", "recent")
    visit = Visit("double-down-stud", *lines, draws=cards("Ah", "Ad Ac 4d As"))
    visit.says(
        "You: A♥ Board: A♦ A♣ 4♦ ▒▒ ",
        "Stand or double? [stand] / double $10:",
        "double 1x +8.9583, stand +4.4792 (in units of the original)",
        "You: A♥ Board: A♦ A♣ 4♦ A♠ ",
        "You: A♥ Board: A♦ A♣ 4♦ A♠ +$1,000",
    )


LET_IT_RIDE = cards("Th Td 4c", "9h 5s", "2c")


@pytest.mark.parametrize("said", ["withdraw", "withdraw 1", "withdraw_1", "Withdraw", ""])
def test_let_it_ride_says_which_wager_comes_back(said: str) -> None:
    lines = ("10 on base 1", "", said, "let it ride")
    visit = Visit("let-it-ride-poker", *lines, draws=LET_IT_RIDE, width=80)
    visit.says(
        "As much lies on Base 2 and Base 3, which must equal it.",
        "Take back the first wager or let it ride? [withdraw ($10 of Base 1)] / let ride:",
        "The dealer returns Base 1. You: 10♥ 10♦ 4♣ Board: 9♥ ▒▒",
        "Take back the second wager or let it ride? [withdraw ($10 of Base 2)] / let ride:",
        "Base 1 $10 comes back Base 2 $10 wins +$10 Base 3 $10 wins +$10",
    )
    assert visit.page.count("comes back") == 1  # once, when the round is over
    assert visit.stack == SEVEN_HUNDRED + 2000


@pytest.mark.parametrize("said", ["let it ride", "let ride", "let ride 1", "LET_RIDE_1"])
def test_a_wager_rides_in_many_words(said: str) -> None:
    lines = ("10 on base 1", "", said, "withdraw", "why base 1")
    visit = Visit("let-it-ride-poker", *lines, draws=LET_IT_RIDE)
    visit.says("Base 1: pair of tens or better: $10 at 1 to 1 wins $10")
    assert visit.stack == SEVEN_HUNDRED + 2000


def test_four_card_poker_is_played_for_one_to_three_times_the_ante() -> None:
    lines = ("10 on ante", "", "play", "play 25", "play 40", "bet 20", "4x", "30", "why")
    draws = cards("Ah Ad Ac As 4c", "5c 6c 7c 4d 8s 4h")
    visit = Visit("four-card-poker", *lines, draws=draws)
    visit.says(
        "You: A♥ A♦ A♣ A♠ 4♣ Dealer: ▒▒ ▒▒ ▒▒ ▒▒ ▒▒ 4♥ ",
        "Play or fold? [fold] / play $10, $20 or $30:",
        "Play how much? Say play $10, $20 or $30.",
        "Play $25 is not possible: say play $10, $20 or $30 [",
        "Play $40 is not possible",
        "Say fold or play $10, $20 or $30.",
        "$30 on Play.",
        "25 to 1 on the ante wager wins $250.",
    )
    assert visit.page.count("Play $40 is not possible") == 2


def test_texas_hold_em_bonus_poker_names_every_bet() -> None:
    lines = ("10 on ante, 5 on bonus", "", "bet", "bet", "check")
    visit = Visit("texas-hold-em-bonus-poker", *lines, draws=SUITED_ACE_KING)
    visit.says(
        "Bet or fold? [fold] / bet $20:",
        "$20 on Flop.",
        "You: A♥ K♥ Board: 5♣ 6♣ 7♣ You have high card, ace-king high. Check or bet? [check] / "
        "bet $10:",
        "$10 on Turn.",
        "You: A♥ K♥ Board: 5♣ 6♣ 7♣ 8♠ A♦ ",
        "The dealer pays $125: Bonus, 25 to 1.",
        "Flop $20 wins +$20",
    )
    assert "River" not in visit.page


def test_ultimate_texas_hold_em_is_bet_once() -> None:
    lines = ("10 on ante, 5 on trips", "", "check", "bet", "why")
    visit = Visit("ultimate-texas-hold-em", *lines, draws=ACE_SEVEN)
    visit.says(
        "As much lies on Blind, which must equal it.",
        "You: A♥ 7♣ Dealer: ▒▒ ▒▒ ",
        "Check or bet? [check] / bet $30 or $40:",
        "You: A♥ 7♣ Board: 7♦ 2♠ K♣ You have pair, sevens, ace, king and two kickers. "
        "Check or bet? [check] / bet $20:",
        "You: A♥ 7♣ Board: 7♦ 2♠ K♣ 3♦ 9♠ ",
        '"Dealer has high card, king-queen high: the dealer does not qualify"',
        "Ante $10 comes back Play $20 wins +$20 Blind $10 comes back Trips $5 loses -$5",
        "Stack $715 ",
    )
    assert visit.page.count("Check or bet?") == 2


def test_premium_hold_em_spins_its_wheel() -> None:
    given_ = {
        "bonus_spin_table": "S1",
        "bonus_spin_weights": "1,9,9,9,9,9,9,9,9,9,9,9",
    }
    lines = ("10 on ante, 5 on bonus spin", "", "bet", "why bonus spin")
    visit = Visit("premium-hold-em", *lines, given=given_, chance=SeededStream(4))
    visit.says(
        "the meter shows $10,000.35.",
        "You: 6♥ 7♥ 4♥ Dealer: ▒▒ ▒▒ ▒▒ Board: ▒▒ ▒▒ ▒▒ ▒▒ ",
        "Check or bet? [check] / bet $30:",
        "You: 6♥ 7♥ 4♥ Dealer: 6♣ A♥ A♠ Board: 6♠ Q♦ 3♥ K♣ ",
        "You are marked to spin the wheel. The dealer takes $10: Ante.",
        'Spin: 10 "Position 10: $1,000 for you" The dealer pays $995: Bonus spin.',
        "jackpot $10,000.35",
    )


# What stands between rounds.


@pytest.mark.parametrize(
    "game",
    ["caribbean-stud-poker", "double-down-stud", "let-it-ride-poker", "three-card-poker",
     "four-card-poker", "texas-hold-em-bonus-poker", "ultimate-texas-hold-em", "premium-hold-em"],
)  # fmt: skip
def test_the_housekeeping_of_the_pack_is_not_told(game: str) -> None:
    first = find_game(game).main[0]  # type: ignore[attr-defined]
    lines = (f"10 on {first}", "stack", "", *[""] * 3, "rebet", "", *[""] * 3, "stack")
    visit = Visit(game, *lines, chance=SeededStream(7))
    status = [line for line in visit.page.splitlines() if line.startswith("Stack ")]
    assert len(status) >= 4
    for line in status:
        for word in ("pack", "uncounted", "face up", "decided", "meter", "staked"):
            assert f"{word}:" not in line


def test_what_the_dealer_does_every_time_is_told_once() -> None:
    lines = ("10 on ante", "", "", "", "", "rebet", "", "", "", "", "shuffle")
    visit = Visit("ultimate-texas-hold-em", *lines, draws=ACE_SEVEN * 2)
    assert visit.page.count("No more bets") == 2
    for step in ("washed", "gives each hand a packet", "to the discard rack"):
        assert visit.page.count(step) == 1
    assert visit.page.count("One card is burnt.") == 2  # both of the first round
    visit.says("A device shuffles the cards. [19:47-32.4 (after 13:69F-40.4(a))]")


def test_the_first_shuffle_is_told_with_the_opening_of_the_table() -> None:
    given_ = {"automated_shuffler": "no", "deal_method": "manual_shoe"}
    lines = ("shuffle", "10 on ante", "", "shuffle", "fold", "shuffle")
    draws = cards("Ah 2c Kh 3d Qh 9s")
    visit = Visit("three-card-poker", *lines, draws=draws, given=given_)
    visit.says("No cards have been shuffled yet.")
    _, opening, after = visit.page.split("'shuffle'")[1:]
    assert opening.count("washed. [19:47-20.4") == 1
    assert opening.index("The dealer shuffles") < opening.index("The dealer cuts the cards")
    again = after.split("$")[0]
    assert "washed" not in again
    assert again.index("The dealer shuffles") < again.index("The dealer cuts the cards")


def test_the_pack_is_counted_when_it_is() -> None:
    """Every fifth round: it is told the first time, and not before."""
    given_ = {"automated_shuffler": "no", "deal_method": "manual_shoe"}
    lines = ("5 on ante", "", "", *("rebet", "", "") * 5)
    visit = Visit("three-card-poker", *lines, given=given_, chance=SeededStream(3))
    assert visit.page.count("No more bets") == 6
    before, _, after = visit.page.partition("The dealer counts the stub face down.")
    assert before.count("No more bets") == 5
    assert after


def test_rebet_lays_what_must_lie_beside_it_once() -> None:
    lines = ("10 on ante, 5 on trips", "", "", "", "", "rebet")
    visit = Visit("ultimate-texas-hold-em", *lines, draws=ACE_SEVEN)
    assert visit.bets == {"ante": 1000, "blind": 1000, "trips": 500}
    assert "above the most" not in visit.page
    visit = Visit("let-it-ride-poker", "10 on base 1", "", "", "", "rebet", draws=LET_IT_RIDE)
    assert visit.bets == {"base_1": 1000, "base_2": 1000, "base_3": 1000}


def test_there_is_nothing_to_watch_without_a_wager() -> None:
    visit = Visit("three-card-poker", "", "deal")
    visit.says("Nothing is on the layout. Bet first.", "Nobody plays, and no cards are dealt.")
    assert "to watch" not in visit.page


# Moves and their price.


@pytest.mark.parametrize(
    ("said", "staked"),
    [("bet 30", 3000), ("bet $40", 4000), ("40", 4000), ("bet 3x", 3000), ("bet 4 x", 4000),
     ("4X", 4000), ("BET 4x", 4000)],
)  # fmt: skip
def test_a_bet_is_said_in_dollars_or_in_antes(said: str, staked: int) -> None:
    visit = Visit("ultimate-texas-hold-em", "10 on ante", "", said, draws=ACE_SEVEN)
    assert {each.bet.wager.id: each.stake for each in visit.session.last_round}["play"] == staked


@pytest.mark.parametrize("said", ["bet", "bet 20", "bet $20", "bet 2x", "Bet $20.00"])
def test_a_bet_of_one_price_may_be_said_with_it(said: str) -> None:
    visit = Visit("ultimate-texas-hold-em", "10 on ante", "", "check", said, draws=ACE_SEVEN)
    visit.says("$20 on Play.")


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("bet 15", "Bet is $20 here: say bet [19:47-32.10 (published)]."),
        ("bet 3x", "Bet is $20 here: say bet"),
        ("bet lots", "'lots' is not an amount of money"),
        ("check 20", "Check takes no amount: say check."),
        ("20", "Say check or bet $20."),
        ("raise", "Say check or bet $20."),
        ("fold", "Say check or bet $20."),
    ],
)
def test_a_move_that_is_none_is_answered(said: str, why: str) -> None:
    lines = ("10 on ante", "", "check", said, "check", "fold")
    visit = Visit("ultimate-texas-hold-em", *lines, draws=ACE_SEVEN)
    visit.says(why)
    assert visit.stack == SEVEN_HUNDRED - 2000


def test_nobody_bets_more_than_the_stack_at_a_decision() -> None:
    lines = ("300 on ante", "", "bet", "fold")
    visit = Visit("caribbean-stud-poker", *lines, draws=cards("Ah Kd 9c 5s 2h", "2c 3d 9s As 9d"))
    visit.says("$600 is more than the $400 in your stack.")
    assert visit.stack == SEVEN_HUNDRED - 30_000


def test_the_cards_can_be_seen_again_at_a_decision() -> None:
    lines = ("10 on ante", "", "check", "layout", "help", "check", "fold")
    visit = Visit("ultimate-texas-hold-em", *lines, draws=ACE_SEVEN)
    after = visit.text.split("'layout'")[1]
    assert after.strip().startswith(
        "You: A♥ 7♣ Dealer: ▒▒ ▒▒ Board: 7♦ 2♠ K♣ You have pair, sevens, ace, king and two "
        "kickers. Stack $680 · on the layout: Ante $10, Blind $10 Check or bet?"
    )
    visit.says("5 on ante bet; several bets", "hint at a decision, see what each move is worth")
    assert "…" not in visit.page


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("bet", "How much, and on what? Say it as in: 5 on ante."),
        ("bet 20", "$20 on what? Say it as in: 5 on ante."),
        ("wager", "How much, and on what?"),
        ("10 on play", "it is made in the course of the round"),
        ("10 on blind", "blind is made together with the ante wager"),
    ],
)
def test_a_move_out_of_turn_is_no_bet(said: str, answer: str) -> None:
    assert answer.lower() in Visit("ultimate-texas-hold-em", said).text.lower()


# Hints.


def test_a_hint_before_the_flop_comes_from_the_solved_game() -> None:
    lines = ("10 on ante", "", "hint", "bet 4x")
    visit = Visit("ultimate-texas-hold-em", *lines, draws=ACE_SEVEN)
    visit.says("bet 4x +0.4660, bet 3x +0.2892, check +0.1392 (in units of the ante)")
    assert visit.page.count("Check or bet?") == 2  # the question is asked again


def test_a_hint_with_a_board_counts_what_is_to_come() -> None:
    lines = ("10 on ante", "", "check", "hint", "check", "hint", "bet")
    visit = Visit("ultimate-texas-hold-em", *lines, draws=ACE_SEVEN)
    visit.says(
        "bet 2x +1.0017, check +0.5222 (in units of the ante)",
        "bet 1x +0.0283, fold -2.0000 (in units of the ante)",
    )


def test_a_hint_sees_the_dealers_card_and_leaves_side_wagers_apart() -> None:
    lines = ("10 on ante, 1 on progressive", "", "hint", "bet")
    draws = cards("Ah Kd 9c 5s 2h", "2c 3d 9s As 9d")
    visit = Visit("caribbean-stud-poker", *lines, draws=draws)
    visit.says("bet 2x -0.9915, fold -1.0000 (in units of the ante, side wagers apart)")


def test_a_hint_counts_what_was_left_to_ride() -> None:
    lines = ("10 on base 1", "", "hint", "let it ride", "hint", "withdraw")
    visit = Visit("let-it-ride-poker", *lines, draws=cards("Ah Kd 9c", "9d 5s", "2c"))
    visit.says(
        "withdraw 1 -0.3138, let ride 1 -0.7755 (in units of base 1)",
        "withdraw 2 -0.9167, let ride 2 -1.3750 (in units of base 1)",
    )


def test_there_is_a_time_for_hints() -> None:
    visit = Visit("three-card-poker", "hint")
    visit.says("There is nothing to decide now: ask for a hint when you are asked.")
    visit = Visit("red-dog", "hint", "10 on ante", "", "", "hint", draws=cards("2c", "8h Td 9s"))
    assert visit.page.count("Hints are given at poker.") == 2
    assert "hint" not in Visit("roulette", "help").page.split("'help'")[1]


def test_whoever_waits_for_a_hint_may_interrupt_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*args: Any, **kwargs: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr("croupier.analysis.advise.advise", interrupted)
    lines = ("10 on ante", "", "hint", "check", "check", "fold")
    visit = Visit("ultimate-texas-hold-em", *lines, draws=ACE_SEVEN)
    visit.says("Stopped. Check or bet? [check] / bet $30 or $40:")
    assert visit.stack == SEVEN_HUNDRED - 2000


def test_odds_may_be_interrupted_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*args: Any, **kwargs: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr("croupier.analysis.analyze", interrupted)
    visit = Visit("ultimate-texas-hold-em", "odds", "odds trips", "10 on ante")
    assert visit.page.count("Stopped.") == 2
    assert visit.bets == {"ante": 1000, "blind": 1000}


def test_who_plays_is_told_that_a_game_is_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    """In words, where no bar can be drawn."""

    def slow(*args: Any, watch: Any, **kwargs: Any) -> Any:
        watch.compiles()
        watch.counts(27_813_810_024_000)
        watch.done(1.0)
        return []

    monkeypatch.setattr("croupier.analysis.analyze", slow)
    Visit("ultimate-texas-hold-em", "odds").says(
        "Compiling the solver, this once: about half a minute.",
        "Counting 27.8 trillion deals, this once: it may take a minute or two.",
    )


def test_odds_name_the_whole_hand() -> None:
    visit = Visit("ultimate-texas-hold-em", "odds", "odds play", "odds nothing", width=80)
    visit.says(
        "Ante, the whole hand with Play and Blind 2.185%",
        "Ante, the whole hand with Play and Blind: house edge 2.185%, exactly "
        "50643648973/2317817502000.",
        "ante, play win; blind straight flush",
        "There is no wager 'nothing' at this table",
    )
    assert max(map(len, visit.page.splitlines())) <= 80


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(
    "game", ["ultimate-texas-hold-em", "premium-hold-em", "texas-hold-em-bonus-poker"]
)
def test_a_hint_never_knows_more_than_the_player(
    game: str, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The cards that are asked about are those that were shown to the seat."""
    sessions: list[Session] = []
    asked: list[tuple[set[str], set[str]]] = []

    def noted(poker: Any, options: Any, own: Any, board: Any, up: Any, **terms: Any) -> Any:
        told = sessions[0].table.view("1")["events"]
        seen = {event["outcome"] for event in told if "outcome" in event}
        seen |= {card for event in told for card in event.get("cards", ())}
        asked.append(({str(card) for card in (*own, *board, *up)}, seen))
        raise KeyboardInterrupt

    monkeypatch.setattr("croupier.analysis.advise.advise", noted)
    begin = Session.run

    def run(session: Session) -> None:
        sessions.append(session)
        begin(session)

    monkeypatch.setattr(Session, "run", run)
    lines = ("10 on ante", "", *("hint", "check", "hint", "bet", "hint", "bet 10") * 2)
    Visit(game, *lines, chance=SeededStream(seed))
    assert asked
    for known, seen in asked:
        assert known <= seen


def test_a_refusal_by_the_table_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*args: Any, **kwargs: Any) -> Any:
        raise Refusal(Fault.NOT_PAYABLE, "these payments are too large to be counted exactly")

    monkeypatch.setattr("croupier.analysis.analyze", refused)
    monkeypatch.setattr("croupier.analysis.advise.advise", refused)
    lines = ("odds", "10 on ante", "", "hint", "fold")
    visit = Visit("three-card-poker", *lines, draws=cards("Ah Kh Qh", "2c 3d 9s"))
    assert visit.page.count("These payments are too large to be counted exactly.") == 2
