"""Components of variance: against the analysis of variance, draws, and what cannot be told apart."""

import numpy as np
import pytest

from tiltmeter.core.errors import Undefined
from tiltmeter.stats.regression.variance_components import (
    column_share_interval,
    variance_components,
)


def crossed(rng, shape, *, template, item, wording, both, chance):
    """Values of templates × items × wordings × repeats, with the labels of each factor."""
    t, n, w, _ = shape
    at = dict(zip(("template", "item", "wording", "repeat"), np.indices(shape), strict=True))
    values = (
        template * rng.normal(size=(t, 1, 1, 1)) + item * rng.normal(size=(t, n, 1, 1))
        + wording * rng.normal(size=(1, 1, w, 1)) + both * rng.normal(size=(t, n, w, 1))
        + chance * rng.normal(size=shape)
    )  # fmt: skip
    items = at["template"] * n + at["item"]
    factors = {
        "template": at["template"], "item": items, "wording": at["wording"],
        "item × wording": items * w + at["wording"],
    }  # fmt: skip
    return values.ravel(), {name: labels.ravel() for name, labels in factors.items()}


def test_of_a_full_table_they_are_those_of_the_analysis_of_variance():
    values, factors = crossed(
        np.random.default_rng(1), (6, 4, 5, 3), template=1, item=1, wording=1, both=1, chance=1
    )
    found = variance_components(values, factors)
    y = values.reshape(24, 5, 3)
    cell = y.mean(2)
    chance = ((y - cell[:, :, None]) ** 2).sum() / (24 * 5 * 2)
    rest = cell - cell.mean(1, keepdims=True) - cell.mean(0) + cell.mean()
    both = 3 * (rest**2).sum() / (23 * 4)
    wording = 24 * 3 * cell.mean(0).var(ddof=1)
    assert found.rest == pytest.approx(chance)
    assert found.by_factor["item × wording"] == pytest.approx((both - chance) / 3)
    assert found.by_factor["wording"] == pytest.approx((wording - both) / 72)
    items = cell.mean(1).reshape(6, 4)
    of_items = 15 * ((items - items.mean(1, keepdims=True)) ** 2).sum() / (6 * 3)
    assert found.by_factor["item"] == pytest.approx((of_items - both) / 15)
    of_templates = 60 * items.mean(1).var(ddof=1)
    assert found.by_factor["template"] == pytest.approx((of_templates - of_items) / 60)


def test_of_uneven_tables_they_are_right_on_average():
    true, found = np.array([0.25, 0.25, 0.09, 0.16, 1.0]), []
    for seed in range(200):
        rng = np.random.default_rng(seed)
        values, factors = crossed(
            rng, (12, 3, 5, 2), template=0.5, item=0.5, wording=0.3, both=0.4, chance=1.0
        )
        uneven = rng.random(len(values)) < np.where(factors["template"] < 4, 0.3, 0.9)
        one = variance_components(values[uneven], {n: f[uneven] for n, f in factors.items()})
        found.append([*one.by_factor.values(), one.rest])
    error = np.std(found, axis=0) / 200**0.5
    assert (np.abs(np.mean(found, axis=0) - true) < 3 * error).all()


def test_a_negative_estimate_stays_in_the_total():
    """Mean squares of rows are 9, of columns 0 and of the rest 1: (9 − 1) / 2, (0 − 1) / 2 and 1."""
    table = np.array([[1.0, 0.0], [3.0, 4.0]])
    rows, columns = (axis.ravel() for axis in np.indices(table.shape))
    found = variance_components(table.ravel(), {"row": rows, "column": columns})
    assert found.by_factor == pytest.approx({"row": 4.0, "column": -0.5})
    assert found.rest == pytest.approx(1) and found.total == pytest.approx(4.5)
    with pytest.raises(Undefined, match="whole variance is not above 0"):
        variance_components(table.ravel() - 3 * rows, {"row": rows, "column": columns})


def test_what_cannot_be_told_apart():
    labels = np.arange(6)
    with pytest.raises(Undefined, match="all values are equal"):
        variance_components(np.ones(6), {"item": labels // 2})
    for factors in ({"item": labels}, {"item": labels // 2, "text": labels // 2}):
        with pytest.raises(Undefined, match="cannot be told apart"):
            variance_components(labels * 1.0, factors)


def test_the_interval_of_the_share_holds_columns_against_their_interaction():
    rng = np.random.default_rng(0)
    cells = rng.normal(size=(25, 1)) + 2 * rng.normal(size=(1, 8)) + 0.5 * rng.normal(size=(25, 8))
    between = cells.mean(0).var(ddof=1)
    low, high = column_share_interval(cells, between + 1.25)
    assert 0 < low < between / (between + 1.25) < high < 1
    assert column_share_interval(cells * 3, 9 * (between + 1.25)) == pytest.approx((low, high))
    with pytest.raises(Undefined, match="in the same way"):
        column_share_interval(np.tile([1.0, 2.0, 4.0], (3, 1)), 2.0)
    with pytest.raises(Undefined, match="1 clusters and 3 columns"):
        column_share_interval(np.ones((1, 3)), 2.0)
