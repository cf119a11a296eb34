"""Answers and submitted screens as they are stored: read, without those that were replaced."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import Any, NamedTuple, TypeAlias, cast

from sqlalchemy import Select, bindparam, select
from sqlalchemy.orm import Session

from tiltmeter.core.errors import BadInput
from tiltmeter.data.files.missing_words import OPTED_OUT
from tiltmeter.survey import flow
from tiltmeter.survey.bot_persons import has_people
from tiltmeter.survey.flow import FIRST
from tiltmeter.survey.form import Form
from tiltmeter.survey.question import FormQuestion
from tiltmeter.survey.schema import Answer, Assignment, ItemRow, PageEvent

StoredAnswer: TypeAlias = Answer
"""What is read of an answer: an `Answer`, or a row of `_ANSWERS` in its place."""
_ANSWER, _EVENT = Answer.__table__.c, PageEvent.__table__.c
_ANSWERS = select(
    _ANSWER.number, _ANSWER.key, _ANSWER.person_id, _ANSWER.assignment_id, _ANSWER.page,
    _ANSWER.question, _ANSWER.value, _ANSWER.supersedes,
).where(_ANSWER.person_id == bindparam("person"))  # fmt: skip
"""Columns in place of objects: every page reads all answers of a person."""
_ANSWERS_ABOUT = _ANSWERS.where(_ANSWER.assignment_id == bindparam("assignment"))
_ANSWERS_OUTSIDE_ITEMS = _ANSWERS.where(_ANSWER.assignment_id.is_(None))
_SUBMITTED = select(_EVENT.screen).where(
    _EVENT.person_id == bindparam("person"), _EVENT.kind == "submitted"
)
_SUBMITTED_AMONG = select(_EVENT.person_id, _EVENT.screen).where(
    _EVENT.person_id.in_(bindparam("people", expanding=True)),
    _EVENT.screen.in_(bindparam("screens", expanding=True)),
    _EVENT.kind == "submitted",
)


def current_answers(session: Session, person: str) -> flow.Answered:
    """A person's answers, without those that were replaced or withdrawn."""
    return given(answers_of(session, person))


def answers_of(session: Session, person: str) -> list[StoredAnswer]:
    """A person's last answers to all questions; also withdrawals."""
    return _latest_of(session, _ANSWERS, person=person)


def answers_about(session: Session, person: str, assignment: int | None) -> list[StoredAnswer]:
    """The last answers to all questions about one item, or outside items (None); also withdrawals."""
    if assignment is None:
        return _latest_of(session, _ANSWERS_OUTSIDE_ITEMS, person=person)
    return _latest_of(session, _ANSWERS_ABOUT, person=person, assignment=assignment)


def _latest_of(session: Session, query: Select[Any], **values: object) -> list[StoredAnswer]:
    return latest(cast("Sequence[StoredAnswer]", session.execute(query, values).all()))


def given(rows: Iterable[StoredAnswer]) -> flow.Answered:
    """Rows as values by place, without withdrawals."""
    return {
        (row.assignment_id, row.page, row.question): row.value
        for row in rows
        if row.value is not None
    }


def latest(rows: Sequence[StoredAnswer]) -> list[StoredAnswer]:
    """The last answer to each question, in the order in which questions were first answered.

    A withdrawal, whose value is None, counts as one of them.

    The last is one that no other replaces; where a client did not say, the one with the latest key.
    """
    replaced = {row.supersedes for row in rows if row.supersedes}
    last: dict[tuple[str, int | None, str, str], StoredAnswer] = {}
    for row in sorted(rows, key=lambda row: row.number):
        at = (row.person_id, row.assignment_id, row.page, row.question)
        other = last.get(at)
        if other is None or _rank(row, replaced) > _rank(other, replaced):
            last[at] = row
    return list(last.values())


def _rank(row: StoredAnswer, replaced: set[str]) -> tuple[bool, str]:
    return row.key not in replaced, row.key


def submitted_screens(session: Session, person: str) -> set[str]:
    """The screens that a person has submitted."""
    return set(session.scalars(_SUBMITTED, {"person": person}))


def submitted_among(session: Session, screens: Collection[tuple[str, str]]) -> set[tuple[str, str]]:
    """Which of these screens, each with its person, were submitted."""
    if not screens:
        return set()
    names = {
        "people": [*{person for person, _ in screens}],
        "screens": [*{screen for _, screen in screens}],
    }
    submitted = session.execute(_SUBMITTED_AMONG, names)
    return {(person, screen) for person, screen in submitted} & set(screens)


# ---- Answers to one question as votes on items


class SurveyVote(NamedTuple):
    """One person's answer about one item."""

    assignment: int
    item: str
    """The item's key, which the form or its table of items gives it."""
    person: str
    value: str


def vote_question(form: Form) -> FormQuestion:
    """The first choice of one option on the pages for items: its options are the labels.

    Raises:
        BadInput: The form has none.
    """
    for page in form.part("item"):
        for question in page.questions:
            if question.is_label:
                return question
    raise BadInput(f"the form {form.name!r} asks for no label", "use a form such as label_text")


def votes_of(session: Session, study: int, question: str) -> list[SurveyVote]:
    """The votes on real items that are complete, in the order in which they came; who opted out has none.

    Bots vote only where no person takes part: that is a trial.
    """
    rows = session.execute(
        select(Answer, Assignment, ItemRow.key)
        .join(Assignment, Answer.assignment_id == Assignment.id)
        .join(ItemRow, Assignment.item_id == ItemRow.id)
        .where(
            Answer.study_id == study, Answer.question == question, Assignment.round == FIRST,
            Assignment.state.in_(("done", "late")), ItemRow.kind == "real",
            Assignment.bot.is_(not has_people(session, study)),
        )
    ).all()  # fmt: skip
    places = {answer.key: (assignment.id, key) for answer, assignment, key in rows}
    return [
        SurveyVote(*places[answer.key], answer.person_id, str(answer.value))
        for answer in latest([answer for answer, _, _ in rows])
        if answer.value != OPTED_OUT
    ]


def under_way(session: Session, study: int) -> Counter[str]:
    """By item, how many people are answering now; or how many bots, as in `votes_of`."""
    rows = session.scalars(
        select(ItemRow.key)
        .join(Assignment, Assignment.item_id == ItemRow.id)
        .where(
            Assignment.study_id == study,
            Assignment.round == FIRST,
            Assignment.state == "leased",
            Assignment.bot.is_(not has_people(session, study)),
        )
    )
    return Counter(rows.all())
