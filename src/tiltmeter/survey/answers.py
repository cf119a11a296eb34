"""Answers and page events: stored once, never changed, and only ever under the person who gave them."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from tiltmeter.core.errors import BadInput
from tiltmeter.survey import flow
from tiltmeter.survey.assign import assigned_to, finish_item, renew_lease
from tiltmeter.survey.form import CHECK_PAGE, DEMOGRAPHICS_PAGE, FAMILIAR_PAGE, Form, FormQuestion
from tiltmeter.survey.keys import checked_key, now
from tiltmeter.survey.tables import Answer, Assignment, PageEvent, Person, StudyRow
from tiltmeter.survey.values import checked_value

EVENTS = ("shown", "hidden", "visible", "submitted")
"""What can happen to a screen."""


@dataclass(frozen=True, slots=True)
class NewAnswer:
    """An answer as a client sends it."""

    key: str
    """A UUIDv7 that the client made for this answer; sending it again stores nothing new."""
    page: str
    question: str
    value: object
    client_time: int
    assignment: int | None = None
    supersedes: str | None = None


@dataclass(frozen=True, slots=True)
class NewEvent:
    """A page event as a client sends it."""

    key: str
    screen: str
    kind: str
    client_time: int
    assignment: int | None = None


def save_answers(
    session: Session,
    *,
    person: str,
    form: Form,
    answers: Iterable[NewAnswer],
    at: int | None = None,
) -> list[str]:
    """Store answers and lengthen the leases of their items; gives the keys that are stored now.

    Args:
        session: Of the database.
        person: Who answers. Assignments of others are refused.
        form: Of their study.
        answers: With keys made by the client.
        at: The server's time, for tests.

    Raises:
        BadInput: No such question or assignment, no answer to it, no consent, or a key that stands for
            another answer. Then none of them is stored.
    """
    at = now() if at is None else at
    row = session.get_one(Person, person)
    if row.consented is None:
        raise BadInput("answers came before consent", "agree to take part first")
    sent = [(checked_key(answer.key), answer) for answer in answers]
    _refuse_strangers(session, person, {answer.assignment for _, answer in sent})
    there = _stored(session, [key for key, _ in sent])
    new = []
    for key, answer in sent:
        question = _question(form, answer)
        if answer.page == DEMOGRAPHICS_PAGE and not (form.demographics.linked and row.linked):
            raise BadInput("these answers are stored apart from the others", "reload the page")
        value = checked_value(question, answer.value)
        if key in there:
            _refuse_other(there[key], person, answer, value)
            continue
        there[key] = Answer(
            key=key, study_id=row.study_id, person_id=person, page=answer.page,
            assignment_id=answer.assignment, question=answer.question, value=value,
            client_time=answer.client_time, server_time=at, supersedes=answer.supersedes,
        )  # fmt: skip
        new.append(there[key])
    session.add_all(new)
    session.flush()
    for assignment in dict.fromkeys(answer.assignment for _, answer in sent):
        if assignment is not None:
            renew_lease(session, assignment=assignment, form=form, at=at)
    return [key for key, _ in sent]


def save_events(
    session: Session, *, person: str, events: Iterable[NewEvent], at: int | None = None
) -> list[str]:
    """Store page events, each key once; gives the keys that are stored now.

    Raises:
        BadInput: Another kind of event, or an assignment of someone else.
    """
    at = now() if at is None else at
    row = session.get_one(Person, person)
    stored = []
    for new in events:
        key = checked_key(new.key)
        if new.kind not in EVENTS:
            raise BadInput(f"{new.kind!r} is no page event", f"known: {', '.join(EVENTS)}")
        _refuse_strangers(session, person, [new.assignment])
        found = session.scalar(select(PageEvent).where(PageEvent.key == key))
        if found is not None and found.person_id != person:
            raise BadInput(f"the key {key} is taken", "make a new key for every event")
        if found is None:
            session.add(
                PageEvent(
                    key=key, study_id=row.study_id, person_id=person, screen=new.screen,
                    assignment_id=new.assignment, kind=new.kind, client_time=new.client_time,
                    server_time=at,
                )
            )  # fmt: skip
            session.flush()
        stored.append(key)
    return stored


def current_answers(session: Session, person: str) -> flow.Answered:
    """A person's answers, without those that were replaced."""
    rows = session.scalars(select(Answer).where(Answer.person_id == person)).all()
    return {(row.assignment_id, row.page, row.question): row.value for row in latest(rows)}


