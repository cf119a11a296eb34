"""How often further tests reject without a difference, by simulation."""

from functools import partial

import numpy as np

from simulations.cases import NullCase
from simulations.further_intervals import (
    changes,
    edited,
    means_apart,
    two_matrices,
    two_perplexities,
)
from simulations.intervals import pairs, table_of
from simulations.measures import groups_apart, judged
from tiltmeter.analyses.compare_people import alignment_numbers
from tiltmeter.core.samples import ContrastSample, PairedSample, Sample, TwoSides
from tiltmeter.derived.matrices.matrix_orders import over_rows, tau
from tiltmeter.metrics import (
    context_association,
    context_association_inference,
    offensive,
    preference,
    traits,
)
from tiltmeter.metrics.counts import compare_by_texts
from tiltmeter.metrics.labels import accuracy
from tiltmeter.metrics.preference_inference import infer_gap, infer_rate, infer_rate_clustered
from tiltmeter.stats.correlations.correlation import kendall_p, spearman_p
from tiltmeter.stats.correlations.pearson import pearson_ps
from tiltmeter.stats.hypothesis_tests.exact_tests import holm
from tiltmeter.stats.resampling.paired_resampling import paired_permutation
from tiltmeter.studies.ceat.metrics import combined_effect, infer_combined_effect
from tiltmeter.studies.completions.metrics import contrast_shares, corrected_share
from tiltmeter.studies.decisions import ratios as decisions
from tiltmeter.studies.fairness_gaps.equalized_odds import equalized_odds, infer_odds
from tiltmeter.studies.misspellings import metrics as flips
from tiltmeter.studies.story_choice import metrics as choices


def tied(n, rng):
    """Two unrelated sides with ties."""
    return (np.round(side) for side in rng.normal(size=(2, n)))


