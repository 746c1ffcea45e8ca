"""Paying out a table that cannot be opened.

Its log is damaged, so no round can be finished and no command taken; but the
chips on it belong to somebody. Whatever of its log can still be read tells who
sits there and what was posted. A supervisor looks at that, and pays; the house's
log says what was paid, why, and what the damage was.
"""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import Connection, update

from croupier.equipment import dollars
from croupier.floor import log, schema
from croupier.floor.events import LogEvent, digest
from croupier.floor.house_log import HouseLog
from croupier.floor.live import LiveTable
from croupier.floor.log import LogBroken
from croupier.floor.register import Past, at_the_cage, on_table
from croupier.floor.roles import Person, allow
from croupier.floor.shapes import rows_of
from croupier.floor.storage import Storage
from croupier.rulebook import LAYOUT, POT, Fault, Refusal, law, owed_by

RETURNED = law("13:69E-1.28P(d)")  # errors and complaints can be put right


@dataclass(frozen=True)
class Owed:
    """What a seat has, as far as the log still tells."""

    account: str
    name: str
    stack: int  # less the vigorish that is marked
    wagers: int


@dataclass(frozen=True)
class Statement:
    """What lies at a table that cannot be opened."""

    table: str
    read: int  # events that could be read
    damage: str  # a digest of all its rows as they are
    seats: dict[str, Owed]
    unclear: int  # cents on the layout of which the log no longer tells whose they are

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def statement(conn: Connection, stream: str) -> Statement:
    """Who has what at the table, by all the events that can be read."""
    rows = rows_of(conn, schema.events, "WHERE stream = :stream ORDER BY number", stream=stream)
    chairs: dict[str, tuple[str, str]] = {}
    posted: Counter[str] = Counter()
    good = []
    for row in rows:
        if (event := _readable(row)) is not None:
            good.append(event)
            _follow(event, chairs, posted)
    wagers = _wagers(stream, good)
    unclear = posted[LAYOUT] + posted[POT] - sum(wagers.values())
    seats = {
        seat: Owed(account, name, posted[seat] + posted[owed_by(seat)], wagers.get(seat, 0))
        for seat, (account, name) in sorted(chairs.items())
    }
    return Statement(stream, len(good), damage(rows), seats, unclear)


def pay_out(
    house: HouseLog, stream: str, by: Person, why: str, amounts: Mapping[str, int] | None = None
) -> dict[str, Any]:
    """Pay what every seat has to its account at the cage, and close the table for good."""
    allow(by, "pay_out")
    with house.writing() as conn:
        house.still(by, "pay_out")
        if stream in house.register.paid_out:
            raise Refusal(Fault.TABLE_CLOSED, "this table has been paid out already", RETURNED)
        found = statement(conn, stream)
        if amounts is None and found.unclear:
            unclear = (
                f"the log no longer tells whose {dollars(found.unclear)} on the layout are: "
                "say what each seat is paid"
            )
            raise Refusal(Fault.BAD_AMOUNT, unclear, RETURNED)
        paid = {
            seat: owed.stack + owed.wagers if amounts is None else amounts.get(seat, 0)
            for seat, owed in found.seats.items()
        }
        if strange := sorted({*(amounts or {})} - {*found.seats}):
            raise Refusal(Fault.UNKNOWN_SEAT, f"nobody sits in seat {strange[0]}", RETURNED)
        money = Counter({on_table(stream): -sum(paid.values())})
        for seat, cents in paid.items():
            money[at_the_cage(found.seats[seat].account)] += cents
        said = {**found.as_json(), "event": 0, "paid": paid, "why": why}
        moved = {each: cents for each, cents in money.items() if cents}
        house.move(conn, "paid_out", by.account, moved, **said)
        closed = update(schema.tables).where(schema.tables.c.id == stream)
        conn.execute(closed.values(status="closed"))
    return said


def is_answered_for(storage: Storage, past: Past, stream: str) -> bool:
    """Whether somebody has paid a damaged table out, and its rows are what they were then."""
    paid = past.paid_out.get(stream)
    if paid is None:
        return False
    with storage.read() as conn:
        rows = rows_of(conn, schema.events, "WHERE stream = :stream ORDER BY number", stream=stream)
    return damage(rows) == str(paid["damage"])


def damage(rows: Any) -> str:
    """A digest of rows, whatever is in them."""
    return digest("\n".join(map(ascii, rows)))


def _readable(row: Any) -> LogEvent | None:
    try:
        event = log.event_of(row)
        return event if event.hash == event.computed() else None
    except (LogBroken, TypeError, ValueError):
        return None


def _follow(
    event: LogEvent, chairs: dict[str, tuple[str, str]], posted: Counter[str]
) -> None:  # fmt: skip
    """Who sits where, and what was posted."""
    posted.update(_object(event.money))
    told = _object(event.data)
    if event.kind == "seated":
        chairs[str(told.get("seat"))] = event.actor, str(told.get("name"))
    elif event.kind == "left":
        chairs.pop(str(told.get("seat")), None)


def _object(text: str | None) -> dict[str, Any]:
    said = json.loads(text) if text else {}
    return said if isinstance(said, dict) else {}


def _wagers(stream: str, good: list[LogEvent]) -> dict[str, int]:
    """What each seat has on the layout, as far as the rounds can be played again."""
    live = LiveTable(stream)
    try:
        log.replay(live, good)
    except LogBroken:
        live = live.rebuilt() if live.number else live
    if live.status == "new":
        return {}
    return {
        seat: sum(bet.stake for bet in live.table.bets_of(seat)) for seat in live.table.positions
    }
