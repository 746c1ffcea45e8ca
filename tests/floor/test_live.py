"""A live table keeps its promises whatever anybody does.

The first half runs over the whole registry: a new game is held to it without being asked.
"""

import json
from random import Random
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from croupier.floor import log
from croupier.floor.commands import CLOCK
from croupier.floor.events import canonical
from croupier.floor.live import LiveTable, Terms, from_memory
from croupier.floor.roles import NotAllowed, Person
from croupier.floor.storage import Storage
from croupier.rulebook import CAGE, Draw, Fault, Game, Inspect, Refusal, Then
from croupier.simulation.streams import SeededStream
from tests.floor.support import (
    ANN,
    BOB,
    CAT,
    DEALER,
    FLOORPERSON,
    PATRONS,
    SUPERVISOR,
    At,
    FakeClock,
    Felt,
    a_pit,
    any_move,
    any_wager,
    balanced,
    every_game,
    finish,
    go_on,
    opened,
    seat_all,
    standing,
    told,
)

PERSON = Terms(dealer="person")
REAL = Terms(dealer="person", equipment="real")


# Whatever people do.


class Evening:
    """Some people at a table, who do what they may and try what they may not."""

    def __init__(self, game: Game, seed: int, terms: Terms) -> None:
        self.felt = Felt(game.id, seed=seed, terms=terms)
        self.rules = ""  # of the round in progress

    @property
    def live(self) -> LiveTable:
        return self.felt.live

    def do(self, act: str, choose: Random) -> None:
        getattr(self, act)(choose)
        balanced(self.live)
        if self.live.play is None:
            self.rules = self.live.rules
        assert self.live.rules == self.rules, "the rules of a round in progress have changed"

    def somebody(self, choose: Random) -> tuple[Person, str] | None:
        """Somebody who sits at the table, and where."""
        seats = [(who, seat) for who in PATRONS for seat in self.live.seats_of(who.account)]
        return choose.choice(seats) if seats else None

    def holder(self, seat: str) -> Person:
        return next(who for who in PATRONS if who.account == self.live.chairs[seat].account)

    @property
    def question(self) -> dict[str, Any] | None:
        return self.live.question("", sees_all=True)

    # What is offered is accepted.

    def sit(self, choose: Random) -> None:
        free = [seat for seat in self.live.table.positions if seat not in self.live.chairs]
        if free:
            seat, who = choose.choice(free), choose.choice(PATRONS)
            buy_in = choose.choice([500, 2_500, 10_000, 1_000_000])
            try:
                self.felt.do(who, "sit", seat=seat, buy_in=buy_in)
            except Refusal as refusal:  # a second position, where there may be none
                assert refusal.cite
                assert self.live.seats_of(who.account)

    def buy_in(self, choose: Random) -> None:
        if at := self.somebody(choose):
            self.felt.do(at[0], "buy_in", seat=at[1], amount=choose.choice([1, 700, 50_000]))

    def bet(self, choose: Random) -> None:
        if (at := self.somebody(choose)) and (wager := any_wager(self.live, at[1], choose)):
            self.felt.do(at[0], "bet", seat=at[1], wagers=wager)
            ((label, amount),) = wager.items()
            lying = self.live.table.lying(at[1], label)
            assert (lying.stake if lying else 0) == amount

    def bet_all_he_has(self, choose: Random) -> None:
        if at := self.somebody(choose):
            affordable = [o for o in self.live.openings(at[1]) if o["high"] >= o["low"]]
            for each in choose.sample(affordable, min(2, len(affordable))):
                if each in self.live.openings(at[1]):
                    wagers = {each["wager"]: each["high"]}
                    self.felt.do(at[0], "bet", seat=at[1], wagers=wagers)

    def bet_the_same_again(self, choose: Random) -> None:
        if (at := self.somebody(choose)) and self.live.play is None:
            before, number = standing(self.live), len(self.felt.events)
            wagers = {bet.label: bet.stake for bet in self.live.table.bets_of(at[1])}
            self.felt.do(at[0], "bet", seat=at[1], wagers=wagers)
            assert standing(self.live) == before
            assert len(self.felt.events) == number

    def ready(self, choose: Random) -> None:
        for seat in [*self.live.chairs]:
            if self.live.play is None and seat in self.live.chairs:
                self.felt.do(self.holder(seat), "ready", seat=seat)
        if self.live.play is None and self.live.terms.dealer == "person":
            self.be_dealer()
            self.felt.do(DEALER, "no_more_bets")

    def be_dealer(self) -> None:
        if self.live.dealer is None:
            self.felt.do(DEALER, "take_dealer")

    def move(self, choose: Random) -> None:
        if question := self.question:
            seat = question["seat"]
            assert question["default"] in [move["move"] for move in question["moves"]]
            move = any_move(question, choose)
            self.felt.do(self.holder(seat), "move", seat=seat, move=move)
        elif self.live.play is not None:
            self.deal(choose)

    def deal(self, choose: Random) -> None:
        request = self.live.play.request if self.live.play else None
        self.be_dealer()
        if self.live.terms.equipment == "real" and isinstance(request, Draw):
            came = request.device.say(request.device.draw(self.felt.chance))
            self.felt.do(DEALER, "deal", outcome=came)
        else:
            self.felt.do(DEALER, "deal", count=choose.choice([1, 1, 2, None]))

    def report(self, choose: Random) -> None:
        request = self.live.play.request if self.live.play else None
        if not isinstance(request, Draw | Inspect):
            return
        kinds = [
            kind
            for kind, rule in request.irregularities.items()
            if isinstance(request, Draw) or rule.then is not Then.DRAW_AGAIN
            if kind not in request.barred
            if self.live.table.bets or rule.then is not Then.RETURN_WAGER
        ]
        if kinds:
            kind = choose.choice(kinds)
            rule, about = request.irregularities[kind], {}
            if kind in request.seats:
                about = {"seat": choose.choice([*request.seats[kind]])}
            if rule.then is Then.RETURN_WAGER:
                bet = choose.choice([*self.live.table.bets.values()])
                about = {"seat": bet.seat, "wager": bet.label}
            who = choose.choice([DEALER, FLOORPERSON])
            self.be_dealer()
            rows = self.felt.do(who, "report", irregularity=kind, **about)
            (said,) = [event for event in rows if event.kind == "irregularity"][:1]
            assert (said.citation, said.actor) == (str(rule.cite), who.account)

    def time_up(self, choose: Random) -> None:
        if self.live.waits():
            self.felt.do(CLOCK, "time_up")

    def leave(self, choose: Random) -> None:
        if at := self.somebody(choose):
            self.felt.do(at[0], "leave", seat=at[1])

    def freeze_and_thaw(self, choose: Random) -> None:
        before = standing(self.live)
        self.felt.do(FLOORPERSON, "freeze", why="a dispute")
        assert not self.live.waits()
        if at := self.somebody(choose):
            refusal = self.felt.refused(at[0], choose.choice(["leave", "ready"]), seat=at[1])
            assert (refusal.fault, bool(refusal.cite)) == (Fault.TABLE_FROZEN, True)
        self.felt.do(SUPERVISOR, "thaw", why="it is settled")
        after = standing(self.live)
        for key in ("number", "head", "thaws_to"):
            before.pop(key), after.pop(key)
        assert after == before

    # What is not, is refused with a citation, and changes nothing.

    def bet_outside(self, choose: Random) -> None:
        at = self.somebody(choose)
        offered = self.live.openings(at[1]) if at else []
        if at and offered:
            each = choose.choice(offered)
            low, high, step = each["low"], each["high"], each["step"]
            outside = {-1, low - step, max(low, high) + step}
            for amount in sorted(outside | ({low + 1} if step > 1 else set())):
                if amount not in (0, each["stake"]):
                    wagers = {each["wager"]: amount}
                    assert self.felt.refused(at[0], "bet", seat=at[1], wagers=wagers).cite

    def bet_too_late(self, choose: Random) -> None:
        if self.live.play is not None and (at := self.somebody(choose)):
            table = self.live.table
            wager = choose.choice(table.game.offered(table.options))
            label = wager.label(next(iter(wager.shown(table.options)), ""))
            assert not self.live.openings(at[1])
            assert self.felt.refused(at[0], "bet", seat=at[1], wagers={label: 1000}).cite

    def move_unasked(self, choose: Random) -> None:
        if at := self.somebody(choose):
            question = self.question
            move: Any = choose.choice(["dance", {"fold": 1}, {"bet": 10**12}])
            if question is None or question["seat"] != at[1]:
                move = question["default"] if question else "fold"
            assert self.felt.refused(at[0], "move", seat=at[1], move=move).cite

    def act_for_another(self, choose: Random) -> None:
        if at := self.somebody(choose):
            other = choose.choice([who for who in PATRONS if who is not at[0]])
            do = choose.choice(["leave", "ready", "take_control"])
            assert self.felt.refused(other, do, seat=at[1]).fault is Fault.FORBIDDEN

    def look_back(self, choose: Random) -> None:
        """A table that was built again is the same, and goes on from there."""
        again = self.live.rebuilt()
        assert standing(again) == standing(self.live)
        self.felt.live = again

    def be_stored(self, choose: Random) -> None:
        """A table that was put away between two rounds is the same, and goes on from there."""
        if self.live.play is None:
            self.live.remember()
            again = from_memory(json.loads(canonical(self.live.memory)))
            assert standing(again) == standing(self.live)
            self.felt.live = again


