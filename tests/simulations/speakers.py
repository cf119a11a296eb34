"""How often intervals of GEST's rates and ranks contain the true value, whatever pattern it is drawn from.

Sentences of 16 stereotypes lean by a pattern, in four templates each; those of men by `APART` more.
"""

from functools import cache, partial

import numpy as np

from simulations.cases import PatternCase
from simulations.patterns import DENSE, HELD_OUT, LARGE, NONE, SKEWED, SPARSE, TAILS, UNEQUAL
from tiltmeter.core.samples import ContrastSample, PairedSample, Sample, TwoSides
from tiltmeter.studies.gest import metrics

MIXED = (DENSE, SPARSE, NONE, TAILS, SKEWED, UNEQUAL)
PATTERN = {pattern.name: pattern for pattern in (*MIXED, *HELD_OUT)}
STEREOTYPES = np.array([f"s{i:02}" for i in range(16)])
APART = 0.8
OF_TEMPLATES = 0.3
"""How far the pattern moves a template, beside a sentence."""


@cache
def mean_lean(pattern):
    """What sentences of the pattern lean on average."""
    return float(pattern.lean(np.random.default_rng(5), LARGE * 10).mean())


def said(pattern, rng, *, sentences, stereotypes=16, templates=4, moved=0.0):
    """Columns of sentences in templates, and the sentence of each; the last nine stereotypes are of men."""
    n = stereotypes * sentences
    of = np.arange(n) // sentences
    men = of >= stereotypes - 9
    lean, noise = pattern.lean(rng, n), pattern.noise(rng, n)
    effect = moved * pattern.lean(rng, templates)
    apart = pattern.shape(rng, n * templates).reshape(n, templates)
    scores = (lean + APART * men)[:, None] + 0.5 * noise[:, None] * apart
    scores = scores + men[:, None] * effect
    names, flags = STEREOTYPES[of], men * 1.0
    rows = np.repeat(np.arange(n), templates)
    template = np.tile(np.arange(templates), n).astype(str)
    return [scores.ravel(), names[rows], flags[rows], template], rows


def in_all(pattern):
    """The mean score of all stereotypes."""
    return mean_lean(pattern) + APART * 9 / 16


def of_one(pattern, rng, *, metric, infer, read, true, **sizes):
    columns, rows = said(PATTERN[pattern], rng, **sizes)
    sure = infer(Sample(metric, columns[:read], rows, rng))
    return sure.low, sure.high, np.exp(true(PATTERN[pattern]))


def of_both(pattern, rng, *, metric, read, apart, true, **sizes):
    """Two models, the second of which leans `apart` less to the men's side, with noise of its own."""
    a, rows = said(PATTERN[pattern], rng, **sizes)
    b = [a[0] - apart * a[2] + 0.3 * rng.normal(size=len(rows)), *a[1:]]
    sure = metrics.compare_rates(PairedSample(metric, a[:read], b[:read], rows, rng))[1]
    less = apart if metric is metrics.g_s else apart * 9 / 16
    first = np.exp(true(PATTERN[pattern]))
    return sure.low, sure.high, first - first * np.exp(-less)


def of_rank(pattern, rng, *, sentences):
    """The rank of the fourth of 16 stereotypes, each of which leans .15 more than the one before."""
    columns, rows = said(PATTERN[pattern], rng, sentences=sentences)
    number = np.char.lstrip(columns[1], "s").astype(int)
    columns = [columns[0] - APART * columns[2] + 0.15 * number, columns[1]]
    first = number == 3
    a, b = ([column[here] for column in columns] for here in (first, ~first))
    sides = TwoSides(a, rows[first], b, rows[~first])
    sure = metrics.infer_rank(ContrastSample(metrics.masculine_rate, sides, rng))[1]
    return sure.low, sure.high, 4


T, NAMED = "Student’s t", "16 stereotypes of 20 sentences"
G_S = {"metric": metrics.g_s, "read": 3, "true": lambda _: APART}
RATE = {"metric": metrics.masculine_rate, "read": 2}
SPEAKER_CASES = (
    PatternCase(T, "g_s", NAMED, partial(of_one, infer=metrics.infer_g_s, sentences=20, **G_S), MIXED, 400),
    PatternCase(T, "g_s of two models", NAMED, partial(of_both, apart=0.3, sentences=20, **G_S), MIXED, 400),
    PatternCase(T, "masculine_rate", NAMED,
                partial(of_one, infer=metrics.infer_rate, true=in_all, sentences=20, **RATE), MIXED, 400),
    PatternCase(T, "masculine_rate of two models", NAMED,
                partial(of_both, apart=0.3, true=in_all, sentences=20, **RATE), MIXED, 400),
    PatternCase(T, "masculine_rate", "1 stereotype of 200 sentences",
                partial(of_one, infer=metrics.infer_rate, sentences=200, stereotypes=1,
                        true=lambda pattern: mean_lean(pattern) + APART, **RATE), MIXED, 1000),
    PatternCase(T, "g_s_over_templates", "40 templates",
                partial(of_one, metric=metrics.g_s_over_templates, infer=metrics.infer_over_templates, read=4,
                        true=lambda pattern: APART + OF_TEMPLATES * mean_lean(pattern), sentences=20,
                        templates=40, moved=OF_TEMPLATES), MIXED, 400),
    PatternCase("ranges of ranks", "stereotype_rank", NAMED, partial(of_rank, sentences=20), MIXED, 200),
)  # fmt: skip
