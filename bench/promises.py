"""What was promised of damage, deaths, forgeries and crowds, measured.

    python bench/promises.py kills     --count 600  --seed 1 --db sqlite
    python bench/promises.py kills     --count 400  --seed 1 --db postgresql
    python bench/promises.py flips     --count 1000 --seed 1
    python bench/promises.py forgeries --count 100  --seed 1
    python bench/promises.py login     --count 20

kills      a server under load gets a SIGKILL; the crowd's own books decide
flips      a byte of the SQLite file of a floor with three tables is changed
forgeries  so many rows are put in or changed by SQL, in each table of the schema
login      so many log-ins of each kind while 200 strangers try, from one address

The exit code is 1 if a promise was not kept, and the last lines say which.
"""

import argparse
import json
import logging
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from statistics import median
from typing import Any

import door
import httpx
from argon2 import PasswordHasher
from kills import ROOT, Deaths, database
from sqlalchemy.exc import IntegrityError

sys.path[:0] = [str(ROOT), str(ROOT / "src")]

from tests.floor import damage  # noqa: E402
from tests.floor.damage import Floor  # noqa: E402
from tests.floor.forgery import Forger, Values, forging  # noqa: E402
from tests.floor.support import ANN  # noqa: E402

from croupier.floor import schema  # noqa: E402
from croupier.floor.commands import Unavailable  # noqa: E402
from croupier.floor.events import HOUSE, canonical, digest  # noqa: E402
from croupier.floor.log import LogBroken  # noqa: E402
from croupier.floor.roles import NotAllowed, Person  # noqa: E402
from croupier.floor.storage import StorageError  # noqa: E402
from croupier.rulebook import Refusal  # noqa: E402
from croupier.server.config import Config  # noqa: E402
from croupier.server.house import House  # noqa: E402

FLOOR_KILLS = 12  # on one floor; then a new one, so that its log stays small
LIFE = (0.05, 1.5)  # seconds under load
YOUNG = 0.1  # of the servers die once more while they start,
BIRTH = 0.4  # within so many seconds
SLOW_CHECK = 0.7  # seconds: a log that takes longer is checked after every tenth kill
PATIENCE = 10  # seconds for one flip
LOOPS = 200
SLOWEST = 1.0  # seconds
MINE = "the thief's password"
CHEAP = PasswordHasher(1, 8, 1)

Report = list[str]  # what was not kept


# Kills.


class Lives(Deaths):
    """Servers on one floor; the log is checked while each lies dead."""

    def __init__(self, url: str, folder: Path, seed: int) -> None:
        super().__init__(url, folder, seed)
        self.kills = self.young = 0
        self.check_takes = 0.0

    def kill(self) -> None:
        """A life, a death, a look at what it left, and the books after it."""
        assert self.crowd is not None
        time.sleep(self.chance.uniform(*LIFE))
        self._dies()
        if self.chance.random() < YOUNG:
            self._dies_young()
        self.pid, seconds = self.nursery.start()
        self.starts.append(seconds)
        self.books = self.crowd.compare()
        if self.books["wrong"]:
            raise RuntimeError("; ".join(self.books["wrong"]))

    def _dies(self) -> None:
        self.nursery.kill(self.pid)
        self.kills += 1
        if self.check_takes < SLOW_CHECK or self.kills % 10 == 0:
            began = time.monotonic()
            self.verify()
            self.check_takes = time.monotonic() - began

    def _dies_young(self) -> None:
        nursery = self.nursery.process
        assert nursery.stdin
        assert nursery.stdout
        print(json.dumps(self.nursery.settings), file=nursery.stdin, flush=True)
        self.pid = int(nursery.stdout.readline().split()[1])
        time.sleep(self.chance.uniform(0, BIRTH))
        self.young += 1
        self._dies()

    def told_by_the_command(self) -> str:
        """What `croupier verify` says of it, in a process of its own."""
        command = [sys.executable, "-m", "croupier", "verify", "--db", self.url,
                   "--checkpoints", str(self.checkpoints)]  # fmt: skip
        path = os.environ | {"PYTHONPATH": str(ROOT / "src")}
        done = subprocess.run(command, capture_output=True, text=True, env=path, cwd=ROOT)
        return "" if done.returncode == 0 else done.stdout + done.stderr


