"""Create the tables of the first version."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

WHY = "answers are never changed"
NAMED = "CREATE TRIGGER answers_never_change BEFORE UPDATE ON answer"
SQLITE = (f"{NAMED} BEGIN SELECT RAISE(ABORT, '{WHY}'); END",)
POSTGRESQL = (
    (
        "CREATE FUNCTION answers_never_change() RETURNS trigger AS "
        f"$$ BEGIN RAISE EXCEPTION '{WHY}'; END $$ LANGUAGE plpgsql"
    ),
    f"{NAMED} FOR EACH ROW EXECUTE FUNCTION answers_never_change()",
)


def _texts(*names: str) -> "list[sa.Column[str]]":
    """Columns of text that is never absent."""
    return [sa.Column(name, sa.Text(), nullable=False) for name in names]


def _times(*names: str) -> "list[sa.Column[int]]":
    """Columns of milliseconds since 1970."""
    return [sa.Column(name, sa.BigInteger(), nullable=False) for name in names]


def upgrade() -> None:
    """Make the tables, and let no answer be changed."""
    op.create_table(
        "account",
        sa.Column("id", sa.Integer(), nullable=False),
        *_texts("name", "password", "role"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("name"),
    )
    op.create_table(
        "audit",
        sa.Column("id", sa.Integer(), nullable=False),
        *_times("time"),
        *_texts("actor", "action", "detail"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "board",
        sa.Column("id", sa.Integer(), nullable=False),
        *_texts("name"),
        sa.Column("settings", sa.JSON(), nullable=False),
        *_texts("labels_sha256"),
        *_times("opened"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("name"),
    )
    op.create_table(
        "study",
        sa.Column("id", sa.Integer(), nullable=False),
        *_texts("name", "form", "form_sha256"),
        sa.Column("salt", sa.LargeBinary(), nullable=False),
        *_texts("code"),
        *_times("opened"),
        sa.Column("closed", sa.BigInteger(), nullable=True),
        sa.Column("withdrawn", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("name"),
    )
    op.create_table(
        "item",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("study_id", sa.Integer(), nullable=False),
        *_texts("key", "kind"),
        sa.Column("common", sa.Boolean(), nullable=False),
        *_texts("stratum"),
        sa.Column("content", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["study_id"],
            ["study.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("study_id", "key"),
    )
    op.create_index(op.f("ix_item_study_id"), "item", ["study_id"], unique=False)
    op.create_table(
        "person",
        *_texts("id"),
        sa.Column("study_id", sa.Integer(), nullable=False),
        *_texts("pseudonym", "stratum", "language", "state"),
        sa.Column("consented", sa.BigInteger(), nullable=True),
        sa.Column("linked", sa.Boolean(), nullable=False),
        sa.Column("demographics", sa.Boolean(), nullable=False),
        *_times("started"),
        sa.Column("finished", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(
            ["study_id"],
            ["study.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("study_id", "pseudonym"),
    )
    op.create_index(op.f("ix_person_study_id"), "person", ["study_id"], unique=False)
    op.create_table(
        "submission",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("board_id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=True),
        *_texts("name", "sha256", "state"),
        sa.Column("scores", sa.JSON(), nullable=False),
        *_texts("why"),
        *_times("time"),
        sa.ForeignKeyConstraint(
            ["board_id"],
            ["board.id"],
        ),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["account.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(op.f("ix_submission_board_id"), "submission", ["board_id"], unique=False)
    op.create_table(
        "unlinked",
        *_texts("key"),
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("released", sa.Boolean(), nullable=False),
        sa.Column("answers", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["study_id"],
            ["study.id"],
        ),
        sa.PrimaryKeyConstraint("key"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "assignment",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("item_id", sa.Integer(), nullable=False),
        *_texts("person_id", "stratum"),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        *_texts("state"),
        *_times("until"),
        sa.ForeignKeyConstraint(
            ["item_id"],
            ["item.id"],
        ),
        sa.ForeignKeyConstraint(
            ["person_id"],
            ["person.id"],
        ),
        sa.ForeignKeyConstraint(
            ["study_id"],
            ["study.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("person_id", "item_id", "round"),
    )
    op.create_index(op.f("ix_assignment_item_id"), "assignment", ["item_id"], unique=False)
    op.create_index(op.f("ix_assignment_person_id"), "assignment", ["person_id"], unique=False)
    op.create_index(op.f("ix_assignment_study_id"), "assignment", ["study_id"], unique=False)
    op.create_table(
        "identity",
        *_texts("person_id", "platform"),
        sa.Column("raw", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"],
            ["person.id"],
        ),
        sa.PrimaryKeyConstraint("person_id"),
    )
    op.create_table(
        "payment",
        sa.Column("id", sa.Integer(), nullable=False),
        *_texts("person_id"),
        sa.Column("amount", sa.Double(), nullable=False),
        *_texts("currency", "reason"),
        *_times("time"),
        sa.ForeignKeyConstraint(
            ["person_id"],
            ["person.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("person_id", "reason"),
    )
    op.create_index(op.f("ix_payment_person_id"), "payment", ["person_id"], unique=False)
    op.create_table(
        "receipt",
        sa.Column("submission_id", sa.Integer(), nullable=False),
        *_texts("text", "signature"),
        sa.ForeignKeyConstraint(
            ["submission_id"],
            ["submission.id"],
        ),
        sa.PrimaryKeyConstraint("submission_id"),
    )
    op.create_table(
        "session",
        sa.Column("id", sa.Integer(), nullable=False),
        *_texts("token"),
        sa.Column("user_id", sa.Integer(), nullable=True),
        sa.Column("person_id", sa.Text(), nullable=True),
        sa.Column("data", sa.JSON(), nullable=False),
        *_times("until"),
        sa.ForeignKeyConstraint(
            ["person_id"],
            ["person.id"],
        ),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["account.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("token"),
    )
    op.create_index(op.f("ix_session_person_id"), "session", ["person_id"], unique=False)
    op.create_table(
        "answer",
        sa.Column("number", sa.Integer(), nullable=False),
        *_texts("key"),
        sa.Column("study_id", sa.Integer(), nullable=False),
        *_texts("person_id"),
        sa.Column("assignment_id", sa.Integer(), nullable=True),
        *_texts("page", "question"),
        sa.Column("value", sa.JSON(), nullable=False),
        *_times("client_time", "server_time"),
        sa.Column("supersedes", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["assignment_id"],
            ["assignment.id"],
        ),
        sa.ForeignKeyConstraint(
            ["person_id"],
            ["person.id"],
        ),
        sa.ForeignKeyConstraint(
            ["study_id"],
            ["study.id"],
        ),
        sa.PrimaryKeyConstraint("number"),
        sa.UniqueConstraint("key"),
    )
    op.create_index(op.f("ix_answer_person_id"), "answer", ["person_id"], unique=False)
    op.create_index(op.f("ix_answer_study_id"), "answer", ["study_id"], unique=False)
    op.create_table(
        "mark",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("study_id", sa.Integer(), nullable=False),
        *_texts("person_id"),
        sa.Column("assignment_id", sa.Integer(), nullable=True),
        *_texts("check", "rule"),
        sa.Column("value", sa.Double(), nullable=True),
        sa.Column("flagged", sa.Boolean(), nullable=False),
        *_texts("detail"),
        sa.ForeignKeyConstraint(
            ["assignment_id"],
            ["assignment.id"],
        ),
        sa.ForeignKeyConstraint(
            ["person_id"],
            ["person.id"],
        ),
        sa.ForeignKeyConstraint(
            ["study_id"],
            ["study.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(op.f("ix_mark_person_id"), "mark", ["person_id"], unique=False)
    op.create_index(op.f("ix_mark_study_id"), "mark", ["study_id"], unique=False)
    op.create_table(
        "page_event",
        sa.Column("number", sa.Integer(), nullable=False),
        *_texts("key"),
        sa.Column("study_id", sa.Integer(), nullable=False),
        *_texts("person_id"),
        sa.Column("assignment_id", sa.Integer(), nullable=True),
        *_texts("screen", "kind"),
        *_times("client_time", "server_time"),
        sa.ForeignKeyConstraint(
            ["assignment_id"],
            ["assignment.id"],
        ),
        sa.ForeignKeyConstraint(
            ["person_id"],
            ["person.id"],
        ),
        sa.ForeignKeyConstraint(
            ["study_id"],
            ["study.id"],
        ),
        sa.PrimaryKeyConstraint("number"),
        sa.UniqueConstraint("key"),
    )
    op.create_index(op.f("ix_page_event_person_id"), "page_event", ["person_id"], unique=False)
    op.create_index(op.f("ix_page_event_study_id"), "page_event", ["study_id"], unique=False)
    postgresql = op.get_bind().dialect.name == "postgresql"
    for statement in POSTGRESQL if postgresql else SQLITE:
        op.execute(statement)
