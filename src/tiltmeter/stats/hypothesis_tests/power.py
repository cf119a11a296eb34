"""Statistical power: the smallest effect that a test with n items can detect."""

from functools import lru_cache

from tiltmeter.core.errors import Undefined

ALPHA = 0.05
POWER = 0.8


@lru_cache(maxsize=4096)
def minimum_detectable_effect(n: int) -> float:
    """How far from one half a true rate must be for the sign test to detect it.

    It is the smallest d such that the exact two-sided sign test of n items without ties, each a win with
    probability .5 + d, gives p ≤ .05 with probability .8 or more. It is exact for every n, with both tails of
    the binomial distribution computed by the incomplete beta function.

    Returns:
        A share in (0, .5]: 0.1 means rates of 40 % and 60 %.

    Raises:
        Undefined: n is so small that no outcome gives p ≤ .05.

    >>> round(minimum_detectable_effect(6), 3)  # only 6 of 6 (or 0 of 6) rejects; .8 ** (1/6) - .5
    0.463
    >>> round(minimum_detectable_effect(1508), 4)  # about (1.96 + .84) / (2 · sqrt(1508))
    0.0363
    """
    from scipy.optimize import brentq

    most = _most_losses(n)
    if most < 0:
        raise Undefined(
            f"too few items without ties ({n}) for the sign test to reach p = {ALPHA:g}"
        )

    def missing(distance: float) -> float:
        return POWER - _at_most(most, n, 0.5 - distance) - _at_most(most, n, 0.5 + distance)

    return float(brentq(missing, 0.0, 0.5, xtol=1e-13))


def _most_losses(n: int) -> int:
    """The largest number of losses (or wins) with which the test still rejects; -1 if there is none."""
    low, high = -1, n // 2 + 1  # low rejects, high does not
    while high - low > 1:
        middle = (low + high) // 2
        rejects = 2 * _at_most(middle, n, 0.5) <= ALPHA
        low, high = (middle, high) if rejects else (low, middle)
    return low


def _at_most(k: int, n: int, chance: float) -> float:
    """P(X ≤ k) for X binomial with n trials, k < n."""
    from scipy.special import betainc

    return float(betainc(n - k, k + 1, 1 - chance))
