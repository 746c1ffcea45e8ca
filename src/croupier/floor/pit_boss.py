"""The pit boss: decides one command after the other, and puts what follows into the batch.

Nothing that is decided here has happened before the batch is on disk.
"""

import logging
from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy import Connection, func, select

from croupier.equipment import Chance
from croupier.floor import clock as times
from croupier.floor import schema
from croupier.floor.alarms import IdleSeats
from croupier.floor.batch import Batch
from croupier.floor.cage import Cage
from croupier.floor.clock import Clock
from croupier.floor.commands import (
    CLOCK,
    THE_HOUSE,
    Command,
    ElsewhereOwned,
    Outcome,
    Unavailable,
    allow_at,
)
from croupier.floor.events import LogEvent, canonical, visible
from croupier.floor.house_log import HouseLog
from croupier.floor.live import Input, LiveTable
from croupier.floor.measure import Disputes, check_seats
from croupier.floor.owned_tables import OwnedTables
from croupier.floor.policies import Policies
from croupier.floor.roles import Denial, NotAllowed, Person, Role
from croupier.floor.rows import found
from croupier.floor.software import software
from croupier.games import find_game
from croupier.rulebook import Fault, Refusal, custom

logger = logging.getLogger("croupier.pit")

BUYS = {"sit": "buy_in", "buy_in": "amount"}  # where these commands say for how much

Answered = Mapping[tuple[str, str], tuple[str, str]]  # by account and request: a digest, a reply


