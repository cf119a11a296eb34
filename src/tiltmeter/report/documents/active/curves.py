"""Learning curves as pictures: means over seeds in bands of Student's intervals."""

from collections.abc import Mapping, Sequence

import numpy as np
from markupsafe import Markup

from tiltmeter.active.pool_result import MEASURES, MeasureResult, PoolResult
from tiltmeter.core.types import Array
from tiltmeter.report.columns import TableRows
from tiltmeter.report.document import Column, Picture, Table
from tiltmeter.report.documents.active.words import pool_name, titled
from tiltmeter.report.documents.pictures import in_two_layouts
from tiltmeter.report.plots.line_plot import (
    NARROW_LINES,
    WIDE_LINES,
    LineFrame,
    PlotLine,
    line_plot,
)
from tiltmeter.report.text import counted, number, raised
from tiltmeter.stats.intervals import student_half_width

FLOOR = "noise floor"
FULL = "all votes"
BANDS = "Bands are 95\u00a0% intervals over seeds, without what all strategies share in a seed."


def learning_pictures(result: PoolResult, prefix: str) -> list[Picture]:
    """A picture for each measure of loss, with its noise floor and the loss after training on every vote."""
    return [
        picture
        for measure, found in result.measures.items()
        for picture in _of_measure(result, measure, found, prefix)
    ]


def _of_measure(
    result: PoolResult, measure: str, found: MeasureResult, prefix: str
) -> list[Picture]:
    losses = {name: curve.losses for name, curve in found.curves.strategies.items()}
    lines = mean_lines(result.votes, losses)
    ends = [result.votes[0], result.votes[-1]]
    notes = [BANDS]
    if len(found.curves.full):
        full = float(found.curves.full.mean())
        lines.append(PlotLine(FULL, ends, [full, full], level=True))
        notes.append(
            f"{raised(FULL)}: trained on every vote of the training items, {number(full)} nats."
        )
    if result.floor is not None and measure == "js_nats":
        lines.append(PlotLine(FLOOR, ends, [result.floor, result.floor], level=True))
        notes.append(
            f"{raised(FLOOR)}: what the true distributions would score, since each item has few votes, "
            f"{number(result.floor)} nats."
        )
    up = f"{MEASURES[measure]}, nats"
    caption = (
        f"{raised(MEASURES[measure])} on the test items of {pool_name(result)}. {' '.join(notes)}"
    )
    table = _points_table(result, measure, found)
    return curve_pictures(lines, f"{prefix}{measure}", up, caption, table)


def mean_lines(votes: Sequence[float], values: Mapping[str, Array]) -> list[PlotLine]:
    """The mean of each strategy over seeds, in bands that can be compared with each other.

    What all strategies share in a seed, such as easy test items, is taken out of the bands (Cousineau 2005,
    corrected by Morey 2008, doi:10.20982/tqmp.04.2.p061).

    Args:
        votes: Where the points stand.
        values: By strategy, shape (seeds, points); NaN where unknown.
    """
    shared = _column_means(np.concatenate([*values.values()]))
    by_seed = [_column_means(np.stack(rows)) for rows in zip(*values.values(), strict=True)]
    several = len(values) > 1
    level = np.stack(by_seed) - shared if several else np.zeros((len(by_seed), len(shared)))
    wider = (len(values) / (len(values) - 1)) ** 0.5 if several else 1.0
    return [_line(titled(name), votes, found, level, wider) for name, found in values.items()]


def _line(
    label: str, votes: Sequence[float], values: Array, level: Array, wider: float
) -> PlotLine:
    """One strategy; `level` is what all share in a seed, and `wider` makes up for taking it out."""
    count = (~np.isnan(values)).sum(axis=0).astype(np.float64)
    mean, own = _column_means(values), values - level
    squares = np.nansum((own - _column_means(own)) ** 2, axis=0)
    half = wider * student_half_width(squares, count)
    return PlotLine(label, votes, _known(mean), _known(mean - half), _known(mean + half))


def _column_means(values: Array) -> Array:
    """Means of the known values of each column; NaN where none is known."""
    count = (~np.isnan(values)).sum(axis=0)
    total = np.nansum(values, axis=0)
    return np.asarray(np.where(count, total / np.maximum(count, 1), np.nan), dtype=np.float64)


def curve_pictures(
    lines: Sequence[PlotLine], name: str, up: str, caption: str, table: Table
) -> list[Picture]:
    """Lines over votes in both layouts; none where no line has a value."""
    drawn = [one for one in lines if any(v is not None for v in one.values)]
    if not drawn:
        return []

    def draw(id_: str, layout: LineFrame) -> Markup:
        return line_plot(drawn, name=id_, across="votes", up=up, layout=layout)

    return [in_two_layouts(name, draw, (WIDE_LINES, NARROW_LINES), caption, table)]


def _points_table(result: PoolResult, measure: str, found: MeasureResult) -> Table:
    """The means of every strategy at every measured point."""
    votes = result.votes
    of = TableRows(range(len(votes)))
    means = {name: curve.mean for name, curve in found.curves.strategies.items()}
    columns: list[Column] = [
        of.numbers(titled(name), lambda i, mean=mean: float(mean[i]), _four, name=name)  # type: ignore[misc]
        for name, mean in means.items()
    ]
    return Table(
        f"{raised(MEASURES[measure])} in nats by votes, means over {counted(len(result.seeds), 'seeds')}",
        [of.counts("votes", lambda i: votes[i]), *columns],
        folded=True,
        name=f"curves-{measure}",
    )


def _known(values: Array) -> list[float | None]:
    return [None if np.isnan(value) else float(value) for value in values]


def _four(value: float) -> str:
    return f"{value:.4f}"
