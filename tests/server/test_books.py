"""The books: what every game is, its rules in plain words, and what it is worth."""

import asyncio
import json
import os
import signal
import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest

from croupier.analysis import analyze, as_json
from croupier.analysis.advise import advise
from croupier.analysis.figures import shipped
from croupier.equipment import Card
from croupier.floor.commands import Unavailable
from croupier.games import find_game, registry, scoreboard
from croupier.games.scoreboard import Hand, Mark
from croupier.regulation import coverage
from croupier.rulebook import Game, PokerGame, Refusal
from croupier.server import books, count_room, counting
from croupier.server.books import LIMITS
from croupier.server.count_room import Busy, CountRoom, Work
from croupier.server.rules import chosen, rules
from tests.server.support import Server, soon

pytestmark = pytest.mark.timeout(180)

LONG = 120.0  # seconds for a count by a process that gives way to everyone
GAMES = list(registry().values())
Servers = Callable[..., Server]

every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)


def counted(server: Server, path: str, who: str = "", **query: Any) -> Any:
    """Ask until it is worked out, as the page does."""

    def ask() -> httpx.Response | None:
        answer = server.get(path, who, params=query)
        if answer.status_code != 202:
            return answer
        told = answer.json()
        assert told.keys() == {"ready", "done", "doing"}
        assert told["ready"] is False
        assert told["doing"]
        return None

    answer = soon(ask, LONG)
    assert answer.status_code == 200, answer.text
    return answer.json()


