"""Build floors with the software at hand, and keep them for the versions to come.

    python -m tests.floor.floors.make tests/floor/floors/0.7.0

What happens on them is in `plan`. Times, outcomes, wagers and the ids of
tables follow from a seed; accounts, sessions and keys are new each time, as
the house makes them.
"""

import json
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import text

from croupier import __version__
from croupier.floor import checkpoint
from croupier.floor.software import software
from croupier.floor.storage import Storage
from croupier.floor.verify import verify
from tests.floor.floors import kept, plan
from tests.floor.floors.evening import Evening
from tests.floor.postgres import Postgres

# One on each database and after each ending; all four of 0.6.0 are kept.
SEEDS = {"sqlite-stopped": 60, "postgresql-killed": 61}
SHOWN = (
    "name", "game", "status", "phase", "round", "number", "bets", "vigorish_owed", "meter",
    "notice", "dealer", "state",
)  # fmt: skip
ASKED = ("number", "seat", "moves", "default", "offer")


def main(folder: Path) -> None:
    """Build every floor into a folder."""
    server = Postgres()
    try:
        for name, seed in SEEDS.items():
            to = folder / name
            to.mkdir(parents=True)
            build(kept.Kept(to), server, seed)
            size = sum(file.stat().st_size for file in to.iterdir())
            print(f"{to}: {size:,} bytes")
    finally:
        server.remove()


def build(floor: kept.Kept, server: Postgres, seed: int) -> None:
    """Let an evening take place, end it, and keep the database, the checkpoints and the books."""
    with _folder() as work, _folder() as copied, _folder() as again:
        url, copy = _database(floor, server, work)
        marks = work / "checkpoints"
        evening = Evening(url, marks, seed)
        plan.whole(evening)
        books = written(evening)
        if floor.ending == "stopped":
            evening.house.close()
        copy(copied)
        _copy_checkpoints(marks, copied, torn=floor.ending == "killed")
        if floor.ending == "killed":
            evening.house.close()
        kept.pack(sorted(copied.iterdir()), floor.folder)
        books["flawed"] = flawed(floor, floor.unpack(again, lambda: server), again, evening)
    (floor.folder / kept.BOOKS).write_text(_in_lines(books), "utf-8")


def _database(floor: kept.Kept, server: Postgres, work: Path) -> tuple[str, Callable[[Path], None]]:
    """A new database, and how it is copied into a folder."""
    if floor.dialect == "sqlite":
        file = work / kept.FILE
        return f"sqlite:///{file}", lambda to: kept.copy_file(file, to)
    name = floor.folder.name.replace("-", "_")
    server.execute(f"CREATE DATABASE {name}")
    url = server.url(name)
    return url, lambda to: kept.dump(url, to / kept.DUMP)


def _in_lines(books: dict[str, Any]) -> str:
    """The books in JSON, a table or a person in a line."""

    def one(value: Any) -> str:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))

    parts = [
        f"{one(key)}:{{\n" + ",\n".join(f"{one(k)}:{one(v)}" for k, v in of.items()) + "\n}"
        if isinstance(of, dict) else f"{one(key)}:{one(of)}"
        for key, of in books.items()
    ]  # fmt: skip
    return "{\n" + ",\n".join(parts) + "\n}\n"


@contextmanager
def _folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="floor") as name:
        yield Path(name)


def _copy_checkpoints(marks: Path, to: Path, *, torn: bool = False) -> None:
    """The signed lines and their key. A kill may leave half of a line behind the last."""
    for name in kept.CHECKPOINTS:
        (to / name).write_bytes((marks / name).read_bytes())
    if torn:
        with (to / kept.CHECKPOINTS[0]).open("rb+") as file:
            file.write(b'{"line":%d,"at":"20' % (1 + len(file.readlines())))


def flawed(floor: kept.Kept, url: str, checkpoints: Path, evening: Evening) -> dict[str, str]:
    """The tables that this very version does not prove, each with its reason.

    There are none but those whose wagers came in another order than that of their names.
    """
    storage = Storage(url)
    try:
        verdict = verify(storage, checkpoint.read(checkpoints))
    finally:
        storage.close()
    bad = {broken.stream: broken.why for broken in verdict.bad}
    if floor.ending == "killed":
        assert "breaks off" in bad.pop("the checkpoints")
    unexpected = bad.keys() - evening.shuffled
    assert not unexpected, {stream: bad[stream] for stream in unexpected}
    return bad


# The books.


def written(evening: Evening) -> dict[str, Any]:
    """What stands on the floor, as its people see it."""
    settled = rounds(evening)
    return {
        "version": __version__,
        "software": software(),
        "ended": evening.clock.now(),
        "people": {
            name: {**about, "password": evening.passwords.get(name)}
            for name, about in evening.accounts.items()
        },
        "tables": {
            at.stream: {**standing(evening, shows), "rounds": settled.get(at.stream, {})}
            for shows, at in evening.tables.items()
        },
        "house": dict(zip(("events", "head"), evening.head("house"), strict=True)),
        "shuffled": sorted(evening.shuffled),
        "disputes": evening.disputes,
        "answered": evening.answered,
    }


def standing(evening: Evening, shows: str) -> dict[str, Any]:
    """One table, as surveillance sees it."""
    at = evening.tables[shows]
    sam = evening.people["Sam"]
    view = at.live.view(sam.account, session=sam.session, sees_all=True)
    number, head = evening.head(at.stream)
    assert number == view["number"]
    asked = view["asked"]
    return {
        **{key: view[key] for key in SHOWN},
        "head": head,
        "balances": balances(evening, at.stream),
        "private": at.live.private,
        "in_progress": at.live.play is not None,
        "seats": {
            seat: {key: chair[key] for key in ("name", "stack", "ready", "leaving", "waiting")}
            for seat, chair in view["seats"].items()
        },
        "asked": {key: asked[key] for key in ASKED} if asked else None,
    }


def balances(evening: Evening, stream: str) -> dict[str, int]:
    """What every account of a table holds, as the database has it."""
    query = text("SELECT account, cents FROM balances WHERE stream = :stream AND cents <> 0")
    with evening.house.storage.read() as conn:
        rows = conn.execute(query, {"stream": stream})
        return {row.account: row.cents for row in rows}


def rounds(evening: Evening) -> dict[str, dict[str, Any]]:
    """Every settled round of every table, as its rows in the database tell it."""
    query = text(
        "SELECT stream, round, data FROM events WHERE kind = 'round_over' ORDER BY stream, number"
    )
    found: dict[str, dict[str, Any]] = {}
    with evening.house.storage.read() as conn:
        for stream, number, data in conn.execute(query):
            told = json.loads(data)
            found.setdefault(stream, {})[str(number)] = {
                "void": told["void"], "stacks": told["stacks"],
                "settlements": told["settlements"],
            }  # fmt: skip
    return found


if __name__ == "__main__":
    main(Path(sys.argv[1]))
