"""How often intervals of sizes contain the true value, whatever the pattern: few large, many small, none.

Of strengths over templates and replies, calibration errors, changes of probabilities and medians.
"""

from functools import cache

import numpy as np
from scipy.special import expit, logit

from simulations.cases import Case, NullCase
from simulations.intervals import ends
from tiltmeter.core.samples import PairedSample, Sample
from tiltmeter.core.study_views import Matrix
from tiltmeter.derived.matrices.matrix_comparison import paired_strength
from tiltmeter.metrics import calibration, preference, traits
from tiltmeter.metrics.preference_inference import infer_median
from tiltmeter.studies.counterfactual import metrics as probability_changes
from tiltmeter.studies.story_choice import metrics as choices

VIEW = Matrix("association", "group", "pair", layers="template")


def some(share, size, cells):
    """So many cells at a size, half of them on either side, and the others at 0."""
    lean = np.arange(cells) < max(1, round(share * cells))
    return lean * np.where(np.arange(cells) % 2, size, -size)


def heavy(cells):
    """The same cells each time: a tenth of them has most of the sum of squares."""
    return 0.5 * np.random.default_rng(3).standard_t(2, size=cells)


def normal(spread, cells):
    return spread * np.random.default_rng(3).normal(size=cells)


NOISE = {
    "": lambda templates, cells, rng: rng.normal(size=(templates, cells)),
    "skewed": lambda templates, cells, rng: rng.exponential(size=(templates, cells)) - 1,
    "unequal noise": lambda templates, cells, rng: (
        rng.normal(size=(templates, cells)) * np.exp(normal(1, cells))
    ),
    "templates shift all cells": lambda templates, cells, rng: (
        0.5 * rng.normal(size=(templates, cells)) + rng.normal(size=(templates, 1))
    ),
    "templates of unequal noise": lambda templates, cells, rng: (
        rng.normal(size=(templates, cells)) * np.exp(0.7 * rng.normal(size=(templates, 1)))
    ),
}


def strength(templates, truth, rng, *, noise=""):
    scores = truth + NOISE[noise](templates, len(truth), rng)
    template, cell = np.divmod(np.arange(scores.size), len(truth))
    columns = [np.zeros(scores.size), scores.ravel(), cell.astype(str), np.full(scores.size, "pair"),
               template]  # fmt: skip
    sure = traits.infer_strength(Sample(traits.rms_strength, columns, template, rng))
    return sure, float(np.square(truth).mean() ** 0.5)


def strengths_apart(templates, first, second, rng, *, noise="", more=1.0):
    """Two models in the same templates, whose scores vary alike by half; the second by more."""
    common = NOISE[noise](templates, len(first), rng)
    one, other = (
        truth + scale * 0.5**0.5 * (common + NOISE[noise](templates, len(first), rng))
        for truth, scale in ((first, 1.0), (second, more))
    )
    true = np.square(first).mean() ** 0.5 - np.square(second).mean() ** 0.5
    return paired_strength(one, other, VIEW)[1], true


def chosen(repeats, truth, rng, *, order=0.0):
    """Replies to both orders; `truth` is right − left of each cell, −1 to 1, `order` a bonus."""
    cells = len(truth)
    by_order = np.clip(truth[:, None, None] + order * np.array([1, -1]), -1, 1)
    right = (rng.random((cells, repeats, 2)) < (1 + by_order) / 2).astype(float).ravel()
    cell, repeat, _ = np.unravel_index(np.arange(right.size), (cells, repeats, 2))
    columns = [
        1 - right,
        right,
        cell.astype(str),
        np.full(right.size, "pair"),
        repeat.astype(float),
    ]
    sure = choices.infer_choice_strength(Sample(choices.rms_choice_strength, columns, cell, rng))
    return sure, float(100 * np.square(by_order.mean(axis=2)).mean() ** 0.5)


