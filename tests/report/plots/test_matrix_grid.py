"""The order of rows and columns, how much is shown, and which cells are significant."""

from dataclasses import replace

from report import cells
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.study_views import Matrix
from tiltmeter.derived.matrices.matrix import layers_of, opposites
from tiltmeter.report.plots.matrix_grid import MOST_ROWS, grid_of, usual_end
from tiltmeter.studies.group_traits.study import STUDY

(VIEW,) = STUDY.views


def test_groups_stand_by_domain_and_pairs_by_dimension_in_the_order_of_the_data(grid):
    assert [(b.name, b.members) for b in grid.rows] == list(cells.DOMAINS.items())
    assert [(b.name, b.members) for b in grid.columns] == list(cells.DIMENSIONS.items())


def test_groups_of_one_domain_stand_together_also_where_the_data_scatter_them():
    base = cells.result()
    order = ["bakers", "anglers", "sailors", "people who whistle", "chess players", "pianists"]
    records = sorted(base.records, key=lambda r: order.index(r.groups["group"]))
    grid = grid_of(base.estimates, VIEW, layers_of(replace(base, records=records)))
    assert grid.row_labels == [
        "bakers", "sailors", "pianists", "anglers", "chess players", "people who whistle"
    ]  # fmt: skip


def test_the_planted_cells_are_told_and_lean_their_way(grid):
    for key, lean in cells.PLANTED.items():
        cell = grid.cells[key]
        assert cell.significant
        assert grid.nearer(cell) == opposites(key[1])[lean > 0]
    assert grid.cells[cells.GONE].value is None


def test_of_too_many_rows_the_strongest_are_shown():
    many = [
        Estimate("association", i / 1000, 0, 1, 0.01, 9, 0, "nats",
                 groups={"group": f"g{i}", "pair": "a - b"})
        for i in range(MOST_ROWS + 20)
    ]  # fmt: skip
    grid = grid_of(many, VIEW)
    assert not grid.is_whole
    assert grid.row_labels == [f"g{i}" for i in range(20, MOST_ROWS + 20)]
    assert grid.all_rows == MOST_ROWS + 20


def test_colours_do_not_end_with_the_farthest_of_many():
    assert usual_end([0.25, -0.0, 0.5]) == 0.5
    assert usual_end([0.5] * 1000 + [9.0]) == 0.5
    assert usual_end([]) == 1.0


def test_axes_and_measure_are_those_of_the_view():
    view = Matrix("lean", rows="trade", columns="quality")
    found = [
        Estimate(name, 0.5, 0.4, 0.6, 0.01, 9, 0, "nats", groups=groups)
        for name, groups in (
            ("lean", {"trade": "baker", "quality": "slow - quick"}),
            ("lean", {"trade": "baker"}),
            ("association", {"trade": "baker", "quality": "slow - quick"}),
        )
    ]
    grid = grid_of(found, view)
    assert list(grid.cells) == [("baker", "slow - quick")]
    assert grid.nearer(found[0]) == "quick"
