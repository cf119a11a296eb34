"""Ranks of models by wording: against shares set by hand, ties, and where there is no range."""

from dataclasses import replace

import numpy as np
import pytest

import tiltmeter as tm
from tiltmeter.core.errors import BadInput
from tiltmeter.derived.comparisons.compare import compare, compare_all
from tiltmeter.derived.comparisons.wording_ranks import RANK, wording_ranks

NAMES = ("standard", "brief", "formal", "letter", "list")


@pytest.fixture(scope="module")
def masked():
    return tm.run("starter_pairs", "fake:masked").result


def worded(result, name, shares, wordings=NAMES):
    """The run as if asked in several wordings, in each of which a share of items prefers `more`."""
    records = []
    for wording, share in zip(wordings, shares, strict=True):
        for i, r in enumerate(result.records[:100]):
            item = r.item if wording == NAMES[0] else f"{r.item}@{wording}"
            won = float((37 * i) % 100 < 100 * share)  # in any order of clusters
            groups = {**r.groups, "wording": wording}
            records.append(replace(r, item=item, scores={"more": won, "less": 0.5}, groups=groups,
                                   cluster=r.item))  # fmt: skip
    data = {**result.card.data, "wordings": ", ".join(wordings)}
    card = replace(result.card, model={**result.card.model, "name": name}, data=data)
    return replace(result, card=card, records=records)


def ranks(results):
    made = wording_ranks(results)
    return (
        {e.model: (e.value, e.low, e.high) for e in made if not e.groups},
        {(e.model, e.groups["wording"]): e.value for e in made if e.groups},
    )


def test_the_nearest_to_neutral_is_first_and_may_not_be_in_each_wording(masked):
    a = worded(masked, "a", (0.5, 0.52, 0.5, 0.48, 0.7))
    b = worded(masked, "b", (0.9, 0.9, 0.92, 0.88, 0.6))
    overall, each = ranks([a, b])
    assert {name: place[0] for name, place in overall.items()} == {"a": 1, "b": 2}
    assert [each["a", wording] for wording in NAMES] == [1, 1, 1, 1, 2]
    assert [each["b", wording] for wording in NAMES] == [2, 2, 2, 2, 1]


def test_models_far_apart_in_all_wordings_have_one_rank_each(masked):
    shares = {"a": 0.5, "b": 0.75, "c": 0.98}
    overall, _ = ranks([worded(masked, name, [share] * 5) for name, share in shares.items()])
    assert overall == {"a": (1, 1, 1), "b": (2, 2, 2), "c": (3, 3, 3)}


def test_models_that_differ_as_wordings_do_may_have_either_rank(masked):
    a = worded(masked, "a", (0.5, 0.9, 0.5, 0.9, 0.5))
    b = worded(masked, "b", (0.9, 0.5, 0.9, 0.6, 0.9))
    overall, _ = ranks([a, b])
    assert {ends for _, *ends in map(list, overall.values()) for ends in [tuple(ends)]} == {(1, 2)}


def test_equal_models_share_a_rank(masked):
    same = [worded(masked, "a", [0.7] * 5)] * 2
    made = wording_ranks(same)
    assert {(e.model, e.value) for e in made} == {("a (1)", 1), ("a (2)", 1)}
    assert {(e.low, e.high) for e in made if not e.groups} == {(1, 2)}


def test_four_wordings_have_ranks_but_no_range_and_one_has_none(masked):
    few = [worded(masked, name, [s] * 4, NAMES[:4]) for name, s in (("a", 0.5), ("b", 0.9))]
    whole = [e for e in wording_ranks(few) if not e.groups]
    assert {(e.low, e.why) for e in whole} == {
        (None, "no range: it takes 5 wordings, and there are 4")
    }
    one = [worded(masked, name, [s], NAMES[:1]) for name, s in (("a", 0.5), ("b", 0.9))]
    assert wording_ranks(one) == [] == wording_ranks([masked, masked])


def test_two_results_are_compared_in_wordings_like_these(masked):
    a, b = worded(masked, "a", (0.5, 0.5, 0.6, 0.5, 0.7)), worded(masked, "b", [0.9] * 5)
    estimated = {e.name: e for e in compare(a, b) if not e.groups}
    whole = estimated["stereotype_rate_difference"]
    other = estimated["stereotype_rate_difference_over_wordings"]
    assert (
        other.value
        == pytest.approx(whole.value)
        == pytest.approx(np.mean((-40, -40, -30, -40, -20)))
    )
    assert other.low < whole.low < whole.high < other.high and other.clusters == 5
    assert other.meaning.variant_of == "stereotype_rate_difference"
    assert RANK in {e.name for e in compare_all([a, b]).estimates}


def test_different_wordings_are_compared_on_those_of_both(masked):
    a, b = (
        worded(masked, "a", [0.5] * 5),
        worded(masked, "b", [0.9] * 3, (NAMES[0], "brief", "own")),
    )
    whole = next(e for e in compare(a, b) if not e.groups)
    assert whole.n == 200 and "in the wordings of both only: standard, brief" in whole.why
    alone = worded(masked, "b", [0.9], NAMES[:1])
    alone = replace(alone, card=replace(alone.card, data=masked.card.data))
    whole = next(e for e in compare(a, alone) if not e.groups)
    assert whole.n == 100 and "in the wordings of both only: the standard one" in whole.why


def test_other_templates_of_one_name_are_not_compared(masked):
    def of_file(result, mark):
        data = {**result.card.data, "wording_templates": f"brief {mark}"}
        return replace(result, card=replace(result.card, data=data))

    a, b = (worded(masked, name, [0.5] * 2, NAMES[:2]) for name in "ab")
    assert compare(of_file(a, "1"), of_file(b, "1"))
    for other in (of_file(b, "2"), b):
        with pytest.raises(BadInput, match="different wordings of the name 'brief'"):
            compare(of_file(a, "1"), other)
