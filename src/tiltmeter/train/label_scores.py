"""Scores of a classifier's answers on one part of the texts, by name."""

from collections.abc import Sequence
from contextlib import suppress

import numpy as np

from tiltmeter.core.errors import Undefined
from tiltmeter.core.types import Array, Integers
from tiltmeter.metrics import classified
from tiltmeter.metrics.calibration import calibration_error
from tiltmeter.metrics.probabilities import average_precision, roc_auc

_EVERY = (classified.f1_macro, classified.f1_weighted, classified.accuracy)
_POSITIVE = (
    classified.f1_positive,
    classified.positive_predictive_value,
    classified.true_positive_rate,
)
PERCENT = (*(metric.name for metric in (*_EVERY, *_POSITIVE)), calibration_error.__name__)
"""Names of the scores that range from 0 to 100; all others range from 0 to 1."""


def label_scores(
    truth: Integers, probabilities: Array, options: Sequence[str], positive: str
) -> dict[str, float]:
    """Macro and weighted F1, accuracy and, if one label is positive, the scores that concern that label.

    Precision is missing where no text is classified as positive.

    Args:
        truth: The position of each text's label among the labels, shape (n,).
        probabilities: The probability of each label, shape (n, labels).
        options: The labels.
        positive: The label that is positive; "" for none.

    >>> by_name = label_scores(np.array([1, 0]), np.array([[0.2, 0.8], [0.9, 0.1]]), ("no", "yes"), "yes")
    >>> by_name["f1_macro"], by_name["roc_auc"]
    (100.0, 1.0)
    """
    predicted = probabilities.argmax(axis=1)
    both = truth.astype(np.float64), predicted.astype(np.float64)
    by_name: dict[str, float] = {}
    if positive:
        at = list(options).index(positive)
        two = (truth == at).astype(np.float64), (predicted == at).astype(np.float64)
        for metric in _POSITIVE:
            with suppress(Undefined):  # no text called positive has no precision
                by_name[metric.name] = metric(*two)
        of_positive = probabilities[:, at]
        for measure in (roc_auc, average_precision):
            by_name[measure.name] = measure(two[0], of_positive)
        by_name[calibration_error.__name__] = calibration_error(two[0], of_positive)
    return {metric.name: metric(*both) for metric in _EVERY} | by_name


def word_probabilities(
    texts: Sequence[str], labels: Integers, test: Sequence[str], options: int
) -> Array | None:
    """Label probabilities from TF-IDF and logistic regression: a baseline that sees words alone.

    It shows how much of a trained language model's score needs no more than words. The features are words
    and pairs of words, and all labels have the same weight however rare they are. Everything else is as
    scikit-learn has it by default.

    Args:
        texts: The texts that are learned from.
        labels: The position of each text's label among the labels.
        test: The texts that are classified.
        options: How many labels there are.

    Returns:
        The probability of each label for each text of `test`, shape (texts, labels); None without
        scikit-learn.
    """
    try:
        from sklearn.feature_extraction.text import TfidfVectorizer
        from sklearn.linear_model import LogisticRegression
    except ImportError:
        return None
    words = TfidfVectorizer(ngram_range=(1, 2), min_df=2 if len(texts) > 1000 else 1)  # noqa: PLR2004
    model = LogisticRegression(max_iter=1000, class_weight="balanced")
    model.fit(words.fit_transform(texts), labels)
    shares = np.zeros((len(test), options))
    shares[:, model.classes_] = model.predict_proba(words.transform(test))
    return shares