def kills(count: int, seed: int, kind: str, until: float = float("inf")) -> Report:
    """So many deaths, on as many small floors as it takes, or as many as there is time for."""
    total, starts, floors = Counter[str](), list[float](), 0
    while total["kills"] < count and time.monotonic() < until:
        number = seed * 1000 + floors
        folder = Path(tempfile.mkdtemp(prefix="promises-"))  # kept if something is wrong
        with database(kind, folder) as url:
            lives = Lives(url, folder, number)
            try:
                lives.open()
                while lives.kills < min(FLOOR_KILLS, count - total["kills"]):
                    lives.kill()
                if told := lives.told_by_the_command():
                    raise RuntimeError(told)
            except (RuntimeError, OSError) as wrong:
                at = f"{kind}, seed {number}, kill {lives.kills}"
                return [f"{at}: {wrong}; the files are in {folder}"]
            finally:
                lives.close()
        shutil.rmtree(folder)
        floors += 1
        starts += lives.starts
        total.update(kills=lives.kills, young=lives.young, verified=lives.verified)
        total.update({name: lives.books[name] for name in ("acknowledged", "sent_again", "events")})
        so = f"back after {median(starts):.2f} s (median), {max(starts):.2f} at most"
        print(f"{kind}: {floors} floors, {dict(total)}, {so}", flush=True)
    return []


# Flips.


def flips(count: int, seed: int, kind: str) -> Report:
    """So many bytes, each in a fresh copy of a floor. One that is never done with is a fault."""
    logging.disable()  # what a server says of each of them
    choose, tally = random.Random(seed), damage.Tally()
    signal.signal(signal.SIGALRM, _takes_too_long)
    with tempfile.TemporaryDirectory() as name:
        before = damage.a_floor(Path(name) / "floor.db")
        for _ in range(count):
            floor = before.copy(Path(name) / "copy.db")
            what = damage.flip(floor, choose)
            tally.seen["flips"] += 1
            try:
                signal.alarm(PATIENCE)
                starts = damage._starts(floor, what, tally)
                damage.judge(before, floor, what, tally, starts=starts)
            except TooLong:
                tally.fault(f"{what}: it is not done after {PATIENCE} seconds")
            finally:
                signal.alarm(0)
    for what, times in sorted(tally.seen.items()):
        print(f"{times:>6}  {what}")
    return tally.faults


class TooLong(BaseException):
    """No exception that anyone who reads damaged rows would take for damage."""


def _takes_too_long(*_: Any) -> None:
    raise TooLong


# Forgeries.


