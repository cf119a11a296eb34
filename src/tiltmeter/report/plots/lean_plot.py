"""A plot of leans: every row has its own unit and scale, and all neutral values are on one line."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from markupsafe import Markup

from tiltmeter.core.estimates import Estimate
from tiltmeter.core.text import visible
from tiltmeter.report.plots import svg
from tiltmeter.report.plots.scale import PlotAxis, Scale, nice_step, tick_text
from tiltmeter.report.text import in_brackets, value_with_unit
from tiltmeter.report.value_marks import mark_notes, value_mark


@dataclass(frozen=True, slots=True)
class Lean:
    """One row: what a study found."""

    label: str
    estimate: Estimate
    filled: bool = False
    """Whether its mark is filled."""
    below: str = ""
    """A second line under the label, such as the subset that the number is about."""
    answered: float | None = None
    """The share of the model's replies that are answers, in %; None where it wrote no replies."""
    why: str = ""
    """Why there is no number; "" where there is one."""
    is_lean: bool = True
    """Whether the number is a lean, whose distance from neutral is drawn."""


@dataclass(frozen=True, slots=True)
class LeanLayout:
    """The positions of the parts of the plot, in the picture's own units."""

    width: int
    left: int
    """Where the scales begin; the numbers at their ends are outside."""
    right: int
    row: int
    numbers: int
    """The right end of the numbers."""
    stacked: bool = False
    """Whether labels are above their marks instead of beside them, for narrow places."""


WIDE = LeanLayout(width=760, left=250, right=440, row=33, numbers=704)
NARROW = LeanLayout(width=340, left=34, right=306, row=68, numbers=340, stacked=True)
TOP, FOOT, LINE = 24, 8, 14
ENDS = 34
"""The room for the number at either end of a scale."""
SHARE, COUNT = 92, 58
"""The room at the right of a row for the share of answers, and for n."""
BAR = 40
"""The width of a bar for 100 %."""
LABEL, VALUE, SMALL = 14.6, 13.0, 11.0
"""Font sizes from which the widths of labels, numbers and small text are estimated."""
ABBREVIATED = {"standard deviations": "SD"}
"""Long units and their abbreviations in the picture, which explains them below."""


def lean_plot(rows: Sequence[Lean], *, name: str, title: str, layout: LeanLayout = WIDE) -> Markup:
    """The rows from top to bottom as an inline SVG.

    A scale covers the range of its measure or, where that has no end, the interval. It reaches equally far to
    both sides of the neutral value, so that all neutral values are on one line.
    """
    answered = any(row.answered is not None for row in rows)
    layout = _roomy(rows, layout, answered=answered)
    bottom, middle = TOP + layout.row * len(rows), (layout.left + layout.right) / 2
    shapes = [svg.text("neutral", middle, TOP - 10, "tick", "middle")]
    if answered and not layout.stacked:
        shapes.append(svg.text("answered", layout.width, TOP - 10, "tick", "end"))
    for i, row in enumerate(rows):
        shapes.append(_row(row, TOP + i * layout.row, layout))
    marks = svg.note_lines(mark_notes(row.estimate for row in rows), layout.width, SMALL)
    notes = [*marks, *_abbreviations(rows)]
    foot = bottom + FOOT + LINE * len(notes)
    shapes += [
        svg.text(note, 0, bottom + FOOT + LINE * (i + 1) - 4, "tick")
        for i, note in enumerate(notes)
    ]
    desc = "; ".join(map(_said, rows))
    return svg.figure(name, title, desc, (layout.width, foot), *shapes)


def _roomy(rows: Sequence[Lean], layout: LeanLayout, *, answered: bool) -> LeanLayout:
    """The layout with its scales between labels and numbers, as broad as these leave room for."""
    if layout.stacked:
        return layout
    numbers = layout.width - SHARE * answered
    labels = max(svg.breadth(visible(row.label), LABEL) for row in rows)
    known = [_drawn_value(row.estimate) for row in rows if not row.why]
    values = max((svg.breadth(value, VALUE) for value in known), default=0.0)
    left = min(layout.left, math.ceil(max(labels, 100) + 12 + ENDS))
    right = int(numbers - COUNT - values - 10 - ENDS)
    return replace(layout, left=left, right=max(right, left + 100), numbers=numbers)


def scale_about_neutral(e: Estimate) -> Scale:
    """A scale with the neutral value in its middle and ticks at both ends of what is possible or drawn.

    >>> scale_about_neutral(Estimate("rate", 57.3, 51.0, 63.4, None, 240, 50.0, "%")).ticks
    (0.0, 50.0, 100.0)
    >>> scale_about_neutral(Estimate("effect", 0.4, -0.2, 1.1, None, 240, 0.0, "")).ticks
    (-2.0, 0.0, 2.0)
    """
    neutral = e.neutral or 0.0
    ends = e.meaning.range(e.unit)
    if not all(map(math.isfinite, ends)):
        known = [end for end in (e.value, e.low, e.high) if end is not None]
        reach = nice_step(max((abs(end - neutral) for end in known), default=0.0), 1)
        ends = (max(ends[0], neutral - reach), min(ends[1], neutral + reach))
    reach = max(abs(end - neutral) for end in ends) or 1.0
    return Scale(neutral - reach, neutral + reach, neutral, tuple(sorted({*ends, neutral})))


