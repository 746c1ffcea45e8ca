"""Rounds: they ask, answers are checked before they are heard, and a replay is the original."""

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.equipment import Card, Drum, InexactPayment, Odds, Shoe, Wheel, deck
from croupier.games import find_game
from croupier.rulebook import (
    HOUSE,
    LAYOUT,
    LOSE,
    PUSH,
    STAND,
    Ask,
    Case,
    Decision,
    Draw,
    Fault,
    Game,
    Inspect,
    Move,
    NoState,
    Play,
    Refusal,
    Request,
    Result,
    Round,
    Rounding,
    Table,
    TableOptions,
    Wager,
    by_chance,
    covered,
    custom,
    draw_again,
    half_lost,
    law,
    lost,
    money,
    part_paid,
    play_round,
    travel,
    void_round,
    win,
)
from croupier.simulation.streams import SeededStream

RULE = law("99.2")


class SmallTable(TableOptions):
    table_min = money(1, cite=custom("8.2"))


# A card game: one card face down for the dealer, and one for each seat that only it may see.


@dataclass(frozen=True)
class PeekState:
    """What lies on the table."""

    games: int = 0
    hole: Card | None = field(default=None, metadata={"hidden": True})
    turned: tuple[Card, ...] = ()


PeekCase = Case[Card, PeekState, TableOptions]


def of_color(case: PeekCase) -> Decision:
    red = case.spot == "red"
    return win() if case.outcome.is_red is red else LOSE


class Peek(Game):
    """Bet on the color of the dealer's card after a look at a card of your own."""

    id = "peek"
    title = "Peek"
    cite = law("99.1")
    positions = 4
    State = PeekState
    irregularities = {
        "card_exposed": void_round("the hole card is exposed", "All bets are off", law("99.9"))
    }
    wagers = (
        Wager(
            id="color",
            title="Color",
            cite=RULE,
            paid_by=law("99.5"),
            pays=Odds(1),
            decide=of_color,
            covers=lambda options: {"red": (), "black": ()},
        ),
    )

    def device(self, options: TableOptions) -> Shoe[Card]:
        return Shoe(deck(), name="deck")

    def round(self, table: Table) -> Round:
        table.no_more_bets(law("99.3"))
        shoe, seats = self.device(table.options), table.clockwise()
        hole = yield from face_down(shoe)
        table.state = replace(table.state, hole=hole)
        for seat in seats:
            card = yield from face_down(shoe)
            table.record("peek", seen_by=seat, seat=seat, card=str(card))
        for seat in seats:
            raising = Move("raise", low=500, high=2000, step=500)
            yield from table.ask(seat, "stay or raise?", "stay", raising, cite=law("99.4"))
            tip = Move("tip", low=1, high=100)
            yield from table.ask(seat, "a tip?", "nothing", tip, cite=law("99.4"), offer=True)
        yield from table.inspect()
        table.announce(hole.title, law("99.6"))
        table.settle(hole, law("99.7"))
        table.state = PeekState(table.state.games + 1, None, (*table.state.turned, hole))


def face_down(shoe: Shoe[Card]) -> Generator[Request, Any, Card]:
    """A card that nobody has been shown yet."""
    card: Card = yield Draw(shoe, {}, {})
    shoe.take(card)
    return card


def peek(*seats: str) -> Table:
    table = Table(Peek())
    for seat in seats:
        table.bet(seat, "color:red", 1000)
    return table


# A wheel whose decisions are whatever a test wants.


Rule = Callable[[Case[Any, Any, Any]], Decision]


class Spinner(Game):
    """One spin of a wheel of four stops, decided by the function given."""

    id = "spinner"
    title = "Spinner"
    cite = law("99.1")
    positions = 2
    Options = SmallTable
    irregularities = {
        "no_spin": draw_again("nothing spins", "No spin", law("99.9")),
        "spilled": void_round("a drink is spilled", "All bets are off", law("99.9")),
    }

    wagers = (
        Wager(
            id="bet",
            title="Bet",
            cite=RULE,
            paid_by=law("99.5"),
            pays={"win": Odds(1), "double": Odds(2)},
            covers={"a"},
        ),
    )

    def __init__(self, decide: Rule = covered) -> None:
        (bet,) = type(self).wagers
        vars(self)["wagers"] = (replace(bet, decide=decide),)

    def device(self, options: SmallTable) -> Wheel:
        return Wheel("wheel", "a b c d".split())

    def round(self, table: Table) -> Round:
        table.no_more_bets(law("99.3"))
        stop = yield from table.draw(self.device(table.options))
        yield from table.inspect()
        table.settle(stop, law("99.7"))


