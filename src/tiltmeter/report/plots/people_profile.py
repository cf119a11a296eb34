"""One group, people and a matrix side by side: a bar a pair of traits, in the order that people give."""

from dataclasses import dataclass

import numpy as np
from markupsafe import Markup

from tiltmeter.analysis.matrix import opposites
from tiltmeter.core.text import visible
from tiltmeter.core.types import Array
from tiltmeter.metrics.alignment import end_weights, right_shares
from tiltmeter.report.plots import svg
from tiltmeter.report.text import number

MIDDLE = 50.0
FOOT = 10


@dataclass(frozen=True, slots=True)
class ProfileLayout:
    """Where things stand, in the picture's own units."""

    width: int
    people: tuple[int, int]
    """From and to, of people's bars."""
    matrix: tuple[int, int]
    row: int
    letters: int
    stacked: bool = False
    """Traits above their bars: for narrow places."""
    top: int = 54


WIDE = ProfileLayout(width=720, people=(140, 330), matrix=(490, 706), row=22, letters=18)
NARROW = ProfileLayout(
    width=340, people=(8, 158), matrix=(182, 332), row=40, letters=20, stacked=True
)


def side_by_side(
    title: str,
    pairs: tuple[str, ...],
    scores: Array,
    mean_ratings: Array,
    *,
    k: int,
    model: str,
    name: str,
    layout: ProfileLayout = WIDE,
) -> Markup:
    """Bars from the middle towards the trait that the group is nearer to, as an inline SVG.

    The matrix's k highest and k lowest pairs are filled where people are on the same side, and in
    another colour where they are on the other. Pairs with a number on one side only are left out.

    Args:
        title: Whose they are, drawn over the bars.
        pairs: Of traits, "left - right".
        scores: The matrix's, shape (pairs,).
        mean_ratings: People's, from 0 to 100.
        k: Of precision at k.
        model: What the matrix is of.
        name: Makes the ids in the page unique.
        layout: WIDE or NARROW.
    """
    both = np.flatnonzero(np.isfinite(scores) & np.isfinite(mean_ratings))
    order = both[np.argsort(-mean_ratings[both], kind="stable")]
    marks = _marks(scores[order], mean_ratings[order], k)
    end = float(np.abs(scores[order]).max(initial=0.0)) or 1.0
    parts = [
        svg.text(visible(title), 0, 14, "domain", size=13),
        svg.text("people", sum(layout.people) / 2, 38, "tick", "middle"),
        svg.text(svg.shortened(visible(model), 24), sum(layout.matrix) / 2, 38, "tick", "middle"),
    ]
    bottom = layout.top + layout.row * len(order)
    for start, stop in (layout.people, layout.matrix):
        middle = (start + stop) / 2
        parts.append(svg.line(middle, layout.top - 8, middle, bottom, "neutral"))
    desc = []
    for i, (place, mark) in enumerate(zip(order, marks, strict=True)):
        score = number(float(scores[place]))
        words = f"{pairs[place]}: people {mean_ratings[place]:.0f} of 100, matrix {score}"
        desc.append(words)
        shares = (float(mean_ratings[place]) - MIDDLE) / MIDDLE, float(scores[place]) / end
        top = layout.top + i * layout.row
        parts.append(_row(pairs[place], words, shares, mark, top, layout))
    whole = f"{visible(title)}: people and {visible(model)}"
    return svg.figure(name, whole, "; ".join(desc), (layout.width, bottom + FOOT), *parts)


def _marks(scores: Array, mean_ratings: Array, k: int) -> list[str]:
    """Of each pair: "hit" or "miss" where it is at an end of the matrix's order, else ""."""
    if len(scores) < 2 * k:
        return [""] * len(scores)
    top, bottom = end_weights(scores, k)
    right = right_shares(mean_ratings)
    found = []
    for high, low, share in zip(top, bottom, right, strict=True):
        if high == 0 and low == 0:
            found.append("")
        else:
            found.append("hit" if (share >= 0.5 if high >= low else share <= 0.5) else "miss")  # noqa: PLR2004
    return found


def _row(
    pair: str, words: str, shares: tuple[float, float], mark: str, top: float, layout: ProfileLayout
) -> Markup:
    left, right = (svg.shortened(visible(t), layout.letters) for t in opposites(pair))
    y = top + (28 if layout.stacked else layout.row / 2)
    line = top + 14 if layout.stacked else y + 4.5
    ends = (8, 332) if layout.stacked else (layout.people[0] - 8, layout.people[1] + 8)
    anchors = ("start", "end") if layout.stacked else ("end", "start")
    parts = [svg.element("title", words)]
    parts += [
        svg.text(trait, x, line, "label small", anchor)
        for trait, x, anchor in zip((left, right), ends, anchors, strict=True)
    ]
    for (start, stop), share, kind in (
        (layout.people, shares[0], "said"),
        (layout.matrix, shares[1], mark or "between"),
    ):
        middle, half = (start + stop) / 2, (stop - start) / 2
        low, high = sorted((middle, middle + share * half))
        parts.append(svg.element("rect", x=low, y=y - 6, width=high - low, height=12, cls=kind))
    return svg.element("g", *parts, cls="row")
