"""Answers about items as other programs know them, and how they get into a study."""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Annotated, Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from tiltmeter.core.errors import BadInput, BadItems, Problem, UnknownName
from tiltmeter.core.reading.typed_values import Fault, Raw
from tiltmeter.core.text import decimal_number
from tiltmeter.data.files.rows import UserRows
from tiltmeter.survey.answers import NewAnswer, NewEvent, save_answers, save_events
from tiltmeter.survey.collected import Collected
from tiltmeter.survey.flow import FIRST
from tiltmeter.survey.form import Form
from tiltmeter.survey.formats.cells import plain
from tiltmeter.survey.keys import derived_key, now
from tiltmeter.survey.persons import consent, enrol, respondent
from tiltmeter.survey.question import FormQuestion, Value
from tiltmeter.survey.schema import Assignment, ItemRow, Person

MILLI = 1000


def _text(cell: Any) -> str:
    return "" if cell is None else plain(str(cell))


def _number(cell: Any) -> float:
    number = decimal_number(_text(cell) or "0")
    if number is None or math.isinf(number):
        raise Fault(f"is {_text(cell)!r}, which is not a number", "correct the row")
    return number


def _whole(cell: Any) -> int:
    number = _number(cell) if _text(cell) else FIRST
    if number != int(number):
        raise Fault(f"is {_text(cell)!r}, which is not a whole number", "correct the row")
    return int(number)


@dataclass(frozen=True, slots=True)
class ItemAnswer:
    """One answer about one item; a row of the table `answers.csv`."""

    annotator: Annotated[str, Raw(_text)]
    item: Annotated[str, Raw(_text)]
    question: Annotated[str, Raw(_text)]
    value: Annotated[Value, Raw(_text)]
    round: Annotated[int, Raw(_whole)] = FIRST
    seconds: Annotated[float | None, Raw(lambda cell: _number(cell) if _text(cell) else None)] = (
        None
    )
    """Seconds that the page was open."""
    time: Annotated[int, Raw(lambda cell: int(_number(cell)))] = 0
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
    seconds = collected.seconds()
    return [
        ItemAnswer(
            r.person, r.item, r.question, r.value, r.round,
            seconds.get((r.person, r.assignment, r.page)), r.client_time,
        )
        for r in collected.responses
        if r.item and r.round >= FIRST and known.get(r.question, ("",))[0] == r.page
    ]  # fmt: skip


def answers_by_annotation(collected: Collected) -> dict[tuple[str, str, int], list[ItemAnswer]]:
    """What a study's people answered about items, by annotator, item and round."""
    annotations: dict[tuple[str, str, int], list[ItemAnswer]] = defaultdict(list)
    for answer in item_answers(collected):
        annotations[answer.annotator, answer.item, answer.round].append(answer)
    return annotations


def exported_answers(
    records: Iterable[tuple[Problem, Any]], read: Callable[[Any], Iterable[ItemAnswer]]
) -> list[ItemAnswer]:
    """The answers that `read` finds in the records of another program's export.

    Each comes with the place and the way out of what may be wrong with it.

    >>> exported_answers([(Problem("task 7: ", file="e.json"), {})], lambda task: task["data"])
    Traceback (most recent call last):
    tiltmeter.core.errors.BadItems: e.json: task 7: it is not built as in this program's exports ('data')

    Raises:
        BadItems: Records that are no answers, or are built otherwise than in this program's exports.
    """
    answers: list[ItemAnswer] = []
    problems: list[Problem] = []
    for problem, record in records:
        try:
            answers += read(record)
        except BadInput as error:
            why = str(error).removesuffix("; answer again")
            problems.append(replace(problem, reason=f"{problem.reason}{why}"))
        except (
            LookupError,
            TypeError,
            ValueError,
            AttributeError,
            ArithmeticError,
            StopIteration,
        ) as error:
            key = f" ({error})" if isinstance(error, KeyError) else ""
            why = f"it is not built as in this program's exports{key}"
            problems.append(replace(problem, reason=f"{problem.reason}{why}"))
    if problems:
        raise BadItems(problems)
    return answers


def question_of(form: Form, name: str) -> FormQuestion:
    """The question about items of this name in an export.

    Raises:
        BadInput: There is none.
    """
    known = item_questions(form)
    if name not in known:
        raise BadInput(f"the form has no question {name!r}", "use the form of this project")
    return known[name][1]


def read_answers(path: Path, form: Form, *, encoding: str = "") -> list[ItemAnswer]:
    """The answers about items in a table such as `answers.csv` of an export.

    Raises:
        BadInput: The file cannot be read, lacks a column, or has no answers about items.
        BadItems: Rows with an unknown question, or a value that is no answer to it.
    """
    known, every = item_questions(form), {question.name for _, question in form.questions}
    named = {"annotator": "person", "time": "client_time"}
    rows = UserRows(ItemAnswer, path, encoding=encoding, columns=named, texts=None)
    answers = []
    for line, row in rows:
        if not row.item or (row.question in every and row.question not in known):
            continue  # of another part: a test question, a training page
        if row.question not in known:
            why = str(UnknownName("question", row.question, sorted(every))).removesuffix(".")
            rows.complain(line, why)
            continue
        question = known[row.question][1]
        try:
            value = question.checked(question.from_cell(str(row.value)))
        except BadInput as error:
            rows.complain(line, str(error).removesuffix("; answer again"), "correct the row")
            continue
        answers.append(replace(row, value=value))
    rows.finish("")
    answers = [answer for answer in answers if answer.round >= FIRST]
    if not answers:
        raise BadInput("has no answers about items", "see which form it belongs to", file=path.name)
    return answers


def questions_left_out(path: Path, form: Form, *, encoding: str = "") -> Counter[str]:
    """How many rows of a table `read_answers` passes over, by question: no answers about items, or training.

    Raises:
        BadInput: The file cannot be read, or lacks a column.
    """
    known = item_questions(form)
    named = {"annotator": "person", "time": "client_time"}
    rows = UserRows(ItemAnswer, path, encoding=encoding, columns=named, texts=None)
    return Counter(
        row.question
        for _, row in rows
        if not row.item or row.question not in known or row.round < FIRST
    )


def import_item_answers(
    session: Session, *, study: int, form: Form, answers: Iterable[ItemAnswer], platform: str
) -> Imported:
    """Store answers that were collected elsewhere; those stored before are not stored again.

    Quotas do not count here: whatever was collected is kept. Annotators' names are stored as raw ids of the
    platform that the answers come from, apart from these.

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
        person = enrol(session, study=study, platform=platform, ids=ids).id
        consent(session, person=person)
        row = session.get_one(Person, person)
        row.outcome, row.ended = "finished", now()
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
        save_answers(session, new, form=form, shown={})
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
