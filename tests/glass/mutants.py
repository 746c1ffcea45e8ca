"""Bugs that are planted, to show that the glass finds them.

Each is one that the floor could have had: something forgotten, believed, or done
in the wrong order.
"""

import json
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from sqlalchemy import select

from croupier.floor import heads, live, log, pit_boss, register, schema
from croupier.floor.batch import Batch
from croupier.floor.cage import Cage
from croupier.floor.commands import Unavailable
from croupier.floor.events import LogEvent, digest
from croupier.floor.house_log import HouseLog
from croupier.floor.live import LiveTable
from croupier.floor.log import LogBroken
from croupier.floor.owned_tables import OwnedTables
from croupier.floor.people import People
from croupier.floor.pit import Pit
from croupier.floor.pit_boss import PitBoss
from croupier.floor.pit_clerk import PitClerk
from croupier.floor.register import Register
from croupier.floor.rows import Rows
from croupier.floor.seal import Seal
from croupier.floor.storage import StorageError
from croupier.rulebook import Table
from tests.glass.disk import SharedFile

Plant = Callable[[pytest.MonkeyPatch], None]


def _before(patch: pytest.MonkeyPatch, of: Any, name: str, then: Callable[..., Any]) -> None:
    """Replace a function by one that is given the original."""
    original = getattr(of, name)

    def instead(*given: Any, **named: Any) -> Any:
        return then(original, *given, **named)

    patch.setattr(of, name, instead)


def requests_are_not_remembered(patch: pytest.MonkeyPatch) -> None:
    def write(original: Any, self: PitClerk, conn: Any, batch: Any) -> None:
        batch.requests.clear()
        original(self, conn, batch)

    _before(patch, PitClerk, "write", write)


