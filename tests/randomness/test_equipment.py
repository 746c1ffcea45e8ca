"""Equipment keeps true odds: its composition exactly, its outcomes as chance allows."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from croupier.equipment import Chance, Device, Dice, Drum, Shoe, Throw, Wheel, deck
from croupier.games import find_game, registry
from croupier.randomness import equipment, orders
from croupier.simulation.streams import SeededStream
from tests.randomness.support import FLAWED, SOUND

BIG_SIX = find_game("big-six").device(find_game("big-six").options())


class Loaded:
    """Chance that favors the first outcome, once in so many times."""

    def __init__(self, once_in: int = 20) -> None:
        self.stream, self.once_in = SeededStream(3), once_in

    def below(self, n: int) -> int:
        return 0 if self.stream.below(self.once_in) == 0 else self.stream.below(n)


class Remainder:
    """Chance that is the remainder of six bits, which favors the low outcomes."""

    def __init__(self) -> None:
        self.stream = SeededStream(3)

    def below(self, n: int) -> int:
        return self.stream.below(64) % n


class LoadedDice(Dice):
    """Two dice that never show a pair of ones."""

    def outcomes(self) -> Sequence[Throw]:
        return super().outcomes()[1:]


def drum_without(number: int) -> Drum:
    drum = Drum(80)
    drum.take(number)
    return drum


def test_all_equipment_is_whole() -> None:
    every = equipment.of_all_tables()
    assert {game for each in every for game in each.games} == set(registry())
    assert [equipment.wrong_with(each.new()) for each in every] == [""] * len(every)


@pytest.mark.parametrize(
    ("device", "why"),
    [
        (Shoe(deck()[:51]), "no number of whole decks"),
        (Shoe([*deck()[:51], deck()[0]]), "no number of whole decks"),
        (drum_without(80), "missing from it"),
        (LoadedDice(2), "die 1 does not show each face"),
        (Wheel("38-number roulette wheel", map(str, range(37))), "00 is missing"),
        (Wheel("big six wheel", [*BIG_SIX.outcomes(), "joker"]), "joker stands on it 2 times"),
        (Wheel("pokette wheel", [*equipment.CARDS, "jacer1", "jacer1"]), "jacer1 stands on it 2"),
        (Wheel("wheel of fortune", ["1", "2"]), "nobody has said what stands on"),
        (Device[Any](), "nobody has said what"),
    ],
)
def test_equipment_that_is_not_whole_is_named(device: Device[Any], why: str) -> None:
    if not isinstance(device, Shoe | Drum | Dice | Wheel):
        device.name = "spinning top"
        device.outcomes = lambda: [1, 2]  # type: ignore[method-assign]
    assert why in equipment.wrong_with(device)


def of(game: str) -> Callable[[], Device[Any]]:
    found = find_game(game)
    return lambda: found.device(found.options())


def spins(game: str, chance: Chance) -> float:
    device = of(game)()
    return equipment.true_odds(device, equipment.spun(device, chance, 20_000)).p_value


def deals(game: str, chance: Chance, count: int) -> float:
    """The worse verdict on places and on neighbors."""
    device = of(game)()
    lines = equipment.dealt(of(game), chance, count)
    kinds = len({*device.outcomes()})
    neighbors = orders.neighbors(lines, kinds, len(device.outcomes()) // kinds)
    return min(orders.places(*equipment.kinds_of(device, lines)).p_value, neighbors.p_value)


@pytest.mark.parametrize("game", ["roulette", "big-six", "craps", "sic-bo", "pokette"])
def test_loaded_equipment_is_noticed(game: str) -> None:
    assert spins(game, SeededStream(3)) > SOUND
    assert spins(game, Loaded()) < FLAWED


@pytest.mark.parametrize(
    ("game", "count"), [("keno", 2_000), ("three-card-poker", 600), ("minibaccarat", 60)]
)
def test_a_loaded_deal_is_noticed(game: str, count: int) -> None:
    assert deals(game, SeededStream(3), count) > SOUND
    assert deals(game, Loaded(once_in=4), count) < FLAWED


def test_the_bias_of_a_remainder_is_noticed_in_a_pack() -> None:
    assert deals("three-card-poker", Remainder(), 600) < FLAWED


def test_a_deal_goes_to_the_last_card_and_a_draw_of_keno_to_the_twentieth_ball() -> None:
    pack = equipment.dealt(of("three-card-poker"), SeededStream(3), 5)
    assert [sorted(line) for line in pack.tolist()] == [list(range(52))] * 5
    balls = equipment.dealt(of("keno"), SeededStream(3), 5)
    assert balls.shape == (5, 20)
    assert all(len(set(line)) == 20 for line in balls.tolist())


def test_cards_of_a_shoe_go_by_rank() -> None:
    shoe = of("minibaccarat")()
    lines, copies = equipment.kinds_of(shoe, equipment.dealt(of("minibaccarat"), Loaded(), 2))
    assert copies == [32] * 13
    assert lines.shape == (2, 416)
    assert set(lines.ravel().tolist()) == set(range(13))
