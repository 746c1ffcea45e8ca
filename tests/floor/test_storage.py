"""The storage keeps what it acknowledged, on both databases, whatever happens to it."""

import os
import resource
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection, func, insert, inspect, make_url, select, text
from sqlalchemy import exc as sql

from croupier.floor import migrations, storage
from croupier.floor.schema import metadata, rulesets
from croupier.floor.storage import (
    Storage,
    StorageBroken,
    StorageDamaged,
    StorageFull,
    StorageInUse,
    StorageLost,
    StorageRefused,
)
from tests.floor.postgres import PASSWORD, Postgres


def add(connection: Connection, name: str, size: int = 1) -> None:
    row = {"hash": name, "game": "craps", "options": "x" * size, "software": "1"}
    connection.execute(insert(rulesets), row)


def put(storage: Storage, *names: str, size: int = 1) -> None:
    with storage.write() as connection:
        for name in names:
            add(connection, name, size)


def held(storage: Storage) -> set[str]:
    with storage.read() as connection:
        return set(connection.execute(select(rulesets.c.hash)).scalars())


SERVE = """
storage = Storage(sys.argv[1])
storage.lock()
storage.lock()
with storage.write():
    pass
print("locked", flush=True)
sys.stdin.readline()
"""


def locks_of(path: Path) -> list[str]:
    """The ranges of a file that this process has locked."""
    inode = f":{path.stat().st_ino} "
    told = Path("/proc/locks").read_text("ascii").splitlines()
    return [" ".join(line.split()[1:]) for line in told
            if inode in line and f" {os.getpid()} " in line and "POSIX" in line]  # fmt: skip


def opened(url: str) -> Storage:
    return Storage(url, application="another")


