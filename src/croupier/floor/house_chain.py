"""The house's own log, checked: accounts, roles, passwords and money at the cage."""

import json
from typing import Any

from sqlalchemy import Connection, Row, select

from croupier.equipment import dollars
from croupier.floor import schema
from croupier.floor.checkpoint import Expected, Marks
from croupier.floor.events import HOUSE, LogEvent, canonical, digest
from croupier.floor.register import Past, Register
from croupier.floor.seal import Seal
from croupier.floor.sealed_chain import SealedChain
from croupier.floor.shapes import is_text, misfit
from croupier.floor.storage import Storage

COMPARED = ("name", "key", "guest_of", "closed")  # of an account, with its row


class HouseChain(SealedChain):
    """The house's own log. What is kept beside it grants nothing, and must agree all the same."""

    def __init__(
        self, storage: Storage, marks: Marks, past: Past, seal: Seal | None,
        expected: Expected | None = None,
    ) -> None:  # fmt: skip
        super().__init__(storage, HOUSE, marks, past, seal)
        self.expected = expected or Expected()  # the lines of checkpoints that this log names
        self.register = Register()  # as a server would have it
        self.rows: dict[str, Row[Any]] = {}
        self.balances: dict[str, Row[Any]] = {}
        self.overdrafts: dict[str, bool] = {}  # whether what was posted last allows one
        self.snapshot: Row[Any] | None = None
        self.compared: Row[Any] | None = None
        self.told_by: dict[str, int] = {}  # the last event that names each account

    def look(self, conn: Connection, *, at_the_end: bool) -> None:
        super().look(conn, at_the_end=at_the_end)
        accounts, snapshots, balances = schema.accounts, schema.snapshots, schema.balances
        kept = conn.execute(select(snapshots).where(snapshots.c.stream == HOUSE)).first()
        self.snapshot = None if kept is None or misfit(snapshots, kept) else kept
        if at_the_end:
            self.rows = {row.id: row for row in conn.execute(select(accounts)) if is_text(row.id)}
            held = conn.execute(select(balances).where(balances.c.stream == HOUSE))
            self.balances = {row.account: row for row in held if is_text(row.account)}

    def check(self) -> None:
        for event in self.events():
            self._hear(event)
        self.check_head()
        for account in sorted({*self.rows, *self.past.accounts}):
            self._check_account(account)
        self._check_money()
        if self.snapshot is not None and self.snapshot != self.compared:
            self._check_late_snapshot(self.snapshot)

    def _hear(self, event: LogEvent) -> None:
        try:
            self.past.hear(event)
            self.register.hear(event)
            moved = json.loads(event.money) if event.money is not None else {}
            said = json.loads(event.data)
            total = sum(moved.values())
        except (ValueError, TypeError, AttributeError, RecursionError) as wrong:
            raise self.broken(str(wrong)) from None
        self.expected.hear(event.kind, said)
        if total:
            raise self.broken("what it posts does not add up to nothing")
        self.told_by[str(said.get("account") or event.actor)] = event.number
        for account in moved:
            is_patrons = account.startswith("patron:")
            self.overdrafts[account] = moved[account] > 0 or self.past.lends or not is_patrons
            short = is_patrons and self.past.money[account] < 0
            if short and moved[account] < 0 and not self.past.lends:
                raise self.broken(f"it takes more from {account} than is there")
        if self.snapshot is not None and self.snapshot.number == event.number:
            self._compare(self.snapshot, self.register)

    def _check_account(self, account: str) -> None:
        """Nobody has an account, a role or a password that this log did not give them."""
        told, row = self.past.accounts.get(account), self.rows.get(account)
        number = self.told_by.get(account, self.number)
        if told is None or row is None:
            where = "this log" if told is None else "the table of accounts"
            self.find(f"account {account} is not in {where}", number)
            return
        by_the_log = {name: getattr(told, name) for name in COMPARED} | {"role": told.role.value}
        for name, value in by_the_log.items():
            if getattr(row, name) != value:
                self.find(
                    f"by it the {name} of account {account} is {value!r}, and the table of "
                    f"accounts says {getattr(row, name)!r}", number,
                )  # fmt: skip
        if self.past.sealed is not None and _digest(row.password) != told.password:
            self.find(f"the password of account {account} is not the one that was set", number)

    def _check_money(self) -> None:
        """What each account at the cage has is what was posted."""
        for account in sorted({*self.balances, *self.past.money}):
            row = self.balances.get(account)
            posted, held = self.past.money[account], row.cents if row is not None else 0
            if row is None or account not in self.overdrafts:
                where = "balances" if row is None else "log"
                self.find(f"the {where} of the cage does not have {account!r}")
            elif row.overdraft != self.overdrafts[account]:
                self.find(f"the balances are wrong on whether {account!r} may be below zero")
            if posted != held:
                kept = dollars(held) if type(held) is int else repr(held)
                self.find(
                    f"at the cage {account!r} has {dollars(posted)} by all that was posted, and "
                    f"the balances say {kept}"
                )

    def _compare(self, snapshot: Row[Any], register: Register) -> None:
        """What was kept to be fast is what the log adds up to, and the house has sealed it."""
        if self.seal and not self.seal.fits(snapshot.seal, "snapshot", *snapshot[:-1]):
            self.find("the snapshot after it is not sealed by the house", snapshot.number)
        if (snapshot.head, snapshot.state) != (register.head, canonical(register.saved())):
            self.find("the snapshot after it is not how the house stood", snapshot.number)
        self.compared = snapshot

    def _check_late_snapshot(self, snapshot: Row[Any]) -> None:
        """One of a later event than there is, or one written when its event had been read."""
        if not 0 < snapshot.number <= self.number:
            self.find("it is missing: a snapshot holds it", self.number + 1)
            return
        register = Register()
        again = HouseChain(self.storage, self.marks, Past(), None)
        for event in again.events():
            register.hear(event)
            if event.number == snapshot.number:
                self._compare(snapshot, register)
                return


def _digest(password: Any) -> str | None:
    return digest(password) if isinstance(password, str) else None
