"""The places of items: how many people have finished one or are working on it, and who may still have it."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from tiltmeter.survey.flow import FIRST
from tiltmeter.survey.form import Sampling
from tiltmeter.survey.tables import Assignment, ItemRow

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
    """The places of every item of a study but training items, in the order of the form."""
    counted = session.execute(
        select(Assignment.item_id, Assignment.stratum, Assignment.state, func.count())
        .where(Assignment.study_id == study, Assignment.round == FIRST)
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


def taken_places(session: Session, study: int, stratum: str | None = None) -> Counter[int]:
    """By item, how many people have it, of all strata or of one."""
    held = (
        select(Assignment.item_id, func.count())
        .where(Assignment.study_id == study, Assignment.round == FIRST, Assignment.state.in_(HELD))
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
    taken = taken_places(session, row.study_id)[row.item_id]
    taken_in_stratum = taken_places(session, row.study_id, row.stratum)[row.item_id]
    return has_place(taken, taken_in_stratum, row.stratum, sampling)
