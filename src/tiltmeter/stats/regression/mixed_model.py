"""Linear mixed models with one random intercept or two crossed ones, fitted by REML.

y = Xβ + Z₁u₁ + Z₂u₂ + e: rows share a random shift if they have the same label of a factor (a trait, a
group). The residual variance and β are profiled out of the restricted likelihood (Bates et al. 2015,
doi:10.18637/jss.v067.i01, section 3), which leaves one ratio θ = σ_factor / σ to search for each
factor. All sums over rows are formed once, and the larger factor is eliminated exactly, so that a step
of the search costs a few operations on a matrix with one row for each label of the smaller factor:
100,000 rows take seconds.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

import numpy as np

from tiltmeter.core.errors import BadInput, Undefined
from tiltmeter.core.text import counted
from tiltmeter.core.types import Array, Labels
from tiltmeter.stats.resampling.bootstrap import clustered

LEVEL = 0.95
MOST_FACTORS = 2
_START = (0.1, 0.6, 3.0)
_ZERO = 1e-4
"""A ratio below this counts as 0."""
_STEP = 1e-3
"""The relative step of numerical derivatives."""
_COLLINEAR = 1e12
"""The condition number of the predictors' correlation matrix above which they count as collinear."""


@dataclass(frozen=True, slots=True)
class MixedFit:
    """A fitted mixed model; arrays have one entry for the intercept and then one for each predictor."""

    coefficients: Array
    covariance: Array
    """The covariance of the coefficients, shape (1 + k, 1 + k)."""
    degrees: Array
    """Satterthwaite's degrees of freedom of each coefficient."""
    factor_sds: tuple[float, ...]
    """The standard deviation of each factor's intercepts; 0 if its variance is estimated as 0."""
    residual_sd: float
    deviance: float
    """−2 log restricted likelihood."""
    n: int

    @property
    def errors(self) -> Array:
        """The standard errors of the coefficients."""
        return np.asarray(np.sqrt(np.diag(self.covariance)))

    @property
    def p(self) -> Array:
        """The two-sided p of each coefficient, by Student's t with Satterthwaite's degrees of freedom."""
        from scipy.special import stdtr

        return np.asarray(2 * stdtr(self.degrees, -np.abs(self.coefficients / self.errors)))

    @property
    def normal_p(self) -> Array:
        """The two-sided p by the normal distribution, as some packages report it; slightly too small."""
        from scipy.special import ndtr

        return np.asarray(2 * ndtr(-np.abs(self.coefficients / self.errors)))

    def interval(self) -> tuple[Array, Array]:
        """The lower and the upper bounds of the 95 % intervals."""
        from scipy.special import stdtrit

        half = stdtrit(self.degrees, (1 + LEVEL) / 2) * self.errors
        return self.coefficients - half, self.coefficients + half


def fit_mixed(y: Array, x: Array, factors: Sequence[Labels]) -> MixedFit:
    """Fit a linear mixed model by REML, with Satterthwaite's degrees of freedom for p and intervals.

    Args:
        y: The outcome, shape (n,), finite.
        x: The predictors without the intercept, shape (n, k), finite; k may be 0.
        factors: One or two arrays of n labels; each gets a random intercept.

    Returns:
        The fit. A factor whose variance is estimated as 0 has the standard deviation 0, as if the model did
        not have it.

    Raises:
        BadInput: Shapes do not fit, or there is no factor or more than two.
        Undefined: Predictors are collinear or constant, y is constant, or there are too few rows.

    >>> y, x = np.array([1.0, 2.0, 4.0, 4.0, 6.0, 7.0]), np.array([[0.0], [1], [2], [0], [1], [2]])
    >>> fit = fit_mixed(y, x, [np.array(list("aaabbb"))])
    >>> fit.coefficients.round(4).tolist(), round(fit.factor_sds[0], 3)
    ([2.5, 1.5], 2.349)
    """
    if not 1 <= len(factors) <= MOST_FACTORS:
        raise BadInput(counted(len(factors), "random intercepts"), "give one or two")
    if x.ndim != 2 or any(len(column) != len(y) for column in (x, *factors)):  # noqa: PLR2004
        raise BadInput("y, x and the factors have different lengths", "give one row for each value")
    scales = np.append(x.std(axis=0), y.std())
    if len(y) <= x.shape[1] + 1:
        what = f"{x.shape[1]} predictors" if x.shape[1] else "a mixed model"
        raise Undefined(f"{counted(len(y), 'rows', 'are')} too few for {what}")
    if scales[-1] == 0:
        raise Undefined("all values are equal")
    variance_inflation(x)
    # The search works on columns of unit variance; the results are converted back to the given units.
    sums = _Sums.of(y / scales[-1], x / scales[:-1], factors)
    ratios = _search(sums)
    model = sums.at(ratios)
    variance = model.rss / sums.free
    scale = np.append(scales[-1], scales[-1] / scales[:-1])
    degrees = _satterthwaite(sums, ratios, model)
    return MixedFit(
        model.beta * scale,
        model.inverse * variance * np.outer(scale, scale),
        degrees,
        tuple(float(r * np.sqrt(variance) * scales[-1]) for r in ratios),
        float(np.sqrt(variance) * scales[-1]),
        sums.deviance(ratios) + 2 * sums.free * float(np.log(scales[-1]))
        - 2 * float(np.log(scale[1:] / scales[-1]).sum()),
        len(y),
    )  # fmt: skip


