"""Shoes dealt in bulk: worth what the exact analysis says, and card by card what a table deals."""

from collections import Counter
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from functools import cache
from math import sqrt
from typing import Any

import numpy as np
import pytest

from croupier.analysis import WagerReport, analyze
from croupier.analysis.dealt import Dealt
from croupier.equipment import Card
from croupier.games import find_game
from croupier.games.baccarat import coup_on
from croupier.rulebook import Ask, Draw, Fault, Refusal, Request, Result, ShoeGame, Table, by_chance
from croupier.rulebook.play import play_round
from croupier.simulation.engine import Ending
from croupier.simulation.shoes import Choices, Drawn, Over, Shoes, States
from croupier.simulation.strategies import Seen, Strategy
from croupier.simulation.streams import SeededStream

MILLION = 1_000_000

WAGERS = {"offer_total_cards": "yes", "offer_bonus": "yes", "bonus_requires_main_bet": "no"}
TOTAL_CARDS = {"banker_scheme": "no_vig_with_total_cards"}
TABLES: list[tuple[str, dict[str, Any]]] = [
    ("minibaccarat", WAGERS),
    ("minibaccarat", WAGERS | TOTAL_CARDS | {"batch_shuffler": "yes"}),
    ("minibaccarat", {"banker_scheme": "tie_vig_25", "cut_card_from_back": 364}),
    ("minibaccarat", WAGERS | {"continuous_shuffler": "yes", "bonus_paytable": "B"}),
    ("baccarat-punto-banco", {"no_vig_scheme": "six_half"}),
    ("casino-war", {"tie_on_war": "on"}),
    ("casino-war", {"war_burn": "three_once", "war_tie_bonus": "none", "shuffle": "manual"}),
    ("casino-war", {"tie_on_war": "on", "shuffle": "continuous"}),
    ("red-dog", {}),
    ("red-dog", {"decks": 1}),
    ("red-dog", {"decks": 1000}),
    ("red-dog", {"decks": 2, "shuffle": "after_every_round"}),
    ("red-dog", {"decks": 1, "shuffle": "continuous_device"}),
    ("baccarat-chemin-de-fer", {}),
    ("baccarat-chemin-de-fer", {"banker_tableau": "tableau_forced", "player_option_on_5": "no"}),
    ("baccarat-chemin-de-fer", {"banker_tableau": "free", "vig_percent": 0}),
]


@cache
def shoe_game(name: str) -> ShoeGame:
    game = find_game(name)
    assert isinstance(game, ShoeGame)
    return game


def shoes(name: str, given: Mapping[str, Any], *labels: str, **how: Any) -> Shoes:
    game = shoe_game(name)
    return Shoes(game, game.options(given), labels, **how)


def counted(engine: Shoes, rounds: int = MILLION, seed: int = 47) -> dict[str, Counter[Ending]]:
    """How often each ending came, by label."""
    found = engine.count(seed, 0, rounds)
    return {
        label: Counter(dict(zip(engine.endings[label], found[label].tolist(), strict=True)))
        for label in engine.labels
    }


def mean(counts: Counter[Ending]) -> float:
    return float(sum(ending.net * often for ending, often in counts.items())) / counts.total()


class Always(Strategy):
    """The same move wherever there is a choice."""

    def __init__(self, *moves: str) -> None:
        self.moves = moves
        self.asked: list[Seen] = []

    def decide(self, seen: Seen) -> str:
        self.asked.append(seen)
        return next(move for move in seen.moves if move in self.moves)


# What the wagers are worth.


@pytest.mark.parametrize(("name", "given"), TABLES, ids=str)
def test_every_wager_comes_out_as_the_exact_analysis_says(name: str, given: dict[str, Any]) -> None:
    engine = shoes(name, given)
    reports = analyze(shoe_game(name), shoe_game(name).options(given))

    assert engine.labels == tuple(report.label for report in reports)
    found = counted(engine)
    for report in reports:
        counts = found[report.label]
        rounds = counts.total()
        assert rounds == MILLION or report.label == "tie_war"
        error = report.standard_deviation / sqrt(rounds)
        assert abs(mean(counts) + float(report.house_edge)) < 4 * error, report.label
        outcomes_agree(report, counts)


def outcomes_agree(report: WagerReport, counts: Counter[Ending]) -> None:
    """Each line comes as often as it should, and no other comes at all."""
    rounds, came = counts.total(), Counter[tuple[str, Fraction]]()
    for ending, often in counts.items():
        came[ending.line, ending.net] += often
    assert came.keys() == {(each.result, each.net) for each in report.outcomes}
    for each in report.outcomes:
        chance = float(each.probability)
        error = sqrt(rounds * chance * (1 - chance))
        assert abs(came[each.result, each.net] - rounds * chance) < 4.5 * error, each


