"""Intervals of numbers about labelled texts: a bootstrap of texts, or of their templates, within each label.

Drawn within labels, every resample has as many positive texts as the data (up to clusters with both labels),
so that a rare label does not vanish from some.
"""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from tiltmeter.core.results import Inference
from tiltmeter.core.samples import PairedSample, Sample, as_numbers, uncertainty
from tiltmeter.core.types import Array, Integers
from tiltmeter.metrics.classified import positive_predictive_value
from tiltmeter.metrics.counts import CountMetric, few_texts, options_of, share_interval
from tiltmeter.metrics.probabilities import ProbabilityMetric, average_precision
from tiltmeter.stats.bootstrap import RESAMPLES, clustered, count_of_clusters
from tiltmeter.stats.bootstrap_intervals import enough
from tiltmeter.stats.paired_resampling import affordable
from tiltmeter.stats.score_intervals import VariedShare, interval_of_change

CELLS = 4_000_000
FIXED_BY_LABEL: tuple[Callable[..., float], ...] = (positive_predictive_value, average_precision)
"""Metrics that are the same for any answers where all texts have one label, so that no interval is due."""


def infer_stratified(sample: Sample) -> Inference:
    """Interval from a bootstrap of clusters within each label; no test, since no value is neutral.

    Nothing where the labels alone fix the value. The first column says the label.

    Raises:
        Undefined: There is nothing to resample.
    """
    metric, rng = sample.metric, sample.rng
    codes, k = enough(sample.clusters)
    read = as_numbers(sample.columns)
    if metric in FIXED_BY_LABEL and np.ptp(read[0]) == 0:
        return Inference(None, None)
    draws = affordable(len(codes), RESAMPLES)
    if isinstance(metric, CountMetric):
        counts = metric.counts_by(read, codes, k, options_of(read))
        times = _chunks(read[0], codes, k, rng, draws)
        drawn = np.concatenate([metric.formula(some @ counts) for some in times])
        how, (low, high) = "score interval", share_interval(metric, counts, drawn)
    else:
        (varied,) = _resampled(
            _of_probabilities(metric), [(read[0], read[1])], codes, k, rng, draws
        )
        how, (low, high) = "score interval", varied.interval()
    kind = "texts" if k == len(codes) else "whole clusters"
    name = f"{how} by a bootstrap of {kind} within each label, {draws:,} draws"
    return Inference(low, high, interval=name, why=few_texts(k))


def compare_probabilities(sample: PairedSample) -> tuple[float, Inference]:
    """A's value less B's on the same texts, with a paired interval; no test. For a `ProbabilityMetric`.

    Probabilities of two models may differ in scale, so exchanging them text by text, as a permutation test
    does, would compare something else.

    Raises:
        Undefined: A model has no value.
    """
    codes, k = clustered(sample.clusters)
    (of_a, p_a), (of_b, p_b) = as_numbers(sample.a), as_numbers(sample.b)
    draws = affordable(len(codes), RESAMPLES)

    def interval() -> tuple[float, float, str]:
        metric = _of_probabilities(sample.metric)
        both = [(of_a, p_a), (of_b, p_b)]
        first, second = _resampled(metric, both, codes, k, sample.rng, draws)
        low, high = interval_of_change([first], [second], (1,))
        kind = "texts" if k == len(codes) else "whole clusters"
        name = f"score interval by a paired bootstrap of {kind} within each label, {draws:,} draws"
        return low, high, name

    return sample.difference, uncertainty(interval)


def _resampled(
    metric: ProbabilityMetric,
    sides: Sequence[tuple[Array, Array]],
    codes: Integers,
    k: int,
    rng: np.random.Generator,
    draws: int,
) -> list[VariedShare]:
    """The metric of each model on the same resamples."""
    truth = sides[0][0]
    drawn: list[list[Array]] = [[] for _ in sides]
    for times in _chunks(truth, codes, k, rng, draws):
        for draws_of_model, side in zip(drawn, sides, strict=True):
            draws_of_model.append(metric.parts(*side, times, codes))
    units = min(count_of_clusters(codes[truth == label]) for label in np.unique(truth))
    return [
        metric.varied(metric.on_all(*side), np.concatenate(draws_of_model), len(codes), units)
        for draws_of_model, side in zip(drawn, sides, strict=True)
    ]


def _chunks(
    truth: Array, codes: Integers, k: int, rng: np.random.Generator, draws: int
) -> Iterator[Array]:
    """Draws of clusters, so many at once as fit into memory."""
    at_once = max(1, CELLS // len(codes))
    for start in range(0, draws, at_once):
        yield cluster_draws(truth, codes, k, rng, min(at_once, draws - start))


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


def _of_probabilities(metric: Callable[..., float]) -> ProbabilityMetric:
    if not isinstance(metric, ProbabilityMetric):
        raise TypeError(f"{metric!r} is no ProbabilityMetric")
    return metric
