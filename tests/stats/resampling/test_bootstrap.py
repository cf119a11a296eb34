import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tiltmeter.stats.resampling.bootstrap import (
    cluster_sums,
    clustered,
    medians_of_counts,
    resampled_sums,
    resamples,
)


def rng(seed=0):
    return np.random.default_rng(seed)


def test_sums_are_those_of_the_obvious_loop_on_the_same_draws():
    values, labels = rng(1).normal(size=30), rng(2).integers(0, 7, 30).astype(str)
    codes, k = clustered(labels)
    both = cluster_sums(np.stack([values, np.ones(30)], axis=1), codes, k)
    fast = resampled_sums(both, rng(3), draws=50)
    slow = []
    for counts in np.concatenate(list(resamples(k, rng(3), draws=50))):
        rows = [i for i in range(30) for _ in range(counts[codes[i]])]
        slow.append((sum(values[i] for i in rows), len(rows)))
    assert fast == pytest.approx(np.array(slow))


def test_clusters_with_equal_sums_are_drawn_as_if_one_by_one():
    """Wins of ten coins, drawn with replacement: binomial, so mean 4 and variance 10 · .4 · .6."""
    wins = np.array([[1.0]] * 4 + [[0.0]] * 6)
    drawn = resampled_sums(wins, rng(), draws=40_000)[:, 0]
    assert drawn.mean() == pytest.approx(4, abs=0.03)
    assert drawn.var() == pytest.approx(2.4, abs=0.07)


def test_blocks_hold_every_resample_whole(monkeypatch):
    monkeypatch.setattr("tiltmeter.stats.resampling.bootstrap._CELLS", 20)
    blocks = list(resamples(7, rng(), draws=9))
    assert [len(b) for b in blocks] == [2, 2, 2, 2, 1]
    assert (np.concatenate(blocks).sum(axis=1) == 7).all()


@given(st.lists(st.tuples(st.integers(-5, 5), st.integers(0, 4)), min_size=1, max_size=12))
def test_medians_of_counts_are_medians(items):
    items = sorted(items)
    values, counts = np.array([float(v) for v, _ in items]), np.array([[c for _, c in items]])
    (found,) = medians_of_counts(values, counts)
    expected = np.repeat(values, counts[0])
    assert np.isnan(found) if not len(expected) else found == np.median(expected)