GIVEN = {
    "uniform": lambda n, rng: rng.random(n),
    "normal log-odds": lambda n, rng: expit(1.5 * rng.normal(size=n) - 1),
    "sure": lambda n, rng: np.clip(rng.beta(0.2, 0.2, size=n), 1e-12, 1 - 1e-12),
    "rare labels": lambda n, rng: expit(rng.normal(-4, 1, size=n)),
}
TRULY = {
    "no error": lambda p: p,
    "log-odds too low by 0.7": lambda p: expit(logit(p) + 0.7),
    "probabilities too high by 15 points": lambda p: np.clip(p - 0.15, 0, 1),
    "one bin wrong": lambda p: np.where((p >= 0.6) & (p < 0.7), p - 0.3, p),
    "log-odds too close to 0": lambda p: expit(2 * logit(p)),
}


@cache
def calibrated(given, error):
    """The true root mean square error, of very many texts."""
    p = GIVEN[given](2_000_000, np.random.default_rng(0))
    bins = np.minimum((10 * p).astype(int), 9)
    sizes = np.bincount(bins, minlength=10)
    apart = np.bincount(bins, weights=TRULY[error](p) - p, minlength=10)
    return float(100 * np.sqrt(np.sum(apart**2 / np.maximum(sizes, 1)) / len(p)))


def forecasts(n, given, error, rng, *, each=1):
    """Texts whose labels are random; `each` of a cluster have the same probability and label."""
    p = GIVEN[given](n, rng)
    truth = (rng.random(n) < TRULY[error](p)).astype(float)
    columns = [np.repeat(column, each) for column in (truth, p, np.arange(n))]
    sure = calibration.infer_calibration(
        Sample(calibration.rms_calibration_error, columns, columns[2], rng)
    )
    return sure, calibrated(given, error)


def forecasts_apart(n, error, rng):
    """A model whose log-odds are uniform and right less one of the other error, on the same texts."""
    truly = rng.random(n)
    truth, texts = (rng.random(n) < truly).astype(float), np.arange(n)
    both = [[truth, truly, texts], [truth, error(truly), texts]]
    sure = calibration.compare_calibration(
        PairedSample(calibration.rms_calibration_error, *both, texts, rng)
    )[1]
    return sure, -_of_error(error)


def _of_error(error):
    p = (np.arange(1_000_000) + 0.5) / 1_000_000
    said = error(p)
    bins = np.minimum((10 * said).astype(int), 9)
    sizes, apart = (
        np.bincount(bins, minlength=10),
        np.bincount(bins, weights=p - said, minlength=10),
    )
    return float(100 * np.sqrt(np.sum(apart**2 / np.maximum(sizes, 1)) / len(p)))


CHANGES = {
    "8 % change by 40 points": (lambda n, rng: 40.0 * (rng.random(n) < 0.08), 3.2),
    "normal": (lambda n, rng: 5 * np.abs(rng.normal(size=n)), 5 * (2 / np.pi) ** 0.5),
    "exponential": (lambda n, rng: rng.exponential(5, size=n), 5.0),
    # the integral of P(change > x) from 0 to 100, which is (1 + x / 3)^−1.8
    "heavy tails": (
        lambda n, rng: np.minimum(3 * rng.pareto(1.8, size=n), 100),
        3 / 0.8 * (1 - (1 + 100 / 3) ** -0.8),
    ),
}


def changes(n, kind, rng, *, metric=probability_changes.mean_absolute_change):
    """Two edits of each text, of one size."""
    draw, true = CHANGES[kind]
    size = np.repeat(draw(n, rng), 2) / 100
    if metric is probability_changes.decisions_flipped:
        size, true = (size > 0).astype(float), 8.0
    labels = np.repeat(np.arange(n), 2)
    return probability_changes.infer_changes(
        Sample(metric, [np.zeros(2 * n), size], labels, rng)
    ), true


