"""Plain forms as browsers send them: a page at a time."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session
from starlette.datastructures import FormData

from tiltmeter.core.errors import BadInput
from tiltmeter.survey import flow
from tiltmeter.survey.answer_quotas import is_unwanted
from tiltmeter.survey.answers import (
    NewAnswer,
    NewEvent,
    save_answers,
    save_events,
    submit_screen,
    withdraw_answers,
)
from tiltmeter.survey.assign import assigned_to
from tiltmeter.survey.form import DEMOGRAPHICS_PAGE, FAMILIAR_PAGE, Form
from tiltmeter.survey.keys import checked_key, new_key, now
from tiltmeter.survey.leaving import has_failed, leave
from tiltmeter.survey.outcomes import Outcome
from tiltmeter.survey.persons import Respondent, give_demographics, respondent
from tiltmeter.survey.question import FormQuestion, Value
from tiltmeter.survey.schema import Answer, PageEvent, Person
from tiltmeter.survey.web.progress import PersonProgress, progress

MAY_ANSWER: frozenset[Outcome | None] = frozenset({None, "timed_out", "finished"})
"""Who may send pages: also those who went away, and those who finished in another tab."""


@dataclass(frozen=True, slots=True)
class PostedPage:
    """What a page's form sent: answers, and the keys under which they are stored."""

    values: Mapping[str, object]
    """By question; those that were left empty, or are out of range, are absent."""
    wrong: tuple[str, ...]
    """Questions whose answer is out of their range."""
    written: Mapping[str, object]
    """What was typed, also where it is incomplete: to be shown again."""
    keys: Mapping[str, str]
    """For new answers, by question."""
    seen: Mapping[str, str]
    """The keys of the answers that the page showed, by question."""
    shown_at: int
    submitted_at: int


@dataclass(frozen=True, slots=True)
class PageOutcome:
    """What became of a page that a person sent."""

    here: PersonProgress
    """Where the person is now."""
    missing: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()
    """Questions whose answer is out of their range."""
    too_few: int = 0
    """How many items must be marked as familiar, if fewer were."""
    written: Mapping[str, object] = field(default_factory=dict)
    has_left: bool = False
    """Whether the person has left, maybe by this very page."""


