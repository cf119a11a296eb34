"""Demographics that cannot be joined with ratings: no person, no time, no order of arrival.

Answers wait until at least BATCH people have given theirs. The batch is then stored in random order under
new random keys, so that neither keys nor the order of rows tell who answered when.
"""

import random
import secrets
from collections.abc import Mapping
from typing import Any

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from tiltmeter.core.errors import BadInput
from tiltmeter.survey.form import DEMOGRAPHICS_PAGE, Form
from tiltmeter.survey.tables import Person, UnlinkedAnswers
from tiltmeter.survey.values import checked_value

BATCH = 5
"""People whose answers are released together, at least."""
_shuffled = random.SystemRandom()


def give_demographics(
    session: Session, *, person: str, form: Form, answers: Mapping[str, object]
) -> bool:
    """Store one person's demographics, by question, without the person: only that they gave them is noted.

    Returns:
        Whether they were stored; False if this person had given theirs before.

    Raises:
        BadInput: An answer is none, or there is no such question.
    """
    known = {question.name: question for question in form.demographics.questions}
    for name in answers:
        if name not in known:
            raise BadInput(f"there is no question {name!r} about the person", "reload the page")
    checked = {name: checked_value(known[name], value) for name, value in answers.items()}
    row = session.get_one(Person, person)
    if row.demographics:
        return False
    row.demographics = True
    session.add(_row(row.study_id, checked, released=False))
    session.flush()
    if waiting(session, row.study_id) >= BATCH:
        release_waiting(session, row.study_id)
    return True


def waiting(session: Session, study: int) -> int:
    """How many people's answers wait."""
    mine = (UnlinkedAnswers.study_id == study) & ~UnlinkedAnswers.released
    return session.scalar(select(func.count()).select_from(UnlinkedAnswers).where(mine)) or 0


def release_waiting(session: Session, study: int) -> int:
    """Release those that wait, if they are enough; gives how many were released."""
    mine = (UnlinkedAnswers.study_id == study) & ~UnlinkedAnswers.released
    held = [row.answers for row in session.scalars(select(UnlinkedAnswers).where(mine))]
    if len(held) < BATCH:
        return 0
    session.execute(delete(UnlinkedAnswers).where(mine))
    session.expire_all()
    _shuffled.shuffle(held)
    session.add_all(_row(study, answers, released=True) for answers in held)
    session.flush()
    return len(held)


def unlinked_demographics(session: Session, study: int) -> list[dict[str, Any]]:
    """What people said of themselves, in the order of random keys; those that wait are left out."""
    mine = (UnlinkedAnswers.study_id == study) & UnlinkedAnswers.released
    rows = session.scalars(select(UnlinkedAnswers).where(mine).order_by(UnlinkedAnswers.key))
    return [row.answers for row in rows]


def _row(study: int, answers: Mapping[str, Any], *, released: bool) -> UnlinkedAnswers:
    key = f"{DEMOGRAPHICS_PAGE}-{secrets.token_hex(16)}"
    return UnlinkedAnswers(key=key, study_id=study, released=released, answers=dict(answers))