def requests_are_not_looked_up(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(PitBoss, "answered", lambda self, conn, commands: {})


def heads_are_not_sealed(patch: pytest.MonkeyPatch) -> None:
    _before(patch, heads, "sealed", lambda original, seal, of: Rows(
        original(seal, []).table, [], original(seal, []).on_conflict
    ))  # fmt: skip


def heads_are_not_checked(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(log, "_check_head", lambda conn, seal, live: None)


def any_seal_fits(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Seal, "fits", lambda self, seal, *said: isinstance(seal, str))


def snapshots_need_no_seal(patch: pytest.MonkeyPatch) -> None:
    def fits(original: Any, self: Seal, seal: Any, *said: Any) -> bool:
        return said[0] == "snapshot" or bool(original(self, seal, *said))

    _before(patch, Seal, "fits", fits)


def answers_need_no_seal(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(PitBoss, "_is_ours", lambda self, row: True)


def keys_are_applied_as_they_came(patch: pytest.MonkeyPatch) -> None:
    """The order of wagers is the client's, and the log keeps that of the alphabet."""

    def bet(self: LiveTable, said: dict[str, Any], actor: str, chance: Any) -> None:
        for label, amount in said["wagers"].items():
            self.table.bet(said["seat"], label, amount)
        live.rounds.check_funds(self, said["seat"])

    def step(
        self: LiveTable, command: dict[str, Any], actor: str, at: str, request: str,
        chance: Any = None,
    ) -> list[LogEvent]:  # fmt: skip
        before = self.books
        told = self.apply(command, actor, chance)
        self.books = self.accounts()
        self.posted = live.posted(before, self.books)
        rows = self._log(told, command, at, actor, request)
        if self.play is None and (self.memory is None or len(self.inputs) >= live.live_table.MANY):
            self.remember()
        return rows

    patch.setitem(live.HANDLERS, "bet", bet)
    patch.setattr(LiveTable, "step", step)


def rights_are_not_rechecked(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(PitBoss, "_person", lambda self, by, at: by)


def sessions_never_expire(patch: pytest.MonkeyPatch) -> None:
    def person(self: Register, session: str, at: str) -> Any:
        found = self.sessions.get(session)
        return register.person_of(self.accounts[found.account], session) if found else None

    patch.setattr(Register, "person", person)


def a_new_password_leaves_sessions_alone(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Register, "_end_all", lambda self, account: None)


def supervisors_are_not_rechecked(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(People, "_supervised", lambda self, by, *_: getattr(by, "account", by))
    patch.setattr(HouseLog, "still", lambda *given: None)


def a_balance_is_off_by_one(patch: pytest.MonkeyPatch) -> None:
    def record(original: Any, batch: Batch, live: LiveTable, rows: Any) -> None:
        original(batch, live, rows)
        seat = next((each for each in live.posted if each.isdigit()), None)
        if seat and len(live.posted) == 2:
            for at, account in enumerate(live.posted):
                batch.balances[live.stream, account] += 1 - 2 * at

    _before(patch, Batch, "record", record)


def a_cash_out_pays_a_cent_more(patch: pytest.MonkeyPatch) -> None:
    def transfer(
        original: Any, self: Cage, conn: Any, stream: str, event: int, account: str, cents: int
    ) -> None:
        original(self, conn, stream, event, account, cents + (cents > 0))

    _before(patch, Cage, "transfer", transfer)


def transfers_are_not_written(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Cage, "transfer", lambda *given: None)


def buy_ins_are_not_checked(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Cage, "refusal", lambda *given: None)


def any_server_runs_any_table(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(SharedFile, "own", lambda self, connection, stream: True)
    patch.setattr(SharedFile, "own_free", lambda self, connection, streams: [*streams])


def a_lost_connection_keeps_its_tables(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(OwnedTables, "heed_reconnection", lambda self: None)
    patch.setattr(OwnedTables, "forget", lambda self, streams: None)


def a_failed_commit_is_kept_in_memory(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(OwnedTables, "forget", lambda self, streams: None)


def everyone_sees_everything(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(pit_boss, "visible", lambda *given, **named: True)


def any_seat_is_anybodys(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(LiveTable, "_check_control", lambda *given: None)


def nothing_is_frozen(patch: pytest.MonkeyPatch) -> None:
    def check(original: Any, self: LiveTable, command: Any, by: Any) -> None:
        was, self.status = self.status, "open" if self.status == "frozen" else self.status
        try:
            original(self, command, by)
        finally:
            self.status = was

    _before(patch, LiveTable, "check", check)


def whoever_proposes_may_approve(patch: pytest.MonkeyPatch) -> None:
    def approve(original: Any, self: LiveTable, said: Any, actor: str, chance: Any) -> None:
        if self.proposed:
            self.proposed = {**self.proposed, "by": ""}
        original(self, said, actor, chance)

    original = live.HANDLERS["approve"]
    patch.setitem(live.HANDLERS, "approve", partial(approve, original))


def forged_events_of_the_house_are_heard(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(HouseLog, "_confirmed", lambda self, conn, events: events)


def passwords_of_the_database_are_believed(patch: pytest.MonkeyPatch) -> None:
    def stored(self: People, account: Any) -> str:
        with self._storage.read() as conn:
            query = select(schema.accounts.c.password).where(schema.accounts.c.id == account.id)
            found = str(conn.scalar(query))
        account.password = digest(found)
        return found

    patch.setattr(People, "_stored", stored)


def a_stake_is_paid_twice(patch: pytest.MonkeyPatch) -> None:
    """Replayed or live, everyone agrees; only the books outside do not."""

    def cash_out(original: Any, self: Table, seat: str) -> int:
        cash = int(original(self, seat))
        return cash + 100 if cash else cash

    _before(patch, Table, "cash_out", cash_out)


def a_reply_is_given_before_the_commit(patch: pytest.MonkeyPatch) -> None:
    def until(original: Any, self: Pit, commands: Any) -> Any:
        replies: list[Any] = []

        def write(inner: Any, this: PitClerk, conn: Any, batch: Any) -> None:
            replies[:] = [batch.requests.get((each.by.account, each.request)) for each in commands]
            inner(this, conn, batch)

        with pytest.MonkeyPatch.context() as inside:
            _before(inside, PitClerk, "write", write)
            outcomes = original(self, commands)
        return [
            kept[5] if kept and isinstance(outcome, Unavailable | StorageError) else outcome
            for outcome, kept in zip(outcomes, replies or [None] * len(commands), strict=True)
        ]

    _before(patch, Pit, "_until_committed", until)


def a_bad_log_is_believed(patch: pytest.MonkeyPatch) -> None:
    def load(original: Any, conn: Any, stream: str, seal: Any) -> LiveTable:
        try:
            loaded: LiveTable = original(conn, stream, seal)
        except LogBroken:
            loaded = LiveTable(stream)
            for row in log.read(conn, stream):
                if row.input is not None:
                    loaded.step(json.loads(row.input), row.actor, row.at, row.request)
        return loaded

    _before(patch, log, "load", load)


# Each bug, and the worlds in which it shows soonest: what is not left to chance there.
BUSY = {"office_rate": 0.5, "haste": 0.4, "bustle": 10, "servers": 2}
FAULTY = {"fault_rate": 0.25, "fates": {"cut": 1, "full": 1, "busy": 1, "death": 1}, "servers": 2}


def _harmed(*kinds: str) -> dict[str, Any]:
    quiet = {"fault_rate": 0.0, "servers": 1, "bustle": 10}
    return {**quiet, "harm_rate": 1.0, "harms": [*kinds]}


NOTHING: dict[str, Any] = {}
CARDS = ["three-card-poker", "let-it-ride-poker", "caribbean-stud-poker"]
MANY = {"bustle": 10}

PLANTED: dict[Plant, dict[str, Any]] = {
    requests_are_not_remembered: NOTHING,
    requests_are_not_looked_up: NOTHING,
    heads_are_not_sealed: NOTHING,
    heads_are_not_checked: _harmed("forged event"),
    any_seal_fits: _harmed("answers", "snapshot"),
    snapshots_need_no_seal: _harmed("snapshot"),
    answers_need_no_seal: _harmed("answers"),
    keys_are_applied_as_they_came: {"bustle": 10, "mischief": 0.02, "fault_rate": 0.0},
    rights_are_not_rechecked: BUSY,
    sessions_never_expire: {"long_waits": 0.1},
    a_new_password_leaves_sessions_alone: BUSY,
    supervisors_are_not_rechecked: BUSY,
    a_balance_is_off_by_one: NOTHING,
    a_cash_out_pays_a_cent_more: NOTHING,
    transfers_are_not_written: NOTHING,
    buy_ins_are_not_checked: {"office_rate": 0.3},
    any_server_runs_any_table: FAULTY,
    a_lost_connection_keeps_its_tables: FAULTY,
    a_failed_commit_is_kept_in_memory: FAULTY,
    everyone_sees_everything: {"games": CARDS, "bustle": 10},
    any_seat_is_anybodys: NOTHING,
    nothing_is_frozen: MANY,
    whoever_proposes_may_approve: MANY,
    forged_events_of_the_house_are_heard: _harmed("appointed"),
    passwords_of_the_database_are_believed: _harmed("passwords"),
    a_stake_is_paid_twice: NOTHING,
    a_reply_is_given_before_the_commit: FAULTY,
    a_bad_log_is_believed: _harmed("forged event", "balances", "cut off"),
}
