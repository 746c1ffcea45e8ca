"""The faithful path: what the live table pays is what the exact analysis says it pays."""

from collections import Counter
from fractions import Fraction
from itertools import pairwise
from math import sqrt
from typing import Any

import numpy as np
import pytest

from croupier.analysis import WagerReport, analyze
from croupier.games import find_game, registry
from croupier.rulebook import Fault, Refusal
from croupier.simulation.engine import Ending
from croupier.simulation.live import LiveRounds, Sitting
from croupier.simulation.strategies import HouseWay, Seen, Strategy, from_function, named
from croupier.simulation.streams import SeededStream

SEED = 47
QUICK = ("roulette", "big-six", "mini-dice", "red-dog", "casino-war", "minibaccarat",
         "baccarat-punto-banco", "three-card-poker")  # fmt: skip
ROUNDS = {"keno": 120, "sic-bo": 200, "craps": 500, "mini-craps": 100} | dict.fromkeys(QUICK, 500)
USUAL = 150
SIGMAS = 4.5


def live(game: str, *labels: str, strategy: Strategy | None = None, **options: Any) -> LiveRounds:
    found = find_game(game)
    return LiveRounds(found, found.options(options), labels, strategy=strategy)


def endings(rounds: LiveRounds, label: str, many: int = 100) -> Counter[Ending]:
    return rounds.tally(SEED, 0, many)[label]


def agrees(report: WagerReport, seen: Counter[Ending]) -> None:
    """Nothing came that cannot come, and the average is within its error."""
    possible = {(outcome.result, outcome.net) for outcome in report.outcomes}
    assert {(ending.line, ending.net) for ending in seen} <= possible, report.label
    many = seen.total()
    mean = sum(float(ending.net) * times for ending, times in seen.items()) / many
    error = report.standard_deviation / sqrt(many)
    assert abs(mean + float(report.house_edge)) <= SIGMAS * error, report.label


def agree(rounds: LiveRounds, many: int) -> None:
    exact = analyze(rounds.game, rounds.options)
    assert [report.label for report in exact] == list(rounds.labels)
    tally = rounds.tally(SEED, 0, many)
    for report in exact:
        if tally[report.label]:  # what is seldom open may not have been made
            agrees(report, tally[report.label])


@pytest.mark.parametrize("game", [*registry()])
def test_live_rounds_agree_with_the_exact_analysis_of_every_wager(game: str) -> None:
    agree(live(game), ROUNDS.get(game, USUAL))


TABLES: list[tuple[str, int, dict[str, Any]]] = [
    ("roulette", 150, {"wheel": "double_zero_as_single", "five_adjacent_offered": True}),
    ("craps", 150, {"fire_bet_offered": True, "odds_multiple": "1x"}),
    ("pokette", 100, {"cycle_on_jacer": "ignore_spin", "split_corner_with_jacer": True}),
    ("minibaccarat", 100, {"banker_scheme": "no_vig_with_total_cards", "offer_total_cards": True,
                           "offer_bonus": True}),
    ("minibaccarat", 100, {"continuous_shuffler": True, "banker_scheme": "tie_vig_25"}),
    ("baccarat-punto-banco", 100, {"vig_timing": "deferred", "deal_style": "face_up"}),
    ("baccarat-chemin-de-fer", 150, {"banker_tableau": "free", "min_seated": 4}),
    ("casino-war", 400, {"tie_on_war": "on", "shuffle": "continuous", "war_burn": "three_once"}),
    ("red-dog", 200, {"shuffle": "after_every_round", "raise_amount": "exactly_original"}),
    ("texas-hold-em-bonus-poker", 60, {"bonus_after_fold": "lost"}),
    ("ultimate-texas-hold-em", 60, {"deal_method": "manual_shoe", "settlement_order": "by_step"}),
    ("premium-hold-em", 60, {"bonus_spin_table": "S2", "bonus_spin_fixed_prize": 1_000_000,
                             "bonus_spin_weights": "1,2,3,4,5,6,7,8,9,10,11,12"}),
    ("four-card-poker", 60, {"play_increments": "any_amount", "aces_up_table": "U3"}),
]  # fmt: skip


@pytest.mark.parametrize(
    ("game", "rounds", "options"), TABLES, ids=[f"{game}-{next(iter(o))}" for game, _, o in TABLES]
)
def test_and_so_they_do_at_tables_with_other_options(
    game: str, rounds: int, options: dict[str, Any]
) -> None:
    agree(live(game, **options), rounds)


# A chunk is what it is, wherever it is dealt.


def test_the_same_seed_and_chunk_deal_the_same_rounds() -> None:
    one, other = live("casino-war"), live("casino-war")
    assert one.tally(SEED, 3, 200) == other.tally(SEED, 3, 200)
    assert one.tally(SEED, 3, 200) != one.tally(SEED, 4, 200)
    assert one.tally(SEED, 3, 200) != one.tally(SEED + 1, 3, 200)


def test_counts_are_those_of_the_rounds_played_one_by_one() -> None:
    rounds = live("craps", "pass", "come", "field")
    played, counted = rounds.play(SEED, 0, 200), rounds.count(SEED, 0, 200)
    tally = rounds.tally(SEED, 0, 200)
    for label in rounds.labels:
        ends = played[label]
        assert len(ends) == 200
        assert (np.bincount(ends[ends >= 0]) == counted[label]).all()
        known = rounds.endings[label]
        assert {known[at]: times for at, times in enumerate(counted[label])} == tally[label]
    assert (played["field"] >= 0).all()  # it is made, and decided, on every roll
    assert (played["pass"] == -1).any()  # and this one only on come out rolls


