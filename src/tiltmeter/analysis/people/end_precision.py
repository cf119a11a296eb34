"""Precision of a group's highest pairs and of its lowest pairs, apart."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tiltmeter.analysis.people.alignment_numbers import OVER_GROUPS, estimate, with_interval
from tiltmeter.analysis.people.meanings import BOTTOM, TOP, end_name
from tiltmeter.core.results import Estimate
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
    found = []
    for end, values in zip((TOP, BOTTOM), end_precision_rows(scores, ratings, k=k), strict=True):
        name, known = end_name(k, end), values[np.isfinite(values)]
        whole = replace(estimate(name, len(known)), neutral=None)
        found.append(_mean_of_groups(whole, known, k, seed))
        for subset, value in zip(subsets, values, strict=True):
            one = replace(estimate(name, k, groups=subset), neutral=None)
            if np.isfinite(value):
                one = replace(one, value=float(value), why=f"no interval: a share of {k} pairs")
            else:
                one = replace(one, n=0, why=f"{2 * k} pairs of traits are needed")
            found.append(one)
    return found


def _mean_of_groups(made: Estimate, values: Array, k: int, seed: int) -> Estimate:
    """The mean of values that are one a group, with its interval."""
    if not len(values):
        return replace(made, why=f"no group has {2 * k} pairs of traits")
    rng, labels = np.random.default_rng([seed, 9]), np.arange(len(values))
    return with_interval(
        replace(made, value=float(values.mean())),
        OVER_GROUPS,
        lambda: bootstrap_mean(values, labels, rng, within=(0.0, 1.0)),
        drawn=len(values),
    )
