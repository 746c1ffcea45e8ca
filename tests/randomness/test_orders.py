"""Tests of shuffles: a sound one passes, and the famous bad ones do not."""

from collections.abc import Callable
from itertools import permutations

import numpy as np
import pytest

from croupier.randomness import orders
from croupier.randomness.orders import Lines
from croupier.randomness.sources import Compiled, Live, Streams
from tests.randomness.support import FLAWED, SOUND, good

Shuffle = Callable[[int, int], Lines]


def fisher_yates(cards: int, count: int) -> Lines:
    return good().permuted(np.tile(np.arange(cards), (count, 1)), axis=1)


def swap_anything(cards: int, count: int) -> Lines:
    """Every card is swapped with any card: not every order can come equally often."""
    lines, picks = np.tile(np.arange(cards), (count, 1)), good().integers(0, cards, (count, cards))
    every = np.arange(count)
    for at in range(cards):
        here, there = lines[:, at].copy(), picks[:, at]
        lines[:, at] = lines[every, there]
        lines[every, there] = here
    return lines


def never_in_place(cards: int, count: int) -> Lines:
    """The card that is swapped is never the card itself."""
    lines, chance = np.tile(np.arange(cards), (count, 1)), good()
    every = np.arange(count)
    for at in range(cards - 1, 0, -1):
        there = chance.integers(0, at, count)
        here = lines[:, at].copy()
        lines[:, at] = lines[every, there]
        lines[every, there] = here
    return lines


def cut(cards: int, count: int) -> Lines:
    """The deck is only cut, at every place in turn."""
    return (np.arange(cards) + np.arange(count)[:, None]) % cards


@pytest.mark.parametrize("source", [Streams(11), Compiled(11)], ids=lambda source: source.name)
def test_a_sound_shuffle_passes(source: Streams | Compiled) -> None:
    lines = source.small_orders(12_000)
    assert orders.every_order(lines).p_value > SOUND
    assert orders.neighbors(lines, 5).p_value > SOUND


def test_the_shuffle_of_live_tables_passes() -> None:
    lines = Live().small_orders(12_000)
    assert orders.every_order(lines).p_value > FLAWED
    assert orders.neighbors(lines, 5).p_value > FLAWED


def test_compiled_packs_and_shoes_pass() -> None:
    compiled = Compiled(11)
    pack, shoe = compiled.orders(52, 5_000), compiled.orders(416, 1_000)
    assert (np.sort(pack, axis=1) == np.arange(52)).all()
    assert (np.sort(shoe, axis=1) == np.arange(416)).all()
    assert orders.places(pack, [1] * 52).p_value > SOUND
    assert orders.places(shoe % 13, [32] * 13).p_value > SOUND
    assert orders.neighbors(pack, 52).p_value > SOUND
    assert orders.neighbors(shoe, 416).p_value > SOUND
    assert orders.neighbors(shoe % 52, 52, 8).p_value > SOUND


@pytest.mark.parametrize("shuffle", [swap_anything, never_in_place])
def test_a_bad_shuffle_is_noticed_in_the_orders_of_five_cards(shuffle: Shuffle) -> None:
    assert orders.every_order(shuffle(5, 20_000)).p_value < FLAWED


@pytest.mark.parametrize("shuffle", [swap_anything, never_in_place])
def test_a_bad_shuffle_is_noticed_in_the_places_of_a_pack(shuffle: Shuffle) -> None:
    assert orders.places(fisher_yates(52, 4_000), [1] * 52).p_value > SOUND
    assert orders.places(shuffle(52, 4_000), [1] * 52).p_value < FLAWED


def test_a_deck_that_is_only_cut_keeps_its_neighbors() -> None:
    lines = cut(52, 5_200)
    assert orders.neighbors(lines, 52).upper < FLAWED
    assert orders.places(lines, [1] * 52).lower < FLAWED  # and its places are too even


def test_places_of_kinds_and_of_the_first_cards_pass_when_they_are_sound() -> None:
    lines = fisher_yates(52, 4_000)
    assert orders.places(lines // 4, [4] * 13).p_value > SOUND
    assert orders.places(lines[:, :20], [1] * 52).p_value > SOUND
    assert orders.places(lines[:, :7] // 4, [4] * 13).p_value > SOUND


@pytest.mark.parametrize(("kinds", "copies", "dealt"), [(5, 1, 5), (3, 2, 6), (3, 2, 4), (4, 2, 3)])
def test_neighbors_are_expected_as_often_as_they_come(kinds: int, copies: int, dealt: int) -> None:
    """The mean and the variance, by every order of a small deck."""
    every = [*permutations([*range(kinds)] * copies, dealt)]
    followed = (np.diff(np.array(every), axis=1) == 1).sum(axis=1)
    expected = orders._neighbors_of_a_line(dealt, kinds, copies)
    assert expected == pytest.approx((followed.mean(), followed.var()))


def test_p_values_of_places_are_uniform() -> None:
    """The covariance of places and kinds is taken off rightly: a tenth is below a tenth."""
    verdicts = [
        orders.places(part[:, :5] % 4, [4, 3, 3, 3])
        for part in np.split(fisher_yates(13, 200_000), 400)
    ]
    below = np.mean([verdict.upper < 0.1 for verdict in verdicts])
    above = np.mean([verdict.upper > 0.9 for verdict in verdicts])
    assert below == pytest.approx(0.1, abs=0.05)
    assert above == pytest.approx(0.1, abs=0.05)
