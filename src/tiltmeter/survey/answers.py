"""Answers and page events: stored once, never changed, and only ever under the person who gave them."""

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any

from sqlalchemy.orm import Session

from tiltmeter.core.errors import BadInput
from tiltmeter.survey import flow
from tiltmeter.survey.assign import assigned_to
from tiltmeter.survey.form import CHECK_PAGE, DEMOGRAPHICS_PAGE, FAMILIAR_PAGE, Form
from tiltmeter.survey.keys import checked_key, now
from tiltmeter.survey.leases import HeldLease, finish_item, leases, renew_lease, runs_long
from tiltmeter.survey.new_rows import NewRow, store_new
from tiltmeter.survey.persons import Respondent, respondent
from tiltmeter.survey.questions import FormQuestion
from tiltmeter.survey.stored_answers import current_answers
from tiltmeter.survey.tables import Answer, PageEvent, Person, StudyRow
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
    """None withdraws the answer that it supersedes."""
    client_time: int
    assignment: int | None = None
    supersedes: str | None = None

    @property
    def withdraws(self) -> bool:
        """Whether it takes an earlier answer back."""
        return self.value is None and self.supersedes is not None


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
    answering = respondent(session, person)
    return save_answers_of(session, [(answering, answer) for answer in answers], form=form, at=at)


def save_answers_of(
    session: Session,
    sent: Sequence[tuple[Respondent, NewAnswer]],
    *,
    form: Form,
    at: int | None = None,
) -> list[str]:
    """Store answers of many people, each given with the person, in few statements (`save_answers`)."""
    at = now() if at is None else at
    if not sent:
        return []
    leases = _own(session, [(person.id, answer.assignment) for person, answer in sent])
    new: dict[str, NewRow] = {}
    for person, answer in sent:
        if person.consented is None:
            raise BadInput("answers came before consent", "agree to take part first")
        question = _question(form, answer)
        if answer.page == DEMOGRAPHICS_PAGE and not (form.demographics.linked and person.linked):
            raise BadInput("these answers are stored apart from the others", "reload the page")
        value = None if answer.withdraws else checked_value(question, answer.value)
        columns: dict[str, Any] = {
            "key": checked_key(answer.key), "study_id": person.study_id, "person_id": person.id,
            "assignment_id": answer.assignment, "page": answer.page, "question": answer.question,
            "value": value, "client_time": answer.client_time, "server_time": at,
            "supersedes": answer.supersedes,
        }  # fmt: skip
        _same_answer(new.setdefault(columns["key"], columns), columns)
    for key, stored in store_new(session, Answer, new).items():
        _same_answer(stored, new[key])
    for lease in leases:
        if not runs_long(lease, form=form, at=at):  # most answers do not wait for the lock
            renew_lease(session, assignment=lease.id, form=form, at=at)
    return [checked_key(answer.key) for _, answer in sent]


def save_events(
    session: Session, *, person: str, events: Iterable[NewEvent], at: int | None = None
) -> list[str]:
    """Store page events, each key once; gives the keys that are stored now.

    Raises:
        BadInput: Another kind of event, or an assignment of someone else.
    """
    doing = respondent(session, person)
    return save_events_of(session, [(doing, event) for event in events], at=at)


def save_events_of(
    session: Session, sent: Sequence[tuple[Respondent, NewEvent]], *, at: int | None = None
) -> list[str]:
    """Store events of many people, each given with the person, in few statements (`save_events`)."""
    at = now() if at is None else at
    if not sent:
        return []
    _own(session, [(person.id, event.assignment) for person, event in sent])
    new: dict[str, NewRow] = {}
    for person, event in sent:
        if event.kind not in EVENTS:
            raise BadInput(f"{event.kind!r} is no page event", f"known: {', '.join(EVENTS)}")
        columns: dict[str, Any] = {
            "key": checked_key(event.key), "study_id": person.study_id,
            "person_id": person.id, "screen": event.screen, "assignment_id": event.assignment,
            "kind": event.kind, "client_time": event.client_time, "server_time": at,
        }  # fmt: skip
        _same_event(new.setdefault(columns["key"], columns), columns)
    for key, stored in store_new(session, PageEvent, new).items():
        _same_event(stored, new[key])
    return [checked_key(event.key) for _, event in sent]