def _row(row: Lean, top: float, layout: LeanLayout) -> Markup:
    """The row with its label, scale, mark and numbers, or the reason why there is none."""
    strong = " strong" if row.filled else ""
    if layout.stacked:
        line, y, kind = top + 16.0, top + layout.row - 13.0, f"label small{strong}"
        room = layout.width - 80.0
        names = [svg.fitted(visible(row.label), room, VALUE)]
    else:
        y, kind, room = top + layout.row / 2, f"label{strong}", layout.left - ENDS - 8.0
        names = svg.wrapped(visible(row.label), room, LABEL, most=1 if row.below else 2)
        line = y + (-2.0 if row.below or len(names) > 1 else 4.5)
    shapes = [svg.line(0, top, layout.width, top, "grid")]
    shapes += [svg.text(name, 0, line + LINE * i, kind) for i, name in enumerate(names)]
    if row.below:
        beside = layout.stacked and not _numbers_above(row, layout)
        free = layout.width - _numbers_width(row) if beside else room
        shapes.append(
            svg.text(svg.fitted(visible(row.below), free, SMALL), 0, line + LINE, "tick", size=11)
        )
    shapes += (
        _reason(row, line + LINE + 6 if layout.stacked else y, layout)
        if row.why
        else _drawn(row, line, y, layout)
    )
    shapes += _share(row, line if layout.stacked else y + 4.5, layout)
    return svg.element("g", svg.element("title", _said(row)), *shapes, cls="row")


def _numbers_width(row: Lean) -> float:
    return svg.breadth(_numbers(row), 12.0) + 8


def _numbers_above(row: Lean, layout: LeanLayout) -> bool:
    """Whether the numbers of a row in a narrow place have room beside its label."""
    free = layout.width - svg.breadth(visible(row.label), VALUE) - 8
    return row.answered is None and _numbers_width(row) < free


def _numbers(row: Lean) -> str:
    return f"{_drawn_value(row.estimate)}  n {row.estimate.n:,}"


def _drawn(row: Lean, line: float, y: float, layout: LeanLayout) -> list[Markup]:
    """The scale with its ends, the mark with its interval, and the numbers."""
    e, strong = row.estimate, " strong" if row.filled else ""
    shapes: list[Markup] = []
    if row.is_lean and e.neutral is not None and e.value is not None:
        axis = PlotAxis(scale_about_neutral(e), layout.left, layout.right)
        first, *_, last = axis.scale.ticks
        ends, zero = (axis.at(first), axis.at(last)), axis.at(e.neutral)
        shapes += [
            svg.line(ends[0], y, ends[1], y, "rule"),
            svg.line(zero, y - 9, zero, y + 9, "neutral"),
            svg.text(tick_text(first), ends[0] - 5, y + 4, "tick", "end", 11),
            svg.text(tick_text(last), ends[1] + 5, y + 4, "tick", size=11),
            *axis.interval(e.low, e.high, y),
            svg.point(axis.at(e.value), y, filled=row.filled),
        ]
    if layout.stacked:
        at = line if _numbers_above(row, layout) else line + LINE + 2
        return [*shapes, svg.text(_numbers(row), layout.numbers, at, f"value small{strong}", "end")]
    return [
        *shapes,
        svg.text(_drawn_value(e), layout.numbers - COUNT, y + 4.5, f"value{strong}", "end", 13),
        svg.text(f"n {e.n:,}", layout.numbers, y + 4.5, "tick", "end"),
    ]


def _reason(row: Lean, y: float, layout: LeanLayout) -> list[Markup]:
    """Why there is no number, where the scale would be."""
    left = 0.0 if layout.stacked else layout.left - ENDS
    words = svg.wrapped(visible(row.why), layout.numbers - left, SMALL + 1)
    first = y + 4 - LINE / 2 * (len(words) - 1)
    return [svg.text(text, left, first + LINE * i, "tick") for i, text in enumerate(words)]


def _share(row: Lean, line: float, layout: LeanLayout) -> list[Markup]:
    """The share of answers as a number, and beside labels as a bar, too."""
    if row.answered is None:
        return []
    words = f"{row.answered:.0f}\u00a0%"
    if layout.stacked:
        return [svg.text(f"answered {words}", layout.width, line, "tick", "end")]
    start, y = layout.width - BAR - 36, line - 8
    return [
        svg.element("rect", x=start, y=y, width=BAR, height=7, cls="share-whole"),
        svg.element("rect", x=start, y=y, width=BAR * row.answered / 100, height=7, cls="share"),
        svg.text(words, layout.width, line, "tick", "end"),
    ]


def _value(e: Estimate) -> str:
    if e.value is None:
        return "undefined"
    return value_with_unit(e) + value_mark(e) + in_brackets(e)


def _drawn_value(e: Estimate) -> str:
    """The value as `_value` has it, its unit abbreviated where it would cover the scale."""
    text = _value(e)
    for unit, short in ABBREVIATED.items():
        text = text.replace(unit, short)
    return text


def _abbreviations(rows: Sequence[Lean]) -> list[str]:
    units = {row.estimate.unit for row in rows if not row.why}
    return [f"{short}: {unit}" for unit, short in ABBREVIATED.items() if unit in units]


def _said(row: Lean) -> str:
    """The row in words, for its tooltip and the description of the picture."""
    label = f"{row.label}{f', {row.below}' if row.below else ''}"
    answered = "" if row.answered is None else f", {row.answered:.0f} % answered"
    if row.why:
        return f"{label}: {row.why}{answered}"
    return f"{label}: {_value(row.estimate)}, n {row.estimate.n:,}{answered}"
