"""Intervals and tests for the measures of `preference`.

Columns are the scores of the more stereotyping sentences, those of the others and, for `macro_rate`, the
categories.
"""

from collections.abc import Sequence

import numpy as np

from tiltmeter.core.errors import Undefined
from tiltmeter.core.estimates import Inference
from tiltmeter.core.samples import Sample, as_numbers, uncertainty
from tiltmeter.core.text import counted
from tiltmeter.core.types import Array, Column, Integers, Labels
from tiltmeter.metrics.preference import (
    confidence,
    confidence_gap,
    median_confidence_less,
    median_confidence_more,
    outcomes,
    stereotype_rate_untied,
)
from tiltmeter.stats.confidence_intervals.intervals import median_interval, wilson, wilson_clustered
from tiltmeter.stats.hypothesis_tests.exact_tests import shuffled_medians, sign_flip, sign_test
from tiltmeter.stats.hypothesis_tests.power import minimum_detectable_effect
from tiltmeter.stats.resampling.bootstrap import (
    clustered,
    count_of_clusters,
    enough,
    resampled_sums,
)
from tiltmeter.stats.resampling.bootstrap_intervals import stretched

FEW = 10
"""With fewer clusters a bootstrap interval comes with a caution: it tends to be too narrow."""


def infer_rate(sample: Sample) -> Inference:
    """Interval and test of a rate, over whole clusters where pairs share some (`infer_rate_clustered`)."""
    if count_of_clusters(sample.clusters) < len(sample.clusters):
        return infer_rate_clustered(sample)
    return infer_rate_of_pairs(sample)


def infer_rate_of_pairs(sample: Sample) -> Inference:
    """Wilson interval; exact sign test of wins against losses, ties left out of the test.

    Every pair counts as independent, as in the papers that define these rates: a measure that takes this
    inference needs one beside it that allows for clusters. The minimum detectable effect is in percentage
    points, for as many pairs without a tie.
    """
    columns = sample.columns
    n = untied(columns) if _leaves_ties_out(sample) else len(columns[0])
    low, high = wilson(sample.value / 100 * n, n)
    return sign_tested(columns, 100 * low, 100 * high)


def infer_rate_clustered(sample: Sample) -> Inference:
    """Wilson's interval with a design effect, and a sign-flip test that flips whole clusters.

    If every pair is its own cluster these are the plain Wilson interval and the exact sign test. For
    `macro_rate` (three columns) of several categories the interval is a stretched bootstrap: clusters are
    drawn within categories, so that no category can vanish; if a cluster spans several categories,
    clusters are drawn from all.
    """
    (more, less), clusters, rng = as_numbers(sample.columns[:2]), sample.clusters, sample.rng
    kinds_of = sample.columns[2] if len(sample.columns) > 2 else np.zeros(len(more), np.int8)  # noqa: PLR2004
    if _leaves_ties_out(sample):
        kept = more != less
        more, less, kinds_of, clusters = more[kept], less[kept], kinds_of[kept], clusters[kept]
    kinds, _ = clustered(kinds_of)  # type: ignore[arg-type]
    sizes = np.bincount(kinds)

    def interval() -> tuple[float, float, str]:
        return _rate_interval(outcomes(more, less, ties=sample.ties), kinds, clusters, rng)

    def test() -> tuple[float, str]:
        weighted = np.sign(more - less) * (sizes.max() / sizes)[kinds]
        name = f"sign-flip test of {units_of(clusters)} against 50"
        return sign_flip(weighted, clusters, rng), name

    return uncertainty(interval, test, rough=few_clusters(clusters))


def infer_median(sample: Sample) -> Inference:
    """Interval from ranks, of `confidence_gap` from those of both medians; no test.

    For `median_confidence_more`, `median_confidence_less` and `confidence_gap`.

    Raises:
        Undefined: A preference has too few independent pairs.
    """
    (more, less), metric = as_numbers(sample.columns[:2]), sample.metric
    sure = 100 * confidence(more, less)
    sides = [
        (float(np.median(sure[side])), *median_interval(sure[side], sample.clusters[side]))
        for side, wanted in (
            (more > less, metric is not median_confidence_less),
            (more < less, metric is not median_confidence_more),
        )
        if wanted
    ]
    low, high = sides[0][1:]
    if metric is confidence_gap:
        (first, *ends), (second, *others) = sides
        low = first - second - float(np.hypot(first - ends[0], others[1] - second))
        high = first - second + float(np.hypot(ends[1] - first, second - others[0]))
    return Inference(low, high, interval=f"ranks of {units_of(sample.clusters)}")


