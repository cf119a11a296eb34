"""Everything that a study has collected, as plain values: what checks, exports and reports read."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, cast

from sqlalchemy import select
from sqlalchemy.orm import Session

from tiltmeter.survey.consent.consents import consents_of
from tiltmeter.survey.flow import FIRST
from tiltmeter.survey.form import DEMOGRAPHICS_PAGE, Form, SurveyItem
from tiltmeter.survey.keys import DAY, date_of, derived_key
from tiltmeter.survey.order.person_order import Shown
from tiltmeter.survey.outcomes import Outcome
from tiltmeter.survey.people_answers import latest
from tiltmeter.survey.persons import code_shown, unlinked_demographics, waiting
from tiltmeter.survey.question import Value
from tiltmeter.survey.schema import Answer, Assignment, ItemRow, Mark, PageEvent, Person, StudyRow
from tiltmeter.survey.studies import form_of_study

MILLI = 1000


@dataclass(frozen=True, slots=True)
class Participant:
    """A person who takes part in the study."""

    id: str
    language: str = ""
    stratum: str = ""
    outcome: Outcome | None = "finished"
    """How they left; None for people who are under way."""
    started: int = 0
    ended: int | None = None
    about: Mapping[str, Value] = field(default_factory=dict)
    """Options chosen before the work, such as a country; demographics, if they are linked."""
    code: str = ""
    """The code on the person's last page; "" where there was none."""
    bot: bool = False


@dataclass(frozen=True, slots=True)
class Response:
    """A person's current answer to one question."""

    person: str
    page: str
    question: str
    value: Value
    key: str = ""
    """The idempotency key under which it is stored."""
    item: str = ""
    """Key of the item; "" outside items."""
    round: int = FIRST
    assignment: int | None = None
    state: str = ""
    """The state of the assignment: late answers came after the place was given away."""
    client_time: int = 0
    server_time: int = 0
    shown: Shown = field(default_factory=Shown)


@dataclass(frozen=True, slots=True)
class GivenConsent:
    """What a person agreed to before they took part."""

    person: str
    form_sha256: str
    language: str
    linked: bool
    """Whether also to have demographics stored with the answers."""
    date: str
    """Day in UTC, such as 2026-01-31."""


@dataclass(frozen=True, slots=True)
class PageTime:
    """How long a screen was shown before it was submitted."""

    person: str
    screen: str
    seconds: float
    hidden: float = 0.0
    """Seconds of it during which its tab was in the background."""
    assignment: int | None = None


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What a check found; flagged where it speaks against the answers."""

    check: str
    rule: str
    flagged: bool
    value: float | None = None
    detail: str = ""
    assignment: int | None = None
    """The assignment of the item; None if the check is about the person."""


@dataclass(frozen=True, slots=True)
class CheckCount:
    """How often a check was made and how often it flagged something."""

    check: str
    rules: tuple[str, ...]
    people: int
    """People that the check was run on."""
    flagged_people: int
    flags: int
    """Flags on items and on people together."""


@dataclass(frozen=True, slots=True)
class Collected:
    """A study with all its answers."""

    name: str
    form: Form
    people: tuple[Participant, ...]
    responses: tuple[Response, ...]
    pages: tuple[PageTime, ...] = ()
    marks: Mapping[str, tuple[CheckResult, ...]] = field(default_factory=dict)
    """What the checks found, by person."""
    demographics: tuple[Mapping[str, Any], ...] = ()
    """Answers that are not linked to a person."""
    erased: int = 0
    """People of whom everything was erased."""
    waiting: int = 0
    """Unlinked demographics that are not released yet."""
    opened: int = 0
    closed: int | None = None
    bots_left_out: int = 0
    """Bots that are not among the people."""
    consents: tuple[GivenConsent, ...] = ()

    def items(self) -> dict[str, SurveyItem]:
        """The form's items by their keys."""
        return {item.key: item for item in self.form.items}

    def seconds(self) -> dict[tuple[str, int | None, str], float]:
        """How long each page was shown in all, by person, assignment and page."""
        seconds: dict[tuple[str, int | None, str], float] = defaultdict(float)
        for page in self.pages:
            seconds[page.person, page.assignment, page.screen.split(".")[0]] += page.seconds
        return seconds

    def flags(self, response: Response) -> set[str]:
        """The checks that flagged the item of a response, or the person as a whole."""
        places = {None, response.assignment}
        marks = self.marks.get(response.person, ())
        return {mark.check for mark in marks if mark.flagged and mark.assignment in places}

    def flags_of(self, person: str) -> frozenset[str]:
        """The checks that flagged any item of a person, or the person as a whole."""
        return frozenset(mark.check for mark in self.marks.get(person, ()) if mark.flagged)

    def check_counts(self) -> list[CheckCount]:
        """Every check that was run, by name."""
        by_check: dict[str, list[tuple[str, CheckResult]]] = defaultdict(list)
        for person, several in self.marks.items():
            for mark in several:
                by_check[mark.check].append((person, mark))
        return [
            CheckCount(
                check=check,
                rules=tuple(sorted({mark.rule for _, mark in person_marks})),
                people=len({person for person, _ in person_marks}),
                flagged_people=len({person for person, mark in person_marks if mark.flagged}),
                flags=sum(mark.flagged for _, mark in person_marks),
            )
            for check, person_marks in sorted(by_check.items())
        ]


