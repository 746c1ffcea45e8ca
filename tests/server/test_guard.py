"""What every request passes, tried on real sockets."""

import asyncio
import http.client
import json
import logging
import secrets
import socket
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import closing, contextmanager
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import uvicorn
from hypothesis import given
from hypothesis import strategies as st
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from croupier.server import logs
from croupier.server.config import Config
from croupier.server.door import Door, Together
from croupier.server.guard import (
    DEVICE_COOKIE,
    REFUSED_A_SECOND,
    REFUSED_AT_ONCE,
    SESSION_COOKIE,
    Guard,
    fault_body,
)
from croupier.server.rations import Buckets, one_client

DB = "sqlite:////nowhere/croupier.db"
HURRY = 0.4  # seconds for a slow client, in tests


async def echo(request: Request) -> Response:
    body = await request.body()
    logs.about(account="a1", table="t1")
    return JSONResponse({"bytes": len(body), "request": request.state.request})


async def boom(request: Request) -> Response:
    raise RuntimeError("the queen of spades is next")


async def broken_file(request: Request) -> Response:
    raise FileNotFoundError("a file of the house")


async def half(request: Request) -> Response:
    async def content() -> AsyncIterator[bytes]:
        yield b"half"
        raise RuntimeError("no other half")

    return StreamingResponse(content())


async def stream(request: Request) -> Response:
    async def events() -> AsyncIterator[str]:
        for number in range(1000):
            yield f"id: {number}\n\n"
            await asyncio.sleep(0.05)

    return StreamingResponse(events(), media_type="text/event-stream")


async def page(request: Request) -> Response:
    return PlainTextResponse("felt")


ROUTES = [
    Route("/api/echo", echo, methods=["GET", "POST", "PUT", "DELETE"]),
    Route("/api/session", echo, methods=["GET", "POST"]),
    Route("/api/accounts", echo, methods=["POST"]),
    Route("/api/tables/{table}/guests", echo, methods=["POST"]),
    Route("/api/boom", boom),
    Route("/api/file", broken_file),
    Route("/api/half", half),
    Route("/api/stream", stream),
    Route("/apiary", page),
    Route("/", page),
]


class HastyDoor(Door):
    patience = 2 * HURRY


@contextmanager
def serving(
    known: Callable[[bytes], bool] = lambda device: False,
    inside: Callable[[bytes], bool] = lambda token: False,
    **settings: Any,
) -> Iterator[int]:
    """A server with these settings; its port."""
    guard = Middleware(
        Guard, config=Config(db=DB, **settings), slowest_body=HURRY, known=known, inside=inside
    )
    app = Starlette(routes=ROUTES, middleware=[guard])
    server = uvicorn.Server(
        uvicorn.Config(
            app, http=HastyDoor, lifespan="off", log_config=None, proxy_headers=False,
            timeout_keep_alive=1, timeout_graceful_shutdown=1,
        )
    )  # fmt: skip
    with closing(socket.create_server(("127.0.0.1", 0))) as listening:
        thread = threading.Thread(target=server.run, args=([listening],))
        thread.start()
        while not server.started:
            time.sleep(0.005)
        yield listening.getsockname()[1]
        server.should_exit = True
        thread.join()


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with serving(rate_per_address=100_000, rate_per_session=10_000) as port:
        yield port


class Answer:
    def __init__(self, response: http.client.HTTPResponse) -> None:
        self.status = response.status
        self.headers = response.headers
        self.body = response.read()

    @property
    def json(self) -> Any:
        return json.loads(self.body)


def ask(port: int, method: str, path: str, body: Any = None, **headers: str) -> Answer:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=10)) as connection:
        connection.request(method, path, body, named)
        return Answer(connection.getresponse())


Told = Callable[[], list[dict[str, Any]]]


