"""The guard at the door: what every request passes before the house sees it.

`Guard` is plain ASGI, so that a stream is not held up: it limits bodies, rates
and open streams, turns away pages of other sites, gives each request a number
and each answer its headers, and says nothing of what went wrong inside but to
the log. `Guard(app, config)` answers for an error that leaves the application;
one that has an answer of its own for those gives it first.

Rations keep a crowd of strangers out of the way of the people of the same address:

- A request counts for its address; those of people who are logged in, and of devices
  that somebody logged in from before, have a ration apart from the strangers'.
- Logging in, opening an account and coming as a guest have small rations of their own.
- An address that goes on asking when it is refused waits a second for each refusal.
"""

import asyncio
import json
import logging
import math
import os
import re
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from hashlib import blake2b
from typing import Any

from starlette.requests import ClientDisconnect

from croupier.server import logs
from croupier.server.config import Config
from croupier.server.places import Place
from croupier.server.rations import Buckets, Warnings, one_client

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]
Header = tuple[bytes, bytes]

SESSION_COOKIE = "croupier_session"
DEVICE_COOKIE = "croupier_device"  # of a device that somebody has logged in from
API = "/api"
SLOWEST_READER = 30.0  # seconds for which a stream waits for one who does not read
SLOWEST_BODY = 10.0  # seconds
LINGER = 2.0  # seconds in which a body too large is let run out, so that its sender can listen
REFUSED_AT_ONCE = 100  # refusals that an address hears at once, and then some a second;
REFUSED_A_SECOND = 10
KEPT_WAITING = 1.0  # seconds for which it waits for each of the others,
MOST_WAITING = 1000  # while so many wait; more are told to go
TOO_LARGE, TOO_MANY = 413, 429
NOT_TOLD = 499  # as proxies log a request whose client left before the answer
LONGEST_ADDRESS = 60  # characters, with a port and spaces
LONGEST_PATH = 200  # characters of a path in the log
WHOLE = "croupier.whole"  # in the scope of a request whose last byte has come
PLACE = "croupier.place"  # in the scope: the place of its connection

