"""Gaps between groups in how a classifier errs: rates, ROC areas, equalised odds; Borkan's areas.

Columns, one row a text: `truth_positive`, `said_positive` (1 or 0), `probability`, then `side`, 0 for the
first group and 1 for the other. Resamples draw texts (whole clusters) within each label, so that every one
has positive and negative texts; the test deals the groups anew within each label, and within a cluster where
it has texts of both groups. The size of a gap is above 0 by chance alone, and the more so the fewer texts a
group has: the mean size over the random deals is what it would be without any difference.

Sources: Borkan et al. 2019, doi:10.1145/3308560.3317593; Hardt, Price and Srebro 2016,
doi:10.48550/arXiv.1610.02413.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tiltmeter.core.errors import Undefined
from tiltmeter.core.labelled_items import NO_GROUP
from tiltmeter.core.results import Inference
from tiltmeter.core.types import Array, Column, Integers, Labels
from tiltmeter.metrics.preference import FEW
from tiltmeter.stats.bootstrap import RESAMPLES, clustered
from tiltmeter.stats.intervals import percentiles
from tiltmeter.stats.paired_resampling import affordable
from tiltmeter.stats.weighted_ranking import weighted_areas

DEALS = 999
CELLS = 4_000_000
"""Cells of a block of draws, at most: bounds the memory."""
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


@dataclass(frozen=True, slots=True)
class Sides:
    """Rows of two groups."""

    columns: list[Array]
    side: Array
    clusters: Integers
    k: int
    strata: Integers
    """The label of each cluster: 0, 1, or 2 where it has both."""


def both_sides(
    a: Sequence[Column], clusters_a: Labels, b: Sequence[Column], clusters_b: Labels
) -> Sides:
    """One table of both groups."""
    columns = [
        np.concatenate([np.asarray(x, np.float64), np.asarray(y, np.float64)])
        for x, y in zip(a, b, strict=True)
    ]
    side = np.repeat([0.0, 1.0], [len(clusters_a), len(clusters_b)])
    clusters = np.concatenate([clusters_a, clusters_b])
    order = np.lexsort(
        (side, *columns, clusters)
    )  # so that no draw depends on the order of the rows
    return _sides([column[order] for column in columns], side[order], clusters[order])


def _sides(columns: list[Array], side: Array, clusters: Labels) -> Sides:
    codes, k = clustered(clusters)
    positive = np.bincount(codes, weights=columns[0], minlength=k)
    size = np.bincount(codes, minlength=k)
    strata = np.where(positive == 0, 0, np.where(positive == size, 1, 2))
    return Sides(columns, side, codes, k, strata)


def resampled_weights(sides: Sides, rng: np.random.Generator, draws: int) -> Iterator[Array]:
    """How often each text is in each resample of clusters, drawn within their labels.

    In blocks of shape (draws, n).
    """
    at_once = max(1, CELLS // max(len(sides.side), 1))
    strata = [np.flatnonzero(sides.strata == s) for s in range(3)]
    for start in range(0, draws, at_once):
        rows = min(at_once, draws - start)
        times = np.zeros((rows, sides.k))
        for members in strata:
            m = len(members)
            if m:
                drawn = rng.integers(m, size=(rows, m)) + np.arange(rows)[:, None] * m
                counts = np.bincount(drawn.ravel(), minlength=rows * m).reshape(rows, m)
                times[:, members] = counts
        yield times[:, sides.clusters]


def dealt_sides(sides: Sides, rng: np.random.Generator, draws: int) -> Iterator[Array]:
    """Sides dealt anew, shape (draws, n) in blocks.

    Within a cluster and label where some cluster has texts of both sides; otherwise whole clusters within
    their labels, which are single texts where texts share nothing.
    """
    n, side = len(sides.side), sides.side.astype(np.int64)
    least, most = np.full(sides.k, n), np.full(sides.k, -1)
    np.minimum.at(least, sides.clusters, side)
    np.maximum.at(most, sides.clusters, side)
    crossed = bool((least != most).any())
    if crossed:
        units, held = np.arange(n), sides.clusters * 2 + sides.columns[0].astype(np.int64)
        of_unit = side
    else:
        units, held = sides.clusters, sides.strata
        of_unit = least
    order = np.lexsort((of_unit, held))
    at_once = max(1, CELLS // max(n, 1))
    for start in range(0, draws, at_once):
        rows = min(at_once, draws - start)
        keys = rng.random((rows, len(held)))
        shuffled = np.argsort(held[None] + keys, axis=1, kind="stable")  # random within each block
        dealt = np.empty((rows, len(held)))
        np.put_along_axis(
            dealt, shuffled, np.broadcast_to(of_unit[order], dealt.shape) * 1.0, axis=1
        )
        yield dealt[:, units]


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
    why = [few] if (few := _few(sides, gap.needs)) else []
    try:
        low, high, draws = _interval(gap, sides, rng)
        interval = f"bootstrap of {_units(sides)} within each label, {draws:,} draws"
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
    name = f"bootstrap of {_units(sides)} within each label, {draws:,} draws"
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
    sides = _sides(of_a, side, clusters)
    draws = affordable(len(side), RESAMPLES)
    apart = [
        metric.draws(of_a, weights, side[None]) - metric.draws(of_b, weights, side[None])
        for weights in resampled_weights(sides, rng, draws)
    ]
    try:
        low, high = percentiles(np.concatenate(apart))
    except Undefined as undefined:
        return value, Inference(None, None, why=f"no interval: {undefined}")
    name = f"paired bootstrap of {_units(sides)} within each label, {draws:,} draws"
    return value, Inference(low, high, interval=name)


def equalized_odds(truth_positive: Column, said_positive: Column, group: Column) -> float:
    """The larger of two spreads over groups: of false positive rates, and of true positive rates.

    In percentage points, at least 0, as `fairlearn.metrics.equalized_odds_difference`.

    Raises:
        Undefined: There are fewer than two groups, or one lacks positive or negative texts.

    >>> truth, said = np.array([1.0, 0, 1, 0]), np.array([1.0, 1, 1, 0])
    >>> equalized_odds(truth, said, np.array(["a", "a", "b", "b"]))
    100.0
    """
    truth, said, group = _of_groups(truth_positive, said_positive, group)
    names, codes = np.unique(group, return_inverse=True)
    if len(names) < 2:  # noqa: PLR2004
        raise Undefined("there are fewer than two groups")
    for label in (0, 1):
        sizes = np.bincount(codes[truth == label], minlength=len(names))
        if (sizes == 0).any():
            raise Undefined(f"{names[int(sizes.argmin())]} has no {LABELS[label]} texts")
    return float(_odds(truth, said, codes[None], len(names), np.ones((1, len(truth))))[0])


def _of_groups(truth: Column, said: Column, group: Column) -> tuple[Array, Array, Labels]:
    """Without texts of no group."""
    labels = np.asarray(group, dtype=np.str_)
    kept = labels != NO_GROUP
    return np.asarray(truth, np.float64)[kept], np.asarray(said, np.float64)[kept], labels[kept]


def _odds(truth: Array, said: Array, codes: Any, k: int, weights: Array) -> Array:
    """Shape (draws,), of codes (draws or 1, n) and weights (draws or 1, n)."""
    spreads = []
    for label in (0, 1):
        mine = truth == label
        rates = []
        for group in range(k):
            here = np.where((codes == group) & mine, weights, 0.0)
            whole = here.sum(axis=1)
            rates.append(
                np.divide(
                    100 * (here @ said), whole, out=np.full(len(whole), np.nan), where=whole > 0
                )
            )
        spreads.append(np.ptp(np.stack(rates), axis=0))
    return np.asarray(np.max(np.stack(spreads), axis=0), dtype=np.float64)


def infer_odds(
    metric: Callable[..., float],
    columns: Sequence[Column],
    clusters: Labels,
    rng: np.random.Generator,
) -> Inference:
    """Bootstrap of texts within each label; permutation test of the groups.

    A difference of extremes is biased upward: the interval is about the number as it is, and `why` says what
    it would be without any difference between groups.
    """
    del metric
    clusters = clusters[np.asarray(columns[2], dtype=np.str_) != NO_GROUP]
    truth, said, groups = _of_groups(columns[0], columns[1], columns[2])
    names, codes = np.unique(groups, return_inverse=True)
    sides = _sides([truth, said], codes.astype(np.float64), clusters)
    draws, k = affordable(len(truth) * len(names), RESAMPLES), len(names)
    drawn = [
        _odds(truth, said, codes[None], k, weights)
        for weights in resampled_weights(sides, rng, draws)
    ]
    value = float(_odds(truth, said, codes[None], k, np.ones((1, len(truth))))[0])
    ones = np.ones((1, len(truth)))
    dealt = np.concatenate(
        [_odds(truth, said, _rounded(deal), k, ones) for deal in dealt_sides(sides, rng, draws)]
    )
    p, test, why = None, "", []
    if not np.isnan(dealt).any():
        p = (1 + int((dealt >= value - ROUNDING).sum())) / (1 + len(dealt))
        test = f"permutation test, groups dealt anew within each label, {len(dealt):,} deals"
        why.append(f"{dealt.mean():.1f} expected without any difference between groups")
    low, high, interval = None, None, ""
    try:
        low, high = percentiles(np.concatenate(drawn))
        low, high = min(low, value), max(high, value)
        interval = f"bootstrap of {_units(sides)} within each label, {draws:,} draws"
    except Undefined as undefined:
        why.append(f"no interval: {undefined}")
    return Inference(low, high, p, interval, test, why="; ".join(why))


def _rounded(values: Array) -> Any:
    return np.rint(values).astype(np.int64)


def _gap(metric: Callable[..., float]) -> Gap:
    if not isinstance(metric, Gap):
        raise TypeError(f"{metric!r} is no Gap")
    return metric


def _units(sides: Sides) -> str:
    return "texts" if sides.k == len(sides.side) else "whole clusters"


def _few(sides: Sides, needs: Sequence[int]) -> str:
    """A caution where a group has few texts of a label that counts."""
    sizes = [int(((sides.side == s) & (sides.columns[0] == label)).sum())
             for s in (0, 1) for label in needs]  # fmt: skip
    return (
        f"a group has only {min(sizes)} texts that count: the interval is rough"
        if min(sizes) < FEW
        else ""
    )
