"""Single cells for files: what people and the matrices say of each group and pair of traits."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tiltmeter.analysis.people.alignment import Alignments
from tiltmeter.analysis.people.cell_means import CellMeans
from tiltmeter.analysis.people.profiles import GroupProfile, Opinion, profiles
from tiltmeter.core.types import Array
from tiltmeter.report.columns import file_table
from tiltmeter.report.document import Table, Value


@dataclass(frozen=True, slots=True)
class MeanRow:
    """The mean of one cell."""

    means: CellMeans
    row: int
    column: int

    def number(self, values: Array) -> float | None:
        """The cell of one of the arrays; None for NaN."""
        value = float(values[self.row, self.column])
        return None if np.isnan(value) else value

    @property
    def ends(self) -> tuple[float | None, float | None]:
        """The interval."""
        return self.means.interval(self.row, self.column) or (None, None)

    @property
    def n(self) -> int | None:
        """How many people rated the cell; None where it is not known."""
        count = self.number(self.means.counts)
        return None if count is None else int(count)


@dataclass(frozen=True, slots=True)
class ProfileRow(MeanRow):
    """A cell beside one matrix."""

    profile: GroupProfile
    own: Opinion
    place: int


_MEAN: Mapping[str, Callable[[MeanRow], Value]] = {
    "mean": lambda row: row.number(row.means.values),
    "low": lambda row: row.ends[0],
    "high": lambda row: row.ends[1],
    "n": lambda row: row.n,
    "why": lambda row: row.means.why(row.row, row.column),
}


def means_table(parts: Sequence[CellMeans]) -> Table:
    """A row for each slice, group and pair of traits."""
    rows = [
        MeanRow(part, g, p)
        for part in parts
        for g in range(len(part.groups))
        for p in range(len(part.pairs))
    ]
    return file_table("Mean ratings by slices of annotators", rows, {
        "by": lambda row: ",".join(row.means.about),
        "slice": lambda row: ",".join(row.means.about.values()),
        "people": lambda row: row.means.people,
        "group": lambda row: row.means.groups[row.row],
        "pair": lambda row: row.means.pairs[row.column],
        **_MEAN,
    })  # fmt: skip


def profiles_table(made: Alignments) -> Table:
    """A row for each matrix, group and pair of traits, with who has it at an end of the order."""
    rows = [
        ProfileRow(made.means, one.row, column, one, own, place)
        for one in profiles(made)
        for own in one.matrices
        for place, column in enumerate(one.columns)
    ]
    columns: Mapping[str, Callable[[ProfileRow], Value]] = {
        "matrix": lambda row: row.own.name,
        "group": lambda row: row.profile.group,
        "pair": lambda row: row.profile.pairs[row.place],
        **_MEAN,
        "people_end": lambda row: row.profile.people.ends[row.place],
        "score": lambda row: _finite(row.own.values[row.place]),
        "matrix_end": lambda row: row.own.ends[row.place],
        "people_agree": lambda row: row.own.agrees[row.place],
    }
    return file_table("What people and the matrices say of each group", rows, columns)


def _finite(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
