"""Reports are folds of the log: they add up, and hold what was won against exact theory."""

import json
from collections import Counter
from math import sqrt
from random import Random
from typing import Any

import pytest

from croupier.analysis import analyze
from croupier.floor.live import METER, RESERVE, Terms
from croupier.floor.pit import Pit
from croupier.floor.storage import Storage
from croupier.games import find_game
from croupier.rulebook import HOUSE, LAYOUT, PokerGame
from croupier.server import reports
from tests.floor.support import (
    ANN,
    BOB,
    DEALER,
    FLOORPERSON,
    PATRONS,
    SUPERVISOR,
    At,
    FakeClock,
    every_game,
    finish,
    go_on,
    opened,
    seat_all,
)


def told(pit: Pit, what: str = "win", **how: Any) -> Any:
    with pit.storage.read() as conn:
        return reports.win(conn, **how) if what == "win" else reports.report(conn, what)


def settlements(at: At) -> list[dict[str, Any]]:
    """Of the rounds that are not void."""
    over = (json.loads(event.data) for event in at.events() if event.kind == "round_over")
    return [
        settled for each in over if each["void"] is None
        for settled in each["settlements"] if settled["result"] != "standing"
    ]  # fmt: skip


class TestWin:
    @every_game
    def test_it_is_what_the_events_add_up_to(self, pit: Pit, game: Any) -> None:
        at = opened(pit, game.id)
        seat_all(at)
        choose = Random(3)
        for _ in range(6):
            finish(at, PATRONS, choose)
        at.do(BOB, "buy_in", seat="2", amount=700)
        at.do(SUPERVISOR, "correct", seat="1", cents=300, why="a chip was overlooked", about=2)
        (table,) = told(pit)["tables"]
        settled = settlements(at)
        assert table["win"] == -sum(each["net"] for each in settled)
        assert table["staked"] == sum(each["stake"] for each in settled)
        assert table["paid"] == table["staked"] - table["win"]
        assert table["hold"] == pytest.approx(table["win"] / table["staked"])
        assert table["rounds"] == at.live.round - 1
        assert table["corrected"] == 300
        accounts = at.live.accounts()
        meter = accounts.get(METER, 0) + accounts.get(RESERVE, 0)
        assert accounts[HOUSE] == table["win"] - table["corrected"] - meter, "to the cent"

    @every_game
    def test_by_wager_and_by_seat_it_is_the_same_money(self, pit: Pit, game: Any) -> None:
        """MON-02 and MON-03."""
        at = opened(pit, game.id)
        seat_all(at)
        choose = Random(4)
        for _ in range(6):
            finish(at, PATRONS, choose)
        at.do(ANN, "leave", seat="1")
        while "1" in at.live.chairs:
            finish(at, PATRONS, choose)
        (table,) = told(pit)["tables"]
        by_wager = {each["wager"]: each for each in table["by_wager"]}
        assert list(by_wager) == sorted(by_wager, key=lambda wager: game.rank[wager])
        for name in ("staked", "paid", "win", "wagers", "vigorish"):
            assert sum(each[name] for each in by_wager.values()) == table[name]
        staked: Counter[str] = Counter()
        for each in settlements(at):
            staked[each["wager"].partition(":")[0]] += each["stake"]
        assert {wager: each["staked"] for wager, each in by_wager.items()} == dict(staked)
        seats = {each["seat"]: each for each in table["by_seat"]}
        assert sum(each["won"] for each in seats.values()) == -table["win"]
        assert sum(each["staked"] for each in seats.values()) == table["staked"]
        cash = Counter({"buy_in": 0, "cash_out": 0})
        for event in at.events():
            if event.kind in cash:
                cash[event.kind] += json.loads(event.data)["amount"]
        for kind, cents in cash.items():
            assert sum(each[kind] for each in seats.values()) == cents

    def test_rounds_of_a_wager_are_those_in_which_it_was_decided(self, pit: Pit) -> None:
        at = opened(pit, "roulette")
        seat_all(at, [ANN])
        for number in range(4):
            wagers = {"red": 500, "straight:7": 500, "straight:8": 500} if number % 2 else {}
            if wagers:
                at.do(ANN, "bet", seat="1", wagers=wagers)
            at.do(ANN, "ready", seat="1")
        (table,) = told(pit)["tables"]
        counted = {each["wager"]: (each["rounds"], each["wagers"]) for each in table["by_wager"]}
        assert counted == {"straight": (2, 4), "red": (2, 2)}
        assert table["rounds"] == 4

    def test_a_void_round_is_counted_and_left_out(self, pit: Pit) -> None:
        """MON-06."""
        at = opened(pit, "three-card-poker", terms=Terms(dealer="person"))
        seat_all(at, [ANN])
        at.do(DEALER, "take_dealer")
        at.do(ANN, "bet", seat="1", wagers={"ante": 500, "pair_plus": 700})
        at.do(DEALER, "no_more_bets")
        at.do(DEALER, "deal", count=2)
        at.do(DEALER, "report", irregularity="wrong_number_of_cards")
        (table,) = told(pit)["tables"]
        assert (table["rounds"], table["void_rounds"], table["voids"]) == (1, 1, 2)
        assert (table["staked"], table["win"], table["hold"]) == (0, 0, None)
        assert table["returned"] == 1200

    def test_every_set_of_rules_has_its_own_figures(self, pit: Pit) -> None:
        at = opened(pit, "roulette")
        seat_all(at, [ANN])
        clock = pit.clock
        assert isinstance(clock, FakeClock)
        at.do(ANN, "bet", seat="1", wagers={"red": 500})
        at.do(ANN, "ready", seat="1")
        clock.passes(10)
        at.do(FLOORPERSON, "post_notice", options={"table_min": 100})
        clock.passes(2)
        pit.tick()
        at.do(ANN, "bet", seat="1", wagers={"red": 100})
        at.do(ANN, "ready", seat="1")
        before, after = told(pit)["tables"]
        assert before["rules"] != after["rules"] == at.live.rules
        assert (before["staked"], after["staked"]) == (500, 100)
        assert before["since"] < after["since"], "when these rules came into force"

    def test_of_a_time_and_of_a_table(self, pit: Pit) -> None:
        clock = pit.clock
        assert isinstance(clock, FakeClock)
        tables = [opened(pit, "roulette") for _ in range(2)]
        for at in tables:
            seat_all(at, [ANN])
        for amount in (500, 600, 700):
            for at in tables:
                at.do(ANN, "bet", seat="1", wagers={"red": amount})
                at.do(ANN, "ready", seat="1")
            noon = clock.now()
            clock.passes(60)
        assert {each["staked"] for each in told(pit)["tables"]} == {1800}
        assert {each["staked"] for each in told(pit, since=noon)["tables"]} == {700}
        assert {each["staked"] for each in told(pit, until=noon)["tables"]} == {1100}
        (one,) = told(pit, table=tables[0].stream)["tables"]
        assert one["table"] == tables[0].stream

    def test_a_new_floor_has_won_nothing(self, storage: Storage) -> None:
        with storage.read() as conn:
            document = reports.report(conn, "win")
        assert document["tables"] == []
        assert document["hold"] is None
        assert document["assumes"]


