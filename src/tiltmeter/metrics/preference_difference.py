"""The difference of two models' stereotype rates on the same pairs."""

import numpy as np

from tiltmeter.core.estimates import Inference
from tiltmeter.core.samples import PairedSample, as_numbers, ties_of, uncertainty
from tiltmeter.core.types import Array, Labels
from tiltmeter.metrics.preference import outcomes
from tiltmeter.stats.confidence_intervals.intervals import difference_interval
from tiltmeter.stats.hypothesis_tests.equivalence import claims_of_shares
from tiltmeter.stats.hypothesis_tests.exact_tests import mcnemar_exact, sign_flip
from tiltmeter.stats.resampling.bootstrap import count_of_clusters


def compare_rates(sample: PairedSample) -> tuple[float, Inference]:
    """A's rate minus B's, in percentage points; for `stereotype_rate` and similar metrics.

    The interval is that of the mean of differences item by item, over whole clusters. The test is the exact
    McNemar test on the items on which the two models differ or, if items share clusters, a test that swaps
    the two models for whole clusters; with ties="half" a tie lies between the two preferences.

    Raises:
        Undefined: There are no pairs, or scores that are not finite numbers.
    """
    ties, clusters, rng = ties_of(sample.metric), sample.clusters, sample.rng
    of_a, of_b = (outcomes(*as_numbers(side[:2]), ties=ties) for side in (sample.a, sample.b))
    difference = 100 * (of_a - of_b)
    alone = count_of_clusters(clusters) == len(clusters)
    name = f"score intervals of paired {'items' if alone else 'whole clusters'}"
    return float(difference.mean()), uncertainty(
        lambda: (
            *difference_interval(difference, clusters, 100, confidence=sample.confidence),
            name,
        ),
        lambda: _tested(of_a, of_b, clusters, rng, alone=alone),
        claims=claims_of_shares(difference, clusters, 100),
    )


def _tested(
    a: Array, b: Array, clusters: Labels, rng: np.random.Generator, *, alone: bool
) -> tuple[float, str]:
    above, below = int(np.sum(a > b)), int(np.sum(a < b))
    if above + below == 0 or alone:
        return mcnemar_exact(above, below), "exact McNemar test against 0"
    p = sign_flip(np.sign(a - b), clusters, rng)
    return p, "sign-flip test of whole clusters on the items on which the models differ, against 0"