SURE = {
    "exponential": lambda n, rng: np.minimum(rng.exponential(0.1, size=n), 0.9),
    "log-normal": lambda n, rng: np.minimum(rng.lognormal(-3, 1.5, size=n), 0.9),
    "of two kinds": lambda n, rng: np.where(
        rng.random(n) < 0.5, rng.uniform(0.01, 0.03, size=n), rng.uniform(0.3, 0.6, size=n)
    ),
}
MEDIANS = {"exponential": 10 * np.log(2), "log-normal": 100 * np.exp(-3), "of two kinds": 3.0}


def medians(n, kind, rng, *, metric=preference.median_confidence_more, each=1):
    """Confidences of pairs, or of clusters of pairs with one confidence."""
    sure = np.repeat(SURE[kind](n, rng), each)
    wins, higher = rng.random(len(sure)) < 0.5, np.full(len(sure), -10.0)
    lower = higher / (1 - sure)
    columns = [np.where(wins, higher, lower), np.where(wins, lower, higher)]
    true = 0.0 if metric is preference.confidence_gap else MEDIANS[kind]
    return infer_median(Sample(metric, columns, np.repeat(np.arange(n), each), rng)), true


def interval(trial, *args, **more):
    """The trial as a case needs it, negative ends and all."""
    return lambda rng: ends(*trial(*args, rng, **more))


def p_of(trial, *args, **more):
    return lambda rng: trial(*args, rng, **more)[0].p


