"""What groups have in common, and what is particular to one: a matrix taken apart."""

from typing import NamedTuple

import numpy as np

from tiltmeter.analysis.matrix import Matrix
from tiltmeter.core.errors import Undefined


class Variation(NamedTuple):
    """Shares of the squared differences between cells; they add up to 1."""

    pairs: float
    """Between the means of pairs: what any of the groups shows."""
    groups: float
    """Between the means of groups."""
    rest: float
    """Of single cells, beyond the sum of both; chance is in it."""


def variation(matrix: Matrix) -> Variation:
    """The two-way decomposition of sums of squares, over groups that have a value for each pair.

    Raises:
        Undefined: There are fewer than two such groups, or than two pairs; or all cells are equal.

    >>> from tiltmeter.analysis.matrix import Matrix
    >>> values = np.array([[1.0, 3.0], [1.0, 3.0]])
    >>> variation(Matrix("m", ("a", "b"), ("p", "q"), values, values, values, values))
    Variation(pairs=1.0, groups=0.0, rest=0.0)
    """
    values = matrix.values[np.isfinite(matrix.values).all(axis=1)]
    if min(values.shape) < 2:  # noqa: PLR2004
        raise Undefined(
            "there are fewer than two groups with a value for each of two pairs or more"
        )
    centred = values - values.mean()
    whole = float(np.square(centred).sum())
    if whole <= 0:
        raise Undefined("all cells are equal")
    pairs = len(values) * float(np.square(centred.mean(axis=0)).sum()) / whole
    groups = values.shape[1] * float(np.square(centred.mean(axis=1)).sum()) / whole
    return Variation(pairs, groups, max(0.0, 1 - pairs - groups))
