"""Answers of annotators to questions about items, in whatever layout they are.

A table has a row per annotator and item, or a row per item and a column per annotator. Read too are exports
of annotation programs (`exports.recognising`), the answers of a survey, with a row for each, and single
ratings of groups on pairs of traits (`data.people.ratings`), whose pairs are the questions and whose groups
the items.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, NamedTuple

import numpy as np

from tiltmeter.core.errors import BadInput, BadItems, Problem, known_names
from tiltmeter.core.reading.typed_values import OTHERS
from tiltmeter.core.text import counted, decimal_number, shortened
from tiltmeter.core.types import Array
from tiltmeter.data.downloads.fetch import joint_sha256, sha256
from tiltmeter.data.files.chosen_answers import is_chosen
from tiltmeter.data.files.missing_words import is_missing
from tiltmeter.data.files.rows import Cell, FilledCell, UserRows
from tiltmeter.data.files.table import listed
from tiltmeter.data.files.tables import TableRow, read_table
from tiltmeter.data.people.answer_codes import (
    AnswerCodes,
    DeclaredScale,
    answer_codes,
    as_sets,
    case_folded,
)
from tiltmeter.data.people.exports.exported import ANSWER, Export
from tiltmeter.data.people.exports.recognising import answer_file, read_export
from tiltmeter.data.people.exports.wide_table import annotator_columns, read_wide
from tiltmeter.data.people.ratings import (
    COLUMNS,
    MOST_STEPS,
    PERCENT,
    RatingScale,
    read_ratings,
    whole_steps,
)
from tiltmeter.data.people.row_facts import ANNOTATOR, ITEM, RowFacts, answer_times

SECONDS = "seconds"
"""The column that says how long it took to answer."""
LONG = ("person", "item", "question", "kind", "round", "value")
"""The columns of a survey's answers."""
SMALLEST, LARGEST = 1e-100, 1e100
"""The smallest and largest absolute value of an answer other than 0: its square must be a number, too."""
COMPARED = ("choice", "scale", "slider")
"""The kinds of questions whose answers can be compared for equality."""
MANY_TEXTS = 20
"""More different texts than this, most of them given once, are written answers."""


@dataclass(frozen=True, slots=True)
class Judgments:
    """The answers to each question, shape (items, annotators), NaN where there is none."""

    name: str
    sha256: str
    annotators: tuple[str, ...]
    items: tuple[str, ...]
    answers: Mapping[str, Array]
    """The answers by question; words are numbered in the declared order, or else alphabetically."""
    words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The words of each question whose answers are words, in the order of their numbers."""
    notes: tuple[str, ...] = ()
    declared: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    """By question: all answers that there could be, ascending; only questions of which somebody said it."""
    ordered: frozenset[str] = frozenset()
    """The questions whose words have an order."""
    attributes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By column that was asked for: what it says of each annotator; "" where it says nothing."""
    texts: tuple[str, ...] = ()
    """The text of each item, where a column of texts was asked for; "" where there is none."""
    seconds: Mapping[str, Array] = field(default_factory=dict)
    """By question: how long the page with each answer was shown, like `answers`; {} where nothing says it."""


@dataclass(frozen=True, slots=True)
class AnswerReading:
    """Options for reading a file of answers, apart from its format."""

    annotator: str = ""
    """The column that names the annotator; "" means "annotator"."""
    item: str = ""
    """The column that names the item; "" means "item"."""
    annotators: tuple[str, ...] = ()
    """The columns that each hold the answers of one annotator."""
    questions: tuple[str, ...] = ()
    """Columns with the answers, or questions of an export; () for all that can be compared, where the layout
    says which these are."""
    rating_scale: RatingScale | None = None
    """The scale of ratings of groups on pairs of traits; other answers can only have one of few whole
    numbers."""
    scales: Mapping[str, DeclaredScale] = field(default_factory=dict)
    """The declared answers by question; "" stands for all other questions."""
    fold_case: bool = False
    """Whether labels that differ only in case or spaces count as the same."""
    attributes: tuple[str, ...] = ()
    """Columns about the annotators; of a survey, questions that are about no item."""
    text: str = ""
    """The column with the text of each item."""
    encoding: str = ""

    @property
    def row_columns(self) -> tuple[str, ...]:
        """The columns that only a table with a row per annotator and item can have."""
        return (*self.attributes, *((self.text,) if self.text else ()))


