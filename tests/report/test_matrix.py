"""The heat map and the charts of groups: colour, size and place of each mark agree with its estimate."""

import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest
from tiltmeter.report.grid import MOST_ROWS, Grid, grid_of, is_told, nearer, traits, usual_end

from report import cells
from tiltmeter.analysis.matrix import layers_of
from tiltmeter.core.results import Estimate
from tiltmeter.report.plots.heat import NARROW_SHEET, WIDE_SHEET, heat, said
from tiltmeter.report.plots.profile import LEFT, RIGHT, axis_of, profile

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def result():
    return cells.result()


@pytest.fixture(scope="module")
def grid(result) -> Grid:
    return grid_of(result.estimates, layers_of(result))


def parsed(markup: str) -> ET.Element:
    return ET.fromstring(markup)  # our own output, never a stranger's file


def of_class(root: ET.Element, name: str) -> list[ET.Element]:
    return [e for e in root.iter() if name in (e.get("class") or "").split()]


def marks(root: ET.Element) -> dict[str, ET.Element]:
    """What is drawn for each cell, by the group and the pair that its title begins with."""
    found = {}
    for element in root.iter():
        title = element.findtext(f"{SVG}title") or ""
        named = re.match(r"(.+?), (.+? – .+?): ", title)
        if named and element.tag != f"{SVG}svg":
            found[named[1], named[2].replace(" – ", " - ")] = element
    return found


def number_in(title: str) -> float:
    return float(title.partition(": ")[2].split()[0].rstrip(",;").replace("−", "-"))


def test_groups_stand_by_domain_and_pairs_by_dimension_in_the_order_of_the_data(grid):
    assert [(b.name, b.members) for b in grid.rows] == list(cells.DOMAINS.items())
    assert [(b.name, b.members) for b in grid.columns] == list(cells.DIMENSIONS.items())


def test_groups_of_one_domain_stand_together_also_where_the_data_scatter_them():
    base = cells.result()
    order = ["bakers", "anglers", "sailors", "people who whistle", "chess players", "pianists"]
    records = sorted(base.records, key=lambda r: order.index(r.groups["group"]))
    grid = grid_of(base.estimates, layers_of(replace(base, records=records)))
    assert grid.groups == [
        "bakers", "sailors", "pianists", "anglers", "chess players", "people who whistle"
    ]  # fmt: skip


@pytest.mark.parametrize("sheet", [WIDE_SHEET, NARROW_SHEET])
def test_each_cell_has_the_colour_the_depth_and_the_size_of_its_estimate(grid, sheet):
    root = parsed(heat(grid, name="h", title="t", sheet=sheet))
    drawn = marks(root)
    assert set(drawn) == set(grid.cells)
    heights = {}
    for key, cell in grid.cells.items():
        mark = drawn[key]
        title = mark.findtext(f"{SVG}title") or ""
        if cell.value is None:
            assert mark.get("class") == "undefined"
            assert len(of_class(mark, "gone")) == 2
            assert cell.why in title
            continue
        kind = ("right" if cell.value > 0 else "left") + ("" if is_told(cell) else " unsure")
        assert mark.get("class") == kind
        depth = 0.1 + 0.9 * min(abs(cell.value) / grid.reach, 1)
        assert float(mark.get("fill-opacity", "")) == pytest.approx(depth, abs=0.006)
        assert number_in(title) == pytest.approx(cell.value, rel=0.006)
        assert ("nearer to" in title) == is_told(cell)
        heights.setdefault(is_told(cell), set()).add(float(mark.get("height", "")))
    assert max(heights[False]) < min(heights[True])  # what is not told is drawn smaller


def test_the_planted_cells_are_told_and_lean_their_way(grid):
    for key, lean in cells.PLANTED.items():
        cell = grid.cells[key]
        assert is_told(cell)
        assert nearer(cell) == traits(key[1])[lean > 0]
    assert grid.cells[cells.GONE].value is None


def test_cells_of_a_row_and_of_a_column_are_in_line(grid):
    drawn = marks(parsed(heat(grid, name="h", title="t")))

    def middle(key: tuple[str, str], start: str, size: str) -> float:
        mark = drawn[key]
        if mark.tag != f"{SVG}rect":
            line = of_class(mark, "gone")[0]
            ends = ("x1", "x2") if start == "x" else ("y1", "y2")
            return sum(float(line.get(end, "")) for end in ends) / 2
        return float(mark.get(start, "")) + float(mark.get(size, "")) / 2

    columns = {p: {round(middle((g, p), "x", "width"), 1) for g in grid.groups} for p in grid.pairs}
    rows = {g: {round(middle((g, p), "y", "height"), 1) for p in grid.pairs} for g in grid.groups}
    assert all(max(some) - min(some) <= 0.2 for some in (*columns.values(), *rows.values()))
    across = [min(columns[pair]) for pair in grid.pairs]
    down = [min(rows[group]) for group in grid.groups]
    assert across == sorted(set(across))
    assert down == sorted(set(down))


