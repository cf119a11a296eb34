"""The numbers of Chiu, Collins and Alexander 2022 as their published code computes them.

Each repeat has its own percentages, rounded to two decimals; F1 comes from rounded precision and recall. The
mean over repeats is printed with their standard deviation, called the standard error. Over both categories,
F1 is 2 · P · R(sexist) / (P + R), with the recall of one category in the numerator only.

Columns: `truth_positive` and `said_positive` as in `metrics.labels`, then `repeat` and, for `overall_f1`, the
`category` of each text. Replies without an answer are left out.

Source: github.com/kelichiu/GPT3-hate-speech-detection, outputs/documents/paper.Rmd.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from tiltmeter.core.errors import Undefined
from tiltmeter.core.text import counted, verb_for
from tiltmeter.core.types import Array, Column
from tiltmeter.metrics.labels import FN, FP, NO_ANSWER, TN, TP, precision

Statistic: TypeAlias = Literal["mean", "sd"]
SEXIST = "sexist"
"""The category whose recall the code takes for that of both."""


def rounded_accuracy(counts: Array) -> Array:
    """Accuracy in percent, rounded as published; counts of shape (…, cells) of `metrics.labels`.

    >>> rounded_accuracy(np.array([[1775, 1209, 1295, 1688, 33]])).tolist()
    [58.04]
    """
    right = counts[..., TP] + counts[..., TN]
    return _percent(right, counts[..., :NO_ANSWER].sum(axis=-1))


def rounded_precision(counts: Array) -> Array:
    """Precision in percent, rounded as published; counts of shape (…, cells)."""
    return _percent(counts[..., TP], counts[..., TP] + counts[..., FP])


def rounded_recall(counts: Array) -> Array:
    """Recall in percent, rounded as published; counts of shape (…, cells)."""
    return _percent(counts[..., TP], counts[..., TP] + counts[..., FN])


def rounded_f1(counts: Array) -> Array:
    """F1 in percent from rounded precision and recall; counts of shape (…, cells)."""
    return harmonic(rounded_precision(counts), rounded_recall(counts))


def harmonic(p: Array, r: Array, *, above: Array | None = None) -> Array:
    """2 · P · R / (P + R), rounded to two decimals; `above` replaces R in the numerator only.

    >>> float(harmonic(np.array(54.0), np.array(60.0), above=np.array(58.0)))
    54.95
    """
    top = 2 * p * (r if above is None else above)
    means = np.divide(top, p + r, out=np.full(np.shape(p), np.nan), where=p + r > 0)
    return np.asarray(np.round(means, 2), dtype=np.float64)


def _percent(part: Array, whole: Array) -> Array:
    share = np.divide(part, whole, out=np.full(np.shape(whole), np.nan), where=whole > 0)
    return np.asarray(np.round(np.round(share, 4) * 100, 2), dtype=np.float64)


@dataclass(frozen=True, slots=True)
class PublishedNumber:
    """The mean or the standard deviation of a rounded number over repeats, in percent.

    >>> number = PublishedNumber(rounded_precision, "mean")
    >>> number(np.array([1.0, 0, 1]), np.array([1.0, 1, 1]), np.array([0.0, 0, 1]))
    75.0
    """

    formula: Callable[[Array], Array]
    statistic: Statistic

    def __call__(self, *columns: Column) -> float:
        """The mean or the standard deviation over repeats, in percent; columns as the module says.

        Raises:
            Undefined: Some repeat has no value, or there is one repeat and thus no deviation.
        """
        return summary(self.formula(_counts(columns)), self.statistic)


@dataclass(frozen=True, slots=True)
class OverallF1:
    """F1 over both categories as the code has it, with the recall of sexist texts in the numerator."""

    statistic: Statistic

    def __call__(self, *columns: Column) -> float:
        """Mean or standard deviation over repeats of F1 of all texts, in percent.

        Raises:
            Undefined: No text is sexist, some repeat has no sexist texts or no value, or there is one repeat
                and thus no deviation.
        """
        *read, category = columns
        sexist = np.asarray(category) == SEXIST
        if not sexist.any():
            raise Undefined(f"no text has the category {SEXIST!r}, whose recall the code takes")
        of_all, of_sexist = _counts(read), _counts([column[sexist] for column in read])
        if len(of_all) != len(of_sexist):
            raise Undefined("some repeats have no sexist texts")
        p, r = rounded_precision(of_all), rounded_recall(of_all)
        return summary(harmonic(p, r, above=rounded_recall(of_sexist)), self.statistic)


def _counts(columns: tuple[Column, ...] | list[Column]) -> Array:
    """Counts of each repeat, shape (repeats, cells)."""
    *read, repeat = columns
    repeats, codes = np.unique(np.asarray(repeat), return_inverse=True)
    return precision.counts_by(read, codes.ravel(), len(repeats), 2)


def summary(values: Array, statistic: Statistic) -> float:
    """The mean over repeats, or the standard deviation that the paper calls the standard error.

    Raises:
        Undefined: Some repeat has no value, or there is one repeat and thus no deviation.
    """
    if np.isnan(values).any():
        raise Undefined(
            f"{int(np.isnan(values).sum())} of {counted(len(values), 'repeats')} "
            f"{verb_for(int(np.isnan(values).sum()), 'have')} no value"
        )
    if statistic == "mean":
        return float(values.mean())
    if len(values) == 1:
        raise Undefined("each text was asked once")
    return float(values.std(ddof=1))
