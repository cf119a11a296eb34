"""The ranges of ranks that several estimates may have, from pairwise tests on the same items.

An estimate's best rank is 1 plus the number of others that are significantly higher; its worst is the number
of estimates minus the number of those that are significantly lower. With the p-values of all pairs adjusted
by Holm's method, all ranges contain the true ranks simultaneously in 95 % of samples.

Sources: Mogstad, Romano, Shaikh and Wilhelm 2024, doi:10.1093/restud/rdad006 (ranks from simultaneous
inference on differences of pairs); Goldstein and Spiegelhalter 1996, doi:10.2307/2983325 (why the intervals
of single estimates do not say it).
"""

from itertools import combinations

import numpy as np

from tiltmeter.core.estimates import ALPHA
from tiltmeter.core.types import Array
from tiltmeter.stats.hypothesis_tests.exact_tests import holm

ROUNDING = 1e-9


def pair_p_values(
    values: Array, drawn: Array, units: int, *, tied: float = 0.0, neutral: float | None = None
) -> Array:
    """The two-sided p of the difference between any two estimates, shape (m, m), by Student's t.

    The standard error is that of the difference on shared resamples, so anything that moves both alike, such
    as hard items, cancels out.

    Args:
        values: The estimates, shape (m,).
        drawn: Their values on the same resamples, shape (m, draws).
        units: The number of units that a resample draws.
        tied: The largest difference under the null hypothesis.
        neutral: If given, the test is about which of two is closer to this value instead of which is higher.
            One is closer only if neither their difference nor the distance of their mean from neutral is 0,
            so p is the larger p of both.

    >>> drawn = np.array([[70.0, 71.0, 72.0], [60.0, 61.0, 62.5]])
    >>> bool(pair_p_values(np.array([71.0, 61.0]), drawn, 100)[0, 1] < 0.001)
    True
    """
    p = np.ones((len(values), len(values)))
    for i, j in combinations(range(len(values)), 2):
        p[i, j] = _p(values[i] - values[j], drawn[i] - drawn[j], units, tied)
        if neutral is not None:
            both = values[i] + values[j] - 2 * neutral
            p[i, j] = max(p[i, j], _p(both, drawn[i] + drawn[j], units, 0.0))
        p[j, i] = p[i, j]
    return p


def _p(value: float, drawn: Array, units: int, tied: float) -> float:
    """The two-sided p that a number is no farther from 0 than `tied`, from its values on resamples."""
    from scipy.special import stdtr

    beyond = abs(float(value)) - tied
    scale = ROUNDING * max(1.0, abs(float(value)), float(np.abs(drawn).max()))
    if beyond <= scale:
        return 1.0
    error = float(drawn.std(ddof=1)) * (units / max(units - 1, 1)) ** 0.5
    if error <= scale:
        # All units favour the same side equally: the exact p of a test that exchanges the two within units.
        return float(2.0 ** (1 - units))
    return float(2 * stdtr(units - 1, -beyond / error))


def rank_ranges(scores: Array, p: Array) -> list[tuple[int, int]]:
    """The best and worst rank of each estimate at 95 % confidence; rank 1 is the highest score.

    Args:
        scores: The scores by which estimates are ranked, shape (m,).
        p: The unadjusted p of the difference between any two, shape (m, m).

    >>> apart = np.array([[1.0, 0.01, 0.01], [0.01, 1.0, 0.6], [0.01, 0.6, 1.0]])
    >>> rank_ranges(np.array([71.0, 61.0, 60.0]), apart)
    [(1, 1), (2, 3), (2, 3)]
    """
    m = len(scores)
    pairs = list(combinations(range(m), 2))
    adjusted = holm([float(p[pair]) for pair in pairs])
    best, worst = np.ones(m, dtype=np.int64), np.full(m, m)
    for (i, j), each in zip(pairs, adjusted, strict=True):
        if each is not None and each < ALPHA and scores[i] != scores[j]:
            high, low = (i, j) if scores[i] > scores[j] else (j, i)
            worst[high] -= 1
            best[low] += 1
    return [(int(low), int(high)) for low, high in zip(best, worst, strict=True)]
