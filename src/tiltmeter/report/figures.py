"""Static pictures for papers: the same plots as on the page, drawn by matplotlib."""

import io
import math
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from tiltmeter.analysis.matrix import is_matrix
from tiltmeter.core.errors import BadInput, MissingExtra, StorageError
from tiltmeter.core.results import Estimate, Result
from tiltmeter.report.estimate_families import by_value, headline_of, main_family
from tiltmeter.report.matrix_figures import matrix_figures
from tiltmeter.report.plots.confidence_plot import Bins, Spread, bins_of, said_side, spread_of
from tiltmeter.report.plots.icat_labels import (
    NAMED,
    Frame,
    Spot,
    icat_of,
    numerals,
    spot_of,
    stacked,
)
from tiltmeter.report.plots.icat_surface import (
    IDEAL,
    LEVELS,
    RANDOM,
    TICKS,
    label_place,
    level_line,
)
from tiltmeter.report.plots.scale import scale_of
from tiltmeter.report.plots.svg import shortened
from tiltmeter.report.terms import LMS, SS
from tiltmeter.report.wording import (
    axis_title,
    is_clear,
    neutral_text,
    neutral_words,
    subset,
    title,
    visible,
    ways_of,
)

MORE, LESS, INK, GRID, LABEL = "#b0531f", "#2b6f95", "#22211f", "#e6e1d7", "#5f5a52"

LONGEST_NAME = 38
"""Letters of a model's name over its panel."""

PANELS_ACROSS = 4
NAME_APART = 5.0
"""Points of lms between two names beside the surface of icat."""
PLOT = Frame(width=420, left=0, right=420, height=360, top=0)
"""The plot as it would be on the page, so that numbers find their places as they do there."""
SMALLER = 0.55
"""So much smaller are letters here, in points, than there."""

# Text stays text in the files, and equal results give equal files.
_STYLE: dict[Any, Any] = {
    "pdf.fonttype": 42,
    "svg.fonttype": "none",
    "svg.hashsalt": "tiltmeter",
    "font.size": 8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "text.usetex": False,
    "text.parse_math": False,
    "figure.dpi": 100,
}
# What would say when the file was made, by the name each format has for it.
_UNDATED: dict[str, dict[str, str | None]] = {
    "pdf": {"CreationDate": None},
    "svg": {"Date": None},
    "png": {"Software": "Tiltmeter"},
}


def save_figures(
    results: Sequence[Result],
    folder: Path,
    *,
    format: Literal["pdf", "png", "svg"] = "pdf",  # noqa: A002  # matplotlib's own word
    groups: Sequence[str] = (),
) -> list[Path]:
    """A forest plot by category for each result, and pictures of all of them together.

    Of pairs their confidences; of context associations the models on the surface of icat; of groups and
    traits a heat map in place of all these.

    Args:
        results: At least one; of one study where their confidences are to be compared.
        folder: Made where it is not there; files of the same names are replaced.
        format: Vector (pdf, svg) for papers, png at 300 dots per inch.
        groups: Of groups and traits, those that get a chart of their own.

    Returns:
        The files written, forest plots first. A result without categories has no forest plot,
        results without pairs have no picture of confidences, and those without ss and lms none of
        icat.

    Raises:
        MissingExtra: matplotlib is not installed.
        StorageError: A file could not be written.
        UnknownName: There is no such group.
        BadInput: Groups are named, and the results are not of groups.
    """
    matrices = all(map(is_matrix, results))
    if groups and not matrices:
        raise BadInput(f"{groups[0]!r} has no chart: this is no run of groups and traits")
    try:
        import matplotlib as mpl  # noqa: PLC0415  # an extra: the page needs none of it
    except ImportError as error:
        raise MissingExtra("Pictures", "plots") from error
    drawn: dict[str, Any] = {}
    with mpl.rc_context(_STYLE):
        if matrices:
            for i, result in enumerate(results, 1):
                end = f"-{i}" if len(results) > 1 else ""
                drawn |= {f"{k}{end}": f for k, f in matrix_figures(result, groups).items()}
            return [_write(f, folder / f"{name}.{format}", format) for name, f in drawn.items()]
        for i, result in enumerate(results, 1):
            figure = _forest(result)
            if figure is not None:
                drawn[f"forest-{_slug(result)}{f'-{i}' if len(results) > 1 else ''}"] = figure
        spreads = [spread_of(_model(r), r.records, ways_of(r.estimates)) for r in results]
        if all(spread.pairs for spread in spreads):
            drawn["confidence"] = _confidence(spreads, bins_of(spreads))
        spots = [spot for r in results if (spot := spot_of(_model(r), r.estimates))]
        if spots:
            drawn["icat"] = _surface(spots)
        return [_write(f, folder / f"{name}.{format}", format) for name, f in drawn.items()]


