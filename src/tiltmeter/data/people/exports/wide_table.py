"""Tables with a row for each item and a column for each annotator."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from tiltmeter.core.errors import BadInput, known_names
from tiltmeter.data.people.exports.exported import Export, plain_value

ITEMS = ("item", "id", "item_id", "instance_id", "text_id", "task", "")
"""Columns that name the item, the likeliest first; "" is the index that a data frame writes."""
FEWEST = 2
"""The minimum numbers of annotators and of rows."""
_NUMBERED = re.compile(
    r"(?:annotator|annot|ann|rater|coder|judge|labell?er|worker|user|person|participant|expert|[a-z])"
    r"?[ _.-]?(?:\d+|[a-z])",
    re.IGNORECASE,
)


def annotator_columns(columns: Sequence[str], item: str = "") -> tuple[str, ...]:
    """The columns that are annotators by their names (A, B, C or rater_1, rater_2, …); () where none are.

    `item` is the column that names the item, where the user says so.

    >>> annotator_columns(["item", "text", "rater1", "rater2"]), annotator_columns(["item", "hate", "rude"])
    (('rater1', 'rater2'), ())
    """
    if not (item in columns if item else set(ITEMS) & set(columns)):
        return ()
    alike = tuple(
        name for name in columns
        if name not in {item, *ITEMS} and _NUMBERED.fullmatch(name)
    )  # fmt: skip
    stems = {re.sub(r"[ _.-]?(\d+|[A-Za-z])$", "", name).casefold() for name in alike}
    return alike if len(alike) >= FEWEST and len(stems) == 1 else ()


def read_wide(
    rows: Sequence[Mapping[str, Any]],
    columns: Sequence[str],
    annotators: Sequence[str],
    *,
    item: str,
    question: str,
    file: str,
) -> Export:
    """The answers to one question in the columns of `annotators`.

    The item is the column `item`, or else the first of ITEMS that is there, or the number of the row.

    Raises:
        BadInput: A column is missing, or two rows have one item.
        UnknownName: There is no such column of an annotator.
    """
    known_names("column of an annotator", annotators, columns)
    if item and item not in columns:
        raise BadInput(f"no column named {item!r}", "name the items' with --item-column", file=file)
    if len(annotators) < FEWEST:
        raise BadInput("one annotator has no agreement", "name two columns or more", file=file)
    place = item or next((name for name in ITEMS if name in columns), None)
    export = Export("a table with a column for each annotator")
    seen: set[str] = set()
    for number, row in enumerate(rows, start=1):
        named = str(number) if place is None else str(plain_value(row.get(place)) or "").strip()
        if not named or named in seen:
            reason = (
                f"row {number}: {'two rows are about ' + named if named else 'the item is empty'}"
            )
            way_out = "give one row per item, or name the items' column with --item-column"
            raise BadInput(reason, way_out, file=file)
        seen.add(named)
        given = [plain_value(row.get(annotator)) for annotator in annotators]
        for annotator, answer in zip(annotators, given, strict=True):
            export.add(annotator, named, question, answer)
        export.rows_read += any(given)
        export.rows_left_out["unanswered items"] += not any(given)
    others = [name for name in columns if name and name not in {place, *annotators}]
    export.columns_left_out = others
    export.rows_left_out = +export.rows_left_out
    export.finished()
    export.notes[0] = f"Each column is an annotator’s answers: {', '.join(annotators)}."
    return export
