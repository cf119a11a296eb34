"""The comparison of a measure that declares none."""

import numpy as np
import pytest

from tiltmeter.core.errors import Undefined
from tiltmeter.core.samples import PairedSample
from tiltmeter.metrics import paired_difference
from tiltmeter.metrics.paired_difference import compare_resampled


def spread(values):
    if len(values) == 0:
        raise Undefined("no values")
    return float(np.std(values))


def compared(a, b, clusters=None):
    clusters = np.arange(len(a)) if clusters is None else clusters
    return compare_resampled(PairedSample(spread, [a], [b], clusters, np.random.default_rng(0)))


def test_any_metric_is_compared():
    rng = np.random.default_rng(0)
    a, b = rng.normal(0, 3, 60), rng.normal(0, 1, 60)
    value, sure = compared(a, b)
    assert value == spread(a) - spread(b)
    assert 0 < sure.low < value < sure.high and sure.p < 0.01
    assert sure.why == ""
    assert "items" in sure.interval and "items" in sure.test
    back, turned = compared(b, a)
    assert back == -value and turned.p == pytest.approx(sure.p, abs=0.01)


def test_few_clusters_are_cautioned_about():
    rng = np.random.default_rng(1)
    a, b = rng.normal(size=(2, 12))
    _, sure = compared(a, b, np.repeat(np.arange(4), 3))
    assert sure.why == "only 4 whole clusters: the interval is rough"
    assert "whole clusters" in sure.interval
    assert sure.p in {k / 16 for k in range(17)}  # all 2^4 exchanges


def test_equal_models_have_a_value_and_no_test():
    value, sure = compared(np.arange(20.0), np.arange(20.0))
    assert (value, sure.low, sure.p) == (0, None, None)
    assert "no interval" in sure.why and "no test: both models have the same answers" in sure.why


def test_without_a_value_there_is_nothing():
    with pytest.raises(Undefined, match="no values"):
        compared(np.array([]), np.array([]))


def test_fewer_draws_are_never_made_in_silence(monkeypatch):
    monkeypatch.setattr(paired_difference, "affordable", lambda _, draws: draws // 10)
    rng = np.random.default_rng(2)
    _, sure = compared(*rng.normal(size=(2, 30)))
    assert sure.interval == "stretched paired bootstrap of items, 200 draws"
    assert sure.why == "200 draws instead of 2,000, because there are 30 items"
