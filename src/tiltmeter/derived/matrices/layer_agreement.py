"""How far the layers (templates) of a matrix agree, and what its rows have in common."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np

from tiltmeter.core.errors import Undefined
from tiltmeter.core.quantity import computed
from tiltmeter.core.types import Array
from tiltmeter.derived.matrices.matrix import ScoreLayers, ScoreMatrix
from tiltmeter.stats.correlations.pearson import pearson


@dataclass(frozen=True, slots=True)
class LayerAgreement:
    """One layer beside all the others, over the cells that have a score in each layer."""

    layer: str
    family: str
    strength: float
    """Mean over cells of the size of this layer's own scores."""
    correlation: float | None
    """Pearson's, of its scores with the means of the other layers; None where there is none."""
    same: float
    """In how many cells it leans the way that the mean of the others does, in %; a 0 counts half."""


def agreements(layers: ScoreLayers) -> list[LayerAgreement]:
    """The agreement of each template with the others, in their order.

    Raises:
        Undefined: There is only one layer, or no cell has a score in each.

    >>> scores = np.array([[[1.0, -1.0, 0.5]], [[2.0, -2.0, 1.0]], [[-0.5, 0.5, -0.25]]])
    >>> layers = ScoreLayers("m", ("a", "b", "c"), ("f", "f", "f"), ("g",), ("p", "q", "r"),
    ...                      np.zeros_like(scores), scores)
    >>> [(a.layer, round(a.correlation, 3), a.same) for a in agreements(layers)]
    [('a', 1.0, 100.0), ('b', 1.0, 100.0), ('c', -1.0, 0.0)]
    """
    scores = _whole(layers)  # (layers, cells)
    others = (scores.sum(axis=0) - scores) / (len(scores) - 1)
    sides = np.sign(scores) * np.sign(others)
    return [
        LayerAgreement(
            layers.layers[t],
            layers.families[t],
            float(np.abs(scores[t]).mean()),
            computed(partial(pearson, scores[t], others[t]))[0],
            float(50 * (1 + sides[t]).mean()),
        )
        for t in range(len(scores))
    ]


def correlations(agreements: Sequence[LayerAgreement]) -> list[float]:
    """The correlations that are defined, lowest first."""
    return sorted(a.correlation for a in agreements if a.correlation is not None)


def _whole(layers: ScoreLayers) -> Array:
    """Scores of the cells that have one in each layer, shape (layers, cells)."""
    if len(layers.layers) < 2:  # noqa: PLR2004
        raise Undefined(f"there is only one {_called(layers)}")
    scores = layers.values.reshape(len(layers.layers), -1)
    whole = scores[:, np.isfinite(scores).all(axis=0)]
    if not whole.shape[1]:
        raise Undefined(f"no cell has a score in each {_called(layers)}")
    return np.asarray(whole, dtype=np.float64)


def _called(layers: ScoreLayers) -> str:
    return layers.view.layers.replace("_", " ") or "layer"


class Variation(NamedTuple):
    """Shares of the squared differences between cells; they add up to 1."""

    columns: float
    """The share between the means of columns, which all rows have in common."""
    rows: float
    """The share between the means of rows."""
    rest: float
    """The share of single cells beyond the sum of both, which includes chance."""


def variation(matrix: ScoreMatrix) -> Variation:
    """The two-way decomposition of sums of squares, over rows that have a value in each column.

    Raises:
        Undefined: There are fewer than two such rows, or than two columns; or all cells are equal.

    >>> from tiltmeter.derived.matrices.matrix import ScoreMatrix
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
