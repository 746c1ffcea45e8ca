"""What is drawn: cards that nobody may see stay hidden, and everything fits the terminal."""

import io
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from croupier.cli.felts import (
    BACCARATS,
    FELTS,
    Ink,
    Seen,
    baccarat_felt,
    card_in_words,
    cards,
    roads,
)
from croupier.games import find_game
from croupier.games.scoreboard import Hand, Mark
from croupier.rulebook import Event, Table

SIGNS = Ink()
LETTERS = Ink(letters=True)
GAP = "\N{NO-BREAK SPACE}"


def dealt(*events: tuple[str, dict[str, Any]]) -> Seen:
    seen = Seen()
    for kind, data in events:
        assert seen.note(Event(kind, data))
    return seen


def line(seen: Seen, ink: Ink = SIGNS, counts: bool = True) -> str:
    return seen.line(seen.take_news(), ink, counts).plain.replace(GAP, " ")


# Terminals.


def test_ink_follows_the_terminal() -> None:
    plain = Console(file=io.StringIO(), width=60)
    assert Ink.of(plain) == Ink(color=False, letters=False, width=60)
    colored = Console(file=io.StringIO(), width=90, force_terminal=True, color_system="standard")
    assert Ink.of(colored) == Ink(color=True, letters=False, width=90)
    forbidden = Console(file=io.StringIO(), width=90, force_terminal=True, no_color=True)
    assert not Ink.of(forbidden).color
    narrow = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    assert Ink.of(Console(file=narrow)).letters


# Cards.


def test_a_card_is_written_as_on_its_corner() -> None:
    said = ["Ah", "Td", "2c", "Qs", "Jk", ""]
    assert [card_in_words(card, SIGNS) for card in said] == ["A♥", "10♦", "2♣", "Q♠", "Jk", "▒▒"]
    assert [card_in_words(card, LETTERS) for card in said] == ["Ah", "Td", "2c", "Qs", "Jk", "##"]


def test_the_red_suits_are_red() -> None:
    styles = {span.start: span.style for span in cards(["Ah", "2c", "Td"], SIGNS).spans}
    assert styles == {0: "red", 6: "red"}


def test_a_hand_is_not_torn_apart_at_the_end_of_a_line() -> None:
    seen = dealt(*[("draw", {"to": hand, "outcome": "5h"}) for hand in ("player", "banker") * 2])
    page = io.StringIO()
    Console(file=page, width=20).print(seen.line(["player", "banker"], SIGNS, counts=True))
    lines = [text.rstrip() for text in page.getvalue().replace(GAP, " ").splitlines()]
    assert lines == ["Player: 5♥ 5♥ (0)", "Banker: 5♥ 5♥ (0)"]


def test_cards_are_told_hand_by_hand_with_their_counts() -> None:
    draws = [("player", "5h"), ("banker", "Ks"), ("player", "4d"), ("banker", "6c")]
    seen = dealt(*[("draw", {"to": hand, "outcome": card}) for hand, card in draws])
    assert line(seen) == "Player: 5♥ 4♦ (9)   Banker: K♠ 6♣ (6)"
    assert line(seen) == ""
    seen.note(Event("draw", {"to": "banker", "outcome": "9s"}))
    assert line(seen) == "Banker: K♠ 6♣ 9♠ (5)"


def test_a_card_face_down_is_not_shown_nor_counted_until_it_is_turned() -> None:
    down = {"to": "banker", "face_down": True}
    seen = dealt(("draw", down), ("draw", down))
    assert line(seen) == "Banker: ▒▒ ▒▒"
    seen.note(Event("reveal", {"hand": "banker", "cards": ["Ks", "6c"]}))
    assert line(seen) == "Banker: K♠ 6♣ (6)"
    seen.note(Event("draw", down))
    assert line(seen) == "Banker: K♠ 6♣ ▒▒"
    seen.note(Event("reveal", {"hand": "banker", "cards": ["9s"]}))
    assert line(seen) == "Banker: K♠ 6♣ 9♠ (5)"


