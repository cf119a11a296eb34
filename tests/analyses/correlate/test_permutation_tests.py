"""Measures with the same points share random orders; each pair's p is what it would be alone."""

from itertools import combinations

import numpy as np

from tiltmeter.analyses.correlate.permutation_tests import permutation_tests
from tiltmeter.analyses.correlate.points import Measured, Points
from tiltmeter.core.samples import rng_of
from tiltmeter.stats.correlations.correlation import ranks
from tiltmeter.stats.correlations.pearson import pearson_ps


def test_each_pair_has_the_p_that_it_would_have_alone():
    values = np.random.default_rng(1).lognormal(size=(14, 5))
    values[:, 1] += values[:, 0]
    values[3:5, 2] = values[:6, 4] = np.nan  # fewer points with these two, and eight in all orders
    points = Points("models", tuple("abcdefghijklmn"), (Measured("x", "table"),) * 5, values, {})
    told = []
    pairs = list(combinations(range(5), 2))
    tested = permutation_tests(points, pairs, seed=3, draws=999, done=told.append)
    assert list(tested) != pairs and sorted(tested) == pairs
    for pair in pairs:
        x, y = values[points.shared(*pair)][:, pair].T
        orders = f"random orders of {len(x)}"
        p, ranked = (
            pearson_ps(np.stack(sides, axis=1), rng_of(3, orders), draws=999)[0, 1]
            for sides in ((x, y), (ranks(x), ranks(y)))
        )
        assert tested[pair] == (p, ranked)
    assert tested[0, 1].linear < 0.1
    assert told == sorted(told) and told[-1] == len(pairs)


def test_what_has_no_correlation_has_no_p():
    values = np.array([[1.0, 5, 2], [2, 5, 4], [4, 5, np.nan]])
    points = Points("models", tuple("abc"), (Measured("x", "table"),) * 3, values, {})
    tested = permutation_tests(points, [(0, 1), (0, 2)], seed=0, draws=9)
    assert np.isnan(list(tested.values())).all()
