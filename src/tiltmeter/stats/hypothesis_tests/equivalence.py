"""Equivalence of two results: what an interval of their difference can show, and from how many units.

Two one-sided tests at 5 % (Schuirmann 1987, doi:10.1007/BF01068419) claim that a difference is within a
margin where its 90 % interval lies inside it. That holds if each end misses the true value in at most 5 % of
samples. Ends that rest on the spread of the units seen do not where few units differ: a sample that has none
of these looks as if no difference were possible. Simulated, they then claim equivalence in up to 20 % of
samples (docs/explanation/coverage/equivalence.md).
"""

from math import ceil

import numpy as np

from tiltmeter.core.equivalence import Claims
from tiltmeter.core.types import Array, Labels
from tiltmeter.stats.confidence_intervals.intervals import CONFIDENCE, tail_of
from tiltmeter.stats.hypothesis_tests.t_tests import freedom_of_spread
from tiltmeter.stats.resampling.bootstrap import cluster_sums, clustered

LEVEL = 0.9
"""The confidence level whose ends are two one-sided tests at 5 %."""
POWER = 0.8
FEWEST_UNITS = 20
"""With fewer degrees of freedom (`freedom_of_spread`), intervals from the spread of units show nothing. With
as many their 95 % form does; the 90 % form would still claim equivalence in up to 9 % of samples."""


def claims_of_shares(values: Array, clusters: Labels, most: float) -> Claims:
    """What `difference_interval` of the same arguments may show: its ends allow for unseen clusters."""
    moved, _ = _moved(values, np.ones(len(values)), clusters)
    error, k = _error(moved), len(moved)
    worth = float(np.square(values).mean()) / error**2 if error else float(k)
    return Claims(LEVEL, error=error, units=k, worth=worth, most=most)


def claims_of_mean(values: Array, clusters: Labels) -> Claims:
    """What an interval of a mean from the spread of clusters may show; see `claims_of_spread`."""
    return claims_of_ratio(values, np.ones(len(values)), clusters)


def claims_of_ratio(values: Array, sizes: Array, clusters: Labels, *, scale: float = 1.0) -> Claims:
    """What an interval of Σ values / Σ sizes from the spread of clusters may show; see `claims_of_spread`.

    Args:
        values: The value of each item, shape (n,).
        sizes: How much each item counts, shape (n,).
        clusters: The cluster of each item, shape (n,).
        scale: What the ratio is multiplied by.
    """
    moved, worth = _moved(values, sizes, clusters)
    return claims_of_spread(scale * moved, worth)


def claims_of_spread(moved: Array, worth: float | None = None) -> Claims:
    """What an interval from the spread of units may show: nothing if a few of them make up the spread.

    Args:
        moved: How far each unit moves the difference, shape (units,).
        worth: The effective number of units; by default their number.

    >>> claims_of_spread(np.array([-1.0, 1] * 20)).level
    0.95
    >>> claims_of_spread(np.array([9.0] + [-1] * 9)).why
    'the difference varies as much as that of 3 units, and it takes 20 to show equivalence'
    """
    k = len(moved)
    freedom = freedom_of_spread(moved, k if worth is None else worth) if k > 1 else 0.0
    if not np.isfinite(moved).all():
        freedom = 0.0
    if freedom >= FEWEST_UNITS:
        return Claims(CONFIDENCE, "", _error(moved), k)
    units = f"{freedom:.0f} unit{'' if round(freedom) == 1 else 's'}"
    why = (
        f"the difference varies as much as that of {units}, and it takes {FEWEST_UNITS} to show "
        "equivalence"
    )
    return Claims(None, why, _error(moved), k)


def _moved(values: Array, sizes: Array, clusters: Labels) -> tuple[Array, float]:
    """How far each cluster moves Σ values / Σ sizes, and the effective number of clusters."""
    codes, k = clustered(clusters)
    whole = float(sizes.sum())
    shares = cluster_sums(sizes, codes, k) / whole
    moved = cluster_sums(values - float(values.sum()) / whole * sizes, codes, k) / whole
    return moved, 1 / float(shares @ shares)


def _error(moved: Array) -> float:
    k = len(moved)
    error = float((k / max(k - 1, 1)) ** 0.5 * np.linalg.norm(moved))
    return error if np.isfinite(error) else 0.0


def fewest_alike(margin: float) -> int:
    """The fewest clusters that can show a difference of shares to be within ±`margin`, if no pair differs.

    The 90 % interval of k clusters without a discordant pair ends at z² / (k + z²), with z² = 2.71.

    >>> fewest_alike(0.05), fewest_alike(0.1), fewest_alike(0.02)
    (52, 25, 133)
    """
    from scipy.special import ndtri

    square = float(ndtri(tail_of(LEVEL))) ** 2
    return ceil(square * (1 - margin) / margin)


def needed_units(claims: Claims, margin: float) -> int | None:
    """Roughly how many units would show equivalence in 4 of 5 samples, if there is no true difference.

    With so many units the interval reaches as far as its level says, and the difference may be 1.28 standard
    errors from 0 either way. The standard error holds what the data show of the share of discordant pairs and
    of how alike the items of a cluster are. Score intervals of gains and losses from n pairs reach to
    z √(error² + (z most / n)²): the second term is what n pairs without a discordant one may hide.

    Args:
        claims: Of the difference as it was seen.
        margin: In the unit of `claims.error`.

    Returns:
        None where nothing is known of the error. Never below `fewest_alike`, or `FEWEST_UNITS`.

    >>> needed_units(Claims(0.95, error=2.0, units=100), 2.0)  # (1.96 + 1.282)² · 100
    1051
    >>> needed_units(Claims(0.9, error=0.0, units=10, worth=10, most=100.0), 5.0)
    55
    """
    from scipy.special import ndtri

    if not claims.units or margin <= 0 or (not claims.error and claims.most is None):
        return None
    z, power = -float(ndtri(tail_of(claims.level or CONFIDENCE))), -float(ndtri((1 - POWER) / 2))
    hidden = 0.0 if claims.most is None else z * claims.most / claims.worth

    def is_enough(units: int) -> bool:
        fewer = claims.units / units
        error = claims.error * fewer**0.5
        reach = z * float(np.hypot(error, hidden * fewer))
        return bool(reach + power * error < margin)

    least = (
        FEWEST_UNITS + 1 if claims.most is None else fewest_alike(min(margin / claims.most, 1.0))
    )
    low, high = max(least, 1) - 1, max(least, 1)
    while not is_enough(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if is_enough(middle) else (middle, high)
    return high


def planned_pairs(discordant: float, margin: float, *, effect: float = 1.0) -> int:
    """Roughly how many pairs show in 4 of 5 samples that two equal shares are equivalent.

    Args:
        discordant: The share of pairs in which the two models differ.
        margin: As a share, .02 for 2 points.
        effect: The design effect: how many pairs count as one.

    >>> planned_pairs(0.05, 0.02), planned_pairs(0.0, 0.02)
    (1100, 136)
    """
    error = (discordant * effect) ** 0.5
    claims = Claims(LEVEL, error=error, units=1, worth=1 / effect, most=1.0)
    return needed_units(claims, margin) or 0
