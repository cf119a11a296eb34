"""How often intervals of rates, effects, scores and correlations contain the true value, by simulation."""

from functools import cache, partial

import numpy as np

from simulations.cases import Case
from tiltmeter.core.samples import PairedSample, Sample
from tiltmeter.metrics import (
    context_association,
    context_association_inference,
    effects,
    offensive,
    preference,
    traits,
)
from tiltmeter.metrics.association import effect_size
from tiltmeter.metrics.perplexity import infer_perplexity, perplexity
from tiltmeter.metrics.preference_difference import compare_rates
from tiltmeter.metrics.preference_inference import (
    infer_rate,
    infer_rate_clustered,
    infer_rate_of_pairs,
)
from tiltmeter.stats.confidence_intervals.intervals import wilson_clustered
from tiltmeter.stats.correlations.correlation import kendall_interval, spearman
from tiltmeter.stats.correlations.correlation_intervals import correlation_interval
from tiltmeter.stats.correlations.pearson import pearson
from tiltmeter.stats.raters.kappa_and_alpha import alpha_inference
from tiltmeter.stats.regression.pooling import random_effects
from tiltmeter.studies.fairness_gaps.equalized_odds import odds_apart, odds_interval

M, N = "marginalised", "non-marginalised"


def ends(sure, true):
    return sure.low, sure.high, true


def pairs(outcomes):
    """Scores of pairs with these outcomes, 1 where the more stereotyping sentence wins."""
    return [np.where(outcomes > 0, -1.0, -2.0), np.full(len(outcomes), -1.5)]


def rate(n, share, rng):
    columns = pairs(rng.random(n) < share)
    sure = infer_rate(Sample(preference.stereotype_rate, columns, np.arange(n), rng))
    return ends(sure, 100 * share)


def clustered_rate(clusters, size, rng, *, by=infer_rate_clustered):
    """Clusters lean each by its own: beta-distributed shares with mean .6, half of them spread out."""
    shares = np.repeat(rng.beta(3, 2, size=clusters), size)
    columns = pairs(rng.random(len(shares)) < shares)
    labels = np.repeat(np.arange(clusters), size)
    return ends(by(Sample(preference.stereotype_rate, columns, labels, rng)), 60)


def clustered_wilson(clusters, size, rng):
    shares = np.repeat(rng.beta(3, 2, size=clusters), size)
    hits = (rng.random(len(shares)) < shares).astype(float)
    return *wilson_clustered(hits, np.repeat(np.arange(clusters), size)), 0.6


def table_of(rng, people, words):
    """Wins of identities and pairs of adjectives that both lean each by its own, about 50 % on average."""
    odds = rng.normal(size=people)[:, None] + rng.normal(size=words)[None, :]
    return rng.random((people, words)) < 1 / (1 + np.exp(-odds))


def crossed(people, words, rng):
    wins = table_of(rng, people, words).ravel()
    identity, clusters = np.divmod(np.arange(people * words), words)
    columns = [*pairs(wins), identity.astype(str)]
    return ends(offensive.infer_sos_rate(Sample(offensive.sos_rate, columns, clusters, rng)), 50)


def gap_of_rates(first, second, words, rng):
    people = first + second
    identity, clusters = np.divmod(np.arange(people * words), words)
    status = np.where(identity < first, M, N)
    kind = np.full(len(identity), "kind")
    columns = [*pairs(table_of(rng, people, words).ravel()), identity.astype(str), status, kind]
    return ends(offensive.infer_sos_gap(Sample(offensive.sos_gap, columns, clusters, rng)), 0)


def static_gap(first, second, rng):
    values = rng.random(first + second)
    status = np.array([M] * first + [N] * second)
    low, high = offensive.static_gap_ends(values, status, np.full(len(values), "kind"))
    return low, high, 0


def static_mean(n, rng):
    by = offensive.infer_static_sos
    return ends(by(Sample(offensive.static_sos, [rng.random(n)], np.arange(n), rng)), 0.5)


def effect(each, shift, rng, *, skewed=False):
    """Normal or exponential targets; the effect is the shift in standard deviations of both together."""
    s = rng.exponential(size=2 * each) if skewed else rng.normal(size=2 * each)
    s = s + shift * (np.arange(2 * each) < each)
    side = np.repeat(["X", "Y"], each)
    true = shift / (1 + shift**2 / 4) ** 0.5
    return ends(
        effects.infer_effect_size(Sample(effect_size, [s, side], np.arange(2 * each), rng)), true
    )


