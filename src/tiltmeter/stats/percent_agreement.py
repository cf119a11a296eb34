"""Percent agreement, not corrected for chance: of whole panels, of pairs, and of m among n raters.

Ratings have the shape (items, raters), NaN where a rater said nothing; the order of raters has no
meaning. Values are compared for equality only.
"""

import numpy as np

from tiltmeter.core.errors import BadInput, Undefined
from tiltmeter.core.results import Inference
from tiltmeter.core.types import Array, Labels
from tiltmeter.stats.intervals import wilson_clustered
from tiltmeter.stats.rating_counts import agreement_interval, rated_twice, value_counts


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


def all_agree(ratings: Array, *, raters: int | None = None) -> float:
    """Of the items with exactly `raters` ratings, how many have only equal ones, in per cent.

    From 0 to 100. More raters agree less often, so items are compared at one number of ratings only.

    Args:
        ratings: Shape (items, raters).
        raters: Ratings that an item must have; by default `panel_size`.

    Raises:
        Undefined: No item has that many ratings.

    >>> all_agree(np.array([[1, 1, 1], [2, 1, 1], [2, 2, np.nan]]))
    50.0
    """
    return float(100 * _full_panels(ratings, raters)[0].mean())


def m_of_n_agree(ratings: Array, m: int, n: int) -> float:
    """Of the items with exactly n ratings, how many have m or more equal ones, in per cent.

    StereoSet kept candidates that 3 of 5 people labelled as their writer did (Nadeem et al. 2021,
    section 4.3, doi:10.18653/v1/2021.acl-long.416).

    Raises:
        Undefined: No item has n ratings.
        BadInput: m is not between 2 and n.

    >>> round(m_of_n_agree(np.array([[1, 1, 2], [1, 2, 3], [1, 1, 1], [2, 2, np.nan]]), 2, 3), 1)
    66.7
    """
    return float(100 * _enough_equal(ratings, m, n)[0].mean())


def pairs_agree(ratings: Array) -> float:
    """How often two randomly chosen ratings of a random item are equal, in per cent.

    The mean over items of the share of their pairs of ratings that are equal, from 0 to 100; items
    with one rating are left out. Fleiss' kappa corrects this number for chance.

    Raises:
        Undefined: No item has two ratings.

    >>> round(pairs_agree(np.array([[1, 1, 1], [2, 1, 1]])), 1)  # 3 of 3 and 1 of 3
    66.7
    """
    return float(_equal_pairs(rated_twice(value_counts(ratings)[0])).mean())


def draws_agree(ratings: Array, size: int) -> float:
    """How often so many randomly chosen ratings of a random item are all equal, in per cent.

    With 2 it is `pairs_agree`. Items with fewer ratings are left out.

    Raises:
        Undefined: No item has so many ratings.

    >>> draws_agree(np.array([[1, 1, 1, 2], [2, 2, np.nan, np.nan]]), 3)  # 1 of 4 ways
    25.0
    """
    return float(_equal_draws(value_counts(ratings)[0], size)[0].mean())


def draws_inference(ratings: Array, size: int) -> Inference:
    """`agreement_interval` (95 %) of `draws_agree`.

    Raises:
        Undefined: As `draws_agree`.
    """
    return _mean_inference(_equal_draws(value_counts(ratings)[0], size)[0], None)


def all_agree_inference(
    ratings: Array,
    *,
    raters: int | None = None,
    clusters: Labels | None = None,
    confidence: float = 0.95,
) -> Inference:
    """Wilson's interval of `all_agree`; with `clusters`, shape (items,), with a design effect.

    Raises:
        Undefined: As `all_agree`.
    """
    return _share_inference(*_full_panels(ratings, raters), clusters, confidence)


def m_of_n_inference(
    ratings: Array, m: int, n: int, *, clusters: Labels | None = None, confidence: float = 0.95
) -> Inference:
    """Wilson's interval of `m_of_n_agree`; with `clusters`, shape (items,), with a design effect.

    Raises:
        Undefined: As `m_of_n_agree`.
        BadInput: As `m_of_n_agree`.
    """
    return _share_inference(*_enough_equal(ratings, m, n), clusters, confidence)


def pairs_inference(ratings: Array, *, clusters: Labels | None = None) -> Inference:
    """`agreement_interval` (95 %) of `pairs_agree`; with `clusters`, shape (items,), by whole clusters.

    Raises:
        Undefined: As `pairs_agree`.
    """
    counts = value_counts(ratings)[0]
    twice = counts.sum(axis=1) >= 2  # noqa: PLR2004
    each = _equal_pairs(rated_twice(counts))
    return _mean_inference(each, None if clusters is None else clusters[twice])


def _mean_inference(each: Array, clusters: Labels | None) -> Inference:
    """Interval of a mean of items' shares, in per cent."""
    shares = agreement_interval(lambda some: float(some.mean()) / 100, each[:, None], clusters)
    if shares.low is None or shares.high is None:
        return shares
    return shares._replace(low=100 * shares.low, high=100 * shares.high)


def _equal_pairs(counts: Array) -> Array:
    """Share of each item's pairs of ratings that are equal, in per cent."""
    sizes = counts.sum(axis=1)
    return np.asarray(100 * (counts * (counts - 1)).sum(axis=1) / (sizes * (sizes - 1)))


def _equal_draws(counts: Array, size: int) -> tuple[Array, Array]:
    """Share of the equal ways to draw so many ratings, in per cent, of each item that has as many."""
    from scipy.special import comb

    enough = counts.sum(axis=1) >= size
    if not enough.any():
        raise Undefined(f"no item has {size} ratings")
    some = counts[enough]
    ways = comb(some, size).sum(axis=1) / comb(some.sum(axis=1), size)
    return np.asarray(100 * ways), enough


def _full_panels(ratings: Array, raters: int | None) -> tuple[Array, Array]:
    n = panel_size(ratings) if raters is None else raters
    return _enough_equal(ratings, n, n)


def _enough_equal(ratings: Array, m: int, n: int) -> tuple[Array, Array]:
    """For each item with n ratings, 1 if m are equal and 0 if not; and which items have n ratings."""
    if not 2 <= m <= n:  # noqa: PLR2004  (one rating always equals itself)
        raise BadInput(f"{m} of {n} raters is not a share of a panel", "take 2 ≤ m ≤ n")
    counts = value_counts(ratings)[0]
    full = counts.sum(axis=1) == n
    if not full.any():
        raise Undefined(f"no item has {n} ratings")
    return (counts[full].max(axis=1) >= m).astype(np.float64), full


def _share_inference(
    equal: Array, full: Array, clusters: Labels | None, confidence: float
) -> Inference:
    labels = np.arange(len(equal)) if clusters is None else clusters[full.astype(bool)]
    low, high = wilson_clustered(equal, labels, confidence=confidence)
    name = "Wilson" if clusters is None else "Wilson with a design effect for clusters of items"
    return Inference(100 * low, 100 * high, interval=name, level=confidence)