def spun(decide: Rule, stake: int, stop: str = "a") -> Table:
    """A table after one spin with this decision."""
    table = Table(Spinner(decide))
    table.bet("1", "bet", stake)
    spin(table, stop)
    return table


def spin(table: Table, stop: str) -> None:
    play = Play(table)
    play.answer(stop)
    play.answer(None)


def always(decision: Decision) -> Rule:
    return lambda case: decision


def snapshot(table: Table) -> Any:
    return (
        dict(table.bets),
        dict(table.money),
        list(table.events),
        list(table.settlements),
        table.state,
        table.is_void,
    )


def adds_up(table: Table) -> bool:
    """No cent appears or vanishes, and what is on the layout is what the wagers say."""
    lying = sum(bet.stake for bet in table.bets.values())
    return sum(table.money.values()) == 0 and table.money[LAYOUT] == lying


# Asking and answering.


def test_a_round_asks_for_one_thing_after_another() -> None:
    play = Play(peek("1"))
    asked: list[type[Any]] = []
    for answer in ["Kh", "2c", "stay", "nothing", None]:
        asked.append(type(play.request))
        play.answer(answer)
    assert asked == [Draw, Draw, Ask, Ask, Inspect]
    assert play.request is None


def test_a_round_that_is_over_takes_no_answer() -> None:
    play = Play(peek("1"))
    for answer in ["Kh", "2c", "stay", "nothing", None]:
        play.answer(answer)
    with pytest.raises(Refusal, match="the round is over") as refused:
        play.answer(None)
    assert refused.value.fault is Fault.NOT_NOW
    assert len(play.answers) == 5


def bad_answers(play: Play, *answers: Any) -> Iterator[Refusal]:
    """Give each bad answer, and see that nothing happens."""
    for answer in answers:
        request, before, heard = play.request, snapshot(play.table), list(play.answers)
        with pytest.raises(Refusal) as refused:
            play.answer(answer)
        assert play.request is request
        assert snapshot(play.table) == before
        assert play.answers == heard
        yield refused.value


def test_an_impossible_card_is_refused_and_the_round_still_waits_for_one() -> None:
    play = Play(peek("1"))
    for refused in bad_answers(play, "Zz", None, 7, "stay", [], {"raise": 500}):
        assert refused.fault is Fault.IMPOSSIBLE_OUTCOME
    play.answer("Kh")
    (refused,) = bad_answers(play, "Kh")
    assert refused.message == "no king of hearts (Kh) is left in the deck"


def at_the_question() -> Play:
    play = Play(peek("1"))
    play.answer("Kh")
    play.answer("2c")
    return play


def test_a_move_that_is_not_offered_is_refused_with_those_that_are() -> None:
    play = at_the_question()
    bad = ["fold", "", None, 500, True, [], ["stay"], {}, {"fold": 500}, {"stay": 1, "raise": 500}]
    for answer, refused in zip(bad, bad_answers(play, *bad), strict=True):
        assert refused.fault is Fault.ILLEGAL_MOVE
        assert str(refused) == (
            f"seat 1 may stay, raise (500 to 2000 cents) here, not {answer!r} [19:47-99.4]"
        )


@pytest.mark.parametrize("amount", [500, 1000, 1500, 2000])
def test_a_raise_takes_every_amount_in_its_range(amount: int) -> None:
    play = at_the_question()
    play.answer({"raise": amount})
    decision = play.table.events[-1]
    assert (decision.kind, decision.data["move"], decision.data["amount"]) == (
        "decision",
        "raise",
        amount,
    )


@pytest.mark.parametrize(
    "amount", [0, 499, 501, 750, 2001, 2500, -500, 500.0, "500", True, None, [500], {"cents": 500}]
)
def test_a_raise_takes_no_other_amount(amount: Any) -> None:
    (refused,) = bad_answers(at_the_question(), {"raise": amount})
    assert refused.fault is Fault.ILLEGAL_MOVE
    assert refused.message == (
        f"seat 1 may raise (500 to 2000 cents), not {amount!r}: in steps of 500"
    )


@pytest.mark.parametrize(("amount", "accepted"), [(0, False), (1, True), (100, True), (101, False)])
def test_an_amount_goes_up_to_its_limit_and_no_further(amount: int, accepted: bool) -> None:
    play = at_the_question()
    play.answer("stay")
    if accepted:
        play.answer({"tip": amount})
    else:
        (refused,) = bad_answers(play, {"tip": amount})
        assert refused.fault is Fault.ILLEGAL_MOVE


