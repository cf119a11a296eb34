"""Slopes on predictors that are means of noisy ratings, corrected for attenuation.

A mean over few raters is the truth plus noise. Noise biases the slope of its predictor towards 0, and the
slopes of correlated predictors take up part of what is lost. If the variance of the noise is known, its
cross-products can be subtracted from those of the predictors: b = (S_xx − Λ)⁻¹ S_xy (Fuller 1987, Measurement
Error Models, doi:10.1002/9780470316665, section 2.2).

Values form a full grid of rows (groups) × columns (traits), with a random intercept for each row and column.
S_xx and S_xy are the sums of generalised least squares, in which the parts of a value shared by a row or a
column are weighted by their variances.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from tiltmeter.core.errors import Undefined
from tiltmeter.core.types import Array


@dataclass(frozen=True, slots=True)
class GridWeights:
    """The weights of generalised least squares on a grid with random intercepts for rows and columns.

    A value is the sum of a grand mean, a row part, a column part and a rest. The grand mean has weight 0, the
    rest 1, and the row and column parts 1 / (1 + m θ²), where m is the number of values in a row or column
    and θ the standard deviation of the intercepts over that of the residuals.
    """

    rows: int
    columns: int
    row_ratio: float = 0.0
    column_ratio: float = 0.0

    @property
    def of_rows(self) -> float:
        """The weight of the row parts."""
        return 1 / (1 + self.columns * self.row_ratio**2)

    @property
    def of_columns(self) -> float:
        """The weight of the column parts."""
        return 1 / (1 + self.rows * self.column_ratio**2)

    def products(self, values: Array) -> Array:
        """The weighted cross-products of grids.

        Args:
            values: The grids, shape (…, grids, rows, columns).

        Returns:
            The cross-products, shape (…, grids, grids).

        >>> weights = GridWeights(2, 2)
        >>> weights.products(np.array([[[1.0, 2], [3, 4]]])).tolist()  # squares about the mean 2.5
        [[5.0]]
        """
        rest = values - values.mean(axis=(-2, -1), keepdims=True)
        row = rest.mean(axis=-1, keepdims=True)
        column = rest.mean(axis=-2, keepdims=True)
        rest = rest - row - column
        weighted = (rest + np.sqrt(self.of_rows) * row + np.sqrt(self.of_columns) * column).reshape(
            *values.shape[:-2], -1
        )
        return np.asarray(weighted @ np.swapaxes(weighted, -1, -2))

    def one_row(self, deviations: Array) -> Array:
        """The weighted square of a grid that is 0 except for one row.

        Args:
            deviations: The values of that row, shape (…, columns).

        Returns:
            The squares, shape (…,).

        >>> grid = np.zeros((1, 3, 2)); grid[0, 1] = [1.0, 3.0]
        >>> weights = GridWeights(3, 2, 0.5, 2.0)
        >>> bool(np.isclose(weights.products(grid)[0, 0], weights.one_row(np.array([1.0, 3.0]))))
        True
        """
        squares, total = (deviations**2).sum(axis=-1), deviations.sum(axis=-1) ** 2 / self.columns
        others = 1 - 1 / self.rows
        within = (others + self.of_columns / self.rows) * (squares - total)
        return np.asarray(within + self.of_rows * others * total)


@dataclass(frozen=True, slots=True)
class CorrectedSlopes:
    """Slopes corrected for the predictors' noise, with 95 % intervals; one entry per predictor."""

    slopes: Array
    errors: Array
    """Standard errors, by the jackknife over rows."""
    low: Array
    high: Array


def corrected_slopes(products: Array, noise: Array, *, margin: float = 0.0) -> Array:
    """The slopes of the last variable on the others, corrected for the noise of the others.

    Args:
        products: The cross-products of predictors and outcome, shape (k + 1, k + 1).
        noise: The expected square of each predictor's noise, shape (k,); the noise of each predictor must be
            independent of that of the others and of the outcome.
        margin: By how much the variation of the predictors must exceed the noise that is subtracted, as a
            share of the noise; if it does not, less noise is subtracted (Fuller 1987, section 2.5).

    Returns:
        The slopes, shape (k,).

    Raises:
        Undefined: Some combination of the predictors varies no more than its noise, and no margin is given.

    >>> products = np.array([[4.0, 2.0], [2.0, 3.0]])
    >>> corrected_slopes(products, np.array([0.0])), corrected_slopes(products, np.array([2.0]))
    (array([0.5]), array([1.]))
    """
    k = len(noise)
    inner = products[:k, :k]
    lowest = _lowest_root(inner, noise)
    if lowest <= 1 and not margin:
        raise Undefined("the ratings vary no more than their noise")
    share = min(1.0, lowest - margin) if margin else 1.0
    return np.asarray(np.linalg.solve(inner - share * np.diag(noise), products[:k, k]))


