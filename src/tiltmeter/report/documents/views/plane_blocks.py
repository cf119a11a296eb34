"""The section that shows models as points in a plane of two measures."""

from collections.abc import Sequence
from functools import partial

from tiltmeter.core.results import Result
from tiltmeter.core.study_views import Plane
from tiltmeter.report.document import PAGE, Section, Table, Text
from tiltmeter.report.documents.estimate_tables import others_table
from tiltmeter.report.documents.pictures import in_two_layouts
from tiltmeter.report.few_items import shown_significant
from tiltmeter.report.plots.plane import plane
from tiltmeter.report.plots.plane_labels import NARROW, WIDE, Spot, spot_of
from tiltmeter.report.text import lowered, name_of, short_title, title


def plane_sections(results: Sequence[Result], view: Plane) -> list[Section]:
    """All models in one plane; [] where no model has both measures."""
    places = [spot_of(name_of(r), r.estimates, view) for r in results]
    spots = [spot for spot in places if spot]
    if not spots:
        return []
    first = spots[0]
    table = _table(spots) if len(spots) > 1 else None

    drawn = in_two_layouts("plane", partial(plane, spots), (WIDE, NARROW), _caption(spots), table)
    heading = f"{title(first.x)} and {lowered(title(first.y))}"
    return [Section("plane", heading, [Text(view.explained), drawn], on=PAGE)]


def _caption(spots: Sequence[Spot]) -> str:
    first = spots[0]
    lines = short_title(first.contour) if first.contour else "the third measure"
    x, y = short_title(first.x), short_title(first.y)
    return (
        f"Shades are steps of {lines}, with a line every 10 points, and rise towards the ideal. Bars are "
        f"intervals of {x} and {y}; a number beside a name is its {lines}.{_marks(spots, x)} Models with the "
        f"same {lines} can differ in both measures, so look at the position as well as at the number."
    )


def _marks(spots: Sequence[Spot], measure: str) -> str:
    """What filled and hollow marks mean, as far as both are drawn."""
    drawn = {shown_significant(spot.x) is True for spot in spots}
    if drawn == {True, False}:
        return f" A filled mark has a significant {measure}; a hollow one does not."
    one = (
        f"filled: each has a significant {measure}"
        if True in drawn
        else f"hollow: none has a significant {measure}"
    )
    return f" All marks are {one}."


def _table(spots: Sequence[Spot]) -> Table:
    """A table with one row for each model and measure."""
    rows = [(e, spot.label) for spot in spots for e in spot.estimates]
    labels = [f"{label}: {short_title(e)}" for e, label in rows]
    return others_table([e for e, _ in rows], labels)