class Forgeries:
    """Rows as somebody would write them who wants money or rights and knows the software."""

    def __init__(self, thief: Forger, choose: random.Random) -> None:
        self.thief, self.choose = thief, choose
        self.what = ""

    def forge_one(self, table: str, inserts: bool) -> None:
        """One that changes something and that the database takes: it refuses the same key twice."""
        for _ in range(100):
            with suppress(IntegrityError):
                if self.forge(table, inserts):
                    return

    def forge(self, table: str, inserts: bool) -> bool:
        """One row: a new one that is like another, or one that is changed. Whether it was."""
        rows = self.thief.rows(table)
        row = self.choose.choice(rows)
        values = self._wanted(table, row)
        if inserts:
            values = self._keyed(table, row, values)
            self.thief.insert(table, **row | values)
        else:
            column = self.choose.choice([*values])
            values = {column: values[column]}
            values |= self._hashed(table, row | values)
            self.thief.change(table, row, **values)
        self.what = f"{'insert' if inserts else 'update'} {table} {values}"
        return inserts or row != row | values

    def _wanted(self, table: str, row: Values) -> Values:
        """What a thief would like a row to say, column by column; never what it says already."""
        others = self.thief.rows(table)
        found: Values = {}
        for column in self.thief.tables[table].columns:
            name, value = column.name, row[column.name]
            pool = [v for each in others if (v := each[name]) != value]
            pool += self._tempting(table, name, value)
            if pool:
                found[name] = self.choose.choice(pool)
        return found

    def _tempting(self, table: str, name: str, value: Any) -> list[Any]:
        if isinstance(value, bool):
            return [not value]
        if isinstance(value, int):
            return [value + self.choose.choice([1, 100, 1_000_000])]
        if name == "password":
            return [CHEAP.hash(MINE)]
        if name == "link":
            return [digest(MINE)]
        tempting = {"role": ["supervisor"], "status": ["closed", "frozen"], "guest_of": [None]}
        return [each for each in tempting.get(name, ["forged"]) if each != value]

    def _keyed(self, table: str, row: Values, values: Values) -> Values:
        """Some of them, and a key that is not taken."""
        some = {name: value for name, value in values.items() if self.choose.random() < 0.5}
        new = f"forged-{self.choose.randrange(10**9)}"
        if table == "events":
            return self._event(row["stream"])
        if table in ("tables", "accounts"):
            some["id"] = new[-12:]
        if table == "accounts":
            some |= {"name": f"Thief {new}", "key": f"thief {new}", "role": "supervisor"}
            some |= {"password": CHEAP.hash(MINE), "closed": False}
        if table == "requests":
            some |= {"actor": ANN.account, "request": new}
        if table == "balances":
            some["account"] = f"patron:{ANN.account}-{new}"
        if table in ("snapshots", "heads"):
            some["stream"] = new
        return some | self._hashed(table, row | some)

    def _event(self, stream: str) -> Values:
        """One more at the tail of its chain, with a good hash, and money or a role in it."""
        last = self.thief.events(stream)[-1]
        joe = self.thief.one("accounts", name="Joe")
        role = {"account": joe["id"], "before": joe["role"], "after": "supervisor"}
        house = stream == HOUSE
        event = last._replace(
            number=last.number + 1, previous=last.hash, input=None,
            kind=self.choose.choice(["role_changed", "log_in", "paid_in"]) if house else last.kind,
            data=canonical(role), actor=HOUSE if house else last.actor,
            money=canonical({f"patron:{ANN.account}": 10**6, "cash": -(10**6)} if house
                            else {"1": 10**6, "house": -(10**6)}),
        )  # fmt: skip
        return event._replace(hash=event.computed())._asdict()

    def _hashed(self, table: str, row: Values) -> Values:
        """With a hash that fits, if the table has one and there is any point."""
        if table == "rulesets" and self.choose.random() < 0.5:
            said = {name: row[name] for name in ("game", "software")}
            with_options = said | {"options": _loaded(row["options"])}
            return {"hash": digest(canonical(with_options))}
        if table == "events" and self.choose.random() < 0.5:
            event = next(each for each in self.thief.events(row["stream"])[:1])
            fields = {name: row[name] for name in event._fields}
            return {"hash": event._replace(**fields).computed()}
        return {}


def _loaded(text: Any) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return {"table_min": 1}


@contextmanager
def opened(floor: Floor) -> Iterator[House | None]:
    """A server's house on a floor, or None if its doors stay shut, which it says in a sentence."""
    house = House(Config(db=floor.url, tables=[]))
    try:
        house.open()
    except (StorageError, LogBroken):
        yield None
        return
    try:
        yield house
    finally:
        house.close()


