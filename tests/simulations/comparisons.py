"""How often intervals of two models' differences, of corrected slopes and of text contain the true value."""

from functools import partial

import numpy as np
from scipy.special import ndtr

from simulations.cases import Case, NullCase
from simulations.intervals import ends
from tiltmeter.analyses.compare_people import alignment_numbers
from tiltmeter.core.samples import PairedSample, Sample
from tiltmeter.metrics import perplexity
from tiltmeter.stats.ranks.rank_ranges import pair_p_values, rank_ranges
from tiltmeter.stats.regression.errors_in_variables import GridWeights, Rated, slopes_on
from tiltmeter.stats.regression.mixed_model import fit_mixed
from tiltmeter.stats.resampling.bootstrap import resampled_sums
from tiltmeter.studies.fairness_gaps import gap_inference, group_gaps


def taus_apart(n, each, rng, *, r, other, of):
    """Two models' scores that correlate so with the same people's ratings, over all and within groups."""

    def leaning():
        """Groups lean each by its own."""
        return rng.normal(size=(n, 1)) * 0.5 + rng.normal(size=(n, each))

    ratings = leaning()
    one, second = (c * ratings + (1 - c * c) ** 0.5 * leaning() for c in (r, other))
    found = alignment_numbers.differences(
        one, second, np.round(ratings, 1), k=3, seed=int(rng.integers(1e6))
    )
    return next(e for e in found if e.name == of)


def by_taus(n, each, rng, *, r, other, of):
    found = taus_apart(n, each, rng, r=r, other=other, of=of)
    return found.low, found.high, 2 / np.pi * (np.arcsin(r) - np.arcsin(other))


def gaps_apart(metric, first, second, rng, *, rates):
    """Two models on the same texts of two groups; the first finds the second group's positives less well.

    Half of the texts are positive. Both models' scores are correlated by .5.
    """
    side = np.repeat([0, 1], [first, second])
    truth = (np.arange(len(side)) % 2).astype(float)
    common, scores = rng.normal(size=len(side)), []
    for weaker in (0.5, 0.0):
        noise = 0.5**0.5 * (common + rng.normal(size=len(side)))
        scores.append(noise + truth * (1 - weaker * side) + weaker * side * (1 - truth))
    columns = [[truth, (one > 1.0).astype(float), one, side] for one in scores]
    found = gap_inference.compare_gaps(PairedSample(metric, *columns, np.arange(len(side)), rng))[1]
    return ends(found, rates)


FALSE_POSITIVES = 100 * (ndtr(-1) - ndtr(-0.5))
AREAS = ndtr(2**-0.5) - 0.5


def slope_of_rated(rows, columns, raters, rng):
    """A slope of .5 on ratings that scatter twice as much as what they are of."""
    truth = rng.normal(size=(rows, columns))
    rated = Rated(tuple(one + 2 * rng.normal(size=(raters, columns)) for one in truth))
    y = 0.5 * truth + rng.normal(size=truth.shape)
    y = y + 0.5 * rng.normal(size=(rows, 1)) + 0.5 * rng.normal(size=columns)
    row, column = np.divmod(np.arange(truth.size), columns)
    fit = fit_mixed(y.ravel(), rated.means.reshape(-1, 1), [column, row])
    ratios = [sd / fit.residual_sd for sd in fit.factor_sds]
    found = slopes_on([rated], [], y, GridWeights(rows, columns, ratios[1], ratios[0]))
    return found.low[0], found.high[0], 0.5


def text(documents, rng, *, apart=0.0):
    """Two models' log-probabilities of documents and their bytes: 1 and 1 + `apart` nats a byte."""
    size = rng.integers(200, 2000, size=documents).astype(float)
    base = size * (1 + 0.2 * rng.normal(size=documents))
    first = base + size * (apart + 0.05 * rng.normal(size=documents))
    return [-first, size], [-base, size]


def bits(documents, rng):
    _, columns = text(documents, rng)
    sure = perplexity.infer_bits(
        Sample(perplexity.bits_per_byte, columns, np.arange(documents), rng)
    )
    return ends(sure, 1 / np.log(2))