def latest(rows: Sequence[Answer]) -> list[Answer]:
    """Of each question's answers the last one, in the order in which questions were first answered.

    The last is one that no other replaces; where a client did not say, the one with the latest key.
    """
    replaced = {row.supersedes for row in rows if row.supersedes}
    last: dict[tuple[str, int | None, str, str], Answer] = {}
    for row in sorted(rows, key=lambda row: row.number):
        at = (row.person_id, row.assignment_id, row.page, row.question)
        other = last.get(at)
        if other is None or _rank(row, replaced) > _rank(other, replaced):
            last[at] = row
    return list(last.values())


def _rank(row: Answer, replaced: set[str]) -> tuple[bool, str]:
    return row.key not in replaced, row.key


def submitted(session: Session, person: str) -> set[str]:
    """The screens that a person has submitted."""
    found = select(PageEvent.screen).where(
        PageEvent.person_id == person, PageEvent.kind == "submitted"
    )
    return set(session.scalars(found))


def submit_screen(
    session: Session, *, person: str, form: Form, screen: str, key: str, client_time: int
) -> tuple[str, ...]:
    """Note that a screen was submitted, if it is answered; gives the questions that are missing.

    The last screen of an item finishes the item.

    Raises:
        BadInput: The person has no such screen.
    """
    every = flow.screens(form, assigned_to(session, person, expired=True))
    mine = next((one for one in every if one.key == screen), None)
    if mine is None:
        raise BadInput(f"there is no screen {screen!r} for this person", "reload the page")
    answered = current_answers(session, person)
    missing = flow.missing(mine, answered)
    if missing:
        return missing
    event = NewEvent(key, screen, "submitted", client_time, mine.assignment)
    save_events(session, person=person, events=[event])
    if mine.assignment is not None and not mine.check:
        rest = [s for s in every if s.assignment == mine.assignment and not s.check]
        if flow.next_screen(rest, answered, submitted(session, person)) is None:
            finish_item(session, assignment=mine.assignment, form=form)
    return ()


def finish(session: Session, *, person: str, form: Form) -> str:
    """The completion code, once the database holds every required answer.

    Raises:
        BadInput: Something is missing; the message says what.
    """
    row = session.get_one(Person, person)
    assigned = assigned_to(session, person)
    every, answered = flow.screens(form, assigned), current_answers(session, person)
    if not any(one.round == flow.FIRST for one in assigned):
        raise BadInput("no item was answered", "go on with the survey")
    for screen in every:
        missing = flow.missing(screen, answered)
        if missing:
            raise BadInput(f"not answered yet: {', '.join(missing)}", f"go back to {screen.key}")
    row.state, row.finished = "finished", row.finished or now()
    return session.get_one(StudyRow, row.study_id).code


# ---- Checks of what a client sends


def _question(form: Form, answer: NewAnswer) -> FormQuestion:
    if (answer.page, answer.question) == (FAMILIAR_PAGE, FAMILIAR_PAGE) and form.sampling.familiar:
        return flow.familiar_page(form).questions[0]
    found = form.question(answer.page, answer.question)
    page = next((page for page in form.pages if page.name == answer.page), None)
    of_item = answer.page == CHECK_PAGE or (page is not None and page.part in {"item", "training"})
    if found is None or of_item != (answer.assignment is not None):
        where = f"{answer.page!r}" + (" for an item" if answer.assignment is not None else "")
        raise BadInput(f"there is no question {answer.question!r} on {where}", "reload the page")
    return found


def _refuse_strangers(session: Session, person: str, assignments: Collection[int | None]) -> None:
    """Refuse items that were not given to this person."""
    wanted = {one for one in assignments if one is not None}
    own = select(Assignment.id).where(Assignment.person_id == person, Assignment.id.in_(wanted))
    strange = wanted.difference(session.scalars(own)) if wanted else wanted
    if strange:
        raise BadInput(f"the item {min(strange)} was not given to this person", "reload the page")


def _stored(session: Session, keys: Sequence[str]) -> dict[str, Answer]:
    """The answers that are stored under these keys."""
    return {row.key: row for row in session.scalars(select(Answer).where(Answer.key.in_(keys)))}


def _refuse_other(found: Answer, person: str, answer: NewAnswer, value: object) -> None:
    """Refuse a key under which something else is stored."""
    here = (person, answer.assignment, answer.page, answer.question, value)
    stored = (found.person_id, found.assignment_id, found.page, found.question, found.value)
    if here != stored:
        way_out = "make a new key for every answer"
        raise BadInput(f"the key {found.key} stands for another answer", way_out)
