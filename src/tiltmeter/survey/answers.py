"""Answers and page events: stored once, never changed, and only ever under the person who gave them.

They come under keys that their clients made. An answer that no longer counts stays stored: an entry without
a value replaces it, and exports leave both out.
"""

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Annotated, Any, TypeAlias, cast

from pydantic import Field
from sqlalchemy import Table, bindparam, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from tiltmeter.core.errors import BadInput
from tiltmeter.survey import flow
from tiltmeter.survey.form import CHECK_PAGE, DEMOGRAPHICS_PAGE, FAMILIAR_PAGE, Form
from tiltmeter.survey.keys import checked_key, new_key, now
from tiltmeter.survey.order.person_order import PersonOrder, Shown, Turn
from tiltmeter.survey.people_answers import answers_about, given
from tiltmeter.survey.persons import Respondent, respondent
from tiltmeter.survey.places import HeldLease, finish_item, keep_alive, leases, retake
from tiltmeter.survey.question import FormQuestion
from tiltmeter.survey.schema import Answer, Assignment, PageEvent, StudyRow

EVENTS = ("shown", "hidden", "visible", "submitted")
"""What can happen to a screen."""
Short: TypeAlias = Annotated[str, Field(max_length=500)]
Whole: TypeAlias = Annotated[int, Field(ge=0, lt=2**53)]  # exact in a browser
ClientTime: TypeAlias = Annotated[Whole, Field(alias="time")]
NewRow: TypeAlias = Mapping[str, Any]
"""Columns of a row, by name."""
_SECRET = select(StudyRow.code).where(StudyRow.id == bindparam("study"))


@dataclass(frozen=True, slots=True)
class NewAnswer:
    """An answer as a client sends it."""

    key: Short
    """A UUIDv7 that the client made for this answer; sending it again stores nothing new."""
    page: Short
    question: Short
    value: object
    """None withdraws the answer that it supersedes."""
    client_time: ClientTime
    assignment: Whole | None = None
    supersedes: Short | None = None

    @property
    def withdraws(self) -> bool:
        """Whether it takes an earlier answer back."""
        return self.value is None and self.supersedes is not None

    @property
    def screen(self) -> str:
        """The screen on which it was given, as `flow.Screen.key`."""
        names = [self.page, self.question] if self.page == CHECK_PAGE else [self.page]
        return ".".join([*names, *([] if self.assignment is None else [str(self.assignment)])])


@dataclass(frozen=True, slots=True)
class NewEvent:
    """A page event as a client sends it."""

    key: Short
    screen: Short
    kind: Short
    client_time: ClientTime
    assignment: Whole | None = None


def save_answers(
    session: Session,
    sent: Sequence[tuple[Respondent, NewAnswer]],
    *,
    form: Form,
    at: int | None = None,
    shown: Mapping[str, Shown] | None = None,
) -> list[str]:
    """Store answers of people of one study, and lengthen the leases of their items.

    There are few statements for many answers.

    Args:
        session: The database's.
        sent: Answers, each with its person.
        form: The study's.
        at: The server's time, for tests.
        shown: Where and how questions were shown, by the keys of answers that were given elsewhere; None for
            answers to the study's own pages, of which it is known.

    Returns:
        The keys that are stored now.

    Raises:
        BadInput: No such question or assignment of this person, no answer to it, no consent, or a key that
            stands for another answer. Then none of them is stored.
    """
    at = now() if at is None else at
    if not sent:
        return []
    held = _own(session, [(person.id, answer.assignment) for person, answer in sent])
    by_number, orders = {lease.id: lease for lease in held}, _orders(session, sent, form)
    rows = []
    for person, answer in sent:
        if person.consented is None:
            raise BadInput("answers came before consent", "agree to take part first")
        question = _question(form, answer)
        if answer.page == DEMOGRAPHICS_PAGE and not (form.demographics.linked and person.linked):
            raise BadInput("these answers are stored apart from the others", "reload the page")
        rows.append(_columns(person, answer, at) | {
            "page": answer.page, "question": answer.question,
            "value": None if answer.withdraws else question.checked(answer.value),
            "supersedes": checked_key(answer.supersedes) if answer.supersedes else None,
            "shown": shown.get(answer.key, Shown()).stored() if shown is not None else _shown(
                form, orders[person.id], answer, by_number.get(answer.assignment or 0)
            ),
        })  # fmt: skip
    _store(session, Answer, rows)
    people = {person.id: person for person, _ in sent}
    for lease in held:
        if lease.state == "expired" and people[lease.person_id].outcome in {None, "timed_out"}:
            retake(session, session.get_one(Assignment, lease.id), form=form, at=at)
    keep_alive(session, people.values(), form=form, at=at)
    return [checked_key(answer.key) for _, answer in sent]


def save_events(session: Session, sent: Sequence[tuple[Respondent, NewEvent]]) -> list[str]:
    """Store page events of people, each key once; gives the keys that are stored now.

    Raises:
        BadInput: Another kind of event, or an assignment of someone else.
    """
    if not sent:
        return []
    _own(session, [(person.id, event.assignment) for person, event in sent])
    rows = []
    for person, event in sent:
        if event.kind not in EVENTS:
            raise BadInput(f"{event.kind!r} is no page event", f"known: {', '.join(EVENTS)}")
        rows.append(_columns(person, event, now()) | {"screen": event.screen, "kind": event.kind})
    _store(session, PageEvent, rows)
    return [checked_key(event.key) for _, event in sent]


