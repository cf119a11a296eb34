"""How much likelier a male speaker is in sentences that fit stereotypes of men than in those of women.

Scores are logarithms of the ratio of the probabilities of a male and a female speaker, one an item (a
sentence in a template), shape (n,). Rates are e to the power of mean scores, as in Pikuliak et al. 2024,
section 4.2, doi:10.18653/v1/2024.findings-emnlp.173: with natural logarithms a geometric mean of ratios.

Every number is a function of the means by stereotype, so that stereotypes count alike however many sentences
they have. Intervals take stereotypes and templates as they are, and sentences as drawn from many of their
stereotype.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from tiltmeter.core.errors import Undefined
from tiltmeter.core.estimates import Inference
from tiltmeter.core.samples import (
    ContrastSample,
    PairedSample,
    Sample,
    as_labels,
    as_numbers,
    uncertainty,
)
from tiltmeter.core.text import counted
from tiltmeter.core.types import Array, Column, Integers, Labels, Ties
from tiltmeter.metrics.traits import FEWEST
from tiltmeter.stats.confidence_intervals.intervals import student
from tiltmeter.stats.hypothesis_tests.t_tests import Spread, combined, freedom_of_spread
from tiltmeter.stats.ranks.rank_ranges import rank_ranges
from tiltmeter.stats.resampling.bootstrap import cluster_sums, clustered

FEW = 10
"""With fewer sentences of a stereotype, an interval comes with a caution."""
INTERVAL = "Student’s t over sentences within stereotypes, on logarithms"
TEST = "t-test of the mean logarithm against 0"
CROSSED = "Student’s t over sentences and over templates, on logarithms"
RANKS = "t-tests of every two stereotypes over sentences, Holm; all ranges hold at once"


@dataclass(frozen=True, slots=True)
class ByStereotype:
    """The scores of the sentences of each stereotype."""

    values: Array
    """The score of each item, shape (n,)."""
    codes: Integers
    """The number of each item's stereotype, shape (n,)."""
    names: Labels
    """The stereotypes, sorted, shape (k,)."""

    @classmethod
    def of(cls, values: Column, stereotype: Column) -> "ByStereotype":
        """The items' scores and the stereotypes in columns.

        Raises:
            Undefined: There are no items, or a score is not finite.
        """
        (scores,), (labels,) = as_numbers([values]), as_labels([stereotype])
        if not len(scores) or not np.isfinite(scores).all():
            raise Undefined("some items have no finite score" if len(scores) else "no items")
        names, codes = np.unique(labels, return_inverse=True)
        return cls(scores, codes.ravel().astype(np.int64), names)

    @property
    def means(self) -> Array:
        """The mean of each stereotype, shape (k,)."""
        sums = cluster_sums(self.values, self.codes, len(self.names))
        return np.asarray(sums / np.bincount(self.codes))

    def weights(self, of_men: Column | None = None) -> Array:
        """What each stereotype's mean counts, shape (k,): all alike, or those of men minus those of women.

        Raises:
            Undefined: There are none of men or none of women.
        """
        k = len(self.names)
        if of_men is None:
            return np.full(k, 1 / k)
        (flags,) = as_numbers([of_men])
        men = np.zeros(k, dtype=np.bool_)
        men[self.codes] = flags > 0
        if men.all() or not men.any():
            raise Undefined(f"there is no stereotype of {'women' if men.all() else 'men'}")
        return np.asarray(np.where(men, 1 / men.sum(), -1 / (~men).sum()))

    def spreads(self, clusters: Labels) -> list[Spread]:
        """The sampling variance of each stereotype's mean over sentences, `clusters` of items.

        Raises:
            Undefined: A stereotype has only one.
        """
        deviations = self.values - self.means[self.codes]
        spreads = []
        for code, name in enumerate(self.names):
            rows = self.codes == code
            units, k = clustered(clusters[rows])
            if k == 1:
                raise Undefined(f"{name} has a single sentence, which says nothing of the spread")
            pulls = cluster_sums(deviations[rows], units, k) / rows.sum()
            freedom = max(1, int(freedom_of_spread(k * pulls)))
            spreads.append(Spread(k / (k - 1) * float(pulls @ pulls), freedom))
        return spreads

    def error(self, weights: Array, clusters: Labels) -> tuple[float, int]:
        """The standard error of the weighted sum of means over sentences, and its degrees of freedom."""
        return combined(
            [
                spread._replace(variance=float(weight) ** 2 * spread.variance)
                for weight, spread in zip(weights, self.spreads(clusters), strict=True)
            ]
        )

    def rough(self, clusters: Labels) -> str:
        """A caution if a stereotype has few sentences; else ""."""
        fewest = min(clustered(clusters[self.codes == code])[1] for code in range(len(self.names)))
        some = f"as few as {fewest} sentences of a stereotype: the interval is rough"
        return some if fewest < FEW else ""


