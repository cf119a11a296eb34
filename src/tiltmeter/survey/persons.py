"""People who take part: a random id each, and no way back to the platform's id but the study's key."""

import hashlib
import hmac
import random
import secrets
import uuid
from collections.abc import Mapping
from typing import Any, NamedTuple, TypeAlias, cast

from sqlalchemy import bindparam, delete, func, select, update
from sqlalchemy.orm import Session

from tiltmeter.core.errors import BadInput
from tiltmeter.survey import schema
from tiltmeter.survey.accounts import note_action
from tiltmeter.survey.consent.consents import note_consent
from tiltmeter.survey.form import DEMOGRAPHICS_PAGE, Form
from tiltmeter.survey.keys import now
from tiltmeter.survey.order.person_order import PersonOrder
from tiltmeter.survey.outcomes import RETURNING, Outcome
from tiltmeter.survey.refusals import Refusal
from tiltmeter.survey.schema import (
    LoginSession,
    Person,
    PlatformIdentity,
    StudyRow,
    UnlinkedAnswers,
)
from tiltmeter.survey.store import lock_study

OF_PERSON = (
    schema.Answer, schema.PageEvent, schema.Mark, schema.LoginSession, schema.ConsentRecord,
    PlatformIdentity, schema.Assignment,
)  # fmt: skip
"""Tables with rows of one person, in the order in which they can be erased."""
NAMELESS = "none-"
"""Beginning of the pseudonyms of people who came without an id."""
SHOWN_AGAIN = 60 * 60 * 1000
"""Milliseconds for which people who withdrew can look at their last page again."""
BATCH = 5
"""People whose answers are released together, at least."""
_shuffled = random.SystemRandom()


Respondent: TypeAlias = Person
"""What a request needs to know of a person: a `Person`, or a row of the columns `RESPONDENT` in its place."""
_READ = (
    "id",
    "study_id",
    "pseudonym",
    "language",
    "outcome",
    "consented",
    "linked",
    "number",
    "seen",
)
RESPONDENT = tuple(Person.__table__.c[name] for name in _READ)
"""Columns in place of objects: every answer reads them."""
_ORDER = (
    select(Person.__table__.c.number, StudyRow.__table__.c.code)
    .join_from(Person.__table__, StudyRow.__table__)
    .where(Person.__table__.c.id == bindparam("id"))
)
_WITH_ID = select(*RESPONDENT).where(Person.__table__.c.id == bindparam("id"))


def respondent(session: Session, person: str) -> Respondent:
    """A person who takes part, by random id."""
    return cast("Respondent", session.execute(_WITH_ID, {"id": person}).one())


def pseudonym(salt: bytes, platform: str, raw: str, *, bot: bool = False) -> str:
    """HMAC-SHA256 of a platform's id, the same for the same id in one study only; of a bot another.

    >>> pseudonym(b"k", "prolific", "5f1")[:8], pseudonym(b"other", "prolific", "5f1")[:8]
    ('82f8024d', '6624ed0f')
    """
    text = f"{platform}\x00{raw}{f'{chr(0)}bot' if bot else ''}"
    return hmac.new(salt, text.encode(), hashlib.sha256).hexdigest()


def code_shown(form: Form, outcome: Outcome, *, secret: str, person: str) -> str:
    """The code on a person's last page: the form's for the outcome, or their own; "" where there is none."""
    page = form.outcomes.page(outcome)
    return (page.code or own_code(secret, person, outcome)) if page else ""


def own_code(secret: str, person: str, outcome: Outcome) -> str:
    """The code of one person with one outcome, so that nobody can pass theirs on unnoticed.

    >>> own_code("secret", "ann", "finished"), own_code("secret", "ann", "stopped")
    ('46846950', '41CAC4EA')
    """
    text = f"{person}\x00{outcome}".encode()
    return hmac.new(secret.encode(), text, hashlib.sha256).hexdigest()[:8].upper()