def variance_inflation(x: Array) -> Array:
    """The factor by which collinearity inflates the variance of each coefficient, shape (k,); 1 is none.

    Args:
        x: The predictors, shape (n, k).

    Raises:
        Undefined: Predictors are constant or exactly collinear.

    >>> x = np.array([[1.0, 1], [1, -1], [-1, 1], [-1, -1]])
    >>> variance_inflation(x), variance_inflation(x @ np.array([[1.0, 1], [0, 1]])).round(9)
    (array([1., 1.]), array([2., 2.]))
    """
    if not x.shape[1]:
        return np.empty(0)
    with np.errstate(invalid="ignore", divide="ignore"):
        r = np.atleast_2d(np.corrcoef(x, rowvar=False))
    if not np.isfinite(r).all() or np.linalg.cond(r) > _COLLINEAR:
        raise Undefined("a predictor is constant, or predictors are collinear")
    return np.asarray(np.diag(np.linalg.inv(r)))


class _At(NamedTuple):
    """The model evaluated at given ratios of the factors' standard deviations to the residual one."""

    inverse: Array
    """(X'V⁻¹X)⁻¹."""
    beta: Array
    rss: float
    """The weighted sum of squares of the residuals."""
    log_determinants: float
    """log |V| + log |X'V⁻¹X|."""


@dataclass(frozen=True, slots=True)
class _Sums:
    """Sums over rows from which the model can be evaluated at any ratios."""

    products: Array
    """[1 X y]'[1 X y]."""
    by_label: tuple[Array, ...]
    """For each factor, the sums of the columns of [1 X y] by label, shape (labels, 2 + k)."""
    counts: tuple[Array, ...]
    joint: Array
    """The number of rows with each combination of labels, shape (labels of the larger factor, of the
    other)."""
    order: tuple[int, ...]
    """The indices of the factors, the one with the most labels first."""
    n: int

    @classmethod
    def of(cls, y: Array, x: Array, factors: Sequence[Labels]) -> "_Sums":
        columns = np.column_stack([np.ones(len(y)), x, y])
        places = [clustered(labels) for labels in factors]
        order = tuple(sorted(range(len(factors)), key=lambda i: -places[i][1]))
        by_label = tuple(
            np.column_stack([np.bincount(at, weights=c, minlength=size) for c in columns.T]).astype(
                float
            )
            for at, size in places
        )
        joint = np.zeros((0, 0))
        if len(factors) > 1:
            (a, rows), (b, width) = (places[i] for i in order)
            joint = np.bincount(a * width + b, minlength=rows * width).astype(float)
            joint = joint.reshape(rows, width)
        counts = tuple(np.bincount(at, minlength=size).astype(float) for at, size in places)
        return cls(columns.T @ columns, by_label, counts, joint, order, len(y))

    @property
    def free(self) -> int:
        """The residual degrees of freedom: the number of rows minus the number of coefficients."""
        return self.n - len(self.products) + 1

    def at(self, ratios: Sequence[float] | Array) -> _At:
        """Evaluate the model at these ratios, eliminating the larger factor exactly."""
        first = self.order[0]
        shrunk = ratios[first] ** 2 / (1 + ratios[first] ** 2 * self.counts[first])
        weighted = self.by_label[first] * shrunk[:, None]
        products = self.products - self.by_label[first].T @ weighted
        log_v = float(np.log1p(ratios[first] ** 2 * self.counts[first]).sum())
        if len(self.order) > 1 and ratios[self.order[1]] > 0:
            ratio = ratios[self.order[1]]
            schur = -(ratio**2) * (self.joint.T @ (self.joint * shrunk[:, None]))
            schur[np.diag_indices_from(schur)] += 1 + ratio**2 * self.counts[self.order[1]]
            root = np.linalg.cholesky(schur)
            rest = ratio * (self.by_label[self.order[1]] - self.joint.T @ weighted)
            rest = np.linalg.solve(root, rest)
            products = products - rest.T @ rest
            log_v += 2 * float(np.log(np.diag(root)).sum())
        return self._solved(products, log_v)

    def _solved(self, products: Array, log_v: float) -> _At:
        inner, cross = products[:-1, :-1], products[:-1, -1]
        root = np.linalg.inv(np.linalg.cholesky(inner))
        log_x = -2 * float(np.log(np.diag(root)).sum())
        inverse = root.T @ root
        beta = inverse @ cross
        rss = float(products[-1, -1] - cross @ beta)
        if rss <= np.finfo(float).eps * products[-1, -1]:
            raise Undefined("the predictors explain every value exactly")
        return _At(inverse, beta, rss, log_v + log_x)

    def deviance(self, ratios: Sequence[float] | Array) -> float:
        """−2 log restricted likelihood at these ratios, with the best β and residual variance."""
        model = self.at(ratios)
        logs = 1 + np.log(2 * np.pi * model.rss / self.free)
        return float(model.log_determinants + self.free * logs)


