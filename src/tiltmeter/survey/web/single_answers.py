"""Single answers as `answers.js` sends them, one or a few at a time, while a page is being filled in."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError, with_config
from sqlalchemy import select
from sqlalchemy.orm import Session

from tiltmeter.core.errors import BadInput
from tiltmeter.survey.answers import NewAnswer, NewEvent, save_answers, save_events
from tiltmeter.survey.flow import is_final
from tiltmeter.survey.form import Form
from tiltmeter.survey.keys import checked_key
from tiltmeter.survey.people_answers import submitted_among
from tiltmeter.survey.persons import Respondent
from tiltmeter.survey.schema import Answer

MOST = 200
"""Answers or events in one request, at most."""


@with_config(ConfigDict(extra="forbid", strict=True))
@dataclass(frozen=True, slots=True)
class SentBatch:
    """What one request of `answers.js` holds."""

    answers: Annotated[tuple[NewAnswer, ...], Field(max_length=MOST)] = ()
    events: Annotated[tuple[NewEvent, ...], Field(max_length=MOST)] = ()

    @property
    def keys(self) -> list[str]:
        """The keys of all answers and events in it."""
        keys = *(answer.key for answer in self.answers), *(event.key for event in self.events)
        return [*map(checked_key, keys)]


_BATCH = TypeAdapter(SentBatch)


def read_batch(body: bytes) -> SentBatch:
    """What the body of a request holds.

    Raises:
        BadInput: It is something else.

    >>> read_batch(b'{"events": []}')
    SentBatch(answers=(), events=())
    >>> read_batch(b"[7]")
    Traceback (most recent call last):
    tiltmeter.core.errors.BadInput: these are no answers; reload the page
    """
    try:
        return _BATCH.validate_json(body)
    except ValidationError:
        raise BadInput("these are no answers", "reload the page") from None


def save_batches(
    session: Session, sent: Sequence[tuple[Respondent, SentBatch]], *, form: Form
) -> list[list[str]]:
    """Store single answers and events of many people; gives, for each batch, the keys that are stored now.

    Raises:
        BadInput: As `save_answers`; or a new answer for a screen without a way back.
    """
    answers = [(person, answer) for person, batch in sent for answer in batch.answers]
    events = [(person, event) for person, batch in sent for event in batch.events]
    _refuse_going_back(session, [sent for sent in answers if is_final(form, sent[1].page)])
    save_answers(session, answers, form=form)
    if any(event.kind not in {"hidden", "visible"} for _, event in events):
        raise BadInput("only hidden and visible pages are noted here", "reload the page")
    save_events(session, events)
    return [batch.keys for _, batch in sent]


def _refuse_going_back(session: Session, sent: Sequence[tuple[Respondent, NewAnswer]]) -> None:
    """Refuse new answers on screens that were submitted; one that is stored may be sent again."""
    done = submitted_among(session, {(person.id, answer.screen) for person, answer in sent})
    for person, answer in sent:
        if (person.id, answer.screen) in done and not _is_stored(session, person.id, answer.key):
            raise BadInput("this page was submitted before", "go on with the survey")


def _is_stored(session: Session, person: str, key: str) -> bool:
    stored = select(Answer.key).where(Answer.key == checked_key(key), Answer.person_id == person)
    return session.scalar(stored) is not None
