"""Every test of the service talks to a real server over a real socket."""

from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from tests.floor.conftest import (  # noqa: F401
    dialect,
    migrated_database,
    migrated_file,
    pit,
    postgres,
    storage,
    storage_url,
)
from tests.floor.postgres import Postgres
from tests.server.support import Server

_numbers = count(1)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One for all tests of a module, on SQLite."""
    started = Server(tmp_path_factory.mktemp("floor")).appoint().start()
    yield started
    started.close()


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def either(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    """One on each database, for promises that the database has a part in."""
    url = ""
    if request.param == "postgresql":
        url = new_database(request.getfixturevalue("postgres"))
    started = Server(tmp_path_factory.mktemp("floor"), url).appoint().start()
    yield started
    started.close()


@pytest.fixture
def servers(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """A server of a test's own, with its own settings: it may be killed."""
    made: list[Server] = []

    def make(db: str = "", **settings: Any) -> Server:
        folder = tmp_path / f"server-{len(made)}"
        folder.mkdir()
        made.append(Server(folder, db, **settings))
        return made[-1]

    yield make
    for each in made:
        each.close()


@pytest.fixture
def database(postgres: Postgres) -> str:  # noqa: F811
    """The URL of a new database of PostgreSQL."""
    return new_database(postgres)


def new_database(server: Postgres) -> str:
    name = f"floor_{next(_numbers)}"
    server.execute(f"CREATE DATABASE {name}")
    return server.url(name)
