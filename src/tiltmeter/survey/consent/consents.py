"""What people agreed to: the form's hash, the language in which they read it, and when."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from tiltmeter.survey.keys import now
from tiltmeter.survey.schema import ConsentRecord, Person, StudyRow


def note_consent(session: Session, person: Person) -> None:
    """Store that a person agrees in their language; nothing where they agreed to the same before."""
    last = last_consent(session, person.id)
    if last and (last.language, last.linked) == (person.language, person.linked):
        return
    study = session.get_one(StudyRow, person.study_id)
    session.add(ConsentRecord(
        study_id=study.id, person_id=person.id, form_sha256=study.form_sha256,
        language=person.language, linked=person.linked, time=now(),
    ))  # fmt: skip


def last_consent(session: Session, person: str) -> ConsentRecord | None:
    """What a person agreed to last; None where they have not agreed."""
    mine = select(ConsentRecord).where(ConsentRecord.person_id == person)
    return session.scalar(mine.order_by(ConsentRecord.id.desc()).limit(1))


def consents_of(session: Session, study: int) -> list[ConsentRecord]:
    """What everybody agreed to, each person's in order."""
    mine = select(ConsentRecord).where(ConsentRecord.study_id == study)
    return [*session.scalars(mine.order_by(ConsentRecord.person_id, ConsentRecord.id))]
