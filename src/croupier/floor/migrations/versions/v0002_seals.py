"""Seals: of the head of every log, of snapshots and of answers.

Sessions are in the house's log from here on, so everyone logs in once more.
Snapshots that nobody sealed are not believed: every table is built again from
its events, once.
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "heads",
        sa.Column("stream", sa.Text, nullable=False),
        sa.Column("number", sa.BigInteger, nullable=False),
        sa.Column("hash", sa.Text, nullable=False),
        sa.Column("seal", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("stream", name="pk_heads"),
    )
    op.drop_index("ix_requests_at", "requests")
    op.add_column("requests", sa.Column("seal", sa.Text))
    op.drop_table("snapshots")
    op.create_table(
        "snapshots",
        sa.Column("stream", sa.Text, nullable=False),
        sa.Column("number", sa.BigInteger, nullable=False),
        sa.Column("head", sa.Text, nullable=False),
        sa.Column("software", sa.Text, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("seal", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("stream", name="pk_snapshots"),
    )
    op.drop_table("sessions")
    for known_from_the_log in ("last_login_at", "failures", "locked_until"):
        op.drop_column("accounts", known_from_the_log)
