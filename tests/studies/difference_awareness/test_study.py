"""difference_awareness on its sample, with made-up models."""

import pytest

import tiltmeter as tm
from tiltmeter.studies.difference_awareness.study import STUDY


@pytest.mark.parametrize("rule", ["letter", "choice"])
def test_a_model_that_writes_answers_and_one_that_chooses(rule):
    run = tm.run("difference_awareness", "fake:causal", rule=rule, data=STUDY.sample(), settings={})
    assert run.card.rule == rule and run.card.counts["scored"] == 6