@pytest.fixture
def told(tmp_path: Path) -> Iterator[Told]:
    """What the server's log has told so far."""
    time.sleep(0.2)  # a line is written after its answer: those of the test before are
    path = tmp_path / "server.log"
    handler = logs.begin("info", path)
    yield lambda: [json.loads(line) for line in path.read_text("ascii").splitlines()]
    logging.getLogger().removeHandler(handler)
    handler.close()


def raw(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=10)


def until_closed(connection: socket.socket) -> bytes:
    said = b""
    while True:
        try:
            more = connection.recv(65_536)
        except ConnectionError:
            return said
        if not more:
            return said
        said += more


class TestBodies:
    def test_one_of_the_largest_size_passes(self, port: int) -> None:
        assert ask(port, "POST", "/api/echo", b"x" * 65_536).json["bytes"] == 65_536

    def test_one_byte_more_is_too_large(self, port: int) -> None:
        answer = ask(port, "POST", "/api/echo", b"x" * 65_537)
        assert answer.status == 413
        assert answer.json == fault_body("too_large", "a body has at most 65,536 bytes")

    def test_ten_megabytes_are_turned_away_and_their_sender_hears_it(self, port: int) -> None:
        assert ask(port, "POST", "/api/echo", b"x" * 10_000_000).status == 413

    def test_one_that_hides_its_size_is_counted(self, port: int) -> None:
        chunks = (b"x" * 1000 for _ in range(200))
        answer = ask(port, "POST", "/api/echo", chunks)
        assert answer.status == 413
        few = (b"x" * 1000 for _ in range(20))
        assert ask(port, "POST", "/api/echo", few).json["bytes"] == 20_000

    def test_one_without_an_end_is_turned_away(self, port: int) -> None:
        with raw(port) as client:
            client.sendall(
                b"POST /api/echo HTTP/1.1\r\nHost: [::1]\r\nTransfer-Encoding: chunked\r\n\r\n"
            )
            with pytest.raises(OSError):
                for _ in range(100_000):
                    client.sendall(b"ffff\r\n" + b"x" * 0xFFFF + b"\r\n")

    def test_one_that_waits_to_be_asked_is_not_asked(self, port: int) -> None:
        with raw(port) as client:
            client.sendall(
                b"POST /api/echo HTTP/1.1\r\nHost: [::1]\r\nContent-Length: 99999999\r\n"
                b"Expect: 100-continue\r\n\r\n"
            )
            said = until_closed(client)
        assert said.startswith(b"HTTP/1.1 413")
        assert b"100 Continue" not in said

    def test_a_get_may_not_bring_a_large_one_either(self, port: int) -> None:
        assert ask(port, "GET", "/api/echo", b"x" * 100_000).status == 413
        assert ask(port, "GET", "/api/echo", b"x" * 100).json["bytes"] == 100

    @pytest.mark.parametrize("coding", ["gzip", "br", "deflate, gzip", "GZIP"])
    def test_one_that_is_compressed_is_turned_away(self, port: int, coding: str) -> None:
        answer = ask(port, "POST", "/api/echo", b"x", content_encoding=coding)
        assert (answer.status, answer.json["fault"]) == (415, "encoded_body")

    def test_a_slow_one_has_its_time(self, port: int) -> None:
        with raw(port) as client:
            client.sendall(b"POST /api/echo HTTP/1.1\r\nHost: [::1]\r\nContent-Length: 99\r\n\r\n")
            began = time.monotonic()
            client.sendall(b"x")
            said = until_closed(client)
        assert said.startswith(b"HTTP/1.1 408")
        assert b'"fault": "too_slow"' in said
        assert time.monotonic() - began < HURRY + 2

    def test_one_whose_sender_leaves_reaches_nobody(self, port: int, told: Told) -> None:
        with raw(port) as client:
            client.sendall(b"POST /api/echo HTTP/1.1\r\nHost: [::1]\r\nContent-Length: 99\r\n\r\nx")
        wait_for(lambda: bool(told()))
        assert [line["status"] for line in told()] == [499]

    def test_the_next_request_on_the_connection_is_served(self, port: int) -> None:
        with closing(http.client.HTTPConnection("127.0.0.1", port)) as connection:
            for _ in range(3):
                connection.request("POST", "/api/echo", b"{}", {"Origin": "https://evil.example"})
                assert Answer(connection.getresponse()).status == 403
                connection.request("POST", "/api/echo", b"{}")
                assert Answer(connection.getresponse()).json["bytes"] == 2


