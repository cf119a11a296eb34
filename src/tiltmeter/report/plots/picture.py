"""A plot in two layouts with the numbers that it shows."""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from tiltmeter.core.results import Estimate
from tiltmeter.report.plots.forest import NARROW, WIDE, Row, forest
from tiltmeter.report.plots.scale import Scale


@dataclass(frozen=True, slots=True)
class Picture:
    """A plot in the two layouts between which the page's width decides."""

    wide: Markup
    narrow: Markup
    rows: Sequence[Estimate]
    """The same numbers, for the table under it."""


def forests(rows: Sequence[Row], name: str, title: str, scale: Scale | None = None) -> Picture:
    """A forest plot."""
    wide = forest(rows, name=name, title=title, layout=WIDE, scale=scale)
    narrow = forest(rows, name=f"{name}-narrow", title=title, layout=NARROW, scale=scale)
    return Picture(wide, narrow, [row.estimate for row in rows])
