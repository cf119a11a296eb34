"""counterfactual on made-up classifiers: its numbers are those of the records."""

import numpy as np
import pytest

import tiltmeter as tm
from tiltmeter.studies.counterfactual.study import STUDY


def test_changes_are_those_of_the_records():
    run = tm.run("counterfactual", "fake:classifier", data=STUDY.sample(), settings={})
    before, after = (
        np.array([r.scores[side] for r in run.records]) for side in ("before", "after")
    )
    assert len(run.records) == len(STUDY.sample().items)
    assert run.estimate("mean_change").value == pytest.approx(100 * np.mean(after - before))
    size = run.estimate("mean_absolute_change").value
    assert size == pytest.approx(100 * np.mean(np.abs(after - before)))
    assert size > 0
    flipped = np.mean((before >= 0.5) != (after >= 0.5))
    assert run.estimate("decisions_flipped").value == pytest.approx(100 * flipped)


def test_results_are_given_for_each_swap_and_label():
    run = tm.run("counterfactual", "fake:classifier", data=STUDY.sample(), settings={})
    swaps = {e.groups["swap"] for e in run.estimates if "swap" in e.groups}
    assert "women → men" in swaps and "Muslims → Jews" in swaps
    labels = {e.groups["label"] for e in run.estimates if "label" in e.groups}
    assert labels == {"hateful", "other"}
