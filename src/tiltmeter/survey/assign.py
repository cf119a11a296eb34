"""Handing out items: k to everybody, the rest to so many people each, and nobody gets one twice.

Every function runs in the caller's transaction, which holds the only right to hand out items of the
study. An item that is not finished within the lease is given to someone else; answers that come late
are kept and marked as late.
"""

import math
import random
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias, cast

from sqlalchemy import Select, bindparam, func, select
from sqlalchemy.orm import Session

from tiltmeter.core.errors import BadInput
from tiltmeter.survey.answer_quotas import admit, all_full
from tiltmeter.survey.flow import FIRST, REPEAT, TRAINING, Assigned
from tiltmeter.survey.form import Form, Sampling
from tiltmeter.survey.keys import now
from tiltmeter.survey.order.person_order import Turn
from tiltmeter.survey.places import HELD, MINUTE, expire, has_place, retake, taken_places
from tiltmeter.survey.schema import Assignment, ItemRow, Person, StudyRow
from tiltmeter.survey.store import lock_study
from tiltmeter.survey.studies import item_of


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


_GIVEN = Assignment.__table__.c
_ITEM = ItemRow.__table__.c
_ASSIGNED = (
    select(
        _GIVEN.id.label("assignment"), _GIVEN.round, _GIVEN.turn, _GIVEN.item_id, _ITEM.key,
        _ITEM.kind, _ITEM.common, _ITEM.stratum, _ITEM.content,
    )
    .join_from(Assignment.__table__, ItemRow.__table__)
    .where(
        _GIVEN.person_id == bindparam("person"),
        _GIVEN.state.in_(bindparam("states", expanding=True)),
    )
    .order_by(_GIVEN.position)
)  # fmt: skip


AnyItem: TypeAlias = ItemRow
"""An item without its texts: a row of `_ITEMS`. Everybody who begins goes through all items."""
_ITEMS = (
    select(_ITEM.id, _ITEM.key, _ITEM.kind, _ITEM.common, _ITEM.stratum)
    .where(_ITEM.study_id == bindparam("study"))
    .order_by(_ITEM.id)
)


def _items(session: Session, study: int) -> Sequence[AnyItem]:
    return cast("Sequence[AnyItem]", session.execute(_ITEMS, {"study": study}).all())


def assigned_to(session: Session, person: str, *, expired: bool = False) -> list[Assigned]:
    """The items that a person was given, in order; if asked for, also those whose lease has run out."""
    states = ("leased", "done", "late", *(["expired"] if expired else []))
    rows = session.execute(_ASSIGNED, {"person": person, "states": states})
    return [
        Assigned(row.assignment, item_of(row), row.round, Turn(row.item_id, row.turn))
        for row in rows
    ]


def lease_items(
    session: Session,
    *,
    person: str,
    form: Form,
    among: Collection[str] | None = None,
    order: ItemOrder | None = None,
) -> list[Assigned]:
    """Give a person items up to the form's number, training items and common items first.

    Asked again, it gives what is still missing; so it is safe to repeat. There are fewer where there are no
    more places, and none where quotas by answer have none for the person. `among` holds the keys of the items
    to choose from, such as those marked as familiar; None stands for all. An `order` gives one item more at a
    time, the most wanted that the person has not had.

    Returns:
        All items of the person, in order.
    """
    at = now()
    row = session.get_one(Person, person)
    lock_study(session, row.study_id)
    expire(session, study=row.study_id, at=at)
    if not admit(session, person=row, form=form):
        session.flush()
        return assigned_to(session, person)
    wanted = form.sampling.each if order is None else order.each
    given = session.scalars(_of_person(person)).all()
    _retake(session, given, form, at, wanted)
    items = _items(session, row.study_id)
    had = {a.item_id: a for a in given if a.round != REPEAT}
    handing = _Handing(session, row, form.sampling, at, len(given), form.mixes_texts)
    have = sum(a.round == FIRST and a.state != "expired" for a in had.values())
    free = [i for i in items if i.kind != "training" and i.id not in had]
    free = [i for i in free if i.common or among is None or i.key in among]
    missing = (wanted or have + len(free)) - have
    chosen: list[AnyItem] = []
    if order is None and missing > 0:
        chosen = _chosen(session, free, row, form, missing)
    elif order is not None and (not wanted or have < wanted):
        chosen = handing.most_wanted(free, order)
    if chosen or have or among is not None:  # nobody is trained for nothing
        for item in items:
            if item.kind == "training" and item.id not in had:
                handing.out(item, TRAINING)
    for item in chosen:
        assignment = handing.out(item, FIRST)
        if order is not None:
            session.flush()
            order.gave(assignment.id, item.key)
    session.flush()
    return assigned_to(session, person)


