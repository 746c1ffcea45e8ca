"""Opening and closing a house: its first tables, what it looks through, and what keeps it shut."""

import json
import logging
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
from croupier.floor.checkpoint import FILE
from croupier.floor.events import HOUSE
from croupier.floor.storage import StorageRefused
from croupier.games import registry
from croupier.rulebook import Fault, Refusal
from croupier.server.config import Config
from croupier.server.house import House
from tests.floor.support import ANN, admit


@pytest.fixture
def config(tmp_path: Path) -> Config:
    return Config(db=f"sqlite:///{tmp_path / 'floor.db'}")


@contextmanager
def opened(config: Config) -> Iterator[House]:
    house = House(config)
    house.open()
    admit(house.log, ANN)
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
        came = ["account_created", "log_in"]
        assert kinds(house) == ["sealed", "started", *came, "stopped", "started"]


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
        wrong = f"event 1 of {table}: its hash is not that of its content"
        assert found == house.found_bad == {table: wrong}
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


def only(config: Config, **more: Any) -> Config:
    """One table, so that a test is short."""
    return Config(**{**config.model_dump(), "tables": [{"game": "roulette"}], **more})


def verified(config: Config, *more: str) -> Any:
    said = CliRunner().invoke(app, ["verify", "--json", "--db", config.db, *more])
    return json.loads(said.stdout)


def answered(config: Config) -> None:
    command = ["restored", "--db", config.db, "--by", "Sue", "--why", "the disk burned"]
    said = CliRunner().invoke(app, command)
    assert said.exit_code == 0, said.output


@pytest.mark.parametrize("how", ["cut", "emptied", "deleted"])
def test_without_the_checkpoints_that_its_log_names_it_opens_no_doors(
    config: Config, how: str
) -> None:
    config = only(config)
    for _ in range(3):
        with opened(config):
            pass
    path = config.checkpoints / FILE
    kept = b"".join(path.read_bytes().splitlines(keepends=True)[:2])
    if how == "deleted":
        path.unlink()
    else:
        path.write_bytes(kept if how == "cut" else b"")
    words = {"cut": "were cut", "emptied": "is empty", "deleted": "are missing"}
    assert words[how] in str(verified(config)["bad"])
    for _ in range(2):
        with pytest.raises(StorageRefused, match="checkpoints"):
            House(config).open()
    assert not verified(config)["sound"]
    answered(config)
    with opened(config) as house:
        assert "restored" in kinds(house)
    assert verified(config)["sound"]


def test_checkpoints_and_log_are_copied_and_show_what_was_cut(
    config: Config, tmp_path: Path
) -> None:
    disk = tmp_path / "disk"
    config = only(config, checkpoint_copies=[disk / "marks"], mirror=disk / "log",
                  checkpoint_db=f"sqlite:///{tmp_path}/anchors.db")  # fmt: skip
    with opened(config) as house:
        (table,) = house.pit.tables
        assert house.sinks is not None
        house.storage.backup(tmp_path / "before.db")
        before = (config.checkpoints / FILE).read_bytes()
        house.pit.do(table, ANN, {"do": "sit", "seat": "1", "buy_in": 50_000})
    given = ("--checkpoints", str(disk / "marks"), "--mirror", str(disk / "log"))
    assert verified(config, *given)["sound"]
    assert (disk / "marks" / FILE).read_bytes() == (config.checkpoints / FILE).read_bytes()
    # Whoever has the database and the checkpoints puts both back: nothing there shows it.
    for rest in ("", "-wal", "-shm"):
        (tmp_path / f"floor.db{rest}").unlink(missing_ok=True)
    shutil.copy(tmp_path / "before.db", tmp_path / "floor.db")
    (config.checkpoints / FILE).write_bytes(before)
    assert verified(config)["sound"]
    assert "it was cut" in str(verified(config, *given[:2])["bad"])
    assert "the log was cut" in str(verified(config, *given[2:])["bad"])


def test_a_key_beside_the_database_is_warned_of(
    config: Config, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING), opened(only(config)):
        pass
    assert sum("lies beside the checkpoints" in each.message for each in caplog.records) == 1
    caplog.clear()
    apart = only(config, key_file=tmp_path / "keys" / "house.key", checkpoints=tmp_path / "m")
    with caplog.at_level(logging.WARNING), pytest.raises(StorageRefused, match="are not here"):
        House(apart).open()
    assert "lies beside" not in caplog.text
    beside = only(config, key_file=tmp_path / "house.key")
    assert "lies beside the database" in beside.exposed_key()
