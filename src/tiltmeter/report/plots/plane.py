"""Models as points in the plane of two measures, over contour lines of a third that combines both.

After Nadeem et al. 2021, Figure 2, https://doi.org/10.18653/v1/2021.acl-long.416
"""

import math
from collections.abc import Sequence

from markupsafe import Markup

from tiltmeter.core.estimates import Estimate
from tiltmeter.core.text import counted
from tiltmeter.report import text
from tiltmeter.report.few_items import shown_significant
from tiltmeter.report.plots import svg
from tiltmeter.report.plots.plane_labels import LINE, WHOLE, WIDE, Frame, Spot, key, keyed, named

LEVELS = range(10, 100, 10)
"""The values for which contour lines are drawn."""
TICKS = (0, 25, 50, 75, 100)
HALF = 50.0
IDEAL = "ideal"
FOOT = 46


def level_line(level: float, steps: int = 24) -> list[tuple[float, float]]:
    """The points (x, y) of the contour line for `level` (above 0), from its left end at y = 100 to its right.

    The third measure at a point is y · min(x, 100 − x) / 50, all in %.

    >>> level_line(80, steps=1)
    [(40.0, 100.0), (50.0, 80.0), (60.0, 100.0)]
    """
    start = level / 2
    # Equal ratios, not equal steps: the line is steep where x is small.
    left = [start * (HALF / start) ** (i / steps) for i in range(steps + 1)]
    down = [(x, HALF * level / x) for x in left]
    return down + [(WHOLE - x, y) for x, y in down[-2::-1]]


def label_place(level: float) -> tuple[float, float]:
    """The point on the left half of a contour line at which y is twice x; labels there do not overlap.

    >>> label_place(25)
    (25.0, 50.0)
    """
    return 5 * math.sqrt(level), 10 * math.sqrt(level)


def plane(spots: Sequence[Spot], *, name: str, layout: Frame = WIDE) -> Markup:
    """The models as points with their intervals over shaded contours, as an inline SVG."""
    first = spots[0]
    shapes = [*_bands(first, layout), *_axes(first, layout), *_known(first, layout)]
    shapes += [_cross(spot, layout) for spot in spots]
    foot = layout.top + layout.height + FOOT
    if keyed(spots, layout):
        shapes += key(spots, layout, foot)
        foot += LINE * len(spots) + 6
    else:
        shapes += named(spots, layout)
    who = first.label if len(spots) == 1 else counted(len(spots), "models")
    heading = (
        f"{who}, by {text.lowered(text.title(first.x))} and {text.lowered(text.title(first.y))}"
    )
    return svg.figure(name, heading, described(spots), (layout.width, foot), *shapes)


def described(spots: Sequence[Spot]) -> str:
    """The picture in words, for readers who cannot see it."""
    sentences = [f"{spot.label}: {', '.join(map(_worded, spot.estimates))}" for spot in spots]
    x, y = text.short_title(spots[0].x), text.short_title(spots[0].y)
    lines = text.short_title(spots[0].contour) if spots[0].contour else "The value of the lines"
    return (
        f"{'; '.join(sentences)}. {lines} rises towards {x} 50 and {y} 100, where it is 100; at {x} 50 and "
        f"{y} 50 it is 50, at {x} 0 and 100 it is 0."
    )


def _worded(estimate: Estimate) -> str:
    value = text.number(estimate.value or 0.0, estimate.unit)
    return f"{text.short_title(estimate)} {value}{text.in_brackets(estimate)}"


def _bands(first: Spot, layout: Frame) -> list[Markup]:
    """The contours as translucent sheets on top of each other, so that higher values are darker."""
    x, y = layout.x, layout.y
    box = {"width": x(WHOLE) - x(0), "height": y(0) - y(WHOLE)}
    shapes = [svg.element("rect", x=x(0), y=y(WHOLE), **box, cls="frame")]
    for level in LEVELS:
        points = " ".join(f"{x(a):.1f},{y(b):.1f}" for a, b in level_line(level))
        shapes.append(svg.element("polygon", points=points, cls="band"))
        shapes.append(svg.element("polyline", points=points, cls="iso"))
    for level in LEVELS:
        a, b = label_place(level)
        measure = (
            f"{text.short_title(first.contour)} " if first.contour and level == LEVELS[0] else ""
        )
        shapes.append(svg.text(f"{measure}{level}", x(a), y(b) + 4, "tick level", "middle"))
    return shapes


def _axes(first: Spot, layout: Frame) -> list[Markup]:
    x, y, foot = layout.x, layout.y, layout.top + layout.height
    shapes = [svg.line(x(HALF), y(WHOLE), x(HALF), foot, "neutral")]
    shapes += [svg.text(f"{t}", x(t), foot + 17, "tick", "middle") for t in TICKS]
    shapes += [svg.text(f"{t}", x(0) - 6, y(t) + 4, "tick", "end") for t in TICKS]
    below, above = text.sides(first.x) or ("", "")
    across = text.short_title(first.x) if layout.narrow else text.title(first.x)
    shapes += [
        svg.text(f"↑ {text.title(first.y)}, {text.short_unit(first.y.unit)}", 0, 14, "tick"),
        svg.text(f"← {below}" if below else "", x(0), foot + 37, "way"),
        svg.text(
            f"{across}, {text.short_unit(first.x.unit)}", x(HALF), foot + 37, "tick", "middle"
        ),
        svg.text(f"{above} →" if above else "", x(WHOLE), foot + 37, "way", "end"),
    ]
    return shapes


def _known(first: Spot, layout: Frame) -> list[Markup]:
    """The marks of two reference models: the ideal one, and one that guesses."""
    x, y = layout.x(HALF), layout.y
    top, middle = y(WHOLE), y(HALF)
    return [
        svg.diamond(x, top, "known"),
        svg.text(IDEAL, x - 11, top - 6, "tick", "end"),
        svg.element("rect", x=x - 5, y=middle - 5, width=10, height=10, cls="known"),
        svg.text(text.neutral_words(first.y), x + 11, middle + 18, "tick", "start"),
    ]


def _cross(spot: Spot, layout: Frame) -> Markup:
    """The point of a model with the intervals of both measures."""
    x, y = layout.x(spot.at[0]), layout.y(spot.at[1])
    words = f"{spot.label}: {', '.join(map(_worded, spot.estimates))}"
    shapes = [svg.element("title", words)]
    if spot.x.low is not None and spot.x.high is not None:
        shapes.append(svg.line(layout.x(spot.x.low), y, layout.x(spot.x.high), y, "interval"))
    if spot.y.low is not None and spot.y.high is not None:
        shapes.append(svg.line(x, layout.y(spot.y.low), x, layout.y(spot.y.high), "interval"))
    radius = 3.4 if layout.narrow else 4
    shapes.append(svg.point(x, y, filled=bool(shown_significant(spot.x)), radius=radius))
    return svg.element("g", *shapes, cls="model")
