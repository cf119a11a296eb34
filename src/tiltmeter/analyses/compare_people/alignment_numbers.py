"""The numbers of an alignment with people, each with how sure it is.

`scores` are the model's and `ratings` people's means, both (groups, pairs) on the same groups and pairs,
turned the same way; NaN where either has none. docs/how-to/people.md says what each number means.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from tiltmeter.analyses.compare_people import quantities
from tiltmeter.analyses.compare_people.quantities import (
    BOTTOM,
    MEAN,
    OWN,
    POOLED,
    TOP,
    difference,
    end_precision,
    precision_at,
)
from tiltmeter.core.errors import Undefined
from tiltmeter.core.estimates import Estimate, Inference
from tiltmeter.core.quantity import Quantity
from tiltmeter.core.samples import uncertainty
from tiltmeter.core.text import counted
from tiltmeter.core.types import Array, Groups, Integers
from tiltmeter.metrics.alignment import (
    end_precision_rows,
    mean_kendall_tau,
    precision_p,
    precision_rows,
)
from tiltmeter.stats.confidence_intervals.bounded_means import bounded_mean
from tiltmeter.stats.confidence_intervals.intervals import mean_interval
from tiltmeter.stats.correlations.correlation import (
    concordance,
    kendall_interval,
    kendall_p,
    kendall_rows,
    kendall_tau,
)
from tiltmeter.stats.hypothesis_tests.exact_tests import holm, sign_flip
from tiltmeter.stats.resampling.bootstrap import RESAMPLES, resamples
from tiltmeter.stats.resampling.bootstrap_intervals import stretched

OVER_GROUPS = f"stretched bootstrap over groups, {RESAMPLES:,} resamples"
MEAN_OVER_GROUPS = "score interval over groups"
OVER_PAIRS = f"stretched bootstrap over pairs of traits, {RESAMPLES:,} resamples"
SHUFFLES = 9_999
# Each number draws from [seed, a number of its own], so that what else is computed does not change it.
FEW = 10
"""An interval from fewer groups than this is rough."""


def overall(scores: Array, ratings: Array, *, k: int, seed: int) -> list[Estimate]:
    """Over all groups: pooled tau, mean tau, precision at k, and whether groups matter."""
    return [
        pooled(scores, ratings, seed=seed),
        mean_tau(scores, ratings, seed=seed),
        precision(scores, ratings, k=k, seed=seed),
        own_less_others(scores, ratings, seed=seed),
    ]


def pooled(
    scores: Array, ratings: Array, *, seed: int, of: Quantity = POOLED, groups: Groups | None = None
) -> Estimate:
    """Kendall's tau over all cells at once.

    Args:
        scores: The model's.
        ratings: People's, or another model's.
        seed: Of the bootstrap.
        of: What the number is called.
        groups: Of which subset it is.
    """
    x, y, rows = cells(scores, ratings)
    test = Inference(None, None, None, OVER_GROUPS, ", as if cells were independent")
    rng, drawn = np.random.default_rng([seed, 2]), len(np.unique(rows))
    return _tau(x, y, rows, rng, test, of=of, groups=groups, drawn=drawn)


def _tau(
    x: Array,
    y: Array,
    units: Integers,
    rng: np.random.Generator,
    kind: Inference,
    *,
    of: Quantity = POOLED,
    groups: Groups | None = None,
    drawn: int = FEW,
) -> Estimate:
    """Tau of these cells; `kind` says how the interval is made, and what to know of Kendall's test."""
    try:
        value = kendall_tau(x, y)
        p, how = kendall_p(x, y)
    except Undefined as undefined:
        return of.at(None, n=len(x), why=str(undefined), groups=groups)
    inference = resampled(
        lambda: kendall_interval(x, y, units, rng),
        kind._replace(p=p, test=f"Kendall’s test, {how}{kind.test}"),
        drawn=drawn,
    )
    return of.at(value, inference, n=len(x), groups=groups)


def mean_tau(scores: Array, ratings: Array, *, seed: int, of: Quantity = MEAN) -> Estimate:
    """The mean over groups of Kendall's tau within a group; `of` is what it is called."""
    taus = kendall_rows(scores, ratings)
    taus = taus[np.isfinite(taus)]
    try:
        value = mean_kendall_tau(scores, ratings)
    except Undefined as undefined:
        return of.at(None, n=len(taus), why=str(undefined))
    return of.at(value, over_groups(taus, seed=seed), n=len(taus))