def effect_by_words(words, sentences, shift, rng):
    """Words and their sentences vary alike, so that half of the variance is between words."""
    s = np.repeat(rng.normal(size=2 * words), sentences) + rng.normal(size=2 * words * sentences)
    side = np.repeat(["X", "Y"], words * sentences)
    s = s + shift * (side == "X")
    labels = np.repeat(np.arange(2 * words), sentences)
    true = shift / (2 + shift**2 / 4) ** 0.5
    return ends(
        effects.infer_effect_size_clustered(Sample(effect_size, [s, side], labels, rng)), true
    )


def pooled(draws, rng):
    variances = rng.uniform(0.05, 0.2, size=draws)
    seen = 0.4 + rng.normal(size=draws) * 0.3 + rng.normal(size=draws) * variances**0.5
    return *random_effects(seen, variances).interval(), 0.4


def terms(count, each, rng, *, score):
    """Terms lean each by its own; contexts of a term vary about that."""
    lean = np.repeat(rng.normal(0.3, 0.7, size=count), each)
    n = len(lean)
    more, less = lean + rng.normal(size=n), rng.normal(size=n)
    unrelated = rng.normal(-1, 1, size=n)
    target = np.repeat(np.arange(count), each).astype(str)
    columns, clusters = [more, less, unrelated, target], np.arange(n)
    infer = getattr(context_association_inference, f"infer_{score}")
    sure = infer(Sample(getattr(context_association, score), columns, clusters, rng))
    return ends(sure, TRUTH[score])


def _truth():
    """The scores of `terms` on very many terms."""
    rng = np.random.default_rng(12)
    lean = rng.normal(0.3, 0.7, size=2_000_000)
    more, less = lean + rng.normal(size=len(lean)), rng.normal(size=len(lean))
    unrelated = rng.normal(-1, 1, size=len(lean))
    ss = 100 * np.mean(more > less)
    lms = 50 * np.mean((more > unrelated) * 1.0 + (less > unrelated))
    return {"ss": ss, "lms": lms, "icat": lms * min(ss, 100 - ss) / 50}


TRUTH = _truth()


def text(documents, rng):
    """Documents vary in how hard they are; the true rate is 3 nats a token."""
    tokens = rng.integers(50, 500, size=documents).astype(float)
    nats = tokens * (3 + rng.normal(0, 0.5, size=documents))
    sure = infer_perplexity(Sample(perplexity, [-nats, tokens], np.arange(documents), rng))
    return ends(sure, np.exp(3))


def paired_rates(n, rng):
    """Two models that agree on most pairs; the first prefers the stereotype 10 points more often."""
    base, change = rng.random(n) < 0.5, rng.random(n)
    first, second = base | (change < 0.2), base
    return ends(
        compare_rates(
            PairedSample(preference.stereotype_rate, pairs(first), pairs(second), np.arange(n), rng)
        )[1],
        10,
    )


def correlated(n, r, rng):
    x = rng.normal(size=n)
    return x, r * x + (1 - r * r) ** 0.5 * rng.normal(size=n)


def by_pearson(n, r, rng):
    return *correlation_interval(*correlated(n, r, rng), np.arange(n))[:2], r


def by_spearman(n, r, rng):
    found = correlation_interval(*correlated(n, r, rng), np.arange(n), ranked=True)
    return *found[:2], 6 / np.pi * np.arcsin(r / 2)


def of_families(families, each, kind, rng):
    """Half of the variance is between families; correlations of .5 between and within them."""
    between, within = (
        correlated(size[0] * size[1], 0.5, rng) for size in ((families, 1), (families, each))
    )
    x, y = (0.5**0.5 * (np.repeat(a, each) + b) for a, b in zip(between, within, strict=True))
    if kind == "log-normal":
        return np.exp(0.8 * x), np.exp(0.8 * y)
    if kind == "one point in ten far off":
        far = rng.random(len(x)) < 0.1
        return x + 4 * far, y - 4 * far
    return (x, 0.5 * x + (y - 0.5 * x) * (0.3 + np.abs(x))) if kind == "unequal spread" else (x, y)


@cache
def true_of_families(kind, ranked):
    x, y = of_families(100_000, 1, kind, np.random.default_rng(3))
    return (spearman if ranked else pearson)(x, y)


def over_families(families, each, kind, ranked, rng):
    x, y = of_families(families, each, kind, rng)
    code = np.repeat(np.arange(families), each)
    return *correlation_interval(x, y, code, ranked=ranked)[:2], true_of_families(kind, ranked)


def by_kendall(n, r, rng):
    x, y = correlated(n, r, rng)
    return *kendall_interval(x, y, np.arange(n), rng), 2 / np.pi * np.arcsin(r)


