"""The commands of whoever runs a house: what they print, and what they exit with."""

import io
import json
import shutil
import signal
import sqlite3
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from sqlalchemy import select

from croupier.cli.app import run
from croupier.floor import schema
from croupier.floor.checkpoint import FILE, Notary
from croupier.floor.mirror import Mirror
from croupier.floor.storage import Storage
from croupier.server.config import Config
from croupier.simulation.streams import SeededStream
from tests.cli.support import Captured, complaint, document
from tests.floor.conftest import migrated_database, migrated_file, postgres  # noqa: F401
from tests.floor.postgres import Postgres
from tests.floor.support import PATRONS, FakeClock, a_pit, finish, opened, seat_all
from tests.server.support import Server


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test reads the settings of whoever runs it."""
    monkeypatch.chdir(tmp_path)
    for name in ("CROUPIER_DB", "CROUPIER_TOKEN"):
        monkeypatch.delenv(name, raising=False)


class House:
    """A house that was played in, and is closed for the night."""

    def __init__(self, path: Path) -> None:
        self.path, self.db = path, f"sqlite:///{path}"
        self.checkpoints = path.with_name(f"{path.name}.checkpoints")
        storage = Storage(self.db)
        storage.migrate()
        pit = a_pit(
            storage, clock=FakeClock(), chance=SeededStream(3), notary=Notary(self.checkpoints)
        )
        self.tables: dict[str, str] = {}
        choose = Random(7)
        for game in ("roulette", "three-card-poker", "caribbean-stud-poker"):
            at = opened(pit, game)
            self.tables[game] = at.stream
            seat_all(at)
            for _ in range(3):
                finish(at, PATRONS, choose)
        pit.stop()
        storage.close()

    def do(self, statement: str, *values: Any) -> list[Any]:
        with sqlite3.connect(self.path) as connection:
            rows = connection.execute(statement, values).fetchall()
        connection.close()
        return rows


@pytest.fixture(scope="module")
def _played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return House(tmp_path_factory.mktemp("house") / "casino.db").path


@pytest.fixture
def house(_played: Path, tmp_path: Path) -> House:
    """A copy of one, to do with as the test likes."""
    copy = House.__new__(House)
    copy.path = Path(shutil.copy(_played, tmp_path / "casino.db"))
    copy.db = f"sqlite:///{copy.path}"
    copy.checkpoints = tmp_path / "casino.db.checkpoints"
    shutil.copytree(_played.with_name("casino.db.checkpoints"), copy.checkpoints)
    copy.tables = {game: table for table, game in copy.do("SELECT id, game FROM tables")}
    return copy


def printed(capsys: Captured, *args: str, code: int = 0) -> str:
    assert run(args) == code
    out, err = capsys.readouterr()
    assert err == ""
    return str(out)


class TestVerify:
    def test_a_sound_log_is_one_line(self, house: House, capsys: Captured) -> None:
        said = printed(capsys, "verify", "--db", house.db)
        assert said.count("\n") == 1
        assert said.startswith("Sound: ")
        assert "4 logs and 9 rounds, each played again" in said
        assert "signed checkpoints, and every seal." in said

    def test_as_json(self, house: House, capsys: Captured) -> None:
        told = document(capsys, "verify", "--db", house.db)
        assert told["sound"] is True
        assert told["streams"] == 4
        assert told["rounds"] == 9
        assert told["checkpoints"] > 0
        assert told["bad"] == []

    def test_a_bad_event_is_named(self, house: House, capsys: Captured) -> None:
        table = house.tables["roulette"]
        house.do("UPDATE events SET at = 'x' WHERE stream = ? AND number = 9", table)
        assert run(["verify", "--db", house.db]) == 1
        out, err = capsys.readouterr()
        assert out == ""
        assert err == (f"croupier: event 9 of {table}: its hash is not that of its content.\n")

    def test_several_are_listed_as_json(self, house: House, capsys: Captured) -> None:
        house.do("UPDATE events SET at = 'x' WHERE number = 9 AND stream != 'house'")
        told = document(capsys, "verify", "--db", house.db, code=1)
        assert told["sound"] is False
        assert [each["event"] for each in told["bad"]] == [9, 9, 9]
        assert run(["verify", "--db", house.db]) == 1
        assert "; 2 more, which --json lists." in capsys.readouterr().err

    def test_checkpoints_are_found_beside_the_file(self, house: House, capsys: Captured) -> None:
        self.cut(house)
        assert run(["verify", "--db", house.db]) == 1
        assert "was truncated" in capsys.readouterr().err

    def cut(self, house: House) -> None:
        house.do("DELETE FROM events WHERE stream = 'house' AND number > 0")
        house.do("DELETE FROM accounts")

    def test_or_where_somebody_says(self, house: House, tmp_path: Path, capsys: Captured) -> None:
        moved = house.checkpoints.rename(tmp_path / "elsewhere")
        assert run(["verify", "--db", house.db]) == 1
        assert "the checkpoints are missing" in capsys.readouterr().err
        said = printed(capsys, "verify", "--db", house.db, "--checkpoints", str(moved))
        assert "signed checkpoint" in said
        key = (moved / "checkpoint.key.pub").rename(tmp_path / "house.pub")
        said = printed(
            capsys, "verify", "--db", house.db, "--checkpoints", str(moved), "--key", str(key)
        )
        assert "signed checkpoint" in said

    def test_copies_must_agree(self, house: House, tmp_path: Path, capsys: Captured) -> None:
        copy = shutil.copytree(house.checkpoints, tmp_path / "copy")
        (copy / "checkpoint.key").unlink()
        both = ("--checkpoints", str(house.checkpoints), "--checkpoints", str(copy))
        assert "Sound" in printed(capsys, "verify", "--db", house.db, *both)
        assert "Sound" in printed(capsys, "verify", "--db", house.db, "--checkpoints", str(copy))
        path = house.checkpoints / FILE
        path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-1]))
        assert run(["verify", "--db", house.db, "--checkpoints", str(copy)]) == 1
        assert f"which {house.checkpoints} lacks: it was cut" in capsys.readouterr().err

    def test_the_second_copy_of_the_log(
        self, house: House, tmp_path: Path, capsys: Captured
    ) -> None:
        storage = Storage(house.db)
        mirror = Mirror(storage, tmp_path / "mirror")
        mirror.copy()
        mirror.close()
        storage.close()
        given = ("verify", "--db", house.db, "--mirror", str(tmp_path / "mirror"))
        assert printed(capsys, *given).startswith("Sound: ")
        newest = tmp_path / "mirror" / "events-000001.jsonl"
        newest.write_bytes(b"".join(newest.read_bytes().splitlines(keepends=True)[:-2]))
        assert "Remark: the copy is 2 events behind" in printed(capsys, *given)
        assert document(capsys, *given)["remarks"] != []
        nowhere = str(tmp_path / "nowhere")
        assert run(["verify", "--db", house.db, "--mirror", nowhere]) == 1
        assert "there is no copy of the log in" in capsys.readouterr().err

    def test_of_postgresql(
        self,
        postgres: Postgres,  # noqa: F811
        migrated_database: str,  # noqa: F811
        capsys: Captured,
        monkeypatch: pytest.MonkeyPatch,
        tmp_path: Path,
    ) -> None:
        monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
        postgres.execute(f"CREATE DATABASE verified TEMPLATE {migrated_database}")
        storage = Storage(postgres.url("verified"))
        pit = a_pit(storage)
        at = opened(pit, "craps")
        pit.stop()
        storage.close()
        try:
            said = printed(capsys, "verify", "--db", postgres.url("verified"))
            assert "2 logs" in said
            assert "Without checkpoints, a log cut off or hashed anew does not show." in said
            storage = Storage(postgres.url("verified"))
            with storage.write() as conn:
                conn.exec_driver_sql("UPDATE events SET actor = 'thief' WHERE stream != 'house'")
            storage.close()
            assert run(["verify", "--db", postgres.url("verified")]) == 1
            assert f"event 1 of {at.stream}" in capsys.readouterr().err
        finally:
            postgres.execute("DROP DATABASE verified WITH (FORCE)")

    def test_what_cannot_be_checked(self, tmp_path: Path, capsys: Captured) -> None:
        rubbish, empty = tmp_path / "rubbish.db", tmp_path / "empty.db"
        rubbish.write_bytes(b"not a database at all, but long enough to be looked at" * 50)
        sqlite3.connect(empty).close()
        for db, words in (
            (f"sqlite:///{tmp_path}/nowhere.db", "does not exist: start a server on it once"),
            (f"sqlite:///{rubbish}", "is not a database"),
            (f"sqlite:///{empty}", "holds no log: start a server on it once"),
            (f"sqlite:///{tmp_path}", "is a folder"),
            ("mysql://somewhere/db", "--db is 'mysql://somewhere/db'"),
            ("sqlite:///:memory:", "a log in memory is gone"),
        ):
            assert words in complaint(capsys, "verify", "--db", db)

    def test_checkpoints_that_are_not_there(
        self, house: House, tmp_path: Path, capsys: Captured
    ) -> None:
        said = complaint(
            capsys, "verify", "--db", house.db, "--checkpoints", str(tmp_path / "nowhere")
        )
        assert "there are no checkpoints in" in said
        key = tmp_path / "no.key"
        key.write_text("rubbish")
        said = complaint(
            capsys, "verify", "--db", house.db, "--checkpoints", str(house.checkpoints),
            "--key", str(key),
        )  # fmt: skip
        assert "is not an Ed25519 public key" in said

    def test_somebody_who_looks_sees_how_far_it_is(
        self, house: House, capsys: Captured, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from croupier.cli.progress import Bar

        shares: list[float] = []
        done = Bar.done

        def watch(bar: Bar, share: float) -> None:
            shares.append(share)
            done(bar, share)

        monkeypatch.setattr(Bar, "done", watch)
        printed(capsys, "verify", "--db", house.db)
        assert shares[-1] == 1
        assert shares == sorted(shares)


class TestRestored:
    def older(self, house: House, tmp_path: Path, capsys: Captured) -> House:
        """A backup is made, play goes on, and the backup is put in the place of the log."""
        copy = tmp_path / "monday.db"
        printed(capsys, "backup", str(copy), "--db", house.db)
        storage = Storage(house.db)
        pit = a_pit(storage, notary=Notary(house.checkpoints))
        pit.take_over()
        opened(pit, "craps")
        pit.stop()
        storage.close()
        assert "Sound" in printed(capsys, "verify", "--db", house.db)
        for rest in ("-wal", "-shm"):
            Path(f"{house.path}{rest}").unlink(missing_ok=True)
        copy.replace(house.path)
        return house

    def test_a_backup_opens_when_somebody_has_answered_for_it(
        self, house: House, tmp_path: Path, capsys: Captured
    ) -> None:
        """Fault 24."""
        self.older(house, tmp_path, capsys)
        assert run(["verify", "--db", house.db]) == 1
        assert "was truncated" in capsys.readouterr().err
        said = printed(
            capsys, "restored", "--db", house.db, "--by", "Sue", "--why", "the disk burned"
        )
        assert said.startswith("Sue answers for 2 logs: ")
        assert "house" in said
        assert "Sound" in printed(capsys, "verify", "--db", house.db)
        ((noted,),) = house.do("SELECT data FROM events WHERE kind = 'restored'")
        assert json.loads(noted)["why"] == "the disk burned"

    def test_there_may_be_nothing_to_answer_for(self, house: House, capsys: Captured) -> None:
        said = printed(capsys, "restored", "--db", house.db, "--why", "to be sure")
        assert said == "The log is what its checkpoints say: there is nothing to answer for.\n"

    def test_nobody_can_answer_for_a_bad_log(
        self, house: House, tmp_path: Path, capsys: Captured
    ) -> None:
        self.older(house, tmp_path, capsys)
        house.do("UPDATE events SET at = 'x' WHERE number = 5 AND stream != 'house'")
        said = complaint(capsys, "restored", "--db", house.db, "--why", "why not")
        assert "the log is bad by itself" in said

    def test_not_while_a_server_runs(self, house: House, capsys: Captured) -> None:
        storage = Storage(house.db)
        storage.lock()
        said = complaint(capsys, "restored", "--db", house.db, "--why", "why not")
        assert "in use by another server" in said
        storage.close()


class TestBackup:
    def test_it_is_the_whole_log(self, house: House, tmp_path: Path, capsys: Captured) -> None:
        copy = tmp_path / "copy.db"
        said = printed(capsys, "backup", str(copy), "--db", house.db)
        assert said.startswith(f"Copied to {copy}.")
        assert str(house.checkpoints) in said
        kept = ("--checkpoints", str(house.checkpoints))
        told = document(capsys, "verify", "--db", f"sqlite:///{copy}", *kept)
        assert told["sound"]
        assert told["events"] == document(capsys, "verify", "--db", house.db)["events"]

    def test_nothing_is_written_over(self, house: House, tmp_path: Path, capsys: Captured) -> None:
        said = complaint(capsys, "backup", str(house.path), "--db", house.db)
        assert "exists already: name a new file" in said
        said = complaint(capsys, "backup", str(tmp_path / "no" / "copy.db"), "--db", house.db)
        assert "does not exist" in said

    def test_postgresql_does_it_itself(
        self,
        postgres: Postgres,  # noqa: F811
        migrated_database: str,  # noqa: F811
        capsys: Captured,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
        said = complaint(capsys, "backup", "x.dump", "--db", postgres.url(migrated_database))
        assert "pg_dump" in said


class TestDispute:
    def test_the_table_is_frozen_and_the_round_handed_over(
        self, house: House, tmp_path: Path, capsys: Captured
    ) -> None:
        table = house.tables["three-card-poker"]
        said = printed(
            capsys, "dispute", f"{table}/2", "--db", house.db, "--to", str(tmp_path / "out"),
            "--why", "he had a pair",
        )  # fmt: skip
        folder = tmp_path / "out" / f"{table}-2"
        assert said == f"Round 2 of table {table} is in {folder} and {folder}.zip.\n"
        assert (folder / "table.html").exists()
        assert run(["deal", str(folder / "script.json"), "--json"]) == 0
        capsys.readouterr()
        hashes = json.loads((folder / "hashes.json").read_text())
        assert hashes["checkpoint"]["stream"] == table, "what was frozen is signed for"
        ((data,),) = house.do("SELECT data FROM events WHERE kind = 'frozen'")
        assert json.loads(data) == {"why": "he had a pair", "about": 2}
        assert house.do("SELECT status FROM tables WHERE id = ?", table) == [("frozen",)]
        assert "Sound" in printed(capsys, "verify", "--db", house.db)

    def test_the_table_may_be_named_apart(
        self, house: House, tmp_path: Path, capsys: Captured
    ) -> None:
        table = house.tables["roulette"]
        printed(capsys, "dispute", "3", "--table", table, "--db", house.db)
        assert (tmp_path / "disputes" / f"{table}-3" / "round.json").exists()

    def test_a_bad_log_is_handed_over_as_well(
        self, house: House, tmp_path: Path, capsys: Captured
    ) -> None:
        table = house.tables["roulette"]
        house.do("DELETE FROM snapshots")
        house.do("UPDATE events SET at = 'x' WHERE stream = ? AND number = 3", table)
        assert run(["dispute", f"{table}/2", "--db", house.db]) == 0
        out, err = capsys.readouterr()
        assert "its log is bad" in err
        assert "is in " in out
        readme = (tmp_path / "disputes" / f"{table}-2" / "README.txt").read_text()
        assert "THE LOG IS BAD" in readme

    @pytest.mark.parametrize("said", ["7", "x/0", "/3", "x/-1", "x/1.5", "x/", "x/²"])
    def test_what_is_no_round(self, house: House, capsys: Captured, said: str) -> None:
        assert "must read TABLE/ROUND" in complaint(capsys, "dispute", said, "--db", house.db)

    def test_what_is_not_there(self, house: House, tmp_path: Path, capsys: Captured) -> None:
        table = house.tables["roulette"]
        assert "there is no round 99" in complaint(
            capsys, "dispute", f"{table}/99", "--db", house.db
        )
        assert "there is no round 1" in complaint(capsys, "dispute", "nowhere/1", "--db", house.db)
        assert "another table" in complaint(
            capsys, "dispute", f"{table}/1", "--table", "x", "--db", house.db
        )
        assert house.do("SELECT count(*) FROM events WHERE kind = 'frozen'") == [(0,)]
        (tmp_path / "file").write_text("")
        assert "cannot be written" in complaint(
            capsys, "dispute", f"{table}/1", "--db", house.db, "--to", str(tmp_path / "file")
        )

    def test_a_running_server_must_be_asked(self, house: House, capsys: Captured) -> None:
        storage = Storage(house.db)
        storage.lock()
        said = complaint(capsys, "dispute", f"{house.tables['roulette']}/1", "--db", house.db)
        assert "a server runs this table: ask it, with --server URL and CROUPIER_TOKEN" in said
        storage.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    started = Server(tmp_path_factory.mktemp("floor")).appoint().start()
    yield started
    started.close()


@pytest.fixture(scope="module")
def table(server: Server) -> str:
    """A table of the server at which a round was played."""
    ann = server.floor("Ann").find("roulette")
    ann.sit(buy_in=50_000)
    ann.play_round({"straight:17": 500})
    return str(ann.id)


class TestDisputeAtAServer:
    def token(self, server: Server, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("CROUPIER_TOKEN", server.another(name)._token or "")

    def test_it_freezes_the_table_and_hands_over(
        self, server: Server, table: str, tmp_path: Path, capsys: Captured,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:  # fmt: skip
        self.token(server, "Sue", monkeypatch)
        printed(capsys, "dispute", f"{table}/1", "--server", server.url, "--why", "it was 17")
        folder = tmp_path / "disputes" / f"{table}-1"
        told = json.loads((folder / "round.json").read_text())
        assert told["settlements"][0]["wager"] == "straight:17"
        assert told["status"] == "frozen"
        with zipfile.ZipFile(folder.with_name(f"{folder.name}.zip")) as packed:
            assert sorted(packed.namelist()) == sorted(path.name for path in folder.iterdir())

    def test_those_who_may_not_are_told_so(
        self, server: Server, table: str, capsys: Captured, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        assert "CROUPIER_TOKEN" in complaint(
            capsys, "dispute", f"{table}/1", "--server", server.url
        )
        self.token(server, "Ann", monkeypatch)
        said = complaint(capsys, "dispute", f"{table}/1", "--server", server.url)
        assert "the server refuses: a patron may not do this" in said
        monkeypatch.setenv("CROUPIER_TOKEN", "wrong")
        said = complaint(capsys, "dispute", f"{table}/1", "--server", server.url)
        assert "the session is over" in said

    def test_a_server_that_is_none(self, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("CROUPIER_TOKEN", "x")
        for url in ("http://127.0.0.1:9", "nonsense", "http://["):
            assert "does not answer as a floor does" in complaint(
                capsys, "dispute", "x/1", "--server", url
            )


class TestReport:
    @pytest.mark.parametrize("what", ["win", "funds", "vigorish", "meters", "balances"])
    def test_each_has_a_table_and_a_document(
        self, house: House, capsys: Captured, what: str
    ) -> None:
        told = document(capsys, "report", what, "--db", house.db)
        assert told["report"] == what
        assert printed(capsys, "report", what, "--db", house.db)

    def test_win_is_what_is_asked_for_most(self, house: House, capsys: Captured) -> None:
        said = printed(capsys, "report", "--db", house.db)
        for words in ("A table of roulette", "Staked", "Hold", "Edge", "%", "Theory is the"):
            assert words in said

    def test_poker_is_solved_if_asked(self, house: House, capsys: Captured) -> None:
        told = document(capsys, "report", "win", "--theory", "--db", house.db)
        (poker,) = (each for each in told["tables"] if each["game"] == "three-card-poker")
        assert any(each.get("theory") for each in poker["by_wager"])

    def test_what_there_is_no_report_of(self, house: House, capsys: Captured) -> None:
        said = complaint(capsys, "report", "tips", "--db", house.db)
        assert "it is win, funds, vigorish, meters, balances" in said

    def test_a_wager_out_of_range_is_marked(self, capsys: Captured) -> None:
        from croupier.cli.house import _wager

        theory = {"edge": 0.0526, "expected": 100.0, "z": 3.5, "outside": True}
        row = {"title": "Red", "wagers": 200, "staked": 100_000, "win": 9000, "hold": 0.09}
        assert _wager({**row, "theory": theory})[-1] == "[bold red]+3.50 !"
        assert _wager({**row, "theory": {**theory, "outside": False}})[-1] == "+3.50"


class TestAccounts:
    @pytest.fixture
    def db(self, tmp_path: Path) -> str:
        return f"sqlite:///{tmp_path / 'new.db'}"

    def account(self, db: str, monkeypatch: pytest.MonkeyPatch, *args: str, typed: str = "") -> int:
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        return run(["account", *args, "--db", db])

    def rows(self, db: str) -> dict[str, Any]:
        storage = Storage(db)
        with storage.read() as conn:
            found = {row.name: row for row in conn.execute(select(schema.accounts))}
        storage.close()
        return found

    def test_the_life_of_an_account(
        self, db: str, monkeypatch: pytest.MonkeyPatch, capsys: Captured
    ) -> None:
        """In a new database, as a house begins; and each step is in the house's log."""
        add = ("add", "Sue", "--role", "supervisor")
        assert self.account(db, monkeypatch, *add, typed="a long password\n") == 0
        assert capsys.readouterr().out == "Sue has an account as supervisor.\n"
        assert self.rows(db)["Sue"].role == "supervisor"
        assert self.account(db, monkeypatch, "role", "Sue", "--role", "dealer") == 0
        assert self.rows(db)["Sue"].role == "dealer"
        assert self.account(db, monkeypatch, "unlock", "Sue") == 0
        before = self.rows(db)["Sue"].password
        assert self.account(db, monkeypatch, "password", "Sue", typed="another one\n") == 0
        assert self.rows(db)["Sue"].password != before
        assert self.account(db, monkeypatch, "close", "Sue") == 0
        assert self.rows(db)["Sue"].closed
        capsys.readouterr()
        said = printed(capsys, "verify", "--db", db)
        assert "6 events of 1 log" in said, "and that the log is sealed from its beginning"

    def test_somebody_who_types_is_asked_twice(
        self, db: str, monkeypatch: pytest.MonkeyPatch, capsys: Captured
    ) -> None:
        class Terminal(io.StringIO):
            def isatty(self) -> bool:
                return True

        asked: list[str] = []

        def type_it(prompt: str, **_: Any) -> str:
            asked.append(prompt)
            return "a long password"

        monkeypatch.setattr("typer._click.termui.hidden_prompt_func", type_it, raising=False)
        monkeypatch.setattr("click.termui.hidden_prompt_func", type_it, raising=False)
        monkeypatch.setattr(sys, "stdin", Terminal())
        assert run(["account", "add", "Ann", "--db", db]) == 0
        assert len(asked) == 2
        assert self.rows(db)["Ann"].role == "patron"

    @pytest.mark.parametrize(
        ("args", "typed", "words"),
        [
            (("add", "Ann", "--role", "king"), "a long password", "there is no role 'king'"),
            (("add", "Ann"), "short", "a password has 8 to 200 characters"),
            (("add", "Ann"), "", "a password has 8 to 200 characters"),
            (("add", " "), "a long password", "a name has 1 to 40 characters"),
            (("close", "Ann"), "", "nobody here is called Ann"),
            (("role", "Ann", "--role", "dealer"), "", "nobody here is called Ann"),
        ],
    )
    def test_what_is_refused(
        self, db: str, monkeypatch: pytest.MonkeyPatch, capsys: Captured,
        args: tuple[str, ...], typed: str, words: str,
    ) -> None:  # fmt: skip
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        assert words in complaint(capsys, "account", *args, "--db", db)

    def test_a_name_that_is_taken(
        self, db: str, monkeypatch: pytest.MonkeyPatch, capsys: Captured
    ) -> None:
        assert self.account(db, monkeypatch, "add", "Ann", typed="a long password\n") == 0
        capsys.readouterr()
        monkeypatch.setattr(sys, "stdin", io.StringIO("a long password\n"))
        assert "that name is taken" in complaint(capsys, "account", "add", "ANN", "--db", db)


