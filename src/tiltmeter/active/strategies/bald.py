"""BALD: the items on which models trained on resampled votes disagree most.

After Houlsby et al. 2011 (arXiv:1112.5745). The mutual information of prediction and model: H(mean
prediction) − mean H(prediction). It is the uncertainty that more votes can remove, and not that of
annotators.
"""

import numpy as np

from tiltmeter.active.strategy import PoolState, Strategy, highest
from tiltmeter.core.errors import Undefined
from tiltmeter.core.types import Array
from tiltmeter.metrics.distributions import entropy

HEADS = 5


def mutual_information(state: PoolState) -> Array:
    """In nats; 0 where all models agree."""
    if state.bootstrap is None:
        raise Undefined("no models were trained on resampled votes")
    predicted = np.array(state.bootstrap(HEADS))  # (heads, items, K)
    return np.asarray(
        entropy(predicted.mean(axis=0)) - entropy(predicted).mean(axis=0), dtype=np.float64
    )


STRATEGY = Strategy(
    "BALD",
    "models trained on resampled votes disagree",
    highest(mutual_information),
    needs="resampled models",
)
