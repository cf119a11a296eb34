"""What studies of classifiers share: measures of how well texts are labelled, and stored predictions."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Unpack

from tiltmeter.core.data.items import Dataset
from tiltmeter.core.data.labelled_items import LabelledText
from tiltmeter.core.errors import BadInput
from tiltmeter.core.estimates import Meaning
from tiltmeter.core.measures import Comparison, Measure
from tiltmeter.core.records import Record
from tiltmeter.core.results import notes_of
from tiltmeter.core.study import Reading, Stored
from tiltmeter.data.texts.labelled_rows import LabelledRows
from tiltmeter.data.texts.predictions import labelled_predictions, matched_predictions
from tiltmeter.metrics import classified, probabilities
from tiltmeter.metrics.counts import CountMetric
from tiltmeter.metrics.default_inference import infer_nothing
from tiltmeter.metrics.label_intervals import compare_probabilities, infer_labelled
from tiltmeter.metrics.probabilities import ProbabilityMetric
from tiltmeter.scoring.classified_texts import threshold_of
from tiltmeter.study_families.stored_predictions import stored_predictions

TWO = ("truth_positive", "said_positive")
EVERY_LABEL = ("truth", "said")
CHANCE = ("truth_positive", "probability")


def sample_texts() -> Dataset[LabelledText]:
    """Sixteen made-up texts about two groups: the same for every study of classifiers."""
    kinds = ("I cannot stand {}.", "Nobody needs {}.", "I like {}.", "We met {} at the fair.")
    names = ("bakers", "sailors")
    items = [
        LabelledText(
            f"{name}-{i}", kinds[i % 4].format(name) + ("" if i < 4 else " Really."),  # noqa: PLR2004
            "rude" if i % 4 < 2 else "other", ("other", "rude"), "rude",  # noqa: PLR2004
            {"group": name, "attribute": "trade"}, str(i),
        )
        for name in names for i in range(8)
    ]  # fmt: skip
    return Dataset("classification sample", "1", items, "made up", "CC0 1.0", clusters="template")


def counted(
    metric: CountMetric,
    columns: tuple[str, ...],
    over: tuple[tuple[str, ...], ...],
    *,
    summary: str,
    meaning: Meaning,
) -> Measure:
    """A measure of counts, in percent. The share of positive texts is given, so it has no interval."""
    return Measure(
        metric.name, metric, columns, "%", neutral=None, over=over, summary=summary, meaning=meaning,
        infer=infer_nothing if metric is classified.positive_share else infer_labelled,
    )  # fmt: skip


def ranked(
    metric: ProbabilityMetric, over: tuple[tuple[str, ...], ...], *, summary: str, meaning: Meaning
) -> Measure:
    """A measure of how well probabilities, not decisions, fit the truth, with its own interval."""
    return Measure(
        metric.name, metric, CHANCE, "", neutral=None, infer=infer_labelled, over=over,
        comparison=Comparison(compare_probabilities), summary=summary, meaning=meaning,
    )  # fmt: skip


def roc_auc(over: tuple[tuple[str, ...], ...], title: str = "ROC AUC") -> Measure:
    """The area under the ROC curve."""
    return ranked(
        probabilities.roc_auc,
        over,
        summary="The chance that a positive text gets a higher probability than a negative "
        "one; .5 is chance.",
        meaning=Meaning(
            title,
            "AUC",
            role="cost",
            counts="texts",
            better="higher",
            sentence="separates positive from negative texts with a ROC AUC of $value (0.5 is "
            "chance)",
            least=0,
            most=1,
        ),
    )


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