class TestTheory:
    """MON-05: actual and theoretical return, and what is out of range."""

    def spun(self, pit: Pit, wager: str, amount: int, rounds: int) -> Any:
        at = opened(pit, "roulette")
        seat_all(at, [ANN], buy_in=10_000_000)
        for _ in range(rounds):
            at.do(ANN, "bet", seat="1", wagers={wager: amount})
            at.do(ANN, "ready", seat="1")
        (table,) = told(pit)["tables"]
        return next(each for each in table["by_wager"] if each["wager"] == wager.partition(":")[0])

    def test_the_arithmetic(self, pit: Pit) -> None:
        played = self.spun(pit, "straight:17", 1000, 40)
        theory = played["theory"]
        assert theory["exact"] == "1/19"
        assert theory["expected"] == pytest.approx(40_000 / 19)
        (report,) = analyze(find_game("roulette"), find_game("roulette").options(), ["straight"])
        deviation = report.standard_deviation * 1000 * sqrt(40)
        assert theory["standard_deviation"] == pytest.approx(deviation)
        assert theory["win"] == played["win"]
        assert theory["z"] == pytest.approx((played["win"] - 40_000 / 19) / deviation)

    def test_stakes_of_different_sizes_weigh_by_their_squares(self, pit: Pit) -> None:
        at = opened(pit, "roulette")
        seat_all(at, [ANN])
        for amount in (500, 3000):
            at.do(ANN, "bet", seat="1", wagers={"red": amount})
            at.do(ANN, "ready", seat="1")
        (table,) = told(pit)["tables"]
        (report,) = analyze(find_game("roulette"), find_game("roulette").options(), ["red"])
        assert table["by_wager"][0]["theory"]["standard_deviation"] == pytest.approx(
            report.standard_deviation * sqrt(500**2 + 3000**2)
        )

    def test_an_honest_wheel_is_within_the_band(self, pit: Pit) -> None:
        theory = self.spun(pit, "red", 500, 150)["theory"]
        assert abs(theory["z"]) < reports.BAND
        assert theory["outside"] is False

    def test_a_wheel_that_always_stops_on_black_is_not(self, pit: Pit) -> None:
        pit.chance = AlwaysBlack()
        theory = self.spun(pit, "red", 500, 120)["theory"]
        assert abs(theory["z"]) > 5
        assert theory["outside"] is True

    def test_of_few_wagers_nothing_is_said(self, pit: Pit) -> None:
        pit.chance = AlwaysBlack()
        theory = self.spun(pit, "red", 500, 20)["theory"]
        assert abs(theory["z"]) > reports.BAND
        assert theory["outside"] is False

    def test_it_is_of_the_options_in_force(self, pit: Pit) -> None:
        at = opened(pit, "roulette", options={"wheel": "single_zero"})
        seat_all(at, [ANN])
        at.do(ANN, "bet", seat="1", wagers={"straight:17": 500})
        at.do(ANN, "ready", seat="1")
        (table,) = told(pit)["tables"]
        assert table["by_wager"][0]["theory"]["exact"] == "1/37"

    def test_poker_is_solved_only_if_somebody_asks(self, pit: Pit) -> None:
        at = opened(pit, "three-card-poker")
        seat_all(at)
        for _ in range(4):
            for seat, person in enumerate(PATRONS, 1):
                at.do(person, "bet", seat=str(seat), wagers={"ante": 500, "pair_plus": 500})
                at.do(person, "ready", seat=str(seat))
            for seat, person in enumerate(PATRONS, 1):
                at.do(person, "move", seat=str(seat), move="play")
        (table,) = told(pit)["tables"]
        assert all(each.get("theory") is None for each in table["by_wager"])
        (table,) = told(pit, theory=True)["tables"]
        wagers = {each["wager"]: each for each in table["by_wager"]}
        game = find_game("three-card-poker")
        main, *_ = analyze(game, game.options(), ["ante"])
        theory = wagers["ante"]["theory"]
        assert theory["exact"] == str(main.house_edge)
        assert theory["of"] == [w for w in wagers if w in ("ante", "play", "ante_bonus")]
        assert theory["win"] == sum(wagers[wager]["win"] for wager in theory["of"])
        assert theory["expected"] == pytest.approx(float(main.house_edge) * 6000)
        assert wagers["play"]["joins"] == "ante"
        assert wagers["pair_plus"]["theory"]["of"] == ["pair_plus"]

    @pytest.mark.parametrize(
        "ticket", ["way:1-2-3/4-5-6@6", "combination:1-2-3/4-5-6@3+6", "straight_4:5-6-7-8"]
    )
    def test_a_ticket_of_its_own_kind(self, pit: Pit, ticket: str) -> None:
        at = opened(pit, "keno")
        seat_all(at, [ANN])
        game = find_game("keno")
        wager, spot, _ = game.find(ticket, game.options())
        label = wager.label(spot)
        at.do(ANN, "bet", seat="1", wagers={label: 600})
        at.do(ANN, "ready", seat="1")
        (table,) = told(pit)["tables"]
        (report,) = analyze(game, game.options(), [label])
        assert table["by_wager"][0]["theory"]["exact"] == str(report.house_edge)

    @every_game
    def test_every_wager_that_is_made_is_spoken_for(self, pit: Pit, game: Any) -> None:
        """Poker has tests of its own, for it takes its time."""
        if isinstance(game, PokerGame):
            return
        at = opened(pit, game.id)
        seat_all(at)
        choose = Random(9)
        for _ in range(12):
            finish(at, PATRONS, choose)
        (table,) = told(pit)["tables"]
        for each in table["by_wager"]:
            if each["staked"] and "joins" not in each:
                assert each["theory"], each["wager"]


