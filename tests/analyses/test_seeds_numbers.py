"""Means and spread over seeds, of numbers made up by hand."""

from dataclasses import replace

import pytest

from tiltmeter.analyses.seeds import over_seeds
from tiltmeter.core.errors import BadInput
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.results import Card, Result

F1, GAP = "f1_macro", "false_positive_rate_gap"


def run(seed, f1, gap=1.0, *, base="bert", data="edos", texts="abc", settings=None):
    """A run of a classifier that was trained with this seed."""
    model = {
        "name": f"{base}-{data}-{seed}",
        "trained from": base,
        "trained on": data,
        "training seed": seed,
    }
    at = {"n": 300, "neutral": None, "unit": "%", "study": "classification", "model": model["name"]}
    return Result(
        Card(
            "classification",
            "1",
            model,
            {"name": f"{data}-test.jsonl", "sha256": texts},
            settings=settings or {},
        ),
        [],
        [
            Estimate(F1, f1, 10.0, 90.0, 0.03, **at),
            Estimate(GAP, gap, None, None, None, groups={"group": "a − b"}, **at),
        ],
    )


def numbers(results):
    return {(e.model, e.name, *e.groups.values()): e for e in over_seeds(results)}


def test_mean_deviation_and_interval_over_three_trainings():
    made = numbers([run(0, 60.0, -1.0), run(1, 62.0, 0.0), run(2, 64.0, 4.0)])
    f1 = made["bert", F1, "edos"]
    half = 4.302653 * 2 / 3**0.5  # Student's t of two degrees of freedom
    assert (f1.value, f1.n, f1.p, f1.interval) == (62.0, 300, None, "Student’s t over 3 trainings")
    assert (f1.low, f1.high) == pytest.approx((62 - half, 62 + half), abs=1e-4)
    sd = made["bert", f"{F1}_sd", "edos"]
    assert (sd.value, sd.unit, sd.low, sd.neutral) == (2.0, "points", None, None)
    gap = made["bert", GAP, "edos", "a − b"]
    assert gap.value == 1.0 and gap.groups == {"trained_on": "edos", "group": "a − b"}
    assert made["bert", f"{GAP}_sd", "edos", "a − b"].value == pytest.approx(7**0.5)


def test_models_and_data_sets_stay_apart_and_order_does_not_matter():
    runs = [
        run(seed, 50.0 + seed + shift, base=base, data=data)
        for seed in (0, 1)
        for base, data, shift in (("bert", "edos", 0), ("bert", "ethos", 10), ("gpt2", "edos", 20))
    ]
    made = numbers(runs)
    assert made["bert", F1, "edos"].value == 50.5
    assert made["bert", F1, "ethos"].value == 60.5
    assert made["gpt2", F1, "edos"].value == 70.5
    again = numbers(runs[::-1])
    assert {at: e.value for at, e in again.items()} == {at: e.value for at, e in made.items()}


def test_one_training_has_no_spread_and_equal_ones_no_interval():
    made = numbers([run(0, 60.0)])
    assert (made["bert", F1, "edos"].value, made["bert", F1, "edos"].low) == (60.0, None)
    assert made["bert", f"{F1}_sd", "edos"].value is None
    assert "single value" in made["bert", f"{F1}_sd", "edos"].why
    same = numbers([run(0, 60.0), run(1, 60.0)])
    assert (same["bert", F1, "edos"].low, same["bert", f"{F1}_sd", "edos"].value) == (None, 0.0)


def test_what_is_undefined_in_a_training_has_no_mean():
    broken = run(1, 62.0)
    undefined = replace(broken.estimates[0], value=None, why="no text is called positive")
    made = numbers([run(0, 60.0), replace(broken, estimates=[undefined])])
    assert made["bert", F1, "edos"].value is None
    assert "no text is called positive" in made["bert", F1, "edos"].why


@pytest.mark.parametrize(
    ("other", "says"),
    [
        (run(0, 61.0), "seed 0 of bert trained on edos is there twice"),
        (run(1, 61.0, texts="other"), "classifiers trained on edos were asked different texts"),
        (run(1, 61.0, settings={"threshold": "0.4"}), "or with other settings"),
        (replace(run(1, 61.0), card=Card("sos", "1", {"name": "bert"}, {"name": "sos"})),
         "bert is no classifier"),
    ],
)  # fmt: skip
def test_what_cannot_be_averaged_is_refused(other, says):
    with pytest.raises(BadInput, match=says):
        over_seeds([run(0, 60.0), other])
