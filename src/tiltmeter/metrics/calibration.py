"""Calibration: how far shares of positive texts are from the probabilities given, over ten bins.

Columns, one row a text: `truth_positive` (1 or 0) and `probability`, of positive, from 0 to 1.

Sources: Guo et al. 2017, doi:10.48550/arXiv.1706.04599 (there of the label chosen); Kumar, Liang and Ma
2019, doi:10.48550/arXiv.1909.10155 (the mean square without what chance adds).
"""

from collections.abc import Sequence

import numpy as np

from tiltmeter.core.errors import Undefined
from tiltmeter.core.estimates import Inference
from tiltmeter.core.samples import PairedSample, Sample, as_numbers, uncertainty
from tiltmeter.core.types import Array, Column
from tiltmeter.metrics.counts import few_texts
from tiltmeter.stats.confidence_intervals.mean_squares import RootMeanSquare, root_mean_square
from tiltmeter.stats.confidence_intervals.score_intervals import interval_of_change
from tiltmeter.stats.resampling.bootstrap import cluster_sums, clustered

BINS = 10
"""The number of bins, which have equal width."""


def calibration_error(truth_positive: Column, probability: Column) -> float:
    """Expected calibration error: the mean distance of bins' shares of positive texts from probabilities.

    Bins are weighted by their texts. In percentage points; 0 is best. With few texts it is high by chance
    alone, by how much depends on the bins' true errors. So it has no interval; `rms_calibration_error` has.

    Raises:
        Undefined: There are no texts.

    >>> round(calibration_error(np.array([1.0, 0.0]), np.array([0.95, 0.95])), 6)
    45.0
    """
    bins, apart, _ = _in_bins(truth_positive, probability)
    return float(np.abs(apart @ bins).sum() / len(apart))


def rms_calibration_error(truth_positive: Column, probability: Column, cluster: Column) -> float:
    """The root mean square of the bins' true errors, weighted by their texts, in percentage points.

    Made from products of different clusters of texts, so that chance does not make it higher: where there is
    no error it scatters about 0. Texts that are alone in their bin are left out.

    Raises:
        Undefined: No bin has texts of two clusters.

    >>> right = np.array([1.0, 1.0, 0.0]), np.array([0.95, 0.95, 0.05]), np.arange(3)
    >>> round(rms_calibration_error(*right), 6)  # √(5 · 5), of the bin with two texts
    5.0
    """
    return _rms([truth_positive, probability, cluster]).value


def infer_calibration(sample: Sample) -> Inference:
    """Interval for `rms_calibration_error`; no test beside it."""
    squares = _rms(sample.columns)
    return squares.inference(note=few_texts(len(squares.sums)))


def compare_calibration(sample: PairedSample) -> tuple[float, Inference]:
    """A's root mean square error minus B's on the same texts, with an interval made of those of both.

    Raises:
        Undefined: A model has no value.
    """
    a, b = _rms(sample.a), _rms(sample.b)
    method = f"score intervals from products of different {a.units}, combined"
    return sample.difference, uncertainty(
        lambda: (*interval_of_change([a], [b], (1,), confidence=sample.confidence), method)
    )


def _in_bins(truth_positive: Column, probability: Column) -> tuple[Array, Array, Array]:
    """Whether a text is in a bin, shape (texts, bins); truth less probability in points; probability."""
    truth, given = as_numbers((truth_positive, probability))
    if not len(truth):
        raise Undefined("there are no texts")
    bins = np.minimum((given * BINS).astype(np.int64), BINS - 1)
    return np.eye(BINS)[bins], 100 * (truth - given), given


def _rms(columns: Sequence[Column]) -> RootMeanSquare:
    codes, k = clustered(np.asarray(columns[2], dtype=np.int64))
    bins, apart, given = _in_bins(columns[0], columns[1])
    # A bin of few texts may show no label that is rare in it, so they vary at least as the probabilities say.
    values = (apart, np.ones(len(apart)), 1e4 * given * (1 - given))
    sums, counts, least = (cluster_sums(bins * each[:, None], codes, k) for each in values)
    units = "texts" if k == len(codes) else "clusters"
    return root_mean_square(sums, counts, units, by_size=True, least=least, most=100.0)
