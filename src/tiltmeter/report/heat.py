"""A heat map: a row a group, a column a pair of traits, the colour of the trait that a group is nearer to."""

from dataclasses import dataclass

from markupsafe import Markup

from tiltmeter.core.results import Estimate
from tiltmeter.report import svg
from tiltmeter.report.grid import Block, Grid, is_told, nearer, traits
from tiltmeter.report.wording import final_p, number, p_text, span, visible

STEPS = 4
"""Swatches of the legend on either side of 0."""
PALEST = 0.1


@dataclass(frozen=True, slots=True)
class Sheet:
    """Where things stand, in the picture's own units."""

    width: int
    left: int
    """Where the cells begin; group names stand before it."""
    widest: int
    """Of a column."""
    row: int
    letters: int
    """How long a group's name may be."""
    head: int
    """How long a pair's name may be."""
    size: float
    """Of the letters."""
    legend: int
    """The height of the legend."""


WIDE_SHEET = Sheet(width=720, left=172, widest=44, row=18, letters=25, head=34, size=12, legend=66)
NARROW_SHEET = Sheet(
    width=340, left=112, widest=26, row=15, letters=19, head=32, size=10.5, legend=78
)
HEAD_GAP, BLOCK_GAP, DOMAIN = 10, 6, 20


def heat(
    grid: Grid, *, name: str, title: str, sheet: Sheet = WIDE_SHEET, ways: bool = True
) -> Markup:
    """The cells that are shown, as an inline SVG; told from 0 large, not told small.

    Args:
        grid: At least one cell.
        name: Makes the ids in the page unique.
        title: What the picture shows, for those who do not see it.
        sheet: WIDE_SHEET or NARROW_SHEET.
        ways: Whether colours stand for the traits of a pair; else for either model of a difference.
    """
    places, step = _columns(grid, sheet)
    head = sheet.legend + _head_height(grid, sheet)
    parts, y = [_legend(grid, sheet, ways=ways), _heads(grid, places, step, head, sheet)], head
    for block in grid.rows:
        if block.name:
            y += DOMAIN
            parts.append(_heading(block, y, sheet))
        for group in block.members:
            parts.append(_row(grid, group, y, places, step, sheet))
            y += sheet.row
        y += BLOCK_GAP
    return svg.figure(name, title, _said(grid), (sheet.width, y + 4), *parts)


def _columns(grid: Grid, sheet: Sheet) -> tuple[dict[str, float], float]:
    """Where each pair's column begins, and how wide it is."""
    gaps = BLOCK_GAP * (len(grid.columns) - 1)
    step = min(sheet.widest, (sheet.width - sheet.left - gaps) / max(len(grid.pairs), 1))
    places, x = {}, float(sheet.left)
    for block in grid.columns:
        for pair in block.members:
            places[pair] = x
            x += step
        x += BLOCK_GAP
    return places, step


def _head_height(grid: Grid, sheet: Sheet) -> float:
    longest = max(min(len(pair) + 1, sheet.head) for pair in grid.pairs)
    return 0.53 * sheet.size * longest + HEAD_GAP + (DOMAIN if _named(grid) else 0)


def _named(grid: Grid) -> bool:
    return any(block.name for block in grid.columns)


def _heads(
    grid: Grid, places: dict[str, float], step: float, bottom: float, sheet: Sheet
) -> Markup:
    """The pairs, read upwards, each trait in its colour; the dimensions over them."""
    size = min(sheet.size, step)
    parts = []
    for pair, x in places.items():
        left, right = (visible(trait) for trait in traits(pair))
        half = (sheet.head - 3) // 2
        if len(left) + len(right) + 3 > sheet.head:
            left, right = (svg.shortened(trait, half) for trait in (left, right))
        turned = f"rotate(-90 {x + step / 2 + size / 3:.2f} {bottom - 5:.2f})"
        parts.append(
            svg.element(
                "text",
                svg.element("tspan", left, cls="left"),
                " – ",
                svg.element("tspan", right, cls="right"),
                x=x + step / 2 + size / 3, y=bottom - 5, transform=turned, font_size=size,
                cls="head",
            )
        )  # fmt: skip
    for block in grid.columns:
        if block.name:
            start, end = places[block.members[0]], places[block.members[-1]] + step
            letters = max(3, int((end - start) / (0.6 * sheet.size)))
            label = svg.shortened(visible(block.name), letters)
            parts += [
                svg.line(start, sheet.legend + 15, end, sheet.legend + 15, "axis"),
                _text(label, start, sheet.legend + 10, sheet.size, "dimension"),
            ]
    return Markup("").join(parts)


def _heading(block: Block, y: float, sheet: Sheet) -> Markup:
    label = svg.shortened(visible(block.name), sheet.letters)
    return _text(label, sheet.left - 8, y - 4, sheet.size, "domain", "end")


def _row(
    grid: Grid, group: str, y: float, places: dict[str, float], step: float, sheet: Sheet
) -> Markup:
    label = svg.shortened(visible(group), sheet.letters)
    named = _text(label, sheet.left - 8, y + sheet.row - 5, sheet.size, "label", "end")
    cells = [
        _cell(grid.cells[group, pair], grid.reach, x, y, step, sheet.row)
        for pair, x in places.items()
        if (group, pair) in grid.cells
    ]
    return svg.element("g", named, *cells, cls="group")