def test_raises_and_wagers_side_by_side_are_in_what_is_wagered() -> None:
    (dog,) = analyze(shoe_game("red-dog"), shoe_game("red-dog").options())
    counts = counted(shoes("red-dog", {}))["original"]
    wagered = float(sum(each.wagered * often for each, often in counts.items())) / MILLION
    pair = shoes("minibaccarat", WAGERS | TOTAL_CARDS).endings["banker+total_cards_4"]

    raised = float(dog.wagered) - 1
    assert abs(wagered - 1 - raised) < 4 * sqrt(raised * (1 - raised) / MILLION)
    assert {each.wagered for each in pair} == {2}


def test_at_a_stake_the_vigorish_is_rounded_as_the_table_rounds_it() -> None:
    game, given = shoe_game("minibaccarat"), shoe_game("minibaccarat").options()
    (report,) = analyze(game, given, ["banker"], stake=1010)

    endings = Shoes(game, given, ["banker"], stake=1010).endings["banker"]
    assert {each.net for each in endings} == {each.net for each in report.outcomes}
    assert max(each.net for each in endings) == Fraction(1010 - 55, 1010)


# The same cards, the same endings.


class Whim(Strategy):
    """Draws or stands for no good reason, but always the same on the same cards."""

    def decide(self, seen: Seen) -> str:
        return self.on(seen.deal)

    def on(self, sight: Any) -> str:
        count, third = sight if isinstance(sight, tuple) else (sight, 3)
        return "draw" if (count + (7 if third is None else third)) % 3 else "stand"


class Live:
    """A table whose players always make the same wagers, and whose cards are written down."""

    def __init__(
        self, name: str, given: Mapping[str, Any], seats: Mapping[str, str], strategy: Any
    ) -> None:
        self.game, self.table = shoe_game(name), Table(shoe_game(name), given)
        self.seats, self.strategy = seats, strategy
        self.cards: list[Card] = []  # that have left the shoe since it was shuffled
        self._answer = by_chance(SeededStream(47), self.decide)

    def shoe(self) -> list[dict[tuple[str, str], int]]:
        """The rounds from a shuffle to the next: what each wager won, by seat."""
        self.cards = []
        rounds = [self.round()]
        while not self.is_over:
            rounds.append(self.round())
        return rounds

    @property
    def is_over(self) -> bool:
        due: bool = self.table.state.shuffle_due
        return due or self.game.is_continuous(self.table.options)

    def round(self) -> dict[tuple[str, str], int]:
        table = self.table
        table.open_betting()
        for label, seat in self.seats.items():
            for wager in label.split("+") if label != "tie_war" else ():
                table.bet(seat, wager, STAKE)
        play_round(table, self.answer)
        assert all(each.result is not Result.STANDING for each in table.settlements)
        return {(each.bet.seat, each.bet.wager.id): each.net for each in table.settlements}

    def answer(self, request: Request) -> Any:
        answer = self._answer(request)
        if isinstance(request, Draw):
            self.cards.append(Card.parse(answer))
        return answer

    def decide(self, ask: Ask) -> Any:
        moves = {move.name: move for move in ask.moves}
        if "tie_war" in moves:
            return {"tie_war": STAKE}
        if "draw" in moves:
            coup, is_banker = coup_on(self.table), ask.seat == self.table.state.banker
            return self.strategy.on((coup.banker, coup.third) if is_banker else coup.player)
        if ask.offer:  # to cut, to turn a card, to keep the shoe
            return next((name for name in ("decline", "pass_shoe") if name in moves), ask.default)
        (name,) = (name for name in moves if name in self.strategy.moves)
        return {name: moves[name].high} if moves[name].takes_amount else name

    def whole_shoe(self) -> list[Card]:
        """The cards that were dealt, and then those that were not."""
        rest = Counter(self.table.equipment.composition) - Counter(self.cards)
        return [*self.cards, *rest.elements()]


STAKE = 2000
WAR, DUEL, DOG = "casino-war", "baccarat-chemin-de-fer", "red-dog"
AT_WAR = dict.fromkeys(["initial", "tie"], "1")
ORIGINAL = {"original": "1"}
APART = [  # each wager, or each pair that one player makes, at a seat of its own
    "banker", "player", "tie", "total_cards_4", "total_cards_5", "total_cards_6", "bonus_player",
    "bonus_banker", "banker+total_cards_4", "banker+total_cards_5", "banker+total_cards_6",
]  # fmt: skip
SEATS = {label: str(seat) for seat, label in enumerate(APART, start=1)}
FREE = {"banker_tableau": "free"}


