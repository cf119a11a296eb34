"""Pooling of effects: the random-effects model of DerSimonian and Laird 1986.

Each estimate differs from its own true effect by its sampling error, and the true effects differ from each
other. The pooled effect is the mean of the estimates, weighted by their precision. Treating the weights as
known makes intervals too narrow if there are few estimates, so tests and intervals are by Student's t with
the standard error of Knapp and Hartung, here never below that of DerSimonian and Laird.

Sources: doi:10.1016/0197-2456(86)90046-2; Knapp and Hartung 2003, doi:10.1002/sim.1482.
"""

from typing import NamedTuple

import numpy as np

from tiltmeter.core.errors import BadInput, Undefined
from tiltmeter.core.types import Array
from tiltmeter.stats.confidence_intervals.intervals import student
from tiltmeter.stats.hypothesis_tests.permutation_tests import Alternative

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

    def p(self, alternative: Alternative = "two-sided") -> float:
        """The p-value of Student's t test that the effect is 0, with n − 1 degrees of freedom; never 0.

        Raises:
            Undefined: There is a single estimate.
        """
        from scipy.special import stdtr

        _, _, both = student(self.effect, self.error, self.number - 1)
        t, p = self.effect / self.error, both
        if alternative != "two-sided":
            p = float(stdtr(self.number - 1, -t if alternative == "greater" else t))
        return max(p, SMALLEST)

    def interval(self) -> tuple[float, float]:
        """95 % interval: the effect ± t standard errors, with n − 1 degrees of freedom.

        Raises:
            Undefined: There is a single estimate.
        """
        return student(self.effect, self.error, self.number - 1)[:2]


def random_effects(effects: Array, variances: Array) -> Pooled:
    """Pool estimates with their sampling variances.

    With w = 1 / variance: Q = Σ w (effect − weighted mean)², c = Σw − Σw² / Σw and
    τ² = max(0, (Q − (n − 1)) / c). The pooled effect is the mean weighted by w* = 1 / (variance + τ²), and
    its squared standard error max(1, Q* / (n − 1)) / Σw*, where Q* = Σ w* (effect − pooled)².

    Args:
        effects: Estimates, shape (n,).
        variances: Their sampling variances, above 0; shape (n,).

    Raises:
        Undefined: There is no estimate, one is not a finite number, or a variance is not above 0.
        BadInput: The numbers of variances and effects differ.

    Two estimates that differ by no more than sampling error are averaged by their weights, 4 to 1:

    >>> pooled = random_effects(np.array([1.0, 2.0]), np.array([1.0, 4.0]))
    >>> pooled.effect, pooled.variance_between
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
    order = np.lexsort((variances, effects))  # so that the result does not depend on the order
    effects, variances = effects[order], variances[order]
    weights = 1 / variances
    total = weights.sum()
    q = float((weights * (effects - (weights * effects).sum() / total) ** 2).sum())
    spare = float(total - (weights**2).sum() / total)
    between = max(0.0, (q - (n - 1)) / spare) if n > 1 else 0.0
    weights = 1 / (variances + between)
    total = weights.sum()
    pooled = float((weights * effects).sum() / total)
    spread = float((weights * (effects - pooled) ** 2).sum()) / max(n - 1, 1)
    return Pooled(pooled, float((max(1.0, spread) / total) ** 0.5), between, q, n)
