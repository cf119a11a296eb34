"""Two matrices and the same people: which agrees better, and how far the two agree with each other."""

import numpy as np

from tiltmeter.analysis.people import quantities
from tiltmeter.analysis.people.alignment_numbers import (
    OVER_GROUPS,
    cells,
    mean_tau,
    over_groups,
    pooled,
    resampled,
)
from tiltmeter.analysis.people.quantities import MEAN, POOLED, difference, precision_at
from tiltmeter.core.errors import Undefined
from tiltmeter.core.quantity import Quantity
from tiltmeter.core.results import Estimate, Inference
from tiltmeter.core.types import Array
from tiltmeter.metrics.alignment import precision_rows
from tiltmeter.stats.bootstrap import resamples
from tiltmeter.stats.bootstrap_intervals import stretched
from tiltmeter.stats.correlation import concordance, kendall_rows, kendall_tau


def between(first: Array, second: Array, *, seed: int) -> list[Estimate]:
    """How far two matrices agree with each other, whatever people say."""
    return [
        pooled(first, second, seed=seed, of=quantities.between(POOLED)),
        mean_tau(first, second, seed=seed, of=quantities.between(MEAN)),
    ]


def differences(
    first: Array, second: Array, ratings: Array, *, k: int, seed: int
) -> list[Estimate]:
    """First less second, on the cells that both have; the same resamples of groups for both."""
    both = np.isfinite(first) & np.isfinite(second) & np.isfinite(ratings)
    mine, other, theirs = (np.where(both, values, np.nan) for values in (first, second, ratings))
    taus = kendall_rows(mine, theirs) - kendall_rows(other, theirs)
    precisions = precision_rows(mine, theirs, k=k) - precision_rows(other, theirs, k=k)
    return [
        _pooled_difference(mine, other, theirs, seed),
        _mean_difference(difference(MEAN), taus, seed),
        _mean_difference(difference(precision_at(k)), precisions, seed),
    ]


def _pooled_difference(first: Array, second: Array, ratings: Array, seed: int) -> Estimate:
    x, y, groups = cells(first, ratings)
    other, _, _ = cells(second, ratings)
    try:
        value = kendall_tau(x, y) - kendall_tau(other, y)
    except Undefined as undefined:
        return difference(POOLED).at(None, n=len(x), why=str(undefined))

    def interval() -> tuple[float, float]:
        counts = (
            concordance(x, y, groups), concordance(other, y, groups),
        )  # fmt: skip
        drawn = [
            counts[0].taus(times) - counts[1].taus(times)
            for block in resamples(len(counts[0].together), np.random.default_rng([seed, 7]))
            for times in (block.astype(np.float64),)
        ]
        return stretched(np.concatenate(drawn), value, len(counts[0].together))

    kind = Inference(None, None, interval=OVER_GROUPS)
    inference = resampled(interval, kind, drawn=len(np.unique(groups)))
    return difference(POOLED).at(value, inference, n=len(x))


def _mean_difference(of: Quantity, values: Array, seed: int) -> Estimate:
    defined = values[np.isfinite(values)]
    if not len(defined):
        return of.at(None, why="no group has a value for both")
    inference = over_groups(defined, seed=seed, most=2.0)
    return of.at(float(defined.mean()), inference, n=len(defined))
