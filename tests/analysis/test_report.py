"""What a wager is worth: situations, dealt spots, classes of spots, and the document."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import isclose, sqrt
from typing import Any

import pytest

from croupier.analysis import WagerReport, analyze, as_json
from croupier.equipment import Odds, Wheel
from croupier.games import find_game
from croupier.rulebook import (
    LOSE,
    OPEN,
    PUSH,
    WIN,
    Case,
    Decision,
    Fault,
    Game,
    Refusal,
    Table,
    TableOptions,
    Wager,
    Window,
    flag,
    law,
    shut,
)

F = Fraction
RULE = law("99.1")


@dataclass(frozen=True)
class Weather:
    sky: str = "clear"


class FairOptions(TableOptions):
    rare_offered = flag(False, cite=RULE)


Spin = Case[str, Weather, FairOptions]


def unless_storm(state: Weather, spot: str, options: FairOptions) -> Window:
    return shut("not in a storm", RULE) if state.sky == "storm" else OPEN


def by_weather(spin: Spin) -> Decision:
    """In the rain the wager covers one more stop."""
    good = {"a", "b"} if spin.state.sky == "rain" else {"a"}
    return WIN if spin.outcome in good else LOSE


def by_spot(spin: Spin) -> Decision:
    return WIN if spin.outcome in ({"a", "b"} if spin.spot == "near" else {"a"}) else LOSE


class Fair(Game):
    """A wheel of four stops, in changing weather."""

    id = "fair"
    title = "Fair"
    cite = RULE
    positions = 1
    Options = FairOptions
    State = Weather
    irregularities = {}
    wagers = (
        Wager(id="plain", title="Plain", cite=law("99.2"), paid_by=RULE, pays=Odds(5, 2),
              covers={"a"}),
        Wager(id="pick", title="Pick", cite=RULE, paid_by=RULE, pays=Odds(1),
              covers=lambda options: {"a": {"a"}, "b-c": {"b", "c"}, "d": {"d"}}),
        Wager(id="same", title="Same", cite=RULE, paid_by=RULE, pays=Odds(1),
              covers=lambda options: {"a": {"a"}, "b": {"b"}}),
        Wager(id="weather", title="Weather", cite=RULE, paid_by=RULE, pays=Odds(1),
              decide=by_weather, window=unless_storm),
        Wager(id="any_weather", title="Any weather", cite=RULE, paid_by=RULE, pays=Odds(1),
              decide=by_weather),
        Wager(id="dealt", title="Dealt", cite=RULE, paid_by=RULE, pays=Odds(1), decide=by_spot,
              covers=lambda options: {"near": (), "far": ()}, dealt={"near": 1, "far": 2}),
        Wager(id="dealt_cover", title="Dealt cover", cite=RULE, paid_by=RULE, pays=Odds(1),
              covers=lambda options: {"near": {"a", "b"}, "far": {"a"}},
              dealt={"near": 1, "far": 2}),
        Wager(id="behind", title="Behind", cite=RULE, paid_by=RULE, pays=Odds(1), supports="plain",
              decide=by_weather, ceiling=lambda options, state, spot, flat: flat),
        Wager(id="even", title="Even", cite=RULE, paid_by=RULE, pays=Odds(1),
              decide=lambda spin: {"a": WIN, "b": PUSH}.get(spin.outcome, LOSE)),
        Wager(id="rare", title="Rare", cite=RULE, paid_by=RULE, pays=Odds(1), covers={"a"},
              offered=lambda options: options.rare_offered, offered_by=law("99.7")),
        Wager(id="table", title="Table", cite=RULE, paid_by=RULE,
              pays={"jackpot": Odds(9), "small": Odds(1, 5)},
              decide=lambda spin: Decision(WIN.result, {"a": "jackpot", "b": "small"}[spin.outcome])
              if spin.outcome in "ab" else LOSE),
    )  # fmt: skip

    def device(self, options: FairOptions) -> Wheel:
        return Wheel("wheel", "a b c d".split())

    def situations(
        self, wager: Wager, spot: str, options: FairOptions
    ) -> Iterable[tuple[int, Weather]]:
        return [(1, Weather("clear")), (3, Weather("rain")), (6, Weather("storm"))]


class Showery(Fair):
    """The same, with the rain counted in two showers."""

    def situations(
        self, wager: Wager, spot: str, options: FairOptions
    ) -> Iterable[tuple[int, Weather]]:
        return [
            (2, Weather("rain")),
            *super().situations(wager, spot, options),
            (5, Weather("rain")),
        ]


FAIR = Fair()


def reports(*labels: str, **options: Any) -> list[WagerReport]:
    return analyze(FAIR, FAIR.options(options), labels)


def report(label: str, **options: Any) -> WagerReport:
    (found,) = reports(label, **options)
    return found


# The figures.


def test_the_figures_of_a_wager_follow_from_its_outcomes() -> None:
    plain = report("plain")
    assert [(o.result, o.net, o.probability) for o in plain.outcomes] == [
        ("win", F(5, 2), F(1, 4)),
        ("lose", F(-1), F(3, 4)),
    ]
    assert plain.house_edge == plain.element_of_risk == F(1, 8)
    assert plain.hit_frequency == F(1, 4)
    assert plain.push_frequency == 0
    assert isclose(plain.standard_deviation, sqrt(F(25, 16) + F(3, 4) - F(1, 64)))


def test_a_push_is_neither_a_hit_nor_a_loss() -> None:
    even = report("even")
    assert (even.hit_frequency, even.push_frequency, even.house_edge) == (F(1, 4),) * 3


def test_outcomes_are_listed_from_the_best_to_the_worst() -> None:
    assert [(o.result, o.net) for o in report("table").outcomes] == [
        ("jackpot", F(9)),
        ("small", F(1, 5)),
        ("lose", F(-1)),
    ]


def test_a_table_that_pays_more_keeps_less() -> None:
    better = report("plain", higher_odds={"plain": "3 to 1"})
    assert better.house_edge == 0


# Situations and spots.


def test_situations_are_weighted_by_how_often_they_arise() -> None:
    assert report("weather").hit_frequency == (F(1, 4) * 1 + F(2, 4) * 3) / 4


def test_a_situation_that_is_listed_twice_counts_twice() -> None:
    (found,) = analyze(Showery(), FAIR.options(), ["weather"])
    assert found.hit_frequency == (F(1, 4) * 1 + F(2, 4) * (2 + 3 + 5)) / 11


def test_a_wager_made_behind_another_is_weighted_by_situations_too() -> None:
    assert report("behind").hit_frequency == (F(1, 4) * 1 + F(2, 4) * 3 + F(1, 4) * 6) / 10


def test_a_wager_that_is_always_open_is_analyzed_as_the_table_begins() -> None:
    assert report("any_weather").hit_frequency == F(1, 4)


@pytest.mark.parametrize("wager", ["dealt", "dealt_cover"])
def test_dealt_spots_are_weighted_by_how_often_they_are_dealt(wager: str) -> None:
    dealt = report(wager)
    assert dealt.hit_frequency == (F(2, 4) * 1 + F(1, 4) * 2) / 3
    assert (dealt.label, dealt.choices) == (wager, ("near", "far"))


@pytest.mark.parametrize("wager", ["dealt", "dealt_cover"])
def test_one_dealt_spot_may_be_asked_for(wager: str) -> None:
    assert report(f"{wager}:near").hit_frequency == F(1, 2)
    assert report(f"{wager}:far").hit_frequency == F(1, 4)


def test_spots_that_are_worth_the_same_share_one_report() -> None:
    same = report("same")
    assert (same.label, same.choices) == ("same", ("a", "b"))


def test_spots_that_differ_get_one_report_for_each_class() -> None:
    found = reports("pick")
    assert [(each.label, each.choices) for each in found] == [
        ("pick:a", ("a", "d")),
        ("pick:b-c", ("b-c",)),
    ]
    assert [each.hit_frequency for each in found] == [F(1, 4), F(1, 2)]


def test_one_spot_may_be_asked_for() -> None:
    found = report("pick:d")
    assert (found.label, found.choices) == ("pick:d", ("d",))


def test_every_wager_that_is_offered_is_reported_in_order() -> None:
    labels = (
        "plain pick:a pick:b-c same weather any_weather dealt dealt_cover behind even table".split()
    )
    assert [each.label for each in reports()] == labels
    assert "rare" in [each.label for each in reports(rare_offered=True)]


def test_every_outcome_table_closes_to_one() -> None:
    for each in reports(rare_offered=True):
        assert sum(outcome.probability for outcome in each.outcomes) == 1


@pytest.mark.parametrize("most", [1, 2, 3])
def test_a_lawful_keno_table_with_few_spots_is_analyzed(most: int) -> None:
    keno = find_game("keno")
    found = analyze(keno, keno.options({"max_spots": most}))
    straights = [each.wager.id for each in found if each.wager.id.startswith("straight_")]
    assert straights == [f"straight_{spots}" for spots in range(1, most + 1)]


def test_a_wager_that_is_written_out_is_reported_by_its_id_or_by_an_example() -> None:
    keno = find_game("keno")
    labels = {
        each.wager.id: each.label for each in analyze(keno, keno.options(), ["straight_4", "way"])
    }
    assert labels["straight_4"] == "straight_4"
    assert labels["way"].startswith("way:")


def test_a_report_says_how_the_wager_is_played() -> None:
    left = "left until it is decided; no decision follows."
    assert report("plain").strategy == f"Made and {left}"
    assert report("weather").strategy == f"Made whenever it is open and {left}"
    assert report("dealt").strategy == f"Made whenever it is open and {left}"
    (odds,) = analyze(find_game("craps"), find_game("craps").options(), ["pass_odds"])
    assert odds.strategy.startswith("Made behind its flat wager")


# Refusals.


@pytest.mark.parametrize(
    ("label", "fault", "message"),
    [
        ("rare", Fault.NOT_OFFERED, "Rare (rare) is not offered at this table"),
        ("nonsense", Fault.UNKNOWN_WAGER, "fair has no wager 'nonsense'"),
        ("", Fault.UNKNOWN_WAGER, "fair has no wager ''"),
        ("pick:z", Fault.UNKNOWN_SPOT, "pick has no spot 'z' at this table"),
        ("plain:a", Fault.UNKNOWN_SPOT, "plain takes no choice of spot"),
    ],
)
def test_a_wager_that_cannot_be_made_is_refused(label: str, fault: Fault, message: str) -> None:
    with pytest.raises(Refusal) as caught:
        reports("plain", label)
    assert caught.value.fault is fault
    assert caught.value.message.startswith(message)


def test_a_wager_that_is_not_offered_is_refused_by_the_paragraph_that_says_so() -> None:
    with pytest.raises(Refusal) as caught:
        reports("rare")
    assert str(caught.value.cite) == "19:47-99.7"


# The document.


def document(game: Game, *labels: str, **options: Any) -> dict[str, Any]:
    chosen = game.options(options)
    told = as_json(game, chosen, analyze(game, chosen, labels))
    read: dict[str, Any] = json.loads(json.dumps(told))
    assert read == told
    return read


def test_the_document_has_the_shape_of_the_contract() -> None:
    told = document(FAIR, "plain")
    assert told == {
        "game": "fair",
        "options": FAIR.options().as_json(),
        "method": "exact",
        "wagers": {"plain": told["wagers"]["plain"]},
    }
    plain = told["wagers"]["plain"]
    assert plain["house_edge"] == {"exact": "1/8", "decimal": 0.125}
    assert plain["element_of_risk"] == {"exact": "1/8", "decimal": 0.125}
    assert plain["return"] == 0.875
    assert plain["hit_frequency"] == 0.25
    assert isclose(plain["standard_deviation"], sqrt(F(25, 16) + F(3, 4) - F(1, 64)))
    assert plain["outcomes"] == [
        {"result": "win", "net": 2.5, "probability": "1/4"},
        {"result": "lose", "net": -1, "probability": "3/4"},
    ]
    assert plain["strategy"].endswith(".")
    assert (plain["title"], plain["citation"]) == ("Plain", "19:47-99.2")


def test_whole_nets_are_whole_numbers_and_others_are_decimals() -> None:
    outcomes = document(FAIR, "table")["wagers"]["table"]["outcomes"]
    assert [(type(o["net"]), o["net"]) for o in outcomes] == [(int, 9), (float, 0.2), (int, -1)]


def test_wagers_are_keyed_by_label_and_list_their_choices() -> None:
    wagers = document(FAIR, "pick", "same", "plain", "pick:d")["wagers"]
    assert {label: wager["choices"] for label, wager in wagers.items()} == {
        "pick:a": ["a", "d"],
        "pick:b-c": ["b-c"],
        "same": ["a", "b"],
        "plain": [],
        "pick:d": ["d"],
    }


def test_a_fair_wager_has_an_edge_of_nothing() -> None:
    told = document(FAIR, "plain", higher_odds={"plain": "3 to 1"})
    assert told["wagers"]["plain"]["house_edge"] == {"exact": "0", "decimal": 0.0}
    assert told["options"]["higher_odds"] == {"plain": "3 to 1"}


@pytest.mark.parametrize("game", ["roulette", "craps"])
def test_fractions_are_reduced_and_decimals_agree_with_them(game: str) -> None:
    for wager in document(find_game(game))["wagers"].values():
        for figure in (wager["house_edge"], wager["element_of_risk"]):
            assert str(Fraction(figure["exact"])) == figure["exact"]
            assert figure["decimal"] == float(Fraction(figure["exact"]))
        assert isclose(wager["return"], 1 - wager["house_edge"]["decimal"])
        chances = [Fraction(outcome["probability"]) for outcome in wager["outcomes"]]
        assert [str(chance) for chance in chances] == [o["probability"] for o in wager["outcomes"]]
        assert sum(chances) == 1
        assert 0 < wager["hit_frequency"] < 1


@pytest.mark.parametrize(
    ("game", "label", "edge"),
    [
        ("roulette", "straight", F(1, 19)),
        ("roulette", "red", F(1, 38)),
        ("roulette", "first_five_numbers", F(3, 38)),
        ("craps", "pass", F(7, 495)),
        ("craps", "dont_pass", F(3, 220)),
        ("craps", "pass_odds", F(0)),
        ("craps", "any_seven", F(1, 6)),
        ("craps", "hard_8", F(1, 11)),
    ],
)
def test_well_known_edges_come_out(game: str, label: str, edge: Fraction) -> None:
    (found,) = analyze(find_game(game), find_game(game).options(), [label])
    assert found.house_edge == edge


def test_analysis_leaves_a_table_alone() -> None:
    table = Table(find_game("craps"))
    before = (dict(table.bets), dict(table.money), list(table.events), table.state)
    analyze(table.game, table.options, ["pass", "come_odds"])
    assert (dict(table.bets), dict(table.money), list(table.events), table.state) == before
