"""How far a probability moves when a text is edited, and how often the decision changes.

Columns, one row an edit: `before` and `after`, probabilities of positive; `before_positive` and
`after_positive` (1 or 0).

>>> before, after = np.array([0.4, 0.9]), np.array([0.6, 0.9])
>>> mean_change(before, after), mean_absolute_change(before, after)
(10.0, 10.0)
>>> decisions_flipped(np.array([0.0, 1.0]), np.array([1.0, 1.0]))
50.0
"""

from collections.abc import Callable, Sequence

import numpy as np

from tiltmeter.core.errors import Undefined
from tiltmeter.core.results import Inference
from tiltmeter.core.types import Column, Labels
from tiltmeter.metrics.counts import few_texts
from tiltmeter.stats.bootstrap_intervals import bootstrap_mean
from tiltmeter.stats.significance import sign_flip


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


def infer_changes(
    metric: Callable[..., float],
    columns: Sequence[Column],
    clusters: Labels,
    rng: np.random.Generator,
) -> Inference:
    """Bootstrap of whole texts; for the mean change also a sign-flip test of whole texts against 0."""
    points = _points(*columns)
    signed = metric is mean_change
    values = points if signed else np.abs(points)
    why = [few] if (few := few_texts(len(np.unique(clusters)))) else []
    low, high, p, interval, test = None, None, None, "", ""
    try:
        low, high = bootstrap_mean(values, clusters, rng, within=(-100.0 if signed else 0.0, 100.0))
        interval = "stretched bootstrap of texts, 2,000 draws"
    except Undefined as undefined:
        why.append(f"no interval: {undefined}")
    if signed:
        try:
            p = sign_flip(values, clusters, rng)
            test = "sign-flip test of whole texts against 0"
        except Undefined as undefined:
            why.append(f"no test: {undefined}")
    return Inference(low, high, p, interval, test, why="; ".join(why))
