"""The sections about a matrix in the document of a run."""

from collections.abc import Sequence

from tiltmeter.core.results import Estimate, Result
from tiltmeter.core.views import Matrix
from tiltmeter.report.document import Section
from tiltmeter.report.documents.estimate_tables import estimate_table, rows_of


def matrix_sections(
    result: Result, view: Matrix, *, key: str = "m", level: int = 2, several: bool = False,
    reach: float | None = None, way: str = "",
) -> list[Section]:  # fmt: skip
    """The cells of a matrix."""
    cells = [e for e in result.estimates if e.name == view.measure and len(e.groups) > 1]
    table = estimate_table("Cells", rows_of(cells, result.card.labels))
    return [Section(f"{key}-whole", "The matrix", [table], level=level)]


def without_cells(estimates: Sequence[Estimate], view: Matrix) -> list[Estimate]:
    """Without the numbers of single cells."""
    return [
        e
        for e in estimates
        if not (e.name == view.measure and set(e.groups) == {view.rows, view.columns})
    ]
