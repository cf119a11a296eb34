"""Every ratio over commits: one panel a case, one line a program, on a logarithmic axis."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, floor, log10

from markupsafe import Markup

from benchmarks.results.run_file import RunFile
from tiltmeter.report.plots import svg
from tiltmeter.report.plots.export import standalone

WIDTH, LEFT, PLOT = 820.0, 44.0, 300.0
KEY = LEFT + PLOT + 26
"""Where the names of the lines begin."""
TOP, ROW, GAP, SIZE = 40.0, 17.0, 30.0, 12
HEADING = 13
COLOURS = 6


@dataclass(frozen=True, slots=True)
class RatioLine:
    """One program in one case."""

    label: str
    values: Sequence[float | None]
    """One a run, in their order; None where the run did not measure it."""

    @property
    def last(self) -> float:
        """The newest value."""
        return next(value for value in reversed(self.values) if value is not None)


def ratio_plot(runs: Sequence[RunFile]) -> str:
    """An SVG of its own.

    Args:
        runs: At least one with a ratio, the oldest first.
    """
    names = [_run_name(run) for run in runs]
    parts: list[Markup] = []
    top = TOP
    for case, lines in ratio_lines(runs).items():
        panel = _Panel.of(lines, top, len(runs))
        heading = svg.fitted(case, WIDTH, HEADING)
        parts += [svg.text(heading, 0, top, "strong", size=HEADING), *_axes(panel, names)]
        parts += [part for n, line in enumerate(lines) for part in _line(panel, line, n)]
        top = panel.foot + 16 + GAP
    title = "How many times as long as Tiltmeter other programs take, by commit"
    head = svg.text("↑ times as long as Tiltmeter (logarithmic)", 0, 12, "tick", size=SIZE)
    drawing = svg.figure("ratios", title, _described(runs), (WIDTH, top - GAP), head, *parts)
    return standalone(str(drawing))[0]


def ratio_lines(runs: Sequence[RunFile]) -> Mapping[str, list[RatioLine]]:
    """By task and case, and by processor where there are several: the programs, the slowest first."""
    found: dict[str, dict[str, list[float | None]]] = {}
    processors = {_processor(run) for run in runs}
    for place, run in enumerate(runs):
        where = f", {_processor(run)}" if len(processors) > 1 else ""
        for one in run.compared():
            ways = found.setdefault(f"{one.task}: {one.row.case}{where}", {})
            ways.setdefault(one.row.way, [None] * len(runs))[place] = one.ratio
    return {
        case: sorted((RatioLine(*way) for way in ways.items()), key=lambda line: -line.last)
        for case, ways in found.items()
    }


@dataclass(frozen=True, slots=True)
class _Panel:
    """Where the values of one task stand."""

    top: float
    foot: float
    low: float
    """Of the axis, as a logarithm to base 10."""
    high: float
    runs: int

    @classmethod
    def of(cls, lines: Sequence[RatioLine], top: float, runs: int) -> "_Panel":
        values = [log10(v) for line in lines for v in line.values if v is not None and v > 0]
        low, high = min(0.0, *values), max(0.0, *values)
        room = 0.08 * (high - low) or 0.1
        return cls(top + 12, top + 12 + max(64.0, ROW * len(lines)), low - room, high + room, runs)

    def up(self, value: float) -> float:
        """Where a ratio stands."""
        share = (log10(value) - self.low) / (self.high - self.low)
        return self.foot - share * (self.foot - self.top)

    def along(self, place: int) -> float:
        """Where a run stands."""
        return LEFT + PLOT * (place + 0.5) / self.runs


def _axes(panel: _Panel, names: Sequence[str]) -> Iterator[Markup]:
    for tick in _ticks(panel):
        at = panel.up(tick)
        yield svg.line(LEFT, at, LEFT + PLOT, at, "neutral" if tick == 1 else "grid")
        yield svg.text(f"{tick:g}", LEFT - 6, at + 4, "tick", "end", SIZE)
    room = PLOT / panel.runs
    for place, name in enumerate(names):
        shown = svg.fitted(name, max(room, 40), SIZE)
        if room >= svg.breadth(shown, SIZE) or place in {0, len(names) - 1}:
            yield svg.text(shown, panel.along(place), panel.foot + 14, "tick", "middle", SIZE)


def _ticks(panel: _Panel) -> list[float]:
    """1, 2, 5, 10, 20, 50, …; only powers of ten on a long axis."""
    steps = (1, 2, 5) if panel.high - panel.low < 1.5 else (1,)
    powers = range(floor(panel.low), ceil(panel.high) + 1)
    every = [step * 10.0**power for power in powers for step in steps]
    return [tick for tick in every if panel.low <= log10(tick) <= panel.high]


def _line(panel: _Panel, line: RatioLine, number: int) -> Iterator[Markup]:
    """The line with its dots, and its name with the newest value in the key."""
    style = f"series d{number % COLOURS + 1}"
    places = [
        None if value is None else (panel.along(place), panel.up(value))
        for place, value in enumerate(line.values)
    ]
    for one, other in pairwise(place for place in places if place):
        yield svg.line(*one, *other, style)
    for x, y in filter(None, places):
        yield svg.element("circle", cx=x, cy=y, r=3, cls=f"{style} dot")
    at = panel.top + ROW * (number + 0.5)
    yield svg.element("circle", cx=KEY - 10, cy=at - 4, r=3, cls=f"{style} dot")
    label = svg.fitted(f"{line.last:.3g} ×  {line.label}", WIDTH - KEY, SIZE)
    yield svg.text(label, KEY, at, "label", size=SIZE)


def _processor(run: RunFile) -> str:
    return str(run.machine.get("processor", "unknown processor"))


def _run_name(run: RunFile) -> str:
    return run.commit[:7] or run.date[:10]


def _described(runs: Sequence[RunFile]) -> str:
    return "; ".join(
        f"{case}: " + ", ".join(f"{line.label} {line.last:.3g}" for line in lines)
        for case, lines in ratio_lines(runs).items()
    )