def wait_for(true: Callable[[], bool]) -> None:
    for _ in range(500):
        if true():
            return
        time.sleep(0.01)
    raise AssertionError("it never came true")


class TestOrigins:
    @pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
    @pytest.mark.parametrize(
        "origin", ["https://evil.example", "null", "http://127.0.0.1", "file://", "", "://"]
    )
    def test_a_page_of_another_site_changes_nothing(
        self, port: int, method: str, origin: str
    ) -> None:
        answer = ask(port, method, "/api/echo", b"{}", origin=origin)
        assert (answer.status, answer.json["fault"]) == (403, "foreign_origin")

    def test_nor_does_it_hear_a_stream(self, port: int) -> None:
        headers = {"origin": "https://evil.example", "accept": "text/event-stream"}
        assert ask(port, "GET", "/api/stream", **headers).status == 403
        assert ask(
            port, "GET", "/api/stream", accept="text/event-stream", sec_fetch_site="cross-site"
        ).status == 403  # fmt: skip

    def test_nor_does_it_without_saying_whose_it_is(self, port: int) -> None:
        assert ask(port, "POST", "/api/echo", b"{}", sec_fetch_site="cross-site").status == 403
        assert ask(port, "POST", "/api/echo", b"{}", sec_fetch_site="same-origin").status == 200

    def test_our_own_page_and_programs_may(self, port: int) -> None:
        own = f"http://127.0.0.1:{port}"
        assert ask(port, "POST", "/api/echo", b"{}", origin=own).status == 200
        assert ask(port, "POST", "/api/echo", b"{}").status == 200

    def test_anybody_may_read_what_all_may_read(self, port: int) -> None:
        assert ask(port, "GET", "/api/echo", origin="https://evil.example").status == 200

    def test_those_that_the_house_names_may(self) -> None:
        with serving(
            public_url="https://Tables.example.com", allowed_origins=["http://localhost:5173"]
        ) as port:
            for origin, status in [
                ("https://tables.example.com", 200),
                ("https://TABLES.example.com", 200),
                ("http://localhost:5173", 200),
                ("http://tables.example.com", 403),
                ("https://tables.example.com.evil.example", 403),
                ("http://localhost:5174", 403),
            ]:
                assert ask(port, "POST", "/api/echo", b"{}", origin=origin).status == status

    def test_there_are_no_websockets(self) -> None:
        sent: list[Any] = []

        async def send(message: Any) -> None:
            sent.append(message)

        async def receive() -> Any:
            return {"type": "websocket.connect"}

        async def app(*_: Any) -> None:
            raise AssertionError("it was let in")

        asyncio.run(Guard(app, Config(db=DB))({"type": "websocket"}, receive, send))
        assert sent == [{"type": "websocket.close", "code": 1008}]