def _forest(result: Result) -> Any:
    """Categories by value with the whole at the foot; None without categories."""
    head, family = headline_of(result.estimates), main_family(result.estimates)
    if head is None or family is None:
        return None
    rows = [*(e for e in by_value(family.estimates) if e.value is not None), head]
    scale = scale_of(rows)
    figure = _figure(5.5, 0.7 + 0.24 * len(rows))
    axes = figure.subplots()
    for y, estimate in enumerate(reversed(rows)):
        _mark(axes, estimate, y)
    axes.axvline(scale.neutral, color=INK, linewidth=0.8)
    labels = [f"{subset(e.groups, with_axis=False)} (n {e.n:,})" for e in reversed(rows)]
    axes.set_yticks(range(len(rows)), labels)
    axes.set_xticks(scale.ticks)
    axes.set_xlim(scale.low, scale.high)
    axes.tick_params(left=False)
    axes.spines["left"].set_visible(False)
    axes.set_xlabel(f"{title(head.name)}, {head.unit}; {neutral_words(head)} {neutral_text(head)}")
    axes.set_title(f"{_model(result)}, by {axis_title(family.axes[0])}", loc="left")
    return figure


def _mark(axes: Any, estimate: Estimate, y: int) -> None:
    if estimate.low is not None and estimate.high is not None:
        axes.plot([estimate.low, estimate.high], [y, y], color=INK, linewidth=1)
    if estimate.value is not None:
        face, kind = (INK if is_clear(estimate) else "white"), ("o" if estimate.groups else "D")
        axes.plot([estimate.value], [y], kind, color=INK, markerfacecolor=face, markersize=5)


def _confidence(spreads: Sequence[Spread], bins: Bins) -> Any:
    """One panel a model on shared axes: up more stereotyping preferred, down less."""
    across = min(len(spreads), PANELS_ACROSS)
    down = math.ceil(len(spreads) / across)
    figure = _figure(max(3.4, 2.6 * across), 2.6 * down)
    panels = figure.subplots(down, across, sharex=True, sharey=True, squeeze=False).flat
    edges = [bins.step * k for k in range(bins.count)]
    for axes, spread in zip(panels, spreads, strict=False):
        for side, way, colour in ((spread.more, 1, MORE), (spread.less, -1, LESS)):
            shares = way * bins.shares(side, spread.pairs)
            axes.bar(edges, shares, width=0.9 * bins.step, align="edge", color=colour)
        axes.axhline(0, color=INK, linewidth=0.8)
        sides = [
            said_side(values, way)
            for values, way in zip((spread.more, spread.less), spread.ways[::-1], strict=True)
        ]
        axes.set_title(
            "\n".join((shortened(spread.label, LONGEST_NAME), *sides)), loc="left", fontsize=7
        )
        axes.tick_params(labelbottom=True)  # also above a place that stays empty
        axes.set_xlabel("confidence, %")
        axes.yaxis.set_major_formatter(lambda share, _: f"{abs(share):g}")
    for axes in panels[len(spreads) :]:
        axes.remove()
    for axes in panels[::across]:
        axes.set_ylabel("share of pairs, %")
    return figure