def holdings(house: House) -> dict[str, Any]:
    """All the rights and the money that a house grants."""
    register = house.log.register
    found: dict[str, Any] = {
        f"role of {each.id}": (each.role.value, each.guest_of)
        for each in register.accounts.values() if not each.closed
    }  # fmt: skip
    found |= {f"session {each}": True for each in register.sessions}
    found |= {f"cage {name}": cents for name, cents in register.money.items() if cents}
    for stream, live in house.pit.tables.items():
        found[f"table {stream}"] = (
            {name: cents for name, cents in live.accounts().items() if cents},
            {seat: (chair.account, chair.session) for seat, chair in live.chairs.items()},
            canonical(live.ruleset()["options"]), live.link, live.private, live.status,
        )  # fmt: skip
    return found


def gained(house: House, before: dict[str, Any], forged: Values, table: str) -> list[str]:
    """What the forged row is good for."""
    found = [
        f"{name} is {now}, and was {before.get(name)}"
        for name, now in holdings(house).items()
        if before.get(name) != now and not _is_less(before.get(name), now)
    ]
    names = {each.name for each in house.log.register.accounts.values()}
    names |= {str(forged["name"])} if table == "accounts" and "name" in forged else set()
    for name in names:
        try:
            house.people.log_in(name, MINE)
            found.append(f"{name} logs in with the thief's password")
        except (NotAllowed, Refusal, LogBroken, StorageError, ValueError):
            pass
    if table == "requests" and "request" in forged:
        found += _believed(house, forged)
    return found


def _is_less(was: Any, now: Any) -> bool:
    """Whether a right was taken away: all that is lost when an event cannot be read."""
    return isinstance(was, tuple) and now == ("patron", was[1])


def _believed(house: House, forged: Values) -> list[str]:
    """Whether a command of a table is answered with the forged answer."""
    by = Person(ANN.account, ANN.name, ANN.role, ANN.session)
    for stream in [*house.pit.tables]:
        body = {"do": "buy_in", "seat": "1", "amount": 100}
        try:
            reply = house.pit.do(stream, by, body, forged["request"])
        except (Refusal, NotAllowed, Unavailable):
            return []
        if canonical(reply) == canonical(_loaded(forged.get("reply"))):
            return ["a command is answered with the forged answer"]
        return []
    return []


def forgeries(count: int, seed: int, kind: str) -> Report:
    """So many rows in each table; every other one is new."""
    wrong: Report = []
    logging.disable()  # what a house says of each of them
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        before = damage.a_floor(folder / "floor.db")
        with opened(before.copy(folder / "sound.db")) as house:
            assert house is not None
            sound = holdings(house)
        for table in schema.metadata.sorted_tables:
            seen = Counter[str]()
            for at in range(count):
                floor = before.copy(folder / "forged.db")
                told = _forged(floor, table.name, seed * count + at, sound, seen)
                wrong += [f"{table.name}, seed {seed * count + at}: {each}" for each in told]
            print(f"{table.name:>10}: {dict(sorted(seen.items()))}", flush=True)
    return wrong


def _forged(
    floor: Floor, table: str, seed: int, sound: dict[str, Any], seen: Counter[str]
) -> Report:
    """One forgery, looked at by the auditor and by a server that starts on it."""
    was = damage.dump(floor.file)
    with forging(floor, seed) as thief:
        forger = Forgeries(thief, random.Random(seed))
        forger.forge_one(table, inserts=seed % 2 == 0)
    now = damage.dump(floor.file)
    changed = damage.changes(was, now)
    wrong: Report = []
    seen["forged" if changed else "forged, and nothing changed"] += 1
    bad = _tried(lambda: floor.verdict().bad, wrong, forger.what)
    if bad:
        seen["named"] += 1
    elif changed and all(each.is_unproven for each in changed):
        seen["not named: only when it was, or who runs it"] += 1
    elif changed:
        seen["NOT NAMED"] += 1
        wrong.append(f"not named: {forger.what}")
    row = _row_of(changed[0]) if changed else {}

    def look() -> list[str]:
        with opened(floor) as house:
            seen["a server opens" if house else "no doors open"] += 1
            return gained(house, sound, row, table) if house else []

    for each in _tried(look, wrong, forger.what) or []:
        seen["GRANTED"] += 1
        wrong.append(f"{each}: {forger.what}")
    return wrong


