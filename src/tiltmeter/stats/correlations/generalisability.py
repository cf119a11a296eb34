"""Can these items tell these models apart? How far the models' means differ, and how far by chance.

The items are a sample of those that might have been asked; the models are the ones that they are. What other
items would change is taken from how unlike the differences between models are from cluster to cluster.
"""

from dataclasses import dataclass

import numpy as np

from tiltmeter.core.errors import BadInput, Undefined
from tiltmeter.core.types import Array, Labels
from tiltmeter.stats.confidence_intervals.intervals import LEAST, student, tail_of
from tiltmeter.stats.resampling.bootstrap import cluster_sums, enough

FEWEST_MODELS = 3
"""With two models there is one difference, and no spread of models to hold its error against."""
HIGHEST = 1e8
"""The largest noncentrality that is looked for: reliabilities beyond it are 1 in every digit shown."""
POWER = 0.8


@dataclass(frozen=True, slots=True)
class Generalisability:
    """How far the means of models are apart, beside what other items like these would change."""

    means: Array
    """The mean of each model over the items, shape (models,)."""
    covariance: Array
    """The sampling covariance of the models' means less their common mean, shape (models, models)."""
    clusters: int
    items: int

    @property
    def between(self) -> float:
        """The variance of the models' means, which chance of the items makes larger."""
        return float(self.means.var(ddof=1))

    @property
    def error(self) -> float:
        """The part of `between` that is chance: half of the mean squared error of a difference."""
        return float(np.trace(self.covariance)) / (len(self.means) - 1)

    @property
    def reliability(self) -> float:
        """The share of the variance between the models' means that other items like these would repeat.

        1 − `error` / `between`, the generalisability coefficient of the means for relative decisions
        (Cronbach et al. 1972). Where every item is on its own it is Cronbach's α, and KR-20 if items are 0 or
        1 (Hoyt 1941, doi:10.1007/BF02289270); with clusters of one size it is α over the clusters' means. It
        is at most 1, and 0 or below where the means differ no more than by chance.

        Raises:
            Undefined: There are fewer than three models, or all have the same mean.
        """
        self._check()
        return 1 - self.error / self.between

    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the reliability, for other items like these and the same models.

        The ratio of `between` to `error` has about a noncentral F distribution, with fewer degrees of freedom
        where differences between some models vary more than others (Greenhouse and Geisser 1959,
        doi:10.1007/BF02289823). docs/explanation/coverage/correlations.md says how often it contains the true
        value.

        Raises:
            Undefined: As `reliability`; or all models differ by the same on every item.
        """
        from scipy.optimize import brentq
        from scipy.special import ncfdtr

        first, second = self._freedom()
        ratio = self.between / self.error

        def noncentrality(p: float) -> float:
            def beyond(centre: float) -> float:
                return float(ncfdtr(first, second, centre, ratio)) - p

            most = 1.0
            if beyond(0.0) <= 0:
                return 0.0
            while beyond(most) > 0 and most < HIGHEST:
                most *= 4
            return float(brentq(beyond, 0.0, most, rtol=1e-6)) if most < HIGHEST else most

        low, high = (noncentrality(p) for p in (1 - tail_of(), tail_of()))
        return low / (low + first), high / (high + first)

    def p(self) -> float:
        """The p that all models have the same mean over all such items, by the F test.

        Raises:
            Undefined: As `interval`.
        """
        from scipy.special import fdtrc

        return float(fdtrc(*self._freedom(), self.between / self.error))

    def pair_errors(self) -> Array:
        """The standard error of the difference of each two models, shape (models, models)."""
        variances = np.diag(self.covariance)
        squares = variances[:, None] + variances[None, :] - 2 * self.covariance
        return np.asarray(np.sqrt(np.maximum(squares, 0.0)))

    def pair_p(self, i: int, j: int) -> float:
        """The two-sided p that two models have the same mean, by Student's t over clusters.

        Raises:
            Undefined: Both differ by the same in every cluster.
        """
        apart = float(self.means[i] - self.means[j])
        return student(apart, float(self.pair_errors()[i, j]), self.clusters - 1)[2]

    def detectable(self) -> float:
        """How far two of the models must be apart for a test at 5 % to find it 80 times in 100."""
        return _times() * float((2 * self.error) ** 0.5)

    def items_for(self, difference: float, error: float) -> int:
        """How many items like these would show a difference 80 times in 100, given its error with these.

        Raises:
            Undefined: The difference is 0.

        >>> two = np.array([[1.0, 1, 1, 1, 0], [0.0, 0, 0, 1, 0]])
        >>> generalisability(two, np.arange(5)).items_for(0.1, 0.05)  # 5 · (2.80 · .05 / .1)²
        10
        """
        if abs(difference) <= LEAST:
            raise Undefined("both have the same mean")
        return max(1, int(np.ceil(self.items * (_times() * error / difference) ** 2)))

    def _check(self) -> None:
        if len(self.means) < FEWEST_MODELS:
            raise Undefined(f"it takes {FEWEST_MODELS} models, there are {len(self.means)}")
        if self.between <= LEAST**2 * max(1.0, float(np.abs(self.means).max())) ** 2:
            raise Undefined("all models have the same mean")

    def _freedom(self) -> tuple[float, float]:
        """The degrees of freedom of the ratio of `between` to `error`."""
        self._check()
        if self.error <= LEAST * self.between:
            raise Undefined("the models differ by the same on all items")
        m, squares = len(self.means) - 1, float((self.covariance**2).sum())
        even = float(np.trace(self.covariance)) ** 2 / (m * squares)
        return even * m, even * m * (self.clusters - 1)


def generalisability(table: Array, clusters: Labels) -> Generalisability:
    """What the models' means over items say of the models.

    Args:
        table: The number of each item for each model, shape (models, items), finite.
        clusters: The cluster of each item, shape (items,): items made from one template count together.

    Raises:
        Undefined: There are fewer than two models, or all items belong to one cluster.

    >>> table = np.array([[1.0, 1, 1, 1], [1.0, 1, 0, 0], [1.0, 0, 0, 0]])  # α = 4/3 · (1 − 3/7)
    >>> round(generalisability(table, np.arange(4)).reliability, 4)
    0.7619
    """
    m, n = table.shape
    if m < 2:  # noqa: PLR2004
        raise Undefined("there is one model")
    codes, k = enough(clusters)
    means = table.mean(axis=1)
    sizes = np.bincount(codes, minlength=k) / n
    # How far each cluster moves each mean, less how far it moves all of them.
    pulls = cluster_sums((table - means[:, None]).T, codes, k) / n / (1 - sizes)[:, None]
    pulls -= pulls.mean(axis=1, keepdims=True)
    return Generalisability(means, (k - 1) / k * pulls.T @ pulls, k, n)


def items_needed(reliability: float, items: int, *, wanted: float = 0.8) -> int:
    """How many items like these would have the wanted reliability, by the Spearman–Brown formula.

    Raises:
        Undefined: The reliability is 0 or below: nothing says that more items would help.
        BadInput: The wanted one is not between 0 and 1.

    >>> items_needed(0.5, 100)  # .8 / .2 times as many
    400
    """
    if not 0 < wanted < 1:
        raise BadInput(f"{wanted:g} is no reliability to aim at", "give a share between 0 and 1")
    if reliability <= 0:
        raise Undefined("nothing says that more items would tell the models apart")
    if reliability >= 1:
        return 1
    return int(np.ceil(items * wanted / (1 - wanted) * (1 - reliability) / reliability - LEAST))


def _times() -> float:
    """By how many standard errors a difference must exceed 0 to be found 80 times in 100."""
    from scipy.special import ndtri

    return float(ndtri(1 - tail_of()) + ndtri(POWER))