def test_the_picture_says_what_it_shows(grid):
    root = parsed(heat(grid, name="h", title="Associations"))
    assert root.findtext(f"{SVG}title") == "Associations"
    desc = root.findtext(f"{SVG}desc") or ""
    known = [cell for cell in grid.cells.values() if cell.p_adjusted is not None]
    told = sum(cell.p_adjusted < 0.05 for cell in known)
    assert told < len(known) == 29
    assert desc.startswith(
        f"6 groups by 5 pairs of traits; {told} of all 29 cells are told from 0."
    )
    assert "bakers, early – late" in desc


def test_colours_are_symmetric_about_0_and_do_not_end_with_the_farthest_of_many():
    assert usual_end([0.25, -0.0, 0.5]) == 0.5
    assert usual_end([0.5] * 1000 + [9.0]) == 0.5
    assert usual_end([]) == 1.0
    base = cells.result()
    grid = grid_of(base.estimates)
    root = parsed(heat(grid, name="h", title="t"))
    legend = next(g for g in of_class(root, "legend"))
    swatches = [e for e in legend.iter(f"{SVG}rect") if (e.get("class") or "") in {"left", "right"}]
    opacities = [float(e.get("fill-opacity", "")) for e in swatches[:8]]
    assert opacities == opacities[::-1]
    assert [e.get("class") for e in swatches[:8]] == ["left"] * 4 + ["right"] * 4


def test_a_shared_end_of_colours_makes_pictures_comparable(grid):
    alone, shared = (
        marks(parsed(heat(grid, name="h", title="t", reach=reach))) for reach in (None, 10.0)
    )
    key = ("bakers", "early - late")
    assert float(alone[key].get("fill-opacity", "")) > 0.7
    assert float(shared[key].get("fill-opacity", "")) < 0.2


def test_of_too_many_groups_the_strongest_are_shown():
    many = [
        Estimate("association", i / 1000, 0, 1, 0.01, 9, 0, "nats",
                 groups={"group": f"g{i}", "pair": "a - b"})
        for i in range(MOST_ROWS + 20)
    ]  # fmt: skip
    grid = grid_of(many)
    assert not grid.is_whole
    assert grid.groups == [f"g{i}" for i in range(20, MOST_ROWS + 20)]
    assert grid.all_groups == MOST_ROWS + 20
    assert set(marks(parsed(heat(grid, name="h", title="t")))) == {
        (g, "a - b") for g in grid.groups
    }


def test_pairs_that_are_not_named_as_two_traits_are_shown_all_the_same():
    one = Estimate("association", 0.5, 0.4, 0.6, 0.01, 9, 0, "nats",
                   groups={"group": "bakers", "pair": "haste"})  # fmt: skip
    assert nearer(one) == "haste (right)"
    assert said(one).startswith("bakers, haste (left) – haste (right): 0.500")
    parsed(heat(grid_of([one]), name="h", title="t"))


def test_bars_lead_from_0_to_the_value_on_the_side_of_the_trait(grid):
    axis = axis_of(grid)
    root = parsed(profile(grid, "bakers", axis, name="p"))
    middle = (LEFT + RIGHT) / 2
    half = (RIGHT - LEFT) / 2
    rows = of_class(root, "pair-row")
    assert len(rows) == 5
    for row, cell in zip(rows, grid.of_group("bakers"), strict=True):
        (bar,) = of_class(row, "bar")
        start, wide = float(bar.get("x", "")), float(bar.get("width", ""))
        length = half * abs(cell.value) / axis.end
        assert wide == pytest.approx(length, abs=0.02)
        assert start == pytest.approx(middle - length if cell.value < 0 else middle, abs=0.02)
        assert ("unsure" in bar.get("class", "")) == (not is_told(cell))
        (line,) = of_class(row, "interval")
        ends = [float(line.get(end, "")) for end in ("x1", "x2")]
        wanted = [middle + half * end / axis.end for end in (cell.low, cell.high)]
        assert ends == pytest.approx(wanted, abs=0.02)
        bold = [t.text for t in of_class(row, "strong")]
        assert bold == ([nearer(cell)] if is_told(cell) else [])
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
    grid = grid_of(far)
    axis = axis_of(grid)
    assert axis.end < 2
    root = parsed(profile(grid, "bakers", axis, name="p"))
    assert [t.text for t in of_class(root, "beyond")] == ["40.0"]
    (row,) = [r for r in of_class(root, "pair-row") if of_class(r, "beyond")]
    (bar,) = of_class(row, "bar")
    assert float(bar.get("x", "")) + float(bar.get("width", "")) == pytest.approx(RIGHT)


def test_an_undefined_pair_has_no_bar(grid):
    root = parsed(profile(grid, "anglers", axis_of(grid), name="p"))
    assert len(of_class(root, "pair-row")) == 5
    assert len(of_class(root, "bar")) == 4
    assert "undefined" in [t.text for t in root.iter(f"{SVG}text")]


def test_hostile_names_stay_text():
    odd = cells.HOSTILE
    hostile = cells.result(names={"bakers": odd})
    grid = grid_of(hostile.estimates, layers_of(hostile))
    for markup in (
        heat(grid, name='x" onload="y', title=odd),
        profile(grid, odd, axis_of(grid), name="p"),
    ):
        root = parsed(markup)
        assert not list(root.iter(f"{SVG}script"))
        assert "\u202e" not in markup