class TestServe:
    def test_what_is_said_goes_to_the_server(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        served: list[tuple[Config, bool]] = []

        def serve(config: Config, *, open_browser: bool) -> int:
            served.append((config, open_browser))
            return 0

        monkeypatch.setattr("croupier.server.run.serve", serve)
        file = tmp_path / "house.toml"
        file.write_text("bet_seconds = 7\nport = 1\n")
        db = f"sqlite:///{tmp_path / 'new' / 'casino.db'}"
        assert run(["serve", "--port", "8080", "--db", db, "--config", str(file), "--open"]) == 0
        ((config, open_browser),) = served
        assert (config.port, config.db, config.bet_seconds) == (8080, db, 7)
        assert config.host == "127.0.0.1"
        assert open_browser is True
        assert (tmp_path / "new").is_dir(), "the folders are made"

    def test_it_exits_as_the_server_does(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        monkeypatch.setattr("croupier.server.run.serve", lambda config, **_: 1)
        assert run(["serve", "--db", f"sqlite:///{tmp_path / 'casino.db'}"]) == 1

    @pytest.mark.parametrize(
        ("args", "words"),
        [
            (("--port", "70000"), "--port is 70000"),
            (("--port", "many"), "Invalid value for '--port'"),
            (("--host", "0.0.0.0"), "the traffic of patrons is encrypted"),
            (("--config", "nowhere.toml"), "there is no file of settings"),
            (("--db", "nonsense"), "--db is 'nonsense'"),
        ],
    )
    def test_settings_that_are_refused(
        self, capsys: Captured, tmp_path: Path, args: tuple[str, ...], words: str
    ) -> None:
        db = () if "--db" in args else ("--db", f"sqlite:///{tmp_path / 'casino.db'}")
        assert words in complaint(capsys, "serve", *args, *db)

    def test_for_real(self, tmp_path: Path) -> None:
        """It says where it is, and goes when it is told to."""
        program = "from croupier.cli import main; main()"
        with subprocess.Popen(
            [sys.executable, "-c", program, "serve", "--port", "0",
             "--db", f"sqlite:///{tmp_path / 'casino.db'}"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path,
        ) as process:  # fmt: skip
            assert process.stdout is not None
            said = process.stdout.readline()
            assert said.startswith("The casino floor is open at http://127.0.0.1:")
            assert httpx.get(f"{said.split()[-1]}/api/games", timeout=30).is_success
            process.send_signal(signal.SIGTERM)
            assert process.wait(30) == 0


def test_help_knows_nothing_of_the_floor() -> None:
    """`croupier --help` is instant: what a command needs, that command imports."""
    program = (
        "import sys; from croupier.cli.app import run; run(['--help']); "
        "print([name for name in sys.modules if name.startswith(('croupier.floor', "
        "'croupier.server', 'sqlalchemy', 'fastapi', 'httpx', 'croupier.games'))])"
    )
    told = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    ).stdout
    assert told.splitlines()[-1] == "[]"
    for command in ("serve", "verify", "restored", "backup", "dispute", "report", "account"):
        assert f"\n  {command}" in told


@pytest.mark.parametrize(
    "command", ["serve", "verify", "restored", "backup", "dispute", "report", "account add"]
)
def test_help_teaches(capsys: Captured, command: str) -> None:
    said = printed(capsys, *command.split(), "--help")
    assert "Usage: croupier" in said
    assert "--db" in said