def enrol(
    session: Session,
    *,
    study: int,
    platform: str = "",
    ids: Mapping[str, str] | None = None,
    language: str = "",
    stratum: str = "",
    bot: bool = False,
    leaving: bool = False,
) -> Person:
    """Let a person take part; who comes again with the same platform id goes on where they were.

    The first of the raw ids names the person; they are stored in `identity` alone. Who comes without one is
    always new. The stratum is for quotas. A bot and a person with the same id are two. Who is only enrolled
    because they are `leaving` may come to a closed study, as long as its key is there.

    Raises:
        BadInput: The study is closed and the person new.
    """
    row = session.get_one(StudyRow, study)
    ids = {name: value for name, value in (ids or {}).items() if value}
    raw = next(iter(ids.values()), "")
    known = _with_id(session, row, platform, raw, bot=bot)
    if known is not None:
        return known
    alias = pseudonym(row.salt, platform, raw, bot=bot) if raw else f"{NAMELESS}{uuid.uuid4().hex}"
    if row.closed is not None and not (leaving and row.salt):
        reason = f"the study {row.name!r} is closed"
        raise Refusal(reason, "nobody can begin it any more", word="closed")
    at = now()
    person = Person(
        id=uuid.uuid4().hex, study_id=study, pseudonym=alias, stratum=stratum, language=language,
        started=at, seen=at, linked=False, demographics=False, bot=bot,
    )  # fmt: skip
    session.add(person)
    session.flush()
    if raw:
        session.add(PlatformIdentity(person_id=person.id, platform=platform, raw=dict(ids)))
    return person


def platform_of(session: Session, person: str) -> tuple[str, Mapping[str, str]]:
    """A person's platform and raw ids there, the one that names them first; "" and {} without any."""
    identity = session.get(PlatformIdentity, person)
    return (identity.platform, dict(identity.raw)) if identity else ("", {})


def person_with_id(
    session: Session, *, study: int, platform: str, ids: Mapping[str, str], bot: bool = False
) -> Person | None:
    """Who came with these ids of a platform before, or which bot did; None without ids."""
    raw = next(filter(None, ids.values()), "")
    return _with_id(session, session.get_one(StudyRow, study), platform, raw, bot=bot)


def is_enrolled(
    session: Session, *, study: int, platform: str, ids: Mapping[str, str], bot: bool = False
) -> bool:
    """Whether somebody with this platform id takes part already."""
    return person_with_id(session, study=study, platform=platform, ids=ids, bot=bot) is not None


def _with_id(
    session: Session, study: StudyRow, platform: str, raw: str, *, bot: bool
) -> Person | None:
    if not raw:
        return None
    wanted = pseudonym(study.salt, platform, raw, bot=bot)
    return session.scalar(
        select(Person).where(Person.study_id == study.id, Person.pseudonym == wanted)
    )


def consent(session: Session, *, person: str, linked: bool = False, language: str = "") -> None:
    """Note that a person agreed to take part, and whether demographics may be linked.

    Who had declined, found the study full or went away is under way again.
    """
    row = session.get_one(Person, person)
    row.seen = now()
    row.consented = row.consented or row.seen
    if row.number is None:
        row.number = _free_number(session, row.study_id)
    row.linked = linked
    row.language = language or row.language
    note_consent(session, row)
    if row.outcome in RETURNING:
        row.outcome = row.ended = None


def _free_number(session: Session, study: int) -> int:
    """The lowest number that nobody has: a newcomer takes that of a person who left without being counted."""
    lock_study(session, study)
    stays = Person.outcome.is_(None) | Person.outcome.in_(("finished", "stopped"))
    taken = {*session.scalars(select(Person.number).where(Person.study_id == study, stays))}
    return next(number for number in range(len(taken) + 1) if number not in taken)


def order_of(session: Session, person: str, form: Form) -> PersonOrder:
    """The orders in which a person sees the form."""
    number, secret = session.execute(_ORDER, {"id": person}).one()
    return PersonOrder(form.order, secret, number or 0)


