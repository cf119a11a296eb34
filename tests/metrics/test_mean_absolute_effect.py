"""The mean of absolute effect sizes, by hand and by shuffling."""

import numpy as np
import pytest

from tiltmeter.core.errors import Undefined
from tiltmeter.core.samples import Sample
from tiltmeter.metrics.association import effect_size
from tiltmeter.metrics.mean_absolute_effect import (
    expected_by_chance,
    infer_mean_absolute_effect,
    mean_absolute_effect,
)

SIDE = np.array(list("XXXXXXYYYYYY"))
FIRST, SECOND = np.random.default_rng(0).normal(size=(2, 12))


def rng(seed=1):
    return np.random.default_rng(seed)


def test_the_mean_is_of_sizes_and_not_of_signs():
    s, test = np.concatenate([FIRST, -SECOND]), np.repeat(["one", "two"], 12)
    side = np.tile(SIDE, 2)
    sizes = [abs(effect_size(FIRST, SIDE)), abs(effect_size(-SECOND, SIDE))]
    assert mean_absolute_effect(s, side, test) == pytest.approx(sum(sizes) / 2)
    with pytest.raises(Undefined, match="two: all words"):
        mean_absolute_effect(np.concatenate([FIRST, np.ones(12)]), side, test)
    with pytest.raises(Undefined, match="no test"):
        mean_absolute_effect(np.zeros(0), np.array([], str), np.array([], str))


def test_what_chance_gives_is_what_shuffled_sides_give():
    s, n = rng().normal(size=40), 4000
    side = np.repeat(["X", "Y"], 20)
    shuffled = [abs(effect_size(s, rng(i).permutation(side))) for i in range(n)]
    assert expected_by_chance(side, np.ones(40)) == pytest.approx(np.mean(shuffled), rel=0.05)
    sure = infer_mean_absolute_effect(
        Sample(mean_absolute_effect, [s, side, np.ones(40, int).astype(str)], np.arange(40), rng())
    )
    assert sure.low is None
    assert "mean over 1 test; expected by chance: about 0.25" in sure.why
