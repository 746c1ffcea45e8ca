"""The model: what must hold on the floor, said by somebody who has not read its code.

It hears every wish when it is sent and every answer when a server gives it, and
reads the rows of the database as an auditor would, with nothing but SQL. From
these it keeps its own books. A row that nobody wanted, a wish that was
acknowledged and is not there, or is there twice, money out of nothing, an
answer that tells too much: each is a violation.
"""

import json
import sqlite3
from collections import deque
from dataclasses import dataclass
from typing import Any

from tests.glass.ledger import Done, Ledger, Row
from tests.glass.rights import BY_THE_CLOCK, BY_THE_HOUSE, Broken, Rights, need

COLUMNS = ", ".join(Row._fields)
NEW = f"SELECT rowid, {COLUMNS} FROM events WHERE rowid > ? ORDER BY rowid"
Key = tuple[str, str]  # an account, and the key of a request of theirs


@dataclass
class Intent:
    """A command that somebody sends, as often as they like, under one key."""

    actor: str
    request: str
    stream: str
    body: dict[str, Any]
    sent: int  # the step
    reply: str | None = None  # what a server once answered

    @property
    def key(self) -> Key:
        return self.actor, self.request

    def __str__(self) -> str:
        return f"{self.body} of {self.actor} at {self.stream} [{self.request}]"


