"""CEAT against the definition written as loops over words."""

from math import sqrt

import numpy as np
import pytest

from tiltmeter.core.errors import Undefined
from tiltmeter.core.samples import Sample
from tiltmeter.stats.regression.pooling import random_effects
from tiltmeter.studies.ceat.metrics import (
    combined_effect,
    effects_of_draws,
    infer_combined_effect,
    leanings_of_draws,
    spread_between_draws,
)


def units(rng, *shape):
    made = rng.normal(size=shape)
    return made / np.linalg.norm(made, axis=-1, keepdims=True)


def mean(values):
    return sum(values) / len(values)


def deviation(values):
    return sqrt(sum((v - mean(values)) ** 2 for v in values) / (len(values) - 1))


def slow_association(w, a, b):
    return mean([float(w @ t) for t in a]) - mean([float(w @ t) for t in b])


def test_effects_are_weat_s_draw_by_draw():
    rng = np.random.default_rng(2)
    x, y, a, b = (units(rng, 5, n, 7) for n in (3, 4, 2, 6))
    found = effects_of_draws(x, y, a, b, variance="associations")
    for i in range(5):
        one = [slow_association(w, a[i], b[i]) for w in x[i]]
        other = [slow_association(w, a[i], b[i]) for w in y[i]]
        spread = deviation(one + other)
        assert found.effects[i] == pytest.approx((mean(one) - mean(other)) / spread)
        assert found.variances[i] == pytest.approx(spread**2)
    usual = effects_of_draws(x, y, a, b, variance="effect_size")
    np.testing.assert_array_equal(usual.effects, found.effects)
    np.testing.assert_allclose(usual.variances, 7 / 12 + found.effects**2 / 14)


def test_one_group_leans_by_its_cosines():
    rng = np.random.default_rng(3)
    g, a, b = units(rng, 4, 6), units(rng, 4, 3, 6), units(rng, 4, 2, 6)
    found = leanings_of_draws(g, a, b, variance="associations")
    for i in range(4):
        near, far = [float(g[i] @ t) for t in a[i]], [float(g[i] @ t) for t in b[i]]
        assert found.effects[i] == pytest.approx((mean(near) - mean(far)) / deviation(near + far))


def test_swapping_groups_or_attributes_changes_the_sign():
    x, y, a, b = (units(np.random.default_rng(4), 5, 3, 7) for _ in range(4))
    rng = np.random.default_rng(4)
    x, y, a, b = (units(rng, 5, 3, 7) for _ in range(4))
    found = effects_of_draws(x, y, a, b, variance="associations")
    for swapped in ((y, x, a, b), (x, y, b, a)):
        back = effects_of_draws(*swapped, variance="associations")
        np.testing.assert_allclose(back.effects, -found.effects)
        np.testing.assert_allclose(back.variances, found.variances)


def test_words_that_are_associated_alike_have_no_effect():
    same = np.tile(units(np.random.default_rng(5), 1, 1, 4), (2, 3, 1))
    found = effects_of_draws(same, same, same, same, variance="effect_size")
    assert np.isnan(found.effects).all()
    with pytest.raises(Undefined, match="in 2 of 2 draws all words have the same association"):
        combined_effect(*found)


def test_the_combined_effect_is_the_random_effects_model_s():
    effects, variances = np.array([0.2, 0.9, 0.4]), np.array([0.1, 0.2, 0.3])
    found = random_effects(effects, variances)
    assert combined_effect(effects, variances) == found.effect
    sure = infer_combined_effect(
        Sample(combined_effect, [effects, variances], np.arange(3), np.random.default_rng(0))
    )
    assert (sure.low, sure.high) == found.interval()
    assert sure.p == found.p()
    above = infer_combined_effect(
        Sample(combined_effect, [effects, variances], np.arange(3), np.random.default_rng(0)),
        alternative="greater",
    )  # fmt: skip
    assert above.p == pytest.approx(found.p() / 2)
    assert "one-sided" in above.test


def test_the_spread_is_between_draws():
    assert spread_between_draws(np.array([0.0, 2.0])) == pytest.approx(sqrt(2))
    with pytest.raises(Undefined, match="one draw"):
        spread_between_draws(np.array([1.0]))
