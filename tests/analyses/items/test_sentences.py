"""What items says of many models, of two, and of models that differ by chance."""

import pytest

import tiltmeter as tm
from analyses.items.examples import random_runs, runs


def finding(results):
    return [p.text.replace("\xa0", " ") for p in tm.analyse.items(results).card.finding]


def test_pairs_reliability_precision_and_items():
    head, precision, items = finding(random_runs(6, 200))
    assert head.startswith(
        "13 of 15 pairs of 6 models differ significantly in stereotype rate on 200"
    )
    assert "the reliability of the differences is 0.9" in head and "95 % interval 0.9" in head
    assert (
        precision.startswith("Two models must differ by ")
        and "points for a test to find it 80" in precision
    )
    assert (
        items.startswith("All models agree on 4 of 200 items. ") and "none significantly" in items
    )


def test_too_few_items_say_that_all_may_be_chance_and_how_many_it_would_take():
    head, precision, _ = finding(random_runs(4, 30, lean=0.1, seed=1))
    assert head.startswith(
        "0 of 6 pairs of 4 models differ significantly in stereotype rate on 30 items; "
    )
    assert head.endswith("All differences may be due to the choice of items.")
    assert "A reliability of .80 would take about " in precision


def test_of_two_models_it_says_what_cannot_be_said():
    head, _, items = finding(runs({"a": "0" * 30 + "1" * 10, "b": "1" * 40}))
    assert head.startswith("The two models differ significantly in stereotype rate on 40 items.")
    assert "With 2 models there is one difference" in head and "they take 3 models" in head
    assert items == "All models agree on 10 of 40 items."


def test_clusters_are_counted():
    head, *_ = finding(random_runs(5, 60, cluster=lambda i: f"t{i // 4}"))
    assert "on 60 items in 15 clusters" in head


@pytest.mark.parametrize("same", ["0101", "1111"])
def test_models_that_all_agree_have_no_reliability(same):
    head, _, items = finding(runs(dict.fromkeys("abc", same)))
    assert head.endswith(
        "The reliability of the differences is undefined: all models have the same mean."
    )
    assert items == "All models agree on 4 of 4 items."
