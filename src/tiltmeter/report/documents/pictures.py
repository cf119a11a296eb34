"""Drawings as blocks of a document, each in a wide and a narrow layout."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from markupsafe import Markup

from tiltmeter.core.results import Estimate
from tiltmeter.report.document import PAGE, On, Picture, Table
from tiltmeter.report.plots.forest import NARROW, WIDE, ForestLayout, Row, forest
from tiltmeter.report.plots.scale import Scale, scale_of

L = TypeVar("L")


def in_two_layouts(
    name: str,
    draw: Callable[[str, L], Markup],
    layouts: tuple[L, L],
    caption: str = "",
    table: Table | None = None,
    on: On = PAGE,
) -> Picture:
    """A picture that is drawn once with room and once for narrow places.

    Args:
        name: Of the picture's file; unique in the document.
        draw: Makes the drawing of a name for its ids and a layout.
        layouts: The wide one and the narrow one.
        caption: How to read it.
        table: The same numbers.
        on: With the terminal the table is printed there.
    """
    wide, narrow = layouts
    return Picture(name, draw(name, wide), draw(f"{name}-narrow", narrow), caption, table, on)


def forest_pictures(
    rows: Sequence[Row],
    *,
    name: str,
    title: str,
    caption: str,
    table: Table | None = None,
    scale: Scale | None = None,
    layouts: tuple[ForestLayout, ForestLayout] = (WIDE, NARROW),
    on: On = PAGE,
) -> list[Picture]:
    """A forest plot of rows from top to bottom; none where there are no rows.

    Args:
        rows: In the order in which they are drawn.
        name: Of the picture's file; unique in the document.
        title: What the picture shows, for those who do not see it.
        caption: How to read it.
        table: The same numbers.
        scale: To share one axis with other pictures; None fits the rows and the ranges beside them.
        layouts: Where there is room, and where there is little.
        on: With the terminal the table is printed there.
    """
    if not rows:
        return []
    shown = scale or _fitted(rows)

    def draw(name: str, layout: ForestLayout) -> Markup:
        return forest(rows, name=name, title=title, layout=layout, scale=shown)

    return [in_two_layouts(name, draw, layouts, caption, table, on)]


def _fitted(rows: Sequence[Row]) -> Scale:
    """An axis that holds the values, their intervals and the ranges beside them."""
    known = [row.estimate for row in rows]
    spans = [end for row in rows if row.beside for end in row.beside]
    if spans:
        known.append(Estimate("", None, min(spans), max(spans), None, 0, 0.0, ""))
    return scale_of(known)
