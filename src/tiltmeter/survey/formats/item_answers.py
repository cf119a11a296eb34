"""Answers about items as other programs know them, and how they get into a study."""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from tiltmeter.core.errors import BadInput, BadItems, Problem, UnknownName
from tiltmeter.core.text import decimal_number
from tiltmeter.data.files.tables import read_table
from tiltmeter.data.people.ratings import Ratings
from tiltmeter.survey.answers import NewAnswer, NewEvent, save_answers, save_events
from tiltmeter.survey.collected import Collected
from tiltmeter.survey.flow import FIRST
from tiltmeter.survey.form import Form
from tiltmeter.survey.formats.cells import plain
from tiltmeter.survey.formats.tables import value_of
from tiltmeter.survey.keys import derived_key
from tiltmeter.survey.persons import consent, enrol, respondent
from tiltmeter.survey.questions import FormQuestion, Value
from tiltmeter.survey.tables import Assignment, ItemRow, Person
from tiltmeter.survey.values import checked_value

MILLI = 1000
NEEDED = ("person", "item", "question", "value")


@dataclass(frozen=True, slots=True)
class ItemAnswer:
    """One answer about one item."""

    annotator: str
    item: str
    question: str
    value: Value
    round: int = FIRST
    seconds: float | None = None
    """Seconds that the page was open."""
    time: int = 0
    """When, in milliseconds since 1970."""


@dataclass(frozen=True, slots=True)
class Imported:
    """How many people and answers an import found, stored now or before."""

    people: int
    answers: int


def item_questions(form: Form) -> dict[str, tuple[str, FormQuestion]]:
    """The questions about items, with their page, by name."""
    return {q.name: (page.name, q) for page in form.part("item") for q in page.questions}


def item_answers(collected: Collected) -> list[ItemAnswer]:
    """The answers about items of a study, by annotator and item."""
    known = item_questions(collected.form)
    seconds: dict[tuple[str, int | None, str], float] = defaultdict(float)
    for page in collected.pages:
        seconds[page.person, page.assignment, page.screen.split(".")[0]] += page.seconds
    return [
        ItemAnswer(
            r.person, r.item, r.question, r.value, r.round,
            seconds.get((r.person, r.assignment, r.page)), r.client_time,
        )
        for r in collected.responses
        if r.item and r.round >= FIRST and known.get(r.question, ("",))[0] == r.page
    ]  # fmt: skip


NO_EXPORT = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, StopIteration)
"""What reading another program's export raises where it is built otherwise."""


def wrong_answer(error: Exception) -> str:
    """Why an annotation is no answer: our own reason, or that the file is built otherwise.

    >>> wrong_answer(KeyError("data"))
    "it is not built as in this program's exports ('data')"
    """
    if isinstance(error, BadInput):
        return str(error).removesuffix("; answer again")
    key = f" ({error})" if isinstance(error, KeyError) else ""
    return f"it is not built as in this program's exports{key}"


def read_answers(path: Path, form: Form, *, encoding: str = "") -> list[ItemAnswer]:
    """The answers about items in a table such as `answers.csv` of an export.

    Raises:
        BadInput: The file cannot be read, or lacks a column.
        BadItems: Rows with an unknown question, or a value that is no answer to it.
    """
    known, every = item_questions(form), sorted({question.name for _, question in form.questions})
    given, problems = [], []
    for row in read_table(path, encoding=encoding, required=NEEDED).rows:
        cells = {name: plain(str(value)) for name, value in row.cells.items() if value is not None}
        if row.problem or not cells.get("item"):
            problems += [row.problem] if row.problem else []
            continue
        name = cells.get("question", "")
        if name not in every:
            why = str(UnknownName("question", name, every)).removesuffix(".")
            problems.append(Problem(why, file=path.name, line=row.line))
            continue
        if name not in known:
            continue  # of another part: a test question, a training page
        question = known[name][1]
        try:
            value = checked_value(question, value_of(cells.get("value", ""), question))
            given.append(_item_answer(cells, value))
        except (BadInput, ValueError) as error:
            why = str(error).removesuffix("; answer again")
            problems.append(Problem(why, "correct the row", file=path.name, line=row.line))
    return _sound(given, problems, path)


def _item_answer(cells: dict[str, str], value: Value) -> ItemAnswer:
    number, time = _number(cells, "round", FIRST), int(_number(cells, "client_time", 0))
    if number != int(number):
        raise ValueError(f"round is {cells['round']!r}, which is not a whole number")
    seconds = _number(cells, "seconds", 0) if cells.get("seconds") else None
    return ItemAnswer(
        cells["person"], cells["item"], cells["question"], value, int(number), seconds, time
    )


def _number(cells: dict[str, str], name: str, usual: float) -> float:
    text = cells.get(name)
    number = decimal_number(text) if text else usual
    if number is None or math.isinf(number):
        raise ValueError(f"{name} is {text!r}, which is not a number")
    return number


