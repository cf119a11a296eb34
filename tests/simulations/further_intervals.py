"""How often further intervals contain the true value, by simulation.

Of annotators, people's ratings, matrices, edits and texts; of rates and effects in `intervals`.
"""

from functools import partial

import numpy as np

from simulations.cases import Case
from simulations.intervals import correlated, ends, pairs
from tiltmeter.analyses.compare_people import alignment_numbers
from tiltmeter.analyses.intersections import similarity
from tiltmeter.core.errors import Undefined
from tiltmeter.core.samples import PairedSample, Sample
from tiltmeter.derived.comparisons import preference_agreement
from tiltmeter.derived.matrices.matrix_orders import over_rows, tau
from tiltmeter.metrics import perplexity, preference
from tiltmeter.metrics.alignment import precision_rows
from tiltmeter.metrics.labels import f1
from tiltmeter.metrics.preference_inference import infer_rate_clustered
from tiltmeter.stats.confidence_intervals.intervals import student_half_width
from tiltmeter.stats.raters.dawid_skene import accuracy_inference, dawid_skene
from tiltmeter.stats.raters.kappa_and_alpha import cohen_kappa
from tiltmeter.stats.raters.scale_check import scale_check
from tiltmeter.stats.regression.errors_in_variables import GridWeights
from tiltmeter.stats.regression.slope_changes import slope_changes
from tiltmeter.stats.resampling.bootstrap_intervals import stretched
from tiltmeter.stats.resampling.paired_resampling import paired_bootstrap
from tiltmeter.studies.ceat.metrics import combined_effect, compare_combined_effects
from tiltmeter.studies.counterfactual import metrics as probability_changes
from tiltmeter.studies.misspellings import metrics as flips


def annotator_accuracy(items, accuracies, rng):
    """Annotators who are right so often, whatever the true label; one of them is looked at."""
    truth = rng.random((items, 1)) < 0.5
    right = rng.random((items, len(accuracies))) < accuracies
    ratings = np.where(right, truth, ~truth).astype(float)
    fit, one = dawid_skene(ratings, rng=rng), int(rng.integers(len(accuracies)))
    return ends(accuracy_inference(ratings, fit, rng=rng)[one], accuracies[one])


def scale(items, rng, *, of):
    """Four annotators whose answers are a common value and as much noise of their own."""
    table = rng.normal(size=(items, 1)) + rng.normal(size=(items, 4))
    check = scale_check(table, rng=rng)[0]
    return ends(
        getattr(check, f"{of}_interval"), {"r": 6**-0.5 * 1.5, "slope": 0.75, "shift": 0}[of]
    )


def same_preference_kappa(n, rng):
    """Two models that answer alike in 80 of 100 pairs, both answers as often."""
    a = np.where(rng.random(n) < 0.5, 1, -1).astype(np.int8)
    b = np.where(rng.random(n) < 0.8, a, -a).astype(np.int8)
    found = cohen_kappa(a, b)
    drawn = preference_agreement._resampled_kappas(a, b, np.arange(n), int(rng.integers(1e6)))
    return *stretched(drawn, found, n), 0.6


def change_of_slope(rows, columns, rng):
    """The further predictor is half of x: without it the slope is .5 higher."""
    x, rest = rng.normal(size=(2, rows, columns))
    added = 0.5 * x + 0.75**0.5 * rest
    y = x + added + rng.normal(size=(rows, columns))
    even = GridWeights(rows, columns)
    found = slope_changes(x[None], added, y, without=even, among=even)
    return found.low[0], found.high[0], 0.5


def own_traits(n, each, rng):
    """Ratings of other groups are unrelated to a group's scores: tau is 1/3 less 0."""
    scores, ratings = two_matrices(n, each, rng)
    found = alignment_numbers.own_less_others(scores, ratings, seed=int(rng.integers(1e6)))
    return found.low, found.high, 1 / 3


def two_matrices(rows, columns, rng, r=0.5):
    first, second = correlated(rows * columns, r, rng)
    return first.reshape(rows, columns), second.reshape(rows, columns)


def precision_at_three(n, each, rng):
    scores, ratings = two_matrices(n, each, rng)
    found = alignment_numbers.precision(scores, 50 + 20 * ratings, k=3, seed=int(rng.integers(1e6)))
    return found.low, found.high, PRECISE


def _precise():
    """Precision at 3 of 16 pairs, over very many groups."""
    scores, ratings = two_matrices(20_000, 16, np.random.default_rng(3))
    return float(precision_rows(scores, 50 + 20 * ratings, k=3).mean())


PRECISE = _precise()


