"""The parts of heat maps: squares whose colour shows direction and size, and their legend."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from tiltmeter.core.estimates import Estimate
from tiltmeter.core.text import raised, visible
from tiltmeter.report.few_items import shown_significant
from tiltmeter.report.plots import svg
from tiltmeter.report.text import final_p, in_brackets, number_of, p_text, why_undefined


@dataclass(frozen=True, slots=True)
class HeatLayout:
    """The positions of the parts of a heat map, in the picture's own units."""

    width: int
    left: int
    """The rightmost place at which the cells may begin; the names of rows are to the left of them."""
    widest: int
    """The greatest width of a column."""
    head: int
    """The greatest height of a column's name, which is read upwards."""
    size: float
    """The font size in the picture's units."""
    legend: int = 0
    """The height of the legend."""
    row: int = 0
    """The height of a row; 0 derives it from the width of a column."""
    narrow: bool = False


STEPS, SIZE = 4, 11
"""How many swatches the legend has on either side of 0, and its font size."""
PALEST = 0.1
SWATCH = 24.0
MARKS = ("significant", "not significant", "undefined")


def depth(value: float, reach: float) -> float:
    """The opacity of a cell's colour: 1 from `reach` on, and a tenth near 0 so that it is still visible.

    >>> depth(-0.25, 0.5), depth(2.0, 0.5), depth(0.0, 0.5)
    (0.55, 1.0, 0.1)
    """
    return round(PALEST + (1 - PALEST) * min(abs(value) / reach, 1.0), 3)


def cell_words(
    e: Estimate, *about: str, show: Callable[[float], str] | None = None, with_n: bool = True
) -> str:
    """A cell in words, for its tooltip.

    >>> cell_words(Estimate("r", 0.5, 0.2, 0.8, 0.01, 20, 0.0, ""), "disability", "demo")
    'disability, demo: 0.500 (0.200 to 0.800), n 20, p 0.0100'
    """
    start = f"{', '.join(map(visible, about))}: "
    if e.value is None:
        return f"{start}undefined: {why_undefined(e)}"
    p, value = final_p(e), show(e.value) if show else number_of(e, e.value)
    words = [value + in_brackets(e, show), f"n {e.n}" if with_n else ""]
    return start + ", ".join(filter(None, [*words, "" if p is None else f"p {p_text(p)}"]))


def square(
    value: float | None,
    words: str,
    box: tuple[float, float, float, float],
    *,
    significant: bool,
    reach: float,
) -> Markup:
    """The square of a cell in its box (x, y, width, height), half as wide if it is not significant.

    Values above 0 have the class `right`, others `left`, with the deepest colour from `reach` on; None is
    drawn as a cross. `words` are the tooltip.
    """
    x, y, wide, high = box
    title = svg.element("title", words)
    if value is None:
        arm = min(wide, high) / 4
        return svg.element("g", title, *_cross(x + wide / 2, y + high / 2, arm), cls="undefined")
    gap = 0.5 if significant else min(wide, high) / 4
    kind = f"{'right' if value > 0 else 'left'}{'' if significant else ' unsure'}"
    return svg.element(
        "rect", title, x=x + gap, y=y + gap, width=wide - 2 * gap, height=high - 2 * gap,
        cls=kind, fill_opacity=depth(value, reach),
    )  # fmt: skip


def head(label: Sequence[Markup | str], x: float, bottom: float, size: float) -> Markup:
    """The name of a column, turned to be read upwards; `x` is the middle of the column."""
    at, foot = x + size / 3, bottom - 5
    turned = f"rotate(-90 {at:.2f} {foot:.2f})"
    return svg.element("text", *label, x=at, y=foot, transform=turned, font_size=size, cls="head")


def marks_of(cells: Iterable[Estimate]) -> list[str]:
    """Which of the marks `MARKS` the squares of these cells have.

    >>> marks_of([Estimate("r", 0.5, None, None, 0.2, 20, 0.0, "")])
    ['not significant']
    """
    drawn = {
        "undefined" if e.value is None else MARKS[shown_significant(e) is not True] for e in cells
    }
    return [mark for mark in MARKS if mark in drawn]


