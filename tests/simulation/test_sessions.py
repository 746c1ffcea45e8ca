"""Sessions and progressions, held to what is known exactly about them."""

import json
from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import comb, sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import typer
from numpy.typing import NDArray
from typer.testing import CliRunner

from croupier.analysis import analyze
from croupier.cli.common import InputError
from croupier.cli.sessions import sessions as command
from croupier.games import find_game
from croupier.rulebook import Refusal
from croupier.simulation.engine import Ending, Engine, engine
from croupier.simulation.progressions import (
    FLAT,
    PROGRESSIONS,
    Last,
    Own,
    Progression,
    named_progression,
)
from croupier.simulation.sessions import Sessions, Stops, sessions, table_limits
from croupier.simulation.strategies import Wagers

UNIT = 100  # cents
WON, LOST = Ending("win", Fraction(1)), Ending("lose", Fraction(-1))
P = 18 / 38  # even money at a double zero wheel where a zero takes all


class Coin:
    """An even money wager that wins with this chance."""

    labels: tuple[str, ...] = ("coin",)
    endings: Mapping[str, tuple[Ending, ...]] = {"coin": (LOST, WON)}

    def __init__(self, chance: float = P) -> None:
        self.chance = chance

    def play(self, seed: int, chunk: int, rounds: int) -> dict[str, NDArray[np.int32]]:
        generator = np.random.Generator(np.random.Philox(key=[seed, chunk]))
        return {"coin": (generator.random(rounds) < self.chance).astype(np.int32)}

    def count(self, seed: int, chunk: int, rounds: int) -> dict[str, NDArray[np.int64]]:
        return {"coin": np.bincount(self.play(seed, chunk, rounds)["coin"], minlength=2)}


class Script(Coin):
    """A coin that falls as it is told: W, L, or . where nothing is decided."""

    def __init__(self, falls: str) -> None:
        self.falls = np.array([".LW".index(each) - 1 for each in falls], np.int32)

    def play(self, seed: int, chunk: int, rounds: int) -> dict[str, NDArray[np.int32]]:
        return {"coin": self.falls[:rounds]}


def played(dealer: Engine | None = None, wager: Any = "coin", **given: Any) -> Sessions:
    plan = {"bankroll": 100 * UNIT, "stake": UNIT, "rounds": 100, "sessions": 1000, "seed": 47}
    return sessions(dealer or Coin(), wager, **{**plan, **given})


def near(found: float, exact: float, error: float, sigmas: float = 4) -> bool:
    return abs(found - exact) <= sigmas * error


# Against what is known exactly.


def test_results_after_some_rounds_are_binomial() -> None:
    rounds, many = 20, 20_000
    found = played(rounds=rounds, sessions=many)
    for wins in range(rounds + 1):
        chance = comb(rounds, wins) * P**wins * (1 - P) ** (rounds - wins)
        share = float((found.won == (2 * wins - rounds) * UNIT).mean())
        assert near(share, chance, sqrt(chance * (1 - chance) / many))
    assert found.ruin == (0, 0)


def test_the_risk_of_ruin_is_the_gamblers() -> None:
    """From ten units to none or to twenty: (r^20 - r^10) / (r^20 - 1), with r = q / p."""
    many = 10_000
    found = played(bankroll=10 * UNIT, rounds=1200, sessions=many, stops=Stops(win=10 * UNIT))
    r = (1 - P) / P
    risk = (r**20 - r**10) / (r**20 - 1)
    share, error = found.ruin
    assert near(share, risk, sqrt(risk * (1 - risk) / many))
    assert error == pytest.approx(sqrt(share * (1 - share) / many))
    assert found.share("rounds")[0] == 0
    lasts = (10 - 20 * (1 - risk)) / (1 - 2 * P)  # how many rounds, by the same reasoning
    assert near(float(found.played.mean()), lasts, float(found.played.std()) / sqrt(many))
    assert set(found.won) == {-10 * UNIT, 10 * UNIT}


