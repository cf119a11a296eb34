"""How well do a model's scores of a group's traits agree with what people say?

A group has a score for each pair of opposite traits (above 0: nearer to the right one) and, from people,
a number on a scale whose middle is neither. Kendall's tau (`stats.correlation`) asks for the same order of
the pairs; precision at k asks only about the traits at either end of the model's order.

Source: Cao et al. 2022, doi:10.18653/v1/2022.naacl-main.92, section 5.1; here after Sotnikova 2023, section
4.5.1.
"""

from collections.abc import Sequence

import numpy as np

from tiltmeter.core.errors import BadInput, Undefined
from tiltmeter.core.types import Array
from tiltmeter.stats.correlation import kendall_rows

K = 3
MIDDLE = 50.0
DRAWS = 9_999


def mean_kendall_tau(scores: Array, said: Array) -> float:
    """Mean over groups of Kendall's tau-b within a group, from −1 to 1; 0 is no relation.

    Args:
        scores: The model's, shape (groups, pairs); NaN where there is none.
        said: People's, of the same shape.

    Raises:
        Undefined: No group has a tau (three pairs or more, not all equal on either side).

    >>> mean_kendall_tau(np.array([[1.0, 2, 3], [1, 2, 3]]), np.array([[1.0, 2, 3], [3, 2, 1]]))
    0.0
    """
    taus = kendall_rows(scores, said)
    if not np.isfinite(taus).any():
        raise Undefined("no group has three pairs of traits whose scores differ on both sides")
    return float(np.nanmean(taus))


def precision_at_k(scores: Array, said: Array, *, k: int = K, middle: float = MIDDLE) -> float:
    """Of the k highest and the k lowest pairs of one group, how many do people put on that side?

    Of the k pairs that score highest, the share in which people are above the middle (the right trait);
    of the k lowest, the share in which they are below it; and the mean of the two. From 0 to 1; a
    random order gives 1/2 on average, whatever people say (see `expected_precision`).

    Two things the paper leaves open: people exactly in the middle count half for either side; of pairs
    that share the score at the k-th place each counts in part, so that the value is the mean over all
    orders of such ties.

    Args:
        scores: The model's, shape (pairs,). Pairs with a NaN on either side are left out.
        said: People's, of the same shape.
        k: How many at either end.
        middle: Of people's scale.

    Raises:
        Undefined: There are fewer than 2k pairs.

    >>> said = np.array([90.0, 60.0, 40.0, 70.0, 30.0, 20.0])
    >>> precision_at_k(np.array([6.0, 5, 4, 3, 2, 1]), said)  # (2/3 + 2/3) / 2
    0.6666666666666666
    """
    both = np.isfinite(scores) & np.isfinite(said)
    _check(int(both.sum()), k)
    return float(precision_rows(scores[None], said[None], k=k, middle=middle)[0])


def precision_rows(scores: Array, said: Array, *, k: int = K, middle: float = MIDDLE) -> Array:
    """`precision_at_k` of each row, shapes (rows, pairs) to (rows,); NaN where pairs are too few.

    >>> precision_rows(np.array([[2.0, 1.0], [1.0, np.nan]]), np.array([[80.0, 20.0]] * 2), k=1).tolist()
    [1.0, nan]
    """
    both = np.isfinite(scores) & np.isfinite(said)
    found = np.full(len(scores), np.nan)
    enough = both.sum(axis=1) >= 2 * k
    if not enough.any():
        return found
    both, ordered = both[enough], scores[enough]
    right = right_shares(said[enough], middle)
    top = _highest(np.where(both, ordered, -np.inf), k)
    bottom = _highest(np.where(both, -ordered, -np.inf), k)
    hits = np.where(both, top * right + bottom * (1 - right), 0.0).sum(axis=1)
    found[enough] = hits / (2 * k)
    return found


def expected_precision(said: Array, *, k: int = K, middle: float = MIDDLE) -> float:
    """What `precision_at_k` is on average over all orders of the model's scores.

    At either end each pair is there with chance k/n; so it is the mean of the share of pairs on the
    right and the share on the left: 1/2.

    >>> expected_precision(np.array([90.0, 80, 70, 60, 55, 20]))
    0.5
    """
    right = right_shares(said[np.isfinite(said)], middle)
    _check(len(right), k)
    return float(right.mean() + (1 - right).mean()) / 2


def precision_p(
    scores: Sequence[Array],
    said: Sequence[Array],
    rng: np.random.Generator,
    *,
    k: int = K,
    middle: float = MIDDLE,
    draws: int = DRAWS,
) -> float:
    """Two-sided p of the mean of `precision_at_k` over groups: permutations of people's pairs.

    Within each group what people say is dealt to the pairs anew; how often is the mean as far from 1/2
    as the one that is there? That one counts as one draw.

    Raises:
        Undefined: There are no groups, or one has fewer than 2k pairs.

    >>> x = np.arange(6.0)
    >>> p = precision_p([x], [10 * x + 25], np.random.default_rng(0))  # two of 6!/(3! 3!) deals
    >>> abs(p - 2 / 20) < .02
    True
    """
    if not scores:
        raise Undefined("there are no groups")
    seen, sums = 0.0, np.zeros(draws)
    for mine, theirs in zip(scores, said, strict=True):
        both = np.isfinite(mine) & np.isfinite(theirs)
        top, bottom = end_weights(mine[both], k)
        right = right_shares(theirs[both], middle)
        dealt = rng.permuted(np.tile(right, (draws, 1)), axis=1)
        sums += dealt @ top + (1 - dealt) @ bottom
        seen += float(right @ top + (1 - right) @ bottom)
    level = k * len(scores)  # half of 2k slots a group
    extreme = np.count_nonzero(np.abs(sums - level) >= abs(seen - level) - 1e-9)
    return (1 + int(extreme)) / (1 + draws)


def end_weights(scores: Array, k: int) -> tuple[Array, Array]:
    """How much each pair counts among the k highest and the k lowest; each sums to k.

    Those tied at the k-th place share what is left.

    >>> top, bottom = end_weights(np.array([4.0, 3.0, 3.0, 1.0]), 2)
    >>> top.tolist(), bottom.tolist()
    ([1.0, 0.5, 0.5, 0.0], [0.0, 0.5, 0.5, 1.0])

    Raises:
        Undefined: There are fewer than 2k pairs.
        BadInput: k is less than 1.
    """
    _check(len(scores), k)
    return _highest(scores, k), _highest(-scores, k)


def right_shares(said: Array, middle: float = MIDDLE) -> Array:
    """1 where people are above the middle, 0 below, 1/2 exactly there.

    >>> right_shares(np.array([80.0, 50.0, 20.0])).tolist()
    [1.0, 0.5, 0.0]
    """
    return np.asarray((1 + np.sign(said - middle)) / 2, dtype=np.float64)


def _highest(scores: Array, k: int) -> Array:
    """How much each counts among the k highest of its row, the last axis."""
    last = np.sort(scores, axis=-1)[..., -k, None]
    above, at = scores > last, scores == last
    left = k - above.sum(axis=-1, keepdims=True)
    return np.asarray(above + at * left / at.sum(axis=-1, keepdims=True), dtype=np.float64)


def _check(n: int, k: int) -> None:
    if k < 1:
        raise BadInput(f"precision at {k} counts nothing", "give a k of 1 or more")
    if n < 2 * k:
        raise Undefined(f"precision at {k} needs {2 * k} pairs of traits or more, there are {n}")
