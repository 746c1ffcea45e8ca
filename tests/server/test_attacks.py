"""What is done to a server that stands in the open, over real sockets; and that it stands."""

import socket
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from statistics import median
from typing import Any

import httpx
import pytest
from sqlalchemy import text

from croupier.client import Floor, Refused, Table, new_key
from tests.server.support import PASSWORD, Ear, Server, refused, soon

pytestmark = pytest.mark.timeout(180)

MEGABYTE = 1 << 20
SECRET = "the link of a private table"


@pytest.fixture(scope="module")
def table(server: Server) -> Table:
    """A table at which Ann sits, and nobody else."""
    return server.seated("Ann", server.open("roulette", terms={"bet_seconds": 3600}), "1")


@pytest.fixture(autouse=True)
def _nothing_broke(server: Server) -> Iterator[None]:
    """Whatever was tried: the server has no traceback to show, and still plays."""
    yield
    assert "Traceback" not in server.log()
    assert server.get("/session", "Ann").status_code == 200


def raw(server: Server, request: bytes, patience: float = 10) -> bytes:
    """What a server says to these very bytes, to the end or until it waits for more."""
    said = b""
    with connected(server, patience) as line, suppress(ConnectionError, TimeoutError):
        line.sendall(request)
        while more := line.recv(65536):
            said += more
    return said


def connected(server: Server, patience: float = 30) -> socket.socket:
    return socket.create_connection(("127.0.0.1", int(server.url.rpartition(":")[2])), patience)


# Pages of other sites.


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1"},  # another port is another site
        {"Origin": "http://127.0.0.1.evil.example"},
        {"Sec-Fetch-Site": "cross-site"},
    ],
)
def test_the_page_of_another_site_can_do_nothing(
    server: Server, table: Table, headers: dict[str, str]
) -> None:
    before = table.view().number
    body = {"do": "bet", "seat": "1", "wagers": {"red": 500}}
    sent = server.send(
        "POST", f"/tables/{table.id}/commands", "Ann", body, key=new_key(), headers=headers
    )
    assert (sent.status_code, sent.json()["fault"]) == (403, "foreign_origin")
    stream = server.get(
        f"/tables/{table.id}/stream", "Ann", headers={**headers, "Accept": "text/event-stream"}
    )
    assert stream.status_code == 403
    login = server.send(
        "POST", "/session", body={"name": "Ann", "password": PASSWORD}, headers=headers
    )
    assert login.status_code == 403
    assert table.view().number == before
    assert "access-control-allow-origin" not in {*sent.headers, *stream.headers}


def test_its_own_page_may(server: Server) -> None:
    headers = {"Origin": server.url, "Sec-Fetch-Site": "same-origin"}
    assert server.send("POST", "/session/renew", "Bob", headers=headers).status_code == 200
    server._floors.pop("Bob").close()


def test_there_are_no_web_sockets(server: Server, table: Table) -> None:
    said = raw(
        server,
        f"GET /api/tables/{table.id}/stream HTTP/1.1\r\nHost: [::1]\r\nConnection: Upgrade\r\n"
        "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nOrigin: https://evil.example\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode(),
        patience=1,
    )
    assert not said.startswith(b"HTTP/1.1 101")


# Too much, too deep, too slow.


def test_a_body_that_is_too_large_is_not_read(server: Server, table: Table) -> None:
    path, before = f"/tables/{table.id}/commands", server.memory()
    huge = b'{"do": "' + b"x" * (10 * MEGABYTE) + b'"}'
    began = time.monotonic()
    for _ in range(5):
        answer = server.send("POST", path, "Ann", huge, key=new_key())
        assert (answer.status_code, answer.json()["fault"]) == (413, "too_large")

    def pieces() -> Iterator[bytes]:
        for _ in range(160):
            yield b"x" * 65536

    for _ in range(3):
        with suppress(httpx.WriteError):
            answer = server.send(
                "POST", path, "Ann", key=new_key(), content=pieces(),
                headers={"Content-Type": "application/json"},
            )  # fmt: skip
            assert answer.status_code == 413
    assert time.monotonic() - began < 30
    assert server.memory() - before < 64 * MEGABYTE