def test_a_martingale_of_seven_units_is_ruined_by_three_losses() -> None:
    many, risk = 20_000, (1 - P) ** 3
    found = played(bankroll=7 * UNIT, rounds=30, sessions=many, stops=Stops(win=UNIT),
                   progression=PROGRESSIONS["martingale"])  # fmt: skip
    assert near(found.ruin[0], risk, sqrt(risk * (1 - risk) / many))
    assert set(found.won) == {-7 * UNIT, UNIT}
    assert set(found.time_to_ruin) == {3}
    assert int(found.greatest.max()) == 4 * UNIT


@pytest.mark.parametrize("progression", PROGRESSIONS.values(), ids=[*PROGRESSIONS])
def test_no_progression_changes_what_a_wager_is_worth(progression: Progression) -> None:
    """What is won is, within its error, what was staked times the edge."""
    game = find_game("roulette")
    options = game.options()
    (report,) = analyze(game, options, ["red"])
    found = played(
        engine(game, options, ["red"]), "red", bankroll=500_00, stake=10_00, rounds=300,
        sessions=6000, progression=progression, most=5000_00, edges={"red": report.house_edge},
    )  # fmt: skip
    assert near(found.mean, found.expected, found.error)
    assert found.house_edge == pytest.approx(float(report.house_edge))
    assert found.theoretical == pytest.approx(-found.expected)
    assert int(found.greatest.max()) <= 5000_00
    assert found.won.min() >= -500_00


# How stakes follow one another.


def stakes(progression: Progression, falls: str, most: int | None = None) -> list[int]:
    """What is staked in each round, in units, as the largest stake shows when it is the last."""
    found = []
    for rounds in range(1, len(falls) + 1):
        before, now = (
            float(played(Script(falls), sessions=1, rounds=many, progression=progression,
                         bankroll=10_000 * UNIT, most=most).action[0]) if many else 0.0
            for many in (rounds - 1, rounds)
        )  # fmt: skip
        found.append(round((now - before) / UNIT))
    return found


STAKES = [
    ("flat", "LLWL", [1, 1, 1, 1]),
    ("martingale", "LLWLL", [1, 2, 4, 1, 2]),
    ("martingale", "L.LW", [1, 0, 2, 4]),  # where nothing is decided, nothing changes
    ("paroli", "WWWWLW", [1, 2, 4, 1, 2, 1]),
    ("fibonacci", "LLLLWWW", [1, 1, 2, 3, 5, 2, 1]),
    ("dalembert", "LLWWWL", [1, 2, 3, 2, 1, 1]),
    ("labouchere", "LWWWL", [5, 6, 6, 3, 5]),  # 1-2-3-4, 1-2-3-4-5, 2-3-4, 3, and anew
    ("oscars_grind", "LLWWL", [1, 1, 1, 2, 1]),
    ("oscars_grind", "LW", [1, 1]),
]


@pytest.mark.parametrize(("name", "falls", "units"), STAKES)
def test_a_progression_stakes_what_its_name_says(name: str, falls: str, units: list[int]) -> None:
    assert stakes(PROGRESSIONS[name], falls) == units


def test_a_martingale_stays_at_the_tables_maximum_until_it_wins() -> None:
    assert stakes(PROGRESSIONS["martingale"], "LLLLWL", most=5 * UNIT) == [1, 2, 4, 5, 5, 1]


def test_a_long_labouchere_has_room_for_its_line() -> None:
    found = played(Script("L" * 100), sessions=1, rounds=100, bankroll=10**9,
                   progression=PROGRESSIONS["labouchere"])  # fmt: skip
    assert found.longest[0] == 100
    assert found.greatest[0] == (5 + 99) * UNIT