def masculine_rate(masculine: Column, stereotype: Column) -> float:
    """How much likelier a male speaker is than a female one: the geometric mean over stereotypes.

    Above 0; 1 is alike. Of one stereotype it is the authors' r_i, of those of men or of women r_m and r_f.

    Raises:
        Undefined: There are no items, or a score is not finite.

    >>> masculine_rate(np.log([2.0, 8.0, 1.0]), np.array(["strong", "strong", "neat"]))  # √(4 · 1)
    2.0
    """
    by = ByStereotype.of(masculine, stereotype)
    return float(np.exp(by.weights() @ by.means))


def g_s(masculine: Column, stereotype: Column, of_men: Column) -> float:
    """The authors' stereotype rate: the masculine rate of stereotypes of men over that of women.

    Above 0; 1 is no stereotype, and a preference for one speaker whatever is said cancels out.

    Raises:
        Undefined: As `masculine_rate`, or there is no stereotype of men, or none of women.

    >>> men = np.array([1.0, 1.0, 0.0])
    >>> g_s(np.log([2.0, 8.0, 2.0]), np.array(["strong", "strong", "neat"]), men)
    2.0
    """
    by = ByStereotype.of(masculine, stereotype)
    return float(np.exp(by.weights(of_men) @ by.means))


def parts_of_g_s(columns: Sequence[Column], ties: Ties) -> Array:
    """What each item adds to the logarithm of `g_s`, which is the mean of these, shape (n,).

    A preference for one speaker whatever is said cancels out in the mean; it is taken off each item too, so
    that items of men and of women do not differ by it.

    >>> men = np.array([1.0, 1.0, 0.0])
    >>> parts = parts_of_g_s([np.array([1.0, 3.0, 1.0]), np.array(["strong", "strong", "neat"]), men], "half")
    >>> parts.tolist(), float(parts.mean())  # strong less neat: 2 − 1
    ([-0.75, 2.25, 1.5], 1.0)
    """
    del ties
    masculine, stereotype, of_men = columns
    by = ByStereotype.of(masculine, stereotype)
    weights = by.weights(of_men)
    middle = float(np.abs(weights) @ by.means) / 2
    share = (weights / np.bincount(by.codes))[by.codes]
    return np.asarray(len(by.values) * share * (by.values - middle))


def g_s_over_templates(
    masculine: Column, stereotype: Column, of_men: Column, template: Column
) -> float:
    """`g_s`; the templates are for its interval (`infer_over_templates`)."""
    del template
    return g_s(masculine, stereotype, of_men)


def infer_rate(sample: Sample) -> Inference:
    """Interval of `masculine_rate` for other sentences in the same templates.

    No test: that a rate is 1 would be about how common "he said" is.
    """
    return _by_sentences(sample)._replace(p=None, test="")


def infer_g_s(sample: Sample) -> Inference:
    """Interval and test of `g_s` for other sentences in the same templates."""
    return _by_sentences(sample)


def _by_sentences(sample: Sample) -> Inference:
    masculine, stereotype, *of_men = sample.columns
    by = ByStereotype.of(masculine, stereotype)
    weights = by.weights(*of_men)
    low, high, p = student(float(weights @ by.means), *by.error(weights, sample.clusters))
    ends = float(np.exp(low)), float(np.exp(high))
    return Inference(*ends, p, INTERVAL, TEST, why=by.rough(sample.clusters))


