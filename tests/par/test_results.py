"""Results of many rounds and the end of a bankroll, against going through all of them."""

from collections import defaultdict
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

from croupier.par.results import Chances, after, ruin
from croupier.par.subject import by_net
from tests.par.made import about, made, row, table

STRAIGHT = {Fraction(35): Fraction(1, 38), Fraction(-1): Fraction(37, 38)}
BANKER = {Fraction(19, 20): Fraction(9, 20), Fraction(0): Fraction(1, 10),
          Fraction(-1): Fraction(9, 20)}  # fmt: skip
RAISED = {Fraction(4): Fraction(1, 8), Fraction(1): Fraction(1, 4), Fraction(-1): Fraction(3, 8),
          Fraction(-3, 2): Fraction(1, 4)}  # fmt: skip


def convolved(rounds: int, chances: Chances) -> dict[Fraction, Fraction]:
    """All results, one round after the other, in fractions."""
    now = {Fraction(0): Fraction(1)}
    for _ in range(rounds):
        then: defaultdict[Fraction, Fraction] = defaultdict(Fraction)
        for had, often in now.items():
            for net, chance in chances.items():
                then[had + net] += often * chance
        now = dict(then)
    return now


@pytest.mark.parametrize("chances", [STRAIGHT, BANKER, RAISED])
@pytest.mark.parametrize("rounds", [1, 2, 7, 20])
def test_results_of_many_rounds_are_those_of_convolution(rounds: int, chances: Chances) -> None:
    found, exact = after(rounds, chances), convolved(rounds, chances)
    assert found is not None
    for place, chance in enumerate(found.chances):
        result = found.lowest + place * found.step
        assert chance == pytest.approx(float(exact.get(result, 0)), abs=1e-12)
    assert found.ahead == pytest.approx(
        float(sum((p for net, p in exact.items() if net > 0), Fraction(0)))
    )
    assert found.even == pytest.approx(float(exact.get(Fraction(0), 0)), abs=1e-12)
    for share in (0.05, 0.5, 0.95):
        total, least = Fraction(0), None
        for net in sorted(exact):
            total += exact[net]
            if least is None and float(total) >= share - 1e-9:
                least = float(net)
        assert found.quantile(share) == pytest.approx(least)


def test_a_prize_off_the_lattice_is_counted_as_ahead() -> None:
    """One in a thousand wins ten million units: no lattice holds it, and it is not lost."""
    chances = {Fraction(10**7): Fraction(1, 1000), Fraction(1): Fraction(1, 2),
               Fraction(-1): Fraction(499, 1000)}  # fmt: skip
    found = after(1000, chances)
    assert found is not None
    assert found.beyond == pytest.approx(1 - 0.999**1000)
    assert float(found.chances.sum()) + found.beyond == pytest.approx(1)
    small = after(1000, {Fraction(1): Fraction(500, 999), Fraction(-1): Fraction(499, 999)})
    assert small is not None
    assert found.ahead == pytest.approx(found.beyond + 0.999**1000 * small.ahead)


def test_of_large_prizes_as_many_are_followed_as_there_is_room_for() -> None:
    """Fifty units are, and an odd amount that would make the lattice too long is not."""
    odd = Fraction(12_345_678_901, 100)
    chances = {
        odd: Fraction(1, 100),
        Fraction(50): Fraction(1, 100),
        Fraction(-1): Fraction(98, 100),
    }
    found = after(10, chances)
    assert found is not None
    assert found.beyond == pytest.approx(1 - 0.99**10)
    assert found.ahead == pytest.approx(1 - 0.98**10)
    assert found.even == pytest.approx(0, abs=1e-12)
    assert found.quantile(0.5) == -10
    always = after(10, {Fraction(1): Fraction(1)})
    assert always is not None
    assert always.ahead == pytest.approx(1)
    assert always.even == 0


def test_a_lattice_that_is_too_fine_is_not_gone_through() -> None:
    fine = dict.fromkeys((Fraction(1, 10**9), Fraction(0), Fraction(-1)), Fraction(1, 3))
    assert after(1000, fine) is None
    assert ruin(1000, fine, (20,)) is None


def ruined(rounds: int, chances: Chances, bankroll: Fraction) -> Fraction:
    """Deal it: who has less than a unit is ruined."""
    if bankroll < 1:
        return Fraction(1)
    if not rounds:
        return Fraction(0)
    return sum(
        (p * ruined(rounds - 1, chances, bankroll + net) for net, p in chances.items()), Fraction(0)
    )


@pytest.mark.parametrize("chances", [STRAIGHT, BANKER, RAISED])
def test_ruin_is_that_of_every_way_a_session_can_go(chances: Chances) -> None:
    bankrolls = (1, 2, 3, 5)
    found = ruin(7, chances, bankrolls)
    assert found is not None
    exact = [float(ruined(7, chances, Fraction(bankroll))) for bankroll in bankrolls]
    np.testing.assert_allclose(found, exact, atol=1e-12)


def test_sessions_of_a_real_wager_expect_what_the_edge_says() -> None:
    subject = about("baccarat-punto-banco", labels=("banker",))
    (report,) = subject.reports
    found = after(1000, by_net(report))
    assert found is not None
    assert found.mean() == pytest.approx(-1000 * float(report.house_edge))
    shown = [
        dict(zip(["rounds", "mean"], each[:2], strict=True))
        for each in table(made("roulette"), "sessions_straight").rows
    ]
    assert shown[-1] == {"rounds": 1000, "mean": pytest.approx(-1000 * 2 / 38)}


def test_bands_narrow_with_the_root_of_the_rounds() -> None:
    bands = table(made("roulette"), "bands_straight")
    widths = [float(high) - float(low) for low, high in zip(  # type: ignore[arg-type]
        bands.column("low_95"), bands.column("high_95"), strict=True)]  # fmt: skip
    np.testing.assert_allclose([a / b for a, b in pairwise(widths)], 10**0.5)
    deviation = row(table(made("roulette"), "summary"), "Straight")["deviation"]
    assert widths[0] == pytest.approx(2 * 1.959964 * deviation / 10)
