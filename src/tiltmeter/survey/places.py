"""How many places of each item are filled: by people who have finished it, or who are working on it."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from tiltmeter.survey.flow import FIRST
from tiltmeter.survey.form import Sampling
from tiltmeter.survey.tables import Assignment, ItemRow


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
