"""How well labels are predicted: F1 under its three averages, accuracy, precision, recall.

Columns, one row a text: `truth` and `said`, indices of labels from 0; `truth_positive` and `said_positive`
(1 or 0). An F1 without its average says little where one label is rare: the weighted one is close to the
frequent label's. All are percentages.

F1 is 2TP / (2TP + FP + FN), as in scikit-learn: 0 for a label that is never found. The F1 of the positive
label has no value where there are no positive texts; the averages leave out only labels that neither occur
nor are said.

>>> truth, predicted = np.array([1.0, 1, 0, 0, 0, 0]), np.array([1.0, 0, 1, 0, 0, 0])
>>> f1_positive(truth, predicted), f1_macro(truth, predicted), f1_weighted(truth, predicted)
(50.0, 62.5, 66.66666666666667)
"""

from collections.abc import Sequence

import numpy as np

from tiltmeter.core.types import Array, Integers
from tiltmeter.metrics.counts import LEFT_OUT, CountMetric, percentage, share

TP, FN, FP, TN = range(4)


def _two(columns: Sequence[Array]) -> Integers:
    """The cell of each text, from the columns truth_positive and said_positive."""
    truth, predicted = columns
    cells = np.where(truth > 0, np.where(predicted > 0, TP, FN), np.where(predicted > 0, FP, TN))
    return np.asarray(np.where(truth < 0, LEFT_OUT, cells), dtype=np.int64)


def _f1(counts: Array) -> Array:
    tp, positive = counts[..., TP], counts[..., TP] + counts[..., FN]
    return percentage(2 * tp, np.where(positive > 0, tp + counts[..., FP] + positive, 0))


def _why(counts: Array) -> str:
    if not counts[TP] + counts[FN]:
        return "there are no positive texts"
    if not counts[FP] + counts[TN]:
        return "there are no negative texts"
    return "no text is called positive"


true_positive_rate = share("true_positive_rate", _two, 4, gains=(TP,), rests=(TP, FN), why=_why)
"""The share of positive texts that are called positive: recall."""
false_positive_rate = share("false_positive_rate", _two, 4, gains=(FP,), rests=(FP, TN), why=_why)
"""The share of negative texts that are called positive."""
positive_predictive_value = share(
    "positive_predictive_value", _two, 4, gains=(TP,), rests=(TP, FP), why=_why
)
"""The share of texts called positive that are positive: precision."""
f1_positive = CountMetric("f1_positive", _two, 4, _f1, _why)
"""F1 of the positive label."""
selection_rate = share("selection_rate", _two, 4, gains=(TP, FP), rests=(TP, FN, FP, TN), why=_why)
"""The share of all texts that is called positive."""
positive_share = share("positive_share", _two, 4, gains=(TP, FN), rests=(TP, FN, FP, TN), why=_why)
"""The share of all texts that is positive."""


def _square(columns: Sequence[Array], options: int) -> Integers:
    """The cell of each text in a table of labels, from the columns truth and said."""
    truth, predicted = columns
    return np.asarray(truth * options + predicted, dtype=np.int64)


def _tables(counts: Array) -> tuple[Array, Array, Array]:
    """Right, true and said of each label, shape (…, labels)."""
    k = round(counts.shape[-1] ** 0.5)
    table = counts.reshape(*counts.shape[:-1], k, k)  # (…, truth, said)
    return np.diagonal(table, axis1=-2, axis2=-1), table.sum(axis=-1), table.sum(axis=-2)


def _each_f1(counts: Array) -> tuple[Array, Array]:
    """F1 of each label, NaN where it neither occurs nor is said; and how often each occurs."""
    right, true, predicted = _tables(counts)
    return percentage(2 * right, true + predicted), true


def _macro(counts: Array) -> Array:
    each, _ = _each_f1(counts)
    there = ~np.isnan(each)
    total = np.where(there, each, 0.0).sum(axis=-1)
    return percentage(total / 100, there.sum(axis=-1))


def _weighted(counts: Array) -> Array:
    each, true = _each_f1(counts)
    return percentage((np.where(true > 0, each, 0.0) * true).sum(axis=-1) / 100, true.sum(axis=-1))


def _right(columns: Sequence[Array]) -> Integers:
    truth, predicted = columns
    return np.where(truth == predicted, 0, 1)


def _nothing(counts: Array) -> str:
    del counts
    return "there are no texts"


f1_macro = CountMetric("f1_macro", _square, 0, _macro, _nothing, each=lambda c: _each_f1(c)[0])
"""The mean of the F1 of all labels: each label counts alike."""
f1_weighted = CountMetric("f1_weighted", _square, 0, _weighted, _nothing)
"""The mean of the F1 of all labels, weighted by how often each occurs."""
accuracy = share("accuracy", _right, 2, gains=(0,), rests=(0, 1), why=_nothing)
"""The share of texts that get the right label."""