class TestHosts:
    """A name of somebody else's that leads here is refused: its page would be one of ours."""

    @pytest.mark.parametrize(
        "host",
        ["127.0.0.1", "127.0.0.1:8047", "localhost", "LOCALHOST:9", "localhost.", "[::1]:80"],
    )
    def test_it_answers_to_its_own_names(self, port: int, host: str) -> None:
        assert ask(port, "GET", "/", host=host).status == 200

    @pytest.mark.parametrize(
        "host",
        ["evil.example", "evil.example:8047", "127.0.0.1.evil.example", "localhost@evil.example",
         "127.0.0.2", "", "[", "::1", "a:b", "localhost:99999999", "127.0.0.1, evil.example"],
    )  # fmt: skip
    def test_and_to_no_other(self, port: int, host: str) -> None:
        for method, path in (("GET", "/"), ("POST", "/api/echo"), ("GET", "/api/echo/")):
            answer = ask(port, method, path, host=host)
            assert (answer.status, answer.json["fault"]) == (421, "unknown_host")
            assert "Location" not in answer.headers
            assert not host or host.encode() not in answer.body

    def test_two_hosts_are_none(self, port: int) -> None:
        with raw(port) as client:
            client.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n")
            assert client.recv(65_536).startswith(b"HTTP/1.1 421")

    def test_it_answers_to_the_names_that_its_operator_gives_it(self) -> None:
        names = {"public_url": "https://tables.example.com", "hosts": ["floor.lan", "::2"]}
        with serving(**names) as port:  # type: ignore[arg-type]
            for host, status in {
                "tables.example.com": 200, "TABLES.example.com:443": 200, "floor.lan:8047": 200,
                "[::2]": 200, "localhost": 200, "example.com": 421, "x.tables.example.com": 421,
            }.items():  # fmt: skip
                assert ask(port, "GET", "/", host=host).status == status, host

    def test_behind_a_proxy_it_answers_to_the_address_that_was_called(self) -> None:
        with serving(host="0.0.0.0", behind_proxy=True) as port:
            assert ask(port, "GET", "/", host=f"127.0.0.1:{port}").status == 200
            assert ask(port, "GET", "/", host="localhost").status == 421

    def test_a_probe_may_call_it_by_any_name(self, port: int) -> None:
        assert ask(port, "GET", "/health/live", host="10.1.2.3").status == 404  # the test has none

    def test_a_program_of_the_old_days_says_no_host(self, port: int) -> None:
        for version, status in ((b"1.0", b"200"), (b"1.1", b"421")):
            with raw(port) as client:
                client.sendall(b"GET / HTTP/" + version + b"\r\n\r\n")
                assert client.recv(65_536).split()[1] == status


class TestRates:
    def test_a_session_has_its_rate_and_another_is_not_in_its_way(self) -> None:
        with serving(rate_per_session=5) as port:
            flood = [ask(port, "GET", "/api/echo", authorization="Bearer one") for _ in range(40)]
            refused = [answer for answer in flood if answer.status == 429]
            assert 20 <= len(refused) <= 30
            assert int(refused[0].headers["Retry-After"]) >= 1
            assert refused[0].json["fault"] == "too_many_requests"
            assert ask(port, "GET", "/api/echo", authorization="Bearer two").status == 200
            assert ask(port, "GET", "/", authorization="Bearer one").status == 200, "a page"

    def test_the_cookie_of_a_session_counts_whatever_stands_beside_it(self) -> None:
        with serving(rate_per_session=5) as port:
            statuses = [
                ask(port, "GET", "/api/echo", cookie=f"n={n}; {SESSION_COOKIE}=one; m={n}").status
                for n in range(20)
            ]
            assert 429 in statuses

    def test_an_address_has_its_rate_whatever_tokens_it_makes_up(self, told: Told) -> None:
        with serving(rate_per_address=5) as port:
            statuses = [
                ask(port, "GET", "/api/echo", authorization=secrets.token_hex()).status
                for _ in range(40)
            ]
        assert statuses.count(429) >= 20
        lines = [line for line in told() if line["logger"] == "croupier.requests"]
        warned = [line["message"] for line in lines if line["level"] == "warning"]
        assert warned == ["127.0.0.1 asks too often"]
        assert len(lines) == statuses.count(200) + 1, "a flood does not fill the log"

    def test_behind_a_proxy_it_is_the_address_that_the_proxy_saw(self) -> None:
        with serving(rate_per_address=2, behind_proxy=True) as port:
            for n in range(10):  # what the client says of itself comes first, and is not believed
                ask(port, "GET", "/", x_forwarded_for=f"9.9.9.{n}, 203.0.113.5")
            assert ask(port, "GET", "/", x_forwarded_for="1.1.1.1, 203.0.113.5").status == 429
            assert ask(port, "GET", "/", x_forwarded_for="203.0.113.6").status == 200

    def test_without_a_proxy_nobody_speaks_for_another(self) -> None:
        with serving(rate_per_address=2) as port:
            statuses = [ask(port, "GET", "/", x_forwarded_for=f"9.9.9.{n}") for n in range(10)]
            assert 429 in [answer.status for answer in statuses]

    @pytest.mark.parametrize(
        ("address", "client"),
        [
            ("203.0.113.5", "203.0.113.5"),
            (" 203.0.113.5:4711 ", "203.0.113.5"),
            ("::ffff:203.0.113.5", "203.0.113.5"),
            ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
            ("[2001:db8:1:2::9]:443", "2001:db8:1:2::/64"),
            ("fe80::1%eth0", "fe80::/64"),
            ("unknown", ""),
            ("", ""),
        ],
    )
    def test_what_counts_as_one_client(self, address: str, client: str) -> None:
        assert one_client(address) == client