def precision(scores: Array, ratings: Array, *, k: int, seed: int) -> Estimate:
    """The mean over groups of precision at k; 1/2 is what a random order gives."""
    values = precision_rows(scores, ratings, k=k)
    there = np.isfinite(values)
    n = int(there.sum())
    if not n:
        most = int((np.isfinite(scores) & np.isfinite(ratings)).sum(axis=1).max(initial=0))
        why = f"{2 * k} pairs of traits are needed, and groups have at most {most}"
        return precision_at(k).at(None, why=why)
    rng = np.random.default_rng([seed, 3])
    p = precision_p(list(scores[there]), list(ratings[there]), rng, k=k)
    inference = resampled(
        lambda: bounded_mean(values[there], np.arange(n), (0, 1)),
        Inference(
            None,
            None,
            p,
            MEAN_OVER_GROUPS,
            "permutation of people’s pairs within groups, against 1/2",
        ),
        drawn=n,
    )
    return precision_at(k).at(float(values[there].mean()), inference, n=n)


def own_less_others(scores: Array, ratings: Array, *, seed: int) -> Estimate:
    """Mean tau with what people say of the group, less that with what they say of other groups.

    0 where what a model says of a group fits any group as well. Tested by dealing people's rows to the
    groups anew.
    """
    n, pairs = scores.shape
    if n < 2:  # noqa: PLR2004
        return OWN.at(None, n=n, why="there is only one group")
    wide = (n, n, pairs)
    taus = kendall_rows(
        np.broadcast_to(scores[:, None], wide).reshape(-1, pairs),
        np.broadcast_to(ratings[None], wide).reshape(-1, pairs),
    ).reshape(n, n)
    if not np.isfinite(taus).all():
        why = "some groups have too few pairs of traits in common with others"
        return OWN.at(None, n=n, why=why)
    value = _own_less_others(taus, np.ones((1, n)))[0]
    rng = np.random.default_rng([seed, 4])
    orders = rng.permuted(np.tile(np.arange(n), (SHUFFLES, 1)), axis=1)
    dealt = taus[np.arange(n), orders].mean(axis=1)
    centre, seen = float(taus.mean()), float(np.trace(taus)) / n
    extreme = np.count_nonzero(np.abs(dealt - centre) >= abs(seen - centre) - 1e-12)
    p = (1 + int(extreme)) / (1 + SHUFFLES)

    def interval() -> tuple[float, float]:
        blocks = resamples(n, rng)
        drawn = [_own_less_others(taus, block.astype(np.float64)) for block in blocks]
        return stretched(np.concatenate(drawn), float(value), n)

    uncertain = Inference(None, None, p, OVER_GROUPS, "permutation of people’s groups")
    return OWN.at(float(value), resampled(interval, uncertain, drawn=n), n=n)


def _own_less_others(taus: Array, times: Array) -> Array:
    """For each resample of groups, (r, n) to (r,); a group and its copy are one group."""
    apart = taus * (1 - np.eye(len(taus)))
    pairs = times.sum(axis=1) ** 2 - (times**2).sum(axis=1)
    own_taus = times @ np.diag(taus) / times.sum(axis=1)
    other = np.full(len(times), np.nan)
    np.divide(((times @ apart) * times).sum(axis=1), pairs, out=other, where=pairs > 0)
    return np.asarray(own_taus - other, dtype=np.float64)


def by_group(
    subsets: Sequence[Groups], scores: Array, ratings: Array, *, k: int, seed: int
) -> list[Estimate]:
    """Kendall's tau and precision at k of each group, p after Holm's adjustment over groups.

    `subsets` name each group by its axis: {"group": "sailors"}.
    """
    taus, precisions = [], []
    for subset, mine, theirs in zip(subsets, scores, ratings, strict=True):
        both = np.isfinite(mine) & np.isfinite(theirs)
        x, y, rng = mine[both], theirs[both], np.random.default_rng([seed, 5])
        kind = Inference(None, None, interval=OVER_PAIRS)
        taus.append(_tau(x, y, np.arange(len(x)), rng, kind, groups=subset))
        whole = precision(mine[None], theirs[None], k=k, seed=seed)
        why = "" if whole.value is not None else whole.why
        precisions.append(
            replace(whole, low=None, high=None, interval="", n=len(x), groups=subset, why=why)
        )
    return [*adjusted(taus), *adjusted(precisions)]


