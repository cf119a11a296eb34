"""Exports of LimeSurvey: a row for each response, with question codes as names, full or coded answers.

The columns of an array are its subquestions, which are the items: `G01Q02[SQ001]`, `G01Q02[SQ002]`; of an
array on two scales each scale is a question.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from tiltmeter.data.people.exports.exported import Export
from tiltmeter.data.people.exports.response_table import ResponseLayout, read_responses

PROGRAM = "LimeSurvey"
PERSON, SUBMITTED = "id", "submitdate"
_MARKS = {PERSON, SUBMITTED, "lastpage", "startlanguage"}
_FULL = {
    "Response ID": PERSON,
    "Date submitted": SUBMITTED,
    "Last page": "lastpage",
    "Start language": "startlanguage",
}
"""The same columns where an export has the questions' words as headings."""
_PART = re.compile(r"([^\[\]]+)\[([^\[\]]+)\](?:\[([^\[\]]+)\])?(?:\. .*)?", re.DOTALL)
_ASIDE = re.compile(r"(?:other|.*comment|comment)")
"""Parts that hold what people wrote beside their answer."""


def is_table(columns: Sequence[str]) -> bool:
    """Whether a table has the columns that LimeSurvey adds.

    >>> is_table(["id", "submitdate", "lastpage", "startlanguage", "seed", "Q1[SQ001]"])
    True
    """
    return {_FULL.get(name, name) for name in columns} >= _MARKS


def read_rows(
    rows: Sequence[Mapping[str, Any]], columns: Sequence[str], asked: Sequence[str], file: str
) -> Export:
    """The answers to arrays; `asked` are questions or columns that the user names.

    Raises:
        BadInput: No question is an array.
    """
    named = [_FULL.get(name, name) for name in columns]
    plain = [{_FULL.get(name, name): cell for name, cell in row.items()} for row in rows]
    return read_responses(LAYOUT, plain, named, asked, file)


def _place(column: str) -> tuple[str, str] | None:
    """The question and the item of a column; None where it is about no item.

    >>> _place("G01Q02[SQ001]"), _place("warm[SQ003][1]"), _place("G01Q02[other]"), _place("G01Q01")
    (('G01Q02', 'SQ001'), ('warm[1]', 'SQ003'), None, None)
    """
    match = _PART.fullmatch(column)
    if match is None or _ASIDE.fullmatch(match[2]):
        return None
    return (f"{match[1]}[{match[3]}]" if match[3] else match[1]), match[2]


LAYOUT = ResponseLayout(
    PROGRAM,
    PERSON,
    _place,
    "G01Q02[SQ001], G01Q02[SQ002]",
    is_unfinished=lambda row: not str(row.get(SUBMITTED) or "").strip(),
)
