"""Exports of Qualtrics: a row for each person, under three rows of headings.

The columns of one question about several items are the items: `Q3_1`, `Q3_2` of a matrix, or `1_Q5`,
`2_Q5` of a question that is repeated for each item (loop and merge).
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from tiltmeter.data.people.exports.exported import Export
from tiltmeter.data.people.exports.response_table import ResponseLayout, read_responses

PROGRAM = "Qualtrics"
PERSON = "ResponseId"
_MARKS = {PERSON, "StartDate"}
_LOOP, _MATRIX = re.compile(r"(\d+)_(.+)"), re.compile(r"(.+?)_(\d+)")
_TEXT = "_TEXT"
UNANSWERED = frozenset({"-99"})
"""What the export writes, where one asks for it, for a question that was shown and not answered."""
NOBODY = {
    "survey preview": "previews", "1": "previews", "survey test": "test responses", "2": "test responses",
    "spam": "spam responses", "8": "responses marked as spam",
}  # fmt: skip
"""What `Status` has, in words or numbers, where a response is the researcher's, or no person's."""
HEADINGS = 2
"""Rows below the names: the questions' words, and the import ids."""


def is_table(columns: Sequence[str]) -> bool:
    """Whether a table has the columns that Qualtrics adds."""
    return set(columns) >= _MARKS


def read_rows(
    rows: Sequence[Mapping[str, Any]], columns: Sequence[str], asked: Sequence[str], file: str
) -> Export:
    """The answers to questions about several items; `asked` are questions or columns that the user names.

    Raises:
        BadInput: No question is about several items.
    """
    headed = [n for n, row in enumerate(rows[: HEADINGS + 1]) if _is_import_row(row)]
    people = rows[headed[0] + 1 :] if headed else rows
    return read_responses(LAYOUT, people, columns, asked, file)


def _word(row: Mapping[str, Any], column: str) -> str:
    return str(row.get(column) or "").strip().lower()


def _is_import_row(row: Mapping[str, Any]) -> bool:
    return any("ImportId" in str(cell) for cell in row.values())


def _place(column: str) -> tuple[str, str] | None:
    """The question and the item of a column; None where it is about no item."""
    if column.endswith(_TEXT) or column in _MARKS:
        return None
    if match := _LOOP.fullmatch(column):
        return match[2], match[1]
    if match := _MATRIX.fullmatch(column):
        return match[1], match[2]
    return None


LAYOUT = ResponseLayout(
    PROGRAM,
    PERSON,
    _place,
    "Q3_1, Q3_2, or 1_Q5, 2_Q5",
    unused=lambda row: NOBODY.get(_word(row, "Status"), ""),
    is_unfinished=lambda row: _word(row, "Finished") in {"false", "0"},
    unanswered=UNANSWERED,
)