TEMPLATES = "score interval, products of templates"
REPEATS = "score interval, products of repeats"
TEXTS = "score interval, products of texts"
NONE = np.zeros(64)
SHIFTED = "templates shift all cells"
SQUARE_CASES = (
    *(
        Case(TEMPLATES, "rms_strength", f"{templates} templates, {said}{f', {noise}' if noise else ''}",
             interval(strength, templates, truth, noise=noise), 93, 100, 500)
        for templates, truth, said, noise in (
            (5, NONE, "64 cells, none leans", ""),
            (10, NONE, "64 cells, none leans", "unequal noise"),
            (10, some(0.08, 2, 64), "64 cells, 8 % at 2", ""),
            (50, some(0.08, 2, 64), "64 cells, 8 % at 2", ""),
            (35, some(0.08, 1, 320), "320 cells, 8 % at 1", ""),
            (10, some(0.5, 0.5, 64), "64 cells, half at 0.5", ""),
            (20, heavy(64), "64 cells, heavy-tailed associations", ""),
            (10, normal(3, 64), "64 cells, associations of 3", ""),
            (5, normal(1, 64), "64 cells, associations of 1", "skewed"),
            (10, normal(0.3, 64), "64 cells, associations of 0.3", "templates of unequal noise"),
            (10, np.ones(1), "1 cell at 1", ""),
            (5, NONE, "64 cells, none leans", SHIFTED),
            (10, np.full(64, 0.4), "64 cells, all at 0.4", SHIFTED),
            (35, some(0.08, 1, 64), "64 cells, 8 % at 1", SHIFTED),
            (10, normal(1, 64), "64 cells, associations of 1", SHIFTED),
        )
    ),
    *(
        Case("score intervals of both, products of templates", "strength_difference",
             f"{templates} templates, {said}{f', {noise}' if noise else ''}",
             interval(strengths_apart, templates, first, second, noise=noise, more=more), 93, 100, 500)
        for templates, first, second, said, noise, more in (
            (5, NONE, NONE, "none leans in either", "", 1),
            (10, NONE, NONE, "none leans, one noisier", "", 3),
            (10, some(0.08, 2, 64), some(0.08, 1, 64), "8 % at 2 and at 1", "", 1),
            (10, normal(2, 64), normal(1.7, 64), "associations of 2 and 1.7", "", 1),
            (10, np.full(64, 1.0), np.full(64, 0.5), "all at 1 and at 0.5", SHIFTED, 1),
        )
    ),
    *(
        Case(REPEATS, "rms_strength of choices", f"{len(truth)} cells of {2 * repeats} replies, {said}",
             interval(chosen, repeats, truth, order=order), 93, 100, 500)
        for repeats, truth, said, order in (
            (5, np.zeros(16), "no preference", 0),
            (5, np.zeros(16), "only the order counts", 0.8),
            (5, some(0.08, 0.9, 64), "8 % at 90 points", 0),
            (5, np.full(64, 0.2), "all at 20 points", 0),
            (5, some(1, 1, 64), "always the same", 0),
            (10, some(0.5, 0.5, 16), "half at 50 points", 0.3),
        )
    ),
    *(
        Case(TEXTS, "rms_calibration_error", f"{n:,} texts, {given}, {error}",
             interval(forecasts, n, given, error), 93, 100, 500)
        for n, given, error in (
            *((n, "normal log-odds", error) for error in TRULY for n in (60, 200, 1000)),
            (200, "uniform", "one bin wrong"),
            (60, "sure", "no error"),
            (200, "sure", "log-odds too low by 0.7"),
            (60, "rare labels", "no error"),
            (1000, "rare labels", "log-odds too low by 0.7"),
        )
    ),
    Case("score interval, products of clusters", "rms_calibration_error",
         "60 clusters of 5 texts, normal log-odds, no error",
         interval(forecasts, 60, "normal log-odds", "no error", each=5), 93, 100, 500),
    *(
        Case("score intervals of both, products of texts", "rms_calibration_error_difference",
             f"200 texts, {said}", interval(forecasts_apart, 200, error), 93, 100, 500)
        for said, error in (
            ("no error and log-odds twice too large", lambda p: expit(2 * logit(p))),
            ("no error and probabilities of 30 to 70 % only", lambda p: 0.3 + 0.4 * p),
        )
    ),
    *(
        Case("bootstrap with a text at the bound", "mean_absolute_change", f"{n} texts of 2 edits, {kind}",
             interval(changes, n, kind), 93, 100, 300)
        for n, kind in (
            (30, "8 % change by 40 points"), (100, "8 % change by 40 points"), (30, "normal"),
            (30, "exponential"), (30, "heavy tails"), (100, "heavy tails"), (400, "heavy tails"),
        )
    ),
    Case("Wilson with a design effect", "decisions_flipped", "60 texts of 2 edits, 8 %",
         interval(changes, 60, "8 % change by 40 points", metric=probability_changes.decisions_flipped),
         92, 100, 500),
    *(
        Case("ranks", "median_confidence_more", f"{said}, {kind}", interval(medians, n, kind, each=each),
             93, 100, 500)
        for n, each, said, kind in (
            (30, 1, "30 pairs", "exponential"), (100, 1, "100 pairs", "exponential"),
            (30, 1, "30 pairs", "of two kinds"), (100, 1, "100 pairs", "log-normal"),
            (40, 5, "40 clusters of 5", "of two kinds"),
        )
    ),
    Case("ranks of both sides", "confidence_gap", "100 pairs, log-normal",
         interval(medians, 100, "log-normal", metric=preference.confidence_gap), 93, 100, 500),
)  # fmt: skip
SQUARE_NULL_CASES = (
    NullCase("products of templates", "rms_strength", "5 templates, templates shift all cells",
             p_of(strength, 5, NONE, noise=SHIFTED), 7.5, 600),
    NullCase("products of templates", "rms_strength", "35 templates, unequal noise",
             p_of(strength, 35, NONE, noise="unequal noise"), 7.5, 600),
    NullCase("products of repeats", "rms_strength of choices", "16 cells of 10 replies",
             p_of(chosen, 5, np.zeros(16)), 8, 600),
    NullCase("score intervals of both, products of templates", "strength_difference",
             "10 templates, 8 % at 2 in both", p_of(strengths_apart, 10, some(0.08, 2, 64),
             -some(0.08, 2, 64)), 7.5, 600),
    NullCase("score intervals of both, products of templates", "strength_difference",
             "10 templates, none leans, one noisier", p_of(strengths_apart, 10, NONE, NONE, more=3.0),
             7.5, 600),
)  # fmt: skip
