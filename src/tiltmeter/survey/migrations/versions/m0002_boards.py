"""Leaderboards: contexts, keys, leases. Nothing wrote to the earlier tables."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

WAITING = sa.text("state = 'waiting'")


def upgrade() -> None:
    """Make the tables of leaderboards anew."""
    for table in ("receipt", "submission", "board"):
        op.drop_table(table)
    op.create_table(
        "board",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.Column("labels_sha256", sa.Text(), nullable=False),
        sa.Column("contexts", sa.Text(), nullable=False),
        sa.Column("development", sa.Text(), nullable=False),
        sa.Column("key", sa.LargeBinary(), nullable=False),
        sa.Column("opened", sa.BigInteger(), nullable=False),
        sa.Column("closed", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("name"),
    )
    op.create_table(
        "submission",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("board_id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=True),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("sha256", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.Column("scores", sa.JSON(), nullable=False),
        sa.Column("moved", sa.Boolean(), nullable=False),
        sa.Column("why", sa.Text(), nullable=False),
        sa.Column("time", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["board_id"], ["board.id"]),
        sa.ForeignKeyConstraint(["user_id"], ["account.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_submission_submitter", "submission", ["board_id", "name"])
    op.create_index(
        "ix_submission_waiting", "submission", ["board_id", "name"], unique=True,
        sqlite_where=WAITING, postgresql_where=WAITING,
    )  # fmt: skip
    op.create_table(
        "receipt",
        sa.Column("submission_id", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["submission_id"], ["submission.id"]),
        sa.PrimaryKeyConstraint("submission_id"),
    )
