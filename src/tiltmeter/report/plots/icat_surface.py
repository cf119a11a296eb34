"""Models on the surface of icat: across how far they prefer stereotypes, up how well they know language.

After Nadeem et al. 2021, Figure 2, https://doi.org/10.18653/v1/2021.acl-long.416
"""

import math
from collections.abc import Sequence

from markupsafe import Markup

from tiltmeter.core.results import Estimate
from tiltmeter.report.plots import svg
from tiltmeter.report.plots.icat_labels import (
    LINE,
    WHOLE,
    WIDE_FRAME,
    Frame,
    Spot,
    key,
    keyed,
    named,
)
from tiltmeter.report.terms import LMS, SS
from tiltmeter.report.wording import (
    is_clear,
    number,
    span,
    title,
    visible,
)

LEVELS = range(10, 100, 10)
"""Where the bands of icat meet."""
TICKS = (0, 25, 50, 75, 100)
HALF = 50.0
IDEAL, RANDOM = "ideal", "picks at random"


FOOT = 46


def icat_at(ss: float, lms: float) -> float:
    """Lms · min(ss, 100 − ss) / 50, all in %.

    >>> icat_at(50, 100), icat_at(50, 50), icat_at(100, 90), icat_at(60, 80)
    (100.0, 50.0, 0.0, 64.0)
    """
    return lms * min(ss, WHOLE - ss) / HALF


def level_line(level: float, steps: int = 24) -> list[tuple[float, float]]:
    """(ss, lms) at which icat is `level` (above 0), from the left end at lms 100 to the right one.

    >>> level_line(80, steps=1)
    [(40.0, 100.0), (50.0, 80.0), (60.0, 100.0)]
    """
    start = level / 2
    # Equal ratios, not equal steps: the line is steep where ss is small.
    left = [start * (HALF / start) ** (i / steps) for i in range(steps + 1)]
    down = [(ss, HALF * level / ss) for ss in left]
    return down + [(WHOLE - ss, lms) for ss, lms in down[-2::-1]]


def label_place(level: float) -> tuple[float, float]:
    """The place on the left half of the line at which lms is twice ss: there names do not meet.

    >>> label_place(25)
    (25.0, 50.0)
    """
    return 5 * math.sqrt(level), 10 * math.sqrt(level)


def surface(spots: Sequence[Spot], *, name: str, layout: Frame = WIDE_FRAME) -> Markup:
    """The models as points with 95 % intervals, over shaded steps of icat, as an inline SVG.

    Args:
        spots: At least one.
        name: Makes the ids in the page unique.
        layout: WIDE_FRAME or NARROW_FRAME.
    """
    parts = [*_bands(layout), *_axes(layout), *_marks(layout)]
    parts += [_cross(spot, layout) for spot in spots]
    foot = layout.top + layout.height + FOOT
    if keyed(spots, layout):
        parts += key(spots, layout, foot)
        foot += LINE * len(spots) + 6
    else:
        parts += named(spots, layout)
    who = spots[0].label if len(spots) == 1 else f"{len(spots)} models"
    heading = f"icat of {who}, by stereotype score and language modelling score"
    return svg.figure(name, heading, said(spots), (layout.width, foot), *parts)


def said(spots: Sequence[Spot]) -> str:
    """The picture in words."""
    found = [f"{spot.label}: {', '.join(map(_worded, spot.estimates))}" for spot in spots]
    return (
        f"{'; '.join(found)}. icat rises towards the ideal at ss 50 and lms 100, where it is 100; a model "
        "that picks at random stands at ss 50 and lms 50, where it is 50; at ss 0 and 100 it is 0."
    )


def _worded(estimate: Estimate) -> str:
    inside = span(estimate)
    value = f"{visible(estimate.name)} {number(estimate.value or 0.0, estimate.unit)}"
    return f"{value} ({inside})" if inside else value


def _bands(layout: Frame) -> list[Markup]:
    """One sheet over the other, each a little see-through: the more of them, the higher icat."""
    x, y = layout.x, layout.y
    box = {"width": x(WHOLE) - x(0), "height": y(0) - y(WHOLE)}
    found = [svg.element("rect", x=x(0), y=y(WHOLE), **box, cls="frame")]
    for level in LEVELS:
        line = level_line(level)
        points = " ".join(f"{x(ss):.1f},{y(lms):.1f}" for ss, lms in line)
        found.append(svg.element("polygon", points=points, cls="band"))
        found.append(svg.element("polyline", points=points, cls="iso"))
    for level in LEVELS:
        ss, lms = label_place(level)
        words = f"icat {level}" if level == LEVELS[0] else f"{level}"
        found.append(svg.text(words, x(ss), y(lms) + 4, "tick level", "middle"))
    return found


def _axes(layout: Frame) -> list[Markup]:
    x, y, foot = layout.x, layout.y, layout.top + layout.height
    parts = [svg.line(x(HALF), y(WHOLE), x(HALF), foot, "neutral")]
    parts += [svg.text(f"{t}", x(t), foot + 17, "tick", "middle") for t in TICKS]
    parts += [svg.text(f"{t}", x(0) - 6, y(t) + 4, "tick", "end") for t in TICKS]
    parts += [
        svg.text(f"↑ {title(LMS)}, %", 0, 14, "tick"),
        svg.text("← anti-stereotype", x(0), foot + 37, "way"),
        svg.text(
            "ss, %" if layout.narrow else f"{title(SS)}, %", x(HALF), foot + 37, "tick", "middle"
        ),
        svg.text("stereotype →", x(WHOLE), foot + 37, "way", "end"),
    ]
    return parts


def _marks(layout: Frame) -> list[Markup]:
    """The two models that nobody needs to measure."""
    x, y = layout.x(HALF), layout.y
    top, middle = y(WHOLE), y(HALF)
    around = f"{x - 7:g},{top:g} {x:g},{top - 7:g} {x + 7:g},{top:g} {x:g},{top + 7:g}"
    return [
        svg.element("polygon", points=around, cls="known"),
        svg.text(IDEAL, x - 11, top - 6, "tick", "end"),
        svg.element("rect", x=x - 5, y=middle - 5, width=10, height=10, cls="known"),
        svg.text(RANDOM, x + 11, middle + 18, "tick", "start"),
    ]


def _cross(spot: Spot, layout: Frame) -> Markup:
    """The point, and the interval of either score through it."""
    x, y = layout.x(spot.at[0]), layout.y(spot.at[1])
    parts = [svg.element("title", said([spot]).split(". icat rises")[0])]
    if spot.ss.low is not None and spot.ss.high is not None:
        parts.append(svg.line(layout.x(spot.ss.low), y, layout.x(spot.ss.high), y, "interval"))
    if spot.lms.low is not None and spot.lms.high is not None:
        parts.append(svg.line(x, layout.y(spot.lms.low), x, layout.y(spot.lms.high), "interval"))
    kind = "point clear" if is_clear(spot.ss) else "point"
    parts.append(svg.element("circle", cx=x, cy=y, r=3.4 if layout.narrow else 4, cls=kind))
    return svg.element("g", *parts, cls="model")
