"""Groups by pairs of traits, ready to be shown: in which order, under which headings, how much of it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

import numpy as np

from tiltmeter.analysis.matrix import NAME, Layers, traits_of
from tiltmeter.core.results import Estimate
from tiltmeter.report.plots.scale import nice_step
from tiltmeter.report.wording import CLEAR, final_p, visible

CELL = {"group", "pair"}
POLES = ("left_pole", "right_pole")
MOST_ROWS, MOST_COLUMNS = 100, 40
"""A matrix of more groups, or of more pairs, than these is shown with the strongest of them only."""
OUTLYING = 1.5
"""A largest value that is so many times the 99th percentile does not set the colours of all."""
traits = traits_of


def is_told(cell: Estimate) -> bool:
    """Whether a cell is told from 0: p < .05 after adjustment over all cells."""
    p = final_p(cell)
    return cell.value is not None and p is not None and p < CLEAR


def nearer(cell: Estimate) -> str:
    """The trait of the pair that the group is nearer to; "" where it is neither."""
    value = cell.value or 0.0
    return "" if value == 0 else visible(traits(cell.groups["pair"])[value > 0])


@dataclass(frozen=True, slots=True)
class Block:
    """Groups of one domain, or pairs of one dimension, that stand beside each other."""

    name: str
    """"" where the data name none."""
    members: tuple[str, ...]


@dataclass(frozen=True)
class Grid:
    """The cells of a matrix by group and pair, in the order in which they are shown."""

    cells: Mapping[tuple[str, str], Estimate]
    """All of them, by (group, pair)."""
    rows: Sequence[Block]
    """Groups by domain: those that are shown."""
    columns: Sequence[Block]
    """Pairs by dimension."""
    all_groups: int
    all_pairs: int
    poles: Mapping[tuple[str, str], tuple[Estimate | None, Estimate | None]]
    """Each trait's own score, left and right."""

    @cached_property
    def groups(self) -> list[str]:
        """Those that are shown, in order."""
        return [group for block in self.rows for group in block.members]

    @cached_property
    def pairs(self) -> list[str]:
        """Those that are shown, in order."""
        return [pair for block in self.columns for pair in block.members]

    @cached_property
    def shown(self) -> list[Estimate]:
        """The cells that are shown, row by row."""
        at = ((group, pair) for group in self.groups for pair in self.pairs)
        return [self.cells[key] for key in at if key in self.cells]

    @property
    def is_whole(self) -> bool:
        """Is everything shown?"""
        return (len(self.groups), len(self.pairs)) == (self.all_groups, self.all_pairs)

    @cached_property
    def known(self) -> list[Estimate]:
        """All cells that have a value."""
        return [cell for cell in self.cells.values() if cell.value is not None]

    @property
    def told(self) -> int:
        """How many of all cells are told from 0."""
        return self.told_of(self.known)

    @cached_property
    def reach(self) -> float:
        """The value that has the deepest colour; the same on either side of 0."""
        end = usual_end([abs(cell.value or 0.0) for cell in self.shown])
        step = nice_step(end, 5)
        return float(step * np.ceil(end / step - 1e-9))

    @property
    def is_cut(self) -> bool:
        """Do some values lie beyond the end of the colours?"""
        return any(abs(cell.value or 0.0) > self.reach for cell in self.shown)

    @staticmethod
    def told_of(cells: Iterable[Estimate]) -> int:
        """How many of these are told from 0."""
        return sum(map(is_told, cells))

    def of_group(self, group: str) -> list[Estimate]:
        """A group's cells, in the order of the pairs that are shown."""
        return [self.cells[group, pair] for pair in self.pairs if (group, pair) in self.cells]


def usual_end(sizes: Sequence[float]) -> float:
    """The largest of these; their 99th percentile where the largest lies far beyond it; 1 of zeros.

    >>> usual_end([0.25, 0.5]), usual_end([0.0])
    (0.5, 1.0)
    """
    most = max(sizes, default=0.0)
    usual = float(np.quantile(sizes, 0.99)) if most else 0.0
    end = usual if usual and most > OUTLYING * usual else most
    return end or 1.0


def cells_of(estimates: Iterable[Estimate], name: str = NAME) -> dict[tuple[str, str], Estimate]:
    """The estimates of this name that are about a group and a pair."""
    return {
        (e.groups["group"], e.groups["pair"]): e
        for e in estimates
        if e.name == name and set(e.groups) == CELL
    }


def grid_of(
    estimates: Sequence[Estimate], layers: Layers | None = None, *, name: str = NAME
) -> Grid:
    """The cells in the order of the records, by domain and dimension; the strongest of too many.

    Args:
        estimates: Among others, those named `name` over group and pair: at least one.
        layers: Say which domain and dimension there are, and in which order; without them groups
            and pairs stand in the order of the estimates.
        name: Of the estimates.
    """
    cells = cells_of(estimates, name)
    groups = dict(zip(layers.groups, layers.domains, strict=True)) if layers else {}
    pairs = dict(zip(layers.pairs, layers.dimensions, strict=True)) if layers else {}
    domains = {group: groups.get(group, "") for group in _ordered(groups, cells, 0)}
    dimensions = {pair: pairs.get(pair, "") for pair in _ordered(pairs, cells, 1)}
    left, right = (cells_of(estimates, pole) for pole in POLES)
    return Grid(
        cells,
        _blocks(domains, _strongest(cells, 0, MOST_ROWS)),
        _blocks(dimensions, _strongest(cells, 1, MOST_COLUMNS)),
        len(domains),
        len(dimensions),
        {key: (left.get(key), right.get(key)) for key in cells},
    )


def _ordered(known: Mapping[str, str], cells: Iterable[tuple[str, str]], axis: int) -> list[str]:
    """The labels of one axis that have cells, first those that the records name."""
    there = dict.fromkeys(key[axis] for key in cells)
    return [*(label for label in known if label in there), *(t for t in there if t not in known)]


def _strongest(cells: Mapping[tuple[str, str], Estimate], axis: int, most: int) -> set[str]:
    """The labels whose cells lie farthest from 0 on average, at most `most`."""
    sizes: dict[str, list[float]] = {}
    for key, cell in cells.items():
        sizes.setdefault(key[axis], []).append(abs(cell.value or 0.0))
    ranked = sorted(sizes, key=lambda label: -sum(sizes[label]) / len(sizes[label]))
    return set(ranked[:most])


def _blocks(of: Mapping[str, str], kept: set[str]) -> list[Block]:
    """Labels by what they are of, which stand in the order of their first labels; unnamed last."""
    rank = {name: i for i, name in enumerate(dict.fromkeys(of.values()))} | {"": len(of)}
    labels = sorted((label for label in of if label in kept), key=lambda label: rank[of[label]])
    return [Block(name, tuple(some)) for name, some in groupby(labels, key=lambda label: of[label])]
