"""Intervals of numbers about labelled texts: a bootstrap of texts, or of their templates, within each label.

Drawn within labels, every resample has as many positive texts as the data (up to clusters with both labels),
so that a rare label does not vanish from some.
"""

from collections.abc import Callable, Sequence

import numpy as np

from tiltmeter.core.errors import Undefined
from tiltmeter.core.results import Inference
from tiltmeter.core.types import Array, Column, Integers, Labels
from tiltmeter.metrics.classified import average_precision, positive_predictive_value, roc_auc
from tiltmeter.metrics.counts import CountMetric, few_texts, options_of, share_interval
from tiltmeter.stats.bootstrap import RESAMPLES, clustered, count_of_clusters
from tiltmeter.stats.bootstrap_intervals import enough, percentiles
from tiltmeter.stats.paired_resampling import affordable
from tiltmeter.stats.score_intervals import VariedShare, interval_of_change
from tiltmeter.stats.weighted_ranking import weighted_areas

FEWER = 500
"""Draws for metrics that are computed anew on each."""
CELLS = 4_000_000
FIXED_BY_LABEL: tuple[Callable[..., float], ...] = (positive_predictive_value, average_precision)
"""Metrics that are the same for any answers where all texts have one label, so that no interval is due."""


def infer_stratified(
    metric: Callable[..., float],
    columns: Sequence[Column],
    clusters: Labels,
    rng: np.random.Generator,
) -> Inference:
    """Score interval of shares, means of shares and areas, of others the percentiles; no test.

    No value is neutral. Nothing where the labels alone fix the value.

    Args:
        metric: A `CountMetric`, or a function of (truth_positive, probability).
        columns: Those that it reads; the first says the label.
        clusters: The template of each text, or a number of its own.
        rng: Where the randomness comes from.

    Raises:
        Undefined: There is nothing to resample.
    """
    codes, k = enough(clusters)
    read = [np.asarray(column, np.float64) for column in columns]
    n = len(codes)
    if metric in FIXED_BY_LABEL and np.ptp(read[0]) == 0:
        return Inference(None, None)
    fast = isinstance(metric, CountMetric) or metric is roc_auc
    draws = affordable(n, RESAMPLES if fast else FEWER)
    values = []
    at_once = max(1, CELLS // n)
    for start in range(0, draws, at_once):
        times = cluster_draws(read[0], codes, k, rng, min(at_once, draws - start))
        values.append(_values(metric, read, times, codes, k))
    drawn = np.concatenate(values)
    if isinstance(metric, CountMetric):
        low, high = share_interval(
            metric, metric.counts_by(read, codes, k, options_of(read)), drawn
        )
    else:
        area = metric is roc_auc
        low, high = _area(read, drawn, codes).interval() if area else percentiles(drawn)
    kind = "texts" if k == n else "whole clusters"
    name = f"{'score interval by a ' if fast else ''}bootstrap of {kind} within each label"
    return Inference(low, high, interval=f"{name}, {draws:,} draws", why=few_texts(k))


def _area(read: Sequence[Array], drawn: Array, codes: Integers) -> VariedShare:
    """The area under the ROC curve with its resamples."""
    labels = [codes[read[0] == label] for label in (0, 1)]
    return VariedShare(roc_auc(*read), drawn, len(codes), min(map(count_of_clusters, labels)))


def _values(
    metric: Callable[..., float], read: Sequence[Array], times: Array, codes: Integers, k: int
) -> Array:
    if isinstance(metric, CountMetric):
        counts = metric.counts_by(read, codes, k, options_of(read))
        return metric.formula(times @ counts)
    if metric is roc_auc:
        return weighted_areas(read[0] > 0, read[1], times, codes)
    found = []
    for row in times:
        drawn = np.repeat(np.arange(len(codes)), row[codes].astype(np.int64))
        found.append(metric(*(column[drawn] for column in read)))
    return np.array(found)


def cluster_draws(
    truth: Array, codes: Integers, k: int, rng: np.random.Generator, draws: int
) -> Array:
    """How often each cluster is drawn, shape (draws, k): clusters of one label among themselves.

    >>> truth, codes = np.array([1.0, 0, 0]), np.array([0, 1, 2])
    >>> cluster_draws(truth, codes, 3, np.random.default_rng(0), 2)[:, 0].tolist()
    [1.0, 1.0]
    """
    size = np.bincount(codes, minlength=k)
    mean = np.bincount(codes, weights=truth, minlength=k) / size
    times = np.zeros((draws, k))
    for stratum in np.unique(mean):
        members = np.flatnonzero(mean == stratum)
        m = len(members)
        drawn = rng.integers(m, size=(draws, m)) + np.arange(draws)[:, None] * m
        counted = np.bincount(drawn.ravel(), minlength=draws * m)
        times[:, members] = counted.reshape(draws, m)
    return times


def compare_areas(
    metric: Callable[..., float],
    a: Sequence[Column],
    b: Sequence[Column],
    clusters: Labels,
    rng: np.random.Generator,
) -> tuple[float, Inference]:
    """A's value less B's on the same texts, with a paired interval; no test.

    Probabilities of two models may differ in scale, so exchanging them text by text, as a permutation test
    does, would compare something else.

    Raises:
        Undefined: A model has no value.
    """
    value = metric(*a) - metric(*b)
    codes, k = clustered(clusters)
    of_a, of_b = ([np.asarray(column, np.float64) for column in side] for side in (a, b))
    n = len(codes)
    draws = affordable(n, RESAMPLES if metric is roc_auc else FEWER)
    apart = []
    at_once = max(1, CELLS // n)
    try:
        for start in range(0, draws, at_once):
            times = cluster_draws(of_a[0], codes, k, rng, min(at_once, draws - start))
            both = [_values(metric, side, times, codes, k) for side in (of_a, of_b)]
            apart.append(np.stack(both))
        drawn = np.concatenate(apart, axis=1)  # (2, draws)
        if metric is roc_auc:
            first, second = (
                [_area(of, one, codes)] for of, one in zip((of_a, of_b), drawn, strict=True)
            )
            low, high = interval_of_change(first, second, (1,))
        else:
            low, high = percentiles(drawn[0] - drawn[1])
    except Undefined as undefined:
        return value, Inference(None, None, why=f"no interval: {undefined}")
    kind = "texts" if k == n else "whole clusters"
    how = "score intervals by a " if metric is roc_auc else ""
    name = f"{how}paired bootstrap of {kind} within each label, {draws:,} draws"
    return value, Inference(low, high, interval=name)
