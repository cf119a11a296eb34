"""Resamples of labelled texts: labels vary as texts do, or are kept where the design fixes them."""

from dataclasses import replace

import numpy as np
import pytest

from tiltmeter.core.samples import Sample
from tiltmeter.metrics.label_intervals import _cluster_draws, infer_labelled
from tiltmeter.metrics.probabilities import brier

TRUTH = (np.arange(40) < 3).astype(float)


@pytest.mark.parametrize("within", [True, False])
def test_the_number_of_positive_texts_varies_unless_it_is_fixed(within):
    blocks = _cluster_draws(TRUTH, np.arange(40), 40, np.random.default_rng(0), 500, within=within)
    positive = np.concatenate(list(blocks)) @ TRUTH
    assert (len(set(positive)) == 1) == within
    assert (
        positive.min() > 0
    )  # each draw has both labels, though 4 % of all would lack the rare one


def test_a_fixed_number_of_positive_texts_narrows_what_depends_on_it():
    """Positive texts are far off and others are not, so the score follows their number."""
    chance = np.where(TRUTH > 0, 0.2, 0.1)
    sample = Sample(brier, [TRUTH, chance], np.arange(40), np.random.default_rng(0))
    random = infer_labelled(sample)
    fixed = infer_labelled(replace(sample, fixed=True))
    assert "within each label" in fixed.interval
    assert "within" not in random.interval
    assert random.low < brier(TRUTH, chance) < random.high
