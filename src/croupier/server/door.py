"""The door: uvicorn's reader of requests, with an end to its patience and a place for each."""

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from croupier.server.guard import PLACE, WHOLE
from croupier.server.places import Place, Places, Rank
from croupier.server.rations import one_client

SLOWEST_REQUEST = 20.0  # seconds from the first byte to the last
LARGEST_HEAD = 65_536  # bytes


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
    _place: Place

    def __init__(self, *given: Any, places: Places | None = None, **more: Any) -> None:
        super().__init__(*given, **more)
        self._places = Places() if places is None else places

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(Together(transport, self.loop))  # type: ignore[arg-type]
        self._deadline = self.loop.call_later(self.patience, transport.abort)
        peer = self.client[0] if self.client else "local"
        self._place = Place(self._places, one_client(peer) or peer, self._let_go)
        self._places.come(self._place)

    def connection_lost(self, exc: Exception | None) -> None:
        self._end_deadline()
        self._places.go(self._place)
        super().connection_lost(exc)

    def _let_go(self) -> None:
        """Others need the place. One who idles may come again, and is told so in order."""
        if self._place.rank is Rank.IDLE:
            self.transport.close()
        else:
            self.transport.abort()

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
        self.scope[PLACE] = self._place  # type: ignore[literal-required]
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._head = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._head = 0
        self._complete = True
        if not self.cycle.response_complete:
            self._place.asks()
        self.scope[WHOLE] = True  # type: ignore[literal-required]
        super().on_message_complete()

    def on_response_complete(self) -> None:
        if not self.pipeline:
            self._place.answered()
        super().on_response_complete()

    def _end_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
