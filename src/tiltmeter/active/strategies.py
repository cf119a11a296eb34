"""The strategies by their names on the command line, and the scores by which they choose items.

Entropy sampling and DAAL are algorithms 2 and 3 of Baumler et al. 2023
(doi:10.18653/v1/2023.findings-acl.658), and the passive strategies its baselines of section 6.3.3 (6.7.2 for
majority labels). BALD follows Houlsby et al. 2011 (arXiv:1112.5745). Scores are in nats.
"""

from collections.abc import Mapping
from typing import Final

import numpy as np

from tiltmeter.active import badge
from tiltmeter.active.entropy_predictor import expected_entropy, expected_entropy_of_some
from tiltmeter.active.strategy import PoolState, Strategy, at_random, highest
from tiltmeter.core.errors import Undefined, UnknownName
from tiltmeter.core.types import Array
from tiltmeter.metrics.distributions import entropy

HEADS: Final = 5
"""Models trained on resampled votes that BALD compares."""


def model_entropy(state: PoolState) -> Array:
    """H of the predicted distributions: uncertainty sampling."""
    return entropy(state.probabilities)


def signed_gap(state: PoolState) -> Array:
    """H − f_ent, so only items on which the model is too unsure: an ablation of DAAL."""
    return entropy(state.probabilities) - state.entropy_prediction()


def gap(state: PoolState) -> Array:
    """|H − f_ent|: model and annotators should be equally unsure.

    H is the entropy of a distribution and f_ent that of N votes, which is lower even for a perfect model;
    `matched_gap` compares like with like.
    """
    return np.abs(signed_gap(state))


def matched_gap(state: PoolState) -> Array:
    """|expected plug-in entropy of N votes drawn from the prediction − f_ent|."""
    drawn = np.full(len(state.probabilities), np.nan)
    some = state.probabilities[state.candidates]
    drawn[state.candidates] = expected_entropy(some, state.votes_each)
    return np.abs(drawn - state.entropy_prediction())


def exact_gap(state: PoolState) -> Array:
    """|H − expected plug-in entropy of N of the item's votes|: an upper bound of DAAL, in simulations."""
    if state.all_counts is None:
        raise Undefined("the votes of people who were not asked are not known")
    known = expected_entropy_of_some(state.all_counts, state.votes_each)
    return np.abs(entropy(state.probabilities) - known)


def mutual_information(state: PoolState) -> Array:
    """The mutual information of prediction and model: H(mean prediction) − mean H(prediction).

    It is the uncertainty that more votes can remove, and not that of annotators.
    """
    if state.bootstrap is None:
        raise Undefined("no models were trained on resampled votes")
    predicted = np.array(state.bootstrap(HEADS))  # (heads, items, K)
    information = entropy(predicted.mean(axis=0)) - entropy(predicted).mean(axis=0)
    return np.asarray(information, dtype=np.float64)


_UNSURE, _DIFFER = "the model is unsure", "model and annotators differ in entropy"
_ENTROPY = highest(model_entropy)
STRATEGIES: Mapping[str, Strategy] = {
    "passive": Strategy("Passive", "at random", at_random),
    "passive_batched": Strategy("Passive (batched)", "at random", at_random, batched=True),
    "passive_majority": Strategy(
        "Passive (majority labels)", "at random", at_random, batched=True, majority=True
    ),
    "entropy": Strategy("Entropy", _UNSURE, _ENTROPY),
    "entropy_batched": Strategy("Entropy (batched)", _UNSURE, _ENTROPY, batched=True),
    "entropy_majority": Strategy(
        "Entropy (majority labels)", _UNSURE, _ENTROPY, batched=True, majority=True
    ),
    "daal": Strategy("DAAL", _DIFFER, highest(gap), needs="predicted entropy"),
    "daal_exact": Strategy(
        "DAAL (exact entropy)", _DIFFER, highest(exact_gap), needs="all votes"
    ),
    "daal_matched": Strategy(
        "DAAL (matched)", _DIFFER, highest(matched_gap), needs="predicted entropy"
    ),
    "daal_signed": Strategy(
        "DAAL (signed)", "the model is less sure than annotators", highest(signed_gap),
        needs="predicted entropy",
    ),
    "human_entropy": Strategy(
        "Human entropy only", "annotators are expected to disagree",
        highest(PoolState.entropy_prediction), needs="predicted entropy",
    ),
    "bald": Strategy(
        "BALD", "models trained on resampled votes disagree", highest(mutual_information),
        needs="resampled models",
    ),
    "badge": Strategy("BADGE", "large and diverse gradients", badge.choose),
}  # fmt: skip


def strategy_named(name: str) -> Strategy:
    """The strategy of this name; UnknownName, with the nearest names, where there is none."""
    if name not in STRATEGIES:
        raise UnknownName("strategy", name, STRATEGIES)
    return STRATEGIES[name]
