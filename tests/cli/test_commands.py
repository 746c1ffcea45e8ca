"""The command line: names, JSON shapes, exit codes and sentences that other tools rely on."""

import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from croupier.cli.app import run
from croupier.games import find_game
from tests.cli.support import Captured, complaint, document, script

# games


def test_games_lists_every_game_with_its_wagers_and_options(capsys: Captured) -> None:
    games = {game["id"]: game for game in document(capsys, "games")}
    assert list(games) == [
        "craps", "mini-craps", "baccarat-punto-banco", "baccarat-chemin-de-fer", "roulette",
        "big-six", "red-dog", "minibaccarat", "sic-bo", "pokette", "mini-dice", "keno",
        "caribbean-stud-poker", "double-down-stud", "let-it-ride-poker", "three-card-poker",
        "casino-war", "four-card-poker", "texas-hold-em-bonus-poker", "ultimate-texas-hold-em",
        "premium-hold-em",
    ]  # fmt: skip
    roulette = games["roulette"]
    assert {"id", "title", "citation", "wagers", "options"} <= set(roulette)
    assert {"id": "red", "title": "Red", "citation": "19:47-5.1(e)11"} in roulette["wagers"]
    (wheel,) = [option for option in roulette["options"] if option["id"] == "wheel"]
    assert wheel["values"] == ["double_zero", "single_zero", "double_zero_as_single"]
    assert wheel["default"] == "double_zero"
    assert wheel["citation"] == "19:47-5.2(b)"


