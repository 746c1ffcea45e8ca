"""Where each requirement on a generator is met, and proven.

The requirements are those of N.J.A.C. 13:69E-1.28G and of the standards that
test laboratories go by. Some are shown by the battery itself, others by the
code and by tests of the project; a test holds every name here to the file.
"""

from dataclasses import dataclass
from math import comb, factorial, log2, perm
from typing import Any

from croupier.equipment import Device, Dice, Drum, Shoe
from croupier.games import registry
from croupier.games.keno import DRAWN

STATE_BITS = 256  # of the key in the generators of today's operating systems


@dataclass(frozen=True)
class Requirement:
    """One line of what is asked of a generator."""

    id: str
    asks: str
    met: str
    proofs: tuple[str, ...]  # files, or tests in them
    source: str


@dataclass(frozen=True)
class Reach:
    """How many outcomes a round of a game has, in bits, and the largest single draw."""

    game: str
    equipment: str
    outcomes: str
    bits: float
    largest_draw: int


def reaches() -> list[Reach]:
    """Of every game, from the equipment of its default table."""
    return [_reach(game.id, game.device(game.options())) for game in registry().values()]


def _reach(game: str, device: Device[Any]) -> Reach:
    many = len(device.outcomes())
    if isinstance(device, Shoe):
        bits = log2(factorial(many))
        return Reach(game, f"{device.name} of {many} cards", f"{many}!", bits, many)
    if isinstance(device, Drum):
        orders = perm(many, DRAWN)
        words = f"{many}!/{many - DRAWN}! orders of {comb(many, DRAWN):,} draws"
        return Reach(game, device.name, words, log2(orders), many)
    words = f"6^{device.count}" if isinstance(device, Dice) else f"{many}"
    return Reach(game, device.name, words, log2(many), many)


CANNOT = (
    "No test of a sample proves that a generator is random, or that nobody can predict it. A "
    "battery can only fail to find the faults that it looks for, at the size of the sample that it "
    "was given: a bias that is far smaller than one part in the square root of the sample stays "
    "unseen here, which is why scaling is shown by arithmetic and not by samples.",
    "The simulation's streams pass, and are predictable by design: whoever knows the seed knows "
    "every card. They are kept out of reach of live tables by a check of what may import what.",
    "A sound generator fails this battery once in a hundred runs, by the choice of its level. A "
    "failure of live chance is to be run again: a fault comes again at the same test, and chance "
    "does not. With a seed, the simulation's result is the same every time.",
    "Both ends are faults. A p-value is the chance of a result at least so far from what was "
    "expected, in the direction in which it is further; a sample that is too even fails as well.",
)

RANGE_OF_STATE = (
    "Each draw of live chance is one of at most {most} outcomes and comes from fresh output of the "
    "operating system, so no outcome of a draw is out of reach. An order of a whole shoe has more "
    f"bits than the {STATE_BITS} that are the key of the system's generator at one moment, as it "
    "has for any generator with a finite key: cards are drawn one by one, while the system goes "
    "on mixing new events into its generator, and to tell its output from perfect chance would "
    "be to break its cipher."
)

