"""Answers of annotators to questions about items, in whatever layout they are.

A table has a row per annotator and item, or a row per item and a column per annotator. Read too are exports
of annotation programs (`exports.recognising`), the answers of a survey, with a row for each, and single
ratings of groups on pairs of traits (`data.people.ratings`), whose pairs are the questions and whose groups
the items.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated

from tiltmeter.core.errors import BadInput, BadItems, Problem, known_names
from tiltmeter.core.reading.typed_values import OTHERS
from tiltmeter.core.text import counted, decimal_number
from tiltmeter.data.downloads.fetch import sha256
from tiltmeter.data.files.chosen_answers import is_chosen, mark_columns
from tiltmeter.data.files.missing_words import is_missing
from tiltmeter.data.files.renamed_columns import mapping_of, renamed_columns
from tiltmeter.data.files.rows import Cell, FilledCell, UserRows
from tiltmeter.data.files.table import listed
from tiltmeter.data.files.tables import TableRow, read_table
from tiltmeter.data.people.exports.exported import ANSWER, Export, columns_note
from tiltmeter.data.people.exports.recognising import answer_file, read_export
from tiltmeter.data.people.exports.wide_table import annotator_columns, read_wide
from tiltmeter.data.people.judgments import AnswerReading, GivenAnswer, Judgments, judgments_of
from tiltmeter.data.people.ratings import COLUMNS, PERCENT, read_ratings, whole_steps
from tiltmeter.data.people.renamed_questions import renamed_questions
from tiltmeter.data.people.row_facts import ANNOTATOR, ITEM, RowFacts

SECONDS = "seconds"
"""The column that says how long it took to answer."""
LONG = ("person", "item", "question", "kind", "round", "value")
"""The columns of a survey's answers."""
FIRST = "1"
"""The round in which an item is asked for the first time."""
ROUNDS = {"0": "training answers", "2": "repeated answers"}
"""What answers of other rounds are."""
SWAPPED = "swapped"
"""The column that says whether the ends of a question's line had changed sides for the person."""
COMPARED = ("choice", "scale", "slider")
"""The kinds of questions whose answers can be compared for equality."""
ATTENTION = "attention"
"""The kind of answers to questions that test attention or comprehension."""
MANY_TEXTS = 20
"""More different texts than this, most of them given once, are written answers."""


def read_judgments(path: Path, reading: AnswerReading | None = None) -> Judgments:
    """Read the answers in a table, an export, ratings or the answers of a survey; the layout is recognised.

    Cells with a word for a missing value are no answers.

    Raises:
        BadInput: The file cannot be read, lacks a column, or no question is named.
        BadItems: Rows without annotator or item, or that contradict an earlier row; all of them.
    """
    how = reading or AnswerReading()
    path = answer_file(path)
    if how.columns and (names_columns(path, how) or how.row_columns):
        with renamed_columns(path, how.columns):
            return _recognised(path, replace(how, columns={}))
    return _recognised(path, how)


def names_columns(path: Path, how: AnswerReading) -> bool:
    """Whether --map names columns of a table; else it names questions of an export."""
    try:
        columns = read_table(path, encoding=how.encoding, known=None).columns
    except BadInput:
        return False
    return any(
        mapping_of(field, given, columns).column in columns for field, given in how.columns.items()
    )


def _recognised(path: Path, how: AnswerReading) -> Judgments:
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
    with renamed_columns(path, how.columns) if how.columns else nullcontext():
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
        named={how.annotator, how.item, *how.questions, *how.row_columns} - {ANNOTATOR, ITEM},
        texts=(how.text,) if how.text else (),
        way_out="name the columns with --annotator and --item-column, or with --annotators those of one "
        "annotator each",
    )  # fmt: skip
    if not how.questions:
        others = [name for name in rows.columns if name and name not in {who, what}]
        way_out = f"name columns with --question: {listed(others)}" if others else "add a column"
        raise BadInput("no question is named", way_out, file=path.name)
    given: list[GivenAnswer] = []
    facts = RowFacts(path.name)
    for line, row in rows:
        seconds = row.answers.get(SECONDS, "")
        given += [
            GivenAnswer(row.who, row.what, question, row.answers.get(question, ""), line, seconds)
            for question in how.questions
        ]
        for column in how.attributes:
            facts.add(ANNOTATOR, row.who, column, row.answers.get(column, ""), line)
        if how.text:
            facts.add(ITEM, row.what, how.text, row.answers.get(how.text, ""), line)
    problems = [*rows.problems, *facts.problems]
    used = {who, what, SECONDS, *how.questions, *how.row_columns, *mark_columns(rows.columns)}
    others = [name for name in rows.columns if name and name not in used]
    notes = [*rows.notes, columns_note(others)] if others else rows.notes
    read = judgments_of(path, given, how.questions, how, problems, notes)
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
    swapped: Cell = ""


