"""Slopes on predictors that are means of noisy ratings: attenuation, and its correction.

A mean over few raters is the truth plus noise. Noise biases its own slope towards 0, and the slopes of
correlated predictors take up part of what it loses. If the noise is known, its cross-products can be
taken out of those of the predictors: b = (S_xx − Λ)⁻¹ S_xy (Fuller 1987, Measurement Error Models,
doi:10.1002/9780470316665, section 2.2).

Values lie on a full grid of rows (groups) × columns (traits), with a random intercept for each. S_xx and
S_xy are the sums that generalised least squares forms: the parts of a value that a row or a column
shares count as little as their variances say.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from tiltmeter.core.errors import Undefined
from tiltmeter.core.types import Array


@dataclass(frozen=True, slots=True)
class GridWeights:
    """Weights of a grid with random intercepts for its rows and its columns.

    A value is the sum of a grand mean, a row part, a column part and a rest. The grand mean counts 0, the
    rest 1, and the parts 1 / (1 + m θ²), with m values in a row or column and θ the standard deviation
    of the intercepts over that of the residuals.
    """

    rows: int
    columns: int
    row_ratio: float = 0.0
    column_ratio: float = 0.0

    @property
    def of_rows(self) -> float:
        """Weight of the row parts."""
        return 1 / (1 + self.columns * self.row_ratio**2)

    @property
    def of_columns(self) -> float:
        """Weight of the column parts."""
        return 1 / (1 + self.rows * self.column_ratio**2)

    def products(self, values: Array) -> Array:
        """Weighted cross-products of grids.

        Args:
            values: Shape (…, grids, rows, columns).

        Returns:
            Shape (…, grids, grids).

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
        """Weighted square of a grid that is 0 but for one row.

        Args:
            deviations: That row, shape (…, columns).

        Returns:
            Shape (…,).

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
    """Slopes with the predictors' noise taken out, and their 95 % intervals; one entry a predictor."""

    slopes: Array
    errors: Array
    """Standard errors, by the jackknife over rows."""
    low: Array
    high: Array


def corrected_slopes(products: Array, noise: Array, *, margin: float = 0.0) -> Array:
    """Slopes of the last variable on the others, with the noise of these taken out.

    Args:
        products: Cross-products of predictors and outcome, shape (k + 1, k + 1).
        noise: Expected square of each predictor's noise, shape (k,); that of different predictors is
            independent, and independent of the outcome.
        margin: By how much the predictors must vary more than the noise taken out of them, as a share
            of it; less noise is taken out where they do not (Fuller 1987, section 2.5).

    Returns:
        Shape (k,).

    Raises:
        Undefined: In some combination the predictors vary no more than their noise, and no margin is
            given.

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
    """A predictor: for each row of the grid, the ratings of those who rated it, (raters, columns).

    NaN where one of them left a column out; somebody rated each.
    """

    by_row: tuple[Array, ...]

    @property
    def means(self) -> Array:
        """Mean rating of each cell, shape (rows, columns)."""
        return np.stack([np.nanmean(ratings, axis=0) for ratings in self.by_row])

    def noise(self, weights: GridWeights) -> Array:
        """Expected weighted square of the noise of each row's means, shape (rows,)."""
        variances = []
        for ratings, means in zip(self.by_row, self.means, strict=True):
            n = np.isfinite(ratings).sum(axis=0)
            if n.min() < 2:  # noqa: PLR2004
                raise Undefined("one person rated a group: the error of the mean is unknown")
            shares = np.nan_to_num((ratings - means) / np.sqrt(n * (n - 1)))
            variances.append(float(weights.one_row(shares).sum()))
        return np.array(variances)

    def redrawn(self, rng: np.random.Generator) -> Array:
        """Means of raters drawn anew with replacement, shape (rows, columns)."""
        drawn = [ratings[rng.integers(0, len(ratings), len(ratings))] for ratings in self.by_row]
        sums = np.array([np.nansum(ratings, axis=0) for ratings in drawn])
        counts = np.array([np.isfinite(ratings).sum(axis=0) for ratings in drawn])
        # Where nobody was drawn who rated a column, the mean of all raters stands.
        return np.where(counts, sums / np.maximum(counts, 1), self.means)


def slopes_on(
    rated: Sequence[Rated], exact: Sequence[Array], y: Array, weights: GridWeights
) -> CorrectedSlopes:
    """Corrected slopes of a grid on predictors that raters gave, and on exact ones.

    Each row is left out once, together with its raters, so errors contain both the choice of rows and
    that of raters; intervals are by Student's t with one degree of freedom less than rows.

    Args:
        rated: Predictors with noise.
        exact: Predictors without, each of shape (rows, columns).
        y: The outcome, shape (rows, columns).
        weights: Of the grid.

    Returns:
        One entry for each predictor, those of `rated` first.

    Raises:
        Undefined: Predictors vary no more than their noise, or one person rated a row.
    """
    from scipy.stats import t

    noise = np.zeros((len(rated) + len(exact), weights.rows))
    for i, predictor in enumerate(rated):
        noise[i] = predictor.noise(weights)
    grids = np.stack([*(predictor.means for predictor in rated), *exact, y])
    slopes = corrected_slopes(weights.products(grids), noise.sum(axis=1))
    fewer = replace(weights, rows=weights.rows - 1)
    # Without a row the ratings may vary no more than their noise, though they do on all rows.
    margin = 1 / weights.rows
    without = []
    for row in range(weights.rows):
        kept = np.arange(weights.rows) != row
        products = fewer.products(grids[:, kept])
        without.append(corrected_slopes(products, noise[:, kept].sum(axis=1), margin=margin))
    spread = ((np.array(without) - slopes) ** 2).sum(axis=0)
    errors = np.sqrt(spread * (weights.rows - 1) / weights.rows)
    half = t.ppf(0.975, weights.rows - 1) * errors
    return CorrectedSlopes(slopes, errors, slopes - half, slopes + half)
