"""Whether items tell models apart: Cronbach's alpha by hand, slow obvious code, and what is undefined."""

import numpy as np
import pytest
from scipy import stats

from tiltmeter.core.errors import BadInput, Undefined
from tiltmeter.stats.correlations.generalisability import generalisability, items_needed


def drawn(models=6, items=60, seed=0):
    rng = np.random.default_rng(seed)
    return (rng.random((models, items)) < 0.4 + 0.05 * np.arange(models)[:, None]).astype(float)


def alpha(table):
    """Cronbach's, as textbooks have it."""
    k, of_items = table.shape[1], table.var(axis=0, ddof=1)
    return k / (k - 1) * (1 - of_items.sum() / table.sum(axis=1).var(ddof=1))


def test_with_items_on_their_own_it_is_cronbachs_alpha_and_kr_20():
    table = drawn()
    made = generalisability(table, np.arange(60))
    assert made.reliability == pytest.approx(alpha(table))
    p = table.mean(axis=0)
    m = len(table)
    kr20 = 60 / 59 * (1 - (p * (1 - p)).sum() / table.sum(axis=1).var(ddof=0))
    assert made.reliability == pytest.approx(kr20)
    assert made.clusters == 60 and made.covariance.shape == (m, m)


def test_with_clusters_of_one_size_it_is_alpha_over_the_clusters():
    table, clusters = drawn(), np.repeat(np.arange(12), 5)
    means = table.reshape(6, 12, 5).mean(axis=2)
    assert generalisability(table, clusters).reliability == pytest.approx(alpha(means))
    # Copies in each cluster say nothing new.
    copied = generalisability(np.repeat(table, 3, axis=1), np.repeat(np.arange(60), 3))
    assert copied.reliability == pytest.approx(alpha(table))


def test_alpha_is_the_mean_of_all_split_halves_by_guttmans_formula():
    from itertools import combinations

    table, found = drawn(items=6), []
    for half in combinations(range(6), 3):
        rest = [i for i in range(6) if i not in half]
        one, other = table[:, half].sum(axis=1), table[:, rest].sum(axis=1)
        found.append(2 * (1 - (one.var() + other.var()) / (one + other).var()))
    assert generalisability(table, np.arange(6)).reliability == pytest.approx(np.mean(found))


def test_errors_and_p_of_pairs_are_those_of_the_paired_t_test():
    table = drawn()
    made = generalisability(table, np.arange(60))
    by_t = stats.ttest_rel(table[1], table[4])
    errors = made.pair_errors()
    assert errors[1, 4] == pytest.approx((table[1] - table[4]).std(ddof=1) / 60**0.5)
    assert made.pair_p(1, 4) == pytest.approx(by_t.pvalue)
    pairs = errors[np.triu_indices(6, 1)]
    assert made.error == pytest.approx((pairs**2).mean() / 2)
    assert made.detectable() == pytest.approx(2.8016 * (pairs**2).mean() ** 0.5, rel=1e-4)


def test_the_interval_is_the_noncentral_f_and_its_p_is_one_sided():
    """Three models whose differences vary alike, so that no degrees of freedom are lost."""
    table = np.array([[1.0, 0, 0, 1, 0, 0], [0, 1, 0, 0, 1, 0], [0, 0, 1, 0, 0, 1]])
    table = table + np.array([[0.0], [0.3], [0.6]])
    made = generalisability(table, np.arange(6))
    ratio, first, second = made.between / made.error, 2, 10
    assert made.p() == pytest.approx(stats.f.sf(ratio, first, second))
    low, high = made.interval()
    for end, p in ((low, 0.975), (high, 0.025)):
        if end > 0:
            centre = end * first / (1 - end)
            assert stats.ncf.cdf(ratio, first, second, centre) == pytest.approx(p, abs=1e-4)
    assert (low > 0) == (stats.f.sf(ratio, first, second) < 0.025)
    assert low <= made.reliability <= high


def test_models_that_differ_by_chance_alone_have_an_interval_from_nothing():
    rng = np.random.default_rng(5)
    found = [generalisability((rng.random((5, 40)) < 0.5) * 1.0, np.arange(40)) for _ in range(40)]
    assert sum(made.interval()[0] > 0 for made in found) <= 4
    assert sum(made.p() < 0.05 for made in found) <= 6
    assert np.mean([made.reliability for made in found]) < 0.2


def test_what_is_undefined_says_why():
    one, two = np.ones((1, 5)), np.array([[1.0, 0, 1], [0.0, 0, 1]])
    with pytest.raises(Undefined, match="there is one model"):
        generalisability(one, np.arange(5))
    with pytest.raises(Undefined, match="it takes 3 models, there are 2"):
        _ = generalisability(two, np.arange(3)).reliability
    with pytest.raises(Undefined, match="one cluster"):
        generalisability(drawn(), np.zeros(60, dtype=int))
    with pytest.raises(Undefined, match="all models have the same mean"):
        _ = generalisability(np.ones((3, 4)), np.arange(4)).reliability
    even = generalisability(np.array([[0.0] * 4, [0.5] * 4, [1.0] * 4]), np.arange(4))
    assert even.reliability == 1
    with pytest.raises(Undefined, match="the same on all items"):
        even.interval()
    with pytest.raises(Undefined, match="both have the same mean"):
        even.items_for(0.0, 0.1)


def test_items_needed_turn_spearman_and_brown_round():
    n = items_needed(0.4, 50, wanted=0.7)
    times = n / 50
    assert times * 0.4 / (1 + (times - 1) * 0.4) == pytest.approx(0.7, abs=2e-3)
    assert items_needed(1.0, 50) == 1
    with pytest.raises(Undefined, match="nothing says"):
        items_needed(-0.1, 50)
    with pytest.raises(BadInput, match="no reliability to aim at"):
        items_needed(0.5, 50, wanted=1.0)
