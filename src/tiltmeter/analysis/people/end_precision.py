"""Precision of a group's highest pairs and of its lowest pairs, apart."""

from collections.abc import Sequence

import numpy as np

from tiltmeter.analysis.people.alignment_numbers import OVER_GROUPS, resampled
from tiltmeter.analysis.people.quantities import BOTTOM, TOP, end_precision
from tiltmeter.core.analysis import Quantity
from tiltmeter.core.results import Estimate, Inference
from tiltmeter.core.types import Array, Groups
from tiltmeter.metrics.alignment import end_precision_rows
from tiltmeter.stats.bootstrap_intervals import bootstrap_mean


def by_end(
    subsets: Sequence[Groups], scores: Array, ratings: Array, *, k: int, seed: int
) -> list[Estimate]:
    """Precision of the k highest pairs and of the k lowest apart: over groups, and of each group.

    Without a neutral value or a test: what a random order gives depends on how many pairs people put on
    that side.
    """
    estimates = []
    for end, values in zip((TOP, BOTTOM), end_precision_rows(scores, ratings, k=k), strict=True):
        of = end_precision(k, end)
        estimates.append(_mean_of_groups(of, values[np.isfinite(values)], k, seed))
        for subset, value in zip(subsets, values, strict=True):
            if np.isfinite(value):
                why = f"no interval: a share of {k} pairs"
                estimates.append(of.at(float(value), n=k, why=why, groups=subset))
            else:
                why = f"{2 * k} pairs of traits are needed"
                estimates.append(of.at(None, why=why, groups=subset))
    return estimates


def _mean_of_groups(of: Quantity, values: Array, k: int, seed: int) -> Estimate:
    """The mean of values that are one a group, with its interval."""
    if not len(values):
        return of.at(None, why=f"no group has {2 * k} pairs of traits")
    rng, labels = np.random.default_rng([seed, 9]), np.arange(len(values))
    inference = resampled(
        lambda: bootstrap_mean(values, labels, rng, within=(0.0, 1.0)),
        Inference(None, None, interval=OVER_GROUPS),
        drawn=len(values),
    )
    return of.at(float(values.mean()), inference, n=len(values))
