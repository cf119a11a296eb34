"""How good the probabilities of the positive label are: areas under curves, Brier score.

Columns, one row a text: `truth_positive` (1 or 0) and `probability`, of positive, from 0 to 1.

>>> roc_auc(np.array([1.0, 1, 0]), np.array([0.9, 0.5, 0.5]))
0.75
>>> round(average_precision(np.array([1.0, 0, 1]), np.array([0.9, 0.8, 0.1])), 4)
0.8333
>>> brier(np.array([1.0, 0.0]), np.array([0.5, 0.5]))
0.25
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tiltmeter.core.errors import Undefined
from tiltmeter.core.types import Array, Column, Integers
from tiltmeter.stats.confidence_intervals.score_intervals import VariedShare
from tiltmeter.stats.ranks.weighted_ranking import weighted_areas, weighted_precisions
from tiltmeter.stats.resampling.bootstrap import cluster_sums


@dataclass(frozen=True, slots=True)
class ProbabilityMetric:
    """A number about probabilities that can be had of many resamples of the texts at once."""

    name: str
    terms: Callable[[Array, Array, Array, Integers], Array]
    """What the number consists of, shape (draws, terms), NaN where there is none: from truth, probabilities,
    how often each unit is drawn, shape (draws, units), and the unit of each text."""
    varied: Callable[[Array, Array, int, int], VariedShare]
    """The number with its interval: from its terms on the data and on resamples, the number of texts and that
    of units of the rarer label."""
    why: Callable[[Array], str]
    """From truth without a value to the reason."""
    given_labels: bool = False
    """Whether it does not depend on how many texts have each label."""

    def __call__(self, truth_positive: Column, probability: Column) -> float:
        """The number on the data, from truth (1 is positive) and probabilities of being positive.

        Raises:
            Undefined: These texts have none.
        """
        truth = np.asarray(truth_positive, dtype=np.float64)
        scores = np.asarray(probability, dtype=np.float64)
        if not len(truth):
            raise Undefined("there are no texts")
        terms = self.on_all(truth, scores)
        if np.isnan(terms).any():
            raise Undefined(self.why(truth))
        return self.varied(terms, terms[None], len(truth), len(truth)).value

    def on_all(self, truth: Array, scores: Array) -> Array:
        """The terms on the data, shape (terms,)."""
        each = np.zeros(len(truth), dtype=np.int64)
        return np.asarray(self.terms(truth, scores, np.ones((1, 1)), each)[0])


def _share(terms: Array, drawn: Array, texts: int, units: int) -> VariedShare:
    return VariedShare(float(terms[0]), drawn[:, 0], texts, units)


def _mean(terms: Array, drawn: Array, texts: int, units: int) -> VariedShare:
    """Squared distances vary less than answers that are right or wrong, so no number of texts is a limit."""
    del texts
    return VariedShare(float(terms[0]), drawn[:, 0], np.inf, units)


def _area(truth: Array, scores: Array, weights: Array, unit: Integers) -> Array:
    return weighted_areas(truth > 0, scores, weights, unit)[:, None]


def _precision(truth: Array, scores: Array, weights: Array, unit: Integers) -> Array:
    return weighted_precisions(truth > 0, scores, weights, unit)[:, None]


def _squares(truth: Array, scores: Array, weights: Array, unit: Integers) -> Array:
    return _means(((truth - scores) ** 2)[:, None], weights, unit)


def _means(values: Array, weights: Array, unit: Integers) -> Array:
    """Means over the texts of each draw; values of shape (texts, terms)."""
    k = weights.shape[1]
    size = np.bincount(unit, minlength=k)
    return np.asarray(weights @ cluster_sums(values, unit, k) / (weights @ size)[:, None])


def _one_label(truth: Array) -> str:
    return f"there are no {'negative' if (truth > 0).any() else 'positive'} texts"


roc_auc = ProbabilityMetric("roc_auc", _area, _share, _one_label, given_labels=True)
"""The chance that a positive text has a higher probability than a negative one; ties count half.

From 0 to 1; chance is .5. The area under the ROC curve (Hanley and McNeil 1982)."""
average_precision = ProbabilityMetric("average_precision", _precision, _share, _one_label)
"""Precision at each threshold, weighted by the gain in recall; from 0 to 1.

A model that guesses has the share of positive texts."""
brier = ProbabilityMetric("brier", _squares, _mean, _one_label)
"""Mean squared distance of the probability from 1 or 0; from 0, the best, to 1."""
