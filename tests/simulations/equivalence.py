"""How often equivalence is claimed where the true difference is the margin: the size of two one-sided tests.

The claim is that the interval lies inside the margin. Where the true difference is the margin that happens
no more often than one of its ends misses the true difference on that side, which is what is counted: of the
interval at the level that the comparison allows, of two models that lean alike but for a difference drawn
from a pattern.
"""

from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import cache
from unittest import mock

import numpy as np

from simulations.measures import (
    SHARED,
    asked,
    contexts,
    decided,
    flags,
    moved,
    pairs,
    questions,
    sentences,
    two,
)
from simulations.patterns import DENSE, LARGE
from tiltmeter.core.errors import Undefined
from tiltmeter.core.samples import PairedSample
from tiltmeter.metrics import (
    context_association,
    context_association_inference,
    labels,
    perplexity,
    preference,
    preference_difference,
)
from tiltmeter.studies.bbq import metrics as bbq
from tiltmeter.studies.counterfactual import metrics as probability_changes

MOST = 7.0
"""In percent: 5, and two standard errors of a share of 400 samples."""
APART = {
    "one cluster in twelve": lambda rng, k: np.where(rng.random(k) < 0.08, 2.5, 0.0),
    "one cluster in thirty": lambda rng, k: np.where(rng.random(k) < 0.03, 4.0, 0.0),
    "all clusters": lambda rng, k: rng.normal(0.2, 0.3, size=k),
    "skewed": lambda rng, k: 0.3 * rng.exponential(size=k),
    "heavy tails": lambda rng, k: 0.3 * rng.standard_t(3, size=k),
}
"""How far the first model leans further than the second, by cluster."""


@dataclass(frozen=True)
class SizeCase:
    """One kind of interval of differences, on data of one size."""

    kind: str
    compare: object
    metric: object
    columns: object
    clusters: int
    each: int
    trials: int = 400

    @property
    def row(self):
        """Its row in docs/explanation/coverage, without the share found."""
        name = getattr(self.metric, "name", getattr(self.metric, "__name__", ""))
        size = (
            f"{self.clusters} clusters of {self.each}"
            if self.each > 1
            else f"{self.clusters} alone"
        )
        return f"| {self.kind} | {name} | {size} |"


def of_both(case, rng, apart, clusters):
    """Both models' columns, and clusters."""
    items = DENSE.items(rng, clusters, case.each)
    more = replace(items, x=items.x + APART[apart](rng, clusters)[items.code])
    state = rng.bit_generator.state
    a = case.columns(more)
    rng.bit_generator.state = state
    b = case.columns(items)
    kept = SHARED.get(case.columns, 0)
    return a, [*a[:kept], *b[kept:]], items.code


@cache
def true_value(case, apart):
    a, b, _ = of_both(case, np.random.default_rng(5), apart, LARGE // case.each)
    of_a, of_b = case.metric(*a), case.metric(*b)
    return of_a / of_b if case.metric is perplexity.perplexity else of_a - of_b


TESTS = (
    "metrics.counts._swapped", "metrics.perplexity.sign_flip", "metrics.preference_difference.sign_flip",
    "metrics.context_association_inference.sign_flip", "studies.counterfactual.metrics.sign_flip",
)  # fmt: skip
"""The tests beside the intervals, which take most of the time and say nothing here."""


@contextmanager
def without_tests():
    with ExitStack() as stack:
        for test in TESTS:
            stack.enter_context(mock.patch(f"tiltmeter.{test}", return_value=1.0))
        yield


@without_tests()
def claims(case, apart, seed=1):
    """The percentage of samples in which equivalence within the true difference is claimed, and in which an
    interval may claim it."""
    rng, true = np.random.default_rng(seed), true_value(case, apart)
    above = below = allowed = 0
    for _ in range(case.trials):
        a, b, code = of_both(case, rng, apart, case.clusters)
        draws = int(rng.integers(1e9))

        def compared(level, a=a, b=b, code=code, draws=draws):
            rng = np.random.default_rng(draws)
            return case.compare(PairedSample(case.metric, a, b, code, rng, confidence=level))[1]

        try:
            level = compared(0.95).claims.level
            sure = None if level is None else compared(level)
        except Undefined:
            continue
        if sure is not None and sure.low is not None:
            allowed += 1
            above += sure.low > true
            below += sure.high < true
    return 100 * max(above, below) / case.trials, 100 * allowed / case.trials


def highest(case, seed=1):
    """The highest share of claims over the patterns, and which has it."""
    shares = {apart: claims(case, apart, seed)[0] for apart in APART}
    name = max(shares, key=shares.get)
    return shares[name], name


def of_metric(sample):
    return sample.metric.compare(sample)


GAINS, MEAN = "gains and losses, 90 %", "score interval of a mean, 95 %"
BOOTSTRAP = "stretched paired bootstrap, 95 %"
MORE = 1000
SIZE_CASES = tuple(
    SizeCase(kind, compare, metric, columns, *size, MORE if size == (300, 1) and kind != BOOTSTRAP else 400)
    for kind, compare, metric, columns, sizes in (
        (GAINS, preference_difference.compare_rates, preference.stereotype_rate, pairs,
         ((40, 1), (100, 1), (300, 1), (40, 5), (100, 5))),
        (GAINS, of_metric, labels.accuracy, asked, ((100, 1), (40, 5), (100, 5))),
        (GAINS, of_metric, labels.rate, flags, ((100, 1), (100, 5))),
        (MEAN, probability_changes.compare_changes, probability_changes.mean_change, moved,
         ((40, 1), (100, 1), (300, 1), (100, 5))),
        (MEAN, probability_changes.compare_changes, probability_changes.decisions_flipped, decided,
         ((100, 1), (100, 5))),
        (MEAN, context_association_inference.compare_ss, context_association.ss, contexts,
         ((40, 5), (100, 5))),
        (BOOTSTRAP, perplexity.compare_perplexities, perplexity.perplexity, sentences,
         ((40, 1), (100, 1), (300, 1), (100, 5))),
        (BOOTSTRAP, of_metric, bbq.bbq_score_ambiguous, questions, ((40, 4), (100, 4))),
        ("score intervals of both, 95 %", of_metric, labels.f1, two, ((100, 1),)),
    )
    for size in sizes
)  # fmt: skip

if __name__ == "__main__":
    for case in SIZE_CASES:
        found, apart = highest(case)
        print(f"{case.row} {found:.1f} | {apart} |", flush=True)  # noqa: T201
