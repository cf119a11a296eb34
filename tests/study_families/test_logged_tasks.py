"""Tasks of other programs: a mean has the interval that its values allow."""

import numpy as np
import pytest

from tiltmeter.core.errors import BadInput, Undefined
from tiltmeter.core.samples import Sample, rng_of
from tiltmeter.stats.confidence_intervals.bounded_means import bounded_mean
from tiltmeter.stats.confidence_intervals.intervals import median_interval, wilson_clustered
from tiltmeter.study_families.logged_tasks import (
    infer_mean,
    infer_mean_share,
    logged_study,
    mean_score,
    scales,
)


def sample(values, clusters=None):
    values = np.array(values, dtype=float)
    return Sample(mean_score, [values], np.arange(len(values)) if clusters is None else clusters,
                  rng_of(0, "x"), False)  # fmt: skip


def test_shares_have_wilsons_interval_and_other_scores_from_0_to_1_gaffkes():
    flags, documents = [1, 0, 1, 1, 0, 1], np.array([0, 0, 1, 1, 2, 2])
    sure = infer_mean_share(sample(flags, documents))
    assert (sure.low, sure.high) == wilson_clustered(np.array(flags, float), documents)
    scores = np.array([0.0, 0.5, 0.25, 1.0, 0.75])
    sure = infer_mean_share(sample(scores))
    assert (sure.low, sure.high) == bounded_mean(scores, np.arange(5), (0, 1))
    assert "from 0 to 1" in sure.interval
    with pytest.raises(Undefined, match="every sample has the same score"):
        infer_mean_share(sample([0, 0, 0]))


def test_means_of_scores_of_any_size_have_no_interval_and_the_median_has():
    scores = np.random.default_rng(0).lognormal(1, 1.5, size=41)
    with pytest.raises(Undefined, match="rare large ones; their median is") as error:
        infer_mean(sample(scores))
    low, high = median_interval(scores, np.arange(41))
    assert f"(95 % interval {low:.4g} to {high:.4g})" in str(error.value)
    with pytest.raises(Undefined, match=r"their median is 2 \(no interval: "):
        infer_mean(sample([1, 2, 3]))


def test_a_study_is_made_of_names_and_cannot_be_run():
    study = logged_study("log:quiz", {"f1": True, "accuracy": True})
    assert [m.name for m in study.measures] == ["accuracy", "f1"]
    with pytest.raises(BadInput, match="quiz is a task of another program"):
        study.load()


def test_the_scale_is_that_of_all_samples_and_stays_with_the_measures():
    study = logged_study("log:quiz", {"f1": True, "length": False})
    of = {m.name: m.meaning for m in study.measures}
    assert scales(of) == {"f1": True, "length": False}
    assert (of["f1"].least, of["f1"].most) == (0, 1)
    by_name = {m.name: m for m in study.measures}
    small = sample([0.1, 0.2, 0.4, 0.3])  # of a group that has small lengths only
    assert by_name["f1"].infer(small).low is not None
    with pytest.raises(Undefined, match="can have any size"):
        by_name["length"].infer(small)
