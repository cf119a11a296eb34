"""Histograms of a model's confidences: preferences for one side upwards, for the other side downwards.

After Nangia et al. 2020, Figure 2, https://doi.org/10.18653/v1/2020.emnlp-main.154
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np
from markupsafe import Markup

from tiltmeter.core.records import Record
from tiltmeter.core.study_views import Margins
from tiltmeter.core.text import counted, visible
from tiltmeter.core.types import Array
from tiltmeter.report.margins import margins
from tiltmeter.report.plots import svg
from tiltmeter.report.plots.scale import PlotAxis, Scale, nice_step
from tiltmeter.report.text import number

MOST_BINS = 40
WITHIN = 98
"""The percentage of items that the axis covers; the few with higher confidences are in the last bin."""


@dataclass(frozen=True, slots=True)
class Confidences:
    """The confidences of one model in percent, never negative, by the side that it prefers."""

    model: str
    first: Array
    second: Array
    view: Margins
    tied: int = 0

    @property
    def items(self) -> int:
        """How many items have a confidence, including ties."""
        return len(self.first) + len(self.second) + self.tied


@dataclass(frozen=True, slots=True)
class Bins:
    """The bins of the histograms, shared by all models of a picture so that they can be compared."""

    step: float
    count: int
    tallest: float
    """The largest share of a model's items in any bin, in percent."""

    def across(self, layout: "Panel") -> PlotAxis:
        """The axis of confidences, in percent."""
        end = self.step * self.count
        every = nice_step(end, 5)
        ticks = tuple(k * every for k in range(int(end / every + 1e-9) + 1))
        return PlotAxis(Scale(0.0, end, 0.0, ticks), layout.left, layout.right)

    def shares(self, values: Array, items: int) -> Array:
        """The percentage of all items in each bin, shape (count,); the last also has all values beyond it."""
        # A hair more, so that floating point does not put the edge of a bin into the bin before it.
        places = np.minimum((values / self.step + 1e-9).astype(int), self.count - 1)
        return 100 * np.bincount(places, minlength=self.count) / max(items, 1)


def confidences(
    model: str, records: Sequence[Record], view: Margins, decimals: int | None = None
) -> Confidences:
    """The confidences of one model's records, from scores rounded to `decimals` as the run compared them.

    >>> one = Record("1", {"more": -8.0, "less": -10.0}, {})
    >>> confidences("demo", [one], Margins(("more", "less"), ("more", "less"))).first.round(6)
    array([20.])
    """
    values = np.fromiter(
        (100 * m.value for m in margins(records, view, decimals=decimals)), dtype=np.float64
    )
    tied = int((values == 0).sum())
    return Confidences(model, values[values > 0], -values[values < 0], view, tied)


def bins_of(models: Sequence[Confidences]) -> Bins:
    """Bins that cover nearly all items of all models, with the height of the tallest bar."""
    values = np.concatenate([side for c in models for side in (c.first, c.second)])
    end = float(np.percentile(values, WITHIN)) if len(values) else 1.0
    step = nice_step(end, MOST_BINS)
    bins = Bins(step, max(4, int(np.ceil(end / step))), 0.0)
    sides = [bins.shares(side, c.items) for c in models for side in (c.first, c.second)]
    return Bins(step, bins.count, max(float(side.max()) for side in sides) or 1.0)


@dataclass(frozen=True, slots=True)
class Panel:
    """The dimensions of one model's panel, in the picture's own units."""

    width: int
    half: int
    """The height of either half."""
    left: int = 44
    top: int = 30
    lines: int = 1
    """In how many lines each half is described."""

    @property
    def right(self) -> int:
        """The right end of the bars."""
        return self.width - 12

    @property
    def zero(self) -> int:
        """The height of the line between the two halves."""
        return self.top + self.half

    @property
    def height(self) -> int:
        """The height of the panel including the words under it."""
        return self.top + 2 * self.half + BELOW + LINE * (self.lines - 1)


WIDE = Panel(width=720, half=110)
NARROW = Panel(width=340, half=84, left=36, top=44, lines=2)
BELOW, LINE = 60, 14
"""Room under the lower half for the axis and that half's name, and the distance between lines of text."""
HEADING, BETWEEN = 26, 40
"""Room above a panel for the model's name, and between panels."""


