"""Every test of the floor that uses a database runs on both of them."""

import shutil
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from croupier.floor.checkpoint import Notary
from croupier.floor.pit import Pit
from croupier.floor.storage import Storage
from croupier.simulation.streams import SeededStream
from tests.floor.postgres import Postgres
from tests.floor.support import FakeClock, a_pit

_numbers = count(1)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """The server of this process of the tests; started by the first that asks."""
    try:
        server = Postgres()
    except FileNotFoundError as missing:
        pytest.fail(str(missing), pytrace=False)
    yield server
    server.remove()


@pytest.fixture(scope="session")
def migrated_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sqlite") / "migrated.db"
    _migrate(f"sqlite:///{path}")
    return path


@pytest.fixture(scope="session")
def migrated_database(postgres: Postgres) -> str:
    postgres.execute("CREATE DATABASE migrated")
    _migrate(postgres.url("migrated"))
    return "migrated"


def _migrate(url: str) -> None:
    storage = Storage(url)
    storage.migrate()
    storage.close()


@pytest.fixture(params=["sqlite", "postgresql"])
def dialect(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def empty_url(dialect: str, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A database without any table."""
    if dialect == "sqlite":
        yield f"sqlite:///{tmp_path / 'croupier.db'}"
    else:
        yield from _database(request.getfixturevalue("postgres"), "template1")


@pytest.fixture
def storage_url(dialect: str, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A database with the tables of today and nothing in them."""
    if dialect == "sqlite":
        path = tmp_path / "croupier.db"
        shutil.copy(request.getfixturevalue("migrated_file"), path)
        yield f"sqlite:///{path}"
    else:
        template = request.getfixturevalue("migrated_database")
        yield from _database(request.getfixturevalue("postgres"), template)


def _database(postgres: Postgres, template: str) -> Iterator[str]:
    name = f"test_{next(_numbers)}"
    postgres.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
    yield postgres.url(name)
    postgres.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def storage(storage_url: str) -> Iterator[Storage]:
    opened = Storage(storage_url)
    yield opened
    opened.close()


@pytest.fixture
def pit(storage: Storage, tmp_path: Path) -> Iterator[Pit]:
    """A pit without a thread, whose clock is moved by hand and whose chance is known."""
    notary = Notary(tmp_path / "marks")
    pit = a_pit(storage, clock=FakeClock(), chance=SeededStream(5), notary=notary)
    yield pit
    pit.stop()