SIGN_INS = ["/api/session", "/api/accounts", "/api/tables/t1/guests"]
DEVICE = f"{DEVICE_COOKIE}=ann's own"


def is_anns(device: bytes) -> bool:
    return device == b"ann's own"


class TestSignIns:
    """A crowd that logs in keeps nobody else from it."""

    def test_each_kind_has_a_small_ration_of_its_own(self, told: Told) -> None:
        with serving() as port:
            for path in SIGN_INS:
                answers = [ask(port, "POST", path, b"{}") for _ in range(15)]
                assert [each.status for each in answers[:10]] == [200] * 10, path
                assert answers[-1].status == 429
                assert int(answers[-1].headers["Retry-After"]) == 1
                assert answers[-1].json["fault"] == "too_many_requests"
            assert ask(port, "GET", "/api/session").status == 200, "to ask who one is is free"
        warned = [line["message"] for line in told() if line["level"] == "warning"]
        assert warned == ["127.0.0.1 logs in too often: turned away 1 times"]

    def test_the_operator_says_how_large_it_is(self) -> None:
        with serving(sign_ins_per_minute=6000, sign_ins_at_once=2) as port:
            statuses = [ask(port, "POST", SIGN_INS[0], b"{}").status for _ in range(3)]
            assert statuses[:2] == [200, 200]
            time.sleep(0.02)
            assert ask(port, "POST", SIGN_INS[0], b"{}").status == 200

    def test_a_known_device_has_its_own_ration_and_no_more(self) -> None:
        with serving(known=is_anns) as port:
            while ask(port, "POST", SIGN_INS[0], b"{}").status == 200:
                pass
            own = [ask(port, "POST", SIGN_INS[0], b"{}", cookie=DEVICE).status for _ in range(15)]
            assert own[:10] == [200] * 10
            assert own[-1] == 429, "a device that was stolen guesses no faster"
            other = f"{DEVICE_COOKIE}=made up"
            assert ask(port, "POST", SIGN_INS[0], b"{}", cookie=other).status == 429

    def test_people_who_are_in_do_not_share_the_ration_of_strangers(self) -> None:
        with serving(rate_per_address=5, inside=lambda token: token == b"good") as port:
            while ask(port, "GET", "/api/echo").status == 200:
                pass
            assert ask(port, "GET", "/api/echo", authorization="Bearer bad").status == 429
            mine = [ask(port, "GET", "/api/echo", authorization="Bearer good") for _ in range(20)]
            assert mine[0].status == 200
            assert mine[-1].status == 429, "they have one too"

    def test_a_crowd_of_strangers_is_answered_slowly_and_a_known_device_at_once(self) -> None:
        """See bench/door.py for a crowd of 200."""
        answers: list[int] = []
        stopping = threading.Event()

        def knock(port: int) -> None:
            with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=10)) as line:
                while not stopping.is_set():
                    line.request("POST", SIGN_INS[0], b"{}")
                    answers.append(Answer(line.getresponse()).status)

        with serving(known=is_anns) as port:
            crowd = [threading.Thread(target=knock, args=[port]) for _ in range(40)]
            for each in crowd:
                each.start()
            wait_for(lambda: len(answers) > REFUSED_AT_ONCE)
            time.sleep(0.5)
            began, before = time.monotonic(), len(answers)
            assert ask(port, "POST", SIGN_INS[0], b"{}", cookie=DEVICE).status == 200
            assert time.monotonic() - began < 0.5
            time.sleep(2)
            seconds = time.monotonic() - began
            assert len(answers) - before < seconds * (40 + REFUSED_A_SECOND + 1) + 40
            stopping.set()
            for each in crowd:
                each.join()
        assert set(answers) == {200, 429}