def marks_sentence(cells: Iterable[Estimate], by: str) -> str:
    """What the squares of these cells mean, without the marks that none of them has.

    >>> marks_sentence([Estimate("r", 0.5, None, None, 0.2, 20, 0.0, "")], "p < .05")
    'All squares are small: no cell is significant (p < .05).'
    """
    full, small, cross = (mark in marks_of(cells) for mark in MARKS)
    if full and small:
        squares = f"A full square is significant ({by}), a small one is not"
    elif full:
        squares = f"All squares are full: significant ({by})"
    else:
        squares = f"All squares are small: no cell is significant ({by})" if small else ""
    crosses = "a cross has no value" if cross else ""
    words = "; ".join(filter(None, (squares, crosses)))
    return f"{raised(words)}." if words else ""


def legend(
    x: float,
    y: float,
    either: tuple[str, str],
    ends: Sequence[str],
    marks: Sequence[str],
    *,
    narrow: bool,
) -> Markup:
    """The legend of colours and, beside or (if `narrow`) under it, of the marks that are drawn.

    `either` is the meaning of the colours below and above 0; `ends` are the values with the deepest colours.
    """
    beside = x if narrow else x + 2 * SWATCH * STEPS + 22
    drawn = _marks(marks, beside, y + 36 if narrow else y, narrow=narrow)
    return svg.element("g", *swatches(x, y, either, ends), *drawn, cls="legend")


def swatches(
    x: float,
    y: float,
    either: tuple[str, str],
    ends: Sequence[str],
    middle_is: str = "0",
    strongest: float = 1.0,
) -> list[Markup]:
    """The swatches of a legend from one end of the colours to the other, with words and numbers.

    `strongest` is the opacity of the deepest colour in the heat map.
    """
    shapes = [
        svg.element(
            "rect", x=x + SWATCH * i, y=y, width=SWATCH - 1, height=11,
            cls="right" if k > 0 else "left", fill_opacity=round(strongest * depth(abs(k), STEPS), 3),
        )
        for i, k in enumerate(k for k in range(-STEPS, STEPS + 1) if k)
    ]  # fmt: skip
    middle, end = x + SWATCH * STEPS, x + 2 * SWATCH * STEPS
    return [
        *shapes,
        svg.text(either[0], middle - 8, y - 5, "left", "end", SIZE),
        svg.text(either[1], middle + 8, y - 5, "right", size=SIZE),
        svg.text(ends[0], x, y + 24, "tick", size=SIZE),
        svg.text(middle_is, middle, y + 24, "tick", "middle", SIZE),
        svg.text(ends[1], end, y + 24, "tick", "end", SIZE),
    ]


def _marks(marks: Sequence[str], x: float, y: float, *, narrow: bool) -> list[Markup]:
    """The legend of large squares, small squares and crosses, on one line if `narrow`, else one a line."""
    size, shapes = 11.0, []
    gaps = dict(zip(MARKS, (0.0, size / 4, None), strict=True))
    for i, words in enumerate(marks):
        gap = gaps[words]
        at, down = (x + 112 * i, y) if narrow else (x, y - 13 + 16 * i)
        if gap is None:
            shapes += _cross(at + size / 2, down + 5.5, size / 4)
        else:
            shapes.append(
                svg.element("rect", x=at + gap, y=down + gap, width=size - 2 * gap,
                            height=size - 2 * gap, cls="right", fill_opacity=0.75)
            )  # fmt: skip
        shapes.append(svg.text(words, at + size + 6, down + 9.5, "tick", size=SIZE))
    return shapes


def _cross(x: float, y: float, arm: float) -> list[Markup]:
    return [svg.line(x - arm, y - way, x + arm, y + way, "gone") for way in (arm, -arm)]
