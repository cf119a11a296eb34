"""A plot of flows from sources in a left column to targets in a right column."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from tiltmeter.core.text import visible
from tiltmeter.report.plots import svg
from tiltmeter.report.text import correlation

WIDTH_OF_ONE = 60.0
"""The width of a flow with the value 1, in the picture's own units, so that pictures can be compared."""
THINNEST, BROADEST = 1.5, 36.0
COLOURS = 6
SIZE, TITLE = 14.0, 12.0
VALUE = 50
"""The distance from the right column's bars to its names; the values are between them."""
KEY = (0.1, 0.3)
"""The values whose widths the key shows."""


@dataclass(frozen=True, slots=True)
class DrawnFlow:
    """One flow, drawn as a curve from a source in the left column to a target in the right one."""

    source: str
    target: str
    value: float
    """The value, above 0, which decides the width of the curve."""
    solid: bool
    """Whether the curve is solid or dashed."""
    words: str = ""
    """The flow in words, for its tooltip and the description of the picture."""


@dataclass(frozen=True, slots=True)
class FlowLayout:
    """The positions of the parts of a flow plot, in the picture's own units."""

    width: int
    start: int
    """Where flows leave the left column."""
    end: int
    """Where flows reach the right column."""
    row: int
    """The height of an entry in a column, including the room under it."""
    bar: int
    """The height of the entry's bar."""
    top: int = 40


WIDE = FlowLayout(width=720, start=120, end=580, row=92, bar=76)
NARROW = FlowLayout(width=340, start=84, end=214, row=92, bar=76)


def flow_plot(
    flows: Sequence[DrawnFlow],
    sources: Sequence[str],
    targets: Sequence[str],
    *,
    name: str,
    title: str,
    columns: tuple[str, str],
    layout: FlowLayout = WIDE,
) -> Markup:
    """The flows as an inline SVG: curves as broad as their values, with the values at their ends.

    `sources` and `targets` list the entries of both columns from top to bottom, including those without a
    flow; each source has its own colour. `columns` are the headings of both columns.
    """
    leaving, arriving = _places(flows, sources, targets, layout)
    colours = {source: f"d{i % COLOURS + 1}" for i, source in enumerate(sources)}
    # The broadest first, so that thin curves are drawn over broad ones.
    ordered = sorted(range(len(flows)), key=lambda i: -flows[i].value)
    over = max(layout.start, svg.breadth(columns[0], TITLE))  # whole where the place is narrow
    shapes = [
        svg.text(columns[0], over, 14, "head", "end", size=TITLE),
        svg.text(columns[1], layout.end, 14, "head", size=TITLE),
        *(_bar(n, layout.start - 8, i, colours[n], layout) for i, n in enumerate(sources)),
        *(_bar(n, layout.end, i, "quiet", layout) for i, n in enumerate(targets)),
        *(_flow(flows[i], leaving[i], arriving[i], colours, layout) for i in ordered),
    ]
    bottom = layout.top + layout.row * max(len(sources), len(targets))
    shapes += _key(bottom + 8, layout)
    desc = "; ".join(flow.words for flow in flows) or "no flow is drawn"
    return svg.figure(name, title, desc, (layout.width, bottom + 30), *shapes)


def _places(
    flows: Sequence[DrawnFlow], sources: Sequence[str], targets: Sequence[str], layout: FlowLayout
) -> tuple[list[float], list[float]]:
    """The heights at which each flow leaves and arrives.

    The flows of one entry are spread over its bar in the order of the other column, so that fewer cross.
    """
    leaving, arriving = [0.0] * len(flows), [0.0] * len(flows)
    for names, heights, here_ends, other in (
        (sources, leaving, [f.source for f in flows], [f.target for f in flows]),
        (targets, arriving, [f.target for f in flows], [f.source for f in flows]),
    ):
        order = targets if names is sources else sources
        for row, place in enumerate(names):
            here = [
                i
                for end in order
                for i in range(len(flows))
                if (here_ends[i], other[i]) == (place, end)
            ]
            step = layout.bar / max(len(here), 1)
            top = layout.top + row * layout.row
            for at, i in enumerate(here):
                heights[i] = top + (at + 0.5) * step
    return leaving, arriving


def _bar(label: str, x: float, row: int, colour: str, layout: FlowLayout) -> Markup:
    top = layout.top + row * layout.row
    left = x < layout.end
    at, anchor = (layout.start - 16, "end") if left else (layout.end + VALUE, "start")
    words = svg.fitted(visible(label), at if left else layout.width - at, SIZE)
    return svg.element(
        "g",
        svg.element("rect", x=x, y=top, width=8, height=layout.bar, cls=f"bar {colour}"),
        svg.text(words, at, top + layout.bar / 2 + 5, "label strong", anchor, SIZE),
    )


def _flow(
    flow: DrawnFlow, start: float, end: float, colours: Mapping[str, str], layout: FlowLayout
) -> Markup:
    middle = (layout.start + layout.end) / 2
    path = f"M{layout.start:g} {start:g}C{middle:g} {start:g} {middle:g} {end:g} {layout.end:g} {end:g}"
    width = min(max(WIDTH_OF_ONE * flow.value, THINNEST), BROADEST)
    kind = "flow" if flow.solid else "flow dashed"
    colour = colours[flow.source]
    return svg.element(
        "g",
        svg.element("title", flow.words),
        svg.element("path", d=path, stroke_width=width, cls=f"{kind} {colour}"),
        svg.text(
            correlation(flow.value), layout.end + 12, end + 4.5, f"coloured {colour}", size=TITLE
        ),
        cls="row",
    )


def _key(y: float, layout: FlowLayout) -> list[Markup]:
    """The key: two widths with their values, and the meaning of dashed lines."""
    drawn = [(f"= {correlation(value)}", WIDTH_OF_ONE * value, True) for value in KEY]
    drawn += [("solid", 4.0, True), ("not solid", 4.0, False)]
    step = layout.width / len(drawn)
    shapes = []
    for at, (words, width, solid) in enumerate(drawn):
        x = at * step
        path = f"M{x:g} {y + 8:g}h24"
        kind = "flow quiet" if solid else "flow quiet dashed"
        shapes.append(svg.element("path", d=path, stroke_width=width, cls=kind))
        shapes.append(svg.text(words, x + 30, y + 12.5, "tick", size=TITLE))
    return shapes