def _retake(
    session: Session, given: Sequence[Assignment], form: Form, at: int, wanted: int
) -> None:
    """Lease a person's expired items to them again while the places are free, up to what they should have."""
    have = sum(a.round == FIRST and a.state != "expired" for a in given)
    for assignment in given:
        is_first = assignment.round == FIRST
        if assignment.state == "expired" and (not is_first or not wanted or have < wanted):
            have += retake(session, assignment, form=form, at=at) and is_first


def is_full(
    session: Session,
    *,
    study: int,
    form: Form,
    stratum: str = "",
    bot: bool = False,
    order: ItemOrder | None = None,
) -> bool:
    """Whether somebody who comes now would be given no item, or the study is closed.

    Common items, which everybody gets, are no reason to come where there are others. Where people first mark
    which items are familiar, or quotas depend on what they answer, those who have not done so yet count as
    if they had a place each.

    Raises:
        BadInput: The stratum has no quota.
    """
    sampling = form.sampling
    if session.get_one(StudyRow, study).closed is not None:
        return True
    if all_full(session, study=study, form=form, bot=bot):
        return True
    real = [item for item in _items(session, study) if item.kind == "real"]
    items = [item for item in real if not item.common]
    if not items:
        return not real
    if order is not None:
        keys = {*order.keys()}
        items = [item for item in items if item.key in keys]
    if not sampling.stratum:
        _check_stratum(stratum, sampling)
    strata = [*sampling.quotas] if sampling.stratum else [stratum]
    free = _places(session, study, items, strata, sampling, bot=bot)
    if free in {0, math.inf} or not (sampling.familiar or sampling.asked):
        return free == 0
    of_stratum = stratum if sampling.quotas and not sampling.stratum else None
    return free <= _without_items(session, study, of_stratum, bot=bot)


def _places(
    session: Session,
    study: int,
    items: Sequence[AnyItem],
    strata: Sequence[str],
    sampling: Sampling,
    *,
    bot: bool,
) -> float:
    """How many places in these items are free for people of strata; infinitely many without a limit."""
    taken = taken_places(session, study, bot=bot)
    by_stratum = {
        name: taken_places(session, study, name, bot=bot) for name in strata if sampling.quotas
    }

    def free(item: int) -> float:
        left = sampling.votes - taken[item] if sampling.votes else math.inf
        if sampling.quotas:
            open_quotas = (
                max(sampling.quotas[name] - held[item], 0) for name, held in by_stratum.items()
            )
            left = min(left, sum(open_quotas))
        return max(left, 0)

    return sum(free(item.id) for item in items)


def _without_items(session: Session, study: int, stratum: str | None, *, bot: bool) -> int:
    """How many people are under way who have not been given an item of their own yet."""
    own = (
        select(Assignment.id)
        .join(ItemRow)
        .where(Assignment.person_id == Person.id, Assignment.round == FIRST, ~ItemRow.common)
    )
    waiting = select(func.count()).select_from(Person).where(
        Person.study_id == study, Person.outcome.is_(None), Person.consented.is_not(None),
        Person.bot.is_(bot), ~own.exists(),
    )  # fmt: skip
    if stratum is not None:
        waiting = waiting.where(Person.stratum == stratum)
    return session.scalar(waiting) or 0


def _check_stratum(stratum: str, sampling: Sampling) -> None:
    if sampling.quotas and stratum not in sampling.quotas:
        known = ", ".join(sampling.quotas)
        raise BadInput(f"there are no places for {stratum!r}", f"quotas are for {known}")


