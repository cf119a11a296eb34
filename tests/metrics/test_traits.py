"""Means over templates and cells: values by hand, intervals against slow code, what is left out."""

import numpy as np
import pytest
from scipy.stats import ttest_1samp

from tiltmeter.core.errors import Undefined
from tiltmeter.core.samples import Sample
from tiltmeter.metrics.traits import (
    association,
    infer_over_templates,
    infer_strength,
    mean_strength,
    pole,
    rms_strength,
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
    left, right = rng().uniform(
        size=(2, 40)
    )  # none far from the others, so that degrees of freedom stay
    names = np.arange(40)
    once = infer_over_templates(Sample(association, [left, right], names, rng()))
    twice = infer_over_templates(
        Sample(association, [np.tile(left, 2), np.tile(right, 2)], np.tile(names, 2), rng())
    )
    assert (twice.low, twice.high, twice.p) == pytest.approx((once.low, once.high, once.p))


def test_few_templates_of_several_scores_have_the_test_alone():
    """A sample of few may lack those that are far from the others."""
    left, right = rng().uniform(size=(2, 78))
    found = infer_over_templates(Sample(pole, [left, right], np.repeat(np.arange(39), 2), rng()))
    assert (found.low, found.high, found.interval) == (None, None, "")
    assert "39 templates of several scores may not include" in found.why and 0 < found.p < 1


def test_few_templates_are_told_of_and_one_has_no_interval():
    few = infer_over_templates(
        Sample(association, [np.zeros(3), np.array([1.0, 2, 4])], TEMPLATES[:3], rng())
    )
    assert few.why.startswith("only 3 templates: if their scores are skewed, 6 to 12 of 100")
    one = infer_over_templates(Sample(association, [np.zeros(1), np.ones(1)], TEMPLATES[:1], rng()))
    assert (one.low, one.p) == (None, None)
    assert one.why.startswith("no interval")


def test_strength_is_of_means_and_not_of_single_scores():
    columns, _ = table([[3, -3], [1, 1], [-2, -4]])
    assert mean_strength(*columns) == (0 + 1 + 3) / 3


def strength_of(columns, names):
    """The root mean square strength with its interval; `names` are those of templates."""
    numbered = np.unique(names, return_inverse=True)[1]
    columns = [*columns, numbered]
    return rms_strength(*columns), infer_strength(Sample(rms_strength, columns, names, rng()))


def test_root_mean_square_strength_is_of_products_of_different_templates():
    columns, names = table([[3, -3, 1], [1, 2, 4]])
    products = (-9 + 3 - 3 + 2 + 4 + 8) / 6
    assert strength_of(columns, names)[0] == pytest.approx(products**0.5)


def test_a_cell_without_a_score_in_some_template_is_left_out_and_counted():
    columns, names = table([[3, 5, np.nan, 1, 2], [1, 2, 1, 2, 3], [-2, -4, -3, -2, -2]])
    assert mean_strength(*columns) == pytest.approx((9 / 5 + 13 / 5) / 2)
    value, sure = strength_of(columns, names)
    assert value == pytest.approx((((81 - 19) / 20 + (169 - 37) / 20) / 2) ** 0.5)
    assert sure.why.startswith("1 cell has no value and is left out; only 5 templates")
    with pytest.raises(
        Undefined, match="no group and pair of traits has a score in every template"
    ):
        mean_strength(*table([[np.nan, 1]])[0])


def test_the_interval_of_strength_contains_0_where_cells_only_vary_over_templates():
    value, sure = strength_of(*table(rng().normal(size=(40, 6))))
    assert sure.low < 0 < sure.high
    assert sure.low < value < sure.high
    assert sure.p > 0.05
    assert sure.interval == "score interval from products of different templates"


def test_few_cells_that_lean_strongly_have_an_interval_about_their_strength():
    truth = np.r_[np.full(5, 2.0), np.zeros(59)][:, None]
    _, sure = strength_of(*table(truth + rng().normal(size=(64, 25))))
    assert sure.low < (5 * 4 / 64) ** 0.5 < sure.high
    assert sure.high - sure.low < 0.2
    assert sure.p < 0.001


def test_cells_that_do_not_vary_have_no_interval():
    _, sure = strength_of(*table([[1, 1, 1], [2, 2, 2]]))
    assert (sure.low, sure.p) == (None, None)
    assert sure.why == "no interval: all templates are alike; no test: all templates are alike"


def test_what_is_not_finite_has_no_mean():
    with pytest.raises(Undefined, match="the right trait has no finite score in 1 of 2 templates"):
        association(np.zeros(2), np.array([1.0, np.inf]))
    with pytest.raises(Undefined, match="no templates"):
        pole(np.zeros(0))
