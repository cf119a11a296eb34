"""The default comparison: the difference of any measure between two models on the same items."""

from tiltmeter.core.estimates import Inference
from tiltmeter.core.samples import PairedSample, uncertainty
from tiltmeter.core.text import counted
from tiltmeter.metrics.preference_inference import FEW
from tiltmeter.stats.resampling.bootstrap import RESAMPLES, count_of_clusters
from tiltmeter.stats.resampling.paired_resampling import (
    EXCHANGES,
    affordable,
    paired_bootstrap,
    paired_permutation,
)


def compare_resampled(sample: PairedSample) -> tuple[float, Inference]:
    """A's value minus B's; paired bootstrap and paired permutation test over items or whole clusters.

    With more than 50,000 items there are fewer draws, and a caution says how many.

    Raises:
        Undefined: The metric has no value for one of the two models.
    """
    n, k = len(sample.clusters), count_of_clusters(sample.clusters)
    units = "items" if k == n else "whole clusters"
    draws, exchanges = affordable(n, RESAMPLES), affordable(n, EXCHANGES)
    fewer = f"{counted(draws, 'draws')} instead of {RESAMPLES:,}, because there are {counted(n, 'items')}"
    read = (sample.metric, sample.a, sample.b, sample.clusters, sample.rng)
    return sample.difference, uncertainty(
        lambda: (
            *paired_bootstrap(*read, draws=draws, confidence=sample.confidence),
            f"stretched paired bootstrap of {units}, {counted(draws, 'draws')}",
        ),
        lambda: (
            paired_permutation(*read, draws=exchanges),
            f"permutation test that swaps the two models by {units}",
        ),
        notes=(fewer if draws < RESAMPLES else "",),
        rough=f"only {counted(k, units)}: the interval is rough" if k < FEW else "",
    )