@pytest.mark.parametrize(
    ("name", "given", "seats", "strategy", "number"),
    [
        ("minibaccarat", {}, {"banker": "1", "tie": "2"}, None, 3),
        ("minibaccarat", {"continuous_shuffler": "yes"}, {"player": "1"}, None, 60),
        ("baccarat-punto-banco", WAGERS | {"no_vig_scheme": "total_cards"}, SEATS, None, 2),
        (WAR, {"tie_on_war": "on"}, AT_WAR | {"tie_war": "1"}, Always("go_to_war"), 3),
        (WAR, {"war_burn": "three_once"}, AT_WAR, Always("go_to_war"), 3),
        (WAR, {"shuffle": "continuous"}, AT_WAR, Always("go_to_war"), 60),
        (WAR, {}, AT_WAR, Always("surrender"), 1),
        (DOG, {}, ORIGINAL, Always("raise"), 2),
        (DOG, {"decks": 1}, ORIGINAL, Always("call"), 3),
        (DOG, {"shuffle": "after_every_round"}, ORIGINAL, Always("raise"), 40),
        (DUEL, {}, {"bank": "1", "punt": "2"}, Whim(), 2),
        (DUEL, FREE, {"bank": "1", "punt": "2"}, Whim(), 3),
        (DUEL, FREE, {"bank": "1", "banco": "2"}, Whim(), 1),
    ],
)
def test_the_cards_of_a_live_table_end_as_they_did_there(
    name: str, given: dict[str, Any], seats: dict[str, str], strategy: Strategy | None, number: int
) -> None:
    engine = shoes(name, given, strategy=strategy, stake=STAKE)
    live = Live(name, given, seats, strategy)

    for _ in range(number):
        rounds = live.shoe()
        ends, left = engine.deal(live.whole_shoe())
        assert left == len(live.cards)
        for label, seat in seats.items():
            nets = [
                None if end < 0 else engine.endings[label][end].net * STAKE
                for end in ends[label].tolist()
            ]
            assert nets == [settled(live.game, each, label, seat) for each in rounds], label


def settled(
    game: ShoeGame, nets: Mapping[tuple[str, str], int], label: str, seat: str
) -> int | None:
    """What a seat won or lost with wagers and what joined them; None if they were not made."""
    wagers = {*label.split("+"), *(wager.id for wager in game.wagers if wager.joins == label)}
    found = [net for (who, wager), net in nets.items() if who == seat and wager in wagers]
    return sum(found) if found else None


def test_other_cards_than_those_of_the_shoe_are_not_dealt() -> None:
    with pytest.raises(ValueError, match="not the cards of the shoe"):
        shoes("red-dog", {"decks": 1}).deal([Card.parse("Ah")] * 52)


# Seeds and chunks.


@pytest.mark.parametrize(
    ("name", "given"),
    [("minibaccarat", WAGERS), ("casino-war", {"tie_on_war": "on"}),
     ("red-dog", {"shuffle": "continuous_device"}), ("baccarat-chemin-de-fer", FREE)],
)  # fmt: skip
def test_rounds_one_by_one_are_the_rounds_that_are_counted(
    name: str, given: dict[str, Any]
) -> None:
    engine = shoes(name, given)

    played, found = engine.play(47, 3, 20_000), engine.count(47, 3, 20_000)
    assert tuple(played) == tuple(found) == engine.labels
    for label in engine.labels:
        made = played[label][played[label] >= 0]
        assert (
            np.bincount(made, minlength=len(engine.endings[label])).tolist()
            == found[label].tolist()
        )


def test_fewer_rounds_are_the_first_of_more() -> None:
    engine = shoes("minibaccarat", {})

    assert engine.play(1, 2, 1000)["tie"].tolist() == engine.play(1, 2, 5000)["tie"][:1000].tolist()


def test_the_same_seed_and_chunk_give_the_same_rounds_and_others_give_others() -> None:
    engine = shoes("baccarat-chemin-de-fer", FREE)

    def rounds(seed: int, chunk: int) -> list[int]:
        found: list[int] = engine.play(seed, chunk, 200)["bank"].tolist()
        return found

    first = rounds(47, 0)
    assert rounds(47, 0) == first
    assert shoes("baccarat-chemin-de-fer", FREE).play(47, 0, 200)["bank"].tolist() == first
    others = [rounds(47, 1), rounds(48, 0), rounds(2**64 - 1, 2**64 - 1)]
    assert all(each != first for each in others)


def test_chunks_that_are_dealt_side_by_side_come_out_as_one_after_another() -> None:
    engine = shoes("minibaccarat", {})

    def chunk(number: int) -> list[int]:
        found: list[int] = engine.count(47, number, 50_000)["banker"].tolist()
        return found

    with ThreadPoolExecutor(2) as threads:
        assert list(threads.map(chunk, range(4))) == [chunk(number) for number in range(4)]


# Strategies.


