"""Dumbbells: intersectional groups and their components, a model before and after."""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from tiltmeter.core.text import visible
from tiltmeter.report.plots import svg
from tiltmeter.report.plots.scale import nice_step
from tiltmeter.report.text import number

STEPS = 8
LETTER, BOLD = 13.0, 14.0
"""Sizes of letters, to tell how broad a label is."""
FOOT = 26


@dataclass(frozen=True, slots=True)
class Marks:
    """One row."""

    label: str
    value: float
    """Of the intersectional group; or after."""
    first: float
    second: float
    """Of its components; or both before."""
    sure: bool
    """Significant after adjustment."""
    said: str = ""
    """The row in words; without it, as an intersectional group and its components."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Where things stand, in the picture's own units."""

    width: int
    left: int
    right: int
    row: int
    stacked: bool


WIDE = Layout(width=720, left=310, right=706, row=24, stacked=False)
NARROW = Layout(width=340, left=14, right=326, row=42, stacked=True)
TOP = 22


def dumbbells(
    rows: Sequence[Marks],
    *,
    name: str,
    title: str,
    layout: Layout = WIDE,
    neutral: float | None = None,
) -> Markup:
    """The rows from top to bottom: components as small open marks, intersectional groups as large ones.

    A filled mark is significant. The axis need not hold 0: what counts is the distance between marks. Where
    there is a neutral value, a line stands there.
    """
    ends = [v for row in rows for v in (row.value, row.first, row.second)]
    ends += [] if neutral is None else [neutral]
    step = nice_step(max(max(ends) - min(ends), 1e-9), STEPS)
    low, high = step * (min(ends) // step), step * -(-max(ends) // step)
    high = max(high, low + step)

    def x(value: float) -> float:
        return layout.left + (value - low) / (high - low) * (layout.right - layout.left)

    bottom = TOP + layout.row * len(rows)
    ticks = [low + step * i for i in range(round((high - low) / step) + 1)]
    shown = ticks[:: 2 if layout.stacked and len(ticks) > STEPS // 2 + 1 else 1]
    parts = [svg.line(x(t), TOP - 6, x(t), bottom, "grid") for t in ticks]
    parts += [svg.text(_tick(t, step), x(t), bottom + 18, "tick", "middle") for t in shown]
    if neutral is not None:
        parts.append(svg.line(x(neutral), TOP - 12, x(neutral), bottom, "neutral"))
    for i, row in enumerate(rows):
        top = TOP + i * layout.row
        y = top + layout.row * (0.72 if layout.stacked else 0.5)
        room = layout.right - layout.left if layout.stacked else layout.left - 14
        label = svg.fitted(visible(row.label), room, BOLD if row.sure else LETTER)
        start, line = (layout.left, top + 16.0) if layout.stacked else (0, y + 4.5)
        parts.append(
            svg.element(
                "g",
                svg.element("title", _said(row)),
                svg.text(label, start, line, "label small" + (" strong" if row.sure else "")),
                svg.line(min(x(row.first), x(row.second)), y, x(row.value), y, "interval"),
                *(svg.element("circle", cx=x(v), cy=y, r=3, cls="point") for v in
                  (row.first, row.second)),
                svg.element("circle", cx=x(row.value), cy=y, r=5,
                            cls="point clear" if row.sure else "point"),
                cls="row",
            )
        )  # fmt: skip
    desc = "; ".join(_said(row) for row in rows)
    return svg.figure(name, title, desc, (layout.width, bottom + FOOT), *parts)


def _said(row: Marks) -> str:
    if row.said:
        return row.said
    parts = f"{number(row.first)} and {number(row.second)}"
    sure = ", significant" if row.sure else ""
    return f"{row.label}: {number(row.value)}, its components {parts}{sure}"


def _tick(value: float, step: float) -> str:
    shown = 0.0 if abs(value) < step / 2 else value
    return f"{shown:.6g}".replace("-", "−")
