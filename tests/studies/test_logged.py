"""Tasks of other programs: a mean has the interval that its values allow."""

import numpy as np
import pytest

from tiltmeter.core.errors import BadInput, Undefined
from tiltmeter.core.samples import Sample, rng_of
from tiltmeter.metrics.default_inference import bootstrapped
from tiltmeter.stats.intervals import wilson_clustered
from tiltmeter.studies._logged import infer_mean, logged_study, mean_score


def sample(values, clusters=None):
    values = np.array(values, dtype=float)
    return Sample(mean_score, [values], np.arange(len(values)) if clusters is None else clusters,
                  rng_of(0, "x"), False)  # fmt: skip


def test_shares_have_wilsons_interval_over_documents_and_others_a_bootstrap():
    flags, documents = [1, 0, 1, 1, 0, 1], np.array([0, 0, 1, 1, 2, 2])
    sure = infer_mean(sample(flags, documents))
    assert (sure.low, sure.high) == wilson_clustered(np.array(flags, float), documents)
    scores = [0.0, 0.5, 2.0, 3.5, 1.0]
    assert infer_mean(sample(scores)) == bootstrapped(sample(scores))
    with pytest.raises(Undefined, match="every sample has the same score"):
        infer_mean(sample([0, 0, 0]))


def test_a_study_is_made_of_names_and_cannot_be_run():
    study = logged_study("log:quiz", ["f1", "accuracy"])
    assert [m.name for m in study.measures] == ["accuracy", "f1"]
    with pytest.raises(BadInput, match="quiz is a task of another program"):
        study.load()
