"""A heat map of subsets by models, with number, interval and a mark of significance in each cell."""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from tiltmeter.core.estimates import Estimate
from tiltmeter.core.text import counted, verb_for, visible
from tiltmeter.report.few_items import shown_significant
from tiltmeter.report.plots import svg
from tiltmeter.report.plots.squares import (
    SIZE,
    STEPS,
    SWATCH,
    HeatLayout,
    cell_words,
    depth,
    head,
    swatches,
)
from tiltmeter.report.text import neutral_text, number, sides, span, value_text
from tiltmeter.report.value_marks import mark_notes

STRONGEST = 0.6
"""The opacity of the deepest colour, low enough that the number over it can be read."""
HEAD_GAP, FOOT, ALL_GAP = 8.0, 6.0, 6.0
NUMBER, INTERVAL = 12.5, 10.0
"""Font sizes of numbers and intervals."""
TITLE, LINE, KEY = 26.0, 15.0, 44.0


WIDE = HeatLayout(width=720, left=170, widest=275, row=36, head=150, size=12.5)
NARROW = HeatLayout(width=340, left=104, widest=118, row=34, head=130, size=11.5, narrow=True)


@dataclass(frozen=True, slots=True)
class HeatRow:
    """A subset with its estimates for all models."""

    label: str
    cells: Sequence[Estimate | None]
    """One estimate for each model; None for a model without this subset."""
    whole: bool = False
    """Whether the row is about all items."""


def model_heat(
    rows: Sequence[HeatRow],
    models: Sequence[str],
    *,
    name: str,
    title: str,
    layout: HeatLayout = WIDE,
) -> Markup:
    """The heat map as an inline SVG, which can also be read in shades of grey.

    A significant cell has a frame, a star and bold letters. The colour shows how far and on which side of
    neutral the value is; without a neutral value, cells have no colour.
    """
    reach = max((_distance(e) for row in rows for e in row.cells if e), default=0.0) or 1.0
    step = min(layout.widest, (layout.width - layout.left) / len(models))
    heads = [svg.fitted(visible(model), layout.head, layout.size) for model in models]
    across = all(svg.breadth(words, layout.size) <= step - 6 for words in heads)
    tallest = layout.size if across else max(svg.breadth(h, layout.size) for h in heads)
    lines = svg.wrapped(visible(title), layout.width, 14.0)
    top = TITLE + HEAD_GAP + tallest + LINE * (len(lines) - 1)
    shapes = [svg.text(line, 0, 14 + LINE * i, "domain", size=13) for i, line in enumerate(lines)]
    for i, words in enumerate(heads):  # horizontal if there is room for all, else upwards
        middle = layout.left + step * (i + 0.5)
        shapes.append(
            svg.text(words, middle, top - 4, "head", "middle", layout.size)
            if across
            else head([words], middle, top + 1, layout.size)
        )
    y = top + 4
    for row in rows:
        label = svg.wrapped(visible(row.label), layout.left - 12, layout.size)
        kind = "label strong" if row.whole else "label"
        first = y + layout.row / 2 + 4 - LINE / 2 * (len(label) - 1)
        shapes += [
            svg.text(words, layout.left - 8, first + LINE * i, kind, "end", layout.size)
            for i, words in enumerate(label)
        ]
        for i, model in enumerate(models):
            box = (layout.left + i * step, y, step, layout.row)
            shapes.append(_cell(row.label, model, row.cells[i], box, reach))
        y += layout.row + (ALL_GAP if row.whole else 0)
    key, y = _key([e for row in rows for e in row.cells if e], reach, layout, y + FOOT)
    return svg.figure(name, title, _description(rows, models), (layout.width, y), *shapes, *key)


def _key(
    cells: Sequence[Estimate], reach: float, layout: HeatLayout, y: float
) -> tuple[list[Markup], float]:
    """The key of colours and marks, drawn from the height `y` on, and the height at which it ends."""
    shapes, head, x = [], cells[0], 0.0 if layout.narrow else float(layout.left)
    if head.neutral is not None:
        low, high = sides(head) or ("lower", "higher")
        ends = (number(head.neutral - reach, head.unit), number(head.neutral + reach, head.unit))
        named = max(svg.breadth(f"{words} →", SIZE) for words in (low, high))
        either = (low, high) if named < x + SWATCH * STEPS - 8 else ("lower", "higher")
        arrows = (f"← {either[0]}", f"{either[1]} →")
        shapes += swatches(x, y + LINE, arrows, ends, neutral_text(head), STRONGEST)
        y += KEY
    stars = ["* and a frame: significant"] if any(map(shown_significant, cells)) else []
    for words in [*stars, *svg.note_lines(mark_notes(cells), layout.width - x, SIZE)]:
        y += LINE
        shapes.append(svg.text(words, x, y, "tick", size=SIZE))
    return [svg.element("g", *shapes, cls="legend")], y + FOOT


def _distance(e: Estimate) -> float:
    """The distance of a value from neutral; 0 where it has no value or no neutral value."""
    return 0.0 if e.value is None or e.neutral is None else abs(e.value - e.neutral)


def _cell(
    label: str, model: str, e: Estimate | None, box: tuple[float, float, float, float], reach: float
) -> Markup:
    x, y, wide, high = box
    if e is None:
        return svg.text("–", x + wide / 2, y + high / 2 + 4, "tick", "middle")
    shapes = [svg.element("title", cell_words(e, label, model))]
    if e.value is None:
        middle = (x + wide / 2, y + high / 2 + 4)
        return svg.element("g", *shapes, svg.text("undefined", *middle, "tick", "middle", INTERVAL))
    frame = {"x": x + 1.5, "y": y + 1.5, "width": wide - 3, "height": high - 3}
    if e.neutral is not None:
        kind = "right" if e.value > e.neutral else "left"
        opacity = round(STRONGEST * depth(_distance(e), reach), 3)
        shapes.append(svg.element("rect", **frame, cls=kind, fill_opacity=opacity))
    if shown_significant(e):
        shapes.append(svg.element("rect", **frame, cls="sure"))
    return svg.element("g", *shapes, *_numbers(e, box))


def _numbers(e: Estimate, box: tuple[float, float, float, float]) -> list[Markup]:
    """The value, and under it the interval where there is room."""
    x, y, wide, high = box
    value = f"{value_text(e)}{'*' if shown_significant(e) else ''}"
    inside = span(e)
    size = min(NUMBER, wide / max(len(value), 1) * 1.6)
    small = min(INTERVAL, size, INTERVAL * (wide - 8) / max(svg.breadth(inside, INTERVAL), 1))
    both = bool(inside) and small >= 0.7 * INTERVAL
    middle, at = x + wide / 2, y + high / 2 + (-1 if both else 4)
    kind = "inside strong" if shown_significant(e) else "inside"
    shapes = [svg.text(value, middle, at, kind, "middle", size)]
    return (
        [*shapes, svg.text(inside, middle, at + 13, "inside", "middle", small)] if both else shapes
    )


def _description(rows: Sequence[HeatRow], models: Sequence[str]) -> str:
    known = [
        (row.label, model, e)
        for row in rows
        for model, e in zip(models, row.cells, strict=True)
        if e is not None and e.value is not None
    ]
    strongest = sorted(known, key=lambda cell: -_distance(cell[2]))[:5]
    count = sum(shown_significant(e) is True for _, _, e in known)
    words = "; ".join(cell_words(e, label, model) for label, model, e in strongest)
    return (
        f"{counted(len(rows), 'rows')} by {counted(len(models), 'models')}; {count} of "
        f"{counted(len(known), 'cells')} {verb_for(count, 'are')} significant. {words}"
    )
