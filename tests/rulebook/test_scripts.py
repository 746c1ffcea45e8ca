"""Round scripts: what the equipment gives and what the people do, played exactly as written."""

import copy
import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.games import find_game
from croupier.rulebook import Fault, Game, Refusal, Unlawful, script
from tests.rulebook.test_irregularities import ClockWheel
from tests.rulebook.test_rounds import Peek
from tests.support import Told

MADE_UP = (Peek(), ClockWheel())

ROULETTE: dict[str, Any] = {
    "game": "roulette",
    "options": {"wheel": "double_zero"},
    "draws": ["17"],
    "seats": {
        "1": {"wagers": {"straight:17": 500, "red": 1000}, "moves": []},
        "2": {"wagers": {"black": 2500}},
    },
    "irregularities": [{"before_draw": 1, "kind": "foreign_object"}],
    "comment": "a spin",
}
CRAPS: dict[str, Any] = {
    "game": "craps",
    "rounds": [
        {
            "draws": [[3, 1]],
            "seats": {"1": {"wagers": {"pass": 1000}, "moves": ["accept"]}},
            "irregularities": [{"before_draw": 2, "kind": "dice_touch_chips"}],
        },
        {"draws": [[5, 1]], "seats": {"1": {"wagers": {"pass_odds": 2000}}}},
        {"draws": [[2, 2]], "comment": "the point"},
    ],
}
KENO: dict[str, Any] = {
    "game": "keno",
    "options": {"max_races": 5, "pay_schedule": {"1": {"1": 3}}, "max_spots": 1},
    "draws": list(range(1, 21)),
    "seats": {"1": {"wagers": {"straight_1:7": 500, "multi_race:2*straight_1:8": 1000}}},
}
PEEK: dict[str, Any] = {
    "game": "peek",
    "draws": ["Kh", "2c", "3c"],
    "seats": {
        "1": {"wagers": {"color:red": 1000}, "moves": ["stay"]},
        "2": {"wagers": {"color:black": 1000}, "moves": [{"raise": 1500}]},
    },
}
CLOCK: dict[str, Any] = {
    "game": "clock-wheel",
    "draws": ["2"],
    "seats": {"1": {"wagers": {"hour:1": 1000, "hour:2": 1000}}},
}
SCRIPTS = [ROULETTE, CRAPS, KENO, PEEK, CLOCK]


def games(name: str) -> Game:
    made_up = [game for game in MADE_UP if game.id == name]
    return made_up[0] if made_up else find_game(name)


def run(document: Mapping[str, Any]) -> Told:
    """Play a script as it comes out of a file."""
    return Told(script.run(script.read(json.dumps(document)), games))


def refused(document: Any) -> Refusal:
    with pytest.raises(Refusal) as caught:
        script.run(script.read(json.dumps(document)), games)
    return caught.value


def message(document: Any) -> str:
    return refused(document).message


# What a script must look like.


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("", "line 1, column 1"),
        ("{", "line 1, column 2"),
        ('{"game": roulette}', "line 1, column 10"),
        ('{"game": "roulette",\n "draws": [1,, 2]}', "line 2, column 14"),
        ('{"game": "roulette"} extra', "line 1, column 22"),
        ("{'game': 'roulette'}", "line 1, column 2"),
    ],
)
def test_what_is_not_json_is_refused_with_its_place(text: str, place: str) -> None:
    with pytest.raises(Refusal) as caught:
        script.read(text)
    assert caught.value.fault is Fault.BAD_SCRIPT
    assert caught.value.message.startswith("the script is not JSON: ")
    assert caught.value.message.endswith(f"in {place}")


@pytest.mark.parametrize(
    "text",
    [
        '{"game": "roulette", "game": "craps"}',
        '{"seats": {"1": {}, "game": 1, "game": 2}}',
        '{"draws": [{"game": 1, "game": 1}]}',
    ],
)
def test_a_key_said_twice_is_refused(text: str) -> None:
    with pytest.raises(Refusal, match="the script says 'game' twice in one place"):
        script.read(text)