def tau_of_matrices(rows, columns, rng, *, r=0.5):
    x, y = two_matrices(rows, columns, rng, r)
    _, sure, _ = over_rows(tau, x, y, 0.0, "groups")
    return ends(sure, 2 / np.pi * np.arcsin(r))


def crossed_similarity(first, second, rng, *, skewed=False):
    """Each component has its own part in the similarity of its crossings."""
    of_one, of_other = (
        rng.exponential(0.1, size=n) - 0.1 if skewed else rng.normal(0, 0.1, size=n)
        for n in (first, second)
    )
    values = of_one[:, None] + of_other + rng.normal(0, 0.15, size=(first, second))
    i, j = np.divmod(np.arange(values.size), second)
    domains = np.repeat(["one", "other"], [first, second])
    half = similarity._half_width(values.ravel(), i, first + j, domains)
    return values.mean() - half, values.mean() + half, 0


def changes(texts, rng, *, mean=2.0):
    """Two edits a text, with changes that the two have half in common."""
    points = np.repeat(rng.normal(size=texts), 2) + rng.normal(size=2 * texts)
    columns = [np.full(2 * texts, 0.5), 0.5 + (mean + 5 * points) / 100]
    labels = np.repeat(np.arange(texts), 2)
    return probability_changes.infer_changes(
        Sample(probability_changes.mean_change, columns, labels, rng)
    )


def edited(texts, rng, *, metric):
    """Two edits a text; texts differ in how easily they flip, and as often to as away."""
    chance = np.repeat(rng.beta(1, 4, size=texts), 2)
    before = (rng.random(2 * texts) < 0.5).astype(float)
    after = np.where(rng.random(2 * texts) < chance, 1 - before, before)
    columns = [1 - before, 1 - after, before, after]
    return flips.infer_effect(Sample(metric, columns, np.repeat(np.arange(texts), 2), rng))


def classified(texts, rng):
    """Half of the texts positive; 70 of 100 positive and 20 of 100 other ones are called so."""
    truth = (rng.random(texts) < 0.5).astype(float)
    said = (rng.random(texts) < np.where(truth > 0, 0.7, 0.2)).astype(float)
    return ends(
        f1.infer(Sample(f1, [truth, said], np.arange(texts).astype(str), rng)), 100 * 1.4 / 1.9
    )


def two_perplexities(documents, rng, *, apart=0.1):
    """Two models on documents of different lengths, in nats a token."""
    tokens = rng.integers(50, 500, size=documents).astype(float)
    base = -tokens * (3 + rng.normal(0, 0.5, size=documents))
    shift = tokens * (apart + rng.normal(0, 0.2, size=documents))
    columns = [base - shift, tokens], [base, tokens]
    return perplexity.compare_perplexities(
        PairedSample(perplexity.perplexity, *columns, np.arange(documents), rng)
    )[1]  # fmt: skip


def means_apart(n, rng, by, draws):
    """Any measure: the mean of a skewed column of two models, without a difference."""
    common = rng.exponential(size=n)
    a, b = ([common + rng.exponential(size=n)] for _ in range(2))
    return by(lambda x: float(np.mean(x)), a, b, np.arange(n), rng, draws=draws)


def draws_apart(draws, rng):
    """Pooled effects of two models on the same draws."""
    common, sides = rng.normal(size=draws) * 0.3, []
    for _ in range(2):
        seen = 0.4 + common + rng.normal(size=draws) * 0.3
        sides.append([seen, np.full(draws, 0.1)])
    found = compare_combined_effects(PairedSample(combined_effect, *sides, np.arange(draws), rng))
    return ends(found[1], 0)


def macro(clusters, rng):
    """Three categories of unlike sizes; clusters of five pairs each of one category."""
    kind = np.repeat(np.repeat(["a", "b", "c"], [clusters, 2 * clusters, 3 * clusters]), 5)
    shares = np.repeat(rng.beta(3, 2, size=6 * clusters), 5)
    columns = [*pairs(rng.random(len(shares)) < shares), kind]
    labels = np.repeat(np.arange(6 * clusters), 5)
    return ends(infer_rate_clustered(Sample(preference.macro_rate, columns, labels, rng)), 60)


def mean_of_people(people_of_each, rng):
    """Ratings on a scale of five steps, by Student's t."""
    given = np.clip(np.rint(rng.normal(3, 1.2, size=people_of_each)), 1, 5)
    squares, counts = (np.array([one]) for one in (((given - given.mean()) ** 2).sum(), len(given)))
    half = float(student_half_width(squares, counts)[0])
    if np.isnan(half):
        raise Undefined("all ratings are equal")
    return given.mean() - half, given.mean() + half, 3