def repeat_items(session: Session, *, person: str, form: Form) -> list[Assigned]:
    """Give a person, once, some finished items again, for agreement with themselves."""
    row = session.get_one(Person, person)
    lock_study(session, row.study_id)
    had = session.scalars(_of_person(person)).all()
    have = sum(a.round == REPEAT for a in had)
    done = [a for a in had if a.round == FIRST and a.state in {"done", "late"}]
    repeated = {a.item_id for a in had if a.round == REPEAT}
    free = [a for a in done if a.item_id not in repeated]
    wanted = (form.repeat.items if form.repeat else 0) - have
    handing = _Handing(session, row, form.sampling, now(), len(had), form.mixes_texts)
    for assignment in random.Random(person).sample(free, min(max(wanted, 0), len(free))):  # noqa: S311
        handing.out(session.get_one(ItemRow, assignment.item_id), REPEAT)
    session.flush()
    return assigned_to(session, person)


@dataclass(slots=True)
class _Handing:
    session: Session
    person: Person
    sampling: Sampling
    at: int
    given: int
    """Items that the person was given so far."""
    mixes: bool
    """Whether items' texts change places."""

    def most_wanted(self, free: Sequence[AnyItem], order: ItemOrder) -> list[AnyItem]:
        """The first item of the order that the person may have, if there is one."""
        open_items, _ = _with_place(self.session, free, self.person, self.sampling)
        by_key = {item.key: item for item in open_items}
        return [by_key[key] for key in order.keys() if key in by_key][:1]  # noqa: SIM118 (no mapping)

    def free_turn(self, item: AnyItem) -> int:
        """The lowest turn that nobody has who holds the item."""
        held = select(Assignment.turn).where(
            Assignment.item_id == item.id, Assignment.state.in_(HELD)
        )
        taken = {*self.session.scalars(held)} if self.mixes else set()
        return next(turn for turn in range(len(taken) + 1) if turn not in taken)

    def out(self, item: AnyItem, number: int) -> Assignment:
        """Give one item in a round."""
        self.given += 1
        assignment = Assignment(
            study_id=self.person.study_id, item_id=item.id, person_id=self.person.id,
            stratum=self.person.stratum, round=number, position=self.given, state="leased",
            until=self.at + self.sampling.lease * MINUTE, bot=self.person.bot, turn=self.free_turn(item),
        )  # fmt: skip
        self.session.add(assignment)
        return assignment


def _of_person(person: str) -> Select[Assignment]:
    return select(Assignment).where(Assignment.person_id == person).order_by(Assignment.position)


def _with_place(
    session: Session, free: Sequence[AnyItem], person: Person, sampling: Sampling
) -> tuple[list[AnyItem], Counter[int]]:
    """The items that the person may have, and how many people have each item."""
    taken = in_stratum = taken_places(session, person.study_id, bot=person.bot)
    if sampling.quotas:
        in_stratum = taken_places(session, person.study_id, person.stratum, bot=person.bot)

    def is_open(item: AnyItem) -> bool:
        return item.common or has_place(
            taken[item.id], in_stratum[item.id], person.stratum, sampling
        )

    return [*filter(is_open, free)], taken


def _chosen(
    session: Session, free: Sequence[AnyItem], person: Person, form: Form, count: int
) -> list[AnyItem]:
    """Common items, then those that fewest people have; ties at random; in the order of the form, or mixed.

    With an overlap, items that some people have and others still need come before those that nobody has.
    """
    sampling = form.sampling
    rng = random.Random(person.id)  # noqa: S311 no secret: the order of items
    _check_stratum(person.stratum, sampling)
    open_items, taken = _with_place(session, free, person, sampling)
    open_items = [item for item in open_items if not item.common]
    rng.shuffle(open_items)  # which the stable sort keeps for items that equally many people have
    overlap = sampling.overlap

    def rank(item: AnyItem) -> int:
        people = taken[item.id]
        return -people if people < overlap else people

    open_items.sort(key=rank)
    chosen = [item for item in free if item.common][:count]
    chosen += open_items[: count - len(chosen)]
    if form.order.items == "fixed":
        return sorted(chosen, key=lambda item: item.id)
    rng.shuffle(chosen)
    return chosen
