"""What studies of classifiers share: settings, and measures of how well texts are labelled."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Unpack

from tiltmeter.core.errors import BadInput
from tiltmeter.core.items import Dataset
from tiltmeter.core.labelled_items import LabelledText
from tiltmeter.core.results import Meaning, Record, notes_of
from tiltmeter.core.study import Comparison, Measure, Reading, Stored
from tiltmeter.data.texts.labelled_rows import LabelledRows
from tiltmeter.data.texts.predictions import labelled_predictions, matched_predictions
from tiltmeter.metrics import classified, probabilities
from tiltmeter.metrics.counts import CountMetric
from tiltmeter.metrics.default_inference import infer_nothing
from tiltmeter.metrics.label_intervals import compare_probabilities, infer_labelled
from tiltmeter.metrics.probabilities import ProbabilityMetric
from tiltmeter.scoring.classified_texts import stored_predictions, threshold_of

TWO = ("truth_positive", "said_positive")
EVERY_LABEL = ("truth", "said")
CHANCE = ("truth_positive", "probability")
SHORT = {
    "false_positive_rate": "FPR",
    "true_positive_rate": "TPR",
    "f1_positive": "F1 positive",
    "f1_macro": "F1 macro",
    "f1_weighted": "F1 weighted",
    "roc_auc": "AUC",
}
"""Heads of narrow columns."""


def counted(
    metric: CountMetric,
    columns: tuple[str, ...],
    title: str,
    summary: str,
    over: tuple[tuple[str, ...], ...],
    *,
    sentence: str = "",
    role: str = "cost",
) -> Measure:
    """A measure of counts, in percent. The share of positive texts is given, so it has no interval."""
    given = metric is classified.positive_share
    return Measure(
        metric.name,
        metric,
        columns,
        "%",
        neutral=None,
        summary=summary,
        infer=infer_nothing if given else infer_labelled,
        over=over,
        meaning=Meaning(
            title,
            SHORT.get(metric.name, ""),
            role="cost" if role == "cost" else "description",
            counts="texts",
            better="higher" if role == "cost" else "",
            sentence=sentence,
        ),
    )


def ranked(
    metric: ProbabilityMetric,
    title: str,
    summary: str,
    over: tuple[tuple[str, ...], ...],
    *,
    unit: str = "",
    better: str = "higher",
    sentence: str = "",
) -> Measure:
    """A measure of how well probabilities, not decisions, fit the truth, with its own interval."""
    return Measure(
        metric.name,
        metric,
        CHANCE,
        unit,
        infer=infer_labelled,
        neutral=None,
        summary=summary,
        over=over,
        meaning=Meaning(
            title,
            SHORT.get(metric.name, ""),
            role="cost",
            counts="texts",
            better="lower" if better == "lower" else "higher",
            least=0,
            most=None if unit else 1,
            sentence=sentence,
        ),
        comparison=Comparison(compare_probabilities),
    )


def area(over: tuple[tuple[str, ...], ...], title: str = "ROC AUC") -> Measure:
    """The area under the ROC curve."""
    return ranked(
        probabilities.roc_auc, title,
        "The chance that a positive text gets a higher probability than a negative one; .5 is chance.", over,
        sentence="separates positive from negative texts with a ROC AUC of $value (0.5 is chance)",
    )  # fmt: skip


def stored_labels(
    items_of: Callable[[LabelledRows, Mapping[str, str]], Dataset[LabelledText]],
) -> Stored[LabelledText]:
    """How a study of classifiers, which makes its items so, reads predictions that were made elsewhere."""

    def stored(
        path: Path,
        items: Dataset[LabelledText] | None,
        *,
        settings: Mapping[str, str] | None = None,
        **reading: Unpack[Reading],
    ) -> tuple[Dataset[LabelledText], Sequence[Record]]:
        values = settings or {}
        if values.get("predicts"):
            reason = "the setting predicts names a label of a model, and here is a file of scores"
            raise BadInput(reason, "leave it out: score is the probability of the positive label")
        if items is None:
            rows, predictions = labelled_predictions(path, **reading)
            items = items_of(rows, values)
        else:
            items, predictions = matched_predictions(path, items, **reading)
        records, notes = stored_predictions(items.items, predictions, threshold_of(values))
        return replace(items, notes=(*items.notes, *notes_of("data", notes))), records

    return stored
