"""A made-up matrix, ready to be drawn."""

import pytest

from report import cells
from tiltmeter.derived.matrices.matrix import layers_of
from tiltmeter.report.plots.matrix_grid import MatrixGrid, grid_of
from tiltmeter.studies.group_traits.study import STUDY

(VIEW,) = STUDY.views


@pytest.fixture(scope="module")
def result():
    return cells.result()


@pytest.fixture(scope="module")
def grid(result) -> MatrixGrid:
    return grid_of(result.estimates, VIEW, layers_of(result))