def _cell(cell: Estimate, reach: float, x: float, y: float, wide: float, high: float) -> Markup:
    """A square that fills its place where the cell is told from 0, and half of it where not."""
    title = svg.element("title", said(cell))
    if cell.value is None:
        mid, middle, arm = x + wide / 2, y + high / 2, min(wide, high) / 4
        cross = [
            svg.line(mid - arm, middle - way, mid + arm, middle + way, "gone")
            for way in (arm, -arm)
        ]
        return svg.element("g", title, *cross, cls="undefined")
    gap = 0.5 if is_told(cell) else min(wide, high) / 4
    kind = f"{'right' if cell.value > 0 else 'left'}{'' if is_told(cell) else ' unsure'}"
    return svg.element(
        "rect", title, x=x + gap, y=y + gap, width=wide - 2 * gap, height=high - 2 * gap,
        cls=kind, fill_opacity=depth(cell.value, reach),
    )  # fmt: skip


def depth(value: float, reach: float) -> float:
    """How deep the colour is: 1 from `reach` on, a tenth near 0, so that it can be seen at all.

    >>> depth(-0.25, 0.5), depth(2.0, 0.5), depth(0.0, 0.5)
    (0.55, 1.0, 0.1)
    """
    return round(PALEST + (1 - PALEST) * min(abs(value) / reach, 1.0), 3)


def said(cell: Estimate) -> str:
    """A cell in words, for whoever points at it.

    >>> said(Estimate("association", -0.42, -0.6, -0.24, 0.003, 35, 0.0, "nats",
    ...               groups={"group": "elderly", "pair": "traditional - modern"}))
    'elderly, traditional – modern: −0.420 (−0.600 to −0.240), p 0.00300; nearer to traditional'
    """
    left, right = traits(cell.groups["pair"])
    start = f"{visible(cell.groups['group'])}, {visible(left)} – {visible(right)}: "
    if cell.value is None:
        return f"{start}undefined: {visible(cell.why) or 'no reason was recorded'}"
    p, inside = final_p(cell), span(cell)
    parts = [number(cell.value, cell.unit), f" ({inside})" if inside else ""]
    parts.append("" if p is None else f", p {p_text(p)}")
    if cell.name == "association":
        parts.append(f"; nearer to {nearer(cell)}" if is_told(cell) else "; not told from 0")
    return start + "".join(parts)


def _legend(grid: Grid, sheet: Sheet, *, ways: bool) -> Markup:
    """Swatches from one end of the colours to the other, and what the marks mean."""
    wide, y, narrow = 24.0, 16.0, sheet is NARROW_SHEET
    x = 0.0 if narrow else float(sheet.left)
    beyond = any(abs(cell.value or 0.0) > grid.reach for cell in grid.shown if cell.value)
    parts = []
    for i, k in enumerate(k for k in range(-STEPS, STEPS + 1) if k):
        kind, share = ("right" if k > 0 else "left"), depth(abs(k), STEPS)
        parts.append(
            svg.element("rect", x=x + wide * i, y=y, width=wide - 1, height=11, cls=kind,
                        fill_opacity=share)
        )  # fmt: skip
    ends = [f"{sign}{grid.reach:g}" for sign in ("−", "")]
    if beyond:
        ends = [f"≤ {ends[0]}", f"≥ {ends[1]}"]
    middle, end = x + wide * STEPS, x + 2 * wide * STEPS
    words = ("← left trait", "right trait →") if ways else ("← lower", "higher →")
    parts += [
        _text(words[0], middle - 8, y - 5, 11, "left", "end"),
        _text(words[1], middle + 8, y - 5, 11, "right"),
        _text(ends[0], x, y + 24, 11, "tick"),
        _text("0", middle, y + 24, 11, "tick", "middle"),
        _text(ends[1], end, y + 24, 11, "tick", "end"),
        *_marks(x if narrow else end + 22, y + 36 if narrow else y, narrow=narrow),
    ]
    return svg.element("g", *parts, cls="legend")


def _marks(x: float, y: float, *, narrow: bool) -> list[Markup]:
    """What large and small squares and crosses mean: in one line, or under each other."""
    size, parts = 11.0, []
    kinds = (("told from 0", 0.0), ("not told", size / 4), ("undefined", None))
    for i, (words, gap) in enumerate(kinds):
        at, down = (x + 104 * i, y) if narrow else (x, y - 13 + 16 * i)
        if gap is None:
            arm = size / 4
            parts += [
                svg.line(at + arm, down + 5.5 - way, at + 3 * arm, down + 5.5 + way, "gone")
                for way in (arm, -arm)
            ]
        else:
            parts.append(
                svg.element("rect", x=at + gap, y=down + gap, width=size - 2 * gap,
                            height=size - 2 * gap, cls="right", fill_opacity=0.75)
            )  # fmt: skip
        parts.append(_text(words, at + size + 6, down + 9.5, 11, "tick"))
    return parts


def _text(words: str, x: float, y: float, size: float, cls: str, anchor: str = "start") -> Markup:
    return svg.element("text", words, x=x, y=y, text_anchor=anchor, cls=cls, font_size=size)


def _said(grid: Grid) -> str:
    """What there is to see; each cell says its own when it is pointed at, and the table has all."""
    known = sorted(grid.known, key=lambda cell: -abs(cell.value or 0.0))[:5]
    strongest = "; ".join(said(cell) for cell in known)
    size = f"{len(grid.groups)} groups by {len(grid.pairs)} pairs of traits"
    return f"{size}; {grid.told} of all {len(grid.known)} cells are told from 0. Strongest: {strongest}"
