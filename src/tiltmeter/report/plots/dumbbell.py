"""Dumbbell plots: an intersectional group and its two components, or a model before and after."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor

from markupsafe import Markup

from tiltmeter.core.text import visible
from tiltmeter.report.plots import svg
from tiltmeter.report.plots.forest import FOOT, ForestLayout
from tiltmeter.report.plots.scale import PlotAxis, Scale, nice_step
from tiltmeter.report.text import number

STEPS = 8
LETTER, BOLD = 13.0, 14.0
"""Font sizes of usual and of bold labels, from which their widths are estimated."""


@dataclass(frozen=True, slots=True)
class Marks:
    """One row: its name and the values of its three marks."""

    label: str
    value: float
    """The value of the intersectional group, or the value after the change."""
    first: float
    second: float
    """The values of the two components, or the value before the change, twice."""
    sure: bool
    """Whether the difference is significant after adjustment."""
    n: int | None = None
    """How many items it rests on; None where that is not known."""
    words: str = ""
    """The row in words; "" describes it as an intersectional group and its components."""


WIDE = ForestLayout(width=720, left=310, right=650, row=24, top=22)
NARROW = ForestLayout(width=340, left=14, right=326, row=42, top=22, stacked=True)


def dumbbells(
    rows: Sequence[Marks],
    *,
    name: str,
    title: str,
    layout: ForestLayout = WIDE,
    neutral: float | None = None,
) -> Markup:
    """The rows from top to bottom as an inline SVG: components as small open marks, groups as large marks.

    A filled mark is significant. The axis need not contain 0, since the distance between marks is what
    counts. A line marks the neutral value, unless it is None.
    """
    axis = _axis(rows, layout, neutral)
    ticks, top = axis.scale.ticks, layout.top
    bottom = top + layout.row * len(rows)
    thinned = ticks[:: 2 if layout.stacked and len(ticks) > STEPS // 2 + 1 else 1]
    shapes = [*axis.grid(top - 6, bottom), *axis.numbers(bottom + 18, thinned)]
    if neutral is not None:
        shapes.append(svg.line(axis.at(neutral), top - 12, axis.at(neutral), bottom, "neutral"))
    shapes += [_row(row, top + i * layout.row, axis, layout) for i, row in enumerate(rows)]
    desc = "; ".join(_described(row) for row in rows)
    return svg.figure(name, title, desc, (layout.width, bottom + FOOT), *shapes)


def _axis(rows: Sequence[Marks], layout: ForestLayout, neutral: float | None) -> PlotAxis:
    """An axis from the lowest mark to the highest in round steps, including the neutral value."""
    ends = [v for row in rows for v in (row.value, row.first, row.second)]
    ends += [] if neutral is None else [neutral]
    step = nice_step(max(max(ends) - min(ends), 1e-9), STEPS)
    first, last = floor(min(ends) / step), ceil(max(ends) / step)
    ticks = tuple(round(k * step, 12) for k in range(first, max(last, first + 1) + 1))
    return PlotAxis(Scale(ticks[0], ticks[-1], 0.0, ticks), layout.left, layout.right)


def _row(row: Marks, top: float, axis: PlotAxis, layout: ForestLayout) -> Markup:
    if layout.stacked:
        y, room, start, line = (
            top + 0.72 * layout.row,
            layout.right - layout.left - 50,
            layout.left,
            top + 16.0,
        )
    else:
        y = top + layout.row / 2
        room, start, line = layout.left - 14, 0, y + 4.5
    label = svg.fitted(visible(row.label), room, BOLD if row.sure else LETTER)
    edge = layout.right if layout.stacked else layout.width
    count = [] if row.n is None else [svg.text(f"n {row.n:,}", edge, line, "tick", "end")]
    first, second, x = map(axis.at, (row.first, row.second, row.value))
    return svg.element(
        "g",
        svg.element("title", _described(row)),
        svg.text(label, start, line, "label small" + (" strong" if row.sure else "")),
        svg.line(min(first, second), y, x, y, "interval"),
        svg.point(first, y, filled=False, radius=3),
        svg.point(second, y, filled=False, radius=3),
        svg.point(x, y, filled=row.sure),
        *count,
        cls="row",
    )


def _described(row: Marks) -> str:
    if row.words:
        return row.words
    components = f"{number(row.first)} and {number(row.second)}"
    sure = ", significant" if row.sure else ""
    return f"{row.label}: {number(row.value)}, its components {components}{sure}"
