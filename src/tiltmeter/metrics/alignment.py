"""Agreement between a model's scores of a group's traits and people's ratings.

A group has a score for each pair of opposite traits (above 0: closer to the right one) and a human rating
on a scale whose middle is neutral. Kendall's tau (`stats.correlations.correlation`) compares the order of all
pairs; precision at k only the traits at either end of the model's order.

Source: Cao et al. 2022, doi:10.18653/v1/2022.naacl-main.92, section 5.1; here after Sotnikova 2023, section
4.5.1.
"""

from collections.abc import Sequence

import numpy as np

from tiltmeter.core.errors import BadInput, Undefined
from tiltmeter.core.types import Array
from tiltmeter.stats.correlations.correlation import kendall_rows

K = 3
MIDDLE = 50.0
DRAWS = 9_999


def mean_kendall_tau(scores: Array, ratings: Array) -> float:
    """Mean over groups of Kendall's tau-b within a group, from −1 to 1; 0 is no relation.

    Args:
        scores: The model's scores, shape (groups, pairs); NaN where there is none.
        ratings: People's ratings, of the same shape.

    Raises:
        Undefined: No group has a tau (three pairs or more, not all equal on either side).

    >>> mean_kendall_tau(np.array([[1.0, 2, 3], [1, 2, 3]]), np.array([[1.0, 2, 3], [3, 2, 1]]))
    0.0
    """
    taus = kendall_rows(scores, ratings)
    if not np.isfinite(taus).any():
        raise Undefined("no group has three pairs of traits with different scores and ratings")
    return float(np.nanmean(taus))


def precision_rows(scores: Array, ratings: Array, *, k: int = K) -> Array:
    """Share of the k highest and k lowest pairs of each group that people rate on the same side.

    The mean of two shares: of the k highest-scoring pairs, those that people rate above the middle (the
    right trait); of the k lowest, those that they rate below it. From 0 to 1; a random order gives 1/2 on
    average, whatever the ratings, since each pair is at either end with the same probability.

    Two choices that the paper leaves open: a rating exactly in the middle counts half for either side, and
    pairs tied at the k-th place count in part, so that the value is the mean over all orders of such ties.

    Args:
        scores: The model's scores, shape (rows, pairs). Pairs with a NaN on either side are left out.
        ratings: People's ratings, of the same shape.
        k: The number of pairs at either end.

    Returns:
        Shape (rows,); NaN where there are fewer than 2k pairs.

    >>> ratings = np.array([[90.0, 60.0, 40.0, 70.0, 30.0, 20.0]])
    >>> precision_rows(np.array([[6.0, 5, 4, 3, 2, 1]]), ratings).tolist()  # (2/3 + 2/3) / 2
    [0.6666666666666666]
    """
    top, bottom = end_precision_rows(scores, ratings, k=k)
    return np.asarray((top + bottom) / 2, dtype=np.float64)


def end_precision_rows(scores: Array, ratings: Array, *, k: int = K) -> tuple[Array, Array]:
    """The two halves of `precision_rows`: of the k highest pairs and of the k lowest, each from 0 to 1.

    Neither has a neutral value of 1/2: a random order gives the share of all pairs that people put on
    that side.

    >>> x = np.array([[4.0, 3.0, 2.0, 1.0]])
    >>> top, bottom = end_precision_rows(x, np.array([[80.0, 70, 60, 40]]), k=2)
    >>> top.tolist(), bottom.tolist()
    ([1.0], [0.5])
    """
    both = np.isfinite(scores) & np.isfinite(ratings)
    shares = np.full((2, len(scores)), np.nan)
    enough = both.sum(axis=1) >= 2 * k
    if enough.any():
        both, ordered = both[enough], scores[enough]
        right = right_shares(ratings[enough])
        high = _highest(np.where(both, ordered, -np.inf), k)
        low = _highest(np.where(both, -ordered, -np.inf), k)
        shares[0, enough] = np.where(both, high * right, 0.0).sum(axis=1) / k
        shares[1, enough] = np.where(both, low * (1 - right), 0.0).sum(axis=1) / k
    return shares[0], shares[1]


def precision_p(
    scores: Sequence[Array], ratings: Sequence[Array], rng: np.random.Generator, *, k: int = K
) -> float:
    """Two-sided p of the mean of `precision_rows` over groups, by permuting people's ratings.

    The ratings are shuffled among the pairs of each group; p is the share of draws whose mean is at least
    as far from 1/2 as the observed one, which counts as one draw.

    Raises:
        Undefined: There are no groups, or one has fewer than 2k pairs.

    >>> x = np.arange(6.0)
    >>> p = precision_p([x], [10 * x + 25], np.random.default_rng(0))  # two of 6!/(3! 3!) deals
    >>> abs(p - 2 / 20) < .02
    True
    """
    if not scores:
        raise Undefined("there are no groups")
    seen, sums = 0.0, np.zeros(DRAWS)
    for mine, theirs in zip(scores, ratings, strict=True):
        both = np.isfinite(mine) & np.isfinite(theirs)
        top, bottom = end_weights(mine[both], k)
        right = right_shares(theirs[both])
        dealt = rng.permuted(np.tile(right, (DRAWS, 1)), axis=1)
        sums += dealt @ top + (1 - dealt) @ bottom
        seen += float(right @ top + (1 - right) @ bottom)
    level = k * len(scores)  # half of 2k slots per group
    extreme = np.count_nonzero(np.abs(sums - level) >= abs(seen - level) - 1e-9)
    return (1 + int(extreme)) / (1 + DRAWS)


def end_weights(scores: Array, k: int) -> tuple[Array, Array]:
    """The weight of each pair among the k highest and the k lowest; each sums to k.

    Pairs tied at the k-th place share the remaining weight.

    >>> top, bottom = end_weights(np.array([4.0, 3.0, 3.0, 1.0]), 2)
    >>> top.tolist(), bottom.tolist()
    ([1.0, 0.5, 0.5, 0.0], [0.0, 0.5, 0.5, 1.0])

    Raises:
        Undefined: There are fewer than 2k pairs.
        BadInput: k is less than 1.
    """
    if k < 1:
        raise BadInput(f"k is {k}", "give a k of 1 or more")
    if len(scores) < 2 * k:
        lacks = f"needs at least {2 * k} pairs of traits; there are {len(scores)}"
        raise Undefined(f"precision at {k} {lacks}")
    return _highest(scores, k), _highest(-scores, k)


def right_shares(ratings: Array) -> Array:
    """1 where the rating is above the middle, 0 below, 1/2 exactly there.

    >>> right_shares(np.array([80.0, 50.0, 20.0])).tolist()
    [1.0, 0.5, 0.0]
    """
    return np.asarray((1 + np.sign(ratings - MIDDLE)) / 2, dtype=np.float64)


def _highest(scores: Array, k: int) -> Array:
    """The weight of each among the k highest of its row, the last axis."""
    last = np.sort(scores, axis=-1)[..., -k, None]
    above, at = scores > last, scores == last
    left = k - above.sum(axis=-1, keepdims=True)
    return np.asarray(above + at * left / at.sum(axis=-1, keepdims=True), dtype=np.float64)
