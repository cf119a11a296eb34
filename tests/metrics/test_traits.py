"""Means over templates and cells: values by hand, intervals against slow code, what is left out."""

import numpy as np
import pytest
from scipy.stats import t as student_t
from scipy.stats import ttest_1samp

from tiltmeter.core.errors import Undefined
from tiltmeter.core.samples import Sample
from tiltmeter.metrics.traits import (
    association,
    infer_over_templates,
    infer_strength,
    mean_strength,
    pole,
)

TEMPLATES = np.array(list("abcdef"))


def rng():
    return np.random.default_rng(0)


def table(values):
    """Right − left of (cells, templates) as columns, and the template of each row."""
    cells, templates = np.shape(values)
    groups = np.repeat([f"g{i}" for i in range(cells)], templates)
    names = np.tile([f"t{i}" for i in range(templates)], cells)
    flat = np.ravel(values).astype(float)
    return [np.zeros(len(flat)), flat, groups, np.array(["x - y"] * len(flat))], names


def test_a_cell_has_the_t_test_over_its_templates():
    left, right = rng().normal(size=(2, 6))
    found = infer_over_templates(Sample(association, [left, right], TEMPLATES, rng()))
    tested = ttest_1samp(right - left, 0)
    assert found.p == pytest.approx(tested.pvalue)
    assert (found.low, found.high) == pytest.approx(tuple(tested.confidence_interval()))
    alone = infer_over_templates(Sample(pole, [right], TEMPLATES, rng()))
    assert alone.p == pytest.approx(ttest_1samp(right, 0).pvalue)


def test_scores_of_one_template_are_one():
    """Twice the same scores in each template say no more than once."""
    left, right = rng().normal(size=(2, 6))
    once = infer_over_templates(Sample(association, [left, right], TEMPLATES, rng()))
    twice = infer_over_templates(
        Sample(association, [np.tile(left, 2), np.tile(right, 2)], np.tile(TEMPLATES, 2), rng())
    )
    assert (twice.low, twice.high, twice.p) == pytest.approx((once.low, once.high, once.p))


def test_few_templates_are_told_of_and_one_has_no_interval():
    few = infer_over_templates(
        Sample(association, [np.zeros(3), np.array([1.0, 2, 4])], TEMPLATES[:3], rng())
    )
    assert few.why.startswith("only 3 templates: if their scores are skewed, 6 to 7 of 100")
    one = infer_over_templates(Sample(association, [np.zeros(1), np.ones(1)], TEMPLATES[:1], rng()))
    assert (one.low, one.p) == (None, None)
    assert one.why.startswith("no interval")


def test_strength_is_of_means_and_not_of_single_scores():
    columns, _ = table([[3, -3], [1, 1], [-2, -4]])
    assert mean_strength(*columns) == (0 + 1 + 3) / 3


def test_a_cell_without_a_score_in_some_template_is_left_out_and_counted():
    columns, names = table([[3, 5, np.nan, 1, 2], [1, 2, 1, 2, 3], [-2, -4, -3, -2, -2]])
    assert mean_strength(*columns) == pytest.approx((9 / 5 + 13 / 5) / 2)
    found = infer_strength(Sample(mean_strength, columns, names, rng()))
    assert found.why == "1 cell has no value and is left out"
    with pytest.raises(
        Undefined, match="no group and pair of traits has a score in every template"
    ):
        mean_strength(*table([[np.nan, 1]])[0])


def test_the_interval_of_strength_is_a_jackknife_where_all_cells_are_far_from_0():
    values = rng().normal(size=(4, 6)) + 5
    columns, names = table(values)
    whole = mean_strength(*columns)
    without = [mean_strength(*table(np.delete(values, i, axis=1))[0]) for i in range(6)]
    error = np.sqrt(5 / 6 * np.sum((np.array(without) - np.mean(without)) ** 2))
    found = infer_strength(Sample(mean_strength, columns, names, rng()))
    half = student_t.ppf(0.975, 5) * error
    assert (found.low, found.high) == pytest.approx((whole - half, whole + half), abs=half / 10)
    assert found.p is None


def test_the_interval_of_strength_reaches_from_0_where_cells_only_vary_over_templates():
    columns, names = table(rng().normal(size=(40, 6)))
    found = infer_strength(Sample(mean_strength, columns, names, rng()))
    assert found.low == 0
    assert found.high >= mean_strength(*columns)


def test_cells_that_do_not_vary_have_no_interval():
    columns, names = table([[1, 1], [2, 2]])
    found = infer_strength(Sample(mean_strength, columns, names, rng()))
    assert (found.low, found.why) == (None, "no interval: all resamples are alike")


def test_what_is_not_finite_has_no_mean():
    with pytest.raises(Undefined, match="the right trait has no finite score in 1 of 2 templates"):
        association(np.zeros(2), np.array([1.0, np.inf]))
    with pytest.raises(Undefined, match="no templates"):
        pole(np.zeros(0))
