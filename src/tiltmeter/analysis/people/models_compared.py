"""Two matrices and the same people: which agrees better, and how far the two agree with each other."""

from dataclasses import replace

import numpy as np

from tiltmeter.analysis.people.alignment_numbers import (
    OVER_GROUPS,
    by_groups,
    cells,
    estimate,
    mean_tau,
    pooled,
    with_interval,
)
from tiltmeter.analysis.people.meanings import (
    BETWEEN,
    DIFFERENCE,
    MEAN,
    POOLED,
    meaning_of,
    precision_name,
)
from tiltmeter.core.errors import Undefined
from tiltmeter.core.results import Estimate
from tiltmeter.core.types import Array
from tiltmeter.metrics.alignment import precision_rows
from tiltmeter.stats.bootstrap import resamples
from tiltmeter.stats.bootstrap_intervals import stretched
from tiltmeter.stats.correlation import concordance, kendall_rows, kendall_tau


def between(first: Array, second: Array, *, seed: int) -> list[Estimate]:
    """How far two matrices agree with each other, whatever people say."""
    return [
        _renamed(pooled(first, second, seed=seed), f"{POOLED}_{BETWEEN}"),
        _renamed(mean_tau(first, second, seed=seed), f"{MEAN}_{BETWEEN}"),
    ]


def _renamed(estimate: Estimate, name: str) -> Estimate:
    return replace(estimate, name=name, meaning=meaning_of(name))


def differences(
    first: Array, second: Array, ratings: Array, *, k: int, seed: int
) -> list[Estimate]:
    """First less second, on the cells that both have; the same resamples of groups for both."""
    both = np.isfinite(first) & np.isfinite(second) & np.isfinite(ratings)
    one, other, theirs = (np.where(both, values, np.nan) for values in (first, second, ratings))
    taus = kendall_rows(one, theirs) - kendall_rows(other, theirs)
    precisions = precision_rows(one, theirs, k=k) - precision_rows(other, theirs, k=k)
    return [
        _pooled_difference(one, other, theirs, seed),
        _mean_difference(f"{MEAN}_{DIFFERENCE}", taus, seed),
        _mean_difference(f"{precision_name(k)}_{DIFFERENCE}", precisions, seed),
    ]


def _pooled_difference(first: Array, second: Array, ratings: Array, seed: int) -> Estimate:
    x, y, groups = cells(first, ratings)
    other, _, _ = cells(second, ratings)
    made = estimate(f"{POOLED}_{DIFFERENCE}", len(x))
    try:
        value = kendall_tau(x, y) - kendall_tau(other, y)
    except Undefined as why:
        return replace(made, why=str(why))
    made = replace(made, value=value)

    def interval() -> tuple[float, float]:
        counts = (
            concordance(x, y, groups), concordance(other, y, groups),
        )  # fmt: skip
        drawn = [
            counts[0].taus(times) - counts[1].taus(times)
            for block in resamples(len(counts[0].together), np.random.default_rng([seed, 7]))
            for times in (block.astype(np.float64),)
        ]
        return stretched(np.concatenate(drawn), value, len(counts[0].together), within=(-2.0, 2.0))

    return with_interval(made, OVER_GROUPS, interval, drawn=len(np.unique(groups)))


def _mean_difference(name: str, values: Array, seed: int) -> Estimate:
    defined = values[np.isfinite(values)]
    made = estimate(name, len(defined))
    if not len(defined):
        return replace(made, why="no group has a value for both")
    return by_groups(replace(made, value=float(defined.mean())), defined, seed=seed, most=2.0)
