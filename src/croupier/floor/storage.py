"""Where the log is kept: SQLite in a file, or PostgreSQL by its URL.

One connection writes, for the life of the server, and in PostgreSQL the same
connection holds the locks on the tables that this server runs: who loses the
connection loses both at once. Readers in other threads have their own
connections, see one moment each, and never stop the writer.
"""

import hashlib
import os
import sqlite3
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from filelock import BaseFileLock, FileLock, Timeout
from sqlalchemy import (
    URL,
    Connection,
    NullPool,
    QueuePool,
    create_engine,
    event,
    func,
    make_url,
    select,
    text,
)
from sqlalchemy import exc as sql

from croupier.floor.files import sync_folder, wrong_with_name

PATIENCE = 10  # seconds that a lock of SQLite, or a connection to PostgreSQL, is waited for
READERS = 8  # connections for reading, at most
LONG_READING = 30.0  # seconds that a reader may hold up a WAL that is too large
CHECKPOINT_PAGES = 1000  # of the WAL, after which SQLite moves them to the database
KEPT_WAL = 16 << 20  # bytes of the WAL that stay on disk to be written over
LARGEST_WAL = 64 << 20  # bytes, beyond which readers are made to let go
LETTING_GO = 0.1  # seconds that the writer waits for that,
BETWEEN = 1.0  # and seconds until it does so again


class StorageError(Exception):
    """The database did not do what it was asked. The message says what to do about it."""


class StorageRefused(StorageError):
    """This database cannot be opened."""


class StorageInUse(StorageRefused):
    """Another server has this file."""


class StorageFull(StorageError):
    """Nothing can be written: the disk is full or read-only. That may pass."""


class StorageLost(StorageError):
    """The connection, or a race with another writer, was lost: do the whole command again."""


class StorageBroken(StorageError):
    """The disk failed to keep what it was given. Nothing may be acknowledged any more."""


class StorageDamaged(StorageError):
    """A part of the database cannot be read. The rest of it can, and goes on."""


# What a database's error code begins with (SQLite's name, PostgreSQL's SQLSTATE), and what it
# means. The first that fits counts; an error of ours, such as a broken constraint, is not here.
TROUBLES: tuple[tuple[str, type[StorageError]], ...] = (
    ("SQLITE_FULL", StorageFull),
    ("SQLITE_IOERR_SHMSIZE", StorageFull),  # no room for the index of the WAL
    ("SQLITE_IOERR", StorageBroken),
    ("SQLITE_CORRUPT", StorageDamaged),
    ("SQLITE_NOTADB", StorageBroken),
    ("SQLITE_READONLY_DBMOVED", StorageBroken),
    ("SQLITE_READONLY", StorageFull),
    ("SQLITE_CANTOPEN", StorageFull),
    ("SQLITE_PERM", StorageFull),
    ("SQLITE_BUSY", StorageLost),
    ("SQLITE_LOCKED", StorageLost),
    ("SQLITE_PROTOCOL", StorageLost),
    ("SQLITE_INTERRUPT", StorageLost),
    ("SQLITE_ABORT", StorageLost),
    ("53100", StorageFull),  # disk full
    ("25006", StorageFull),  # a read-only server
    ("58", StorageBroken),  # input and output
    ("XX001", StorageDamaged),  # corrupted data
    ("XX002", StorageDamaged),
    ("08", StorageLost),  # connections
    ("25P03", StorageLost),  # time limits of transactions
    ("25P04", StorageLost),
    ("40", StorageLost),  # deadlocks and serialization
    ("53", StorageLost),  # too many connections, too little memory
    ("55P03", StorageLost),  # a lock that is not to be had
    ("57", StorageLost),  # canceled, or the server stops
)

