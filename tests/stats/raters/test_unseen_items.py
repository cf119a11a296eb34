"""Intervals that allow for an item not seen: they contain the value, and cover where an answer is rare."""

import numpy as np
import pytest

from tiltmeter.core.types import Array
from tiltmeter.stats.raters.kappa_and_alpha import alpha_inference, krippendorff_alpha
from tiltmeter.stats.raters.unseen_items import unseen_items_interval

UNEQUAL = 1 - np.eye(2)
"""Distances of two values without an order."""


def share_of_second(counts: Array) -> Array:
    """Sums: answers with the second value, and all."""
    return np.column_stack([counts[:, 1], counts.sum(axis=1)])


def ratio(sums: Array) -> Array:
    return np.asarray(sums[:, 0] / sums[:, 1])


def test_of_two_values_it_is_close_to_jeffreys_interval() -> None:
    """Items of one rating each: a share, whose ends each have half a success or failure more."""
    counts = np.repeat([[1.0, 0.0], [0.0, 1.0]], [35, 5], axis=0)
    found = unseen_items_interval(5 / 40, counts, UNEQUAL, share_of_second, ratio)
    assert found.low is not None
    assert found.high is not None
    # the quantiles of Beta(5.5, 35.5), by its tables
    assert found.high == pytest.approx(0.252, abs=0.02)
    assert 0.04 < found.low < 5 / 40


def test_one_cluster_has_no_interval() -> None:
    found = unseen_items_interval(
        0.5, np.eye(2), UNEQUAL, share_of_second, ratio, np.array(["a", "a"])
    )
    assert (found.low, found.high) == (None, None)
    assert "one cluster" in found.why


@pytest.mark.parametrize(("items", "share"), [(30, 0.05), (60, 0.02)])
def test_it_covers_where_an_answer_is_rare(items: int, share: float) -> None:
    rng = np.random.default_rng(4)

    def judged(n: int) -> Array:
        truth = rng.random((n, 1)) < share
        return (rng.random((n, 3)) < np.where(truth, 0.8, 0.01)).astype(float)

    true = krippendorff_alpha(judged(100_000))
    inside = []
    while len(inside) < 100:
        ratings = judged(items)
        if np.ptp(ratings) > 0:
            found = alpha_inference(ratings)
            assert found.low is not None and found.high is not None
            inside.append(found.low <= true <= found.high)
    assert np.mean(inside) >= 0.93


@pytest.mark.parametrize("items", [30, 60])
def test_it_covers_where_few_items_are_rated_high_on_a_slider(items: int) -> None:
    """Most ratings are near 0, those of one item in ten between 50 and 100."""
    rng = np.random.default_rng(4)

    def judged(n: int) -> Array:
        truth = rng.random((n, 1)) < 0.1
        high = rng.random((n, 3)) < np.where(truth, 0.9, 0.02)
        return np.where(high, rng.uniform(50, 100, (n, 3)), rng.exponential(4, (n, 3))).round()

    true = krippendorff_alpha(judged(50_000), level="interval")
    intervals = [alpha_inference(judged(items), level="interval") for _ in range(100)]
    inside = [
        i.low <= true <= i.high for i in intervals if i.low is not None and i.high is not None
    ]
    assert len(inside) == 100
    assert np.mean(inside) >= 0.93