def _sound(
    every_round: list[ItemAnswer], problems: Sequence[Problem], path: Path
) -> list[ItemAnswer]:
    if problems:
        raise BadItems(problems)
    answers = [answer for answer in every_round if answer.round >= FIRST]
    if not answers:
        raise BadInput("has no answers about items", "see which form it belongs to", file=path.name)
    return answers


def of_ratings(ratings: Ratings, form: Form) -> list[ItemAnswer]:
    """Single ratings (`data.people.ratings`, 0 to 100) as positions on the form's sliders.

    Raises:
        BadInput: The form has no slider of a pair's name.
    """
    sliders = {name: q for name, (_, q) in item_questions(form).items() if q.kind == "slider"}
    for pair in ratings.pairs:
        if pair not in sliders:
            raise BadInput(f"the form has no slider {pair!r}", "use the form of these ratings")
    positions = []
    for a, g, p in zip(*np.nonzero(np.isfinite(ratings.values)), strict=True):
        slider = sliders[ratings.pairs[p]]
        value = slider.low + float(ratings.values[a, g, p]) * (slider.high - slider.low) / 100
        positions.append(
            ItemAnswer(ratings.annotators[a], ratings.groups[g], slider.name, round(value, 9))
        )
    return positions


def import_item_answers(
    session: Session, *, study: int, form: Form, answers: Iterable[ItemAnswer], platform: str
) -> Imported:
    """Store answers that were collected elsewhere; those stored before are not stored again.

    Quotas do not count here: whatever was collected is kept.

    Args:
        session: Of the database.
        study: Where they go.
        form: Of the study.
        answers: Annotators' names are stored as raw ids of `platform`, apart from the answers.
        platform: Where they come from.

    Raises:
        BadInput: Unknown items or questions, values that are no answers, or two different answers of a
            person to the same question at the same time.
    """
    known = item_questions(form)
    rows = session.execute(select(ItemRow.key, ItemRow.id).where(ItemRow.study_id == study)).all()
    items = {key: number for key, number in rows}  # noqa: C416 rows are no tuples to the types

    @cache
    def person_of(name: str) -> str:
        ids = {"annotator": name}
        person = enrol(session, study=study, platform=platform, ids=ids).person
        consent(session, person=person)
        row = session.get_one(Person, person)
        row.state = "finished"
        return person

    together: dict[tuple[str, str, int], dict[tuple[str, int], ItemAnswer]] = defaultdict(dict)
    for answer in answers:
        if answer.item not in items or answer.question not in known:
            unknown_item = answer.item not in items
            what = f"item {answer.item!r}" if unknown_item else f"question {answer.question!r}"
            raise BadInput(f"the study has no {what}", "open one with the items of these answers")
        same_round = together[answer.annotator, answer.item, answer.round]
        if same_round.setdefault((answer.question, answer.time), answer).value != answer.value:
            reason = (
                f"{answer.annotator} answers {answer.question!r} about {answer.item!r} "
                "in two ways at once"
            )
            raise BadInput(reason, "leave one of the two out")
    for (annotator, item, number), same_round in together.items():
        person = person_of(annotator)
        who = respondent(session, person)
        assignment = _assignment(session, study, person, items[item], number)
        new, events = [], {}
        for answer in same_round.values():
            page = known[answer.question][0]
            place = (str(study), platform, annotator, item, str(number), page)
            key = derived_key(answer.time, *place, answer.question, str(answer.value))
            sent = NewAnswer(key, page, answer.question, answer.value, answer.time, assignment)
            new.append((who, sent))
            if answer.seconds and page not in events:
                events[page] = _events(answer, f"{page}.{assignment}", assignment, place)
        save_answers(session, new, form=form)
        save_events(session, [(who, event) for of_page in events.values() for event in of_page])
    return Imported(person_of.cache_info().currsize, sum(map(len, together.values())))


def _assignment(session: Session, study: int, person: str, item: int, number: int) -> int:
    """The number of a finished assignment, made if it is absent."""
    mine = Assignment.person_id == person
    stored = session.scalar(
        select(Assignment.id).where(mine, Assignment.item_id == item, Assignment.round == number)
    )
    if stored is not None:
        return stored
    last = session.scalar(select(func.max(Assignment.position)).where(mine)) or 0
    row = Assignment(
        study_id=study, item_id=item, person_id=person, stratum="", round=number,
        position=last + 1, state="done", until=0,
    )  # fmt: skip
    session.add(row)
    session.flush()
    return row.id


def _events(
    answer: ItemAnswer, screen: str, assignment: int, place: tuple[str, ...]
) -> list[NewEvent]:
    """The page was shown, and submitted so many seconds later."""
    begun = answer.time - round((answer.seconds or 0) * MILLI)
    return [
        NewEvent(derived_key(max(time, 0), *place, kind), screen, kind, time, assignment)
        for kind, time in (("shown", begun), ("submitted", answer.time))
    ]