def test_what_the_player_has_looked_at_is_no_news_when_it_is_turned() -> None:
    down = {"to": "1", "face_down": True}
    seen = dealt(("draw", down), ("look", {"to": "1", "outcome": "Ks"}))
    assert line(seen, counts=False) == "You: K♠"
    seen.note(Event("reveal", {"hand": "1", "cards": ["Ks"]}))
    assert line(seen) == ""


def test_two_cards_are_turned_beside_a_third_that_is_known() -> None:
    down = {"to": "player", "face_down": True}
    seen = dealt(("draw", down), ("draw", down), ("draw", {"to": "player", "outcome": "9s"}))
    assert line(seen) == "Player: ▒▒ ▒▒ 9♠"
    seen.note(Event("reveal", {"hand": "player", "cards": ["2h", "3d"]}))
    assert line(seen) == "Player: 2♥ 3♦ 9♠ (4)"


def test_burnt_cards_are_shown_only_if_anyone_saw_them() -> None:
    down = {"to": "burn", "face_down": True}
    assert line(dealt(("draw", down), ("draw", down))) == ""
    assert line(dealt(("draw", {"to": "burn", "outcome": "Ks"}))) == "Burnt: K♠"


def test_a_card_that_was_set_aside_comes_into_its_hand() -> None:
    seen = dealt(("set_aside", {"to": "player", "outcome": "Ks"}))
    assert line(seen) == "Player: K♠ (0)"


@pytest.mark.parametrize("kind", ["spin", "throw", "announce", "travel", "score", "wager"])
def test_other_events_are_not_about_cards(kind: str) -> None:
    assert not Seen().note(Event(kind, {"to": "4", "outcome": "17", "text": "no"}))
    assert not Seen().note(Event("draw", {"outcome": 17}))  # a ball


# Felts.


def felt(table: Table, seen: Seen | None = None, **ink: Any) -> list[str]:
    return FELTS[table.game.id](table, seen or Seen(), Ink(**ink)).plain.splitlines()


def test_a_baccarat_felt_has_a_box_for_every_wager_that_is_offered() -> None:
    given_ = {"offer_total_cards": "yes", "offer_bonus": "yes"}
    table = Table(find_game("minibaccarat"), given_)
    table.bet("1", "banker", 1000)
    table.bet("3", "banker", 2000)
    table.bet("1", "total_cards_4", 1000)
    rows = [[box.strip() for box in row.split("|")[:-1]] for row in felt(table)]
    assert rows == [
        ["Player's Hand", "Banker's Hand"],
        ["TIE"],
        ["BANKER  $10, seat 3 $20"],
        ["PLAYER"],
        ["4 CARDS  $10", "5 CARDS", "6 CARDS"],
        ["PLAYER BONUS", "BANKER BONUS"],
    ]
    assert len(felt(Table(find_game("minibaccarat")))) == 4


def test_a_felt_shows_the_hands_as_the_player_has_seen_them() -> None:
    down = {"to": "banker", "face_down": True}
    draws: list[tuple[str, dict[str, Any]]] = [("draw", {"to": "player", "outcome": "Th"})]
    seen = dealt(*draws, ("draw", down), ("draw", {"to": "player", "outcome": "9s"}))
    hands = [box.strip() for box in felt(Table(find_game("minibaccarat")), seen)[0].split("|")]
    assert hands[:2] == ["Player's Hand  10♥ 9♠  9", "Banker's Hand  ▒▒"]


def test_a_chemin_de_fer_felt_shows_whose_the_bank_is() -> None:
    table = Table(find_game("baccarat-chemin-de-fer"))
    table.bet("2", "bank", 5000)
    table.bet("1", "punt", 2000)
    boxes = [row.strip("| ") for row in felt(table)[1:]]
    assert boxes == ["BANK  seat 2 $50", "BANCO", "PUNT  $20"]


