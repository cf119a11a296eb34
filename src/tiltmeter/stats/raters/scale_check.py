"""Finds annotators who use the scale of a question reversed or shifted.

Each is compared with the mean of all others. A reversed scale makes agreement look low although everybody
agrees. Ratings are numbers of shape (items, raters), with NaN for missing ratings.

With many raters or questions some look odd by chance: flags rest on p-values that are adjusted over all
checks made together (`marked`).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from tiltmeter.core.errors import Undefined
from tiltmeter.core.estimates import Inference
from tiltmeter.core.samples import uncertainty
from tiltmeter.core.text import counted
from tiltmeter.core.types import Array
from tiltmeter.stats.hypothesis_tests.exact_tests import holm
from tiltmeter.stats.raters.kappa_and_alpha import Level, krippendorff_alpha
from tiltmeter.stats.resampling.bootstrap import RESAMPLES, resampled_sums
from tiltmeter.stats.resampling.bootstrap_intervals import stretched

FEWEST = 3
"""The minimum number of items that an annotator must share with others."""
SHIFT = 0.1
"""A shift is flagged if it is significantly larger than this share of the range of all ratings."""
NOTHING = Inference(None, None)
INTERVAL = f"stretched bootstrap over items, {RESAMPLES:,} resamples"
MARKED = 0.05
"""A rater is flagged if p, after Holm's adjustment, is below this."""
PRIOR_FREEDOM = 4.0
"""The prior degrees of freedom of the variance pooled over all raters, in the estimate of each rater's
variance."""
_FULL = 1 - 1e-12
"""Stands for a correlation of 1, of which Fisher's z would be infinite."""
_LEAST = 1e-12
"""A variance below this share of the squared range is rounding error."""


@dataclass(frozen=True, slots=True)
class ScaleCheck:
    """One annotator compared with the mean of the others, on the items that both rated."""

    rater: int
    """The annotator's column in the ratings."""
    items: int
    """The number of items rated by this annotator and at least one other."""
    alpha: float | None
    """Krippendorff's alpha of all annotators; None if it is undefined or was not requested."""
    alpha_without: float | None
    """Krippendorff's alpha without this annotator."""
    r: float | None = None
    """Pearson's correlation with the others' mean; negative if the scale is reversed."""
    slope: float | None = None
    """The slope of the annotator's ratings on the others' mean; 1 is the same scale, −1 the reversed one."""
    shift: float | None = None
    """The mean difference between the annotator's ratings and the others', in units of the scale."""
    r_interval: Inference = NOTHING
    slope_interval: Inference = NOTHING
    shift_interval: Inference = NOTHING
    reversed_p: float | None = None
    """The one-sided p of a correlation this far below 0 under no correlation."""
    shifted_p: float | None = None
    """The p of a mean difference this large if the true one were SHIFT times the range."""
    reversed: bool = False
    """Whether r is significantly below 0, after adjustment."""
    shifted: bool = False
    """Whether the shift is significantly larger than SHIFT times the range, after adjustment."""
    why: str = ""
    """The reason why r or slope is None; "" if there is none."""


