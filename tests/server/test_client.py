"""The client plays: on good lines, on bad ones, and as the documentation says."""

import json
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, redirect_stdout
from io import StringIO
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from croupier.client import Event, Floor, Move, Question, Refused, Session, Unreachable, new_key
from croupier.floor.roles import MAY
from tests.server.support import PASSWORD, Line, Server, refused

pytestmark = pytest.mark.timeout(120)

PAGE = Path(__file__).parent.parent.parent / "docs" / "live-tables.md"
ADDRESS = "http://127.0.0.1:8047"
BUSY = b"HTTP/1.1 503 Busy\r\nRetry-After: 0\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}"
HTML = b"HTTP/1.1 404 No\r\nContent-Length: 5\r\nConnection: close\r\n\r\n<html"


# As the documentation says.


@pytest.fixture(scope="module")
def new_floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A floor on its first evening."""
    server = Server(tmp_path_factory.mktemp("floor")).start()
    yield server
    server.close()


def blocks(kind: str) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)


def test_every_python_example_of_the_chapter_runs(new_floor: Server) -> None:
    *tour, bot = blocks("python")
    names: dict[str, Any] = {}
    for block in tour:
        exec(compile(block.replace(ADDRESS, new_floor.url), str(PAGE), "exec"), names)
    names["floor"].close()

    assert len([line for line in bot.splitlines() if line]) <= 20
    printed = StringIO()
    with redirect_stdout(printed):
        exec(compile(bot.replace(ADDRESS, new_floor.url), str(PAGE), "exec"), {})
    *rounds, end = printed.getvalue().splitlines()
    nets = [int(re.fullmatch(r"round \d+: ([+-]\d+) cents", line)[1]) for line in rounds]  # type: ignore[index]
    assert len(nets) == 20
    assert end == f"cashed out with {100_000 + sum(nets)} cents"


def test_every_exchange_of_the_chapter_happens_so(new_floor: Server) -> None:
    headers: dict[str, str] = {}
    table = ""
    for block, follows in pairwise([*blocks("http"), ""]):
        if block.startswith("HTTP/"):
            continue
        (method, path), more, body = parsed(block)
        answer = new_floor.send(
            method, path.removeprefix("/api").format(table=table), "", body,
            headers={**headers, **more},
        )  # fmt: skip
        assert answer.is_success or follows.startswith("HTTP/1.1 4"), answer.text
        if follows.startswith("HTTP/"):
            (_, status, *_), _, shown = parsed(follows)
            assert answer.status_code == int(status), answer.text
            assert_alike(answer.json(), shown, block)
        if path == "/api/session":
            headers = {"Authorization": f"Bearer {answer.json()['token']}"}
        if path == "/api/tables":
            (table,) = [each["id"] for each in answer.json() if each["game"] == "three-card-poker"]


def parsed(block: str) -> tuple[list[str], dict[str, str], Any]:
    """The first line, the headers and the body of a request or an answer."""
    head, _, body = block.partition("\n\n")
    first, *lines = head.splitlines()
    return first.split(), dict(line.split(": ") for line in lines), json.loads(body or "null")


def assert_alike(found: Any, shown: Any, where: str) -> None:
    """What the page shows is there; values may differ."""
    if isinstance(shown, dict):
        assert shown.keys() <= found.keys(), where
        for key, value in shown.items():
            assert_alike(found[key], value, where)
    elif isinstance(shown, list):
        assert_alike(found[0], shown[0], where)
    else:
        assert type(found) is type(shown), where


def test_the_chapter_names_the_commands_of_each_role() -> None:
    text = PAGE.read_text("utf-8")
    rows = dict(re.findall(r"^\| (patron|dealer|floorperson) \| (.*?) \|$", text, re.MULTILINE))
    for role, told in rows.items():
        may = {command for command, roles in MAY.items() if role in roles}
        assert set(re.findall(r"`(\w+)`", told)) == may - NO_COMMANDS


NO_COMMANDS = {
    "open_table", "open_private_table", "reports", "read_all", "accounts", "unlock", "cage",
    "pay_out",
}  # fmt: skip


# On a good line.


def test_a_seat_is_found_by_itself(server: Server) -> None:
    table = server.open("three-card-poker")
    ann, bob, cat = (server.floor(name).table(table) for name in ("Ann", "Bob", "Cat"))
    bob.sit("2", buy_in=10_000)
    ann.sit(buy_in=20_000)
    cat.sit()
    assert (ann.seat, cat.seat) == ("1", "3")
    view = cat.view()
    assert [chair.stack for chair in view.seats.values()] == [20_000, 10_000, 0]
    cat.buy_in(5_000)
    assert cat.leave().events[-1].data["cash"] == 5_000
    with refused("unknown_seat"):
        cat.bet(ante=500)


def test_a_full_table_has_no_seat_and_is_not_found(server: Server) -> None:
    table = server.open("baccarat-chemin-de-fer", options={})
    names = iter(range(100))
    view = server.floor("Ann").table(table).view()
    for seat in view.positions:
        server.floor(("Ann", "Bob", "Cat")[next(names) % 3]).table(table).sit(seat)
    with refused("seat_taken", 409):
        server.floor("Ann").table(table).sit()
    with refused("unknown_table", 404):
        server.floor("Ann").find("baccarat-chemin-de-fer")


def test_two_programs_play_at_one_table_and_wait_for_each_other(server: Server) -> None:
    table = server.open("three-card-poker")
    nets: dict[str, int] = {}
    seen: dict[str, list[Question]] = {"Ann": [], "Bob": []}

    def play(name: str) -> None:
        at = server.another(name).table(table)
        at.sit(buy_in=100_000)

        def decide(question: Question) -> str:
            seen[name].append(question)
            return "play"

        nets[name] = sum(each.net for _ in range(8) for each in at.play_round(ANTE, decide))
        assert at.view().seats[at.seat or ""].stack == 100_000 + nets[name]
        at.leave()

    players = [threading.Thread(target=play, args=[name]) for name in seen]
    for player in players:
        player.start()
    for player in players:
        player.join(60)
    assert nets.keys() == seen.keys()
    for asked in seen.values():
        assert len(asked) == 8
        assert all(len(question.cards[question.seat]) == 3 for question in asked)
        assert {*asked[0].cards} == {asked[0].seat}  # and nobody else's
        assert asked[0]["play"] == Move("play", costs=1000)
        assert "fold" in asked[0]
        assert "raise" not in asked[0]
        assert asked[0].seconds == 30
        assert asked[0].citation.startswith("19:47-20.10")


ANTE = {"ante": 1000}


def test_a_move_with_an_amount(server: Server) -> None:
    ann = server.seated("Ann", server.open("ultimate-texas-hold-em"), "1")
    settled = ann.play_round({"ante": 1000}, raise_once)
    assert {each.wager: each.stake for each in settled}["play"] == 4000


def raise_once(question: Question) -> Any:
    bet = question["bet"]
    return bet.of(bet.high)


def test_wagers_that_stand_are_played_on(server: Server) -> None:
    ann = server.seated("Ann", server.open("craps"), "1")
    settled = ann.play_round({"pass": 1000})
    for _ in range(100):
        (line,) = [each for each in settled if each.wager == "pass"]
        if line.result != "standing":
            break
        settled = ann.play_round()
    assert line.result in ("win", "lose")
    assert line.net == {"win": 1000, "lose": -1000}[line.result]


def test_one_who_comes_in_the_middle_of_a_round_plays_the_next(server: Server) -> None:
    table = server.open("three-card-poker")
    ann, bob = server.seated("Ann", table, "1"), server.floor("Bob").table(table)
    ann.bet(ANTE)
    ann.ready()
    bob.sit(buy_in=50_000)
    settled: list[Any] = []
    waiting = threading.Thread(target=lambda: settled.extend(bob.play_round(ANTE)))
    waiting.start()
    time.sleep(0.3)
    assert not settled
    ann.move("play")  # the first round is over
    ann.play_round(ANTE)
    waiting.join(20)
    assert [each.wager for each in settled if each.net] == ["ante"]
    assert bob.view().round == 3


def test_a_question_that_the_clock_has_answered_is_no_error(server: Server) -> None:
    table = server.open("three-card-poker", terms={"move_seconds": 1})
    ann = server.seated("Ann", table, "1")

    def sleepy(question: Question) -> str:
        time.sleep(1.5)
        return "play"

    (lost,) = [each for each in ann.play_round(ANTE, sleepy) if each.wager == "ante"]
    assert (lost.result, lost.net) == ("lose", -1000)  # the rule's default is to fold


def test_the_events_end_with_the_table(server: Server) -> None:
    table = server.open("roulette")
    flo = server.floor("Flo").table(table)
    flo.close("the night is over")
    kinds = [event.kind for event in flo.events()]
    assert kinds == ["opened", "closing", "closed"]


def test_a_dealer_and_a_floorperson_have_their_commands(server: Server) -> None:
    table = server.open("roulette", terms={"dealer": "person", "equipment": "real"})
    dee, flo, sue = (server.floor(name).table(table) for name in ("Dee", "Flo", "Sue"))
    ann = server.seated("Ann", table, "1")
    dee.take_dealer()
    ann.bet(red=1000)
    dee.no_more_bets()
    assert dee.deal(outcome="36").events[-1].kind != "round_over"  # not before it is inspected
    over = dee.deal().events[-1]
    assert over.data["settlements"][0]["result"] == "win"
    flo.post_notice({"table_min": 400})
    ann.dispute(about=1, why="it was black")
    flo.freeze("a dispute", about=1)
    sue.correct(-1000, "it was", about=1, seat="1")
    sue.thaw("done")
    dee.leave_dealer()
    assert ann.do("leave", seat="1").events[-1].data["cash"] == 1_000_000
    assert sue.close("the night is over").events[-1].kind == "closed"


# On a bad line.


def test_a_command_whose_answer_is_lost_is_sent_again_and_done_once(server: Server) -> None:
    table = server.open("roulette")
    with Line(server.url) as line, Floor(line.url) as far:
        far._token = server.token("Ann")
        at = far.table(table)
        at.sit("1", buy_in=100_000)
        for lost in range(1, 4):
            line.lose_answers = lost
            assert at.bet(red=1000 * lost).stacks == {"1": 100_000 - 1000 * lost}
            assert line.lose_answers == 0
        line.cut()
        assert at.view().seats["1"].stack == 97_000
    wagers = [each for each in heard(server, table) if each.kind == "wager"]
    assert [each.data["stake"] for each in wagers] == [1000, 2000, 3000]


def heard(server: Server, table: str) -> list[Event]:
    """Everything up to now."""
    at = server.floor("Cat").table(table)
    last = at.view().number
    found = []
    with closing(at.events()) as events:
        for event in events:
            found.append(event)
            if event.number >= last:
                return found
    return found


def test_a_house_that_is_busy_is_asked_again(server: Server) -> None:
    table = server.open("roulette")
    with Line(server.url) as line, Floor(line.url) as far:
        far._token = server.token("Ann")
        line.instead = [BUSY, BUSY]
        far.table(table).sit("1")
        assert line.instead == []
        line.cut()
        line.instead = [BUSY]
        assert next(far.table(table).events()).kind == "opened"


def test_what_is_not_the_house_is_not_believed(server: Server) -> None:
    with Line(server.url) as line, Floor(line.url) as far:
        line.instead = [HTML]
        with refused("not_the_house", 404):
            far.tables()


def test_patience_has_an_end() -> None:
    with Floor("http://127.0.0.1:9", patience=0.5) as nowhere:
        began = time.monotonic()
        for ask in (nowhere.tables, lambda: nowhere.log_in("Ann", PASSWORD),
                    lambda: next(nowhere.table("t").events())):  # fmt: skip
            with pytest.raises(Unreachable, match="does not answer"):
                ask()
        assert 0.5 < time.monotonic() - began < 5


def test_what_must_not_be_done_twice_is_not_sent_twice(server: Server) -> None:
    with Line(server.url) as line, Floor(line.url) as far:
        line.lose_answers = 1
        with pytest.raises(Unreachable):
            far.register("Una", PASSWORD)
        calls = line.calls
        with refused("name_taken", 409):
            far.register("Una", PASSWORD)
        assert line.calls == calls + 1


def test_a_token_is_renewed_before_it_runs_out_while_others_use_it(server: Server) -> None:
    floor = server.another("Ann")
    first, failed = floor._token, []
    stopping = threading.Event()

    def look() -> None:
        while not stopping.is_set():
            try:
                floor.tables()
            except Refused as why:
                failed.append(why)

    lookers = [threading.Thread(target=look) for _ in range(4)]
    for looker in lookers:
        looker.start()
    for _ in range(5):
        floor._renew_at = 0.0
        time.sleep(0.2)
    stopping.set()
    for looker in lookers:
        looker.join(20)
    assert not failed
    assert floor._token != first
    assert 300 < floor._renew_at - time.monotonic() < 900


def test_a_house_that_was_down_for_a_moment_is_waited_for(
    servers: Callable[..., Server],
) -> None:
    server = servers(tables=[{"game": "roulette"}]).appoint().start()
    ann = server.floor("Ann").find("roulette")
    ann.sit("1", buy_in=1_000_000)
    rounds: list[int] = []
    stopping = threading.Event()

    def play() -> None:
        while not stopping.is_set():
            rounds.append(sum(each.net for each in ann.play_round({"red": 500})))

    player = threading.Thread(target=play)
    player.start()
    time.sleep(0.5)
    server.kill()
    server.start()
    before = len(rounds)
    time.sleep(1)
    stopping.set()
    player.join(60)
    assert len(rounds) > before
    view = ann.view()
    assert view.round == len(rounds) + 1
    assert view.seats["1"].stack == 1_000_000 + sum(rounds)


def test_the_client_needs_nothing_of_the_house() -> None:
    program = "import sys, croupier.client; print(*sys.modules)"
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    loaded = {name for name in told.stdout.split() if name.startswith("croupier")}
    assert loaded == {"croupier", "croupier.client"}
    assert "pydantic" not in told.stdout.split()


def test_a_session_says_who_it_is(server: Server) -> None:
    with Floor(f"{server.url}/") as floor:
        session = floor.log_in("Sam", PASSWORD)
        assert isinstance(session, Session)
        assert (session.name, session.role) == ("Sam", "surveillance")
        assert "1-800-GAMBLER" in session.message
        assert PASSWORD not in repr(vars(floor))
    assert new_key() != new_key()
