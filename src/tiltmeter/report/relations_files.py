"""Correlations as files: a row a pair, a row a point, and everything as one JSON object."""

from collections.abc import Sequence
from dataclasses import asdict
from hashlib import sha256
from typing import Any

import numpy as np
import polars as pl

from tiltmeter.analysis.correlate import CORRECTED, KENDALL, PEARSON, SPEARMAN, Relations
from tiltmeter.analysis.points import Points
from tiltmeter.core.results import Estimate


def name_of(points: Points, settings: Sequence[str]) -> str:
    """The folder: what the points are, and a digest of all that went in."""
    parts = [*points.labels, *points.names, *map(repr, points.values.ravel().tolist()), *settings]
    digest = sha256("\n".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"correlations-{points.over}-{digest}"


def as_object(made: Relations, sources: Sequence[str], command: str) -> dict[str, Any]:
    """What correlations.json holds and --json prints.

    Args:
        made: What was found.
        sources: Run folders, tables and published tables, as they were named.
        command: That makes it again.
    """
    points = made.points
    values = [[None if np.isnan(v) else float(v) for v in row] for row in points.values]
    return {
        "over": points.over,
        "method": made.method,
        "sources": list(sources),
        "command": command,
        "points": list(points.labels),
        "measures": [asdict(measure) for measure in points.measures],
        "values": values,
        "estimates": [asdict(e) for e in made.estimates],
        "reliabilities": [asdict(e) for e in made.reliabilities],
        "notes": list(made.notes),
    }


def as_table(made: Relations) -> str:
    """A CSV with a row a pair of measures."""
    known = {e.groups["measure"]: e.value for e in made.reliabilities}
    pairs: dict[tuple[str, str], dict[str, Estimate]] = {}
    for e in made.estimates:
        pairs.setdefault((e.groups["x"], e.groups["y"]), {})[e.name] = e
    rows: list[dict[str, object]] = []
    for (x, y), of in pairs.items():
        row: dict[str, object] = {"x": x, "y": y, "n": of[PEARSON].n}
        for name in (PEARSON, SPEARMAN, KENDALL):
            e = of[name]
            row |= {name: e.value, f"{name}_low": e.low, f"{name}_high": e.high, f"{name}_p": e.p,
                    f"{name}_p_holm": e.p_adjusted}  # fmt: skip
        corrected = of.get(CORRECTED)
        row |= {
            "reliability_x": known.get(x),
            "reliability_y": known.get(y),
            CORRECTED: corrected.value if corrected else None,
            "why": "; ".join(dict.fromkeys(e.why for e in of.values() if e.why)),
        }
        rows.append(row)
    numbers = {name: pl.Float64 for name in rows[0] if name not in {"x", "y", "n", "why"}}
    return pl.DataFrame(rows, schema_overrides=numbers, infer_schema_length=None).write_csv()


def points_table(points: Points) -> str:
    """A CSV with a row a point and a column a measure; `correlate --table` reads it again."""
    columns: dict[str, Sequence[object]] = {}
    if points.over == "cells":
        columns |= {"model": points.models, "group": points.groups}
    else:
        columns["model" if points.over == "models" else "group"] = points.labels
    for i, name in enumerate(points.names):
        columns[name] = [None if np.isnan(v) else float(v) for v in points.values[:, i]]
    return pl.DataFrame(columns, strict=False).write_csv()
