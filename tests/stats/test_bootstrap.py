import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tiltmeter.stats import bootstrap
from tiltmeter.stats.bootstrap import (
    cluster_sums,
    clustered,
    medians_of_counts,
    resampled_medians,
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
    monkeypatch.setattr("tiltmeter.stats.bootstrap._CELLS", 20)
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


def slow_medians(values, sides, labels, seed, draws):
    codes, k = clustered(labels)
    out = []
    for counts in np.concatenate(list(resamples(k, rng(seed), draws=draws))):
        rows = np.repeat(np.arange(len(values)), counts[codes])
        picked = [values[rows][sides[rows] == s] for s in (0, 1)]
        out.append([np.median(p) if len(p) else np.nan for p in picked])
    return np.array(out)


def test_medians_of_clusters_are_those_of_the_obvious_loop_on_the_same_draws():
    values, labels = rng(1).normal(size=40), rng(2).integers(0, 9, 40).astype(str)
    sides = rng(3).integers(-1, 2, 40)
    fast = resampled_medians(values, sides, labels, rng(4), draws=60)
    np.testing.assert_allclose(fast, slow_medians(values, sides, labels, 4, 60))


def test_medians_of_few_clusters_of_many_items_are_made_in_blocks_without_a_difference(monkeypatch):
    values, labels = rng(1).normal(size=40), rng(2).integers(0, 3, 40).astype(str)
    sides = rng(3).integers(-1, 2, 40)
    whole = resampled_medians(values, sides, labels, rng(4), draws=60)
    monkeypatch.setattr(bootstrap, "_CELLS", 40 * 7)
    assert 60 % 7  # the last block is shorter
    drawn_in_fewer = resampled_medians(values, sides, labels, rng(4), draws=60)
    np.testing.assert_array_equal(drawn_in_fewer, whole)


def test_medians_of_single_items_have_the_distribution_of_the_obvious_loop():
    values, labels = rng(1).exponential(size=41), np.arange(41).astype(str)
    sides = np.repeat([0, 1, -1], [22, 15, 4])
    fast = resampled_medians(values, sides, labels, rng(4), draws=20_000)
    slow = slow_medians(values, sides, labels, 5, 4000)
    for side in (0, 1):
        at = [0.025, 0.25, 0.5, 0.75, 0.975]
        ours, theirs = (np.quantile(m[:, side], at) for m in (fast, slow))
        assert ours == pytest.approx(theirs, abs=0.09)
        assert fast[:, side].std() == pytest.approx(slow[:, side].std(), rel=0.06)


def test_exact_chances_of_a_median_of_two():
    """Two draws from {0, 1}: the median is 0, .5, .5 or 1, each with chance a quarter."""
    values, labels = np.array([0.0, 1.0]), np.array(["a", "b"])
    drawn = resampled_medians(values, np.zeros(2, int), labels, rng(), draws=40_000)[:, 0]
    found, times = np.unique(drawn, return_counts=True)
    assert found.tolist() == [0, 0.5, 1]
    assert times / 40_000 == pytest.approx([0.25, 0.5, 0.25], abs=0.012)


def test_an_empty_side_has_no_median():
    labels = np.array(list("abc"))
    for each in (labels, np.array(list("aab"))):
        medians = resampled_medians(np.ones(3), np.zeros(3, int), each, rng())
        assert np.isnan(medians[:, 1]).all()
        assert (medians[:, 0] == 1).all()
