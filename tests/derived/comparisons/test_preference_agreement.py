"""How often two models prefer the same, and Cohen's κ."""

import numpy as np
import pytest

from derived.comparisons.examples import named, random_sides, result
from tiltmeter.derived.comparisons.compare import compare
from tiltmeter.stats.raters.kappa_and_alpha import cohen_kappa


def test_agreement_and_kappa():
    a, b = random_sides(1), random_sides(2)
    estimates = compare(result("A", a), result("B", b))
    kappa = named(estimates, "preference_kappa")
    assert kappa.value == pytest.approx(cohen_kappa(a, b))
    draw, found = np.random.default_rng(5), []
    for _ in range(1500):
        rows = draw.integers(200, size=200)
        found.append(cohen_kappa(np.array(a)[rows], np.array(b)[rows]))
    expected = np.quantile(found, [0.025, 0.975])
    assert (kappa.low, kappa.high) == pytest.approx(expected, abs=0.02)


def test_equal_models():
    a = result("A", [1, 1, -1, 0])
    estimates = compare(a, a)
    rate = named(estimates, "stereotype_rate_difference")
    assert (rate.value, rate.p) == (0, None)
    assert -60 < rate.low == -rate.high < -40  # they may differ in other items
    assert "no test: both models agree on every item" in rate.why
    assert named(estimates, "same_preference").value == 100
    assert named(estimates, "preference_kappa").value == 1
    always = result("A", [1, 1, 1])
    kappa = named(compare(always, always), "preference_kappa")
    assert kappa.value is None
    assert kappa.why