def over_groups(values: Array, *, seed: int, most: float = 1.0) -> Inference:
    """The inference of a mean from −most to most over groups that are taken as independent."""
    rng, labels = np.random.default_rng([seed, 8]), np.arange(len(values))
    p, why = None, ""
    try:
        p = sign_flip(values, labels, rng)
    except Undefined as undefined:
        why = str(undefined)
    return resampled(
        lambda: mean_interval(values, labels, (-most, most)),
        Inference(None, None, p, MEAN_OVER_GROUPS, "sign-flip test of whole groups", why=why),
        drawn=len(values),
    )


def adjusted(estimates: Sequence[Estimate]) -> list[Estimate]:
    """The estimates with p adjusted over them by Holm's method."""
    if len(estimates) < 2:  # noqa: PLR2004
        return list(estimates)
    ps = holm([e.p for e in estimates])
    return [
        e if p is None else replace(e, p_adjusted=p, adjustment="Holm")
        for e, p in zip(estimates, ps, strict=True)
    ]


def cells(scores: Array, ratings: Array) -> tuple[Array, Array, Integers]:
    """The cells that both have, in a row, and the group of each."""
    both = np.isfinite(scores) & np.isfinite(ratings)
    groups = np.broadcast_to(np.arange(len(scores))[:, None], both.shape)
    return scores[both], ratings[both], groups[both]


def resampled(
    interval: Callable[[], tuple[float, float]], of: Inference, *, drawn: int = FEW
) -> Inference:
    """The interval of a statistic from resampled groups or pairs, or the reason why there is none.

    Args:
        interval: Makes it.
        of: What is known besides: the interval's kind, p, the test.
        drawn: How many groups are resampled: of few, `why` says that the interval is rough.
    """
    few = f"the interval is rough: only {counted(drawn, 'groups')}" if drawn < FEW else ""
    made = uncertainty(lambda: (*interval(), of.interval), notes=(of.why,), rough=few)
    return made._replace(p=of.p, test=of.test)


def by_end(subsets: Sequence[Groups], scores: Array, ratings: Array, *, k: int) -> list[Estimate]:
    """Precision of the k highest pairs and of the k lowest apart: over groups, and of each group.

    Without a neutral value or a test: what a random order gives depends on how many pairs people put on
    that side.
    """
    estimates = []
    for end, values in zip((TOP, BOTTOM), end_precision_rows(scores, ratings, k=k), strict=True):
        of = end_precision(k, end)
        estimates.append(_mean_of_groups(of, values[np.isfinite(values)], k))
        for subset, value in zip(subsets, values, strict=True):
            if np.isfinite(value):
                why = f"no interval: a share of {k} pairs"
                estimates.append(of.at(float(value), n=k, why=why, groups=subset))
            else:
                why = f"{2 * k} pairs of traits are needed"
                estimates.append(of.at(None, why=why, groups=subset))
    return estimates


def _mean_of_groups(of: Quantity, values: Array, k: int) -> Estimate:
    """The mean over groups of one value each, with its interval."""
    if not len(values):
        return of.at(None, why=f"no group has {2 * k} pairs of traits")
    inference = resampled(
        lambda: bounded_mean(values, np.arange(len(values)), (0, 1)),
        Inference(None, None, interval=MEAN_OVER_GROUPS),
        drawn=len(values),
    )
    return of.at(float(values.mean()), inference, n=len(values))


def between(first: Array, second: Array, *, seed: int) -> list[Estimate]:
    """How far two matrices agree with each other, whatever people say."""
    return [
        pooled(first, second, seed=seed, of=quantities.between(POOLED)),
        mean_tau(first, second, seed=seed, of=quantities.between(MEAN)),
    ]


def differences(
    first: Array, second: Array, ratings: Array, *, k: int, seed: int
) -> list[Estimate]:
    """The first matrix less the second, on common cells and with the same resamples of groups."""
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
