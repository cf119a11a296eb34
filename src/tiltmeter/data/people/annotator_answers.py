"""Answers of annotators to questions about items, one row per annotator and item.

Two other tables are read too: single ratings of groups on pairs of traits (`data.people.ratings`), whose
pairs are the questions and whose groups the items; and the answers of a survey, with a row for each answer.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any

import numpy as np

from tiltmeter.core.errors import BadInput, known_names
from tiltmeter.core.text import decimal_number, shortened
from tiltmeter.core.typed_values import OTHERS
from tiltmeter.core.types import Array
from tiltmeter.data.downloads.fetch import sha256
from tiltmeter.data.files.rows import Cell, FilledCell, UserRows
from tiltmeter.data.files.table import listed
from tiltmeter.data.files.tables import read_table
from tiltmeter.data.people.ratings import COLUMNS, PERCENT, RatingScale, read_ratings

LONG = ("person", "item", "question", "kind", "round", "value")
"""Columns of a survey's answers."""
NONE = {"", "nan", "NaN"}
"""Cells that are no answer: programs write NaN where a number is missing."""
SMALLEST, LARGEST = 1e-100, 1e100
"""Sizes of an answer other than 0: its square must be a number too."""
COMPARED = ("choice", "scale", "slider")
"""Kinds of questions whose answers can be equal."""


