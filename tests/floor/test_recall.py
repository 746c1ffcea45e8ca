"""Recall: the last rounds as their reader saw them, in every state of a table."""

import json
from random import Random
from typing import Any

import pytest

from croupier.floor import recall
from croupier.floor.live import METER, Terms
from croupier.floor.pit import Pit
from croupier.games import find_game
from croupier.rulebook import LAYOUT, Fault, Refusal
from tests.floor.support import (
    ANN,
    BOB,
    BYSTANDER,
    CAT,
    DEALER,
    FLOORPERSON,
    PATRONS,
    SUPERVISOR,
    SURVEILLANCE,
    At,
    FakeClock,
    every_game,
    finish,
    go_on,
    opened,
    seat_all,
)


def recalled(at: At, account: str, *, sees_all: bool = False, last: int = 10) -> list[Any]:
    with at.pit.storage.read() as conn:
        return recall.rounds(conn, at.stream, account, sees_all, last)


def clocked(at: At, rounds: int, choose: Random) -> None:
    clock = at.pit.clock
    assert isinstance(clock, FakeClock)
    for _ in range(rounds):
        clock.passes(1)
        finish(at, PATRONS, choose)


class TestTheLastRounds:
    """REC-01: the last game and nine before it, with all that belongs to each."""

    def test_ten_are_recalled_and_the_one_that_is_open(self, pit: Pit) -> None:
        at = opened(pit, "three-card-poker")
        seat_all(at)
        clocked(at, 13, Random(1))
        at.do(ANN, "bet", seat="1", wagers={"ante": 500})
        told = recalled(at, ANN.account)
        assert [each["round"] for each in told] == [*range(4, 15)]
        assert [each["open"] for each in told] == [False] * 10 + [True]
        assert all(each["recall"] is True for each in told), "nobody takes it for a live round"
        assert len(recalled(at, ANN.account, last=12)) == 13
        assert len(recalled(at, ANN.account, last=50)) == 14, "as many as there are"

    def test_without_an_open_round_ten_are_still_ten(self, pit: Pit) -> None:
        at = opened(pit, "craps")
        seat_all(at, [ANN])
        for _ in range(11):
            at.do(ANN, "ready", seat="1")
        assert [each["round"] for each in recalled(at, ANN.account)] == [*range(2, 12)]

    def test_a_table_where_nobody_has_played(self, pit: Pit) -> None:
        (first,) = recalled(opened(pit, "craps"), ANN.account)
        assert first["open"]
        assert [event["kind"] for event in first["events"]] == ["opened"]
        with pit.storage.read() as conn:
            assert recall.rounds(conn, "nowhere", ANN.account, False) == []

    @every_game
    def test_every_field_agrees_with_the_log(self, pit: Pit, game: Any) -> None:
        at = opened(pit, game.id)
        seat_all(at)
        clocked(at, 3, Random(2))
        events = at.events()
        told = recalled(at, SURVEILLANCE.account, sees_all=True)
        stacks: dict[str, int] = {}
        for each in told:
            own = [event for event in events if event.round == each["round"]]
            assert each["events"] == [event.shown() for event in own], "in the original order"
            assert each["began"] == own[0].at
            if each["open"]:
                continue
            (over,) = (event for event in own if event.kind == "round_over")
            said = json.loads(over.data)
            assert each["ended"] == over.at
            assert each["settlements"] == said["settlements"]
            assert each["void"] == said["void"]
            for seat, stack in each["stacks"].items():
                assert stack["start"] == stacks.get(seat, 0)
                assert stack["end"] == said["stacks"][seat]
                put = sum(each["wagers"].get(seat, {}).values())
                assert put == sum(s["stake"] for s in said["settlements"] if s["seat"] == seat)
            stacks = said["stacks"]

    def test_the_money_of_a_round_adds_up(self, pit: Pit) -> None:
        """Where no wager stands from round to round, a stack changes by what was won and bought."""
        at = opened(pit, "three-card-poker")
        seat_all(at)
        choose = Random(3)
        for _ in range(4):
            at.do(BOB, "buy_in", seat="2", amount=700)
            clocked(at, 1, choose)
        for each in recalled(at, SURVEILLANCE.account, sees_all=True):
            for seat, stack in each["stacks"].items():
                net = sum(s["net"] for s in each["settlements"] if s["seat"] == seat)
                assert stack["end"] - stack["start"] == net + stack["bought"] - stack["cashed"]
                if each["round"] > 1:
                    assert stack["bought"] == (700 if seat == "2" and not each["open"] else 0)

    def test_a_seat_that_was_left_in_the_round(self, pit: Pit) -> None:
        """He is paid what he has when the round is over: that is not a part of it."""
        at = opened(pit, "roulette")
        seat_all(at, [ANN, BOB])
        at.do(ANN, "bet", seat="1", wagers={"red": 500})
        at.do(ANN, "leave", seat="1")
        at.do(BOB, "ready", seat="2")
        finish(at, [BOB], Random(1))
        first, second, *_ = recalled(at, ANN.account)
        assert first["stacks"]["1"]["start"] == 0
        assert first["stacks"]["1"]["end"] == second["stacks"]["1"]["start"] > 0
        assert second["stacks"]["1"]["cashed"] == first["stacks"]["1"]["end"]
        assert second["stacks"]["1"]["end"] == 0

    def test_the_progressive_meter(self, pit: Pit) -> None:
        at = opened(pit, "caribbean-stud-poker")
        seat_all(at)
        shown = {}
        for _ in range(4):
            at.do(ANN, "bet", seat="1", wagers={"ante": 500, "progressive": 100})
            number = at.live.round
            for seat, person in enumerate(PATRONS, 1):
                at.do(person, "ready", seat=str(seat))
            while at.live.round == number:
                go_on(at, PATRONS, Random(1))
            shown[number] = at.live.accounts()[METER]
        told = {each["round"]: each["meter"] for each in recalled(at, ANN.account)}
        assert {number: told[number] for number in shown} == shown
        assert len(set(shown.values())) == 4
        assert recalled(opened(pit, "craps"), ANN.account)[0]["meter"] is None

    def test_wagers_of_an_open_round(self, pit: Pit) -> None:
        at = opened(pit, "roulette")
        seat_all(at)
        at.do(ANN, "bet", seat="1", wagers={"red": 500, "straight:17": 700})
        at.do(ANN, "bet", seat="1", wagers={"red": 900, "straight:17": 0})
        at.do(BOB, "bet", seat="2", wagers={"black": 500})
        (now,) = recalled(at, ANN.account)
        assert now["wagers"] == {"1": {"red": 900}, "2": {"black": 500}}
        assert now["settlements"] == []
        assert now["stacks"] == {
            "1": {"start": 0, "end": 999_100, "bought": 1_000_000, "cashed": 0}
        }
        assert at.live.accounts()[LAYOUT] == 1400