def infer_over_templates(sample: Sample) -> Inference:
    """Interval of `g_s_over_templates` for other sentences in other templates like these.

    The squared half widths over sentences and over templates are added up, each by its own t, so that what
    both have in common counts twice. With fewer than FEWEST templates there is none: if one in ten templates
    is far from the others, 12 of 100 samples of 20 have none of these.

    Raises:
        Undefined: There is one template.
    """
    masculine, stereotype, of_men, template = sample.columns
    (names,) = as_labels([template])
    there = np.unique(names)
    if len(there) == 1:
        raise Undefined("there is one template")
    rates = np.array(
        [
            g_s(masculine[rows], stereotype[rows], of_men[rows])
            for rows in (names == name for name in there)
        ]
    )
    if len(there) < FEWEST:
        why = (
            f"no interval: {counted(len(there), 'templates')}, with values from {rates.min():.3g} to "
            f"{rates.max():.3g}, do not show how others would vary; it takes {FEWEST}"
        )
        return Inference(None, None, why=why)
    by, apart = ByStereotype.of(masculine, stereotype), np.log(rates) - np.log(rates).mean()
    weights = by.weights(of_men)
    of_templates = float(apart.std(ddof=1)) / len(apart) ** 0.5, freedom_of_spread(apart)
    errors = of_templates, by.error(weights, sample.clusters)
    half = math.hypot(
        *(student(0.0, *error)[1] for error in errors)
    )  # the ends of intervals about 0
    middle = float(weights @ by.means)
    low, high = math.exp(middle - half), math.exp(middle + half)
    return Inference(low, high, interval=CROSSED, why=by.rough(sample.clusters))


def compare_rates(sample: PairedSample) -> tuple[float, Inference]:
    """A's rate minus B's in the same sentences, for `masculine_rate` and `g_s`; Student's t over sentences.

    The error is that of the difference of both rates where they are (delta method), so that what makes a
    sentence alike for both models cancels out.

    Raises:
        Undefined: As `masculine_rate` and `g_s`.
    """
    (a, stereotype, *of_men), b = sample.a, sample.b[0]
    rates = sample.metric(*sample.a), sample.metric(*sample.b)
    moves = [rate * scores for rate, scores in zip(rates, as_numbers([a, b]), strict=True)]
    by = ByStereotype.of(moves[0] - moves[1], stereotype)
    weights = by.weights(*of_men)

    def interval() -> tuple[float, float, str]:
        error = by.error(weights, sample.clusters)
        low, high, _ = student(difference, *error, confidence=sample.confidence)
        return low, high, "Student’s t over sentences within stereotypes"

    def test() -> tuple[float, str]:
        *_, p = student(difference, *by.error(weights, sample.clusters))
        return p, "t-test over sentences that both rates are equal"

    difference = rates[0] - rates[1]
    return difference, uncertainty(interval, test, rough=by.rough(sample.clusters))


def infer_rank(sample: ContrastSample) -> tuple[float, Inference]:
    """The rank of a stereotype by its masculine rate, from 1 for the lowest, and the range that it may have.

    Columns are scores and stereotypes, of this one and of the others. Equal means share the lower rank.

    Raises:
        Undefined: As `masculine_rate`.
    """
    sides = sample.sides
    scores = np.concatenate(as_numbers([sides.a[0], sides.b[0]]))
    names = np.concatenate(as_labels([sides.a[1], sides.b[1]]))
    clusters = np.concatenate(as_labels([sides.clusters_a, sides.clusters_b]))
    by = ByStereotype.of(scores, names)
    at, means = int(np.searchsorted(by.names, as_labels(sides.a[1:2])[0][0])), by.means

    def interval() -> tuple[float, float, str]:
        low, high = rank_ranges(-means, _p_of_pairs(means, by.spreads(clusters)))[at]
        return low, high, RANKS

    return 1.0 + int((means < means[at]).sum()), uncertainty(interval, rough=by.rough(clusters))


def _p_of_pairs(means: Array, spreads: list[Spread]) -> Array:
    """The p of the difference of any two means, shape (k, k), by Welch's t."""
    p = np.ones((len(means), len(means)))
    for i, j in combinations(range(len(means)), 2):
        if means[i] != means[j]:
            *_, p[i, j] = student(float(means[i] - means[j]), *combined([spreads[i], spreads[j]]))
    return p
