"""Rows that somebody forges who can write into the database and knows the software.

Each forgery is consistent as far as it goes: types are right, hashes fit, sums
come out. They work on the tables as they are found in the file, so a column
that is new there is copied from another row.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

from sqlalchemy import Connection, MetaData, NullPool, Table, create_engine, select

from croupier.floor.events import BEGINNING, HOUSE, LogEvent, canonical, digest
from croupier.floor.live import LiveTable
from croupier.simulation.streams import SeededStream
from tests.floor.damage import Floor, a_floor
from tests.floor.support import ANN, any_wager

Values = dict[str, Any]


class Forger:
    """Somebody with a connection of his own."""

    def __init__(self, conn: Connection, tables: dict[str, Table], floor: Floor, seed: int) -> None:
        self.conn, self.tables, self.floor = conn, tables, floor
        self.choose = Random(seed)
        self.stream = self.choose.choice([*floor.tables.values()])

    def rows(self, table: str, **where: Any) -> list[Values]:
        query = select(self.tables[table]).filter_by(**where)
        return [dict(row) for row in self.conn.execute(query).mappings()]

    def one(self, table: str, **where: Any) -> Values:
        return self.choose.choice(self.rows(table, **where))

    def change(self, table: str, row: Values, **values: Any) -> None:
        of = self.tables[table]
        keys = {column.name: row[column.name] for column in of.primary_key}
        self.conn.execute(of.update().filter_by(**keys).values(values))

    def insert(self, table: str, **values: Any) -> None:
        """A row like another one, but for these values."""
        like = self.rows(table)
        self.conn.execute(
            self.tables[table].insert().values({**(like[0] if like else {}), **values})
        )

    def delete(self, table: str, row: Values) -> None:
        of = self.tables[table]
        keys = {column.name: row[column.name] for column in of.primary_key}
        self.conn.execute(of.delete().filter_by(**keys))

    def events(self, stream: str) -> list[LogEvent]:
        rows = sorted(self.rows("events", stream=stream), key=lambda row: row["number"])
        return [LogEvent(**{name: row[name] for name in LogEvent._fields}) for row in rows]

    def put_events(self, stream: str, events: list[LogEvent]) -> None:
        """These in the place of what the stream has, hashed anew."""
        like = self.rows("events", stream=stream)
        of = self.tables["events"]
        self.conn.execute(of.delete().filter_by(stream=stream))
        head = BEGINNING
        for at, event in enumerate(events):
            chained = event._replace(previous=head)
            chained = chained._replace(hash=chained.computed())
            head = chained.hash
            more = like[min(at, len(like) - 1)]
            self.conn.execute(of.insert().values({**more, **chained._asdict()}))

    def append(self, stream: str, **values: Any) -> None:
        """One more event at the tail, with a good hash."""
        last = self.events(stream)[-1]
        event = last._replace(number=last.number + 1, previous=last.hash, **values)
        self.insert("events", **event._replace(hash=event.computed())._asdict())

    def replayed(self, stream: str) -> LiveTable:
        live = LiveTable(stream)
        for event in self.events(stream):
            if event.input is not None:
                live.step(json.loads(event.input), event.actor, event.at, event.request)
        return live

    def set_beside(self, stream: str, live: LiveTable) -> None:
        """Balances as a table has them."""
        for account, cents in live.accounts().items():
            rows = self.rows("balances", stream=stream, account=account)
            if rows:
                self.change("balances", rows[0], cents=cents)


Forgery = Callable[[Forger], None]
FORGERIES: dict[str, Forgery] = {}
UNSEALED = {  # what nothing shows, and grants nothing
    "a snapshot that is gone",
    "when a table was opened",
}


def forgery(name: str) -> Callable[[Forgery], Forgery]:
    def listed(forge: Forgery) -> Forgery:
        FORGERIES[name] = forge
        return forge

    return listed


# Of the log.


@forgery("an event of the house at its tail, and the role that it gives")
def _appointed(thief: Forger) -> None:
    joe = thief.one("accounts", name="Joe")
    said = canonical({"account": joe["id"], "before": joe["role"], "after": "supervisor"})
    thief.append(HOUSE, kind="role_changed", actor=HOUSE, data=said)
    thief.change("accounts", joe, role="supervisor")


@forgery("a command at the tail of a table, by the rules, with money and answer")
def _played(thief: Forger) -> None:
    live = thief.replayed(thief.stream)
    at, wager = thief.events(thief.stream)[-1].at, any_wager(live, "1", Random(1))
    bet = {"do": "bet", "seat": "1", "wagers": wager}
    rows = live.step(bet, ANN.account, at, "forged", SeededStream(1))
    for event in rows:
        thief.insert("events", **event._asdict())
    thief.set_beside(thief.stream, live)
    _answer(thief, live, rows, at)


def _answer(thief: Forger, live: LiveTable, rows: list[LogEvent], at: str) -> None:
    own = {seat: live.table.money[seat] for seat in live.seats_of(ANN.account)}
    reply = {
        "table": live.stream, "number": live.number, "round": live.round,
        "events": [event.shown() for event in rows], "stacks": own,
    }  # fmt: skip
    thief.insert(
        "requests", actor=ANN.account, request="forged", digest="0" * 64, stream=live.stream,
        number=live.number, reply=canonical(reply), at=at,
    )  # fmt: skip


@forgery("a whole table hashed anew at another time, with its answers")
def _another_time(thief: Forger) -> None:
    events = thief.events(thief.stream)
    thief.put_events(thief.stream, [e._replace(at="2031" + e.at[4:]) for e in events])
    for row in thief.rows("requests", stream=thief.stream):
        reply = json.loads(row["reply"])
        for event in reply["events"]:
            event["at"] = "2031" + event["at"][4:]
        thief.change("requests", row, at="2031" + row["at"][4:], reply=canonical(reply))
    for row in thief.rows("snapshots", stream=thief.stream):
        thief.delete("snapshots", row)


@forgery("another outcome in the middle, hashed anew")
def _another_outcome(thief: Forger) -> None:
    events = thief.events(thief.stream)
    over = thief.choose.choice([each for each in events if each.kind == "round_over"])
    told = json.loads(over.data)
    told["stacks"]["1"] = told["stacks"].get("1", 0) + 100
    changed = over._replace(data=canonical(told))
    thief.put_events(thief.stream, [changed if each is over else each for each in events])


@forgery("a command taken out of the middle, hashed anew")
def _taken_out(thief: Forger) -> None:
    events = thief.events(thief.stream)
    first = thief.choose.choice([each for each in events[2:] if each.input])
    kept = [each for each in events if each.request != first.request]
    thief.put_events(thief.stream, [e._replace(number=at) for at, e in enumerate(kept, 1)])


@forgery("a tail that is cut off")
def _cut(thief: Forger) -> None:
    events = thief.events(thief.stream)
    first = next(each for each in reversed(events) if each.input)
    thief.put_events(thief.stream, events[: first.number - 1])
    for row in thief.rows("snapshots", stream=thief.stream):
        thief.delete("snapshots", row)
    thief.set_beside(thief.stream, thief.replayed(thief.stream))


# Of what is kept beside it.


@forgery("money that goes from the house to a seat")
def _money(thief: Forger) -> None:
    for account, more in (("1", 100_000), ("house", -100_000)):
        row = thief.one("balances", stream=thief.stream, account=account)
        thief.change("balances", row, cents=row["cents"] + more)


@forgery("a snapshot with more money, and balances that fit")
def _richer(thief: Forger) -> None:
    row = thief.one("snapshots", stream=thief.stream)
    state = json.loads(row["state"])
    state["table"]["money"]["1"] = state["table"]["money"].get("1", 0) + 100_000
    state["table"]["money"]["house"] = state["table"]["money"].get("house", 0) - 100_000
    thief.change("snapshots", row, state=canonical(state))
    _money(thief)


@forgery("a snapshot that is gone")
def _no_snapshot(thief: Forger) -> None:
    thief.delete("snapshots", thief.one("snapshots", stream=thief.stream))


@forgery("a role that nobody gave")
def _role(thief: Forger) -> None:
    thief.change("accounts", thief.one("accounts", name="Joe"), role="supervisor")


@forgery("an account that nobody opened")
def _account(thief: Forger) -> None:
    thief.insert("accounts", id="f" * 16, name="Thief", key="thief", role="supervisor")


@forgery("another password")
def _password(thief: Forger) -> None:
    ida, joe = thief.one("accounts", name="Ida"), thief.one("accounts", name="Joe")
    thief.change("accounts", joe, password=ida["password"])


@forgery("a head that says that there is less")
def _head(thief: Forger) -> None:
    row = thief.one("heads", stream=thief.stream)
    before = thief.events(thief.stream)[-2]
    thief.change("heads", row, number=before.number, hash=before.hash)


@forgery("money at the cage")
def _rich(thief: Forger) -> None:
    row = thief.one("balances", stream=HOUSE)
    thief.change("balances", row, cents=row["cents"] + 1_000_000)


@forgery("an answer without a command")
def _unasked(thief: Forger) -> None:
    row = thief.one("requests", stream=thief.stream)
    thief.insert("requests", **row | {"actor": ANN.account, "request": "forged"})


@forgery("an answer that says that nothing was done")
def _nothing_done(thief: Forger) -> None:
    _answer(thief, thief.replayed(thief.stream), [], thief.events(thief.stream)[-1].at)


@forgery("an answer that tells something else")
def _another_answer(thief: Forger) -> None:
    row = thief.one("requests", stream=thief.stream, actor=ANN.account)
    reply = json.loads(row["reply"])
    reply["stacks"] = {"1": 7}
    thief.change("requests", row, reply=canonical(reply))


@forgery("an answer that is gone")
def _no_answer(thief: Forger) -> None:
    thief.delete("requests", thief.one("requests", stream=thief.stream, actor=ANN.account))


@forgery("the digest of a command that was answered")
def _digest(thief: Forger) -> None:
    thief.change("requests", thief.one("requests", stream=thief.stream), digest=digest("other"))


@forgery("rules that nobody plays by")
def _rules(thief: Forger) -> None:
    said = {"game": "craps", "options": {"table_min": 1}, "software": "0" * 64}
    thief.insert("rulesets", **said | {
        "hash": digest(canonical(said)), "options": canonical(said["options"])
    })  # fmt: skip


@forgery("rules that were changed")
def _other_rules(thief: Forger) -> None:
    row = thief.one("rulesets")
    options = json.loads(row["options"])
    thief.change("rulesets", row, options=canonical({**options, "table_min": 1}))


@forgery("the status of a table")
def _status(thief: Forger) -> None:
    thief.change("tables", thief.one("tables", id=thief.stream), status="frozen")


@forgery("the link of a private table")
def _link(thief: Forger) -> None:
    thief.change("tables", thief.one("tables", id=thief.stream), link=digest("mine"))


@forgery("when a table was opened")
def _opened_at(thief: Forger) -> None:
    thief.change("tables", thief.one("tables", id=thief.stream), opened_at="2020-01-01T00:00:00Z")


@forgery("a table that nobody opened")
def _table(thief: Forger) -> None:
    thief.insert("tables", id="ghost", name="Ghost")


# All of them.


@contextmanager
def forging(floor: Floor, seed: int) -> Iterator[Forger]:
    engine = create_engine(floor.url, poolclass=NullPool)
    found = MetaData()
    found.reflect(engine)
    with engine.begin() as conn:
        yield Forger(conn, dict(found.tables), floor, seed)
    engine.dispose()


def forged(floor: Floor, name: str, seed: int) -> bool:
    """Forge something; whether verify names it."""
    with forging(floor, seed) as thief:
        FORGERIES[name](thief)
    return bool(floor.verdict().bad)


def forgeries(count: int, seed: int, folder: Path) -> str:
    """So many forgeries in turn, each in a fresh copy: how often each was named."""
    before = a_floor(folder / "forged.db")
    named, tried = Counter[str](), Counter[str]()
    for at in range(count):
        name = [*FORGERIES][at % len(FORGERIES)]
        tried[name] += 1
        named[name] += forged(before.copy(folder / "forgery.db"), name, seed + at)
    return "\n".join(f"{named[name]:>4} of {tried[name]:>3} named: {name}" for name in tried)
