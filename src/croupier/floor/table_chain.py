"""The log of a table, checked: every round is played again, and who might do what is proved."""

import json
import math
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from sqlalchemy import Connection, Row, select

from croupier.equipment import dollars
from croupier.floor import integrity, log, schema
from croupier.floor.answers import Answers
from croupier.floor.authority import Authority
from croupier.floor.checkpoint import Marks
from croupier.floor.events import HOUSE, LogEvent, canonical, digest
from croupier.floor.live import LiveTable, from_memory, may_overdraw
from croupier.floor.log import LogBroken
from croupier.floor.register import Past
from croupier.floor.salvage import apart
from croupier.floor.seal import Seal
from croupier.floor.sealed_chain import SealedChain
from croupier.floor.shapes import misfit
from croupier.floor.software import software
from croupier.floor.storage import Storage
from croupier.rulebook import CAGE

# How a sentence of `log` begins that says what the rules would have made of a command.
BY_THE_RULES = ("by the rules", "it cannot be done again", "it follows from nothing")


class Rules:
    """The rules that events name: each must be kept, and be what its hash says."""

    def __init__(self, storage: Storage) -> None:
        self.storage = storage
        self.known: dict[str, str] = {}  # what is wrong with each, if anything

    def wrong(self, named: str) -> str:
        if named not in self.known:
            with self.storage.read() as conn:
                query = select(schema.rulesets).where(schema.rulesets.c.hash == named)
                self.known[named] = _misfit(conn.execute(query).first(), named)
        return self.known[named]

    def unused(self, *, is_whole: bool) -> Iterator[LogBroken]:
        """What is wrong with rules that no event has named so far.

        They must be what their hash says and, where the log `is_whole`, some event must have
        come with them.
        """
        seen = {*self.known}
        for row in integrity.rows(self.storage, schema.rulesets):
            if isinstance(row, LogBroken):
                yield row
            elif row[0] not in seen and self.wrong(row[0]):
                why = "these rules are not what their hash says"
                yield integrity.misplaced(schema.rulesets, row, why)
            elif is_whole and row[0] not in seen and not self._is_named(row[0]):
                yield integrity.misplaced(schema.rulesets, row, "nothing was played by these rules")

    def _is_named(self, rules: str) -> bool:
        """Whether an event names these rules: one that came while others were looked at does."""
        with self.storage.read() as conn:
            named = select(schema.events.c.number).where(schema.events.c.rules == rules)
            return conn.execute(named.limit(1)).first() is not None


def _misfit(row: Row[Any] | None, named: str) -> str:
    if row is None:
        return "the rules that it names are not kept"
    try:
        kept = {"game": row.game, "options": json.loads(row.options), "software": row.software}
    except (ValueError, TypeError, RecursionError):
        kept = {}
    return "" if digest(canonical(kept)) == named else "the rules that it names were changed"


def _as_today(snapshot: Row[Any], standing: str) -> str:
    """What a snapshot holds, in the words of this software, whichever wrote it.

    One of other software that this cannot read says nothing: no table is ever built from it.
    """
    if snapshot.software == software():
        return str(snapshot.state)
    try:
        live = from_memory(json.loads(snapshot.state))
    except Exception:
        return standing
    live.remember()
    return canonical(live.memory)