@pytest.mark.parametrize("constant", ["NaN", "Infinity", "-Infinity"])
def test_what_is_no_number_is_refused(constant: str) -> None:
    with pytest.raises(Refusal, match=f"the script holds {constant}, which is no number"):
        script.read(f'{{"game": {constant}}}')


def test_a_number_of_thousands_of_digits_is_refused() -> None:
    with pytest.raises(Refusal):
        script.read(f'{{"game": {"7" * 5000}}}')


@pytest.mark.parametrize("value", [[], "roulette", 1, None, True, [{"game": "roulette"}]])
def test_a_script_is_an_object(value: Any) -> None:
    with pytest.raises(Refusal) as caught:
        script.read(json.dumps(value))
    assert caught.value.message == f"the script must be a JSON object, not {json.dumps(value)}"


@pytest.mark.parametrize("depth", [500, 5_000, 100_000])
@pytest.mark.parametrize("key", ["draws", "seats", "options", "irregularities", "comment"])
def test_a_script_that_is_nested_deeply_is_refused_or_played(key: str, depth: int) -> None:
    text = json.dumps(ROULETTE | {key: "here"}).replace('"here"', "[" * depth + "]" * depth)
    try:
        script.run(script.read(text), games)
    except Refusal:
        return
    assert key == "comment"


@pytest.mark.parametrize("key", ["draws", "seats", "options"])
def test_no_depth_of_nesting_does_more_than_refuse(key: str) -> None:
    for depth in range(850, 1000):
        deep = '{"1": ' + "[" * depth + "]" * depth + "}"
        text = json.dumps(ROULETTE | {key: "here"}).replace('"here"', deep)
        with pytest.raises(Refusal):
            script.run(script.read(text), games)


@pytest.mark.parametrize(
    ("key", "sentence"),
    [
        ("game", 'the script does not say which "game" it plays'),
        ("draws", 'the script does not say what the equipment gives: it needs "draws"'),
        ("seats", 'the script does not say who sits at the table: it needs "seats"'),
    ],
)
def test_a_script_without_what_it_needs_is_refused(key: str, sentence: str) -> None:
    assert message({k: v for k, v in ROULETTE.items() if k != key}) == sentence


def test_every_round_needs_its_draws() -> None:
    rounds = [CRAPS["rounds"][0], {"seats": {}}]
    assert message({"game": "craps", "rounds": rounds}) == (
        'round 2 does not say what the equipment gives: it needs "draws"'
    )


def test_options_comments_irregularities_wagers_and_moves_may_be_left_out() -> None:
    told = run({"game": "roulette", "draws": ["17"], "seats": {"1": {}}})
    assert told.document["net"] == {"1": 0}


@pytest.mark.parametrize(
    ("document", "sentence"),
    [
        (ROULETTE | {"draw": ["17"]}, "the script has no 'draw'; it takes comment, draws, game, "),
        (CRAPS | {"draws": []}, "the script has no 'draws'; it takes comment, game, options, rou"),
        (
            CRAPS | {"rounds": [{"draws": [], "game": "craps"}]},
            "round 1 has no 'game'; it takes comment, draws, irregularities, seats",
        ),
        (
            ROULETTE | {"seats": {"1": {"bets": {}}}},
            "seat 1 has no 'bets'; it takes leaves, moves, player, wagers",
        ),
        (
            ROULETTE | {"irregularities": [{"before_draw": 1, "what": "foreign_object"}]},
            "an irregularity has no 'what'; it takes before_draw, kind, seat, wager",
        ),
    ],
)
def test_an_unknown_key_is_answered_with_the_known_ones(document: Any, sentence: str) -> None:
    assert message(document).startswith(sentence)


@pytest.mark.parametrize("name", ["faro", "", "Roulette"])
def test_an_unknown_game_is_refused(name: str) -> None:
    refusal = refused(ROULETTE | {"game": name})
    assert refusal.fault is Fault.UNKNOWN_GAME
    assert refusal.message.startswith(f"there is no game {name!r} here; there is craps")