def confidence_plot(
    shown: Sequence[Confidences], *, name: str, title: str, layout: Panel = WIDE
) -> Markup:
    """A panel for each model on shared axes, confidence to the right, the first side up, the second down.

    All are of one view. In the wide layout, the panels of several models are drawn in two columns.
    """
    bins = bins_of(shown)
    alone = len(shown) == 1
    across = 1 if alone or layout is NARROW else 2
    layout = layout if alone else NARROW
    high = layout.height + (0 if alone else HEADING)
    panels = []
    for place, model in enumerate(shown):
        x, y = (place % across) * (layout.width + BETWEEN), (place // across) * high
        drawn = [panel(model, bins, layout)]
        if not alone:
            label = svg.fitted(visible(model.model), layout.width, 15)
            drawn = [svg.text(label, 0, 18, "label strong"),
                     svg.element("g", *drawn, transform=f"translate(0 {HEADING})")]  # fmt: skip
        panels.append(svg.element("g", *drawn, transform=f"translate({x} {y})"))
    width = across * layout.width + (across - 1) * BETWEEN
    desc = " ".join(f"{c.model}: {described(c, bins)}" for c in shown)
    return svg.figure(name, title, desc, (width, -(-len(shown) // across) * high), *panels)


def panel(model: Confidences, bins: Bins, layout: Panel) -> Markup:
    """The drawing of one model's confidences, without its name."""
    zero, x = layout.zero, bins.across(layout)
    low = zero + layout.half
    shapes = [*_shares(bins, layout), *x.numbers(low + 17)]
    shapes += [svg.line(at, low, at, low + 4, "axis") for at in map(x.at, x.scale.ticks)]
    for side, up, colour in ((model.first, 1, "more"), (model.second, -1, "less")):
        shapes += _bars(bins.shares(side, model.items), x, bins, layout, up, colour)
        if len(side):
            middle = x.at(median(side))
            shapes.append(svg.line(middle, zero, middle, zero - up * layout.half, "median"))
    shapes.append(svg.line(layout.left, zero, layout.right, zero, "axis"))
    first, more = layout.top - 10 - LINE * (layout.lines - 1), layout.left + 16
    for which, y, colour in ((0, first, "more"), (1, low + 52, "less")):
        swatch = {"x": layout.left, "y": y - 9, "width": 10, "height": 10}
        shapes.append(svg.element("rect", **swatch, cls=f"{colour} swatch"))
        lines = [half(model, which)] if layout.lines == 1 else _named_and_counted(model, which)
        for place, words in enumerate(lines):
            shown = svg.fitted(words, layout.width - more, 12)
            shapes.append(svg.text(shown, more, y + LINE * place, f"way {colour}"))
    shapes.append(svg.text("confidence, %", layout.right, low + 34, "tick", "end"))
    return Markup("").join(shapes)


def half(model: Confidences, side: int) -> str:
    """One half (0 for the first side) in words: what is preferred, how often, and the median confidence."""
    return ": ".join(_named_and_counted(model, side))


def _named_and_counted(model: Confidences, side: int) -> tuple[str, str]:
    values = (model.first, model.second)[side]
    middle = f", median {number(median(values), '%')} %" if len(values) else ""
    return visible(model.view.titles[side]), f"{counted(len(values), model.view.called)}{middle}"


def described(model: Confidences, bins: Bins) -> str:
    """The panel in words, for readers who cannot see it."""
    end = number(bins.step * bins.count)
    halves = f"{half(model, 0)}; {half(model, 1)}"
    return (
        f"Preferred: {halves}; {model.tied:,} tied. The last bar includes everything above {end} %."
    )


def _shares(bins: Bins, layout: Panel) -> list[Markup]:
    """Horizontal grid lines with numbers at round shares of the items, the same above and below zero."""
    shapes, step = [], nice_step(bins.tallest, 3)
    for k in range(int(bins.tallest / step + 1e-9) + 1):
        for way in (-1, 1) if k else (1,):
            y = layout.zero + way * layout.half * k * step / bins.tallest
            label = f"{k * step:g} %" if k else "0"
            shapes.append(svg.line(layout.left, y, layout.right, y, "grid"))
            shapes.append(svg.text(label, layout.left - 6, y + 4, "tick", "end"))
    return shapes


def _bars(
    shares: Array, x: PlotAxis, bins: Bins, layout: Panel, up: int, colour: str
) -> list[Markup]:
    bars = []
    for k, share in enumerate(shares):
        tall = layout.half * float(share) / bins.tallest
        if tall > 0:
            left, right = x.at(k * bins.step) + 0.75, x.at((k + 1) * bins.step) - 0.75
            y = layout.zero - (tall if up > 0 else 0)
            box = {"x": left, "y": y, "width": right - left, "height": tall}
            bars.append(svg.element("rect", **box, cls=colour))
    return bars
