"""Tasks of other programs."""

import numpy as np
import pytest

from tiltmeter.core.errors import BadInput, Undefined
from tiltmeter.core.samples import Sample, rng_of
from tiltmeter.metrics.default_inference import bootstrapped
from tiltmeter.stats.intervals import mean_interval, wilson_clustered
from tiltmeter.studies._logged import infer_mean, logged_study, mean_score


def sample(values, clusters=None):
    values = np.array(values, dtype=float)
    return Sample(mean_score, [values], np.arange(len(values)) if clusters is None else clusters,
                  rng_of(0, "x"), False)  # fmt: skip


def test_a_mean_has_the_interval_that_its_values_allow():
    flags, documents = [1, 0, 1, 1, 0, 1], np.array([0, 0, 1, 1, 2, 2])
    sure = infer_mean(sample(flags, documents))
    assert (sure.low, sure.high) == wilson_clustered(np.array(flags, float), documents)
    scores = [0.0, 0.5, 2.0, 3.5, 1.0]
    assert infer_mean(sample(scores)) == bootstrapped(sample(scores))
    shares = np.array([0.0, 0.5, 1.0, 0.25, 0.75, 0.5])
    within = infer_mean(sample(shares, documents))
    assert (within.low, within.high) == mean_interval(shares, documents, (0, 1), far=True)
    with pytest.raises(Undefined, match="every sample has the same score"):
        infer_mean(sample([0, 0, 0]))


def test_a_study_is_made_of_names_and_cannot_be_run():
    study = logged_study("log:quiz", ["f1", "accuracy"])
    assert [m.name for m in study.measures] == ["accuracy", "f1"]
    with pytest.raises(BadInput, match="quiz is a task of another program"):
        study.load()
