"""How long a person may keep an item: leases are renewed while the person works, and end when it is done.

As in `survey.assign`, every function runs in the caller's transaction.
"""

from collections.abc import Collection, Sequence
from typing import Protocol, cast

from sqlalchemy import Table, bindparam, select, update
from sqlalchemy.orm import Session

from tiltmeter.survey.form import Form
from tiltmeter.survey.keys import now
from tiltmeter.survey.places import still_free
from tiltmeter.survey.store import lock_study
from tiltmeter.survey.tables import Assignment

MINUTE = 60_000
_GIVEN = Assignment.__table__.c
_LEASES = select(_GIVEN.id, _GIVEN.person_id, _GIVEN.state, _GIVEN.until).where(
    _GIVEN.id.in_(bindparam("numbers", expanding=True))
)
_FINISH = (
    update(cast("Table", Assignment.__table__))
    .where(_GIVEN.id == bindparam("number"), _GIVEN.state == "leased")
    .values(state="done", until=bindparam("at"))
)


class HeldLease(Protocol):
    """The part of an assignment that says how long it lasts."""

    id: int
    person_id: str
    state: str
    until: int


def runs_long(lease: HeldLease, *, form: Form, at: int) -> bool:
    """Whether a lease would last less than a minute longer if it were renewed."""
    return lease.state == "leased" and at + form.sampling.lease * MINUTE - lease.until < MINUTE


def leases(session: Session, assignments: Collection[int]) -> Sequence[HeldLease]:
    """Assignments of these numbers, as far as there are any."""
    if not assignments:
        return ()
    rows = session.execute(_LEASES, {"numbers": [*assignments]}).all()
    return cast("Sequence[HeldLease]", rows)


def renew_lease(session: Session, *, assignment: int, form: Form, at: int | None = None) -> bool:
    """Lengthen a lease while the person works; False where the place was given away."""
    at = now() if at is None else at
    row = session.get_one(Assignment, assignment)
    lock_study(session, row.study_id)
    session.refresh(row)
    if row.state == "expired" and not still_free(session, row, form.sampling):
        return False
    if row.state in {"expired", "leased"}:
        row.state, row.until = "leased", at + form.sampling.lease * MINUTE
        session.flush()
    return True


def expire(session: Session, *, study: int, at: int) -> int:
    """Take back items whose lease has run out; gives how many."""
    gone = session.execute(
        update(Assignment)
        .where(Assignment.study_id == study, Assignment.state == "leased", Assignment.until < at)
        .values(state="expired")
        .execution_options(synchronize_session="fetch")
    )
    return gone.rowcount  # type: ignore[attr-defined,no-any-return]


def finish_item(session: Session, *, assignment: int, form: Form, at: int | None = None) -> str:
    """Note that a person has answered everything about an item; gives the new state.

    It is "done", or "late" where the lease had expired and the place was given away.
    """
    at = now() if at is None else at
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
