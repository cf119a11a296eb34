"""How often intervals of differences, gaps, agreement and slopes contain the true value, by simulation."""

from functools import cache, partial

import numpy as np
from scipy.special import expit, ndtr

from simulations.cases import Case, NullCase
from simulations.intervals import correlated, ends, pairs
from tiltmeter.analyses.compare_people import alignment_numbers
from tiltmeter.core.samples import ContrastSample, PairedSample, Sample, TwoSides
from tiltmeter.metrics import (
    context_association,
    context_association_inference,
    effects,
    preference,
)
from tiltmeter.metrics.association import effect_size
from tiltmeter.metrics.hypotheses import hypothesis_share, infer_hypothesis_share
from tiltmeter.metrics.label_intervals import infer_labelled
from tiltmeter.metrics.labels import accuracy, rate
from tiltmeter.metrics.preference_difference import compare_rates
from tiltmeter.metrics.probabilities import average_precision, brier, roc_auc
from tiltmeter.stats.confidence_intervals.intervals import (
    difference_interval,
    mean_interval,
    student,
)
from tiltmeter.stats.hypothesis_tests.exact_tests import holm, sign_flip
from tiltmeter.stats.hypothesis_tests.t_tests import t_test
from tiltmeter.stats.raters.gwet import gwet_inference
from tiltmeter.stats.raters.kappa_and_alpha import alpha_inference, fleiss_inference
from tiltmeter.stats.raters.percent_agreement import draws_inference, m_of_n_inference
from tiltmeter.stats.regression.mixed_model import fit_mixed
from tiltmeter.studies.fairness_gaps import gap_inference, group_gaps


