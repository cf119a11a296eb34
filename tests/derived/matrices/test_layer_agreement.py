"""Agreement of templates, chance, and what a matrix is made of, against plain sums."""

import numpy as np
import pytest

from report import cells
from tiltmeter.core.errors import Undefined
from tiltmeter.derived.matrices.layer_agreement import agreements, variation
from tiltmeter.derived.matrices.matrix import ScoreLayers, ScoreMatrix, layers_of


def layers(scores: np.ndarray) -> ScoreLayers:
    t, g, p = scores.shape
    names = [
        tuple(f"{kind}{i}" for i in range(n)) for kind, n in zip("tgp", (t, g, p), strict=True)
    ]
    return ScoreLayers("m", names[0], ("f",) * t, names[1], names[2], np.zeros_like(scores), scores)


def test_each_template_beside_the_mean_of_the_others():
    found = layers_of(cells.result())
    scores = found.values.reshape(7, -1)
    scores = scores[:, np.isfinite(scores).all(axis=0)]
    for i, one in enumerate(agreements(found)):
        others = np.delete(scores, i, axis=0).mean(axis=0)
        assert one.correlation == pytest.approx(np.corrcoef(scores[i], others)[0, 1])
        assert one.strength == pytest.approx(np.abs(scores[i]).mean())
        assert one.same == pytest.approx(100 * np.mean(np.sign(scores[i]) == np.sign(others)))


def test_one_template_or_no_whole_cell_leaves_it_undefined():
    with pytest.raises(Undefined, match="only one layer"):
        agreements(layers(np.zeros((1, 3, 3))))
    with pytest.raises(Undefined, match="no cell has a score in each"):
        agreements(layers(np.full((2, 1, 3), np.nan)))


def test_too_few_cells_or_equal_ones_have_no_correlation():
    assert agreements(layers(np.arange(4.0).reshape(2, 1, 2)))[0].correlation is None
    assert agreements(layers(np.ones((3, 2, 2))))[0].correlation is None


def test_variation_is_the_two_way_decomposition():
    pairs, groups = np.array([1.0, -1.0, 0.0]), np.array([2.0, -2.0])
    values = groups[:, None] + pairs[None, :]  # sums of squares 2 · 2 and 3 · 8
    none = np.full(values.shape, np.nan)
    found = variation(ScoreMatrix("m", ("a", "b"), ("p", "q", "r"), values, none, none, none))
    assert found == pytest.approx((4 / 28, 24 / 28, 0))
    gone = values.copy()
    gone[0, 0] = np.nan
    with pytest.raises(Undefined, match="fewer than two rows"):
        variation(ScoreMatrix("m", ("a", "b"), ("p", "q", "r"), gone, none, none, none))