class TestWhoMaySeeWhat:
    def test_only_those_whose_cards_they_are(self, pit: Pit) -> None:
        """SEC-08: a hand that was folded stays unseen for ever."""
        at = opened(pit, "three-card-poker")
        seat_all(at)
        clocked(at, 6, Random(4))
        hidden = [event for event in at.events() if event.seen_by is not None]
        assert {event.seen_by for event in hidden} > {ANN.account, BOB.account}
        for person in (*PATRONS, BYSTANDER, FLOORPERSON, SUPERVISOR):
            told = {e["number"] for each in recalled(at, person.account) for e in each["events"]}
            assert {e.number for e in hidden if e.number in told} == {
                e.number for e in hidden if e.seen_by == person.account
            }
        everything = recalled(at, SURVEILLANCE.account, sees_all=True)
        assert sum(len(each["events"]) for each in everything) == len(at.events())

    def test_an_open_round_only_as_far_as_it_was_seen(self, pit: Pit) -> None:
        at = opened(pit, "ultimate-texas-hold-em")
        seat_all(at)
        for seat, person in enumerate(PATRONS, 1):
            at.do(person, "bet", seat=str(seat), wagers={"ante": 500})
            at.do(person, "ready", seat=str(seat))
        assert at.live.play is not None
        cards = {
            person.account: {
                e["outcome"] for e in recalled(at, person.account)[-1]["events"]
                if e["kind"] == "look"
            }
            for person in (*PATRONS, BYSTANDER)
        }  # fmt: skip
        assert [len(cards[person.account]) for person in PATRONS] == [2, 2, 2]
        assert cards[BYSTANDER.account] == set()
        text = json.dumps(recalled(at, BOB.account))
        for card in cards[ANN.account] - cards[BOB.account]:
            assert f'"{card}"' not in text

    def test_stacks_are_those_of_the_seats_he_had_in_that_round(self, pit: Pit) -> None:
        at = opened(pit, "roulette")
        at.do(BOB, "sit", seat="2", buy_in=5000)
        finish(at, [BOB], Random(1))
        at.do(ANN, "sit", seat="1", buy_in=5000)
        at.do(ANN, "ready", seat="1")
        at.do(BOB, "ready", seat="2")
        at.do(ANN, "leave", seat="1")
        at.do(CAT, "sit", seat="1", buy_in=9000)
        at.do(CAT, "ready", seat="1")
        at.do(BOB, "ready", seat="2")
        had = {each["round"]: each["stacks"] for each in recalled(at, ANN.account)}
        assert {number for number, stacks in had.items() if stacks} == {2, 3}
        assert had[3]["1"]["cashed"] == 5000
        assert all(list(each["stacks"]) == ["2"] for each in recalled(at, BOB.account))
        assert all(not each["stacks"] for each in recalled(at, BYSTANDER.account))
        everyone = recalled(at, "", sees_all=True)
        assert [sorted(each["stacks"]) for each in everyone] == [
            ["2"], ["1", "2"], ["1", "2"],
        ]  # fmt: skip

    def test_who_sat_before_the_first_round_that_is_recalled_is_known_by_what_he_did(
        self, pit: Pit
    ) -> None:
        at = opened(pit, "roulette")
        seat_all(at, [ANN, BOB])
        for _ in range(5):
            at.do(ANN, "ready", seat="1")
            at.do(BOB, "ready", seat="2")
        told = recalled(at, ANN.account, last=2)
        assert [each["round"] for each in told] == [4, 5]
        assert all(list(each["stacks"]) == ["1"] for each in told)
        assert told[0]["stacks"]["1"] == {
            "start": 1_000_000, "end": 1_000_000, "bought": 0, "cashed": 0,
        }  # fmt: skip