@pytest.mark.parametrize("name", [None, 7, True, [], ["roulette"], {}, {"id": "roulette"}])
def test_a_game_that_is_not_a_name_is_refused(name: Any) -> None:
    with pytest.raises(Refusal):
        script.run(ROULETTE | {"game": name}, find_game)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"options": []}, '"options" must be a JSON object, not []'),
        ({"options": None}, '"options" must be a JSON object, not null'),
        ({"draws": "17"}, '"draws" of the script must be a JSON list, not "17"'),
        ({"draws": {"1": "17"}}, '"draws" of the script must be a JSON list, not {"1": "17"}'),
        ({"draws": None}, '"draws" of the script must be a JSON list, not null'),
        ({"seats": ["1"]}, '"seats" must be a JSON object, not ["1"]'),
        ({"seats": {"1": 500}}, "seat 1 must be a JSON object, not 500"),
        ({"seats": {"1": None}}, "seat 1 must be a JSON object, not null"),
        ({"seats": {"1": {"wagers": ["red"]}}}, 'wagers of 1 must be a JSON object, not ["red"]'),
        ({"seats": {"1": {"moves": "stay"}}}, '"moves" of seat 1 must be a JSON list, not "stay"'),
        ({"irregularities": {}}, '"irregularities" must be a JSON list, not {}'),
        ({"irregularities": ["late"]}, 'an irregularity must be a JSON object, not "late"'),
        (
            {"irregularities": [{"kind": "foreign_object"}]},
            'an irregularity needs "before_draw", counted from 1, and a "kind"',
        ),
        (
            {"irregularities": [{"before_draw": "1", "kind": "foreign_object"}]},
            'an irregularity needs "before_draw", counted from 1, and a "kind"',
        ),
        (
            {"irregularities": [{"before_draw": True, "kind": "foreign_object"}]},
            'an irregularity needs "before_draw", counted from 1, and a "kind"',
        ),
        (
            {"irregularities": [{"before_draw": 1, "kind": 7}]},
            'an irregularity needs "before_draw", counted from 1, and a "kind"',
        ),
    ],
)
def test_a_value_of_the_wrong_type_is_refused(change: dict[str, Any], sentence: str) -> None:
    refusal = refused(ROULETTE | change)
    assert refusal.fault is Fault.BAD_SCRIPT
    assert refusal.message == sentence


@pytest.mark.parametrize("rounds", [{}, "two", None, [1], ["round"]])
def test_rounds_are_a_list_of_objects(rounds: Any) -> None:
    assert refused({"game": "craps", "rounds": rounds}).fault is Fault.BAD_SCRIPT


# What the rules forbid.


@pytest.mark.parametrize(
    ("wagers", "fault"),
    [
        ({"red": 499}, Fault.BELOW_MINIMUM),
        ({"red": 500_001}, Fault.ABOVE_MAXIMUM),
        ({"red": "500"}, Fault.BAD_AMOUNT),
        ({"red": 500.0}, Fault.BAD_AMOUNT),
        ({"red": True}, Fault.BAD_AMOUNT),
        ({"red": {"cents": 500}}, Fault.BAD_AMOUNT),
        ({"red": 0}, Fault.NOT_NOW),
        ({"purple": 500}, Fault.UNKNOWN_WAGER),
        ({"straight:99": 500}, Fault.UNKNOWN_SPOT),
        ({"seven_numbers": 500}, Fault.NOT_OFFERED),
    ],
)
def test_a_wager_that_the_rules_forbid_refuses_the_script(
    wagers: dict[str, Any], fault: Fault
) -> None:
    refusal = refused(ROULETTE | {"seats": {"1": {"wagers": wagers}}})
    assert refusal.fault is fault
    assert refusal.cite is not None


def test_a_seat_that_is_not_at_the_table_is_refused() -> None:
    refusal = refused(ROULETTE | {"seats": {"9": {"wagers": {"red": 500}}}})
    assert refusal.fault is Fault.UNKNOWN_SEAT


