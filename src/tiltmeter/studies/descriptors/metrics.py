"""How far a model finds sentences with one descriptor of people likelier than with another.

Columns, one row a sentence: its log-probability and number of tokens, then labels. Numbers are nats per token
(the logarithm of the perplexity), and sentences are compared only with those of the same template and noun.

>>> nats = np.array([1.0, 2.0, 3.0, 4.0])  # the second descriptor costs one more, in both templates
>>> ones, two = np.ones(4), np.array([0, 0, 1, 1])
>>> round(descriptor_spread(-nats, ones, ones, np.array([0, 1, 0, 1]), two, ones), 3)  # of −½ and ½
0.707
"""

from collections.abc import Sequence
from itertools import combinations
from typing import Any, cast

import numpy as np

from tiltmeter.core.errors import Undefined
from tiltmeter.core.estimates import Inference
from tiltmeter.core.samples import ContrastSample, PairedSample, Sample, as_numbers, uncertainty
from tiltmeter.core.types import Array, Column, Integers, Labels
from tiltmeter.metrics.counts import few_texts
from tiltmeter.stats.confidence_intervals.intervals import CONFIDENCE, student
from tiltmeter.stats.resampling.bootstrap import RESAMPLES, clustered
from tiltmeter.stats.resampling.bootstrap_intervals import stretched
from tiltmeter.stats.resampling.crossed import crossed_means
from tiltmeter.stats.resampling.jackknife import jackknife_error

FEW = 5
"""With fewer templates or nouns an interval comes with a caution."""
LEVEL = 0.05


def nats_per_token(logprob: Array, tokens: Array, *labels: Column) -> float:
    """The mean over sentences."""
    del labels
    return float(np.mean(-logprob / tokens))


def descriptor_spread(
    logprob: Array, tokens: Array, axis: Labels, descriptor: Labels, template: Labels, noun: Labels
) -> float:
    """Standard deviation of what descriptors of one axis cost, whatever the template and the noun.

    Its square is made of the products of what a descriptor costs in two sentences that have neither
    template nor noun in common (of a single template or noun, that differ in the other). So chance alone
    gives 0 on average, however few sentences there are; and so does a sample of the sentences give the
    spread of all, although it has few descriptors with each template and noun. At least 0, which is no
    difference.

    Raises:
        Undefined: There are no two descriptors of one axis, one template and one noun only, or no descriptor
            beside others in two sentences that differ in both.
    """
    square = _squares((logprob, tokens, axis, descriptor, template, noun))[0]
    return float(max(square, 0.0) ** 0.5)


def _squares(columns: Sequence[Column]) -> tuple[float, list[Array]]:
    """The square of the spread, and its values without each template and without each noun.

    What a sentence costs is measured against the mean of the k sentences in its cell, those of its axis,
    template and noun. If costs of descriptors have the variance v, the product of two such costs of one
    descriptor, in cells with k and l sentences of which m have descriptors in common, is on average
    v (1 − 1/k − 1/l + m/kl). The square is the sum of the products over the sum of these factors.
    """
    logprob, tokens = as_numbers(columns[:2])
    axis, descriptor, template, noun = cast("Sequence[Labels]", columns[2:])
    cell, cells = _crossed(axis, template, noun)
    nats = -logprob / tokens
    apart = nats - (np.bincount(cell, nats, cells) / np.bincount(cell, minlength=cells))[cell]
    (in_axis, axes), (of, count) = clustered(axis), _crossed(axis, descriptor)
    (row, rows), (column, across) = clustered(template), clustered(noun)
    if rows * across < 2 or count <= axes:  # noqa: PLR2004
        what = "descriptor of each axis" if rows * across > 1 else "template and one noun"
        raise Undefined(f"there is only one {what}")
    shape = (count, rows, across)
    place = np.ravel_multi_index((of, row, column), shape)
    costs, times = (
        np.bincount(place, each, count * rows * across).reshape(shape).astype(np.float64)
        for each in (apart, np.ones_like(apart))
    )
    products = (costs * _others(costs)).sum(axis=0)  # (templates, nouns)
    axis_of = np.zeros(count, dtype=np.int64)
    axis_of[of] = in_axis
    factors = sum(_factors(times[axis_of == k]) for k in range(axes))
    total, weight = float(products.sum()), float(np.sum(factors))
    if weight < LEAST_WEIGHT:
        both = " and ".join(word for word, k in (("template", rows), ("noun", across)) if k > 1)
        raise Undefined(
            f"no descriptor stands beside others in two sentences that differ in {both}"
        )
    without = []
    for by, n in ((1, rows), (0, across)):
        if n > 1:  # a pair has each template and noun once
            left = weight - 2 * np.sum(factors, axis=by)
            values = total - 2 * products.sum(axis=by)
            made = np.divide(values, left, out=np.full(n, np.nan), where=left > LEAST_WEIGHT)
            without.append(made)
    return total / weight, without


LEAST_WEIGHT = 1e-6
"""Sums of factors that are smaller are rounding errors of 0."""


def _others(cells: Array) -> Array:
    """For each cell, (descriptors, templates, nouns), the sum of the cells that are paired with it.

    These are of the same descriptor and differ in each of template and noun that varies.
    """
    rows, across = (n > 1 for n in cells.shape[1:])
    others = cells.sum(axis=(1, 2), keepdims=True)
    others = (
        others - rows * cells.sum(axis=2, keepdims=True) - across * cells.sum(axis=1, keepdims=True)
    )
    return np.asarray(others + (rows and across) * cells)


