"""What a classifier's answers on a part of the texts are worth, by name."""

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
"""Scores from 0 to 100; all others are from 0 to 1."""


def label_scores(
    truth: Integers, probabilities: Array, options: Sequence[str], positive: str
) -> dict[str, float]:
    """F1 under its averages, accuracy and, where a label is positive, what is about that one.

    Args:
        truth: The position of each text's label, shape (n,).
        probabilities: Of each label, shape (n, labels).
        options: The labels.
        positive: One of them, or "".

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
    """TF-IDF and logistic regression: what words alone tell, beside a trained language model.

    The probability of each label of the test texts, shape (texts, options); None without scikit-learn.
    Words and pairs of words; labels weigh alike however rare they are. Otherwise scikit-learn's defaults.
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
