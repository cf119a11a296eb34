"""Random effects against the definition written as loops, and numbers of statsmodels 0.15."""

from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tiltmeter.core.errors import BadInput, Undefined
from tiltmeter.stats.regression.pooling import SMALLEST, random_effects

EFFECTS = np.array([0.10, 0.60, 0.35, -0.20, 0.90])
VARIANCES = np.array([0.04, 0.09, 0.02, 0.05, 0.10])


def slowly(effects, variances):
    """As a textbook has it, number by number."""
    weights = [1 / v for v in variances]
    fixed = sum(w * e for w, e in zip(weights, effects, strict=True)) / sum(weights)
    q = sum(w * (e - fixed) ** 2 for w, e in zip(weights, effects, strict=True))
    c = sum(weights) - sum(w * w for w in weights) / sum(weights)
    between = max(0, (q - (len(weights) - 1)) / c) if len(weights) > 1 else 0
    weights = [1 / (v + between) for v in variances]
    pooled = sum(w * e for w, e in zip(weights, effects, strict=True)) / sum(weights)
    squares = sum(w * (e - pooled) ** 2 for w, e in zip(weights, effects, strict=True))
    wider = max(1, squares / max(1, len(weights) - 1))
    return pooled, sqrt(wider / sum(weights)), between, q


def test_the_numbers_are_those_of_statsmodels():
    found = random_effects(EFFECTS, VARIANCES)
    assert found.effect == pytest.approx(0.30205329856774776, rel=1e-12)
    assert found.variance_between == pytest.approx(0.07919377853881283, rel=1e-12)
    assert found.q == pytest.approx(10.638636363636367, rel=1e-12)


@given(
    st.lists(
        st.tuples(st.floats(-3, 3), st.floats(0.01, 3)).map(lambda p: (round(p[0], 3), p[1])),
        min_size=1,
        max_size=9,
    )
)
def test_it_is_the_definition_and_the_order_changes_nothing(rows):
    effects, variances = map(np.array, zip(*rows, strict=True))
    found = random_effects(effects, variances)
    np.testing.assert_allclose(found[:4], slowly(*zip(*rows, strict=True)), rtol=1e-8, atol=1e-9)
    assert random_effects(effects[::-1], variances[::-1]) == found


def test_equal_variances_give_student_s_interval_and_test():
    from scipy.stats import ttest_1samp

    found, usual = random_effects(EFFECTS, np.full(5, 0.05)), ttest_1samp(EFFECTS, 0)
    assert found.variance_between > 0
    assert found.interval() == pytest.approx(tuple(usual.confidence_interval()))
    assert found.p() == pytest.approx(usual.pvalue)


def test_p_has_sides_and_is_never_zero():
    found = random_effects(EFFECTS, VARIANCES)
    assert found.p("greater") == pytest.approx(found.p() / 2)
    assert found.p("less") == pytest.approx(1 - found.p() / 2)
    far = random_effects(np.full(999, 9.0), np.full(999, 1e-9))
    assert far.p() == SMALLEST > 0


def test_what_has_no_value_says_so():
    with pytest.raises(Undefined, match="no effect"):
        random_effects(np.zeros(0), np.zeros(0))
    with pytest.raises(Undefined, match="1 of 2 effects"):
        random_effects(np.array([1.0, np.nan]), np.ones(2))
    with pytest.raises(Undefined, match="1 of 2 variances are not above 0"):
        random_effects(np.ones(2), np.array([1.0, 0]))
    with pytest.raises(BadInput):
        random_effects(np.ones(2), np.ones(3))
    with pytest.raises(Undefined, match="single value"):
        random_effects(np.ones(1), np.ones(1)).interval()
