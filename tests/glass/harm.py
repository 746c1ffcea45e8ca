"""Harm done to a copy of the disk: bits that change by themselves, and an intruder.

The intruder can write whatever they like into the database and knows the floor's
code, but does not have the house's key. Whatever is done: nothing stumbles, what
is harmed is named or stays closed, and nobody gets money or rights by it.
"""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from croupier.floor import log
from croupier.floor.events import LogEvent, canonical, digest
from croupier.floor.live import LiveTable
from croupier.floor.people import Welcome
from croupier.floor.storage import Storage, StorageError
from croupier.simulation.streams import SeededStream
from tests.glass.disk import Locks
from tests.glass.rights import need
from tests.glass.servers import ON_A_COPY, Server, verdict

if TYPE_CHECKING:
    from tests.glass.world import World

Content = tuple[bytes, bytes]
Intrusion = Callable[["Harm", sqlite3.Connection], str]  # what was done; "" if it cannot be

BITS, FLIPPED = "bits", "bits flipped"
NOT_IN_THE_LOG = {"tables": {"owner", "opened_at"}, "accounts": {"created_at"}}


class Harm:
    """Harm to the floor of a world that has just come to rest."""

    def __init__(self, world: "World") -> None:
        self.world = world

    def befalls(self, content: Content) -> None:
        """Some harm to a copy; the world goes on with what is unharmed."""
        world = self.world
        kind = world.choose.choice(world.nature.harms)
        path = world.disk.copy(world.disk.damaged(content) if kind == BITS else content)
        done = FLIPPED if kind == BITS else self._intrude(path, kind)
        if done:
            world.count_fault(f"harm: {kind}")
            world.act(f"harm to a copy: {done}")
            self._judge(path, done, content)
        world.disk.remove(path)

    def _intrude(self, path: Path, kind: str) -> str:
        with closing(sqlite3.connect(path, isolation_level=None)) as database:
            return INTRUSIONS[kind](self, database)

    def _judge(self, path: Path, done: str, content: Content) -> None:
        """What is harmed is named. What bits can do without a name is to lose the last moments.

        A log of writes that is damaged ends there, as after a loss of power: the floor is then
        what it was a moment before, and no signed checkpoint is missing from it.
        """
        storage = Storage(f"sqlite:///{path}")
        try:
            found = verdict(storage, self.world.notary)
            if found.is_sound:
                nameless = done == FLIPPED and self._is_older(path, content)
                need(nameless, f"{done}, and verify finds nothing")
        except StorageError:
            return  # it says in a sentence that it cannot be read at all
        finally:
            storage.close()
        self._judge_server(path, done, {bad.stream for bad in found.bad})

    def _is_older(self, path: Path, content: Content) -> bool:
        """Whether a file is what the unharmed one is, or was."""
        unharmed = self.world.disk.copy(content)
        rows, were = rows_of(path), rows_of(unharmed)
        self.world.disk.remove(unharmed)
        return rows == were or {*rows["events"]} < {*were["events"]}

    def _judge_server(self, path: Path, done: str, named: set[str]) -> None:
        """A server opens what is unharmed, and believes nothing else."""
        world = self.world
        is_older = lines_of_the_house(path) < world.model.rights.number
        server = Server(world, ON_A_COPY, SeededStream(1), path, Locks())
        try:
            answer = server.attempt(server.open)
            if answer is not True:
                need(isinstance(answer, Exception), f"{done}: the server dies of it")
                return  # no doors open, in a sentence
            if is_older:
                return
            for stream, ledger in world.model.tables.items():
                if stream in server.pit.tables:
                    if done == FLIPPED and server.pit.tables[stream].number < ledger.number:
                        continue  # it lost the last moments
                    world.recovery.stands(server, stream, f"{done}: ")
                elif ledger.status != "closed":
                    named_it = stream in named or any("table" in each for each in named)
                    need(named_it, f"{done}: {stream} stays closed, and verify does not name it")
            self._judge_rights(server, done)
            self._judge_answers(server, done)
        finally:
            server.storage.close()

    def _judge_rights(self, server: Server, done: str) -> None:
        """Nobody is more than they were."""
        register, rights = server.house.register, self.world.model.rights
        for account, known in register.accounts.items():
            was = rights.people.get(account)
            less = was is not None and known.role.value in (was.role, "patron")
            need(less, f"{done}: {account} is a {known.role}")
        for session in register.sessions.values():
            whose, _ = rights.sessions.get(session.id, ("", ""))
            need(whose == session.account, f"{done}: {session.account} has a session more")
        for member in self.world.crowd:
            came = server.attempt(lambda m=member: server.people.log_in(m.name, "of the intruder"))  # type: ignore[misc]
            need(not isinstance(came, Welcome), f"{done}: the intruder is {member}")

    def _judge_answers(self, server: Server, done: str) -> None:
        """What was once answered is answered so, or not at all."""
        for intent in self.world.choose.sample(owed := self.world.model.owed(), min(10, len(owed))):
            answer = self.world.recovery.answer(server, intent)
            changed = isinstance(answer, str) and answer != intent.reply
            need(not changed, f"{done}: {intent} is answered {answer}")


