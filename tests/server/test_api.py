"""The API, over a real socket: who may do what, what is told to whom, and what survives."""

import json
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import replace
from typing import Any

import httpx
import pytest
from sqlalchemy import update

from croupier.client import Event, Floor, Refused, Table, Unreachable, View, new_key
from croupier.floor import schema
from tests.server.support import PASSWORD, Server, expire, refused, soon

pytestmark = pytest.mark.timeout(180)

Servers = Callable[..., Server]
SECRET = "a secret of twenty letters"


def events_of(server: Server, table: str, who: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = server.get(
        f"/tables/{table}/events", who, params={"limit": 1000}
    ).json()
    return found


def noted(server: Server, kind: str) -> list[dict[str, Any]]:
    """What the house's own log says of this kind."""
    found: list[dict[str, Any]] = []
    after = 0
    while page := server.get("/house/events", "Sue", params={"after": after}).json():
        after = page[-1]["number"]
        found += [each for each in page if each["kind"] == kind]
    return found


def texts(value: Any) -> Iterator[str]:
    """Every text in a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from texts(each)
    elif isinstance(value, list):
        for each in value:
            yield from texts(each)


# One table, several people.


def test_two_players_see_the_same_game_and_each_only_his_own_cards(server: Server) -> None:
    table = server.open("three-card-poker")
    ann, bob = server.seated("Ann", table, "1"), server.seated("Bob", table, "2")
    for player in (ann, bob):
        player.bet(ante=2500)
        player.ready()

    sees_all = events_of(server, table, "Sam")
    dealt = {seat: cards(sees_all, seat) for seat in ("1", "2", "dealer")}
    assert [len(hand) for hand in dealt.values()] == [3, 3, 3]
    seen = {who: events_of(server, table, who) for who in ("Ann", "Bob", "Cat", "Flo")}
    assert cards(seen["Ann"], "1") == dealt["1"]
    assert cards(seen["Bob"], "2") == dealt["2"]
    own = {"Ann": dealt["1"], "Bob": dealt["2"], "Cat": [], "Flo": []}
    for who, events in seen.items():
        view = server.get(f"/tables/{table}", who).json()
        hidden = {card for hand in dealt.values() for card in hand} - set(own[who])
        assert not hidden & set(texts([events, view])), f"{who} sees what is not his"
    public = [event for event in sees_all if event["kind"] != "look"]
    assert all([e for e in events if e["kind"] != "look"] == public for events in seen.values())

    views = [ann.view(), bob.view(), server.floor("Cat").table(table).view()]
    assert {(view.round, view.number, view.phase) for view in views} == {
        (1, len(sees_all), "deciding")
    }
    assert views[0].asked == views[1].asked == views[2].asked
    assert [[chair.yours for chair in view.seats.values()] for view in views] == [
        [True, False], [False, True], [False, False],
    ]  # fmt: skip

    ann.move("play")
    bob.move("fold")
    ends = [events_of(server, table, who)[-1] for who in ("Ann", "Bob", "Cat")]
    assert ends[0]["kind"] == "round_over"
    assert ends[0] == ends[1] == ends[2]
    assert {each["seat"] for each in ends[0]["settlements"]} == {"1", "2"}


def cards(events: list[dict[str, Any]], seat: str) -> list[str]:
    return [each["outcome"] for each in events if each["kind"] == "look" and each["to"] == seat]


def test_what_can_be_read(server: Server) -> None:
    games = {game["id"]: game for game in server.get("/games").json()}
    roulette = server.get("/games/roulette").json()
    assert games["roulette"] == roulette
    assert {"red", "straight"} <= {wager["id"] for wager in roulette["wagers"]}
    assert all(wager["citation"] for wager in roulette["wagers"])
    assert server.get("/games/tiddlywinks").status_code == 404

    table = server.open("roulette", name="By the window")
    ann = server.seated("Ann", table, "3", buy_in=40_000)
    listed = next(each for each in server.floor("Bob").tables() if each.id == table)
    assert (listed.name, listed.game, listed.phase) == ("By the window", "roulette", "betting")
    assert (listed.taken, listed.least, listed.most) == (1, 500, 100_000)

    openings = {each.wager: each for each in ann.openings()}
    red = openings["red"]
    assert (red.low, red.high, red.stake) == (500, 40_000, 0)  # no more than he has
    ann.bet(red=1000)
    assert {each.wager: each.stake for each in ann.openings()}["red"] == 1000
    assert server.get(f"/tables/{table}/openings", "Bob", params={"seat": "3"}).status_code == 403

    page = server.get(f"/tables/{table}/events", "Bob", params={"after": 1, "limit": 2}).json()
    assert [event["number"] for event in page] == [2, 3]


def test_nothing_is_told_to_one_who_is_not_logged_in(server: Server) -> None:
    table = server.open("roulette")
    for path in ("/session", "/tables", f"/tables/{table}", f"/tables/{table}/events",
                 f"/tables/{table}/stream", "/house/events"):  # fmt: skip
        answer = server.get(path)
        assert (answer.status_code, answer.json()["fault"]) == (401, "bad_token"), path
    answer = server.send("POST", f"/tables/{table}/commands", "", {"do": "take_dealer"}, key="k")
    assert answer.status_code == 401


# Who may do what.

BEYOND_A_PATRON: list[dict[str, Any]] = [
    {"do": "take_dealer"},
    {"do": "leave_dealer"},
    {"do": "no_more_bets"},
    {"do": "deal"},
    {"do": "report", "irregularity": "foreign_object"},
    {"do": "post_notice", "options": {"table_min": 1000}},
    {"do": "freeze", "why": "because"},
    {"do": "thaw", "why": "because"},
    {"do": "correct", "seat": "1", "cents": 100_000, "why": "because", "about": 1},
    {"do": "close_table", "why": "because"},
]


def test_a_patron_may_not_deal_nor_run_the_house_and_that_he_tried_is_noted(
    server: Server,
) -> None:
    table = server.open("roulette")
    before = len(noted(server, "forbidden"))
    for body in BEYOND_A_PATRON:
        answer = server.command(table, "Ann", body)
        assert (answer.status_code, answer.json()["fault"]) == (403, "forbidden"), body
    asked = [
        server.send("POST", "/staff", "Ann",
                    {"name": "Eve", "password": PASSWORD, "role": "supervisor"}),
        server.send("POST", "/accounts/0123456789abcdef", "Ann", {"do": "unlock"}),
        server.send("POST", "/tables", "Ann", {"game": "roulette", "name": "Mine"}, key="mine"),
        server.get("/house/events", "Ann"),
        server.get("/house/reports/win", "Ann"),
        server.get(f"/house/disputes/{table}/1", "Ann"),
    ]  # fmt: skip
    assert [answer.status_code for answer in asked] == [403] * len(asked)
    tried = noted(server, "forbidden")[before:]
    assert len(tried) == len(BEYOND_A_PATRON) + len(asked)
    account = server.floor("Ann").session
    assert account is not None
    assert {each["actor"] for each in tried} == {account.account}
    assert len(events_of(server, table, "Sam")) == 1


@pytest.mark.parametrize(
    ("who", "body"),
    [
        ("Dee", {"do": "sit", "seat": "1", "buy_in": 10_000}),
        ("Dee", {"do": "freeze", "why": "because"}),
        ("Flo", {"do": "thaw", "why": "because"}),
        ("Flo", {"do": "correct", "cents": 1, "why": "because", "about": 1}),
        ("Sue", {"do": "sit", "seat": "1"}),
        ("Sue", {"do": "deal"}),
        ("Sam", {"do": "freeze", "why": "because"}),
        ("Sam", {"do": "dispute", "about": 1, "why": "because"}),
        ("Sam", {"do": "sit", "seat": "1"}),
    ],
)
def test_each_role_has_its_own_commands(server: Server, who: str, body: dict[str, Any]) -> None:
    table = server.floor("Flo").find("craps").id
    answer = server.command(table, who, body)
    assert (answer.status_code, answer.json()["fault"]) == (403, "forbidden")


def test_nobody_acts_for_another_seat(server: Server) -> None:
    table = server.open("roulette")
    server.seated("Ann", table, "1")
    for body in (
        {"do": "bet", "wagers": {"red": 1000}}, {"do": "ready"}, {"do": "move", "move": "fold"},
        {"do": "buy_in", "amount": 100}, {"do": "leave"}, {"do": "take_control"},
    ):  # fmt: skip
        answer = server.command(table, "Bob", {**body, "seat": "1"})
        assert (answer.status_code, answer.json()["fault"]) == (403, "forbidden")
    absent = server.command(table, "Bob", {"do": "ready", "seat": "7"}).json()
    taken = server.command(table, "Bob", {"do": "ready", "seat": "1"}).json()
    assert absent == taken


def test_a_table_that_one_may_not_visit_is_as_if_it_were_not_there(server: Server) -> None:
    private = server.floor("Ann").open("roulette", link=SECRET).id
    absent = private[::-1]
    asked: list[Callable[[str], httpx.Response]] = [
        lambda table: server.get(f"/tables/{table}", "Bob"),
        lambda table: server.get(f"/tables/{table}/events", "Bob"),
        lambda table: server.get(f"/tables/{table}/stream", "Bob"),
        lambda table: server.get(f"/tables/{table}/rounds", "Bob"),
        lambda table: server.get(f"/tables/{table}/openings", "Bob", params={"seat": "1"}),
        lambda table: server.get(
            f"/tables/{table}/rounds/1/why", "Bob", params={"seat": "1", "wager": "red"}
        ),
        lambda table: server.command(table, "Bob", {"do": "sit", "seat": "1"}, key="sit"),
        lambda table: server.command(table, "Bob", {"do": "freeze", "why": "x"}, key="freeze"),
        lambda table: server.get(f"/house/disputes/{table}/1", "Bob"),
    ]
    for ask in asked:
        forbidden, missing = ask(private), ask(absent)
        assert forbidden.status_code == missing.status_code == 404
        assert forbidden.text.replace(private, "?") == missing.text.replace(absent, "?")
        assert plain(forbidden) == plain(missing)
    assert private not in {each.id for each in server.floor("Bob").tables()}
    assert private in {each.id for each in server.floor("Ann").tables()}
    assert private in {each.id for each in server.floor("Sam").tables()}


def plain(answer: httpx.Response) -> dict[str, str]:
    return {name: text for name, text in answer.headers.items()
            if name not in ("date", "x-request-id")}  # fmt: skip


def test_a_guest_comes_by_the_link_and_only_to_its_table(server: Server) -> None:
    table = server.floor("Ann").open("roulette", "Ann's birthday", link=SECRET)
    other = server.open("roulette")
    guests = Floor(server.url)
    for place, link in ((table.id, f"{SECRET}!"), (other, SECRET), ("absent", SECRET)):
        with refused("unknown_table", 404) as why:
            guests.guest(place, link, "Eve")
        assert why[0].message == "there is no such link"

    at = guests.guest(table.id, SECRET, "Gil")
    session = guests.session
    assert session is not None
    assert (session.name, session.role, session.guest_of) == ("Gil (guest 1)", "patron", table.id)
    at.sit(buy_in=20_000)
    assert at.play_round({"red": 500})[0].stake == 500
    assert [each.id for each in guests.tables()] == [table.id]
    with refused("unknown_table", 404):
        guests.table(other).view()
    with refused("unknown_table", 404):
        guests.table(other).sit("1", buy_in=500)
    with refused("forbidden", 403):
        guests.open("roulette", link=SECRET)
    guests.close()


def test_one_session_controls_a_seat_until_another_takes_it(server: Server) -> None:
    table = server.open("roulette")
    phone = server.another("Ann").table(table)
    laptop = server.another("Ann").table(table)
    phone.sit("1", buy_in=50_000)
    laptop.seat = "1"
    with refused("not_controlling", 409):
        laptop.bet(red=500)
    assert laptop.view().seats["1"].yours  # it may look

    laptop.seat = None
    laptop.take_control()
    assert laptop.seat == "1"
    assert laptop.bet(red=500).stacks == {"1": 49_500}
    with refused("not_controlling", 409):
        phone.bet(black=500)
    assert [e["kind"] for e in events_of(server, table, "Bob")].count("control") == 1


# Once, whatever happens on the way.


def test_fifty_copies_at_once_are_done_once_and_answered_alike(either: Server) -> None:
    table = either.open("roulette")
    either.seated("Ann", table, "1")
    body, key = {"do": "bet", "seat": "1", "wagers": {"red": 700}}, new_key()
    token = either.token("Ann")

    def send(_: int) -> httpx.Response:
        headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": key}
        url = f"{either.url}/api/tables/{table}/commands"
        return httpx.post(url, json=body, headers=headers, timeout=60, trust_env=False)

    with ThreadPoolExecutor(50) as crowd:
        answers = [*crowd.map(send, range(50))]
    assert {answer.status_code for answer in answers} == {200}
    assert all(answer.json() == answers[0].json() for answer in answers)
    wagers = [each for each in events_of(either, table, "Ann") if each["kind"] == "wager"]
    assert len(wagers) == 1
    assert answers[0].json()["stacks"] == {"1": 999_300}


def test_a_key_used_for_another_command_is_a_conflict_and_noted(either: Server) -> None:
    table = either.open("roulette")
    ann, key = either.seated("Ann", table, "1"), new_key()
    first = ann.do("bet", seat="1", wagers={"red": 700}, key=key)
    with refused("conflict", 409):
        ann.do("bet", seat="1", wagers={"red": 800}, key=key)
    assert key in {each["request"] for each in noted(either, "conflict")}
    assert ann.do("bet", seat="1", wagers={"red": 700}, key=key) == first
    bob = either.seated("Bob", table, "2")
    assert bob.do("bet", seat="2", wagers={"red": 900}, key=key).stacks == {"2": 999_100}


def test_what_was_meant_for_another_round_or_question_is_stale(server: Server) -> None:
    table = server.open("three-card-poker")
    ann = server.seated("Ann", table, "1")
    with refused("stale", 409) as why:
        ann.bet(ante=1000, round=2)
    assert "this is round 1" in why[0].message
    ann.bet(ante=1000, round=1)
    asked = ann.ready(round=1).events[-1]
    with refused("stale", 409):
        ann.move("play", asked=asked.number - 1)
    ann.move("play", asked=asked.number)
    with refused("stale", 409):
        ann.bet(ante=1000, round=1)


def test_a_command_without_a_key_is_refused(server: Server) -> None:
    table = server.floor("Flo").find("roulette").id
    body = {"do": "sit", "seat": "1"}
    for key in ("", "a key with spaces", "k" * 101, "ke\ty"):
        headers = {"Idempotency-Key": key} if key else {}
        answer = server.send("POST", f"/tables/{table}/commands", "Ann", body, headers=headers)
        assert (answer.status_code, answer.json()["fault"]) == (422, "bad_request")
        assert "Idempotency-Key" in answer.json()["field"]


@pytest.mark.parametrize("dialect", ["sqlite", "postgresql"])
def test_after_the_power_fails_a_retry_gets_the_original_answer(
    servers: Servers, dialect: str, request: pytest.FixtureRequest
) -> None:
    url = request.getfixturevalue("database") if dialect == "postgresql" else ""
    server = servers(url, tables=[{"game": "three-card-poker"}]).appoint().start()
    ann = server.floor("Ann").find("three-card-poker")
    ann.sit("1", buy_in=100_000)
    kept: list[tuple[str, dict[str, Any], Any]] = []
    said: list[dict[str, Any]] = [
        {"do": "bet", "wagers": {"ante": 1000}}, {"do": "ready"}, {"do": "move", "move": "play"}
    ]  # fmt: skip
    for number, command in enumerate(said):
        body, key = {**command, "seat": "1"}, f"command-{number}"
        answer = server.command(ann.id, "Ann", body, key=key)
        assert answer.status_code == 200
        kept.append((key, body, answer.json()))
        if command["do"] != "bet":  # in the middle of a decision, and between two rounds
            server.kill()
            server.start()
    before = events_of(server, ann.id, "Ann")
    for key, body, original in kept:
        assert server.command(ann.id, "Ann", body, key=key).json() == original
    after = events_of(server, ann.id, "Ann")
    assert after == before
    assert [each["kind"] for each in after].count("round_over") == 1
    assert server.stop() == 0


# What the rules say.


def test_an_unlawful_table_is_refused_with_every_reason(server: Server) -> None:
    body = {
        "game": "roulette", "name": "Wild",
        "options": {"table_min": 0, "wheel": "triple_zero", "jackpot": True},
    }  # fmt: skip
    answer = server.send("POST", "/tables", "Flo", body, key=new_key())
    said = answer.json()
    assert (answer.status_code, said["fault"]) == (422, "unlawful_table")
    assert {each["option"] for each in said["violations"]} == {"table_min", "wheel", "jackpot"}
    assert all(each["citation"] and each["message"] for each in said["violations"])


@pytest.mark.cites("8.2")
@pytest.mark.parametrize(
    ("wagers", "fault", "citation"),
    [
        ({"red": 0}, "not_now", "19:47-8.2"),
        ({"red": -500}, "bad_amount", "19:47-8.2"),
        ({"red": 400}, "below_minimum", "19:47-8.2"),
        ({"red": 500_100}, "above_maximum", "19:47-8.2"),
        ({"straight:17": 100_100}, "above_maximum", "19:47-8.2"),
        ({"red": 550}, "not_payable", "19:47-8.2"),
        ({"red": 30_100}, "no_funds", "19:47-8.2"),
        ({"red": 20_000, "black": 20_000}, "no_funds", "19:47-8.2"),
        ({"violet": 500}, "unknown_wager", ""),
        ({"straight:38": 500}, "unknown_spot", "19:47-5.1"),
    ],
)
def test_a_wager_that_the_rules_forbid_is_refused_with_their_citation(
    roulette: Table, wagers: dict[str, int], fault: str, citation: str
) -> None:
    before = roulette.view()
    with refused(fault) as why:
        roulette.bet(wagers)
    assert why[0].status in (409, 422)
    assert why[0].citation.startswith(citation), why[0]
    after = roulette.view()
    assert (after.number, after.bets, after.seats) == (before.number, before.bets, before.seats)


@pytest.fixture(scope="module")
def roulette(server: Server) -> Table:
    """A table of whole dollars, and three hundred of them."""
    return server.seated("Ann", server.open("roulette", options={"increment": 100}), "1", 30_000)


def test_what_is_not_possible_at_the_moment_says_so(server: Server) -> None:
    table = server.open("three-card-poker")
    ann, bob = server.seated("Ann", table, "1"), server.seated("Bob", table, "2")
    with refused("seat_taken", 409):
        server.floor("Cat").table(table).sit("1")
    with refused("unknown_seat", 422):
        server.floor("Cat").table(table).sit("77")
    with refused("not_now", 409) as why:
        ann.move("play")
    assert why[0].citation
    for player in (ann, bob):
        player.bet(ante=1000)
        player.ready()
    with refused("not_now", 409):
        bob.move("fold")  # out of turn
    with refused("no_more_bets", 409) as why:
        bob.bet(ante=2000)
    assert why[0].citation
    with refused("illegal_move", 422) as why:
        ann.move("double")
    assert why[0].citation
    assert "play" in why[0].message


def test_the_house_deals_and_nobody_else_where_it_does(server: Server) -> None:
    table = server.open("roulette", terms={"dealer": "person"})
    dee, ann = server.floor("Dee").table(table), server.seated("Ann", table, "1")
    with refused("forbidden", 403):
        dee.no_more_bets()  # not in the chair yet
    dee.take_dealer()
    ann.bet(red=1000)
    ann.ready()
    dee.no_more_bets()
    with refused("forbidden", 403):
        dee.deal(outcome="17")  # nobody chooses what comes
    assert dee.deal().events[-1].kind == "round_over"
    with refused("forbidden", 403):
        server.floor("Dee").find("craps").take_dealer()  # the house deals there


def test_a_frozen_table_waits_for_the_supervisor(server: Server) -> None:
    table = server.open("roulette")
    ann = server.seated("Ann", table, "1")
    settled = ann.play_round({"red": 1000})
    ann.dispute(about=1, why="the ball was touched")
    server.floor("Flo").table(table).freeze("a dispute", about=1)
    with refused("table_frozen", 409) as why:
        ann.bet(red=1000)
    assert why[0].citation == "13:69E-1.31(b)"
    sue = server.floor("Sue").table(table)
    sue.correct(1500, "paid again", about=1, seat="1")
    sue.thaw("looked into")
    assert ann.view().seats["1"].stack == 1_001_500 + sum(each.net for each in settled)
    sue.close("the night is over")
    with refused("table_closed", 409):
        ann.bet(red=1000)
    assert table not in {each.id for each in server.floor("Ann").tables()}


# Sessions.


def test_a_token_that_was_renewed_or_logged_out_is_dead(server: Server) -> None:
    floor = server.another("Cat")
    first = floor._token
    floor._renew_at = 0.0
    floor.tables()
    second = floor._token
    assert first != second
    assert status(server, second) == 200
    assert status(server, first) == 401
    floor.log_out()
    assert status(server, second) == 401
    assert floor.session is None


def status(server: Server, token: str) -> int:
    headers = {"Authorization": f"Bearer {token}"}
    return server.get("/session", headers=headers).status_code


def test_a_token_runs_out(server: Server) -> None:
    floor = server.another("Cat")
    expire(server, floor)
    soon(lambda: status(server, floor._token) == 401, within=3)
    with refused("bad_token", 401):
        floor.tables()


def test_three_wrong_passwords_lock_an_account_until_two_people_unlock_it(
    server: Server,
) -> None:
    floor = Floor(server.url)
    account = floor.register("Lou", PASSWORD)
    for _ in range(3):
        with refused("bad_credentials", 401):
            floor.log_in("Lou", "king of hearts")
    with refused("locked", 403):
        floor.log_in("Lou", PASSWORD)
    for who, pending in (("Sue", True), ("Sue", True), ("Flo", False)):  # it takes two people
        with refused("locked", 403):
            floor.log_in("Lou", PASSWORD)
        answer = server.send("POST", f"/accounts/{account}", who, {"do": "unlock"})
        assert answer.json()["pending"] is pending
    floor.log_in("Lou", PASSWORD)
    with refused("bad_credentials", 401):
        floor.log_in("Nobody at all", PASSWORD)
    with refused("name_taken", 409):
        floor.register("LOU", PASSWORD)
    floor.close()


def test_a_browser_has_its_token_in_a_cookie_that_no_script_can_read(server: Server) -> None:
    with httpx.Client(base_url=f"{server.url}/api", trust_env=False) as browser:
        answer = browser.post("/session", json={"name": "Bob", "password": PASSWORD})
        cookie = answer.headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=strict" in cookie
        assert browser.get("/session").json()["name"] == "Bob"
        browser.delete("/session")
        assert browser.get("/session").status_code == 401


# Operation.


def test_health_and_metrics(server: Server) -> None:
    http = server.http
    assert http.get(f"{server.url}/health/live").json() == {"status": "alive"}
    assert http.get(f"{server.url}/health/ready").json() == {"status": "ready"}

    def meters() -> dict[str, float]:
        lines = http.get(f"{server.url}/metrics").text.splitlines()
        return {name: float(value) for name, value in
                (line.rsplit(" ", 1) for line in lines if not line.startswith("#"))}  # fmt: skip

    before = meters()
    table = server.open("roulette")
    ann = server.seated("Ann", table, "1")
    with closing(ann.events()) as events:
        next(events)
        during = meters()
    assert during["croupier_streams"] == before["croupier_streams"] + 1
    assert during["croupier_tables"] == before["croupier_tables"] + 1
    assert during["croupier_seats_taken"] == before["croupier_seats_taken"] + 1
    assert during["croupier_commands_total"] == before["croupier_commands_total"] + 2
    assert during["croupier_command_seconds_count"] > before["croupier_command_seconds_count"]
    assert during["croupier_healthy"] == 1
    soon(lambda: meters()["croupier_streams"] == before["croupier_streams"])


def test_a_server_told_to_stop_ends_its_streams_and_resumes_where_it_was(servers: Servers) -> None:
    server = servers(tables=[{"game": "three-card-poker"}]).appoint().start()
    ann = server.floor("Ann").find("three-card-poker")
    ann.sit("1", buy_in=100_000)
    ann.bet(ante=1000)
    asked = ann.ready().events[-1]
    url = f"{server.url}/api/tables/{ann.id}/stream"
    headers = {"Authorization": f"Bearer {server.token('Ann')}"}
    with httpx.stream("GET", url, headers=headers, timeout=30, trust_env=False) as stream:
        chunks = stream.iter_bytes()
        heard = next(chunks)
        began = time.monotonic()
        assert server.stop(patience=5) == 0
        assert time.monotonic() - began < 5
        heard += b"".join(chunks)  # it was closed in order, not broken off
    assert heard.rpartition(b"\n\nid: ")[2].startswith(f"{asked.number}\n".encode())
    assert heard.endswith(b"\n\n")

    server.start()
    view = ann.view()
    assert view.asked is not None
    assert (view.phase, view.asked.number) == ("deciding", asked.number)
    assert ann.move("play", asked=asked.number).events[-1].kind == "round_over"
    kinds = [each["kind"] for each in server.get("/house/events", "Sue").json()]
    assert [kind for kind in kinds if kind in ("started", "stopped")] == [
        "started", "stopped", "started",
    ]  # fmt: skip


def test_a_table_whose_log_is_bad_does_not_close_the_others(servers: Servers) -> None:
    server = servers(tables=[{"game": "craps"}, {"game": "roulette"}]).appoint().start()
    bad, good = (server.floor("Ann").find(game) for game in ("roulette", "craps"))
    for table in (bad, good):
        table.sit("1", buy_in=50_000)
    server.kill()
    events = schema.events.c
    with server.database() as conn:
        forged = update(schema.events).where(events.stream == bad.id, events.kind == "buy_in")
        conn.execute(forged.values(data='{"amount":90000,"seat":"1"}'))
    server.start()
    assert good.id in {each.id for each in server.floor("Ann").tables()}
    assert good.bet({"pass": 1000}).stacks == {"1": 49_000}
    answer = server.command(bad.id, "Ann", {"do": "bet", "seat": "1", "wagers": {"red": 500}})
    assert (answer.status_code, answer.json()["fault"]) == (503, "unavailable")
    assert server.get(f"/tables/{bad.id}", "Ann").status_code == 503
    assert noted(server, "log_broken")[0]["table"] == bad.id


def test_a_second_server_on_the_same_file_refuses_to_start(
    server: Server, servers: Servers
) -> None:
    second = servers(server.db)
    with pytest.raises(AssertionError, match="did not start"):
        second.start()
    assert second.process is not None
    assert second.process.wait(20) == 2
    assert server.get("/games/roulette").status_code == 200


def test_several_servers_share_one_postgresql(servers: Servers, database: str) -> None:
    """A command is relayed to the server that runs the table, and heard at every other."""
    one = servers(database, tables=[{"game": "roulette"}]).appoint().start()
    two = servers(database, key_file=one.key).start()
    table = one.floor("Ann").find("roulette").id
    here, there = one.seated("Ann", table, "1"), two.seated("Bob", table, "2")

    told: list[Event] = []
    with closing(two.floor("Bob").table(table).events()) as events:
        here.bet(red=1000)
        there.bet(black=1000)
        here.ready()
        assert there.ready().events[-1].kind == "round_over"
        for event in events:
            told.append(event)
            if event.kind == "round_over":
                break
    ends = events_of(one, table, "Ann")
    assert [event.number for event in told] == [each["number"] for each in ends]
    assert here.view() == one_view(there)

    body, key = {"do": "bet", "seat": "2", "wagers": {"black": 500}}, new_key()
    original = two.command(table, "Bob", body, key=key)
    assert original.status_code == 200
    one.kill()
    killed = time.monotonic()
    soon(lambda: takes(two, table, key, body), within=10)
    assert time.monotonic() - killed < 5, "the other server takes the table over within 5 s"
    assert two.command(table, "Bob", body, key=key).json() == original.json()
    with two.floor("Ann") as ann:  # whose server is gone
        again = ann.table(table)
        again.take_control()
        again.ready()
        assert there.ready().events[-1].kind == "round_over"


def one_view(table: Table) -> View:
    """What somebody else sees, as the first seat would."""
    view = table.view()
    seats = {seat: replace(chair, yours=not chair.yours) for seat, chair in view.seats.items()}
    return replace(view, seats=seats)


def takes(server: Server, table: str, key: str, body: dict[str, Any]) -> bool:
    with suppress(Refused, Unreachable):
        return server.command(table, "Bob", body, key=key).status_code == 200
    return False


def test_every_answer_has_its_number_and_its_headers(server: Server) -> None:
    for path in ("/games", "/nothing", "/session"):
        answer = server.get(path, headers={"X-Request-ID": "mine-1"})
        assert answer.headers["x-request-id"] == "mine-1"
        assert answer.headers["cache-control"] == "no-store"
        assert "default-src 'self'" in answer.headers["content-security-policy"]
        assert answer.status_code == 200 or {"fault", "message"} <= json.loads(answer.text).keys()


def test_no_redirect_repeats_the_host_that_a_client_made_up(server: Server) -> None:
    for path in ("/games/", "/session/", "/tables/"):
        for host in ("evil.example", "localhost"):
            answer = server.get(path, "Ann", headers={"Host": host})
            assert answer.status_code == (421 if host == "evil.example" else 404)
            assert "location" not in answer.headers
