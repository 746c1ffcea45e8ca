"""The solution of chemin de fer, against coups that are dealt out one by one."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.analysis.equilibrium import Equilibrium, solve

F = Fraction
NOTHING, FIVE_PERCENT = F(0), F(1, 20)
EITHER = ("draw", "stand")

# How the banker plays on 0 to 7 against no third card and against 0 to 9: he must draw, he must
# stand, or he has the option.
TABLEAU = [
    "DDDDDDDDDDD",
    "DDDDDDDDDDD",
    "DDDDDDDDDDD",
    "DDDDDDDDDSO",
    "DSSDDDDDDSS",
    "DSSSSODDDSS",
    "SSSSSSSDDSS",
    "SSSSSSSSSSS",
]


def option_on_five(count: int) -> tuple[str, ...]:
    return EITHER if count == 5 else ("draw",) if count < 5 else ("stand",)


def no_option(count: int) -> tuple[str, ...]:
    return ("draw",) if count <= 5 else ("stand",)


def free(count: int, third: int | None) -> tuple[str, ...]:
    return EITHER


def free_player(count: int) -> tuple[str, ...]:
    return EITHER


def tableau(count: int, third: int | None) -> tuple[str, ...]:
    mark = TABLEAU[count][0 if third is None else third + 1]
    return {"D": ("draw",), "S": ("stand",), "O": EITHER}[mark]


def decks(number: int) -> list[int]:
    return [16 * number] + [4 * number] * 9


@dataclass(frozen=True)
class Table:
    """What was solved, to be dealt out here."""

    counts: Sequence[int]
    player_moves: Any = option_on_five
    banker_moves: Any = free
    vigorish: Fraction = NOTHING
    replacement: bool = False
    sees_cards: bool = True

    def solve(self) -> Equilibrium:
        return solve(
            self.counts,
            self.player_moves,
            self.banker_moves,
            vigorish=self.vigorish,
            replacement=self.replacement,
            sees_cards=self.sees_cards,
        )

    def deals(self) -> Iterator[tuple[tuple[int, ...], int]]:
        """Every order in which six cards can leave the shoe, and in how many ways."""
        for cards in product([value for value in range(10) if self.counts[value]], repeat=6):
            ways, left = 1, list(self.counts)
            for card in cards:
                ways *= left[card]
                left[card] -= not self.replacement
            if ways:
                yield cards, ways

    def known(self, one: int, two: int) -> Any:
        return tuple(sorted((one, two))) if self.sees_cards else (one + two) % 10

    def net(self, banker: int, player: int) -> tuple[Fraction, Fraction]:
        """What the player and the banker win with these counts."""
        if banker == player:
            return F(0), F(0)
        return (F(1), F(-1)) if player > banker else (F(-1), 1 - self.vigorish)


class Dealt:
    """What comes of two ways to play, and what each choice would gain, deal by deal."""

    def __init__(self, table: Table, player: Mapping[Any, Any], banker: Mapping[Any, Any]) -> None:
        self.player_gains: defaultdict[Any, Fraction] = defaultdict(Fraction)
        self.banker_gains: defaultdict[Any, Fraction] = defaultdict(Fraction)
        self.wins: defaultdict[str, Fraction] = defaultdict(Fraction)
        self.total = 0
        for cards, ways in table.deals():
            self.total += ways
            self._deal(table, cards, ways, player, banker)

    def _deal(
        self,
        table: Table,
        cards: tuple[int, ...],
        ways: int,
        player: Mapping[Any, Any],
        banker: Mapping[Any, Any],
    ) -> None:
        first, second, third, fourth, fifth, sixth = cards
        mine, his = (first + third) % 10, (second + fourth) % 10
        if mine > 7 or his > 7:
            self._count(his, mine, ways)
            return
        hand, other = table.known(first, third), table.known(second, fourth)
        moves = table.player_moves(mine)
        chance = player[hand] if len(moves) == 2 else int("draw" in moves)
        worth = {}
        for move in moves:
            drew = move == "draw"
            total, seen, card = (mine + fifth, fifth, sixth) if drew else (mine, None, fifth)
            replies = table.banker_moves(his, seen)
            reply = banker[other, seen] if len(replies) == 2 else int("draw" in replies)
            drawn = (his + card) % 10
            by_drawing, by_standing = table.net(drawn, total % 10), table.net(his, total % 10)
            part = ways * (chance if drew else 1 - chance)
            worth[move] = reply * by_drawing[0] + (1 - reply) * by_standing[0]
            if len(replies) == 2:
                self.banker_gains[other, seen] += part * (by_drawing[1] - by_standing[1])
            self._count(drawn, total % 10, part * reply)
            self._count(his, total % 10, part * (1 - reply))
        if len(moves) == 2:
            self.player_gains[hand] += ways * (worth["draw"] - worth["stand"])

    def _count(self, banker: int, player: int, ways: Fraction | int) -> None:
        winner = "tie" if banker == player else "banker" if banker > player else "player"
        self.wins[winner] += ways


def assert_stands(table: Table, solution: Equilibrium) -> None:
    """Nobody gains by another move anywhere, and the results are as likely as is said."""
    dealt = Dealt(table, solution.player, solution.banker)
    assert solution.player.keys() == dealt.player_gains.keys()
    assert solution.banker.keys() == dealt.banker_gains.keys()
    gains = [(solution.player[hand], gain) for hand, gain in dealt.player_gains.items()]
    gains += [(solution.banker[sight], gain) for sight, gain in dealt.banker_gains.items()]
    for play, gain in gains:
        assert 0 <= play <= 1
        assert gain <= 0 or play == 1
        assert gain >= 0 or play == 0
    outcomes = solution.outcomes
    assert outcomes.banker == dealt.wins["banker"] / dealt.total
    assert outcomes.player == dealt.wins["player"] / dealt.total
    assert outcomes.tie == dealt.wins["tie"] / dealt.total
    assert outcomes.banker + outcomes.player + outcomes.tie == 1
    assert solution.value_to_player == outcomes.player - outcomes.banker
    assert solution.value_to_banker == (1 - table.vigorish) * outcomes.banker - outcomes.player


def mixed(plays: Mapping[Any, Fraction]) -> dict[Any, Fraction]:
    return {choice: play for choice, play in plays.items() if 0 < play < 1}


@pytest.mark.parametrize("number", [1, 6])
def test_the_game_with_replacement_has_the_classic_solution(number: int) -> None:
    solution = solve(decks(number), option_on_five, free, replacement=True, sees_cards=False)
    assert solution.player == {5: F(9, 11)}
    assert mixed(solution.banker) == {(6, None): F(859, 2288)}
    assert solution.value_to_player == F(-679568, 53094899)
    assert solution.value_to_banker == F(679568, 53094899)


def test_cards_that_are_put_back_tell_no_more_than_their_count() -> None:
    by_count = solve(decks(1), option_on_five, free, replacement=True, sees_cards=False)
    by_cards = solve(decks(1), option_on_five, free, replacement=True)
    assert by_cards.outcomes == by_count.outcomes
    assert by_cards.player == dict.fromkeys([(0, 5), (1, 4), (2, 3), (6, 9), (7, 8)], F(9, 11))
    for ((low, high), third), play in by_cards.banker.items():  # type: ignore[misc]
        assert play == by_count.banker[(low + high) % 10, third]


def test_no_other_play_is_an_equilibrium_with_replacement() -> None:
    """The best replies to every probability on five, found by scanning all of them.

    The banker's play changes only where one of his gains is zero. Between two such places
    it is fixed, so the player must gain by drawing, or by standing.
    """
    for vigorish, expected in ((F(0), F(9, 11)), (FIVE_PERCENT, F(179, 214))):
        gains = banker_gains_with_replacement(vigorish)
        places = {F(0), F(1)} | {
            -fixed / slope for fixed, slope in gains.values() if slope and 0 < -fixed / slope < 1
        }
        ranked = sorted(places)
        middles = [(low + high) / 2 for low, high in pairwise(ranked)]
        signs = [player_gain_with_replacement(gains, p) for p in middles]
        # He gains by drawing below one place and by standing above it: there he is content.
        turns = [at for at in range(1, len(signs)) if (signs[at - 1] > 0) != (signs[at] > 0)]
        assert [ranked[at] for at in turns] == [expected]
        assert signs[0] > 0 > signs[-1]
        solution = solve(
            decks(1), option_on_five, free, vigorish=vigorish, replacement=True, sees_cards=False
        )
        assert solution.player == {5: expected}


CHANCES = [F(4, 13)] + [F(1, 13)] * 9
COUNTS = [
    sum((CHANCES[one] * CHANCES[(n - one) % 10] for one in range(10)), F(0)) for n in range(8)
]


def wins_of_banker(count: int, total: int, draws: bool) -> tuple[Fraction, Fraction]:
    """How likely the banker wins, and loses, against a total of the player."""
    ends = {(count + card) % 10: CHANCES[card] for card in range(10)} if draws else {count: F(1)}
    won = sum((chance for end, chance in ends.items() if end > total), F(0))
    lost = sum((chance for end, chance in ends.items() if end < total), F(0))
    return won, lost


def banker_gains_with_replacement(
    vigorish: Fraction,
) -> dict[tuple[int, int | None], tuple[Fraction, Fraction]]:
    """What the banker gains by drawing: the fixed part, and the part for each draw on five."""
    gains = {}
    for count, third in product(range(8), [None, *range(10)]):
        fixed = slope = F(0)
        for mine in range(8):
            if mine == 5 or (mine > 5) == (third is None):
                total = mine if third is None else (mine + third) % 10
                won, lost = wins_of_banker(count, total, draws=True)
                was_won, was_lost = wins_of_banker(count, total, draws=False)
                gain = COUNTS[mine] * ((1 - vigorish) * (won - was_won) - (lost - was_lost))
                fixed += gain if mine != 5 or third is None else 0
                slope += 0 if mine != 5 else -gain if third is None else gain
        gains[count, third] = fixed, slope
    return gains


def player_gain_with_replacement(
    gains: Mapping[tuple[int, int | None], tuple[Fraction, Fraction]], play: Fraction
) -> Fraction:
    """What the player gains by drawing on five against the best reply to this play."""
    gain = F(0)
    for (count, third), (fixed, slope) in gains.items():
        total = 5 if third is None else (5 + third) % 10
        won, lost = wins_of_banker(count, total, draws=fixed + slope * play > 0)
        chance = COUNTS[count] * (-1 if third is None else CHANCES[third])
        gain += chance * (lost - won)
    return gain


def test_the_default_tableau_leaves_punto_banco() -> None:
    solution = solve(decks(6), option_on_five, tableau, vigorish=FIVE_PERCENT, sees_cards=False)
    assert solution.player == {5: 1}
    assert solution.banker == {(3, 9): 1, (5, 4): 1}
    assert float(solution.value_to_player) == pytest.approx(-0.012374, abs=5e-7)
    assert float(solution.value_to_banker) == pytest.approx(-0.010558, abs=5e-7)


def test_a_banker_who_looks_at_his_cards_does_better_than_punto_banco() -> None:
    """With five against a four he stands if he holds the small cards that he would need."""
    solution = solve(decks(6), option_on_five, tableau, vigorish=FIVE_PERCENT)
    assert set(solution.player.values()) == {F(1)}
    stands = [sight for sight, play in solution.banker.items() if play == 0]
    assert stands == [((1, 4), 4), ((2, 3), 4)]
    assert not mixed(solution.banker)
    assert float(solution.value_to_player) == pytest.approx(-0.0123757, abs=5e-8)
    assert float(solution.value_to_banker) == pytest.approx(-0.0105559, abs=5e-8)


def test_a_player_without_the_option_draws_and_the_banker_knows_it() -> None:
    solution = solve(decks(6), no_option, tableau, vigorish=FIVE_PERCENT, sees_cards=False)
    with_option = solve(decks(6), option_on_five, tableau, vigorish=FIVE_PERCENT, sees_cards=False)
    assert solution.player == {}
    assert solution.banker == {(3, 9): 1, (5, 4): 1}
    assert solution.outcomes == with_option.outcomes


def test_the_sides_have_as_many_choices_as_the_literature_counts() -> None:
    """Ethier and Gámez (2013), abstract: games of 2 x 2^88 and, by the cards, 2^5 x 2^484."""
    by_count = solve(decks(6), option_on_five, free, sees_cards=False)
    by_cards = solve(decks(6), option_on_five, free)
    assert (len(by_count.player), len(by_count.banker)) == (1, 88)
    assert (len(by_cards.player), len(by_cards.banker)) == (5, 484)


class MillionDeals:
    """All orders of six values from six decks at once, in floating numbers."""

    def __init__(self, solution: Equilibrium) -> None:
        self.solution = solution
        self.cards = np.indices((10,) * 6).reshape(6, -1)
        chances = np.ones(10**6)
        for at, card in enumerate(self.cards):
            chances *= np.array(decks(6))[card] - (self.cards[:at] == card).sum(axis=0)
        self.mine = (self.cards[0] + self.cards[2]) % 10
        self.his = (self.cards[1] + self.cards[3]) % 10
        self.chances = chances / chances.sum()
        self.open = (self.mine < 8) & (self.his < 8)
        self.draws = np.zeros((10, 10))
        self.replies = np.zeros((10, 10, 11))  # the last one is to a stand
        for one, two in product(range(10), repeat=2):
            hand = (min(one, two), max(one, two))
            self.draws[one, two] = solution.player.get(hand, F((one + two) % 10 < 5))
            for place, third in enumerate([*range(10), None]):
                self.replies[one, two, place] = solution.banker.get((hand, third), F(0))

    def result(self, drew: bool, replied: bool) -> Any:
        """The sign of what the banker wins on every deal."""
        total = (self.mine + self.cards[4] * drew) % 10
        return np.sign((self.his + self.cards[5 if drew else 4] * replied) % 10 - total)

    def played(self, drew: bool) -> Any:
        """How likely every deal is to come to this."""
        draws = self.draws[self.cards[0], self.cards[2]]
        return self.open * self.chances * (draws if drew else 1 - draws)

    def worth(self, drew: bool) -> Any:
        """What the player wins on every deal if he does this."""
        third = self.cards[4] if drew else 10
        reply = self.replies[self.cards[1], self.cards[3], third]
        return -reply * self.result(drew, True) - (1 - reply) * self.result(drew, False)

    def player_gains(self) -> Any:
        """What he gains by drawing on every two cards."""
        gains = self.open * self.chances * (self.worth(True) - self.worth(False))
        table = np.zeros((10, 10))
        np.add.at(table, tuple(np.sort(self.cards[[0, 2]], axis=0)), gains)
        return table

    def banker_gains(self, drew: bool) -> Any:
        """What he gains by drawing on every two cards against every card, if the player drew."""
        nets = [
            np.where(result > 0, result * (1 - float(self.solution.vigorish)), result)
            for result in (self.result(drew, True), self.result(drew, False))
        ]
        table = np.zeros((10, 10, 11))
        low, high = np.sort(self.cards[[1, 3]], axis=0)
        np.add.at(
            table,
            (low, high, self.cards[4] if drew else 10),
            self.played(drew) * (nets[0] - nets[1]),
        )
        return table

    def value(self) -> float:
        """What the player wins in all."""
        naturals = ~self.open * self.chances * np.sign(self.mine - self.his)
        played = [self.played(drew) * self.worth(drew) for drew in (True, False)]
        return float((naturals + played[0] + played[1]).sum())


def bears(play: Fraction, gain: float) -> bool:
    """Whether a play is the best, but for the rounding of floating numbers."""
    return (gain < 1e-13 or play == 1) and (gain > -1e-13 or play == 0)


@pytest.mark.parametrize(
    ("vigorish", "draws", "banker"),
    [(NOTHING, F(35003, 74880), 0.0128410139), (FIVE_PERCENT, F(221683, 364176), -0.0101583782)],
)
def test_the_solution_for_six_decks_holds_over_a_million_deals(
    vigorish: Fraction, draws: Fraction, banker: float
) -> None:
    solution = solve(decks(6), option_on_five, free, vigorish=vigorish)
    assert solution.player == {(0, 5): 1, (1, 4): draws, (2, 3): 0, (6, 9): 1, (7, 8): 1}
    assert mixed(solution.banker) == {((0, 6), None): F(18885571, 36781056)}
    assert float(solution.value_to_player) == pytest.approx(-0.0128410139, abs=5e-11)
    assert float(solution.value_to_banker) == pytest.approx(banker, abs=5e-11)
    deals = MillionDeals(solution)
    assert deals.value() == pytest.approx(float(solution.value_to_player), abs=1e-13)
    gains = deals.player_gains()
    assert all(bears(play, gains[hand]) for hand, play in solution.player.items())
    gains = deals.banker_gains(drew=True) + deals.banker_gains(drew=False)
    for (hand, third), play in solution.banker.items():
        assert bears(play, gains[hand][10 if third is None else third])


def test_the_game_by_counts_costs_the_player_more() -> None:
    """Two cards tell more about the shoe than their count, and the player has more use for it."""
    by_count = solve(decks(6), option_on_five, free, sees_cards=False)
    assert list(mixed(by_count.banker)) == [(6, None)]
    assert by_count.player == {5: F(7631761, 9407656)}
    assert float(by_count.value_to_player) == pytest.approx(-0.0129155126, abs=5e-11)
    commission = solve(decks(6), option_on_five, free, vigorish=FIVE_PERCENT, sees_cards=False)
    assert commission.player == {5: F(799863, 964528)}
    assert commission.banker == by_count.banker
    assert float(commission.value_to_banker) == pytest.approx(-0.0100949481, abs=5e-11)


def test_a_large_shoe_comes_near_to_replacement() -> None:
    limit = solve(decks(1), option_on_five, free, replacement=True, sees_cards=False)
    far, near = (
        solve(decks(number), option_on_five, free, sees_cards=False) for number in (6, 600)
    )
    for one, other, goal in zip(figures(far), figures(near), figures(limit), strict=True):
        assert 0 < abs(other - goal) < abs(one - goal) / 50


def figures(solution: Equilibrium) -> list[Fraction]:
    values = [solution.value_to_player, solution.outcomes.tie]
    return [solution.player[5], solution.banker[6, None], *values]


@pytest.mark.parametrize(
    "table",
    [
        Table([1, 0, 0, 0, 3, 3, 4, 4, 0, 2], vigorish=FIVE_PERCENT),
        Table([2, 0, 2, 0, 0, 1, 1, 0, 4, 2], vigorish=FIVE_PERCENT),
    ],
)
def test_two_hands_may_be_mixed_at_once(table: Table) -> None:
    solution = table.solve()
    assert len(mixed(solution.player)) == 2
    assert_stands(table, solution)


def test_the_value_without_vigorish_is_the_most_that_the_player_can_secure() -> None:
    """The least that he wins at each probability on five, scanned for its highest place."""
    table = Table([0, 0, 2, 4, 0, 0, 0, 0, 4, 0], sees_cards=False)
    solution = table.solve()
    stands, draws = (
        Dealt(table, {5: F(play)}, dict.fromkeys(solution.banker, F(0))) for play in (0, 1)
    )

    def secured(play: Fraction) -> Fraction:
        """Against a banker who stands, less all that he gains by drawing where he should."""
        value = F(0)
        for chance, dealt in ((1 - play, stands), (play, draws)):
            value += chance * (dealt.wins["player"] - dealt.wins["banker"])
        for sight in solution.banker:
            gain = (1 - play) * stands.banker_gains[sight] + play * draws.banker_gains[sight]
            value -= max(gain, F(0))
        return value / stands.total

    places = {F(0), F(1)}
    for sight in solution.banker:
        first, last = stands.banker_gains[sight], draws.banker_gains[sight]
        if first * last < 0:
            places.add(first / (first - last))
    assert len(places) > 2
    assert mixed(solution.player)
    assert solution.value_to_player == max(map(secured, places)) == secured(solution.player[5])


@st.composite
def tables(draw: st.DrawFn) -> Table:
    values = draw(st.lists(st.integers(0, 9), min_size=1, max_size=4, unique=True))
    counts = [0] * 10
    for value in values:
        counts[value] = draw(st.integers(1, 6))
    counts[values[0]] += max(0, 6 - sum(counts))
    # A player who is free everywhere may know three values by their pairs, but not more.
    players = [option_on_five, option_on_five, no_option, free_player]
    return Table(
        counts,
        player_moves=draw(st.sampled_from(players if len(values) < 4 else players[:3])),
        banker_moves=draw(st.sampled_from([free, free, tableau])),
        vigorish=draw(st.sampled_from([NOTHING, FIVE_PERCENT, F(1, 25)])),
        replacement=draw(st.booleans()),
        sees_cards=draw(st.booleans()),
    )


@settings(max_examples=60, deadline=None)
@given(table=tables())
def test_neither_side_can_gain_with_any_small_shoe(table: Table) -> None:
    assert_stands(table, table.solve())


def test_a_shoe_of_one_value_leaves_only_ties_to_be_chosen() -> None:
    table = Table([0, 0, 0, 0, 0, 6, 0, 0, 0, 0], player_moves=free_player)
    solution = table.solve()
    assert solution.player == {(5, 5): 1}
    assert solution.banker == {((5, 5), None): 1, ((5, 5), 5): 1}
    assert solution.outcomes.tie == 1
    assert_stands(table, solution)


def test_the_solution_is_told_in_words() -> None:
    classic = solve(decks(1), option_on_five, free, replacement=True, sees_cards=False)
    assert classic.describe() == (
        "The player draws on five with probability 9/11. "
        "The banker draws on zero, one and two against anything; "
        "draws on three against 0 to 7, 9 and a stand; "
        "draws on four against 2 to 7 and a stand; "
        "draws on five against 4 to 7 and a stand; "
        "draws on six against 6 and 7; "
        "draws on six against a stand with probability 859/2288; otherwise stands."
    )
    by_cards = solve(decks(6), option_on_five, free).describe()
    assert by_cards.startswith(
        "The player draws on five from 0-5, 6-9 and 7-8; "
        "draws on five from 1-4 with probability 0.4675; otherwise stands."
    )
    assert "draws on six from 0-6 against a stand with probability 0.5135" in by_cards
    house = solve(decks(6), no_option, tableau, sees_cards=False).describe()
    assert house == (
        "The player has no choice. The banker draws on three against 9; draws on five against 4."
    )


def test_a_side_that_never_draws_is_told_in_words() -> None:
    solution = solve([6, 0, 0, 0, 0, 6, 0, 0, 0, 0], option_on_five, tableau, sees_cards=False)
    assert solution.player == {5: 0}
    assert solution.describe() == "The player stands on five. The banker has no choice."


@pytest.mark.parametrize(
    ("counts", "sentence"),
    [
        ([1] * 5 + [0] * 5, "A coup may need 6 cards, and the shoe has 5."),
        ([4] * 9, "A shoe is told by ten numbers of cards"),
        ([-1] + [4] * 9, "A shoe is told by ten numbers of cards"),
    ],
)
def test_a_shoe_must_hold_a_coup(counts: list[int], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        solve(counts, option_on_five, free)


def test_a_shoe_with_replacement_needs_one_card() -> None:
    assert solve([1] + [0] * 9, option_on_five, free, replacement=True).outcomes.tie == 1
    with pytest.raises(ValueError, match="A coup may need 1 cards"):
        solve([0] * 10, option_on_five, free, replacement=True)


def test_the_vigorish_is_a_part_of_the_winnings() -> None:
    with pytest.raises(ValueError, match="The vigorish is a part"):
        solve(decks(1), option_on_five, free, vigorish=F(5))


@pytest.mark.parametrize("moves", [(), ("draw", "double")])
def test_a_move_must_be_known(moves: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="The moves are draw, stand or both"):
        solve(decks(1), lambda count: moves, free)


def test_too_many_choices_of_the_player_are_refused() -> None:
    with pytest.raises(ValueError, match="The player has 44 choices, and only 8 can be solved"):
        solve(decks(6), free_player, free)