def _surface(spots: Sequence[Spot]) -> Any:
    """The models over shaded steps of icat, named beside the plot in the order of their lms."""
    figure = _figure(5.5, 3.6)
    axes = figure.subplots()
    for level in LEVELS:
        ss, lms = zip(*level_line(level), strict=True)
        axes.fill_between(ss, lms, 100, color=LESS, alpha=0.075, linewidth=0)
        axes.plot(ss, lms, color=LESS, alpha=0.45, linewidth=0.5)
        axes.text(
            *label_place(level), f"{level}", color=LABEL, fontsize=6, ha="center", va="center"
        )
    axes.axvline(50, color=INK, linewidth=0.8)
    for place, mark, words in (((50, 100), "D", IDEAL), ((50, 50), "s", RANDOM)):
        axes.plot(*place, mark, color=MORE, markerfacecolor="white", markersize=5, clip_on=False)
        away, side = ((-6, 4), "right") if words == IDEAL else ((6, -9), "left")
        axes.annotate(words, place, away, textcoords="offset points", ha=side, fontsize=7)
    for spot in spots:
        _cross(axes, spot)
    _names(axes, spots)
    axes.set(xlim=(0, 100), ylim=(0, 100), xticks=TICKS, yticks=TICKS)
    axes.set_xlabel(f"{title(SS)}, %; no preference 50")
    axes.set_ylabel(f"{title(LMS)}, %")
    axes.set_title("icat, in steps of 10", loc="left", pad=10)
    return figure


def _names(axes: Any, spots: Sequence[Spot]) -> None:
    """In a column beside the plot: few with a line to each point, many by number."""
    many = len(spots) > NAMED
    heights = stacked([spot.at[1] for spot in spots], NAME_APART)
    if many:
        heights = [98 - min(NAME_APART, 100 / len(spots)) * i for i in range(len(spots))]
    line = {"arrowstyle": "-", "color": LABEL, "linewidth": 0.5, "shrinkB": 3}
    places = numerals(spots, PLOT)
    for i, (spot, height, (x, y)) in enumerate(zip(spots, heights, places, strict=True), 1):
        name = f"{shortened(spot.label, LONGEST_NAME)} {icat_of(spot)}"
        axes.annotate(
            f"{i}  {name}" if many else name, spot.at, (107, height), va="center", fontsize=7,
            annotation_clip=False, arrowprops=None if many else line,
        )  # fmt: skip
        if many:
            away = SMALLER * (x - PLOT.x(spot.at[0])), SMALLER * (PLOT.y(spot.at[1]) - y)
            axes.annotate(
                f"{i}", spot.at, away, textcoords="offset points", ha="center", fontsize=7
            )


def _cross(axes: Any, spot: Spot) -> None:
    (ss, lms), face = spot.at, INK if is_clear(spot.ss) else "white"
    if spot.ss.low is not None and spot.ss.high is not None:
        axes.plot([spot.ss.low, spot.ss.high], [lms, lms], color=INK, linewidth=1)
    if spot.lms.low is not None and spot.lms.high is not None:
        axes.plot([ss, ss], [spot.lms.low, spot.lms.high], color=INK, linewidth=1)
    axes.plot([ss], [lms], "o", color=INK, markerfacecolor=face, markersize=3, clip_on=False)


def _figure(width: float, height: float) -> Any:
    """A figure of its own, kept out of matplotlib's global list; inches."""
    from matplotlib.figure import Figure  # noqa: PLC0415  # an extra

    return Figure(figsize=(width, height), layout="constrained")


def _write(figure: Any, path: Path, kind: str) -> Path:
    content = io.BytesIO()
    figure.savefig(content, format=kind, dpi=300, metadata=_UNDATED[kind])
    part = path.with_name(path.name + ".part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_bytes(content.getvalue())
        part.replace(path)
    except OSError as error:
        why = error.strerror or str(error)
        raise StorageError(f"{path}: the picture could not be written: {why}") from error
    return path


def _model(result: Result) -> str:
    return visible(str(result.card.model.get("name", "")) or "the model")


def _slug(result: Result) -> str:
    """The model's name as part of a file name, at most 60 letters."""
    last = _model(result).rsplit("/", maxsplit=1)[-1]
    return re.sub(r"[^A-Za-z0-9._]+", "-", last)[:60].strip("-.") or "model"
