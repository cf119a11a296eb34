"""How surely a model prefers: confidences above zero one way, mirrored below zero the other.

After Nangia et al. 2020, Figure 2, https://doi.org/10.18653/v1/2020.emnlp-main.154
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np
from markupsafe import Markup

from tiltmeter.core.results import Record
from tiltmeter.core.types import Array
from tiltmeter.report.margins import leans
from tiltmeter.report.plots import svg
from tiltmeter.report.plots.scale import nice_step
from tiltmeter.report.terms import RATE, WAYS
from tiltmeter.report.wording import number

MOST_BINS = 40
WITHIN = 98
"""The axis covers this percentage of all pairs; the surest few stand in the last bin."""


@dataclass(frozen=True, slots=True)
class Spread:
    """One model's confidences, in percent; `more` and `less` by what it prefers. Never negative."""

    label: str
    more: Array
    less: Array
    tied: int = 0
    ways: tuple[str, str] = WAYS[RATE]
    """What the sentences of a pair are: less, more."""

    @property
    def pairs(self) -> int:
        """All pairs that have a confidence, ties among them."""
        return len(self.more) + len(self.less) + self.tied


@dataclass(frozen=True, slots=True)
class Bins:
    """Shared by all models of a picture, so that they can be compared."""

    step: float
    count: int
    tallest: float
    """Share of a model's pairs in the fullest bin, in percent."""

    def shares(self, values: Array, pairs: int) -> Array:
        """Percent of all pairs in each bin, shape (count,); the last has all beyond the end."""
        places = np.minimum((values / self.step + 1e-9).astype(int), self.count - 1)
        return 100 * np.bincount(places, minlength=self.count) / max(pairs, 1)


def spread_of(label: str, records: Sequence[Record], ways: tuple[str, str] = WAYS[RATE]) -> Spread:
    """The confidences of one model's records; `ways` is what the sentences of a pair are: less, more.

    >>> one = Record("1", {"more": -8.0, "less": -10.0}, {})
    >>> spread_of("demo", [one]).more.round(6)
    array([20.])
    """
    values = np.fromiter((100 * lean.confidence for lean in leans(records)), dtype=np.float64)
    tied = int((values == 0).sum())
    return Spread(label, values[values > 0], -values[values < 0], tied, ways)


def bins_of(spreads: Sequence[Spread]) -> Bins:
    """Bins that hold nearly all pairs of all models, and the height that holds every bar."""
    values = np.concatenate([side for s in spreads for side in (s.more, s.less)])
    end = float(np.percentile(values, WITHIN)) if len(values) else 1.0
    step = nice_step(end, MOST_BINS)
    bins = Bins(step, max(4, int(np.ceil(end / step))), 0.0)
    sides = [bins.shares(side, s.pairs) for s in spreads for side in (s.more, s.less)]
    return Bins(step, bins.count, max(float(side.max()) for side in sides) or 1.0)


@dataclass(frozen=True, slots=True)
class Panel:
    """Measures of one panel, in the picture's own units."""

    width: int
    half: int
    """Height of either half."""
    left: int = 44
    top: int = 30


WIDE_PANEL = Panel(width=720, half=110)
NARROW_PANEL = Panel(width=340, half=84, left=36)
BELOW = 60
"""Room under the lower half: for the axis, and for that half's name."""


def panel(spread: Spread, bins: Bins, *, name: str, layout: Panel = WIDE_PANEL) -> Markup:
    """One model's confidences as an inline SVG: to the right surer, up more, down less."""
    zero = layout.top + layout.half
    right, low = layout.width - 12, zero + layout.half
    parts = [_axes(bins, layout)]
    for side, way in ((spread.more, -1), (spread.less, 1)):
        parts += _bars(bins.shares(side, spread.pairs), bins, layout, way)
        parts.append(_median(side, bins, layout, way))
    parts.append(svg.line(layout.left, zero, right, zero, "axis"))
    parts += [
        svg.text(said_side(spread.more, spread.ways[1]), right, layout.top - 10, "way more", "end"),
        svg.text(said_side(spread.less, spread.ways[0]), right, low + 52, "way less", "end"),
        svg.text("confidence, %", right, low + 34, "tick", "end"),
    ]
    height = zero + layout.half + BELOW
    title = f"How surely {spread.label} prefers one sentence of a pair"
    return svg.figure(name, title, said(spread, bins), (layout.width, height), *parts)


def said_side(values: Array, way: str) -> str:
    """One half in words: which sentence, how many pairs, and the median confidence."""
    middle = f", median {number(median(values), '%')} %" if len(values) else ""
    return f"{way}: {len(values):,} pairs{middle}"


def said(spread: Spread, bins: Bins) -> str:
    """The picture in words."""
    end = number(bins.step * bins.count)
    both = zip((spread.more, spread.less), reversed(spread.ways), strict=True)
    halves = "; ".join(said_side(values, way) for values, way in both)
    return f"Preferred: {halves}; {spread.tied:,} tied. The last bar holds what lies above {end} %."


def _axes(bins: Bins, layout: Panel) -> Markup:
    zero, right = layout.top + layout.half, layout.width - 12
    parts = []
    step = nice_step(bins.tallest, 3)
    for k in range(int(bins.tallest / step + 1e-9) + 1):
        for way in (-1, 1) if k else (1,):
            y = zero + way * layout.half * k * step / bins.tallest
            parts.append(svg.line(layout.left, y, right, y, "grid"))
            label = f"{k * step:g} %" if k else "0"
            parts.append(svg.text(label, layout.left - 6, y + 4, "tick", "end"))
    # Ticks at round numbers of percent, whatever the width of the bins.
    end = bins.step * bins.count
    every = nice_step(end, 5)
    for k in range(int(end / every + 1e-9) + 1):
        x = _x(k * every / bins.step, bins, layout)
        y = zero + layout.half
        parts.append(svg.line(x, y, x, y + 4, "axis"))
        parts.append(svg.text(f"{k * every:g}", x, y + 17, "tick", "middle"))
    return Markup("").join(parts)


def _bars(shares: Array, bins: Bins, layout: Panel, way: int) -> list[Markup]:
    zero, wide = layout.top + layout.half, _x(1, bins, layout) - _x(0, bins, layout)
    found = []
    for k, share in enumerate(shares):
        tall = layout.half * float(share) / bins.tallest
        if tall > 0:
            y = zero - tall if way < 0 else zero
            side = "more" if way < 0 else "less"
            x = _x(k, bins, layout)
            found.append(
                svg.element("rect", x=x + 0.75, y=y, width=wide - 1.5, height=tall, cls=side)
            )
    return found


def _median(values: Array, bins: Bins, layout: Panel, way: int) -> Markup:
    if not len(values):
        return Markup("")
    x = _x(min(median(values) / bins.step, bins.count), bins, layout)
    zero = layout.top + layout.half
    return svg.line(x, zero, x, zero + way * layout.half, "median")


def _x(place: float, bins: Bins, layout: Panel) -> float:
    """Where the left edge of bin `place` stands."""
    return layout.left + (layout.width - 12 - layout.left) * place / bins.count
