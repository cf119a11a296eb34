"""Split-half reliability of a measure, and the correction of correlations for it."""

import numpy as np

from tiltmeter.core.errors import BadInput, Undefined
from tiltmeter.core.types import Array
from tiltmeter.stats.correlations.pearson import pearson


def spearman_brown(r: float) -> float:
    """The reliability of a whole measure from the correlation r of its two halves: 2 r / (1 + r).

    It assumes parallel halves, which measure the same thing with the same variance. Spearman 1910,
    doi:10.1111/j.2044-8295.1910.tb00206.x; Brown 1910, doi:10.1111/j.2044-8295.1910.tb00207.x.

    Raises:
        Undefined: r is −1.

    >>> spearman_brown(0.5)
    0.6666666666666666
    """
    if r <= -1:
        raise Undefined("the halves are exact opposites, so there is no reliability")
    return 2 * r / (1 + r)


def split_half(first: Array, second: Array) -> float:
    """Split-half reliability, averaged over repeated splits of the items.

    It is the mean over splits of the halves' correlation, stepped up to the whole by `spearman_brown`.

    Args:
        first: The points' values from one half, shape (splits, points).
        second: The points' values from the other half of the same split, shape (splits, points).

    Raises:
        Undefined: Fewer than three points, or a split in which all values of a half are equal.

    >>> halves = np.array([[1.0, 2, 3]]), np.array([[1.0, 2, 2]])
    >>> round(split_half(*halves), 4)  # 2 · .8660 / 1.8660
    0.9282
    """
    if first.shape != second.shape or first.ndim != 2 or not len(first):  # noqa: PLR2004
        raise BadInput(
            f"the halves have shapes {first.shape} and {second.shape}",
            "give both as (splits, points), with at least one split",
        )
    each = [pearson(of_first, of_second) for of_first, of_second in zip(first, second, strict=True)]
    return spearman_brown(float(np.mean(each)))


def disattenuated(r: float, reliability_x: float, reliability_y: float) -> float:
    """A correlation corrected for the unreliability of both measures: r / √(rel_x · rel_y).

    Noise in either measure attenuates their correlation (Spearman 1904, doi:10.2307/1412159). The result
    is computed from three estimates: with few points it may exceed 1, which means that r or a reliability
    is off by chance. It is not clipped.

    Args:
        r: The observed correlation.
        reliability_x: The share of the variance of the first measure that is not noise; at most 1.
        reliability_y: The same for the second measure.

    Raises:
        Undefined: A reliability is 0 or less: the measure may be nothing but noise.
        BadInput: A reliability is above 1 or not a number.

    >>> disattenuated(0.42, 0.49, 1.0)
    0.6
    """
    for reliability in (reliability_x, reliability_y):
        if not reliability <= 1:  # also of NaN
            raise BadInput(f"{reliability:g} is not a reliability", "give a share, at most 1")
        if reliability <= 0:
            raise Undefined(
                f"a reliability is {reliability:.3g}: that measure may be nothing but noise"
            )
    return r / float(np.sqrt(reliability_x * reliability_y))
