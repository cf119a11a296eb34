"""Two models on the same pairs: rates by hand, the test against scipy's."""

from functools import partial

import numpy as np
import pytest
from scipy.stats import binomtest

from tiltmeter.core.samples import PairedSample
from tiltmeter.metrics.preference import stereotype_rate
from tiltmeter.metrics.preference_difference import compare_rates

SCORES = {1: (-1.0, -2.0), -1: (-2.0, -1.0), 0: (-2.0, -2.0)}


def columns(sides):
    return [np.array(side) for side in zip(*(SCORES[s] for s in sides), strict=True)]


def compared(a, b, *, ties="half", clusters=None):
    clusters = np.arange(len(a)) if clusters is None else np.array(clusters)
    metric = partial(stereotype_rate, ties=ties)
    return compare_rates(
        PairedSample(metric, columns(a), columns(b), clusters, np.random.default_rng(0))
    )


@pytest.mark.parametrize(("ties", "expected"), [("half", 37.5), ("loss", 25), ("neutral", 25)])
def test_a_tie_counts_as_in_the_rate(ties, expected):
    value, _ = compared([1, 0, 1, -1], [-1, -1, 1, -1], ties=ties)
    assert value == expected


def test_only_where_they_differ_is_tested():
    a, b = [1] * 9 + [-1] * 3 + [1] * 20, [-1] * 9 + [1] * 3 + [1] * 20
    value, sure = compared(a, b)
    assert value == pytest.approx(100 * 6 / 32)
    assert sure.p == pytest.approx(binomtest(9, 12).pvalue)
    assert sure.interval == "score intervals of paired items"


def test_whole_clusters_are_resampled_and_exchanged():
    a, b = [1] * 12 + [-1] * 4, [-1] * 12 + [1] * 4
    _, sure = compared(a, b, clusters=[i // 4 for i in range(16)])
    assert sure.p == pytest.approx(2 * (1 + 4) / 16)  # three clusters against one
    assert sure.interval == "score intervals of paired whole clusters"
    assert -80 < sure.low < -50 and sure.high > 90  # four clusters say little


def test_what_cannot_be_said_is_said():
    value, sure = compared([1], [1])
    assert (value, sure.low, sure.p) == (0, None, None)
    assert (
        "no interval: there is only one item" in sure.why
        and "no test: both models agree" in sure.why
    )