def rows_of(path: Path) -> dict[str, list[Any]]:
    """All rows of a file that matter; none of those that cannot be read."""
    with closing(sqlite3.connect(path)) as database:
        database.text_factory = bytes
        found = {}
        for name in ("events", "tables", "requests", "balances", "snapshots", "heads",
                     "rulesets", "accounts"):  # fmt: skip
            rows = database.execute(f"SELECT * FROM {name}")
            kept = [
                at for at, column in enumerate(rows.description)
                if column[0] not in NOT_IN_THE_LOG.get(name, ())
            ]  # fmt: skip
            found[name] = sorted(tuple(row[at] for at in kept) for row in rows)
        return found


def lines_of_the_house(path: Path) -> int:
    """How long the house's log is; nothing if that cannot be read."""
    with closing(sqlite3.connect(path)) as database, suppress(sqlite3.Error):
        found = database.execute("SELECT count(*) FROM events WHERE stream = 'house'").fetchone()
        return int(found[0])
    return 0


# The intruder.


def _more_chips(harm: Harm, database: sqlite3.Connection) -> str:
    """A balance is raised, and the house's lowered."""
    held = database.execute(
        "SELECT stream, account FROM balances "
        "WHERE stream <> 'house' AND account <> 'cage' AND cents > 0"
    ).fetchall()
    if not held:
        return ""
    stream, account = harm.world.choose.choice(held)
    for who, cents in ((account, 700), ("cage", -700)):
        database.execute(
            "UPDATE balances SET cents = cents + ? WHERE stream = ? AND account = ?",
            (cents, stream, who),
        )
    return f"700 cents more for {account} at {stream} in the balances"


def _other_snapshot(harm: Harm, database: sqlite3.Connection) -> str:
    """The same, and the snapshot says so too."""
    for stream, state in database.execute("SELECT stream, state FROM snapshots").fetchall():
        kept = json.loads(state)
        money = kept.get("table", {}).get("money", {})
        number = database.execute("SELECT max(number) FROM events WHERE stream = ?", (stream,))
        if kept["number"] != number.fetchone()[0]:
            continue
        for seat in kept.get("chairs", {}):
            money[seat] = money.get(seat, 0) + 700
            money["cage"] = money.get("cage", 0) - 700
            database.execute(
                "UPDATE snapshots SET state = ? WHERE stream = ?", (canonical(kept), stream)
            )
            for who, cents in money.items():
                database.execute(
                    "INSERT INTO balances VALUES (?, ?, ?, 1) ON CONFLICT (stream, account) "
                    "DO UPDATE SET cents = excluded.cents, overdraft = 1", (stream, who, cents),
                )  # fmt: skip
            return f"700 cents more for seat {seat} at {stream} in the snapshot"
    return ""


def _forged_event(harm: Harm, database: sqlite3.Connection) -> str:
    """A command that nobody gave, done by the floor's own code."""
    world = harm.world
    open_tables = [each for each, of in world.model.tables.items() if of.status == "open"]
    if not open_tables:
        return ""
    stream = world.choose.choice(open_tables)
    events = database.execute("SELECT * FROM events WHERE stream = ? ORDER BY number", (stream,))
    live = LiveTable(stream)
    log.replay(live, [LogEvent._make(row) for row in events])
    body = {"do": "correct", "cents": 70_000, "why": "", "about": 1, "second": False}
    seat = next(iter(live.chairs), None)
    rows = live.step(body | ({"seat": seat} if seat else {}), "house", "2026-02-01T00:00:00.000Z",
                     "forged", SeededStream(1))  # fmt: skip
    for row in rows:
        database.execute(f"INSERT INTO events VALUES ({', '.join('?' * len(row))})", row)
    for account, cents in live.posted.items():
        database.execute(
            "INSERT INTO balances VALUES (?, ?, ?, 1) ON CONFLICT (stream, account) "
            "DO UPDATE SET cents = cents + excluded.cents, overdraft = 1",
            (stream, account, cents),
        )  # fmt: skip
    return f"a forged correction at {stream}"


