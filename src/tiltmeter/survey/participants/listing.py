"""Who was it? People by their ids on the platform, with how they left, what the checks found and their pay.

The table is for those who pay people, and no part of an export of answers.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from sqlalchemy import select
from sqlalchemy.orm import Session

from tiltmeter.survey.accounts import note_action
from tiltmeter.survey.checks import TESTS
from tiltmeter.survey.collected import Collected
from tiltmeter.survey.formats.cells import Cell, as_csv
from tiltmeter.survey.keys import date_of
from tiltmeter.survey.outcomes import OUTCOMES, Outcome, words_of
from tiltmeter.survey.participants.pay import PayReport, PersonPay, pay_report, seconds_worked
from tiltmeter.survey.schema import Person, PlatformIdentity

MINUTE = 60
COLUMNS = (
    "platform", "id", "submission", "person", "outcome", "started", "ended", "minutes", "answers",
    "checks_failed", "marks", "code", "amount", "bonus",
)  # fmt: skip
"""The columns of the table; those of a panel's own data come after them."""
SUBMISSIONS = {"prolific": "SESSION_ID", "mturk": "assignmentId", "cloudresearch": "assignmentId"}
"""The raw id of a submission by platform, where it has one."""


@dataclass(frozen=True, slots=True)
class PlatformIds:
    """What a platform calls a person."""

    platform: str
    raw: Mapping[str, str]
    """All raw ids; the first is the person's, the others are of the submission and the study."""

    @property
    def id(self) -> str:
        """The id of the person on the platform."""
        return next(iter(self.raw.values()), "")

    @property
    def submission(self) -> str:
        """The id of this person's submission; "" where the platform has none."""
        return self.raw.get(SUBMISSIONS.get(self.platform, ""), "")


NOBODY = PlatformIds("", {})


@dataclass(frozen=True, slots=True)
class ListedPerson:
    """One row: a person who came to take part."""

    person: str
    """The random id, as in exports."""
    outcome: Outcome | None
    started: int
    """In milliseconds since 1970."""
    ended: int | None
    minutes: float
    """On all screens, without the time in other tabs."""
    answers: int
    checks_failed: int
    """How many questions of tests (`checks.TESTS`) were answered wrongly."""
    marks: tuple[str, ...]
    """The checks that flagged an answer, or the person."""
    code: str
    """The code on the last page; "" where there was none."""
    pay: PersonPay | None
    """None where the form does not say what is paid, or the person is under way."""
    ids: PlatformIds = NOBODY
    """`NOBODY` for people who came without one, and where ids are not shown or erased."""
    panel: Mapping[str, str] = field(default_factory=dict)
    """What the panel itself says of the person."""


@dataclass(frozen=True, slots=True)
class ListedPeople:
    """Everybody who came to take part in a study, in the order of random ids."""

    study: str
    people: tuple[ListedPerson, ...]
    currency: str = ""
    panel_columns: tuple[str, ...] = ()

    @property
    def by_outcome(self) -> Mapping[str, int]:
        """How many people have each outcome, in words; who has none is under way."""
        counts = Counter(person.outcome for person in self.people)
        ordered: Sequence[Outcome | None] = (*OUTCOMES, None)
        return {words_of(outcome): counts[outcome] for outcome in ordered if counts[outcome]}

    @property
    def with_ids(self) -> int:
        """How many have an id of a platform."""
        return sum(bool(person.ids.id) for person in self.people)


def list_people(
    session: Session, collected: Collected, *, ids: bool, report: PayReport | None = None
) -> ListedPeople:
    """Everybody of a study.

    Args:
        session: Of the database from which it was collected.
        collected: The study, with marks.
        report: What people are owed, by default as the form says.
        ids: Whether to read the platform ids; note that in the audit log (`note_listing`).
    """
    answers = Counter(response.person for response in collected.responses)
    seconds = seconds_worked(collected)
    form = collected.form
    if report is None and form.pay is not None:
        report = pay_report(collected)
    paid = {owed.person: owed for owed in report.people} if report else {}
    known = platform_ids_of(session, [person.id for person in collected.people]) if ids else {}
    people = tuple(
        ListedPerson(
            person=person.id,
            outcome=person.outcome,
            started=person.started,
            ended=person.ended,
            minutes=seconds[person.id] / MINUTE,
            answers=answers[person.id],
            checks_failed=sum(
                mark.flagged and mark.check in TESTS for mark in collected.marks.get(person.id, ())
            ),
            marks=tuple(sorted(collected.flags_of(person.id))),
            code=person.code,
            pay=paid.get(person.id),
            ids=known.get(person.id, NOBODY),
        )
        for person in collected.people
    )
    return ListedPeople(collected.name, people, form.pay.currency if form.pay else "")


def platform_ids_of(session: Session, people: Iterable[str]) -> dict[str, PlatformIds]:
    """The ids on the platform, by random id, of people who have any."""
    wanted = {*people}
    rows = session.scalars(select(PlatformIdentity).join(Person))
    return {
        row.person_id: PlatformIds(row.platform, row.raw) for row in rows if row.person_id in wanted
    }


def note_listing(session: Session, listed: ListedPeople, what: str, *, actor: str) -> None:
    """Note in the audit log that somebody saw platform ids: of how many people, and for what."""
    detail = f"{listed.study} ({what}: {listed.with_ids})"
    note_action(session, actor=actor, action="show platform ids", detail=detail)


def people_csv(listed: ListedPeople) -> str:
    """The table as CSV."""
    return as_csv((*COLUMNS, *listed.panel_columns), map(cells, listed.people))


def cells(person: ListedPerson) -> dict[str, Cell]:
    """A person as a row of the table; times are UTC, and money has two decimals."""
    pay = person.pay
    return {
        "platform": person.ids.platform, "id": person.ids.id, "submission": person.ids.submission,
        "person": person.person, "outcome": words_of(person.outcome),
        "started": _time(person.started), "ended": _time(person.ended),
        "minutes": round(person.minutes, 2), "answers": float(person.answers),
        "checks_failed": float(person.checks_failed), "marks": " ".join(person.marks),
        "code": person.code,
        "amount": str(pay.amount) if pay else None, "bonus": str(pay.bonus) if pay else None,
        **person.panel,
    }  # fmt: skip


def as_object(person: ListedPerson) -> dict[str, object]:
    """A person as an object for JSON, with lists where the table has texts."""
    return {
        **cells(person), "answers": person.answers,
        "checks_failed": person.checks_failed, "marks": list(person.marks),
    }  # fmt: skip


def _time(milliseconds: int | None) -> str:
    return date_of(milliseconds).strftime("%Y-%m-%dT%H:%M:%SZ") if milliseconds else ""
