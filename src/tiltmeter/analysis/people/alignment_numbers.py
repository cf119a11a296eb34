"""The numbers of an alignment with people, each with how sure it is.

`scores` are the model's and `ratings` people's means, both (groups, pairs) on the same groups and pairs,
turned the same way; NaN where either has none. docs/people.md says what each number means.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from tiltmeter.analysis.people.meanings import MEAN, OWN, POOLED, meaning_of, precision_name
from tiltmeter.core.errors import Undefined
from tiltmeter.core.results import Estimate
from tiltmeter.core.types import Array, Groups, Integers
from tiltmeter.metrics.alignment import mean_kendall_tau, precision_p, precision_rows
from tiltmeter.stats.bootstrap import RESAMPLES, resamples
from tiltmeter.stats.bootstrap_intervals import bootstrap_mean, stretched
from tiltmeter.stats.correlation import (
    kendall_interval,
    kendall_p,
    kendall_rows,
    kendall_tau,
)
from tiltmeter.stats.significance import holm, sign_flip

OVER_GROUPS = f"stretched bootstrap over groups, {RESAMPLES:,} resamples"
OVER_PAIRS = f"stretched bootstrap over pairs of traits, {RESAMPLES:,} resamples"
SHUFFLES = 9_999
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


def pooled(scores: Array, ratings: Array, *, seed: int) -> Estimate:
    """Kendall's tau over all cells at once."""
    x, y, groups = cells(scores, ratings)
    made = estimate(POOLED, len(x))
    try:
        value = kendall_tau(x, y)
        p, how = kendall_p(x, y)
    except Undefined as why:
        return replace(made, why=str(why))
    made = replace(
        made, value=value, p=p, test=f"Kendall’s test, {how}, as if cells were independent"
    )
    return with_interval(
        made,
        OVER_GROUPS,
        lambda: kendall_interval(x, y, groups, np.random.default_rng([seed, 2])),
        drawn=len(np.unique(groups)),
    )


def mean_tau(scores: Array, ratings: Array, *, seed: int) -> Estimate:
    """The mean over groups of Kendall's tau within a group."""
    taus = kendall_rows(scores, ratings)
    taus = taus[np.isfinite(taus)]
    made = estimate(MEAN, len(taus))
    try:
        made = replace(made, value=mean_kendall_tau(scores, ratings))
    except Undefined as why:
        return replace(made, why=str(why))
    return by_groups(made, taus, seed=seed)


def precision(scores: Array, ratings: Array, *, k: int, seed: int) -> Estimate:
    """The mean over groups of precision at k; 1/2 is what a random order gives."""
    values = precision_rows(scores, ratings, k=k)
    there = np.isfinite(values)
    made = estimate(precision_name(k), int(there.sum()), 0.5)
    if not there.any():
        most = int((np.isfinite(scores) & np.isfinite(ratings)).sum(axis=1).max(initial=0))
        return replace(
            made, why=f"{2 * k} pairs of traits are needed, and groups have at most {most}"
        )
    rng = np.random.default_rng([seed, 3])
    p = precision_p(list(scores[there]), list(ratings[there]), rng, k=k)
    test = "permutation of people’s pairs within groups, against 1/2"
    made = replace(made, value=float(values[there].mean()), p=p, test=test)
    labels = np.arange(int(there.sum()))
    return with_interval(
        made,
        OVER_GROUPS,
        lambda: bootstrap_mean(values[there], labels, rng, within=(0.0, 1.0)),
        drawn=len(labels),
    )


def own_less_others(scores: Array, ratings: Array, *, seed: int) -> Estimate:
    """Mean tau with what people say of the group, less that with what they say of other groups.

    0 where what a model says of a group fits any group as well. Tested by dealing people's rows to the
    groups anew.
    """
    n, pairs = scores.shape
    made = estimate(OWN, n)
    if n < 2:  # noqa: PLR2004
        return replace(made, why="there is only one group")
    wide = (n, n, pairs)
    taus = kendall_rows(
        np.broadcast_to(scores[:, None], wide).reshape(-1, pairs),
        np.broadcast_to(ratings[None], wide).reshape(-1, pairs),
    ).reshape(n, n)
    if not np.isfinite(taus).all():
        return replace(made, why="some groups have too few pairs of traits in common with others")
    value = _own_less_others(taus, np.ones((1, n)))[0]
    rng = np.random.default_rng([seed, 4])
    orders = rng.permuted(np.tile(np.arange(n), (SHUFFLES, 1)), axis=1)
    dealt = taus[np.arange(n), orders].mean(axis=1)
    centre, seen = float(taus.mean()), float(np.trace(taus)) / n
    extreme = np.count_nonzero(np.abs(dealt - centre) >= abs(seen - centre) - 1e-12)
    made = replace(
        made, value=float(value), p=(1 + int(extreme)) / (1 + SHUFFLES),
        test="permutation of people’s groups",
    )  # fmt: skip

    def interval() -> tuple[float, float]:
        blocks = resamples(n, rng)
        drawn = [_own_less_others(taus, block.astype(np.float64)) for block in blocks]
        return stretched(np.concatenate(drawn), float(value), n, within=(-2.0, 2.0))

    return with_interval(made, OVER_GROUPS, interval, drawn=n)


