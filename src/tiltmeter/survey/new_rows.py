"""Storing answers and page events under keys that their clients made, each key once."""

from collections.abc import Mapping
from typing import Any, cast

from sqlalchemy import Table, bindparam, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from tiltmeter.survey.tables import Answer, PageEvent

NewRow = Mapping[str, Any]
"""Columns of a row, by name."""


def store_new(
    session: Session, kind: type[Answer | PageEvent], rows: Mapping[str, NewRow]
) -> Mapping[str, NewRow]:
    """Store those rows whose keys are new, and leave the others as they are.

    Args:
        session: Of the database.
        kind: Of row.
        rows: Its columns, by key.

    Returns:
        What is stored under these keys now, whoever stored it; nothing where all of them were new.
    """
    if not rows:
        return {}
    table = cast("Table", kind.__table__)
    insert = postgresql.insert if session.get_bind().dialect.name == "postgresql" else sqlite.insert
    new = insert(table).on_conflict_do_nothing(index_elements=[table.c.key]).returning(table.c.key)
    if len(session.execute(new, [dict(row) for row in rows.values()]).all()) == len(rows):
        return {}
    stored = select(table).where(table.c.key.in_(bindparam("keys", expanding=True)))
    rows_now = session.execute(stored, {"keys": [*rows]}).mappings()
    return {row["key"]: dict(row) for row in rows_now}
