"""Answers and submitted screens as they are stored: read, without those that were replaced."""

from collections.abc import Collection, Iterable, Sequence
from typing import Any, Protocol, TypeVar, cast

from sqlalchemy import Select, select
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
_ANSWERS: Select[Any] = select(
    Answer.number, Answer.key, Answer.person_id, Answer.assignment_id, Answer.page, Answer.question,
    Answer.value, Answer.supersedes,
)  # fmt: skip
"""Columns in place of objects: every page reads all answers of a person."""


def current_answers(session: Session, person: str) -> flow.Answered:
    """A person's answers, without those that were replaced or withdrawn."""
    return given(answers_of(session, person))


def answers_of(session: Session, person: str) -> list[StoredAnswer]:
    """A person's last answers to all questions; also withdrawals."""
    return _latest_of(session, _ANSWERS.where(Answer.person_id == person))


def answers_about(session: Session, person: str, assignment: int | None) -> list[StoredAnswer]:
    """The last answers to all questions about one item, or outside items (None); also withdrawals."""
    about = Answer.person_id == person, Answer.assignment_id == assignment
    return _latest_of(session, _ANSWERS.where(*about))


def _latest_of(session: Session, found: Select[Any]) -> list[StoredAnswer]:
    return latest(cast("Sequence[StoredAnswer]", session.execute(found).all()))


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
    found = select(PageEvent.screen).where(
        PageEvent.person_id == person, PageEvent.kind == "submitted"
    )
    return set(session.scalars(found))


def submitted_among(session: Session, screens: Collection[tuple[str, str]]) -> set[tuple[str, str]]:
    """Which of these screens, each with its person, were submitted."""
    if not screens:
        return set()
    found = select(PageEvent.person_id, PageEvent.screen).where(
        PageEvent.person_id.in_({person for person, _ in screens}),
        PageEvent.screen.in_({screen for _, screen in screens}),
        PageEvent.kind == "submitted",
    )
    return {(person, screen) for person, screen in session.execute(found)} & set(screens)