def _columns(person: Respondent, sent: NewAnswer | NewEvent, at: int) -> dict[str, Any]:
    return {
        "key": checked_key(sent.key), "study_id": person.study_id, "person_id": person.id,
        "assignment_id": sent.assignment, "client_time": sent.client_time, "server_time": at,
    }  # fmt: skip


def _store(session: Session, kind: type[Answer | PageEvent], sent: Iterable[NewRow]) -> None:
    """Store those rows whose keys are new, and leave the others as they are.

    Raises:
        BadInput: A key stands for something else.
    """
    rows: dict[str, NewRow] = {}
    for row in sent:
        _check_same(kind, rows.setdefault(row["key"], row), row)
    table = cast("Table", kind.__table__)
    insert = postgresql.insert if session.get_bind().dialect.name == "postgresql" else sqlite.insert
    new = insert(table).on_conflict_do_nothing(index_elements=[table.c.key]).returning(table.c.key)
    if len(session.execute(new, [dict(row) for row in rows.values()]).all()) == len(rows):
        return
    stored = select(table).where(table.c.key.in_(bindparam("keys", expanding=True)))
    for there in session.execute(stored, {"keys": [*rows]}).mappings():
        _check_same(kind, dict(there), rows[there["key"]])


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

    The last screen of an item finishes the item. `about` are all screens about the same item (or all outside
    items), `answered` at least the answers there, `before` the screens that the person has submitted, and
    `events` tell when the browser showed this one and when it was sent.
    """
    missing = flow.missing(screen, answered)
    who = respondent(session, person)
    save_events(session, [(who, event) for event in (events[:1] if missing else events)])
    keep_alive(session, [who], form=form)
    if not missing and screen.assignment is not None and not screen.check:
        rest = [other for other in about if not other.check]
        if flow.next_screen(rest, answered, {*before, screen.key}) is None:
            finish_item(session, assignment=screen.assignment, form=form)
    return missing


def withdraw_answers(
    session: Session,
    *,
    person: str,
    form: Form,
    screens: Sequence[flow.Screen],
    cleared: Sequence[flow.Place],
    at: int,
) -> list[str]:
    """Withdraw answers about an item that were cleared, and those that are not asked for any more.

    The latter include answers on later pages about the same item: no condition reaches further. `screens` are
    all about one item, or all outside items; `at` is the time by the person's clock.

    Returns:
        The keys of the withdrawals.
    """
    if not cleared and not any(screen.page.conditional for screen in screens):
        return []
    assignment = screens[0].assignment
    rows = answers_about(session, person, assignment)
    keys = {(row.page, row.question): row.key for row in rows}
    left = {place: value for place, value in given(rows).items() if place not in cleared}
    who = respondent(session, person)
    withdrawn = [
        (who, NewAnswer(new_key(), page, question, None, at, assignment, keys[page, question]))
        for _, page, question in (*cleared, *flow.unasked(screens, left))
    ]
    return save_answers(session, withdrawn, form=form)


# ---- Where and how questions were shown


def _orders(
    session: Session, sent: Sequence[tuple[Respondent, NewAnswer]], form: Form
) -> dict[str, PersonOrder]:
    """The orders in which people see the form, by person; all are of one study."""
    secret = session.scalars(_SECRET, {"study": sent[0][0].study_id}).one()
    return {person.id: PersonOrder(form.order, secret, person.number or 0) for person, _ in sent}


def _shown(
    form: Form, order: PersonOrder, answer: NewAnswer, lease: HeldLease | None
) -> NewRow | None:
    page = form.page(answer.page) or flow.own_page(form, answer.page)
    asked = [] if page is None else [q for q in page.questions if q.name == answer.question]
    if page is None or not asked:  # a test question: never in another order
        return None
    turn = None if lease is None else Turn(lease.item_id, lease.turn)
    return order.shown(page, asked[0], pages=form.part("item"), turn=turn).stored()


# ---- Checks of what a client sends


def _question(form: Form, answer: NewAnswer) -> FormQuestion:
    if (answer.page, answer.question) == (FAMILIAR_PAGE, FAMILIAR_PAGE) and form.sampling.familiar:
        return flow.familiar_page(form).questions[0]
    question = form.question(answer.page, answer.question)
    page = form.page(answer.page)
    of_item = answer.page == CHECK_PAGE or (page is not None and page.part in {"item", "training"})
    if page is not None and page.part == "screening":
        question = None  # it is asked before the consent, and never stored
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


def _check_same(kind: type[Answer | PageEvent], stored: NewRow, sent: NewRow) -> None:
    """Refuse a key that stands for another answer, or under which somebody else has stored an event."""
    same, why, what = (
        (("person_id", "assignment_id", "page", "question", "value"), "stands for another answer", "answer")
        if kind is Answer else (("person_id",), "is taken", "event")
    )  # fmt: skip
    if any(stored[name] != sent[name] for name in same):
        raise BadInput(f"the key {sent['key']} {why}", f"make a new key for every {what}")
