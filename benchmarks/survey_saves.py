"""Single answers of many people at once: Tiltmeter's store against one transaction an answer.

Each person sends the next answer when the last one is committed, as the page of a survey does. Tiltmeter
checks each answer and stores those that arrive together in one commit. The other way is the least that
a web application does: one INSERT and one COMMIT an answer, with SQLAlchemy, on the same SQLite settings
(a commit is on disk), one after the other and without any checks. `people` measures whole surveys over HTTP.
"""

import asyncio
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from sqlalchemy import insert, select

from benchmarks._frame import SAME, TIMES, Row, Settings, Value, wall_timed
from benchmarks._survey_server import LoadForm
from tiltmeter.survey.answers import NewAnswer
from tiltmeter.survey.assign import lease_items
from tiltmeter.survey.engines import engine_for
from tiltmeter.survey.form import Form
from tiltmeter.survey.form_file import form_of
from tiltmeter.survey.keys import new_key, now
from tiltmeter.survey.persons import Respondent, consent, enrol, respondent
from tiltmeter.survey.schema import Answer
from tiltmeter.survey.store import SurveyStore
from tiltmeter.survey.studies import open_study
from tiltmeter.survey.web.single_answers import SentBatch, save_batches

TASK = "Survey answers"


@dataclass(frozen=True, slots=True)
class Given:
    """An answer before it is sent."""

    person: Respondent
    sent: NewAnswer


def rows(settings: Settings) -> Iterator[Row]:
    """Ours with many people, then one by one."""
    people = 4 if settings.tiny else 40 if settings.quick else 200
    form = LoadForm(people, pages=2 if settings.tiny else 5, sliders=3 if settings.tiny else 16)
    case = f"{form.answers:,} answers of {people} people, SQLite"
    with tempfile.TemporaryDirectory() as folder:
        ours, theirs = Path(folder) / "ours.db", Path(folder) / "theirs.db"
        with SurveyStore(ours) as store:
            read, given = _prepared(store, form)
            _, took = wall_timed(lambda: asyncio.run(_sent(store, read, given)))
        yield Row(case, "tiltmeter", took, _rate(form, took), clock="wall")
        with SurveyStore(theirs) as store:
            _, other = _prepared(store, form)
        _, seconds = wall_timed(lambda: _one_by_one(theirs, other))
        same = len(_stored(ours) & _stored(theirs))
        values = {TIMES: seconds / took, SAME: f"{same:,} of {form.answers:,}"}
        values = _rate(form, seconds) | values
        yield Row(case, "one transaction an answer", seconds, values, clock="wall")


def _rate(form: LoadForm, seconds: float) -> dict[str, Value]:
    return {"answers/s": form.answers / seconds}


def _prepared(store: SurveyStore, load: LoadForm) -> tuple[Form, list[list[Given]]]:
    """A study with people who have consented and have items; what each of them is going to answer."""
    form = form_of(load.text)
    study = store.save(partial(open_study, form=form))
    return form, [_answers(store, form, study, number) for number in range(load.people)]


def _answers(store: SurveyStore, form: Form, study: int, number: int) -> list[Given]:
    ids = {"PROLIFIC_PID": f"person{number}"}
    person = store.save(partial(enrol, study=study, platform="prolific", ids=ids)).id
    store.save(partial(consent, person=person))
    assigned = store.save(partial(lease_items, person=person, form=form))
    (page,) = (page for page in form.pages if page.part == "item")
    answering = store.read(partial(respondent, person=person))
    return [
        Given(
            answering,
            NewAnswer(
                key=new_key(), page=page.name, question=question.name,
                value=float((7 * number + 3 * place + i) % 101), client_time=now(),
                assignment=one.assignment,
            ),
        )
        for place, one in enumerate(assigned)
        for i, question in enumerate(page.questions)
    ]  # fmt: skip


async def _sent(store: SurveyStore, form: Form, given: Sequence[Sequence[Given]]) -> None:
    """All people at once, each one answer after the other."""
    save = partial(save_batches, form=form)

    async def one(answers: Sequence[Given]) -> None:
        for answer in answers:
            await store.saved_jointly(save, (answer.person, SentBatch(answers=(answer.sent,))))

    async with asyncio.TaskGroup() as group:
        for answers in given:
            group.create_task(one(answers))


def _one_by_one(path: Path, given: Sequence[Sequence[Given]]) -> None:
    engine = engine_for(f"sqlite:///{path}", "BEGIN IMMEDIATE", readers=0)
    for answers in zip(*given, strict=True):
        for one in answers:
            with engine.begin() as connection:
                connection.execute(insert(Answer), _columns(one))
    engine.dispose()


def _columns(one: Given) -> dict[str, object]:
    sent = one.sent
    return {
        "key": sent.key, "study_id": 1, "person_id": one.person.id, "assignment_id": sent.assignment,
        "page": sent.page, "question": sent.question, "value": sent.value,
        "client_time": sent.client_time, "server_time": now(), "supersedes": None,
    }  # fmt: skip


def _stored(path: Path) -> set[tuple[object, ...]]:
    """What the answers say: assignment, question and value."""
    with SurveyStore(path) as store:
        asked = select(Answer.assignment_id, Answer.question, Answer.value)
        return {tuple(row) for row in store.read(lambda session: session.execute(asked).all())}
