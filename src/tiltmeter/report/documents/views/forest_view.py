"""Estimates of an analysis as a forest plot."""

from tiltmeter.core.analysis_views import Forest
from tiltmeter.core.results import Estimate, Result
from tiltmeter.core.types import Groups
from tiltmeter.report.document import Picture
from tiltmeter.report.documents.families import by_value
from tiltmeter.report.documents.pictures import forest_pictures
from tiltmeter.report.plots.forest import ForestLayout, Row
from tiltmeter.report.text import label, lowered, title

WIDE = ForestLayout(width=720, left=170, right=484, row=28, letters=38)
NARROW = ForestLayout(width=400, left=14, right=386, row=46, stacked=True, letters=24)
"""Names of two things are long, and so are numbers with a minus sign."""


def forest_views(result: Result, view: Forest) -> list[Picture]:
    """A row a measure over everything, or a row a place of one measure; none where nothing has a value."""
    axes = {*view.rows, view.by} - {""}
    estimates = [
        e for name in view.measures for e in result.estimates
        if e.name == name and e.groups.keys() == axes and e.value is not None
    ]  # fmt: skip
    if not view.by:
        return _pictures(result, view, estimates, {})
    pictures: list[Picture] = []
    for value in dict.fromkeys(e.groups[view.by] for e in estimates):
        part = [e for e in estimates if e.groups[view.by] == value]
        pictures += _pictures(result, view, part, {view.by: value}, len(pictures) + 1)
    return pictures


def _pictures(
    result: Result, view: Forest, estimates: list[Estimate], part: Groups, number: int = 0
) -> list[Picture]:
    """The picture of one value of the axis that parts them."""
    labels = result.card.labels
    rows = [
        Row(
            ("● " if e.verdict in view.marked else "")
            + (view.joined.join(label(axis, e.groups[axis], labels) for axis in view.rows) or title(e)),
            e,
            beside=_band(result, view.beside, e.groups),
        )
        for e in (by_value(estimates) if view.order else estimates)
    ]  # fmt: skip
    total = _at(result, view.total, part)
    if rows and total is not None:
        called = view.total_called or lowered(title(total))
        band = _band(result, view.total_beside, part)
        rows.append(Row(called, total, total=True, beside=band))
    heading = view.heading or view.title
    named = [label(axis, value, labels) for axis, value in part.items()]
    return forest_pictures(
        rows,
        name=f"{view.name}-{number}" if number else view.name,
        title=", ".join([heading, *named]),
        caption=": ".join([*named, view.caption]),
        layouts=(WIDE, NARROW),
    )


def _at(result: Result, measure: str, groups: Groups) -> Estimate | None:
    """The estimate of a measure at a place."""
    if not measure:
        return None
    return next((e for e in result.estimates if e.name == measure and e.groups == groups), None)


def _band(result: Result, measure: str, groups: Groups) -> tuple[float, float] | None:
    e = _at(result, measure, groups)
    return None if e is None or e.low is None or e.high is None else (e.low, e.high)
