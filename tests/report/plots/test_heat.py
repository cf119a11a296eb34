"""The heat map: colour, size and place of each mark agree with its estimate."""

import pytest

from report import cells
from report.plots.drawn import SVG, marks, number_in, of_class, parsed
from tiltmeter.core.estimates import Estimate
from tiltmeter.derived.matrices.matrix import layers_of
from tiltmeter.report.plots.heat import NARROW, WIDE, heat, words_of
from tiltmeter.report.plots.matrix_grid import grid_of
from tiltmeter.report.plots.profile import profiles
from tiltmeter.studies.group_traits.study import STUDY

(VIEW,) = STUDY.views


@pytest.mark.parametrize("layout", [WIDE, NARROW])
def test_each_cell_has_the_colour_the_depth_and_the_size_of_its_estimate(grid, layout):
    root = parsed(heat(grid, name="h", title="t", layout=layout))
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
        kind = ("right" if cell.value > 0 else "left") + ("" if cell.significant else " unsure")
        assert mark.get("class") == kind
        depth = 0.1 + 0.9 * min(abs(cell.value) / grid.reach, 1)
        assert float(mark.get("fill-opacity", "")) == pytest.approx(depth, abs=0.006)
        assert number_in(title) == pytest.approx(cell.value, rel=0.006)
        assert ("nearer to" in title) == cell.significant
        heights.setdefault(cell.significant, set()).add(float(mark.get("height", "")))
    assert max(heights[False]) < min(heights[True])  # what is not significant is drawn smaller


def test_cells_of_a_row_and_of_a_column_are_in_line(grid):
    drawn = marks(parsed(heat(grid, name="h", title="t")))

    def middle(key: tuple[str, str], start: str, size: str) -> float:
        mark = drawn[key]
        if mark.tag != f"{SVG}rect":
            line = of_class(mark, "gone")[0]
            ends = ("x1", "x2") if start == "x" else ("y1", "y2")
            return sum(float(line.get(end, "")) for end in ends) / 2
        return float(mark.get(start, "")) + float(mark.get(size, "")) / 2

    columns = {
        p: {round(middle((g, p), "x", "width"), 1) for g in grid.row_labels}
        for p in grid.column_labels
    }
    rows = {
        g: {round(middle((g, p), "y", "height"), 1) for p in grid.column_labels}
        for g in grid.row_labels
    }
    assert all(max(some) - min(some) <= 0.2 for some in (*columns.values(), *rows.values()))
    across = [min(columns[pair]) for pair in grid.column_labels]
    down = [min(rows[group]) for group in grid.row_labels]
    assert across == sorted(set(across))
    assert down == sorted(set(down))


def test_the_picture_says_what_it_shows(grid):
    root = parsed(heat(grid, name="h", title="Associations"))
    assert root.findtext(f"{SVG}title") == "Associations"
    desc = root.findtext(f"{SVG}desc") or ""
    known = [cell for cell in grid.cells.values() if cell.p_adjusted is not None]
    told = sum(cell.p_adjusted < 0.05 for cell in known)
    assert told < len(known) == 29
    assert desc.startswith(f"6 groups by 5 pairs of traits; {told} of 29 cells are significant.")
    assert "bakers, early – late" in desc


def test_the_title_the_domains_and_the_dimensions_are_drawn(grid):
    root = parsed(heat(grid, name="h", title="Association, demo"))
    texts = [element.text for element in root.iter(f"{SVG}text")]
    assert {"Association, demo", *filter(None, cells.DOMAINS), *cells.DIMENSIONS} <= set(texts)
    assert {"← left trait", "right trait →"} <= set(texts)


def test_colours_of_the_legend_are_symmetric_about_0():
    base = cells.result()
    grid = grid_of(base.estimates, VIEW)
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


def test_pairs_that_are_not_named_as_two_traits_are_shown_all_the_same():
    one = Estimate("association", 0.5, 0.4, 0.6, 0.01, 9, 0, "nats",
                   groups={"group": "bakers", "pair": "haste"})  # fmt: skip
    grid = grid_of([one], VIEW)
    assert grid.nearer(one) == "high haste"
    assert words_of(grid, one).startswith("bakers, low haste – high haste: 0.500")
    parsed(heat(grid, name="h", title="t"))


def test_hostile_names_stay_text():
    odd = cells.HOSTILE
    hostile = cells.result(names={"bakers": odd})
    grid = grid_of(hostile.estimates, VIEW, layers_of(hostile))
    for markup in (
        heat(grid, name='x" onload="y', title=odd),
        profiles(grid, [odd], name="p", title=odd),
    ):
        root = parsed(markup)
        assert not list(root.iter(f"{SVG}script"))
        assert "\u202e" not in markup
