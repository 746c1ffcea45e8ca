"""Craps: who throws, which wagers are on, what may be made and removed, what goes wrong."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from croupier.games import find_game
from croupier.rulebook import Ask, Draw, Fault, Play, Refusal, Request, Table, play_round
from tests.support import (
    Told,
    deal,
    everything,
    not_answered,
    refused,
    run,
    section,
    throw_by_throw,
    turned_away,
)

POINTS = (4, 5, 6, 8, 9, 10)
EASY = {2: [1, 1], 3: [1, 2], 4: [1, 3], 5: [2, 3], 6: [2, 4], 7: [3, 4], 8: [2, 6], 9: [4, 5],
        10: [4, 6], 11: [5, 6], 12: [6, 6]}  # fmt: skip

FIRE = {"fire_bet_offered": True}
Live = tuple[int, Mapping[str, int]]


def thrown(*totals: int) -> list[list[int]]:
    return [EASY[total] for total in totals]


def another(number: int) -> int:
    """A point that is not this number."""
    return 8 if number == 6 else 6


def throwing(throw: Sequence[int]) -> Callable[[Request], Any]:
    """This throw, and otherwise what happens when nobody says anything."""

    def answer(request: Request) -> Any:
        if isinstance(request, Draw):
            return throw
        return request.default if isinstance(request, Ask) else None

    return answer


def table_after(*rounds: Live, options: Mapping[str, Any] | None = None) -> Table:
    """A live table, open for betting after these throws with these wagers of seat 1."""
    table = Table(find_game("craps"), options)
    for total, wagers in rounds:
        for label, amount in wagers.items():
            table.bet("1", label, amount)
        play_round(table, throwing(EASY[total]))
        table.open_betting()
    return table


def on_the_layout(table: Table, seat: str = "1") -> dict[str, int]:
    return {bet.label: bet.stake for bet in table.bets_of(seat)}


def players(wagers: Mapping[str, Mapping[str, int]], **moves: list[str]) -> dict[str, Any]:
    """`players({"1": {"pass": 500}, "2": {}}, seat_2=["decline"])`."""
    return {
        seat: {"wagers": dict(made), "moves": moves.get(f"seat_{seat}", [])}
        for seat, made in wagers.items()
    }


def three(**moves: list[str]) -> dict[str, Any]:
    return players({seat: {"pass": 500} for seat in "123"}, **moves)


def rounds(
    *each: tuple[Sequence[int], dict[str, Any]], options: Mapping[str, Any] | None = None
) -> Told:
    told = [{"draws": thrown(*totals), "seats": seats} for totals, seats in each]
    return run({"game": "craps", "options": dict(options or {}), "rounds": told})


def shooters(told: Told) -> list[str]:
    """The seats that took the dice, in turn."""
    steps = [event["text"] for each in told.rounds for event in each["events"]
             if event["kind"] == "step"]  # fmt: skip
    matches = [re.fullmatch(r"Seat (\d+) takes two dice from the set offered", s) for s in steps]
    return [match[1] for match in matches if match]


# 1.7, 1.11: the shooter.


@pytest.mark.cites("1.7")
def test_the_dice_are_offered_to_the_first_player_first() -> None:
    told = deal("craps", thrown(7), seats=three())
    assert shooters(told) == ["1"]
    (step,) = told.events("step")
    assert step["citation"].startswith("19:47-1.7 (after ")


@pytest.mark.cites("1.7")
def test_the_dice_go_clockwise_until_a_player_accepts_them() -> None:
    """Given seats 1 and 2 decline, when the dice reach seat 3, then seat 3 throws."""
    told = deal("craps", thrown(7), seats=three(seat_1=["decline"], seat_2=["decline"]))
    assert shooters(told) == ["3"]


@pytest.mark.cites("1.7")
def test_the_dice_are_with_none_of_the_players_if_all_decline() -> None:
    seats = three(seat_1=["decline"], seat_2=["decline"], seat_3=["decline"])
    assert shooters(deal("craps", thrown(7), seats=seats)) == []


@pytest.mark.cites("1.11")
def test_the_shooter_keeps_the_dice_until_a_seven_out() -> None:
    """Given naturals, craps and points made, when the shooter goes on, then nobody else throws."""
    told = rounds(([7], three()), ([2], three()), ([11], three()), ([4, 9, 4], three()))
    assert shooters(told) == ["1"]


@pytest.mark.cites("1.11")
def test_after_a_seven_out_the_dice_go_on_clockwise_and_come_round() -> None:
    told = rounds(*(((4, 7), three()) for _ in range(4)))
    assert shooters(told) == ["1", "2", "3", "1"]
    assert told.said()[-1] == "Seven out; the dice pass to the next shooter"


@pytest.mark.cites("1.11")
def test_a_come_out_7_is_no_seven_out() -> None:
    told = rounds(([7], three()), ([7], three()))
    assert shooters(told) == ["1"]
    assert not [text for text in told.said() if text.startswith("Seven out")]


@pytest.mark.cites("1.11")
def test_a_player_offered_the_dice_after_a_seven_out_may_decline_them() -> None:
    told = rounds(((4, 7), three()), ([7], three(seat_2=["decline"])))
    assert shooters(told) == ["1", "3"]


@pytest.mark.cites("1.11")
@pytest.mark.parametrize("total", [7, 2, 4])
def test_after_any_roll_the_shooter_may_pass_the_dice(total: int) -> None:
    told = deal("craps", thrown(total), seats=three(seat_1=["pass_dice"]))
    (decision,) = told.events("decision")
    assert (decision["seat"], decision["move"]) == ("1", "pass_dice")
    assert decision["citation"] == "19:47-1.11 (customary)"


@pytest.mark.cites("1.11")
def test_dice_passed_on_before_a_new_come_out_roll_go_to_the_next_player() -> None:
    told = rounds(([7], three(seat_1=["pass_dice"])), ([7], three()))
    assert shooters(told) == ["1", "2"]


@pytest.mark.cites("1.11", "1.2(a)1")
def test_dice_passed_on_with_a_point_on_leave_the_point_and_the_wagers() -> None:
    """Given point 4, when seat 1 passes the dice and seat 2 throws 4, then every pass wins."""
    nothing = players({"1": {}, "2": {}, "3": {}})
    told = rounds(([4], three(seat_1=["pass_dice"])), ([4], nothing))
    assert shooters(told) == ["1", "2"]
    assert [told.result("pass", seat) for seat in "123"] == [("win", 500)] * 3


@pytest.mark.cites("1.11")
def test_the_shooter_must_give_up_the_dice_on_a_seven_out() -> None:
    """Given a seven-out, when it is thrown, then the shooter is not asked to keep the dice."""
    with pytest.raises(Refusal) as caught:
        rounds(([4], three()), ([7], players({"1": {}}, seat_1=["keep"])))
    assert caught.value.fault is Fault.BAD_SCRIPT
    assert caught.value.message == "seat 1 was never asked for its move 'keep'"


@pytest.mark.cites("1.11")
def test_dice_that_are_with_another_player_stay_there_until_they_are_given_up() -> None:
    """Given somebody else throws and sets a point, then seat 1 does not take the dice."""
    told = rounds(
        ([6], players({"1": {"field": 500}})), ([9], players({"1": {"place_win_8": 600}}))
    )
    assert shooters(told) == []


@pytest.mark.cites("1.8")
@pytest.mark.parametrize("line", ["pass", "dont_pass"])
def test_the_shooter_must_have_a_line_wager_on_the_come_out_roll(line: str) -> None:
    """Given seat 1 has no line wager, when the dice are offered, then they go to seat 2."""
    told = deal("craps", thrown(7), seats=players({"1": {"field": 500}, "2": {line: 500}}))
    assert shooters(told) == ["2"]


@pytest.mark.cites("1.8")
def test_a_shooter_who_makes_no_line_wager_for_the_next_come_out_roll_loses_the_dice() -> None:
    told = rounds(
        ([7], three()), ([7], players({"1": {"field": 500}, "2": {"pass": 500}}))
    )  # fmt: skip
    assert shooters(told) == ["1", "2"]


@pytest.mark.cites("1.8")
def test_with_a_point_on_the_dice_may_go_to_a_player_without_a_line_wager() -> None:
    told = rounds(
        ([4], players({"1": {"pass": 500}, "2": {"place_win_8": 600}}, seat_1=["pass_dice"])),
        ([4], players({})),
    )
    assert shooters(told) == ["1", "2"]


@pytest.mark.cites("1.8")
def test_a_licensee_may_let_a_shooter_throw_without_a_line_wager() -> None:
    seats = players({"1": {"field": 500}, "2": {"pass": 500}})
    told = rounds(([7], seats), options={"shooter_line_bet_required": False})
    assert shooters(told) == ["1"]


# 1.8, 1.10: the throw and the settlement.


@pytest.mark.cites("1.3", "1.8")
def test_betting_is_closed_when_the_dice_are_thrown() -> None:
    """Given the shooter has the dice, when "No more bets" is called, then no wager is accepted."""
    table = Table(find_game("craps"))
    table.bet("1", "pass", 500)
    play = Play(table)
    while not isinstance(play.request, Draw):
        play.answer("accept")
    refusal = turned_away(table, "field", 500)
    assert refusal.fault is Fault.NO_MORE_BETS
    assert section(refusal) == "19:47-1.3"
    assert turned_away(table, "pass", 0).fault is Fault.NO_MORE_BETS


@pytest.mark.cites("1.8", "1.10")
def test_a_round_is_no_more_bets_then_the_throw_then_the_call_then_the_settlement() -> None:
    told = deal("craps", [[6, 5]], {"pass": 500})
    kinds = [event["kind"] for event in told.rounds[0]["events"]]
    assert kinds == ["wager", "step", "announce", "throw", "announce", "pay"]
    assert told.said() == ["No more bets", "11, a winner on the pass line"]
    assert told.events("throw")[0]["outcome"] == [6, 5]


@pytest.mark.cites("1.10")
@pytest.mark.parametrize(
    ("draws", "call"),
    [
        ([[3, 4]], "7, a winner on the pass line"),
        ([[1, 1]], "2, craps"),
        ([[6, 6]], "12, craps"),
        ([[2, 2]], "4 the hard way"),
        ([[1, 3]], "4"),
        ([[1, 3], [2, 2]], "4 the hard way, the point is made"),
        ([[1, 3], [3, 1]], "4, the point is made"),
        ([[1, 3], [5, 6]], "11"),
        ([[1, 3], [1, 1]], "2"),
        ([[1, 3], [3, 4]], "7"),
    ],
)
def test_the_stickperson_calls_the_total_at_once(draws: list[list[int]], call: str) -> None:
    events = deal("craps", draws, {"pass": 500}).rounds[0]["events"]
    last_throw = max(at for at, event in enumerate(events) if event["kind"] == "throw")
    assert events[last_throw + 1]["text"] == call


@pytest.mark.cites("1.10")
def test_losing_wagers_are_collected_before_winning_wagers_are_paid() -> None:
    seats = players({"1": {"pass": 500, "any_craps": 500}, "2": {"dont_pass": 500, "field": 500}})
    told = deal("craps", thrown(11), seats=seats)
    paid = [event["kind"] for event in told.rounds[0]["events"] if "amount" in event]
    assert paid == ["collect", "collect", "pay", "pay"]
    assert (told.net("1"), told.net("2")) == (0, 0)


# 1.2(a)5: on and off on the come out roll.

OFF = [(f"{name}_{n}", n) for name in ("place_win", "buy") for n in POINTS]


@pytest.mark.cites("1.2(a)5", "1.5")
@pytest.mark.parametrize(("wager", "number"), OFF)
def test_place_and_buy_wagers_are_inactive_on_a_come_out_roll(wager: str, number: int) -> None:
    """Given nobody calls it on, when its number or a 7 comes on a come out roll, then it stands."""
    assert deal("craps", thrown(number), {wager: 3000}).result(wager) == ("standing", 0)
    assert deal("craps", thrown(7), {wager: 3000}).result(wager) == ("standing", 0)


@pytest.mark.cites("1.2(a)5", "1.5")
@pytest.mark.parametrize(("wager", "number"), OFF)
def test_place_and_buy_wagers_called_on_are_active_on_a_come_out_roll(
    wager: str, number: int
) -> None:
    won = deal("craps", thrown(number), {wager: 3000}, moves=["on"])
    assert won.result(wager)[0] == "win"
    lost = deal("craps", thrown(7), {wager: 3000}, moves=["on"])
    assert lost.result(wager) == ("lose", -3000)


@pytest.mark.cites("1.2(a)5")
def test_place_wagers_are_off_again_on_the_come_out_roll_after_a_point_is_made() -> None:
    """Given place 8 and point 6, when 6 is made, then a come out 7 leaves the place wager."""
    told = throw_by_throw(
        "craps", (EASY[6], {}), (EASY[6], {"place_win_8": 600}), (EASY[7], {}), (EASY[5], {}),
        (EASY[7], {}),
    )  # fmt: skip
    assert told.result("place_win_8", round=2) == ("standing", 0)
    assert told.result("place_win_8") == ("lose", -600)


@pytest.mark.cites("1.2(a)5")
def test_a_player_calls_each_place_wager_on_or_leaves_it_off() -> None:
    told = deal("craps", thrown(7), {"place_win_6": 600, "place_win_8": 600}, moves=["off", "on"])
    assert told.result("place_win_6") == ("standing", 0)
    assert told.result("place_win_8") == ("lose", -600)


@pytest.mark.cites("1.2(a)5")
def test_a_place_wager_is_called_on_for_each_come_out_roll_anew() -> None:
    """Given it was on for a come out 11, when the next is a 7 and nobody calls, then it stands."""
    told = throw_by_throw("craps", (EASY[11], {"place_win_8": 600}, ["on"]), (EASY[7], {}))
    assert told.result("place_win_8") == ("standing", 0)


@pytest.mark.cites("1.2(a)5")
def test_with_a_point_on_nobody_is_asked_whether_place_wagers_are_on() -> None:
    with pytest.raises(Refusal) as caught:
        throw_by_throw("craps", (EASY[6], {}), (EASY[8], {"place_win_8": 600}, ["on"]))
    assert caught.value.message == "seat 1 was never asked for its move 'on'"


@pytest.mark.cites("1.2(a)5", "1.5", "1.6")
@pytest.mark.parametrize(
    ("wager", "cited"),
    [
        ("place_win_9", "19:47-1.2(a)5"),
        ("buy_9", "19:47-1.5 (customary)"),
        ("come_odds", "19:47-1.6 (customary)"),
    ],
)
def test_only_place_wagers_are_off_by_law_and_the_others_by_custom(wager: str, cited: str) -> None:
    told = throw_by_throw(
        "craps",
        (EASY[4], {}),
        (EASY[9], {"come": 600}),
        (EASY[4], {wager: 600}),
        (EASY[11], {}, ["on"]),
    )
    (event,) = told.events("decision")
    assert event["citation"] == cited


ACTIVE = [
    *((f"place_lose_{n}", EASY[n], EASY[7]) for n in POINTS),
    *((f"lay_{n}", EASY[n], EASY[7]) for n in POINTS),
    *((f"hard_{n}", EASY[n], [n // 2, n // 2]) for n in (4, 6, 8, 10)),
]


@pytest.mark.cites("1.2(a)6", "1.2(a)7", "1.2(a)8", "1.2(a)9", "1.2(a)10", "1.5")
@pytest.mark.parametrize(("wager", "loses", "wins"), ACTIVE)
def test_place_to_lose_lay_and_hardway_wagers_are_active_on_a_come_out_roll(
    wager: str, loses: list[int], wins: list[int]
) -> None:
    assert deal("craps", [loses], {wager: 6600 * 4}).result(wager) == ("lose", -6600 * 4)
    assert deal("craps", [wins], {wager: 6600 * 4}).result(wager)[0] == "win"


@pytest.mark.cites("1.2(a)7", "1.2(a)8", "1.2(a)9", "1.2(a)10")
@pytest.mark.parametrize("number", [4, 6, 8, 10])
def test_a_hardway_loses_on_a_come_out_7(number: int) -> None:
    label = f"hard_{number}"
    assert deal("craps", thrown(7), {label: 500}).result(label) == ("lose", -500)


def come_with_odds_on_the_come_out(
    total: int, flat: str, odds: str, moves: Sequence[str] = ()
) -> Told:
    """A come wager on 9 with odds; point 4 has just been made; this is the come out roll."""
    return throw_by_throw(
        "craps",
        (EASY[4], {}),
        (EASY[9], {flat: 1000}),
        (EASY[4], {odds: 1200}),
        (EASY[total], {}, moves),
    )


@pytest.mark.cites("1.6", "1.2(a)3")
@pytest.mark.parametrize(
    ("total", "flat", "odds"),
    [
        (7, ("lose", -1000), ("push", 0)),
        (9, ("win", 1000), ("push", 0)),
        (5, ("standing", 0), ("standing", 0)),
        (11, ("standing", 0), ("standing", 0)),
    ],
)
def test_odds_behind_come_are_off_on_a_come_out_roll_and_returned_if_it_decides_the_come_wager(
    total: int, flat: tuple[str, int], odds: tuple[str, int]
) -> None:
    told = come_with_odds_on_the_come_out(total, "come", "come_odds")
    assert told.result("come:9") == flat
    assert told.result("come_odds:9") == odds


@pytest.mark.cites("1.6")
@pytest.mark.parametrize(("total", "odds"), [(7, ("lose", -1200)), (9, ("win", 1800))])
def test_odds_behind_come_called_on_are_decided_on_a_come_out_roll(
    total: int, odds: tuple[str, int]
) -> None:
    told = come_with_odds_on_the_come_out(total, "come", "come_odds", ["on"])
    assert told.result("come_odds:9") == odds


@pytest.mark.cites("1.6", "1.2(a)4")
@pytest.mark.parametrize(
    ("total", "flat", "odds"),
    [(7, ("win", 1000), ("win", 800)), (9, ("lose", -1000), ("lose", -1200))],
)
def test_odds_behind_dont_come_are_always_on(
    total: int, flat: tuple[str, int], odds: tuple[str, int]
) -> None:
    told = come_with_odds_on_the_come_out(total, "dont_come", "dont_come_odds")
    assert told.result("dont_come:9") == flat
    assert told.result("dont_come_odds:9") == odds


# 1.3: making and removing wagers.

ANY_TIME = ["place_win_6", "place_lose_6", "buy_6", "lay_6", "hard_6", "field", "any_seven",
            "any_craps", "craps_two", "craps_three", "craps_twelve", "eleven", "craps_eleven",
            "horn", "horn_high_2"]  # fmt: skip


@pytest.mark.cites("1.3", "1.2(a)5", "1.2(a)6", "1.2(a)11")
@pytest.mark.parametrize("wager", ANY_TIME)
@pytest.mark.parametrize("before", [(), (4,)])
def test_these_wagers_are_made_changed_and_taken_down_before_any_roll(
    wager: str, before: tuple[int, ...]
) -> None:
    table = table_after(*((total, {}) for total in before))
    for amount in (6000, 12000, 3000):
        table.bet("1", wager, amount)
        assert on_the_layout(table) == {wager: amount}
    table.bet("1", wager, 0)
    assert on_the_layout(table) == {}
    assert table.money["1"] == 0


@pytest.mark.cites("1.3")
@pytest.mark.parametrize("wager", ["place_win_8", "place_lose_8", "buy_8", "lay_8", "hard_8"])
def test_a_number_wager_that_stands_may_be_changed_or_taken_down_between_rolls(wager: str) -> None:
    """Given it has stood for a roll, when it is set to less, more or nothing, then it is that."""
    table = table_after((4, {wager: 6000}), (9, {}))
    for amount in (3000, 9000):
        table.bet("1", wager, amount)
        assert on_the_layout(table) == {wager: amount}
    table.bet("1", wager, 0)
    assert on_the_layout(table) == {}


@pytest.mark.cites("1.3")
def test_a_script_sets_a_wager_to_an_amount() -> None:
    """Given place 6 at $6, when it is set to $12 it wins on $12; set to 0 it is taken down."""
    more = throw_by_throw(
        "craps", (EASY[8], {"place_win_6": 600}), (EASY[6], {"place_win_6": 1200})
    )
    assert more.result("place_win_6") == ("win", 1400)
    down = throw_by_throw("craps", (EASY[8], {"place_win_6": 600}), (EASY[7], {"place_win_6": 0}))
    assert down.rounds[-1]["settlements"] == []
    assert down.net() == 0


@pytest.mark.cites("1.3", "1.2(a)1", "1.2(a)2")
@pytest.mark.parametrize("line", ["pass", "dont_pass"])
def test_a_line_wager_may_be_changed_or_removed_before_the_come_out_roll(line: str) -> None:
    table = Table(find_game("craps"))
    for amount in (500, 2000, 1000):
        table.bet("1", line, amount)
        assert on_the_layout(table) == {line: amount}
    table.bet("1", line, 0)
    assert on_the_layout(table) == {}


@pytest.mark.cites("1.3", "1.2(a)1")
@pytest.mark.parametrize("amount", [0, 500, 2000])
def test_a_pass_wager_is_neither_removed_nor_changed_once_a_point_is_on(amount: int) -> None:
    refusal = turned_away(table_after((6, {"pass": 1000})), "pass", amount)
    assert refusal.fault is Fault.NOT_NOW
    assert refusal.message.endswith("and then stays")
    assert section(refusal) == "19:47-1.3"


@pytest.mark.cites("1.2(a)1", "1.2(a)2", "1.3")
@pytest.mark.parametrize("line", ["pass", "dont_pass"])
def test_a_line_wager_is_not_made_with_a_point_on(line: str) -> None:
    refusal = turned_away(table_after((6, {})), line, 1000)
    assert refusal.fault is Fault.NOT_NOW
    assert "immediately before a come out roll" in refusal.message
    assert section(refusal) in ("19:47-1.2", "19:47-1.3")


@pytest.mark.cites("1.3", "1.2(a)2")
def test_a_dont_pass_wager_may_be_reduced_or_removed_once_a_point_is_on() -> None:
    reduced = throw_by_throw("craps", (EASY[6], {"dont_pass": 1000}), (EASY[7], {"dont_pass": 500}))
    assert reduced.result("dont_pass") == ("win", 500)
    removed = throw_by_throw("craps", (EASY[6], {"dont_pass": 1000}), (EASY[6], {"dont_pass": 0}))
    assert removed.net() == 0


@pytest.mark.cites("1.3", "1.2(a)2")
def test_a_dont_pass_wager_is_not_increased_nor_put_back_until_a_decision() -> None:
    table = table_after((6, {"dont_pass": 1000}))
    assert turned_away(table, "dont_pass", 1500).fault is Fault.ABOVE_MAXIMUM
    table.bet("1", "dont_pass", 500)
    increased = turned_away(table, "dont_pass", 1000)
    assert increased.fault is Fault.ABOVE_MAXIMUM
    assert "may only be reduced or taken down" in increased.message
    assert section(increased) == "19:47-1.3"
    table.bet("1", "dont_pass", 0)
    assert turned_away(table, "dont_pass", 500).fault is Fault.NOT_NOW
    play_round(table, throwing(EASY[7]))
    table.open_betting()
    table.bet("1", "dont_pass", 1000)
    assert on_the_layout(table) == {"dont_pass": 1000}


@pytest.mark.cites("1.2(a)3", "1.2(a)4")
@pytest.mark.parametrize(("wager", "item"), [("come", 3), ("dont_come", 4)])
@pytest.mark.parametrize("before", [(), (7,), (4, 4)])
def test_a_come_wager_is_not_made_before_a_come_out_roll(
    wager: str, item: int, before: tuple[int, ...]
) -> None:
    refusal = turned_away(table_after(*((total, {}) for total in before)), wager, 1000)
    assert refusal.fault is Fault.NOT_NOW
    assert "after the come out roll" in refusal.message
    assert str(refusal.cite) == f"19:47-1.2(a){item}"


@pytest.mark.cites("1.3", "1.2(a)3", "1.2(a)4")
@pytest.mark.parametrize("wager", ["come", "dont_come"])
def test_a_come_wager_may_be_taken_back_before_its_first_roll(wager: str) -> None:
    table = table_after((6, {}))
    table.bet("1", wager, 1000)
    table.bet("1", wager, 500)
    table.bet("1", wager, 0)
    assert on_the_layout(table) == {}


@pytest.mark.cites("1.3", "1.2(a)3")
@pytest.mark.parametrize("amount", [0, 500, 2000])
@pytest.mark.parametrize("then", [(), (6,)])
def test_a_come_wager_on_its_come_point_is_neither_removed_nor_changed(
    amount: int, then: tuple[int, ...]
) -> None:
    """Whether a point is on or a new come out roll is due."""
    table = table_after((6, {}), (9, {"come": 1000}), *((total, {}) for total in then))
    refusal = turned_away(table, "come:9", amount)
    assert refusal.fault is Fault.NOT_NOW
    assert refusal.message == "a come wager on its come point stays until decided"
    assert section(refusal) == "19:47-1.3"


@pytest.mark.cites("1.3", "1.2(a)4")
def test_a_dont_come_wager_on_its_come_point_may_be_reduced_or_removed_never_increased() -> None:
    table = table_after((6, {}), (9, {"dont_come": 1000}))
    increased = turned_away(table, "dont_come:9", 1500)
    assert increased.fault is Fault.ABOVE_MAXIMUM
    assert section(increased) == "19:47-1.3"
    table.bet("1", "dont_come:9", 500)
    assert on_the_layout(table) == {"dont_come:9": 500}
    table.bet("1", "dont_come:9", 0)
    assert on_the_layout(table) == {}


@pytest.mark.cites("1.2(a)3")
@pytest.mark.parametrize("label", ["come:6", "dont_come:6", "pass:6", "place_win_6:6", "field:2"])
def test_a_player_does_not_choose_the_come_point_nor_any_other_spot(label: str) -> None:
    refusal = turned_away(table_after((4, {})), label, 1200)
    assert refusal.fault is Fault.UNKNOWN_SPOT
    assert "takes no choice of spot" in refusal.message
    assert refusal.cite is not None


# 1.6: odds, and their limits.

MULTIPLES = {
    "1x": (1, 1, 1), "2x": (2, 2, 2), "3-4-5x": (3, 4, 5), "5x": (5, 5, 5), "10x": (10, 10, 10),
    "20x": (20, 20, 20), "100x": (100, 100, 100),
}  # fmt: skip
PAIRS = ((4, 10), (5, 9), (6, 8))
LIMITS = [
    (name, point, multiples[at])
    for name, multiples in MULTIPLES.items()
    for at, pair in enumerate(PAIRS)
    for point in pair
]
LAID_PER_WON = {4: (2, 1), 10: (2, 1), 5: (3, 2), 9: (3, 2), 6: (6, 5), 8: (6, 5)}


def behind(flat: str, point: int, options: Mapping[str, Any]) -> tuple[Table, str]:
    """A table with $10 on a flat wager that has this point, and the label of odds behind it."""
    if flat in ("pass", "dont_pass"):
        return table_after((point, {flat: 1000}), options=options), f"{flat}_odds"
    table = table_after((another(point), {}), (point, {flat: 1000}), options=options)
    return table, f"{flat}_odds:{point}"


def most(table: Table, label: str, limit: int, step: int) -> None:
    """The limit is accepted, and a step more is not."""
    refusal = turned_away(table, label, limit + step)
    assert refusal.fault is Fault.ABOVE_MAXIMUM
    assert "the limit behind $10" in refusal.message
    assert section(refusal) == "19:47-1.6"
    table.bet("1", label, limit)
    assert on_the_layout(table)[label] == limit


@pytest.mark.cites("1.6")
@pytest.mark.parametrize(("name", "point", "multiple"), LIMITS)
@pytest.mark.parametrize("flat", ["pass", "come"])
def test_odds_taken_are_at_most_the_multiple_of_the_flat_wager(
    flat: str, name: str, point: int, multiple: int
) -> None:
    """3-4-5x allows three times on 4 and 10, four times on 5 and 9, five times on 6 and 8."""
    table, label = behind(flat, point, {"odds_multiple": name})
    most(table, label, 1000 * multiple, step=10)


@pytest.mark.cites("1.6")
@pytest.mark.parametrize(("name", "point", "multiple"), LIMITS)
@pytest.mark.parametrize("flat", ["dont_pass", "dont_come"])
def test_odds_laid_win_at_most_the_multiple_of_the_flat_wager(
    flat: str, name: str, point: int, multiple: int
) -> None:
    table, label = behind(flat, point, {"odds_multiple": name})
    lay, won = LAID_PER_WON[point]
    most(table, label, 1000 * multiple * lay // won, step=6)


@pytest.mark.cites("1.6")
@pytest.mark.parametrize("flat", ["pass", "dont_pass", "come", "dont_come"])
def test_odds_may_be_made_changed_and_taken_down_before_any_roll(flat: str) -> None:
    table, label = behind(flat, 6, {})
    for amount in (60, 3000, 600):
        table.bet("1", label, amount)
        assert on_the_layout(table)[label] == amount
    table.bet("1", label, 0)
    assert label not in on_the_layout(table)


@pytest.mark.cites("1.6")
@pytest.mark.parametrize("flat", ["come", "dont_come"])
def test_odds_behind_a_come_wager_may_be_made_and_taken_down_before_a_come_out_roll(
    flat: str,
) -> None:
    table = table_after((4, {}), (9, {flat: 1000}), (4, {}))
    table.bet("1", f"{flat}_odds", 600)
    assert on_the_layout(table) == {f"{flat}:9": 1000, f"{flat}_odds:9": 600}
    table.bet("1", f"{flat}_odds", 0)
    assert on_the_layout(table) == {f"{flat}:9": 1000}


@pytest.mark.cites("1.3", "1.6")
@pytest.mark.parametrize("flat", ["dont_pass", "dont_come"])
@pytest.mark.parametrize(
    ("amount", "fault"), [(0, Fault.NOT_NOW), (500, Fault.BELOW_MINIMUM)]
)  # fmt: skip
def test_a_flat_wager_is_not_taken_down_while_odds_lie_behind_it(
    flat: str, amount: int, fault: Fault
) -> None:
    """Given odds behind it, when those are taken down first, then the flat wager may go too."""
    table, label = behind(flat, 6, {})
    lying = flat if flat == "dont_pass" else "dont_come:6"
    table.bet("1", label, 3600)
    refusal = turned_away(table, lying, amount)
    assert refusal.fault is fault
    assert section(refusal) == "19:47-1.6"
    table.bet("1", label, 0)
    table.bet("1", lying, amount)
    assert on_the_layout(table).get(lying, 0) == amount


@pytest.mark.cites("1.6")
@pytest.mark.parametrize("odds", ["pass_odds", "dont_pass_odds"])
def test_odds_behind_the_line_need_a_point(odds: str) -> None:
    table = table_after()
    table.bet("1", odds.removesuffix("_odds"), 1000)
    refusal = turned_away(table, odds, 600)
    assert refusal.fault is Fault.NOT_NOW
    assert refusal.message == "odds are made after the come out roll has set a point"
    assert str(refusal.cite) == "19:47-1.6"


@pytest.mark.cites("1.6")
@pytest.mark.parametrize(
    ("odds", "flat"),
    [
        ("pass_odds", "pass"),
        ("dont_pass_odds", "dont_pass"),
        ("come_odds:6", "come:6"),
        ("dont_come_odds:6", "dont_come:6"),
    ],
)
def test_odds_without_the_flat_wager_are_refused(odds: str, flat: str) -> None:
    refusal = turned_away(table_after((4, {})), odds, 600)
    assert refusal.fault is Fault.NO_SUPPORT
    assert refusal.message == f"{odds} needs a {flat} wager"
    assert str(refusal.cite) == "19:47-1.6"


@pytest.mark.cites("1.6")
def test_odds_are_made_behind_the_players_own_wager_only() -> None:
    refusal = turned_away(table_after((6, {"pass": 1000})), "pass_odds", 500, seat="2")
    assert refusal.fault is Fault.NO_SUPPORT


@pytest.mark.cites("1.6")
@pytest.mark.parametrize(
    ("before", "label"),
    [
        ([(4, {}), (5, {"come": 1000}), (6, {"come": 1000})], "come_odds"),
        ([(4, {}), (5, {"come": 1000})], "come_odds:7"),
    ],
)
def test_odds_behind_come_must_say_which_come_point_they_mean(
    before: list[Live], label: str
) -> None:
    refusal = turned_away(table_after(*before), label, 500)
    assert refusal.fault is Fault.UNKNOWN_SPOT
    assert "4, 5, 6, 8, 9, 10" in refusal.message


# 1.4, 1.5: amounts that can be paid exactly.

PAYABLE = [
    *((f"place_win_{n}", 5) for n in (4, 5, 9, 10)), ("place_win_6", 6), ("place_win_8", 6),
    ("place_lose_4", 11), ("place_lose_10", 11), ("place_lose_5", 8), ("place_lose_9", 8),
    ("place_lose_6", 5), ("place_lose_8", 5),
    ("buy_5", 2), ("buy_9", 2), ("buy_6", 5), ("buy_8", 5),
    ("lay_4", 2), ("lay_10", 2), ("lay_5", 3), ("lay_9", 3), ("lay_6", 6), ("lay_8", 6),
    ("horn", 4), *((f"horn_high_{n}", 5) for n in (2, 3, 11, 12)), ("craps_eleven", 2),
]  # fmt: skip
PAYABLE_ODDS = [
    *((flat, n, 2) for flat in ("pass", "come") for n in (5, 9)),
    *((flat, n, 5) for flat in ("pass", "come") for n in (6, 8)),
    *((flat, n, 2) for flat in ("dont_pass", "dont_come") for n in (4, 10)),
    *((flat, n, 3) for flat in ("dont_pass", "dont_come") for n in (5, 9)),
    *((flat, n, 6) for flat in ("dont_pass", "dont_come") for n in (6, 8)),
]


def multiples_only(table: Table, label: str, unit: int) -> None:
    for beyond in range(1, unit):
        refusal = turned_away(table, label, 100 * unit + beyond)
        assert refusal.fault is Fault.NOT_PAYABLE
        assert refusal.message.endswith(f"it must be a multiple of {unit} cents")
        assert refusal.cite is not None
    for amount in (100 * unit, 101 * unit):
        table.bet("1", label, amount)
        assert on_the_layout(table)[label] == amount


@pytest.mark.cites("1.4", "1.5")
@pytest.mark.parametrize(("wager", "unit"), PAYABLE)
def test_a_wager_that_could_not_be_paid_exactly_is_not_accepted(wager: str, unit: int) -> None:
    table = Table(find_game("craps"), {"table_min": 1})
    multiples_only(table, wager, unit)


@pytest.mark.cites("1.4", "1.6")
@pytest.mark.parametrize(("flat", "point", "unit"), PAYABLE_ODDS)
def test_odds_that_could_not_be_paid_exactly_are_not_accepted(
    flat: str, point: int, unit: int
) -> None:
    table, label = behind(flat, point, {})
    multiples_only(table, label, unit)


@pytest.mark.cites("1.4", "1.5", "1.6")
@pytest.mark.parametrize("label", ["buy_4", "buy_10", "pass", "field", "hard_4", "pass_odds"])
def test_any_amount_is_accepted_where_every_amount_can_be_paid(label: str) -> None:
    """Given point 4, then odds of 2 to 1 can be paid on any stake, and so can 1 to 1 and 7 to 1."""
    table = Table(find_game("craps")) if label == "pass" else table_after((4, {"pass": 1000}))
    table.bet("1", label, 501)
    assert on_the_layout(table)[label] == 501


@pytest.mark.cites("1.2(a)19", "1.4(d)")
@pytest.mark.parametrize(("wager", "parts"), [("horn", 4), ("horn_high_3", 5), ("craps_eleven", 2)])
def test_a_wager_in_parts_is_made_in_equal_parts_whatever_it_pays(wager: str, parts: int) -> None:
    table = Table(find_game("craps"), {"table_min": 1, "higher_odds": {wager: "20 to 1"}})
    multiples_only(table, wager, parts)


# 1.12: the procedure of the fire bet.


@pytest.mark.cites("1.12")
@pytest.mark.parametrize("before", [(7,), (2,), (4,), (4, 4), (4, 9)])
def test_a_fire_bet_is_not_made_after_the_shooters_first_come_out_roll(
    before: tuple[int, ...],
) -> None:
    rolls: list[Live] = [
        (total, {"pass": 500} if at == 0 else {}) for at, total in enumerate(before)
    ]
    refusal = turned_away(table_after(*rolls, options=FIRE), "fire_bet", 100)
    assert refusal.fault is Fault.NOT_NOW
    assert "before a new shooter's first come out roll" in refusal.message
    assert section(refusal) == "19:47-1.12"


@pytest.mark.cites("1.12")
@pytest.mark.parametrize("before", [(), (4, 7), (7, 11, 6, 6, 5, 7)])
def test_a_fire_bet_is_made_before_a_new_shooters_first_come_out_roll(
    before: tuple[int, ...],
) -> None:
    table = table_after(*((total, {}) for total in before), options=FIRE)
    table.bet("1", "fire_bet", 100)
    assert on_the_layout(table) == {"fire_bet": 100}


@pytest.mark.cites("1.12")
def test_a_fire_bet_may_be_changed_before_the_first_come_out_roll_and_not_after() -> None:
    table = table_after(options=FIRE)
    for amount in (100, 500, 200):
        table.bet("1", "fire_bet", amount)
    play_round(table, throwing(EASY[4]))
    play_round(table, throwing(EASY[4]))
    table.open_betting()
    (label,) = on_the_layout(table)
    for amount in (0, 100, 500):
        refusal = turned_away(table, label, amount)
        assert refusal.fault is Fault.NOT_NOW
        assert refusal.message.endswith("and then stays")
        assert section(refusal) == "19:47-1.12"


@pytest.mark.cites("1.12")
@pytest.mark.parametrize(
    ("amount", "fault"), [(99, Fault.BELOW_MINIMUM), (501, Fault.ABOVE_MAXIMUM)]
)
def test_a_fire_bet_keeps_to_its_own_limits(amount: int, fault: Fault) -> None:
    """Given the limits of $1 to $5, though the least wager at the table is $5."""
    refusal = turned_away(table_after(options=FIRE), "fire_bet", amount)
    assert refusal.fault is fault
    assert "fire_bet" in refusal.message
    assert refusal.cite is not None


@pytest.mark.cites("1.12")
def test_the_licensee_sets_the_limits_of_the_fire_bet() -> None:
    table = table_after(options={**FIRE, "fire_bet_limits": "200-1000"})
    assert turned_away(table, "fire_bet", 100).fault is Fault.BELOW_MINIMUM
    assert turned_away(table, "fire_bet", 1100).fault is Fault.ABOVE_MAXIMUM
    for amount in (200, 1000):
        table.bet("1", "fire_bet", amount)
    assert on_the_layout(table) == {"fire_bet": 1000}


LINE = {"1": {"pass": 500}, "2": {"pass": 500}}


@pytest.mark.cites("1.12", "1.11")
def test_a_fire_bet_runs_on_when_the_dice_are_passed() -> None:
    """Given seat 1 made 4 and 5 and passes the dice, when seat 2 makes 6 and 8, it is paid."""
    with_fire = {"1": {"pass": 500, "fire_bet": 100}, "2": {"pass": 500}}
    told = rounds(
        ((4, 4), players(with_fire)),
        ((5, 5), players(LINE)),
        ([11], players(LINE, seat_1=["pass_dice"])),
        ((6, 6), players(LINE)),
        ((8, 8), players(LINE)),
        ((9, 7), players(LINE)),
        options=FIRE,
    )
    assert shooters(told) == ["1", "2"]
    assert told.result("fire_bet") == ("win", 2400)


@pytest.mark.cites("1.12")
@pytest.mark.parametrize(("totals", "label"), [((4, 4), "fire_bet"), ([7], "fire_bet")])
@pytest.mark.parametrize("amount", [0, 100, 500])
def test_a_fire_bet_stays_as_it_is_when_the_dice_are_passed(
    totals: Sequence[int], label: str, amount: int
) -> None:
    with_fire = {"1": {"pass": 500, "fire_bet": 200}, "2": {"pass": 500}}
    with pytest.raises(Refusal) as caught:
        rounds(
            (totals, players(with_fire)),
            ([11], players(LINE, seat_1=["pass_dice"])),
            ([11], players({"1": {label: amount}})),
            options=FIRE,
        )
    assert caught.value.fault is Fault.NOT_NOW
    assert section(caught.value) == "19:47-1.12"


@pytest.mark.cites("1.12")
def test_a_player_whose_fire_bet_runs_on_does_not_add_to_it_when_the_dice_are_passed() -> None:
    """Given $5 on the fire bet, when the dice go to a new shooter, then $5 is still the most."""
    with_fire = {"1": {"pass": 500, "fire_bet": 500}, "2": {"pass": 500}}
    with pytest.raises(Refusal) as caught:
        rounds(
            ([7], players(with_fire, seat_1=["pass_dice"])),
            ([7], players({"1": {"fire_bet": 300}, "2": {}})),
            options=FIRE,
        )
    assert section(caught.value) == "19:47-1.12"


@pytest.mark.cites("1.12")
def test_a_fire_bet_is_not_made_with_a_point_on_though_the_shooter_is_new() -> None:
    """Given seat 1 set a point and passes the dice, then this is not before a come out roll."""
    with pytest.raises(Refusal) as caught:
        rounds(
            ([4], players(LINE, seat_1=["pass_dice"])),
            ([9], players({"2": {"fire_bet": 100}})),
            options=FIRE,
        )
    assert caught.value.fault is Fault.NOT_NOW
    assert section(caught.value) == "19:47-1.12"


@pytest.mark.cites("1.12")
def test_a_fire_bet_is_made_before_the_first_come_out_roll_of_one_who_took_over_a_point() -> None:
    """Given seat 2 took the dice with a point on and made it, then its come out roll is next."""
    told = rounds(
        ([4], players(LINE, seat_1=["pass_dice"])),
        ([4], players({})),
        ([7], players({"1": {"pass": 500}, "2": {"pass": 500, "fire_bet": 100}})),
        options=FIRE,
    )
    assert told.result("fire_bet", "2") == ("standing", 0)


# 1.7, 1.9, 1.10, 1.11, 1.12: irregularities.

NO_ROLL = {
    "die_leaves_table": "19:47-1.9",
    "die_on_die": "19:47-1.9",
    "not_thrown_together": "19:47-1.9",
    "end_not_struck": "19:47-1.9",
    "die_in_bank_cup_or_rail": "19:47-1.9",
    "improper_throw": "19:47-1.9",
    "die_on_two_objects": "19:47-1.10",
    "die_lost_or_damaged": "19:47-1.7",
}
ROLL_STANDS = {"dice_touch_chips": "19:47-1.9", "leaning_die": "19:47-1.10"}
NEXT_SHOOTER = {"shooter_leaves": "19:47-1.12", "dice_taken": "19:47-1.11"}


@pytest.mark.cites("1.9", "1.10", "1.7", "1.11", "1.12")
def test_these_are_the_irregularities_of_craps_and_each_cites_its_section() -> None:
    known = find_game("craps").resolutions(find_game("craps").options())
    cited = {kind: resolution.cite.section for kind, resolution in known.items()}
    assert cited == NO_ROLL | ROLL_STANDS | NEXT_SHOOTER


@pytest.mark.cites("1.9", "1.10", "1.7")
@pytest.mark.parametrize("kind", NO_ROLL)
def test_no_roll_leaves_all_wagers_and_the_dice_are_thrown_again(kind: str) -> None:
    """Given a point and wagers on the layout, when there is no roll, then everything stands."""
    table = table_after((6, {"pass": 500, "hard_4": 500, "place_win_8": 600}))
    table.bet("1", "field", 500)
    table.bet("1", "come", 500)
    play = Play(table)
    bets, money, state = dict(table.bets), dict(table.money), table.state
    play.answer({"irregularity": kind})
    assert isinstance(play.request, Draw)
    assert (dict(table.bets), dict(table.money), table.state) == (bets, money, state)


@pytest.mark.cites("1.9", "1.10", "1.7")
@pytest.mark.parametrize(("kind", "cited"), NO_ROLL.items())
def test_only_the_throw_after_no_roll_counts(kind: str, cited: str) -> None:
    report = {"before_draw": 1, "kind": kind}
    told = deal("craps", thrown(6, 6), {"pass": 500}, irregularities=[report])
    (event,) = told.events("irregularity")
    assert event["citation"].startswith(cited)
    assert len(told.events("throw")) == 2
    assert told.result("pass") == ("win", 500)


@pytest.mark.cites("1.9")
def test_no_roll_with_a_point_on_leaves_the_point() -> None:
    """Given point 6, when a die leaves the table on the second throw, then the third decides."""
    report = {"before_draw": 2, "kind": "die_leaves_table"}
    told = deal("craps", thrown(6, 6), {"pass": 500}, irregularities=[report])
    kinds = [event["kind"] for event in told.rounds[0]["events"]]
    assert [kind for kind in kinds if kind in ("throw", "irregularity", "pay")] == [
        "throw",
        "irregularity",
        "throw",
        "pay",
    ]


@pytest.mark.cites("1.9")
def test_there_may_be_no_roll_several_times_over() -> None:
    kinds = ["die_leaves_table", "die_leaves_table", "die_on_die"]
    reports = [{"before_draw": 1, "kind": kind} for kind in kinds]
    told = deal("craps", thrown(7), {"pass": 500}, irregularities=reports)
    assert [event["irregularity"] for event in told.events("irregularity")] == kinds
    assert told.net() == 500


@pytest.mark.cites("1.9", "1.10")
@pytest.mark.parametrize("kind", NO_ROLL)
def test_a_roll_that_has_been_called_is_not_called_back(kind: str) -> None:
    report = {"before_draw": 2, "kind": kind}
    refusal = refused("craps", thrown(7), {"pass": 500}, irregularities=[report])
    assert refusal.fault is Fault.BAD_SCRIPT
    assert refusal.message == f"{kind} can only be reported before the outcome is known"
    assert section(refusal) == NO_ROLL[kind]


@pytest.mark.cites("1.9", "1.10")
@pytest.mark.parametrize(("kind", "cited"), ROLL_STANDS.items())
@pytest.mark.parametrize("before_draw", [1, 2])
def test_a_roll_that_touches_chips_and_a_die_that_leans_stand_as_called(
    kind: str, cited: str, before_draw: int
) -> None:
    report = {"before_draw": before_draw, "kind": kind}
    told = deal("craps", thrown(11), {"pass": 500}, irregularities=[report])
    (event,) = told.events("irregularity")
    assert event["citation"].startswith(cited)
    assert len(told.events("throw")) == 1
    assert told.result("pass") == ("win", 500)


@pytest.mark.cites("1.10")
def test_the_face_opposite_the_one_that_rests_counts_for_a_leaning_die() -> None:
    report = {"before_draw": 1, "kind": "leaning_die"}
    told = deal("craps", [[3, 4]], {"pass": 500}, irregularities=[report])
    (event,) = told.events("irregularity")
    assert event["resolution"] == "The face opposite the one that rests counts as its top"


@pytest.mark.cites("1.7")
def test_a_die_that_is_lost_or_damaged_calls_for_a_new_set_of_dice() -> None:
    report = {"before_draw": 1, "kind": "die_lost_or_damaged"}
    told = deal("craps", thrown(7), {"pass": 500}, irregularities=[report])
    (event,) = told.events("irregularity")
    assert event["resolution"] == "The shooter picks from a new set of dice"


def gone(kind: str, before_draw: int = 1) -> list[dict[str, Any]]:
    return [{"before_draw": before_draw, "kind": kind}]


@pytest.mark.cites("1.11", "1.12")
@pytest.mark.parametrize("kind", NEXT_SHOOTER)
@pytest.mark.parametrize("before_draw", [1, 2])
def test_the_next_player_clockwise_throws_when_the_shooter_leaves_or_loses_the_dice(
    kind: str, before_draw: int
) -> None:
    """Given seat 1 had the dice, then seat 2 is the one to keep them or pass them after a roll."""
    told = deal(
        "craps",
        thrown(4),
        seats=three(seat_2=["pass_dice"]),
        irregularities=gone(kind, before_draw),
    )
    (decision,) = told.events("decision")
    assert (decision["seat"], decision["move"]) == ("2", "pass_dice")


@pytest.mark.cites("1.11", "1.12")
@pytest.mark.parametrize("kind", NEXT_SHOOTER)
def test_the_next_shooter_on_a_come_out_roll_has_a_line_wager(kind: str) -> None:
    wagers = {"1": {"pass": 500}, "2": {"field": 500}, "3": {"pass": 500}}
    told = deal(
        "craps",
        thrown(4),
        seats=players(wagers, seat_3=["pass_dice"]),
        irregularities=gone(kind),
    )
    (decision,) = told.events("decision")
    assert decision["seat"] == "3"


@pytest.mark.cites("1.11", "1.12")
@pytest.mark.parametrize("kind", NEXT_SHOOTER)
def test_the_wagers_and_the_point_stand_when_the_dice_change_hands(kind: str) -> None:
    told = deal("craps", thrown(4, 4), seats=three(), irregularities=gone(kind, 2))
    assert [told.result("pass", seat) for seat in "123"] == [("win", 500)] * 3


@pytest.mark.cites("1.11")
def test_the_dice_go_round_from_the_player_who_took_them_over() -> None:
    """Given seat 2 took over and sevens out, then seat 3 is offered the dice."""
    told = run(
        {
            "game": "craps",
            "rounds": [
                {"draws": thrown(4, 7), "seats": three(), "irregularities": gone("dice_taken", 2)},
                {"draws": thrown(7), "seats": three()},
            ],
        }
    )
    assert shooters(told) == ["1", "3"]


@pytest.mark.cites("1.12")
@pytest.mark.parametrize("kind", NEXT_SHOOTER)
def test_fire_bets_run_on_with_the_points_made_when_the_shooter_leaves(kind: str) -> None:
    told = deal(
        "craps",
        thrown(4, 4, 5, 5, 6, 6, 8, 8, 9, 7),
        seats=players({"1": {"pass": 500, "fire_bet": 100}, "2": {"pass": 500}}),
        options=FIRE,
        irregularities=gone(kind, 6),
    )
    assert told.result("fire_bet") == ("win", 2400)


@pytest.mark.cites("1.9")
def test_an_irregularity_that_craps_does_not_know_is_refused() -> None:
    refusal = refused("craps", thrown(7), {"pass": 500}, irregularities=gone("foreign_object"))
    assert refusal.fault is Fault.UNKNOWN_IRREGULARITY
    assert "'foreign_object' is not an irregularity of this game" in refusal.message


def test_an_irregularity_that_never_comes_about_is_refused() -> None:
    refusal = refused("craps", thrown(7), {"pass": 500}, irregularities=gone("die_on_die", 5))
    assert refusal.fault is Fault.BAD_SCRIPT
    assert "before draw 5 never came about" in refusal.message


# Mini-craps.


@pytest.mark.cites("1.2(a)")
def test_mini_craps_has_the_wagers_options_and_irregularities_of_craps() -> None:
    craps, mini = find_game("craps"), find_game("mini-craps")
    assert mini.wagers is craps.wagers
    assert mini.options().as_json() == craps.options().as_json()
    assert mini.irregularities is craps.irregularities


@pytest.mark.cites("1.2(a)")
@pytest.mark.parametrize(
    ("draws", "wagers"),
    [
        (thrown(6, 8, 6), {"pass": 1000, "dont_pass": 1000, "place_win_8": 600, "hard_6": 500}),
        (thrown(12), {"dont_pass": 1000, "horn": 800, "horn_high_12": 500, "field": 500}),
        (thrown(4, 7), {"pass": 1000, "lay_4": 1000, "place_lose_9": 800, "any_seven": 500}),
        (thrown(4, 4, 5, 5, 6, 6, 8, 8, 9, 7), {"pass": 500, "fire_bet": 100}),
    ],
)
def test_mini_craps_is_played_by_the_rules_of_craps(
    draws: list[list[int]], wagers: dict[str, int]
) -> None:
    mini = deal("mini-craps", draws, wagers, options=FIRE).document
    full = deal("craps", draws, wagers, options=FIRE).document
    assert mini["rounds"] == full["rounds"]
    assert mini["net"] == full["net"]


def test_a_mini_craps_table_seats_nine_at_most() -> None:
    """Given 13:69E-1.11(a), then seat 10 is refused at mini-craps and accepted at craps."""
    ninth = deal("mini-craps", thrown(7), seats=players({"9": {"pass": 500}}))
    assert ninth.net("9") == 500
    refusal = refused("mini-craps", thrown(7), seats=players({"10": {"pass": 500}}))
    assert refusal.fault is Fault.UNKNOWN_SEAT
    assert refusal.message == "there is no seat '10' here; the seats are 1 to 9"
    assert deal("craps", thrown(7), seats=players({"10": {"pass": 500}})).net("10") == 500


# What cannot be.


@pytest.mark.cites("1.2(a)")
def test_an_unknown_wager_is_refused() -> None:
    refusal = turned_away(table_after(), "pas", 500)
    assert refusal.fault is Fault.UNKNOWN_WAGER
    assert refusal.message == "craps has no wager 'pas'"
    assert section(refusal) == "19:47-1.1"


@pytest.mark.parametrize(
    "stake", [-500, 500.0, 500.5, "500", "five", None, True, False, [500], {"cents": 500}]
)
def test_a_stake_that_is_no_whole_number_of_cents_is_refused(stake: Any) -> None:
    refusal = turned_away(table_after(), "pass", stake)
    assert refusal.fault is Fault.BAD_AMOUNT
    assert refusal.message.startswith(f"{stake!r} is not a stake")
    assert section(refusal) == "19:47-8.2"


def test_a_stake_of_nothing_takes_down_nothing() -> None:
    refusal = turned_away(table_after(), "pass", 0)
    assert refusal.fault is Fault.NOT_NOW
    assert refusal.message == "there is no pass wager to take down"
    assert section(refusal) == "19:47-8.2"


@pytest.mark.parametrize(
    ("stake", "fault", "words"),
    [
        (499, Fault.BELOW_MINIMUM, "below the least it may be, $5"),
        (500_001, Fault.ABOVE_MAXIMUM, "above the most it may be, $5,000"),
        (10**12, Fault.ABOVE_MAXIMUM, "above the most it may be, $5,000"),
    ],
)
def test_a_stake_outside_the_posted_limits_is_refused(stake: int, fault: Fault, words: str) -> None:
    refusal = turned_away(table_after(), "pass", stake)
    assert refusal.fault is fault
    assert words in refusal.message
    assert section(refusal) == "19:47-8.2"


def test_the_posted_limits_themselves_are_accepted() -> None:
    table = table_after(options={"table_min": 1500, "table_max": 20_000})
    for amount in (1500, 20_000):
        table.bet("1", "pass", amount)
    assert on_the_layout(table) == {"pass": 20_000}


@pytest.mark.parametrize("seat", ["0", "17", "-1", "", "one", "01"])
def test_a_seat_that_the_table_does_not_have_is_refused(seat: str) -> None:
    refusal = turned_away(table_after(), "pass", 500, seat=seat)
    assert refusal.fault is Fault.UNKNOWN_SEAT
    assert refusal.message == f"there is no seat {seat!r} here; the seats are 1 to 16"


IMPOSSIBLE = [[7, 1], [0, 3], [-1, 3], [1], [], [1, 2, 3], "7", 7, [1.0, 2], [True, 2],
              ["1", "2"], [None, 2], None, {}, {"throw": [1, 2]}]  # fmt: skip


@pytest.mark.cites("1.8")
@pytest.mark.parametrize("throw", IMPOSSIBLE)
def test_an_impossible_throw_is_refused_and_the_dice_are_still_to_be_thrown(throw: Any) -> None:
    table = table_after((6, {"pass": 500}))
    play = Play(table)
    refusal = not_answered(play, throw)
    assert refusal.fault is Fault.IMPOSSIBLE_OUTCOME
    assert refusal.message == (
        f"{throw!r} is not a throw of 2 dice: write 2 faces from 1 to 6, such as [3, 4]"
    )
    play.answer([3, 3])
    play.answer(None)
    assert table.settlements[0].net == 500


@pytest.mark.parametrize("throw", IMPOSSIBLE)
def test_a_script_with_an_impossible_throw_is_refused(throw: Any) -> None:
    assert refused("craps", [throw], {"pass": 500}).fault is Fault.IMPOSSIBLE_OUTCOME


@pytest.mark.parametrize("moves", [["on"], ["hit"], ["keep", "keep"], [7]])
def test_a_move_that_nobody_asked_for_is_refused(moves: list[Any]) -> None:
    refusal = refused("craps", thrown(7), {"pass": 500}, moves=moves)
    assert refusal.fault is Fault.BAD_SCRIPT
    assert refusal.message == f"seat 1 was never asked for its move {moves[-1]!r}"


@pytest.mark.cites("1.7")
@pytest.mark.parametrize("move", ["keep", "", 1, None, {"accept": 500}, ["accept"]])
def test_an_answer_that_is_not_to_the_question_is_refused(move: Any) -> None:
    """Given the dice are offered, then the player accepts them or declines them."""
    table = table_after()
    table.bet("1", "pass", 500)
    play = Play(table)
    before = everything(table)
    with pytest.raises(Refusal) as caught:
        play.answer(move)
    assert caught.value.fault is Fault.ILLEGAL_MOVE
    assert "seat 1 may accept" in caught.value.message
    assert section(caught.value) == "19:47-1.7"
    assert everything(table) == before
    play.answer("accept")
    assert isinstance(play.request, Draw)


def test_a_round_that_is_over_takes_no_more_answers() -> None:
    play = play_round(table_after(), throwing([3, 4]))
    with pytest.raises(Refusal) as caught:
        play.answer([3, 4])
    assert caught.value.fault is Fault.NOT_NOW
    assert caught.value.message == "the round is over"


@pytest.mark.parametrize("reports", [[], gone("die_leaves_table")])
def test_a_script_with_too_few_throws_is_refused(reports: list[dict[str, Any]]) -> None:
    refusal = refused("craps", [], {"pass": 500}, irregularities=reports)
    assert refusal.fault is Fault.BAD_SCRIPT
    assert refusal.message == "the script gives 0 draws and needs at least 1 more"


@pytest.mark.cites("1.2(a)1", "1.2(a)3", "1.6")
@pytest.mark.parametrize(
    ("each", "fault"),
    [
        ([(EASY[6], {"come": 500})], Fault.NOT_NOW),
        ([(EASY[6], {"pass": 500}), (EASY[6], {"pass": 1000})], Fault.NOT_NOW),
        ([(EASY[6], {}), (EASY[6], {"pass": 500})], Fault.NOT_NOW),
        ([(EASY[6], {}), (EASY[6], {"pass_odds": 500})], Fault.NO_SUPPORT),
        ([(EASY[6], {"pass": 500}), (EASY[6], {"pass_odds": 2505})], Fault.ABOVE_MAXIMUM),
    ],
)
def test_a_script_that_asks_for_what_the_rules_forbid_is_refused_whole(
    each: list[tuple[list[int], dict[str, int]]], fault: Fault
) -> None:
    with pytest.raises(Refusal) as caught:
        throw_by_throw("craps", *each)
    assert caught.value.fault is fault
    assert caught.value.cite is not None


@pytest.mark.cites("1.3", "1.6")
@pytest.mark.parametrize("odds", ["dont_come_odds", "dont_come_odds:9"])
def test_odds_come_down_before_the_wager_in_front_of_them_however_a_script_lists_them(
    odds: str,
) -> None:
    told = throw_by_throw(
        "craps",
        ([2, 2], {"pass": 500}),
        ([5, 4], {"dont_come": 1000}),
        ([1, 1], {"dont_come_odds": 1500}),
        ([1, 1], {"dont_come:9": 0, odds: 0}),
    )
    assert [s["wager"] for s in told.rounds[-1]["settlements"]] == ["pass"]
