"""Inference for measures that only describe: no interval and no test."""

from collections.abc import Callable, Sequence

import numpy as np

from tiltmeter.core.results import Inference
from tiltmeter.core.types import Column, Labels


def infer_nothing(
    metric: Callable[..., float],
    columns: Sequence[Column],
    clusters: Labels,
    rng: np.random.Generator,
) -> Inference:
    """Neither interval nor test: the number is itself an uncertainty, a published one, or a description."""
    del metric, columns, clusters, rng
    return Inference(None, None)