def over_templates(count, rng):
    values = 0.3 + rng.normal(size=count)
    columns = [np.zeros(count), values]
    return ends(
        traits.infer_over_templates(Sample(traits.association, columns, np.arange(count), rng)), 0.3
    )


def agreement(units, rng):
    """Five annotators who each copy the truth with probability .8 and else guess: alpha is .64."""
    truth = rng.integers(2, size=units)[:, None]
    guess = rng.integers(2, size=(units, 5))
    ratings = np.where(rng.random((units, 5)) < 0.8, truth, guess).astype(float)
    return ends(alpha_inference(ratings), 0.64)


def odds(sizes, rates, rng):
    """Groups of such sizes in each label, with these rates of texts called positive in both."""
    codes = np.concatenate([np.repeat(np.arange(len(sizes)), sizes)] * 2)
    truth = np.repeat([0.0, 1.0], len(codes) // 2)
    said = (rng.random(len(codes)) < np.array(rates)[codes]).astype(float)
    low, high = odds_interval(truth, said, codes, np.arange(len(codes)))
    return low, high, 100 * (max(rates) - min(rates))


def odds_of_two(sizes, rates, others, alike, rng):
    """Two models on the same texts, which treat the share `alike` of them by the same standard."""
    codes = np.concatenate([np.repeat(np.arange(len(sizes)), sizes)] * 2)
    truth = np.repeat([0.0, 1.0], len(codes) // 2)
    own = rng.random(len(codes))
    common = np.where(rng.random(len(codes)) < alike, own, rng.random(len(codes)))
    first, second = (
        [truth, (drawn < np.array(of)[codes]).astype(float), codes.astype(str)]
        for drawn, of in ((own, rates), (common, others))
    )
    (low, high), true = (
        odds_apart(first, second, np.arange(len(codes))),
        np.ptp(rates) - np.ptp(others),
    )
    return low, high, 100 * true


POOLED = "random-effects model, Knapp and Hartung’s error"
DESIGN = "Wilson with a design effect"
FEW_T = (93.5, 99.9)
DIFFERENCES, ODDS = "score intervals of all differences", "equalized_odds_difference"
COMBINED, ODDS_APART = (
    "score intervals of two models, combined",
    "equalized_odds_difference_difference",
)
CASES = (
    Case("Wilson", "stereotype_rate", "10 pairs, 60 %", partial(rate, 10, 0.6), 90, 98.5),
    Case("Wilson", "stereotype_rate", "100 pairs, 60 %", partial(rate, 100, 0.6), 92, 97.5),
    Case("Wilson", "stereotype_rate", "50 pairs, 97 %", partial(rate, 50, 0.97), 90, 99.5),
    Case(DESIGN, "stereotype_rate_clustered", "10 clusters of 20",
         partial(clustered_rate, 10, 20), 92, 100),
    Case(DESIGN, "stereotype_rate_clustered", "50 clusters of 20",
         partial(clustered_rate, 50, 20), 91, 100),
    Case("Wilson, ignoring clusters", "stereotype_rate", "50 clusters of 20",
         partial(clustered_rate, 50, 20, by=infer_rate_of_pairs), 40, 75),
    Case(DESIGN, "shares of a data check", "10 clusters of 20",
         partial(clustered_wilson, 10, 20), 90, 100),
    Case("bootstrap of identities and adjectives", "sos_rate", "14 identities, 20 pairs of adjectives",
         partial(crossed, 14, 20), 90, 98.5, 400),
    Case("Student’s t over identities and adjectives", "sos_gap", "9 against 2 identities, 20 pairs",
         partial(gap_of_rates, 9, 2, 20), *FEW_T),
    Case("Student’s t over identities and adjectives", "sos_gap", "7 against 7 identities, 20 pairs",
         partial(gap_of_rates, 7, 7, 20), *FEW_T),
    Case("Student’s t over identities", "static_sos_gap", "9 against 2 identities",
         partial(static_gap, 9, 2), 93, 97.5, 2000),
    Case("Student’s t over identities", "static_sos_gap", "5 against 3 identities",
         partial(static_gap, 5, 3), 92.5, 97.5, 2000),
    Case("Student’s t over identities", "static_sos_gap", "12 against 10 identities",
         partial(static_gap, 12, 10), 93, 97.5, 2000),
    Case("Gaffke over identities", "static_sos", "3 identities",
         partial(static_mean, 3), 93, 100, 2000),
    Case("noncentral t", "effect_size", "8 against 8, no effect", partial(effect, 8, 0), 93, 97, 2000),
    Case("noncentral t", "effect_size", "8 against 8, effect 0.74", partial(effect, 8, 0.8), 93, 97, 2000),
    Case("noncentral t", "effect_size", "8 against 8, skewed, effect 0.74",
         partial(effect, 8, 0.8, skewed=True), 90, 97, 2000),
    Case("stretched bootstrap of the targets of each side", "effect_size", "25 against 25, effect 0.71",
         partial(effect, 25, 0.76), 91, 99, 300),
    Case("stretched bootstrap of the words of each side", "effect_size_clustered", "8 against 8 words of 6",
         partial(effect_by_words, 8, 6, 0), 91, 98.5),
    Case(POOLED, "combined_effect", "10 draws of contexts", partial(pooled, 10), 93, 98.5),
    Case(POOLED, "combined_effect", "100 draws of contexts", partial(pooled, 100), 92, 98),
    Case("Gaffke over target terms", "ss", "80 terms of 25 contexts",
         partial(terms, 80, 25, score="ss"), 92, 100, 300),
    Case("Gaffke over target terms", "lms", "80 terms of 25 contexts",
         partial(terms, 80, 25, score="lms"), 92, 100, 300),
    Case("intervals of lms and ss, combined", "icat", "80 terms of 25 contexts",
         partial(terms, 80, 25, score="icat"), 92, 100, 300),
    Case("Gaffke over target terms", "ss", "3 terms of 25 contexts",
         partial(terms, 3, 25, score="ss"), 91, 100, 500),
    Case("stretched bootstrap of whole documents", "perplexity", "60 documents",
         partial(text, 60), 91, 97.5),
    Case("score intervals of pairs", "stereotype_rate_difference", "100 pairs",
         partial(paired_rates, 100), 91, 97.5),
    *(Case("jackknife of Fisher’s z", f"{name} over families", f"{families} families of {each}, {kind}",
           partial(over_families, families, each, kind, ranked), 92, 100, 800)
      for name, ranked, sizes in (("Pearson’s r", False, ((5, 8), (10, 4), (40, 1))),
                                  ("Spearman’s ρ", True, ((5, 4), (8, 4), (20, 1))))
      for families, each in sizes
      for kind in ("normal", "log-normal", "unequal spread", "one point in ten far off")),
    Case("jackknife of Fisher’s z", "Pearson’s r", "40 points, r = .5",
         partial(by_pearson, 40, 0.5), 93, 99),
    Case("jackknife of Fisher’s z", "Spearman’s ρ", "10 points, r = .5",
         partial(by_spearman, 10, 0.5), 93, 100),
    Case("stretched bootstrap of points", "Kendall’s τ", "30 points, r = .5", partial(by_kendall, 30, 0.5),
         91, 99.3, 300),
    Case("Student’s t over templates", "association", "5 templates", partial(over_templates, 5), 93, 97),
    Case("Bayesian bootstrap over items", "Krippendorff’s α", "60 items of 5 annotators",
         partial(agreement, 60), 92, 98.5, 500),
    Case(DIFFERENCES, ODDS, "2 groups of 30 per label, all 30 %",
         partial(odds, (30,) * 2, (0.3,) * 2), 92, 98),
    Case(DIFFERENCES, ODDS, "7 groups of 100 per label, all 30 %",
         partial(odds, (100,) * 7, (0.3,) * 7), 92, 98),
    Case(DIFFERENCES, ODDS, "7 groups of 30 to 500 per label, all 30 %",
         partial(odds, (30, 50, 80, 120, 200, 300, 500), (0.3,) * 7), 92, 99.5),
    Case(DIFFERENCES, ODDS, "7 groups of 100 per label, one 50 % and others 30 %",
         partial(odds, (100,) * 7, (0.5,) + (0.3,) * 6), 95, 100),
    Case(COMBINED, ODDS_APART, "2 groups of 30 per label; 70 and 30 % in one model, 30 % in the other",
         partial(odds_of_two, (30,) * 2, (0.7, 0.3), (0.3,) * 2, 0.8), 93, 100),
    Case(COMBINED, ODDS_APART, "7 groups of 100 per label, all 30 % in both models",
         partial(odds_of_two, (100,) * 7, (0.3,) * 7, (0.3,) * 7, 0.8), 97, 100),
    Case(COMBINED, ODDS_APART, "7 groups of 100 per label, one 10 % and one 50 % in one model",
         partial(odds_of_two, (100,) * 7, (0.1, 0.5) + (0.3,) * 5, (0.3,) * 7, 0.8), 95, 100),
)  # fmt: skip