def test_games_prints_a_table_for_people(capsys: Captured) -> None:
    assert run(["games", "--edges"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert "mini-craps" in out
    assert "22.222%" in out
    (stud,) = (line for line in out.splitlines() if "double-down-stud" in line)
    assert stud.split()[2:] == ["2.668%", "Original"]  # its only wager is not the worst as well


def test_games_say_which_one_is_being_solved(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever watches is passed to every analysis, and told the name of each game."""
    from croupier.analysis import analyze
    from croupier.cli.progress import Bar

    named: list[str] = []
    watching: list[object] = []
    go_through = Bar.each

    def each(bar: Bar, games: Any) -> Any:
        for game in go_through(bar, games):
            named.append(game.id)
            yield game

    def watched(game: Any, options: Any, **terms: Any) -> Any:
        watching.append(terms["watch"])
        return analyze(game, options, **terms)[:1]

    monkeypatch.setattr(Bar, "each", each)
    monkeypatch.setattr("croupier.cli.show.analyze", watched)
    only = {"craps": find_game("craps")}
    monkeypatch.setattr("croupier.games.registry", lambda: only)
    assert run(["games", "--edges"]) == 0
    assert named == ["craps"]
    assert isinstance(watching[0], Bar)


# check


def test_a_lawful_table(capsys: Captured) -> None:
    assert document(capsys, "check", "craps", "--set", "odds_multiple=10x") == {
        "lawful": True,
        "violations": [],
    }


def test_an_unlawful_table_lists_everything_at_once_and_exits_with_2(capsys: Captured) -> None:
    told = document(
        capsys, "check", "roulette", "--set", "wheel=triple_zero", "--set", "table_min=900000",
        "--set", "color_wagers=seven_numbers_color", "--set", "croupiers=2",
        "--set", "higher_odds=straight: 34 to 1", code=2,
    )  # fmt: skip
    assert told["lawful"] is False
    assert {violation["option"] for violation in told["violations"]} == {
        "wheel", "table_max", "table_max_outside", "color_wagers", "croupiers", "higher_odds",
    }  # fmt: skip
    assert all(set(v) == {"option", "message", "citation"} for v in told["violations"])
    (odds,) = [v for v in told["violations"] if v["option"] == "higher_odds"]
    assert odds["citation"] == "19:47-5.2(a)"
    assert "no less than 35 to 1" in odds["message"]


def test_check_tells_people_too(capsys: Captured) -> None:
    assert run(["check", "big-six"]) == 0
    assert "lawful" in capsys.readouterr().out
    assert run(["check", "big-six", "--set", "clapper_between=maybe"]) == 2
    assert "19:47-5.6(c)" in capsys.readouterr().out


# analyze


def test_analyze_gives_exact_reduced_fractions(capsys: Captured) -> None:
    told = document(capsys, "analyze", "craps")
    assert told["game"] == "craps"
    assert told["method"] == "exact"
    assert told["options"]["odds_multiple"] == "3-4-5x"
    line = told["wagers"]["pass"]
    assert line["house_edge"] == {"exact": "7/495", "decimal": 7 / 495}
    assert line["return"] == pytest.approx(1 - 7 / 495)
    assert line["hit_frequency"] == pytest.approx(244 / 495)
    assert line["standard_deviation"] == pytest.approx(0.9999)
    assert line["element_of_risk"]["exact"] == "7/495"
    assert line["outcomes"] == [
        {"result": "win", "net": 1, "probability": "244/495"},
        {"result": "lose", "net": -1, "probability": "251/495"},
    ]
    assert line["strategy"]
    assert told["wagers"]["pass_odds"]["house_edge"]["exact"] == "0"
    assert told["wagers"]["place_win_6"]["house_edge"]["exact"] == "1/66"


@pytest.mark.parametrize("game", ["craps", "roulette", "big-six", "sic-bo", "mini-dice", "keno"])
def test_every_outcome_table_closes_and_gives_the_edge(capsys: Captured, game: str) -> None:
    for label, wager in document(capsys, "analyze", game)["wagers"].items():
        chances = [Fraction(outcome["probability"]) for outcome in wager["outcomes"]]
        assert sum(chances) == 1, label
        nets = [outcome["net"] for outcome in wager["outcomes"]]
        mean = sum(net * float(chance) for net, chance in zip(nets, chances, strict=True))
        assert -mean == pytest.approx(wager["house_edge"]["decimal"], abs=1e-9), label


def test_analyze_follows_the_options(capsys: Captured) -> None:
    single = document(capsys, "analyze", "roulette", "--set", "wheel=single_zero")
    assert single["wagers"]["straight"]["house_edge"]["exact"] == "1/37"
    assert single["options"]["wheel"] == "single_zero"
    assert "first_five_numbers" not in single["wagers"]


def test_analyze_one_wager_or_one_spot(capsys: Captured) -> None:
    told = document(capsys, "analyze", "roulette", "--wager", "straight:17", "--wager", "red")
    assert list(told["wagers"]) == ["straight:17", "red"]
    told = document(capsys, "analyze", "keno", "--wager", "way:1-2/3-4/5-6@4")
    assert list(told["wagers"]) == ["way:1-2/3-4/5-6@4"]


def test_analyze_prints_tables_worth_reading(capsys: Captured) -> None:
    assert run(["analyze", "craps", "--wager", "field", "--outcomes"]) == 0
    out = capsys.readouterr().out
    assert "5.556%" in out
    assert "1 to 1 … 2 to 1" in out
    assert "100.0000%" in out


def test_long_families_share_a_row(capsys: Captured) -> None:
    assert run(["analyze", "sic-bo"]) == 0
    out = capsys.readouterr().out
    assert "three_of_a_kind_1, 2, …, 6" in out
    assert "total_4, 17" in out


# analyze: games of the shoe


def test_the_table_on_the_wall_has_a_row_for_each_scheme(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("croupier.cli.show.console", Console(width=110, highlight=False))
    assert run(["analyze", "minibaccarat"]) == 0
    lines = capsys.readouterr().out.splitlines()
    rows = {line[4:30].strip(): line for line in lines if "19:47-7.3" in line}
    assert [title for title in rows if title.startswith("Banker")] == [
        "Banker, 5% vigorish",
        "Banker, 4% vigorish",
        "Banker, 25% on ties",
        "Banker, a six pays half",
        "Banker, total cards four",
        "Banker, total cards five",
        "Banker, total cards six",
    ]
    assert "1.058%" in rows["Banker, 5% vigorish"]
    assert rows["Banker, 5% vigorish"].startswith(" ●")
    assert not rows["Banker, 4% vigorish"].startswith(" ●")
    assert "2.652%" in rows["Bonus player, table A"]
    assert len(rows) == 18


def test_the_wall_marks_what_this_table_offers(capsys: Captured) -> None:
    chosen = ("--set", "no_vig_scheme=six_half", "--set", "offer_bonus=yes")
    assert run(["analyze", "baccarat-punto-banco", *chosen]) == 0
    here = [line for line in capsys.readouterr().out.splitlines() if line.startswith(" ●")]
    titles = ("Banker, a six", "Player", "Tie", "Bonus player, table A", "Bonus banker, table A")
    assert [line[4:].startswith(title) for line, title in zip(here, titles, strict=True)] == [
        True
    ] * 5


def test_a_named_wager_or_its_outcomes_are_not_on_the_wall(capsys: Captured) -> None:
    assert run(["analyze", "minibaccarat", "--wager", "tie", "--outcomes"]) == 0
    out = capsys.readouterr().out
    assert "Bonus player" not in out
    assert "One in" in out


def test_the_shoe_that_is_left_is_analyzed_and_told(capsys: Captured) -> None:
    told = document(capsys, "analyze", "minibaccarat", "--shoe", "A=2, 5=4, 9h Kd")
    assert told["shoe"] == {"A": 2, "K": 1, "9": 1, "5": 4}
    told = document(capsys, "analyze", "minibaccarat", "--shoe", "A=4", "--wager", "tie")
    assert told["wagers"]["tie"]["outcomes"] == [
        {"result": "void", "net": 0, "probability": "1"}
    ]  # two aces each: both would draw, and there is nothing left


def test_cards_that_have_left_the_shoe_change_the_edge(capsys: Captured) -> None:
    def edge(*args: str) -> Fraction:
        told = document(capsys, "analyze", "casino-war", "--wager", "tie", *args)
        return Fraction(told["wagers"]["tie"]["house_edge"]["exact"])

    # 6 decks: of the 311 other cards 23 tie, at 10 to 1.
    assert edge() == 1 - Fraction(11 * 23, 311)
    without_an_ace = Fraction(12 * 24 * 23 + 23 * 22, 311 * 310)
    assert edge("--without", "As") == 1 - 11 * without_an_ace


def test_vigorish_is_rounded_as_at_a_stake_when_asked(capsys: Captured) -> None:
    def nets(*args: str) -> set[float]:
        asked = ("analyze", "baccarat-punto-banco", "--wager", "banker", *args)
        outcomes = document(capsys, *asked)["wagers"]["banker"]["outcomes"]
        return {outcome["net"] for outcome in outcomes}

    assert nets() == {0.95, 0, -1}
    assert nets("--stake", "5") == {0.95, 0, -1}
    assert nets("--stake", "6") == {5.50 / 6, 0, -1}  # 30 cents are rounded up to 50


def test_wagers_that_lie_together_are_one_proposition(capsys: Captured) -> None:
    chosen = ("--set", "banker_scheme=no_vig_with_total_cards", "--set", "offer_total_cards=yes")
    wagers = document(capsys, "analyze", "minibaccarat", *chosen)["wagers"]
    both = wagers["banker+total_cards_6"]
    edge, risk = (Fraction(both[key]["exact"]) for key in ("house_edge", "element_of_risk"))
    assert edge == 2 * risk
    asked = document(capsys, "analyze", "minibaccarat", *chosen, "--wager", "banker+total_cards_6")
    assert asked["wagers"] == {"banker+total_cards_6": both}


def test_a_game_with_choices_says_what_each_is_worth(capsys: Captured) -> None:
    assert run(["analyze", "red-dog"]) == 0
    out = capsys.readouterr().out
    assert "Optimal: call on spread 1 to 6; raise on spread 7 to 11." in out
    advice = document(capsys, "analyze", "red-dog")["wagers"]["original"]["advice"]
    assert [each["move"] for each in advice] == ["call"] * 6 + ["raise"] * 5


def test_chemin_de_fer_is_solved_by_count_or_by_cards(capsys: Captured) -> None:
    game = ("analyze", "baccarat-chemin-de-fer", "--wager", "punt")
    free = (*game, "--set", "banker_tableau=free", "--set", "vig_percent=0")
    endless = document(capsys, *free, "--with-replacement")["wagers"]["punt"]
    assert endless["house_edge"]["exact"] == "679568/53094899"
    assert "draws on five with probability 9/11" in endless["strategy"]
    by_count = document(capsys, *game)["wagers"]["punt"]["house_edge"]["decimal"]
    by_cards = document(capsys, *game, "--by-cards")["wagers"]["punt"]["house_edge"]["decimal"]
    assert by_count == pytest.approx(0.012374, abs=1e-6)
    assert by_count < by_cards


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("minibaccarat", "--shoe", "Q"), "'Q' is not a card"),
        (("minibaccarat", "--shoe", "Z=3"), "'Z=3' must be a rank"),
        (("minibaccarat", "--shoe", "A=-3"), "'A=-3' must be a rank"),
        (("minibaccarat", "--shoe", "A=0"), "there are no cards in it"),
        (("minibaccarat", "--shoe", "A=9999999"), "more cards than any shoe"),
        (("minibaccarat", "--shoe", "Jk"), "without jokers"),
        (("minibaccarat", "--shoe", "A=3", "--without", "Ah"), "not both"),
        (("red-dog", "--set", "decks=1", "--without", "Ah Ah"), "no ace of hearts"),
        (("minibaccarat", "--stake", "x"), "--stake: 'x' is not an amount"),
        (("minibaccarat", "--stake", "0"), "--stake must be above zero"),
        (("baccarat-punto-banco", "--stake", "10.05"), "multiple of 2 cents [19:47-3.3"),
        (("minibaccarat", "--wager", "banker+banker"), "names a wager twice"),
        (("minibaccarat", "--wager", "bonus_player"), "is not offered at this table"),
        (("baccarat-chemin-de-fer", "--shoe", "A=3"), "a coup may need 6 cards"),
        (("craps", "--shoe", "A=3"), "craps has no shoe of cards"),
        (("craps", "--stake", "5"), "craps rounds nothing"),
        (("craps", "--with-replacement"), "craps has no shoe of cards"),
    ],
)
def test_a_shoe_or_a_stake_that_makes_no_sense(
    capsys: Captured, args: tuple[str, ...], words: str
) -> None:
    assert words in complaint(capsys, "analyze", *args)


# deal


def test_deal_prints_settlements_with_citations_and_all_events(
    capsys: Captured, tmp_path: Path
) -> None:
    path = script(
        tmp_path,
        {"game": "roulette", "draws": ["0"], "seats": {"1": {"wagers": {"red": 1000}}}},
    )
    told = document(capsys, "deal", path)
    (each,) = told["rounds"]
    assert each["void"] is False
    (red,) = each["settlements"]
    assert red["result"] == "lose"
    assert red["net"] == -500
    assert red["citation"] == "19:47-5.2(b)"
    assert [event["kind"] for event in each["events"]] == [
        "wager", "step", "announce", "spin", "announce", "step", "collect",
    ]  # fmt: skip
    assert told["net"] == {"1": -500}


def test_deal_tells_people_the_story(capsys: Captured, tmp_path: Path) -> None:
    content = {
        "game": "craps",
        "rounds": [
            {"draws": [[3, 1]], "seats": {"1": {"wagers": {"pass": 1000, "come": 0}}}},
        ],
    }
    assert "[19:47-1.2(a)3]" in complaint(capsys, "deal", script(tmp_path, content))
    content["rounds"] = [
        {"draws": [[3, 1]], "seats": {"1": {"wagers": {"pass": 1000}}}},
        {"draws": [[2, 2], [6, 6]], "seats": {"1": {"wagers": {"pass_odds": 3000}}}},
    ]
    assert run(["deal", script(tmp_path, content)]) == 0
    out = capsys.readouterr().out
    assert "The point is 4" in out
    assert "win at 2 to 1" in out
    assert "not needed: 1" in out
    assert "+$70" in out


def test_deal_reads_standard_input(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    import io

    text = '{"game": "big-six", "draws": ["flag"], "seats": {"1": {"wagers": {"flag": 100}}}}'
    monkeypatch.setattr("sys.stdin", io.StringIO(text))
    assert document(capsys, "deal", "-")["net"] == {"1": 4500}


# coverage


def test_coverage_has_a_row_for_every_section(capsys: Captured) -> None:
    rows = document(capsys, "coverage")
    assert len(rows) == 326
    for row in rows:
        assert set(row) == {"section", "title", "status", "code", "tests", "note"}
        assert row["status"] in ("implemented", "physical", "missing")
        assert (row["status"] != "implemented") or (row["code"] and row["tests"])
        assert (row["status"] != "physical") or row["note"]


def test_coverage_prints_a_table(capsys: Captured) -> None:
    assert run(["coverage", "--subchapter", "5"]) == 0
    out = capsys.readouterr().out
    assert "19:47-5.6" in out
    assert "missing" in out


# Bad input: one clear sentence, exit code 2, nothing on standard output.

BAD = [
    (["frobnicate"], "No such command"),
    (["analyze"], "GAME"),
    (["analyze", "snap"], "there is no game 'snap'"),
    (["check", "Craps"], "there is no game 'Craps'"),
    (["analyze", "craps", "--wager", "any_eight"], "no wager 'any_eight'"),
    (["analyze", "craps", "--wager", "fire_bet"], "not offered at this table"),
    (["analyze", "roulette", "--wager", "straight:37"], "no spot '37'"),
    (["analyze", "roulette", "--wager", "red:1"], "takes no choice of spot"),
    (["analyze", "roulette", "--set", "wheel"], "must read OPTION=VALUE"),
    (["analyze", "roulette", "--set", "=1"], "must read OPTION=VALUE"),
    (["analyze", "roulette", "--set", "wheel=a", "--set", "wheel=b"], "given twice"),
    (["analyze", "roulette", "--set", "wheel=square"], "must be double_zero"),
    (["analyze", "roulette", "--set", "table_min=-5"], "must be at least 1 cent"),
    (["analyze", "roulette", "--set", "table_min=5.5"], "must be a whole number"),
    (["deal", "no/such/file.json"], "cannot read"),
    (["deal", "."], "cannot read"),
    (["play", "craps", "--bankroll", "lots"], "not an amount of money"),
    (["play", "craps", "--set", "odds_multiple=1000x"], "must be 1x"),
    (["analyze", "craps", "--wagers", "pass"], "No such option"),
]


@pytest.mark.parametrize(("args", "sentence"), BAD, ids=[" ".join(args) for args, _ in BAD])
def test_bad_input_gets_one_clear_sentence(
    capsys: Captured, args: list[str], sentence: str
) -> None:
    assert sentence in complaint(capsys, *args)


ROUND: dict[str, Any] = {
    "game": "roulette",
    "draws": ["17"],
    "seats": {"1": {"wagers": {"straight:17": 500}}},
}
BAD_SCRIPTS: list[tuple[Any, str]] = [
    ("not json", "not JSON"),
    ("", "not JSON"),
    ("[1, 2]", "must be a JSON object"),
    ("{}", "which \"game\""),
    ({**ROUND, "game": "snap"}, "there is no game"),
    ({**ROUND, "game": 5}, "must be the id of a game"),
    ({k: v for k, v in ROUND.items() if k != "draws"}, '"draws"'),
    ({k: v for k, v in ROUND.items() if k != "seats"}, '"seats"'),
    ({**ROUND, "draws": []}, "needs at least 1 more"),
    ({**ROUND, "draws": ["37"]}, "has no stop '37'"),
    ({**ROUND, "draws": "17"}, "must be a JSON list"),
    ({**ROUND, "options": {"wheel": "oval"}}, "19:47-5.2(b)"),
    ({**ROUND, "seats": {"9": {"wagers": {"red": 500}}}}, "no seat '9'"),
    ({**ROUND, "seats": {"1": {"wagers": {"red": 0}}}}, "no red wager to take down"),
    ({**ROUND, "seats": {"1": {"wagers": {"red": -500}}}}, "not a stake"),
    ({**ROUND, "seats": {"1": {"wagers": {"red": 500.5}}}}, "not a stake"),
    ({**ROUND, "seats": {"1": {"wagers": {"red": "500"}}}}, "not a stake"),
    ({**ROUND, "seats": {"1": {"wagers": {"red": 10**30}}}}, "above the most"),
    ({**ROUND, "seats": {"1": {"wagers": {"red": 499}}}}, "below the least"),
    ({**ROUND, "seats": {"1": {"wagers": {"straight:17": 100001}}}}, "above the most"),
    ({**ROUND, "seats": {"1": {"wagers": {"five_adjacent_numbers:17": 500}}}}, "not offered"),
    ({**ROUND, "seats": {"1": {"wagers": {}, "moves": ["hit"]}}}, "never asked"),
    ({**ROUND, "irregularities": [{"before_draw": 1, "kind": "earthquake"}]}, "earthquake"),
    ({**ROUND, "irregularities": [{"before_draw": 5, "kind": "foreign_object"}]}, "never came"),
    ({**ROUND, "wagers": {}}, "'wagers'"),
]  # fmt: skip


@pytest.mark.parametrize(("content", "sentence"), BAD_SCRIPTS)
def test_a_bad_script_gets_one_clear_sentence(
    capsys: Captured, tmp_path: Path, content: Any, sentence: str
) -> None:
    assert sentence in complaint(capsys, "deal", script(tmp_path, content))


def test_a_script_that_is_not_text_is_refused(capsys: Captured, tmp_path: Path) -> None:
    path = tmp_path / "script.json"
    path.write_bytes(b"\xff\xfe\x00")
    assert "UTF-8" in complaint(capsys, "deal", str(path))


# Help.


def test_help_lists_the_commands(capsys: Captured) -> None:
    for args in ([], ["--help"], ["-h"]):
        assert run(args) == 0
        out = capsys.readouterr().out
        for command in ("games", "check", "analyze", "advise", "deal", "coverage", "play"):
            assert f"  {command} " in out


@pytest.mark.parametrize(
    "command", ["games", "check", "analyze", "advise", "deal", "coverage", "play"]
)
def test_each_command_explains_itself(capsys: Captured, command: str) -> None:
    assert run([command, "--help"]) == 0
    assert "Usage: croupier" in capsys.readouterr().out


def test_the_version_is_told(capsys: Captured) -> None:
    from croupier import __version__

    assert run(["--version"]) == 0
    assert capsys.readouterr().out == f"croupier {__version__}\n"


# Nothing heavy is imported before it is needed.

HEAVY = ["numpy", "numba", "matplotlib", "sqlalchemy", "fastapi", "rich.console", "hypothesis"]


def loaded(*args: str) -> set[str]:
    code = f"import sys; from croupier.cli.app import run; run({list(args)!r}); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_help_imports_nothing_heavy() -> None:
    modules = loaded("--help")
    assert not modules & set(HEAVY)
    assert not [name for name in modules if name.startswith("croupier.games")]


NUMERICAL = {"numpy", "numba", "matplotlib"}


@pytest.mark.parametrize(
    "args",
    [
        ("analyze", "craps", "--json"),
        ("analyze", "craps"),
        ("analyze", "minibaccarat"),
        ("games",),
        ("games", "--json"),
        ("check", "ultimate-texas-hold-em"),
        ("check", "premium-hold-em", "--set", "bonus_spin_table=S1", "--json"),
        ("advise", "--help"),
        ("advise", "craps", "--cards", "Ah"),
        ("advise", "caribbean-stud-poker", "--cards", "Ah Kd 9c 5s 2h"),
        ("analyze", "three-card-poker", "--set", "frob=1"),
    ],
    ids=" ".join,
)
def test_what_needs_no_numerical_library_loads_none(args: tuple[str, ...]) -> None:
    assert not loaded(*args) & NUMERICAL


def test_poker_is_dealt_without_a_numerical_library(tmp_path: Path) -> None:
    content = {
        "game": "ultimate-texas-hold-em",
        "draws": "Ah 7c Qd 4s 2h 7d 2s Kc 3h 3d 9s".split(),
        "seats": {"1": {"wagers": {"ante": 1000, "blind": 1000}, "moves": [{"bet": 4000}]}},
    }
    assert not loaded("deal", script(tmp_path, content), "--json") & NUMERICAL


def test_poker_is_played_without_a_numerical_library_until_a_hint_is_asked_for() -> None:
    code = (
        "import sys; from croupier.cli.app import run;"
        "run(['play', 'three-card-poker']); print(*sys.modules)"
    )

    def modules(said: str) -> set[str]:
        done = subprocess.run(
            [sys.executable, "-c", code], input=said, capture_output=True, text=True, check=True
        )
        return set(done.stdout.split())

    assert not modules("10 on ante\n\nlayout\nplay\nwhy\n") & NUMERICAL
    assert modules("10 on ante\n\nhint\nplay\n") >= {"numpy", "numba"}


def test_the_package_runs_as_a_module() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "croupier", "check", "craps", "--set", "odds_multiple=7x"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert "19:47-1.6" in done.stdout


# Events of every kind.


@pytest.mark.parametrize(
    ("event", "told"),
    [
        ({"kind": "draw", "to": "1", "face_down": True}, "Draw (seat 1): face down"),
        ({"kind": "look", "to": "1", "outcome": "Ah"}, "Look (seat 1): Ah"),
        ({"kind": "look", "to": "banker", "outcome": "Ah"}, "Unseen (banker): Ah"),
        (
            {"kind": "look", "seat": "3", "to": "banker", "outcome": "Ah"},
            "Seat 3 looks (banker): Ah",
        ),
        ({"kind": "reveal", "hand": "banker", "cards": ["Ah", "5c"]}, "Turned (banker): Ah 5c"),
        (
            {"kind": "set_aside", "to": "player", "outcome": "Ah"},
            "The card set aside (player): Ah",
        ),
        (
            {"kind": "refund", "seat": "2", "wager": "bank", "amount": 500},
            "Seat 2: $5 of bank is returned",
        ),
        (
            {"kind": "vigorish", "seat": "2", "amount": 50, "how": "marked"},
            "Seat 2: vigorish of $0.50 is marked",
        ),
        (
            {"kind": "complimentary_vigorish", "seat": "2", "amount": 50, "form": 1},
            "Seat 2: vigorish of $0.50 is not collected, and documented on "
            "complimentary vigorish form 1",
        ),
        (
            {"kind": "decision", "seat": "2", "question": "cut?", "move": "cut", "cards": 55},
            "Seat 2, cut? cut at card 55",
        ),
        ({"kind": "draw", "outcome": "Ah"}, "Draw: Ah"),
        (
            {"kind": "decision", "seat": "2", "question": "raise?", "move": "raise", "amount": 500},
            "Seat 2, raise? raise $5",
        ),
    ],
)
def test_an_event_is_told_as_a_dealer_would(event: dict[str, Any], told: str) -> None:
    from croupier.cli.show import describe

    assert describe(event) == told
