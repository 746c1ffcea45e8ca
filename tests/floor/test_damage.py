"""Damage is named where it is, and the rest of the house goes on.

Every column of every table is spoiled in every way, directly in the file of a
small floor. Whatever it is, `verify` names it and nothing else, nothing ends in
a traceback, and every table without damage opens and takes a wager.
"""

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Table, Text, insert
from typer.testing import CliRunner

from croupier.cli.app import app
from croupier.cli.common import InputError
from croupier.floor import integrity, schema
from croupier.floor.events import HOUSE, canonical, digest
from croupier.floor.storage import Storage
from croupier.floor.verify import verify
from croupier.rulebook import Fault, Refusal
from croupier.server.config import Config
from croupier.server.house import House
from tests.floor.damage import Floor, Tally, a_floor, changes, dump, flips, judge, untouched
from tests.floor.forgery import FORGERIES, UNSEALED, forged
from tests.floor.postgres import Postgres
from tests.floor.support import ANN, admit

Spoil = Callable[[Any], str]  # what a value becomes, in SQL


def flipped(value: Any) -> str:
    if isinstance(value, int):
        return str(value ^ 1 << 20)
    return repr(chr(ord(value[0]) ^ 1) + value[1:]) if value else "'a'"


KINDS: dict[str, Spoil] = {
    "no utf-8": lambda value: "CAST(x'41ff42' AS TEXT)",
    "a blob": lambda value: "x'00ff00'",
    "text for a number": lambda value: "'twelve'",
    "a huge number": lambda value: "9223372036854775807",
    "nothing": lambda value: "NULL",
    "empty": lambda value: "''",
    "a flipped bit": flipped,
}
OF_NUMBERS = {"text for a number", "a huge number"}
TABLES = schema.metadata.sorted_tables
every_table = pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Floor:
    floor = a_floor(tmp_path_factory.mktemp("floor") / "sound.db")
    assert floor.verdict().bad == []
    return floor


@pytest.fixture
def floor(sound: Floor, tmp_path: Path) -> Floor:
    return sound.copy(tmp_path / "floor.db")


