"""A score of records as curves over an axis whose values are numbers, in bands of its intervals."""

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from tiltmeter.core.analysis_views import HIGH, LOW, RecordCurves
from tiltmeter.core.results import Record, Result
from tiltmeter.report.columns import TableRows
from tiltmeter.report.document import Picture, Table
from tiltmeter.report.documents.pictures import in_two_layouts
from tiltmeter.report.documents.views.record_table import records_of
from tiltmeter.report.plots.line_plot import (
    NARROW_LINES,
    WIDE_LINES,
    LineFrame,
    PlotLine,
    line_plot,
)
from tiltmeter.report.text import label, raised, short_title


def curve_pictures(result: Result, view: RecordCurves) -> list[Picture]:
    """The curves and their table; none where no record has the score."""
    curves: dict[str, dict[float, Record]] = {}
    for record in records_of(result, view):
        if view.score in record.scores:
            x = float(record.groups[view.x])
            curves.setdefault(record.groups[view.lines], {})[x] = record
    across = sorted({x for points in curves.values() for x in points})
    lines = [
        PlotLine(
            label(view.lines, value, result.card.labels), across, _scores(points, across, view.score),
            _scores(points, across, LOW.format(view.score)),
            _scores(points, across, HIGH.format(view.score)),
        )
        for value, points in curves.items()
    ]  # fmt: skip
    if not lines:
        return []
    ends = [across[0], across[-1]]
    drawn = [
        *lines,
        *(
            PlotLine(level.heading or short_title(e), ends, [e.value, e.value], level=True)
            for level in view.levels
            for e in result.estimates
            if e.name == level.measure and e.groups == level.at and e.value is not None
        ),
    ]

    def draw(name: str, layout: LineFrame) -> Markup:
        return line_plot(drawn, name=name, across=view.across, up=view.up, layout=layout)

    table = _table(lines, across, view)
    return [in_two_layouts(view.name, draw, (WIDE_LINES, NARROW_LINES), view.caption, table)]


def _scores(
    points: Mapping[float, Record], across: Sequence[float], name: str
) -> list[float | None]:
    return [points[x].scores.get(name) if x in points else None for x in across]


def _table(lines: Sequence[PlotLine], across: Sequence[float], view: RecordCurves) -> Table:
    """The values of all lines at every point."""
    of = TableRows(range(len(across)))
    columns = [
        of.numbers(line.label, lambda i, line=line: line.values[i])  # type: ignore[misc]
        for line in lines
    ]
    first = of.shown(view.across, lambda i: across[i], lambda i: f"{across[i]:,.10g}")
    return Table(f"{raised(view.up)} by {view.across}", [first, *columns], folded=True)
