"""Handing out items: k to everybody, the rest to so many people each, and nobody gets one twice.

Every function runs in the caller's transaction, which holds the only right to hand out items of the
study. An item that is not finished within the lease is given to someone else; answers that come late
are kept and marked as late.
"""

import random
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Protocol

from sqlalchemy import Select, func, select, update
from sqlalchemy.orm import Session

from tiltmeter.core.errors import BadInput
from tiltmeter.survey.flow import FIRST, REPEAT, TRAINING, Assigned
from tiltmeter.survey.form import Form, Sampling
from tiltmeter.survey.keys import now
from tiltmeter.survey.store import lock_study
from tiltmeter.survey.studies import item_of
from tiltmeter.survey.tables import Assignment, ItemRow, Person

HELD = ("leased", "done")
"""States that take up a place."""
MINUTE = 60_000


class ItemOrder(Protocol):
    """Decides item by item what is asked next, such as a strategy of active learning.

    It is asked within the transaction that hands out items, so it should answer at once.
    """

    @property
    def each(self) -> int:
        """Items per person, instead of the form's number; 0 for all."""

    def keys(self) -> Sequence[str]:
        """Keys of the items that may be given now, the most wanted first."""

    def gave(self, assignment: int, item: str) -> None:
        """Note that somebody was given the item of this key."""


def assigned_to(session: Session, person: str, *, expired: bool = False) -> list[Assigned]:
    """The items that a person was given, in order.

    Args:
        session: Of the database.
        person: Who has them.
        expired: Also those whose lease has run out.
    """
    states = ("leased", "done", "late", *(["expired"] if expired else []))
    rows = session.execute(
        select(Assignment, ItemRow)
        .join(ItemRow)
        .where(Assignment.person_id == person, Assignment.state.in_(states))
        .order_by(Assignment.position)
    )
    return [Assigned(row.id, item_of(item), row.round) for row, item in rows]


def lease_items(
    session: Session,
    *,
    person: str,
    form: Form,
    count: int | None = None,
    among: Collection[str] | None = None,
    order: ItemOrder | None = None,
    at: int | None = None,
) -> list[Assigned]:
    """Give a person items up to the form's number, training items and common items first.

    Asked again, it gives what is still missing; so it is safe to repeat.

    Args:
        session: Of the database.
        person: Who gets them.
        form: Of their study.
        count: Real and test items that the person should have now; by default those of the form or order.
        among: Keys of the items to choose from, such as those marked as familiar; None for all.
        order: Gives one item more at a time, the most wanted that the person has not had.
        at: The time, for tests.

    Returns:
        All items of the person, in order. Fewer than `count` where there are no more places.
    """
    at = now() if at is None else at
    row = session.get_one(Person, person)
    lock_study(session, row.study_id)
    expire(session, study=row.study_id, at=at)
    items = session.scalars(
        select(ItemRow).where(ItemRow.study_id == row.study_id).order_by(ItemRow.id)
    ).all()
    own = {a.item_id: a for a in session.scalars(_of_person(person)) if a.round != REPEAT}
    handing = _Handing(session, row, form.sampling, at)
    for item in items:
        if item.kind == "training" and item.id not in own:
            handing.out(item, TRAINING)
    usual = form.sampling.each if order is None else order.each
    wanted = usual if count is None else count
    have = sum(a.round == FIRST and a.state != "expired" for a in own.values())
    free = [i for i in items if i.kind != "training" and i.id not in own]
    free = [i for i in free if i.common or among is None or i.key in among]
    if order is not None:
        if not wanted or have < wanted:
            handing.most_wanted(free, order)
        session.flush()
        return assigned_to(session, person)
    missing = (wanted or have + len(free)) - have
    if missing > 0:
        for item in _chosen(session, free, row, form.sampling, missing):
            handing.out(item, FIRST)
    session.flush()
    return assigned_to(session, person)


def repeat_items(
    session: Session, *, person: str, form: Form, at: int | None = None
) -> list[Assigned]:
    """Give a person, once, some finished items again, for agreement with themselves."""
    at = now() if at is None else at
    row = session.get_one(Person, person)
    lock_study(session, row.study_id)
    own = session.scalars(_of_person(person)).all()
    have = sum(a.round == REPEAT for a in own)
    done = [a for a in own if a.round == FIRST and a.state in {"done", "late"}]
    repeated = {a.item_id for a in own if a.round == REPEAT}
    free = [a for a in done if a.item_id not in repeated]
    wanted = (form.repeat.items if form.repeat else 0) - have
    handing = _Handing(session, row, form.sampling, at)
    for assignment in random.Random(person).sample(free, min(max(wanted, 0), len(free))):  # noqa: S311
        handing.out(session.get_one(ItemRow, assignment.item_id), REPEAT)
    session.flush()
    return assigned_to(session, person)