@pytest.mark.parametrize("opening", [b"[", b'{"do":', b'[{"a":'])
def test_a_body_as_deep_as_the_sea_is_refused(server: Server, table: Table, opening: bytes) -> None:
    path = f"/tables/{table.id}/commands"
    deep = server.send("POST", path, "Ann", opening * 1_000_000, key=new_key())
    assert deep.status_code == 413
    for levels in (21, 9000):
        answer = server.send("POST", path, "Ann", opening * levels, key=new_key())
        assert (answer.status_code, answer.json()["fault"]) == (422, "bad_request")


def test_a_body_that_would_unfold_is_not_unfolded(server: Server) -> None:
    answer = server.send(
        "POST", "/session", body=b"\x1f\x8b" + b"\0" * 100, headers={"Content-Encoding": "gzip"}
    )
    assert (answer.status_code, answer.json()["fault"]) == (415, "encoded_body")


NONSENSE = [
    b"\x00\x01\x02\x03\r\n\r\n",
    b"GET / HTTP/9.9\r\n\r\n",
    b"GET /api/games HTTP/1.1\r\nHost: [::1]\r\nX: " + b"y" * 200_000 + b"\r\n\r\n",
    b"POST /api/session HTTP/1.1\r\nHost: [::1]\r\nContent-Length: 5\r\n"
    b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /api/session HTTP/1.1\r\n\r\n",
    b"POST /api/session HTTP/1.1\r\nHost: [::1]\r\nContent-Length: -1\r\n\r\n",
    b"POST /api/session HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF",
    b"GET /api/games HTTP/1.1\r\nHost: [::1]\r\nBad Header\r\n\r\n",
]


@pytest.mark.parametrize("request_", NONSENSE)
def test_what_is_no_request_is_no_request(server: Server, request_: bytes) -> None:
    said = raw(server, request_, patience=1)
    assert b" 500 " not in said.partition(b"\r\n")[0]
    assert said.count(b"HTTP/1.1 200") == 0


def test_two_hundred_who_never_finish_their_sentence_disturb_nobody(
    server: Server, table: Table
) -> None:
    usual = latencies(table)
    head = b"POST /api/session HTTP/1.1\r\nHost: [::1]\r\nX-Slow: "
    lines = [connected(server) for _ in range(199)]
    body = connected(server)
    try:
        for line in lines:
            line.sendall(head)
        body.sendall(b"POST /api/session HTTP/1.1\r\nHost: [::1]\r\nContent-Length: 50\r\n\r\n{")
        began = time.monotonic()
        disturbed = latencies(table)
        assert median(disturbed) < 2 * median(usual) + 0.05
        for line in lines:
            with suppress(ConnectionError):
                line.sendall(b".")  # one more byte buys no more time
        with suppress(ConnectionError):
            assert body.recv(1000).startswith(b"HTTP/1.1 408 ")
        for line in lines:
            with suppress(ConnectionError):
                assert line.recv(1000)[:13] in (b"", b"HTTP/1.1 408 ", b"HTTP/1.1 400 ")
        assert time.monotonic() - began < 25
    finally:
        for line in (*lines, body):
            line.close()


def latencies(table: Table, times: int = 25) -> list[float]:
    """How long somebody waits who plays."""
    found = []
    for number in range(times):
        began = time.monotonic()
        table.bet(red=500 + 100 * (number % 3), black=500)
        found.append(time.monotonic() - began)
    return found