class _Given(NamedTuple):
    """One answer as the file has it."""

    annotator: str
    item: str
    question: str
    value: str
    line: int = 0
    seconds: str = ""


def read_judgments(path: Path, reading: AnswerReading | None = None) -> Judgments:
    """Read the answers in a table, an export, ratings or the answers of a survey; the layout is recognised.

    Cells with a word for a missing value are no answers.

    Raises:
        BadInput: The file cannot be read, lacks a column, or no question is named.
        BadItems: Rows without annotator or item, or that contradict an earlier row; all of them.
    """
    how = reading or AnswerReading()
    path = answer_file(path)
    if not (how.annotator or how.item or how.annotators):
        if path.is_file() and path.suffix.lower() not in {".json", ".jsonl"}:
            columns = set(read_table(path, encoding=how.encoding, known=None).columns)
            if not how.questions and set(COLUMNS) <= columns:
                return _of_ratings(path, how)
            if set(LONG) <= columns:
                return _of_survey(path, how)
        export = read_export(path, how.questions, encoding=how.encoding)
        if export is not None:
            return _of_export(path, export, how)
    return _of_table(path, how)


def _of_table(path: Path, how: AnswerReading) -> Judgments:
    table = read_table(path, encoding=how.encoding, known=None)
    who, what = how.annotator or ANNOTATOR, how.item or ITEM
    alike = (
        () if how.annotator or who in table.columns else annotator_columns(table.columns, how.item)
    )
    if how.annotators or alike:
        question = ANSWER
        if how.questions and how.questions[0] not in table.columns:
            question = how.questions[0]
        export = read_wide(
            [row.cells for row in _usable(path, how)], table.columns, how.annotators or alike,
            item=how.item, question=question, file=path.name,
        )  # fmt: skip
        return _of_export(path, export, replace(how, questions=()))
    for name in how.questions:
        if name in {who, what}:
            reason = f"the column {name!r} holds the {'annotators' if name == who else 'items'}"
            raise BadInput(reason, "name a column of answers with --question", file=path.name)
    columns_of = {"who": who, "what": what}
    rows = UserRows(
        _AnswerRow, path, encoding=how.encoding, columns=columns_of, more=(*how.questions, *how.row_columns),
        texts=(how.text,) if how.text else (),
        way_out="name the columns with --annotator and --item, or with --annotators those that are one each",
    )  # fmt: skip
    if not how.questions:
        others = [name for name in rows.columns if name and name not in {who, what}]
        way_out = f"name columns with --question: {listed(others)}" if others else "add a column"
        raise BadInput("no question is named", way_out, file=path.name)
    given: list[_Given] = []
    facts = RowFacts(path.name)
    for line, row in rows:
        seconds = row.answers.get(SECONDS, "")
        given += [
            _Given(row.who, row.what, question, row.answers.get(question, ""), line, seconds)
            for question in how.questions
        ]
        for column in how.attributes:
            facts.add(ANNOTATOR, row.who, column, row.answers.get(column, ""), line)
        if how.text:
            facts.add(ITEM, row.what, how.text, row.answers.get(how.text, ""), line)
    problems = [*rows.problems, *facts.problems]
    read = _judgments(path, given, how.questions, how, problems, rows.notes)
    return _with_facts(read, facts, how)


def _usable(path: Path, how: AnswerReading) -> Iterable[TableRow]:
    problems: list[Problem] = []
    table = read_table(path, encoding=how.encoding, texts=None)
    rows = list(table.usable(problems))
    if problems:
        raise BadItems(problems, way_out="Correct these rows, or remove them.")
    return rows


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
    seconds: Cell = ""


