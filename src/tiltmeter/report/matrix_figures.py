"""Matrices for papers, drawn by matplotlib: the heat map, and charts of single groups."""

import re
from collections.abc import Sequence
from typing import Any

from tiltmeter.analysis.matrix import axes_of
from tiltmeter.core.errors import UnknownName
from tiltmeter.core.results import Estimate, Result
from tiltmeter.report.grid import Grid, grid_of, is_told, traits
from tiltmeter.report.plots.profile import COLOURS, axis_of
from tiltmeter.report.plots.squares import depth
from tiltmeter.report.wording import number, visible

RIGHT, LEFT, INK, QUIET = "#b0531f", "#2b6f95", "#22211f", "#5f5a52"
BARS = ("#7a4fa3", "#1f7a63", "#b0531f", "#2b6f95", "#8a6d00", "#a23b6c")
"""Of the dimensions, as on the page."""
CELL, ROW = 0.27, 0.16
"""Inches that a column and a row take."""
GAP = 0.35
"""Between two domains or dimensions, in cells."""


def matrix_figures(result: Result, groups: Sequence[str] = ()) -> dict[str, Any]:
    """The heat map of a result, and a chart for each of these groups, by the name of the file.

    Raises:
        UnknownName: No such group.
    """
    grid = grid_of(result.estimates, axes_of(result))
    known = list(dict.fromkeys(group for group, _ in grid.cells))
    drawn = {"matrix": _heat(grid)}
    for group in groups:
        if group not in known:
            raise UnknownName("group", group, known)
        drawn[f"group-{_slug(group)}"] = _profile(grid, group)
    return drawn


def _heat(grid: Grid) -> Any:
    """Full squares told from 0, small ones not, crosses without a value; colours as on the page."""
    columns, rows = _places(grid.columns), _places(grid.rows)
    wide, high = max(columns.values()) + 1, max(rows.values()) + 1
    figure = _figure(1.9 + CELL * wide, 2.6 + ROW * high)
    axes = figure.subplots()
    for cell in grid.shown:
        _square(axes, cell, columns[cell.groups["pair"]], rows[cell.groups["group"]], grid.reach)
    axes.set(xlim=(0, wide), ylim=(high, 0))
    axes.set_xticks(
        [x + 0.5 for x in columns.values()],
        [visible(" – ".join(traits(pair))) for pair in columns],
        rotation=90, fontsize=7,
    )  # fmt: skip
    axes.xaxis.tick_top()
    axes.set_yticks([y + 0.5 for y in rows.values()], map(visible, rows), fontsize=7)
    axes.tick_params(length=0)
    for side in axes.spines.values():
        side.set_visible(False)
    _legend(figure, axes, grid)
    return figure


def _places(blocks: Sequence[Any]) -> dict[str, float]:
    """Where each label stands, in cells, with gaps between blocks."""
    found, at = {}, 0.0
    for block in blocks:
        for label in block.members:
            found[label] = at
            at += 1
        at += GAP
    return found


def _square(axes: Any, cell: Estimate, x: float, y: float, reach: float) -> None:
    from matplotlib.patches import Rectangle  # noqa: PLC0415  # an extra

    if cell.value is None:
        axes.plot([x + 0.5], [y + 0.5], "x", color=QUIET, markersize=3, markeredgewidth=0.6)
        return
    gap = 0.04 if is_told(cell) else 0.25
    colour = RIGHT if cell.value > 0 else LEFT
    axes.add_patch(
        Rectangle((x + gap, y + gap), 1 - 2 * gap, 1 - 2 * gap, linewidth=0,
                  facecolor=colour, alpha=depth(cell.value, reach))
    )  # fmt: skip


def _legend(figure: Any, axes: Any, grid: Grid) -> None:
    """A bar of colours under the picture, and what the squares mean."""
    from matplotlib.colors import LinearSegmentedColormap, Normalize  # noqa: PLC0415  # an extra

    colours = LinearSegmentedColormap.from_list("sides", [LEFT, "#ffffff", RIGHT])
    from matplotlib.cm import ScalarMappable  # noqa: PLC0415  # an extra

    shade = ScalarMappable(Normalize(-grid.reach, grid.reach), colours)
    bar = figure.colorbar(shade, ax=axes, orientation="horizontal", fraction=0.03, pad=0.02,
                          aspect=40, extend="both" if grid.is_cut else "neither")  # fmt: skip
    bar.outline.set_visible(False)
    bar.ax.tick_params(labelsize=7)
    unit = visible(grid.known[0].unit) if grid.known else ""
    bar.set_label(
        f"nearer to the left trait ← {unit} → nearer to the right trait\n"
        "full squares are told from 0 (p < .05, adjusted), small ones are not",
        fontsize=7,
    )


def _profile(grid: Grid, group: str) -> Any:
    """A bar a pair, from 0 towards the trait that the group is nearer to."""
    cells = [cell for (of, _), cell in grid.cells.items() if of == group]
    order = {pair: i for i, pair in enumerate(grid.pairs)}
    cells = sorted(
        (c for c in cells if c.groups["pair"] in order), key=lambda c: order[c.groups["pair"]]
    )
    places = _places(grid.columns)
    colours = {
        pair: BARS[i % COLOURS] for i, block in enumerate(grid.columns) for pair in block.members
    }
    axis = axis_of(grid)
    figure = _figure(4.6, 0.7 + 0.2 * len(cells))
    axes = figure.subplots()
    for cell in cells:
        _bar(axes, cell, places[cell.groups["pair"]], colours[cell.groups["pair"]], axis.end)
    at = [places[cell.groups["pair"]] for cell in cells]
    left, right = zip(*(map(visible, traits(cell.groups["pair"])) for cell in cells), strict=True)
    axes.set_yticks(at, left)
    other = axes.twinx()
    for one in (axes, other):
        one.set_ylim(max(at) + 0.7, min(at) - 0.7)
        one.tick_params(length=0)
        for name in ("left", "right", "top"):
            one.spines[name].set_visible(False)
    other.set_yticks(at, right)
    axes.axvline(0, color=INK, linewidth=0.8)
    axes.set(xlim=(-axis.end, axis.end))
    axes.set_xlabel(
        f"{visible(cells[0].unit)}; 0 is no leaning; hollow: not told from 0", fontsize=7
    )
    axes.set_title(visible(group), loc="left")
    return figure


def _bar(axes: Any, cell: Estimate, y: float, colour: str, end: float) -> None:
    if cell.value is None:
        axes.annotate("undefined", (0, y), ha="center", va="center", fontsize=6, color=QUIET)
        return
    face = colour if is_told(cell) else "white"
    axes.barh([y], [cell.value], height=0.6, color=face, edgecolor=colour, linewidth=0.8)
    if cell.low is not None and cell.high is not None:
        axes.plot([cell.low, cell.high], [y, y], color=INK, linewidth=0.8)
    if abs(cell.value) > end:  # the bar is cut, so it says its value itself
        side = 1 if cell.value > 0 else -1
        axes.annotate(
            number(cell.value), (side * end * 0.97, y), va="center", fontsize=6, color="white",
            ha="right" if side > 0 else "left",
        )  # fmt: skip


def _figure(width: float, height: float) -> Any:
    """A figure of its own, kept out of matplotlib's global list; inches."""
    from matplotlib.figure import Figure  # noqa: PLC0415  # an extra

    return Figure(figsize=(width, height), layout="constrained")


def _slug(group: str) -> str:
    return re.sub(r"[^A-Za-z0-9._]+", "-", visible(group))[:60].strip("-.") or "group"
