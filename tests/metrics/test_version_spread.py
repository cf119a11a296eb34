"""Rates of the same pairs in several versions."""

import numpy as np
import pytest

from tiltmeter.core.errors import Undefined
from tiltmeter.core.samples import ContrastSample, Sample, TwoSides
from tiltmeter.metrics import version_spread
from tiltmeter.metrics.preference import stereotype_rate


def columns(*wins):
    """Columns of versions, each with so many wins of ten pairs."""
    more = np.concatenate([np.arange(10) < won for won in wins]).astype(float)
    version = np.repeat([f"v{i}" for i in range(len(wins))], 10)
    return more, np.full(len(more), 0.5), version


def pairs(*wins):
    return np.tile(np.arange(10), len(wins))


def test_the_range_is_from_the_lowest_to_the_highest_rate():
    assert version_spread.version_range(*columns(3, 7, 5)) == 40


def test_the_spread_is_the_standard_deviation_where_nothing_is_noise():
    """Every pair differs in the same way, so that products of different pairs are those of one."""
    more, less, version = columns(0, 10)
    assert version_spread.version_spread(more, less, version, pairs(0, 10)) == pytest.approx(50)


def test_the_spread_by_hand():
    """Deviations are +50 and −50 for the first pair, 0 for the second: their products are 0."""
    more, version = np.array([1.0, 0, 0, 0]), np.array(["a", "a", "b", "b"])
    value = version_spread.version_spread(more, np.full(4, 0.5), version, np.array([0, 1, 0, 1]))
    assert value == 0


def test_rows_in_any_order_within_versions():
    more, less, version = columns(3, 7)
    order = np.random.default_rng(0).permutation(20)
    cluster = pairs(3, 7)
    sample = Sample(
        version_spread.version_range, (more, less, version), cluster, np.random.default_rng(0)
    )
    mixed = Sample(
        version_spread.version_range, (more[order], less, version[order]), cluster[order],
        np.random.default_rng(0),
    )  # fmt: skip
    whole = version_spread.infer_version_range(sample)
    assert whole[:2] == version_spread.infer_version_range(mixed)[:2]
    assert whole.low < 40
    assert whole.high > 40


def test_different_pairs_have_no_interval():
    more, less, version = columns(3, 7)
    sample = Sample(
        version_spread.version_range, (more, less, version), np.arange(20), np.random.default_rng(0)
    )
    with pytest.raises(Undefined, match="do not have the same pairs"):
        version_spread.infer_version_range(sample)


def test_one_version_has_no_range():
    with pytest.raises(Undefined, match="one version"):
        version_spread.version_range(*columns(3))


def test_a_contrast_is_over_the_same_pairs():
    more, less, _ = columns(3, 7)
    a, b = ((more[rows], less[rows]) for rows in (slice(10), slice(10, 20)))
    sides = TwoSides(a, np.arange(10), b, np.arange(10))
    value, sure = version_spread.contrast_versions(
        ContrastSample(stereotype_rate, sides, np.random.default_rng(0))
    )
    assert value == -40
    assert sure.p == 0.125  # 4 of 4 pairs that differ
