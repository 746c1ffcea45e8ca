"""Wheels, dice and keno by the million agree with the exact analysis, and with live rounds."""

from typing import Any

import numpy as np
import pytest

from croupier.analysis import analyze
from croupier.games import find_game
from croupier.rulebook import Table, by_chance, play_round
from croupier.simulation.engine import Engine, engine
from croupier.simulation.streams import SeededStream
from tests.simulation.support import agrees

GAMES = ["roulette", "big-six", "sic-bo", "mini-dice", "craps", "mini-craps", "pokette", "keno"]


@pytest.mark.parametrize("name", GAMES)
def test_every_wager_comes_out_as_the_exact_analysis_says(name: str) -> None:
    agrees(name, rounds=1_000_000)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("roulette", {"wheel": "single_zero"}),
        ("craps", {"fire_bet_offered": "true", "field_2_12": "triple_12"}),
        ("pokette", {"cycle_on_jacer": "ignore_spin"}),
    ],
)
def test_options_are_honored(name: str, options: dict[str, Any]) -> None:
    lawful = {k: v for k, v in options.items() if not find_game(name).check({k: v})}
    assert lawful
    agrees(name, rounds=500_000, options=lawful)


@pytest.mark.parametrize("name", GAMES)
def test_the_rounds_that_are_played_are_those_that_are_counted(name: str) -> None:
    game = find_game(name)
    table: Engine = engine(game, game.options())
    counted, played = table.count(9, 2, 5000), table.play(9, 2, 5000)
    for label in table.labels:
        ends = played[label][played[label] >= 0]
        assert (np.bincount(ends, minlength=len(counted[label])) == counted[label]).all()


def test_a_wager_that_stands_at_the_end_is_played_out() -> None:
    """No new one is made then: one throw decides about a third of pass wagers, and not all."""
    game = find_game("craps")
    table = engine(game, game.options(), ["pass"])
    for seed in range(50):
        assert table.count(seed, 0, 1)["pass"].sum() == 1
    assert max(len(table.play(seed, 0, 1)["pass"]) for seed in range(50)) > 2


def test_the_same_throws_give_the_same_results_at_the_live_table() -> None:
    """Pass, come and hard ways of one player, throw by throw, against the automata."""
    from croupier.simulation.spins import Track

    game = find_game("craps")
    options = game.options()
    labels = ["pass", "dont_pass", "field", "hard_8", "place_win_6", "any_craps"]
    reports = {report.label: report for report in analyze(game, options, labels)}
    tracks = {label: Track(game, options, report) for label, report in reports.items()}
    table = Table(game)
    table.buy_in("1", 10**9)
    lying = dict.fromkeys(labels)
    state = game.State()
    for number in range(400):
        for label in labels:
            lying[label] = lying[label] or tracks[label].made(state)
            if lying[label] and not table.bets_of("1", label):
                table.bet("1", label, 6000)
        play = play_round(table, by_chance(SeededStream(11, number)))
        throw = next(e.data["outcome"] for e in reversed(table.events) if e.kind == "throw")
        outcome = game.device(options).read(throw)
        settled = {s.bet.wager.id: s for s in table.settlements if s.result.value != "standing"}
        assert play.request is None
        for label in labels:
            was = lying[label]
            if was is None:
                assert label not in settled
                continue
            lying[label], ending = tracks[label].step(state, was, outcome)
            if ending is None:
                assert label not in settled
            else:
                assert settled[label].net == 6000 * ending.net
        state = game.after(state, outcome, options)
        table.open_betting()
