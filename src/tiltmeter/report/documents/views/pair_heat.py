"""A measure of each two things as a heat map, such as the correlations of all pairs of measures."""

from markupsafe import Markup

from tiltmeter.core.analysis_views import PairHeat
from tiltmeter.core.results import Result
from tiltmeter.report.document import Picture
from tiltmeter.report.documents.pictures import in_two_layouts
from tiltmeter.report.plots.correlation_heat import MOST, NARROW, WIDE, relations_heat
from tiltmeter.report.plots.squares import HeatLayout


def heat_pictures(result: Result, view: PairHeat) -> list[Picture]:
    """All pairs at a glance; none of a single pair, of which a picture would show nothing more."""
    axes = {view.x, view.y}
    pairs = [e for e in result.estimates if e.name == view.measure and e.groups.keys() == axes]
    if len(pairs) < 2:  # noqa: PLR2004
        return []
    cells = {(e.groups[view.x], e.groups[view.y]): e for e in pairs}
    labels = {**result.card.labels.get(view.y, {}), **result.card.labels.get(view.x, {})}
    names = sorted({name for pair in cells for name in pair}, key=lambda name: _place(labels, name))
    numbers = {name: labels.get(name, "") for name in names}
    caption = view.caption
    if len(names) > MOST:
        caption += f" Drawn are the {MOST} of {len(names)} with the strongest."

    def draw(id_: str, frame: HeatLayout) -> Markup:
        return relations_heat(
            cells, numbers, name=id_, title=view.heading, ends=view.ends, frame=frame
        )

    return [in_two_layouts(view.name, draw, (WIDE, NARROW), caption)]


def _place(labels: dict[str, str], name: str) -> tuple[float, str]:
    """Where a thing stands: by its number, where labels are numbers."""
    number = labels.get(name, "")
    return (float(number) if number.isdecimal() else float("inf"), name)