class Hand:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class TestBuckets:
    @given(
        rate=st.integers(1, 50),
        waits=st.lists(st.floats(0, 2, allow_subnormal=False), min_size=1, max_size=200),
    )
    def test_nobody_gets_more_than_his_rate(self, rate: int, waits: list[float]) -> None:
        clock = Hand()
        buckets = Buckets(rate, clock)
        taken = 0
        for wait in waits:
            clock.now += wait
            taken += buckets.take("a") == 0
        assert taken <= 2 * rate + rate * clock.now + 1e-6

    @given(st.integers(1, 50))
    def test_who_waits_as_long_as_he_is_told_is_served(self, rate: int) -> None:
        clock = Hand()
        buckets = Buckets(rate, clock)
        while not (wait := buckets.take("a")):
            pass
        clock.now += wait + 1e-9
        assert buckets.take("a") == 0

    def test_memory_has_an_end(self) -> None:
        buckets = Buckets(1, Hand(), most=100)
        for number in range(10_000):
            buckets.take(number)
        assert len(buckets) == 100


def open_stream(port: int) -> tuple[socket.socket, bytes]:
    client = raw(port)
    client.sendall(b"GET /api/stream HTTP/1.1\r\nHost: [::1]\r\n\r\n")
    return client, client.recv(65_536)


class TestStreams:
    def test_events_are_not_held_up(self, port: int) -> None:
        client, _ = open_stream(port)
        with client:
            came = []
            for _ in range(5):
                client.recv(65_536)
                came.append(time.monotonic())
        assert max(later - earlier for earlier, later in pairwise(came)) < 1
        assert came[-1] - came[0] > 0.1, "one by one, not all at the end"

    def test_an_address_has_so_many_and_gets_another_when_one_is_closed(self) -> None:
        with serving(most_streams=3) as port:
            opened = [open_stream(port) for _ in range(3)]
            assert all(said.startswith(b"HTTP/1.1 200") for _, said in opened)
            refused = ask(port, "GET", "/api/stream")
            assert (refused.status, refused.json["fault"]) == (429, "too_many_streams")
            assert ask(port, "GET", "/api/echo").status == 200, "other requests pass"
            opened.pop()[0].close()

            def served() -> bool:
                client, said = open_stream(port)
                client.close()
                return said.startswith(b"HTTP/1.1 200")

            wait_for(served)
            for client, _ in opened:
                client.close()