@pytest.mark.parametrize("width", [20, 40, 60, 61, 100, 200])
@pytest.mark.parametrize("game", BACCARATS)
def test_a_felt_has_straight_edges_and_fits(game: str, width: int) -> None:
    table = Table(find_game(game))
    first = next(iter(table.openings("1"))).wager.id
    table.bet("1", first, 500_000)
    widths = {len(row) for row in felt(table, width=width)}
    assert len(widths) == 1
    assert widths.pop() <= width


def test_a_colored_felt_has_the_colors_of_the_house() -> None:
    text = baccarat_felt(Table(find_game("minibaccarat")), Seen(), Ink(color=True))
    shades = {text.plain[span.start : span.end].strip(): span.style for span in text.spans}
    assert shades["BANKER"] == "bold white on red"
    assert shades["PLAYER"] == "bold white on blue"
    assert shades["TIE"] == "bold white on green"
    assert "|" not in text.plain


# Roads.


def shoe(letters: str) -> list[Mark]:
    winners = {"B": Hand.BANKER, "P": Hand.PLAYER, "T": Hand.TIE}
    return [Mark(winners[letter]) for letter in letters]


def test_the_roads_of_a_short_shoe() -> None:
    """Two bankers, a tie, two players, a banker.

    The second player is beside the second banker: red. The third column begins after two
    columns of one length: red. Nothing can be said of the roads that look further back.
    """
    drawn = roads(shoe("BBTPPB"), SIGNS).plain.splitlines()
    assert [row.rstrip() for row in drawn] == [
        "Bead plate     Big road",
        "B . . . . .    B P B . .",
        "B . . . . .    b P . . .",
        "T . . . . .    . . . . .",
        "P . . . . .    . . . . .",
        "P . . . . .    . . . . .",
        "B . . . . .    . . . . .",
        "",
        "Big eye boy    Small road     Cockroach pig",
        "● . . . . .    . . . . . .    . . . . . . .",
        "● . . . . .    . . . . . .    . . . . . . .",
        *[". . . . . .    . . . . . .    . . . . . . ."] * 4,
        "",
        "Banker 3 · Player 2 · Tie 1 · naturals 0 · 6 coups",
        "Small letters: a tie followed. ● regular, ○ choppy.",
    ]


def test_roads_in_letters() -> None:
    drawn = roads(shoe("BBTPPBPP"), LETTERS).plain
    assert drawn.isascii()
    assert "x regular, o choppy" in drawn
    assert "x o" in drawn.splitlines()[9]


def test_a_long_road_shows_its_end() -> None:
    """A hundred columns of one: the last is the player's."""
    drawn = roads(shoe("BP" * 50), Ink(width=60)).plain.splitlines()
    assert "Big road …" in drawn[0]
    assert drawn[1].rstrip().endswith("B P")
    assert all(len(row) <= 60 for row in drawn)


def test_boards_stand_under_each_other_in_a_very_narrow_terminal() -> None:
    titles = [row.strip() for row in roads(shoe("BPPT"), Ink(width=30)).plain.splitlines()]
    names = ["Bead plate", "Big road", "Big eye boy", "Small road", "Cockroach pig"]
    assert [title for title in titles if title in names] == names


def test_winners_are_colored_and_so_are_the_derived_roads() -> None:
    text = roads(shoe("BBTPPBPP"), SIGNS)
    styles = {(text.plain[span.start : span.end], str(span.style)) for span in text.spans}
    assert {("B", "bold red"), ("P", "bold blue"), ("T", "bold green")} <= styles
    assert {("●", "red"), ("○", "blue")} <= styles


@given(letters=st.text("BPT", max_size=120), width=st.integers(30, 120))
def test_no_board_is_wider_than_the_terminal(letters: str, width: int) -> None:
    drawn = roads(shoe(letters), Ink(width=width)).plain.splitlines()
    boards = drawn[:-2]
    assert all(len(row) <= width for row in boards)
    assert f"{len(letters)} coup" in drawn[-2]