def test_a_flood_is_held_back_and_others_do_not_notice(servers: Callable[..., Server]) -> None:
    server = servers(
        rate_per_session=5, rate_per_address=100, most_streams=5, tables=[{"game": "roulette"}]
    ).appoint().start()  # fmt: skip
    ann = server.floor("Ann").find("roulette")
    ann.sit("1", buy_in=1_000_000)
    token, answers, stopping = server.token("Bob"), [], threading.Event()

    def flood(_: int) -> None:
        with httpx.Client(
            transport=httpx.HTTPTransport(local_address="127.0.0.2"),
            headers={"Authorization": f"Bearer {token}"},
        ) as client:
            while not stopping.is_set():
                with suppress(httpx.HTTPError):
                    answers.append(client.get(f"{server.url}/api/session"))

    began = time.monotonic()
    with ThreadPoolExecutor(4) as crowd:
        flooding = [crowd.submit(flood, each) for each in range(4)]
        soon(lambda: len(answers) > 40)
        waited = latencies(ann, 5)
        stopping.set()
        assert all(each.exception() is None for each in flooding)
    held = [answer for answer in answers if answer.status_code == 429]
    let_in = len(answers) - len(held)
    assert let_in <= 10 + 5 * (time.monotonic() - began) + 1  # the rate, and twice that at once
    assert held
    assert {answer.json()["fault"] for answer in held} == {"too_many_requests"}
    assert all(int(answer.headers["retry-after"]) >= 1 for answer in held)
    assert median(waited) < 0.5

    time.sleep(2)  # her own rate has recovered
    ears = [Ear(server, ann.id, "Ann") for _ in range(6)]
    said = [ear.listen(b"\r\n").heard.split()[1] for ear in ears]
    for ear in ears:
        ear.__exit__()
    assert sorted(said) == [b"200"] * 5 + [b"429"]
    server.floor("Ann").tables()  # a client that waits is served


def test_a_crowd_at_the_door_does_not_keep_the_players_waiting(
    server: Server, table: Table
) -> None:
    """Passwords are slow to check on purpose, and checked where nobody waits behind them."""

    def knock(number: int) -> int:
        body = {"name": f"Nobody {number}", "password": "let me in please"}
        return httpx.post(
            f"{server.url}/api/session", json=body, timeout=120, trust_env=False
        ).status_code

    began = time.monotonic()
    with ThreadPoolExecutor(12) as crowd:
        knocking = [crowd.submit(knock, number) for number in range(12)]
        time.sleep(0.1)
        waited = latencies(table, 5)
        for _ in range(5):
            asked = time.monotonic()
            server.get(f"/tables/{table.id}/events", "Ann", params={"limit": 1})
            waited.append(time.monotonic() - asked)
        assert {each.result() for each in knocking} == {401}
    assert median(waited) < (time.monotonic() - began) / 6


# Numbers that are none.

NO_NUMBERS = [
    "NaN", "Infinity", "-Infinity", "1e309", "-1e309", "1e3", "1.0", "1.5", "0.1e1",
    '"1e3"', '"1000"', '""', "true", "false", "[]", "[1000]", "{}", '{"cents": 1000}',
    "9223372036854775808", "-9223372036854775809", "1" + "0" * 30, "1" * 5000, "0x10", "+5",
    '"\\ud800"', "null",
]  # fmt: skip
AMOUNTS = {
    "amount": '{"do": "buy_in", "seat": "1", "amount": %s}',
    "buy_in": '{"do": "sit", "seat": "2", "buy_in": %s}',
    "wagers.red": '{"do": "bet", "seat": "1", "wagers": {"red": %s}}',
    "wagers.straight:17": '{"do": "bet", "seat": "1", "wagers": {"red": 500, "straight:17": %s}}',
    "round": '{"do": "bet", "seat": "1", "wagers": {"red": 500}, "round": %s}',
    "move": '{"do": "move", "seat": "1", "move": {"bet": %s}}',
    "asked": '{"do": "move", "seat": "1", "move": "bet", "asked": %s}',
}


