"""Complete cases of a model’s scores and people’s ratings, and what is left out of them."""

from dataclasses import replace

import numpy as np
import pytest

from analyses.leak.examples import small_humans
from tiltmeter.analyses.leak.grids import ModelCells, grid_of
from tiltmeter.core.errors import Undefined


@pytest.fixture
def humans():
    return small_humans(np.random.default_rng(0))


@pytest.fixture
def model(humans):
    values = np.random.default_rng(1).normal(size=(6, 8))
    return ModelCells("en", humans["en"].groups, humans["en"].columns, values)


def test_all_cells_are_there(humans, model):
    grid = grid_of(model, humans)
    assert grid.y.tolist() == model.values.tolist()
    assert grid.predictors[:, 1] == pytest.approx(humans["ru"].means.ravel())
    columns, groups = grid.labels
    assert (columns[:9].tolist(), groups[7:9].tolist()) == ([0, 1, 2, 3, 4, 5, 6, 7, 0], [0, 1])
    assert [len(r) for r in grid.rated()[0].by_row] == [5] * 6


def test_a_group_that_too_few_know_is_left_out_or_zero(humans, model):
    scores = humans["ru"].scores.copy()
    scores[:2, 1] = np.nan  # three raters of five are left
    few = humans | {"ru": replace(humans["ru"], scores=scores)}
    grid = grid_of(model, few)
    assert grid.groups == ("g0", "g2", "g3", "g4", "g5")
    assert grid.excluded == ("1 group is left out: g1",)
    zero = grid_of(model, few, zero=True)
    assert (len(zero.groups), zero.zeroed) == (6, 8)
    assert zero.means["ru"][1].tolist() == [0.0] * 8


def test_a_trait_without_scores_and_one_that_is_another_ones_word_are_left_out(humans, model):
    values = model.values.copy()
    values[:, 2] = np.nan
    values[:, 5] = values[:, 4]
    values[3, 0] = np.nan
    grid = grid_of(replace(model, values=values), humans)
    assert grid.columns == ("t0", "t1", "t3", "t4", "t6", "t7")
    assert "g3" not in grid.groups
    assert grid.excluded == ("1 group is left out: g3", "2 traits are left out: t2, t5")


def test_too_little_is_left(humans, model):
    with pytest.raises(
        Undefined, match="2 groups and 8 traits have scores and enough ratings in en, ru"
    ):
        grid_of(replace(model, values=model.values[:2], groups=model.groups[:2]), humans)