@contextmanager
def program(code: str, *arguments: str) -> Iterator["subprocess.Popen[str]"]:
    """Another process with a storage of its own."""
    start = "import sys\nfrom croupier.floor.storage import *\n"
    process = subprocess.Popen(
        [sys.executable, "-c", start + code, *arguments],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        with process:
            yield process
            process.kill()
    finally:
        process.kill()


def said(process: "subprocess.Popen[str]") -> str:
    assert process.stdout
    return process.stdout.readline().strip()


class TestTransactions:
    def test_what_is_written_is_there_for_readers(self, storage: Storage) -> None:
        put(storage, "a", "b")
        assert held(storage) == {"a", "b"}

    def test_a_transaction_that_fails_leaves_nothing(self, storage: Storage) -> None:
        def fail() -> None:
            with storage.write() as connection:
                add(connection, "a")
                raise KeyError("a fault of ours")

        with pytest.raises(KeyError):
            fail()
        assert held(storage) == set()
        put(storage, "a")

    def test_a_reader_sees_one_moment(self, storage: Storage) -> None:
        put(storage, "a")
        count = select(func.count()).select_from(rulesets)
        with storage.read() as connection:
            assert connection.execute(count).scalar_one() == 1
            put(storage, "b")
            assert connection.execute(count).scalar_one() == 1
        assert held(storage) == {"a", "b"}

    def test_a_reader_writes_nothing(self, storage: Storage) -> None:
        with pytest.raises(StorageFull), storage.read() as connection:
            add(connection, "a")
        assert held(storage) == set()

    def test_what_is_wrong_with_the_sql_is_told_as_it_is(self, storage: Storage) -> None:
        put(storage, "a")
        with pytest.raises(sql.IntegrityError):
            put(storage, "a")
        with pytest.raises(sql.DBAPIError), storage.write() as connection:
            connection.exec_driver_sql("SELECT no_such_column FROM rulesets")
        put(storage, "b")
        assert storage.generation == 1

    def test_an_error_never_repeats_what_was_to_be_written(self, storage: Storage) -> None:
        ask = text("SELECT no_such_column FROM rulesets WHERE hash = :card")
        with pytest.raises(sql.DBAPIError) as error, storage.read() as connection:
            connection.execute(ask, {"card": "seven of hearts"})
        assert "seven of hearts" not in str(error.value)

    def test_threads_write_one_after_the_other_and_read_meanwhile(self, storage: Storage) -> None:
        errors: list[BaseException] = []

        def work(name: int) -> None:
            try:
                for number in range(10):
                    put(storage, f"{name}:{number}")
                    assert f"{name}:{number}" in held(storage)
            except BaseException as error:
                errors.append(error)

        threads = [threading.Thread(target=work, args=(name,)) for name in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not errors
        assert len(held(storage)) == 60

    def test_the_connection_is_known_by_its_generation(self, storage_url: str) -> None:
        storage = Storage(storage_url)
        assert (storage.connected(), storage.generation) == (False, 0)
        put(storage, "a")
        put(storage, "b")
        assert (storage.connected(), storage.generation) == (True, 1)
        storage.close()
        storage.close()
        assert not storage.connected()
        with pytest.raises(StorageLost, match="closed"):
            put(storage, "c")
        with pytest.raises(StorageLost, match="closed"):
            held(storage)

    def test_a_server_that_is_killed_loses_nothing_it_acknowledged(self, storage_url: str) -> None:
        writes = """
from sqlalchemy import text
storage, number = Storage(sys.argv[1]), 0
while True:
    with storage.write() as connection:
        connection.execute(text(f"INSERT INTO rulesets VALUES ('{number}', '', '', '')"))
    print(number, flush=True)
    number += 1
"""
        with program(writes, storage_url) as process:
            acknowledged = [said(process) for _ in range(50)]
            process.kill()
        survivor = Storage(storage_url)
        assert held(survivor) >= {*acknowledged}
        put(survivor, "after")
        survivor.close()


def constraints(connection: Connection) -> dict[str, list[object]]:
    seen = inspect(connection)
    return {
        table: [
            seen.get_pk_constraint(table),
            sorted(seen.get_check_constraints(table), key=str),
            sorted(seen.get_unique_constraints(table), key=str),
            sorted(seen.get_indexes(table), key=str),
        ]
        for table in metadata.tables
    }


class TestMigrations:
    def test_migrations_give_the_tables_that_the_code_expects(self, empty_url: str) -> None:
        storage = Storage(empty_url)
        storage.migrate()
        with storage.read() as connection:
            context = MigrationContext.configure(
                connection, opts={"compare_type": True, "compare_server_default": True}
            )
            assert compare_metadata(context, metadata) == []
        storage.close()

    def test_migrations_give_them_by_the_same_names(self, empty_url: str) -> None:
        """Alembic compares neither checks nor the names of keys."""
        storage = Storage(empty_url)
        with storage.write() as connection:
            metadata.create_all(connection)
            expected = constraints(connection)
            metadata.drop_all(connection)
        storage.migrate()
        with storage.read() as connection:
            assert constraints(connection) == expected
        assert "ck_balances_no_overdraft" in str(expected)
        storage.close()

    def test_a_patron_cannot_be_overdrawn_and_the_house_can(self, storage: Storage) -> None:
        patron = "INSERT INTO balances VALUES ('t', 'patron', -1, false)"
        with pytest.raises(sql.IntegrityError), storage.write() as connection:
            connection.exec_driver_sql(patron)
        with storage.write() as connection:
            connection.exec_driver_sql(patron.replace("false", "true"))

    def test_migrating_again_changes_nothing(self, storage: Storage) -> None:
        put(storage, "a")
        storage.migrate()
        assert held(storage) == {"a"}

    def test_several_servers_may_start_at_once(self, empty_url: str) -> None:
        starts = """
import croupier.floor.migrations
print("ready", flush=True)
sys.stdin.readline()
Storage(sys.argv[1]).migrate()
print("migrated", flush=True)
"""
        with (
            program(starts, empty_url) as one,
            program(starts, empty_url) as two,
            program(starts, empty_url) as three,
        ):
            assert {said(one), said(two), said(three)} == {"ready"}
            for process in (one, two, three):
                assert process.stdin
                process.stdin.write("go\n")
                process.stdin.flush()
            assert [said(one), said(two), said(three)] == ["migrated"] * 3

    def test_a_migration_that_fails_leaves_nothing(
        self, empty_url: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        storage, upgrade = Storage(empty_url), migrations.upgrade

        def fail(connection: Connection) -> None:
            upgrade(connection)
            raise InterruptedError

        with monkeypatch.context() as patch:
            patch.setattr(migrations, "upgrade", fail)
            with pytest.raises(InterruptedError):
                storage.migrate()
        storage.migrate()
        put(storage, "a")
        storage.close()

    def test_tables_of_a_newer_version_are_refused(self, storage: Storage) -> None:
        with storage.write() as connection:
            connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
        with pytest.raises(StorageRefused, match=r"newer version.*9999.*install"):
            storage.migrate()

    def test_tables_of_another_program_are_refused(self, empty_url: str) -> None:
        storage = Storage(empty_url)
        with storage.write() as connection:
            connection.exec_driver_sql("CREATE TABLE events (id INTEGER)")
        with pytest.raises(StorageRefused, match=r"another program \(events\).*empty database"):
            storage.migrate()
        storage.close()


@pytest.fixture
def path(migrated_file: Path, tmp_path: Path) -> Path:
    path = tmp_path / "croupier.db"
    shutil.copy(migrated_file, path)
    return path


@pytest.fixture
def file(path: Path) -> Iterator[Storage]:
    opened = Storage(f"sqlite:///{path}")
    yield opened
    opened.close()


def wal(path: Path) -> int:
    return path.with_name(path.name + "-wal").stat().st_size


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Readers are told to let go early and often."""
    monkeypatch.setattr(storage, "LARGEST_WAL", 2 << 20)
    monkeypatch.setattr(storage, "LONG_READING", 0)
    monkeypatch.setattr(storage, "BETWEEN", 0)


class TestFile:
    """SQLite."""

    def test_naming_a_file_does_not_create_it(self, tmp_path: Path) -> None:
        storage = Storage(f"sqlite:///{tmp_path}/new.db")
        with pytest.raises(StorageRefused, match="does not exist: start a server"):
            held(storage)
        assert not [*tmp_path.iterdir()]

    def test_a_commit_is_on_the_disk(self, file: Storage) -> None:
        wanted = {
            "journal_mode": "wal",
            "synchronous": 2,
            "foreign_keys": 1,
            "busy_timeout": 10_000,
            "wal_autocheckpoint": 1000,
            "journal_size_limit": 16 << 20,
        }
        with file.write() as connection:
            for name, value in wanted.items():
                assert connection.exec_driver_sql(f"PRAGMA {name}").scalar_one() == value

    def test_a_transaction_has_the_file_before_it_reads(self, file: Storage, path: Path) -> None:
        other = sqlite3.connect(path, timeout=0)
        with file.write(), pytest.raises(sqlite3.OperationalError, match="locked"):
            other.execute("BEGIN IMMEDIATE")
        other.execute("BEGIN IMMEDIATE")
        other.close()

    def test_only_this_user_can_read_it(self, tmp_path: Path) -> None:
        storage = Storage(f"sqlite:///{tmp_path}/new.db")
        storage.migrate()
        storage.backup(tmp_path / "copy.db")
        for name in ("new.db", "new.db-wal", "new.db-shm", "copy.db"):
            assert (tmp_path / name).stat().st_mode & 0o777 == 0o600
        storage.close()

    def test_a_second_server_is_refused(self, path: Path) -> None:
        link = path.with_name("link.db")
        link.symlink_to(path)
        with program(SERVE, f"sqlite:///{path}") as process:
            assert said(process) == "locked"
            for name in (path, link):
                second = Storage(f"sqlite:///{name}")
                with pytest.raises(StorageInUse, match="another server: stop that one, or give"):
                    second.lock()
            process.kill()
        second.lock()
        third = Storage(f"sqlite:///{path}")
        with pytest.raises(StorageInUse):
            third.lock()
        second.close()
        third.lock()
        third.close()

    @pytest.mark.parametrize("way", ["hard link", "hard link elsewhere", "removed", "symlink"])
    def test_a_second_server_is_refused_by_whatever_way_it_comes(
        self, path: Path, way: str
    ) -> None:
        """The lock lies on the file, and not on one of its names."""
        other = path.with_name("other.db")
        if way == "hard link elsewhere":
            (path.parent / "elsewhere").mkdir()
            other = path.parent / "elsewhere" / path.name
        with program(SERVE, f"sqlite:///{path}") as process:
            assert said(process) == "locked"
            if way == "removed":
                path.with_name(f"{path.name}.lock").unlink()
                other = path
            elif way == "symlink":
                other.symlink_to(path)
                path.with_name(f"{path.name}.lock").unlink()
            else:
                other.hardlink_to(path)
            second = Storage(f"sqlite:///{other}")
            with pytest.raises(StorageInUse, match="another server: stop that one, or give"):
                second.lock()
            process.kill()
        second.lock()
        second.close()

    def test_a_refused_lock_leaves_the_locks_of_sqlite_alone(self, path: Path) -> None:
        """To close a descriptor would end them: a WAL could be removed that is being read."""
        with program(SERVE, f"sqlite:///{path}") as process:
            assert said(process) == "locked"
            reader = Storage(f"sqlite:///{path}")
            with reader.read() as connection:
                connection.execute(select(rulesets.c.hash)).all()
                before = locks_of(path)
                assert before
                with pytest.raises(StorageInUse):
                    reader.lock()
                assert locks_of(path) == before
            reader.close()
            process.kill()

    def test_it_owns_every_table(self, file: Storage) -> None:
        assert file.own("a")
        assert file.own("a")
        file.disown("a")
        file.disown("b")

    def test_the_wal_is_written_over_and_not_longer(self, file: Storage, path: Path) -> None:
        for number in range(100):
            put(file, str(number), size=200_000)
        assert path.stat().st_size > 10 << 20
        assert wal(path) < 6 << 20

    def test_a_long_reader_neither_stops_the_writer_nor_lets_the_wal_grow(
        self, file: Storage, path: Path, impatient: None
    ) -> None:
        sizes = []

        def read() -> None:
            with file.read() as connection:
                assert connection.execute(select(rulesets.c.hash)).all() == [("before",)]
                for number in range(60):
                    put(file, str(number), size=500_000)
                    sizes.append(wal(path))
                connection.execute(select(rulesets.c.hash))

        put(file, "before")
        with pytest.raises(StorageLost, match="read less at a time"):
            read()
        assert path.stat().st_size > 25 << 20
        assert max(sizes) < 8 << 20
        assert len(held(file)) == 61

    def test_a_reader_in_the_middle_of_an_answer_lets_go_at_its_next_row(
        self, file: Storage, path: Path, impatient: None
    ) -> None:
        def read() -> None:
            with file.read() as connection:
                for number, _ in enumerate(connection.execute(select(rulesets.c.hash))):
                    assert number < 10
                    put(file, f"new {number}", size=500_000)

        put(file, *map(str, range(1000)))
        with pytest.raises(StorageLost, match="do the same again"):
            read()
        put(file, "after", size=500_000)
        assert wal(path) < 4 << 20
        assert "after" in held(file)

    def test_readers_who_take_turns_do_not_let_the_wal_grow(
        self, file: Storage, path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(storage, "LARGEST_WAL", 8 << 20)
        monkeypatch.setattr(storage, "BETWEEN", 0)
        stop, errors = threading.Event(), list[Exception]()

        def read(delay: float) -> None:
            try:
                while not stop.is_set():
                    with file.read() as connection:
                        connection.execute(select(func.count()).select_from(rulesets)).all()
                        time.sleep(delay)
            except Exception as error:
                errors.append(error)

        threads = [threading.Thread(target=read, args=(0.02 + n / 500,)) for n in range(4)]
        for thread in threads:
            thread.start()
        largest = 0
        for number in range(300):
            put(file, str(number), size=200_000)
            largest = max(largest, wal(path))
        stop.set()
        for thread in threads:
            thread.join()
        assert not errors
        assert largest < 16 << 20

    def test_a_backup_taken_while_writing_is_of_one_moment(
        self, file: Storage, path: Path, tmp_path: Path
    ) -> None:
        stop = threading.Event()

        def write() -> None:
            number = 0
            while not stop.is_set():
                put(file, f"left {number}", f"right {number}", size=5000)
                number += 1

        writer = threading.Thread(target=write)
        writer.start()
        try:
            for number in range(5):
                time.sleep(0.05)
                file.backup(tmp_path / f"copy {number}.db")
        finally:
            stop.set()
            writer.join()
        sizes = []
        for number in range(5):
            copy = Storage(f"sqlite:///{tmp_path}/copy {number}.db")
            copy.migrate()
            names = held(copy)
            assert {name.replace("left", "right") for name in names} == {
                name for name in names if name.startswith("right")
            }
            sizes.append(len(names))
            put(copy, "goes on")
            copy.close()
        assert sizes == sorted(sizes)
        assert sizes[-1] > sizes[0]

    def test_a_backup_overwrites_nothing(self, file: Storage, path: Path, tmp_path: Path) -> None:
        with pytest.raises(StorageRefused, match="exists already: name a new file"):
            file.backup(path)
        with pytest.raises(StorageRefused, match=r"folder .* does not exist: create it"):
            file.backup(tmp_path / "nowhere" / "copy.db")

    def test_a_full_disk_stops_the_writer_until_there_is_room(self, file: Storage) -> None:
        put(file, "before")
        with file.write() as connection:
            pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
            connection.exec_driver_sql(f"PRAGMA max_page_count={pages + 10}")
        for _ in range(3):
            with pytest.raises(StorageFull, match="full or read-only: make room"):
                put(file, "small", "large", size=1 << 20)
            assert held(file) == {"before"}
        with file.write() as connection:
            connection.exec_driver_sql("PRAGMA max_page_count=1000000")
        put(file, "small", "large", size=1 << 20)
        assert held(file) == {"before", "small", "large"}
        assert file.generation == 1

    def test_a_disk_that_fails_is_the_end(self, file: Storage, path: Path) -> None:
        put(file, "before")
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (wal(path), hard))
        try:
            with pytest.raises(StorageBroken, match="stop the server, check the disk"):
                put(file, "large", size=1 << 20)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        assert held(file) == {"before"}
        assert not file.connected()
        with pytest.raises(StorageBroken):
            put(file, "small")
        again = Storage(file.url)
        put(again, "small")
        again.close()

    @pytest.mark.parametrize("restored", [False, True])
    def test_a_file_that_was_taken_away_is_not_written(
        self, file: Storage, path: Path, migrated_file: Path, restored: bool
    ) -> None:
        put(file, "before")
        path.rename(path.with_name("elsewhere.db"))
        if restored:
            shutil.copy(migrated_file, path)
        for _ in range(2):
            with pytest.raises(StorageBroken, match="moved or replaced"):
                put(file, "lost")

    def test_who_reads_damage_is_told_and_who_writes_into_it_is_the_last(
        self, file: Storage, path: Path
    ) -> None:
        put(file, *map(str, range(2000)))
        file.close()
        content = bytearray(path.read_bytes())
        content[4096:] = os.urandom(len(content) - 4096)
        path.write_bytes(content)
        damaged = Storage(file.url)
        with pytest.raises(StorageDamaged, match="run croupier verify"):
            held(damaged)
        with pytest.raises(StorageDamaged), damaged.write() as connection:
            connection.execute(select(rulesets.c.game)).all()
        assert damaged.connected(), "the rest of the file may still be good"
        with pytest.raises(StorageBroken, match="backup"):
            put(damaged, "more")
        assert not damaged.connected()
        damaged.close()

    def test_what_is_no_text_can_be_read(self, file: Storage) -> None:
        put(file, "a")
        with file.write() as connection:
            connection.exec_driver_sql("UPDATE rulesets SET game = CAST(x'41ff42' AS TEXT)")
            assert connection.scalar(select(rulesets.c.game)) == "A\udcffB"
        with file.read() as connection:
            assert connection.scalar(select(rulesets.c.game)) == "A\udcffB"


@contextmanager
def as_somebody() -> Iterator[None]:
    """Root may do anything, so what is forbidden is tried as somebody else."""
    if os.geteuid():
        yield
        return
    os.setegid(65534)
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(0)


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that everybody can enter."""
    folder = Path(tempfile.mkdtemp(prefix="croupier-"))
    folder.chmod(0o755)
    yield folder
    folder.chmod(0o755)
    shutil.rmtree(folder)


class TestRefusals:
    """Each is one sentence that says what to do."""

    @pytest.mark.parametrize(
        ("url", "advice"),
        [
            ("", "not the URL of a database: write sqlite"),
            ("croupier.db", "not the URL of a database: write sqlite"),
            ("postgresql://u:secret@host:port/db", "not the URL of a database: write sqlite"),
            ("sqlite://", "SQLite needs a file: write sqlite:///croupier.db"),
            ("sqlite:///", "SQLite needs a file"),
            ("sqlite:///:memory:", "SQLite needs a file"),
            ("sqlite:///a.db?mode=memory", "SQLite needs a file"),
            ("sqlite://a.db", "SQLite needs a file"),
            (
                "mysql://u:secret@host/db",
                "not keep its log in mysql: use sqlite:///… or postgresql",
            ),
            ("postgresql+asyncpg://u:secret@host/db", "not keep its log in postgresql.asyncpg"),
            ("postgresql://u:sec@secret@host/db", "an @ in the password .* must be written %40"),
        ],
    )
    def test_a_url_that_names_no_database(self, url: str, advice: str) -> None:
        with pytest.raises(StorageRefused, match=advice) as refused:
            Storage(url)
        assert "secret" not in str(refused.value)
        assert refused.value.__suppress_context__ or refused.value.__context__ is None

    def test_a_folder_that_is_not_there(self, tmp_path: Path) -> None:
        storage = Storage(f"sqlite:///{tmp_path}/nowhere/croupier.db")
        for use in (storage.lock, storage.migrate):
            with pytest.raises(StorageRefused, match="nowhere does not exist: create it, or name"):
                use()

    def test_a_folder_for_a_file(self, tmp_path: Path) -> None:
        with pytest.raises(StorageRefused, match="is a folder: name a file in it"):
            Storage(f"sqlite:///{tmp_path}").migrate()

    def test_a_file_that_is_no_database(self, tmp_path: Path) -> None:
        (tmp_path / "letter.txt").write_text("Dear casino, " * 1000, "utf-8")
        storage = Storage(f"sqlite:///{tmp_path}/letter.txt")
        with pytest.raises(StorageRefused, match=r"letter.txt is not a database: name another"):
            storage.migrate()
        with pytest.raises(StorageRefused, match=r"letter.txt is not a database: name another"):
            held(storage)

    def test_a_file_that_may_not_be_read(self, open_folder: Path, migrated_file: Path) -> None:
        path = open_folder / "croupier.db"
        shutil.copy(migrated_file, path)
        path.chmod(0)
        storage = Storage(f"sqlite:///{path}")
        with as_somebody(), pytest.raises(StorageRefused, match="let this user read and write"):
            storage.migrate()

    def test_a_folder_that_may_not_be_written(self, open_folder: Path, migrated_file: Path) -> None:
        path = open_folder / "croupier.db"
        shutil.copy(migrated_file, path)
        path.chmod(0o666)
        open_folder.chmod(0o555)
        for name in ("croupier.db", "new.db"):
            storage = Storage(f"sqlite:///{open_folder / name}")
            for use in (storage.lock, storage.migrate):
                with as_somebody(), pytest.raises(StorageRefused, match=r"let this user .*write"):
                    use()

    def test_a_file_that_may_not_be_written(self, open_folder: Path, migrated_file: Path) -> None:
        path = open_folder / "croupier.db"
        shutil.copy(migrated_file, path)
        path.chmod(0o444)
        open_folder.chmod(0o777)
        storage = Storage(f"sqlite:///{path}")
        with as_somebody(), pytest.raises(StorageRefused, match=r"let this user .*write the file"):
            storage.migrate()

    def test_a_server_that_is_not_there(self, tmp_path: Path) -> None:
        for url in (
            "postgresql://croupier:secret@127.0.0.1:1/croupier",
            f"postgresql://croupier:secret@/croupier?host={tmp_path}",
            "postgresql://croupier:secret@nowhere.invalid/croupier",
        ):
            storage = Storage(url)
            for use in (storage.migrate, lambda storage=storage: held(storage)):
                with pytest.raises(StorageRefused, match="cannot be reached: start it, or") as no:
                    use()
                assert "secret" not in str(no.value)
            assert "secret" not in repr(storage)

    def test_a_wrong_password(self, postgres: Postgres) -> None:
        storage = Storage(postgres.url_by_port("postgres", "ace of hearts"))
        with pytest.raises(StorageRefused, match="does not accept the user and password") as no:
            storage.migrate()
        assert "hearts" not in str(no.value)
        storage = Storage(postgres.url_by_port("postgres", "").replace(":@", "@"))
        with pytest.raises(StorageRefused, match="wants a password: put it into the URL"):
            storage.migrate()
        assert PASSWORD not in repr(Storage(postgres.url_by_port("postgres")))

    def test_a_database_that_the_server_does_not_have(self, postgres: Postgres) -> None:
        storage = Storage(postgres.url("nothing"))
        with pytest.raises(StorageRefused, match=r"does not know this database .*: create it"):
            storage.migrate()

    def test_a_database_that_cannot_write_every_name(self, postgres: Postgres) -> None:
        postgres.execute("CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0")
        storage = Storage(postgres.url("latin"))
        with pytest.raises(StorageRefused, match="writes LATIN1: create one with ENCODING 'UTF8'"):
            storage.migrate()
        storage.close()

    def test_a_user_who_may_not_create_tables(self, postgres: Postgres) -> None:
        postgres.execute("CREATE DATABASE theirs")
        postgres.execute("CREATE USER visitor")
        storage = Storage(postgres.url("theirs").replace("croupier@", "visitor@"))
        with pytest.raises(StorageRefused, match="make it the owner of the database"):
            storage.migrate()
        storage.close()


def terminate(storage: Storage, postgres: Postgres) -> None:
    """Cut the connections of this storage, and wait until the server has let go of them."""
    ended = postgres.execute(
        "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity "
        "WHERE application_name = 'croupier' AND datname = %s",
        make_url(storage.url).database,
    )
    assert ended


def until(happens: Callable[[], bool]) -> None:
    late = time.monotonic() + 10
    while not happens():
        assert time.monotonic() < late
        time.sleep(0.01)


@pytest.mark.parametrize("dialect", ["postgresql"], indirect=True)
class TestServer:
    """PostgreSQL."""

    def test_a_commit_is_on_the_disk(self, storage: Storage) -> None:
        with storage.write() as connection:
            assert connection.exec_driver_sql("SHOW synchronous_commit").scalar_one() == "on"
            name = connection.exec_driver_sql("SHOW application_name").scalar_one()
            assert name == "croupier"

    def test_it_is_reached_by_port_and_password(self, storage: Storage, postgres: Postgres) -> None:
        put(storage, "a")
        with storage.read() as connection:
            name = connection.exec_driver_sql("SELECT current_database()").scalar_one()
        url = postgres.url_by_port(str(name)) + "?options=-c%20work_mem%3D5MB&connect_timeout=7"
        for scheme in ("postgresql", "postgres", "postgresql+psycopg"):
            other = Storage(url.replace("postgresql", scheme, 1))
            assert held(other) == {"a"}
            with other.write() as connection:
                assert connection.exec_driver_sql("SHOW work_mem").scalar_one() == "5MB"
                assert connection.exec_driver_sql("SHOW tcp_keepalives_idle").scalar_one() == "10"
                assert connection.exec_driver_sql("SHOW synchronous_commit").scalar_one() == "on"
            other.close()

    def test_a_table_has_one_owner(self, storage: Storage) -> None:
        other = opened(storage.url)
        assert storage.own("roulette 1")
        assert storage.own("roulette 1")
        assert not other.own("roulette 1")
        assert other.own("roulette 2")
        assert not storage.own("roulette 2")
        other.disown("roulette 1")
        assert not other.own("roulette 1")
        storage.disown("roulette 1")
        assert other.own("roulette 1")
        other.close()
        assert storage.own("roulette 1")
        assert storage.own("roulette 2")

    def test_a_table_is_owned_beyond_the_transaction(self, storage: Storage) -> None:
        other = opened(storage.url)
        with suppress(KeyError), storage.write() as connection:
            connection.exec_driver_sql("SELECT 1")
            assert storage.own("craps")
            assert storage.connected()
            raise KeyError
        assert not other.own("craps")
        other.close()

    def test_a_server_that_dies_leaves_its_tables(self, storage: Storage) -> None:
        owns = """
storage = Storage(sys.argv[1])
print(storage.own("craps"), flush=True)
sys.stdin.readline()
"""
        with program(owns, storage.url) as process:
            assert said(process) == "True"
            assert not storage.own("craps")
            process.kill()
        until(lambda: storage.own("craps"))

    def test_a_lost_connection_loses_its_tables_and_is_made_again(
        self, storage: Storage, postgres: Postgres
    ) -> None:
        other = opened(storage.url)
        put(storage, "before")
        assert storage.own("craps")
        terminate(storage, postgres)
        with pytest.raises(StorageLost, match="do the same again"):
            put(storage, "during")
        assert not storage.connected()
        assert other.own("craps")
        put(other, "theirs")
        put(storage, "after")
        assert storage.connected()
        assert storage.generation == 2
        assert not storage.own("craps")
        assert held(storage) == {"before", "theirs", "after"}
        other.close()
        assert storage.own("craps")

    def test_a_connection_lost_in_a_transaction_undoes_it(
        self, storage: Storage, postgres: Postgres
    ) -> None:
        def lose() -> None:
            with storage.write() as connection:
                add(connection, "during")
                terminate(storage, postgres)

        with pytest.raises(StorageLost):
            lose()
        put(storage, "after")
        assert held(storage) == {"after"}
        assert storage.generation == 2

    def test_a_connection_lost_while_idle_is_found_out(
        self, storage: Storage, postgres: Postgres
    ) -> None:
        assert storage.own("craps")
        terminate(storage, postgres)
        assert not storage.connected()
        storage.disown("craps")
        assert storage.generation == 1
        assert storage.own("craps")
        terminate(storage, postgres)
        with pytest.raises(StorageLost):
            storage.own("craps")
        assert storage.own("craps")
        terminate(storage, postgres)
        storage.disown("craps")
        assert storage.generation == 3

    def test_readers_do_not_notice_a_restart(self, storage: Storage, postgres: Postgres) -> None:
        put(storage, "before")
        assert held(storage) == {"before"}
        postgres.stop()
        with pytest.raises(StorageLost):
            held(storage)
        with pytest.raises(StorageLost):
            put(storage, "during")
        with pytest.raises(StorageLost):
            put(storage, "during")
        postgres.start()
        assert held(storage) == {"before"}
        put(storage, "after")
        assert storage.generation == 2

    def test_a_server_that_crashes_has_what_it_acknowledged(
        self, storage: Storage, postgres: Postgres
    ) -> None:
        put(storage, *map(str, range(100)))
        assert storage.own("craps")
        postgres.kill()
        postgres.start()
        with pytest.raises(StorageLost):
            put(storage, "during")
        assert len(held(storage)) == 100
        put(storage, "after")
        assert storage.own("craps")

    def test_of_two_that_wait_for_each_other_one_tries_again(self, storage: Storage) -> None:
        put(storage, "a", "b")
        other, lost = opened(storage.url), list[StorageLost]()
        met = threading.Barrier(2)

        def change(storage: Storage, first: str, second: str) -> None:
            change = rulesets.update().values(game="dice")
            try:
                with storage.write() as connection:
                    connection.execute(change.where(rulesets.c.hash == first))
                    met.wait(10)
                    connection.execute(change.where(rulesets.c.hash == second))
            except StorageLost as error:
                lost.append(error)

        thread = threading.Thread(target=change, args=(other, "b", "a"))
        thread.start()
        change(storage, "a", "b")
        thread.join()
        assert len(lost) == 1
        for each in (storage, other):
            put(each, each.url + str(id(each)))
            assert each.generation == 1
        other.close()

    @pytest.mark.parametrize(
        ("code", "error"),
        [
            ("53100", StorageFull),
            ("25006", StorageFull),
            ("40001", StorageLost),
            ("40P01", StorageLost),
            ("55P03", StorageLost),
            ("57014", StorageLost),
            ("53200", StorageLost),
            ("58030", StorageBroken),
            ("XX001", StorageBroken),
            ("25P02", sql.DBAPIError),
            ("22012", sql.DBAPIError),
        ],
    )
    def test_what_the_server_says_is_understood(
        self, storage: Storage, code: str, error: type[Exception]
    ) -> None:
        fail = f"DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '{code}'; END $$"
        with pytest.raises(error), storage.write() as connection:
            connection.exec_driver_sql(fail)
        if error is StorageBroken:
            with pytest.raises(StorageBroken):
                put(storage, "after")
        else:
            put(storage, "after")

    @pytest.mark.parametrize("code", ["XX001", "XX002"])
    def test_damage_that_a_reading_meets_is_that_reading_s_alone(
        self, storage: Storage, code: str
    ) -> None:
        with storage.write() as connection:
            connection.exec_driver_sql(
                "CREATE FUNCTION damaged() RETURNS integer LANGUAGE plpgsql AS "
                f"$$ BEGIN RAISE EXCEPTION USING ERRCODE = '{code}'; END $$"
            )
        for session in (storage.read, storage.write):
            with pytest.raises(StorageDamaged), session() as connection:
                connection.exec_driver_sql("SELECT damaged()")
        put(storage, "after")

    def test_a_server_that_became_read_only_may_come_back(self, storage: Storage) -> None:
        def write() -> None:
            with storage.write() as connection:
                connection.exec_driver_sql("SET TRANSACTION READ ONLY")
                add(connection, "during")

        with pytest.raises(StorageFull):
            write()
        put(storage, "after")
        assert held(storage) == {"after"}

    def test_its_backup_is_its_own(self, storage: Storage, tmp_path: Path) -> None:
        with pytest.raises(StorageRefused, match="run pg_dump"):
            storage.backup(tmp_path / "copy.db")