@pytest.mark.parametrize("field", AMOUNTS)
def test_nothing_but_a_whole_number_is_an_amount(server: Server, table: Table, field: str) -> None:
    before = table.view()
    for number in NO_NUMBERS:
        if number == "null" and field in ("buy_in", "round", "asked"):
            continue  # as if it were not there
        body = (AMOUNTS[field] % number).encode()
        answer = server.command(table.id, "Ann", body)
        said = answer.json()
        if field == "move" and said["fault"] == "not_now":
            # Whole, and beyond what any question allows; or no cards, or no parts of a hand.
            assert number.lstrip("-").isdigit() or number in ("[]", "{}")
            continue
        assert (answer.status_code, said["fault"]) == (422, "bad_request"), (number, said)
        if number not in ("0x10", "+5"):  # which are not even JSON
            assert said["field"].startswith(field.partition(":")[0].partition(".")[0]), number
    after = table.view()
    assert (after.number, after.seats, after.bets) == (before.number, before.seats, before.bets)


@pytest.mark.parametrize("number", NO_NUMBERS)
def test_staff_are_held_to_whole_numbers_too(server: Server, table: Table, number: str) -> None:
    for who, body in (
        ("Sue", '{"do": "correct", "why": "x", "about": 1, "cents": %s}'),
        ("Sue", '{"do": "correct", "why": "x", "cents": 1, "about": %s}'),
        ("Flo", '{"do": "post_notice", "options": {"table_min": %s}}'),
        ("Flo", '{"do": "post_notice", "options": {"wheel": %s}}'),
        ("Dee", '{"do": "deal", "count": %s}'),
    ):
        if (number == "null" and "count" in body) or (number == '"1000"' and "options" in body):
            continue  # as if it were not there; and an option may be said in words
        answer = server.command(table.id, who, (body % number).encode())
        assert answer.status_code == 422, (body, number, answer.text)
    opening = '{"game": "roulette", "name": "x", "terms": {"bet_seconds": %s}}'
    if number != "null":
        body = opening % number
        sent = server.send("POST", "/tables", "Flo", body.encode(), key=new_key())
        assert sent.status_code == 422, (number, sent.text)


def test_minus_nothing_is_nothing(server: Server, table: Table) -> None:
    answer = server.command(table.id, "Ann", b'{"do":"bet","seat":"1","wagers":{"even":-0}}')
    assert (answer.status_code, answer.json()["fault"]) == (409, "not_now")


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ('{"do": "bet", "seat": "1", "wagers": {"red": 500, "red": 600}}', "wagers.red"),
        ('{"do": "bet", "do": "leave", "seat": "1", "wagers": {"red": 500}}', "do"),
        ('{"do": "bet", "seat": "1", "wagers": {"red": 500}, "seat": "2"}', "seat"),
        ('{"do": "bet", "seat": "\\ud800", "wagers": {"red": 500}}', "seat"),
        ('{"do": "bet", "seat": "1\\u0000", "wagers": {"red": 500}}', "seat"),
        ('{"do": "bet", "seat": "1", "wagers": {"red": 500}, "tip": 1}', "tip"),
        ('{"do": "bet", "seat": 1, "wagers": {"red": 500}}', "seat"),
        ('{"do": "bet", "seat": "1", "wagers": {}}', "wagers"),
        ('{"do": "bet", "seat": "1"}', "wagers"),
        ('{"do": "dance"}', ""),
        ('{"do": ["bet"]}', ""),
        ("[]", ""), ("null", ""), ("0", ""), ('"bet"', ""), ("", ""), ("{", ""),
        ('{"do": "bet"} {"do": "bet"}', ""), ("\ufeff{}", ""),
    ],
)  # fmt: skip
def test_a_body_is_read_strictly(server: Server, table: Table, body: str, field: str) -> None:
    answer = server.command(table.id, "Ann", body.encode())
    said = answer.json()
    assert (answer.status_code, said["fault"]) == (422, "bad_request")
    assert said.get("field", "") == field or not field


