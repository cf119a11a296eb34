"""The profile of one group by people and by matrices, in panels with a bar for each pair of traits."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from markupsafe import Markup

from tiltmeter.core.text import visible
from tiltmeter.core.types import Array
from tiltmeter.derived.matrices.matrix import opposites
from tiltmeter.metrics.alignment import MIDDLE
from tiltmeter.report.plots import svg
from tiltmeter.report.text import number

FOOT = 10
GAP = 16
"""The distance between panels."""
LETTER = 7.0
"""The estimated width of a letter in a panel's name."""


@dataclass(frozen=True, slots=True)
class ProfileLayout:
    """The positions of the parts of a profile, in the picture's own units."""

    width: int
    panels: tuple[int, int]
    """The left end of the first panel and the right end of the last one."""
    row: int
    """The height of a row."""
    letters: int
    """How many letters of a trait are shown."""
    stacked: bool = False
    """Whether traits are above their bars instead of beside them, for narrow places."""
    top: int = 54


@dataclass(frozen=True, slots=True)
class ProfilePanel:
    """The values of one panel, from people or from a matrix."""

    name: str
    values: Sequence[float | None]
    """One value for each pair of traits: from 0 to 100 by people, around 0 by a matrix; None for none."""
    agrees: Sequence[float | None] = ()
    """For a matrix, 1 where people are on the same side and 0 where not; None for pairs at neither end of its
    order. () for people."""

    @property
    def shares(self) -> Array:
        """The lengths of the bars, from −1 to 1, relative to people's scale or to a matrix's longest bar."""
        values = np.array([np.nan if value is None else value for value in self.values])
        if not self.agrees:
            return (values - MIDDLE) / MIDDLE
        return values / (float(np.nanmax(np.abs(values), initial=0.0)) or 1.0)

    def kind(self, place: int) -> str:
        """The CSS class of the bar at this place."""
        if not self.agrees:
            return "said"
        agrees = self.agrees[place]
        return "between" if agrees is None else ("hit" if agrees else "miss")


WIDE = ProfileLayout(width=720, panels=(160, 560), row=22, letters=21)
NARROW = ProfileLayout(width=340, panels=(8, 332), row=40, letters=24, stacked=True)


def side_by_side(
    title: str,
    pairs: Sequence[str],
    panels: Sequence[ProfilePanel],
    *,
    name: str,
    layout: ProfileLayout = WIDE,
) -> Markup:
    """The profile as an inline SVG, with bars from the middle towards the trait that the group is nearer to.

    There is a panel for people, or one for each kind of people, and one for each matrix. Among a matrix's
    highest and lowest pairs, filled bars are on people's side and hollow ones on the other. `pairs` are named
    "left - right"; those that nobody rated are left out. The title is drawn above the bars.
    """
    rated = [
        i for i in range(len(pairs)) if any(p.values[i] is not None for p in panels if not p.agrees)
    ]
    places = _places(layout, len(panels))
    bottom = layout.top + layout.row * len(rated)
    shapes = [svg.text(visible(title), 0, 14, "domain", size=13)]
    for (start, stop), panel in zip(places, panels, strict=True):
        middle = (start + stop) / 2
        words = svg.shortened(visible(panel.name), max(6, int((stop - start) / LETTER)))
        shapes.append(svg.text(words, middle, 38, "tick", "middle"))
        shapes.append(svg.line(middle, layout.top - 8, middle, bottom, "neutral"))
    shares = [panel.shares for panel in panels]
    desc = []
    for line, place in enumerate(rated):
        words = f"{pairs[place]}: {_words(panels, place)}"
        desc.append(words)
        bars = [
            (ends, float(lengths[place]), panel.kind(place))
            for ends, lengths, panel in zip(places, shares, panels, strict=True)
            if np.isfinite(lengths[place])
        ]
        shapes.append(_row(pairs[place], words, bars, layout.top + line * layout.row, layout))
    whole = f"{visible(title)}: {visible(', '.join(panel.name for panel in panels))}"
    return svg.figure(name, whole, "; ".join(desc), (layout.width, bottom + FOOT), *shapes)


def _places(layout: ProfileLayout, number_of: int) -> list[tuple[float, float]]:
    start, stop = layout.panels
    width = (stop - start - GAP * (number_of - 1)) / number_of
    return [
        (start + i * (width + GAP), start + i * (width + GAP) + width) for i in range(number_of)
    ]


def _words(panels: Sequence[ProfilePanel], place: int) -> str:
    """The values of a row in words, for every panel that has one."""
    return ", ".join(
        f"{visible(panel.name)} {number(value) if panel.agrees else f'{value:.0f} of 100'}"
        for panel in panels
        if (value := panel.values[place]) is not None
    )


def _row(
    pair: str,
    words: str,
    bars: Sequence[tuple[tuple[float, float], float, str]],
    top: float,
    layout: ProfileLayout,
) -> Markup:
    left, right = (svg.shortened(visible(t), layout.letters) for t in opposites(pair))
    y = top + (28 if layout.stacked else layout.row / 2)
    line = top + 14 if layout.stacked else y + 4.5
    ends = (8, 332) if layout.stacked else (layout.panels[0] - 8, layout.panels[1] + 8)
    anchors = ("start", "end") if layout.stacked else ("end", "start")
    shapes = [svg.element("title", words)]
    shapes += [
        svg.text(trait, x, line, "label small", anchor)
        for trait, x, anchor in zip((left, right), ends, anchors, strict=True)
    ]
    for (start, stop), share, kind in bars:
        middle, half = (start + stop) / 2, (stop - start) / 2
        low, high = sorted((middle, middle + share * half))
        shapes.append(svg.element("rect", x=low, y=y - 6, width=high - low, height=12, cls=kind))
    return svg.element("g", *shapes, cls="row")
