"""The guard at the door: what every request passes before the house sees it.

`Guard` is plain ASGI, so that a stream is not held up: it limits bodies, rates
and open streams, turns away pages of other sites, gives each request a number
and each answer its headers, and says nothing of what went wrong inside but to
the log. `Guard(app, config)` answers for an error that leaves the application;
one that has an answer of its own for those gives it first.
`Door` is uvicorn's reader of requests with an end to its patience.
"""

import asyncio
import ipaddress
import json
import logging
import math
import os
import re
import time
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from functools import lru_cache
from hashlib import blake2b
from typing import Any

from starlette.requests import ClientDisconnect
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from croupier.server import logs
from croupier.server.config import Config

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]
Header = tuple[bytes, bytes]

SESSION_COOKIE = "croupier_session"
API = "/api"
SLOWEST_READER = 30.0  # seconds for which a stream waits for one who does not read
SLOWEST_BODY = 10.0  # seconds
SLOWEST_REQUEST = 20.0  # seconds from the first byte to the last
LARGEST_HEAD = 65_536  # bytes
LINGER = 2.0  # seconds in which a body too large is let run out, so that its sender can listen
ONCE_A_MINUTE = 1 / 60
REMEMBERED = 20_000  # sessions and addresses whose rate is watched
TOO_LARGE, TOO_MANY = 413, 429
NOT_TOLD = 499  # as proxies log a request whose client left before the answer
LONGEST_ADDRESS = 60  # characters, with a port and spaces
LONGEST_PATH = 200  # characters of a path in the log
WHOLE = "croupier.whole"  # in the scope of a request whose last byte has come

_SAFE = {"GET", "HEAD", "OPTIONS"}
_SANE_ID = re.compile(rb"[A-Za-z0-9._-]{1,64}")
_COOKIE = re.compile(rb"(?:^|;)\s*" + SESSION_COOKIE.encode() + rb"=([^;]*)")
_POLICY = (
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'"
)
_SECURITY: list[Header] = [
    (b"content-security-policy", _POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
]
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


class Buckets:
    """Token buckets: so many a second each, twice that at once, and the last used remembered."""

    def __init__(self, rate: float, clock: Callable[[], float], most: int = REMEMBERED) -> None:
        self._rate = rate
        self._full = max(1, 2 * rate)
        self._clock = clock
        self._most = most
        self._held: OrderedDict[Any, tuple[float, float]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._held)

    def take(self, key: Any) -> float:
        """Take one token: 0, or the seconds until there is one."""
        now = self._clock()
        left, at = self._held.pop(key, (self._full, now))
        left = min(self._full, left + (now - at) * self._rate)
        self._held[key] = (left - 1 if left >= 1 else left, now)
        if len(self._held) > self._most:
            self._held.popitem(last=False)
        return 0.0 if left >= 1 else (1 - left) / self._rate


@lru_cache(maxsize=4096)
def one_client(address: str) -> str:
    """What counts as one client: an IPv4 address, or the network that an IPv6 user is given."""
    bare = address.strip()
    if bare.startswith("["):
        bare = bare[1:].partition("]")[0]
    elif bare.count(":") == 1:
        bare = bare.partition(":")[0]
    try:
        found = ipaddress.ip_address(bare.partition("%")[0])
    except ValueError:
        return ""
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    if found.ipv4_mapped:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((found, 64), strict=False))


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
    ) -> None:
        self.app = app
        self.streams: Counter[str] = Counter()
        self.most_streams = config.most_streams
        self._most_body = config.most_body
        self._slowest_body = slowest_body
        self._behind_proxy = config.behind_proxy
        own = [config.public_url] if config.public_url else []
        self._origins = {origin.encode() for origin in [*own, *config.allowed_origins]}
        self._by_session = Buckets(config.rate_per_session, clock)
        self._by_address = Buckets(config.rate_per_address, clock)
        self._told_off = Buckets(ONCE_A_MINUTE, clock)

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

    def _check(self, visit: "_Visit") -> None:
        headers = visit.headers
        wait = self._by_address.take(visit.address)
        if not wait and visit.is_api and (session := _session(headers)):
            wait = self._by_session.take(session)
        if wait:
            if not self._told_off.take(visit.address):
                logger.warning("%s asks too often", visit.address)
            raise _too_many("too_many_requests", "too many requests: wait a moment", wait)
        if self._is_foreign(visit.scope["method"], headers):
            raise TurnedAway(403, "foreign_origin", "the page of another site may not ask for this")
        if headers.get(b"content-encoding", b"identity").lower() != b"identity":
            raise TurnedAway(415, "encoded_body", "a body is sent as it is, not compressed")

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
        "address", "begun", "facts", "guard", "headers", "is_api", "is_stream", "receive",
        "request", "scope", "send", "started", "status", "turned_away",
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
        self.started = self.is_stream = False
        self.turned_away: TurnedAway | None = None
        self.status = NOT_TOLD
        path = scope["path"]
        self.is_api = path.startswith(API) and path[len(API) : len(API) + 1] in ("", "/")
        self.address = guard.address(scope, headers)
        given = headers.get(b"x-request-id", b"")
        self.request = given.decode() if _SANE_ID.fullmatch(given) else os.urandom(16).hex()
        self.facts = logs.begin_request(self.request)
        scope.setdefault("state", {}).update(request=self.request, address=self.address)

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
            headers += [each for each in _SECURITY if each[0] not in said]
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


def _session(headers: dict[bytes, bytes]) -> bytes:
    """A hash of the token that the request carries, in whichever way, or nothing."""
    token = headers.get(b"authorization", b"").rpartition(b" ")[2]
    if not token and (found := _COOKIE.search(headers.get(b"cookie", b""))):
        token = found[1]
    return blake2b(token, digest_size=16).digest() if token else b""


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


class Together:
    """A transport that sends all that is written in one go: a head and its body are one packet."""

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport, self._loop = transport, loop
        self._written: list[bytes] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        if not self._written:
            self._loop.call_soon(self._send)
        self._written.append(data)

    def close(self) -> None:
        self._send()
        self._transport.close()

    def _send(self) -> None:
        if self._written:
            self._transport.write(b"".join(self._written))
            self._written.clear()


class Door(HttpToolsProtocol):
    """uvicorn's protocol, which by itself waits for ever for a request that has no end."""

    patience = SLOWEST_REQUEST
    _deadline: asyncio.TimerHandle | None = None
    _complete = False
    _head = 0  # bytes of a head that has not ended yet

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(Together(transport, self.loop))  # type: ignore[arg-type]
        self._deadline = self.loop.call_later(self.patience, transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        self._end_deadline()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._head > LARGEST_HEAD:
            self.send_400_response("The head of the request is too large.")
            return
        self._head += len(data)
        self._complete = False
        super().data_received(data)
        if self._complete:
            self._end_deadline()
        elif self._deadline is None and not self.transport.is_closing():
            self._deadline = self.loop.call_later(self.patience, self.transport.abort)

    def on_headers_complete(self) -> None:
        self._head = 0
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._head = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._head = 0
        self._complete = True
        self.scope[WHOLE] = True  # type: ignore[literal-required]
        super().on_message_complete()

    def _end_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