class PitBoss:
    """Decides commands: who may give them, whether they are refused, what events they make."""

    def __init__(
        self, house: HouseLog, cage: Cage, owned: OwnedTables, idle: IdleSeats, clock: Clock,
        chance: Chance, policies: Policies,
    ) -> None:  # fmt: skip
        self.chance = chance
        self._house, self._cage, self._owned, self._idle = house, cage, owned, idle
        self._clock, self._policies = clock, policies
        self._disputes = Disputes()

    def answered(self, conn: Connection, commands: list[Command]) -> Answered:
        """Which of these were answered before, and how."""
        keys = [(each.by.account, each.request) for each in commands]
        rows = found(conn, schema.requests, keys)
        return {
            (row.actor, row.request): (row.digest, row.reply if self._is_ours(row) else "")
            for row in rows
        }

    def decide(
        self, conn: Connection, batch: Batch, command: Command, known: Answered
    ) -> Outcome:  # fmt: skip
        """The reply to a command, or why it is refused. One answered before is not done again."""
        key = (command.by.account, command.request)
        if key in batch.requests:
            _, _, digested, _, _, answered, *_ = batch.requests[key]
            known = {key: (digested, answered)}
        if key in known:
            said, reply = known[key]
            if said != command.digest:
                conflict = "this request id was used for another command"
                batch.notes.append(("conflict", command.by.account, {"request": command.request}))
                return Refusal(Fault.CONFLICT, conflict)
            if not reply:
                logger.critical("the answer to %s of %s was changed", *reversed(key))
                return Unavailable(
                    "this command was done before, and its answer was changed in the database: "
                    "look at the table to see what it did"
                )
            return reply
        try:
            return self._step(conn, batch, command)
        except (Refusal, NotAllowed, ElsewhereOwned, Unavailable) as error:
            if isinstance(error, NotAllowed):
                about = {"table": command.stream, "command": command.body.get("do")}
                batch.notes.append(("forbidden", command.by.account, about))
            return error

    def hear(self, events: Iterable[LogEvent]) -> None:
        """Take note of disputes in events that are on disk now."""
        self._disputes.hear(events)

    def _is_ours(self, row: Any) -> bool:
        """Whether the house gave this answer: sealed, or from before there were seals."""
        if row.seal is None:
            before = self._house.register.older(row.stream)
            return type(row.number) is int and row.number <= before
        return self._house.seal.fits(row.seal, "request", *row[:-1])

    def _step(self, conn: Connection, batch: Batch, command: Command) -> str:
        """Do a command, and return the reply."""
        at = self._clock.now()
        by = self._person(command.by, at)
        body, stream = dict(command.body), command.stream
        if body["do"] == "open":
            live = self._opening(conn, batch, command, by)
        else:
            allow_at(by, body["do"])
            live = self._owned.find(conn, stream, by, body["do"])
            body = self._prepared(live, body, by)
        if by.session:  # by which it can be proved that they might
            body |= {"session": by.session, "house": self._house.register.number}
        live.check(body, by)
        self._check_cage(conn, batch, body, by, at)
        self._check_measure(conn, batch, live, body, by)
        batch.touched[stream] = live
        if live.software not in ("", software()) and live.play is None:
            # The rules are read by other software than before: that is written down.
            change = {"do": "software", "software": software()}
            batch.record(live, live.step(change, "house", at, command.request))
        try:
            rows = live.step(body, by.account, at, command.request, self.chance)
            if not rows:
                live = self._again(batch, live)
        except Refusal:
            self._again(batch, live)
            raise
        except OSError as error:  # the generator of random numbers
            raise self._out_of_order(batch, self._again(batch, live), error) from None
        except BaseException:
            self._owned.forget([stream])
            raise
        return self._keep(batch, live, command, rows, at)

    def _person(self, by: Person, at: str) -> Person:
        """Who they are now: they may have been logged out or demoted since they asked."""
        if by in (CLOCK, THE_HOUSE):
            return by
        person = self._house.register.person(by.session, at)
        if person is None or person.account != by.account:
            raise NotAllowed(Denial.BAD_TOKEN)
        return person

    def _opening(self, conn: Connection, batch: Batch, command: Command, by: Person) -> LiveTable:
        """The table that a command opens, if this person may open it."""
        said = command.body
        allow_at(by, "open_private_table" if said["private"] else "open_table")
        find_game(said["game"]).options(said["options"])
        self._check_number(conn, by)
        live = self._owned.open(conn, command.stream)
        batch.opened.append({
            "id": command.stream, "game": said["game"], "name": said["name"], "status": "open",
            "private": said["private"], "link": said["link"], "opened_by": command.by.account,
            "opened_at": self._clock.now(), "owner": self._owned.address,
        })  # fmt: skip
        return live

    def _check_number(self, conn: Connection, by: Person) -> None:
        """A patron has a few private tables; those that nobody uses close by themselves."""
        here, most = schema.tables.c, self._policies.most_private
        mine = select(func.count()).where(here.opened_by == by.account, here.status != "closed")
        if by.role is Role.PATRON and (conn.scalar(mine) or 0) >= most:
            message = f"you have {most} tables open, and may have no more"
            raise Refusal(Fault.NOT_NOW, message, custom("8.2"))

    def _prepared(self, live: LiveTable, body: Input, by: Person) -> Input:
        """The command with what has to be known to do it again."""
        if body["do"] in ("sit", "take_control", "take_dealer"):
            return body | {"name": by.name, "session": by.session}
        if body["do"] == "post_notice":
            return body | {"at": self._in_force(live, body)}
        if body["do"] == "correct":
            return body | {"second": abs(body["cents"]) > self._policies.alone_cents}
        return body

    def _in_force(self, live: LiveTable, body: Input) -> str:
        """8.3: when a change that was asked for may come into force."""
        now = times.read(self._clock.now())
        asked = times.read(body["at"]) if body.get("at") else now
        soonest = now.timestamp()
        if live.chairs and not _is_welcome(live, body["options"]):
            soonest += 60 * self._policies.notice_minutes
            if body.get("at") is None:
                asked = times.moment(soonest)
        if asked.timestamp() < soonest - 1:
            minutes = f"{self._policies.notice_minutes:g}"
            why = f"players are at the table, and must be told {minutes} minutes before"
            raise Refusal(Fault.NOTICE_NEEDED, why, custom("8.3"))
        return times.written(max(asked, now))

    def _check_cage(self, conn: Connection, batch: Batch, body: Input, by: Person, at: str) -> None:
        """Refuse a buy-in for more than the patron has at the cage, or has allowed themselves."""
        cents = body.get(BUYS.get(body["do"], ""))
        if not by.session or type(cents) is not int:
            return
        if self._cage.is_bounded(by.account):  # what another server has just moved counts too
            self._house.alone(conn)
            self._house.refresh()
        if why := self._cage.refusal(by.account, cents, at, batch.moved[by.account]):
            raise why

    def _check_measure(
        self, conn: Connection, batch: Batch, live: LiveTable, body: Input, by: Person
    ) -> None:
        """Refuse more of a table than one person may have: these are live rules, not the log's."""
        if body["do"] == "sit":
            check_seats(live, by, self._policies.most_seats)
        elif body["do"] == "dispute":
            most = self._policies.most_disputes
            self._disputes.check(conn, live, by, body["about"], most, batch.rows)

    def _keep(
        self, batch: Batch, live: LiveTable, command: Command, rows: list[LogEvent], at: str
    ) -> str:
        """Put what was decided into the batch, with its reply, and return the reply."""
        by = command.by
        batch.record(live, rows)
        own = {seat: live.table.money[seat] for seat in live.seats_of(by.account)}
        told = ",".join(
            event.told() for event in rows
            if visible(event.seen_by, by.account, sees_all=by.sees_all)
        )  # fmt: skip
        reply = (
            f'{{"table":"{live.stream}","number":{live.number},"round":{live.round},'
            f'"events":[{told}],"stacks":{canonical(own)}}}'
        )
        answer = (
            by.account, command.request, command.digest, live.stream, live.number, reply, at
        )  # fmt: skip
        batch.requests[by.account, command.request] = (
            *answer, self._house.seal.of("request", *answer)
        )  # fmt: skip
        if seat := command.body.get("seat"):
            self._idle.used(live.stream, str(seat))
        return reply

    def _again(self, batch: Batch, live: LiveTable) -> LiveTable:
        """The table as it was before a step that failed."""
        if live.number == 0:
            self._owned.forget([live.stream])
            batch.strike(live.stream)
            return live
        fresh = batch.touched[live.stream] = self._owned.rebuild(live)
        return fresh

    def _out_of_order(self, batch: Batch, live: LiveTable, error: OSError) -> Unavailable:
        """Without random numbers there is no game: the table is frozen, and nothing is lost."""
        logger.critical("no random numbers: %s", error)
        why = "no random numbers can be had"
        request = f"{live.stream}/no chance/{live.number}"
        freeze = {"do": "freeze", "why": why}
        batch.record(live, live.step(freeze, "house", self._clock.now(), request))
        return Unavailable(f"{why}: the table is frozen, and nothing is lost")


def _is_welcome(live: LiveTable, changes: Mapping[str, Any]) -> bool:
    """Lower minimums and higher maximums need no notice: nobody is worse off."""
    options = live.table.options
    better = {
        "table_min": lambda value: value <= options.table_min,
        "table_max": lambda value: value >= options.table_max,
    }
    return all(
        name in better and type(value) is int and better[name](value)
        for name, value in changes.items()
    )
