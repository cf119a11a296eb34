"""Quotas of people by what they answer before the work: `people` and `stratum` in `[sampling]`.

A cell is one answer to one question, such as gender: woman. People hold their cells from the moment they are
given items until they leave or are away for longer than a lease; who has finished holds them for good. As in
`survey.assign`, every function runs in the caller's transaction; `admit` needs its lock on the study.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from tiltmeter.survey.flow import FIRST, outside_items
from tiltmeter.survey.form import Form
from tiltmeter.survey.keys import now
from tiltmeter.survey.outcomes import Outcome
from tiltmeter.survey.people_answers import answers_about, given, latest, submitted_screens
from tiltmeter.survey.places import MINUTE
from tiltmeter.survey.schema import Answer, Assignment, Person


@dataclass(frozen=True, slots=True)
class AnswerCell:
    """One answer to one question, and the people who count for it."""

    question: str
    answer: str
    wanted: int
    finished: int = 0
    working: int = 0

    @property
    def is_full(self) -> bool:
        """Whether nobody else with this answer is wanted."""
        return self.finished + self.working >= self.wanted


def answer_cells(
    session: Session, *, study: int, form: Form, bot: bool = False, without: str = ""
) -> list[AnswerCell]:
    """All cells of a form's quotas, in its order, with the people who hold them.

    Args:
        session: Of the caller's transaction.
        study: Its number.
        form: Says how many people are wanted.
        bot: Whether to count bots, in place of people.
        without: A person who is not counted.
    """
    wanted = form.sampling.people
    if not wanted:
        return []
    state = {
        row.id: row.outcome
        for row in session.execute(_holders(study, form, at=now(), bot=bot))
        if row.id != without
    }
    rows = session.scalars(
        select(Answer).where(
            Answer.study_id == study, Answer.assignment_id.is_(None), Answer.question.in_([*wanted])
        )
    ).all()
    pages = {name: page for page, name in form.start_questions}
    counted: dict[bool, Counter[tuple[str, str]]] = {True: Counter(), False: Counter()}
    for answer in latest(rows):
        if answer.person_id in state and answer.page == pages[answer.question]:
            is_finished = state[answer.person_id] == "finished"
            counted[is_finished][answer.question, str(answer.value)] += 1
    return [
        AnswerCell(question, value, count, counted[True][question, value], counted[False][question, value])
        for question, cells in wanted.items()
        for value, count in cells.items()
    ]  # fmt: skip


def full_for(
    session: Session,
    *,
    study: int,
    form: Form,
    answers: Mapping[str, object],
    bot: bool = False,
    without: str = "",
) -> str:
    """The cell for which somebody with these answers comes too late, such as "gender: woman"; "" for none.

    Args:
        session: Of the caller's transaction.
        study: Its number.
        form: Says how many people are wanted; an answer that it does not name is not wanted.
        answers: By question; questions without an answer are not looked at.
        bot: Whether a bot comes.
        without: The person's own id, where they may hold a cell already.
    """
    sampling = form.sampling
    stratum = answers.get(sampling.stratum)
    if stratum is not None and sampling.quotas and not sampling.quotas.get(str(stratum)):
        return f"{sampling.stratum}: {stratum}"
    cells = answer_cells(session, study=study, form=form, bot=bot, without=without)
    open_cells = {(cell.question, cell.answer) for cell in cells if not cell.is_full}
    for question in sampling.people:
        value = answers.get(question)
        if value is not None and (question, str(value)) not in open_cells:
            return f"{question}: {value}"
    return ""


def all_full(session: Session, *, study: int, form: Form, bot: bool = False) -> bool:
    """Whether all cells of a question are full: nobody else is wanted, whatever they answer."""
    cells = answer_cells(session, study=study, form=form, bot=bot)
    return any(
        all(cell.is_full for cell in cells if cell.question == question)
        for question in form.sampling.people
    )


def admit(session: Session, *, person: Person, form: Form) -> bool:
    """Whether a person may be given items: their answers are there, and no cell of theirs is full.

    Notes the stratum that they answered.
    """
    if not form.sampling.asked:
        return True
    answers = answers_to_quotas(session, person=person.id, form=form)
    if len(answers) < len(form.sampling.asked):
        return False
    if form.sampling.stratum:
        person.stratum = answers[form.sampling.stratum]
    return not is_unwanted(session, person=person.id, form=form)


def is_unwanted(session: Session, *, person: str, form: Form) -> bool:
    """Whether a cell of a person is full of others, as far as they have answered."""
    if not form.sampling.asked:
        return False
    row = session.get_one(Person, person)
    answers = answers_to_quotas(session, person=person, form=form)
    return bool(
        full_for(
            session, study=row.study_id, form=form, answers=answers, bot=row.bot, without=person
        )
    )


def answers_to_quotas(session: Session, *, person: str, form: Form) -> dict[str, str]:
    """A person's answers to the questions that quotas are about, on pages that they have submitted."""
    submitted = submitted_screens(session, person)
    stored = outside_items(given(answers_about(session, person, None)))
    return {
        name: str(stored[page, name])
        for page, name in form.start_questions
        if name in form.sampling.asked and page in submitted and (page, name) in stored
    }


def _holders(study: int, form: Form, *, at: int, bot: bool) -> Select[str, Outcome | None]:
    """The people who hold cells."""
    lease = form.sampling.lease * MINUTE
    of_person = select(Assignment.id).where(
        Assignment.person_id == Person.id, Assignment.round == FIRST
    )
    busy = of_person.where(
        ((Assignment.state == "leased") & (Assignment.until >= at))
        | (Assignment.state.in_(("done", "late")) & (Assignment.until >= at - lease))
    )
    return select(Person.id, Person.outcome).where(
        Person.study_id == study, Person.bot.is_(bot),
        (Person.outcome == "finished") | (Person.outcome.is_(None) & busy.exists()),
    )  # fmt: skip