@dataclass(frozen=True, slots=True)
class Judgments:
    """The answers to each question, shape (items, annotators), NaN where there is none."""

    name: str
    sha256: str
    annotators: tuple[str, ...]
    items: tuple[str, ...]
    answers: Mapping[str, Array]
    """By question. Answers that are words are numbered in alphabetical order."""
    words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The words of each question that has any, by their number."""
    notes: tuple[str, ...] = ()


def read_judgments(
    path: Path,
    *,
    annotator: str = "",
    item: str = "",
    questions: Sequence[str] = (),
    scale: RatingScale = PERCENT,
    encoding: str = "",
) -> Judgments:
    """Read a table of answers, of ratings where no column is named, or a survey's answers.

    Args:
        path: A table in any of the formats of `read_table`.
        annotator: The column that says who answered; "" for "annotator".
        item: The column that says about what; "" for "item".
        questions: The columns with the answers; an empty cell or NaN is no answer. Of a survey's answers,
            the questions; by default all with a choice, scale or slider.
        scale: Of ratings of groups on pairs of traits.
        encoding: Of text files.

    Raises:
        BadInput: The file cannot be read, lacks a column, or no question is named.
        BadItems: Rows without annotator or item, or that contradict an earlier row; all of them.
    """
    if not (annotator or item):
        columns = set(read_table(path, encoding=encoding).columns)
        if not questions and set(COLUMNS) <= columns:
            return _of_ratings(path, scale, encoding)
        if set(LONG) <= columns:
            return _of_survey(path, questions, encoding)
    who, what = annotator or "annotator", item or "item"
    for name in questions:
        if name in {who, what}:
            reason = f"the column {name!r} holds the {'annotators' if name == who else 'items'}"
            raise BadInput(reason, "name a column of answers with --question", file=path.name)
    columns_of = {"who": who, "what": what}
    rows = UserRows(_AnswerRow, path, encoding=encoding, columns=columns_of, more=questions)
    if not questions:
        others = [name for name in rows.columns if name and name not in {who, what}]
        way_out = f"name columns with --question: {listed(others)}" if others else "add a column"
        raise BadInput("no question is named", way_out, file=path.name)
    reading = _Reading(rows, tuple(questions))
    for line, row in rows:
        answers = tuple(row.answers.get(name, "") for name in questions)
        reading.add((row.who, row.what), answers, line)
    return reading.judgments(path)


@dataclass(frozen=True, slots=True)
class _AnswerRow:
    who: FilledCell
    what: FilledCell
    answers: Annotated[Mapping[str, Cell], OTHERS] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _SurveyRow:
    person: Cell
    item: Cell
    question: Cell
    kind: Cell
    round: Cell
    value: Cell


class _Reading:
    """The answers of one file."""

    def __init__(self, rows: UserRows[Any], questions: tuple[str, ...]) -> None:
        self.source, self.questions = rows, questions
        self.rows: dict[tuple[str, str], tuple[str, ...]] = {}
        self.repeated = 0

    def add(self, at: tuple[str, str], answers: tuple[str, ...], line: int) -> None:
        if extreme := next(filter(_has_no_square, answers), ""):
            reason = f"{shortened(extreme, 40)} is too large or too small to be compared"
            self.source.complain(line, reason, "give it in another unit")
        elif at not in self.rows:
            self.rows[at] = answers
        elif self.rows[at] == answers:
            self.repeated += 1
        else:
            reason = f"{at[0]} answers differently about {at[1]} than in an earlier row"
            self.source.complain(line, reason, "keep one of the two")

    def judgments(self, path: Path) -> Judgments:
        self.source.finish()
        people = sorted({who for who, _ in self.rows})
        items = list(dict.fromkeys(what for _, what in self.rows))
        answers: dict[str, Array] = {}
        words: dict[str, tuple[str, ...]] = {}
        for number, question in enumerate(self.questions):
            given = {at: row[number] for at, row in self.rows.items() if row[number] not in NONE}
            codes, words_by_number = _codes(set(given.values()))
            if words_by_number:
                words[question] = words_by_number
            columns, rows = ({name: i for i, name in enumerate(axis)} for axis in (people, items))
            answers[question] = np.full((len(items), len(people)), np.nan)
            for (who, what), answer in given.items():
                answers[question][rows[what], columns[who]] = codes[answer]
        several = f"{self.repeated:,} rows repeat an earlier row and are counted once."
        single = "1 row repeats an earlier row and is counted once."
        repeated = (single if self.repeated == 1 else several,) if self.repeated else ()
        notes = (*repeated, *self.source.notes)
        axes = tuple(people), tuple(items)
        return Judgments(path.name, sha256(path), *axes, answers, words, notes)


def _of_survey(path: Path, questions: Sequence[str], encoding: str) -> Judgments:
    """First answers about items; items asked a second time and training are left out."""
    source = UserRows(_SurveyRow, path, encoding=encoding)
    asked: dict[str, None] = {}
    left_out: dict[str, None] = {}
    by_item: dict[tuple[str, str], dict[str, str]] = {}
    for _, row in source:
        if row.item and row.round in {"1", "1.0"}:
            if row.kind in COMPARED or row.question in questions:
                asked[row.question] = None
                by_item.setdefault((row.person, row.item), {})[row.question] = row.value
            else:
                left_out[row.question] = None
    kept = tuple(known_names("question", questions, asked)) or tuple(asked)
    if not kept:
        raise BadInput("has no answers about items", "export a survey with answers", file=path.name)
    reading = _Reading(source, kept)
    for at, given in by_item.items():
        reading.add(at, tuple(given.get(question, "") for question in kept), 0)
    made = reading.judgments(path)
    if not left_out or questions:
        return made
    note = f"Questions with written answers are left out: {', '.join(left_out)}."
    return replace(made, notes=(*made.notes, note))


def _of_ratings(path: Path, scale: RatingScale, encoding: str) -> Judgments:
    ratings = read_ratings(path, scale=scale, encoding=encoding)
    answers = {pair: ratings.values[:, :, p].T for p, pair in enumerate(ratings.pairs)}
    note = f"Ratings are mapped from their scale to {PERCENT}."
    who, what = ratings.annotators, ratings.groups
    return Judgments(path.name, sha256(path), who, what, answers, {}, (note,))


def _codes(answers: set[str]) -> tuple[dict[str, float], tuple[str, ...]]:
    """A number for each answer, and the words by number; () where all answers are finite numbers.

    >>> _codes({"1", "5"}), _codes({"no", "yes"})[0]["yes"]
    (({'1': 1.0, '5': 5.0}, ()), 1.0)
    """
    numbers = {answer: decimal_number(answer) for answer in sorted(answers)}
    finite = {a: n for a, n in numbers.items() if n is not None and math.isfinite(n)}
    if len(finite) == len(answers):
        return finite, ()
    return {word: float(code) for code, word in enumerate(numbers)}, tuple(numbers)


def _has_no_square(answer: str) -> bool:
    number = decimal_number(answer)
    return number is not None and number != 0 and not SMALLEST <= abs(number) <= LARGEST
