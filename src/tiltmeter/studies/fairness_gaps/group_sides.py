"""Texts of groups in one table, resampled within their labels, and dealt to the groups anew."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
import numpy.typing as npt

from tiltmeter.core.samples import TwoSides
from tiltmeter.core.text import counted
from tiltmeter.core.types import Array, Integers, Labels
from tiltmeter.metrics.preference_inference import FEW
from tiltmeter.stats.resampling.alike_rows import MANY, AlikeRows, alike_rows
from tiltmeter.stats.resampling.bootstrap import (
    RESAMPLES,
    clustered,
    label_strata,
    resamples_within,
)
from tiltmeter.stats.resampling.paired_resampling import affordable

CELLS = 4_000_000
"""The most numbers in a block of draws, which bounds the memory."""
DEALS = 999
Weights = npt.NDArray[np.generic]
"""How often each unit is in each draw, shape (draws, units)."""


class Drawn(Protocol):
    """Texts of two groups of which resamples and random deals can be drawn."""

    @property
    def columns(self) -> Sequence[Array]:
        """Truth, what was said and probabilities, a row for each text or kind of text."""
        ...

    @property
    def side(self) -> Integers:
        """The number of each row's group."""
        ...

    @property
    def clusters(self) -> Integers:
        """The number of each row's unit."""
        ...

    def resamples(self, rng: np.random.Generator) -> Iterator[Weights]:
        """How often each unit is in each resample, within its label, in blocks (draws, units)."""
        ...

    def deals(self, rng: np.random.Generator) -> Iterator[tuple[Weights, Weights]]:
        """How often each row is in the first and the second group when they are dealt anew, in blocks."""
        ...


@dataclass(frozen=True, slots=True)
class Sides:
    """The texts of two groups, or of several, as one table."""

    columns: list[Array]
    side: Integers
    """The number of each row's group, from 0."""
    clusters: Integers
    k: int
    strata: Integers
    """The label of each cluster: 0, 1, or −1 where it has both."""

    def resamples(self, rng: np.random.Generator) -> Iterator[Weights]:
        """Resamples of clusters; see `Drawn`."""
        n = len(self.side)
        return resamples_within(self.strata, rng, draws=affordable(n, RESAMPLES), cells=n)

    def deals(self, rng: np.random.Generator) -> Iterator[tuple[Weights, Weights]]:
        """Deals of single texts; see `Drawn`."""
        for dealt in dealt_sides(self, rng, affordable(len(self.side), DEALS)):
            yield dealt == 0, dealt == 1


@dataclass(frozen=True, slots=True)
class CountedSides:
    """Very many texts of two groups that have nothing in common, as counts of those that are alike."""

    columns: list[Array]
    side: Integers
    clusters: Integers
    alike: AlikeRows
    _drawn: list[Weights] = field(default_factory=list)

    def resamples(self, rng: np.random.Generator) -> Iterator[Weights]:
        """Resamples of texts, as counts of their kinds, the same at every call; see `Drawn`."""
        if not self._drawn:
            blocks = self.alike.resamples(rng, RESAMPLES)
            self._drawn.extend(times.astype(np.float32) for times in blocks)
        yield from self._drawn

    def deals(self, rng: np.random.Generator) -> Iterator[tuple[Weights, Weights]]:
        """Deals of texts, as counts of their kinds; see `Drawn`."""
        for first in self.alike.deals(self.side == 0, rng, DEALS):
            yield first, self.alike.times - first


def drawn_from(sides: Sides) -> Drawn:
    """What draws are made of: the texts, or counts of them where there are very many that share nothing."""
    n = len(sides.side)
    if n < MANY or sides.k < n:
        return sides
    truth, said, scores = sides.columns
    alike = alike_rows(truth.astype(np.int64), scores, 2 * sides.side + said.astype(np.int64))
    columns = [truth[alike.first], said[alike.first], alike.scores]
    return CountedSides(columns, sides.side[alike.first], np.arange(len(alike.times)), alike)


def both_sides(sides: TwoSides) -> Sides:
    """One table of both groups; its rows do not depend on the order in which they came."""
    columns = [
        np.concatenate([np.asarray(x, np.float64), np.asarray(y, np.float64)])
        for x, y in zip(sides.a, sides.b, strict=True)
    ]
    side = np.repeat([0, 1], [len(sides.clusters_a), len(sides.clusters_b)])
    clusters = np.concatenate([sides.clusters_a, sides.clusters_b])
    order = np.argsort(clusters, kind="stable")
    in_order = clusters[order]
    if (in_order[1:] == in_order[:-1]).any():
        order = np.lexsort((side, *columns, clusters))
    return sides_from([column[order] for column in columns], side[order], clusters[order])


def sides_from(columns: list[Array], side: Integers, clusters: Labels) -> Sides:
    """A table of the columns, the labels first, of which side each row is on, and its clusters."""
    codes, k = clustered(clusters)
    return Sides(columns, side, codes, k, label_strata(columns[0], codes, k))


def dealt_sides(
    sides: Sides, rng: np.random.Generator, draws: int
) -> Iterator[npt.NDArray[np.int16]]:
    """Random deals of the texts to the groups, in blocks of shape (draws, n).

    Texts of a cluster that has several sides change places with each other where their labels are equal. The
    other clusters, which are single texts where texts share nothing, are dealt whole, within their labels.
    """
    n, label = len(sides.side), sides.columns[0].astype(np.int64)
    least, most = np.full(sides.k, n), np.full(sides.k, -1)
    np.minimum.at(least, sides.clusters, sides.side)
    np.maximum.at(most, sides.clusters, sides.side)
    alone = (least != most)[sides.clusters]
    _, first, unit = np.unique(
        np.where(alone, sides.k + np.arange(n), sides.clusters),
        return_index=True, return_inverse=True,
    )  # fmt: skip
    blocks = np.where(alone, 3 + sides.clusters * 2 + label, sides.strata[sides.clusters])[first]
    _, held = np.unique(blocks, return_inverse=True)  # small numbers leave the keys their digits
    of_unit = sides.side[first].astype(np.int16)
    ordered = of_unit[np.lexsort((of_unit, held))]
    at_once = max(1, CELLS // max(n, 1))
    for start in range(0, draws, at_once):
        rows = min(at_once, draws - start)
        shuffled = np.argsort(held + rng.random((rows, len(held))), axis=1)  # within each block
        dealt = np.empty(shuffled.shape, dtype=np.int16)
        np.put_along_axis(dealt, shuffled, np.broadcast_to(ordered, dealt.shape), axis=1)
        yield dealt[:, unit]


def units_of(sides: Sides) -> str:
    """What resamples draw, in words: texts, or whole clusters of them."""
    return "texts" if sides.k == len(sides.side) else "whole clusters"


def few_texts(sides: Sides, needs: Sequence[int]) -> str:
    """A caution where a group has few texts of a label that counts."""
    sizes = [int(((sides.side == s) & (sides.columns[0] == label)).sum())
             for s in (0, 1) for label in needs]  # fmt: skip
    return (
        f"a group counts with only {counted(min(sizes), 'texts')}: the interval is rough"
        if min(sizes) < FEW
        else ""
    )
