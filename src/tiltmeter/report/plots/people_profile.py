"""One group, people and matrices side by side: a bar a pair of traits, in the order that people give."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from markupsafe import Markup

from tiltmeter.analysis.matrix import opposites
from tiltmeter.analysis.people.profiles import GroupProfile, Opinion
from tiltmeter.core.text import visible
from tiltmeter.core.types import Array
from tiltmeter.metrics.alignment import MIDDLE
from tiltmeter.report.plots import svg
from tiltmeter.report.text import number

FOOT = 10
GAP = 16
"""Between panels."""
LETTER = 7.0
"""The width of a letter of a panel's name."""


@dataclass(frozen=True, slots=True)
class ProfileLayout:
    """Where things stand, in the picture's own units."""

    width: int
    panels: tuple[int, int]
    """From and to, of all panels together."""
    row: int
    letters: int
    stacked: bool = False
    """Traits above their bars: for narrow places."""
    top: int = 54


WIDE = ProfileLayout(width=720, panels=(140, 580), row=22, letters=18)
NARROW = ProfileLayout(width=340, panels=(8, 332), row=40, letters=20, stacked=True)


def side_by_side(
    title: str, profile: GroupProfile, *, name: str, layout: ProfileLayout = WIDE
) -> Markup:
    """Bars from the middle towards the trait that the group is nearer to, as an inline SVG.

    One panel for people and one for each matrix. Of a matrix's highest and lowest pairs, filled bars are
    on people's side and hollow ones on the other. Pairs that people did not rate are left out.

    Args:
        title: Whose they are, drawn over the bars.
        profile: What people and the matrices say.
        name: Makes the ids in the page unique.
        layout: WIDE or NARROW.
    """
    rated = [i for i, value in enumerate(profile.people.values) if np.isfinite(value)]
    opinions = (profile.people, *profile.matrices)
    panels = _panels(layout, len(opinions))
    bottom = layout.top + layout.row * len(rated)
    parts = [svg.text(visible(title), 0, 14, "domain", size=13)]
    for (start, stop), opinion in zip(panels, opinions, strict=True):
        middle = (start + stop) / 2
        words = svg.shortened(visible(opinion.name), max(6, int((stop - start) / LETTER)))
        parts.append(svg.text(words, middle, 38, "tick", "middle"))
        parts.append(svg.line(middle, layout.top - 8, middle, bottom, "neutral"))
    shares = [_shares(opinion, people=not i) for i, opinion in enumerate(opinions)]
    desc = []
    for line, place in enumerate(rated):
        words = f"{profile.pairs[place]}: {_words(opinions, place)}"
        desc.append(words)
        bars = [
            (panel, float(own[place]), _kind(opinion, place, people=opinion is profile.people))
            for panel, own, opinion in zip(panels, shares, opinions, strict=True)
            if np.isfinite(own[place])
        ]
        parts.append(
            _row(profile.pairs[place], words, bars, layout.top + line * layout.row, layout)
        )
    whole = f"{visible(title)}: people and {visible(', '.join(m.name for m in profile.matrices))}"
    return svg.figure(name, whole, "; ".join(desc), (layout.width, bottom + FOOT), *parts)


def _panels(layout: ProfileLayout, number_of: int) -> list[tuple[float, float]]:
    start, stop = layout.panels
    width = (stop - start - GAP * (number_of - 1)) / number_of
    return [
        (start + i * (width + GAP), start + i * (width + GAP) + width) for i in range(number_of)
    ]


def _shares(opinion: Opinion, *, people: bool) -> Array:
    """Lengths of bars, from −1 to 1: people's on their scale, a matrix's up to its longest."""
    if people:
        return (opinion.values - MIDDLE) / MIDDLE
    known = np.abs(opinion.values[np.isfinite(opinion.values)])
    return opinion.values / (float(known.max(initial=0.0)) or 1.0)


def _words(opinions: Sequence[Opinion], place: int) -> str:
    """The numbers of a row: people's, then each matrix's."""
    people, *matrices = opinions
    said = [f"people {people.values[place]:.0f} of 100"]
    said += [
        f"{visible(own.name)} {number(float(own.values[place]))}"
        for own in matrices
        if np.isfinite(own.values[place])
    ]
    return ", ".join(said)


def _kind(opinion: Opinion, place: int, *, people: bool) -> str:
    if people:
        return "said"
    agrees = opinion.agrees[place]
    return "between" if agrees is None else ("hit" if agrees else "miss")


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
    parts = [svg.element("title", words)]
    parts += [
        svg.text(trait, x, line, "label small", anchor)
        for trait, x, anchor in zip((left, right), ends, anchors, strict=True)
    ]
    for (start, stop), share, kind in bars:
        middle, half = (start + stop) / 2, (stop - start) / 2
        low, high = sorted((middle, middle + share * half))
        parts.append(svg.element("rect", x=low, y=y - 6, width=high - low, height=12, cls=kind))
    return svg.element("g", *parts, cls="row")
