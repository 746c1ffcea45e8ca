"""Measure: how much of a table one person may have, as its operator decides.

These rules are asked of a command when it is given, and never when a log is read again: what
an older house allowed stays as it was.
"""

import json
from collections import Counter
from collections.abc import Iterable

from sqlalchemy import Connection, select

from croupier.floor import schema
from croupier.floor.events import LogEvent
from croupier.floor.live import DISPUTE, LiveTable
from croupier.floor.roles import Person, Role
from croupier.rulebook import Fault, Refusal, custom

PLAYS = {"bet", "ready", "move"}  # what a player of a round does
LOOKED_INTO = ("frozen", "thawed", "correction")  # what the house's people do about a dispute


def check_seats(live: LiveTable, by: Person, most: int) -> None:
    """Refuse a seat to somebody who has as many at this table as one person may."""
    held = live.seats_of(by.account)
    if by.role is Role.PATRON and len(held) >= most:
        seats = "one seat" if most == 1 else f"{most} seats"
        have = f"seat{'s' * (len(held) > 1)} {', '.join(held)}"
        message = f"a player may have {seats} at a table, and you have {have}"
        raise Refusal(Fault.NOT_NOW, message, custom("8.2"))


class Disputes:
    """The disputes at a server's tables that the house has not looked into since it started."""

    def __init__(self) -> None:
        self._open: dict[str, Counter[str]] = {}

    def hear(self, events: Iterable[LogEvent]) -> None:
        """What was written just now."""
        for event in events:
            if event.kind in LOOKED_INTO or event.kind == "closed":
                self._open.pop(event.stream, None)
            elif event.kind == "dispute":
                self._open.setdefault(event.stream, Counter())[event.actor] += 1

    def check(
        self, conn: Connection, live: LiveTable, by: Person, about: int, most: int,
        unwritten: Iterable[LogEvent] = (),
    ) -> None:  # fmt: skip
        """Refuse a dispute of somebody who was not in the round, or who has enough of them open.

        `unwritten` are events that were decided and are not in the database yet.
        """
        if by.role is not Role.PATRON:
            return
        new = [event for event in unwritten if event.stream == live.stream]
        if not live.seats_of(by.account) and not _was_in(conn, live, about, by.account, new):
            message = f"only players of round {about}, and those who sit here now, may dispute it"
            raise Refusal(Fault.FORBIDDEN, message, DISPUTE)
        if self._of(live.stream, by.account, new) >= most:
            message = (
                f"you have {most} disputes open at this table: wait until a floorperson has "
                "looked into them"
            )
            raise Refusal(Fault.NOT_NOW, message, DISPUTE)

    def _of(self, stream: str, account: str, new: Iterable[LogEvent]) -> int:
        count = self._open[stream][account] if stream in self._open else 0
        for event in new:
            if event.kind in LOOKED_INTO:
                count = 0
            elif event.kind == "dispute" and event.actor == account:
                count += 1
        return count


def _was_in(
    conn: Connection, live: LiveTable, round: int, account: str, new: Iterable[LogEvent]
) -> bool:
    """Whether somebody played in a round: to come, to go and to dispute is not to play."""
    here = schema.events.c
    theirs = select(here.input).where(
        here.stream == live.stream, here.round == round, here.actor == account,
        here.input.is_not(None),
    )  # fmt: skip
    inputs = [
        *conn.scalars(theirs),
        *(event.input for event in new if event.round == round and event.actor == account),
    ]
    return any(json.loads(each)["do"] in PLAYS for each in inputs if each)