def test_an_option_that_is_not_permitted_refuses_the_script_with_every_reason() -> None:
    with pytest.raises(Unlawful) as caught:
        run(ROULETTE | {"options": {"wheel": "square", "color": "red"}})
    assert [each.option for each in caught.value.violations] == ["wheel", "color"]


@pytest.mark.parametrize("draw", ["37", "000", 38, None, ["17"], True, 1.5])
def test_an_impossible_outcome_refuses_the_script(draw: Any) -> None:
    refusal = refused(ROULETTE | {"draws": [draw]})
    assert refusal.fault is Fault.IMPOSSIBLE_OUTCOME
    assert refusal.message == f"the 38-number roulette wheel has no stop {draw!r}"


@pytest.mark.parametrize("draw", [{}, {"stop": "17"}, {"irregularity": "foreign_object"}])
def test_an_object_is_not_something_that_the_equipment_gives(draw: Any) -> None:
    document = ROULETTE | {"irregularities": [], "draws": [draw, "17"]}
    assert message(document).endswith("is not a draw of the 38-number roulette wheel")


def test_a_card_cannot_be_dealt_twice() -> None:
    assert "is left in the deck" in message(PEEK | {"draws": ["Kh", "2c", "2c"]})


def test_a_number_cannot_be_drawn_twice() -> None:
    assert message(KENO | {"draws": [7, *range(1, 20)]}) == "7 has already been drawn"


# Draws.


@pytest.mark.parametrize(("draws", "more"), [([], 3), (["Kh"], 2), (["Kh", "2c"], 1)])
def test_too_few_draws_are_refused_with_how_many_more_are_needed(
    draws: list[str], more: int
) -> None:
    assert message(PEEK | {"draws": draws}) == (
        f"the script gives {len(draws)} draws and needs at least {more} more"
    )


def test_a_round_that_runs_out_of_draws_says_which_round_it_is() -> None:
    rounds = [*CRAPS["rounds"][:2], {"draws": []}]
    assert message({"game": "craps", "rounds": rounds}) == (
        "round 3 gives 0 draws and needs at least 1 more"
    )


def test_draws_that_are_not_needed_are_reported() -> None:
    told = run(ROULETTE | {"draws": ["17", "5", "00"]})
    assert told.rounds[0]["unused_draws"] == ["5", "00"]


def test_nothing_is_said_of_unused_draws_when_there_are_none() -> None:
    assert "unused_draws" not in run(ROULETTE).rounds[0]


def test_several_draws_go_on_while_wagers_stand() -> None:
    told = run(
        {
            "game": "craps",
            "draws": [[3, 1], [5, 1], [2, 2], [6, 6]],
            "seats": {"1": {"wagers": {"pass": 1000}}},
        }
    )
    assert len(told.rounds) == 1
    assert told.result("pass") == ("win", 1000)
    assert [event["outcome"] for event in told.events("throw")] == [[3, 1], [5, 1], [2, 2]]
    assert told.rounds[0]["unused_draws"] == [[6, 6]]
    assert told.net() == 1000


def test_every_wager_decided_on_the_way_is_settled_once() -> None:
    told = run(
        {
            "game": "craps",
            "draws": [[3, 1], [5, 1], [4, 3]],
            "seats": {"1": {"wagers": {"pass": 1000, "field": 500, "place_win_6": 600}}},
        }
    )
    settled = [(s["wager"], s["result"], s["net"]) for s in told.rounds[0]["settlements"]]
    assert settled == [("field", "win", 500), ("place_win_6", "win", 700), ("pass", "lose", -1000)]
    assert told.net() == 200


def test_a_wager_that_is_undecided_at_the_end_is_standing() -> None:
    told = run({"game": "craps", "draws": [[3, 1]], "seats": {"1": {"wagers": {"pass": 1000}}}})
    assert told.result("pass") == ("standing", 0)
    assert told.net() == 0


# Several rounds at one table.


def test_rounds_are_played_at_one_table() -> None:
    told = run(CRAPS)
    assert len(told.rounds) == 3
    assert [told.result("pass", round=each) for each in range(3)] == [
        ("standing", 0),
        ("standing", 0),
        ("win", 1000),
    ]
    assert told.result("pass_odds") == ("win", 4000)
    assert told.net() == 5000


