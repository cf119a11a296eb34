"""Answers that no longer count: cleared by the person, or to questions that are no longer asked.

The answer stays stored. An entry without a value replaces it, and exports leave both out.
"""

from collections.abc import Sequence

from sqlalchemy.orm import Session

from tiltmeter.survey import flow
from tiltmeter.survey.answers import NewAnswer, save_answers
from tiltmeter.survey.form import Form
from tiltmeter.survey.keys import new_key
from tiltmeter.survey.stored_answers import answers_about, given


def withdraw_answers(
    session: Session,
    *,
    person: str,
    form: Form,
    screens: Sequence[flow.Screen],
    cleared: Sequence[flow.Place],
    at: int,
) -> list[str]:
    """Withdraw answers about an item that were cleared, and those that are not asked for any more.

    The latter include answers on later pages about the same item: no condition reaches further.

    Args:
        session: Of the database.
        person: Whose answers.
        form: Of their study.
        screens: All about one item, or all outside items.
        cleared: Where the person removed an answer.
        at: When, by the person's clock.

    Returns:
        The keys of the withdrawals.
    """
    if not cleared and not any(screen.page.conditional for screen in screens):
        return []
    assignment = screens[0].assignment
    rows = answers_about(session, person, assignment)
    keys = {(row.page, row.question): row.key for row in rows}
    left = {place: value for place, value in given(rows).items() if place not in cleared}
    withdrawn = [
        NewAnswer(new_key(), page, question, None, at, assignment, keys[page, question])
        for _, page, question in (*cleared, *flow.unasked(screens, left))
    ]
    return save_answers(session, person=person, form=form, answers=withdrawn)
