"""True labels and each annotator's accuracy, estimated together from all answers to a question."""

from dataclasses import dataclass

import numpy as np

from tiltmeter.analysis.quality.annotations import Value
from tiltmeter.core.errors import Undefined
from tiltmeter.core.results import Inference
from tiltmeter.core.types import Array
from tiltmeter.data.people.annotator_answers import Judgments
from tiltmeter.stats.dawid_skene import accuracy_inference, dawid_skene


@dataclass(frozen=True, slots=True)
class AnnotatorAccuracy:
    """How often an annotator gives the estimated true label."""

    question: str
    annotator: str
    items: int
    """Items with an answer of this annotator."""
    accuracy: Value
    """In per cent; None, with the reason, where the data do not determine it."""


@dataclass(frozen=True, slots=True)
class LabelShare:
    """The estimated share of items whose true label is this one."""

    question: str
    label: str
    share: float
    given: float
    """The share of all answers that are this label."""


@dataclass(frozen=True, slots=True)
class TrueLabels:
    """The model of Dawid and Skene, fitted to one question."""

    question: str
    shares: tuple[LabelShare, ...]
    annotators: tuple[AnnotatorAccuracy, ...]
    why: str = ""
    """Why nothing was estimated, or the estimates are not identified; then no number is given."""


def true_labels(judgments: Judgments, question: str, *, seed: int = 0) -> TrueLabels:
    """Fit `stats.dawid_skene` to the answers to one question, each value being a label.

    Args:
        judgments: Of all questions.
        question: Which of them.
        seed: Of the starts and intervals.
    """
    answers, rng = judgments.answers[question], np.random.default_rng(seed)
    counts = (~np.isnan(answers)).sum(axis=0)
    try:
        fit = dawid_skene(answers, rng=rng)
    except Undefined as none:
        return _without(judgments, question, counts, str(none))
    if not fit.identified:
        return _without(judgments, question, counts, f"not identified: {fit.why}")
    intervals = accuracy_inference(answers, fit, rng=rng)
    annotators = tuple(
        AnnotatorAccuracy(question, name, int(n), _percent(float(value), interval))
        for name, n, value, interval in zip(
            judgments.annotators, counts, fit.accuracy, intervals, strict=True
        )
        if n
    )
    shares = [LabelShare(question, _label(judgments, question, value), float(share),
                         float(np.nanmean(_equal(answers, value))))
              for value, share in zip(fit.values, fit.prevalence, strict=True)]  # fmt: skip
    return TrueLabels(question, tuple(shares), annotators)


def _percent(value: float, interval: Inference) -> Value:
    low, high = (None if end is None else 100 * end for end in (interval.low, interval.high))
    return Value(100 * value, low, high, interval.why)


def _equal(answers: Array, value: float) -> Array:
    return np.where(np.isnan(answers), np.nan, answers == value)


def _label(judgments: Judgments, question: str, value: float) -> str:
    words = judgments.words.get(question)
    return words[int(value)] if words else f"{value:g}"


def _without(judgments: Judgments, question: str, counts: Array, why: str) -> TrueLabels:
    annotators = tuple(
        AnnotatorAccuracy(question, name, int(n), Value(None, why=why))
        for name, n in zip(judgments.annotators, counts, strict=True)
        if n
    )
    return TrueLabels(question, (), annotators, why)
