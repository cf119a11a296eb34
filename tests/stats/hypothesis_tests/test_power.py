import math

import pytest
from scipy.stats import binom

from tiltmeter.core.errors import Undefined
from tiltmeter.stats.hypothesis_tests.exact_tests import sign_test
from tiltmeter.stats.hypothesis_tests.power import minimum_detectable_effect


def chance_to_find(n, distance):
    """Every outcome, tested: how likely is one with p ≤ .05?"""
    return sum(binom.pmf(k, n, 0.5 + distance) for k in range(n + 1) if sign_test(k, n - k) <= 0.05)


@pytest.mark.parametrize("n", [6, 7, 9, 10, 30, 60, 87, 262])
def test_it_is_the_smallest_distance_found_with_that_power(n):
    d = minimum_detectable_effect(n)
    assert chance_to_find(n, d + 1e-6) >= 0.8
    assert chance_to_find(n, d - 1e-6) < 0.8


@pytest.mark.parametrize("n", [0, 1, 5])
def test_too_few_items_can_never_find_anything(n):
    with pytest.raises(Undefined, match=rf"too few items without ties \({n}\)"):
        minimum_detectable_effect(n)


@pytest.mark.parametrize("n", [10_000, 1_000_000, 1_000_000_000])
def test_many_items_follow_the_normal_formula(n):
    normal = (1.959964 + 0.841621) / (2 * math.sqrt(n))
    assert minimum_detectable_effect(n) == pytest.approx(normal, rel=0.02)