def _of_survey(path: Path, how: AnswerReading) -> Judgments:
    """The first answers about items; training items and those asked a second time are left out."""
    source = UserRows(_SurveyRow, path, encoding=how.encoding)
    asked: dict[str, None] = {}
    left_out: dict[str, None] = {}
    given: list[_Given] = []
    facts = RowFacts(path.name)
    for line, row in source:
        if not row.item and row.question in how.attributes and row.round in {"1", "1.0"}:
            facts.add(ANNOTATOR, row.person, row.question, row.value, line)
        if row.item and row.round in {"1", "1.0"}:
            if row.kind in COMPARED or row.question in how.questions:
                asked[row.question] = None
                given.append(
                    _Given(row.person, row.item, row.question, row.value, line, row.seconds)
                )
            else:
                left_out[row.question] = None
    kept = tuple(known_names("question", how.questions, asked)) or tuple(asked)
    if not kept:
        raise BadInput("has no answers about items", "export a survey with answers", file=path.name)
    notes = list(source.notes)
    if left_out and not how.questions:
        notes.append(f"Questions with written answers are left out: {', '.join(left_out)}.")
    given = [each for each in given if each.question in kept]
    known_names("question about people", how.attributes, {of for _, _, of in facts.by_name})
    problems = [*source.problems, *facts.problems]
    return _with_facts(_judgments(path, given, kept, how, problems, notes), facts, how)


def _with_facts(judgments: Judgments, facts: RowFacts, how: AnswerReading) -> Judgments:
    attributes = {
        column: facts.values(ANNOTATOR, judgments.annotators, column) for column in how.attributes
    }
    texts = facts.values(ITEM, judgments.items, how.text) if how.text else ()
    return replace(judgments, attributes=attributes, texts=texts)


def _of_export(path: Path, export: Export, how: AnswerReading) -> Judgments:
    """The questions of an export that are named, or all but those with written answers."""
    if how.row_columns:
        reason = f"this layout has no column {how.row_columns[0]!r} about annotators or items"
        raise BadInput(
            reason, "give a table with a row for each annotator and item", file=path.name
        )
    by_question: dict[str, list[str]] = defaultdict(list)
    missing: Counter[str] = Counter()
    given = []
    for answer in export.answers:
        value = answer.value.strip()
        if value and is_missing(value, usual=not export.has_nulls):
            missing[value] += 1
            value = ""
        by_question[answer.question] += [value] if value else []
        if is_chosen(path.name, answer.annotator):
            given.append(_Given(answer.annotator, answer.item, answer.question, value))
    written = [] if how.questions else [q for q, a in by_question.items() if _are_written(a)]
    asked = () if export.is_selected else how.questions
    named = known_names("question", asked, by_question)
    kept = tuple(named) or tuple(q for q in by_question if q not in written)
    if not kept:
        reason = "has no answers that can be compared"
        raise BadInput(reason, "export choices, ratings or numbers", file=path.name)
    notes = list(export.notes)
    if missing:
        words = ", ".join(f"{word!r} {count:,}" for word, count in missing.most_common())
        notes.append(
            f"{counted(missing.total(), 'answers')} read as missing ({words}). If such a word is an answer "
            "of yours, list the words for missing values with --missing."
        )
    if written:
        notes.append(f"Questions with written answers are left out: {', '.join(written)}.")
    given = [each for each in given if each.question in kept]
    return _judgments(path, given, kept, how, [], notes)


def _are_written(answers: Sequence[str]) -> bool:
    texts = {answer for answer in answers if decimal_number(answer) is None}
    return len(texts) > MANY_TEXTS and 2 * len(texts) > len(answers)


def _of_ratings(path: Path, how: AnswerReading) -> Judgments:
    steps = whole_steps(how.rating_scale) if how.rating_scale else ()
    if any(question or scale.values != steps for question, scale in how.scales.items()):
        raise BadInput(
            "ratings of groups on pairs of traits are numbers on one scale: --categories and --order have no "
            "effect on them",
            "leave these options out; --scale LOW:HIGH gives the scale",
            file=path.name,
        )
    ratings = read_ratings(path, scale=how.rating_scale or PERCENT, encoding=how.encoding)
    answers = {pair: ratings.values[:, :, p].T for p, pair in enumerate(ratings.pairs)}
    attributes = {
        name: ratings.about[name] for name in known_names("column", how.attributes, ratings.about)
    }
    notes = (f"Ratings are mapped from their scale to {PERCENT}.", *ratings.notes)
    who, what = ratings.annotators, ratings.groups
    return Judgments(path.name, sha256(path), who, what, answers, {}, notes, attributes=attributes)


