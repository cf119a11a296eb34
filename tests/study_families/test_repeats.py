"""The share of items whose answers change, of one result and of two."""

import numpy as np
import pytest

from tiltmeter.core.errors import Undefined
from tiltmeter.core.samples import PairedSample
from tiltmeter.metrics import labels
from tiltmeter.study_families.repeats import CHANGED_BETWEEN_REPEATS, compare_changed


def sample(repeats_of_b):
    a, b = np.array([1.0, 1, 0, 0]), np.array([0.0, 1, 0, 0])
    sides = ([a, np.full(4, 3.0)], [b, np.full(4, repeats_of_b)])
    return PairedSample(labels.rate, *sides, np.arange(4), np.random.default_rng(0))


def test_half_of_the_items_against_a_quarter():
    assert CHANGED_BETWEEN_REPEATS.metric(np.array([1.0, 1, 0, 0])) == 50
    value, sure = compare_changed(sample(3.0))
    assert value == 25 and sure.low < 25 < sure.high


def test_other_numbers_of_repeats_find_other_shares():
    with pytest.raises(Undefined, match="different numbers of repeats"):
        compare_changed(sample(5.0))