class TestAnswers:
    def test_each_has_its_headers(self, port: int) -> None:
        for path, status in [("/", 200), ("/api/echo", 200), ("/nowhere", 404), ("/api/boom", 500)]:
            answer = ask(port, "GET", path)
            assert answer.status == status
            policy = answer.headers["Content-Security-Policy"]
            assert "default-src 'self'" in policy
            assert "frame-ancestors 'none'" in policy
            assert "unsafe" not in policy
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
            assert answer.headers["Referrer-Policy"] == "no-referrer"
            assert answer.headers["Cross-Origin-Opener-Policy"] == "same-origin"
            assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
            assert "camera=()" in answer.headers["Permissions-Policy"]
            assert "clipboard" not in answer.headers["Permissions-Policy"], "links are copied"
            assert "Strict-Transport-Security" not in answer.headers, "it is not encrypted"
            assert len(answer.headers["X-Request-Id"]) == 32

    def test_where_a_proxy_encrypts_browsers_are_told_to_insist_on_it(self) -> None:
        public = "https://tables.example.com"
        for settings, told in (
            ({"behind_proxy": True, "public_url": public}, "max-age=31536000"),
            ({"public_url": public}, None),
            ({"behind_proxy": True}, None),
        ):
            with serving(**settings) as port:
                assert ask(port, "GET", "/").headers["Strict-Transport-Security"] == told

    def test_what_the_api_says_is_kept_nowhere(self, port: int) -> None:
        assert ask(port, "GET", "/api/echo").headers["Cache-Control"] == "no-store"
        assert ask(port, "GET", "/api").headers["Cache-Control"] == "no-store"
        assert "Cache-Control" not in ask(port, "GET", "/").headers
        assert "Cache-Control" not in ask(port, "GET", "/apiary").headers

    def test_a_request_keeps_the_number_that_its_client_gave_it(self, port: int) -> None:
        answer = ask(port, "GET", "/api/echo", x_request_id="abc-1.2_X")
        assert answer.headers["X-Request-Id"] == answer.json["request"] == "abc-1.2_X"

    @pytest.mark.parametrize("number", ["", "x" * 65, "a b", "a\tb", "<script>", "\u00e9", "a;b"])
    def test_unless_it_is_no_number(self, port: int, number: str) -> None:
        answer = ask(port, "GET", "/api/echo", x_request_id=number)
        assert answer.headers["X-Request-Id"] == answer.json["request"] != number

    def test_what_broke_is_told_to_the_log_alone(self, port: int, told: Told) -> None:
        answer = ask(port, "GET", "/api/boom?link=secret", x_request_id="r1")

        def mine() -> list[dict[str, Any]]:
            return [line for line in told() if line["request"] == "r1"]

        wait_for(lambda: len(mine()) == 2)
        assert answer.status == 500
        assert answer.json == {
            "fault": "server_error",
            "message": "something broke here; its log has more under the number of this request",
            "request": "r1",
        }
        assert b"queen" not in answer.body
        failed, asked = mine()
        assert failed["message"] == "GET /api/boom failed"
        assert "the queen of spades is next" in failed["traceback"]
        assert failed["request"] == asked["request"] == "r1"
        assert asked["status"] == 500
        assert "secret" not in json.dumps(told())

    def test_an_error_of_the_system_is_one_of_ours(self, port: int) -> None:
        answer = ask(port, "GET", "/api/file")
        assert (answer.status, answer.json["fault"]) == (500, "server_error")

    def test_an_answer_that_breaks_off_is_seen_to_break_off(self, port: int) -> None:
        with pytest.raises(http.client.IncompleteRead):
            ask(port, "GET", "/api/half")

    def test_each_request_is_logged_without_its_query(self, port: int, told: Told) -> None:
        ask(port, "POST", "/api/echo?link=secret", b"{}", x_request_id="r2")
        wait_for(lambda: bool(told()))
        (line,) = told()
        assert line["message"] == "POST /api/echo"
        assert (line["status"], line["address"]) == (200, "127.0.0.1")
        assert line["milliseconds"] > 0

    def test_the_log_learns_what_the_application_knows(self, port: int, told: Told) -> None:
        ask(port, "POST", "/api/echo", b"{}", x_request_id="r2")
        wait_for(lambda: bool(told()))
        (line,) = told()
        assert (line["request"], line["account"], line["table"]) == ("r2", "a1", "t1")

    def test_a_fault_says_only_what_there_is_to_say(self) -> None:
        assert fault_body("not_now", "the round is over") == {
            "fault": "not_now",
            "message": "the round is over",
        }
        assert fault_body("bad_amount", "no", citation="19:47-8.2", field="amount") == {
            "fault": "bad_amount",
            "message": "no",
            "citation": "19:47-8.2",
            "field": "amount",
        }


