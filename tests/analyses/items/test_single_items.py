"""Single items: verdicts, counts and records, on made-up pairs."""

import numpy as np
import pytest

from analyses.items.examples import random_runs, runs, turned
from tiltmeter.analyses.items.single_items import SingleItems
from tiltmeter.derived.comparisons.item_values import item_values


def of(results, families=None):
    names = [r.card.model_name for r in results]
    return SingleItems.of(item_values(results, "stereotype_rate"), names, families or {}, 0)


def test_verdicts_by_hand():
    items = of(runs())
    assert items.verdicts[-1] == "all agree" and np.isnan(items.r[-1])
    # The first pair is 0, 1, 1, 1 and the mean of the others 0, 1, 3 and 4 fifths.
    assert items.r[0] == pytest.approx(np.corrcoef([0, 1, 1, 1], [0, 1, 3, 4])[0, 1])
    made = {e.name: (e.value, e.n) for e in items.estimates()}
    assert made["items_without_variation"] == (1, 6)
    assert made["items_below_zero"] == (0, 5) and made["items_against_rest"] == (0, 5)
    assert made["median_item_rest"][0] == pytest.approx(np.nanmedian(items.r))


def test_an_item_against_the_rest_comes_first_and_may_be_left_out():
    items = of(turned(random_runs(14, 40, lean=0.45), 11))
    first, *others = items.records("bias_type")
    assert (first.item, first.groups["verdict"], first.groups["leave_out"]) == (
        "p11",
        "against the rest",
        "yes",
    )
    assert first.scores["p"] < 0.05 and first.groups["bias_type"] == "age"
    assert first.texts == {"more": "text 11", "less": "other text 11"}
    rs = [r.scores["item_rest"] for r in others if r.groups["verdict"] == "with the rest"]
    assert rs == sorted(rs) and len(others) == 39
    assert {e.name: e.value for e in items.estimates()}["items_against_rest"] == 1


def test_related_models_are_averaged_before_anything_is_tested():
    some = turned(random_runs(14, 40, lean=0.45), 11)
    names = [r.card.model_name for r in some]
    two = of(some, {name: "one" if i < 7 else "other" for i, name in enumerate(names)})
    assert two.families == 2 and two.r == pytest.approx(of(some).r, nan_ok=True)
    assert np.isnan(two.p).all()  # over two families there is no correlation
    assert two.verdicts[11] == "below 0"


def test_over_two_models_and_where_all_agree_correlations_say_why_there_are_none():
    two = {e.name: e for e in of(runs({"a": "0011", "b": "0111"})).estimates()}
    assert two["items_below_zero"].value is None
    assert two["items_below_zero"].why == "it takes 3 models, there are 2"
    same = of(runs({"a": "0011", "b": "0011", "c": "0011"}))
    assert {*same.verdicts} == {"all agree"}
    assert {e.name: e.why for e in same.estimates()}[
        "median_item_rest"
    ] == "all models agree on every item"
    together = of(runs(cluster=lambda _: "one"))
    assert "no rest" in {e.name: e.why for e in together.estimates()}["median_item_rest"]
    assert together.verdicts[0] == "not known"
