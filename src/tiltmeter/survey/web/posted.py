"""What browsers send: plain forms, and single answers from `answers.js`; both end in `save_answers`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import select
from sqlalchemy.orm import Session
from starlette.datastructures import FormData

from tiltmeter.core.errors import BadInput
from tiltmeter.survey import flow
from tiltmeter.survey.answers import (
    NewAnswer,
    NewEvent,
    save_answers,
    save_events,
    submit_screen,
)
from tiltmeter.survey.assign import assigned_to
from tiltmeter.survey.demographics import give_demographics
from tiltmeter.survey.form import (
    CHECK_PAGE,
    DEMOGRAPHICS_PAGE,
    FAMILIAR_PAGE,
    WRITTEN,
    Form,
    FormQuestion,
    Value,
)
from tiltmeter.survey.keys import checked_key, new_key, now
from tiltmeter.survey.tables import Answer, Person
from tiltmeter.survey.web.progress import PersonProgress, progress

Short = Annotated[str, Field(max_length=500)]
Whole = Annotated[int, Field(ge=0, lt=2**53)]
MOST = 200
"""Answers or events in one request, at most."""


class SentAnswer(BaseModel):
    """An answer as `answers.js` sends it."""

    model_config = ConfigDict(extra="forbid", strict=True)
    key: Short
    page: Short
    question: Short
    value: Any
    time: Whole
    assignment: Whole | None = None
    supersedes: Short | None = None

    @property
    def screen(self) -> str:
        """The screen on which it was given."""
        parts = [self.page, self.question] if self.page == CHECK_PAGE else [self.page]
        return ".".join([*parts, *([] if self.assignment is None else [str(self.assignment)])])

    def as_new(self) -> NewAnswer:
        """For `save_answers`."""
        replaced = checked_key(self.supersedes) if self.supersedes else None
        return NewAnswer(
            self.key, self.page, self.question, self.value, self.time, self.assignment, replaced
        )


class SentEvent(BaseModel):
    """That a page was hidden or visible again."""

    model_config = ConfigDict(extra="forbid", strict=True)
    key: Short
    screen: Short
    kind: Short
    time: Whole
    assignment: Whole | None = None


class SentBatch(BaseModel):
    """What one request of `answers.js` holds."""

    model_config = ConfigDict(extra="forbid", strict=True)
    answers: list[SentAnswer] = Field(default=[], max_length=MOST)
    events: list[SentEvent] = Field(default=[], max_length=MOST)


def save_batch(session: Session, *, person: str, form: Form, batch: SentBatch) -> list[str]:
    """Store single answers and events; gives the keys that are stored now.

    Raises:
        BadInput: As `save_answers`; or a new answer for a screen without a way back.
    """
    if not form.back:
        _refuse_going_back(session, person, form, batch.answers)
    new = [one.as_new() for one in batch.answers]
    stored = save_answers(session, person=person, form=form, answers=new)
    events = [NewEvent(e.key, e.screen, e.kind, e.time, e.assignment) for e in batch.events]
    if any(one.kind not in {"hidden", "visible"} for one in events):
        raise BadInput("only hidden and visible pages are noted here", "reload the page")
    return stored + save_events(session, person=person, events=events)


def _refuse_going_back(
    session: Session, person: str, form: Form, answers: Sequence[SentAnswer]
) -> None:
    done = progress(session, person=person, form=form).submitted
    for one in answers:
        if one.screen in done and not session.scalar(select(Answer).where(Answer.key == one.key)):
            raise BadInput("this page was submitted before", "go on with the survey")


# ---- Plain forms


@dataclass(frozen=True, slots=True)
class PostedPage:
    """A plain form, read."""

    values: Mapping[str, object]
    """By question; those that were left empty are absent."""
    written: Mapping[str, object]
    """What was typed, also where it is incomplete: to be shown again."""
    keys: Mapping[str, str]
    shown_at: int
    submitted_at: int


@dataclass(frozen=True, slots=True)
class PageOutcome:
    """What became of a page."""

    missing: tuple[str, ...] = ()
    too_few: int = 0
    """How many items must be marked as familiar, if fewer were."""
    written: Mapping[str, object] = field(default_factory=dict)


def read_page(form: FormData, questions: Sequence[FormQuestion], *, at: int) -> PostedPage:
    """The fields q0, q1, … and k0, k1, … of a page's questions."""
    values: dict[str, object] = {}
    written: dict[str, object] = {}
    keys = {}
    for number, question in enumerate(questions):
        typed = _typed(form, question, f"q{number}")
        written[question.name] = typed
        value = _value(question, typed)
        if value is not None:
            values[question.name] = value
        keys[question.name] = _text(form, f"k{number}")
    return PostedPage(
        values, written, keys, _time(form, "shown_at", at), _time(form, "submitted_at", at)
    )