def _of_survey(path: Path, how: AnswerReading) -> Judgments:
    """The first answers about items; training items and those asked a second time are left out."""
    source = UserRows(_SurveyRow, path, encoding=how.encoding)
    kinds: dict[str, str] = {}
    given: list[GivenAnswer] = []
    others: Counter[str] = Counter()
    facts = RowFacts(path.name)
    for line, row in source:
        number = row.round.removesuffix(".0")
        if row.item and number == FIRST:
            if SWAPPED in how.attributes:
                facts.add(ANNOTATOR, row.person, SWAPPED, row.swapped, line)
            kinds[row.question] = row.kind
            given.append(
                GivenAnswer(row.person, row.item, row.question, row.value, line, row.seconds)
            )
        elif not row.item and row.question in how.attributes and number == FIRST:
            facts.add(ANNOTATOR, row.person, row.question, row.value, line)
        else:
            others[
                ROUNDS.get(number, "repeated answers") if row.item else "answers about no item"
            ] += 1
    named = renamed_questions(((e.question, e.value) for e in given), how.columns, path.name)
    kind_of = {to.question: kinds[each.question] for each, to in zip(given, named, strict=True)}
    given = [each._replace(**to._asdict()) for each, to in zip(given, named, strict=True)]
    compared = [name for name, kind in kind_of.items() if kind in COMPARED or name in how.questions]
    kept = tuple(known_names("question", how.questions, kind_of)) or tuple(compared)
    if not kept:
        raise BadInput("has no answers about items", "export a survey with answers", file=path.name)
    notes = list(source.notes)
    if not how.questions:
        notes += _not_compared({n: kind for n, kind in kind_of.items() if n not in compared})
    if others:
        left_out = ", ".join(counted(number, what) for what, number in others.items())
        notes.append(f"Left out: {left_out}.")
    given = [each for each in given if each.question in kept]
    known_names("question about people", how.attributes, {of for _, _, of in facts.by_name})
    problems = [*source.problems, *facts.problems]
    return _with_facts(judgments_of(path, given, kept, how, problems, notes), facts, how)


def _not_compared(kind_of: Mapping[str, str]) -> Iterator[str]:
    """Notes on the questions of a survey that are left out, by why."""
    tests = [name for name, kind in kind_of.items() if kind == ATTENTION]
    written = [name for name in kind_of if name not in tests]
    if written:
        yield f"Questions with written answers are left out: {', '.join(written)}."
    if tests:
        yield f"Questions that test attention are left out: {', '.join(tests)}."


def _with_facts(judgments: Judgments, facts: RowFacts, how: AnswerReading) -> Judgments:
    attributes = {
        column: facts.values(ANNOTATOR, judgments.annotators, column) for column in how.attributes
    }
    texts = facts.values(ITEM, judgments.items, how.text) if how.text else ()
    return replace(judgments, attributes=attributes, texts=texts)


def _of_export(path: Path, export: Export, how: AnswerReading) -> Judgments:
    """The questions of an export that are named, or all but those with written answers."""
    columns = {column for about in export.about.values() for column in about}
    absent = [name for name in how.row_columns if name == how.text or name not in columns]
    if absent:
        reason = f"this layout has no column {absent[0]!r} about annotators or items"
        raise BadInput(
            reason, "give a table with a row for each annotator and item", file=path.name
        )
    by_question: dict[str, list[str]] = defaultdict(list)
    missing: Counter[str] = Counter()
    given = []
    answers = [(answer.question, answer.value) for answer in export.answers]
    named_answers = renamed_questions(answers, how.columns, path.name)
    for answer, (question, given_value) in zip(export.answers, named_answers, strict=True):
        value = given_value.strip()
        if value and is_missing(value, usual=not export.has_nulls):
            missing[value] += 1
            value = ""
        by_question[question] += [value] if value else []
        if is_chosen(path.name, answer.annotator):
            given.append(GivenAnswer(answer.annotator, answer.item, question, value))
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
    facts = RowFacts(path.name)
    for who, about in export.about.items():
        for column in how.attributes:
            facts.add(ANNOTATOR, who, column, about[column], 0)
    return _with_facts(judgments_of(path, given, kept, how, [], notes), facts, how)


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
