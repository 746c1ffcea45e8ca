"""The history of the tables: each version of the schema, made from the one before."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect
from sqlalchemy.exc import NoSuchTableError

from croupier.floor.schema import metadata


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    return config


def refusal(connection: Connection) -> str | None:
    """Why these tables are not to be touched: they are from the future, or are not ours."""
    known = {script.revision for script in ScriptDirectory.from_config(_config()).walk_revisions()}
    found = MigrationContext.configure(connection).get_current_heads()
    if set(found) - known:
        versions = ", ".join(ascii(each).strip("'") for each in found)
        return (
            f"was written by a newer version of croupier (tables of version {versions}): "
            "install that version, or a later one"
        )
    strange = sorted({*metadata.tables} & {*inspect(connection).get_table_names()})
    if strange and not found:
        return f"holds tables of another program ({', '.join(strange)}): name an empty database"
    return None


def damage(connection: Connection) -> str | None:
    """Why these tables cannot be used, although they are of this version: parts are missing."""
    there = inspect(connection)
    try:
        lost = [
            f"{table.name}.{column.name}"
            for table in metadata.sorted_tables
            for column in table.columns
            if column.name not in {each["name"] for each in there.get_columns(table.name)}
        ]
    except NoSuchTableError as error:
        lost = [str(error)]
    return f"is damaged, it lacks {', '.join(lost)}: restore it from a backup" if lost else None


def upgrade(connection: Connection) -> None:
    """To the newest version, within the transaction of this connection."""
    config = _config()
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
