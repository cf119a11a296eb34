"""A forest plot as a block of a document."""

from collections.abc import Sequence

from tiltmeter.core.results import Estimate
from tiltmeter.report.document import PAGE, On, Picture, Table
from tiltmeter.report.plots.forest import NARROW, WIDE, Layout, Row, forest
from tiltmeter.report.plots.scale import Scale, scale_of


def forest_picture(  # noqa: PLR0913  # both layouts and the shared axis
    rows: Sequence[Row],
    *,
    name: str,
    title: str,
    caption: str,
    table: Table | None = None,
    scale: Scale | None = None,
    layout: Layout = WIDE,
    narrow: Layout = NARROW,
    on: On = PAGE,
) -> Picture | None:
    """Rows from top to bottom in both layouts; None where there are none.

    Args:
        rows: In the order in which they are drawn.
        name: Of the picture's file; unique in the document.
        title: What the picture shows, for those who do not see it.
        caption: How to read it.
        table: The same numbers.
        scale: To share one axis with other pictures; None fits the rows and the ranges beside them.
        layout: Where there is room.
        narrow: Where there is little.
        on: With the terminal the table is printed there.
    """
    if not rows:
        return None
    shown = scale or _fitted(rows)
    wide = forest(rows, name=name, title=title, layout=layout, scale=shown)
    small = forest(rows, name=f"{name}-narrow", title=title, layout=narrow, scale=shown)
    return Picture(name, wide, small, caption, table, on)


def _fitted(rows: Sequence[Row]) -> Scale:
    """An axis that holds the values, their intervals and the ranges beside them."""
    known = [row.estimate for row in rows]
    spans = [end for row in rows if row.beside for end in row.beside]
    if spans:
        known.append(Estimate("", None, min(spans), max(spans), None, 0, 0.0, ""))
    return scale_of(known)