def without_exact_times(collected: Collected) -> Collected:
    """The answers with days (UTC) instead of times, for files that others may see.

    Panels tell researchers to the second when somebody began and ended: with exact times, and with keys,
    which hold the time at which they were made, answers could be matched to platform ids. For the same
    reason answers are sorted by person and no longer by arrival.
    """
    responses = [
        replace(
            response,
            key=_dayless(response),
            client_time=_day(response.client_time),
            server_time=_day(response.server_time),
        )
        for response in collected.responses
    ]
    people = [
        replace(
            person,
            started=_day(person.started),
            ended=None if person.ended is None else _day(person.ended),
        )
        for person in collected.people
    ]
    ordered = sorted(responses, key=lambda response: response.person)
    closed = None if collected.closed is None else _day(collected.closed)
    return replace(
        collected,
        people=tuple(people),
        responses=tuple(ordered),
        opened=_day(collected.opened),
        closed=closed,
    )


def _dayless(response: Response) -> str:
    """A key that does not hold the time; that of an answer which was stored without one stays as it is."""
    day = _day(response.server_time)
    return response.key if response.server_time == day else derived_key(day, response.key)


def _day(milliseconds: int) -> int:
    """The beginning of the day (UTC) of a time."""
    return milliseconds - milliseconds % DAY


def collect(session: Session, study: int, *, bots: bool = False) -> Collected:
    """Read a whole study without answers that were replaced or withdrawn, and without bots unless asked."""
    row = session.get_one(StudyRow, study)
    who = Person.study_id == study
    out = set() if bots else set(session.scalars(select(Person.id).where(who, Person.bot)))
    # Rows of columns in place of objects: half the time, where there are tens of thousands.
    columns = select(Answer.__table__).where(Answer.study_id == study).order_by(Answer.number)
    rows = cast("Iterable[Answer]", session.execute(columns))
    answers = [answer for answer in rows if answer.person_id not in out]
    given = {
        assignment.id: (assignment, key)
        for assignment, key in session.execute(
            select(Assignment, ItemRow.key).join(ItemRow).where(Assignment.study_id == study)
        )
    }
    current = [answer for answer in latest(answers) if answer.value is not None]
    places = _item_places([given[a.assignment_id][0] for a in current if a.assignment_id])
    responses = tuple(_response(answer, given, places) for answer in current)
    form = form_of_study(session, study)
    about: dict[str, dict[str, Value]] = defaultdict(dict)
    for response in responses:
        if response.page == DEMOGRAPHICS_PAGE or _is_about_person(form, response):
            about[response.person][response.question] = response.value
    return Collected(
        name=row.name,
        form=form,
        people=tuple(p for p in _people(session, row, form, about) if p.id not in out),
        responses=responses,
        pages=tuple(page_times(e for e in _events(session, study) if e.person_id not in out)),
        marks={p: marks for p, marks in _marks(session, study).items() if p not in out},
        consents=tuple(
            GivenConsent(
                row.person_id,
                row.form_sha256,
                row.language,
                row.linked,
                date_of(row.time).date().isoformat(),
            )
            for row in consents_of(session, study)
            if row.person_id not in out
        ),
        demographics=tuple(unlinked_demographics(session, study, bots=bots)),
        erased=row.erased,
        waiting=waiting(session, study),
        opened=row.opened,
        closed=row.closed,
        bots_left_out=len(out),
    )


