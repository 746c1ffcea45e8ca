"""One table by the model's own books: who sits where, what everyone has, what may be done."""

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tests.glass.rights import Rights, need

CAGE, HOUSE, LAYOUT = "cage", "house", "layout"
OF_A_SEAT = {"buy_in", "bet", "ready", "move", "leave", "take_control"}
OF_THE_DEALER = {"no_more_bets", "deal"}  # and reports, which the pit may make too
ANY_TIME = {"dispute", "freeze", "thaw", "correct", "approve", "close_table"}
PLAYS = {"bet", "ready", "move", "no_more_bets", "deal", "report", "time_up", "change"}
ALONE = 100_000  # cents that one person may correct without a second


class Row(NamedTuple):
    """One event, as it lies in the database."""

    stream: str
    number: int
    kind: str
    at: str
    actor: str
    request: str
    seen_by: str | None
    data: str
    input: str | None
    money: str | None


@dataclass
class Done:
    """A command that is in the log."""

    stream: str
    first: int
    last: int
    said: dict[str, Any]
    rows: list[Row]
    stacks: dict[str, int]  # of the seats of whoever asked for it, after it


@dataclass
class Chair:
    account: str
    session: str


@dataclass
class Ledger:
    """A table, as its log has it so far."""

    stream: str
    rights: Rights
    number: int = 0
    status: str = ""
    before_freeze: str = ""
    chairs: dict[str, Chair] = field(default_factory=dict)
    dealer: Chair | None = None
    books: Counter[str] = field(default_factory=Counter)
    proposed: dict[str, Any] | None = None
    rounds: int = 0
    secrets: dict[int, str] = field(default_factory=dict)  # events that only one may see
    touched: int = 0  # the step at which its seats or its status last changed

    # What a command may be.

    def hear(self, rows: list[Row]) -> Done:
        """The events of one command: demand that it was allowed, and that the money is right."""
        first = rows[0]
        need(first.input is not None, f"nothing caused event {first.number} of {self.stream}")
        said = json.loads(first.input or "")
        for at, row in enumerate(rows, start=self.number + 1):
            need(row.number == at, f"{self.stream} has event {row.number} in the place of {at}")
            one = row.actor == first.actor and row.request == first.request
            need(one, f"event {row.number} of {self.stream} is of another command")
            if row.seen_by is not None:
                self.secrets[row.number] = row.seen_by
        if first.actor not in ("clock", "house"):
            self._check(said, first)
        before = Counter(self.books)
        if first.money is not None:
            moved = json.loads(first.money)
            need(sum(moved.values()) == 0, f"event {first.number} makes money of nothing: {moved}")
            self.books.update(moved)
        self.number = rows[-1].number
        self._money(said, rows, before)
        for row in rows:
            self._fold(said, row)
        if said["do"] == "approve":
            self.proposed = None
        self._whole()
        own = [seat for seat, chair in self.chairs.items() if chair.account == first.actor]
        stacks = {seat: self.books[seat] for seat in own}
        return Done(self.stream, first.number, self.number, said, rows, stacks)

    def _check(self, said: dict[str, Any], row: Row) -> None:
        do, session = said["do"], said.get("session", "")
        right = "open_private" if do == "open" and said["private"] else do
        self.rights.may(row.actor, session, right, row.at)
        if do == "open":
            return
        if do not in ANY_TIME:
            need(self.status != "closed", f"{do} at a closed table")
            need(self.status != "frozen" or do == "leave_dealer", f"{do} at a frozen table")
        if do in OF_A_SEAT:
            chair = self.chairs.get(said["seat"])
            mine = chair is not None and chair.account == row.actor
            need(mine, f"{row.actor} did {do} for seat {said['seat']}, which is not theirs")
            assert chair is not None
            here = do == "take_control" or chair.session == session
            need(here, f"{row.actor} did {do} from a session that does not control the seat")
        is_dealer = self.dealer is not None and self.dealer.account == row.actor
        if do in OF_THE_DEALER:
            need(is_dealer, f"{row.actor} did {do}, and does not deal here")
            assert self.dealer is not None
            need(self.dealer.session == session, f"{do} from a session that does not deal")
        if do == "correct" and abs(said["cents"]) > ALONE:
            need(said["second"], f"{row.actor} corrected {said['cents']} cents alone")
        if do == "approve":
            need(self.proposed is not None, "a correction was approved that nobody proposed")
            assert self.proposed is not None
            need(self.proposed["by"] != row.actor, f"{row.actor} approved their own correction")

    # Money.

    def _money(self, said: dict[str, Any], rows: list[Row], before: Counter[str]) -> None:
        """What was moved is what was told; and the cage hears of it."""
        first, do = rows[0], said["do"]
        bought = {"sit": said.get("buy_in"), "buy_in": said.get("amount")}.get(do) or 0
        told: Counter[str] = Counter()
        if bought:
            need(type(bought) is int and bought > 0, f"{bought!r} was bought in")
            told[said["seat"]] += bought
            self.rights.buys(first.actor, bought, first.at)
            self._transfer(first, first.actor, -bought)
        for row in rows:
            if row.kind == "left":
                data = json.loads(row.data)
                told[data["seat"]] -= data["cash"]
                if data["cash"]:
                    account = self.chairs[data["seat"]].account
                    self.rights.moves(account, data["cash"])
                    self._transfer(first, account, data["cash"])
            elif row.kind == "correction":
                data = json.loads(row.data)
                self._check_correction(data, said)
                told[data["account"]] += data["amount"]
                if data["account"] == CAGE:
                    self.rights.cash += data["amount"]
                    self._transfer(first, "", data["amount"])
        moved = Counter(self.books)
        moved.subtract(before)
        at_cage = told.pop(CAGE, 0) - sum(told.values()) + self._corrected(rows)
        need(moved[CAGE] == at_cage, f"{do} moved {moved[CAGE]} at the cage, not {at_cage}")
        if do not in PLAYS:
            for seat in self.chairs:
                owed = moved[f"vigorish owed by {seat}"] or any(r.kind == "vigorish" for r in rows)
                need(
                    moved[seat] == told[seat] or owed,
                    f"{do} moved {moved[seat]} at seat {seat}, and told {told[seat]}",
                )
        if do == "bet":
            others = [seat for seat in self.chairs if seat != said["seat"] and moved[seat]]
            gone = [seat for seat in others if moved[seat] != told[seat]]
            need(not gone, f"a bet of seat {said['seat']} moved money of {gone}")

    def _corrected(self, rows: list[Row]) -> int:
        """What corrections gave to seats comes from the house and not from the cage."""
        found = [json.loads(row.data) for row in rows if row.kind == "correction"]
        return sum(each["amount"] for each in found if each["account"] != CAGE)

    def _check_correction(self, data: dict[str, Any], said: dict[str, Any]) -> None:
        if said["do"] == "approve":
            assert self.proposed is not None
            asked = self.proposed["account"], self.proposed["cents"]
        else:
            asked = said.get("seat") or CAGE, said["cents"]
        told = data["account"], data["amount"]
        need(told == asked, f"a correction of {asked} was asked for, and {told} was made")

    def _transfer(self, row: Row, account: str, cents: int) -> None:
        self.rights.due[self.stream, account, row.number, cents] += 1

    def _whole(self) -> None:
        need(not sum(self.books.values()), f"the money at {self.stream} does not add up")
        for account, cents in self.books.items():
            if account.isdigit():
                need(cents >= 0, f"seat {account} of {self.stream} has {cents} cents")
                seated = account in self.chairs or not cents
                need(seated, f"{cents} cents lie at seat {account}, where nobody sits")
        need(self.books[LAYOUT] >= 0, f"the layout of {self.stream} has {self.books[LAYOUT]}")

    # What follows.

    def _fold(self, said: dict[str, Any], row: Row) -> None:
        if row.kind in FOLDS:
            self.touched = self.rights.step
            FOLDS[row.kind](self, said, json.loads(row.data), row)

    def _opened(self, said: dict[str, Any], data: dict[str, Any], row: Row) -> None:
        need(self.status == "", f"{self.stream} was opened twice")
        self.status = "open"

    def _seated(self, said: dict[str, Any], data: dict[str, Any], row: Row) -> None:
        seat = data["seat"]
        need(seat == said["seat"], f"{said['seat']} was asked for, and {seat} was taken")
        need(seat not in self.chairs, f"seat {seat} was taken twice")
        need(self.status == "open", f"somebody sat down at a table that is {self.status}")
        self.chairs[seat] = Chair(row.actor, said["session"])

    def _control(self, said: dict[str, Any], data: dict[str, Any], row: Row) -> None:
        self.chairs[data["seat"]].session = said["session"]

    def _left(self, said: dict[str, Any], data: dict[str, Any], row: Row) -> None:
        need(self.books[data["seat"]] == 0, "somebody left, and left chips")
        del self.chairs[data["seat"]]

    def _dealer(self, said: dict[str, Any], data: dict[str, Any], row: Row) -> None:
        if data["name"] is None:
            self.dealer = None
        else:
            need(
                self.dealer is None or self.dealer.account == row.actor, "the dealer was pushed out"
            )
            self.dealer = Chair(row.actor, said["session"])

    def _frozen(self, said: dict[str, Any], data: dict[str, Any], row: Row) -> None:
        if self.status != "frozen":
            self.before_freeze, self.status = self.status, "frozen"

    def _thawed(self, said: dict[str, Any], data: dict[str, Any], row: Row) -> None:
        need(self.status == "frozen", "a table thawed that was not frozen")
        self.status = self.before_freeze

    def _closing(self, said: dict[str, Any], data: dict[str, Any], row: Row) -> None:
        if self.status == "frozen":
            self.before_freeze = "closing"
        else:
            self.status = "closing"

    def _closed(self, said: dict[str, Any], data: dict[str, Any], row: Row) -> None:
        need(not self.chairs, "a table closed with people at it")
        need(not self.books[LAYOUT], "a table closed with wagers on it")
        self.status = "closed"

    def _correction_proposed(self, said: dict[str, Any], data: dict[str, Any], row: Row) -> None:
        self.proposed = {**data, "by": row.actor}

    def _round_over(self, said: dict[str, Any], data: dict[str, Any], row: Row) -> None:
        """Everyone is told what they have; who goes at once has it in cash."""
        self.rounds += 1
        need({*data["stacks"]} == {*self.chairs}, "a round was told to others than those there")
        for seat, stack in data["stacks"].items():
            if self.books[seat]:
                told, has = stack, self.books[seat]
                need(told == has, f"seat {seat} was told {told} cents, and has {has}")


Fold = Callable[[Ledger, dict[str, Any], dict[str, Any], Row], None]

FOLDS: dict[str, Fold] = {
    "opened": Ledger._opened,
    "seated": Ledger._seated,
    "control": Ledger._control,
    "left": Ledger._left,
    "dealer": Ledger._dealer,
    "frozen": Ledger._frozen,
    "thawed": Ledger._thawed,
    "closing": Ledger._closing,
    "closed": Ledger._closed,
    "correction_proposed": Ledger._correction_proposed,
    "round_over": Ledger._round_over,
}