def test_a_wager_that_stands_at_the_end_is_played_out() -> None:
    rounds = live("craps", "place_win_4", "hard_6", "pass")
    for chunk in range(5):
        for label, seen in rounds.tally(SEED, chunk, 1).items():
            assert seen.total() == 1, label


# The table is a real one.


def sitting(rounds: LiveRounds, group: int = 0) -> Sitting:
    return Sitting(rounds, rounds.tables[group], SeededStream(SEED, 0), SeededStream(SEED, 1))


def test_a_shoe_lasts_from_round_to_round_down_to_its_cut_card() -> None:
    at = sitting(live("minibaccarat"))
    left = []
    for number in range(200):
        list(at.round(number))
        left.append(at.table.equipment.cards_left)
    shuffles = sum(after > before for before, after in pairwise(left))
    assert 1 <= shuffles <= 3
    assert min(left) <= at.options.cut_card_from_back
    assert left[0] < 416 - 4  # cards are burnt before the first round


def test_the_meter_of_a_progressive_jackpot_grows_with_every_wager() -> None:
    at = sitting(live("caribbean-stud-poker"))
    for number in range(20):
        list(at.round(number))
    assert at.table.state.meter.shown == 1_000_000 + 20 * 70


def test_odds_are_made_behind_a_flat_wager_that_is_not_counted() -> None:
    rounds = live("craps", "pass_odds")
    assert rounds.labels == ("pass_odds",)
    lines = {ending.line for ending in endings(rounds, "pass_odds", 150)}
    assert lines == {"lose", "four_or_ten", "five_or_nine", "six_or_eight"}


def test_spots_that_are_worth_the_same_are_taken_in_turn() -> None:
    at = sitting(live("roulette", "column"))
    spots = []
    for number in range(6):
        list(at.round(number))
        spots += [settled.bet.spot for settled in at.table.settlements]
    assert spots == ["1", "2", "3", "1", "2", "3"]


def test_wagers_that_change_each_other_lie_at_tables_of_their_own() -> None:
    def groups(rounds: LiveRounds) -> list[set[str]]:
        return [{each.label for each in group if each.is_counted} for group in rounds.tables]

    assert groups(live("three-card-poker")) == [{"ante"}, {"pair_plus"}]  # a fold loses both
    assert groups(live("baccarat-chemin-de-fer")) == [{"bank", "punt"}, {"banco"}]
    scheme: dict[str, Any] = {"banker_scheme": "no_vig_with_total_cards", "offer_total_cards": True}
    apart = groups(live("minibaccarat", **scheme))
    assert {"banker", "player", "tie"} in apart
    assert {"banker+total_cards_4"} in apart


def test_a_stake_is_paid_to_the_cent() -> None:
    game = find_game("minibaccarat")
    rounds = LiveRounds(game, game.options(), ["banker"], stake=1010)
    won = {ending.net for ending in endings(rounds, "banker") if ending.line == "win"}
    assert won == {Fraction(1010 - 55, 1010)}  # 50.5 cents of vigorish, rounded up to 55


def test_a_stake_that_the_table_does_not_take_is_refused() -> None:
    game = find_game("minibaccarat")
    with pytest.raises(Refusal) as caught:
        LiveRounds(game, game.options(), ["banker"], stake=1).tally(SEED, 0, 1)
    assert caught.value.fault is Fault.BELOW_MINIMUM


# Who decides.


def test_a_strategy_is_obeyed() -> None:
    lines = {e.line for e in endings(live("three-card-poker", "ante", strategy=HouseWay()), "ante")}
    assert lines == {"fold"}
    game = find_game("casino-war")
    gives_up = named(game, game.options(), "surrender")
    lines = {e.line for e in endings(live("casino-war", strategy=gives_up), "initial", 200)}
    assert lines == {"win", "lose", "surrender"}


def test_what_a_fold_loses_is_told_as_folded() -> None:
    folds = HouseWay()
    lost = live("ultimate-texas-hold-em", "trips", strategy=folds, trips_after_fold="lost")
    assert {*endings(lost, "trips", 20)} == {Ending("folded", Fraction(-1))}
    kept = live("ultimate-texas-hold-em", "trips", strategy=folds)
    assert Ending("folded", Fraction(-1)) not in endings(kept, "trips", 20)


def test_a_player_sees_his_cards_and_what_lies_face_up_and_nothing_else() -> None:
    asked: list[Seen] = []

    def looks(seen: Seen) -> str:
        asked.append(seen)
        return seen.moves[1]

    endings(live("caribbean-stud-poker", "ante", strategy=from_function(looks)), "ante", 5)
    for seen in asked:
        assert (len(seen.cards), len(seen.board), len(seen.up)) == (5, 0, 1)
        assert not set(seen.cards) & set(seen.up)
        assert seen.moves == ("fold", "bet 2x")
    asked.clear()
    endings(live("let-it-ride-poker", "base_1", strategy=from_function(looks)), "base_1", 5)
    assert [(len(s.board), s.stage, s.before) for s in asked[:2]] == [
        (0, 0, ()), (1, 1, ("let_ride_1",)),
    ]  # fmt: skip


def test_a_move_that_is_none_is_told_with_the_situation() -> None:
    class Sleeps(Strategy):
        name = "sleeps"

        def decide(self, seen: Seen) -> str:
            return "sleep"

    with pytest.raises(Refusal) as caught:
        endings(live("red-dog", strategy=Sleeps()), "original")
    assert caught.value.fault is Fault.ILLEGAL_MOVE
    assert "sleeps answered 'sleep' spread" in caught.value.message
    assert caught.value.message.endswith("asked to call or raise")