def test_a_raise_must_name_its_amount() -> None:
    (refused,) = bad_answers(at_the_question(), "raise")
    assert refused.message == ("seat 1 may raise (500 to 2000 cents), not None: in steps of 500")


@pytest.mark.parametrize("amount", [0, 1, 500, True, "much"])
def test_a_move_without_an_amount_takes_none(amount: Any) -> None:
    (refused,) = bad_answers(at_the_question(), {"stay": amount})
    assert refused.message == f"seat 1 may stay, not {amount!r}"


def test_only_a_report_or_nothing_answers_an_inspection() -> None:
    table = Table(Spinner())
    play = Play(table)
    play.answer("a")
    bad = ["a", 0, False, "", [], {}, {"kind": "spilled"}]
    for answer, refused in zip(bad, bad_answers(play, *bad), strict=True):
        assert refused.fault is Fault.BAD_SCRIPT
        assert refused.message == f"{answer!r} is not a report of an irregularity"
    play.answer(None)
    assert play.request is None


def test_a_decision_is_recorded_and_a_declined_offer_is_not() -> None:
    play = at_the_question()
    for answer in ["stay", "nothing", None]:
        play.answer(answer)
    decisions = [event.as_json() for event in play.table.events if event.kind == "decision"]
    assert decisions == [
        {
            "kind": "decision",
            "seat": "1",
            "question": "stay or raise?",
            "move": "stay",
            "citation": "19:47-99.4",
        }
    ]


def test_an_offer_that_is_accepted_is_recorded() -> None:
    play = at_the_question()
    for answer in ["stay", {"tip": 5}, None]:
        play.answer(answer)
    assert [e.data["move"] for e in play.table.events if e.kind == "decision"] == ["stay", "tip"]


def test_play_round_answers_until_the_round_is_over() -> None:
    table = peek("1", "3")
    play = play_round(table, by_chance(SeededStream(47)))
    assert play.request is None
    assert not table.bets
    assert len(table.settlements) == 2


def test_a_strategy_may_decide_for_the_people() -> None:
    def bold(ask: Ask) -> Any:
        return {"raise": 2000} if ask.question == "stay or raise?" else ask.default

    play = play_round(peek("2"), by_chance(SeededStream(47), bold))
    assert {"raise": 2000} in play.answers


# Settling.


def test_a_win_is_paid_and_the_stake_comes_back() -> None:
    table = spun(covered, 500, "a")
    assert table.money == {"1": 500, LAYOUT: 0, HOUSE: -500}
    assert not table.bets
    (settled,) = table.settlements
    assert (settled.result, settled.net, settled.pays) == (Result.WIN, 500, "1 to 1")
    assert str(settled.cite) == "19:47-99.5"


def test_a_win_is_paid_at_the_line_that_it_names() -> None:
    (settled,) = spun(always(win("double")), 500).settlements
    assert (settled.net, settled.pays, settled.decision.line) == (1000, "2 to 1", "double")


def test_a_loss_is_collected() -> None:
    table = spun(covered, 500, "b")
    assert table.money == {"1": -500, LAYOUT: 0, HOUSE: 500}
    (settled,) = table.settlements
    assert (settled.result, settled.net, str(settled.cite)) == (Result.LOSE, -500, "19:47-99.2")


def test_a_push_is_returned() -> None:
    table = spun(always(PUSH), 500)
    assert not any(table.money.values())
    assert not table.bets
    assert table.events[-1].kind == "return"


def test_a_wager_that_stands_stays_on_the_layout() -> None:
    table = spun(always(STAND), 500)
    assert [bet.stake for bet in table.bets.values()] == [500]
    (settled,) = table.settlements
    assert (settled.result, settled.stake, settled.net) == (Result.STANDING, 500, 0)
    assert adds_up(table)


def test_losing_wagers_are_collected_before_winning_ones_are_paid() -> None:
    table = Table(find_game("roulette"))
    table.bet("1", "red", 500)
    table.bet("1", "straight:17", 500)
    table.bet("2", "black", 500)
    play = Play(table)
    play.answer("17")
    play.answer(None)
    moves = [
        (event.kind, event.data["seat"], event.data["wager"])
        for event in table.events
        if event.kind in ("collect", "pay")
    ]
    assert moves == [("collect", "1", "red"), ("pay", "1", "straight:17"), ("pay", "2", "black")]


