"""`--map` for exports, whose questions are no columns: names of questions, and meanings of answers."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from tiltmeter.core.errors import BadInput
from tiltmeter.data.files.missing_words import is_missing
from tiltmeter.data.files.renamed_columns import OTHERS, ColumnMapping, mapping_of
from tiltmeter.data.files.table import listed
from tiltmeter.data.people.answer_codes import label_set

SET = ", "
"""Between the labels of a set, as `label_set` writes it."""


class NamedAnswer(NamedTuple):
    """An answer and the question that it is to."""

    question: str
    value: str


def renamed_questions(
    answers: Iterable[tuple[str, str]], columns: Mapping[str, str], file: str
) -> list[NamedAnswer]:
    """The answers, each a question and a value, under the questions' new names and with their meanings.

    Words for missing values stay as they are.

    >>> renamed_questions([("mood", "lo"), ("why", "x")], {"tone": "mood:lo=1,hi=2"}, "a.json")
    [NamedAnswer(question='tone', value='1'), NamedAnswer(question='why', value='x')]
    >>> renamed_questions([("mood", "lo, hi")], {"mood": "mood:lo=low,hi=high"}, "a.json")
    [NamedAnswer(question='mood', value='high, low')]

    Raises:
        BadInput: There is no such question, two have one name, or an answer has no meaning.
    """
    every = list(answers)
    questions = list(dict.fromkeys(question for question, _ in every))
    mappings = {}
    for field, given in columns.items():
        mapping = mapping_of(field, given, questions)
        if mapping.column not in questions:
            reason = (
                f"no question named {mapping.column!r} for {field} (found: {listed(questions)})"
            )
            raise BadInput(reason, "name one of these", file=file)
        if field in questions and field != mapping.column:
            reason = f"--map {field}={given}: there is a question {field!r} already"
            raise BadInput(reason, "give another name", file=file)
        mappings[mapping.column] = mapping
    named = []
    for question, value in every:
        meant = mappings.get(question)
        if meant is None:
            named.append(NamedAnswer(question, value))
        else:
            meaning = value if is_missing(value) else _meaning(meant, value, file)
            named.append(NamedAnswer(meant.field, meaning))
    return named


def _meaning(mapping: ColumnMapping, value: str, file: str) -> str:
    labels = (
        value.split(SET)
        if value not in mapping.values and OTHERS not in mapping.values
        else [value]
    )
    try:
        return label_set(map(mapping.meaning, labels))
    except KeyError as unnamed:
        known = ", ".join(map(repr, mapping.values))
        reason = f"{mapping.column} is {unnamed}, and --map {mapping.field} names only {known}"
        way_out = "add its meaning, or *=* if other values stay as they are"
        raise BadInput(reason, way_out, file=file) from None
