"""What studies of classifiers share: F1 as scikit-learn's, intervals that contain their value."""

import numpy as np
import pytest
from sklearn import metrics as sk

from tiltmeter.core.samples import PairedSample, Sample
from tiltmeter.metrics import classified, probabilities
from tiltmeter.metrics.counts import CountMetric
from tiltmeter.metrics.label_intervals import compare_probabilities, infer_labelled

RNG = np.random.default_rng(3)


N = 400


TRUTH = (RNG.random(N) < 0.2).astype(float)


CHANCE = np.round(np.clip(0.3 * TRUTH + RNG.random(N) * 0.7, 0, 1), 2)  # with ties


SAID = (CHANCE >= 0.5).astype(float)


@pytest.mark.parametrize(
    ("metric", "oracle"),
    [
        (classified.f1_positive, lambda: sk.f1_score(TRUTH, SAID)),
        (classified.f1_macro, lambda: sk.f1_score(TRUTH, SAID, average="macro")),
        (classified.f1_weighted, lambda: sk.f1_score(TRUTH, SAID, average="weighted")),
        (classified.accuracy, lambda: sk.accuracy_score(TRUTH, SAID)),
        (classified.positive_predictive_value, lambda: sk.precision_score(TRUTH, SAID)),
        (classified.true_positive_rate, lambda: sk.recall_score(TRUTH, SAID)),
        (probabilities.roc_auc, lambda: sk.roc_auc_score(TRUTH, CHANCE)),
        (probabilities.average_precision, lambda: sk.average_precision_score(TRUTH, CHANCE)),
        (probabilities.brier, lambda: sk.brier_score_loss(TRUTH, CHANCE)),
    ],
    ids=lambda x: getattr(x, "name", getattr(x, "__name__", "")),
)
def test_scores_are_those_of_scikit_learn(metric, oracle):
    counts = isinstance(metric, CountMetric)
    found = metric(TRUTH, SAID) / 100 if counts else metric(TRUTH, CHANCE)
    assert found == pytest.approx(oracle(), abs=1e-12)


def test_f1_of_several_labels_is_that_of_scikit_learn():
    truth, said = RNG.integers(0, 3, N).astype(float), RNG.integers(0, 3, N).astype(float)
    for metric, average in ((classified.f1_macro, "macro"), (classified.f1_weighted, "weighted")):
        assert metric(truth, said) / 100 == pytest.approx(sk.f1_score(truth, said, average=average))


def test_intervals_and_paired_comparisons_contain_their_value():
    rng, clusters = np.random.default_rng(1), np.arange(N)
    for metric, columns in (
        (classified.f1_macro, [TRUTH, SAID]),
        (probabilities.roc_auc, [TRUTH, CHANCE]),
    ):
        sure = infer_labelled(Sample(metric, columns, clusters, rng))
        assert sure.low <= metric(*columns) <= sure.high
    worse = RNG.random(N)
    value, sure = compare_probabilities(
        PairedSample(probabilities.roc_auc, [TRUTH, CHANCE], [TRUTH, worse], clusters, rng)
    )
    assert value == pytest.approx(sk.roc_auc_score(TRUTH, CHANCE) - sk.roc_auc_score(TRUTH, worse))
    assert 0 < sure.low < value < sure.high
