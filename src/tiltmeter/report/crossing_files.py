"""The tables of crossed groups as files."""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path

import numpy as np
import polars as pl

from tiltmeter.analysis.intersections.summary import Intersections
from tiltmeter.core.results import Result
from tiltmeter.core.types import Array
from tiltmeter.run import folder as folders


def name_of(made: Intersections, results: Sequence[Result]) -> str:
    """The folder: the model, the rule, and a digest of the runs and of how they were compared."""
    parts = [*(folders.folder_name(result) for result in results), made.traits, str(made.seed),
             made.findings]  # fmt: skip
    digest = sha256("\n".join(parts).encode()).hexdigest()[:8]
    model, rule = folders.slug(made.crossings.name), folders.slug(made.cards[0].rule)
    return f"intersections-{model}-{rule}-{digest}"


def write_tables(made: Intersections, cells: Mapping[str, Sequence[object]], folder: Path) -> None:
    """emergent.csv, a row a crossed group and trait; order.csv, a row a crossed group; domains.csv.

    Raises:
        StorageError: They could not be written.
    """
    c, taus = made.crossings, made.taus
    order = {
        "crossed": c.crossed,
        "first": [c.singles[i] for i in c.first],
        "second": [c.singles[i] for i in c.second],
        "tau_first": _numbers(taus.first),
        "tau_second": _numbers(taus.second),
        "tau_reversed": _numbers(taus.reversed),
    }
    domains = {
        "domain": [d.domain for d in made.domains],
        "other": [d.other for d in made.domains],
        "n": [d.difference.n for d in made.domains],
        "tau": _numbers(np.array([d.tau for d in made.domains])),
        "other_tau": _numbers(np.array([d.other_tau for d in made.domains])),
        "difference": [d.difference.value for d in made.domains],
        "low": [d.difference.low for d in made.domains],
        "high": [d.difference.high for d in made.domains],
    }
    for name, columns in (("emergent", cells), ("order", order), ("domains", domains)):
        folders.write_text(folder / f"{name}.csv", pl.DataFrame(columns, strict=False).write_csv())


def _numbers(values: Array) -> list[float | None]:
    return [None if np.isnan(value) else float(value) for value in values]
