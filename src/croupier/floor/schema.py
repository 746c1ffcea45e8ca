"""The tables of the database, the same in SQLite and PostgreSQL.

`events` is the truth, and `heads` seals how far it goes. `tables`, `balances`,
`snapshots` and `accounts` follow from it and are kept to be fast; of a password
the events hold a digest and `accounts` the hash. `requests` remembers what was
answered, so that a command sent twice is done once. Times and JSON are text,
exactly as they are hashed.
"""

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Index,
    MetaData,
    Table,
    Text,
    false,
)

metadata = MetaData(naming_convention={
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "pk": "pk_%(table_name)s",
})  # fmt: skip

events = Table(
    "events", metadata,
    Column("stream", Text, primary_key=True),
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    Column("round", BigInteger, nullable=False),
    Column("kind", Text, nullable=False),
    Column("at", Text, nullable=False),
    Column("actor", Text, nullable=False),
    Column("request", Text, nullable=False),
    Column("citation", Text, nullable=False),
    Column("rules", Text, nullable=False),
    Column("seen_by", Text),
    Column("data", Text, nullable=False),
    Column("input", Text),
    Column("money", Text),
    Column("previous", Text, nullable=False),
    Column("hash", Text, nullable=False),
    Index("ix_events_stream_round", "stream", "round"),
)  # fmt: skip

tables = Table(
    "tables", metadata,
    Column("id", Text, primary_key=True),
    Column("game", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("status", Text, nullable=False),  # open, frozen, closed
    Column("private", Boolean, nullable=False),
    Column("link", Text),  # the hash of the secret in a private table's link
    Column("opened_by", Text, nullable=False),
    Column("opened_at", Text, nullable=False),
    Column("owner", Text),  # the address of the server that runs it
)  # fmt: skip

requests = Table(
    "requests", metadata,
    Column("actor", Text, primary_key=True),
    Column("request", Text, primary_key=True),
    Column("digest", Text, nullable=False),  # of the command: another one may not reuse the id
    Column("stream", Text, nullable=False),
    Column("number", BigInteger, nullable=False),  # its last event
    Column("reply", Text, nullable=False),
    Column("at", Text, nullable=False),
    Column("seal", Text),  # none on what was written before there were seals
)  # fmt: skip

balances = Table(
    "balances", metadata,
    Column("stream", Text, primary_key=True),
    Column("account", Text, primary_key=True),
    Column("cents", BigInteger, nullable=False),
    Column("overdraft", Boolean, nullable=False),  # the house's side may be below zero
    CheckConstraint("cents >= 0 OR overdraft", name="no_overdraft"),
)  # fmt: skip

snapshots = Table(
    "snapshots", metadata,
    Column("stream", Text, primary_key=True),
    Column("number", BigInteger, nullable=False),  # of the last event it holds
    Column("head", Text, nullable=False),
    Column("software", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("seal", Text, nullable=False),
)  # fmt: skip

heads = Table(
    "heads", metadata,
    Column("stream", Text, primary_key=True),
    Column("number", BigInteger, nullable=False),  # of the last event
    Column("hash", Text, nullable=False),
    Column("seal", Text, nullable=False),
)  # fmt: skip

rulesets = Table(
    "rulesets", metadata,
    Column("hash", Text, primary_key=True),
    Column("game", Text, nullable=False),
    Column("options", Text, nullable=False),
    Column("software", Text, nullable=False),
)  # fmt: skip

accounts = Table(
    "accounts", metadata,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("key", Text, nullable=False, unique=True),  # the name, as it may not be taken twice
    Column("role", Text, nullable=False),
    Column("password", Text),  # Argon2; a guest has none
    Column("guest_of", Text),  # the one table that a guest may visit
    Column("created_at", Text, nullable=False),
    Column("closed", Boolean, nullable=False, server_default=false()),
)  # fmt: skip
