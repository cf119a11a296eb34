"""How sure a number is: intervals from counts, and from resamples."""

import numpy as np
from scipy.special import ndtri

from tiltmeter.core.errors import BadInput, Undefined
from tiltmeter.core.types import Array

CONFIDENCE = 0.95


def wilson(successes: float, n: int, *, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Wilson's score interval of a share, without continuity correction.

    Successes may be fractions (a tie that counts one half). The outcomes then vary less than those of
    a coin with the same mean, so the interval is, if anything, too wide.

    Source: Wilson 1927, doi:10.1080/01621459.1927.10502953.

    Args:
        successes: Between 0 and n.
        n: How many outcomes.
        confidence: Of the two-sided interval, in (0, 1).

    Returns:
        (low, high) as shares in [0, 1]; the observed share always lies between them.

    Raises:
        Undefined: n is 0.
        BadInput: Successes or confidence are out of range.

    >>> low, high = wilson(5, 10)  # .5 ± z/2 / sqrt(n + z²)
    >>> round(low, 4), round(high, 4)
    (0.2366, 0.7634)
    """
    if n == 0:
        raise Undefined("no items")
    if not 0 <= successes <= n:
        raise BadInput(f"{successes:g} successes of {n:,} are impossible")
    z = _two_sided(confidence)
    share, spread = successes / n, z * z / n
    middle = share + spread / 2
    half = (spread * share * (1 - share) + spread * spread / 4) ** 0.5
    low, high = (middle - half) / (1 + spread), (middle + half) / (1 + spread)
    # Rounding must not push the share itself, or a bound of exactly 0 or 1, out of the interval.
    return min(max(low, 0.0), share), max(min(high, 1.0), share)


def percentile(draws: Array, *, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """The middle part of a statistic's values on resamples: the bootstrap percentile interval.

    Args:
        draws: The statistic on each resample, NaN where it had no value; shape (resamples,).
        confidence: Of the two-sided interval, in (0, 1).

    Raises:
        Undefined: A resample has no value (leaving it out would bias the interval), or all have the
            same value, so that resampling says nothing.

    >>> percentile(np.arange(101.0), confidence=0.9)
    (5.0, 95.0)
    """
    tail = _tail(confidence)
    missing = int(np.isnan(draws).sum())
    if missing:
        raise Undefined(f"{missing:,} of {len(draws):,} resamples have no value")
    if np.ptp(draws) <= 1e-9 * np.abs(draws).max():
        raise Undefined("all resamples have the same value, so they cannot say how sure it is")
    low, high = np.quantile(draws, [tail, 1 - tail])
    return float(low), float(high)


def percent(confidence: float) -> str:
    """A level in words.

    >>> percent(0.95)
    '95 %'
    """
    return f"{100 * confidence:g} %"


def _tail(confidence: float) -> float:
    if not 0 < confidence < 1:
        raise BadInput(f"a confidence of {confidence:g} is not between 0 and 1", "say 0.95")
    return (1 - confidence) / 2


def _two_sided(confidence: float) -> float:
    return float(-ndtri(_tail(confidence)))
