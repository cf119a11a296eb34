"""Makes pictures for a document, each drawn in a wide and a narrow layout."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

from markupsafe import Markup

from tiltmeter.core.estimates import Estimate
from tiltmeter.report.document import PAGE, On, Picture, Table
from tiltmeter.report.few_items import shown_significant
from tiltmeter.report.plots.forest import NARROW, WIDE, ForestLayout, Row, forest
from tiltmeter.report.plots.scale import Scale, scale_of

L = TypeVar("L")


def mark_words(estimates: Sequence[Estimate], by: str = "") -> str:
    """What the filled and the hollow marks of these estimates mean, as far as both are drawn; "" for neither.

    `by` is how significance was decided; where there is no p, their intervals did.

    >>> one = Estimate("rate", 60.0, 52.0, 68.0, 0.01, 200, 50.0, "%")
    >>> mark_words([one], "p < .05")
    'All marks are filled: significant (p < .05).'
    """
    drawn = {shown_significant(e) for e in estimates if e.value is not None}
    if all(e.p is None for e in estimates):
        if drawn & {True, False} == {False}:
            return "All marks are hollow: every interval includes the neutral value."
        by = "its interval excludes the neutral value"
    how = f" ({by})" if by else ""
    if {True, False} <= drawn:
        return f"A filled mark is significant{how}, a hollow one is not."
    if True in drawn:
        return f"All marks are filled: significant{how}."
    return f"All marks are hollow: none is significant{how}." if False in drawn else ""


def in_two_layouts(
    name: str,
    draw: Callable[..., Markup],
    layouts: tuple[L, L],
    caption: str = "",
    table: Table | None = None,
    on: On = PAGE,
) -> Picture:
    """A picture drawn in two layouts, wide and narrow.

    `draw` is called with a `name`, which its ids begin with, and a `layout`. Where `on` includes the
    terminal, the table is printed there.
    """
    wide, narrow = layouts
    drawings = draw(name=name, layout=wide), draw(name=f"{name}-narrow", layout=narrow)
    return Picture(name, *drawings, caption, table, on)


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
    """A forest plot of the rows from top to bottom; [] where there are no rows.

    Several pictures may share a `scale`; with None, the axis fits the rows and the ranges beside them.
    """
    if not rows:
        return []
    draw = partial(forest, rows, title=title, scale=scale or _fitted(rows))
    return [in_two_layouts(name, draw, layouts, caption, table, on)]


def _fitted(rows: Sequence[Row]) -> Scale:
    """An axis that holds the values, their intervals and the ranges beside them."""
    known = [row.estimate for row in rows]
    spans = [end for row in rows if row.beside for end in row.beside]
    if spans:
        # `scale_of` takes only estimates, so one without a value carries the ends of the ranges.
        known.append(Estimate("", None, min(spans), max(spans), None, 0, 0.0, ""))
    return scale_of(known)