ADVICE: dict[type[StorageError], str] = {
    StorageFull: "{where} cannot be written, its disk is full or read-only: make room for it",
    StorageLost: "{where} was lost for a moment: do the same again",
    StorageBroken: "{where} can no longer be trusted, its disk failed: stop the server, check the "
    "disk, and start again from what is on it or from a backup",
    StorageDamaged: "{where} is damaged in the part that was asked for: run croupier verify, which "
    "names what is damaged, and restore that from a backup",
}

READS = ("SELECT", "PRAGMA", "SAVEPOINT")  # how a statement begins that writes nothing

FORBIDDEN = "may not be opened: let this user read and write the file and its folder"

DAMAGED = "is damaged: restore it from a backup"

FILE_REFUSALS = (
    ("SQLITE_NOTADB", "is not a database: name another file"),
    ("SQLITE_CORRUPT", DAMAGED),
    ("SQLITE_FULL", "has no room on its disk: make room"),
    ("SQLITE_IOERR_SHMSIZE", "has no room on its disk: make room"),
    ("SQLITE_IOERR", "cannot be read, its disk fails: check the disk"),
    ("SQLITE_BUSY", "is locked by another program: stop that program"),
    ("", FORBIDDEN),
)

SERVER_REFUSALS = (
    ("authentication failed", "does not accept the user and password of the URL: correct them"),
    ("no password supplied", "wants a password: put it into the URL"),
    ("pg_hba.conf", "does not let this user in from here: allow it in pg_hba.conf"),
    ("does not exist", "does not know this database or this user: create it, or correct the URL"),
    ("read-only", "only answers and does not write: give the URL of the primary server"),
    ("in hot standby mode", "only answers and does not write: give the URL of the primary server"),
    ("too many", "has no connection left: raise max_connections, or stop another program"),
    ("connection slots", "has no connection left: raise max_connections, or stop another program"),
    ("starting up", "is starting: try again in a moment"),
    ("FATAL", "does not let us in: correct the user, the password and the database of the URL"),
    ("", "cannot be reached: start it, or correct the host and the port of the URL"),
)


def _first(table: tuple[tuple[str, Any], ...], text: str) -> Any:
    return next((meaning for start, meaning in table if text.startswith(start)), None)


def _code(error: sql.DBAPIError) -> str:
    """SQLite's name of an error, or PostgreSQL's SQLSTATE: "08" where a connection just ended."""
    if isinstance(error.orig, sqlite3.Error):
        return getattr(error.orig, "sqlite_errorname", "")
    ended = isinstance(error, (sql.OperationalError, sql.InterfaceError))
    return getattr(error.orig, "sqlstate", None) or ("08" if ended else "")


def meaning(error: sql.DBAPIError) -> type[StorageError] | None:
    """What an error of the database means here; None for one of the SQL itself.

    Damage that a reading meets is that reading's alone. Whoever writes into damage is told
    that the disk failed: what was written with it may not be there.
    """
    trouble: type[StorageError] | None = _first(TROUBLES, _code(error))
    is_writing = error.statement is not None and not error.statement.lstrip().startswith(READS)
    return StorageBroken if trouble is StorageDamaged and is_writing else trouble


def _text(octets: bytes) -> str:
    """Text, whatever a damaged file holds in its place: what is no UTF-8 is kept, and shows."""
    return octets.decode("utf-8", "surrogateescape")


def _key(*words: str) -> int:
    """The number of an advisory lock. The words keep ours apart from those of others."""
    text = "\0".join(("croupier", *words))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big", signed=True)


@dataclass(slots=True, eq=False)
class _Reading:
    """A reader of the file, from its first word to its last."""

    raw: sqlite3.Connection
    begun: float
    ended: bool = False


