"""How small a leaning could have been found?"""

from functools import lru_cache

import numpy as np
from scipy.optimize import brentq
from scipy.stats import binom, norm

from tiltmeter.core.errors import Undefined

EXACT_UP_TO = 100_000
"""Beyond so many items the normal approximation is used; it is then right to four digits."""


@lru_cache(maxsize=4096)
def minimum_detectable_effect(n: int, *, alpha: float = 0.05, power: float = 0.8) -> float:
    """Smallest distance from one half that the exact two-sided sign test finds with this power.

    A share from 0 to .5: with a true rate of .5 ± that, the test on n untied items rejects "no
    preference" at level `alpha` with probability `power`.

    Raises:
        Undefined: n is so small that the test can never reject (below 6 at the 5 % level).

    >>> round(minimum_detectable_effect(30), 3)
    0.249
    """
    if n > EXACT_UP_TO:
        z = float(norm.ppf(1 - alpha / 2))
        reach = float(norm.ppf(power))
        # solve z·.5 + reach·sqrt(.25 − d²) = d·sqrt(n) for d
        return float(
            brentq(lambda d: z / 2 + reach * np.sqrt(0.25 - d**2) - d * np.sqrt(n), 0.0, 0.5)
        )
    least = _least_rejected(n, alpha)

    def found(d: float) -> float:
        above = binom.sf(least - 1, n, 0.5 + d)
        below = binom.cdf(n - least, n, 0.5 + d)
        return float(above + below)

    return float(brentq(lambda d: found(d) - power, 0.0, 0.5))


def _least_rejected(n: int, alpha: float) -> int:
    """The smallest count above n/2 at which the exact two-sided test rejects."""
    least = int(binom.isf(alpha / 2, n, 0.5)) + 1
    while least > 0 and 2 * binom.sf(least - 2, n, 0.5) <= alpha:
        least -= 1
    while least <= n and 2 * binom.sf(least - 1, n, 0.5) > alpha:
        least += 1
    if least > n:
        raise Undefined(f"with {n} untied items the test can never find a preference")
    return least
