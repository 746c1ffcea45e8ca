"""The first tables: the log, what follows from it, and who may play."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "events",
        sa.Column("stream", sa.Text, nullable=False),
        sa.Column("number", sa.BigInteger, autoincrement=False, nullable=False),
        sa.Column("round", sa.BigInteger, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("at", sa.Text, nullable=False),
        sa.Column("actor", sa.Text, nullable=False),
        sa.Column("request", sa.Text, nullable=False),
        sa.Column("citation", sa.Text, nullable=False),
        sa.Column("rules", sa.Text, nullable=False),
        sa.Column("seen_by", sa.Text),
        sa.Column("data", sa.Text, nullable=False),
        sa.Column("input", sa.Text),
        sa.Column("money", sa.Text),
        sa.Column("previous", sa.Text, nullable=False),
        sa.Column("hash", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("stream", "number", name="pk_events"),
    )
    op.create_index("ix_events_stream_round", "events", ["stream", "round"])
    op.create_table(
        "tables",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("private", sa.Boolean, nullable=False),
        sa.Column("link", sa.Text),
        sa.Column("opened_by", sa.Text, nullable=False),
        sa.Column("opened_at", sa.Text, nullable=False),
        sa.Column("owner", sa.Text),
        sa.PrimaryKeyConstraint("id", name="pk_tables"),
    )
    op.create_table(
        "requests",
        sa.Column("actor", sa.Text, nullable=False),
        sa.Column("request", sa.Text, nullable=False),
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column("stream", sa.Text, nullable=False),
        sa.Column("number", sa.BigInteger, nullable=False),
        sa.Column("reply", sa.Text, nullable=False),
        sa.Column("at", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("actor", "request", name="pk_requests"),
    )
    op.create_index("ix_requests_at", "requests", ["at"])
    op.create_table(
        "balances",
        sa.Column("stream", sa.Text, nullable=False),
        sa.Column("account", sa.Text, nullable=False),
        sa.Column("cents", sa.BigInteger, nullable=False),
        sa.Column("overdraft", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("stream", "account", name="pk_balances"),
        sa.CheckConstraint("cents >= 0 OR overdraft", name=op.f("ck_balances_no_overdraft")),
    )
    op.create_table(
        "snapshots",
        sa.Column("stream", sa.Text, nullable=False),
        sa.Column("number", sa.BigInteger, nullable=False),
        sa.Column("head", sa.Text, nullable=False),
        sa.Column("software", sa.Text, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("stream", name="pk_snapshots"),
    )
    op.create_table(
        "rulesets",
        sa.Column("hash", sa.Text, nullable=False),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("software", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("hash", name="pk_rulesets"),
    )
    op.create_table(
        "accounts",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("role", sa.Text, nullable=False),
        sa.Column("password", sa.Text),
        sa.Column("guest_of", sa.Text),
        sa.Column("created_at", sa.Text, nullable=False),
        sa.Column("last_login_at", sa.Text),
        sa.Column("failures", sa.Integer, server_default=sa.text("0"), nullable=False),
        sa.Column("locked_until", sa.Text),
        sa.Column("closed", sa.Boolean, server_default=sa.false(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_accounts"),
        sa.UniqueConstraint("key", name="uq_accounts_key"),
    )
    op.create_table(
        "sessions",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("account", sa.Text, nullable=False),
        sa.Column("token", sa.Text, nullable=False),
        sa.Column("begun_at", sa.Text, nullable=False),
        sa.Column("expires_at", sa.Text, nullable=False),
        sa.Column("ended_at", sa.Text),
        sa.PrimaryKeyConstraint("id", name="pk_sessions"),
        sa.UniqueConstraint("token", name="uq_sessions_token"),
    )
    op.create_index("ix_sessions_account", "sessions", ["account"])
