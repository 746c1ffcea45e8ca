"""The small games over HTTP: a server that loses its power in the middle of a question goes on.

A dealer says what came, so every card is known. After each round the whole log is verified by a
process of its own, and the script of the round pays again what the table paid.
"""

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from croupier.client import Question, Table
from croupier.floor import dispute
from croupier.floor.storage import Storage
from croupier.games import registry
from croupier.rulebook import script
from tests.server.support import Server, refused, soon
from tests.small_games.games import GAMES, find

SERVE = [sys.executable, "-m", "tests.small_games.serve"]
HERE = Path(__file__).parents[2]
DEALT = {"dealer": "person", "equipment": "real", "move_seconds": 600}
NINES, FOURS, LOW = "4-5 5-5 3-6 4-6", "2-2 5-5 1-3 4-6", "1-2 1-1 5-6 5-6"


class SmallServer(Server):
    """A server that knows the small games."""

    def start(self) -> "SmallServer":
        with self.errors.open("ab") as errors:
            self.process = subprocess.Popen(
                [*SERVE, json.dumps(self.settings)], cwd=HERE, text=True,
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors,
            )  # fmt: skip
        assert self.process.stdout is not None
        said = self.process.stdout.readline()
        assert "http://" in said, f"the server did not start: {self.log()[-3000:]}"
        self.url = said.split()[-1]
        self.settings["port"] = int(self.url.rpartition(":")[2])
        return self

    def verified(self) -> str:
        """What `croupier verify` says, in a process that knows the small games too."""
        done = subprocess.run(
            [*SERVE, "verify", "--db", self.db, "--checkpoints", self.settings["checkpoints"]],
            cwd=HERE, text=True, capture_output=True, timeout=120, check=False,
        )  # fmt: skip
        return done.stdout + done.stderr


@pytest.fixture
def server(tmp_path: Path) -> Iterator[SmallServer]:
    made = SmallServer(tmp_path, tables=[])
    made.appoint()
    made.start()
    yield made
    made.close()


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    """This process knows the small games, for as long as a test needs."""
    for name, game in GAMES.items():
        monkeypatch.setitem(registry(), name, game)