def _lowest_root(inner: Array, noise: Array) -> float:
    """The smallest ratio of variation to noise over all combinations of the predictors."""
    root = np.linalg.inv(np.linalg.cholesky(inner))
    highest = float(np.linalg.eigvalsh(root @ np.diag(noise) @ root.T)[-1])
    return 1 / highest if highest > 0 else float("inf")


@dataclass(frozen=True, slots=True)
class Rated:
    """A predictor measured by raters: for each row of the grid its ratings, shape (raters, columns).

    NaN where a rater left out a column; every column must have a rating.
    """

    by_row: tuple[Array, ...]

    @property
    def means(self) -> Array:
        """The mean rating of each cell, shape (rows, columns)."""
        return np.stack([np.nanmean(ratings, axis=0) for ratings in self.by_row])

    def noise(self, weights: GridWeights) -> Array:
        """The expected weighted square of the noise in each row's means, shape (rows,)."""
        variances = []
        for ratings, means in zip(self.by_row, self.means, strict=True):
            n = np.isfinite(ratings).sum(axis=0)
            if n.min() < 2:  # noqa: PLR2004
                raise Undefined("one person rated a group: the error of the mean is unknown")
            shares = np.nan_to_num((ratings - means) / np.sqrt(n * (n - 1)))
            variances.append(float(weights.one_row(shares).sum()))
        return np.array(variances)

    def redrawn(self, rng: np.random.Generator) -> Array:
        """The means of a bootstrap sample of the raters of each row, shape (rows, columns)."""
        drawn = [ratings[rng.integers(0, len(ratings), len(ratings))] for ratings in self.by_row]
        sums = np.array([np.nansum(ratings, axis=0) for ratings in drawn])
        counts = np.array([np.isfinite(ratings).sum(axis=0) for ratings in drawn])
        # If nobody drawn rated a column, the mean over all raters is kept.
        return np.where(counts, sums / np.maximum(counts, 1), self.means)


def slopes_on(
    rated: Sequence[Rated], exact: Sequence[Array], y: Array, weights: GridWeights
) -> CorrectedSlopes:
    """The corrected slopes of a grid on predictors measured by raters and on exact predictors.

    Each row is left out in turn, together with its raters, so the standard errors include the sampling of
    both rows and raters; intervals are by Student's t with one degree of freedom fewer than rows.

    Args:
        rated: The predictors with noise.
        exact: The predictors without noise, each of shape (rows, columns).
        y: The outcome, shape (rows, columns).
        weights: The weights of the grid.

    Returns:
        One entry for each predictor, those of `rated` first.

    Raises:
        Undefined: Predictors vary no more than their noise, or one person rated a row.
    """
    from scipy.special import stdtrit

    noise = np.zeros((len(rated) + len(exact), weights.rows))
    for i, predictor in enumerate(rated):
        noise[i] = predictor.noise(weights)
    grids = np.stack([*(predictor.means for predictor in rated), *exact, y])
    slopes = corrected_slopes(weights.products(grids), noise.sum(axis=1))
    fewer = replace(weights, rows=weights.rows - 1)
    # Without one of the rows, ratings may vary no more than their noise although they do on all rows.
    margin = 1 / weights.rows
    without = []
    for row in range(weights.rows):
        kept = np.arange(weights.rows) != row
        products = fewer.products(grids[:, kept])
        without.append(corrected_slopes(products, noise[:, kept].sum(axis=1), margin=margin))
    spread = ((np.array(without) - slopes) ** 2).sum(axis=0)
    errors = np.sqrt(spread * (weights.rows - 1) / weights.rows)
    half = stdtrit(weights.rows - 1, 0.975) * errors
    return CorrectedSlopes(slopes, errors, slopes - half, slopes + half)
