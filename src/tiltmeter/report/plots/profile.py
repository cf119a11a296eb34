"""A chart for one group: a bar for each pair of traits, from 0 towards the trait it is nearer to."""

import math
from dataclasses import dataclass

from markupsafe import Markup

from tiltmeter.core.results import Estimate
from tiltmeter.report.grid import Grid, is_told, traits, usual_end
from tiltmeter.report.plots import svg
from tiltmeter.report.plots.heat import BOLD, said
from tiltmeter.report.plots.scale import Scale, nice_step
from tiltmeter.report.wording import number, visible

WIDTH, LEFT, RIGHT = 340, 98, 224
"""Of the picture, and between which places the bars stand."""
ROW, HEAD, FOOT, SIZE = 17, 20, 22, 11
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
    def ticks(self) -> list[float]:
        """From one end to the other."""
        steps = round(self.end / self.step)
        return [k * self.step for k in range(-steps, steps + 1)]


def axis_of(grid: Grid) -> Axis:
    """Holds the values and the ends of intervals, but for the few that lie far out."""
    bounded = [(c.value or 0.0, c.low or 0.0, c.high or 0.0) for c in grid.shown]
    reach = usual_end([max(map(abs, three)) for three in bounded])
    step = nice_step(reach, 4)
    return Axis(step * math.ceil(reach / step - 1e-9), step)


def profile(grid: Grid, group: str, axis: Axis, *, name: str) -> Markup:
    """One group's pairs by dimension, with intervals, as an inline SVG."""
    parts, y = [], 0.0
    for place, block in enumerate(grid.columns):
        colour = f"d{place % COLOURS + 1}"
        cells = [grid.cells[group, p] for p in block.members if (group, p) in grid.cells]
        if block.name and cells:
            parts.append(
                _text(
                    svg.fitted(visible(block.name), LEFT, BOLD * SIZE),
                    0,
                    y + HEAD - 6,
                    f"dimension {colour}",
                )
            )
            y += HEAD
        for cell in cells:
            parts.append(_row(cell, y, axis, colour))
            y += ROW
    ruled = [svg.line(axis.at(tick), 2, axis.at(tick), y + 3, "neutral" if tick == 0 else "grid")
             for tick in axis.ticks]  # fmt: skip
    ticks = [
        _text(_tick(t), axis.at(t), y + 16, "tick", "middle") for t in (-axis.end, 0.0, axis.end)
    ]
    cells = grid.of_group(group)
    told = sum(map(is_told, cells))
    desc = f"{told} of {len(cells)} pairs are told from 0. The table has the numbers."
    title = f"{visible(group)}: association with each pair of traits"
    return svg.figure(name, title, desc, (WIDTH, y + FOOT), *ruled, *parts, *ticks)


def _row(cell: Estimate, top: float, axis: Axis, colour: str) -> Markup:
    rooms = (LEFT - 6, WIDTH - RIGHT - 6)
    left, right = (
        svg.fitted(visible(trait), room, BOLD * SIZE)
        for trait, room in zip(traits(cell.groups["pair"]), rooms, strict=True)
    )
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
    elif abs(value) > axis.end:  # cut where the axis ends, so that it says its value itself
        parts += [_bar(axis, value, y, f"bar {colour}{'' if told else ' unsure'}")]
        at, anchor = (axis.at(value) - 4 * side, "end" if side > 0 else "start")
        parts.append(_text(number(value), at, y + 4, "beyond", anchor))
        return svg.element("g", *parts, cls="pair-row")
    else:
        parts.append(_bar(axis, value, y, f"bar {colour}{'' if told else ' unsure'}"))
    if cell.low is not None and cell.high is not None:
        parts.append(svg.line(axis.at(cell.low), y, axis.at(cell.high), y, "interval"))
    return svg.element("g", *parts, cls="pair-row")


def _bar(axis: Axis, value: float, y: float, cls: str) -> Markup:
    start, end = sorted((axis.at(0), axis.at(value)))
    return svg.element("rect", x=start, y=y - 5, width=end - start, height=10, cls=cls)


def _text(words: str, x: float, y: float, cls: str, anchor: str = "start") -> Markup:
    return svg.element("text", words, x=x, y=y, text_anchor=anchor, cls=cls, font_size=SIZE)


def _tick(value: float) -> str:
    return f"{value:g}".replace("-", "−")
