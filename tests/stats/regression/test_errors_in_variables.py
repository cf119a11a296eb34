"""Slopes on noisy ratings: weights beside dense matrices, noise beside its expectation, recovery."""

import numpy as np
import pytest

from tiltmeter.core.errors import Undefined
from tiltmeter.stats.regression.errors_in_variables import (
    GridWeights,
    Rated,
    corrected_slopes,
    slopes_on,
)

WEIGHTS = GridWeights(5, 4, 0.6, 1.3)


def dense_weights(weights):
    """V⁻¹ − V⁻¹ 1 1' V⁻¹ / 1' V⁻¹ 1, for cells row by row."""
    rows, columns = np.indices((weights.rows, weights.columns)).reshape(2, -1)
    v = np.eye(len(rows)) + weights.row_ratio**2 * (rows[:, None] == rows)
    v = np.linalg.inv(v + weights.column_ratio**2 * (columns[:, None] == columns))
    ones = v.sum(axis=1)
    return v - np.outer(ones, ones) / ones.sum()


def test_products_are_those_of_generalised_least_squares():
    grids = np.random.default_rng(0).normal(size=(3, 5, 4))
    flat = grids.reshape(3, -1)
    assert WEIGHTS.products(grids) == pytest.approx(flat @ dense_weights(WEIGHTS) @ flat.T)


def test_noise_is_what_the_raters_spread_makes_of_it():
    """The sum over raters that are taken for independent, weighted by the dense matrix."""
    rng = np.random.default_rng(1)
    rated = Rated(tuple(rng.normal(size=(n, 4)) for n in (2, 3, 4, 5, 6)))
    w = dense_weights(WEIGHTS).reshape(5, 4, 5, 4)
    expected = [np.trace(np.cov(r.T) / len(r) @ w[i, :, i]) for i, r in enumerate(rated.by_row)]
    assert rated.noise(WEIGHTS) == pytest.approx(expected)
    with pytest.raises(Undefined, match="one person rated a group"):
        Rated((np.ones((1, 4)),)).noise(WEIGHTS)


def test_raters_may_leave_columns_out():
    """Each column has its own raters: noise of a row whose columns do not interact is the sum of theirs."""
    rng = np.random.default_rng(3)
    ratings = rng.normal(size=(6, 4))
    ratings[0, 0] = ratings[1, 2] = ratings[2, 2] = np.nan
    rated, columns = Rated((ratings,) * 5), [c[np.isfinite(c)] for c in ratings.T]
    assert rated.means[0] == pytest.approx([c.mean() for c in columns])
    plain = GridWeights(5, 4)  # the diagonal of its matrix is 1 − 1/20
    alone = Rated((np.where(np.arange(4) == 0, ratings, 0.0),) * 5).noise(plain)
    assert alone == pytest.approx(0.95 * columns[0].var(ddof=1) / 5)
    means = np.mean([rated.redrawn(rng)[0] for _ in range(4000)], axis=0)
    assert means == pytest.approx(rated.means[0], abs=0.03)
    ratings[1:, 1] = np.nan
    with pytest.raises(Undefined, match="one person rated a group"):
        rated.noise(plain)


def test_slopes_without_noise_are_least_squares():
    rng = np.random.default_rng(2)
    exact, y = rng.normal(size=(2, 5, 4)), rng.normal(size=(5, 4))
    found = slopes_on([], list(exact), y, GridWeights(5, 4))
    design = np.column_stack([np.ones(20), *exact.reshape(2, -1)])
    expected = np.linalg.lstsq(design, y.ravel(), rcond=None)[0][1:]
    assert found.slopes == pytest.approx(expected)
    without = [
        np.linalg.lstsq(design[kept], y.ravel()[kept], rcond=None)[0][1:]
        for row in range(5)
        for kept in [np.arange(20) // 4 != row]
    ]
    errors = np.sqrt(0.8 * ((np.array(without) - expected) ** 2).sum(axis=0))
    assert found.errors == pytest.approx(errors)
    assert found.high - found.slopes == pytest.approx(2.776445 * errors, rel=1e-6)  # t, 4 degrees


def test_too_much_noise():
    products, noise = np.diag([4.0, 4.0, 1.0]), np.array([1.0, 4.5])
    with pytest.raises(Undefined, match="vary no more than their noise"):
        corrected_slopes(products, noise)
    less = corrected_slopes(products + 0.1, noise, margin=0.2)
    assert np.isfinite(less).all()


@pytest.mark.slow
def test_recovery_where_the_least_squares_are_attenuated():
    """Ratings with reliability about .7, correlated predictors: one has an effect, the other none."""
    rng = np.random.default_rng(3)
    rows, columns, raters, effects = 20, 30, 5, np.array([0.5, 0.0])
    weights = GridWeights(rows, columns, 0.5, 0.5)
    truth = rng.normal(size=(2, rows, columns))
    truth[1] = 0.7 * truth[0] + 0.7 * truth[1]
    slopes, plain, covered = [], [], []
    for _ in range(200):
        rated = [
            Rated(tuple(t[r] + rng.normal(0, 1.5, (raters, columns)) for r in range(rows)))
            for t in truth
        ]
        y = np.tensordot(effects, truth, 1) + rng.normal(size=(rows, columns))
        y += rng.normal(0, 0.5, (rows, 1)) + rng.normal(0, 0.5, columns)
        found = slopes_on(rated, [], y, weights)
        slopes.append(found.slopes)
        products = weights.products(np.stack([*(one.means for one in rated), y]))
        plain.append(corrected_slopes(products, np.zeros(2)))
        covered.append((found.low <= effects) & (effects <= found.high))
    assert np.mean(slopes, axis=0) == pytest.approx(effects, abs=0.01)
    assert (np.abs(np.mean(plain, axis=0) - effects) > 0.05).all()
    assert 0.92 <= np.mean(covered) <= 0.98
