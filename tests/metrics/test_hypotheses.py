"""Shares of hypotheses and differences between groups, by hand."""

import numpy as np
import pytest

from tiltmeter.core.errors import Undefined
from tiltmeter.core.samples import Sample
from tiltmeter.metrics.hypotheses import (
    group_gaps,
    hypothesis_share,
    infer_hypothesis_share,
    infer_mean_gap,
    mean_gap,
)
from tiltmeter.stats.confidence_intervals.bounded_means import bounded_mean

RNG = np.random.default_rng(0)


def test_gaps_are_those_of_obvious_code():
    rng = np.random.default_rng(1)
    flag = rng.choice([-1.0, 0.0, 1.0], 200)
    group, premise = rng.choice(list("abcd"), 200), rng.choice(list("xyz"), 200)
    for i, gap in enumerate(group_gaps(flag, group, premise)):
        there = (premise == premise[i]) & (flag >= 0)
        means = [flag[there & (group == g)].mean() for g in set(group[there]) - {group[i]}]
        if flag[i] < 0 or not means:
            assert np.isnan(gap)
        else:
            assert gap == pytest.approx(100 * (flag[i] - np.mean(means)))


def test_a_premise_may_lack_groups():
    # a sample of the items: the last premise lacks the last group, the first one the first
    flag, group, premise = (
        np.array([1.0, 0.0, 1.0, 0.0]),
        np.array(list("bcab")),
        np.array(list("xxyy")),
    )
    assert group_gaps(flag, group, premise).tolist() == [100, -100, 100, -100]


def test_a_group_alone_has_no_gap():
    gaps = group_gaps(np.ones(3), np.array(["a"] * 3), np.array(["x", "x", "y"]))
    with pytest.raises(Undefined, match="another group"):
        mean_gap(gaps)


def test_intervals_are_over_situations():
    flag = np.tile([1.0, 0.0], 20)
    situations = np.repeat(np.arange(10), 4)
    alone = infer_hypothesis_share(Sample(hypothesis_share, [flag], np.arange(40), RNG))
    together = infer_hypothesis_share(
        Sample(hypothesis_share, [np.repeat([1.0, 0.0], 20)], situations, RNG)
    )
    assert together.high - together.low > alone.high - alone.low
    gap = infer_mean_gap(Sample(mean_gap, [np.arange(40.0)], situations, RNG))
    assert gap.interval == "Gaffke interval over situations"
    assert (gap.p < 0.05) == (not gap.low <= 0 <= gap.high)
    means = np.arange(40.0).reshape(10, 4).mean(axis=1)
    low, high = bounded_mean(means, np.arange(10), (-100, 100))
    assert (gap.low, gap.high) == pytest.approx((low, high), abs=0.01)
