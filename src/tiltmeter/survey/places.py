"""The places of items: who has finished one or is working on it, who may still have it, and for how long.

A lease is renewed while the person works, and ends when the item is done. As in `survey.assign`, every
function runs in the caller's transaction.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias, cast

from sqlalchemy import Table, bindparam, func, select, update
from sqlalchemy.orm import Session

from tiltmeter.survey.flow import FIRST
from tiltmeter.survey.form import Form, Sampling
from tiltmeter.survey.keys import now
from tiltmeter.survey.persons import Respondent
from tiltmeter.survey.schema import Assignment, ItemRow, Person
from tiltmeter.survey.store import lock_study

HELD = ("leased", "done")
"""States that take up a place: who was late has lost it to somebody else."""


@dataclass(frozen=True, slots=True)
class ItemPlaces:
    """The people who have one item."""

    item: str
    kind: str
    common: bool
    """Whether everybody gets it."""
    done: Mapping[str, int]
    """People who have finished it, by stratum; also those who finished late."""
    working: Mapping[str, int]
    """People whose lease runs, by stratum."""

    @property
    def people(self) -> int:
        """Who have finished it, of all strata."""
        return sum(self.done.values())

    def is_short(self, sampling: Sampling) -> bool:
        """Whether fewer people than wanted have finished it, in all or in a stratum."""
        if self.people < (sampling.votes or 1):
            return True
        return any(self.done.get(name, 0) < wanted for name, wanted in sampling.quotas.items())


def filled_places(session: Session, study: int) -> list[ItemPlaces]:
    """The places of every item of a study but training items, in the order of the form; without bots."""
    counted = session.execute(
        select(Assignment.item_id, Assignment.stratum, Assignment.state, func.count())
        .where(Assignment.study_id == study, Assignment.round == FIRST, ~Assignment.bot)
        .group_by(Assignment.item_id, Assignment.stratum, Assignment.state)
    )
    done: dict[int, Counter[str]] = defaultdict(Counter)
    working: dict[int, Counter[str]] = defaultdict(Counter)
    for item, stratum, state, count in counted:
        if state in {"done", "late"}:
            done[item][stratum] += count
        elif state == "leased":
            working[item][stratum] += count
    rows = session.scalars(
        select(ItemRow)
        .where(ItemRow.study_id == study, ItemRow.kind != "training")
        .order_by(ItemRow.id)
    )
    return [
        ItemPlaces(row.key, row.kind, row.common, done[row.id], working[row.id]) for row in rows
    ]


def taken_places(
    session: Session, study: int, stratum: str | None = None, *, bot: bool = False
) -> Counter[int]:
    """By item, how many people have it, of all strata or of one; or how many bots."""
    held = (
        select(Assignment.item_id, func.count())
        .where(Assignment.study_id == study, Assignment.round == FIRST, Assignment.state.in_(HELD))
        .where(Assignment.bot.is_(bot))
        .group_by(Assignment.item_id)
    )
    if stratum is not None:
        held = held.where(Assignment.stratum == stratum)
    return Counter(dict(session.execute(held).all()))


def has_place(taken: int, of_stratum: int, stratum: str, sampling: Sampling) -> bool:
    """Whether one more person may have an item, of which so many people have it already."""
    if sampling.votes and taken >= sampling.votes:
        return False
    return not sampling.quotas or of_stratum < sampling.quotas.get(stratum, 0)


def still_free(session: Session, row: Assignment, sampling: Sampling) -> bool:
    """Whether an expired assignment still has its place."""
    if row.round != FIRST or session.get_one(ItemRow, row.item_id).common:
        return True
    taken = taken_places(session, row.study_id, bot=row.bot)[row.item_id]
    in_stratum = taken_places(session, row.study_id, row.stratum, bot=row.bot)[row.item_id]
    return has_place(taken, in_stratum, row.stratum, sampling)


# ---- Leases

MINUTE = 60_000
_GIVEN = Assignment.__table__.c
_LEASES = select(
    _GIVEN.id, _GIVEN.person_id, _GIVEN.state, _GIVEN.until, _GIVEN.item_id, _GIVEN.turn
).where(_GIVEN.id.in_(bindparam("numbers", expanding=True)))
_EXPIRED = (
    select(_GIVEN.id)
    .where(
        _GIVEN.study_id == bindparam("study"),
        _GIVEN.state == "leased",
        _GIVEN.until < bindparam("at"),
    )
    .limit(1)
)
_FINISH = (
    update(cast("Table", Assignment.__table__))
    .where(_GIVEN.id == bindparam("number"), _GIVEN.state == "leased")
    .values(state="done", until=bindparam("at"))
)

_PERSON = Person.__table__.c
_SEEN = (
    update(cast("Table", Person.__table__))
    .where(
        _PERSON.id.in_(bindparam("people", expanding=True)),
        _PERSON.outcome.is_(None) | (_PERSON.outcome == "timed_out"),
    )
    .values(seen=bindparam("at"), outcome=None, ended=None)
)
_RENEW = (
    update(cast("Table", Assignment.__table__))
    .where(_GIVEN.person_id.in_(bindparam("people", expanding=True)), _GIVEN.state == "leased")
    .values(until=bindparam("new"))
)

HeldLease: TypeAlias = Assignment
"""The part of an assignment that says how long it lasts, and its turn: a row of `_LEASES`."""


def keep_alive(
    session: Session, people: Collection[Respondent], *, form: Form, at: int | None = None
) -> None:
    """Note that people are there, and lengthen the leases of all their items; at most once a minute.

    Who had been away for too long is under way again.
    """
    at = now() if at is None else at
    stale = {p.id for p in people if p.outcome in {None, "timed_out"} and at - p.seen >= MINUTE}
    if not stale:  # as nearly always: most answers do not wait for the lock
        return
    lock_study(session, next(iter(people)).study_id)
    session.execute(_SEEN, {"people": [*stale], "at": at})
    until = at + form.sampling.lease * MINUTE
    session.execute(_RENEW, {"people": [*stale], "new": until})
    session.expire_all()


def give_back(session: Session, people: Collection[str], *, finished: bool = False) -> None:
    """End leases of people, so that others are given the items; or their places in `finished` items too."""
    of_people = Assignment.person_id.in_(people)
    changes: list[tuple[str, dict[str, str | int]]]
    changes = [("leased", {"state": "expired", "until": now()})]
    changes += [("done", {"state": "late"})] if finished else []
    for held, after in changes:
        session.execute(
            update(Assignment)
            .where(of_people, Assignment.state == held)
            .values(after)
            .execution_options(synchronize_session="fetch")
        )


def leases(session: Session, assignments: Collection[int]) -> Sequence[HeldLease]:
    """Assignments of these numbers, as far as there are any."""
    if not assignments:
        return ()
    rows = session.execute(_LEASES, {"numbers": [*assignments]}).all()
    return cast("Sequence[HeldLease]", rows)


def retake(session: Session, row: Assignment, *, form: Form, at: int) -> bool:
    """Lease an expired item to the same person again; False where the place was given away."""
    lock_study(session, row.study_id)
    session.refresh(row)
    if row.state == "expired" and still_free(session, row, form.sampling):
        row.state, row.until = "leased", at + form.sampling.lease * MINUTE
        session.flush()
    return row.state == "leased"


def expire(session: Session, *, study: int, at: int) -> int:
    """Take back items whose lease has run out; gives how many."""
    # Everybody who begins comes here, and an UPDATE that keeps loaded objects up to date costs far more.
    if session.execute(_EXPIRED, {"study": study, "at": at}).first() is None:
        return 0
    gone = session.execute(
        update(Assignment)
        .where(Assignment.study_id == study, Assignment.state == "leased", Assignment.until < at)
        .values(state="expired")
        .execution_options(synchronize_session="fetch")
    )
    return gone.rowcount  # type: ignore[attr-defined,no-any-return]


def finish_item(session: Session, *, assignment: int, form: Form) -> str:
    """Note that a person has answered everything about an item; gives the new state.

    It is "done", or "late" where the lease had expired and the place was given away.
    """
    at = now()
    if session.execute(_FINISH, {"number": assignment, "at": at}).rowcount:  # type: ignore[attr-defined]
        return "done"  # as nearly always: the place stays taken, so the lock is not needed
    row = session.get_one(Assignment, assignment)
    lock_study(session, row.study_id)
    session.refresh(row)
    if row.state not in {"done", "late"}:
        row.state = "done" if still_free(session, row, form.sampling) else "late"
        row.until = at
        session.flush()
    return row.state
