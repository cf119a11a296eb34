"""Paired resampling of any metric: against exact tests, and by simulation."""

import numpy as np
import pytest

from tiltmeter.core.errors import Undefined
from tiltmeter.stats.hypothesis_tests.exact_tests import sign_flip
from tiltmeter.stats.resampling.bootstrap_intervals import bootstrap
from tiltmeter.stats.resampling.paired_resampling import (
    affordable,
    paired_bootstrap,
    paired_permutation,
)


def mean(values):
    return float(values.mean())


def median(values):
    return float(np.median(values))


def two_models(rng, clusters, apart=0.0):
    """Answers that share what is odd about an item and its cluster, and `apart` between the models."""
    shared = rng.normal(size=len(clusters)) + rng.normal(size=clusters.max() + 1)[clusters]
    odd = rng.normal(size=(2, clusters.max() + 1))[:, clusters]
    a, b = (shared + odd[i] + rng.normal(size=len(clusters)) for i in range(2))
    return [a + apart], [b]


@pytest.mark.parametrize("k", [1, 4, 9])
def test_of_a_mean_the_exact_test_is_the_sign_flip_test(k):
    clusters = np.repeat(np.arange(k), 3)
    a, b = two_models(np.random.default_rng(k), clusters, apart=1.0)
    found = paired_permutation(mean, a, b, clusters, np.random.default_rng(0))
    assert found == pytest.approx(sign_flip(a[0] - b[0], clusters, np.random.default_rng(0)))


def test_with_many_items_it_is_close_to_the_sign_flip_test_and_never_0():
    alone = np.arange(60)
    for apart in (0.0, 0.3):
        a, b = two_models(np.random.default_rng(4), alone, apart)
        found = paired_permutation(mean, a, b, alone, np.random.default_rng(0))
        expected = sign_flip(a[0] - b[0], alone, np.random.default_rng(0))
        assert found == pytest.approx(expected, abs=0.04)
    far = [a[0] + 100], b
    assert paired_permutation(mean, *far, alone, np.random.default_rng(0), draws=499) == 1 / 500


def test_the_interval_of_a_mean_is_that_of_the_differences():
    clusters = np.repeat(np.arange(25), 4)
    a, b = two_models(np.random.default_rng(2), clusters, 0.5)
    found = paired_bootstrap(mean, a, b, clusters, np.random.default_rng(0))
    expected = bootstrap(mean, [a[0] - b[0]], clusters, np.random.default_rng(1))
    assert found == pytest.approx(expected, abs=0.12)


@pytest.mark.slow
@pytest.mark.parametrize(("metric", "runs"), [(mean, 250), (median, 100)])
def test_intervals_cover_and_the_test_holds_its_level(metric, runs):
    """Over made-up data sets: two models that do not differ, items in 20 clusters of 3."""
    rng = np.random.default_rng(11)
    clusters = np.repeat(np.arange(20), 3)
    inside, found = 0, []
    for _ in range(runs):
        a, b = two_models(rng, clusters)
        low, high = paired_bootstrap(metric, a, b, clusters, rng, draws=250)
        inside += low <= 0 <= high
        found.append(paired_permutation(metric, a, b, clusters, rng, draws=99))
    # 95 %, with what 20 clusters and so few runs leave to chance; of medians it is known to be wide
    assert 0.90 <= inside / runs <= (0.985 if metric is mean else 1)
    assert np.mean(np.array(found) <= 0.05) <= 0.09
    assert np.mean(np.array(found) <= 0.5) == pytest.approx(0.5, abs=0.13)


@pytest.mark.slow
def test_single_items_would_claim_too_much():
    """What the clusters are for: the same data taken apart reject far more often than 5 in 100."""
    rng = np.random.default_rng(12)
    clusters = np.repeat(np.arange(12), 6)
    rejected = {"items": 0, "clusters": 0}
    for _ in range(150):
        a, b = two_models(rng, clusters)
        for name, units in (("items", np.arange(72)), ("clusters", clusters)):
            rejected[name] += paired_permutation(mean, a, b, units, rng, draws=99) <= 0.05
    assert rejected["items"] > 0.15 * 150
    assert rejected["clusters"] < 0.1 * 150


def test_a_difference_is_found():
    rng = np.random.default_rng(13)
    a, b = two_models(rng, np.arange(80), apart=1.5)
    low, high = paired_bootstrap(median, a, b, np.arange(80), rng)
    assert 0 < low < 1.5 < high
    assert paired_permutation(median, a, b, np.arange(80), rng) < 0.01


def test_labels_stay_with_their_items():
    """A metric of scores and labels: exchanging the models leaves the labels where they are."""
    labels = np.array(["x", "y"] * 20)

    def gap(scores, of):
        return float(scores[of == "x"].mean() - scores[of == "y"].mean())

    rng = np.random.default_rng(5)
    a, b = rng.normal(size=40) + 3 * (labels == "x"), rng.normal(size=40)
    assert paired_permutation(gap, [a, labels], [b, labels], np.arange(40), rng) < 0.01


def test_what_has_no_value_says_so():
    same = [np.arange(5.0)]
    with pytest.raises(Undefined, match="same answers to every item"):
        paired_permutation(mean, same, same, np.arange(5), np.random.default_rng(0))
    with pytest.raises(Undefined, match="one item"):
        paired_bootstrap(mean, [np.ones(1)], [np.zeros(1)], np.arange(1), np.random.default_rng(0))

    def picky(values):
        if values.sum() > 6:
            raise Undefined("it is too much")
        return float(values.sum())

    with pytest.raises(Undefined, match="after swapping the two models, it is too much"):
        paired_permutation(picky, [np.array([6.0, 0.0])], [np.array([0.0, 6.0])], np.arange(2),
                           np.random.default_rng(0))  # fmt: skip


def test_time_is_bounded():
    assert affordable(50_000, 2_000) == 2_000
    assert affordable(100_000, 2_000) == 1_000
