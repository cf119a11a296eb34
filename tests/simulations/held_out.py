"""How often intervals contain the true value, on data of kinds that no interval was designed with.

Studies' measures are simulated with `HELD_OUT` patterns. Simulations of other numbers are repeated with a
generator whose "normal" numbers are Laplace, Student's t or of two humps by turns, where true values depend
on means and variances alone; agreement has beta-binomial votes. `python -m simulations.held_out WORD`
prints the rows of docs/explanation/coverage with a word in them.
"""

import sys
from dataclasses import replace
from functools import cache, partial

import numpy as np
from scipy.stats import kendalltau, spearmanr

from simulations.cases import Case, by_pattern, coverage
from simulations.comparisons import COMPARED_CASES
from simulations.differences import DIFFERENCE_CASES
from simulations.further_intervals import MORE_CASES, annotator_accuracy
from simulations.intervals import CASES, correlated, ends, odds, odds_of_two
from simulations.measures import PATTERN_CASES
from simulations.patterns import HELD_OUT
from simulations.sizes import SQUARE_CASES, chosen, interval
from tiltmeter.stats.confidence_intervals.intervals import student_half_width
from tiltmeter.stats.correlations.correlation import kendall_interval
from tiltmeter.stats.correlations.correlation_intervals import correlation_interval
from tiltmeter.stats.raters.gwet import gwet_inference
from tiltmeter.stats.raters.kappa_and_alpha import alpha_inference, fleiss_inference
from tiltmeter.stats.raters.percent_agreement import draws_inference, m_of_n_inference

SEED = 29


class Unlike(np.random.Generator):
    """A generator whose "normal" numbers are symmetric with the same mean and variance, but not normal."""

    def normal(self, loc=0.0, scale=1.0, size=None):
        kind = self.integers(3)
        if kind == 0:
            drawn = self.laplace(size=size) / 2**0.5
        elif kind == 1:
            drawn = self.standard_t(5, size=size) * 0.6**0.5
        else:
            drawn = self.uniform(-0.3, 0.3, size=size) + 0.97**0.5 * self.choice([-1, 1], size=size)
        return loc + scale * drawn


def unlike(trial):
    """The trial with such numbers."""
    return lambda rng: trial(Unlike(np.random.PCG64(rng.integers(2**32))))


OF_MOMENTS = {
    "sos_rate", "sos_gap", "effect_size", "effect_size_clustered", "combined_effect", "perplexity",
    "Pearson’s r", "association", "leak", "slope change", "scale check, r", "scale check, slope",
    "scale check, shift", "similarity of crossed groups", "mean_change", "perplexity_ratio",
    "combined_effect_difference", "effect_size_difference", "ss_difference", "icat_difference",
    "slope without the raters’ noise", "rms_strength",
    "strength_difference", "bits_per_byte", "bits_per_byte_difference",
}  # fmt: skip
"""What depends on means and variances alone, or is 0 wherever the noise is symmetric."""


def votes(units, people, a, b, rng, *, by, of):
    """Answers to items of which each has a chance of its own, beta-distributed."""
    share = rng.beta(a, b, size=(units, 1))
    ratings = (rng.random((units, people)) < share).astype(float)
    alike, chance = 1 / (a + b + 1), 2 * a * b / (a + b) ** 2
    observed = 1 - chance * (1 - alike)
    # both answers of three with moments of the beta distribution
    whole = (a * (a + 1) * (a + 2) + b * (b + 1) * (b + 2)) / ((a + b) * (a + b + 1) * (a + b + 2))
    true = {"kappa": alike, "ac1": (observed - chance) / (1 - chance), "pairs": 100 * observed,
            "all": 100 * whole}  # fmt: skip
    return ends(by(ratings), true[of])


@cache
def ranked(by, r):
    x, y = correlated(100_000, r, Unlike(np.random.PCG64(4)))
    return float(by(x, y).statistic)


def spearman(n, r, rng):
    """Of numbers that are a common part and one of their own."""
    x, y = correlated(n, r, rng)
    return *correlation_interval(x, y, np.arange(n), ranked=True)[:2], ranked(spearmanr, r)


def kendall(n, r, rng):
    x, y = correlated(n, r, rng)
    return *kendall_interval(x, y, np.arange(n), rng), ranked(kendalltau, r)


