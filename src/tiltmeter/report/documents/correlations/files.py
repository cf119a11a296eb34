"""Correlations as plain values and the points as a table, for the files beside the page."""

from collections.abc import Sequence
from dataclasses import asdict

import numpy as np

from tiltmeter.analysis.correlate import Relations
from tiltmeter.analysis.points import Points
from tiltmeter.report.document import Column, Json, Table
from tiltmeter.report.documents.correlations.points import values_of


def correlations_json(made: Relations, *, sources: Sequence[str], command: str) -> Json:
    """What correlations.json holds and --json prints.

    Args:
        made: What was found.
        sources: Run folders, tables and published tables, as they were named.
        command: The command that makes it again.
    """
    points = made.points
    return {
        "over": points.over,
        "method": made.method,
        "sources": list(sources),
        "command": command,
        "points": list(points.labels),
        "measures": [asdict(measure) for measure in points.measures],
        "values": [[None if np.isnan(v) else float(v) for v in row] for row in points.values],
        "estimates": [asdict(e) for e in made.estimates],
        "reliabilities": [asdict(e) for e in made.reliabilities],
        "notes": list(made.notes),
    }


def points_table(points: Points) -> Table:
    """A row a point and a column a measure; `correlate --table` reads its CSV again."""
    if points.over == "cells":
        named = [Column("model", points.models), Column("group", points.groups)]
    else:
        named = [Column("model" if points.over == "models" else "group", points.labels)]
    values = [Column(name, values_of(points, i)) for i, name in enumerate(points.names)]
    return Table("points", [*named, *values])