def groups(n, rng, *, apart=1.0, cut=0.5):
    """Texts of two groups, half of them positive, with normal scores that both groups have alike.

    Positive texts score `apart` standard deviations higher; texts above `cut` are called positive.
    """
    sides = []
    for size in (n, 2 * n):
        truth = (np.arange(size) < size // 2).astype(float)
        score = rng.normal(size=size) + apart * truth
        sides.append([truth, (score > cut).astype(float), score])
    labels = [np.arange(n).astype(str), (n + np.arange(2 * n)).astype(str)]
    return TwoSides(sides[0], labels[0], sides[1], labels[1])


def gap(metric, n, rng, **how):
    """Positive texts are found by P(z > −0.5), the others called positive by P(z > 0.5)."""
    low, high, *_ = gap_inference._interval(metric, groups(n, rng, **how))
    return low, high, 0


def cross_area(n, rng):
    return ends(
        gap_inference.contrast_area(ContrastSample(group_gaps.bpsn_area, groups(n, rng), rng))[1],
        ndtr(2**-0.5),
    )


def area(n, rng, *, apart=1.0):
    truth = (np.arange(n) < n // 2).astype(float)
    columns = [truth, rng.normal(size=n) + apart * truth]
    return ends(infer_labelled(Sample(roc_auc, columns, np.arange(n), rng)), ndtr(apart / 2**0.5))


def forecasts(metric, n, rng, *, too_sure):
    """Texts whose probabilities are right or, of log-odds that many times as large, too close to 0 and 1."""
    return ends(
        infer_labelled(Sample(metric, _forecast(n, rng, too_sure), np.arange(n), rng)),
        _of_all(metric, too_sure),
    )


def _forecast(n, rng, too_sure):
    """Random labels."""
    odds = 1.5 * rng.normal(size=n) - 1
    return [(rng.random(n) < expit(odds)).astype(float), expit(too_sure * odds)]


@cache
def _of_all(metric, too_sure):
    """The true value: that of very many texts."""
    return metric(*_forecast(400_000, np.random.default_rng(3), too_sure))


def people(n, each, rng, *, of):
    """Groups lean each by its own, in the model's scores and in people's ratings, correlated by .5 within."""
    lean = rng.normal(size=(n, 1)) * 0.5
    scores = lean + rng.normal(size=(n, each))
    ratings = 0.5 * scores + 0.75**0.5 * rng.normal(size=(n, each))
    found = getattr(alignment_numbers, of)(
        scores, np.round(ratings, 1), seed=int(rng.integers(1e6))
    )
    return found.low, found.high, 2 / np.pi * np.arcsin(0.5 if of == "mean_tau" else POOLED_R)


POOLED_R = (0.5 * 1.25) / (1.25 * (0.25 * 1.25 + 0.75)) ** 0.5
"""The correlation over all cells of `people`."""


def effect_change(each, rng):
    """Two models on the same targets, whose associations are correlated by .5; no true change."""
    base = rng.normal(size=2 * each)
    sides = np.repeat(["X", "Y"], each)
    a, b = (base + rng.normal(size=2 * each) for _ in range(2))
    return effects.compare_effect_sizes(
        PairedSample(effect_size, [a, sides], [b, sides], np.arange(2 * each), rng)
    )[1]


def score_change(terms, rng, *, score, lean=0.3):
    """Two models on the same contexts, with no true change; every term leans by its own."""
    lean = np.repeat(rng.normal(lean, 0.7, size=terms), 25)
    n, sides = len(lean), []
    common = rng.normal(size=(3, n))
    for _ in range(2):
        more, less, other = 0.7 * common + 0.7 * rng.normal(size=(3, n))
        target = np.repeat(np.arange(terms), 25).astype(str)
        sides.append([more + lean, less, other - 1, target])
    metric = getattr(context_association, score)
    by = getattr(context_association_inference, f"compare_{score}")
    return ends(by(PairedSample(metric, *sides, np.arange(n), rng))[1], 0)


def raters(units, people_of_each, rng, share=0.5):
    """Each copies the truth with probability .8 and else answers as often by the same share."""
    truth = rng.random((units, 1)) < share
    guess = rng.random((units, people_of_each)) < share
    return np.where(rng.random(guess.shape) < 0.8, truth, guess).astype(float)


def corrected(inference, units, people_of_each, share, rng):
    """Fleiss' kappa and Krippendorff's alpha: .8² whatever the share; of samples with both answers."""
    ratings = raters(units, people_of_each, rng, share)
    while np.ptp(ratings) == 0:
        ratings = raters(units, people_of_each, rng, share)
    return ends(inference(ratings), 0.64)


def on_a_scale(units, people, rng, *, kind):
    """Krippendorff's alpha of an interval scale: the share of the variance that is between items.

    Sliders are normal; exponential ones are multiplied by log-normal errors; of "one item in twenty high"
    each person sees with probability .85 whether it is one, and rates it 50 to 100, others near 0.
    """
    if kind == "normal":
        ratings = rng.normal(size=(units, 1)) + 0.8 * rng.normal(size=(units, people))
        true = 1 / 1.64
    elif kind == "exponential":
        ratings = rng.exponential(size=(units, 1)) * np.exp(0.6 * rng.normal(size=(units, people)))
        mean, square = np.exp(0.18), np.exp(0.72)
        true = (2 * mean**2 - mean**2) / (2 * square - mean**2)
    else:
        truth = rng.random((units, 1)) < 0.05
        guess = rng.random((units, people)) < 0.05
        is_high = np.where(rng.random(guess.shape) < 0.85, truth, guess)
        high, low = rng.uniform(50, 100, guess.shape), rng.exponential(4, guess.shape)
        ratings = np.where(is_high, high, low)
        mean = 0.05 * 75 + 0.95 * 4
        total = 0.05 * (75**2 + 50**2 / 12) + 0.95 * 32 - mean**2
        true = 0.05 * 0.95 * (0.85 * 71) ** 2 / total
    return ends(alpha_inference(ratings, level="interval"), true)


def gwet(units, people_of_each, share, rng):
    """Two equal ratings by chance: 1 − .64 of all pairs, of which share² + (1 − share)² agree."""
    chance = share**2 + (1 - share) ** 2
    observed, by_chance = 0.64 + 0.36 * chance, 2 * share * (1 - share)
    found = gwet_inference(raters(units, people_of_each, rng, share))
    return ends(found, (observed - by_chance) / (1 - by_chance))


def pairs_equal(units, people_of_each, share, rng):
    true = 100 * (0.64 + 0.36 * (share**2 + (1 - share) ** 2))
    return ends(draws_inference(raters(units, people_of_each, rng, share)), true)


def panel_equal(units, rng):
    """Three equal answers: both values with .9³ + .1³."""
    return ends(m_of_n_inference(raters(units, 3, rng), 3, 3), 73)


def by_text(texts, replies, rng, *, share, of):
    """Replies about one text are alike: half of the variance of flags is between texts."""
    each = np.repeat(rng.beta(share, 1 - share, size=texts), replies)
    flag = (rng.random(len(each)) < each).astype(float)
    labels = np.repeat(np.arange(texts), replies).astype(str)
    if of == "rate":
        return ends(rate.infer(Sample(rate, [flag], labels, rng)), 100 * share)
    if of == "hypotheses":
        return ends(
            infer_hypothesis_share(Sample(hypothesis_share, [flag], labels, rng)), 100 * share
        )
    none = np.full(len(flag), -1.0)
    columns = [np.ones(len(flag)), flag, none, none]
    return ends(accuracy.infer(Sample(accuracy, columns, labels, rng)), 100 * share)


def grid(rows, columns, rng, slope=0.0):
    """Scores with a random shift of each row and of each column, and a predictor that has them too."""
    x = rng.normal(size=(rows, columns)) + rng.normal(size=(rows, 1))
    y = slope * x + rng.normal(size=(rows, 1)) + 0.7 * rng.normal(size=(1, columns))
    y = y + rng.normal(size=y.shape)
    labels = np.divmod(np.arange(rows * columns), columns)
    return fit_mixed(y.ravel(), x.reshape(-1, 1), list(labels))


def discordant(sizes, rng, *, rates, clusters, true):
    """Pairs in clusters of some sizes, drawn at random, on which two models may differ either way.

    `rates` are, for each cluster, the shares of discordant pairs and of those that the first model gains.
    """
    size = rng.choice(sizes, size=clusters)
    labels = np.repeat(np.arange(clusters), size)
    differ, gain = rates(rng, clusters)
    values = np.where(rng.random((2, len(labels))) < np.stack([differ, gain])[:, labels], 1.0, -1.0)
    return *difference_interval((values[0] > 0) * values[1], labels, 1), true


def by_chance(_, k):
    return np.full(k, 0.03), np.full(k, 0.5)


def u_shaped(rng, k):
    return rng.beta(0.5, 0.5, size=(2, k))


def whole(share, rng, k, *, rest=0.0):
    """Nearly all pairs of some clusters, and few of the others; mostly one way."""
    return np.where(rng.random(k) < share, 0.9, rest), np.full(k, 0.9)


def slope(rows, columns, rng):
    low, high = grid(rows, columns, rng, 0.5).interval()
    return low[1], high[1], 0.5


def seeds(n, rng):
    """Skewed differences of losses, one a seed."""
    values = rng.gamma(4, size=n)
    return *student(values.mean(), values.std(ddof=1) / n**0.5, n - 1)[:2], 4


def skewed_mean(n, rng):
    """Squares of uniform numbers."""
    return *mean_interval(rng.random(n) ** 2, np.arange(n), (0, 1)), 1 / 3


def by_rank(n, rng):
    """Tied values: rounded to halves."""
    from tiltmeter.stats.correlations.correlation_intervals import correlation_interval

    x, y = (np.round(2 * side) / 2 for side in correlated(n, 0.5, rng))
    found = correlation_interval(x, y, np.arange(n), ranked=True)
    return *found[:2], 6 / np.pi * np.arcsin(0.25)


def gap_p(n, rng):
    return gap_inference.contrast_gap(
        ContrastSample(group_gaps.false_positive_gap, groups(n, rng), rng)
    )[1].p


def family_p(rng):
    """The least of five adjusted p of clustered sign-flip tests."""
    values = np.repeat(rng.normal(size=(5, 12)), 6, axis=1) + rng.normal(size=(5, 72))
    labels = np.repeat(np.arange(12), 6)
    return min(holm([sign_flip(one, labels, rng) for one in values]))


def mcnemar_p(rng):
    first, second = rng.random((2, 60)) < 0.6
    return compare_rates(
        PairedSample(preference.stereotype_rate, pairs(first), pairs(second), np.arange(60), rng)
    )[1].p


def permuted_p(each, rng):
    """Skewed, tied associations."""
    s = np.round(rng.exponential(size=2 * each), 1)
    columns = [s, np.repeat(["X", "Y"], each)]
    return effects.infer_effect_size(Sample(effect_size, columns, np.arange(2 * each), rng)).p


AREA = "score interval, bootstrap of texts within each label"
CHANCES = "score interval, bootstrap of texts"
GAPS = "score intervals, bootstrap of texts within each label"
SCORE = "score interval, jackknife over items"
PAIRED = "score intervals of gains and losses over clusters"
TENTH, TWENTIETH = partial(whole, 0.1), partial(whole, 0.05, rest=0.02)
UNEQUAL = (1, 1, 1, 1, 2, 2, 2, 5, 5, 30)
WEIGHED = "Bayesian bootstrap over items"
DIFFERENCE_CASES = (
    Case(PAIRED, "paired difference", "100 clusters of 2, 3 % discordant by chance",
         partial(discordant, [2], clusters=100, rates=by_chance, true=0), 93, 99.5, 500),
    Case(PAIRED, "paired difference", "50 clusters of 2, U-shaped",
         partial(discordant, [2], clusters=50, rates=u_shaped, true=0), 93, 98, 500),
    Case(PAIRED, "paired difference", "20 clusters of 5, one in ten whole",
         partial(discordant, [5], clusters=20, rates=TENTH, true=0.072), 93, 100, 500),
    Case(PAIRED, "paired difference", "50 clusters of 5, one in ten whole",
         partial(discordant, [5], clusters=50, rates=TENTH, true=0.072), 93, 100, 500),
    Case(PAIRED, "paired difference", "50 clusters of 10, one in 20 whole, 2 % of the rest",
         partial(discordant, [10], clusters=50, rates=TWENTIETH, true=0.0512), 93, 100, 500),
    Case(PAIRED, "paired difference", "150 clusters of 10, one in 20 whole, 2 % of the rest",
         partial(discordant, [10], clusters=150, rates=TWENTIETH, true=0.0512), 93, 99.5, 500),
    Case(PAIRED, "paired difference", "150 clusters of 1, 2, 5 and 30, one in ten whole",
         partial(discordant, UNEQUAL, clusters=150, rates=TENTH, true=0.072), 93, 100, 500),
    Case(PAIRED, "paired difference", "400 clusters of 1, 2, 5 and 30, one in 20 whole, 2 % of the rest",
         partial(discordant, UNEQUAL, clusters=400, rates=TWENTIETH, true=0.0512), 92, 99, 500),
    Case(PAIRED, "paired difference", "150 clusters of 1, 2, 5 and 30, U-shaped",
         partial(discordant, UNEQUAL, clusters=150, rates=u_shaped, true=0), 92, 98, 500),
    Case(GAPS, "false_positive_rate_gap", "60 and 120 texts, 31 %",
         partial(gap, group_gaps.false_positive_gap, 60), 92, 98.5, 300),
    Case(GAPS, "false_positive_rate_gap", "60 and 120 texts, 5 %",
         partial(gap, group_gaps.false_positive_gap, 60, cut=1.645), 92, 99.5, 300),
    Case(GAPS, "true_positive_rate_gap", "200 and 400 texts",
         partial(gap, group_gaps.true_positive_gap, 200), 90, 99, 150),
    Case(GAPS, "roc_auc_gap", "60 and 120 texts, AUC .76", partial(gap, group_gaps.area_gap, 60),
         92, 98.5, 300),
    Case(GAPS, "roc_auc_gap", "60 and 120 texts, AUC .95", partial(gap, group_gaps.area_gap, 60, apart=2.3),
         92, 99.9, 300),
    Case(AREA, "bpsn_auc", "60 and 120 texts",
         partial(cross_area, 60), 91, 98.5, 300),
    Case(AREA, "roc_auc", "60 texts, AUC .76", partial(area, 60), 91, 98.5, 300),
    Case(AREA, "roc_auc", "60 texts, AUC .95", partial(area, 60, apart=2.3), 91, 99.9, 300),
    Case(AREA, "roc_auc", "20 texts, AUC .76", partial(area, 20), 91, 99.9, 300),
    Case(CHANCES, "average_precision", "60 texts", partial(forecasts, average_precision, 60, too_sure=1),
         91, 98.5, 300),
    Case(CHANCES, "brier", "60 texts", partial(forecasts, brier, 60, too_sure=2), 91, 98.5, 300),
    Case("stretched bootstrap of whole groups", "kendall_tau with people", "12 groups of 16 pairs",
         partial(people, 12, 16, of="pooled"), 89, 99, 200),
    Case("score interval over groups", "mean_kendall_tau", "12 groups of 16 pairs",
         partial(people, 12, 16, of="mean_tau"), 90, 98.5, 300),
    Case("stretched paired bootstrap", "effect_size_difference", "8 against 8",
         lambda rng: ends(effect_change(8, rng), 0), 91, 99, 300),
    Case("score intervals of paired terms", "ss_difference", "3 terms of 25 contexts",
         partial(score_change, 3, score="ss"), 90, 99, 300),
    Case("score intervals of both models, combined", "icat_difference", "20 terms of 25 contexts, ss 58",
         partial(score_change, 20, score="icat"), 91, 99.5, 300),
    Case("score intervals of both models, combined", "icat_difference", "20 terms of 25 contexts, ss 65",
         partial(score_change, 20, score="icat", lean=0.6), 91, 98, 300),
    Case(WEIGHED, "Krippendorff’s α", "40 items of 4 annotators, one answer 90 %",
         partial(corrected, alpha_inference, 40, 4, 0.9), 92, 99.5, 500),
    *(Case(WEIGHED, of, f"{n} items of {people} annotators, one answer {100 * share:.0f} %",
           partial(corrected, by, n, people, share), 93, 100, 500)
      for of, by in (("Krippendorff’s α", alpha_inference), ("Fleiss’ κ", fleiss_inference))
      for n, people, share in ((30, 3, 0.98), (30, 3, 0.95), (60, 5, 0.98), (60, 5, 0.95))),
    *(Case(WEIGHED, "Krippendorff’s α", f"{n} items of {people} annotators, interval scale, {kind}",
           partial(on_a_scale, n, people, kind=kind), 91, 100, 500)
      for n, people in ((30, 3), (60, 5)) for kind in ("normal", "exponential", "one item in twenty high")),
    Case(WEIGHED, "Fleiss’ κ", "40 items of 4 annotators", partial(corrected, fleiss_inference, 40, 4, 0.5),
         92, 98.5, 500),
    Case(WEIGHED, "Fleiss’ κ", "100 items of 2 annotators, one answer 90 %",
         partial(corrected, fleiss_inference, 100, 2, 0.9), 92, 99.5, 500),
    Case(WEIGHED, "Fleiss’ κ", "100 items of 4 annotators, one answer 97 %",
         partial(corrected, fleiss_inference, 100, 4, 0.97), 93, 100, 500),
    Case(SCORE, "Gwet’s AC1", "40 items of 4 annotators", partial(gwet, 40, 4, 0.5), 92, 98.5, 500),
    Case(SCORE, "Gwet’s AC1", "20 items of 2 annotators, one answer 90 %", partial(gwet, 20, 2, 0.9),
         91, 98.5, 500),
    Case(SCORE, "Gwet’s AC1", "40 items of 4 annotators, one answer 90 %", partial(gwet, 40, 4, 0.9),
         92, 98.5, 500),
    Case(SCORE, "Gwet’s AC1", "100 items of 4 annotators, one answer 97 %", partial(gwet, 100, 4, 0.97),
         92, 98.5, 500),
    Case(SCORE, "pairs agree", "40 items of 4 annotators", partial(pairs_equal, 40, 4, 0.5),
         92, 98.5, 500),
    Case(SCORE, "pairs agree", "20 items of 2 annotators, one answer 97 %", partial(pairs_equal, 20, 2, 0.97),
         90, 99, 500),
    Case("Wilson", "all agree", "40 items of 3 annotators", partial(panel_equal, 40), 92, 98),
    Case("Wilson with a design effect", "shares of hatecheck and prompts", "20 texts of 10 replies, 50 %",
         partial(by_text, 20, 10, share=0.5, of="rate"), 92, 100),
    Case("Wilson with a design effect", "shares of hatecheck and prompts", "20 texts of 10 replies, 90 %",
         partial(by_text, 20, 10, share=0.9, of="rate"), 92, 100),
    Case("Wilson with a design effect", "shares of hatecheck and prompts", "50 texts of 10 replies, 97 %",
         partial(by_text, 50, 10, share=0.97, of="rate"), 93, 100),
    Case("Wilson with a design effect", "shares of hatecheck and prompts", "10 texts of 20 replies, 90 %",
         partial(by_text, 10, 20, share=0.9, of="rate"), 93, 100),
    Case("Wilson with a design effect", "shares of inferences", "30 situations of 5, 30 %",
         partial(by_text, 30, 5, share=0.3, of="hypotheses"), 91, 100),
    Case("Wilson with a design effect", "accuracy", "20 texts of 10 replies, 60 %",
         partial(by_text, 20, 10, share=0.6, of="accuracy"), 90, 100, 400),
    Case("Wilson with a design effect", "accuracy", "20 texts, 90 %",
         partial(by_text, 20, 1, share=0.9, of="accuracy"), 91, 100, 400),
    Case("Wilson with a design effect", "accuracy", "20 texts of 10 replies, 95 %",
         partial(by_text, 20, 10, share=0.95, of="accuracy"), 85, 98.5, 400),
    Case("mixed model, Student’s t", "leak", "8 groups of 16 pairs", partial(slope, 8, 16), 91, 100, 200),
    Case("Student’s t over seeds", "mean_loss_difference", "5 seeds, skewed", partial(seeds, 5), 91, 97),
    Case("score interval", "means over cells", "10 cells, skewed",
         partial(skewed_mean, 10), 88, 96, 500),
    Case("jackknife of Fisher’s z", "Spearman’s ρ", "20 tied points, r = .5",
         partial(by_rank, 20), 92, 98.5),
)  # fmt: skip
NULL_CASES = (
    NullCase("permutation of groups", "false_positive_rate_gap", "60 and 120 texts",
             partial(gap_p, 60), 10, 150),
    NullCase("permutation of targets", "effect_size", "4 against 4, skewed and tied",
             partial(permuted_p, 4), 7.5, 500),
    *(NullCase("inverted paired bootstrap", "effect_size_difference", f"{each} against {each}",
               lambda rng, each=each: effect_change(each, rng).p, 7.5, 500) for each in (8, 25)),
    NullCase("exact McNemar", "stereotype_rate_difference", "60 pairs", mcnemar_p, 7, 500),
    NullCase("sign-flip of clusters, Holm", "a family of five", "12 clusters of 6", family_p, 7.5, 500),
    NullCase("mixed model, Student’s t", "leak", "8 groups of 16 pairs",
             lambda rng: float(grid(8, 16, rng).p[1]), 9, 200),
    NullCase("Student’s t", "two samples", "5 against 12 values",
             lambda rng: t_test(rng.normal(size=5), rng.normal(size=12)).p, 6.7, 1000),
)  # fmt: skip