def test_half_a_loss_gives_the_odd_cent_to_the_player() -> None:
    table = spun(always(half_lost(law("5.2(b)"))), 501)
    (settled,) = table.settlements
    assert (settled.net, str(settled.cite)) == (-250, "19:47-5.2(b)")
    assert table.money == {"1": -250, LAYOUT: 0, HOUSE: 250}
    assert table.events[-1].data["returned"] == 251


@given(st.integers(1, 10_000), st.fractions(-1, 5, max_denominator=20))
def test_rounding_gives_part_of_a_cent_to_whom_the_rule_says(stake: int, net: Fraction) -> None:
    result = Result.WIN if net > 0 else Result.LOSE if net < 0 else Result.PUSH
    for rounding in (Rounding.PLAYER, Rounding.HOUSE):
        table = spun(always(Decision(result, "part", net, rounding=rounding)), stake)
        (settled,) = table.settlements
        rest = settled.net - stake * net
        assert 0 <= rest < 1 if rounding is Rounding.PLAYER else -1 < rest <= 0
        assert adds_up(table)


def test_a_payment_that_is_not_exact_is_never_made() -> None:
    table = Table(Spinner(always(Decision(Result.WIN, "third", Fraction(1, 3)))))
    table.bet("1", "bet", 100)
    play = Play(table)
    play.answer("a")
    with pytest.raises(InexactPayment, match="bet of 100 cents cannot be settled exactly"):
        play.answer(None)
    assert table.money == {"1": -100, LAYOUT: 100}
    assert [bet.stake for bet in table.bets.values()] == [100]
    assert not table.settlements


def test_an_exact_third_is_paid() -> None:
    table = spun(always(Decision(Result.WIN, "third", Fraction(1, 3))), 300)
    assert table.money["1"] == 100


def test_a_win_that_pays_nothing_needs_no_line_of_the_pay_table() -> None:
    table = spun(always(Decision(Result.WIN, "bonus_round", Fraction(0))), 300)
    (settled,) = table.settlements
    assert (settled.net, settled.pays) == (0, "")


def test_the_part_of_a_wager_that_is_not_decided_stands() -> None:
    half = Decision(Result.LOSE, "half", Fraction(-1), share=Fraction(1, 2))
    table = spun(always(half), 500)
    (settled,) = table.settlements
    assert (settled.stake, settled.net) == (250, -250)
    assert [bet.stake for bet in table.bets.values()] == [250]
    assert "travel" not in [event.kind for event in table.events]
    assert adds_up(table)


def test_the_part_of_a_wager_that_is_not_decided_may_travel() -> None:
    half = Decision(Result.WIN, "win", share=Fraction(1, 2), moves_to="later")
    table = spun(always(half), 500)
    assert {bet.label: bet.stake for bet in table.bets.values()} == {"bet:later": 250}
    assert table.money["1"] == 0
    assert adds_up(table)


def test_a_wager_that_is_decided_whole_travels_nowhere() -> None:
    table = spun(always(Decision(Result.WIN, "win", moves_to="later")), 500)
    assert not table.bets
    assert "travel" not in [event.kind for event in table.events]


def test_a_part_that_wins_is_paid_against_the_parts_that_lose() -> None:
    assert part_paid(Odds(35), 1, 5) == Odds(31, 5)
    assert part_paid(Odds(15), 2, 5) == Odds(27, 5)


def test_a_loss_may_be_by_another_paragraph() -> None:
    (settled,) = spun(always(lost(law("99.8"))), 500).settlements
    assert (settled.net, str(settled.cite)) == (-500, "19:47-99.8")


def test_a_wager_may_travel_back_to_where_it_was_made() -> None:
    there_and_back = {"a": travel("away"), "b": travel("")}
    table = spun(lambda case: there_and_back[case.outcome], 500, "a")
    assert [bet.label for bet in table.bets.values()] == ["bet:away"]
    table.open_betting()
    spin(table, "b")
    assert [bet.label for bet in table.bets.values()] == ["bet"]


def test_a_wager_is_called_on_for_one_outcome() -> None:
    table = Table(find_game("craps"))
    table.bet("1", "place_win_6", 600)
    (bet,) = table.bets_of("1")
    assert not bet.called_on
    table.call_on(bet)
    (bet,) = table.bets_of("1")
    assert bet.called_on
    table.open_betting()
    (bet,) = table.bets_of("1")
    assert not bet.called_on


