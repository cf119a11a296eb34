"""Verdicts over studies: which number stands for a study, and how p is adjusted."""

from dataclasses import replace
from pathlib import Path

import pytest

from tiltmeter.core.estimates import Estimate, Meaning
from tiltmeter.core.results import Card, Result
from tiltmeter.derived.audits.audit_findings import finding_of, ranked, smallest_p

PART = {"kind": "age"}


def estimate(name="rate", value=60.0, half=5.0, p=0.001, **other):
    given = {"n": 100, "neutral": 50, "unit": "%", "model": "m"} | other
    return Estimate(name, value, value - half, value + half, p, **given)


def card():
    return Card("s", "1", {"name": "m"}, {"name": "d"}, "r", "paper", "", 0, "", {"scored": 100})


def found(label, *estimates):
    return finding_of(label, label.upper(), Path(label), Result(card(), (), estimates))


def verdicts(*findings):
    return {one.label: one.verdict for one in ranked(findings)}


def test_p_is_adjusted_over_the_studies_and_the_strongest_comes_first():
    judged = ranked([
        found("weak", estimate(p=0.03)),
        found("strong", estimate(p=0.001)),
        found("level", estimate(value=51.0, p=0.7)),
    ])  # fmt: skip
    assert [(f.label, f.verdict) for f in judged] == [
        ("strong", "leans"), ("weak", "uncertain"), ("level", "not significant"),
    ]  # fmt: skip
    assert [f.p_adjusted for f in judged] == [0.003, 0.06, 0.7]
    assert verdicts(found("weak", estimate(p=0.03))) == {"weak": "leans"}


def test_an_interval_that_allows_for_clusters_makes_a_lean_uncertain():
    head = estimate()
    wide = replace(
        estimate("rate_clustered", half=15.0, p=None), meaning=Meaning(variant_of="rate")
    )
    assert verdicts(found("s", head, wide)) == {"s": "uncertain"}


def test_costs_and_sizes_are_not_tested_and_undefined_numbers_stay_so():
    cost = replace(estimate(neutral=None), meaning=Meaning(role="cost"))
    nothing = replace(estimate(), value=None, low=None, high=None, p=None, why="no item")
    assert verdicts(found("cost", cost), found("none", nothing)) == {
        "cost": "not tested", "none": "undefined",
    }  # fmt: skip


def test_without_a_number_over_all_items_the_study_is_one_test_of_its_subsets():
    near = estimate(value=52.0, p=0.4, groups={"kind": "race"}, p_adjusted=0.4)
    far = estimate(value=70.0, p=0.004, groups=PART, p_adjusted=0.008)
    size = replace(estimate("strength"), meaning=Meaning(magnitude=True))
    (one,) = ranked([found("tests", size, near, far)])
    assert (one.lead, one.p, one.significant_tests) == (far, 0.008, 1)
    assert one.verdict == "leans"
    bare = [replace(e, p=None, p_adjusted=None) for e in (near, far)]
    assert verdicts(found("intervals alone", *bare)) == {"intervals alone": "uncertain"}


@pytest.mark.parametrize(
    ("ps", "adjusted", "smallest"),
    [((0.01, 0.5), (0.02, 0.5), 0.02), ((0.01, 0.5), (None, None), 0.02), ((None,), (None,), None)],
)
def test_the_smallest_p_counts_all_tests(ps, adjusted, smallest):
    tests = [estimate(p=p, p_adjusted=q) for p, q in zip(ps, adjusted, strict=True)]
    assert smallest_p(tests) == smallest
