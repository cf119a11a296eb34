"""Dumbbells: records with two others that they are compared with; a measure before and after."""

from markupsafe import Markup

from tiltmeter.core.analysis_views import ChangeDumbbells, RecordDumbbells
from tiltmeter.core.results import ALPHA, Estimate, Result
from tiltmeter.report.document import Picture
from tiltmeter.report.documents.pictures import in_two_layouts
from tiltmeter.report.documents.views.number_table import coordinates
from tiltmeter.report.plots.dumbbell import NARROW, WIDE, Marks, dumbbells
from tiltmeter.report.plots.forest import ForestLayout
from tiltmeter.report.text import subset, value_with_unit


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


ARROWS = {"closer": "↓ ", "farther": "↑ "}
"""As in published tables: up is worse."""


def change_pictures(result: Result, view: ChangeDumbbells) -> list[Picture]:
    """Before as small marks, after as large ones; none where nothing has both values."""
    here = [e for e in result.estimates if view.where.items() <= coordinates(e).items()]
    values = [e for e in here if e.name == view.measure]
    before = {_place(e, view): e for e in values if view.before.items() <= e.groups.items()}
    after = {_place(e, view): e for e in values if not view.before.keys() & e.groups.keys()}
    changes = [e for e in here if e.name == view.change]
    kinds = {frozenset(change.groups) for change in changes if change.groups}
    marks = []
    for change in changes:
        old, new = (side.get(_place(change, view)) for side in (before, after))
        if old is None or new is None or old.value is None or new.value is None:
            continue
        name = subset(change.groups, result.card.labels, with_axis=len(kinds) > 1)
        arrow = ARROWS.get(change.verdict.partition(",")[0], "= ")
        said = f"{name}: {value_with_unit(old)} before, {value_with_unit(new)} after"
        sure = change.significant is True
        marks.append(Marks(f"{arrow}{name}", new.value, old.value, old.value, sure, said))
    if not marks:
        return []
    neutral = next(iter(after.values())).neutral

    def draw(name: str, layout: ForestLayout) -> Markup:
        return dumbbells(
            marks[: view.most], name=name, title=view.heading, layout=layout, neutral=neutral
        )

    return [in_two_layouts(view.name, draw, (WIDE, NARROW), view.caption)]


def _place(e: Estimate, view: ChangeDumbbells) -> tuple[tuple[str, str], ...]:
    """The subset that an estimate is about, whenever it was measured."""
    return tuple((axis, value) for axis, value in e.groups.items() if axis not in view.before)