def test_what_is_drawn_at_a_table_has_left_the_equipment() -> None:
    drum, table = Drum(3), Table(Spinner())
    drawing = table.draw(drum)
    next(drawing)
    with pytest.raises(StopIteration) as drawn:
        drawing.send(2)
    assert drawn.value.value == 2
    assert list(drum.outcomes()) == [1, 3]
    assert table.events[-1].as_json() == {"kind": "draw", "outcome": 2}


# What always holds.


def answers_to(seed: int) -> Any:
    """People who do anything they may, at a table where nothing irregular happens."""
    chance = SeededStream(seed)

    def decide(ask: Ask) -> Any:
        move = ask.moves[chance.below(len(ask.moves))]
        if not move.takes_amount:
            return move.name
        return {move.name: move.low + move.step * chance.below((move.high - move.low) // move.step)}

    return by_chance(chance, decide)


Played = list[tuple[list[tuple[str, str, int]], list[Any]]]


def play_at(table: Table, seed: int, rounds: int) -> Played:
    """Play rounds with wagers picked by chance, and write down the wagers and the answers."""
    chance, played = SeededStream(seed, chunk=1), []
    answer = answers_to(seed)
    for _ in range(rounds):
        table.open_betting()
        wagers = []
        for seat in ("1", "2"):
            openings = list(table.openings(seat))
            for _ in range(3):
                opening = openings[chance.below(len(openings))]
                label = opening.wager.label(opening.spot)
                if table.refusal(seat, label, opening.low) is None:
                    table.bet(seat, label, opening.low)
                    wagers.append((seat, label, opening.low))
        played.append((wagers, play_round(table, answer).answers))
        assert adds_up(table)
    return played


def new_table(name: str) -> Table:
    return peek() if name == "peek" else Table(find_game(name))


GAMES = ["peek", "roulette", "craps", "mini-dice", "sic-bo"]


@settings(max_examples=10)
@pytest.mark.parametrize("name", GAMES)
@given(seed=st.integers(0, 2**32))
def test_the_same_answers_at_an_equal_table_give_the_same_round(name: str, seed: int) -> None:
    original, again = new_table(name), new_table(name)
    events, settlements = [], []
    for wagers, answers in play_at(original, seed, rounds=4):
        again.open_betting()
        for seat, label, amount in wagers:
            again.bet(seat, label, amount)
        play = Play(again)
        for answer in answers:
            play.answer(answer)
        assert play.request is None
        assert play.answers == answers
        events += again.events
        settlements += again.settlements
    assert again.events == original.events
    assert again.settlements == original.settlements
    assert again.money == original.money
    assert again.bets == original.bets
    assert again.state == original.state
    assert events
    assert settlements


@settings(max_examples=10)
@pytest.mark.parametrize("name", GAMES)
@given(seed=st.integers(0, 2**32))
def test_settlements_say_what_the_bankroll_changed_by(name: str, seed: int) -> None:
    table = new_table(name)
    play_at(table, seed, rounds=1)
    for seat in ("1", "2"):
        net = sum(settled.net for settled in table.settlements if settled.bet.seat == seat)
        lying = sum(bet.stake for bet in table.bets_of(seat))
        assert table.money[seat] == net - lying


# Rounds that are void.


@pytest.mark.parametrize("reported", ["before the spin", "before settlement"])
def test_a_void_round_returns_everything(reported: str) -> None:
    table = Table(Spinner())
    table.bet("1", "bet", 500)
    table.bet("2", "bet", 300)
    play = Play(table)
    if reported == "before settlement":
        play.answer("a")
    play.answer({"irregularity": "spilled"})
    assert play.request is None
    assert table.is_void
    assert not table.bets
    assert not any(table.money.values())
    assert [(s.result, s.stake, s.net) for s in table.settlements] == [
        (Result.VOID, 500, 0),
        (Result.VOID, 300, 0),
    ]
    assert {str(s.cite) for s in table.settlements} == {"19:47-99.9"}


def test_the_round_after_a_void_round_is_not_void() -> None:
    table = Table(Spinner())
    Play(table).answer({"irregularity": "spilled"})
    table.open_betting()
    assert not table.is_void
    assert not table.events
    table.bet("1", "bet", 500)
    spin(table, "a")
    assert table.money["1"] == 500


def test_a_game_in_which_nothing_lasts_has_no_state() -> None:
    table = spun(covered, 500)
    assert table.state == NoState()
