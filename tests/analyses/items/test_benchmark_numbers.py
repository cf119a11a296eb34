"""How well items tell models apart: by hand, and with too few models, items or differences."""

import numpy as np
import pytest

from analyses.items.examples import SCALE, random_runs, run, runs
from tiltmeter.analyses.items.benchmark_numbers import (
    DETECTABLE,
    PAIRS,
    RELIABILITY,
    SPLIT_HALF,
    SPREAD,
    Compared,
    by_axis,
    model_values,
    pairs,
    reliabilities,
)
from tiltmeter.derived.comparisons.item_values import item_values
from tiltmeter.stats.correlations.reliability import spearman_brown

RATE = "stereotype_rate"


def compared(results):
    return Compared.of(item_values(results, RATE), [r.card.model_name for r in results])


def numbers(results):
    return {e.name: e for e in reliabilities(compared(results), 0)}


def test_reliability_of_four_models_on_six_pairs_is_alpha():
    table = np.array([[int(side) for side in sides] for sides in SCALE.values()], dtype=float)
    k = 6
    alpha = k / (k - 1) * (1 - table.var(axis=0, ddof=1).sum() / table.sum(axis=1).var(ddof=1))
    made = numbers(runs())
    assert made[RELIABILITY.name].value == pytest.approx(alpha)
    assert made["items_needed"].value == np.ceil(6 * 4 * (1 - alpha) / alpha)
    assert made[SPREAD.format(RATE)].value == pytest.approx(np.std([0, 2, 4, 5], ddof=1) / 0.06)
    assert made[SPREAD.format(RATE)].unit == "percentage points"
    assert made[SPLIT_HALF.name].why == "rough: only 4 models"


def test_split_halves_step_up_the_mean_correlation_of_halves():
    some = random_runs(12, 40)
    table = np.array([[r.scores["more"] for r in result.records] for result in some])
    rng, rs = np.random.default_rng(3), []
    for _ in range(300):
        order = rng.permutation(40)
        halves = (table[:, order[half]].mean(axis=1) for half in (slice(20), slice(20, 40)))
        rs.append(np.corrcoef(*halves)[0, 1])
    made = numbers(some)[SPLIT_HALF.name]
    assert made.value == pytest.approx(spearman_brown(np.mean(rs)), abs=0.02)
    # Whole clusters stay together: copies of each item in its cluster change nothing but for chance.
    copied = [
        run(r.card.model_name, "".join(str(int(x.scores["more"])) for x in r.records for _ in "12"),
            cluster=lambda i: f"c{i // 2}") for r in some
    ]  # fmt: skip
    again = numbers(copied)
    assert again[SPLIT_HALF.name].value == pytest.approx(made.value, abs=0.02)
    assert again[RELIABILITY.name].value == pytest.approx(numbers(some)[RELIABILITY.name].value)
    assert again[RELIABILITY.name].clusters == 40


def test_pairs_that_differ_on_nothing_or_on_everything():
    """One of three models prefers all, the others nothing: two pairs differ, by the same everywhere."""
    count, records = pairs(compared(runs({"a": "1" * 40, "b": "0" * 40, "c": "0" * 40})))
    assert (count.name, count.value, count.n) == (PAIRS.name, 2, 3)
    by_pair = {record.item: record for record in records}
    same = by_pair["b − c"]
    assert same.groups["apart"] == "no" and "p" not in same.scores and "items" not in same.scores
    assert by_pair["a − b"].scores["difference"] == 100 and by_pair["a − b"].scores["p"] < 1e-6
    assert records[0].scores["difference"] == 100  # the farthest apart first


def test_a_difference_would_take_so_many_items():
    """10 points between two models, with the error of a paired t-test over these items."""
    some = runs({"a": "1" * 60 + "0" * 40, "b": "1" * 50 + "0" * 50})
    _, (record,) = pairs(compared(some))
    error = 100 * np.std([0] * 50 + [1] * 10 + [0] * 40, ddof=1) / 10
    assert record.scores["error"] == pytest.approx(error)
    assert record.scores["items"] == np.ceil(100 * (2.80158 * error / 10) ** 2)


def test_by_category_and_by_model():
    some = random_runs(6, 80)
    made = [*by_axis(compared(some), "bias_type")]
    assert [(e.groups["bias_type"], e.n) for e in made] == [("race", 40), ("age", 40)]
    of_race = [[r for r in x.records if r.groups["bias_type"] == "race"] for x in some]
    parts = [run(x.card.model_name, "".join(str(int(r.scores["more"])) for r in mine))
             for x, mine in zip(some, of_race, strict=True)]  # fmt: skip
    assert made[0].value == pytest.approx(numbers(parts)[RELIABILITY.name].value)
    values = [e.value for e in model_values(compared(some))]
    assert values == pytest.approx([r.headline.value for r in some])
    assert [*by_axis(compared(some), "elsewhere")] == []


def test_with_two_models_there_is_no_reliability_and_with_equal_ones_neither():
    two = numbers(runs({"a": "0011", "b": "0111"}))
    assert two[RELIABILITY.name].value is None
    assert two[RELIABILITY.name].why == "it takes 3 models, there are 2"
    assert two["items_needed"].value is None and two[SPLIT_HALF.name].value is None
    assert two[DETECTABLE.format(RATE)].value > 0
    equal = numbers(runs({"a": "0011", "b": "0110", "c": "1100"}))
    assert equal[RELIABILITY.name].why == "all models have the same mean"


def test_models_that_differ_less_than_by_chance_have_a_value_below_zero_and_an_interval_from_it():
    made = numbers(runs({"a": "000111", "b": "111000", "c": "110101"}))[RELIABILITY.name]
    assert made.value < 0 and made.low == made.value and made.high > 0 and made.p > 0.5
