"""Pictures of curves: lines over an axis of numbers, in one panel or several."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from tiltmeter.core.results import Result
from tiltmeter.core.text import raised
from tiltmeter.core.types import Groups
from tiltmeter.core.views import ESTIMATES, HIGH, LOW, RecordCurves
from tiltmeter.report import text
from tiltmeter.report.columns import TableRows
from tiltmeter.report.document import Column, Picture, Table
from tiltmeter.report.documents.pictures import in_two_layouts
from tiltmeter.report.documents.views.record_table import records_of
from tiltmeter.report.plots import line_plot, panels

Key: TypeAlias = tuple[str, ...]
"""The values of a line on the axes of `RecordCurves.lines`."""
Place: TypeAlias = tuple[str, Key]
"""The place of a panel: its value on the axis of panels, and those on further axes of lines; "" and () for
none."""


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """A point of a curve: its groups, which include its place along the axis, and its scores."""

    groups: Groups
    scores: Mapping[str, float]
    panel: str
    line: Key


def curve_pictures(result: Result, view: RecordCurves) -> list[Picture]:
    """A line for each value of an axis with a table; where the view has panels, one picture of all panels.

    Where a panel would have more lines than there are colours, its lines are those of the first axis, and the
    values of further axes have a panel each, with vertical axes that can be compared.
    """
    points = [*_points(result, view)]
    known = {(point.panel, point.line) for point in points if view.score in point.scores}
    points = [point for point in points if (point.panel, point.line) in known]
    split = _most_lines(points) > line_plot.COLOURS and "," in view.lines
    by_panel: dict[Place, list[CurvePoint]] = {}
    for point in points:
        further = point.line[1:] if split else ()
        by_panel.setdefault((point.panel, further), []).append(point)
    looks = _looks(points)
    lines = {
        place: _lines(result, view, some, looks, split=split) for place, some in by_panel.items()
    }
    if not lines:
        return []
    plots = {
        (panel, further): partial(
            line_plot.line_plot, [*some, *_levels(result, view, some, panel)],
            across=view.across, up=view.up, beside=_heights(lines, panel) if split else (),
        )
        for (panel, further), some in lines.items()
    }  # fmt: skip
    if view.panels or split:
        labels = result.card.labels
        axes = (view.panels, *view.lines.split(",")[1:])
        headings = [
            ", ".join(text.label(a, v, labels) for a, v in zip(axes, (p, *f), strict=False) if v)
            for p, f in plots
        ]
        drawn = [*zip(headings, plots.values(), strict=True)]
        draw = partial(panels.side_by_side, drawn, title=view.title)
        return [in_two_layouts(view.name, draw, (panels.WIDE, panels.NARROW), view.caption)]
    ((place, plot),) = plots.items()
    if len({x for line in lines[place] for x in line.across}) == 1:
        return []
    table = _curve_table(lines[place], view)
    return [
        in_two_layouts(view.name, plot, (line_plot.WIDE, line_plot.NARROW), view.caption, table)
    ]


def _points(result: Result, view: RecordCurves) -> Iterator[CurvePoint]:
    """The points of a view's curves, from records or from estimates.

    Scores are the value and both ends of its interval, under the names that records use.
    """
    axes = view.lines.split(",")

    def placed(groups: Groups, scores: Mapping[str, float]) -> CurvePoint:
        line = tuple(groups.get(axis, "") for axis in axes)
        return CurvePoint(groups, scores, groups.get(view.panels, ""), line)

    if view.of != ESTIMATES:
        yield from (placed(record.groups, record.scores) for record in records_of(result, view))
        return
    names = (view.score, LOW.format(view.score), HIGH.format(view.score))
    wanted = {view.x, *axes, *view.where, view.panels} - {""}
    for e in result.estimates:
        here = e.name == view.score and e.groups.keys() == wanted
        if here and view.where.items() <= e.groups.items() and e.groups[view.x].isdecimal():
            numbers = zip(names, (e.value, e.low, e.high), strict=True)
            yield placed(e.groups, {name: value for name, value in numbers if value is not None})


def _most_lines(points: Sequence[CurvePoint]) -> int:
    """The largest number of lines in a panel."""
    lines: dict[str, set[Key]] = {}
    for point in points:
        lines.setdefault(point.panel, set()).add(point.line)
    return max(map(len, lines.values()), default=0)


def _looks(points: Sequence[CurvePoint]) -> dict[tuple[str, Key], line_plot.Look]:
    """Colour and dashes of each line of each panel.

    A value of the first axis has one colour in all panels, and its crossings with further axes are dashed
    differently. Where the first axis has one value, its crossings have the colours.
    """
    lines = [*dict.fromkeys((point.panel, point.line) for point in points)]
    firsts = [*dict.fromkeys(line[0] for _, line in lines)]
    others = [*dict.fromkeys(line[1:] for _, line in lines)]
    if len(firsts) == 1:
        return {(panel, line): line_plot.Look(others.index(line[1:])) for panel, line in lines}
    in_panel: dict[str, list[Key]] = {}
    for panel, line in lines:
        in_panel.setdefault(panel, [])
        in_panel[panel] += [line[1:]] if line[1:] not in in_panel[panel] else []
    return {
        (panel, line): line_plot.Look(firsts.index(line[0]), in_panel[panel].index(line[1:]))
        for panel, line in lines
    }


def _lines(
    result: Result,
    view: RecordCurves,
    points: Sequence[CurvePoint],
    looks: Mapping[tuple[str, Key], line_plot.Look],
    *,
    split: bool,
) -> list[line_plot.PlotLine]:
    """The lines of a panel; where panels are split, by their values on the first axis alone."""
    axes, labels = view.lines.split(","), result.card.labels
    curves: dict[Key, dict[float, Mapping[str, float]]] = {}
    for point in points:
        curves.setdefault(point.line, {})[float(point.groups[view.x])] = point.scores
    known = {x for scores in curves.values() for x in scores if view.score in scores[x]}
    lines = []
    for key, scores in curves.items():
        across = sorted(
            known & scores.keys()
        )  # a line is interrupted where only others have a value
        words = [text.label(a, v, labels) for a, v in zip(axes, key, strict=True) if v]
        look = looks[points[0].panel, key]
        values, low, high = (
            [scores[x].get(shape.format(view.score)) for x in across] for shape in ("{}", LOW, HIGH)
        )
        lines.append(
            line_plot.PlotLine(
                words[0] if split else ", ".join(words), across, values, low, high,
                look=line_plot.Look(look.colour) if split else look,
            )
        )  # fmt: skip
    return lines


def _levels(
    result: Result, view: RecordCurves, lines: Sequence[line_plot.PlotLine], panel: str
) -> list[line_plot.PlotLine]:
    """The view's reference levels for a panel, from the first place to the last."""
    ends = [f({x for line in lines for x in line.across}) for f in (min, max)]
    place = {view.panels: panel} if view.panels else {}
    return [
        line_plot.PlotLine(
            level.heading or text.short_title(e), ends, [e.value, e.value], level=True
        )
        for level in view.levels
        for e in result.estimates
        if e.name == level.measure and e.groups == {**level.at, **place} and e.value is not None
    ]


def _heights(lines: Mapping[Place, Sequence[line_plot.PlotLine]], panel: str) -> list[float]:
    """All heights in the panels that one was split into."""
    return [
        value
        for (of, _), some in lines.items()
        if of == panel
        for line in some
        for value in (*line.values, *line.low, *line.high)
        if value is not None
    ]


def _curve_table(lines: Sequence[line_plot.PlotLine], view: RecordCurves) -> Table:
    """A table of the values of all lines at every point of the axis."""
    across = sorted({x for line in lines for x in line.across})
    columns = []
    for line in lines:
        values = dict(zip(line.across, line.values, strict=True))
        columns.append(TableRows([values.get(x) for x in across]).numbers(line.label, float))
    first = Column(view.across, across, number=False, shown=[f"{x:,.10g}" for x in across])
    return Table(f"{raised(view.up)} by {view.across}", [first, *columns], folded=True)