def a_row(floor: Floor, table: Table) -> tuple[int, dict[str, Any]]:
    """A row in the middle of a table, and its rowid: of a table's log rather than the house's."""
    with closing(sqlite3.connect(floor.file)) as raw:
        raw.row_factory = sqlite3.Row
        rows = [dict(row) for row in raw.execute(f"SELECT rowid AS row_id, * FROM {table.name}")]
    rows = [row for row in rows if row.get("stream") != HOUSE] or rows
    row = rows[len(rows) // 2]
    return row.pop("row_id"), row


def spoil(floor: Floor, table: Table, statement: str) -> None:
    """Do what the database would not let anyone do."""
    strict, lax = "PRAGMA writable_schema=ON", f"name = '{table.name}'"
    with closing(sqlite3.connect(floor.file)) as raw:
        (was,) = raw.execute(f"SELECT sql FROM sqlite_master WHERE {lax}").fetchone()
    floor.do(strict, f"UPDATE sqlite_master SET sql = replace(sql, 'NOT NULL', '') WHERE {lax}")
    floor.do("PRAGMA ignore_check_constraints=ON", statement)
    again = was.replace("'", "''")
    floor.do(strict, f"UPDATE sqlite_master SET sql = '{again}' WHERE {lax}")


def held(sound: Floor, floor: Floor, what: str) -> None:
    """All that must hold of a damaged floor; and nothing is named that is not damaged."""
    tally = Tally()
    after = dump(floor.file)
    named = judge(sound, floor, what, tally)
    assert tally.faults == []
    changed = changes(untouched(sound.file), after)
    owners = {name for each in changed for name in each.owners()}
    if {each.table for each in changed} <= {"rulesets"}:
        owners |= {*floor.tables.values()}
    assert named <= owners


class TestEveryColumn:
    @pytest.mark.parametrize("kind", KINDS)
    @every_table
    def test_is_named_and_nothing_else_suffers(
        self, sound: Floor, tmp_path: Path, table: Table, kind: str
    ) -> None:
        at, row = a_row(sound, table)
        numbers_only = kind in OF_NUMBERS
        for column in [each.name for each in table.columns]:
            if numbers_only and isinstance(table.columns[column].type, Text):
                continue  # any text is text
            floor = sound.copy(tmp_path / "floor.db")
            value = KINDS[kind](row[column])
            spoil(floor, table, f'UPDATE {table.name} SET "{column}" = {value} WHERE rowid = {at}')
            held(sound, floor, f"{table.name}.{column} is {kind}")

    @every_table
    def test_a_row_that_is_gone(self, sound: Floor, floor: Floor, table: Table) -> None:
        at, _ = a_row(sound, table)
        floor.do(f"DELETE FROM {table.name} WHERE rowid = {at}")
        if table is schema.snapshots:
            assert floor.verdict().bad == [], "nothing says that there must be one"
        else:
            held(sound, floor, f"a row of {table.name} is gone")

    @every_table
    def test_a_row_that_is_there_twice(self, sound: Floor, floor: Floor, table: Table) -> None:
        """Which needs a table without its keys: that is named too."""
        at, _ = a_row(sound, table)
        floor.do(
            f"CREATE TABLE copy AS SELECT * FROM {table.name}",
            f"DROP TABLE {table.name}",
            f"ALTER TABLE copy RENAME TO {table.name}",
            f"INSERT INTO {table.name} SELECT * FROM {table.name} WHERE rowid = {at}",
        )
        found = floor.verdict().bad
        assert (f"the {table.name}", "its primary key is gone") in [
            (b.stream, b.why) for b in found
        ]


class TestTheCommand:
    @pytest.mark.parametrize(
        ("statement", "said"),
        [
            ("UPDATE events SET data = CAST(x'ff' AS TEXT) WHERE stream = '{0}' AND number = 5",
             "event 5 of {0}: its hash is not that of its content"),
            ("UPDATE events SET round = 'two' WHERE stream = '{0}' AND number = 5",
             "event 5 of {0}: its round is not a whole number"),
            ("UPDATE events SET actor = x'00' WHERE stream = 'house' AND number = 2",
             "event 2 of house: its actor is not text"),
            ("UPDATE tables SET name = CAST(x'ff' AS TEXT) WHERE id = '{0}'", "its name is"),
        ],
    )  # fmt: skip
    def test_names_the_damage_in_a_sentence(self, floor: Floor, statement: str, said: str) -> None:
        stream = floor.tables["roulette"]
        floor.do(statement.format(stream))
        result = CliRunner().invoke(app, ["verify", "--db", floor.url])
        assert result.exit_code == 1
        assert result.exception is None or isinstance(result.exception, SystemExit)
        told = " ".join(result.output.split())
        assert said.format(stream) in told or "the table's name is" in told

    def test_in_json_it_names_all_of_it(self, floor: Floor) -> None:
        roulette, craps = floor.tables["roulette"], floor.tables["craps"]
        floor.do(
            f"UPDATE events SET data = x'ff' WHERE stream = '{roulette}' AND number = 5",
            f"UPDATE events SET actor = 'thief' WHERE stream = '{craps}' AND number = 9",
            "UPDATE accounts SET role = x'00' WHERE name = 'Joe'",
        )
        result = CliRunner().invoke(app, ["verify", "--db", floor.url, "--json"])
        assert result.exit_code == 1
        bad = json.loads(result.output)["bad"]
        named = {(each["stream"], each["event"]) for each in bad}
        assert {(roulette, 5), (craps, 9)} <= named
        assert {stream for stream, _ in named} == {roulette, craps, HOUSE, "the accounts"}

    def test_a_file_that_is_none_is_refused_in_a_sentence(self, floor: Floor) -> None:
        content = floor.file.read_bytes()
        floor.file.write_bytes(b"SQLite for mat 3\0"[:16] + content[16:])
        result = CliRunner().invoke(app, ["verify", "--db", floor.url])
        assert isinstance(result.exception, InputError)
        assert "is not a database: name another file" in str(result.exception)


class TestTheHouse:
    def test_opens_every_table_but_the_damaged_one(self, floor: Floor) -> None:
        roulette, poker, craps = floor.tables.values()
        floor.do(
            f"UPDATE events SET hash = CAST(x'ff' AS TEXT) WHERE stream = '{roulette}' "
            f"AND number = (SELECT max(number) FROM events WHERE stream = '{roulette}')",
            f"UPDATE tables SET status = 'ajar' WHERE id = '{poker}'",
        )
        house = House(Config(db=floor.url))
        house.open()
        try:
            assert {*house.pit.tables} == {craps}
            assert "was hashed anew" in house.pit.broken[roulette]
            assert "its status is 'ajar'" in house.pit.broken[poker]
            house.pit.do(craps, ANN, {"do": "buy_in", "seat": "1", "amount": 100})
        finally:
            house.close()

    def test_the_audit_looks_at_every_log_and_freezes_what_is_bad(self, floor: Floor) -> None:
        """Damage before the last snapshot does not keep a table shut; the audit finds it."""
        roulette, poker, craps = floor.tables.values()
        floor.do(
            f"UPDATE events SET at = x'ff' WHERE stream = '{roulette}' AND number = 2",
            f"UPDATE events SET actor = 'thief' WHERE stream = '{craps}' AND number = 2",
            f"UPDATE events SET stream = x'00' WHERE stream = '{HOUSE}' AND number = 1",
        )
        house = House(Config(db=floor.url))
        house.open()
        try:
            assert {*house.pit.tables} == {roulette, poker, craps}
            found = house.audit()
            assert found == house.found_bad
            assert found == {
                "the events": "the events: rows are of b'\\x00', which is not text",
                HOUSE: "event 1 of house: it is missing",
                roulette: f"event 2 of {roulette}: its at is not text",
                craps: f"event 2 of {craps}: its hash is not that of its content",
            }
            admit(house.log, ANN)  # whom the house's damaged log has logged out
            for stream in (roulette, craps):
                with pytest.raises(Refusal) as refused:
                    house.pit.do(stream, ANN, {"do": "buy_in", "seat": "1", "amount": 100})
                assert refused.value.fault is Fault.TABLE_FROZEN
            house.pit.do(poker, ANN, {"do": "buy_in", "seat": "1", "amount": 100})
        finally:
            house.close()


class TestTheFile:
    def test_flipped_bytes(self, tmp_path: Path) -> None:
        tally = flips(40, 47, tmp_path)
        assert tally.faults == []
        assert tally.seen["changed rows that are named"] > 5
        assert tally.seen["tables without damage that took a wager"] > 50

    def test_a_damaged_index(self, sound: Floor, floor: Floor) -> None:
        """The row is there, and a lookup would miss it: a command would be done twice."""
        with closing(sqlite3.connect(floor.file)) as raw:
            (root,) = raw.execute(
                "SELECT rootpage FROM sqlite_master WHERE name = 'sqlite_autoindex_requests_1'"
            ).fetchone()
            request = raw.execute("SELECT request FROM requests WHERE actor <> 'house'").fetchone()
        content = bytearray(floor.file.read_bytes())
        at = content.index(request[0].encode(), (root - 1) * 4096, root * 4096)
        content[at] ^= 1
        floor.file.write_bytes(content)
        assert not changes(dump(sound.file), dump(floor.file))
        found = [bad for bad in floor.verdict().bad if bad.stream == "the requests"]
        assert any("missing from index" in bad.why for bad in found)


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forged_row(floor: Floor, name: str) -> None:
    assert forged(floor, name, seed=7) is (name not in UNSEALED)


class TestPostgreSQL:
    """Its files are its own; but an index may miss rows there too."""

    @pytest.fixture
    def storage(self, postgres: Postgres, migrated_database: str) -> Iterator[Storage]:
        postgres.execute(f"CREATE DATABASE damaged TEMPLATE {migrated_database}")
        storage = Storage(postgres.url("damaged"))
        yield storage
        storage.close()
        postgres.execute("DROP DATABASE damaged WITH (FORCE)")

    def rules(self, storage: Storage, name: str) -> None:
        said = {"game": "craps", "options": {"name": name}, "software": "1"}
        with storage.write() as conn:
            conn.execute(insert(schema.rulesets).values(
                said | {"hash": digest(canonical(said)), "options": canonical(said["options"])}
            ))  # fmt: skip

    @pytest.mark.parametrize("amcheck", [False, True])
    def test_a_row_that_its_index_misses(self, storage: Storage, amcheck: bool) -> None:
        with storage.write() as conn:
            there = "SELECT count(*) FROM pg_available_extensions WHERE name = 'amcheck'"
            if amcheck and not conn.exec_driver_sql(there).scalar():
                pytest.skip("amcheck is not installed on this machine")
            if amcheck:
                conn.exec_driver_sql("CREATE EXTENSION amcheck")
        verdict = verify(storage)
        assert verdict.bad == []
        assert verdict.integrity == (integrity.BY_AMCHECK if amcheck else integrity.BY_COUNTING)
        self.rules(storage, "one")
        (named,) = verify(storage).bad
        assert named.why.endswith("nothing was played by these rules")
        for ready in ("false", "true"):
            with storage.write() as conn:
                conn.exec_driver_sql(
                    f"UPDATE pg_index SET indisready = {ready} "
                    "WHERE indexrelid = 'pk_rulesets'::regclass"
                )
            if ready == "false":
                again = Storage(storage.url)  # which does not know that there is an index
                self.rules(again, "two")
                again.close()
        found = [(bad.stream, bad.why) for bad in verify(storage).bad]
        assert "the rulesets" in {stream for stream, _ in found}
        assert any("pk_rulesets" in why or "1 of its 2 rows" in why for _, why in found)
