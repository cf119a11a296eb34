"""A heat map of correlations: a row and a column a measure, each two of them once."""

from dataclasses import dataclass

from markupsafe import Markup

from tiltmeter.analysis.correlate import Relations
from tiltmeter.core.results import ALPHA, Estimate
from tiltmeter.core.text import visible
from tiltmeter.report.plots import svg
from tiltmeter.report.plots.squares import STEPS, SWATCH, marks, square, swatches, words
from tiltmeter.report.text import final_p, p_text

MOST = 24
"""With more measures than this, those with the strongest correlations are drawn."""


@dataclass(frozen=True, slots=True)
class Frame:
    """Where things stand, in the picture's own units."""

    width: int
    left: int
    """Where the cells begin; the measures' names stand before it."""
    widest: int
    """Of a cell."""
    letters: int
    """How long a row's name may be."""
    head: int
    """How long a column's name may be."""
    size: float
    """Of the letters."""
    legend: int
    """The height of the legend."""


WIDE = Frame(width=720, left=330, widest=52, letters=46, head=40, size=12, legend=62)
NARROW = Frame(width=340, left=152, widest=40, letters=23, head=30, size=10.5, legend=82)
ROOM = 30.0
"""A cell that is as wide as this has its number under it."""
NUMBER = 12.5
"""The height of that number."""


def two(value: float | None) -> str:
    """A correlation with two decimals and a true minus sign; "" for None.

    >>> two(-0.204), two(-0.001), two(None)
    ('−0.20', '0.00', '')
    """
    if value is None:
        return ""
    text = f"{value:.2f}"
    return "0.00" if text == "-0.00" else text.replace("-", "−")


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


def relations_heat(made: Relations, *, name: str, title: str, frame: Frame = WIDE) -> Markup:
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
    labels = {j: _label(names[j], j, frame.letters) for j in down}
    left = min(frame.left, 0.6 * frame.size * max(map(len, labels.values())) + 16)
    step = min(frame.widest, (frame.width - left) / len(across))
    high = step if step < ROOM else 0.6 * step + NUMBER
    heads = {i: _label(names[i], i, frame.head) for i in across}
    top = frame.legend + 0.55 * frame.size * max(map(len, heads.values())) + 8
    parts = [_legend(frame)]
    parts += [_head(heads[i], left + step * (k + 0.5), top, min(frame.size, step))
              for k, i in enumerate(across)]  # fmt: skip
    for row, j in enumerate(down):
        y = top + row * high
        size = min(frame.size, high)
        parts.append(words(labels[j], left - 8, y + high / 2 + 4, size, "label", "end"))
        for k, i in enumerate(across):
            if (i, j) in cells:
                parts += _cell(cells[i, j], left + k * step, y, step)
    bottom = top + len(down) * high + 4
    return svg.figure(name, title, _said(made), (frame.width, bottom), *parts)


def _label(name: str, i: int, letters: int) -> str:
    """The measure's name, cut, and its number in the list."""
    return f"{svg.shortened(visible(name), letters)}  {i + 1}"


def _head(label: str, x: float, bottom: float, size: float) -> Markup:
    """A column's label, read upwards."""
    at = x + size / 3
    turned = f"rotate(-90 {at:.2f} {bottom - 5:.2f})"
    return svg.element(
        "text", label, x=at, y=bottom - 5, transform=turned, font_size=size, cls="head"
    )


def said(e: Estimate) -> str:
    """A correlation in words, for whoever points at it.

    >>> said(Estimate("pearson", 0.912, 0.3, 0.99, 0.01, 6, 0.0, "", groups={"x": "a", "y": "b"}))
    'a and b: 0.91 (0.30 to 0.99), n 6, p 0.0100'
    """
    start = f"{visible(e.groups['x'])} and {visible(e.groups['y'])}: "
    if e.value is None:
        return f"{start}undefined: {visible(e.why) or 'no reason was recorded'}"
    p = final_p(e)
    inside = "" if e.low is None or e.high is None else f" ({two(e.low)} to {two(e.high)})"
    return f"{start}{two(e.value)}{inside}, n {e.n}{'' if p is None else f', p {p_text(p)}'}"


def _cell(e: Estimate, x: float, y: float, step: float) -> list[Markup]:
    """The square and, where there is room, its number under it."""
    high = step if step < ROOM else 0.6 * step
    parts = [square(e.value, said(e), (x, y, step, high), significant=is_significant(e), reach=1.0)]
    if e.value is not None and step >= ROOM:
        size = min(NUMBER - 2.0, 0.3 * step)
        parts.append(
            words(two(e.value), x + step / 2, y + high + size - 1, size, "number", "middle")
        )
    return parts


def _legend(frame: Frame) -> Markup:
    narrow = frame is NARROW
    beside = 0.0 if narrow else 2 * SWATCH * STEPS + 22
    parts = [
        *swatches(0.0, 16.0, ("← opposite", "together →"), ("−1", "1")),
        *marks(beside, 52.0 if narrow else 16.0, narrow=narrow),
    ]
    return svg.element("g", *parts, cls="legend")


def _said(made: Relations) -> str:
    """What there is to see; the table under it has all."""
    known = [e for e in made.of(made.method) if e.value is not None]
    strongest = "; ".join(said(e) for e in sorted(known, key=lambda e: -abs(e.value or 0.0))[:5])
    told = sum(map(is_significant, known))
    return f"{len(known)} pairs of measures; {told} significant. Strongest: {strongest}"
