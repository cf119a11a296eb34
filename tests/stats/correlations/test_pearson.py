"""Pearson's correlation against slow code, and what few points can show, by trying all orders."""

from itertools import combinations, permutations
from math import factorial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tiltmeter.core.errors import BadInput, Undefined
from tiltmeter.stats.correlations.correlation import spearman, spearman_p
from tiltmeter.stats.correlations.pearson import least_p, least_significant, pearson, pearson_ps

few = st.lists(
    st.tuples(st.integers(-9, 9), st.sampled_from([0.1, 0.25, 3.0, 7.0, -2.5])),
    min_size=3,
    max_size=6,
)


def rng():
    return np.random.default_rng(0)


def pearson_p(x, y, random, **given):
    return pearson_ps(np.stack([x, y], axis=1), random, **given)[0, 1]


def slow_pearson(x, y):
    n, mx, my = len(x), sum(x) / len(x), sum(y) / len(y)
    both = sum((x[i] - mx) * (y[i] - my) for i in range(n))
    return both / (sum((a - mx) ** 2 for a in x) * sum((b - my) ** 2 for b in y)) ** 0.5


@settings(deadline=None)
@given(few)
def test_correlation_and_permutation_test_against_slow_code(points):
    x, y = (np.array(side, dtype=float) for side in zip(*points, strict=True))
    if np.ptp(x) == 0 or np.ptp(y) == 0:
        with pytest.raises(Undefined, match="all values on one side are equal"):
            pearson(x, y)
        return
    r = pearson(x, y)
    assert r == pytest.approx(slow_pearson(list(x), list(y)), abs=1e-9)
    every = [slow_pearson(list(x), order) for order in permutations(list(y))]
    high = sum(one >= r - 1e-9 for one in every) / len(every)
    low = sum(one <= r + 1e-9 for one in every) / len(every)
    p = pearson_p(x, y, rng())
    assert p == pytest.approx(min(1, 2 * min(high, low)))
    assert p >= least_p(len(x)) - 1e-12


def test_units_and_direction():
    x, y = np.array([1.0, 2, 4, 8]), np.array([3.0, 1, 4, 1])
    assert pearson(1e200 * x, y) == pearson(x, 1e-200 * y) == pearson(x, y) == pearson(y, x)
    assert pearson(x, -y) == -pearson(x, y)
    assert pearson(x, 5 - 3 * x) == -1.0
    assert pearson(x + 1e6, y) == pytest.approx(pearson(x, y), abs=1e-8)


def test_three_points_can_show_nothing():
    """Of 3! = 6 orders one is as high as the highest, so that twice its share is 1/3."""
    rising = np.array([1.0, 2, 3])
    assert pearson_p(rising, np.array([1.0, 2, 9]), rng()) == pytest.approx(1 / 3) == least_p(3)
    assert spearman_p(rising, rising, rng()) == pytest.approx(1 / 3)
    assert least_p(4) == pytest.approx(1 / 12) and least_p(5) == pytest.approx(1 / 60)
    for n in (3, 4):
        with pytest.raises(Undefined, match="no correlation, however strong"):
            least_significant(n)


@pytest.mark.parametrize("n", [5, 6, 7])
def test_least_correlation_that_is_told_by_trying_all_orders(n):
    start = np.arange(float(n))
    found = [spearman(start, np.array(order)) for order in permutations(start)]
    told = {
        r for r in found if r > 0 and 2 * sum(o >= r - 1e-9 for o in found) <= 0.05 * len(found)
    }
    assert least_significant(n) == pytest.approx(min(told))
    below = max(r for r in set(found) if r < min(told) - 1e-9)
    assert 2 * sum(o >= below - 1e-9 for o in found) / factorial(n) > 0.05


def test_published_critical_values():
    """Spearman's rho, two-sided .05: Zar 1972 (doi:10.1080/01621459.1972.10481251), as printed in tables."""
    told = {8: 0.738, 9: 0.700, 10: 0.648, 11: 0.618, 12: 0.587}
    assert {n: round(least_significant(n), 3) for n in told} == told
    # from the t distribution: within .01 of the table's .560, .538, .521, .447
    for n, exact in {13: 0.560, 14: 0.538, 15: 0.521, 20: 0.447}.items():
        assert least_significant(n) == pytest.approx(exact, abs=0.01)
    assert least_significant(6, alpha=0.01) == pytest.approx(
        1.0
    )  # 2 / 6! is .0028; the next order .0167
    with pytest.raises(BadInput, match="is not between 0 and 1"):
        least_significant(9, alpha=1.5)


def test_sampled_p_is_near_the_exact_one(monkeypatch):
    x = np.array([0.3, 1.0, 2.0, 2.1, 3.5, 4.0, 9.0])
    y = np.array([1.0, 0.2, 2.0, 1.4, 2.2, 5.0, 3.0])
    exact = pearson_p(x, y, rng())
    monkeypatch.setattr("tiltmeter.stats.correlations.pearson.EXACT_UP_TO", 4)
    assert pearson_p(x, y, rng()) == pytest.approx(exact, abs=0.01)
    assert pearson_p(x, y, rng()) == pearson_p(x, y, rng())


@pytest.mark.parametrize("n", [6, 20])
def test_many_columns_are_tested_as_each_two(n, monkeypatch):
    monkeypatch.setattr("tiltmeter.stats.correlations.pearson._CELLS", 50 * n)  # in several blocks
    values = rng().normal(size=(n, 5))
    values[:, 1] += values[:, 0]
    values[:, 3] = 7.0
    shares = []
    found = pearson_ps(values, rng(), draws=999, done=shares.append)
    for i, j in combinations(range(5), 2):
        assert found[i, j] == found[j, i] or np.isnan(found[i, j])
        if 3 in (i, j):
            assert np.isnan(found[i, j])
        else:
            assert found[i, j] == pearson_p(values[:, i], values[:, j], rng(), draws=999)
    assert np.isnan(np.diag(found)).all() and found[0, 1] < 0.2
    assert shares == sorted(shares) and shares[-1] == 1


def test_sampled_p_is_never_zero():
    x = np.arange(40.0)
    assert pearson_p(x, x, rng()) == pytest.approx(2 / 10_000)


def test_what_is_no_correlation():
    three = np.arange(3.0)
    with pytest.raises(Undefined, match="at least three points; there are 2"):
        pearson(three[:2], three[:2])
    with pytest.raises(BadInput, match="not equally many"):
        pearson(three, np.arange(4.0))
    with pytest.raises(Undefined, match="1 of 6 values are not finite"):
        pearson(three, np.array([1.0, np.nan, 2.0]))
    with pytest.raises(Undefined, match="all values on one side are equal"):
        pearson(three, np.array([0.1 + 0.2, 0.3, 0.3]))  # equal but for rounding
    with pytest.raises(Undefined, match="all values on one side are equal"):
        pearson(np.zeros(3), three)