def _text(form: FormData, name: str) -> str:
    value = form.get(name, "")
    return value.replace("\r\n", "\n") if isinstance(value, str) else ""


def _time(form: FormData, name: str, default: int) -> int:
    value = _text(form, name)
    return int(value) if value.isascii() and value.isdigit() and int(value) < 2**53 else default


def _typed(form: FormData, question: FormQuestion, name: str) -> object:
    if question.kind in WRITTEN:
        return {part: _text(form, f"{name}.{part}") for part in WRITTEN[question.kind]}
    if question.several:
        return [value for value in form.getlist(name) if isinstance(value, str)]
    return _text(form, name)


def _value(question: FormQuestion, typed: object) -> object:
    """The answer; None for none."""
    if isinstance(typed, dict):
        return typed if all(text.strip() for text in typed.values()) else None
    if question.kind == "text" and not question.required:
        return typed  # "" takes an earlier answer back
    if not typed or (isinstance(typed, str) and not typed.strip()):
        return None
    if question.kind == "slider":
        try:
            return float(str(typed))
        except ValueError:
            return typed
    return typed


def submit_page(
    session: Session, *, person: str, form: Form, screen: str, fields: FormData
) -> PageOutcome:
    """Store a page's answers and, if they are complete, that it was submitted.

    Raises:
        BadInput: An answer is none, or the person cannot be at this screen.
    """
    here = progress(session, person=person, form=form)
    mine = here.screen(screen) or _expired_screen(session, person, form, screen)
    if mine is None:
        raise BadInput("this page is not open to you", "go on with the survey")
    if screen in here.submitted and not form.back:
        return PageOutcome()
    posted = read_page(fields, mine.page.questions, at=now())
    asked = _asked(mine, here, posted)
    values = {q.name: posted.values[q.name] for q in asked if q.name in posted.values}
    if mine.page.name == DEMOGRAPHICS_PAGE and not is_linked(session, person, form):
        missing = tuple(q.name for q in asked if q.required and q.name not in values)
        if missing:
            return PageOutcome(missing, written=posted.written)
        give_demographics(session, person=person, form=form, answers=_given(values))
    else:
        _store(session, person, form, mine, here, posted, values)
    marked = values.get(FAMILIAR_PAGE, ())
    if mine.page.name == FAMILIAR_PAGE and len(list(marked)) < form.sampling.familiar:  # type: ignore[call-overload]
        return PageOutcome(too_few=form.sampling.familiar, written=posted.written)
    missing = submit_screen(
        session, person=person, form=form, screen=screen,
        key=checked_key(_text(fields, "submit_key")), client_time=posted.submitted_at,
    )  # fmt: skip
    return PageOutcome(missing, written=posted.written)


def _expired_screen(session: Session, person: str, form: Form, key: str) -> flow.Screen | None:
    """A screen about an item whose lease has run out: what was typed there is kept all the same."""
    every = flow.screens(form, assigned_to(session, person, expired=True))
    open_now = {one.key for one in flow.screens(form, assigned_to(session, person))}
    return next((one for one in every if one.key == key and key not in open_now), None)


def is_linked(session: Session, person: str, form: Form) -> bool:
    """Whether demographics of this person are stored with their answers."""
    return form.demographics.linked and session.get_one(Person, person).linked


def _asked(
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
) -> None:
    """Store what is new on a page; an answer that is stored already is not stored again."""
    keys = _new_keys(session, {name: posted.keys[name] for name in values})
    new = []
    for name, value in values.items():
        at = (screen.assignment, screen.page.name, name)
        if _same(here.answered.get(at), value) or (value == "" and at not in here.answered):
            continue
        new.append(
            NewAnswer(
                keys[name], screen.page.name, name, value, posted.submitted_at, screen.assignment,
                here.keys.get(at),
            )
        )  # fmt: skip
    save_answers(session, person=person, form=form, answers=new)
    event = NewEvent(new_key(), screen.key, "shown", posted.shown_at, screen.assignment)
    save_events(session, person=person, events=[event])


def _given(values: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in values.items() if value != ""}


def _same(stored: Value | None, value: object) -> bool:
    if isinstance(stored, list) and isinstance(value, list):
        return set(stored) == set(value)
    return stored is not None and stored == value


def _new_keys(session: Session, sent: Mapping[str, str]) -> dict[str, str]:
    """The keys from a form; new ones where they stand for earlier answers, after "back"."""
    keys = {name: checked_key(key) for name, key in sent.items()}
    taken = {*session.scalars(select(Answer.key).where(Answer.key.in_(keys.values())))}
    return {name: new_key() if key in taken else key for name, key in keys.items()}
