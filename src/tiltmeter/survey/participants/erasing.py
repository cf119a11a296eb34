"""Erasing people who ask for it, by their random id or by their id on the platform."""

from collections.abc import Iterable

from sqlalchemy import select
from sqlalchemy.orm import Session

from tiltmeter.core.errors import BadInput
from tiltmeter.survey.persons import erase_person
from tiltmeter.survey.schema import Person, PlatformIdentity


def people_with_id(
    session: Session, *, study: int, person: str = "", platform_id: str = ""
) -> tuple[str, ...]:
    """The random ids of people of a study.

    Args:
        session: Of the database.
        study: Its number.
        person: A random id, as in exports.
        platform_id: In its place, an id on the platform; who came through two platforms is two people.

    Raises:
        BadInput: There is nobody of that id. The message does not repeat an id of a platform.
    """
    mine = select(Person.id).where(Person.study_id == study)
    if person:
        if session.scalar(mine.where(Person.id == person)):
            return (person,)
        raise BadInput(f"nobody has the random id {person!r}", "give a person's id as in exports")
    wanted = platform_id.strip()
    rows = session.execute(
        select(PlatformIdentity.person_id, PlatformIdentity.raw)
        .join(Person)
        .where(Person.study_id == study)
    )
    found = tuple(who for who, raw in rows if wanted and wanted == next(iter(raw.values()), ""))
    if not found:
        raise BadInput(
            "nobody in this study has this id on a platform",
            "see the ids with `tiltmeter survey people`; once they are erased, nobody can be found by them",
        )
    return found


def erase_people(session: Session, *, people: Iterable[str], actor: str) -> int:
    """Erase everything of these people; gives how many answers there were."""
    return sum(erase_person(session, person=person, actor=actor) for person in people)