REQUIREMENTS = (
    Requirement(
        "RNG-01", "Every possible outcome of the game can come",
        "Live draws come from the operating system's generator, one by one; the bits of each game "
        "are computed in this report.",
        ("src/croupier/equipment/chance.py",
         "tests/randomness/test_evidence.py::test_every_game_says_how_many_outcomes_it_has",
         "tests/equipment/test_chance.py::test_live_chance_reaches_every_number"),
        "13:69E-1.28G(b)1",
    ),
    Requirement(
        "RNG-02", "Without a generator there is no game",
        "The table is frozen, which is an event of its log; no wager is taken, nothing is lost.",
        ("tests/floor/test_pit.py::"
         "test_without_random_numbers_the_table_is_frozen_and_nothing_is_lost",
         "tests/floor/test_pit.py::"
         "test_when_the_clock_finds_no_random_numbers_the_table_is_frozen_too"),
        "13:69E-1.28G(b)2",
    ),
    Requirement(
        "RNG-03", "Outcomes are independent: chi-square, mono-bit and runs tests",
        "The battery, on raw bits, on scaled numbers and on final outcomes.",
        ("tests/randomness/test_bits.py::test_sound_bits_pass",
         "tests/randomness/test_battery.py::test_live_chance_passes"),
        "13:69E-1.28G(b)3",
    ),
    Requirement(
        "RNG-04", "Further tests, at 99 percent confidence",
        "Serial correlation, coupon collector, overlapping tuples, duplicates, interplay "
        "correlation, gap, poker, permutation and more; level 0.01 for all of them together, "
        "after Holm and Bonferroni.",
        ("tests/randomness/test_scaled.py::test_sound_numbers_pass",
         "tests/randomness/test_interplay.py::test_independent_streams_pass",
         "tests/randomness/test_battery.py::test_by_chance_alone_one_battery_in_a_hundred_fails"),
        "GLI-19 3.2.2, 25 CFR 547.14(b)",
    ),
    Requirement(
        "RNG-05", "Nobody can time a draw",
        "The operating system's generator goes on by itself and serves every program of the "
        "machine; a live table keeps no state of it between draws.",
        ("src/croupier/equipment/chance.py",
         "tests/equipment/test_chance.py::test_live_chance_cannot_be_seeded"),
        "13:69E-1.28G(b)4, GLI-11",
    ),
    Requirement(
        "RNG-06", "It never starts from the same value",
        "Processes that are started alike, and forks of them, draw different numbers.",
        ("tests/randomness/test_starts.py::test_no_process_and_no_fork_begins_as_another_does",
         "tests/equipment/test_chance.py::"
         "test_live_chance_does_not_repeat_when_other_generators_are_seeded"),
        "13:69E-1.28G(b)5",
    ),
    Requirement(
        "RNG-07", "Scaling keeps outcomes equally likely, to one in 50 million",
        "Rejection, whose bias is nothing by exact arithmetic.",
        ("tests/randomness/test_scaling.py::test_live_scaling_sorts_all_bytes_evenly",
         "tests/randomness/test_scaling.py::test_no_way_of_scaling_has_a_bias",
         "tests/randomness/test_scaling.py::test_compiled_draws_throw_away_exactly_what_they_must"),
        "13:69E-1.28G(b)6, 25 CFR 547.14(f)",
    ),
    Requirement(
        "RNG-08", "A shuffle favors no position",
        "Every order of five cards, and every card at every place of packs and shoes.",
        ("tests/randomness/test_orders.py::test_a_sound_shuffle_passes",
         "tests/equipment/test_chance.py::"
         "test_every_card_comes_equally_often_at_every_position_of_a_live_shoe"),
        "GLI-19 chapter 3",
    ),
    Requirement(
        "RNG-09", "Values are used in order, and none is left out",
        "A table asks for one number for each draw and uses it; numbers are drawn again only by "
        "the rejection that is documented here. The log holds every outcome and is played again.",
        ("tests/randomness/test_evidence.py::test_every_number_that_is_drawn_is_an_outcome_in_order",
         "tests/floor/test_verify.py::test_an_outcome_that_chance_did_not_give"),
        "25 CFR 547.14(e), RTS 7B",
    ),
    Requirement(
        "RNG-10", "What is shown is what was selected",
        "An outcome is on disk before anybody sees it, and a view is a function of the events.",
        ("tests/test_conformance.py::test_the_same_answers_give_the_same_events",
         "tests/floor/test_crash.py::"
         "test_a_crash_at_any_boundary_loses_nothing_and_does_nothing_twice",
         "tests/floor/test_live.py::test_nobody_chooses_an_outcome_where_chance_does"),
        "13:69E-1.28G(c)",
    ),
    Requirement(
        "RNG-11", "Nothing adapts: neither past results nor balances alter the odds",
        "The same numbers give the same outcomes, whatever was wagered and whatever came before.",
        ("tests/randomness/test_evidence.py::"
         "test_neither_the_past_nor_the_stakes_alter_what_is_drawn",),
        "GLI-19 4.6, RTS 7",
    ),
    Requirement(
        "RNG-12", "Simulated equipment keeps true odds",
        "The composition of all equipment is checked exactly, and its outcomes by chi-square.",
        ("tests/randomness/test_equipment.py::test_all_equipment_is_whole",
         "tests/randomness/test_equipment.py::test_loaded_equipment_is_noticed"),
        "GLI-19 4.6.4",
    ),
    Requirement(
        "RNG-13", "Live chance resists attack, and is no simulation's generator",
        "The operating system's cryptographic generator; live code cannot import another.",
        ("tests/equipment/test_chance.py::test_no_live_code_imports_predictable_chance",
         "tests/equipment/test_chance.py::test_an_import_of_predictable_chance_would_be_noticed"),
        "GLI-19 3.3.2",
    ),
    Requirement(
        "RNG-14", "New seeds are as random as the output, and independent of it",
        "Seeding is the operating system's alone: live chance takes no seed and has no state.",
        ("src/croupier/equipment/chance.py",
         "tests/equipment/test_chance.py::test_live_chance_cannot_be_seeded"),
        "25 CFR 547.14(c)(3)",
    ),
    Requirement(
        "RNG-15", "A laboratory can collect raw output and final outcomes",
        "croupier rng dump --raw and --game, each with its checksum.",
        ("tests/randomness/test_command.py::test_raw_output_is_dumped_with_its_checksum",
         "tests/randomness/test_command.py::test_rounds_are_dumped_with_their_checksum"),
        "GLI technical specifications",
    ),
    Requirement(
        "RNG-16", "Dealt cards leave the deck until the rules return them",
        "Every card is in exactly one place. No order is fixed at the shuffle: each card is drawn "
        "from those that are left, which has the distribution of a perfect shuffle and no hidden "
        "order that could leak.",
        ("tests/rulebook/test_dealing.py::test_no_card_and_no_cent_is_ever_lost",
         "tests/rulebook/test_rounds.py::test_what_is_drawn_at_a_table_has_left_the_equipment"),
        "GLI-11, GLI-19",
    ),
)  # fmt: skip
