"""A heat map of correlations: a row and a column a measure, each two of them once."""

from markupsafe import Markup

from tiltmeter.analysis.correlate import Relations
from tiltmeter.core.results import ALPHA, Estimate
from tiltmeter.core.text import visible
from tiltmeter.report.plots import svg
from tiltmeter.report.plots.squares import HeatLayout, head, legend, square
from tiltmeter.report.text import correlation, final_p, p_text, span

MOST = 24
"""With more measures than this, those with the strongest correlations are drawn."""


WIDE = HeatLayout(width=720, left=330, widest=52, head=320, size=12, legend=62)
NARROW = HeatLayout(width=340, left=172, widest=40, head=215, size=10.5, legend=82, narrow=True)
ROOM = 30.0
"""A cell that is as wide as this has its number under it."""
NUMBER = 12.5
"""The height of that number."""


def correlation_span(e: Estimate) -> str:
    """The interval of a correlation; "" where there is none."""
    return span(e, show=correlation)


def is_significant(e: Estimate) -> bool:
    """Whether it differs significantly from 0: p < .05 after adjustment."""
    p = final_p(e)
    return e.value is not None and p is not None and p < ALPHA


def drawn(made: Relations) -> list[int]:
    """The measures that the picture has, in their order: at most `MOST`, the strongest."""
    strength = dict.fromkeys(made.points.names, 0.0)
    for e in made.of(made.method):
        for side in ("x", "y"):
            strength[e.groups[side]] = max(strength[e.groups[side]], abs(e.value or 0.0))
    ranked = sorted(range(len(strength)), key=lambda i: -strength[made.points.names[i]])
    return sorted(ranked[:MOST])


def relations_heat(made: Relations, *, name: str, title: str, frame: HeatLayout = WIDE) -> Markup:
    """The correlations as an inline SVG: significant ones large, numbers where there is room.

    Args:
        made: At least two measures.
        name: Makes the ids in the page unique.
        title: What the picture shows, for those who do not see it.
        frame: WIDE or NARROW.
    """
    names, chosen = made.points.names, drawn(made)
    cells = {
        (names.index(e.groups["x"]), names.index(e.groups["y"])): e for e in made.of(made.method)
    }
    across = [i for i in chosen if any((i, j) in cells for j in chosen)]
    down = [j for j in chosen if any((i, j) in cells for i in chosen)]
    labels = {j: _label(names[j], j, frame.left - 16, frame.size) for j in down}
    left = 16 + max(svg.breadth(label, frame.size) for label in labels.values())
    step = min(frame.widest, (frame.width - left) / len(across))
    high = step if step < ROOM else 0.6 * step + NUMBER
    heads = {i: _label(names[i], i, frame.head, frame.size) for i in across}
    top = frame.legend + max(svg.breadth(label, frame.size) for label in heads.values()) + 8
    ends = ("← opposite", "together →"), ("−1", "1")
    parts = [legend(0.0, 16.0, *ends, narrow=frame.narrow)]
    parts += [
        head([heads[i]], left + step * (k + 0.5), top, min(frame.size, step))
        for k, i in enumerate(across)
    ]
    for row, j in enumerate(down):
        y = top + row * high
        size = min(frame.size, high)
        parts.append(svg.text(labels[j], left - 8, y + high / 2 + 4, "label", "end", size))
        for k, i in enumerate(across):
            if (i, j) in cells:
                parts += _cell(cells[i, j], left + k * step, y, step)
    bottom = top + len(down) * high + 4
    return svg.figure(name, title, _said(made), (frame.width, bottom), *parts)


def _label(name: str, i: int, room: float, size: float) -> str:
    """The measure's name, cut to the room there is, and its number in the list."""
    number = f"  {i + 1}"
    return svg.fitted(visible(name), room - svg.breadth(number, size), size) + number


def said(e: Estimate) -> str:
    """A correlation in words, for whoever points at it.

    >>> said(Estimate("pearson", 0.912, 0.3, 0.99, 0.01, 6, 0.0, "", groups={"x": "a", "y": "b"}))
    'a and b: 0.91 (0.30 to 0.99), n 6, p 0.0100'
    """
    start = f"{visible(e.groups['x'])} and {visible(e.groups['y'])}: "
    if e.value is None:
        return f"{start}undefined: {visible(e.why) or 'no reason was recorded'}"
    p = final_p(e)
    inside = f" ({correlation_span(e)})" if correlation_span(e) else ""
    sure = "" if p is None else f", p {p_text(p)}"
    return f"{start}{correlation(e.value)}{inside}, n {e.n}{sure}"


def _cell(e: Estimate, x: float, y: float, step: float) -> list[Markup]:
    """The square and, where there is room, its number under it."""
    high = step if step < ROOM else 0.6 * step
    parts = [square(e.value, said(e), (x, y, step, high), significant=is_significant(e), reach=1.0)]
    if e.value is not None and step >= ROOM:
        size, middle = min(NUMBER - 2.0, 0.3 * step), x + step / 2
        foot = y + high + size - 1
        parts.append(svg.text(correlation(e.value), middle, foot, "number", "middle", size))
    return parts


def _said(made: Relations) -> str:
    """What there is to see; the table under it has all."""
    known = [e for e in made.of(made.method) if e.value is not None]
    strongest = "; ".join(said(e) for e in sorted(known, key=lambda e: -abs(e.value or 0.0))[:5])
    count = sum(map(is_significant, known))
    return f"{len(known)} pairs of measures; {count} significant. Strongest: {strongest}"
