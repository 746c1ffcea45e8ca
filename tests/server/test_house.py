"""Opening and closing a house: its first tables, what it looks through, and what keeps it shut."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, update
from typer.testing import CliRunner

from croupier.cli.app import app
from croupier.floor import log, schema
from croupier.floor.events import HOUSE
from croupier.floor.people import Person, Role
from croupier.floor.storage import StorageRefused
from croupier.games import registry
from croupier.rulebook import Fault, Refusal
from croupier.server.config import Config
from croupier.server.house import House

ANN = Person("ann", "Ann", Role.PATRON, "session")


@pytest.fixture
def config(tmp_path: Path) -> Config:
    return Config(db=f"sqlite:///{tmp_path / 'floor.db'}")


@contextmanager
def opened(config: Config) -> Iterator[House]:
    house = House(config)
    house.open()
    try:
        yield house
    finally:
        house.close()


def rows(house: House) -> list[Any]:
    with house.storage.read() as conn:
        return list(conn.execute(select(schema.tables).order_by(schema.tables.c.opened_at)))


def kinds(house: House) -> list[str]:
    with house.storage.read() as conn:
        return [event.kind for event in log.read(conn, HOUSE)]


def test_a_new_floor_has_a_table_of_every_game(config: Config) -> None:
    with opened(config) as house:
        assert {row.game for row in rows(house)} == set(registry())
        assert set(house.pit.tables) == {row.id for row in rows(house)}
    with opened(config) as house:
        assert len(rows(house)) == len(registry()), "and no second one when it opens again"
        assert kinds(house) == ["started", "stopped", "started"]


def test_or_the_tables_that_its_operator_wants(config: Config) -> None:
    wanted = [{"game": "roulette", "name": "The wheel", "options": {"table_min": 500}}]
    config = Config(**{**config.model_dump(), "tables": wanted})
    with opened(config) as house:
        (row,) = rows(house)
        assert (row.game, row.name) == ("roulette", "The wheel")
        assert house.pit.tables[row.id].table.options.table_min == 500


def test_a_changed_event_is_found_by_the_daily_audit_and_its_table_is_frozen(
    config: Config,
) -> None:
    with opened(config) as house:
        table = next(iter(house.pit.tables))
        house.pit.do(table, ANN, {"do": "sit", "seat": "1", "buy_in": 50_000})
        events = schema.events.c
        with house.storage.write() as conn:
            first = (events.stream == table) & (events.number == 1)
            conn.execute(update(schema.events).where(first).values(actor="somebody else"))
        found = house.audit()
        assert found == {table: f"event 1 of {table} is not what was written"}
        with pytest.raises(Refusal) as refused:
            house.pit.do(table, ANN, {"do": "buy_in", "seat": "1", "amount": 100})
        assert refused.value.fault is Fault.TABLE_FROZEN


def test_a_sound_house_has_nothing_to_find(config: Config) -> None:
    with opened(config) as house:
        assert house.audit() == {}
        assert house.healthy() is None


def test_a_restored_backup_opens_no_doors_until_somebody_answers_for_it(
    config: Config, tmp_path: Path
) -> None:
    with opened(config) as house:
        table = next(iter(house.pit.tables))
        house.storage.backup(tmp_path / "last-night.db")
        house.pit.do(table, ANN, {"do": "sit", "seat": "1", "buy_in": 50_000})
    for rest in ("", "-wal", "-shm"):
        (tmp_path / f"floor.db{rest}").unlink(missing_ok=True)
    shutil.copy(tmp_path / "last-night.db", tmp_path / "floor.db")
    with pytest.raises(StorageRefused, match="truncated"):
        House(config).open()
    said = CliRunner().invoke(
        app, ["restored", "--db", config.db, "--by", "Sue", "--why", "the disk burned"]
    )
    assert said.exit_code == 0, said.output
    with opened(config) as house:
        assert "restored" in kinds(house)
        house.pit.do(table, ANN, {"do": "sit", "seat": "1", "buy_in": 50_000})