class _File:
    """SQLite: no commit is acknowledged before it is on the disk."""

    dialect: ClassVar = "sqlite"
    connection: ClassVar = sqlite3.Connection  # of which class each is
    writing: ClassVar = (
        "journal_mode=WAL",
        "synchronous=FULL",
        "fullfsync=ON",  # where the disk's own cache would lie otherwise
        "foreign_keys=ON",
        f"wal_autocheckpoint={CHECKPOINT_PAGES}",
        f"journal_size_limit={KEPT_WAL}",
    )

    def __init__(self, path: Path) -> None:
        self.path = path
        self.where = str(path)
        self._lock: BaseFileLock | None = None
        self._descriptor: int | None = None  # of the file itself, on which the lock lies
        self._opened: tuple[int, int] | None = None
        self._readings: set[_Reading] = set()
        self._guard = threading.Lock()
        self._tidied = 0.0
        url = URL.create("sqlite", database=str(path))
        self.writer = create_engine(
            url, creator=self._open_to_write, poolclass=NullPool, hide_parameters=True
        )
        self.readers = create_engine(
            url, creator=self._open_to_read, poolclass=QueuePool, pool_size=READERS,
            max_overflow=0, pool_timeout=PATIENCE, hide_parameters=True,
        )  # fmt: skip
        event.listen(self.writer, "begin", _begin_immediate)
        event.listen(self.readers, "begin", _begin)
        event.listen(self.readers, "before_cursor_execute", _still_reading)
        event.listen(self.readers, "after_cursor_execute", _still_reading)

    def _open(self, *pragmas: str) -> sqlite3.Connection:
        raw = sqlite3.connect(
            self.path, timeout=PATIENCE, isolation_level=None, check_same_thread=False,
            factory=self.connection,
        )  # fmt: skip
        raw.text_factory = _text
        try:
            for pragma in pragmas:
                raw.execute(f"PRAGMA {pragma}").fetchone()
            raw.execute("SELECT count(*) FROM sqlite_master").fetchone()  # which reads the file
        except UnicodeDecodeError:  # of the names in it, as SQLite complains of them
            raw.close()
            raise StorageRefused(f"{self.where} {DAMAGED}") from None
        except BaseException:
            raw.close()
            raise
        return raw

    def _open_to_write(self) -> sqlite3.Connection:
        self._need_folder()
        _create_private(self.path)
        if not _may_write(self.path):
            raise StorageRefused(f"{self.where} {FORBIDDEN}")
        raw = self._open(*self.writing)
        (mode,) = raw.execute("PRAGMA journal_mode").fetchone()
        if mode != "wal":
            raw.close()
            raise StorageRefused(f"{self.where} is not on a disk of this machine: move it to one")
        at = self.path.stat()
        if self._descriptor is not None and not os.path.samestat(at, os.fstat(self._descriptor)):
            raw.close()
            raise StorageRefused(f"{self.where} was replaced while it was opened: start again")
        self._opened = at.st_dev, at.st_ino
        return raw

    def _open_to_read(self) -> sqlite3.Connection:
        if not self.path.exists():
            raise StorageRefused(f"{self.where} does not exist: start a server on it once")
        return self._open("query_only=ON")

    def _need_folder(self) -> None:
        if not self.path.parent.is_dir():
            raise StorageRefused(
                f"the folder {self.path.parent} does not exist: create it, or name another file"
            )

    def refusal(self, error: sql.DBAPIError) -> str:
        if self.path.is_dir():
            return f"{self.where} is a folder: name a file in it"
        return f"{self.where} {_first(FILE_REFUSALS, _code(error))}"

    def alive(self, connection: Connection) -> bool:
        """Not if a commit has failed and left its transaction open: no other could begin."""
        raw = connection.connection.driver_connection
        return isinstance(raw, sqlite3.Connection) and not raw.in_transaction

    def check(self) -> None:
        """What is written to a file that was taken away would be lost."""
        try:
            at = self.path.stat()
        except OSError:
            at = None
        if at is None or (at.st_dev, at.st_ino) != self._opened:
            raise StorageBroken(
                f"{self.where} was moved or replaced under the server: stop the server, put the "
                "right file in its place, and start again"
            )

    def lock(self) -> None:
        """Two locks: one beside the file, which every version heeds, and one on the file itself,
        which is the same whatever the file is called and cannot be removed."""
        if self._lock is not None:
            return
        self._need_folder()
        lock = FileLock(f"{self.path}.lock", thread_local=False, fallback_to_soft=False)
        try:
            lock.acquire(blocking=False)
            try:
                self._lock_file()
            except BaseException:
                lock.release()
                raise
        except (Timeout, BlockingIOError):
            raise StorageInUse(
                f"{self.where} is in use by another server: stop that one, or give this one a "
                "file of its own"
            ) from None
        except OSError:
            raise StorageRefused(
                f"{self.where} cannot be locked: let this user write its folder, and keep it on "
                "a disk of this machine"
            ) from None
        self._lock = lock

    def _lock_file(self) -> None:
        """Lock the file itself, where the system can, until this storage is closed.

        To close a descriptor of a file ends SQLite's own locks on it, which are the process's.
        So this one is kept, locked or not, until our connections are closed.
        """
        if sys.platform == "win32":
            return
        import fcntl

        _create_private(self.path)
        if self._descriptor is None and self.path.is_file():
            self._descriptor = os.open(self.path, os.O_RDONLY | os.O_CLOEXEC)
        if self._descriptor is None:
            return
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise
        except OSError:  # a disk that knows no such locks has the one beside the file
            pass

    def prepare(self, connection: Connection) -> None:
        """The migration has the file to itself: its transaction is the only one that writes."""

    def own(self, connection: Connection, stream: str) -> bool:
        return True

    def own_free(self, connection: Connection, streams: Sequence[str]) -> list[str]:
        return [*streams]

    def disown(self, connection: Connection, stream: str) -> None:
        pass

    @contextmanager
    def reading(self, connection: Connection) -> Iterator[None]:
        raw = connection.connection.driver_connection
        assert isinstance(raw, sqlite3.Connection)
        reading = _Reading(raw, time.monotonic())
        connection.info["reading"] = reading
        with self._guard:
            self._readings.add(reading)
        try:
            yield
        finally:
            with self._guard:
                self._readings.discard(reading)

    def tidy(self, connection: Connection) -> None:
        """Keep the WAL small whatever readers do: it cannot shrink below what one still sees."""
        now = time.monotonic()
        if now < self._tidied + BETWEEN or self._wal() <= LARGEST_WAL:
            return
        self._tidied = now
        self._end_readings(now - LONG_READING)
        raw = connection.connection.driver_connection
        assert isinstance(raw, sqlite3.Connection)
        with suppress(sqlite3.Error):  # what was committed is safe in the WAL
            raw.execute(f"PRAGMA busy_timeout={LETTING_GO * 1000:.0f}")
            raw.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        raw.execute(f"PRAGMA busy_timeout={PATIENCE * 1000}")

    def _wal(self) -> int:
        with suppress(OSError):
            return os.stat(f"{self.path}-wal").st_size
        return 0

    def _end_readings(self, begun_before: float) -> None:
        with self._guard:
            for reading in self._readings:
                if reading.begun < begun_before:
                    reading.ended = True
                    reading.raw.interrupt()
                    with suppress(sqlite3.Error):  # a half-read answer lets go at its next row
                        reading.raw.rollback()

    def backup(self, to: Path) -> None:
        if to.exists():
            raise StorageRefused(f"{to} exists already: name a new file")
        if not to.parent.is_dir():
            raise StorageRefused(
                f"the folder {to.parent} does not exist: create it, or name another file"
            )
        part = to.with_name(f"{to.name}.part")
        try:
            _create_private(part)
            with closing(self._open_to_read()) as source, closing(sqlite3.connect(part)) as copy:
                source.backup(copy)
                (sound,) = copy.execute("PRAGMA quick_check(1)").fetchone()
            if sound != "ok":
                raise StorageBroken(f"the copy in {to} came out damaged: check the disks")
            part.replace(to)
            sync_folder(to.parent)
        except (sqlite3.Error, OSError) as error:
            raise StorageFull(
                f"{to} could not be written: let this user write its folder, and make room there"
            ) from error
        finally:
            for rest in ("", "-journal", "-wal", "-shm"):
                part.with_name(part.name + rest).unlink(missing_ok=True)

    def close(self) -> None:
        if self._lock is not None:
            self._lock.release()
            self._lock = None
        if self._descriptor is not None:
            os.close(self._descriptor)  # and with it goes its lock
            self._descriptor = None