class AlwaysBlack:
    """Chance that has made up its mind."""

    def below(self, n: int) -> int:
        game = find_game("roulette")
        wheel = game.device(game.options())
        return [wheel.say(stop) for stop in wheel.outcomes()].index("2")


class TestWhereTheMoneyIs:
    @every_game
    def test_funds_on_games_are_the_wagers_that_lie_there(self, pit: Pit, game: Any) -> None:
        """REC-08: whatever moment it is."""
        at = opened(pit, game.id)
        seat_all(at)
        choose = Random(5)
        for _ in range(40):
            go_on(at, PATRONS, choose)
            lying = sum(bet.stake for bet in at.live.table.bets.values())
            document = told(pit, "funds")
            assert document["cents"] == lying == at.live.accounts().get(LAYOUT, 0)
            assert [each["table"] for each in document["tables"]] == [at.stream] * bool(lying)

    def test_vigorish_that_is_marked(self, pit: Pit) -> None:
        at = opened(pit, "baccarat-punto-banco")
        seat_all(at)
        choose = Random(6)
        while not any(at.live.table.owed(seat) for seat in ("1", "2", "3")):
            number = at.live.round
            for seat, person in enumerate(PATRONS, 1):
                at.do(person, "bet", seat=str(seat), wagers={"banker": 2000})
                at.do(person, "ready", seat=str(seat))
            while at.live.round == number:
                go_on(at, PATRONS, choose)
        document = told(pit, "vigorish")
        owed = {each["seat"]: each["cents"] for each in document["tables"]}
        assert owed == {seat: at.live.table.owed(seat) for seat in ("1", "2", "3")}
        assert document["cents"] == sum(owed.values()) == 300

    def test_balances_add_up_to_nothing(self, pit: Pit) -> None:
        """MON-07."""
        for game in ("craps", "caribbean-stud-poker"):
            at = opened(pit, game)
            seat_all(at)
            finish(at, PATRONS, Random(1))
        document = told(pit, "balances")
        assert document["cents"] == 0
        assert len(document["tables"]) == 2
        for each in document["tables"]:
            live = pit.tables[each["table"]].accounts()
            assert each["accounts"] == {name: cents for name, cents in live.items() if cents}


