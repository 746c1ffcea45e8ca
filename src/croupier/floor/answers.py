"""Whether the answers that are kept are those that the log's commands were given.

A command that is sent again gets the answer that is kept, and is not done
again. So every command of a person must have its answer, the answer must hold
the events that this person was shown, and an answer without a command would
keep one from ever being done.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Row, select, tuple_

from croupier.floor import schema
from croupier.floor.events import LogEvent, visible
from croupier.floor.integrity import misplaced, rows
from croupier.floor.live import LiveTable
from croupier.floor.log import MOST, LogBroken
from croupier.floor.rows import found
from croupier.floor.seal import Seal
from croupier.floor.storage import Storage, StorageDamaged

NOT_PEOPLE = {"clock", "house"}  # who may act without being answered
AT_ONCE = 500  # answers that are looked up together
COLUMNS = schema.requests.columns.keys()
STREAM, NUMBER = COLUMNS.index("stream"), COLUMNS.index("number")
NOT_IN_THE_LOG = "an answer is kept to a command that is not in the log"

Key = tuple[str, str]


class Answers:
    """The answers to the commands of one table, compared as its rounds are played again."""

    def __init__(self, stream: str, since: float, seal: Seal | None) -> None:
        self.stream, self.seal = stream, seal
        self.since = since  # answers up to this event may have been swept, and have no seal
        self.kept: dict[Key, list[Row[Any]]] = {}

    def look(self, conn: Connection, page: Sequence[LogEvent]) -> None:
        """Read the answers to the commands that begin on a page, in the same moment."""
        keys = [(event.actor, event.request) for event in page if event.input is not None]
        for row in found(conn, schema.requests, [*dict.fromkeys(keys)]):
            self.kept.setdefault((row.actor, row.request), []).append(row)

    def hear(self, told: list[LogEvent], live: LiveTable) -> Iterator[LogBroken]:
        """A command was done again: its answer is due."""
        first = told[0]
        kept = self.kept.pop((first.actor, first.request), [])
        if wrong := self._wrong(kept, told, live):
            yield LogBroken(self.stream, first.number, wrong)

    def _wrong(self, kept: Sequence[Row[Any]], told: list[LogEvent], live: LiveTable) -> str:
        actor = told[0].actor
        if not kept:
            lost = actor not in NOT_PEOPLE and told[0].number > self.since
            return "the answer to it is not kept" if lost else ""
        if len(kept) > 1:
            return "two answers to it are kept"
        (row,) = kept
        if (row.stream, row.number, row.at) != (self.stream, live.number, told[0].at):
            return "the answer that is kept to it is to another command"
        if _read(row.reply) != _due(told, actor, live):
            return "the answer that is kept to it is not what it told"
        if not self._is_sealed(row):
            return "the answer that is kept to it is not sealed by the house"
        return ""

    def _is_sealed(self, row: Row[Any]) -> bool:
        return is_ours(dict(row._mapping), self.since, self.seal)


def is_ours(row: Mapping[str, Any], since: float, seal: Seal | None) -> bool:
    """Whether the house gave this answer: it is sealed, or older than seals are."""
    *said, sealed = row.values()
    if sealed is None:
        return bool(row["number"] <= since)
    return seal is None or seal.fits(sealed, "request", *said)


def _due(told: list[LogEvent], actor: str, live: LiveTable) -> dict[str, Any]:
    """The answer to a command that has just been done."""
    return {
        "table": live.stream,
        "number": live.number,
        "round": live.round,
        "events": [each.shown() for each in told if visible(each.seen_by, actor, sees_all=False)],
        "stacks": {seat: live.table.money[seat] for seat in live.seats_of(actor)},
    }


def _read(reply: Any) -> Any:
    try:
        return json.loads(reply, object_pairs_hook=_each_once)
    except (ValueError, TypeError, RecursionError):
        return None


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a key is there twice")
    return dict(pairs)


Ours = Callable[[dict[str, Any]], bool]  # whether the house gave an answer, by its seal


def unasked(storage: Storage, broken: Mapping[str, int], ours: Ours) -> Iterator[LogBroken]:
    """Answers to commands that are not in the log, and those that are damaged.

    Of a stream that is broken from some event on, the answers from there on say nothing new.
    """
    waiting: list[Sequence[Any]] = []
    for row in rows(storage, schema.requests):
        if isinstance(row, LogBroken):
            yield row
        elif row[NUMBER] < broken.get(row[STREAM], MOST):
            waiting.append(row)
        if len(waiting) == AT_ONCE:
            yield from _without_a_command(storage, waiting, ours)
            waiting = []
    yield from _without_a_command(storage, waiting, ours)


def _without_a_command(
    storage: Storage, given: list[Sequence[Any]], ours: Ours
) -> Iterator[LogBroken]:
    """Those of these answers whose command is not in the log.

    An event that cannot be read is named by its own stream, and its answer is passed over.
    """
    try:
        last = _last_events(storage, given)
    except StorageDamaged:
        if len(given) > 1:
            for row in given:
                yield from _without_a_command(storage, [row], ours)
        return
    for row in given:
        said = dict(zip(COLUMNS, row, strict=True))
        event = last.get((said["stream"], said["number"]))
        if event == (said["actor"], said["request"]):
            continue
        if not (_told_nothing(said, event) and ours(said)):
            yield misplaced(schema.requests, row, NOT_IN_THE_LOG)


def _told_nothing(said: dict[str, Any], event: Key | None) -> bool:
    """What changed nothing told nothing, and was answered all the same."""
    reply = _read(said["reply"])
    return event is not None and isinstance(reply, dict) and (
        (reply.get("table"), reply.get("number"), reply.get("events"))
        == (said["stream"], said["number"], [])
    )  # fmt: skip


def _last_events(storage: Storage, given: list[Sequence[Any]]) -> dict[tuple[str, int], Key | None]:
    """Who gave the commands that ended with these events, and under which request."""
    wanted = [*{(row[STREAM], row[NUMBER]) for row in given}]
    events = schema.events.c
    which = select(events.stream, events.number, events.actor, events.request).where(
        tuple_(events.stream, events.number).in_(wanted)
    )
    with storage.read() as conn:
        found = {(row.stream, row.number): (row.actor, row.request) for row in conn.execute(which)}
    return {each: found.get(each) for each in wanted}
