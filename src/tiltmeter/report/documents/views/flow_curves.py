"""Flows between the values of two axes, as curves."""

from markupsafe import Markup

from tiltmeter.core.analysis_views import FlowCurves
from tiltmeter.core.results import Estimate, Result
from tiltmeter.report.document import Picture
from tiltmeter.report.documents.pictures import in_two_layouts
from tiltmeter.report.plots.flow_plot import (
    NARROW_FLOWS,
    WIDE_FLOWS,
    DrawnFlow,
    FlowLayout,
    flow_plot,
)
from tiltmeter.report.text import label, number_of


def flow_pictures(result: Result, view: FlowCurves) -> list[Picture]:
    """Two columns with a curve for each flow of the verdicts that are drawn; none where there is none."""
    card = result.card
    axes = {view.source, view.target}
    flows = [
        e for e in result.estimates
        if e.name == view.measure and e.groups.keys() == axes and e.value is not None
    ]  # fmt: skip
    drawn = [_drawn(e, view, result) for e in flows if e.verdict in view.drawn]
    if not drawn:
        return []
    sources, targets = (
        list(dict.fromkeys(label(axis, e.groups[axis], card.labels) for e in flows))
        for axis in (view.source, view.target)
    )

    def draw(name: str, layout: FlowLayout) -> Markup:
        return flow_plot(
            drawn, sources, targets, name=name, layout=layout,
            title=f"{view.title or card.title}: {card.subtitle}", columns=view.sides,
        )  # fmt: skip

    return [in_two_layouts(view.name, draw, (WIDE_FLOWS, NARROW_FLOWS), view.caption)]


def _drawn(e: Estimate, view: FlowCurves, result: Result) -> DrawnFlow:
    labels = result.card.labels
    source, target = (label(axis, e.groups[axis], labels) for axis in (view.source, view.target))
    said = f"{source} to {target}: {number_of(e, e.value or 0.0)}, {e.verdict}"
    return DrawnFlow(source, target, e.value or 0.0, e.verdict == view.solid, said)
