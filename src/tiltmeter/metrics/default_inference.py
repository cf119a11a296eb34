"""The inference of measures that name none, and of those that have none."""

from tiltmeter.core.estimates import Inference
from tiltmeter.core.samples import Sample
from tiltmeter.core.text import counted
from tiltmeter.metrics.preference_inference import few_clusters
from tiltmeter.stats.resampling.bootstrap import RESAMPLES, count_of_clusters
from tiltmeter.stats.resampling.bootstrap_intervals import bootstrap
from tiltmeter.stats.resampling.paired_resampling import affordable


def bootstrapped(sample: Sample) -> Inference:
    """What a measure has that names no inference: a bootstrap of items, or of whole clusters; no test.

    The metric is computed on every resample, of which there are fewer with more than 50,000 items.

    Raises:
        Undefined: There are fewer than two clusters, or a resample has no value.
    """
    draws = affordable(len(sample.clusters), RESAMPLES)
    low, high = bootstrap(sample.metric, sample.columns, sample.clusters, sample.rng, draws=draws)
    alone = count_of_clusters(sample.clusters) == len(sample.clusters)
    name = f"stretched bootstrap of {'items' if alone else 'whole clusters'}, {counted(draws, 'draws')}"
    return Inference(low, high, interval=name, why=few_clusters(sample.clusters, "items"))


def infer_nothing(sample: Sample) -> Inference:
    """Neither interval nor test: the number is itself an uncertainty, a published one, or a description."""
    del sample
    return Inference(None, None)
