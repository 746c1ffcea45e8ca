"""A real PostgreSQL for tests: a server of their own, in a folder of its own.

It listens on a Unix socket, where everyone is let in, and on a free port of
this machine, where a password is asked for. Run as a program, this module says
where PostgreSQL is, or what to install.
"""

import contextlib
import glob
import os
import pwd
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PASSWORD = "ace of spades"
FOLDERS = (  # where packages put it, when it is not on the PATH
    "/usr/lib/postgresql/*/bin",
    "/usr/pgsql-*/bin",
    "/opt/homebrew/opt/postgresql*/bin",
    "/usr/local/opt/postgresql*/bin",
)
MISSING = (
    "PostgreSQL's server is not installed, and the tests need it: install the package "
    "`postgresql` (make test does so where apt-get is there)"
)
# Its own habit is not to wait for the disk: the storage must ask for that, and not rely on it.
FAST = ("fsync=off", "full_page_writes=off", "synchronous_commit=off")


def binaries() -> Path:
    """The folder that holds both `initdb` and `postgres`, the newest there is."""
    found = [*os.get_exec_path()]
    with contextlib.suppress(OSError, subprocess.CalledProcessError):
        told = subprocess.run(["pg_config", "--bindir"], check=True, capture_output=True, text=True)
        found.append(told.stdout.strip())
    for pattern in FOLDERS:
        found += sorted(glob.glob(pattern), key=_version, reverse=True)
    for folder in map(Path, found):
        if all(os.access(folder / name, os.X_OK) for name in ("initdb", "postgres")):
            return folder
    raise FileNotFoundError(MISSING)


def _version(folder: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", folder)]


def _unprivileged() -> pwd.struct_passwd | None:
    """Whom the server runs as, when the tests run as root: PostgreSQL refuses to be root."""
    if os.geteuid():
        return None
    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            return pwd.getpwnam(name)
    raise LookupError("PostgreSQL may not run as root: run the tests as another user")


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


def _quick() -> Path | None:
    """Memory, where there is plenty of it: a database is made and dropped for every test."""
    memory = Path("/dev/shm")
    if os.access(memory, os.W_OK) and shutil.disk_usage(memory).free > 2 << 30:
        return memory
    return None


class Postgres:
    """One server. `durable` makes it wait for the disk as a real one does."""

    def __init__(self, *, durable: bool = False) -> None:
        self._binaries = binaries()
        self._user = _unprivileged()
        self._settings = () if durable else FAST
        self._server: subprocess.Popen[bytes] | None = None
        self.folder = Path(tempfile.mkdtemp(prefix="croupier-", dir=None if durable else _quick()))
        self.port = _free_port()
        if self._user:
            os.chown(self.folder, self._user.pw_uid, self._user.pw_gid)
        self._initialize()
        self.start()

    def _initialize(self) -> None:
        password = self.folder / "password"
        password.write_text(PASSWORD, "utf-8")
        password.chmod(0o644)
        done = self._run(
            "initdb", "--pgdata", self.folder / "data", "--username=croupier", "--no-sync",
            "--encoding=UTF8", "--locale=C", "--auth-local=trust", "--auth-host=scram-sha-256",
            "--pwfile", password,
        ).wait()  # fmt: skip
        if done:
            raise OSError(f"initdb failed: {self.log()}")

    def _run(self, program: str, *arguments: object) -> "subprocess.Popen[bytes]":
        who = self._user
        with (self.folder / "log").open("ab") as log:
            return subprocess.Popen(
                [str(self._binaries / program), *map(str, arguments)],
                cwd=self.folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                user=who and who.pw_uid, group=who and who.pw_gid, extra_groups=who and [],
                start_new_session=True,  # a Ctrl-C at the tests is not one at the server
            )  # fmt: skip

    def log(self) -> str:
        return (self.folder / "log").read_text("utf-8", "replace")[-2000:]

    def start(self) -> None:
        """Start, or start again: after a kill, what is left of the old server must go first."""
        settings = [
            f"unix_socket_directories={self.folder}", f"port={self.port}",
            "listen_addresses=127.0.0.1", "shared_buffers=32MB", *self._settings,
        ]  # fmt: skip
        patience = time.monotonic() + 60
        while time.monotonic() < patience:
            options = [word for setting in settings for word in ("-c", setting)]
            self._server = self._run("postgres", "-D", self.folder / "data", *options)
            while self._server.poll() is None and time.monotonic() < patience:
                if self._answers():
                    return
                time.sleep(0.02)
            time.sleep(0.1)
        raise OSError(f"PostgreSQL does not start: {self.log()}")

    def _answers(self) -> bool:
        import psycopg

        try:
            psycopg.connect(self.url("postgres"), connect_timeout=5).close()
        except psycopg.OperationalError:
            return False
        return True

    def url(self, database: str) -> str:
        return f"postgresql://croupier@/{database}?host={self.folder}&port={self.port}"

    def url_by_port(self, database: str, password: str = PASSWORD) -> str:
        from urllib.parse import quote

        return f"postgresql://croupier:{quote(password)}@127.0.0.1:{self.port}/{database}"

    def execute(self, statement: str, *values: object) -> list[tuple[object, ...]]:
        """As the administrator, beside whatever the test does."""
        import psycopg

        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            cursor = connection.execute(statement.encode(), values or None)
            return cursor.fetchall() if cursor.description else []

    def kill(self) -> None:
        """As if the machine lost its power."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """In order, without waiting for whoever is connected."""
        self._end(signal.SIGINT)

    def _end(self, how: signal.Signals) -> None:
        if self._server is not None:
            self._server.send_signal(how)
            self._server.wait(60)
            self._server = None

    def remove(self) -> None:
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


if __name__ == "__main__":
    try:
        print(f"PostgreSQL is in {binaries()}.")
    except FileNotFoundError as missing:
        sys.exit(f"{missing}.")