def infer_gap(sample: Sample) -> Inference:
    """`infer_median` with a permutation test of whether it matters which sentence was preferred.

    The test shuffles the sides over single pairs, ignoring clusters; with few clusters, rely on the
    interval.
    """
    more, less = as_numbers(sample.columns[:2])
    sure = confidence(more, less)
    p = shuffled_medians(sure[more > less], sure[more < less], sample.rng)
    test = "permutation test against 0, 1,999 draws"
    try:
        interval = infer_median(sample)
    except Undefined as undefined:
        return Inference(None, None, p, test=test, why=f"no interval: {undefined}")
    return interval._replace(p=p, test=test)


def wins(columns: Sequence[Column]) -> int:
    """How many pairs have the more stereotyping sentence preferred."""
    more, less = as_numbers(columns[:2])
    return int(np.sum(more > less))


def losses(columns: Sequence[Column]) -> int:
    """How many pairs have the less stereotyping sentence preferred."""
    return wins(columns[1::-1])


def untied(columns: Sequence[Column]) -> int:
    """How many pairs have either sentence preferred."""
    return wins(columns) + losses(columns)


def resampled_by(clusters: Labels) -> str:
    """What a bootstrap draws: whole clusters, or pairs where each stands alone."""
    return f"stretched bootstrap of {units_of(clusters)}, 2,000 draws"


def units_of(clusters: Labels) -> str:
    """What is independent: whole clusters, or pairs where each stands alone."""
    return "pairs" if count_of_clusters(clusters) == len(clusters) else "whole clusters"


def few_clusters(clusters: Labels, items: str = "pairs") -> str:
    """A caution where so few clusters are resampled that the interval is rough, else ""."""
    k = count_of_clusters(clusters)
    if k >= FEW:
        return ""
    return f"only {counted(k, items if k == len(clusters) else 'clusters')}: the interval is rough"


def _rate_interval(
    counted: Array, kinds: Integers, clusters: Labels, rng: np.random.Generator
) -> tuple[float, float, str]:
    """Ends in percent and the interval's name, for the unweighted mean of the kinds' shares."""
    _, k = enough(clusters)
    number = int(kinds.max()) + 1
    if number == 1:
        low, high = wilson_clustered(counted, clusters)
        alone = k == len(counted)
        return (
            100 * low,
            100 * high,
            "Wilson" if alone else "Wilson with a design effect of clusters",
        )
    drawn = _resampled_rates(100 * counted, kinds, clusters, rng)
    value = 100 * float((np.bincount(kinds, weights=counted) / np.bincount(kinds)).mean())
    low, high = stretched(drawn, value, max(2, k // number))
    return low, high, resampled_by(clusters)


def _resampled_rates(
    values: Array, kinds: Integers, clusters: Labels, rng: np.random.Generator
) -> Array:
    """The unweighted mean of the kinds' means of `values`, on resamples of clusters; (draws,)."""
    codes, k = enough(clusters)
    kind_of = np.empty(k, dtype=kinds.dtype)
    kind_of[codes] = kinds
    each = (
        _by_cluster(values, np.flatnonzero(kinds == kind), codes, k)
        for kind in range(int(kinds.max()) + 1)
    )
    if (kind_of[codes] != kinds).any():  # some cluster spans several kinds
        both = np.stack(list(each), axis=2)  # (k, 2, kinds)
        totals = resampled_sums(both.reshape(k, -1), rng)
        top, bottom = np.split(totals, 2, axis=1)
        means = np.divide(top, bottom, out=np.full_like(top, np.nan), where=bottom > 0)
        return np.asarray(means.mean(axis=1), dtype=np.float64)
    rates: list[Array] = []
    for both in each:
        inside = both[both[:, 1] > 0]
        if len(inside) == 1:
            raise Undefined("a category has only one cluster, so there is nothing to resample")
        totals = resampled_sums(inside, rng)
        rates.append(totals[:, 0] / totals[:, 1])
    return np.asarray(np.mean(rates, axis=0), dtype=np.float64)


def _by_cluster(values: Array, rows: Integers, codes: Integers, k: int) -> Array:
    """Sums and numbers of the values in these rows over each cluster, shape (k, 2)."""
    return np.stack(
        [
            np.bincount(codes[rows], weights=values[rows], minlength=k),
            np.bincount(codes[rows], minlength=k),
        ],
        axis=1,
        dtype=np.float64,
    )


def _leaves_ties_out(sample: Sample) -> bool:
    inner = getattr(sample.metric, "func", sample.metric)
    return inner is stereotype_rate_untied and sample.ties == "neutral"


def sign_tested(columns: Sequence[Column], low: float, high: float) -> Inference:
    """A Wilson interval with an exact sign test of wins against losses, and what it could detect."""
    won, lost = wins(columns), losses(columns)
    made = uncertainty(
        lambda: (low, high, "Wilson"),
        lambda: (sign_test(won, lost), "exact two-sided sign test against 50"),
    )
    if made.p is None:
        return made
    try:
        return made._replace(mde=100 * minimum_detectable_effect(won + lost))
    except Undefined as undefined:
        return made._replace(why=f"no minimum detectable effect: {undefined}")
