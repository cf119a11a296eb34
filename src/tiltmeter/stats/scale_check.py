"""Annotators who use the scale the other way round, or at another place: each against all others.

A reversed scale makes agreement look low although everybody agrees. Ratings are numbers of shape
(items, raters), NaN where a rater said nothing.
"""

from dataclasses import dataclass, replace

import numpy as np

from tiltmeter.core.errors import Undefined
from tiltmeter.core.results import Inference
from tiltmeter.core.samples import uncertainty
from tiltmeter.core.text import counted
from tiltmeter.core.types import Array
from tiltmeter.stats.agreement import Level, krippendorff_alpha
from tiltmeter.stats.bootstrap import RESAMPLES, resampled_sums
from tiltmeter.stats.bootstrap_intervals import stretched

FEWEST = 3
"""Items that an annotator must share with others."""
SHIFT = 0.1
"""A shift is marked from this share of the range of all ratings."""
NOTHING = Inference(None, None)
INTERVAL = f"stretched bootstrap over items, {RESAMPLES:,} resamples"
_FULL = 1 - 1e-12
"""A correlation of 1, for Fisher's z."""
_LEAST = 1e-12
"""A variance below this share of the squared range is rounding."""


@dataclass(frozen=True, slots=True)
class ScaleCheck:
    """One annotator against the mean of the others, on the items that both rated."""

    rater: int
    """The column of the ratings."""
    items: int
    """Items that this annotator and at least one other rated."""
    alpha: float | None
    """Krippendorff's alpha of all annotators."""
    alpha_without: float | None
    """The same without this one."""
    r: float | None = None
    """Pearson's correlation; below 0 where the scale is reversed."""
    slope: float | None = None
    """Of the annotator's ratings on the others' mean; 1 is the same scale, −1 the reversed one."""
    shift: float | None = None
    """Mean of the annotator's ratings minus the others', in units of the scale."""
    r_interval: Inference = NOTHING
    slope_interval: Inference = NOTHING
    shift_interval: Inference = NOTHING
    reversed: bool = False
    """The whole interval of r is below 0."""
    shifted: bool = False
    """The whole interval of the shift lies beyond SHIFT of the range, in one direction."""
    why: str = ""
    """Why r or slope is None."""


def scale_check(
    ratings: Array, *, rng: np.random.Generator, level: Level = "interval"
) -> list[ScaleCheck]:
    """Compare each rater with the mean of the others; `stretched` intervals (95 %) resample items.

    That of r is computed on Fisher's z and does not reach beyond 1.

    With two raters a negative r marks both, and the ratings cannot show which one is reversed. With
    more, the others' mean includes any other reversed rater, which weakens r but rarely turns it.

    Args:
        ratings: Shape (items, raters).
        rng: For the resamples.
        level: Of Krippendorff's alpha.

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
    seed = int(rng.integers(2**63))  # one set of resamples, whichever column a rater has
    checks = []
    for rater in range(table.shape[1]):
        without = _alpha(np.delete(table, rater, axis=1), level)
        rated, others = _against_others(table, rater)
        check = ScaleCheck(rater, len(rated), alpha, without)
        if len(rated) < FEWEST:
            checks.append(
                replace(check, why=f"only {counted(len(rated), 'items')} shared with others")
            )
            continue
        checks.append(_compared(check, rated, others, span, np.random.default_rng(seed)))
    return checks


def _compared(
    check: ScaleCheck, rated: Array, others: Array, span: float, rng: np.random.Generator
) -> ScaleCheck:
    """The check with its numbers, from the two columns."""
    moments, units = _moments(rated, others), len(rated)
    draws = resampled_sums(moments, rng)
    (r,), (slope,), _ = _values(moments.sum(axis=0)[None], span)
    shift = float((rated - others).mean())
    rs, slopes, shifts = _values(draws, span)  # of centred columns, so shifts lie about 0
    of_z = _interval(_fisher(rs), float(_fisher(r)), units)
    of_slope, of_shift = _interval(slopes, slope, units), _interval(shifts + shift, shift, units)
    of_r = of_z if of_z.low is None else _of_correlation(of_z)
    return replace(
        check,
        r=None if np.isnan(r) else float(r),
        slope=None if np.isnan(slope) else float(slope),
        shift=shift,
        r_interval=of_r,
        slope_interval=of_slope,
        shift_interval=of_shift,
        reversed=of_r.high is not None and of_r.high < 0,
        shifted=_beyond(of_shift, SHIFT * span),
        why="all ratings on one side are equal" if np.isnan(r) else "",
    )


def _moments(rated: Array, others: Array) -> Array:
    """1, x, y, x², y² and xy of each item, shape (n, 6), both sides centred."""
    x, y = others - others.mean(), rated - rated.mean()
    return np.stack([np.ones(len(x)), x, y, x * x, y * y, x * y], axis=1)


def _against_others(table: Array, rater: int) -> tuple[Array, Array]:
    """The rater's ratings and the others' means, of the items that both rated."""
    rest = np.delete(table, rater, axis=1)
    counts = (~np.isnan(rest)).sum(axis=1)
    both = ~np.isnan(table[:, rater]) & (counts > 0)
    means = np.nansum(rest[both], axis=1) / counts[both]
    return table[both, rater], means


def _values(sums: Array, span: float) -> tuple[Array, Array, Array]:
    """r, slope and mean difference from sums of (1, x, y, x², y², xy), shape (draws, 6); NaN if none."""
    n, x, y, xx, yy, xy = sums.T
    vx, vy, cov = xx / n - (x / n) ** 2, yy / n - (y / n) ** 2, xy / n - x * y / n**2
    least = _LEAST * span**2
    r, slope = np.full(len(n), np.nan), np.full(len(n), np.nan)
    np.divide(cov, vx, out=slope, where=vx > least)
    np.divide(cov, np.sqrt(np.maximum(vx * vy, 0)), out=r, where=(vx > least) & (vy > least))
    return np.clip(r, -1, 1), slope, (y - x) / n


def _fisher(r: Array) -> Array:
    """Fisher's z of correlations, finite for 1 and −1 as well."""
    return np.asarray(np.arctanh(np.clip(r, -_FULL, _FULL)))


def _of_correlation(z: Inference) -> Inference:
    """The interval of r from that of its z."""
    low, high = (float(np.tanh(end)) for end in (z.low, z.high) if end is not None)
    return z._replace(low=low, high=high, interval=f"{z.interval}, on Fisher’s z")


def _interval(values: Array, value: float, units: int) -> Inference:
    return uncertainty(lambda: (*stretched(values, value, units), INTERVAL))


def _beyond(interval: Inference, least: float) -> bool:
    if interval.low is None or interval.high is None:
        return False
    return interval.low > least or interval.high < -least


def _alpha(table: Array, level: Level) -> float | None:
    try:
        return krippendorff_alpha(table, level=level)
    except Undefined:
        return None
