"""Answers to one question as votes on items, and what is still being answered."""

from collections import Counter
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from tiltmeter.core.errors import BadInput
from tiltmeter.survey.flow import FIRST
from tiltmeter.survey.form import Form
from tiltmeter.survey.questions import FormQuestion
from tiltmeter.survey.stored_answers import latest
from tiltmeter.survey.tables import Answer, Assignment, ItemRow


class SurveyVote(NamedTuple):
    """One person's answer about one item."""

    assignment: int
    item: str
    """The item's key."""
    person: str
    value: str


def vote_question(form: Form) -> FormQuestion:
    """The first choice of one option on the pages for items: its options are the labels.

    Raises:
        BadInput: The form has none.
    """
    for page in form.part("item"):
        for question in page.questions:
            if question.kind == "choice" and not question.several:
                return question
    raise BadInput(f"the form {form.name!r} asks for no label", "use a form such as label_text")


def votes_of(session: Session, study: int, question: str) -> list[SurveyVote]:
    """The votes on real items that are complete, in the order in which they came."""
    rows = session.execute(
        select(Answer, Assignment, ItemRow.key)
        .join(Assignment, Answer.assignment_id == Assignment.id)
        .join(ItemRow, Assignment.item_id == ItemRow.id)
        .where(
            Answer.study_id == study, Answer.question == question, Assignment.round == FIRST,
            Assignment.state.in_(("done", "late")), ItemRow.kind == "real",
        )
    ).all()  # fmt: skip
    places = {answer.key: (assignment.id, key) for answer, assignment, key in rows}
    return [
        SurveyVote(*places[answer.key], answer.person_id, str(answer.value))
        for answer in latest([answer for answer, _, _ in rows])
    ]


def under_way(session: Session, study: int) -> Counter[str]:
    """By item, how many people are answering now."""
    rows = session.scalars(
        select(ItemRow.key)
        .join(Assignment, Assignment.item_id == ItemRow.id)
        .where(
            Assignment.study_id == study, Assignment.round == FIRST, Assignment.state == "leased"
        )
    )
    return Counter(rows.all())