_SAFE = {"GET", "HEAD", "OPTIONS"}
_SANE_ID = re.compile(rb"[A-Za-z0-9._-]{1,64}")
_COOKIE, _DEVICE = (
    re.compile(rb"(?:^|;)\s*" + name.encode() + rb"=([^;]*)")
    for name in (SESSION_COOKIE, DEVICE_COOKIE)
)
_HOST = re.compile(rb"(\[[0-9a-f:.]+\]|[^:\[\]]+?)\.?(?::\d{1,5})?")
_PROBED = ("/health/live", "/health/ready")  # by programs that may call us by any name
_SIGN_IN = re.compile(f"{API}/(?:(session)|(accounts)|tables/[^/]*/(guests))")
_POLICY = (
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'"
)
_NOT_USED = (  # what the page asks of no browser
    "accelerometer", "camera", "display-capture", "geolocation", "gyroscope", "hid",
    "magnetometer", "microphone", "midi", "payment", "screen-wake-lock", "serial", "usb",
    "xr-spatial-tracking",
)  # fmt: skip
_SECURITY: list[Header] = [
    (b"content-security-policy", _POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", ", ".join(f"{each}=()" for each in _NOT_USED).encode()),
]
_ENCRYPTED: Header = (b"strict-transport-security", b"max-age=31536000")
_NO_STORE: Header = (b"cache-control", b"no-store")
_CLOSE: Header = (b"connection", b"close")

logger = logging.getLogger("croupier.requests")


class TurnedAway(Exception):
    """A request that goes no further: the status, the fault and one sentence."""

    def __init__(
        self, status: int, fault: str, message: str, headers: Iterable[Header] = ()
    ) -> None:
        super().__init__(message)
        self.status = status
        self.fault = fault
        self.headers = list(headers)


class _Gone(Exception):
    """The client left before it had said everything."""


def fault_body(
    fault: str, message: str, *, citation: str = "", field: str = "", request: str = ""
) -> dict[str, str]:
    """The body of every answer that is not what was asked for."""
    told = {"citation": citation, "field": field, "request": request}
    return {"fault": fault, "message": message} | {key: text for key, text in told.items() if text}


class Guard:
    """Wraps an ASGI application."""

    def __init__(
        self,
        app: App,
        config: Config,
        *,
        clock: Callable[[], float] = time.monotonic,
        slowest_body: float = SLOWEST_BODY,
        known: Callable[[bytes], bool] = lambda device: False,
        inside: Callable[[bytes], bool] = lambda token: False,
    ) -> None:
        """`known` knows the devices that somebody logged in from, `inside` the tokens of people
        who are logged in. Both are asked for every request that shows one: they look it up in
        memory."""
        self.app = app
        self.refused = {"requests": 0, "sign_ins": 0}  # since the start
        self.inside, self._known = inside, known
        self.streams: Counter[str] = Counter()
        self.most_streams = config.most_streams
        self.security = _SECURITY + ([_ENCRYPTED] if config.is_encrypted() else [])
        self._hosts = {host.encode() for host in config.known_hosts()}
        self._most_body = config.most_body
        self._slowest_body = slowest_body
        self._behind_proxy = config.behind_proxy
        own = [config.public_url] if config.public_url else []
        self._origins = {origin.encode() for origin in [*own, *config.allowed_origins]}
        self._by_session = Buckets(config.rate_per_session, clock)
        self._strangers = Buckets(config.rate_per_address, clock)
        self._people = Buckets(config.rate_per_address, clock)
        per_second, at_once = config.sign_ins_per_minute / 60, config.sign_ins_at_once
        self._sign_ins = Buckets(per_second, clock, at_once=at_once)
        self._refusals = Buckets(REFUSED_A_SECOND, clock, at_once=REFUSED_AT_ONCE)
        self._waiting = 0  # requests whose refusal is kept back
        self._too_often = Warnings(logger, clock)
        self._at_the_door = Warnings(logger, clock)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008})
            return
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        visit = _Visit(self, scope, dict(scope["headers"]), receive, send)
        try:
            if refused := self._rationed(visit):
                await self._keep_waiting(visit, refused)
                raise refused
            self._check(visit)
            await self.app(scope, await self._heard(visit), visit.tell)
        except Exception as error:
            await visit.end_badly(error)
        finally:
            visit.leave()

    def address(self, scope: Scope, headers: dict[bytes, bytes]) -> str:
        """Who asks: the peer, or whom the proxy before us says it speaks for."""
        if self._behind_proxy and b"x-forwarded-for" in headers:
            last = headers[b"x-forwarded-for"].rpartition(b",")[2][-LONGEST_ADDRESS:]
            if client := one_client(last.decode("latin-1")):
                return client
        peer = scope.get("client")
        return one_client(peer[0]) or str(peer[0]) if peer else "local"

    def _rationed(self, visit: "_Visit") -> TurnedAway | None:
        """Why a request comes too soon after others, if it does."""
        token, device = visit.shown()
        visit.token = token
        visit.is_inside = bool(token) and self.inside(token)
        visit.is_known = visit.is_inside or (bool(device) and self._known(device))
        if visit.place is not None and visit.is_inside:
            visit.place.is_inside(True)
        signs_in = _SIGN_IN.fullmatch(visit.scope["path"]) if visit.is_post else None
        if signs_in:
            whose = _hashed(device) if visit.is_known and device else visit.address
            if wait := self._sign_ins.take((signs_in.lastindex, whose)):
                self.refused["sign_ins"] += 1
                told = "{address} logs in too often: turned away {times} times"
                self._at_the_door.about(visit.address, told)
                sentence = "too many have logged in from here: wait a moment"
                return _too_many("too_many_requests", sentence, wait)
        by_address = self._people if visit.is_known else self._strangers
        wait = by_address.take(visit.address)
        if not wait and token:
            wait = self._by_session.take(_hashed(token))
        if not wait:
            return None
        self.refused["requests"] += 1
        self._too_often.about(visit.address, "{address} asks too often")
        return _too_many("too_many_requests", "too many requests: wait a moment", wait)

    async def _keep_waiting(self, visit: "_Visit", refused: TurnedAway) -> None:
        """A stranger who only asks the more often is told so slowly: refusing costs time too."""
        if visit.is_known or not self._refusals.take(visit.address):
            return
        if self._waiting >= MOST_WAITING:
            refused.headers.append(_CLOSE)
            return
        self._waiting += 1
        try:
            await asyncio.sleep(KEPT_WAITING)
        finally:
            self._waiting -= 1

    def _check(self, visit: "_Visit") -> None:
        headers = visit.headers
        if not self._is_for_us(visit.scope, headers):
            sentence = (
                "this server does not go by that name: ask it by the name that its operator gave "
                "it, with public_url or hosts"
            )
            raise TurnedAway(421, "unknown_host", sentence)
        if self._is_foreign(visit.scope["method"], headers):
            raise TurnedAway(403, "foreign_origin", "the page of another site may not ask for this")
        if headers.get(b"content-encoding", b"identity").lower() != b"identity":
            raise TurnedAway(415, "encoded_body", "a body is sent as it is, not compressed")

    def _is_for_us(self, scope: Scope, headers: dict[bytes, bytes]) -> bool:
        """Whether the host that was asked for is one of ours, or the very address it came to.

        A name of somebody else's that leads here would make their page one of ours.
        """
        asked = [value for name, value in scope["headers"] if name == b"host"]
        if scope["path"] in _PROBED:
            return True
        if not asked:
            return bool(scope.get("http_version") == "1.0")
        found = _HOST.fullmatch(asked[0].lower())
        if len(asked) > 1 or found is None:
            return False
        here = scope.get("server")
        name = found[1]
        return name in self._hosts or bool(here and name.strip(b"[]") == str(here[0]).encode())

    def _is_foreign(self, method: str, headers: dict[bytes, bytes]) -> bool:
        """Browsers say whose page asks; programs say nothing and hold no cookie to misuse."""
        if method in _SAFE and b"text/event-stream" not in headers.get(b"accept", b""):
            return False
        origin = headers.get(b"origin")
        if origin is None:
            return headers.get(b"sec-fetch-site") == b"cross-site"
        origin = origin.lower()
        scheme, _, host = origin.partition(b"://")
        is_own = scheme in (b"http", b"https") and host == headers.get(b"host", b"").lower() != b""
        return not is_own and origin not in self._origins

    async def _heard(self, visit: "_Visit") -> Receive:
        """The body, read whole within its limits, for the application to receive."""
        headers, receive = visit.headers, visit.receive
        announced = headers.get(b"content-length", b"")
        if not announced and b"transfer-encoding" not in headers and visit.scope["method"] in _SAFE:
            return receive
        if announced.isdigit() and int(announced[:20]) > self._most_body:
            raise self._too_large()
        if visit.scope.get(WHOLE):
            return _again(await self._read(receive), receive)
        try:
            async with asyncio.timeout(self._slowest_body):
                body = await self._read(receive)
        except TimeoutError:
            raise TurnedAway(408, "too_slow", "the body took too long to come", [_CLOSE]) from None
        return _again(body, receive)

    async def _read(self, receive: Receive) -> bytes:
        body = bytearray()
        more = True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise _Gone
            body += message.get("body", b"")
            if len(body) > self._most_body:
                raise self._too_large()
            more = message.get("more_body", False)
        return bytes(body)

    def _too_large(self) -> TurnedAway:
        sentence = f"a body has at most {self._most_body:,} bytes"
        return TurnedAway(TOO_LARGE, "too_large", sentence, [_CLOSE])


