"""Tables of survey programs, with a row for each person: columns of one question are its items.

Questions with several answers to tick look like this too. They are recognised by their cells: each column has
no other value than the one of its box, and is empty where the box was not ticked.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tiltmeter.core.errors import BadInput
from tiltmeter.core.text import counted
from tiltmeter.data.people.exports.exported import ANSWER, Export

TICKED = frozenset({"1", "y", "yes", "true", "x"})
"""What survey programs write in the column of a box that was ticked, if not the box's words."""
FEWEST = 2
"""Columns of a question about several items."""

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ResponseLayout:
    """How a program writes its table of responses."""

    program: str
    person: str
    """The column with the id of a response."""
    place: Callable[[str], tuple[str, str] | None]
    """The question and the item of a column; None where it is about no item."""
    example: str
    """Two columns of one question, for messages."""
    unused: Callable[[Row], str] = field(default=lambda _: "")
    """What a row is that is left out: "previews"; "" for a person's."""
    is_unfinished: Callable[[Row], bool] = field(default=lambda _: False)
    unanswered: frozenset[str] = frozenset()
    """What stands in cells of questions that were not answered."""


def read_responses(
    layout: ResponseLayout,
    rows: Sequence[Row],
    columns: Sequence[str],
    asked: Sequence[str],
    file: str,
) -> Export:
    """The answers to questions about several items.

    Args:
        layout: Of the program.
        rows: The rows of people, without rows of headings.
        columns: The names of the columns.
        asked: Questions or columns that the user names; columns are then the items of one question.
        file: Its name.

    Raises:
        BadInput: No question is about several items, or one that is asked for does not exist.
    """
    export = Export(layout.program, is_selected=bool(asked))
    people = [row for row in rows if not _left_out(export, layout.unused(row))]
    read = _chosen(layout, people, columns, asked, export, file)
    others = [name for name in columns if name and name not in {layout.person, *_columns_of(read)}]
    export.columns_left_out = others
    unfinished = unanswered = 0
    for number, row in enumerate(people, start=1):
        who = _cell(row, layout.person) or str(number)
        given = False
        for question, of in read.items():
            for column, item in of.items():
                cell = _cell(row, column)
                if cell in layout.unanswered:
                    unanswered, cell = unanswered + 1, ""
                export.add(who, item, question, cell)
                given |= bool(cell)
        unfinished += layout.is_unfinished(row)
        export.rows_read += given
        _left_out(export, "" if given else "empty responses")
        export.about[who] = {name: _cell(row, name) for name in others}
    if unanswered:
        words = ", ".join(sorted(layout.unanswered))
        export.notes.append(
            f"{counted(unanswered, 'questions', 'were')} seen and not answered ({words})."
        )
    if unfinished:
        plural = "was not finished; its" if unfinished == 1 else "were not finished; their"
        export.notes.append(f"{counted(unfinished, 'responses')} {plural} answers count.")
    return export.finished()


def _left_out(export: Export, kind: str) -> bool:
    if kind:
        export.rows_left_out[kind] += 1
    return bool(kind)


def _cell(row: Row, column: str) -> str:
    value = row.get(column)
    return "" if value is None else str(value).strip()


def _columns_of(questions: Mapping[str, Mapping[str, str]]) -> set[str]:
    return {column for of in questions.values() for column in of}


def _chosen(
    layout: ResponseLayout,
    people: Sequence[Row],
    columns: Sequence[str],
    asked: Sequence[str],
    export: Export,
    file: str,
) -> dict[str, dict[str, str]]:
    """The items of each question that is read, by column."""
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for column in columns:
        if place := layout.place(column):
            found[place[0]][column] = place[1]
    questions = {name: of for name, of in found.items() if len(of) >= FEWEST}
    plain = [name for name in asked if name not in questions]
    absent = [name for name in plain if name not in columns]
    if absent:
        known = f"the questions about several items are {', '.join(questions) or 'none'}"
        raise BadInput(f"there is no question {absent[0]!r}", known, file=file)
    if asked:
        read = {question: questions[question] for question in asked if question in questions}
        # Columns of their own are items of one question.
        return read | ({ANSWER: {name: name for name in plain}} if plain else {})
    ticked = [name for name, of in questions.items() if _are_ticked(people, of)]
    if ticked:
        export.notes.append(
            f"Left out as questions with several answers to tick: {', '.join(ticked)}. If the columns of one "
            "are items, name all questions with --question."
        )
    read = {name: of for name, of in questions.items() if name not in ticked}
    if not read:
        reason = f"no question is about several items ({layout.example})"
        way_out = "name the columns that are the items with --question, once each"
        raise BadInput(reason, way_out, file=file)
    return read


def _are_ticked(people: Sequence[Row], columns: Mapping[str, str]) -> bool:
    values = [{_cell(row, column) for row in people} - {""} for column in columns]
    given = set().union(*values)
    if not given or any(len(several) > 1 for several in values):
        return False
    if {value.lower() for value in given} <= TICKED:
        return True
    # Words of boxes differ; whoever ticks one of several leaves others empty.
    some_left = any(
        not all(_cell(row, c) for c in columns)
        for row in people
        if any(_cell(row, c) for c in columns)
    )
    return some_left and len(given) == sum(map(len, values)) > 1