def crossed_p(people, words, rng, *, gap):
    """Pairs of adjectives lean each by its own; identities too, except in the test of the rate."""
    won = table_of(rng, people, words).ravel()
    if not gap:
        won = (rng.random((people, words)) < rng.beta(2, 2, size=words)).ravel()
    identity, labels = np.divmod(np.arange(people * words), words)
    columns = [*pairs(won), identity.astype(str)]
    if not gap:
        return offensive.infer_sos_rate(Sample(offensive.sos_rate, columns, labels, rng)).p
    status = np.where(identity < people // 2, "marginalised", "non-marginalised")
    columns += [status, np.full(len(status), "kind")]
    return offensive.infer_sos_gap(Sample(offensive.sos_gap, columns, labels, rng)).p


def clustered_p(clusters, each, rng):
    shares = np.repeat(rng.beta(2, 2, size=clusters), each)
    labels = np.repeat(np.arange(clusters), each)
    columns = pairs(rng.random(len(shares)) < shares)
    return infer_rate_clustered(Sample(preference.stereotype_rate, columns, labels, rng)).p


def accuracies_p(texts, each, rng):
    """Two models with the same chance of a right reply to a text."""
    right = np.repeat(rng.beta(2, 1, size=texts), each)
    none = np.full(len(right), -1.0)
    a, b = (
        [np.ones(len(right)), (rng.random(len(right)) < right).astype(float), none, none]
        for _ in range(2)
    )
    return compare_by_texts(
        PairedSample(accuracy, a, b, np.repeat(np.arange(texts), each).astype(str), rng)
    )[1].p


def terms_p(terms, rng):
    """Stereotypes of terms that lean each by its own, about 50 % on average."""
    lean = np.repeat(rng.normal(size=terms), 10)
    more, less, other = rng.normal(size=(3, len(lean)))
    target = np.repeat(np.arange(terms), 10).astype(str)
    columns = [more + lean, less, other, target]
    return context_association_inference.infer_ss(
        Sample(context_association.ss, columns, np.arange(len(lean)), rng)
    ).p


def confidences_p(n, rng):
    sure = rng.exponential(0.1, size=n)
    wins, high = rng.random(n) < 0.5, np.full(n, -10.0)
    low = high / (1 - np.minimum(sure, 0.9))
    columns = [np.where(wins, high, low), np.where(wins, low, high)]
    return infer_gap(Sample(preference.confidence_gap, columns, np.arange(n), rng)).p


def first_named_p(cells, rng):
    """No preference for the trait named first; cells lean each by its own."""
    lean = np.repeat(rng.beta(2, 2, size=cells), 10)
    left = rng.random(len(lean)) < lean
    order = np.tile(["left first", "right first"], len(lean) // 2)
    first = np.where(order == "left first", left, ~left).astype(float)
    labels = np.repeat(np.arange(cells), 10)
    return choices.infer_first_named(
        Sample(choices.first_named_rate, [first, order], labels, rng)
    ).p


def odds_p(rng):
    codes = np.tile(np.arange(4), 60).astype(str)
    truth = np.repeat([0.0, 1.0], 120)
    said = (rng.random(240) < 0.3).astype(float)
    return infer_odds(Sample(equalized_odds, [truth, said, codes], np.arange(240), rng)).p


def unrelated_people_p(n, each, rng, *, of):
    """A model that says of every group what fits any: own and other ratings are equally like it."""
    common = rng.normal(size=each)
    scores, ratings = (common + rng.normal(size=(n, each)) for _ in range(2))
    return getattr(alignment_numbers, of)(scores, ratings, seed=int(rng.integers(1e6))).p


def mean_tau_p(n, each, rng):
    scores, ratings = two_matrices(n, each, rng, 0.0)
    return alignment_numbers.mean_tau(scores, np.round(ratings, 0), seed=int(rng.integers(1e6))).p


def matrices_p(rows, columns, rng):
    x, y = two_matrices(rows, columns, rng, 0.0)
    return over_rows(tau, x, y, 0.0, "groups")[1].p


def pooled_p(draws, rng):
    variances = rng.uniform(0.05, 0.2, size=draws)
    seen = rng.normal(size=draws) * 0.3 + rng.normal(size=draws) * variances**0.5
    columns = [seen, variances]
    by = infer_combined_effect
    return by(Sample(combined_effect, columns, np.arange(draws), rng)).p


def templates_p(count, rng):
    columns = [np.zeros(count), rng.gamma(4, size=count) - 4]
    return traits.infer_over_templates(Sample(traits.association, columns, np.arange(count), rng)).p


def groups_of_prompts_p(rng):
    sides = groups_apart(judged, "dense", rng, 40, 10, 0.0)
    return contrast_shares(ContrastSample(corrected_share, sides, rng))[1].p


def decided_p(make, rng):
    """Of equal rates: one of four is chosen in each ranking, or names differ in how often they are."""
    chosen, group, cluster = make(rng)
    sample = Sample(decisions.min_max_ratio, [chosen, group], cluster, rng)
    return decisions.infer_min_max(sample).p


def ranked_four(n, rng):
    best = rng.integers(4, size=n)
    return (
        (np.arange(4) == best[:, None]).ravel() * 1.0,
        np.tile(list("abcd"), n),
        np.repeat(np.arange(n), 4),
    )


def vacancies(k, hires, leaning, rng):
    """Several hires in each vacancy, one of eight each time, as often as the vacancy prefers its group."""
    preference = rng.dirichlet(np.full(8, leaning / 8), size=k)
    chosen = np.stack([rng.multinomial(hires, p) for p in preference])
    outcomes = np.stack([chosen, hires - chosen], axis=-1).ravel()
    return (
        np.repeat(np.tile([1.0, 0.0], 8 * k), outcomes),
        np.repeat(np.tile(np.repeat(list("abcdefgh"), 2), k), outcomes),
        np.repeat(np.repeat(np.arange(k), 16), outcomes),
    )


def of_names(names, each, rng):
    """Four groups of names, some of which are chosen more often whatever their group."""
    share = rng.beta(1, 3, size=4 * names).repeat(each)
    code = np.arange(4 * names).repeat(each)
    return (rng.random(len(code)) < share) * 1.0, np.array(list("abcd"))[code % 4], code


def least_of_ratios_p(n, rng):
    """The lowest of the groups' p, adjusted by Holm."""
    chosen, group, cluster = ranked_four(n, rng)
    ps = []
    for name in "abcd":
        first = group == name
        a, b = ([column[here] for column in (chosen, group)] for here in (first, ~first))
        sides = TwoSides(a, cluster[first], b, cluster[~first])
        ps.append(
            decisions.infer_impact_ratio(ContrastSample(decisions.min_max_ratio, sides, rng))[1].p
        )
    return min(holm(ps))


MORE_NULL_CASES = (
    NullCase("t test over prompts", "corrected_share of two groups", "40 prompts of 10 texts",
             groups_of_prompts_p, 7.5, 300),
    NullCase("permutation of decisions", "min_max_ratio", "100 rankings of 4",
             partial(decided_p, partial(ranked_four, 100)), 7, 1000),
    NullCase("permutation of whole vacancies", "min_max_ratio", "200 vacancies of 10 hires",
             partial(decided_p, partial(vacancies, 200, 10, 4)), 7, 300),
    NullCase("permutation of whole vacancies", "min_max_ratio", "60 vacancies of 5 hires",
             partial(decided_p, partial(vacancies, 60, 5, 4)), 7, 500),
    NullCase("permutation of names", "min_max_ratio", "4 groups of 15 names, 8 decisions each",
             partial(decided_p, partial(of_names, 15, 8)), 7, 1000),
    NullCase("permutation of decisions, Holm", "impact_ratio of any of four groups", "100 rankings of 4",
             partial(least_of_ratios_p, 100), 7, 1000),
    NullCase("exact sign test", "stereotype_rate", "60 pairs",
             lambda rng: infer_rate(Sample(preference.stereotype_rate, pairs(rng.random(60) < 0.5),
                                               np.arange(60), rng)).p, 7.5, 300),
    NullCase("sign-flip of clusters", "stereotype_rate_clustered", "12 clusters of 10",
             partial(clustered_p, 12, 10), 7.5, 300),
    NullCase("sign-flip of target terms", "ss", "20 terms of 10 contexts", partial(terms_p, 20), 7.5, 300),
    NullCase("sign-flip of pairs of adjectives", "sos_rate", "14 identities, 20 pairs of adjectives",
             partial(crossed_p, 14, 20, gap=False), 7.5, 300),
    NullCase("permutation of identities", "sos_gap", "7 against 7 identities, 20 pairs",
             partial(crossed_p, 14, 20, gap=True), 9, 200),
    NullCase("permutation of preferences", "confidence_gap", "60 pairs", partial(confidences_p, 60), 8, 200),
    NullCase("sign-flip of cells", "first_named_rate", "20 cells of 10 replies",
             partial(first_named_p, 20), 7.5, 300),
    NullCase("permutation of groups", "equalized_odds_difference", "4 groups of 30 per label",
             odds_p, 9, 200),
    NullCase("swaps of whole texts", "accuracy_difference", "20 texts of 10 replies",
             partial(accuracies_p, 20, 10), 8, 300),
    NullCase("sign-flip of texts", "mean_change", "20 texts of 2 edits",
             lambda rng: changes(20, rng, mean=0.0).p, 7.5, 300),
    NullCase("sign-flip of texts", "edit_effect", "30 texts of 2 edits",
             lambda rng: edited(30, rng, metric=flips.edit_effect).p, 7.5, 300),
    NullCase("sign-flip of documents", "perplexity_ratio", "20 documents of unlike length",
             lambda rng: two_perplexities(20, rng, apart=0.0).p, 8, 300),
    NullCase("swaps of items", "difference of any other measure", "20 skewed items",
             lambda rng: means_apart(20, rng, paired_permutation, 499), 9, 100),
    NullCase("Student’s t over draws", "combined_effect", "10 draws of contexts",
             partial(pooled_p, 10), 8, 300),
    NullCase("Student’s t over templates", "association", "5 templates, skewed",
             partial(templates_p, 5), 9, 2000),
    NullCase("Kendall’s test, for ties", "Kendall’s τ", "12 tied points",
             lambda rng: kendall_p(*tied(12, rng))[0], 8, 300),
    NullCase("permutation", "Spearman’s ρ", "7 tied points",
             lambda rng: spearman_p(*tied(7, rng), rng), 8, 100),
    NullCase("permutation", "Pearson’s r", "12 skewed points",
             lambda rng: pearson_ps(rng.lognormal(size=(2, 12)).T, rng)[0, 1], 8, 300),
    NullCase("sign-flip of groups", "mean_kendall_tau", "12 groups of 16 pairs, tied",
             partial(mean_tau_p, 12, 16), 8, 300),
    NullCase("permutation of people’s groups", "own traits less those of others", "12 groups of 16 pairs",
             partial(unrelated_people_p, 12, 16, of="own_less_others"), 10, 100),
    NullCase("jackknife over rows, Student’s t", "Kendall’s τ of two matrices", "12 groups of 16 traits",
             partial(matrices_p, 12, 16), 8, 200),
)  # fmt: skip
