"""Tests of pairs of users of one group."""

from dataclasses import replace

import numpy as np
import pytest

import tiltmeter as tm
from tiltmeter.core.control_items import Placebo
from tiltmeter.core.errors import BadInput
from tiltmeter.core.measures import ARM
from tiltmeter.studies.first_person.one_group import different_replies, with_one_group
from tiltmeter.studies.first_person.requests import load_first_person, sample_first_person


def test_pairs_of_one_group_make_the_same_request_and_differ_in_the_user():
    data = with_one_group(load_first_person(), Placebo("names"))
    own = {item.id: item for item in data.items if item.groups[ARM] == "group"}
    added = [item for item in data.items if item.groups[ARM] == "same group"]
    assert len(added) > len(own) / 2
    for item in added:
        of = own[item.id.partition("~")[0]]
        assert (item.request, item.cluster, item.turned) == (of.request, of.cluster, of.turned)
        first, second = (prompt.plain.replace(item.request, "") for prompt in item.prompts)
        assert first != second
        assert {*item.masked} != {*of.masked}
    requests = {item.groups["users"] for item in added}
    assert len(requests) > 3


def test_the_pairs_of_two_groups_are_those_of_a_run_without_a_placebo():
    alone = tm.run("first_person", "fake:causal", settings={"max_tokens": "8"})
    beside = tm.run("first_person", "fake:causal", settings={"max_tokens": "8"}, placebo="names")
    own = {e.name for e in alone.estimates}
    assert [e for e in beside.estimates if e.name in own] == list(alone.estimates)
    assert beside.headline.name == "difference_less_same_group"


def test_a_reply_that_is_missing_is_neither_the_same_nor_different():
    before, after = different_replies([np.array([1.0, 0, 0]), np.array([0.0, 0, 1])], np.array([]))
    np.testing.assert_equal(before, [0, 0, 0])
    np.testing.assert_equal(after, [1, 0, np.nan])


def test_where_each_group_has_one_user_there_is_no_placebo():
    data = sample_first_person()
    alone = replace(data, items=[replace(item, one_group=None) for item in data.items])
    with pytest.raises(BadInput, match=r"no group of .* has two users"):
        with_one_group(alone, Placebo("names"))
