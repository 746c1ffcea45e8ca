"""Poker dealt in bulk: as the exact analysis counts it, as live tables pay it, and as advised."""

from collections.abc import Iterator, Mapping
from copy import copy
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import sqrt
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from croupier import rulebook
from croupier.analysis.advise import advise
from croupier.analysis.community import HIGHEST, LOWEST, folded, unfolded
from croupier.analysis.sets import canonical_sets, numbers_of, pack
from croupier.equipment import Card, Shoe, deck
from croupier.ranking import THREE, PokerHand
from croupier.ranking.bulk import card, places, strengths
from croupier.rulebook import Ask, Choice, Fault, Play, Refusal, Result, Table
from croupier.simulation import decisions
from croupier.simulation.packs import BLOCK, Packs
from croupier.simulation.readings import Block, Draw
from croupier.simulation.strategies import Seen, Strategy
from tests.analysis.brute import LAID
from tests.poker import (
    BONUS,
    CARIBBEAN,
    DOUBLE_DOWN,
    EVERY_GAME,
    FOUR_CARD,
    LET_IT_RIDE,
    PREMIUM,
    THREE_CARD,
    ULTIMATE,
    game_of,
)
from tests.simulation.support import agrees

Given = Mapping[str, Any]
Rows = NDArray[np.uint8]


SIX_CARDS = {"offer_six_card_bonus": True}
SPINS = {
    "bonus_spin_table": "S2",
    "bonus_spin_weights": "1,9,4,2,9,5,3,9,9,4,8,5",
    "bonus_spin_fixed_prize": 5_000_000,
}
LOST = {"bonus_after_fold": "lost"}
STAKE = 1000  # cents, with which every line can be paid exactly


def packs(name: str, options: Given | None = None, **others: Any) -> Packs:
    game = game_of(name)
    return Packs(game, game.options(dict(options or {})), **others)


@cache
def optimal(name: str, *options: tuple[str, Any]) -> Packs:
    """Played for the best; set up once for all tests."""
    return packs(name, dict(options))


def rows_of(engine: Packs, number: int, seed: int = 47) -> Rows:
    """Rounds that another generator has dealt."""
    shuffled = np.random.default_rng(seed).permuted(np.tile(np.arange(52), (number, 1)), axis=1)
    return shuffled[:, : engine.width].astype(np.uint8)


def cards_of(row: Rows) -> tuple[Card, ...]:
    return tuple(card(number) for number in row.tolist())


# What it comes to.


def exact(engine: Packs) -> dict[str, dict[tuple[str, Fraction], float]]:
    """The chance of each line, by the exact count."""
    poker, found = engine.poker, {}
    for label in engine.labels:
        is_main = label == poker.main
        table = poker.main_table()[0] if is_main else poker.side_table(engine.game.by_id[label])
        found[label] = {(line, net): float(chance) for (line, net), chance in table.items()}
    return found


def compare(engine: Packs, rounds: int = 1_000_000) -> None:
    """The mean of every wager lies within four errors, and the number of each line within five."""
    counts = engine.count(47, 0, rounds)
    for label, chances in exact(engine).items():
        came = {
            (ending.line, ending.net): int(times)
            for ending, times in zip(engine.endings[label], counts[label], strict=True)
        }
        assert set(chances) <= set(came)
        assert sum(came.values()) == rounds
        for line, times in came.items():
            chance = chances.get(line, 0.0)
            error = sqrt(rounds * chance * (1 - chance))
            # Of the rarest lines even one or two are many errors too many.
            assert abs(times - rounds * chance) <= 5 * error + 2 * (chance > 0), line
        mean = sum(float(net) * chance for (_, net), chance in chances.items())
        square = sum(float(net) ** 2 * chance for (_, net), chance in chances.items())
        found = sum(float(net) * times for (_, net), times in came.items()) / rounds
        assert abs(found - mean) <= 4 * sqrt((square - mean**2) / rounds), label


@pytest.mark.parametrize("name", EVERY_GAME)
def test_every_wager_comes_out_as_it_is_counted_exactly(name: str) -> None:
    compare(optimal(name))


@pytest.mark.parametrize(("name", "options"), [(BONUS, LOST), (PREMIUM, SPINS)])
def test_so_do_those_that_not_every_table_offers(name: str, options: Given) -> None:
    compare(optimal(name, *options.items()))


def test_a_game_finds_its_engine_and_the_labels_are_those_of_the_analysis() -> None:
    agrees(THREE_CARD, rounds=1_000_000, options=SIX_CARDS)


