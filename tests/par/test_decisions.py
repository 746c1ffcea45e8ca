"""What it costs to play by a rule of thumb, against a count that shares nothing with it."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from croupier.par.composite import composite
from croupier.par.decisions import decisions, deviations
from croupier.par.document import Table, Text
from tests.par.made import about

QUEEN = 10  # a two being 0
BONUS = {3: 1, 4: 4, 5: 5}  # straight, three of a kind, straight flush
PAIR_PLUS = {0: -1, 1: 1, 2: 4, 3: 6, 4: 30, 5: 40}

Hand = tuple[int, ...]  # cards 0 to 51, rank by rank
Score = tuple[int, int, int, int]


def score(hand: Hand) -> Score:
    """What three cards are worth: the kind, then the ranks in the order in which they count."""
    ranks = sorted((card // 4 for card in hand), reverse=True)
    flush = len({card % 4 for card in hand}) == 1
    if ranks == [12, 1, 0]:
        ranks = [1, 0, -1]
    straight = ranks[0] == ranks[1] + 1 == ranks[2] + 2
    times = Counter(ranks)
    ranks.sort(key=lambda rank: (times[rank], rank), reverse=True)
    most = times[ranks[0]]
    kind = (
        5 if straight and flush else 4 if most == 3 else 3 if straight else 2 if flush else most - 1
    )
    return kind, *ranks  # type: ignore[return-value]


@cache
def every_hand() -> tuple[list[tuple[Score, int]], list[tuple[int, int, int]]]:
    """Hands that differ by more than names of suits, with how many each stands for; and against
    the dealer's every hand: how often he does not play, loses to it and beats it."""
    hands = [*combinations(range(52), 3)]
    scores = [score(hand) for hand in hands]
    order = {worth: at for at, worth in enumerate(sorted(set(scores)))}
    worths = np.array([order[worth] for worth in scores])
    masks = np.array([sum(1 << card for card in hand) for hand in hands], np.uint64)
    least = min(order[worth] for worth in scores if worth[0] or worth[1] >= QUEEN)
    alike: Counter[Hand] = Counter()
    first: dict[tuple[Hand, ...], int] = {}
    for at, hand in enumerate(hands):
        suits = tuple(sorted(tuple(c // 4 for c in hand if c % 4 == suit) for suit in range(4)))
        alike[(first.setdefault(suits, at),)] += 1
    told, met = [], []
    for (at,), times in alike.items():
        free: NDArray[np.int64] = worths[(masks & masks[at]) == 0]
        plays = free[free >= least]
        told.append((scores[at], times))
        met.append((
            len(free) - len(plays), int((plays < worths[at]).sum()), int((plays > worths[at]).sum())
        ))  # fmt: skip
    return told, met


def value(plays_from: Score) -> Fraction:
    """What ante, play and bonus win together if hands below this one are folded."""
    told, met = every_hand()
    won = 0
    for (worth, times), (idle, beaten, beats) in zip(told, met, strict=True):
        if worth < plays_from:
            won -= 18_424 * times
        else:
            bonus = BONUS.get(worth[0], 0) * 18_424
            won += times * (idle + 2 * beaten - 2 * beats + bonus)
    return Fraction(won, 22_100 * 18_424)


LINES = {
    "always play 1x": (0, 0, 0, 0),
    "play 1x with J high or better, else fold": (0, 9, 0, 0),
    "play 1x with Q high or better, else fold": (0, 10, 0, 0),
    "play 1x with K high or better, else fold": (0, 11, 0, 0),
    "play 1x with a pair or better, else fold": (1, 0, 0, -1),
    "always fold": (6, 0, 0, 0),
}


def test_three_card_poker_by_a_line_costs_what_dealing_it_costs() -> None:
    subject = about("three-card-poker")
    best = value((0, 10, 4, 2))  # queen, six and four
    assert best == -subject.main.house_edge
    costs = dict(deviations(subject))
    assert {way: best - value(line) for way, line in LINES.items()} == {
        way: costs[way] for way in LINES
    }
    assert (
        0 < costs["the best by the two highest cards or the made hand alone"] < Fraction(1, 10**4)
    )


def test_three_card_poker_ante_and_pair_plus_together() -> None:
    """The covariance of the two, from every deal."""
    told, met = every_hand()
    product, deals = 0, 22_100 * 18_424
    for (worth, times), (idle, beaten, beats) in zip(told, met, strict=True):
        bonus = BONUS.get(worth[0], 0) * 18_424
        won = idle + 2 * beaten - 2 * beats + bonus if worth >= (0, 10, 4, 2) else -18_424
        product += times * won * PAIR_PLUS[worth[0]]
    subject = about("three-card-poker")
    ante, pair_plus = (report.house_edge for report in subject.reports)
    (found,) = (b for b in composite(subject).blocks if isinstance(b, Table))
    shown = dict(zip([column.id for column in found.columns], found.rows[0], strict=True))
    assert shown["covariance"] == Fraction(product, deals) - ante * pair_plus
    assert shown["edge"] == (ante + pair_plus) / 2
    assert shown["risk"] == (ante + pair_plus) / (subject.main.wagered + 1)


def test_hands_in_order_cover_every_hand() -> None:
    subject = about("three-card-poker")
    (hands,) = (
        b for b in decisions(subject).blocks if isinstance(b, Table) and b.id == "hands"
    )  # fmt: skip
    folded = [(row[0], row[5]) for row in hands.rows if row[1] == "fold"]
    assert [name for name, _ in folded][-2:] == ["J high", "Q high"]
    names = hands.column("hand")
    assert len(set(names)) == len(names)
    assert sum(Fraction(str(chance)) for chance in hands.column("chance")) == 1


def test_red_dog_without_raising_and_always_raising() -> None:
    """Six decks, by hand: the third card lies between with 24 of 310 for each rank of spread."""
    chance, value = {}, {}
    for spread in range(1, 12):
        pairs = 12 - spread  # of ranks that lie so far apart
        chance[spread] = Fraction(2 * pairs * 24 * 24, 312 * 311)
        pays = {1: 5, 2: 4, 3: 2}.get(spread, 1)
        hits = Fraction(24 * spread, 310)
        value[spread] = hits * pays - (1 - hits)
    calls = sum(chance[s] * max(value[s], Fraction(0)) for s in value)
    raises = sum(chance[s] * max(-value[s], Fraction(0)) for s in value)
    assert dict(deviations(about("red-dog"))) == {"always call": calls, "always raise": raises}


def test_let_it_ride_played_the_same_all_the_way() -> None:
    """Every five cards of 2,598,960 once: one unit on them is what always withdrawing leaves."""
    counted = {1000: 4, 200: 36, 50: 624, 11: 3744, 8: 5108, 5: 10_200, 3: 54_912, 2: 123_552}
    pairs = 5 * 84_480  # of tens or better
    lost = 2_598_960 - sum(counted.values()) - pairs
    won = sum(pays * hands for pays, hands in counted.items()) + pairs - lost
    one_unit = Fraction(won, 2_598_960)
    subject = about("let-it-ride-poker")
    costs, best = dict(deviations(subject)), -subject.main.house_edge
    for way, units in (
        ("withdraw 1, withdraw 2", 1), ("withdraw 1, let ride 2", 2), ("let ride 1, let ride 2", 3)
    ):  # fmt: skip
        assert best - costs[f"always {way}"] == units * one_unit
    first, second = (
        costs[f"with {cards} cards always withdraw {at}, and the best at any other decision"]
        for at, cards in ((1, "three"), (2, "four"))
    )
    assert first + second == costs["always withdraw 1, withdraw 2"]


def test_casino_war_surrender_costs_what_going_to_war_gains() -> None:
    subject = about("casino-war")
    costs = dict(deviations(subject))
    tie = Fraction(23, 311)
    (advice,) = subject.main.advice
    assert advice.chance == tie
    assert costs == {
        "always go to war": 0,
        "always surrender": tie * (advice.values["go_to_war"] + Fraction(1, 2)),
    }


def test_games_without_a_decision_say_so() -> None:
    texts = [b for b in decisions(about("big-six")).blocks if isinstance(b, Text)]
    assert "No wager leaves a player anything to decide" in texts[-1].lines[0]


def test_what_there_is_no_time_for_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing has been counted here before: the game is solved, and more is not begun."""
    monkeypatch.setenv("CROUPIER_CACHE", str(tmp_path))
    subject = about("three-card-poker", seconds=0)
    assert subject.finer is None
    texts = [b for b in decisions(subject).blocks if isinstance(b, Text)]
    assert "there was no time for it" in texts[-1].lines[0]
    assert dict(deviations(subject))["always play 1x"] > 0