def money_of(settlements: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    """Every settlement as money: the hand, the wager, the stake, and what became of it."""
    keys = ("seat", "hand", "wager", "stake", "result", "line", "pays", "net", "vigorish")
    return sorted(tuple(str(each.get(key) or "") for key in keys) for each in settlements)


class Felt:
    """A table with a dealer and some players, who do as they are told."""

    def __init__(self, server: SmallServer, game: str, people: str, **options: Any) -> None:
        self.server = server
        self.id = server.open(game, terms=DEALT, options=options)
        self.dealer = server.floor("Dee").table(self.id)
        self.dealer.take_dealer()
        names = ("Ann", "Bob", "Cat")[: len(people)]
        self.names = dict(zip(people, names, strict=True))
        self.at: dict[str, Table] = {
            seat: server.seated(name, self.id, seat) for seat, name in self.names.items()
        }

    def begin(self, wagers: dict[str, dict[str, int]]) -> None:
        for seat, each in wagers.items():
            self.at[seat].bet(each)
        self.dealer.no_more_bets()

    def deal(self, draws: str) -> None:
        for each in draws.split():
            self.dealer.deal(outcome=each)

    def power_fails(self) -> None:
        """The server is killed and started again, and everybody's view is as it was."""
        before = {seat: self.seen(seat) for seat in self.at}
        self.server.kill()
        self.server.start()
        soon(lambda: self.at[next(iter(self.at))].view().status == "open")
        assert {seat: self.seen(seat) for seat in self.at} == before

    def seen(self, seat: str) -> dict[str, Any]:
        """The table as a seat sees it, but for the clock."""
        view: dict[str, Any] = self.server.get(f"/tables/{self.id}", self.names[seat]).json()
        view.pop("seconds_left", None)
        return view

    def waits_for(self) -> list[str]:
        """The hands that the round waits for."""
        view = self.dealer.view()
        return sorted(each.hand or each.seat for each in view.questions)

    def question(self, seat: str) -> Question:
        found = self.at[seat].view().asked
        assert found is not None
        return found

    def stacks(self) -> dict[str, int]:
        """What every seat has won or lost since it sat down."""
        return {seat: chair.stack - 1_000_000 for seat, chair in self.dealer.view().seats.items()}

    def is_over(self, nets: dict[str, int], rounds: int = 1) -> None:
        """The round is over with these nets, its log is sound, and its script pays the same."""
        assert self.stacks() == nets
        assert self.dealer.view().pots == ()
        server = self.server
        server.stop()
        assert "Sound" in server.verified()
        storage = Storage(server.db)
        with storage.read() as conn:
            for number in range(1, rounds + 1):
                evidence = dispute.bundle(conn, self.id, number, server.errors.parent / "evidence")
                told, shown = (
                    json.loads((evidence / name).read_text("utf-8"))
                    for name in ("script.json", "round.json")
                )
                last = script.run(told, find)["rounds"][-1]
                assert money_of(last["settlements"]) == money_of(shown["settlements"])
        storage.close()


pytestmark = pytest.mark.usefixtures("known")


class TestTwentyOne:
    def test_a_split_hand_outlives_the_power(self, server: SmallServer) -> None:
        """Killed while the second hand of seat 1 is asked: it is asked again, with its wager."""
        at = Felt(server, "little-twenty-one", "12")
        at.begin({"1": {"twenty_one": 1000}, "2": {"twenty_one": 500}})
        at.deal("8h 9h Kd 8s 9s 7h")
        assert "split" in at.question("1")
        at.at["1"].move("split")
        at.deal("Ts")
        at.at["1"].move("stand")
        at.deal("3s")
        assert at.waits_for() == ["1.2"]
        at.power_fails()
        assert at.waits_for() == ["1.2"]
        view = at.at["2"].view()
        assert view.hands["1"]["cards"] == ["8h", "Ts"]
        assert view.hands["1.2"]["seat"] == "1"
        assert view.hands["1.2"]["cards"] == ["8s", "3s"]
        assert view.hands["dealer"]["cards"] == ["Kd", None]
        assert {(bet["seat"], bet.get("hand"), bet["stake"]) for bet in view.bets} == {
            ("1", None, 1000), ("1", "1.2", 1000), ("2", None, 500),
        }  # fmt: skip
        with refused("not_now"):
            at.at["1"].move("double", hand="1")  # that one has stood
        at.at["1"].move("double", hand="1.2")
        at.deal("Th")
        assert at.waits_for() == ["2"]
        at.at["2"].move("stand")
        at.dealer.deal()  # nothing was irregular
        at.is_over({"1": 3000, "2": 500})

    def test_what_a_player_cannot_pay_for_is_not_offered(self, server: SmallServer) -> None:
        at = Felt(server, "little-twenty-one", "1", table_max=1_000_000)
        at.begin({"1": {"twenty_one": 999_999}})
        at.deal("8h Kd 8s 7h")
        assert [move.move for move in at.question("1").moves] == ["stand", "draw"]
        with refused("no_funds"):
            at.at["1"].move("split")
        assert at.waits_for() == ["1"]

    def test_a_client_knows_what_each_hand_holds(self, server: SmallServer) -> None:
        """`play_round` gives a program the cards of the hand it is asked about, after a split too.

        The house deals, until a pair has come.
        """
        table = server.open("little-twenty-one", options={"table_min": 1})
        ann = server.seated("Ann", table, "1")
        wrong: list[Any] = []
        splits = 0

        def decide(question: Question) -> str:
            nonlocal splits
            hand = question.hand or question.seat
            view = ann.view()
            if view.asked is not None and view.asked.number == question.number:
                held = tuple(view.hands[hand]["cards"])
                if question.holding is not None and tuple(question.holding) != held:
                    wrong.append((hand, question.holding, held))
            splits += "split" in question
            return "split" if "split" in question else "stand"

        for _ in range(200):
            ann.play_round({"twenty_one": 100}, decide)
            if splits:
                break
        assert splits
        assert wrong == []


class TestPaiGow:
    def test_a_question_to_all_waits_for_exactly_the_others(self, server: SmallServer) -> None:
        """Killed after one of three answers; seat 3 banks with four dollars."""
        at = Felt(server, "little-pai-gow", "123")
        at.begin({"1": {"pai_gow": 1000}, "2": {"pai_gow": 3000}, "3": {"bank_action": 400}})
        at.deal(f"{NINES} {LOW} {FOURS}")
        assert at.waits_for() == ["1", "2", "3"]
        mine = at.question("1")
        assert (mine.seat, mine.holding) == ("1", NINES.split())
        assert mine["set"].parts == {"high": 2, "low": 2}
        assert all(each.holding is None for each in at.at["1"].view().questions[1:])
        at.at["2"].move({"set": {"high": ["1-2", "5-6"], "low": ["1-1", "5-6"]}})
        assert at.waits_for() == ["1", "3"]
        at.power_fails()
        assert at.waits_for() == ["1", "3"]
        with refused("not_now") as again:
            at.at["2"].move("house_way")
        assert again[0].message == "you have answered already"
        with refused("forbidden"):
            at.at["2"].do("move", seat="1", move="house_way")
        with refused("illegal_move") as foul:
            at.at["3"].move({"set": {"high": ["5-5", "4-6"], "low": ["2-2", "1-3"]}})
        assert "the low hand, eight points, is higher than the high hand" in foul[0].message
        assert at.waits_for() == ["1", "3"]
        for seat in "123":
            self.hides(at, seat)
        at.at["3"].move("house_way")
        at.at["1"].move({"set": {"high": ["4-5", "5-5"], "low": ["3-6", "4-6"]}})
        at.dealer.deal()
        # The bank is settled in turn, from seat 1: it has $4 for a wager of $10.
        at.is_over({"1": 380, "2": 0, "3": -400})

    def hides(self, at: Felt, seat: str) -> None:
        """Nobody sees a tile of another, nor how somebody has set."""
        view = at.seen(seat)
        for name, hand in view["hands"].items():
            if name != seat:
                assert hand["cards"] == [None] * 4
                assert hand.get("parts") is None
        events = at.server.get(f"/tables/{at.id}/events", at.names[seat]).json()
        for event in events:
            if event["kind"] in ("look", "chosen"):
                assert (event.get("seat") or event["to"]) == seat
            assert event["kind"] not in ("decision", "reveal", "set")
        answered = [event["seat"] for event in events if event["kind"] == "answered"]
        assert answered == ["2"]

    def test_two_rounds_with_the_house_in_the_bank(self, server: SmallServer) -> None:
        at = Felt(server, "little-pai-gow", "12", with_house="half", in_turn=False)
        for _ in range(2):
            at.begin({"1": {"bank_action": 600}, "2": {"pai_gow": 1000}})
            at.deal(f"{NINES} {FOURS}")
            at.at["1"].move("house_way")
            at.at["2"].move("house_way")
            at.dealer.deal()
        at.is_over({"1": -1000, "2": 1900}, rounds=2)


class TestHoldEm:
    CARDS = "Jh Ah Kh Js As Ks 2c 3c 4c 3d 4d 5d 5h 6h 7h"

    def test_a_pot_outlives_the_power(self, server: SmallServer) -> None:
        """Killed with a main pot and a side pot in play, and one player still to discard."""
        at = Felt(server, "little-hold-em", "123")
        at.begin({seat: {"ante": 100} for seat in "123"})
        at.deal(self.CARDS)
        at.at["1"].move({"bet": 1000})
        at.at["2"].move({"all_in": 200})
        at.at["3"].move("call")
        at.at["1"].move({"discard": ["2c", "3d", "5h"]})
        at.deal("Jc Jd 9c")
        at.at["2"].move({"discard": []})
        assert at.waits_for() == ["3"]
        assert [pot["amount"] for pot in at.at["3"].view().pots] == [900, 1600]
        at.power_fails()
        assert at.waits_for() == ["3"]
        assert [pot["amount"] for pot in at.at["3"].view().pots] == [900, 1600]
        assert at.question("3").holding == ["Kh", "Ks", "4c", "5d", "7h"]
        assert at.at["2"].view().hands["1"]["cards"] == [None] * 5
        assert at.at["1"].view().hands["1"]["cards"] == ["Jh", "Js", "Jc", "Jd", "9c"]
        with refused("illegal_move") as six:
            at.at["3"].move({"discard": ["Kh", "Ks", "4c", "5d", "7h", "2c"]})
        assert "seat 3 does not hold '2c'" in six[0].message
        with refused("no_more_bets"):
            at.at["3"].bet({"ante": 100})
        at.at["3"].move("stand_pat")
        at.at["1"].move({"bet": 2000})
        at.at["3"].move("fold")
        at.dealer.deal()
        # Four jacks: $25 less the rake of $1.25; the last bet of $20 is returned.
        at.is_over({"1": 1400 - 125, "2": -300, "3": -1100})

    def test_who_leaves_has_put_in_what_is_in_the_pot(self, server: SmallServer) -> None:
        """A player who leaves in the middle keeps the seat until the pot is won."""
        at = Felt(server, "little-hold-em", "12")
        at.begin({seat: {"ante": 100} for seat in "12"})
        at.deal("Jh Ah Js As 2c 3c 3d 4d 5h 6h")
        at.at["2"].leave()
        at.at["1"].move("check")
        assert at.waits_for() == ["2"]
        at.server.floor("Bob").table(at.id).do("move", seat="2", move="check")
        at.at["1"].move("stand_pat")
        at.server.floor("Bob").table(at.id).do("move", seat="2", move="stand_pat")
        at.at["1"].move("check")
        at.server.floor("Bob").table(at.id).do("move", seat="2", move="check")
        at.dealer.deal()
        at.is_over({"1": -100})


class TestVote:
    def test_a_vote_outlives_the_power_and_stays_secret(self, server: SmallServer) -> None:
        at = Felt(server, "little-vote", "123")
        at.begin({seat: {"vote": 100} for seat in "123"})
        at.at["2"].move("yes")
        at.power_fails()
        assert at.waits_for() == ["1", "3"]
        heard = server.get(f"/tables/{at.id}/events", "Ann").json()
        assert not [each for each in heard if each.get("move")]
        at.at["3"].move("yes")
        at.at["1"].move("no")
        at.deal("Kc")
        at.dealer.deal()
        at.is_over({"1": -100, "2": 100, "3": 100})

    def test_the_clock_says_no_for_those_who_say_nothing(self, server: SmallServer) -> None:
        """Seat 1 has voted; the others have a second, and the house goes on by itself."""
        table = server.open("little-vote", terms={"move_seconds": 1})
        seats = {"1": "Ann", "2": "Bob", "3": "Cat"}
        at = {seat: server.seated(name, table, seat) for seat, name in seats.items()}
        for each in at.values():
            each.bet(vote=1000)
        for each in at.values():
            each.ready()
        at["1"].move("yes")
        soon(lambda: at["1"].view().round == 2)
        stacks = {seat: chair.stack for seat, chair in at["1"].view().seats.items()}
        assert stacks == {"1": 999_000, "2": 1_001_000, "3": 1_001_000}
        heard = server.get(f"/tables/{table}/events", "Ann").json()
        late = [(each["seat"], each["move"]) for each in heard if each["kind"] == "time_up"]
        assert late == [("2", "no"), ("3", "no")]
        server.stop()
        assert "Sound" in server.verified()

    def test_after_a_power_failure_everybody_has_the_full_time_again(
        self, server: SmallServer
    ) -> None:
        table = server.open("little-vote", terms={"move_seconds": 3})
        at = {seat: server.seated(name, table, seat) for seat, name in (("1", "Ann"), ("2", "Bob"))}
        for each in at.values():
            each.bet(vote=1000)
        for each in at.values():
            each.ready()
        at["1"].move("yes")
        time.sleep(1.5)
        server.kill()
        server.start()
        left = at["2"].view().seconds_left
        assert left is not None
        assert left > 2
        assert [each.seat for each in at["2"].view().questions] == ["2"]
        soon(lambda: at["1"].view().round == 2)
