"""Profiles of rows: bars, intervals, one axis, and panels that do not overlap."""

from dataclasses import replace

import pytest

from report import cells
from report.plots.drawn import SVG, of_class, parsed
from tiltmeter.core.estimates import Estimate
from tiltmeter.report.plots.matrix_grid import grid_of
from tiltmeter.report.plots.profile import LEFT, RIGHT, WIDTH, axis_of, profiles
from tiltmeter.studies.group_traits.study import STUDY

(VIEW,) = STUDY.views


def test_bars_lead_from_0_to_the_value_on_the_side_of_the_trait(grid):
    axis = axis_of(grid)
    root = parsed(profiles(grid, ["bakers"], name="p", title="t"))
    middle = (LEFT + RIGHT) / 2
    half = (RIGHT - LEFT) / 2
    rows = of_class(root, "pair-row")
    assert len(rows) == 5
    for row, cell in zip(rows, grid.of_row("bakers"), strict=True):
        (bar,) = of_class(row, "bar")
        start, wide = float(bar.get("x", "")), float(bar.get("width", ""))
        length = half * abs(cell.value) / axis.scale.high
        assert wide == pytest.approx(length, abs=0.02)
        assert start == pytest.approx(middle - length if cell.value < 0 else middle, abs=0.02)
        assert ("unsure" in bar.get("class", "")) == (not cell.significant)
        (line,) = of_class(row, "interval")
        ends = [float(line.get(end, "")) for end in ("x1", "x2")]
        wanted = [middle + half * end / axis.scale.high for end in (cell.low, cell.high)]
        assert ends == pytest.approx(wanted, abs=0.02)
        bold = [t.text for t in of_class(row, "strong")]
        assert bold == ([grid.nearer(cell)] if cell.significant else [])
    assert [b.get("class", "").split()[1] for b in of_class(root, "bar")] == ["d1"] * 2 + ["d2"] * 3


def test_all_groups_share_one_axis_and_a_value_beyond_it_says_itself():
    base = cells.result()
    far = [
        replace(e, value=40.0, low=39.0, high=41.0)
        if e.groups == {"group": "bakers", "pair": "slow - quick"} and e.name == "association"
        else e
        for e in [*base.estimates, *(
            Estimate("association", 0.1, 0.0, 0.2, 0.5, 9, 0, "nats",
                     groups={"group": f"g{i}", "pair": "slow - quick"}) for i in range(200)
        )]
    ]  # fmt: skip
    grid = grid_of(far, VIEW)
    axis = axis_of(grid)
    assert axis.scale.high < 2
    root = parsed(profiles(grid, ["bakers"], name="p", title="t"))
    assert [t.text for t in of_class(root, "beyond")] == ["40.0"]
    (row,) = [r for r in of_class(root, "pair-row") if of_class(r, "beyond")]
    (bar,) = of_class(row, "bar")
    assert float(bar.get("x", "")) + float(bar.get("width", "")) == pytest.approx(RIGHT)


def test_an_undefined_pair_has_no_bar(grid):
    root = parsed(profiles(grid, ["anglers"], name="p", title="t"))
    assert len(of_class(root, "pair-row")) == 5
    assert len(of_class(root, "bar")) == 4
    assert "undefined" in [t.text for t in root.iter(f"{SVG}text")]


@pytest.mark.parametrize("abreast", [1, 2])
def test_panels_stand_in_lines_and_do_not_overlap(grid, abreast):
    rows = grid.row_labels
    root = parsed(profiles(grid, rows, name="p", title="t", layout=abreast))
    panels = [g for g in root if g.tag == f"{SVG}g"]
    assert [panel[0].find(f"{SVG}text[@class='domain']").text for panel in panels] == rows
    places = [tuple(map(float, p.get("transform")[10:-1].split())) for p in panels]
    assert len(set(places)) == len(rows)
    assert len({x for x, _ in places}) == abreast
    assert all(x % (WIDTH + 40) == 0 for x, _ in places)
    width, height = map(float, root.get("viewBox").split()[2:])
    assert width == abreast * WIDTH + (abreast - 1) * 40
    assert max(y for _, y in places) < height
