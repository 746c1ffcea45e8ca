"""A table in the terminal: scripted visits, nonsense of every kind, and money to the cent."""

import io
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from croupier.analysis.streams import SeededStream
from croupier.cli.play import LONGEST, Session
from croupier.games import find_game, registry
from croupier.rulebook import LAYOUT, Ask, Move, Table, Unlawful, law

GAMES = list(registry())
SEVEN_HUNDRED = 70_000


class Chosen:
    """Chance that gives these outcomes of the equipment, one after the other."""

    def __init__(self, game: str, given: dict[str, Any], outcomes: Sequence[Any]) -> None:
        self.device = find_game(game).device(find_game(game).options(given))
        self.outcomes = iter(outcomes)

    def below(self, n: int) -> int:
        outcome = self.device.read(next(self.outcomes))
        if len(self.device.outcomes()) != n:
            raise AssertionError("a different device is in use")
        place = list(self.device.outcomes()).index(outcome)
        self.device.take(outcome)
        return place


def typed(lines: Sequence[str]) -> Callable[[str], str]:
    """A reader of these lines, after which there is no more."""
    left = iter(lines)

    def read(prompt: str) -> str:
        for line in left:
            return line
        raise EOFError

    return read


class Visit:
    """A visit to a table: what was typed, what chance gave, and what was printed."""

    def __init__(
        self,
        game: str,
        *lines: str,
        draws: Sequence[Any] = (),
        given: dict[str, Any] | None = None,
        stack: int = SEVEN_HUNDRED,
        width: int = 100,
        read: Callable[[str], str] | None = None,
    ) -> None:
        self._page = io.StringIO()
        self._read = read or typed(lines)
        console = Console(file=self._page, width=width, highlight=False)
        chance = Chosen(game, given or {}, draws)
        self.session = Session(find_game(game), given or {}, stack, console, chance, self._echo)
        self.session.run()

    def _echo(self, prompt: str) -> str:
        """A terminal shows the prompt, and what is typed after it."""
        self._page.write(prompt)
        line = self._read(prompt)
        self._page.write(f"{line[:20]!a}\n")
        return line

    @property
    def page(self) -> str:
        return self._page.getvalue()

    @property
    def text(self) -> str:
        return re.sub(r"\s+", " ", self.page)

    @property
    def stack(self) -> int:
        return self.session.stack

    @property
    def bets(self) -> dict[str, int]:
        return {bet.label: bet.stake for bet in self.session.lying}

    def says(self, *sentences: str) -> None:
        for sentence in sentences:
            assert sentence in self.text, self.page


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
    Visit("keno", "odds straight 4").says("4_of_4 +111 0.3063% 326.4 34.3100% 969/316316")


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
    draws = list(range(1, 21)) if game == "keno" else [_some_outcome(game)]
    lines = ("odds", "rules", "help", "5 on nothing like it", "deal")
    visit = Visit(game, *lines, width=60, draws=draws)
    assert max(map(len, visit.page.splitlines())) <= 60


def _some_outcome(game: str) -> Any:
    device = find_game(game).device(find_game(game).options())
    return device.say(device.outcomes()[-1])


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


# Decisions with an amount. No game on the floor asks for one yet.


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
    assert "'dance' is not an amount of money" in page
    assert "seat 1 may play (500 to 2000 cents), not 300 [19:47-20.10]" in page.lower()
    assert answered(ask, "fold")[0] == "fold"
    assert answered(ask, "20")[0] == {"play": 2000}
    assert answered(ask, "")[0] == "fold"
    assert answered(ask)[0] == "fold"


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


def test_a_mistyped_command_is_named() -> None:
    Visit("roulette", "lyout").says("There is no command 'lyout'; is it layout?")
    Visit("roulette", "spin 5 on red").says("There is no command 'spin 5 on red'; is it spin?")


def test_a_line_that_is_too_long_is_not_read() -> None:
    Visit("roulette", "x" * (LONGEST + 1)).says("That is longer than any bet.")


WORDS = (
    "5 10 12 $6 600 2.50 0 -1 1e9 on and , the pass dont come odds place hard 6 8 17 17-20 red "
    "dozen first Ks single card joker one of a kind 3 big 1 2 straight 1-2-3-4 way 1-2-3/4-5-6@6 "
    "3*straight_4:1-2-3-4 field any 7 take down remove clear rebet why rules help odds layout "
    "deal roll spin go always keep pass_dice accept decline off [red] 😀 \x1b quit"
).split(" ")
LINES = st.one_of(
    st.text(max_size=40),
    st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join),
    st.sampled_from(("", "deal", "rebet", "clear", "5 on pass", "10 on red", "5 on field")),
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


def test_no_color_is_respected() -> None:
    done = piped("roulette", said=b"", NO_COLOR="1", FORCE_COLOR="1")
    assert not re.search(rb"\x1b\[[0-9;]*[34][0-7]", done.stdout)
    assert b"17b" in done.stdout
