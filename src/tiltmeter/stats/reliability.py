"""How far a measure agrees with itself, and what that does to its correlations."""

import numpy as np

from tiltmeter.core.errors import BadInput, Undefined
from tiltmeter.core.types import Array
from tiltmeter.stats.pearson import pearson


def spearman_brown(r: float) -> float:
    """Reliability of a whole, from the correlation r of its two halves: 2 r / (1 + r).

    It takes the halves as parallel: alike in what they measure and in how much they vary. Spearman 1910,
    doi:10.1111/j.2044-8295.1910.tb00206.x; Brown 1910, doi:10.1111/j.2044-8295.1910.tb00207.x.

    Raises:
        Undefined: r is −1: the halves are opposites, and no whole can be told from them.

    >>> spearman_brown(0.5)
    0.6666666666666666
    """
    if r <= -1:
        raise Undefined("the halves are exact opposites, so there is no reliability")
    return 2 * r / (1 + r)


def split_half(first: Array, second: Array) -> float:
    """Reliability over points that were measured with halves of the items, split again and again.

    The mean over splits of the halves' correlation, stepped up to the whole by `spearman_brown`.

    Args:
        first: The points' values from one half, shape (splits, points).
        second: From the other half of the same split, shape (splits, points).

    Raises:
        Undefined: Fewer than three points, or a split in which all values of a half are equal.

    >>> halves = np.array([[1.0, 2, 3]]), np.array([[1.0, 2, 2]])
    >>> round(split_half(*halves), 4)  # 2 · .8660 / 1.8660
    0.9282
    """
    if first.shape != second.shape or first.ndim != 2 or not len(first):  # noqa: PLR2004
        raise BadInput(f"halves of shapes {first.shape} and {second.shape} are no splits")
    each = [pearson(one, other) for one, other in zip(first, second, strict=True)]
    return spearman_brown(float(np.mean(each)))


def disattenuated(r: float, reliability_x: float, reliability_y: float) -> float:
    """The correlation of what two measures measure, without their noise: r / √(rel_x · rel_y).

    Noise of its own in either measure makes a correlation smaller than that of what is measured
    (Spearman 1904, doi:10.2307/1412159). The result is an estimate from three estimates: with few points
    it may lie beyond 1, and then says that r or a reliability is off by chance. It is given as it is.

    Args:
        r: The correlation as observed.
        reliability_x: Share of the one measure's variance over the points that is not noise; to 1.
        reliability_y: Of the other.

    Raises:
        Undefined: A reliability is 0 or less: then all that is seen of that measure may be noise.
        BadInput: A reliability is above 1 or no number.

    >>> disattenuated(0.42, 0.49, 1.0)
    0.6
    """
    for one in (reliability_x, reliability_y):
        if not one <= 1:  # also of NaN
            raise BadInput(f"{one:g} is no reliability", "it is a share, at most 1")
        if one <= 0:
            raise Undefined(
                f"a reliability is {one:.3g}: all that is seen of that measure may be noise"
            )
    return r / float(np.sqrt(reliability_x * reliability_y))