ACCURACY, ACCURACY_OF = "score interval, bootstrap of items", "an annotator’s accuracy"
ITEMS = "stretched bootstrap of items"
ROWS = "jackknife over rows, Student’s t"
TEXTS = "score interval over texts"
BY_TEXTS = "score interval, bootstrap of texts"
GROUPS = "stretched bootstrap of whole groups"
MORE_CASES = (
    Case(ACCURACY, ACCURACY_OF, "20 items of 3 annotators, 70 to 90 %",
         partial(annotator_accuracy, 20, (0.7, 0.8, 0.9)), 89, 98, 200),
    Case(ACCURACY, ACCURACY_OF, "20 items of 5 annotators, 70 to 95 %",
         partial(annotator_accuracy, 20, (0.7, 0.75, 0.85, 0.9, 0.95)), 92, 98.5, 500),
    Case(ACCURACY, ACCURACY_OF, "60 items of 4 annotators, 90 %",
         partial(annotator_accuracy, 60, (0.9,) * 4), 92, 98.5, 500),
    Case(ACCURACY, ACCURACY_OF, "200 items of 5 annotators, 70 to 95 %",
         partial(annotator_accuracy, 200, (0.7, 0.75, 0.85, 0.9, 0.95)), 91, 99.5, 100),
    Case(ITEMS, "scale check, r", "10 items of 4 annotators", partial(scale, 10, of="r"), 92, 98, 500),
    Case(ITEMS, "scale check, r", "40 items of 4 annotators", partial(scale, 40, of="r"), 92, 98, 500),
    Case(ITEMS, "scale check, slope", "40 items of 4 annotators", partial(scale, 40, of="slope"),
         92, 98, 500),
    Case(ITEMS, "scale check, shift", "40 items of 4 annotators", partial(scale, 40, of="shift"),
         92, 98, 500),
    Case(ITEMS, "Cohen’s κ of two models", "100 pairs",
         partial(same_preference_kappa, 100), 91, 98, 300),
    Case("jackknife over groups, Student’s t", "slope change", "10 groups of 16 traits",
         partial(change_of_slope, 10, 16), 89, 98, 200),
    Case(GROUPS, "own traits less those of others", "12 groups of 16 pairs",
         partial(own_traits, 12, 16), 88, 99, 100),
    Case("score interval over groups", "precision at 3", "12 groups of 16 pairs",
         partial(precision_at_three, 12, 16), 89, 100, 100),
    Case(ROWS, "Kendall’s τ of two matrices", "12 groups of 16 traits", partial(tau_of_matrices, 12, 16),
         91, 98, 200),
    *(
        Case("jackknife of single groups by domain", "similarity of crossed groups",
             f"{first} × {second} groups{', skewed' if skewed else ''}",
             partial(crossed_similarity, first, second, skewed=skewed), 92, 100, 400)
        for first, second, skewed in (
            (8, 8, False), (8, 8, True), (3, 3, False), (3, 12, True), (2, 2, False),
        )
    ),
    Case(TEXTS, "mean_change", "30 texts of 2 edits", lambda rng: ends(changes(30, rng), 2),
         91, 98, 300),
    Case("Wilson with a design effect", "flip_rate", "60 texts of 2 edits",
         lambda rng: ends(edited(60, rng, metric=flips.flip_rate), 20), 90, 100, 300),
    Case(TEXTS, "edit_effect", "60 texts of 2 edits",
         lambda rng: ends(edited(60, rng, metric=flips.edit_effect), 0), 91, 98.5, 300),
    Case(BY_TEXTS, "f1", "80 texts", partial(classified, 80), 91, 98, 300),
    Case("stretched paired bootstrap", "perplexity_ratio", "40 documents",
         lambda rng: ends(two_perplexities(40, rng), np.exp(0.1)), 90, 98, 300),
    Case("stretched paired bootstrap", "difference of any other measure", "30 skewed items",
         lambda rng: (*means_apart(30, rng, paired_bootstrap, 500), 0), 88, 100, 100),
    Case("stretched paired bootstrap", "combined_effect_difference", "20 draws of contexts",
         partial(draws_apart, 20), 91, 98, 300),
    Case("stretched bootstrap of clusters within categories", "macro_rate", "6, 12 and 18 clusters of 5",
         partial(macro, 6), 90, 98, 300),
    Case("Student’s t over annotators", "people’s mean of one cell", "5 ratings on a scale of 5",
         partial(mean_of_people, 5), 91, 98, 2000),
)  # fmt: skip
