"""A model's scores and the ratings of several cultures, on one grid of groups and traits.

Complete cases: a column (trait) that the model scores for no group is left out, and then every group of
which a cell is missing, for the model or in a culture that is a predictor. So the grid is full.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from tiltmeter.core.errors import Undefined
from tiltmeter.core.text import counted
from tiltmeter.core.types import Array, Integers
from tiltmeter.derived.people.rated_cells import HumanCells
from tiltmeter.stats.regression.errors_in_variables import Rated

Missing: TypeAlias = Literal["complete", "available", "zero"]
FEWEST_GROUPS = 3


@dataclass(frozen=True, slots=True)
class ModelCells:
    """A model's scores in one language."""

    name: str
    groups: tuple[str, ...]
    columns: tuple[str, ...]
    values: Array
    """Shape (groups, columns); NaN where there is no score."""
    model: str = ""

    def part(self, groups: Sequence[str], columns: Sequence[str]) -> Array:
        """Values of these groups and columns, in this order."""
        rows = [self.groups.index(group) for group in groups]
        places = [self.columns.index(column) for column in columns]
        return self.values[np.ix_(rows, places)]


@dataclass(frozen=True, slots=True)
class CaseGrid:
    """Complete cases of one target language."""

    groups: tuple[str, ...]
    columns: tuple[str, ...]
    y: Array
    """The model's scores, shape (groups, columns)."""
    humans: Mapping[str, HumanCells]
    """The ratings of each source on this grid."""
    covariate: Array | None = None
    """The scores of a monolingual model; None without one."""
    excluded: tuple[str, ...] = ()
    """Groups and columns that are left out, in words."""
    zeroed: int = 0
    """Cells of people that are 0 because nobody, or too few, rated them."""
    means: Mapping[str, Array] = field(default_factory=dict)
    """People's means by source, shape (groups, columns)."""

    @property
    def predictors(self) -> Array:
        """One row for each cell, one column for each source and for the covariate."""
        grids = [*self.means.values(), *([] if self.covariate is None else [self.covariate])]
        return np.stack([grid.ravel() for grid in grids], axis=1)

    @property
    def labels(self) -> tuple[Integers, Integers]:
        """For each cell, the number of its column and of its group."""
        groups, columns = np.indices(self.y.shape)
        return columns.ravel().astype(np.int64), groups.ravel().astype(np.int64)

    def rated(self) -> list[Rated]:
        """Single ratings of the people of each source, for the correction of noise."""
        rows = range(len(self.groups))
        return [Rated(tuple(map(human.raters_of, rows))) for human in self.humans.values()]


def grid_of(
    model: ModelCells,
    humans: Mapping[str, HumanCells],
    *,
    monolingual: ModelCells | None = None,
    zero: bool = False,
) -> CaseGrid:
    """The cells that the model and all of these people have.

    Names of groups and columns are those of the model. With `zero` people’s missing cells become 0 instead
    of excluding their group.

    Raises:
        Undefined: Fewer than three groups, or one column, are left.
    """
    exact = [model, *([monolingual] if monolingual else [])]
    tables: list[ModelCells | HumanCells] = [*exact, *humans.values()]
    columns = [c for c in model.columns if all(c in table.columns for table in tables)]
    groups = [g for g in model.groups if all(g in scored.groups for scored in exact)]
    if not zero:
        groups = [g for g in groups if all(g in human.groups for human in humans.values())]
    scores = [cells.part(groups, columns) for cells in exact]
    scored = np.all([np.isfinite(table).any(axis=0) for table in scores], axis=0)
    columns = [
        c for c, there in zip(columns, scored & ~repeated_columns(scores[0]), strict=True) if there
    ]
    means = {name: _means(human, groups, columns) for name, human in humans.items()}
    grids = [cells.part(groups, columns) for cells in exact] + ([] if zero else [*means.values()])
    full = np.all([np.isfinite(grid).all(axis=1) for grid in grids], axis=0)
    kept = [g for g, there in zip(groups, full, strict=True) if there]
    if len(kept) < FEWEST_GROUPS or len(columns) < 2:  # noqa: PLR2004
        raise Undefined(
            f"into {model.name}: {counted(len(kept), 'groups')} and "
            f"{counted(len(columns), 'traits', 'have')} scores and enough "
            f"ratings in {', '.join(humans)}; {FEWEST_GROUPS} groups and 2 traits are needed"
        )
    chosen = {name: grid[full] for name, grid in means.items()}
    excluded = _excluded(model, kept, columns)
    return CaseGrid(
        tuple(kept),
        tuple(columns),
        model.part(kept, columns),
        {} if zero else {name: human.part(kept, columns) for name, human in humans.items()},
        monolingual.part(kept, columns) if monolingual else None,
        excluded,
        sum(int(np.isnan(grid).sum()) for grid in chosen.values()) if zero else 0,
        {name: np.nan_to_num(grid) for name, grid in chosen.items()},  # NaN only with `zero`
    )


def _means(human: HumanCells, groups: Sequence[str], columns: Sequence[str]) -> Array:
    """Means of these cells; NaN where a group is not among the ratings or too few rated it."""
    places = [human.columns.index(column) for column in columns]
    part = np.full((len(groups), len(columns)), np.nan)
    means = human.means
    for row, group in enumerate(groups):
        if group in human.groups:
            part[row] = means[human.groups.index(group), places]
    return part


def repeated_columns(scores: Array) -> npt.NDArray[np.bool_]:
    """Columns whose scores are those of an earlier one: two traits that are one word.

    >>> repeated_columns(np.array([[1.0, 2.0, 1.0], [3.0, 3.0, 3.0]])).tolist()
    [False, False, True]
    """
    seen: set[bytes] = set()
    repeated = np.zeros(scores.shape[1], dtype=bool)
    for column in range(scores.shape[1]):
        content = scores[:, column].tobytes()
        repeated[column] = content in seen and bool(np.isfinite(scores[:, column]).any())
        seen.add(content)
    return repeated


def _excluded(model: ModelCells, groups: Sequence[str], columns: Sequence[str]) -> tuple[str, ...]:
    texts = []
    for what, every, kept in (("groups", model.groups, groups), ("traits", model.columns, columns)):
        lost = [name for name in every if name not in kept]
        if lost:
            texts.append(f"{counted(len(lost), what, 'are')} left out: {', '.join(lost)}")
    return tuple(texts)