def scale_check(
    ratings: Array,
    *,
    rng: np.random.Generator,
    level: Level | None = "interval",
    of: Sequence[int] | None = None,
) -> list[ScaleCheck]:
    """Compare each rater with the mean of the others, with 95 % intervals from resampled items (`stretched`).

    The interval of r is computed on Fisher's z, so it does not reach beyond ±1. Flags are adjusted over these
    raters; to adjust them over several tables, pass all checks to `marked`.

    With two raters a negative r flags both, and the ratings cannot show which one is reversed. With
    more, the others' mean includes any other reversed rater, which weakens r but rarely changes its sign.

    Args:
        ratings: The ratings, shape (items, raters).
        rng: The source of randomness for the resamples.
        level: The level of measurement of Krippendorff's alpha; None leaves alpha out.
        of: The columns of the raters to check; None for all.

    Raises:
        Undefined: There are fewer than two raters.

    >>> others = np.array([[1, 1], [2, 1], [3, 3], [4, 5], [5, 5.0], [2, 2]] * 3)
    >>> turned = np.column_stack([others, 6 - others[:, 0]])
    >>> checks = scale_check(turned, rng=np.random.default_rng(0))
    >>> [check.reversed for check in checks], round(checks[2].slope, 2)
    ([False, False, True], -0.89)
    """
    table = np.asarray(ratings, dtype=np.float64)
    if table.ndim != 2 or table.shape[1] < 2:  # noqa: PLR2004
        raise Undefined("a scale check needs at least two raters")
    given = table[~np.isnan(table)]
    span = float(np.ptp(given)) if len(given) else 0.0
    alpha = _alpha(table, level)
    compared = [_against_others(table, rater) for rater in range(table.shape[1])]
    spread = _spread(compared)
    seed = int(rng.integers(2**63))  # the same resamples for every rater, whatever their column
    checks = []
    for rater in range(table.shape[1]) if of is None else of:
        without = None if alpha is None else _alpha(np.delete(table, rater, axis=1), level)
        rated, others = compared[rater]
        check = ScaleCheck(rater, len(rated), alpha, without)
        if len(rated) < FEWEST:
            checks.append(
                replace(check, why=f"only {counted(len(rated), 'items')} shared with others")
            )
            continue
        checks.append(_compared(check, rated, others, span, spread, np.random.default_rng(seed)))
    return marked([checks])[0]


def marked(tables: Sequence[Sequence[ScaleCheck]]) -> list[list[ScaleCheck]]:
    """The checks of each table, one sequence per table, with flags adjusted over all of them (Holm)."""
    every = [check for checks in tables for check in checks]
    turned = iter(holm([check.reversed_p for check in every]))
    moved = iter(holm([check.shifted_p for check in every]))
    return [
        [
            replace(check, reversed=_is_below(next(turned)), shifted=_is_below(next(moved)))
            for check in checks
        ]
        for checks in tables
    ]


def _is_below(p: float | None) -> bool:
    return p is not None and p < MARKED


def _spread(compared: Sequence[tuple[Array, Array]]) -> float:
    """The variance of raters' differences from the others, pooled over all raters."""
    squares, freedom = 0.0, 0
    for rated, others in compared:
        if len(rated) > 1:
            differences = rated - others
            squares += float(((differences - differences.mean()) ** 2).sum())
            freedom += len(rated) - 1
    return squares / freedom if freedom else 0.0


def _compared(
    check: ScaleCheck,
    rated: Array,
    others: Array,
    span: float,
    spread: float,
    rng: np.random.Generator,
) -> ScaleCheck:
    """The check completed from the two columns; `spread` is the pooled variance of all raters."""
    moments, units = _moments(rated, others), len(rated)
    (r,), (slope,), _ = _values(moments.sum(axis=0)[None], span)
    intervals = scale_intervals(rated, others, span, rng)
    return replace(
        check,
        r=None if np.isnan(r) else float(r),
        slope=None if np.isnan(slope) else float(slope),
        shift=float((rated - others).mean()),
        r_interval=intervals.r,
        slope_interval=intervals.slope,
        shift_interval=intervals.shift,
        reversed_p=None if np.isnan(r) else _p_of_correlation(-float(r), units),
        shifted_p=p_of_shift(rated - others, SHIFT * span, spread),
        why="all ratings on one side are equal" if np.isnan(r) else "",
    )


class ScaleIntervals(NamedTuple):
    """95 % intervals for other items."""

    r: Inference
    slope: Inference
    shift: Inference


def scale_intervals(
    rated: Array, others: Array, span: float, rng: np.random.Generator
) -> ScaleIntervals:
    """The intervals of a rater's correlation, slope and shift, from resampled items (`stretched`).

    Args:
        rated: The rater's ratings, shape (items,).
        others: The means of the others, of the same shape.
        span: The range of all ratings.
        rng: The source of randomness for the resamples.
    """
    moments, units = _moments(rated, others), len(rated)
    (r,), (slope,), _ = _values(moments.sum(axis=0)[None], span)
    # The columns are centred, so the shifts of resamples lie around 0.
    rs, slopes, shifts = _values(resampled_sums(moments, rng), span)
    shift = float((rated - others).mean())
    of_z = _interval(_fisher(rs), float(_fisher(r)), units)
    return ScaleIntervals(
        of_z if of_z.low is None else _of_correlation(of_z),
        _interval(slopes, slope, units),
        _interval(shifts + shift, shift, units),
    )


