"""Percent agreement, not corrected for chance: among all raters, between pairs, and of m out of n raters.

Ratings have the shape (items, raters), with NaN for missing ratings; the order of raters has no
meaning. Values are compared for equality only.
"""

import numpy as np
import numpy.typing as npt

from tiltmeter.core.errors import BadInput, Undefined
from tiltmeter.core.estimates import Inference
from tiltmeter.core.types import Array, Labels
from tiltmeter.stats.confidence_intervals.intervals import wilson_clustered
from tiltmeter.stats.raters.agreement_intervals import agreement_interval
from tiltmeter.stats.raters.rating_counts import rated_twice, value_counts


def panel_size(ratings: Array) -> int:
    """The most common number of ratings among items with two or more; of tied numbers the larger.

    Raises:
        Undefined: No item has two ratings.

    >>> panel_size(np.array([[1, 1, 1], [2, 1, 1], [2, np.nan, 1]]))
    3
    """
    sizes = rated_twice(value_counts(ratings)[0]).sum(axis=1).astype(np.int64)
    times = np.bincount(sizes)
    return int(np.flatnonzero(times == times.max())[-1])


def m_of_n_agree(ratings: Array, m: int, n: int) -> float:
    """The percentage of items with m or more equal ratings, among those with exactly n ratings.

    More raters agree less often, so only items with the same number of ratings are compared. StereoSet kept
    candidates that 3 of 5 people labelled as their writer did (Nadeem et al. 2021, section 4.3,
    doi:10.18653/v1/2021.acl-long.416).

    Raises:
        Undefined: No item has n ratings.
        BadInput: m is not between 2 and n.

    >>> round(m_of_n_agree(np.array([[1, 1, 2], [1, 2, 3], [1, 1, 1], [2, 2, np.nan]]), 2, 3), 1)
    66.7
    """
    return float(100 * _enough_equal(ratings, m, n)[0].mean())


def m_of_n_inference(
    ratings: Array, m: int, n: int, *, clusters: Labels | None = None
) -> Inference:
    """The 95 % Wilson interval of `m_of_n_agree`; for `clusters`, shape (items,), it uses a design effect.

    Raises:
        Undefined: No item has n ratings.
        BadInput: m is not between 2 and n.
    """
    equal, full = _enough_equal(ratings, m, n)
    labels = np.arange(len(equal)) if clusters is None else clusters[full]
    low, high = wilson_clustered(equal, labels)
    name = "Wilson" if clusters is None else "Wilson with a design effect for clusters of items"
    return Inference(100 * low, 100 * high, interval=name)


def draws_agree(ratings: Array, size: int = 2) -> float:
    """How often `size` randomly chosen ratings of a random item are all equal, in per cent.

    It is the share of draws with equal ratings, averaged over items, from 0 to 100; items with fewer ratings
    are left out. Fleiss' kappa is this number for two ratings, corrected for chance.

    Raises:
        Undefined: No item has that many ratings.

    >>> round(draws_agree(np.array([[1, 1, 1], [2, 1, 1]])), 1)  # 3 of 3 and 1 of 3 pairs
    66.7
    >>> draws_agree(np.array([[1, 1, 1, 2], [2, 2, np.nan, np.nan]]), 3)  # 1 of 4 ways
    25.0
    """
    return float(_equal_draws(ratings, size)[0].mean())


def draws_inference(ratings: Array, size: int = 2, *, clusters: Labels | None = None) -> Inference:
    """The `agreement_interval` of `draws_agree`; for `clusters`, shape (items,), by whole clusters.

    Raises:
        Undefined: No item has that many ratings.
    """
    each, enough = _equal_draws(ratings, size)
    labels = None if clusters is None else clusters[enough]
    shares = agreement_interval(lambda some: float(some.mean()) / 100, each[:, None], labels)
    return shares.times(100)


def _equal_draws(ratings: Array, size: int) -> tuple[Array, npt.NDArray[np.bool_]]:
    """The percentage of draws of equal ratings for each item with enough ratings, and which these are."""
    from scipy.special import comb

    counts = value_counts(ratings)[0]
    enough = counts.sum(axis=1) >= size
    if not enough.any():
        raise Undefined(f"no item has {size} ratings")
    some = counts[enough]
    ways = 100 * comb(some, size).sum(axis=1) / comb(some.sum(axis=1), size)
    return np.asarray(ways), enough


def _enough_equal(ratings: Array, m: int, n: int) -> tuple[Array, npt.NDArray[np.bool_]]:
    """For each item with n ratings, 1 if m are equal and 0 if not; and which items have n ratings."""
    if not 2 <= m <= n:  # noqa: PLR2004  (one rating always equals itself)
        raise BadInput(f"{m} of {n} raters is not a share of a panel", "take 2 ≤ m ≤ n")
    counts = value_counts(ratings)[0]
    full = counts.sum(axis=1) == n
    if not full.any():
        raise Undefined(f"no item has {n} ratings")
    return (counts[full].max(axis=1) >= m).astype(np.float64), full
