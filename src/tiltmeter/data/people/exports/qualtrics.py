"""Exports of Qualtrics: a row for each person, under three rows of headings.

The columns of one question about several items are the items: `Q3_1`, `Q3_2` of a matrix, or `1_Q5`,
`2_Q5` of a question that is repeated for each item (loop and merge).
"""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from tiltmeter.core.errors import BadInput
from tiltmeter.core.text import counted
from tiltmeter.data.people.exports.exported import Export

PROGRAM = "Qualtrics"
PERSON = "ResponseId"
_MARKS = {PERSON, "StartDate"}
_LOOP, _MATRIX = re.compile(r"(\d+)_(.+)"), re.compile(r"(.+?)_(\d+)")
_TEXT = "_TEXT"
NOBODY = {
    "survey preview": "previews", "1": "previews", "survey test": "test responses", "2": "test responses",
}  # fmt: skip
"""What `Status` has, in words or numbers, where a response is the researcher's or made up by Qualtrics."""
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
    export = Export(PROGRAM, is_selected=bool(asked))
    headed = [n for n, row in enumerate(rows[: HEADINGS + 1]) if _is_import_row(row)]
    people = rows[headed[0] + 1 :] if headed else rows
    items: dict[str, dict[str, str]] = defaultdict(dict)
    for column in columns:
        place = None if column.endswith(_TEXT) or column in _MARKS else _place(column)
        if place:
            items[place[0]][column] = place[1]
    questions = {question: of for question, of in items.items() if len(of) > 1}
    plain = [name for name in asked if name not in questions]
    absent = [name for name in plain if name not in columns]
    if absent:
        known = f"the questions about several items are {', '.join(questions) or 'none'}"
        raise BadInput(f"there is no question {absent[0]!r}", known, file=file)
    if asked:
        questions = {question: questions[question] for question in asked if question in questions}
        # Columns of their own are items of one question.
        questions |= {"answer": {name: name for name in plain}} if plain else {}
    if not questions:
        reason = "no question is about several items (Q3_1, Q3_2, or 1_Q5, 2_Q5)"
        way_out = "name the columns that are the items with --question, once each"
        raise BadInput(reason, way_out, file=file)
    for number, row in enumerate(people, start=1):
        if kind := NOBODY.get(_word(row, "Status")):
            export.left_out[kind] += 1
            continue
        who = row.get(PERSON) or number
        for question, of in questions.items():
            for column, item in of.items():
                export.add(who, item, question, str(row.get(column) or ""))
    export.notes += _unfinished(people)
    return export.finished()


def _word(row: Mapping[str, Any], column: str) -> str:
    return str(row.get(column) or "").strip().lower()


def _unfinished(people: Sequence[Mapping[str, Any]]) -> list[str]:
    """A note of how many people did not come to the end."""
    number = sum(
        _word(row, "Finished") in {"false", "0"} and _word(row, "Status") not in NOBODY
        for row in people
    )
    said = "was not finished; its" if number == 1 else "were not finished; their"
    return [f"{counted(number, 'responses')} {said} answers count."] if number else []


def _is_import_row(row: Mapping[str, Any]) -> bool:
    return any("ImportId" in str(cell) for cell in row.values())


def _place(column: str) -> tuple[str, str] | None:
    """The question and the item of a column; None where it is about no item."""
    if match := _LOOP.fullmatch(column):
        return match[2], match[1]
    if match := _MATRIX.fullmatch(column):
        return match[1], match[2]
    return None