def _moments(rated: Array, others: Array) -> Array:
    """The terms 1, x, y, x², y² and xy of each item, shape (n, 6), with both sides centred."""
    x, y = others - others.mean(), rated - rated.mean()
    return np.stack([np.ones(len(x)), x, y, x * x, y * y, x * y], axis=1)


def _against_others(table: Array, rater: int) -> tuple[Array, Array]:
    """The rater's ratings and the others' means, for the items that both rated."""
    mine = table[~np.isnan(table[:, rater])]
    rest = np.delete(mine, rater, axis=1)
    counts = (~np.isnan(rest)).sum(axis=1)
    both = counts > 0
    return mine[both, rater], np.nansum(rest[both], axis=1) / counts[both]


def _values(sums: Array, span: float) -> tuple[Array, Array, Array]:
    """r, slope and mean difference from sums of (1, x, y, x², y², xy), shape (draws, 6); NaN if undefined."""
    n, x, y, xx, yy, xy = sums.T
    vx, vy, cov = xx / n - (x / n) ** 2, yy / n - (y / n) ** 2, xy / n - x * y / n**2
    least = _LEAST * span**2
    r, slope = np.full(len(n), np.nan), np.full(len(n), np.nan)
    np.divide(cov, vx, out=slope, where=vx > least)
    np.divide(cov, np.sqrt(np.maximum(vx * vy, 0)), out=r, where=(vx > least) & (vy > least))
    return np.clip(r, -1, 1), slope, (y - x) / n


def _fisher(r: Array) -> Array:
    """Fisher's z of correlations, kept finite at 1 and −1."""
    return np.asarray(np.arctanh(np.clip(r, -_FULL, _FULL)))


def _of_correlation(z: Inference) -> Inference:
    """The interval of r from the interval of its Fisher's z."""
    low, high = (float(np.tanh(end)) for end in (z.low, z.high) if end is not None)
    return z._replace(low=low, high=high, interval=f"{z.interval}, on Fisher’s z")


def _interval(values: Array, value: float, units: int) -> Inference:
    return uncertainty(lambda: (*stretched(values, value, units), INTERVAL))


def _p_of_correlation(r: float, n: int) -> float:
    """The one-sided p of a correlation this high or higher, by Student's t.

    It is never below 1 / n!, the chance of the most extreme order of the items: with few items, a perfect
    correlation is not rare.
    """
    from scipy.special import stdtr

    rest = max(1 - r * r, 1e-300)
    p = float(stdtr(n - 2, -r * math.sqrt((n - 2) / rest)))
    return max(p, 1 / math.factorial(min(n, 20)))


def p_of_shift(differences: Array, least: float, spread: float) -> float:
    """The two-sided p of a mean difference this far beyond `least`, by Student's t.

    `differences` are between a rater's ratings and the others' means. The rater's own variance is averaged
    with that of all raters, which counts as PRIOR_FREEDOM degrees of freedom: with few items, equal
    differences are not rare (Smyth 2004, doi:10.2202/1544-6115.1027).
    """
    from scipy.special import stdtr

    n = len(differences)
    squares = float(((differences - differences.mean()) ** 2).sum())
    freedom = PRIOR_FREEDOM + n - 1
    variance = (PRIOR_FREEDOM * spread + squares) / freedom
    beyond = abs(float(differences.mean())) - least
    if variance <= 0:
        return 0.0 if beyond > 0 else 1.0
    return min(1.0, 2 * float(stdtr(freedom, -beyond / math.sqrt(variance / n))))


def _alpha(table: Array, level: Level | None) -> float | None:
    if level is None:
        return None
    try:
        return krippendorff_alpha(table, level=level)
    except Undefined:
        return None
