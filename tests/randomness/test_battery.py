"""The battery as a whole: its level, its two tails, and what it makes of sound and bad sources."""

from dataclasses import replace

import numpy as np
import pytest

from croupier.equipment import Shoe, deck
from croupier.randomness import battery
from croupier.randomness.battery import Result, holm
from croupier.randomness.equipment import Equipment
from croupier.randomness.report import explained
from croupier.randomness.sources import Source, Streams
from croupier.randomness.verdict import (
    Verdict,
    chi_square,
    evenly,
    lump,
    normal,
    rare,
)
from tests.randomness.support import FLAWED, SMALL, SOUND, Biased, good


def test_the_simulations_streams_pass(sound: Result) -> None:
    assert sound.passed
    assert sound.sources == ("streams", "compiled")
    assert len(sound.findings) > 200


def test_live_chance_passes() -> None:
    """At a level at which sound chance fails never in a lifetime of tests."""
    result = battery.run("live", effort=SMALL, alpha=FLAWED)
    assert result.passed
    assert result.sources == ("live",)
    assert {fact.title for fact in result.facts} >= {"no start like another"}


def test_a_seed_gives_the_same_result_again_and_another_seed_another(sound: Result) -> None:
    again, other = (battery._raw(Streams(seed), SMALL) for seed in (7, 8))
    (first, *_) = sound.findings
    assert next(again)[0] == first.sample
    assert next(other)[0] != first.sample


def test_a_bad_source_fails_and_the_tests_that_noticed_are_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def only_biased(which: str, seed: int) -> list[Source]:
        return [Biased(seed)]

    monkeypatch.setattr(battery, "sources", only_biased)
    result = battery.run("simulation", 7, SMALL)
    assert not result.passed
    assert ("numbers below 2", "chi-square") in {
        (each.sample.title, each.verdict.name) for each in result.failures
    }
    assert all(each.sample.title.startswith("numbers below") for each in result.failures)


def test_every_test_is_explained_under_its_name(sound: Result) -> None:
    names = {each.verdict.name for each in sound.findings}
    explanations = {name: says for _, name, says in explained()}
    assert {name for name in names if not name.startswith("p-values of ")} == (
        set(explanations) - {"p-values of a test"}
    )
    assert all("Catches" in says or "The same" in says or "fall" in says
               for says in explanations.values())  # fmt: skip


def test_wrong_equipment_is_named() -> None:
    short = Equipment("pack of 51", ("three-card-poker",), lambda: Shoe(deck()[:51]))
    whole = Equipment("pack of 52", ("three-card-poker",), lambda: Shoe(deck()))
    assert [(fact.holds, fact.detail) for fact in battery._compositions([short, whole, whole])] == [
        (False, "it is no number of whole decks"),
        (True, "2 different ones of three-card-poker"),
    ]


def test_a_fact_that_does_not_hold_fails_the_battery(sound: Result) -> None:
    untrue = replace(sound.facts[0], holds=False)
    assert not replace(sound, facts=(untrue, *sound.facts[1:])).passed


def test_every_sample_is_told_apart_by_its_hash(sound: Result) -> None:
    hashes = [sample.sha256 for sample in sound.samples]
    assert len(set(hashes)) == len(hashes)
    assert all(len(each) == 64 for each in hashes)


# The level.


def test_holm_corrects_the_least_p_value_by_all_and_the_next_by_one_fewer() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([]) == []


def test_by_chance_alone_one_battery_in_a_hundred_fails() -> None:
    chance, batteries = good(), 2_000
    least = np.array([min(holm(chance.random(300).tolist())) for _ in range(batteries)])
    assert (least < battery.ALPHA).mean() == pytest.approx(battery.ALPHA, abs=0.005)


# The tails.


def test_too_good_is_as_bad_as_too_far() -> None:
    even, off = (chi_square("x", counts, 100) for counts in ([100] * 50, [60, 140] * 25))
    assert even.lower < FLAWED
    assert off.upper < FLAWED
    assert even.p_value < FLAWED
    assert off.p_value < FLAWED


def test_counts_of_two_classes_may_be_equal() -> None:
    """Which they are once in a while, since counts are whole."""
    assert chi_square("x", [5_000, 5_000], 5_000).p_value > 0.01


def test_verdicts_know_their_tails() -> None:
    assert normal("x", 0).p_value == 1
    assert normal("x", 1.959964).p_value == pytest.approx(0.05, abs=1e-6)
    assert normal("x", -4).lower < 1e-4
    assert chi_square("x", [60, 40], 50).upper == pytest.approx(0.0455, abs=1e-4)
    assert rare("x", 0, 2.0).lower == pytest.approx(np.exp(-2))
    assert rare("x", 0, 2.0).upper == 1
    assert rare("x", 9, 2.0).upper < 1e-3


def test_p_values_must_lie_evenly() -> None:
    size = 200
    assert evenly("x", good().random(size).tolist()).p_value > SOUND
    assert evenly("x", (good().random(size) ** 2).tolist()).upper < FLAWED
    assert evenly("x", ((np.arange(size) + 0.5) / size).tolist()).lower < FLAWED
    assert evenly("x", [0.5] * size).upper < FLAWED


def test_p_values_of_sound_pieces_are_uniform() -> None:
    verdicts = [chi_square("x", good(at).multinomial(1_000, [0.1] * 10), 100) for at in range(300)]
    assert battery._evenly(verdicts).p_value > SOUND
    doctored = [replace(each, upper=each.upper / 2) for each in verdicts]
    assert battery._evenly(doctored).p_value < FLAWED


def test_classes_are_lumped_until_enough_is_expected() -> None:
    counts, often = lump([1, 2, 3, 4], [20, 10, 30, 5])
    assert counts.tolist() == [3, 7]
    assert often.tolist() == [30, 35]


def test_a_single_class_is_no_test() -> None:
    with pytest.raises(ValueError, match="too small for the x test"):
        chi_square("x", [3], [3])


def test_a_p_value_is_that_of_the_nearer_tail_twice() -> None:
    assert Verdict("x", 1, None, 0.01, 0.99).p_value == 0.02
    assert Verdict("x", 1, None, 0.6, 0.6).p_value == 1