def test_what_is_wagered_counts_what_is_raised_and_taken_back() -> None:
    for name in (ULTIMATE, LET_IT_RIDE):
        engine, rounds = optimal(name), 1_000_000
        label = engine.poker.main
        counts = engine.count(5, 0, rounds)[label]
        staked = sum(
            int(times) * ending.wagered
            for ending, times in zip(engine.endings[label], counts, strict=True)
        )
        _, wagered = engine.poker.main_table()
        assert float(staked / rounds) == pytest.approx(float(wagered), abs=0.01)


def test_a_stake_is_paid_as_the_table_pays_it() -> None:
    """With $50 a royal flush wins no more than the limit of the table."""
    game, stake = game_of(DOUBLE_DOWN), 5000
    options = game.options({})
    engine = Packs(game, options, stake=stake)
    compare(engine, 100_000)
    assert max(ending.net for ending in engine.endings["original"]) == Fraction(5_000_000, stake)


# The rounds themselves.


@pytest.mark.parametrize("name", [THREE_CARD, LET_IT_RIDE, ULTIMATE])
def test_what_is_counted_is_what_is_played(name: str) -> None:
    engine, rounds = optimal(name), 3 * BLOCK + 77
    counts, played = engine.count(8, 1, rounds), engine.play(8, 1, rounds)
    for label in engine.labels:
        assert played[label].dtype == np.int32
        assert counts[label].sum() == len(played[label]) == rounds
        found = np.bincount(played[label], minlength=len(engine.endings[label]))
        assert (found == counts[label]).all()


def test_the_same_chunk_comes_out_the_same_and_another_does_not() -> None:
    engine = optimal(PREMIUM, *SPINS.items())
    played, same, other, seeded = (
        engine.play(seed, chunk, 50_000) for seed, chunk in ((7, 2), (7, 2), (7, 3), (8, 2))
    )
    for label in engine.labels:
        assert (played[label] == same[label]).all()
        assert (played[label] != other[label]).any()
        assert (played[label] != seeded[label]).any()


def test_every_card_comes_to_every_place_as_often() -> None:
    """The cards that a round is dealt from are the whole pack, each time anew."""
    engine, seen = optimal(FOUR_CARD), np.zeros((11, 52), np.int64)
    for block in blocks(engine, 10 * BLOCK):
        assert (np.diff(np.sort(block, axis=1), axis=1) > 0).all()
        for place in range(11):
            seen[place] += np.bincount(block[:, place], minlength=52)
    expected = 10 * BLOCK / 52
    chi = ((seen - expected) ** 2 / expected).sum()
    freedom = 11 * 51
    assert abs(chi - freedom) < 4 * sqrt(2 * freedom)


def blocks(engine: Packs, rounds: int) -> Iterator[Rows]:
    """The cards of the rounds of a chunk."""
    found: list[Rows] = []

    class Watched(Packs):
        def read(self, block: Block, chance: Any = None) -> Any:
            found.append(block.cards)
            return {}

    Watched(engine.game, engine.options, ["aces_up"]).count(3, 0, rounds)
    yield from found


