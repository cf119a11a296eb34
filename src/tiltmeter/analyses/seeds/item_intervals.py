"""The interval over items of a weighted sum of runs' numbers, all runs held fixed."""

from collections.abc import Sequence
from math import isfinite

import numpy as np

from tiltmeter.core.errors import BadInput, Undefined
from tiltmeter.core.measures import RowValues
from tiltmeter.core.results import Result
from tiltmeter.core.types import Array
from tiltmeter.derived.comparisons.item_values import ItemValues, item_values
from tiltmeter.stats.confidence_intervals.bounded_means import bounded_mean
from tiltmeter.stats.confidence_intervals.intervals import difference_interval, student
from tiltmeter.stats.hypothesis_tests.t_tests import freedom_of_spread
from tiltmeter.stats.resampling.bootstrap import cluster_sums, enough


def values_over_items(runs: Sequence[Result], measure: str) -> ItemValues:
    """The numbers of single items of these runs.

    Raises:
        Undefined: The runs have no records, or the study is not known here or has no such number over all
            items, or nothing is answered by all.
    """
    if not all(len(run.records) for run in runs):
        raise Undefined("some runs have no records of items")
    try:
        return item_values(runs, measure)
    except BadInput as error:
        raise Undefined(str(error)) from error


def interval_over_items(values: ItemValues, weights: Array) -> tuple[float, float]:
    """How far the weighted sum of the runs' numbers may reach below and above itself, for other items.

    Args:
        values: Of the runs.
        weights: One for each run; 1/S each for a mean, some negative for a difference.

    Returns:
        Two distances.

    Raises:
        Undefined: There are no two clusters, nothing shows how items differ, or they add up to the logarithm
            of the measure.
    """
    if values.of_logarithm:
        raise Undefined("its items add up to its logarithm")
    m, each = values.measure, weights @ values.table
    bounds: RowValues | None = m.mean_of or getattr(m.metric, "mean_of", None)
    mean = float(each.mean())
    if bounds is None or not isfinite(bounds.most - bounds.least):
        low, high = _by_student(each, values, mean)
    elif (weights < 0).any():
        most = (bounds.most - bounds.least) * float(weights[weights > 0].sum())
        low, high = difference_interval(each, values.clusters, most)
    else:
        low, high = bounded_mean(each, values.clusters, (bounds.least, bounds.most))
    return mean - low, high - mean


def _by_student(each: Array, values: ItemValues, mean: float) -> tuple[float, float]:
    """Student's t over clusters, with fewer degrees of freedom where few of them are far from the others."""
    codes, k = enough(values.clusters)
    pulls = cluster_sums(each - mean, codes, k) / len(each)
    error = (k / (k - 1) * float(pulls @ pulls)) ** 0.5
    return student(mean, error, min(k - 1, freedom_of_spread(pulls)))[:2]


def as_if_together(
    values: Sequence[float], ends: Sequence[tuple[float, float]]
) -> tuple[float, float]:
    """The mean distances to both ends of intervals: those of a mean of runs that err together.

    The standard error of a mean is at most the mean of the standard errors.

    >>> as_if_together([50.0, 52.0], [(45.0, 55.0), (49.0, 55.0)])
    (4.0, 4.0)
    """
    below = np.mean([value - low for value, (low, _) in zip(values, ends, strict=True)])
    above = np.mean([high - value for value, (_, high) in zip(values, ends, strict=True)])
    return float(below), float(above)
