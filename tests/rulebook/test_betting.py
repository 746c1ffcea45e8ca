"""Betting: what may be bet is exactly what is accepted, and a refusal changes nothing."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.equipment import Odds, Wheel
from croupier.games import find_game
from croupier.rulebook import (
    HOUSE,
    LAYOUT,
    OPEN,
    Case,
    Decision,
    Draw,
    Fault,
    Game,
    Opening,
    Play,
    Refusal,
    Round,
    Table,
    TableOptions,
    Wager,
    Window,
    covered,
    custom,
    law,
    money,
    reduce_only,
    shut,
    travel,
)
from tests.support import everything, turned_away

RULE = law("99.2")


@dataclass(frozen=True)
class Hour:
    """What the clock says about the line."""

    line: str = "early"


def line_window(state: Hour, spot: str, options: TableOptions) -> Window:
    if state.line == "late":
        return reduce_only("it is late, so a line wager may only be reduced", law("99.3"))
    if state.line == "closed":
        return shut("the line is closed", law("99.4"))
    return OPEN


def roams(case: Case[str, Hour, TableOptions]) -> Decision:
    """A wager that moves to every stop that comes, until the edge."""
    return travel(case.outcome) if case.outcome != "edge" else covered(case)


class TwoFacesOptions(TableOptions):
    table_min = money(100, cite=custom("8.2"))
    table_max = money(2000, cite=custom("8.2"))


class TwoFaces(Game):
    """A coin that may land on its edge."""

    id = "two-faces"
    title = "Two faces"
    cite = law("99.1")
    positions = 3
    Options = TwoFacesOptions
    State = Hour
    irregularities = {}
    wagers = (
        Wager(id="face", title="Face", cite=RULE, paid_by=law("99.5"), pays=Odds(1),
              covers=lambda options: {"heads": {"heads"}, "tails": {"tails"}}),
        Wager(id="pair", title="Pair", cite=RULE, paid_by=law("99.5"), pays=Odds(1),
              covers=lambda options: {"heads-edge": {"heads", "edge"}}),
        Wager(id="edge", title="Edge", cite=RULE, paid_by=law("99.5"), pays=Odds(70, 3),
              covers={"edge"}, limits=lambda options, covers: (10, 100)),
        Wager(id="line", title="Line", cite=RULE, paid_by=law("99.5"), pays=Odds(1),
              covers={"heads"}, window=line_window),
        Wager(id="backing", title="Backing", cite=law("99.6"), paid_by=law("99.5"),
              pays=Odds(6, 5), covers={"heads"}, supports="line",
              ceiling=lambda options, state, spot, flat: 3 * flat),
        Wager(id="roaming", title="Roaming", cite=RULE, paid_by=law("99.5"), pays=Odds(2),
              decide=roams, covers={"edge"}),
        Wager(id="runner", title="Runner", cite=RULE, paid_by=law("99.5"), pays=Odds(2),
              decide=roams, covers={"edge"}, keeps_score=True),
        Wager(id="rare", title="Rare", cite=RULE, paid_by=law("99.5"), pays=Odds(1),
              offered=lambda options: False, offered_by=law("99.7")),
        Wager(id="unpayable", title="Unpayable", cite=RULE, paid_by=law("99.5"),
              pays=Odds(1, 7), limits=lambda options, covers: (1, 6)),
    )  # fmt: skip

    def device(self, options: TwoFacesOptions) -> Wheel:
        return Wheel("coin", ["heads", "tails", "edge"])

    def round(self, table: Table) -> Round:
        table.no_more_bets(law("99.8"))
        face = yield from table.draw(self.device(table.options))
        table.settle(face, law("99.9"))


def two_faces(**options: Any) -> Table:
    return Table(TwoFaces(), options)


def refusal_of(table: Table, seat: str, label: str, amount: Any) -> Refusal:
    """Try a bet that must be refused, and see that it changes nothing."""
    return turned_away(table, label, amount, seat)


def stakes(table: Table, seat: str = "1") -> dict[str, int]:
    return {bet.label: bet.stake for bet in table.bets_of(seat)}


def kinds(table: Table) -> list[str]:
    return [event.kind for event in table.events]


# What a bet does.


def test_a_bet_sets_a_wager_to_an_amount() -> None:
    table = two_faces()
    table.bet("1", "face:heads", 500)
    assert stakes(table) == {"face:heads": 500}
    assert table.money == {"1": -500, LAYOUT: 500}


def test_a_greater_amount_adds_chips() -> None:
    table = two_faces()
    table.bet("1", "face:heads", 500)
    table.bet("1", "face:heads", 800)
    assert stakes(table) == {"face:heads": 800}
    assert table.money[LAYOUT] == 800
    assert kinds(table) == ["wager", "wager"]


def test_a_smaller_amount_takes_chips_back() -> None:
    table = two_faces()
    table.bet("1", "face:heads", 500)
    table.bet("1", "face:heads", 200)
    assert stakes(table) == {"face:heads": 200}
    assert table.money == {"1": -200, LAYOUT: 200}
    assert kinds(table) == ["wager", "reduce"]


def test_nothing_takes_a_wager_down() -> None:
    table = two_faces()
    table.bet("1", "face:heads", 500)
    table.bet("1", "face:heads", 0)
    assert not table.bets
    assert not any(table.money.values())
    assert kinds(table) == ["wager", "take_down"]


def test_the_same_amount_again_changes_nothing_whenever_it_is_said() -> None:
    table = two_faces()
    table.bet("1", "line", 500)
    for hour in ("early", "late", "closed"):
        table.state = Hour(hour)
        before = everything(table)
        table.bet("1", "line", 500)
        assert everything(table) == before


def test_a_bet_is_recorded_with_its_paragraph() -> None:
    table = two_faces()
    table.bet("2", "face:heads", 500)
    assert [event.as_json() for event in table.events] == [
        {
            "kind": "wager",
            "seat": "2",
            "wager": "face:heads",
            "stake": 500,
            "citation": "19:47-99.2",
        }
    ]


def test_each_seat_and_each_spot_has_its_own_wager() -> None:
    table = two_faces()
    table.bet("1", "face:heads", 500)
    table.bet("1", "face:tails", 300)
    table.bet("2", "face:heads", 400)
    assert stakes(table, "1") == {"face:heads": 500, "face:tails": 300}
    assert stakes(table, "2") == {"face:heads": 400}
    assert table.money == {"1": -800, "2": -400, LAYOUT: 1200}


def test_the_order_and_the_case_of_a_spot_do_not_matter() -> None:
    table = two_faces()
    table.bet("1", "pair:Edge-heads", 500)
    assert stakes(table) == {"pair:heads-edge": 500}


# Why a bet is refused.


@pytest.mark.parametrize("seat", ["0", "4", "-1", "01", "", "x", " 1"])
def test_a_seat_outside_the_table_is_refused(seat: str) -> None:
    refused = refusal_of(two_faces(), seat, "face:heads", 500)
    assert refused.fault is Fault.UNKNOWN_SEAT
    assert refused.message == f"there is no seat {seat!r} here; the seats are 1 to 3"


@pytest.mark.parametrize(
    ("label", "fault", "message"),
    [
        ("nose", Fault.UNKNOWN_WAGER, "two faces has no wager 'nose'"),
        ("", Fault.UNKNOWN_WAGER, "two faces has no wager ''"),
        ("rare", Fault.NOT_OFFERED, "Rare (rare) is not offered at this table"),
        (
            "face",
            Fault.UNKNOWN_SPOT,
            "face needs a spot, such as face:heads; its spots are heads, tails",
        ),
        (
            "face:nose",
            Fault.UNKNOWN_SPOT,
            "face has no spot 'nose' at this table; its spots are heads, tails",
        ),
        (
            "edge:1",
            Fault.UNKNOWN_SPOT,
            "edge takes no choice of spot, so edge:1 is not a wager",
        ),
        ("backing", Fault.NO_SUPPORT, "backing needs a line wager"),
        ("unpayable", Fault.NOT_PAYABLE, "on unpayable can be paid exactly"),
    ],
)
def test_a_wager_that_cannot_be_made_is_refused(label: str, fault: Fault, message: str) -> None:
    refused = refusal_of(two_faces(), "1", label, 500)
    assert refused.fault is fault
    assert message in refused.message


def test_many_spots_are_not_all_listed() -> None:
    refused = refusal_of(Table(find_game("roulette")), "1", "straight:40", 500)
    assert refused.message.endswith("its spots are 0, 00, 1, 2, 3, 4, …")


def test_a_wager_that_is_not_offered_is_refused_by_the_paragraph_that_says_so() -> None:
    assert str(refusal_of(two_faces(), "1", "rare", 500).cite) == "19:47-99.7"


@pytest.mark.parametrize("amount", [-1, -500, 500.0, "500", None, True, [500], {"cents": 500}])
def test_an_amount_that_is_no_stake_is_refused(amount: Any) -> None:
    refused = refusal_of(two_faces(), "1", "face:heads", amount)
    assert refused.fault is Fault.BAD_AMOUNT
    assert refused.message == f"{amount!r} is not a stake: stakes are whole cents above zero"


@pytest.mark.parametrize(
    ("label", "amount", "fault", "message"),
    [
        ("face:heads", 99, Fault.BELOW_MINIMUM, "$0.99 on face:heads is below the least"),
        ("face:heads", 2001, Fault.ABOVE_MAXIMUM, "$20.01 on face:heads is above the most"),
        ("edge", 9, Fault.BELOW_MINIMUM, "below the least it may be, $0.12"),
        ("edge", 102, Fault.ABOVE_MAXIMUM, "above the most it may be, $0.99"),
        ("edge", 50, Fault.NOT_PAYABLE, "it must be a multiple of 3 cents"),
    ],
)
def test_an_amount_outside_the_limits_is_refused(
    label: str, amount: int, fault: Fault, message: str
) -> None:
    refused = refusal_of(two_faces(), "1", label, amount)
    assert refused.fault is fault
    assert message in refused.message


def test_an_amount_too_long_to_print_is_refused_without_printing_it() -> None:
    refused = refusal_of(two_faces(), "1", "face:heads", 10**5000)
    assert refused.fault is Fault.ABOVE_MAXIMUM
    assert refusal_of(two_faces(), "1", "face:heads", -(10**5000)).fault is Fault.BAD_AMOUNT


def test_the_limits_themselves_are_accepted() -> None:
    table = two_faces()
    for amount in (100, 2000):
        table.bet("1", "face:heads", amount)
        assert stakes(table) == {"face:heads": amount}


def test_a_wager_that_does_not_lie_cannot_be_taken_down() -> None:
    refused = refusal_of(two_faces(), "1", "face:heads", 0)
    assert refused.fault is Fault.NOT_NOW
    assert refused.message == "there is no face:heads wager to take down"


def test_wagers_are_multiples_of_the_increment() -> None:
    table = two_faces(increment=25)
    table.bet("1", "face:heads", 125)
    refused = refusal_of(table, "1", "face:heads", 130)
    assert refused.fault is Fault.NOT_PAYABLE
    assert "is not a multiple of $0.25" in refused.message


def test_payments_are_multiples_of_the_increment_too() -> None:
    table = two_faces(increment=5)
    (edge,) = (opening for opening in table.openings("1") if opening.wager.id == "edge")
    assert (edge.low, edge.high, edge.step) == (15, 90, 15)


# When a bet may be made.


def test_no_bet_is_accepted_after_no_more_bets() -> None:
    table = two_faces()
    table.bet("1", "face:heads", 500)
    table.no_more_bets(law("99.8"))
    for amount in (0, 300, 500, 900):
        refused = refusal_of(table, "1", "face:heads", amount)
        assert refused.fault is Fault.NO_MORE_BETS
        assert str(refused.cite) == "19:47-99.8"


def test_no_more_bets_is_announced_by_its_paragraph() -> None:
    table = two_faces()
    table.no_more_bets(law("99.8"))
    assert [event.as_json() for event in table.events] == [
        {"kind": "announce", "text": "No more bets", "citation": "19:47-99.8"}
    ]


def test_betting_is_open_again_in_the_next_round() -> None:
    table = two_faces()
    table.no_more_bets(law("99.8"))
    table.open_betting()
    table.bet("1", "face:heads", 500)
    assert stakes(table) == {"face:heads": 500}


def test_nothing_is_open_after_no_more_bets() -> None:
    table = two_faces()
    table.no_more_bets(law("99.8"))
    assert list(table.openings("1")) == []


def test_nothing_is_open_for_a_seat_outside_the_table() -> None:
    assert list(two_faces().openings("4")) == []


def test_a_wager_that_may_only_be_reduced_is_not_made_and_not_increased() -> None:
    table = two_faces()
    table.bet("1", "line", 500)
    table.state = Hour("late")
    refused = refusal_of(table, "1", "line", 600)
    assert refused.fault is Fault.ABOVE_MAXIMUM
    assert "it is late, so a line wager may only be reduced" in refused.message
    assert str(refused.cite) == "19:47-99.3"
    assert refusal_of(table, "2", "line", 500).fault is Fault.NOT_NOW
    table.bet("1", "line", 400)
    table.bet("1", "line", 0)
    assert refusal_of(table, "1", "line", 400).fault is Fault.NOT_NOW


def test_a_wager_whose_window_is_shut_is_not_touched() -> None:
    table = two_faces()
    table.bet("1", "line", 500)
    table.state = Hour("closed")
    for amount in (0, 400, 600):
        refused = refusal_of(table, "1", "line", amount)
        assert refused.fault is Fault.NOT_NOW
        assert str(refused) == "the line is closed [19:47-99.4]"


# Wagers behind wagers.


def test_a_wager_in_support_is_limited_by_the_wager_it_supports() -> None:
    table = two_faces()
    table.bet("1", "line", 100)
    refused = refusal_of(table, "1", "backing", 305)
    assert refused.fault is Fault.ABOVE_MAXIMUM
    assert refused.message.endswith("$3: that is the limit behind $1")
    table.bet("1", "backing", 300)
    assert stakes(table) == {"line": 100, "backing": 300}


def test_a_wager_in_support_may_be_below_the_table_minimum() -> None:
    table = two_faces()
    table.bet("1", "line", 100)
    table.bet("1", "backing", 5)
    assert stakes(table)["backing"] == 5


def test_a_wager_in_support_needs_a_wager_of_the_same_seat() -> None:
    table = two_faces()
    table.bet("2", "line", 100)
    assert refusal_of(table, "1", "backing", 100).fault is Fault.NO_SUPPORT


def test_a_supported_wager_is_reduced_as_far_as_what_lies_behind_it_allows() -> None:
    table = two_faces()
    table.bet("1", "line", 500)
    table.bet("1", "backing", 100)
    table.bet("1", "backing", 900)
    assert refusal_of(table, "1", "line", 299).fault is Fault.BELOW_MINIMUM
    refused = refusal_of(table, "1", "line", 0)
    assert refused.message == "line may not be taken down: backing of $9 lies behind it"
    table.bet("1", "line", 300)
    table.bet("1", "line", 600)
    table.bet("1", "backing", 0)
    table.bet("1", "line", 0)
    assert not table.bets


def test_support_that_does_not_lie_cannot_be_taken_down() -> None:
    table = two_faces()
    table.bet("1", "line", 500)
    refused = refusal_of(table, "1", "backing", 0)
    assert refused.message == "there is no backing wager to take down"


def test_craps_odds_are_made_behind_a_pass_wager_once_there_is_a_point() -> None:
    table = Table(find_game("craps"))
    table.bet("1", "pass", 1000)
    assert refusal_of(table, "1", "pass_odds", 1000).fault is Fault.NOT_NOW
    throw(table, [3, 1])
    assert refusal_of(table, "2", "pass_odds", 1000).fault is Fault.NO_SUPPORT
    assert refusal_of(table, "1", "pass_odds", 3001).fault is Fault.ABOVE_MAXIMUM
    table.bet("1", "pass_odds", 3000)
    assert refusal_of(table, "1", "pass", 0).fault is Fault.NOT_NOW


def with_come_points(*points: list[int]) -> Table:
    """A craps table with a point of four, and come wagers on these points."""
    table = Table(find_game("craps"))
    table.bet("1", "pass", 1000)
    throw(table, [3, 1])
    for point in points:
        table.bet("1", "come", 1000)
        throw(table, point)
    return table


def test_come_odds_without_a_spot_are_those_behind_the_one_come_point() -> None:
    table = with_come_points([5, 1])
    table.bet("1", "come_odds", 2000)
    assert stakes(table)["come_odds:6"] == 2000


def test_come_odds_without_a_spot_need_a_come_point() -> None:
    table = with_come_points()
    table.bet("1", "come", 1000)
    assert refusal_of(table, "1", "come_odds", 2000).fault is Fault.NO_SUPPORT
    assert refusal_of(table, "2", "come_odds", 2000).fault is Fault.NO_SUPPORT


def test_come_odds_behind_several_come_points_must_say_which() -> None:
    table = with_come_points([5, 1], [5, 3])
    assert refusal_of(table, "1", "come_odds", 2000).fault is Fault.UNKNOWN_SPOT
    table.bet("1", "come_odds:8", 2000)
    assert stakes(table)["come_odds:8"] == 2000


def test_a_wager_that_has_traveled_keeps_its_stake_at_its_new_spot() -> None:
    table = two_faces()
    table.bet("1", "roaming", 500)
    spin(table, "heads")
    assert stakes(table) == {"roaming:heads": 500}
    assert kinds(table)[-1] == "travel"
    table.open_betting()
    table.bet("1", "roaming:heads", 300)
    table.bet("1", "roaming", 200)
    assert stakes(table) == {"roaming:heads": 300, "roaming": 200}
    spin(table, "heads")
    assert stakes(table) == {"roaming:heads": 500}


def test_a_wager_that_has_traveled_can_be_taken_down() -> None:
    table = two_faces()
    table.bet("1", "roaming", 500)
    spin(table, "tails")
    table.open_betting()
    table.bet("1", "roaming:tails", 0)
    assert not table.bets
    assert not any(table.money.values())


def test_a_wager_that_has_traveled_is_among_the_openings() -> None:
    table = two_faces()
    table.bet("1", "roaming", 500)
    spin(table, "tails")
    table.open_betting()
    openings = {o.wager.label(o.spot): o.removable for o in table.openings("1")}
    assert openings["roaming:tails"]
    assert not openings["roaming"]
    assert "roaming:tails" not in [o.wager.label(o.spot) for o in table.openings("2")]


def test_a_wager_that_keeps_score_is_called_by_its_id_wherever_it_has_come() -> None:
    table = two_faces()
    table.bet("1", "runner", 500)
    table.bet("1", "runner", 600)
    spin(table, "heads")
    table.open_betting()
    assert [opening.spot for opening in table.openings("1") if opening.wager.id == "runner"] == [
        "heads"
    ]
    table.bet("1", "runner", 700)
    assert table.bets["1", "runner", "heads"].stake == 700
    table.bet("2", "runner", 500)
    spin(table, "edge")
    table.open_betting()
    table.bet("1", "runner", 500)


def test_a_spot_to_which_a_wager_travels_cannot_be_bet_on_from_the_start() -> None:
    assert refusal_of(two_faces(), "1", "roaming:heads", 500).fault is Fault.UNKNOWN_SPOT


@pytest.mark.parametrize("label", ["straight:17-17", "split:17-20-17", "split:17--20"])
def test_a_spot_is_named_by_its_numbers_each_of_them_once(label: str) -> None:
    refused = refusal_of(Table(find_game("roulette")), "1", label, 500)
    assert refused.fault is Fault.UNKNOWN_SPOT


# What is offered is what is accepted.


def spin(table: Table, face: str) -> None:
    Play(table).answer(face)


def throw(table: Table, dice: list[int]) -> None:
    """One throw with nothing irregular, and open the betting again."""
    play = Play(table)
    while play.request is not None:
        play.answer(
            dice if isinstance(play.request, Draw) else getattr(play.request, "default", None)
        )
    table.open_betting()


@st.composite
def tables(draw: st.DrawFn) -> Table:
    """A table in the middle of things: wagers lie, and the game is in some state."""
    which = draw(st.sampled_from(["two-faces", "roulette", "craps"]))
    if which == "two-faces":
        table = two_faces(increment=draw(st.sampled_from([1, 5, 7])))
    elif which == "roulette":
        table = Table(
            find_game(which), {"wheel": draw(st.sampled_from(["single_zero", "double_zero"]))}
        )
    else:
        table = Table(find_game(which), {"fire_bet_offered": True})
    for _ in range(draw(st.integers(0, 4))):
        for opening in draw(st.lists(st.sampled_from(list(table.openings("1"))), max_size=4)):
            bet(draw, table, opening)
        if which == "two-faces":
            table.state = Hour(draw(st.sampled_from(["early", "late", "closed"])))
        elif which == "craps":
            throw(table, draw(st.lists(st.integers(1, 6), min_size=2, max_size=2)))
    return table


def bet(draw: st.DrawFn, table: Table, opening: Opening) -> None:
    label = opening.wager.label(opening.spot)
    steps = draw(st.integers(0, (opening.high - opening.low) // opening.step))
    amount = opening.low + steps * opening.step
    if table.refusal("1", label, amount) is None:
        table.bet("1", label, amount)


def all_labels(table: Table) -> Iterator[str]:
    for wager in table.game.wagers:
        spots = dict.fromkeys(wager.spots(table.options))
        lying = dict.fromkeys(b.spot for b in table.bets.values() if b.wager.id == wager.id)
        yield from (wager.label(spot) for spot in spots | lying)


@given(tables(), st.data())
def test_every_amount_of_an_opening_is_accepted(table: Table, data: st.DataObject) -> None:
    opening = data.draw(st.sampled_from(list(table.openings("1"))))
    label = opening.wager.label(opening.spot)
    count = (opening.high - opening.low) // opening.step
    assert (opening.high - opening.low) % opening.step == 0
    steps = range(count + 1) if count < 50 else {0, 1, count - 1, count}
    amounts = [opening.low + opening.step * each for each in steps]
    amounts.append(opening.low + opening.step * data.draw(st.integers(0, count)))
    for amount in amounts:
        assert table.refusal("1", label, amount) is None
    table.bet("1", label, amounts[-1])
    assert stakes(table)[label] == amounts[-1]
    assert sum(table.money.values()) == 0
    assert table.money[LAYOUT] == sum(each.stake for each in table.bets.values())


@given(tables(), st.data())
def test_amounts_outside_an_opening_or_off_its_step_are_refused(
    table: Table, data: st.DataObject
) -> None:
    opening = data.draw(st.sampled_from(list(table.openings("1"))))
    label = opening.wager.label(opening.spot)
    low, high, step = opening.low, opening.high, opening.step
    wrong = {low - step, low - 1, high + 1, high + step, high * 2} - {0, stakes(table).get(label)}
    if step > 1:
        wrong.add(
            data.draw(st.integers(low, high).filter(lambda amount: amount % step))
            if low < high
            else low + 1
        )
    for amount in wrong:
        refusal_of(table, "1", label, amount)


@given(tables())
def test_a_wager_can_be_taken_down_exactly_when_its_opening_says_so(table: Table) -> None:
    for opening in table.openings("1"):
        label = opening.wager.label(opening.spot)
        assert (table.refusal("1", label, 0) is None) == opening.removable


@given(tables(), st.data())
def test_whatever_is_accepted_has_an_opening(table: Table, data: st.DataObject) -> None:
    label = data.draw(st.sampled_from(list(all_labels(table))))
    amount = data.draw(st.integers(0, 3000) | st.integers(0, 60).map(lambda n: n * 100))
    fits = [
        opening
        for opening in table.openings("1")
        if opening.wager.label(opening.spot) == label
        and (
            (opening.low <= amount <= opening.high and amount % opening.step == 0)
            or (amount == 0 and opening.removable)
        )
    ]
    if fits or stakes(table).get(label) == amount:
        table.bet("1", label, amount)
        assert stakes(table).get(label, 0) == amount
    else:
        refusal_of(table, "1", label, amount)


@settings(max_examples=30)
@given(st.data())
def test_money_only_moves_between_the_seats_the_layout_and_the_house(data: st.DataObject) -> None:
    table = data.draw(tables())
    assert set(table.money) <= {LAYOUT, HOUSE, *table.positions}
    assert sum(table.money.values()) == 0
    assert table.money[LAYOUT] == sum(each.stake for each in table.bets.values())


@pytest.mark.parametrize("most", [1, 2, 3, 15])
def test_wagers_that_are_written_out_are_offered_by_samples_that_are_accepted(most: int) -> None:
    table = Table(find_game("keno"), {"max_spots": most})
    openings = list(table.openings("1"))
    assert "straight_1" in {opening.wager.id for opening in openings}
    for opening in openings:
        for amount in (opening.low, opening.high):
            assert table.refusal("1", opening.wager.label(opening.spot), amount) is None
