"""Records as dumbbells: a large mark, and two small ones that it is compared with."""

from markupsafe import Markup

from tiltmeter.core.analysis_views import RecordDumbbells
from tiltmeter.core.results import ALPHA, Result
from tiltmeter.report.document import Picture
from tiltmeter.report.documents.pictures import in_two_layouts
from tiltmeter.report.plots.dumbbell import NARROW, WIDE, Marks, dumbbells
from tiltmeter.report.plots.forest import ForestLayout


def dumbbell_pictures(result: Result, view: RecordDumbbells) -> list[Picture]:
    """The first records of the kind; none where there are none with all three scores."""
    first, second = view.small
    needed = {view.large, first, second}
    records = [r for r in result.records if r.kind == view.of and needed <= r.scores.keys()]
    marks = [
        Marks(
            record.item, record.scores[view.large], record.scores[first], record.scores[second],
            sure=record.scores.get(view.p, 1.0) < ALPHA,
        )
        for record in records[: view.most]
    ]  # fmt: skip
    if not marks:
        return []

    def draw(name: str, layout: ForestLayout) -> Markup:
        return dumbbells(marks, name=name, title=view.heading, layout=layout)

    return [in_two_layouts(view.name, draw, (WIDE, NARROW), view.caption)]
