"""Bots among the people of a study: programs that try it out. They are counted and erased apart from people.

A bot says in its requests that it is one (`web.bots.HEADER`). It takes no places from people, and its answers
are left out of exports, pay and what is computed while people answer, unless somebody asks for them.
"""

from sqlalchemy import delete, exists, func, select
from sqlalchemy.orm import Session

from tiltmeter.survey.accounts import note_action
from tiltmeter.survey.persons import OF_PERSON
from tiltmeter.survey.schema import Answer, Person, StudyRow, UnlinkedAnswers


def bots(session: Session, study: int) -> int:
    """How many bots have tried a study out."""
    mine = select(func.count()).where(Person.study_id == study, Person.bot)
    return session.scalar(mine) or 0


def has_people(session: Session, study: int) -> bool:
    """Whether anybody who is not a bot has begun."""
    return bool(session.scalar(select(exists().where(Person.study_id == study, ~Person.bot))))


def answers_of_bots(session: Session, study: int) -> int:
    """How many answers of bots are stored, also those that others replaced."""
    mine = select(func.count()).select_from(Answer).join(Person, Answer.person_id == Person.id)
    return session.scalar(mine.where(Person.study_id == study, Person.bot)) or 0


def erase_bots(session: Session, study: int, *, actor: str) -> int:
    """Erase all bots of a study with their answers; gives how many there were."""
    gone = select(Person.id).where(Person.study_id == study, Person.bot)
    count = bots(session, study)
    for table in OF_PERSON:
        session.execute(delete(table).where(table.person_id.in_(gone)))
    session.execute(delete(Person).where(Person.study_id == study, Person.bot))
    unlinked = (UnlinkedAnswers.study_id == study) & UnlinkedAnswers.bot
    session.execute(delete(UnlinkedAnswers).where(unlinked))
    name = session.get_one(StudyRow, study).name
    note_action(session, actor=actor, action="erase bots", detail=f"{name} ({count})")
    return count