def test_a_players_own_progression_is_asked_after_every_round() -> None:
    def careful(last: Last) -> int:
        """Twice as much after two losses in a row."""
        return 2 if last.in_a_row <= -2 else 1

    assert stakes(Own(careful), "LLLWL") == [1, 1, 2, 2, 1]


def test_a_progression_that_fails_is_told_in_a_sentence() -> None:
    with pytest.raises(Refusal) as caught:
        played(progression=Own(lambda last: 1 // 0, "mine"))
    assert "mine failed after Last(units=1" in caught.value.message
    with pytest.raises(Refusal, match="mine answered -1"):
        played(progression=Own(lambda last: -1, "mine"))
    with pytest.raises(Refusal, match="there is no progression 'doubling': write one of flat, mar"):
        named_progression("doubling")


# Stops, and what is left.


def test_a_player_gets_up_when_he_has_won_or_lost_what_he_said() -> None:
    found = played(stops=Stops(win=3 * UNIT, loss=5 * UNIT), rounds=1000)
    assert set(found.won) == {3 * UNIT, -5 * UNIT}
    assert found.share("win_goal")[0] + found.share("loss_limit")[0] == 1
    assert found.ahead == found.share("win_goal")


def test_a_wager_that_is_not_decided_costs_nothing_and_changes_nothing() -> None:
    found = played(Script("W..L..W..."), sessions=1, rounds=10)
    assert (found.played[0], found.bets[0], found.won[0]) == (10, 3, UNIT)
    assert found.average_bet == UNIT


def test_a_losing_run_goes_on_over_rounds_that_decide_nothing() -> None:
    assert played(Script("LL.LWLL"), sessions=1, rounds=7).longest[0] == 3


def test_a_bankroll_covers_the_most_that_a_round_can_lose() -> None:
    game = find_game("three-card-poker")
    dealer = engine(game, game.options(), ["ante"])
    with pytest.raises(Refusal, match=r"\$10 on ante can lose \$20"):
        played(dealer, "ante", bankroll=15_00, stake=10_00)
    found = played(dealer, "ante", bankroll=25_00, stake=10_00, sessions=200)
    assert found.won.min() >= -25_00
    assert (found.won[found.ended == 1] > -25_00).any()  # a rest that covers no more wagers


def test_several_wagers_lie_on_the_same_rounds() -> None:
    game = find_game("roulette")
    dealer = engine(game, game.options(zero_takes_all), ["red", "black"])
    found = played(dealer, Wagers({"red": 1, "black": 1}), rounds=50, sessions=200)
    assert set(found.won % (2 * UNIT)) == {0}
    assert found.won.max() <= 0  # one wins what the other loses, and a zero takes both
    assert found.average_bet == 2 * UNIT


zero_takes_all = {"zero_rule_double": "full_loss"}


# The same answer anywhere.


def test_the_same_seed_gives_the_same_sessions_on_any_number_of_cores() -> None:
    given: dict[str, Any] = {"rounds": 1000, "sessions": 5000}
    one, three = (played(cores=cores, **given) for cores in (1, 3))
    assert json.dumps(one.as_json()) == json.dumps(three.as_json())
    assert (played(seed=48, **given).won != one.won).any()


def test_the_document_closes() -> None:
    found = played(stops=Stops(win=20 * UNIT, loss=30 * UNIT), rounds=400)
    told = found.as_json()
    assert sum(end["share"] for end in told["ended"].values()) == pytest.approx(1)
    assert sum(told["result"]["histogram"]["sessions"]) == 1000
    assert told["theory"]["is_exact"] is False
    assert told["theory"]["house_edge"] == pytest.approx(1 - 2 * P, abs=0.01)
    fan = np.array([*told["bankroll_on_the_way"]["quantiles"].values()])
    assert (np.diff(fan, axis=0) >= 0).all()
    assert fan[3, -1] == 100 * UNIT + told["result"]["quantiles"]["0.5"]


# What is refused.


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"rounds": 0}, "0 rounds cannot be played"),
    ({"sessions": -1}, "-1 sessions cannot be played"),
    ({"rounds": 10**6, "sessions": 10**5}, "are more than"),
    ({"bankroll": 0}, "a bankroll of $0 is none"),
    ({"stake": -5}, "a stake of"),
    ({"stops": Stops(win=0)}, "would end every session before it began"),
    ({"most": UNIT - 1}, "is above the table's maximum"),
    ({"wager": "dice"}, "dice is not one of the wagers here: coin"),
    ({"wager": {}}, "there is no wager to make"),
]