def _row_of(change: damage.Change) -> Values:
    names = schema.metadata.tables[change.table].columns.keys()
    row = zip(names, change.now or (), strict=False)
    return {n: v.decode("utf-8", "replace") if isinstance(v, bytes) else v for n, v in row}


def _tried(look: Callable[[], list[Any]], wrong: Report, what: str) -> list[Any]:
    try:
        return look()
    except Exception as error:
        wrong.append(f"{type(error).__name__}: {error}: {what}")
        return []


# Log-ins.


def login(count: int, seed: int, kind: str) -> Report:
    """Ann comes from her own device, and from an address that nobody floods."""
    waits: dict[str, list[float]] = {"a known device": [], "another address": []}
    with tempfile.TemporaryDirectory() as name, database(kind, Path(name)) as url:
        settings = {"CROUPIER_PORT": "0", "CROUPIER_DB": url, "CROUPIER_TABLES": "[]",
                    "CROUPIER_LOG_LEVEL": "warning",
                    "CROUPIER_CHECKPOINTS": f"{name}/checkpoints"}  # fmt: skip
        server = subprocess.Popen(
            [sys.executable, "-c", door.SERVE], stdout=subprocess.PIPE, text=True, cwd=name,
            env=os.environ | settings,
        )  # fmt: skip
        try:
            assert server.stdout is not None
            house = server.stdout.readline().split()[-1]
            answers = _log_ins(house, count, waits)
        finally:
            server.terminate()
            server.wait(20)
    for who, took in waits.items():
        print(f"{who}: {len(took)} log-ins, {median(took) * 1000:.0f} ms (median), "
              f"{max(took) * 1000:.0f} ms at most")  # fmt: skip
    print(f"the crowd: {answers}")
    return [f"from {who} {max(took):.1f} s" for who, took in waits.items() if max(took) > SLOWEST]


def _log_ins(house: str, count: int, waits: dict[str, list[float]]) -> dict[str, int]:
    """So many of each kind, alternating; what the crowd was answered meanwhile."""
    who = {"name": "Ann", "password": door.PASSWORD}
    elsewhere = httpx.HTTPTransport(local_address="127.0.0.2")
    with httpx.Client(trust_env=False, timeout=60) as ann:
        ann.post(f"{house}/api/accounts", json=who)
        door.log_in(ann, house)
        flood = subprocess.Popen(
            [sys.executable, door.__file__, "--crowd", house.rpartition(":")[2],
             "--loops", str(LOOPS), "--seconds", str(4 * count + 10)],
            stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        try:
            time.sleep(5)
            with httpx.Client(transport=elsewhere, trust_env=False, timeout=60) as stranger:
                for _ in range(count):
                    waits["a known device"].append(door.log_in(ann, house))
                    stranger.cookies.clear()
                    waits["another address"].append(door.log_in(stranger, house))
                    time.sleep(1)
            answers: dict[str, int] = json.loads(flood.communicate(timeout=600)[0])
            return answers
        finally:
            flood.kill()


MEASURED: dict[str, tuple[Callable[..., Report], int]] = {
    "kills": (kills, 1000), "flips": (flips, 1000), "forgeries": (forgeries, 100),
    "login": (login, 20),
}  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("what", choices=[*MEASURED])
    parser.add_argument("--count", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--db", choices=["sqlite", "postgresql"], default="sqlite")
    parser.add_argument("--minutes", type=float, default=1e6, help="after which no more are killed")
    given = parser.parse_args()
    measure, usual = MEASURED[given.what]
    began = time.monotonic()
    count = given.count or usual
    if measure is kills:
        wrong = kills(count, given.seed, given.db, began + 60 * given.minutes)
    else:
        wrong = measure(count, given.seed, given.db)
    print(f"{given.what}: {time.monotonic() - began:.0f} s, seed {given.seed}")
    print(*wrong[:50], f"{len(wrong)} promises were not kept" if wrong else "kept", sep="\n")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
