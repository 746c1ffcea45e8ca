"""Poker on the command line: what hands are worth, what each move is, and what may not be asked."""

import json
import re
from fractions import Fraction
from typing import Any

import pytest
from rich.console import Console

from croupier.analysis import analyze
from croupier.cli import show
from croupier.cli.app import run
from croupier.games import find_game
from tests.cli.support import Captured, complaint, document

POKER = [
    "caribbean-stud-poker", "double-down-stud", "let-it-ride-poker", "three-card-poker",
    "four-card-poker", "texas-hold-em-bonus-poker", "ultimate-texas-hold-em", "premium-hold-em",
]  # fmt: skip
SPINS = ("--set", "bonus_spin_table=S1", "--set", "bonus_spin_weights=1,9,9,9,9,9,9,9,9,9,9,9")


@pytest.fixture(params=[80, 120])
def page(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A terminal of this many columns."""
    monkeypatch.setattr(show, "console", Console(width=request.param, highlight=False))
    return request.param


@pytest.fixture
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(show, "console", Console(width=80, highlight=False))


def printed(capsys: Captured, *args: str) -> str:
    """What a command prints for people, blanks at the ends of lines apart."""
    assert run(args) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return "\n".join(map(str.rstrip, out.splitlines()))


def in_words(text: str) -> str:
    return re.sub(r"\s+", " ", text)


# analyze


@pytest.mark.parametrize("game", POKER)
def test_every_hand_is_reported_under_its_first_wager(capsys: Captured, game: str) -> None:
    told = document(capsys, "analyze", game)
    found = find_game(game)
    assert not [name for name in told["wagers"] if found.by_id[name].joins]
    hand = told["wagers"][found.main[0]]  # type: ignore[attr-defined]
    assert sum(Fraction(often) for often in hand["frequencies"].values()) == 1
    assert sum(Fraction(each["probability"]) for each in hand["outcomes"]) == 1
    edge, risk = (Fraction(hand[name]["exact"]) for name in ("house_edge", "element_of_risk"))
    assert 0 < risk < edge < Fraction(6, 100)


@pytest.mark.parametrize("game", POKER)
def test_nothing_is_wider_than_the_terminal(capsys: Captured, page: int, game: str) -> None:
    """And no id, no number and no word is broken at its end."""
    text = printed(capsys, "analyze", game, "--outcomes")
    assert max(map(len, text.splitlines())) <= page
    for report in analyze(find_game(game), find_game(game).options()):
        assert re.search(rf"^ {report.label} ", text, re.MULTILINE)
        assert f"{float(report.house_edge):.3%}" in text
        for outcome in report.outcomes:
            assert f"{float(outcome.probability):.4%}" in text


@pytest.mark.parametrize("asked", [["play"], ["blind"], ["play", "blind", "ante"]])
def test_any_wager_of_a_hand_reports_the_whole_hand(
    capsys: Captured, narrow: None, asked: list[str]
) -> None:
    named = [word for wager in asked for word in ("--wager", wager)]
    alone = document(capsys, "analyze", "ultimate-texas-hold-em", "--wager", "ante")
    assert document(capsys, "analyze", "ultimate-texas-hold-em", *named) == alone
    text = printed(capsys, "analyze", "ultimate-texas-hold-em", *named)
    assert len(re.findall(r"^ ante  ", text, re.MULTILINE)) == 1
    assert text.count("Starting hands") == 1
    assert "ante stands for the whole hand with play and blind: all is per unit of it." in text


def test_what_is_too_long_for_a_column_is_left_to_the_document(
    capsys: Captured, narrow: None
) -> None:
    text = printed(capsys, "analyze", "premium-hold-em")
    assert "Exact" not in text
    assert "--json has every figure exactly" in text
    text = printed(capsys, "analyze", "three-card-poker")
    assert "128/5525" in text
    assert "see --json" not in text
    assert re.search(r"pair_plus .* 128/5525 +2\.91", text)  # of all money: the same


def test_what_is_never_done_is_said_to_be(capsys: Captured, narrow: None) -> None:
    text = printed(capsys, "analyze", "ultimate-texas-hold-em")
    assert re.search(r"bet 3x +never", text)
    assert re.search(r"check, check, fold +19\.186%", text)


def test_starting_hands_are_a_square(capsys: Captured, narrow: None) -> None:
    text = printed(capsys, "analyze", "ultimate-texas-hold-em")
    _, _, square = text.partition("Starting hands")
    rows = [line.split() for line in square.splitlines()[1:14]]
    assert [len(row) for row in rows] == [13] * 13
    assert rows[0][:3] == ["AA*", "AKs*", "AQs*"]
    assert rows[2][6:9] == ["Q8s*", "Q7s*", "Q6s*"]  # best raised from Q6 suited
    assert rows[2][9] == "Q5s"
    assert [row[at].rstrip("*") for at, row in enumerate(rows)] == [2 * rank for rank in
                                                                    "AKQJT98765432"]  # fmt: skip
    assert "* bet 4x    unmarked: check" in text


def test_the_rarer_move_is_the_one_with_a_mark(capsys: Captured, narrow: None) -> None:
    text = printed(capsys, "analyze", "texas-hold-em-bonus-poker")
    assert "* fold    unmarked: bet 2x" in text
    assert "72o*" in text
    assert "AA*" not in text


def test_the_square_fits_into_a_narrow_terminal(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a hand stands in it tells whether it is suited, too."""
    monkeypatch.setattr(show, "console", Console(width=60, highlight=False))
    text = printed(capsys, "analyze", "ultimate-texas-hold-em")
    rows = text.partition("Starting hands")[2].splitlines()[1:14]
    assert rows[2].split()[6:10] == ["Q8*", "Q7*", "Q6*", "Q5"]
    assert max(map(len, rows)) <= 60


def test_three_own_cards_are_summed_up(capsys: Captured, narrow: None) -> None:
    """Of 1,755 holdings, neighbors that are all played alike share a row."""
    text = in_words(printed(capsys, "analyze", "premium-hold-em"))
    assert "three of a kind 0.24% never always" in text
    assert "pair of A to 6 11.73% never always" in text
    assert "pair of 4 to 2 3.91% always never" in text
    assert "A high, all suited 1.19% 37.9% 62.1%" in text
    assert "K to 4 high, no two suited 23.89% always never" in text


def test_every_decision_has_its_own_list(capsys: Captured, narrow: None) -> None:
    text = printed(capsys, "analyze", "let-it-ride-poker")
    three, _, four = text.partition("With four cards")
    assert "let ride 1 with" in three
    assert "withdraw 1 with" in three
    assert "let ride 2 with" in four
    assert "withdraw_1" not in text
    text = in_words(text)
    assert "With three cards How often withdraw 1 let ride 1 Mistake" in text
    assert "pair of tens or better 11.70% +1.2083 +2.4167 1.2083" in text


def test_outcomes_of_a_hand_are_told_by_the_way_it_was_played(
    capsys: Captured, narrow: None
) -> None:
    args = ("analyze", "ultimate-texas-hold-em", "--wager", "ante", "--outcomes")
    text = printed(capsys, *args)
    lines = [in_words(line) for line in text.splitlines()]
    fold = lines.index(" check, check, fold -2 19.1858% 5.2")
    bet = lines.index(" bet 4x 37.7074% 2.7")
    assert bet < lines.index(" check, bet 2x 21.2846% 4.7") < fold
    assert lines[bet + 1] == " ante, play win; blind royal flush +505 0.0021% 46,639.5"
    assert lines[bet + 2] == " ante push; play win; blind royal flush +504 0.0003% 307,721.6"
    assert " average, total -0.0218 100.0000%" in lines
    assert "_" not in text.partition("Ante  ante")[2]


def test_large_prizes_are_written_out(capsys: Captured, narrow: None) -> None:
    text = printed(capsys, "analyze", "let-it-ride-poker", "--wager", "bonus", "--outcomes")
    assert re.search(r"royal flush +\+19,999 ", text)


def test_payments_are_rounded_and_limited_as_at_a_stake(capsys: Captured, narrow: None) -> None:
    """$100 on each wager at 1,000 to 1 is more than the $50,000 that a hand wins."""

    def edge(*args: str) -> float:
        told = document(capsys, "analyze", "let-it-ride-poker", "--wager", "base_1", *args)
        assert told.get("stake") == (int(args[1]) * 100 if args else None)
        decimal: float = told["wagers"]["base_1"]["house_edge"]["decimal"]
        return decimal

    assert edge() == edge("--stake", "10") < edge("--stake", "100")
    text = printed(capsys, "analyze", "let-it-ride-poker", "--stake", "100")
    assert "with a stake of $100" in text


def test_a_jackpot_shows_what_it_is_said_to(capsys: Captured, narrow: None) -> None:
    asked = ("analyze", "caribbean-stud-poker", "--wager", "progressive")
    first = document(capsys, *asked)
    told = document(capsys, *asked, "--meter", "218,000.55")
    assert "meter" not in first
    assert told["meter"] == 21_800_055
    nets = [each["net"] for each in told["wagers"]["progressive"]["outcomes"]]
    assert nets[0] == 218_000.55 - 1
    text = printed(capsys, *asked, "--meter", "218000.55")
    assert "with a jackpot of $218,000.55" in text


def test_the_wheel_of_a_bonus_is_analyzed_with_its_weights(capsys: Captured) -> None:
    told = document(capsys, "analyze", "premium-hold-em", *SPINS, "--wager", "bonus_spin")
    assert told["options"]["bonus_spin_weights"] == "1,9,9,9,9,9,9,9,9,9,9,9"
    assert told["wagers"]["bonus_spin"]["hit_frequency"] == pytest.approx(22 / 425)


# A designer's question.

FIVE_TO_TWO = ("--set", "higher_odds=pair_plus.flush: 5 to 2")


def test_what_no_table_may_pay_is_said_to_be_unlawful(capsys: Captured, narrow: None) -> None:
    asked = ("analyze", "three-card-poker", "--wager", "pair_plus", *FIVE_TO_TWO)
    assert "it pays exactly 4 to 1 [19:47-20.11(a)2]" in complaint(capsys, *asked)
    told = document(capsys, *asked, "--unlawful")
    assert told["lawful"] is False
    assert told["violations"] == [
        {
            "option": "higher_odds",
            "message": "pair_plus.flush would pay 5 to 2, and it pays exactly 4 to 1",
            "citation": "19:47-20.11(a)2",
        }
    ]
    assert told["wagers"]["pair_plus"]["house_edge"]["exact"] == "539/5525"
    text = printed(capsys, *asked, "--unlawful")
    assert "with higher_odds=pair_plus.flush: 5 to 2\n" in text
    assert "Unlawful: no table may be opened so.\n" in text
    assert "would pay 5 to 2, and it pays exactly 4 to 1 19:47-20.11(a)2" in in_words(text)


def test_the_word_unlawful_is_red(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    console = Console(width=80, force_terminal=True, color_system="standard", highlight=False)
    monkeypatch.setattr(show, "console", console)
    asked = ("analyze", "three-card-poker", "--wager", "pair_plus", *FIVE_TO_TWO, "--unlawful")
    assert "\x1b[1;31mUnlawful: no table may be opened so.\x1b[0m" in printed(capsys, *asked)


def test_a_lawful_table_is_not_called_otherwise(capsys: Captured, narrow: None) -> None:
    """`--unlawful` lets a question be asked; it does not make the answer unlawful."""
    asked = ("analyze", "three-card-poker", "--wager", "pair_plus", "--unlawful")
    told = document(capsys, *asked, "--set", "pair_plus_ledger=C")
    assert "lawful" not in told
    assert "violations" not in told
    assert "Unlawful" not in printed(capsys, *asked)


def test_weights_that_are_too_long_may_be_asked_about(capsys: Captured, narrow: None) -> None:
    weights = ("--set", "bonus_spin_weights=1,99999999,9,9,9,9,9,9,9,9,9,9")
    asked = ("analyze", "premium-hold-em", *SPINS[:2], *weights, "--wager", "bonus_spin")
    assert "may not exceed 100,000,000 to 1" in complaint(capsys, *asked)
    told = document(capsys, *asked, "--unlawful")
    assert told["violations"][0]["citation"] == "13:69D-1.52(e)4"
    assert "Unlawful" in printed(capsys, *asked, "--unlawful")


def test_advice_at_an_unlawful_table_is_labeled_too(capsys: Captured, narrow: None) -> None:
    asked = ("advise", "three-card-poker", "--cards", "Qh 6c 4d")
    assert document(capsys, *asked)["best"] == "play 1x"
    unlawful = ("--unlawful", "--set", "higher_odds=ante: 1 to 2")
    told = document(capsys, *asked, *unlawful)
    assert told["lawful"] is False
    assert told["violations"][0]["option"] == "higher_odds"
    assert told["best"] == "fold"
    assert "Unlawful: no table may be opened so." in printed(capsys, *asked, *unlawful)


# advise


def test_each_move_is_worth_a_fraction(capsys: Captured) -> None:
    told = document(
        capsys, "advise", "ultimate-texas-hold-em", "--cards", "Ah 7c", "--board", "7d 2s Kc"
    )
    assert told == {
        "game": "ultimate-texas-hold-em",
        "options": find_game("ultimate-texas-hold-em").options().as_json(),
        "cards": ["Ah", "7c"],
        "board": ["7d", "2s", "Kc"],
        "up": [],
        "hand": "pair, sevens, ace, king and two kickers",
        "stage": "after the flop",
        "after": ["check"],
        "citation": "19:47-32.10 (published)",
        "moves": {
            "check": {"exact": "93143/178365", "decimal": 93143 / 178365},
            "bet 2x": {"exact": "178661/178365", "decimal": 178661 / 178365},
        },
        "best": "bet 2x",
    }


def test_advice_says_what_is_seen_and_what_a_move_would_lose(
    capsys: Captured, narrow: None
) -> None:
    asked = ("advise", "ultimate-texas-hold-em", "--cards", "Ah 7c", "--board", "7d,2s,Kc")
    text = in_words(printed(capsys, *asked))
    for words in (
        "You hold A♥ 7♣; the board is 7♦ 2♠ K♣. That is pair, sevens",
        "After the flop, after check. 19:47-32.10 (published)",
        "bet 2x +1.001660 178661/178365 check +0.522204 0.479455 93143/178365",
        "in units of the ante wager",
    ):
        assert in_words(words) in text.replace("\N{NO-BREAK SPACE}", " ")


@pytest.mark.parametrize(
    ("game", "seen", "best"),
    [
        ("caribbean-stud-poker", ("--cards", "Ah Kd 9c 5s 2h", "--up", "9d"), "bet 2x"),
        ("double-down-stud", ("--cards", "Ah", "--board", "2c 3c 4c"), "stand"),
        ("let-it-ride-poker", ("--cards", "Th Td 9c"), "let_ride_1"),
        ("let-it-ride-poker", ("--cards", "Ah Kd 9c", "--board", "9d"), "withdraw_2"),
        ("three-card-poker", ("--cards", "Qh 6c 4d"), "play 1x"),
        ("three-card-poker", ("--cards", "Qh 6c 3d"), "fold"),
        ("four-card-poker", ("--cards", "Ah Ac 5d 4s 2c", "--up", "3c"), "play 3x"),
        ("texas-hold-em-bonus-poker", ("--cards", "7c 2d"), "fold"),
        ("ultimate-texas-hold-em", ("--cards", "Ah 7c"), "bet 4x"),
        ("premium-hold-em", ("--cards", "Ah Kd 9c"), "check"),
        ("premium-hold-em", ("--cards", "Ah Ad 9c", "--board", "2c 2d 9d Ks"), "bet 2x"),
    ],
)
def test_every_game_advises(
    capsys: Captured, narrow: None, game: str, seen: tuple[str, ...], best: str
) -> None:
    told = document(capsys, "advise", game, *seen)
    assert told["best"] == best
    assert all(float(Fraction(each["exact"])) == each["decimal"] for each in told["moves"].values())
    lines = printed(capsys, "advise", game, *seen).splitlines()
    assert max(map(len, lines)) <= 80
    moves = [line for line in lines if re.match(r" \S.* [+-]\d+\.\d{6}", line)]
    assert moves[0].startswith(f" {best.replace('_', ' ')} ")
    assert len(moves) == len(told["moves"])


# Bad input.

BAD: list[tuple[list[str], str]] = [
    (["advise", "three-card-poker"], "Missing option '--cards'"),
    (["advise", "three-card-poker", "--cards", "Ah Ah Ad"], "the ace of hearts (Ah) is named twi"),
    (["advise", "three-card-poker", "--cards", "Ah Xh Ad"], "--cards: 'Xh' is not a card"),
    (["advise", "three-card-poker", "--cards", "Ah Ad"], "a player has 3 cards"),
    (["advise", "three-card-poker", "--cards", ""], "a player has 3 cards"),
    (["advise", "three-card-poker", "--cards", "Ah Ad Jk"], "is played without jokers"),
    (["advise", "three-card-poker", "--cards", "Ah Ad Ac", "--board", "2c"], "with 0 community"),
    (["advise", "three-card-poker", "--cards", "Ah Ad Ac", "--up", "2c"], "none of his cards"),
    (["advise", "three-card-poker", "--cards", "Ah Ad Ac", "--up", "2x"], "--up: '2x' is not a"),
    (["advise", "ultimate-texas-hold-em", "--cards", "Ah Ad", "--board", "2c"], "0 or 3 or 5 com"),
    (["advise", "ultimate-texas-hold-em", "--cards", "Ah Ad", "--board", "2c Ah 3c"], "named twic"),
    (["advise", "ultimate-texas-hold-em", "--cards", "Ah Ad", "--board", "2c 3"], "--board: '3' i"),
    (["advise", "caribbean-stud-poker", "--cards", "Ah Kd 9c 5s 2h"], "name it with --up"),
    (["advise", "caribbean-stud-poker", "--cards", "Ah Kd 9c 5s 2h", "--up", "3c 4c"], "1 card"),
    (["advise", "craps", "--cards", "Ah"], "craps is no poker game"),
    (["advise", "minibaccarat", "--cards", "Ah"], "is no poker game"),
    (["advise", "snap", "--cards", "Ah"], "there is no game 'snap'"),
    (["advise", "three-card-poker", "--cards", "Ah Ad Ac", *FIVE_TO_TWO], "it pays exactly 4 to 1"),
    (["analyze", "three-card-poker", "--meter", "100"], "has no progressive meter"),
    (["analyze", "craps", "--meter", "100"], "has no progressive meter"),
    (["analyze", "caribbean-stud-poker", "--meter", "0"], "--meter must be above zero"),
    (["analyze", "caribbean-stud-poker", "--meter", "x"], "--meter: 'x' is not an amount"),
    (["analyze", "caribbean-stud-poker", "--meter", "-5"], "--meter: '-5' is not an amount"),
    (["analyze", "caribbean-stud-poker", "--meter", "9" * 18], "is more than any casino has"),
    (["analyze", "three-card-poker", "--stake", "0"], "--stake must be above zero"),
    (["analyze", "three-card-poker", "--shoe", "A=4"], "has no shoe of cards"),
    (["analyze", "three-card-poker", "--without", "Ah"], "has no shoe of cards"),
    (["analyze", "three-card-poker", "--with-replacement"], "has no shoe of cards"),
    (["analyze", "three-card-poker", "--wager", "trips"], "has no wager 'trips'"),
    (["analyze", "premium-hold-em", *SPINS[:2]], "only with the weights of the twelve positions"),
    (["analyze", "premium-hold-em", *SPINS[:2], "--unlawful"], "only with the weights"),
    (["analyze", "premium-hold-em", *SPINS[:3], "bonus_spin_weights=1,9"], "twelve whole numbers"),
    (["analyze", "three-card-poker", "--unlawful", "--set", "frob=2"], "has no option frob"),
    (["analyze", "three-card-poker", "--unlawful", "--set", "pair_plus_ledger=Q"], "must be A, B"),
    (["analyze", "three-card-poker", "--unlawful", "--set", "higher_odds=frob: 5 to 2"], "frob is"),
    (["analyze", "three-card-poker", "--unlawful", "--set", "higher_odds=ante: many"], "not odds"),
    (["play", "three-card-poker", *FIVE_TO_TWO], "it pays exactly 4 to 1"),
]


@pytest.mark.parametrize(("args", "sentence"), BAD, ids=[" ".join(args) for args, _ in BAD])
def test_what_makes_no_sense_gets_one_sentence(
    capsys: Captured, args: list[str], sentence: str
) -> None:
    assert sentence in complaint(capsys, *args)


@pytest.mark.parametrize("args", [args for args, _ in BAD if args[0] != "play"], ids=" ".join)
def test_no_document_is_printed_of_what_makes_no_sense(capsys: Captured, args: list[str]) -> None:
    complaint(capsys, *args, "--json")


# check and deal


def test_a_bonus_on_which_nothing_is_staked_has_no_stake(capsys: Captured, tmp_path: Any) -> None:
    path = tmp_path / "script.json"
    content = {
        "game": "three-card-poker",
        "draws": "Ah Kh Qh 2c 3d 9s".split(),
        "seats": {"1": {"wagers": {"ante": 1000}, "moves": ["play"]}},
    }
    path.write_text(json.dumps(content), "utf-8")
    text = in_words(printed(capsys, "deal", str(path)))
    assert "1 ante_bonus win at 5 to 1 +$50" in text
    assert "Seat 1 net +$60" in text


def test_a_move_of_a_hand_that_came_to_nothing_is_told(capsys: Captured, tmp_path: Any) -> None:
    path = tmp_path / "script.json"
    content = {
        "game": "three-card-poker",
        "draws": ["Ah", "Kh", "Qh"],
        "seats": {"1": {"wagers": {"ante": 1000}, "moves": ["play"]}},
        "irregularities": [{"before_draw": 4, "kind": "dealing_shoe_jams"}],
    }
    path.write_text(json.dumps(content), "utf-8")
    text = printed(capsys, "deal", str(path))
    assert "Seat 1 was not asked for play" in text