def mean_of_people(people, rng):
    """Ratings from 1 to 5: a binomial number of steps, with a chance that is beta-distributed."""
    given = 1.0 + rng.binomial(4, rng.beta(3, 2, size=people))
    squares, counts = (np.array([x]) for x in (((given - given.mean()) ** 2).sum(), people))
    half = float(student_half_width(squares, counts)[0])
    return given.mean() - half, given.mean() + half, 3.4


def held_out(case):
    """With its samples, at least 400 of what is cheap."""
    return replace(case, trial=unlike(case.trial), trials=min(max(case.trials, 400), 1000))


BETA, ODDS = "beta-binomial votes", (0.22, 0.31, 0.35, 0.5)
OTHER_CASES = (
    *(held_out(case) for case in (*CASES, *DIFFERENCE_CASES, *MORE_CASES, *COMPARED_CASES, *SQUARE_CASES)
      if case.of in OF_MOMENTS and "skewed" not in case.n and "exponential" not in case.n),
    *(Case(how, of, f"{n} items of 5 annotators, {BETA}", partial(votes, n, 5, a, b, by=by, of=key),
           93, 100, 400)
      for how, of, by, key in (
          ("Bayesian bootstrap over items", "Krippendorff’s α", alpha_inference, "kappa"),
          ("Bayesian bootstrap over items", "Fleiss’ κ", fleiss_inference, "kappa"),
          ("score interval, jackknife over items", "Gwet’s AC1", gwet_inference, "ac1"),
          ("score interval, jackknife over items", "pairs agree", draws_inference, "pairs"))
      for n, a, b in ((40, 0.4, 0.7), (120, 0.2, 0.8))),
    Case("Wilson", "all agree", f"40 items of 3 annotators, {BETA}",
         partial(votes, 40, 3, 0.4, 0.7, by=partial(m_of_n_inference, m=3, n=3), of="all"), 93, 100, 1000),
    Case("jackknife of Fisher’s z", "Spearman’s ρ", "15 points, r = .6",
         unlike(partial(spearman, 15, 0.6)), 93, 100, 1000),
    Case("stretched bootstrap of points", "Kendall’s τ", "25 points, r = .6",
         unlike(partial(kendall, 25, 0.6)), 93, 100, 400),
    Case("Student’s t over annotators", "people’s mean of one cell", f"6 ratings, {BETA}",
         partial(mean_of_people, 6), 93, 100, 1000),
    Case("score intervals of all differences", "equalized_odds_difference", "4 groups of 20, 45, 110 and 400",
         partial(odds, (20, 45, 110, 400), ODDS), 93, 100, 400),
    Case("score intervals of two models, combined", "equalized_odds_difference_difference",
         "4 groups of 20, 45, 110 and 400", partial(odds_of_two, (20, 45, 110, 400), ODDS, (0.4,) * 4, 0.5),
         93, 100, 400),
    Case("score interval, bootstrap of items", "an annotator’s accuracy", "50 items of 5 annotators",
         partial(annotator_accuracy, 50, (0.62, 0.71, 0.78, 0.88, 0.97)), 93, 100, 200),
    Case("score interval, products of repeats", "rms_strength of choices", "30 cells of 10 replies, beta",
         interval(chosen, 5, 2 * np.random.default_rng(SEED).beta(0.6, 0.9, size=30) - 1, order=0.0),
         93, 100, 400),
)  # fmt: skip
HELD_OUT_CASES = tuple(
    replace(case, patterns=HELD_OUT, trials=min(case.trials, 100)) for case in PATTERN_CASES
)


def start(case):
    """The start of its row."""
    return f"| {case.kind} | {case.of} | {case.n} |"


def coverage_of(case):
    """Over all patterns: how many of 100 intervals contain the true value, and the number of intervals."""
    if isinstance(case, Case):
        return coverage(case, SEED), case.trials
    made, inside = np.sum(list(by_pattern(case, SEED).values()), axis=0)
    return 100 * inside / made, made


if __name__ == "__main__":
    for case in (*OTHER_CASES, *HELD_OUT_CASES):
        if all(word in start(case) for word in sys.argv[1:]):
            share, intervals = coverage_of(case)
            sys.stdout.write(f"{start(case)} {share:.1f} | {intervals:,} |\n")
            sys.stdout.flush()
