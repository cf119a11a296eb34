"""Rates of the same pairs in several versions, such as sentences built in ways that should not matter.

Columns are the scores of the more stereotyping sentences, those of the others, and each row's version.
The same pairs are in all versions, so differences between versions are differences of the same pairs.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise

import numpy as np

from tiltmeter.core.errors import Undefined
from tiltmeter.core.estimates import Inference
from tiltmeter.core.samples import (
    ContrastSample,
    PairedSample,
    Sample,
    as_labels,
    as_numbers,
    uncertainty,
)
from tiltmeter.core.types import Array, Column, Integers, Labels, Ties
from tiltmeter.metrics.preference import outcomes, stereotype_rate
from tiltmeter.metrics.preference_difference import compare_rates
from tiltmeter.metrics.preference_inference import (
    infer_rate_clustered,
    infer_rate_of_pairs,
    units_of,
)
from tiltmeter.stats.confidence_intervals.intervals import wilson
from tiltmeter.stats.confidence_intervals.mean_squares import RootMeanSquare, root_mean_square
from tiltmeter.stats.confidence_intervals.share_spread import paired_spread_interval
from tiltmeter.stats.resampling.bootstrap import cluster_sums, clustered

TWO = 2
UNEQUAL = "the versions do not have the same pairs"


def rate_of_versions(more: Array, less: Array, version: Column, *, ties: Ties = "half") -> float:
    """The stereotype rate over all versions; see `stereotype_rate`.

    >>> rate_of_versions(np.array([3.0, 0.0]), np.array([1.0, 2.0]), np.array(["a", "b"]))
    50.0
    """
    del version
    return stereotype_rate(more, less, ties=ties)


def infer_rate_of_versions(sample: Sample) -> Inference:
    """Interval and test of `rate_of_versions`: over pairs in one version, over whole clusters in several.

    Versions of a pair are not independent, so that more versions must not make an interval narrower.
    """
    *scores, version = sample.columns
    single = replace(sample, columns=scores, metric=partial(stereotype_rate, ties=sample.ties))
    several = len(np.unique(as_labels([version])[0])) > 1
    return infer_rate_clustered(single) if several else infer_rate_of_pairs(single)


def version_range(more: Array, less: Array, version: Labels, *, ties: Ties = "half") -> float:
    """The highest rate of a version less the lowest, in percentage points; noise alone makes it above 0.

    Raises:
        Undefined: There are fewer than two versions.

    >>> version_range(np.array([3.0, 0, 3, 3]), np.ones(4), np.array(["a", "a", "b", "b"]))
    50.0
    """
    rates = _rates(more, less, version, ties)
    return float(rates.max() - rates.min())


def infer_version_range(sample: Sample) -> Inference:
    """Simultaneous intervals of all differences between versions, for `version_range`; no test."""
    table, clusters = _table(sample.columns, sample.clusters, sample.ties)

    def interval() -> tuple[float, float, str]:
        low, high = paired_spread_interval(table, clusters)
        return 100 * low, 100 * high, f"score intervals of all differences, {units_of(clusters)}"

    return uncertainty(interval)


def versions_counted(columns: Sequence[Column]) -> int:
    """How many versions there are."""
    return len(np.unique(as_labels([columns[2]])[0]))


def version_spread(
    more: Array, less: Array, version: Labels, cluster: Integers, *, ties: Ties = "half"
) -> float:
    """The standard deviation of the versions' rates, without what noise of the pairs adds, in points.

    Made from products of different clusters: without any difference it scatters about 0, and is below 0 as
    often as above.

    Raises:
        Undefined: There are fewer than two versions, they have different pairs, or all are of one cluster.

    >>> more, version = np.array([1.0, 1, 1, 1, 0, 0, 0, 0]), np.repeat(["a", "b"], 4)
    >>> round(version_spread(more, np.full(8, 0.5), version, np.tile(np.arange(4), 2)), 6)  # 100 and 0 %
    50.0
    """
    return _spread((more, less, version), cluster, ties).value


def infer_version_spread(sample: Sample) -> Inference:
    """Interval and test from products of different clusters, for `version_spread`."""
    *columns, cluster = sample.columns
    return _spread(columns, np.asarray(cluster, dtype=np.int64), sample.ties).inference(
        "no difference between any versions"
    )


def single_version_width(
    more: Array, less: Array, version: Labels, *, ties: Ties = "half"
) -> float:
    """How wide the 95 % interval of the rate of one version is, in points, averaged over versions.

    >>> version = np.repeat(["a", "b"], 50)
    >>> round(single_version_width(np.tile([1.0, 0.0], 50), np.full(100, 0.5), version), 1)
    26.7
    """
    rates = _rates(more, less, version, ties)
    sizes = np.bincount(clustered(version)[0])
    ends = [wilson(rate / 100 * n, int(n)) for rate, n in zip(rates, sizes, strict=True)]
    return float(np.mean([100 * (high - low) for low, high in ends]))


def contrast_versions(sample: ContrastSample) -> tuple[float, Inference]:
    """The rate of one version minus that of another, over the same pairs; interval and test by clusters.

    Raises:
        Undefined: The two versions do not have the same pairs.
    """
    a, b = (
        _in_order(columns, clusters)
        for columns, clusters in (
            (sample.sides.a, sample.sides.clusters_a), (sample.sides.b, sample.sides.clusters_b),
        )
    )  # fmt: skip
    if not np.array_equal(a[-1], b[-1]):
        raise Undefined(UNEQUAL)
    clusters = np.asarray(a[-1], dtype=np.int64)
    return compare_rates(PairedSample(sample.metric, a[:TWO], b[:TWO], clusters, sample.rng))


def _rates(more: Array, less: Array, version: Labels, ties: Ties) -> Array:
    """The rate of each version in percent, in the order of their names."""
    counts, (codes, k) = outcomes(more, less, ties=ties), clustered(version)
    if k < TWO:
        raise Undefined("there is one version only")
    return np.asarray(100 * np.bincount(codes, weights=counts) / np.bincount(codes))


def _in_order(columns: Sequence[Column], clusters: Labels) -> list[Column]:
    """The columns and the clusters, with the rows of a cluster together."""
    order = np.argsort(clusters, kind="stable")
    return [column[order] for column in (*columns, clusters)]


def _table(columns: Sequence[Column], clusters: Labels, ties: Ties) -> tuple[Array, Integers]:
    """The outcome of each pair in each version, shape (pairs, versions), and the pairs' clusters.

    Pairs are matched by their order within a cluster.

    Raises:
        Undefined: The versions do not have the same pairs.
    """
    more, less = as_numbers(columns[:TWO])
    counts, (codes, k) = outcomes(more, less, ties=ties), clustered(as_labels([columns[2]])[0])
    sides = [_in_order([counts[codes == i]], clusters[codes == i]) for i in range(k)]
    if any(not np.array_equal(a[1], b[1]) for a, b in pairwise(sides)):
        raise Undefined(UNEQUAL)
    if k < TWO:
        raise Undefined("there is one version only")
    table = np.stack([np.asarray(side[0], np.float64) for side in sides], axis=1)
    return table, np.asarray(sides[0][1], dtype=np.int64)


def _spread(columns: Sequence[Column], cluster: Labels, ties: Ties) -> RootMeanSquare:
    table, clusters = _table(columns, cluster, ties)
    codes, k = clustered(clusters)
    apart = 100 * (table - table.mean(axis=1, keepdims=True))
    sums = cluster_sums(apart, codes, k)  # (clusters, versions)
    counts = np.repeat(np.bincount(codes, minlength=k)[:, None], sums.shape[1], axis=1)
    return root_mean_square(sums, counts.astype(np.float64), "templates")
