"""A power cut at every write of every command: nothing acknowledged is lost, nothing is done twice.

The storage fails on command: before each statement that the writer sends,
before the commit, after it, and before the answer. The command is then sent
again with its request id, until it has met every such moment.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import event

from croupier.floor import log
from croupier.floor.events import LogEvent
from croupier.floor.live import LiveTable, Terms
from croupier.floor.pit import Pit
from croupier.floor.storage import Storage
from tests.floor.evening import HOUSE_DEALS, PERSON_DEALS, ROUNDS, first_step, next_step
from tests.floor.support import FAMILIES, proved

TABLE = "evening"
EVENINGS = [(game, HOUSE_DEALS) for game in FAMILIES] + [
    ("three-card-poker", PERSON_DEALS),
    ("craps", PERSON_DEALS),
]


class PowerCut(BaseException):
    """Nothing that runs can catch it, as nothing can catch the real one."""


@contextmanager
def cut(pit: Pit, at: int) -> Iterator[None]:
    """The power goes at the so many-th moment from now at which something could be half done."""
    left = at

    def moment(*_: Any) -> None:
        nonlocal left
        left -= 1
        if left == 0:
            raise PowerCut

    writer = pit.storage._database.writer
    publish, deliver = pit.publish, pit.deliver
    event.listen(writer, "before_cursor_execute", moment)
    event.listen(writer, "commit", moment)

    def publish_late(stream: str, rows: list[LogEvent]) -> None:
        moment()
        publish(stream, rows)

    def deliver_late(results: Any) -> None:
        moment()
        deliver(results)

    pit.publish, pit.deliver = publish_late, deliver_late
    try:
        yield
    finally:
        event.remove(writer, "before_cursor_execute", moment)
        event.remove(writer, "commit", moment)
        pit.publish, pit.deliver = publish, deliver


class Server:
    """A pit that comes back after each power cut."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.told: list[int] = []  # the events that somebody has been told of
        self.cuts = 0
        self._start()

    def _start(self) -> None:
        self.storage = Storage(self.url)
        self.pit = Pit(self.storage, publish=lambda stream, rows: None)
        self.pit.take_over()

    def restart(self) -> None:
        self.storage.close()
        self._start()

    @property
    def live(self) -> LiveTable | None:
        return self.pit.tables.get(TABLE)

    @property
    def written(self) -> int:
        with self.storage.read() as conn:
            return log.last_number(conn, TABLE)

    def survive(self, command: Callable[[], Any]) -> Any:
        """Do it with a cut at the first moment, the second, and so on, until none is left."""
        acknowledged = self.written
        for at in range(1, 100):
            try:
                with cut(self.pit, at):
                    reply = command()
            except PowerCut:
                self.cuts += 1
                self.restart()
                assert not self.pit.broken
                assert self.written >= acknowledged
                assert self.live is None or sum(self.live.accounts().values()) == 0
                continue
            assert self.written == reply["number"]
            return reply
        raise AssertionError("there is no end of moments")


@pytest.mark.parametrize(
    ("game", "terms"),
    EVENINGS,
    ids=[f"{game} dealt by {'a ' * (terms.dealer == 'person')}{terms.dealer}"
         for game, terms in EVENINGS],
)  # fmt: skip
def test_a_power_cut_at_every_write_loses_nothing(
    storage_url: str, game: str, terms: Terms
) -> None:
    server = Server(storage_url)
    replies: list[tuple[Callable[[], Any], Any]] = []
    step: Any = first_step(game, terms)
    while step is not None:
        person, body = step
        request = f"step-{len(replies)}"

        def send(person: Any = person, body: Any = body, request: str = request) -> Any:
            return server.pit.do(TABLE, person, dict(body), request)

        replies.append((send, server.survive(send)))
        step = next_step(server.live or LiveTable(TABLE))
    live = server.live
    assert live is not None
    assert live.round > ROUNDS
    assert server.cuts > 5 * len(replies)
    for again, reply in replies[-20:]:
        assert again() == reply, "a command sent again gets its first answer"
    tables = proved(server.storage)
    assert not tables[TABLE].chairs
    assert {account: cents for account, cents in live.accounts().items() if cents} == {
        account: cents for account, cents in tables[TABLE].accounts().items() if cents
    }
    server.storage.close()