def test_who_always_surrenders_loses_half_of_every_tie() -> None:
    engine = shoes("casino-war", {"tie_on_war": "on"}, strategy=Always("surrender"))

    tie = 23 / 311  # of six decks
    counts = counted(engine)["initial"]
    deviation = sqrt((1 - tie) + tie / 4 - (tie / 2) ** 2)
    assert {(each.line, each.net) for each in counts} == {
        ("win", 1), ("lose", -1), ("surrender", Fraction(-1, 2)),
    }  # fmt: skip
    assert abs(mean(counts) + tie / 2) < 4 * deviation / sqrt(MILLION)
    assert engine.labels == ("initial", "tie")


def test_who_never_raises_loses_what_raising_would_have_won() -> None:
    (report,) = analyze(shoe_game("red-dog"), shoe_game("red-dog").options())
    calls = Always("call")
    counts = counted(shoes("red-dog", {}, strategy=calls))["original"]

    lost = report.house_edge + sum(
        each.chance * (each.values[each.move] - each.values["call"]) for each in report.advice
    )
    assert lost > report.house_edge
    assert abs(mean(counts) + float(lost)) < 4 * report.standard_deviation / sqrt(MILLION)
    assert {each.wagered for each in counts} == {1}
    assert {seen.hand for seen in calls.asked} == {f"spread {n}" for n in range(1, 12)}
    assert {seen.moves for seen in calls.asked} == {("call", "raise")}


def test_a_strategy_may_look_at_the_hand_in_words() -> None:
    class Timid(Strategy):
        def decide(self, seen: Seen) -> str:
            return "raise" if int(seen.hand.split()[1]) >= 7 else "call"

    best, timid = shoes("red-dog", {}), shoes("red-dog", {}, strategy=Timid())
    assert (
        best.play(47, 0, 5000)["original"].tolist() == timid.play(47, 0, 5000)["original"].tolist()
    )


def test_each_side_of_a_duel_is_told_no_card_of_the_other_that_lies_face_down() -> None:
    both = Always("stand")
    shoes("baccarat-chemin-de-fer", FREE, strategy=both)

    players = {seen.deal: seen.hand for seen in both.asked if isinstance(seen.deal, int)}
    bankers = {seen.deal: seen.hand for seen in both.asked if isinstance(seen.deal, tuple)}
    assert players == {5: "player 5"}
    assert bankers[3, 9] == "banker 3 against 9"
    assert bankers[6, None] == "banker 6 against a stand"
    assert len(bankers) == 8 * 11


def test_a_strategy_that_answers_with_no_move_is_refused() -> None:
    class Lost(Strategy):
        name = "the lost one"

        def decide(self, seen: Seen) -> str:
            return "double"

    with pytest.raises(Refusal) as caught:
        shoes("red-dog", {}, strategy=Lost())
    assert caught.value.fault is Fault.ILLEGAL_MOVE
    assert caught.value.message == "the lost one answers 'double' where the moves are call, raise"


def test_a_choice_that_is_best_left_to_chance_is_left_to_it() -> None:
    game = shoe_game("baccarat-chemin-de-fer")
    options = game.options(FREE)
    solved = Dealt(game, options)
    assert solved.equilibrium is not None
    states = States(solved, ["bank"], Choices(solved, None)).all
    drawn = {each.below for each in states if isinstance(each, Drawn)}
    mixed = {*solved.equilibrium.player.values(), *solved.equilibrium.banker.values()} - {0, 1}
    assert mixed
    assert drawn == {int(chance * 2**64) for chance in mixed}


# What is named.


def test_a_war_is_named_by_the_wager_that_it_joins() -> None:
    assert shoes("casino-war", {}, "war", "tie", "initial").labels == ("initial", "tie")


@pytest.mark.parametrize("label", ["tie_war", "craps", "initial+initial"])
def test_a_wager_that_the_table_does_not_have_is_refused(label: str) -> None:
    with pytest.raises(Refusal):
        shoes("casino-war", {}, label)


def test_a_wager_that_such_a_player_never_makes_is_refused() -> None:
    with pytest.raises(Refusal) as caught:
        shoes("casino-war", {"tie_on_war": "on"}, "tie_war", strategy=Always("surrender"))
    assert caught.value.fault is Fault.NOT_NOW
    assert "never made" in caught.value.message


def test_wars_after_every_tie_are_one_and_the_same() -> None:
    game = shoe_game("casino-war")
    solved = Dealt(game, game.options())
    states = States(solved, ["initial"], Choices(solved, Always("go_to_war"))).all
    ends = [each for each in states if isinstance(each, Over)]
    # Won and lost by two cards; lost, won and tied again by ten.
    assert sorted(each.cards for each in ends) == [2, 2, 10, 10, 10]
    # A deal begins, goes on from 13 first cards, burns three, and so on from 13 third cards.
    assert len(states) == 1 + 13 + 3 + 1 + 13 * 3 + 13 + len(ends)
