"""Gaps between groups in how a classifier errs: rates and ROC areas; Borkan's areas.

Columns, one row a text: `truth_positive`, `said_positive` (1 or 0), `probability`, then `side`, 0 for the
first group and 1 for the other. Resamples draw texts (whole clusters) within each label, so that every one
has positive and negative texts; the test deals the groups anew within each label, and within a cluster where
it has texts of both groups. The size of a gap is above 0 by chance alone, and the more so the fewer texts a
group has: the mean size over the random deals is what it would be without any difference.

Sources: Borkan et al. 2019, doi:10.1145/3308560.3317593.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tiltmeter.core.errors import Undefined
from tiltmeter.core.results import Inference
from tiltmeter.core.types import Array, Column, Labels
from tiltmeter.metrics.group_sides import (
    Sides,
    both_sides,
    dealt_sides,
    few_texts,
    resampled_weights,
    sides_from,
    units_of,
)
from tiltmeter.stats.bootstrap import RESAMPLES
from tiltmeter.stats.intervals import percentiles
from tiltmeter.stats.paired_resampling import affordable
from tiltmeter.stats.weighted_ranking import weighted_areas

DEALS = 999
ROUNDING = 1e-9
LABELS = ("negative", "positive")


@dataclass(frozen=True, slots=True)
class Gap:
    """A number of one group less that of the other, for many weightings of the texts at once.

    >>> gap = Gap("false_positive_rate_gap", rate_of(0), (0,))
    >>> gap(np.zeros(4), np.array([1.0, 1, 1, 0]), np.array([0.0, 0, 1, 1]))
    50.0
    """

    name: str
    value: Callable[[Sequence[Array], Array], Array]
    """From columns without `side`, and weights of shape (draws, n), to values of shape (draws,)."""
    needs: tuple[int, ...]
    """Labels (0 and 1) of which both groups must have texts."""

    def __call__(self, *columns: Column) -> float:
        """The gap.

        Raises:
            Undefined: A group has no text of a label that is needed.
        """
        *read, side = (np.asarray(column, dtype=np.float64) for column in columns)
        check_labels(read[0], side, self.needs)
        return float(self.draws(read, np.ones((1, len(side))), side[None])[0])

    def draws(self, columns: Sequence[Array], weights: Array, sides: Array) -> Array:
        """Gaps, shape (draws,), of weights (draws, n) and sides (draws or 1, n)."""
        first = np.where(sides == 0, weights, 0.0)
        return self.value(columns, first) - self.value(columns, weights - first)


def check_labels(truth: Array, side: Array, needs: Sequence[int]) -> None:
    """Raise where a side lacks texts of a label.

    Raises:
        Undefined: It does.
    """
    for number, called in ((0, "first"), (1, "second")):
        for label in needs:
            if not ((side == number) & (truth == label)).any():
                raise Undefined(f"the {called} of the two groups has no {LABELS[label]} texts")


def rate_of(label: int) -> Callable[[Sequence[Array], Array], Array]:
    """The share of the texts of a label that is called positive, in percent."""

    def value(columns: Sequence[Array], weights: Array) -> Array:
        truth, said = columns
        mine = (truth == label).astype(np.float64)
        whole = weights @ mine
        found = np.divide(
            100 * (weights @ (mine * said)), whole, out=np.full(len(whole), np.nan), where=whole > 0
        )
        return np.asarray(found, dtype=np.float64)

    return value


def area(columns: Sequence[Array], weights: Array) -> Array:
    """The area under the ROC curve."""
    truth, scores = columns
    return weighted_areas(truth > 0, scores, weights)


@dataclass(frozen=True, slots=True)
class CrossArea:
    """The area over one group's texts of one label and the other group's of the other label.

    BPSN: the background's positive and the subgroup's negative texts; below the group's own area it shows
    that negative texts of the group score too high. BNSP: the other way round.
    """

    name: str
    positive_side: int
    """Which side's positive texts are taken: 1, the background's, is BPSN."""

    def __call__(self, *columns: Column) -> float:
        """From 0 to 1; chance is .5.

        Raises:
            Undefined: There are no such texts.
        """
        *read, side = (np.asarray(column, dtype=np.float64) for column in columns)
        kept = self.kept(read[0], side)
        for label, where in ((1, self.positive_side), (0, 1 - self.positive_side)):
            if not (kept & (read[0] == label)).any():
                group = ("the group has", "the others have")[where]
                raise Undefined(f"{group} no {LABELS[label]} texts")
        return float(self.draws(read, np.ones((1, len(side))), side[None])[0])

    def kept(self, truth: Array, sides: Array) -> Any:
        """Texts that count, of the shape of `sides`."""
        positive = truth > 0
        return np.where(positive, sides == self.positive_side, sides != self.positive_side)

    def draws(self, columns: Sequence[Array], weights: Array, sides: Array) -> Array:
        """As `Gap.draws`."""
        return area(columns, np.where(self.kept(columns[0], sides), weights, 0.0))


false_positive_gap = Gap("false_positive_rate_gap", rate_of(0), (0,))
true_positive_gap = Gap("true_positive_rate_gap", rate_of(1), (1,))
area_gap = Gap("roc_auc_gap", area, (0, 1))
bpsn_area = CrossArea("bpsn_auc", 1)
bnsp_area = CrossArea("bnsp_auc", 0)


def _interval(
    metric: Gap | CrossArea, sides: Sides, rng: np.random.Generator
) -> tuple[float, float, int]:
    draws = affordable(len(sides.side), RESAMPLES)
    values = [
        metric.draws(sides.columns, weights, sides.side[None])
        for weights in resampled_weights(sides, rng, draws)
    ]
    return *percentiles(np.concatenate(values)), draws


def _deals(metric: Gap | CrossArea, sides: Sides, rng: np.random.Generator) -> Array:
    """The number when groups are dealt at random, shape (deals,)."""
    deals = affordable(len(sides.side), DEALS)
    ones = np.ones((1, len(sides.side)))
    return np.concatenate(
        [metric.draws(sides.columns, ones, dealt) for dealt in dealt_sides(sides, rng, deals)]
    )


def contrast_gap(
    metric: Callable[..., float],
    a: Sequence[Column],
    clusters_a: Labels,
    b: Sequence[Column],
    clusters_b: Labels,
    rng: np.random.Generator,
) -> tuple[float, Inference]:
    """The gap with interval and permutation test; for `Contrast.by` of a `Gap`."""
    gap = _gap(metric)
    sides = both_sides(a, clusters_a, b, clusters_b)
    value = gap(*sides.columns, sides.side)
    low, high, p, interval, test = None, None, None, "", ""
    why = [few] if (few := few_texts(sides, gap.needs)) else []
    try:
        low, high, draws = _interval(gap, sides, rng)
        interval = f"bootstrap of {units_of(sides)} within each label, {draws:,} draws"
    except Undefined as undefined:
        why.append(f"no interval: {undefined}")
    dealt = np.abs(_deals(gap, sides, rng))
    if np.isnan(dealt).any() or (np.ptp(dealt) <= ROUNDING and not dealt[0]):
        why.append("no test: dealing the groups anew changes nothing")
    else:
        extreme = int((dealt >= abs(value) - ROUNDING * max(1.0, abs(value))).sum())
        p = (1 + extreme) / (1 + len(dealt))
        test = f"permutation test, groups dealt anew within each label, {len(dealt):,} deals"
    return value, Inference(low, high, p, interval, test, why="; ".join(why))


def contrast_size(
    metric: Callable[..., float],
    a: Sequence[Column],
    clusters_a: Labels,
    b: Sequence[Column],
    clusters_b: Labels,
    rng: np.random.Generator,
) -> tuple[float, Inference]:
    """The size of the gap, without interval or test: those of the signed gap hold."""
    del rng
    sides = both_sides(a, clusters_a, b, clusters_b)
    return abs(_gap(metric)(*sides.columns, sides.side)), Inference(None, None)


def contrast_chance(
    metric: Callable[..., float],
    a: Sequence[Column],
    clusters_a: Labels,
    b: Sequence[Column],
    clusters_b: Labels,
    rng: np.random.Generator,
) -> tuple[float, Inference]:
    """The mean size of the gap when groups are dealt at random: its expectation under no difference."""
    gap = _gap(metric)
    sides = both_sides(a, clusters_a, b, clusters_b)
    gap(*sides.columns, sides.side)
    dealt = np.abs(_deals(gap, sides, rng))
    if np.isnan(dealt).any():
        raise Undefined("some deals leave a group without texts of a label")
    return float(dealt.mean()), Inference(None, None)


def contrast_area(
    metric: Callable[..., float],
    a: Sequence[Column],
    clusters_a: Labels,
    b: Sequence[Column],
    clusters_b: Labels,
    rng: np.random.Generator,
) -> tuple[float, Inference]:
    """A `CrossArea` with its interval; no test, as no value is neutral."""
    if not isinstance(metric, CrossArea):
        raise TypeError(f"{metric!r} is no CrossArea")
    sides = both_sides(a, clusters_a, b, clusters_b)
    value = metric(*sides.columns, sides.side)
    try:
        low, high, draws = _interval(metric, sides, rng)
    except Undefined as undefined:
        return value, Inference(None, None, why=f"no interval: {undefined}")
    name = f"bootstrap of {units_of(sides)} within each label, {draws:,} draws"
    return value, Inference(low, high, interval=name)


def compare_gaps(
    metric: Callable[..., float],
    a: Sequence[Column],
    b: Sequence[Column],
    clusters: Labels,
    rng: np.random.Generator,
) -> tuple[float, Inference]:
    """The gap of model A less that of model B on the same texts; the last column is `side`.

    The interval resamples texts with both models' answers, within each label; no test beside it, since an
    exchange of probabilities between models of different scale is none.
    """
    if not isinstance(metric, Gap | CrossArea):
        raise TypeError(f"{metric!r} is neither a Gap nor a CrossArea")
    value = metric(*a) - metric(*b)
    *of_a, side = (np.asarray(column, np.float64) for column in a)
    of_b = [np.asarray(column, np.float64) for column in b[:-1]]
    sides = sides_from(of_a, side, clusters)
    draws = affordable(len(side), RESAMPLES)
    apart = [
        metric.draws(of_a, weights, side[None]) - metric.draws(of_b, weights, side[None])
        for weights in resampled_weights(sides, rng, draws)
    ]
    try:
        low, high = percentiles(np.concatenate(apart))
    except Undefined as undefined:
        return value, Inference(None, None, why=f"no interval: {undefined}")
    name = f"paired bootstrap of {units_of(sides)} within each label, {draws:,} draws"
    return value, Inference(low, high, interval=name)


def _gap(metric: Callable[..., float]) -> Gap:
    if not isinstance(metric, Gap):
        raise TypeError(f"{metric!r} is no Gap")
    return metric
