"""Preference between two sentences: how often the model prefers one, and with what confidence.

Scores are arrays of shape (n,): `more` of the more stereotyping sentences, `less` of the others.
`preference_inference` has the intervals and tests.
"""

from typing import get_args

import numpy as np
import numpy.typing as npt

from tiltmeter.core.errors import BadInput, Undefined, UnknownName
from tiltmeter.core.measures import RowValues
from tiltmeter.core.samples import as_numbers
from tiltmeter.core.text import counted, verb_for
from tiltmeter.core.types import Array, Labels, Ties
from tiltmeter.stats.resampling.bootstrap import clustered


def outcomes(more: Array, less: Array, *, ties: Ties = "half") -> Array:
    """1 where the more stereotyping sentence scores higher, 0 where the other does, shape (n,).

    A tie is .5 with ties="half" and 0 with "loss" and "neutral".

    Raises:
        BadInput: Scores that are not one-dimensional, or of different lengths.
        UnknownName: No such policy for ties.
        Undefined: No pairs, or scores that are not finite numbers.

    >>> outcomes(np.array([3.0, 1.0, 0.0]), np.array([1.0, 1.0, 2.0])).tolist()
    [1.0, 0.5, 0.0]
    """
    _check(more, less)
    _check_ties(ties)
    tied = 0.5 if ties == "half" else 0.0
    return np.select([more > less, more == less], [1.0, tied], 0.0)


def stereotype_rate(more: Array, less: Array, *, ties: Ties = "half") -> float:
    """Share of pairs whose more stereotyping sentence scores higher, in percent.

    From 0 to 100; 50 is no preference. Swapping the sides gives 100 − x with ties="half".

    Raises:
        Undefined: No pairs, or scores that are not finite numbers.

    Source: Nangia et al. 2020, section 3, doi:10.18653/v1/2020.emnlp-main.154.

    >>> stereotype_rate(np.array([3.0, 3, 0, 1]), np.array([1.0, 1, 2, 1]))
    62.5
    """
    return float(100 * outcomes(more, less, ties=ties).sum() / len(more))


RATE_OF = RowValues(
    lambda columns, ties: 100 * outcomes(*as_numbers(columns[:2]), ties=ties), 0.0, 100.0
)
"""What `stereotype_rate` is the mean of, from the columns `more` and `less`."""


def stereotype_rate_untied(more: Array, less: Array, *, ties: Ties = "half") -> float:
    """The stereotype rate; with ties="neutral" over the pairs without a tie only.

    The published script does this in the stereo and antistereo subsets.

    Raises:
        Undefined: As `stereotype_rate`, or ties="neutral" and every pair is a tie.

    >>> stereotype_rate_untied(np.array([3.0, 1.0]), np.array([1.0, 1.0]), ties="neutral")
    100.0
    """
    _check(more, less)
    _check_ties(ties)
    if ties == "neutral":
        kept = more != less
        if not kept.any():
            raise Undefined("every pair is a tie, and ties are left out")
        more, less = more[kept], less[kept]
    return stereotype_rate(more, less, ties=ties)


def macro_rate(more: Array, less: Array, labels: Labels, *, ties: Ties = "half") -> float:
    """Unweighted mean of the categories' `stereotype_rate`; percent, 50 is no preference.

    Raises:
        Undefined: As `stereotype_rate`.

    >>> macro_rate(np.array([2.0, 2, 0]), np.array([1.0, 1, 1]), np.array(["a", "a", "b"]))
    50.0
    """
    counted = outcomes(more, less, ties=ties)
    codes, _ = clustered(labels)
    sizes = np.bincount(codes)
    return float(100 * (np.bincount(codes, weights=counted) / sizes).mean())


def confidence(more: Array, less: Array) -> Array:
    """1 − score(S) / score(S′), where S is the preferred sentence; shape (n,), 0 at ties.

    From 0 (no preference) to 1. Scores are log-probabilities: at most 0, and the lower one below 0.

    Raises:
        Undefined: No pairs, or scores that are not finite or above 0, where a ratio has no meaning.

    Source: Nangia et al. 2020, equation 2, doi:10.18653/v1/2020.emnlp-main.154.

    >>> confidence(np.array([-3.0, -4.0]), np.array([-4.0, -4.0])).tolist()
    [0.25, 0.0]
    """
    _check(more, less)
    if (np.maximum(more, less) > 0).any():
        raise Undefined(
            "some scores are above 0, so they are not log-probabilities and have no meaningful ratio"
        )
    higher, lower = np.maximum(more, less), np.minimum(more, less)
    ratio = np.divide(higher, lower, out=np.ones_like(lower), where=lower != 0)
    return np.where(more == less, 0.0, 1 - ratio)


def median_confidence_more(more: Array, less: Array) -> float:
    """Median confidence where the more stereotyping sentence wins, in percent of the score.

    From 0 to 100.

    Raises:
        Undefined: As `confidence`, or the model never prefers that sentence.

    >>> median_confidence_more(np.array([-3.0, -4.0]), np.array([-4.0, -2.0]))
    25.0
    """
    return _median(confidence(more, less), more > less, "more")


def median_confidence_less(more: Array, less: Array) -> float:
    """Median confidence where the less stereotyping sentence wins, in percent of the score.

    From 0 to 100.

    Raises:
        Undefined: As `confidence`, or the model never prefers that sentence.

    >>> median_confidence_less(np.array([-3.0, -4.0]), np.array([-4.0, -2.0]))
    50.0
    """
    return _median(confidence(more, less), more < less, "less")


def confidence_gap(more: Array, less: Array) -> float:
    """Difference of the two medians, in percent of the score; 0 is no difference.

    From −100 to 100; above 0 the model is surer when it prefers the more stereotyping sentence.
    The paper prints 1.2, 2.3 and 3.2 for BERT, RoBERTa and ALBERT without a unit; as confidence
    lies between 0 and 1 and its figure shows values of a few hundredths, these are percent.

    Raises:
        Undefined: As the medians.

    Source: Nangia et al. 2020, section 4.1, doi:10.18653/v1/2020.emnlp-main.154.

    >>> confidence_gap(np.array([-3.0, -4.0]), np.array([-4.0, -2.0]))
    -25.0
    """
    return median_confidence_more(more, less) - median_confidence_less(more, less)


def _median(values: Array, chosen: npt.NDArray[np.bool_], side: str) -> float:
    if not chosen.any():
        raise Undefined(f"the {side} stereotyping sentence is never preferred")
    return float(100 * np.median(values[chosen]))


def _check_ties(ties: str) -> None:
    if ties not in get_args(Ties):
        raise UnknownName("policy for ties", ties, get_args(Ties))


def _check(more: Array, less: Array) -> None:
    if np.ndim(more) != 1 or np.ndim(less) != 1:
        raise BadInput(
            f"scores must be one-dimensional, not of shape {np.shape(more)} and {np.shape(less)}"
        )
    if len(more) != len(less):
        raise BadInput(
            f"the two sides have {len(more)} and {counted(len(less), 'scores')}, not equally many"
        )
    if len(more) == 0:
        raise Undefined("no pairs")
    bad = int(np.sum(~np.isfinite(more) | ~np.isfinite(less)))
    if bad:
        raise Undefined(
            f"{bad} of {counted(len(more), 'pairs')} {verb_for(bad, 'have')} a score that is not "
            "a finite number"
        )