def _item_places(answered: Iterable[Assignment]) -> dict[int, int]:
    """Which of a person's items each was that has answers, in order of time; training apart."""
    of_person: dict[str, dict[int, int]] = defaultdict(dict)
    for assignment in answered:
        if assignment.round >= FIRST:
            of_person[assignment.person_id][assignment.id] = assignment.position
    return {
        number: place
        for positions in of_person.values()
        for place, number in enumerate(sorted(positions, key=positions.__getitem__), start=1)
    }


def _response(
    answer: Answer, given: Mapping[int, tuple[Assignment, str]], places: Mapping[int, int]
) -> Response:
    assignment, item = given.get(answer.assignment_id or 0, (None, ""))
    # SQLite gives whole numbers back as integers.
    value = float(answer.value) if isinstance(answer.value, int) else answer.value
    number, state = (assignment.round, assignment.state) if assignment else (FIRST, "")
    return Response(
        answer.person_id, answer.page, answer.question, value, answer.key, item, number,
        answer.assignment_id, state, answer.client_time, answer.server_time,
        replace(Shown.of(answer.shown), item=places.get(answer.assignment_id or 0)),
    )  # fmt: skip


def _is_about_person(form: Form, response: Response) -> bool:
    """Whether a response is an option that was chosen before the work."""
    question = form.question(response.page, response.question)
    is_start = (response.page, response.question) in {*form.start_questions}
    return is_start and question is not None and question.takes_one_option


def _people(
    session: Session, study: StudyRow, form: Form, about: Mapping[str, Mapping[str, Value]]
) -> Iterable[Participant]:
    # Not in order of arrival, which would tell who is who.
    rows = session.scalars(select(Person).where(Person.study_id == study.id).order_by(Person.id))
    for row in rows:
        started, code = row.consented or row.started, ""
        if row.outcome is not None:
            code = code_shown(form, row.outcome, secret=study.code, person=row.id)
        yield Participant(
            row.id, row.language, row.stratum, row.outcome, started, row.ended, about.get(row.id, {}),
            code, row.bot,
        )  # fmt: skip


def _events(session: Session, study: int) -> list[PageEvent]:
    events = select(PageEvent.__table__).where(PageEvent.study_id == study)
    rows = session.execute(events.order_by(PageEvent.client_time, PageEvent.number))
    return [*cast("Iterable[PageEvent]", rows)]


def page_times(events: Iterable[PageEvent]) -> Iterable[PageTime]:
    """How long each submitted screen was shown, from the last time that it came up.

    Args:
        events: In order of the clients' times.
    """
    shown: dict[tuple[str, str], int] = {}
    away: dict[tuple[str, str], int] = {}
    hidden: dict[tuple[str, str], int] = defaultdict(int)
    for event in events:
        at, time = (event.person_id, event.screen), event.client_time
        if event.kind == "shown":
            shown[at] = time
            hidden.pop(at, None)
            away.pop(at, None)
        elif event.kind == "hidden":
            away.setdefault(at, time)
        elif at in away:
            hidden[at] += time - away.pop(at)
        if event.kind == "submitted" and at in shown:
            seconds = (time - shown.pop(at)) / MILLI
            yield PageTime(*at, seconds, hidden.pop(at, 0) / MILLI, event.assignment_id)


def _marks(session: Session, study: int) -> dict[str, tuple[CheckResult, ...]]:
    by_person: dict[str, list[CheckResult]] = defaultdict(list)
    rows = select(Mark.__table__).where(Mark.study_id == study).order_by(Mark.id)
    for row in session.execute(rows):
        by_person[row.person_id].append(
            CheckResult(row.check, row.rule, row.flagged, row.value, row.detail, row.assignment_id)
        )
    return {person: tuple(several) for person, several in by_person.items()}