class _Visit:
    """One request, from the door to the log."""

    __slots__ = (
        "address", "begun", "facts", "guard", "headers", "is_api", "is_inside", "is_known",
        "is_post", "is_stream", "place", "receive", "request", "scope", "send", "started",
        "status", "token", "turned_away",
    )  # fmt: skip

    def __init__(
        self,
        guard: Guard,
        scope: Scope,
        headers: dict[bytes, bytes],
        receive: Receive,
        send: Send,
    ) -> None:
        self.begun = time.perf_counter()
        self.guard = guard
        self.scope = scope
        self.headers = headers
        self.receive = receive
        self.send = send
        self.started = self.is_stream = self.is_inside = self.is_known = False
        self.token = b""
        self.is_post = scope["method"] == "POST"
        self.place: Place | None = scope.get(PLACE)
        self.turned_away: TurnedAway | None = None
        self.status = NOT_TOLD
        path = scope["path"]
        self.is_api = path.startswith(API) and path[len(API) : len(API) + 1] in ("", "/")
        self.address = guard.address(scope, headers)
        given = headers.get(b"x-request-id", b"")
        self.request = given.decode() if _SANE_ID.fullmatch(given) else os.urandom(16).hex()
        self.facts = logs.begin_request(self.request)
        scope.setdefault("state", {}).update(request=self.request, address=self.address)

    def shown(self) -> tuple[bytes, bytes]:
        """The token and the device that the request shows, or nothing."""
        if not self.is_api:
            return b"", b""
        token = self.headers.get(b"authorization", b"").rpartition(b" ")[2]
        cookies = self.headers.get(b"cookie", b"")
        if not token and (found := _COOKIE.search(cookies)):
            token = found[1]
        device = _DEVICE.search(cookies) if cookies else None
        return token, device[1] if device else b""

    async def tell(self, message: Message) -> None:
        """Send on what the application says, with the headers that every answer has."""
        if self.turned_away:
            raise self.turned_away
        if message["type"] == "http.response.start":
            headers: list[Header] = list(message.get("headers", ()))
            for name, value in headers:
                if name == b"content-type" and value.startswith(b"text/event-stream"):
                    self._open_stream()
            self.started, self.status = True, message["status"]
            said = {name for name, _ in headers}  # a page may have a policy of its own
            headers += [each for each in self.guard.security if each[0] not in said]
            headers.append((b"x-request-id", self.request.encode()))
            if self.is_api:
                headers.append(_NO_STORE)
            message = {**message, "headers": headers}
        if not self.is_stream:
            await self.send(message)
            return
        try:
            async with asyncio.timeout(SLOWEST_READER):
                await self.send(message)
        except TimeoutError:
            raise _Gone from None  # it can take the stream up again

    def _open_stream(self) -> None:
        if self.guard.streams[self.address] >= self.guard.most_streams:
            sentence = "too many streams are open from this address"
            self.turned_away = _too_many("too_many_streams", sentence, 1)
            raise self.turned_away
        self.guard.streams[self.address] += 1
        self.is_stream = True
        if self.place is not None:
            self.place.is_inside(True)

    async def end_badly(self, error: Exception) -> None:
        """Say that it was turned away, or that something broke; what, only the log learns."""
        if isinstance(error, _Gone | ClientDisconnect):
            return
        if isinstance(error, TurnedAway) or self.turned_away:
            away = self.turned_away or error
            assert isinstance(away, TurnedAway)
            await self._say(away.status, fault_body(away.fault, str(away)), away.headers)
            return
        logger.error("%s failed", self._named(), exc_info=error)
        if not self.started:
            sentence = "something broke here; its log has more under the number of this request"
            await self._say(500, fault_body("server_error", sentence, request=self.request))

    async def _say(self, status: int, body: dict[str, str], headers: Iterable[Header] = ()) -> None:
        content = json.dumps(body).encode("ascii")
        start: list[Header] = [
            (b"content-type", b"application/json"),
            (b"content-length", str(len(content)).encode("ascii")),
            *headers,
        ]
        self.turned_away = None
        await self.tell({"type": "http.response.start", "status": status, "headers": start})
        await self.send({"type": "http.response.body", "body": content, "more_body": True})
        if status == TOO_LARGE:
            await self._let_run_out()
        await self.send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _let_run_out(self) -> None:
        """A connection closed on one who still speaks is reset, and he never hears why."""
        try:
            async with asyncio.timeout(LINGER):
                while (await self.receive()).get("more_body", False):
                    pass
        except TimeoutError:
            pass

    def leave(self) -> None:
        if self.is_api and self.place is not None:
            looked_up = bool(self.token) and self.guard.inside(self.token)  # by the application
            self.place.is_inside(self.is_inside or looked_up)
        if self.is_stream:
            self.guard.streams[self.address] -= 1
            if not self.guard.streams[self.address]:
                del self.guard.streams[self.address]
        level = logging.DEBUG if self.status == TOO_MANY else logging.INFO  # a flood fills a disk
        if logger.isEnabledFor(level):
            took = (time.perf_counter() - self.begun) * 1000
            self.facts["status"] = self.status
            self.facts["address"] = self.address
            self.facts["milliseconds"] = round(took, 2)
            logger.log(level, self._named())

    def _named(self) -> str:
        """The request without its query, which may hold the secret of a link."""
        return f"{self.scope['method']} {self.scope['path'][:LONGEST_PATH]}"


def _hashed(secret: bytes) -> bytes:
    return blake2b(secret, digest_size=16).digest()


def _too_many(fault: str, message: str, wait: float) -> TurnedAway:
    return TurnedAway(TOO_MANY, fault, message, [(b"retry-after", str(math.ceil(wait)).encode())])


def _again(body: bytes, receive: Receive) -> Receive:
    """Receive a body that was read before; after it, whatever comes."""
    waiting = [body]

    async def receive_again() -> Message:
        if waiting:
            return {"type": "http.request", "body": waiting.pop(), "more_body": False}
        return await receive()

    return receive_again