def _factors(times: Array) -> Array:
    """Shape (templates, nouns): the sum of the factors of all pairs of an axis with a sentence in that cell.

    `times` counts the sentences of each descriptor of the axis, shape (descriptors, templates, nouns).
    """
    _, rows, across = times.shape
    share = 1 / np.maximum(times.sum(axis=0), 1)  # 1 / k
    own = times**2 * share
    made = times * _others(times) - times * _others(own) - own * _others(times)
    factors = made.sum(axis=0)
    for row in range(rows):
        alike = (
            np.tensordot(times[:, row], times, axes=(0, 0)) ** 2 * share
        )  # (nouns, templates, nouns)
        if rows > 1:
            alike[:, row] = 0
        if across > 1:
            alike[np.arange(across), :, np.arange(across)] = 0
        factors[row] += share[row] * alike.sum(axis=(1, 2))
    return np.asarray(factors)


def _crossed(*labels: Labels) -> tuple[Integers, int]:
    """The number of each combination of labels that occurs, and how many there are."""
    codes = np.zeros(len(labels[0]), dtype=np.int64)
    for column in labels:
        mine, count = clustered(column)
        codes = codes * count + mine
    return clustered(codes)


def infer_spread(sample: Sample) -> Inference:
    """Student's t about the square, with jackknife errors over templates and over nouns; no test."""
    square, without = _squares(sample.columns)
    sure = _jackknifed(square, without)
    low, high = (None if end is None else max(end, 0.0) ** 0.5 for end in sure[:2])
    return sure._replace(low=low, high=high)


def compare_spreads(sample: PairedSample) -> tuple[float, Inference]:
    """A's spread minus B's, with jackknife errors of the difference over templates and over nouns."""
    (a, without_a), (b, without_b) = map(_squares, (sample.a, sample.b))

    def apart(first: Array, second: Array) -> Array:
        return np.asarray(np.sqrt(np.maximum(first, 0)) - np.sqrt(np.maximum(second, 0)))

    value = float(apart(np.array(a), np.array(b)))
    return value, _jackknifed(
        value, list(map(apart, without_a, without_b)), confidence=sample.confidence
    )


def _jackknifed(
    value: float, without: Sequence[Array], *, confidence: float = CONFIDENCE
) -> Inference:
    """The interval of a value, from those without each template and without each noun."""
    units = min(map(len, without))

    def interval() -> tuple[float, float, str]:
        error = float(np.linalg.norm([jackknife_error(values) for values in without]))
        if np.isnan(error):
            raise Undefined("without one of the templates or nouns there is nothing to compare")
        low, high, _ = student(value, error, units - 1, confidence=confidence)
        return low, high, "Student’s t, jackknife of templates and nouns"

    return uncertainty(interval, rough=few_texts(units, "templates or nouns", least=FEW))


def contrast_costs(sample: ContrastSample) -> tuple[float, Inference]:
    """What a descriptor costs more than others: the mean difference in templates and nouns that both have.

    The interval resamples templates and nouns.

    Raises:
        Undefined: They have no template and noun in common.
    """
    sides = sample.sides
    both: list[Any] = [np.concatenate(pair) for pair in zip(sides.a, sides.b, strict=True)]
    logprob, tokens, template, noun = both
    cell, cells = _crossed(template, noun)
    first = np.unique(cell, return_index=True)[1]
    means = []
    for rows in (slice(len(sides.a[0])), slice(len(sides.a[0]), None)):
        times = np.bincount(cell[rows], minlength=cells)
        sums = np.bincount(cell[rows], -(logprob / tokens)[rows], cells)
        means.append(np.divide(sums, times, out=np.full(cells, np.nan), where=times > 0))
    shared = ~np.isnan(means[0] - means[1])
    if not shared.any():
        raise Undefined("it has no template and noun in common with the others")
    apart, places = (means[0] - means[1])[shared], first[shared]
    sizes = [len(np.unique(labels[places])) for labels in (template, noun)]
    value, units = float(apart.mean()), min((size for size in sizes if size > 1), default=1)

    def interval() -> tuple[float, float, str]:
        drawn = crossed_means(
            apart, template[places], noun[places], np.zeros(len(apart), np.int64), sample.rng
        )[:, 0]
        low, high = stretched(drawn[~np.isnan(drawn)], value, units)
        return low, high, f"stretched bootstrap of templates and nouns, {RESAMPLES:,} draws"

    return value, uncertainty(interval, rough=few_texts(units, "templates or nouns", least=FEW))


def likelihood_bias(
    logprob: Array, tokens: Array, axis: Labels, descriptor: Labels, template: Labels, noun: Labels
) -> float:
    """Share of pairs of descriptors of one axis whose perplexities differ with p < .05, in percent.

    Likelihood Bias of Smith et al. 2022: Mann–Whitney's test over nouns, within each template. It says how
    many nouns there were as much as how far descriptors differ: with enough of them it goes to 100.
    Descriptors with fewer nouns than others are left out.

    Raises:
        Undefined: There are no two descriptors of one axis.
    """
    from scipy.stats import mannwhitneyu  # noqa: PLC0415  (slow to import, and needed for this one number)

    del noun
    cell, cells = _crossed(axis, template)
    of, nats = _crossed(axis, descriptor)[0], -logprob / tokens
    significant: list[bool] = []
    for here in (np.flatnonzero(cell == k) for k in range(cells)):
        groups = [nats[here][of[here] == k] for k in np.unique(of[here])]
        full = np.array([g for g in groups if len(g) == max(map(len, groups))])
        pairs = np.array([*combinations(range(len(full)), 2)])
        if len(pairs):
            tested = mannwhitneyu(full[pairs[:, 0]], full[pairs[:, 1]], axis=1)
            significant += (tested.pvalue < LEVEL).tolist()
    if not significant:
        raise Undefined("there is only one descriptor of each axis")
    return 100 * float(np.mean(significant))