def test_a_later_round_sets_wagers_to_the_amount_it_gives() -> None:
    told = run(
        {
            "game": "craps",
            "rounds": [
                {"draws": [[3, 1]], "seats": {"1": {"wagers": {"place_win_6": 1200}}}},
                {"draws": [[3, 2]], "seats": {"1": {"wagers": {"place_win_6": 600}}}},
                {"draws": [[3, 2]], "seats": {"1": {"wagers": {"place_win_6": 0}}}},
            ],
        }
    )
    assert told.settled("place_win_6", round=0)["stake"] == 1200
    assert told.settled("place_win_6", round=1)["stake"] == 600
    assert told.rounds[2]["settlements"] == []
    assert [told.events(kind, 2) != [] for kind in ("take_down", "wager")] == [True, False]


def test_a_script_of_no_rounds_tells_nothing() -> None:
    told = run({"game": "craps", "rounds": []})
    assert told.rounds == []
    assert told.document["net"] == {}


# Moves.


def test_moves_are_made_in_the_order_in_which_a_seat_is_asked() -> None:
    told = run(PEEK)
    decisions = [(e["seat"], e["move"], e.get("amount")) for e in told.events("decision")]
    assert decisions == [("1", "stay", None), ("2", "raise", 1500)]


def test_a_question_that_the_script_leaves_open_is_refused() -> None:
    document = copy.deepcopy(PEEK)
    document["seats"]["2"]["moves"] = []
    refusal = refused(document)
    assert refusal.message == (
        "seat 2 must stay or raise (500 to 2000 cents) (stay or raise?), "
        "and the script gives it no move"
    )
    assert str(refusal.cite) == "19:47-99.4"


@pytest.mark.parametrize(
    "move", ["fold", {"raise": 1501}, {"raise": "1500"}, "raise", {"stay": 5}, 7, None, []]
)
def test_a_move_that_is_not_legal_is_refused(move: Any) -> None:
    document = copy.deepcopy(PEEK)
    document["seats"]["2"]["moves"] = [move]
    refusal = refused(document)
    assert refusal.fault is Fault.ILLEGAL_MOVE
    assert str(refusal.cite) == "19:47-99.4"


@pytest.mark.parametrize("extra", ["stay", {"raise": 500}, 7, None])
def test_a_move_that_nobody_asked_for_is_refused(extra: Any) -> None:
    document = copy.deepcopy(PEEK)
    document["seats"]["1"]["moves"] = ["stay", extra]
    assert message(document) == f"seat 1 was never asked for its move {extra!r}"


def test_a_move_of_a_seat_without_a_wager_is_refused() -> None:
    document = copy.deepcopy(PEEK)
    document["seats"]["3"] = {"moves": ["stay"]}
    assert message(document) == "seat 3 was never asked for its move 'stay'"


def test_an_offer_needs_no_answer() -> None:
    seat = {"wagers": {"pass": 1000}}
    told = run({"game": "craps", "draws": [[3, 4]], "seats": {"1": seat}})
    assert told.result("pass") == ("win", 1000)
    assert told.events("decision") == []


def test_an_offer_may_be_taken_up() -> None:
    seat = {"wagers": {"pass": 1000}, "moves": ["pass_dice"]}
    told = run({"game": "craps", "draws": [[3, 4]], "seats": {"1": seat}})
    assert [event["move"] for event in told.events("decision")] == ["pass_dice"]


def test_an_offer_with_an_amount_may_be_taken_up() -> None:
    document = copy.deepcopy(PEEK)
    document["seats"]["1"]["moves"] = ["stay", {"tip": 25}]
    decisions = [(e["seat"], e["move"], e.get("amount")) for e in run(document).events("decision")]
    assert decisions == [("1", "stay", None), ("1", "tip", 25), ("2", "raise", 1500)]


# Irregularities.


def test_irregularities_count_draws_from_one() -> None:
    told = run(ROULETTE)
    kinds = [event["kind"] for event in told.rounds[0]["events"]]
    assert kinds.index("irregularity") < kinds.index("spin")


