"""The page about how measures relate."""

from collections.abc import Sequence

import numpy as np
from markupsafe import Markup

from tiltmeter.analysis.correlate import CORRECTED, KENDALL, PEARSON, SPEARMAN, Relations
from tiltmeter.analysis.points import Points
from tiltmeter.core.results import Estimate
from tiltmeter.report import relations_words
from tiltmeter.report.page import _environment as environment
from tiltmeter.report.plots.correlation_heat import MOST, NARROW, WIDE, is_told, relations_heat, two
from tiltmeter.report.plots.picture import Picture
from tiltmeter.report.plots.scatter import MOST_NAMED, Dot, scatter

SCATTERS = 24
"""Pairs that are drawn point by point, the strongest first."""
ROWS = 300
"""Pairs, and points, in the page's tables; the files have all."""


def relations_page(made: Relations, *, sources: Sequence[str] = (), command: str = "") -> str:
    """A whole HTML page: nothing is fetched, no script runs, all text is escaped.

    Args:
        made: What was found.
        sources: Run folders, tables and published tables, as they were named.
        command: That makes it again.
    """
    rows = relations_words.ranked(made)
    return (
        environment()
        .get_template("correlations.html")
        .render(
            made=made,
            points=made.points,
            over=relations_words.POINTS[made.points.over],
            finding=relations_words.finding(made),
            name=relations_words.NAMES[made.method],
            heat=_heat(made),
            drawn=min(MOST, len(made.points.measures)),
            rows=rows[:ROWS],
            pairs=len(rows),
            number={name: i for i, name in enumerate(made.points.names, 1)},
            names=relations_words.NAMES,
            shown=(PEARSON, SPEARMAN, KENDALL),
            corrected=CORRECTED if any(CORRECTED in row for row in rows) else "",
            reliable={e.groups["measure"]: e for e in made.reliabilities},
            scatters=_scatters(made, [row[made.method] for row in rows]),
            numbered=len(made.points.labels) > MOST_NAMED,
            values=_values(made.points),
            tests=list(dict.fromkeys(e.test for e in made.estimates if e.test)),
            two=two,
            ends=relations_words.ends,
            told=is_told,
            sources=list(sources),
            command=command,
        )
    )


def _heat(made: Relations) -> Picture:
    title = f"{relations_words.NAMES[made.method]} of each two measures over {made.points.over}"
    wide = relations_heat(made, name="heat", title=title, frame=WIDE)
    narrow = relations_heat(made, name="heat-narrow", title=title, frame=NARROW)
    return Picture(wide, narrow, ())


def _scatters(made: Relations, ranked: Sequence[Estimate]) -> list[tuple[Estimate, Markup]]:
    """The strongest pairs, point by point."""
    known = [e for e in ranked if e.value is not None][:SCATTERS]
    return [(e, _scatter(made.points, e, f"pair-{i}")) for i, e in enumerate(known, 1)]


def _scatter(points: Points, e: Estimate, name: str) -> Markup:
    x, y = points.names.index(e.groups["x"]), points.names.index(e.groups["y"])
    dots = [
        Dot(
            i + 1, points.labels[i], float(points.values[i, x]), float(points.values[i, y]),
            _interval(points, i, x), _interval(points, i, y),
        )
        for i in np.flatnonzero(points.shared(x, y)).tolist()
    ]  # fmt: skip
    return scatter(dots, name=name, across=e.groups["x"], up=e.groups["y"])


def _interval(points: Points, row: int, column: int) -> tuple[float, float] | None:
    found = points.found.get((row, column))
    if found is None or found.estimate.low is None or found.estimate.high is None:
        return None
    return found.estimate.low, found.estimate.high


def _values(points: Points) -> list[tuple[str, list[str]]]:
    """The points as a table; nothing where there is no number."""
    shown = [
        ["" if np.isnan(v) else f"{v:.4g}".replace("-", "−") for v in row] for row in points.values
    ]
    return list(zip(points.labels, shown, strict=True))[:ROWS]
