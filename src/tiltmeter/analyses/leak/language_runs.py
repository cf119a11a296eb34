"""The runs between which leakage is measured: one model, one language each."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tiltmeter.analyses.leak.grids import ModelCells
from tiltmeter.core.analysis import Input
from tiltmeter.core.errors import BadInput
from tiltmeter.core.results import Card, Result
from tiltmeter.core.types import Array
from tiltmeter.derived.matrices.matrix import (
    axes_of,
    cells_of,
    matrix_of,
    matrix_view,
    required_view,
)
from tiltmeter.derived.people.rated_cells import Unit, poles_of
from tiltmeter.run.files import folder as folders
from tiltmeter.run.files.folder_names import folder_name

LANGUAGE = "language"
SAME = 1e-6
"""Sums whose relative difference is smaller count as equal."""


@dataclass(frozen=True, slots=True)
class LanguageRun:
    """A run in one language."""

    language: str
    path: str
    """The path of its folder, as the user gave it; of a result in memory the name of its folder."""
    result: Result

    @property
    def card(self) -> Card:
        """All that is known of how the run was made."""
        return self.result.card

    @property
    def model(self) -> str:
        """The model by its display name, as messages and tables have it."""
        return self.card.model_name

    def cells(self, unit: Unit) -> ModelCells:
        """The scores of the run by group and trait."""
        return model_cells(self.result, unit=unit)

    def dimensions(self) -> dict[str, str]:
        """The dimension of each pair of traits; {} where the records do not say."""
        axes = axes_of(self.result)
        return dict(zip(axes.columns, axes.column_domains, strict=True)) if axes else {}


def read_language_runs(inputs: Sequence[Input]) -> list[LanguageRun]:
    """Runs of different languages, from their folders or as they are.

    Raises:
        BadInput: A folder holds no finished run or one without a language, or a language is there twice.
    """
    runs: dict[str, LanguageRun] = {}
    for given in inputs:
        result = given if isinstance(given, Result) else folders.read(Path(given))
        path = folder_name(given) if isinstance(given, Result) else str(given)
        if matrix_view(result.card) is None:
            raise BadInput(
                f"it has no scores by group and trait: it is {result.card.title or result.card.study}",
                "give the folders of runs, each in another language (an audit's are in its folder)",
                file=path,
            )
        language = model_cells(result, unit="pairs").name
        if language in runs:
            raise BadInput(
                f"its language is {language}, as that of {runs[language].path}",
                "give one run for each language",
                file=path,
            )
        runs[language] = LanguageRun(language, path, result)
    return [*runs.values()]


def check_alike(runs: Sequence[LanguageRun]) -> None:
    """Check that the runs differ in language only.

    Raises:
        BadInput: They are of different models, studies, rules or conventions.
    """
    for what, of in {
        "models": lambda run: run.model,
        "studies": lambda run: run.card.study,
        "rules": lambda run: run.card.rule,
        "conventions": lambda run: run.card.convention,
    }.items():
        values = dict.fromkeys(map(of, runs))
        if len(values) > 1:
            raise BadInput(
                f"these are runs of different {what}: {', '.join(values)}",
                "give runs of one model, study, rule and convention, in different languages",
            )


def run_notes(runs: Sequence[LanguageRun], asks_like: str = "") -> list[str]:
    """What to know of the runs beside their scores."""
    notes = []
    first = runs[0].card
    if asks_like and first.convention != asks_like:
        notes.append(
            f"The runs were made under the convention {first.convention}. The published script’s way to "
            f"ask is run --convention {asks_like}."
        )
    free = {*required_view(first).selects}
    for name in dict.fromkeys(name for run in runs for name in run.card.settings):
        values = {run.language: run.card.settings.get(name, "") for run in runs}
        if name not in free and len(set(values.values())) > 1:
            listed = ", ".join(
                f"{language}: {value or 'none'}" for language, value in values.items()
            )
            notes.append(f"The runs differ in the setting {name} ({listed}).")
    return notes


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
    if not all(view.sides.measures):
        raise BadInput(
            f"this run of {result.card.study} has no score for each trait",
            "compare signed pairs with unit=pairs",
        )
    columns = [pole for pair in matrix.columns for pole in poles_of(pair)]
    values: Array = np.full((len(matrix.rows), len(columns)), np.nan)
    for side, measure in enumerate(view.sides.measures):
        for (row, pair), estimate in cells_of(result.estimates, view, measure).items():
            if estimate.value is not None:
                place = 2 * matrix.columns.index(pair) + side
                values[matrix.rows.index(row), place] = estimate.value
    return ModelCells(language, matrix.rows, tuple(columns), values, matrix.name)


def poles_repeat(cells: ModelCells) -> bool:
    """Whether one trait's score tells that of its opposite: the two add up to the same for all groups.

    >>> shares = np.array([[30.0, 70.0], [45.0, 55.0]])
    >>> poles_repeat(ModelCells("en", ("men", "women"), ("cold", "warm"), shares))
    True
    """
    sums = cells.values[:, 0::2] + cells.values[:, 1::2]
    known = sums[np.isfinite(sums)]
    return bool(known.size > 1 and np.ptp(known) < SAME * max(abs(float(known[0])), 1.0))