class TestEveryStateOfATable:
    """REC-03."""

    def test_frozen_and_closed(self, pit: Pit) -> None:
        at = opened(pit, "roulette")
        seat_all(at)
        clocked(at, 3, Random(1))
        before = recalled(at, ANN.account)
        at.do(FLOORPERSON, "freeze", why="a complaint", about=2)
        frozen = recalled(at, ANN.account)
        assert frozen[:3] == before[:3]
        assert frozen[-1]["events"][-1]["kind"] == "frozen"
        at.do(SUPERVISOR, "thaw", why="it was nothing")
        at.do(FLOORPERSON, "close_table", why="the night is over")
        while at.stream in pit.tables:
            finish(at, PATRONS, Random(1))
        closed = recalled(at, ANN.account)
        assert closed[:3] == before[:3]
        assert closed[-1]["events"][-1]["kind"] == "closed"

    def test_a_void_round_says_by_which_rule(self, pit: Pit) -> None:
        at = opened(pit, "three-card-poker", terms=Terms(dealer="person"))
        seat_all(at, [ANN])
        at.do(DEALER, "take_dealer")
        at.do(ANN, "bet", seat="1", wagers={"ante": 500})
        at.do(DEALER, "no_more_bets")
        at.do(DEALER, "deal", count=3)
        at.do(DEALER, "report", irregularity="wrong_number_of_cards")
        first = recalled(at, ANN.account)[0]
        assert first["void"].startswith("19:47-20.12")
        assert [(s["result"], s["net"]) for s in first["settlements"]] == [("void", 0)]
        assert first["stacks"]["1"]["end"] == 1_000_000


class TestWhy:
    """Why a wager came out as it did."""

    @pytest.fixture
    def at(self, pit: Pit) -> At:
        at = opened(pit, "roulette")
        seat_all(at, [ANN, BOB])
        pit.chance = Spins("17")
        at.do(ANN, "bet", seat="1", wagers={"straight:17": 1000, "red": 500})
        at.do(BOB, "bet", seat="2", wagers={"black": 500})
        at.do(ANN, "ready", seat="1")
        at.do(BOB, "ready", seat="2")
        return at

    def why(self, at: At, *args: Any, **kwargs: Any) -> Any:
        with at.pit.storage.read() as conn:
            return recall.why(conn, at.stream, *args, **kwargs)

    def test_a_win(self, at: At) -> None:
        told = self.why(at, 1, "1", "straight:17")
        (settled,) = told["settlements"]
        assert settled["net"] == 35_000
        assert settled["sentence"] == "$10 at 35 to 1 wins $10 × 35 = $350 [19:47-5.2(a)]"  # noqa: RUF001
        assert [event["kind"] for event in told["events"]] == ["wager", "spin", "pay"]
        assert told["events"][1]["outcome"] == "17"
        assert told["recall"] is True

    def test_a_loss(self, at: At) -> None:
        (settled,) = self.why(at, 1, "1", "red")["settlements"]
        assert settled["sentence"] == "$5 is lost [19:47-5.1(e)11]"

    @pytest.mark.parametrize(
        ("given", "fault", "words"),
        [
            ((1, "1", "black"), Fault.UNKNOWN_WAGER,
             "seat 1 had no black wager in round 1; it had straight:17, red"),
            ((1, "7", "red"), Fault.UNKNOWN_WAGER,
             "seat 7 had no red wager in round 1; it had no wager"),
            ((9, "1", "red"), Fault.NOT_NOW, "there is no round 9 at this table"),
        ],
    )  # fmt: skip
    def test_what_there_is_no_answer_to(
        self, at: At, given: tuple[Any, ...], fault: Fault, words: str
    ) -> None:
        with pytest.raises(Refusal) as caught:
            self.why(at, *given)
        assert caught.value.fault is fault
        assert caught.value.message == words

    def test_a_round_that_is_not_over(self, at: At) -> None:
        at.do(ANN, "bet", seat="1", wagers={"red": 500})
        with pytest.raises(Refusal, match="round 2 is not over"):
            self.why(at, 2, "1", "red")

    @every_game
    def test_every_settlement_of_every_game_has_a_reason(self, pit: Pit, game: Any) -> None:
        at = opened(pit, game.id)
        seat_all(at)
        for _ in range(4):
            finish(at, PATRONS, Random(at.live.round))
        secret = {event.number for event in at.events() if event.seen_by is not None}
        for each in recalled(at, ""):
            for settled in each["settlements"]:
                told = self.why(at, each["round"], settled["seat"], settled["wager"])
                assert settled["citation"]
                for one in told["settlements"]:
                    assert one["sentence"].endswith(f"[{one['citation']}]")
                assert not {event["number"] for event in told["events"]} & secret


