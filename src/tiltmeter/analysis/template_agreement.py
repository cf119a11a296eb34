"""Do the templates of a matrix say the same, or does one of them drive it?"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tiltmeter.analysis.matrix import Layers
from tiltmeter.core.errors import Undefined
from tiltmeter.core.types import Array

FEWEST_CELLS = 3
"""A correlation over fewer cells says nothing."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """One template beside all the others, over the cells that have a score in each template."""

    template: str
    family: str
    strength: float
    """Mean over cells of the size of this template's own scores."""
    correlation: float | None
    """Pearson's, of its scores with the means of the other templates; None where there is none."""
    same: float
    """In how many cells it leans the way that the mean of the others does, in %; a 0 counts half."""


def agreements(layers: Layers) -> list[Agreement]:
    """One a template, in their order.

    Raises:
        Undefined: There is only one template, or no cell has a score in each.

    >>> scores = np.array([[[1.0, -1.0, 0.5]], [[2.0, -2.0, 1.0]], [[-0.5, 0.5, -0.25]]])
    >>> layers = Layers("m", ("a", "b", "c"), ("f", "f", "f"), ("g",), ("p", "q", "r"),
    ...                 np.zeros_like(scores), scores)
    >>> [(a.template, round(a.correlation, 3), a.same) for a in agreements(layers)]
    [('a', 1.0, 100.0), ('b', 1.0, 100.0), ('c', -1.0, 0.0)]
    """
    scores = _whole(layers)  # (templates, cells)
    others = (scores.sum(axis=0) - scores) / (len(scores) - 1)
    sides = np.sign(scores) * np.sign(others)
    return [
        Agreement(
            layers.templates[t],
            layers.families[t],
            float(np.abs(scores[t]).mean()),
            _pearson(scores[t], others[t]),
            float(50 * (1 + sides[t]).mean()),
        )
        for t in range(len(scores))
    ]


def by_chance(layers: Layers) -> float:
    """The mean strength that cells without any leaning would have, were their scores as scattered.

    The mean of n scores lies sqrt(2 / π) · s / sqrt(n) from 0 on average where their true mean is 0 and
    s is their standard deviation; the mean of that over cells.

    Raises:
        Undefined: As `agreements`.
    """
    scores = _whole(layers)
    errors = scores.std(axis=0, ddof=1) / np.sqrt(len(scores))  # (cells,)
    return float(np.sqrt(2 / np.pi) * errors.mean())


def correlations(found: Sequence[Agreement]) -> list[float]:
    """Those that are there, lowest first."""
    return sorted(a.correlation for a in found if a.correlation is not None)


def _whole(layers: Layers) -> Array:
    """Scores of the cells that have one in each template, shape (templates, cells)."""
    if len(layers.templates) < 2:  # noqa: PLR2004
        raise Undefined("there is one template only")
    scores = layers.values.reshape(len(layers.templates), -1)
    whole = scores[:, np.isfinite(scores).all(axis=0)]
    if not whole.shape[1]:
        raise Undefined("no cell has a score in each template")
    return np.asarray(whole, dtype=np.float64)


def _pearson(x: Array, y: Array) -> float | None:
    if len(x) < FEWEST_CELLS or np.ptp(x) == 0 or np.ptp(y) == 0:
        return None
    a, b = x - x.mean(), y - y.mean()
    return float(np.clip(a @ b / np.sqrt((a @ a) * (b @ b)), -1, 1))
