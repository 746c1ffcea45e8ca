"""A disputed round is handed over whole, and whoever gets it can check it and play it again."""

import hashlib
import io
import json
import re
import zipfile
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sqlalchemy import update

from croupier.cli.app import run
from croupier.floor import dispute, recall, rescript, schema
from croupier.floor.checkpoint import Notary
from croupier.floor.commands import THE_HOUSE
from croupier.floor.live import Terms
from croupier.floor.pit import Pit
from croupier.games import find_game
from croupier.rulebook import Fault, Refusal, script
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

Captured = pytest.CaptureFixture[str]


def handed_over(at: At, number: int, to: Path, checkpoints: Path | None = None) -> Path:
    with at.pit.storage.read() as conn:
        return dispute.bundle(conn, at.stream, number, to, checkpoints)


def read(folder: Path, name: str) -> Any:
    return json.loads((folder / name).read_text("utf-8"))


def money_of(settlements: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    keys = ("seat", "wager", "stake", "result", "line", "pays", "net", "citation")
    return sorted(tuple(each[key] for key in keys) for each in settlements)


def every_script_pays_the_same(at: At) -> None:
    """The script of each round, played again, settles its wagers as the table did."""
    with at.pit.storage.read() as conn:
        for each in range(1, at.live.round):
            told = rescript.scripted(conn, at.stream, each)
            assert told is not None, f"round {each}"
            last = script.run(told, find_game)["rounds"][-1]
            settled = recall.one(conn, at.stream, recall.of_round(conn, at.stream, each))
            assert money_of(last["settlements"]) == money_of(settled["settlements"])


class TestPlayedAgain:
    @every_game
    def test_deal_pays_the_same(
        self, pit: Pit, game: Any, tmp_path: Path, capsys: Captured
    ) -> None:
        """`croupier deal script.json` settles every wager of the round as the table did."""
        at = opened(pit, game.id)
        seat_all(at)
        choose = Random(11)
        for _ in range(5):
            finish(at, PATRONS, choose)
        folder = handed_over(at, 5, tmp_path / "evidence")
        assert run(["deal", str(folder / "script.json"), "--json"]) == 0
        dealt = json.loads(capsys.readouterr().out)["rounds"][-1]
        settled = read(folder, "round.json")["settlements"]
        assert money_of(dealt["settlements"]) == money_of(settled)

    @every_game
    def test_every_round_of_an_evening(self, pit: Pit, game: Any) -> None:
        """People come and go, wagers stand, shoes end; no round is beyond telling."""
        at = opened(pit, game.id)
        seat_all(at)
        choose = Random(12)
        for number in range(8):
            finish(at, PATRONS, choose)
            if number == 3 and "1" in at.live.chairs:
                at.do(ANN, "leave", seat="1")
        every_script_pays_the_same(at)

    def test_a_point_needs_the_throws_before_it(self, pit: Pit, tmp_path: Path) -> None:
        at = opened(pit, "craps")
        seat_all(at, [ANN])
        pit.chance = Throws((3, 1), (6, 5), (2, 2))
        at.do(ANN, "bet", seat="1", wagers={"pass": 500})
        for _ in range(3):
            number = at.live.round
            at.do(ANN, "ready", seat="1")
            while at.live.round == number:
                question = at.live.question("", sees_all=True)
                assert question is not None
                at.do(ANN, "move", seat="1", move=question["default"])
        folder = handed_over(at, 3, tmp_path)
        told = read(folder, "script.json")
        assert [each["draws"] for each in told["rounds"]] == [[[3, 1]], [[6, 5]], [[2, 2]]]
        assert told["rounds"][0]["seats"]["1"]["wagers"] == {"pass": 500}
        assert "wagers" not in told["rounds"][2]["seats"]["1"], "it stands"
        (settled,) = read(folder, "round.json")["settlements"]
        assert (settled["result"], settled["net"]) == ("win", 500)

    @every_game
    def test_with_mishaps(self, pit: Pit, game: Any) -> None:
        """A dealer reports what went wrong, and the script tells it."""
        at = opened(pit, game.id, terms=Terms(dealer="person"))
        seat_all(at)
        at.do(DEALER, "take_dealer")
        choose = Random(13)
        while at.live.round < 9:
            if at.live.play is not None and choose.random() < 0.15:
                mishap(at, choose)
            go_on(at, PATRONS, choose)
        every_script_pays_the_same(at)

    def test_a_misdeal_is_told_in_the_script(self, pit: Pit, tmp_path: Path) -> None:
        at = opened(pit, "three-card-poker", terms=Terms(dealer="person"))
        seat_all(at, [ANN])
        at.do(DEALER, "take_dealer")
        at.do(ANN, "bet", seat="1", wagers={"ante": 500})
        at.do(DEALER, "no_more_bets")
        at.do(DEALER, "deal", count=4)
        at.do(DEALER, "report", irregularity="dealer_card_exposed")
        folder = handed_over(at, 1, tmp_path)
        told = read(folder, "script.json")
        assert told["irregularities"] == [{"before_draw": 5, "kind": "dealer_card_exposed"}]
        assert len(told["draws"]) == 4
        about = read(folder, "round.json")
        assert about["void"].startswith("19:47-20.12")
        assert about["irregularities"][0]["irregularity"] == "dealer_card_exposed"

    def test_a_change_of_options_ends_what_can_be_told(self, pit: Pit) -> None:
        """A script is of one table; rounds before the change are not in it."""
        clock = pit.clock
        assert isinstance(clock, FakeClock)
        at = opened(pit, "roulette")
        seat_all(at, [ANN])
        finish(at, [ANN], Random(1))
        at.do(FLOORPERSON, "post_notice", options={"table_min": 100})
        clock.passes(2)
        pit.tick()
        assert "options_changed" in at.kinds()
        finish(at, [ANN], Random(1))
        with pit.storage.read() as conn:
            told = rescript.scripted(conn, at.stream, 2)
        assert told is not None
        assert told["options"]["table_min"] == 100
        assert "rounds" not in told


def mishap(at: At, choose: Random) -> None:
    kinds = list(at.live.table.irregularities)
    try:
        at.do(DEALER, "report", irregularity=choose.choice(kinds))
    except Refusal:
        return


class Throws:
    """Chance that throws these dice."""

    def __init__(self, *throws: tuple[int, int]) -> None:
        self.throws = iter(throws)

    def below(self, n: int) -> int:
        game = find_game("craps")
        dice = game.device(game.options())
        return [dice.say(each) for each in dice.outcomes()].index(list(next(self.throws)))


class TestWhatIsHandedOver:
    @pytest.fixture
    def at(self, pit: Pit) -> At:
        at = opened(pit, "three-card-poker")
        seat_all(at)
        for number in range(1, 4):
            for seat, person in enumerate(PATRONS, 1):
                at.do(person, "bet", seat=str(seat), wagers={"ante": 500, "pair_plus": 500})
                at.do(person, "ready", seat=str(seat))
            while at.live.round == number:
                go_on(at, PATRONS, Random(number))
        return at

    def test_the_files(self, at: At, tmp_path: Path) -> None:
        folder = handed_over(at, 2, tmp_path / "a new folder")
        assert folder == tmp_path / "a new folder" / f"{at.stream}-2"
        assert sorted(path.name for path in folder.iterdir()) == [
            "README.txt", "events.jsonl", "hashes.json", "round.json", "rules.json",
            "script.json", "table.html",
        ]  # fmt: skip
        with zipfile.ZipFile(folder.with_name(f"{folder.name}.zip")) as packed:
            assert packed.testzip() is None
            assert {name: packed.read(name) for name in packed.namelist()} == {
                path.name: path.read_bytes() for path in folder.iterdir()
            }

    def test_the_same_round_gives_the_same_bytes(self, at: At, tmp_path: Path) -> None:
        with at.pit.storage.read() as conn:
            first = dispute.zipped(conn, at.stream, 2, tmp_path / "marks")
            again = dispute.zipped(conn, at.stream, 2, tmp_path / "marks")
        assert first == again
        with zipfile.ZipFile(io.BytesIO(first)) as packed:
            assert "round.json" in packed.namelist()

    def test_the_hashes_can_be_checked_as_the_readme_says(self, at: At, tmp_path: Path) -> None:
        folder = handed_over(at, 2, tmp_path)
        said = read(folder, "hashes.json")
        for name, digest in said["sha256"].items():
            assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest
        assert set(said["sha256"]) | {"hashes.json"} == {path.name for path in folder.iterdir()}
        readme = (folder / "README.txt").read_text("utf-8")
        listed = re.search(r"take (stream.*?), in this order", readme, re.DOTALL)
        assert listed
        columns = re.findall(r"\w+", listed[1].replace(" and ", ", "))
        previous = said["events"]["previous"]
        rows = [json.loads(line) for line in (folder / "events.jsonl").read_text().splitlines()]
        for row in rows:
            text = json.dumps(
                [row[column] for column in columns], separators=(",", ":"), ensure_ascii=False
            )
            assert row["previous"] == previous
            assert hashlib.sha256(text.encode()).hexdigest() == row["hash"]
            previous = row["hash"]
        assert previous == said["events"]["head"]
        assert [row["number"] for row in rows] == [
            *range(said["events"]["first"], said["events"]["last"] + 1)
        ]
        assert said["log"] == {"events": at.live.number, "head": at.live.head}

    def test_every_column_of_every_row_is_there(self, at: At, tmp_path: Path) -> None:
        folder = handed_over(at, 2, tmp_path)
        rows = [json.loads(line) for line in (folder / "events.jsonl").read_text().splitlines()]
        assert all(set(row) == set(schema.events.c.keys()) for row in rows)
        own = [event for event in at.events() if event.round == 2]
        assert [row["data"] for row in rows] == [event.data for event in own]

    def test_the_round(self, at: At, tmp_path: Path) -> None:
        told = read(handed_over(at, 2, tmp_path), "round.json")
        assert set(told["cards"]) == {"1", "2", "3", "dealer"}
        assert all(len(cards) == 3 for cards in told["cards"].values())
        assert all(each["sentence"] and each["citation"] for each in told["settlements"])
        assert {each["seat"] for each in told["settlements"]} == {"1", "2", "3"}
        assert told["wagers"]["1"]["ante"] == 500
        for seat, had in told["stacks"].items():
            net = sum(each["net"] for each in told["settlements"] if each["seat"] == seat)
            assert had["end"] - had["start"] == net
        assert [each["seat"] for each in told["decisions"]] == ["1", "2", "3"]

    def test_the_rules_that_were_in_force(self, at: At, tmp_path: Path) -> None:
        (rules,) = read(handed_over(at, 2, tmp_path), "rules.json")
        assert rules["game"] == "three-card-poker"
        assert rules["hash"] == at.live.rules
        assert rules["options"] == at.live.table.options.as_json()
        assert rules["software"] == at.live.software
        assert rules["citation"].startswith("19:47-20")

    def test_the_signed_checkpoint_that_covers_it(self, at: At, tmp_path: Path) -> None:
        marks = tmp_path / "marks"
        assert read(handed_over(at, 2, tmp_path, marks), "hashes.json")["checkpoint"] is None
        Notary(marks).sign(at.stream, at.live.number, at.live.head, at.pit.clock.now())
        said = read(handed_over(at, 2, tmp_path, marks), "hashes.json")["checkpoint"]
        assert (said["stream"], said["count"], said["head"]) == (
            at.stream, at.live.number, at.live.head,
        )  # fmt: skip
        assert said["signature"]
        nowhere = read(handed_over(at, 2, tmp_path, tmp_path / "nowhere"), "hashes.json")
        assert nowhere["checkpoint"] is None

    def test_a_round_that_is_not_over(self, at: At, tmp_path: Path) -> None:
        at.do(ANN, "bet", seat="1", wagers={"ante": 700})
        folder = handed_over(at, 4, tmp_path)
        told = read(folder, "round.json")
        assert told["ended"] is None
        assert told["wagers"] == {"1": {"ante": 700}}
        assert not (folder / "script.json").exists()
        assert "There is no script.json" in (folder / "README.txt").read_text()
        assert "is not over" in (folder / "table.html").read_text()

    def test_a_correction_is_part_of_the_round_in_which_it_was_made(
        self, at: At, tmp_path: Path
    ) -> None:
        """REC-10."""
        at.do(SUPERVISOR, "correct", seat="1", cents=2500, why="paid 1 to 1 for 6 to 1", about=3)
        told = read(handed_over(at, 4, tmp_path), "round.json")
        assert told["corrections"][0]["amount"] == 2500
        assert told["stacks"]["1"]["end"] - told["stacks"]["1"]["start"] == 2500

    def test_a_bad_log_is_said_to_be_bad(self, at: At, tmp_path: Path) -> None:
        """Just then the evidence is wanted."""
        of = schema.events.c
        with at.pit.storage.write() as conn:
            conn.execute(
                update(schema.events).where(of.stream == at.stream, of.number == 20)
                .values(at="1999-12-31T23:59:59.999Z")
            )  # fmt: skip
        folder = handed_over(at, 2, tmp_path)
        said = read(folder, "hashes.json")["proof"]
        assert said.startswith(f"THE LOG IS BAD: event 20 of {at.stream}")
        assert 'class="bad"' in (folder / "table.html").read_text()
        assert "THE LOG IS BAD" in (folder / "README.txt").read_text()
        assert not (folder / "script.json").exists()
        assert read(folder, "round.json")["settlements"]

    @pytest.mark.parametrize(
        ("table", "number", "fault"),
        [("nowhere", 1, Fault.UNKNOWN_TABLE), (None, 99, Fault.NOT_NOW)],
    )
    def test_what_is_not_there(
        self, at: At, tmp_path: Path, table: str | None, number: int, fault: Fault
    ) -> None:
        with at.pit.storage.read() as conn, pytest.raises(Refusal) as caught:
            dispute.bundle(conn, table or at.stream, number, tmp_path)
        assert caught.value.fault is fault
        assert not [*tmp_path.glob("*.zip")]


class TestThePage:
    def page(self, at: At, number: int, tmp_path: Path) -> str:
        return (handed_over(at, number, tmp_path) / "table.html").read_text("utf-8")

    def test_it_needs_nothing_and_runs_nothing(self, pit: Pit, tmp_path: Path) -> None:
        at = opened(pit, "roulette")
        seat_all(at)
        finish(at, PATRONS, Random(1))
        page = self.page(at, 1, tmp_path)
        assert "default-src 'none'" in page
        assert not re.search(r"<script|<img|<link|<iframe|\bsrc=|\bon\w+=|@import|url\(", page)
        assert page.startswith("<!doctype html>")

    def test_what_people_type_is_text(self, pit: Pit, tmp_path: Path) -> None:
        name = "<script>alert(1)</script>"
        at = At(pit, pit.open("roulette", f'"{name}', THE_HOUSE)["table"])
        at.do(ANN, "sit", seat="1", buy_in=5000)
        at.do(FLOORPERSON, "freeze", why=f"{name}{{at}}")
        page = self.page(at, 1, tmp_path)
        assert "<script" not in page
        assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page

    def test_it_tells_what_happened(self, pit: Pit, tmp_path: Path) -> None:
        at = opened(pit, "three-card-poker")
        seat_all(at, [ANN, BOB])
        at.do(ANN, "bet", seat="1", wagers={"ante": 500})
        at.do(ANN, "ready", seat="1")
        at.do(BOB, "ready", seat="2")
        at.do(ANN, "move", seat="1", move="play")
        text = re.sub(r"<[^>]+>", " ", self.page(at, 1, tmp_path))
        for words in (
            "Ann takes seat 1", "Seat 1 has $5 on ante", "Seat 1 decides: play",
            "The dealer says: No more bets", "Seat 1 buys chips for $10,000", "19:47-20",
            "The round is over",
        ):  # fmt: skip
            assert words in text
        for card in read(tmp_path / f"{at.stream}-1", "round.json")["cards"]["dealer"]:
            assert card in text

    @every_game
    def test_every_event_has_words(self, pit: Pit, game: Any) -> None:
        at = opened(pit, game.id)
        seat_all(at)
        for _ in range(3):
            finish(at, PATRONS, Random(7))
        for event in at.events():
            told = dispute.words(event.shown())
            assert told
            assert "{" not in told
            if event.kind in dispute.WORDS:
                assert not told.startswith(f"{event.kind.replace('_', ' ')}: "), told


class TestFreezing:
    """REC-11: the table is stopped while the dispute lasts."""

    def test_an_open_table(self, pit: Pit) -> None:
        at = opened(pit, "roulette")
        assert dispute.freeze(pit, at.stream, 1, "he says it was 17")
        assert at.live.status == "frozen"
        (event,) = (event for event in at.events() if event.kind == "frozen")
        assert json.loads(event.data) == {"why": "he says it was 17", "about": 1}
        assert event.citation == "13:69E-1.31(b)"

    def test_one_that_is_frozen_stays_so(self, pit: Pit) -> None:
        at = opened(pit, "roulette")
        for _ in range(2):
            assert dispute.freeze(pit, at.stream, 1, "why")
        assert at.kinds().count("frozen") == 1

    def test_one_that_is_closed_is_left_alone(self, pit: Pit) -> None:
        at = opened(pit, "roulette")
        at.do(FLOORPERSON, "close_table", why="over")
        assert not dispute.freeze(pit, at.stream, 1, "why")
        assert at.kinds()[-1] == "closed"
