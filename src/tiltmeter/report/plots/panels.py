"""Combines pictures into the panels of one picture, each under its heading."""

import re
from collections.abc import Callable, Sequence
from typing import TypeAlias

from markupsafe import Markup

from tiltmeter.core.text import visible
from tiltmeter.report.plots import line_plot, svg

HEAD, GAP, SIZE = 24, 28, 14
"""The height of a heading, the distance between panels, and the headings' font size."""
_PICTURE = re.compile(
    r'<svg viewBox="0 0 ([\d.]+) ([\d.]+)"[^>]*>'
    r"<title[^>]*>.*?</title><desc[^>]*>(.*?)</desc>(.*)</svg>", re.DOTALL,
)  # fmt: skip
Panel: TypeAlias = tuple[str, Callable[..., Markup]]
"""A heading, and the function that draws the picture under it."""


WIDE, NARROW = 2, 1
"""How many panels a row has, by layout."""


def side_by_side(drawn: Sequence[Panel], *, name: str, title: str, layout: int) -> Markup:
    """One picture of several, each drawn in its narrow layout, with `layout` of them in a row."""
    pictures = [
        (heading, draw(name=f"{name}-{i}", layout=line_plot.NARROW))
        for i, (heading, draw) in enumerate(drawn, 1)
    ]
    return combined(pictures, name=name, title=title, layout=layout)


def combined(pictures: Sequence[tuple[str, str]], *, name: str, title: str, layout: int) -> Markup:
    """One picture of these (heading, drawing) pairs, `layout` in a row; its description has those of all."""
    shapes: list[Markup] = []
    words = []
    top = right = 0.0
    for first in range(0, len(pictures), layout):
        left = height = 0.0
        for heading, picture in pictures[first : first + layout]:
            match = _PICTURE.match(picture)
            assert match is not None, "not a picture that `svg.figure` made"  # noqa: S101
            width, high = float(match[1]), float(match[2])
            words.append(f"{heading}: {Markup(match[3]).unescape()}")  # noqa: S704 our own drawing
            shown = svg.fitted(visible(heading), width, SIZE)
            inside = Markup(match[4])  # noqa: S704 our own drawing
            shapes.append(svg.text(shown, left, top + SIZE, "label", size=SIZE))
            move = f"translate({left:g} {top + HEAD:g})"
            shapes.append(svg.element("g", inside, transform=move))
            left, height = left + width + GAP, max(height, high)
            right = max(right, left - GAP)
        top += HEAD + height + GAP
    return svg.figure(name, title, "; ".join(words), (right, top - GAP), *shapes)
