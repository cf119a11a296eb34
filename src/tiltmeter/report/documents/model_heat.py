"""Heat maps of subsets by models, one for each axis of the items, over the results of one study."""

from collections.abc import Sequence
from functools import partial

from tiltmeter.core.estimates import Estimate
from tiltmeter.core.results import Result
from tiltmeter.core.views import View
from tiltmeter.report import text
from tiltmeter.report.columns import TableRows
from tiltmeter.report.document import Column, Picture, Table
from tiltmeter.report.documents.families import MANY, families, headline_of, repeats_all, shows_ends
from tiltmeter.report.documents.pictures import in_two_layouts
from tiltmeter.report.few_items import shown_significant
from tiltmeter.report.plots.model_heat import NARROW, WIDE, HeatRow, model_heat
from tiltmeter.report.value_marks import mark_notes

MOST_MODELS = 16
"""With more models than this there is no room for the numbers, and nothing is drawn."""


def model_heats(results: Sequence[Result], views: Sequence[View]) -> list[Picture]:
    """A heat map of the main measure by subset and model, for each axis that two or more results have.

    [] where the results are not on one scale.
    """
    if not 1 < len(results) <= MOST_MODELS or not on_one_scale(results):
        return []
    axes = [axis for result in results for axis in _axes(result, views)]
    shared = [axis for axis in dict.fromkeys(axes) if axes.count(axis) > 1]
    return [picture for axis in shared for picture in _picture(results, axis)]


def on_one_scale(results: Sequence[Result]) -> bool:
    """Whether the headlines have the same measure, unit and neutral value.

    Without a neutral value, such as for log-probabilities, they must also come from the same rule.
    """
    heads = [h for r in results if (h := headline_of(r.estimates)) is not None]
    scales = {(h.name, h.unit, h.neutral, h.rule if h.neutral is None else "") for h in heads}
    return len(scales) == 1


def _axes(result: Result, views: Sequence[View]) -> list[str]:
    """The axes over which the main measure can be drawn."""
    head = headline_of(result.estimates)
    return [
        family.axes[0]
        for family in families(result.estimates)
        if head
        and family.name == head.name
        and family.is_drawn
        and not shows_ends(family, views)
        and not repeats_all(family, result.estimates)
    ]


def _picture(results: Sequence[Result], axis: str) -> list[Picture]:
    rows = _rows(results, axis)
    models = [text.name_of(result) for result in results]
    head = next(h for r in results if (h := headline_of(r.estimates)))
    unit = f" ({text.short_unit(head.unit)})" if head.unit else ""
    heading = f"{text.title(head)}{unit} by {text.axis_title(axis)} and model"

    if not 1 < len(rows) <= MANY + 1:
        return []
    neutral = "" if head.neutral is None else f" from {head.neutral:g}, which is neutral"
    tested = any(text.final_p(e) is not None for row in rows for e in row.cells if e)
    how = "p < .05, as adjusted in its run" if tested else "by its interval, without a test"
    caption = (
        f"One column a model. A frame, a star and bold letters: significant ({how})."
        f" Under each value its interval. The deeper the colour, the farther{neutral}."
        if neutral
        else "One column a model. Under each value its interval."
    )
    draw = partial(model_heat, rows, models, title=heading)
    table = _table(rows, models, heading, axis, how)
    return [in_two_layouts(f"models-{axis}", draw, (WIDE, NARROW), caption, table)]


def _rows(results: Sequence[Result], axis: str) -> list[HeatRow]:
    """The row of all items, then those of the axis's values, the highest mean over models first."""
    heads = [headline_of(result.estimates) for result in results]
    models = [_over(result, head, axis) for result, head in zip(results, heads, strict=True)]
    labels = results[0].card.labels
    cells = {
        value: [by_value.get(value) for by_value in models]
        for value in dict.fromkeys(v for by_value in models for v in by_value)
    }
    ordered = sorted(cells, key=lambda value: (-_mean(cells[value]), value))
    rows = [HeatRow(text.label(axis, value, labels), cells[value]) for value in ordered]
    return [HeatRow("all", heads, whole=True), *rows]


def _over(result: Result, head: Estimate | None, axis: str) -> dict[str, Estimate]:
    """The headline's measure by the values of one axis."""
    return {
        e.groups[axis]: e
        for e in result.estimates
        if head and e.name == head.name and tuple(e.groups) == (axis,)
    }


def _mean(estimates: Sequence[Estimate | None]) -> float:
    known = [e.value for e in estimates if e is not None and e.value is not None]
    return sum(known) / len(known) if known else float("-inf")


def _starred(e: Estimate) -> str:
    """The value with a star if it is significant, and its interval."""
    return f"{text.value_text(e)}{'*' if shown_significant(e) else ''}{text.in_brackets(e)}"


def _table(
    rows: Sequence[HeatRow], models: Sequence[str], heading: str, axis: str, how: str
) -> Table:
    columns = [Column("", [row.label for row in rows], number=False, name=axis)]
    for i, model in enumerate(models):
        of = TableRows([row.cells[i] for row in rows])
        columns.append(of.shown(model, lambda e: e.value, _starred))
    return Table(
        heading, columns, notes=[f"* significant ({how}). In parentheses the interval.",
               *mark_notes(e for row in rows for e in row.cells)], folded=True,
        name=f"models-{axis}",
    )  # fmt: skip
