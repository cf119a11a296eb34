"""Calibration errors by hand, and with intervals where there is an error and where there is none."""

import numpy as np
import pytest

from tiltmeter.core.errors import Undefined
from tiltmeter.core.samples import PairedSample, Sample
from tiltmeter.metrics.calibration import (
    calibration_error,
    compare_calibration,
    infer_calibration,
    rms_calibration_error,
)


def forecasts(n, rng, *, lower=0.0):
    """Probabilities of positive that are right, less so much."""
    given = rng.uniform(lower, 1, size=n)
    return [(rng.random(n) < given).astype(float), given - lower, np.arange(n)]


def test_the_mean_error_is_that_of_bins_weighted_by_their_texts():
    truth, given = np.array([1.0, 0, 1, 1]), np.array([0.21, 0.29, 0.5, 1.0])
    # bins of 2, 1 and 1 texts: .5 − .25, 1 − .5, 1 − 1
    assert calibration_error(truth, given) == pytest.approx(100 * (2 * 0.25 + 0.5) / 4)


def test_the_rms_error_is_of_products_of_different_texts():
    truth = np.array([1.0, 1, 0, 1, 0, 0])
    given = np.array([0.52, 0.53, 0.54, 0.91, 0.92, 0.05])  # the last is alone in its bin
    first = 48 * 47 + 48 * -54 + 47 * -54
    mean = (3 * first / 3 + 2 * 9 * -92) / 5
    assert rms_calibration_error(truth, given, np.arange(6)) == pytest.approx(-((-mean) ** 0.5))


def test_texts_of_one_cluster_make_no_product():
    truth, given, _ = forecasts(200, np.random.default_rng(1))
    once = rms_calibration_error(truth, given, np.arange(200))
    twice = [np.repeat(column, 2) for column in (truth, given)]
    assert rms_calibration_error(*twice, np.repeat(np.arange(200), 2)) == pytest.approx(once)
    assert rms_calibration_error(*twice, np.arange(400)) > once + 1


def test_where_probabilities_are_right_the_interval_contains_0():
    columns = forecasts(300, np.random.default_rng(0))
    sure = infer_calibration(Sample(rms_calibration_error, columns, columns[2], None))
    assert calibration_error(*columns[:2]) > 3
    assert sure.low < 0 < sure.high
    assert (sure.p, sure.interval) == (None, "score interval from products of different texts")


def test_an_error_of_30_points_is_found():
    columns = forecasts(300, np.random.default_rng(0), lower=0.3)
    sure = infer_calibration(Sample(rms_calibration_error, columns, columns[2], None))
    assert 20 < sure.low < 30 < sure.high < 40


def test_rare_labels_that_do_not_occur_in_a_bin_leave_a_wide_interval():
    given = np.array([0.1] * 20 + [0.95] * 20)
    columns = [np.r_[np.zeros(20), np.ones(20)], given, np.arange(40)]
    sure = infer_calibration(Sample(rms_calibration_error, columns, columns[2], None))
    assert sure.low < 0  # that .1 of 20 texts are none is no wonder


def test_two_models_on_the_same_texts():
    rng = np.random.default_rng(3)
    right = forecasts(500, rng, lower=0.3)
    both = PairedSample(
        rms_calibration_error, right, [right[0], right[1] + 0.3, right[2]], right[2], rng
    )
    value, sure = compare_calibration(both)
    assert sure.low < 30 < sure.high
    assert sure.low > 20
    assert value == pytest.approx(both.difference)


def test_no_texts_have_no_calibration():
    with pytest.raises(Undefined, match="there are no texts"):
        calibration_error(np.zeros(0), np.zeros(0))
    with pytest.raises(Undefined, match="nothing has values from two texts"):
        rms_calibration_error(np.zeros(2), np.array([0.1, 0.2]), np.arange(2))
    assert calibration_error(np.zeros(2), np.array([0.1, 0.3])) == pytest.approx(20)
