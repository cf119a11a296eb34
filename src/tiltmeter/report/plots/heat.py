"""A heat map: a row a group, a column a pair of traits, the colour of the trait that a group is nearer to."""

from dataclasses import dataclass

from markupsafe import Markup

from tiltmeter.core.results import Estimate
from tiltmeter.report.grid import Block, Grid, is_told, nearer, traits
from tiltmeter.report.plots import svg
from tiltmeter.report.plots.squares import STEPS, SWATCH, marks, square, swatches, words
from tiltmeter.report.wording import (
    final_p,
    number,
    p_text,
    span,
    visible,
)


@dataclass(frozen=True, slots=True)
class Sheet:
    """Where things stand, in the picture's own units."""

    width: int
    left: int
    """Where the cells begin; group names stand before it."""
    widest: int
    """Of a column."""
    row: int
    head: int
    """How much room a pair's name may have, upwards."""
    size: float
    """Of the letters."""
    legend: int
    """The height of the legend."""


WIDE_SHEET = Sheet(width=720, left=172, widest=44, row=18, head=200, size=12, legend=66)
NARROW_SHEET = Sheet(width=340, left=112, widest=26, row=15, head=170, size=10.5, legend=78)
HEAD_GAP, BLOCK_GAP, DOMAIN = 10, 6, 20
BOLD = 1.1
"""So much broader bold letters are."""


def heat(
    grid: Grid,
    *,
    name: str,
    title: str,
    sheet: Sheet = WIDE_SHEET,
    ways: bool = True,
    reach: float | None = None,
) -> Markup:
    """The cells that are shown, as an inline SVG; told from 0 large, not told small.

    Args:
        grid: At least one cell.
        name: Makes the ids in the page unique.
        title: What the picture shows, for those who do not see it.
        sheet: WIDE_SHEET or NARROW_SHEET.
        ways: Whether colours stand for the traits of a pair; else for either model of a difference.
        reach: The value that has the deepest colour, to share it between pictures.
    """
    reach = reach or grid.reach
    places, step = _columns(grid, sheet)
    head = sheet.legend + _head_height(grid, sheet)
    parts = [_legend(grid, sheet, reach, ways=ways), _heads(grid, places, step, head, sheet)]
    y = head
    for block in grid.rows:
        if block.name:
            y += DOMAIN
            parts.append(_heading(block, y, sheet))
        for group in block.members:
            parts.append(_row(grid, group, y, places, step, sheet, reach))
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
    longest = max(svg.breadth(visible(" – ".join(traits(p))), sheet.size) for p in grid.pairs)
    return min(longest, sheet.head) + HEAD_GAP + (DOMAIN if _named(grid) else 0)


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
        if svg.breadth(f"{left} – {right}", size) > sheet.head:
            half = (sheet.head - svg.breadth(" – ", size)) / 2
            left, right = (svg.fitted(trait, half, size) for trait in (left, right))
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
            cut = svg.fitted(visible(block.name), end - start, BOLD * sheet.size)
            parts += [
                svg.line(start, sheet.legend + 15, end, sheet.legend + 15, "axis"),
                words(cut, start, sheet.legend + 10, sheet.size, "dimension"),
            ]
    return Markup("").join(parts)


def _heading(block: Block, y: float, sheet: Sheet) -> Markup:
    cut = svg.fitted(visible(block.name), sheet.left - 8, BOLD * sheet.size)
    return words(cut, sheet.left - 8, y - 4, sheet.size, "domain", "end")


def _row(
    grid: Grid,
    group: str,
    y: float,
    places: dict[str, float],
    step: float,
    sheet: Sheet,
    reach: float,
) -> Markup:
    cut = svg.fitted(visible(group), sheet.left - 8, sheet.size)
    named = words(cut, sheet.left - 8, y + sheet.row - 5, sheet.size, "label", "end")
    cells = [
        square(cell.value, said(cell), (x, y, step, sheet.row), told=is_told(cell), reach=reach)
        for pair, x in places.items()
        if (cell := grid.cells.get((group, pair)))
    ]
    return svg.element("g", named, *cells, cls="group")


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


def _legend(grid: Grid, sheet: Sheet, reach: float, *, ways: bool) -> Markup:
    """Swatches from one end of the colours to the other, and what the marks mean."""
    y, narrow = 16.0, sheet is NARROW_SHEET
    x = 0.0 if narrow else float(sheet.left)
    beyond = any(abs(cell.value or 0.0) > reach for cell in grid.shown if cell.value)
    ends = [f"{sign}{reach:g}" for sign in ("−", "")]
    if beyond:
        ends = [f"≤ {ends[0]}", f"≥ {ends[1]}"]
    either = ("← left trait", "right trait →") if ways else ("← first lower", "first higher →")
    beside = x if narrow else x + 2 * SWATCH * STEPS + 22
    parts = [
        *swatches(x, y, either, ends),
        *marks(beside, y + 36 if narrow else y, narrow=narrow),
    ]
    return svg.element("g", *parts, cls="legend")


def _said(grid: Grid) -> str:
    """What there is to see; each cell says its own when it is pointed at, and the table has all."""
    known = sorted(grid.known, key=lambda cell: -abs(cell.value or 0.0))[:5]
    strongest = "; ".join(said(cell) for cell in known)
    size = f"{len(grid.groups)} groups by {len(grid.pairs)} pairs of traits"
    return f"{size}; {grid.told} of all {len(grid.known)} cells are told from 0. Strongest: {strongest}"
