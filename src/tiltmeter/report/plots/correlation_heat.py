"""A heat map of pairs, such as correlations between measures, in which each pair appears once."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from markupsafe import Markup

from tiltmeter.core.estimates import Estimate
from tiltmeter.core.text import counted, visible
from tiltmeter.report.few_items import shown_significant
from tiltmeter.report.plots import svg
from tiltmeter.report.plots.squares import HeatLayout, cell_words, head, legend, marks_of, square
from tiltmeter.report.text import correlation

Cells: TypeAlias = Mapping[tuple[str, str], Estimate]
"""The estimates of pairs, by the names of both members."""
MOST = 24
"""How many members are drawn; of more, only those in the strongest pairs."""


WIDE = HeatLayout(width=720, left=330, widest=52, head=320, size=12, legend=62)
NARROW = HeatLayout(width=340, left=200, widest=40, head=280, size=10.5, legend=82, narrow=True)
ROOM = 30.0
"""Cells at least this wide have their number under them."""
NUMBER = 12.5
"""The height of that number."""


def drawn(cells: Cells, names: Sequence[str]) -> list[str]:
    """The members that are drawn, in their original order: at most `MOST`, those in the strongest pairs."""
    strength = dict.fromkeys(names, 0.0)
    for pair, e in cells.items():
        for name in pair:
            strength[name] = max(strength[name], abs(e.value or 0.0))
    strongest = {*sorted(names, key=lambda name: -strength[name])[:MOST]}
    return [name for name in names if name in strongest]


def relations_heat(
    cells: Cells,
    numbers: Mapping[str, str],
    *,
    name: str,
    title: str,
    ends: tuple[str, str] = ("", ""),
    layout: HeatLayout = WIDE,
) -> Markup:
    """The heat map as an inline SVG, with large squares for significant pairs and numbers where they fit.

    Values are from −1 to 1, whose meanings are `ends`. `numbers` gives the number of each member in a list
    beside the picture, "" for none, and their order.
    """
    chosen = drawn(cells, [*numbers])
    across = [x for x in chosen if any((x, y) in cells for y in chosen)]
    down = [y for y in chosen if any((x, y) in cells for x in chosen)]
    short = _short_names(chosen)
    labels = {y: _label(short[y], numbers[y], layout.left - 16, layout.size) for y in down}
    left = 16 + max(svg.breadth(label, layout.size) for label in labels.values())
    step = min(layout.widest, (layout.width - left) / len(across))
    high = step if step < ROOM else 0.6 * step + NUMBER
    heads = {x: _label(short[x], numbers[x], layout.head, layout.size) for x in across}
    top = layout.legend + max(svg.breadth(label, layout.size) for label in heads.values()) + 8
    marks = marks_of([cells[x, y] for x in across for y in down if (x, y) in cells])
    shapes = [legend(0.0, 16.0, ends, ("−1", "1"), marks, narrow=layout.narrow)]
    shapes += [
        head([heads[x]], left + step * (k + 0.5), top, min(layout.size, step))
        for k, x in enumerate(across)
    ]
    for row, y in enumerate(down):
        place = top + row * high
        size = min(layout.size, high)
        shapes.append(svg.text(labels[y], left - 8, place + high / 2 + 4, "label", "end", size))
        for k, x in enumerate(across):
            if (x, y) in cells:
                shapes += _cell(cells[x, y], left + k * step, place, step)
    bottom = top + len(down) * high + 4
    return svg.figure(name, title, _described(cells.values()), (layout.width, bottom), *shapes)


def _short_names(names: Sequence[str]) -> dict[str, str]:
    """The names without axes and without the rule at their end, unless they would no longer be distinct.

    >>> _short_names(["sos rate, status: other (pll_shared)", "f1 (classify)"])
    {'sos rate, status: other (pll_shared)': 'sos rate, other', 'f1 (classify)': 'f1'}
    """
    short = {name: re.sub(r" \([^()]*\)$", "", re.sub(r"(?<=, )\w+: ", "", name)) for name in names}
    return short if len({*short.values()}) == len(names) else {name: name for name in names}


def _label(name: str, place: str, room: float, size: float) -> str:
    """The name of a member, cut to the available room, with its number in the list."""
    number = f"  {place}" if place else ""
    return svg.fitted(visible(name), room - svg.breadth(number, size), size) + number


def _words(e: Estimate) -> str:
    return cell_words(e, f"{e.groups['x']} and {e.groups['y']}", show=correlation)


def _cell(e: Estimate, x: float, y: float, step: float) -> list[Markup]:
    """The square of a pair and, where there is room, its number under it."""
    high = step if step < ROOM else 0.6 * step
    box, sure = (x, y, step, high), shown_significant(e) is True
    shapes = [square(e.value, _words(e), box, significant=sure, reach=1.0)]
    if e.value is not None and step >= ROOM:
        size, middle = min(NUMBER - 2.0, 0.3 * step), x + step / 2
        foot = y + high + size - 1
        shown = correlation(e.value)
        if svg.breadth(shown, size) > step:  # its many nines would run into the next cell
            shown = f"{e.value:z.2f}".replace("-", "−")
        shapes.append(svg.text(shown, middle, foot, "number", "middle", size))
    return shapes


def _described(estimates: Iterable[Estimate]) -> str:
    """The picture in words: how many pairs are significant, and the five strongest."""
    known = [e for e in estimates if e.value is not None]
    strongest = "; ".join(_words(e) for e in sorted(known, key=lambda e: -abs(e.value or 0.0))[:5])
    count = sum(shown_significant(e) is True for e in known)
    return (
        f"{counted(len(known), 'pairs of measures')}; {count} significant. Strongest: {strongest}"
    )
