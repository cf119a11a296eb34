"""Percent agreement, not corrected for chance: of whole panels, of pairs, and of m among n raters.

Ratings have the shape (items, raters), NaN where a rater said nothing; the order of raters has no
meaning. Values are compared for equality only.
"""

import numpy as np
import numpy.typing as npt

from tiltmeter.core.errors import BadInput, Undefined
from tiltmeter.core.estimates import Inference
from tiltmeter.core.types import Array, Labels
from tiltmeter.stats.confidence_intervals.intervals import wilson_clustered
from tiltmeter.stats.raters.rating_counts import agreement_interval, rated_twice, value_counts


def panel_size(ratings: Array) -> int:
    """The most common number of ratings of an item, of those with two or more; of ties the larger.

    Raises:
        Undefined: No item has two ratings.

    >>> panel_size(np.array([[1, 1, 1], [2, 1, 1], [2, np.nan, 1]]))
    3
    """
    sizes = rated_twice(value_counts(ratings)[0]).sum(axis=1).astype(np.int64)
    times = np.bincount(sizes)
    return int(np.flatnonzero(times == times.max())[-1])


def m_of_n_agree(ratings: Array, m: int, n: int) -> float:
    """Of the items with exactly n ratings, how many have m or more equal ones, in per cent.

    More raters agree less often, so items are compared at one number of ratings only. StereoSet kept
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
    """Wilson's 95 % interval of `m_of_n_agree`; with `clusters`, shape (items,), with a design effect.

    Raises:
        Undefined: As `m_of_n_agree`.
        BadInput: As `m_of_n_agree`.
    """
    equal, full = _enough_equal(ratings, m, n)
    labels = np.arange(len(equal)) if clusters is None else clusters[full]
    low, high = wilson_clustered(equal, labels)
    name = "Wilson" if clusters is None else "Wilson with a design effect for clusters of items"
    return Inference(100 * low, 100 * high, interval=name)


def draws_agree(ratings: Array, size: int = 2) -> float:
    """How often so many randomly chosen ratings of a random item are all equal, in per cent.

    The mean over items of the share of equal ways to draw, from 0 to 100; items with fewer ratings are left
    out. Of two ratings, Fleiss' kappa corrects this number for chance.

    Raises:
        Undefined: No item has so many ratings.

    >>> round(draws_agree(np.array([[1, 1, 1], [2, 1, 1]])), 1)  # 3 of 3 and 1 of 3 pairs
    66.7
    >>> draws_agree(np.array([[1, 1, 1, 2], [2, 2, np.nan, np.nan]]), 3)  # 1 of 4 ways
    25.0
    """
    return float(_equal_draws(ratings, size)[0].mean())


def draws_inference(ratings: Array, size: int = 2, *, clusters: Labels | None = None) -> Inference:
    """`agreement_interval` of `draws_agree`; with `clusters`, shape (items,), by whole clusters.

    Raises:
        Undefined: As `draws_agree`.
    """
    each, enough = _equal_draws(ratings, size)
    labels = None if clusters is None else clusters[enough]
    shares = agreement_interval(lambda some: float(some.mean()) / 100, each[:, None], labels)
    return shares.times(100)


def _equal_draws(ratings: Array, size: int) -> tuple[Array, npt.NDArray[np.bool_]]:
    """Share of equal ways to draw so many ratings, in per cent, of the items that have as many; and which."""
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
