"""The public functions that measure predictions in memory: how good a classifier is, and how fair."""

import hashlib
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np

from tiltmeter.api.results import RunResult
from tiltmeter.core.data.items import Dataset
from tiltmeter.core.data.labelled_items import GROUP, LabelledText, Prediction
from tiltmeter.core.errors import BadInput, BadItems, Problem
from tiltmeter.core.reading.options import options_of
from tiltmeter.core.results import notes_of
from tiltmeter.core.text import counted
from tiltmeter.data.files.rows import label_of
from tiltmeter.data.texts.labelled_rows import LabelledRow, LabelledRows
from tiltmeter.data.texts.labelled_texts import grouped_dataset, labelled_dataset
from tiltmeter.run.jobs import stamped
from tiltmeter.run.measuring.imported_scores import STORED
from tiltmeter.run.measuring.measure import summarise
from tiltmeter.run.planning.choosing import choose, every_need
from tiltmeter.run.planning.run_plan import study_named
from tiltmeter.run.run_options import RunOptions
from tiltmeter.scoring.classified_texts import threshold_of
from tiltmeter.study_families.stored_predictions import stored_predictions

Values: TypeAlias = Iterable[Any]
"""One value a text: a list, an array or a pandas Series."""
ARRAYS = "arrays in memory"


def fairness(
    y_true: Values,
    y_score: Values | None = None,
    groups: Values | Mapping[str, Values] | None = None,
    *,
    y_pred: Values | None = None,
    positive: object = 1,
    threshold: float = 0.5,
    name: str = "predictions",
    seed: int = 0,
) -> RunResult:
    """Measure gaps between groups in a classifier's predictions, as the study `fairness_gaps` does.

    Rates are in percent and gaps in percentage points, 0 to 100, with neutral value 0; they are those of
    fairlearn. Definitions: Hardt, Price and Srebro 2016, arXiv:1610.02413.

    >>> import tiltmeter as tm
    >>> right, given = [1, 1, 0, 0, 1, 1, 0, 0], [1, 0, 0, 0, 1, 1, 1, 0]
    >>> made = tm.fairness(right, groups=["f"] * 4 + ["m"] * 4, y_pred=given)
    >>> made.estimate("equalized_odds_difference").value  # 50 % and 100 % of the true ones were found
    50.0

    Args:
        y_true: The right labels.
        y_score: Probabilities of the positive label, from 0 to 1. Without them, areas are undefined.
        groups: The group of each text, such as fairlearn's `sensitive_features`; None or NaN for a text of
            no group. Several axes (a mapping or a DataFrame) are crossed.
        y_pred: The labels given. Without them, a text is called positive from `threshold` on.
        positive: The label that counts as positive.
        threshold: The probability from which a text is called positive; for `y_score` alone.
        name: Of the model, for the report.
        seed: Of resamples and permutations.

    Raises:
        TiltmeterError: As the command line: values that cannot be used are all listed.
    """
    axes = _axes(groups)
    if not axes:
        raise BadInput("there are no groups", "give groups, one for each text")
    given = {"positive": _label(positive), "threshold": str(threshold), "groups": "*".join(axes)}
    return _measured(
        "fairness_gaps", grouped_dataset, (y_true, y_score, y_pred), axes, given, name, seed
    )


def classification(
    y_true: Values,
    y_score: Values | None = None,
    groups: Values | Mapping[str, Values] | None = None,
    *,
    y_pred: Values | None = None,
    positive: object = 1,
    threshold: float = 0.5,
    name: str = "predictions",
    seed: int = 0,
) -> RunResult:
    """Measure how good a classifier's predictions are, as the study `classification` does.

    >>> import tiltmeter as tm
    >>> tm.classification([1, 0, 1, 0], y_pred=[1, 0, 0, 0]).estimate("accuracy").value
    75.0

    Arguments are those of `fairness`. Groups may be left out, and several axes are reported one by one;
    `positive` is None where all labels are on a par.

    Raises:
        TiltmeterError: As the command line: values that cannot be used are all listed.
    """
    given = {"positive": _label(positive), "threshold": str(threshold)}
    axes = _axes(groups)
    return _measured(
        "classification", labelled_dataset, (y_true, y_score, y_pred), axes, given, name, seed
    )