def _judgments(
    path: Path,
    given: Sequence[_Given],
    questions: Sequence[str],
    how: AnswerReading,
    problems: list[Problem],
    notes: Sequence[str],
) -> Judgments:
    """All answers as tables of numbers.

    Raises:
        BadItems: Answers that contradict each other or are too large, and `problems`.
        BadInput: An answer was not declared, or what was declared has no effect.
    """
    _check_declared(path, questions, how)
    people = sorted({each.annotator for each in given})
    items = list(dict.fromkeys(each.item for each in given))
    columns, rows = ({name: i for i, name in enumerate(axis)} for axis in (people, items))
    answers: dict[str, Array] = {}
    coded: dict[str, AnswerCodes] = {}
    noted: list[str] = []
    repeated: set[tuple[str, str, int]] = set()
    for question in questions:
        mine = [each for each in given if each.question == question]
        scale = how.scales.get(question, how.scales.get(""))
        texts, of_sets = _texts(question, Counter(e.value for e in mine if e.value), scale, how)
        by_place: dict[tuple[str, str], str] = {}
        for each in mine:
            value, place = texts.get(each.value, ""), (each.annotator, each.item)
            if _has_no_square(value):
                reason = f"{shortened(value, 40)} is too large or too small to be compared"
                problems.append(_problem(path, each, reason, "give it in another unit"))
            elif place not in by_place:
                by_place[place] = value
            elif by_place[place] == value:
                repeated.add((*place, each.line))
            else:
                who, what = place
                reason = f"{who} answers differently about {what} than in an earlier row"
                problems.append(_problem(path, each, reason, "keep one of the two"))
        counts = Counter(value for value in by_place.values() if value)
        coded[question] = answer_codes(question, counts, scale)
        answers[question] = np.full((len(items), len(people)), np.nan)
        for (who, what), value in by_place.items():
            if value:
                answers[question][rows[what], columns[who]] = coded[question].codes[value]
        noted += [*of_sets, *coded[question].notes]
    if problems:
        unique = sorted(dict.fromkeys(problems), key=lambda problem: problem.line or 0)
        raise BadItems(unique, way_out="Correct these rows, or remove them.")
    if repeated:
        plural = (
            "s repeat an earlier row and are"
            if len(repeated) > 1
            else " repeats an earlier row and is"
        )
        noted.insert(0, f"{len(repeated):,} row{plural} counted once.")
    return Judgments(
        path.name,
        _checksum(path),
        tuple(people),
        tuple(items),
        answers,
        {question: codes.words for question, codes in coded.items() if codes.words},
        (*noted, *notes),
        {question: codes.declared for question, codes in coded.items() if codes.declared},
        frozenset(question for question, codes in coded.items() if codes.ordered),
        seconds=answer_times(
            [(e.question, e.item, e.annotator, e.seconds) for e in given if e.value], items, people
        ),
    )


def _check_declared(path: Path, questions: Sequence[str], how: AnswerReading) -> None:
    """Refuse a declared scale or declared answers that would have no effect."""
    known_names("question", filter(None, how.scales), questions)
    if how.rating_scale and not whole_steps(how.rating_scale):
        low, high = how.rating_scale
        raise BadInput(
            f"--scale {low:g}:{high:g} has no effect on these answers: a scale that is not of at most "
            f"{MOST_STEPS} whole numbers is for single ratings of groups on pairs of traits",
            "leave it out: numbers count as they are",
            file=path.name,
        )


def _problem(path: Path, given: _Given, reason: str, way_out: str) -> Problem:
    return Problem(reason, way_out, file=path.name, line=given.line or None)


def _texts(
    question: str, counts: Counter[str], scale: DeclaredScale | None, how: AnswerReading
) -> tuple[dict[str, str], list[str]]:
    """The text as which each answer counts, by the answer as given, and notes."""
    texts, notes = as_sets(question, counts)
    if how.fold_case:
        by_text: Counter[str] = Counter()
        for value, count in counts.items():
            by_text[texts[value]] += count
        folded = case_folded(by_text, scale.values if scale else ())
        texts = {value: folded[text] for value, text in texts.items()}
    return texts, notes


def _checksum(path: Path) -> str:
    """The SHA-256 of a file, or the joint one of all files in a folder."""
    if path.is_file():
        return sha256(path)
    return joint_sha256(sha256(file) for file in sorted(path.rglob("*")) if file.is_file())


def _has_no_square(answer: str) -> bool:
    number = decimal_number(answer)
    return number is not None and number != 0 and not SMALLEST <= abs(number) <= LARGEST