@pytest.mark.parametrize("at", [0, -1, 3, 100])
def test_an_irregularity_that_never_comes_about_is_refused(at: int) -> None:
    assert message(
        ROULETTE | {"irregularities": [{"before_draw": at, "kind": "foreign_object"}]}
    ) == (f"foreign_object before draw {at} never came about: the script has 1 draws")


def test_an_irregularity_before_the_draw_after_the_last_comes_before_settlement() -> None:
    told = run(CLOCK | {"irregularities": [{"before_draw": 2, "kind": "late_call"}]})
    kinds = [event["kind"] for event in told.rounds[0]["events"]]
    assert kinds.index("spin") < kinds.index("irregularity") < kinds.index("pay")


def test_draw_again_after_the_last_draw_is_refused() -> None:
    report = {"before_draw": 2, "kind": "object"}
    assert "can only be reported before the outcome is known" in message(
        CLOCK | {"irregularities": [report]}
    )


def test_an_irregularity_before_a_later_throw_comes_before_that_throw() -> None:
    told = run(
        {
            "game": "craps",
            "draws": [[3, 1], [2, 2]],
            "seats": {"1": {"wagers": {"pass": 1000}}},
            "irregularities": [{"before_draw": 2, "kind": "die_leaves_table"}],
        }
    )
    kinds = [e["kind"] for e in told.rounds[0]["events"] if e["kind"] in ("throw", "irregularity")]
    assert kinds == ["throw", "irregularity", "throw"]
    assert told.result("pass") == ("win", 1000)


def test_several_irregularities_come_in_the_order_of_the_script() -> None:
    reports = [{"before_draw": 1, "kind": kind} for kind in ("object", "late_call", "clock_stops")]
    told = run(CLOCK | {"irregularities": reports})
    assert [event["irregularity"] for event in told.events("irregularity")] == [
        "object",
        "late_call",
        "clock_stops",
    ]


def test_an_irregularity_may_name_a_wager() -> None:
    report = {"before_draw": 1, "kind": "late_wager", "seat": "1", "wager": "hour:1"}
    told = run(CLOCK | {"irregularities": [report]})
    assert told.result("hour:1") == ("void", 0)
    assert told.result("hour:2") == ("win", 2000)
    assert told.net() == 2000


def test_an_irregularity_of_another_game_is_refused() -> None:
    report = {"before_draw": 1, "kind": "die_leaves_table"}
    assert refused(CLOCK | {"irregularities": [report]}).fault is Fault.UNKNOWN_IRREGULARITY


def test_a_void_round_is_told_as_void() -> None:
    told = run(CLOCK | {"irregularities": [{"before_draw": 1, "kind": "power_cut"}]})
    assert told.rounds[0]["void"] is True
    assert told.result("hour:1") == told.result("hour:2") == ("void", 0)
    assert told.net() == 0
    assert told.rounds[0]["unused_draws"] == ["2"]


# What comes out.

RESULTS = {"win", "lose", "push", "void", "surrender", "standing"}


@pytest.mark.parametrize("document", SCRIPTS, ids=lambda document: str(document["game"]))
def test_the_output_has_the_shape_of_the_contract(document: dict[str, Any]) -> None:
    told = run(document).document
    assert set(told) >= {"game", "rounds", "net"}
    assert told["game"] == document["game"]
    assert all(type(net) is int for net in told["net"].values())
    for each in told["rounds"]:
        assert set(each) <= {"void", "settlements", "events", "unused_draws"}
        assert type(each["void"]) is bool
        for settled in each["settlements"]:
            assert set(settled) >= {"seat", "wager", "stake", "result", "net", "citation"}
            assert settled["result"] in RESULTS
            assert type(settled["stake"]) is type(settled["net"]) is int
            assert settled["citation"].startswith("19:47-")
        assert all(type(event["kind"]) is str for event in each["events"])