def test_a_wager_that_nothing_is_decided_for_needs_no_solved_game(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("croupier.analysis.showdown.solve_once", None)
    engine = packs(THREE_CARD, labels=["pair_plus"])
    assert engine.labels == ("pair_plus",)
    assert engine.count(1, 0, 1000)["pair_plus"].sum() == 1000


def test_a_wager_of_the_main_hand_stands_for_all_of_it() -> None:
    named = ["play", "pair_plus", "ante_bonus"]
    assert packs(THREE_CARD, labels=named).labels == ("ante", "pair_plus")


# The same cards at a live table.


def settled(engine: Packs, row: Rows, position: int) -> tuple[Table, list[Choice]]:
    """A live round with these cards, decided as the engine would; and what was decided."""
    game, tree = engine.game, engine.tree
    own, board, dealer = np.split(row, [game.own_cards, game.own_cards + game.board_cards])
    hidden = np.concatenate([dealer[game.up_cards :], dealer[: game.up_cards]])  # up card last
    spare = sorted(set(range(52)) - set(row.tolist()))
    hands = {
        "o": iter(own.tolist()), "b": iter(board.tolist()), "d": iter(hidden.tolist()),
        "x": iter(spare),
    }  # fmt: skip
    order = (next(hands[letter]) for letter in LAID[game.id].replace(" ", ""))
    table = Table(game, engine.options.as_json())
    for label in sorted(engine.labels, key=lambda label: label != engine.poker.main):
        table.bet("1", label, stake_of(engine, label))
        game.accompany(table, "1")
    play, node, path = Play(table), 0, list[Choice]()
    while (request := play.request) is not None:
        if isinstance(request, rulebook.Draw) and isinstance(request.device, Shoe):
            play.answer(str(card(next(order))))
        elif isinstance(request, rulebook.Draw):
            play.answer([spot for _, spot in request.device.ways()][position])
        elif isinstance(request, Ask):
            known = engine.stages[tree.stage_of[node]].board
            shown = cards_of(dealer[: game.up_cards])
            path.append(engine.best(node, cards_of(own), cards_of(board[:known]), shown))
            node = -int(tree.children[node, tree.choices[node].index(path[-1])]) - 1
            (move,) = (each for each in request.moves if each.name == path[-1].move)
            amount = path[-1].times * STAKE
            play.answer({move.name: amount} if move.takes_amount else move.name)
        else:
            play.answer(None)
    return table, path


def stops_at(position: int) -> Draw:
    """A wheel that always stops there."""
    return lambda weights, many: np.full(many, position)


def stake_of(engine: Packs, label: str) -> int:
    low, high = engine.game.by_id[label].limits(engine.options, ())
    return low if low == high else STAKE


@pytest.mark.parametrize(
    ("name", "options"),
    [
        (THREE_CARD, SIX_CARDS), (CARIBBEAN, {}), (FOUR_CARD, {}), (DOUBLE_DOWN, {}),
        (LET_IT_RIDE, {}), (BONUS, {}), (BONUS, LOST), (ULTIMATE, {}),
        (PREMIUM, SPINS),
    ],
)  # fmt: skip
def test_a_live_round_with_the_same_cards_pays_the_same(name: str, options: Given) -> None:
    engine = optimal(name, *options.items())
    main = engine.poker.main
    for at, row in enumerate(rows_of(engine, 60)):
        table, path = settled(engine, row, at % 12)
        block = Block(row[None], stops_at(at % 12))
        read = {
            label: engine.endings[label][numbers[0]]
            for label, numbers in engine.read(block).items()
        }
        assert engine.tree.paths[block.ends[0]] == tuple(path)
        of_the_hand = [
            each for each in table.settlements if each.bet.wager in engine.poker.hand_wagers
        ]
        assert Fraction(sum(each.net for each in of_the_hand), STAKE) == read[main].net
        staked = sum(each.stake for each in of_the_hand if each.result is not Result.VOID)
        assert Fraction(staked, STAKE) == read[main].wagered
        for each in table.settlements:
            wager = each.bet.wager
            # One that may be made without the main hand is looked at alone: no fold loses it.
            alone = not wager.rests_on and path[-1].folds
            if wager.id in read and wager.id != main and not alone:
                assert Fraction(each.net, each.stake) == read[wager.id].net, wager.id


# The decisions.


def assert_best(engine: Packs, node: int, row: Rows) -> None:
    """What is looked up is what going through all that may still come says."""
    game, tree = engine.game, engine.tree
    known = engine.stages[tree.stage_of[node]].board
    shown = game.own_cards + game.board_cards
    own, board = row[: game.own_cards], row[game.own_cards : game.own_cards + known]
    view = cards_of(own), cards_of(board), cards_of(row[shown : shown + game.up_cards])
    before = [choice.move for choice in tree.before[node]]
    advised = advise(game, engine.options, *view, before=before)
    assert str(engine.best(node, *view)) == advised.best, (view, advised.values)


@pytest.mark.parametrize("name", EVERY_GAME)
def test_any_hand_is_played_as_advised(name: str) -> None:
    engine = optimal(name)
    nodes = len(engine.tree.choices)
    for at, row in enumerate(rows_of(engine, nodes + 2, seed=5)):
        assert_best(engine, at % nodes, row)


@pytest.mark.parametrize("name", [CARIBBEAN, FOUR_CARD])
def test_so_is_a_hand_whose_place_does_not_tell(name: str) -> None:
    engine = optimal(name)
    (decide,) = engine.deciders
    assert isinstance(decide, decisions.ByHand)
    rows = rows_of(engine, 20_000)
    worth = places(rows[:, : decide.own].copy(), engine.game.ladder)
    unsure = decide.by_place[rows[:, decide.own] >> 2, worth] == decisions.MIXED
    assert 12 <= unsure.sum() < 2000
    for row in rows[unsure][: 12 if name == CARIBBEAN else 4]:
        assert_best(engine, 0, row)


@pytest.mark.parametrize("name", [ULTIMATE, PREMIUM])
def test_so_is_a_hand_beside_a_board_that_does_not_tell(name: str) -> None:
    engine = optimal(name)
    decide = engine.deciders[-1]
    assert isinstance(decide, decisions.ByPlace)
    rows, last = rows_of(engine, 60_000), decide.own + decide.board
    boards = np.sort(rows[:, decide.own : last].astype(np.int64), axis=1)
    worth = places(rows[:, :last].copy(), engine.game.ladder)[:, None]
    bounds = decide.bounds[0, decide.names[numbers_of(boards)]]
    low, high = bounds[:, :, LOWEST], bounds[:, :, HIGHEST]
    unsure = ((low <= worth) & (worth <= high)).any(axis=1)
    assert 40 <= unsure.sum() < 0.05 * len(rows)
    suits = rows[unsure, decide.own : last] & 3
    may_flush = np.array([np.bincount(row).max() for row in suits]) > 5 - decide.own - 1
    assert may_flush.any()
    for row in (*rows[unsure][:20], *rows[unsure][may_flush][:20]):
        assert_best(engine, decide.first, row)


@pytest.mark.parametrize("name", [ULTIMATE, PREMIUM])
def test_where_the_place_tells_all_hands_of_the_dealers_say_the_same(name: str) -> None:
    engine = optimal(name)
    decide = engine.deciders[-1]
    assert isinstance(decide, decisions.ByPlace)
    counts_always = copy(decide)
    counts_always.bounds = np.zeros_like(decide.bounds)
    counts_always.bounds[..., HIGHEST] = np.iinfo(np.uint16).max
    rows = rows_of(engine, 10_000)
    worth = places(rows[:, : decide.own + decide.board].copy(), engine.game.ladder)
    live, nodes = np.arange(len(rows)), np.full(len(rows), decide.first)
    found = decide(rows, live, nodes, worth)
    assert (found == counts_always(rows, live, nodes, worth)).all()
    assert len(set(found.tolist())) == engine.tree.moves[decide.first]


def test_moves_are_filed_small_and_found_as_they_were() -> None:
    planes = np.random.default_rng(1).integers(0, 256, (3, 5, 2, 7), np.uint8)
    planes[1] = planes[0]
    filed = folded(planes)
    assert not filed[1].any()
    assert (unfolded(filed) == planes).all()


# A strategy.


class AlwaysPlay(Strategy):
    name = "always_play"

    def decide(self, seen: Seen) -> str:
        return "play 1x"


class HighCards(Strategy):
    """Plays what is described as it likes."""

    name = "high_cards"

    def __init__(self) -> None:
        self.seen: list[Seen] = []

    def decide(self, seen: Seen) -> str:
        self.seen.append(seen)
        return "fold" if seen.hand.startswith(("seven", "eight", "nine")) else "play 1x"


class Many(AlwaysPlay):
    """The same for many hands at once."""

    def decide(self, seen: Seen) -> str:
        raise AssertionError("many are asked at once")

    def decide_many(
        self, stage: int, before: tuple[str, ...], own: Rows, board: Rows, up: Rows
    ) -> NDArray[np.int8]:
        assert (stage, before, own.shape[1], board.shape[1], up.shape[1]) == (0, (), 3, 0, 0)
        return np.ones(len(own), np.int8)


def always_played() -> Fraction:
    """The edge of three card poker for who never folds: every deal, hand by hand."""
    dealt = np.array([*combinations(range(52), 3)], np.uint8)
    his, bits = places(dealt, THREE), (1 << dealt.astype(np.int64)).sum(axis=1)
    worths = strengths(THREE)
    queen_high = next(
        place for place in range(1, len(worths))
        if PokerHand(THREE, worths[place], ()).ranks[0] == 12
    )  # fmt: skip
    bonus = {"straight": 1, "three_of_a_kind": 4, "straight_flush": 5}
    own, ways = canonical_sets(pack(tuple(range(13)), 4), 4, 3)
    won = deals = 0
    for hand, times, mine in zip(own, ways, places(own.astype(np.uint8), THREE), strict=True):
        against = his[bits & (1 << hand).sum() == 0]
        plays = against[against >= queen_high]
        compared = int((plays < mine).sum()) - int((plays > mine).sum())
        category = PokerHand(THREE, worths[mine], ()).category
        earned = bonus.get(category, 0) * len(against)
        won += int(times) * (len(against) - len(plays) + 2 * compared + earned)
        deals += int(times) * len(against)
    return Fraction(-won, deals)


def test_a_strategy_is_obeyed() -> None:
    exact, rounds = always_played(), 1_000_000
    assert float(exact) == pytest.approx(0.0765, abs=0.00005)
    engine = packs(THREE_CARD, strategy=Many())
    counts = engine.count(2, 0, rounds)["ante"]
    nets = np.array([float(ending.net) for ending in engine.endings["ante"]])
    mean = float(counts @ nets) / rounds
    error = sqrt((float(counts @ nets**2) / rounds - mean**2) / rounds)
    assert abs(mean + float(exact)) < 4 * error
    came = {e.line for e, n in zip(engine.endings["ante"], counts, strict=True) if n}
    assert not any(line.startswith("fold") for line in came)


def test_one_that_decides_for_many_at_once_is_asked_so() -> None:
    one, many = (
        packs(THREE_CARD, strategy=each).count(2, 0, 20_000) for each in (AlwaysPlay(), Many())
    )
    assert all((one[label] == many[label]).all() for label in one)


def test_a_strategy_is_told_what_a_player_sees_and_asked_once_about_it() -> None:
    strategy = HighCards()
    engine = packs(THREE_CARD, strategy=strategy)
    engine.count(2, 0, 30_000)
    held = [seen.cards for seen in strategy.seen]
    assert len(held) == len(set(held))
    seen = strategy.seen[0]
    assert (seen.game, seen.question, seen.moves) == (
        THREE_CARD,
        "play or fold?",
        ("fold", "play 1x"),
    )
    assert list(seen.cards) == sorted(seen.cards, reverse=True)
    assert (seen.board, seen.up, seen.stage, seen.before) == ((), (), 0, ())
    assert seen.options["pair_plus_ledger"] == "A"
    assert seen.hand


def test_later_decisions_are_told_the_board_and_what_went_before() -> None:
    class Passive(Strategy):
        def __init__(self) -> None:
            self.seen: list[Seen] = []

        def decide(self, seen: Seen) -> str:
            self.seen.append(seen)
            return seen.moves[seen.stage]

    strategy = Passive()
    engine = packs(LET_IT_RIDE, strategy=strategy)
    counts = engine.count(4, 0, 500)["base_1"]
    told = {(each.stage, len(each.board), each.before) for each in strategy.seen}
    assert told == {(0, 0, ()), (1, 1, ("withdraw_1",))}
    came = {
        e.line.partition(":")[0]
        for e, n in zip(engine.endings["base_1"], counts, strict=True) if n
    }  # fmt: skip
    assert came == {"withdraw_1, let_ride_2"}


def test_a_player_may_leave_it_to_chance_and_is_asked_every_time() -> None:
    class Coin(Strategy):
        asked = 0

        def decide(self, seen: Seen) -> str:
            assert seen.chance is not None
            self.asked += 1
            return seen.moves[seen.chance.below(2)]

    coins, rounds = (Coin(), Coin()), 10_000
    engine = packs(THREE_CARD, strategy=coins[0])
    first = engine.play(6, 0, rounds)["ante"]
    again = packs(THREE_CARD, strategy=coins[1]).play(6, 0, rounds)["ante"]
    assert (first == again).all()
    assert [coin.asked for coin in coins] == [rounds, rounds]  # though hands come again
    fold = [ending.line for ending in engine.endings["ante"]].index("fold")
    assert abs((first == fold).mean() - 0.5) < 4 * sqrt(0.25 / rounds)


@pytest.mark.parametrize("said", ["raise", "", "play"])
def test_what_is_no_move_is_refused(said: str) -> None:
    class Wrong(Strategy):
        name = "wrong"

        def decide(self, seen: Seen) -> str:
            return said

    with pytest.raises(Refusal) as refused:
        packs(THREE_CARD, strategy=Wrong()).count(1, 0, 10)
    assert refused.value.fault is Fault.ILLEGAL_MOVE
    assert refused.value.message.startswith(f"wrong answered {said!r} with ")


def test_so_is_the_number_of_a_move_that_there_is_not() -> None:
    class Wrong(Many):
        def decide_many(self, *_: Any) -> Any:
            return np.full(10, 2)

    with pytest.raises(Refusal, match="the number of a move that there is not") as refused:
        packs(THREE_CARD, strategy=Wrong()).count(1, 0, 10)
    assert refused.value.fault is Fault.ILLEGAL_MOVE


def test_the_pack_is_the_one_that_live_rounds_are_dealt_from() -> None:
    assert {card(number) for number in range(52)} == set(deck())
