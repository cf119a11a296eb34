"""descriptors on a model that prefers nothing, and by each rule."""

import pytest

import tiltmeter as tm
from support import published
from tiltmeter.studies.descriptors.study import STUDY


@pytest.mark.parametrize(
    ("model", "rule"), [("fake:causal", "log_likelihood"), ("fake", "pll_word_l2r")]
)
def test_costs_add_up_to_nothing_within_an_axis(model, rule):
    run = tm.run("descriptors", model, rule=rule, data=STUDY.sample(), settings={})
    costs = [e for e in run.estimates if e.name == "descriptor_cost"]
    assert {(e.groups["axis"], e.groups["descriptor"]) for e in costs} == {
        ("size", "small"), ("size", "big"), ("size", "tiny"), ("coat", "grey"), ("coat", "spotted"),
    }  # fmt: skip
    for axis in ("size", "coat"):
        assert sum(e.value for e in costs if e.groups["axis"] == axis) == pytest.approx(0, abs=1e-9)
    assert run.estimate("descriptor_spread").value >= 0 and not [
        e for e in run.estimates if e.name == "likelihood_bias"
    ]


def test_the_convention_adds_the_share_of_small_p(monkeypatch):
    published.need("holistic_bias/holistic_bias/dataset")
    monkeypatch.setenv("TILTMETER_DATA", str(published.FOLDER))
    few = {"descriptors": "3", "templates": "3", "nouns": "5", "axes": "age,religion"}
    run = tm.run("descriptors", "fake:causal", convention="smith2022", settings=few)
    assert 0 <= run.estimate("likelihood_bias").value <= 100
    assert run.card.counts["scored"] == 2 * 3 * 3 * 5
