"""The points behind the correlations: drawn pair by pair, and as a table."""

import numpy as np

from tiltmeter.analysis.correlate import Relations
from tiltmeter.analysis.points import Points
from tiltmeter.core.results import Estimate
from tiltmeter.report.columns import TableRows
from tiltmeter.report.document import Block, Column, Panels, Picture, Table, Text
from tiltmeter.report.documents.correlations.finding import NAMES, ranked
from tiltmeter.report.plots.scatter import MOST_NAMED, Dot, four, scatter
from tiltmeter.report.text import correlation

SCATTERS = 24
"""Pairs that are drawn point by point, the strongest first."""
POINTS_SHOWN = 300
"""Points in the page's table; points.csv has all."""
POINTS = {
    "models": "a model",
    "groups": "a group, or a subset of the items",
    "cells": "a group or subset of one model",
}
"""What a point is, by what the correlations are over."""


def point_blocks(made: Relations) -> list[Block]:
    """The strongest pairs drawn point by point, and the points as a table."""
    points = made.points
    known = [row[made.method] for row in ranked(made) if row[made.method].value is not None]
    drawn = [_scatter(points, e, f"pair-{i}") for i, e in enumerate(known[:SCATTERS], 1)]
    numbers = "; its number is that of the table below" if len(points.labels) > MOST_NAMED else ""
    about = f"Each point is {POINTS[points.over]}{numbers}."
    lines = "Thin lines are 95\u00a0% intervals, where a run has them."
    shown = points.labels[:POINTS_SHOWN]
    cut = f"{len(shown)} of {len(points.labels)} points; points.csv has all."
    table = Table(
        "The points as a table",
        [
            Column("point", shown, number=False),
            Column("number", range(1, len(shown) + 1)),
            *(
                TableRows(values_of(points, i)[:POINTS_SHOWN]).numbers(
                    f"{i + 1}", lambda v: v, four
                )
                for i in range(len(points.names))
            ),
        ],
        notes=[cut] if len(shown) < len(points.labels) else (),
        folded=bool(drawn),
        name="points",
    )
    return [Text(f"{about} {lines}"), Panels(drawn), table] if drawn else [table]


def values_of(points: Points, i: int) -> list[float | None]:
    """One measure of all points; None where there is no number."""
    return [None if np.isnan(value) else float(value) for value in points.values[:, i]]


def _scatter(points: Points, e: Estimate, name: str) -> Picture:
    """Two measures of the points that have both."""
    x, y = (points.names.index(e.groups[side]) for side in ("x", "y"))
    dots = [
        Dot(
            i + 1, points.labels[i], float(points.values[i, x]), float(points.values[i, y]),
            _ends(points, i, x), _ends(points, i, y),
        )
        for i in np.flatnonzero(points.shared(x, y)).tolist()
    ]  # fmt: skip
    drawn = scatter(dots, name=name, across=e.groups["x"], up=e.groups["y"])
    caption = f"{x + 1} and {y + 1}: {NAMES[e.name]} {correlation(e.value or 0.0)}, n {e.n}"
    return Picture(name, drawn, drawn, caption)


def _ends(points: Points, row: int, column: int) -> tuple[float, float] | None:
    found = points.found.get((row, column))
    if found is None or found.estimate.low is None or found.estimate.high is None:
        return None
    return found.estimate.low, found.estimate.high
