"""Root mean squares from products: values by hand and in slow code, intervals about 0 and far from it."""

from itertools import combinations, permutations

import numpy as np
import pytest
from scipy.stats import t as student_t
from scipy.stats import ttest_1samp

from tiltmeter.core.errors import Undefined
from tiltmeter.stats.confidence_intervals.mean_squares import _products, root_mean_square
from tiltmeter.stats.confidence_intervals.score_intervals import interval_of_change

RNG = np.random.default_rng(2)


def whole(values, **more):
    return root_mean_square(values, np.ones_like(values), "templates", **more)


def squared(root):
    return np.sign(root) * root**2


def test_the_value_is_the_root_of_the_mean_product_of_different_units():
    values = RNG.normal(0.5, 1, size=(6, 4))
    products = [(values[i] * values[j]).mean() for i, j in combinations(range(6), 2)]
    assert squared(whole(values).value) == pytest.approx(np.mean(products))
    assert whole(values * [1, -1, 1, -1]).value == pytest.approx(whole(values).value)


def test_the_root_of_a_mean_below_0_is_below_0():
    assert whole(np.array([[2.0], [-2.0]])).value == -2
    assert whole(np.array([[1.0, 1.0], [1.0, -1.0]])).value == 0  # products of 1 and −1


def test_cells_have_products_of_the_units_that_they_have():
    sums = np.array([[2.0, 5.0, 9.0], [4.0, 0.0, 0.0], [1.0, 3.0, 0.0]])
    counts = np.array([[1.0, 1, 1], [2, 0, 0], [1, 1, 0]])  # the last cell has one unit: left out
    first = 2 * (2 * 4 + 4 * 1 + 2 * 1) / (4**2 - 1 - 4 - 1)
    assert squared(root_mean_square(sums, counts, "texts").value) == pytest.approx((first + 15) / 2)
    weighted = root_mean_square(sums, counts, "texts", by_size=True).value
    assert squared(weighted) == pytest.approx((4 * first + 2 * 15) / 6)


@pytest.mark.parametrize("truth", [np.zeros(30), np.eye(30)[0] * 3, np.full(30, 0.3)])
def test_the_mean_square_is_right_on_average_whatever_the_true_means(truth):
    drawn = [squared(whole(truth + RNG.normal(size=(5, 30))).value) for _ in range(2000)]
    assert np.mean(drawn) == pytest.approx((truth**2).mean(), abs=4 * np.std(drawn) / 2000**0.5)


def test_one_cell_has_the_t_test_of_its_mean():
    values = RNG.normal(0.3, 1, size=(60, 1))
    assert whole(values).p == pytest.approx(ttest_1samp(values[:, 0], 0).pvalue, rel=0.1)
    far = whole(values + 50)
    tested = ttest_1samp(values[:, 0] + 50, 0).confidence_interval()
    assert far.interval() == pytest.approx((tested.low, tested.high), abs=0.01)


def test_far_from_0_the_interval_is_that_of_the_scores_in_the_direction_of_the_means():
    truth = np.array([30.0, -40.0])
    values = truth + RNG.normal(size=(25, 2))
    along = values @ (values.mean(axis=0) / np.linalg.norm(values.mean(axis=0))) / 2**0.5
    half = student_t.ppf(0.975, 24) * along.std(ddof=1) / 5
    value = whole(values).value
    assert whole(values).interval() == pytest.approx((value - half, value + half), abs=half / 20)


def test_where_there_is_nothing_the_interval_contains_0_and_p_is_large():
    noise = whole(np.random.default_rng(0).normal(size=(10, 300)))
    low, high = noise.interval()
    assert low < 0 < high
    assert noise.p > 0.05


@pytest.mark.parametrize("shift", np.linspace(0, 1, 9))
def test_p_is_below_05_where_the_interval_is_above_0(shift):
    made = whole(shift + np.random.default_rng(1).normal(size=(8, 12)))
    assert (made.p < 0.05) == (made.interval()[0] > 0)


def test_labels_that_are_all_alike_leave_the_variance_that_is_known():
    alike = np.ones((6, 3))
    with pytest.raises(Undefined, match="all templates are alike"):
        whole(alike).interval()
    low, high = whole(alike, least=np.full((6, 3), 0.2), most=1.0).interval()
    assert 0 < low < 1 == high


def test_few_units_that_may_shift_all_cells_have_a_caution_with_their_interval():
    """Where each cell has units of its own, nothing shifts them all."""
    few, many = RNG.normal(1, 1, size=(10, 5)), RNG.normal(1, 1, size=(100, 5))
    assert whole(few).inference().why.startswith("only 10 templates: if they shift all cells")
    assert whole(few, crossed=False).inference().why == whole(many).inference().why == ""


def test_two_units_are_too_few_for_an_interval():
    with pytest.raises(Undefined, match="fewer than 3 templates"):
        whole(RNG.normal(size=(2, 5))).interval()
    with pytest.raises(Undefined, match="nothing has values from two templates"):
        whole(np.ones((1, 5)))


@pytest.mark.parametrize("shape", [(5, 9), (9, 5)])
def test_products_of_rows_are_those_of_slow_code(shape):
    rows = RNG.normal(size=shape)
    rows -= rows.mean(axis=0)
    gram = rows @ rows.T
    if (
        shape[0] <= shape[1]
    ):  # means taken off make products lower, which counts where cells are many
        gram += (rows**2).sum() / (len(rows) * (len(rows) - 1))
    second = sum(gram[i, j] ** 2 for i, j in permutations(range(len(rows)), 2))
    third = sum(
        gram[i, j] * gram[j, k] * gram[k, i] for i, j, k in permutations(range(len(rows)), 3)
    )
    assert _products(rows) == pytest.approx((second, third))


def test_units_of_one_cell_each_are_rows_with_nothing_beside_them():
    sums, cells = RNG.normal(0.3, 1, size=(4, 3)), np.arange(3)
    sums[0, 1] = 0.0
    counts = (sums != 0).astype(float)
    apart = np.zeros((12, 3))
    apart[np.arange(12), np.tile(cells, 4)] = sums.ravel()
    alone = root_mean_square(sums, counts, "repeats", crossed=False)
    known = apart[apart.any(axis=1)]
    rows = root_mean_square(known, (known != 0).astype(float), "repeats")
    assert alone.value == pytest.approx(rows.value)
    assert alone.interval() == pytest.approx(rows.interval(), rel=0.01)
    assert alone.p == pytest.approx(rows.p, rel=0.01)


def test_a_difference_of_two_that_vary_together_is_surer():
    noise = RNG.normal(size=(12, 40))
    first, second = whole(1 + noise), whole(0.5 + noise + 0.1 * RNG.normal(size=(12, 40)))
    low, high = interval_of_change([first], [second], (1,))
    (a, b), (c, d) = first.interval(), second.interval()
    assert low < 0.5 < high
    assert high - low < np.hypot(b - a, d - c)