def asked(server: Server, path: str, who: str = "", **query: Any) -> Any:
    answer = server.get(path, who, params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


# The games.


def test_every_game_is_listed_with_its_family_limits_and_edges(server: Server) -> None:
    listed = {game["id"]: game for game in asked(server, "/games")}
    assert listed.keys() == registry().keys()
    assert {game["family"] for game in listed.values()} == {
        "wheel",
        "dice",
        "drum",
        "shoe",
        "poker",
    }
    roulette = listed["roulette"]
    assert (roulette["least"], roulette["most"]) == (500, 100_000)
    assert roulette["edges"]["best"]["house_edge"]["exact"] == "1/38"
    assert roulette["edges"]["worst"]["wager"] == "first_five_numbers"
    assert asked(server, "/games/roulette") == roulette


def test_the_best_wager_is_one_that_can_be_made_by_itself(server: Server) -> None:
    for game in asked(server, "/games"):
        for end in ("best", "worst"):
            edge = game["edges"][end]
            wager = find_game(game["id"]).by_id[edge["wager"].partition(":")[0]]
            assert not wager.supports
            assert edge["title"] == wager.title


@every_game
def test_no_figure_depends_on_the_limits_of_a_table(game: Game) -> None:
    """So the shipped figures hold for every table that differs in nothing else."""
    given = {"table_min": 2500, "table_max": 100_000, "increment": 100}
    assert given.keys() == LIMITS
    own = {name: value for name, value in given.items() if name in game.Options.all()}
    default, other = game.options(), game.options(own)
    here = as_json(game, other, analyze(game, other))["wagers"]
    assert here == as_json(game, default, analyze(game, default))["wagers"]
    assert {label.partition(":")[0] for label in here} == {
        label.partition(":")[0] for label in shipped(game)
    }


# Is it lawful?


def test_a_lawful_table_is_read_back_with_what_was_changed(server: Server) -> None:
    given = {"pair_plus_ledger": "b", "table_min": 1000}
    told = asked(server, "/games/three-card-poker/check", options=json.dumps(given))
    assert told["lawful"] is True
    assert told["violations"] == []
    assert told["options"]["deal_method"] == "automated_shoe"
    assert told["changed"] == {"pair_plus_ledger": "B", "table_min": 1000}


def test_every_violation_is_told_with_its_paragraph(server: Server) -> None:
    given = {"wheel": "triple_zero", "no_such_option": 1}
    told = asked(server, "/games/roulette/check", options=json.dumps(given))
    assert (told["lawful"], told["options"], told["changed"]) == (False, None, None)
    wrong = {each["option"]: each["citation"] for each in told["violations"]}
    assert wrong == {"wheel": "19:47-5.2(b)", "no_such_option": "19:47-8.3 (customary)"}


@pytest.mark.parametrize("what", ["check", "mathematics", "rules"])
@pytest.mark.parametrize("options", ["", "{", "[]", "1", "null", '{"a": NaN}', '{"a":1,"a":2}'])
def test_what_is_no_json_object_is_refused(server: Server, what: str, options: str) -> None:
    answer = server.get(f"/games/craps/{what}", params={"options": options})
    assert answer.status_code == 422
    assert answer.json()["fault"] == "bad_request"
    assert answer.json()["field"] == "options"


@pytest.mark.parametrize("what", ["mathematics", "rules"])
def test_an_unlawful_table_has_neither_mathematics_nor_rules(server: Server, what: str) -> None:
    answer = server.get(f"/games/roulette/{what}", params={"options": '{"wheel": "triple_zero"}'})
    assert answer.status_code == 422
    assert answer.json()["fault"] == "unlawful_table"
    assert [each["option"] for each in answer.json()["violations"]] == ["wheel"]


def test_a_game_that_is_not_there_is_not_found(server: Server) -> None:
    for path in ("", "/check", "/mathematics", "/rules"):
        assert server.get(f"/games/gin-rummy{path}").status_code == 404


# What it is worth.


@pytest.mark.parametrize(
    ("name", "given"),
    [("craps", {}), ("roulette", {"wheel": "single_zero"}), ("three-card-poker", {})],
)
def test_the_mathematics_are_those_of_the_command_line(
    server: Server, name: str, given: dict[str, Any]
) -> None:
    game = find_game(name)
    options = game.options(given)
    told = counted(server, f"/games/{name}/mathematics", options=json.dumps(given))
    document = json.loads(json.dumps(as_json(game, options, analyze(game, options))))
    assert told == {"ready": True, **document, "posted": []}


def test_the_table_on_the_wall_comes_with_it(server: Server) -> None:
    game = find_game("minibaccarat")
    posted = counted(server, "/games/minibaccarat/mathematics")["posted"]
    rows = list(game.posted(game.options()))
    assert [row["title"] for row in posted] == [row.title for row in rows]
    assert [row["is_here"] for row in posted] == [row.is_here for row in rows]
    banker = next(row for row in posted if row["is_here"] and row["label"] == "banker")
    assert banker["house_edge"]["decimal"] == pytest.approx(0.010579, abs=1e-6)


def test_the_coverage_is_that_of_the_command_line(server: Server) -> None:
    assert counted(server, "/coverage") == [row.as_json() for row in coverage()]


# The count room.


def in_a_room(work: Callable[[CountRoom], Coroutine[Any, Any, None]]) -> None:
    async def run() -> None:
        room = CountRoom()
        try:
            await work(room)
        finally:
            await room.close()

    asyncio.run(run())


async def finished(room: CountRoom, job: dict[str, Any], told: list[Work] | None = None) -> Any:
    end = time.monotonic() + LONG
    while isinstance(answer := await room.ask(job), Work):
        assert time.monotonic() < end
        if told is not None:
            told.append(Work(answer.answer, doing=answer.doing, done=answer.done))
    return json.loads(answer)


def job(game: str) -> dict[str, Any]:
    return {"do": "mathematics", "game": game, "options": {}}


def test_whoever_waits_for_a_count_is_told_how_far_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CROUPIER_CACHE", str(tmp_path))
    monkeypatch.setattr(count_room, "PATIENCE", 0.01)

    async def work(room: CountRoom) -> None:
        told: list[Work] = []
        await finished(room, job("three-card-poker"), told)
        assert "counting 407,170,400 deals" in {each.doing for each in told}
        shares = [each.done for each in told if each.done is not None]
        assert shares == sorted(shares)
        assert all(0 <= share <= 1 for share in shares)

    in_a_room(work)


def test_a_count_that_breaks_off_can_be_asked_for_again() -> None:
    async def work(room: CountRoom) -> None:
        await finished(room, job("big-six"))
        assert room.readers._process is not None
        os.kill(room.readers._process.pid, signal.SIGKILL)  # while it has nothing to do
        await room.readers._process.wait()
        await finished(room, job("roulette"))
        asked = asyncio.create_task(room.ask(job("premium-hold-em")))
        await asyncio.sleep(0.1)
        os.kill(room.readers._process.pid, signal.SIGKILL)
        with pytest.raises(Busy, match="ask again"):
            while isinstance(await asked, Work):
                asked = asyncio.create_task(room.ask(job("premium-hold-em")))
        assert (await finished(room, job("sic-bo")))["game"] == "sic-bo"

    in_a_room(work)


def test_only_so_many_may_wait_and_what_nobody_asks_for_is_not_begun(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(count_room, "MOST_WAITING", 2)
    monkeypatch.setattr(count_room, "PATIENCE", 0.0)
    monkeypatch.setattr(count_room, "FORGOTTEN", 0.2)

    async def work(room: CountRoom) -> None:
        first, second = job("minibaccarat"), job("roulette")
        assert isinstance(await room.ask(first), Work)
        forgotten = await room.ask(second)
        assert isinstance(forgotten, Work)
        with pytest.raises(Busy, match="too much"):
            await room.ask(job("craps"))
        await finished(room, first)
        assert isinstance(await forgotten.answer, Busy)
        assert room.kept(second) is None

    in_a_room(work)


def test_what_was_worked_out_last_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(count_room, "MOST_KEPT", 1)

    async def work(room: CountRoom) -> None:
        told = await finished(room, job("big-six"))
        assert json.loads(room.kept(job("big-six")) or b"") == told
        await finished(room, job("roulette"))
        assert room.kept(job("big-six")) is None

    in_a_room(work)


def test_of_the_solved_games_on_disk_the_oldest_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CROUPIER_CACHE", str(tmp_path))
    monkeypatch.setattr(counting, "MOST_FILED", 2)
    for age in range(4):
        (tmp_path / f"{age}.npz").touch()
        os.utime(tmp_path / f"{age}.npz", (1000 - age, 1000 - age))
    counting.tidy()
    assert {file.name for file in tmp_path.iterdir()} == {"0.npz", "1.npz"}


def test_readers_keep_no_player_waiting_for_a_hint(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is asked at the one desk, and however many ask there."""
    monkeypatch.setattr(count_room, "PATIENCE", 0.02)
    hint = {
        "do": "hint", "game": "three-card-poker", "options": {}, "seat": "1",
        "own": ["Qs", "6d", "4c"], "board": [], "up": [], "before": [],
    }  # fmt: skip

    async def work(room: CountRoom) -> None:
        await finished(room, hint | {"own": ["Kd", "Qs", "9c"]})  # the game is solved, this once
        slow = {"do": "par", "game": "premium-hold-em", "options": {}, "form": "json"}
        assert isinstance(await room.ask(slow, "10.0.0.1"), Work)
        with suppress(Busy):
            for number in range(30):
                await room.ask(slow | {"form": f"form {number}"}, f"10.0.0.{number // 2}")
        began = time.monotonic()
        assert (await finished(room, hint))["game"] == "three-card-poker"
        assert time.monotonic() - began < 5
        assert isinstance(await room.ask(slow, "10.0.0.1"), Work), "it goes on meanwhile"

    in_a_room(work)


def test_one_address_has_a_few_counts_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(count_room, "PATIENCE", 0.0)

    async def work(room: CountRoom) -> None:
        games = ["minibaccarat", "roulette", "craps", "big-six"]
        for game in games[:3]:
            assert isinstance(await room.ask(job(game), "10.0.0.1"), Work)
        with pytest.raises(Busy, match="3 counts of yours"):
            await room.ask(job(games[3]), "10.0.0.1")
        assert isinstance(await room.ask(job(games[0]), "10.0.0.1"), Work), "to ask again is free"
        assert isinstance(await room.ask(job(games[3]), "10.0.0.2"), Work)

    in_a_room(work)


def test_a_room_that_is_full_is_unavailable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(count_room, "MOST_WAITING", 0)

    async def work(room: CountRoom) -> None:
        with pytest.raises(Unavailable):
            await books.counted(room, job("craps"))

    in_a_room(work)


def test_a_refusal_comes_back_as_one() -> None:
    async def work(room: CountRoom) -> None:
        with pytest.raises(Refusal, match="no game"):
            await finished(room, job("gin-rummy"))

    in_a_room(work)


def test_the_count_room_ends_with_the_server(servers: Servers) -> None:
    for stop in (Server.kill, Server.stop):
        server = servers().start()
        counted(server, "/games/big-six/mathematics")
        assert server.process is not None
        (child,) = children(server.process.pid)
        assert int(Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()[16]) == 19
        stop(server)
        soon(partial(is_gone, child))


def is_gone(process: int) -> bool:
    return not Path(f"/proc/{process}").exists()


def children(parent: int) -> list[int]:
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == parent:
            found.append(int(stat.parent.name))
    return found


# The rules, in plain words.


@every_game
def test_the_rules_tell_all_that_a_visitor_needs(game: Game) -> None:
    told = rules(game, game.options())
    assert told.about == game.in_words
    assert "No more bets" in " ".join(step.text for step in told.procedure)
    assert any("wager is settled" in step.text for step in told.procedure)
    assert [wager.id for wager in told.wagers] == [wager.id for wager in game.wagers]
    assert all(wager.text for wager in told.wagers)
    assert [each.id for each in told.options] == [*game.Options.all()]
    assert all(each.default for each in told.options)
    assert [each.id for each in told.irregularities] == [*game.irregularities]


@every_game
def test_every_value_of_an_option_is_marked_as_the_game_judges_it(game: Game) -> None:
    for option in rules(game, game.options()).options:
        for value in option.values:
            wrong = game.check({option.id: value.value})
            assert value.lawful == (not wrong)
            assert value.why == (wrong[0].message if wrong else None)
        assert option.values or option.lawful
        assert sum(value.chosen for value in option.values) == (1 if option.values else 0)


@every_game
def test_every_lawful_table_has_its_rules(game: Game) -> None:
    for option in game.Options.all().values():
        for value in option.values:
            if not game.check({option.id: value}):
                whole = game.options({option.id: value})
                told = rules(game, game.options(whole.as_json()))
                assert game.options(chosen(game, whole)).as_json() == whole.as_json()
                assert sum(not each.default for each in told.options) <= 1


def test_what_follows_from_a_choice_is_no_choice(server: Server) -> None:
    told = asked(server, "/games/roulette/check", options='{"wheel": "single_zero"}')
    assert told["options"]["zero_rule_double"] == "full_loss"
    assert told["changed"] == {"wheel": "single_zero"}
    default = json.dumps(asked(server, "/games/roulette/check")["options"])
    wheel = asked(server, "/games/roulette/rules", options=default)["options"][0]
    assert all(value["lawful"] for value in wheel["values"])


def test_the_rules_are_those_of_the_table_that_is_asked_about(server: Server) -> None:
    options = json.dumps({"wheel": "single_zero", "table_min": 2500})
    told = asked(server, "/games/roulette/rules", options=options)
    by_id = {option["id"]: option for option in told["options"]}
    assert (by_id["table_min"]["shown"], by_id["table_min"]["default"]) == ("$25", False)
    (half,) = (v for v in by_id["zero_rule_double"]["values"] if v["value"] == "half_loss")
    assert half["lawful"] is False
    assert half["citation"] == "19:47-5.2(c)"
    offered = {wager["id"] for wager in told["wagers"] if wager["offered"]}
    assert "first_five_numbers" not in offered


@pytest.mark.parametrize(
    ("game", "wager", "says"),
    [
        ("craps", "pass", "wins on 7 or 11 and loses on 2, 3 or 12"),
        ("craps", "dont_pass", "returned on 12"),
        ("craps", "place_win_6", "wins on 6 and loses on 7"),
        ("craps", "hard_10", "wins on 5-5 and loses on 7 or 4-6"),
        ("craps", "field", "Wins on 2 to 4 or 9 to 12"),
        ("craps", "come_odds", "behind a come wager"),
        ("sic-bo", "small", "4 to 10 other than 2-2-2 or 3-3-3"),
        ("sic-bo", "three_of_a_kind_1", "Wins on 1-1-1"),
        ("roulette", "split", "any of the 2 stops that it names"),
        ("roulette", "seven_numbers", "10, 11, 12, 13, 14, 15 or 33"),
        ("three-card-poker", "ante_bonus", "it is paid on the ante wager"),
        ("ultimate-texas-hold-em", "blind", "must equal the ante wager"),
        ("pokette", "flush", "only after two spins of one suit"),
        ("minibaccarat", "bonus_player", "beside the player or banker wager"),
    ],
)
def test_what_a_wager_wins_on_follows_from_its_rule(game: str, wager: str, says: str) -> None:
    found = find_game(game)
    (text,) = (w.text for w in rules(found, found.options()).wagers if w.id == wager)
    assert text is not None
    assert says in text


# A table's felt.


def test_a_felt_has_every_area_that_the_table_offers(server: Server) -> None:
    table = server.open("roulette")
    felt = asked(server, f"/tables/{table}/felt", "Ann")
    game = find_game("roulette")
    offered = game.offered(game.options())
    assert [area["id"] for area in felt["wagers"]] == [wager.id for wager in offered]
    areas = {area["id"]: area for area in felt["wagers"]}
    assert len(areas["straight"]["spots"]) == 38
    assert "split:17-20" in areas["split"]["spots"]
    assert areas["red"]["spots"] == ["red"]
    assert areas["red"]["pays"] == [{"line": "win", "odds": "1 to 1"}]
    assert areas["straight"]["figures"]["straight"]["house_edge"]["exact"] == "1/19"
    assert not any(area["sampled"] for area in areas.values())


def test_tickets_without_end_are_sampled(server: Server) -> None:
    felt = asked(server, f"/tables/{server.open('keno')}/felt", "Ann")
    assert all(area["sampled"] for area in felt["wagers"])
    assert all(area["figures"] for area in felt["wagers"])


def test_a_wager_of_a_hand_has_its_figures_with_the_hand(server: Server) -> None:
    felt = asked(server, f"/tables/{server.open('three-card-poker')}/felt", "Ann")
    areas = {area["id"]: area for area in felt["wagers"]}
    assert (areas["play"]["joins"], areas["play"]["figures"]) == ("ante", {})
    assert areas["ante_bonus"]["paid_on"] == "ante"
    assert areas["ante"]["figures"]["ante"]["element_of_risk"]["decimal"] < 0.0202


def test_the_figures_of_another_table_are_there_when_they_have_been_counted(
    server: Server,
) -> None:
    limits = server.open("roulette", options={"table_min": 2500})
    felt = asked(server, f"/tables/{limits}/felt", "Ann")
    assert all(area["figures"] for area in felt["wagers"])
    table = server.open("roulette", options={"higher_odds": "red: 11 to 10"})
    felt = asked(server, f"/tables/{table}/felt", "Ann")
    assert all(area["figures"] is None for area in felt["wagers"])
    counted(server, "/games/roulette/mathematics", options=json.dumps(felt["options"]))
    felt = asked(server, f"/tables/{table}/felt", "Ann")
    (red,) = (area for area in felt["wagers"] if area["id"] == "red")
    assert red["figures"]["red"]["house_edge"]["decimal"] < 0.0264


@pytest.mark.parametrize("what", ["felt", "outcomes", "hint?seat=1"])
def test_a_private_table_is_in_nobodys_books_but_its_own(server: Server, what: str) -> None:
    table = server.floor("Ann").open("three-card-poker", link="a secret of twenty letters").id
    assert server.get(f"/tables/{table}/{what}").status_code == 401
    assert server.get(f"/tables/{table}/{what}", "Bob").status_code == 404
    assert server.get(f"/tables/{table}/{what}", "Ann").status_code in (200, 403)


# What came.


def test_the_throws_of_the_last_rounds_are_told_in_order(server: Server) -> None:
    table = server.open("craps")
    ann = server.seated("Ann", table, "1")
    for _ in range(4):
        ann.bet(field=500)
        ann.ready()
        if ann.view().asked:
            ann.move("accept")
    events = server.get(f"/tables/{table}/events", "Ann").json()
    throws = [{"round": e["round"], "kind": "throw", "outcome": e["outcome"]}
              for e in events if e["kind"] == "throw"]  # fmt: skip
    told = asked(server, f"/tables/{table}/outcomes", "Bob", last=300)
    assert told == {"outcomes": throws, "results": [], "board": None}
    assert len(throws) == 4
    last = asked(server, f"/tables/{table}/outcomes", "Bob", last=2)["outcomes"]
    assert [each["round"] for each in last] == [3, 4]


def test_a_draw_of_keno_is_one_outcome(server: Server) -> None:
    table = server.open("keno")
    ann = server.seated("Ann", table, "1")
    for _ in range(2):
        ann.bet({"straight_2:7-11": 100})
        ann.ready()
    drawn = asked(server, f"/tables/{table}/outcomes", "Ann")["outcomes"]
    assert [each["round"] for each in drawn] == [1, 2]
    assert all(len(set(each["outcome"])) == 20 for each in drawn)


def test_the_roads_are_those_of_the_shoe(server: Server) -> None:
    table = server.open("minibaccarat")
    empty = asked(server, f"/tables/{table}/outcomes", "Ann")["board"]
    assert empty["totals"]["coups"] == 0
    ann = server.seated("Ann", table, "1")
    for _ in range(8):
        ann.bet(player=1000)
        while not ann.view().asked and ann.view().phase == "betting":
            ann.ready()
            break
        while question := ann.view().asked:
            ann.move(question.default)
    state = server.get(f"/tables/{table}", "Ann").json()["state"]
    marks = [Mark(**{**each, "winner": Hand(each["winner"])}) for each in state["results"]]
    board = asked(server, f"/tables/{table}/outcomes", "Ann")["board"]
    assert board["totals"]["coups"] == len(marks) == 8
    assert [(c["col"], c["row"], c["mark"]) for c in board["bead"]] == [
        (cell.column, cell.row, cell.mark.winner) for cell in scoreboard.bead_plate(marks)
    ]
    assert [(c["col"], c["row"], c["ties"]) for c in board["big_road"]] == [
        (cell.column, cell.row, cell.ties) for cell in scoreboard.big_road(marks)
    ]
    derived = {"big_eye": scoreboard.big_eye_boy, "small": scoreboard.small_road,
               "cockroach": scoreboard.cockroach_pig}  # fmt: skip
    for name, road in derived.items():
        cells = [(cell.column, cell.row, cell.color) for cell in road(marks)]
        assert [(c["col"], c["row"], c["mark"]) for c in board[name]] == cells


def test_cards_of_players_are_no_public_outcome(server: Server) -> None:
    table = server.open("three-card-poker")
    ann = server.seated("Ann", table, "1")
    ann.bet(ante=1000)
    ann.ready()
    told = asked(server, f"/tables/{table}/outcomes", "Bob")
    assert told == {"outcomes": [], "results": [], "board": None}


# Hints.


@pytest.mark.parametrize("name", ["three-card-poker", "premium-hold-em", "let-it-ride-poker"])
def test_a_hint_is_what_each_move_is_worth_with_the_cards_in_view(
    server: Server, name: str
) -> None:
    game = find_game(name)
    assert isinstance(game, PokerGame)
    table = server.open(name)
    ann = server.seated("Ann", table, "1")
    ann.bet({game.main[0]: 1000})
    ann.ready()
    question = ann.view().asked
    assert question is not None
    told = counted(server, f"/tables/{table}/hint", "Ann", seat="1")
    events = server.get(f"/tables/{table}/events", "Ann").json()
    own = [Card.parse(e["outcome"]) for e in events if e["kind"] == "look" and e["to"] == "1"]
    advised = advise(game, game.options(), own)
    assert told["best"] == advised.best
    assert {move: worth["exact"] for move, worth in told["moves"].items()} == {
        move: str(worth) for move, worth in advised.values.items()
    }
    assert told["citation"] == question.citation


def test_a_hint_is_for_the_seats_own_player_while_he_is_asked(server: Server) -> None:
    table = server.open("three-card-poker")
    ann = server.seated("Ann", table, "1")
    assert server.get(f"/tables/{table}/hint?seat=1", "Ann").status_code == 409
    ann.bet(ante=1000)
    ann.ready()
    for who in ("Bob", "Flo", "Sam"):
        assert server.get(f"/tables/{table}/hint?seat=1", who).status_code == 403
    craps = server.open("craps")
    answer = server.get(f"/tables/{craps}/hint?seat=1", "Ann")
    assert (answer.status_code, answer.json()["fault"]) == (404, "not_found")
