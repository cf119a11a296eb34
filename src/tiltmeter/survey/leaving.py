"""How people leave: an outcome is decided, their items go to others, and the last page has the form's code.

Every function runs in the caller's transaction. The first outcome stands, unless a person may still take part
after it (`outcomes.RETURNING`).
"""

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from tiltmeter.core.errors import BadInput
from tiltmeter.survey import flow
from tiltmeter.survey.assign import assigned_to
from tiltmeter.survey.form import Form
from tiltmeter.survey.keys import now
from tiltmeter.survey.marking import failed_checks
from tiltmeter.survey.outcomes import RETURNING, Outcome
from tiltmeter.survey.people_answers import current_answers
from tiltmeter.survey.persons import code_shown, enrol, platform_of
from tiltmeter.survey.places import MINUTE, give_back
from tiltmeter.survey.schema import Person, StudyRow
from tiltmeter.survey.store import lock_study
from tiltmeter.survey.studies import form_of_study


@dataclass(frozen=True, slots=True)
class Farewell:
    """What the last page shows one person."""

    outcome: Outcome
    code: str
    """"" where the form has none for the outcome."""
    url: str
    """The panel's address that takes people back; "" where there is none."""


def farewell(session: Session, *, person: str, form: Form) -> Farewell | None:
    """What a person's last page shows; None while they are under way."""
    row = session.get_one(Person, person)
    if row.outcome is None:
        return None
    secret = session.get_one(StudyRow, row.study_id).code
    code = code_shown(form, row.outcome, secret=secret, person=person)
    _, ids = platform_of(session, person)
    platform_id = next(iter(ids.values()), "")
    url = form.outcomes.address(row.outcome, code=code, platform_id=platform_id)
    return Farewell(row.outcome, code, url)


def leave(session: Session, *, person: str, outcome: Outcome, at: int | None = None) -> None:
    """Note how a person left, and give the items that they have not finished to others.

    Who failed the checks loses the finished ones too: their answers are kept, and somebody else is asked.
    """
    row = session.get_one(Person, person)
    lock_study(session, row.study_id)
    session.refresh(row)
    if row.outcome is None or row.outcome in RETURNING:
        row.outcome, row.ended = outcome, now() if at is None else at
        give_back(session, {person}, finished=outcome == "failed_checks")
        session.flush()


def turn_away(
    session: Session,
    *,
    study: int,
    outcome: Outcome,
    platform: str,
    ids: Mapping[str, str],
    language: str,
    stratum: str = "",
    bot: bool = False,
) -> str:
    """Note that somebody left before they agreed to take part; gives their random id.

    Who has begun already, or has left in another way, keeps their outcome.
    """
    row = enrol(
        session, study=study, platform=platform, ids=ids, language=language, stratum=stratum,
        bot=bot, leaving=True,
    )  # fmt: skip
    if row.consented is None:
        leave(session, person=row.id, outcome=outcome)
    return row.id


def finish(session: Session, *, person: str, form: Form) -> Outcome:
    """Decide the outcome of a person of whom the database holds every required answer.

    Raises:
        BadInput: Something is missing; the message says what.
    """
    assigned = assigned_to(session, person)
    every = flow.screens(form, assigned)
    answered = flow.by_assignment(current_answers(session, person))
    if not any(item.round == flow.FIRST for item in assigned):
        raise BadInput("no item was answered", "go on with the survey")
    for screen in every:
        missing = flow.missing(screen, answered[screen.assignment])
        if missing:
            raise BadInput(f"not answered yet: {', '.join(missing)}", f"go back to {screen.key}")
    failed = has_failed(session, person=person, form=form)
    leave(session, person=person, outcome="failed_checks" if failed else "finished")
    outcome = session.get_one(Person, person).outcome
    assert outcome is not None  # noqa: S101 it was just decided
    return outcome


def has_failed(session: Session, *, person: str, form: Form) -> bool:
    """Whether a person has answered so many test questions wrongly that the form turns them away."""
    page = form.outcomes.failed_checks
    if page is None:
        return False
    given = current_answers(session, person)
    return failed_checks(form, assigned_to(session, person), given) >= page.after


def time_out_people(session: Session, study: int) -> int:
    """`time_out` with the form that is stored: before people are listed or counted."""
    return time_out(session, study=study, form=form_of_study(session, study))


def time_out(session: Session, *, study: int, form: Form, at: int | None = None) -> int:
    """Note who has been away for too long, and give their items to others; gives how many."""
    at = now() if at is None else at
    page = form.outcomes.timed_out
    minutes = (page.minutes if page else 0) or form.sampling.lease
    gone = select(Person.id).where(
        Person.study_id == study, Person.outcome.is_(None), Person.consented.is_not(None),
        Person.seen < at - minutes * MINUTE,
    )  # fmt: skip
    people = {*session.scalars(gone)}
    if people:
        lock_study(session, study)
        people = {*session.scalars(gone)}  # some may have come back while this waited
        session.execute(
            update(Person)
            .where(Person.id.in_(people))
            .values(outcome="timed_out", ended=at)
            .execution_options(synchronize_session="fetch")
        )
        give_back(session, people)
    return len(people)
