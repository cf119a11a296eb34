"""What rows of a matrix have in common, and what is particular to one: a two-way decomposition."""

from typing import NamedTuple

import numpy as np

from tiltmeter.analysis.matrix import ScoreMatrix
from tiltmeter.core.errors import Undefined


class Variation(NamedTuple):
    """Shares of the squared differences between cells; they add up to 1."""

    columns: float
    """Between the means of columns: what any of the rows shows."""
    rows: float
    """Between the means of rows."""
    rest: float
    """Of single cells, beyond the sum of both; chance is in it."""


def variation(matrix: ScoreMatrix) -> Variation:
    """The two-way decomposition of sums of squares, over rows that have a value in each column.

    Raises:
        Undefined: There are fewer than two such rows, or than two columns; or all cells are equal.

    >>> from tiltmeter.analysis.matrix import ScoreMatrix
    >>> values = np.array([[1.0, 3.0], [1.0, 3.0]])
    >>> variation(ScoreMatrix("m", ("a", "b"), ("p", "q"), values, values, values, values))
    Variation(columns=1.0, rows=0.0, rest=0.0)
    """
    values = matrix.values[np.isfinite(matrix.values).all(axis=1)]
    if min(values.shape) < 2:  # noqa: PLR2004
        raise Undefined("there are fewer than two rows with a value in each of two columns or more")
    centred = values - values.mean()
    whole = float(np.square(centred).sum())
    if whole <= 0:
        raise Undefined("all cells are equal")
    columns = len(values) * float(np.square(centred.mean(axis=0)).sum()) / whole
    rows = values.shape[1] * float(np.square(centred.mean(axis=1)).sum()) / whole
    return Variation(columns, rows, max(0.0, 1 - columns - rows))
