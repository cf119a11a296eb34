"""Do the layers (templates) of a matrix agree, or does one of them drive it?"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from tiltmeter.analysis.matrix import ScoreLayers
from tiltmeter.core.analysis import computed
from tiltmeter.core.errors import Undefined
from tiltmeter.core.types import Array
from tiltmeter.stats.pearson import pearson


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
    """One a template, in their order.

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


def correlations(found: Sequence[LayerAgreement]) -> list[float]:
    """Those that are there, lowest first."""
    return sorted(a.correlation for a in found if a.correlation is not None)


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