def test_a_settlement_reads_as_in_the_contract() -> None:
    settled = run(ROULETTE).settled("straight:17")
    assert {key: settled[key] for key in ("seat", "wager", "stake", "result", "net")} == {
        "seat": "1",
        "wager": "straight:17",
        "stake": 500,
        "result": "win",
        "net": 17_500,
    }
    assert settled["citation"] == "19:47-5.2(a)"


def test_the_net_of_a_seat_is_the_sum_of_its_settlements() -> None:
    told = run(ROULETTE)
    assert told.document["net"] == {"1": 17_500 - 1000, "2": 2500}


def test_a_seat_that_neither_wins_nor_loses_has_a_net_of_nothing() -> None:
    told = run(ROULETTE | {"seats": {"3": {}}})
    assert told.document["net"] == {"3": 0}


def test_events_tell_everything_in_order() -> None:
    kinds = [event["kind"] for event in run(ROULETTE).rounds[0]["events"]]
    assert [kind for kind in kinds if kind not in ("announce", "step")] == [
        "wager",
        "wager",
        "wager",
        "irregularity",
        "spin",
        "collect",
        "pay",
        "pay",
    ]


@pytest.mark.parametrize("document", SCRIPTS, ids=lambda document: str(document["game"]))
def test_the_same_script_twice_gives_the_same_document(document: dict[str, Any]) -> None:
    before = copy.deepcopy(document)
    first = script.run(document, games)
    assert document == before
    assert json.dumps(script.run(document, games)) == json.dumps(first)
    assert json.loads(json.dumps(first)) == first


# Whatever the script says, it is played or refused.

leaves = (
    st.none()
    | st.booleans()
    | st.integers(-3, 10**16)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8)
    | st.sampled_from(
        ["17", "Kh", "red", "pass", "1", "stay", "foreign_object", "roulette", "none", "1/3"]
    )
)
anything = st.recursive(
    leaves,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(max_size=4) | st.sampled_from(["1", "raise", "red"]), inner)
    ),
    max_leaves=4,
)
OPTIONS = {name for game in ("roulette", "craps", "keno") for name in find_game(game).Options.all()}
KEYS = ["game", "draws", "seats", "wagers", "moves", "options", "irregularities", "rounds", "1"]
keys = st.sampled_from(KEYS) | st.sampled_from(sorted(OPTIONS)) | st.text(max_size=4)


def places(value: Any, above: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The path to every value in a document."""
    inside = value if isinstance(value, dict) else {}
    inside = dict(enumerate(value)) if isinstance(value, list) else inside
    return [above, *(place for key in inside for place in places(inside[key], (*above, key)))]


def mutated(draw: st.DrawFn, document: Any) -> Any:
    """The document with something changed, removed or added somewhere."""
    *above, last = draw(st.sampled_from(places(document)[1:]))
    holder = document
    for step in above:
        holder = holder[step]
    what = draw(st.sampled_from(["replace", "remove", "add"]))
    if what == "remove":
        del holder[last]
    elif what == "add" and isinstance(holder[last], dict):
        holder[last][draw(keys)] = draw(anything)
    elif what == "add" and isinstance(holder[last], list):
        holder[last].insert(draw(st.integers(0, 3)), draw(anything))
    else:
        holder[last] = draw(anything)
    return document


@st.composite
def documents(draw: st.DrawFn) -> Any:
    document = copy.deepcopy(draw(st.sampled_from(SCRIPTS)))
    for _ in range(draw(st.integers(1, 3))):
        document = mutated(draw, document)
        if len(places(document)) == 1:
            break
    return document


@settings(max_examples=400)
@given(documents())
def test_a_changed_script_is_played_or_refused(document: Any) -> None:
    try:
        told = script.run(script.read(json.dumps(document)), games)
    except Refusal:
        return
    json.dumps(told)


@given(st.sampled_from(SCRIPTS), st.data())
def test_a_garbled_text_is_read_or_refused(document: Any, data: st.DataObject) -> None:
    text = json.dumps(document)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(start + 5, len(text))))
    garbled = text[:start] + data.draw(st.text(max_size=4)) + text[end:]
    try:
        script.run(script.read(garbled), games)
    except Refusal:
        return
