"""Wilson's intervals against scipy's, by hand, and by how often they cover."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, binomtest

from tiltmeter.core.errors import BadInput, Undefined
from tiltmeter.stats.intervals import (
    difference_interval,
    mean_interval,
    median_interval,
    wilson,
    wilson_clustered,
)


def rng(seed=0):
    return np.random.default_rng(seed)


@pytest.mark.parametrize("n", [1, 2, 7, 60, 1508, 1_000_000])
@pytest.mark.parametrize("share", [0, 0.3, 0.5, 1])
@pytest.mark.parametrize("confidence", [0.8, 0.95, 0.99])
def test_wilson_is_scipys(n, share, confidence):
    wins = round(share * n)
    theirs = binomtest(wins, n).proportion_ci(confidence, method="wilson")
    assert wilson(wins, n, confidence=confidence) == pytest.approx(
        (theirs.low, theirs.high), abs=1e-12
    )


@given(st.integers(1, 10_000), st.data())
def test_wilson_holds_the_share_and_mirrors(n, data):
    wins = data.draw(st.integers(0, 2 * n)) / 2
    low, high = wilson(wins, n)
    assert 0 <= low <= wins / n <= high <= 1
    assert wilson(n - wins, n) == pytest.approx((1 - high, 1 - low), abs=1e-12)


def test_wilson_of_whole_clusters_by_hand():
    # Six clusters of four: sums of 1 and 3 deviate by 1 from the mean of 2, and leaving one out moves the
    # share by 6/5 of that, so the design effect is 5/6 · 6 · (6/5)² / (24 · 1/4) = 1.2. To its 4 for
    # clusters of items all alike it is drawn by exp(−0.4 · 6 / 2). t has 5 degrees of freedom.
    outcomes = np.array([[1.0, 0, 0, 0], [1, 1, 1, 0]] * 3).ravel()
    items = 24 / (1.2 + np.exp(-1.2) * 2.8) * (1.959964 / 2.570582) ** 2
    half = (1.959964**2 / items / 4 + (1.959964**2 / items) ** 2 / 4) ** 0.5
    half /= 1 + 1.959964**2 / items
    found = wilson_clustered(outcomes, np.repeat(np.arange(6), 4))
    assert found == pytest.approx((0.5 - half, 0.5 + half), abs=1e-6)


def test_clusters_of_equal_items_are_one_item_each():
    outcomes = np.array([1.0, 1, 0, 0, 1, 1, 0, 0])
    assert wilson_clustered(outcomes, np.array(list("aabbccdd"))) == pytest.approx(wilson(2, 4))


@given(st.lists(st.integers(0, 6), min_size=3, max_size=30))
def test_no_interval_of_clusters_is_wider_than_that_of_one_item_a_cluster(hits):
    """And none is shorter than that of independent items."""
    outcomes = np.array([[i < n for i in range(6)] for n in hits]).ravel() * 1.0
    low, high = wilson_clustered(outcomes, np.repeat(np.arange(len(hits)), 6))
    share = outcomes.mean()
    widest, shortest = (wilson(share * n, n) for n in (len(hits), 6 * len(hits)))
    assert widest[0] - 1e-9 <= low <= shortest[0] + 1e-9
    assert shortest[1] - 1e-9 <= high <= widest[1] + 1e-9


def covered(level, far, share, clusters, each, trials=400):
    rng, inside = np.random.default_rng(7), 0
    for _ in range(trials):
        rates = np.where(rng.random(clusters) < share, far, level)
        outcomes = (rng.random((clusters, each)) < rates[:, None]).ravel() * 1.0
        low, high = wilson_clustered(outcomes, np.repeat(np.arange(clusters), each))
        inside += low <= share * far + (1 - share) * level <= high
    return 100 * inside / trials


@pytest.mark.parametrize(("clusters", "each"), [(12, 20), (20, 10), (40, 20)])
def test_shares_of_few_clusters_that_stand_out_are_covered(clusters, each):
    for level, far, share in ((0.05, 0.95, 0.1), (0.95, 0.05, 0.1), (0.2, 0.95, 0.05)):
        assert (
            covered(level, far, share, clusters, each) >= 91.5
        )  # 93, less a standard error and a half


def test_one_large_cluster_among_small_ones_makes_the_interval_wider():
    outcomes = np.tile([1.0, 0.0, 0.0, 1.0, 1.0, 0.0], 5)
    level, uneven = np.repeat(np.arange(6), 5), np.minimum(np.arange(30), 5)
    low, high = wilson_clustered(outcomes, level)
    wide = wilson_clustered(outcomes, uneven)
    assert wide[0] < low and high < wide[1]
    assert wilson_clustered(np.ones(30), uneven) == wilson(
        6, 6
    )  # no more than that many are independent


def test_wilson_of_clusters_without_a_say_is_plain():
    outcomes = np.array([1.0, 0, 1, 1, 0])
    for labels in ("abcde", "aaaaa"):
        assert wilson_clustered(outcomes, np.array(list(labels))) == wilson(3, 5)
    with pytest.raises(Undefined, match="no items"):
        wilson_clustered(np.array([]), np.array([], dtype=str))


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 4)), min_size=1, max_size=40))
def test_wilson_of_clusters_holds_the_share_mirrors_and_is_no_narrower(items):
    outcomes = np.array([float(hit) for hit, _ in items])
    labels = np.array([str(cluster) for _, cluster in items])
    low, high = wilson_clustered(outcomes, labels)
    assert 0 <= low <= outcomes.mean() + 1e-12 and outcomes.mean() - 1e-12 <= high <= 1
    assert wilson_clustered(1 - outcomes, labels) == pytest.approx((1 - high, 1 - low), abs=1e-9)
    plain = wilson(outcomes.sum(), len(outcomes))
    assert low <= plain[0] + 1e-12 and high >= plain[1] - 1e-12


def test_wilson_of_clusters_covers_where_the_plain_one_does_not():
    draw, covered, plainly = rng(5), 0, 0
    labels = np.repeat(np.arange(25), 12).astype(str)
    for _ in range(400):
        chances = draw.beta(0.6, 1.4, size=25)  # mean 0.3, items of a cluster much alike
        outcomes = (draw.random(300) < np.repeat(chances, 12)).astype(float)
        low, high = wilson_clustered(outcomes, labels)
        covered += low <= 0.3 <= high
        low, high = wilson(outcomes.sum(), 300)
        plainly += low <= 0.3 <= high
    assert covered >= 0.91 * 400
    assert plainly < 0.75 * 400


@pytest.mark.parametrize("bad", [(-1, 3), (4, 3)])
def test_impossible_counts_are_refused(bad):
    with pytest.raises(BadInput, match="impossible"):
        wilson(*bad)


def test_no_items_and_no_confidence():
    with pytest.raises(Undefined, match="no items"):
        wilson(0, 0)
    with pytest.raises(BadInput, match="between 0 and 1"):
        wilson(1, 2, confidence=95)


def test_wilson_covers_as_often_as_it_says():
    for true in (0.5, 0.6):
        wins, times = np.unique(rng(5).binomial(200, true, size=4000), return_counts=True)
        inside = [low <= true <= high for low, high in (wilson(int(w), 200) for w in wins)]
        assert 0.93 <= np.average(inside, weights=times) <= 0.97


@given(st.integers(6, 200))
def test_the_interval_of_a_median_leaves_out_as_much_as_coins_do(n):
    low, high = median_interval(np.arange(n, dtype=float), np.arange(n))
    assert low == n - 1 - high
    assert binom.cdf(low, n, 0.5) <= 0.025  # so likely no more than `low` lie below the true median
    assert binom.cdf(low + 1, n, 0.5) > 0.025


def test_clusters_of_equal_values_are_worth_one_value_each():
    values = np.random.default_rng(0).normal(size=30)
    alone = median_interval(values, np.arange(30))
    low, high = median_interval(np.repeat(values, 4), np.repeat(np.arange(30), 4))
    assert low <= alone[0] < alone[1] <= high
    with pytest.raises(Undefined, match="fewer than 6"):
        median_interval(np.repeat(values[:4], 50), np.repeat(np.arange(4), 50))


def test_a_mean_of_values_that_hardly_vary_has_nearly_student_s_interval():
    values = 50 + np.random.default_rng(0).normal(size=30)
    half = 2.045 * values.std(ddof=1) / 30**0.5
    low, high = mean_interval(values, np.arange(30), (0, 100))
    assert (low, high) == pytest.approx((values.mean() - half, values.mean() + half), abs=0.05)
    apart = mean_interval(values - 49, np.arange(30), (-100, 100))
    assert apart == pytest.approx((low - 49, high - 49), abs=0.02)
    assert mean_interval(np.ones(4), np.arange(4), (0, 1)) == pytest.approx(wilson(4, 4))


def test_where_a_value_may_be_far_from_the_others_there_are_fewer_degrees_of_freedom():
    far, near = np.array([9.0] + [-1] * 9), np.array([-1.0, 1] * 5)
    for values, wider in ((far, True), (near, False)):
        plain, freed = (
            np.ptp(mean_interval(values, np.arange(10), (-100, 100), far=may))
            for may in (False, True)
        )
        assert (freed > 1.2 * plain) == wider and (wider or freed == plain)


def test_a_difference_never_leaves_its_limits_and_never_collapses():
    low, high = difference_interval(np.array([1.0, 1, 1, -1]), np.arange(4), 1)
    assert -1 <= low < 0
    assert 0.5 < high <= 1
    # thirteen pairs alike, and seven pairs alike: more data, a narrower interval
    widths = [np.ptp(difference_interval(np.zeros(n), np.arange(n), 100)) for n in (13, 7)]
    assert 40 < widths[0] < widths[1] < 120


def test_differences_over_clusters_count_what_repeats_once():
    values = np.random.default_rng(3).choice([-1.0, 0.0, 1.0], size=40)
    alone = difference_interval(values, np.arange(40), 1)
    again = difference_interval(np.repeat(values, 10), np.repeat(np.arange(40), 10), 1)
    assert again == pytest.approx(alone, abs=0.02)
    order = np.random.default_rng(4).permutation(400)
    shuffled = np.repeat(values, 10)[order], np.repeat(np.arange(40), 10)[order]
    assert difference_interval(*shuffled, 1) == pytest.approx(again)
    for interval, limits in ((difference_interval, 1), (mean_interval, (-1, 1))):
        with pytest.raises(Undefined, match="one cluster"):
            interval(np.zeros(3), np.zeros(3, dtype=int), limits)