def _begin_immediate(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN")


def _still_reading(connection: Connection, *_: Any) -> None:
    if connection.info["reading"].ended:
        raise StorageLost("this took too long to read: read less at a time")


def _may_write(path: Path) -> bool:
    """SQLite itself would open what it may only read, and fail at the first wager."""
    return os.access(path, os.R_OK | os.W_OK, effective_ids=os.access in os.supports_effective_ids)


def _create_private(path: Path) -> None:
    """What is in the log is for this user's eyes only: it holds cards that nobody has seen yet."""
    with suppress(OSError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


class _Server:
    """PostgreSQL: the connection that writes holds the locks."""

    dialect: ClassVar = "postgresql"
    # A commit is on the disk before it is acknowledged, whatever the server's habit; and when
    # this machine dies, the server finds out and gives its tables free.
    settings: ClassVar = (
        "synchronous_commit=on",
        "tcp_keepalives_idle=10",
        "tcp_keepalives_interval=5",
        "tcp_keepalives_count=3",
        "tcp_user_timeout=25000",
    )
    # And when the server's machine dies, this one finds out.
    arguments: ClassVar = {
        "connect_timeout": PATIENCE,
        "keepalives_idle": 10,
        "keepalives_interval": 5,
        "keepalives_count": 3,
        "tcp_user_timeout": 25000,
        "target_session_attrs": "read-write",
    }

    def __init__(self, url: URL, application: str) -> None:
        given = {name: ",".join(values) for name, values in url.normalized_query.items()}
        port = f":{url.port}" if url.port else ""
        self.where = f"PostgreSQL at {url.host or given.get('host', 'this machine')}{port}"
        ours = " ".join(f"-c {setting}" for setting in self.settings)
        url = url.set(drivername="postgresql+psycopg").difference_update_query(["options"])
        arguments = {
            name: value
            for name, value in {**self.arguments, "application_name": application}.items()
            if name not in given
        } | {"options": f"{given.get('options', '')} {ours}"}
        self.writer = create_engine(
            url, connect_args=arguments, poolclass=NullPool, isolation_level="READ COMMITTED",
            hide_parameters=True,
        )  # fmt: skip
        self.readers = create_engine(
            url, connect_args=arguments, pool_size=READERS, max_overflow=0, pool_pre_ping=True,
            pool_timeout=PATIENCE, isolation_level="REPEATABLE READ", hide_parameters=True,
        ).execution_options(postgresql_readonly=True)  # fmt: skip

    def refusal(self, error: sql.DBAPIError) -> str:
        told = str(error.orig)
        return f"{self.where} {next(advice for part, advice in SERVER_REFUSALS if part in told)}"

    def alive(self, connection: Connection) -> bool:
        raw = connection.connection.driver_connection
        return raw is not None and not raw.closed

    def check(self) -> None:
        pass

    def lock(self) -> None:
        pass

    def prepare(self, connection: Connection) -> None:
        """One server migrates, the others wait; a text is a text in every language."""
        connection.execute(select(func.pg_advisory_xact_lock(_key("migration"))))
        encoding = connection.exec_driver_sql("SHOW server_encoding").scalar_one()
        if encoding != "UTF8":
            raise StorageRefused(
                f"the database at {self.where} writes {encoding}: create one with ENCODING 'UTF8'"
            )

    def own(self, connection: Connection, stream: str) -> bool:
        mine = select(func.pg_try_advisory_lock(_key("stream", stream)))
        return bool(connection.execute(mine).scalar_one())

    def own_free(self, connection: Connection, streams: Sequence[str]) -> list[str]:
        """All with one question: there may be many that others run."""
        keys = {_key("stream", stream): stream for stream in streams}
        free = text("SELECT k FROM unnest(CAST(:keys AS bigint[])) k WHERE pg_try_advisory_lock(k)")
        return [keys[row.k] for row in connection.execute(free, {"keys": [*keys]})]

    def disown(self, connection: Connection, stream: str) -> None:
        connection.execute(select(func.pg_advisory_unlock(_key("stream", stream))))

    @contextmanager
    def reading(self, connection: Connection) -> Iterator[None]:
        yield

    def tidy(self, connection: Connection) -> None:
        pass

    def backup(self, to: Path) -> None:
        raise StorageRefused(
            f"{self.where} makes its own backups: run pg_dump --format=custom --file={to} with "
            "the same URL"
        )

    def close(self) -> None:
        pass


def _database(url: str, application: str) -> _File | _Server:
    """What a URL names. It may hold a password, so no refusal repeats it."""
    try:
        parsed = make_url(url)
    except (sql.ArgumentError, ValueError):
        raise StorageRefused(
            "that is not the URL of a database: write sqlite:///croupier.db, or "
            "postgresql://user:password@host/database"
        ) from None
    kind = parsed.drivername
    if kind == "sqlite":
        if parsed.query or parsed.host or parsed.database in (None, "", ":memory:"):
            raise StorageRefused("SQLite needs a file: write sqlite:///croupier.db")
        path = Path(str(parsed.database))
        if wrong := wrong_with_name(path):
            raise StorageRefused(f"SQLite cannot have a file there: {wrong}; name another")
        return _File(path.resolve())
    if kind not in ("postgresql", "postgres", "postgresql+psycopg"):
        raise StorageRefused(
            f"croupier does not keep its log in {kind}: use sqlite:///… or postgresql://…"
        )
    if "@" in f"{parsed.host}{parsed.database}":
        raise StorageRefused(
            "an @ in the password or the name of a database must be written %40 in its URL"
        )
    return _Server(parsed, application)


class Storage:
    """The database of one server."""

    def __init__(self, url: str, *, application: str = "croupier") -> None:
        self.url = url
        self.generation = 0
        self._database = _database(url, application)
        self.dialect: str = self._database.dialect
        self._writing = threading.RLock()
        self._writer: Connection | None = None
        self._owned: set[str] = set()
        self._broken = ""  # what to do about it
        self._is_ending = False  # the writer has said all, and commits
        self._closed = False
        self._known = False  # it was there once: what it does not do now, it may do again

    def __repr__(self) -> str:
        return f"<Storage: {self._database.where}>"

    def lock(self) -> None:
        """Refuse to be the second server on a file."""
        self._database.lock()

    def migrate(self) -> None:
        """Bring the tables to this version of the software."""
        from croupier.floor import migrations

        where = self._database.where
        try:
            with self.write() as connection:
                self._database.prepare(connection)
                reason = migrations.refusal(connection)
                if reason:
                    raise StorageRefused(f"{where} {reason}")
                migrations.upgrade(connection)
                if reason := migrations.damage(connection):
                    raise StorageRefused(f"{where} {reason}")
        except sql.DBAPIError as error:
            if _code(error) != "42501":
                raise
            raise StorageRefused(
                f"{where} does not let this user create tables: make it the owner of the database"
            ) from None

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """A transaction of the one writer: all of it, on disk, or nothing."""
        with self._writing:
            if self._broken:
                raise StorageBroken(self._broken)
            with self._translated():
                connection = self._connected()
                self._database.check()
                try:
                    with self._keeping(), connection.begin():
                        yield connection
                        self._is_ending = True
                finally:
                    self._let_go_if_lost()
                self._database.tidy(connection)

    @contextmanager
    def _keeping(self) -> Iterator[None]:
        """A commit that meets damage has kept nothing that can be believed."""
        self._is_ending = False
        try:
            yield
        except sql.DBAPIError as error:
            if self._is_ending and meaning(error) is StorageDamaged:
                raise self._trouble(StorageBroken) from error
            raise

    @contextmanager
    def _speaking(self) -> Iterator[Connection]:
        """The writer, for what belongs to its connection and not to a transaction."""
        with self._writing:
            if self._writer is not None and self._writer.in_transaction():
                yield self._writer
            else:
                with self.write() as connection:
                    yield connection

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """One moment of the database, for a reader in any thread."""
        self._need_open()
        with (
            self._translated(),
            self._database.readers.connect() as connection,
            self._database.reading(connection),
            connection.begin() as transaction,
        ):
            self._known = True
            yield connection
            transaction.rollback()  # there is nothing to keep

    def own(self, stream: str) -> bool:
        """Whether this server runs the table from now on; nobody else does until it lets go."""
        with self._speaking() as connection:
            if stream in self._owned:
                connection.exec_driver_sql("SELECT 1")  # a lost connection has lost its locks
            elif self._database.own(connection, stream):
                self._owned.add(stream)
            return stream in self._owned

    def own_free(self, streams: Sequence[str]) -> list[str]:
        """Those of these tables that nobody runs; this server does from now on."""
        if not streams:
            return []
        with self._speaking() as connection:
            mine = self._database.own_free(connection, streams)
            self._owned.update(mine)
        return mine

    def disown(self, stream: str) -> None:
        """Leave the table to another server. With a lost connection it is left already."""
        with self._writing, suppress(StorageError):
            if stream in self._owned:
                with self._speaking() as connection:
                    self._database.disown(connection, stream)
                self._owned.discard(stream)

    def connected(self) -> bool:
        """Whether the writer is there, and so its locks are."""
        with self._writing:
            if self._writer is not None:
                with suppress(StorageError), self._speaking() as connection:
                    connection.exec_driver_sql("SELECT 1")
            return self._writer is not None and not self._broken

    def backup(self, to: Path) -> None:
        """A copy of this moment, while the tables go on."""
        self._database.backup(to)

    def close(self) -> None:
        with self._writing:
            self._closed = True
            self._let_go()
            self._database.readers.dispose()
            self._database.close()

    def _need_open(self) -> None:
        if self._closed:
            raise StorageLost(f"{self._database.where} was closed: start the server again")

    def _connected(self) -> Connection:
        self._need_open()
        if self._writer is None:
            self._writer = self._database.writer.connect()
            self.generation += 1
            self._known = True
        return self._writer

    def _let_go_if_lost(self) -> None:
        writer = self._writer
        if writer is not None and (writer.invalidated or not self._database.alive(writer)):
            self._let_go()

    def _let_go(self) -> None:
        self._owned.clear()
        if self._writer is not None:
            with suppress(sql.SQLAlchemyError):
                self._writer.close()
            self._writer = None

    @contextmanager
    def _translated(self) -> Iterator[None]:
        """Say what an error of the driver means here. Those of the SQL itself stay as they are."""
        where = self._database.where
        try:
            yield
        except sql.TimeoutError:
            raise StorageLost(f"{where} has no reader free: try again in a moment") from None
        except sql.DBAPIError as error:
            if not self._known:
                raise StorageRefused(self._database.refusal(error)) from None
            trouble = meaning(error)
            if trouble is None:
                raise
            told = self._trouble(trouble)
            if isinstance(told, StorageBroken):
                self._broken = str(told)
            raise told from error
        except StorageBroken as error:
            self._broken = str(error)
            raise

    def _trouble(self, kind: type[StorageError]) -> StorageError:
        return kind(ADVICE[kind].format(where=self._database.where))