IMPOSSIBLE = [
    '"38"', '"-1"', "17.0", "1e1", "[]", "[[]]", "{}", '{"a": {"b": []}}', "true", '["1"]',
    '"\\u0661"', '" 17"', '"17\\n"', '"' + "7" * 400 + '"', '{"irregularity": ["x"]}', "NaN",
]  # fmt: skip


def test_what_came_at_a_table_with_real_equipment_must_be_possible(server: Server) -> None:
    real = server.open("roulette", terms={"dealer": "person", "equipment": "real"})
    dee, ann = server.floor("Dee").table(real), server.seated("Ann", real, "1")
    dee.take_dealer()
    ann.bet(red=500)
    dee.no_more_bets()
    said = '{"do": "deal", "outcome": %s}'
    for outcome in IMPOSSIBLE:
        answer = server.command(real, "Dee", (said % outcome).encode())
        assert answer.status_code == 422, (outcome, answer.text)
    said = '{"do": "report", "irregularity": %s}'
    for why in ('"foreign"', '"__class__"', '"' + "x" * 500 + '"'):
        assert server.command(real, "Dee", (said % why).encode()).status_code == 422
    server.floor("Flo").table(real).close("enough")


# Words that are more than words.

WORDS = [
    "Robert'); DROP TABLE accounts;--",
    "<script>alert(1)</script>",
    "{{7*7}}${7*7}%{7*7}#{7*7}",
    "../../etc/passwd",
    "%s%n%x%00",
    "\u202eevil",
    "Ann\r\nSet-Cookie: a=b",
    "\N{SNOWMAN}\N{PILE OF POO}",
    "' OR '1'='1",
]


def test_names_are_stored_as_they_are_or_refused(server: Server) -> None:
    home = server.floor("Ann").open("roulette", "<b>bold</b>", link=SECRET)
    assert home.view().name == "<b>bold</b>"
    for word in WORDS:
        with Floor(server.url) as guest:
            if not word.isprintable():
                with refused("bad_name", 422):
                    guest.guest(home.id, SECRET, word)
                continue
            table = guest.guest(home.id, SECRET, word)
            table.sit()
            name = f"{word} (guest 1)"
            assert [chair.name for chair in table.view().seats.values() if chair.yours] == [name]
            answer = server.get(f"/tables/{home.id}", "Ann")
            assert answer.headers["content-type"] == "application/json"
            assert answer.headers["x-content-type-options"] == "nosniff"
            table.leave()
    with Floor(server.url) as nobody, refused("bad_credentials", 401):
        nobody.log_in("' OR '1'='1", "' OR '1'='1")
    with server.database() as conn:
        assert conn.scalar(text("SELECT count(*) FROM accounts")) >= 7  # it was not dropped


def test_no_path_leads_out_of_the_house(server: Server) -> None:
    token = server.token("Ann")
    for path in (
        "/../../etc/passwd", "/api/../../../etc/passwd", "/api/tables/../../etc/passwd",
        "/api/tables/..%2f..%2fetc%2fpasswd", "/api/games/%2e%2e/%2e%2e/etc/passwd",
        "/api/games/..%5c..%5cetc", "//etc/passwd", "/%2fetc/passwd", "/api/tables/%00",
        "/api/games/roulette%00.json", "/api/tables/house/events", "/api/tables/%ff%fe",
        "/api/house/disputes/..%2f/1", "/api/house/reports/..%2fwin", "/static/../../x",
    ):  # fmt: skip
        said = raw(
            server,
            f"GET {path} HTTP/1.1\r\nHost: [::1]\r\nAuthorization: Bearer {token}\r\n"
            "Connection: close\r\n\r\n".encode(),
        )
        assert said.split()[1][:1] == b"4", (path, said[:300])
        assert b"root:" not in said