class Spins:
    """Chance that stops the wheel where it is told to."""

    def __init__(self, *stops: str) -> None:
        self.stops = iter(stops)

    def below(self, n: int) -> int:
        game = find_game("roulette")
        wheel = game.device(game.options())
        return [wheel.say(stop) for stop in wheel.outcomes()].index(next(self.stops))


class TestTheArithmetic:
    def settled(self, **said: Any) -> dict[str, Any]:
        usual = {"stake": 1000, "result": "win", "line": "win", "pays": "", "net": 0,
                 "citation": "19:47-1.1"}  # fmt: skip
        return usual | said

    @pytest.mark.parametrize(
        ("said", "words"),
        [
            ({"pays": "3 to 2", "net": 1500}, "$10 at 3 to 2 wins $10 × 3/2 = $15"),  # noqa: RUF001
            ({"pays": "1 to 1", "net": 950, "vigorish": 50},
             "$10 at 1 to 1 wins $10 × 1 = $10; less $0.50 vigorish, that is a win of $9.50"),  # noqa: RUF001
            ({"pays": "50 to 1, limited", "net": 30_000},
             "$10 at 50 to 1 wins $10 × 50 = $500, which the limit on what a hand may win "  # noqa: RUF001
             "makes $300"),
            ({"stake": 25, "pays": "3 to 2", "net": 37},
             "$0.25 at 3 to 2 wins $0.25 × 3/2 = $0.3750, which is rounded to $0.37"),  # noqa: RUF001
            ({"line": "royal_flush", "net": 250_000},
             "$10 wins $2,500, as is paid for royal flush"),
            ({"result": "push"}, "$10 is returned, nothing being won or lost"),
            ({"result": "void"}, "$10 is returned, nothing being won or lost"),
            ({"result": "push", "net": -50, "vigorish": 50},
             "$10 is returned, nothing being won or lost; less $0.50 vigorish, that is a loss of "
             "$0.50"),
            ({"result": "lose", "net": -1000}, "$10 is lost"),
            ({"result": "lose", "net": -500}, "of $10, $5 is lost and the rest returned"),
            ({"result": "surrender", "net": -500}, "of $10, $5 is lost and the rest returned"),
            ({"result": "standing"}, "$10 is undecided and stays on the layout"),
        ],
    )  # fmt: skip
    def test_in_a_sentence(self, said: dict[str, Any], words: str) -> None:
        assert recall.sentence(self.settled(**said)) == f"{words} [19:47-1.1]"

    def test_of_a_bonus_that_is_paid_on_another_wager(self) -> None:
        bonus = self.settled(stake=0, pays="4 to 1", net=2000)
        assert recall.sentence(bonus, 500).startswith("$5 at 4 to 1 wins $5 × 4 = $20")  # noqa: RUF001


def test_of_a_bonus_at_the_table(pit: Pit) -> None:
    """The ante bonus is paid on the ante, for a straight or better."""
    at = opened(pit, "three-card-poker")
    seat_all(at, [ANN])
    settled: list[Any] = []
    while not any(each["wager"] == "ante_bonus" for each in settled):
        at.do(ANN, "bet", seat="1", wagers={"ante": 500})
        at.do(ANN, "ready", seat="1")
        at.do(ANN, "move", seat="1", move="play")
        settled = recalled(at, ANN.account, last=1)[-1]["settlements"]
        assert at.live.round < 500
    with pit.storage.read() as conn:
        told = recall.why(conn, at.stream, at.live.round - 1, "1", "ante_bonus")
    assert told["settlements"][0]["sentence"].startswith("$5 at ")