def _search(sums: _Sums) -> tuple[float, ...]:
    """The ratio of each factor's standard deviation to the residual one that minimises the deviance."""
    from scipy.optimize import minimize

    size = len(sums.order)
    start = min(product(_START, repeat=size), key=sums.deviance)
    simplex = np.array([start, *(np.array(start) + 0.2 * np.eye(size))])
    options = {"xatol": 1e-5, "fatol": 1e-8, "initial_simplex": simplex, "maxiter": 1000}
    optimum = minimize(
        lambda t: sums.deviance(np.abs(t)), start, method="Nelder-Mead", options=options
    )
    ratios = np.abs(optimum.x)
    # An optimum at exactly 0 lies on the boundary, which the simplex only approaches.
    for i in range(size):
        without = np.where(np.arange(size) == i, 0.0, ratios)
        if ratios[i] < _ZERO or sums.deviance(without) <= optimum.fun + 1e-7:
            ratios = without
    return tuple(map(float, ratios))


def _satterthwaite(sums: _Sums, ratios: Sequence[float], optimum: _At) -> Array:
    """The degrees of freedom of each coefficient's variance (Satterthwaite 1946, doi:10.2307/3002019).

    They are 2 v² / (g' A g), where v is the coefficient's variance, g its gradient over the ratios and the
    residual standard deviation, and A their asymptotic covariance: twice the inverse Hessian of the deviance.
    """
    inside = [i for i, ratio in enumerate(ratios) if ratio > 0]
    variance = optimum.rss / sums.free
    sd = float(np.sqrt(variance))

    def moved(*steps: tuple[int, float]) -> _At:
        at = list(ratios)
        for i, step in steps:
            at[i] += step * _STEP * ratios[i]
        return sums.at(at)

    # −2 log likelihood with the residual variance held fixed, up to a constant.
    def value(at: _At) -> float:
        return at.log_determinants + at.rss / variance

    size = len(inside) + 1
    hessian = np.zeros((size, size))
    gradient = np.zeros((size, len(optimum.beta)))
    # For the residual standard deviation in closed form, from free · log sd² + rss / sd².
    hessian[-1, -1] = 4 * sums.free / variance
    gradient[-1] = 2 * sd * np.diag(optimum.inverse)
    for a, i in enumerate(inside):
        up, down, width = moved((i, 1)), moved((i, -1)), _STEP * ratios[i]
        gradient[a] = variance * np.diag(up.inverse - down.inverse) / (2 * width)
        hessian[a, -1] = hessian[-1, a] = -2 * (up.rss - down.rss) / (2 * width) / sd**3
        hessian[a, a] = (value(up) - 2 * value(optimum) + value(down)) / width**2
        for b, j in enumerate(inside[:a]):
            signs = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
            corners = [s * t * value(moved((i, s), (j, t))) for s, t in signs]
            hessian[a, b] = hessian[b, a] = sum(corners) / (4 * width * _STEP * ratios[j])
    spread = np.einsum("ai,ab,bi->i", gradient, 2 * np.linalg.inv(hessian), gradient)
    return np.asarray(2 * (variance * np.diag(optimum.inverse)) ** 2 / spread)