def _rehashed(harm: Harm, database: sqlite3.Connection) -> str:
    """An old event says something else, and the chain is hashed anew to its end."""
    choose = harm.world.choose
    stream = choose.choice([*harm.world.model.tables, "house"])
    events = [LogEvent._make(row) for row in database.execute(
        "SELECT * FROM events WHERE stream = ? ORDER BY number", (stream,)
    )]  # fmt: skip
    if not events:
        return ""
    begun, previous = choose.randrange(len(events)), ""
    for at, event in enumerate(events[begun:]):
        changed = event._replace(at="2025-12-31T00:00:00.000Z") if at == 0 else event
        changed = changed._replace(previous=previous or event.previous)
        previous = digest(canonical(changed[:-1]))
        database.execute(
            "UPDATE events SET at = ?, previous = ?, hash = ? WHERE stream = ? AND number = ?",
            (changed.at, changed.previous, previous, stream, event.number),
        )
    return f"event {events[begun].number} of {stream} is another, and all is hashed anew"


def _cut_off(harm: Harm, database: sqlite3.Connection) -> str:
    """The last events of a log are taken away."""
    stream = harm.world.choose.choice([*harm.world.model.tables, "house"])
    number = database.execute(
        "SELECT max(number) FROM events WHERE stream = ?", (stream,)
    ).fetchone()[0]  # fmt: skip
    gone = harm.world.choose.randrange(1, 4)
    database.execute(
        "DELETE FROM events WHERE stream = ? AND number > ?", (stream, number - gone)
    )  # fmt: skip
    return f"the last {gone} events of {stream} are gone"


def _promoted(harm: Harm, database: sqlite3.Connection) -> str:
    """A patron is a supervisor, by the table of accounts."""
    changed = database.execute("UPDATE accounts SET role = 'supervisor' WHERE role = 'patron'")
    return "all patrons are supervisors in the table of accounts" if changed.rowcount else ""


def _appointed(harm: Harm, database: sqlite3.Connection) -> str:
    """The same by an event of the house that the house did not write."""
    patron = next((each for each, known in harm.world.model.rights.people.items()
                   if known.role == "patron"), None)  # fmt: skip
    if patron is None:
        return ""
    last = LogEvent._make(database.execute(
        "SELECT * FROM events WHERE stream = 'house' ORDER BY number DESC LIMIT 1"
    ).fetchone())  # fmt: skip
    data = canonical({"account": patron, "before": "patron", "after": "supervisor"})
    event = last._replace(number=last.number + 1, kind="role_changed", data=data, money=None,
                          previous=last.hash)  # fmt: skip
    event = event._replace(hash=event.computed())
    database.execute(f"INSERT INTO events VALUES ({', '.join('?' * len(event))})", event)
    database.execute("UPDATE accounts SET role = 'supervisor' WHERE id = ?", (patron,))
    return f"{patron} is appointed by a forged event"


def _new_password(harm: Harm, database: sqlite3.Connection) -> str:
    """The hash of a password is one that the intruder knows."""
    hashed = harm.world.hasher.hash("of the intruder")
    database.execute("UPDATE accounts SET password = ?", (hashed,))
    return "every password is the intruder's"


def _other_answer(harm: Harm, database: sqlite3.Connection) -> str:
    """What was answered is another answer."""
    changed = database.execute(
        "UPDATE requests SET reply = replace(reply, '\"number\":', '\"number\":9')"
        " WHERE stream <> 'house'"
    )
    return "all answers are others" if changed.rowcount else ""


def _no_answer(harm: Harm, database: sqlite3.Connection) -> str:
    """What was done is to be done again."""
    changed = database.execute("DELETE FROM requests WHERE stream <> 'house'")
    return "all answers are gone" if changed.rowcount else ""


INTRUSIONS: dict[str, Intrusion] = {
    "balances": _more_chips,
    "snapshot": _other_snapshot,
    "forged event": _forged_event,
    "rehashed": _rehashed,
    "cut off": _cut_off,
    "promoted": _promoted,
    "appointed": _appointed,
    "passwords": _new_password,
    "answers": _other_answer,
    "no answers": _no_answer,
}