class Model:
    """The books of the house, kept outside of it."""

    def __init__(self) -> None:
        self.rights = Rights()
        self.tables: dict[str, Ledger] = {}
        self.intents: dict[Key, Intent] = {}
        self.done: dict[Key, Done] = {}
        self.rows = 0  # that were read
        self.events = 0
        self.acknowledged = 0
        self._answers: deque[tuple[Intent, str]] = deque()

    # What is heard.

    def sends(self, actor: str, request: str, stream: str, body: dict[str, Any]) -> Intent:
        intent = Intent(actor, request, stream, body, self.rights.step)
        self.intents[intent.key] = intent
        return intent

    def answered(self, intent: Intent, reply: str) -> None:
        """A server has answered: from now on it is done, whatever happens."""
        if intent.reply is None:
            self.acknowledged += 1
            self._answers.append((intent, reply))
            intent.reply = reply
        need(reply == intent.reply, f"two answers to {intent}: {intent.reply} and {reply}")

    def refuses(self, intent: Intent, message: str) -> None:
        """A server refuses: demand that none has acknowledged it before."""
        need(intent.reply is None, f"{intent} was acknowledged, and now it is refused: {message}")

    def judge(self, intent: Intent, fault: str, message: str, session: str, at: str) -> None:
        """A server has refused: demand that it had a reason."""
        do, rights, table = intent.body["do"], self.rights, self.tables.get(intent.stream)
        right = "open_private" if do == "open" and intent.body["private"] else do
        if fault in ("not_allowed", "bad_token"):
            sure = rights.might(intent.actor, session, right, intent.sent - 1, at)
            need(not sure, f"{intent} was turned away ({fault}), and might: {message}")
        if table is None or table.touched >= intent.sent - 1:
            return
        if fault == "forbidden" and "not yours" in message:
            chair = table.chairs.get(str(intent.body.get("seat")))
            mine = chair is not None and chair.account == intent.actor
            need(not mine, f"{intent} was refused, and the seat is theirs: {message}")
        if fault == "table_frozen":
            need(table.status == "frozen", f"{intent}: {message}, and it is {table.status}")
        if fault == "table_closed":
            shut = table.status in ("closed", "closing", "frozen")
            need(shut, f"{intent}: {message}, and it is {table.status}")
        if fault == "seat_taken" and do == "sit":
            need(intent.body["seat"] in table.chairs, f"{intent}: {message}, and it is free")

    # What is read.

    def read(self, database: sqlite3.Connection) -> None:
        """The rows since the last time, and that all answers are in them."""
        rows = database.execute(NEW, (self.rows,)).fetchall()
        for command in _commands(rows):
            if command[0].stream == "house":
                for row in command:
                    self.rights.hear(row.kind, row.actor, row.at, row.data, row.money)
            else:
                self._hear(command)
        if rows:
            self.rows = rows[-1][0]
            self.events += len(rows)
            self.rights.settle()
            self._compare(database)
        while self._answers:
            self._check_answer(*self._answers.popleft())

    def _hear(self, rows: list[Row]) -> None:
        first = rows[0]
        table = self.tables.setdefault(first.stream, Ledger(first.stream, self.rights))
        key = first.actor, first.request
        if first.actor in ("clock", "house"):
            mine = BY_THE_CLOCK if first.actor == "clock" else BY_THE_HOUSE
            do = json.loads(first.input or "{}").get("do")
            need(do in mine, f"the {first.actor} did {do} by itself")
        else:
            need(key not in self.done, f"{self.intents.get(key)} was done twice")
            intent = self.intents.get(key)
            need(intent is not None, f"nobody sent what event {first.number} did: {first.input}")
            assert intent is not None
            _check_body(intent, first)
        done = table.hear(rows)
        if first.actor not in ("clock", "house"):
            self.done[key] = done

    def _compare(self, database: sqlite3.Connection) -> None:
        """What is kept beside the events is what they add up to."""
        held: dict[str, dict[str, int]] = {}
        for stream, account, cents in database.execute(
            "SELECT stream, account, cents FROM balances WHERE cents <> 0"
        ):
            held.setdefault(stream, {})[account] = cents
        house = held.pop("house", {})
        for stream, table in self.tables.items():
            books = {account: cents for account, cents in table.books.items() if cents}
            kept = held.pop(stream, {})
            need(kept == books, f"the balances of {stream} are {kept}, and by the log {books}")
        need(not held, f"there are balances of tables that nobody opened: {held}")
        rights = self.rights
        mine = {f"patron:{account}": cents for account, cents in rights.cage.items() if cents}
        mine |= {f"table:{stream}": cents for stream, cents in rights.tables.items() if cents}
        mine |= {"cash": rights.cash} if rights.cash else {}
        need(house == mine, f"the cage holds {house}, and by the model's books {mine}")

    def compare_directory(self, database: sqlite3.Connection) -> None:
        """The same for the directory of tables and the list of accounts."""
        for stream, status in database.execute("SELECT id, status FROM tables"):
            known = self.tables[stream].status
            need(
                {"closing": "open"}.get(known, known) == status,
                f"{stream} is {known}, and the directory says {status}",
            )
        for account, role, closed in database.execute("SELECT id, role, closed FROM accounts"):
            known_as = self.rights.people[account]
            same = (known_as.role, known_as.closed) == (role, bool(closed))
            need(same, f"{account} is a {known_as.role}, and the accounts say {role}, {closed}")

    def _check_answer(self, intent: Intent, text: str) -> None:
        """What was answered is what was done, and no more than its reader may see."""
        done = self.done.get(intent.key)
        if done is None:
            need(json.loads(text)["events"] == [], f"{intent} was answered and not done: {text}")
            return
        reply = json.loads(text)
        need(reply["table"] == done.stream == intent.stream, f"another table: {text}")
        need(reply["number"] == done.last, f"{intent}: the log has {done.last}: {text}")
        need(reply["stacks"] == done.stacks, f"{intent}: the stacks are {done.stacks}: {text}")
        expected = [shown(row) for row in done.rows if self.sees(intent.actor, row)]
        told = [(each.pop("number"), each.pop("kind"), each) for each in reply["events"]]
        for _, _, data in told:
            for key in ("round", "at", "citation"):
                data.pop(key, None)
        need(told == expected, f"{intent} was told {told}, and may see {expected}")

    def sees(self, account: str, row: Row) -> bool:
        return row.seen_by in (None, account) or self.rights.sees_all(account)

    def listened(self, account: str, stream: str, after: int, heard: list[int]) -> None:
        """Somebody has listened to a table: demand all that they may see, and nothing else."""
        table, last = self.tables[stream], max(heard, default=after)
        hidden = {n for n, seen_by in table.secrets.items() if seen_by != account}
        hidden = set() if self.rights.sees_all(account) else hidden
        due = [number for number in range(after + 1, last + 1) if number not in hidden]
        need(heard == due, f"{account} was shown {heard} of {stream}, and may see {due}")

    def owed(self) -> list[Intent]:
        """All that was acknowledged."""
        return [intent for intent in self.intents.values() if intent.reply is not None]

    def check_all_there(self) -> None:
        for intent in self.owed():
            told = json.loads(intent.reply or "")["events"]
            need(intent.key in self.done or not told, f"{intent} was acknowledged and is gone")


def shown(row: Row) -> tuple[int, str, dict[str, Any]]:
    """An event, as its readers may see it."""
    data = {k: v for k, v in json.loads(row.data).items() if k not in ("round", "at", "citation")}
    return row.number, row.kind, data


def _commands(rows: list[tuple[Any, ...]]) -> list[list[Row]]:
    """The rows of one command after the other; those of the house each for itself."""
    found: list[list[Row]] = []
    for _, *columns in rows:
        row = Row._make(columns)
        goes_on = row.stream != "house" and row.input is None and found
        if goes_on and found[-1][0].stream == row.stream:
            found[-1].append(row)
        else:
            found.append([row])
    return found


def _check_body(intent: Intent, row: Row) -> None:
    """What was done is what was asked for; the house adds what it needs to do it again."""
    said = json.loads(row.input or "")
    need(intent.stream == row.stream, f"{intent} was done at {row.stream}")
    for name, value in intent.body.items():
        if name == "at" or value is None:
            continue
        need(said.get(name) == value, f"{intent} became {said}")


__all__ = ["Broken", "Intent", "Model"]
