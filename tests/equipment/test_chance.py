"""Chance: live outcomes come from the operating system, fairly, and from nowhere else."""

import ast
import random
from collections import Counter
from collections.abc import Iterable
from math import log, sqrt
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import croupier
from croupier.equipment import Device, Dice, Shoe, SystemChance, Wheel, deck

PACKAGE = Path(croupier.__file__).parent
LIVE = ("equipment", "ranking", "rulebook", "games")
FORBIDDEN = (
    "croupier.analysis",
    "croupier.randomness",
    "croupier.simulation",
    "numpy.random",
    "random",
)


def critical(degrees: int) -> float:
    """A chi-square above this has a chance below 1e-10, by the Laurent-Massart bound."""
    tail = log(1e10)
    return degrees + 2 * sqrt(degrees * tail) + 2 * tail


def chi_square(seen: Counter[Any], expected: dict[Any, float]) -> float:
    assert set(seen) <= set(expected)
    return sum((seen[each] - often) ** 2 / often for each, often in expected.items())


def chi_square_of(device: Device[Any], draws: int) -> tuple[float, int]:
    chance = SystemChance()
    seen = Counter(device.draw(chance) for _ in range(draws))
    stops = len(device.outcomes())
    expected = {each: draws * ways / stops for ways, each in device.ways()}
    return chi_square(seen, expected), len(expected) - 1


@given(st.integers(1, 10**30))
def test_live_chance_stays_in_range(n: int) -> None:
    assert 0 <= SystemChance().below(n) < n


def test_live_chance_reaches_every_number() -> None:
    chance = SystemChance()
    assert {chance.below(6) for _ in range(600)} == set(range(6))


def test_a_live_die_is_fair() -> None:
    found, degrees = chi_square_of(Dice(1), 60_000)
    assert found < critical(degrees)


def test_a_live_wheel_is_fair() -> None:
    found, degrees = chi_square_of(Wheel("wheel", map(str, range(38))), 76_000)
    assert found < critical(degrees)


def test_a_live_wheel_gives_each_name_as_often_as_it_stands_on_the_rim() -> None:
    found, degrees = chi_square_of(Wheel("wheel", ["1"] * 23 + ["2"] * 15 + ["40"]), 39_000)
    assert found < critical(degrees)


def test_every_card_comes_equally_often_at_every_position_of_a_live_shoe() -> None:
    chance, cards, shuffles = SystemChance(), deck()[:6], 6_000
    seen: Counter[Any] = Counter()
    shoe = Shoe(cards)
    for _ in range(shuffles):
        shoe.shuffle()
        for position in range(len(cards)):
            card = shoe.draw(chance)
            shoe.take(card)
            seen[position, card] += 1
    often = shuffles / len(cards)
    expected: dict[Any, float] = {(at, card): often for at in range(6) for card in cards}
    assert chi_square(seen, expected) < critical(len(expected) - 1)


def test_every_order_of_two_cards_of_a_live_shoe_is_equally_likely() -> None:
    chance, shoe, shuffles = SystemChance(), Shoe(deck()[:5]), 10_000
    seen: Counter[Any] = Counter()
    for _ in range(shuffles):
        shoe.shuffle()
        first = shoe.draw(chance)
        shoe.take(first)
        seen[first, shoe.draw(chance)] += 1
    pairs = [(one, other) for one in deck()[:5] for other in deck()[:5] if one != other]
    expected: dict[Any, float] = {pair: shuffles / len(pairs) for pair in pairs}
    assert chi_square(seen, expected) < critical(len(expected) - 1)


def test_a_loaded_die_would_be_noticed() -> None:
    loaded: Counter[Any] = Counter({1: 9_000, 2: 11_000, 3: 10_000, 4: 10_000, 5: 10_000})
    loaded[6] = 10_000
    assert chi_square(loaded, dict.fromkeys(range(1, 7), 10_000.0)) > critical(5)


def test_live_chance_cannot_be_seeded() -> None:
    with pytest.raises(TypeError):
        SystemChance(47)  # type: ignore[call-arg]
    assert not vars(SystemChance())


def test_live_chance_does_not_repeat_when_other_generators_are_seeded() -> None:
    draws = []
    for _ in range(2):
        random.seed(47)
        draws.append([SystemChance().below(2**64) for _ in range(4)])
    assert draws[0] != draws[1]


def imported_by(path: Path) -> Iterable[str]:
    """The full name of everything that a source file imports, wherever it does so."""
    package = ["croupier", *path.relative_to(PACKAGE).parts[:-1]]
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*above, *filter(None, [node.module])])
            yield module
            yield from (f"{module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Call):
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            if name in ("import_module", "__import__"):
                yield from (str(arg.value) for arg in node.args if isinstance(arg, ast.Constant))
        elif isinstance(node, ast.Attribute) and getattr(node.value, "id", "") in ("np", "numpy"):
            yield f"numpy.{node.attr}"


def is_forbidden(name: str) -> bool:
    return any(name == each or name.startswith(f"{each}.") for each in FORBIDDEN)


@pytest.mark.parametrize("floor", LIVE)
def test_no_live_code_imports_predictable_chance(floor: str) -> None:
    sources = sorted((PACKAGE / floor).rglob("*.py"))
    assert sources
    found = [
        f"{path.relative_to(PACKAGE)} imports {name}"
        for path in sources
        for name in imported_by(path)
        if is_forbidden(name)
    ]
    assert found == []


def test_an_import_of_predictable_chance_would_be_noticed() -> None:
    streams = PACKAGE / "simulation" / "streams.py"
    assert any(map(is_forbidden, imported_by(streams)))