def submit_screen(
    session: Session,
    *,
    person: str,
    form: Form,
    screen: flow.Screen,
    about: Sequence[flow.Screen],
    answered: flow.Answered,
    before: AbstractSet[str],
    events: tuple[NewEvent, NewEvent],
) -> tuple[str, ...]:
    """Note that a screen was shown and, if it is answered, submitted; gives the questions that are missing.

    The last screen of an item finishes the item.

    Args:
        session: Of the database.
        person: Who submits it.
        form: Of their study.
        screen: That the person may see.
        about: All screens about the same item, or all outside items.
        answered: Answers of this person, at least those about the same item.
        before: Screens that the person has submitted before.
        events: When the browser showed it, and when it was sent.
    """
    missing = flow.missing(screen, answered)
    save_events(session, person=person, events=events[:1] if missing else events)
    if not missing and screen.assignment is not None and not screen.check:
        rest = [other for other in about if not other.check]
        if flow.next_screen(rest, answered, {*before, screen.key}) is None:
            finish_item(session, assignment=screen.assignment, form=form)
    return missing


def finish(session: Session, *, person: str, form: Form) -> str:
    """The completion code, once the database holds every required answer.

    Raises:
        BadInput: Something is missing; the message says what.
    """
    row = session.get_one(Person, person)
    assigned = assigned_to(session, person)
    every = flow.screens(form, assigned)
    answered = flow.by_assignment(current_answers(session, person))
    if not any(item.round == flow.FIRST for item in assigned):
        raise BadInput("no item was answered", "go on with the survey")
    for screen in every:
        missing = flow.missing(screen, answered[screen.assignment])
        if missing:
            raise BadInput(f"not answered yet: {', '.join(missing)}", f"go back to {screen.key}")
    row.state, row.finished = "finished", row.finished or now()
    return session.get_one(StudyRow, row.study_id).code


# ---- Checks of what a client sends


def _question(form: Form, answer: NewAnswer) -> FormQuestion:
    if (answer.page, answer.question) == (FAMILIAR_PAGE, FAMILIAR_PAGE) and form.sampling.familiar:
        return flow.familiar_page(form).questions[0]
    question = form.question(answer.page, answer.question)
    page = next((page for page in form.pages if page.name == answer.page), None)
    of_item = answer.page == CHECK_PAGE or (page is not None and page.part in {"item", "training"})
    if question is None or of_item != (answer.assignment is not None):
        where = f"{answer.page!r}" + (" for an item" if answer.assignment is not None else "")
        raise BadInput(f"there is no question {answer.question!r} on {where}", "reload the page")
    return question


def _own(session: Session, wanted: Iterable[tuple[str, int | None]]) -> list[HeldLease]:
    """The assignments that people sent something for, given with the person.

    Raises:
        BadInput: One is not theirs.
    """
    owners = {(number, person) for person, number in wanted if number is not None}
    rows = {row.id: row for row in leases(session, {number for number, _ in owners})}
    for number, person in owners:
        if number not in rows or rows[number].person_id != person:
            raise BadInput(f"the item {number} was not given to this person", "reload the page")
    return [rows[number] for number in sorted(rows)]


SAME_ANSWER = ("person_id", "assignment_id", "page", "question", "value")
"""What an answer that is sent again has in common with the first time."""


def _same_answer(stored: NewRow, sent: NewRow) -> None:
    """Refuse a key that stands for another answer."""
    if any(stored[name] != sent[name] for name in SAME_ANSWER):
        raise BadInput(
            f"the key {sent['key']} stands for another answer", "make a new key for every answer"
        )


def _same_event(stored: NewRow, sent: NewRow) -> None:
    """Refuse a key under which somebody else stored something."""
    if stored["person_id"] != sent["person_id"]:
        raise BadInput(f"the key {sent['key']} is taken", "make a new key for every event")
