"""Answers of annotators to questions about items as tables of numbers, and how files of them are read."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np

from tiltmeter.core.errors import BadInput, BadItems, Problem, known_names
from tiltmeter.core.text import decimal_number, shortened
from tiltmeter.core.types import Array
from tiltmeter.data.downloads.fetch import sha256_of
from tiltmeter.data.people.answer_codes import (
    AnswerCodes,
    DeclaredScale,
    answer_codes,
    as_sets,
    case_folded,
)
from tiltmeter.data.people.ratings import MOST_STEPS, RatingScale, whole_steps
from tiltmeter.data.people.row_facts import answer_times

SMALLEST, LARGEST = 1e-100, 1e100
"""The smallest and largest absolute value of an answer other than 0: its square must be a number, too."""


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
    columns: Mapping[str, str] = field(default_factory=dict)
    """What --map says: the column, or the question of an export, for each field."""

    @property
    def row_columns(self) -> tuple[str, ...]:
        """The columns that only a table with a row per annotator and item can have."""
        return (*self.attributes, *((self.text,) if self.text else ()))


class GivenAnswer(NamedTuple):
    """One answer as the file has it."""

    annotator: str
    item: str
    question: str
    value: str
    line: int = 0
    seconds: str = ""


def judgments_of(
    path: Path,
    given: Sequence[GivenAnswer],
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
        sha256_of(path),
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


def _problem(path: Path, given: GivenAnswer, reason: str, way_out: str) -> Problem:
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


def _has_no_square(answer: str) -> bool:
    number = decimal_number(answer)
    return number is not None and number != 0 and not SMALLEST <= abs(number) <= LARGEST
