"""Dealing from a shoe: the shuffle and the cut, cards that lie somewhere, and a shoe that ends."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.equipment import Card, Odds, Shoe, deck
from croupier.games import find_game
from croupier.rulebook import (
    HOUSE,
    LAYOUT,
    LOSE,
    SET_ASIDE,
    WIN,
    Ask,
    Case,
    Ceremony,
    Decision,
    Draw,
    Fault,
    Inspect,
    Move,
    Play,
    Refusal,
    Request,
    Round,
    ShoeGame,
    ShoeState,
    Table,
    TableOptions,
    Wager,
    carry_on,
    choice,
    improper_cut,
    law,
    surrendered,
    void_round,
    whole,
)
from tests.support import cited, everything, not_answered, run, says, turned_away


def at(paragraph: int) -> Any:
    return law(f"99.{paragraph}")


# A small game: one card is turned, and red or black wins.


class TurnOptions(TableOptions):
    decks = whole(1, 8, default=1, cite=at(1))
    cut_card_from_back = whole(1, 40, default=10, cite=at(4))
    recut_by = choice("last_cutter", "next_person", cite=at(4))
    shoe = choice("shuffled", "continuous", "shuffled_every_round", cite=at(3))


def colored(red: bool) -> Callable[[Case[Card, ShoeState, TurnOptions]], Decision]:
    return lambda case: WIN if case.outcome.is_red == red else LOSE


def set_aside(table: Table) -> Round:
    yield from table.draw(table.equipment, to=SET_ASIDE, face_down=True)


def two_discarded(table: Table) -> Round:
    for _ in range(2):
        yield from table.draw(table.equipment, to="discards")


def one_burnt(table: Table) -> Round:
    yield from table.draw(table.equipment, to="burn")
    table.burn("burn")


def ask_the_player(table: Table) -> Round:
    assert table.report is not None
    answer = yield from table.ask(
        table.report.seat, "how many matches?", "none", Move("strike", 2, 8, 2, unit="matches"),
        cite=at(9),
    )  # fmt: skip
    table.announce(f"The answer is {answer}", at(9))


def gather(table: Table) -> None:
    table.equipment.shuffle_discards()


def shuffle_due(table: Table) -> None:
    table.state = table.game.due_for_shuffle(table.state)


class Turn(ShoeGame):
    """One card is turned."""

    id = "turn"
    title = "Turn"
    cite = at(1)
    positions = 3
    Options = TurnOptions
    out_of_cards = "too_few_cards"
    wagers = tuple(
        Wager(id=color, title=color.title(), cite=at(2), paid_by=at(8), pays=Odds(1),
              decide=colored(color == "red"))
        for color in ("red", "black")
    )  # fmt: skip
    irregularities = {
        "drawn_early": carry_on("a card is drawn early", "It waits for the next round", at(9),
                                set_aside, costs_cards=True),
        "face_up": carry_on("a card lies face up", "It and one more are discarded", at(9),
                            two_discarded, costs_cards=True),
        "torn": carry_on("a card is torn", "It is burnt", at(9), one_burnt, costs_cards=True),
        "dropped": void_round("the shoe is dropped", "The round is void", at(9)),
        "dark": carry_on("the light goes out", "A match is struck", at(9), ask_the_player,
                         lambda table: "" if table.all_dealt else "no card lies on the table",
                         seats=lambda table: table.clockwise()),
        "too_few_cards": void_round("the shoe is empty", "The round is void", at(10), shuffle_due),
        "bad_cut": improper_cut(at(4)),
    }  # fmt: skip

    def ceremony(self, options: TurnOptions, state: ShoeState) -> Ceremony:
        return Ceremony(
            opening=(("The cards are opened", at(2)),),
            after_rest=(("The cards are turned over again", at(2)),),
            shuffle=(("The cards are shuffled", at(3)), ("And once more", at(3))),
            cut=at(4),
            depth=at(11),
            place=(("The cards go into the shoe", at(5)),),
            last_hand=at(12),
        )

    def is_continuous(self, options: TurnOptions) -> bool:
        return options.shoe == "continuous"

    def shuffles_every_round(self, options: TurnOptions) -> bool:
        return options.shoe == "shuffled_every_round"

    def burn(self, table: Table) -> Round:
        yield from table.draw(table.equipment, to="burn", face_down=True)
        table.burn("burn")
        table.step("One card is burnt", at(6))

    def round(self, table: Table) -> Round:
        yield from self.prepare(table)
        table.no_more_bets(at(7))
        if table.hands[SET_ASIDE]:
            card = table.use_set_aside(to="card", face_down=False, cite=at(9))
        else:
            card = yield from table.draw(table.equipment, to="card")
        yield from table.inspect()
        table.settle(card, at(8))
        self.finish(table, at(8))


class OneMoreTurn(Turn):
    """A turn of which one more is dealt after the cut card has come out."""

    one_more_hand = True


class GatheredTurn(Turn):
    """A turn in which the discards are shuffled when the shoe is empty."""

    irregularities = Turn.irregularities | {
        "too_few_cards": carry_on("the shoe is empty", "The discards are shuffled", at(10), gather)
    }


def cards(text: str) -> list[Card]:
    return [Card.parse(card) for card in text.split()]


def in_play(shoe: str, cut_card: int = 0, game: ShoeGame | None = None, **options: Any) -> Table:
    """A table of the small game whose shoe holds these cards, and needs no shuffle."""
    game = game or Turn()
    table = Table(game, options)
    table.state = game.in_play(table.state)
    table.equipment = Shoe(cards(shoe), cut_card)
    return table


def begin(table: Table, *seats: str) -> Play:
    """A new round, with ten dollars on red at these seats."""
    table.open_betting()
    for seat in seats or ("1",):
        table.bet(seat, "red", 1000)
    return Play(table)


def answer(play: Play, *answers: Any) -> Play:
    for each in answers:
        play.answer(each)
    return play


def to_the_end(play: Play, *draws: str) -> Table:
    """These cards, what the rules do unasked, and nothing irregular."""
    coming = iter(draws)
    while play.request is not None:
        drawing = isinstance(play.request, Draw)
        play.answer(next(coming) if drawing else getattr(play.request, "default", None))
    assert next(coming, None) is None
    return play.table


def asked(request: Request | None) -> str:
    """The seat that is asked now."""
    assert isinstance(request, Ask)
    return request.seat


def can_come(request: Request | None) -> set[str]:
    assert isinstance(request, Draw)
    return {str(card) for card in request.device.outcomes()}


def said(table: Table) -> list[str]:
    return [event.data["text"] for event in table.events if event.kind in ("step", "announce")]


def happened(table: Table) -> list[str]:
    return [e.data["irregularity"] for e in table.events if e.kind == "irregularity"]


def kept_whole(table: Table) -> bool:
    """Every card of the shoe is somewhere, once; and so is every cent."""
    shoe = table.equipment
    return sorted(shoe.everywhere) == sorted(shoe.composition) and not sum(table.money.values())


REPORT = {kind: {"irregularity": kind} for kind in Turn.irregularities}


# The ceremony.


OPENED = ["The cards are opened"]
SHUFFLED = ["The cards are shuffled", "And once more"]
INTO_THE_SHOE = ["The dealer cuts the cards", "The cards go into the shoe", "One card is burnt"]


def test_a_table_is_opened_with_the_shuffle_the_cut_and_the_burn() -> None:
    table = to_the_end(begin(Table(Turn())), "2c", "Ah")

    assert said(table)[:-1] == OPENED + SHUFFLED + INTO_THE_SHOE + ["No more bets"]
    assert table.equipment.burnt == cards("2c")
    assert table.equipment.discard_rack == cards("Ah")
    assert not table.state.shuffle_due


def test_a_shoe_in_play_is_dealt_without_ceremony() -> None:
    table = Table(Turn())
    to_the_end(begin(table), "2c", "Ah")

    to_the_end(begin(table), "3c")

    assert said(table) == ["No more bets", "The cards are picked up"]


def test_a_new_shoe_is_shuffled_but_not_opened_again() -> None:
    table = Table(Turn())
    to_the_end(begin(table), "2c", "Ah")
    table.state = table.game.due_for_shuffle(table.state)

    play = begin(table)

    assert "Ah" in can_come(answer(play, "decline").request)
    to_the_end(play, "Ah", "2c")
    assert said(table)[:-2] == SHUFFLED + INTO_THE_SHOE


@pytest.mark.cites("7.5(h)")
def test_a_table_at_which_nobody_played_is_shown_its_cards_again() -> None:
    table = Table(Turn())
    to_the_end(begin(table), "2c", "Ah")
    assert isinstance(table.game, ShoeGame)
    table.game.rest(table)
    assert table.state.resting

    to_the_end(begin(table), "2c", "Ah")

    assert said(table)[:1] == ["The cards are turned over again"]
    assert "The cards are opened" not in said(table)
    assert not table.state.resting


def test_cards_that_are_shuffled_after_every_round_are_never_in_play() -> None:
    table = Table(Turn(), {"shoe": "shuffled_every_round"})

    for _ in range(2):
        to_the_end(begin(table), "2c", "Ah")
        assert SHUFFLED[0] in said(table)


@pytest.mark.cites("7.12", "6.9")
def test_a_continuous_device_is_filled_once_and_neither_cut_nor_burnt() -> None:
    table = Table(Turn(), {"shoe": "continuous"})

    to_the_end(begin(table), "Ah")
    assert said(table)[:-1] == OPENED + SHUFFLED + ["No more bets"]

    play = begin(table)
    assert can_come(play.request) == {str(card) for card in deck()}
    to_the_end(play, "Ah")
    assert said(table) == ["No more bets", "The cards are picked up"]


@pytest.mark.cites("7.1(d)5")
def test_two_batches_are_used_for_every_other_shoe() -> None:
    table = Table(find_game("minibaccarat"), {"batch_shuffler": "yes"})
    batches = []
    for _ in range(3):
        table.state = table.game.due_for_shuffle(table.state)
        to_the_end(Play(table), "Ah", "2c", "9h", "9c", "Kd", "Ks")
        batches.append(table.state.batch)
        table.open_betting()

    assert batches == [1, 2, 1]
    assert len(table.equipment.composition) == 8 * 52


@pytest.mark.cites("7.4(b)", "7.4(c)", "7.5(a)", "7.5(b)", "7.5(d)", "7.5(f)")
def test_minibaccarat_is_opened_paragraph_by_paragraph() -> None:
    table = Table(find_game("minibaccarat"))
    play = Play(table)
    answer(play, "Ah", "2c")

    steps = [cited(event.as_json()) for event in table.events if event.kind == "step"]
    assert steps[:9] == [
        "7.4(b)", "7.4(b)", "7.4(c)", "7.5(a)", "7.5(b)2", "7.5(d)", "7.5(f)", "7.6", "7.5(f)",
    ]  # fmt: skip


@pytest.mark.cites("7.5(f)", "3.5(e)")
@pytest.mark.parametrize(
    ("first", "more"), [("Ah", 1), ("2c", 2), ("9s", 9), ("Td", 10), ("Kc", 10)]
)
@pytest.mark.parametrize("game", ["minibaccarat", "baccarat-punto-banco"])
def test_as_many_cards_are_burnt_as_the_first_one_says_and_all_are_shown(
    game: str, first: str, more: int
) -> None:
    table = Table(find_game(game))
    play = answer(Play(table), first, *["5h", "5d"] * (more // 2), *["5c"] * (more % 2))

    assert len(table.equipment.discard_rack) == 1 + more
    drawn = [event.data for event in table.events if event.kind == "draw"]
    assert [each.get("to") for each in drawn] == ["burn"] * (1 + more)
    assert not [each for each in drawn if "face_down" in each]
    assert isinstance(play.request, Draw)


# The cut.


@pytest.mark.cites("7.5(d)", "3.5(c)")
def test_the_cut_is_offered_to_the_highest_seat_and_then_clockwise_until_it_is_accepted() -> None:
    table = Table(find_game("minibaccarat"))
    for seat in ("2", "4", "6"):
        table.bet(seat, "player", 1000)
    play = Play(table)

    assert asked(play.request) == "6"
    assert asked(answer(play, "decline").request) == "4"
    assert isinstance(answer(play, {"cut": 200}).request, Draw)
    assert table.state.cutter == "4"
    (decided,) = [event.as_json() for event in table.events if event.kind == "decision"]
    assert (decided["seat"], decided["move"], decided["cards"]) == ("4", "cut", 200)
    assert "amount" not in decided
    assert cited(decided) == "7.5(d)"


@pytest.mark.cites("7.5(d)")
def test_if_nobody_accepts_the_cut_the_dealer_cuts() -> None:
    play = answer(begin(Table(Turn()), "1", "3"), "decline", "decline")

    assert play.table.state.cutter is None
    assert "The dealer cuts the cards" in said(play.table)
    assert not [event for event in play.table.events if event.kind == "decision"]


@pytest.mark.cites("7.5(e)", "3.5(d)")
@pytest.mark.parametrize("depth", [9, 407, 0, -1, 20.5, "20", None, True])
def test_a_cut_is_at_least_ten_cards_from_either_end(depth: Any) -> None:
    table = Table(find_game("minibaccarat"))
    table.bet("1", "player", 1000)
    play = Play(table)

    told = not_answered(play, {"cut": depth})

    sentence = f"seat 1 may cut (10 to 406 cards), not {depth!r}"
    says(told, Fault.ILLEGAL_MOVE, sentence, "7.5(e)")


@pytest.mark.cites("7.5(e)", "3.5(d)")
@pytest.mark.parametrize("depth", [10, 406])
def test_ten_cards_from_either_end_is_deep_enough(depth: int) -> None:
    table = Table(find_game("minibaccarat"))
    table.bet("1", "player", 1000)

    assert isinstance(answer(Play(table), {"cut": depth}).request, Draw)


def test_a_move_without_an_amount_takes_none_and_what_is_no_move_is_told_the_moves() -> None:
    play = begin(Table(Turn()))

    says(not_answered(play, {"decline": 10}), Fault.ILLEGAL_MOVE, "seat 1 may decline, not 10",
         "99.4")  # fmt: skip
    says(not_answered(play, "cut"), Fault.ILLEGAL_MOVE,
         "seat 1 may cut (10 to 42 cards), not None", "99.11")  # fmt: skip
    says(not_answered(play, "look"), Fault.ILLEGAL_MOVE,
         "seat 1 may decline, cut (10 to 42 cards) here, not 'look'", "99.4")  # fmt: skip


def cut_by_the_second(recut_by: str) -> Play:
    """Of seats 1, 2 and 3, the first declines and the second cuts."""
    play = begin(Table(Turn(), {"recut_by": recut_by}), "1", "2", "3")
    return answer(play, "decline", {"cut": 20}, REPORT["bad_cut"])


@pytest.mark.cites("7.5(g)", "3.5(f)")
@pytest.mark.parametrize(("recut_by", "seat"), [("last_cutter", "2"), ("next_person", "3")])
def test_a_bad_cut_is_cut_again_by_whom_the_licensee_has_chosen(recut_by: str, seat: str) -> None:
    play = cut_by_the_second(recut_by)

    assert asked(play.request) == seat
    assert isinstance(answer(play, {"cut": 30}).request, Draw)
    assert play.table.state.cutter == seat
    assert happened(play.table) == ["bad_cut"]


@pytest.mark.cites("7.5(g)")
def test_who_does_not_cut_again_leaves_it_to_the_next_and_last_to_the_dealer() -> None:
    play = cut_by_the_second("last_cutter")

    assert asked(answer(play, "decline").request) == "3"
    answer(play, "decline")
    assert said(play.table)[-1] == "The dealer cuts the cards"
    assert play.table.state.cutter is None


@pytest.mark.cites("7.5(g)")
def test_after_the_last_person_entitled_the_dealer_cuts() -> None:
    play = begin(Table(Turn(), {"recut_by": "next_person"}), "1", "2")
    answer(play, "decline", {"cut": 20}, REPORT["bad_cut"])

    assert isinstance(play.request, Draw)
    assert play.table.state.cutter is None


@pytest.mark.cites("7.5(g)")
def test_cards_may_be_cut_again_and_again() -> None:
    play = cut_by_the_second("last_cutter")

    answer(play, {"cut": 30}, REPORT["bad_cut"])

    assert asked(play.request) == "2"


@pytest.mark.cites("7.5(g)", "3.5(f)")
def test_once_a_card_is_dealt_the_cut_stands() -> None:
    play = answer(begin(Table(Turn())), "decline", "2c")

    told = not_answered(play, REPORT["bad_cut"])

    says(told, Fault.NOT_NOW,
         "bad_cut cannot be reported now: cards have been dealt since the cut", "99.4")  # fmt: skip


@pytest.mark.cites("7.12", "7.5(g)")
def test_cards_in_a_continuous_device_are_not_cut_and_so_not_cut_improperly() -> None:
    table = Table(find_game("minibaccarat"), {"continuous_shuffler": "yes"})
    table.bet("1", "player", 1000)
    play = Play(table)
    assert isinstance(play.request, Draw)

    told = not_answered(play, {"irregularity": "improper_cut"})

    assert told.fault is Fault.NOT_NOW


# The cut card comes out.


def test_the_round_in_which_the_cut_card_comes_out_is_the_last_before_the_shuffle() -> None:
    table = in_play("2c 3c 4c 5c 6c", cut_card=3)

    to_the_end(begin(table), "2c")
    assert not table.state.shuffle_due
    to_the_end(begin(table), "3c")
    assert table.state.shuffle_due
    assert "Last hand" not in said(table)


@pytest.mark.cites("7.8(e)", "3.8(e)")
def test_where_one_more_hand_is_dealt_it_is_announced() -> None:
    table = in_play("2c 3c 4c 5c 6c 7c", cut_card=4, game=OneMoreTurn())

    to_the_end(begin(table), "2c")
    assert "Last hand" not in said(table)
    to_the_end(begin(table), "3c")
    assert said(table)[-1] == "Last hand"
    assert str(table.events[-1].cite) == "19:47-99.12"
    assert table.state.last_hand
    assert not table.state.shuffle_due
    to_the_end(begin(table), "4c")
    assert table.state.shuffle_due
    assert not table.state.last_hand
    assert "Last hand" not in said(table)


@pytest.mark.cites("7.8(e)")
def test_minibaccarat_deals_one_more_hand_after_the_cutting_card() -> None:
    table = Table(find_game("minibaccarat"))
    table.state = table.game.in_play(table.state)
    table.equipment = Shoe(deck(), 44)

    hands = (["9h", "2c", "Kd", "3c"], ["9d", "3d", "Kc", "4c"], ["9s", "4d", "Ks", "2d"])
    ends = []
    for hand in hands:
        table.open_betting()
        table.bet("1", "player", 1000)
        to_the_end(Play(table), *hand)
        ends.append(("Last hand" in said(table), table.state.shuffle_due))

    assert ends == [(False, False), (True, False), (False, True)]


def test_a_cut_card_that_comes_out_in_a_void_round_has_come_out() -> None:
    table = in_play("2c 3c 4c 5c 6c", cut_card=3)
    to_the_end(begin(table), "2c")

    answer(begin(table), "3c", REPORT["dropped"])
    assert table.is_void

    assert table.equipment.cut_card_reached
    assert SHUFFLED[0] in said(begin(table).table)


# An empty shoe.


@pytest.mark.cites("7.11(e)")
def test_a_round_that_the_shoe_cannot_finish_is_void_without_anyone_saying_so() -> None:
    table = Table(find_game("minibaccarat"))
    table.state = table.game.in_play(table.state)
    table.equipment = Shoe(cards("2h 3h 4h 5h"), 0)
    table.bet("1", "player", 1000)

    play = answer(Play(table), "2h", "3h", "4h", "5h")  # six against eight: both stand
    assert isinstance(play.request, Inspect)
    answer(play, None)
    table.open_betting()
    table.bet("1", "banker", 1000)
    play = Play(table)

    assert play.request is None
    assert table.is_void
    assert happened(table) == ["too_few_cards"]
    assert table.money["1"] == -1000
    assert table.money[LAYOUT] == 0
    assert table.state.shuffle_due


@pytest.mark.cites("6.7")
def test_where_the_rule_says_so_the_discards_are_shuffled_and_the_round_goes_on() -> None:
    table = in_play("2d 3d 4h", game=GatheredTurn())
    to_the_end(begin(table), "2d")

    play = answer(begin(table), REPORT["face_up"], "3d", "4h")

    assert happened(table) == ["face_up", "too_few_cards"]
    assert can_come(play.request) == {"2d"}
    to_the_end(play, "2d")
    assert table.settlements[0].net == 1000
    assert kept_whole(table)


def test_cards_on_the_layout_are_not_shuffled_with_the_discards() -> None:
    table = in_play("2c 3d 4h 5s", game=GatheredTurn())
    to_the_end(begin(table), "2c")

    play = answer(begin(table), REPORT["face_up"], "3d", "4h", REPORT["torn"], "5s")

    assert happened(table) == ["face_up", "torn", "too_few_cards"]
    assert can_come(play.request) == {"2c", "5s"}
    assert kept_whole(table)


def test_if_there_is_nothing_to_shuffle_the_round_is_void_and_not_asked_for_ever() -> None:
    tries = []

    def nothing_there(table: Table) -> None:
        tries.append(table.equipment.stub)
        assert len(tries) < 3, "the shoe stays empty, and the round goes on asking for a card"

    class Hopeless(Turn):
        irregularities = Turn.irregularities | {
            "too_few_cards": carry_on("the shoe is empty", "It is shaken", at(10), nothing_there)
        }

    table = in_play("2c 3d", game=Hopeless())

    play = answer(begin(table), REPORT["face_up"], "2c", "3d")

    assert play.request is None
    assert table.is_void
    assert not any(table.money.values())


# Effects that draw cards, and what happens meanwhile.


def test_an_effect_that_draws_takes_its_cards_before_the_round_goes_on() -> None:
    play = answer(begin(in_play("2c 3d 4h 5s")), REPORT["face_up"], "2c", "3d")

    assert play.table.hands["discards"] == cards("2c 3d")
    assert not play.table.hands["card"]
    assert can_come(play.request) == {"4h", "5s"}
    table = to_the_end(play, "4h")
    assert table.settlements[0].net == 1000
    assert table.equipment.discard_rack == cards("2c 3d 4h")


def test_something_may_happen_while_an_effect_draws() -> None:
    """Of two cards that are discarded, the second waits until a third has been set aside."""
    play = begin(in_play("2c 3d 4h 5s 6c"))

    answer(play, REPORT["face_up"], "2c", REPORT["drawn_early"], "3d", "4h")

    table = play.table
    assert happened(table) == ["face_up", "drawn_early"]
    assert table.hands["discards"] == cards("2c 4h")
    assert table.hands[SET_ASIDE] == cards("3d")
    assert can_come(play.request) == {"5s", "6c"}
    to_the_end(play, "5s")
    assert kept_whole(table)


def test_the_same_may_happen_again_while_its_own_effect_draws() -> None:
    play = begin(in_play("2c 3d 4h 5s 6c 7c"))

    answer(play, REPORT["face_up"], REPORT["face_up"], "2c", "3d", "4h", "5s")

    assert play.table.hands["discards"] == cards("2c 3d 4h 5s")
    assert can_come(play.request) == {"6c", "7c"}


def test_a_round_may_be_void_while_an_effect_draws() -> None:
    play = answer(begin(in_play("2c 3d 4h")), REPORT["face_up"], "2c", REPORT["dropped"])

    table = play.table
    assert play.request is None
    assert table.is_void
    assert not any(table.money.values())
    assert table.equipment.discard_rack == cards("2c")
    assert kept_whole(table)


def test_a_shoe_may_run_out_while_an_effect_draws() -> None:
    play = answer(begin(in_play("2c")), REPORT["face_up"], "2c")

    assert happened(play.table) == ["face_up", "too_few_cards"]
    assert play.table.is_void
    assert play.table.state.shuffle_due


def test_an_effect_may_draw_after_the_outcome_is_known() -> None:
    play = answer(begin(in_play("2d 3d 4h")), "2d")
    assert isinstance(play.request, Inspect)

    answer(play, REPORT["drawn_early"], "3d")

    assert isinstance(play.request, Inspect)
    table = to_the_end(play)
    assert table.settlements[0].net == 1000
    assert table.hands[SET_ASIDE] == cards("3d")


def test_an_effect_may_ask_the_seat_that_was_reported() -> None:
    play = answer(begin(in_play("2d 3d"), "1", "3"), "2d", {"irregularity": "dark", "seat": "3"})

    assert asked(play.request) == "3"
    says(not_answered(play, {"strike": 3}), Fault.ILLEGAL_MOVE,
         "seat 3 may strike (2 to 8 matches), not 3", "99.9")  # fmt: skip
    answer(play, {"strike": 4})
    assert said(play.table)[-1] == "The answer is ('strike', 4)"
    (decided,) = [event.data for event in play.table.events if event.kind == "decision"]
    assert (decided["move"], decided["matches"]) == ("strike", 4)


# What cannot have happened is refused.


def test_a_barred_irregularity_is_refused_with_its_reason_and_nothing_changes() -> None:
    play = begin(in_play("2d 3d"))
    assert isinstance(play.request, Draw)
    assert play.request.barred == {
        "dark": "no card lies on the table",
        "bad_cut": "the cards were cut before this round",
    }

    told = not_answered(play, {"irregularity": "dark", "seat": "1"})

    says(told, Fault.NOT_NOW, "dark cannot be reported now: no card lies on the table", "99.9")
    assert len(play.table.equipment.stub) == 2
    to_the_end(play, "3d")


def test_what_is_barred_is_looked_at_anew_before_every_draw() -> None:
    table = Table(Turn())
    play = answer(begin(table), "decline")
    assert isinstance(play.request, Draw)
    assert "bad_cut" not in play.request.barred

    answer(play, "2c")
    assert isinstance(play.request, Draw)
    assert set(play.request.barred) == {"bad_cut", "dark"}

    answer(play, "3c")
    assert isinstance(play.request, Inspect)
    assert set(play.request.barred) == {"bad_cut"}


@pytest.mark.parametrize("seat", ["2", "9"])
def test_what_happens_to_a_seat_must_name_one_to_which_it_can_have(seat: str) -> None:
    play = answer(begin(in_play("2d 3d"), "1", "3"), "2d")

    told = not_answered(play, REPORT["dark"] | {"seat": seat})

    sentence = "dark must name a seat to which it can have happened: 1 or 3"
    says(told, Fault.BAD_SCRIPT, sentence, "99.9")


@pytest.mark.parametrize("about", [{}, {"seat": ""}])
def test_where_no_seat_is_named_it_is_the_first_to_which_it_can_have(about: dict[str, str]) -> None:
    play = answer(begin(in_play("2d 3d"), "2", "3"), "2d", REPORT["dark"] | about)

    assert asked(play.request) == "2"


def test_where_nobody_wagered_nothing_can_have_happened_to_a_seat() -> None:
    play = answer(Play(in_play("2d 3d")), "2d")

    told = not_answered(play, REPORT["dark"] | {"seat": "1"})

    assert told.fault is Fault.NOT_NOW


def test_what_costs_a_card_cannot_have_happened_when_none_is_left() -> None:
    play = answer(begin(in_play("2d")), "2d")

    for kind in ("drawn_early", "face_up", "torn"):
        says(not_answered(play, REPORT[kind]), Fault.NOT_NOW,
             f"{kind} cannot be reported now: no card is left", "99.9")  # fmt: skip
    to_the_end(play)


@pytest.mark.cites("7.11(a)")
@pytest.mark.parametrize(
    ("dealt", "reason"),
    [
        ([], "the first four cards do not lie yet"),
        (["9h", "2c", "Kd"], "the first four cards do not lie yet"),
        (["2h", "2c", "Kd", "3c"], "the Player's Hand is due a third card"),
        (["2h", "2c", "Kd", "3c", "4d"], "the Player's Hand has its third card"),
    ],
)
def test_a_third_card_is_dealt_in_error_only_when_none_is_due(
    dealt: list[str], reason: str
) -> None:
    table = Table(find_game("minibaccarat"))
    table.state = table.game.in_play(table.state)
    table.bet("1", "player", 1000)
    play = answer(Play(table), *dealt)

    told = not_answered(play, {"irregularity": "third_card_in_error"})

    says(told, Fault.NOT_NOW, f"third_card_in_error cannot be reported now: {reason}", "7.11(a)")


# A card that waits for the next hand.


def test_a_card_set_aside_survives_the_round_and_is_used_first_in_the_next() -> None:
    table = in_play("2c 3d 4h 5s")
    to_the_end(answer(begin(table), REPORT["drawn_early"], "3d"), "2c")
    assert table.hands[SET_ASIDE] == table.equipment.on_layout == cards("3d")
    assert table.equipment.discard_rack == cards("2c")

    play = begin(table)

    assert isinstance(play.request, Inspect)
    (used,) = [event.as_json() for event in table.events if event.kind == "set_aside"]
    assert used == {
        "kind": "set_aside", "to": "card", "outcome": "3d", "citation": "19:47-99.9",
    }  # fmt: skip
    to_the_end(play)
    assert table.settlements[0].net == 1000
    assert table.equipment.discard_rack == cards("2c 3d")
    assert not table.hands[SET_ASIDE]


def test_a_card_set_aside_survives_a_void_round() -> None:
    table = in_play("2c 3d 4h 5s")
    answer(begin(table), REPORT["drawn_early"], "3d", "2c", REPORT["dropped"])
    assert table.is_void
    assert table.hands[SET_ASIDE] == table.equipment.on_layout == cards("3d")
    assert kept_whole(table)

    table = to_the_end(begin(table))

    assert [event.data["outcome"] for event in table.events if event.kind == "set_aside"] == ["3d"]


def test_cards_set_aside_are_used_in_the_order_in_which_they_were_drawn() -> None:
    table = in_play("2c 3d 4h 5s")
    answer(begin(table), REPORT["drawn_early"], "3d", REPORT["drawn_early"], "4h", "2c", None)

    used = []
    for _ in range(2):
        to_the_end(begin(table))
        used += [event.data["outcome"] for event in table.events if event.kind == "set_aside"]

    assert used == ["3d", "4h"]


def test_nobody_sees_a_card_that_is_set_aside_or_used_face_down() -> None:
    table = in_play("2c 3d 4h 5s")
    to_the_end(answer(begin(table), REPORT["drawn_early"], "3d"), "2c")

    seen = [event.get("outcome") for seat in ("1", None) for event in table.view(seat)["events"]]
    assert "3d" not in seen
    assert table.use_set_aside(to="card", face_down=True, cite=at(9)) == Card.parse("3d")
    assert table.events[-1].data == {"to": "card", "face_down": True}
    assert table.hands["card"] == cards("3d")


def test_at_a_shuffle_a_card_set_aside_goes_back_with_all_the_others() -> None:
    table = in_play("2c 3d 4h 5s" + " 6c 7c 8c 9c Tc Jc Qc Kc Ac" * 2)
    to_the_end(answer(begin(table), REPORT["drawn_early"], "3d"), "2c")
    table.state = table.game.due_for_shuffle(table.state)

    play = answer(begin(table), "decline")

    assert {"2c", "3d"} <= can_come(play.request)
    assert not table.hands[SET_ASIDE]
    assert kept_whole(table)


@pytest.mark.cites("7.11(b)", "3.12")
@pytest.mark.parametrize("game", ["minibaccarat", "baccarat-punto-banco"])
def test_a_card_drawn_in_error_is_the_first_of_the_next_hand(game: str) -> None:
    """5h and 3d are a natural eight for the player, 9c and Ks a natural nine for the banker."""
    first = {
        "draws": ["9h", "2c", "Kd", "3c", "5h"],
        "seats": {"1": {"wagers": {"banker": 1000}}},
        "irregularities": [{"before_draw": 5, "kind": "card_drawn_in_error"}],
    }
    second = {"draws": ["9c", "3d", "Ks"], "seats": {"1": {"wagers": {"banker": 1000}}}}

    told = run({"game": game, "rounds": [first, second]})

    assert told.result("banker", round=0) == ("lose", -1000)
    assert told.result("banker", round=1) == ("win", 950)
    assert [event["to"] for event in told.events("set_aside")] == ["player"]
    assert [event["to"] for event in told.events("draw")] == ["banker", "player", "banker"]


# Burning and picking up.


def test_what_is_burnt_is_out_of_play_and_not_in_the_discard_rack() -> None:
    play = answer(begin(in_play("2c 3d 4h")), REPORT["torn"], "2c")

    shoe = play.table.equipment
    assert (shoe.burnt, shoe.discard_rack, shoe.on_layout) == (cards("2c"), [], [])
    assert "burn" not in play.table.hands


def test_a_pile_may_go_to_the_discard_rack_at_once() -> None:
    play = answer(begin(in_play("2c 3d 4h")), REPORT["face_up"], "2c", "3d")

    play.table.discard("discards")

    shoe = play.table.equipment
    assert (shoe.discard_rack, shoe.burnt, shoe.on_layout) == (cards("2c 3d"), [], [])
    assert "discards" not in play.table.hands


def test_a_pile_that_is_not_there_burns_and_discards_nothing() -> None:
    table = in_play("2c 3d")

    table.burn("burn")
    table.discard("discards")

    assert (table.equipment.burnt, table.equipment.discard_rack) == ([], [])


def test_a_card_goes_to_the_hand_that_is_due_when_it_comes() -> None:
    """What happens before the draw may change whose turn it is."""
    table = in_play("2c 3d 4h")
    drawing = table.draw(table.equipment, to=lambda: "early" if table.events else "late")
    next(drawing)
    table.announce("Too late", at(7))

    with pytest.raises(StopIteration):
        drawing.send(Card.parse("2c"))

    assert table.hands == {"early": cards("2c")}
    assert table.events[-1].data == {"outcome": "2c", "to": "early"}


@pytest.mark.cites("7.10(d)")
def test_some_hands_or_all_of_them_are_picked_up_in_order() -> None:
    table = in_play("2c 3d 4h 5s 6c")
    for hand, card in (("b", "2c"), ("a", "3d"), ("b", "4h"), ("c", "5s")):
        table.equipment.take(Card.parse(card))
        table.hands[hand].append(Card.parse(card))

    table.pick_up(at(8), "a")
    assert table.equipment.discard_rack == cards("3d")
    table.pick_up(at(8))
    assert table.equipment.discard_rack == cards("3d 2c 4h 5s")
    assert said(table) == ["The cards are picked up"] * 2
    assert not any(table.hands.values())


def test_where_nothing_lies_nothing_is_picked_up() -> None:
    table = in_play("2c 3d")

    table.pick_up(at(8))

    assert table.events == []


@pytest.mark.cites("7.10(d)")
def test_the_hands_of_baccarat_can_be_told_apart_in_the_discard_rack() -> None:
    table = Table(find_game("minibaccarat"))
    table.state = table.game.in_play(table.state)

    to_the_end(Play(table), "2h", "2c", "Kd", "3c", "4d", "6s")

    assert table.equipment.discard_rack == cards("2h Kd 4d 2c 3c 6s")


# Wagers in the course of a round.


def test_the_dealer_may_return_a_part_of_a_wager_or_all_of_it() -> None:
    table = in_play("2c 3d")
    table.bet("1", "red", 1000)

    table.reduce(table.bets["1", "red", ""], 400, at(7))
    assert (table.stakes("1"), table.money["1"]) == ({"red": 400}, -400)
    assert table.events[-1].as_json() == {
        "kind": "refund", "seat": "1", "wager": "red", "amount": 600, "citation": "19:47-99.7",
    }  # fmt: skip

    table.reduce(table.bets["1", "red", ""], 0, at(7))
    assert not table.bets
    assert not any(table.money.values())
    assert table.settlements == []


def test_one_wager_may_be_decided_by_itself() -> None:
    table = in_play("2c 3d")
    for color in ("red", "black"):
        table.bet("1", color, 1001)

    table.decide(table.bets["1", "red", ""], surrendered(at(8)), at(7))

    (settled,) = table.settlements
    assert (settled.result.value, settled.net, str(settled.cite)) == (
        "surrender", -500, "19:47-99.8",
    )  # fmt: skip
    assert table.stakes("1") == {"black": 1001}
    assert table.money == {"1": -1501, HOUSE: 500, LAYOUT: 1001}
    assert table.events[-1].data == {"seat": "1", "wager": "red", "amount": 500, "returned": 501}


@pytest.mark.parametrize(
    ("low", "high", "increment", "move"),
    [
        (1000, 2000, 1, Move("total_cards_4", 1000, 2000, 2)),
        (1001, 2001, 1, Move("total_cards_4", 1002, 2000, 2)),
        (1000, 2000, 500, Move("total_cards_4", 1000, 2000, 1000)),
        (1001, 1001, 1, None),
        (1, 0, 1, None),
    ],
)
def test_a_wager_of_the_round_is_staked_in_amounts_that_can_be_paid_exactly(
    low: int, high: int, increment: int, move: Move | None
) -> None:
    """At 3 to 2 a stake is an even number of cents, or of what the table requires."""
    options = {"offer_total_cards": "yes", "increment": increment}

    table = Table(find_game("minibaccarat"), options)

    assert table.amounts("total_cards_4", low, high) == move


@pytest.mark.cites("7.2(d)", "3.2(d)")
def test_no_wager_is_made_once_the_cards_are_dealt_and_any_while_they_are_shuffled() -> None:
    table = Table(find_game("minibaccarat"))
    play = Play(table)
    assert isinstance(play.request, Draw)
    table.bet("1", "player", 1000)
    answer(play, "Ah", "2c")

    assert turned_away(table, "player", 2000).fault is Fault.NO_MORE_BETS


# Who sits where.


def seated(game: str, *seats: tuple[str, str], **options: Any) -> Table:
    table = Table(find_game(game), options)
    for seat, player in seats:
        table.sit(seat, player)
    return table


def not_seated(table: Table, seat: str, player: str) -> Refusal:
    before = everything(table), dict(table.players)
    with pytest.raises(Refusal) as caught:
        table.sit(seat, player)
    assert (everything(table), dict(table.players)) == before
    return caught.value


def test_a_seat_is_one_players_until_he_leaves() -> None:
    table = seated("minibaccarat", ("3", "Ann"))

    says(not_seated(table, "3", "Bob"), Fault.NOT_NOW, "seat 3 is Ann's", "7.1")
    table.sit("3", "Ann")
    table.leave("3")
    table.sit("3", "Bob")
    assert table.players == {"3": "Bob"}


def test_nobody_sits_where_there_is_no_seat() -> None:
    says(not_seated(seated("minibaccarat"), "8", "Ann"), Fault.UNKNOWN_SEAT,
         "there is no seat '8' here; the seats are 1 to 7", "7.1")  # fmt: skip


@pytest.mark.cites("6.8")
def test_a_player_has_as_many_betting_areas_as_the_table_allows() -> None:
    one = seated("red-dog", ("1", "Ann"))
    two = seated("red-dog", ("1", "Ann"), ("5", "Ann"), areas_per_player=2)

    assert not_seated(one, "2", "Ann").fault is Fault.NOT_NOW
    says(not_seated(two, "2", "Ann"), Fault.NOT_NOW, "a player may have 2 betting areas",
         "6.8 (customary)")  # fmt: skip
    one.sit("1", "Ann")
    two.sit("2", "Bob")


def test_two_positions_of_one_player_at_casino_war_are_side_by_side() -> None:
    table = seated("casino-war", ("4", "Ann"), positions_per_player="2")

    apart = "two positions of one player are side by side; seats 4 and 6 are not"
    says(not_seated(table, "6", "Ann"), Fault.NOT_NOW, apart, "22 (customary)")
    table.sit("5", "Ann")
    says(not_seated(table, "3", "Ann"), Fault.NOT_NOW, "a player may have 2 positions",
         "22 (customary)")  # fmt: skip


# Round scripts of the shoe.


def scripted(seat: dict[str, Any] | None = None, **changes: Any) -> dict[str, Any]:
    laid = {"wagers": {"player": 1000}} | (seat or {})
    natural = ["9h", "2c", "Kd", "3c"]
    return {"game": "minibaccarat", "draws": natural, "seats": {"1": laid}} | changes


def refused(document: dict[str, Any]) -> Refusal:
    with pytest.raises(Refusal) as caught:
        run(document)
    return caught.value


def test_the_shoe_of_a_script_is_in_play() -> None:
    told = run(scripted())

    assert told.said()[0] == "No more bets"
    assert len(told.events("draw")) == 4
    assert told.net() == 1000


@pytest.mark.cites("7.5")
def test_a_round_that_shuffles_begins_with_the_cut_and_the_burn() -> None:
    told = run(scripted({"moves": [{"cut": 100}]}, shuffle=True,
                        draws=["Ah", "3c", "9h", "2c", "Kd", "3c"]))  # fmt: skip

    assert [event["to"] for event in told.events("draw")][:2] == ["burn", "burn"]
    assert told.events("decision")[0]["cards"] == 100
    assert told.net() == 1000
    assert run(scripted(shuffle=False)).document == run(scripted()).document


@pytest.mark.parametrize("value", [None, 0, 1, "true", "yes", [], {}])
def test_shuffle_is_true_or_false(value: Any) -> None:
    told = refused(scripted(shuffle=value))

    says(told, Fault.BAD_SCRIPT, '"shuffle" of the script must be true or false, not ')


def test_which_round_has_a_bad_shuffle_is_told() -> None:
    rounds = [{"draws": ["9h", "2c", "Kd", "3c"]}, {"draws": [], "shuffle": 1}]

    told = refused({"game": "minibaccarat", "rounds": rounds})

    says(told, Fault.BAD_SCRIPT, '"shuffle" of round 2 must be true or false, not 1')


@pytest.mark.parametrize("game", ["roulette", "craps", "keno"])
def test_a_game_without_cards_has_none_to_shuffle(game: str) -> None:
    told = refused({"game": game, "draws": [], "seats": {}, "shuffle": True})

    assert told.fault is Fault.NOT_NOW
    assert told.message == f"{game} has no cards to shuffle"


def test_a_round_that_shuffles_needs_the_cards_that_are_burnt() -> None:
    told = refused(scripted(shuffle=True, draws=["5h", "3c"]))

    says(told, Fault.BAD_SCRIPT, "the script gives 2 draws and needs at least")


def test_a_seat_of_a_script_may_have_a_name() -> None:
    seats = {seat: {"wagers": {"initial": 1000}, "player": "Ann"} for seat in ("1", "2")}
    war = {"game": "casino-war", "draws": ["9h", "2c", "5d"], "seats": seats}

    says(refused(war), Fault.NOT_NOW, "a player may have 1 position", "22 (customary)")
    run(war | {"options": {"positions_per_player": "2"}})


@pytest.mark.parametrize("name", [None, 7, True, "", [], ["Ann"], {}])
def test_the_name_of_a_player_is_a_text(name: Any) -> None:
    told = refused(scripted({"player": name}))

    says(told, Fault.BAD_SCRIPT, '"player" of seat 1')


# Whatever happens, every card is somewhere.


KINDS = st.sampled_from(["drawn_early", "face_up", "torn", "dropped", "too_few_cards"])


@given(
    shoe=st.lists(st.sampled_from(deck()), min_size=1, max_size=8),
    mishaps=st.lists(st.one_of(st.none(), KINDS), max_size=12),
    data=st.data(),
)
def test_no_card_and_no_cent_is_ever_lost(
    shoe: list[Card], mishaps: Sequence[str | None], data: st.DataObject
) -> None:
    """Rounds with anything that can happen, from a shoe that soon runs out."""
    table = in_play(" ".join(map(str, shoe)))
    coming = iter(mishaps)
    for _ in range(4):
        if table.state.shuffle_due:
            break
        play = begin(table, "1", "2")
        while play.request is not None:
            assert isinstance(play.request, Draw | Inspect)
            mishap = next(coming, None)
            if mishap and mishap not in play.request.barred:
                play.answer(REPORT[mishap])
            elif isinstance(play.request, Draw):
                play.answer(data.draw(st.sampled_from(sorted(can_come(play.request)))))
            else:
                play.answer(None)
            assert kept_whole(table)
            on_layout = sorted(card for hand in table.hands.values() for card in hand)
            assert on_layout == sorted(table.equipment.on_layout)
        assert not table.bets
        assert table.money["1"] == table.money["2"]
        assert table.equipment.on_layout == table.hands[SET_ASIDE]
