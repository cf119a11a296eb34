"""Who may begin, and who is led to the last page: operations on the database, as in `survey.answers`."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from tiltmeter.survey.answer_quotas import is_unwanted
from tiltmeter.survey.assign import ItemOrder, assigned_to, is_full, lease_items
from tiltmeter.survey.flow import FIRST
from tiltmeter.survey.form import Form
from tiltmeter.survey.keys import now
from tiltmeter.survey.leaving import leave, time_out, turn_away
from tiltmeter.survey.outcomes import RETURNING, Outcome
from tiltmeter.survey.persons import NAMELESS, consent, enrol, person_with_id
from tiltmeter.survey.schema import Assignment, Person
from tiltmeter.survey.store import lock_study
from tiltmeter.survey.web.invitations import Invitation
from tiltmeter.survey.web.progress import progress
from tiltmeter.survey.web.sessions import begin_session, people_of


def is_over(
    session: Session,
    *,
    study: int,
    form: Form,
    invitation: Invitation,
    order: ItemOrder | None = None,
    room: bool = False,
) -> bool:
    """Whether somebody who comes has left before, or would get no item (they would if there is `room`)."""
    known = person_with_id(
        session, study=study, platform=invitation.platform, ids=invitation.ids, bot=invitation.bot
    )
    if known is not None and known.outcome not in RETURNING | {None}:
        return True
    if (
        known is not None
        and known.consented is not None
        and (known.outcome is None or assigned_to(session, known.id))
    ):
        return False
    return not room and is_full(
        session, study=study, form=form, stratum=invitation.stratum, bot=invitation.bot, order=order
    )


def arrive(
    session: Session,
    *,
    study: int,
    form: Form,
    invitation: Invitation,
    language: str,
    old_token: str,
    order: ItemOrder | None = None,
) -> str:
    """A new token for somebody whose visit is over as they come; "" for who may begin."""
    lock_study(session, study)
    time_out(session, study=study, form=form)
    if not is_over(session, study=study, form=form, invitation=invitation, order=order):
        return ""
    return leave_at_the_door(
        session, study=study, invitation=invitation, language=language, outcome="full",
        old_token=old_token,
    )  # fmt: skip


def leave_at_the_door(
    session: Session,
    *,
    study: int,
    invitation: Invitation,
    language: str,
    outcome: Outcome,
    old_token: str,
) -> str:
    """Note that somebody left before they agreed; gives a new token for their last page."""
    person = turn_away(
        session, study=study, outcome=outcome, platform=invitation.platform, ids=invitation.ids,
        language=language, stratum=invitation.stratum, bot=invitation.bot,
    )  # fmt: skip
    return begin_session(session, person=person, old=old_token)


def begin(
    session: Session,
    *,
    study: int,
    form: Form,
    invitation: Invitation,
    language: str,
    linked: bool,
    old_token: str,
    order: ItemOrder | None = None,
) -> str:
    """Let somebody who has agreed take part, and give the first items; gives the browser's new token.

    Whoever took the last place a moment before them has it: they are led to the last page.
    """
    over = arrive(
        session, study=study, form=form, invitation=invitation, language=language,
        old_token=old_token, order=order,
    )  # fmt: skip
    if over:
        return over
    row = _nameless(session, study, invitation, old_token) or enrol(
        session, study=study, platform=invitation.platform, ids=invitation.ids, language=language,
        stratum=invitation.stratum, bot=invitation.bot,
    )  # fmt: skip
    person, is_new = row.id, row.consented is None
    consent(session, person=person, linked=linked, language=language)
    here = None if is_new else progress(session, person=person, form=form)
    if here is None or not any(listed.assigned for listed in here.screens):
        familiar = here.familiar if here else None
        unmarked = form.sampling.familiar and familiar is None
        among = () if unmarked else familiar  # training and common items, before any is marked
        given = lease_items(session, person=person, form=form, among=among, order=order)
        waits = unmarked or form.sampling.asked  # for what they answer on the first pages
        lacks_place = not waits and not any(item.round == FIRST for item in given)
        if lacks_place or is_unwanted(session, person=person, form=form):
            leave(session, person=person, outcome="full")
    return begin_session(session, person=person, old=old_token)


def _nameless(
    session: Session, study: int, invitation: Invitation, old_token: str
) -> Person | None:
    """Somebody without an id who declined in this browser and has changed their mind."""
    found = people_of(session, {old_token}, study=study).get(old_token)
    if any(invitation.ids.values()) or found is None or found.outcome not in RETURNING:
        return None
    return session.get(Person, found.id) if found.pseudonym.startswith(NAMELESS) else None


def go_on(session: Session, *, person: str, form: Form, order: ItemOrder | None = None) -> bool:
    """Let somebody who went away go on; False where their items went to others and there is none for them.

    Who had finished all of their items goes on with the last pages.
    """
    row = session.get_one(Person, person)
    if row.outcome is None and not _lost_items(session, person):
        return True
    lock_study(session, row.study_id)
    session.refresh(row)
    if row.outcome not in {None, "timed_out"}:
        return False
    ended, row.outcome, row.ended, row.seen = row.ended or now(), None, None, now()
    here = progress(session, person=person, form=form)
    unmarked = form.sampling.familiar and here.familiar is None
    among = () if unmarked else here.familiar
    given = lease_items(session, person=person, form=form, among=among, order=order)
    waits = not here.at_end and (unmarked or form.sampling.asked)
    at_end = progress(session, person=person, form=form).at_end
    has_items = any(item.round == FIRST for item in given)
    if waits or (has_items and not (at_end and _lost_items(session, person))):
        return True
    row.outcome, row.ended = "timed_out", ended
    return False


def _lost_items(session: Session, person: str) -> bool:
    """Whether items were taken from a person since the last one that they finished.

    Who was given others in their place, and has finished these, has not lost any.
    """
    given = session.scalars(
        select(Assignment).where(Assignment.person_id == person, Assignment.round == FIRST)
    ).all()
    finished = max((a.until for a in given if a.state in {"done", "late"}), default=0)
    return any(a.state == "expired" and a.until > finished for a in given)
