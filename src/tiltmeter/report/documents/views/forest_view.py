"""Estimates of an analysis as a forest plot."""

from tiltmeter.core.analysis_views import Forest
from tiltmeter.core.results import Result
from tiltmeter.report.document import Picture
from tiltmeter.report.documents.pictures import forest_pictures
from tiltmeter.report.plots.forest import ForestLayout, Row
from tiltmeter.report.text import label, title

WIDE = ForestLayout(width=720, left=286, right=484, row=28, letters=38)
NARROW = ForestLayout(width=400, left=14, right=386, row=46, stacked=True, letters=24)
"""Names of two things are long, and so are numbers with a minus sign."""


def forest_views(result: Result, view: Forest) -> list[Picture]:
    """A row a measure over everything, or a row a place of one measure; none where nothing has a value."""
    labels = result.card.labels
    rows = [
        Row(
            view.joined.join(label(axis, e.groups[axis], labels) for axis in view.rows) or title(e), e
        )
        for name in view.measures
        for e in result.estimates
        if e.name == name and e.groups.keys() == {*view.rows} and e.value is not None
    ]  # fmt: skip
    return forest_pictures(
        rows, name=view.name, title=view.heading or view.title, caption=view.caption,
        layouts=(WIDE, NARROW),
    )  # fmt: skip
