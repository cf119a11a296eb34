"""What studies of classifiers share: settings, and measures of how well texts are labelled."""

from tiltmeter.core.results import Meaning
from tiltmeter.core.study import Comparison, Measure
from tiltmeter.data.texts.labelled_texts import SETTINGS
from tiltmeter.metrics import classified, probabilities
from tiltmeter.metrics.counts import CountMetric
from tiltmeter.metrics.default_inference import infer_nothing
from tiltmeter.metrics.label_intervals import compare_probabilities, infer_stratified
from tiltmeter.metrics.probabilities import ProbabilityMetric

CLASSIFIED_SETTINGS = SETTINGS
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
        infer=infer_nothing if given else infer_stratified,
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
    """A measure of probabilities."""
    return Measure(
        metric.name,
        metric,
        CHANCE,
        unit,
        infer=infer_stratified,
        neutral=None,
        summary=summary,
        over=over,
        meaning=Meaning(
            title,
            SHORT.get(metric.name, ""),
            role="cost",
            counts="texts",
            better="lower" if better == "lower" else "higher",
            sentence=sentence,
        ),
        comparison=Comparison(compare_probabilities),
    )


AREA_SUMMARY = (
    "The chance that a positive text gets a higher probability than a negative one; .5 is chance. "
)


def area(over: tuple[tuple[str, ...], ...], title: str = "ROC AUC") -> Measure:
    """The area under the ROC curve."""
    return ranked(
        probabilities.roc_auc, title, AREA_SUMMARY.strip(), over,
        sentence="separates positive from negative texts with a ROC AUC of $value (0.5 is chance)",
    )  # fmt: skip
