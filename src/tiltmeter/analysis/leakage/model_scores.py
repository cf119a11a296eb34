"""A run's scores by group and trait, as flows between languages need them."""

import numpy as np

from tiltmeter.analysis.leakage.grids import ModelCells
from tiltmeter.analysis.leakage.human_cells import Unit, poles_of
from tiltmeter.analysis.matrix import cells_of, matrix_of, required_view
from tiltmeter.core.errors import BadInput
from tiltmeter.core.results import Result
from tiltmeter.core.types import Array

LANGUAGE = "language"
SAME = 1e-6
"""Sums that differ by less, as a share, are the same."""


def model_cells(result: Result, *, language: str = "", unit: Unit = "poles") -> ModelCells:
    """The scores of each group and trait in a run with a matrix.

    Args:
        result: Of a study that declares a matrix and, for `unit="poles"`, a measure of each side.
        language: Of the run; by default the one that its data name.
        unit: "poles", each trait's own score; "pairs", the matrix, above 0 towards the right trait.

    Raises:
        BadInput: The run has no matrix or no scores of its sides, or nothing says its language.
    """
    language = language or str(result.card.data.get(LANGUAGE, ""))
    if not language:
        raise BadInput(
            f"nothing says the language of this run of {result.card.study}",
            'name it in the data file: language = "ru"',
        )
    matrix = matrix_of(result)
    if unit == "pairs":
        return ModelCells(language, matrix.rows, matrix.columns, matrix.values, matrix.name)
    view = required_view(result.card)
    if len(view.side_measures) != 2:  # noqa: PLR2004
        raise BadInput(
            f"this run of {result.card.study} has no score for each trait",
            "compare signed pairs with unit=pairs",
        )
    columns = [pole for pair in matrix.columns for pole in poles_of(pair)]
    values: Array = np.full((len(matrix.rows), len(columns)), np.nan)
    for side, measure in enumerate(view.side_measures):
        for (row, pair), estimate in cells_of(result.estimates, view, measure).items():
            if estimate.value is not None:
                place = 2 * matrix.columns.index(pair) + side
                values[matrix.rows.index(row), place] = estimate.value
    return ModelCells(language, matrix.rows, tuple(columns), values, matrix.name)


def poles_repeat(cells: ModelCells) -> bool:
    """Whether one trait's score tells that of its opposite: the two add up to the same for all groups.

    Args:
        cells: Made with `unit="poles"`.

    >>> shares = np.array([[30.0, 70.0], [45.0, 55.0]])
    >>> poles_repeat(ModelCells("en", ("men", "women"), ("cold", "warm"), shares))
    True
    """
    sums = cells.values[:, 0::2] + cells.values[:, 1::2]
    known = sums[np.isfinite(sums)]
    return bool(known.size > 1 and np.ptp(known) < SAME * max(abs(float(known[0])), 1.0))