def read_page(form: FormData, questions: Sequence[FormQuestion], *, at: int) -> PostedPage:
    """The fields q0, q1, … and k0, k1, … of a page's questions."""
    fields = _Fields(form)
    values: dict[str, object] = {}
    written: dict[str, object] = {}
    keys, seen, wrong = {}, {}, []
    for number, question in enumerate(questions):
        typed = question.typed(fields, f"q{number}")
        written[question.name] = typed
        value = question.posted(typed)
        if question.explains_range and value is not None and question.why_wrong(value):
            wrong.append(question.name)
        elif value is not None:
            values[question.name] = value
        keys[question.name] = _text(form, f"k{number}")
        seen[question.name] = _text(form, f"l{number}")
    return PostedPage(
        values, tuple(wrong), written, keys, seen,
        _time(form, "shown_at", at), _time(form, "submitted_at", at),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Fields:
    """What the browser sent, as questions read it."""

    form: FormData

    def text(self, name: str) -> str:
        """What was typed; "" where there is no such field."""
        return _text(self.form, name)

    def several(self, name: str) -> list[str]:
        """All values that were sent under one name."""
        return [value for value in self.form.getlist(name) if isinstance(value, str)]


def _text(form: FormData, name: str) -> str:
    value = form.get(name, "")
    # Browsers end the lines of a form so, and PostgreSQL stores no null character.
    return value.replace("\r\n", "\n").replace("\0", "\ufffd") if isinstance(value, str) else ""


def _time(form: FormData, name: str, default: int) -> int:
    value = _text(form, name)
    # Up to 2⁵³ a browser's numbers are exact.
    return int(value) if value.isascii() and value.isdigit() and int(value) < 2**53 else default


def submit_page(
    session: Session, *, person: str, form: Form, screen: str, fields: FormData
) -> PageOutcome:
    """Store a page's answers and, if they are complete, that it was submitted.

    Raises:
        BadInput: An answer is none, or the person cannot be at this screen.
    """
    here = progress(session, person=person, form=form)
    if respondent(session, person).outcome not in MAY_ANSWER:
        return PageOutcome(here, has_left=True)
    every, mine = here.screens, here.screen(screen)
    if mine is None:
        every = flow.screens(form, assigned_to(session, person, expired=True), here.order)
        mine = _expired_screen(every, here, screen)
    about = [other for other in every if other.assignment == mine.assignment]
    if screen in here.submitted and flow.is_final(form, mine.page.name):
        return PageOutcome(here)
    posted = read_page(fields, mine.page.questions, at=now())
    asked = asked_questions(mine, here, posted)
    values = {q.name: posted.values[q.name] for q in asked if q.name in posted.values}
    wrong = tuple(q.name for q in asked if q.name in posted.wrong)
    missing = tuple(q.name for q in asked if q.required and q.name not in {*values, *wrong})
    if mine.page.name == DEMOGRAPHICS_PAGE and not is_linked(session, person, form):
        if missing or wrong:
            return PageOutcome(here, missing, wrong, written=posted.written)
        give_demographics(session, person=person, form=form, answers=values)
    else:
        new = _store(session, person, form, mine, here, posted, values)
        new += withdraw_answers(
            session, person=person, form=form, screens=about, cleared=_cleared(mine, here, posted),
            at=posted.submitted_at,
        )  # fmt: skip
        here = progress(session, person=person, form=form) if new else here
    shown_at = _shown_at(session, respondent(session, person), posted)
    shown = NewEvent(new_key(), screen, "shown", shown_at, mine.assignment)
    too_few = _too_few(mine, values, form)
    if too_few or wrong:
        save_events(session, [(respondent(session, person), shown)])
        return PageOutcome(here, missing, wrong, too_few, posted.written)
    key = checked_key(_text(fields, "submit_key"))
    submitted = NewEvent(key, screen, "submitted", posted.submitted_at, mine.assignment)
    missing = submit_screen(
        session, person=person, form=form, screen=mine, about=about, answered=here.answered,
        before=here.submitted, events=(shown, submitted),
    )  # fmt: skip
    if missing:
        return PageOutcome(here, missing, written=posted.written)
    outcome = _outcome_of(session, person, form, mine, here.answered)
    if outcome is not None:
        leave(session, person=person, outcome=outcome)
    return PageOutcome(here.after(mine), written=posted.written, has_left=outcome is not None)


def _shown_at(session: Session, person: Respondent, posted: PostedPage) -> int:
    """When a page came up, by the person's clock: not before they had sent the last one, by ours.

    Browsers can send any times, and people are paid by the hour for them.
    """
    sent = select(func.max(PageEvent.server_time)).where(
        PageEvent.person_id == person.id, PageEvent.kind == "submitted"
    )
    before = session.scalar(sent) or person.consented or now()
    return max(posted.shown_at, posted.submitted_at - max(now() - before, 0))


def _outcome_of(
    session: Session, person: str, form: Form, screen: flow.Screen, answered: flow.Answered
) -> Outcome | None:
    """How a person leaves with this page, if they do."""
    asked = flow.shown(screen, answered)
    at = [(screen.assignment, screen.page.name, question.name) for question in asked]
    if any(q.screens_out(answered.get(here)) for q, here in zip(asked, at, strict=True)):
        return "screened_out"
    attempts = screen.attempt_of
    if attempts and attempts.failed(flow.outside_items(answered)) and attempts.then != "go_on":
        return attempts.then
    checks = form.outcomes.failed_checks
    if checks and checks.at_once and has_failed(session, person=person, form=form):
        return "failed_checks"
    if screen.page.part == "start" and is_unwanted(session, person=person, form=form):
        return "full"
    return None


def _too_few(screen: flow.Screen, values: Mapping[str, object], form: Form) -> int:
    """How many items must be marked as familiar, where fewer were; else 0."""
    marked: Any = values.get(FAMILIAR_PAGE, ())
    few = screen.page.name == FAMILIAR_PAGE and len(marked) < form.sampling.familiar
    return form.sampling.familiar if few else 0


def _expired_screen(every: Sequence[flow.Screen], here: PersonProgress, key: str) -> flow.Screen:
    """A screen about an item whose lease has run out: what was typed there is kept all the same.

    Raises:
        BadInput: The person never had it.
    """
    open_now = {listed.key for listed in here.screens}
    expired = next((listed for listed in every if listed.key == key and key not in open_now), None)
    if expired is None:
        raise BadInput("this page is not open to you", "go on with the survey")
    return expired


def is_linked(session: Session, person: str, form: Form) -> bool:
    """Whether demographics of this person are stored with their answers."""
    return form.demographics.linked and session.get_one(Person, person).linked


def asked_questions(
    screen: flow.Screen, here: PersonProgress, posted: PostedPage
) -> tuple[FormQuestion, ...]:
    """The questions to be asked, given what was posted for those before them."""
    context: dict[str, Any] = flow.context(screen, here.answered)
    asked = []
    if not screen.page.when.holds(context):
        return ()
    for question in screen.page.questions:
        if question.when.holds(context):
            asked.append(question)
            context.update({n: v for n, v in posted.values.items() if n == question.name})
        else:
            context.pop(question.name, None)
    return tuple(asked)


def _store(
    session: Session,
    person: str,
    form: Form,
    screen: flow.Screen,
    here: PersonProgress,
    posted: PostedPage,
    values: Mapping[str, object],
) -> list[str]:
    """Store what is new on a page; gives the keys of new answers."""
    changed = {
        name: value
        for name, value in values.items()
        if not _same(here.answered.get((screen.assignment, screen.page.name, name)), value)
    }
    if not changed:
        return []
    keys = _new_keys(session, {name: posted.keys[name] for name in changed})
    page, who = screen.page.name, respondent(session, person)
    new = [
        (who, NewAnswer(
            keys[name], page, name, value, posted.submitted_at, screen.assignment,
            here.keys.get((screen.assignment, page, name)),
        ))
        for name, value in changed.items()
    ]  # fmt: skip
    return save_answers(session, new, form=form)


def _cleared(screen: flow.Screen, here: PersonProgress, posted: PostedPage) -> list[flow.Place]:
    """Where a stored answer was on the page and is empty now."""
    cleared: list[flow.Place] = []
    for name, seen in posted.seen.items():
        at = (screen.assignment, screen.page.name, name)
        empty = name not in posted.values and name not in posted.wrong
        if empty and at in here.answered and here.keys[at] == seen:
            cleared.append(at)  # not what another tab added since
    return cleared


def _same(stored: Value | None, value: object) -> bool:
    if isinstance(stored, list) and isinstance(value, list):
        return set(stored) == set(value)
    return stored is not None and stored == value


def _new_keys(session: Session, sent: Mapping[str, str]) -> dict[str, str]:
    """The keys from a form; new ones where they stand for earlier answers, after "back"."""
    keys = {name: checked_key(key) for name, key in sent.items()}
    taken = {*session.scalars(select(Answer.key).where(Answer.key.in_(keys.values())))}
    return {name: new_key() if key in taken else key for name, key in keys.items()}
