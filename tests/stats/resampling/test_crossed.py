"""Resampling rows and columns of a crossed design."""

import numpy as np
import pytest

from tiltmeter.core.errors import Undefined
from tiltmeter.stats.resampling.bootstrap import RESAMPLES
from tiltmeter.stats.resampling.bootstrap_intervals import bootstrap, stretched
from tiltmeter.stats.resampling.crossed import crossed_means


def grid(rows, columns):
    """Labels of a full design, row by row."""
    return np.repeat(np.arange(rows), columns), np.tile(np.arange(columns), rows)


def slow(values, rows, columns, rng, draws):
    """Draw rows, draw columns, go through all pairs of them."""
    cells = {(r, c): v for r, c, v in zip(rows, columns, values, strict=True)}
    names, others = np.unique(rows), np.unique(columns)
    means = []
    for _ in range(draws):
        picked = [
            cells[r, c]
            for r in rng.choice(names, len(names))
            for c in rng.choice(others, len(others))
        ]
        means.append(np.mean(picked))
    return np.array(means)


def test_like_drawing_by_hand():
    rng = np.random.default_rng(1)
    rows, columns = grid(6, 5)
    values = rng.normal(size=30) + np.repeat(rng.normal(size=6), 5) + np.tile(rng.normal(size=5), 6)
    kinds = np.zeros(30, dtype=int)
    found = crossed_means(values, rows, columns, kinds, np.random.default_rng(2))[:, 0]
    assert found.shape == (RESAMPLES,)
    # by hand the columns are drawn anew for each row: the one draw for all is what makes the difference
    shared = []
    by_hand = np.random.default_rng(3)
    table = values.reshape(6, 5)
    for _ in range(RESAMPLES):
        picked = table[by_hand.integers(6, size=6)][:, by_hand.integers(5, size=5)]
        shared.append(picked.mean())
    assert found.std() == pytest.approx(np.std(shared), rel=0.08)
    assert found.mean() == pytest.approx(values.mean(), abs=0.08)
    assert slow(values, rows, columns, by_hand, 500).std() < 0.9 * found.std()


def test_with_one_column_rows_are_drawn_as_ever():
    values = np.random.default_rng(4).normal(size=40)
    same = np.zeros(40, dtype=int)
    means = crossed_means(values, np.arange(40), same, same, np.random.default_rng(5))
    ends = stretched(means[:, 0], values.mean(), 40)
    plain = bootstrap(np.mean, [values], np.arange(40), np.random.default_rng(6))
    assert ends == pytest.approx(plain, abs=0.04)


def test_equal_rows_leave_the_columns():
    rows, columns = grid(50, 4)
    values = (columns == 0).astype(float)
    means = crossed_means(values, rows, columns, np.zeros(200, dtype=int), np.random.default_rng(0))
    assert set(np.round(means[:, 0] * 4, 9)) == {0.0, 1.0, 2.0, 3.0, 4.0}
    # one of four columns: the share drawn is binomial, as though there were no rows
    assert means.std() == pytest.approx(np.sqrt(0.25 * 0.75 / 4), rel=0.06)


def test_kinds_share_their_columns():
    rows, columns = grid(4, 3)
    kinds = np.where(rows < 2, "a", "b")
    values = np.array([10.0, 20.0, 40.0])[columns] + (rows >= 2)
    means = crossed_means(values, rows, columns, kinds, np.random.default_rng(0))
    assert means.shape == (RESAMPLES, 2)
    assert np.allclose(means[:, 1] - means[:, 0], 1)  # what they share cancels out


def test_cells_may_be_missing():
    rows, columns = np.array([0, 0, 1]), np.array([0, 1, 0])
    means = crossed_means(
        np.array([1.0, 2, 4]), rows, columns, np.zeros(3, dtype=int), np.random.default_rng(0)
    )
    seen = means[~np.isnan(means)]
    assert np.isnan(means).any()  # row 1 alone with column 1 alone
    assert set(seen) >= {1.0, 2.0, 4.0}


def test_nothing_to_resample():
    one = np.zeros(1, dtype=int)
    with pytest.raises(Undefined, match="nothing to resample"):
        crossed_means(np.ones(1), one, one, one, np.random.default_rng(0))
    with pytest.raises(Undefined, match="no items"):
        crossed_means(np.ones(0), one[:0], one[:0], one[:0], np.random.default_rng(0))