def finish_item(session: Session, *, assignment: int, form: Form, at: int | None = None) -> str:
    """Note that a person has answered everything about an item; gives the new state.

    It is "done", or "late" where the lease had expired and the place was given away.
    """
    at = now() if at is None else at
    row = session.get_one(Assignment, assignment)
    lock_study(session, row.study_id)
    if row.state in {"done", "late"}:
        return row.state
    row.state = "done" if row.state == "leased" or _free(session, row, form.sampling) else "late"
    row.until = at
    session.flush()
    return row.state


def renew_lease(session: Session, *, assignment: int, form: Form, at: int | None = None) -> bool:
    """Lengthen a lease while the person works; False where the place was given away."""
    at = now() if at is None else at
    row = session.get_one(Assignment, assignment)
    until = at + form.sampling.lease * MINUTE
    if row.state == "leased" and until - row.until < MINUTE:
        return True  # so that most answers neither wait for the lock nor write here
    lock_study(session, row.study_id)
    session.refresh(row)
    if row.state == "expired" and not _free(session, row, form.sampling):
        return False
    if row.state in {"expired", "leased"}:
        row.state, row.until = "leased", until
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


@dataclass(frozen=True, slots=True)
class _Handing:
    """Gives items to one person."""

    session: Session
    person: Person
    sampling: Sampling
    at: int

    def most_wanted(self, free: Sequence[ItemRow], order: ItemOrder) -> None:
        """Give the first item of the order that the person may have, if there is one."""
        study, stratum = self.person.study_id, self.person.stratum
        taken, own = _taken(self.session, study), _taken(self.session, study, stratum)
        by_key = {
            item.key: item
            for item in free
            if item.common or _has_place(taken[item.id], own[item.id], stratum, self.sampling)
        }
        key = next((key for key in order.keys() if key in by_key), None)  # noqa: SIM118 (no mapping)
        if key is not None:
            order.gave(self.out(by_key[key], FIRST), key)

    def out(self, item: ItemRow, number: int) -> int:
        """Give one item in a round; the number of the assignment."""
        last = self.session.scalar(
            select(func.max(Assignment.position)).where(Assignment.person_id == self.person.id)
        )
        assignment = Assignment(
            study_id=self.person.study_id, item_id=item.id, person_id=self.person.id,
            stratum=self.person.stratum, round=number, position=(last or 0) + 1, state="leased",
            until=self.at + self.sampling.lease * MINUTE,
        )  # fmt: skip
        self.session.add(assignment)
        self.session.flush()
        return assignment.id


def _of_person(person: str) -> Select[Assignment]:
    return select(Assignment).where(Assignment.person_id == person).order_by(Assignment.position)


def _chosen(
    session: Session, free: Sequence[ItemRow], person: Person, sampling: Sampling, count: int
) -> list[ItemRow]:
    """Common items, then those that fewest people have; ties at random; mixed before they are shown."""
    rng = random.Random(person.id)  # noqa: S311 no secret: the order of items
    if sampling.quotas and person.stratum not in sampling.quotas:
        known = ", ".join(sampling.quotas)
        raise BadInput(f"there are no places for {person.stratum!r}", f"quotas are for {known}")
    taken, own = _taken(session, person.study_id), _taken(session, person.study_id, person.stratum)
    open_items = [
        item
        for item in free
        if not item.common and _has_place(taken[item.id], own[item.id], person.stratum, sampling)
    ]
    rng.shuffle(open_items)
    open_items.sort(key=lambda item: taken[item.id])
    chosen = [item for item in free if item.common][:count]
    chosen += open_items[: count - len(chosen)]
    rng.shuffle(chosen)
    return chosen


def _taken(session: Session, study: int, stratum: str | None = None) -> Counter[int]:
    """By item, how many people have it, of all strata or of one."""
    held = (
        select(Assignment.item_id, func.count())
        .where(
            Assignment.study_id == study,
            Assignment.round == FIRST,
            Assignment.state.in_(HELD),
        )
        .group_by(Assignment.item_id)
    )
    if stratum is not None:
        held = held.where(Assignment.stratum == stratum)
    return Counter(dict(session.execute(held).all()))


def _has_place(taken: int, of_stratum: int, stratum: str, sampling: Sampling) -> bool:
    """Whether one more person may have an item, of which so many people have it already."""
    if sampling.votes and taken >= sampling.votes:
        return False
    return not sampling.quotas or of_stratum < sampling.quotas.get(stratum, 0)


def _free(session: Session, row: Assignment, sampling: Sampling) -> bool:
    """Whether an expired assignment still has its place."""
    if row.round != FIRST or session.get_one(ItemRow, row.item_id).common:
        return True
    taken = _taken(session, row.study_id)[row.item_id]
    own = _taken(session, row.study_id, row.stratum)[row.item_id]
    return _has_place(taken, own, row.stratum, sampling)
