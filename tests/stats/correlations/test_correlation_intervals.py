"""Intervals of correlations: by hand, by slow code, and how often they hold over families and tails."""

import numpy as np
import pytest
from scipy.stats import pearsonr, spearmanr
from scipy.stats import t as student

from tiltmeter.core.errors import Undefined
from tiltmeter.stats.correlations.correlation_intervals import correlation_interval

N = 36


def points(seed=0, n=N):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n)
    return x, 0.5 * x + rng.normal(size=n)


@pytest.mark.parametrize("ranked", [False, True])
def test_the_error_is_that_of_leaving_families_out(ranked):
    x, y = points()
    families = np.repeat(np.arange(6), 6)
    x, y = (
        x + 2 * families % 5,
        y + 2 * families % 5,
    )  # families that differ: the floor does not count
    by = spearmanr if ranked else pearsonr
    z = np.arctanh(by(x, y).statistic)
    apart = [np.arctanh(by(x[families != j], y[families != j]).statistic) - z for j in range(6)]
    floor = ((1 + np.tanh(z) ** 2 / 2 * ranked) / (N - 3)) ** 0.5
    error = max((5 / 6 * np.square(apart).sum()) ** 0.5, floor)
    low, high, p, how, _ = correlation_interval(x, y, families, ranked=ranked)
    half = (np.arctanh(high) - np.arctanh(low)) / 2
    if ranked:
        assert half == pytest.approx(student.ppf(0.975, 5) * error)
        assert p == pytest.approx(2 * student.sf(abs(z) / error, 5))
    else:
        assert half >= student.ppf(0.975, 5) * error * (1 - 1e-9)
    assert (low + high) / 2 != pytest.approx(np.tanh(z)) and low < np.tanh(z) < high
    assert "jackknife over 6 families" in how


def test_the_interval_leaves_out_zero_where_p_is_below_five_percent():
    for seed in range(20):
        x, y = points(seed)
        found = correlation_interval(x, y, np.repeat(np.arange(9), 4))
        assert (found.p < 0.05) == (not found.low <= 0 <= found.high)


def test_it_is_never_shorter_than_fishers():
    for seed in range(20):
        x, y = points(seed)
        r = pearsonr(x, y)
        fisher = r.confidence_interval()
        found = correlation_interval(x, y, np.arange(N))
        assert found.low < fisher.low and fisher.high < found.high


@pytest.mark.parametrize(
    ("families", "why"),
    [(np.arange(7), "there are 7"), (np.repeat(np.arange(4), 5), "there are 20 of 4 families")],
)
def test_few_points_or_families_have_no_interval(families, why):
    x, y = points(n=len(families))
    with pytest.raises(Undefined, match=why):
        correlation_interval(x, y, families)


def test_a_correlation_that_one_family_makes_has_no_interval():
    x = np.array([0.0] * 9 + [1.0])
    with pytest.raises(Undefined, match="without one of the families, all values on one side"):
        correlation_interval(x, np.arange(10.0), np.arange(10))
    with pytest.raises(Undefined, match="on one line"):
        correlation_interval(np.arange(10.0), np.arange(10.0), np.arange(10))


def family_points(rng, families, each, kind):
    """Half of the variance is between families; r is .5 in each."""
    x, y = (
        np.sqrt(0.5) * (a + b).ravel()
        for a, b in zip(
            *(_pair(rng, size) for size in ((families, 1), (families, each))), strict=True
        )
    )
    if kind == "log-normal":
        x, y = np.exp(0.8 * x), np.exp(0.8 * y)
    if kind == "unequal spread":
        y = 0.5 * x + (y - 0.5 * x) * (0.3 + np.abs(x))
    return x, y


def _pair(rng, size):
    x = rng.normal(size=size)
    return x, 0.5 * x + 0.75**0.5 * rng.normal(size=size)


@pytest.mark.parametrize("families", [np.arange(34), np.repeat(np.arange(8), 4)])
def test_r_of_points_of_which_none_may_be_the_far_ones_has_its_test_alone(families):
    x, y = points(n=len(families))
    found = correlation_interval(x, y, families)
    assert found.low is None and found.high is None and not found.how
    assert (
        f"{len(x)} points may not include" in found.why
        and "Spearman's ρ has an interval" in found.why
    )
    ranked = correlation_interval(x, y, families, ranked=True)
    assert ranked.low < spearmanr(x, y).statistic < ranked.high and not ranked.why
    assert 0 < found.p < 1


def test_a_point_in_ten_that_is_far_off_is_covered_where_there_is_an_interval():
    def drawn(rng, n):
        x, y = _pair(rng, n)
        far = rng.random(n) < 0.1
        return x + 4 * far, y - 4 * far

    truth = pearsonr(*drawn(np.random.default_rng(1), 100_000)).statistic
    rng, found = np.random.default_rng(2), []
    for _ in range(200):
        made = correlation_interval(*drawn(rng, 35), np.arange(35))
        found.append(made.low <= truth <= made.high)
    assert np.mean(found) >= 0.915  # 93 %, less a standard error


@pytest.mark.parametrize("kind", ["normal", "log-normal", "unequal spread"])
def test_families_and_tails_are_covered(kind):
    truth = pearsonr(*family_points(np.random.default_rng(1), 50_000, 2, kind)).statistic
    rng, held, by_models = np.random.default_rng(2), 0, 0
    for _ in range(200):
        x, y = family_points(rng, 10, 4, kind)
        found = correlation_interval(x, y, np.repeat(np.arange(10), 4))
        held += found.low <= truth <= found.high
        fisher = pearsonr(x, y).confidence_interval()
        by_models += fisher.low <= truth <= fisher.high
    assert held >= 0.91 * 200  # 93 %, less a standard error
    assert by_models < held - 0.03 * 200  # models as independent points
