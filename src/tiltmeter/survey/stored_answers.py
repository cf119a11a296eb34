"""Answers and submitted screens as they are stored: read, without those that were replaced."""

from collections.abc import Collection, Iterable, Sequence
from typing import Any, Protocol, TypeVar, cast

from sqlalchemy import Select, bindparam, select
from sqlalchemy.orm import Session

from tiltmeter.survey import flow
from tiltmeter.survey.tables import Answer, PageEvent


class StoredAnswer(Protocol):
    """What `latest` reads of an answer: a row of `_ANSWERS`, or a whole `Answer`."""

    number: int
    key: str
    person_id: str
    assignment_id: int | None
    page: str
    question: str
    value: Any
    supersedes: str | None


Row = TypeVar("Row", bound=StoredAnswer)
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


def latest(rows: Sequence[Row]) -> list[Row]:
    """Of each question's answers the last one, in the order in which questions were first answered.

    A withdrawal, whose value is None, counts as one of them.

    The last is one that no other replaces; where a client did not say, the one with the latest key.
    """
    replaced = {row.supersedes for row in rows if row.supersedes}
    last: dict[tuple[str, int | None, str, str], Row] = {}
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
