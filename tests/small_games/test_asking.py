"""Live tables of the small games without a disk: whom they ask, and what a replay makes of it.

One more game asks about two hands of a seat at once: each answer is that of one hand.
"""

import json
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.equipment import Card, Odds, Shoe, deck
from croupier.games import registry
from croupier.rulebook import Fault, Game, Round, Table, TableOptions, Wager, asked, seat_of
from tests.floor.support import ANN, BOB, PATRONS, Felt, seat_all
from tests.small_games.games import MISDEAL, RULE, LittleOptions, find
from tests.small_games.support import every_small_game, some_move


class TwoHands(Game):
    """Every seat has two cards, each a hand of its own, and keeps or drops both at once."""

    id = "two-hands"
    title = "Two hands"
    cite = RULE
    positions = 2
    family = "shoe"
    in_words = "Keep red cards."
    Options = LittleOptions
    wagers = (
        Wager(id="cards", title="Cards", cite=RULE, paid_by=RULE, pays=Odds(1),
              covers=frozenset({True})),
    )  # fmt: skip
    irregularities = MISDEAL

    def device(self, options: TableOptions) -> Shoe[Card]:
        return Shoe(deck(), name="deck")

    def round(self, table: Table) -> Round:
        table.no_more_bets(RULE)
        table.equipment.shuffle()
        hands = [name for seat in table.clockwise() for name in (seat, f"{seat}.2")]
        for name in hands:
            yield from table.draw(table.equipment, to=name, face_down=True)
        question = ("keep it?", ("drop", "keep"))
        said = yield from table.ask_all(dict.fromkeys(hands, question), cite=RULE)
        yield from table.inspect()
        won = {seat: (said[seat] == "keep") for seat in table.clockwise()}
        table.settle_each(won, RULE)
        table.pick_up(RULE)


@pytest.fixture
def felt(monkeypatch: pytest.MonkeyPatch) -> Felt:
    """Ann and Bob are asked about two hands each."""
    monkeypatch.setitem(registry(), TwoHands.id, TwoHands())
    felt = Felt("two-hands")
    seat_all(felt, [ANN, BOB])
    for seat, person in (("1", ANN), ("2", BOB)):
        felt.do(person, "bet", seat=seat, wagers={"cards": 100})
    for seat, person in (("1", ANN), ("2", BOB)):
        felt.do(person, "ready", seat=seat)
    return felt


def waiting(felt: Felt) -> list[str]:
    questions = felt.live.questions("", sees_all=True)
    return [each.get("hand") or each["seat"] for each in questions]


def number(felt: Felt, hand: str) -> int:
    return felt.live.asked_numbers[hand]


def test_each_hand_is_asked_by_an_event_of_its_own(felt: Felt) -> None:
    assert waiting(felt) == ["1", "1.2", "2", "2.2"]
    assert len({number(felt, hand) for hand in waiting(felt)}) == 4


def test_an_answer_names_its_hand(felt: Felt) -> None:
    felt.do(ANN, "move", seat="1", move="keep", hand="1.2")
    assert waiting(felt) == ["1", "2", "2.2"]
    felt.do(ANN, "move", seat="1", move="keep")
    assert waiting(felt) == ["2", "2.2"]


def test_an_answer_to_another_seats_hand_is_refused(felt: Felt) -> None:
    said = felt.refused(ANN, "move", seat="1", move="keep", hand="2.2")
    assert "not asked" in said.message


def test_the_number_of_another_seats_question_is_refused(felt: Felt) -> None:
    """With the same words as a question that is over, whether that seat is asked or not."""
    for its in (number(felt, "2"), number(felt, "2.2"), 1, 10**6):
        said = felt.refused(ANN, "move", seat="1", move="keep", asked=its)
        assert (said.fault, said.message) == (Fault.STALE, "that question is over")
    assert waiting(felt) == ["1", "1.2", "2", "2.2"]


def test_a_hand_that_is_not_asked_about_is_named(felt: Felt) -> None:
    said = felt.refused(ANN, "move", seat="1", move="keep", hand="1.7")
    assert said.message == "hand 1.7 is not asked for anything now"


def test_an_answer_that_has_been_given_is_refused(felt: Felt) -> None:
    felt.do(ANN, "move", seat="1", move="keep", hand="1.2")
    said = felt.refused(ANN, "move", seat="1", move="keep", hand="1.2")
    assert said.message == "you have answered already"


def test_the_number_of_a_question_says_which_hand_is_meant(felt: Felt) -> None:
    felt.do(ANN, "move", seat="1", move="keep", asked=number(felt, "1.2"))
    assert waiting(felt) == ["1", "2", "2.2"]


def test_an_answer_to_a_question_that_was_answered_is_not_that_of_another_hand(
    felt: Felt,
) -> None:
    """Two browsers answer the same question: the second answer must not decide the other hand."""
    first = number(felt, "1")
    felt.do(ANN, "move", seat="1", move="keep", asked=first)
    assert waiting(felt) == ["1.2", "2", "2.2"]
    felt.refused(ANN, "move", seat="1", move="drop", asked=first)
    assert waiting(felt) == ["1.2", "2", "2.2"]


def test_time_gives_the_default_to_all_who_have_not_answered(felt: Felt) -> None:
    felt.do(ANN, "move", seat="1", move="keep")
    (wait,) = felt.live.waits()
    rows = felt.live.step(
        {"do": "time_up", "waits": wait.key}, "clock", felt.clock.now(), "late", felt.chance
    )
    late = [row.data for row in rows if row.kind == "time_up"]
    assert len(late) == 3
    assert felt.live.round == 2


def test_a_replay_waits_for_the_same_hands(felt: Felt) -> None:
    felt.do(BOB, "move", seat="2", move="keep", hand="2.2")
    again = felt.replayed()
    assert again.asked_numbers == felt.live.asked_numbers
    assert again.questions("", sees_all=True) == felt.live.questions("", sees_all=True)


@every_small_game
@given(seed=st.integers(0, 2**32))
def test_a_live_table_is_its_log_whatever_is_refused_in_between(game: str, seed: int) -> None:
    """Random rounds by three people; what is refused changes nothing, and a replay is the same."""
    choose = Random(seed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(registry(), game, find(game))
        felt = Felt(game, seed=seed)
        seat_all(felt)
        people = dict(zip("123", PATRONS, strict=True))
        wager = find(game).wagers[0].id
        while felt.live.round <= 2:
            for seat, person in people.items():
                felt.do(person, "bet", seat=seat, wagers={wager: 100})
            for seat, person in people.items():
                felt.do(person, "ready", seat=seat)
            while asks := asked(felt.live.request):
                ask = choose.choice(asks)
                said = {"seat": ask.seat, **({"hand": ask.hand} if ask.hand else {})}
                if choose.random() < 0.3:
                    felt.refused(people[ask.seat], "move", **said, move="cheat")
                felt.do(people[ask.seat], "move", **said, move=some_move(ask, choose))
        again = felt.replayed()
        assert (again.head, again.number) == (felt.live.head, felt.live.number)
        assert again.table.money == felt.live.table.money
        assert felt.live.rebuilt().accounts() == felt.live.accounts()
        for account in {person.account for person in PATRONS}:
            own = again.seats_of(account)
            for event in felt.events:
                if event.kind in ("look", "chosen") and event.seen_by == account:
                    data = json.loads(event.data)
                    assert seat_of(data.get("seat") or data["to"]) in own
                assert event.kind not in ("look", "chosen") or event.seen_by is not None