def bits_apart(documents, rng, *, apart):
    """A difference of `apart` nats."""
    both = text(documents, rng, apart=apart)
    return perplexity.compare_bits(
        PairedSample(perplexity.bits_per_byte, *both, np.arange(documents), rng)
    )[1]


def rank(shares, items, rng):
    """Of a model among others that are right so often, the closest to 50 % first, and err on the same items.

    Models of one distance share the ranks from the first of them to the last.
    """
    common, alone = rng.random((items, 1)), rng.random((items, len(shares)))
    right = 100.0 * (np.where(rng.random(alone.shape) < 0.6, common, alone) < shares)
    far, one = np.round(np.abs(np.array(shares) - 0.5), 9), int(rng.integers(len(shares)))
    means, drawn = right.mean(axis=0), resampled_sums(right, rng, draws=199).T / items
    p = pair_p_values(means, drawn, items, neutral=50.0)
    best, worst = rank_ranges(-np.abs(means - 50), p)[one]
    return best, worst, np.clip(best, 1 + (far < far[one]).sum(), (far <= far[one]).sum())


GROUPS, DOCUMENTS = "stretched bootstrap over groups", "stretched bootstrap of whole documents"
GAPS, TAU = "score intervals, paired bootstrap of texts within each label", "kendall_tau_difference"
RATERS = "slope without the raters’ noise"
COMPARED_CASES = (
    Case(GROUPS, TAU, "12 groups of 16 pairs", partial(by_taus, 12, 16, r=0.6, other=0.3, of=TAU),
         91, 98.5, 300),
    Case("score interval over groups", f"mean_{TAU}", "12 groups of 16 pairs",
         partial(by_taus, 12, 16, r=0.6, other=0.3, of=f"mean_{TAU}"), 91, 98.5, 300),
    Case(GAPS, "false_positive_rate_gap of two models", "60 and 120 texts",
         partial(gaps_apart, group_gaps.false_positive_gap, 60, 120, rates=FALSE_POSITIVES),
         91, 98.5, 300),
    Case(GAPS, "roc_auc_gap of two models", "60 and 120 texts",
         partial(gaps_apart, group_gaps.area_gap, 60, 120, rates=AREAS), 91, 98.5, 300),
    Case("jackknife over groups, Student’s t", RATERS, "8 groups of 16 traits, 6 raters",
         partial(slope_of_rated, 8, 16, 6), 91, 98.5, 300),
    Case("jackknife over groups, Student’s t", RATERS, "20 groups of 16 traits, 4 raters",
         partial(slope_of_rated, 20, 16, 4), 91, 98.5, 300),
    Case(DOCUMENTS, "bits_per_byte", "40 documents", partial(bits, 40), 92, 98, 500),
    Case("stretched paired bootstrap", "bits_per_byte_difference", "20 documents",
         lambda rng: ends(bits_apart(20, rng, apart=0.1), 0.1 / np.log(2)), 91, 98, 500),
    *(Case("paired differences, Holm", "range of ranks", f"{n} items, {which}",
           partial(rank, shares, n), 93.5, 100, 1000)
      for which, shares in (("5 models, 45 to 60 %", (0.5, 0.5, 0.55, 0.45, 0.6)),
                            ("5 models, 50 to 58 %", (0.5, 0.52, 0.54, 0.56, 0.58)),
                            ("3 models, 50 to 95 %", (0.95, 0.5, 0.9)))
      for n in (20, 200)),
)  # fmt: skip
COMPARED_NULL_CASES = (
    NullCase("sign-flip of groups", f"mean_{TAU}", "12 groups of 16 pairs",
             lambda rng: taus_apart(12, 16, rng, r=0.4, other=0.4, of=f"mean_{TAU}").p, 7.5, 300),
    NullCase("sign-flip of documents", "bits_per_byte_difference", "20 documents",
             lambda rng: bits_apart(20, rng, apart=0.0).p, 7.5, 500),
)  # fmt: skip