OFTEN = ["bet", "bet", "bet", "ready", "ready", "move", "move", "move", "move", "time_up"]
SOMETIMES = [
    "sit", "buy_in", "leave", "freeze_and_thaw", "bet_all_he_has", "bet_the_same_again", "report",
    "bet_outside", "bet_too_late", "move_unasked", "act_for_another", "look_back", "be_stored",
]  # fmt: skip


@every_game
@settings(max_examples=15, phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(
    seed=st.integers(0, 1 << 16),
    terms=st.sampled_from([Terms(), Terms(), PERSON, REAL]),
    acts=st.lists(
        st.tuples(st.sampled_from([*OFTEN, *SOMETIMES]), st.integers(0, 1 << 16)),
        min_size=25, max_size=50,
    ),
)  # fmt: skip
def test_whatever_people_do_the_money_and_the_log_are_in_order(
    game: Game, seed: int, terms: Terms, acts: list[tuple[str, int]]
) -> None:
    evening = Evening(game, seed, terms)
    for act, number in [("sit", 1), ("sit", 2), *acts]:
        evening.do(act, Random(number))
    live, events = evening.live, evening.felt.events
    assert standing(evening.felt.replayed()) == standing(live)
    assert live.memory is not None
    remembered = from_memory(json.loads(canonical(live.memory)))
    log.replay(remembered, events[live.memory["number"] :])
    assert standing(remembered) == standing(live)
    for event in events:
        assert not {"number", "round", "kind", "at", "citation"} & set(json.loads(event.data))


# People come and go.


@every_game
def test_everyone_can_leave_in_the_middle_of_a_round_and_is_paid_what_he_has(game: Game) -> None:
    felt, choose = Felt(game.id), Random(5)
    seat_all(felt, buy_in=200_000)
    finish(felt, PATRONS, choose)
    until_in_a_round(felt, choose)
    for who in PATRONS:
        for seat in felt.live.seats_of(who.account):
            felt.do(who, "leave", seat=seat)
    let_the_clock_run(felt, lambda: not felt.live.chairs)
    left = told(felt.events, "left")
    assert sorted(each["seat"] for each in left) == ["1", "2", "3"]
    assert felt.live.accounts()[CAGE] == sum(each["cash"] for each in left) - 600_000
    balanced(felt.live)


@every_game
def test_a_table_that_is_closed_in_a_round_finishes_it_pays_everyone_and_takes_no_wager(
    game: Game,
) -> None:
    felt, choose = Felt(game.id), Random(6)
    seat_all(felt, buy_in=200_000)
    until_in_a_round(felt, choose)
    felt.do(FLOORPERSON, "close_table", why="it is late")
    assert felt.live.status == "closing"
    assert felt.refused(BOB, "sit", seat="4").cite
    let_the_clock_run(felt, lambda: felt.live.status == "closed")
    assert not felt.live.chairs
    assert felt.events[-1].kind == "closed"
    refusal = felt.refused(BOB, "sit", seat="1")
    assert (refusal.fault, bool(refusal.cite)) == (Fault.TABLE_CLOSED, True)


def until_in_a_round(felt: Felt, choose: Random) -> None:
    """Somebody is asked something, or at least wagers lie on the layout."""
    for _ in range(30):
        go_on(felt, PATRONS, choose)
        if felt.live.play is not None:
            return
    while not felt.live.table.bets:
        go_on(felt, PATRONS, choose)


def let_the_clock_run(felt: Felt, done: Any) -> None:
    for _ in range(300):
        if done():
            return
        assert felt.live.waits(), "nobody acts, and the clock does not either"
        felt.do(CLOCK, "time_up")
    raise AssertionError("it does not end")


def asked(game: str = "three-card-poker", wagers: dict[str, int] | None = None) -> Felt:
    """Ann has wagered, and is asked what to do with her cards."""
    felt = Felt(game)
    felt.do(ANN, "sit", seat="1", buy_in=100_000)
    felt.do(ANN, "bet", seat="1", wagers=wagers or {"ante": 1000})
    felt.do(ANN, "ready", seat="1")
    assert felt.live.phase == "deciding"
    return felt


def test_who_comes_in_the_middle_of_a_round_waits_for_the_next() -> None:
    felt = asked()
    felt.do(BOB, "sit", seat="2", buy_in=50_000)
    assert felt.live.view(BOB.account)["seats"]["2"]["waiting"]
    refusal = felt.refused(BOB, "bet", seat="2", wagers={"ante": 1000})
    assert (refusal.fault, bool(refusal.cite)) == (Fault.NO_MORE_BETS, True)
    felt.do(ANN, "move", seat="1", move="fold")
    assert not felt.live.view(BOB.account)["seats"]["2"]["waiting"]
    felt.do(BOB, "bet", seat="2", wagers={"ante": 1000})


def test_who_came_in_the_middle_of_a_round_can_leave_before_the_next() -> None:
    felt = asked()
    felt.do(BOB, "sit", seat="2", buy_in=50_000)
    felt.do(BOB, "leave", seat="2")
    felt.do(ANN, "move", seat="1", move="fold")
    (left,) = told(felt.events, "left")
    assert (left["seat"], left["cash"]) == ("2", 50_000)


def test_who_leaves_first_does_not_depend_on_how_the_table_was_stored() -> None:
    felt = Felt("roulette")
    for who, seat in ((CAT, "7"), (BOB, "4"), (ANN, "1")):
        felt.do(who, "sit", seat=seat, buy_in=1000)
    felt.live.remember()
    stored, number = canonical(felt.live.memory), len(felt.events)
    felt.do(FLOORPERSON, "close_table", why="it is late")
    again = from_memory(json.loads(stored))
    log.replay(again, felt.events[number:])
    assert standing(again) == standing(felt.live)


@every_game
def test_two_positions_of_one_player_are_his_or_refused_with_the_rule(game: Game) -> None:
    felt, choose = Felt(game.id), Random(7)
    felt.do(ANN, "sit", seat="1", buy_in=500_000)
    felt.do(BOB, "sit", seat="3", buy_in=500_000)
    try:
        felt.do(ANN, "sit", seat="2", buy_in=500_000)
    except Refusal as refusal:
        assert refusal.cite
        return
    assert felt.live.seats_of(ANN.account) == ["1", "2"]
    for _ in range(3):
        finish(felt, PATRONS, choose)
    for event in felt.events:
        assert event.seen_by in (None, "nobody", ANN.account, BOB.account)
        if event.kind == "look" and event.seen_by == ANN.account:
            assert json.loads(event.data).get("seat", json.loads(event.data)["to"]) in ("1", "2")
    assert standing(felt.replayed()) == standing(felt.live)


def test_a_seat_is_taken_once_and_unknown_seats_are_refused() -> None:
    felt = Felt("roulette")
    felt.do(ANN, "sit", seat="1")
    assert felt.refused(BOB, "sit", seat="1").fault is Fault.SEAT_TAKEN
    for seat in ("0", "99", "", 1, None, ["1"]):
        assert felt.refused(BOB, "sit", seat=seat).fault is Fault.UNKNOWN_SEAT


def test_nobody_buys_in_for_nothing_for_fractions_or_for_more_than_the_table_takes() -> None:
    felt = Felt("roulette", terms=Terms(most_buy_in=100_000))
    felt.do(ANN, "sit", seat="1", buy_in=100_000)
    for amount in (-1, 0, 0.5, True, "100", None, 100_001, 10**20):
        assert felt.refused(ANN, "buy_in", seat="1", amount=amount).cite


# The dealer is a person.


def dealt_by_dee(game: str, wagers: dict[str, int], terms: Terms = PERSON) -> Felt:
    felt = Felt(game, terms=terms)
    felt.do(ANN, "sit", seat="1", buy_in=100_000)
    felt.do(DEALER, "take_dealer")
    felt.do(ANN, "bet", seat="1", wagers=wagers)
    return felt


def test_a_dealer_closes_the_betting_and_deals_card_by_card() -> None:
    felt = dealt_by_dee("casino-war", {"initial": 1000})
    assert not felt.live.waits(), "the dealer closes the betting, and not the clock"
    felt.do(ANN, "ready", seat="1")
    assert felt.live.phase == "betting"
    felt.do(DEALER, "no_more_bets")
    drawn = 0
    while felt.live.play is not None:
        if felt.live.phase == "deciding":
            go_on(felt, PATRONS, Random(1))
            continue
        rows = felt.do(DEALER, "deal", count=1)
        draws = sum(event.kind == "draw" for event in rows)
        assert draws <= 1
        drawn += draws
    assert drawn >= 2


@pytest.mark.parametrize(
    "game", ["three-card-poker", "four-card-poker", "texas-hold-em-bonus-poker"]
)
def test_all_that_a_dealer_does_is_written_though_nothing_is_to_be_seen(game: str) -> None:
    """All have folded: he looks whether all is in order, and looks again."""
    felt = dealt_by_dee(game, {"ante": 1000})
    felt.do(DEALER, "no_more_bets")
    felt.do(DEALER, "deal")
    felt.do(ANN, "move", seat="1", move="fold")
    while felt.live.play is not None:
        assert felt.do(DEALER, "deal", count=1)
    assert "inspected" in [event.kind for event in felt.events]
    assert standing(felt.replayed()) == standing(felt.live)


def test_only_who_sits_in_the_dealers_chair_deals() -> None:
    felt = dealt_by_dee("casino-war", {"initial": 1000})
    other = Person("account-of-Don", "Don", DEALER.role, "session-of-Don")
    tab = Person(DEALER.account, "Dee", DEALER.role, "another-session")
    assert felt.refused(other, "no_more_bets").fault is Fault.FORBIDDEN
    assert felt.refused(other, "take_dealer").fault is Fault.SEAT_TAKEN
    assert felt.refused(tab, "no_more_bets").fault is Fault.NOT_CONTROLLING
    with pytest.raises(NotAllowed):
        felt.do(ANN, "no_more_bets")
    felt.do(DEALER, "leave_dealer")
    felt.do(other, "take_dealer")
    felt.do(other, "no_more_bets")


def test_the_house_deals_where_nobody_else_may() -> None:
    felt = Felt("roulette")
    assert felt.refused(DEALER, "take_dealer").fault is Fault.FORBIDDEN
    assert felt.refused(DEALER, "deal").fault is Fault.FORBIDDEN


def test_an_irregularity_is_resolved_by_its_rule_and_cited_in_the_log() -> None:
    felt = dealt_by_dee("roulette", {"straight:17": 1000})
    felt.do(DEALER, "no_more_bets")
    rule = felt.live.table.irregularities["foreign_object"]
    rows = felt.do(DEALER, "report", irregularity="foreign_object")
    (event,) = [each for each in rows if each.kind == "irregularity"]
    assert event.citation == str(rule.cite)
    assert event.shown()["resolution"] == rule.says
    assert felt.live.play is not None, "the ball is spun again"
    felt.do(DEALER, "deal")
    assert felt.live.round == 2


def test_an_irregularity_that_voids_the_round_returns_every_wager() -> None:
    felt = dealt_by_dee("three-card-poker", {"ante": 1000})
    felt.do(DEALER, "no_more_bets")
    rule = felt.live.table.irregularities["cards_face_up"]
    assert rule.then is Then.VOID_ROUND
    felt.do(DEALER, "deal", count=3)
    rows = felt.do(FLOORPERSON, "report", irregularity="cards_face_up")
    (over,) = told(rows, "round_over")
    assert over["void"] == str(rule.cite)
    assert over["stacks"] == {"1": 100_000}


def test_a_dealer_says_what_came_where_the_equipment_is_real() -> None:
    felt = dealt_by_dee("roulette", {"straight:17": 1000}, REAL)
    felt.do(DEALER, "no_more_bets")
    assert felt.refused(DEALER, "deal").fault is Fault.IMPOSSIBLE_OUTCOME
    assert felt.refused(DEALER, "deal", outcome="38").fault is Fault.IMPOSSIBLE_OUTCOME
    rows = felt.do(DEALER, "deal", outcome="17")
    if felt.live.play is not None:  # nothing was irregular
        rows = felt.do(DEALER, "deal")
    (over,) = told(rows, "round_over")
    assert over["stacks"] == {"1": 100_000 + 35_000}


def test_nobody_chooses_an_outcome_where_chance_does() -> None:
    felt = dealt_by_dee("roulette", {"straight:17": 1000})
    felt.do(DEALER, "no_more_bets")
    assert felt.refused(DEALER, "deal", outcome="17").fault is Fault.FORBIDDEN


def test_a_dealer_does_not_deal_while_a_player_decides() -> None:
    felt = dealt_by_dee("three-card-poker", {"ante": 1000})
    felt.do(DEALER, "no_more_bets")
    felt.do(DEALER, "deal")
    assert felt.live.phase == "deciding"
    assert felt.refused(DEALER, "deal").cite
    assert felt.refused(DEALER, "no_more_bets").cite


# What the house puts right.


def test_a_wrong_payment_is_put_right_by_a_new_one() -> None:
    felt = asked()
    about = felt.events[-1].number
    rows = felt.do(SUPERVISOR, "correct", seat="1", cents=2500, why="paid short", about=about)
    (event,) = rows
    assert (event.kind, event.actor, bool(event.citation)) == (
        "correction", SUPERVISOR.account, True,
    )  # fmt: skip
    assert event.shown()["about"] == about
    assert json.loads(event.money or "") == {"1": 2500, "house": -2500}
    felt.do(SUPERVISOR, "correct", seat="1", cents=-2500, why="it was right", about=about)
    felt.do(SUPERVISOR, "correct", cage=True, cents=700, why="he had left", about=about)
    assert felt.live.accounts()["house"] == -700
    balanced(felt.live)
    assert standing(felt.replayed()) == standing(felt.live)


def test_nothing_is_taken_back_that_a_player_does_not_have() -> None:
    felt = asked()
    refusal = felt.refused(SUPERVISOR, "correct", seat="1", cents=-99_001, why="x", about=1)
    assert (refusal.fault, bool(refusal.cite)) == (Fault.NO_FUNDS, True)
    refusal = felt.refused(SUPERVISOR, "correct", seat="5", cents=100, why="x", about=1)
    assert refusal.fault is Fault.UNKNOWN_SEAT
    with pytest.raises(NotAllowed):
        felt.do(FLOORPERSON, "correct", seat="1", cents=1, why="x", about=1)


def test_a_frozen_table_stands_still_and_a_supervisor_thaws_it() -> None:
    felt = asked()
    felt.do(FLOORPERSON, "freeze", why="a dispute", about=3)
    assert not felt.live.waits()
    assert felt.refused(ANN, "move", seat="1", move="fold").fault is Fault.TABLE_FROZEN
    with pytest.raises(NotAllowed):
        felt.do(FLOORPERSON, "thaw", why="x")
    felt.do(SUPERVISOR, "thaw", why="it was right")
    assert felt.refused(SUPERVISOR, "thaw", why="x").cite
    felt.do(ANN, "move", seat="1", move="fold")


def test_a_table_that_is_closed_while_frozen_closes_when_it_is_thawed() -> None:
    felt = asked()
    felt.do(FLOORPERSON, "freeze", why="a dispute")
    felt.do(FLOORPERSON, "close_table", why="for good")
    assert felt.live.status == "frozen"
    felt.do(SUPERVISOR, "thaw", why="it was right")
    felt.do(ANN, "move", seat="1", move="fold")
    assert felt.live.status == "closed"
    refusal = felt.refused(FLOORPERSON, "freeze", why="too late")
    assert refusal.fault is Fault.TABLE_CLOSED
    assert felt.refused(FLOORPERSON, "close_table", why="again").fault is Fault.TABLE_CLOSED


def test_real_equipment_needs_a_person_who_says_what_came() -> None:
    with pytest.raises(Refusal) as caught:
        Felt("roulette", terms=Terms(dealer="house", equipment="real"))
    assert caught.value.cite


# Sheet 08: what is changed at a table, and when.


class Watched:
    """A pit without a thread, whose time is ours."""

    def __init__(self, storage: Storage, game: str = "roulette", **how: Any) -> None:
        self.clock = FakeClock()
        self.pit = a_pit(storage, clock=self.clock, chance=SeededStream(1))
        options = {"table_min": 1000, "table_max": 200_000}
        self.at: At = opened(self.pit, game, options=options, **how)

    def passes(self, seconds: float) -> None:
        """Time passes, a second at a time at first and at last."""
        for part in (1, seconds - 2, 1):
            self.clock.passes(part)
            self.pit.tick()

    @property
    def least(self) -> int:
        least: int = self.at.live.table.options.table_min
        return least


def test_with_players_at_the_table_a_change_needs_thirty_minutes(storage: Storage) -> None:
    watched = Watched(storage)
    at = watched.at
    at.do(ANN, "sit", seat="1", buy_in=100_000)
    early = watched.clock.in_minutes(29)
    refusal = at.refused(FLOORPERSON, "post_notice", options={"table_min": 2000}, at=early)
    assert (refusal.fault, str(refusal.cite)) == (Fault.NOTICE_NEEDED, "19:47-8.3 (customary)")
    at.do(FLOORPERSON, "post_notice", options={"table_min": 2000})
    assert at.live.view(ANN.account)["notice"]["effective_at"] == watched.clock.in_minutes(30)
    watched.passes(29 * 60)
    assert watched.least == 1000
    watched.passes(61)
    assert watched.least == 2000
    (changed,) = told(at.events(), "options_changed")
    assert changed["options"]["table_min"] == 2000
    assert changed["citation"]
    assert at.live.view(ANN.account)["notice"] is None


def test_without_players_a_change_is_made_at_once(storage: Storage) -> None:
    watched = Watched(storage)
    watched.at.do(FLOORPERSON, "post_notice", options={"table_min": 2000})
    watched.passes(3)
    assert watched.least == 2000


@pytest.mark.parametrize("better", [{"table_min": 500}, {"table_max": 900_000}])
def test_what_is_better_for_the_players_needs_no_notice(
    storage: Storage, better: dict[str, int]
) -> None:
    watched = Watched(storage)
    watched.at.do(ANN, "sit", seat="1", buy_in=100_000)
    watched.at.do(FLOORPERSON, "post_notice", options=better)
    watched.passes(3)
    ((name, value),) = better.items()
    assert getattr(watched.at.live.table.options, name) == value


@pytest.mark.parametrize("worse", [{"table_min": 500, "table_max": 100_000}, {"increment": 100}])
def test_what_is_better_in_part_needs_notice_as_a_whole(
    storage: Storage, worse: dict[str, int]
) -> None:
    watched = Watched(storage)
    watched.at.do(ANN, "sit", seat="1", buy_in=100_000)
    watched.at.do(FLOORPERSON, "post_notice", options=worse)
    watched.passes(60)
    assert not told(watched.at.events(), "options_changed")


def test_a_change_waits_until_the_round_is_over_and_the_layout_is_empty(storage: Storage) -> None:
    watched = Watched(storage, "three-card-poker")
    at = watched.at
    at.do(ANN, "sit", seat="1", buy_in=100_000)
    at.do(ANN, "bet", seat="1", wagers={"ante": 1000})
    at.do(FLOORPERSON, "post_notice", options={"table_min": 500})
    watched.passes(3)
    assert watched.least == 1000, "a wager lies on the layout"
    at.do(ANN, "ready", seat="1")
    rules = at.live.rules
    watched.passes(3)
    assert (watched.least, at.live.rules) == (1000, rules), "a round is in progress"
    at.do(ANN, "move", seat="1", move="fold")
    watched.passes(3)
    assert watched.least == 500
    assert at.live.rules != rules
    over, changed = (at.kinds().index(kind) for kind in ("round_over", "options_changed"))
    assert over < changed


def test_the_last_notice_counts_and_its_own_time(storage: Storage) -> None:
    watched = Watched(storage)
    at = watched.at
    at.do(ANN, "sit", seat="1", buy_in=100_000)
    at.do(FLOORPERSON, "post_notice", options={"table_min": 2000})
    watched.passes(10 * 60)
    at.do(FLOORPERSON, "post_notice", options={"table_min": 3000})
    watched.passes(21 * 60)
    assert watched.least == 1000, "the first sign was taken away"
    watched.passes(10 * 60)
    assert watched.least == 3000


def test_a_notice_that_was_due_does_not_hurry_the_next(storage: Storage) -> None:
    watched = Watched(storage)
    at = watched.at
    at.do(ANN, "sit", seat="1", buy_in=100_000)
    at.do(FLOORPERSON, "post_notice", options={"table_min": 500})
    at.do(ANN, "bet", seat="1", wagers={"straight:17": 1000})
    at.do(FLOORPERSON, "freeze", why="a dispute")
    watched.passes(5)
    at.do(SUPERVISOR, "thaw", why="it is settled")
    at.do(FLOORPERSON, "post_notice", options={"table_min": 3000})
    at.do(ANN, "bet", seat="1", wagers={"straight:17": 0})
    watched.passes(60)
    assert watched.least == 1000


def test_an_unlawful_change_is_refused_with_every_reason(storage: Storage) -> None:
    watched = Watched(storage)
    refused = watched.at.refused
    for options in ({"table_min": 0}, {"no_such_option": 1}, {"table_min": 10**9}):
        refusal = refused(FLOORPERSON, "post_notice", options=options)
        assert refusal.fault is Fault.UNLAWFUL_TABLE
    with pytest.raises(NotAllowed):
        watched.at.do(ANN, "post_notice", options={"table_min": 500})


def test_a_change_that_cannot_be_made_any_more_is_withdrawn(storage: Storage) -> None:
    watched = Watched(storage, "red-dog")
    at = watched.at
    at.do(FLOORPERSON, "post_notice", options={"positions": 2}, at=watched.clock.in_minutes(20))
    at.do(ANN, "sit", seat="5", buy_in=100_000)
    watched.passes(20 * 60 + 5)
    assert len(at.live.table.positions) > 2
    (withdrawn,) = told(at.events(), "notice_withdrawn")
    assert "seat 5" in withdrawn["why"]
    number = at.live.number
    watched.passes(60)
    assert at.live.number == number, "it is tried once"


# Time.


def test_betting_closes_by_the_clock(storage: Storage) -> None:
    watched = Watched(storage, terms=Terms(bet_seconds=20))
    at = watched.at
    at.do(ANN, "sit", seat="1", buy_in=100_000)
    watched.passes(60)
    assert at.live.round == 1, "nothing is wagered, and nobody waits"
    at.do(ANN, "bet", seat="1", wagers={"straight:17": 1000})
    assert watched.pit.seconds_left(at.stream) == 20
    watched.passes(19)
    at.do(ANN, "bet", seat="1", wagers={"straight:18": 1000})
    assert watched.pit.seconds_left(at.stream) == 1
    watched.passes(2)
    assert at.live.round == 2


def test_nobody_waits_when_all_wagers_are_taken_down(storage: Storage) -> None:
    watched = Watched(storage)
    at = watched.at
    at.do(ANN, "sit", seat="1", buy_in=100_000)
    at.do(ANN, "bet", seat="1", wagers={"straight:17": 1000})
    at.do(ANN, "bet", seat="1", wagers={"straight:17": 0})
    assert watched.pit.seconds_left(at.stream) is None
    assert at.kinds()[-1] == "betting_goes_on"
    watched.passes(100)
    assert at.live.round == 1


def test_who_does_not_answer_gets_the_move_of_the_rules(storage: Storage) -> None:
    watched = Watched(storage, "three-card-poker", terms=Terms(move_seconds=30))
    at = watched.at
    seat_all(at, (ANN, BOB), 100_000)
    for who, seat in ((ANN, "1"), (BOB, "2")):
        at.do(who, "bet", seat=seat, wagers={"ante": 1000})
        at.do(who, "ready", seat=seat)
    first = at.live.view("")["asked"]["seat"]
    watched.passes(29)
    assert at.live.view("")["asked"]["seat"] == first
    watched.passes(2)
    asked = at.live.view("")["asked"]
    assert asked["seat"] != first, "the round goes on for the others"
    (up,) = told(at.events(), "time_up")
    assert (up["seat"], up["move"]) == (first, "fold")
    assert up["citation"]
    assert watched.pit.seconds_left(at.stream) == pytest.approx(29)


def test_an_offer_has_a_time_of_its_own(storage: Storage) -> None:
    watched = Watched(storage, "craps", terms=Terms(offer_seconds=5, move_seconds=500))
    at = watched.at
    seat_all(at, (ANN, BOB), 100_000)
    at.do(ANN, "bet", seat="1", wagers={"pass": 1000})
    at.do(BOB, "bet", seat="2", wagers={"pass": 1000})
    at.do(ANN, "ready", seat="1")
    at.do(BOB, "ready", seat="2")
    question = at.live.view("")["asked"]
    assert question["offer"]
    assert watched.pit.seconds_left(at.stream) == 5
    watched.passes(6)
    after = at.live.view("")["asked"]
    assert after is None or after["number"] != question["number"]


def test_an_idle_seat_is_cashed_out(storage: Storage) -> None:
    watched = Watched(storage)
    at = watched.at
    seat_all(at, (ANN, BOB), 100_000)
    watched.passes(1000)
    at.do(BOB, "buy_in", seat="2", amount=100)
    watched.passes(900)
    assert list(at.live.chairs) == ["2"]
    (left,) = told(at.events(), "left")
    assert (left["seat"], left["cash"]) == ("1", 100_000)
    (leaving,) = told(at.events(), "leaving")
    assert leaving["idle"]


def test_an_idle_seat_with_a_wager_that_stands_leaves_when_it_is_decided(storage: Storage) -> None:
    watched = Watched(storage, "craps", terms=Terms(bet_seconds=1000))
    at = watched.at
    at.do(ANN, "sit", seat="1", buy_in=100_000)
    at.do(ANN, "bet", seat="1", wagers={"pass": 1000})
    for _ in range(100):
        watched.passes(1100)
        if not at.live.chairs:
            break
    (left,) = told(at.events(), "left")
    assert left["cash"] in (99_000, 101_000)
