"""Leakage as plain values, for the files beside the page."""

from collections.abc import Mapping
from dataclasses import asdict

import numpy as np

from tiltmeter.analysis.leakage.leak_runs import LanguageRun
from tiltmeter.analysis.leakage.leaks import Leaks
from tiltmeter.report.columns import file_table
from tiltmeter.report.document import Json, Table
from tiltmeter.report.documents.leaks.tables import change_table, flow_table
from tiltmeter.report.documents.leaks.traits import traits_file


def leaks_json(leaks: Leaks, *, command: str) -> Json:
    """What leak.json holds and --json prints: finite numbers or null.

    Args:
        leaks: What was found.
        command: The command that makes it again.
    """
    settings = leaks.settings
    return {
        "model": leaks.model,
        "runs": [_run(run) for run in leaks.runs],
        "monolingual": [_run(run) for run in leaks.monolingual],
        "settings": {
            **asdict(settings.convention), "factor": leaks.factor, "k": settings.strongest,
            "held": settings.held,
        },
        "targets": [
            asdict(one) | {"flows": [_flow(asdict(flow), flow.spread) for flow in one.flows]}
            for one in leaks.targets
        ],
        "leaked_traits": [
            asdict(one) | {"polarity": leaks.polarity.get(one.trait)} for one in leaks.traits
        ],
        "notes": list(leaks.notes),
        "command": command,
    }  # fmt: skip


def _run(run: LanguageRun) -> dict[str, Json]:
    card = run.card
    return {
        "language": run.language, "folder": run.path, "model": run.model, "study": card.study,
        "rule": card.rule, "convention": card.convention, "data": str(card.data["name"]),
        "settings": dict(card.settings),
    }  # fmt: skip


def _flow(flow: dict[str, Json], spread: float) -> dict[str, Json]:
    coefficient = flow["coefficient"]
    standardised = coefficient * spread if isinstance(coefficient, float) else None
    return {**flow, "standardised": standardised}


def file_tables(leaks: Leaks) -> Mapping[str, Table]:
    """Tables by the name of their file; the flows first."""
    tables = {"flows": flow_table(leaks), "leaked_traits": traits_file(leaks)}
    if leaks.monolingual:
        tables["covariate"] = change_table(leaks)
    return tables | {"people": people_cells(leaks)}


def people_cells(leaks: Leaks) -> Table:
    """Each language, group and trait: mean, 95 % interval and number of raters."""
    rows = []
    for language, cells in leaks.people.items():
        means, halves, counts = cells.means, cells.half_widths(), cells.counts
        rows += [
            (language, cells.groups[i], cells.columns[j], means[i, j], halves[i, j], counts[i, j])
            for i, j in zip(*np.nonzero(counts), strict=True)
        ]
    return file_table(
        "people",
        rows,
        {
            "language": lambda row: row[0],
            "group": lambda row: row[1],
            "trait": lambda row: row[2],
            "mean": lambda row: _finite(row[3]),
            "low": lambda row: _finite(row[3] - row[4]),
            "high": lambda row: _finite(row[3] + row[4]),
            "raters": lambda row: int(row[5]),
        },
    )


def _finite(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