class TestTheDoor:
    """Connections that say little, or never stop."""

    @pytest.mark.parametrize(
        "said",
        [
            b"",
            b"\r\n\r\n",
            b"POST /api/echo HTTP/1.1\r\nHost: [::1]\r\nX-Slow: ",
            b"GET / HTTP/1.1\r\nHost: [::1]\r\n\r\n\r\n",
        ],
    )
    def test_one_that_never_finishes_its_request_is_let_go(self, port: int, said: bytes) -> None:
        with raw(port) as client:
            client.sendall(said)
            began = time.monotonic()
            until_closed(client)
        assert time.monotonic() - began < 2 * HURRY + 5

    @pytest.mark.parametrize(
        ("said", "drop"),
        [
            (b"GET / HTTP/1.1\r\nHost: [::1]\r\nX-Slow: ", b"x"),
            (b"GET / HTTP/1.1\r\nHost: [::1]\r\n\r\n", b"\r\n"),
        ],
    )
    def test_one_that_drips_is_let_go(self, port: int, said: bytes, drop: bytes) -> None:
        with raw(port) as client:
            client.sendall(said)
            began = time.monotonic()
            with pytest.raises(OSError):
                while time.monotonic() - began < 10:
                    time.sleep(0.05)
                    client.sendall(drop)
        assert time.monotonic() - began < 5

    def test_one_that_drips_a_body_that_nobody_wants_is_let_go(self, port: int) -> None:
        with raw(port) as client:
            client.sendall(
                b"POST /api/echo HTTP/1.1\r\nHost: [::1]\r\nOrigin: https://evil.example\r\n"
                b"Transfer-Encoding: chunked\r\n\r\n"
            )
            assert client.recv(65_536).startswith(b"HTTP/1.1 403")
            began = time.monotonic()
            with pytest.raises(OSError):
                while time.monotonic() - began < 10:
                    client.sendall(b"1\r\nx\r\n")
                    time.sleep(0.05)
        assert time.monotonic() - began < 5

    @pytest.mark.parametrize("piece", [b"x" * 65_536, b"X-%d: y\r\n" * 8000])
    def test_a_head_without_an_end_is_refused(self, port: int, piece: bytes) -> None:
        with raw(port) as client:
            client.sendall(b"GET / HTTP/1.1\r\nHost: [::1]\r\nX-Long: ")
            with pytest.raises(OSError):
                for _ in range(50):  # a few megabytes, as the buffers of the system take them
                    client.sendall(piece)
                    time.sleep(0.005)

    def test_many_idle_connections_are_in_nobodys_way(self, port: int) -> None:
        idle = [raw(port) for _ in range(200)]
        assert ask(port, "GET", "/api/echo").status == 200
        for client in idle:
            client.close()

    def test_a_head_and_its_body_are_one_packet(self) -> None:
        sent: list[Any] = []

        async def answer() -> None:
            wire = SimpleNamespace(write=sent.append, close=lambda: sent.append("closed"))
            together = Together(wire, asyncio.get_running_loop())  # type: ignore[arg-type]
            together.write(b"head, ")
            together.write(b"body")
            assert not sent
            await asyncio.sleep(0)
            together.write(b"last words")
            together.close()
            await asyncio.sleep(0)

        asyncio.run(answer())
        assert sent == [b"head, body", b"last words", "closed"]

    def test_a_quick_client_may_stay(self, port: int) -> None:
        with closing(http.client.HTTPConnection("127.0.0.1", port)) as connection:
            for _ in range(8):
                connection.request("POST", "/api/echo", b"{}")
                assert Answer(connection.getresponse()).status == 200
                time.sleep(HURRY / 2)

    def test_a_stream_outlasts_its_patience(self, port: int) -> None:
        client, _ = open_stream(port)
        with client:
            began = time.monotonic()
            while time.monotonic() - began < 4 * HURRY:
                assert client.recv(65_536)
