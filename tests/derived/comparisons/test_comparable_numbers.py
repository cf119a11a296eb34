"""What makes numbers of two models comparable."""

from dataclasses import replace

import pytest

from report import example
from tiltmeter.derived.comparisons.comparable_numbers import conditions, is_baseline, rules_alike

CARD = example.result("a").card


@pytest.mark.parametrize("part", ["study", "rule", "convention", "ties"])
def test_two_models_that_differ_in_one_thing_are_not_measured_alike(part):
    assert conditions(CARD) == conditions(replace(CARD, model={"name": "b"}))
    assert conditions(CARD) != conditions(replace(CARD, **{part: "other"}))


@pytest.mark.parametrize("fact", ["sha256", "sample", "items"])
def test_nor_are_they_on_other_data_or_another_sample(fact):
    assert conditions(CARD) != conditions(replace(CARD, data={**CARD.data, fact: "7"}))


def test_the_name_of_equal_data_does_not_matter():
    assert conditions(CARD) == conditions(replace(CARD, data={**CARD.data, "name": "copy.csv"}))


def test_rules_are_alike_where_the_study_says_so():
    card = replace(CARD, rule="a", alike=("a", "b"))
    assert rules_alike(card) == {"a", "b"}
    assert rules_alike(card, "b") == {"a", "b"}
    assert rules_alike(card, "c") == {"c"}
    assert conditions(card) == conditions(replace(card, rule="b"))


def test_a_baseline_is_scored_by_no_rule():
    baseline = replace(CARD, model={"name": "ideal", "kind": "baseline"})
    assert is_baseline(baseline)
    assert conditions(baseline).rules == frozenset()