@pytest.mark.parametrize(
    "query",
    ["after=-1", "after=1e3", "after=9223372036854775808", "limit=0", "limit=100000", "limit=NaN",
     "after=", "after=1;drop", "limit=%00"],
)  # fmt: skip
def test_questions_have_their_limits(server: Server, table: Table, query: str) -> None:
    answer = server.get(f"/tables/{table.id}/events?{query}", "Ann")
    assert (answer.status_code, answer.json()["fault"]) == (422, "bad_request")
    assert answer.json()["field"]


# Secrets.


def test_a_token_is_in_no_log_and_no_database_and_works_in_no_address(server: Server) -> None:
    with Floor(server.url) as floor:
        floor.log_in("Cat", PASSWORD)
        token = floor._token
        for path in (f"/session?token={token}", f"/tables/{token}", f"/games?authorization={token}",
                     f"/tables?access_token={token}"):  # fmt: skip
            assert server.get(path).status_code in (200, 401, 404, 422), path
        assert server.get(f"/session?token={token}").status_code == 401
        server.get("/session", headers={"Authorization": f"Basic {token}"})
        server.get("/session", headers={"X-Request-ID": token, "User-Agent": token})
        server.command(f"{token}", "Cat", {"do": "sit", "seat": token})
        server.send("POST", "/session", body={"name": token, "password": token})
        server.send("POST", "/session", body={"name": PASSWORD, "password": PASSWORD})
        private = floor.open("roulette", link=SECRET).id
        with suppress(Refused):
            floor.guest(private, f"{SECRET}!", "Eve")
        floor.log_in("Cat", PASSWORD)
    told = server.log()
    for secret in (token, server.token("Ann"), PASSWORD, SECRET):
        assert secret not in told
    kept = b"".join(
        Path(f"{server.db.removeprefix('sqlite:///')}{end}").read_bytes() for end in ("", "-wal")
    )
    for secret in (token, server.token("Ann"), SECRET):
        assert secret.encode() not in kept


# What nobody may know yet.


def test_no_byte_tells_what_another_holds(server: Server) -> None:
    hand = server.open("three-card-poker", terms={"move_seconds": 3600})
    ann, bob = server.seated("Ann", hand, "1"), server.seated("Bob", hand, "2")
    for player in (ann, bob):
        player.bet(ante=1000)
        player.ready()
    tried: list[dict[str, Any]] = [
        {"do": "move", "seat": "2", "move": "play"}, {"do": "move", "seat": "1", "move": "play"},
        {"do": "bet", "seat": "2", "wagers": {"ante": 2000}}, {"do": "deal"},
        {"do": "report", "irregularity": "card_face_up"}, {"do": "take_control", "seat": "1"},
        {"do": "dispute", "about": 1, "why": "what has he got?"}, {"do": "sit", "seat": "1"},
    ]  # fmt: skip
    looked = [
        "", "/events", "/rounds", "/openings?seat=2", "/openings?seat=1",
        "/rounds/1/why?seat=1&wager=ante", "/rounds/1/why?seat=2&wager=ante",
    ]  # fmt: skip
    said = [server.command(hand, "Bob", body).text for body in tried]
    said += [server.get(f"/tables/{hand}{path}", "Bob").text for path in looked]
    every = server.get(f"/tables/{hand}/events", "Sam", params={"limit": 1000}).json()
    looks = [event for event in every if event["kind"] == "look"]
    hidden = {event["outcome"] for event in looks if event["to"] != "2"}
    own = {event["outcome"] for event in looks if event["to"] == "2"}
    assert len(hidden) == 6
    told = "".join(said)
    assert not [card for card in hidden if f'"{card}"' in told]
    assert all(f'"{card}"' in told for card in own)

    ann.move("fold")
    bob.move("fold")  # and so nobody ever sees the dealer's cards
    after = "".join(server.get(f"/tables/{hand}{path}", "Bob").text for path in looked)
    shown = {event["outcome"] for event in server.get(f"/tables/{hand}/events", "Cat").json()
             if event.get("outcome")}  # fmt: skip
    assert not [card for card in hidden - shown if f'"{card}"' in after]