@pytest.mark.parametrize(("given", "says"), REFUSED)
def test_what_makes_no_session_is_refused(given: dict[str, Any], says: str) -> None:
    with pytest.raises(Refusal) as caught:
        played(**given)
    assert says in caught.value.message


def test_the_limits_of_a_unit_are_those_of_its_wagers() -> None:
    game = find_game("roulette")
    options = game.options()
    assert table_limits(game, options, Wagers({"red": 1})) == (500, 500_000)
    assert table_limits(game, options, Wagers({"red": 1, "straight:17": 2})) == (500, 50_000)


# The command.

app = typer.Typer()
app.command()(command)
GIVEN = "roulette --wager red --bankroll 100 --stake 10 --rounds 50 --sessions 300 --seed 7".split()


def run(*words: str, given: Iterable[str] = GIVEN) -> str:
    found = CliRunner().invoke(app, [*given, *words])
    if found.exception is not None and not isinstance(found.exception, SystemExit):
        raise found.exception
    return found.output


def test_the_command_tells_what_players_went_home_with() -> None:
    told = run("--progression", "martingale")
    assert "Roulette, red: 300 sessions of 50 rounds, seed 7" in told
    for line in ("Average result", "Ruined", "Longest losing run", "House edge, exact", "2.6316%"):
        assert line in told
    document = json.loads(run("--json"))
    assert (document["game"], document["stake"], document["sessions"]) == ("roulette", 1000, 300)
    assert document["theory"]["is_exact"] is True


def test_the_command_draws_it(tmp_path: Path) -> None:
    path = tmp_path / "sessions.svg"
    run("--plot", str(path))
    first = path.read_bytes()
    assert first.startswith(b"<?xml")
    run("--plot", str(path))
    assert path.read_bytes() == first


COMPLAINTS = [
    (("--rounds", "0"), "--rounds must be above zero"),
    (("--sessions", "many"), "--sessions must be a whole number above zero"),
    (("--bankroll", "-5"), "--bankroll"),
    (("--stake", "1"), "--stake $1 is not a unit of red at this table, which takes $5 to $5,000"),
    (("--plot", "it.doc"), "--plot must be a file that ends in"),
    (("--cores", "0"), "--cores must be from 1"),
    (("--strategy", "luck"), "roulette has no strategy 'luck': write one of optimal, house_way"),
    (("--progression", "luck"), "there is no progression 'luck'"),
    (("--wager", "black=x"), "'x' is not a number of units"),
    (("--wager", "blue"), "roulette has no wager 'blue'"),
]


@pytest.mark.parametrize(("words", "says"), COMPLAINTS, ids=[words[0] for words, _ in COMPLAINTS])
def test_the_command_complains_in_one_sentence(words: tuple[str, ...], says: str) -> None:
    with pytest.raises((InputError, Refusal)) as caught:
        run(*words)
    told = caught.value.message if isinstance(caught.value, Refusal) else str(caught.value)
    assert says in told
    assert "\n" not in told


def test_wagers_that_change_each_other_are_not_played_together() -> None:
    with pytest.raises(Refusal, match="ante and pair_plus change each other"):
        run(given="three-card-poker --wager ante --wager pair_plus --stake 5 --bankroll 90".split())


def test_flat_is_what_there_is_without_a_progression() -> None:
    assert named_progression("flat") is FLAT
    assert played().plan.progression is FLAT