class TestMeters:
    """PRG-02."""

    def table(self, pit: Pit) -> At:
        real = Terms(dealer="person", equipment="real")
        options = {"progressive_reserve_rate": "1/10"}
        at = opened(pit, "caribbean-stud-poker", terms=real, options=options)
        seat_all(at, [ANN])
        at.do(DEALER, "take_dealer")
        return at

    def hand(self, at: At, cards: str, *, void: bool = False) -> None:
        """Ann gets these cards, and the dealer nothing."""
        at.do(ANN, "bet", seat="1", wagers={"ante": 500, "progressive": 100})
        at.do(DEALER, "no_more_bets")
        drawn = f"{cards} 2c 4d 6h 8s 9c".split()
        if void:
            at.do(DEALER, "deal", outcome=drawn[0])
            at.do(DEALER, "report", irregularity="wrong_number_of_cards")
            return
        number = at.live.round
        while at.live.round == number:
            question = at.live.question("", sees_all=True)
            if question:
                at.do(ANN, "move", seat="1", move="bet")
            elif drawn:
                at.do(DEALER, "deal", outcome=drawn.pop(0))
            else:
                at.do(DEALER, "deal")

    def test_what_it_shows_how_it_grew_and_what_it_paid(self, pit: Pit) -> None:
        at = self.table(pit)
        for _ in range(3):
            self.hand(at, "Kh Qd 7c 5s 3h")
        (before,) = told(pit, "meters")["tables"]
        assert before["began"] == 1_000_000
        assert before["increments"] == 3 * 70
        assert before["display"] == 1_000_210
        assert before["reserve"] == 30
        assert before["hits"] == 0
        self.hand(at, "Ah Kh Qh Jh Th")
        (after,) = told(pit, "meters")["tables"]
        assert after["hits"] == 1
        (payment,) = after["payments"]
        assert payment["round"] == 4
        assert payment["won"] == [
            {"seat": "1", "wager": "progressive", "line": "royal_flush", "net": 1_000_280 - 100}
        ]
        assert after["display"] == 1_000_000 + 40, "the reset amount, with the reserve on top"
        assert after["reserve"] == 0
        assert after["increments"] == 280

    def test_it_never_falls_but_by_a_payment_or_a_void_round(self, pit: Pit) -> None:
        """PRG-03."""
        at = self.table(pit)
        self.hand(at, "Kh Qd 7c 5s 3h")
        self.hand(at, "Kh Qd 7c 5s 3h", void=True)
        (meter,) = told(pit, "meters")["tables"]
        assert meter["display"] == 1_000_070
        assert meter["increments"] == 70
        assert meter["hits"] == 0

    def test_a_floor_without_any(self, pit: Pit) -> None:
        opened(pit, "craps")
        assert told(pit, "meters") == {"report": "meters", "tables": []}