def _own_less_others(taus: Array, times: Array) -> Array:
    """For each resample of groups, (r, n) to (r,); a group and its copy are one group."""
    apart = taus * (1 - np.eye(len(taus)))
    pairs = times.sum(axis=1) ** 2 - (times**2).sum(axis=1)
    own = times @ np.diag(taus) / times.sum(axis=1)
    other = np.full(len(times), np.nan)
    np.divide(((times @ apart) * times).sum(axis=1), pairs, out=other, where=pairs > 0)
    return np.asarray(own - other, dtype=np.float64)


def by_group(
    subsets: Sequence[Groups], scores: Array, ratings: Array, *, k: int, seed: int
) -> list[Estimate]:
    """Kendall's tau and precision at k of each group, p after Holm's adjustment over groups.

    `subsets` name each group by its axis: {"group": "sailors"}.
    """
    taus, precisions = [], []
    for subset, mine, theirs in zip(subsets, scores, ratings, strict=True):
        both = np.isfinite(mine) & np.isfinite(theirs)
        taus.append(_tau_of(subset, mine[both], theirs[both], seed))
        one = precision(mine[None], theirs[None], k=k, seed=seed)
        why = "" if one.value is not None else one.why
        precisions.append(
            replace(
                one, low=None, high=None, interval="", n=int(both.sum()), groups=subset, why=why
            )
        )
    return [*adjusted(taus), *adjusted(precisions)]


def _tau_of(subset: Groups, x: Array, y: Array, seed: int) -> Estimate:
    made = estimate(POOLED, len(x), groups=subset)
    try:
        value = kendall_tau(x, y)
        p, how = kendall_p(x, y)
    except Undefined as why:
        return replace(made, why=str(why))
    made = replace(made, value=value, p=p, test=f"Kendall’s test, {how}")
    rng = np.random.default_rng([seed, 5])
    each = np.arange(len(x))
    return with_interval(made, OVER_PAIRS, lambda: kendall_interval(x, y, each, rng))


def by_template(
    subsets: Sequence[Groups], scores: Array, ratings: Array, *, seed: int
) -> list[Estimate]:
    """Pooled tau of each template by itself; scores have shape (templates, groups, pairs).

    `subsets` name each template by its axis: {"template": "The [group] is [trait]."}.
    """
    found = [
        replace(pooled(values, ratings, seed=seed), groups=subset)
        for subset, values in zip(subsets, scores, strict=True)
    ]
    return adjusted(found)


def by_groups(made: Estimate, values: Array, *, seed: int, most: float = 1.0) -> Estimate:
    """Interval and test of a mean, from −most to most, over groups that are taken as independent."""
    rng, labels = np.random.default_rng([seed, 8]), np.arange(len(values))
    try:
        made = replace(
            made, p=sign_flip(values, labels, rng), test="sign-flip test of whole groups"
        )
    except Undefined as why:
        made = replace(made, why=str(why))
    return with_interval(
        made,
        OVER_GROUPS,
        lambda: bootstrap_mean(values, labels, rng, within=(-most, most)),
        drawn=len(values),
    )


def adjusted(estimates: Sequence[Estimate]) -> list[Estimate]:
    """With p after Holm's adjustment over these."""
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


def with_interval(
    made: Estimate,
    named: str,
    interval: Callable[[], tuple[float, float]],
    *,
    drawn: int = FEW,
) -> Estimate:
    """With an interval of this name, or with the reason why there is none.

    `drawn` is how many groups are resampled: of few, `why` says that the interval is rough.
    """
    notes = [made.why] if made.why else []
    low = high = None
    try:
        low, high = interval()
        if drawn < FEW:
            notes.append(f"the interval is rough: there are only {drawn} groups")
    except Undefined as why:
        notes.append(f"no interval: {why}")
        named = ""
    return replace(made, low=low, high=high, interval=named, why="; ".join(notes))


def estimate(name: str, n: int, neutral: float = 0.0, groups: Groups | None = None) -> Estimate:
    """One without a value yet."""
    return Estimate(
        name, None, None, None, None, n, neutral, "", groups=groups or {}, study="compare-people",
        meaning=meaning_of(name),
    )  # fmt: skip
