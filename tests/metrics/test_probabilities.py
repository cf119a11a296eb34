"""Numbers of many resamples at once are those of the resampled texts one by one."""

import numpy as np
import pytest

from tiltmeter.core.errors import Undefined
from tiltmeter.core.samples import PairedSample
from tiltmeter.metrics.label_intervals import compare_probabilities
from tiltmeter.metrics.probabilities import average_precision, brier, roc_auc

RNG = np.random.default_rng(4)
N = 80
TRUTH = (RNG.random(N) < 0.3).astype(float)
CHANCE = np.round(np.clip(0.4 * TRUTH + 0.6 * RNG.random(N), 0, 1), 1)  # many ties
EVERY = pytest.mark.parametrize(
    "metric", [roc_auc, average_precision, brier], ids=lambda one: one.name
)


@EVERY
def test_weights_are_repeated_texts(metric):
    unit = RNG.integers(0, 30, N)
    weights = RNG.integers(0, 3, size=(20, 30)).astype(float)
    at_once = metric.terms(TRUTH, CHANCE, weights, unit)
    for terms, times in zip(at_once, weights, strict=True):
        rows = np.repeat(np.arange(N), times[unit].astype(int))
        assert np.abs(terms).sum() == pytest.approx(metric(TRUTH[rows], CHANCE[rows]))


@EVERY
def test_the_order_of_texts_changes_nothing(metric):
    order = RNG.permutation(N)
    assert metric(TRUTH[order], CHANCE[order]) == pytest.approx(metric(TRUTH, CHANCE))


def test_without_texts_of_both_labels_there_is_no_area():
    with pytest.raises(Undefined, match="no negative texts"):
        roc_auc(np.ones(3), np.array([0.1, 0.2, 0.3]))
    with pytest.raises(Undefined, match="no positive texts"):
        average_precision(np.zeros(3), np.array([0.1, 0.2, 0.3]))
    with pytest.raises(Undefined, match="no texts"):
        brier(np.zeros(0), np.zeros(0))


def test_models_that_give_equal_probabilities_do_not_differ():
    both = [TRUTH, CHANCE]
    value, sure = compare_probabilities(
        PairedSample(brier, both, both, np.arange(N), np.random.default_rng(0))
    )
    assert value == 0
    assert (sure.low, sure.why) == (None, "no interval: both are the same on all resamples")
