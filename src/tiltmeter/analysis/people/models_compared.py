"""Two models and the people: which of them is nearer, and how far they agree with each other."""

from dataclasses import replace

import numpy as np

from tiltmeter.analysis.people.alignment_numbers import (
    MEAN,
    OVER_GROUPS,
    POOLED,
    by_groups,
    cells,
    estimate,
    mean_tau,
    pooled,
    precision_name,
    with_interval,
)
from tiltmeter.core.errors import Undefined
from tiltmeter.core.results import Estimate
from tiltmeter.core.types import Array
from tiltmeter.metrics.alignment import precision_rows
from tiltmeter.stats.bootstrap import resamples
from tiltmeter.stats.correlation import concordance, kendall_rows, kendall_tau
from tiltmeter.stats.intervals import percentiles


def between(first: Array, second: Array, *, seed: int) -> list[Estimate]:
    """How far two matrices agree with each other, whatever people say."""
    return [
        replace(pooled(first, second, seed=seed), name=f"{POOLED}_between"),
        replace(mean_tau(first, second, seed=seed), name=f"{MEAN}_between"),
    ]


def differences(first: Array, second: Array, said: Array, *, k: int, seed: int) -> list[Estimate]:
    """First less second, on the cells that both have; the same resamples of groups for both."""
    both = np.isfinite(first) & np.isfinite(second) & np.isfinite(said)
    one, other, theirs = (np.where(both, values, np.nan) for values in (first, second, said))
    taus = kendall_rows(one, theirs) - kendall_rows(other, theirs)
    precisions = precision_rows(one, theirs, k=k) - precision_rows(other, theirs, k=k)
    return [
        _pooled_difference(one, other, theirs, seed),
        _mean_difference(f"{MEAN}_difference", taus, seed),
        _mean_difference(f"{precision_name(k)}_difference", precisions, seed),
    ]


def _pooled_difference(first: Array, second: Array, said: Array, seed: int) -> Estimate:
    x, y, groups = cells(first, said)
    other, _, _ = cells(second, said)
    made = estimate(f"{POOLED}_difference", len(x))
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
        return percentiles(np.concatenate(drawn))

    return with_interval(made, OVER_GROUPS, interval, drawn=len(np.unique(groups)))


def _mean_difference(name: str, values: Array, seed: int) -> Estimate:
    told = values[np.isfinite(values)]
    made = estimate(name, len(told))
    if not len(told):
        return replace(made, why="no group has a value for both")
    return by_groups(replace(made, value=float(told.mean())), told, seed=seed)
