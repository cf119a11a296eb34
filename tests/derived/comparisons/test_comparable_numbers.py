"""What makes numbers of two models comparable."""

from dataclasses import replace

import pytest

from report import example
from tiltmeter.core.records import Record
from tiltmeter.derived.comparisons.comparable_numbers import (
    conditions,
    is_baseline,
    rules_alike,
    tokens_of,
)

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


def split(*counts, reverse=False):
    """A result whose items, 0, 1, …, have so many tokens."""
    records = [Record(str(i), {"tokens_scored": float(n)}, {}) for i, n in enumerate(counts)]
    return replace(example.result("a"), records=records[::-1] if reverse else records)


def test_models_that_split_every_item_into_as_many_tokens_are_alike():
    assert tokens_of(split(3, 5)) == tokens_of(split(3, 5, reverse=True)) != ""
    assert tokens_of(split(3, 5)) != tokens_of(split(5, 3))  # as many in all
    assert conditions(CARD, tokens="x") != conditions(CARD, tokens="y")


def test_records_without_numbers_of_tokens_say_nothing():
    assert tokens_of(example.result("a")) == ""
