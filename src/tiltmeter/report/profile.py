"""A chart for one group: a bar for each pair of traits, from 0 towards the trait it is nearer to."""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from tiltmeter.core.results import Estimate
from tiltmeter.report import svg
from tiltmeter.report.grid import Grid, is_told, traits
from tiltmeter.report.heat import said
from tiltmeter.report.scale import Scale, nice_step
from tiltmeter.report.wording import visible

WIDTH, LEFT, RIGHT = 340, 104, 236
"""Of the picture, and between which places the bars stand."""
ROW, HEAD, FOOT, LETTERS = 17, 20, 22, 16
COLOURS = 6
"""Dimensions of different colours; a seventh has the first's again."""


@dataclass(frozen=True, slots=True)
class Axis:
    """One axis for the charts of all groups."""

    end: float
    step: float

    def at(self, value: float) -> float:
        """Where a value stands; what lies beyond the ends stands at them."""
        return Scale(-self.end, self.end, 0.0, ()).at(value, LEFT, RIGHT)

    @property
    def ticks(self) -> tuple[float, ...]:
        """The ends, 0, and what lies halfway."""
        return (-self.end, -self.step, 0.0, self.step, self.end)


def axis_of(grids: Sequence[Grid]) -> Axis:
    """Holds every value; and the ends of intervals, but for the widest one in fifty."""
    cells = [cell for grid in grids for cell in grid.shown if cell.value is not None]
    ends = sorted(
        max(abs(end) for end in (cell.low, cell.high)) if cell.low is not None and cell.high is not None
        else abs(cell.value or 0.0)
        for cell in cells
    )  # fmt: skip
    most = max((abs(cell.value or 0.0) for cell in cells), default=1.0)
    reach = max(most, ends[int(0.98 * (len(ends) - 1))] if ends else 1.0)
    step = nice_step(reach, 2)
    return Axis(2 * step, step)


def profile(grid: Grid, group: str, axis: Axis, *, name: str) -> Markup:
    """One group's pairs by dimension, with intervals, as an inline SVG."""
    parts, y = [], 0.0
    for number, block in enumerate(grid.columns):
        colour = f"d{number % COLOURS + 1}"
        cells = [grid.cells[group, p] for p in block.members if (group, p) in grid.cells]
        if block.name and cells:
            parts.append(_text(visible(block.name), 0, y + HEAD - 6, f"dimension {colour}"))
            y += HEAD
        for cell in cells:
            parts.append(_row(cell, y, axis, colour))
            y += ROW
    ruled = [svg.line(axis.at(tick), 2, axis.at(tick), y + 3, "neutral" if tick == 0 else "grid")
             for tick in axis.ticks]  # fmt: skip
    ticks = [_text(_tick(t), axis.at(t), y + 16, "tick", "middle") for t in axis.ticks[::2]]
    cells = grid.of_group(group)
    told = sum(map(is_told, cells))
    desc = f"{told} of {len(cells)} pairs are told from 0. " + "; ".join(map(said, cells))
    title = f"{visible(group)}: association with each pair of traits"
    return svg.figure(name, title, desc, (WIDTH, y + FOOT), *ruled, *parts, *ticks)


def _row(cell: Estimate, top: float, axis: Axis, colour: str) -> Markup:
    left, right = (svg.shortened(visible(t), LETTERS) for t in traits(cell.groups["pair"]))
    value, y, told = cell.value or 0.0, top + ROW / 2, is_told(cell)
    side = 0 if value == 0 else (1 if value > 0 else -1)
    weights = ["label strong" if told and side == way else "label" for way in (-1, 1)]
    parts = [
        svg.element("title", said(cell)),
        _text(left, LEFT - 6, y + 4, weights[0], "end"),
        _text(right, RIGHT + 6, y + 4, weights[1]),
    ]
    if cell.value is None:
        parts.append(_text("undefined", axis.at(0), y + 4, "tick", "middle"))
    else:
        ends = sorted((axis.at(0), axis.at(value)))
        parts.append(
            svg.element("rect", x=ends[0], y=y - 5, width=ends[1] - ends[0], height=10,
                        cls=f"bar {colour}{'' if told else ' unsure'}")
        )  # fmt: skip
    if cell.low is not None and cell.high is not None:
        parts.append(svg.line(axis.at(cell.low), y, axis.at(cell.high), y, "interval"))
    return svg.element("g", *parts, cls="pair-row")


def _text(words: str, x: float, y: float, cls: str, anchor: str = "start") -> Markup:
    return svg.element("text", words, x=x, y=y, text_anchor=anchor, cls=cls, font_size=11)


def _tick(value: float) -> str:
    return f"{value:g}".replace("-", "−")
