"""Pooling of effects: the random-effects model of DerSimonian and Laird 1986.

Each estimate differs from its own true effect by its sampling error, and the true effects differ among
each other. The pooled effect is the mean of the estimates, weighted by their precision.

Source: doi:10.1016/0197-2456(86)90046-2.
"""

from typing import NamedTuple

import numpy as np

from tiltmeter.core.errors import BadInput, Undefined
from tiltmeter.core.types import Array
from tiltmeter.stats.partitions import Alternative

SMALLEST = float(np.finfo(np.float64).tiny)
"""The smallest p-value that is reported, some 2 · 10⁻³⁰⁸."""


class Pooled(NamedTuple):
    """A pooled effect with its standard error and the heterogeneity of the estimates."""

    effect: float
    error: float
    """The standard error of the effect."""
    variance_between: float
    """τ²: the variance of the true effects, at least 0."""
    q: float
    """Cochran's Q: the spread of the estimates in units of their own errors; around n − 1 if sampling
    error alone explains it."""
    number: int
    """The number of estimates."""

    @property
    def z(self) -> float:
        """The effect in standard errors."""
        return self.effect / self.error

    def p(self, alternative: Alternative = "two-sided") -> float:
        """The p-value of a z test that the effect is 0; never 0 itself."""
        from scipy.special import ndtr

        if alternative == "two-sided":
            found = 2 * ndtr(-abs(self.z))
        else:
            found = ndtr(-self.z if alternative == "greater" else self.z)
        return max(float(found), SMALLEST)

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """The effect ± z standard errors."""
        from scipy.special import ndtri

        if not 0 < confidence < 1:
            raise BadInput(f"confidence {confidence:g} is not between 0 and 1", "write 0.95")
        far = float(ndtri((1 + confidence) / 2)) * self.error
        return self.effect - far, self.effect + far


def random_effects(effects: Array, variances: Array) -> Pooled:
    """Pool estimates with their sampling variances.

    With w = 1 / variance: Q = Σ w (effect − weighted mean)², c = Σw − Σw² / Σw and
    τ² = max(0, (Q − (n − 1)) / c). The pooled effect is the mean weighted by 1 / (variance + τ²), and its
    standard error one over the root of the sum of these weights.

    Args:
        effects: Estimates, shape (n,).
        variances: Their sampling variances, above 0; shape (n,).

    Raises:
        Undefined: There is no estimate, one is not a finite number, or a variance is not above 0.
        BadInput: Not as many variances as effects.

    Two estimates that differ by no more than sampling error are averaged by their weights, 4 to 1:

    >>> found = random_effects(np.array([1.0, 2.0]), np.array([1.0, 4.0]))
    >>> found.effect, found.variance_between
    (1.2, 0.0)
    """
    if effects.shape != variances.shape or effects.ndim != 1:
        raise BadInput(f"there are {variances.size} variances for {effects.size} effects")
    n = len(effects)
    if n == 0:
        raise Undefined("there is no effect to pool")
    bad = int(np.count_nonzero(~np.isfinite(effects) | ~np.isfinite(variances)))
    if bad:
        raise Undefined(f"{bad} of {n} effects, or their variances, are not finite numbers")
    sure = int(np.count_nonzero(variances <= 0))
    if sure:
        raise Undefined(f"{sure} of {n} variances are not above 0, so no weights can be computed")
    order = np.lexsort((variances, effects))  # so that the order of the items changes nothing
    effects, variances = effects[order], variances[order]
    weights = 1 / variances
    total = weights.sum()
    q = float((weights * (effects - (weights * effects).sum() / total) ** 2).sum())
    spare = float(total - (weights**2).sum() / total)
    between = max(0.0, (q - (n - 1)) / spare) if n > 1 else 0.0
    weights = 1 / (variances + between)
    total = weights.sum()
    return Pooled(float((weights * effects).sum() / total), float(total**-0.5), between, q, n)