class TableChain(SealedChain):
    """The log of a table: every round is played again."""

    def __init__(
        self, storage: Storage, stream: str, marks: Marks, rules: Rules, past: Past,
        seal: Seal | None,
    ) -> None:  # fmt: skip
        super().__init__(storage, stream, marks, past, seal)
        self.rules = rules
        self.older = past.older(stream)
        self.authority = Authority(past, stream)
        self.answers = Answers(stream, self.older, seal)
        self.moved = {  # at the cage, by the events that moved it; a payout belongs to none
            number: cents for (of, number), cents in past.moved.items() if of == stream and number
        }  # fmt: skip
        self.live = LiveTable(stream)
        self.opened: LogEvent | None = None
        self.posted: Counter[str] = Counter()
        self.posted_by: dict[str, int] = {}  # the last event that moved each account
        self.row: Row[Any] | None = None  # of the directory of tables
        self.balances: list[Row[Any]] = []
        self.snapshot: Row[Any] | None = None
        self.compared: Row[Any] | None = None

    def look(self, conn: Connection, *, at_the_end: bool) -> None:
        super().look(conn, at_the_end=at_the_end)
        self._hear_the_house(conn)
        tables, balances, snapshots = schema.tables, schema.balances, schema.snapshots
        of_this = select(snapshots).where(snapshots.c.stream == self.stream)
        snapshot = conn.execute(of_this).first()
        self.snapshot = None if snapshot is None or misfit(snapshots, snapshot) else snapshot
        self.answers.look(conn, self.page)
        if at_the_end:
            self.row = conn.execute(select(tables).where(tables.c.id == self.stream)).first()
            held = select(balances).where(balances.c.stream == self.stream)
            rows = conn.execute(held.order_by(balances.c.account))
            self.balances = [row for row in rows if not misfit(balances, row)]

    def _hear_the_house(self, conn: Connection) -> None:
        """What the house's log has by now: a server goes on, and this page may speak of it.

        What does not follow is left for whoever checks that log again.
        """
        if self.past.unread_from < math.inf:
            return
        with suppress(LogBroken, ValueError, TypeError), log.reading(HOUSE), apart(conn):
            for event in log.read(conn, HOUSE, after=self.past.number):
                if event.previous != self.past.head or event.hash != event.computed():
                    return
                self.past.hear(event)
                said = json.loads(event.data) if event.money is not None else {}
                if said.get("table") == self.stream and (number := said["event"]):
                    self.moved[number] = self.past.moved[self.stream, number]

    def check(self) -> None:
        try:
            log.replay(self.live, self._by_the_rules(), self.authority.prove, self._done)
        except LogBroken as broken:
            raise self._by_other_software(broken) from None
        if self.opened is None:
            raise self.broken("it is missing, and so is all of this table's log", 1)
        self.check_head()
        self._check_directory(self.opened)
        self._check_balances()
        for number in self.moved:
            self._find_at_the_cage("the cage moved money for it that it did not move", number)
        if self.snapshot is not None and self.snapshot != self.compared:
            self._check_late_snapshot(self.snapshot)

    def _by_other_software(self, broken: LogBroken) -> LogBroken:
        """If the rules were written otherwise then, that may be the reason."""
        then = self.live.software
        if then in ("", software()) or not broken.why.startswith(BY_THE_RULES):
            return broken
        why = f"{broken.why}; it was played by other software ({then[:12]}) than this"
        return LogBroken(broken.stream, broken.number, why)

    def _by_the_rules(self) -> Iterator[LogEvent]:
        """The events, to be played again, and in between what belongs to each."""
        for event in self.events():
            if wrong := self.rules.wrong(event.rules):
                raise self.broken(wrong)
            self.opened = self.opened or event
            self.rounds += event.kind == "round_over"
            if event.money is not None:
                self._post(event.money)
            yield event

    def _done(self, live: LiveTable, written: list[LogEvent]) -> None:
        """A command has come out as it was written: what is kept of it must be so too."""
        self.found += self.answers.hear(written, live)
        if self.snapshot is not None and self.snapshot.number == live.number:
            self._compare(self.snapshot, live)

    def _post(self, money: str) -> None:
        """Double entry: what goes to an account comes from another."""
        try:
            moved: dict[str, int] = json.loads(money)
            self.posted.update(moved)
            total = sum(moved.values())
        except (ValueError, TypeError, AttributeError, RecursionError):
            raise self.broken("what it posts is not money") from None
        if total:
            raise self.broken("what it posts does not add up to nothing")
        if self.number > self.older and moved.get(CAGE, 0) != -self.moved.pop(self.number, 0):
            self._find_at_the_cage("the cage has not moved what it says", self.number)
        self.posted_by.update(dict.fromkeys(moved, self.number))

    def _find_at_the_cage(self, why: str, number: int) -> None:
        """Unless the house's log cannot be read whole: what is wrong with it is named there."""
        if self.past.unread_from == math.inf:
            self.find(why, number)

    # What is kept beside the log.

    def _check_directory(self, opened: LogEvent) -> None:
        if self.row is None:
            self.find("the directory of tables does not have this table", 1)
            return
        said = json.loads(opened.input or "")
        status = "open" if self.live.status == "closing" else self.live.status
        by_the_log = {
            "game": said["game"], "name": said["name"], "private": said["private"],
            "link": said["link"], "opened_by": opened.actor, "status": status,
        }  # fmt: skip
        for name, value in by_the_log.items():
            listed = getattr(self.row, name)
            if listed != value:
                number = self.number if name == "status" else 1
                self.find(
                    f"by the log the table's {name.replace('_', ' ')} is {value!r}, and the "
                    f"directory of tables says {listed!r}", number,
                )  # fmt: skip

    def _check_balances(self) -> None:
        held = {row.account: row.cents for row in self.balances}
        for account in sorted({*held, *self.posted}):
            posted, kept = self.posted[account], held.get(account, 0)
            number = self.posted_by.get(account, self.number)
            if kept != posted:
                self.find(
                    f"after it {account!r} has {_amount(posted)} by all that was posted, and the "
                    f"balances say {_amount(kept)}", number,
                )  # fmt: skip
            elif account not in held:
                self.find(f"the balances do not have {account!r}, to which it posted", number)
            elif account not in self.posted_by:
                self.find(f"the balances have {account!r}, to which nothing was posted", number)
        for row in self.balances:
            if row.overdraft != may_overdraw(row.account):
                number = self.posted_by.get(row.account, self.number)
                self.find(
                    f"the balances are wrong on whether {row.account!r} may be below zero", number
                )

    def _compare(self, snapshot: Row[Any], live: LiveTable) -> None:
        """The table, as it stands when it is played again, is the one that was kept."""
        live.remember()
        if self.seal and not self.seal.fits(snapshot.seal, "snapshot", *snapshot[:-1]):
            self.find("the snapshot after it is not sealed by the house", snapshot.number)
        standing = canonical(live.memory)
        kept = snapshot.number, snapshot.head, _as_today(snapshot, standing)
        if kept != (live.number, live.head, standing):
            self.find("the snapshot after it is not how the table stood", snapshot.number)
        self.compared = snapshot

    def _check_late_snapshot(self, snapshot: Row[Any]) -> None:
        """One of a later event than there is, or one written when its event had been read."""
        if not 0 < snapshot.number <= self.number:
            self.find("it is missing: a snapshot holds it", self.number + 1)
            return
        live = LiveTable(self.stream)
        with self.storage.read() as conn:
            log.replay(live, log.read(conn, self.stream, upto=snapshot.number))
        self._compare(snapshot, live)


def _amount(cents: Any) -> str:
    return dollars(cents) if type(cents) is int else repr(cents)
