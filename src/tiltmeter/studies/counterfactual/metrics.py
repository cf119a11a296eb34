"""How far a probability moves when a text is edited, and how often the decision changes.

Columns, one row an edit: `before` and `after`, probabilities of positive; `before_positive` and
`after_positive` (1 or 0).

>>> before, after = np.array([0.4, 0.9]), np.array([0.6, 0.9])
>>> mean_change(before, after), mean_absolute_change(before, after)
(10.0, 10.0)
>>> decisions_flipped(np.array([0.0, 1.0]), np.array([1.0, 1.0]))
50.0
"""

import numpy as np

from tiltmeter.core.errors import Undefined
from tiltmeter.core.estimates import Inference
from tiltmeter.core.samples import PairedSample, Sample, uncertainty
from tiltmeter.core.types import Column
from tiltmeter.metrics.counts import few_texts
from tiltmeter.stats.confidence_intervals.bounded_means import bounded_mean
from tiltmeter.stats.confidence_intervals.intervals import mean_interval, wilson_clustered
from tiltmeter.stats.hypothesis_tests.equivalence import claims_of_mean
from tiltmeter.stats.hypothesis_tests.exact_tests import sign_flip
from tiltmeter.stats.resampling.bootstrap_intervals import PERCENT

FEWEST = 30
"""With fewer texts a mean change comes with a caution: simulated where 8 % of texts change much."""


def mean_change(before: Column, after: Column) -> float:
    """Mean change of the probability, in percentage points; 0 where changes cancel out."""
    return float(_points(before, after).mean())


def mean_absolute_change(before: Column, after: Column) -> float:
    """Mean size of the change, in percentage points; 0 where no text changes."""
    return float(np.abs(_points(before, after)).mean())


def decisions_flipped(before_positive: Column, after_positive: Column) -> float:
    """The share of edits after which the other label is given, in percent."""
    return float(np.abs(_points(before_positive, after_positive)).mean())


def _points(before: Column, after: Column) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    points = 100 * (np.asarray(after, np.float64) - np.asarray(before, np.float64))
    if not len(points):
        raise Undefined("there are no edits")
    return np.round(points, 10)


def compare_changes(sample: PairedSample) -> tuple[float, Inference]:
    """A's mean minus B's: score intervals and a sign-flip test over whole texts, for the numbers here."""
    of_a, of_b = (_points(*side) for side in (sample.a, sample.b))
    signed = sample.metric is mean_change
    apart = of_a - of_b if signed else np.abs(of_a) - np.abs(of_b)
    reach = 200.0 if signed else 100.0
    return float(apart.mean()), uncertainty(
        lambda: (
            *mean_interval(apart, sample.clusters, (-reach, reach), confidence=sample.confidence),
            "score intervals of paired texts",
        ),
        lambda: (
            sign_flip(apart, sample.clusters, sample.rng),
            "sign-flip test of whole texts against 0",
        ),
        rough=few_texts(len(np.unique(sample.clusters)), least=FEWEST),
        claims=claims_of_mean(apart, sample.clusters),
    )


def infer_changes(sample: Sample) -> Inference:
    """By metric: an interval that holds however changes are distributed, of a share, or of a signed mean.

    The signed mean has a sign-flip test of whole texts against 0.
    """
    points, clusters = _points(*sample.columns), sample.clusters
    rough = few_texts(len(np.unique(clusters)))
    if sample.metric is decisions_flipped:
        low, high = wilson_clustered(np.abs(points) / 100, clusters)
        return Inference(100 * low, 100 * high, interval="Wilson with a design effect", why=rough)
    if sample.metric is mean_absolute_change:
        return uncertainty(
            lambda: (*bounded_mean(np.abs(points), clusters, PERCENT), "Gaffke interval over texts")
        )
    return uncertainty(
        lambda: (*mean_interval(points, clusters, (-100, 100)), "score intervals over texts"),
        lambda: (
            sign_flip(points, clusters, sample.rng),
            "sign-flip test of whole texts against 0",
        ),
        rough=few_texts(len(np.unique(clusters)), least=FEWEST),
    )