def _measured(
    study_name: str,
    items_of: Callable[[LabelledRows, Mapping[str, str]], Dataset[LabelledText]],
    arrays: tuple[Values, Values | None, Values | None],
    axes: Mapping[str, Values],
    settings: Mapping[str, str],
    name: str,
    seed: int,
) -> RunResult:
    begun, name = time.monotonic(), str(name)
    options_of(RunOptions)["seed"].check(seed)
    study = study_named(study_name)
    chosen = choose(study, every_need(study), model=name, settings=settings)
    truth = _labels(_listed("y_true", arrays[0]))
    scores, labels = (
        None if values is None else _listed(array, values, len(truth))
        for array, values in zip(("y_score", "y_pred"), arrays[1:], strict=True)
    )
    columns = {
        axis: _labels(_listed("groups", values, len(truth))) for axis, values in axes.items()
    }
    if scores is None and labels is None:
        raise BadInput("there are no predictions", "give y_score or y_pred")
    predicted = None if labels is None else _labels(labels)
    _check(truth, scores, predicted)
    about: Dataset[Any] = Dataset(
        ARRAYS, "", (), ARRAYS, "not stated", sha256=_digest(truth, columns)
    )
    items = items_of(LabelledRows(_rows(truth, columns), about, (), ARRAYS), chosen.settings)
    predictions = _Predictions(len(truth), scores, predicted)
    records, notes = stored_predictions(items.items, predictions, threshold_of(settings))
    result = summarise(
        study, records, replace(items, notes=(*items.notes, *notes_of("data", notes))),
        chosen=replace(chosen, rule=STORED), seed=seed,
        model={"name": name, "fingerprint": _digest(scores, predicted), "kind": "stored scores"},
    )  # fmt: skip
    function = "fairness" if study_name == "fairness_gaps" else study_name
    shown = ", ".join(f"{key}={value!r}" for key, value in {**settings, "seed": seed}.items())
    return RunResult(stamped(result, begun, f"tiltmeter.{function}({shown})"), study)


class _Predictions(Mapping[str, Prediction]):
    """The predictions by the number of the text, made when they are read: a million take too much memory."""

    def __init__(
        self, count: int, scores: Sequence[Any] | None, labels: Sequence[str] | None
    ) -> None:
        self._count, self._scores, self._labels = count, scores, labels

    def __getitem__(self, number: str) -> Prediction:
        place = int(number)
        return Prediction(
            None if self._scores is None else float(self._scores[place]),
            "" if self._labels is None else self._labels[place],
        )

    def __iter__(self) -> Iterator[str]:
        return map(str, range(self._count))

    def __len__(self) -> int:
        return self._count


def _rows(truth: Sequence[str], columns: Mapping[str, Sequence[str]]) -> list[LabelledRow]:
    """The rows of a table that has no texts; equal groups are one object, as there may be a million."""
    known: dict[tuple[str, ...], dict[str, str]] = {}
    rows = []
    for i, (label, *values) in enumerate(zip(truth, *columns.values(), strict=True)):
        named = zip(columns, values, strict=True)
        groups = known.setdefault(tuple(values), {}) or {axis: v for axis, v in named if v}
        number, known[tuple(values)] = str(i), groups
        rows.append(LabelledRow(number, number, label, groups, "", i))
    return rows


def _axes(groups: Any) -> dict[str, Values]:
    """The axes of groups by name: those of a mapping or a table, or a single one."""
    if groups is None:
        return {}
    if hasattr(groups, "columns"):
        return {str(column): groups[column] for column in groups.columns}
    if isinstance(groups, Mapping):
        return {str(axis): values for axis, values in groups.items()}
    return {str(getattr(groups, "name", None) or GROUP): groups}


def _listed(name: str, values: Values, n: int | None = None) -> list[Any]:
    """The values of a column, n where their number is known."""
    listed = np.asarray(values, dtype=object)
    if listed.ndim != 1:
        raise BadInput(f"{name} is no list of values", "give one value for each text")
    if n not in {None, len(listed)}:
        raise BadInput(f"{name} has {counted(len(listed), 'values')}, and y_true has {n:,}")
    return list(listed)


def _labels(values: Iterable[Any]) -> list[str]:
    """The label of each value; equal ones are one object, as there may be a million."""
    known: dict[str, str] = {}
    return [known.setdefault(label, label) for label in map(_label, values)]


def _label(value: Any) -> str:
    """As a table would have it: 1 for 1.0 and True; "" for a missing value of numpy or pandas."""
    value = value.item() if isinstance(value, np.generic) else value
    text = label_of(int(value) if isinstance(value, bool) else value)
    return "" if text == "<NA>" else text


def _check(
    truth: Sequence[str], scores: Sequence[Any] | None, labels: Sequence[str] | None
) -> None:
    """Report all values that cannot be used."""
    known = {*truth} - {""}
    problems = [Problem(f"y_true[{i}] is missing") for i, label in enumerate(truth) if not label]
    for i, score in enumerate(scores or ()):
        try:
            is_probability = 0 <= float(score) <= 1
        except (TypeError, ValueError):
            is_probability = False
        if not is_probability:
            problems.append(Problem(f"y_score[{i}] is {score!r}, not a probability"))
    problems += [
        Problem(f"y_pred[{i}] is {label!r}, no label of y_true ({', '.join(sorted(known))})")
        for i, label in enumerate(labels or ())
        if label not in known
    ]
    if problems:
        raise BadItems(problems, way_out="Correct these values, or leave the texts out.")


def _digest(*values: object) -> str:
    return hashlib.sha256(repr(values).encode()).hexdigest()
