"""Intervals of numbers about labelled texts, from resamples of texts or of their templates.

Resamples vary in how many texts are positive, as samples do, and F1 and the Brier score with them. Where the
design of the data fixes that number, texts are drawn within their labels, and so they are for what does not
depend on it, such as the area under the ROC curve.
"""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from tiltmeter.core.estimates import Inference
from tiltmeter.core.samples import PairedSample, Sample, as_numbers, uncertainty
from tiltmeter.core.text import counted
from tiltmeter.core.types import Array, Integers
from tiltmeter.metrics.classified import positive_predictive_value
from tiltmeter.metrics.counts import WITHIN, CountMetric, few_texts
from tiltmeter.metrics.probabilities import ProbabilityMetric, average_precision
from tiltmeter.stats.confidence_intervals.score_intervals import VariedShare, interval_of_change
from tiltmeter.stats.resampling.alike_rows import MANY, alike_rows
from tiltmeter.stats.resampling.bootstrap import (
    RESAMPLES,
    clustered,
    count_of_clusters,
    enough,
    label_strata,
    resamples,
    resamples_within,
)
from tiltmeter.stats.resampling.paired_resampling import affordable

FIXED_BY_LABEL: tuple[Callable[..., float], ...] = (positive_predictive_value, average_precision)
"""Metrics that are the same for any answers where all texts have one label, so that no interval is due."""


def infer_labelled(sample: Sample) -> Inference:
    """Wilson's interval of shares, a score interval from resamples of other numbers; no test.

    No value is neutral. Nothing where the labels alone fix the value. The first column says the label.

    Raises:
        Undefined: There is nothing to resample.
    """
    metric, codes = sample.metric, enough(sample.clusters)[0]
    read = as_numbers(sample.columns)
    if metric in FIXED_BY_LABEL and np.ptp(read[0]) == 0:
        return Inference(None, None)
    if isinstance(metric, CountMetric):
        return metric.infer(sample)
    draws = affordable(len(codes), RESAMPLES)
    metric = _of_probabilities(metric)
    ((varied,), kind) = _resampled(
        metric, [(read[0], read[1])], codes, sample.rng, draws, fixed=sample.fixed
    )
    low, high = varied.interval()
    name = f"score interval by a bootstrap of {kind}, {counted(draws, 'draws')}"
    return Inference(low, high, interval=name, why=few_texts(int(codes.max()) + 1))


def compare_probabilities(sample: PairedSample) -> tuple[float, Inference]:
    """A's value minus B's on the same texts, with a paired interval; no test. For a `ProbabilityMetric`.

    Probabilities of two models may differ in scale, so exchanging them text by text, as a permutation test
    does, would compare something else.

    Raises:
        Undefined: A model has no value.
    """
    codes, _ = clustered(sample.clusters)
    (of_a, p_a), (of_b, p_b) = as_numbers(sample.a), as_numbers(sample.b)
    draws = affordable(len(codes), RESAMPLES)

    def interval() -> tuple[float, float, str]:
        both = [(of_a, p_a), (of_b, p_b)]
        (first, second), kind = _resampled(
            _of_probabilities(sample.metric), both, codes, sample.rng, draws, fixed=sample.fixed
        )
        low, high = interval_of_change([first], [second], (1,), confidence=sample.confidence)
        return (
            low,
            high,
            f"score interval by a paired bootstrap of {kind}, {counted(draws, 'draws')}",
        )

    return sample.difference, uncertainty(interval)


def _resampled(
    metric: ProbabilityMetric,
    sides: Sequence[tuple[Array, Array]],
    codes: Integers,
    rng: np.random.Generator,
    draws: int,
    *,
    fixed: bool,
) -> tuple[list[VariedShare], str]:
    """The metric of each model on the same resamples, and what these draw, in words."""
    truth, k = sides[0][0], int(codes.max()) + 1
    within = fixed or metric.given_labels
    drawn: list[list[Array]] = [[] for _ in sides]
    if len(sides) == 1 and metric.given_labels and k == len(codes) >= MANY:
        drawn = [list(_counted_draws(metric, *sides[0], rng))]
    else:
        for times in _cluster_draws(truth, codes, k, rng, draws, within=within):
            for draws_of_model, side in zip(drawn, sides, strict=True):
                draws_of_model.append(metric.terms(*side, times.astype(np.float64), codes))
    units = min(count_of_clusters(codes[truth == label]) for label in np.unique(truth))
    varied = [
        metric.varied(metric.on_all(*side), np.concatenate(draws_of_model), len(codes), units)
        for draws_of_model, side in zip(drawn, sides, strict=True)
    ]
    return varied, f"{'texts' if k == len(codes) else 'whole clusters'}{WITHIN * within}"


def _counted_draws(
    metric: ProbabilityMetric, truth: Array, scores: Array, rng: np.random.Generator
) -> Iterator[Array]:
    """The metric's terms on resamples of very many single texts within their labels, in blocks."""
    alike = alike_rows(truth.astype(np.int64), scores, np.zeros(len(truth), dtype=np.int64))
    each = np.arange(len(alike.times))
    for times in alike.resamples(rng, RESAMPLES):
        yield metric.terms(truth[alike.first], alike.scores, times.astype(np.float64), each)


def _cluster_draws(
    truth: Array, codes: Integers, k: int, rng: np.random.Generator, draws: int, *, within: bool
) -> Iterator[Integers]:
    """How often each cluster is drawn, shape (draws, k), in blocks: of one label among themselves, or of all.

    A draw of all that lacks a label, without which nothing is defined, is made within labels instead.
    """
    strata, n = label_strata(truth, codes, k), len(codes)
    if within:
        yield from resamples_within(strata, rng, draws=draws, cells=n)
        return
    labels = np.unique(truth)
    there = np.stack([np.bincount(codes[truth == label], minlength=k) for label in labels], axis=1)
    for times in resamples(k, rng, draws=draws, cells=n):
        lost = np.flatnonzero((times @ there == 0).any(axis=1))
        if len(lost):
            again = resamples_within(strata, rng, draws=len(lost), cells=n)
            times[lost] = np.concatenate(list(again))
        yield times


def _of_probabilities(metric: Callable[..., float]) -> ProbabilityMetric:
    if not isinstance(metric, ProbabilityMetric):
        raise TypeError(f"{metric!r} is no ProbabilityMetric")
    return metric
