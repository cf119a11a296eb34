"""Single answers as `answers.js` sends them, one or a few at a time, while a page is being filled in."""

from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import select
from sqlalchemy.orm import Session

from tiltmeter.core.errors import BadInput
from tiltmeter.survey.answers import NewAnswer, NewEvent, save_answers_of, save_events_of
from tiltmeter.survey.form import CHECK_PAGE, Form
from tiltmeter.survey.keys import checked_key
from tiltmeter.survey.persons import Respondent
from tiltmeter.survey.stored_answers import submitted_among
from tiltmeter.survey.tables import Answer

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
        names = [self.page, self.question] if self.page == CHECK_PAGE else [self.page]
        return ".".join([*names, *([] if self.assignment is None else [str(self.assignment)])])

    def as_new(self) -> NewAnswer:
        """The answer as `save_answers` takes it."""
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

    def as_new(self) -> NewEvent:
        """The event as `save_events` takes it."""
        return NewEvent(self.key, self.screen, self.kind, self.time, self.assignment)


class SentBatch(BaseModel):
    """What one request of `answers.js` holds."""

    model_config = ConfigDict(extra="forbid", strict=True)
    answers: list[SentAnswer] = Field(default=[], max_length=MOST)
    events: list[SentEvent] = Field(default=[], max_length=MOST)

    @property
    def keys(self) -> list[str]:
        """The keys of all answers and events in it."""
        return [*(answer.key for answer in self.answers), *(event.key for event in self.events)]


def save_batches(
    session: Session, sent: Sequence[tuple[Respondent, SentBatch]], *, form: Form
) -> list[list[str]]:
    """Store single answers and events of many people, given with the person.

    Args:
        session: Of the database.
        sent: The person and what their browser sent.
        form: Of their study.

    Returns:
        For each batch, the keys that are stored now.

    Raises:
        BadInput: As `save_answers`; or a new answer for a screen without a way back.
    """
    if not form.back:
        _refuse_going_back(session, sent)
    answers = [
        (person, sent_item.as_new()) for person, batch in sent for sent_item in batch.answers
    ]
    save_answers_of(session, answers, form=form)
    events = [(person, sent_item.as_new()) for person, batch in sent for sent_item in batch.events]
    if any(sent_item.kind not in {"hidden", "visible"} for _, sent_item in events):
        raise BadInput("only hidden and visible pages are noted here", "reload the page")
    save_events_of(session, events)
    return [[checked_key(key) for key in batch.keys] for _, batch in sent]


def _refuse_going_back(session: Session, sent: Sequence[tuple[Respondent, SentBatch]]) -> None:
    """Refuse new answers on screens that were submitted; one that is stored may be sent again."""
    given = [(person, answer) for person, batch in sent for answer in batch.answers]
    done = submitted_among(session, {(person.id, answer.screen) for person, answer in given})
    for person, answer in given:
        if (person.id, answer.screen) in done and not _is_stored(session, person.id, answer.key):
            raise BadInput("this page was submitted before", "go on with the survey")


def _is_stored(session: Session, person: str, key: str) -> bool:
    stored = select(Answer.key).where(Answer.key == checked_key(key), Answer.person_id == person)
    return session.scalar(stored) is not None