class Withdrawal(NamedTuple):
    """What became of somebody who withdrew."""

    person: str
    """The new random id of the row that says so."""
    answers: int
    """How many answers were erased."""


def withdraw(session: Session, *, person: str) -> Withdrawal:
    """Erase a person's answers; what remains, for pay, is that somebody with these platform ids withdrew.

    The row that says so has a new random id: no file that was exported before can be joined with it.

    Demographics that were stored unlinked cannot be found and stay. For an hour, the browser of somebody
    whose id is known shows the last page again: a reply with the code may get lost.
    """
    row, identity = session.get_one(Person, person), session.get(PlatformIdentity, person)
    study, alias, bot = row.study_id, row.pseudonym, row.bot
    kept = (identity.platform, dict(identity.raw)) if identity else None
    mine = LoginSession.person_id == person
    tokens = [*session.scalars(select(LoginSession.token).where(mine))] if kept else []
    answers = _erase(session, row)
    at = now()
    left = Person(
        id=uuid.uuid4().hex, study_id=study, pseudonym=alias, stratum="", language="", started=at, seen=at,
        outcome="withdrew", ended=at, bot=bot,
    )  # fmt: skip
    session.add(left)
    session.flush()
    if kept:
        session.add(PlatformIdentity(person_id=left.id, platform=kept[0], raw=kept[1]))
    until = at + SHOWN_AGAIN
    session.add_all(LoginSession(token=t, person_id=left.id, until=until) for t in tokens)
    return Withdrawal(left.id, answers)


def _erase(session: Session, row: Person) -> int:
    """Erase all rows of a person; gives how many answers there were."""
    answers = 0
    for table in OF_PERSON:
        gone = session.execute(delete(table).where(table.person_id == row.id))
        answers += gone.rowcount if table is schema.Answer else 0  # type: ignore[attr-defined]
    session.delete(row)
    session.flush()
    return answers


def erase_person(session: Session, *, person: str, actor: str) -> int:
    """Erase everything of one person; only the study's count of those remains. The audit log names the study.

    Returns:
        How many answers were erased, as in `withdraw`.
    """
    row = session.get_one(Person, person)
    study = session.get_one(StudyRow, row.study_id)
    note_action(session, actor=actor, action="erase one person", detail=study.name)
    session.execute(
        update(StudyRow).where(StudyRow.id == study.id).values(erased=StudyRow.erased + 1)
    )
    return _erase(session, row)


# ---- Demographics that cannot be joined with ratings: no person, no time, no order of arrival

# They wait until at least BATCH people have given theirs. The batch is then stored in random order under new
# random keys, so that neither keys nor the order of rows tell who answered when.


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
    checked = {name: known[name].checked(value) for name, value in answers.items()}
    row = session.get_one(Person, person)
    if row.demographics:
        return False
    row.demographics = True
    session.add(_row(row.study_id, checked, released=row.bot, bot=row.bot))
    session.flush()
    if waiting(session, row.study_id) >= BATCH:
        release_waiting(session, row.study_id)
    return True


def waiting(session: Session, study: int) -> int:
    """How many people's unlinked answers wait until they are enough to be released together."""
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


def unlinked_demographics(
    session: Session, study: int, *, bots: bool = False
) -> list[dict[str, Any]]:
    """What people said of themselves, in the order of random keys; those that wait are left out.

    Those of bots are among them only if they are asked for.
    """
    mine = (UnlinkedAnswers.study_id == study) & UnlinkedAnswers.released
    mine = mine if bots else mine & ~UnlinkedAnswers.bot
    rows = session.scalars(select(UnlinkedAnswers).where(mine).order_by(UnlinkedAnswers.key))
    return [row.answers for row in rows]


def _row(
    study: int, answers: Mapping[str, Any], *, released: bool, bot: bool = False
) -> UnlinkedAnswers:
    key = f"{DEMOGRAPHICS_PAGE}-{secrets.token_hex(16)}"
    return UnlinkedAnswers(
        key=key, study_id=study, released=released, bot=bot, answers=dict(answers)
    )
